//! The columns of a block, declared once: name, unit, range, meaning, source, and how to compute them.

use super::keywords;
use super::tree::{BlockTree, Cell, Facts, TreeBlock};
use std::sync::LazyLock;
use tsugi_learning::{Column, Matrix, MatrixError, Range, Schema, Unit};
use tsugi_page::Page;

/// The columns of a block of a page.
///
/// # Source
///
/// Fujita et al., section 4.4; what they leave open, and what they do not have, is marked as our own.
#[derive(Debug, Clone, Copy)]
pub struct TreeBlockColumns;

impl Schema for TreeBlockColumns {
    const NAME: &'static str = "site-blocks/crf";

    fn columns() -> &'static [Column] {
        static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
            let keywords = keywords::GROUPS
                .iter()
                .map(|group| Column::new(group.column, Unit::Count, Range::at_least(0.0), group.doc, FUJITA));
            FEATURES.iter().map(|feature| feature.column).chain(keywords).collect()
        });
        &COLUMNS
    }
}

const FUJITA: &str = "Fujita 4.4";
const OWN: &str = "tsugi";

/// A block of a page, as its columns see it.
struct View<'a> {
    tag: &'a str,
    block: &'a TreeBlock,
    /// The block around it; itself where there is none.
    around: &'a TreeBlock,
    /// Sums over the page.
    page: &'a Facts,
    depth: u32,
    /// Blocks before it, and blocks of the page.
    place: (usize, usize),
    /// Characters before it.
    before: u32,
}

impl View<'_> {
    fn own(&self) -> &Facts {
        &self.block.own
    }

    fn below(&self) -> &Facts {
        &self.block.below
    }

    fn cell(&self) -> Cell {
        self.block.cell
    }

    fn is(&self, tag: &str) -> f32 {
        f32::from(u8::from(self.tag == tag))
    }
}

