//! How features of a pair are declared: a column, and how it is computed.

use super::super::facts::PairView;
use tsugi_scoring::{Column, Range, Unit};

#[derive(Debug, Clone, Copy)]
pub(in crate::pair) struct PairFeature {
    pub(in crate::pair) column: Column,
    pub(in crate::pair) of: fn(&PairView<'_>) -> f32,
}

const OWN: &str = "tsugi";

/// The value of an unknown number, share or equality.
const UNKNOWN: f32 = -1.0;

/// The value of an unknown difference; known ones are clamped to ±[`FARTHEST`].
pub(super) const UNKNOWN_STEP: f32 = -1_000.0;
const FARTHEST: i64 = 900;

type Of = fn(&PairView<'_>) -> f32;

pub(super) const fn flag(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    PairFeature { column: Column::new(name, Unit::Flag, Range::flag(), doc, OWN), of }
}

pub(super) const fn count(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    PairFeature { column: Column::new(name, Unit::Count, Range::any(), doc, OWN), of }
}

/// A number that may be unknown.
pub(super) const fn numeral(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    let column = Column::new(name, Unit::Count, Range::at_least(UNKNOWN), doc, OWN).unknown_at(UNKNOWN);
    PairFeature { column, of }
}

/// The growth of a number; unknown unless both numbers are known.
pub(super) const fn growth(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    let column =
        Column::new(name, Unit::Count, Range::at_least(UNKNOWN_STEP), doc, OWN).unknown_at(UNKNOWN_STEP);
    PairFeature { column, of }
}

/// A share; unknown if the whole is empty.
pub(super) const fn share(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    let column =
        Column::new(name, Unit::Ratio, Range { low: UNKNOWN, high: 1.0 }, doc, OWN).unknown_at(UNKNOWN);
    PairFeature { column, of }
}

/// A flag for the equality of two things; unknown if either is missing.
pub(super) const fn equality(name: &'static str, doc: &'static str, of: Of) -> PairFeature {
    let column =
        Column::new(name, Unit::Flag, Range { low: UNKNOWN, high: 1.0 }, doc, OWN).unknown_at(UNKNOWN);
    PairFeature { column, of }
}

pub(super) fn on(truth: bool) -> f32 {
    f32::from(u8::from(truth))
}

/// Returns 1 for equal things, 0 for different ones, and −1 if either is missing.
pub(super) fn equal<T: PartialEq>(one: Option<T>, other: Option<T>) -> f32 {
    one.zip(other).map_or(UNKNOWN, |(one, other)| on(one == other))
}

/// Returns a number, at most a million, or −1 if it is missing.
pub(super) fn number(value: Option<u32>) -> f32 {
    value.map_or(UNKNOWN, |value| value.min(1_000_000) as f32)
}

/// Returns the growth of a number, clamped to ±900, or −1,000 if either is missing.
pub(super) fn step(before: Option<u32>, after: Option<u32>) -> f32 {
    before.zip(after).map_or(UNKNOWN_STEP, |(before, after)| grown(i64::from(after) - i64::from(before)))
}

pub(super) fn grown(step: i64) -> f32 {
    step.clamp(-FARTHEST, FARTHEST) as f32
}
