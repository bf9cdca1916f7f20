//! How far to follow, and what to keep.

use std::num::NonZeroUsize;
use tsugi_document::{Comments, Shown};
use tsugi_main_content::RoleSet;
use tsugi_page::Relation;

/// How far to follow, and what to keep. The default follows at most 100 pages forward from the given one, with the detector's own
/// threshold, drops the comments, and keeps links, images and tables.
///
/// # Examples
///
/// ```
/// use tsugi::JoinOptions;
/// let options = JoinOptions::default().max_pages(20).from_start(true).images(false);
/// assert!(JoinOptions::default().min_score(1.5).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JoinOptions {
    pub(crate) max_pages: NonZeroUsize,
    pub(crate) min_score: Option<f32>,
    pub(crate) relation: Option<Relation>,
    pub(crate) from_start: bool,
    pub(crate) single_page: bool,
    pub(crate) comments: Comments,
    pub(crate) keep: Option<RoleSet>,
    pub(crate) drawing: Drawing,
    pub(crate) shown: Shown,
}

/// Which pages are wanted as a browser draws them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Drawing {
    /// None: the caller has no browser.
    #[default]
    Never,
    /// Those whose answers show almost nothing ([`Look::needs_browser`](crate::Look::needs_browser)).
    Needed,
    /// All.
    Always,
}

/// A score that is not in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{0} is no score: expected a number from 0 to 1")]
pub struct ScoreError(f32);

impl Default for JoinOptions {
    fn default() -> Self {
        JoinOptions {
            max_pages: const { NonZeroUsize::new(100).expect("100 is not zero") },
            min_score: None,
            relation: None,
            from_start: false,
            single_page: false,
            comments: Comments::default(),
            keep: None,
            drawing: Drawing::Never,
            shown: Shown::default(),
        }
    }
}

impl JoinOptions {
    /// Sets the most pages to join. The first page counts, and is joined in any case.
    #[must_use]
    pub fn max_pages(mut self, pages: usize) -> Self {
        self.max_pages = NonZeroUsize::new(pages).unwrap_or(NonZeroUsize::MIN);
        self
    }

    /// Sets the lowest score of a link to follow; `None` for the detector's own threshold.
    ///
    /// # Errors
    ///
    /// [`ScoreError`] if the score is not in [0, 1].
    pub fn min_score(mut self, score: impl Into<Option<f32>>) -> Result<Self, ScoreError> {
        self.min_score = score.into();
        match self.min_score.filter(|score| !(0.0..=1.0).contains(score)) {
            Some(score) => Err(ScoreError(score)),
            None => Ok(self),
        }
    }

    /// Follows links of this relation only; `None` for any.
    #[must_use]
    pub fn relation(mut self, relation: impl Into<Option<Relation>>) -> Self {
        self.relation = relation.into();
        self
    }

    /// Goes back to the first page before joining, if the given page is inside a sequence.
    #[must_use]
    pub fn from_start(mut self, from_start: bool) -> Self {
        self.from_start = from_start;
        self
    }

    /// Replaces the pages by a single page that holds all of them, if there is one.
    #[must_use]
    pub fn single_page(mut self, single_page: bool) -> Self {
        self.single_page = single_page;
        self
    }

    /// Says what becomes of the comments below an article.
    #[must_use]
    pub fn comments(mut self, comments: Comments) -> Self {
        self.comments = comments;
        self
    }

    /// Keeps the parts of each page that have one of these roles; `None` for a document as readers want it. Content that a rule
    /// chose, or that only scripts would show, stays as it is, and so does all content where [no model](crate::Look::roles) tells
    /// roles.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi::{JoinOptions, Page, Tsugi, roles::RoleSet};
    /// let text = "The water came over the wall in the night, and nobody in the village heard it until the morning. ";
    /// let html = format!("<title>Flood</title><article><h1>Flood</h1><p class=byline>By Ann Lee, 12 May 2020</p>\
    ///     <p>{0}{0}<p>{0}{0}</article><div class=related><h2>Read more</h2><a href=/x>Frost in the valley</a></div>", text);
    /// let page = Page::from_text(&html, &"https://a.test/flood".parse()?);
    /// let document = Tsugi::new().extract(page, &JoinOptions::default().keep(RoleSet::BODY));
    /// assert!(document.text.starts_with("The water") && !document.text.contains("Ann Lee"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn keep(mut self, roles: impl Into<Option<RoleSet>>) -> Self {
        self.keep = roles.into();
        self
    }

    /// Says which pages the caller can draw with a browser. Then they are wanted as it draws them, and so is what it shows by
    /// going on in a page: see [`Way`](crate::Way).
    #[must_use]
    pub fn drawing(mut self, drawing: Drawing) -> Self {
        self.drawing = drawing;
        self
    }

    /// Keeps or drops the targets of links; their text stays.
    #[must_use]
    pub fn links(mut self, links: bool) -> Self {
        self.shown.links = links;
        self
    }

    /// Keeps or drops images.
    #[must_use]
    pub fn images(mut self, images: bool) -> Self {
        self.shown.images = images;
        self
    }

    /// Keeps or drops tables.
    #[must_use]
    pub fn tables(mut self, tables: bool) -> Self {
        self.shown.tables = tables;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_a_number_from_0_to_1() {
        for score in [0.0, 0.5, 1.0] {
            assert_eq!(JoinOptions::default().min_score(score).unwrap().min_score, Some(score));
        }
        for none in [-1.0, 1.01, f32::NAN, f32::INFINITY] {
            assert!(JoinOptions::default().min_score(none).is_err(), "{none}");
        }
        assert_eq!(JoinOptions::default().max_pages(0).max_pages.get(), 1);
    }
}
