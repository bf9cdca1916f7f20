//! Turns plain text into markup: paragraphs, and layout made with spaces.
//!
//! Nothing in the text is read as markup. Blank lines separate blocks. A block is prose, separate lines (verse,
//! addresses), an underlined headline, or preformatted: tables, figures, code.

use crate::text::{escaped, fold, is_cjk};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const TAB: usize = 8;
/// Width of a line beyond which a text is not wrapped by hand, and each line is a paragraph.
const WIDEST_WRAPPED: usize = 120;
/// Indentation beyond that of most prose at which a block is prose only if it reads like it, in columns.
const SET_IN: usize = 4;
/// Narrowest width that texts are wrapped to, in columns.
const NARROWEST_WRAPPED: usize = 30;
/// Share of the usual width below which lines are short on purpose.
const NARROW: f32 = 0.6;
/// Tolerance for the margin of wrapped lines, in columns.
const RAGGED: usize = 8;
/// Number of spaces inside a line that make it part of a table.
const GAP: usize = 3;

#[derive(Debug, Clone, Copy)]
struct PlainLine<'a> {
    indent: usize,
    text: &'a str,
    /// Width without the indentation, in columns; East Asian characters take two.
    width: usize,
}

fn columns(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

impl<'a> PlainLine<'a> {
    fn of(line: &'a str) -> PlainLine<'a> {
        let text = line.trim_start();
        PlainLine { indent: columns(&line[..line.len() - text.len()]), text, width: columns(text) }
    }

    fn right(&self) -> usize {
        self.indent + self.width
    }
}

fn is_wide(c: char) -> bool {
    is_cjk(c) || matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff01}'..='\u{ff60}')
}

#[derive(Debug, Clone, Copy)]
struct Usual {
    indent: usize,
    right: usize,
}

pub(crate) fn markup(text: &str) -> String {
    let text = without_page_breaks(text);
    let lines: Vec<String> = text.lines().map(expanded).collect();
    let blocks: Vec<Vec<PlainLine<'_>>> = lines
        .split(String::is_empty)
        .filter(|block| !block.is_empty())
        .map(|block| block.iter().map(|line| PlainLine::of(line)).collect())
        .collect();
    let usual = usual(&blocks);
    let mut out = String::with_capacity(text.len() + text.len() / 8 + 64);
    out.push_str("<body>\n");
    let mut open_pre = false;
    for block in &blocks {
        let kind = kind(block, usual);
        if open_pre && kind != BlockKind::Preformatted {
            out.push_str("</pre>\n");
        }
        match kind {
            BlockKind::Headline(level) => {
                let _ = writeln!(out, "<h{level}>{}</h{level}>", escaped(block[0].text));
            }
            BlockKind::Preformatted => {
                // Parsers drop a newline right after the tag.
                out.push_str(if open_pre { "\n\n" } else { "<pre>\n" });
                preformatted(block, &mut out);
            }
            BlockKind::Prose => {
                for paragraph in paragraphs(block, usual) {
                    write_paragraph(paragraph, usual, &mut out);
                }
            }
        }
        open_pre = kind == BlockKind::Preformatted;
    }
    if open_pre {
        out.push_str("</pre>\n");
    }
    out
}

fn expanded(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for c in line.trim_end().chars() {
        if c == '\t' {
            let column = out.chars().count();
            out.extend(std::iter::repeat_n(' ', TAB - column % TAB));
        } else {
            out.push(c);
        }
    }
    out
}

fn trim_blank_lines(page: &mut Vec<&str>) {
    let kept = page.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |at| at + 1);
    page.truncate(kept);
    let blank = page.iter().take_while(|line| line.trim().is_empty()).count();
    page.drain(..blank);
}

/// Returns the first or last line of a page, with signs for digits: running heads count pages.
fn edge_key(page: &[&str], is_foot: bool) -> Option<String> {
    let line = if is_foot { page.last() } else { page.first() }?;
    Some(fold(line).replace(|c: char| c.is_ascii_digit(), "#").replace("##", "#"))
}

