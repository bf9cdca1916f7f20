//! What both pages of a seam show: whole paragraphs, halves of one, a teaser of the next page, and lines that only say that the
//! text goes on.

use super::blocks::LineRole;
use super::continued;
use super::refrain::{CLOSING, SENTENCE_ENDS};
use super::seam::{PARAGRAPH, Side, is_alone, is_in_layout};
use tsugi_page::text;

/// The lines to take out at a seam: of the page before it, and of the page after it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Doubled {
    pub(super) before: Vec<usize>,
    pub(super) after: Vec<usize>,
}

impl Doubled {
    fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }
}

/// How many paragraphs two pages may have in common at their seam.
const MOST: usize = 5;

/// How many headings of a page may stand above a line that says that the text goes on, or above what was teased.
const HEADINGS: usize = 2;

/// The weight from which the beginning of a paragraph and an ellipsis are a teaser.
const TEASER: usize = 20;

/// The longest text before or after a teaser (`On the next page:`, `Read on`), in bytes.
const LABEL: usize = 60;

/// Returns the lines that only say that the text goes on. `is_chapter` asks for more: chapters may have such names.
pub(super) fn continued(before: Side<'_>, after: Side<'_>, is_chapter: bool) -> Doubled {
    const NEAR: usize = 2;
    let says = |side: Side<'_>, line: usize| {
        let block = &side.blocks.lines[line];
        let is_heading = is_chapter || block.within.intersects(LineRole::HEADING);
        is_alone(side.blocks, line)
            && !block.within.intersects(LineRole::PRE | LineRole::CELL | LineRole::HEAD_CELL)
            && continued::is_continued(&block.text, is_heading)
    };
    let mut doubled = Doubled::default();
    doubled.before.extend(before.kept().rev().take(NEAR).take_while(|line| says(before, *line)));
    for line in after.kept().take(NEAR + HEADINGS) {
        if says(after, line) || continues_section(before, after, line) {
            doubled.after.push(line);
        } else if !after.blocks.lines[line].within.intersects(LineRole::HEADING) {
            break;
        }
    }
    spared(doubled, before, after)
}

/// Returns `true` if a heading says that the last section of the previous page goes on: `Lamps (continued)`.
fn continues_section(before: Side<'_>, after: Side<'_>, line: usize) -> bool {
    let heading = &after.blocks.lines[line];
    if !heading.within.intersects(LineRole::HEADING) {
        return false;
    }
    let Some(bare) = continued::without_continued(&heading.text) else { return false };
    let is_heading = |line: &usize| before.blocks.lines[*line].within.intersects(LineRole::HEADING);
    before.kept().rev().find(is_heading).is_some_and(|last| before.blocks.lines[last].text.trim() == bare)
}

/// Returns the lines that both pages show at their seam, once.
pub(super) fn overlap(before: Side<'_>, after: Side<'_>) -> Doubled {
    let last: Vec<usize> = before.kept().rev().take(MOST).collect();
    let first: Vec<usize> = after.kept().take(MOST + 1).collect();
    for count in (1..=last.len().min(first.len().saturating_sub(1))).rev() {
        let old: Vec<usize> = last[..count].iter().rev().copied().collect();
        let doubled = spared(both(before, &old, after, &first[..count]), before, after);
        if !doubled.is_empty() {
            return doubled;
        }
    }
    spared(teaser(before, after), before, after)
}

/// Nothing is taken from a page that would be empty then.
fn spared(doubled: Doubled, before: Side<'_>, after: Side<'_>) -> Doubled {
    let leaves = |side: Side<'_>, lines: &[usize]| lines.is_empty() || side.kept().nth(lines.len()).is_some();
    if leaves(before, &doubled.before) && leaves(after, &doubled.after) {
        doubled
    } else {
        Doubled::default()
    }
}

/// How a paragraph of the old page and one of the new page agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shared {
    Whole,
    /// The new page begins inside the paragraph.
    SecondHalf,
    /// The new page shows its beginning.
    FirstHalf,
    /// The old page ends inside the paragraph, which the new page shows from its beginning.
    Cut,
}

