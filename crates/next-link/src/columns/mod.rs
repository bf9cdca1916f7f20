//! The columns of the full model, declared once, by topic.

mod label;
mod page;
mod pager;
mod place;
mod rivals;
mod url;

use super::names::Names;
use super::runs::Run;
use super::shared::{LazyShared, Shared};
use super::survey::{Around, Candidate, Counts, LinkItem, Mark, Survey, Within};
use super::words::Words;
use std::cell::OnceCell;
use tsugi_learning::{Column, Range, Unit};
use tsugi_page::Page;

/// One tag of a candidate, as its features see it. What takes a look around is looked at once asked for.
#[derive(Debug)]
pub(super) struct TagView<'a> {
    pub(super) survey: &'a Survey<'a>,
    pub(super) shared: &'a LazyShared<'a>,
    /// The place of the item.
    pub(super) at: usize,
    pub(super) item: &'a LinkItem,
    pub(super) page: &'a Page,
    pub(super) mark: &'a Mark,
    pub(super) page_mark: &'a Mark,
    /// The run that it is part of.
    pub(super) run: Option<&'a Run>,
    beside: OnceCell<Beside<'a>>,
}

/// What stands beside a tag and around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside<'a> {
    /// What the elements close around it are named.
    names: Names,
    pub(super) near: Around,
    pub(super) near_counts: Counts,
    pub(super) pager: Around,
    pub(super) pager_counts: Counts,
    /// The items close before and after it.
    pub(super) before: Option<&'a LinkItem>,
    pub(super) after: Option<&'a LinkItem>,
}

/// Levels above a link whose names are near ones.
const NEAR: usize = 3;

impl<'a> TagView<'a> {
    pub(super) fn of(shared: &'a LazyShared<'a>, at: usize) -> TagView<'a> {
        let survey = shared.survey();
        let item = &survey.items[at];
        let (page, marks) = survey.tree(item.tree);
        TagView {
            survey,
            shared,
            at,
            item,
            page,
            mark: &marks[item.node.index()],
            page_mark: survey.page_mark(item),
            run: survey.runs.of_item(at),
            beside: OnceCell::new(),
        }
    }

    pub(super) fn beside(&self) -> &Beside<'a> {
        self.beside.get_or_init(|| {
            let survey = self.survey;
            let (near, pager) = survey.around(self.at);
            let (before, after) = pager::beside(survey, self.at);
            let marks = survey.tree(self.item.tree).1;
            let close = self.page.ancestors(self.item.node).take(NEAR);
            Beside {
                names: close.fold(Names::empty(), |names, node| names.union(marks[node.index()].names)),
                near,
                near_counts: survey.counts_of(near.from, near.to),
                pager,
                pager_counts: survey.counts_of(pager.from, pager.to),
                before,
                after,
            }
        })
    }

    /// The run that it stands in, or that ends shortly before it.
    pub(super) fn run_behind(&self) -> Option<&'a Run> {
        pager::run_behind(self.survey, self.at)
    }
}

/// What the tags of a candidate say together.
#[derive(Debug, Clone, Copy, Default)]
struct Said {
    /// By [`Label`].
    words: [Words; 3],
    /// By [`NamedPlace`].
    names: [Names; 3],
    within: Within,
}

impl Said {
    /// Of places close around the tags only where `looks_near`.
    fn of(tags: &[TagView<'_>], looks_near: bool) -> Said {
        let mut said = Said::default();
        for tag in tags {
            let (text, hint) = (tag.item.text.words, tag.item.hint.words.union(tag.item.lead));
            for (words, more) in said.words.iter_mut().zip([text, hint, text.union(hint)]) {
                *words = words.union(more);
            }
            let near = if looks_near { tag.beside().names } else { Names::empty() };
            for (names, more) in said.names.iter_mut().zip([tag.item.names, near, tag.mark.around]) {
                *names = names.union(more);
            }
            said.within = said.within.union(tag.mark.within).union(tag.page_mark.within);
        }
        said
    }
}

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

/// A candidate, as its features see it.
#[derive(Debug)]
pub(super) struct CandidateView<'a> {
    pub(super) survey: &'a Survey<'a>,
    pub(super) shared: &'a LazyShared<'a>,
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

/// Features that are computed together.
#[derive(Debug)]
pub(super) struct Features {
    all: Vec<LinkFeature>,
    looks_near: bool,
}

impl Features {
    /// Takes those whose columns `takes` says, in the order of the columns.
    pub(super) fn of(takes: impl Fn(&Column) -> bool) -> Features {
        let all: Vec<LinkFeature> = features().filter(|feature| takes(&feature.column)).copied().collect();
        let is_near = |feature: &LinkFeature| matches!(feature.source, Source::Names(NamedPlace::Near, _));
        Features { looks_near: all.iter().any(is_near), all }
    }

