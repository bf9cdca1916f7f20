//! A look at one page, which answers all questions about it from one reading.

use crate::detect::{Detect, Findings};
use crate::options::Drawing;
use crate::tsugi::Tsugi;
use std::cell::{Cell, OnceCell, RefCell};
use std::fmt::{self, Debug};
use tsugi_document::{ContentText, content_html, content_markdown};
use tsugi_main_content::{
    DataSearch, Furniture, JudgedPage, PageRoles, RoleSet, Surroundings, comments, embedded, has_comments,
    least_left, may_show_more, needs_scripts, with_lead_figure, without_furniture,
};
use tsugi_metadata::Metadata;
use tsugi_next_link::{Earlier, LinkSurvey, PageFacts, Pair};
use tsugi_page::text::is_cjk;
use tsugi_page::{Content, Evidence, NextLink, NodeId, Page, Relation, Tag, Url, Verdict};
#[cfg(feature = "rules")]
use tsugi_siteinfo::{RuleMatch, Search};
#[cfg(feature = "rules")]
use {
    tsugi_dates::When,
    tsugi_metadata::{Said, Source},
};

/// The lowest score, in [0, 1], of a link that is tried: the page behind it is fetched, and the pair decides.
const LEAST_TRIED: f32 = 0.03;

/// Content with fewer characters may be a mere notice. Those of scripts without spaces count twice.
const NOTICE: usize = 150;
/// Content with fewer characters may be a part of an article that the page's data holds.
const LITTLE: usize = 1000;
/// How many times as much text the data must hold to replace what the page shows.
const FAR_MORE: usize = 3;
/// Content with a lower score may be replaced by data in the page. Of the labelled pages of three data sets with a score from
/// .5 to .7, one in three has content with a text F below .5; of those from .7 to .9, one in ten.
const DOUBTFUL: f32 = 0.7;
/// Content with a lower score is wrong more often than not: on three of four of those pages.
const UNSURE: f32 = 0.5;
/// A `title` with more characters was not closed and has swallowed the page.
const LONGEST_TITLE: u32 = 2000;

/// The scores of an article in a page's data: one that the data calls the page's own, and any other.
const OWN: f32 = 0.9;
const ANY: f32 = 0.4;

/// A page as its scripts would draw it.
#[derive(Debug)]
struct DrawnPage {
    page: Page,
    content: Content,
}

fn drawn_content(node: NodeId, score: f32) -> Content {
    Content { nodes: vec![node], without: Vec::new(), score, evidence: Evidence::Embedded }
}

/// Returns the number of characters of content. Those of scripts without spaces count twice.
fn weight(page: &Page, content: &Content) -> usize {
    let characters = |ids: &[NodeId]| -> u32 { ids.iter().map(|id| page.totals(*id).characters).sum() };
    let shown = characters(&content.nodes).saturating_sub(characters(&content.without)) as usize;
    if shown >= LITTLE {
        return shown;
    }
    shown + page.text_of_content(&content.nodes, &content.without).chars().filter(|c| is_cjk(*c)).count()
}

/// Removes the head of the page from the content: nobody sees it.
fn without_head(page: &Page, mut content: Content) -> Content {
    let titles = page.elements_of(Tag::Title);
    let (closed, open): (Vec<_>, Vec<_>) =
        titles.partition(|id| page.totals(*id).characters <= LONGEST_TITLE);
    let head = page.first("head").filter(|_| open.is_empty());
    for head in page.outermost(head.into_iter().chain(closed).collect()) {
        content.nodes.retain(|node| !page.contains(head, *node));
        let is_within = content.nodes.iter().any(|node| page.contains(*node, head));
        if is_within && !content.without.iter().any(|out| page.contains(*out, head)) {
            content.without.push(head);
            content.without.sort();
        }
    }
    content
}

