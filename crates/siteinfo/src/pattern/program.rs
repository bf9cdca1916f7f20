//! Runs expressions: a backtracking machine over UTF-16 units that steps at most so often.
//!
//! Without back-references, whether the rest of an expression matches depends only on where the machine stands in
//! the program and in the text. Each fork is then taken once a place, so that time is bounded by the product of
//! both lengths, and nothing that groups match is kept.

use super::PatternError;
use super::syntax::{Node, Parsed, Set, is_word};
use std::ops::Range;

/// Most instructions; counted repetition is written out.
const MAX_INSTRUCTIONS: usize = 16 * 1024;
/// Most steps that one match may take.
const MAX_STEPS: usize = 1_000_000;
/// Most pairs of fork and place that one match may remember, a bit each.
const MAX_MEMORY: usize = 1 << 24;

/// What the machine does at one place. `back` reads towards the start of the text, as look-behind does.
#[derive(Debug)]
enum Instruction {
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
    /// Goes on at `first`, and where that fails at `second`; `number` counts forks.
    Fork {
        number: usize,
        first: usize,
        second: usize,
    },
    Jump(usize),
    /// Runs what follows up to a `Found`; goes on at `end`. `forks` are those inside.
    Look {
        negated: bool,
        end: usize,
        forks: Range<usize>,
    },
    Found,
    /// Notes the place in the text.
    Save(usize),
    /// Forgets what groups inside a repetition matched.
    Reset(Range<usize>),
    /// Goes on only where the place differs from the one noted: repetition ends with an empty round.
    Moved(usize),
    /// What a group matched; nothing where it has not.
    Back {
        group: usize,
        back: bool,
    },
}

/// A compiled expression.
#[derive(Debug)]
pub(crate) struct Program {
    instructions: Vec<Instruction>,
    forks: usize,
    /// How many places are noted; none where nothing refers back.
    slots: usize,
}

impl Program {
    pub(crate) fn new(parsed: &Parsed) -> Result<Program, PatternError> {
        // Slots 2n and 2n + 1 are the ends of group n; those after them belong to repetitions.
        let slots = if parsed.has_back { 2 * (parsed.groups + 1) } else { 0 };
        let mut compiler = Compiler { instructions: Vec::new(), forks: 0, slots, keeps: parsed.has_back };
        compiler.node(&parsed.node, false)?;
        compiler.emit(Instruction::Found)?;
        Ok(Program { instructions: compiler.instructions, forks: compiler.forks, slots: compiler.slots })
    }

    /// Says whether the expression matches somewhere in a text; `None` where that takes too long.
    pub(crate) fn matches(&self, text: &[u16]) -> Option<bool> {
        let keeps = self.slots > 0;
        let memory = if keeps { 0 } else { self.forks * (text.len() + 1) };
        if memory > MAX_MEMORY {
            return None;
        }
        let mut machine = Machine {
            program: self,
            text,
            seen: vec![0; memory.div_ceil(64)],
            slots: vec![None; self.slots],
            stack: Vec::new(),
            steps: MAX_STEPS,
        };
        let anchored = matches!(self.instructions.first(), Some(Instruction::Start));
        let last = if anchored { 0 } else { text.len() };
        for start in 0..=last {
            if machine.run(0, start)? {
                return Some(true);
            }
        }
        Some(false)
    }
}

struct Compiler {
    instructions: Vec<Instruction>,
    forks: usize,
    slots: usize,
    keeps: bool,
}

impl Compiler {
    fn emit(&mut self, instruction: Instruction) -> Result<usize, PatternError> {
        if self.instructions.len() >= MAX_INSTRUCTIONS {
            return Err(PatternError::TooLarge);
        }
        self.instructions.push(instruction);
        Ok(self.instructions.len() - 1)
    }

    /// Adds a fork whose ends are set later.
    fn fork(&mut self) -> Result<usize, PatternError> {
        let number = self.forks;
        self.forks += 1;
        self.emit(Instruction::Fork { number, first: 0, second: 0 })
    }

    /// Sets where a fork leads: into what follows it, or past that to here; the former first where `greedy`.
    fn land(&mut self, fork: usize, greedy: bool) {
        let here = self.instructions.len();
        if let Instruction::Fork { first, second, .. } = &mut self.instructions[fork] {
            (*first, *second) = if greedy { (fork + 1, here) } else { (here, fork + 1) };
        }
    }

