//! A rule: its meaning, and its form in CSS and XPath.

use std::fmt::{self, Display, Formatter, Write};

/// The names of elements that start a block, sorted: `%block;` of the HTML 4.01 DTD, and `body`. `noscript`, which
/// contains no blocks, is left out.
pub(super) const BLOCK_NAMES: [&str; 24] = [
    "address", "blockquote", "body", "center", "dir", "div", "dl", "fieldset", "form", "h1", "h2", "h3",
    "h4", "h5", "h6", "hr", "isindex", "menu", "noframes", "ol", "p", "pre", "table", "ul",
];

/// Maximum length of an identifier in bytes: longer ones do not occur in practice, and rules are printed.
pub(super) const LONGEST_IDENTIFIER: usize = 256;

/// Identifies an element: the value of its `id`, or one of its classes.
///
/// An `id` sorts before a class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Identifier {
    /// The whole value of an `id`.
    Id(Box<str>),
    /// One word of a `class`.
    Class(Box<str>),
}

impl Identifier {
    fn is_usable(&self) -> bool {
        match self {
            Identifier::Id(value) => is_identifier(value),
            Identifier::Class(word) => {
                is_identifier(word) && !word.contains(|c: char| c.is_ascii_whitespace())
            }
        }
    }

    fn to_xpath(&self) -> String {
        match self {
            Identifier::Id(value) => format!("@id={}", xpath_text(value)),
            Identifier::Class(word) => {
                format!(
                    "contains(concat(' ',normalize-space(@class),' '),{})",
                    xpath_text(&format!(" {word} "))
                )
            }
        }
    }
}

impl Display for Identifier {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (sign, name) = match self {
            Identifier::Id(value) => ('#', value),
            Identifier::Class(word) => ('.', word),
        };
        f.write_char(sign)?;
        write_css_identifier(f, name)
    }
}

/// The near identifier of a block, by its position.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NearIdentifier {
    /// On the element itself.
    Own(Identifier),
    /// On its parent.
    Parent(Identifier),
    /// On an ancestor above its parent.
    Ancestor(Identifier),
    /// No identifier: only the name counts.
    None,
}

/// A rule that selects one kind of block-level element at a certain position.
///
/// It displays as a CSS selector: `div#a`, `#a > div`, `#a * div`, the same with classes, and `div`. `#a * div`
/// selects descendants other than children, as in CSS.
///
/// # Source
///
/// Yoshida, Inui & Yamamoto, section 2.4, table 1.
///
/// # Examples
///
/// ```
/// use tsugi_site_blocks::{Identifier, NearIdentifier, Rule};
/// let rule = Rule::new("p", NearIdentifier::Ancestor(Identifier::Class("md:text".into()))).unwrap();
/// assert_eq!(rule.to_string(), r".md\:text * p");
/// assert_eq!(rule.to_xpath(), "//*[contains(concat(' ',normalize-space(@class),' '),' md:text ')]/*//p");
/// assert_eq!(Rule::new("span", NearIdentifier::None), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule {
    near: NearIdentifier,
    tag: Box<str>,
}

impl Rule {
    /// Creates a rule for elements with a lower-case name.
    ///
    /// Returns `None` if no block can have that name, or if no element can have that identifier: it is empty, a class
    /// with white space, or longer than 256 bytes.
    pub fn new(tag: &str, near: NearIdentifier) -> Option<Rule> {
        let is_usable = match &near {
            NearIdentifier::Own(one) | NearIdentifier::Parent(one) | NearIdentifier::Ancestor(one) => {
                one.is_usable()
            }
            NearIdentifier::None => true,
        };
        (is_usable && BLOCK_NAMES.binary_search(&tag).is_ok()).then(|| Rule { near, tag: tag.into() })
    }

    /// Returns the name of the elements.
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// Returns the identifier and its position.
    pub fn near(&self) -> &NearIdentifier {
        &self.near
    }

    /// Returns XPath 1.0 for the elements that the CSS selector matches.
    pub fn to_xpath(&self) -> String {
        let tag = &self.tag;
        match &self.near {
            NearIdentifier::Own(one) => format!("//{tag}[{}]", one.to_xpath()),
            NearIdentifier::Parent(one) => format!("//*[{}]/{tag}", one.to_xpath()),
            NearIdentifier::Ancestor(one) => format!("//*[{}]/*//{tag}", one.to_xpath()),
            NearIdentifier::None => format!("//{tag}"),
        }
    }
}

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let tag = &self.tag;
        match &self.near {
            NearIdentifier::Own(one) => write!(f, "{tag}{one}"),
            NearIdentifier::Parent(one) => write!(f, "{one} > {tag}"),
            NearIdentifier::Ancestor(one) => write!(f, "{one} * {tag}"),
            NearIdentifier::None => f.write_str(tag),
        }
    }
}

pub(super) fn is_identifier(value: &str) -> bool {
    !value.is_empty() && value.len() <= LONGEST_IDENTIFIER
}

