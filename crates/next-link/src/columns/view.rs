//! The data that features are computed from: a tag of a candidate with its surroundings, and the candidate.

use crate::names::NameFlags;
use crate::runs::NumberRow;
use crate::shared::LazyShared;
use crate::survey::{ItemCounts, ItemsAround, LinkCandidate, LinkItem, NodeMark, SurveyedPage};
use std::cell::OnceCell;
use tsugi_page::Page;

/// One tag of a candidate. Its surroundings are computed on first use.
pub(crate) struct TagView<'a> {
    pub(crate) survey: &'a SurveyedPage<'a>,
    pub(crate) shared: &'a LazyShared<'a>,
    pub(crate) at: usize,
    pub(crate) item: &'a LinkItem,
    pub(crate) page: &'a Page,
    pub(crate) mark: &'a NodeMark,
    pub(crate) page_mark: &'a NodeMark,
    pub(crate) run: Option<&'a NumberRow>,
    beside: OnceCell<Beside<'a>>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Beside<'a> {
    pub(super) names: NameFlags,
    pub(crate) near: ItemsAround,
    pub(crate) near_counts: ItemCounts,
    pub(crate) pager: ItemsAround,
    pub(crate) pager_counts: ItemCounts,
    pub(crate) before: Option<&'a LinkItem>,
    pub(crate) after: Option<&'a LinkItem>,
}

const NEAR: usize = 3; // Number of levels above a link that count as close.

impl<'a> TagView<'a> {
    pub(crate) fn of(shared: &'a LazyShared<'a>, at: usize) -> TagView<'a> {
        let survey = shared.survey();
        let item = &survey.items[at];
        let (page, marks) = survey.trees.tree(item.tree);
        TagView {
            survey,
            shared,
            at,
            item,
            page,
            mark: &marks[item.node.index()],
            page_mark: survey.trees.page_mark(item),
            run: survey.runs.of_item(at),
            beside: OnceCell::new(),
        }
    }

    pub(crate) fn beside(&self) -> &Beside<'a> {
        self.beside.get_or_init(|| {
            let survey = self.survey;
            let (near, pager) = survey.around(self.at);
            let marks = survey.trees.tree(self.item.tree).1;
            let close = self.page.ancestors(self.item.node).take(NEAR);
            Beside {
                names: close.fold(NameFlags::empty(), |names, node| names.union(marks[node.index()].names)),
                near,
                near_counts: survey.counts_of(near.from, near.to),
                pager,
                pager_counts: survey.counts_of(pager.from, pager.to),
                before: self.at.checked_sub(1).filter(|at| is_close(survey, *at)).map(|at| &survey.items[at]),
                after: survey.items.get(self.at + 1).filter(|_| is_close(survey, self.at)),
            }
        })
    }

    /// Returns the row of page numbers that it is in, or that ends shortly before it.
    pub(crate) fn run_behind(&self) -> Option<&'a NumberRow> {
        (0..=BEHIND).find_map(|back| self.survey.runs.of_item(self.at.checked_sub(back)?))
    }
}

const BEHIND: usize = 4; // Maximum number of items between a row of page numbers and the next link after it.

/// Returns `true` if little text separates an item from the next one.
fn is_close(survey: &SurveyedPage<'_>, at: usize) -> bool {
    let [one, other] = [&survey.items[at], &survey.items[at + 1]];
    one.tree == other.tree && {
        let between = survey.trees.mark(other).characters.saturating_sub(survey.trees.mark(one).characters);
        between <= u32::from(one.text.characters) + 40
    }
}

pub(crate) struct CandidateView<'a> {
    pub(crate) survey: &'a SurveyedPage<'a>,
    pub(crate) shared: &'a LazyShared<'a>,
    pub(crate) at: usize,
    pub(crate) candidate: &'a LinkCandidate,
}
