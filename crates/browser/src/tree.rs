//! The writer's markup as a tree, for callers that create its elements one by one. Pages with Trusted Types refuse markup,
//! and a parser could read markup otherwise than the writer meant it.

use crate::answers::MarkupTree;
use tsugi::Page;
use tsugi::page::NodeId;
use tsugi::page::NodeKind;
use tsugi::page::walk::Step;

/// Returns the content of [`tsugi::Document::page_tree`] as trees.
pub(crate) fn trees(page: &Page) -> Vec<MarkupTree> {
    let Some(body) = page.first("body") else {
        return Vec::new();
    };
    // The children so far of each open element.
    let mut open: Vec<Vec<MarkupTree>> = vec![Vec::new()];
    for step in page.walk(body) {
        match step {
            Step::Enter(id) if page.kind(id) == NodeKind::Text => {
                push(&mut open, MarkupTree::Text(page.data(id).to_owned()));
            }
            Step::Enter(id) if page.is_element(id) && id != body => open.push(Vec::new()),
            Step::Leave(id) if page.is_element(id) && id != body => {
                let children = open.pop().unwrap_or_default();
                push(&mut open, element(page, id, children));
            }
            Step::Enter(_) | Step::Leave(_) => {}
        }
    }
    open.pop().unwrap_or_default()
}

fn push(open: &mut [Vec<MarkupTree>], tree: MarkupTree) {
    if let Some(children) = open.last_mut() {
        children.push(tree);
    }
}

fn element(page: &Page, id: NodeId, children: Vec<MarkupTree>) -> MarkupTree {
    let attributes = page.attributes(id).map(|(name, value)| (name.to_owned(), value.to_owned()));
    MarkupTree::Element(page.tag(id).to_owned(), attributes.collect(), children)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_trees() {
        let page = |html: &str| Page::from_text(html, &"https://a.test/".parse().unwrap());
        let found = trees(&page("<!DOCTYPE html><p lang=\"de\">a <b>b</b></p>\n<hr>"));
        let expected =
            serde_json::json!([["p", {"lang": "de"}, ["a ", ["b", {}, ["b"]]]], "\n", ["hr", {}, []]]);
        assert_eq!(serde_json::to_value(found).unwrap(), expected);
        assert!(trees(&page("")).is_empty());
    }
}
