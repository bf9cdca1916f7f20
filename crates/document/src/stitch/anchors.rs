//! Internal links: from one page of the sequence to another, or within one.

use crate::anchor::page_anchor;
use crate::shape::{PageCut, PageShape};
use percent_encoding::percent_decode_str;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use tsugi_page::{NodeId, Page, address};

const MAX_ID: usize = 200;

#[derive(Debug)]
struct InternalLink {
    page: usize,
    node: NodeId,
    target: usize,
    id: String,
}

/// Gives `id`s to the targets of internal links, and addresses within the document to the links. `numbers` maps the
/// [`address::page_key`]s of the sequence to page numbers. Returns the pages that a link leads to.
///
/// A name on the second page becomes `p2-name`, so that names of different pages do not collide. Links to removed places
/// keep their address.
pub(super) fn connect(
    pages: &[&Page],
    cuts: &mut [PageCut],
    numbers: &BTreeMap<String, usize>,
) -> BTreeSet<usize> {
    let shapes = || pages.iter().zip(&*cuts).map(|(page, cut)| PageShape::of(page, cut));
    let mut links = Vec::new();
    for (page, shape) in shapes().enumerate() {
        collect(page, shape, numbers, &mut links);
    }
    let mut wanted: Vec<BTreeSet<&str>> = vec![BTreeSet::new(); cuts.len()];
    for link in &links {
        if let Some(wanted) = wanted.get_mut(link.target) {
            wanted.insert(&link.id);
        }
    }
    let mut places: Vec<BTreeMap<String, NodeId>> =
        shapes().zip(&wanted).map(|(shape, wanted)| self::places(shape, wanted)).collect();
    // Notes may be on another page than their links say, such as the last or the first.
    let missing = |link: &&InternalLink| !link.id.is_empty() && !places[link.target].contains_key(&link.id);
    let missing: BTreeSet<&str> = links.iter().filter(missing).map(|link| link.id.as_str()).collect();
    let elsewhere = elsewhere(shapes(), &missing);
    for link in &mut links {
        if let Some((page, place)) = elsewhere.get(&link.id)
            && !places[link.target].contains_key(&link.id)
        {
            link.target = *page;
            places[*page].insert(link.id.clone(), *place);
        }
    }
    let mut led_to = BTreeSet::new();
    for InternalLink { page, node, target, id } in links {
        let anchor = if id.is_empty() {
            led_to.insert(target);
            page_anchor(target)
        } else {
            let Some(place) = places[target].get(&id) else { continue };
            let anchor = format!("p{}-{}", target + 1, plain(&id));
            cuts[target].ids.insert(*place, anchor.clone());
            anchor
        };
        cuts[page].links.insert(node, format!("#{anchor}"));
    }
    led_to
}

fn collect(
    page: usize,
    shape: PageShape<'_>,
    pages: &BTreeMap<String, usize>,
    links: &mut Vec<InternalLink>,
) {
    shape.each_written(|id, _| {
        // The label of a tab led to the panel that it stands in.
        if !shape.page.is(id, "a") || shape.page.class(id).label {
            return;
        }
        let href = shape.page.attribute(id, "href").filter(|href| href.len() <= MAX_ID * 40);
        let Some(url) = href.and_then(|href| shape.page.base().join(href.trim()).ok()) else { return };
        if !address::is_web(&url) && url.scheme() != "file" {
            return;
        }
        let Some(target) = pages.get(&address::page_key(&url)) else { return };
        let fragment = url.fragment().unwrap_or_default();
        let name = percent_decode_str(fragment).decode_utf8_lossy().into_owned();
        let name = if name == "top" { String::new() } else { name };
        if name.len() <= MAX_ID {
            links.push(InternalLink { page, node: id, target: *target, id: name });
        }
    });
}

fn places(shape: PageShape<'_>, wanted: &BTreeSet<&str>) -> BTreeMap<String, NodeId> {
    let mut places = BTreeMap::new();
    if wanted.is_empty() {
        return places;
    }
    shape.each_written(|id, in_pre| {
        if in_pre || !shape.page.is_html(id) || matches!(shape.page.tag(id), "html" | "body") {
            return;
        }
        let own = shape.page.attribute(id, "id");
        let name = shape.page.attribute(id, "name").filter(|_| shape.page.is(id, "a"));
        for name in [own, name].into_iter().flatten().filter(|name| wanted.contains(name)) {
            places.entry(name.to_owned()).or_insert(id);
        }
    });
    places
}

/// Returns the places of missing names that exactly one other page has.
fn elsewhere<'a>(
    shapes: impl Iterator<Item = PageShape<'a>>,
    missing: &BTreeSet<&str>,
) -> BTreeMap<String, (usize, NodeId)> {
    let mut found: BTreeMap<String, Option<(usize, NodeId)>> = BTreeMap::new();
    for (page, shape) in shapes.enumerate() {
        for (name, place) in places(shape, missing) {
            found.entry(name).and_modify(|held| *held = None).or_insert(Some((page, place)));
        }
    }
    found.into_iter().filter_map(|(name, place)| Some((name, place?))).collect()
}

/// Returns a name made of letters, digits, `-` and `.`; any other character becomes `_`, its number and `_`. Such a name is
/// valid in HTML, XML, Markdown and addresses.
fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '-' | '.') {
            plain.push(c);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(plain, "_{:x}_", u32::from(c));
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        assert_eq!(plain("fn:1"), "fn_3a_1");
        assert_eq!(plain("脚注-1.a"), "_811a__6ce8_-1.a");
    }
}
