//! Selectors that rules are made of: what they select, how they print as XPath and CSS, what they cost.
//!
//! A [`Selector`] is a union of [`Path`]s; a path leads from the document through steps to an element. This is the
//! small part of XPath 1.0 that people write items with. It is matched from right to left on our own arena, since
//! learning tries thousands of them; what is written at the end is evaluated again by the XPath engine.

use std::fmt::Write;
use tsugi_page::{NodeId, Page};

/// How a step leads on from the one before; for a first step, from the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Axis {
    /// To elements below, at any depth.
    Descendant,
    /// To children.
    Child,
    /// To the element that follows next among its siblings.
    Adjacent,
    /// To the first of the siblings after it that has the step's name.
    Following,
}

/// What a step asks of an element besides its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Test {
    /// It is the first of its name among its siblings.
    First,
    /// It is the last of its name among its siblings.
    Last,
    /// It is this one of its name among its siblings, from 1.
    Nth(u32),
    /// Its `id` is this.
    Id(String),
    /// This is one of its classes.
    Class(String),
    /// An attribute has just this value.
    Attribute(String, String),
    /// A space-separated attribute has this word.
    Word(String, String),
    /// Its text is this, white space folded.
    Text(String),
    /// Its text contains this.
    Contains(String),
    /// An element of this name and kind is below it.
    Has(String, Box<Test>),
    /// The text before it, between it and the element before, is a number: the page's own in a pager.
    AfterNumber,
    /// It is not so.
    Not(Box<Test>),
    /// It is no element of this name.
    NotTag(String),
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step {
    /// How it is reached.
    pub(super) axis: Axis,
    /// The element's name; any where empty.
    pub(super) tag: String,
    /// What else is asked, position first: `li[last()]` counts all `li`.
    pub(super) tests: Vec<Test>,
}

/// Steps from the document to elements.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Path {
    /// At least one.
    pub(super) steps: Vec<Step>,
}

/// A union of paths.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Selector {
    /// In the order in which they are written.
    pub(super) paths: Vec<Path>,
}

/// What another path in a union costs.
const UNION: f64 = 2.5;

impl Test {
    /// Says whether an element is so.
    fn holds(&self, page: &Page, id: NodeId) -> bool {
        match self {
            Test::First => same_name_before(page, id).next().is_none(),
            Test::Nth(place) => same_name_before(page, id).count() + 1 == *place as usize,
            Test::Last => {
                let mut after = std::iter::successors(page.next_sibling(id), |at| page.next_sibling(*at));
                !after.any(|other| same_name(page, id, other))
            }
            Test::Id(value) => page.attribute(id, "id") == Some(value),
            Test::Class(value) => has_word(page, id, "class", value),
            Test::Attribute(name, value) => page.attribute(id, name) == Some(value),
            Test::Word(name, value) => has_word(page, id, name, value),
            Test::Text(value) => folded_is(page.string_value(id), value),
            Test::Contains(value) => page.string_value(id).contains(value.as_str()),
            Test::Has(tag, test) => {
                page.subtree(id).skip(1).any(|below| page.is(below, tag) && test.holds(page, below))
            }
            Test::AfterNumber => {
                let before = page.previous_sibling(id).filter(|before| !page.is_element(*before));
                before.is_some_and(|before| is_bare_number(page.data(before)))
            }
            Test::Not(test) => !test.holds(page, id),
            Test::NotTag(tag) => !page.is(id, tag),
        }
    }

    /// How much it takes for a rule to ask this: what is likely to stay costs little.
    pub(super) fn cost(&self) -> f64 {
        match self {
            Test::Word(..) => 0.25,
            Test::Id(_) => 0.3,
            Test::Class(value) => 0.3 + name_cost(value),
            Test::Attribute(name, _) if name == "rel" => 0.2,
            Test::Attribute(..) => 0.5,
            Test::Text(_) => 0.6,
            Test::Contains(_) => 0.7,
            Test::Has(_, test) => 0.4 + test.cost(),
            Test::Not(test) => 0.5 + test.cost(),
            Test::NotTag(_) | Test::AfterNumber => 0.8,
            Test::First | Test::Last | Test::Nth(_) => 1.2,
        }
    }

    /// Writes the test as an XPath condition on the context node, without brackets; `None` where a text cannot be
    /// quoted.
    fn xpath(&self) -> Option<String> {
        Some(match self {
            Test::First => "1".to_owned(),
            Test::Last => "last()".to_owned(),
            Test::Nth(place) => place.to_string(),
            Test::Id(value) => format!("@id={}", quoted(value)?),
            Test::Class(value) => word("class", value)?,
            Test::Attribute(name, value) => format!("@{name}={}", quoted(value)?),
            Test::Word(name, value) => word(name, value)?,
            Test::Text(value) => format!("normalize-space(.)={}", quoted(value)?),
            Test::Contains(value) => format!("contains(.,{})", quoted(value)?),
            Test::Has(tag, test) => format!(".//{tag}[{}]", test.xpath()?),
            Test::AfterNumber => {
                "preceding-sibling::node()[1][self::text()][number(translate(.,'[]|·•-–—,\u{a0}',''))\
                                  =number(translate(.,'[]|·•-–—,\u{a0}',''))]"
                    .to_owned()
            }
            Test::Not(test) => format!("not({})", test.xpath()?),
            Test::NotTag(tag) => format!("not(self::{tag})"),
        })
    }