    fn node(&mut self, node: &Node, back: bool) -> Result<(), PatternError> {
        match node {
            Node::Empty => {}
            Node::Unit(unit) => _ = self.emit(Instruction::Unit { unit: *unit, back })?,
            Node::Set(set) => _ = self.emit(Instruction::Set { set: set.clone(), back })?,
            Node::Start => _ = self.emit(Instruction::Start)?,
            Node::End => _ = self.emit(Instruction::End)?,
            Node::Boundary { negated } => _ = self.emit(Instruction::Boundary { negated: *negated })?,
            Node::Back(group) => _ = self.emit(Instruction::Back { group: *group, back })?,
            Node::Group { number, node } => match number.filter(|_| self.keeps) {
                Some(number) => {
                    let (first, last) = (2 * number, 2 * number + 1);
                    self.emit(Instruction::Save(if back { last } else { first }))?;
                    self.node(node, back)?;
                    self.emit(Instruction::Save(if back { first } else { last }))?;
                }
                None => self.node(node, back)?,
            },
            Node::Look { behind, negated, node } => {
                let from = self.forks;
                let look = self.emit(Instruction::Look { negated: *negated, end: 0, forks: 0..0 })?;
                self.node(node, *behind)?;
                self.emit(Instruction::Found)?;
                let (here, inside) = (self.instructions.len(), from..self.forks);
                if let Instruction::Look { end, forks, .. } = &mut self.instructions[look] {
                    (*end, *forks) = (here, inside);
                }
            }
            Node::Concat(nodes) if back => nodes.iter().rev().try_for_each(|node| self.node(node, back))?,
            Node::Concat(nodes) => nodes.iter().try_for_each(|node| self.node(node, back))?,
            Node::Alternate(branches) => self.alternate(branches, back)?,
            Node::Repeat { node, min, max, greedy, groups } => {
                for _ in 0..*min {
                    let before = self.instructions.len();
                    self.round(node, groups, back)?;
                    if self.instructions.len() == before {
                        // Nothing, however often.
                        break;
                    }
                }
                match max {
                    None => self.repeat(node, *greedy, groups, back)?,
                    Some(max) => self.options(node, max - min, *greedy, groups, back)?,
                }
            }
        }
        Ok(())
    }

    fn alternate(&mut self, branches: &[Node], back: bool) -> Result<(), PatternError> {
        let mut jumps = Vec::with_capacity(branches.len());
        for (index, branch) in branches.iter().enumerate() {
            if index + 1 == branches.len() {
                self.node(branch, back)?;
                break;
            }
            let fork = self.fork()?;
            self.node(branch, back)?;
            jumps.push(self.emit(Instruction::Jump(0))?);
            self.land(fork, true);
        }
        let here = self.instructions.len();
        for jump in jumps {
            self.instructions[jump] = Instruction::Jump(here);
        }
        Ok(())
    }

    /// One round of a repetition: what groups inside matched in the last one is forgotten.
    fn round(&mut self, node: &Node, groups: &Range<usize>, back: bool) -> Result<(), PatternError> {
        if self.keeps && !groups.is_empty() {
            self.emit(Instruction::Reset(2 * groups.start..2 * groups.end))?;
        }
        self.node(node, back)
    }

    /// A round that need not be; an empty one does not count.
    fn optional(&mut self, node: &Node, groups: &Range<usize>, back: bool) -> Result<(), PatternError> {
        if !self.keeps {
            // Forks are taken once a place, which ends empty rounds.
            return self.round(node, groups, back);
        }
        let slot = self.slots;
        self.slots += 1;
        self.emit(Instruction::Save(slot))?;
        self.round(node, groups, back)?;
        self.emit(Instruction::Moved(slot))?;
        Ok(())
    }

    fn repeat(
        &mut self,
        node: &Node,
        greedy: bool,
        groups: &Range<usize>,
        back: bool,
    ) -> Result<(), PatternError> {
        let fork = self.fork()?;
        self.optional(node, groups, back)?;
        self.emit(Instruction::Jump(fork))?;
        self.land(fork, greedy);
        Ok(())
    }

    fn options(
        &mut self,
        node: &Node,
        times: u32,
        greedy: bool,
        groups: &Range<usize>,
        back: bool,
    ) -> Result<(), PatternError> {
        let mut forks = Vec::new();
        for _ in 0..times {
            forks.push(self.fork()?);
            self.optional(node, groups, back)?;
        }
        for fork in forks {
            self.land(fork, greedy);
        }
        Ok(())
    }
}

/// What to do where the machine cannot go on.
enum Undo {
    Retry { at: usize, place: usize },
    Restore { slot: usize, place: Option<usize> },
}

struct Machine<'a> {
    program: &'a Program,
    text: &'a [u16],
    /// A bit for each fork and place that was there.
    seen: Vec<u64>,
    slots: Vec<Option<usize>>,
    stack: Vec<Undo>,
    steps: usize,
}

