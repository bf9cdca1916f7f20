//! The nine features of Hanamura (2020), table 3.1, and how tags merge into candidates, table 3.2.

use super::candidate::Candidates;
use super::similarity::link_similarities;
use std::sync::LazyLock;
use tsugi_page::{NodeId, NodeKind, Page};
use tsugi_scoring::{Column, Matrix, MatrixError, Range, Schema, Unit};

/// The columns of a link candidate, as published.
#[derive(Debug, Clone, Copy)]
pub struct PaperLinks;

impl Schema for PaperLinks {
    const NAME: &'static str = "next-link/paper";

    fn columns() -> &'static [Column] {
        static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| FEATURES.iter().map(|f| f.column).collect());
        &COLUMNS
    }
}

struct TagContext<'a> {
    page: &'a Page,
    node: NodeId,
    occurrences: usize,
    similarity: f32,
    text_characters: f32,
    url_characters: f32,
    /// Number of characters of the page's text, at least 1.
    page_characters: f32,
}

/// Table 3.2.
#[derive(Debug, Clone, Copy)]
enum PaperMerge {
    Any,
    /// The middle value; for an even number of values, the mean of the two middle ones.
    Median,
    Maximum,
}

impl PaperMerge {
    // A candidate has at least one tag, and values are finite.
    fn apply(self, values: &mut [f32]) -> f32 {
        match self {
            PaperMerge::Any | PaperMerge::Maximum => values.iter().copied().fold(f32::MIN, f32::max),
            PaperMerge::Median => {
                values.sort_by(f32::total_cmp);
                let middle = values.len() / 2;
                if values.len() % 2 == 1 {
                    values[middle]
                } else {
                    f32::midpoint(values[middle - 1], values[middle])
                }
            }
        }
    }
}

