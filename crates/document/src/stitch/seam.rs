//! Page breaks: sentences cut in two.

use super::blocks::{BlockLine, LineRole, PartBlocks};
use crate::addresses::image_address;
use crate::shape::{Glue, Moved, Seam};
use std::collections::BTreeSet;
use tsugi_page::walk::Step;
use tsugi_page::{NodeId, Page, text};

#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) page: &'a Page,
    pub(super) content: &'a [NodeId],
    pub(super) without: &'a [NodeId],
    pub(super) blocks: &'a PartBlocks,
    pub(super) out: &'a [bool],
}

impl Side<'_> {
    pub(super) fn kept(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.out.len()).filter(|line| !self.out[*line])
    }
}

/// Where a line of a cut paragraph cannot be.
const NO_PROSE: LineRole = LineRole::HEADING
    .union(LineRole::ITEM)
    .union(LineRole::CAPTION)
    .union(LineRole::PRE)
    .union(LineRole::HEAD_CELL);

/// The weight below which a line is as likely a label as the beginning of a paragraph.
pub(super) const PARAGRAPH: usize = 40;

const LOOKED_AT: usize = 10_000;

/// Returns the seam of two pages. `words` are those of the whole sequence, which show whether a hyphen belongs to its word.
pub(super) fn seam(before: Side<'_>, after: Side<'_>, words: &HyphenatedWords) -> Option<Seam> {
    let (end, start) = (before.kept().next_back()?, after.kept().next()?);
    let (last, first) = (&before.blocks.lines[end], &after.blocks.lines[start]);
    if last.within.intersects(NO_PROSE) || first.within.intersects(NO_PROSE) {
        return None;
    }
    // Either both are in a quotation, or neither.
    if last.within != first.within {
        return None;
    }
    // The cell of a layout may hold the page; that of a data table does not.
    if !is_in_layout(before, end) || !is_in_layout(after, start) {
        return None;
    }
    if before.blocks.lines.get(end + 1).is_some_and(|line| line.block == last.block) {
        return None;
    }
    let in_body = before.blocks.is_body(end) && after.blocks.is_body(start);
    let last_text = text_of(before.blocks, end, true)?;
    let first_text = text_of(after.blocks, start, false)?;
    // Their surroundings and length distinguish lines between breaks from verse.
    let is_long = || in_body && last.weight >= PARAGRAPH && first.weight >= PARAGRAPH;
    let cut = if is_whole(before, end) {
        Some(last.block)
    } else {
        is_long().then(|| end_of_run(before, end)).flatten()
    }?;
    let moved = if is_alone(after.blocks, start) && is_whole(after, start) {
        Moved::Block(first.block)
    } else {
        is_long().then(|| run(after, start)).flatten()?
    };
    if shows_image_behind(before, cut, after) {
        return None;
    }
    let glue = glue(last, first, in_body, words)?;
    Some(Seam { glue, before: cut, last_text, after: moved, first_text })
}

pub(super) fn is_alone(blocks: &PartBlocks, line: usize) -> bool {
    let block = blocks.lines[line].block;
    let shares = |other: &BlockLine| other.block == block;
    !line.checked_sub(1).is_some_and(|line| shares(&blocks.lines[line]))
        && !blocks.lines.get(line + 1).is_some_and(shares)
}

fn text_of(blocks: &PartBlocks, line: usize, last: bool) -> Option<NodeId> {
    let on_line = |(_, lines): &&(NodeId, std::ops::Range<usize>)| lines.contains(&line);
    let mut texts = blocks.texts.iter().filter(on_line).map(|(id, _)| *id);
    if last { texts.next_back() } else { texts.next() }
}

