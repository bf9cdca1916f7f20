//! The meaning of names and labels of furniture.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use tsugi_page::{Attr, NodeId, Page, text, word_list};

bitflags::bitflags! {
    /// The meaning of a part of a class or id.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(super) struct Name: u32 {
        const COMMENT = 1;
        const COMMENTS = 1 << 1;
        const CONTAINER = 1 << 2;
        const RESPOND = 1 << 3;
        const ABOUT = 1 << 4;
        const SHARE = 1 << 5;
        const MARK = 1 << 6;
        const EDIT = 1 << 7;
        const SIGNATURE = 1 << 8;
        const POST = 1 << 9;
        const FIGURES = 1 << 10;
        const FOLDED = 1 << 11;
        const FORUM = 1 << 14;
        const REVIEW = 1 << 15;
        const ICON = 1 << 16;
        /// The parts of a name together denote a comment section.
        const SECTION = 1 << 12;
        /// They denote a single comment.
        const ITEM = 1 << 13;
    }

    /// The meaning of a label.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(super) struct Label: u8 {
        const ACTION = 1;
        const MARK = 1 << 1;
        const FIGURE = 1 << 2;
        const DETAIL = 1 << 3;
        const NEXT = 1 << 4;
        const PREVIOUS = 1 << 5;
        const PAGES = 1 << 6;
        const WHOLE = 1 << 7;
    }
}

const NAMES: &str = include_str!("../lists/furniture_names.txt");
const LABELS: &str = include_str!("../lists/furniture_labels.txt");

fn name(group: &str) -> Option<Name> {
    Name::from_name(&group.to_ascii_uppercase()).filter(|name| !name.intersects(Name::SECTION | Name::ITEM))
}

fn label(group: &str) -> Option<Label> {
    Label::from_name(&group.to_ascii_uppercase())
}

/// The meanings of name parts. Most lookups fail, and two tables decide that early: by first byte, the lengths of
/// parts and their second bytes.
struct Parts {
    held: BTreeMap<&'static str, Name>,
    lengths: [u64; 256],
    seconds: [u64; 256],
}

/// Returns the bit of a second byte, ignoring case.
fn bit(part: &[u8]) -> u64 {
    1 << (part.get(1).copied().unwrap_or_default() & 31)
}

static PARTS: LazyLock<Parts> = LazyLock::new(|| {
    let mut parts = Parts { held: BTreeMap::new(), lengths: [0; 256], seconds: [0; 256] };
    for (group, part) in word_list::words(NAMES) {
        *parts.held.entry(part).or_default() |= name(group).unwrap_or_default();
        if let Some(first) = part.bytes().next() {
            parts.lengths[usize::from(first)] |= 1 << part.len().min(63);
            parts.seconds[usize::from(first)] |= bit(part.as_bytes());
        }
    }
    parts
});

static PHRASES: LazyLock<BTreeMap<&'static str, Label>> = LazyLock::new(|| {
    let mut phrases: BTreeMap<&str, Label> = BTreeMap::new();
    for (group, phrase) in word_list::lines(LABELS) {
        *phrases.entry(phrase).or_default() |= label(group).unwrap_or_default();
    }
    phrases
});

/// Maximum length of a name part, in bytes.
const LONGEST: usize = 32;

impl Parts {
    /// Returns the meaning of a part, ignoring ASCII case.
    fn get(&self, part: &str) -> Name {
        let Some(first) = part.bytes().next() else { return Name::empty() };
        let first = usize::from(first.to_ascii_lowercase());
        let has_length = part.len() <= LONGEST && self.lengths[first] >> part.len() & 1 == 1;
        if !has_length || self.seconds[first] & bit(part.as_bytes()) == 0 {
            return Name::empty();
        }
        let mut lower = [0; LONGEST];
        let Some(lower) = lower.get_mut(..part.len()) else { return Name::empty() };
        lower.copy_from_slice(part.as_bytes());
        lower.make_ascii_lowercase();
        std::str::from_utf8(lower).ok().and_then(|part| self.held.get(part)).copied().unwrap_or_default()
    }
}

impl Name {
    /// Reads the value of a `class` or `id`.
    pub(super) fn of(value: &str) -> Name {
        let parts = &*PARTS;
        let mut all = Name::empty();
        for name in value.split_ascii_whitespace() {
            let mut one = Name::empty();
            let mut has_other = false;
            for part in parts_of(name) {
                let found = parts.get(part);
                // Short parts are prefixes of software: `dsq`, `wp`.
                has_other |= found.is_empty() && part.len() > 3;
                one |= found;
            }
            let is_section = one.contains(Name::COMMENTS) || one.contains(Name::COMMENT | Name::CONTAINER);
            if is_section && !has_other && !one.intersects(Name::ABOUT) {
                one |= Name::SECTION;
            } else if one.contains(Name::COMMENT) && !has_other && !one.intersects(Name::ABOUT) {
                one |= Name::ITEM;
            }
            all |= one;
        }
        all
    }

