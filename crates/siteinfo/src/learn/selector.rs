//! The selectors of learned rules: matching, cost, and writing as XPath and CSS.
//!
//! A [`LearnedSelector`] is a union of [`StepPath`]s; a path leads from the document in steps to elements. This is the
//! small part of XPath 1.0 that people use in items. Learning tries thousands of selectors, so they are matched directly on the arena,
//! from right to left. The XPath engine evaluates the result again.

use crate::node_rule::NodeRule;
use std::fmt::Write;
use tsugi_page::{NodeId, NodeKind, Page, XPath};

/// The direction of a step from the one before; for the first step, from the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StepAxis {
    Descendant,
    Child,
    Adjacent,
    /// To the first following sibling with the step's name.
    Following,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StepTest {
    /// It is the first of its name among its siblings.
    First,
    Last,
    /// It is at this position among its siblings of its name, from 1.
    Nth(u32),
    Id(String),
    Class(String),
    Attribute(String, String),
    /// A space-separated attribute contains this word.
    Word(String, String),
    /// Its text is this, with white space folded.
    Text(String),
    Contains(String),
    /// It has a descendant of this name that passes a test.
    Has(String, Box<StepTest>),
    /// The text right before it is a number: that of the current page in a pager.
    AfterNumber,
    Not(Box<StepTest>),
    NotTag(String),
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SelectorStep {
    pub(super) axis: StepAxis,
    /// The name of the element; empty for any.
    pub(super) tag: String,
    /// Tests in order, position first: `li[last()]` counts all `li`.
    pub(super) tests: Vec<StepTest>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StepPath {
    /// At least one.
    pub(super) steps: Vec<SelectorStep>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LearnedSelector {
    pub(super) paths: Vec<StepPath>,
}

/// Cost of another path in a union, in nats.
const UNION: f64 = 2.5;

impl StepTest {
    fn holds(&self, page: &Page, id: NodeId) -> bool {
        match self {
            StepTest::First => same_name_before(page, id).next().is_none(),
            StepTest::Nth(place) => {
                same_name_before(page, id).take(*place as usize).count() + 1 == *place as usize
            }
            StepTest::Last => {
                let mut after = std::iter::successors(page.next_sibling(id), |at| page.next_sibling(*at));
                !after.any(|other| same_name(page, id, other))
            }
            StepTest::Id(value) => page.attribute(id, "id") == Some(value),
            StepTest::Class(value) => has_word(page, id, "class", value),
            StepTest::Attribute(name, value) => page.attribute(id, name) == Some(value),
            StepTest::Word(name, value) => has_word(page, id, name, value),
            StepTest::Text(value) => folded_is(page.string_value(id), value),
            StepTest::Contains(value) => page.string_value(id).contains(value.as_str()),
            StepTest::Has(tag, test) => {
                page.subtree(id).skip(1).any(|below| page.is(below, tag) && test.holds(page, below))
            }
            StepTest::AfterNumber => {
                let before = page.previous_sibling(id).filter(|before| page.kind(*before) == NodeKind::Text);
                before.is_some_and(|before| is_bare_number(page.data(before)))
            }
            StepTest::Not(test) => !test.holds(page, id),
            StepTest::NotTag(tag) => !page.is(id, tag),
        }
    }

    /// Returns the cost of the test in a rule, in nats: the more durable, the cheaper.
    pub(super) fn cost(&self) -> f64 {
        match self {
            StepTest::Word(..) => 0.25,
            StepTest::Id(_) => 0.3,
            StepTest::Class(value) => 0.3 + name_cost(value),
            StepTest::Attribute(name, _) if name == "rel" => 0.2,
            StepTest::Attribute(..) => 0.5,
            StepTest::Text(_) => 0.6,
            StepTest::Contains(_) => 0.7,
            StepTest::Has(_, test) => 0.4 + test.cost(),
            StepTest::Not(test) => 0.5 + test.cost(),
            StepTest::NotTag(_) | StepTest::AfterNumber => 0.8,
            StepTest::First | StepTest::Last | StepTest::Nth(_) => 1.2,
        }
    }

    fn xpath(&self) -> Option<String> {
        Some(match self {
            StepTest::First => "1".to_owned(),
            StepTest::Last => "last()".to_owned(),
            StepTest::Nth(place) => place.to_string(),
            StepTest::Id(value) => format!("@id={}", quoted(value)?),
            StepTest::Class(value) => word("class", value)?,
            StepTest::Attribute(name, value) => format!("@{name}={}", quoted(value)?),
            StepTest::Word(name, value) => word(name, value)?,
            StepTest::Text(value) => format!("normalize-space(.)={}", quoted(value)?),
            StepTest::Contains(value) => format!("contains(.,{})", quoted(value)?),
            StepTest::Has(tag, _) if !is_plain_name(tag) => return None,
            StepTest::Has(tag, test) => format!(".//{tag}[{}]", test.xpath()?),
            StepTest::AfterNumber => {
                "preceding-sibling::node()[1][self::text()][number(translate(.,'[]|·•-–—,\u{a0}',''))\
                                  =number(translate(.,'[]|·•-–—,\u{a0}',''))]"
                    .to_owned()
            }
            StepTest::Not(test) => format!("not({})", test.xpath()?),
            StepTest::NotTag(tag) if !is_plain_name(tag) => return None,
            StepTest::NotTag(tag) => format!("not(self::{tag})"),
        })
    }

    fn css(&self) -> Option<String> {
        Some(match self {
            StepTest::First => ":first-of-type".to_owned(),
            StepTest::Last => ":last-of-type".to_owned(),
            StepTest::Nth(place) => format!(":nth-of-type({place})"),
            StepTest::Id(value) if is_identifier(value) => format!("#{value}"),
            StepTest::Id(value) => format!("[id=\"{}\"]", css_string(value)?),
            StepTest::Class(value) if is_identifier(value) => format!(".{value}"),
            StepTest::Class(value) => format!("[class~=\"{}\"]", css_string(value)?),
            StepTest::Attribute(name, value) => format!("[{name}=\"{}\"]", css_string(value)?),
            StepTest::Word(name, value) => format!("[{name}~=\"{}\"]", css_string(value)?),
            StepTest::Not(test) => format!(":not({})", test.css()?),
            StepTest::NotTag(tag) if is_plain_name(tag) => format!(":not({tag})"),
            _ => return None,
        })
    }
}

impl SelectorStep {
    pub(super) fn below(tag: &str, tests: Vec<StepTest>) -> SelectorStep {
        SelectorStep::new(StepAxis::Descendant, tag, tests)
    }

    pub(super) fn child(tag: &str, tests: Vec<StepTest>) -> SelectorStep {
        SelectorStep::new(StepAxis::Child, tag, tests)
    }

    pub(super) fn new(axis: StepAxis, tag: &str, tests: Vec<StepTest>) -> SelectorStep {
        SelectorStep { axis, tag: tag.to_owned(), tests }
    }

    fn holds(&self, page: &Page, id: NodeId) -> bool {
        page.is_element(id)
            && (self.tag.is_empty() || page.is(id, &self.tag))
            && self.tests.iter().all(|test| test.holds(page, id))
    }

    fn cost(&self) -> f64 {
        let axis = match self.axis {
            StepAxis::Descendant => 0.3,
            StepAxis::Child => 0.2,
            StepAxis::Adjacent => 0.5,
            StepAxis::Following => 0.6,
        };
        // A name alone says little, especially at the start of a path.
        let bare = match (self.tests.is_empty(), self.axis) {
            (false, _) => 0.0,
            (true, StepAxis::Descendant) if is_marking_name(&self.tag) => 0.5,
            (true, StepAxis::Descendant) if !is_telling_name(&self.tag) => 1.0,
            (true, _) => 0.2,
        };
        axis + bare + self.tests.iter().map(StepTest::cost).sum::<f64>()
    }
}

impl<const N: usize> From<[SelectorStep; N]> for StepPath {
    fn from(steps: [SelectorStep; N]) -> StepPath {
        StepPath { steps: steps.into() }
    }
}

impl StepPath {
    pub(super) fn below(tag: &str, tests: Vec<StepTest>) -> StepPath {
        StepPath::from([SelectorStep::below(tag, tests)])
    }

    pub(super) fn selects(&self, page: &Page, id: NodeId) -> bool {
        selects(page, &self.steps, id)
    }

    fn cost(&self) -> f64 {
        // Positions from the document down: the next redesign breaks it.
        let by_place = self.steps.first().is_some_and(|step| step.axis == StepAxis::Child);
        self.steps.iter().map(SelectorStep::cost).sum::<f64>() + f64::from(u8::from(by_place))
    }

    fn xpath(&self) -> Option<String> {
        let mut out = String::new();
        for step in &self.steps {
            if !is_plain_name(&step.tag) {
                return None;
            }
            let tag = if step.tag.is_empty() { "*" } else { &step.tag };
            match step.axis {
                StepAxis::Descendant => write!(out, "//{tag}"),
                StepAxis::Child => write!(out, "/{tag}"),
                StepAxis::Adjacent if step.tag.is_empty() => write!(out, "/following-sibling::*[1]"),
                StepAxis::Adjacent => write!(out, "/following-sibling::*[1][self::{tag}]"),
                StepAxis::Following => write!(out, "/following-sibling::{tag}[1]"),
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
            if !is_plain_name(&step.tag) {
                return None;
            }
            match step.axis {
                // The only child of the document is its root.
                StepAxis::Descendant | StepAxis::Child if at == 0 => {}
                StepAxis::Descendant => out.push(' '),
                StepAxis::Child => out.push_str(" > "),
                StepAxis::Adjacent => out.push_str(" + "),
                StepAxis::Following => return None,
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

impl LearnedSelector {
    pub(super) fn of(path: StepPath) -> LearnedSelector {
        LearnedSelector { paths: vec![path] }
    }

    /// Returns the cost of the selector, in nats: the evidence that it takes to believe in it.
    pub(super) fn cost(&self) -> f64 {
        let paths: f64 = self.paths.iter().map(StepPath::cost).sum();
        paths + UNION * self.paths.len().saturating_sub(1) as f64
    }

    pub(super) fn can_be_written(&self, css: bool) -> bool {
        if css { self.css().is_some() } else { self.xpath().is_some() }
    }

    pub(super) fn xpath(&self) -> Option<String> {
        let paths: Option<Vec<String>> = self.paths.iter().map(StepPath::xpath).collect();
        Some(paths?.join(" | "))
    }

    /// Returns the selector as a rule; `None` if XPath cannot say it.
    pub(super) fn rule(&self) -> Option<NodeRule> {
        XPath::parse(&self.xpath()?).ok().map(NodeRule::from)
    }

    pub(super) fn css(&self) -> Option<String> {
        let paths: Option<Vec<String>> = self.paths.iter().map(StepPath::css).collect();
        Some(paths?.join(", "))
    }
}

/// Sorts candidates by score, the best first, then by selector, and removes duplicate selectors.
pub(super) fn best_first<T>(candidates: &mut Vec<T>, of: impl Fn(&T) -> (f64, &LearnedSelector)) {
    candidates.sort_by(|a, b| {
        let ((score, selector), (other_score, other_selector)) = (of(a), of(b));
        other_score.total_cmp(&score).then_with(|| selector.cmp(other_selector))
    });
    candidates.dedup_by(|a, b| of(a).1 == of(b).1);
}

fn selects(page: &Page, steps: &[SelectorStep], id: NodeId) -> bool {
    let Some((last, before)) = steps.split_last() else { return true };
    if !last.holds(page, id) {
        return false;
    }
    match last.axis {
        StepAxis::Descendant if before.iter().all(|step| step.axis == StepAxis::Descendant) => {
            // The nearest element that fits each step is as good as any: no backtracking.
            let mut above = page.ancestors(id);
            before.iter().rev().all(|step| above.any(|above| step.holds(page, above)))
        }
        StepAxis::Descendant => page.ancestors(id).any(|above| selects(page, before, above)),
        StepAxis::Child => page.parent(id).is_some_and(|parent| {
            if before.is_empty() { parent == NodeId::DOCUMENT } else { selects(page, before, parent) }
        }),
        StepAxis::Adjacent => element_before(page, id).is_some_and(|sibling| selects(page, before, sibling)),
        StepAxis::Following => {
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

/// Returns steps down a chain of children, which is given from the last upwards.
pub(super) fn steps_down(page: &Page, chain: &[NodeId]) -> impl Iterator<Item = SelectorStep> {
    chain.iter().rev().map(|id| SelectorStep::child(page.tag(*id), Vec::new()))
}

pub(super) fn element_before(page: &Page, id: NodeId) -> Option<NodeId> {
    std::iter::successors(page.previous_sibling(id), |at| page.previous_sibling(*at))
        .find(|other| page.is_element(*other))
}

/// White space of XML.
const SPACES: [char; 4] = [' ', '\t', '\r', '\n'];

pub(super) fn words(value: &str) -> impl Iterator<Item = &str> {
    value.split(SPACES).filter(|word| !word.is_empty())
}

pub(super) fn normalize_space(text: &str) -> String {
    words(text).collect::<Vec<_>>().join(" ")
}

fn has_word(page: &Page, id: NodeId, name: &str, value: &str) -> bool {
    page.attribute(id, name).is_some_and(|held| words(held).any(|word| word == value))
}

fn folded_is(text: &str, folded: &str) -> bool {
    let mut rest = folded;
    for (at, word) in words(text).enumerate() {
        let tail = if at == 0 { Some(rest) } else { rest.strip_prefix(' ') };
        let Some(tail) = tail.and_then(|tail| tail.strip_prefix(word)) else { return false };
        rest = tail;
    }
    rest.is_empty()
}

/// Returns `true` if a text is a number, apart from signs that pagers put around numbers.
pub(super) fn is_bare_number(text: &str) -> bool {
    let bare: String = text.chars().filter(|c| !"[]|·•-–—,\u{a0}".contains(*c)).collect();
    let bare = bare.trim_matches(SPACES);
    !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns `true` for names of elements that say something without a class or id.
pub(super) fn is_telling_name(tag: &str) -> bool {
    matches!(tag, "main" | "article" | "nav" | "header" | "footer" | "aside" | "section" | "link")
}

/// Returns `true` for names of elements that mark a word, such as the number of the current page in a pager.
fn is_marking_name(tag: &str) -> bool {
    matches!(tag, "strong" | "b" | "em" | "i")
}

/// Returns the extra cost of a class: names with digits may be specific to a page, and names of layout say nothing about
/// content.
fn name_cost(name: &str) -> f64 {
    let first = name.split(['-', '_']).next().unwrap_or_default();
    let layout = matches!(
        first,
        "row" | "col" | "column" | "columns" | "container" | "wrapper" | "wrap" | "grid" | "inner"
    );
    let numbered = name.bytes().any(|byte| byte.is_ascii_digit());
    f64::from(u8::from(layout || numbered)) * 0.6
}

/// Quotes a string for XPath 1.0, which has no escapes; returns `None` if it contains both quotes.
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

fn is_identifier(name: &str) -> bool {
    let body = name.strip_prefix('-').unwrap_or(name);
    !body.is_empty() && is_plain_name(body)
}

/// Returns `true` if the name of an element can be used verbatim in XPath and CSS, or is empty (any element).
fn is_plain_name(name: &str) -> bool {
    name.is_empty()
        || (name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')))
}

fn css_string(value: &str) -> Option<String> {
    let plain = !value.contains(char::is_control);
    plain.then(|| value.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tsugi_page::XPath;

    const HTML: &str = "<div id=a class='p q'><b>1</b> <a rel='next x' href=2>Next  page</a> 3 <a href=3 class=p>3</a>\
        <span class=q>4</span><br><a href=5>it's</a></div><ul class=q><li>x<li class='p last'><a href=6><img alt=Next></a>\
        </ul><nav><p id=b>y</p><p>| 7 <a class=q href=8>8</a></p></nav><svg class=p><a class=q>z</a></svg>";

    fn page() -> Page {
        Page::from_text(HTML, &"https://a.test/".parse().unwrap())
    }

    fn select(selector: &LearnedSelector, page: &Page) -> Vec<NodeId> {
        page.elements().filter(|id| selector.paths.iter().any(|path| path.selects(page, *id))).collect()
    }

    fn test() -> impl Strategy<Value = StepTest> {
        let name =
            || prop::sample::select(vec!["p", "q", "a", "b", "last", "next", "none"]).prop_map(str::to_owned);
        let text = prop::sample::select(vec!["Next page", "3", "it's", "x", "", "page", "\"'"])
            .prop_map(str::to_owned);
        let plain = prop_oneof![
            name().prop_map(StepTest::Id),
            name().prop_map(StepTest::Class),
            name().prop_map(|name| StepTest::Word("rel".to_owned(), name)),
            name().prop_map(|name| StepTest::Attribute("class".to_owned(), name)),
            text.clone().prop_map(StepTest::Text),
            text.prop_map(StepTest::Contains),
            name().prop_map(|name| StepTest::Has("a".to_owned(), Box::new(StepTest::Class(name)))),
            Just(StepTest::Has(
                "img".to_owned(),
                Box::new(StepTest::Attribute("alt".to_owned(), "Next".to_owned()))
            )),
            Just(StepTest::AfterNumber),
            Just(StepTest::NotTag("p".to_owned())),
        ];
        (plain, any::<bool>()).prop_map(|(test, not)| if not { StepTest::Not(Box::new(test)) } else { test })
    }

    fn step() -> impl Strategy<Value = SelectorStep> {
        let axis = prop::sample::select(vec![
            StepAxis::Descendant,
            StepAxis::Child,
            StepAxis::Adjacent,
            StepAxis::Following,
        ]);
        let tag = prop::sample::select(vec!["a", "a", "li", "p", "div", "span", "ul", "nav", ""]);
        let position =
            prop::option::of(prop::sample::select(vec![StepTest::First, StepTest::Last, StepTest::Nth(2)]));
        (axis, tag, position, prop::collection::vec(test(), 0..2)).prop_map(|(axis, tag, position, tests)| {
            // Positions count elements of one name, reached by going down.
            let position = position
                .filter(|_| !tag.is_empty() && matches!(axis, StepAxis::Descendant | StepAxis::Child));
            let axis = if tag.is_empty() && axis == StepAxis::Following { StepAxis::Adjacent } else { axis };
            SelectorStep::new(axis, tag, position.into_iter().chain(tests).collect())
        })
    }

    fn path() -> impl Strategy<Value = StepPath> {
        prop::collection::vec(step(), 1..4).prop_map(|mut steps| {
            if !matches!(steps[0].axis, StepAxis::Descendant | StepAxis::Child) {
                steps[0].axis = StepAxis::Descendant;
            }
            StepPath { steps }
        })
    }

    proptest! {
        #[test]
        fn what_is_selected_is_what_the_written_xpath_selects(paths in prop::collection::vec(path(), 1..3)) {
            let (page, selector) = (page(), LearnedSelector { paths });
            if let Some(xpath) = selector.xpath() {
                let evaluated = XPath::parse(&xpath).unwrap().nodes(&page).unwrap();
                prop_assert_eq!(select(&selector, &page), evaluated, "{}", xpath);
            } else {
                prop_assert!(format!("{selector:?}").contains("\\\"'"), "only a text with both quotes cannot be written");
            }
        }

        #[test]
        fn what_is_selected_is_what_the_written_css_selects(paths in prop::collection::vec(path(), 1..3)) {
            let (page, selector) = (page(), LearnedSelector { paths });
            let from_anywhere = |path: &StepPath| path.steps[0].axis == StepAxis::Descendant;
            if let Some(css) = selector.css().filter(|_| selector.paths.iter().all(from_anywhere)) {
                let selected: Vec<NodeId> = select(&selector, &page).into_iter().filter(|id| page.is_html(*id)).collect();
                let mut by_css = page.select(&tsugi_page::Selector::parse(&css).unwrap());
                by_css.retain(|id| page.is_html(*id));
                prop_assert_eq!(selected, by_css, "{}", css);
            }
        }
    }

    #[test]
    fn selectors_print_as_people_write_them() {
        let class = |name: &str| StepTest::Class(name.to_owned());
        let selector = LearnedSelector {
            paths: vec![
                StepPath::from([
                    SelectorStep::below("ul", vec![StepTest::Id("pager".to_owned())]),
                    SelectorStep::child("li", vec![StepTest::Last, StepTest::Not(Box::new(class("off")))]),
                    SelectorStep::child("a", Vec::new()),
                ]),
                StepPath::from([
                    SelectorStep::below("b", Vec::new()),
                    SelectorStep::new(
                        StepAxis::Adjacent,
                        "a",
                        vec![StepTest::Word("rel".to_owned(), "next".to_owned())],
                    ),
                ]),
            ],
        };
        assert_eq!(
            selector.xpath().as_deref(),
            Some(
                "//ul[@id=\"pager\"]/li[last()][not(contains(concat(\" \",normalize-space(@class),\" \"),\" off \"))]/a | \
                 //b/following-sibling::*[1][self::a][contains(concat(\" \",normalize-space(@rel),\" \"),\" next \")]"
            )
        );
        assert_eq!(
            selector.css().as_deref(),
            Some("ul#pager > li:last-of-type:not(.off) > a, b + a[rel~=\"next\"]")
        );
        let odd = LearnedSelector::of(StepPath::from([SelectorStep::below("p", vec![class("w-1/2")])]));
        assert_eq!(odd.css().as_deref(), Some("p[class~=\"w-1/2\"]"));
    }

    #[test]
    fn what_asks_for_more_costs_more() {
        let cost = |tests: Vec<StepTest>| SelectorStep::below("a", tests).cost();
        let class = StepTest::Class("next".to_owned());
        assert!(cost(vec![class.clone()]) < cost(vec![class.clone(), StepTest::Text("Next".to_owned())]));
        assert!(cost(vec![class]) < cost(vec![StepTest::Last]), "a name before a position");
        assert!(cost(Vec::new()) > cost(vec![StepTest::Id("next".to_owned())]), "a bare name tells little");
    }
}
