//! XPath 1.0 on pages, as browsers evaluate it on HTML, within bounds.
//!
//! `xpath-eval` parses. The evaluation is ours, because the crate compares and orders node-sets in places where no cost can
//! be charged:
//!
//! - names of HTML elements and attributes compare without case, and `id` attributes are IDs;
//! - subexpressions with the same value for every node are evaluated once;
//! - bounds: length and nesting of expressions, since parsing recurses, and the work on a page ([`Budget`]).
//!
//! Results equal those of libxml2, except for names in upper case, which HTML matches without case
//! (`models/results/siteinfo/conformance.md`).

mod axes;
mod evaluate;
mod expression;
#[cfg(test)]
mod oracle;
mod strings;

use crate::node::NodeId;
use crate::page::Page;
use axes::AxisPlace;
use evaluate::Computed;
use expression::Expr;

/// Longest expression, in bytes. The longest in Wedata has 2,685 characters; any location path is shorter.
pub const MAX_LENGTH: usize = 32 * 1024;
/// Deepest nesting of brackets.
pub const MAX_NESTING: usize = 64;
/// Most operators in an expression; each may take a level of recursion.
pub const MAX_OPERATORS: usize = 512;
/// Most steps that evaluations on one page take together; see [`Budget`].
pub const BUDGET: u64 = 30_000_000;

/// The work that evaluations on one page may still do.
///
/// A step is a node that an axis leads to, an expression that is evaluated for a node, 16 bytes of a string or a node of
/// a set that is used. It takes 10 to 60 ns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    left: u64,
}

impl Budget {
    /// Returns a budget of this many steps.
    pub fn of(steps: u64) -> Budget {
        Budget { left: steps }
    }

    /// Returns the number of steps that are left.
    pub fn left(&self) -> u64 {
        self.left
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::of(BUDGET)
    }
}

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
    /// The [`Budget`] of the page is spent.
    #[error("too much work on this page")]
    BudgetSpent,
}

/// A parsed expression.
#[derive(Debug)]
pub struct XPath {
    source: String,
    expr: Expr,
    constants: usize,
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
        let parsed = xpath_eval::parse(source)
            .map_err(|error| XPathError::Syntax { at: error.position, reason: error.message })?;
        let (expr, constants) = expression::translate(parsed).map_err(|expression::Prefixed(name)| {
            let at = outside_quotes(source).find(&name).unwrap_or(0);
            XPathError::UnknownPrefix { at, name }
        })?;
        Ok(XPath { source: source.to_owned(), expr, constants })
    }

    /// Returns the expression as written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Evaluates the expression with the document as context node, within a budget of its own.
    ///
    /// # Errors
    ///
    /// [`XPathError::Evaluation`] for unknown functions and wrong arguments, [`XPathError::BudgetSpent`] if it takes more
    /// than [`BUDGET`] steps.
    pub fn evaluate<'a>(&self, page: &'a Page) -> Result<XPathValue<'a>, XPathError> {
        self.evaluate_within(page, &mut Budget::default())
    }

    /// Evaluates the expression like [`evaluate`](XPath::evaluate), within a budget that other expressions share.
    ///
    /// # Errors
    ///
    /// [`XPathError::Evaluation`] for unknown functions and wrong arguments, [`XPathError::BudgetSpent`] if it takes more
    /// steps than are left.
    pub fn evaluate_within<'a>(
        &self,
        page: &'a Page,
        budget: &mut Budget,
    ) -> Result<XPathValue<'a>, XPathError> {
        Ok(match evaluate::evaluate(&self.expr, self.constants, page, budget)? {
            Computed::Nodes(nodes) => {
                XPathValue::Nodes(nodes.iter().map(|place| selected(*place, page)).collect())
            }
            Computed::String(text) => XPathValue::String(text.into_owned()),
            Computed::Number(number) => XPathValue::Number(number),
            Computed::Boolean(truth) => XPathValue::Boolean(truth),
        })
    }

    /// Evaluates the expression and returns the nodes it selects, without attributes, in document order.
    ///
    /// # Errors
    ///
    /// As [`XPath::evaluate`].
    pub fn nodes(&self, page: &Page) -> Result<Vec<NodeId>, XPathError> {
        self.nodes_within(page, &mut Budget::default())
    }

    /// Evaluates the expression like [`nodes`](XPath::nodes), within a budget that other expressions share.
    ///
    /// # Errors
    ///
    /// As [`XPath::evaluate_within`].
    pub fn nodes_within(&self, page: &Page, budget: &mut Budget) -> Result<Vec<NodeId>, XPathError> {
        let XPathValue::Nodes(nodes) = self.evaluate_within(page, budget)? else { return Ok(Vec::new()) };
        let node = |node| match node {
            XPathNode::Node(id) => Some(id),
            XPathNode::Attribute { .. } => None,
        };
        Ok(nodes.into_iter().filter_map(node).collect())
    }
}

