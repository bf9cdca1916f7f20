//! How features are declared: a column, and what it is computed from.

use super::view::{CandidateView, TagView};
use crate::names::Names;
use crate::shared::Shared;
use crate::survey::{Survey, Within};
use crate::words::Words;
use tsugi_learning::{Column, Range, Unit};

/// Where words stand.
#[derive(Debug, Clone, Copy)]
pub(super) enum Label {
    /// In the text of a link.
    Text,
    /// In its title and the like, or in a text right before it.
    Hint,
    /// In one of these.
    Any,
}

/// What is named.
#[derive(Debug, Clone, Copy)]
pub(super) enum NamedPlace {
    /// The link, or what it holds.
    Own,
    /// An element close around it.
    Near,
    /// Any element that it stands in.
    Around,
}

/// How the values of several tags become the value of their candidate.
#[derive(Debug, Clone, Copy)]
pub(super) enum Merge {
    /// The greatest value: for flags, that one of the tags has it.
    Most,
    /// The least value.
    Least,
}

/// What a column is computed from.
#[derive(Debug, Clone, Copy)]
pub(super) enum Source {
    /// From each tag, then merged.
    Tag(fn(&TagView<'_>) -> f32, Merge),
    /// From the candidate.
    Candidate(fn(&CandidateView<'_>) -> f32),
    /// From the page: the same for all its candidates.
    Page(fn(&Survey<'_>, &Shared) -> f32),
    /// Whether one of the tags has one of these words.
    Words(Label, Words),
    /// Whether one of the tags has one of these names.
    Names(NamedPlace, Names),
    /// Whether one of the tags stands in one of these.
    Within(Within),
}

/// A column and how it is computed.
#[derive(Debug, Clone, Copy)]
pub(super) struct LinkFeature {
    pub(super) column: Column,
    pub(super) source: Source,
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

/// A flag that holds if it holds for one of the tags.
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

/// A flag for the elements that a tag stands in.
pub(super) const fn within(name: &'static str, doc: &'static str, within: Within) -> LinkFeature {
    LinkFeature {
        column: Column::new(name, Unit::Flag, Range::flag(), doc, OWN),
        source: Source::Within(within),
    }
}

/// A count, the greatest over the tags.
pub(super) const fn most(name: &'static str, doc: &'static str, of: fn(&TagView<'_>) -> f32) -> LinkFeature {
    LinkFeature {
        column: Column::new(name, Unit::Count, Range::any(), doc, OWN),
        source: Source::Tag(of, Merge::Most),
    }
}

/// A count, the least over the tags.
pub(super) const fn least(name: &'static str, doc: &'static str, of: fn(&TagView<'_>) -> f32) -> LinkFeature {
    LinkFeature {
        column: Column::new(name, Unit::Count, Range::any(), doc, OWN),
        source: Source::Tag(of, Merge::Least),
    }
}

/// A ratio, the greatest over the tags.
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

/// 1 for what holds, else 0.
pub(super) fn on(truth: bool) -> f32 {
    f32::from(u8::from(truth))
}

/// A number that may be missing; −1 stands for none, and what is beyond a million is a million.
pub(super) fn number(value: Option<u32>) -> f32 {
    value.map_or(-1.0, |value| value.min(1_000_000) as f32)
}

/// A difference of numbers that may be missing; −1,000,000 stands for none.
pub(super) fn step(value: Option<i64>) -> f32 {
    value.map_or(-1_000_000.0, |value| value.clamp(-100_000, 100_000) as f32)
}
