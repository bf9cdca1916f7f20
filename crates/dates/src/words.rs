//! Words of dates (months, units of time, and words around them) and of counters.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use tsugi_page::word_list;

const WORDS: &str = include_str!("lists/words.txt");
/// Strings that are not separate words, by meaning.
const STRINGS: &str = include_str!("lists/strings.txt");

const MONTHS: [&str; 12] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
];

macro_rules! groups {
    ($known:ident = $entries:path, $file:ident: $($name:ident = $group:literal;)*) => {
        #[cfg(test)]
        const $known: &[&str] = &[$($group),*];
        $(
            pub(super) static $name: LazyLock<Vec<&str>> = LazyLock::new(|| {
                $entries($file).filter(|(group, _)| *group == $group).map(|(_, entry)| entry).collect()
            });
        )*
    };
}

groups! { WORD_GROUPS = word_list::words, WORDS:
    ALSO_WORDS = "also_word"; ORDINAL = "ordinal"; OF = "of"; AT = "at"; AT_TIME = "at_time"; ON = "on";
    VERSION = "version"; CLOCK = "clock"; AGO = "ago"; BEFORE = "before"; ONE = "one"; NEAR = "near";
    THOUSANDS = "thousands"; TIMES = "times";
}

groups! { STRING_GROUPS = word_list::lines, STRINGS:
    AGO_CJK = "ago"; MEASURES = "measure"; COUNTED_CJK = "counted";
}

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Meaning {
    /// From 1.
    pub(super) month: Option<i8>,
    pub(super) is_unit: bool,
    /// It names an action of readers.
    pub(super) is_counted: bool,
    /// A date may begin with it.
    opens: bool,
}

static MEANINGS: LazyLock<BTreeMap<&str, Meaning>> = LazyLock::new(|| {
    let mut meanings: BTreeMap<&str, Meaning> = BTreeMap::new();
    for (group, word) in word_list::words(WORDS) {
        if let Some((month, _)) = (1..).zip(MONTHS).find(|(_, name)| *name == group) {
            // If languages differ, the first month counts.
            let meaning = meanings.entry(word).or_default();
            meaning.month.get_or_insert(month);
            meaning.opens = true;
        } else if group == "unit" {
            meanings.entry(word).or_default().is_unit = true;
        } else if group == "counted" {
            meanings.entry(word).or_default().is_counted = true;
        }
    }
    for word in NEAR.iter().chain(BEFORE.iter()).chain(ONE.iter()).chain(&IL_Y_A[..1]) {
        meanings.entry(word).or_default().opens = true;
    }
    meanings
});

/// `il y a 3 heures`.
pub(super) const IL_Y_A: [&str; 3] = ["il", "y", "a"];

/// For each first letter of the words of ASCII that may begin a date: a bit for each length.
static LENGTHS: LazyLock<[u32; 26]> = LazyLock::new(|| {
    let mut lengths = [0; 26];
    for (word, _) in MEANINGS.iter().filter(|(_, meaning)| meaning.opens) {
        if let Some(letter) = first_letter(word) {
            lengths[letter] |= length_of(word);
        }
    }
    lengths
});

/// Returns the number of the first letter, from 0; `None` if it is no small letter of ASCII.
fn first_letter(word: &str) -> Option<usize> {
    word.bytes().next().filter(u8::is_ascii_lowercase).map(|letter| usize::from(letter - b'a'))
}

fn length_of(word: &str) -> u32 {
    1 << word.len().min(31)
}

/// Returns `true` if a date may begin with a lower-case word: with most words none does.
pub(super) fn may_open(word: &str) -> bool {
    // Eras are no words of the list.
    let Some(letter) = first_letter(word) else { return true };
    LENGTHS[letter] & length_of(word) != 0 && meaning(word).opens
}

/// Returns the meaning of a lower-case word.
pub(super) fn meaning(word: &str) -> Meaning {
    MEANINGS.get(word).copied().unwrap_or_default()
}

/// Japanese eras, each with the year before its first.
pub(super) const ERAS: [(&str, i16); 3] = [("令和", 2018), ("平成", 1988), ("昭和", 1925)];

/// Returns the end, in bytes, of a word for what is counted at the start of a text, with or without a measure word.
pub(super) fn counted_cjk_ahead(text: &str) -> Option<usize> {
    let rest = text.trim_start();
    let measured = MEASURES.iter().find_map(|measure| rest.strip_prefix(measure));
    let mut behind = [Some(rest), measured].into_iter().flatten();
    let left =
        behind.find_map(|rest| COUNTED_CJK.iter().find_map(|word| rest.trim_start().strip_prefix(word)))?;
    Some(text.len() - left.len())
}

/// Returns the start, in bytes, of a word for what is counted at the end of a text; a sign may follow it.
pub(super) fn counted_cjk_before(text: &str) -> Option<usize> {
    let text = text.trim_end();
    let text = text.strip_suffix(['(', '（', ':', '：', '[']).unwrap_or(text).trim_end();
    COUNTED_CJK.iter().find_map(|word| text.strip_suffix(word)).map(str::len)
}

pub(super) fn is_measure(text: &str) -> bool {
    let rest = MEASURES.iter().find_map(|measure| text.trim_start().strip_prefix(measure));
    rest.is_some_and(|rest| !rest.trim_start().starts_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn dates_begin_with_their_words() {
        for word in NEAR.iter().chain(BEFORE.iter()).chain(ONE.iter()).chain(&["il", "may", "août", "令和"])
        {
            assert!(may_open(word), "{word}");
        }
        assert!(!["the", "page", "hours", "mayor", "views"].into_iter().any(may_open));
    }

    #[test]
    fn lists_are_well_formed() {
        let known = WORD_GROUPS.iter().chain(&MONTHS).chain(&["unit", "counted"]);
        let known: BTreeSet<&str> = known.copied().collect();
        assert_eq!(word_list::fault(WORDS, word_list::words(WORDS), |group| known.contains(group)), None);
        assert_eq!(known, word_list::words(WORDS).map(|(group, _)| group).collect());
        let known: BTreeSet<&str> = STRING_GROUPS.iter().copied().collect();
        assert_eq!(word_list::fault(STRINGS, word_list::lines(STRINGS), |group| known.contains(group)), None);
        assert_eq!(known, word_list::lines(STRINGS).map(|(group, _)| group).collect());
    }
}