fn selected(place: AxisPlace, page: &Page) -> XPathNode<'_> {
    match place.attribute() {
        None => XPathNode::Node(place.node),
        Some(index) => {
            let (name, value) = page.attribute_at(index);
            XPathNode::Attribute { owner: place.node, name, value }
        }
    }
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
            '|' | '+' | '=' | '<' | '>' => operators += 1,
            // After a slash, a star is a name.
            '*' if !source[..at].ends_with('/') => operators += 1,
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

#[cfg(test)]
mod tests {
    use super::*;

    const HTML: &str = "<!doctype html><div id=a class='p q'><A HREF=1 rel=next>次へ</A> <a href=2>2</a></div>\
        <table><tr><td id=cell>x</table><svg><a href=3></a></svg><p>3</p><p>4</p><script>s</script>";

    fn page() -> Page {
        Page::from_text(HTML, &"https://a.test/".parse().unwrap())
    }

    fn evaluate(source: &str) -> Result<String, XPathError> {
        evaluate_on(&page(), source)
    }

    fn evaluate_on(page: &Page, source: &str) -> Result<String, XPathError> {
        let value = XPath::parse(source)?.evaluate(page)?;
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
            ("//td/following::p[1]/preceding-sibling::*[1]", "/html[1]/body[1]/*[3]"),
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
        for (source, expected) in [
            // The first one that has it.
            ("id('a')", "/div[1]/p[2]"),
            ("id('a b\t none')", "/div[1] /div[1]/p[2]"),
            // No ID holds white space.
            ("id('x') | id('x y')", ""),
            ("id(//a/@name)[last()]/@id", "@id=a"),
            ("//p[. = id('a')]", "/div[1]/p[2]"),
            ("//p[id('a')][2] | (id('b'))//p[1]", "/div[1]/p[1] /div[1]/p[2]"),
            ("//p[not(id('c'))][count(id('a') | .) = 1]", "/div[1]/p[2]"),
            ("concat(id('a'), -id('a'), id('b')/p = 1 or id('c'))", "\"2-2true\""),
            ("id('a') = 2 and id('a') > 1 and id('a') + 1 = 3 and id('a') * 2 = 4", "true"),
        ] {
            let found = evaluate_on(&page, source).map(|found| found.replace("/html[1]/body[1]", ""));
            assert_eq!(found.as_deref(), Ok(expected), "{source}");
        }
        // No expression can name the variables of constants.
        for source in ["$id", "id('a', 'b')"] {
            let error = evaluate_on(&page, source);
            assert!(matches!(error, Err(XPathError::Evaluation(_))), "{error:?}");
        }
    }