    pub(super) fn columns(&self) -> impl Iterator<Item = Column> {
        self.all.iter().map(|feature| feature.column)
    }

    /// Adds the values of a candidate; `of_page` are those of its page that [`Features::of_page`] has.
    pub(super) fn write(
        &self,
        row: &mut Vec<f32>,
        view: &CandidateView<'_>,
        tags: &[TagView<'_>],
        of_page: &[f32],
    ) {
        let said = Said::of(tags, self.looks_near);
        let mut of_page = of_page.iter();
        row.extend(self.all.iter().map(|feature| match feature.source {
            Source::Words(label, words) => on(said.words[label as usize].intersects(words)),
            Source::Names(place, names) => on(said.names[place as usize].intersects(names)),
            Source::Within(within) => on(said.within.intersects(within)),
            Source::Tag(of, merge) => merge.apply(tags.iter().map(of)),
            Source::Candidate(of) => of(view),
            Source::Page(_) => of_page.next().copied().unwrap_or(0.0),
        }));
    }

    /// The values that all candidates of a page share.
    pub(super) fn of_page(&self, shared: &LazyShared<'_>) -> Vec<f32> {
        let value = |feature: &LinkFeature| match feature.source {
            Source::Page(of) => Some(of(shared.survey(), shared)),
            _ => None,
        };
        self.all.iter().filter_map(value).collect()
    }
}

impl Merge {
    fn apply(self, values: impl Iterator<Item = f32>) -> f32 {
        let merged = match self {
            Merge::Most => values.reduce(f32::max),
            Merge::Least => values.reduce(f32::min),
        };
        merged.unwrap_or(0.0)
    }
}

/// All features, in the order of the columns.
fn features() -> impl Iterator<Item = &'static LinkFeature> {
    [label::FEATURES, place::FEATURES, pager::FEATURES, url::FEATURES, rivals::FEATURES, page::FEATURES]
        .into_iter()
        .flatten()
}

const OWN: &str = "tsugi";

/// A flag that holds if it holds for one of the tags.
const fn flag(name: &'static str, doc: &'static str, of: fn(&TagView<'_>) -> f32) -> LinkFeature {
    LinkFeature {
        column: Column::new(name, Unit::Flag, Range::flag(), doc, OWN),
        source: Source::Tag(of, Merge::Most),
    }
}

/// A flag for words of a label.
const fn says(name: &'static str, doc: &'static str, label: Label, words: Words) -> LinkFeature {
    let column = Column::new(name, Unit::Flag, Range::flag(), doc, OWN);
    LinkFeature { column, source: Source::Words(label, words) }
}

/// A flag for names in the markup.
const fn is_named(name: &'static str, doc: &'static str, place: NamedPlace, names: Names) -> LinkFeature {
    let column = Column::new(name, Unit::Flag, Range::flag(), doc, OWN);
    LinkFeature { column, source: Source::Names(place, names) }
}

/// A flag for the elements that a tag stands in.
const fn within(name: &'static str, doc: &'static str, within: Within) -> LinkFeature {
    LinkFeature {
        column: Column::new(name, Unit::Flag, Range::flag(), doc, OWN),
        source: Source::Within(within),
    }
}

/// A count, the greatest over the tags.
const fn most(name: &'static str, doc: &'static str, of: fn(&TagView<'_>) -> f32) -> LinkFeature {
    LinkFeature {
        column: Column::new(name, Unit::Count, Range::any(), doc, OWN),
        source: Source::Tag(of, Merge::Most),
    }
}

/// A count, the least over the tags.
const fn least(name: &'static str, doc: &'static str, of: fn(&TagView<'_>) -> f32) -> LinkFeature {
    LinkFeature {
        column: Column::new(name, Unit::Count, Range::any(), doc, OWN),
        source: Source::Tag(of, Merge::Least),
    }
}

/// A ratio, the greatest over the tags.
const fn share(
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
const fn candidate_flag(
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
const fn candidate_count(
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
const fn page_flag(
    name: &'static str,
    doc: &'static str,
    of: fn(&Survey<'_>, &Shared) -> f32,
) -> LinkFeature {
    LinkFeature { column: Column::new(name, Unit::Flag, Range::flag(), doc, OWN), source: Source::Page(of) }
}

/// A count of the page.
const fn page_count(
    name: &'static str,
    doc: &'static str,
    of: fn(&Survey<'_>, &Shared) -> f32,
) -> LinkFeature {
    LinkFeature { column: Column::new(name, Unit::Count, Range::any(), doc, OWN), source: Source::Page(of) }
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
