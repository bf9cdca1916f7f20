//! Follows next links and decides when to stop: a state machine without I/O, so that a thread, an event loop, a browser and a
//! cluster run the same checks.

use crate::detect::Detect;
use crate::lines::{HeldLines, PageLines};
use crate::options::{Drawing, JoinOptions};
use crate::sight::{COMMENTED, Control, LazyFacts, PagesLeft, Role, Sight};
use crate::tsugi::Tsugi;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::error::Error;
use std::fmt::{self, Debug};
use std::mem;
use std::vec;
use tsugi_document::{Comments, Part, Reassembly, StopReason, Stopped, Tried};
use tsugi_fetch::{FetchError, checked_page};
use tsugi_main_content::comment_share;
use tsugi_metadata::{PageGenre, lacks_paid_parts, page_genre, without_counter};
use tsugi_next_link::{LinkSurvey, PageFacts, Pair};
use tsugi_page::{
    Attr, Content, Evidence, NextLink, NodeId, Page, Reason, Relation, Response, Tag, Unavailable,
    UnavailableKind, Url, Verdict, address, text,
};

/// The most nodes of all pages together; a hundred usual pages have a tenth of it.
const MAX_HELD_NODES: usize = 5_000_000;

/// The most text of all pages together, in bytes ([`Page::text_bytes`]); a hundred usual pages have a fifth of it. Pages and
/// the documents made of them take up to seven times as much memory.
const MAX_HELD_TEXT: usize = 64 << 20;

/// Why a page that holds only the beginning of an article is not complete.
const PAID: &str = "the page says that not everyone may read all of it, and has little text";

/// The most candidates for the previous page to fetch at each step back.
const MAX_STEPS_BACK: usize = 3;

/// The most requests of a document for pages that turn out not to belong to it: tried links, and single pages of all.
const MAX_TRIES: usize = 2;

/// The least score of a pair, in [0, 1], that suffices where the link is only tried. Of 4,032 made-up sites, .5 in place of .6 joins 31
/// more as a reader wants them, and two more wrongly.
const LEAST_SURE: f32 = 0.5;

/// By what a page came that a browser showed by going on in the page before.
const IN_PLACE: &str = "browser";

/// The score of a pair, in [0, 1], from which a part of a page continues the part before. The judge reads pagers, links and
/// addresses, and parts of one page have none of their own, so it doubts them. That they are of one page is known.
const LEAST_IN_PLACE: f32 = 0.05;

/// The least score of a link whose leading back is told as the end. Links to previous pages have lower ones.
const LEAST_LOOP: f32 = 0.3;

/// The most pages in a row that only lead on by themselves.
pub(crate) const MAX_STUBS: usize = 3;

/// How many times the text of page 1 a single page must have, if page 1 is all there is to compare it with.
const FAR_MORE: f32 = 1.5;

/// The share of the text of each page that a single page must have to replace them.
const WHOLE: f32 = 0.9;

/// Follows next links from page to page, without I/O: it says which page it wants, and is given the answer.
///
/// A link is followed if
/// - its score reaches [`JoinOptions::min_score`], or the threshold of the model if that is not set,
/// - it has the relation in [`JoinOptions::relation`], if that is set,
/// - it stays on the host of the first page ([`address::same_host`]), and
/// - it leads to no page that is held already. Addresses are compared exactly and by [`address::page_key`], both as asked
///   and as answered.
///
/// A link with a lower score is tried, unless a score was asked for: the page behind it is fetched, and added if the judge of
/// pairs agrees. If it does not, the document ends as if the link had not been tried ([`Reassembly::tried`]).
///
/// The page behind it is added if
/// - it is not the home page of the host,
/// - its main content is not blank, not that of a page already held (text with white space folded, and images) but for a line
///   or two, and not merely what surrounds the content of the previous page,
/// - it is not a page of comments, or a list of posts behind an article, and
/// - the judge of pairs agrees.
///
/// A link found by a rule is not judged, since the author of the rule has looked. Instead the sequence ends at a page whose
/// content no rule finds, or that is answered over plain http if the first page came over https.
///
/// With [`JoinOptions::from_start`], earlier pages are looked for first. A page is the previous one if its own next link leads
/// here and the pair is judged to hold, whatever the link back to it says.
///
/// With [`JoinOptions::single_page`], a page that the first two pages offer as a single page replaces them if it has nine tenths
/// of the text of each, as much text as both, and no next page. If the first page has no next link, such a page must have half
/// as much text again.
///
/// A page that has hardly anything to read and leads on by itself (`<meta http-equiv=refresh>`) is stepped through like a
/// redirect.
///
/// If the first page is not the first of its sequence ([`Look::earlier`](crate::Look::earlier)), there is a
/// warning. Each page is parsed once. Pages fetched before a failure are kept; [`Reassembly::stopped`] says what failed.
///
/// # Examples
///
/// ```
/// # use tsugi::{JoinOptions, Response, Tsugi, Unavailable, Url};
/// fn join(tsugi: &Tsugi, start: Url, get: impl Fn(&Url) -> Result<Response, Unavailable>) {
///     let mut following = tsugi.follow(start, &JoinOptions::default());
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
pub struct Following {
    tsugi: Tsugi,
    options: JoinOptions,
    /// `None` while an answer is taken.
    step: Option<FollowStep>,
    /// An address on the host to stay on: that of the first answer.
    host: Url,
    /// Pages that belong to the sequence and are not held yet.
    arrivals: VecDeque<Arrival>,
    visited: Visited,
    held: HeldLines,
    /// The content of the last part, if its lines are not among the held ones yet: they are read once another page comes.
    unheld: Option<Content>,
    size: Size,
    parts: Vec<Part>,
    /// How many of them the last answer added.
    fresh: usize,
    tried: Vec<Tried>,
    /// Keys of the pages that were requested in vain as a single page of all.
    useless: BTreeSet<String>,
    /// The lines of the first parts, and addresses that may be a single page of all.
    lines: Vec<PageLines>,
    wholes: Vec<Url>,
    /// What judging the last part takes, and its link to follow.
    last: Option<Last>,
    warnings: Vec<String>,
    /// Why earlier pages are missing that the first one says there are.
    cut: Option<Stopped>,
    /// The page that was read last, if it does not belong to the sequence.
    refused: Option<Sight>,
    /// The page that is wanted as a browser draws it, as its address answered.
    undrawn: Option<Box<Sight>>,
    /// Whether the answer that is taken is a page as a browser drew it.
    is_drawn: bool,
    /// The page that a browser goes on in.
    place: Option<PlaceInPage>,
}

/// How the [wanted](Following::wanted) page is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Way {
    /// As its address answers.
    Fetched,
    /// As a browser draws it: what its address answered, and was given before, shows almost nothing.
    Drawn,
    /// As what is new in the page of the address, after a browser has gone on in it so many times: by its control, or by
    /// scrolling to its end. The new parts of the page are the answer, at the address that the page then has. If nothing new
    /// comes, the answer is [`UnavailableKind::NothingMore`].
    Onward(u16, Option<Control>),
}

impl Way {
    /// Returns how many times a browser is to have gone on in the page that it drew; `None` if it is not to draw it.
    pub fn drawn_number(&self) -> Option<u16> {
        match self {
            Way::Fetched => None,
            Way::Drawn => Some(0),
            Way::Onward(number, _) => Some(*number),
        }
    }
}

