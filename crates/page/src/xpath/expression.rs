//! Expressions in the form in which they are evaluated.
//!
//! `xpath-eval` parses. Its tree is translated once:
//!
//! - functions are resolved; an unknown one fails when it is evaluated;
//! - `//x` is one step, if the predicates of `x` allow it;
//! - predicates know whether they ask for a position;
//! - a subexpression with the same value for every node is a [`Expr::Constant`], and evaluated once.

use std::ops::{Add, Div, Mul, Rem, Sub};
use xpath_eval::{
    AdditiveOp, Axis, EqualityOp, Expr as Parsed, FilterExpr, FunctionCall, LocationPath as ParsedPath,
    MultiplicativeOp, NodeTest as ParsedTest, PathExpr, PrimaryExpr, QName, RelationalOp, Step as ParsedStep,
};

#[derive(Debug)]
pub(super) enum Expr {
    Or(Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Compare(Box<Expr>, Comparison, Box<Expr>),
    Calculate(Box<Expr>, fn(f64, f64) -> f64, Box<Expr>),
    Negate(Box<Expr>),
    Union(Box<Expr>, Box<Expr>),
    Literal(String),
    Number(f64),
    Call(Function, Vec<Expr>),
    Path(LocationPath),
    /// Nodes that pass predicates; positions are those among all of the nodes.
    Filter(Box<Expr>, Vec<Predicate>),
    /// The same for every node; the number of its value.
    Constant(usize, Box<Expr>),
    Failure(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Different,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    pub(super) fn mirrored(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessOrEqual => Comparison::GreaterOrEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterOrEqual => Comparison::LessOrEqual,
            Comparison::Equal | Comparison::Different => self,
        }
    }

    pub(super) fn is_equality(self) -> bool {
        matches!(self, Comparison::Equal | Comparison::Different)
    }

    pub(super) fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Different => left != right,
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
        }
    }
}

#[derive(Debug)]
pub(super) struct LocationPath {
    pub(super) start: PathStart,
    pub(super) steps: Vec<LocationStep>,
}

#[derive(Debug)]
pub(super) enum PathStart {
    Document,
    Context,
    Nodes(Box<Expr>),
}

#[derive(Debug)]
pub(super) struct LocationStep {
    pub(super) axis: Axis,
    pub(super) test: NodeTest,
    pub(super) predicates: Vec<Predicate>,
}

impl LocationStep {
    /// Returns `true` if a predicate asks for the position among the nodes that one node leads to.
    pub(super) fn asks_for_position(&self) -> bool {
        self.predicates.iter().any(|predicate| predicate.asks_for_position)
    }
}

#[derive(Debug)]
pub(super) enum NodeTest {
    Node,
    Text,
    Comment,
    /// Any element or, on the axis of attributes, any attribute.
    Named,
    Name(String),
    /// Nothing: pages have no processing instructions.
    Never,
}

#[derive(Debug)]
pub(super) struct Predicate {
    pub(super) expr: Expr,
    /// Whether it may select other nodes with other positions.
    pub(super) asks_for_position: bool,
}

macro_rules! functions {
    ($($function:ident = $name:literal $least:literal ..= $most:expr;)+) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Function { $($function,)+ }

        impl Function {
            fn named(name: &str) -> Option<(Function, usize, usize)> {
                match name {
                    $($name => Some((Function::$function, $least, $most)),)+
                    _ => None,
                }
            }
        }
    };
}

functions! {
    Last = "last" 0..=0; Position = "position" 0..=0; Count = "count" 1..=1; Id = "id" 1..=1;
    LocalName = "local-name" 0..=1; NamespaceUri = "namespace-uri" 0..=1; Name = "name" 0..=1;
    String = "string" 0..=1; Concat = "concat" 2..=usize::MAX; StartsWith = "starts-with" 2..=2;
    Contains = "contains" 2..=2; SubstringBefore = "substring-before" 2..=2;
    SubstringAfter = "substring-after" 2..=2; Substring = "substring" 2..=3;
    StringLength = "string-length" 0..=1; NormalizeSpace = "normalize-space" 0..=1; Translate = "translate" 3..=3;
    Boolean = "boolean" 1..=1; Not = "not" 1..=1; True = "true" 0..=0; False = "false" 0..=0; Lang = "lang" 1..=1;
    Number = "number" 0..=1; Sum = "sum" 1..=1; Floor = "floor" 1..=1; Ceiling = "ceiling" 1..=1;
    Round = "round" 1..=1;
}

impl Function {
    fn gives_number(self) -> bool {
        use Function::{Ceiling, Count, Floor, Last, Number, Position, Round, StringLength, Sum};
        matches!(self, Last | Position | Count | StringLength | Number | Sum | Floor | Ceiling | Round)
    }

