//! Turns block scores into an answer: which nodes to take, and which parts of them to leave out.

use super::context::PageContext;
use super::expected::{Weighed, best_expected};
use tsugi_page::{NodeId, Page, Tag};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DecodeParams {
    /// Factor applied to the cut with the best expected F.
    pub(crate) cut_factor: f32,
    /// Cost of each further node, as a share of the page's expected content.
    pub(crate) start: f32,
    pub(crate) leave: f32,
}

/// The nodes taken from a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Taken {
    /// Outermost nodes, in document order.
    pub nodes: Vec<NodeId>,
    /// Outermost nodes below `nodes` that are left out.
    pub without: Vec<NodeId>,
}

impl Taken {
    /// Leaves out whole lines, and the frames that are then empty: rows, tables, items, lists, and panels of tabs, of which the
    /// label says nothing alone. A panel that stays has its label.
    pub(crate) fn in_whole_lines(mut self, context: &PageContext<'_>) -> Taken {
        /// How deep in a label its words are, in elements.
        const NEAR: usize = 4;
        if self.without.is_empty() {
            return self;
        }
        self.add_rests_of_lines(context);
        let page = context.page();
        let is_frame = |id: NodeId| {
            let is_list = matches!(page.known_tag(id), Tag::Li | Tag::Ul | Tag::Ol | Tag::Dl);
            // Symbols in a table go with its words; an image in a list can be what it shows.
            let is_table =
                matches!(page.known_tag(id), Tag::Tr | Tag::Thead | Tag::Tbody | Tag::Tfoot | Tag::Table);
            page.is_html(id) && (is_table || (is_list && context.images_inside(id) == 0))
        };
        let tokens_behind =
            |panel: NodeId, label: NodeId| context.tokens_inside(panel) - context.tokens_inside(label);
        let mut frames: Vec<NodeId> = Vec::new();
        for part in &self.without {
            let above = page.ancestors(*part).take_while(|above| self.has_inside(page, *above));
            frames.extend(above.filter(|above| {
                is_frame(*above)
                    || page.tab_label(*above).is_some_and(|label| tokens_behind(*above, label) > 0)
            }));
        }
        frames.sort_unstable();
        frames.dedup();
        // `sums[i]` = tokens of the parts before part `i`.
        let mut sums = vec![0];
        for part in &self.without {
            sums.push(sums[sums.len() - 1] + context.tokens_inside(*part));
        }
        let tokens_before = |end: usize| sums[self.without.partition_point(|part| part.index() < end)];
        frames.retain(|frame| {
            let (start, tokens) = match page.tab_label(*frame) {
                Some(label) => (page.subtree_end(label), tokens_behind(*frame, label)),
                None => (frame.index(), context.tokens_inside(*frame)),
            };
            tokens_before(page.subtree_end(*frame)) - tokens_before(start) == tokens
        });
        self.without.extend(frames);
        self.without = page.outermost(std::mem::take(&mut self.without));
        let is_shown = |part: &NodeId| {
            let mut within = std::iter::once(*part).chain(page.ancestors(*part).take(NEAR));
            within.find(|id| page.class(*id).label).is_some_and(|label| {
                let panel = page.parent(label).unwrap_or(label);
                tokens_behind(panel, label) > 0 || context.images_inside(panel) > 0
            })
        };
        self.without.retain(|part| !is_shown(part));
        self
    }

    /// Returns `true` if a node is below one that is taken.
    fn has_inside(&self, page: &Page, id: NodeId) -> bool {
        let before = self.nodes.partition_point(|node| *node < id);
        before.checked_sub(1).is_some_and(|at| page.contains(self.nodes[at], id))
    }

