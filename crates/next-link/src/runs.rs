//! Runs of numbers: `1 2 [3] 4 5 … 9`.

use super::survey::{LinkItem, Survey, Target};

/// How much text may stand between two items of a run, in characters.
const MAX_GAP: u32 = 24;

/// How many items without a number may stand between two of a run.
const MAX_BETWEEN: usize = 3;

/// A run of ascending numbers in a row of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    /// The places of its first and its last item.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// How many numbers it has, and how many of them are links to candidates.
    pub(crate) length: u32,
    pub(crate) links: u32,
    pub(crate) least: u32,
    pub(crate) greatest: u32,
    /// The number that stands for the page itself.
    pub(crate) current: Option<u32>,
    /// The place of its item; `None` where page 1 is left out.
    pub(crate) current_at: Option<usize>,
    /// The place of the first link after the current number.
    pub(crate) onward: Option<usize>,
    /// How many of the numbers follow their predecessor by 1.
    pub(crate) steady: u32,
}

/// All runs of a page.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    pub(crate) all: Vec<Run>,
    /// Item → the run it is part of, from 1; 0 for none.
    of_item: Vec<u32>,
    /// The place of the longest run with a link.
    pub(crate) best: Option<usize>,
}

impl Runs {
    pub(crate) fn of(survey: &Survey<'_>) -> Runs {
        let mut runs = Runs { all: Vec::new(), of_item: vec![0; survey.items.len()], best: None };
        let mut open: Option<(Run, u32, usize)> = None;
        for (at, item) in survey.items.iter().enumerate() {
            let Some(number) = number(item) else { continue };
            let continued = open.take().filter(|(_, last, last_at)| {
                number > *last && at - last_at <= MAX_BETWEEN + 1 && gap(survey, *last_at, at) <= MAX_GAP
            });
            let (mut run, steady) = match continued {
                Some((run, last, _)) => (run, number == last + 1),
                None => (
                    Run {
                        from: at,
                        to: at,
                        length: 0,
                        links: 0,
                        least: number,
                        greatest: number,
                        current: None,
                        current_at: None,
                        onward: None,
                        steady: 0,
                    },
                    false,
                ),
            };
            if run.length == 0 {
                runs.all.push(run);
            }
            run.to = at;
            run.length += 1;
            run.greatest = number;
            run.steady += u32::from(steady);
            let is_link = matches!(item.target, Target::Candidate(_));
            run.links += u32::from(is_link);
            let held = run.current_at.map_or(0, |at| survey.items[at].currency());
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
        // A page 1 that is left out: `2 3 4`, no number marked.
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

    /// The run that an item is part of, where it has two numbers or more.
    pub(crate) fn of_item(&self, at: usize) -> Option<&Run> {
        let place = self.of_item.get(at)?.checked_sub(1)?;
        self.all.get(place as usize).filter(|run| run.length > 1)
    }
}

/// The number that an item is: of its text, or of its hint where it has no text ("Page 2" as an `aria-label`).
pub(crate) fn number(item: &LinkItem) -> Option<u32> {
    item.text.number().or_else(|| item.hint.number().filter(|_| item.text.characters == 0))
}

/// Whether a number is the one before another.
pub(crate) fn is_before(number: Option<u32>, other: u32) -> bool {
    number.is_some_and(|number| number.checked_add(1) == Some(other))
}

/// Characters of text between two items of one tree; what is too far apart to be a run is `u32::MAX`.
fn gap(survey: &Survey<'_>, from: usize, to: usize) -> u32 {
    let (a, b) = (&survey.items[from], &survey.items[to]);
    if a.tree != b.tree || a.in_head {
        return u32::MAX;
    }
    let between = survey.mark(b).characters.saturating_sub(survey.mark(a).characters);
    // Text of the items in between does not count.
    let counts = survey.counts_of(from, to);
    between.saturating_sub(counts.characters)
}
