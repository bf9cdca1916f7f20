//! The columns of a block, declared once: name, unit, range, meaning, source, and how to compute them.

use super::keywords;
use super::tree::{BlockTree, Facts, TreeBlock};
use std::sync::LazyLock;
use tsugi_page::Page;
use tsugi_scoring::{Column, Matrix, MatrixError, Range, Schema, Unit};

/// The columns of a block of a page.
///
/// # Source
///
/// Fujita et al., section 4.4. Columns that they leave open or do not have are marked as our own.
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

struct TreeView<'a> {
    tag: &'a str,
    block: &'a TreeBlock,
    own: &'a Facts,
    below: &'a Facts,
    /// The block around it; itself for the outermost block.
    around: &'a TreeBlock,
    page: &'a Facts,
    depth: u32,
    /// Number of blocks before it, and number of blocks on the page.
    place: (usize, usize),
    before: u32,
}

impl TreeView<'_> {
    fn is(&self, tag: &str) -> f32 {
        f32::from(u8::from(self.tag == tag))
    }
}

struct TreeFeature {
    column: Column,
    of: fn(&TreeView<'_>) -> f32,
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

/// Returns a part divided by a whole; 0 if the whole is 0. May exceed 1.
fn per(part: u32, whole: u32) -> f32 {
    if whole == 0 { 0.0 } else { part as f32 / whole as f32 }
}

static FEATURES: &[TreeFeature] = features! {
    "is_div", Flag, Range::flag(), "block {is|is not} a `div`", FUJITA, |b| b.is("div");
    "is_p", Flag, Range::flag(), "block {is|is not} a `p`", FUJITA, |b| b.is("p");
    "is_td", Flag, Range::flag(), "block {is|is not} a `td`", FUJITA, |b| b.is("td");
    "is_body", Flag, Range::flag(), "block {is|is not} the `body`", FUJITA, |b| b.is("body");

    "characters", Characters, COUNT, "characters of the block's own text", FUJITA, |b| count(b.own.text.characters);
    "words", Count, COUNT, "words of the block's own text", FUJITA, |b| count(b.own.text.tokens);
    "child_characters", Characters, COUNT, "characters of the own texts of child blocks", FUJITA, |b| count(b.block.child_characters);
    "children", Count, COUNT, "child blocks", FUJITA, |b| count(b.block.children);
    "characters_a_child", Characters, COUNT, "characters of own text per child block", OWN, |b| per(b.block.child_characters, b.block.children);
    "characters_below", Characters, COUNT, "characters of all text in the block", FUJITA, |b| count(b.below.text.characters);
    "page_characters", Characters, COUNT, "characters on the page", FUJITA, |b| count(b.page.text.characters);
    "page_blocks", Count, COUNT, "blocks on the page", OWN, |b| b.place.1 as f32;
    "page_link_share", Ratio, SHARE, "share of the page's characters in links", OWN, |b| share(b.page.link_characters, b.page.text.characters);
    "share_of_page", Ratio, SHARE, "share of the page's characters in the block's own text", FUJITA, |b| share(b.own.text.characters, b.page.text.characters);
    "share_of_page_below", Ratio, SHARE, "share of the page's characters in the block", FUJITA, |b| share(b.below.text.characters, b.page.text.characters);
    "share_of_parent", Ratio, SHARE, "share of the parent block's characters in this block (the outermost block: its own)", OWN, |b| share(b.below.text.characters, b.around.below.text.characters);
    "siblings", Count, COUNT, "child blocks of the parent block (the outermost block: its own)", OWN, |b| count(b.around.children);
    "characters_a_text", Characters, COUNT, "characters per text node of the block's own", OWN, |b| per(b.own.text.characters, b.own.texts);

    "sentence_ends", Count, COUNT, "ends of sentences in the block's own text", FUJITA, |b| count(b.own.text.sentence_ends);
    "commas", Count, COUNT, "commas in the block's own text", FUJITA, |b| count(b.own.text.commas);
    "separators", Count, COUNT, "separators (bars, dots, colons) in the block's own text", FUJITA, |b| count(b.own.text.separators);
    "sentence_ends_a_word", Ratio, COUNT, "ends of sentences per word of the block's own text", OWN, |b| per(b.own.text.sentence_ends, b.own.text.tokens);
    "separators_a_word", Ratio, COUNT, "separators per word of the block's own text", OWN, |b| per(b.own.text.separators, b.own.text.tokens);
    "sentence_ends_below", Count, COUNT, "ends of sentences in the block", OWN, |b| count(b.below.text.sentence_ends);
    "currency", Count, COUNT, "currency signs in the block's own text", OWN, |b| count(b.own.text.currency);
    "digit_share", Ratio, SHARE, "share of digits among the characters of the block's own text", OWN, |b| share(b.own.text.digits, b.own.text.characters);
    "capital_share", Ratio, SHARE, "share of words with a capital first letter in the block's own text", OWN, |b| share(b.own.text.capitalised, b.own.text.tokens);

    "breaks", Count, COUNT, "`br` elements of the block's own", FUJITA, |b| count(b.own.breaks);
    "newlines", Count, COUNT, "line breaks in the source of the block's own text", FUJITA, |b| count(b.own.text.newlines);
    "spaces", Count, COUNT, "white space in the source of the block's own text", FUJITA, |b| count(b.own.text.spaces);
    "times", Count, COUNT, "dates and times in the block's own text (the first MiB of a text node)", FUJITA, |b| count(b.own.times);
    "times_below", Count, COUNT, "dates and times in the block", FUJITA, |b| count(b.below.times);

    "anchors", Count, COUNT, "`a` elements of the block's own", FUJITA, |b| count(b.own.anchors);
    "anchors_below", Count, COUNT, "`a` elements in the block", FUJITA, |b| count(b.below.anchors);
    "links", Count, COUNT, "`link` elements of the block's own", FUJITA, |b| count(b.own.links);
    "items", Count, COUNT, "`li` elements of the block's own", FUJITA, |b| count(b.own.items);
    "items_below", Count, COUNT, "`li` elements in the block", FUJITA, |b| count(b.below.items);
    "link_share", Ratio, SHARE, "share of characters in links, in the block's own text", OWN, |b| share(b.own.link_characters, b.own.text.characters);
    "link_share_below", Ratio, SHARE, "share of characters in links, in the block", OWN, |b| share(b.below.link_characters, b.below.text.characters);

    "row", Index, COUNT, "row in the innermost table, from 1 (0: in no row)", FUJITA, |b| count(b.block.cell.row);
    "column", Index, COUNT, "cell in the table row, from 1 (0: in no cell)", FUJITA, |b| count(b.block.cell.column);
    "rows", Count, COUNT, "rows of the innermost table", FUJITA, |b| count(b.block.cell.rows);
    "columns", Count, COUNT, "most cells in a row of the innermost table", FUJITA, |b| count(b.block.cell.columns);
    "tables_around", Count, COUNT, "tables around the block", OWN, |b| count(b.block.cell.nesting);

    "headings", Count, COUNT, "headings of the block's own", OWN, |b| count(b.own.headings);
    "headings_below", Count, COUNT, "headings in the block", OWN, |b| count(b.below.headings);
    "images", Count, COUNT, "images of the block's own", OWN, |b| count(b.own.images);
    "fields", Count, COUNT, "form fields and buttons of the block's own", OWN, |b| count(b.own.fields);
    "fields_below", Count, COUNT, "form fields and buttons in the block", OWN, |b| count(b.below.fields);
    "depth", Edges, COUNT, "depth of the block in the element tree", OWN, |b| count(b.depth);
    "place", Ratio, SHARE, "share of the page's blocks before this one", OWN, |b| b.place.0 as f32 / b.place.1.max(1) as f32;
    "characters_before", Ratio, SHARE, "share of the page's characters before the block", OWN, |b| share(b.before, b.page.text.characters);
};

impl BlockTree {
    /// Returns the rows of the blocks with the given numbers, in their order. No page can cause the error.
    pub(crate) fn rows(
        &self,
        page: &Page,
        blocks: &[usize],
    ) -> Result<Matrix<TreeBlockColumns>, MatrixError> {
        let mut rows = Matrix::with_capacity(blocks.len());
        let Some(root) = self.blocks().first() else { return Ok(rows) };
        // A page has one `body`, which contains all blocks.
        let sums = &root.below;
        let before = self.characters_before();
        let mut row = Vec::with_capacity(TreeBlockColumns::columns().len());
        for &at in blocks {
            let block = &self.blocks()[at];
            let view = TreeView {
                tag: page.tag(block.node),
                block,
                own: &block.own,
                below: &block.below,
                around: block.parent.map_or(block, |parent| &self.blocks()[parent]),
                page: sums,
                depth: page.depth(block.node),
                place: (at, self.blocks().len()),
                before: before[at],
            };
            row.clear();
            row.extend(FEATURES.iter().map(|feature| (feature.of)(&view)));
            // A parent block has no text of its own, so use the keywords below it.
            let keywords = if block.holds_text { &block.own.keywords } else { &block.below.keywords };
            row.extend(keywords.iter().map(|keywords| count(*keywords)));
            rows.push(&row)?;
        }
        Ok(rows)
    }

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
    use tsugi_scoring::{check_columns, column_index, fingerprint};

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
        // A parent block has the keywords below it.
        assert!(value(&rows, 3, "keyword_copyright") >= 1.0);
        assert_eq!(value(&rows, 1, "keyword_copyright"), value(&rows, 3, "keyword_copyright"));
        assert_eq!(value(&rows, 2, "keyword_copyright"), 0.0);
        rows.check_ranges().unwrap();
    }

    #[test]
    fn columns_explain_themselves_in_the_words_of_the_card() {
        assert_eq!(check_columns::<TreeBlockColumns>(include_str!("../../../../models/crf.md")), Ok(()));
        assert_eq!(TreeBlockColumns::columns().len(), FEATURES.len() + keywords::GROUPS.len());
        assert_eq!(rows("").rows(), 0);
    }

    #[test]
    fn the_fingerprint_is_that_of_the_model() {
        assert_eq!(fingerprint::<TreeBlockColumns>(), 0xd5af_cfbc_16f5_a318);
    }
}