    /// Writes the test as CSS; `None` where CSS cannot say it.
    fn css(&self) -> Option<String> {
        Some(match self {
            Test::First => ":first-of-type".to_owned(),
            Test::Last => ":last-of-type".to_owned(),
            Test::Nth(place) => format!(":nth-of-type({place})"),
            Test::Id(value) if is_identifier(value) => format!("#{value}"),
            Test::Id(value) => format!("[id=\"{}\"]", css_string(value)?),
            Test::Class(value) if is_identifier(value) => format!(".{value}"),
            Test::Class(value) => format!("[class~=\"{}\"]", css_string(value)?),
            Test::Attribute(name, value) => format!("[{name}=\"{}\"]", css_string(value)?),
            Test::Word(name, value) => format!("[{name}~=\"{}\"]", css_string(value)?),
            Test::Not(test) => format!(":not({})", test.css()?),
            Test::NotTag(tag) => format!(":not({tag})"),
            Test::Text(_) | Test::Contains(_) | Test::Has(..) | Test::AfterNumber => return None,
        })
    }
}

impl Step {
    pub(super) fn new(axis: Axis, tag: &str, tests: Vec<Test>) -> Step {
        Step { axis, tag: tag.to_owned(), tests }
    }

    fn holds(&self, page: &Page, id: NodeId) -> bool {
        page.is_element(id)
            && (self.tag.is_empty() || page.is(id, &self.tag))
            && self.tests.iter().all(|test| test.holds(page, id))
    }

    fn cost(&self) -> f64 {
        let axis = match self.axis {
            Axis::Descendant => 0.3,
            Axis::Child => 0.2,
            Axis::Adjacent => 0.5,
            Axis::Following => 0.6,
        };
        // An element that only its name tells from others is told by little; most so where the path begins.
        let bare = match (self.tests.is_empty(), self.axis) {
            (false, _) => 0.0,
            (true, Axis::Descendant) if is_marking_name(&self.tag) => 0.5,
            (true, Axis::Descendant) if !is_telling_name(&self.tag) => 1.0,
            (true, _) => 0.2,
        };
        axis + bare + self.tests.iter().map(Test::cost).sum::<f64>()
    }
}

impl Path {
    /// Says whether the path leads to an element.
    pub(super) fn selects(&self, page: &Page, id: NodeId) -> bool {
        selects(page, &self.steps, id)
    }

    fn cost(&self) -> f64 {
        self.steps.iter().map(Step::cost).sum()
    }

    fn xpath(&self) -> Option<String> {
        let mut out = String::new();
        for step in &self.steps {
            let tag = if step.tag.is_empty() { "*" } else { &step.tag };
            match step.axis {
                Axis::Descendant => write!(out, "//{tag}"),
                Axis::Child => write!(out, "/{tag}"),
                Axis::Adjacent if step.tag.is_empty() => write!(out, "/following-sibling::*[1]"),
                Axis::Adjacent => write!(out, "/following-sibling::*[1][self::{tag}]"),
                Axis::Following => write!(out, "/following-sibling::{tag}[1]"),
            }
            .ok()?;
            for test in &step.tests {
                write!(out, "[{}]", test.xpath()?).ok()?;
            }
        }
        Some(out)
    }

    fn css(&self) -> Option<String> {
        let mut out = String::new();
        for (at, step) in self.steps.iter().enumerate() {
            match step.axis {
                // The only child of a document is its root.
                Axis::Descendant | Axis::Child if at == 0 => {}
                Axis::Descendant => out.push(' '),
                Axis::Child => out.push_str(" > "),
                Axis::Adjacent => out.push_str(" + "),
                Axis::Following => return None,
            }
            if step.tag.is_empty() && step.tests.is_empty() {
                out.push('*');
            }
            out.push_str(&step.tag);
            for test in &step.tests {
                out.push_str(&test.css()?);
            }
        }
        Some(out)
    }
}

impl Selector {
    /// A selector of one path.
    pub(super) fn of(path: Path) -> Selector {
        Selector { paths: vec![path] }
    }

    /// Returns the elements that are selected, in document order.
    pub(super) fn select(&self, page: &Page) -> Vec<NodeId> {
        page.elements().filter(|id| self.paths.iter().any(|path| path.selects(page, *id))).collect()
    }

    /// How much evidence it takes to believe in this selector, in nats.
    pub(super) fn cost(&self) -> f64 {
        let paths: f64 = self.paths.iter().map(Path::cost).sum();
        paths + UNION * self.paths.len().saturating_sub(1) as f64
    }

    /// Writes the selector as XPath 1.0; `None` where a text cannot be quoted.
    pub(super) fn xpath(&self) -> Option<String> {
        let paths: Option<Vec<String>> = self.paths.iter().map(Path::xpath).collect();
        Some(paths?.join(" | "))
    }

