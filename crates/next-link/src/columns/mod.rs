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

#[cfg(test)]
pub(super) use feature::{NO_NUMBER, NO_STEP};
pub(super) use view::{CandidateView, TagView};

use super::names::Names;
use super::shared::LazyShared;
use super::survey::Within;
use super::words::Words;
use feature::{LinkFeature, NamedPlace, Source, on};
use tsugi_scoring::Column;

/// What all tags of a candidate say.
#[derive(Debug, Clone, Copy, Default)]
struct Said {
    /// By [`Label`](feature::Label).
    words: [Words; 3],
    /// By [`NamedPlace`].
    names: [Names; 3],
    within: Within,
}

impl Said {
    /// Reads the names close around the tags only if `looks_near`.
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

/// Features that are computed together.
#[derive(Debug)]
pub(super) struct Features {
    all: Vec<LinkFeature>,
    looks_near: bool,
    looks_at_seat: bool,
}

impl Features {
    /// Selects the features whose columns satisfy `takes`, in column order.
    pub(super) fn of(takes: impl Fn(&Column) -> bool) -> Features {
        let all: Vec<LinkFeature> = features().filter(|feature| takes(&feature.column)).copied().collect();
        let is_near = |feature: &LinkFeature| matches!(feature.source, Source::Names(NamedPlace::Near, _));
        let is_of_seat = |feature: &LinkFeature| matches!(feature.source, Source::Seat(_));
        Features { looks_near: all.iter().any(is_near), looks_at_seat: all.iter().any(is_of_seat), all }
    }

    pub(super) fn columns(&self) -> impl Iterator<Item = Column> {
        self.all.iter().map(|feature| feature.column)
    }

    /// Appends the values of a candidate; `of_page` are the values from [`Features::of_page`].
    pub(super) fn write(
        &self,
        row: &mut Vec<f32>,
        view: &CandidateView<'_>,
        tags: &[TagView<'_>],
        of_page: &[f32],
    ) {
        let said = Said::of(tags, self.looks_near);
        let seat = self.looks_at_seat.then(|| crate::seat::of(view.shared, view.candidate)).flatten();
        let seat = tags.iter().find(|tag| Some(tag.at) == seat);
        let mut of_page = of_page.iter();
        row.extend(self.all.iter().map(|feature| match feature.source {
            Source::Words(label, words) => on(said.words[label as usize].intersects(words)),
            Source::Names(place, names) => on(said.names[place as usize].intersects(names)),
            Source::Within(within) => on(said.within.intersects(within)),
            Source::Tag(of, merge) => merge.apply(tags.iter().map(of)),
            Source::Seat(of) => seat.map_or(0.0, of),
            Source::Candidate(of) => of(view),
            Source::Page(_) => of_page.next().copied().unwrap_or(0.0),
        }));
    }

    /// Returns the values that all candidates of a page share.
    pub(super) fn of_page(&self, shared: &LazyShared<'_>) -> Vec<f32> {
        let value = |feature: &LinkFeature| match feature.source {
            Source::Page(of) => Some(of(shared.survey(), shared)),
            _ => None,
        };
        self.all.iter().filter_map(value).collect()
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

/// Returns all features in column order.
fn features() -> impl Iterator<Item = &'static LinkFeature> {
    TOPICS.iter().flat_map(|(_, features)| *features)
}

/// Returns the topic of a column that needs no model; `None` for others.
pub(super) fn topic(column: &str) -> Option<&'static str> {
    let of = |features: &[LinkFeature]| features.iter().any(|feature| feature.column.name == column);
    TOPICS.iter().find(|(_, features)| of(features)).map(|(topic, _)| *topic)
}
