//! Following next-page links from page to page, and when to stop: a state machine that fetches nothing.

use crate::detect::{Detector, PageLook};
use crate::limits::Limits;
use crate::lines::{HeldLines, Lines};
use crate::part::{Part, Reassembly};
use crate::sight::{Role, Sight};
use crate::stop::{StopReason, Stopped};
use std::collections::{BTreeSet, VecDeque};
use std::mem;
use std::vec;
use tsugi_page::{NextLink, Page, Reason, Response, Unavailable, Url, Verdict, address};

/// The most nodes of all pages together that are held; a hundred usual pages have a tenth of it.
const MAX_HELD_NODES: usize = 5_000_000;

/// How many candidates for the page before are fetched for each step back.
const MAX_STEPS_BACK: usize = 3;

/// Share of the lines of each held page that a page must have to stand for all of them.
const WHOLE: f32 = 0.9;

/// A sequence of pages that is being followed, without I/O: it says which page it wants, and is given what came of it.
///
/// A link is followed if its score reaches [`Limits::min_score`] (where that is not set, the detector's own
/// threshold), its relation is the wanted one, it stays on the host of the first page
/// ([`address::same_host`]), and leads to no page that is held: addresses are compared exactly and by
/// [`address::page_key`], both as they were asked and as they answered.
///
/// The page behind it is a continuation if it is not the host's home page, its main content is neither blank nor that
/// of a page before it (text with white space folded, and images), nor made of what stands around the content of the
/// page before, and [`Detector::judge`] says so. A link that a rule found is not judged: who
/// wrote the rule looked. It is held to the rule instead: the sequence ends at a page whose content no rule finds, or
/// that is answered over plain http where the first page came over https.
///
/// With [`Limits::from_start`] the pages before the given one are looked for first. A page is the one before if its
/// own next link leads here and the pair is judged to hold, wherever the link to it stands and whatever it says.
///
/// With [`Limits::single_page`], once two pages are held, a page that the first ones name as holding all pages is
/// taken in their place if it has nine in ten of the lines of each, as much text as both, and no next page.
///
/// A first page that is not the first of its sequence ([`PageLook::earlier`](crate::PageLook::earlier)) is a warning.
///
/// Each page is parsed and looked at once. Pages fetched before a failure are kept; [`Reassembly::stopped`] says what
/// failed.
///
/// # Examples
///
/// ```
/// # use tsugi_follow::{Detector, Following, Limits, StopReason};
/// # use tsugi_page::{Response, Unavailable, Url};
/// fn join(detector: &impl Detector, start: Url, get: impl Fn(&Url) -> Result<Response, Unavailable>) {
///     let mut following = Following::new(detector, start, Limits::default());
///     while let Some(url) = following.wanted() {
///         let answer = get(url);
///         following.give(answer);
///     }
///     match following.finish() {
///         Ok(joined) => println!("{} pages, {}", joined.parts.len(), joined.stopped.reason),
///         Err(error) => println!("{error}"),
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Following<D: Detector> {
    detector: D,
    limits: Limits,
    step: Step,
    /// An address of the host that is not left: that of the first answer.
    host: Url,
    /// The given page and those before it, the last first; while these are looked for.
    back: Vec<Arrival<D::Facts>>,
    tried: BTreeSet<String>,
    nodes_back: usize,
    /// What could not be had of the pages that may be the one before.
    unread: Vec<String>,
    /// Pages that belong to the sequence and are not held yet.
    arrivals: VecDeque<Arrival<D::Facts>>,
    visited: Visited,
    held: HeldLines,
    parts: Vec<Part>,
    /// Of the parts: their lines, and where a page may be that holds them all.
    lines: Vec<Lines>,
    wholes: Vec<Url>,
    /// Of the last part: what its page is compared by, and the link to follow from it.
    last: Option<Last<D::Facts>>,
    warnings: Vec<String>,
    /// Where pages before the first one were not looked for any more, since enough are held.
    cut_at: Option<Url>,
    /// A page that was read and does not belong to the sequence.
    refused: Option<Sight<D::Facts>>,
}

/// What is wanted next.
#[derive(Debug)]
enum Step {
    /// The given page.
    First(Url),
    /// A page that may be the one before; more candidates, and how many of them are tried.
    Before { at: Url, rest: vec::IntoIter<Url>, left: usize },
    /// The page that the last one leads to.
    Onward { at: Url },
    /// A page that may hold all; more candidates.
    Whole { at: Url, rest: vec::IntoIter<Url> },
    /// Nothing: the sequence ends here.
    End(Stopped),
    /// Nothing: the given page cannot be had.
    Failed(Unavailable),
}