    fn add_rests_of_lines(&mut self, context: &PageContext<'_>) {
        let (page, blocks) = (context.page(), context.blocks());
        let mut rests: Vec<NodeId> = Vec::new();
        let mut at = 0;
        for part in &self.without {
            let (from, to) = context.texts_inside(*part);
            while blocks.blocks.get(at).is_some_and(|block| block.texts().end <= from) {
                at += 1;
            }
            let Some(block) = blocks.blocks.get(at) else { break };
            // A part that holds whole lines, or the rest of a line added already.
            if block.texts().start >= from && block.texts().end <= to {
                continue;
            }
            for text in block.texts().filter(|text| *text < from || *text >= to) {
                let top =
                    std::iter::successors(Some(blocks.texts[text]), |id| page.parent(*id)).take_while(|id| {
                        let (from, to) = context.texts_inside(*id);
                        block.texts().start <= from
                            && to <= block.texts().end
                            && !page.class(*id).line
                            && !page.class(*id).cell
                    });
                rests.extend(top.last().filter(|id| self.has_inside(page, *id)));
            }
        }
        self.without.extend(rests);
        self.without = page.outermost(std::mem::take(&mut self.without));
    }
}

/// The score above which text is worth taking, and the expected value of the best choice.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScoreCut {
    pub(crate) value: f64,
    pub(crate) expected_f: f64,
    /// Expected number of content tokens on the page.
    content: f64,
}

/// Scores of blocks that are taken, or left out, whatever it costs.
pub(crate) const IN: f32 = 1e3;
pub(crate) const OUT: f32 = -1e3;

/// Chooses nodes, and parts to leave out of them, with the greatest total worth.
///
/// A text is worth its tokens times the amount by which its block's score exceeds the cut. Every node taken and every
/// part left out has a cost, so one container is preferred to its hundred paragraphs unless it contains too much
/// else. Parts are left out whole, and nothing smaller than a row of a table is: a figure without its label means nothing.
/// The choice is exact. [`Taken::in_whole_lines`] does the same for lines, whose texts share one score.
///
/// The cut comes from [`best_expected`] and is half of the best expected F.
///
/// # Cost
///
/// One pass over elements and texts to prepare, and two over the nodes for all settings of a call.
pub(crate) struct Decoder<'a> {
    context: &'a PageContext<'a>,
    pub(crate) cut: ScoreCut,
    /// The texts with tokens, and the elements that can make a difference, in document order.
    ///
    /// An element whose only text is in one other element is worth the same as that element, so it is neither taken
    /// (the innermost of equals is) nor left out. An element with a single text is merged with that text.
    nodes: Vec<TextNode>,
}

/// A text, or an element that holds several.
#[derive(Debug, Clone, Copy)]
struct TextNode {
    id: NodeId,
    /// The node to take: the element itself, or the element around a text that is alone in it.
    element: Option<NodeId>,
    /// Index of the parent element among the nodes; its own index for an outermost one.
    parent: u32,
    /// The place of the first node after its subtree.
    after: u32,
    /// Number of tokens of a text; 0 for elements.
    tokens: u32,
    score: f32,
    /// Whether it is inside a row, which is left out as a whole.
    is_part: bool,
}

impl TextNode {
    /// Returns the worth of a text, as a share of the page's content.
    fn own_worth(&self, cut: f64, content: f64) -> f64 {
        f64::from(self.tokens) * (f64::from(self.score) - cut) / content
    }
}

/// The most nodes whose worths under all settings are held at once.
const MANY: usize = 1 << 18;

/// The worth of a subtree under each setting.
#[derive(Debug, Clone, Copy)]
struct Worth<const N: usize> {
    /// If it is inside a node that is taken.
    inside: [f64; N],
    /// If neither it nor an ancestor is taken.
    below: [f64; N],
}