/// A page that a browser goes on in.
#[derive(Debug)]
struct PlaceInPage {
    /// The address that was asked for it.
    asked: Url,
    /// How many times it went on.
    steps: u16,
    /// By what it goes on. Without a control, by scrolling.
    control: Option<Control>,
    /// Whether the page was drawn. Other pages do not change by scrolling, as far as anybody knows.
    is_drawn: bool,
}

/// What became of an answer: see [`Following::give`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Given<'f> {
    /// It was added, perhaps with pages that were read before: these are the new pages, in order. A single page of all replaces
    /// the others.
    Added(&'f [Part]),
    /// It does not belong to the sequence, which ends here.
    Refused(&'f Stopped),
    /// The first page is unavailable, so there is nothing.
    Failed(&'f Unavailable),
    /// Nothing is added yet: another page is [wanted](Following::wanted) first.
    Wanted,
    /// No page was wanted, so it is ignored.
    Unasked,
}

/// What is wanted, and what is known so far of that alone.
#[derive(Debug)]
enum FollowStep {
    /// The given page, or where pages lead by themselves that were given first.
    First(Url, Vec<Arrival>),
    /// A candidate for the previous page.
    Before(Url, Backward),
    /// The next page.
    Onward(Url, Ahead),
    /// What comes by going on in the page; where the sequence ends if nothing does.
    InPlace(Url, Stopped),
    /// A candidate for a single page of all; further candidates.
    Whole(Url, vec::IntoIter<Url>),
    /// Nothing: the sequence ends here.
    End(Stopped),
    /// Nothing: the given page could not be fetched.
    Failed(Unavailable),
}

/// The link to the wanted page.
#[derive(Debug)]
struct Ahead {
    link: NextLink,
    /// How many pages were stepped through that only lead on.
    stubs: usize,
    /// Where the document ends if the page does not belong to it, and why the link is not followed for good. `None` if it is.
    instead: Option<(Stopped, String)>,
}

/// A page that was read because a link led to it.
#[derive(Debug)]
enum Met {
    Page(Box<Arrival>),
    /// It only leads on.
    Stub(Url),
    /// It is wanted as a browser draws it.
    Undrawn(Box<Sight>),
}

/// Why a page does not belong to the sequence.
#[derive(Debug)]
struct PageRefusal {
    stopped: Stopped,
    /// The judge's score, if that is why.
    score: Option<f32>,
}

impl From<Stopped> for PageRefusal {
    fn from(stopped: Stopped) -> PageRefusal {
        PageRefusal { stopped, score: None }
    }
}

/// The way back to the first page.
#[derive(Debug)]
struct Backward {
    /// The given page and earlier ones, the earliest last; never empty.
    chain: Vec<Arrival>,
    size: Size,
    tried: BTreeSet<String>,
    /// Candidates for the page before the earliest one, and how many of them may be tried.
    rest: vec::IntoIter<Url>,
    left: usize,
    /// Candidates that could not be read.
    unread: Vec<Stopped>,
}

/// What a [`Part`] does not say about the last page.
#[derive(Debug)]
struct Last {
    facts: Option<LazyFacts>,
    followed: Result<NextLink, Stopped>,
    /// A link to try if there is none to follow, and why it is not followed for good.
    tried: Option<(NextLink, String)>,
    rest: Option<PagesLeft>,
    is_ruled: bool,
}

impl Last {
    fn left_after(&self, page: &Page) -> PagesLeft {
        self.rest.clone().unwrap_or_else(|| PagesLeft::on(&LinkSurvey::of(page)))
    }
}

/// A page that belongs to the sequence, and how it was found.
#[derive(Debug)]
struct Arrival {
    /// The address that was asked.
    asked: Url,
    sight: Sight,
    score: f32,
    by: &'static str,
    verdict: Option<Verdict>,
    /// Whether a browser drew it.
    is_drawn: bool,
}

impl From<Arrival> for Backward {
    fn from(first: Arrival) -> Backward {
        Backward {
            chain: vec![first],
            size: Size::default(),
            tried: BTreeSet::new(),
            rest: Vec::new().into_iter(),
            left: 0,
            unread: Vec::new(),
        }
    }
}

impl Arrival {
    fn first(asked: Url, sight: Sight) -> Arrival {
        Arrival { asked, sight, score: 1.0, by: "start", verdict: None, is_drawn: false }
    }

    /// Returns `true` if an address leads to this page.
    fn is_at(&self, url: &Url) -> bool {
        let key = address::page_key(url);
        key == address::page_key(&self.asked) || key == address::page_key(self.sight.page.url())
    }
}

/// An answer: bytes, or a page that was looked at before.
#[derive(Debug)]
pub(crate) enum Came {
    Response(Response),
    Sight(Box<Sight>),
}

impl Came {
    fn url(&self) -> &Url {
        match self {
            Came::Response(response) => &response.url,
            Came::Sight(sight) => sight.page.url(),
        }
    }

    /// Returns the look at the page, made now or before; see [`Sight::of`].
    fn sight(self, tsugi: &Tsugi, options: &JoinOptions, role: Role) -> Sight {
        match self {
            Came::Response(response) => Sight::of(tsugi, response.page(), options, role),
            Came::Sight(sight) => *sight,
        }
    }
}

impl Debug for Following {
    /// Says how far it is; models and trees take megabytes as text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pages: Vec<&str> = self.parts.iter().map(|part| part.page.url().as_str()).collect();
        f.debug_struct("Following")
            .field("pages", &pages)
            .field("wanted", &self.wanted().map(Url::as_str))
            .field("stopped", &self.stopped())
            .finish_non_exhaustive()
    }
}

impl Following {
    /// Starts at a page, which is wanted first.
    pub(crate) fn new(tsugi: Tsugi, start: Url, options: JoinOptions) -> Following {
        Following {
            tsugi,
            options,
            host: start.clone(),
            step: Some(FollowStep::First(start, Vec::new())),
            arrivals: VecDeque::new(),
            visited: Visited::default(),
            held: HeldLines::default(),
            unheld: None,
            size: Size::default(),
            parts: Vec::new(),
            fresh: 0,
            tried: Vec::new(),
            useless: BTreeSet::new(),
            lines: Vec::new(),
            wholes: Vec::new(),
            last: None,
            warnings: Vec::new(),
            cut: None,
            refused: None,
            undrawn: None,
            is_drawn: false,
            place: None,
        }
    }

    /// Returns the address of the page to fetch next; `None` once the sequence has ended.
    pub fn wanted(&self) -> Option<&Url> {
        match self.step.as_ref()? {
            FollowStep::First(at, _)
            | FollowStep::Before(at, _)
            | FollowStep::Onward(at, _)
            | FollowStep::InPlace(at, _)
            | FollowStep::Whole(at, _) => Some(at),
            FollowStep::End(_) | FollowStep::Failed(_) => None,
        }
    }

    /// Returns how the [`wanted`](Self::wanted) page is wanted: always [`Way::Fetched`] without [`JoinOptions::drawing`].
    pub fn way(&self) -> Way {
        match (&self.step, &self.place) {
            (Some(FollowStep::InPlace(..)), Some(place)) => {
                Way::Onward(place.steps + 1, place.control.clone())
            }
            _ if self.undrawn.is_some() => Way::Drawn,
            _ => Way::Fetched,
        }
    }

    /// Returns the pages that are held so far, in order. With [`JoinOptions::from_start`] there are none until the first page
    /// is found, and with [`JoinOptions::single_page`] one page may replace them.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Returns why the sequence has ended; `None` while a page is wanted, and if the given page could not be fetched.
    /// [`finish`](Self::finish) may say instead why earlier pages are missing.
    pub fn stopped(&self) -> Option<&Stopped> {
        match self.step.as_ref()? {
            FollowStep::End(stopped) => Some(stopped),
            _ => None,
        }
    }

    /// Takes the answer for the [`wanted`](Self::wanted) page, after redirects, and says what became of it.
    ///
    /// An answer with an error status, of another type than a page, or whose first bytes are those of another type, counts as
    /// unavailable.
    pub fn give(&mut self, answer: Result<Response, Unavailable>) -> Given<'_> {
        if self.wanted().is_none() {
            return Given::Unasked;
        }
        self.take(answer.and_then(checked).map(Came::Response));
        match &self.step {
            _ if self.fresh > 0 => Given::Added(&self.parts[self.parts.len() - self.fresh..]),
            Some(FollowStep::End(stopped)) => Given::Refused(stopped),
            Some(FollowStep::Failed(error)) => Given::Failed(error),
            _ => Given::Wanted,
        }
    }

    /// As [`give`](Self::give), if the page is one that a browser drew, whether or not it was [wanted](Self::way) so.
    pub fn give_drawn(&mut self, answer: Result<Response, Unavailable>) -> Given<'_> {
        self.is_drawn = answer.is_ok();
        self.give(answer)
    }

    /// As [`give`](Self::give), if the [`wanted`](Self::wanted) page is unavailable; `message` says why in one line.
    pub fn miss(&mut self, kind: UnavailableKind, message: impl Into<String>) -> Given<'_> {
        match self.wanted().cloned() {
            Some(url) => self.give(Err(Unavailable::new(kind, &url, message))),
            None => Given::Unasked,
        }
    }

    /// Follows to the end. `get` fetches a page, and is told the pages so far; with `None` the sequence ends before that page.
    ///
    /// # Errors
    ///
    /// Why the first page could not be fetched.
    pub fn run(
        self,
        mut get: impl FnMut(&Url, &[Part]) -> Option<Result<Response, Unavailable>>,
    ) -> Result<Reassembly, Unavailable> {
        self.run_drawn(|url, _, parts| get(url, parts))
    }

    /// As [`run`](Self::run), where `get` is told how each page is wanted, and has a browser for those that are not
    /// [`Way::Fetched`].
    ///
    /// # Errors
    ///
    /// Why the first page could not be fetched.
    pub fn run_drawn(
        mut self,
        mut get: impl FnMut(&Url, &Way, &[Part]) -> Option<Result<Response, Unavailable>>,
    ) -> Result<Reassembly, Unavailable> {
        while let Some(url) = self.wanted() {
            let way = self.way();
            let Some(answer) = get(url, &way, &self.parts) else { break };
            if way == Way::Fetched {
                self.give(answer);
            } else {
                self.give_drawn(answer);
            }
        }
        self.finish()
    }

    /// Returns the pages so far and why there are no more. If a page is still wanted, the sequence ends before it.
    ///
    /// # Errors
    ///
    /// Why the first page could not be fetched.
    pub fn finish(mut self) -> Result<Reassembly, Unavailable> {
        self.take_undrawn();
        let detail = "stopped before this page was fetched";
        let interrupted = |at| Stopped::new(StopReason::Interrupted, at, detail);
        let mut stopped = match self.step.take() {
            Some(FollowStep::First(at, _)) => {
                return Err(Unavailable::new(UnavailableKind::NotFetched, &at, format!("`{at}`: {detail}")));
            }
            Some(FollowStep::Failed(error)) => return Err(error),
            Some(FollowStep::Before(at, backward)) => {
                self.arrivals.extend(backward.chain.into_iter().rev());
                interrupted(at)
            }
            // Nobody knows whether a link to try leads on.
            Some(
                FollowStep::Onward(_, Ahead { instead: Some((stopped, _)), .. }) | FollowStep::End(stopped),
            ) => stopped,
            Some(FollowStep::Onward(at, _) | FollowStep::Whole(at, _) | FollowStep::InPlace(at, _)) => {
                interrupted(at)
            }
            None => interrupted(self.host.clone()),
        };
        while let Some(arrival) = self.arrivals.pop_front() {
            self.hold(arrival);
        }
        if let Some(cut) = self.cut.filter(|_| stopped.complete) {
            stopped = cut;
        }
        let Following { parts, tried, warnings, options, .. } = self;
        Ok(Reassembly { parts, stopped, tried, warnings, shown: options.shown })
    }

    /// Returns a sequence of one page, which says where the next page is.
    pub(crate) fn alone(tsugi: &Tsugi, page: Page, options: JoinOptions) -> Reassembly {
        let at = page.url().clone();
        let sight = Sight::of(tsugi, page, &options, Role::Alone);
        let mut following = Following::new(tsugi.clone(), at.clone(), options);
        following.keep(Arrival::first(at.clone(), sight));
        let asked = "one page was asked for";
        let (at, detail) = match following.next_address() {
            Ok((next, _)) => (next.clone(), format!("{asked}; the next page is `{next}`")),
            Err(Stopped { reason: StopReason::NoNext, complete: false, detail, .. }) => {
                (at, format!("{asked}; {detail}"))
            }
            Err(_) => (at, asked.to_owned()),
        };
        let Following { parts, warnings, .. } = following;
        let mut stopped = Stopped::new(StopReason::OnePage, at, detail);
        if parts.first().is_some_and(|part| lacks_paid_parts(&part.page, &part.content)) {
            stopped.complete = false;
            stopped.detail = format!("{}; {PAID}", stopped.detail);
        }
        Reassembly { parts, stopped, tried: Vec::new(), warnings, shown: options.shown }
    }

    /// Returns the page that was read last, if it was refused.
    pub(crate) fn take_refused(&mut self) -> Option<Sight> {
        self.refused.take()
    }

    pub(crate) fn take(&mut self, answer: Result<Came, Unavailable>) {
        let Some(step) = self.step.take() else { return };
        self.fresh = 0;
        if answer.is_ok() {
            self.read_lines();
        }
        let answer = match self.undrawn.take() {
            None => answer,
            Some(undrawn) => {
                // What its address answered is better than nothing.
                self.is_drawn = answer.is_ok();
                Ok(answer.unwrap_or_else(|error| {
                    let is_told = error.kind != UnavailableKind::NotStored;
                    self.warnings.extend(is_told.then(|| format!("{}: {error}", undrawn.page.url())));
                    Came::Sight(undrawn)
                }))
            }
        };
        self.step = Some(match (step, answer) {
            (FollowStep::First(_, stubs), Err(error)) => match stubs.into_iter().next() {
                // What it says is better than nothing.
                Some(stub) => {
                    let at = stub.sight.page.url();
                    self.warnings
                        .push(format!("{at}: it leads on by itself, but the page there is missing: {error}"));
                    self.look_back(Backward::from(stub))
                }
                None => FollowStep::Failed(error),
            },
            (FollowStep::First(at, stubs), Ok(came)) => self.meet_first(at, came, stubs),
            (FollowStep::Before(at, mut backward), Err(error)) => {
                backward.unread.push(failed(&error, &at));
                self.try_before(backward)
            }
            (FollowStep::Before(at, backward), Ok(came)) => self.meet_before(at, came, backward),
            (FollowStep::Onward(at, ahead), answer) => self.go_on(at, ahead, answer),
            (FollowStep::InPlace(at, stopped), answer) => self.go_on_in_place(at, stopped, answer),
            (FollowStep::Whole(at, rest), answer) => {
                self.useless.insert(address::page_key(&at));
                match answer.ok().and_then(|came| self.meet_whole(at, came)) {
                    Some(stopped) => FollowStep::End(stopped),
                    None => self.try_whole(rest),
                }
            }
            (ended @ (FollowStep::End(_) | FollowStep::Failed(_)), _) => ended,
        });
        self.is_drawn = false;
    }

    /// Takes the given page, or steps through it if it only leads on.
    fn meet_first(&mut self, asked: Url, came: Came, mut stubs: Vec<Arrival>) -> FollowStep {
        if stubs.is_empty() {
            self.host = came.url().clone();
        }
        let is_answer = matches!(came, Came::Response(_));
        let sight = came.sight(&self.tsugi, &self.options, Role::First);
        let onward = self.through(&sight, stubs.len());
        if onward.is_none() && is_answer && !self.is_drawn && sight.needs_browser {
            self.undrawn = Some(Box::new(sight));
            return FollowStep::First(asked, stubs);
        }
        let arrival = Arrival { is_drawn: self.is_drawn, ..Arrival::first(asked, sight) };
        match onward {
            Some(to) => {
                self.pass(&arrival.asked, arrival.sight.page.url());
                stubs.push(arrival);
                FollowStep::First(to, stubs)
            }
            None => self.look_back(Backward::from(arrival)),
        }
    }

    /// Returns where a page leads by itself, if it is to be stepped through.
    fn through(&self, sight: &Sight, stubs: usize) -> Option<Url> {
        let to = address::without_fragment(sight.refresh.as_ref()?);
        let is_fresh = !self.visited.has(&to) && !same_page(&to, sight.page.url());
        (stubs < MAX_STUBS && is_fresh && address::same_host(&self.host, &to)).then_some(to)
    }

    /// Notes the addresses of a page that is not held, but not to be asked for again.
    fn pass(&mut self, asked: &Url, at: &Url) {
        self.visited.add(asked);
        self.visited.add(at);
    }

    /// Looks for the page before the earliest one, or goes on from the first one.
    fn look_back(&mut self, mut backward: Backward) -> FollowStep {
        backward.unread.clear();
        let Some(current) = backward.chain.last().filter(|_| self.options.from_start) else {
            return self.begin(backward);
        };
        let page = &current.sight.page;
        backward.size.add(page);
        if backward.chain.len() >= self.options.max_pages.get() || backward.size.excess().is_some() {
            let at = page.url();
            self.warnings.push(format!("{at}: page limit reached; there may be earlier pages"));
            let detail = "page limit reached before the first page was found";
            let is_later = current.sight.earlier.is_some();
            self.cut = is_later.then(|| Stopped::new(StopReason::MaxPages, at.clone(), detail));
            return self.begin(backward);
        }
        backward.rest = current.sight.previous.clone().into_iter();
        backward.left = MAX_STEPS_BACK;
        self.try_before(backward)
    }

    /// Wants the next candidate for the previous page.
    fn try_before(&mut self, mut backward: Backward) -> FollowStep {
        let Backward { rest, tried, left, .. } = &mut backward;
        let is_fresh =
            |url: &Url| address::same_host(&self.host, url) && tried.insert(address::page_key(url));
        let fresh = (*left > 0).then(|| rest.map(|url| address::without_fragment(&url)).find(is_fresh));
        if let Some(at) = fresh.flatten() {
            *left -= 1;
            return FollowStep::Before(at, backward);
        }
        // Failures matter only if no previous page was found, and are certain only if there is one.
        let is_later = backward.chain.last().is_some_and(|first| first.sight.earlier.is_some());
        self.cut = backward.unread.first().filter(|_| is_later).cloned();
        let unread = backward.unread.drain(..);
        self.warnings.extend(
            unread.map(|unread| format!("a page that may come before could not be read: {}", unread.detail)),
        );
        self.begin(backward)
    }

    /// Takes a candidate for the previous page: it is the one if its next link leads to the current page.
    fn meet_before(&mut self, asked: Url, came: Came, mut backward: Backward) -> FollowStep {
        if !address::same_host(&self.host, came.url()) {
            return self.try_before(backward);
        }
        let mut sight = came.sight(&self.tsugi, &self.options, Role::First);
        let link = sight.followed(&self.options).cloned();
        let (Some(current), Ok(link)) = (backward.chain.last_mut(), link) else {
            return self.try_before(backward);
        };
        // No model is asked for “previous”, since words lie about direction: the page before is the one whose own next link
        // leads here.
        if !current.is_at(&link.url) {
            return self.try_before(backward);
        }
        let verdict = if link.evidence.is_rule() {
            None
        } else {
            self.tsugi.judge_next(sight.facts(), &link, &mut current.sight)
        };
        if verdict.as_ref().is_some_and(|verdict| !verdict.holds) {
            return self.try_before(backward);
        }
        let (score, by) = (link.score, link.evidence.as_str());
        // A circle has no start: keep the given page last.
        let is_known =
            |known: &Arrival| known.is_at(sight.page.url()) || known.sight.lines() == sight.lines();
        if backward.chain.iter().any(is_known) {
            return self.begin(backward);
        }
        if let Some(current) = backward.chain.last_mut() {
            (current.score, current.by, current.verdict) = (score, by, verdict);
        }
        backward.chain.push(Arrival::first(asked, sight));
        self.look_back(backward)
    }

    /// Goes on from the first known page.
    fn begin(&mut self, backward: Backward) -> FollowStep {
        if self.cut.is_none()
            && let Some(first) = backward.chain.last()
            && let Some(earlier) = &first.sight.earlier
        {
            // A warning only: who asks for page 3 may want page 3.
            let hint = if self.options.from_start {
                "no earlier page was found"
            } else {
                "`from_start` begins with the first page"
            };
            self.warnings.push(format!("{}: {earlier}; {hint}", first.sight.page.url()));
        }
        self.arrivals.extend(backward.chain.into_iter().rev());
        self.advance()
    }

    /// Holds the pages that have arrived, and wants the next one.
    fn advance(&mut self) -> FollowStep {
        while let Some(arrival) = self.arrivals.pop_front() {
            self.hold(arrival);
            // A single page can be checked only against two pages that are held.
            if self.options.single_page && self.parts.len() == 2 {
                let wholes = self.fresh_wholes();
                return self.try_whole(wholes);
            }
        }
        match self.next_address() {
            Ok((to, link)) => FollowStep::Onward(to, Ahead { link, stubs: 0, instead: None }),
            Err(stopped) => self.try_others(stopped),
        }
    }

    /// Where no link is to be followed: goes on in the page, wants a single page of all, tries the best link, or ends.
    fn try_others(&mut self, stopped: Stopped) -> FollowStep {
        if stopped.reason != StopReason::NoNext {
            return self.end(stopped);
        }
        if self.place.as_ref().is_some_and(|place| place.control.is_some()) {
            return self.want_in_place(stopped);
        }
        if self.options.single_page && self.parts.len() == 1 && !self.wholes.is_empty() {
            let wholes = self.fresh_wholes();
            return self.try_whole(wholes);
        }
        let has_tries = self.useless.len()
            + self.tried.iter().filter(|tried| tried.refused.is_some()).count()
            < MAX_TRIES;
        let is_worth_it = |link: &NextLink| {
            has_tries && self.tsugi.can_judge() && !self.useless.contains(&address::page_key(&link.url))
        };
        let tried = self.last.as_ref().and_then(|last| last.tried.clone());
        let tried = tried.filter(|(link, _)| is_worth_it(link));
        let Some((link, why)) = tried else { return self.end(stopped) };
        match self.obstacle(&link.url) {
            None => {
                let to = address::without_fragment(&link.url);
                FollowStep::Onward(to, Ahead { link, stubs: 0, instead: Some((stopped, why)) })
            }
            Some(back) if back.reason == StopReason::Loop && link.score >= LEAST_LOOP => self.end(back),
            Some(_) => self.end(stopped),
        }
    }

    /// Ends the sequence, unless a drawn page may go on by scrolling. What the pages say of further ones decides whether it is
    /// whole.
    fn end(&self, stopped: Stopped) -> FollowStep {
        let scrolls = self.place.as_ref().is_some_and(|place| place.is_drawn && place.control.is_none());
        if scrolls && stopped.reason == StopReason::NoNext {
            return self.want_in_place(stopped);
        }
        FollowStep::End(self.told_by_pages(stopped))
    }

    /// Wants what comes by going on in the page that was held last.
    fn want_in_place(&self, stopped: Stopped) -> FollowStep {
        let Some(place) = self.place.as_ref().filter(|place| place.steps < u16::MAX) else {
            return FollowStep::End(self.told_by_pages(stopped));
        };
        match self.is_full(&place.asked) {
            Some(full) => FollowStep::End(full),
            None => FollowStep::InPlace(place.asked.clone(), stopped),
        }
    }

    /// Takes what came by going on in a page, or ends.
    fn go_on_in_place(
        &mut self,
        asked: Url,
        stopped: Stopped,
        answer: Result<Came, Unavailable>,
    ) -> FollowStep {
        let came = match answer {
            Ok(came) => came,
            Err(error) => {
                let stopped = match error.kind {
                    // No browser is there, or none was when the archive was written.
                    UnavailableKind::NotStored => stopped,
                    UnavailableKind::NothingMore => {
                        Stopped::new(StopReason::NoNext, stopped.at, error.to_string())
                    }
                    _ => failed(&error, &stopped.at),
                };
                return FollowStep::End(self.told_by_pages(stopped));
            }
        };
        match self.meet_in_place(asked, came) {
            Ok(arrival) => {
                self.arrivals.push_back(arrival);
                self.advance()
            }
            Err(PageRefusal { stopped, .. }) => FollowStep::End(self.told_by_pages(stopped)),
        }
    }

    /// Takes what came by going on in a page, or says why it does not belong to the sequence. It is judged as the page behind a
    /// link.
    fn meet_in_place(&mut self, asked: Url, came: Came) -> Result<Arrival, PageRefusal> {
        let at = came.url().clone();
        if !address::same_host(&self.host, &at) {
            return Err(Stopped::new(StopReason::OffSite, at, "the page goes on at another host").into());
        }
        let mut sight = came.sight(&self.tsugi, &self.options, Role::Judged);
        let steps = self.place.as_ref().map_or(0, |place| place.steps);
        let link = NextLink {
            url: numbered(&at, usize::from(steps) + 2),
            node: NodeId::DOCUMENT,
            relation: Relation::Page,
            score: 1.0,
            evidence: Evidence::Markup,
        };
        let mut refused = self
            .lack(&sight, false)
            .or_else(|| self.other_article(&sight.page))
            .or_else(|| self.same_words(&sight));
        let mut verdict = None;
        if refused.is_none()
            && self.tsugi.can_judge()
            && let Some(before) = read_facts(&mut self.last, &self.parts)
        {
            // Pages of one address, as if each had its own.
            let before = before.at(&numbered(&at, usize::from(steps) + 1));
            let after = sight.facts().at(&link.url);
            let onward = sight.control.is_some().then(|| numbered(&at, usize::from(steps) + 3));
            let pair = Pair { before: &before, link: &link, after: &after, onward: onward.as_ref() };
            verdict = self.tsugi.judge(&pair);
            refused = verdict.as_ref().filter(|verdict| verdict.score < LEAST_IN_PLACE).map(refusal);
        }
        match refused {
            Some(detail) => {
                let score = verdict.map(|verdict| verdict.score);
                let stopped = Stopped::new(StopReason::NotAContinuation, at, detail);
                Err(PageRefusal { stopped, score })
            }
            None => Ok(Arrival { asked, sight, score: 1.0, by: IN_PLACE, verdict, is_drawn: true }),
        }
    }

    /// Returns why what came in a page brings nothing: a page that writes the same for ever has no new word, only other numbers.
    fn same_words(&self, sight: &Sight) -> Option<String> {
        let words = |page: &Page, content: &Content| -> BTreeSet<String> {
            let text = page.text_of_content(&content.nodes, &content.without).to_lowercase();
            let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
            words.map(str::to_owned).collect()
        };
        let before = self.parts.last().filter(|_| !self.held.shows_news(sight.lines()))?;
        let new = words(&sight.page, &sight.content);
        (!new.is_empty() && new.is_subset(&words(&before.page, &before.content)))
            .then(|| "what came has no word that the part before lacks".to_owned())
    }

    /// Returns why what came in a page is another article: it has a headline of its own.
    fn other_article(&self, page: &Page) -> Option<String> {
        let held = headlines(&self.parts.last()?.page);
        let is_other = headlines(page).iter().any(|headline| !held.contains(headline));
        // Pages with several headlines are lists.
        (is_other && held.len() == 1).then(|| "what came has a headline of its own".to_owned())
    }

    /// Notes what a browser may go on in, once a page is held.
    fn note_place(&mut self, asked: &Url, by: &str, is_drawn: bool, control: Option<Control>) {
        if self.options.drawing == Drawing::Never {
            return;
        }
        let before = self.place.take().filter(|_| by == IN_PLACE);
        self.place = match before {
            // A control that is gone was the last.
            Some(before) if before.control.is_some() && control.is_none() => None,
            Some(before) => Some(PlaceInPage { steps: before.steps + 1, control, ..before }),
            None => Some(PlaceInPage { asked: asked.clone(), steps: 0, control, is_drawn }),
        };
    }

    /// Holds a page as its address answered, where it is not wanted drawn any more.
    fn take_undrawn(&mut self) {
        let Some(undrawn) = self.undrawn.take() else { return };
        if let Some(FollowStep::First(asked, _)) = &self.step {
            let at = undrawn.page.url().clone();
            let detail = "stopped before a browser drew this page";
            self.arrivals.push_back(Arrival::first(asked.clone(), *undrawn));
            self.step = Some(FollowStep::End(Stopped::new(StopReason::Interrupted, at, detail)));
        }
    }

    fn told_by_pages(&self, stopped: Stopped) -> Stopped {
        let (Some(part), Some(last)) = (self.parts.last(), &self.last) else { return stopped };
        if !stopped.complete || last.is_ruled {
            return stopped;
        }
        let rest = last.left_after(&part.page);
        if let Some(at) = rest.elsewhere.filter(|_| stopped.reason == StopReason::NoNext) {
            let detail = format!("the next link leads to another host, `{at}`");
            return Stopped::new(StopReason::OffSite, at, detail);
        }
        let said = rest.said.filter(|said| {
            let is_wanted = said.counted == Relation::Page || self.options.relation != Some(Relation::Page);
            is_wanted && said.current < said.total && is_in_words(&said.words)
        });
        let missing = if let Some(said) = said {
            Some(format!("the page says \"{}\"", said.words))
        } else if self.parts.first().is_some_and(|first| lacks_paid_parts(&first.page, &first.content)) {
            Some(PAID.to_owned())
        } else {
            None
        };
        match missing {
            Some(missing) => {
                let detail = format!("{missing}, and there is no way on: {}", stopped.detail);
                Stopped { complete: false, detail, ..stopped }
            }
            None => stopped,
        }
    }

    /// Takes the addresses that may be a single page of all.
    fn fresh_wholes(&mut self) -> vec::IntoIter<Url> {
        let mut seen = BTreeSet::new();
        let mut wholes = mem::take(&mut self.wholes);
        wholes.retain(|url| {
            address::same_host(&self.host, url)
                && !self.visited.has(url)
                && seen.insert(address::page_key(url))
        });
        wholes.truncate(MAX_TRIES);
        wholes.into_iter()
    }

    /// Adds a page, with its facts if the next one may be judged by them.
    fn hold(&mut self, mut arrival: Arrival) {
        let Arrival { sight, is_drawn, .. } = &mut arrival;
        let goes_on_in_place =
            self.options.drawing != Drawing::Never && (sight.control.is_some() || *is_drawn);
        let is_judged = match sight.followed(&self.options) {
            Ok(link) => !link.evidence.is_rule(),
            Err(_) => sight.tried_link(&self.options).is_some(),
        };
        if goes_on_in_place || is_judged {
            sight.begin_facts();
        }
        self.keep(arrival);
    }

    /// Adds a page. Without facts of it, the next one is not judged.
    fn keep(&mut self, arrival: Arrival) {
        self.read_lines();
        let Arrival { asked, mut sight, score, by, verdict, is_drawn } = arrival;
        let control = sight.control.take();
        self.note_place(&asked, by, is_drawn, control);
        let followed = sight.followed(&self.options).cloned();
        let tried = if followed.is_err() { sight.tried_link(&self.options).cloned() } else { None };
        let tried = tried.map(|link| (link, sight.why_untried()));
        let (rest, is_ruled) = (sight.rest.take(), sight.is_ruled());
        let may_have_whole = self.options.single_page && self.parts.len() < 2;
        if may_have_whole {
            // A page that replaces this one has them.
            sight.lines();
        }
        let lines = sight.take_lines();
        let Sight { page, facts, content, comments, kept, metadata, best, single_page, doubt, .. } = sight;
        let at = page.url();
        self.visited.add(&asked);
        self.visited.add(at);
        self.warnings.extend(page.notes().iter().map(|note| format!("{at}: {note}")));
        self.warnings.extend(doubt.map(|doubt| format!("{at}: {doubt}")));
        self.size.add(&page);
        match &lines {
            Some(lines) => self.held.add(lines),
            None => self.unheld = Some(content.clone()),
        }
        if may_have_whole {
            self.lines.extend(lines);
            self.wholes.extend(single_page);
        }
        let facts = facts.map(|facts| facts.led_by(&asked));
        self.last = Some(Last { facts, followed, tried, rest, is_ruled });
        let (content, roles) = kept.unwrap_or_else(|| {
            let chosen = self.options.comments.choose(&page, content, comments.as_ref());
            (chosen, BTreeMap::new())
        });
        self.parts.push(Part { page, content, roles, metadata, comments, score, by, verdict, next: best });
        self.fresh += 1;
    }

    /// Reads the lines of the last part, if nobody has.
    fn read_lines(&mut self) {
        if let Some(content) = self.unheld.take()
            && let Some(part) = self.parts.last()
        {
            self.held.add(&PageLines::of_content(&part.page, &content));
        }
    }

    /// Returns the address of the next page and the link to it, or why it is not wanted.
    fn next_address(&self) -> Result<(Url, NextLink), Stopped> {
        let Some(last) = &self.last else {
            return Err(Stopped::new(StopReason::NoNext, self.host.clone(), "there are no pages"));
        };
        let link = last.followed.clone()?;
        match self.obstacle(&link.url) {
            Some(stopped) => Err(stopped),
            None => Ok((address::without_fragment(&link.url), link)),
        }
    }

    /// Returns why the page behind a link is not wanted, whatever it is; `None` if it is.
    fn obstacle(&self, to: &Url) -> Option<Stopped> {
        let stop = |reason, detail: &str, at: &Url| Stopped::new(reason, at.clone(), detail);
        let to = address::without_fragment(to);
        if self.visited.has(&to) {
            return Some(stop(StopReason::Loop, "the next link leads back to a page of the document", &to));
        }
        if !address::same_host(&self.host, &to) {
            return Some(stop(StopReason::OffSite, "the next link leads to another host", &to));
        }
        if is_home(&to) {
            let detail = "the next link leads to the home page";
            return Some(stop(StopReason::NotAContinuation, detail, &to));
        }
        self.is_full(&to)
    }

    /// Returns why no page is wanted any more, if so many are held.
    fn is_full(&self, to: &Url) -> Option<Stopped> {
        let stop = |detail: String| Stopped::new(StopReason::MaxPages, to.clone(), detail);
        if self.parts.len() >= self.options.max_pages.get() {
            return Some(stop(format!("page limit reached ({})", self.parts.len())));
        }
        self.size.excess().map(|excess| stop(format!("memory limit reached ({excess})")))
    }

    /// Takes the answer for the next page: goes on from it, or ends.
    fn go_on(&mut self, at: Url, mut ahead: Ahead, answer: Result<Came, Unavailable>) -> FollowStep {
        let met = match answer {
            Ok(came) => self.meet(&at, came, &ahead),
            Err(error) => Err(self.missing(&error, &at, &ahead).into()),
        };
        match met {
            Ok(Met::Undrawn(sight)) => {
                self.undrawn = Some(sight);
                FollowStep::Onward(at, ahead)
            }
            Ok(Met::Stub(to)) => {
                ahead.stubs += 1;
                if let Some(facts) = read_facts(&mut self.last, &self.parts) {
                    facts.lead_on(&at, &to);
                }
                FollowStep::Onward(to, ahead)
            }
            Ok(Met::Page(arrival)) => {
                if ahead.instead.is_some() {
                    let verdict = arrival.verdict.as_ref().map(|verdict| verdict.score);
                    self.tried.push(Tried {
                        url: ahead.link.url,
                        score: ahead.link.score,
                        verdict,
                        refused: None,
                    });
                }
                self.arrivals.push_back(*arrival);
                self.advance()
            }
            Err(refusal) => match self.whole_after_all(&at) {
                Some(stopped) => FollowStep::End(stopped),
                None => self.refuse(ahead, refusal),
            },
        }
    }

    /// Ends the sequence at a page that does not belong to it.
    fn refuse(&mut self, ahead: Ahead, PageRefusal { stopped, score }: PageRefusal) -> FollowStep {
        match ahead.instead {
            None => self.end(self.doubted(stopped, score, &ahead.link)),
            Some((mut end, why)) => {
                let NextLink { url, score: link_score, .. } = ahead.link;
                let had_no_answer = matches!(stopped.reason, StopReason::FetchFailed | StopReason::MaxTime);
                end.complete &= !had_no_answer || stopped.complete;
                end.detail = format!("{why}; `{url}` (score {link_score:.2}) was tried: {}", stopped.detail);
                let refused = Some(stopped.detail);
                self.tried.push(Tried { url, score: link_score, verdict: score, refused });
                self.end(end)
            }
        }
    }

    /// Says why the next page could not be had. If its link is only tried, nothing is missing, unless the link says that it leads to
    /// the next page, and nobody knows what its server would have answered.
    fn missing(&self, error: &Unavailable, at: &Url, ahead: &Ahead) -> Stopped {
        let stopped = failed(error, at);
        if ahead.instead.is_some() {
            let is_missed = is_unanswered(error)
                && self.parts.last().is_some_and(|part| says_next(&part.page, &ahead.link));
            return Stopped { complete: !is_missed, ..stopped };
        }
        // Many series link to a page past their end.
        if self.parts.len() >= 2 && is_gone(error) {
            let detail = format!("{}; this is probably the end", stopped.detail);
            return Stopped { complete: true, detail, ..stopped };
        }
        let left = self.last.as_ref().zip(self.parts.last()).map(|(last, part)| last.left_after(&part.page));
        let said = left.and_then(|left| left.said);
        match said.filter(|said| said.current < said.total && is_in_words(&said.words)) {
            Some(said) => {
                let detail = format!("{}; the page says \"{}\"", stopped.detail, said.words);
                Stopped { detail, ..stopped }
            }
            None => stopped,
        }
    }

    /// Returns why the sequence ends at a page that the judge refused. It is not whole if the link says that it leads to the next
    /// page, and the page behind it has the same title, and something to read besides what is held and comments.
    fn doubted(&self, stopped: Stopped, score: Option<f32>, link: &NextLink) -> Stopped {
        let (Some(part), Some(refused), true) = (self.parts.last(), &self.refused, score.is_some()) else {
            return stopped;
        };
        let is_same = match (part.page.title(), refused.page.title()) {
            (Some(before), Some(after)) => without_counter(&before) == without_counter(&after),
            _ => false,
        };
        let is_rest = !refused.is_of_comments() && self.held.is_missing(refused.lines());
        if is_same && is_rest && says_next(&part.page, link) {
            let detail = format!("{}, though the link says that it does", stopped.detail);
            return Stopped { complete: false, detail, ..stopped };
        }
        stopped
    }

    /// Takes the next page, or says why it does not belong to the sequence.
    fn meet(&mut self, to: &Url, came: Came, ahead: &Ahead) -> Result<Met, PageRefusal> {
        let at = came.url().clone();
        let stop = |reason, detail: &str| Stopped::new(reason, at.clone(), detail);
        let link = &ahead.link;
        let led_by_rule = link.evidence.is_rule();
        if let Some((reason, detail)) = self.outside(to, &at, led_by_rule) {
            if let Came::Sight(sight) = came {
                self.refused = Some(*sight);
            }
            return Err(stop(reason, detail).into());
        }
        let role = if led_by_rule { Role::Unjudged } else { Role::Judged };
        let is_answer = matches!(came, Came::Response(_));
        let mut sight = came.sight(&self.tsugi, &self.options, role);
        if let Some(onward) = self.through(&sight, ahead.stubs) {
            self.pass(to, &at);
            return Ok(Met::Stub(onward));
        }
        if is_answer && !self.is_drawn && sight.needs_browser {
            return Ok(Met::Undrawn(Box::new(sight)));
        }
        if let Some(lack) = self.lack(&sight, led_by_rule) {
            self.refused = Some(sight);
            return Err(stop(StopReason::NotAContinuation, &lack).into());
        }
        // The author of a rule has looked.
        let is_judged = !led_by_rule && self.tsugi.can_judge();
        let before = if is_judged { read_facts(&mut self.last, &self.parts) } else { None };
        let mut verdict = before.and_then(|before| self.tsugi.judge_next(before, link, &mut sight));
        let refused = match &mut verdict {
            Some(verdict) => {
                let is_sure = ahead.instead.is_none() || verdict.score >= LEAST_SURE;
                if verdict.holds && is_sure {
                    None
                } else if self.lists_next(&[to, &at]) {
                    verdict.holds = true;
                    let what = "the first page lists it right after the previous page".to_owned();
                    verdict.reasons.insert(0, Reason { what, weight: 1.0 });
                    None
                } else {
                    Some(refusal(verdict))
                }
            }
            // Of a link that is tried, the pair decides.
            None => {
                ahead.instead.as_ref().map(|_| "nothing judged whether it continues this page".to_owned())
            }
        };
        if let Some(detail) = refused {
            self.refused = Some(sight);
            let score = verdict.map(|verdict| verdict.score);
            return Err(PageRefusal { stopped: stop(StopReason::NotAContinuation, &detail), score });
        }
        let (score, by) = (link.score, link.evidence.as_str());
        // Behind a page that only refreshes, the next page links back to that.
        let asked = address::without_fragment(&link.url);
        self.visited.add(to);
        Ok(Met::Page(Box::new(Arrival { asked, sight, score, by, verdict, is_drawn: self.is_drawn })))
    }

    /// Returns `true` if a list of contents on the first page has a page, by one of its addresses, right after the last one.
    // Chapters of a few lines, with titles of their own, look like other articles to the judge of pairs.
    fn lists_next(&self, addresses: &[&Url]) -> bool {
        /// The least number of entries.
        const LEAST: usize = 3;
        let (Some(first), Some(before)) = (self.parts.first(), self.parts.last()) else { return false };
        let page = &first.page;
        let links = first.content.nodes.iter().flat_map(|node| page.subtree(*node));
        let links = links.filter(|id| page.is_tag(*id, Tag::A));
        let targets = links.filter_map(|id| page.resolve(page.value(id, Attr::Href)?));
        let mut listed: Vec<String> = targets.map(|url| address::page_key(&url)).collect();
        // Entries for the sections of a page lead to that page.
        listed.dedup();
        let before = address::page_key(before.page.url());
        let next: Vec<String> = addresses.iter().map(|url| address::page_key(url)).collect();
        listed.len() >= LEAST && listed.windows(2).any(|pair| pair[0] == before && next.contains(&pair[1]))
    }

    /// Returns why a page continues nothing, by its address alone.
    fn outside(&self, to: &Url, at: &Url, led_by_rule: bool) -> Option<(StopReason, &'static str)> {
        if !address::same_host(&self.host, at) {
            Some((StopReason::OffSite, "the next page redirects to another host"))
        } else if self.visited.has(at) && !same_page(to, at) {
            Some((StopReason::Loop, "the next page redirects back to a page of the document"))
        } else if is_home(at) {
            Some((StopReason::NotAContinuation, "the next page redirects to the home page"))
        } else if led_by_rule && self.host.scheme() == "https" && at.scheme() == "http" {
            Some((StopReason::OffSite, "the next link leads from https to plain http"))
        } else {
            None
        }
    }

    /// Returns what a page lacks to continue the last one, as far as no model is needed to see it.
    fn lack(&self, sight: &Sight, led_by_rule: bool) -> Option<String> {
        let before = self.parts.last()?;
        let leads_on = sight.followed(&self.options).is_ok()
            || sight.tried_link(&self.options).is_some()
            || sight.control.is_some();
        if let Some(lack) = self.held.lack(sight.lines(), leads_on) {
            return Some(lack.to_owned());
        }
        let lack = if led_by_rule && !sight.content.evidence.is_rule() {
            // As siteinfo clients do: models do not take over where a rule began.
            "a rule led to this page, but no rule finds content on it"
        } else if sight.lines().are_in(&PageLines::of_frame(&before.page, &before.content)) {
            // Past the end of a list, many sites answer with a page that lacks only the list.
            "the next page has only what surrounds the main content of the previous page"
        } else if led_by_rule {
            return None;
        } else if PageLines::at_place_of((&before.page, &before.content), (&sight.page, &sight.content))
            .is_some_and(|lines| self.held.is_emptied(&lines))
        {
            "the next page has almost no text where the pages before have theirs"
        } else if self.options.comments == Comments::Drop
            && sight.is_of_comments()
            && comment_share(&before.page, &before.content) < COMMENTED
        {
            "the next page has hardly more than comments"
        } else if page_genre(&sight.page, &sight.content) == PageGenre::Posts
            && page_genre(&before.page, &before.content) == PageGenre::Article
        {
            "the next page is a list of posts, but this one is an article"
        } else {
            return None;
        };
        Some(lack.to_owned())
    }

    /// Wants the next candidate for a single page of all.
    fn try_whole(&mut self, mut rest: vec::IntoIter<Url>) -> FollowStep {
        match rest.next() {
            Some(at) => FollowStep::Whole(address::without_fragment(&at), rest),
            None => self.advance(),
        }
    }

    /// Replaces the pages by a single page, if it holds them all.
    fn meet_whole(&mut self, asked: Url, came: Came) -> Option<Stopped> {
        if !address::same_host(&self.host, came.url()) || self.visited.has(came.url()) {
            return None;
        }
        let sight = came.sight(&self.tsugi, &self.options, Role::Unjudged);
        let share = self.share_in_whole(&sight)?;
        Some(self.replace(asked, sight, share))
    }

    /// Replaces the pages by one that was refused as the next one, if they offer it as a single page, and it is one.
    fn whole_after_all(&mut self, asked: &Url) -> Option<Stopped> {
        let share = self.share_in_whole(self.refused.as_ref()?)?;
        let is_offered = self.wholes.iter().any(|url| same_page(url, asked));
        let sight = self.refused.take_if(|_| is_offered)?;
        Some(self.replace(asked.clone(), sight, share))
    }

    /// Returns how much of the first pages a page holds, if it may be a single page of all.
    fn share_in_whole(&self, sight: &Sight) -> Option<f32> {
        let shares = self.lines.iter().map(|lines| lines.share_in(sight.lines()));
        let share = shares.fold(1.0, f32::min);
        let characters: usize = self.lines.iter().map(PageLines::characters).sum();
        // With one page to compare with, more is asked for: many a list has an article and more.
        let is_alone = self.parts.len() == 1;
        let least = if is_alone { FAR_MORE } else { WHOLE };
        let is_whole = !sight.goes_on()
            && share >= WHOLE
            && sight.lines().characters() as f32 >= least * characters as f32
            && (!is_alone || self.lines.iter().any(|lines| sight.lines().opens_as(lines)));
        is_whole.then_some(share)
    }

    fn replace(&mut self, asked: Url, sight: Sight, share: f32) -> Stopped {
        let pages = self.parts.len();
        let detail = format!(
            "a single page replaces the others: it has {:.0} % of the text of the first {}",
            share * 100.0,
            if pages == 1 { "page".to_owned() } else { format!("{pages} pages") }
        );
        let reason = Reason { what: detail.clone(), weight: 1.0 };
        let stopped = Stopped::new(StopReason::NoNext, sight.page.url().clone(), detail);
        self.parts.clear();
        (self.held, self.unheld) = (HeldLines::default(), None);
        self.size = Size::default();
        let verdict = Some(Verdict { score: share, holds: true, reasons: vec![reason] });
        self.hold(Arrival { asked, sight, score: share, by: "single-page", verdict, is_drawn: false });
        stopped
    }
}

