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
pub(super) struct Feature {
    pub(super) column: Column,
    pub(super) of: fn(&PairView<'_>) -> f32,
}

/// All features, in the order of the columns.
pub(super) fn features() -> impl Iterator<Item = &'static Feature> {
    [links::FEATURES, onward::FEATURES, url::FEATURES, head::FEATURES, content::FEATURES]
        .into_iter()
        .flatten()
}

const OWN: &str = "tsugi";

const fn flag(name: &'static str, doc: &'static str, of: fn(&PairView<'_>) -> f32) -> Feature {
    Feature { column: Column::new(name, Unit::Flag, Range::flag(), doc, OWN), of }
}

const fn count(name: &'static str, doc: &'static str, of: fn(&PairView<'_>) -> f32) -> Feature {
    Feature { column: Column::new(name, Unit::Count, Range::any(), doc, OWN), of }
}

/// A share; −1 where there is nothing to take one of.
const fn share(name: &'static str, doc: &'static str, of: fn(&PairView<'_>) -> f32) -> Feature {
    Feature { column: Column::new(name, Unit::Ratio, Range { low: -1.0, high: 1.0 }, doc, OWN), of }
}

/// Whether two things are equal: 1 or 0, and −1 where one is not known.
const fn equality(name: &'static str, doc: &'static str, of: fn(&PairView<'_>) -> f32) -> Feature {
    Feature { column: Column::new(name, Unit::Index, Range { low: -1.0, high: 1.0 }, doc, OWN), of }
}

/// 1 for what holds, else 0.
fn on(truth: bool) -> f32 {
    f32::from(u8::from(truth))
}

/// 1 for equal things, 0 for different ones, −1 where one is missing.
fn equal<T: PartialEq>(one: Option<T>, other: Option<T>) -> f32 {
    one.zip(other).map_or(-1.0, |(one, other)| on(one == other))
}

/// A number that may be missing; −1 stands for none, and what is beyond a million is a million.
fn number(value: Option<u32>) -> f32 {
    value.map_or(-1.0, |value| value.min(1_000_000) as f32)
}

/// How much a number grows; −1,000 stands for numbers that are not known, and steps are cut at 900.
fn step(before: Option<u32>, after: Option<u32>) -> f32 {
    before.zip(after).map_or(-1_000.0, |(before, after)| grown(i64::from(after) - i64::from(before)))
}

fn grown(step: i64) -> f32 {
    step.clamp(-900, 900) as f32
}
