//! Runs expressions as ECMAScript 2024 defines it (22.2.2, Pattern Semantics): by backtracking, on UTF-16 units.
//!
//! Where no part refers back to a group, what follows a step at a place depends on nothing else: no step is tried twice at one place, and
//! a match takes at most steps × units.

use super::error::PatternError;
use super::syntax::{Set, Syntax, SyntaxNode, is_word};

/// Most parts of an expression with its repetitions expanded.
const MAX_PARTS: u64 = 4 * 1024;
/// Most steps of a match; what has to be kept of places counts, too.
const MAX_STEPS: usize = 1_000_000;
/// A group without a match.
const NONE: usize = usize::MAX;

/// An expression as steps. Within look-behind, steps go backwards.
#[derive(Debug)]
pub(crate) struct Program {
    steps: Vec<Step>,
    /// Numbers that change during a match: start and end of each group, then where rounds of repetitions began; none where
    /// no part refers back.
    slots: usize,
}

#[derive(Debug)]
enum Step {
    Unit {
        unit: u16,
        back: bool,
    },
    Set {
        set: Set,
        back: bool,
    },
    Start,
    End,
    Boundary {
        negated: bool,
    },
    /// Goes on at `first`, and at `second` if that does not match.
    Either {
        first: usize,
        second: usize,
    },
    Jump(usize),
    Keep {
        slot: usize,
    },
    /// A round of a repetition begins: the groups in it have no match yet.
    Forget {
        from: usize,
        to: usize,
    },
    /// Fails if nothing was consumed since `Keep` of the slot.
    Consumed {
        slot: usize,
    },
    /// The steps up to `end` have to match here, or must not.
    Look {
        negated: bool,
        end: usize,
    },
    Refer {
        group: usize,
        back: bool,
    },
    Match,
}

impl Program {
    pub(crate) fn new(syntax: &Syntax) -> Program {
        let slots = if syntax.has_back { 2 * (syntax.groups + 1) } else { 0 };
        let program = Program { steps: Vec::new(), slots };
        let mut writer = ProgramWriter { program, has_back: syntax.has_back, back: false };
        writer.node(&syntax.node);
        writer.push(Step::Match);
        writer.program
    }

    /// Returns `true` if the expression matches somewhere in a text. A match that takes too long does not count.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let text: Vec<u16> = text.encode_utf16().collect();
        let mut run = Run { program: self, text: &text, steps_left: MAX_STEPS };
        let mut tried = run.tried();
        // Most expressions match at the start of an address alone.
        let last = if matches!(self.steps[0], Step::Start) { 0 } else { text.len() };
        let found = (0..=last).any(|at| run.matched(0, at, vec![NONE; self.slots], &mut tried).is_some());
        found && run.steps_left > 0
    }
}

/// Fails if an expression is too large.
pub(crate) fn check(node: &SyntaxNode) -> Result<(), PatternError> {
    if parts(node) > MAX_PARTS { Err(PatternError::TooLarge) } else { Ok(()) }
}

fn parts(node: &SyntaxNode) -> u64 {
    match node {
        SyntaxNode::Group { node, .. } | SyntaxNode::Look { node, .. } => parts(node).saturating_add(1),
        SyntaxNode::Concat(nodes) | SyntaxNode::Alternate(nodes) => {
            nodes.iter().map(parts).fold(1, u64::saturating_add)
        }
        SyntaxNode::Repeat { node, min, max, .. } => {
            let (min, max) = rounds(node, *min, *max);
            let times = max.unwrap_or_else(|| min.saturating_add(1)).max(1);
            parts(node).saturating_mul(u64::from(times)).saturating_add(1)
        }
        _ => 1,
    }
}

/// Returns how often a part has to match, and may. What consumes nothing does as much in one round as in many, and JavaScript gives up
/// rounds that it may leave out and that consume nothing.
fn rounds(node: &SyntaxNode, min: u32, max: Option<u32>) -> (u32, Option<u32>) {
    if takes_nothing(node) { (min.min(1), Some(min.min(1))) } else { (min, max) }
}

fn takes_nothing(node: &SyntaxNode) -> bool {
    match node {
        SyntaxNode::Empty
        | SyntaxNode::Start
        | SyntaxNode::End
        | SyntaxNode::Boundary { .. }
        | SyntaxNode::Look { .. } => true,
        SyntaxNode::Unit(_) | SyntaxNode::Set(_) | SyntaxNode::Back(_) => false,
        SyntaxNode::Group { node, .. } => takes_nothing(node),
        SyntaxNode::Concat(nodes) | SyntaxNode::Alternate(nodes) => nodes.iter().all(takes_nothing),
        SyntaxNode::Repeat { node, max, .. } => *max == Some(0) || takes_nothing(node),
    }
}

