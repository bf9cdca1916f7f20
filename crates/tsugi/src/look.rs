//! One look at a page: everything that is asked of it is answered from one reading.

use crate::models::LinkModel;
use crate::tsugi::Tsugi;
use std::cell::OnceCell;
use std::ops::Deref;
use tsugi_follow::{PageLook, content_html, content_markdown};
use tsugi_metadata::Metadata;
use tsugi_next_link::{LinkSurvey, PageFacts, Pair};
use tsugi_page::{Content, NextLink, NodeId, Page, Url, Verdict};
#[cfg(feature = "rules")]
use tsugi_siteinfo::RuleMatch;

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
    content: OnceCell<Content>,
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
            content: OnceCell::new(),
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

    /// Returns the main content: what the rule for the page says, or else the model.
    pub fn content(&self) -> MainContent<'_> {
        let find = || {
            #[cfg(feature = "rules")]
            if let Some(rule) = self.rule() {
                return rule.content();
            }
            self.tsugi.content_model().find(self.page, self.next().map(|next| next.node))
        };
        MainContent { page: self.page, content: self.content.get_or_init(find) }
    }

    /// Reads what the page says of itself.
    pub fn metadata(&self) -> Metadata {
        Metadata::of(self.page, &self.content())
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
        self.facts.get_or_init(|| self.survey().facts(&self.content()))
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

    fn content(&self) -> &Content {
        self.content().content
    }

    fn unfollowable(&self) -> Option<NodeId> {
        self.unfollowable()
    }

    fn previous(&self) -> Vec<Url> {
        self.previous()
    }

    fn single_page(&self) -> Vec<Url> {
        self.single_page()
    }

    fn facts(&self, content: &Content) -> PageFacts {
        self.survey().facts(content)
    }
}

/// The main content of a page; see [`Content`] for its nodes and its score.
#[derive(Debug, Clone, Copy)]
pub struct MainContent<'l> {
    page: &'l Page,
    content: &'l Content,
}

impl MainContent<'_> {
    /// Returns the content as text, a newline between blocks.
    pub fn text(&self) -> String {
        self.page.text_of_content(&self.nodes, &self.without)
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
