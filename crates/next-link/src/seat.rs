//! The seat of a candidate: its representative link, the likeliest to be part of a pager.
//!
//! An entry of a side bar and the card below the text lead to the same page. Columns that merge both hide the card.

use super::names::NameFlags;
use super::shared::LazyShared;
use super::survey::{LinkCandidate, Rel, SurveyedPage};
use super::words::LabelWords;

/// Maximum number of links examined per candidate; of more, the first and the last ones.
const MAX_LINKS: usize = 16;
const FEW: usize = 3; // Maximum number of links with the same class names that are not a list.

/// A link element in the head has no position on the page, so it counts only without others.
pub(super) fn examined<'a>(
    survey: &'a SurveyedPage<'_>,
    candidate: &'a LinkCandidate,
) -> impl Iterator<Item = usize> + 'a {
    let is_in_head = |at: &u32| survey.items[*at as usize].in_head;
    let counted = candidate.items.iter().filter(|at| !is_in_head(at)).count();
    let is_all = counted == 0;
    let links = if is_all { candidate.items.len() } else { counted };
    let is_examined =
        move |at: usize| links <= MAX_LINKS || at < MAX_LINKS / 2 || at >= links - MAX_LINKS / 2;
    let items = candidate.items.iter().filter(move |at| is_all || !is_in_head(at)).enumerate();
    items.filter(move |(at, _)| is_examined(*at)).map(|(_, item)| *item as usize)
}

/// Returns the place of the link that looks most like part of a pager; of equal ones, the last.
///
/// The next chapter's entry in a table of contents looks like all others there; its link below the text does not.
pub(super) fn of(shared: &LazyShared<'_>, candidate: &LinkCandidate) -> Option<usize> {
    examined(shared.survey(), candidate).max_by_key(|at| likeness(shared, *at))
}

fn likeness(shared: &LazyShared<'_>, at: usize) -> u32 {
    let survey = shared.survey();
    let item = &survey.items[at];
    let words = LabelWords::NEXT.union(LabelWords::OLDER).union(LabelWords::ARROW_RIGHT);
    let around = survey.trees.mark(item).around;
    let onward = survey.runs.of_item(at).is_some_and(|run| run.onward == Some(at));
    [
        (item.says(words), 4),
        (onward, 4),
        (item.names.intersects(NameFlags::NEXT.union(NameFlags::RIGHT)), 2),
        (item.rel.intersects(Rel::NEXT), 2),
        (shared.looks.count(item.look) <= FEW, 2),
        (around.intersects(NameFlags::PAGER), 1),
        (!item.in_head, 1),
    ]
    .iter()
    .map(|(holds, worth)| u32::from(*holds) * worth)
    .sum()
}
