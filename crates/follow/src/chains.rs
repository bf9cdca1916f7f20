//! Every chain of pages in an archive.

use crate::archive::Archive;
use crate::fetch::{Fetch, FetchError};
use crate::reassemble::{Joiner, Reassembly, reassemble};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use tsugi_page::{FindNext, NextLink, NodeId, Page, Url, address};

/// Joins every chain among the pages of an archive, so that each of `urls` is part of one document.
///
/// Where several pages lead to one, the highest score has it, of equals the first. Documents start at the pages
/// that no page leads to, then at those that a document should have reached and did not (it met its last page,
/// another host, a page that does not continue), at last around circles.
///
/// `visit` gets the address that a document starts at and the document, or why its first page cannot be had;
/// `read` is called for every page whose next link was looked for. The joiner's `fetch` is not used: all pages
/// come from the archive.
///
/// # Errors
///
/// The first error of `visit`; the rest is left undone.
pub fn chains<E>(
    archive: &Archive,
    urls: &[Url],
    joiner: &Joiner<'_>,
    mut read: impl FnMut(),
    mut visit: impl FnMut(&Url, Result<Reassembly, FetchError>) -> Result<(), E>,
) -> Result<(), E> {
    let threshold = joiner.limits.min_score.unwrap_or(joiner.next.threshold());
    let claimed = Claimed::of(archive, urls, joiner.next, threshold, &mut read);
    let led_to = claimed.led_to(threshold);
    let stored: BTreeMap<String, &Url> = urls.iter().map(|url| (address::page_key(url), url)).collect();
    let joiner = Joiner { fetch: archive, next: &claimed, ..*joiner };
    for circle in [false, true] {
        for first in urls.iter().filter(|url| circle || !led_to.contains(&address::page_key(url))) {
            let mut start = Some(first);
            while let Some(url) = start.take() {
                let key = address::page_key(url);
                if claimed.is_covered(&key) {
                    break;
                }
                let joined = reassemble(url, &joiner);
                let mut last = key.clone();
                for part in joined.iter().flat_map(|joined| &joined.parts) {
                    last = address::page_key(part.page.url());
                    claimed.cover(last.clone());
                }
                claimed.cover(key);
                visit(url, joined)?;
                // Where the document ended short of a page that its last page leads to, that page starts anew.
                let beyond = claimed.next.get(&last).filter(|link| link.score >= threshold);
                start = beyond.and_then(|link| stored.get(&address::page_key(&link.url)).copied());
            }
        }
    }
    Ok(())
}

/// The next links of all pages, each next page claimed by one page only.
#[derive(Debug)]
struct Claimed<'a> {
    /// Page key → next link.
    next: BTreeMap<String, NextLink>,
    /// Keys of pages that are part of a document already.
    covered: Mutex<BTreeSet<String>>,
    detector: &'a dyn FindNext,
}

impl<'a> Claimed<'a> {
    /// Finds the next link of every page.
    fn of(
        archive: &Archive,
        urls: &[Url],
        detector: &'a dyn FindNext,
        threshold: f32,
        read: &mut dyn FnMut(),
    ) -> Claimed<'a> {
        let mut claims: BTreeMap<String, (f32, String)> = BTreeMap::new();
        let mut next: BTreeMap<String, NextLink> = BTreeMap::new();
        for url in urls {
            read();
            let Ok(response) = archive.fetch(url) else { continue };
            let Some(link) = detector.best_next(&response.page()) else { continue };
            let from = address::page_key(url);
            if link.score >= threshold {
                let to = address::page_key(&link.url);
                let claim = claims.entry(to).or_insert((link.score, from.clone()));
                if link.score > claim.0 {
                    *claim = (link.score, from.clone());
                }
            }
            next.insert(from, link);
        }
        next.retain(|from, link| {
            let claim = claims.get(&address::page_key(&link.url));
            claim.is_none_or(|(_, owner)| owner == from) || link.score < threshold
        });
        Claimed { next, covered: Mutex::default(), detector }
    }

    /// Keys of the pages that some page leads to.
    fn led_to(&self, threshold: f32) -> BTreeSet<String> {
        let followed = self.next.values().filter(|link| link.score >= threshold);
        followed.map(|link| address::page_key(&link.url)).collect()
    }

    fn is_covered(&self, key: &str) -> bool {
        self.covered.lock().unwrap_or_else(PoisonError::into_inner).contains(key)
    }

    fn cover(&self, key: String) {
        self.covered.lock().unwrap_or_else(PoisonError::into_inner).insert(key);
    }
}

impl FindNext for Claimed<'_> {
    fn best_next(&self, page: &Page) -> Option<NextLink> {
        let next = self.next.get(&address::page_key(page.url()))?;
        (!self.is_covered(&address::page_key(&next.url))).then(|| next.clone())
    }

    fn threshold(&self) -> f32 {
        self.detector.threshold()
    }

    fn accepts(&self, next: &NextLink) -> bool {
        self.detector.accepts(next)
    }

    fn find_unfollowable(&self, page: &Page) -> Option<NodeId> {
        self.detector.find_unfollowable(page)
    }
}
