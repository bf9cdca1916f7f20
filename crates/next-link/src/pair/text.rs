//! The text of a page's content, prepared for comparison.

use super::head::headline_digest;
use crate::words;
use std::collections::{BTreeMap, BTreeSet};
use tsugi_dates::dated;
use tsugi_page::{Content, NodeKind, Page, address::page_key, text};
use tsugi_scoring::TokenHash;

/// Minimum length of a line that is compared, in characters: shorter ones recur on many pages.
const LONG: u32 = 24;
/// Maximum number of lines and links kept.
const MAX_LINES: usize = 4_000;
const MAX_LINKS: usize = 1_000;
const MAX_IMAGES: usize = 1_000;
const SCRIPTS: usize = 8;
/// Maximum number of names kept.
const MAX_NAMES: usize = 1_000;
/// The least length of the first line of running text, in characters; shorter lines before it open an article.
const RUNNING: u32 = 80;
/// Maximum number of lines that may open an article.
const MAX_OPENING: usize = 12;
/// Words before the number of a figure or a table, in lower case.
const FIGURES: [&str; 14] = [
    "figure", "fig", "figura", "abbildung", "abb", "table", "tabelle", "tableau", "tabla", "рис", "рисунок",
    "afbeelding", "rysunek", "photo",
];

#[derive(Debug, Clone, Default)]
pub(super) struct TextFacts {
    /// For each digest of a long line: its length in characters.
    lines: BTreeMap<u32, u32>,
    long_characters: u32,
    pub(super) characters: u32,
    pub(super) first: Option<u32>,
    pub(super) last: Option<u32>,
    /// `true` if the last line is long and does not end like a sentence.
    pub(super) ends_open: bool,
    pub(super) starts_small: bool,
    pub(super) images: BTreeSet<u32>,
    scripts: [f32; SCRIPTS],
    pub(super) links: BTreeSet<String>,
    pub(super) link_share: f32,
    pub(super) opening: Opening,
    /// The first and last number that begins a line of text or a list: "4. Add the flour".
    pub(super) numbered: Option<(u32, u32)>,
    /// The least and greatest number of its figures and tables.
    pub(super) figures: Option<(u32, u32)>,
    names: BTreeSet<u32>,
}

/// What stands before the running text.
#[derive(Debug, Clone, Default)]
pub(super) struct Opening {
    pub(super) lines: u32,
    /// Digests of the dates in its lines.
    pub(super) dates: BTreeSet<u32>,
    pub(super) has_image: bool,
    /// Digests of its lines.
    digests: BTreeSet<u32>,
}

impl Opening {
    fn of(whole: &str) -> Opening {
        let mut opening = Opening::default();
        let lines = whole.lines().map(str::trim).filter(|line| !line.is_empty());
        for line in lines.take_while(|line| text::weight(line) < RUNNING as usize).take(MAX_OPENING) {
            opening.lines += 1;
            opening
                .dates
                .extend(dated(line).map(|(_, when)| TokenHash::new(9).text(&when.to_string()).finish()));
            opening.digests.extend(headline_digest(line));
        }
        opening
    }

    /// Returns `true` if one of some headlines is among its lines.
    pub(super) fn has_one_of(&self, headlines: &BTreeSet<u32>) -> bool {
        !self.digests.is_disjoint(headlines)
    }
}

