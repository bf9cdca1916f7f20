//! The parts of a page that a method keeps, leaf by leaf, so that methods can be compared.

use crate::block::{is_block, is_left_out};
use tsugi_page::walk::Step;
use tsugi_page::{Content, Evidence, NodeId, NodeKind, Page};

/// Some leaves of a page: visible, non-blank texts, and images.
///
/// Blocks, strings between tags, and nodes cut a page in different ways; the leaves that they keep can be compared.
///
/// # Examples
///
/// ```
/// use tsugi_page::Page;
/// use tsugi_site_blocks::Kept;
/// let page = Page::from_text("<div>By A.<p>Snow <b>fell</b>.<p>Share</div>", &"https://a.test/".parse().unwrap());
/// let blocks = tsugi_site_blocks::blocks(&page);
/// let kept = Kept::of_blocks(&page, &[blocks[1].node(), blocks[2].node()]);
/// assert_eq!(kept.text(&page), "By A.\nSnow fell.");
/// let content = kept.content(&page);
/// assert_eq!(page.location_path(content.nodes[0]), "/html[1]/body[1]/div[1]");
/// assert_eq!(page.location_path(content.without[0]), "/html[1]/body[1]/div[1]/p[2]");
/// assert_eq!(Kept::of_content(&page, &content), kept);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    leaves: Vec<NodeId>,
}

impl Kept {
    /// Keeps all leaves.
    pub fn all(page: &Page) -> Kept {
        Kept::leaves_where(page, |_| true)
    }

    /// Keeps the blocks' own leaves, without those of the blocks inside them.
    pub fn of_blocks(page: &Page, blocks: &[NodeId]) -> Kept {
        let mut is_kept = vec![false; page.node_count()];
        for block in blocks {
            is_kept[block.index()] = true;
        }
        Kept::leaves_where(page, |leaf| leaf.block.is_some_and(|block| is_kept[block.index()]))
    }

    /// Keeps the leaves of some content.
    pub fn of_content(page: &Page, content: &Content) -> Kept {
        let is_content = content_mask(page, content);
        Kept::leaves_where(page, |leaf| is_content[leaf.node.index()])
    }

    /// Keeps the leaves that both keep.
    #[must_use]
    pub fn and(&self, other: &Kept) -> Kept {
        Kept { leaves: self.leaves.iter().copied().filter(|leaf| other.contains(*leaf)).collect() }
    }

    /// Keeps the leaves that either keeps.
    #[must_use]
    pub fn or(&self, other: &Kept) -> Kept {
        let mut leaves = [&self.leaves[..], &other.leaves].concat();
        leaves.sort_unstable();
        leaves.dedup();
        Kept { leaves }
    }

    /// Keeps the leaves for which `wanted` returns `true`.
    pub fn leaves_where(page: &Page, mut wanted: impl FnMut(Leaf) -> bool) -> Kept {
        let mut leaves = Vec::new();
        each_leaf(page, |leaf| {
            if wanted(leaf) {
                leaves.push(leaf.node);
            }
        });
        Kept { leaves }
    }

    /// Returns the leaves, in document order.
    pub fn leaves(&self) -> &[NodeId] {
        &self.leaves
    }

    /// Returns `true` if nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.leaves.is_empty()
    }

    /// Returns `true` if a leaf is kept.
    pub fn contains(&self, leaf: NodeId) -> bool {
        self.leaves.binary_search(&leaf).is_ok()
    }

    /// Returns the kept leaves as content: the innermost elements laid out on their own lines that contain a kept
    /// leaf (only the outermost of those), without the parts that contain only other leaves.
    pub fn content(&self, page: &Page) -> Content {
        // Before each node: number of leaves, and of kept leaves.
        let mut sums = vec![(0_u32, 0_u32); page.node_count() + 1];
        let mut nodes = Vec::new();
        each_leaf(page, |leaf| {
            let is_kept = self.contains(leaf.node);
            sums[leaf.node.index() + 1] = (1, u32::from(is_kept));
            if is_kept {
                nodes.push(leaf.frame.unwrap_or(leaf.node));
            }
        });
        for at in 1..sums.len() {
            sums[at] = (sums[at].0 + sums[at - 1].0, sums[at].1 + sums[at - 1].1);
        }
        let nodes = page.outermost(nodes);
        let mut without = Vec::new();
        for node in &nodes {
            let mut walk = page.walk(*node);
            while let Some(step) = walk.next() {
                let Step::Enter(id) = step else { continue };
                let (before, after) = (sums[id.index()], sums[page.subtree_end(id)]);
                let (leaves, kept) = (after.0 - before.0, after.1 - before.1);
                if leaves > 0 && kept == 0 {
                    without.push(id);
                }
                if kept == 0 || kept == leaves {
                    walk.skip_children();
                }
            }
        }
        Content { nodes, without, score: 1.0, evidence: Evidence::Site }
    }

    /// Returns the kept text, in lines as a reader sees them.
    pub fn text(&self, page: &Page) -> String {
        let content = self.content(page);
        page.text_of_content(&content.nodes, &content.without)
    }
}

/// Returns, for each node of a page, `true` if it is part of some content.
pub fn content_mask(page: &Page, content: &Content) -> Vec<bool> {
    let mut mask = vec![false; page.node_count()];
    for (nodes, is_content) in [(&content.nodes, true), (&content.without, false)] {
        for node in nodes {
            mask[node.index()..page.subtree_end(*node)].fill(is_content);
        }
    }
    mask
}

/// A visible, non-blank text, or an image, and its position.
#[derive(Debug, Clone, Copy)]
pub struct Leaf {
    /// The text or image.
    pub node: NodeId,
    /// The block that it belongs to.
    pub block: Option<NodeId>,
    // The innermost element around it that is laid out on its own lines, or is a cell.
    frame: Option<NodeId>,
}

