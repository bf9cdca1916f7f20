//! Following next-page links from page to page, and when to stop.

use crate::fetch::{Fetch, FetchError, Response, chain};
use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroUsize;
use tsugi_page::{
    Content, FindContent, FindNext, NextLink, Page, Relation, Url, Verdict, Verify, address, text,
};

/// How far to follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The most pages that are joined.
    pub max_pages: NonZeroUsize,
    /// The lowest score of a link that is followed, in [0, 1]; `None` leaves it to the detector.
    pub min_score: Option<f32>,
    /// The one relation that is followed; `None` for any.
    pub relation: Option<Relation>,
    /// Whether a start inside a sequence is walked back to the first page.
    pub from_start: bool,
    /// Whether a page that holds all pages is taken in their place.
    pub single_page: bool,
}

impl Default for Limits {
    /// 100 pages, the detector's own threshold, any relation, from the given page on, page by page.
    fn default() -> Self {
        const PAGES: NonZeroUsize = NonZeroUsize::new(100).expect("100 is not zero");
        Limits { max_pages: PAGES, min_score: None, relation: None, from_start: false, single_page: false }
    }
}

/// One page of a sequence.
#[derive(Debug)]
pub struct Part {
    /// The page.
    pub page: Page,
    /// Its main content.
    pub content: Content,
    /// The score of the link that led here, in [0, 1]; 1 for the first page.
    pub score: f32,
    /// What that link rests on: `model`, `rule` or `rel`; `start` for the first page.
    pub by: &'static str,
    /// What was found of whether it continues the page before; `None` for the first page, and where nobody asks.
    pub verdict: Option<Verdict>,
}

/// What pages are joined with.
#[derive(Clone, Copy)]
pub struct Joiner<'a> {
    /// Where pages come from.
    pub fetch: &'a dyn Fetch,
    /// Finds next links.
    pub next: &'a dyn FindNext,
    /// Finds main content.
    pub content: &'a dyn FindContent,
    /// Judges whether a page continues the one before; `None` leaves it to what can be told without a model.
    pub verify: Option<&'a dyn Verify>,
    /// How far to follow.
    pub limits: Limits,
}

impl fmt::Debug for Joiner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Joiner { next, content, verify, limits, .. } = self;
        let mut shown = f.debug_struct("Joiner");
        shown.field("next", next).field("content", content).field("verify", verify).field("limits", limits);
        shown.finish_non_exhaustive()
    }
}

/// The pages of a sequence, in order.
#[derive(Debug)]
pub struct Reassembly {
    /// The pages; never empty.
    pub parts: Vec<Part>,
    /// Why there are no more.
    pub stopped: Stopped,
    /// What is odd about the pages.
    pub warnings: Vec<String>,
}

/// Why and where following came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// The reason.
    pub reason: StopReason,
    /// The address that the reason is about: of the last page where it has no link to follow
    /// ([`StopReason::NoNext`], [`StopReason::LowScore`]), else of the page that was not added.
    pub at: Url,
    /// The reason in words.
    pub detail: String,
}

/// Why following came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum StopReason {
    /// The page has no next-page link, or none of the wanted relation: the normal end.
    NoNext,
    /// The detector takes the link for one, but its score is lower than wanted.
    LowScore,
    /// The next page has no content, or content that is held already.
    NotAContinuation,
    /// The link leads to a page that is held already.
    Loop,
    /// As many pages as wanted are held.
    MaxPages,
    /// The next page cannot be had.
    FetchFailed,
    /// The site asks not to fetch the next page.
    Robots,
    /// The link leads to another host.
    OffSite,
}

