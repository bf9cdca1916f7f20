//! What a stretch of text is made of.

use super::is_cjk;
use std::ops::AddAssign;

/// Counts over the characters and words of a text.
///
/// # Units
///
/// `tokens` are words of letters and digits, CJK characters one by one: what evaluation counts, too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextCounts {
    /// Characters that are no white space.
    pub characters: u32,
    /// White space, as it stands.
    pub spaces: u32,
    /// Line breaks in the source.
    pub newlines: u32,
    /// Words, and CJK characters.
    pub tokens: u32,
    /// CJK characters.
    pub cjk: u32,
    /// Letters, CJK included.
    pub letters: u32,
    /// Upper-case letters.
    pub upper: u32,
    /// Decimal digits.
    pub digits: u32,
    /// Words that are digits alone.
    pub numbers: u32,
    /// Words that start with an upper-case letter.
    pub capitalised: u32,
    /// Ends of sentences.
    pub sentence_ends: u32,
    /// Commas, semicolons and their kin in other scripts.
    pub commas: u32,
    /// Signs that part the items of menus and trails: `|`, `·`, `»` …
    pub separators: u32,
    /// Signs of currency.
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
    /// Counts a text.
    pub fn of(text: &str) -> Self {
        let mut counts = TextCounts::default();
        let mut word = Word::default();
        let mut stop = false;
        for c in text.chars() {
            if stop && (c.is_whitespace() || is_closing(c)) {
                counts.sentence_ends += 1;
            }
            stop = false;
            if c.is_whitespace() {
                counts.spaces += 1;
                counts.newlines += u32::from(c == '\n');
                word.end(&mut counts);
                continue;
            }
            counts.characters += 1;
            if is_cjk(c) {
                word.end(&mut counts);
                counts.tokens += 1;
                counts.cjk += 1;
                counts.letters += 1;
            } else if c.is_alphanumeric() || c == '_' {
                word.push(c, &mut counts);
            } else {
                stop = matches!(c, '.' | '!' | '?' | '…') && word.letters > 1;
                word.end(&mut counts);
                counts.sign(c);
            }
        }
        word.end(&mut counts);
        counts.sentence_ends += u32::from(stop);
        counts
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

/// The word that is being read.
#[derive(Debug, Default)]
struct Word {
    length: u32,
    letters: u32,
    digits: u32,
    capitalised: bool,
}

impl Word {
    fn push(&mut self, c: char, counts: &mut TextCounts) {
        let upper = c.is_uppercase();
        if c.is_numeric() {
            self.digits += 1;
            counts.digits += 1;
        } else {
            self.letters += 1;
            counts.letters += 1;
            counts.upper += u32::from(upper);
        }
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
            *self = Word::default();
        }
    }
}

/// Says whether a character may stand between the stop and the end of a sentence.
fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»')
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
