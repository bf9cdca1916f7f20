//! From scores of blocks to nodes: what to take, and what to leave out below it.

use super::block::TextBlock;
use super::context::PageContext;
use super::expected::{Weighed, best_expected};
use tsugi_page::NodeId;

/// How scores are decoded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DecodeParams {
    /// The cut is this times the one with the best expected F.
    pub(crate) cut_factor: f32,
    /// What one more node costs, as a share of the page's expected content.
    pub(crate) start: f32,
    /// What one more part that is left out costs.
    pub(crate) leave: f32,
}

/// The nodes taken from a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Taken {
    /// Outermost nodes, in document order.
    pub nodes: Vec<NodeId>,
    /// Outermost nodes below them that are left out.
    pub without: Vec<NodeId>,
}

/// The score from which on text is worth taking, and what the best choice is expected to be worth.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cut {
    pub(crate) value: f64,
    pub(crate) expected_f: f64,
    /// The tokens of content that the page is expected to have.
    content: f64,
}

/// Chooses nodes, and parts to leave out, that are worth most together.
///
/// Each text is worth its tokens times what its block's score exceeds a cut by; every node taken and every part left
/// out costs something, so that one container is preferred to its hundred paragraphs unless what else it holds is
/// too much. What is left out is left out whole. The choice is exact.
///
/// The cut is the one of [`best_expected`], which is half of the best expected F.
///
/// # Cost
///
/// One pass over the nodes to make it, and two over those with text for each choice.
#[derive(Debug)]
pub(crate) struct Decoder<'a> {
    context: &'a PageContext<'a>,
    pub(crate) cut: Cut,
    /// The nodes with text, in document order.
    nodes: Vec<TextNode>,
}

/// A node with text in it.
#[derive(Debug, Clone, Copy)]
struct TextNode {
    id: NodeId,
    /// The place of its parent among the nodes; its own for the root.
    parent: usize,
    /// Tokens of a text, 0 for elements.
    tokens: f64,
    score: f64,
    is_element: bool,
}

impl<'a> Decoder<'a> {
    /// Prepares the choice; `scores` are by block.
    pub(crate) fn new(context: &'a PageContext<'a>, scores: &[f32]) -> Self {
        let blocks = &context.blocks().blocks;
        let weigh = |(block, score): (&TextBlock, &f32)| Weighed {
            tokens: f64::from(block.counts.tokens),
            score: f64::from(*score),
        };
        let weighed: Vec<Weighed> = blocks.iter().zip(scores).map(weigh).collect();
        let best = best_expected(&weighed);
        let content = weighed.iter().map(|piece| piece.tokens * piece.score).sum();
        let cut = Cut { value: best.cut, expected_f: best.f, content };
        Decoder { context, cut, nodes: text_nodes(context, scores) }
    }

    /// What the text right at each node is worth, as a share of the expected content.
    fn worth(&self, cut: f64) -> Vec<f64> {
        let content = self.cut.content.max(1.0);
        self.nodes.iter().map(|node| node.tokens * (node.score - cut) / content).collect()
    }

    /// The choice that is worth most.
    pub(crate) fn decode(&self, params: &DecodeParams) -> Taken {
        let (start, leave) = (f64::from(params.start), f64::from(params.leave));
        // What a subtree is worth inside something taken, and where nothing above it is taken.
        let mut inside = self.worth(self.cut.value * f64::from(params.cut_factor));
        let mut below = vec![0.0; self.nodes.len()];
        let mut starts = vec![false; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            // Of nodes that are worth the same the innermost is taken: a container without its wrappers.
            starts[at] = node.is_element && inside[at] - start > below[at];
            let outside = if starts[at] { inside[at] - start } else { below[at] };
            if node.parent != at {
                inside[node.parent] += f64::max(inside[at], -leave);
                below[node.parent] += outside;
            }
        }
        let mut taken = Taken::default();
        let (mut taken_end, mut left_end) = (0, 0);
        for (at, node) in self.nodes.iter().enumerate() {
            let place = node.id.index();
            if place < left_end {
                continue;
            }
            let end = self.context.page().subtree_end(node.id);
            if place < taken_end {
                if inside[at] < -leave {
                    taken.without.push(node.id);
                    left_end = end;
                }
            } else if starts[at] {
                taken.nodes.push(node.id);
                taken_end = end;
            }
        }
        taken
    }