    /// Reads the `class` and the `id` of an element.
    pub(super) fn of_element(page: &Page, id: NodeId) -> Name {
        let of = |name| page.value(id, name).map_or(Name::empty(), Name::of);
        of(Attr::Class) | of(Attr::Id)
    }
}

/// Caches the meanings of recent names: most elements share the names of another.
pub(super) struct NameMemo {
    /// Digests of names, each at the index given by its lowest bits.
    held: Vec<(u64, Name)>,
}

impl Default for NameMemo {
    fn default() -> NameMemo {
        NameMemo { held: vec![(0, Name::empty()); 256] }
    }
}

impl NameMemo {
    /// Reads the value of a `class` or `id`, as [`Name::of`].
    pub(super) fn of(&mut self, value: &str) -> Name {
        let digest = text::digest(value.as_bytes());
        let place = usize::from(digest.to_le_bytes()[0]);
        match self.held.get_mut(place) {
            Some((held, name)) if *held == digest => *name,
            Some(slot) => {
                *slot = (digest, Name::of(value));
                slot.1
            }
            None => Name::of(value),
        }
    }
}

/// Splits a name at non-letters, and where a capital follows a lower-case letter.
fn parts_of(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let bytes = rest.as_bytes();
        let is_letter = |byte: u8| byte.is_ascii_alphabetic() || byte >= 0x80;
        let end = (0..bytes.len())
            .find(|at| {
                let is_hump =
                    *at > 0 && bytes[*at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase();
                !is_letter(bytes[*at]) || is_hump
            })
            .unwrap_or(bytes.len());
        let (part, after) = rest.split_at(end);
        let skipped = after.bytes().take_while(|byte| !is_letter(*byte)).count();
        rest = &after[skipped..];
        Some(part)
    })
}

impl Label {
    /// Reads a whole label.
    pub(super) fn of(text: &str) -> Label {
        PHRASES.get(&*plain(text)).copied().unwrap_or_default()
    }

    /// Reads the longest phrase that a text starts with.
    pub(super) fn at_start(text: &str) -> Label {
        /// Maximum number of words in a phrase.
        const WORDS: usize = 6;
        let text = plain(text);
        let is_mark = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '-');
        let ends = text.char_indices().filter(|(_, c)| is_mark(*c)).map(|(at, _)| at).take(WORDS);
        let mut ends: Vec<usize> = ends.collect();
        ends.push(text.len());
        let found = |end: usize| PHRASES.get(plain(&text[..end]).as_str()).copied();
        ends.into_iter().rev().find_map(found).unwrap_or_default()
    }
}

/// Returns a label in lower case, with folded white space and without marks at its ends.
pub(super) fn plain(text: &str) -> String {
    let text = tsugi_page::text::fold(text.trim_matches(|c: char| !c.is_alphanumeric())).to_lowercase();
    text.replace('’', "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_right() {
        assert_eq!(word_list::fault(NAMES, word_list::words(NAMES), |group| name(group).is_some()), None);
        assert_eq!(word_list::fault(LABELS, word_list::lines(LABELS), |group| label(group).is_some()), None);
        for (_, part) in word_list::words(NAMES) {
            assert!(part.len() <= LONGEST && part == part.to_lowercase(), "{part}");
        }
        for (_, phrase) in word_list::lines(LABELS) {
            assert_eq!(plain(phrase), phrase);
        }
    }

    #[test]
    fn names_are_read_part_by_part() {
        for value in ["comments", "comments-area x", "comment_list", "jc_commentsDiv", "disqus_thread"] {
            assert!(Name::of(value).contains(Name::SECTION), "{value}");
            let mut memo = NameMemo::default();
            assert_eq!([memo.of(value), memo.of(value)], [Name::of(value); 2], "{value}");
        }
        for value in
            ["comments-link", "comment-count", "comments-open", "commentary", "comment", "recent-comments"]
        {
            assert!(!Name::of(value).contains(Name::SECTION), "{value}");
        }
        for value in ["comment", "comment-12", "x comment odd"] {
            assert!(Name::of(value).contains(Name::ITEM), "{value}");
        }
        assert!(!Name::of("comment-author").contains(Name::ITEM));
        assert!(Name::of("post-shareButtons").contains(Name::SHARE));
    }

    #[test]
    fn labels_are_read_without_their_marks() {
        assert_eq!(Label::of(" « Share » "), Label::ACTION);
        assert_eq!(Label::of("Reply to Ann"), Label::empty());
        assert!(Label::at_start("Next: The end »").contains(Label::NEXT));
        assert!(Label::at_start("Continue to chapter 5 »").contains(Label::NEXT));
        assert!(!Label::at_start("Nextcloud").contains(Label::NEXT));
    }
}
