//! Words around names, dates and page numbers.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use tsugi_page::text::is_cjk;
use tsugi_page::word_list;

const LIST: &str = include_str!("lists/words.txt");

/// The role of an entry in the word list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// Opens a byline.
    By,
    /// Follows a name.
    TitleBehind,
    /// A job.
    Role,
    /// Precedes text that is not a name: `More from …`.
    Before,
    /// Not a name.
    Nobody,
    /// A particle inside a name.
    Particle,
    /// Part of an employer's or a group's name: not a second person.
    Body,
    /// Part of an organisation's name, which is not an author.
    Organisation,
    /// Marks a date as that of a change.
    Changed,
    /// Means “page”.
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

/// Returns `true` if a text is an entry of a group, in any case.
pub(crate) fn is(group: Group, text: &str) -> bool {
    let text = text.to_lowercase();
    entries(group).contains(&text.as_str())
}

/// Returns `true` if a word of a text, or a run of Han or kana in it, is an entry of a group.
pub(crate) fn has(group: Group, text: &str) -> bool {
    let text = text.to_lowercase();
    let words = || text.split(|c: char| !c.is_alphanumeric());
    let is_in = |entry: &&str| {
        if entry.contains(is_cjk) { text.contains(*entry) } else { words().any(|word| word == *entry) }
    };
    entries(group).iter().any(is_in)
}

/// Returns the text after an opening entry of a group and any white space or colon; `None` if the text does not start
/// with one.
///
/// In scripts with spaces, the entry must end at the end of a word; an entry of Han or kana must be followed by
/// punctuation.
pub(crate) fn behind(group: Group, text: &str) -> Option<&str> {
    const SIGNS: [char; 12] = [':', '：', '・', '／', '/', '=', '＝', '|', '｜', '●', '】', '◎'];
    entries(group).iter().find_map(|entry| {
        let rest = without_start(text, entry)?;
        let signs = rest.trim_start_matches(|c: char| c.is_whitespace() || SIGNS.contains(&c));
        let ends = rest.is_empty() || signs.len() < rest.len();
        ends.then_some(signs)
    })
}

/// Returns the text before a closing entry of a group.
pub(crate) fn before(group: Group, text: &str) -> Option<&str> {
    entries(group).iter().find_map(|entry| text.strip_suffix(entry)).map(str::trim_end)
}

/// Returns `true` if a text ends with an entry of a group, ignoring punctuation and white space.
pub(crate) fn closes(group: Group, text: &str) -> bool {
    let text = text.trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    entries(group).iter().any(|entry| {
        text.strip_suffix(entry)
            .is_some_and(|rest| entry.contains(is_cjk) || !rest.ends_with(char::is_alphanumeric))
    })
}

/// Strips a lower-case prefix from a text, in any case.
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