    /// What is worth leaving out of an element, `leave` being the cost of each part.
    pub(crate) fn prune(&self, element: NodeId, leave: f64) -> Vec<NodeId> {
        let end = self.context.page().subtree_end(element);
        let from = self.nodes.partition_point(|node| node.id <= element);
        let to = self.nodes.partition_point(|node| node.id.index() < end);
        let mut inside = self.worth(self.cut.value);
        let below = &self.nodes[from..to];
        for (at, node) in below.iter().enumerate().rev() {
            inside[node.parent] += f64::max(inside[from + at], -leave);
        }
        let mut left_end = 0;
        let mut without = Vec::new();
        for (node, inside) in below.iter().zip(&inside[from..to]) {
            if node.id.index() >= left_end && *inside < -leave {
                without.push(node.id);
                left_end = self.context.page().subtree_end(node.id);
            }
        }
        without
    }
}

fn text_nodes(context: &PageContext<'_>, scores: &[f32]) -> Vec<TextNode> {
    let page = context.page();
    let blocks = context.blocks();
    let mut texts = blocks.blocks.iter().zip(scores).flat_map(|(block, score)| {
        let of_text = |text: usize| (blocks.texts[text], f64::from(blocks.tokens[text]), f64::from(*score));
        block.texts.clone().map(of_text)
    });
    let mut text = texts.next();
    let mut nodes: Vec<TextNode> = Vec::new();
    // The open nodes, and where they end.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for id in page.subtree(NodeId::DOCUMENT) {
        let Some((next, tokens, score)) = text else { break };
        let end = page.subtree_end(id);
        if end <= next.index() || id.index() > next.index() {
            continue;
        }
        while open.last().is_some_and(|(_, end)| *end <= id.index()) {
            open.pop();
        }
        let at = nodes.len();
        let parent = open.last().map_or(at, |(parent, _)| *parent);
        open.push((at, end));
        let is_text = id == next;
        nodes.push(TextNode {
            id,
            parent,
            tokens: if is_text { tokens } else { 0.0 },
            score,
            is_element: page.is_element(id),
        });
        if is_text {
            text = texts.next();
        }
    }
    nodes
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
        Decoder::new(&context, &scores).decode(params)
    }

    fn tags(page: &Page, nodes: &[NodeId]) -> Vec<String> {
        nodes.iter().map(|id| page.tag(*id).to_owned()).collect()
    }

    const USUAL: DecodeParams = DecodeParams { cut_factor: 1.0, start: 0.002, leave: 0.002 };
    const TEXT: &str = "some words of a text";

    #[test]
    fn a_container_is_taken_rather_than_its_paragraphs() {
        let page = page(&format!("<nav>{TEXT}</nav><main><p s=.9>{TEXT}<p s=.8>{TEXT}<p s=.9>{TEXT}</main>"));
        let taken = decoded(&page, &USUAL);
        assert_eq!((tags(&page, &taken.nodes), taken.without.len()), (vec!["main".to_owned()], 0));
    }

    #[test]
    fn what_is_no_content_inside_is_left_out_whole() {
        let page = page(&format!(
            "<main><p s=.9>{TEXT}<aside><b>{TEXT}</b><ul><li>{TEXT}<li>{TEXT}</ul></aside><p s=.9>{TEXT}<p s=.9>{TEXT}</main>"
        ));
        let taken = decoded(&page, &USUAL);
        assert_eq!(tags(&page, &taken.nodes), ["main"]);
        assert_eq!(tags(&page, &taken.without), ["aside"]);
        // Where leaving out costs more than it is worth, it stays.
        let dear = DecodeParams { leave: 5.0, ..USUAL };
        assert!(decoded(&page, &dear).without.is_empty());
    }

    #[test]
    fn of_elements_with_the_same_text_the_innermost_is_taken() {
        let page = page(&format!("<div><section><p s=.9>{TEXT}<p s=.9>{TEXT}</section></div>"));
        assert_eq!(tags(&page, &decoded(&page, &USUAL).nodes), ["section"]);
    }

    #[test]
    fn a_page_without_text_or_content_gives_nothing() {
        assert_eq!(decoded(&page(""), &USUAL), Taken::default());
        assert_eq!(decoded(&page("<p s=0>x"), &USUAL), Taken::default());
    }

    proptest::proptest! {
        #[test]
        fn nodes_and_what_is_left_out_never_overlap(
            html in "(<div s=\\.[0-9]>|<p s=\\.[0-9]>|<b>|</b>|</div>|word |two words ){0,30}",
            start in 0.0_f32..0.2, leave in 0.0_f32..0.2,
        ) {
            let page = page(&html);
            let taken = decoded(&page, &DecodeParams { start, leave, ..USUAL });
            proptest::prop_assert_eq!(page.outermost(taken.nodes.clone()), taken.nodes.clone());
            proptest::prop_assert_eq!(page.outermost(taken.without.clone()), taken.without.clone());
            for part in &taken.without {
                let inside = |node: &NodeId| node != part && page.contains(*node, *part);
                proptest::prop_assert!(taken.nodes.iter().any(inside));
            }
        }
    }
}
