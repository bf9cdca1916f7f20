//! The structure of a page, regardless of its text.

use crate::survey::MAX_CLASS;
use crate::words::cut;
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::{Attr, NodeId, Page};
use tsugi_scoring::Fnv1a64;

const MAX_KINDS: usize = 4_000; // Maximum number of kinds of elements counted.

#[derive(Debug, Clone, Default)]
pub(super) struct TemplateFacts {
    /// For each digest of an element's tag and classes and its parent's: the number of elements, damped.
    kinds: BTreeMap<u32, f32>,
    /// Length of that vector.
    length: f32,
    pub(super) sheets: BTreeSet<u32>,
    pub(super) body: BTreeSet<u32>,
    /// Digests of the first content node's look, and of the tags above it.
    pub(super) content_look: Option<u32>,
    pub(super) content_place: Option<u32>,
}

impl TemplateFacts {
    pub(super) fn of(page: &Page, content: &[NodeId]) -> TemplateFacts {
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        let mut template = TemplateFacts::default();
        for node in page.elements() {
            let kind = look(page, node);
            if counts.len() < MAX_KINDS || counts.contains_key(&kind) {
                *counts.entry(kind).or_default() += 1;
            }
            match page.tag(node) {
                "link"
                    if page
                        .attribute(node, "rel")
                        .is_some_and(|rel| rel.eq_ignore_ascii_case("stylesheet")) =>
                {
                    let href = page.attribute(node, "href").unwrap_or_default();
                    template.sheets.insert(digest([href.split('?').next().unwrap_or(href)]));
                }
                "body" => {
                    let names = [page.attribute(node, "class"), page.attribute(node, "id")];
                    let names = names.into_iter().flatten().flat_map(str::split_ascii_whitespace);
                    template.body.extend(names.map(|name| digest([name])));
                }
                _ => {}
            }
        }
        template.kinds = counts.into_iter().map(|(kind, count)| (kind, (count as f32).ln_1p())).collect();
        template.length = template.kinds.values().map(|count| count * count).sum::<f32>().sqrt();
        if let Some(node) = content.first().copied() {
            let above = page.ancestors(node).map(|above| digest([page.tag(above)]));
            template.content_place = Some(above.fold(0_u32, |path, tag| path.rotate_left(5) ^ tag));
            template.content_look = Some(look(page, node));
        }
        template
    }

    /// Returns the cosine of the damped counts of elements, in [0, 1].
    pub(super) fn likeness(&self, other: &TemplateFacts) -> f32 {
        let common = self.kinds.iter().filter_map(|(kind, count)| Some(count * other.kinds.get(kind)?));
        let product = self.length * other.length;
        if product > 0.0 { (common.sum::<f32>() / product).clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// Returns the size of the intersection divided by that of the union; −1 if both are empty.
pub(super) fn in_common<T: Ord>(one: &BTreeSet<T>, other: &BTreeSet<T>) -> f32 {
    let common = one.intersection(other).count();
    let all = one.len() + other.len() - common;
    if all == 0 { -1.0 } else { common as f32 / all as f32 }
}

/// Returns a digest of the names of an element and its parent, without digits.
fn look(page: &Page, node: NodeId) -> u32 {
    let class = |id| cut(page.value(id, Attr::Class).unwrap_or_default(), MAX_CLASS);
    let parent = page.parent(node).unwrap_or(node);
    digest([page.tag(node), class(node), page.tag(parent), class(parent)])
}

/// Returns FNV-1a over the parts, without ASCII digits, folded to 32 bits.
fn digest<const N: usize>(parts: [&str; N]) -> u32 {
    let of_part = |hash: Fnv1a64, part: &str| {
        part.bytes().filter(|byte| !byte.is_ascii_digit()).fold(hash, Fnv1a64::byte).byte(0xff)
    };
    let hash = parts.into_iter().fold(Fnv1a64::new(), of_part).finish();
    #[expect(clippy::cast_possible_truncation, reason = "both halves of the digest are folded into it")]
    let folded = (hash ^ (hash >> 32)) as u32;
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_leave_digits_out() {
        assert_eq!(digest(["main.css"]), 0x325a_718b);
        assert_eq!(digest(["div", "post-12", "body", ""]), 0xa0d0_ab0c);
        assert_eq!(digest(["次"]), 0x811c_1988);
    }

    #[test]
    fn a_long_class_is_not_read_for_each_child() {
        let html = format!("<div class='{}'>{}", "c ".repeat(5_000_000), "<p>x".repeat(100_000));
        let page = Page::from_text(&html, &"https://a.test/".parse().unwrap());
        let template = TemplateFacts::of(&page, &[]);
        assert!((template.likeness(&template) - 1.0).abs() < 1e-6);
    }
}
