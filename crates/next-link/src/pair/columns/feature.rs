//! How features of a pair are declared: a column, and how it is computed.

use super::super::facts::{Onward, PairView};
use super::super::links::LinkFacts;
use crate::features::{Measure, NO_NUMBER, kinds};
use tsugi_scoring::{Column, Range};

pub(super) struct PairFeature {
    pub(super) column: Column,
    source: PairSource,
}

enum PairSource {
    View(Of),
    /// From the link back, the link that was followed, or the new page's next link; 0 without one.
    Back(OfLink),
    Followed(OfLink),
    Onward(OfOnward),
}

type Of = fn(&PairView<'_>) -> f32;
type OfLink = fn(&LinkFacts) -> f32;
type OfOnward = fn(&Onward, &PairView<'_>) -> f32;

impl PairFeature {
    pub(super) fn value(&self, view: &PairView<'_>) -> f32 {
        match self.source {
            PairSource::View(of) => of(view),
            PairSource::Back(of) => view.back.map_or(0.0, of),
            PairSource::Followed(of) => of(&view.forward),
            PairSource::Onward(of) => view.onward.as_ref().map_or(0.0, |onward| of(onward, view)),
        }
    }
}

/// The value of an unknown difference; known ones are clamped to ±[`FARTHEST`].
pub(super) const UNKNOWN_STEP: f32 = -1_000.0;
const FARTHEST: i64 = 900;

const UP_TO_ONE: Range = Range { low: NO_NUMBER, high: 1.0 };

kinds! { PairFeature:
    flag(of: Of) = Flag, Range::flag(), PairSource::View(of);
    back(of: OfLink) = Flag, Range::flag(), PairSource::Back(of);
    followed(of: OfLink) = Flag, Range::flag(), PairSource::Followed(of);
    onward(of: OfOnward) = Flag, Range::flag(), PairSource::Onward(of);
    count(of: Of) = Count, Range::any(), PairSource::View(of);
    // A number that may be unknown.
    numeral(of: Of) = Count, Range::at_least(NO_NUMBER), PairSource::View(of), unknown at NO_NUMBER;
    // The growth of a number; unknown unless both numbers are known.
    growth(of: Of) = Count, Range::at_least(UNKNOWN_STEP), PairSource::View(of), unknown at UNKNOWN_STEP;
    // Unknown if the whole is empty.
    share(of: Of) = Ratio, UP_TO_ONE, PairSource::View(of), unknown at NO_NUMBER;
    // Unknown if either of the two is missing.
    equality(of: Of) = Flag, UP_TO_ONE, PairSource::View(of), unknown at NO_NUMBER;
}

/// Returns 1 for equal things, 0 for different ones, and −1 if either is missing.
pub(super) fn equal<T: PartialEq>(one: Option<T>, other: Option<T>) -> f32 {
    one.zip(other).map_or(NO_NUMBER, |(one, other)| (one == other).measure())
}

/// Returns the growth of a number, or −1,000 if either is missing.
pub(super) fn step(before: Option<u32>, after: Option<u32>) -> f32 {
    before.zip(after).map_or(UNKNOWN_STEP, |(before, after)| grown(i64::from(after) - i64::from(before)))
}

pub(super) fn grown(step: i64) -> f32 {
    step.clamp(-FARTHEST, FARTHEST) as f32
}
