//! The part of a page that an extension adds below the page before it. It is the same as in a document of two pages, without
//! anything that the page before shows already.

use crate::answers::{JsVerdict, MarkupTree};
use crate::tree::trees;
use serde::Serialize;
use std::collections::BTreeSet;
use tsugi::document::{Shown, stitch};
use tsugi::page::{Evidence, NodeId};
use tsugi::{Page, Part, Reassembly, StopReason, Stopped};

/// `Appended` of `types.d.ts`.
#[derive(Debug, Serialize)]
pub(crate) struct Appended {
    url: String,
    score: f32,
    by: &'static str,
    verdict: Option<JsVerdict>,
    title: Option<String>,
    lang: Option<String>,
    kind: AppendedKind,
    tree: Vec<MarkupTree>,
}

/// Where the nodes belong: below the page before, in its table, or in its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum AppendedKind {
    Blocks,
    Rows,
    Items,
}

impl Appended {
    /// Returns the new part of `after`. If the page break cuts a sentence, it begins with the second half: the reader sees
    /// the first half above.
    pub(crate) fn of(before: &Part, after: &Part) -> Appended {
        let (mut before, mut after) = (before.clone(), after.clone());
        lift(&mut before);
        let kind = lift(&mut after);
        let (url, title, lang) =
            (after.page.url().clone(), after.page.title(), after.page.lang().map(str::to_owned));
        let (score, by) = (after.score, after.by);
        let verdict = after.verdict.as_ref().map(JsVerdict::of);
        let document = stitch(Reassembly {
            parts: vec![before, after],
            stopped: Stopped::new(StopReason::Interrupted, url.clone(), ""),
            tried: Vec::new(),
            warnings: Vec::new(),
            shown: Shown::default(),
        });
        let tree = document.page_tree_apart(1).as_ref().map(trees).unwrap_or_default();
        // The writer unwraps layout tables, so rows may have become blocks.
        let is_whole = match kind {
            AppendedKind::Blocks => true,
            AppendedKind::Rows => is_one(&tree, &["table"]),
            AppendedKind::Items => is_one(&tree, &["ul", "ol"]),
        };
        let kind = if is_whole { kind } else { AppendedKind::Blocks };
        Appended { url: url.into(), score, by, verdict, title, lang, kind, tree }
    }
}

/// Returns `true` if there is one element with one of these names, and nothing else except white space.
fn is_one(tree: &[MarkupTree], names: &[&str]) -> bool {
    let mut elements =
        tree.iter().filter(|tree| !matches!(tree, MarkupTree::Text(text) if text.trim().is_empty()));
    matches!((elements.next(), elements.next()), (Some(MarkupTree::Element(tag, ..)), None) if names.contains(&tag.as_str()))
}

/// Replaces content that is all rows or all items by their table or list, without its other children, so that the writer
/// keeps them as rows and items. Returns which they are.
fn lift(part: &mut Part) -> AppendedKind {
    if part.content.evidence == Evidence::Embedded {
        return AppendedKind::Blocks;
    }
    let page = &part.page;
    let nodes = &part.content.nodes;
    let (kind, holders): (_, &[&str]) = if have_tags(page, nodes, &["tr", "tbody"]) {
        (AppendedKind::Rows, &["table"])
    } else if have_tags(page, nodes, &["li"]) {
        (AppendedKind::Items, &["ul", "ol"])
    } else {
        return AppendedKind::Blocks;
    };
    let Some(holder) = common_holder(page, nodes, holders) else {
        return AppendedKind::Blocks;
    };
    let others = others(page, holder, nodes);
    part.content.without.extend(others);
    part.content.without = page.outermost(std::mem::take(&mut part.content.without));
    part.content.nodes = vec![holder];
    kind
}

fn have_tags(page: &Page, nodes: &[NodeId], names: &[&str]) -> bool {
    nodes.iter().all(|id| names.contains(&page.tag(*id)))
}

