//! From scores of blocks to nodes: what to take, and what to leave out below it.

use super::context::PageContext;
use super::expected::{Weighed, best_expected};
use serde::{Deserialize, Serialize};
use tsugi_page::{NodeId, NodeKind};

/// How scores are decoded.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DecodeParams {
    /// The cut is this times the one with the best expected F …
    pub cut_factor: f32,
    /// … and this.
    pub cut_shift: f32,
    /// What one more node costs, as a share of the page's expected content.
    pub start: f32,
    /// What one more part that is left out costs.
    pub leave: f32,
}

impl Default for DecodeParams {
    fn default() -> Self {
        DecodeParams { cut_factor: 1.0, cut_shift: 0.0, start: 0.002, leave: 0.002 }
    }
}

/// The nodes taken from a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Taken {
    /// Outermost nodes, in document order.
    pub nodes: Vec<NodeId>,
    /// Outermost nodes below them that are left out.
    pub without: Vec<NodeId>,
}

/// What happens at a node, from the outside in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing above it is taken.
    Outside,
    /// It is part of what is taken.
    Inside,
}

/// Chooses nodes, and parts to leave out, that are worth most together.
///
/// Each text is worth its tokens times what its block's score exceeds a cut by; every node taken and every part left
/// out costs something, so that one container is preferred to its hundred paragraphs unless what else it holds is
/// too much. What is left out is left out whole. The choice is exact.
///
/// The cut is the one of [`best_expected`], which is half of the expected F, moved by `params`.
///
/// # Cost
///
/// Two passes over the nodes.
pub fn decode_blocks(context: &PageContext<'_>, scores: &[f32], params: &DecodeParams) -> Taken {
    let cut = best_cut(context, scores);
    let value = cut.value * f64::from(params.cut_factor) + f64::from(params.cut_shift);
    let worth = worth_of(context, scores, value, cut.content);
    choose(context, &worth, f64::from(params.start), f64::from(params.leave))
}

/// What the parts below an element are worth leaving out under the page's best cut, `leave` being the cost of each.
pub(crate) fn prune(context: &PageContext<'_>, scores: &[f32], node: NodeId, leave: f64) -> Vec<NodeId> {
    let page = context.page();
    let cut = best_cut(context, scores);
    let mut inside = worth_of(context, scores, cut.value, cut.content);
    for id in page.subtree(node).rev() {
        if let Some(parent) = page.parent(id).filter(|_| id != node) {
            inside[parent.index()] += f64::max(inside[id.index()], -leave);
        }
    }
    let mut left_end = 0;
    let mut without = Vec::new();
    for id in page.subtree(node).skip(1) {
        if id.index() >= left_end && inside[id.index()] < -leave {
            without.push(id);
            left_end = page.subtree_end(id);
        }
    }
    without
}

/// The score from which on text is worth taking, and what the best choice is expected to be worth.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cut {
    pub(crate) value: f64,
    pub(crate) expected_f: f64,
    /// The tokens of content that the page is expected to have.
    pub(crate) content: f64,
}

pub(crate) fn best_cut(context: &PageContext<'_>, scores: &[f32]) -> Cut {
    let blocks = &context.blocks().blocks;
    let weighed: Vec<Weighed> = blocks
        .iter()
        .zip(scores)
        .map(|(block, score)| Weighed { tokens: f64::from(block.counts.tokens), score: f64::from(*score) })
        .collect();
    let best = best_expected(&weighed);
    let content = weighed.iter().map(|piece| piece.tokens * piece.score).sum();
    Cut { value: best.cut, expected_f: best.f, content }
}

/// By node: what the text right at it is worth, as a share of the expected content.
fn worth_of(context: &PageContext<'_>, scores: &[f32], cut: f64, content: f64) -> Vec<f64> {
    let blocks = context.blocks();
    let mut worth = vec![0.0; context.page().node_count()];
    for (block, score) in blocks.blocks.iter().zip(scores) {
        for text in block.texts.clone() {
            let tokens = f64::from(blocks.tokens[text]);
            worth[blocks.texts[text].index()] = tokens * (f64::from(*score) - cut) / content.max(1.0);
        }
    }
    worth
}

