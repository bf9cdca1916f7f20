//! How far to follow.

use crate::comments::Comments;
use crate::shown::Shown;
use std::num::NonZeroUsize;
use tsugi_page::Relation;

/// How far to follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The most pages that are joined.
    pub max_pages: NonZeroUsize,
    /// The lowest score of a link that is followed, in [0, 1]; `None` leaves it to the detector.
    pub min_score: Option<f32>,
    /// The one relation that is followed; `None` for any.
    pub relation: Option<Relation>,
    /// Whether a start inside a sequence is walked back to the first page.
    pub from_start: bool,
    /// Whether a page that holds all pages is taken in their place.
    pub single_page: bool,
    /// What of the comments of an article is joined.
    pub comments: Comments,
    /// What the document shows besides its text.
    pub shown: Shown,
}

impl Default for Limits {
    /// 100 pages, the detector's own threshold, any relation, from the given page on, page by page, without comments; links,
    /// images and tables are shown.
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
