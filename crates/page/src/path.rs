//! Location paths: the plain XPath of one node, such as `/html[1]/body[1]/main[1]`.

use crate::page::{NodeId, NodeKind, Page};
use std::collections::BTreeMap;

impl Page {
    /// Returns the location path of a node.
    ///
    /// Each step is the name of an element and its position among its siblings of that name, from 1. A text node is
    /// `text()[n]`, a comment `comment()[n]`, the document `/`.
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
            let place =
                self.children(parent).take_while(|node| *node <= at).filter(|n| self.step_name(*n) == name);
            steps.push(format!("/{name}[{}]", place.count()));
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
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_page::Page;
    /// let page = Page::from_text("<p>a<p>b", &"https://a.test/".parse().unwrap());
    /// let all: Vec<_> = page.elements().filter(|id| page.is(*id, "p")).collect();
    /// assert_eq!(page.location_paths(&all, 100).unwrap(), ["/html[1]/body[1]/p[1]", "/html[1]/body[1]/p[2]"]);
    /// assert_eq!(page.location_paths(&all, 5), None);
    /// ```
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
            let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
            for child in self.children(parent) {
                let count = counts.entry(self.step_name(child)).or_default();
                *count += 1;
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
            NodeKind::Element => self.tag(id),
            NodeKind::Text => "text()",
            NodeKind::Comment => "comment()",
            NodeKind::Document | NodeKind::Doctype => "",
        }
    }

    /// Returns the node at a location path; `None` if there is no such node, or `path` is not a location path.
    pub fn at_location_path(&self, path: &str) -> Option<NodeId> {
        if path == "/" {
            return Some(NodeId::DOCUMENT);
        }
        path.strip_prefix('/')?.split('/').try_fold(NodeId::DOCUMENT, |parent, step| {
            let (name, place) = step.strip_suffix(']')?.rsplit_once('[')?;
            let place = place.parse::<usize>().ok()?.checked_sub(1)?;
            self.children(parent).filter(|child| self.step_name(*child) == name).nth(place)
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

    #[test]
    fn nested_nodes_are_dropped() {
        let page = Page::from_text("<div><p><b>x</b></div><p>", &"https://a.test/".parse().unwrap());
        let find = |tag: &str| page.elements().filter(|id| page.is(*id, tag)).collect::<Vec<_>>();
        let (p, b, div) = (find("p"), find("b")[0], find("div")[0]);
        assert_eq!(page.outermost(vec![b, p[1], p[0], b]), [p[0], p[1]]);
        assert_eq!(page.outermost(vec![p[1], b, div, p[0]]), [div, p[1]]);
    }
}