/// Returns `true` if a line is in no cell, or in one that holds more than half of the page.
pub(super) fn is_in_layout(side: Side<'_>, line: usize) -> bool {
    let lines = &side.blocks.lines;
    if !lines[line].within.intersects(LineRole::CELL) {
        return true;
    }
    let Some(text) = text_of(side.blocks, line, false) else { return false };
    let Some(cell) = side.page.ancestors(text).find(|id| side.page.class(*id).cell) else { return false };
    let (mut inside, mut all) = (0, 0);
    // A line may have several text nodes.
    let mut next = 0;
    for (text, on) in &side.blocks.texts {
        let from = next.max(on.start);
        next = next.max(on.end);
        let shown = lines.iter().zip(side.out).skip(from).take(on.end.saturating_sub(from));
        let weight: usize = shown.filter(|(_, out)| !**out).map(|(line, _)| line.weight).sum();
        all += weight;
        inside += if side.page.contains(cell, *text) { weight } else { 0 };
    }
    2 * inside > all
}

/// Returns the outermost node around a text that holds only parts of the run.
fn part_of_run(side: Side<'_>, text: NodeId) -> NodeId {
    let page = side.page;
    let mut part = text;
    while let Some(parent) = page.parent(part) {
        if side.content.binary_search(&part).is_ok() || breaks(page, parent) {
            break;
        }
        part = parent;
    }
    part
}

fn breaks(page: &Page, id: NodeId) -> bool {
    let ends_line = |id: NodeId| page.class(id).line || page.class(id).cell || page.is(id, "br");
    page.subtree(id).nth(LOOKED_AT).is_some() || page.subtree(id).any(ends_line)
}

/// Returns the number of consecutive line breaks from a node on (`None` is the end of the block), and the last of them.
fn breaks_from(
    page: &Page,
    from: Option<NodeId>,
    step: impl Fn(NodeId) -> Option<NodeId>,
) -> (Option<usize>, Option<NodeId>) {
    let (mut count, mut last) = (0, None);
    for id in std::iter::successors(from, |id| step(*id)) {
        if page.is(id, "br") {
            count += 1;
        } else if page.class(id).line || page.class(id).cell {
            return (None, last);
        } else if page.string_value(id).chars().any(|c| !c.is_whitespace()) {
            return (Some(count), last);
        }
        last = Some(id);
    }
    (None, last)
}

fn parts_paragraphs(breaks: Option<usize>) -> bool {
    breaks.is_none_or(|breaks| breaks > 1)
}

/// Returns the last node of a paragraph without its own element: it ends its cell or block, and line breaks separate it from
/// what precedes it.
fn end_of_run(side: Side<'_>, line: usize) -> Option<NodeId> {
    let page = side.page;
    let first = part_of_run(side, text_of(side.blocks, line, false)?);
    let (breaks, _) = breaks_from(page, page.previous_sibling(first), |id| page.previous_sibling(id));
    parts_paragraphs(breaks).then(|| part_of_run(side, text_of(side.blocks, line, true).unwrap_or(first)))
}

/// Returns the nodes of a paragraph without its own element: line breaks separate it from what follows.
fn run(side: Side<'_>, line: usize) -> Option<Moved> {
    let page = side.page;
    let first = part_of_run(side, text_of(side.blocks, line, false)?);
    let is_part = |id: &NodeId| !breaks(page, *id) && side.without.binary_search(id).is_err();
    let parts = std::iter::successors(Some(first), |id| page.next_sibling(*id)).take_while(is_part);
    let last = parts.last()?;
    let text = text_of(side.blocks, line, true)?;
    if !page.contains(page.parent(last)?, text) || text.index() >= page.subtree_end(last) {
        return None;
    }
    let (breaks, end) = breaks_from(page, page.next_sibling(last), |id| page.next_sibling(id));
    parts_paragraphs(breaks).then(|| Moved::Run { first, last, end: end.unwrap_or(last) })
}

/// Returns `true` if there is an image between the last line of a page and its end, outside of an `aside`. An ornament, which
/// the next page shows too, does not count.
fn shows_image_behind(before: Side<'_>, end: NodeId, after: Side<'_>) -> bool {
    let page = before.page;
    let mut behind = false;
    for root in before.content {
        let mut walk = page.walk(*root);
        while let Some(step) = walk.next() {
            match step {
                Step::Leave(id) => behind |= id == end,
                Step::Enter(id) => {
                    let is_left_out = page.class(id).hidden || before.without.binary_search(&id).is_ok();
                    if is_left_out || page.is(id, "aside") {
                        walk.skip_children();
                    } else if behind
                        && let Some(image) = image_address(page, id)
                        && !after.blocks.images.contains(&image)
                    {
                        return true;
                    }
                }
            }
        }
    }
    false
}

