//! Labelled roles of text blocks.

use crate::label::PageLabel;
use std::collections::BTreeMap;
use tsugi_main_content::{BlockRole, PageContext, RoleSet, TextBlock};
use tsugi_page::{NodeId, Page};

/// The blocks of a label: where, which role, with which text.
fn labelled_blocks(label: &PageLabel) -> Option<Vec<(&str, BlockRole, &str)>> {
    let blocks = label.others.get("blocks")?.as_array()?;
    blocks
        .iter()
        .map(|block| {
            let role = block.get("role")?.as_str()?.parse().ok()?;
            Some((block.get("at")?.as_str()?, role, block.get("text")?.as_str()?))
        })
        .collect()
}

/// Returns the texts of the blocks that a document holds, one a line; `None` if the label knows no roles.
pub(crate) fn document_of_blocks(label: &PageLabel) -> Option<String> {
    let blocks = labelled_blocks(label)?.into_iter();
    let texts: Vec<&str> =
        blocks.filter(|(_, role, _)| RoleSet::DOCUMENT.contains(*role)).map(|(.., text)| text).collect();
    Some(texts.join("\n"))
}

/// Finds the element of a path like `/html[1]/body[1]/p[2]`.
fn element_at(page: &Page, path: &str) -> Option<NodeId> {
    path.split('/').filter(|step| !step.is_empty()).try_fold(NodeId::DOCUMENT, |at, step| {
        let (name, place) = step.strip_suffix(']')?.split_once('[')?;
        let place: usize = place.parse().ok()?;
        page.child_elements(at).filter(|child| page.tag(*child) == name).nth(place.checked_sub(1)?)
    })
}

/// Returns the letters and digits of a text.
fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Returns the labelled role of each text block of a page, where it is known; `None` if the label knows no roles. Of several
/// blocks of one element, the texts tell which is which.
///
/// Blocks that were not read are the site's. But readers broke off in long comments, and behind those, nobody knows where the
/// comments end.
pub(crate) fn roles_of(context: &PageContext<'_>, label: &PageLabel) -> Option<Vec<Option<BlockRole>>> {
    let page = context.page();
    let mut of_element: BTreeMap<NodeId, Vec<(BlockRole, &str)>> = BTreeMap::new();
    for (path, role, text) in labelled_blocks(label)? {
        if let Some(element) = element_at(page, path) {
            of_element.entry(element).or_default().push((role, text));
        }
    }
    let blocks = context.blocks();
    let mut counts: BTreeMap<NodeId, usize> = BTreeMap::new();
    for block in &blocks.blocks {
        *counts.entry(block.owner).or_default() += 1;
    }
    let mut places: BTreeMap<NodeId, usize> = BTreeMap::new();
    let role = |block: &TextBlock| {
        let place = places.entry(block.owner).or_default();
        let at = std::mem::replace(place, *place + 1);
        let labelled = of_element.get(&block.owner)?;
        if labelled.len() == counts[&block.owner] {
            return Some(labelled[at].0);
        }
        let text: String = blocks.texts_of(block).iter().map(|id| bare(page.data(*id))).collect();
        let start: String = text.chars().take(40).collect();
        labelled.iter().find(|(_, labelled)| bare(labelled).contains(&start)).map(|(role, _)| *role)
    };
    let mut roles: Vec<Option<BlockRole>> = blocks.blocks.iter().map(role).collect();
    let last = roles.iter().rposition(Option::is_some).filter(|at| roles[*at] == Some(BlockRole::Comments));
    let known = last.map_or(roles.len(), |last| last + 1);
    for role in &mut roles[..known] {
        role.get_or_insert(BlockRole::Site);
    }
    Some(roles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const HTML: &str = "<nav>Home</nav><main><h1>The mill</h1><p>It stands by the river.</p><div>One<br><br>Two</div></main>";

    fn label(last: Option<&str>) -> PageLabel {
        let block = |at: &str, role: &str, text: &str| json!({"at": at, "role": role, "text": text});
        let mut blocks = vec![
            block("/html[1]/body[1]/main[1]/h1[1]", "title", "The mill"),
            block("/html[1]/body[1]/main[1]/p[1]", "body", "It stands by the river."),
            block("/html[1]/body[1]/main[1]/div[1]", "tags", "One"),
            block("/html[1]/body[1]/main[1]/div[1]", "share", "Two"),
            block("/html[1]/body[1]/main[1]/div[7]", "body", "not there"),
        ];
        blocks.extend(last.map(|role| block("/html[1]/body[1]/p[1]", role, "First!")));
        PageLabel { others: [("blocks".to_owned(), blocks.into())].into(), ..PageLabel::default() }
    }

    #[test]
    fn blocks_have_the_roles_of_their_elements() {
        let page = Page::from_text(HTML, &"https://a.test/".parse().unwrap());
        let roles = roles_of(&PageContext::new(&page, None), &label(None)).unwrap();
        let names = |roles: Vec<Option<BlockRole>>| -> Vec<&str> {
            roles.into_iter().map(|role| role.map_or("?", BlockRole::as_str)).collect()
        };
        assert_eq!(names(roles), ["site", "title", "body", "tags", "share"]);
        let end = "<p>First!<p>Second!<footer>© 2020 The Mill</footer>";
        let page = Page::from_text(&(HTML.to_owned() + end), &"https://a.test/".parse().unwrap());
        let names = |last: &str| names(roles_of(&PageContext::new(&page, None), &label(Some(last))).unwrap());
        assert_eq!(names("comments")[5..], ["comments", "?", "?"]);
        assert_eq!(names("body")[5..], ["body", "site", "site"]);
        assert_eq!(roles_of(&PageContext::new(&page, None), &PageLabel::default()), None);
        for path in ["/html[1]/body[1]/p[0]", "/html", "/html[1]/x[1]", "/html[a]"] {
            assert_eq!(element_at(&page, path), None, "{path}");
        }
    }
}
