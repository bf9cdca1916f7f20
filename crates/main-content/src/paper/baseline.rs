//! Kato's rule, the thesis' baseline for content.

use tsugi_page::{Content, Evidence, NodeId, Page};

/// Returns the node that Kato's rule chooses: among the elements with more than half of the page's text, the one with
/// the least text; on a tie, the deepest. Returns `None` for a page without text.
///
/// # Source
///
/// Kato, as cited by Hanamura (2020), 4.2.2.
pub fn kato(page: &Page) -> Option<NodeId> {
    let half = page.totals(NodeId::DOCUMENT).characters;
    page.elements().filter(|id| page.totals(*id).characters * 2 > half).min_by_key(|id| {
        // Elements come in document order, so the last of several nested equals is the deepest.
        (page.totals(*id).characters, std::cmp::Reverse(page.depth(*id)))
    })
}

/// Returns the node that Kato's rule chooses, as content.
pub fn content_by_half(page: &Page) -> Content {
    let nodes = kato(page).into_iter().collect();
    Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Rule { name: "kato".into() } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_of;

    #[test]
    fn the_smallest_node_with_half_of_the_text() {
        // Text: 10 + 4 + 4 = 18 characters; div holds 14, p 10, both more than 9.
        let html = "<div><p><b>0123456789</b></p>abcd</div><ul>abcd</ul>";
        let page = page_of(html);
        assert_eq!(kato(&page), page.first("b"), "the deepest of those with 10");
        // No part has more than half of the text, so the body is chosen.
        let page = page_of("<p>aa</p><p>bb</p>");
        assert_eq!(kato(&page), page.first("body"));
        assert_eq!(kato(&page_of("")), None);
    }
}
