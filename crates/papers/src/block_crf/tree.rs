//! The blocks of a page and their properties, gathered in one pass.

use super::keywords;
use tsugi_dates::mentions;
use tsugi_page::text::TextCounts;
use tsugi_page::walk::Step;
use tsugi_page::{NodeId, NodeKind, Page};
use tsugi_site_blocks::is_left_out;

/// Counts over a block's own contents, or over everything below it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) text: TextCounts,
    pub(super) link_characters: u32,
    pub(super) texts: u32,
    pub(super) breaks: u32,
    pub(super) times: u32,
    pub(super) anchors: u32,
    pub(super) links: u32,
    pub(super) items: u32,
    /// `h1` to `h6`.
    pub(super) headings: u32,
    pub(super) images: u32,
    pub(super) fields: u32,
    pub(super) keywords: [u32; keywords::GROUPS.len()],
}

impl std::ops::AddAssign<&Facts> for Facts {
    fn add_assign(&mut self, other: &Facts) {
        self.text += other.text;
        self.link_characters += other.link_characters;
        self.texts += other.texts;
        self.breaks += other.breaks;
        self.times += other.times;
        self.anchors += other.anchors;
        self.links += other.links;
        self.items += other.items;
        self.headings += other.headings;
        self.images += other.images;
        self.fields += other.fields;
        for (count, more) in self.keywords.iter_mut().zip(other.keywords) {
            *count += more;
        }
    }
}

/// The position of a block in the innermost table around it; all 0 outside of tables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cell {
    /// From 1; 0 outside of rows.
    pub(super) row: u32,
    /// From 1, in cells; 0 outside of cells.
    pub(super) column: u32,
    pub(super) rows: u32,
    /// Number of cells in the longest row.
    pub(super) columns: u32,
    pub(super) nesting: u32,
}

/// A `div`, `p`, `td` or `body` with text somewhere below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeBlock {
    pub(crate) node: NodeId,
    /// The index of the innermost block around it.
    pub(crate) parent: Option<usize>,
    /// `true` if it has text of its own, outside the blocks inside it. Then it is a *text block*, or else a *parent
    /// block*.
    pub(crate) holds_text: bool,
    pub(super) own: Facts,
    pub(super) below: Facts,
    pub(super) children: u32,
    pub(super) child_characters: u32,
    pub(super) cell: Cell,
}

/// The blocks of a page in document order, without those that have no text.
///
/// A block's own text is the text in it but outside the blocks inside it. The head, scripts, styles and `noscript`
/// are left out; text hidden by style sheets is not.
///
/// # Source
///
/// Fujita et al., sections 3.2 and 3.3 (2).
#[derive(Debug, Clone, Default)]
pub(crate) struct BlockTree {
    blocks: Vec<TreeBlock>,
    leaves: Vec<(NodeId, usize)>,
}

impl BlockTree {
    /// Cuts a page into blocks in one pass, however deep it nests.
    pub(crate) fn of(page: &Page) -> BlockTree {
        let mut gathering = Gathering::default();
        let mut walk = page.walk(NodeId::DOCUMENT);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) if is_left_out(page, id) || page.is(id, "head") => walk.skip_children(),
                Step::Enter(id) => gathering.enter(page, id),
                Step::Leave(id) => gathering.leave(page, id),
            }
        }
        gathering.finish()
    }

    pub(crate) fn blocks(&self) -> &[TreeBlock] {
        &self.blocks
    }

    /// Returns the non-blank texts and the images, in document order, each with the index of the innermost block
    /// around it.
    pub(crate) fn leaves(&self) -> &[(NodeId, usize)] {
        &self.leaves
    }

    pub(crate) fn parents(&self) -> Vec<Option<usize>> {
        self.blocks.iter().map(|block| block.parent).collect()
    }

    /// Returns the indices of the blocks of one sequence, in order: those with text of their own, or the others.
    pub(crate) fn sequence(&self, holds_text: bool) -> Vec<usize> {
        (0..self.blocks.len()).filter(|at| self.blocks[*at].holds_text == holds_text).collect()
    }
}

#[derive(Debug)]
struct TablePlace {
    number: usize,
    row: u32,
    column: u32,
}

