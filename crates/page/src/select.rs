//! CSS selection.
//!
//! The `selectors` crate, Firefox's, reads the grammar ([`grammar`]). Its matcher is not used: it goes from element to
//! element, so that each nesting of `:is`, `:not` or `:nth-child(… of …)` multiplies its time, and it cannot be
//! interrupted. Here each part of a selector, a test or a combinator, is one pass over the page, and maps a set of elements
//! to another. Time is linear in the page for every selector, so that no budget is needed.

mod grammar;

use crate::node::{AttributeNamespace, Namespace, NodeId, NodeKind};
use crate::page::Page;
use crate::tags::{Attr, Tag};
use grammar::{Css, CssWord};
use selectors::attr::{
    AttrSelectorOperator, CaseSensitivity, NamespaceConstraint, ParsedAttrSelectorOperation,
    ParsedCaseSensitivity, SELECTOR_WHITESPACE,
};
use selectors::parser::{Combinator, Component, NthSelectorData, RelativeSelector};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// One selector of a list, such as `div > p`.
type Complex = selectors::parser::Selector<Css>;

/// Longest selector list, in bytes.
const MAX_LENGTH: usize = 4 * 1024;
/// Most tests and combinators in a selector list.
const MAX_PARTS: usize = 128;
/// How deep brackets may nest.
const MAX_NESTING: u8 = 8;

/// Why a selector cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectorError {
    /// The text is not a selector list, or uses something that pages do not have.
    #[error("at byte {at}: {reason}")]
    Syntax {
        /// Where reading stopped, in bytes from the start of the text.
        at: usize,
        /// What is wrong there.
        reason: String,
    },
    /// The text is too long.
    #[error("selector of {0} bytes; the limit is {MAX_LENGTH}")]
    TooLong(usize),
    /// The selector has too many tests and combinators.
    #[error("selector with {0} tests and combinators; the limit is {MAX_PARTS}")]
    TooManyParts(usize),
}

/// A CSS selector list, such as `#main > p.intro, h1`: parsed once, for use on any number of pages.
///
/// # Source
///
/// [Selectors Level 4](https://www.w3.org/TR/selectors-4/): all combinators, attribute tests with their case flags,
/// `:is`, `:where`, `:not` and `:has` of lists, `:nth-child(… of …)` and its relatives, `:root`, `:scope` (the root),
/// `:empty`, `:link`. Other pseudo-classes, pseudo-elements and namespace prefixes are errors.
///
/// # Examples
///
/// ```
/// use tsugi_page::{Page, Selector};
/// let page = Page::from_text("<ul><li><a href=/1>1</a><li>2</ul>", &"https://a.test/".parse().unwrap());
/// let current = Selector::parse("li:not(:has(a))")?;
/// let found = page.select(&current);
/// assert_eq!(page.text(found[0]), "2");
///
/// let error = Selector::parse("li:hover").unwrap_err();
/// assert_eq!(error.to_string(), "at byte 8: unknown pseudo-class `:hover`");
/// # Ok::<(), tsugi_page::SelectorError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Selector(Vec<Complex>);

impl Selector {
    /// Parses a selector list.
    ///
    /// # Errors
    ///
    /// [`SelectorError`] if the list cannot be read, or exceeds 4 KiB, 128 tests and combinators, or 8 nested brackets.
    pub fn parse(source: &str) -> Result<Selector, SelectorError> {
        if source.len() > MAX_LENGTH {
            return Err(SelectorError::TooLong(source.len()));
        }
        let list = grammar::parse(source).map_err(|(at, reason)| SelectorError::Syntax { at, reason })?;
        let parts = parts(&list);
        if parts > MAX_PARTS {
            return Err(SelectorError::TooManyParts(parts));
        }
        Ok(Selector(list))
    }
}

