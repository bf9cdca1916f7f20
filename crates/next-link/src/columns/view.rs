//! What features are computed from: a tag of a candidate with what stands around it, and the candidate.

use crate::names::Names;
use crate::runs::Run;
use crate::shared::LazyShared;
use crate::survey::{Around, Candidate, Counts, LinkItem, Mark, Survey};
use std::cell::OnceCell;
use tsugi_page::Page;

/// One tag of a candidate, as its features see it. What takes a look around is looked at once asked for.
#[derive(Debug)]
pub(crate) struct TagView<'a> {
    pub(crate) survey: &'a Survey<'a>,
    pub(crate) shared: &'a LazyShared<'a>,
    /// The place of the item.
    pub(crate) at: usize,
    pub(crate) item: &'a LinkItem,
    pub(crate) page: &'a Page,
    pub(crate) mark: &'a Mark,
    pub(crate) page_mark: &'a Mark,
    /// The run that it is part of.
    pub(crate) run: Option<&'a Run>,
    beside: OnceCell<Beside<'a>>,
}

/// What stands beside a tag and around it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beside<'a> {
    /// What the elements close around it are named.
    pub(super) names: Names,
    pub(crate) near: Around,
    pub(crate) near_counts: Counts,
    pub(crate) pager: Around,
    pub(crate) pager_counts: Counts,
    /// The items close before and after it.
    pub(crate) before: Option<&'a LinkItem>,
    pub(crate) after: Option<&'a LinkItem>,
}

/// Levels above a link whose names are near ones.
const NEAR: usize = 3;

impl<'a> TagView<'a> {
    pub(crate) fn of(shared: &'a LazyShared<'a>, at: usize) -> TagView<'a> {
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

    pub(crate) fn beside(&self) -> &Beside<'a> {
        self.beside.get_or_init(|| {
            let survey = self.survey;
            let (near, pager) = survey.around(self.at);
            let (before, after) = beside(survey, self.at);
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
    pub(crate) fn run_behind(&self) -> Option<&'a Run> {
        run_behind(self.survey, self.at)
    }
}

/// How far the link to a next page may stand behind a run of numbers, in items.
const BEHIND: usize = 4;

/// The items close before and after one.
fn beside<'a>(survey: &'a Survey<'_>, at: usize) -> (Option<&'a LinkItem>, Option<&'a LinkItem>) {
    let item = &survey.items[at];
    // Little text stands between the two.
    let is_close = |one: &LinkItem, other: &LinkItem| {
        one.tree == other.tree && {
            let between = survey.mark(other).characters.saturating_sub(survey.mark(one).characters);
            between <= u32::from(one.text.characters) + 40
        }
    };
    let before = at.checked_sub(1).map(|at| &survey.items[at]).filter(|before| is_close(before, item));
    (before, survey.items.get(at + 1).filter(|after| is_close(item, after)))
}

/// The run that ends shortly before the item, or that it stands in.
fn run_behind<'a>(survey: &'a Survey<'_>, at: usize) -> Option<&'a Run> {
    (0..=BEHIND).find_map(|back| survey.runs.of_item(at.checked_sub(back)?))
}

/// A candidate, as its features see it.
#[derive(Debug)]
pub(crate) struct CandidateView<'a> {
    pub(crate) survey: &'a Survey<'a>,
    pub(crate) shared: &'a LazyShared<'a>,
    pub(crate) at: usize,
    pub(crate) candidate: &'a Candidate,
}
