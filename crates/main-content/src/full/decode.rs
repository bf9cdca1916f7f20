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
    /// Room for what the choices compute.
    worths: Vec<Worth>,
}

/// A node with text in it.
#[derive(Debug, Clone, Copy)]
struct TextNode {
    id: NodeId,
    /// The place of its parent among the nodes; its own for the root.
    parent: u32,
    /// The place of the first node after its subtree.
    after: u32,
    is_element: bool,
    /// Tokens of a text, 0 for elements.
    tokens: f64,
    score: f64,
}

/// What a subtree is worth.
#[derive(Debug, Clone, Copy)]
struct Worth {
    /// Inside something taken.
    inside: f64,
    /// Where neither it nor anything above it is taken.
    below: f64,
    /// Whether it is taken where nothing above it is.
    starts: bool,
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
        Decoder { context, cut, nodes: text_nodes(context, scores), worths: Vec::new() }
    }

    /// The choice that is worth most.
    pub(crate) fn decode(&mut self, params: &DecodeParams) -> Taken {
        let (start, leave) = (f64::from(params.start), f64::from(params.leave));
        let cut = self.cut.value * f64::from(params.cut_factor);
        let Decoder { nodes, worths, .. } = self;
        own_worth(nodes, cut, self.cut.content, worths);
        for (at, node) in nodes.iter().enumerate().rev() {
            let worth = &mut worths[at];
            // Of nodes that are worth the same the innermost is taken: a container without its wrappers.
            worth.starts = node.is_element && worth.inside - start > worth.below;
            let outside = if worth.starts { worth.inside - start } else { worth.below };
            let inside = f64::max(worth.inside, -leave);
            let parent = node.parent as usize;
            if parent != at {
                worths[parent].inside += inside;
                worths[parent].below += outside;
            }
        }
        let mut taken = Taken::default();
        let (mut at, mut taken_end) = (0, 0);
        while let (Some(node), Some(worth)) = (nodes.get(at), worths.get(at)) {
            let after = node.after as usize;
            let mut next = at + 1;
            if at < taken_end {
                if worth.inside < -leave {
                    taken.without.push(node.id);
                    next = after;
                }
            } else if worth.starts {
                taken.nodes.push(node.id);
                taken_end = after;
            } else if worth.below <= 0.0 {
                // What is taken is worth something: nothing is below.
                next = after;
            }
            at = next;
        }
        taken
    }

    /// What is worth leaving out of an element, `leave` being the cost of each part.
    pub(crate) fn prune(&mut self, element: NodeId, leave: f64) -> Vec<NodeId> {
        let end = self.context.page().subtree_end(element);
        let from = self.nodes.partition_point(|node| node.id <= element);
        let to = self.nodes.partition_point(|node| node.id.index() < end);
        let (below, worths) = (&self.nodes[from..to], &mut self.worths);
        own_worth(below, self.cut.value, self.cut.content, worths);
        for (at, node) in below.iter().enumerate().rev() {
            let inside = f64::max(worths[at].inside, -leave);
            // What the element itself is worth is of no interest.
            if let Some(parent) = (node.parent as usize).checked_sub(from) {
                worths[parent].inside += inside;
            }
        }
        let mut without = Vec::new();
        let mut at = 0;
        while let (Some(node), Some(worth)) = (below.get(at), worths.get(at)) {
            let left = worth.inside < -leave;
            if left {
                without.push(node.id);
            }
            at = if left { node.after as usize - from } else { at + 1 };
        }
        without
    }
}

/// Sets what the text right at each node is worth, as a share of the page's content.
fn own_worth(nodes: &[TextNode], cut: f64, content: f64, worths: &mut Vec<Worth>) {
    let content = content.max(1.0);
    let own = |node: &TextNode| node.tokens * (node.score - cut) / content;
    worths.clear();
    worths.extend(nodes.iter().map(|node| Worth { inside: own(node), below: 0.0, starts: false }));
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
    let mut open: Vec<(u32, usize)> = Vec::new();
    let mut next_at = 0;
    for id in page.subtree(NodeId::DOCUMENT) {
        if id.index() < next_at {
            continue;
        }
        let Some((next, tokens, score)) = text else { break };
        let end = page.subtree_end(id);
        if end <= next.index() {
            next_at = end;
            continue;
        }
        let at = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
        while let Some((closed, _)) = open.pop_if(|(_, end)| *end <= id.index()) {
            nodes[closed as usize].after = at;
        }
        let parent = open.last().map_or(at, |(parent, _)| *parent);
        open.push((at, end));
        let is_text = id == next;
        nodes.push(TextNode {
            id,
            parent,
            after: 0,
            is_element: page.is_element(id),
            tokens: if is_text { tokens } else { 0.0 },
            score,
        });
        if is_text {
            text = texts.next();
        }
    }
    let count = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
    for (at, _) in open {
        nodes[at as usize].after = count;
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
