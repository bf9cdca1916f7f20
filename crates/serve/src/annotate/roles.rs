//! The roles of a page's text blocks: the models' draft, and what a person says.

use crate::error::ApiError;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use tsugi::page::{NodeId, NodeKind};
use tsugi::roles::{BlockRole, RoleSet};
use tsugi::{Page, Tsugi};

/// The most steps that the paths to a page's elements have in sum. A page with more is nested on purpose. It has no paths, and
/// cannot be annotated.
pub(super) const PATH_STEPS: usize = 2_000_000;

/// A text block of a page, and the role that it has by the models.
#[derive(Debug, Serialize)]
pub(super) struct PageBlock {
    /// The location path of the element whose own text the block is.
    at: String,
    role: &'static str,
    text: String,
    /// The numbers of its text nodes in the frame.
    texts: Vec<usize>,
}

/// What a person says of a block. The n-th entry of an element is about the n-th block of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SaidRole {
    at: String,
    /// `None` if the person has not said it yet.
    role: Option<String>,
}

/// A block of a label, as data sets with roles have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LabelledBlock {
    at: String,
    role: String,
    text: String,
}

/// Returns the text blocks of a page, in its order.
pub(super) fn blocks(page: &Page, tsugi: &Tsugi) -> Vec<PageBlock> {
    let Some(roles) = tsugi.look(page).roles() else { return Vec::new() };
    let found: Vec<(BlockRole, &[NodeId])> = roles.blocks().map(|(role, _, texts)| (role, texts)).collect();
    let owners: Vec<NodeId> = found.iter().map(|(_, texts)| owner(page, texts[0])).collect();
    // A page whose paths are too long for that has no blocks.
    let paths = page.location_paths(&owners, PATH_STEPS).unwrap_or_default();
    let words = words(page, found.iter().map(|(_, texts)| *texts));
    let block = |(((role, texts), at), text): (((BlockRole, &[NodeId]), String), String)| PageBlock {
        at,
        role: role.as_str(),
        text,
        texts: texts.iter().map(|text| text.index()).collect(),
    };
    found.into_iter().zip(paths).zip(words).map(block).collect()
}

/// Returns the block-level element or cell around a text.
fn owner(page: &Page, text: NodeId) -> NodeId {
    let is_owner = |at: &NodeId| page.class(*at).line || page.class(*at).cell;
    page.ancestors(text).filter(|at| page.is_element(*at)).find(is_owner).unwrap_or(NodeId::DOCUMENT)
}