/// A look at one page. The page is read once, and each answer is worked out when it is first asked for.
///
/// # Examples
///
/// ```
/// # let (tsugi, page) = include!("../doc/page.rs");
/// let look = tsugi.look(&page);
/// if let Some(next) = look.next() {
///     println!("{} {:.2}", next.url, next.score);
/// }
/// println!("{}", look.content().markdown());
/// ```
pub struct Look<'p> {
    tsugi: &'p Tsugi,
    page: &'p Page,
    #[cfg(feature = "rules")]
    rules: OnceCell<Search<'p>>,
    /// What is known of its links. It is read again after [`forget_links`](Self::forget_links).
    survey: RefCell<Option<LinkSurvey<'p>>>,
    /// What a detector of the caller's own found.
    own: OnceCell<Findings>,
    best: OnceCell<Option<NextLink>>,
    chosen: OnceCell<Content>,
    /// What the model takes for comments.
    scored: OnceCell<Content>,
    comments: OnceCell<Option<Content>>,
    content: OnceCell<Content>,
    joined: OnceCell<Content>,
    drawn: OnceCell<Option<Box<DrawnPage>>>,
    /// Some data of the page were given up while it was drawn.
    is_data_cut: Cell<bool>,
    facts: OnceCell<PageFacts>,
}