/// Joins the pages of a text with form feeds, without the lines that recur at their edges.
fn without_page_breaks(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace(['\r', '\u{85}', '\u{2028}', '\u{2029}', '\u{b}'], "\n");
    let mut pages: Vec<Vec<&str>> = text.split('\u{c}').map(|page| page.lines().collect()).collect();
    if pages.len() == 1 {
        return text;
    }
    pages.iter_mut().for_each(trim_blank_lines);
    pages.retain(|page| !page.is_empty());
    for is_foot in [false, true] {
        let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
        let keys: Vec<Option<String>> = pages.iter().map(|page| edge_key(page, is_foot)).collect();
        for key in keys.iter().flatten() {
            *counts.entry(key).or_default() += 1;
        }
        // The first page has a headline instead of the running head.
        let most = pages.len().saturating_sub(1);
        for (page, key) in pages.iter_mut().zip(&keys) {
            let Some(count) = key.as_ref().and_then(|key| counts.get(key)) else { continue };
            if *count >= 2 && count * 2 >= most {
                page.remove(if is_foot { page.len() - 1 } else { 0 });
                trim_blank_lines(page);
            }
        }
    }
    let mut joined = String::with_capacity(text.len());
    let mut last: Option<&str> = None;
    for page in pages.iter().filter(|page| !page.is_empty()) {
        if let (Some(before), Some(after)) = (last, page.first()) {
            let (before, after) = (PlainLine::of(before), PlainLine::of(after));
            if before.indent != after.indent || before.text.ends_with(ENDS) || is_item(after.text) {
                joined.push('\n');
            }
        }
        for line in page {
            joined.push_str(line);
            joined.push('\n');
        }
        last = page.last().copied();
    }
    joined
}

const ENDS: [char; 16] =
    ['.', '!', '?', ':', ';', '"', '\'', ')', '”', '’', '»', '。', '！', '？', '」', '…'];

