//! The main content of one page, as a document.

use crate::following::Following;
use crate::limits::Limits;
use crate::tsugi::Tsugi;
use tsugi_document::{Comments, Document, Shown, stitch};
use tsugi_page::Page;

/// What to extract from a page. The default drops the comments and shows everything else.
///
/// # Examples
///
/// ```
/// use tsugi::{Comments, ExtractOptions, Shown};
/// let shown = Shown { links: false, ..Shown::default() };
/// let options = ExtractOptions { shown, ..ExtractOptions::default() };
/// assert_eq!(options.comments, Comments::Drop);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExtractOptions {
    /// Whether the document holds the comments below the article.
    pub comments: Comments,
    /// What the document shows besides its text.
    pub shown: Shown,
}

/// Returns the main content of one page as a document: the page as [`Following`] would take it, without the pages that
/// its links lead to.
///
/// The document is whole, since nothing else was asked for. [`Document::stopped`] has the reason
/// [`OnePage`](crate::StopReason::OnePage) and names the next page, if the page has one.
pub(crate) fn extract(tsugi: &Tsugi, page: Page, options: ExtractOptions) -> Document {
    let ExtractOptions { comments, shown } = options;
    stitch(Following::alone(tsugi, page, Limits { comments, shown, ..Limits::default() }))
}
