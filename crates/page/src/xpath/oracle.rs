//! The evaluation of `xpath-eval` over our pages: slow and without bounds, to compare ours with.

use super::axes::AxisPlace;
use super::{Budget, XPath, XPathValue, selected};
use crate::node::NodeId;
use crate::node::NodeKind as Kind;
use crate::page::Page;
use std::cmp::Ordering;
use xpath_eval::{Axis, EvaluationContext, ExpandedName, Node, NodeKind, Value};

#[derive(Clone, Copy)]
struct OracleNode<'a> {
    page: &'a Page,
    place: AxisPlace,
}

impl PartialEq for OracleNode<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

impl Eq for OracleNode<'_> {}

impl<'a> OracleNode<'a> {
    fn at(self, place: AxisPlace) -> OracleNode<'a> {
        OracleNode { place, ..self }
    }

    fn along(self, axis: Axis) -> impl Iterator<Item = OracleNode<'a>> + 'a {
        self.place.along(axis, self.page).map(move |place| self.at(place))
    }
}

impl<'a> Node<'a> for OracleNode<'a> {
    fn kind(self) -> NodeKind {
        match (self.place.attribute(), self.page.kind(self.place.node)) {
            (Some(_), _) => NodeKind::Attribute,
            (None, Kind::Document) => NodeKind::Root,
            (None, Kind::Element) => NodeKind::Element,
            (None, Kind::Text) => NodeKind::Text,
            (None, Kind::Comment | Kind::Doctype) => NodeKind::Comment,
        }
    }

    fn parent(self) -> Option<Self> {
        self.along(Axis::Parent).next()
    }

    fn children(self) -> impl Iterator<Item = Self> + 'a {
        self.along(Axis::Child).filter(|child| child.page.kind(child.place.node) != Kind::Doctype)
    }

    fn attributes(self) -> impl Iterator<Item = Self> + 'a {
        self.along(Axis::Attribute)
    }

    fn namespaces(self) -> impl Iterator<Item = Self> + 'a {
        std::iter::empty()
    }

    fn expanded_name(self) -> Option<ExpandedName> {
        if !matches!(self.kind(), NodeKind::Element | NodeKind::Attribute) {
            return None;
        }
        let uri = self.place.namespace_uri(self.page).to_owned();
        // `lang()` takes a `lang` without a namespace, not even an empty one, for `xml:lang`.
        let namespace_uri = Some(uri).filter(|uri| self.kind() == NodeKind::Attribute || !uri.is_empty());
        Some(ExpandedName { namespace_uri, local_name: self.place.local_name(self.page).to_owned() })
    }

    fn string_value(self) -> String {
        match (self.place.attribute(), self.page.kind(self.place.node)) {
            (Some(index), _) => self.page.attribute_at(index).1.to_owned(),
            (None, Kind::Text | Kind::Comment) => self.page.data(self.place.node).to_owned(),
            (None, _) => self.page.string_value(self.place.node).to_owned(),
        }
    }

    fn document_order(self, other: Self) -> Ordering {
        self.place.cmp(&other.place)
    }

    fn has_expanded_name(self, _: Option<&str>, name: &str) -> bool {
        self.expanded_name().is_some() && self.place.bears(name, self.page)
    }

    fn is_id_attribute(self) -> bool {
        self.place.local_name(self.page) == "id"
    }
}

/// The value of an expression, in words. The sign of a zero does not count: the sum of nothing is a negative zero there.
fn in_words(value: &XPathValue<'_>) -> String {
    format!("{value:?}").replace("(-0.0)", "(0.0)")
}

fn ours(source: &str, page: &Page) -> String {
    let budget = &mut Budget::of(u64::MAX);
    in_words(&XPath::parse(source).and_then(|xpath| xpath.evaluate_within(page, budget)).unwrap())
}

fn theirs(source: &str, page: &Page) -> String {
    let document = OracleNode { page, place: AxisPlace::of(NodeId::DOCUMENT) };
    let value = xpath_eval::evaluate(&xpath_eval::parse(source).unwrap(), &EvaluationContext::new(document));
    in_words(&match value.unwrap() {
        Value::NodeSet(mut nodes) => {
            nodes.sort_by_key(|node| node.place);
            XPathValue::Nodes(nodes.iter().map(|node| selected(node.place, page)).collect())
        }
        Value::String(text) => XPathValue::String(text),
        Value::Number(number) => XPathValue::Number(number),
        Value::Boolean(truth) => XPathValue::Boolean(truth),
    })
}

struct Maker {
    state: u64,
}

