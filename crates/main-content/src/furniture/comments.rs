//! The comments of an article.

use super::nodes::{characters, lies_in};
use super::words::FurnitureNames;
use tsugi_page::lexicon::Memo;
use tsugi_page::{Attr, Content, Evidence, NodeId, NodeKind, Page, Tag};

/// Minimum number of characters of an article. On a page with less, the comments are the content.
const ARTICLE: u32 = 200;
const MOST: usize = 10_000; // Maximum number of comment elements that are examined.

/// Finds the comments below an article; `content` is the page's main content. Returns `None` if there are none, and
/// on pages of forums and of questions and answers, whose posts are content.
///
/// Sections are recognised by their names (`comments`, `disqus_thread`), single comments by theirs (`comment`,
/// `comment-12`, schema.org's `Comment`). Where no names say so, `scored` decides: the comments by a model
/// (see [`JudgedPage`](crate::JudgedPage::comments)).
///
/// # Cost
///
/// One pass over the elements of the page.
pub fn comments(page: &Page, content: &Content, scored: Option<&Content>) -> Option<Content> {
    if is_forum_address(page) {
        return None;
    }
    let found = NamedComments::on(page)?;
    let mut nodes = page.outermost(found.nodes);
    // An element that begins before the content and contains it is not a section.
    let article = content.nodes.first()?;
    nodes.retain(|node| page.totals(*node).characters > 0 && !page.contains(*node, *article));
    let Some(scored) = scored.filter(|_| nodes.is_empty()) else {
        let mut without = found.forms;
        without.retain(|form| lies_in(page, &nodes, *form) && nodes.binary_search(form).is_err());
        let without = page.outermost(without);
        let named = Content { nodes, without, score: content.score, evidence: Evidence::Markup };
        return is_below(page, content, &named.nodes).then_some(named);
    };
    let is_apart = scored.nodes.iter().all(|node| !page.contains(*node, *article));
    (is_apart && is_below(page, content, &scored.nodes)).then(|| scored.clone())
}

/// Returns `false` if [`comments`] finds none on the page, whatever its content and its scores.
pub(crate) fn may_have_comments(page: &Page) -> bool {
    page.totals(NodeId::DOCUMENT).characters >= ARTICLE && !is_forum_address(page)
}

/// Returns the share of the characters of a page's main content that are comments by their names, in [0, 1]. On pages of
/// forums, of questions and answers, and of reviews it is 0: their posts are content.
///
/// # Cost
///
/// One pass over the elements of the page.
pub fn comment_share(page: &Page, content: &Content) -> f32 {
    let Some(found) = NamedComments::on(page).filter(|_| !is_forum_address(page)) else { return 0.0 };
    let nodes = page.outermost(found.nodes);
    let all = sum_over(content, |id| page.totals(id).characters);
    if all == 0 || is_among_posts(page, &nodes) {
        return 0.0;
    }
    let rest = sum_over(content, |id| outside(page, id, &nodes));
    all.saturating_sub(rest) as f32 / all as f32
}

/// Returns `true` if sections are among posts or opinions on a product.
fn is_among_posts(page: &Page, nodes: &[NodeId]) -> bool {
    let Some(first) = nodes.first().copied() else { return false };
    let mut names = page.ancestors(first).chain([first]).map(|id| FurnitureNames::of_element(page, id));
    names.any(|names| names.intersects(FurnitureNames::FORUM | FurnitureNames::REVIEW))
}

/// Returns `true` if sections are below an article, and not among posts or opinions on a product.
fn is_below(page: &Page, content: &Content, nodes: &[NodeId]) -> bool {
    let Some(first) = nodes.first().copied() else { return false };
    if is_among_posts(page, nodes) {
        return false;
    }
    let rest = sum_over(content, |id| outside(page, id, nodes));
    let above = sum_over(content, |id| if lies_in(page, nodes, id) { 0 } else { above(page, id, first) });
    rest >= ARTICLE && 4 * u64::from(above) >= 3 * u64::from(rest)
}

fn sum_over(content: &Content, count: impl Fn(NodeId) -> u32) -> u32 {
    let without: u32 = content.without.iter().map(|id| count(*id)).sum();
    content.nodes.iter().map(|id| count(*id)).sum::<u32>().saturating_sub(without)
}

/// Returns `true` if a section contains comments, not just an invitation to write one.
pub fn has_comments(page: &Page, section: &Content) -> bool {
    const SOME: u32 = 80;
    let characters = characters(page, section);
    let has_item = || {
        let ids = section.nodes.iter().flat_map(|node| page.subtree(*node));
        ids.filter(|id| page.is_element(*id)).any(|id| is_item(page, id))
    };
    // The model has judged its section by the text.
    characters >= SOME && (section.evidence == Evidence::Model || has_item())
}

fn is_item(page: &Page, id: NodeId) -> bool {
    let kind = page.value(id, Attr::Itemtype).is_some_and(is_comment);
    may_hold(page.known_tag(id))
        && (kind || FurnitureNames::of_element(page, id).contains(FurnitureNames::ITEM))
}

