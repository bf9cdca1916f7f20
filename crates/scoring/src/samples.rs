//! Schemas and trees for tests.

use crate::column::{Column, Range, Unit};
use crate::flat::{Combination, FlatModel, Symbol};

/// Declares a schema by its type, its name and its columns.
macro_rules! schema {
    ($type:ident, $name:literal, $($column:expr),+ $(,)?) => {
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $type;
        impl $crate::column::Schema for $type {
            const NAME: &'static str = $name;
            fn columns() -> &'static [$crate::column::Column] {
                const { &[$($column),+] }
            }
        }
    };
}
pub(crate) use schema;

const EXTENT: Range = Range { low: -1000.0, high: 1000.0 };
pub(crate) const X: Column = Column::new("x", Unit::Count, EXTENT, "first coordinate", "own");
pub(crate) const Y: Column = Column::new("y", Unit::Count, EXTENT, "second coordinate", "own");
schema!(TwoColumns, "plane", X, Y);

const FLAG: Column = Column::new("flag", Unit::Flag, Range::flag(), "a flag", "own");
const COUNT: Column = Column::new("count", Unit::Count, Range::at_least(0.0), "a count", "own");
const RATIO: Column = Column::new("ratio", Unit::Ratio, Range::unit(), "a ratio", "own");

// Fourteen columns of mixed units.
schema!(
    ManyColumns, "mixed", FLAG, FLAG, FLAG, FLAG, COUNT, COUNT, COUNT, COUNT, RATIO, COUNT, RATIO, RATIO,
    RATIO, RATIO
);

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
