//! Lines that tell where an article ends: the heads of comments, of other stories, of sign-ups.

use super::word_hashes::for_each_word;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use tsugi_page::word_list;

bitflags::bitflags! {
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(crate) struct Tail: u8 {
        /// Comments follow, or are asked for.
        const COMMENTS = 1;
        /// Other stories, shares, tags or sign-ups follow.
        const RELATED = 1 << 1;
    }
}

const TAILS: &str = include_str!("lists/tails.txt");
/// Maximum number of words of a line that can be the head of comments, or of anything.
const COMMENTS: usize = 8;
const LONGEST: usize = 14;
const PHRASE: usize = 8; // Maximum number of words of a phrase, each CJK character a word.

/// The phrases, as hashes of words; and the hashes of numbers with up to five digits.
struct TailPhrases {
    held: BTreeMap<Vec<u32>, Tail>,
    /// The first words of all phrases, sorted. Most lines begin with another.
    first: Vec<u32>,
    numbers: Vec<u32>,
}

/// Returns the hashes of the words of a line.
pub(crate) fn words_of(text: &str) -> Vec<u32> {
    let mut words = Vec::new();
    for_each_word(text, |word| words.push(word));
    words
}

static PHRASES: LazyLock<TailPhrases> = LazyLock::new(|| {
    let mut held: BTreeMap<Vec<u32>, Tail> = BTreeMap::new();
    for (group, phrase) in word_list::lines(TAILS) {
        *held.entry(words_of(phrase)).or_default() |=
            Tail::from_name(&group.to_ascii_uppercase()).unwrap_or_default();
    }
    let mut first: Vec<u32> = held.keys().filter_map(|words| words.first().copied()).collect();
    first.sort_unstable();
    first.dedup();
    let numbers = ["1", "12", "123", "1234", "12345"].iter().flat_map(|number| words_of(number)).collect();
    TailPhrases { held, first, numbers }
});

impl Tail {
    /// Reads a line by the hashes of its words; see [`for_each_word`].
    pub(crate) fn of(words: &[u32]) -> Tail {
        let phrases = &*PHRASES;
        let words = match words {
            [number, rest @ ..] if phrases.numbers.contains(number) => rest,
            _ => words,
        };
        let Some(first) = words.first() else { return Tail::empty() };
        if words.len() > LONGEST || phrases.first.binary_search(first).is_err() {
            return Tail::empty();
        }
        let starts = (1..=words.len().min(PHRASE)).filter_map(|end| phrases.held.get(&words[..end]));
        let found = starts.fold(Tail::empty(), |all, tail| all | *tail);
        if words.len() > COMMENTS { found - Tail::COMMENTS } else { found }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_right() {
        let is_group = |group: &str| Tail::from_name(&group.to_ascii_uppercase()).is_some();
        assert_eq!(word_list::fault(TAILS, word_list::lines(TAILS), is_group), None);
        for (_, phrase) in word_list::lines(TAILS) {
            assert_eq!(phrase, phrase.to_lowercase());
            assert!((1..=PHRASE).contains(&words_of(phrase).len()), "{phrase}");
        }
    }

    #[test]
    fn lines_are_read_from_their_start() {
        let of = |line: &str| Tail::of(&words_of(line));
        for line in "12 Comments|Comments (3)|Leave a Reply|コメント一覧".split('|') {
            assert!(of(line).contains(Tail::COMMENTS), "{line}");
        }
        assert!(!of("3 комментария: комментарии").contains(Tail::COMMENTS));
        for line in "Read more: The tide comes in|Lea más|Zobacz także|関連記事|Tags: sea, tide".split('|')
        {
            assert_eq!(of(line), Tail::RELATED, "{line}");
        }
        let long = "Comments were made by all of those who had been there at the time";
        for line in ["", "12", "The comments", long] {
            assert_eq!(of(line), Tail::empty(), "{line}");
        }
    }
}
