//! The words that made-up sites use around their texts.

use super::site::World;
use std::collections::BTreeMap;

/// A language, and what sites written in it call their links.
#[derive(Debug)]
pub(super) struct Language {
    pub(super) code: &'static str,
    pub(super) script: &'static str,
    pub(super) is_right_to_left: bool,
    /// By key, the wordings of each world.
    phrases: BTreeMap<&'static str, [Vec<&'static str>; 2]>,
}

/// The wordings of English, for languages whose words for pages alone are known.
const FALLBACK: &str = "en";

/// All languages.
#[derive(Debug)]
pub(super) struct Languages(pub(super) Vec<Language>);

impl Languages {
    pub(super) fn read() -> Languages {
        let mut languages: Vec<Language> = Vec::new();
        for line in include_str!("words.txt").lines().filter(|line| !line.starts_with('#')) {
            if let Some(head) = line.strip_prefix('[') {
                let mut head = head.trim_end_matches(']').split(' ');
                languages.push(Language {
                    code: head.next().unwrap_or_default(),
                    script: head.next().unwrap_or_default(),
                    is_right_to_left: head.next() == Some("rtl"),
                    phrases: BTreeMap::new(),
                });
            } else if let (Some((key, phrases)), Some(language)) =
                (line.split_once(": "), languages.last_mut())
            {
                let list = |part: &'static str| part.split(" | ").map(str::trim).collect::<Vec<_>>();
                let (training, judging) = phrases.split_once(" || ").unwrap_or((phrases, phrases));
                language.phrases.insert(key, [list(training), list(judging)]);
            }
        }
        Languages(languages)
    }

    /// Returns the wordings of a phrase in a language and world: those of English if the language has none.
    pub(super) fn wordings<'l>(
        &'l self,
        language: &'l Language,
        key: &str,
        world: World,
    ) -> &'l [&'static str] {
        let english = || self.0.iter().find(|language| language.code == FALLBACK)?.phrases.get(key);
        let found = language.phrases.get(key).or_else(english);
        found.map_or(&[], |worlds| worlds[world as usize].as_slice())
    }
}

impl Language {
    /// Returns the small words of the language.
    pub(super) fn glue(&self) -> Vec<&'static str> {
        let glue = self.phrases.get("glue").and_then(|worlds| worlds[0].first());
        glue.map_or_else(Vec::new, |glue| glue.split(' ').collect())
    }

    /// Returns `true` if words are separated by spaces.
    pub(super) fn has_spaces(&self) -> bool {
        !matches!(self.script, "han" | "kana" | "thai")
    }

    /// Returns the ten digits of the script; those of ASCII if it has no others.
    pub(super) fn digits(&self) -> Vec<char> {
        let own = self.phrases.get("digits").and_then(|worlds| worlds[0].first());
        own.unwrap_or(&"0123456789").chars().collect()
    }

    /// Returns a number in the digits of the script.
    pub(super) fn number(&self, number: usize) -> String {
        let digits = self.digits();
        let digit = |c: char| c.to_digit(10).and_then(|digit| digits.get(digit as usize)).copied();
        number.to_string().chars().filter_map(digit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a language with words for everything has.
    const KEYS: [&str; 27] = [
        "next_page", "next", "previous_page", "previous", "page_of", "part_of", "next_article", "next_post",
        "next_chapter", "previous_chapter", "older", "newer", "contents", "single_page", "comments",
        "more_comments", "read_more", "related", "home", "by", "contact", "about", "chapter", "nothing",
        "moving", "popular", "archive",
    ];

    #[test]
    fn forty_languages_have_words_for_pages_and_twenty_for_everything() {
        let languages = Languages::read();
        assert_eq!(languages.0.len(), 40);
        for language in &languages.0 {
            for key in ["glue", "next_page", "next", "previous_page", "previous", "page_of", "next_article"] {
                assert!(language.phrases.contains_key(key), "{} lacks {key}", language.code);
            }
            assert_eq!(language.digits().len(), 10, "{}", language.code);
        }
        let full =
            languages.0.iter().filter(|language| KEYS.iter().all(|key| language.phrases.contains_key(key)));
        assert!(full.count() >= 20);
    }

    #[test]
    fn phrases_with_numbers_have_their_places() {
        for language in &Languages::read().0 {
            for (key, places) in
                [("page_of", &["{n}", "{m}"][..]), ("part_of", &["{n}", "{m}"]), ("chapter", &["{n}"])]
            {
                for phrase in language.phrases.get(key).iter().flat_map(|worlds| worlds.iter().flatten()) {
                    assert!(places.iter().all(|place| phrase.contains(place)), "{}: {phrase}", language.code);
                }
            }
        }
    }
}
