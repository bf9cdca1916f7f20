//! Parses regular expressions like JavaScript without flags: ECMAScript 2024, including Annex B.1.2.

use super::error::{MAX_NESTING, PatternError};

/// A part of an expression. Characters are UTF-16 units, as in JavaScript without the `u` flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SyntaxNode {
    Empty,
    Unit(u16),
    Set(Set),
    Start,
    End,
    Boundary {
        negated: bool,
    },
    /// A group; those without a number do not capture.
    Group {
        number: Option<usize>,
        node: Box<SyntaxNode>,
    },
    Look {
        behind: bool,
        negated: bool,
        node: Box<SyntaxNode>,
    },
    Back(usize),
    Concat(Vec<SyntaxNode>),
    Alternate(Vec<SyntaxNode>),
    Repeat {
        node: Box<SyntaxNode>,
        min: u32,
        max: Option<u32>,
        greedy: bool,
    },
}

/// A set of UTF-16 units: sorted ranges that neither overlap nor touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Set {
    ranges: Vec<(u16, u16)>,
}

const DIGITS: &[(u16, u16)] = &[(0x30, 0x39)];
/// Word characters, for `\w` and `\b`.
const WORD: &[(u16, u16)] = &[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)];
const LINE_ENDS: &[(u16, u16)] = &[(0xA, 0xA), (0xD, 0xD), (0x2028, 0x2029)];
/// `WhiteSpace` and `LineTerminator`.
const SPACE: &[(u16, u16)] = &[
    (0x9, 0xD),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
];

impl Set {
    /// Sorts and joins ranges; if `negated`, returns the set of all other units.
    pub(crate) fn new(mut ranges: Vec<(u16, u16)>, negated: bool) -> Set {
        ranges.sort_unstable();
        let mut joined: Vec<(u16, u16)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            match joined.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => joined.push((low, high)),
            }
        }
        Set { ranges: if negated { complement(&joined) } else { joined } }
    }

    pub(crate) fn contains(&self, unit: u16) -> bool {
        contains(&self.ranges, unit)
    }

    pub(crate) fn only(&self) -> Option<u16> {
        match self.ranges[..] {
            [(low, high)] if low == high => Some(low),
            _ => None,
        }
    }
}

fn complement(ranges: &[(u16, u16)]) -> Vec<(u16, u16)> {
    let mut others = Vec::with_capacity(ranges.len() + 1);
    let mut next = Some(0);
    for (low, high) in ranges {
        if let Some(start) = next.filter(|start| start < low) {
            others.push((start, low - 1));
        }
        next = high.checked_add(1);
    }
    others.extend(next.map(|start| (start, u16::MAX)));
    others
}

fn contains(ranges: &[(u16, u16)], unit: u16) -> bool {
    ranges.iter().any(|(low, high)| (*low..=*high).contains(&unit))
}

pub(crate) fn is_word(unit: u16) -> bool {
    contains(WORD, unit)
}

/// A parsed expression.
pub(crate) struct Syntax {
    pub(crate) node: SyntaxNode,
    pub(crate) groups: usize,
    /// Whether a part refers back to a group.
    pub(crate) has_back: bool,
}

pub(crate) fn parse(source: &str) -> Result<Syntax, PatternError> {
    let mut units = Vec::with_capacity(source.len());
    let mut places = Vec::with_capacity(source.len() + 1);
    for (at, c) in source.char_indices() {
        let mut buffer = [0; 2];
        for unit in c.encode_utf16(&mut buffer) {
            units.push(*unit);
            places.push(at);
        }
    }
    places.push(source.len());
    let (groups, names) = groups_of(&units, source, &places)?;
    let mut parser = Parser { units, places, at: 0, nesting: 0, opened: 0, groups, names, has_back: false };
    let node = parser.disjunction()?;
    if parser.at < parser.units.len() {
        return Err(parser.error(parser.at, "unmatched `)`"));
    }
    Ok(Syntax { node, groups: parser.groups, has_back: parser.has_back })
}

