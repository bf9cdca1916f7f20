//! XPath 1.0 on pages, as browsers evaluate it on HTML, within bounds.
//!
//! `xpath-eval` parses, and evaluates over a view of our arena. This module adds:
//!
//! - the view: names of HTML elements and attributes compare without case, and `id` attributes are IDs;
//! - caches for `id()` of a literal, for which the crate walks the page each time, and for paths in predicates that
//!   give the same for every node;
//! - bounds: length and nesting of expressions, since the crate recurses, and nodes visited in one evaluation.
//!
//! Results equal those of libxml2, except for names in upper case, which HTML matches without case
//! (`models/results/siteinfo/conformance.md`).

use crate::page::{AttributeNamespace, Namespace, NodeId, NodeKind as Kind, Page};
use std::cell::{Cell, OnceCell};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use xpath_eval::{
    AdditiveOp, EvalError, EvaluationContext, ExpandedName, Expr, FilterExpr, FunctionCall, LocationPath,
    Node, NodeKind, NodeTest, PathExpr, PrimaryExpr, QName, Value,
};

/// Longest expression, in bytes; the longest in Wedata has 2,685 characters.
pub const MAX_LENGTH: usize = 8 * 1024;
/// Deepest nesting of brackets.
pub const MAX_NESTING: usize = 64;
/// Most operators in an expression; each may take a level of recursion.
pub const MAX_OPERATORS: usize = 512;
/// Most nodes that one evaluation visits.
pub const BUDGET: u64 = 10_000_000;

/// Why an expression cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum XPathError {
    /// It is not XPath 1.0.
    #[error("at byte {at}: {reason}")]
    Syntax {
        /// Position in the expression, in bytes.
        at: usize,
        /// What is wrong there.
        reason: String,
    },
    /// It is longer than [`MAX_LENGTH`].
    #[error("expression of {0} bytes; the limit is {MAX_LENGTH}")]
    TooLong(usize),
    /// Its brackets nest deeper than [`MAX_NESTING`].
    #[error("at byte {at}: brackets nest deeper than {MAX_NESTING}")]
    TooDeep {
        /// Position of the first bracket beyond the limit, in bytes.
        at: usize,
    },
    /// It has more than [`MAX_OPERATORS`] operators.
    #[error("more than {MAX_OPERATORS} operators in one expression")]
    TooManyOperators,
    /// A name has a namespace prefix; pages do not declare any.
    #[error("at byte {at}: undeclared namespace prefix in `{name}`")]
    UnknownPrefix {
        /// Position of the name, in bytes.
        at: usize,
        /// The name, including the prefix.
        name: String,
    },
    /// An unknown function, or a wrong number or type of arguments.
    #[error("{0}")]
    Evaluation(String),
    /// The evaluation visited more than [`BUDGET`] nodes.
    #[error("evaluation visited more than {BUDGET} nodes")]
    BudgetSpent,
}

/// A parsed expression.
#[derive(Debug)]
pub struct XPath {
    source: String,
    expr: Expr,
    /// The values of variables in the expression; see [`bind`].
    paths: Vec<Expr>,
}

/// The result of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum XPathValue<'a> {
    /// Nodes and attributes, in document order.
    Nodes(Vec<XPathNode<'a>>),
    /// A string.
    String(String),
    /// A number.
    Number(f64),
    /// A boolean.
    Boolean(bool),
}

/// A node selected by an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum XPathNode<'a> {
    /// A node of the page.
    Node(NodeId),
    /// An attribute.
    Attribute {
        /// The element with the attribute.
        owner: NodeId,
        /// Its name.
        name: &'a str,
        /// Its value.
        value: &'a str,
    },
}

impl XPath {
    /// Parses an expression.
    ///
    /// # Errors
    ///
    /// [`XPathError`] if it is not XPath 1.0, or exceeds a bound.
    pub fn parse(source: &str) -> Result<XPath, XPathError> {
        check_bounds(source)?;
        let mut expr = xpath_eval::parse(source)
            .map_err(|error| XPathError::Syntax { at: error.position, reason: error.message })?;
        if let Some(name) = prefixed_name(&expr) {
            let at = outside_quotes(source).find(&name).unwrap_or(0);
            return Err(XPathError::UnknownPrefix { at, name });
        }
        let paths = bind(&mut expr);
        Ok(XPath { source: source.to_owned(), expr, paths })
    }

