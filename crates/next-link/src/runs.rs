//! Rows of page numbers: `1 2 [3] 4 5 … 9`.

use super::survey::{ItemCounts, LinkItem, LinkTarget, Trees};

const MAX_GAP: u32 = 24; // Maximum number of characters between two items of a row.
const MAX_BETWEEN: usize = 3; // Maximum number of items without a number between two items of a row.

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct NumberRow {
    pub(crate) from: usize,
    /// Number of numbers, and number of those that are links to candidates.
    pub(crate) length: u32,
    pub(crate) links: u32,
    pub(crate) least: u32,
    pub(crate) greatest: u32,
    pub(crate) current: Option<u32>,
    /// The index of its item; `None` if page 1 is omitted.
    pub(crate) current_at: Option<usize>,
    pub(crate) onward: Option<usize>,
    /// Number of numbers that exceed their predecessor by 1.
    pub(crate) steady: u32,
}

#[derive(Debug, Default)]
pub(crate) struct NumberRows {
    all: Vec<NumberRow>,
    /// For each item, the number of its row from 1, or 0.
    of_item: Vec<u32>,
    best: Option<usize>,
}

impl NumberRows {
    pub(crate) fn of(trees: &Trees<'_>, items: &[LinkItem], counts: &[ItemCounts]) -> NumberRows {
        let mut runs = NumberRows { all: Vec::new(), of_item: vec![0; items.len()], best: None };
        let mut open: Option<(NumberRow, u32, usize)> = None;
        for (at, item) in items.iter().enumerate() {
            let Some(number) = number(item) else { continue };
            let continued = open.take().filter(|(_, last, last_at)| {
                // The text of items in between does not count.
                let within = counts[at].characters - counts[*last_at].characters;
                number > *last
                    && at - last_at <= MAX_BETWEEN + 1
                    && characters_between(trees, &items[*last_at], item).saturating_sub(within) <= MAX_GAP
            });
            let (mut run, steady) = match continued {
                Some((run, last, _)) => (run, number == last + 1),
                None => (NumberRow { from: at, least: number, ..NumberRow::default() }, false),
            };
            if run.length == 0 {
                runs.all.push(run);
            }
            run.length += 1;
            run.greatest = number;
            run.steady += u32::from(steady);
            let is_link = matches!(item.target, LinkTarget::Candidate(_));
            run.links += u32::from(is_link);
            let held = run.current_at.map_or(0, |at| items[at].currency());
            if item.currency() > held {
                (run.current, run.current_at, run.onward) = (Some(number), Some(at), None);
            } else if is_link && run.onward.is_none() && run.current.is_some() {
                run.onward = Some(at);
            }
            let place = runs.all.len() - 1;
            runs.all[place] = run;
            runs.of_item[at] = u32::try_from(place + 1).unwrap_or(0);
            open = Some((run, number, at));
        }
        // Page 1 is omitted: `2 3 4`, with no number marked.
        for run in &mut runs.all {
            if run.current.is_none() && run.least == 2 && run.links == run.length {
                (run.current, run.onward) = (Some(1), Some(run.from));
            }
        }
        let ranked = runs.all.iter().enumerate().filter(|(_, run)| run.length > 1 && run.links > 0);
        runs.best =
            ranked.max_by_key(|(at, run)| (run.steady, run.length, usize::MAX - at)).map(|(at, _)| at);
        runs
    }

    pub(crate) fn best(&self) -> Option<&NumberRow> {
        self.all.get(self.best?)
    }

    /// Returns the row of an item, if it has at least two numbers.
    pub(crate) fn of_item(&self, at: usize) -> Option<&NumberRow> {
        let place = self.of_item.get(at)?.checked_sub(1)?;
        self.all.get(place as usize).filter(|run| run.length > 1)
    }
}

/// Returns the number in an item's text, or in its hint if it has no text ("Page 2" as an `aria-label`).
pub(crate) fn number(item: &LinkItem) -> Option<u32> {
    item.text.number().or_else(|| item.hint.number().filter(|_| item.text.characters == 0))
}

pub(crate) fn is_before(number: Option<u32>, other: u32) -> bool {
    number.is_some_and(|number| number.checked_add(1) == Some(other))
}

/// `u32::MAX` for items that cannot be in one row.
fn characters_between(trees: &Trees<'_>, a: &LinkItem, b: &LinkItem) -> u32 {
    if a.tree != b.tree || a.in_head {
        return u32::MAX;
    }
    trees.mark(b).characters.saturating_sub(trees.mark(a).characters)
}