/// Counts the numbered groups and collects their names: the meaning of `\1` and `\k` depends on later groups.
fn groups_of(
    units: &[u16],
    source: &str,
    places: &[usize],
) -> Result<(usize, Vec<(String, usize)>), PatternError> {
    let (mut groups, mut names, mut in_class, mut at) = (0, Vec::<(String, usize)>::new(), false, 0);
    while at < units.len() {
        let rest = &units[at..];
        match char_of(rest[0]) {
            '\\' => at += 1,
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if in_class => {}
            '(' if !starts(rest, "(?") => groups += 1,
            '(' if starts(rest, "(?<") && !starts(rest, "(?<=") && !starts(rest, "(?<!") => {
                groups += 1;
                let start = at + 3;
                let length = units[start..].iter().position(|unit| char_of(*unit) == '>').unwrap_or(0);
                let name = &source[places[start]..places[start + length]];
                let error = |reason| PatternError::Syntax { at: places[start], reason };
                if !is_name(name) {
                    return Err(error("expected the name of a group and `>`"));
                }
                if names.iter().any(|(known, _)| known == name) {
                    return Err(error("duplicate group name"));
                }
                names.push((name.to_owned(), groups));
            }
            _ => {}
        }
        at += 1;
    }
    Ok((groups, names))
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    let start = |c: char| c.is_alphabetic() || matches!(c, '$' | '_');
    chars.next().is_some_and(start) && chars.all(|c| start(c) || c.is_alphanumeric())
}