    /// Writes the selector as CSS 3; `None` where CSS cannot say it.
    pub(super) fn css(&self) -> Option<String> {
        let paths: Option<Vec<String>> = self.paths.iter().map(Path::css).collect();
        Some(paths?.join(", "))
    }
}

fn selects(page: &Page, steps: &[Step], id: NodeId) -> bool {
    let Some((last, before)) = steps.split_last() else { return true };
    if !last.holds(page, id) {
        return false;
    }
    match last.axis {
        Axis::Descendant if before.is_empty() => true,
        Axis::Descendant => page.ancestors(id).any(|above| selects(page, before, above)),
        Axis::Child => page.parent(id).is_some_and(|parent| {
            if before.is_empty() { parent == NodeId::DOCUMENT } else { selects(page, before, parent) }
        }),
        Axis::Adjacent => element_before(page, id).is_some_and(|sibling| selects(page, before, sibling)),
        Axis::Following => {
            let mut at = page.previous_sibling(id);
            while let Some(sibling) = at {
                if page.is_element(sibling) && selects(page, before, sibling) {
                    return true;
                }
                if same_name(page, id, sibling) {
                    return false;
                }
                at = page.previous_sibling(sibling);
            }
            false
        }
    }
}

fn same_name(page: &Page, one: NodeId, other: NodeId) -> bool {
    page.is_element(other) && page.tag(one) == page.tag(other) && page.namespace(one) == page.namespace(other)
}

fn same_name_before(page: &Page, id: NodeId) -> impl Iterator<Item = NodeId> {
    std::iter::successors(page.previous_sibling(id), |at| page.previous_sibling(*at))
        .filter(move |other| same_name(page, id, *other))
}

/// Returns the element before an element among its siblings.
pub(super) fn element_before(page: &Page, id: NodeId) -> Option<NodeId> {
    std::iter::successors(page.previous_sibling(id), |at| page.previous_sibling(*at))
        .find(|other| page.is_element(*other))
}

/// The white space that XPath knows.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Returns the words of an attribute that XPath's `normalize-space` would part.
pub(super) fn words(value: &str) -> impl Iterator<Item = &str> {
    value.split(is_space).filter(|word| !word.is_empty())
}

/// Folds white space as XPath's `normalize-space` does.
pub(super) fn normalize_space(text: &str) -> String {
    words(text).collect::<Vec<_>>().join(" ")
}

fn has_word(page: &Page, id: NodeId, name: &str, value: &str) -> bool {
    page.attribute(id, name).is_some_and(|held| words(held).any(|word| word == value))
}

/// Says whether a text is another one but for white space.
fn folded_is(text: &str, folded: &str) -> bool {
    let mut rest = folded;
    for (at, word) in words(text).enumerate() {
        let tail = if at == 0 { Some(rest) } else { rest.strip_prefix(' ') };
        let Some(tail) = tail.and_then(|tail| tail.strip_prefix(word)) else { return false };
        rest = tail;
    }
    rest.is_empty()
}

/// Says whether a text is a number between what pagers set around numbers.
pub(super) fn is_bare_number(text: &str) -> bool {
    let bare: String = text
        .chars()
        .filter(|c| !"[]|·•-–—,\u{a0}".contains(*c))
        .collect::<String>()
        .trim_matches(is_space)
        .to_owned();
    !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit())
}

/// Names that say something on HTML pages without more.
pub(super) fn is_telling_name(tag: &str) -> bool {
    matches!(tag, "main" | "article" | "nav" | "header" | "footer" | "aside" | "section" | "link")
}

/// Names of elements that set a word apart, as the number of the current page in a pager.
fn is_marking_name(tag: &str) -> bool {
    matches!(tag, "strong" | "b" | "em" | "i")
}

/// Digits in a name make it likelier that it names one thing; names of a layout's grid say nothing of what is in it.
fn name_cost(name: &str) -> f64 {
    let first = name.split(['-', '_']).next().unwrap_or_default();
    let layout = matches!(
        first,
        "row" | "col" | "column" | "columns" | "container" | "wrapper" | "wrap" | "grid" | "inner"
    );
    let numbered = name.bytes().any(|byte| byte.is_ascii_digit());
    f64::from(u8::from(layout || numbered)) * 0.6
}

/// Quotes a string for XPath 1.0, which has no escapes; `None` where it holds both quotes.
fn quoted(value: &str) -> Option<String> {
    match (value.contains('"'), value.contains('\'')) {
        (false, _) => Some(format!("\"{value}\"")),
        (true, false) => Some(format!("'{value}'")),
        (true, true) => None,
    }
}

fn word(name: &str, value: &str) -> Option<String> {
    Some(format!("contains(concat(\" \",normalize-space(@{name}),\" \"),{})", quoted(&format!(" {value} "))?))
}

/// Says whether a name can stand in CSS without escapes.
fn is_identifier(name: &str) -> bool {
    let body = name.strip_prefix('-').unwrap_or(name);
    body.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && body.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

/// A string between double quotes in CSS; `None` where it would need escapes.
fn css_string(value: &str) -> Option<&str> {
    (!value.contains(['"', '\\', '\n'])).then_some(value)
}