impl TextFacts {
    pub(super) fn of(page: &Page, content: &Content) -> TextFacts {
        let whole = page.text_of_content(&content.nodes, &content.without);
        let mut found = TextFacts::default();
        let mut last_line = None;
        for line in whole.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let digest = TokenHash::new(2).text(line).finish();
            let characters = u32::try_from(line.chars().count()).unwrap_or(u32::MAX);
            found.characters = found.characters.saturating_add(characters);
            if found.first.is_none() {
                found.first = Some(digest);
                found.starts_small = line.chars().next().is_some_and(char::is_lowercase);
            }
            (found.last, last_line) = (Some(digest), Some((line, characters)));
            if characters >= LONG
                && found.lines.len() < MAX_LINES
                && found.lines.insert(digest, characters).is_none()
            {
                found.long_characters = found.long_characters.saturating_add(characters);
            }
        }
        found.ends_open = last_line.is_some_and(|(line, characters)| {
            let ends = |c: char| ".!?。！？…．:：)）]」』\"”'’".contains(c);
            characters >= 2 * LONG && !line.ends_with(ends)
        });
        found.scripts = scripts(&whole);
        found.opening = Opening { has_image: opens_with_image(page, content), ..Opening::of(&whole) };
        found.numbered = numbered(page, content, &whole);
        found.figures = figures(&whole);
        found.names = names(words::cut(&whole, 1 << 17));
        let totals = content.nodes.iter().map(|node| page.totals(*node));
        let (all, linked) =
            totals.fold((0_u32, 0_u32), |(all, linked), t| (all + t.characters, linked + t.link_characters));
        found.link_share = if all > 0 { linked as f32 / all as f32 } else { 0.0 };
        let inside = || content.nodes.iter().flat_map(|node| page.subtree(*node));
        let sources =
            inside().filter(|node| page.is(*node, "img")).filter_map(|node| page.attribute(node, "src"));
        found.images =
            sources.take(MAX_IMAGES).map(|source| TokenHash::new(3).text(source).finish()).collect();
        let hrefs =
            inside().filter(|node| page.class(*node).link).filter_map(|node| page.attribute(node, "href"));
        let urls = hrefs.take(MAX_LINKS).filter_map(|href| page.resolve(href));
        found.links = urls.map(|url| page_key(&url)).collect();
        found
    }

    /// Returns a page past the end: `lines` lines of 20 characters; the first may be the heading of the list.
    pub(super) fn sorry(&self, lines: u32, has_heading: bool) -> TextFacts {
        TextFacts {
            characters: lines * 20,
            first: if has_heading { self.first } else { Some(line_digest(1)) },
            last: Some(line_digest(lines)),
            scripts: self.scripts,
            ..TextFacts::default()
        }
    }

    /// Returns the share of its long lines, by characters, that are also in the other text; −1 without long lines.
    pub(super) fn repeats(&self, other: &TextFacts) -> f32 {
        if self.long_characters == 0 {
            return -1.0;
        }
        let held = self.lines.iter().filter(|(line, _)| other.lines.contains_key(*line));
        held.map(|(_, characters)| *characters as f32).sum::<f32>() / self.long_characters as f32
    }

    /// Returns the share of its names that the other text has too; −1 if it has none.
    pub(super) fn names_in(&self, other: &TextFacts) -> f32 {
        if self.names.is_empty() {
            return -1.0;
        }
        self.names.intersection(&other.names).count() as f32 / self.names.len() as f32
    }

    /// Returns the distance between the shares of scripts, from 0 to 1; 0 if either text is empty.
    pub(super) fn script_distance(&self, other: &TextFacts) -> f32 {
        if self.characters == 0 || other.characters == 0 {
            return 0.0;
        }
        let apart = self.scripts.iter().zip(&other.scripts).map(|(a, b)| (a - b).abs());
        (apart.sum::<f32>() / 2.0).min(1.0)
    }
}

/// Returns `true` if an image comes before the running text.
fn opens_with_image(page: &Page, content: &Content) -> bool {
    for node in content.nodes.iter().flat_map(|node| page.subtree(*node)) {
        match page.kind(node) {
            NodeKind::Text if page.totals(node).characters >= RUNNING => return false,
            NodeKind::Element if page.is(node, "img") => return true,
            _ => {}
        }
    }
    false
}

/// Returns the numbers of the first and of the last line, or entry of an ordered list, that has one.
fn numbered(page: &Page, content: &Content, whole: &str) -> Option<(u32, u32)> {
    let lists = content.nodes.iter().flat_map(|node| page.subtree(*node)).filter(|node| page.is(*node, "ol"));
    let mut numbers = Vec::new();
    for list in lists.take(MAX_LINES) {
        let start = page.attribute(list, "start").and_then(|start| start.trim().parse::<u32>().ok());
        let entries = page.children(list).filter(|entry| page.is(*entry, "li")).count();
        let start = start.unwrap_or(1).min(10_000);
        numbers.push((start, start.saturating_add(u32::try_from(entries).unwrap_or(0)).saturating_sub(1)));
    }
    if let (Some((first, _)), Some((_, last))) = (numbers.first(), numbers.last()) {
        return Some((*first, *last));
    }
    let mut of_lines = whole.lines().filter_map(|line| {
        let line = line.trim_start();
        let length = line.bytes().take_while(u8::is_ascii_digit).count();
        let is_mark = matches!(line.as_bytes().get(length), Some(b'.' | b')')) && (1..=3).contains(&length);
        let goes_on = line.get(length + 1..).is_some_and(|rest| rest.starts_with(' '));
        line.get(..length).filter(|_| is_mark && goes_on)?.parse::<u32>().ok()
    });
    let first = of_lines.next()?;
    Some((first, of_lines.next_back().unwrap_or(first)))
}