/// Converts a unit to a character; half a surrogate pair becomes one without a meaning in expressions.
fn char_of(unit: u16) -> char {
    char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn starts(units: &[u16], text: &str) -> bool {
    units.len() >= text.len() && text.bytes().zip(units).all(|(byte, unit)| u16::from(byte) == *unit)
}

struct Parser {
    units: Vec<u16>,
    /// Position of each unit, in bytes, and at last the end of the text.
    places: Vec<usize>,
    at: usize,
    nesting: usize,
    opened: usize,
    groups: usize,
    names: Vec<(String, usize)>,
    has_back: bool,
}

enum Atom {
    Unit(u16),
    Class(Vec<(u16, u16)>),
}

impl Parser {
    fn error(&self, unit: usize, reason: &'static str) -> PatternError {
        PatternError::Syntax { at: self.places[unit.min(self.units.len())], reason }
    }

    fn peek(&self) -> Option<char> {
        self.units.get(self.at).map(|unit| char_of(*unit))
    }

    fn take(&mut self, text: &str) -> bool {
        let found = starts(&self.units[self.at..], text);
        if found {
            self.at += text.len();
        }
        found
    }

    fn disjunction(&mut self) -> Result<SyntaxNode, PatternError> {
        let mut branches = vec![self.alternative()?];
        while self.take("|") {
            branches.push(self.alternative()?);
        }
        let only = if branches.len() == 1 { branches.pop() } else { None };
        Ok(only.unwrap_or(SyntaxNode::Alternate(branches)))
    }

    fn alternative(&mut self) -> Result<SyntaxNode, PatternError> {
        let mut terms = Vec::new();
        while let Some(c) = self.peek() {
            if matches!(c, '|' | ')') {
                break;
            }
            terms.push(self.term(c)?);
        }
        Ok(match terms.len() {
            0 => SyntaxNode::Empty,
            1 => terms.remove(0),
            _ => SyntaxNode::Concat(terms),
        })
    }

    fn term(&mut self, c: char) -> Result<SyntaxNode, PatternError> {
        let start = self.at;
        let (node, can_repeat) = match c {
            '^' => {
                self.at += 1;
                (SyntaxNode::Start, false)
            }
            '$' => {
                self.at += 1;
                (SyntaxNode::End, false)
            }
            '(' => self.group()?,
            '[' => {
                self.at += 1;
                (self.class(start)?, true)
            }
            '.' => {
                self.at += 1;
                (SyntaxNode::Set(Set::new(LINE_ENDS.to_vec(), true)), true)
            }
            '\\' => self.escape()?,
            '*' | '+' | '?' => return Err(self.error(start, "nothing to repeat")),
            // A brace that does not start a quantifier is a character.
            '{' if self.quantifier()?.is_some() => return Err(self.error(start, "nothing to repeat")),
            _ => {
                let unit = self.units[start];
                self.at += 1;
                (SyntaxNode::Unit(unit), true)
            }
        };
        let before = self.at;
        let Some((min, max)) = self.quantifier()? else { return Ok(node) };
        if !can_repeat {
            return Err(self.error(before, "nothing to repeat"));
        }
        let greedy = !self.take("?");
        Ok(SyntaxNode::Repeat { node: Box::new(node), min, max, greedy })
    }

    /// Reads `*`, `+`, `?`, `{2}`, `{2,}` or `{2,3}`, if there is one.
    fn quantifier(&mut self) -> Result<Option<(u32, Option<u32>)>, PatternError> {
        let start = self.at;
        for (sign, min, max) in [("*", 0, None), ("+", 1, None), ("?", 0, Some(1))] {
            if self.take(sign) {
                return Ok(Some((min, max)));
            }
        }
        if !self.take("{") {
            return Ok(None);
        }
        let min = self.number();
        let max = if self.take(",") { Some(self.number()) } else { None };
        match (min, max) {
            (Some(min), max) if self.take("}") => {
                let max = max.unwrap_or(Some(min));
                if max.is_some_and(|max| max < min) {
                    return Err(self.error(start, "numbers of the quantifier out of order"));
                }
                Ok(Some((min, max)))
            }
            _ => {
                self.at = start;
                Ok(None)
            }
        }
    }

    fn number(&mut self) -> Option<u32> {
        let start = self.at;
        let mut number: u32 = 0;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            number = number.saturating_mul(10).saturating_add(digit);
            self.at += 1;
        }
        (self.at > start).then_some(number)
    }

    /// Reads a group or look-around; returns it and whether it can be repeated.
    fn group(&mut self) -> Result<(SyntaxNode, bool), PatternError> {
        let start = self.at;
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(PatternError::TooDeep { at: self.places[start] });
        }
        // Look-ahead can be repeated, by Annex B; look-behind cannot.
        let look = [("(?=", false, false), ("(?!", false, true), ("(?<=", true, false), ("(?<!", true, true)];
        let look = look.into_iter().find(|(sign, ..)| self.take(sign));
        let mut number = None;
        if look.is_none() && !self.take("(?:") {
            if self.take("(?<") {
                // `groups_of` has checked the name.
                while self.peek().is_some_and(|c| c != '>') {
                    self.at += 1;
                }
                self.at += 1;
            } else if starts(&self.units[start..], "(?") {
                return Err(self.error(start + 2, "expected `:`, `=`, `!` or `<` after `(?`"));
            } else {
                self.at += 1;
            }
            self.opened += 1;
            number = Some(self.opened);
        }
        let node = Box::new(self.disjunction()?);
        if !self.take(")") {
            return Err(self.error(start, "unclosed `(`"));
        }
        self.nesting -= 1;
        Ok(match look {
            Some((_, behind, negated)) => (SyntaxNode::Look { behind, negated, node }, !behind),
            None => (SyntaxNode::Group { number, node }, true),
        })
    }

    fn escape(&mut self) -> Result<(SyntaxNode, bool), PatternError> {
        let start = self.at;
        self.at += 1;
        let Some(c) = self.peek() else { return Err(self.error(start, "nothing after `\\`")) };
        match c {
            'b' | 'B' => {
                self.at += 1;
                return Ok((SyntaxNode::Boundary { negated: c == 'B' }, false));
            }
            'k' if !self.names.is_empty() => {
                self.at += 1;
                return Ok((self.named_back(start)?, true));
            }
            '1'..='9' => {
                // Without such a group, it is an octal escape or a plain digit.
                let digits = self.at;
                let number = self.number().map_or(usize::MAX, |number| number as usize);
                if number <= self.groups {
                    self.has_back = true;
                    return Ok((SyntaxNode::Back(number), true));
                }
                self.at = digits;
            }
            _ => {}
        }
        Ok(match self.character_escape(false)? {
            Atom::Unit(unit) => (SyntaxNode::Unit(unit), true),
            Atom::Class(ranges) => (SyntaxNode::Set(Set::new(ranges, false)), true),
        })
    }

    fn named_back(&mut self, start: usize) -> Result<SyntaxNode, PatternError> {
        let open = self.take("<");
        let length = self.units[self.at..].iter().position(|unit| char_of(*unit) == '>').filter(|_| open);
        let Some(length) = length else { return Err(self.error(start, "expected a group name after `\\k`")) };
        let name = String::from_utf16_lossy(&self.units[self.at..self.at + length]);
        let number = self.names.iter().find(|(known, _)| *known == name).map(|(_, number)| *number);
        let Some(number) = number else { return Err(self.error(start, "unknown group name")) };
        self.at += length + 1;
        self.has_back = true;
        Ok(SyntaxNode::Back(number))
    }

    /// Reads what follows a `\`. Some escapes have a different meaning in classes.
    fn character_escape(&mut self, in_class: bool) -> Result<Atom, PatternError> {
        let start = self.at;
        let Some(c) = self.peek() else {
            return Err(self.error(start.saturating_sub(1), "nothing after `\\`"));
        };
        let unit = self.units[start];
        self.at += 1;
        let class = |ranges: &[(u16, u16)], negated| {
            Atom::Class(if negated { complement(ranges) } else { ranges.to_vec() })
        };
        Ok(match c {
            'd' | 'D' => class(DIGITS, c == 'D'),
            'w' | 'W' => class(WORD, c == 'W'),
            's' | 'S' => class(SPACE, c == 'S'),
            'f' => Atom::Unit(0xC),
            'n' => Atom::Unit(0xA),
            'r' => Atom::Unit(0xD),
            't' => Atom::Unit(0x9),
            'v' => Atom::Unit(0xB),
            'b' if in_class => Atom::Unit(0x8),
            'c' => {
                let control = self
                    .peek()
                    .filter(|c| c.is_ascii_alphabetic() || in_class && (c.is_ascii_digit() || *c == '_'));
                if control.is_some() {
                    self.at += 1;
                    Atom::Unit(self.units[self.at - 1] % 32)
                } else {
                    // The backslash is a character, and the `c` is next.
                    self.at = start;
                    Atom::Unit(u16::from(b'\\'))
                }
            }
            'x' => Atom::Unit(self.hexadecimal(2).unwrap_or(unit)),
            'u' => Atom::Unit(self.hexadecimal(4).unwrap_or(unit)),
            '0'..='7' => {
                self.at = start;
                Atom::Unit(self.octal())
            }
            'k' if !self.names.is_empty() => {
                return Err(self.error(start - 1, "expected a group name after `\\k`"));
            }
            _ => Atom::Unit(unit),
        })
    }

    /// Reads exactly `digits` hexadecimal digits, or nothing.
    fn hexadecimal(&mut self, digits: usize) -> Option<u16> {
        let units = self.units.get(self.at..self.at + digits)?;
        let mut value = 0;
        for unit in units {
            value = value * 16 + char_of(*unit).to_digit(16)?;
        }
        self.at += digits;
        u16::try_from(value).ok()
    }

    fn octal(&mut self) -> u16 {
        let mut value = 0;
        let start = self.at;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(8)) {
            let larger = value * 8 + digit;
            if larger > 0o377 || self.at - start == 3 {
                break;
            }
            value = larger;
            self.at += 1;
        }
        u16::try_from(value).unwrap_or_default()
    }

    fn class(&mut self, start: usize) -> Result<SyntaxNode, PatternError> {
        let negated = self.take("^");
        let mut ranges = Vec::new();
        let mut add = |atom: Atom| match atom {
            Atom::Unit(unit) => ranges.push((unit, unit)),
            Atom::Class(class) => ranges.extend(class),
        };
        loop {
            let place = self.at;
            let Some(low) = self.class_atom(start)? else { break };
            let dash = starts(&self.units[self.at..], "-") && !starts(&self.units[self.at..], "-]");
            if !dash || self.at + 1 >= self.units.len() {
                add(low);
                continue;
            }
            self.at += 1;
            let Some(high) = self.class_atom(start)? else { break };
            match (low, high) {
                (Atom::Unit(low), Atom::Unit(high)) if low <= high => add(Atom::Class(vec![(low, high)])),
                (Atom::Unit(_), Atom::Unit(_)) => {
                    return Err(self.error(place, "ends of the range out of order"));
                }
                // In Annex B, a class at either end makes the dash a character.
                (low, high) => {
                    add(low);
                    add(Atom::Unit(u16::from(b'-')));
                    add(high);
                }
            }
        }
        Ok(SyntaxNode::Set(Set::new(ranges, negated)))
    }

    /// Reads one character of the class that starts at `start`; returns `None` after its closing bracket.
    fn class_atom(&mut self, start: usize) -> Result<Option<Atom>, PatternError> {
        let Some(c) = self.peek() else { return Err(self.error(start, "unclosed `[`")) };
        self.at += 1;
        Ok(match c {
            ']' => None,
            '\\' => Some(self.character_escape(true)?),
            _ => Some(Atom::Unit(self.units[self.at - 1])),
        })
    }
}
