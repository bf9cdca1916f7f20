//! The models and the rules, and what they do together.

use crate::detect::{Detect, Findings};
use crate::following::Following;
use crate::look::Look;
use crate::models::{ContentModel, JudgeModel, Lazy, LinkModel, RoleModel};
use crate::options::JoinOptions;
use crate::sight::Sight;
use std::fmt::{self, Debug};
use std::sync::{Arc, OnceLock};
use tsugi_document::{Document, Reassembly, stitch, stitch_text};
use tsugi_fetch::Fetch;
use tsugi_main_content::Focus;
use tsugi_next_link::{PageFacts, Pair};
use tsugi_page::{NextLink, Page, Response, Unavailable, Url, Verdict};
#[cfg(feature = "rules")]
use {
    tsugi_dates::When,
    tsugi_metadata::Metadata,
    tsugi_page::{NodeId, text},
    tsugi_siteinfo::{
        Siteinfo,
        learn::{FactNodes, Observed},
    },
};

/// The models, the rules and everything made from them: looks at pages, extracts them, joins them.
///
/// Pages that a rule covers are read by the rule, all others by the models. Models are loaded when they are first needed.
/// Threads can share one `Tsugi`, and a clone shares the models and rules with it.
///
/// # Examples
///
/// ```
/// let tsugi = tsugi::Tsugi::new();
/// let page = tsugi::Page::from_text("<p>Part 1.</p><a rel=next href=2>Next page</a>", &"https://a.test/1".parse()?);
/// assert!(tsugi.look(&page).next().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Tsugi {
    next: Arc<Lazy<LinkModel>>,
    content: Arc<Lazy<ContentModel>>,
    focus: Focus,
    /// The content model with the focus, if it is not balanced.
    focused: Arc<OnceLock<ContentModel>>,
    judge: Arc<Lazy<Option<JudgeModel>>>,
    roles: Arc<Lazy<Option<RoleModel>>>,
    own: Option<Arc<dyn Detect>>,
    #[cfg(feature = "rules")]
    rules: Option<Arc<Siteinfo>>,
}

impl Debug for Tsugi {
    /// Leaves the models out, which take megabytes as text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Tsugi");
        #[cfg(feature = "rules")]
        shown.field("items", &self.rules.as_ref().map_or(0, |rules| rules.items().len()));
        shown.field("focus", &self.focus).field("detector", &self.own).finish_non_exhaustive()
    }
}

impl Default for Tsugi {
    fn default() -> Tsugi {
        Tsugi::new()
    }
}

impl Tsugi {
    /// Returns a `Tsugi` with the built-in models and no rules.
    ///
    /// # Examples
    ///
    /// ```
    /// let tsugi = tsugi::Tsugi::new();
    /// ```
    pub fn new() -> Tsugi {
        Tsugi {
            next: Arc::new(Lazy::<LinkModel>::built_in()),
            content: Arc::new(Lazy::<ContentModel>::built_in()),
            focus: Focus::Balanced,
            focused: Arc::default(),
            judge: Arc::new(Lazy::<Option<JudgeModel>>::built_in()),
            roles: Arc::new(Lazy::<Option<RoleModel>>::built_in()),
            own: None,
            #[cfg(feature = "rules")]
            rules: None,
        }
    }

    /// Sets the rules, which take precedence over the models.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{Page, Tsugi, rules::Siteinfo};
    /// let rules = br#"[{"name": "A", "data": {"url": "^https://a\\.test/", "nextLink": "//a[@id='on']", "pageElement": "//main"}}]"#;
    /// let tsugi = Tsugi::new().with_rules(Siteinfo::read(rules)?);
    /// let page = Page::from_text("<main>One.</main><a id=on href=2>zzz</a>", &"https://a.test/1".parse()?);
    /// assert_eq!(tsugi.look(&page).content().evidence().rule(), Some("A"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "rules")]
    #[must_use]
    pub fn with_rules(mut self, rules: Siteinfo) -> Tsugi {
        self.rules = Some(Arc::new(rules));
        self
    }

