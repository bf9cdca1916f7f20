//! The columns of a pair, declared once, by topic.

mod content;
mod head;
mod links;
mod onward;
mod url;

use super::facts::PairView;
use std::sync::LazyLock;
use tsugi_learning::{Column, Range, Schema, Unit};

/// The columns of a pair of pages.
#[derive(Debug, Clone, Copy)]
pub struct PairColumns;

impl Schema for PairColumns {
    const NAME: &'static str = "continuation/full";

    fn columns() -> &'static [Column] {
        static COLUMNS: LazyLock<Vec<Column>> =
            LazyLock::new(|| features().map(|feature| feature.column).collect());
        &COLUMNS
    }
}

/// A column and how it is computed.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairFeature {
    pub(super) column: Column,
    pub(super) of: fn(&PairView<'_>) -> f32,
    /// The value that stands for what is not known.
    unknown: Option<f32>,
}

/// All features, in the order of the columns.
pub(super) fn features() -> impl Iterator<Item = &'static PairFeature> {
    [links::FEATURES, onward::FEATURES, url::FEATURES, head::FEATURES, content::FEATURES]
        .into_iter()
        .flatten()
}

const OWN: &str = "tsugi";

/// What stands for a number, a share or an equality that is not known.
const UNKNOWN: f32 = -1.0;

/// What stands for a step that is not known: steps are cut at [`FARTHEST`].
const UNKNOWN_STEP: f32 = -1_000.0;
const FARTHEST: i64 = 900;

/// Says in words what a value of a column says.
pub(super) fn phrase(column: &Column, value: f32) -> String {
    let feature = features().find(|feature| feature.column.name == column.name);
    // Values that stand for something are written as they are, so that no rounding comes between.
    match feature.and_then(|feature| feature.unknown) {
        Some(unknown) if value <= unknown => format!("not known: {}", column.doc),
        _ => column.phrase(value),
    }
}

type Of = fn(&PairView<'_>) -> f32;

const fn flag(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    PairFeature { column: Column::new(name, Unit::Flag, Range::flag(), doc, OWN), of, unknown: None }
}

const fn count(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    PairFeature { column: Column::new(name, Unit::Count, Range::any(), doc, OWN), of, unknown: None }
}

/// A number that may not be known.
const fn numeral(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    let column = Column::new(name, Unit::Count, Range::at_least(UNKNOWN), doc, OWN);
    PairFeature { column, of, unknown: Some(UNKNOWN) }
}

/// How much a number grows, where both are known.
const fn growth(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    let column = Column::new(name, Unit::Count, Range::at_least(UNKNOWN_STEP), doc, OWN);
    PairFeature { column, of, unknown: Some(UNKNOWN_STEP) }
}

/// A share; −1 where there is nothing to take one of.
const fn share(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    let column = Column::new(name, Unit::Ratio, Range { low: UNKNOWN, high: 1.0 }, doc, OWN);
    PairFeature { column, of, unknown: Some(UNKNOWN) }
}

/// Whether two things are equal: 1 or 0, and −1 where one is not known.
const fn equality(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    let column = Column::new(name, Unit::Flag, Range { low: UNKNOWN, high: 1.0 }, doc, OWN);
    PairFeature { column, of, unknown: Some(UNKNOWN) }
}

/// 1 for what holds, else 0.
fn on(truth: bool) -> f32 {
    f32::from(u8::from(truth))
}

/// 1 for equal things, 0 for different ones, −1 where one is missing.
fn equal<T: PartialEq>(one: Option<T>, other: Option<T>) -> f32 {
    one.zip(other).map_or(UNKNOWN, |(one, other)| on(one == other))
}

/// A number that may be missing; −1 stands for none, and what is beyond a million is a million.
fn number(value: Option<u32>) -> f32 {
    value.map_or(UNKNOWN, |value| value.min(1_000_000) as f32)
}

/// How much a number grows; −1,000 stands for numbers that are not known, and steps are cut at 900.
fn step(before: Option<u32>, after: Option<u32>) -> f32 {
    before.zip(after).map_or(UNKNOWN_STEP, |(before, after)| grown(i64::from(after) - i64::from(before)))
}

fn grown(step: i64) -> f32 {
    step.clamp(-FARTHEST, FARTHEST) as f32
}
