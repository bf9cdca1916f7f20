//! Schemas and trees for tests.

use crate::column::{Column, Range, Schema, Unit};
use crate::flat::{Combination, FlatModel, Symbol};

#[derive(Clone, Copy, Debug)]
pub(crate) struct TwoColumns;

impl Schema for TwoColumns {
    const NAME: &'static str = "plane";
    fn columns() -> &'static [Column] {
        const {
            const EXTENT: Range = Range { low: -1000.0, high: 1000.0 };
            &[
                Column::new("x", Unit::Count, EXTENT, "first coordinate", "own"),
                Column::new("y", Unit::Count, EXTENT, "second coordinate", "own"),
            ]
        }
    }
}

/// Fourteen columns of mixed units: flags, heavy-tailed counts, tiny ratios, positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ManyColumns;

const FLAG: Column = Column::new("flag", Unit::Flag, Range::flag(), "a flag", "own");
const COUNT: Column = Column::new("count", Unit::Count, Range::at_least(0.0), "a count", "own");
const RATIO: Column = Column::new("ratio", Unit::Ratio, Range::unit(), "a ratio", "own");

impl Schema for ManyColumns {
    const NAME: &'static str = "mixed";
    fn columns() -> &'static [Column] {
        const { &[FLAG, FLAG, FLAG, FLAG, COUNT, COUNT, COUNT, COUNT, RATIO, COUNT, RATIO, RATIO, RATIO, RATIO] }
    }
}

pub(crate) const fn split(column: u16, threshold: f32) -> Symbol {
    Symbol::Split { column, threshold }
}

pub(crate) const fn leaf(value: f32, cover: u32) -> Symbol {
    Symbol::Leaf { value, cover }
}

/// Two trees: x ≤ 1 ? (y ≤ 2 ? 0 : 1) : 0.5, and a stump y ≤ 0 ? 0.25 : 0.75.
pub(crate) fn by_hand(combination: Combination) -> FlatModel<TwoColumns> {
    let first = [split(0, 1.0), split(1, 2.0), leaf(0.0, 3), leaf(1.0, 1), leaf(0.5, 4)];
    let second = [split(1, 0.0), leaf(0.25, 4), leaf(0.75, 4)];
    FlatModel::assemble(combination, first.into_iter().chain(second)).unwrap()
}
