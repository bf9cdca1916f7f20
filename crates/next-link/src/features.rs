//! Tables of features.

/// Declares features, each by its kind: `flag "name", "doc", |view| value;`, or `says "name", "doc": data;`.
macro_rules! features {
    ($($kind:ident $name:literal, $doc:literal $(: $data:expr)? $(, |$($view:pat_param),+| $value:expr)?;)*) => {
        &[$($kind(
            $name, $doc, $($data)? $(|$($view),+| $crate::features::Measure::measure($value))?
        )),*]
    };
}
pub(crate) use features;

/// Declares kinds of features: the unit and range of their columns, and how a value is found.
macro_rules! kinds {
    ($feature:ident: $($kind:ident($of:ident: $type:ty) = $unit:ident, $range:expr, $source:expr
        $(, unknown at $unknown:expr)?;)*) => {$(
        pub(super) const fn $kind(name: &'static str, doc: &'static str, $of: $type) -> $feature {
            let column = tsugi_scoring::Column::new(name, tsugi_scoring::Unit::$unit, $range, doc, "tsugi");
            $feature { column $(: column.unknown_at($unknown))?, source: $source }
        }
    )*};
}
pub(crate) use kinds;

/// A fact as the value of a column.
pub(crate) trait Measure {
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
    u16: count => f32::from(count);
    u32: count => count as f32;
    usize: count => count as f32;
    Option<u32>: number => number.map_or(NO_NUMBER, |number| number.min(1_000_000) as f32);
    Option<i64>: step => step.map_or(NO_STEP, |step| step.clamp(-100_000, 100_000) as f32);
}

pub(crate) const NO_NUMBER: f32 = -1.0; // The value of a missing number.
/// The value of a missing difference; those that exist are clamped to less.
pub(crate) const NO_STEP: f32 = -1_000_000.0;