// `f64::max` takes care of NaN. Neither number is NaN here, so this is one instruction.
fn greater(one: f64, other: f64) -> f64 {
    if one > other { one } else { other }
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(context: &'a PageContext<'a>, scores: &[f32]) -> Self {
        let blocks = &context.blocks().blocks;
        let weighed = blocks.iter().zip(scores).map(|(block, score)| Weighed {
            tokens: f64::from(block.counts.tokens),
            score: f64::from(*score),
        });
        let weighed: Vec<Weighed> = weighed.collect();
        let best = best_expected(&weighed);
        let content = weighed.iter().map(|piece| piece.tokens * piece.score).sum();
        let cut = ScoreCut { value: best.cut, expected_f: best.f, content };
        Decoder { context, cut, nodes: text_nodes(context, scores) }
    }

    /// Prepares the choice under a given cut; blocks with a score of [`IN`] or [`OUT`] are decided.
    pub(crate) fn with_cut(context: &'a PageContext<'a>, scores: &[f32], cut: f64) -> Self {
        let blocks = context.blocks().blocks.iter().zip(scores);
        let content =
            blocks.map(|(block, score)| f64::from(block.counts.tokens) * f64::from(score.clamp(0.0, 1.0)));
        let cut = ScoreCut { value: cut, expected_f: 0.0, content: content.sum() };
        Decoder { context, cut, nodes: text_nodes(context, scores) }
    }

    /// Returns the best choice under each setting. All settings are evaluated side by side, but one after the other on a page that is
    /// so large that their worths would take more memory than its tree.
    pub(crate) fn decode<const N: usize>(&self, settings: &[DecodeParams; N]) -> [Taken; N] {
        if N > 1 && self.nodes.len() > MANY {
            return settings.map(|one| {
                let [taken] = self.decode(&[one]);
                taken
            });
        }
        let starts = settings.map(|params| f64::from(params.start));
        let least = settings.map(|params| -f64::from(params.leave));
        let cuts = settings.map(|params| self.cut.value * f64::from(params.cut_factor));
        let content = self.cut.content.max(1.0);
        let mut worths = vec![Worth { inside: [0.0; N], below: [0.0; N] }; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let (before, from) = worths.split_at_mut(at);
            let Some(worth) = from.first_mut() else { break };
            if node.tokens > 0 {
                for (inside, cut) in worth.inside.iter_mut().zip(cuts) {
                    *inside = node.own_worth(cut, content);
                }
            }
            let Some(parent) = before.get_mut(node.parent as usize) else { continue };
            // Loops without conditions become vector instructions.
            let mut kept = worth.inside;
            if !node.is_part {
                kept = std::array::from_fn(|k| greater(kept[k], least[k]));
            }
            for (sum, kept) in parent.inside.iter_mut().zip(kept) {
                *sum += kept;
            }
            if node.element.is_some() {
                let best: [f64; N] = std::array::from_fn(|k| greater(worth.below[k], kept[k] - starts[k]));
                for (sum, best) in parent.below.iter_mut().zip(best) {
                    *sum += best;
                }
            }
        }
        std::array::from_fn(|k| self.take(&worths, k, starts[k], least[k]))
    }

    fn take<const N: usize>(&self, worths: &[Worth<N>], k: usize, start: f64, least: f64) -> Taken {
        let mut taken = Taken::default();
        let (mut at, mut taken_end) = (0, 0);
        while let (Some(node), Some(worth)) = (self.nodes.get(at), worths.get(at)) {
            let after = node.after as usize;
            let (inside, below) = (worth.inside[k], worth.below[k]);
            let mut next = at + 1;
            if at < taken_end {
                if inside < least && !node.is_part {
                    taken.without.push(node.id);
                    next = after;
                }
            } else if let Some(element) = node.element.filter(|_| inside - start > below) {
                taken.nodes.push(element);
                taken_end = after;
            } else if below <= 0.0 {
                // Taken nodes have positive worth, so there is nothing below.
                next = after;
            }
            at = next;
        }
        taken
    }

    /// Returns the worth of each node if what is around it is taken and each part left out costs `leave`.
    pub(crate) fn worths(&self, leave: f64) -> Vec<f64> {
        let (cut, content) = (self.cut.value, self.cut.content.max(1.0));
        let mut worths: Vec<f64> = self.nodes.iter().map(|node| node.own_worth(cut, content)).collect();
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let inside = if node.is_part { worths[at] } else { greater(worths[at], -leave) };
            if let Some(parent) = worths[..at].get_mut(node.parent as usize) {
                *parent += inside;
            }
        }
        worths
    }

    /// Returns the parts worth leaving out of an element if each costs `leave`; `worths` are the [worths](Self::worths) at that cost.
    pub(crate) fn prune(&self, element: NodeId, leave: f64, worths: &[f64]) -> Vec<NodeId> {
        let end = self.context.page().subtree_end(element);
        let from = self.nodes.partition_point(|node| node.id <= element);
        let to = self.nodes.partition_point(|node| node.id.index() < end);
        let (below, worths) = (&self.nodes[from..to], &worths[from..to]);
        let mut without = Vec::new();
        let mut at = 0;
        while let (Some(node), Some(worth)) = (below.get(at), worths.get(at)) {
            let left = *worth < -leave && !node.is_part;
            if left {
                without.push(node.id);
            }
            at = if left { node.after as usize - from } else { at + 1 };
        }
        without
    }
}

