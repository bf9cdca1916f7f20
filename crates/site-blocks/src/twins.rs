//! Pages that show the same thing at several addresses.

use crate::block::Block;
use crate::vector::Feature;
use std::collections::{BTreeMap, BTreeSet};

/// Finds, for each page, the others that are near-duplicates of it.
///
/// Twin pages share their article and differ in a side bar; other pages of a site share all but the article.
/// So texts weigh by their length and by how many pages lack them, and two pages are twins if they share more
/// than half of the weight that either has:
///
/// ```text
/// weight(t) = characters(t) · (pages − pages with t)
/// twins     ⇔ weight(texts of both) / weight(texts of either) > 1/2
/// ```
///
/// In a set of two pages no text that both have weighs anything: there, an article that stands twice cannot
/// be told from a menu, and no pages are twins.
///
/// # Cost
///
/// `O(Σ f²)` for texts that stand on `f` pages each.
///
/// # Source
///
/// Yoshida & Yamamoto (2009), section 4.3, proposes to compare pages before blocks and gives no measure.
/// CHOICE: resemblance of the sets of texts, weighted as above, and one half. A cosine over all counts, as
/// for blocks, would be near 1 for any two pages of one template.
pub(crate) fn twins(pages: &[Vec<Block>]) -> Vec<BTreeSet<usize>> {
    let texts: Vec<BTreeSet<&str>> = pages.iter().map(|blocks| texts_of(blocks)).collect();
    let mut holders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (page, texts) in texts.iter().enumerate() {
        for text in texts {
            holders.entry(text).or_default().push(page);
        }
    }
    let weight = |text: &str| text.chars().count() * (pages.len() - holders[text].len());
    let weights: Vec<usize> = texts.iter().map(|texts| texts.iter().map(|text| weight(text)).sum()).collect();
    let mut twins = vec![BTreeSet::new(); pages.len()];
    for (page, texts) in texts.iter().enumerate() {
        let mut shared = vec![0; pages.len()];
        for text in texts {
            let others = &holders[text];
            let later = others.partition_point(|other| *other <= page);
            if later < others.len() {
                let weight = weight(text);
                others[later..].iter().for_each(|other| shared[*other] += weight);
            }
        }
        for (other, shared) in shared.into_iter().enumerate() {
            let either = weights[page] + weights[other] - shared;
            if 2 * shared > either {
                twins[page].insert(other);
                twins[other].insert(page);
            }
        }
    }
    twins
}

fn texts_of(blocks: &[Block]) -> BTreeSet<&str> {
    let features = blocks.iter().flat_map(|block| block.vector().counts());
    features
        .filter_map(|(feature, _)| match feature {
            Feature::Text(text) => Some(&**text),
            Feature::Tag(_) => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks;
    use tsugi_page::Page;

    fn twins_of(bodies: &[&str]) -> Vec<Vec<usize>> {
        let page = |body: &&str| {
            blocks(&Page::from_text(&format!("<ul><li>menu</ul>{body}"), &"https://a.test/".parse().unwrap()))
        };
        let pages: Vec<_> = bodies.iter().map(page).collect();
        twins(&pages).into_iter().map(|twins| twins.into_iter().collect()).collect()
    }

    #[test]
    fn weight_is_length_times_rarity() {
        // Of three pages two share `sixsix` (6 · 1 = 6 shared) and have `a…`, `b…` alone (n · 2 each).
        // n = 1: 6 / (6 + 2 + 2) = 0.6; n = 2: 6 / (6 + 4 + 4) = 0.43; `menu` weighs 4 · 0.
        let twins = |a: &str, b: &str| {
            twins_of(&[&format!("<p>sixsix<p>{a}"), &format!("<p>sixsix<p>{b}"), "<p>other"])
        };
        assert_eq!(twins("a", "b"), [vec![1], vec![0], vec![]]);
        assert_eq!(twins("aa", "bb"), [vec![], vec![], Vec::<usize>::new()]);
    }

    #[test]
    fn pages_without_weight_have_no_twins() {
        assert_eq!(twins_of(&["", "", ""]), vec![Vec::<usize>::new(); 3]);
        assert_eq!(twins_of(&["<p>a", "<p>a"]), vec![Vec::<usize>::new(); 2]);
        assert!(twins_of(&[]).is_empty());
    }

    #[test]
    fn several_may_be_twins_of_each_other() {
        let twins = twins_of(&["<p>same", "<p>x", "<p>same", "<p>same"]);
        assert_eq!(twins, [vec![2, 3], vec![], vec![0, 3], vec![0, 2]]);
    }
}
