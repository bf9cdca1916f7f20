//! Location paths: the plain XPath of one node, such as `/html[1]/body[1]/main[1]`.

use crate::node::{Namespace, NodeId, NodeKind};
use crate::page::Page;
use std::collections::BTreeMap;

/// The longest name in a step, in bytes: the path of any node is short enough to be parsed as XPath.
const MAX_NAME: usize = 48;
const ANY: &str = "*";

impl Page {
    /// Returns the location path of a node: an XPath that selects this node alone, here and in browsers.
    ///
    /// Each step is the name of an element and its position among its siblings of that name, from 1. A text node is
    /// `text()[n]`, a comment `comment()[n]`, the document `/`.
    ///
    /// XPath has no plain name for elements of SVG and `MathML`, and for names with a colon or with characters other than
    /// ASCII letters, digits, `.`, `-` and `_`. These elements, and those with a name of more than 48 bytes, are `*[n]`, the
    /// position among all sibling elements.
    ///
    /// A doctype has no path, since it is no node of XPath; browsers do not see into a `template`.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_page::Page;
    /// let page = Page::from_text("<p>a<p>b", &"https://a.test/".parse().unwrap());
    /// let second = page.elements().filter(|id| page.is(*id, "p")).nth(1).unwrap();
    /// assert_eq!(page.location_path(second), "/html[1]/body[1]/p[2]");
    /// assert_eq!(page.at_location_path("/html[1]/body[1]/p[2]"), Some(second));
    /// ```
    pub fn location_path(&self, id: NodeId) -> String {
        let mut steps = Vec::new();
        let mut at = id;
        while let Some(parent) = self.parent(at) {
            let name = self.step_name(at);
            let up_to_here = self.children(parent).take_while(|node| *node <= at);
            steps
                .push(format!("/{name}[{}]", up_to_here.filter(|node| self.is_at_step(*node, name)).count()));
            at = parent;
        }
        if steps.is_empty() { "/".to_owned() } else { steps.into_iter().rev().collect() }
    }

    /// Returns the location paths of several nodes, in the form of [`Page::location_path`]; `None` if they have more than
    /// `most` steps in total.
    ///
    /// # Cost
    ///
    /// Linear in the number of nodes of the page and the length of the paths.
    pub fn location_paths(&self, nodes: &[NodeId], most: usize) -> Option<Vec<String>> {
        let steps: usize = nodes.iter().map(|id| self.depth(*id) as usize).sum();
        if steps > most {
            return None;
        }
        // The position of each node on the way to a requested one; 0 for all others.
        let mut places = vec![0_u32; self.node_count()];
        for id in nodes {
            let mut at = *id;
            while places[at.index()] == 0 {
                places[at.index()] = 1;
                let Some(parent) = self.parent(at) else { break };
                at = parent;
            }
        }
        let parents: Vec<NodeId> =
            self.subtree(NodeId::DOCUMENT).filter(|id| places[id.index()] > 0).collect();
        for parent in parents {
            let (mut elements, mut counts) = (0, BTreeMap::<&str, u32>::new());
            for child in self.children(parent) {
                let name = self.step_name(child);
                elements += u32::from(self.is_element(child));
                let count = counts.entry(name).or_default();
                *count = if name == ANY { elements } else { *count + 1 };
                if places[child.index()] > 0 {
                    places[child.index()] = *count;
                }
            }
        }
        let path = |id: &NodeId| {
            let mut way: Vec<NodeId> = std::iter::once(*id).chain(self.ancestors(*id)).collect();
            // The document is not a step.
            way.pop();
            let steps =
                way.iter().rev().map(|at| format!("/{}[{}]", self.step_name(*at), places[at.index()]));
            let path: String = steps.collect();
            if path.is_empty() { "/".to_owned() } else { path }
        };
        Some(nodes.iter().map(path).collect())
    }

    fn step_name(&self, id: NodeId) -> &str {
        match self.kind(id) {
            NodeKind::Element => {
                let name = self.tag(id);
                let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
                let has_step = self.namespace(id) == Namespace::Html && name.len() <= MAX_NAME;
                // The first character is a letter: otherwise it would be no tag.
                if has_step && name.bytes().all(is_plain) { name } else { ANY }
            }
            NodeKind::Text => "text()",
            NodeKind::Comment => "comment()",
            NodeKind::Document | NodeKind::Doctype => "",
        }
    }

    fn is_at_step(&self, id: NodeId, name: &str) -> bool {
        if name == ANY { self.is_element(id) } else { self.step_name(id) == name }
    }

    /// Returns the node at a location path; `None` if there is no such node, or `path` is not a location path.
    pub fn at_location_path(&self, path: &str) -> Option<NodeId> {
        if path == "/" {
            return Some(NodeId::DOCUMENT);
        }
        path.strip_prefix('/')?.split('/').try_fold(NodeId::DOCUMENT, |parent, step| {
            let (name, place) = step.strip_suffix(']')?.rsplit_once('[')?;
            let place = place.parse::<usize>().ok()?.checked_sub(1)?;
            self.children(parent).filter(|child| self.is_at_step(*child, name)).nth(place)
        })
    }