fn text_nodes(context: &PageContext<'_>, scores: &[f32]) -> Vec<TextNode> {
    let blocks = context.blocks();
    let mut elements = context.with_text.iter().copied().peekable();
    let mut nodes: Vec<TextNode> = Vec::with_capacity(2 * blocks.texts.len());
    // The open nodes, each with the end of its texts.
    let mut open: Vec<(u32, usize)> = Vec::new();
    // The end of the last row among the nodes.
    let mut row_end = 0;
    for (block, score) in blocks.blocks.iter().zip(scores) {
        for text in block.texts().filter(|text| blocks.tokens[*text] > 0) {
            let (id, tokens) = (blocks.texts[text], blocks.tokens[text]);
            while let Some((closed, _)) = open.pop_if(|(_, end)| *end <= text) {
                nodes[closed as usize].after = place(&nodes);
            }
            let mut alone = None;
            // All of these elements contain the text, which is their first with tokens.
            while let Some(element) = elements.next_if(|element| *element < id) {
                let inside = context.tokens_inside(element);
                if inside == tokens {
                    alone = Some(element);
                    continue;
                }
                let inner = elements.peek().filter(|inner| **inner < id);
                if inner.is_some_and(|inner| context.tokens_inside(*inner) == inside) {
                    continue;
                }
                let at = place(&nodes);
                let (id, parent) = (element, parent_of(&open, at));
                let is_part = id.index() < row_end;
                nodes.push(TextNode {
                    id,
                    element: Some(id),
                    parent,
                    after: 0,
                    tokens: 0,
                    score: 0.0,
                    is_part,
                });
                if !is_part && is_row(context.page(), id) {
                    row_end = context.page().subtree_end(id);
                }
                open.push((at, context.texts_inside(element).1));
            }
            let at = place(&nodes);
            let (parent, score) = (parent_of(&open, at), *score);
            let is_part = id.index() < row_end;
            nodes.push(TextNode { id, element: alone, parent, after: at + 1, tokens, score, is_part });
        }
    }
    for (at, _) in open {
        nodes[at as usize].after = place(&nodes);
    }
    nodes
}

/// Returns `true` if an element is a row of data: some cells with few words. In a layout, rows are long, or hold headings or
/// tables.
fn is_row(page: &Page, id: NodeId) -> bool {
    /// In characters.
    const LONGEST: u32 = 600;
    /// In nodes.
    const LARGEST: usize = 400;
    page.is_tag(id, Tag::Tr)
        && page.totals(id).characters <= LONGEST
        && page.child_elements(id).filter(|cell| page.class(*cell).cell).nth(1).is_some()
        && page.subtree_end(id) - id.index() <= LARGEST
        && !page.subtree(id).any(|below| {
            matches!(page.known_tag(below), Tag::Table | Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::Form)
        })
}

fn parent_of(open: &[(u32, usize)], at: u32) -> u32 {
    open.last().map_or(at, |(parent, _)| *parent)
}

