//! Following next-page links from page to page, and when to stop.

use crate::fetch::{Fetch, FetchError, Response, chain};
use crate::held::{Held, Lines};
use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroUsize;
use tsugi_page::{
    Content, Evidence, FindContent, FindNext, NextLink, Page, Reason, Relation, Seen, Url, Verdict, Verify,
    address,
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
    /// What that link rests on: `model`, `rule` or `rel`; `start` for the first page, `single-page` for one that
    /// stands for all.
    pub by: &'static str,
    /// What was found of whether it continues the page before; `None` for the first page, and where nobody asks.
    pub verdict: Option<Verdict>,
    /// Its best next link, however unsure.
    pub next: Option<NextLink>,
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
    /// The next page has no content or nothing new, is the home page, or does not continue the page before.
    NotAContinuation,
    /// The link leads to a page that is held already.
    Loop,
    /// As many pages as wanted are held, or as much as memory should hold.
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

/// The most nodes of all pages together that are held; a hundred usual pages have a tenth of it.
const MAX_HELD_NODES: usize = 5_000_000;

/// How many candidates for the page before are fetched for each step back.
const MAX_STEPS_BACK: usize = 3;

/// Share of the lines of each held page that a page must have to stand for all of them.
const WHOLE: f32 = 0.9;

/// Gets a page and those that follow it.
///
/// A link is followed if its score reaches [`Limits::min_score`] (where that is not set, the detector's own
/// threshold), its relation is the wanted one, it stays on the host of the first page
/// ([`address::same_host`]), and leads to no page that is held: addresses are compared exactly and by
/// [`address::page_key`], both as they were asked and as they answered.
///
/// The page behind it is a continuation if it is not the host's home page, its main content is neither blank nor that
/// of a page before it (text with white space folded, and images), nor made of what stands around the content of the
/// page before, and [`Joiner::verify`] says so. A link that a rule found is not judged: who
/// wrote the rule looked. It is held to the rule instead: the sequence ends at a page whose content no rule finds, or
/// that is answered over plain http where the first page came over https.
///
/// With [`Limits::from_start`] the pages before the given one are looked for first. A page is the one before if its
/// own next link leads here and the pair is verified, wherever the link to it stands and whatever it says.
///
/// With [`Limits::single_page`], once two pages are held, a page that the first ones name as holding all pages is
/// taken in their place if it has nine in ten of the lines of each, as much text as both, and no next page.
///
/// What is held when something fails is kept; [`Reassembly::stopped`] says what failed.
///
/// # Errors
///
/// Any [`FetchError`] of the given page.
///
/// # Examples
///
/// See the [crate].
pub fn reassemble(start: &Url, joiner: &Joiner<'_>) -> Result<Reassembly, FetchError> {
    let first = joiner.fetch.fetch(start)?;
    Ok(Walk::new(joiner, &first.url).run(start, &first))
}

/// Follows from a page that is at hand; otherwise as [`reassemble`].
pub fn reassemble_from(first: &Response, joiner: &Joiner<'_>) -> Reassembly {
    Walk::new(joiner, &first.url).run(&first.url, first)
}

/// A page, read.
#[derive(Debug)]
struct Read {
    /// The address that was asked.
    asked: Url,
    page: Page,
    content: Content,
    lines: Lines,
    next: Option<NextLink>,
}

impl Read {
    fn seen(&self) -> Seen<'_> {
        Seen { page: &self.page, content: &self.content, next: self.next.as_ref() }
    }

    /// Says whether an address leads to this page.
    fn is_at(&self, url: &Url) -> bool {
        let key = address::page_key(url);
        key == address::page_key(&self.asked) || key == address::page_key(self.page.url())
    }
}

/// A page that belongs to the sequence, and how it was come by.
#[derive(Debug)]
struct Arrival {
    read: Read,
    score: f32,
    by: &'static str,
    verdict: Option<Verdict>,
}

impl Arrival {
    fn first(read: Read) -> Arrival {
        Arrival { read, score: 1.0, by: "start", verdict: None }
    }
}

/// Following, as far as it has come.
#[derive(Debug)]
struct Walk<'a> {
    joiner: &'a Joiner<'a>,
    /// An address of the host that is not left.
    host: Url,
    visited: Visited,
    held: Held,
    parts: Vec<Part>,
    warnings: Vec<String>,
}

