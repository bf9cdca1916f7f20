//! Schemas for tests.

use tsugi_scoring::{Column, Range, Schema, Unit};

const EXTENT: Range = Range { low: -1000.0, high: 1000.0 };
const VALUE: Column = Column::new("value", Unit::Count, EXTENT, "a value", "own");

/// Two coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane;

impl Schema for Plane {
    const NAME: &'static str = "plane";
    fn columns() -> &'static [Column] {
        const {
            &[
                Column::new("x", Unit::Count, EXTENT, "first coordinate", "own"),
                Column::new("y", Unit::Count, EXTENT, "second coordinate", "own"),
            ]
        }
    }
}

/// Three coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Space;

impl Schema for Space {
    const NAME: &'static str = "space";
    fn columns() -> &'static [Column] {
        const { &[VALUE, VALUE, VALUE] }
    }
}