    /// Returns the expression as written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Evaluates the expression with the document as context node.
    ///
    /// # Errors
    ///
    /// [`XPathError::Evaluation`] for unknown functions and wrong arguments, [`XPathError::BudgetSpent`] if it visits too
    /// many nodes.
    pub fn evaluate<'a>(&self, page: &'a Page) -> Result<XPathValue<'a>, XPathError> {
        self.evaluate_within(page, BUDGET)
    }

    fn evaluate_within<'a>(&self, page: &'a Page, budget: u64) -> Result<XPathValue<'a>, XPathError> {
        let view = View { page, visits: Cell::new(0), budget, ids: OnceCell::new() };
        let document = XNode { view: &view, id: NodeId::DOCUMENT, attribute: None };
        let values = self.paths.iter().map(|_| OnceCell::new()).collect();
        let bound = Bound { document, paths: &self.paths, values, error: OnceCell::new() };
        let value = bound.evaluate(&self.expr);
        if view.visits.get() > budget {
            return Err(XPathError::BudgetSpent);
        }
        Ok(match value.map_err(|error| evaluation_error(&error))? {
            Value::NodeSet(mut nodes) => {
                nodes.sort_by(|a, b| a.document_order(*b));
                XPathValue::Nodes(nodes.into_iter().map(XNode::selected).collect())
            }
            Value::String(text) => XPathValue::String(text),
            Value::Number(number) => XPathValue::Number(number),
            Value::Boolean(truth) => XPathValue::Boolean(truth),
        })
    }

    /// Evaluates the expression and returns the nodes it selects, without attributes, in document order.
    ///
    /// # Errors
    ///
    /// As [`XPath::evaluate`].
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_page::{Page, XPath};
    /// let page = Page::from_text("<ul><li>a<li>b</ul>", &"https://a.test/".parse().unwrap());
    /// let items = XPath::parse("//LI[last()]")?.nodes(&page)?;
    /// assert_eq!(page.text(items[0]), "b");
    /// # Ok::<(), tsugi_page::xpath::XPathError>(())
    /// ```
    pub fn nodes(&self, page: &Page) -> Result<Vec<NodeId>, XPathError> {
        let XPathValue::Nodes(nodes) = self.evaluate(page)? else { return Ok(Vec::new()) };
        let node = |node| match node {
            XPathNode::Node(id) => Some(id),
            XPathNode::Attribute { .. } => None,
        };
        Ok(nodes.into_iter().filter_map(node).collect())
    }
}

fn evaluation_error(error: &EvalError) -> XPathError {
    XPathError::Evaluation(error.to_string())
}

/// Checks length, nesting and number of operators, before anything recurses.
fn check_bounds(source: &str) -> Result<(), XPathError> {
    if source.len() > MAX_LENGTH {
        return Err(XPathError::TooLong(source.len()));
    }
    let (mut nesting, mut operators, mut quote) = (0_usize, 0_usize, None);
    let mut word_start = 0;
    for (at, c) in source.char_indices() {
        if let Some(open) = quote {
            if c == open {
                quote = None;
            }
            continue;
        }
        match c {
            '"' | '\'' => quote = Some(c),
            '(' | '[' => {
                nesting += 1;
                if nesting > MAX_NESTING {
                    return Err(XPathError::TooDeep { at });
                }
            }
            ')' | ']' => nesting = nesting.saturating_sub(1),
            '|' | '+' | '*' | '=' | '<' | '>' => operators += 1,
            // A minus is an operator unless it is part of a name.
            '-' if at == word_start => operators += 1,
            _ => {}
        }
        if !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.')) {
            if matches!(&source[word_start..at], "or" | "and" | "div" | "mod") {
                operators += 1;
            }
            word_start = at + c.len_utf8();
        } else if c == '-' && at == word_start {
            word_start = at + 1;
        }
    }
    if operators > MAX_OPERATORS { Err(XPathError::TooManyOperators) } else { Ok(()) }
}

/// Replaces quoted strings with spaces; positions stay the same.
fn outside_quotes(source: &str) -> String {
    let mut quote = None;
    let mut out = String::with_capacity(source.len());
    for c in source.chars() {
        if quote.is_none() && matches!(c, '"' | '\'') {
            quote = Some(c);
        } else if quote == Some(c) {
            quote = None;
        } else if quote.is_none() {
            out.push(c);
            continue;
        }
        out.extend(std::iter::repeat_n(' ', c.len_utf8()));
    }
    out
}

