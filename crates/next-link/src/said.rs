//! How many pages a document has, by what its page says: "Page 1 of 3", a row of numbers, a select of pages.
//!
//! A wrong claim makes a whole document look incomplete. So a text counts only where each of its words is known, and
//! not in parts of the page that have pagers of their own (comments, galleries, related stories).

use super::address::is_page_name;
use super::names::NameFlags;
use super::numerals;
use super::runs::NumberRow;
use super::survey::{Enclosing, LinkTarget, NodeMark, SurveyedPage};
use super::words::{self, LabelWords};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use tsugi_page::text::{has_digit, is_cjk, trim};
use tsugi_page::{Attr, NodeId, NodeKind, Page, Relation, Tag, word_list};

const LIST: &str = include_str!("lists/said.txt");
/// The lowest character of scripts that put no space between words: Thai and later ones.
const FIRST_UNSPACED: char = '\u{e00}';
const MAX_TEXT: u32 = 80; // Maximum length of a text that counts pages, in characters.
const MAX_TITLE: usize = 400; // Maximum number of bytes read of a title.
const MAX_NODES: usize = 24; // Maximum number of nodes in an element with such a text.
const MAX_STRANGE: usize = 6; // Maximum number of unknown words in such a text.
const MAX_PAGES: u32 = 9_999;
const MAX_HEADINGS: usize = 3;
const MAX_OPTIONS: usize = 2_000; // Maximum number of options read of a select.
const CLIMB: usize = 4; // Number of levels above a bare "1/3" that are searched for a pager.

/// What a page says about the number of its document's pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaidPages {
    /// The number of this page, from 1.
    pub current: u32,
    /// The number of pages, at least `current`.
    pub total: u32,
    /// The words that say it, as the page has them; for a pager, its first and its last number.
    pub words: String,
    /// What is counted: pages, or the chapters of a book.
    pub counted: Relation,
}

impl SaidPages {
    fn by_numbers(current: u32, first: u32, total: u32) -> SaidPages {
        SaidPages { current, total, words: format!("{first} … {total}"), counted: Relation::Page }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    Number {
        value: u32,
        /// `01`, as in dates.
        padded: bool,
    },
    Page,
    Part,
    Chapter,
    Of,
    /// "In total", or 共: a total follows.
    Total,
    /// 中: the total came before.
    OfTotal,
    Filler,
    Break,
    Open,
    Close,
    Strange,
}

const GROUPS: [(&str, Piece); 14] = [
    ("page", Piece::Page),
    ("part", Piece::Part),
    ("chapter", Piece::Chapter),
    ("of", Piece::Of),
    ("total", Piece::Total),
    ("of-total", Piece::OfTotal),
    ("filler", Piece::Filler),
    ("page-string", Piece::Page),
    ("part-string", Piece::Part),
    ("chapter-string", Piece::Chapter),
    ("total-string", Piece::Total),
    ("of-total-string", Piece::OfTotal),
    ("of-string", Piece::Of),
    ("filler-string", Piece::Filler),
];

/// Words and phrases, and strings of scripts without spaces.
struct CountingWords {
    /// By the first word, the longest first.
    phrases: BTreeMap<&'static str, Vec<(Vec<&'static str>, Piece)>>,
    strings: Vec<(&'static str, Piece)>,
}

static WORDS: LazyLock<CountingWords> = LazyLock::new(|| {
    let (mut phrases, mut strings) = (BTreeMap::<_, Vec<_>>::new(), Vec::new());
    for (group, phrase) in word_list::lines(LIST) {
        let Some((_, piece)) = GROUPS.iter().find(|(name, _)| *name == group) else { continue };
        let words: Vec<&str> = phrase.split(' ').collect();
        if group.ends_with("-string") {
            strings.push((phrase, *piece));
        } else if let Some(first) = words.first() {
            phrases.entry(*first).or_default().push((words, *piece));
        }
    }
    for phrases in phrases.values_mut() {
        phrases.sort_by_key(|(words, _)| usize::MAX - words.len());
    }
    // The longest comes first.
    strings.sort_by_key(|(string, _)| usize::MAX - string.len());
    CountingWords { phrases, strings }
});

/// Splits a text into pieces; fillers are left out.
fn pieces(text: &str) -> Vec<Piece> {
    let text = words::lower(text);
    let tokens = tokens(&text);
    let (mut pieces, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        at += take(&tokens[at..], &mut pieces);
    }
    pieces.retain(|piece| *piece != Piece::Filler);
    pieces
}

/// Splits a text into runs of digits, runs of letters, and single signs.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_alike = |c: char| match first {
            '0'..='9' => c.is_ascii_digit(),
            _ => words::is_word_character(c) && !c.is_ascii_digit(),
        };
        let length = rest.find(|c| !is_alike(c)).unwrap_or(rest.len()).max(first.len_utf8());
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after.trim_start();
    }
    tokens
}

