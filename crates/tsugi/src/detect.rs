//! Detectors of the caller's own.

use std::fmt::Debug;
use std::sync::Arc;
use tsugi_page::{Content, NextLink, Page, Verdict};

pub use tsugi_next_link::{PageFacts, Pair};

/// Finds next links and main content in a way of the caller's own: see [`Tsugi::with_detector`](crate::Tsugi::with_detector).
///
/// [`Tsugi`](crate::Tsugi) is one, so another can ask it and change what it found.
///
/// # Examples
///
/// Links need a score of .8, wherever they are:
///
/// ```
/// use tsugi::detect::{Detect, Findings, Pair};
/// use tsugi::{Page, Tsugi, Verdict};
///
/// #[derive(Debug)]
/// struct Strict(Tsugi);
///
/// impl Detect for Strict {
///     fn find(&self, page: &Page) -> Findings {
///         let mut found = self.0.find(page);
///         found.threshold = 0.8;
///         found
///     }
///
///     fn judge(&self, pair: &Pair<'_>) -> Option<Verdict> {
///         self.0.judge(pair)
///     }
/// }
///
/// let tsugi = Tsugi::new().with_detector(Strict(Tsugi::new()));
/// ```
pub trait Detect: Debug + Send + Sync {
    /// Returns what is found on a page.
    fn find(&self, page: &Page) -> Findings;

    /// Judges whether one page continues another. With `None`, a sequence ends only for reasons that need no judge: no next link,
    /// a page seen before, a page without content.
    fn judge(&self, pair: &Pair<'_>) -> Option<Verdict>;
}

/// What a detector finds on a page. All nodes are those of the page.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Findings {
    /// The best candidate for the next-page link, however low its score; `None` if there is none.
    pub next: Option<NextLink>,
    /// The lowest score, in [0, 1], at which a link counts as a next-page link.
    pub threshold: f32,
    /// The main content, with its furniture: what remains of pagers, share bars and the like is removed later.
    pub content: Content,
    /// The comments below it, if the content may hold them.
    pub comments: Option<Content>,
    /// Why something may be wrong, in words.
    pub doubts: Vec<String>,
}

impl Findings {
    /// Returns findings without comments and doubts.
    pub fn new(next: Option<NextLink>, threshold: f32, content: Content) -> Findings {
        Findings { next, threshold, content, comments: None, doubts: Vec::new() }
    }
}

impl<D: Detect + ?Sized> Detect for Arc<D> {
    fn find(&self, page: &Page) -> Findings {
        (**self).find(page)
    }

    fn judge(&self, pair: &Pair<'_>) -> Option<Verdict> {
        (**self).judge(pair)
    }
}