fn place(nodes: &[TextNode]) -> u32 {
    u32::try_from(nodes.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_of;

    /// Decodes with scores from the `s` attribute of each block's element; 0 without one.
    fn decoded(page: &Page, params: &DecodeParams) -> Taken {
        let [taken] = decoded_each(page, &[*params]);
        taken
    }

    fn decoded_each<const N: usize>(page: &Page, settings: &[DecodeParams; N]) -> [Taken; N] {
        let context = PageContext::new(page, None);
        let score = |id: NodeId| page.attribute(id, "s").map_or(0.0, |score| score.parse().unwrap());
        let scores: Vec<f32> = context.blocks().blocks.iter().map(|block| score(block.owner)).collect();
        Decoder::new(&context, &scores).decode(settings)
    }

    fn tags(page: &Page, nodes: &[NodeId]) -> Vec<String> {
        nodes.iter().map(|id| page.tag(*id).to_owned()).collect()
    }

    const USUAL: DecodeParams = DecodeParams { cut_factor: 1.0, start: 0.002, leave: 0.002 };
    const TEXT: &str = "some words of a text";

    #[test]
    fn a_container_is_taken_rather_than_its_paragraphs() {
        let page =
            page_of(&format!("<nav>{TEXT}</nav><main><p s=.9>{TEXT}<p s=.8>{TEXT}<p s=.9>{TEXT}</main>"));
        let taken = decoded(&page, &USUAL);
        assert_eq!((tags(&page, &taken.nodes), taken.without.len()), (vec!["main".to_owned()], 0));
    }

    #[test]
    fn what_is_no_content_inside_is_left_out_whole() {
        let page = page_of(&format!(
            "<main><p s=.9>{TEXT}<aside><b>{TEXT}</b><ul><li>{TEXT}<li>{TEXT}</ul></aside><p s=.9>{TEXT}<p s=.9>{TEXT}</main>"
        ));
        let taken = decoded(&page, &USUAL);
        assert_eq!(tags(&page, &taken.nodes), ["main"]);
        assert_eq!(tags(&page, &taken.without), ["aside"]);
        // A part stays if leaving it out costs more than it is worth.
        let dear = DecodeParams { leave: 5.0, ..USUAL };
        assert!(decoded(&page, &dear).without.is_empty());
    }

    #[test]
    fn of_elements_with_the_same_text_the_innermost_is_taken() {
        let page = page_of(&format!("<div><section><p s=.9>{TEXT}<p s=.9>{TEXT}</section></div>"));
        assert_eq!(tags(&page, &decoded(&page, &USUAL).nodes), ["section"]);
    }

    #[test]
    fn a_page_without_text_or_content_gives_nothing() {
        assert_eq!(decoded(&page_of(""), &USUAL), Taken::default());
        assert_eq!(decoded(&page_of("<p s=0>x"), &USUAL), Taken::default());
    }

    #[test]
    fn a_row_is_left_out_or_stays_as_a_whole() {
        let page = page_of(&format!(
            "<main><p s=.9>{TEXT} {TEXT}<table><tr><th s=.1>Operating income<td s=.9>{TEXT} {TEXT}<tr><th s=0>{TEXT}<td s=0>{TEXT}\
             </table><p s=.9>{TEXT} {TEXT}</main>"
        ));
        let taken = decoded(&page, &USUAL);
        assert_eq!(tags(&page, &taken.nodes), ["main"]);
        assert_eq!(tags(&page, &taken.without), ["tr"]);
    }

    #[test]
    fn lines_are_left_out_whole_and_with_their_frames() {
        let page = page_of(&format!(
            "<main><p s=.9>{TEXT} {TEXT} {TEXT}<div s=0>{TEXT} <b>x</b>, {TEXT} <i>y</i></div>\
             <table><tr s=0><td s=0><img src=a>{TEXT}</table><ul><li s=0>{TEXT}<li s=0>{TEXT}</ul><p s=.9>{TEXT} {TEXT}</main>"
        ));
        let context = PageContext::new(&page, None);
        let dear = DecodeParams { leave: 1e-4, ..USUAL };
        let taken = decoded(&page, &dear).in_whole_lines(&context);
        let left: Vec<u32> = taken.without.iter().map(|id| context.tokens_inside(*id)).collect();
        assert_eq!(left.iter().sum::<u32>(), 27, "{left:?} {:?}", tags(&page, &taken.without));
        assert_eq!(tags(&page, &taken.without)[taken.without.len() - 2..], ["table", "ul"]);
        assert!(page.first("b").is_some_and(|b| taken.without.iter().any(|part| page.contains(*part, b))));
    }

    #[test]
    fn panels_and_their_labels_stay_or_go_together() {
        let page = page_of(&format!(
            "<main><p s=.9>{TEXT} {TEXT} {TEXT}</p>\
             <ul role=tablist><li role=tab aria-controls=a s=0>{TEXT}<li role=tab aria-controls=b s=.9>Two</ul>\
             <div id=a><p s=.9>{TEXT} {TEXT}</p></div><div id=b><p s=0>{TEXT} {TEXT}</p></div>\
             <ul role=tablist><li role=tab aria-controls=c s=.9>Three<li role=tab aria-controls=d s=0>{TEXT}</ul>\
             <div id=c><p s=.9>{TEXT}</p></div><div id=d><br></div></main>"
        ));
        let context = PageContext::new(&page, None);
        let taken = decoded(&page, &DecodeParams { leave: 1e-4, ..USUAL });
        assert_eq!(taken.without.len(), 3, "a label, the words of a panel, and the label of an empty one");
        let whole = taken.in_whole_lines(&context);
        let panel = |id: &NodeId| page.ancestors(*id).chain([*id]).find_map(|id| page.attribute(id, "id"));
        assert_eq!(whole.without.iter().map(panel).collect::<Vec<_>>(), [Some("b"), Some("d")]);
        assert_eq!(page.attribute(whole.without[0], "id"), Some("b"));
    }

    #[test]
    fn no_part_of_a_line_stays_behind() {
        let page = page_of(&format!(
            "<main><p s=.9>{TEXT} {TEXT} {TEXT}<section s=0>{TEXT} <b>x</b>, {TEXT}<p s=.9>{TEXT} {TEXT}</section></main>"
        ));
        let context = PageContext::new(&page, None);
        let (bold, paragraph) =
            (page.first("b").unwrap(), page.elements().rev().find(|id| page.is(*id, "p")).unwrap());
        let taken = decoded(&page, &DecodeParams { leave: 3e-4, ..USUAL });
        let is_out = |taken: &Taken, id: NodeId| taken.without.iter().any(|part| page.contains(*part, id));
        assert!(!is_out(&taken, bold), "texts are left out one by one");
        let whole = taken.in_whole_lines(&context);
        assert!(is_out(&whole, bold) && !is_out(&whole, paragraph));
    }

    proptest::proptest! {
        #[test]
        fn nodes_and_what_is_left_out_never_overlap(
            html in "(<div s=\\.[0-9]>|<p s=\\.[0-9]>|<b>|</b>|</div>|word |two words ){0,30}",
            start in 0.0_f32..0.2, leave in 0.0_f32..0.2,
        ) {
            let page = page_of(&html);
            let params = DecodeParams { start, leave, ..USUAL };
            let taken = decoded(&page, &params);
            // Large pages are decoded one setting after the other.
            let [beside, usual] = decoded_each(&page, &[params, USUAL]);
            proptest::prop_assert_eq!((&beside, usual), (&taken, decoded(&page, &USUAL)));
            proptest::prop_assert_eq!(page.outermost(taken.nodes.clone()), taken.nodes.clone());
            proptest::prop_assert_eq!(page.outermost(taken.without.clone()), taken.without.clone());
            for part in &taken.without {
                let inside = |node: &NodeId| node != part && page.contains(*node, *part);
                proptest::prop_assert!(taken.nodes.iter().any(inside));
            }
        }
    }
}