impl StopReason {
    /// Returns the word that stands for the reason in output.
    pub fn as_str(self) -> &'static str {
        match self {
            StopReason::NoNext => "no-next",
            StopReason::LowScore => "low-score",
            StopReason::NotAContinuation => "not-a-continuation",
            StopReason::Loop => "loop",
            StopReason::MaxPages => "max-pages",
            StopReason::FetchFailed => "fetch-failed",
            StopReason::Robots => "robots",
            StopReason::OffSite => "off-site",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Gets a page and those that follow it.
///
/// A link is followed if its score reaches [`Limits::min_score`] (where that is not set, the detector's own
/// threshold), its relation is the wanted one, it stays on the host of the first page
/// ([`address::same_host`]), and leads to no page that is held: addresses are compared exactly and by
/// [`address::page_key`], both as they were asked and as they answered. The page behind it counts as a
/// continuation if its main content has text that no page before it has (white space folded).
///
/// What is held when something fails is kept; [`Reassembly::stopped`] says what failed.
///
/// # Errors
///
/// Any [`FetchError`] of the first page.
///
/// # Examples
///
/// See the [crate].
pub fn reassemble(start: &Url, joiner: &Joiner<'_>) -> Result<Reassembly, FetchError> {
    let first = joiner.fetch.fetch(start)?;
    let mut visited = Visited::default();
    visited.add(start);
    Ok(follow(first, visited, joiner))
}

/// Follows from a page that is at hand; otherwise as [`reassemble`].
pub fn reassemble_from(first: Response, joiner: &Joiner<'_>) -> Reassembly {
    follow(first, Visited::default(), joiner)
}

fn follow(first: Response, mut visited: Visited, joiner: &Joiner<'_>) -> Reassembly {
    let Joiner { fetch, next, content, ref limits, .. } = *joiner;
    visited.add(&first.url);
    let host = first.url.clone();
    let mut held: BTreeSet<String> = BTreeSet::new();
    let mut reassembly = Reassembly {
        parts: Vec::new(),
        stopped: Stopped { reason: StopReason::NoNext, at: first.url.clone(), detail: String::new() },
        warnings: Vec::new(),
    };
    let (mut response, mut score, mut by) = (first, 1.0, "start");
    reassembly.stopped = loop {
        let page = response.page();
        let at = page.url().clone();
        reassembly.warnings.extend(page.notes().iter().map(|note| format!("{at}: {note}")));
        let best = next.best_next(&page);
        let sure = best.as_ref().filter(|link| link.score >= next.threshold());
        let content = content.find_content(&page, sure);

        let words = text::fold(&page.text_of_content(&content.nodes, &content.without));
        if !reassembly.parts.is_empty() {
            let lack = match (words.is_empty(), held.contains(&words)) {
                (true, _) => Some("its main content is blank"),
                (_, true) => Some("its main content is that of a page before it"),
                _ => None,
            };
            if let Some(detail) = lack {
                break Stopped { reason: StopReason::NotAContinuation, at, detail: detail.to_owned() };
            }
        }
        held.insert(words);
        let mut link = wanted(best, next.threshold(), limits);
        if let Err((StopReason::NoNext, detail)) = &mut link
            && let Some(node) = next.find_unfollowable(&page)
        {
            let path = page.location_path(node);
            *detail = format!("a next page exists, but no address leads there, only `{path}`; {detail}");
        }
        reassembly.parts.push(Part { page, content, score, by, verdict: None });

        let link = match link {
            Ok(link) => link,
            Err((reason, detail)) => break Stopped { reason, at, detail },
        };
        let to = address::without_fragment(&link.url);
        let stop =
            |reason, detail: &str, at: &Url| Stopped { reason, at: at.clone(), detail: detail.to_owned() };
        if visited.has(&to) {
            break stop(StopReason::Loop, "the link leads to a page before it", &to);
        }
        if !address::same_host(&host, &to) {
            break stop(StopReason::OffSite, "the link leads to another host", &to);
        }
        if reassembly.parts.len() >= limits.max_pages.get() {
            let detail = format!("{} pages are held, as many as wanted", reassembly.parts.len());
            break stop(StopReason::MaxPages, &detail, &to);
        }
        let answer = match fetch.fetch(&to) {
            Ok(answer) => answer,
            Err(error) => {
                let refused = error.word() == "robots";
                let reason = if refused { StopReason::Robots } else { StopReason::FetchFailed };
                break stop(reason, &chain(&error), &to);
            }
        };
        visited.add(&to);
        if !address::same_host(&host, &answer.url) {
            break stop(StopReason::OffSite, "the link is redirected to another host", &answer.url);
        }
        if !visited.add_final(&to, &answer.url) {
            break stop(StopReason::Loop, "the link is redirected to a page before it", &answer.url);
        }
        (response, score, by) = (answer, link.score, link.evidence.as_str());
    };
    reassembly
}

/// Returns the link to follow, or why there is none.
fn wanted(best: Option<NextLink>, threshold: f32, limits: &Limits) -> Result<NextLink, (StopReason, String)> {
    let Some(link) = best else {
        return Err((StopReason::NoNext, "the page has no link that could lead on".to_owned()));
    };
    let least = limits.min_score.unwrap_or(threshold);
    let (url, score) = (&link.url, link.score);
    // A score that is no number reaches no threshold.
    if score >= least {
        return match limits.relation {
            Some(relation) if relation != link.relation => {
                let found = link.relation;
                let detail =
                    format!("best link `{url}` leads to the next {found}, expected the next {relation}");
                Err((StopReason::NoNext, detail))
            }
            _ => Ok(link),
        };
    }
    let detail = format!("best link `{url}` has score {score:.3}, expected at least {least:.3}");
    let reason = if score >= threshold { StopReason::LowScore } else { StopReason::NoNext };
    Err((reason, detail))
}

/// The addresses of the pages that were asked for, and of those that answered.
#[derive(Debug, Default)]
struct Visited {
    exact: BTreeSet<String>,
    keys: BTreeSet<String>,
}

impl Visited {
    fn has(&self, url: &Url) -> bool {
        self.exact.contains(url.as_str()) || self.keys.contains(&address::page_key(url))
    }

    fn add(&mut self, url: &Url) {
        self.exact.insert(address::without_fragment(url).into());
        self.keys.insert(address::page_key(url));
    }

    /// Adds the address that answered; false if it is that of a page before the asked one.
    fn add_final(&mut self, asked: &Url, answered: &Url) -> bool {
        let same = asked == answered || address::page_key(asked) == address::page_key(answered);
        let fresh = same || !self.has(answered);
        self.add(answered);
        fresh
    }
}
