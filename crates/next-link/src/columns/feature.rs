//! How features are declared: a column, and how it is computed.

use super::view::{CandidateView, TagView};
use crate::names::Names;
use crate::shared::Shared;
use crate::survey::{Survey, Within};
use crate::words::Words;
use tsugi_scoring::{Column, Range, Unit};

/// Where a word is found.
#[derive(Debug, Clone, Copy)]
pub(super) enum Label {
    /// In the text of a link.
    Text,
    /// In its title and the like, or in the text just before it.
    Hint,
    /// In either.
    Any,
}

/// Which element has a name.
#[derive(Debug, Clone, Copy)]
pub(super) enum NamedPlace {
    /// The link, or an element in it.
    Own,
    /// An element close around it.
    Near,
    /// Any ancestor.
    Around,
}

/// How the values of several tags are merged into one value for their candidate.
#[derive(Debug, Clone, Copy)]
pub(super) enum Merge {
    /// The largest value; for flags: set if one of the tags has it.
    Most,
    /// The smallest value.
    Least,
}

/// How a column is computed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    /// From each tag, then merged.
    Tag(fn(&TagView<'_>) -> f32, Merge),
    /// From its seat; see [`crate::seat`].
    Seat(fn(&TagView<'_>) -> f32),
    /// From the candidate.
    Candidate(fn(&CandidateView<'_>) -> f32),
    /// From the page: the same for all of its candidates.
    Page(fn(&Survey<'_>, &Shared) -> f32),
    /// Set if one of the tags has one of these words.
    Words(Label, Words),
    /// Set if one of the tags has one of these names.
    Names(NamedPlace, Names),
    /// Set if one of the tags is inside one of these elements.
    Within(Within),
}

/// A column and how it is computed.
#[derive(Debug, Clone, Copy)]
pub(super) struct LinkFeature {
    pub(super) column: Column,
    pub(super) source: Source,
}

impl LinkFeature {
    /// Declares the value that stands for “unknown”.
    pub(super) const fn unknown_at(self, value: f32) -> Self {
        LinkFeature { column: self.column.unknown_at(value), ..self }
    }
}

impl Merge {
    pub(super) fn apply(self, values: impl Iterator<Item = f32>) -> f32 {
        let merged = match self {
            Merge::Most => values.reduce(f32::max),
            Merge::Least => values.reduce(f32::min),
        };
        merged.unwrap_or(0.0)
    }
}

pub(super) const OWN: &str = "tsugi";

/// A flag that is set if it is set for one of the tags.
pub(super) const fn flag(name: &'static str, doc: &'static str, of: fn(&TagView<'_>) -> f32) -> LinkFeature {
    LinkFeature {
        column: Column::new(name, Unit::Flag, Range::flag(), doc, OWN),
        source: Source::Tag(of, Merge::Most),
    }
}

/// A flag for words of a label.
pub(super) const fn says(name: &'static str, doc: &'static str, label: Label, words: Words) -> LinkFeature {
    let column = Column::new(name, Unit::Flag, Range::flag(), doc, OWN);
    LinkFeature { column, source: Source::Words(label, words) }
}

/// A flag for names in the markup.
pub(super) const fn is_named(
    name: &'static str,
    doc: &'static str,
    place: NamedPlace,
    names: Names,
) -> LinkFeature {
    let column = Column::new(name, Unit::Flag, Range::flag(), doc, OWN);
    LinkFeature { column, source: Source::Names(place, names) }
}

/// A flag for the elements around a tag.
pub(super) const fn within(name: &'static str, doc: &'static str, within: Within) -> LinkFeature {
    LinkFeature {
        column: Column::new(name, Unit::Flag, Range::flag(), doc, OWN),
        source: Source::Within(within),
    }
}

/// A count; the largest over all tags.
pub(super) const fn most(name: &'static str, doc: &'static str, of: fn(&TagView<'_>) -> f32) -> LinkFeature {
    LinkFeature {
        column: Column::new(name, Unit::Count, Range::any(), doc, OWN),
        source: Source::Tag(of, Merge::Most),
    }
}

/// A count; the smallest over all tags.
pub(super) const fn least(name: &'static str, doc: &'static str, of: fn(&TagView<'_>) -> f32) -> LinkFeature {
    LinkFeature {
        column: Column::new(name, Unit::Count, Range::any(), doc, OWN),
        source: Source::Tag(of, Merge::Least),
    }
}

/// A ratio, merged over all tags.
pub(super) const fn share(
    name: &'static str,
    doc: &'static str,
    of: fn(&TagView<'_>) -> f32,
    merge: Merge,
) -> LinkFeature {
    LinkFeature {
        column: Column::new(name, Unit::Ratio, Range::unit(), doc, OWN),
        source: Source::Tag(of, merge),
    }
}

/// A flag of the candidate.
pub(super) const fn candidate_flag(
    name: &'static str,
    doc: &'static str,
    of: fn(&CandidateView<'_>) -> f32,
) -> LinkFeature {
    LinkFeature {
        column: Column::new(name, Unit::Flag, Range::flag(), doc, OWN),
        source: Source::Candidate(of),
    }
}

/// A count of the candidate.
pub(super) const fn candidate_count(
    name: &'static str,
    doc: &'static str,
    of: fn(&CandidateView<'_>) -> f32,
) -> LinkFeature {
    LinkFeature {
        column: Column::new(name, Unit::Count, Range::any(), doc, OWN),
        source: Source::Candidate(of),
    }
}

/// A flag of the page.
pub(super) const fn page_flag(
    name: &'static str,
    doc: &'static str,
    of: fn(&Survey<'_>, &Shared) -> f32,
) -> LinkFeature {
    LinkFeature { column: Column::new(name, Unit::Flag, Range::flag(), doc, OWN), source: Source::Page(of) }
}

/// A count of the page.
pub(super) const fn page_count(
    name: &'static str,
    doc: &'static str,
    of: fn(&Survey<'_>, &Shared) -> f32,
) -> LinkFeature {
    LinkFeature { column: Column::new(name, Unit::Count, Range::any(), doc, OWN), source: Source::Page(of) }
}

/// Returns 1 for `true`, or else 0.
pub(super) fn on(truth: bool) -> f32 {
    f32::from(u8::from(truth))
}

/// The value of a missing number.
pub(crate) const NO_NUMBER: f32 = -1.0;

/// The value of a missing difference; those that exist are clamped to less.
pub(crate) const NO_STEP: f32 = -1_000_000.0;

/// Returns a number, at most a million, or [`NO_NUMBER`].
pub(super) fn number(value: Option<u32>) -> f32 {
    value.map_or(NO_NUMBER, |value| value.min(1_000_000) as f32)
}

/// Returns a difference of numbers, between −100,000 and 100,000, or [`NO_STEP`].
pub(super) fn step(value: Option<i64>) -> f32 {
    value.map_or(NO_STEP, |value| value.clamp(-100_000, 100_000) as f32)
}
