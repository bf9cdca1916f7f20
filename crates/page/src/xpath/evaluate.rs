//! Evaluation.
//!
//! Node-sets are in document order and without duplicates. A step from a set is taken for all of its nodes at once, in one
//! pass over the page at most, unless its predicates ask for positions. Node-sets are compared by the strings that they
//! share, or by their least and greatest numbers, never pair by pair.
//!
//! Each expression that is evaluated, each node that an axis leads to, and each use of a node-set or a string is charged by
//! its length ([`Evaluation::charge`]). All other work is within a constant factor of that, or the logarithm of a length.

mod functions;

use super::axes::AxisPlace;
use super::expression::{Comparison, Expr, Function, LocationPath, LocationStep, PathStart, Predicate};
use super::strings;
use super::{Budget, XPathError};
use crate::node::{NodeId, NodeKind};
use crate::page::Page;
use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use xpath_eval::Axis;

/// Steps for setting out from a node, which allocates.
const SETTING_OUT: usize = 2;
/// How many bytes of a string are read for one step of the budget.
const BYTES_READ: usize = 16;
/// How many bytes of a string are written for one step of the budget: they also take memory.
const BYTES_WRITTEN: usize = 4;
/// How many nodes of a subtree are passed for one step, before its first text and after its last.
const NODES_PASSED: usize = 2;

type Result<T> = std::result::Result<T, XPathError>;

/// The value of an expression. Node-sets are in document order and without duplicates.
#[derive(Debug, Clone)]
pub(super) enum Computed<'e> {
    Nodes(Rc<Vec<AxisPlace>>),
    String(Cow<'e, str>),
    Number(f64),
    Boolean(bool),
}

impl Computed<'_> {
    fn truth(&self) -> bool {
        match self {
            Computed::Nodes(nodes) => !nodes.is_empty(),
            Computed::String(text) => !text.is_empty(),
            Computed::Number(number) => *number != 0.0 && !number.is_nan(),
            Computed::Boolean(truth) => *truth,
        }
    }
}

/// The node that an expression is evaluated for, and its place among those that it is tested with.
#[derive(Debug, Clone, Copy)]
struct Context {
    place: AxisPlace,
    position: usize,
    size: usize,
}

pub(super) struct Evaluation<'e> {
    page: &'e Page,
    left: Cell<u64>,
    constants: Vec<OnceCell<Result<Computed<'e>>>>,
    /// The first element of each `id`.
    ids: OnceCell<BTreeMap<&'e str, NodeId>>,
}

pub(super) fn evaluate<'e>(
    expr: &'e Expr,
    constants: usize,
    page: &'e Page,
    budget: &mut Budget,
) -> Result<Computed<'e>> {
    let evaluation = Evaluation {
        page,
        left: Cell::new(budget.left),
        constants: (0..constants).map(|_| OnceCell::new()).collect(),
        ids: OnceCell::new(),
    };
    let value =
        evaluation.value(expr, Context { place: AxisPlace::of(NodeId::DOCUMENT), position: 1, size: 1 });
    budget.left = evaluation.left.get();
    value
}

impl<'e> Evaluation<'e> {
    fn charge(&self, steps: usize) -> Result<()> {
        let left = self.left.get().checked_sub(steps as u64);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(XPathError::BudgetSpent)
    }

