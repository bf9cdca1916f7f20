//! The meaning of `class`, `id` and other names in the markup.

use std::sync::LazyLock;
use tsugi_page::lexicon::{Lexicon, Memo};
use tsugi_page::{Attr, NodeId, Page, style};

flags! { NameFlags: u32;
    NEXT = 0, PREVIOUS = 1, RIGHT = 2, LEFT = 3, FIRST = 4, LAST = 5, CURRENT = 6, DISABLED = 7, PAGER = 8,
    PAGE = 9, NAVIGATION = 10, POST = 11, COMMENT = 12, SIDE = 13, MENU = 14, CRUMBS = 15, FOOTER = 16,
    HEADER = 17, CONTENTS = 18, RELATED = 19, SHARE = 20, CALENDAR = 21, TAG = 22, SLIDER = 23, SORT = 24,
    MORE = 25, OLDER = 26, NEWER = 27, CHAPTER = 28, ARCHIVE = 29, LOAD = 30, HIDDEN = 31,
}

const PARTS: &str = include_str!("lists/names.txt");

static BY_PART: LazyLock<Lexicon<NameFlags>> = LazyLock::new(|| Lexicon::of_flags(PARTS));

const MAX_NAME: usize = 256; // Maximum length of an attribute read, in bytes.

/// Classes of frameworks that move an element to one end of its row.
const AT_THE_END: [&str; 8] = [
    "ms-auto", "ml-auto", "justify-end", "justify-content-end", "text-end", "items-end", "float-end",
    "align-right",
];
const AT_THE_START: [&str; 8] = [
    "me-auto", "mr-auto", "justify-start", "justify-content-start", "text-start", "items-start",
    "float-start", "align-left",
];

pub(crate) fn meaning(value: &str) -> NameFlags {
    let mut names = NameFlags::empty();
    if value.contains('-') {
        for class in super::words::cut(value, MAX_NAME).split_ascii_whitespace() {
            names.set(NameFlags::RIGHT, names.intersects(NameFlags::RIGHT) || AT_THE_END.contains(&class));
            names.set(NameFlags::LEFT, names.intersects(NameFlags::LEFT) || AT_THE_START.contains(&class));
        }
    }
    let by_part = &*BY_PART;
    let (mut is_arrow, mut letters) = (false, NameFlags::empty());
    each_part(value, |part| {
        if let Some(meaning) = by_part.get(part) {
            names |= meaning;
        }
        match part {
            "r" | "R" => letters |= NameFlags::RIGHT,
            "l" | "L" => letters |= NameFlags::LEFT,
            "arrow" | "Arrow" | "arr" | "chevron" | "caret" | "angle" => is_arrow = true,
            _ => {}
        }
    });
    // A letter says a direction beside a word for an arrow alone: `arrow_r.gif`.
    if is_arrow && letters.bits().is_power_of_two() { names | letters } else { names }
}

/// Passes each part of a name to `take`: split at punctuation, at digits and before capitals. Parts of ASCII names
/// keep their case; others are lower-cased.
pub(crate) fn each_part(value: &str, mut take: impl FnMut(&str)) {
    let value = super::words::cut(value, MAX_NAME);
    if !value.is_ascii() {
        return each_part_of_any(value, take);
    }
    let bytes = value.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        // Capitals, then lower-case letters: the next capital starts another part.
        let from = at;
        at += bytes[at..].iter().take_while(|byte| byte.is_ascii_uppercase()).count();
        at += bytes[at..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        if from < at {
            take(&value[from..at]);
        } else {
            at += 1;
        }
    }
}

fn each_part_of_any(value: &str, mut take: impl FnMut(&str)) {
    let mut part = String::new();
    let mut after_small = false;
    for c in value.chars() {
        let is_letter = c.is_alphabetic();
        if (!is_letter || (after_small && c.is_uppercase())) && !part.is_empty() {
            take(&part);
            part.clear();
        }
        if c.is_ascii() && is_letter {
            part.push(c.to_ascii_lowercase());
        } else if is_letter {
            part.extend(c.to_lowercase());
        }
        after_small = c.is_lowercase();
    }
    if !part.is_empty() {
        take(&part);
    }
}