/// Returns the first name test or function with a prefix.
fn prefixed_name(expr: &Expr) -> Option<String> {
    let full = |name: &QName| name.prefix.as_ref().map(|prefix| format!("{prefix}:{}", name.local));
    let all = |exprs: &[Expr]| exprs.iter().find_map(prefixed_name);
    let path = |path: &LocationPath| {
        path.steps.iter().find_map(|step| {
            let own = match &step.node_test {
                NodeTest::QName(name) => full(name),
                NodeTest::NamespaceWildcard(prefix) => Some(format!("{prefix}:*")),
                _ => None,
            };
            own.or_else(|| all(&step.predicates))
        })
    };
    let filter = |filter: &FilterExpr| {
        let primary = match &filter.primary {
            PrimaryExpr::Parenthesized(inner) => prefixed_name(inner),
            PrimaryExpr::Function(call) => full(&call.name).or_else(|| all(&call.args)),
            PrimaryExpr::Variable(_) | PrimaryExpr::Literal(_) | PrimaryExpr::Number(_) => None,
        };
        primary.or_else(|| all(&filter.predicates))
    };
    match expr {
        Expr::Or(a, b) | Expr::And(a, b) | Expr::Union(a, b) => prefixed_name(a).or_else(|| prefixed_name(b)),
        Expr::Equality(a, _, b) => prefixed_name(a).or_else(|| prefixed_name(b)),
        Expr::Relational(a, _, b) => prefixed_name(a).or_else(|| prefixed_name(b)),
        Expr::Additive(a, _, b) => prefixed_name(a).or_else(|| prefixed_name(b)),
        Expr::Multiplicative(a, _, b) => prefixed_name(a).or_else(|| prefixed_name(b)),
        Expr::Negate(a) => prefixed_name(a),
        Expr::Path(PathExpr::Location(steps)) => path(steps),
        Expr::Path(PathExpr::Filter(start)) => filter(start),
        Expr::Path(PathExpr::FilterLocation(start, steps)) => filter(start).or_else(|| path(steps)),
    }
}

/// Prefixes of variables for `id('…')` and for constant paths; no expression can contain such a name.
const ID_VARIABLE: &str = "id ";
const PATH_VARIABLE: &str = "path ";

/// Replaces what would be evaluated over and over by variables: `id()` of a literal and, in predicates, paths that start
/// at the document or at such an `id()`. Returns those paths.
fn bind(expr: &mut Expr) -> Vec<Expr> {
    let mut binder = Binder { paths: Vec::new() };
    binder.expr(expr, false);
    binder.paths
}

struct Binder {
    paths: Vec<Expr>,
}

impl Binder {
    fn expr(&mut self, expr: &mut Expr, in_predicate: bool) {
        match expr {
            Expr::Or(a, b)
            | Expr::And(a, b)
            | Expr::Union(a, b)
            | Expr::Equality(a, _, b)
            | Expr::Relational(a, _, b)
            | Expr::Additive(a, _, b)
            | Expr::Multiplicative(a, _, b) => self.both(a, b, in_predicate),
            Expr::Negate(a) => self.expr(a, in_predicate),
            Expr::Path(PathExpr::Location(path)) => self.steps(path),
            Expr::Path(PathExpr::Filter(filter)) => self.filter(filter, in_predicate),
            Expr::Path(PathExpr::FilterLocation(filter, path)) => {
                self.filter(filter, in_predicate);
                self.steps(path);
            }
        }
        let is_constant = match expr {
            Expr::Path(PathExpr::Location(path)) => path.is_absolute && !path.steps.is_empty(),
            Expr::Path(PathExpr::FilterLocation(start, _)) => is_bound(&start.primary),
            _ => false,
        };
        if in_predicate && is_constant {
            let name = format!("{PATH_VARIABLE}{}", self.paths.len());
            self.paths.push(std::mem::replace(expr, variable(name)));
        }
    }

    fn both(&mut self, a: &mut Expr, b: &mut Expr, in_predicate: bool) {
        self.expr(a, in_predicate);
        self.expr(b, in_predicate);
    }

    fn steps(&mut self, path: &mut LocationPath) {
        path.steps.iter_mut().for_each(|step| self.predicates(&mut step.predicates));
    }

    fn predicates(&mut self, predicates: &mut [Expr]) {
        for predicate in predicates {
            self.expr(predicate, true);
            // In a predicate, a variable could be a number, and so a position; ours are nodes.
            if let Expr::Path(PathExpr::Filter(FilterExpr { primary, predicates })) = predicate
                && predicates.is_empty()
                && is_bound(primary)
            {
                let name = QName { prefix: None, local: "boolean".to_owned() };
                let args = vec![std::mem::replace(predicate, variable(String::new()))];
                let primary = PrimaryExpr::Function(FunctionCall { name, args });
                *predicate = Expr::Path(PathExpr::Filter(FilterExpr { primary, predicates: Vec::new() }));
            }
        }
    }