struct TreeFeature {
    column: Column,
    of: fn(&View<'_>) -> f32,
}

/// Declares features: `name: Unit, range, "meaning", source, |block| value;`.
macro_rules! features {
    ($($name:expr, $unit:ident, $range:expr, $doc:expr, $source:expr, $of:expr;)*) => {
        &[$(TreeFeature {
            column: Column::new($name, Unit::$unit, $range, $doc, $source),
            of: $of,
        }),*]
    };
}

const COUNT: Range = Range::at_least(0.0);
const SHARE: Range = Range::unit();

fn count(count: u32) -> f32 {
    count as f32
}

fn share(part: u32, whole: u32) -> f32 {
    if whole == 0 { 0.0 } else { part.min(whole) as f32 / whole as f32 }
}

/// Below a whole; 0 where there is none. May be above 1.
fn per(part: u32, whole: u32) -> f32 {
    if whole == 0 { 0.0 } else { part as f32 / whole as f32 }
}

static FEATURES: &[TreeFeature] = features! {
    "is_div", Flag, Range::flag(), "the block is a `div`", FUJITA, |b| b.is("div");
    "is_p", Flag, Range::flag(), "the block is a `p`", FUJITA, |b| b.is("p");
    "is_td", Flag, Range::flag(), "the block is a `td`", FUJITA, |b| b.is("td");
    "is_body", Flag, Range::flag(), "the block is the `body`", FUJITA, |b| b.is("body");

    "characters", Characters, COUNT, "characters of the block's own text", FUJITA, |b| count(b.own().text.characters);
    "words", Count, COUNT, "words of the block's own text", FUJITA, |b| count(b.own().text.tokens);
    "child_characters", Characters, COUNT, "characters of the own texts of the blocks right below", FUJITA, |b| count(b.block.child_characters);
    "children", Count, COUNT, "blocks right below", FUJITA, |b| count(b.block.children);
    "characters_a_child", Characters, COUNT, "characters of the own text of a block right below, on average", OWN, |b| per(b.block.child_characters, b.block.children);
    "characters_below", Characters, COUNT, "characters of all text in the block", FUJITA, |b| count(b.below().text.characters);
    "page_characters", Characters, COUNT, "characters of the page", FUJITA, |b| count(b.page.text.characters);
    "page_blocks", Count, COUNT, "blocks of the page", OWN, |b| b.place.1 as f32;
    "page_link_share", Ratio, SHARE, "share of the page's characters that stand in links", OWN, |b| share(b.page.link_characters, b.page.text.characters);
    "share_of_page", Ratio, SHARE, "share of the page's characters in the block's own text", FUJITA, |b| share(b.own().text.characters, b.page.text.characters);
    "share_of_page_below", Ratio, SHARE, "share of the page's characters in the block", FUJITA, |b| share(b.below().text.characters, b.page.text.characters);
    "share_of_parent", Ratio, SHARE, "share of the characters of the block around (itself, if it is the outermost) in this block", OWN, |b| share(b.below().text.characters, b.around.below.text.characters);
    "siblings", Count, COUNT, "blocks right below the block around it (itself, if it is the outermost)", OWN, |b| count(b.around.children);
    "characters_a_text", Characters, COUNT, "characters of a text node of its own, on average", OWN, |b| per(b.own().text.characters, b.own().texts);

    "sentence_ends", Count, COUNT, "ends of sentences in its own text", FUJITA, |b| count(b.own().text.sentence_ends);
    "commas", Count, COUNT, "commas in its own text", FUJITA, |b| count(b.own().text.commas);
    "separators", Count, COUNT, "signs that part items (`|`, `·`, `:`) in its own text", FUJITA, |b| count(b.own().text.separators);
    "sentence_ends_a_word", Ratio, COUNT, "ends of sentences for each word of its own", OWN, |b| per(b.own().text.sentence_ends, b.own().text.tokens);
    "separators_a_word", Ratio, COUNT, "parting signs for each word of its own", OWN, |b| per(b.own().text.separators, b.own().text.tokens);
    "sentence_ends_below", Count, COUNT, "ends of sentences in the block", OWN, |b| count(b.below().text.sentence_ends);
    "currency", Count, COUNT, "signs of currency in its own text", OWN, |b| count(b.own().text.currency);
    "digit_share", Ratio, SHARE, "share of digits among its own characters", OWN, |b| share(b.own().text.digits, b.own().text.characters);
    "capital_share", Ratio, SHARE, "share of its own words that begin with a capital", OWN, |b| share(b.own().text.capitalised, b.own().text.tokens);

    "breaks", Count, COUNT, "`br` elements of its own", FUJITA, |b| count(b.own().breaks);
    "newlines", Count, COUNT, "line breaks in the source of its own text", FUJITA, |b| count(b.own().text.newlines);
    "spaces", Count, COUNT, "white space in the source of its own text", FUJITA, |b| count(b.own().text.spaces);
    "times", Count, COUNT, "dates and times in its own text; of a text node the first MiB", FUJITA, |b| count(b.own().times);
    "times_below", Count, COUNT, "dates and times in the block", FUJITA, |b| count(b.below().times);

    "anchors", Count, COUNT, "`a` elements of its own", FUJITA, |b| count(b.own().anchors);
    "anchors_below", Count, COUNT, "`a` elements in the block", FUJITA, |b| count(b.below().anchors);
    "links", Count, COUNT, "`link` elements of its own", FUJITA, |b| count(b.own().links);
    "items", Count, COUNT, "`li` elements of its own", FUJITA, |b| count(b.own().items);
    "items_below", Count, COUNT, "`li` elements in the block", FUJITA, |b| count(b.below().items);
    "link_share", Ratio, SHARE, "share of its own characters that stand in links", OWN, |b| share(b.own().link_characters, b.own().text.characters);
    "link_share_below", Ratio, SHARE, "share of the characters in the block that stand in links", OWN, |b| share(b.below().link_characters, b.below().text.characters);

    "row", Index, COUNT, "row of the innermost table around, from 1; 0 outside of rows", FUJITA, |b| count(b.cell().row);
    "column", Index, COUNT, "cell of the row, from 1; 0 outside of cells", FUJITA, |b| count(b.cell().column);
    "rows", Count, COUNT, "rows of the innermost table around", FUJITA, |b| count(b.cell().rows);
    "columns", Count, COUNT, "the most cells of a row of that table", FUJITA, |b| count(b.cell().columns);
    "tables_around", Count, COUNT, "tables around", OWN, |b| count(b.cell().nesting);

    "headings", Count, COUNT, "headings of its own", OWN, |b| count(b.own().headings);
    "headings_below", Count, COUNT, "headings in the block", OWN, |b| count(b.below().headings);
    "images", Count, COUNT, "images of its own", OWN, |b| count(b.own().images);
    "fields", Count, COUNT, "fields and buttons of its own", OWN, |b| count(b.own().fields);
    "fields_below", Count, COUNT, "fields and buttons in the block", OWN, |b| count(b.below().fields);
    "depth", Edges, COUNT, "edges from the root of the page", OWN, |b| count(b.depth);
    "place", Ratio, SHARE, "share of the page's blocks that stand before", OWN, |b| b.place.0 as f32 / b.place.1.max(1) as f32;
    "characters_before", Ratio, SHARE, "share of the page's characters that stand before", OWN, |b| share(b.before, b.page.text.characters);
};

impl BlockTree {
    /// Returns the rows of some blocks, given by number, in their order.
    ///
    /// # Errors
    ///
    /// [`MatrixError`] where a value is no number, which no page leads to.
    ///
    /// # Panics
    ///
    /// If there is no block of a number.
    pub fn rows(&self, page: &Page, blocks: &[usize]) -> Result<Matrix<TreeBlockColumns>, MatrixError> {
        let mut rows = Matrix::with_capacity(blocks.len());
        let Some(root) = self.blocks().first() else { return Ok(rows) };
        // Pages hold one `body`, which is around all blocks.
        let sums = &root.below;
        let before = self.characters_before();
        let mut row = Vec::with_capacity(TreeBlockColumns::columns().len());
        for &at in blocks {
            let block = &self.blocks()[at];
            let view = View {
                tag: page.tag(block.node),
                block,
                around: block.parent.map_or(block, |parent| &self.blocks()[parent]),
                page: sums,
                depth: page.depth(block.node),
                place: (at, self.blocks().len()),
                before: before[at],
            };
            row.clear();
            row.extend(FEATURES.iter().map(|feature| (feature.of)(&view)));
            // A parent block has no text of its own: what stands below it speaks for it.
            let keywords = if block.holds_text { &block.own.keywords } else { &block.below.keywords };
            row.extend(keywords.iter().map(|keywords| count(*keywords)));
            rows.push(&row)?;
        }
        Ok(rows)
    }

