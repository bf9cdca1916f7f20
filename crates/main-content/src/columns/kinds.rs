//! Kinds of columns, by unit and range, and the values that facts have in them.

use tsugi_scoring::{Column, Range, Unit};

const NEUTRAL: f32 = -0.5; // About the log-odds that a block is content.

macro_rules! kinds {
    ($($kind:ident = $unit:ident, $range:expr;)*) => {$(
        pub(crate) const fn $kind(name: &'static str, doc: &'static str) -> Column {
            Column::new(name, Unit::$unit, $range, doc, "tsugi").neutral_at(NEUTRAL)
        }
    )*};
}

kinds! {
    flag = Flag, Range::flag();
    count = Count, Range::at_least(0.0);
    count_from_1 = Count, Range::at_least(1.0);
    difference = Count, Range::any();
    characters = Characters, Range::at_least(1.0);
    share = Ratio, Range::unit();
    signed_share = Ratio, Range { low: -1.0, high: 1.0 };
    ratio = Ratio, Range::at_least(0.0);
    edges = Edges, Range::at_least(0.0);
    index = Index, Range::at_least(0.0);
    heading_rank = Index, Range { low: 0.0, high: 6.0 };
    page_kind = Index, Range { low: 0.0, high: 4.0 };
    score = Score, Range::any();
    lowest_score = Score, Range { low: f32::MIN, high: 0.0 };
    probability = Score, Range::unit();
}

/// A fact as the value of a column.
pub(super) trait Measure {
    fn measure(self) -> f32;
}

macro_rules! measure {
    ($($type:ty: $value:ident => $measure:expr;)*) => {$(
        impl Measure for $type {
            fn measure(self) -> f32 {
                let $value = self;
                $measure
            }
        }
    )*};
}

measure! {
    f32: value => value;
    bool: holds => f32::from(holds);
    u8: count => f32::from(count);
    u32: count => count as f32;
    usize: count => count as f32;
}