/// Returns the least and the greatest number after a word for figure or table.
fn figures(whole: &str) -> Option<(u32, u32)> {
    let text = words::cut(whole, 1 << 17);
    let is_separator = |c: char| !text::is_alphanumeric(c);
    let is_figure = |word: &str| {
        if word.is_ascii() {
            FIGURES.iter().any(|figure| word.eq_ignore_ascii_case(figure))
        } else {
            FIGURES.contains(&&*word.to_lowercase())
        }
    };
    let (mut found, mut from): (Option<(u32, u32)>, usize) = (None, 0);
    while let Some(start) = text[from..].find(|c: char| c.is_ascii_digit()).map(|at| from + at) {
        let behind = text[start..].trim_start_matches(|c: char| c.is_ascii_digit());
        from = text.len() - behind.len();
        let before = &text[..start];
        let is_whole = before.chars().next_back().is_none_or(is_separator)
            && behind.chars().next().is_none_or(is_separator);
        let number = text[start..from].parse::<u32>().ok().filter(|number| is_whole && *number < 1_000);
        let word = || before.trim_end_matches(is_separator).rsplit(is_separator).next().unwrap_or_default();
        if let Some(number) = number.filter(|_| is_figure(word())) {
            let (least, greatest) = found.unwrap_or((number, number));
            found = Some((least.min(number), greatest.max(number)));
        }
    }
    found
}

/// Returns hashes of the words that are likely names: capitalised within a sentence, or runs of katakana.
fn names(whole: &str) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for line in whole.lines() {
        let mut starts_sentence = true;
        for word in line.split_whitespace() {
            if found.len() >= MAX_NAMES {
                return found;
            }
            // Most words are of small letters of ASCII.
            let first = word.bytes().find(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
            let may_be_name = first.is_some_and(|byte| byte.is_ascii_uppercase()) || !word.is_ascii();
            let bare = if may_be_name { word.trim_matches(|c: char| !text::is_alphanumeric(c)) } else { "" };
            let is_name =
                bare.chars().next().is_some_and(char::is_uppercase) && bare.chars().nth(2).is_some();
            if is_name && !starts_sentence {
                found.insert(TokenHash::new(8).text(bare).finish());
            }
            let runs = bare.split(|c: char| !matches!(c, '\u{30a1}'..='\u{30ff}'));
            for run in runs.take_while(|_| !bare.is_ascii()) {
                if run.chars().nth(2).is_some() {
                    found.insert(TokenHash::new(8).text(run).finish());
                }
            }
            starts_sentence = word.ends_with(['.', '!', '?', ':', '”', '"', '»']);
        }
    }
    found
}

fn line_digest(number: u32) -> u32 {
    TokenHash::new(4).text(&number.to_string()).finish()
}

fn scripts(text: &str) -> [f32; SCRIPTS] {
    let mut counts = [0_u32; SCRIPTS];
    counts[0] = u32::try_from(text::ascii_letters(text)).unwrap_or(u32::MAX);
    let others = if text.is_ascii() { "" } else { text };
    let is_letter = |c: &char| !c.is_ascii() && text::is_alphabetic(*c);
    for c in others.chars().filter(is_letter) {
        let script = match c {
            '\0'..='\u{24f}' => 0,
            '\u{370}'..='\u{3ff}' => 1,
            '\u{400}'..='\u{52f}' => 2,
            '\u{590}'..='\u{8ff}' => 3,
            '\u{900}'..='\u{eff}' => 4,
            '\u{3040}'..='\u{30ff}' => 5,
            '\u{ac00}'..='\u{d7af}' => 6,
            c if text::is_cjk(c) => 7,
            _ => continue,
        };
        counts[script] += 1;
    }
    // Whole numbers up to there are exact.
    let counts = counts.map(|count| count.min(1 << f32::MANTISSA_DIGITS) as f32);
    let sum: f32 = counts.iter().sum::<f32>().max(1.0);
    counts.map(|count| count / sum)
}
