//! Schemas for tests.

use crate::column::{Column, Range, Schema, Unit};

/// Two coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane;

impl Schema for Plane {
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
pub(crate) struct Mixed;

const FLAG: Column = Column::new("flag", Unit::Flag, Range::flag(), "a flag", "own");
const COUNT: Column = Column::new("count", Unit::Count, Range::at_least(0.0), "a count", "own");
const RATIO: Column = Column::new("ratio", Unit::Ratio, Range::unit(), "a ratio", "own");

impl Schema for Mixed {
    const NAME: &'static str = "mixed";
    fn columns() -> &'static [Column] {
        const { &[FLAG, FLAG, FLAG, FLAG, COUNT, COUNT, COUNT, COUNT, RATIO, COUNT, RATIO, RATIO, RATIO, RATIO] }
    }
}