fn is_whole(side: Side<'_>, line: usize) -> bool {
    let (page, block) = (side.page, side.blocks.lines[line].block);
    let is_paragraph = page.is(block, "p") || page.is(block, "div");
    is_paragraph && page.subtree(block).skip(1).all(|id| !page.class(id).line && !page.class(id).cell)
}

fn glue(last: &BlockLine, first: &BlockLine, in_body: bool, words: &HyphenatedWords) -> Option<Glue> {
    let end = last.text.trim_end().chars().next_back()?;
    let start = first.text.trim_start().chars().next()?;
    if text::is_cjk(start) || text::is_cjk(end) || matches!(end, '、' | '，') {
        return glue_cjk(last, first, in_body);
    }
    if matches!(end, '-' | '\u{2010}' | '\u{ad}') && start.is_lowercase() && last.text.trim_end().len() > 1 {
        return Some(glue_hyphen(last, first, words));
    }
    // A line that ends in digits or brackets is as often a list of references as a sentence. What is quoted last may end with a
    // word.
    let quoted = last.text.trim_end().trim_end_matches(['“', '”', '»', '«', '"', '‹', '›', '‘']);
    let ends_in_word = quoted.chars().next_back().is_some_and(char::is_alphabetic);
    let is_open = ends_in_word || matches!(end, ',' | '–' | '—' | '’' | '\'');
    // A name like `iPhone` may begin a sentence.
    let is_name = first.text.trim_start().chars().nth(1).is_some_and(char::is_uppercase);
    let goes_on = (start.is_lowercase() && !is_name) || (end == ',' && in_body && start.is_alphanumeric());
    (is_open && goes_on && last.weight >= PARAGRAPH).then_some(Glue::Space)
}

/// Only the missing full stop shows a cut sentence here, so both lines must be ordinary paragraphs.
fn glue_cjk(last: &BlockLine, first: &BlockLine, in_body: bool) -> Option<Glue> {
    let end = last.text.trim_end().chars().next_back()?;
    let start = first.text.trim_start().chars().next()?;
    let is_open = text::is_cjk(end) || matches!(end, '、' | '，');
    let is_opening = |c: char| matches!(c, '「' | '『' | '（' | '〈' | '《' | '【' | '“');
    // A bracket more often begins a paragraph.
    let goes_on = (text::is_cjk(start) || start.is_ascii_digit()) && !is_opening(start);
    let is_prose = in_body && last.weight >= 2 * PARAGRAPH && first.weight >= PARAGRAPH / 2;
    let ends_mid_word = !matches!(end, 'ー' | '\u{30fb}');
    let hangul = |c: char| matches!(c, '\u{ac00}'..='\u{d7af}');
    let has_full_stops =
        last.text.contains(['。', '、', '，', '！', '？']) || first.text.contains(['。', '、', '，']);
    (is_open && goes_on && is_prose && ends_mid_word && has_full_stops)
        .then_some(if hangul(end) || hangul(start) { Glue::Space } else { Glue::Nothing })
}

fn glue_hyphen(last: &BlockLine, first: &BlockLine, words: &HyphenatedWords) -> Glue {
    let is_part = |c: char| !(c.is_alphanumeric() || matches!(c, '-' | '\u{2010}' | '\u{ad}' | '\'' | '’'));
    let head = last.text.trim_end().rsplit(is_part).next().unwrap_or_default();
    let tail = first.text.trim_start().split(is_part).next().unwrap_or_default();
    // `pre- and post-war`: the hyphen stays.
    if matches!(tail, "and" | "or" | "to" | "und" | "oder" | "bis" | "et" | "ou" | "en" | "of" | "og" | "och")
    {
        return Glue::Space;
    }
    let head = head.trim_end_matches(['-', '\u{2010}', '\u{ad}']);
    let is_compound = head.contains(['-', '\u{2010}']);
    let soft = last.text.trim_end().ends_with('\u{ad}');
    if !soft && (head.is_empty() || is_compound || words.has(&format!("{head}-{tail}"))) {
        return Glue::Nothing;
    }
    Glue::Hyphen
}