/// Returns what of a run of equal lines is taken out.
fn both(before: Side<'_>, old: &[usize], after: Side<'_>, new: &[usize]) -> Doubled {
    let Some((&end, rest)) = old.split_last() else { return Doubled::default() };
    let count = new.len();
    let mut weight = 0;
    let mut is_cut = false;
    let mut ways = Vec::with_capacity(count);
    for (at, (&old, &new)) in old.iter().zip(new).enumerate() {
        let (held, line) = (&before.blocks.lines[old], &after.blocks.lines[new]);
        let Some((shared, is_evident)) = shared(&held.text, &line.text) else { return Doubled::default() };
        let fits = match shared {
            Shared::Whole => true,
            Shared::SecondHalf => at == 0,
            Shared::FirstHalf | Shared::Cut => at + 1 == count,
        };
        if !fits || !is_prose(before, old) || !is_prose(after, new) {
            return Doubled::default();
        }
        let is_elsewhere = || held.within != line.within || line.within.intersects(LineRole::HEADING);
        if shared != Shared::Whole && is_elsewhere() {
            return Doubled::default();
        }
        weight += held.weight.min(line.weight);
        is_cut |= is_evident;
        ways.push(shared);
    }
    // A cut sentence is evidence of its own.
    if weight < if is_cut { PARAGRAPH } else { 2 * PARAGRAPH } {
        return Doubled::default();
    }
    let doubled = if ways.last() == Some(&Shared::Cut) {
        Doubled { before: vec![end], after: new[..rest.len()].to_vec() }
    } else {
        Doubled { before: Vec::new(), after: new.to_vec() }
    };
    let goes = are_blocks(before, &doubled.before) && are_blocks(after, &doubled.after);
    if goes { doubled } else { Doubled::default() }
}

/// Returns `true` if a line is no code, heading or row of data.
fn is_prose(side: Side<'_>, line: usize) -> bool {
    let within = side.blocks.lines[line].within;
    !within.intersects(LineRole::HEAD_CELL | LineRole::PRE)
        && (!within.intersects(LineRole::CELL) || is_in_layout(side, line))
}

/// Returns `true` if lines can go alone: they are whole blocks, or paragraphs that line breaks part.
fn are_blocks(side: Side<'_>, lines: &[usize]) -> bool {
    let blocks = side.blocks;
    let stays = |line: usize| !lines.contains(&line);
    let shares = |line: &usize, other: usize| {
        stays(other) && blocks.lines.get(other).is_some_and(|other| other.block == blocks.lines[*line].block)
    };
    lines.iter().all(|line| {
        let is_part = line.checked_sub(1).is_some_and(|above| shares(line, above)) || shares(line, line + 1);
        !is_part || blocks.lines[*line].weight >= 2 * PARAGRAPH
    })
}

/// Compares the last paragraph of a page with the first of the next one. The second value is `true` if one of them is plainly
/// cut: inside a sentence, or at an ellipsis.
fn shared(old: &str, new: &str) -> Option<(Shared, bool)> {
    let (old, new) = (old.trim(), new.trim());
    if old == new {
        return Some((Shared::Whole, false));
    }
    let (held, held_open) = without_end_mark(old);
    // Lists of posts have excerpts with an ellipsis on all pages.
    let is_excerpt = held_open && without_end_mark(new).1;
    if !is_excerpt && is_start(new, held, held_open) {
        return Some((Shared::Cut, held_open || is_open(held)));
    }
    let (tail, is_marked) = without_start_mark(new);
    if let Some(at) = old.len().checked_sub(tail.len())
        && at > 0
        && !tail.is_empty()
        && old.ends_with(tail)
        && is_boundary(old, at)
    {
        return Some((Shared::SecondHalf, is_marked || tail.starts_with(char::is_lowercase)));
    }
    let (head, is_marked) = without_end_mark(new);
    (!is_excerpt && is_start(old, head, is_marked)).then(|| (Shared::FirstHalf, is_marked || is_open(head)))
}

/// Returns `true` if a text begins with another one, which ends at the end of a word, or at a hyphen in it. Where an ellipsis stood
/// behind it, it may end inside a word, since some programs count characters.
fn is_start(whole: &str, start: &str, is_marked: bool) -> bool {
    if start.is_empty() {
        return false;
    }
    if whole.starts_with(start) {
        return is_boundary(whole, start.len()) || (is_marked && text::weight(start) >= TEASER);
    }
    let bare = start.trim_end_matches(HYPHENS);
    bare.len() < start.len() && !bare.is_empty() && whole.starts_with(bare)
}

const HYPHENS: [char; 3] = ['-', '\u{2010}', '\u{ad}'];

/// Returns `true` if no word of a text goes on at `at`, which is between two characters.
fn is_boundary(whole: &str, at: usize) -> bool {
    let (Some(before), Some(after)) = (whole[..at].chars().next_back(), whole[at..].chars().next()) else {
        return true;
    };
    text::is_cjk(before) || text::is_cjk(after) || !(before.is_alphanumeric() && after.is_alphanumeric())
}

/// Returns `true` if a text ends inside a sentence.
fn is_open(text: &str) -> bool {
    let end = text.trim_end_matches(|c: char| CLOSING.contains(&c) || c.is_whitespace()).chars().next_back();
    end.is_some_and(|end| !SENTENCE_ENDS.contains(&end) && !matches!(end, ':' | '：'))
}

const ELLIPSES: [&str; 8] = ["[…]", "[...]", "(…)", "(...)", "……", "…", "...", ". . ."];

fn without_end_mark(text: &str) -> (&str, bool) {
    let mark = ELLIPSES.iter().find_map(|mark| text.strip_suffix(mark));
    mark.map_or((text, false), |rest| (rest.trim_end(), true))
}