    /// By block: the characters of the own texts of the blocks before it.
    fn characters_before(&self) -> Vec<u32> {
        let mut sum = 0;
        let before = self.blocks().iter().map(|block| {
            let before = sum;
            sum += block.own.text.characters;
            before
        });
        before.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsugi_learning::column_index;

    fn value(rows: &Matrix<TreeBlockColumns>, row: usize, column: &str) -> f32 {
        rows.row(row)[column_index::<TreeBlockColumns>(column).unwrap()]
    }

    fn rows(html: &str) -> Matrix<TreeBlockColumns> {
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let tree = BlockTree::of(&page);
        tree.rows(&page, &(0..tree.blocks().len()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn columns_by_hand() {
        let html =
            "<div><p>Snow fell, and more fell.<br>It was June.<p>© Copyright 2024 <a href=1>Paper</a></div>";
        let rows = rows(html);
        // 0 `body`, 1 `div`, 2 and 3 `p`. Characters without white space: 21 + 10 and 1 + 9 + 4 + 5.
        assert_eq!([0, 1, 2, 3].map(|row| value(&rows, row, "characters")), [0.0, 0.0, 31.0, 19.0]);
        assert_eq!([0, 1, 2].map(|row| value(&rows, row, "characters_below")), [50.0, 50.0, 31.0]);
        assert_eq!([0, 1].map(|row| value(&rows, row, "child_characters")), [0.0, 50.0]);
        assert_eq!([1, 2].map(|row| value(&rows, row, "sentence_ends")), [0.0, 2.0]);
        assert_eq!((value(&rows, 2, "commas"), value(&rows, 2, "breaks")), (1.0, 1.0));
        assert_eq!((value(&rows, 3, "anchors"), value(&rows, 1, "anchors_below")), (1.0, 1.0));
        assert!((value(&rows, 3, "link_share") - 5.0 / 19.0).abs() < 1e-6);
        assert!((value(&rows, 3, "characters_before") - 31.0 / 50.0).abs() < 1e-6);
        assert_eq!(
            (value(&rows, 2, "is_p"), value(&rows, 1, "is_p"), value(&rows, 3, "place")),
            (1.0, 0.0, 0.75)
        );
        // The parent block has the keywords of what stands below it.
        assert!(value(&rows, 3, "keyword_copyright") >= 1.0);
        assert_eq!(value(&rows, 1, "keyword_copyright"), value(&rows, 3, "keyword_copyright"));
        assert_eq!(value(&rows, 2, "keyword_copyright"), 0.0);
        rows.check_ranges().unwrap();
    }

    #[test]
    fn columns_are_declared_once() {
        let mut names: Vec<&str> = TreeBlockColumns::columns().iter().map(|column| column.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        assert_eq!(names.len(), FEATURES.len() + keywords::GROUPS.len());
        assert_eq!(rows("").rows(), 0);
    }
}
