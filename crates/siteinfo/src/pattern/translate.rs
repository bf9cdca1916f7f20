//! Translates expressions to the syntax of `fancy-regex`, which runs them.
//!
//! `fancy-regex` delegates what it can to `regex`, which takes linear time. Look-around and back-references use its own
//! backtracking, with a limit on steps.

use super::error::PatternError;
use super::syntax::{Set, SyntaxNode, WORD, is_word};
use fancy_regex::{Regex, RegexBuilder};
use std::fmt::Write;

/// Most backtracking steps of a match; only look-around and back-references backtrack.
const BACKTRACK_LIMIT: usize = 100_000;
/// Largest compiled program, in bytes.
const SIZE_LIMIT: usize = 1 << 20;
/// Most parts of an expression with its repetitions expanded.
const MAX_PARTS: u64 = 4 * 1024;
const NOTHING: &str = r"[^\s\S]";

#[derive(Debug)]
pub(crate) struct Translated {
    source: String,
    pub(crate) is_fancy: bool,
    pub(crate) parts: u64,
    pub(crate) nesting: usize,
}

impl Translated {
    pub(crate) fn new(node: &SyntaxNode, has_back: bool) -> Result<Translated, PatternError> {
        let parts = parts(node);
        if parts > MAX_PARTS {
            return Err(PatternError::TooLarge);
        }
        let mut writer =
            RegexWriter { out: String::new(), open: Vec::new(), keeps: has_back, is_fancy: has_back };
        writer.node(node);
        Ok(Translated { source: writer.out, is_fancy: writer.is_fancy, parts, nesting: nesting(node) })
    }

    pub(crate) fn compile(&self) -> Result<Regex, Box<fancy_regex::Error>> {
        let mut builder = RegexBuilder::new(&self.source);
        Ok(builder.backtrack_limit(BACKTRACK_LIMIT).delegate_size_limit(SIZE_LIMIT).build()?)
    }
}

fn parts(node: &SyntaxNode) -> u64 {
    match node {
        SyntaxNode::Group { node, .. } | SyntaxNode::Look { node, .. } => parts(node).saturating_add(1),
        SyntaxNode::Concat(nodes) | SyntaxNode::Alternate(nodes) => {
            nodes.iter().map(parts).fold(1, u64::saturating_add)
        }
        SyntaxNode::Repeat { node, .. } if takes_nothing(node) => parts(node),
        SyntaxNode::Repeat { node, min, max, .. } => {
            let times = max.unwrap_or_else(|| min.saturating_add(1)).max(*min).max(1);
            parts(node).saturating_mul(u64::from(times)).saturating_add(1)
        }
        _ => 1,
    }
}