impl<'a> Walk<'a> {
    fn new(joiner: &'a Joiner<'a>, host: &Url) -> Walk<'a> {
        Walk {
            joiner,
            host: host.clone(),
            visited: Visited::default(),
            held: Held::default(),
            parts: Vec::new(),
            warnings: Vec::new(),
        }
    }

    fn run(mut self, asked: &Url, first: &Response) -> Reassembly {
        let first = self.read(asked, first);
        let mut arrivals = self.back_to_start(first).into_iter();
        let stopped = loop {
            let arrival = match arrivals.next().map_or_else(|| self.onward(), Ok) {
                Ok(arrival) => arrival,
                Err(stopped) => break stopped,
            };
            self.hold(arrival);
            if let Some(stopped) = self.take_single_page() {
                break stopped;
            }
        };
        Reassembly { parts: self.parts, stopped, warnings: self.warnings }
    }

    fn read(&self, asked: &Url, response: &Response) -> Read {
        let page = response.page();
        let next = self.joiner.next.best_next(&page);
        let sure = next.as_ref().filter(|link| self.joiner.next.accepts(link));
        let content = self.joiner.content.find_content(&page, sure);
        let lines = Lines::of_content(&page, &content);
        Read { asked: asked.clone(), page, content, lines, next }
    }

    fn hold(&mut self, arrival: Arrival) {
        let Arrival { read: Read { asked, page, content, lines, next }, score, by, verdict } = arrival;
        let at = page.url();
        self.visited.add(&asked);
        self.visited.add(at);
        self.warnings.extend(page.notes().iter().map(|note| format!("{at}: {note}")));
        self.held.add(&lines, page.node_count());
        self.parts.push(Part { page, content, score, by, verdict, next });
    }

    /// Returns the given page and those before it, the first page first.
    fn back_to_start(&mut self, given: Read) -> Vec<Arrival> {
        let mut back = vec![Arrival::first(given)];
        let mut tried = BTreeSet::new();
        let mut nodes = 0;
        while self.joiner.limits.from_start {
            let Some(current) = back.last() else { break };
            nodes += current.read.page.node_count();
            if back.len() >= self.joiner.limits.max_pages.get() || nodes > MAX_HELD_NODES {
                let at = current.read.page.url();
                self.warnings
                    .push(format!("{at}: as many pages as wanted, there may be pages before this one"));
                break;
            }
            let Some((read, link, verdict)) = self.before(&current.read, &mut tried) else { break };
            // A circle has no start: the given page stays the last one.
            let is_held =
                |arrival: &Arrival| arrival.read.is_at(read.page.url()) || arrival.read.lines == read.lines;
            if back.iter().any(is_held) {
                break;
            }
            if let Some(current) = back.last_mut() {
                (current.score, current.by, current.verdict) = (link.score, link.evidence.as_str(), verdict);
            }
            back.push(Arrival::first(read));
        }
        back.reverse();
        back
    }

    /// Finds the page whose next link leads to a page, with that link.
    fn before(
        &mut self,
        current: &Read,
        tried: &mut BTreeSet<String>,
    ) -> Option<(Read, NextLink, Option<Verdict>)> {
        let candidates = self.joiner.next.previous_candidates(&current.page).into_iter();
        let fresh = candidates
            .map(|url| address::without_fragment(&url))
            .filter(|url| address::same_host(&self.host, url) && tried.insert(address::page_key(url)));
        let mut unread = Vec::new();
        for url in fresh.take(MAX_STEPS_BACK) {
            let answer = match self.joiner.fetch.fetch(&url) {
                Ok(answer) => answer,
                Err(error) => {
                    unread.push(format!("`{url}` may be the page before: {}", chain(&error)));
                    continue;
                }
            };
            if !address::same_host(&self.host, &answer.url) {
                continue;
            }
            let read = self.read(&url, &answer);
            let Ok(link) = wanted(read.next.as_ref(), self.joiner.next, &self.joiner.limits) else {
                continue;
            };
            if !current.is_at(&link.url) {
                continue;
            }
            let link = link.clone();
            let verdict = self.judge(read.seen(), current.seen(), &link);
            if verdict.as_ref().is_none_or(|verdict| verdict.holds) {
                return Some((read, link, verdict));
            }
        }
        // Only where no page was found is one that could not be had missed.
        self.warnings.append(&mut unread);
        None
    }

    /// Asks whether a page continues another; nothing is said where nobody judges, and of links by rule.
    fn judge(&self, before: Seen<'_>, after: Seen<'_>, link: &NextLink) -> Option<Verdict> {
        let verify = self.joiner.verify.filter(|_| !by_rule(&link.evidence))?;
        Some(verify.verify(before, after))
    }

    /// Goes to the page that the last one leads to, or says why not.
    fn onward(&self) -> Result<Arrival, Stopped> {
        let (fetch, limits) = (self.joiner.fetch, &self.joiner.limits);
        let stop =
            |reason, detail: &str, at: &Url| Stopped { reason, at: at.clone(), detail: detail.to_owned() };
        let Some(last) = self.parts.last() else {
            return Err(stop(StopReason::NoNext, "no page is held", &self.host));
        };
        let link = self.link_of(last)?;
        let to = address::without_fragment(&link.url);
        if self.visited.has(&to) {
            return Err(stop(StopReason::Loop, "the link leads to a page before it", &to));
        }
        if !address::same_host(&self.host, &to) {
            return Err(stop(StopReason::OffSite, "the link leads to another host", &to));
        }
        if is_home(&to) {
            let detail = "the link leads to the home page of the host";
            return Err(stop(StopReason::NotAContinuation, detail, &to));
        }
        if self.parts.len() >= limits.max_pages.get() {
            let detail = format!("{} pages are held, as many as wanted", self.parts.len());
            return Err(stop(StopReason::MaxPages, &detail, &to));
        }
        if self.held.nodes() > MAX_HELD_NODES {
            let detail = format!("the pages held have {} nodes, no more is held", self.held.nodes());
            return Err(stop(StopReason::MaxPages, &detail, &to));
        }
        let answer = fetch.fetch(&to).map_err(|error| {
            let refused = error.word() == "robots";
            let reason = if refused { StopReason::Robots } else { StopReason::FetchFailed };
            stop(reason, &chain(&error), &to)
        })?;
        let at = &answer.url;
        if !address::same_host(&self.host, at) {
            return Err(stop(StopReason::OffSite, "the link is redirected to another host", at));
        }
        if self.visited.has(at) && !same_page(&to, at) {
            return Err(stop(StopReason::Loop, "the link is redirected to a page before it", at));
        }
        if is_home(at) {
            let detail = "the link is redirected to the home page of the host";
            return Err(stop(StopReason::NotAContinuation, detail, at));
        }
        let led_by_rule = by_rule(&link.evidence);
        if led_by_rule && self.host.scheme() == "https" && at.scheme() == "http" {
            let detail = "the link leads from https to plain http";
            return Err(stop(StopReason::OffSite, detail, at));
        }
        let read = self.read(&to, &answer);
        if let Some(detail) = self.held.lack(&read.lines) {
            return Err(stop(StopReason::NotAContinuation, detail, at));
        }
        // As the clients of siteinfo do: the models do not take over what a rule began.
        if led_by_rule && !by_rule(&read.content.evidence) {
            let detail = "a rule led here, and none finds content on this page";
            return Err(stop(StopReason::NotAContinuation, detail, at));
        }
        // Past the end of a list, many a site answers with a page that has all but the list.
        if read.lines.are_in(&Lines::of_frame(&last.page, &last.content)) {
            let detail = "what it holds stands around the main content of the page before";
            return Err(stop(StopReason::NotAContinuation, detail, at));
        }
        let before = Seen { page: &last.page, content: &last.content, next: Some(link) };
        let verdict = self.judge(before, read.seen(), link);
        if let Some(verdict) = verdict.as_ref().filter(|verdict| !verdict.holds) {
            return Err(stop(StopReason::NotAContinuation, &refusal(verdict), at));
        }
        Ok(Arrival { read, score: link.score, by: link.evidence.as_str(), verdict })
    }

    /// Returns the link that leads on from a page.
    fn link_of<'p>(&self, last: &'p Part) -> Result<&'p NextLink, Stopped> {
        let next = self.joiner.next;
        wanted(last.next.as_ref(), next, &self.joiner.limits).map_err(|(reason, mut detail)| {
            if reason == StopReason::NoNext
                && let Some(node) = next.find_unfollowable(&last.page)
            {
                let path = last.page.location_path(node);
                detail = format!("a next page exists, but no address leads there, only `{path}`; {detail}");
            }
            Stopped { reason, at: last.page.url().clone(), detail }
        })
    }

    /// Puts one page in the place of the two that are held, if it holds all.
    fn take_single_page(&mut self) -> Option<Stopped> {
        let [first, second] = self.parts.as_slice() else { return None };
        if !self.joiner.limits.single_page {
            return None;
        }
        let mut candidates = self.joiner.next.single_page_candidates(&first.page);
        candidates.extend(self.joiner.next.single_page_candidates(&second.page));
        let mut tried = BTreeSet::new();
        candidates.retain(|url| {
            address::same_host(&self.host, url)
                && !self.visited.has(url)
                && tried.insert(address::page_key(url))
        });
        let (whole, share) = candidates.iter().find_map(|url| self.read_single_page(url))?;
        let detail = format!(
            "one page stands for all: it has {:.0} % of the lines of the first {} pages",
            share * 100.0,
            self.parts.len()
        );
        let reason = Reason { what: detail.clone(), weight: 1.0 };
        let stopped = Stopped { reason: StopReason::NoNext, at: whole.page.url().clone(), detail };
        self.parts.clear();
        self.held = Held::default();
        let verdict = Some(Verdict { score: share, holds: true, reasons: vec![reason] });
        self.hold(Arrival { read: whole, score: share, by: "single-page", verdict });
        Some(stopped)
    }

    /// Gets a page, if it holds what the held pages do; with the least share of one of them that it has.
    fn read_single_page(&self, url: &Url) -> Option<(Read, f32)> {
        // A page that cannot be had, or does not do, leaves us with what we have.
        let answer = self.joiner.fetch.fetch(&address::without_fragment(url)).ok()?;
        if !address::same_host(&self.host, &answer.url) || self.visited.has(&answer.url) {
            return None;
        }
        let whole = self.read(url, &answer);
        let goes_on = whole
            .next
            .as_ref()
            .is_some_and(|link| self.joiner.next.accepts(link) && link.relation == Relation::Page);
        let (mut least, mut characters) = (1.0_f32, 0);
        for part in &self.parts {
            let lines = Lines::of_content(&part.page, &part.content);
            least = least.min(lines.share_in(&whole.lines));
            characters += lines.characters();
        }
        let is_whole =
            !goes_on && least >= WHOLE && whole.lines.characters() as f32 >= WHOLE * characters as f32;
        is_whole.then_some((whole, least))
    }
}

