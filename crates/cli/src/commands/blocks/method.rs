//! Methods that compare the pages of a site.

use super::lines::{Answer, Lines, visit_first_captures};
use crate::args::PageSetArguments;
use crate::exit::Exit;
use crate::output::complain;
use crate::progress::Progress;
use anyhow::anyhow;
use std::collections::BTreeMap;
use tsugi::{FetchError, Page, Response};
use tsugi_fetch::Record;
use tsugi_page::address;
use tsugi_site_blocks::Kept;

/// A method that looks at all pages of a site before it says anything of one.
pub(super) trait Method {
    /// What is gathered from the pages of a site.
    type Gathered: Default;
    /// What the method then knows of the site.
    type Site;

    /// Looks at a page of a host, as it was answered.
    fn gather(&self, gathered: &mut Self::Gathered, host: &str, response: &Response);

    /// Sums up the pages of a host; the error is why nothing can be said of them.
    fn know(&self, gathered: Self::Gathered, host: &str) -> Result<Self::Site, String>;

    /// Says what is content on a page, which is one of those that were gathered, by its number among them; `None` if there is
    /// no such page.
    fn keep(&self, known: &Self::Site, number: usize, page: &Page) -> Option<Kept>;

    /// Says whether labels can measure what is kept of a page: not if it was learned from to be applied to others.
    fn can_measure(&self, known: &Self::Site, number: usize) -> bool {
        let _ = (known, number);
        true
    }
}

/// What is known of a host, or why nothing is.
pub(super) type KnownSite<M> = Result<<M as Method>::Site, String>;

/// Runs a method over an archive, a line a page. The archive is read twice, so that memory holds no more pages than a
/// method wants.
pub(super) fn run_method<M: Method>(method: &M, arguments: &PageSetArguments) -> anyhow::Result<Exit> {
    let mut lines = Lines::open(&arguments.lines)?;
    let (known, broken) = know_sites(method, arguments, &lines.progress, |_, _| {})?;
    let mut known: BTreeMap<String, (KnownSite<M>, usize)> =
        known.into_iter().map(|(host, known)| (host, (known, 0))).collect();
    let told_before = |_: &str| {};
    lines.add_archive(&arguments.pages, told_before, |record, page| {
        let changed = || anyhow!("`{}` changed while it was read", arguments.pages.display());
        let (known, number) = known.get_mut(&address::host_key(&record.url)).ok_or_else(changed)?;
        *number += 1;
        let known = match known {
            Ok(known) => known,
            Err(why) => return Ok(Err(why.clone())),
        };
        let kept = method.keep(known, *number - 1, page).ok_or_else(changed)?;
        Ok(Ok(Answer { kept, can_measure: method.can_measure(known, *number - 1) }))
    })?;
    lines.finish(broken)
}

/// Reads all pages of an archive; returns what a method knows of each host, and how much is no record, which is listed.
/// `unreadable` is told what records hold no page.
pub(super) fn know_sites<M: Method>(
    method: &M,
    arguments: &PageSetArguments,
    progress: &Progress,
    mut unreadable: impl FnMut(&Record, &FetchError),
) -> anyhow::Result<(BTreeMap<String, KnownSite<M>>, usize)> {
    let mut sites: BTreeMap<String, M::Gathered> = BTreeMap::new();
    let broken = visit_first_captures(&arguments.pages, complain, |record| {
        match &record.response {
            Ok(response) => {
                let host = address::host_key(&record.url);
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