impl<'p> Look<'p> {
    pub(crate) fn new(tsugi: &'p Tsugi, page: &'p Page) -> Look<'p> {
        Look {
            tsugi,
            page,
            #[cfg(feature = "rules")]
            rules: OnceCell::new(),
            survey: RefCell::new(None),
            own: OnceCell::new(),
            best: OnceCell::new(),
            chosen: OnceCell::new(),
            scored: OnceCell::new(),
            comments: OnceCell::new(),
            content: OnceCell::new(),
            joined: OnceCell::new(),
            drawn: OnceCell::new(),
            is_data_cut: Cell::new(false),
            facts: OnceCell::new(),
        }
    }

    /// Returns the page.
    pub fn page(&self) -> &'p Page {
        self.page
    }

    /// Returns the models and rules that look.
    pub(crate) fn tsugi(&self) -> &Tsugi {
        self.tsugi
    }

    /// Returns the next-page link, or `None` if the page has none.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (tsugi, page) = include!("../doc/page.rs");
    /// let look = tsugi.look(&page);
    /// assert_eq!(look.next().unwrap().url.path(), "/features/tide-mill/3.html");
    /// ```
    pub fn next(&self) -> Option<&NextLink> {
        self.best().filter(|link| self.accepts(link))
    }

    /// Returns the address that joining asks for after this page, unless options say otherwise: where the page leads by itself
    /// if it has hardly anything to read, or that of the next link, or that of a weaker link which is only tried.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{Page, Tsugi};
    /// let html = "<meta http-equiv=refresh content='0; url=/2'>";
    /// let page = Page::from_text(html, &"https://a.test/1".parse()?);
    /// assert_eq!(Tsugi::new().look(&page).leads_to().unwrap().path(), "/2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leads_to(&self) -> Option<Url> {
        let is_ruled = self.chosen().evidence.is_rule();
        let refresh = if is_ruled { None } else { self.refresh() };
        let link = || self.best().filter(|link| self.accepts(link) || (!is_ruled && is_worth_a_try(link)));
        refresh.or_else(|| Some(link()?.url.clone()))
    }

    /// Returns the best candidate for the next-page link, however low its score: the rule's, if a rule covers the page, or
    /// the model's. `None` if the rule says that this page is the last, or if the page has no candidate.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{Page, Tsugi};
    /// let page = Page::from_text("<p>One.</p><a href=/about>About us</a>", &"https://a.test/1".parse()?);
    /// let tsugi = Tsugi::new();
    /// let look = tsugi.look(&page);
    /// assert!(look.next().is_none());
    /// assert!(look.best().is_none_or(|link| link.score < look.threshold()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn best(&self) -> Option<&NextLink> {
        let find = || {
            #[cfg(feature = "rules")]
            if let Some(rule) = self.rule() {
                if let Some(link) = rule.next_link() {
                    return Some(link);
                }
                if rule.is_end() {
                    return None;
                }
            }
            match self.own() {
                Some(own) => own.next.clone(),
                None => self.survey(|survey| self.tsugi.next_model().detector().best(survey)),
            }
        };
        self.best.get_or_init(find).as_ref()
    }

    /// Returns the lowest score, in [0, 1], at which a link found by the model counts as a next-page link.
    pub fn threshold(&self) -> f32 {
        match self.own() {
            Some(own) => own.threshold,
            None => self.tsugi.next_model().detector().threshold(),
        }
    }

    /// Returns what the caller's own detector found, if there is one.
    fn own(&self) -> Option<&Findings> {
        let detector = self.tsugi.detector()?;
        Some(self.own.get_or_init(|| {
            let mut found = detector.find(self.page);
            // Nodes of another page.
            let is_here = |node: &NodeId| self.page.holds(*node);
            found.next = found.next.filter(|next| is_here(&next.node));
            for content in std::iter::once(&mut found.content).chain(&mut found.comments) {
                content.nodes.retain(is_here);
                content.without.retain(is_here);
            }
            found
        }))
    }

    /// Returns what the rules and models found, for a detector that changes it.
    pub(crate) fn into_findings(mut self) -> Findings {
        let (next, threshold, content) = (self.best().cloned(), self.threshold(), self.chosen().clone());
        let mut findings = Findings::new(next, threshold, content);
        findings.comments = self.scored.take();
        findings.doubts.extend(self.own().iter().flat_map(|own| own.doubts.clone()));
        findings.doubts.extend(self.doubt_of_rules());
        findings
    }

    /// Returns `true` if a link of this page counts as a next-page link: a rule found it, or its score reaches the
    /// [`threshold`](Self::threshold).
    pub fn accepts(&self, link: &NextLink) -> bool {
        link.evidence.is_rule() || link.score >= self.threshold()
    }

    /// Returns the main content: the rule's, if a rule covers the page, or the model's.
    ///
    /// Hidden parts and the link marks at headings are left out; from the model's content, also what remains of a pager,
    /// and the comments. If the page shows little text, but holds its article as data for a script, the content is that
    /// article ([`Evidence::Embedded`]), and its nodes are those of [`MainContent::page`].
    ///
    /// # Examples
    ///
    /// ```
    /// # let (tsugi, page) = include!("../doc/page.rs");
    /// let look = tsugi.look(&page);
    /// assert!(look.content().score() > 0.9);
    /// assert!(look.content().text().contains("tide"));
    /// ```
    pub fn content(&self) -> MainContent<'_> {
        match self.drawn() {
            Some(drawn) => MainContent { page: &drawn.page, content: &drawn.content },
            None => self.shown_content(),
        }
    }

    /// Returns the main content of the page as it is, without the data that it holds for scripts.
    pub fn shown_content(&self) -> MainContent<'_> {
        let content = self.content.get_or_init(|| self.without(Furniture::Page));
        MainContent { page: self.page, content }
    }

    /// Returns the comments below an article, which are not part of its content. `None` if there are none, and on pages
    /// whose posts are the content, such as forums.
    pub fn comments(&self) -> Option<MainContent<'_>> {
        self.shown_comments().map(|content| MainContent { page: self.page, content })
    }

    /// Returns the role of every text block. It costs half as much again as finding the content. `None` without the feature `roles`, unless
    /// the caller has [a model](Tsugi::with_role_model).
    pub fn roles(&self) -> Option<PageRoles<'p>> {
        let content = self.tsugi.content_model().detector();
        let detector = self.tsugi.role_model()?.detector();
        Some(detector.roles(content, self.page, self.next().map(|next| next.node)))
    }

    /// Returns the parts of the page that have one of some roles, and the roles of all blocks; `None` if a rule or the page's
    /// data chose the content, or no model tells roles.
    pub(crate) fn kept(&self, kept: RoleSet) -> Option<(Content, PageRoles<'p>)> {
        let detector = self.tsugi.role_model()?.detector();
        let mut scored = None;
        let chosen = self.chosen_by_scores(|judged| scored = Some(judged));
        if chosen.evidence != Evidence::Model || self.drawn().is_some() {
            return None;
        }
        let roles = match scored {
            Some(judged) => detector.roles_of(judged),
            None => self.roles()?,
        };
        Some((without_furniture(self.page, roles.content(kept), Furniture::Unseen), roles))
    }

    /// Returns the chosen content without furniture. If no model chose it, only hidden parts go.
    fn without<'a>(&'a self, furniture: impl FnOnce(Surroundings<'a>) -> Furniture<'a>) -> Content {
        let chosen = self.chosen();
        let furniture = if chosen.evidence == Evidence::Model {
            furniture(Surroundings {
                next: self.next().map(|next| &next.url),
                comments: self.found_comments(),
            })
        } else {
            Furniture::Unseen
        };
        without_furniture(self.page, chosen.clone(), furniture)
    }

    /// Returns a number of characters that the [content](Self::shown_content) has at least.
    fn least_shown(&self) -> usize {
        least_left(self.page, self.chosen(), self.found_comments()) as usize
    }

    fn found_comments(&self) -> Option<&Content> {
        let is_model = self.chosen().evidence == Evidence::Model;
        let find = || if is_model { comments(self.page, self.chosen(), self.scored.get()) } else { None };
        self.comments.get_or_init(find).as_ref()
    }

    /// Returns the content that the rule for the page, or else the model, chose.
    pub(crate) fn chosen(&self) -> &Content {
        self.chosen_by_scores(drop)
    }

    /// Returns the chosen content. If the model chooses it now, `take` gets the scores.
    fn chosen_by_scores(&self, take: impl FnOnce(JudgedPage<'p>)) -> &Content {
        self.chosen.get_or_init(|| {
            self.choose(|| {
                let judged = self.judged();
                let found = (judged.content(), judged.comments());
                take(judged);
                found
            })
        })
    }

    /// Scores the blocks of the page for its content, its comments and what explains them.
    pub(crate) fn judged(&self) -> JudgedPage<'p> {
        let next = self.next().map(|next| next.node);
        self.tsugi.content_model().detector().judged(self.page, next)
    }

    /// Chooses the content from the scores of an explanation, unless it was chosen before.
    // If the content is asked for first, an explanation scores the page again. Otherwise every look would hold the
    // scores and the context of its page for as long as it lives, and hardly any look is asked for reasons.
    pub(crate) fn choose_from(&self, judged: &JudgedPage<'_>) {
        self.chosen.get_or_init(|| self.choose(|| (judged.content(), judged.comments())));
    }

    /// Chooses the content; `by_model` finds content and comments where no rule and no markup does.
    fn choose(&self, by_model: impl FnOnce() -> (Content, Option<Content>)) -> Content {
        if let Some((node, score)) = self.page.article() {
            return drawn_content(node, score);
        }
        #[cfg(feature = "rules")]
        if let Some(rule) = self.rule() {
            return rule.content();
        }
        if let Some(own) = self.own() {
            if let Some(comments) = &own.comments {
                self.scored.get_or_init(|| comments.clone());
            }
            return own.content.clone();
        }
        if self.page.is_plain_text() {
            let nodes = self.page.first("body").into_iter().collect();
            return Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Markup };
        }
        let (found, comments) = by_model();
        if let Some(comments) = comments {
            self.scored.get_or_init(|| comments);
        }
        let found = without_head(self.page, found);
        let is_notice =
            found.score < UNSURE && weight(self.page, &found) < NOTICE && needs_scripts(self.page);
        if is_notice { Content::nothing(found.evidence) } else { found }
    }

    /// Returns the page as its scripts would draw it, if that says far more than the page itself.
    fn drawn(&self) -> Option<&DrawnPage> {
        let draw = || {
            let chosen = self.chosen();
            let much = if chosen.score < DOUBTFUL { LITTLE } else { NOTICE };
            if chosen.evidence.is_rule() || self.page.article().is_some() || self.page.is_plain_text() {
                return None;
            }
            // Most pages show enough even if as much of it as may be is furniture, which need not be found then.
            if self.least_shown() >= much {
                return None;
            }
            let weight = weight(self.page, self.shown_content().content);
            if weight >= much {
                return None;
            }
            let DataSearch { found, is_cut } = embedded(self.page);
            self.is_data_cut.set(is_cut);
            let found = found?;
            if found.weight < FAR_MORE * weight || (weight >= NOTICE && !found.is_own) {
                return None;
            }
            // The page is written with the article and parsed again, so that its head, links, writers and safety are those
            // of any page.
            let page = self.page.with_article(&found.html, if found.is_own { OWN } else { ANY });
            let (node, score) = page.article()?;
            let content = drawn_content(node, score);
            Some(Box::new(DrawnPage { page, content }))
        };
        self.drawn.get_or_init(draw).as_deref()
    }

    /// Returns the page that [`content`](Self::content) is part of, if that is not the page looked at but the page as its
    /// scripts would draw it. For callers that keep the content longer than the look.
    pub fn into_drawn(mut self) -> Option<Page> {
        self.take_drawn()
    }

    /// Returns why the content may be wrong, in words: a rule or the page's data took too much work, the page needs scripts,
    /// which were not run, or the model is unsure. `None` if nothing speaks against it.
    pub fn doubt(&self) -> Option<String> {
        let mut doubts: Vec<String> = self.doubt_of_rules().into_iter().collect();
        // A page that a rule covers need not be looked at by a detector.
        doubts.extend(self.own.get().iter().flat_map(|own| own.doubts.clone()));
        doubts.extend(self.doubt_of_content());
        doubts.extend(self.doubt_of_data());
        if doubts.is_empty() { None } else { Some(doubts.join("; ")) }
    }

    #[cfg_attr(not(feature = "rules"), expect(clippy::unused_self, reason = "there are no rules"))]
    fn doubt_of_rules(&self) -> Option<String> {
        #[cfg(feature = "rules")]
        if let Some(item) = self.rules().cut {
            return Some(format!(
                "the rule `{}` takes too much work on this page, and was given up",
                item.name
            ));
        }
        None
    }

    /// Returns a doubt if the article of a page that shows little may be in data that were given up.
    pub(crate) fn doubt_of_data(&self) -> Option<String> {
        self.drawn();
        let is_cut = self.is_data_cut.get();
        is_cut.then(|| "data in the page take too much work, and were not read to the end".to_owned())
    }

    fn doubt_of_content(&self) -> Option<String> {
        // Whatever furniture the content has, nothing below is true of it.
        if self.drawn().is_none() && self.chosen().score >= DOUBTFUL && self.least_shown() > 0 {
            return None;
        }
        let MainContent { page, content } = self.content();
        if content.evidence == Evidence::Embedded {
            let is_unsure = content.score < UNSURE;
            return is_unsure.then(|| {
                "the content comes from data in the page, and may belong to another page".to_owned()
            });
        }
        // A complete short page may ask for scripts too, to show its comments.
        let is_blank = content.nodes.is_empty() || content.score < DOUBTFUL;
        if is_blank && weight(page, content) < NOTICE && needs_scripts(self.page) {
            return Some("the page needs scripts, which were not run".to_owned());
        }
        let is_unsure =
            content.evidence == Evidence::Model && !content.nodes.is_empty() && content.score < UNSURE;
        is_unsure.then(|| format!("the content may be wrong (score {:.2})", content.score))
    }

    /// Returns `true` if the page shows almost nothing, and a browser may show more: its scripts draw it, or a frame holds it.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{Page, Tsugi};
    /// let page = Page::from_text("<div id=root></div><script src=/app.js></script>", &"https://a.test/".parse()?);
    /// assert!(Tsugi::new().look(&page).needs_browser());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn needs_browser(&self) -> bool {
        // First what is cheap: most pages show much.
        if !needs_scripts(self.page) && !may_show_more(self.page) {
            return false;
        }
        let MainContent { page, content } = self.content();
        let is_blank = content.nodes.is_empty() || content.score < DOUBTFUL;
        is_blank && content.evidence != Evidence::Embedded && weight(page, content) < NOTICE
    }

    /// Returns `true` if the page is among those that are wanted as a browser draws them.
    pub fn is_wanted_drawn(&self, drawing: Drawing) -> bool {
        match drawing {
            Drawing::Never => false,
            Drawing::Needed => self.needs_browser(),
            Drawing::Always => true,
        }
    }

    /// Returns what the page says about itself: title, authors, dates, language, and where it says so.
    pub fn metadata(&self) -> Metadata {
        let MainContent { page, content } = self.content();
        #[cfg_attr(not(feature = "rules"), expect(unused_mut, reason = "there are no rules"))]
        let mut metadata = Metadata::of(page, content);
        #[cfg(feature = "rules")]
        if let Some(rule) = self.rule() {
            let facts = rule.item.facts(self.page);
            let day = facts.date.and_then(|date| When::read(&date)).map(|when| when.day.to_string());
            metadata.title = facts.title.map(by_rule).or(metadata.title);
            metadata.authors = facts.author.map(|author| by_rule(vec![author])).or(metadata.authors);
            metadata.published = day.map(by_rule).or(metadata.published);
        }
        metadata
    }

    /// Returns the metadata if a rule says some of it.
    pub(crate) fn ruled_metadata(&self) -> Option<Metadata> {
        #[cfg(feature = "rules")]
        if self.rule().is_some_and(|rule| rule.item.says_facts()) {
            return Some(self.metadata());
        }
        None
    }

    /// Returns the control that shows that there is a next page without giving its address: a button, a form, or a link
    /// that runs a script. Worth asking if [`next`](Self::next) finds nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{Page, Tsugi};
    /// let html = "<p>Part 1 of a story.</p><div class=pagination><b>1</b> <a href='#'>2</a> <a href='#'>Next</a></div>";
    /// let page = Page::from_text(html, &"https://a.test/story".parse()?);
    /// let tsugi = Tsugi::new();
    /// assert!(tsugi.look(&page).unfollowable().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unfollowable(&self) -> Option<NodeId> {
        self.survey(LinkSurvey::unfollowable)
    }

    /// Returns addresses that may be the previous page, the likeliest first. The previous page is the one whose own next
    /// link leads here.
    pub fn previous(&self) -> Vec<Url> {
        self.survey(LinkSurvey::previous_candidates)
    }

    /// Returns why this page is not the first of its sequence, in words. `None` if it is the first, or if that is unsure.
    pub fn earlier(&self) -> Option<String> {
        match self.survey(LinkSurvey::earlier)? {
            Earlier::Number(number) => Some(format!("this is page {number}")),
            Earlier::Address(before) => Some(format!("the page before it is `{before}`")),
            Earlier::Previous(before) => {
                let is_chapter = self.next().is_some_and(|next| next.relation == Relation::Chapter);
                is_chapter.then(|| format!("the chapter before it is `{before}`"))
            }
            _ => None,
        }
    }

    /// Returns addresses that may hold the whole sequence on one page ("View all"), the likeliest first; of a page that a rule
    /// covers, the one that the rule names.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{Page, Tsugi};
    /// let html = "<p>Part 1.</p><p><b>1</b> <a href='?page=2'>2</a> <a href='?page=all'>View all</a></p>";
    /// let page = Page::from_text(html, &"https://a.test/story?page=1".parse()?);
    /// let tsugi = Tsugi::new();
    /// assert_eq!(tsugi.look(&page).single_page()[0].query(), Some("page=all"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn single_page(&self) -> Vec<Url> {
        #[cfg(feature = "rules")]
        if let Some(rule) = self.rule() {
            return rule.item.single_page(self.page).into_iter().collect();
        }
        self.survey(LinkSurvey::single_page_candidates)
    }

    /// Judges whether another page continues this one, as the target of its best link. `None` if this page has no link,
    /// or if there is no model that judges.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{Page, Tsugi};
    /// let page = |number: u32, pager: &str| {
    ///     let html = format!("<title>A story, page {number}</title><p>Part {number} of it.</p><p>{pager}</p>");
    ///     Page::from_text(&html, &format!("https://a.test/story?page={number}").parse().unwrap())
    /// };
    /// let one = page(1, "<b>1</b> <a href='?page=2'>2</a> <a rel=next href='?page=2'>Next page</a>");
    /// let two = page(2, "<a rel=prev href='?page=1'>Previous page</a> <a href='?page=1'>1</a> <b>2</b>");
    /// let tsugi = Tsugi::new();
    /// let verdict = tsugi.look(&one).is_continued_by(&tsugi.look(&two)).unwrap();
    /// println!("{:.2}: {:?}", verdict.score, verdict.reasons);
    /// ```
    pub fn is_continued_by(&self, after: &Look<'_>) -> Option<Verdict> {
        let (link, onward) = (self.best()?, after.best().map(|next| &next.url));
        let pair = Pair { before: self.facts(), link, after: after.facts(), onward };
        self.tsugi.judge(&pair)
    }

    /// Returns what judging the page takes. It has the content with its furniture, as the judge had in training.
    pub(crate) fn facts(&self) -> &PageFacts {
        self.facts.get_or_init(|| {
            let content = self.chosen();
            self.survey(LinkSurvey::facts).with_rest(self.page, content)
        })
    }

    /// Returns the content as documents have it: without share bars, buttons of posts and the like, and with the figure
    /// above the text.
    pub(crate) fn joined(&self) -> &Content {
        self.joined.get_or_init(|| {
            let content = self.without(Furniture::Document);
            if content.evidence == Evidence::Model { with_lead_figure(self.page, content) } else { content }
        })
    }

    pub(crate) fn shown_comments(&self) -> Option<&Content> {
        self.found_comments().filter(|found| has_comments(self.page, found))
    }

    /// Returns the page as its scripts would draw it, which replaces this one, if it is better.
    pub(crate) fn take_drawn(&mut self) -> Option<Page> {
        self.drawn();
        // The cell stays filled, so that the data are not read again.
        self.drawn.get_mut()?.take().map(|drawn| drawn.page)
    }

    /// Returns the address that the page passes on to by itself.
    pub(crate) fn refresh(&self) -> Option<Url> {
        self.survey(LinkSurvey::refresh)
    }

    /// Asks about the links of the page. A question must not ask the look for anything that needs links.
    pub(crate) fn survey<T>(&self, question: impl FnOnce(&LinkSurvey<'p>) -> T) -> T {
        let mut survey = self.survey.borrow_mut();
        question(survey.get_or_insert_with(|| LinkSurvey::of(self.page)))
    }

    /// Gives up what is known of the links, which takes as much memory as the tree of the page. Answers stay.
    pub(crate) fn forget_links(&self) {
        self.survey.take();
    }

    /// Returns the rule that covers the page.
    #[cfg(feature = "rules")]
    fn rule(&self) -> Option<&RuleMatch<'p>> {
        self.rules().found.as_ref()
    }

    #[cfg(feature = "rules")]
    fn rules(&self) -> &Search<'p> {
        self.rules.get_or_init(|| self.tsugi.rules().map(|rules| rules.search(self.page)).unwrap_or_default())
    }
}