/// The choice that is worth most: `worth` is that of the text right at each node.
fn choose(context: &PageContext<'_>, worth: &[f64], start: f64, leave: f64) -> Taken {
    let page = context.page();
    let count = page.node_count();
    // By node: what its subtree is worth inside something taken, and where nothing above it is taken.
    let mut inside = worth.to_vec();
    let mut outside = vec![0.0; count];
    for id in page.subtree(NodeId::DOCUMENT).rev() {
        let at = id.index();
        if may_start(context, id) {
            outside[at] = f64::max(outside[at], inside[at] - start);
        }
        if let Some(parent) = page.parent(id) {
            inside[parent.index()] += f64::max(inside[at], -leave);
            outside[parent.index()] += outside[at];
        }
    }
    let mut taken = Taken::default();
    let mut states = vec![State::Outside; count];
    let mut left_end = 0;
    for id in page.subtree(NodeId::DOCUMENT) {
        let at = id.index();
        if at < left_end {
            continue;
        }
        let state = page.parent(id).map_or(State::Outside, |parent| states[parent.index()]);
        states[at] = match state {
            State::Outside => {
                // Of nodes that are worth the same the innermost is taken: a container without its wrappers.
                let starts =
                    may_start(context, id) && inside[at] - start > sum_of_children(context, &outside, id);
                if starts { State::Inside } else { State::Outside }
            }
            State::Inside => State::Inside,
        };
        match (state, states[at]) {
            (State::Outside, State::Inside) => taken.nodes.push(id),
            (State::Inside, _) if inside[at] < -leave => {
                taken.without.push(id);
                left_end = page.subtree_end(id);
            }
            _ => {}
        }
    }
    taken
}

fn sum_of_children(context: &PageContext<'_>, outside: &[f64], id: NodeId) -> f64 {
    context.page().children(id).map(|child| outside[child.index()]).sum()
}

fn may_start(context: &PageContext<'_>, id: NodeId) -> bool {
    context.page().kind(id) == NodeKind::Element && context.inside(id).tokens > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsugi_page::Page;

    fn page(html: &str) -> Page {
        Page::from_text(html, &"https://a.test/".parse().unwrap())
    }

    /// Decodes with the scores in the attribute `s` of the block's element; 0 where there is none.
    fn decoded(page: &Page, params: &DecodeParams) -> Taken {
        let context = PageContext::new(page, None);
        let score = |id: NodeId| page.attribute(id, "s").map_or(0.0, |score| score.parse().unwrap());
        let scores: Vec<f32> = context.blocks().blocks.iter().map(|block| score(block.owner)).collect();
        decode_blocks(&context, &scores, params)
    }

    fn tags(page: &Page, nodes: &[NodeId]) -> Vec<String> {
        nodes.iter().map(|id| page.tag(*id).to_owned()).collect()
    }

    const TEXT: &str = "some words of a text";

    #[test]
    fn a_container_is_taken_rather_than_its_paragraphs() {
        let page = page(&format!("<nav>{TEXT}</nav><main><p s=.9>{TEXT}<p s=.8>{TEXT}<p s=.9>{TEXT}</main>"));
        let taken = decoded(&page, &DecodeParams::default());
        assert_eq!((tags(&page, &taken.nodes), taken.without.len()), (vec!["main".to_owned()], 0));
    }

    #[test]
    fn what_is_no_content_inside_is_left_out_whole() {
        let page = page(&format!(
            "<main><p s=.9>{TEXT}<aside><b>{TEXT}</b><ul><li>{TEXT}<li>{TEXT}</ul></aside><p s=.9>{TEXT}</main>"
        ));
        let taken = decoded(&page, &DecodeParams::default());
        assert_eq!(tags(&page, &taken.nodes), ["main"]);
        assert_eq!(tags(&page, &taken.without), ["aside"]);
        // Where leaving out costs more than it is worth, it stays.
        let dear = DecodeParams { leave: 5.0, ..DecodeParams::default() };
        assert!(decoded(&page, &dear).without.is_empty());
    }

    #[test]
    fn of_elements_with_the_same_text_the_innermost_is_taken() {
        let page = page(&format!("<div><section><p s=.9>{TEXT}<p s=.9>{TEXT}</section></div>"));
        assert_eq!(tags(&page, &decoded(&page, &DecodeParams::default()).nodes), ["section"]);
    }

    #[test]
    fn a_page_without_text_or_content_gives_nothing() {
        assert_eq!(decoded(&page(""), &DecodeParams::default()), Taken::default());
        assert_eq!(decoded(&page("<p s=0>x"), &DecodeParams::default()), Taken::default());
    }

    proptest::proptest! {
        #[test]
        fn nodes_and_what_is_left_out_never_overlap(
            html in "(<div s=\\.[0-9]>|<p s=\\.[0-9]>|<b>|</b>|</div>|word |two words ){0,30}",
            start in 0.0_f32..0.2, leave in 0.0_f32..0.2,
        ) {
            let page = page(&html);
            let taken = decoded(&page, &DecodeParams { start, leave, ..DecodeParams::default() });
            proptest::prop_assert_eq!(page.outermost(taken.nodes.clone()), taken.nodes.clone());
            proptest::prop_assert_eq!(page.outermost(taken.without.clone()), taken.without.clone());
            for part in &taken.without {
                let inside = |node: &NodeId| node != part && page.contains(*node, *part);
                proptest::prop_assert!(taken.nodes.iter().any(inside));
            }
        }
    }
}