/// Visits the leaves of a page in document order, in one pass, however deep the page nests.
pub fn each_leaf(page: &Page, mut visit: impl FnMut(Leaf)) {
    let (mut blocks, mut frames): (Vec<NodeId>, Vec<NodeId>) = (Vec::new(), Vec::new());
    let mut walk = page.walk(NodeId::DOCUMENT);
    while let Some(step) = walk.next() {
        match step {
            // The title is shown by the browser, not on the page.
            Step::Enter(id) if is_left_out(page, id) || page.is(id, "head") => walk.skip_children(),
            Step::Enter(id) => {
                let class = page.class(id);
                if is_block(page, id) {
                    blocks.push(id);
                }
                if class.line || class.cell {
                    frames.push(id);
                }
                let is_text = page.kind(id) == NodeKind::Text && !page.data(id).trim().is_empty();
                if is_text || page.is(id, "img") {
                    visit(Leaf { node: id, block: blocks.last().copied(), frame: frames.last().copied() });
                }
            }
            Step::Leave(id) => {
                for open in [&mut blocks, &mut frames] {
                    if open.last() == Some(&id) {
                        open.pop();
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::page;

    fn kept(page: &Page, wanted: &[&str]) -> Kept {
        Kept::leaves_where(page, |leaf| wanted.contains(&page.data(leaf.node).trim()))
    }

    fn paths(page: &Page, wanted: &[&str]) -> [Vec<String>; 2] {
        let content = kept(page, wanted).content(page);
        [content.nodes, content.without].map(|nodes| nodes.iter().map(|id| page.location_path(*id)).collect())
    }

    #[test]
    fn leaves_are_what_is_shown() {
        let page = page("<title>t</title><p>a <img><script>s</script> <b> </b><noscript>n</noscript>c<td>d");
        let leaves = Kept::all(&page);
        let shown: Vec<_> = leaves.leaves().iter().map(|leaf| page.data(*leaf).trim()).collect();
        assert_eq!(shown, ["a", "", "cd"]);
        assert!(Kept::all(&Page::from_text("", page.url())).is_empty());
    }

    #[test]
    fn a_node_that_is_kept_whole_is_named_as_a_whole() {
        let page = page("<div id=a><p>one<p>two <i>three</i></div><p>four");
        assert_eq!(paths(&page, &["two", "three"]), [vec!["/html[1]/body[1]/div[1]/p[2]"], vec![]]);
        let lines = ["/html[1]/body[1]/div[1]/p[1]", "/html[1]/body[1]/div[1]/p[2]"];
        assert_eq!(paths(&page, &["one", "two", "three"]), [lines.to_vec(), vec![]]);
        assert_eq!(paths(&page, &[]), [[""; 0]; 2]);
    }

    #[test]
    fn what_stands_between_is_left_out() {
        // A kept text inside a block that is not kept, inside one that is.
        let page = page("<div>a<div>menu<p>b</p><ul><li>x<li>y</ul></div>c <a>skip</a></div>");
        let without = [
            "/html[1]/body[1]/div[1]/div[1]/text()[1]",
            "/html[1]/body[1]/div[1]/div[1]/ul[1]",
            "/html[1]/body[1]/div[1]/a[1]",
        ];
        assert_eq!(paths(&page, &["a", "b", "c"]), [vec!["/html[1]/body[1]/div[1]"], without.to_vec()]);
        assert_eq!(kept(&page, &["a", "b", "c"]).text(&page), "a\nb\nc");
    }

    #[test]
    fn what_both_keep_and_what_one_keeps() {
        let page = page("<p>a<p>b<p>c");
        let (one, other) = (kept(&page, &["a", "b"]), kept(&page, &["b", "c"]));
        assert_eq!((one.and(&other), one.or(&other)), (kept(&page, &["b"]), Kept::all(&page)));
        assert_eq!((one.and(&Kept::default()), one.or(&Kept::default())), (Kept::default(), one));
    }

    #[test]
    fn cells_and_elements_of_html_5_are_frames() {
        let page = page("<table><td>1<td>2</table><article>3<nav>4</nav></article>");
        assert_eq!(paths(&page, &["2"])[0], ["/html[1]/body[1]/table[1]/tbody[1]/tr[1]/td[2]"]);
        assert_eq!(
            paths(&page, &["3"]),
            [["/html[1]/body[1]/article[1]"], ["/html[1]/body[1]/article[1]/nav[1]"]]
        );
    }

    #[test]
    fn deep_nests_take_linear_time() {
        let page = page(&("<div>x<p>y".repeat(20_000)));
        let divs: Vec<NodeId> = page.elements().filter(|id| page.is(*id, "div")).collect();
        let kept = Kept::of_blocks(&page, &divs);
        assert_eq!(Kept::all(&page).leaves().len(), 40_000);
        assert!(kept.leaves().len() >= 20_000, "at some depth all that follows is in one block");
        assert_eq!(Kept::of_content(&page, &kept.content(&page)), kept);
    }

    const MARKUP: &str = "(<p>|<div>|</div>|<ul>|</ul>|<li>|<b>|</b>|<br>|<table><td>|</table>|a|b|c|<img alt=a>|<nav>|</nav>){0,30}";

    proptest::proptest! {
        #[test]
        fn content_keeps_the_leaves_and_no_others(html in MARKUP, mask in 0_u64..) {
            let page = page(&html);
            let mut at = 0;
            let kept = Kept::leaves_where(&page, |_| { at += 1; mask >> (at % 64) & 1 == 1 });
            proptest::prop_assert_eq!(Kept::of_content(&page, &kept.content(&page)), kept);
        }
    }
}
