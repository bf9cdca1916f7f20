//! The links of a page by target, and its pager.

use super::head::headline_digest;
use crate::names::NameFlags;
use crate::runs::number as number_of;
use crate::shared::SharedFacts;
use crate::survey::{LinkItem, LinkTarget, Rel, SurveyedPage};
use crate::words::{DIRECTIONS, LabelWords};
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::address::page_key;

/// Maximum number of labels of a link that are kept.
const MAX_LABELS: usize = 4;

/// What names say of a direction: those of a link and of its picture.
pub(super) const ONWARD: NameFlags = NameFlags::NEXT.union(NameFlags::OLDER).union(NameFlags::RIGHT);
pub(super) const BACKWARD: NameFlags = NameFlags::PREVIOUS.union(NameFlags::NEWER).union(NameFlags::LEFT);

#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about links")]
pub(super) struct LinkFacts {
    pub(super) words: LabelWords,
    /// Meanings of the names in their markup, and of those of the elements around them.
    pub(super) names: NameFlags,
    pub(super) around: NameFlags,
    pub(super) rel: Rel,
    /// The first number among their labels.
    pub(super) number: Option<u32>,
    pub(super) count: u32,
    /// `true` if one follows the page's own entry in a list of links; `true` if one precedes it.
    pub(super) after_own: bool,
    pub(super) before_own: bool,
    /// `true` if one is the first link after the current number of a row.
    pub(super) onward: bool,
    /// `true` if one looks like part of a pager: by a number, a word for a direction, a picture of it, or an element around it.
    pub(super) in_pager: bool,
    /// `true` if one has words of its own besides those of a pager.
    pub(super) strange: bool,
    /// The greatest share of a label in words for next, older and page, in [0, 1].
    pub(super) cover: f32,
    /// `true` if one stands in, or after, something named comments.
    pub(super) in_comments: bool,
    pub(super) after_comments: bool,
    /// Digests of labels that are long enough for a headline.
    pub(super) labels: Vec<u32>,
}

impl LinkFacts {
    /// Returns `true` if a label is one of some headlines.
    pub(super) fn is_titled(&self, headlines: &BTreeSet<u32>) -> bool {
        self.labels.iter().any(|label| headlines.contains(label))
    }

    pub(super) fn says(&self, words: LabelWords) -> bool {
        self.words.intersects(words)
    }

    /// Returns `true` if it says that it leads back, and not that it leads on: in words, or by its picture if it has none.
    pub(super) fn says_back_alone(&self) -> bool {
        let is_wordless = !self.strange && self.number.is_none() && !self.says(DIRECTIONS);
        if is_wordless {
            return self.is_named(BACKWARD) && !self.is_named(ONWARD);
        }
        self.says(LabelWords::PREVIOUS | LabelWords::NEWER)
            && !self.says(LabelWords::NEXT | LabelWords::OLDER)
    }

    pub(super) fn is_named(&self, names: NameFlags) -> bool {
        self.names.intersects(names)
    }

    fn add(&mut self, survey: &SurveyedPage<'_>, shared: &SharedFacts, at: usize, item: &LinkItem) {
        let mark = survey.trees.mark(item);
        let around = mark.around;
        let words = item.text.words.union(item.hint.words).union(item.lead);
        let run = survey.runs.of_item(at);
        self.words |= words;
        self.names |= item.names;
        self.around |= around;
        self.rel |= item.rel;
        self.number = self.number.or(number_of(item));
        self.count += 1;
        self.after_own |= shared.after_own[at];
        self.before_own |= shared.before_own[at];
        self.onward |= run.is_some_and(|run| run.onward == Some(at));
        self.in_pager |= run.is_some()
            || words.intersects(DIRECTIONS)
            || around.intersects(NameFlags::PAGER)
            || (item.text.characters == 0 && item.names.intersects(ONWARD | BACKWARD));
        self.strange |= item.text.strange;
        self.cover = self.cover.max(item.text.cover());
        self.in_comments |= around.intersects(NameFlags::COMMENT);
        self.after_comments |= survey.trees.page_mark(item).comments > 0;
        if self.labels.len() < MAX_LABELS && item.text.strange {
            let page = survey.trees.tree(item.tree).0;
            self.labels.extend(headline_digest(page.string_value(item.node)));
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct PageLinks {
    /// By [`page_key`] of the address.
    pub(super) by_key: BTreeMap<String, LinkFacts>,
    pub(super) in_pager: usize,
    pub(super) own: u32,
    /// `true` if a link to the page itself says next.
    pub(super) own_says_next: bool,
    /// `true` if a word for next, or for previous, stands where its link would be.
    pub(super) dead_next: bool,
    pub(super) dead_previous: bool,
    /// The current page and the highest one, by the longest row of page numbers.
    pub(super) current: Option<u32>,
    pub(super) greatest: Option<u32>,
    pub(super) run: u32,
    pub(super) counter: Option<(u32, u32)>,
    /// Keys of the targets of `<link rel=prev>` and `rel=next` in the head.
    pub(super) head_previous: Option<String>,
    pub(super) head_next: Option<String>,
}

impl PageLinks {
    pub(super) fn of(survey: &SurveyedPage<'_>, shared: &SharedFacts) -> PageLinks {
        let keys: Vec<String> =
            survey.candidates.iter().map(|candidate| page_key(&candidate.url())).collect();
        let mut found = vec![LinkFacts::default(); keys.len()];
        for (at, item) in survey.items.iter().enumerate() {
            if let LinkTarget::Candidate(candidate) = item.target {
                found[candidate as usize].add(survey, shared, at, item);
            }
        }
        let run = survey.runs.best();
        let dead = |words| survey.items.iter().any(|item| item.leads_nowhere() && item.says(words));
        let key = |target: Option<LinkTarget>| match target? {
            LinkTarget::Candidate(candidate) => keys.get(candidate as usize).cloned(),
            _ => None,
        };
        PageLinks {
            head_previous: key(survey.declared.previous),
            head_next: key(survey.declared.next),
            in_pager: found.iter().filter(|link| link.in_pager).count(),
            own: shared.own_links,
            own_says_next: survey
                .items
                .iter()
                .any(|item| item.target == LinkTarget::Own && item.says(LabelWords::NEXT)),
            dead_next: dead(LabelWords::NEXT),
            dead_previous: dead(LabelWords::PREVIOUS),
            current: run.and_then(|run| run.current),
            greatest: run.map(|run| run.greatest),
            run: run.map_or(0, |run| run.length),
            counter: survey.declared.counter,
            by_key: keys.into_iter().zip(found).collect(),
        }
    }

    pub(super) fn has_in_pager(&self, key: &str) -> bool {
        self.by_key.get(key).is_some_and(|link| link.in_pager)
    }

    pub(super) fn total(&self) -> Option<u32> {
        self.counter.map(|(_, total)| total)
    }

    /// By "page 2 of 7", or else by the row of page numbers.
    pub(super) fn page_number(&self) -> Option<u32> {
        self.counter.map(|(current, _)| current).or(self.current)
    }
}