    #[test]
    fn a_path_that_is_the_same_for_every_node_is_walked_once() {
        let html = "<title>2</title>".to_owned() + &"<p><a href=x>1</a><a href=y>2</a></p>".repeat(2000);
        let page = Page::from_text(&html, &"https://a.test/".parse().unwrap());
        let count = |source: &str| {
            XPath::parse(source).unwrap().evaluate_within(&page, &mut Budget::of(200_000)).map(|value| {
                match value {
                    XPathValue::Nodes(nodes) => nodes.len(),
                    value => panic!("{value:?}"),
                }
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
        // An error in such a path is an error of the expression, but only if the path is evaluated.
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
        assert!(matches!(
            evaluate(&format!("//p{}", "[1]".repeat(MAX_LENGTH / 3))),
            Err(XPathError::TooLong(_))
        ));
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

    fn steps(source: &str, page: &Page) -> Option<u64> {
        const LIMIT: u64 = 500_000;
        let mut budget = Budget::of(LIMIT);
        match XPath::parse(source).unwrap().evaluate_within(page, &mut budget) {
            Err(error) => {
                assert_eq!((error, budget.left()), (XPathError::BudgetSpent, 0), "{source}");
                None
            }
            Ok(_) => Some(LIMIT - budget.left()),
        }
    }

    fn hostile(size: usize) -> Page {
        let paragraph = |i| format!("<p id=i{i} title={i}>{i}<a href=x>x</a></p>");
        let paragraphs = (0..size).map(paragraph).collect::<Vec<_>>().concat();
        let html = format!("{}{paragraphs}", "<div title=x>".repeat(100));
        Page::from_text(&html, &"https://a.test/".parse().unwrap())
    }

    #[test]
    fn what_can_be_linear_is() {
        let (small, large) = (hostile(500), hostile(1000));
        for source in [
            "//*[sum(//*) > 1]",
            "//*[//* = 0]",
            "//*[count(//*[count(//*[count(//*) > 0]) > 0]) > 0]",
            "//* = //*",
            "//* != //*",
            "//* < //*",
            "//*//*//*//*//a",
            "//*/ancestor::*/descendant::*/ancestor-or-self::*",
            "//*/following::*/preceding::*",
            "//*/following-sibling::*/preceding-sibling::*/..",
            "//p/following-sibling::*[1][self::a]",
            "//a/preceding::p[a][1]",
            "//p[1] | //p[2] | //a[. = 'x'] | //@href/..",
            "//a[.//a] | //p[.//a]",
            "//p[following::p]",
            "id(//@title)",
            "id(string(//div))",
            "translate(string(/), string(/), string(/))",
            "string-length(concat(/, /, /, normalize-space(/)))",
            "count((//p | //a)[last()] | (//*)[position() mod 2 = 0])",
        ] {
            let grown = (steps(source, &small), steps(source, &large));
            assert!(grown.1.is_some() && grown.1 < grown.0.map(|steps| steps * 9 / 4), "{source}: {grown:?}");
        }
    }

    #[test]
    fn what_is_not_linear_is_stopped() {
        let page = hostile(1000);
        for source in [
            "//p[. = preceding::*]",
            "//*[substring(string(/), position(), 1) = 'a']",
            "//*[contains(string(/), string())]",
            "//p[translate(/, ., position()) = position()]",
            "//p[string-length(concat(/, .)) > position()]",
            "//p[normalize-space(concat(., /)) = '']",
            "//p[count(. | //*) = 1]",
            "//*[@* = //@*]",
            "//p[following::a | //div]",
            "//a[count(following::a[count(following::a) > 9]) = 1]",
            "//p[preceding::p[preceding::p[. = 'y']]][count(following::p) = 1]",
            "//p[id(concat(@id, ' ', //@title))]/following::*[position() = 1]",
            "//*[. != following::*[last()]]",
            "//p[sum(following-sibling::p | .) = 1]",
            "//p[ancestor::*[. = 'x']]",
        ] {
            assert_eq!(steps(source, &page), None, "{source}");
        }
    }

    #[test]
    fn expressions_share_a_budget() {
        let (page, xpath) = (hostile(100), XPath::parse("//p[a]").unwrap());
        let mut budget = Budget::default();
        xpath.nodes_within(&page, &mut budget).unwrap();
        let once = BUDGET - budget.left();
        let mut budget = Budget::of(3 * once - 1);
        let found: Vec<bool> = (0..4).map(|_| xpath.nodes_within(&page, &mut budget).is_ok()).collect();
        assert_eq!(found, [true, true, false, false]);
        assert_eq!(
            XPath::parse("1").unwrap().evaluate_within(&page, &mut budget),
            Err(XPathError::BudgetSpent)
        );
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