fn parts(list: &[Complex]) -> usize {
    let nested = |component: &Component<Css>| match component {
        Component::Is(list) | Component::Where(list) | Component::Negation(list) => parts(list.slice()),
        Component::NthOf(of) => parts(of.selectors()),
        Component::Has(list) => {
            list.iter().map(|relative| parts(std::slice::from_ref(&relative.selector))).sum()
        }
        _ => 0,
    };
    list.iter().flat_map(Complex::iter_raw_match_order).map(|component| 1 + nested(component)).sum()
}

impl Page {
    /// Returns the elements that a selector matches, in document order.
    ///
    /// On pages in [quirks mode](Page::is_quirky) classes and ids match without case, as in browsers.
    ///
    /// # Cost
    ///
    /// `O(n·s)` for a page with `n` nodes and bytes of attributes, and a selector with `s` tests and combinators.
    pub fn select(&self, selector: &Selector) -> Vec<NodeId> {
        let matcher = Matcher { page: self, places_of_type: [OnceCell::new(), OnceCell::new()] };
        let matches = matcher.list(&selector.0);
        self.elements().filter(|id| matches[id.index()]).collect()
    }
}

/// Evaluates selectors on a page. Sets are lists of elements in document order, or one flag a node.
struct Matcher<'a> {
    page: &'a Page,
    /// The place of each element among the siblings of its type, counted from the first and from the last.
    places_of_type: [OnceCell<Vec<i32>>; 2],
}