/// Says whether an address is that of a host's home page.
fn is_home(url: &Url) -> bool {
    address::is_web(url) && url.join("/").is_ok_and(|home| address::page_key(&home) == address::page_key(url))
}

fn by_rule(evidence: &Evidence) -> bool {
    matches!(evidence, Evidence::Rule { .. })
}

/// Says whether two addresses name the same page.
fn same_page(one: &Url, other: &Url) -> bool {
    one == other || address::page_key(one) == address::page_key(other)
}

/// Says in words why a page does not continue the one before.
fn refusal(verdict: &Verdict) -> String {
    let against = verdict.reasons.iter().filter(|reason| reason.weight < 0.0).take(3);
    let words: Vec<&str> = against.map(|reason| reason.what.as_str()).collect();
    let why = if words.is_empty() { String::new() } else { format!(": {}", words.join("; ")) };
    format!("the page does not continue the one before, score {:.3}{why}", verdict.score)
}

/// Returns the link to follow, or why there is none.
fn wanted<'l>(
    best: Option<&'l NextLink>,
    detector: &dyn FindNext,
    limits: &Limits,
) -> Result<&'l NextLink, (StopReason, String)> {
    let Some(link) = best else {
        return Err((StopReason::NoNext, "the page has no link that is likely to lead on".to_owned()));
    };
    let (url, score) = (&link.url, link.score);
    if limits.min_score.map_or_else(|| detector.accepts(link), |least| score >= least) {
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
    let least = limits.min_score.unwrap_or_else(|| detector.threshold());
    let detail = format!("best link `{url}` has score {score:.3}, expected at least {least:.3}");
    let reason = if detector.accepts(link) { StopReason::LowScore } else { StopReason::NoNext };
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
}