    fn filter(&mut self, filter: &mut FilterExpr, in_predicate: bool) {
        self.predicates(&mut filter.predicates);
        match &mut filter.primary {
            PrimaryExpr::Parenthesized(inner) => self.expr(inner, in_predicate),
            PrimaryExpr::Function(call) => {
                let literal = match call.args.as_slice() {
                    [
                        Expr::Path(PathExpr::Filter(FilterExpr {
                            primary: PrimaryExpr::Literal(text),
                            predicates,
                        })),
                    ] if predicates.is_empty() && call.name.local == "id" => {
                        Some(format!("{ID_VARIABLE}{text}"))
                    }
                    _ => None,
                };
                match literal {
                    Some(local) => filter.primary = PrimaryExpr::Variable(QName { prefix: None, local }),
                    None => call.args.iter_mut().for_each(|argument| self.expr(argument, in_predicate)),
                }
            }
            PrimaryExpr::Variable(_) | PrimaryExpr::Literal(_) | PrimaryExpr::Number(_) => {}
        }
        // The crate's sum of nothing is -0, and 1 divided by that is -Infinity.
        if matches!(&filter.primary, PrimaryExpr::Function(call) if call.name.local == "sum") {
            let plain =
                |primary| Box::new(Expr::Path(PathExpr::Filter(FilterExpr { primary, predicates: vec![] })));
            let sum = std::mem::replace(&mut filter.primary, PrimaryExpr::Number(0.0));
            let sum = Expr::Additive(plain(sum), AdditiveOp::Add, plain(PrimaryExpr::Number(0.0)));
            filter.primary = PrimaryExpr::Parenthesized(Box::new(sum));
        }
    }
}

fn variable(local: String) -> Expr {
    let primary = PrimaryExpr::Variable(QName { prefix: None, local });
    Expr::Path(PathExpr::Filter(FilterExpr { primary, predicates: Vec::new() }))
}

/// Returns `true` if an expression is one of our variables.
fn is_bound(primary: &PrimaryExpr) -> bool {
    let PrimaryExpr::Variable(name) = primary else { return false };
    name.local.starts_with(ID_VARIABLE) || name.local.starts_with(PATH_VARIABLE)
}

/// The values of an expression's variables on a page.
struct Bound<'v, 'a> {
    document: XNode<'v, 'a>,
    paths: &'v [Expr],
    /// The value of each path, from its first use on.
    values: Vec<OnceCell<Option<Value<XNode<'v, 'a>>>>>,
    /// The error of the first path that failed.
    error: OnceCell<EvalError>,
}

impl<'v, 'a: 'v> Bound<'v, 'a> {
    /// Evaluates with the document as context node.
    fn evaluate(&self, expr: &Expr) -> Result<Value<XNode<'v, 'a>>, EvalError> {
        let variables = |name: &QName| self.value(name);
        let mut context = EvaluationContext::new(self.document);
        context.variables = Some(&variables);
        let value = xpath_eval::evaluate(expr, &context);
        value.map_err(|error| self.error.get().cloned().unwrap_or(error))
    }

    fn value(&self, name: &QName) -> Option<Value<XNode<'v, 'a>>> {
        let view = self.document.view;
        if let Some(names) = name.local.strip_prefix(ID_VARIABLE) {
            return Some(Value::NodeSet(
                view.with_ids(names).into_iter().map(|id| self.document.at(id)).collect(),
            ));
        }
        let index: usize = name.local.strip_prefix(PATH_VARIABLE)?.parse().ok()?;
        let value = self.values.get(index)?.get_or_init(|| match self.evaluate(&self.paths[index]) {
            Ok(value) => Some(value),
            Err(error) => {
                let _ = self.error.set(error);
                None
            }
        });
        if let Some(Value::NodeSet(nodes)) = value {
            view.charge(1 + nodes.len() as u64 / 8);
        }
        value.clone()
    }
}

/// The page as one evaluation sees it. Once the budget is spent, the tree looks empty, so that the evaluation ends; its
/// value is then discarded.
struct View<'a> {
    page: &'a Page,
    visits: Cell<u64>,
    budget: u64,
    /// The first element of each `id`.
    ids: OnceCell<BTreeMap<&'a str, NodeId>>,
}

