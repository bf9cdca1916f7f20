//! Finds the JSON values of a page: in data scripts, in assignments of other scripts, and in attributes.

use super::budget::{DataBudget, OBJECT, VALUE};
use serde_json::Value;
use std::fmt::Write as _;
use tsugi_page::{Attr, NodeId, Page, Tag};

const LEAST_BYTES: usize = 300; // Minimum number of bytes of a value that may contain an article.
const LONGEST_NAME: usize = 80; // Maximum distance between a name and its `=`, in bytes.
const DEEPEST: usize = 100; // Maximum depth of values built from numeric references.

pub(super) fn visit(page: &Page, budget: &DataBudget, mut visit: impl FnMut(&Value, bool)) {
    let mut reader = ScriptReader { budget, chunks: String::new(), visit: &mut visit };
    for id in page.elements() {
        if page.is_tag(id, Tag::Script) {
            reader.script(page, id);
        } else {
            reader.attributes(page, id);
        }
    }
    let chunks = std::mem::take(&mut reader.chunks);
    reader.rows(&chunks);
}

struct ScriptReader<'v> {
    budget: &'v DataBudget,
    /// The stream of React's server components.
    chunks: String,
    visit: &'v mut dyn FnMut(&Value, bool),
}

impl ScriptReader<'_> {
    fn script(&mut self, page: &Page, id: NodeId) {
        let text = page.string_value(id).trim();
        if text.len() < LEAST_BYTES {
            return;
        }
        let kind = page.value(id, Attr::Type).unwrap_or_default().to_ascii_lowercase();
        if kind.contains("json") {
            self.budget.allow(text.len());
            let text = text.trim_start_matches("<!--").trim_end_matches("-->");
            let refers = page.value(id, Attr::Id) == Some("__NUXT_DATA__");
            if let Some((value, _)) = value(text, self.budget) {
                let made = if refers { referred(&value, self.budget) } else { None };
                (self.visit)(made.as_ref().unwrap_or(&value), kind.contains("ld+json"));
            }
        } else if kind.is_empty() || kind.contains("javascript") || kind == "module" {
            self.budget.allow(text.len());
            self.code(text);
        }
    }

    fn attributes(&mut self, page: &Page, id: NodeId) {
        for (name, text) in page.attributes(id) {
            let may_hold =
                text.len() >= LEAST_BYTES && name.starts_with("data-") && text.starts_with(['{', '[']);
            if may_hold {
                self.budget.allow(text.len());
                if let Some((value, _)) = value(text, self.budget) {
                    (self.visit)(&value, false);
                }
            }
        }
    }

    /// Reads the values assigned to names in a script: `window.a = {…}`, `var a = JSON.parse("…")`.
    fn code(&mut self, code: &str) {
        self.pushes(code);
        let mut at = 0;
        while let Some(found) = code[at..].find('=') {
            let sign = at + found;
            at = sign + 1;
            if !is_assignment(&code[..sign]) {
                continue;
            }
            let assigned = code[at..].trim_start();
            let begins = code.len() - assigned.len();
            let (value, read) = if assigned.starts_with(['{', '[']) {
                let Some(read) = value(assigned, self.budget) else { continue };
                read
            } else if let Some(call) = assigned.strip_prefix("JSON.parse(") {
                let Some((text, length)) = string_literal(call.trim_start()) else { continue };
                let Some((value, _)) = value(&text, self.budget) else { continue };
                (value, length)
            } else {
                continue;
            };
            at = code.ceil_char_boundary((begins + read).min(code.len()));
            (self.visit)(&value, false);
        }
    }

    /// Collects `self.__next_f.push([1,"…"])`.
    fn pushes(&mut self, code: &str) {
        const PUSH: &str = "__next_f.push(";
        for (at, _) in code.match_indices(PUSH) {
            if let Some((Value::Array(list), _)) = value(&code[at + PUSH.len()..], self.budget)
                && let Some(Value::String(chunk)) = list.get(1)
            {
                self.chunks.push_str(chunk);
            }
        }
    }

    /// Reads the rows of React's server components: `5:{…}`, and `5:T1a4,` with a text of that many bytes.
    fn rows(&mut self, chunks: &str) {
        let mut rest = chunks;
        while !rest.is_empty() {
            let Some((_, row)) = split_near(rest, ':') else {
                // Not a row: continue with the next line.
                let Some((_, next)) = rest.split_once('\n') else { return };
                rest = next;
                continue;
            };
            let text = row.strip_prefix('T').and_then(|row| split_near(row, ','));
            let length = text.and_then(|(length, _)| usize::from_str_radix(length, 16).ok());
            if let (Some((_, text)), Some(length)) = (text, length) {
                let (text, next) = text.split_at(text.floor_char_boundary(length));
                (self.visit)(&Value::String(text.to_owned()), false);
                rest = next;
                continue;
            }
            let (line, next) = row.split_once('\n').unwrap_or((row, ""));
            if line.len() >= LEAST_BYTES
                && let Some((value, _)) = value(line, self.budget)
            {
                (self.visit)(&value, false);
            }
            rest = next;
        }
    }
}

/// Splits a text at a sign that follows a short name or number.
fn split_near(text: &str, sign: char) -> Option<(&str, &str)> {
    const NEAR: usize = 16;
    let at = text[..text.floor_char_boundary(NEAR + 1)].find(sign)?;
    Some((&text[..at], &text[at + sign.len_utf8()..]))
}

