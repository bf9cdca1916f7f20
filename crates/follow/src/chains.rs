//! All chains of pages among stored ones.

use crate::detect::Detector;
use crate::following::{Came, Following};
use crate::limits::Limits;
use crate::part::Reassembly;
use crate::sight::{Role, Sight};
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::{NextLink, Response, Unavailable, Url, address};

/// The most bytes of pages, as stored, that are kept from reading to joining; their trees take about twice as much. Pages
/// beyond that are read again.
const KEPT_BYTES: usize = 128 << 20;

/// Joins all chains of pages among stored ones: each of `urls` becomes part of exactly one document.
///
/// `get` returns a stored page. `read` is called after each page is read. `visit` receives each start address with the
/// pages of the document, or why its first page could not be read.
///
/// If several pages lead to the same next page, the link with the highest score wins, then the first. Documents start at
/// the pages that no page leads to, then at pages where another document stopped short, and last in circles.
/// [`Limits::from_start`] and [`Limits::single_page`] are ignored, since each page belongs to its own document.
///
/// # Errors
///
/// The first error that `visit` returns; it ends the run.
///
/// # Cost
///
/// Each page is parsed once, unless the pages take more than 128 MiB in all; a last page that comes before the pages
/// leading to it is looked at twice.
///
/// # Examples
///
/// ```
/// use tsugi_follow::{Detector, Limits, chains, stitch};
/// use tsugi_page::{Response, Unavailable, Url};
///
/// /// Prints the address and the number of pages of each document.
/// fn list(detector: &impl Detector, urls: &[Url], get: impl Fn(&Url) -> Result<Response, Unavailable>) {
///     let print = |start: &Url, joined| -> Result<(), Unavailable> {
///         println!("{start}: {} pages", stitch(joined?).pages.len());
///         Ok(())
///     };
///     if let Err(error) = chains(detector, urls, Limits::default(), get, || (), print) {
///         println!("{error}");
///     }
/// }
/// ```
pub fn chains<D: Detector, E>(
    detector: &D,
    urls: &[Url],
    limits: Limits,
    get: impl Fn(&Url) -> Result<Response, Unavailable>,
    mut read: impl FnMut(),
    mut visit: impl FnMut(&Url, Result<Reassembly, Unavailable>) -> Result<(), E>,
) -> Result<(), E> {
    let limits = Limits { from_start: false, single_page: false, ..limits };
    let mut pages = Pages::of(detector, urls, limits, get, &mut read);
    let led_to: BTreeSet<String> = pages.claims.values().cloned().collect();
    let stored: BTreeMap<String, &Url> = urls.iter().map(|url| (address::page_key(url), url)).collect();
    let mut covered = BTreeSet::new();
    for circle in [false, true] {
        for first in urls.iter().filter(|url| circle || !led_to.contains(&address::page_key(url))) {
            let mut start = Some(first);
            while let Some(url) = start.take() {
                let key = address::page_key(url);
                if covered.contains(&key) {
                    break;
                }
                let joined = pages.join(url, &covered);
                let mut last = url;
                for part in joined.iter().flat_map(|joined| &joined.parts) {
                    last = part.page.url();
                    covered.insert(address::page_key(last));
                }
                covered.insert(key);
                // If the document stopped short of the page that its last page leads to, start a new one there.
                let beyond = pages.claims.get(last.as_str()).and_then(|to| stored.get(to).copied());
                visit(url, joined)?;
                start = beyond;
            }
        }
    }
    Ok(())
}

/// The stored pages, and what looks at some of them found.
struct Pages<'a, D: Detector, G> {
    detector: &'a D,
    limits: Limits,
    get: G,
    /// Address → key of its next page. At most one page claims a next page.
    claims: BTreeMap<String, String>,
    /// Address as asked → the page, and its size in bytes as stored.
    kept: BTreeMap<String, (Sight<D::Facts>, usize)>,
    bytes: usize,
}

impl<'a, D: Detector, G: Fn(&Url) -> Result<Response, Unavailable>> Pages<'a, D, G> {
    /// Looks at every page.
    fn of(detector: &'a D, urls: &[Url], limits: Limits, get: G, read: &mut dyn FnMut()) -> Pages<'a, D, G> {
        let mut pages =
            Pages { detector, limits, get, claims: BTreeMap::new(), kept: BTreeMap::new(), bytes: 0 };
        let mut owners: BTreeMap<String, (f32, String)> = BTreeMap::new();
        for url in urls {
            read();
            let Ok(response) = (pages.get)(url) else { continue };
            let bytes = response.body.len();
            let is_led_to = owners.contains_key(&address::page_key(url));
            let role = if is_led_to { Role::Judged } else { Role::Later };
            let sight = Sight::of(detector, response.page(), &limits, role);
            if let Some(NextLink { url: to, score, .. }) = sight.strong_link(&limits) {
                let (from, to) = (sight.page.url().as_str().to_owned(), address::page_key(to));
                let owner = owners.entry(to.clone()).or_insert((*score, from.clone()));
                if *score > owner.0 {
                    *owner = (*score, from.clone());
                }
                pages.claims.insert(from, to);
            }
            pages.keep(url, sight, bytes);
        }
        pages.claims.retain(|from, to| owners.get(to).is_some_and(|(_, owner)| owner == from));
        pages
    }

    /// Keeps a page for later, if there is room.
    fn keep(&mut self, url: &Url, sight: Sight<D::Facts>, bytes: usize) {
        if self.bytes + bytes <= KEPT_BYTES {
            self.bytes += bytes;
            self.kept.insert(url.as_str().to_owned(), (sight, bytes));
        }
    }

    fn take_kept(&mut self, url: &Url) -> Option<(Sight<D::Facts>, usize)> {
        let kept = self.kept.remove(url.as_str())?;
        self.bytes -= kept.1;
        Some(kept)
    }

    /// Joins the pages from one on, without those that are part of another document.
    fn join(&mut self, start: &Url, covered: &BTreeSet<String>) -> Result<Reassembly, Unavailable> {
        let mut following = Following::new(self.detector, start.clone(), self.limits);
        while let Some(at) = following.wanted().cloned() {
            let (came, bytes) = match self.sight(&at, covered) {
                Ok((sight, bytes)) => (Ok(Came::Sight(Box::new(sight))), bytes),
                Err(error) => (Err(error), 0),
            };
            following.take(came);
            if let Some(refused) = following.take_refused() {
                self.keep(&at, refused, bytes);
            }
        }
        following.finish()
    }

    /// Returns a page, kept or read now, without its next link if another page has a better claim to it.
    fn sight(
        &mut self,
        at: &Url,
        covered: &BTreeSet<String>,
    ) -> Result<(Sight<D::Facts>, usize), Unavailable> {
        let (mut sight, bytes) = if let Some(kept) = self.take_kept(at) {
            kept
        } else {
            let response = (self.get)(at)?;
            if let Some(kept) = self.take_kept(&response.url) {
                kept
            } else {
                (Sight::of(self.detector, response.page(), &self.limits, Role::Judged), response.body.len())
            }
        };
        if let Some(link) = &sight.best {
            let to = address::page_key(&link.url);
            let is_claimed = self.claims.get(sight.page.url().as_str()) == Some(&to);
            if covered.contains(&to) || (!is_claimed && sight.strong_link(&self.limits).is_some()) {
                sight.unlink(self.detector, &self.limits);
            }
        }
        Ok((sight, bytes))
    }
}
