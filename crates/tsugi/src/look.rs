//! One look at a page: everything that is asked of it is answered from one reading.

use crate::models::LinkModel;
use crate::tsugi::Tsugi;
use std::cell::OnceCell;
use std::ops::Deref;
use tsugi_follow::{ContentText, PageLook, content_html, content_markdown};
use tsugi_main_content::{
    Around, Furniture, comments, embedded, has_comments, needs_scripts, without_furniture,
};
use tsugi_metadata::Metadata;
use tsugi_next_link::{Earlier, LinkSurvey, PageFacts, Pair};
use tsugi_page::text::is_cjk;
use tsugi_page::{Content, Evidence, NextLink, NodeId, Page, Relation, Tag, Url, Verdict};
#[cfg(feature = "rules")]
use tsugi_siteinfo::RuleMatch;

/// Content with less text than this may be a notice, in characters; those of scripts without spaces count twice.
const NOTICE: usize = 150;
/// Content with less text may be a part of what the page's data hold.
const LITTLE: usize = 1000;
/// How much more text the data have to hold to stand for what the page shows.
const FAR_MORE: usize = 3;
/// Content of a lower score is one that data may stand for. Of the labelled pages of three data sets with a score from
/// .5 to .7, one in three has content with a text F below .5; of those from .7 to .9, one in ten.
const DOUBTFUL: f32 = 0.7;
/// Content of a lower score is more often wrong than right: three of four of those pages.
const UNSURE: f32 = 0.5;
/// A `title` with more characters is one that is not closed, which has swallowed the page.
const LONGEST_TITLE: u32 = 2000;

/// The scores of an article in a page's data: of one that they call the page's own, and of any other.
const OWN: f32 = 0.9;
const ANY: f32 = 0.4;

/// A page as its scripts would draw it.
#[derive(Debug)]
struct Drawn {
    page: Page,
    content: Content,
}

fn drawn_content(node: NodeId, score: f32) -> Content {
    Content { nodes: vec![node], without: Vec::new(), score, evidence: Evidence::Embedded }
}

/// Characters of content; those of scripts without spaces count twice.
fn weight(page: &Page, content: &Content) -> usize {
    let characters = |ids: &[NodeId]| -> u32 { ids.iter().map(|id| page.totals(*id).characters).sum() };
    let shown = characters(&content.nodes).saturating_sub(characters(&content.without)) as usize;
    if shown >= LITTLE {
        return shown;
    }
    shown + page.text_of_content(&content.nodes, &content.without).chars().filter(|c| is_cjk(*c)).count()
}

/// Takes the head out of the content: nobody sees it.
fn without_head(page: &Page, mut content: Content) -> Content {
    let titles = page.elements().filter(|id| page.is_tag(*id, Tag::Title));
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

/// A page that is looked at: it holds the survey of the page's links, the rule that covers the page, and what the page is
/// compared by. Each is made when it is first needed, and once.
#[derive(Debug)]
pub struct Look<'p> {
    tsugi: &'p Tsugi,
    page: &'p Page,
    #[cfg(feature = "rules")]
    rule: OnceCell<Option<RuleMatch<'p>>>,
    survey: OnceCell<LinkSurvey<'p>>,
    best: OnceCell<Option<NextLink>>,
    chosen: OnceCell<Content>,
    comments: OnceCell<Option<Content>>,
    content: OnceCell<Content>,
    joined: OnceCell<Content>,
    drawn: OnceCell<Option<Box<Drawn>>>,
    facts: OnceCell<PageFacts>,
}