/// Reads the next token, or a phrase of several; returns how many.
fn take(tokens: &[&str], pieces: &mut Vec<Piece>) -> usize {
    let first = tokens[0];
    let Some(c) = first.chars().next() else { return 1 };
    if c.is_ascii_digit() {
        pieces.push(number(first));
        return 1;
    }
    if !words::is_word_character(c) {
        pieces.extend(sign(c));
        return 1;
    }
    let mut phrases = WORDS.phrases.get(first).into_iter().flatten();
    if let Some((words, piece)) = phrases.find(|(words, _)| tokens.starts_with(words)) {
        pieces.push(*piece);
        return words.len();
    }
    if c < FIRST_UNSPACED {
        pieces.push(Piece::Strange);
    } else {
        take_strings(first, pieces);
    }
    1
}

fn number(digits: &str) -> Piece {
    match digits.parse() {
        Ok(value) if (1..=MAX_PAGES).contains(&value) => {
            Piece::Number { value, padded: digits.starts_with('0') }
        }
        _ => Piece::Strange,
    }
}

fn sign(c: char) -> Option<Piece> {
    match c {
        '/' | '／' | '∕' | '⁄' => Some(Piece::Of),
        '(' | '[' | '（' | '［' | '【' | '〔' | '{' | '<' | '〈' | '＜' => Some(Piece::Open),
        ')' | ']' | '）' | '］' | '】' | '〕' | '}' | '>' | '〉' | '＞' => Some(Piece::Close),
        // "Page: 1", "1. oldal", "№ 1".
        '.' | ':' | '：' | '#' | '№' | 'º' | '°' | '\'' | '’' => None,
        _ => Some(Piece::Break),
    }
}

/// Returns the longest string of the lists at the start of a text.
fn string_at(text: &str) -> Option<&'static (&'static str, Piece)> {
    WORDS.strings.iter().find(|(string, _)| text.starts_with(string))
}

fn take_strings(run: &str, pieces: &mut Vec<Piece>) {
    let mut rest = run;
    while !rest.is_empty() {
        // Alone, the characters of numerals are words as often.
        if let Some((value, after)) = numerals::han_start(rest)
            && string_at(after).is_some_and(|(_, piece)| *piece == Piece::Chapter)
        {
            pieces.push(Piece::Number { value, padded: false });
            rest = after;
            continue;
        }
        let Some((string, piece)) = string_at(rest) else {
            pieces.push(Piece::Strange);
            return;
        };
        pieces.push(*piece);
        rest = &rest[string.len()..];
    }
}

/// Which words are beside the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wording {
    Page,
    Part,
    Chapter,
    /// None: `1/3`.
    Bare,
}

