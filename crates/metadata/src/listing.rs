//! Pages that list posts: blogs, archives, search results.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use tsugi_page::{Content, NodeId, NodeKind, Page, Tag, address};

const FEWEST: usize = 2;
const MOST_HEADINGS: usize = 400;
/// Maximum share of the content's characters before the first post of a list.
const BEFORE_FIRST: f32 = 0.3;

type Heading = (NodeId, Option<String>);

/// Returns the headings of the posts that a page lists in its content, each of which links to another page of the site;
/// empty if the page is not a list.
pub(crate) fn posts(page: &Page, content: &Content) -> Vec<NodeId> {
    let is_heading = |id: &NodeId| matches!(page.known_tag(*id), Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4);
    let own = LazyCell::new(|| address::page_key(page.url()));
    // Headings of one kind share tag and class.
    let mut kinds: BTreeMap<(Tag, &str), Vec<Heading>> = BTreeMap::new();
    for id in content.nodes.iter().flat_map(|node| page.subtree(*node)).filter(is_heading).take(MOST_HEADINGS)
    {
        let kind = (page.known_tag(id), page.attribute(id, "class").unwrap_or_default());
        kinds.entry(kind).or_default().push((id, leads_away(page, id, &own)));
    }
    let lists = kinds.into_values().filter_map(|headings| {
        let (first, _) = *headings.first().filter(|(_, key)| key.is_some())?;
        let keys: BTreeSet<&String> = headings.iter().filter_map(|(_, key)| key.as_ref()).collect();
        let posts = headings.iter().filter(|(_, key)| key.is_some()).map(|(id, _)| *id);
        (keys.len() >= FEWEST).then(|| (first, posts.collect::<Vec<_>>()))
    });
    let Some((first, posts)) = lists.min_by_key(|(first, _)| *first) else { return Vec::new() };
    let (mut before, mut all) = (0_usize, 0_usize);
    for node in &content.nodes {
        let length = page.string_value(*node).len();
        all += length;
        before += if page.contains(*node, first) {
            let texts = page.subtree(*node).take_while(|id| *id < first);
            texts.filter(|id| page.kind(*id) == NodeKind::Text).map(|id| page.data(id).trim().len()).sum()
        } else if *node < first {
            length
        } else {
            0
        };
    }
    // A page with its own article has most of its text before the headings of others.
    if before as f32 <= BEFORE_FIRST * all as f32 { posts } else { Vec::new() }
}

fn leads_away(page: &Page, heading: NodeId, own: &dyn Deref<Target = String>) -> Option<String> {
    let is_link = |id: &NodeId| page.known_tag(*id) == Tag::A;
    let inside = page.subtree(heading).find(|id| is_link(id) && page.attribute(*id, "href").is_some());
    let link = inside.or_else(|| page.ancestors(heading).take(3).find(is_link))?;
    // The link must make up most of the heading, not be a mark beside it.
    let (all, linked) = (page.string_value(heading).trim().len(), page.string_value(link).trim().len());
    if linked == 0 || linked * 2 < all {
        return None;
    }
    let href = page.attribute(link, "href").filter(|href| !href.trim_start().starts_with('#'))?;
    let url = page.resolve(href)?;
    let key = address::page_key(&url);
    (key != **own && address::is_same_domain(&url, page.url())).then_some(key)
}

/// Returns `true` if a node is in one of several similar parts of the page that hold the same kind of thing: table
/// rows, list items, posts. The content of one part does not describe the page.
pub(crate) fn is_repeated(page: &Page, id: NodeId, holds: &dyn Fn(NodeId) -> bool) -> bool {
    /// Maximum number of parts examined on each side, and minimum number of them that makes a list.
    const NEIGHBOURS: usize = 8;
    const ENOUGH: usize = 2;
    let is_whole = |id: &NodeId| matches!(page.known_tag(*id), Tag::Body | Tag::Html | Tag::Main);
    let above = page.ancestors(id).take(12).take_while(|id| !is_whole(id));
    std::iter::once(id).chain(above).filter(|item| page.is_element(*item)).any(|item| {
        is_long_part(page, item) && {
            let behind = std::iter::successors(page.next_sibling(item), |id| page.next_sibling(*id));
            let before = std::iter::successors(page.previous_sibling(item), |id| page.previous_sibling(*id));
            let near = behind.take(2 * NEIGHBOURS).chain(before.take(2 * NEIGHBOURS));
            near.filter(|node| is_alike(page, item, *node) && holds(*node)).take(ENOUGH).count() == ENOUGH
        }
    })
}

/// Returns `true` if an element has enough text for a part of its own: two names side by side are not parts.
fn is_long_part(page: &Page, id: NodeId) -> bool {
    let least = if matches!(page.known_tag(id), Tag::Tr | Tag::Li | Tag::Article) { 40 } else { 150 };
    page.string_value(id).len() >= least
}

fn is_alike(page: &Page, part: NodeId, other: NodeId) -> bool {
    page.is_element(other)
        && page.known_tag(other) == page.known_tag(part)
        && page.attribute(other, "class") == page.attribute(part, "class")
        && is_long_part(page, other)
}

pub(crate) fn holds_day(page: &Page, id: NodeId) -> bool {
    let text = page.string_value(id);
    let start = text.get(..text.floor_char_boundary(1500)).unwrap_or_default();
    tsugi_dates::dated(start).next().is_some()
}
