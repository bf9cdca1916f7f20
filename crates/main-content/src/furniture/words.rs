//! The meaning of names and labels of furniture.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use tsugi_page::lexicon::{Lexicon, flags};
use tsugi_page::{Attr, NodeId, Page, text, word_list};

bitflags::bitflags! {
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(super) struct FurnitureNames: u32 {
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

    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(super) struct FurnitureLabel: u32 {
        const ACTION = 1;
        const MARK = 1 << 1;
        const FIGURE = 1 << 2;
        const DETAIL = 1 << 3;
        const NEXT = 1 << 4;
        const PREVIOUS = 1 << 5;
        const PAGES = 1 << 6;
        const WHOLE = 1 << 7;
        const ADVERTISEMENT = 1 << 8;
    }
}

const NAMES: &str = include_str!("../lists/furniture_names.txt");
const LABELS: &str = include_str!("../lists/furniture_labels.txt");

static PARTS: LazyLock<Lexicon<FurnitureNames>> = LazyLock::new(|| Lexicon::of_flags(NAMES));

static PHRASES: LazyLock<BTreeMap<&'static str, FurnitureLabel>> = LazyLock::new(|| {
    let mut phrases: BTreeMap<&str, FurnitureLabel> = BTreeMap::new();
    for (group, phrase) in word_list::lines(LABELS) {
        *phrases.entry(phrase).or_default() |= flags(group);
    }
    phrases
});

impl FurnitureNames {
    pub(super) fn of(value: &str) -> FurnitureNames {
        let parts = &*PARTS;
        let mut all = FurnitureNames::empty();
        for name in value.split_ascii_whitespace() {
            let mut one = FurnitureNames::empty();
            let mut has_other = false;
            each_part(name, |part| match parts.get(part) {
                Some(meaning) => one |= meaning,
                // Short parts are prefixes of software: `dsq`, `wp`.
                None => has_other |= part.len() > 3,
            });
            if has_other || one.intersects(FurnitureNames::ABOUT) {
                // Its other parts say that it is neither.
            } else if one.contains(FurnitureNames::COMMENTS)
                || one.contains(FurnitureNames::COMMENT | FurnitureNames::CONTAINER)
            {
                one |= FurnitureNames::SECTION;
            } else if one.contains(FurnitureNames::COMMENT) {
                one |= FurnitureNames::ITEM;
            }
            all |= one;
        }
        all
    }

    pub(super) fn of_element(page: &Page, id: NodeId) -> FurnitureNames {
        let of = |name| page.value(id, name).map_or(FurnitureNames::empty(), FurnitureNames::of);
        of(Attr::Class) | of(Attr::Id)
    }
}

/// Passes each part of a name to `take`: split at non-letters, and where a capital follows a lower-case letter.
fn each_part(name: &str, mut take: impl FnMut(&str)) {
    let bytes = name.as_bytes();
    let mut at = 0;
    while let Some(first) = bytes.get(at) {
        let from = at;
        at += 1;
        if !is_letter(*first) {
            continue;
        }
        let mut before = *first;
        while let Some(byte) = bytes.get(at).copied()
            && is_letter(byte)
            && !(byte.is_ascii_uppercase() && before.is_ascii_lowercase())
        {
            before = byte;
            at += 1;
        }
        take(&name[from..at]);
    }
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte >= 0x80
}

impl FurnitureLabel {
    pub(super) fn of(text: &str) -> FurnitureLabel {
        PHRASES.get(&*plain(text)).copied().unwrap_or_default()
    }

    /// Reads the longest phrase that a text starts with.
    pub(super) fn at_start(text: &str) -> FurnitureLabel {
        const WORDS: usize = 6; // Maximum number of words in a phrase.
        let text = plain(text);
        let ends = text.char_indices().filter(|(_, c)| is_mark(*c)).map(|(at, _)| at).take(WORDS);
        let mut ends: Vec<usize> = ends.collect();
        ends.push(text.len());
        let mut found = ends.into_iter().rev().filter_map(|end| PHRASES.get(plain(&text[..end]).as_str()));
        found.next().copied().unwrap_or_default()
    }
}

fn is_mark(c: char) -> bool {
    !text::is_alphanumeric(c) && !matches!(c, '\'' | '-')
}

/// Returns a label in lower case, with folded white space and without marks at its ends.
pub(super) fn plain(text: &str) -> String {
    let text = text::folded(text.trim_matches(|c: char| !text::is_alphanumeric(c)));
    // Nearly all labels.
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.to_lowercase().replace('’', "'") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_right() {
        let is_group = |group: &str| {
            let meaning = flags::<FurnitureNames>(group);
            !meaning.is_empty() && !meaning.intersects(FurnitureNames::SECTION | FurnitureNames::ITEM)
        };
        assert_eq!(word_list::fault(NAMES, word_list::words(NAMES), is_group), None);
        let is_label = |group: &str| !flags::<FurnitureLabel>(group).is_empty();
        assert_eq!(word_list::fault(LABELS, word_list::lines(LABELS), is_label), None);
        for (_, part) in word_list::words(NAMES) {
            assert_eq!(part, part.to_lowercase());
        }
        for (_, phrase) in word_list::lines(LABELS) {
            assert_eq!(plain(phrase), phrase);
        }
    }

    #[test]
    fn names_are_read_part_by_part() {
        for value in ["comments", "comments-area x", "comment_list", "jc_commentsDiv", "disqus_thread"] {
            assert!(FurnitureNames::of(value).contains(FurnitureNames::SECTION), "{value}");
        }
        for value in
            ["comments-link", "comment-count", "comments-open", "commentary", "comment", "recent-comments"]
        {
            assert!(!FurnitureNames::of(value).contains(FurnitureNames::SECTION), "{value}");
        }
        for value in ["comment", "comment-12", "x comment odd"] {
            assert!(FurnitureNames::of(value).contains(FurnitureNames::ITEM), "{value}");
        }
        assert!(!FurnitureNames::of("comment-author").contains(FurnitureNames::ITEM));
        assert!(FurnitureNames::of("post-shareButtons").contains(FurnitureNames::SHARE));
    }

    #[test]
    fn labels_are_read_without_their_marks() {
        assert_eq!(FurnitureLabel::of(" « Share » "), FurnitureLabel::ACTION);
        assert_eq!(FurnitureLabel::of("Reply to Ann"), FurnitureLabel::empty());
        assert!(FurnitureLabel::at_start("Next: The end »").contains(FurnitureLabel::NEXT));
        assert!(FurnitureLabel::at_start("Continue to chapter 5 »").contains(FurnitureLabel::NEXT));
        assert!(!FurnitureLabel::at_start("Nextcloud").contains(FurnitureLabel::NEXT));
    }
}