impl Machine<'_> {
    /// Runs from an instruction on; says whether `Found` is reached. `None` where the steps are spent.
    ///
    /// What was noted on the way stays noted after success, with what undoes it on the stack.
    fn run(&mut self, mut at: usize, mut place: usize) -> Option<bool> {
        let base = self.stack.len();
        let program = self.program;
        loop {
            self.steps = self.steps.checked_sub(1)?;
            let goes_on = match &program.instructions[at] {
                Instruction::Found => return Some(true),
                Instruction::Unit { unit, back } => self.step(&mut place, *back, |found| found == *unit),
                Instruction::Set { set, back } => self.step(&mut place, *back, |found| set.has(found)),
                Instruction::Start => place == 0,
                Instruction::End => place == self.text.len(),
                Instruction::Boundary { negated } => {
                    let word = |index: Option<usize>| {
                        index.and_then(|index| self.text.get(index)).is_some_and(|unit| is_word(*unit))
                    };
                    (word(place.checked_sub(1)) != word(Some(place))) != *negated
                }
                Instruction::Fork { number, first, second } => {
                    let fresh = self.is_first_visit(*number, place);
                    if fresh {
                        self.stack.push(Undo::Retry { at: *second, place });
                        at = *first;
                        continue;
                    }
                    false
                }
                Instruction::Jump(to) => {
                    at = *to;
                    continue;
                }
                Instruction::Look { negated, end, forks } => {
                    let depth = self.stack.len();
                    let found = self.run(at + 1, place)?;
                    if found {
                        // What was seen inside led to success: it says nothing of another place.
                        self.forget(forks);
                        if *negated {
                            self.undo_to(depth);
                        } else {
                            self.drop_retries(depth);
                        }
                    }
                    if found != *negated {
                        at = *end;
                        continue;
                    }
                    false
                }
                Instruction::Save(slot) => {
                    self.set(*slot, Some(place));
                    true
                }
                Instruction::Reset(slots) => {
                    slots.clone().for_each(|slot| self.set(slot, None));
                    true
                }
                Instruction::Moved(slot) => self.slots[*slot] != Some(place),
                Instruction::Back { group, back } => self.again(*group, &mut place, *back),
            };
            if goes_on {
                at += 1;
                continue;
            }
            loop {
                if self.stack.len() <= base {
                    return Some(false);
                }
                match self.stack.pop() {
                    Some(Undo::Retry { at: other, place: there }) => {
                        (at, place) = (other, there);
                        break;
                    }
                    Some(Undo::Restore { slot, place }) => self.slots[slot] = place,
                    None => return Some(false),
                }
            }
        }
    }

    fn step(&self, place: &mut usize, back: bool, fits: impl Fn(u16) -> bool) -> bool {
        let index = if back { place.checked_sub(1) } else { Some(*place) };
        let Some(index) = index.filter(|index| self.text.get(*index).is_some_and(|unit| fits(*unit))) else {
            return false;
        };
        *place = if back { index } else { index + 1 };
        true
    }

    /// What a group matched, once more; a group that has not matched is the empty text.
    fn again(&mut self, group: usize, place: &mut usize, back: bool) -> bool {
        let (Some(start), Some(end)) = (self.slots[2 * group], self.slots[2 * group + 1]) else {
            return true;
        };
        let held = &self.text[start.min(end)..end];
        let (from, to) = if back {
            let Some(from) = place.checked_sub(held.len()) else { return false };
            (from, *place)
        } else {
            (*place, *place + held.len())
        };
        // Comparing is work, too.
        self.steps = self.steps.saturating_sub(held.len());
        if self.text.get(from..to) != Some(held) {
            return false;
        }
        *place = if back { from } else { to };
        true
    }

    fn is_first_visit(&mut self, fork: usize, place: usize) -> bool {
        if self.seen.is_empty() {
            return true;
        }
        let index = fork * (self.text.len() + 1) + place;
        let fresh = self.seen[index / 64] >> (index % 64) & 1 == 0;
        self.seen[index / 64] |= 1 << (index % 64);
        fresh
    }

    fn forget(&mut self, forks: &Range<usize>) {
        if !self.seen.is_empty() {
            let width = self.text.len() + 1;
            for index in forks.start * width..forks.end * width {
                self.seen[index / 64] &= !(1 << (index % 64));
            }
            self.steps = self.steps.saturating_sub(forks.len() * width / 64);
        }
    }

    fn set(&mut self, slot: usize, place: Option<usize>) {
        self.stack.push(Undo::Restore { slot, place: self.slots[slot] });
        self.slots[slot] = place;
    }

    fn undo_to(&mut self, depth: usize) {
        while self.stack.len() > depth {
            if let Some(Undo::Restore { slot, place }) = self.stack.pop() {
                self.slots[slot] = place;
            }
        }
    }

    /// What look-around matched is not tried another way; what it noted is still undone where all fails.
    fn drop_retries(&mut self, depth: usize) {
        let kept = self.stack.split_off(depth);
        self.stack.extend(kept.into_iter().filter(|undo| matches!(undo, Undo::Restore { .. })));
    }
}