struct ProgramWriter {
    program: Program,
    has_back: bool,
    /// Whether the steps are within look-behind.
    back: bool,
}

impl ProgramWriter {
    fn push(&mut self, step: Step) -> usize {
        self.program.steps.push(step);
        self.program.steps.len() - 1
    }

    fn next(&self) -> usize {
        self.program.steps.len()
    }

    fn node(&mut self, node: &SyntaxNode) {
        let back = self.back;
        match node {
            SyntaxNode::Empty => {}
            SyntaxNode::Unit(unit) => _ = self.push(Step::Unit { unit: *unit, back }),
            SyntaxNode::Set(set) => _ = self.push(Step::Set { set: set.clone(), back }),
            SyntaxNode::Start => _ = self.push(Step::Start),
            SyntaxNode::End => _ = self.push(Step::End),
            SyntaxNode::Boundary { negated } => _ = self.push(Step::Boundary { negated: *negated }),
            SyntaxNode::Group { number: Some(number), node } if self.has_back => {
                // Backwards, a group's end comes first.
                self.push(Step::Keep { slot: 2 * number + usize::from(back) });
                self.node(node);
                self.push(Step::Keep { slot: 2 * number + usize::from(!back) });
            }
            SyntaxNode::Group { node, .. } => self.node(node),
            SyntaxNode::Look { behind, negated, node } => {
                let look = self.push(Step::Look { negated: *negated, end: 0 });
                self.back = *behind;
                self.node(node);
                self.back = back;
                self.push(Step::Match);
                self.program.steps[look] = Step::Look { negated: *negated, end: self.next() };
            }
            SyntaxNode::Back(group) => _ = self.push(Step::Refer { group: *group, back }),
            SyntaxNode::Concat(nodes) if back => nodes.iter().rev().for_each(|node| self.node(node)),
            SyntaxNode::Concat(nodes) => nodes.iter().for_each(|node| self.node(node)),
            SyntaxNode::Alternate(branches) => self.branches(branches),
            SyntaxNode::Repeat { node, min, max, greedy } => self.repeat(node, *min, *max, *greedy),
        }
    }

    fn branches(&mut self, branches: &[SyntaxNode]) {
        let Some((last, others)) = branches.split_last() else { return };
        let mut jumps = Vec::with_capacity(others.len());
        for branch in others {
            let either = self.push(Step::Match);
            self.node(branch);
            jumps.push(self.push(Step::Match));
            self.program.steps[either] = Step::Either { first: either + 1, second: self.next() };
        }
        self.node(last);
        let end = self.next();
        for jump in jumps {
            self.program.steps[jump] = Step::Jump(end);
        }
    }

    fn repeat(&mut self, node: &SyntaxNode, min: u32, max: Option<u32>, greedy: bool) {
        let (min, max) = rounds(node, min, max);
        let groups = groups_in(node);
        for _ in 0..min {
            self.round(node, groups, None);
        }
        let either = |first, second| {
            if greedy {
                Step::Either { first, second }
            } else {
                Step::Either { first: second, second: first }
            }
        };
        let slot = self.program.slots;
        self.program.slots += usize::from(self.has_back && max != Some(min));
        match max {
            None => {
                let start = self.push(Step::Match);
                self.round(node, groups, Some(slot));
                self.push(Step::Jump(start));
                self.program.steps[start] = either(start + 1, self.next());
            }
            Some(max) => {
                let starts: Vec<usize> = (min..max)
                    .map(|_| {
                        let start = self.push(Step::Match);
                        self.round(node, groups, Some(slot));
                        start
                    })
                    .collect();
                let end = self.next();
                for start in starts {
                    self.program.steps[start] = either(start + 1, end);
                }
            }
        }
    }

    /// Writes a round of a repetition. One that may be left out, which has a slot, has to consume something.
    fn round(&mut self, node: &SyntaxNode, groups: Option<(usize, usize)>, slot: Option<usize>) {
        let slot = slot.filter(|_| self.has_back);
        if let Some(slot) = slot {
            self.push(Step::Keep { slot });
        }
        if let Some((from, to)) = groups.filter(|_| self.has_back) {
            self.push(Step::Forget { from: 2 * from, to: 2 * to + 2 });
        }
        self.node(node);
        if let Some(slot) = slot {
            self.push(Step::Consumed { slot });
        }
    }
}