impl Wording {
    /// Returns `true` if a count in this wording may end with a word once more: "page 1 of 3 pages", 第1回（全3回）.
    fn may_end_with(self, piece: Option<&Piece>) -> bool {
        match piece {
            Some(Piece::Page) => self != Wording::Bare,
            Some(Piece::Part) => self == Wording::Part,
            _ => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Count {
    current: u32,
    total: u32,
    wording: Wording,
}

/// The orders of words and numbers that count pages, the longest first. `a` is the current page's number and `b` the
/// total; `w` is a word for page, part or chapter; `o` is "of", `t` "in total", `c` is 中; `-` is a sign.
const ORDERS: [&str; 20] = [
    "tbwoaw", "tbwcaw", "tbw-aw", // 共3页/第1页, 全3ページ中1ページ
    "waotb", "wa-ob", "wa-tb", // Page 1 (of 3)
    "awotb", "aw-tb", "tbwaw", // 第1页，共3页; 共3页 第1页
    "waob", "watb", "wbca", // Page 1 of 3; पृष्ठ 3 में से 1
    "aobw", "bcaw", "bwca", // 1/3ページ; 3ページ中1
    "bcwa", "bwaw", // 3 में से पृष्ठ 1; 3 sayfanın 1. sayfası
    "awob", "awtb", // 1. oldal / 3; 第1页共3
    "aob",
];

/// Reads a count at the start of some pieces; returns it with its length.
fn count(pieces: &[Piece]) -> Option<(Count, usize)> {
    let (count, length) = ORDERS.iter().find_map(|order| Some((in_order(pieces, order)?, order.len())))?;
    let more = usize::from(count.wording.may_end_with(pieces.get(length)));
    (count.current <= count.total).then_some((count, length + more))
}

fn in_order(pieces: &[Piece], order: &str) -> Option<Count> {
    let (mut current, mut total, mut wording, mut is_padded) = (0, 0, Wording::Bare, false);
    for (at, place) in order.chars().enumerate() {
        match (place, *pieces.get(at)?) {
            ('a', Piece::Number { value, padded }) => (current, is_padded) = (value, is_padded | padded),
            ('b', Piece::Number { value, padded }) => (total, is_padded) = (value, is_padded | padded),
            ('w', Piece::Page) => wording = Wording::Page,
            ('w', Piece::Part) => wording = Wording::Part,
            ('w', Piece::Chapter) => wording = Wording::Chapter,
            ('o', Piece::Of)
            | ('t', Piece::Total)
            | ('c', Piece::OfTotal)
            | ('-', Piece::Break | Piece::Open) => {}
            _ => return None,
        }
    }
    let is_date = wording == Wording::Bare && is_padded;
    (!is_date).then_some(Count { current, total, wording })
}

fn is_boundary(piece: Option<&Piece>) -> bool {
    matches!(piece, None | Some(Piece::Break | Piece::Open | Piece::Close))
}

/// Returns the count in a text, if nothing else is beside it; of several, the first.
fn count_in(pieces: &[Piece]) -> Option<Count> {
    (0..pieces.len()).find_map(|at| {
        let before = at.checked_sub(1).map(|at| &pieces[at]);
        let (count, length) = count(&pieces[at..]).filter(|_| is_boundary(before))?;
        is_boundary(pieces.get(at + length)).then_some(count)
    })
}

/// Returns which page of how many a title names: "Weirs, page 2 of 3", "Weirs (2/3)".
pub(super) fn in_title(title: &str) -> Option<(u32, u32)> {
    let count = count_in_title(&pieces(words::cut(title, MAX_TITLE)))?;
    Some((count.current, count.total))
}

/// Returns which chapter a title names: "Chapter 3: The Weir", 第三章, 3화.
pub(super) fn chapter_in_title(title: &str) -> Option<u32> {
    let pieces = pieces(words::cut(title, MAX_TITLE));
    pieces.windows(2).find_map(|pair| match pair {
        [Piece::Chapter, Piece::Number { value, .. }] | [Piece::Number { value, .. }, Piece::Chapter] => {
            Some(*value)
        }
        _ => None,
    })
}

fn count_in_title(pieces: &[Piece]) -> Option<Count> {
    (0..pieces.len()).find_map(|at| {
        let before = at.checked_sub(1).map(|at| &pieces[at]);
        let (count, length) = count(&pieces[at..])?;
        let after = pieces.get(at + length);
        let in_brackets = before == Some(&Piece::Open) && after == Some(&Piece::Close);
        let starts_with_word = matches!(pieces[at], Piece::Page | Piece::Part);
        let is_whole = is_boundary(after) && (is_boundary(before) || starts_with_word);
        let counts = match count.wording {
            Wording::Page | Wording::Part => is_whole,
            // A title names its chapter, and is no count of them.
            Wording::Chapter => false,
            Wording::Bare => in_brackets,
        };
        counts.then_some(count)
    })
}

/// Parts of a page that count something of their own.
const OTHER_PARTS: NameFlags = NameFlags::COMMENT
    .union(NameFlags::SLIDER)
    .union(NameFlags::CALENDAR)
    .union(NameFlags::RELATED)
    .union(NameFlags::SHARE)
    .union(NameFlags::SIDE)
    .union(NameFlags::HIDDEN);

/// Returns `true` for a place that belongs to the document itself.
pub(super) fn is_of_the_document(mark: &NodeMark) -> bool {
    let within = Enclosing::ASIDE | Enclosing::HIDDEN;
    !(mark.names | mark.around).intersects(OTHER_PARTS) && !mark.within.intersects(within)
}

pub(super) fn on(survey: &SurveyedPage<'_>) -> Option<SaidPages> {
    let said = match of_texts(survey) {
        (Found::None, chapters) => of_pager(survey).or_else(|| chapters.one())?,
        (pages, _) => pages.one()?,
    };
    let own = survey.own_paged.number.filter(|_| survey.own_paged.named);
    // A pager of comments counts from 1 on every page; addresses count from 0 or from 1.
    let agrees = own.is_none_or(|own| own > said.total || said.current == own || said.current == own + 1);
    agrees.then_some(said)
}

fn of_pager(survey: &SurveyedPage<'_>) -> Option<SaidPages> {
    of_row(survey).or_else(|| of_select(survey)).or_else(|| of_field(survey))
}

#[derive(Debug)]
enum Found {
    None,
    One(SaidPages),
    /// Texts that contradict each other.
    Several,
}

impl Found {
    fn add(&mut self, count: Count, words: &str) {
        match self {
            Found::None => {
                *self = Found::One(SaidPages {
                    current: count.current,
                    total: count.total,
                    words: tsugi_page::text::fold(words),
                    counted: match count.wording {
                        Wording::Chapter => Relation::Chapter,
                        Wording::Page | Wording::Part | Wording::Bare => Relation::Page,
                    },
                });
            }
            Found::One(said) if (said.current, said.total) == (count.current, count.total) => {}
            _ => *self = Found::Several,
        }
    }

    fn one(self) -> Option<SaidPages> {
        match self {
            Found::One(said) => Some(said),
            Found::None | Found::Several => None,
        }
    }
}

/// Returns the count of pages, and that of chapters.
fn of_texts(survey: &SurveyedPage<'_>) -> (Found, Found) {
    let (mut pages, mut chapters) = (of_titles(survey), Found::None);
    let (page, marks) = survey.trees.tree(0);
    let fields: Vec<NodeId> = page.elements_of(Tag::Input).collect();
    let has_field = |node: NodeId| {
        let behind = fields.partition_point(|field| *field < node);
        fields.get(behind).is_some_and(|field| page.contains(node, *field))
    };
    let may_have_number = |node: NodeId| {
        let own = page.string_value(node);
        has_digit(own.as_bytes()) || !own.is_ascii() || has_field(node)
    };
    let mut text = String::new();
    for node in page.subtree(NodeId::DOCUMENT) {
        let mark = &marks[node.index()];
        if !may_count(page, mark, node) || !may_have_number(node) {
            continue;
        }
        text.clear();
        if !write_text(page, marks, node, &mut text) {
            continue;
        }
        let pieces = pieces(&text);
        let strange = pieces.iter().filter(|piece| **piece == Piece::Strange).count();
        let Some(count) = count_in(&pieces).filter(|_| strange <= MAX_STRANGE) else { continue };
        let counts = match count.wording {
            Wording::Page => true,
            Wording::Part | Wording::Chapter => {
                is_in_pager(survey, node) || (strange == 0 && ends_text(page, node))
            }
            // "(4/5)" below a text is a rating.
            Wording::Bare => {
                let is_first = count.current == 1 && pieces.first() == Some(&Piece::Open);
                strange == 0 && (is_in_pager(survey, node) || (is_first && ends_text(page, node)))
            }
        };
        if counts {
            let found = if count.wording == Wording::Chapter { &mut chapters } else { &mut pages };
            found.add(count, &text.replace(BREAK, " "));
        }
    }
    (pages, chapters)
}

fn of_titles(survey: &SurveyedPage<'_>) -> Found {
    let (page, marks) = survey.trees.tree(0);
    let headings = survey.landmarks.headings.iter().copied().filter(|node| page.is_tag(*node, Tag::H1));
    let headings = headings.filter(|node| is_of_the_document(&marks[node.index()])).take(MAX_HEADINGS);
    let mut found = Found::None;
    for title in page.title().into_iter().chain(headings.map(|node| page.text(node))) {
        let title = words::cut(&title, MAX_TITLE);
        if let Some(count) = count_in_title(&pieces(title)) {
            found.add(count, title);
        }
    }
    found
}

/// A cheap check before a text is read.
fn may_count(page: &Page, mark: &NodeMark, node: NodeId) -> bool {
    let is_text = page.kind(node) == NodeKind::Text;
    if !is_text && page.kind(node) != NodeKind::Element {
        return false;
    }
    let characters = page.totals(node).characters;
    let is_small = is_text || page.subtree_end(node) - node.index() <= MAX_NODES;
    (2..=MAX_TEXT).contains(&characters)
        && is_small
        && !mark.within.intersects(Enclosing::LINK)
        && is_of_the_document(mark)
}

/// Stands for a link, or for the edge of a block, in the text of an element.
const BREAK: char = '\u{1}';

/// Writes the text of an element outside links and other parts of the page, with the values of fields; returns `false` if it
/// cannot have the two numbers of a count.
fn write_text(page: &Page, marks: &[NodeMark], node: NodeId, text: &mut String) -> bool {
    let mut skipped_to = 0;
    for inner in page.subtree(node) {
        if inner.index() < skipped_to {
            continue;
        }
        match page.kind(inner) {
            NodeKind::Text => text.push_str(page.data(inner)),
            NodeKind::Element if !is_of_the_document(&marks[inner.index()]) => {
                text.push(BREAK);
                skipped_to = page.subtree_end(inner);
            }
            NodeKind::Element => match page.known_tag(inner) {
                Tag::A
                | Tag::Button
                | Tag::Select
                | Tag::Script
                | Tag::Style
                | Tag::Noscript
                | Tag::Template => {
                    text.push(BREAK);
                    skipped_to = page.subtree_end(inner);
                }
                Tag::Input => {
                    let kind = page.value(inner, Attr::Type).unwrap_or("text");
                    let is_number = kind.eq_ignore_ascii_case("text") || kind.eq_ignore_ascii_case("number");
                    let value = page.value(inner, Attr::Value).filter(|_| is_number).unwrap_or_default();
                    text.push(' ');
                    text.push_str(words::cut(value, MAX_TEXT as usize));
                    text.push(' ');
                }
                Tag::Br => text.push(BREAK),
                _ if inner != node && page.class(inner).line => text.push(BREAK),
                _ => {}
            },
            _ => {}
        }
    }
    let (mut numbers, mut was_digit, mut has_cjk) = (0, false, false);
    for c in text.chars() {
        let is_digit = c.is_ascii_digit() || numerals::ascii_digit(c).is_some();
        numbers += usize::from(is_digit && !was_digit);
        has_cjk |= is_cjk(c);
        was_digit = is_digit;
    }
    // `第二章` has a number, too.
    numbers >= 2 || numbers == 1 && has_cjk
}

/// Returns `true` if links of a pager are close around, or the place is named so.
fn is_in_pager(survey: &SurveyedPage<'_>, node: NodeId) -> bool {
    let (page, marks) = survey.trees.tree(0);
    let mark = &marks[node.index()];
    if (mark.names | mark.around).intersects(NameFlags::PAGER) {
        return true;
    }
    page.ancestors(node).take(CLIMB).any(|around| {
        let (from, to) = survey.trees.items_in(0, around);
        let is_small = page.totals(around).characters <= 2 * MAX_TEXT && to - from <= MAX_NODES;
        let words = words::DIRECTIONS - (LabelWords::FIRST | LabelWords::LAST);
        is_small
            && survey.items[from..to].iter().any(|item| {
                let leads = matches!(item.target, LinkTarget::Candidate(_) | LinkTarget::Elsewhere);
                leads && item.says(words)
            })
    })
}

/// Returns `true` if an element with nothing else beside it follows a longer text, and little follows the element.
fn ends_text(page: &Page, node: NodeId) -> bool {
    /// The fewest characters of such a text.
    const LEAST_TEXT: u32 = 300;
    let characters = |node: NodeId| page.totals(node).characters;
    let own = characters(node);
    let alone = page
        .ancestors(node)
        .take(CLIMB)
        .take_while(|around| characters(*around) == own)
        .last()
        .unwrap_or(node);
    let is_picture = |node: NodeId| page.subtree(node).any(|inner| page.is_tag(inner, Tag::Img));
    // "Part 1 of 3" below a picture counts pictures.
    let below_picture =
        std::iter::successors(page.previous_sibling(alone), |node| page.previous_sibling(*node))
            .find(|node| page.kind(*node) == NodeKind::Element)
            .is_some_and(is_picture);
    std::iter::once(alone).chain(page.ancestors(alone)).take(2).any(|at| {
        let (mut before, mut after, mut is_after) = (0, 0, false);
        for beside in page.parent(at).into_iter().flat_map(|around| page.children(around)) {
            if beside == at {
                is_after = true;
            } else if is_after {
                after += characters(beside);
            } else {
                before += characters(beside);
            }
        }
        before >= LEAST_TEXT && after < LEAST_TEXT
    }) && page.class(alone).line
        && !below_picture
}

/// Returns the count of the page's best row of numbers, if it starts at page 1 and has the current page.
fn of_row(survey: &SurveyedPage<'_>) -> Option<SaidPages> {
    let run = survey.runs.best()?;
    let (current, total) = (run.current?, run.greatest);
    let first = &survey.items[run.from];
    let starts_at_one = run.least == 1 || (run.least == 2 && run.current_at.is_none());
    let counts = starts_at_one
        && current <= total
        && total <= MAX_PAGES
        && first.tree == 0
        && is_of_the_document(survey.trees.mark(first))
        && !survey.trees.mark(first).around.intersects(NameFlags::SORT | NameFlags::ARCHIVE)
        && is_row_of_pages(survey, run);
    counts.then(|| SaidPages::by_numbers(current, run.least, total))
}

/// Returns `true` if the row is named a pager, or the numbers of its links are those of their addresses.
fn is_row_of_pages(survey: &SurveyedPage<'_>, run: &NumberRow) -> bool {
    let mark = survey.trees.mark(&survey.items[run.from]);
    let is_named = (mark.names | mark.around).intersects(NameFlags::PAGER);
    let Some(onward) = run.onward else { return is_named };
    let item = &survey.items[onward];
    let LinkTarget::Candidate(at) = item.target else { return false };
    let paged = &survey.candidates[at as usize].paged;
    let number = super::runs::number(item);
    let is_numbered = paged.is_same && paged.number.is_some() && paged.number == number;
    let (_, pager) = survey.around(onward);
    let has_next = survey.items[pager.from..pager.to].iter().any(|beside| {
        beside.target == item.target && beside.says(LabelWords::NEXT | LabelWords::ARROW_RIGHT)
    });
    is_named || is_numbered || has_next
}

fn of_select(survey: &SurveyedPage<'_>) -> Option<SaidPages> {
    let (page, marks) = survey.trees.tree(0);
    let mut selects = page.elements_of(Tag::Select);
    selects.find_map(|node| {
        let is_usable = is_of_the_document(&marks[node.index()]);
        is_usable.then(|| pages_of_select(page, node)).flatten()
    })
}

/// Reads a field for the number of a page to go to: `<input type=number name=page min=1 max=3 value=1>`.
fn of_field(survey: &SurveyedPage<'_>) -> Option<SaidPages> {
    let (page, marks) = survey.trees.tree(0);
    let number = |node, name| page.attribute(node, name).and_then(|value| trim(value).parse::<u32>().ok());
    page.elements_of(Tag::Input).find_map(|node| {
        let name = page.value(node, Attr::Name).unwrap_or_default();
        let kind = page.value(node, Attr::Type).unwrap_or_default();
        let is_field = kind.eq_ignore_ascii_case("number")
            && is_page_name(name)
            && number(node, "min") == Some(1)
            && is_of_the_document(&marks[node.index()]);
        let (current, total) = (number(node, "value").unwrap_or(1), number(node, "max")?);
        let counts = is_field && (1..=total).contains(&current) && total <= MAX_PAGES;
        counts.then(|| SaidPages::by_numbers(current, 1, total))
    })
}

/// Reads a select with one option a page: "1", "2" or "Page 1", "Page 2".
pub(super) fn pages_of_select(page: &Page, node: NodeId) -> Option<SaidPages> {
    let (mut current, mut total, mut are_pages) = (None, 0, false);
    let options = page.subtree(node).filter(|node| page.is_tag(*node, Tag::Option)).take(MAX_OPTIONS);
    for option in options {
        let label = page.text(option);
        let reading = words::read(trim(&label));
        let value = trim(page.value(option, Attr::Value).unwrap_or(&label));
        let Some(number) = reading.number() else {
            // "Go to page …" comes first.
            if total == 0 && (value.is_empty() || value == "#") {
                continue;
            }
            return None;
        };
        if number != total + 1 {
            return None;
        }
        total = number;
        are_pages |= reading.words.intersects(LabelWords::PAGE) || super::ways::looks_like_address(value);
        if page.attribute(option, "selected").is_some() {
            current = Some(number);
        }
    }
    (are_pages && total > 1).then(|| SaidPages::by_numbers(current.unwrap_or(1), 1, total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LinkSurvey;

    #[test]
    fn the_list_is_well_formed() {
        let is_group = |group: &str| GROUPS.iter().any(|(name, _)| *name == group);
        assert_eq!(word_list::fault(LIST, word_list::lines(LIST), is_group), None);
    }

    fn said_at(at: &str, html: &str) -> Option<(u32, u32)> {
        let page = Page::from_text(html, &format!("https://a.test{at}").parse().unwrap());
        LinkSurvey::of(&page).said_pages().map(|said| (said.current, said.total))
    }

    fn said(html: &str) -> Option<(u32, u32)> {
        said_at("/weir", html)
    }

    #[test]
    fn pages_are_counted_in_many_languages() {
        for words in [
            "Page 1 of 3",
            "3 sayfanın 1. sayfası",
            "3 में से पृष्ठ 1",
            "page 1/3",
            "Page: 1 / 3",
            "Pg. 1 of 3",
            "1 of 3 pages",
            "Page 1 out of 3",
            "You are on page 1 of 3",
            "Page 1 (of 3)",
            "[Page 1 of 3]",
            "Seite 1 von 3",
            "Seite 1/3",
            "Page 1 sur 3",
            "Página 1 de 3",
            "página 1 de 3 páginas",
            "Pagina 1 di 3",
            "Pagina 1 van 3",
            "Pagina 1 din 3",
            "Strona 1 z 3",
            "Stránka 1 z 3",
            "Strana 1 ze 3",
            "Sida 1 av 3",
            "Side 1 af 3",
            "Sivu 1/3",
            "1. oldal / 3",
            "Oldal 1/3",
            "Sayfa 1 / 3",
            "Trang 1/3",
            "Trang 1 trên 3",
            "Halaman 1 dari 3",
            "Страница 1 из 3",
            "Стр. 1 из 3",
            "Сторінка 1 з 3",
            "Страница 1 от 3",
            "Strana 1 od 3",
            "Σελίδα 1 από 3",
            "صفحة 1 من 3",
            "صفحة ١ من ٣",
            "صفحه ۱ از ۳",
            "עמוד 1 מתוך 3",
            "पृष्ठ 1 / 3",
            "पृष्ठ १ / ३",
            "पृष्ठ 3 में से 1",
            "পৃষ্ঠা ১/৩",
            "பக்கம் 1 / 3",
            "หน้า 1 จาก 3",
            "หน้า ๑/๓",
            "1/3ページ",
            "１／３ページ",
            "1 / 3 ページ",
            "3ページ中1ページ目",
            "全3ページ中1ページ目",
            "第1页 共3页",
            "第1页，共3页",
            "第1页/共3页",
            "共3页 第1页",
            "第 1 頁，共 3 頁",
            "1/3页",
            "页 1/3",
            "1 / 3 페이지",
            "3페이지 중 1페이지",
            "총 3페이지 중 1페이지",
            "გვერდი 1 / 3",
            "44 posts • Page 1 of 3 • latest",
        ] {
            assert_eq!(said(&format!("<p>Text.</p><div>{words}</div>")), Some((1, 3)), "{words}");
        }
        assert_eq!(said("<p>x<br>Page <b>2</b> of <b>3</b><br>"), Some((2, 3)));
        assert_eq!(said("<div><a href=/1>Back</a> Page 2 of 3 <a href=/3>On</a></div>"), Some((2, 3)));
        assert_eq!(said("<form>Page <input value=2> of 3</form>"), Some((2, 3)));
    }

    #[test]
    fn titles_count_parts_and_bare_numbers() {
        for title in [
            "Weirs - Page 2 of 3 | Site",
            "Weirs (2/3)",
            "Weirs, part 2 of 3",
            "Weirs (Teil 2 von 3)",
            "Weirs [2/3] - Site",
            "堰について（2/3ページ）",
            "堰について (2/3)",
            "Weirs page 2 of 3",
            "Плотины, часть 2 из 3",
            "堰について｜第2回（全3回）",
            "水坝 - 第2部分，共3部分",
            "سدها، بخش 2 از 3",
        ] {
            assert_eq!(said(&format!("<title>{title}</title><p>Text.")), Some((2, 3)), "{title}");
            assert_eq!(said(&format!("<h1>{title}</h1><p>Text.")), Some((2, 3)), "{title}");
        }
        for title in [
            "Weirs 1/3",
            "1/3 of all weirs",
            "The 2 of 3 rule",
            "Part 2: of 3 weirs and me",
            "Weirs 4 of 5 stars",
        ] {
            assert_eq!(said(&format!("<title>{title}</title><p>Text.")), None, "{title}");
        }
    }

    #[test]
    fn bare_numbers_count_in_pagers() {
        assert_eq!(said("<div><span>1/3</span> <a href=/weir2>Next</a></div>"), Some((1, 3)));
        assert_eq!(said("<div class=pagination>2 of 3</div>"), Some((2, 3)));
        assert_eq!(said("<nav><a href=/a>‹</a> Part 2 of 3 <a href=/b>›</a></nav>"), Some((2, 3)));
        for html in [
            "<p>1/3</p>",
            "<p>4 of 5 stars</p><a href=/weir2>Next</a>",
            "<span>1 of 3 people found this helpful</span>",
            "<div class=gallery><span>1/3</span> <a href=/x>Next</a></div>",
            "<div class=comments>Page 1 of 3</div>",
            "<aside>Page 1 of 3</aside>",
            "<p>Part 1 of 3</p>",
            "<p>Page 1 of 3</p><p>Page 2 of 3</p><p>Page 3 of 3</p>",
            "<p>It is on page 1 of 3 books that I own.</p>",
            "<a href=/2>Continue to page 2 of 3</a>",
            "<p>Page 3 of 1</p>",
            "<p>Page 1 of 123456</p>",
        ] {
            assert_eq!(said(html), None, "{html}");
        }
    }

    #[test]
    fn parts_and_bare_numbers_count_below_a_text() {
        let text = "<p>".to_owned() + &"The weir was closed in winter. ".repeat(20) + "</p>";
        for words in ["(1/3)", "Part 1 of 3", "Teil 1 von 3", "Slide 1 of 3"] {
            let last = format!("<div class=count>{words}</div>");
            for html in [
                format!("{text}{last}<p>Contact us</p>"),
                format!("<main><div>{text}</div>{last}</main><footer>{text}</footer>"),
                format!("<article>{text}<p><b>{words}</b></p></article>{text}"),
            ] {
                assert_eq!(said(&html), Some((1, 3)), "{html}");
            }
            for html in [
                format!("{last}{text}"),
                format!("{text}{last}{text}"),
                format!("{text}<img src=a.png>{last}"),
                format!("{text}<p>See {words}</p>"),
            ] {
                assert_eq!(said(&html), None, "{html}");
            }
        }
        for words in ["(4/5)", "1/3", "1 of 3 cups"] {
            assert_eq!(said(&format!("{text}<p>{words}</p>")), None, "{words}");
        }
    }

    #[test]
    fn chapters_count_where_pages_do_not() {
        let text = "<p>".to_owned() + &"The weir was closed in winter. ".repeat(20) + "</p>";
        let counted = |html: &str| {
            let page = Page::from_text(html, &"https://a.test/weir".parse().unwrap());
            LinkSurvey::of(&page).said_pages().map(|said| (said.counted, said.current, said.total))
        };
        for words in ["Chapter 3 of 5", "Kapitel 3 von 5", "Глава 3 из 5", "Chapter 3/5", "全5章中3章"]
        {
            let below = format!("{text}<div class=chapters>{words}</div>");
            assert_eq!(counted(&below), Some((Relation::Chapter, 3, 5)), "{words}");
            let both = format!("{below}<p>Page 1 of 2</p>");
            assert_eq!(counted(&both), Some((Relation::Page, 1, 2)), "{words}");
            assert_eq!(counted(&format!("<title>Weirs, {words}</title>{text}")), None, "{words}");
            assert_eq!(counted(&format!("{text}<p>See {words} on weirs.</p>{text}")), None, "{words}");
        }
    }

    #[test]
    fn titles_name_their_chapters() {
        for (title, number) in [
            ("Chapter 3: The Weir (1/2)", 3),
            ("The Weir, chapter 12", 12),
            ("第三章 旧桥", 3),
            ("第二十一話　古い橋", 21),
            ("第百二章", 102),
            ("12화 낡은 다리", 12),
            ("Chương 4: Cây cầu", 4),
            ("Глава 2. Мост", 2),
        ] {
            assert_eq!(chapter_in_title(title), Some(number), "{title}");
        }
        for title in
            ["The Weir", "Chapters of a life", "Page 2 of 3", "一章", "十分", "The third chapter", ""]
        {
            let named = chapter_in_title(title);
            assert_eq!(named, (title == "一章").then_some(1), "{title}");
        }
    }

    #[test]
    fn pagers_and_selects_count() {
        let pager = "<div class=pagination><b>1</b> <a href=/weir/2>2</a> <a href=/weir/3>3</a> … <a href=/weir/9>9</a></div>";
        assert_eq!(said(pager), Some((1, 9)));
        assert_eq!(said("<p><b>1</b> <a href='?page=2'>2</a> <a href='?page=3'>3</a></p>"), Some((1, 3)));
        assert_eq!(
            said("<select><option value=/a selected>Page 1<option value=/b>Page 2</select>"),
            Some((1, 2))
        );
        assert_eq!(
            said("<select><option value=''>Go<option value=/a>1<option value=/b selected>2</select>"),
            Some((2, 2))
        );
        let field = |name: &str| {
            format!("<form>Go to page <input type=number name={name} min=1 max=3 value=2></form>")
        };
        assert_eq!((said(&field("page")), said(&field("guests"))), (Some((2, 3)), None));
        for html in [
            "<select><option>1<option>2<option>3</select>",
            "<select><option value=/a>1<option value=/c>3</select>",
            "<p><b>3</b> <a href=/weir/4>4</a> <a href=/weir/5>5</a></p>",
            "<div class=comments><b>1</b> <a href='?c=2'>2</a> <a href='?c=3'>3</a></div>",
            "<p><b>1</b> <a href=/one>2</a> <a href=/two>3</a></p>",
        ] {
            assert_eq!(said(html), None, "{html}");
        }
    }

    #[test]
    fn a_count_that_its_address_denies_is_of_something_else() {
        assert_eq!(said_at("/weir?page=2", "<p>Page 1 of 5</p>"), None);
        assert_eq!(said_at("/weir?page=2", "<p>Page 2 of 5</p>"), Some((2, 5)));
        assert_eq!(said_at("/weir?page=1", "<p>Page 2 of 5</p>"), Some((2, 5)), "counted from 0");
        assert_eq!(said_at("/weir?start=20", "<p>Page 3 of 5</p>"), Some((3, 5)));
    }

    proptest::proptest! {
        #[test]
        fn any_page_is_read(html in "(<(p|b|a href=/2|h1|title|select|option|input value=1)>|Page|of|第|页|共|中|[0-9]{1,6}|/| |[(),.]|x|[\u{660}-\u{669}]){0,24}") {
            if let Some((current, total)) = said(&html) {
                proptest::prop_assert!(0 < current && current <= total && total <= MAX_PAGES);
            }
        }
    }
}