impl Matcher<'_> {
    fn list(&self, list: &[Complex]) -> Vec<bool> {
        self.flags(list.iter().flat_map(|selector| self.complex(selector)))
    }

    /// Returns the elements that match, going through the selector from left to right.
    fn complex(&self, selector: &Complex) -> Vec<NodeId> {
        self.through(selector.iter_raw_parse_order_from(0), Matcher::reached)
    }

    /// Returns the elements from which a relative selector, such as `> p` in `:has(> p)`, leads to a match, going through
    /// the selector from right to left.
    fn anchors(&self, relative: &RelativeSelector<Css>) -> Vec<NodeId> {
        self.through(relative.selector.iter_raw_match_order(), Matcher::origins)
    }

    fn through<'c>(
        &self,
        components: impl Iterator<Item = &'c Component<Css>>,
        follow: fn(&Self, Combinator, Vec<NodeId>) -> Vec<NodeId>,
    ) -> Vec<NodeId> {
        let mut found: Vec<NodeId> = self.page.elements().collect();
        for component in components {
            match component {
                _ if found.is_empty() => break,
                Component::Combinator(combinator) => found = follow(self, *combinator, found),
                test => self.keep(test, &mut found),
            }
        }
        found
    }

    fn reached(&self, combinator: Combinator, from: Vec<NodeId>) -> Vec<NodeId> {
        let from = self.flags(from);
        let mut reached = vec![false; from.len()];
        // In document order, an element before is known to be reached or not.
        let elements = self.page.elements().filter(|id| {
            let before = self.before(combinator, *id).map(NodeId::index);
            let reaches = before.is_some_and(|at| from[at] || (goes_on(combinator) && reached[at]));
            reached[id.index()] = reaches;
            reaches
        });
        elements.collect()
    }

    fn origins(&self, combinator: Combinator, to: Vec<NodeId>) -> Vec<NodeId> {
        let to = self.flags(to);
        let mut leads = vec![false; to.len()];
        for id in self.page.elements().rev() {
            if (to[id.index()] || (goes_on(combinator) && leads[id.index()]))
                && let Some(before) = self.before(combinator, id)
            {
                leads[before.index()] = true;
            }
        }
        self.page.elements().filter(|id| leads[id.index()]).collect()
    }

    fn before(&self, combinator: Combinator, id: NodeId) -> Option<NodeId> {
        match combinator {
            Combinator::Child | Combinator::Descendant => self.page.parent(id),
            Combinator::NextSibling | Combinator::LaterSibling => {
                let mut before = std::iter::successors(self.page.previous_sibling(id), |id| {
                    self.page.previous_sibling(*id)
                });
                before.find(|id| self.page.is_element(*id))
            }
            Combinator::PseudoElement | Combinator::SlotAssignment | Combinator::Part => None,
        }
    }

    fn keep(&self, test: &Component<Css>, found: &mut Vec<NodeId>) {
        let page = self.page;
        match test {
            Component::ExplicitUniversalType
            | Component::ExplicitAnyNamespace
            | Component::RelativeSelectorAnchor => {}
            Component::LocalName(name) => {
                found.retain(|id| *page.tag(*id) == *self.name(*id, &name.name, &name.lower_name).0);
            }
            Component::ID(id) => self.keep_by_word(Attr::Id, id, found),
            Component::Class(class) => self.keep_by_word(Attr::Class, class, found),
            Component::AttributeInNoNamespaceExists { local_name, local_name_lower } => {
                self.keep_by_attribute([local_name, local_name_lower], false, None, found);
            }
            Component::AttributeInNoNamespace { local_name, operator, value, case_sensitivity } => {
                let value = ValueTest::new(*operator, value, *case_sensitivity);
                self.keep_by_attribute([local_name, local_name], false, Some(&value), found);
            }
            Component::AttributeOther(test) => {
                let any_namespace = matches!(test.namespace, Some(NamespaceConstraint::Any));
                let value = match &test.operation {
                    ParsedAttrSelectorOperation::Exists => None,
                    ParsedAttrSelectorOperation::WithValue { operator, case_sensitivity, value } => {
                        Some(ValueTest::new(*operator, value, *case_sensitivity))
                    }
                };
                let names = [&test.local_name, &test.local_name_lower];
                self.keep_by_attribute(names, any_namespace, value.as_ref(), found);
            }
            Component::Root | Component::Scope => {
                found.retain(|id| page.parent(*id) == Some(NodeId::DOCUMENT));
            }
            Component::Empty => {
                let holds = |child| page.is_element(child) || page.kind(child) == NodeKind::Text;
                found.retain(|id| !page.children(*id).any(holds));
            }
            Component::NonTSPseudoClass(grammar::AnyLink) => found.retain(|id| {
                (page.is_tag(*id, Tag::A) || page.is_tag(*id, Tag::Area))
                    && page.value(*id, Attr::Href).is_some()
            }),
            Component::Is(list) | Component::Where(list) => {
                let matches = self.list(list.slice());
                found.retain(|id| matches[id.index()]);
            }
            Component::Negation(list) => {
                let matches = self.list(list.slice());
                found.retain(|id| !matches[id.index()]);
            }
            Component::Has(list) => {
                let matches = self.flags(list.iter().flat_map(|relative| self.anchors(relative)));
                found.retain(|id| matches[id.index()]);
            }
            Component::Nth(nth) => self.keep_by_place(nth, found),
            Component::NthOf(nth) => {
                let matches = self.list(nth.selectors());
                let places = self.places(nth.nth_data().ty.is_from_end(), |id| matches[id.index()]);
                found.retain(|id| matches[id.index()]);
                found.retain(|id| nth.nth_data().an_plus_b.matches_index(places[id.index()]));
            }
            // A page has neither namespaces nor the parts that a browser adds when it renders.
            _ => found.clear(),
        }
    }

    fn keep_by_word(&self, attribute: Attr, word: &CssWord, found: &mut Vec<NodeId>) {
        let quirky = self.page.is_quirky();
        let is = |held: &str| if quirky { held.eq_ignore_ascii_case(&word.0) } else { *held == *word.0 };
        found.retain(|id| {
            let value = self.page.value(*id, attribute);
            value.is_some_and(|value| match attribute {
                Attr::Class => value.split(SELECTOR_WHITESPACE).any(is),
                _ => is(value),
            })
        });
    }

    /// Keeps the elements with an attribute that passes a test. The second name is for elements of HTML, the first for
    /// others.
    fn keep_by_attribute(
        &self,
        [name, lower]: [&CssWord; 2],
        any_namespace: bool,
        value: Option<&ValueTest>,
        found: &mut Vec<NodeId>,
    ) {
        let page = self.page;
        found.retain(|id| {
            let is_html = page.namespace(*id) == Namespace::Html;
            let name = self.name(*id, name, lower);
            page.attribute_range(*id).any(|at| {
                let (held, text) = page.attribute_at(at);
                *held == *name.0
                    && (any_namespace || page.attribute_namespace_at(at) == AttributeNamespace::None)
                    && value.is_none_or(|value| value.passes(text, is_html))
            })
        });
    }

    /// Returns the form of a name that the names of an element, or of its attributes, are compared with.
    fn name<'n>(&self, id: NodeId, name: &'n CssWord, lower: &'n CssWord) -> &'n CssWord {
        if self.page.namespace(id) == Namespace::Html { lower } else { name }
    }

    fn keep_by_place(&self, nth: &NthSelectorData, found: &mut Vec<NodeId>) {
        let of_type = nth.ty.is_of_type();
        if nth.ty.is_only() {
            self.keep_by_place(&NthSelectorData::first(of_type), found);
            self.keep_by_place(&NthSelectorData::last(of_type), found);
            return;
        }
        let from_end = nth.ty.is_from_end();
        let all;
        let places = if of_type {
            self.places_of_type[usize::from(from_end)].get_or_init(|| self.places_of_type(from_end))
        } else {
            all = self.places(from_end, |_| true);
            &all
        };
        found.retain(|id| nth.an_plus_b.matches_index(places[id.index()]));
    }

    /// Returns the place of each element that counts among those of its siblings that count, from 1.
    fn places(&self, from_end: bool, counts_in: impl Fn(NodeId) -> bool) -> Vec<i32> {
        let mut counts = vec![0; self.page.node_count()];
        self.number(from_end, |id, parent| {
            counts[parent.index()] += i32::from(counts_in(id));
            counts[parent.index()]
        })
    }

    /// Returns the place of each element among its siblings of the same name and namespace, from 1.
    fn places_of_type(&self, from_end: bool) -> Vec<i32> {
        let mut counts: BTreeMap<(NodeId, Namespace, &str), i32> = BTreeMap::new();
        self.number(from_end, |id, parent| {
            let count = counts.entry((parent, self.page.namespace(id), self.page.tag(id))).or_default();
            *count += 1;
            *count
        })
    }

    /// Gives each element a number, going through the page from its start or its end.
    fn number(&self, from_end: bool, mut number: impl FnMut(NodeId, NodeId) -> i32) -> Vec<i32> {
        let mut numbers = vec![0; self.page.node_count()];
        let mut elements: Vec<NodeId> = self.page.elements().collect();
        if from_end {
            elements.reverse();
        }
        for id in elements {
            numbers[id.index()] = self.page.parent(id).map_or(0, |parent| number(id, parent));
        }
        numbers
    }

    fn flags(&self, nodes: impl IntoIterator<Item = NodeId>) -> Vec<bool> {
        let mut flags = vec![false; self.page.node_count()];
        nodes.into_iter().for_each(|id| flags[id.index()] = true);
        flags
    }
}

