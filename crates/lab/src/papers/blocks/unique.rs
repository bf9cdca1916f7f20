//! `tsugi-lab blocks unique`: blocks that only one page of a site has.

use super::method::{SiteMethod, enough_pages, run_method};
use crate::papers::arguments::UniqueArguments;
use tsugi::Response;
use tsugi_page::{Page, Url, address};
use tsugi_papers::page_sets::with_dates;
use tsugi_site_blocks::{Extensions, Kept, PageSet, SiteIndex};
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::complain;

pub(crate) fn run(arguments: &UniqueArguments) -> anyhow::Result<Exit> {
    let extended = !arguments.as_published;
    let extensions = Extensions { skip_twins: extended, at_least_one: extended };
    let method = Unique { extensions, across_sites: arguments.across_sites, dates: arguments.dates };
    run_method(&method, &arguments.pages)
}

struct Unique {
    extensions: Extensions,
    across_sites: bool,
    dates: bool,
}

impl SiteMethod for Unique {
    type Gathered = PageSet;
    type Site = SiteIndex;

    fn site_of(&self, url: &Url) -> String {
        if self.across_sites { "all sites".to_owned() } else { address::host_key(url) }
    }

    fn gather(&self, gathered: &mut PageSet, _: &str, response: &Response) {
        gathered.add(&response.page());
    }

    fn know(&self, gathered: PageSet, host: &str) -> Result<SiteIndex, String> {
        enough_pages("unique blocks are found by comparing", gathered.len())?;
        let site = gathered.index(self.extensions);
        if !site.is_exact() {
            complain(&format!(
                "{host}: comparing all blocks would take too long; those that were not compared count as unique"
            ));
        }
        Ok(site)
    }

    fn keep(&self, known: &SiteIndex, number: usize, page: &Page) -> Option<Kept> {
        let kept = known.kept(number, page)?;
        Some(if self.dates { with_dates(&kept, page) } else { kept })
    }
}