impl<'p> Look<'p> {
    pub(crate) fn new(tsugi: &'p Tsugi, page: &'p Page) -> Look<'p> {
        Look {
            tsugi,
            page,
            #[cfg(feature = "rules")]
            rule: OnceCell::new(),
            survey: OnceCell::new(),
            best: OnceCell::new(),
            chosen: OnceCell::new(),
            comments: OnceCell::new(),
            content: OnceCell::new(),
            joined: OnceCell::new(),
            drawn: OnceCell::new(),
            facts: OnceCell::new(),
        }
    }

    /// Returns the page.
    pub fn page(&self) -> &'p Page {
        self.page
    }

    /// Returns the next-page link; `None` where the page has none.
    pub fn next(&self) -> Option<&NextLink> {
        self.best().filter(|link| self.accepts(link))
    }

    /// Returns the best next-page link, however unsure: what the rule for the page says, or else the model. `None` where
    /// the rule says that the page is the last one, and where the page has no candidate worth a score.
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
            match self.tsugi.next_model() {
                LinkModel::Product(detector) => detector.best(self.survey()),
                LinkModel::Paper(detector) => detector.best(self.page),
            }
        };
        self.best.get_or_init(find).as_ref()
    }

    /// Returns the score from which on a link of the model counts as a next-page link.
    pub fn threshold(&self) -> f32 {
        self.tsugi.next_model().threshold()
    }

    /// Returns `true` if a link of this page counts as a next-page link. What a rule found needs no model's threshold.
    pub fn accepts(&self, link: &NextLink) -> bool {
        link.evidence.is_rule() || link.score >= self.threshold()
    }

    /// Returns the main content: what the rule for the page says, or else the model, without what is hidden in it and
    /// without the marks at headings. What a model chose is also rid of what is left of a pager, and of the comments. Of a
    /// page that shows little itself it is the article that its data hold ([`Evidence::Embedded`]); then the nodes are those
    /// of [`MainContent::page`].
    pub fn content(&self) -> MainContent<'_> {
        match self.drawn() {
            Some(drawn) => MainContent { page: &drawn.page, content: &drawn.content },
            None => MainContent { page: self.page, content: self.shown_content() },
        }
    }

    /// Returns the main content of what the page itself shows, whatever its data hold.
    pub fn shown_content(&self) -> &Content {
        self.content.get_or_init(|| self.without(Furniture::Page))
    }

    /// Returns the comments of an article, which are no part of its content; `None` where none were found, and on pages
    /// whose posts are the content: forums, questions and answers.
    pub fn comments(&self) -> Option<MainContent<'_>> {
        PageLook::comments(self).map(|content| MainContent { page: self.page, content })
    }

    /// What is chosen without furniture; where no model chose, only without what nobody sees.
    fn without<'a>(&'a self, furniture: impl FnOnce(Around<'a>) -> Furniture<'a>) -> Content {
        let chosen = self.chosen();
        let furniture = if chosen.evidence == Evidence::Model {
            furniture(Around { next: self.next().map(|next| &next.url), comments: self.found_comments() })
        } else {
            Furniture::Unseen
        };
        without_furniture(self.page, chosen.clone(), furniture)
    }

    fn found_comments(&self) -> Option<&Content> {
        let is_model = self.chosen().evidence == Evidence::Model;
        let find = || if is_model { comments(self.page, self.chosen()) } else { None };
        self.comments.get_or_init(find).as_ref()
    }

    /// What the rule for the page, or else the model, chose as content.
    pub(crate) fn chosen(&self) -> &Content {
        self.chosen.get_or_init(|| self.choose())
    }

    fn choose(&self) -> Content {
        if let Some((node, score)) = self.page.article() {
            return drawn_content(node, score);
        }
        #[cfg(feature = "rules")]
        if let Some(rule) = self.rule() {
            return rule.content();
        }
        if self.page.is_plain_text() {
            let nodes = self.page.first("body").into_iter().collect();
            return Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Markup };
        }
        let found = self.tsugi.content_model().find(self.page, self.next().map(|next| next.node));
        let found = without_head(self.page, found);
        let is_notice =
            found.score < UNSURE && weight(self.page, &found) < NOTICE && needs_scripts(self.page);
        if is_notice { Content::nothing(found.evidence) } else { found }
    }

    /// The page as its scripts would draw it, where that says far more than the page itself.
    fn drawn(&self) -> Option<&Drawn> {
        let draw = || {
            let shown = self.shown_content();
            let weight = weight(self.page, shown);
            let is_weak = weight < NOTICE || (weight < LITTLE && shown.score < DOUBTFUL);
            let is_weak = is_weak && !shown.evidence.is_rule();
            if self.page.article().is_some() || self.page.is_plain_text() || !is_weak {
                return None;
            }
            let found = embedded(self.page)?;
            if found.weight < FAR_MORE * weight || (weight >= NOTICE && !found.is_own) {
                return None;
            }
            let page = self.page.with_article(&found.html, if found.is_own { OWN } else { ANY });
            let (node, score) = page.article()?;
            let content = drawn_content(node, score);
            Some(Box::new(Drawn { page, content }))
        };
        self.drawn.get_or_init(draw).as_deref()
    }

    /// Returns what is doubtful about the content, in words: the page needs scripts, which are never run, or the model is
    /// not sure.
    pub fn doubt(&self) -> Option<String> {
        let content = self.content();
        if content.evidence == Evidence::Embedded {
            let is_unsure = content.score < UNSURE;
            return is_unsure
                .then(|| "the content is taken from the page's data, and may be another page's".to_owned());
        }
        // A short page may ask for scripts as well, to show its comments.
        let is_blank = content.nodes.is_empty() || content.score < DOUBTFUL;
        if is_blank && weight(self.page, &content) < NOTICE && needs_scripts(self.page) {
            return Some("the page needs scripts, which are not run".to_owned());
        }
        let is_unsure =
            content.evidence == Evidence::Model && !content.nodes.is_empty() && content.score < UNSURE;
        is_unsure.then(|| format!("the content may be wrong, score {:.2}", content.score))
    }

    /// Reads what the page says of itself.
    pub fn metadata(&self) -> Metadata {
        let content = self.content();
        Metadata::of(content.page(), &content)
    }

    /// Returns what shows that there is a next page though no address leads there: a button, a form, a link that runs a
    /// script. Worth asking where [`next`](Self::next) finds nothing.
    pub fn unfollowable(&self) -> Option<NodeId> {
        self.survey().unfollowable()
    }

    /// Returns addresses that may be the page before this one, the likeliest first. Whether one is, the page there tells,
    /// whose next link leads here.
    pub fn previous(&self) -> Vec<Url> {
        self.survey().previous_candidates()
    }

    /// Returns what shows that this page is not the first of its sequence, in words; `None` where that is not sure.
    pub fn earlier(&self) -> Option<String> {
        match self.survey().earlier()? {
            Earlier::Number(number) => Some(format!("this is page {number}")),
            Earlier::Address(before) => Some(format!("the page before it is `{before}`")),
            Earlier::Previous(before) => {
                let is_chapter = self.next().is_some_and(|next| next.relation == Relation::Chapter);
                is_chapter.then(|| format!("the chapter before it is `{before}`"))
            }
            _ => None,
        }
    }

    /// Returns addresses that may hold all pages of this page's sequence on one ("view all"), the likeliest first.
    pub fn single_page(&self) -> Vec<Url> {
        self.survey().single_page_candidates()
    }

    /// Judges whether another page is the one that this page's best link leads to: its continuation. `None` where this
    /// page has no link, and where nobody judges.
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
        let pair = Pair {
            before: self.facts_once(),
            link: (&link.url, link.relation),
            after: after.facts_once(),
            onward,
        };
        Some(self.tsugi.judge_model()?.judge(&pair))
    }

    fn facts_once(&self) -> &PageFacts {
        self.facts.get_or_init(|| PageLook::facts(self))
    }

    fn survey(&self) -> &LinkSurvey<'p> {
        self.survey.get_or_init(|| LinkSurvey::of(self.page))
    }

    /// The rule that covers the page.
    #[cfg(feature = "rules")]
    fn rule(&self) -> Option<&RuleMatch<'p>> {
        self.rule.get_or_init(|| self.tsugi.rules()?.find(self.page)).as_ref()
    }
}

