//! Hand-picked words that distinguish menus, footers and lists of links from content, in seventeen lists.
//!
//! A page may not declare its language, so the lists of all languages form one automaton. They were compiled from
//! knowledge of such pages, not from labelled ones. Some menu words are common in prose as well: the commonest
//! ("about", "more") are left out, others ("next", "members") are not, so the counts of some groups grow slightly
//! with the length of a text.

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use tsugi_page::text::is_cjk;
use tsugi_page::word_list;
use tsugi_scoring::TokenHash;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeywordGroup {
    /// The group's heading in the lists, in `snake_case`.
    pub(crate) name: &'static str,
    pub(crate) column: &'static str,
    pub(crate) doc: &'static str,
}

macro_rules! group {
    ($name:literal, $what:literal) => {
        KeywordGroup {
            name: $name,
            column: concat!("keyword_", $name),
            doc: concat!("words for ", $what, " (in a parent block: in all of its text)"),
        }
    };
}

/// All groups, in the order of counts.
///
/// # Source
///
/// Fujita et al., section 4.4: counts of keywords picked by hand, such as "copyright" and "推奨環境" (recommended environment).
///
/// The paper names only these two. Groups and words are ours. All words of a group share one count, so that
/// models trained on pages of one language work for others.
pub(crate) const GROUPS: &[KeywordGroup] = &[
    group!("copyright", "copyright and reproduction"),
    group!("legal", "terms, privacy and imprints"),
    group!("consent", "cookies and consent"),
    group!("contact", "contact, help and the people behind a site"),
    group!("navigation", "menus: home, site map, top of page"),
    group!("paging", "paging: next, previous, page"),
    group!("comments", "comments and replies"),
    group!("sharing", "sharing, recommending and following"),
    group!("networks", "the names of social networks"),
    group!("reactions", "votes, ratings and counts of readers"),
    group!("login", "accounts: sign in, register, password"),
    group!("subscribe", "newsletters, feeds and subscriptions"),
    group!("search", "search, sorting and filters"),
    group!("related", "related and recommended pages"),
    group!("popular", "latest and most read pages"),
    group!("categories", "categories, tags and archives"),
    group!("more", "teasers: read more, show all, click here"),
    group!("byline", "authors and sources"),
    group!("posted", "publication and update"),
    group!("advertising", "advertisements and sponsors"),
    group!("shop", "shops: price, cart, shipping"),
    group!("environment", "browsers, plug-ins and the software of a site"),
    group!("forum", "forums: members, threads, quotes"),
    group!("media", "photos, videos, downloads and prints"),
    group!("language", "the choice of a language or a version of the site"),
    group!("references", "notes, references and external links"),
    group!("contents", "tables of contents: chapter, appendix, summary"),
];

macro_rules! lists {
    ($($language:literal),*) => {
        [$(($language, include_str!(concat!("keywords/", $language, ".txt")))),*]
    };
}

/// The lists: a group's name in brackets, then one keyword per line, in the form returned by [`fold`]; `#` starts a
/// comment. A keyword may be in the lists of several languages, but in the same group.
const LISTS: [(&str, &str); 17] = lists![
    "any", "de", "en", "es", "fr", "id", "it", "ja", "ko", "nl", "pl", "pt", "ru", "sv", "tr", "vi", "zh"
];

/// Marks the start of a word in scripts with spaces between words. Folded text never contains it, because control
/// characters are treated as white space.
const WORD_START: char = '\u{2}';
const WORD_END: char = '\u{3}';

/// Adds the number of occurrences of each group's keywords in a text to `counts`.
///
/// Case, full-width forms, kinds of apostrophes and runs of white space make no difference. In scripts with spaces
/// between words, only whole words match; kana, Han and Hangul match anywhere. Of overlapping keywords, the first
/// counts; of those that start at the same place, the longest.
///
/// There is one count per group, in the order of [`GROUPS`]; groups beyond the end of `counts` are not counted.
pub(crate) fn count(text: &str, counts: &mut [u32]) {
    let Some(keywords) = &*KEYWORDS else { return };
    for hit in keywords.automaton.find_iter(&fold(text)) {
        let group = keywords.groups[hit.pattern().as_usize()];
        if let Some(count) = counts.get_mut(group) {
            *count = count.saturating_add(1);
        }
    }
}

