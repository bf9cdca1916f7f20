//! The meaning of words in labels, in many languages: next, previous, page, arrows, numbers.
//!
//! Word lists are data files with one parser, so that adding a language changes no code. A sketch of each word comes
//! before its look-up (see [`Lexicon`]).

use super::numerals;
use std::sync::LazyLock;
use tsugi_page::lexicon::{Lexicon, flags};
use tsugi_page::text::is_alphanumeric;
use tsugi_page::word_list;

flags! { LabelWords: u32;
    NEXT = 0, PREVIOUS = 1, OLDER = 2, NEWER = 3, FIRST = 4, LAST = 5, PAGE = 6, MORE = 7, CHAPTER = 8,
    POST = 9, COMMENT = 10, HOME = 11, ARROW_RIGHT = 12, ARROW_LEFT = 13, DOUBLE_RIGHT = 14, DOUBLE_LEFT = 15,
    CALENDAR = 16, CONTINUE = 17, READ = 18, THREAD = 19, DATE = 20,
}

/// Words that are matched whole and in lower case, by meaning.
const WORDS: &str = include_str!("lists/labels.txt");
/// Strings of scripts that have no spaces between words, or use prefixes; matched anywhere in a label.
const STRINGS: &str = include_str!("lists/strings.txt");
const MAX_STRINGS: usize = 192;

/// The lowest character that a string in [`STRINGS`] starts with: Armenian and later scripts.
const FIRST_STRING_CHARACTER: char = '\u{530}';

static BY_WORD: LazyLock<Lexicon<LabelWords>> = LazyLock::new(|| Lexicon::of_flags(WORDS));

