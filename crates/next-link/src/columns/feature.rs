//! How features are declared: a column, and how it is computed.

use super::view::{CandidateView, TagView};
use crate::names::NameFlags;
use crate::shared::SharedFacts;
use crate::survey::{Enclosing, SurveyedPage};
use crate::words::LabelWords;
use tsugi_scoring::{Column, Range, Unit};

#[derive(Debug, Clone, Copy)]
pub(super) enum LabelPart {
    Text,
    /// In its title and the like, or in the text just before it.
    Hint,
    Any,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum NamedPlace {
    /// The link, or an element in it.
    Own,
    /// An element close around it.
    Near,
    Around,
}

/// How the values of several tags are merged into one value for their candidate.
#[derive(Debug, Clone, Copy)]
pub(super) enum TagMerge {
    /// The largest value; for flags: set if one of the tags has it.
    Most,
    Least,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum FeatureSource {
    /// From each tag, then merged.
    Tag(OfTag, TagMerge),
    /// From its seat; see [`crate::seat`].
    Seat(OfTag),
    Candidate(OfCandidate),
    /// From the page: the same for all of its candidates.
    Page(OfPage),
    /// Set if one of the tags has one of these words.
    Words(LabelPart, LabelWords),
    /// Set if one of the tags has one of these names.
    Names(NamedPlace, NameFlags),
    /// Set if one of the tags is inside one of these elements.
    Within(Enclosing),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct LinkFeature {
    pub(super) column: Column,
    pub(super) source: FeatureSource,
}

impl LinkFeature {
    pub(super) const fn unknown_at(self, value: f32) -> Self {
        LinkFeature { column: self.column.unknown_at(value), ..self }
    }
}

impl TagMerge {
    pub(super) fn apply(self, values: impl Iterator<Item = f32>) -> f32 {
        let merged = match self {
            TagMerge::Most => values.reduce(f32::max),
            TagMerge::Least => values.reduce(f32::min),
        };
        merged.unwrap_or(0.0)
    }
}

pub(super) const OWN: &str = "tsugi";

pub(super) type OfTag = fn(&TagView<'_>) -> f32;
type OfCandidate = fn(&CandidateView<'_>) -> f32;
type OfPage = fn(&SurveyedPage<'_>, &SharedFacts) -> f32;

pub(super) const fn a_flag(name: &'static str, doc: &'static str, source: FeatureSource) -> LinkFeature {
    LinkFeature { column: Column::new(name, Unit::Flag, Range::flag(), doc, OWN), source }
}

pub(super) const fn a_count(name: &'static str, doc: &'static str, source: FeatureSource) -> LinkFeature {
    LinkFeature { column: Column::new(name, Unit::Count, Range::any(), doc, OWN), source }
}

/// A flag that is set if it is set for one of the tags.
pub(super) const fn flag(name: &'static str, doc: &'static str, of: OfTag) -> LinkFeature {
    a_flag(name, doc, FeatureSource::Tag(of, TagMerge::Most))
}

pub(super) const fn says(
    name: &'static str,
    doc: &'static str,
    label: LabelPart,
    words: LabelWords,
) -> LinkFeature {
    a_flag(name, doc, FeatureSource::Words(label, words))
}

pub(super) const fn is_named(
    name: &'static str,
    doc: &'static str,
    place: NamedPlace,
    names: NameFlags,
) -> LinkFeature {
    a_flag(name, doc, FeatureSource::Names(place, names))
}

pub(super) const fn within(name: &'static str, doc: &'static str, within: Enclosing) -> LinkFeature {
    a_flag(name, doc, FeatureSource::Within(within))
}

/// A count; the largest over all tags.
pub(super) const fn most(name: &'static str, doc: &'static str, of: OfTag) -> LinkFeature {
    a_count(name, doc, FeatureSource::Tag(of, TagMerge::Most))
}

/// A count; the smallest over all tags.
pub(super) const fn least(name: &'static str, doc: &'static str, of: OfTag) -> LinkFeature {
    a_count(name, doc, FeatureSource::Tag(of, TagMerge::Least))
}

/// A ratio, merged over all tags.
pub(super) const fn share(name: &'static str, doc: &'static str, of: OfTag, merge: TagMerge) -> LinkFeature {
    let column = Column::new(name, Unit::Ratio, Range::unit(), doc, OWN);
    LinkFeature { column, source: FeatureSource::Tag(of, merge) }
}

pub(super) const fn candidate_flag(name: &'static str, doc: &'static str, of: OfCandidate) -> LinkFeature {
    a_flag(name, doc, FeatureSource::Candidate(of))
}

pub(super) const fn candidate_count(name: &'static str, doc: &'static str, of: OfCandidate) -> LinkFeature {
    a_count(name, doc, FeatureSource::Candidate(of))
}

pub(super) const fn page_flag(name: &'static str, doc: &'static str, of: OfPage) -> LinkFeature {
    a_flag(name, doc, FeatureSource::Page(of))
}

pub(super) const fn page_count(name: &'static str, doc: &'static str, of: OfPage) -> LinkFeature {
    a_count(name, doc, FeatureSource::Page(of))
}

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
