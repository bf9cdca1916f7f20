use super::characters::{is_alphanumeric, is_cjk};
use crate::size::u32_of;
use std::ops::AddAssign;

/// Counts of the characters and words of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextCounts {
    /// Characters other than white space.
    pub characters: u32,
    /// White space characters.
    pub spaces: u32,
    /// Line breaks in the source.
    pub newlines: u32,
    /// Words of letters and digits, and single CJK characters, as in evaluation.
    pub tokens: u32,
    /// CJK characters.
    pub cjk: u32,
    /// Letters, CJK included.
    pub letters: u32,
    /// Upper-case letters.
    pub upper: u32,
    /// Decimal digits.
    pub digits: u32,
    /// Words of digits only.
    pub numbers: u32,
    /// Words that start with an upper-case letter.
    pub capitalised: u32,
    /// Ends of sentences.
    pub sentence_ends: u32,
    /// Commas, semicolons and the like, in all scripts.
    pub commas: u32,
    /// Separators of menu and breadcrumb items: `|`, `·`, `»` …
    pub separators: u32,
    /// Currency signs.
    pub currency: u32,
}

impl AddAssign for TextCounts {
    fn add_assign(&mut self, other: Self) {
        self.characters += other.characters;
        self.spaces += other.spaces;
        self.newlines += other.newlines;
        self.tokens += other.tokens;
        self.cjk += other.cjk;
        self.letters += other.letters;
        self.upper += other.upper;
        self.digits += other.digits;
        self.numbers += other.numbers;
        self.capitalised += other.capitalised;
        self.sentence_ends += other.sentence_ends;
        self.commas += other.commas;
        self.separators += other.separators;
        self.currency += other.currency;
    }
}

impl TextCounts {
    /// Returns the counts of a text.
    pub fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut counter = TextCounter::default();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            // Fast path: most texts consist of ASCII words and white space.
            at = match ASCII.get(usize::from(*byte)).copied() {
                Some(SPACE) => counter.spaces(bytes, at),
                Some(OTHER) => {
                    counter.character(char::from(*byte));
                    at + 1
                }
                Some(_) => counter.word(bytes, at),
                None => at + counter.others(&text[at..]),
            };
        }
        counter.end()
    }

    fn sign(&mut self, c: char) {
        match c {
            ',' | ';' | '、' | '，' | '；' | '،' | '؛' => self.commas += 1,
            '。' | '！' | '？' | '।' | '؟' | '۔' | '።' | '။' | '។' => self.sentence_ends += 1,
            '|' | '·' | '•' | '»' | '«' | '›' | '‹' | '→' | '←' | '/' | '>' | '<' | '｜' | '・' | '＞'
            | '：' | ':' | '●' | '▲' | '■' | '★' => self.separators += 1,
            '$' | '€' | '£' | '¥' | '￥' | '₹' | '₽' | '₩' | '₺' | '฿' | '₫' | '₴' | '₦' =>
            {
                self.currency += 1;
            }
            _ => {}
        }
    }
}

const ASCII: [u8; 128] = {
    let mut kinds = [OTHER; 128];
    let mut byte: u8 = 0;
    while byte < 128 {
        kinds[byte as usize] = match byte {
            b' ' | b'\t'..=b'\r' => SPACE,
            b'a'..=b'z' | b'_' => LETTER,
            b'A'..=b'Z' => UPPER,
            b'0'..=b'9' => DIGIT,
            _ => OTHER,
        };
        byte += 1;
    }
    kinds
};

const OTHER: u8 = 0;
const SPACE: u8 = 1;
const LETTER: u8 = 2;
const UPPER: u8 = 3;
const DIGIT: u8 = 4;

/// Contribution of each byte to the counts of a word: length in the lowest bits, upper-case letters and digits in those above
/// (see [`FIELD`]); 0 for bytes outside words and beyond ASCII.
const ADDED: [u64; 256] = {
    let mut added = [0; 256];
    let mut byte = 0;
    while byte < ASCII.len() {
        added[byte] = match ASCII[byte] {
            LETTER => 1,
            UPPER => 1 | 1 << FIELD,
            DIGIT => 1 | 1 << (2 * FIELD),
            _ => 0,
        };
        byte += 1;
    }
    added
};