#[derive(Debug)]
struct Keywords {
    automaton: AhoCorasick,
    groups: Vec<usize>,
}

/// `None` if the automaton could not be built; the tests rule this out, as it is the same in every run.
static KEYWORDS: LazyLock<Option<Keywords>> = LazyLock::new(|| {
    let mut by_text = BTreeMap::new();
    for (_, list) in LISTS {
        for (group, keyword) in word_list::lines(list) {
            if let Some(group) = GROUPS.iter().position(|known| known.name == group) {
                by_text.insert(fold(keyword), group);
            }
        }
    }
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .build(by_text.keys())
        .ok()?;
    Some(Keywords { automaton, groups: by_text.into_values().collect() })
});

/// Returns a digest of all keywords and their groups: a model trained with other lists is incompatible.
pub(super) fn digest() -> u32 {
    let entries = LISTS.iter().flat_map(|(_, list)| word_list::lines(list));
    entries.fold(TokenHash::new(0), |hash, (group, keyword)| hash.text(group).text(keyword)).finish()
}

/// Normalises a text for matching: folded characters, one space for any run of white space or control characters,
/// none at the ends, and marks at the start and end of words. The marks make whole-word matching part of the
/// automaton.
fn fold(text: &str) -> String {
    let mut folding = Folding { text: String::with_capacity(text.len() * 3 / 2), ..Folding::default() };
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c.is_ascii_alphanumeric() {
            // Most of a text consists of such runs, which are part of one word.
            let run = rest.bytes().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
            folding.push(c.to_ascii_lowercase());
            let begin = folding.text.len();
            folding.text.push_str(&rest[1..run]);
            folding.text[begin..].make_ascii_lowercase();
            rest = &rest[run..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
        if c.is_whitespace() || c.is_control() {
            folding.is_after_gap = true;
        } else if c.is_ascii() || is_cjk(c) {
            // No table lookup is needed.
            folding.push(c);
        } else {
            fold_character(c).filter(|c| !is_unseen(*c)).for_each(|c| folding.push(c));
        }
    }
    folding.end_word();
    folding.text
}

#[derive(Debug, Default)]
struct Folding {
    text: String,
    is_in_word: bool,
    /// White space to be written before the next character.
    is_after_gap: bool,
}

impl Folding {
    fn push(&mut self, c: char) {
        let is_of_word = is_of_word(c);
        if self.is_after_gap || !is_of_word {
            self.end_word();
        }
        if std::mem::take(&mut self.is_after_gap) && !self.text.is_empty() {
            self.text.push(' ');
        }
        if is_of_word && !self.is_in_word {
            self.text.push(WORD_START);
            self.is_in_word = true;
        }
        self.text.push(c);
    }

    fn end_word(&mut self) {
        if std::mem::take(&mut self.is_in_word) {
            self.text.push(WORD_END);
        }
    }
}

/// Returns `true` for invisible characters: soft hyphens, zero-width characters, and the dot that remains of a
/// Turkish `İ` in lower case.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{307}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// Unifies characters that are used interchangeably: case, full-width forms, apostrophes, `ё` and `е`, `ı` and `i`
/// (both have the capital `I`), `ⓒ` and `©`.
fn fold_character(c: char) -> impl Iterator<Item = char> {
    let narrow = match c {
        // The full-width forms of `!` to `~` are in ASCII order.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        _ => c,
    };
    narrow.to_lowercase().map(|c| match c {
        '’' | '‘' | 'ʼ' | '´' => '\'',
        'ё' => 'е',
        'ı' => 'i',
        'ⓒ' => '©',
        _ => c,
    })
}

/// Returns `true` if a character belongs to a word in a script with spaces between words, including combining
/// accents.
fn is_of_word(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    !is_cjk(c) && (c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counted(text: &str) -> Vec<(&'static str, u32)> {
        let mut counts = vec![0; GROUPS.len()];
        count(text, &mut counts);
        GROUPS.iter().map(|group| group.name).zip(counts).filter(|(_, count)| *count > 0).collect()
    }

    fn without_marks(folded: &str) -> String {
        folded.replace([WORD_START, WORD_END], "")
    }

    #[test]
    fn lists_are_well_formed() {
        let mut group_of = BTreeMap::new();
        for (language, list) in LISTS {
            let entries: Vec<_> = word_list::lines(list).collect();
            assert!(entries.len() >= 100, "{language} has {} keywords", entries.len());
            let mut last = ("", "");
            let mut seen = BTreeMap::new();
            for (group, keyword) in entries {
                assert!(GROUPS.iter().any(|known| known.name == group), "{language}: `{group}` is no group");
                assert_eq!(
                    without_marks(&fold(keyword)),
                    keyword,
                    "{language}, {group}: `{keyword}` is not folded"
                );
                assert!(
                    last.0 != group || last.1 < keyword,
                    "{language}, {group}: `{keyword}` is not in order"
                );
                last = (group, keyword);
                let other = seen.insert(keyword, group);
                assert_eq!(other, None, "{language}, {group}: `{keyword}` stands twice");
                let (there, other) = *group_of.entry(keyword).or_insert((language, group));
                assert_eq!(other, group, "`{keyword}` is of another group in {language} than in {there}");
                assert_eq!(counted(keyword), [(group, 1)], "{language}: `{keyword}`");
            }
        }
    }

    #[test]
    fn english_and_japanese_have_words_of_every_group() {
        for language in ["en", "ja"] {
            let of_all = LISTS.iter().filter(|(name, _)| [language, "any"].contains(name));
            let of_all: Vec<_> = of_all.flat_map(|(_, list)| word_list::lines(list)).collect();
            for known in GROUPS {
                assert!(of_all.iter().any(|(group, _)| *group == known.name), "{language}: {}", known.name);
            }
        }
    }

    #[test]
    fn columns_are_named_after_groups() {
        assert_eq!(GROUPS[0].column, "keyword_copyright");
        assert_eq!(
            GROUPS[0].doc,
            "words for copyright and reproduction (in a parent block: in all of its text)"
        );
        let mut names: Vec<_> = GROUPS.iter().map(|group| group.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), GROUPS.len());
    }

    #[test]
    fn footers_and_menus_are_counted() {
        assert_eq!(counted("Copyright © 2009 A Paper. All Rights Reserved."), [("copyright", 3)]);
        assert_eq!(counted("推奨環境：Internet Explorer 6以上"), [("environment", 2)]);
        assert_eq!(
            counted("Home | Site Map | Impressum | プライバシーポリシー | 联系我们"),
            [("legal", 2), ("contact", 1), ("navigation", 2)]
        );
        assert_eq!(counted("The bridge had been closed since a flood in June."), []);
        assert_eq!(counted(""), []);
    }

    #[test]
    fn words_are_whole_where_scripts_part_words() {
        assert_eq!(counted("shareholders, homes, unshare, rsso, share2"), []);
        assert_eq!(counted("(share)share,share"), [("sharing", 3)]);
        assert_eq!(counted("このRSSで最新ニュースを"), [("subscribe", 1), ("popular", 1)]);
        assert_eq!(counted("全記事のコメント欄は"), [("comments", 1)]);
        // The long keyword ends within a word; the short one at the same place does not.
        assert_eq!(counted("log in to comment"), [("comments", 1)]);
        assert_eq!(counted("log in to commentary"), [("login", 1)]);
    }

    #[test]
    fn spellings_are_folded() {
        for text in ["ＣＯＰＹＲＩＧＨＴ", "copy\u{ad}right", "Copyright", "ⓒ", "Ⓒ", "©"] {
            assert_eq!(counted(text), [("copyright", 1)], "{text}");
        }
        assert_eq!(counted("site\u{a0}\n map"), [("navigation", 1)]);
        assert_eq!(counted("Don’t miss"), [("related", 1)]);
        // The Turkish capitals of `i` and `ı`, and a decomposed `İ` in lower case.
        assert_eq!(counted("İLETİŞİM"), [("contact", 1)]);
        assert_eq!(counted("HAKKIMIZDA hakkımızda"), [("contact", 2)]);
        assert_eq!(counted("i\u{307}leti\u{307}şi\u{307}m"), [("contact", 1)]);
        assert_eq!(counted("ПОКАЗАТЬ ЕЩЁ"), [("more", 1)]);
    }

    #[test]
    fn marks_of_words_cannot_be_forged() {
        assert_eq!(counted("un\u{2}share\u{3}d"), [("sharing", 1)], "control characters part words");
        assert_eq!(fold("a\u{2}b"), "\u{2}a\u{3} \u{2}b\u{3}");
        assert_eq!(fold(" \u{3}次 A次\n"), "次 \u{2}a\u{3}次");
    }

    #[test]
    fn counts_are_added_and_short_slices_do() {
        let mut counts = [u32::MAX, 1];
        count("© privacy privacy comments", &mut counts);
        assert_eq!(counts, [u32::MAX, 3]);
        count("©", &mut []);
    }

    /// Counts by definition: at every place the longest keyword, then continue after it.
    fn counted_slowly(text: &str) -> Vec<u32> {
        static BY_TEXT: LazyLock<BTreeMap<String, &str>> = LazyLock::new(|| {
            let entries = LISTS.iter().flat_map(|(_, list)| word_list::lines(list));
            entries.map(|(group, keyword)| (fold(keyword), group)).collect()
        });
        let longest = BY_TEXT.keys().map(String::len).max().unwrap();
        let (folded, mut at, mut counts) = (fold(text), 0, vec![0; GROUPS.len()]);
        while at < folded.len() {
            let found = (1..=longest).rev().find_map(|length| {
                let keyword = folded.get(at..at + length)?;
                Some((length, GROUPS.iter().position(|known| Some(&known.name) == BY_TEXT.get(keyword))?))
            });
            match found {
                Some((length, group)) => {
                    counts[group] += 1;
                    at += length;
                }
                None => at += 1,
            }
        }
        counts
    }

    fn folded_slowly(text: &str) -> String {
        let mut folding = Folding::default();
        for c in text.chars() {
            if c.is_whitespace() || c.is_control() {
                folding.is_after_gap = true;
            } else {
                fold_character(c).filter(|c| !is_unseen(*c)).for_each(|c| folding.push(c));
            }
        }
        folding.end_word();
        folding.text
    }

    proptest! {
        #[test]
        fn runs_of_letters_are_folded_as_single_ones(text in "([A-Za-z0-9]{1,5}|[ .-]|次|é|İ|\u{301}|\u{ad}|.){0,12}") {
            prop_assert_eq!(fold(&text), folded_slowly(&text));
        }

        #[test]
        fn the_automaton_counts_as_defined(
            parts in prop::collection::vec(
                prop_oneof![
                    (0..LISTS.len(), any::<prop::sample::Index>()).prop_map(|(list, index)| {
                        let all: Vec<_> = word_list::lines(LISTS[list].1).collect();
                        all[index.index(all.len())].1.to_owned()
                    }),
                    "[ a-z,次İ]{0,3}",
                    any::<String>(),
                ],
                0..8,
            )
        ) {
            let text = parts.concat();
            let mut counts = vec![0; GROUPS.len()];
            count(&text, &mut counts);
            prop_assert_eq!(counts, counted_slowly(&text));
        }
    }
}
