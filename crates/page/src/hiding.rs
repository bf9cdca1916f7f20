//! What the simplest rules of a page's own style sheets hide.

use crate::page::{NodeId, Page};
use crate::style::declarations;
use crate::tags::{Attr, Tag};
use memchr::{memchr3_iter, memmem};
use std::collections::{BTreeMap, BTreeSet};

/// The rules of a page's sheets that hide elements by a class or an `id`, or show them after all.
///
/// Rules for an element in or beside another, or in some state, tell how it looks after a click or a script: none of them hides, and
/// what one of them shows is not hidden. Nor do rules for all elements of a name hide, such as those that hide a page until
/// a script has run.
#[derive(Debug, Default)]
pub struct HidingRules<'p> {
    rules: BTreeMap<SimpleSelector<'p>, Displayed>,
    /// The classes and `id`s of what is shown in some state.
    shown: BTreeSet<Name<'p>>,
}

/// A class or an `id`, with its sign in selectors.
type Name<'p> = (u8, &'p str);

/// A name, and perhaps that of the element.
type SimpleSelector<'p> = (Name<'p>, Option<&'p str>);

/// What a rule says. Of several for an element, the greatest counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Displayed {
    is_important: bool,
    /// The name of an element makes a rule for a class stronger, and an `id` makes it stronger still.
    strength: u8,
    /// The place of the rule among others.
    order: usize,
    is_hidden: bool,
}

