//! A page as following sees it: the results of one look, which borrow nothing, so that the page can move on.

use crate::lines::PageLines;
use crate::look::is_worth_a_try;
use crate::options::{Drawing, JoinOptions};
use crate::tsugi::Tsugi;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use tsugi_document::{StopReason, Stopped};
use tsugi_main_content::comment_share;
use tsugi_metadata::Metadata;
use tsugi_next_link::{FactsOfLinks, LinkSurvey, PageFacts, SaidPages};
use tsugi_page::text::fold;
use tsugi_page::{Attr, Content, NextLink, NodeId, Page, Relation, Tag, Url};

/// The longest label of a button in a message, in characters.
const LONGEST_LABEL: usize = 60;

/// The share of comments in the text of a page, from which it is a page of comments.
pub(crate) const COMMENTED: f32 = 0.8;

/// Why a page is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It may be the first page, and says whether there are earlier ones.
    First,
    /// It is judged as the continuation of another page, or may be.
    Judged,
    /// A rule led here, or the page replaces others: it is not judged.
    Unjudged,
    Alone,
}

/// What a page says of pages that it has no link to.
#[derive(Debug, Clone, Default)]
pub(crate) struct PagesLeft {
    /// Its number and how many there are.
    pub(crate) said: Option<SaidPages>,
    /// The next page, on another host.
    pub(crate) elsewhere: Option<Url>,
}

impl PagesLeft {
    pub(crate) fn on(survey: &LinkSurvey<'_>) -> PagesLeft {
        PagesLeft { said: survey.said_pages(), elsewhere: survey.elsewhere() }
    }
}

/// What a page is judged by. It is read when it is first asked for, since that takes a tenth of a look, and the page behind most
/// links does not come: it is not stored, or belongs to another document.
#[derive(Debug)]
pub(crate) struct LazyFacts {
    /// What the look found, if it was to be judged.
    begun: Option<FactsOfLinks>,
    /// The content with its furniture, as the judge had it in training.
    content: Content,
    /// The address that led to the page.
    asked: Option<Url>,
    read: Option<PageFacts>,
}

impl LazyFacts {
    fn of(content: Content, begun: Option<FactsOfLinks>) -> LazyFacts {
        LazyFacts { begun, content, asked: None, read: None }
    }

    /// Notes the address that led to the page, as [`PageFacts::led_by`] does.
    pub(crate) fn led_by(mut self, asked: &Url) -> LazyFacts {
        self.read = self.read.map(|facts| facts.led_by(asked));
        LazyFacts { asked: Some(asked.clone()), ..self }
    }

    /// Without a survey of the look, the links are surveyed again, but no model is asked.
    pub(crate) fn read(&mut self, page: &Page) -> &mut PageFacts {
        let LazyFacts { begun, content, asked, read } = self;
        read.get_or_insert_with(|| {
            let facts = match begun.take() {
                Some(begun) => begun.with_rest(page, content),
                None => PageFacts::of(page, content),
            };
            match asked {
                Some(asked) => facts.led_by(asked),
                None => facts,
            }
        })
    }
}

