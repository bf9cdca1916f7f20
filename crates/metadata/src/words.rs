//! Words that pages write around names, dates and page numbers.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use tsugi_page::text::is_cjk;
use tsugi_page::word_list;

const LIST: &str = include_str!("lists/words.txt");

/// What an entry of the list says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// Opens a byline.
    By,
    /// Goes behind a name.
    TitleBehind,
    /// Says what somebody does.
    Role,
    /// Stands before what is no name: `More from …`.
    Before,
    /// Is nobody's name.
    Nobody,
    /// A small word of a name.
    Particle,
    /// A word in what a person works for, or is called with others: not a second person.
    Body,
    /// A word in the name of an organisation, which is no author.
    Organisation,
    /// Says that a date is that of a change.
    Changed,
    /// Counts pages.
    Page,
}

const GROUPS: [(&str, Group); 10] = [
    ("by", Group::By),
    ("title_behind", Group::TitleBehind),
    ("role", Group::Role),
    ("before", Group::Before),
    ("organisation", Group::Organisation),
    ("nobody", Group::Nobody),
    ("particle", Group::Particle),
    ("body", Group::Body),
    ("changed", Group::Changed),
    ("page", Group::Page),
];

/// The entries of each group, longest first.
static ENTRIES: LazyLock<BTreeMap<Group, Vec<&str>>> = LazyLock::new(|| {
    let mut entries: BTreeMap<Group, Vec<&str>> = BTreeMap::new();
    for (name, entry) in word_list::lines(LIST) {
        if let Some((_, group)) = GROUPS.iter().find(|(known, _)| *known == name) {
            entries.entry(*group).or_default().push(entry.trim());
        }
    }
    for entries in entries.values_mut() {
        entries.sort_by_key(|entry| (std::cmp::Reverse(entry.len()), *entry));
        entries.dedup();
    }
    entries
});

fn entries(group: Group) -> &'static [&'static str] {
    ENTRIES.get(&group).map_or(&[], Vec::as_slice)
}

/// Returns `true` if a text is an entry of a group, whatever its case.
pub(crate) fn is(group: Group, text: &str) -> bool {
    let text = text.to_lowercase();
    entries(group).contains(&text.as_str())
}

/// Returns `true` if one of the words of a text, or one of its strings of Han or kana, is an entry of a group.
pub(crate) fn has(group: Group, text: &str) -> bool {
    let text = text.to_lowercase();
    let words = || text.split(|c: char| !c.is_alphanumeric());
    let is_in = |entry: &&str| {
        if entry.contains(is_cjk) { text.contains(*entry) } else { words().any(|word| word == *entry) }
    };
    entries(group).iter().any(is_in)
}

/// Returns what follows an entry of a group that opens a text, and white space or a colon; `None` where none opens it.
///
/// An entry of letters with spaces between words must end where a word ends; one of Han or kana must be followed by a sign.
pub(crate) fn behind(group: Group, text: &str) -> Option<&str> {
    const SIGNS: [char; 12] = [':', '：', '・', '／', '/', '=', '＝', '|', '｜', '●', '】', '◎'];
    entries(group).iter().find_map(|entry| {
        let rest = without_start(text, entry)?;
        let signs = rest.trim_start_matches(|c: char| c.is_whitespace() || SIGNS.contains(&c));
        let ends = rest.is_empty() || signs.len() < rest.len();
        ends.then_some(signs)
    })
}

/// Returns what is before an entry of a group that closes a text.
pub(crate) fn before(group: Group, text: &str) -> Option<&str> {
    entries(group).iter().find_map(|entry| text.strip_suffix(entry)).map(str::trim_end)
}

/// Returns `true` if a text ends with an entry of a group, signs and white space left aside.
pub(crate) fn closes(group: Group, text: &str) -> bool {
    let text = text.trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    entries(group).iter().any(|entry| {
        text.strip_suffix(entry)
            .is_some_and(|rest| entry.contains(is_cjk) || !rest.ends_with(char::is_alphanumeric))
    })
}

/// Strips a lower-case text from the start of another, whatever its case.
fn without_start<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let mut rest = text.chars();
    for wanted in start.chars() {
        let found = rest.next()?;
        if found != wanted && !found.to_lowercase().eq(std::iter::once(wanted)) {
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
        assert_eq!(behind(Group::By, "By Ann Lee"), Some("Ann Lee"));
        assert_eq!(behind(Group::By, "WRITTEN BY: Ann"), Some("Ann"));
        assert_eq!(behind(Group::By, "Byron"), None);
        assert_eq!(behind(Group::By, "文・山田太郎"), Some("山田太郎"));
        assert_eq!(behind(Group::By, "文化の日"), None);
        assert!(closes(Group::Changed, "最終更新日：") && closes(Group::Changed, "Last updated: "));
        assert!(!closes(Group::Changed, "outdated"));
        assert!(has(Group::Role, "Senior staff writer") && !has(Group::Role, "Ann Writerson"));
    }
}
