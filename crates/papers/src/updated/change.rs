//! Decides whether and how the main text changed between two snapshots.

use super::snapshot::Snapshot;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::Range;
use tsugi_dates::{counters, mentions};
use tsugi_page::walk::Step;
use tsugi_page::{Content, NodeId, NodeKind, Page, text};
use tsugi_site_blocks::content_mask;

/// Maximum length of a dateline besides its date, in words, or characters of scripts without spaces. In longer lines,
/// a date is part of the message.
const DATELINE: usize = 12;

/// Maximum length of a line that exists for its counters, besides counters and dates, in the same unit.
const COUNTER_LINE: usize = 4;

/// Maximum number of lines that a change lists, and maximum number of characters of each.
const MOST_LINES: usize = 3;
const MOST_CHARACTERS: usize = 160;

/// Elements that head a part of the text, even as links.
const HEADINGS: [&str; 6] = ["h1", "h2", "h3", "h4", "h5", "h6"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextLine {
    /// The text as a reader sees it, shortened if long.
    pub(super) text: String,
    /// The key for comparison: without white space, and without dates and counters in datelines.
    pub(super) key: String,
    pub(super) main: bool,
    /// `true` if it is mostly a link and not a heading.
    pub(super) link: bool,
}

/// The changes of a main text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The first added lines, shortened.
    pub added: Vec<String>,
    /// The first removed lines, shortened.
    pub removed: Vec<String>,
    /// Number of added lines.
    pub added_lines: usize,
    /// Number of removed lines.
    pub removed_lines: usize,
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let lines = |count: usize| if count == 1 { "line" } else { "lines" };
        let (added, removed) = (self.added_lines, self.removed_lines);
        write!(f, "{added} {} added, {removed} {} removed", lines(added), lines(removed))
    }
}

/// Returns the lines of a page; a table cell is one line. A line is main text as a whole or not at all, since it ends
/// where the main content does.
pub(super) fn lines(page: &Page, content: &Content) -> Vec<TextLine> {
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
            // The title is shown by the browser, not on the page.
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

#[derive(Debug, Default)]
struct OpenLine {
    lines: Vec<TextLine>,
    text: String,
    main: bool,
    /// Number of non-white-space bytes in links.
    linked: usize,
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
            self.lines.push(TextLine { text: shortened(&text), key, main: self.main, link });
        }
        self.linked = 0;
        self.heading = false;
    }
}

/// Returns the key of a line for comparison; empty for a lone date or punctuation.
///
/// Dates and times are masked in lines with up to [`DATELINE`] other words: bylines, "3 hours ago". In longer
/// lines they are part of the message: a race moved to another day is an update. The same holds for headings.
///
/// A number next to a word that counts readers ("1,204 views") is masked in lines with up to [`COUNTER_LINE`]
/// words besides counters and dates. Other numbers are never masked: seven dead instead of five is an update.
///
/// White space and lines with only punctuation do not count.
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

/// Replaces parts of a line, given in order, by a mark; parts already replaced are skipped.
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

/// Counts words, or characters in scripts without spaces.
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

/// A run of lines that the other snapshot lacks, and the common lines around it.
#[derive(Debug)]
struct TextRun<'a> {
    main: Vec<&'a TextLine>,
    /// The keys before and after the run.
    around: [Option<&'a str>; 2],
    /// All keys, concatenated.
    joined: String,
}

impl TextRun<'_> {
    fn is_main(&self) -> bool {
        !self.main.is_empty()
    }

    /// Returns `true` if a line of main text is also in the other run, except for a word or two.
    fn edits(&self, other: &TextRun<'_>) -> bool {
        self.main.iter().zip(&other.main).any(|(one, other)| is_near(&one.key, &other.key))
    }
}

/// Returns `true` if two texts differ in only one place, by at most a third of the longer one.
fn is_near(one: &str, other: &str) -> bool {
    // A character takes up to four bytes, so these are too far apart; this also avoids comparing a short line with a
    // very long one.
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

/// Returns `true` if lines hold more text outside links than inside.
fn is_mostly_prose<'a>(lines: impl Iterator<Item = &'a TextLine>) -> bool {
    let (linked, told) = lines.fold((0, 0), |(linked, told), line| {
        if line.link { (linked + line.key.len(), told) } else { (linked, told + line.key.len()) }
    });
    told > linked
}

#[derive(Debug)]
struct ComparedLines<'a> {
    lines: &'a [TextLine],
    /// For each key: its first place, and whether it is main text anywhere.
    by_key: BTreeMap<&'a str, (usize, bool)>,
}