/// The last part, beyond what a [`Part`] says.
#[derive(Debug)]
struct Last<F> {
    facts: Option<F>,
    followed: Result<NextLink, Stopped>,
}

/// A page that belongs to the sequence, and how it was come by.
#[derive(Debug)]
struct Arrival<F> {
    /// The address that was asked.
    asked: Url,
    sight: Sight<F>,
    score: f32,
    by: &'static str,
    verdict: Option<Verdict>,
}

impl<F> Arrival<F> {
    fn first(asked: Url, sight: Sight<F>) -> Arrival<F> {
        Arrival { asked, sight, score: 1.0, by: "start", verdict: None }
    }

    /// Returns `true` if an address leads to this page.
    fn is_at(&self, url: &Url) -> bool {
        let key = address::page_key(url);
        key == address::page_key(&self.asked) || key == address::page_key(self.sight.page.url())
    }
}

/// What came of asking for a page: bytes, or a page that was looked at before.
#[derive(Debug)]
pub(crate) enum Came<F> {
    Response(Response),
    Sight(Box<Sight<F>>),
}

impl<F> Came<F> {
    fn url(&self) -> &Url {
        match self {
            Came::Response(response) => &response.url,
            Came::Sight(sight) => sight.page.url(),
        }
    }

    /// Looks at the page, unless that was done before; see [`Sight::of`].
    fn sight<D: Detector<Facts = F>>(self, detector: &D, limits: &Limits, role: Role) -> Sight<F> {
        match self {
            Came::Response(response) => Sight::of(detector, response.page(), limits, role),
            Came::Sight(sight) => *sight,
        }
    }
}

impl<D: Detector> Following<D> {
    /// Begins at a page, which is fetched first.
    pub fn new(detector: D, start: Url, limits: Limits) -> Following<D> {
        Following {
            detector,
            limits,
            host: start.clone(),
            step: Step::First(start),
            back: Vec::new(),
            tried: BTreeSet::new(),
            nodes_back: 0,
            unread: Vec::new(),
            arrivals: VecDeque::new(),
            visited: Visited::default(),
            held: HeldLines::default(),
            parts: Vec::new(),
            lines: Vec::new(),
            wholes: Vec::new(),
            last: None,
            warnings: Vec::new(),
            cut_at: None,
            refused: None,
        }
    }

    /// Returns the address of the page that is wanted next; `None` once the sequence has ended.
    pub fn wanted(&self) -> Option<&Url> {
        match &self.step {
            Step::First(at) | Step::Before { at, .. } | Step::Onward { at } | Step::Whole { at, .. } => {
                Some(at)
            }
            Step::End(_) | Step::Failed(_) => None,
        }
    }

    /// Returns the pages that are held so far, in order. With [`Limits::from_start`] there are none until the first page
    /// is found, and with [`Limits::single_page`] one page may replace them.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Takes what came of asking for [`wanted`](Self::wanted), redirects followed; ignored once nothing is wanted.
    pub fn give(&mut self, answer: Result<Response, Unavailable>) {
        self.take(answer.map(Came::Response));
    }

    /// Returns the pages so far, and why there are no more. If a page is still wanted, the sequence ends before it.
    ///
    /// # Errors
    ///
    /// Why the first page could not be had.
    pub fn finish(mut self) -> Result<Reassembly, Unavailable> {
        self.arrivals.extend(self.back.drain(..).rev());
        while let Some(arrival) = self.arrivals.pop_front() {
            self.hold(arrival);
        }
        let detail = "stopped before the page was fetched";
        let mut stopped = match self.step {
            Step::Failed(error) => return Err(error),
            Step::End(stopped) => stopped,
            Step::First(at) => {
                let message = format!("`{at}`: {detail}");
                return Err(Unavailable { word: "not-fetched".to_owned(), message });
            }
            Step::Before { at, .. } | Step::Onward { at } | Step::Whole { at, .. } => {
                Stopped::new(StopReason::Interrupted, at, detail)
            }
        };
        if let Some(at) = self.cut_at.filter(|_| stopped.complete) {
            stopped =
                Stopped::new(StopReason::MaxPages, at, "the pages before the first one were not fetched");
        }
        Ok(Reassembly { parts: self.parts, stopped, warnings: self.warnings, shown: self.limits.shown })
    }

