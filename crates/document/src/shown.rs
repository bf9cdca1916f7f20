//! Which parts a document shows besides its text: links, images, tables.

use crate::reading::{PageReading, TableKind};
use tsugi_page::walk::Step;
use tsugi_page::{Content, NodeId, NodeKind, Page};

/// Which parts a document shows besides its text. The default shows everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Whether links have addresses. Without them, the words of links stay, and so do notes in Markdown (`[^1]`) and the
    /// addresses that the pages came from.
    pub links: bool,
    /// Whether images are shown. Without them, a `figure` that holds only images goes with its caption, and pictures of
    /// formulas are written as formulas.
    pub images: bool,
    /// Whether data tables are shown, with their captions. The contents of tables that lay out a page or a listing of code
    /// always stay.
    pub tables: bool,
}

impl Default for Shown {
    fn default() -> Shown {
        Shown { links: true, images: true, tables: true }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Holds {
    hidden: bool,
    /// Anything else, not counting captions.
    other: bool,
}

impl Shown {
    /// Returns the nodes of a page's content that are not shown, none within another: images and tables, and elements that hold
    /// only those and their captions.
    pub(crate) fn hides(self, page: &Page, content: &Content, reading: &PageReading) -> Vec<NodeId> {
        let mut hidden = Vec::new();
        if self.images && self.tables {
            return hidden;
        }
        let mut open: Vec<Holds> = Vec::new();
        for root in &content.nodes {
            let mut walk = page.walk(*root);
            while let Some(step) = walk.next() {
                match step {
                    Step::Enter(id) => {
                        let holds = self.holds(page, id, content, reading);
                        if holds.is_some() {
                            walk.skip_children();
                        }
                        open.push(holds.unwrap_or_default());
                    }
                    Step::Leave(id) => {
                        let Some(mut holds) = open.pop() else { continue };
                        // Rows keep their cells, so that columns stay in line.
                        if holds.hidden && !holds.other && !page.class(id).cell {
                            hidden.push(id);
                        }
                        holds.other &=
                            !page.is(id, "figcaption") && reading.named.get(&id) != Some(&"figcaption");
                        if let Some(parent) = open.last_mut() {
                            parent.hidden |= holds.hidden;
                            parent.other |= holds.other;
                        }
                    }
                }
            }
        }
        if !self.images {
            hidden.extend(reading.figures.values());
        }
        page.outermost(hidden)
    }

    fn holds(self, page: &Page, id: NodeId, content: &Content, reading: &PageReading) -> Option<Holds> {
        // `None`: that depends on its children.
        let nothing = Holds::default();
        let (hidden, other) = (Holds { hidden: true, ..nothing }, Holds { other: true, ..nothing });
        if content.without.binary_search(&id).is_ok() {
            return Some(nothing);
        }
        if reading.formulas.contains_key(&id) || reading.media.contains_key(&id) {
            return Some(other);
        }
        if page.class(id).hidden {
            return Some(nothing);
        }
        if page.kind(id) == NodeKind::Text {
            return Some(if page.data(id).trim().is_empty() { nothing } else { other });
        }
        if page.is(id, "img") || reading.pictures.contains(&id) {
            return Some(if self.images { other } else { hidden });
        }
        let is_data = matches!(reading.tables.get(&id), Some(TableKind::Plain | TableKind::Rich));
        let is_listing = || {
            let from = reading.gutters.partition_point(|gutter| *gutter < id);
            reading.gutters.get(from).is_some_and(|gutter| page.contains(id, *gutter))
        };
        (is_data && !self.tables && !is_listing()).then_some(hidden)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsugi_page::Evidence;

    fn left(html: &str) -> String {
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let nodes = page.first("body").into_iter().collect();
        let mut content = Content { nodes, ..Content::nothing(Evidence::Model) };
        let reading = PageReading::for_document(&page, &mut content);
        let shown = Shown { links: true, images: false, tables: false };
        content.without.extend(shown.hides(&page, &content, &reading));
        content.without = page.outermost(content.without);
        page.text_in_forms(&content.nodes, &content.without, &reading.forms)
    }

    #[test]
    fn captions_go_with_what_they_are_about() {
        let table = "<table><tr><th>A<th>B<tr><td>1<td>2</table>";
        for (html, text) in [
            ("a<figure><img src=i><figcaption>c</figcaption></figure>b", "a\nb"),
            ("a<figure><a href=x><img src=i></a><div><figcaption>c</figcaption></div></figure>b", "a\nb"),
            ("a<figure><img src=i><pre>code</pre><figcaption>c</figcaption></figure>b", "a\ncode\nc\nb"),
            ("a<div><img src=i><p class=caption>c</div>b", "a\nb"),
            ("a<div><p>x<p><img src=i><p class=caption>c<p>y</div>b", "a\nx\ny\nb"),
            ("a<figure><blockquote>q</blockquote><figcaption>c</figcaption></figure>b", "a\nq\nc\nb"),
            (&format!("a<figure>{table}<figcaption>c</figcaption></figure>b"), "a\nb"),
            ("a<p><img src=i>b", "a\nb"),
            ("<table><tr><td><img src=i><td>x<tr><td>y<td><p>1<p>2</table>", "x\ny\n1\n2"),
        ] {
            assert_eq!(left(html), text, "{html}");
        }
    }

    #[test]
    fn listings_are_no_data() {
        let row = |number: u32| format!("<tr><td class=lineno>{number}<td><code>x = {number}</code>");
        assert_eq!(left(&format!("a<table>{}{}</table>", row(1), row(2))), "a\nx = 1\nx = 2");
    }
}
