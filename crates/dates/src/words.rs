//! The words of dates: months, units of time, and what stands around them; and those of counters.

use bitflags::bitflags;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use tsugi_page::word_list;

/// Words, by what they mean.
const WORDS: &str = include_str!("lists/words.txt");

/// Strings that are no words of their own, by what they mean.
const STRINGS: &str = include_str!("lists/strings.txt");

/// The groups of months, in the order of the months.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

bitflags! {
    /// The other groups of words; the list says what they are.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(super) struct WordKind: u32 {
        const ALSO_WORD = 1;
        const ORDINAL = 1 << 1;
        const OF = 1 << 2;
        const AT = 1 << 3;
        const AT_TIME = 1 << 4;
        const ON = 1 << 5;
        const VERSION = 1 << 6;
        const CLOCK = 1 << 7;
        const UNIT = 1 << 8;
        const AGO = 1 << 9;
        const BEFORE = 1 << 10;
        const ONE = 1 << 11;
        const NEAR = 1 << 12;
        const COUNTED = 1 << 13;
        const THOUSANDS = 1 << 14;
        const TIMES = 1 << 15;
    }
}

/// What a word means.
#[derive(Debug, Clone, Copy, Default)]
struct Meaning {
    /// The month that it names, from 1.
    month: Option<i8>,
    kinds: WordKind,
}

static MEANINGS: LazyLock<BTreeMap<&str, Meaning>> = LazyLock::new(|| {
    let mut meanings: BTreeMap<&str, Meaning> = BTreeMap::new();
    for (group, word) in word_list::words(WORDS) {
        let meaning = meanings.entry(word).or_default();
        match (1..).zip(MONTHS).find(|(_, month)| *month == group) {
            // Where two languages differ, the first month counts.
            Some((month, _)) => meaning.month = meaning.month.or(Some(month)),
            None => meaning.kinds |= kind(group),
        }
    }
    meanings
});

/// The kind of the words of a group; none for an unknown group, which the tests exclude.
fn kind(group: &str) -> WordKind {
    WordKind::from_name(&group.to_ascii_uppercase()).unwrap_or_default()
}

fn meaning(word: &str) -> Meaning {
    MEANINGS.get(word).copied().unwrap_or_default()
}

/// Says which month a word in lower case names, from 1.
pub(super) fn month(word: &str) -> Option<i8> {
    meaning(word).month
}

/// Says whether a word in lower case is of a kind.
pub(super) fn is(word: &str, kind: WordKind) -> bool {
    meaning(word).kinds.intersects(kind)
}

/// Years of the eras of Japan: the characters, and the year before the first.
pub(super) const ERAS: [(&str, i16); 3] = [("令和", 2018), ("平成", 1988), ("昭和", 1925)];

/// The strings of a group.
fn strings(name: &str) -> Vec<&'static str> {
    word_list::lines(STRINGS).filter(|(group, _)| *group == name).map(|(_, string)| string).collect()
}

/// What stands behind a number: `3時間前`.
pub(super) static AGO_CJK: LazyLock<Vec<&str>> = LazyLock::new(|| strings("ago"));

static MEASURES: LazyLock<Vec<&str>> = LazyLock::new(|| strings("measure"));

static COUNTED_CJK: LazyLock<Vec<&str>> = LazyLock::new(|| strings("counted"));

/// How many bytes ahead a word ends that says what is counted, where it stands there, a measure before it or not.
pub(super) fn counted_cjk_ahead(text: &str) -> Option<usize> {
    let rest = text.trim_start();
    let measured = MEASURES.iter().find_map(|measure| rest.strip_prefix(measure));
    let mut behind = [Some(rest), measured].into_iter().flatten();
    let left =
        behind.find_map(|rest| COUNTED_CJK.iter().find_map(|word| rest.trim_start().strip_prefix(word)))?;
    Some(text.len() - left.len())
}

/// Where a word starts that says what is counted, if one ends the text; a sign may stand behind it.
pub(super) fn counted_cjk_before(text: &str) -> Option<usize> {
    let text = text.trim_end();
    let text = text.strip_suffix(['(', '（', ':', '：', '[']).unwrap_or(text).trim_end();
    COUNTED_CJK.iter().find_map(|word| text.strip_suffix(word)).map(str::len)
}

/// Says whether a text starts with what counts things, and nothing but a sign or the end behind it.
pub(super) fn is_measure(text: &str) -> bool {
    let rest = MEASURES.iter().find_map(|measure| text.trim_start().strip_prefix(measure));
    rest.is_some_and(|rest| !rest.trim_start().starts_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_well_formed() {
        let is_group = |group: &str| MONTHS.contains(&group) || !kind(group).is_empty();
        assert_eq!(word_list::fault(WORDS, word_list::words(WORDS), is_group), None);
        let is_group = |group: &str| ["ago", "measure", "counted"].contains(&group);
        assert_eq!(word_list::fault(STRINGS, word_list::lines(STRINGS), is_group), None);
    }
}
