//! Schemas for tests.

use tsugi_scoring::{Column, Range, Schema, Unit};

const EXTENT: Range = Range { low: -1000.0, high: 1000.0 };
const VALUE: Column = Column::new("value", Unit::Count, EXTENT, "a value", "own");

#[derive(Clone, Copy, Debug)]
pub(crate) struct ChainPlane;

impl Schema for ChainPlane {
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

#[derive(Clone, Copy, Debug)]
pub(crate) struct Space;

impl Schema for Space {
    const NAME: &'static str = "space";
    fn columns() -> &'static [Column] {
        const { &[VALUE, VALUE, VALUE] }
    }
}