/// Returns what the last part is judged by, if the next page is to be judged.
fn read_facts<'l>(last: &'l mut Option<Last>, parts: &[Part]) -> Option<&'l mut PageFacts> {
    Some(last.as_mut()?.facts.as_mut()?.read(&parts.last()?.page))
}

/// How much pages hold.
#[derive(Debug, Default)]
struct Size {
    nodes: usize,
    text: usize,
}

impl Size {
    fn add(&mut self, page: &Page) {
        self.nodes += page.node_count();
        self.text += page.text_bytes();
    }

    /// Returns what exceeds a limit, in words.
    fn excess(&self) -> Option<String> {
        if self.nodes > MAX_HELD_NODES {
            Some(format!("{} nodes", self.nodes))
        } else if self.text > MAX_HELD_TEXT {
            Some(format!("{} MiB of text", self.text >> 20))
        } else {
            None
        }
    }
}

/// Returns the response if it is a page.
pub(crate) fn checked(response: Response) -> Result<Response, Unavailable> {
    let at = response.url.clone();
    checked_page(response).map_err(|error| error.into_unavailable(&at))
}

/// Returns the status that a server answered with instead of a page.
fn status(error: &Unavailable) -> Option<u16> {
    match error.source()?.downcast_ref::<FetchError>()? {
        FetchError::Status { status, .. } => Some(*status),
        _ => None,
    }
}