/// Bits of each count, and number of bytes read at once, so that none overflows.
const FIELD: u32 = 21;
const MAX_RUN: usize = 1 << 20;

#[derive(Debug, Default)]
struct TextCounter {
    counts: TextCounts,
    word: OpenWord,
    /// The last character ends a sentence, depending on what follows.
    stop: bool,
}

impl TextCounter {
    fn spaces(&mut self, bytes: &[u8], from: usize) -> usize {
        self.counts.sentence_ends += u32::from(std::mem::take(&mut self.stop));
        self.word.end(&mut self.counts);
        let mut at = from;
        while let Some(byte) = bytes.get(at)
            && ASCII.get(usize::from(*byte)) == Some(&SPACE)
        {
            self.counts.newlines += u32::from(*byte == b'\n');
            at += 1;
        }
        self.counts.spaces += u32_of(at - from);
        at
    }

    fn word(&mut self, bytes: &[u8], from: usize) -> usize {
        self.stop = false;
        if self.word.length == 0 {
            self.word.capitalised = bytes[from].is_ascii_uppercase();
        }
        let mut run = 0;
        for byte in &bytes[from..bytes.len().min(from + MAX_RUN)] {
            let added = ADDED[usize::from(*byte)];
            if added == 0 {
                break;
            }
            run += added;
        }
        let field =
            |place: u32| u32::try_from(run >> (place * FIELD) & ((1 << FIELD) - 1)).unwrap_or(u32::MAX);
        let (length, upper, digits) = (field(0), field(1), field(2));
        self.word.length += length;
        self.word.letters += length - digits;
        self.word.digits += digits;
        self.counts.characters += length;
        self.counts.letters += length - digits;
        self.counts.upper += upper;
        self.counts.digits += digits;
        from + length as usize
    }

    /// Counts a run of CJK characters, or one other character; returns its length.
    fn others(&mut self, text: &str) -> usize {
        let (mut count, mut length) = (0, 0);
        for c in text.chars().take_while(|c| is_cjk(*c)) {
            count += 1;
            length += c.len_utf8();
        }
        if count == 0 {
            let c = text.chars().next().unwrap_or_default();
            self.character(c);
            return c.len_utf8();
        }
        self.stop = false;
        self.word.end(&mut self.counts);
        self.counts.characters += count;
        self.counts.tokens += count;
        self.counts.cjk += count;
        self.counts.letters += count;
        length
    }

    fn character(&mut self, c: char) {
        let counts = &mut self.counts;
        let is_space = c.is_whitespace();
        if std::mem::take(&mut self.stop) && (is_space || is_closing(c)) {
            counts.sentence_ends += 1;
        }
        if is_space {
            counts.spaces += 1;
            self.word.end(counts);
            return;
        }
        counts.characters += 1;
        if let Some(upper) = common_letter(c) {
            self.word.push_letter(upper, counts);
        } else if !c.is_ascii() && is_alphanumeric(c) {
            self.word.push(c, counts);
        } else {
            self.stop = matches!(c, '.' | '!' | '?' | '…') && self.word.letters > 1;
            self.word.end(counts);
            counts.sign(c);
        }
    }

    fn end(mut self) -> TextCounts {
        self.word.end(&mut self.counts);
        self.counts.sentence_ends += u32::from(self.stop);
        self.counts
    }
}

#[derive(Debug, Default)]
struct OpenWord {
    length: u32,
    letters: u32,
    digits: u32,
    capitalised: bool,
}

impl OpenWord {
    fn push(&mut self, c: char, counts: &mut TextCounts) {
        let upper = c.is_uppercase();
        if !c.is_numeric() {
            self.push_letter(upper, counts);
            return;
        }
        self.digits += 1;
        counts.digits += 1;
        if self.length == 0 {
            self.capitalised = upper;
        }
        self.length += 1;
    }

