//! Serialising nodes as HTML.

use crate::page::{Namespace, NodeId, NodeKind, Page};
use crate::walk::Step;

impl Page {
    /// Returns the markup of a node, itself included, as the HTML standard serialises it.
    ///
    /// # Source
    ///
    /// HTML standard, 13.3, “serializing HTML fragments”.
    pub fn outer_html(&self, id: NodeId) -> String {
        let mut out = String::with_capacity(self.totals(id).markup as usize);
        for step in self.walk(id) {
            match step {
                Step::Enter(node) => self.open(node, &mut out),
                Step::Leave(node) => {
                    if self.is_element(node) && !self.class(node).void {
                        out.push_str("</");
                        out.push_str(self.tag(node));
                        out.push('>');
                    }
                }
            }
        }
        out
    }

    /// Returns the markup of what is below a node.
    pub fn inner_html(&self, id: NodeId) -> String {
        self.children(id).map(|child| self.outer_html(child)).collect()
    }

    fn open(&self, id: NodeId, out: &mut String) {
        match self.kind(id) {
            NodeKind::Document => {}
            NodeKind::Doctype => {
                out.push_str("<!DOCTYPE ");
                out.push_str(self.data(id));
                out.push('>');
            }
            NodeKind::Comment => {
                out.push_str("<!--");
                out.push_str(self.data(id));
                out.push_str("-->");
            }
            NodeKind::Text => {
                let raw = self.parent(id).is_some_and(|parent| self.class(parent).raw_text);
                if raw {
                    out.push_str(self.data(id));
                } else {
                    escape(self.data(id), false, out);
                }
            }
            NodeKind::Element => {
                out.push('<');
                out.push_str(self.tag(id));
                for (name, value) in self.attributes(id) {
                    out.push(' ');
                    out.push_str(name);
                    out.push_str("=\"");
                    escape(value, true, out);
                    out.push('"');
                }
                out.push('>');
            }
        }
    }

    /// Says whether an element is one that HTML knows, and no SVG or `MathML`.
    pub fn is_html(&self, id: NodeId) -> bool {
        self.is_element(id) && self.namespace(id) == Namespace::Html
    }
}

/// Writes a text so that it reads back as itself.
fn escape(text: &str, in_attribute: bool, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if in_attribute => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(markup.chars().count(), page.totals(id).markup as usize, "{markup}");
            if page.is_element(id) {
                let inner = page.inner_html(id);
                assert_eq!(inner.chars().count(), page.inner_totals(id).markup as usize, "{inner}");
            }
        }
    }

    #[test]
    fn markup_reads_back_as_the_same_tree() {
        let first = page("<title>T</title><p title='\"&'>a &lt; b<b>c<i>d</b>e</i><table><tr><td>x");
        let again = page(&first.outer_html(NodeId::DOCUMENT));
        assert_eq!(again.outer_html(NodeId::DOCUMENT), first.outer_html(NodeId::DOCUMENT));
        assert_eq!(again.node_count(), first.node_count());
    }
}