    /// Takes one page and follows no link; says where the next page is.
    pub(crate) fn alone(detector: D, page: Page, limits: Limits) -> Reassembly {
        let at = page.url().clone();
        let sight = Sight::of(&detector, page, &limits, Role::Alone);
        let mut following = Following::new(detector, at.clone(), limits);
        following.hold(Arrival::first(at.clone(), sight));
        let asked = "one page was asked for";
        let (at, detail) = match following.next_address() {
            Ok(next) => (next.clone(), format!("{asked}; the next page is `{next}`")),
            Err(Stopped { reason: StopReason::NoNext, complete: false, detail, .. }) => {
                (at, format!("{asked}; {detail}"))
            }
            Err(_) => (at, asked.to_owned()),
        };
        let Following { parts, warnings, .. } = following;
        let stopped = Stopped::new(StopReason::OnePage, at, detail);
        Reassembly { parts, stopped, warnings, shown: limits.shown }
    }

    /// Returns the page that was read last and refused.
    pub(crate) fn take_refused(&mut self) -> Option<Sight<D::Facts>> {
        self.refused.take()
    }

    pub(crate) fn take(&mut self, answer: Result<Came<D::Facts>, Unavailable>) {
        let nothing = Step::End(Stopped::new(StopReason::NoNext, self.host.clone(), ""));
        match mem::replace(&mut self.step, nothing) {
            Step::First(at) => match answer {
                Ok(came) => {
                    self.host = came.url().clone();
                    let sight = came.sight(&self.detector, &self.limits, Role::First);
                    self.back.push(Arrival::first(at, sight));
                    self.look_back();
                }
                Err(error) => self.step = Step::Failed(error),
            },
            Step::Before { at, rest, left } => match answer {
                Ok(came) => self.meet_before(at, came, rest, left),
                Err(error) => {
                    self.unread.push(format!("`{at}` may be the page before: {error}"));
                    self.try_before(rest, left);
                }
            },
            Step::Onward { at } => {
                match answer.map_err(|error| failed(&error, &at)).and_then(|came| self.meet(at, came)) {
                    Ok(arrival) => {
                        self.arrivals.push_back(arrival);
                        self.advance();
                    }
                    Err(stopped) => self.step = Step::End(stopped),
                }
            }
            Step::Whole { at, rest } => match answer.ok().and_then(|came| self.meet_whole(at, came)) {
                Some(stopped) => self.step = Step::End(stopped),
                None => self.try_whole(rest),
            },
            ended @ (Step::End(_) | Step::Failed(_)) => self.step = ended,
        }
    }

    /// Looks for the page before those that are known, or goes on from the first one.
    fn look_back(&mut self) {
        self.unread.clear();
        let Some(current) = self.back.last().filter(|_| self.limits.from_start) else { return self.begin() };
        let page = &current.sight.page;
        self.nodes_back += page.node_count();
        if self.back.len() >= self.limits.max_pages.get() || self.nodes_back > MAX_HELD_NODES {
            let at = page.url();
            self.warnings.push(format!("{at}: as many pages as wanted, there may be pages before this one"));
            self.cut_at = current.sight.earlier.is_some().then(|| at.clone());
            return self.begin();
        }
        let candidates = current.sight.previous.clone();
        self.try_before(candidates.into_iter(), MAX_STEPS_BACK);
    }

    /// Wants the next of the pages that may be the one before.
    fn try_before(&mut self, mut rest: vec::IntoIter<Url>, left: usize) {
        let is_fresh =
            |url: &Url| address::same_host(&self.host, url) && self.tried.insert(address::page_key(url));
        let fresh = if left > 0 {
            rest.by_ref().map(|url| address::without_fragment(&url)).find(is_fresh)
        } else {
            None
        };
        if let Some(at) = fresh {
            self.step = Step::Before { at, rest, left: left - 1 };
        } else {
            // Only where no page was found is one that could not be had missed.
            self.warnings.append(&mut self.unread);
            self.begin();
        }
    }