impl<'a> ComparedLines<'a> {
    fn of(snapshot: &'a Snapshot) -> ComparedLines<'a> {
        let mut by_key: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
        for (place, line) in snapshot.text.lines.iter().enumerate() {
            by_key.entry(&line.key).or_insert((place, false)).1 |= line.main;
        }
        ComparedLines { lines: &snapshot.text.lines, by_key }
    }

    fn has(&self, key: &str) -> bool {
        self.by_key.contains_key(key)
    }

    /// Returns `true` if most of its main text is not links.
    fn has_prose(&self) -> bool {
        is_mostly_prose(self.lines.iter().filter(|line| line.main))
    }

    fn is_main(&self, key: &str) -> bool {
        self.by_key.get(key).is_some_and(|(_, main)| *main)
    }

    /// Returns the runs of lines that another snapshot lacks, and the run number of each line.
    fn runs_without(&self, other: &ComparedLines<'_>) -> (Vec<TextRun<'a>>, Vec<Option<usize>>) {
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

    fn run(&self, range: Range<usize>) -> TextRun<'a> {
        let key = |place: Option<usize>| {
            place.and_then(|place| self.lines.get(place)).map(|line| line.key.as_str())
        };
        let around = [key(range.start.checked_sub(1)), key(Some(range.end))];
        let lines = &self.lines[range];
        let main = lines.iter().filter(|line| line.main).collect();
        TextRun { main, around, joined: lines.iter().map(|line| line.key.as_str()).collect() }
    }
}

impl Snapshot {
    /// Returns the changes of the main text up to a later snapshot; `None` if there are none.
    ///
    /// Lines are compared wherever they are: a line on both pages did not change, even if it is main text in only one
    /// of them (detectors waver). So a changed order, or a block that is main text only once, is not an update.
    /// Consecutive lines that only one page has form a run. A run of main text is an update if
    ///
    /// - the other page has a run of main text with different text in its place (lines that are merely broken
    ///   elsewhere are not a change), or
    /// - a neighbouring line is main text on both pages.
    ///
    /// Any other run is a block that only one snapshot's detector took for main text. If the two snapshots share no
    /// line of main text at all, the text is another: an update.
    ///
    /// If most of the common main text is not links, a run that consists only of links does not count:
    /// detectors let through related pages, latest pages and advertisements, and those are likely what changed if
    /// nothing else did. Exceptions are headings that are links, links whose text changed by a third or less, and all
    /// lines if both main texts are mostly links: of a page of headlines, only a few captions may be common.
    ///
    /// `O(n log n)` for `n` lines.
    pub(crate) fn change_to(&self, later: &Snapshot) -> Option<Change> {
        if self.has_text_of(later) {
            return None;
        }
        let both = BothPages { old: ComparedLines::of(self), new: ComparedLines::of(later) };
        let (gone, gone_at) = both.old.runs_without(&both.new);
        let (come, come_at) = both.new.runs_without(&both.old);
        let kept = both.new.lines.iter().filter(|line| line.main && both.is_kept(&line.key));
        let is_prose = is_mostly_prose(kept) && (both.old.has_prose() || both.new.has_prose());
        let is_other_text = !both.old.by_key.keys().any(|key| both.is_kept(key));
        let is_changed = |run: &TextRun<'_>, counterparts: &[&TextRun<'_>]| {
            let points_elsewhere = is_prose
                && run.main.iter().all(|line| line.link)
                && !counterparts.iter().any(|other| run.edits(other));
            run.is_main()
                && !points_elsewhere
                && !counterparts.iter().any(|other| other.joined == run.joined)
                && (is_other_text
                    || counterparts.iter().any(|other| other.is_main())
                    || run.around.into_iter().flatten().any(|key| both.is_kept(key)))
        };
        let mut change = Change::default();
        for run in &come {
            if is_changed(run, &both.old.counterparts(run, &gone, &gone_at)) {
                collect(run, &mut change.added, &mut change.added_lines);
            }
        }
        for run in &gone {
            if is_changed(run, &both.new.counterparts(run, &come, &come_at)) {
                collect(run, &mut change.removed, &mut change.removed_lines);
            }
        }
        (change.added_lines + change.removed_lines > 0).then_some(change)
    }
}

struct BothPages<'a> {
    old: ComparedLines<'a>,
    new: ComparedLines<'a>,
}

impl BothPages<'_> {
    fn is_kept(&self, key: &str) -> bool {
        self.old.is_main(key) && self.new.is_main(key)
    }
}

impl ComparedLines<'_> {
    /// Returns the runs of this page that stand where another page has `run`; `at` has the run of each line.
    fn counterparts<'r, 'a>(
        &self,
        run: &TextRun<'_>,
        runs: &'r [TextRun<'a>],
        at: &[Option<usize>],
    ) -> Vec<&'r TextRun<'a>> {
        let place = |key: &str| self.by_key.get(key).map(|(place, _)| *place);
        // At the ends of the page its ends are the neighbours.
        let [before, behind] = run.around;
        let first = before.map_or(Some(0), |key| Some(place(key)? + 1));
        let second = match behind {
            None => self.lines.len().checked_sub(1),
            Some(key) => place(key).and_then(|place| place.checked_sub(1)),
        };
        let found = [first, second].into_iter().flatten();
        let mut found: Vec<usize> = found.filter_map(|place| at.get(place).copied().flatten()).collect();
        found.dedup();
        found.into_iter().map(|place| &runs[place]).collect()
    }
}

fn collect(run: &TextRun<'_>, named: &mut Vec<String>, count: &mut usize) {
    for line in &run.main {
        *count += 1;
        if named.len() < MOST_LINES {
            named.push(line.text.clone());
        }
    }
}
