//! The columns of candidates, declared once, by topic.

mod feature;
mod label;
mod page;
mod pager;
mod place;
mod rivals;
mod seat;
mod url;
mod view;

pub(super) use view::{CandidateView, TagView};

use super::names::NameFlags;
use super::shared::LazyShared;
use super::survey::Enclosing;
use super::words::LabelWords;
use crate::features::Measure;
use feature::{FeatureSource, LinkFeature, NamedPlace};
use tsugi_scoring::Column;

#[derive(Debug, Clone, Copy, Default)]
struct CandidateFlags {
    /// By [`LabelPart`](feature::LabelPart).
    words: [LabelWords; 3],
    /// By [`NamedPlace`].
    names: [NameFlags; 3],
    within: Enclosing,
}

impl CandidateFlags {
    /// Reads the names close around the tags only if `looks_near`.
    fn of(tags: &[TagView<'_>], looks_near: bool) -> CandidateFlags {
        let mut said = CandidateFlags::default();
        for tag in tags {
            let (text, hint) = (tag.item.text.words, tag.item.hint.words.union(tag.item.lead));
            for (words, more) in said.words.iter_mut().zip([text, hint, text.union(hint)]) {
                *words = words.union(more);
            }
            let near = if looks_near { tag.beside().names } else { NameFlags::empty() };
            for (names, more) in said.names.iter_mut().zip([tag.item.names, near, tag.mark.around]) {
                *names = names.union(more);
            }
            said.within = said.within.union(tag.mark.within).union(tag.page_mark.within);
        }
        said
    }
}

pub(super) struct LinkFeatures {
    all: Vec<LinkFeature>,
    looks_near: bool,
    looks_at_seat: bool,
}

impl LinkFeatures {
    pub(super) fn of(takes: impl Fn(&Column) -> bool) -> LinkFeatures {
        let all: Vec<LinkFeature> = features().filter(|feature| takes(&feature.column)).copied().collect();
        let sources = || all.iter().map(|feature| feature.source);
        LinkFeatures {
            looks_near: sources().any(|of| matches!(of, FeatureSource::Names(NamedPlace::Near, _))),
            looks_at_seat: sources().any(|of| matches!(of, FeatureSource::Seat(_))),
            all,
        }
    }

    pub(super) fn columns(&self) -> impl Iterator<Item = Column> {
        self.all.iter().map(|feature| feature.column)
    }

    pub(super) fn write(
        &self,
        row: &mut Vec<f32>,
        view: &CandidateView<'_>,
        tags: &[TagView<'_>],
        of_page: &[f32],
    ) {
        let said = CandidateFlags::of(tags, self.looks_near);
        let seat = self.looks_at_seat.then(|| crate::seat::of(view.shared, view.candidate)).flatten();
        let seat = tags.iter().find(|tag| Some(tag.at) == seat);
        let mut of_page = of_page.iter();
        row.extend(self.all.iter().map(|feature| match feature.source {
            FeatureSource::Words(label, words) => said.words[label as usize].intersects(words).measure(),
            FeatureSource::Names(place, names) => said.names[place as usize].intersects(names).measure(),
            FeatureSource::Within(within) => said.within.intersects(within).measure(),
            FeatureSource::Tag(of, merge) => merge.apply(tags.iter().map(of)),
            FeatureSource::Seat(of) => seat.map_or(0.0, of),
            FeatureSource::Candidate(of) => of(view),
            FeatureSource::Page(_) => of_page.next().copied().unwrap_or(0.0),
        }));
    }

    pub(super) fn of_page(&self, shared: &LazyShared<'_>) -> Vec<f32> {
        let values = self.all.iter().filter_map(|feature| match feature.source {
            FeatureSource::Page(of) => Some(of(shared.survey(), shared)),
            _ => None,
        });
        values.collect()
    }
}

/// The features by topic, in column order.
static TOPICS: [(&str, &[LinkFeature]); 7] = [
    ("label", label::FEATURES),
    ("place", place::FEATURES),
    ("pager", pager::FEATURES),
    ("seat", seat::FEATURES),
    ("address", url::FEATURES),
    ("rivals", rivals::FEATURES),
    ("page", page::FEATURES),
];

fn features() -> impl Iterator<Item = &'static LinkFeature> {
    TOPICS.iter().flat_map(|(_, features)| *features)
}

pub(super) fn topic(column: &str) -> Option<&'static str> {
    let of = |features: &[LinkFeature]| features.iter().any(|feature| feature.column.name == column);
    TOPICS.iter().find(|(_, features)| of(features)).map(|(topic, _)| *topic)
}
