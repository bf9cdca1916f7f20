//! Pages that list posts: blogs, archives, search results.

use tsugi_page::{Content, NodeId, Page, Tag, address};

/// The fewest posts that make a list.
const FEWEST: usize = 2;

/// How much of the content may stand before the first post of a list, as a share of its characters.
const BEFORE_FIRST: f32 = 0.3;

/// Returns the headings of the posts that a page lists in its content; empty where it is no list.
///
/// Each post has a heading that leads to a page of its own on the same site. A page with an article of its own has most of
/// its text before such headings, which lead to other articles.
pub(crate) fn posts(page: &Page, content: &Content) -> Vec<NodeId> {
    let own = address::page_key(page.url());
    let domain = address::registrable_domain(page.url());
    let is_heading = |id: &NodeId| matches!(page.known_tag(*id), Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4);
    let leads_away = |heading: NodeId| {
        let inside = page
            .subtree(heading)
            .find(|id| page.known_tag(*id) == Tag::A && page.attribute(*id, "href").is_some());
        let around = || page.ancestors(heading).take(3).find(|id| page.known_tag(*id) == Tag::A);
        let link = inside.or_else(around)?;
        // The link is most of the heading, not a mark beside it.
        let (all, linked) = (page.string_value(heading).trim().len(), page.string_value(link).trim().len());
        if linked == 0 || linked * 2 < all {
            return None;
        }
        let href = page.attribute(link, "href").filter(|href| !href.trim_start().starts_with('#'))?;
        let url = page.resolve(href)?;
        let key = address::page_key(&url);
        (key != own && address::registrable_domain(&url) == domain).then_some(key)
    };
    let mut headings: Vec<(Tag, NodeId, Option<String>)> = Vec::new();
    for id in content.nodes.iter().flat_map(|node| page.subtree(*node)).filter(is_heading).take(400) {
        headings.push((page.known_tag(id), id, leads_away(id)));
    }
    let of_level = |tag: Tag| {
        let level = headings.iter().filter(|(held, ..)| *held == tag);
        let (linked, plain): (Vec<_>, Vec<_>) = level.partition(|(.., key)| key.is_some());
        let mut keys: Vec<&String> = linked.iter().filter_map(|(.., key)| key.as_ref()).collect();
        keys.sort();
        keys.dedup();
        (keys.len() >= FEWEST && linked.len() > 2 * plain.len())
            .then(|| linked.into_iter().map(|(_, id, _)| *id).collect::<Vec<_>>())
    };
    let Some(posts) = [Tag::H1, Tag::H2, Tag::H3, Tag::H4].into_iter().find_map(of_level) else {
        return Vec::new();
    };
    let Some(first) = posts.first() else { return Vec::new() };
    let (mut before, mut all) = (0_usize, 0_usize);
    for node in &content.nodes {
        let length = page.string_value(*node).len();
        all += length;
        before += if page.contains(*node, *first) {
            let texts = page.subtree(*node).take_while(|id| id < first);
            texts
                .filter(|id| page.kind(*id) == tsugi_page::NodeKind::Text)
                .map(|id| page.data(id).trim().len())
                .sum()
        } else if *node < *first {
            length
        } else {
            0
        };
    }
    if before as f32 <= BEFORE_FIRST * all as f32 { posts } else { Vec::new() }
}