/// A page and what the look at it found.
#[derive(Debug)]
pub(crate) struct Sight {
    pub(crate) page: Page,
    pub(crate) content: Content,
    pub(crate) comments: Option<Content>,
    /// The parts with the roles that were asked for, and the role of each text node.
    pub(crate) kept: Option<(Content, BTreeMap<NodeId, &'static str>)>,
    /// They are read when they are first asked for.
    lines: OnceCell<PageLines>,
    pub(crate) metadata: Option<Metadata>,
    /// Its best next link, however low its score.
    pub(crate) best: Option<NextLink>,
    /// The detector's threshold, if the link is below it.
    below: Option<f32>,
    unfollowable: Option<String>,
    /// The control behind that, and whether the page needs a browser; only if the caller has one.
    pub(crate) control: Option<Control>,
    pub(crate) needs_browser: bool,
    /// Whether a link below the threshold may not be tried.
    is_bound: bool,
    /// What the page says of further pages, unless rules cover it.
    pub(crate) rest: Option<PagesLeft>,
    /// Where the page leads by itself, if it has hardly anything to read.
    pub(crate) refresh: Option<Url>,
    /// What shows that there are earlier pages, in words; see [`Role::First`].
    pub(crate) earlier: Option<String>,
    /// Why the content may be wrong, in words.
    pub(crate) doubt: Option<String>,
    pub(crate) previous: Vec<Url>,
    pub(crate) single_page: Vec<Url>,
    /// The content with its furniture.
    chosen: Content,
    pub(crate) facts: Option<LazyFacts>,
}

impl Sight {
    /// Looks at a page. It may be judged because of its `role`, or as the page before, because of its own link.
    pub(crate) fn of(tsugi: &Tsugi, page: Page, options: &JoinOptions, role: Role) -> Sight {
        let mut look = tsugi.look(&page);
        // Before the content, which is chosen by the same scores.
        let kept = options.keep.and_then(|roles| look.kept(roles)).map(|(kept, roles)| {
            (kept, roles.by_node().into_iter().map(|(node, role)| (node, role.as_str())).collect())
        });
        // Another tree, whose links are other nodes.
        if let Some(drawn) = look.take_drawn() {
            let of_data = look.doubt_of_data();
            drop(look);
            let mut sight = Sight::of(tsugi, drawn, options, role);
            sight.doubt = sight.doubt.or(of_data);
            return sight;
        }
        let doubt = look.doubt();
        let best = look.best().cloned();
        let is_below = |link: &&NextLink| !look.accepts(link);
        let below = best.as_ref().filter(is_below).map(|_| look.threshold());
        let followed = followed(best.as_ref(), below, options).ok();
        let control = if followed.is_none() { look.unfollowable() } else { None };
        let unfollowable = control.map(|control| unfollowable(&page, control));
        let has_browser = options.drawing != Drawing::Never;
        let control = control.filter(|_| has_browser).map(|control| Control::of(&page, control));
        let needs_browser = look.is_wanted_drawn(options.drawing);
        // An author of rules has looked.
        let is_ruled = look.joined().evidence.is_rule();
        let is_tried = !is_ruled && tryable(best.as_ref(), below, options).is_some();
        let rest = (!is_ruled && role != Role::Alone).then(|| look.survey(PagesLeft::on));
        let is_judged = match role {
            Role::Judged => true,
            Role::Alone => false,
            Role::First | Role::Unjudged => {
                options.from_start || is_tried || followed.is_some_and(|link| !link.evidence.is_rule())
            }
        };
        let content = look.joined().clone();
        let comments = look.shown_comments().cloned();
        let chosen = look.chosen().clone();
        let begun = is_judged.then(|| look.survey(LinkSurvey::facts));
        let facts = begun.map(|begun| LazyFacts::of(chosen.clone(), Some(begun)));
        let earlier = if role == Role::First { look.earlier() } else { None };
        let metadata = look.ruled_metadata();
        let previous = if options.from_start { look.previous() } else { Vec::new() };
        let refresh = if is_ruled { None } else { look.refresh() };
        let single_page = if options.single_page { look.single_page() } else { Vec::new() };
        drop(look);
        Sight {
            page,
            content,
            comments,
            kept,
            lines: OnceCell::new(),
            metadata,
            best,
            below,
            unfollowable,
            control,
            needs_browser,
            is_bound: is_ruled,
            rest,
            refresh,
            earlier,
            doubt,
            previous,
            single_page,
            chosen,
            facts,
        }
    }

    /// Returns the link to follow, or why there is none.
    pub(crate) fn followed(&self, options: &JoinOptions) -> Result<&NextLink, Stopped> {
        let followed = followed(self.best.as_ref(), self.below, options);
        followed.map_err(|(reason, detail)| {
            let at = self.page.url().clone();
            match self.unfollowable.as_ref().filter(|_| reason == StopReason::NoNext) {
                Some(behind) => Stopped { complete: false, ..Stopped::new(reason, at, behind) },
                None => Stopped::new(reason, at, detail),
            }
        })
    }

    /// Returns the best link if its score is below the threshold, but high enough to see whether the page behind it continues
    /// this one.
    pub(crate) fn tried_link(&self, options: &JoinOptions) -> Option<&NextLink> {
        tryable(self.best.as_ref().filter(|_| !self.is_bound), self.below, options)
    }

    /// Returns why the best link is not followed for good, in words, if it may be tried.
    pub(crate) fn why_untried(&self) -> String {
        let least = self.below.unwrap_or_default();
        self.unfollowable.clone().unwrap_or_else(|| format!("no link scores at least {least:.2}"))
    }

    /// Returns `true` if nearly all of its text is comments.
    pub(crate) fn is_of_comments(&self) -> bool {
        let found = self.comments.as_ref();
        let apart = found
            .map(|comments| self.page.text_of_content(&comments.nodes, &comments.without).chars().count());
        let all = apart.unwrap_or_default() + self.lines().characters();
        apart.is_some_and(|apart| apart as f32 >= COMMENTED * all as f32)
            || comment_share(&self.page, &self.chosen) >= COMMENTED
    }

    /// Returns `true` if a rule found the content.
    pub(crate) fn is_ruled(&self) -> bool {
        self.content.evidence.is_rule()
    }

    /// Says that the best link is not to be tried: what is behind it belongs to another page.
    pub(crate) fn bind(&mut self) {
        self.is_bound = true;
    }

    /// Returns the best link if its score suffices, whatever its relation.
    pub(crate) fn strong_link(&self, options: &JoinOptions) -> Option<&NextLink> {
        self.best.as_ref().filter(|link| is_strong(link, self.below, options))
    }

