//! How far to follow.

use std::num::NonZeroUsize;
use tsugi_document::{Comments, Shown};
use tsugi_page::Relation;

/// How far to follow, and what to keep. The default follows at most 100 pages forward from the given one, with the
/// detector's own threshold, without comments.
///
/// # Examples
///
/// ```
/// use tsugi::{Limits, Shown};
/// let shown = Shown { images: false, ..Shown::default() };
/// let limits = Limits { max_pages: 20.try_into()?, from_start: true, shown, ..Limits::default() };
/// assert_eq!(limits.min_score, None);
/// # Ok::<(), std::num::TryFromIntError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The most pages to join.
    pub max_pages: NonZeroUsize,
    /// The lowest score of a link to follow, in [0, 1]; `None` for the detector's own threshold.
    pub min_score: Option<f32>,
    /// The only relation to follow; `None` for any.
    pub relation: Option<Relation>,
    /// Whether to go back to the first page before joining, if the given page is inside a sequence.
    pub from_start: bool,
    /// Whether to replace the pages by a single page that holds all of them, if there is one.
    pub single_page: bool,
    /// What to do with the comments below an article.
    pub comments: Comments,
    /// What the document shows besides its text.
    pub shown: Shown,
}

impl Default for Limits {
    /// Returns limits of 100 pages, the detector's own threshold, any relation, forward from the given page, without
    /// comments, with links, images and tables.
    fn default() -> Self {
        const PAGES: NonZeroUsize = NonZeroUsize::new(100).expect("100 is not zero");
        Limits {
            max_pages: PAGES,
            min_score: None,
            relation: None,
            from_start: false,
            single_page: false,
            comments: Comments::default(),
            shown: Shown::default(),
        }
    }
}
