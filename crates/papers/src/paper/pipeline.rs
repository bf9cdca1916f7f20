//! The thesis as a system: its two models find the next link and the content, and contents are put one after the other.

use super::errors::CUT;
use tsugi::detect::{Detect, Findings, Pair};
use tsugi::{Page, Verdict};
use tsugi_document::Part;
use tsugi_main_content::paper::PaperContentDetector;
use tsugi_next_link::paper::PaperLinkDetector;

/// Finds links and content as the thesis does, where every score above one half counts: of all predicted links the first tag on
/// the page, and all predicted elements. No pair of pages is judged.
///
/// # Source
///
/// Hanamura (2020), 3.1 and 4.4.
#[derive(Debug)]
pub struct PublishedThesis {
    /// The model of links.
    pub links: PaperLinkDetector,
    /// The model of content.
    pub content: PaperContentDetector,
}

impl Detect for PublishedThesis {
    fn find(&self, page: &Page) -> Findings {
        let next = self.links.first_above(page, CUT);
        let content = self.content.all_above(page, next.as_ref().map(|link| link.node), CUT);
        Findings::new(next, CUT, content)
    }

    fn judge(&self, _: &Pair<'_>) -> Option<Verdict> {
        None
    }
}

/// Returns the texts of the pages' content, one after the other, with nothing removed between them (task 3 of the thesis).
pub fn concatenated(parts: &[Part]) -> String {
    let texts = parts.iter().map(|part| part.page.text_of(&part.content.nodes));
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}