struct PaperFeature {
    column: Column,
    of_tag: fn(&TagContext<'_>) -> f32,
    merge: PaperMerge,
}

const SOURCE: &str = "Hanamura (2020), table 3.1";

macro_rules! features {
    ($($name:expr, $unit:ident, $range:expr, $doc:expr, $source:expr, $merge:ident, $of_tag:expr;)*) => {
        &[$(PaperFeature {
            column: Column::new($name, Unit::$unit, $range, $doc, $source),
            of_tag: $of_tag,
            merge: PaperMerge::$merge,
        }),*]
    };
}

static FEATURES: &[PaperFeature; 9] = features! {
    "next_label", Flag, Range::flag(), "upper-cased markup {contains|does not contain} 次 or NEXT", SOURCE, Any,
        |tag| flag(markup_contains(tag.page, tag.node, &["次", "next"]));
    "page_label", Flag, Range::flag(), "upper-cased markup {contains|does not contain} ページ or PAGE", SOURCE,
        Any, |tag| flag(markup_contains(tag.page, tag.node, &["ページ", "page"]));
    "single_character", Flag, Range::flag(), "link text {is|is not} exactly one character", SOURCE, Any,
        |tag| flag(tag.text_characters == 1.0);
    "occurrences", Count, Range::at_least(1.0), "links to this address on the page", SOURCE, Maximum,
        |tag| tag.occurrences as f32;
    "text_length", Characters, Range::at_least(0.0), "characters in the link text", SOURCE, Median,
        |tag| tag.text_characters;
    "relative_text_length", Ratio, Range::unit(), "link text ÷ text of the page (eq. 3.1)", SOURCE, Median,
        |tag| tag.text_characters / tag.page_characters;
    "url_length", Characters, Range::at_least(0.0), "characters in the absolute address", SOURCE, Median,
        |tag| tag.url_characters;
    // CHOICE: equation 3.2 is illegible in our copy; the denominator is that of equation 3.1. Table 3.1 says “the whole page”
    // where it says “the text of the whole page” of the other, so the markup may be meant; the experiment varies it.
    "relative_url_length", Ratio, Range::at_least(0.0), "address ÷ text of the page (eq. 3.2)", SOURCE, Median,
        |tag| tag.url_characters / tag.page_characters;
    "link_similarity", Ratio, Range::unit(),
        "similarity to the most similar address of the two links before and after (eqs. 3.3–3.5)",
        "Hanamura (2020), 3.2.2", Maximum, |tag| tag.similarity;
};

/// Returns one row per candidate, in the order of [`Candidates::urls`].
///
/// # Errors
///
/// None in practice: every feature is finite, as a test over hostile pages shows.
pub fn features(page: &Page, candidates: &Candidates) -> Result<Matrix<PaperLinks>, MatrixError> {
    let similarity = link_similarities(candidates);
    let page_characters = page.totals(NodeId::DOCUMENT).characters.max(1) as f32;
    let mut rows = Matrix::with_capacity(candidates.len());
    let mut row = [0.0; FEATURES.len()];
    let mut values = Vec::new();
    for (tags, url) in candidates.tags_of.iter().zip(&candidates.urls) {
        let tags = tags.iter().map(|tag| {
            let node = candidates.tags[*tag].node;
            TagContext {
                page,
                node,
                occurrences: tags.len(),
                similarity: similarity[*tag],
                text_characters: page.totals(node).characters as f32,
                // Resolved addresses are ASCII.
                url_characters: url.as_str().len() as f32,
                page_characters,
            }
        });
        let tags: Vec<TagContext<'_>> = tags.collect();
        for (value, feature) in row.iter_mut().zip(FEATURES) {
            values.clear();
            values.extend(tags.iter().map(feature.of_tag));
            *value = feature.merge.apply(&mut values);
        }
        rows.push(&row)?;
    }
    Ok(rows)
}

fn flag(truth: bool) -> f32 {
    f32::from(u8::from(truth))
}

/// `words` are in lower case; names, attributes, texts and comments count.
fn markup_contains(page: &Page, element: NodeId, words: &[&str]) -> bool {
    page.subtree(element).any(|id| match page.kind(id) {
        NodeKind::Element => {
            contains(page.tag(id), words)
                || page.attributes(id).any(|(name, value)| contains(name, words) || contains(value, words))
        }
        _ => contains(page.data(id), words),
    })
}

fn contains(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word: &&str| {
        text.as_bytes().windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(html: &str) -> (Vec<String>, Matrix<PaperLinks>) {
        let page = Page::from_text(html, &"https://a.test/r1".parse().unwrap());
        let candidates = Candidates::of(&page);
        let matrix = features(&page, &candidates).unwrap();
        (candidates.urls.into_iter().map(String::from).collect(), matrix)
    }

    #[test]
    fn a_row_holds_the_nine_features() {
        // Text of the page: `text` 4 + `Next` 4 + `次` 1 + `other` 5 = 14 characters.
        let html = "<p>text</p><a class=nav-page href=r2>Next</a><a href=r2> 次 </a><a href=zz>other</a>";
        let (urls, matrix) = rows(html);
        assert_eq!(urls, ["https://a.test/r2", "https://a.test/zz"]);
        let row = matrix.row(0);
        assert_eq!(row[0], 1.0, "next label, by text");
        assert_eq!(row[1], 1.0, "page label, by the class of one of the tags");
        assert_eq!(row[2], 1.0, "single character, by the other tag");
        assert_eq!(row[3], 2.0, "occurrences");
        assert_eq!(row[4], 2.5, "median of 4 and 1 characters");
        assert_eq!(row[5], (4.0_f32 / 14.0).midpoint(1.0 / 14.0));
        assert_eq!(row[6], 17.0, "https://a.test/r2");
        assert_eq!(row[7], 17.0 / 14.0);
        assert_eq!(row[8], 1.0, "the neighbour leads to the same address");
        assert_eq!(&matrix.row(1)[..5], &[0.0, 0.0, 0.0, 1.0, 5.0]);
    }

    #[test]
    fn labels_are_sought_in_all_of_the_markup() {
        let label = |html: &str| rows(html).1.row(0)[..2].to_vec();
        assert_eq!(label("<a href=x title='nExT one'>x</a>"), [1.0, 0.0]);
        assert_eq!(label("<a href=x><img alt=次のページ></a>"), [1.0, 1.0]);
        assert_eq!(label("<a href=x><!-- page --><i class=ico-next></i></a>"), [1.0, 1.0]);
        assert_eq!(label("<a href=/page/2>2</a>"), [0.0, 1.0], "attributes count, the address too");
        assert_eq!(label("<a href=x>neхt</a>"), [0.0, 0.0], "a Cyrillic letter is another letter");
    }

    #[test]
    fn values_stay_in_the_declared_ranges() {
        let html = "<a href=x></a><a href=/p?q=次>ページ</a><a href=x>1</a>".repeat(30) + "<p>次";
        for html in [html.as_str(), "", "<a href=''></a>", "<a href=x>"] {
            let (_, matrix) = rows(html);
            for row in 0..matrix.rows() {
                for (column, value) in PaperLinks::columns().iter().zip(matrix.row(row)) {
                    assert!(column.range.contains(*value), "{}: {value}", column.name);
                }
            }
        }
    }

    #[test]
    fn the_median_of_an_even_number_is_the_mean_of_the_middle() {
        assert_eq!(PaperMerge::Median.apply(&mut [9.0, 1.0, 4.0, 2.0]), 3.0);
        assert_eq!(PaperMerge::Median.apply(&mut [9.0, 1.0, 4.0]), 4.0);
        assert_eq!(PaperMerge::Any.apply(&mut [0.0, 1.0]), 1.0);
    }
}