impl<'a> View<'a> {
    /// Returns the elements with the given IDs, in document order.
    fn with_ids(&self, names: &str) -> Vec<NodeId> {
        let ids = self.ids.get_or_init(|| {
            self.charge(self.page.node_count() as u64 / 8);
            let mut ids: BTreeMap<&'a str, NodeId> = BTreeMap::new();
            for element in self.page.elements() {
                if let Some(id) = self.page.attribute(element, "id") {
                    ids.entry(id).or_insert(element);
                }
            }
            ids
        });
        let names = names.split([' ', '\t', '\r', '\n']).filter(|name| !name.is_empty());
        let mut found: Vec<NodeId> = names.filter_map(|name| ids.get(name).copied()).collect();
        self.charge(1 + found.len() as u64);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Charges for a visit; returns `false` if the budget is spent.
    fn charge(&self, cost: u64) -> bool {
        let visits = self.visits.get().saturating_add(cost);
        self.visits.set(visits);
        visits <= self.budget
    }
}

#[derive(Clone, Copy)]
struct XNode<'v, 'a> {
    view: &'v View<'a>,
    id: NodeId,
    attribute: Option<u32>,
}

impl PartialEq for XNode<'_, '_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.attribute == other.attribute
    }
}

impl Eq for XNode<'_, '_> {}

impl<'a> XNode<'_, 'a> {
    fn at(self, id: NodeId) -> Self {
        XNode { id, attribute: None, ..self }
    }

    fn attribute_at(self, index: u32) -> (&'a str, &'a str) {
        self.view.page.attribute_at(index as usize)
    }

    fn selected(self) -> XPathNode<'a> {
        match self.attribute {
            None => XPathNode::Node(self.id),
            Some(index) => {
                let (name, value) = self.attribute_at(index);
                XPathNode::Attribute { owner: self.id, name, value }
            }
        }
    }

    fn str_value(self) -> &'a str {
        let page = self.view.page;
        let value = match (self.attribute, page.kind(self.id)) {
            (Some(index), _) => self.attribute_at(index).1,
            (None, Kind::Text | Kind::Comment) => page.data(self.id),
            (None, _) => {
                // Finding the first and the last text of a subtree skips nodes without text.
                let span = page.subtree_end(self.id) - self.id.index();
                self.view.charge(span as u64 / 64);
                page.string_value(self.id)
            }
        };
        self.view.charge(1 + value.len() as u64 / 64);
        value
    }

    fn html(self) -> bool {
        self.view.page.namespace(self.id) == Namespace::Html
    }
}

impl<'v, 'a: 'v> Node<'v> for XNode<'v, 'a> {
    fn kind(self) -> NodeKind {
        match (self.attribute, self.view.page.kind(self.id)) {
            (Some(_), _) => NodeKind::Attribute,
            (None, Kind::Document) => NodeKind::Root,
            (None, Kind::Element) => NodeKind::Element,
            (None, Kind::Text) => NodeKind::Text,
            (None, Kind::Comment | Kind::Doctype) => NodeKind::Comment,
        }
    }

    fn parent(self) -> Option<Self> {
        if !self.view.charge(1) {
            return None;
        }
        match self.attribute {
            Some(_) => Some(self.at(self.id)),
            None => self.view.page.parent(self.id).map(|id| self.at(id)),
        }
    }