    fn value(&self, expr: &'e Expr, at: Context) -> Result<Computed<'e>> {
        let value = match expr {
            Expr::Or(..) | Expr::And(..) => Computed::Boolean(self.truth(expr, at)?),
            Expr::Compare(a, op, b) => Computed::Boolean(self.comparison(a, *op, b, at)?),
            Expr::Calculate(a, op, b) => Computed::Number(op(self.number(a, at)?, self.number(b, at)?)),
            Expr::Negate(a) => Computed::Number(-self.number(a, at)?),
            Expr::Union(a, b) => {
                let mut nodes = self.nodes(a, at, "union operand")?.to_vec();
                nodes.extend_from_slice(&self.nodes(b, at, "union operand")?);
                Computed::Nodes(Rc::new(in_order(nodes)))
            }
            Expr::Literal(text) => Computed::String(Cow::Borrowed(text)),
            Expr::Number(number) => Computed::Number(*number),
            Expr::Call(function, args) => self.call(*function, args, at)?,
            Expr::Path(path) => Computed::Nodes(Rc::new(self.walk(path, &path.steps, at)?)),
            Expr::Filter(inner, predicates) => {
                let nodes = self.nodes(inner, at, "filter expression predicate")?.to_vec();
                Computed::Nodes(Rc::new(self.filtered(nodes, predicates)?))
            }
            Expr::Constant(index, inner) => {
                self.constants[*index].get_or_init(|| self.value(inner, at)).clone()?
            }
            Expr::Failure(reason) => return Err(XPathError::Evaluation(reason.clone())),
        };
        let length = match &value {
            Computed::Nodes(nodes) => nodes.len(),
            Computed::String(text) => text.len() / BYTES_READ,
            Computed::Number(_) | Computed::Boolean(_) => 0,
        };
        self.charge(1 + length)?;
        Ok(value)
    }

    /// Evaluates an expression as `boolean()` does. Paths are walked up to the first node only.
    fn truth(&self, expr: &'e Expr, at: Context) -> Result<bool> {
        match expr {
            Expr::Or(a, b) => Ok(self.truth(a, at)? || self.truth(b, at)?),
            Expr::And(a, b) => Ok(self.truth(a, at)? && self.truth(b, at)?),
            Expr::Path(path) => self.any(path, at, |_| Ok(true)),
            Expr::Call(Function::Not, args) => Ok(!self.truth(&args[0], at)?),
            Expr::Call(Function::Boolean, args) => self.truth(&args[0], at),
            _ => Ok(self.value(expr, at)?.truth()),
        }
    }

    fn number(&self, expr: &'e Expr, at: Context) -> Result<f64> {
        self.number_of(&self.value(expr, at)?)
    }

    fn number_of(&self, value: &Computed<'e>) -> Result<f64> {
        Ok(match value {
            Computed::Number(number) => *number,
            Computed::Boolean(truth) => f64::from(u8::from(*truth)),
            Computed::String(text) => strings::to_number(text),
            Computed::Nodes(nodes) => strings::to_number(self.text_of_first(nodes)?),
        })
    }

    fn string(&self, expr: &'e Expr, at: Context) -> Result<Cow<'e, str>> {
        self.string_of(self.value(expr, at)?)
    }

    fn string_of(&self, value: Computed<'e>) -> Result<Cow<'e, str>> {
        Ok(match value {
            Computed::String(text) => text,
            Computed::Number(number) => Cow::Owned(strings::of_number(number)),
            Computed::Boolean(truth) => Cow::Borrowed(if truth { "true" } else { "false" }),
            Computed::Nodes(nodes) => Cow::Borrowed(self.text_of_first(&nodes)?),
        })
    }

    fn text_of_first(&self, nodes: &[AxisPlace]) -> Result<&'e str> {
        nodes.first().map_or(Ok(""), |first| self.text_of(*first))
    }

    fn text_of(&self, place: AxisPlace) -> Result<&'e str> {
        let page = self.page;
        let text = match place.attribute() {
            Some(index) => page.attribute_at(index).1,
            None if page.is_element(place.node) || place.node == NodeId::DOCUMENT => {
                let is_no_text = |id: &NodeId| page.kind(*id) != NodeKind::Text;
                let before = page.subtree(place.node).take_while(is_no_text).count();
                let after = page.subtree(place.node).rev().take_while(is_no_text).count();
                self.charge((before + after) / NODES_PASSED)?;
                page.string_value(place.node)
            }
            None => page.data(place.node),
        };
        self.charge(1 + text.len() / BYTES_READ)?;
        Ok(text)
    }

    fn nodes(&self, expr: &'e Expr, at: Context, what: &str) -> Result<Rc<Vec<AxisPlace>>> {
        match self.value(expr, at)? {
            Computed::Nodes(nodes) => Ok(nodes),
            _ => Err(XPathError::Evaluation(format!("expected a node-set in {what}"))),
        }
    }

    fn walk(&self, path: &'e LocationPath, steps: &'e [LocationStep], at: Context) -> Result<Vec<AxisPlace>> {
        let start = match &path.start {
            PathStart::Document => vec![AxisPlace::of(NodeId::DOCUMENT)],
            PathStart::Context => vec![at.place],
            PathStart::Nodes(expr) => self.nodes(expr, at, "path expression left of '/'")?.to_vec(),
        };
        steps.iter().try_fold(start, |from, step| {
            self.charge(SETTING_OUT * from.len())?;
            if step.asks_for_position() {
                self.step_by_step(&from, step)
            } else {
                self.step_at_once(&from, step)
            }
        })
    }

    /// Returns `true` if a node that a path selects passes a test. Where it can, it stops at the first.
    fn any(
        &self,
        path: &'e LocationPath,
        at: Context,
        mut test: impl FnMut(AxisPlace) -> Result<bool>,
    ) -> Result<bool> {
        if let Some((last, before)) = path.steps.split_last()
            && !last.asks_for_position()
            && let [from] = self.walk(path, before, at)?[..]
        {
            self.charge(SETTING_OUT)?;
            for place in from.along(last.axis, self.page) {
                if self.keeps(place, last, &last.predicates)? && test(place)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        any(&self.walk(path, &path.steps, at)?, |place| test(*place))
    }

    fn keeps(&self, place: AxisPlace, step: &LocationStep, predicates: &'e [Predicate]) -> Result<bool> {
        self.charge(1)?;
        if !place.passes(&step.test, step.axis, self.page) {
            return Ok(false);
        }
        for predicate in predicates {
            if !self.truth(&predicate.expr, Context { place, position: 1, size: 1 })? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes a step from each node, so that predicates see positions on the axis of one node.
    fn step_by_step(&self, from: &[AxisPlace], step: &'e LocationStep) -> Result<Vec<AxisPlace>> {
        let plain = step.predicates.iter().take_while(|predicate| !predicate.asks_for_position).count();
        let (plain, others) = step.predicates.split_at(plain);
        // A predicate that is a number ends the search at that position.
        let most = match others {
            [Predicate { expr: Expr::Number(place), .. }, ..] if *place >= 1.0 => *place,
            _ => f64::INFINITY,
        };
        let (mut found, mut tidy) = (Vec::new(), from.len());
        for place in from {
            let mut nodes = Vec::new();
            for place in place.along(step.axis, self.page) {
                if self.keeps(place, step, plain)? {
                    nodes.push(place);
                    if nodes.len() as f64 >= most {
                        break;
                    }
                }
            }
            found.extend(self.filtered(nodes, others)?);
            // Many nodes may lead to the same ones.
            if found.len() > 2 * tidy {
                found = in_order(found);
                tidy = tidy.max(found.len());
            }
        }
        Ok(in_order(found))
    }

    /// Takes a step from all nodes together. Each node is visited once on most axes, and at most twice on any.
    fn step_at_once(&self, from: &[AxisPlace], step: &'e LocationStep) -> Result<Vec<AxisPlace>> {
        let page = self.page;
        let mut found = Vec::new();
        let mut come_to = |places: &mut dyn Iterator<Item = AxisPlace>| -> Result<()> {
            for place in places {
                if self.keeps(place, step, &step.predicates)? {
                    found.push(place);
                }
            }
            Ok(())
        };
        match step.axis {
            Axis::SelfAxis | Axis::Child | Axis::Attribute | Axis::Namespace => {
                for place in from {
                    come_to(&mut place.along(step.axis, page))?;
                }
            }
            Axis::Parent => {
                let parents = from.iter().flat_map(|place| place.along(Axis::Parent, page));
                come_to(&mut in_order(parents.collect()).into_iter())?;
            }
            Axis::Descendant | Axis::DescendantOrSelf => {
                let mut end = 0;
                for place in from {
                    // The nodes of a walked subtree were visited, except for attributes.
                    if place.attribute().is_some() || place.node.index() >= end {
                        come_to(&mut place.along(step.axis, page))?;
                        end = end.max(if place.attribute().is_none() {
                            page.subtree_end(place.node)
                        } else {
                            0
                        });
                    }
                }
            }
            Axis::Ancestor | Axis::AncestorOrSelf => {
                let mut before = None;
                for place in from {
                    for ancestor in place.along(step.axis, page) {
                        come_to(&mut std::iter::once(ancestor))?;
                        // It also holds the previous node, so everything above it was visited.
                        if before.is_some_and(|before| ancestor.node <= before) {
                            break;
                        }
                    }
                    before = Some(place.node);
                }
            }
            Axis::FollowingSibling | Axis::PrecedingSibling => {
                // The siblings after the first of a parent's children hold those after the others.
                let mut nearest: BTreeMap<Option<NodeId>, AxisPlace> = BTreeMap::new();
                for place in from.iter().filter(|place| place.attribute().is_none()) {
                    let held = nearest.entry(page.parent(place.node)).or_insert(*place);
                    if step.axis == Axis::PrecedingSibling {
                        *held = *place;
                    }
                }
                for place in nearest.values() {
                    come_to(&mut place.along(step.axis, page))?;
                }
            }
            // Nodes that follow any of these follow the node that ends first.
            Axis::Following => {
                let end = |place: &&AxisPlace| match place.attribute() {
                    Some(_) => place.node.index() + 1,
                    None => page.subtree_end(place.node),
                };
                if let Some(first) = from.iter().min_by_key(end) {
                    come_to(&mut first.along(step.axis, page))?;
                }
            }
            // Nodes that precede any of these precede the last.
            Axis::Preceding => {
                if let Some(last) = from.last() {
                    come_to(&mut last.along(step.axis, page))?;
                }
            }
        }
        Ok(in_order(found))
    }

    /// Returns the nodes that pass all predicates; each sees the positions that the one before left.
    fn filtered(&self, mut nodes: Vec<AxisPlace>, predicates: &'e [Predicate]) -> Result<Vec<AxisPlace>> {
        for predicate in predicates {
            let size = nodes.len();
            let mut kept = Vec::new();
            for (index, place) in nodes.into_iter().enumerate() {
                let position = index + 1;
                let context = Context { place, position, size };
                let passes = if predicate.asks_for_position {
                    match self.value(&predicate.expr, context)? {
                        Computed::Number(number) => number == position as f64,
                        other => other.truth(),
                    }
                } else {
                    self.truth(&predicate.expr, context)?
                };
                if passes {
                    kept.push(place);
                }
            }
            nodes = kept;
        }
        Ok(nodes)
    }

    /// Compares two values (XPath 1.0, section 3.4). A path is walked up to the first node that decides only.
    fn comparison(&self, left: &'e Expr, op: Comparison, right: &'e Expr, at: Context) -> Result<bool> {
        if !matches!(left, Expr::Path(_)) && matches!(right, Expr::Path(_)) {
            return self.comparison(right, op.mirrored(), left, at);
        }
        let right = self.value(right, at)?;
        if let Expr::Path(path) = left
            && matches!(right, Computed::String(_) | Computed::Number(_))
        {
            let right = self.operand(op, right)?;
            return self.any(path, at, |place| self.compare_one(place, op, &right));
        }
        match (self.value(left, at)?, right) {
            (Computed::Nodes(left), Computed::Nodes(right)) => self.compare_sets(&left, op, &right),
            (Computed::Nodes(nodes), right @ Computed::Boolean(_)) => {
                self.compare_scalars(&Computed::Boolean(!nodes.is_empty()), op, &right)
            }
            (left @ Computed::Boolean(_), Computed::Nodes(nodes)) => {
                self.compare_scalars(&left, op, &Computed::Boolean(!nodes.is_empty()))
            }
            (Computed::Nodes(nodes), scalar) => self.compare_each(&nodes, op, scalar),
            (scalar, Computed::Nodes(nodes)) => self.compare_each(&nodes, op.mirrored(), scalar),
            (left, right) => self.compare_scalars(&left, op, &right),
        }
    }

    /// Returns the value to compare nodes with: a number if the order counts.
    fn operand(&self, op: Comparison, scalar: Computed<'e>) -> Result<Computed<'e>> {
        Ok(if op.is_equality() { scalar } else { Computed::Number(self.number_of(&scalar)?) })
    }

    fn compare_each(&self, nodes: &[AxisPlace], op: Comparison, scalar: Computed<'e>) -> Result<bool> {
        let scalar = self.operand(op, scalar)?;
        any(nodes, |place| self.compare_one(*place, op, &scalar))
    }

    fn compare_one(&self, place: AxisPlace, op: Comparison, scalar: &Computed<'e>) -> Result<bool> {
        self.compare_scalars(&Computed::String(Cow::Borrowed(self.text_of(place)?)), op, scalar)
    }

    fn compare_scalars(&self, left: &Computed<'e>, op: Comparison, right: &Computed<'e>) -> Result<bool> {
        let equal = match (left, right) {
            (Computed::Boolean(_), _) | (_, Computed::Boolean(_)) if op.is_equality() => {
                left.truth() == right.truth()
            }
            (Computed::String(left), Computed::String(right)) if op.is_equality() => left == right,
            _ => return Ok(op.holds(self.number_of(left)?, self.number_of(right)?)),
        };
        Ok(equal == (op == Comparison::Equal))
    }

    fn compare_sets(&self, left: &[AxisPlace], op: Comparison, right: &[AxisPlace]) -> Result<bool> {
        if left.is_empty() || right.is_empty() {
            return Ok(false);
        }
        match op {
            Comparison::Equal => {
                let (few, many) = if left.len() < right.len() { (left, right) } else { (right, left) };
                let texts = few.iter().map(|place| self.text_of(*place)).collect::<Result<BTreeSet<_>>>()?;
                any(many, |place| Ok(texts.contains(self.text_of(*place)?)))
            }
            // Where no two differ, all are equal to one.
            Comparison::Different => {
                let one = self.text_of(left[0])?;
                let differs = |place: &AxisPlace| Ok(self.text_of(*place)? != one);
                Ok(any(left, differs)? || any(right, differs)?)
            }
            Comparison::Less | Comparison::LessOrEqual => {
                Ok(op.holds(self.extreme(left, f64::min)?, self.extreme(right, f64::max)?))
            }
            Comparison::Greater | Comparison::GreaterOrEqual => {
                Ok(op.holds(self.extreme(left, f64::max)?, self.extreme(right, f64::min)?))
            }
        }
    }

    fn extreme(&self, nodes: &[AxisPlace], of: fn(f64, f64) -> f64) -> Result<f64> {
        nodes
            .iter()
            .try_fold(f64::NAN, |extreme, place| Ok(of(extreme, strings::to_number(self.text_of(*place)?))))
    }
}

fn any(places: &[AxisPlace], mut test: impl FnMut(&AxisPlace) -> Result<bool>) -> Result<bool> {
    for place in places {
        if test(place)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Puts places in document order, without duplicates. Most come in order.
fn in_order(mut places: Vec<AxisPlace>) -> Vec<AxisPlace> {
    if !places.is_sorted() {
        places.sort_unstable();
    }
    places.dedup();
    places
}