    fn asks_for_context(self, arguments: usize) -> bool {
        use Function::{Lang, LocalName, Name, NamespaceUri, NormalizeSpace, Number, String, StringLength};
        match self {
            Function::Last | Function::Position | Lang => true,
            LocalName | NamespaceUri | Name | String | StringLength | NormalizeSpace | Number => {
                arguments == 0
            }
            _ => false,
        }
    }
}

pub(super) fn translate(parsed: Parsed) -> Result<(Expr, usize), Prefixed> {
    let mut translator = Translator { constants: 0, predicates: 0 };
    let expr = translator.expr(parsed)?;
    Ok((expr, translator.constants))
}

/// A name with a prefix, which no page declares.
pub(super) struct Prefixed(pub(super) String);

struct Translator {
    constants: usize,
    predicates: usize,
}

impl Translator {
    fn expr(&mut self, parsed: Parsed) -> Result<Expr, Prefixed> {
        let expr = match parsed {
            Parsed::Or(a, b) => Expr::Or(self.boxed(*a)?, self.boxed(*b)?),
            Parsed::And(a, b) => Expr::And(self.boxed(*a)?, self.boxed(*b)?),
            Parsed::Union(a, b) => Expr::Union(self.boxed(*a)?, self.boxed(*b)?),
            Parsed::Equality(a, op, b) => {
                let op = match op {
                    EqualityOp::Eq => Comparison::Equal,
                    EqualityOp::Ne => Comparison::Different,
                };
                Expr::Compare(self.boxed(*a)?, op, self.boxed(*b)?)
            }
            Parsed::Relational(a, op, b) => {
                let op = match op {
                    RelationalOp::Lt => Comparison::Less,
                    RelationalOp::Le => Comparison::LessOrEqual,
                    RelationalOp::Gt => Comparison::Greater,
                    RelationalOp::Ge => Comparison::GreaterOrEqual,
                };
                Expr::Compare(self.boxed(*a)?, op, self.boxed(*b)?)
            }
            Parsed::Additive(a, op, b) => {
                let op = match op {
                    AdditiveOp::Add => f64::add,
                    AdditiveOp::Sub => f64::sub,
                };
                Expr::Calculate(self.boxed(*a)?, op, self.boxed(*b)?)
            }
            Parsed::Multiplicative(a, op, b) => {
                let op = match op {
                    MultiplicativeOp::Mul => f64::mul,
                    MultiplicativeOp::Div => f64::div,
                    MultiplicativeOp::Mod => f64::rem,
                };
                Expr::Calculate(self.boxed(*a)?, op, self.boxed(*b)?)
            }
            Parsed::Negate(a) => Expr::Negate(self.boxed(*a)?),
            Parsed::Path(PathExpr::Filter(filter)) => self.filter(filter)?,
            Parsed::Path(PathExpr::Location(ParsedPath { is_absolute, steps })) => {
                let start = if is_absolute { PathStart::Document } else { PathStart::Context };
                Expr::Path(LocationPath { start, steps: self.steps(steps)? })
            }
            Parsed::Path(PathExpr::FilterLocation(filter, path)) => {
                let nodes = self.filter(filter)?;
                let start = PathStart::Nodes(Box::new(self.kept(nodes)));
                Expr::Path(LocationPath { start, steps: self.steps(path.steps)? })
            }
        };
        Ok(self.kept(expr))
    }

    fn boxed(&mut self, parsed: Parsed) -> Result<Box<Expr>, Prefixed> {
        self.expr(parsed).map(Box::new)
    }

    fn filter(&mut self, FilterExpr { primary, predicates }: FilterExpr) -> Result<Expr, Prefixed> {
        let primary = match primary {
            PrimaryExpr::Parenthesized(inner) => self.expr(*inner)?,
            PrimaryExpr::Literal(text) => Expr::Literal(text),
            PrimaryExpr::Number(number) => Expr::Number(number),
            PrimaryExpr::Variable(QName { local, .. }) => {
                Expr::Failure(format!("unbound variable: ${local}"))
            }
            PrimaryExpr::Function(call) => self.call(call)?,
        };
        let predicates = self.predicates(predicates)?;
        if predicates.is_empty() {
            return Ok(primary);
        }
        Ok(Expr::Filter(Box::new(self.kept(primary)), predicates))
    }

    fn call(&mut self, FunctionCall { name, args }: FunctionCall) -> Result<Expr, Prefixed> {
        let name = unprefixed(name)?;
        let args = args.into_iter().map(|arg| self.expr(arg)).collect::<Result<Vec<_>, _>>()?;
        let Some((function, least, most)) = Function::named(&name) else {
            return Ok(Expr::Failure(format!("unknown function: {name}")));
        };
        let (got, expected) = (args.len(), if args.len() < least { least } else { most });
        if (least..=most).contains(&got) {
            Ok(Expr::Call(function, args))
        } else {
            Ok(Expr::Failure(format!("{name}() expects {expected} argument(s), got {got}")))
        }
    }