/// Returns `true` if there is no such page, as far as the server knows.
fn is_gone(error: &Unavailable) -> bool {
    matches!(status(error), Some(404 | 410))
}

/// Returns `true` if what a page says of its number has words: a row of numbers may count posts or years.
fn is_in_words(said: &str) -> bool {
    said.contains(|c: char| !c.is_numeric() && !c.is_whitespace() && c != '…')
}

/// Returns `true` if a server did not say whether there is such a page.
fn is_unanswered(error: &Unavailable) -> bool {
    match error.kind {
        UnavailableKind::Timeout
        | UnavailableKind::Network
        | UnavailableKind::Later
        | UnavailableKind::HostDown
        | UnavailableKind::MaxTime => true,
        UnavailableKind::Status => matches!(status(error), Some(429 | 500..)),
        _ => false,
    }
}

/// Returns `true` if the author of a page says that a link leads to the next page: by `rel`, or since there are more pages.
fn says_next(page: &Page, link: &NextLink) -> bool {
    let leads_there = |id| {
        let rel = page.value(id, Attr::Rel).unwrap_or_default();
        rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case("next"))
            && page
                .value(id, Attr::Href)
                .and_then(|href| page.resolve(href))
                .is_some_and(|to| same_page(&to, &link.url))
    };
    let said = LinkSurvey::of(page).said_pages();
    said.is_some_and(|said| said.current < said.total) || page.elements().any(leads_there)
}