/// Writes a name as a single CSS identifier.
///
/// # Source
///
/// CSSOM, "serialize an identifier".
fn write_css_identifier(f: &mut Formatter<'_>, name: &str) -> fmt::Result {
    for (at, c) in name.chars().enumerate() {
        let starts = at == 0 || (at == 1 && name.starts_with('-'));
        match c {
            '\0' => f.write_char(char::REPLACEMENT_CHARACTER)?,
            '0'..='9' if starts => write!(f, "\\{:x} ", u32::from(c))?,
            '\u{1}'..='\u{1f}' | '\u{7f}' => write!(f, "\\{:x} ", u32::from(c))?,
            '-' if name.len() == 1 => f.write_str("\\-")?,
            '-' | '_' | '0'..='9' | 'a'..='z' | 'A'..='Z' | '\u{80}'.. => f.write_char(c)?,
            _ => write!(f, "\\{c}")?,
        }
    }
    Ok(())
}

/// Quotes a text for XPath 1.0, which has no escapes: a text with both kinds of quotes is concatenated.
fn xpath_text(text: &str) -> String {
    if !text.contains('\'') {
        return format!("'{text}'");
    }
    if !text.contains('"') {
        return format!("\"{text}\"");
    }
    let parts: Vec<String> = text.split('\'').map(|part| format!("'{part}'")).collect();
    format!("concat({})", parts.join(",\"'\","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{is_block, is_left_out};
    use crate::samples::page;
    use tsugi_page::XPath;

    fn id(value: &str) -> Identifier {
        Identifier::Id(value.into())
    }

    fn class(value: &str) -> Identifier {
        Identifier::Class(value.into())
    }

    #[test]
    fn the_seven_patterns_of_table_1_print_as_css_and_xpath() {
        let printed = |near| {
            let rule = Rule::new("p", near).unwrap();
            (rule.to_string(), rule.to_xpath())
        };
        let of_class = "contains(concat(' ',normalize-space(@class),' '),' c ')";
        let expected = [
            (NearIdentifier::Own(id("i")), "p#i", "//p[@id='i']".to_owned()),
            (NearIdentifier::Parent(id("i")), "#i > p", "//*[@id='i']/p".to_owned()),
            (NearIdentifier::Ancestor(id("i")), "#i * p", "//*[@id='i']/*//p".to_owned()),
            (NearIdentifier::Own(class("c")), "p.c", format!("//p[{of_class}]")),
            (NearIdentifier::Parent(class("c")), ".c > p", format!("//*[{of_class}]/p")),
            (NearIdentifier::Ancestor(class("c")), ".c * p", format!("//*[{of_class}]/*//p")),
            (NearIdentifier::None, "p", "//p".to_owned()),
        ];
        for (near, css, xpath) in expected {
            assert_eq!(printed(near), (css.to_owned(), xpath));
        }
    }

    /// The examples of CSSOM's rules, and names that sites use.
    #[test]
    fn identifiers_are_escaped_as_cssom_says() {
        let cases = [
            ("main", "main"),
            ("1st", r"\31 st"),
            ("-1st", r"-\31 st"),
            ("a1-_", "a1-_"),
            ("-", r"\-"),
            ("--x", "--x"),
            ("md:w-1/2", r"md\:w-1\/2"),
            ("h-[3px]", r"h-\[3px\]"),
            ("本文", "本文"),
            ("é", "é"),
            ("a b", r"a\ b"),
            ("a\tb", r"a\9 b"),
            ("\u{7f}", r"\7f "),
            ("a\0", "a\u{fffd}"),
            ("\"'\\", r#"\"\'\\"#),
        ];
        for (value, css) in cases {
            assert_eq!(id(value).to_string(), format!("#{css}"));
        }
    }

    #[test]
    fn xpath_finds_identifiers_with_any_quotes() {
        for value in ["a'b", "a&quot;b", "a'b&quot;c'", "本文", "md:w-1/2"] {
            let page = page(&format!("<p id=\"{value}\" class=\"x {value}\ty\">"));
            let p = page.first("p").unwrap();
            let held = page.attribute(p, "id").unwrap();
            for identifier in [id(held), class(held)] {
                let rule = Rule::new("p", NearIdentifier::Own(identifier)).unwrap();
                assert_eq!(XPath::parse(&rule.to_xpath()).unwrap().nodes(&page).unwrap(), [p], "{rule}");
            }
        }
    }

    #[test]
    fn what_no_block_can_have_makes_no_rule() {
        let long = "x".repeat(LONGEST_IDENTIFIER + 1);
        let refused = [id(""), class(""), class("a b"), class("a\nb"), id(&long), class(&long)];
        for identifier in refused {
            assert_eq!(Rule::new("p", NearIdentifier::Parent(identifier)), None);
        }
        assert!(Rule::new("p", NearIdentifier::Parent(id("a b"))).is_some(), "an `id` may hold a space");
        assert!(
            ["span", "P", "", "article", "li"]
                .iter()
                .all(|tag| Rule::new(tag, NearIdentifier::None).is_none())
        );
    }

    #[test]
    fn the_names_are_those_of_blocks() {
        assert!(BLOCK_NAMES.is_sorted());
        let others =
            ["a", "article", "dd", "frameset", "li", "noscript", "section", "span", "td", "template", "ul-x"];
        for name in BLOCK_NAMES.into_iter().chain(others) {
            let page = page(&format!("<{name}>x</{name}>"));
            let found = page.elements().find(|id| page.is(*id, name));
            let is_block = found.is_some_and(|id| is_block(&page, id) && !is_left_out(&page, id));
            assert_eq!(is_block, BLOCK_NAMES.contains(&name), "{name}");
        }
    }
}
