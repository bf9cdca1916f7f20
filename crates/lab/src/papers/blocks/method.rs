//! Methods that compare the pages of a site.

use super::lines::{BlockLines, BlocksAnswer, visit_first_captures};
use crate::papers::arguments::PageSetArguments;
use anyhow::anyhow;
use std::collections::BTreeMap;
use tsugi::{FetchError, Page, Response};
use tsugi_fetch::Record;
use tsugi_page::{Url, address};
use tsugi_site_blocks::Kept;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::complain;
use tsugi_terminal::progress::Progress;

/// With fewer pages nothing can be compared: every block is unique, and no string repeats.
pub(super) const LEAST_PAGES: usize = 2;

/// Says why a site with too few pages has no answer; `what` names what needs more, such as “rules are learned from”.
pub(super) fn enough_pages(what: &str, pages: usize) -> Result<(), String> {
    if pages >= LEAST_PAGES {
        return Ok(());
    }
    Err(format!("{what} two pages of a site or more; it has one"))
}

/// A method that looks at all pages of a site before it answers for one.
pub(super) trait SiteMethod {
    type Gathered: Default;
    type Site;

    /// Returns the name of the site whose pages an address is compared with.
    fn site_of(&self, url: &Url) -> String {
        address::host_key(url)
    }

    fn gather(&self, gathered: &mut Self::Gathered, host: &str, response: &Response);

    /// Sums up the pages of a host; the error says why that is impossible.
    fn know(&self, gathered: Self::Gathered, host: &str) -> Result<Self::Site, String>;

    /// Returns the content of a gathered page, by its number; `None` if there is no such page.
    fn keep(&self, known: &Self::Site, number: usize, page: &Page) -> Option<Kept>;

    /// Returns `true` if labels can measure the answer: not if the method learned from the page.
    fn can_measure(&self, known: &Self::Site, number: usize) -> bool {
        let _ = (known, number);
        true
    }
}

pub(super) type KnownSite<M> = Result<<M as SiteMethod>::Site, String>;

/// Runs a method over an archive, one line a page. The archive is read twice, so that memory holds only the pages that
/// the method needs.
pub(super) fn run_method<M: SiteMethod>(method: &M, arguments: &PageSetArguments) -> anyhow::Result<Exit> {
    let mut lines = BlockLines::open(&arguments.lines)?;
    let (known, broken) = know_sites(method, arguments, &lines.progress, |_, _| {})?;
    let mut known: BTreeMap<String, (KnownSite<M>, usize)> =
        known.into_iter().map(|(host, known)| (host, (known, 0))).collect();
    let told_before = |_: &str| {};
    lines.add_archive(&arguments.pages, told_before, |record, page| {
        let changed = || anyhow!("`{}` changed while tsugi read it", arguments.pages.display());
        let (known, number) = known.get_mut(&method.site_of(&record.url)).ok_or_else(changed)?;
        *number += 1;
        let known = match known {
            Ok(known) => known,
            Err(why) => return Ok(Err(why.clone())),
        };
        let kept = method.keep(known, *number - 1, page).ok_or_else(changed)?;
        Ok(Ok(BlocksAnswer { kept, can_measure: method.can_measure(known, *number - 1) }))
    })?;
    lines.finish(broken)
}

/// Reads all pages of an archive; returns what the method knows of each host, and the number of broken records, which
/// are listed. `unreadable` gets the records without a page.
pub(super) fn know_sites<M: SiteMethod>(
    method: &M,
    arguments: &PageSetArguments,
    progress: &Progress,
    mut unreadable: impl FnMut(&Record, &FetchError),
) -> anyhow::Result<(BTreeMap<String, KnownSite<M>>, usize)> {
    let mut sites: BTreeMap<String, M::Gathered> = BTreeMap::new();
    let broken = visit_first_captures(&arguments.pages, complain, |record| {
        match &record.response {
            Ok(response) => {
                let host = method.site_of(&record.url);
                method.gather(sites.entry(host.clone()).or_default(), &host, response);
            }
            Err(error) => unreadable(&record, error),
        }
        progress.step();
        Ok(())
    })?;
    let known = sites.into_iter().map(|(host, gathered)| {
        let known = method.know(gathered, &host);
        (host, known)
    });
    Ok((known.collect(), broken))
}
