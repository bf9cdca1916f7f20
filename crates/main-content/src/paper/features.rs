//! The fourteen features of Hanamura (2020), table 3.3.

use super::context::ElementContext;
use std::sync::LazyLock;
use tsugi_page::{NodeId, Page};
use tsugi_scoring::{Column, Matrix, MatrixError, Range, Schema, Unit};

/// The columns of an element, as published.
#[derive(Debug, Clone, Copy)]
pub struct PaperContent;

impl Schema for PaperContent {
    const NAME: &'static str = "main-content/paper";

    fn columns() -> &'static [Column] {
        static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| FEATURES.iter().map(|f| f.column).collect());
        &COLUMNS
    }
}

/// Index of the column with the distance to the next-page link.
pub const DISTANCE: usize = 13;

struct Element<'a> {
    context: &'a ElementContext<'a>,
    id: NodeId,
    distance_without_link: f32,
}

impl Element<'_> {
    fn page(&self) -> &Page {
        self.context.page()
    }

    fn page_elements(&self) -> f32 {
        self.context.page_totals().elements.max(1) as f32
    }

    fn page_characters(&self) -> f32 {
        self.context.page_totals().characters.max(1) as f32
    }

    fn sibling_characters(&self) -> f32 {
        self.context.sibling_characters(self.id) as f32
    }
}