/// The meanings of attribute values, in tables of fixed size that forget: classes repeat, and no page can fill the memory.
pub(crate) struct NameMemo<'p> {
    names: Memo<'p, NameFlags>,
    styles: Memo<'p, NameFlags>,
}

impl<'p> NameMemo<'p> {
    pub(crate) fn new() -> NameMemo<'p> {
        NameMemo { names: Memo::new(), styles: Memo::new() }
    }

    pub(crate) fn of_element(&mut self, page: &'p Page, node: NodeId) -> NameFlags {
        let mut names = NameFlags::empty();
        for (name, value) in page.known_attributes(node) {
            names = names.union(match name {
                Attr::Class | Attr::Role => self.names.get(value, meaning),
                // Ids rarely repeat.
                Attr::Id => meaning(value),
                Attr::Hidden => NameFlags::HIDDEN,
                Attr::Style => self.styles.get(value, meaning_of_style),
                Attr::Align => side(value),
                _ => NameFlags::empty(),
            });
        }
        names
    }
}

fn meaning_of_style(style: &str) -> NameFlags {
    let style = super::words::cut(style, MAX_NAME);
    let mut names = if style::hides(style) { NameFlags::HIDDEN } else { NameFlags::empty() };
    for declaration in style.split(';') {
        let Some((property, value)) = declaration.split_once(':') else { continue };
        if matches!(property.trim().to_ascii_lowercase().as_str(), "float" | "text-align") {
            names |= side(value);
        }
    }
    names
}

fn side(value: &str) -> NameFlags {
    match value.trim().to_ascii_lowercase().as_str() {
        "right" | "end" => NameFlags::RIGHT,
        "left" | "start" => NameFlags::LEFT,
        _ => NameFlags::empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsugi_page::lexicon::flags;
    use tsugi_page::word_list;

    #[test]
    fn the_list_is_well_formed() {
        let is_group = |group: &str| !flags::<NameFlags>(group).is_empty();
        assert_eq!(word_list::fault(PARTS, word_list::words(PARTS), is_group), None);
    }

    #[test]
    fn names_are_read_in_parts() {
        for (value, names) in [
            ("pagination-next", NameFlags::NEXT | NameFlags::PAGER),
            ("nextPage", NameFlags::NEXT | NameFlags::PAGE),
            ("fa fa-chevron-right", NameFlags::RIGHT),
            ("page_item2 isActive", NameFlags::CURRENT),
            ("d-flex ms-auto", NameFlags::RIGHT),
            ("auto justify-start", NameFlags::LEFT),
            ("/i/arrow_r.gif", NameFlags::RIGHT),
            ("icon-chevron-l", NameFlags::LEFT),
        ] {
            assert!(meaning(value).contains(names), "{value}");
        }
        assert_eq!(meaning("context textnext2x onward"), NameFlags::empty(), "parts are looked up whole");
        assert_eq!(meaning("r col-l"), NameFlags::empty(), "letters say a direction of arrows alone");
        assert_eq!(meaning("arrow-l-r"), NameFlags::empty());
        assert_eq!(meaning(""), NameFlags::empty());
        assert_eq!(meaning_of_style("Float: right; color:red"), NameFlags::RIGHT);
        let style = meaning_of_style("margin:0; text-align:left; display:none");
        assert_eq!(style, NameFlags::LEFT | NameFlags::HIDDEN);
        assert_eq!(meaning("überschrift Next"), NameFlags::NEXT);
        assert_eq!(meaning_of_style("color: red; DISPLAY : none"), NameFlags::HIDDEN);
        assert_eq!(meaning_of_style("display: block; none: display"), NameFlags::empty());
    }

    proptest::proptest! {
        #[test]
        fn parts_of_ascii_names_are_those_of_any(value in "[a-cA-C0-2 _.-]{0,24}") {
            let (mut parts, mut of_any) = (Vec::new(), Vec::new());
            each_part(&value, |part| parts.push(part.to_ascii_lowercase()));
            each_part_of_any(&value, |part| of_any.push(part.to_owned()));
            proptest::prop_assert_eq!(parts, of_any);
        }
    }
}