    /// Removes nodes that are inside others of the list, and sorts the rest in document order.
    pub fn outermost(&self, mut nodes: Vec<NodeId>) -> Vec<NodeId> {
        nodes.sort_unstable();
        nodes.dedup();
        let mut end = 0;
        nodes.retain(|id| {
            let outside = id.index() >= end;
            if outside {
                end = self.subtree_end(*id);
            }
            outside
        });
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_found_by_its_path() {
        let html = "<!doctype html><!--a--><div>x<b>y</b>z<!--c--></div><svg><a/></svg><div><p></div>";
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        for id in page.subtree(NodeId::DOCUMENT).filter(|id| page.kind(*id) != NodeKind::Doctype) {
            let path = page.location_path(id);
            assert_eq!(page.at_location_path(&path), Some(id), "{path}");
            assert_eq!(page.location_paths(&[id], 100), Some(vec![path]));
        }
        let all: Vec<NodeId> = page.subtree(NodeId::DOCUMENT).collect();
        let one_by_one: Vec<String> = all.iter().map(|id| page.location_path(*id)).collect();
        assert_eq!(page.location_paths(&all, 1000), Some(one_by_one));
        assert_eq!((page.location_paths(&all, 30), page.location_paths(&[], 0)), (None, Some(vec![])));
        assert_eq!(page.at_location_path("/html[1]/body[1]/div[3]"), None);
        assert_eq!(page.at_location_path("/html[0]"), None);
        assert_eq!(page.at_location_path("//p"), None);
        assert_eq!(page.at_location_path(""), None);
    }

    #[cfg(feature = "xpath")]
    #[track_caller]
    fn each_path_selects_its_node(html: &str) {
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let all: Vec<NodeId> =
            page.subtree(NodeId::DOCUMENT).filter(|id| page.kind(*id) != NodeKind::Doctype).collect();
        let paths = page.location_paths(&all, usize::MAX).unwrap();
        for (id, path) in all.into_iter().zip(paths) {
            assert_eq!(page.location_path(id), path);
            let selected = crate::XPath::parse(&path).and_then(|xpath| xpath.nodes(&page));
            assert_eq!(selected.as_deref(), Ok(&[id][..]), "{path} of {html}");
            assert_eq!(page.at_location_path(&path), Some(id), "{path} of {html}");
        }
    }

    #[cfg(feature = "xpath")]
    #[test]
    fn paths_of_deep_and_long_names_are_read() {
        for name in ["x".repeat(MAX_NAME), "x".repeat(MAX_NAME + 1), "x\"y".to_owned(), "y".repeat(20_000)] {
            each_path_selects_its_node(&format!("<{name}>x").repeat(600.min(1_000_000 / name.len())));
        }
        each_path_selects_its_node(&"<svg><foreignObject>".repeat(300));
        each_path_selects_its_node(&("<a><i>".repeat(250) + &"<b:c>x</b:c><b>y</b>".repeat(20)));
    }

    #[cfg(feature = "xpath")]
    proptest::proptest! {
        #[test]
        fn every_path_selects_its_node(
            parts in proptest::collection::vec(proptest::sample::select(HOSTILE), 0..40),
            name in "[a-zA-Z][^> /\t\r\n\u{c}\0]{0,6}",
        ) {
            let html: String = parts.into_iter().map(|part| part.replace("NAME", &name)).collect();
            each_path_selects_its_node(&html);
        }
    }

    /// Names that XPath reads as something else or not at all, and markup that changes the meaning of names.
    #[cfg(feature = "xpath")]
    #[rustfmt::skip]
    const HOSTILE: &[&str] = &[
        "<NAME>", "</NAME>", "<NAME a=b>x", "<x\"y>", "<x'y\"z>", "<a:b>", "</a:b>", "<a<b>", "<DIV>",
        "</div>", "<h1x>", "<aé>", "<a次>", "<a\u{1}b>", "<a\0b>", "<a[1]>", "<a()>", "<a*>", "<text>",
        "<comment>", "<node>", "<or>", "<div>", "<self>", "<a.b>", "<a-b>", "<a_b>", "<a->", "<svg>",
        "</svg>", "<svg:a>", "<foreignObject>", "<title>", "</title>", "<math>", "<mi>", "</math>",
        "<annotation-xml encoding=text/html>", "<template>", "</template>", "<table>", "<tr>", "<p>", "</p>",
        "<b>", "</b>", "text", " ", "<!--c-->", "<?x?>", "<![CDATA[x]]>", "<a>", "<A>", "</a>", "<svg/>",
    ];

    #[test]
    fn nested_nodes_are_dropped() {
        let page = Page::from_text("<div><p><b>x</b></div><p>", &"https://a.test/".parse().unwrap());
        let find = |tag: &str| page.elements().filter(|id| page.is(*id, tag)).collect::<Vec<_>>();
        let (p, b, div) = (find("p"), find("b")[0], find("div")[0]);
        assert_eq!(page.outermost(vec![b, p[1], p[0], b]), [p[0], p[1]]);
        assert_eq!(page.outermost(vec![p[1], b, div, p[0]]), [div, p[1]]);
    }
}