/// Returns `true` for a link of the models that may lead to the next page, even if its score is below the threshold.
pub(crate) fn is_worth_a_try(link: &NextLink) -> bool {
    link.score >= LEAST_TRIED && !link.evidence.is_rule()
}

impl Debug for Look<'_> {
    /// Names the page; models and trees take megabytes as text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Look").field("page", self.page).finish_non_exhaustive()
    }
}

/// The main content of a page.
///
/// # Examples
///
/// ```
/// # let (tsugi, page) = include!("../doc/page.rs");
/// let look = tsugi.look(&page);
/// let content = look.content();
/// println!("{} nodes, score {:.2}", content.nodes().len(), content.score());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct MainContent<'l> {
    page: &'l Page,
    content: &'l Content,
}

impl<'l> MainContent<'l> {
    /// Returns the page that the nodes belong to: the page looked at, or the page as its scripts would draw it.
    pub fn page(&self) -> &'l Page {
        self.page
    }

    /// Returns its nodes, in document order; none lies within another.
    pub fn nodes(&self) -> &'l [NodeId] {
        &self.content.nodes
    }

    /// Returns what is left out of those nodes, in document order.
    pub fn without(&self) -> &'l [NodeId] {
        &self.content.without
    }

    /// Returns how sure it is, in [0, 1].
    pub fn score(&self) -> f32 {
        self.content.score
    }

    /// Returns what found it.
    pub fn evidence(&self) -> &'l Evidence {
        &self.content.evidence
    }

    /// Returns the content as text, with a newline between blocks. Powers, formulas and the like are written out.
    pub fn text(&self) -> String {
        ContentText::of(self.page, self.content).text
    }

    /// Returns the content as Markdown, with absolute links.
    pub fn markdown(&self) -> String {
        content_markdown(self.page, self.content)
    }

    /// Returns the content as HTML without anything active in it, with absolute links.
    pub fn html(&self) -> String {
        content_html(self.page, self.content)
    }

    /// Returns nodes, score and evidence as they can be kept. The nodes are those of [`page`](Self::page).
    pub fn as_content(&self) -> &'l Content {
        self.content
    }
}
#[cfg(feature = "rules")]
fn by_rule<T>(value: T) -> Said<T> {
    Said { value, by: Source::Rule }
}