    /// Takes a page that may be the one before: it is, if its next link leads to the page at hand.
    fn meet_before(&mut self, asked: Url, came: Came<D::Facts>, rest: vec::IntoIter<Url>, left: usize) {
        if !address::same_host(&self.host, came.url()) {
            return self.try_before(rest, left);
        }
        let mut sight = came.sight(&self.detector, &self.limits, Role::First);
        let (Some(current), Ok(link)) = (self.back.last_mut(), sight.followed(&self.limits)) else {
            return self.try_before(rest, left);
        };
        if !current.is_at(&link.url) {
            return self.try_before(rest, left);
        }
        let link = link.clone();
        let verdict = if link.evidence.is_rule() {
            None
        } else {
            let before = sight.facts(&self.detector);
            let onward = current.sight.best.clone();
            self.detector.judge(before, &link, current.sight.facts(&self.detector), onward.as_ref())
        };
        if verdict.as_ref().is_some_and(|verdict| !verdict.holds) {
            return self.try_before(rest, left);
        }
        // A circle has no start: the given page stays the last one.
        let is_known = |known: &Arrival<_>| known.is_at(sight.page.url()) || known.sight.lines == sight.lines;
        if self.back.iter().any(is_known) {
            return self.begin();
        }
        if let Some(current) = self.back.last_mut() {
            (current.score, current.by, current.verdict) = (link.score, link.evidence.as_str(), verdict);
        }
        self.back.push(Arrival::first(asked, sight));
        self.look_back();
    }

    /// Goes on from the pages that are known, the first one first.
    fn begin(&mut self) {
        if self.cut_at.is_none()
            && let Some(first) = self.back.last()
            && let Some(earlier) = &first.sight.earlier
        {
            let hint = if self.limits.from_start {
                "no page before it was found"
            } else {
                "to begin with the first page, use --from-start"
            };
            self.warnings.push(format!("{}: {earlier}; {hint}", first.sight.page.url()));
        }
        self.arrivals.extend(self.back.drain(..).rev());
        self.advance();
    }

    /// Holds what has arrived, and wants the page that follows.
    fn advance(&mut self) {
        while let Some(arrival) = self.arrivals.pop_front() {
            self.hold(arrival);
            if self.limits.single_page && self.parts.len() == 2 {
                let mut tried = BTreeSet::new();
                let mut wholes = mem::take(&mut self.wholes);
                wholes.retain(|url| {
                    address::same_host(&self.host, url)
                        && !self.visited.has(url)
                        && tried.insert(address::page_key(url))
                });
                return self.try_whole(wholes.into_iter());
            }
        }
        self.step = match self.next_address() {
            Ok(at) => Step::Onward { at },
            Err(stopped) => Step::End(stopped),
        };
    }

    fn hold(&mut self, arrival: Arrival<D::Facts>) {
        let Arrival { asked, sight, score, by, verdict } = arrival;
        let followed = sight.followed(&self.limits).cloned();
        let Sight { page, content, comments, lines, best, single_page, facts, doubt, .. } = sight;
        let at = page.url();
        self.visited.add(&asked);
        self.visited.add(at);
        self.warnings.extend(page.notes().iter().map(|note| format!("{at}: {note}")));
        self.warnings.extend(doubt.map(|doubt| format!("{at}: {doubt}")));
        self.held.add(&lines, page.node_count());
        if self.limits.single_page && self.parts.len() < 2 {
            self.lines.push(lines);
            self.wholes.extend(single_page);
        }
        self.last = Some(Last { facts, followed });
        let content = self.limits.comments.choose(&page, content, comments.as_ref());
        self.parts.push(Part { page, content, comments, score, by, verdict, next: best });
    }

    /// Returns the address that the last page leads to, or why it is not asked for.
    fn next_address(&self) -> Result<Url, Stopped> {
        let stop = |reason, detail: &str, at: &Url| Stopped::new(reason, at.clone(), detail);
        let Some(last) = &self.last else {
            return Err(stop(StopReason::NoNext, "no page is held", &self.host));
        };
        let to = address::without_fragment(&last.followed.as_ref().map_err(Stopped::clone)?.url);
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
        if self.parts.len() >= self.limits.max_pages.get() {
            let detail = format!("{} pages are held, as many as wanted", self.parts.len());
            return Err(stop(StopReason::MaxPages, &detail, &to));
        }
        if self.held.nodes() > MAX_HELD_NODES {
            let detail = format!("the pages held have {} nodes, no more is held", self.held.nodes());
            return Err(stop(StopReason::MaxPages, &detail, &to));
        }
        Ok(to)
    }