/// Returns the nearest ancestor with one of these names, if it is the same for all nodes.
fn common_holder(page: &Page, nodes: &[NodeId], names: &[&str]) -> Option<NodeId> {
    let mut holders =
        nodes.iter().map(|id| page.ancestors(*id).find(|above| names.contains(&page.tag(*above))));
    let first = holders.next()??;
    holders.all(|holder| holder == Some(first)).then_some(first)
}

/// Returns the outermost nodes below `holder` that share no node with `nodes`.
fn others(page: &Page, holder: NodeId, nodes: &[NodeId]) -> Vec<NodeId> {
    let kept: BTreeSet<NodeId> = nodes.iter().copied().collect();
    let way: BTreeSet<NodeId> = nodes.iter().flat_map(|id| page.ancestors(*id)).collect();
    let mut others = Vec::new();
    let mut inside = vec![holder];
    while let Some(at) = inside.pop() {
        for child in page.children(at) {
            if way.contains(&child) && !kept.contains(&child) {
                inside.push(child);
            } else if !kept.contains(&child) {
                others.push(child);
            }
        }
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use tsugi::page::Content;

    fn part(url: &str, html: &str, tag: &str, class: &str) -> Part {
        let page = Page::from_text(html, &url.parse().unwrap());
        let is_content = |id: &NodeId| page.is(*id, tag) && page.attribute(*id, "class") == Some(class);
        let nodes = page.elements().filter(is_content).collect();
        let content = Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Model };
        Part::of(page, content, "model")
    }

    fn appended(before: &str, after: &str, tag: &str) -> Value {
        let part = |number: u32, html: &str| part(&format!("https://a.test/{number}"), html, tag, "x");
        serde_json::to_value(Appended::of(&part(1, before), &part(2, after))).unwrap()
    }

    #[test]
    fn rows_stay_rows() {
        let rows = |names: [&str; 2]| {
            format!(
                "<table><tr><th>Name<th>Year</tr><tr class=x><td>{}<td>1901</tr><tr class=x><td>{}<td>1902</tr></table>",
                names[0], names[1]
            )
        };
        let found = appended(&rows(["Ash", "Birch"]), &rows(["Cedar", "Elm"]), "tr");
        assert_eq!(found["kind"], "rows");
        let cells = |name: &str, year: &str| json!(["tr", {}, [["td", {}, [name]], ["td", {}, [year]]]]);
        let rows = json!([["table", {}, [["tbody", {}, [cells("Cedar", "1901"), cells("Elm", "1902")]]]]]);
        assert_eq!(found["tree"], rows);
    }

    #[test]
    fn items_stay_items() {
        let list = |name: &str| {
            format!(
                "<ul><li>Menu<li class=x>{name} and its story, long enough to count<li class=x>More of {name}</ul>"
            )
        };
        let found = appended(&list("Ash"), &list("Elm"), "li");
        assert_eq!(found["kind"], "items");
        assert_eq!(found["tree"][0][2].as_array().unwrap().len(), 2, "{found}");
    }

    #[test]
    fn the_second_half_of_a_cut_sentence_is_there() {
        let before = "<div class=x><p>First.</p><p>The road went up and the wind blew from the</p></div>";
        let after = "<div class=x><p>sea, as it had done for a hundred years.</p><p>Last.</p></div>";
        let found = appended(before, after, "div");
        assert_eq!(found["kind"], "blocks");
        assert!(found["tree"].to_string().contains("sea, as it had done"), "{found}");
    }

    #[test]
    fn nothing_active_is_there() {
        let after = "<div class=x><p onclick=x()>Words of the page, <a href='javascript:x()'>more</a></p><script>x()</script>\
            <iframe src=/f></iframe><form action=/x><input></form></div>";
        let tree = appended("<div class=x><p>Other words.</p></div>", after, "div")["tree"].to_string();
        for word in ["onclick", "javascript", "script", "iframe", "form", "input"] {
            assert!(!tree.contains(word), "{tree}");
        }
    }
}