impl PageLook for Look<'_> {
    type Facts = PageFacts;

    fn best(&self) -> Option<&NextLink> {
        self.best()
    }

    fn threshold(&self) -> f32 {
        self.threshold()
    }

    fn accepts(&self, link: &NextLink) -> bool {
        self.accepts(link)
    }

    /// What of the page is in a document: the content, without share bars, buttons of posts and the like.
    fn content(&self) -> &Content {
        self.joined.get_or_init(|| self.without(Furniture::Document))
    }

    fn comments(&self) -> Option<&Content> {
        self.found_comments().filter(|found| has_comments(self.page, found))
    }

    fn take_drawn(&mut self) -> Option<Page> {
        self.drawn();
        self.drawn.take().flatten().map(|drawn| drawn.page)
    }

    fn doubt(&self) -> Option<String> {
        self.doubt()
    }

    fn unfollowable(&self) -> Option<NodeId> {
        self.unfollowable()
    }

    fn previous(&self) -> Vec<Url> {
        self.previous()
    }

    fn earlier(&self) -> Option<String> {
        self.earlier()
    }

    fn single_page(&self) -> Vec<Url> {
        self.single_page()
    }

    /// The judge was trained on what models choose, furniture included.
    fn facts(&self) -> PageFacts {
        self.survey().facts(self.chosen())
    }
}

/// The main content of a page; see [`Content`] for its nodes and its score.
#[derive(Debug, Clone, Copy)]
pub struct MainContent<'l> {
    page: &'l Page,
    content: &'l Content,
}

impl<'l> MainContent<'l> {
    /// Returns the page that the nodes are of: the one that is looked at, or the one that its scripts would draw.
    pub fn page(&self) -> &'l Page {
        self.page
    }

    /// Returns the content as text, a newline between blocks; powers, formulas and the like as they are read.
    pub fn text(&self) -> String {
        ContentText::of(self.page, self.content).text
    }

    /// Returns the content as Markdown, links absolute.
    pub fn markdown(&self) -> String {
        content_markdown(self.page, self.content)
    }

    /// Returns the content as HTML with nothing active in it, links absolute.
    pub fn html(&self) -> String {
        content_html(self.page, self.content)
    }
}

impl Deref for MainContent<'_> {
    type Target = Content;

    fn deref(&self) -> &Content {
        self.content
    }
}