fn nesting(node: &SyntaxNode) -> usize {
    match node {
        SyntaxNode::Group { node, .. } | SyntaxNode::Look { node, .. } | SyntaxNode::Repeat { node, .. } => {
            nesting(node) + 1
        }
        SyntaxNode::Alternate(nodes) => nodes.iter().map(nesting).max().unwrap_or_default() + 1,
        SyntaxNode::Concat(nodes) => nodes.iter().map(nesting).max().unwrap_or_default(),
        _ => 0,
    }
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

struct RegexWriter {
    out: String,
    open: Vec<usize>,
    keeps: bool,
    is_fancy: bool,
}

impl RegexWriter {
    fn node(&mut self, node: &SyntaxNode) {
        match node {
            SyntaxNode::Empty => {}
            SyntaxNode::Unit(unit) => self.units(&[*unit]),
            SyntaxNode::Set(set) => set_source(set, &mut self.out),
            SyntaxNode::Start => self.out.push_str(r"\A"),
            SyntaxNode::End => self.out.push_str(r"\z"),
            SyntaxNode::Boundary { negated } => self.boundary(*negated),
            SyntaxNode::Group { number, node } => {
                let keeps = self.keeps && number.is_some();
                self.open.extend(number);
                self.bracketed(if keeps { "(" } else { "(?:" }, node);
                if number.is_some() {
                    self.open.pop();
                }
            }
            SyntaxNode::Look { behind, negated, node } => {
                self.is_fancy = true;
                self.bracketed(
                    match (behind, negated) {
                        (false, false) => "(?=",
                        (false, true) => "(?!",
                        (true, false) => "(?<=",
                        (true, true) => "(?<!",
                    },
                    node,
                );
            }
            // A back-reference to a group without a match yet matches the empty text.
            SyntaxNode::Back(group) if self.open.contains(group) => {}
            SyntaxNode::Back(group) => _ = write!(self.out, r"(?({group})\{group}|)"),
            SyntaxNode::Concat(nodes) => self.concat(nodes),
            SyntaxNode::Alternate(branches) => {
                self.out.push_str("(?:");
                for (at, branch) in branches.iter().enumerate() {
                    if at > 0 {
                        self.out.push('|');
                    }
                    self.node(branch);
                }
                self.out.push(')');
            }
            // If nothing is consumed, repeating makes no difference. An optional round that consumes nothing does not
            // count: its groups are written only for their numbers, and never capture.
            SyntaxNode::Repeat { node, min, .. } if takes_nothing(node) => {
                if *min == 0 {
                    _ = write!(self.out, "(?:{NOTHING}");
                    self.node(node);
                    self.out.push_str("|)");
                } else {
                    self.bracketed("(?:", node);
                }
            }
            SyntaxNode::Repeat { node, .. } if matches!(&**node, SyntaxNode::Back(group) if self.open.contains(group)) =>
                {}
            SyntaxNode::Repeat { node, min, max, greedy } => {
                self.bracketed("(?:", node);
                _ = match max {
                    Some(max) => write!(self.out, "{{{min},{max}}}"),
                    None => write!(self.out, "{{{min},}}"),
                };
                if !greedy {
                    self.out.push('?');
                }
            }
        }
    }

    fn bracketed(&mut self, open: &str, node: &SyntaxNode) {
        self.out.push_str(open);
        self.node(node);
        self.out.push(')');
    }

    /// Writes a sequence; two halves of a surrogate pair are one character.
    fn concat(&mut self, nodes: &[SyntaxNode]) {
        let mut at = 0;
        while let Some(node) = nodes.get(at) {
            match (node, nodes.get(at + 1)) {
                (SyntaxNode::Unit(high @ 0xD800..=0xDBFF), Some(SyntaxNode::Unit(low @ 0xDC00..=0xDFFF))) => {
                    self.units(&[*high, *low]);
                    at += 1;
                }
                _ => self.node(node),
            }
            at += 1;
        }
    }

    fn units(&mut self, units: &[u16]) {
        match char::decode_utf16(units.iter().copied()).next() {
            Some(Ok(c)) => push_char(c, &mut self.out),
            // Half a surrogate pair is in no text of ours.
            Some(Err(_)) | None => self.out.push_str(NOTHING),
        }
    }

    fn boundary(&mut self, negated: bool) {
        self.is_fancy = true;
        let mut word = String::new();
        set_source(&Set::new(WORD.to_vec(), false), &mut word);
        _ = if negated {
            write!(self.out, "(?:(?<={word})(?={word})|(?<!{word})(?!{word}))")
        } else {
            write!(self.out, "(?:(?<={word})(?!{word})|(?<!{word})(?={word}))")
        };
    }
}

fn push_char(c: char, out: &mut String) {
    if c.is_ascii() && is_word(c as u16) {
        out.push(c);
    } else {
        _ = write!(out, r"\x{{{:X}}}", u32::from(c));
    }
}

/// A set as a class. Units are characters; a set with all halves of surrogate pairs has all characters beyond them.
fn set_source(set: &Set, out: &mut String) {
    const HALVES: (u16, u16) = (0xD800, 0xDFFF);
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &(low, high) in set.ranges() {
        if low < HALVES.0 {
            ranges.push((low.into(), high.min(HALVES.0 - 1).into()));
        }
        if high > HALVES.1 {
            ranges.push((low.max(HALVES.1 + 1).into(), high.into()));
        }
        if low <= HALVES.0 && high >= HALVES.1 {
            ranges.push((0x1_0000, 0x10_FFFF));
        }
    }
    if ranges.is_empty() {
        out.push_str(NOTHING);
        return;
    }
    out.push('[');
    for (low, high) in ranges {
        _ = write!(out, r"\x{{{low:X}}}-\x{{{high:X}}}");
    }
    out.push(']');
}
