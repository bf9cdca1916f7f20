//! `tsugi-lab blocks repeated`: text without the strings that a site repeats.

use super::method::{SiteMethod, enough_pages, run_method};
use crate::papers::arguments::PageSetArguments;
use tsugi::Response;
use tsugi_page::Page;
use tsugi_papers::repeated::RepeatedStrings;
use tsugi_site_blocks::Kept;
use tsugi_terminal::exit::Exit;

pub(crate) fn run(arguments: &PageSetArguments) -> anyhow::Result<Exit> {
    run_method(&Repeated, arguments)
}

struct Repeated;

#[derive(Default)]
struct RepeatedPages {
    pages: usize,
    strings: RepeatedStrings,
}

impl SiteMethod for Repeated {
    type Gathered = RepeatedPages;
    type Site = RepeatedStrings;

    fn gather(&self, gathered: &mut RepeatedPages, _: &str, response: &Response) {
        gathered.strings.add(&response.page());
        gathered.pages += 1;
    }

    fn know(&self, gathered: RepeatedPages, _: &str) -> Result<RepeatedStrings, String> {
        enough_pages("repeated strings are found by comparing", gathered.pages)?;
        Ok(gathered.strings)
    }

    fn keep(&self, known: &RepeatedStrings, _: usize, page: &Page) -> Option<Kept> {
        Some(known.keep(page))
    }
}