struct ByStart {
    strings: Vec<(&'static str, LabelWords)>,
    /// First characters and indices in `strings`, in the order of the last bits of the characters.
    starts: Vec<(char, usize)>,
    /// For each value of the last bits, and one past the last: where its characters start.
    from: [usize; LAST_BITS + 1],
}

const LAST_BITS: usize = 256;

static BY_START: LazyLock<ByStart> = LazyLock::new(|| {
    let strings: Vec<(&str, LabelWords)> =
        word_list::lines(STRINGS).map(|(group, string)| (string, flags(group))).collect();
    let starts =
        strings.iter().enumerate().map(|(at, (string, _))| (string.chars().next().unwrap_or(' '), at));
    let mut starts: Vec<(char, usize)> = starts.collect();
    starts.sort_unstable_by_key(|(c, at)| (last_bits(*c), *at));
    let from = std::array::from_fn(|last| starts.partition_point(|(c, _)| last_bits(*c) < last));
    ByStart { strings, starts, from }
});

impl ByStart {
    fn places(&self, c: char) -> impl Iterator<Item = usize> {
        let last = c as usize % LAST_BITS;
        let starts = &self.starts[self.from[last]..self.from[last + 1]];
        starts.iter().filter(move |(start, _)| *start == c).map(|(_, at)| *at)
    }
}

fn last_bits(c: char) -> usize {
    c as usize % LAST_BITS
}

fn arrow(c: char) -> LabelWords {
    match c {
        '›' | '→' | '▶' | '►' | '▸' | '⟩' | '>' | '❯' | '⇒' | '➡' | '➔' | '➜' | '➤' | '▷' | '☞' | '〉'
        | '＞' | '⟶' | '⏵' | '⯈' | '▻' | '⮞' | '👉' | '⇨' | '➝' | '➞' | '➙' => {
            LabelWords::ARROW_RIGHT
        }
        '»' | '≫' | '⏩' | '⏭' | '》' | '⇥' | '⇉' => LabelWords::DOUBLE_RIGHT,
        '‹' | '←' | '◀' | '◄' | '◂' | '⟨' | '<' | '❮' | '⇐' | '⬅' | '〈' | '＜' | '⟵' | '⏴' | '⯇' | '◁'
        | '◅' | '☜' | '👈' | '⇦' => LabelWords::ARROW_LEFT,
        '«' | '≪' | '⏪' | '⏮' | '《' | '⇤' | '⇇' => LabelWords::DOUBLE_LEFT,
        _ => LabelWords::empty(),
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LabelReading {
    pub(crate) words: LabelWords,
    /// Number of characters other than white space.
    pub(crate) characters: u16,
    /// Number of those in words and signs for next, older or page, and in numbers beside such words.
    pub(crate) covered: u16,
    /// Number of words; a run of characters without spaces is one.
    pub(crate) tokens: u16,
    pub(crate) numbers: Option<(u32, u32)>,
    pub(crate) number_count: u16,
    /// `true` if it has letters that are not part of a known word.
    pub(crate) strange: bool,
}

impl LabelReading {
    /// Returns the reading of a label that is nothing but a number.
    pub(crate) fn of_number(number: u32, characters: u16) -> LabelReading {
        LabelReading {
            characters,
            covered: characters,
            numbers: Some((number, number)),
            number_count: 1,
            ..LabelReading::default()
        }
    }

    /// Returns the number that the label denotes: a number alone, in brackets, or beside a word for page.
    pub(crate) fn number(&self) -> Option<u32> {
        match self.numbers {
            // "Go to page 2", "Current page 1": few words, one of which is "page".
            Some((number, _)) if self.number_count == 1 && (!self.strange || self.is_about_a_page()) => {
                Some(number)
            }
            _ => None,
        }
    }

    fn is_about_a_page(&self) -> bool {
        self.tokens <= 3 && self.words.intersects(LabelWords::PAGE)
    }

    pub(crate) fn is_bare_number(&self) -> bool {
        self.number().is_some() && self.words.is_empty()
    }

    /// Returns the share of the label in words for next, older and page.
    pub(crate) fn cover(&self) -> f32 {
        f32::from(self.covered) / f32::from(self.characters.max(1))
    }
}

const MAX_LABEL: usize = 160; // Maximum number of bytes read of a label.

/// Words that count as covered.
const PAGING: LabelWords = LabelWords::NEXT
    .union(LabelWords::OLDER)
    .union(LabelWords::PAGE)
    .union(LabelWords::ARROW_RIGHT)
    .union(LabelWords::DOUBLE_RIGHT)
    .union(LabelWords::CONTINUE);

/// Words and signs for the position of a link's target in a sequence.
pub(crate) const DIRECTIONS: LabelWords = LabelWords::NEXT
    .union(LabelWords::PREVIOUS)
    .union(LabelWords::OLDER)
    .union(LabelWords::NEWER)
    .union(LabelWords::FIRST)
    .union(LabelWords::LAST)
    .union(LabelWords::ARROW_RIGHT)
    .union(LabelWords::ARROW_LEFT)
    .union(LabelWords::DOUBLE_RIGHT)
    .union(LabelWords::DOUBLE_LEFT);

/// Cuts a text to at most `limit` bytes, at a character boundary.
pub(crate) fn cut(text: &str, limit: usize) -> &str {
    &text[..text.floor_char_boundary(limit)]
}

/// Returns `true` if a text can be neither a number, nor a count of pages, nor at most three words including one of a
/// pager. Most texts between links are like this, and this check is cheaper than reading them.
pub(crate) fn is_plain(text: &str) -> bool {
    let (mut words, mut in_word) = (0, false);
    for byte in text.bytes() {
        if byte.is_ascii_digit() || !byte.is_ascii() || matches!(byte, b'<' | b'>') {
            return false;
        }
        let is_word = byte.is_ascii_alphabetic() || byte == b'_';
        words += u32::from(is_word && !in_word);
        in_word = is_word;
    }
    words == 0 || words > 3
}

pub(crate) fn read(label: &str) -> LabelReading {
    if label.is_empty() {
        return LabelReading::default();
    }
    let label = cut(label, MAX_LABEL);
    if label.is_ascii() { read_ascii(label) } else { read_any(&lower(label)) }
}

const KINDS: [u8; 128] = {
    let mut kinds = [0; 128];
    let mut byte: u8 = 0;
    while byte < 128 {
        kinds[byte as usize] = match byte {
            b'\t'..=b'\r' | b' ' => SPACE,
            b'0'..=b'9' => WORD | DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => WORD,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

const SPACE: u8 = 1;
const WORD: u8 = 1 << 1;
const DIGIT: u8 = 1 << 2;

fn read_ascii(label: &str) -> LabelReading {
    let bytes = label.as_bytes();
    let mut reading = LabelReading::default();
    let (mut at, mut last_arrow) = (0, 0);
    while let Some(byte) = bytes.get(at).copied() {
        let mut kinds = kind_of(byte);
        if kinds & SPACE != 0 {
            at += 1;
            continue;
        }
        if kinds & WORD != 0 {
            let from = at;
            at += 1;
            while let Some(byte) = bytes.get(at).filter(|byte| kind_of(**byte) & WORD != 0) {
                kinds |= kind_of(*byte);
                at += 1;
            }
            let word = &label[from..at];
            if kinds & DIGIT == 0 {
                reading.take_word(word);
            } else {
                reading.take(word);
            }
            last_arrow = 0;
            continue;
        }
        at += 1;
        reading.characters += 1;
        let (arrow, double) = match byte {
            b'>' => (LabelWords::ARROW_RIGHT, LabelWords::DOUBLE_RIGHT),
            b'<' => (LabelWords::ARROW_LEFT, LabelWords::DOUBLE_LEFT),
            _ => {
                last_arrow = 0;
                continue;
            }
        };
        reading.covered += u16::from(PAGING.intersects(arrow));
        reading.words.insert(arrow);
        if last_arrow == byte {
            reading.words.insert(double);
        }
        last_arrow = byte;
    }
    reading
}

fn kind_of(byte: u8) -> u8 {
    KINDS[usize::from(byte & 127)]
}

fn read_any(lower: &str) -> LabelReading {
    let mut reading = LabelReading::default();
    let mut rest = lower;
    let mut last_arrow = None;
    while let Some(c) = rest.chars().next() {
        if c.is_whitespace() {
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let length = if is_word_character(c) {
            rest.find(|c| !is_word_character(c)).unwrap_or(rest.len())
        } else {
            c.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        let arrow = arrow(c);
        if arrow.is_empty() {
            last_arrow = None;
            reading.take(token);
            continue;
        }
        reading.characters += 1;
        reading.covered += u16::from(PAGING.intersects(arrow));
        reading.words.insert(arrow);
        // `>>` is a double arrow.
        if last_arrow == Some(c) {
            reading.words.insert(match arrow {
                LabelWords::ARROW_RIGHT => LabelWords::DOUBLE_RIGHT,
                LabelWords::ARROW_LEFT => LabelWords::DOUBLE_LEFT,
                other => other,
            });
        }
        last_arrow = Some(c);
    }
    reading
}

/// Leaves out the dot that lower-casing may put above an i; digits of all scripts and circled numbers become ASCII.
pub(crate) fn lower(text: &str) -> String {
    let mut lower = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\0'..='\u{7f}' => lower.push(c.to_ascii_lowercase()),
            // Kana, Chinese characters and Hangul have no case; the other letters are small ones of common scripts.
            '\u{3041}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | 'ß'..='ö' | 'ø'..='ÿ' | 'а'..='џ' => {
                lower.push(c);
            }
            _ if let Some(digit) = numerals::ascii_digit(c) => lower.push(digit),
            _ if let Some(number) = numerals::circled(c) => {
                lower.push(' ');
                lower.push_str(&number.to_string());
                lower.push(' ');
            }
            _ => lower.extend(c.to_lowercase().filter(|c| is_kept(*c))),
        }
    }
    lower
}

fn is_kept(c: char) -> bool {
    !matches!(c, '\u{307}' | '\u{200b}'..='\u{200f}')
}

pub(crate) fn is_word_character(c: char) -> bool {
    // Vowel signs of Indic scripts and Thai are not letters in Unicode, but are part of words.
    matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{eff}' | 'ー' | '_') || is_alphanumeric(c)
}

impl LabelReading {
    fn take_word(&mut self, token: &str) {
        let characters = saturate(token.len());
        self.characters = self.characters.saturating_add(characters);
        self.tokens = self.tokens.saturating_add(1);
        let meaning = BY_WORD.get(token);
        self.words.insert(meaning.unwrap_or(LabelWords::empty()));
        let is_paging = meaning.is_some_and(|meaning| PAGING.intersects(meaning));
        self.covered += if is_paging { characters } else { 0 };
        self.strange |= !is_paging;
    }

    fn take(&mut self, token: &str) {
        let is_ascii = token.is_ascii();
        let characters = saturate(if is_ascii { token.len() } else { token.chars().count() });
        self.characters = self.characters.saturating_add(characters);
        if token.bytes().all(|b| b.is_ascii_digit()) {
            self.take_number(token);
            // `2` is covered if it is next to a covered word.
            self.covered += characters;
            return;
        }
        if !token.starts_with(is_word_character) {
            return;
        }
        self.tokens = self.tokens.saturating_add(1);
        if let Some(meaning) = BY_WORD.get(token) {
            self.words.insert(meaning);
            self.covered += if PAGING.intersects(meaning) { characters } else { 0 };
            self.strange |= !PAGING.intersects(meaning);
            return;
        }
        for number in token.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty()) {
            self.take_number(number);
        }
        if !is_ascii && token.chars().any(|c| c >= FIRST_STRING_CHARACTER) {
            self.take_strings(token, characters);
        } else {
            self.strange = true;
        }
    }

    fn take_strings(&mut self, token: &str, characters: u16) {
        let mut known = 0;
        let by_start = &*BY_START;
        // One bit per string, so that each counts once, however often it occurs.
        let mut found = [0_u64; MAX_STRINGS / 64];
        for (place, c) in token.char_indices().filter(|(_, c)| *c >= FIRST_STRING_CHARACTER) {
            for at in by_start.places(c) {
                let (string, meaning) = by_start.strings[at];
                let bit = 1 << (at % 64);
                if found[at / 64] & bit == 0 && token[place..].starts_with(string) {
                    found[at / 64] |= bit;
                    self.words.insert(meaning);
                    known += if PAGING.intersects(meaning) { saturate(string.chars().count()) } else { 0 };
                }
            }
        }
        known += saturate(token.chars().filter(char::is_ascii_digit).count());
        if let Some((number, length)) = numerals::han_of_page(token) {
            self.take_number(&number.to_string());
            known += length;
        }
        // Particles next to a known word are not unknown letters: 次の, 次へ, 第2页, 다음으로.
        let particles = saturate(token.chars().filter(|c| is_particle(*c)).count());
        let known = known.min(characters);
        self.covered += known;
        self.strange |= known + particles < characters;
    }

    fn take_number(&mut self, digits: &str) {
        let number = if digits.len() <= 7 { digits.parse().unwrap_or(u32::MAX) } else { u32::MAX };
        let first = self.numbers.map_or(number, |(first, _)| first);
        self.numbers = Some((first, number));
        self.number_count = self.number_count.saturating_add(1);
    }
}

fn is_particle(c: char) -> bool {
    matches!(c, 'の' | 'へ' | 'に' | 'を' | '第' | '个' | '個' | '件' | '공' | '으' | '로')
}

fn saturate(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortcuts_say_what_the_long_way_says() {
        for c in '\0'..=char::MAX {
            let is_word = c.is_alphanumeric()
                || c == '_'
                || matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{eff}' | 'ー');
            assert_eq!(is_word_character(c), is_word, "{c:?}");
            let dropped = |c: &char| !matches!(c, '\u{307}' | '\u{200b}'..='\u{200f}');
            let is_digit = numerals::ascii_digit(c).is_some() || numerals::circled(c).is_some();
            let slow: String = c.to_lowercase().filter(dropped).collect();
            assert!(is_digit || lower(&c.to_string()) == slow, "{c:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn words_of_ascii_are_read_alike_both_ways(label in "(next|page|[a-d_]{1,3}|[0-9]{1,3}|[ <>/.-]){0,8}") {
            proptest::prop_assert_eq!(read_ascii(&label), read_any(&label));
            let reading = read(&label);
            if is_plain(&label) {
                proptest::prop_assert!(reading.numbers.is_none());
                proptest::prop_assert!(reading.tokens > 3 || reading.words.is_empty());
            }
        }
    }

    #[test]
    fn next_is_understood_in_many_languages() {
        const LABELS: &str = "Next|NEXT PAGE »|Nächste Seite|Page suivante|Siguiente ›|Próxima|Avanti|Volgende|Nästa|\
            Seuraava|Następna strona|Další|Következő|Следующая|Далее|Наступна|Επόμενη|Sonraki|İLERİ|\
            Berikutnya|Trang tiếp|次へ|次のページ|次の20件|つぎへ|下一页|下一頁|下页|다음|다음페이지|ถัดไป|अगला पृष्ठ|التالي|\
            الصفحة التالية|بعدی|הבא|הבאה|arrow_forward|chevron_right";
        for label in LABELS.split('|') {
            assert!(read(label).words.intersects(LabelWords::NEXT), "{label}");
        }
        for label in "Previous|Zurück|前へ|前のページ|上一页|이전글|السابق|Назад|Anterior".split('|')
        {
            let words = read(label).words & (LabelWords::PREVIOUS | LabelWords::NEXT);
            assert_eq!(words, LabelWords::PREVIOUS, "{label}");
        }
        assert!(!read("名前").words.contains(LabelWords::PREVIOUS));
        assert!(!read("nextcloud").words.contains(LabelWords::NEXT));
    }

    #[test]
    fn arrows_single_and_double() {
        for (label, words) in [
            ("→", LabelWords::ARROW_RIGHT),
            ("»", LabelWords::DOUBLE_RIGHT),
            (">>", LabelWords::ARROW_RIGHT | LabelWords::DOUBLE_RIGHT),
            ("> >>", LabelWords::ARROW_RIGHT | LabelWords::DOUBLE_RIGHT),
            ("« Older entries", LabelWords::DOUBLE_LEFT | LabelWords::OLDER | LabelWords::POST),
            // An entity that stayed literal.
            ("&raquo;", LabelWords::LAST | LabelWords::DOUBLE_RIGHT),
        ] {
            assert_eq!(read(label).words, words, "{label}");
        }
    }

    #[test]
    fn a_number_is_one_alone_or_beside_a_word_for_page() {
        for (label, number) in [
            ("2", Some(2)),
            ("[12]", Some(12)),
            ("Page 3", Some(3)),
            ("第2页", Some(2)),
            ("５", Some(5)),
            ("2ページ", Some(2)),
            ("Go to page 7", Some(7)),
        ] {
            assert_eq!(read(label).number(), number, "{label}");
        }
        for label in ["3 of 4", "2 comments", "Windows 10", "v2", "", "次へ 2/4 »", "2013年"] {
            assert_eq!(read(label).number(), None, "{label}");
        }
        assert!(read("(4)").is_bare_number() && !read("page 4").is_bare_number());
    }

    #[test]
    fn cover_is_the_share_of_paging_words() {
        // `next` 4 and `page` 4 of 8 characters; `next` 4 of `next` 4 + `chapter` 7; 次 1 + ページ 3 of 次のページ 5.
        assert_eq!(read("Next page").cover(), 1.0);
        assert_eq!(read("Next chapter").cover(), 4.0 / 11.0);
        assert_eq!(read("次のページ").cover(), 4.0 / 5.0);
        assert_eq!(read("").cover(), 0.0);
    }

    proptest::proptest! {
        #[test]
        fn labels_of_ascii_are_read_as_any(label in "(next|Page|PREV|load|x|_|[0-9]{1,9}| |\\t|>|<|/|\\.|-|\\x1c){0,12}") {
            proptest::prop_assert_eq!(read_ascii(&label), read_any(&lower(&label)));
        }

        #[test]
        fn strings_are_sought_anywhere(token in "(次|の|ページ|へ|前|前の|もっと|读|阅读|다음|한|ถัดไป|2){0,9}") {
            let words = read(&token).words;
            for (string, meaning) in &BY_START.strings {
                proptest::prop_assert!(!token.contains(string) || words.union(*meaning) == words, "{}", string);
            }
        }
    }

    #[test]
    fn lists_are_well_formed() {
        let is_group = |group: &str| !flags::<LabelWords>(group).is_empty();
        assert_eq!(word_list::fault(WORDS, word_list::words(WORDS), is_group), None);
        // A string in two groups would count twice.
        let strings = word_list::lines(STRINGS).map(|(_, string)| ("strings", string));
        assert_eq!(word_list::fault(STRINGS, strings, is_group), None);
        let strings = &BY_START.strings;
        assert!(strings.len() <= MAX_STRINGS);
        assert!(strings.iter().all(|(string, _)| string.starts_with(|c| c >= FIRST_STRING_CHARACTER)));
    }

    #[test]
    fn long_labels_are_cut_at_a_character() {
        assert!(read(&"次".repeat(1000)).characters <= 54);
        assert_eq!(cut("ab次", 3), "ab");
    }
}