struct PaperBlockFeature {
    column: Column,
    of: fn(&Element<'_>) -> f32,
}

macro_rules! features {
    ($($name:expr, $unit:ident, $range:expr, $doc:expr, $source:expr, $of:expr;)*) => {
        &[$(PaperBlockFeature { column: Column::new($name, Unit::$unit, $range, $doc, $source), of: $of }),*]
    };
}

const SOURCE: &str = "Hanamura (2020), table 3.3";

/// Elements that are never content.
///
/// # Source
///
/// Hanamura (2020), table 3.4; its `[document]` is not an element here.
const NEVER_CONTENT: [&str; 8] = ["html", "noscript", "meta", "head", "input", "script", "style", "span"];

/// Returns `true` for elements that are never content (table 3.4) or that belong in the head.
pub(crate) fn is_never_content(tag: &str) -> bool {
    NEVER_CONTENT.contains(&tag) || matches!(tag, "title" | "base" | "link")
}

static FEATURES: &[PaperBlockFeature; 14] = features! {
    "markup_length", Characters, Range::at_least(0.0), "characters of the element's content, markup included",
        SOURCE, |e| e.page().inner_markup_characters(e.id) as f32;
    "depth", Edges, Range::at_least(1.0), "depth in the element tree", SOURCE,
        |e| e.page().depth(e.id) as f32;
    "position", Index, Range::at_least(0.0), "position among all elements of the page", SOURCE,
        |e| e.page().element_index(e.id) as f32;
    "relative_position", Ratio, Range::unit(), "position ÷ elements of the page", SOURCE,
        |e| e.page().element_index(e.id) as f32 / e.page_elements();
    "block_level", Flag, Range::flag(), "element {is|is not} block-level in HTML 4.01", SOURCE,
        |e| f32::from(u8::from(e.page().class(e.id).block));
    "never_content", Flag, Range::flag(),
        "element {is|is not} an html, noscript, meta, head, input, script, style or span",
        "Hanamura (2020), table 3.4", |e| f32::from(u8::from(NEVER_CONTENT.contains(&e.page().tag(e.id))));
    "sibling_text", Characters, Range::at_least(0.0), "characters in the element's siblings", SOURCE,
        |e| e.sibling_characters();
    "relative_sibling_text", Ratio, Range::unit(), "text of siblings ÷ text of the page", SOURCE,
        |e| e.sibling_characters() / e.page_characters();
    "sibling_punctuation", Ratio, Range::unit(),
        "punctuation marks in siblings ÷ punctuation marks on the page (eq. 3.6)", SOURCE,
        |e| e.context.sibling_punctuation(e.id) as f32 / e.context.punctuation(NodeId::DOCUMENT).max(1) as f32;
    "sibling_text_density", CharactersPerElement, Range::at_least(0.0),
        "characters per element inside siblings (eq. 3.7)", SOURCE,
        |e| e.sibling_characters() / e.context.sibling_elements(e.id).max(1) as f32;
    "siblings", Elements, Range::at_least(0.0), "sibling elements", SOURCE,
        |e| e.context.siblings(e.id) as f32;
    "children", Elements, Range::at_least(0.0), "child elements", SOURCE,
        |e| e.context.child_count(e.id) as f32;
    "relative_children", Ratio, Range::unit(), "child elements ÷ elements of the page", SOURCE,
        |e| e.context.child_count(e.id) as f32 / e.page_elements();
    "next_link_distance", Edges, Range::at_least(0.0),
        "edges in the element tree to the next-page link (eq. 3.8)", "Hanamura (2020), 3.3.2",
        |e| e.context.next_link_distance(e.id).map_or(e.distance_without_link, |edges| edges as f32);
};

/// Returns all elements of a page as candidates, and one row for each.
///
/// `next` is the tag of the page's next-page link. `distance_without_link` is the distance for a page without one
/// (the median of pages with one: Hanamura 4.4).
///
/// # Errors
///
/// [`MatrixError`] if `distance_without_link` is not finite.
pub fn features(
    page: &Page,
    next: Option<NodeId>,
    distance_without_link: f32,
) -> Result<(Vec<NodeId>, Matrix<PaperContent>), MatrixError> {
    let context = ElementContext::new(page, next);
    let ids: Vec<NodeId> = page.elements().collect();
    let mut rows = Matrix::with_capacity(ids.len());
    let mut row = [0.0; FEATURES.len()];
    for id in &ids {
        let element = Element { context: &context, id: *id, distance_without_link };
        for (value, feature) in row.iter_mut().zip(FEATURES) {
            *value = (feature.of)(&element);
        }
        rows.push(&row)?;
    }
    Ok((ids, rows))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_of;

    /// html(0) head(1) body(2) div(3) p(4) b(5) p(6) ul(7) li(8) a(9) script(10): 11 elements.
    const HTML: &str =
        "<div><p>One, <b>two</b>.</p><p>Three!</p><ul><li><a href=2>4</a></ul></div><script>x,y</script>";

    fn value(tag: &str, nth: usize, column: &str) -> f32 {
        let page = page_of(HTML);
        let (ids, rows) = features(&page, page.first("a"), 0.0).unwrap();
        let place = (0..ids.len()).filter(|i| page.is(ids[*i], tag)).nth(nth).unwrap();
        let column = PaperContent::columns().iter().position(|c| c.name == column).unwrap();
        rows.row(place)[column]
    }

    #[test]
    fn the_fourteen_features_of_an_element() {
        // Text: `One,` 4 + `two` 3 + `.` 1 + `Three!` 6 + `4` 1 = 15 characters; marks `,` `.` `!`: 3.
        // Second p: siblings p (8 characters, 2 marks, b inside) and ul (1 character, li and a inside).
        let second = |column: &str| value("p", 1, column);
        assert_eq!(second("markup_length"), 6.0, "Three!");
        assert_eq!(second("depth"), 4.0, "document – html – body – div – p");
        assert_eq!(second("position"), 6.0);
        assert_eq!(second("relative_position"), 6.0 / 11.0);
        assert_eq!(second("block_level"), 1.0);
        assert_eq!(second("never_content"), 0.0);
        assert_eq!(second("sibling_text"), 9.0);
        assert_eq!(second("relative_sibling_text"), 9.0 / 15.0);
        assert_eq!(second("sibling_punctuation"), 2.0 / 3.0);
        assert_eq!(second("sibling_text_density"), 9.0 / 3.0, "b, li, a lie inside the siblings");
        assert_eq!(second("siblings"), 2.0);
        assert_eq!(second("children"), 0.0);
        assert_eq!(second("relative_children"), 0.0);
        assert_eq!(second("next_link_distance"), 4.0, "p – div – ul – li – a");
    }

    #[test]
    fn values_at_the_edges() {
        assert_eq!(value("p", 0, "markup_length"), 16.0, "`One, <b>two</b>.`");
        assert_eq!(value("div", 0, "children"), 3.0);
        assert_eq!(value("div", 0, "relative_children"), 3.0 / 11.0);
        assert_eq!(value("div", 0, "sibling_text"), 0.0, "a script holds no text of the page");
        assert_eq!(value("b", 0, "sibling_text_density"), 0.0, "denominator at least 1");
        assert_eq!((value("script", 0, "never_content"), value("b", 0, "block_level")), (1.0, 0.0));
        assert_eq!(value("html", 0, "siblings"), 0.0);
    }

    #[test]
    fn a_page_without_next_link_takes_the_given_distance() {
        let page = page_of(HTML);
        let (_, rows) = features(&page, None, 7.5).unwrap();
        assert!((0..rows.rows()).all(|row| rows.row(row)[DISTANCE] == 7.5));
        assert_eq!(PaperContent::columns()[DISTANCE].name, "next_link_distance");
    }

    #[test]
    fn values_stay_in_the_declared_ranges() {
        for html in [HTML, "", "x", &"<div>".repeat(600), "<table><td>a<td>b.", "<svg><g>x"] {
            let page = page_of(html);
            let (_, rows) = features(&page, None, 3.0).unwrap();
            for row in 0..rows.rows() {
                for (column, value) in PaperContent::columns().iter().zip(rows.row(row)) {
                    assert!(column.range.contains(*value), "{}: {value}", column.name);
                }
            }
        }
    }
}
