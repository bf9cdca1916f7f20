//! Serialising nodes as HTML.

use crate::node::{Namespace, NodeId, NodeKind};
use crate::page::Page;
use crate::text::escape;
use crate::walk::Step;
use std::collections::BTreeMap;

/// Changes to a page's markup when it is written: markup to insert before or after nodes, or to replace them with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits {
    /// Inserted before the node.
    pub before: BTreeMap<NodeId, String>,
    /// Inserted after the node.
    pub behind: BTreeMap<NodeId, String>,
    /// Replaces the node and everything in it.
    pub instead: BTreeMap<NodeId, String>,
}

const ARTICLE_MARK: &str = "data-embedded-article";

impl Page {
    /// Returns the markup of a node, including the node itself (HTML standard, 13.3, “serializing HTML fragments”).
    pub fn outer_html(&self, id: NodeId) -> String {
        self.edited_html(id, &Edits::default())
    }

    /// Returns the markup of a node, including the node itself, with changes. The page itself stays as it is.
    pub fn edited_html(&self, id: NodeId, edits: &Edits) -> String {
        let mut out = String::with_capacity(self.markup_characters(id) as usize);
        let mut walk = self.walk(id);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(node) => {
                    out.push_str(edits.before.get(&node).map_or("", String::as_str));
                    if let Some(markup) = edits.instead.get(&node) {
                        out.push_str(markup);
                        walk.skip_children();
                    } else {
                        self.open(node, &mut out);
                    }
                }
                Step::Leave(node) => {
                    if self.is_element(node) && !self.class(node).void && !edits.instead.contains_key(&node) {
                        out.extend(["</", self.tag(node), ">"]);
                    }
                    out.push_str(edits.behind.get(&node).map_or("", String::as_str));
                }
            }
        }
        out
    }

    /// Returns the markup inside a node.
    pub fn inner_html(&self, id: NodeId) -> String {
        self.children(id).map(|child| self.outer_html(child)).collect()
    }

    /// Returns the page with an article appended to its body, as its scripts would do it; head, links and notes stay the
    /// same. `score` is the confidence that this is the article, in [0, 1]. `html` may be any markup: it cannot affect
    /// what is outside the article.
    #[must_use]
    pub fn with_article(&self, html: &str, score: f32) -> Page {
        let inner = Page::from_text(html, self.url());
        let inner = inner.first("body").map(|body| inner.inner_html(body)).unwrap_or_default();
        let article = format!("<article {ARTICLE_MARK}>{inner}</article>");
        let mut edits = Edits::default();
        let body = self.first("body");
        if let Some(last) = body.and_then(|body| self.children(body).last()) {
            edits.behind.insert(last, article);
        } else if let Some(body) = body {
            edits.instead.insert(body, format!("<body>{article}</body>"));
        }
        self.rebuilt(&self.edited_html(NodeId::DOCUMENT, &edits), ARTICLE_MARK, score)
    }

    fn open(&self, id: NodeId, out: &mut String) {
        match self.kind(id) {
            NodeKind::Document => {}
            NodeKind::Doctype => out.extend(["<!DOCTYPE ", self.data(id), ">"]),
            NodeKind::Comment => out.extend(["<!--", self.data(id), "-->"]),
            NodeKind::Text if self.parent(id).is_some_and(|parent| self.class(parent).raw_text) => {
                out.push_str(self.data(id));
            }
            NodeKind::Text => escape(self.data(id), false, out),
            NodeKind::Element => {
                out.extend(["<", self.tag(id)]);
                for (name, value) in self.attributes(id) {
                    out.extend([" ", name, "=\""]);
                    escape(value, true, out);
                    out.push('"');
                }
                out.push('>');
            }
        }
    }

    /// Returns `true` if a node is an element of HTML, not of SVG or `MathML`.
    pub fn is_html(&self, id: NodeId) -> bool {
        self.is_element(id) && self.namespace(id) == Namespace::Html
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::escaped;

    fn page(html: &str) -> Page {
        Page::from_text(html, &"https://a.test/".parse().unwrap())
    }

    #[test]
    fn markup_is_as_long_as_the_totals_say() {
        let html = "<!DOCTYPE html><!-- é --><div class='a&b\"<' id=é>x &amp; y\u{a0}<br><img src=z>\
            <script>if (a < b) c();</script><pre>1\n2</pre><svg viewBox='0'><path/></svg></div><p>&lt;次";
        let page = page(html);
        for id in page.subtree(NodeId::DOCUMENT) {
            let markup = page.outer_html(id);
            assert_eq!(markup.chars().count(), page.markup_characters(id) as usize, "{markup}");
            if page.is_element(id) {
                let inner = page.inner_html(id);
                assert_eq!(inner.chars().count(), page.inner_markup_characters(id) as usize, "{inner}");
            }
        }
    }

    #[test]
    fn edits_stand_where_they_belong() {
        let page = page("<ul><li>a<li>b<br></ul>");
        let mut items = page.elements().filter(|id| page.is(*id, "li"));
        let (first, second) = (items.next().unwrap(), items.next().unwrap());
        let (ul, br) = (page.first("ul").unwrap(), page.first("br").unwrap());
        let mut edits = Edits::default();
        edits.before.insert(second, "1".to_owned());
        edits.behind.insert(second, "2".to_owned());
        edits.behind.insert(br, escaped("<3>"));
        edits.instead.insert(first, String::new());
        assert_eq!(page.edited_html(ul, &edits), "<ul>1<li>b<br>&lt;3&gt;</li>2</ul>");
    }

    #[test]
    fn an_article_is_appended_whatever_its_markup() {
        let whole =
            page("<title>T</title><div id=app></div>").with_article("<p>One</article></body><p>two", 0.9);
        assert_eq!(whole.text(whole.article().unwrap().0), "One\ntwo");
        assert_eq!(whole.title().as_deref(), Some("T"));
    }

    #[test]
    fn markup_reads_back_as_the_same_tree() {
        let first = page("<title>T</title><p title='\"&'>a &lt; b<b>c<i>d</b>e</i><table><tr><td>x");
        let again = page(&first.outer_html(NodeId::DOCUMENT));
        assert_eq!(again.outer_html(NodeId::DOCUMENT), first.outer_html(NodeId::DOCUMENT));
        assert_eq!(again.node_count(), first.node_count());
    }
}