    fn push_letter(&mut self, upper: bool, counts: &mut TextCounts) {
        self.letters += 1;
        counts.letters += 1;
        counts.upper += u32::from(upper);
        if self.length == 0 {
            self.capitalised = upper;
        }
        self.length += 1;
    }

    fn end(&mut self, counts: &mut TextCounts) {
        if self.length > 0 {
            counts.tokens += 1;
            counts.numbers += u32::from(self.digits == self.length);
            counts.capitalised += u32::from(self.capitalised);
            *self = OpenWord::default();
        }
    }
}

/// Returns whether a letter is upper-case, fast, for some scripts; `None` for others.
fn common_letter(c: char) -> Option<bool> {
    match c {
        'ß'..='ö' | 'ø'..='ÿ' | 'а'..='џ' | 'ά'..='ώ' | 'א'..='ת' | 'ؠ'..='ي' | 'ก'..='ะ' => {
            Some(false)
        }
        'À'..='Ö' | 'Ø'..='Þ' | 'Ѐ'..='Я' => Some(true),
        _ => None,
    }
}

/// Returns `true` if a character may follow the stop at the end of a sentence, such as a closing quote.
fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_letters_are_those_of_unicode() {
        for c in '\0'..=char::MAX {
            if let Some(upper) = common_letter(c) {
                assert!(c.is_alphabetic() && !c.is_numeric() && !is_cjk(c), "{c:?}");
                assert_eq!(c.is_uppercase(), upper, "{c:?}");
            }
        }
    }

    #[test]
    fn long_words_are_one() {
        let counts = TextCounts::of(&"aB3".repeat(1 << 20));
        assert_eq!(
            (counts.tokens, counts.letters, counts.upper, counts.digits),
            (1, 2 << 20, 1 << 20, 1 << 20)
        );
        assert_eq!(counts.characters, 3 << 20);
    }

    #[test]
    fn words_and_signs_are_counted() {
        let counts = TextCounts::of("The cat (12) sat. Did it? 次へ。 v1.2 | $5");
        // The cat 12 sat Did it 次 へ v1 2 5
        assert_eq!((counts.tokens, counts.cjk, counts.numbers), (11, 2, 3));
        assert_eq!(counts.sentence_ends, 3, "`sat.`, `it?`, `。`; not `v1.2`");
        assert_eq!((counts.separators, counts.currency, counts.capitalised), (1, 1, 2));
        assert_eq!(TextCounts::of("One. \"Two.\"").sentence_ends, 2);
        let blank = TextCounts { spaces: 2, newlines: 1, ..TextCounts::default() };
        assert_eq!(TextCounts::of(" \n"), blank);
    }

    proptest::proptest! {
        #[test]
        fn runs_are_counted_as_their_characters_are(text in "[ \\n\u{3000}aZ_9éÉ次².!?…)\"',|$。-]{0,40}") {
            let counts = TextCounts::of(&text);
            let words = |c: char| !is_cjk(c) && (c.is_alphanumeric() || c == '_');
            let all = |holds: &dyn Fn(char) -> bool| u32_of(text.chars().filter(|c| holds(*c)).count());
            proptest::prop_assert_eq!(counts.spaces, all(&char::is_whitespace));
            proptest::prop_assert_eq!(counts.characters, all(&|c| !c.is_whitespace()));
            proptest::prop_assert_eq!(counts.newlines, all(&|c| c == '\n'));
            proptest::prop_assert_eq!(counts.digits, all(&|c| words(c) && c.is_numeric()));
            proptest::prop_assert_eq!(counts.letters, all(&|c| is_cjk(c) || words(c) && !c.is_numeric()));
            proptest::prop_assert_eq!(counts.upper, all(&|c| words(c) && !c.is_numeric() && c.is_uppercase()));
            let split = text.split(|c| !words(c)).filter(|word| !word.is_empty());
            proptest::prop_assert_eq!(counts.tokens - counts.cjk, u32_of(split.clone().count()));
            let capitalised = split.filter(|word| word.starts_with(char::is_uppercase));
            proptest::prop_assert_eq!(counts.capitalised, u32_of(capitalised.count()));
        }
    }
}