    /// Replaces the model that finds next links.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{Tsugi, models::LinkModel};
    /// let file = std::fs::read("models/next-link.model")?;
    /// let tsugi = Tsugi::new().with_next_model(LinkModel::from_bytes(&file)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_next_model(mut self, model: LinkModel) -> Tsugi {
        self.next = Arc::new(Lazy::of(model));
        self
    }

    /// Replaces the model that finds main content.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{Tsugi, models::ContentModel};
    /// let file = std::fs::read("models/content.model")?;
    /// let tsugi = Tsugi::new().with_content_model(ContentModel::from_bytes(&file)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_content_model(mut self, model: ContentModel) -> Tsugi {
        self.content = Arc::new(Lazy::of(model));
        self.focused = Arc::default();
        self
    }

    /// Favours precision or recall in the main content that the model finds.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{Page, Tsugi, models::Focus};
    /// let html = "<nav><a href=/>Home</a></nav><main><h1>The mill</h1><p>It has ground corn for three hundred years, \
    ///     and the river has never once run dry.</p></main>";
    /// let page = Page::from_text(html, &"https://a.test/mill".parse()?);
    /// let precise = Tsugi::new().with_focus(Focus::Precision);
    /// assert!(!precise.look(&page).content().text().contains("Home"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_focus(mut self, focus: Focus) -> Tsugi {
        self.focus = focus;
        self.focused = Arc::default();
        self
    }

    /// Replaces the model that judges whether one page continues another. With `None`, a sequence ends only for reasons
    /// that need no model: no next link, a page seen before, a page without content.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{Tsugi, models::JudgeModel};
    /// let file = std::fs::read("models/continuation.model")?;
    /// let tsugi = Tsugi::new().with_judge(Some(JudgeModel::from_bytes(&file)?));
    /// let lenient = Tsugi::new().with_judge(None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_judge(mut self, judge: Option<JudgeModel>) -> Tsugi {
        self.judge = Arc::new(Lazy::of(judge));
        self
    }

    /// Replaces the model that tells the roles of text blocks. Without the feature `roles` there is no other.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{Tsugi, models::RoleModel};
    /// let file = std::fs::read("models/roles.model")?;
    /// let tsugi = Tsugi::new().with_role_model(RoleModel::from_bytes(&file)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_role_model(mut self, model: RoleModel) -> Tsugi {
        self.roles = Arc::new(Lazy::of(Some(model)));
        self
    }

    /// Asks a detector of the caller's own in place of the models. Rules come first, as always.
    ///
    /// What furniture is, how scripts would draw the page, which buttons hide a next page, and all checks of a join stay as they
    /// are.
    #[must_use]
    pub fn with_detector(mut self, detector: impl Detect + 'static) -> Tsugi {
        self.own = Some(Arc::new(detector));
        self
    }

    /// Returns a look at a page, which answers all questions about it from one reading.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (tsugi, page) = include!("../doc/page.rs");
    /// let look = tsugi.look(&page);
    /// assert_eq!(look.next().unwrap().url.path(), "/features/tide-mill/3.html");
    /// assert!(look.content().text().contains("tide"));
    /// ```
    pub fn look<'p>(&'p self, page: &'p Page) -> Look<'p> {
        Look::new(self, page)
    }

    /// Returns the main content of one page as a document, without the pages that its links lead to.
    ///
    /// Furniture, metadata, comments and formats are as in [`join`](Self::join). The document is whole, and
    /// [`Document::stopped`] names the next page, if there is one.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{JoinOptions, Page, Tsugi};
    /// let html = "<title>The mill</title><main><h1>The mill</h1><p>It stands by the <a href=/river>river</a>, \
    ///     where it has stood for three hundred years.</p></main><footer>Contact</footer>";
    /// let page = Page::from_text(html, &"https://a.test/mill".parse()?);
    /// let document = Tsugi::new().extract(page, &JoinOptions::default().links(false));
    /// assert_eq!(
    ///     document.markdown(),
    ///     "# The mill\n\nIt stands by the river, where it has stood for three hundred years.\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extract(&self, page: Page, options: &JoinOptions) -> Document {
        stitch(Following::alone(self, page, *options))
    }

    /// Returns the text of [`extract`](Self::extract), in less time: nothing else of the document is made.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{JoinOptions, Page, Tsugi};
    /// let html = "<title>The mill</title><main><h1>The mill</h1><p>It stands by the river, where it has stood \
    ///     for three hundred years.</p></main><footer>Contact</footer>";
    /// let page = Page::from_text(html, &"https://a.test/mill".parse()?);
    /// let text = Tsugi::new().extract_text(page, &JoinOptions::default());
    /// assert_eq!(text, "The mill\nIt stands by the river, where it has stood for three hundred years.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extract_text(&self, page: Page, options: &JoinOptions) -> String {
        stitch_text(Following::alone(self, page, *options))
    }

    /// Returns what is needed of a page to learn a rule for its site: see `tsugi_siteinfo::learn`.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (tsugi, page) = include!("../doc/page.rs");
    /// let observed = tsugi.observe(page);
    /// assert_eq!(observed.next.unwrap().url.path(), "/features/tide-mill/3.html");
    /// ```
    #[cfg(feature = "rules")]
    pub fn observe(&self, page: Page) -> Observed {
        let look = self.look(&page);
        let (next, content) = (look.best().cloned(), look.chosen().clone());
        let facts = fact_nodes(&page, &look.metadata());
        drop(look);
        Observed { page, next, content, facts }
    }

    /// Starts to follow next links from a page, without I/O: the caller fetches what is [wanted](Following::wanted).
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{JoinOptions, Response, Tsugi};
    /// let tsugi = Tsugi::new();
    /// let mut following = tsugi.follow("https://a.test/story?page=1".parse()?, &JoinOptions::default());
    /// while let Some(url) = following.wanted().cloned() {
    ///     let body = match url.query() {
    ///         Some("page=1") => {
    ///             "<title>The ferry</title><h1>The ferry</h1><p>It left at six in the morning, when the harbour was still asleep
    ///              and the nets hung wet.</p><a rel=next href='?page=2'>Next page</a>"
    ///         }
    ///         _ => {
    ///             "<title>The ferry</title><h1>The ferry</h1><p>It came back at nine in the evening, with the lamps lit and all
    ///              the passengers on deck.</p><a rel=prev href='?page=1'>Previous page</a>"
    ///         }
    ///     };
    ///     following.give(Ok(Response::new(url, body)));
    /// }
    /// assert_eq!(following.finish()?.into_document().pages.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn follow(&self, start: Url, options: &JoinOptions) -> Following {
        Following::new(self.clone(), start, *options)
    }

    /// Returns the pages of a sequence: the one at `start` and those that follow. `get` fetches a page; its answers are checked as
    /// [`Following::give`] does.
    ///
    /// # Errors
    ///
    /// Why the first page could not be fetched. A later failure ends the sequence: see [`Reassembly::stopped`].
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{JoinOptions, Response, StopReason, Tsugi};
    /// let get = |url: &tsugi::Url| Ok(Response::new(url.clone(), "<h1>A story</h1><p>It is short.</p>"));
    /// let pages = Tsugi::new().reassemble(&"https://a.test/story".parse()?, &JoinOptions::default(), get)?;
    /// assert_eq!((pages.parts.len(), pages.stopped.reason), (1, StopReason::NoNext));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reassemble(
        &self,
        start: &Url,
        options: &JoinOptions,
        mut get: impl FnMut(&Url) -> Result<Response, Unavailable>,
    ) -> Result<Reassembly, Unavailable> {
        self.follow(start.clone(), options).run(|url, _| Some(get(url)))
    }

    /// Returns one document of the page at `start` and those that follow it. `pages` is where they come from: the network, an
    /// archive, files, or the caller's own storage.
    ///
    /// # Errors
    ///
    /// Why the first page could not be fetched. A later failure ends the document: see [`Document::stopped`].
    ///
    /// # Examples
    ///
    /// ```
    /// # #[cfg(feature = "files")]
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::path::Path;
    /// use tsugi::{Files, Tsugi, fetch::file_url};
    /// let folder = Path::new("examples/pages/english-article");
    /// let document = Tsugi::new().join(&file_url(&folder.join("1.html"))?, &Files::below(folder)?)?;
    /// assert_eq!(document.pages.len(), 4);
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "files"))]
    /// # fn main() {}
    /// ```
    pub fn join(&self, start: &Url, pages: &(impl Fetch + ?Sized)) -> Result<Document, Unavailable> {
        self.join_with(start, pages, &JoinOptions::default())
    }

    /// As [`join`](Self::join), with options.
    ///
    /// # Errors
    ///
    /// As [`join`](Self::join).
    pub fn join_with(
        &self,
        start: &Url,
        pages: &(impl Fetch + ?Sized),
        options: &JoinOptions,
    ) -> Result<Document, Unavailable> {
        let get = |url: &Url| pages.fetch(url).map_err(|error| error.into_unavailable(url));
        self.reassemble(start, options, get).map(stitch)
    }

    /// As [`join_with`](Self::join_with), with pages that an asynchronous function fetches.
    ///
    /// It brings no runtime and starts no thread. Reading a page takes milliseconds, the first one longer, since the models are
    /// loaded: [`read_ahead`](Self::read_ahead) can do that before.
    ///
    /// # Errors
    ///
    /// As [`join`](Self::join).
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{Document, JoinOptions, Response, Tsugi, Unavailable, Url};
    ///
    /// async fn join(tsugi: &Tsugi, start: Url) -> Result<Document, Unavailable> {
    ///     let get = async |url: &Url| {
    ///         // … await a client's answer …
    ///         Ok(Response::new(url.clone(), "<h1>A story</h1><p>It is short.</p>"))
    ///     };
    ///     tsugi.join_async(start, &JoinOptions::default(), get).await
    /// }
    /// ```
    pub async fn join_async(
        &self,
        start: Url,
        options: &JoinOptions,
        mut get: impl AsyncFnMut(&Url) -> Result<Response, Unavailable>,
    ) -> Result<Document, Unavailable> {
        let mut following = self.follow(start, options);
        while let Some(url) = following.wanted() {
            let answer = get(url).await;
            following.give(answer);
        }
        following.finish().map(stitch)
    }

    /// Loads the content model now, on a thread that has nothing better to do. With rules it does nothing, since rules may
    /// cover all pages.
    ///
    /// # Examples
    ///
    /// ```
    /// let tsugi = tsugi::Tsugi::new();
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| tsugi.read_ahead());
    ///     // … fetch the first page …
    /// });
    /// ```
    pub fn read_ahead(&self) {
        #[cfg(feature = "rules")]
        if self.rules.is_some() {
            return;
        }
        self.content_model();
    }

    /// Returns the lowest score, in [0, 1], at which a link found by the model counts as a next-page link.
    pub fn threshold(&self) -> f32 {
        self.next_model().detector().threshold()
    }

    /// Returns the model that finds next links.
    pub fn next_model(&self) -> &LinkModel {
        self.next.get()
    }

    /// Returns the model that finds main content.
    pub fn content_model(&self) -> &ContentModel {
        match self.focus {
            Focus::Balanced => self.content.get(),
            focus => self.focused.get_or_init(|| self.content.get().with_focus(focus)),
        }
    }

    /// Returns the model that judges whether one page continues another, if there is one.
    pub fn judge_model(&self) -> Option<&JudgeModel> {
        self.judge.get().as_ref()
    }

    /// `None` without the feature `roles`, unless the caller has one.
    pub(crate) fn role_model(&self) -> Option<&RoleModel> {
        self.roles.get().as_ref()
    }

    /// Judges whether the page `after` continues the page of the facts `before`, whose link led to it. `None` if no model
    /// judges; checks that need no model are made anyway.
    pub(crate) fn judge_next(
        &self,
        before: &PageFacts,
        link: &NextLink,
        after: &mut Sight,
    ) -> Option<Verdict> {
        if !self.can_judge() {
            return None;
        }
        let onward = after.best.as_ref().map(|next| next.url.clone());
        self.judge(&Pair { before, link, after: after.facts(), onward: onward.as_ref() })
    }

    /// Returns `true` if a detector of the caller's own or a model judges pairs.
    pub(crate) fn can_judge(&self) -> bool {
        self.detector().is_some() || self.judge_model().is_some()
    }

    pub(crate) fn detector(&self) -> Option<&dyn Detect> {
        self.own.as_deref()
    }

    #[cfg(feature = "rules")]
    pub(crate) fn rules(&self) -> Option<&Siteinfo> {
        self.rules.as_deref()
    }
}

