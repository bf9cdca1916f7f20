//! The columns of the full model, declared once, by topic.

mod label;
mod page;
mod pager;
mod place;
mod rivals;
mod url;

use super::shared::Shared;
use super::survey::{Around, Candidate, Item, Mark, Survey};
use tsugi_learning::{Column, Range, Unit};
use tsugi_page::Page;

/// One tag of a candidate, as its features see it.
#[derive(Debug)]
pub(super) struct TagView<'a> {
    pub(super) survey: &'a Survey<'a>,
    pub(super) shared: &'a Shared,
    /// The place of the item.
    pub(super) at: usize,
    pub(super) item: &'a Item,
    pub(super) page: &'a Page,
    pub(super) mark: &'a Mark,
    pub(super) near: Around,
    pub(super) pager: Around,
}

/// A candidate, as its features see it.
#[derive(Debug)]
pub(super) struct CandidateView<'a> {
    pub(super) survey: &'a Survey<'a>,
    pub(super) shared: &'a Shared,
    pub(super) at: usize,
    pub(super) candidate: &'a Candidate,
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
}

/// A column and how it is computed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Feature {
    pub(super) column: Column,
    pub(super) source: Source,
}

/// All features, in the order of the columns.
pub(super) fn features() -> impl Iterator<Item = &'static Feature> {
    [label::FEATURES, place::FEATURES, pager::FEATURES, url::FEATURES, rivals::FEATURES, page::FEATURES].into_iter().flatten()
}

const OWN: &str = "tsugi";

/// A flag that holds if it holds for one of the tags.
const fn flag(name: &'static str, doc: &'static str, of: fn(&TagView<'_>) -> f32) -> Feature {
    Feature { column: Column::new(name, Unit::Flag, Range::flag(), doc, OWN), source: Source::Tag(of, Merge::Most) }
}

/// A count, the greatest over the tags.
const fn most(name: &'static str, doc: &'static str, of: fn(&TagView<'_>) -> f32) -> Feature {
    Feature { column: Column::new(name, Unit::Count, Range::any(), doc, OWN), source: Source::Tag(of, Merge::Most) }
}

/// A count, the least over the tags.
const fn least(name: &'static str, doc: &'static str, of: fn(&TagView<'_>) -> f32) -> Feature {
    Feature { column: Column::new(name, Unit::Count, Range::any(), doc, OWN), source: Source::Tag(of, Merge::Least) }
}

/// A ratio, the greatest over the tags.
const fn share(name: &'static str, doc: &'static str, of: fn(&TagView<'_>) -> f32, merge: Merge) -> Feature {
    Feature { column: Column::new(name, Unit::Ratio, Range::unit(), doc, OWN), source: Source::Tag(of, merge) }
}

/// A flag of the candidate.
const fn candidate_flag(name: &'static str, doc: &'static str, of: fn(&CandidateView<'_>) -> f32) -> Feature {
    Feature { column: Column::new(name, Unit::Flag, Range::flag(), doc, OWN), source: Source::Candidate(of) }
}

/// A count of the candidate.
const fn candidate_count(name: &'static str, doc: &'static str, of: fn(&CandidateView<'_>) -> f32) -> Feature {
    Feature { column: Column::new(name, Unit::Count, Range::any(), doc, OWN), source: Source::Candidate(of) }
}

/// A flag of the page.
const fn page_flag(name: &'static str, doc: &'static str, of: fn(&Survey<'_>, &Shared) -> f32) -> Feature {
    Feature { column: Column::new(name, Unit::Flag, Range::flag(), doc, OWN), source: Source::Page(of) }
}

/// A count of the page.
const fn page_count(name: &'static str, doc: &'static str, of: fn(&Survey<'_>, &Shared) -> f32) -> Feature {
    Feature { column: Column::new(name, Unit::Count, Range::any(), doc, OWN), source: Source::Page(of) }
}

/// 1 for what holds, else 0.
fn on(truth: bool) -> f32 {
    f32::from(u8::from(truth))
}

/// A number that may be missing; −1 stands for none, and what is beyond a million is a million.
fn number(value: Option<u32>) -> f32 {
    value.map_or(-1.0, |value| value.min(1_000_000) as f32)
}

/// A difference of numbers that may be missing; −1,000,000 stands for none.
fn step(value: Option<i64>) -> f32 {
    value.map_or(-1_000_000.0, |value| value.clamp(-100_000, 100_000) as f32)
}
