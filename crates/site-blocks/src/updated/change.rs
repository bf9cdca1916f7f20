//! Whether the main text changed from one snapshot to another, and how.

use super::Snapshot;
use std::collections::BTreeMap;
use std::ops::Range;
use tsugi_page::dates::{counts_readers, mentions};
use tsugi_page::walk::Step;
use tsugi_page::{Content, NodeId, NodeKind, Page, text};

/// The longest line beside a date, in units of meaning (words, or characters of scripts without spaces), that is there for the
/// date. In longer ones a date is part of what is told.
const DATELINE: usize = 12;

/// How many lines a change names, and of each how many characters.
const MOST_LINES: usize = 3;
const MOST_CHARACTERS: usize = 160;

/// A line of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// As a reader sees it, shortened where it is long.
    pub(super) text: String,
    /// What it is compared by: without white space, and dates and counters of datelines.
    pub(super) key: String,
    /// Whether it is main text.
    pub(super) main: bool,
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
    let mut is_main = vec![false; page.node_count()];
    for (nodes, kept) in [(&content.nodes, true), (&content.without, false)] {
        for node in nodes {
            is_main[node.index()..page.subtree_end(*node)].fill(kept);
        }
    }
    let mut open = OpenLine::default();
    let mut verbatim = 0_u32;
    let mut walk = page.walk(NodeId::DOCUMENT);
    while let Some(step) = walk.next() {
        let (Step::Enter(id) | Step::Leave(id)) = step;
        let class = page.class(id);
        if class.line || class.cell || page.is(id, "br") {
            open.close();
        }
        let is_pre = u32::from(page.is(id, "pre"));
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
                    open.text.push_str(part);
                }
            }
            Step::Enter(_) => verbatim += is_pre,
            // What was skipped is left, too, and holds no lines.
            Step::Leave(_) => verbatim = verbatim.saturating_sub(is_pre),
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
}

impl OpenLine {
    fn close(&mut self) {
        let text = text::fold(&std::mem::take(&mut self.text));
        let key = key(&text);
        if !key.is_empty() {
            self.lines.push(Line { text: shortened(&text), key, main: self.main });
        }
    }
}

/// What a line is compared by; empty where it is a date, a counter or a sign alone.
///
/// CHOICE: dates, times and counters are masked in lines of up to [`DATELINE`] words beside them: bylines, "3 hours
/// ago", "1,204 views". In longer lines they are part of what is told: that a race is on another day is an update. Other
/// numbers are never masked: that seven are dead and not five is an update.
///
/// CHOICE: white space does not count, nor does a line of signs alone.
fn key(line: &str) -> String {
    let mut rest = String::with_capacity(line.len());
    let mut end = 0;
    for found in mentions(line) {
        rest.push_str(&line[end..found.range.start]);
        rest.push('\u{0}');
        end = found.range.end;
    }
    rest.push_str(&line[end..]);
    let is_dateline = units(&rest) <= DATELINE;
    let mut key: String = if is_dateline { rest } else { line.to_owned() };
    if is_dateline && counts_readers(&key.to_lowercase()) {
        // Thousands are written with signs between: they are part of the number.
        key = key.split(|c: char| c.is_numeric() || matches!(c, ',' | '.')).collect();
    }
    key.retain(|c| !c.is_whitespace());
    if key.chars().any(char::is_alphanumeric) { key } else { String::new() }
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

/// A number that differs where texts do, in all likelihood (FNV-1a).
pub(super) fn digest(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A run of lines that the other snapshot does not have, and the lines around it that it has.
#[derive(Debug)]
struct Run<'a> {
    lines: &'a [Line],
    /// The keys before and behind.
    around: [Option<&'a str>; 2],
    /// All keys in a row.
    joined: String,
}

impl<'a> Run<'a> {
    fn is_main(&self) -> bool {
        self.lines.iter().any(|line| line.main)
    }

    fn main_lines(&self) -> impl Iterator<Item = &'a Line> {
        self.lines.iter().filter(|line| line.main)
    }
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
        for (place, line) in snapshot.lines.iter().enumerate() {
            by_key.entry(&line.key).or_insert((place, false)).1 |= line.main;
        }
        Lines { lines: &snapshot.lines, by_key }
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
        Run { lines, around, joined: lines.iter().map(|line| line.key.as_str()).collect() }
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
    /// # Cost
    ///
    /// `O(n log n)` for `n` lines.
    pub fn change_to(&self, later: &Snapshot) -> Option<Change> {
        if self.digest == later.digest {
            return None;
        }
        let (old, new) = (Lines::of(self), Lines::of(later));
        let ((gone, gone_at), (come, come_at)) = (old.runs_without(&new), new.runs_without(&old));
        let is_kept_text = |key: &str| old.is_main(key) && new.is_main(key);
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
            if !run.is_main() {
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
    for line in run.main_lines() {
        *count += 1;
        if named.len() < MOST_LINES {
            named.push(line.text.clone());
        }
    }
}
