//! Whether the main text changed from one snapshot to another, and how.

use super::snapshot::Snapshot;
use crate::kept::content_mask;
use std::collections::BTreeMap;
use std::ops::Range;
use tsugi_dates::{counters, mentions};
use tsugi_page::walk::Step;
use tsugi_page::{Content, NodeId, NodeKind, Page, text};

/// The longest line beside a date, in units of meaning (words, or characters of scripts without spaces), that is there for the
/// date. In longer ones a date is part of what is told.
const DATELINE: usize = 12;

/// The same beside counters and dates, for a line that is there for its counters.
const COUNTER_LINE: usize = 4;

/// How many lines a change names, and of each how many characters.
const MOST_LINES: usize = 3;
const MOST_CHARACTERS: usize = 160;

/// What names a part of a text, be it a link or not.
const HEADINGS: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];

/// A line of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// As a reader sees it, shortened where it is long.
    pub(super) text: String,
    /// What it is compared by: without white space, and dates and counters of datelines.
    pub(super) key: String,
    /// Whether it is main text.
    pub(super) main: bool,
    /// Whether it is a link, for the greater part, and no heading.
    pub(super) link: bool,
}

/// What changed in a main text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// The first new lines, shortened.
    pub added: Vec<String>,
    /// The first lines that are gone, shortened.
    pub removed: Vec<String>,
    /// How many lines are new.
    pub added_lines: usize,
    /// How many lines are gone.
    pub removed_lines: usize,
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lines = |count: usize| if count == 1 { "line" } else { "lines" };
        let (added, removed) = (self.added_lines, self.removed_lines);
        write!(f, "{added} {} added, {removed} {} removed", lines(added), lines(removed))
    }
}

/// Lists the lines of a page, cells of tables each as one. A line is main text or not as a whole: it ends where the main
/// content does.
pub(super) fn lines(page: &Page, content: &Content) -> Vec<Line> {
    let is_main = content_mask(page, content);
    let mut open = OpenLine::default();
    let (mut verbatim, mut headings, mut links) = (0_u32, 0_u32, 0_u32);
    let mut walk = page.walk(NodeId::DOCUMENT);
    while let Some(step) = walk.next() {
        let (Step::Enter(id) | Step::Leave(id)) = step;
        let class = page.class(id);
        if class.line || class.cell || page.is(id, "br") {
            open.close();
        }
        let opens = [
            (&mut verbatim, page.is(id, "pre")),
            (&mut headings, HEADINGS.iter().any(|tag| page.is(id, tag))),
            (&mut links, page.is_link(id)),
        ];
        for (count, is_one) in opens {
            if is_one && matches!(step, Step::Enter(_)) {
                *count += 1;
            } else if is_one {
                *count -= 1;
            }
        }
        match step {
            // The title stands in the window's frame, not on the page.
            Step::Enter(_) if class.hidden || page.is(id, "head") => walk.skip_children(),
            Step::Enter(_) if page.kind(id) == NodeKind::Text => {
                if open.main != is_main[id.index()] && !page.data(id).trim().is_empty() {
                    open.close();
                    open.main = is_main[id.index()];
                }
                for (at, part) in page.data(id).split(|c| verbatim > 0 && c == '\n').enumerate() {
                    if at > 0 {
                        open.close();
                    }
                    open.push(part, links > 0, headings > 0);
                }
            }
            Step::Enter(_) | Step::Leave(_) => {}
        }
    }
    open.close();
    open.lines
}

/// A line under construction, and those before it.
#[derive(Debug, Default)]
struct OpenLine {
    lines: Vec<Line>,
    text: String,
    main: bool,
    /// How many bytes that are no white space are a link's.
    linked: usize,
    /// Whether a part of it names a part of the text.
    heading: bool,
}

impl OpenLine {
    fn push(&mut self, text: &str, is_link: bool, is_heading: bool) {
        self.text.push_str(text);
        self.heading |= is_heading && !text.trim().is_empty();
        if is_link && !is_heading {
            self.linked += text.split_whitespace().map(str::len).sum::<usize>();
        }
    }

    fn close(&mut self) {
        let text = text::fold(&std::mem::take(&mut self.text));
        let key = key(&text, self.heading);
        if !key.is_empty() {
            let link = self.linked * 2 > text.split_whitespace().map(str::len).sum();
            self.lines.push(Line { text: shortened(&text), key, main: self.main, link });
        }
        self.linked = 0;
        self.heading = false;
    }
}

