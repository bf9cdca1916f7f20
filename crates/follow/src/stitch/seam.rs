//! Where one page ends and the next one begins: a sentence that the page break cut, a paragraph that both show.

use super::blocks::{Blocks, Line, Within};
use crate::addresses::image_address;
use crate::shape::{Glue, Seam};
use std::collections::BTreeSet;
use tsugi_page::walk::Step;
use tsugi_page::{NodeId, Page, text};

/// A page and which of its blocks are taken out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) page: &'a Page,
    /// The nodes of the page's content, and what is no part of it.
    pub(super) content: &'a [NodeId],
    pub(super) without: &'a [NodeId],
    pub(super) blocks: &'a Blocks,
    pub(super) out: &'a [bool],
}

impl Side<'_> {
    fn kept(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.out.len()).filter(|line| !self.out[*line])
    }
}

/// What a line of a cut paragraph may not stand in.
const NO_PROSE: Within = Within::HEADING
    .union(Within::ITEM)
    .union(Within::CAPTION)
    .union(Within::PRE)
    .union(Within::HEAD_CELL)
    .union(Within::CELL);

/// Below this weight a line is as likely a label as the beginning of a paragraph.
const PARAGRAPH: usize = 40;

/// Returns how many blocks at the start of a page repeat what the page before ends with.
pub(super) fn overlap(before: Side<'_>, after: Side<'_>) -> Vec<usize> {
    /// The most blocks that are compared.
    const MOST: usize = 5;
    let last: Vec<usize> = before.kept().rev().take(MOST).collect();
    let first: Vec<usize> = after.kept().take(MOST + 1).collect();
    for count in (1..=last.len().min(first.len().saturating_sub(1))).rev() {
        let (old, new) = (last[..count].iter().rev(), &first[..count]);
        let are_equal = old.clone().zip(new).all(|(old, new)| {
            let (old, new) = (&before.blocks.lines[*old], &after.blocks.lines[*new]);
            old.text == new.text && !new.within.intersects(Within::HEAD_CELL | Within::CELL | Within::PRE)
        });
        let weight: usize = new.iter().map(|line| after.blocks.lines[*line].weight).sum();
        // Parts of a block cannot go.
        let is_whole = new
            .last()
            .zip(first.get(count))
            .is_none_or(|(last, next)| after.blocks.lines[*last].block != after.blocks.lines[*next].block);
        if are_equal && is_whole && weight >= 2 * PARAGRAPH {
            return new.to_vec();
        }
    }
    Vec::new()
}

/// Finds the seam of two pages. `words` are those of the whole sequence; they tell whether a hyphen belongs to its
/// word.
pub(super) fn seam(before: Side<'_>, after: Side<'_>, words: &Words) -> Option<Seam> {
    let (end, start) = (before.kept().next_back()?, after.kept().next()?);
    let (last, first) = (&before.blocks.lines[end], &after.blocks.lines[start]);
    if last.within.intersects(NO_PROSE) || first.within.intersects(NO_PROSE) {
        return None;
    }
    // In a quotation both are, or neither.
    if last.within != first.within {
        return None;
    }
    let is_alone = |blocks: &Blocks, line: usize| {
        let block = blocks.lines[line].block;
        let shares = |other: &Line| other.block == block;
        !line.checked_sub(1).is_some_and(|line| shares(&blocks.lines[line]))
            && !blocks.lines.get(line + 1).is_some_and(shares)
    };
    // The block of the rest is moved as a whole; before it there may be lines.
    let goes_on = before.blocks.lines.get(end + 1).is_some_and(|line| line.block == last.block);
    if goes_on || !is_alone(after.blocks, start) || !is_whole(before, end) || !is_whole(after, start) {
        return None;
    }
    if shows_image_behind(before, end, after) {
        return None;
    }
    let glue = glue(last, first, before.blocks.is_body(end) && after.blocks.is_body(start), words)?;
    let text = |blocks: &Blocks, line: usize, last: bool| {
        let on_line = |(_, lines): &&(NodeId, std::ops::Range<usize>)| lines.contains(&line);
        let mut texts = blocks.texts.iter().filter(on_line).map(|(id, _)| *id);
        if last { texts.next_back() } else { texts.next() }
    };
    Some(Seam {
        glue,
        before: last.block,
        last_text: text(before.blocks, end, true)?,
        after: first.block,
        first_text: text(after.blocks, start, false)?,
    })
}