fn without_start_mark(text: &str) -> (&str, bool) {
    let mark = ELLIPSES.iter().find_map(|mark| text.strip_prefix(mark));
    mark.map_or((text, false), |rest| (rest.trim_start(), true))
}

/// Returns a teaser at the end of the page: the beginning of the next page's text, and an ellipsis.
fn teaser(before: Side<'_>, after: Side<'_>) -> Doubled {
    const NEAR: usize = 2;
    let is_text = |line: &usize| {
        let line = &after.blocks.lines[*line];
        let is_excerpt = without_end_mark(line.text.trim()).1;
        !is_excerpt && !line.within.intersects(LineRole::HEADING | LineRole::PRE)
    };
    let texts: Vec<&str> = after
        .kept()
        .take(NEAR + HEADINGS)
        .filter(is_text)
        .map(|line| after.blocks.lines[line].text.trim())
        .collect();
    let is_teaser = |line: usize| {
        let block = &before.blocks.lines[line];
        let no_place = LineRole::HEADING | LineRole::PRE | LineRole::CELL | LineRole::HEAD_CELL;
        !block.within.intersects(no_place)
            && are_blocks(before, &[line])
            && teased(&block.text).is_some_and(|start| {
                let starts = without_labels(start);
                starts.iter().any(|start| {
                    text::weight(start) >= TEASER && texts.iter().any(|text| is_start(text, start, true))
                })
            })
    };
    let line = before.kept().rev().take(NEAR).find(|line| is_teaser(*line));
    Doubled { before: line.into_iter().collect(), after: Vec::new() }
}

/// Returns the text before the ellipsis of a teaser, which a few words of a link may follow (`… Read on`).
fn teased(line: &str) -> Option<&str> {
    let line = line.trim();
    let at = ELLIPSES.iter().filter_map(|mark| line.rfind(mark).map(|at| (at, mark.len()))).max()?;
    let (start, tail) = (line[..at.0].trim_end(), &line[at.0 + at.1..]);
    let start = start.trim_end_matches(['[', '(', '.', '…']).trim_end();
    (tail.len() <= LABEL && !tail.contains(SENTENCE_ENDS)).then_some(start)
}

/// Returns a teaser as it is, and without the label before it: `On the next page: The bell …`.
fn without_labels(start: &str) -> Vec<&str> {
    let colons = start.char_indices().take_while(|(at, _)| *at <= LABEL);
    let labels = colons.filter(|(_, c)| matches!(c, ':' | '：' | '→' | '»'));
    let mut starts: Vec<&str> = vec![start];
    starts.extend(labels.map(|(at, c)| start[at + c.len_utf8()..].trim_start()));
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_told_from_other_texts() {
        let old = "The bell rang twice. He opened the door and left the house.";
        for (last, first, expected) in [
            (old, old, Some((Shared::Whole, false))),
            (old, "He opened the door and left the house.", Some((Shared::SecondHalf, false))),
            (old, "… and left the house.", Some((Shared::SecondHalf, true))),
            (old, "and left the house.", Some((Shared::SecondHalf, true))),
            (old, "The bell rang twice.", Some((Shared::FirstHalf, false))),
            (old, "The bell rang twice. He opened […]", Some((Shared::FirstHalf, true))),
            ("The bell rang twice.", old, Some((Shared::Cut, false))),
            ("The bell rang twice. He opened the", old, Some((Shared::Cut, true))),
            ("The bell rang twice. He ope-", old, Some((Shared::Cut, true))),
            ("The bell rang twice. He …", old, Some((Shared::Cut, true))),
            ("The bell rang twice. He ope", old, None),
            ("The bell rang twice. He ope…", old, Some((Shared::Cut, true))),
            (old, "The bell rang twice. He ope…", Some((Shared::FirstHalf, true))),
            (old, "The b…", None),
            ("The bell rang twice. He …", "The bell rang twice. He opened …", None),
            (old, "eft the house.", None),
            (old, "He opened the window and left the house.", None),
            (old, "…", None),
            (
                "鐘が二度鳴った。彼は戸を開け",
                "鐘が二度鳴った。彼は戸を開けて出た。",
                Some((Shared::Cut, true)),
            ),
            (
                "鐘が二度鳴った。彼は戸を開けて出た。",
                "彼は戸を開けて出た。",
                Some((Shared::SecondHalf, false)),
            ),
        ] {
            assert_eq!(shared(last, first), expected, "{last} | {first}");
        }
    }

    #[test]
    fn teasers_have_an_ellipsis() {
        assert_eq!(teased("He opened the door …"), Some("He opened the door"));
        assert_eq!(teased("He opened the door [...]"), Some("He opened the door"));
        assert_eq!(teased("He opened the door … Read on"), Some("He opened the door"));
        assert_eq!(teased("He opened the door … and left. The bell rang."), None);
        assert_eq!(teased("He opened the door."), None);
        assert!(without_labels("On the next page: He opened").contains(&"He opened"));
    }
}
