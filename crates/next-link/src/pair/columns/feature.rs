//! How features of a pair are declared: a column, and how it is computed.

use super::super::facts::PairView;
use tsugi_learning::{Column, Range, Unit};

/// A column and how it is computed.
#[derive(Debug, Clone, Copy)]
pub(in crate::pair) struct PairFeature {
    pub(in crate::pair) column: Column,
    pub(in crate::pair) of: fn(&PairView<'_>) -> f32,
    /// The value that stands for what is not known.
    pub(super) unknown: Option<f32>,
}

const OWN: &str = "tsugi";

/// What stands for a number, a share or an equality that is not known.
const UNKNOWN: f32 = -1.0;

/// What stands for a step that is not known: steps are cut at [`FARTHEST`].
pub(super) const UNKNOWN_STEP: f32 = -1_000.0;
const FARTHEST: i64 = 900;

type Of = fn(&PairView<'_>) -> f32;

pub(super) const fn flag(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    PairFeature { column: Column::new(name, Unit::Flag, Range::flag(), doc, OWN), of, unknown: None }
}

pub(super) const fn count(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    PairFeature { column: Column::new(name, Unit::Count, Range::any(), doc, OWN), of, unknown: None }
}

/// A number that may not be known.
pub(super) const fn numeral(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    let column = Column::new(name, Unit::Count, Range::at_least(UNKNOWN), doc, OWN);
    PairFeature { column, of, unknown: Some(UNKNOWN) }
}

/// How much a number grows, where both are known.
pub(super) const fn growth(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    let column = Column::new(name, Unit::Count, Range::at_least(UNKNOWN_STEP), doc, OWN);
    PairFeature { column, of, unknown: Some(UNKNOWN_STEP) }
}

/// A share; −1 where there is nothing to take one of.
pub(super) const fn share(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    let column = Column::new(name, Unit::Ratio, Range { low: UNKNOWN, high: 1.0 }, doc, OWN);
    PairFeature { column, of, unknown: Some(UNKNOWN) }
}

/// Whether two things are equal: 1 or 0, and −1 where one is not known.
pub(super) const fn equality(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    let column = Column::new(name, Unit::Flag, Range { low: UNKNOWN, high: 1.0 }, doc, OWN);
    PairFeature { column, of, unknown: Some(UNKNOWN) }
}

/// 1 for what holds, else 0.
pub(super) fn on(truth: bool) -> f32 {
    f32::from(u8::from(truth))
}

/// 1 for equal things, 0 for different ones, −1 where one is missing.
pub(super) fn equal<T: PartialEq>(one: Option<T>, other: Option<T>) -> f32 {
    one.zip(other).map_or(UNKNOWN, |(one, other)| on(one == other))
}

/// A number that may be missing; −1 stands for none, and what is beyond a million is a million.
pub(super) fn number(value: Option<u32>) -> f32 {
    value.map_or(UNKNOWN, |value| value.min(1_000_000) as f32)
}

/// How much a number grows; −1,000 stands for numbers that are not known, and steps are cut at 900.
pub(super) fn step(before: Option<u32>, after: Option<u32>) -> f32 {
    before.zip(after).map_or(UNKNOWN_STEP, |(before, after)| grown(i64::from(after) - i64::from(before)))
}

pub(super) fn grown(step: i64) -> f32 {
    step.clamp(-FARTHEST, FARTHEST) as f32
}
