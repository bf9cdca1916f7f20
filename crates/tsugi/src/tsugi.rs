//! Models and rules together.

use crate::look::Look;
use crate::models::{ContentModel, Lazy, LinkModel};
use tsugi_follow::{Detector, Document, ExtractOptions, Following, Limits, Reassembly, extract};
use tsugi_main_content::Focus;
use tsugi_next_link::{PageFacts, Pair, PairDetector};
use tsugi_page::{NextLink, Page, Response, Unavailable, Url, Verdict};
#[cfg(feature = "rules")]
use tsugi_siteinfo::{Siteinfo, learn::Observed};
#[cfg(feature = "fetch")]
use {tsugi_fetch::Fetch, tsugi_follow::stitch};

/// Finds next-page links and main content, judges pairs of pages, and joins what belongs together. A page that a rule
/// covers is read by the rule, any other by the models.
#[derive(Debug)]
pub struct Tsugi {
    next: Lazy<LinkModel>,
    content: Lazy<ContentModel>,
    judge: Lazy<Option<PairDetector>>,
    #[cfg(feature = "rules")]
    rules: Option<Siteinfo>,
}

impl Default for Tsugi {
    fn default() -> Tsugi {
        Tsugi::new()
    }
}

impl Tsugi {
    /// Takes the built-in models, each of which is read when it is first needed, and no rules.
    pub fn new() -> Tsugi {
        Tsugi {
            next: Lazy::<LinkModel>::built_in(),
            content: Lazy::<ContentModel>::built_in(),
            judge: Lazy::<Option<PairDetector>>::built_in(),
            #[cfg(feature = "rules")]
            rules: None,
        }
    }

    /// Asks these rules before the models.
    #[cfg(feature = "rules")]
    #[must_use]
    pub fn with_rules(mut self, rules: Siteinfo) -> Tsugi {
        self.rules = Some(rules);
        self
    }

    /// Takes another model of next links.
    #[must_use]
    pub fn with_next_model(mut self, model: LinkModel) -> Tsugi {
        self.next.set(model);
        self
    }

    /// Takes another model of main content.
    #[must_use]
    pub fn with_content_model(mut self, model: ContentModel) -> Tsugi {
        self.content.set(model);
        self
    }

    /// Favours precision or recall in the main content that the model finds.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{Focus, Page, Tsugi};
    /// let html = "<nav><a href=/>Home</a></nav><main><h1>The mill</h1><p>It has ground corn for three hundred years, \
    ///     and the river has never once run dry.</p></main>";
    /// let page = Page::from_text(html, &"https://a.test/mill".parse()?);
    /// let precise = Tsugi::new().with_focus(Focus::Precision);
    /// assert!(!precise.look(&page).content().text().contains("Home"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_focus(mut self, focus: Focus) -> Tsugi {
        if focus != Focus::Balanced {
            let model = self.content.get().clone().with_focus(focus);
            self.content.set(model);
        }
        self
    }

    /// Takes another judge of pairs of pages; with `None` nobody judges, and only what can be told without a model ends a
    /// sequence.
    #[must_use]
    pub fn with_judge(mut self, judge: Option<PairDetector>) -> Tsugi {
        self.judge.set(judge);
        self
    }

    /// Looks at a page: whatever is asked of it is answered from one reading.
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
    /// use tsugi::{ExtractOptions, Format, Page, Shown, Tsugi};
    /// let html = "<title>The mill</title><main><h1>The mill</h1><p>It stands by the <a href=/river>river</a>, \
    ///     where it has stood for three hundred years.</p></main><footer>Contact</footer>";
    /// let page = Page::from_text(html, &"https://a.test/mill".parse()?);
    /// let shown = Shown { links: false, ..Shown::default() };
    /// let document = Tsugi::new().extract(page, ExtractOptions { shown, ..ExtractOptions::default() });
    /// let mut markdown = Vec::new();
    /// document.write(Format::Markdown, &mut markdown)?;
    /// assert_eq!(
    ///     String::from_utf8(markdown)?,
    ///     "# The mill\n\nIt stands by the river, where it has stood for three hundred years.\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extract(&self, page: Page, options: ExtractOptions) -> Document {
        extract(self, page, options)
    }

    /// Looks at a page, for learning its site's item.
    #[cfg(feature = "rules")]
    pub fn observe(&self, page: Page) -> Observed {
        let look = self.look(&page);
        let (next, content) = (look.best().cloned(), look.chosen().clone());
        drop(look);
        Observed { page, next, content }
    }

    /// Begins to follow from a page, without I/O: the caller gets what is [wanted](Following::wanted).
    pub fn follow(&self, start: Url, limits: Limits) -> Following<&Tsugi> {
        Following::new(self, start, limits)
    }

    /// Follows from a page, which `get` gets, and those after it.
    ///
    /// # Errors
    ///
    /// Why the first page cannot be had. What fails later ends the sequence: see [`Reassembly::stopped`].
    pub fn reassemble(
        &self,
        start: &Url,
        limits: Limits,
        get: impl Fn(&Url) -> Result<Response, Unavailable>,
    ) -> Result<Reassembly, Unavailable> {
        let mut following = self.follow(start.clone(), limits);
        while let Some(url) = following.wanted() {
            let answer = get(url);
            following.give(answer);
        }
        following.finish()
    }

    /// Joins a page with those that its next-page links lead to.
    ///
    /// # Errors
    ///
    /// Why the first page cannot be had. What fails later ends the document: see [`Document::stopped`].
    #[cfg(feature = "fetch")]
    pub fn join(&self, start: &Url, pages: &impl Fetch) -> Result<Document, Unavailable> {
        self.join_within(start, pages, Limits::default())
    }

    /// Joins a page with those that its next-page links lead to, within limits.
    ///
    /// # Errors
    ///
    /// As [`join`](Self::join).
    #[cfg(feature = "fetch")]
    pub fn join_within(
        &self,
        start: &Url,
        pages: &(impl Fetch + ?Sized),
        limits: Limits,
    ) -> Result<Document, Unavailable> {
        let get = |url: &Url| pages.fetch(url).map_err(Unavailable::from);
        Ok(stitch(self.reassemble(start, limits, get)?))
    }

    /// Reads the content model ahead, which every page needs that no rule covers. Where there are rules, no page may need
    /// it, and it is not read.
    pub fn read_ahead(&self) {
        #[cfg(feature = "rules")]
        if self.rules.is_some() {
            return;
        }
        self.content.get();
    }

    /// Returns the model of next links.
    pub fn next_model(&self) -> &LinkModel {
        self.next.get()
    }

    /// Returns the model of main content.
    pub fn content_model(&self) -> &ContentModel {
        self.content.get()
    }

    /// Returns the judge of pairs of pages, if there is one.
    pub fn judge_model(&self) -> Option<&PairDetector> {
        self.judge.get().as_ref()
    }

    #[cfg(feature = "rules")]
    pub(crate) fn rules(&self) -> Option<&Siteinfo> {
        self.rules.as_ref()
    }
}

impl Detector for Tsugi {
    type Look<'p> = Look<'p>;
    type Facts = PageFacts;

    fn look<'p>(&'p self, page: &'p Page) -> Look<'p> {
        self.look(page)
    }

    fn judge(
        &self,
        before: &PageFacts,
        link: &NextLink,
        after: &PageFacts,
        onward: Option<&NextLink>,
    ) -> Option<Verdict> {
        let link = (&link.url, link.relation);
        Some(self.judge_model()?.judge(&Pair { before, link, after, onward: onward.map(|next| &next.url) }))
    }
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