    fn steps(&mut self, parsed: Vec<ParsedStep>) -> Result<Vec<LocationStep>, Prefixed> {
        let mut steps: Vec<LocationStep> = Vec::with_capacity(parsed.len());
        for ParsedStep { axis, node_test, predicates } in parsed {
            let test = match node_test {
                ParsedTest::AnyName => NodeTest::Named,
                ParsedTest::NamespaceWildcard(prefix) => return Err(Prefixed(format!("{prefix}:*"))),
                ParsedTest::QName(name) => NodeTest::Name(unprefixed(name)?),
                ParsedTest::Node => NodeTest::Node,
                ParsedTest::Text => NodeTest::Text,
                ParsedTest::Comment => NodeTest::Comment,
                ParsedTest::ProcessingInstruction(_) => NodeTest::Never,
            };
            let mut step = LocationStep { axis, test, predicates: self.predicates(predicates)? };
            // `//x` is short for two steps. Positions are those among the children of one node; without them, one
            // step selects the same.
            let is_short = |before: &LocationStep| {
                before.axis == Axis::DescendantOrSelf
                    && matches!(before.test, NodeTest::Node)
                    && before.predicates.is_empty()
            };
            if step.axis == Axis::Child && !step.asks_for_position() && steps.last().is_some_and(is_short) {
                steps.pop();
                step.axis = Axis::Descendant;
            }
            steps.push(step);
        }
        Ok(steps)
    }

    fn predicates(&mut self, parsed: Vec<Parsed>) -> Result<Vec<Predicate>, Prefixed> {
        self.predicates += 1;
        let predicate = |parsed| {
            let expr = self.expr(parsed)?;
            let asks_for_position = expr.may_be_number() || expr.names_position();
            Ok(Predicate { expr, asks_for_position })
        };
        let predicates = parsed.into_iter().map(predicate).collect();
        self.predicates -= 1;
        predicates
    }

    /// Makes an expression that is evaluated again and again and always gives the same a constant.
    fn kept(&mut self, expr: Expr) -> Expr {
        if self.predicates == 0 || expr.is_fixed() || !expr.is_constant() {
            return expr;
        }
        self.constants += 1;
        Expr::Constant(self.constants - 1, Box::new(expr))
    }
}

fn unprefixed(QName { prefix, local }: QName) -> Result<String, Prefixed> {
    match prefix {
        None => Ok(local),
        Some(prefix) => Err(Prefixed(format!("{prefix}:{local}"))),
    }
}

impl Expr {
    fn operands(&self) -> Vec<&Expr> {
        match self {
            Expr::Or(a, b)
            | Expr::And(a, b)
            | Expr::Union(a, b)
            | Expr::Compare(a, _, b)
            | Expr::Calculate(a, _, b) => vec![a, b],
            Expr::Negate(a) | Expr::Filter(a, _) | Expr::Constant(_, a) => vec![a],
            Expr::Call(_, args) => args.iter().collect(),
            Expr::Path(LocationPath { start: PathStart::Nodes(start), .. }) => vec![start],
            Expr::Path(_) | Expr::Literal(_) | Expr::Number(_) | Expr::Failure(_) => Vec::new(),
        }
    }

    /// Returns `true` if there is nothing to evaluate.
    fn is_fixed(&self) -> bool {
        matches!(self, Expr::Literal(_) | Expr::Number(_) | Expr::Constant(..) | Expr::Failure(_))
    }

    /// Returns `true` if the expression gives the same in every context, as its operands do.
    fn is_constant(&self) -> bool {
        let asks_for_context = match self {
            Expr::Path(path) => matches!(path.start, PathStart::Context),
            Expr::Call(function, args) => function.asks_for_context(args.len()),
            _ => false,
        };
        !asks_for_context && self.operands().into_iter().all(Expr::is_fixed)
    }

    fn may_be_number(&self) -> bool {
        match self {
            Expr::Number(_) | Expr::Negate(_) | Expr::Calculate(..) => true,
            Expr::Call(function, _) => function.gives_number(),
            Expr::Constant(_, inner) => inner.may_be_number(),
            _ => false,
        }
    }

    /// Returns `true` if the expression calls `position()` or `last()`, other than in predicates of its own.
    fn names_position(&self) -> bool {
        matches!(self, Expr::Call(Function::Last | Function::Position, _))
            || self.operands().into_iter().any(Expr::names_position)
    }
}