impl<'p> HidingRules<'p> {
    /// Reads the style sheets in a page.
    pub fn of(page: &'p Page) -> HidingRules<'p> {
        let elements = page.elements().filter(|id| page.is_tag(*id, Tag::Style));
        let sheets = elements.filter(|id| page.attribute(*id, "media").is_none_or(is_for_window));
        HidingRules::of_sheets(&sheets.map(|id| page.string_value(id)).collect::<Vec<_>>())
    }

    fn of_sheets(sheets: &[&'p str]) -> HidingRules<'p> {
        let mut rules = HidingRules::default();
        if sheets.iter().any(|sheet| memmem::find(sheet.as_bytes(), b"none").is_some()) {
            let mut order = 0;
            for sheet in sheets {
                each_rule(sheet, |selectors, style| {
                    order += 1;
                    rules.add(order, selectors, style);
                });
            }
        }
        rules
    }

    fn add(&mut self, order: usize, selectors: &'p str, style: &str) {
        let Some((is_hidden, is_important)) = display(style) else { return };
        for selector in selectors.split(',').map(str::trim) {
            let (tag, name) = selector.split_at(selector.find(['.', '#']).unwrap_or_default());
            if is_word(tag)
                && name.get(1..).is_some_and(is_word)
                && let Some(name) = signed(name)
            {
                let tag = Some(tag).filter(|tag| !tag.is_empty());
                let strength = 2 * u8::from(name.0 == b'#') + u8::from(tag.is_some());
                let says = Displayed { is_important, strength, order, is_hidden };
                let held = self.rules.entry((name, tag)).or_insert(says);
                *held = says.max(*held);
            } else if !is_hidden && !selector.contains("no-js") && !selector.contains("nojs") {
                let element = selector.rsplit([' ', '\n', '\t', '>', '+', '~']).next().unwrap_or_default();
                let (names, state) = element.split_at(element.find([':', '[']).unwrap_or(element.len()));
                if ![":before", ":after", "::"].iter().any(|part| state.contains(part)) {
                    let starts = names.match_indices(['.', '#']).map(|(at, _)| &names[at..]);
                    self.shown.extend(starts.filter_map(signed));
                }
            }
        }
    }

    /// Returns `true` if no rule hides anything.
    pub fn is_empty(&self) -> bool {
        !self.rules.values().any(|says| says.is_hidden)
    }

    /// Returns `true` if the rules hide an element of the page, and its own style does not show it.
    pub fn hide(&self, page: &Page, id: NodeId) -> bool {
        let mut strongest: Option<Displayed> = None;
        for (attribute, value) in page.known_attributes(id) {
            let sign = match attribute {
                Attr::Class => b'.',
                Attr::Id => b'#',
                Attr::Style if display(value).is_some_and(|(is_hidden, _)| !is_hidden) => return false,
                _ => continue,
            };
            for word in value.split_ascii_whitespace() {
                if self.shown.contains(&(sign, word)) {
                    return false;
                }
                let tags = [None, Some(page.tag(id))];
                let says = tags.into_iter().filter_map(|tag| self.rules.get(&((sign, word), tag)));
                strongest = says.copied().chain(strongest).max();
            }
        }
        strongest.is_some_and(|says| says.is_hidden)
    }
}

/// Returns the sign and the name that a selector begins with.
fn signed(selector: &str) -> Option<Name<'_>> {
    let (sign, rest) = selector.as_bytes().first().zip(selector.get(1..))?;
    let name = rest.split(['.', '#']).next().filter(|name| !name.is_empty())?;
    Some((*sign, name))
}

fn is_word(name: &str) -> bool {
    name.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_'))
}

/// Returns whether declarations hide their element or show it, and whether they are `!important`.
fn display(style: &str) -> Option<(bool, bool)> {
    memmem::find(style.as_bytes(), b"display")?;
    let (_, value) = declarations(style).filter(|(property, _)| *property == "display").last()?;
    Some((value.starts_with("none"), value.contains('!')))
}

/// Gives the selectors and declarations of each rule of a sheet that a window uses.
fn each_rule<'s>(sheet: &'s str, mut give: impl FnMut(&'s str, &'s str)) {
    enum Block<'s> {
        /// Holds rules that count.
        Open,
        /// Holds rules that do not, or is none.
        Shut,
        Rule(&'s str),
    }
    let bytes = sheet.as_bytes();
    let mut blocks: Vec<Block<'s>> = Vec::new();
    let (mut start, mut comment_end) = (0, 0);
    for at in memchr3_iter(b'{', b'}', b'/', bytes) {
        if at < comment_end {
            continue;
        }
        match bytes[at] {
            b'/' => {
                if bytes.get(at + 1) == Some(&b'*') {
                    let end = memmem::find(&bytes[at + 2..], b"*/");
                    comment_end = end.map_or(bytes.len(), |end| at + end + 4);
                    if sheet[start..at].trim().is_empty() {
                        start = comment_end;
                    }
                }
            }
            b'{' => {
                let head = sheet[start..at].rsplit(';').next().unwrap_or_default().trim();
                let is_counted = matches!(blocks.last(), None | Some(Block::Open));
                blocks.push(match head.strip_prefix('@') {
                    _ if !is_counted => Block::Shut,
                    None => Block::Rule(head),
                    Some(at) => {
                        let is_open = at.strip_prefix("media").is_some_and(is_for_window)
                            || at.starts_with("supports")
                            || at.starts_with("layer");
                        if is_open { Block::Open } else { Block::Shut }
                    }
                });
                start = at + 1;
            }
            _ => {
                if let Some(Block::Rule(selectors)) = blocks.pop() {
                    give(selectors, &sheet[start..at]);
                }
                start = at + 1;
            }
        }
    }
}

/// Returns `true` if a media query matches a wide window. Those that ask something else do not.
fn is_for_window(media: &str) -> bool {
    /// In pixels.
    const WIDTH: f32 = 1280.0;
    let pixels = |length: &str| {
        let length = length.trim();
        let (number, size) = match length.strip_suffix("px") {
            Some(number) => (number, 1.0),
            None => (length.strip_suffix("rem").or(length.strip_suffix("em"))?, 16.0),
        };
        Some(number.trim().parse::<f32>().ok()? * size)
    };
    let matches = |part: &str| match part.split_once(':') {
        Some(("min-width", length)) => pixels(length).is_some_and(|least| least <= WIDTH),
        Some(("max-width", length)) => pixels(length).is_some_and(|most| most >= WIDTH),
        Some(_) => false,
        None => part.split_ascii_whitespace().all(|word| matches!(word, "and" | "only" | "screen" | "all")),
    };
    media.split(',').any(|query| query.to_ascii_lowercase().split(['(', ')']).map(str::trim).all(matches))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the words that are not hidden.
    fn shown(html: &str) -> String {
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let rules = HidingRules::of(&page);
        let hidden: Vec<NodeId> = page.elements().filter(|id| rules.hide(&page, *id)).collect();
        page.text_of_content(&[NodeId::DOCUMENT], &page.outermost(hidden))
    }

    #[test]
    fn simple_rules_hide() {
        for sheet in [
            ".x{display:none}",
            "a{b:c}/* } */ .y , .x { color: red; display : none !important; }",
            "#i{display:none}",
            "b.x{display:none}",
            "b#i{display:none}",
            ".x{display:block}.x{display:none}",
            ".x{display:none!important}.x{display:block}",
            ".x{display:block}#i{display:none}b.x{display:inline}",
            "@media screen and (min-width: 40em){.x{display:none}}",
            "@charset 'utf-8';@supports (display:grid){.x{display:none}}",
            ".x{display:none}@media print{.x{display:block}}",
            ".x{display:none}@media (max-width:600px){.x{display:block}}",
            ".x{display:none}.x::before{display:block}.no-js .x{display:block}",
            ".x{display:none}.x .z{display:block}",
        ] {
            assert_eq!(
                shown(&format!("<style>{sheet}</style><i>a</i><b id=i class='w x'>b</b>c")),
                "a c",
                "{sheet}"
            );
        }
    }

    #[test]
    fn other_rules_hide_nothing() {
        for sheet in [
            "",
            ".x{display:none",
            ".x{display:block}",
            ".x{visibility:hidden}",
            "/* .x{display:none} */",
            "b{display:none}",
            "i.x{display:none}",
            ".js .x{display:none}",
            ".x:hover{display:none}",
            ".x.y{display:none}",
            ".x:not(.y){display:none}",
            ".x{display:none}.x{display:block}",
            ".x{display:none}b.x{display:block}",
            ".x{display:none}.x.open{display:block}",
            ".x{display:none}.menu:hover > .x{display:flex}",
            ".x{display:none}@media (min-width:30rem){.x{display:block}}",
            "@media print{.x{display:none}}",
            "@media (max-width:600px){.x{display:none}}",
            "@media only screen and (min-width:100px) and (max-width:48em){.x{display:none}}",
            "@media (prefers-reduced-motion){.x{display:none}}",
            "@keyframes k{.x{display:none}}",
            ".y{.x{display:none}}",
        ] {
            assert_eq!(shown(&format!("<style>{sheet}</style><b id=i class='w x'>b</b>")), "b", "{sheet}");
        }
        assert_eq!(shown("<style>.x{display:none}</style><b class=x style='display:inline'>b</b>"), "b");
        assert_eq!(shown("<style media=print>.x{display:none}</style><b class=x>b</b>"), "b");
        assert_eq!(shown("<style media=screen>.x{display:none}</style><b class=x>b</b>"), "");
    }

    proptest::proptest! {
        #[test]
        fn any_sheet_is_read(sheet in "(\\.x|#i|\\{|\\}|/\\*|\\*/|@media |\\(max-width:|1px|\\)|display:none|;|,| |é){0,30}") {
            let _ = HidingRules::of_sheets(&[&sheet, &sheet]).is_empty();
        }
    }
}