#[derive(Debug, Default)]
pub(super) struct HyphenatedWords {
    hyphenated: BTreeSet<String>,
}

impl HyphenatedWords {
    pub(super) fn add(&mut self, blocks: &PartBlocks) {
        for line in blocks.lines.iter().filter(|line| line.text.contains('-')) {
            let words = line.text.split(|c: char| !(c.is_alphanumeric() || c == '-'));
            self.hyphenated.extend(words.filter(|word| word.contains('-')).map(str::to_lowercase));
        }
    }

    fn has(&self, word: &str) -> bool {
        self.hyphenated.contains(&word.to_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> BlockLine {
        let weight = text.chars().map(|c| if text::is_cjk(c) { 2 } else { 1 }).sum();
        let (place, around, level, block) = (0, 0, 0, NodeId::DOCUMENT);
        let (within, targets) = (LineRole::default(), String::new());
        let (leads_to_page, led_to, is_linked, row) = (false, None, false, None);
        BlockLine {
            text: text.to_owned(),
            weight,
            place,
            around,
            block,
            level,
            within,
            leads_to_page,
            led_to,
            row,
            is_linked,
            targets,
        }
    }

    fn joined(last: &str, first: &str) -> Option<Glue> {
        let mut words = HyphenatedWords::default();
        words.hyphenated.insert("well-known".to_owned());
        glue(
            &line(&format!("{} {last}", "It went on for some more words. ".repeat(2))),
            &line(first),
            true,
            &words,
        )
    }

    #[test]
    fn a_cut_sentence_is_told_from_a_finished_one() {
        for (last, first, glue) in [
            ("He opened the", "door and left.", Some(Glue::Space)),
            ("He came, saw,", "Caesar says, and won.", Some(Glue::Space)),
            ("He left.", "door", None),
            ("He left.”", "and", None),
            ("what he calls “a little fine”", "and will not change", Some(Glue::Space)),
            ("sagt er, „auch ein bisschen schön“", "findet", Some(Glue::Space)),
            ("He left “the house”", "Then she came.", None),
            ("He left", "Then she came.", None),
            ("He left:", "first", None),
            ("by Ann Lee", "iPhone users should", None),
            ("see apt(8)", "aptitude lists", None),
            ("for exam-", "ple, this", Some(Glue::Hyphen)),
            ("a well-", "known man", Some(Glue::Nothing)),
            ("state-of-the-", "art", Some(Glue::Nothing)),
            ("pre-", "and post-war", Some(Glue::Space)),
            ("exam\u{ad}", "ple", Some(Glue::Hyphen)),
        ] {
            assert_eq!(joined(last, first), glue, "{last} | {first}");
        }
        assert_eq!(glue(&line("a label"), &line("goes here"), true, &HyphenatedWords::default()), None);
    }

    #[test]
    fn without_capitals_both_sides_must_be_prose() {
        let last =
            "彼は長いあいだ黙っていたが、やがて静かに立ち上がり、窓の外を眺めながら、昔のことを思い出して";
        let first = "いるようだった。それから何も言わなかった。";
        let glue = |last: &str, first: &str, in_body| {
            glue(&line(last), &line(first), in_body, &HyphenatedWords::default())
        };
        assert_eq!(glue(last, first, true), Some(Glue::Nothing));
        assert_eq!(glue(last, first, false), None);
        assert_eq!(glue(&format!("{last}いた。"), first, true), None);
        assert_eq!(glue(last, "「いる」と言った。それから。", true), None);
        assert_eq!(glue("まとめ", first, true), None);
    }
}
