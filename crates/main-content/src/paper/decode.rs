//! From scores of elements to the main content of a page.

use super::features::is_never_content;
use tsugi_page::{NodeId, Page};

/// Chooses the content: one element, or several children of one parent.
///
/// An element is worth the characters of its text times the amount by which its score exceeds the threshold. The
/// content is the children of one parent that exceed the threshold, for the parent where they are worth most
/// together: an article, or the entries of a list, but not an article and the footer of the page. On a tie, the outer
/// parent wins. An element without text counts as one character; elements that are never content (table 3.4) are
/// worth nothing.
///
/// If nothing exceeds the threshold, the content is the element with text that has the highest score, so that a page
/// with text never has empty content.
///
/// `ids` are the elements in document order, `scores` their scores in [0, 1].
///
/// CHOICE: children of one parent. Cross-validated by site with the paper's features, token F was .861 / .775 /
/// .861 / .690 (sites, mirrors, siteinfo pages, the open web) where any elements that do not overlap could be
/// taken together, each weighed by its text, and .844 / .753 / .825 / .685 where all weighed the same; with children
/// of one parent it was .878 / .829 / .893 / .724.
///
/// # Cost
///
/// Two passes over the elements.
pub fn decode(page: &Page, ids: &[NodeId], scores: &[f32], threshold: f32) -> Vec<NodeId> {
    let worths = || ids.iter().zip(scores).map(|(id, score)| (*id, worth(page, *id, *score, threshold)));
    let mut together = vec![0.0; page.node_count()];
    for (id, worth) in worths() {
        together[page.parent(id).unwrap_or(NodeId::DOCUMENT).index()] += worth;
    }
    let best = (0..together.len()).rev().max_by(|a, b| f64::total_cmp(&together[*a], &together[*b]));
    let of_best = worths().filter(|(id, worth)| {
        *worth > 0.0 && Some(page.parent(*id).unwrap_or(NodeId::DOCUMENT).index()) == best
    });
    let chosen: Vec<NodeId> = of_best.map(|(id, _)| id).collect();
    if chosen.is_empty() { fallback(page, ids, scores).into_iter().collect() } else { chosen }
}

fn worth(page: &Page, id: NodeId, score: f32, threshold: f32) -> f64 {
    if score <= threshold || is_never_content(page.tag(id)) {
        return 0.0;
    }
    let characters = page.totals(id).characters.max(1);
    f64::from(characters) * (f64::from(score) - f64::from(threshold))
}

// On a tie, the outermost.
fn fallback(page: &Page, ids: &[NodeId], scores: &[f32]) -> Option<NodeId> {
    let fits = |id: NodeId| page.totals(id).characters > 0 && !is_never_content(page.tag(id));
    let with_text = (0..ids.len()).filter(|place| fits(ids[*place]));
    let best = with_text.rev().max_by(|a, b| scores[*a].total_cmp(&scores[*b]))?;
    Some(ids[best])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_of;

    /// Decodes with scores from the `s` attribute of each element; 0 without one.
    fn decoded(page: &Page, threshold: f32) -> Vec<NodeId> {
        let ids: Vec<NodeId> = page.elements().collect();
        let score = |id: &NodeId| page.attribute(*id, "s").map_or(0.0, |s| s.parse().unwrap());
        let scores: Vec<f32> = ids.iter().map(score).collect();
        decode(page, &ids, &scores, threshold)
    }

    fn chosen(html: &str, threshold: f32) -> Vec<String> {
        let page = page_of(html);
        let nodes = decoded(&page, threshold);
        nodes.into_iter().map(|id| page.attribute(id, "id").unwrap_or(page.tag(id)).to_owned()).collect()
    }

    #[test]
    fn the_children_that_are_worth_most_win() {
        // 2 characters · (.9 − .5) = .8 against (.6 − .5) + (.7 − .5) = .3.
        assert_eq!(chosen("<div id=a s=.9><p s=.6>x</p><p s=.7>y</p></div>", 0.5), ["a"]);
        // 2 · (.6 − .5) = .2 against (.8 − .5) twice.
        assert_eq!(chosen("<div s=.6><p id=b s=.8>x</p><p id=c s=.8>y</p></div>", 0.5), ["b", "c"]);
        assert_eq!(chosen("<div id=a s=.8><p s=.8>x</p></div>", 0.5), ["a"], "the outer of equals");
        // 9 characters · (.6 − .5) = .9 against 1 · (.9 − .5) = .4.
        assert_eq!(chosen("<div id=a s=.6><p s=.9>x</p><p>12345678</p></div>", 0.5), ["a"]);
        // 8 · .2 = 1.6 for the paragraph; the footer, a child of another parent, would add 2 · .3.
        assert_eq!(chosen("<div><p id=b s=.7>12345678</p></div><footer s=.8>xy</footer>", 0.5), ["b"]);
    }

    #[test]
    fn what_is_never_content_is_not_chosen() {
        assert_eq!(chosen("<title s=.9>title</title><p id=b s=.6>x", 0.5), ["b"]);
        assert_eq!(chosen("<p id=b s=.1><span s=.9>x</span></p>", 0.5), ["b"]);
    }

    #[test]
    fn no_page_with_text_is_left_empty() {
        assert_eq!(chosen("<div s=.2 id=a><p id=b s=.4>x</p><p s=.45></p></div>", 0.5), ["b"]);
        assert_eq!(chosen("<p>x</p>", 0.5), ["body"]);
        assert!(chosen("<p s=.3></p>", 0.5).is_empty());
        assert!(chosen("", 0.5).is_empty());
    }

    proptest::proptest! {
        #[test]
        fn nodes_never_overlap(html in "(<div s=\\.[0-9]>|<p s=\\.[0-9]>|</div>|x){0,24}", threshold in 0.05_f32..0.95) {
            let page = page_of(&html);
            let nodes = decoded(&page, threshold);
            proptest::prop_assert_eq!(page.outermost(nodes.clone()), nodes);
        }
    }
}