    /// Returns the lines of the content, which tell whether another page repeats this one.
    pub(crate) fn lines(&self) -> &PageLines {
        self.lines.get_or_init(|| PageLines::of_content(&self.page, &self.content))
    }

    /// Returns the lines, if somebody has asked for them.
    pub(crate) fn take_lines(&mut self) -> Option<PageLines> {
        self.lines.take()
    }

    /// Returns what judging the page takes.
    pub(crate) fn facts(&mut self) -> &PageFacts {
        let facts = self.facts.get_or_insert_with(|| LazyFacts::of(self.chosen.clone(), None));
        facts.read(&self.page)
    }

    /// Makes sure that the page after this one can be judged.
    pub(crate) fn begin_facts(&mut self) {
        self.facts.get_or_insert_with(|| LazyFacts::of(self.chosen.clone(), None));
    }

    /// Removes the next link: another page has a better claim to it.
    pub(crate) fn unlink(&mut self, options: &JoinOptions) {
        if self.followed(options).is_ok() {
            let control = LinkSurvey::of(&self.page).unfollowable();
            self.unfollowable = control.map(|control| unfollowable(&self.page, control));
        }
        self.best = None;
    }

    /// Returns `true` if the page has a next page of the same article, list or thread.
    pub(crate) fn goes_on(&self) -> bool {
        self.below.is_none() && self.best.as_ref().is_some_and(|link| link.relation == Relation::Page)
    }
}

/// A control of a page that leads on without an address, so that a browser can find it: a button, or a link that runs a
/// script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// Its tag, in lower case.
    pub tag: String,
    /// Its text, or else an attribute that says the same, white space folded; at most 60 characters. Empty if it has none.
    pub label: String,
    /// How many elements of the tag and the label are before it.
    pub before: usize,
}

impl Control {
    /// Describes a control of a page.
    pub fn of(page: &Page, node: NodeId) -> Control {
        let (tag, words) = (page.tag(node).to_owned(), label(page, node));
        let is_like = |id: &NodeId| page.tag(*id) == tag && label(page, *id) == words;
        let before = page.elements().take_while(|id| *id != node).filter(is_like).count();
        Control { tag, label: words.unwrap_or_default(), before }
    }
}

/// Says what shows that there is a next page, in the page's own words.
fn unfollowable(page: &Page, node: NodeId) -> String {
    let needs = if page.is_tag(node, Tag::Input) { "submits a form" } else { "needs scripts" };
    let what = match label(page, node) {
        Some(label) => format!("\"{label}\""),
        None => format!("a control without a label (`{}`)", page.location_path(node)),
    };
    format!("the next page is behind {what}, which {needs}")
}

/// Returns the label of a control: its text, or an attribute.
fn label(page: &Page, node: NodeId) -> Option<String> {
    let stated = [Attr::Value, Attr::AriaLabel, Attr::Title, Attr::Alt];
    let stated = stated.into_iter().filter_map(|name| page.value(node, name)).map(str::to_owned);
    let texts = std::iter::once_with(|| page.text(node)).chain(stated);
    let mut texts = texts.map(|text| fold(&text)).filter(|text| !text.is_empty());
    // A control around a whole list has a long text; its beginning is enough.
    texts.next().map(|text| text.chars().take(LONGEST_LABEL).collect())
}

/// Returns `true` if the score of the best link suffices; `below` is that of [`Sight`].
fn is_strong(best: &NextLink, below: Option<f32>, options: &JoinOptions) -> bool {
    options.min_score.map_or(below.is_none(), |least| best.score >= least)
}

/// Returns the best link if it may be tried; `below` is that of [`Sight`].
fn tryable<'l>(
    best: Option<&'l NextLink>,
    below: Option<f32>,
    options: &JoinOptions,
) -> Option<&'l NextLink> {
    // A score that was asked for is the bar.
    let link = best.filter(|_| below.is_some() && options.min_score.is_none())?;
    let is_wanted = options.relation.is_none_or(|relation| relation == link.relation);
    (is_wanted && is_worth_a_try(link)).then_some(link)
}

fn followed<'l>(
    best: Option<&'l NextLink>,
    below: Option<f32>,
    options: &JoinOptions,
) -> Result<&'l NextLink, (StopReason, String)> {
    let Some(link) = best else {
        return Err((StopReason::NoNext, "no next-page link found".to_owned()));
    };
    let NextLink { url, score, relation: found, .. } = link;
    if is_strong(link, below, options) {
        return match options.relation {
            Some(relation) if relation != *found => {
                let detail =
                    format!("the best link `{url}` leads to the next {found}, not the next {relation}");
                Err((StopReason::NoNext, detail))
            }
            _ => Ok(link),
        };
    }
    let least = options.min_score.or(below).unwrap_or_default();
    let detail = format!("no link scores at least {least:.2}; the best, `{url}`, scores {score:.2}");
    Err((if below.is_none() { StopReason::LowScore } else { StopReason::NoNext }, detail))
}
