//! `tsugi-lab blocks repeated`: text without the strings that a site repeats.

use super::method::{SiteMethod, run_method};
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

impl SiteMethod for Repeated {
    type Gathered = RepeatedStrings;
    type Site = RepeatedStrings;

    fn gather(&self, gathered: &mut RepeatedStrings, _: &str, response: &Response) {
        gathered.add(&response.page());
    }

    fn know(&self, gathered: RepeatedStrings, _: &str) -> Result<RepeatedStrings, String> {
        Ok(gathered)
    }

    fn keep(&self, known: &RepeatedStrings, _: usize, page: &Page) -> Option<Kept> {
        Some(known.keep(page))
    }
}