/// Parses the object, list or string at the start of a text; also returns its length.
pub(super) fn value(text: &str, budget: &DataBudget) -> Option<(Value, usize)> {
    let Extent { length, read, cost } = extent(text);
    if !budget.pay(read) {
        return None;
    }
    let length = length.filter(|_| budget.pay(cost))?;
    serde_json::from_str(&text[..length]).ok().map(|value| (value, length))
}

/// Where the value at the start of a text ends.
struct Extent {
    /// Its length in bytes; `None` if it is no JSON.
    length: Option<usize>,
    /// How many bytes say so.
    read: usize,
    /// The memory that the parsed value takes, in bytes, roughly.
    cost: usize,
}

/// Finds the end of a value without parsing it. Most scripts are no JSON, and end at their first name.
fn extent(text: &str) -> Extent {
    let (mut depth, mut cost) = (0_usize, 0);
    let (mut in_string, mut is_escaped, mut begins_object) = (false, false, false);
    for (at, byte) in text.bytes().enumerate() {
        let ends = |length| Extent { length, read: at + 1, cost };
        if in_string {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => {
                    in_string = false;
                    if depth == 0 {
                        return ends(Some(at + 1));
                    }
                }
                0..0x20 => return ends(None),
                _ => {}
            }
            continue;
        }
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => continue,
            b'"' => in_string = true,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return ends((at > 0).then_some(at + 1));
                }
            }
            // The name of a field has quotes.
            _ if begins_object => return ends(None),
            b'{' | b'[' => {
                depth += 1;
                cost += VALUE + if byte == b'{' { OBJECT } else { 0 };
            }
            b',' => cost += VALUE,
            // Numbers, `true`, `false` and `null`.
            b':'
            | b'0'..=b'9'
            | b'+'
            | b'-'
            | b'.'
            | b'E'
            | b'a'
            | b'e'
            | b'f'
            | b'l'
            | b'n'
            | b'r'
            | b's'
            | b't'
            | b'u'
                if depth > 0 => {}
            _ => return ends(None),
        }
        begins_object = byte == b'{';
    }
    Extent { length: None, read: text.len(), cost }
}

fn is_assignment(before: &str) -> bool {
    let before = before.trim_end();
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(LONGEST_NAME))..];
    let (head, name) =
        near.split_at(near.rfind(|c| !is_name_character(c)).map_or(0, |at| near.ceil_char_boundary(at + 1)));
    let is_global = ["window", "self.", "globalThis", "this."].iter().any(|global| name.starts_with(global));
    let declares = ["var", "let", "const"].iter().any(|word| head.trim_end().ends_with(word));
    !name.is_empty() && (is_global || declares || name.contains("__"))
}

fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '[' | ']' | '"' | '\'')
}

/// Parses a JavaScript string; returns its value, and its length with quotes.
fn string_literal(code: &str) -> Option<(String, usize)> {
    let quote = code.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let mut text = String::new();
    let mut characters = code.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            _ if c == quote => return Some((text, at + 1)),
            '\\' => {
                let (_, escape) = characters.next()?;
                let mut hex = |digits: usize| {
                    let digits: String = characters.by_ref().take(digits).map(|(_, c)| c).collect();
                    u32::from_str_radix(&digits, 16).ok()
                };
                match escape {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    'r' => text.push('\r'),
                    'x' => text.push(char::from_u32(hex(2)?)?),
                    'u' => match hex(4)? {
                        // The rest is valid JSON, including surrogate pairs.
                        unit @ 0xd800..=0xdfff => {
                            let _ = write!(text, "\\u{unit:04x}");
                        }
                        unit => text.push(char::from_u32(unit)?),
                    },
                    '\n' => {}
                    other => text.push(other),
                }
            }
            _ => text.push(c),
        }
    }
    None
}

/// Resolves a list of values that refer to each other by index, as Nuxt writes them (`devalue`).
fn referred(value: &Value, budget: &DataBudget) -> Option<Value> {
    // A value that lacks parts is none.
    made(value.as_array()?, 0, 0, budget).filter(|_| !budget.is_spent())
}

fn made(list: &[Value], at: usize, depth: usize, budget: &DataBudget) -> Option<Value> {
    if depth > DEEPEST || !budget.pay(VALUE) {
        return None;
    }
    let follow = |value: &Value| index_of(value).and_then(|at| made(list, at, depth + 1, budget));
    Some(match list.get(at)? {
        // `["Reactive", 1]`: a wrapper with a name.
        Value::Array(items) if items.first().is_some_and(Value::is_string) => follow(items.get(1)?)?,
        Value::Array(items) => Value::Array(items.iter().filter_map(follow).collect()),
        Value::Object(fields) if budget.pay(OBJECT) => {
            let paid = fields.iter().take_while(|(key, _)| budget.pay_text(key));
            Value::Object(paid.filter_map(|(key, value)| Some((key.clone(), follow(value)?))).collect())
        }
        Value::String(text) if budget.pay_text(text) => Value::String(text.clone()),
        Value::Object(_) | Value::String(_) => return None,
        other => other.clone(),
    })
}

fn index_of(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|at| usize::try_from(at).ok())
}