impl Maker {
    fn below(&mut self, end: usize) -> usize {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.state >> 33).unwrap() % end
    }

    fn one(&mut self, of: &[&str]) -> String {
        of[self.below(of.len())].to_owned()
    }

    fn page(&mut self) -> Page {
        const PARTS: &str = "<div id=a>|<div class='x y'>|<p>|<p id=b title=2>|<b>|</b>|</p>|</div>|<i lang=en>|</i>|\
            <a href=1>|</a>|1|2| x |a b|<!--c-->|<svg xml:lang=en><a xlink:href=1>|</svg>|<br>|<hr title=x>|<p title='a b'>";
        let parts: Vec<&str> = PARTS.split('|').collect();
        let html: String = (0..self.below(40)).map(|_| self.one(&parts)).collect();
        Page::from_text(&html, &"https://a.test/".parse().unwrap())
    }

    fn path(&mut self, depth: usize) -> String {
        let mut path = match self.below(8) {
            0 => format!("({})", self.nodes(depth)),
            1 => format!("id({})", self.string(depth)),
            2..5 => String::new(),
            _ => "/".to_owned(),
        };
        for _ in 0..=self.below(3) {
            if !path.is_empty() && path != "/" {
                path += "/";
            }
            path += &self.one(&["", "", "", "/"]).repeat(usize::from(!path.is_empty()));
            let axis = self.one(&[
                "", "", "", "@", "ancestor::", "ancestor-or-self::", "child::", "descendant::",
                "descendant-or-self::", "following::", "following-sibling::", "parent::", "preceding::",
                "preceding-sibling::", "self::", "attribute::",
            ]);
            path += &axis;
            path += &self.one(&[
                "*", "*", "*", "p", "div", "b", "a", "node()", "text()", "comment()", "id", "title", "A",
            ]);
            for _ in 0..self.below(3).min(depth) {
                let predicate = self.predicate(depth - 1);
                path.extend(["[", &predicate, "]"]);
            }
        }
        path
    }

    fn nodes(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 1 } else { 5 }) {
            0..3 => self.path(depth.saturating_sub(1)),
            3 => format!("{} | {}", self.path(depth - 1), self.path(depth - 1)),
            _ => format!("({})[{}]", self.nodes(depth - 1), self.predicate(depth - 1)),
        }
    }

    fn predicate(&mut self, depth: usize) -> String {
        match self.below(4) {
            0 => self.number(depth),
            1 => self.nodes(depth),
            _ => self.boolean(depth),
        }
    }

    fn any(&mut self, depth: usize) -> String {
        match self.below(5) {
            0 => self.number(depth),
            1 => self.string(depth),
            2 => self.boolean(depth),
            _ => self.nodes(depth),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one(&["1", "2", "0.5", "position()", "last()", "number()", "string-length()"]);
        }
        let depth = depth - 1;
        match self.below(7) {
            0 => format!("count({})", self.nodes(depth)),
            1 => format!("sum({})", self.nodes(depth)),
            2 => format!("number({})", self.any(depth)),
            3 => format!("{}({})", self.one(&["floor", "ceiling", "round"]), self.any(depth)),
            4 => format!("({} {} {})", self.any(depth), self.one(&["+", "-", "*", "mod"]), self.any(depth)),
            5 => format!("string-length({})", self.any(depth)),
            _ => format!("-{}", self.number(depth)),
        }
    }

    fn string(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one(&["''", "'a'", "'1'", "'a b'", "string()", "name()", "normalize-space()"]);
        }
        let depth = depth - 1;
        match self.below(6) {
            0 => format!("string({})", self.any(depth)),
            1 => format!("concat({}, {})", self.any(depth), self.any(depth)),
            2 => {
                let function = self.one(&["substring-before", "substring-after"]);
                format!("{function}({}, {})", self.any(depth), self.any(depth))
            }
            3 => format!("substring({}, {}, {})", self.any(depth), self.number(depth), self.number(depth)),
            4 => format!("translate({}, {}, {})", self.any(depth), self.any(depth), self.any(depth)),
            _ => format!("{}({})", self.one(&["local-name", "namespace-uri", "name"]), self.nodes(depth)),
        }
    }

    fn boolean(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one(&["true()", "@id", "@title = 'x'", "not(*)", "lang('en')", "1 != @title"]);
        }
        let depth = depth - 1;
        match self.below(6) {
            0..3 => {
                let op = self.one(&["=", "!=", "<", "<=", ">", ">="]);
                format!("{} {op} {}", self.any(depth), self.any(depth))
            }
            3 => format!("({}) {} ({})", self.boolean(depth), self.one(&["and", "or"]), self.any(depth)),
            4 => format!(
                "{}({}, {})",
                self.one(&["contains", "starts-with"]),
                self.any(depth),
                self.any(depth)
            ),
            _ => format!("{}({})", self.one(&["not", "boolean"]), self.any(depth)),
        }
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2000))]
    #[test]
    fn our_evaluation_gives_what_the_library_gives(state: u64) {
        let mut maker = Maker { state };
        let page = maker.page();
        let source = maker.any(3);
        proptest::prop_assert_eq!(ours(&source, &page), theirs(&source, &page), "{}", source);
    }
}