fn failed(error: &Unavailable, at: &Url) -> Stopped {
    let reason = match error.kind {
        UnavailableKind::Robots => StopReason::Robots,
        UnavailableKind::MaxTime => StopReason::MaxTime,
        _ => StopReason::FetchFailed,
    };
    Stopped::new(reason, at.clone(), error.to_string())
}

/// Returns `true` if an address is that of a home page.
fn is_home(url: &Url) -> bool {
    address::is_web(url) && url.join("/").is_ok_and(|home| address::page_key(&home) == address::page_key(url))
}

/// Returns the headlines of a page.
fn headlines(page: &Page) -> BTreeSet<String> {
    let all = page.elements_of(Tag::H1).map(|id| text::fold(&page.text(id)));
    all.filter(|headline| !headline.is_empty()).collect()
}

/// Returns the address that a page without one of its own would have in a sequence.
fn numbered(at: &Url, number: usize) -> Url {
    let mut url = address::without_fragment(at);
    url.query_pairs_mut().append_pair("page", &number.to_string());
    url
}

/// Returns `true` if two addresses name the same page.
fn same_page(one: &Url, other: &Url) -> bool {
    one == other || address::page_key(one) == address::page_key(other)
}

/// Says why a page does not continue the previous one.
fn refusal(verdict: &Verdict) -> String {
    let against = verdict.reasons.iter().filter(|reason| reason.weight < 0.0).take(3);
    let words: Vec<&str> = against.map(|reason| reason.what.as_str()).collect();
    let why = if words.is_empty() { String::new() } else { format!(": {}", words.join("; ")) };
    format!("the next page does not continue this one (score {:.2}){why}", verdict.score)
}

/// The addresses of the pages held, as asked and as answered.
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