/// What a line is compared by; empty where it is a date or a sign alone.
///
/// CHOICE: dates and times are masked in lines of up to [`DATELINE`] words beside them: bylines, "3 hours ago". In longer lines
/// they are part of what is told: that a race is on another day is an update. So are they in headings.
///
/// CHOICE: a number right beside a word that counts readers ("1,204 views") is masked where the line has up to
/// [`COUNTER_LINE`] words beside its counters and dates. Other numbers are never masked: that seven are dead and not five is an
/// update.
///
/// CHOICE: white space does not count, nor does a line of signs alone.
fn key(line: &str, is_heading: bool) -> String {
    let mut key = line.to_owned();
    if !is_heading {
        let dates = mentions(line).into_iter().map(|found| found.range);
        let rest = masked(line, dates);
        if units(&rest) <= DATELINE {
            key = rest;
        }
        let found = counters(&key);
        if !found.is_empty() {
            let beside = masked(&key, found.iter().map(|counter| counter.range.clone()));
            if units(&beside) <= COUNTER_LINE {
                key = masked(&key, found.into_iter().map(|counter| counter.number));
            }
        }
    }
    key.retain(|c| !c.is_whitespace());
    if key.chars().any(char::is_alphanumeric) { key } else { String::new() }
}

/// Puts a mark in place of parts of a line, which come in order; what was replaced already is passed over.
fn masked(line: &str, parts: impl Iterator<Item = Range<usize>>) -> String {
    let mut rest = String::with_capacity(line.len());
    let mut end = 0;
    for part in parts {
        if part.end > end {
            rest.push_str(&line[end..part.start.max(end)]);
            rest.push('\u{0}');
            end = part.end;
        }
    }
    rest.push_str(&line[end..]);
    rest
}

/// Counts words, or characters of scripts that have none.
fn units(text: &str) -> usize {
    text.split_whitespace()
        .map(|word| match word.chars().filter(|c| text::is_cjk(*c)).count() {
            0 => usize::from(word.chars().any(char::is_alphanumeric)),
            characters => characters.div_ceil(2),
        })
        .sum()
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A run of lines that the other snapshot does not have, and the lines around it that it has.
#[derive(Debug)]
struct Run<'a> {
    /// Its lines of main text.
    main: Vec<&'a Line>,
    /// The keys before and behind.
    around: [Option<&'a str>; 2],
    /// All keys in a row.
    joined: String,
}

impl Run<'_> {
    fn is_main(&self) -> bool {
        !self.main.is_empty()
    }

    /// Says whether a line of main text is one of the other run, with a word or two changed.
    fn edits(&self, other: &Run<'_>) -> bool {
        self.main.iter().zip(&other.main).any(|(one, other)| is_near(&one.key, &other.key))
    }
}

/// Says whether two texts differ in one place only, in a third of the longer one or less.
fn is_near(one: &str, other: &str) -> bool {
    // A character takes up to four bytes: these are too far apart, and a short line is not held against all of a long one.
    if one.len().max(other.len()) > 6 * one.len().min(other.len()) {
        return false;
    }
    let same = |(one, other): &(char, char)| one == other;
    let lengths = [one.chars().count(), other.chars().count()];
    let prefix = one.chars().zip(other.chars()).take_while(same).count();
    let suffix = one.chars().rev().zip(other.chars().rev()).take_while(same).count();
    let [shorter, longer] = [lengths[0].min(lengths[1]), lengths[0].max(lengths[1])];
    3 * (prefix + suffix).min(shorter) >= 2 * longer
}

/// The lines of a snapshot, to be found by what they are compared by.
#[derive(Debug)]
struct Lines<'a> {
    lines: &'a [Line],
    /// The first place of each key, and whether it is main text anywhere.
    by_key: BTreeMap<&'a str, (usize, bool)>,
}

impl<'a> Lines<'a> {
    fn of(snapshot: &'a Snapshot) -> Lines<'a> {
        let mut by_key: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
        for (place, line) in snapshot.text.lines.iter().enumerate() {
            by_key.entry(&line.key).or_insert((place, false)).1 |= line.main;
        }
        Lines { lines: &snapshot.text.lines, by_key }
    }

    fn has(&self, key: &str) -> bool {
        self.by_key.contains_key(key)
    }

    fn is_main(&self, key: &str) -> bool {
        self.by_key.get(key).is_some_and(|(_, main)| *main)
    }

    /// The runs of lines that another snapshot does not have, and of each line the number of its run.
    fn runs_without(&self, other: &Lines<'_>) -> (Vec<Run<'a>>, Vec<Option<usize>>) {
        let mut runs = Vec::new();
        let mut run_of = vec![None; self.lines.len()];
        let mut start = 0;
        while start < self.lines.len() {
            let ahead = self.lines[start..].iter().take_while(|line| !other.has(&line.key)).count();
            let end = start + ahead;
            if ahead > 0 {
                run_of[start..end].fill(Some(runs.len()));
                runs.push(self.run(start..end));
            }
            start = end + 1;
        }
        (runs, run_of)
    }

    fn run(&self, range: Range<usize>) -> Run<'a> {
        let key = |place: Option<usize>| {
            place.and_then(|place| self.lines.get(place)).map(|line| line.key.as_str())
        };
        let around = [key(range.start.checked_sub(1)), key(Some(range.end))];
        let lines = &self.lines[range];
        let main = lines.iter().filter(|line| line.main).collect();
        Run { main, around, joined: lines.iter().map(|line| line.key.as_str()).collect() }
    }
}

