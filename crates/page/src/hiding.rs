//! What the simplest rules of a page's own style sheets hide.

use crate::node::NodeId;
use crate::page::Page;
use crate::style::{declarations, simple_rules, simple_selector};
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
    /// Reads the style sheets in a page, if they hide any of some elements.
    pub fn of(page: &'p Page, mut elements: impl Iterator<Item = NodeId>) -> HidingRules<'p> {
        let sheets = page.elements_of(Tag::Style);
        let sheets = sheets.filter(|id| page.attribute(*id, "media").is_none_or(is_for_window));
        let sheets: Vec<&str> = sheets.map(|id| page.string_value(id)).collect();
        let hides = |style: &str| display(style).filter(|(is_hidden, _)| *is_hidden);
        let hidden = sheets.iter().flat_map(|sheet| simple_rules(sheet, "display", hides));
        let hidden: BTreeSet<Name> = hidden.filter_map(|(_, name, _)| signed(name)).collect();
        let is_hidden = |id: NodeId| names(page, id).any(|name| hidden.contains(&name));
        // Most pages hide menus and dialogs. How the rules of a large sheet go together takes longer to find.
        if hidden.is_empty() || !elements.any(is_hidden) {
            return HidingRules::default();
        }
        let mut rules = HidingRules::default();
        let mut order = 0;
        for sheet in sheets {
            each_rule(sheet, |selectors, style| {
                order += 1;
                rules.add(order, selectors, style);
            });
        }
        rules
    }

    fn add(&mut self, order: usize, selectors: &'p str, style: &str) {
        let Some((is_hidden, is_important)) = display(style) else { return };
        for selector in selectors.split(',').map(str::trim) {
            if let Some((tag, name)) = simple_selector(selector)
                && let Some(name) = signed(name)
            {
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
        for name in names(page, id) {
            if self.shown.contains(&name) {
                return false;
            }
            let tags = [None, Some(page.tag(id))];
            let says = tags.into_iter().filter_map(|tag| self.rules.get(&(name, tag)));
            strongest = says.copied().chain(strongest).max();
        }
        let own = || page.attribute(id, "style").and_then(display);
        strongest.is_some_and(|says| says.is_hidden) && own().is_none_or(|(is_hidden, _)| is_hidden)
    }
}

/// The classes and the `id` of an element.
fn names(page: &Page, id: NodeId) -> impl Iterator<Item = Name<'_>> {
    page.known_attributes(id).flat_map(|(attribute, value)| {
        let (sign, value) = match attribute {
            Attr::Class => (b'.', value),
            Attr::Id => (b'#', value),
            _ => (b' ', ""),
        };
        value.split_ascii_whitespace().map(move |name| (sign, name))
    })
}

/// Returns the sign and the name that a selector begins with.
fn signed(selector: &str) -> Option<Name<'_>> {
    let (sign, rest) = selector.as_bytes().first().zip(selector.get(1..))?;
    let name = rest.split(['.', '#']).next().filter(|name| !name.is_empty())?;
    Some((*sign, name))
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
        let rules = HidingRules::of(&page, page.elements());
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
            shown(&format!("<style>{sheet}</style><style>{sheet}</style><p class=a id=b>x</p>"));
        }
    }
}