    fn children(self) -> impl Iterator<Item = Self> + 'v {
        let page = self.view.page;
        let own = self.attribute.is_none();
        // A doctype is not a node in XPath's data model.
        let children = page.children(self.id).filter(move |id| own && page.kind(*id) != Kind::Doctype);
        children.map(move |id| self.at(id)).take_while(move |_| self.view.charge(1))
    }

    fn attributes(self) -> impl Iterator<Item = Self> + 'v {
        let page = self.view.page;
        let range = if self.attribute.is_none() { page.attribute_range(self.id) } else { 0..0 };
        // A namespace declaration is not an attribute in XPath's data model.
        let range = range.filter(|index| page.attribute_namespace_at(*index) != AttributeNamespace::Xmlns);
        let node = move |index| XNode { attribute: u32::try_from(index).ok(), ..self };
        range.map(node).take_while(move |_| self.view.charge(1))
    }

    fn namespaces(self) -> impl Iterator<Item = Self> + 'v {
        std::iter::empty()
    }

    fn expanded_name(self) -> Option<ExpandedName> {
        let page = self.view.page;
        let (namespace, local) = match (self.attribute, page.kind(self.id)) {
            // `lang()` takes a `lang` without a namespace, not even an empty one, for `xml:lang`.
            (Some(index), _) => (
                Some(attribute_uri(page.attribute_namespace_at(index as usize)).unwrap_or_default()),
                self.attribute_at(index).0,
            ),
            (None, Kind::Element) => (namespace_uri(page.namespace(self.id)), page.tag(self.id)),
            _ => return None,
        };
        Some(ExpandedName { namespace_uri: namespace.map(str::to_owned), local_name: local.to_owned() })
    }

    fn string_value(self) -> String {
        self.str_value().to_owned()
    }

    fn document_order(self, other: Self) -> Ordering {
        // `None` sorts first: an element comes before its attributes.
        (self.id, self.attribute).cmp(&(other.id, other.attribute))
    }

    fn has_expanded_name(self, namespace_uri: Option<&str>, local_name: &str) -> bool {
        let page = self.view.page;
        let held = match (self.attribute, page.kind(self.id)) {
            (Some(index), _) => {
                if attribute_uri(page.attribute_namespace_at(index as usize)) != namespace_uri {
                    return false;
                }
                self.attribute_at(index).0
            }
            (None, Kind::Element) => {
                if self::namespace_uri(page.namespace(self.id)) != namespace_uri {
                    return false;
                }
                page.tag(self.id)
            }
            _ => return false,
        };
        if self.html() { held.eq_ignore_ascii_case(local_name) } else { held == local_name }
    }

    fn with_string_value<R>(self, f: impl FnOnce(&str) -> R) -> R {
        f(self.str_value())
    }

    fn is_id_attribute(self) -> bool {
        self.attribute.is_some_and(|index| self.attribute_at(index).0 == "id")
    }
}

/// Returns the namespace of an element. In HTML documents, names without a prefix match HTML elements.
fn namespace_uri(namespace: Namespace) -> Option<&'static str> {
    match namespace {
        Namespace::Html => None,
        Namespace::Svg => Some("http://www.w3.org/2000/svg"),
        Namespace::MathMl => Some("http://www.w3.org/1998/Math/MathML"),
    }
}

