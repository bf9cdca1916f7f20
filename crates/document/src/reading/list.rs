//! The numbers of a list's items.

use std::collections::BTreeMap;
use tsugi_page::style::declarations;
use tsugi_page::{Attr, NodeId, Page, Tag};

/// How the numbers of a list are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberStyle {
    Decimal,
    LowerLetters,
    UpperLetters,
    LowerRoman,
    UpperRoman,
}

impl NumberStyle {
    /// Returns the style of a list: its own, or that of its first item.
    pub(crate) fn of(page: &Page, list: NodeId) -> NumberStyle {
        /// What may be before the first item, in nodes.
        const NEAR: usize = 8;
        let first = || page.children(list).take(NEAR).find(|id| page.is_tag(*id, Tag::Li));
        let stated = NumberStyle::stated(page, list);
        stated.or_else(|| NumberStyle::stated(page, first()?)).unwrap_or(NumberStyle::Decimal)
    }

    /// Returns the style of an item of a list.
    pub(crate) fn of_item(page: &Page, item: NodeId) -> NumberStyle {
        let of_list = || NumberStyle::stated(page, page.parent(item)?);
        NumberStyle::stated(page, item).or_else(of_list).unwrap_or(NumberStyle::Decimal)
    }

    /// Reads the `type` of a list or an item, or the `list-style-type` of its `style`.
    fn stated(page: &Page, id: NodeId) -> Option<NumberStyle> {
        let style = page.value(id, Attr::Style).unwrap_or_default();
        let of_style =
            declarations(style).find(|(property, _)| matches!(*property, "list-style-type" | "list-style"));
        let word = of_style.map(|(_, value)| value).or_else(|| page.value(id, Attr::Type))?;
        match word.trim() {
            "1" | "decimal" => Some(NumberStyle::Decimal),
            "a" | "lower-alpha" | "lower-latin" => Some(NumberStyle::LowerLetters),
            "A" | "upper-alpha" | "upper-latin" => Some(NumberStyle::UpperLetters),
            "i" | "lower-roman" => Some(NumberStyle::LowerRoman),
            "I" | "upper-roman" => Some(NumberStyle::UpperRoman),
            _ => None,
        }
    }

    /// Returns the `type` that HTML has for the style.
    pub(crate) fn html_type(self) -> Option<&'static str> {
        match self {
            NumberStyle::Decimal => None,
            NumberStyle::LowerLetters => Some("a"),
            NumberStyle::UpperLetters => Some("A"),
            NumberStyle::LowerRoman => Some("i"),
            NumberStyle::UpperRoman => Some("I"),
        }
    }

    /// Writes a number: `3`, `c`, `iii`. Letters and Roman numerals exist only for some numbers; the others are decimal.
    pub(crate) fn write(self, number: i32) -> String {
        let written = match self {
            NumberStyle::Decimal => None,
            NumberStyle::LowerLetters | NumberStyle::UpperLetters => letters(number),
            NumberStyle::LowerRoman | NumberStyle::UpperRoman => roman(number),
        };
        match (written, self) {
            (None, _) => number.to_string(),
            (Some(written), NumberStyle::UpperLetters | NumberStyle::UpperRoman) => written.to_uppercase(),
            (Some(written), _) => written,
        }
    }
}

/// Returns the number of each item of an ordered list, whether it is written or left out, as browsers count: from `start`, down if
/// `reversed`, and on from the `value` of an item.
pub(crate) fn ordinals(page: &Page, list: NodeId) -> BTreeMap<NodeId, i32> {
    let whole =
        |id: NodeId, name: Attr| page.value(id, name).and_then(|value| value.trim().parse::<i32>().ok());
    let items = || page.children(list).filter(|id| page.is_tag(*id, Tag::Li));
    let is_reversed = page.attribute(list, "reversed").is_some();
    let first = if is_reversed { i32::try_from(items().count()).unwrap_or(1) } else { 1 };
    let mut next = whole(list, Attr::Start).unwrap_or(first);
    let mut ordinals = BTreeMap::new();
    for item in items() {
        let number = whole(item, Attr::Value).unwrap_or(next);
        ordinals.insert(item, number);
        next = number.saturating_add(if is_reversed { -1 } else { 1 });
    }
    ordinals
}

fn letters(number: i32) -> Option<String> {
    let mut rest = u32::try_from(number).ok().filter(|number| *number > 0)?;
    let mut letters = String::new();
    while rest > 0 {
        let place = (rest - 1) % 26;
        letters.insert(0, char::from(b'a' + u8::try_from(place).ok()?));
        rest = (rest - 1) / 26;
    }
    Some(letters)
}

fn roman(number: i32) -> Option<String> {
    const SIGNS: [(i32, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut rest = Some(number).filter(|number| (1..4000).contains(number))?;
    let mut roman = String::new();
    for (value, sign) in SIGNS {
        while rest >= value {
            roman.push_str(sign);
            rest -= value;
        }
    }
    Some(roman)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_numbered_as_browsers_number_them() {
        for (html, expected) in [
            ("<ol><li>a<li>b", vec!["1", "2"]),
            ("<ol start=0><li>a<li>b", vec!["0", "1"]),
            ("<ol type=a start=26><li>x<li>y", vec!["z", "aa"]),
            ("<ol type=I><li>a<li value=4>b<li>c", vec!["I", "IV", "V"]),
            ("<ol style='list-style-type: lower-roman'><li>a<li>b", vec!["i", "ii"]),
            ("<ol><li type=a>a<li type=a>b", vec!["a", "b"]),
            ("<ol type=i><li>a<li type=1>b<li type=disc>c", vec!["i", "2", "iii"]),
            ("<ol><li type=A>a<li>b", vec!["A", "2"]),
            ("<ol reversed><li>a<li>b", vec!["2", "1"]),
            ("<ol reversed start=10><li>a<li>b", vec!["10", "9"]),
            ("<ol type=i start=-1><li>a<li>b<li>c", vec!["-1", "0", "i"]),
            ("<ol start=2147483647><li>a<li>b", vec!["2147483647", "2147483647"]),
        ] {
            let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
            let list = page.first("ol").unwrap();
            let numbers: Vec<String> = ordinals(&page, list)
                .iter()
                .map(|(item, number)| NumberStyle::of_item(&page, *item).write(*number))
                .collect();
            assert_eq!(numbers, expected, "{html}");
        }
    }
}