/// Returns the text of each block, with single spaces, also for white space between its texts.
fn words<'a>(page: &Page, blocks: impl Iterator<Item = &'a [NodeId]>) -> Vec<String> {
    let mut nodes = page.subtree(NodeId::DOCUMENT);
    let block = |texts: &[NodeId]| {
        let (mut left, mut text) = (texts.iter().peekable(), String::new());
        for node in nodes.by_ref() {
            if left.next_if(|wanted| **wanted == node).is_some() {
                text.push_str(page.data(node));
            } else if page.is(node, "br") || is_blank(page, node) {
                text.push(' ');
            }
            if left.peek().is_none() {
                break;
            }
        }
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    blocks.map(block).collect()
}

fn is_blank(page: &Page, node: NodeId) -> bool {
    page.kind(node) == NodeKind::Text && page.data(node).trim().is_empty()
}

/// Returns what a person says of each block, and whether everything that was said is about a block of the page.
///
/// # Errors
///
/// If a role is unknown.
pub(super) fn said_of(
    blocks: &[PageBlock],
    said: &[SaidRole],
) -> Result<(Vec<Option<BlockRole>>, bool), ApiError> {
    let mut of_element: BTreeMap<&str, VecDeque<Option<BlockRole>>> = BTreeMap::new();
    for SaidRole { at, role } in said {
        let role = role.as_deref().map(str::parse).transpose();
        let role = role.map_err(|error| ApiError::bad(format!("`blocks`: {error}")))?;
        of_element.entry(at).or_default().push_back(role);
    }
    let mut next = |block: &PageBlock| of_element.get_mut(block.at.as_str())?.pop_front()?;
    let roles = blocks.iter().map(&mut next).collect();
    Ok((roles, of_element.values().all(VecDeque::is_empty)))
}

/// Returns the blocks of a label; `None` if the person has not said a role of each block. A label that leaves blocks out says
/// that they are the site's.
///
/// # Errors
///
/// If a role is unknown, or something is said of a block that is not there.
pub(super) fn labelled(
    page: &Page,
    tsugi: &Tsugi,
    said: &[SaidRole],
) -> Result<Option<Vec<LabelledBlock>>, ApiError> {
    if said.is_empty() {
        return Ok(None);
    }
    let blocks = blocks(page, tsugi);
    let (roles, are_on_page) = said_of(&blocks, said)?;
    if !are_on_page {
        return Err(ApiError::bad("`blocks` names a block that the page does not have"));
    }
    let label = |(PageBlock { at, text, .. }, role): (PageBlock, Option<BlockRole>)| {
        Some(LabelledBlock { at, role: role?.as_str().to_owned(), text })
    };
    Ok(blocks.into_iter().zip(roles).map(label).collect())
}

/// Returns the texts of the blocks that a document holds below its headline, one a line: the text of a page of which a person
/// said roles alone.
pub(super) fn document_text(blocks: &[LabelledBlock]) -> String {
    let is_kept =
        |block: &&LabelledBlock| block.role.parse().is_ok_and(|role| RoleSet::DOCUMENT.contains(role));
    blocks.iter().filter(is_kept).map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// Returns `true` if a person has said a role of every block that is named.
pub(super) fn are_whole(said: &[SaidRole]) -> bool {
    !said.is_empty() && said.iter().all(|said| said.role.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const HTML: &str = "<body><nav>Home</nav><main><h1>The mill</h1><div>One <b>and</b> <i>a</i>\n<i>half</i><p>Between</p>Two<br><br>Three\n lines</div>\
                        <table><tr><td>Cell</table></main>";

    fn page() -> Page {
        Page::from_text(HTML, &"https://a.test/1".parse().unwrap())
    }

    fn said(roles: &[Option<&str>]) -> Vec<SaidRole> {
        let blocks = blocks(&page(), &Tsugi::new());
        let said = |(block, role): (PageBlock, Option<&str>)| SaidRole {
            at: block.at,
            role: role.map(str::to_owned),
        };
        blocks.into_iter().zip(roles.iter().copied()).map(said).collect()
    }

    /// Reads a step like `p[2]` as training does: the second child element with this name.
    fn step(page: &Page, at: NodeId, step: &str) -> Option<NodeId> {
        let (name, place) = step.strip_suffix(']')?.split_once('[')?;
        page.child_elements(at).filter(|child| page.tag(*child) == name).nth(place.parse::<usize>().ok()? - 1)
    }

    #[test]
    fn a_label_has_the_blocks_of_a_data_set_with_roles() {
        let all = ["site", "title", "lead", "body", "author", "tags", "caption"];
        let label = labelled(&page(), &Tsugi::new(), &said(&all.map(Some))).unwrap().unwrap();
        let Value::Array(label) = serde_json::to_value(label).unwrap() else { panic!("no array") };
        let texts = ["Home", "The mill", "One and a half", "Between", "Two", "Three lines", "Cell"];
        assert_eq!(label.len(), texts.len());
        let page = page();
        for ((block, role), text) in label.iter().zip(all).zip(texts) {
            // `datasets/README.md`: the XPath of the element, the role, and the text.
            assert_eq!(block, &json!({"at": block["at"], "role": role, "text": text}));
            let mut steps = block["at"].as_str().unwrap().split('/').skip(1);
            let element = steps.try_fold(NodeId::DOCUMENT, |at, name| step(&page, at, name)).unwrap();
            assert!(page.text(element).contains(text.split(' ').next().unwrap()), "{block}");
        }
        // Of several blocks of one element, the order tells which is which.
        let div = "/html[1]/body[1]/main[1]/div[1]";
        let of_div: Vec<&Value> =
            label.iter().filter(|block| block["at"] == div).map(|block| &block["role"]).collect();
        assert_eq!(of_div, ["lead", "author", "tags"]);
        assert_eq!(label[6]["at"], "/html[1]/body[1]/main[1]/table[1]/tbody[1]/tr[1]/td[1]");
    }

    #[test]
    fn what_a_person_says_of_some_blocks_is_kept_and_is_no_label() {
        let some = said(&[None, Some("title"), None, None, None, Some("tags"), None]);
        assert_eq!(labelled(&page(), &Tsugi::new(), &some).unwrap(), None);
        assert!(!are_whole(&some) && !are_whole(&[]));
        let (roles, are_on_page) = said_of(&blocks(&page(), &Tsugi::new()), &some).unwrap();
        assert_eq!((roles[1], roles[4], roles[5]), (Some(BlockRole::Title), None, Some(BlockRole::Tags)));
        assert!(are_on_page);
        assert_eq!(labelled(&page(), &Tsugi::new(), &[]).unwrap(), None);
    }

    #[test]
    fn roles_and_blocks_that_do_not_exist_are_refused() {
        for (at, role) in [("/html[1]/body[1]/nav[1]", "menu"), ("/html[1]/body[1]/nav[2]", "site")] {
            let said = [SaidRole { at: at.to_owned(), role: Some(role.to_owned()) }];
            assert_eq!(labelled(&page(), &Tsugi::new(), &said).unwrap_err().word, "bad-request", "{at}");
        }
    }
}