fn is_comment(kind: &str) -> bool {
    kind.ends_with("/Comment") || kind.ends_with("/UserComments")
}

fn outside(page: &Page, id: NodeId, sections: &[NodeId]) -> u32 {
    if lies_in(page, sections, id) {
        return 0;
    }
    let from = sections.partition_point(|section| *section < id);
    let inside = sections.iter().skip(from).take_while(|section| page.contains(id, **section));
    let inside: u32 = inside.map(|section| page.totals(*section).characters).sum();
    page.totals(id).characters.saturating_sub(inside)
}

fn above(page: &Page, node: NodeId, end: NodeId) -> u32 {
    if page.subtree_end(node) <= end.index() {
        return page.totals(node).characters;
    }
    if node >= end {
        return 0;
    }
    page.characters_before(end) - page.characters_before(node)
}

fn is_forum_address(page: &Page) -> bool {
    let url = page.url();
    let host = url.host_str().and_then(|host| host.split('.').next()).unwrap_or_default();
    let segments = url.path().split('/').map(|segment| segment.split('.').next().unwrap_or_default());
    segments.chain([host]).any(|name| {
        name.bytes().all(|byte| byte.is_ascii_alphabetic())
            && FurnitureNames::of(name).intersects(FurnitureNames::FORUM)
    })
}

#[derive(Debug, Default)]
struct NamedComments {
    nodes: Vec<NodeId>,
    /// Forms, with the fields in them.
    forms: Vec<NodeId>,
}

impl NamedComments {
    /// Returns `None` for a page whose posts are content.
    fn on(page: &Page) -> Option<NamedComments> {
        let mut found = NamedComments::default();
        let mut items: Vec<NodeId> = Vec::new();
        let (mut section_end, mut code_end) = (0, 0);
        let mut memo = Memo::new();
        for id in page.subtree(NodeId::DOCUMENT) {
            if page.kind(id) != NodeKind::Element {
                continue;
            }
            let tag = page.known_tag(id);
            let at = id.index();
            match tag {
                Tag::Pre | Tag::Code => code_end = code_end.max(page.subtree_end(id)),
                Tag::Script if is_discussion_data(page, id) => return None,
                Tag::Form | Tag::Textarea if at < section_end => found.forms.push(id),
                _ => {}
            }
            // Other names say nothing of comments.
            let is_named = at < section_end || at >= code_end && may_hold(tag);
            let mut names = FurnitureNames::empty();
            for (name, value) in page.known_attributes(id) {
                match name {
                    Attr::Class | Attr::Id if is_named => names |= memo.get(value, FurnitureNames::of),
                    Attr::Itemtype if is_discussion(value) => return None,
                    Attr::Itemtype if is_comment(value) => names |= FurnitureNames::ITEM,
                    _ => {}
                }
            }
            if names.intersects(FurnitureNames::RESPOND) && at < section_end {
                found.forms.push(id);
            }
            if at < section_end || at < code_end || found.nodes.len() + items.len() > MOST || !may_hold(tag) {
                continue;
            }
            if names.contains(FurnitureNames::SECTION) && tag != Tag::Article {
                section_end = page.subtree_end(id);
                found.nodes.push(id);
            } else if names.contains(FurnitureNames::ITEM) {
                section_end = page.subtree_end(id);
                items.push(id);
            }
        }
        // A single one may be anything.
        let has_name = |id: &NodeId| {
            page.value(*id, Attr::Id).is_some_and(|id| id.bytes().any(|byte| byte.is_ascii_digit()))
        };
        if items.len() > 1 || items.iter().any(has_name) {
            found.nodes.extend(items);
            found.nodes.sort_unstable();
        }
        Some(found)
    }
}

/// Posts are content on such pages, or opinions on a product.
fn is_discussion(kind: &str) -> bool {
    let name = kind.rsplit('/').next().unwrap_or(kind);
    matches!(name, "DiscussionForumPosting" | "QAPage" | "Question" | "Product")
}

fn is_discussion_data(page: &Page, script: NodeId) -> bool {
    const MOST: usize = 1 << 18;
    if !page.value(script, Attr::Type).is_some_and(|kind| kind.contains("ld+json")) {
        return false;
    }
    let data = page.string_value(script);
    let data = &data[..data.floor_char_boundary(MOST)];
    ["\"DiscussionForumPosting\"", "\"QAPage\"", "\"Product\""].into_iter().any(|kind| data.contains(kind))
}

fn may_hold(tag: Tag) -> bool {
    let is_part =
        matches!(tag, Tag::Div | Tag::Section | Tag::Aside | Tag::Article | Tag::Footer | Tag::Other);
    let is_list = matches!(tag, Tag::Ol | Tag::Ul | Tag::Li | Tag::Dl | Tag::Dd | Tag::Dt);
    is_part || is_list || matches!(tag, Tag::Table | Tag::Tbody | Tag::Tr | Tag::Td)
}
