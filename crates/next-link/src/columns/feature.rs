//! How features are declared: a column, and how it is computed.

use super::view::{CandidateView, TagView};
use crate::features::{NO_NUMBER, NO_STEP, kinds};
use crate::names::NameFlags;
use crate::shared::SharedFacts;
use crate::survey::{Enclosing, SurveyedPage};
use crate::words::LabelWords;
use tsugi_scoring::{Column, Range};

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
    Words(LabelPart, LabelWords),
    Names(NamedPlace, NameFlags),
    Within(Enclosing),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct LinkFeature {
    pub(super) column: Column,
    pub(super) source: FeatureSource,
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

type OfTag = fn(&TagView<'_>) -> f32;
type OfCandidate = fn(&CandidateView<'_>) -> f32;
type OfPage = fn(&SurveyedPage<'_>, &SharedFacts) -> f32;

use FeatureSource::{Candidate, Names, Page, Seat, Tag, Within, Words};
use TagMerge::{Least, Most};

kinds! { LinkFeature:
    text(words: LabelWords) = Flag, Range::flag(), Words(LabelPart::Text, words);
    hint(words: LabelWords) = Flag, Range::flag(), Words(LabelPart::Hint, words);
    label(words: LabelWords) = Flag, Range::flag(), Words(LabelPart::Any, words);
    named(names: NameFlags) = Flag, Range::flag(), Names(NamedPlace::Own, names);
    near(names: NameFlags) = Flag, Range::flag(), Names(NamedPlace::Near, names);
    around(names: NameFlags) = Flag, Range::flag(), Names(NamedPlace::Around, names);
    within(within: Enclosing) = Flag, Range::flag(), Within(within);
    flag(of: OfTag) = Flag, Range::flag(), Tag(of, Most);
    most(of: OfTag) = Count, Range::any(), Tag(of, Most);
    least(of: OfTag) = Count, Range::any(), Tag(of, Least);
    most_number(of: OfTag) = Count, Range::any(), Tag(of, Most), unknown at NO_NUMBER;
    most_step(of: OfTag) = Count, Range::any(), Tag(of, Most), unknown at NO_STEP;
    most_share(of: OfTag) = Ratio, Range::unit(), Tag(of, Most);
    least_share(of: OfTag) = Ratio, Range::unit(), Tag(of, Least);
    most_characters(of: OfTag) = Characters, Range::at_least(0.0), Tag(of, Most);
    least_characters(of: OfTag) = Characters, Range::at_least(0.0), Tag(of, Least);
    least_index(of: OfTag) = Index, Range::at_least(0.0), Tag(of, Least);
    seat_flag(of: OfTag) = Flag, Range::flag(), Seat(of);
    seat_count(of: OfTag) = Count, Range::any(), Seat(of);
    candidate_flag(of: OfCandidate) = Flag, Range::flag(), Candidate(of);
    candidate_count(of: OfCandidate) = Count, Range::any(), Candidate(of);
    candidate_number(of: OfCandidate) = Count, Range::any(), Candidate(of), unknown at NO_NUMBER;
    candidate_step(of: OfCandidate) = Count, Range::any(), Candidate(of), unknown at NO_STEP;
    candidate_share(of: OfCandidate) = Ratio, Range::unit(), Candidate(of);
    page_flag(of: OfPage) = Flag, Range::flag(), Page(of);
    page_count(of: OfPage) = Count, Range::any(), Page(of);
    page_number(of: OfPage) = Count, Range::any(), Page(of), unknown at NO_NUMBER;
}