/// Returns the lowest and the highest number of the groups in a part.
fn groups_in(node: &SyntaxNode) -> Option<(usize, usize)> {
    let both = |a: Option<(usize, usize)>, b: Option<(usize, usize)>| match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    };
    match node {
        SyntaxNode::Group { number, node } => both(number.map(|number| (number, number)), groups_in(node)),
        SyntaxNode::Look { node, .. } | SyntaxNode::Repeat { node, .. } => groups_in(node),
        SyntaxNode::Concat(nodes) | SyntaxNode::Alternate(nodes) => {
            nodes.iter().map(groups_in).fold(None, both)
        }
        _ => None,
    }
}

struct Run<'p> {
    program: &'p Program,
    text: &'p [u16],
    steps_left: usize,
}

/// Bits of the steps and places that were tried; none where groups make a difference.
type Tried = Vec<u64>;

impl Run<'_> {
    /// Returns `false` if too many steps were taken, now and from then on.
    fn spend(&mut self, steps: usize) -> bool {
        self.steps_left = self.steps_left.saturating_sub(steps);
        self.steps_left > 0
    }

    fn tried(&self) -> Tried {
        let places =
            if self.program.slots == 0 { self.program.steps.len() * (self.text.len() + 1) } else { 0 };
        vec![0; places.div_ceil(64)]
    }

    /// Returns `true` if a step was tried at a place before, and remembers that it was.
    fn is_tried(&self, tried: &mut Tried, step: usize, at: usize) -> bool {
        let place = step * (self.text.len() + 1) + at;
        let Some(bits) = tried.get_mut(place / 64) else { return false };
        let bit = 1 << (place % 64);
        let was = *bits & bit != 0;
        *bits |= bit;
        was
    }

    /// Matches from a step on at a place, and returns the slots of the match.
    fn matched(
        &mut self,
        step: usize,
        at: usize,
        slots: Vec<usize>,
        tried: &mut Tried,
    ) -> Option<Vec<usize>> {
        let mut others = vec![(step, at, slots)];
        while let Some((mut step, mut at, mut slots)) = others.pop() {
            while self.spend(1) {
                let goes_on = match &self.program.steps[step] {
                    Step::Match => return Some(slots),
                    Step::Unit { unit, back } => self.take(&mut at, *back, |found| found == *unit),
                    Step::Set { set, back } => self.take(&mut at, *back, |found| set.contains(found)),
                    Step::Start => at == 0,
                    Step::End => at == self.text.len(),
                    Step::Boundary { negated } => {
                        let is_word_at =
                            |place: usize| self.text.get(place).is_some_and(|unit| is_word(*unit));
                        let before = at.checked_sub(1).is_some_and(is_word_at);
                        (before != is_word_at(at)) != *negated
                    }
                    Step::Either { first, second } => {
                        if self.is_tried(tried, step, at) || !self.spend(slots.len()) {
                            break;
                        }
                        others.push((*second, at, slots.clone()));
                        step = *first;
                        continue;
                    }
                    Step::Jump(to) => {
                        step = *to;
                        continue;
                    }
                    Step::Keep { slot } => {
                        slots[*slot] = at;
                        true
                    }
                    Step::Forget { from, to } => {
                        slots[*from..*to].fill(NONE);
                        true
                    }
                    Step::Consumed { slot } => slots[*slot] != at,
                    Step::Look { negated, end } => {
                        let mut inner = self.tried();
                        if !self.spend(inner.len() / 16) {
                            break;
                        }
                        let found = self.matched(step + 1, at, slots.clone(), &mut inner);
                        let holds = found.is_some() != *negated;
                        if let Some(found) = found {
                            slots = found;
                        }
                        if !holds {
                            break;
                        }
                        step = *end;
                        continue;
                    }
                    Step::Refer { group, back } => {
                        let (start, end) = (slots[2 * group], slots[2 * group + 1]);
                        self.refer(&mut at, *back, start, end)
                    }
                };
                if !goes_on {
                    break;
                }
                step += 1;
            }
        }
        None
    }

    fn take(&self, at: &mut usize, back: bool, is_wanted: impl Fn(u16) -> bool) -> bool {
        let unit = if back { at.checked_sub(1) } else { Some(*at) }.and_then(|place| self.text.get(place));
        let is_taken = unit.is_some_and(|unit| is_wanted(*unit));
        if is_taken {
            *at = if back { *at - 1 } else { *at + 1 };
        }
        is_taken
    }

    /// Takes the text of a group again; one without a match is empty.
    fn refer(&self, at: &mut usize, back: bool, start: usize, end: usize) -> bool {
        let Some(wanted) = self.text.get(start..end) else { return true };
        let begin = if back { at.checked_sub(wanted.len()) } else { Some(*at) };
        let Some(begin) = begin.filter(|begin| self.text[*begin..].starts_with(wanted)) else { return false };
        *at = if back { begin } else { begin + wanted.len() };
        true
    }
}