impl Detect for Tsugi {
    fn find(&self, page: &Page) -> Findings {
        Look::new(self, page).into_findings()
    }

    fn judge(&self, pair: &Pair<'_>) -> Option<Verdict> {
        match &self.own {
            Some(own) => own.judge(pair),
            None => self.judge_model().map(|judge| judge.judge(pair)),
        }
    }
}

/// Returns the elements of a page that say its title, one of its authors, or its date, and nothing else.
#[cfg(feature = "rules")]
fn fact_nodes(page: &Page, said: &Metadata) -> FactNodes {
    const LONGEST: u32 = 300;
    const LONGEST_DATE: usize = 60;
    let mut facts = FactNodes::default();
    let inside = page.first("body").map_or(0..0, |body| body.index()..page.subtree_end(body));
    let short = |node: &NodeId| (1..=LONGEST).contains(&page.totals(*node).characters);
    for node in page.elements().filter(|node| inside.contains(&node.index()) && short(node)) {
        let text = text::fold(page.string_value(node));
        let is_one_of = |values: &[String]| values.iter().any(|value| value.eq_ignore_ascii_case(&text));
        if said.title.as_ref().is_some_and(|title| title.value.eq_ignore_ascii_case(&text)) {
            facts.title.push(node);
        }
        if said.authors.as_ref().is_some_and(|authors| is_one_of(&authors.value)) {
            facts.author.push(node);
        }
        let day = || Some(When::read(&text)?.day.to_string());
        let is_day = |published: &str| day().is_some_and(|day| published.starts_with(&day));
        if text.len() <= LONGEST_DATE && said.published.as_ref().is_some_and(|date| is_day(&date.value)) {
            facts.date.push(node);
        }
    }
    facts
}

#[cfg(all(test, feature = "rules"))]
mod tests {
    use super::*;

    #[test]
    fn where_there_are_rules_no_model_is_read_ahead() {
        for (tsugi, is_read) in
            [(Tsugi::new(), true), (Tsugi::new().with_rules(Siteinfo::read(b"[]").unwrap()), false)]
        {
            tsugi.read_ahead();
            assert_eq!((tsugi.next.is_read(), tsugi.content.is_read()), (false, is_read));
        }
    }
}