#[derive(Debug, Default)]
struct Gathering {
    /// All blocks, including those without text.
    blocks: Vec<TreeBlock>,
    /// For each block: its table.
    tables_of: Vec<Option<usize>>,
    leaves: Vec<(NodeId, usize)>,
    open: Vec<usize>,
    open_tables: Vec<TablePlace>,
    /// For each table: number of rows, and of cells in the longest row.
    tables: Vec<(u32, u32)>,
    open_links: u32,
}

impl Gathering {
    fn enter(&mut self, page: &Page, id: NodeId) {
        if page.kind(id) == NodeKind::Text {
            self.text(page, id);
            return;
        }
        let tag = page.tag(id);
        match tag {
            "table" => {
                self.open_tables.push(TablePlace { number: self.tables.len(), row: 0, column: 0 });
                self.tables.push((0, 0));
            }
            "tr" => {
                if let Some(table) = self.open_tables.last_mut() {
                    (table.row, table.column) = (table.row + 1, 0);
                    self.tables[table.number].0 = table.row;
                }
            }
            "td" | "th" => {
                if let Some(table) = self.open_tables.last_mut() {
                    table.column += 1;
                    let columns = &mut self.tables[table.number].1;
                    *columns = table.column.max(*columns);
                }
            }
            _ => {}
        }
        if matches!(tag, "div" | "p" | "td" | "body") {
            self.open(id);
        }
        self.open_links += u32::from(page.is_link(id));
        let Some(block) = self.open.last() else { return };
        let own = &mut self.blocks[*block].own;
        match tag {
            "br" => own.breaks += 1,
            "a" => own.anchors += 1,
            "link" => own.links += 1,
            "li" => own.items += 1,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => own.headings += 1,
            "img" => {
                own.images += 1;
                self.leaves.push((id, *block));
            }
            "input" | "button" | "select" | "textarea" => own.fields += 1,
            _ => {}
        }
    }

    fn open(&mut self, node: NodeId) {
        let table = self.open_tables.last();
        let cell = table.map_or_else(Cell::default, |table| Cell {
            row: table.row,
            column: table.column,
            nesting: u32::try_from(self.open_tables.len()).unwrap_or(u32::MAX),
            ..Cell::default()
        });
        self.tables_of.push(table.map(|table| table.number));
        let parent = self.open.last().copied();
        self.open.push(self.blocks.len());
        self.blocks.push(TreeBlock {
            node,
            parent,
            holds_text: false,
            own: Facts::default(),
            below: Facts::default(),
            children: 0,
            child_characters: 0,
            cell,
        });
    }

    fn text(&mut self, page: &Page, id: NodeId) {
        let Some(number) = self.open.last() else { return };
        let text = page.data(id);
        let counts = TextCounts::of(text);
        let own = &mut self.blocks[*number].own;
        own.text += counts;
        if counts.characters == 0 {
            return;
        }
        own.texts += 1;
        own.times += u32::try_from(mentions(text).len()).unwrap_or(u32::MAX);
        if self.open_links > 0 {
            own.link_characters += counts.characters;
        }
        keywords::count(text, &mut own.keywords);
        self.leaves.push((id, *number));
    }

    fn leave(&mut self, page: &Page, id: NodeId) {
        if self.open.last().is_some_and(|block| self.blocks[*block].node == id) {
            self.open.pop();
        }
        self.open_links -= u32::from(page.is_link(id));
        if page.is(id, "table") {
            self.open_tables.pop();
        }
    }