fn usual(blocks: &[Vec<PlainLine<'_>>]) -> Usual {
    let (mut indents, mut rights): (BTreeMap<usize, usize>, BTreeMap<usize, usize>) = Default::default();
    let has_paragraphs = blocks.iter().any(|block| block.len() > 1);
    for block in blocks.iter().filter(|block| !has_paragraphs || block.len() > 1) {
        // The first line may be indented or outdented, and the last is short.
        let from = usize::from(block.len() > 1);
        for line in &block[from..] {
            *indents.entry(line.indent).or_default() += line.width;
        }
        let full = block.len() - usize::from(block.len() > 1);
        for line in &block[..full] {
            *rights.entry(line.right()).or_default() += line.width;
        }
    }
    let indent = indents.iter().max_by_key(|(indent, width)| (**width, usize::MAX - **indent));
    // A quarter of the text is in longer lines.
    let mut left = rights.values().sum::<usize>() * 3 / 4;
    let right = rights.iter().find(|(_, width)| {
        let is_reached = **width >= left;
        left = left.saturating_sub(**width);
        is_reached
    });
    let right = right.map_or(0, |(right, _)| *right);
    Usual { indent: indent.map_or(0, |(indent, _)| *indent), right }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BlockKind {
    Prose,
    /// Text underlined with a line of signs, with its level.
    Headline(u8),
    Preformatted,
}

fn kind(block: &[PlainLine<'_>], usual: Usual) -> BlockKind {
    if let [head, rule] = block
        && let Some(level) = rules_off(head, rule)
    {
        return BlockKind::Headline(level);
    }
    let tabular = block.iter().filter(|line| is_tabular(line.text)).count();
    if tabular * 4 > block.len() || is_full_of_signs(block) {
        return BlockKind::Preformatted;
    }
    let mut indents: Vec<usize> = block.iter().skip(1).map(|line| line.indent).collect();
    indents.sort_unstable();
    indents.dedup();
    // Indented code; if only a few lines, a centred headline.
    if indents.len() >= 3 && !block.iter().any(|line| is_item(line.text)) {
        return BlockKind::Preformatted;
    }
    let set_in = block.iter().map(|line| line.indent).min().unwrap_or_default();
    if set_in >= usual.indent + SET_IN && !reads_as_prose(block, usual) {
        return BlockKind::Preformatted;
    }
    BlockKind::Prose
}

fn rules_off(head: &PlainLine<'_>, rule: &PlainLine<'_>) -> Option<u8> {
    let sign = rule.text.chars().next().filter(|sign| matches!(sign, '=' | '-' | '~' | '^' | '*' | '#'))?;
    let is_rule = rule.text.chars().all(|c| c == sign) && rule.width >= 3 && rule.width + 2 >= head.width;
    (is_rule && head.text.chars().any(char::is_alphanumeric)).then_some(if sign == '=' { 2 } else { 3 })
}

/// Returns `true` if a line has columns: a wide gap, or leader dots before a number.
fn is_tabular(text: &str) -> bool {
    let (mut spaces, mut dots) = (0, 0);
    text.chars().any(|c| {
        spaces = if c == ' ' { spaces + 1 } else { 0 };
        dots = if matches!(c, '.' | '·') { dots + 1 } else { 0 };
        spaces == GAP || dots == 5
    })
}

/// Returns `true` if more than one character in seven is neither a letter, a digit, nor punctuation of sentences.
fn is_full_of_signs(block: &[PlainLine<'_>]) -> bool {
    let (mut all, mut signs) = (0, 0);
    for c in block.iter().flat_map(|line| line.text.chars()).filter(|c| !c.is_whitespace()) {
        all += 1;
        let is_sign = c.is_ascii_punctuation()
            && !matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '"')
            && !matches!(c, '(' | ')' | '-' | '_' | '*')
            || matches!(c, '\u{2500}'..='\u{259f}');
        signs += usize::from(is_sign);
    }
    signs * 7 > all
}

fn reads_as_prose(block: &[PlainLine<'_>], usual: Usual) -> bool {
    let (Some(first), Some(last)) = (block.first(), block.last()) else { return false };
    let words = block.iter().map(|line| line.text.split_whitespace().count()).sum::<usize>();
    let is_short = block.len() <= 3 && block.iter().all(|line| line.right() <= usual.right);
    let begins = first.text.starts_with(|c: char| c.is_uppercase() || is_cjk(c)) || is_item(first.text);
    let is_centred = is_short && first.indent >= 2 * SET_IN + usual.indent;
    (begins && words >= 3 && (last.text.ends_with(ENDS) || is_wrapped(block, usual)))
        || (block.len() > 1 && is_wrapped(block, usual) && last.text.ends_with(ENDS))
        || (begins && is_centred)
}

fn is_item(text: &str) -> bool {
    let Some((mark, _)) = text.split_once(' ') else { return false };
    let bare = mark.trim_start_matches(['(', '[']).trim_end_matches([')', '.', ']']);
    let is_bullet = matches!(mark, "-" | "*" | "+" | "o" | "•" | "–" | "·" | "‣" | "◦");
    let is_number = !bare.is_empty()
        && bare.len() < mark.len()
        && mark.len() <= 5
        && (bare.bytes().all(|b| b.is_ascii_digit() || b == b'.')
            || (bare.len() == 1 && bare.bytes().all(|b| b.is_ascii_alphabetic())));
    is_bullet || is_number
}

/// Splits a block of prose where a line starts a paragraph: a list item, or an indented first line.
fn paragraphs<'b, 'a>(block: &'b [PlainLine<'a>], usual: Usual) -> Vec<&'b [PlainLine<'a>]> {
    let all_long = usual.right > WIDEST_WRAPPED;
    let least = block.iter().map(|line| line.indent).min().unwrap_or_default();
    let items = block.iter().filter(|line| is_item(line.text)).count();
    let has_items = block.first().is_some_and(|line| is_item(line.text)) || items >= 2;
    let is_first_line = |line: &PlainLine<'_>| line.indent > least && line.indent <= least + SET_IN;
    let set_in = block.iter().filter(|line| is_first_line(line)).count();
    let first_is_set_in = block.first().is_some_and(is_first_line) && set_in * 2 <= block.len();
    let begins = |line: &PlainLine<'_>| {
        all_long || (has_items && is_item(line.text)) || (first_is_set_in && is_first_line(line))
    };
    // A term, and its definition indented below it.
    if let [term, rest @ ..] = block
        && rest.iter().all(|line| line.indent > term.indent + 1)
        && rest.first().is_some_and(|line| ends_early(term, line, usual.right))
    {
        return vec![&block[..1], &block[1..]];
    }
    let mut parts = Vec::new();
    let mut from = 0;
    for at in 1..block.len() {
        if begins(&block[at]) {
            parts.push(&block[from..at]);
            from = at;
        }
    }
    parts.push(&block[from..]);
    parts
}

/// Returns `true` if the first word of a line would have fit on the line before.
fn ends_early(before: &PlainLine<'_>, after: &PlainLine<'_>, margin: usize) -> bool {
    let word = after.text.split(' ').next().unwrap_or_default();
    let word: usize = word.chars().take_while(|c| !is_cjk(*c)).count().max(1);
    before.right() + 1 + word + RAGGED <= margin
}

/// Returns `true` if the lines look wrapped: the first word of each would not have fit on the one before.
fn is_wrapped(lines: &[PlainLine<'_>], usual: Usual) -> bool {
    let most = lines.iter().map(PlainLine::right).max().unwrap_or_default();
    let narrow = usual.right as f32 * NARROW;
    if lines.len() < 2 || (most as f32) < narrow || most < NARROWEST_WRAPPED {
        return false;
    }
    let margin = if lines.len() >= 4 { most } else { most.max(usual.right) };
    let early = lines.windows(2).filter(|pair| ends_early(&pair[0], &pair[1], margin)).count();
    if early * 8 >= lines.len() {
        return false;
    }
    // Verse: lines start with capitals and end before the margin.
    let capitals = lines.iter().filter(|line| line.text.starts_with(char::is_uppercase)).count();
    !(lines.len() >= 3 && capitals == lines.len() && (most as f32) < usual.right as f32 * 0.9)
}

fn write_paragraph(lines: &[PlainLine<'_>], usual: Usual, out: &mut String) {
    let reflows = is_wrapped(lines, usual);
    out.push_str("<p>");
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            let before = lines[at - 1].text;
            if !reflows {
                out.push_str("<br>");
            } else if !closes_up(before, line.text) {
                out.push(' ');
            }
        }
        out.push_str(&escaped(&fold(line.text)));
    }
    out.push_str("</p>\n");
}

/// Returns `true` if two lines join without a space: in scripts without spaces, and after a hyphen.
fn closes_up(before: &str, after: &str) -> bool {
    let (Some(last), Some(first)) = (before.chars().next_back(), after.chars().next()) else { return true };
    let hyphenated = last == '-' && before.chars().rev().nth(1).is_some_and(char::is_alphabetic);
    (is_wide(last) && is_wide(first)) || (hyphenated && first.is_alphabetic())
}

fn preformatted(block: &[PlainLine<'_>], out: &mut String) {
    let least = block.iter().map(|line| line.indent).min().unwrap_or_default();
    for (at, line) in block.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        out.extend(std::iter::repeat_n(' ', line.indent - least));
        out.push_str(&escaped(line.text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NodeId, Page};

    fn lines(text: &str) -> Vec<String> {
        markup(text).lines().skip(1).map(str::to_owned).collect()
    }

    #[test]
    fn wrapped_lines_are_one_paragraph_again() {
        let text = "The ferry left the harbour at six in the morning, when the fog was still\n\
            lying on the water and nobody on board could see farther than the rail of\n\
            the upper deck.\n\n\
            It came back at noon with a cargo that no one had ordered, and with a well-\n\
            known guest.\n";
        let expected = [
            "<p>The ferry left the harbour at six in the morning, when the fog was still lying on the water and \
             nobody on board could see farther than the rail of the upper deck.</p>",
            "<p>It came back at noon with a cargo that no one had ordered, and with a well-known guest.</p>",
        ];
        assert_eq!(lines(text), expected);
        assert_eq!(lines(&text.replace('\n', "\r\n")), expected);
    }

    #[test]
    fn short_lines_stay_apart() {
        let prose = "The ferry left the harbour at six in the morning, when the fog was still\n\
            lying on the water and nobody on board could see farther than the rail.\n\n";
        let verse = "The fog came in\nOn quiet feet,\nIt knew the harbour,\nKnew the street.\n";
        let found = lines(&format!("{prose}{verse}"));
        assert_eq!(
            found[1],
            "<p>The fog came in<br>On quiet feet,<br>It knew the harbour,<br>Knew the street.</p>"
        );
    }

    #[test]
    fn tables_figures_and_code_keep_their_form() {
        let text = "Some words about the machine that is drawn and listed below, and about its\n\
            two parts, which are told apart by their colour and weight.\n\n\
            \x20  +-----+    +-----+\n   |  A  |--->|  B  |\n   +-----+    +-----+\n\n\
            part      weight   colour\nA             12   red\nB              7   blue\n\n\
            \x20   for part in parts:\n        weigh(part)\n\n\
            And that is all that there is to say of it.\n";
        let found = markup(text);
        assert!(found.contains("<pre>\n+-----+    +-----+\n|  A  |---&gt;|  B  |\n"), "{found}");
        assert!(found.contains("\n\npart      weight   colour\nA             12   red\n"), "{found}");
        assert!(found.contains("\n\nfor part in parts:\n    weigh(part)</pre>\n<p>And that"), "{found}");
    }

    #[test]
    fn pages_of_a_printed_text_are_joined() {
        let page = |number: usize, text: &str| {
            format!(
                "Memo 12                       Ferries                    May 1990\n\n{text}\n\n\nSmith                                                      [Page {number}]\n\u{c}\n"
            )
        };
        let text = [
            page(1, "   The ferry leaves the harbour at six in the morning, when the fog is\n   still lying on the water and nobody sees it go, and where it comes"),
            page(2, "   back at noon, if the wind allows it and the captain has had breakfast."),
            page(3, "2. Fares\n\n   There are none."),
        ]
        .concat();
        let found = markup(&text);
        assert!(found.contains("and where it comes back at noon, if the wind"), "{found}");
        assert!(!found.contains("Smith") && !found.contains("Memo"), "{found}");
        assert!(found.contains("<p>2. Fares</p>\n<p>There are none.</p>"), "{found}");
    }

    #[test]
    fn items_headlines_and_first_lines_begin_paragraphs() {
        assert_eq!(
            lines("Fares\n=====\n\n- none\n- none\n  either\n"),
            ["<h2>Fares</h2>", "<p>- none</p>", "<p>- none<br>either</p>"]
        );
        let wide = "長い行".repeat(30);
        assert_eq!(lines(&format!("　{wide}\n　{wide}\n　{wide}")).len(), 3);
    }

    #[test]
    fn what_a_term_means_stands_below_it() {
        let text = "MUST\n   This word means that the definition is an absolute requirement of the\n   \
            specification, and that nothing else will do.\n";
        let meaning = "This word means that the definition is an absolute requirement of the specification, \
            and that nothing else will do.";
        assert_eq!(lines(text), ["<p>MUST</p>".to_owned(), format!("<p>{meaning}</p>")]);
    }

    #[test]
    fn lines_of_scripts_without_spaces_close_up() {
        let line = "霧が港に下りてきて船は六時に出た";
        assert_eq!(lines(&format!("{line}\n{line}\n{line}。")), [format!("<p>{line}{line}{line}。</p>")]);
    }

    proptest::proptest! {
        #[test]
        fn nothing_is_markup_and_nothing_is_lost(text in "([a-z<>&;.#=| -]|\\t|\n|次|<b>|&amp;){0,200}") {
            let page = Page::from_text(&markup(&text), &"https://a.test/".parse().unwrap());
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            let rules = |text: &str| text.replace(['=', '-', '#'], "");
            proptest::prop_assert_eq!(
                rules(&letters(page.string_value(NodeId::DOCUMENT))), rules(&letters(&text))
            );
            proptest::prop_assert!(page.first("b").is_none());
        }
    }
}