/// Returns the namespace of an attribute. Names without a prefix match attributes without a namespace.
fn attribute_uri(namespace: AttributeNamespace) -> Option<&'static str> {
    match namespace {
        AttributeNamespace::None => None,
        AttributeNamespace::XLink => Some("http://www.w3.org/1999/xlink"),
        AttributeNamespace::Xml => Some("http://www.w3.org/XML/1998/namespace"),
        AttributeNamespace::Xmlns => Some("http://www.w3.org/2000/xmlns/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &str = "<!doctype html><div id=a class='p q'><A HREF=1 rel=next>次へ</A> <a href=2>2</a></div>\
        <table><tr><td id=cell>x</table><svg><a href=3></a></svg><p>3</p><p>4</p><script>s</script>";

    fn page() -> Page {
        Page::from_text(HTML, &"https://a.test/".parse().unwrap())
    }

    fn evaluate(source: &str) -> Result<String, XPathError> {
        let page = page();
        let value = XPath::parse(source)?.evaluate(&page)?;
        Ok(match value {
            XPathValue::Nodes(nodes) => {
                let show = |node: &XPathNode<'_>| match node {
                    XPathNode::Node(id) => page.location_path(*id),
                    XPathNode::Attribute { name, value, .. } => format!("@{name}={value}"),
                };
                nodes.iter().map(show).collect::<Vec<_>>().join(" ")
            }
            XPathValue::String(text) => format!("{text:?}"),
            XPathValue::Number(number) => number.to_string(),
            XPathValue::Boolean(truth) => truth.to_string(),
        })
    }

    #[test]
    fn expressions_of_wedata_style_select() {
        for (source, expected) in [
            ("//a[@rel='next']", "/html[1]/body[1]/div[1]/a[1]"),
            ("//A[@HREF]", "/html[1]/body[1]/div[1]/a[1] /html[1]/body[1]/div[1]/a[2]"),
            ("id('cell')/ancestor::table", "/html[1]/body[1]/table[1]"),
            ("id('a cell')[2]", "/html[1]/body[1]/table[1]/tbody[1]/tr[1]/td[1]"),
            ("//table/tr", ""),
            ("//a[contains(text(), '次')]/@href", "@href=1"),
            ("//p[number() = 4]", "/html[1]/body[1]/p[2]"),
            ("(//p)[last()] | //td", "/html[1]/body[1]/table[1]/tbody[1]/tr[1]/td[1] /html[1]/body[1]/p[2]"),
            ("//*[contains(concat(' ', @class, ' '), ' q ')]", "/html[1]/body[1]/div[1]"),
            ("count(//a)", "2"),
            ("string(//svg)", "\"\""),
            ("/", "/"),
            ("/node()", "/html[1]"),
            ("//td/following::p[1]/preceding-sibling::*[1]", "/html[1]/body[1]/svg[1]"),
            ("boolean(//nav)", "false"),
            ("1 div sum(//nav)", "inf"),
            ("sum(//a) + sum(//p[sum(.) = 4])", "NaN"),
            ("sum(//p)", "7"),
        ] {
            assert_eq!(evaluate(source).as_deref(), Ok(expected), "{source}");
        }
    }

    #[test]
    fn attributes_of_a_namespace_have_no_plain_name() {
        let html = "<svg xmlns='http://www.w3.org/2000/svg' xml:lang=ja><use xlink:href=#x></use><a href=#y></a></svg>\
            <p xmlns=z xml:lang=ja xlink:href=#z>";
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let count = |source: &str| match XPath::parse(source).unwrap().evaluate(&page).unwrap() {
            XPathValue::Nodes(nodes) => nodes.len(),
            value => panic!("{value:?}"),
        };
        assert_eq!(count("//@href"), 1, "that of `use` is of XLink");
        assert_eq!(count("//*[name() = 'svg']/@*"), 1, "a declaration is no attribute");
        assert_eq!(count("//*[name() = 'use']/@*[namespace-uri() = 'http://www.w3.org/1999/xlink']"), 1);
        assert_eq!(count("//p/@*[namespace-uri() = '']"), 3, "HTML has no namespaces");
        // Only `xml:lang` counts, and only with its namespace, as in browsers.
        assert_eq!(count("//*[lang('ja')]"), 3);
        let page = Page::from_text("<html lang=en xml:lang=en><p>x", &"https://a.test/".parse().unwrap());
        assert_eq!(XPath::parse("//p[lang('en')]").unwrap().nodes(&page), Ok(Vec::new()));
    }

    #[test]
    fn an_id_is_looked_up_wherever_it_stands_in_an_expression() {
        let html = "<div id=b><p id='x y'>1</p><p id=a>2</p></div><div id=a>3</div><a name='b a'></a>";
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let found = |source: &str| match XPath::parse(source).unwrap().evaluate(&page).unwrap() {
            XPathValue::Nodes(nodes) => {
                let path = |node: &XPathNode<'_>| match node {
                    XPathNode::Node(id) => page.location_path(*id).replace("/html[1]/body[1]", ""),
                    XPathNode::Attribute { value, .. } => (*value).to_owned(),
                };
                nodes.iter().map(path).collect::<Vec<_>>().join(" ")
            }
            value => format!("{value:?}"),
        };
        assert_eq!(found("id('a')"), "/div[1]/p[2]", "the first one that has it");
        assert_eq!(found("id('a b\t none')"), "/div[1] /div[1]/p[2]", "in document order");
        assert_eq!(found("id('x') | id('x y')"), "", "no ID holds white space");
        assert_eq!(found("id(//a/@name)[last()]/@id"), "a");
        assert_eq!(found("//p[. = id('a')]"), "/div[1]/p[2]");
        assert_eq!(found("//p[id('a')][2] | (id('b'))//p[1]"), "/div[1]/p[1] /div[1]/p[2]");
        assert_eq!(found("//p[not(id('c'))][count(id('a') | .) = 1]"), "/div[1]/p[2]");
        assert_eq!(found("concat(id('a'), -id('a'), id('b')/p = 1 or id('c'))"), "String(\"2-2true\")");
        assert_eq!(
            found("id('a') = 2 and id('a') > 1 and id('a') + 1 = 3 and id('a') * 2 = 4"),
            "Boolean(true)"
        );
        // Nobody can name the variables that stand for them.
        let variable = XPath::parse("$id").unwrap().evaluate(&page);
        assert!(matches!(variable, Err(XPathError::Evaluation(_))), "{variable:?}");
        assert!(matches!(
            XPath::parse("id('a', 'b')").unwrap().evaluate(&page),
            Err(XPathError::Evaluation(_))
        ));
    }

    #[test]
    fn a_path_that_is_the_same_for_every_node_is_walked_once() {
        let html = "<title>2</title>".to_owned() + &"<p><a href=x>1</a><a href=y>2</a></p>".repeat(2000);
        let page = Page::from_text(&html, &"https://a.test/".parse().unwrap());
        let count = |source: &str| {
            XPath::parse(source).unwrap().evaluate_within(&page, 200_000).map(|value| match value {
                XPathValue::Nodes(nodes) => nodes.len(),
                value => panic!("{value:?}"),
            })
        };
        assert_eq!(count("//a[. = //title]"), Ok(2000));
        assert_eq!(count("//a[//title]"), Ok(4000));
        assert_eq!(count("//a[//title][2]"), Ok(2000), "a place among those of one parent");
        assert_eq!(count("//p/a[number(//title)]"), Ok(2000), "a number is a place");
        assert_eq!(count("//p/a[count(//title)]"), Ok(2000));
        assert_eq!(count("//a[contains(., string(number(//title[. = //title]/text()) - 1))]"), Ok(2000));
        assert_eq!(count("//a[//none or not(//title)]"), Ok(0));
        assert_eq!(count("//a[(//title)[1] = .][//title[last()]]"), Ok(2000));
        // What fails in such a path fails in the expression, and only where it is come to.
        let unknown = XPathError::Evaluation("unknown function: foo".to_owned());
        assert_eq!(count("//a[//title[foo()]]"), Err(unknown));
        assert_eq!(count("//none[//title[foo()]]"), Ok(0));
    }

    #[test]
    fn what_cannot_be_used_is_an_error_that_says_where() {
        assert!(matches!(evaluate("//a[@href"), Err(XPathError::Syntax { at: 9, .. })));
        assert_eq!(evaluate("//div/h:a"), Err(XPathError::UnknownPrefix { at: 6, name: "h:a".to_owned() }));
        assert_eq!(
            evaluate("//a[.='x:y 次']/x:y"),
            Err(XPathError::UnknownPrefix { at: 17, name: "x:y".to_owned() }),
            "what is quoted is no name"
        );
        assert!(matches!(evaluate("//p[re:test(., 'x')]"), Err(XPathError::UnknownPrefix { at: 4, .. })));
        assert!(matches!(evaluate("lower-case(//p)"), Err(XPathError::Evaluation(_))));
        assert!(matches!(evaluate(""), Err(XPathError::Syntax { .. })));
        assert!(matches!(evaluate(&"(".repeat(65)), Err(XPathError::TooDeep { at: 64 })));
        assert!(matches!(evaluate(&format!("//p{}", "[1]".repeat(9000))), Err(XPathError::TooLong(_))));
    }

    #[test]
    fn long_chains_of_operators_neither_overflow_nor_pass_unseen() {
        for (unit, end) in
            [("-", "1"), ("1 or ", "1"), ("a|", "a"), ("1=", "1"), ("1 div ", "2"), ("- ", "1")]
        {
            let most = format!("{}{end}", unit.repeat(MAX_OPERATORS));
            assert!(evaluate(&most).is_ok(), "{unit}: {:?}", evaluate(&most));
            let over = format!("{}{end}", unit.repeat(MAX_OPERATORS + 1));
            assert_eq!(evaluate(&over), Err(XPathError::TooManyOperators), "{unit}");
        }
        let deep = format!("{}1{}", "(".repeat(MAX_NESTING), ")".repeat(MAX_NESTING));
        assert_eq!(evaluate(&deep).as_deref(), Ok("1"));
        let predicates = format!("//a{}{}", "[b".repeat(MAX_NESTING), "]".repeat(MAX_NESTING));
        assert_eq!(evaluate(&predicates).as_deref(), Ok(""));
    }

    #[test]
    fn a_costly_expression_is_stopped() {
        let html = "<div>".repeat(300) + &"<p>x</p>".repeat(3000);
        let page = Page::from_text(&html, &"https://a.test/".parse().unwrap());
        for costly in [
            "//*[count(//*[count(//*) > 0]) > 0]",
            "//p[preceding::p[preceding::p[preceding::p]]][count(following::p) = 1]",
            "//*//*//*//*//p[contains(., 'y')]",
            "//div[contains(., 'x')]//div[contains(., 'x')]//*[contains(//div, 'y')]",
        ] {
            let result = XPath::parse(costly).unwrap().evaluate_within(&page, 200_000);
            assert_eq!(result, Err(XPathError::BudgetSpent), "{costly}");
        }
        assert_eq!(XPath::parse("//p").unwrap().nodes(&page).unwrap().len(), 3000);
    }

    proptest::proptest! {
        #[test]
        fn any_expression_is_evaluated_or_refused(
            source in "(//|/|\\[|\\]|\\(|\\)|@|\\*|a|p|::|ancestor|text\\(\\)| or |\\||=|'x'|1|-|\\.|last\\(\\)|id|,|:|次){0,16}"
        ) {
            let _ = evaluate(&source);
        }
    }
}
