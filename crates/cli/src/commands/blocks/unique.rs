//! `tsugi lab blocks unique`: blocks that only one page of a site has.

use super::method::{Method, run_method};
use crate::args::UniqueArguments;
use crate::exit::Exit;
use crate::output::complain;
use tsugi::Response;
use tsugi_page::Page;
use tsugi_site_blocks::{Extensions, Kept, PageSet, SiteIndex};

pub(crate) fn run(arguments: &UniqueArguments) -> anyhow::Result<Exit> {
    let extended = !arguments.as_published;
    let method = Unique { extensions: Extensions { skip_twins: extended, at_least_one: extended } };
    run_method(&method, &arguments.pages)
}

struct Unique {
    extensions: Extensions,
}

impl Method for Unique {
    type Gathered = PageSet;
    type Site = SiteIndex;

    fn gather(&self, gathered: &mut PageSet, _: &str, response: &Response) {
        gathered.add(&response.page());
    }

    fn know(&self, gathered: PageSet, host: &str) -> Result<SiteIndex, String> {
        let site = gathered.index(self.extensions);
        if !site.is_exact() {
            complain(&format!(
                "{host}: comparing all blocks would take too long; those that were not compared count as unique"
            ));
        }
        Ok(site)
    }

    fn keep(&self, known: &SiteIndex, number: usize, page: &Page) -> Option<Kept> {
        known.kept(number, page)
    }
}