    /// Takes the page that the last one leads to, or says why it does not belong to the sequence.
    fn meet(&mut self, to: Url, came: Came<D::Facts>) -> Result<Arrival<D::Facts>, Stopped> {
        let at = came.url().clone();
        let stop = |reason, detail: &str| Stopped::new(reason, at.clone(), detail);
        let (Some(before), Some(last)) = (self.parts.last(), &mut self.last) else {
            return Err(stop(StopReason::NoNext, "no page is held"));
        };
        let link = last.followed.clone()?;
        let led_by_rule = link.evidence.is_rule();
        let outside = if !address::same_host(&self.host, &at) {
            Some((StopReason::OffSite, "the link is redirected to another host"))
        } else if self.visited.has(&at) && !same_page(&to, &at) {
            Some((StopReason::Loop, "the link is redirected to a page before it"))
        } else if is_home(&at) {
            Some((StopReason::NotAContinuation, "the link is redirected to the home page of the host"))
        } else if led_by_rule && self.host.scheme() == "https" && at.scheme() == "http" {
            Some((StopReason::OffSite, "the link leads from https to plain http"))
        } else {
            None
        };
        if let Some((reason, detail)) = outside {
            if let Came::Sight(sight) = came {
                self.refused = Some(*sight);
            }
            return Err(stop(reason, detail));
        }
        let role = if led_by_rule { Role::Later } else { Role::Judged };
        let mut sight = came.sight(&self.detector, &self.limits, role);
        let mut verdict = None;
        let refusal = if let Some(lack) = self.held.lack(&sight.lines) {
            Some(lack.to_owned())
        } else if led_by_rule && !sight.content.evidence.is_rule() {
            // As the clients of siteinfo do: the models do not take over what a rule began.
            Some("a rule led here, and none finds content on this page".to_owned())
        } else if sight.lines.are_in(&Lines::of_frame(&before.page, &before.content)) {
            // Past the end of a list, many a site answers with a page that has all but the list.
            Some("what it holds stands around the main content of the page before".to_owned())
        } else if led_by_rule {
            None
        } else {
            let look_again = || self.detector.look(&before.page).facts();
            let facts = last.facts.get_or_insert_with(look_again);
            let onward = sight.best.clone();
            verdict = self.detector.judge(facts, &link, sight.facts(&self.detector), onward.as_ref());
            verdict.as_ref().filter(|verdict| !verdict.holds).map(refusal)
        };
        if let Some(detail) = refusal {
            self.refused = Some(sight);
            return Err(stop(StopReason::NotAContinuation, &detail));
        }
        Ok(Arrival { asked: to, sight, score: link.score, by: link.evidence.as_str(), verdict })
    }

    /// Wants the next of the pages that may hold all.
    fn try_whole(&mut self, mut rest: vec::IntoIter<Url>) {
        match rest.next() {
            Some(at) => self.step = Step::Whole { at: address::without_fragment(&at), rest },
            None => self.advance(),
        }
    }

    /// Puts one page in the place of those that are held, if it holds all.
    fn meet_whole(&mut self, asked: Url, came: Came<D::Facts>) -> Option<Stopped> {
        if !address::same_host(&self.host, came.url()) || self.visited.has(came.url()) {
            return None;
        }
        let sight = came.sight(&self.detector, &self.limits, Role::Later);
        let shares = self.lines.iter().map(|lines| lines.share_in(&sight.lines));
        let share = shares.fold(1.0, f32::min);
        let characters: usize = self.lines.iter().map(Lines::characters).sum();
        let is_whole = !sight.goes_on()
            && share >= WHOLE
            && sight.lines.characters() as f32 >= WHOLE * characters as f32;
        if !is_whole {
            return None;
        }
        let detail = format!(
            "one page stands for all: it has {:.0} % of the lines of the first {} pages",
            share * 100.0,
            self.parts.len()
        );
        let reason = Reason { what: detail.clone(), weight: 1.0 };
        let stopped = Stopped::new(StopReason::NoNext, sight.page.url().clone(), detail);
        self.parts.clear();
        self.held = HeldLines::default();
        let verdict = Some(Verdict { score: share, holds: true, reasons: vec![reason] });
        self.hold(Arrival { asked, sight, score: share, by: "single-page", verdict });
        Some(stopped)
    }
}

fn failed(error: &Unavailable, at: &Url) -> Stopped {
    let reason = if error.word == "robots" { StopReason::Robots } else { StopReason::FetchFailed };
    Stopped::new(reason, at.clone(), error.message.clone())
}

/// Says whether an address is that of a host's home page.
fn is_home(url: &Url) -> bool {
    address::is_web(url) && url.join("/").is_ok_and(|home| address::page_key(&home) == address::page_key(url))
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
