//! Other readings of columns that the thesis leaves open.

use super::recipe::PageRows;
use super::split::DrawnPage;
use tsugi_page::{NodeId, NodeKind, Page};
use tsugi_scoring::{Matrix, Schema};
use tsugi_training::train_error::TrainError;

/// A column that may be meant otherwise than we read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Equation 3.2 divides by the length of the page's markup: table 3.1 says “the whole page” of it, and “the text of the whole
    /// page” of equation 3.1.
    AddressByMarkup,
    /// 句読点 of equation 3.6 are 、 。 ， ． alone.
    JapaneseMarks,
    /// Equation 3.7 adds up the densities of the siblings.
    DensitySum,
    /// Equation 3.7 takes the mean of the densities of the siblings.
    DensityMean,
}

/// Returns rows of links as another reading has them.
pub(crate) fn read_links<S: Schema>(
    side: &[DrawnPage<'_>],
    rows: Vec<PageRows<S>>,
    reading: Option<Reading>,
) -> Result<Vec<PageRows<S>>, TrainError> {
    if reading != Some(Reading::AddressByMarkup) {
        return Ok(rows);
    }
    let column = column::<S>("relative_url_length");
    let read = side.iter().zip(rows).map(|(drawn, rows)| {
        let share = drawn.links.text_share;
        Ok(PageRows { x: replaced(&rows.x, column, |_, value| value * share)?, y: rows.y })
    });
    read.collect()
}

/// Returns rows of elements as another reading has them.
pub(crate) fn read_content<S: Schema>(
    side: &[DrawnPage<'_>],
    rows: Vec<PageRows<S>>,
    reading: Option<Reading>,
) -> Result<Vec<PageRows<S>>, TrainError> {
    let (name, values): (&str, fn(&Page) -> Vec<f32>) = match reading {
        None | Some(Reading::AddressByMarkup) => return Ok(rows),
        Some(Reading::JapaneseMarks) => ("sibling_punctuation", sibling_marks),
        Some(Reading::DensitySum) => ("sibling_text_density", |page| sibling_densities(page, false)),
        Some(Reading::DensityMean) => ("sibling_text_density", |page| sibling_densities(page, true)),
    };
    let column = column::<S>(name);
    let read = side.iter().zip(rows).map(|(drawn, rows)| {
        let values = values(&drawn.content.page);
        Ok(PageRows { x: replaced(&rows.x, column, |row, _| values[row])?, y: rows.y })
    });
    read.collect()
}

fn column<S: Schema>(name: &str) -> Option<usize> {
    S::columns().iter().position(|column| column.name == name)
}

fn replaced<S: Schema>(
    rows: &Matrix<S>,
    column: Option<usize>,
    value: impl Fn(usize, f32) -> f32,
) -> Result<Matrix<S>, TrainError> {
    let mut read = Matrix::with_capacity(rows.rows());
    let mut copy = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        copy.clear();
        copy.extend_from_slice(row);
        if let Some(cell) = column.and_then(|column| copy.get_mut(column)) {
            *cell = value(place, *cell);
        }
        read.push(&copy)?;
    }
    Ok(read)
}

/// By element: the marks 、 。 ， ． in its siblings ÷ those of the page.
fn sibling_marks(page: &Page) -> Vec<f32> {
    // Before each node: the marks of all texts of the page.
    let mut sums = vec![0_u32; page.node_count() + 1];
    for id in page.subtree(NodeId::DOCUMENT) {
        let counts = page.kind(id) == NodeKind::Text && page.totals(id).characters > 0;
        let marks = if counts { page.data(id).matches(['、', '。', '，', '．']).count() } else { 0 };
        sums[id.index() + 1] = sums[id.index()] + u32::try_from(marks).unwrap_or(u32::MAX);
    }
    let marks = |id: NodeId| f64::from(sums[page.subtree_end(id)] - sums[id.index()]);
    let all = marks(NodeId::DOCUMENT).max(1.0);
    of_siblings(page, marks).into_iter().map(|(sum, _)| rounded(sum / all)).collect()
}

/// By element: the sum or the mean of its siblings' densities, characters ÷ elements inside, at least 1.
fn sibling_densities(page: &Page, mean: bool) -> Vec<f32> {
    let density = |id: NodeId| {
        let totals = page.totals(id);
        f64::from(totals.characters) / f64::from(totals.elements.saturating_sub(1).max(1))
    };
    let sums = of_siblings(page, density).into_iter();
    sums.map(|(sum, siblings)| rounded(if mean { sum / siblings.max(1.0) } else { sum })).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "rounds to the nearest f32, which columns hold")]
fn rounded(value: f64) -> f32 {
    value as f32
}

/// By element: the sum of a value over its siblings, and their number.
fn of_siblings(page: &Page, value: impl Fn(NodeId) -> f64) -> Vec<(f64, f64)> {
    let parent = |id: NodeId| page.parent(id).unwrap_or(NodeId::DOCUMENT).index();
    let mut of_children = vec![(0.0, 0.0); page.node_count()];
    for id in page.elements() {
        let (sum, count) = &mut of_children[parent(id)];
        *sum += value(id);
        *count += 1.0;
    }
    let beside = |id: NodeId| {
        let (sum, count) = of_children[parent(id)];
        (f64::max(sum - value(id), 0.0), count - 1.0)
    };
    page.elements().map(beside).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// html(0) head(1) body(2) div(3) p(4) b(5) p(6) script(7) p(8).
    const HTML: &str = "<div><p>一、二。<b>x!</b></p><p>三，</p><script>、、</script></div><p>．";

    fn page() -> Page {
        Page::from_text(HTML, &"https://a.test/".parse().unwrap())
    }

    #[test]
    fn four_marks_are_counted_in_texts_of_the_page() {
        // 2 + 1 in the division, 1 in the last paragraph; scripts hold no text of the page.
        let marks = sibling_marks(&page());
        assert_eq!((marks[3], marks[8]), (1.0 / 4.0, 3.0 / 4.0));
        assert_eq!((marks[4], marks[6], marks[7]), (1.0 / 4.0, 2.0 / 4.0, 3.0 / 4.0));
    }

    #[test]
    fn densities_are_added_or_averaged() {
        // First p: 6 characters, one element inside; second p: 2, none; script: nothing.
        let (sums, means) = (sibling_densities(&page(), false), sibling_densities(&page(), true));
        assert_eq!((sums[4], sums[6], sums[7]), (2.0, 6.0, 8.0));
        assert_eq!((means[4], means[6], means[7]), (1.0, 3.0, 4.0));
    }
}
