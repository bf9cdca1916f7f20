//! Words around names, dates and page numbers.

use std::sync::LazyLock;
use tsugi_page::text::is_cjk;
use tsugi_page::word_list;

const LIST: &str = include_str!("lists/words.txt");

macro_rules! groups {
    ($($group:ident = $name:literal,)*) => {
        /// A group of the word list; comments in the list say what its entries mean.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum WordGroup {
            $($group),*
        }

        const GROUPS: &[(&str, WordGroup)] = &[$(($name, WordGroup::$group)),*];
    };
}

groups! {
    By = "by",
    TitleBehind = "title_behind",
    Role = "role",
    Before = "before",
    Organisation = "organisation",
    Nobody = "nobody",
    Particle = "particle",
    Body = "body",
    Changed = "changed",
    Published = "published",
    DateLabel = "date_label",
    ScriptKey = "script_key",
    Page = "page",
    Of = "of",
    AuthorMark = "author_mark",
    NoAuthorMark = "no_author_mark",
    DateMark = "date_mark",
    NoDateMark = "no_date_mark",
    PublicationMark = "publication_mark",
    ChangeMark = "change_mark",
    AsideMark = "aside_mark",
    ProfileAddress = "profile_address",
    PublishedName = "published_name",
    ModifiedName = "modified_name",
}

/// The entries of a group.
#[derive(Debug, Clone, Default)]
struct Entries {
    all: Vec<&'static str>,
    /// A bit for each byte with which one begins: nearly all words and lines begin like none.
    first_bytes: [u64; 4],
}

impl Entries {
    fn push(&mut self, entry: &'static str) {
        self.all.push(entry);
        if let Some(byte) = entry.bytes().next() {
            self.first_bytes[usize::from(byte >> 6)] |= 1 << (byte & 63);
        }
    }

    fn may_begin(&self, text: &str) -> bool {
        text.bytes()
            .next()
            .is_some_and(|byte| self.first_bytes[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1)
    }
}

/// The entries of each group, longest first, so that `written by` is found before `by`. Names are in the order of the list.
static ENTRIES: LazyLock<Vec<Entries>> = LazyLock::new(|| {
    let mut entries = vec![Entries::default(); GROUPS.len()];
    for (name, entry) in word_list::lines(LIST) {
        if let Some((_, group)) = GROUPS.iter().find(|(known, _)| *known == name) {
            entries[*group as usize].push(entry.trim());
        }
    }
    for ((_, group), entries) in GROUPS.iter().zip(&mut entries) {
        if !matches!(group, WordGroup::PublishedName | WordGroup::ModifiedName | WordGroup::ScriptKey) {
            entries.all.sort_by_key(|entry| (std::cmp::Reverse(entry.len()), *entry));
        }
    }
    entries
});

pub(crate) fn entries(group: WordGroup) -> &'static [&'static str] {
    &ENTRIES[group as usize].all
}

pub(crate) fn is(group: WordGroup, text: &str) -> bool {
    is_lower(group, &text.to_lowercase())
}

pub(crate) fn is_lower(group: WordGroup, text: &str) -> bool {
    let entries = &ENTRIES[group as usize];
    entries.may_begin(text) && entries.all.contains(&text)
}

/// Returns `true` if a word of a text, or a run of Han or kana in it, is an entry of a group.
pub(crate) fn has(group: WordGroup, text: &str) -> bool {
    let text = text.to_lowercase();
    entries(group).iter().any(|entry| {
        if entry.contains(is_cjk) {
            text.contains(entry)
        } else {
            text.split(|c: char| !c.is_alphanumeric()).any(|word| word == *entry)
        }
    })
}

/// Returns the text after an opening entry of a group and the white space or signs that must follow it.
pub(crate) fn behind(group: WordGroup, text: &str) -> Option<&str> {
    const SIGNS: [char; 12] = [':', '：', '・', '／', '/', '=', '＝', '|', '｜', '●', '】', '◎'];
    let first = text.chars().next()?;
    let lower = first.to_lowercase().next().unwrap_or(first);
    let entries = &ENTRIES[group as usize];
    if !entries.may_begin(text) && !entries.may_begin(lower.encode_utf8(&mut [0; 4])) {
        return None;
    }
    let mut alike = entries.all.iter().filter(|entry| entry.starts_with([first, lower]));
    alike.find_map(|entry| {
        let rest = without_start(text, entry)?;
        let signs = rest.trim_start_matches(|c: char| c.is_whitespace() || SIGNS.contains(&c));
        let ends = rest.is_empty() || signs.len() < rest.len();
        ends.then_some(signs)
    })
}

pub(crate) fn before(group: WordGroup, text: &str) -> Option<&str> {
    entries(group).iter().find_map(|entry| text.strip_suffix(entry)).map(str::trim_end)
}

/// Returns `true` if a text ends with an entry of a group, ignoring punctuation and white space.
pub(crate) fn closes(group: WordGroup, text: &str) -> bool {
    let text = text.trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    entries(group).iter().any(|entry| {
        text.strip_suffix(entry)
            .is_some_and(|rest| entry.contains(is_cjk) || !rest.ends_with(char::is_alphanumeric))
    })
}

fn without_start<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let mut rest = text.chars();
    for wanted in start.chars() {
        let found = rest.next()?;
        if found != wanted && !found.to_lowercase().eq([wanted]) {
            return None;
        }
    }
    Some(rest.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_order() {
        let is_group = |name: &str| GROUPS.iter().any(|(known, _)| *known == name);
        assert_eq!(word_list::fault(LIST, word_list::lines(LIST), is_group), None);
    }

    #[test]
    fn entries_are_whole_words() {
        assert_eq!(behind(WordGroup::By, "By Ann Lee"), Some("Ann Lee"));
        assert_eq!(behind(WordGroup::By, "WRITTEN BY: Ann"), Some("Ann"));
        assert_eq!(behind(WordGroup::By, "Byron"), None);
        assert_eq!(behind(WordGroup::By, "文・山田太郎"), Some("山田太郎"));
        assert_eq!(behind(WordGroup::By, "文化の日"), None);
        assert!(closes(WordGroup::Changed, "最終更新日：") && closes(WordGroup::Changed, "Last updated: "));
        assert!(!closes(WordGroup::Changed, "outdated"));
        assert!(has(WordGroup::Role, "Senior staff writer") && !has(WordGroup::Role, "Ann Writerson"));
    }
}