fn goes_on(combinator: Combinator) -> bool {
    matches!(combinator, Combinator::Descendant | Combinator::LaterSibling)
}

struct ValueTest {
    operator: AttrSelectorOperator,
    value: String,
    /// Whether case counts in HTML, and elsewhere.
    folds: [bool; 2],
}

impl ValueTest {
    fn new(operator: AttrSelectorOperator, value: &CssWord, case: ParsedCaseSensitivity) -> ValueTest {
        let folds = match case {
            ParsedCaseSensitivity::CaseSensitive | ParsedCaseSensitivity::ExplicitCaseSensitive => {
                [false, false]
            }
            ParsedCaseSensitivity::AsciiCaseInsensitive => [true, true],
            ParsedCaseSensitivity::AsciiCaseInsensitiveIfInHtmlElementInHtmlDocument => [true, false],
        };
        ValueTest { operator, value: value.0.to_string(), folds }
    }

    fn passes(&self, text: &str, is_html: bool) -> bool {
        let [in_html, elsewhere] = self.folds;
        if if is_html { in_html } else { elsewhere } {
            // The crate's own search without case takes quadratic time.
            let (text, value) = (text.to_ascii_lowercase(), self.value.to_ascii_lowercase());
            self.operator.eval_str(&text, &value, CaseSensitivity::CaseSensitive)
        } else {
            self.operator.eval_str(text, &self.value, CaseSensitivity::CaseSensitive)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn page(html: &str) -> Page {
        Page::from_text(&format!("<!doctype html>{html}"), &"https://a.test/".parse().unwrap())
    }

    fn select(page: &Page, selector: &str) -> Vec<NodeId> {
        page.select(&Selector::parse(selector).unwrap_or_else(|error| panic!("`{selector}`: {error}")))
    }

    fn names(page: &Page, selector: &str) -> String {
        let nodes = select(page, selector).into_iter();
        nodes.map(|id| page.value(id, Attr::Id).unwrap_or(page.tag(id))).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn selectors_match() {
        let page = page(
            "<body id=body><div id=main class='c d'><p id=1 lang=en-GB>1</p><section id=s><p id=2 title='x,y'></p></section>\
             <a id=3 href=/3 rel='next NOFOLLOW'>3</a></div><p id=4 data-X=a.PDF>4<!-- --></p><p id=5><!-- --></p>\
             <svg id=6 viewBox=v><a id=7 xlink:href=/7></a><foreignObject id=8></foreignObject></svg>",
        );
        for (selector, expected) in [
            ("div.d > p", "1"),
            ("#main * p", "2"),
            ("#main p", "1 2"),
            ("DIV + P, [title=\"x,y\"]", "2 4"),
            ("p:first-child, p:nth-of-type(2)", "1 2 5"),
            (":is(section, svg) > :not(p, a)", "8"),
            ("div:has(> p) ~ p:last-of-type", "5"),
            ("p:has(+ section)", "1"),
            (":has(~ svg):where(:not(:empty))", "main 4"),
            ("section:has(:is(#main p))", "s"),
            (":nth-child(2 of p)", "5"),
            (":nth-last-child(2 of p)", "4"),
            ("p:only-of-type", "1 2"),
            ("[lang|=en], [href^='/'], [data-x$=pdf i]", "1 3 4"),
            ("[data-x$=pdf], [data-x*='.PDF']", "4"),
            ("[rel~=Next][rel*=nofollow]", "3"),
            ("[rel~=Next s]", ""),
            ("[*|href]", "3 7"),
            ("[viewBox=v], foreignObject", "6 8"),
            ("[viewbox], foreignobject", ""),
            (":link", "3"),
            (":root, :scope > body, :any-link", "html body 3"),
            ("*|p:empty", "2 5"),
            ("|p, :host(p), .none", ""),
        ] {
            assert_eq!(names(&page, selector), expected, "{selector}");
        }
    }

    #[test]
    fn in_quirks_mode_classes_and_ids_match_without_case() {
        let quirky = Page::from_text("<p id=a class='b c'>", &"https://a.test/".parse().unwrap());
        let p = quirky.first("p").unwrap();
        assert!(quirky.is_quirky());
        assert_eq!([select(&quirky, "#A"), select(&quirky, ".C")], [[p], [p]]);
        let page = page("<p id=a class='b c'>");
        assert!(!page.is_quirky());
        assert!(select(&page, "#A, .C").is_empty());
    }

    #[test]
    fn errors_say_what_and_where() {
        for (selector, message) in [
            ("", "at byte 0: expected a selector"),
            ("p,", "at byte 2: expected a selector"),
            ("p, b >", "at byte 6: expected a selector after the combinator"),
            ("p:hover b", "at byte 7: unknown pseudo-class `:hover`"),
            ("a:not(p:foo(1)), b", "at byte 15: unknown pseudo-class `:foo`"),
            ("p::before", "at byte 9: unknown pseudo-element `::before`"),
            ("p:\\a x", "at byte 6: unknown pseudo-class `:\\nx`"),
            ("a:has(b:has(c))", "at byte 15: this pseudo-class is not allowed here"),
            ("svg|a", "at byte 4: pages declare no namespace prefixes"),
            (".1", "at byte 0: expected a selector"),
            (".[", "at byte 2: `.` is not followed by a class name"),
            ("p:", "at byte 2: unexpected end"),
            ("p:1", "at byte 3: `:` is not followed by the name of a pseudo-class"),
            ("[=x]", "at byte 4: `[` is not followed by an attribute name"),
            (
                "[a b]",
                "at byte 5: the attribute name is not followed by `]` or an operator such as `=` or `^=`",
            ),
            ("[a=1]", "at byte 5: the value of the attribute is neither quoted nor a plain name"),
            ("@media", "at byte 0: expected a selector"),
            ("p:nth-child(x)", "at byte 14: unexpected character"),
            (":is(p, !)", "at byte 9: expected a selector"),
            ("p)", "at byte 1: unexpected character"),
        ] {
            assert_eq!(Selector::parse(selector).unwrap_err().to_string(), message, "{selector}");
        }
        let long = Selector::parse(&"p,".repeat(4000)).unwrap_err();
        assert_eq!(long.to_string(), "selector of 8000 bytes; the limit is 4096");
        let wide = Selector::parse(&("p,".repeat(600) + ":is(p,p)")).unwrap_err();
        assert_eq!(wide.to_string(), "selector with 603 tests and combinators; the limit is 128");
        let deep = Selector::parse(&":not(".repeat(500)).unwrap_err();
        assert_eq!(deep.to_string(), "at byte 2500: brackets nest deeper than 8");
        assert!(
            Selector::parse(&format!("{}p", ":not(".repeat(8))).is_ok(),
            "brackets may stay open at the end"
        );
    }

    #[test]
    fn hostile_selectors_on_hostile_pages_take_linear_time() {
        let wide = "<p class=a></p>".repeat(50_000);
        let deep = "<div class=a>".repeat(500) + &wide;
        let value = format!("<p title='{}'>", "a".repeat(1_000_000));
        for html in [wide + &value, deep + &value] {
            let page = page(&html);
            for selector in [
                ":nth-last-of-type(3n+1):nth-of-type(2n)".to_owned(),
                ":nth-last-child(2n of :nth-child(2n of :nth-last-child(2n of .a)))".to_owned(),
                ":has(.b) :has(~ .b) ~ :has(.a ~ .a .b)".to_owned(),
                format!("{}.b", ":not(:is(* ~ *, * *) ".repeat(4)),
                format!(".b{}", " * ~ *".repeat(30)),
                format!("[title*={}b i]", "a".repeat(3_000)),
            ] {
                select(&page, &selector);
            }
        }
    }

    #[test]
    fn threads_share_selectors() {
        fn shared<T: Send + Sync>() {}
        shared::<Selector>();
    }

    const MARKUP: &str = "(<p>|<div>|</div>|<div id=a class=b>|<p class='a c'>|<section id=b lang=en>|</section>|<ul><li>|<li id=a>|\
        </ul>|<table class=a><td>|</table>|<svg class=c><a xlink:href=x>|</svg>|x|<!-- -->|<img>|<b title=T>|</b>|<a href=/x rel=next>|</a>){0,30}";

    /// Spells a selector list with some bytes, each of which makes a choice.
    struct Speller {
        bytes: std::vec::IntoIter<u8>,
    }

    impl Speller {
        fn choose<'t>(&mut self, texts: &[&'t str]) -> &'t str {
            texts[usize::from(self.bytes.next().unwrap_or_default()) % texts.len()]
        }

        fn list(&mut self, depth: u32, has: bool) -> String {
            let mut list = self.complex(depth, has);
            while self.choose(&["", "", ","]) == "," {
                list = format!("{list}, {}", self.complex(depth, has));
            }
            list
        }

        fn complex(&mut self, depth: u32, has: bool) -> String {
            let mut complex = self.compound(depth, has);
            while let combinator @ (" " | " > " | " + " | " ~ ") =
                self.choose(&["", " ", "", " > ", " + ", " ~ "])
            {
                complex = format!("{complex}{combinator}{}", self.compound(depth, has));
            }
            complex
        }

        fn compound(&mut self, depth: u32, has: bool) -> String {
            let mut compound = self.choose(&["", "p", "*", "DIV", "li", "a", "*|b"]).to_owned();
            loop {
                let test = self.choose(&[
                    "", "", "#a", "#b", ".a", ".b", "[href]", "[*|href]", "[title=T]", "[title=t i]",
                    "[class~=a]", "[class|=a]", "[class^='a ']", "[class$=c]", "[class*=' ' i]",
                    "[rel=NEXT]", ":first-child", ":last-of-type", ":only-child", ":nth-child(odd)",
                    ":nth-last-child(2)", ":nth-of-type(-n+2)", ":nth-last-of-type(2n)", ":root", ":empty",
                    ":scope", ":not(", ":is(", ":where(", ":has(",
                ]);
                let test = match test {
                    "" if compound.is_empty() => return "section".to_owned(),
                    "" => return compound,
                    open if open.ends_with('(') && depth == 0 => continue,
                    ":has(" if !has => continue,
                    ":has(" => {
                        let combinator = self.choose(&["", "> ", "+ ", "~ "]);
                        format!(":has({combinator}{})", self.list(depth - 1, false))
                    }
                    open if open.ends_with('(') => format!("{open}{})", self.list(depth - 1, has)),
                    test => test.to_owned(),
                };
                compound.push_str(&test);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn what_is_selected_is_what_scraper_selects(html in MARKUP, bytes: Vec<u8>) {
            let selector = Speller { bytes: bytes.into_iter() }.list(3, true);
            let page = page(&html);
            let found: Vec<usize> = {
                let elements: Vec<NodeId> = page.elements().collect();
                select(&page, &selector).iter().map(|id| elements.binary_search(id).unwrap()).collect()
            };
            let other = scraper::Html::parse_document(&format!("<!doctype html>{html}"));
            let matches = scraper::Selector::parse(&selector).unwrap();
            let elements = other.tree.root().descendants().filter_map(scraper::ElementRef::wrap);
            let expected = elements.enumerate().filter(|(_, element)| matches.matches(element));
            prop_assert_eq!(found, expected.map(|(at, _)| at).collect::<Vec<_>>(), "{} on {}", selector, html);
        }

        #[test]
        fn places_among_siblings_are_counted(html in MARKUP, bytes: Vec<u8>, a in -3..4_i32, b in -3..4_i32) {
            let of = Speller { bytes: bytes.into_iter() }.list(1, true);
            let page = page(&html);
            let counted = select(&page, &of);
            let siblings = |id: &NodeId| counted.iter().filter(|other| page.parent(**other) == page.parent(*id)).collect::<Vec<_>>();
            let is_place = |place: usize| (0..100).any(|n| a * n + b == i32::try_from(place).unwrap());
            let from_start = |id: &&NodeId| is_place(siblings(id).iter().filter(|other| ***other <= **id).count());
            let from_end = |id: &&NodeId| is_place(siblings(id).iter().filter(|other| ***other >= **id).count());
            let expected: Vec<NodeId> = counted.iter().filter(from_start).copied().collect();
            prop_assert_eq!(select(&page, &format!(":nth-child({a}n{b:+} of {of})")), expected);
            let expected: Vec<NodeId> = counted.iter().filter(from_end).copied().collect();
            prop_assert_eq!(select(&page, &format!(":nth-last-child({a}n{b:+} of {of})")), expected);
        }

        #[test]
        fn any_selector_is_read_or_refused(
            text in "([a-z#.>+~*,:\\[\\]=\"'() |!/-]|first-child|:is\\(|:not\\(|:has\\(|nth-child\\(2n of |\\\\|\n){0,24}"
        ) {
            match Selector::parse(&text) {
                Ok(selector) => drop(page("<div id=a class=b><p>").select(&selector)),
                Err(error) => prop_assert!(!error.to_string().contains('\n'), "{}", error),
            }
        }
    }
}