impl Snapshot {
    /// Says what changed of the main text in a later snapshot; `None` where nothing did.
    ///
    /// Lines are compared, wherever they stand: a line that both pages have did not change, be it main text in both or
    /// (detectors waver) in one. So a changed order, and a block that is taken for main text once and once not, are no
    /// update. Lines that one page alone has make runs, up to the next line that both have. A run of main text is an update
    /// if
    ///
    /// - a run of main text stands at its place in the other page, with other text than its own (lines that are broken
    ///   elsewhere are no change), or
    /// - a line beside it is main text in both pages.
    ///
    /// A run without either is a block that one snapshot's detector alone took for main text. Where the two share no line of
    /// main text at all, it is another text: an update.
    ///
    /// CHOICE: where most of the main text that both have is no link, a run of links alone is none of it: detectors let
    /// related and latest pages and advertisements through, and where no other line changes those are what changed. A heading
    /// that is a link counts, a link whose text is changed in a third or less, and any line on pages that are made of links.
    ///
    /// # Cost
    ///
    /// `O(n log n)` for `n` lines.
    pub fn change_to(&self, later: &Snapshot) -> Option<Change> {
        if self.has_text_of(later) {
            return None;
        }
        let (old, new) = (Lines::of(self), Lines::of(later));
        let ((gone, gone_at), (come, come_at)) = (old.runs_without(&new), new.runs_without(&old));
        let is_kept_text = |key: &str| old.is_main(key) && new.is_main(key);
        let kept = new.lines.iter().filter(|line| line.main && is_kept_text(&line.key));
        let (linked, told) = kept.fold((0, 0), |(linked, told), line| {
            if line.link { (linked + line.key.len(), told) } else { (linked, told + line.key.len()) }
        });
        let is_prose = told > linked;
        let is_other_text = !old.by_key.keys().any(|key| is_kept_text(key));
        let counterparts = |run: &Run<'_>, other: &Lines<'_>, at: &[Option<usize>]| -> Vec<usize> {
            let [before, behind] = run.around;
            let place =
                |key: Option<&str>| key.and_then(|key| other.by_key.get(key)).map(|(place, _)| *place);
            // At the ends of the page its ends are the neighbours.
            let first = match before {
                None => Some(0),
                Some(_) => place(before).map(|place| place + 1),
            };
            let second = match behind {
                None => other.lines.len().checked_sub(1),
                Some(_) => place(behind).and_then(|place| place.checked_sub(1)),
            };
            let mut found: Vec<usize> = [first, second]
                .into_iter()
                .flatten()
                .filter_map(|place| at.get(place).copied().flatten())
                .collect();
            found.dedup();
            found
        };
        let changed = |run: &Run<'_>, others: &[Run<'_>], places: Vec<usize>| {
            let is_edited = || places.iter().any(|place| run.edits(&others[*place]));
            let points_elsewhere = is_prose && run.main.iter().all(|line| line.link) && !is_edited();
            if !run.is_main() || points_elsewhere {
                return false;
            }
            if places.iter().any(|place| others[*place].joined == run.joined) {
                return false;
            }
            is_other_text
                || places.iter().any(|place| others[*place].is_main())
                || run.around.into_iter().flatten().any(is_kept_text)
        };
        let mut change = Change::default();
        for run in &come {
            if changed(run, &gone, counterparts(run, &old, &gone_at)) {
                collect(run, &mut change.added, &mut change.added_lines);
            }
        }
        for run in &gone {
            if changed(run, &come, counterparts(run, &new, &come_at)) {
                collect(run, &mut change.removed, &mut change.removed_lines);
            }
        }
        (change.added_lines + change.removed_lines > 0).then_some(change)
    }
}

fn collect(run: &Run<'_>, named: &mut Vec<String>, count: &mut usize) {
    for line in &run.main {
        *count += 1;
        if named.len() < MOST_LINES {
            named.push(line.text.clone());
        }
    }
}