    /// Sums up the nodes below each block, and drops blocks without text.
    fn finish(mut self) -> BlockTree {
        for at in (0..self.blocks.len()).rev() {
            if let Some((rows, columns)) = self.tables_of[at].map(|table| self.tables[table]) {
                let cell = &mut self.blocks[at].cell;
                (cell.rows, cell.columns) = (rows, columns);
            }
            let (before, rest) = self.blocks.split_at_mut(at);
            let block = &mut rest[0];
            let own = block.own;
            block.below += &own;
            block.holds_text = own.text.characters > 0;
            let Some(parent) = block.parent.map(|parent| &mut before[parent]) else { continue };
            parent.below += &block.below;
            if block.below.text.characters > 0 {
                parent.children += 1;
                parent.child_characters += own.text.characters;
            }
        }
        // For each block: its new index, or that of the nearest block around it that has one. A page with any text
        // keeps its outermost block.
        let mut numbers: Vec<usize> = Vec::with_capacity(self.blocks.len());
        let mut count = 0;
        for block in &self.blocks {
            let is_kept = block.below.text.characters > 0;
            numbers.push(if is_kept { count } else { block.parent.map_or(0, |parent| numbers[parent]) });
            count += usize::from(is_kept);
        }
        self.blocks.retain(|block| block.below.text.characters > 0);
        for block in &mut self.blocks {
            block.parent = block.parent.map(|parent| numbers[parent]);
        }
        for (_, block) in &mut self.leaves {
            *block = numbers[*block];
        }
        if self.blocks.is_empty() {
            self.leaves.clear();
        }
        BlockTree { blocks: self.blocks, leaves: self.leaves }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> Page {
        Page::from_text(html, &"https://a.test/".parse().unwrap())
    }

    #[test]
    fn text_belongs_to_the_innermost_block() {
        let html = "<title>t</title><div id=a>one <b>two</b><p>three<br>four</p> five<div> <img></div></div><ul><li>six</ul>";
        let page = page(html);
        let tree = BlockTree::of(&page);
        let blocks: Vec<_> =
            tree.blocks().iter().map(|b| (page.tag(b.node), b.parent, b.own.text.tokens)).collect();
        // The empty `div` is dropped; `li` is not a block, so its text belongs to `body`.
        assert_eq!(blocks, [("body", None, 1), ("div", Some(0), 3), ("p", Some(1), 2)]);
        let texts: Vec<_> = tree.leaves().iter().map(|(id, block)| (page.data(*id).trim(), *block)).collect();
        // The image is in the dropped block, and therefore in the block around it.
        let leaves = [("one", 1), ("two", 1), ("three", 2), ("four", 2), ("five", 1), ("", 1), ("six", 0)];
        assert_eq!(texts, leaves);
        let body = &tree.blocks()[0];
        assert_eq!((body.own.items, body.below.breaks, body.below.text.tokens, body.children), (1, 1, 6, 1));
        assert_eq!((body.child_characters, body.below.images), (10, 1));
        assert_eq!((tree.sequence(true), tree.sequence(false)), (vec![0, 1, 2], vec![]));
    }

    #[test]
    fn cells_know_their_place_in_nested_tables() {
        let html = "<table><tr><td>a<td>b<tr><td>c<td><table><tr><td>d</table><th>e</table>";
        let page = page(html);
        let tree = BlockTree::of(&page);
        let cells: Vec<_> = tree.blocks().iter().map(|block| block.cell).collect();
        let cell = |row, column, rows, columns, nesting| Cell { row, column, rows, columns, nesting };
        let expected = [
            Cell::default(),
            cell(1, 1, 2, 3, 1),
            cell(1, 2, 2, 3, 1),
            cell(2, 1, 2, 3, 1),
            cell(2, 2, 2, 3, 1),
            cell(1, 1, 1, 1, 2),
        ];
        assert_eq!(cells, expected);
        assert_eq!((tree.sequence(true), tree.sequence(false)), (vec![0, 1, 2, 3, 5], vec![4]));
    }

    #[test]
    fn links_lists_and_times_are_counted() {
        let page = page(
            "<div><a href=1>Home page</a> 3 May 2024, 10:30<input></div><link><h2>x</h2><script>y</script>",
        );
        let tree = BlockTree::of(&page);
        let div = &tree.blocks()[1].own;
        assert_eq!((div.anchors, div.link_characters, div.fields, div.texts), (1, 8, 1, 2));
        assert!(div.times >= 1);
        let body = &tree.blocks()[0].own;
        assert_eq!((body.links, body.headings, body.text.tokens), (1, 1, 1));
    }

    #[test]
    fn an_anchor_without_an_address_is_no_link() {
        let page = page("<a name=top><p>Snow fell.<p>It was <a href=1>gone</a>.");
        let tree = BlockTree::of(&page);
        let links: Vec<u32> = tree.blocks().iter().map(|block| block.own.link_characters).collect();
        assert_eq!(links.iter().sum::<u32>(), 4, "{links:?}");
        assert!(tree.blocks()[0].below.anchors >= 2);
    }

    #[test]
    fn nothing_is_a_page_too() {
        assert!(BlockTree::of(&page("")).blocks().is_empty());
        assert!(BlockTree::of(&page("<frameset><frame></frameset>")).blocks().is_empty());
        let deep = page(&"<div>x".repeat(3_000));
        assert!(BlockTree::of(&deep).blocks().len() > 400);
    }
}