/// Says whether an image stands between the last line of a page and its end: one that the page after does not show
/// too, as it would an ornament, and no `aside`.
fn shows_image_behind(before: Side<'_>, end: usize, after: Side<'_>) -> bool {
    let page = before.page;
    let mut behind = false;
    for root in before.content {
        let mut walk = page.walk(*root);
        while let Some(step) = walk.next() {
            match step {
                Step::Leave(id) => behind |= id == before.blocks.lines[end].block,
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

/// Says whether the block of a line holds text alone, no blocks, and is one that can be taken by itself.
fn is_whole(side: Side<'_>, line: usize) -> bool {
    let (page, block) = (side.page, side.blocks.lines[line].block);
    let is_paragraph = page.is(block, "p") || page.is(block, "div");
    is_paragraph && page.subtree(block).skip(1).all(|id| !page.class(id).line && !page.class(id).cell)
}

fn glue(last: &Line, first: &Line, in_body: bool, words: &Words) -> Option<Glue> {
    let end = last.text.trim_end().chars().next_back()?;
    let start = first.text.trim_start().chars().next()?;
    if text::is_cjk(start) || text::is_cjk(end) || matches!(end, '、' | '，') {
        return glue_cjk(last, first, in_body);
    }
    if matches!(end, '-' | '\u{2010}' | '\u{ad}') && start.is_lowercase() && last.text.trim_end().len() > 1 {
        return Some(glue_hyphen(last, first, words));
    }
    // What ends in figures or brackets is a list of references as often as a sentence.
    let is_open = end.is_alphabetic() || matches!(end, ',' | '–' | '—' | '’' | '\'');
    // What begins as `iPhone` does may begin a sentence.
    let is_name = first.text.trim_start().chars().nth(1).is_some_and(char::is_uppercase);
    let goes_on = (start.is_lowercase() && !is_name) || (end == ',' && in_body && start.is_alphanumeric());
    (is_open && goes_on && last.weight >= PARAGRAPH).then_some(Glue::Space)
}

/// Nothing but the missing full stop tells a cut sentence here, so both must be paragraphs among others.
fn glue_cjk(last: &Line, first: &Line, in_body: bool) -> Option<Glue> {
    let end = last.text.trim_end().chars().next_back()?;
    let start = first.text.trim_start().chars().next()?;
    let is_open = text::is_cjk(end) || matches!(end, '、' | '，');
    let is_opening = |c: char| matches!(c, '「' | '『' | '（' | '〈' | '《' | '【' | '“');
    // What begins with a bracket more often begins a paragraph.
    let goes_on = (text::is_cjk(start) || start.is_ascii_digit()) && !is_opening(start);
    let is_prose = in_body && last.weight >= 2 * PARAGRAPH && first.weight >= PARAGRAPH / 2;
    let ends_mid_word = !matches!(end, 'ー' | '\u{30fb}');
    let hangul = |c: char| matches!(c, '\u{ac00}'..='\u{d7af}');
    let has_full_stops =
        last.text.contains(['。', '、', '，', '！', '？']) || first.text.contains(['。', '、', '，']);
    (is_open && goes_on && is_prose && ends_mid_word && has_full_stops)
        .then_some(if hangul(end) || hangul(start) { Glue::Space } else { Glue::Nothing })
}

fn glue_hyphen(last: &Line, first: &Line, words: &Words) -> Glue {
    let is_part = |c: char| !(c.is_alphanumeric() || matches!(c, '-' | '\u{2010}' | '\u{ad}' | '\'' | '’'));
    let head = last.text.trim_end().rsplit(is_part).next().unwrap_or_default();
    let tail = first.text.trim_start().split(is_part).next().unwrap_or_default();
    // `pre- and post-war`: the hyphen stands for what follows.
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

/// The words with a hyphen that a sequence holds.
#[derive(Debug, Default)]
pub(super) struct Words {
    hyphenated: BTreeSet<String>,
}

impl Words {
    pub(super) fn add(&mut self, blocks: &Blocks) {
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

    fn line(text: &str) -> Line {
        let weight = text.chars().map(|c| if text::is_cjk(c) { 2 } else { 1 }).sum();
        let (place, block) = (0, NodeId::DOCUMENT);
        let (within, targets) = (Within::default(), String::new());
        let (leads_to_page, is_linked, row) = (false, false, None);
        Line { text: text.to_owned(), weight, place, block, within, leads_to_page, row, is_linked, targets }
    }

    fn joined(last: &str, first: &str) -> Option<Glue> {
        let mut words = Words::default();
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
        assert_eq!(glue(&line("a label"), &line("goes here"), true, &Words::default()), None);
    }

    #[test]
    fn without_capitals_both_sides_must_be_prose() {
        let last =
            "彼は長いあいだ黙っていたが、やがて静かに立ち上がり、窓の外を眺めながら、昔のことを思い出して";
        let first = "いるようだった。それから何も言わなかった。";
        let glue =
            |last: &str, first: &str, in_body| glue(&line(last), &line(first), in_body, &Words::default());
        assert_eq!(glue(last, first, true), Some(Glue::Nothing));
        assert_eq!(glue(last, first, false), None);
        assert_eq!(glue(&format!("{last}いた。"), first, true), None);
        assert_eq!(glue(last, "「いる」と言った。それから。", true), None);
        assert_eq!(glue("まとめ", first, true), None);
    }
}
