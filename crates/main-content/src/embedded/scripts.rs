//! Finds the JSON values of a page: in data scripts, in assignments of other scripts, and in attributes.

use serde_json::{Deserializer, Value};
use std::fmt::Write as _;
use tsugi_page::{Attr, NodeId, Page, Tag};

const MOST_BYTES: usize = 8 << 20; // Maximum number of bytes of JSON read per page.
/// Maximum number of values per JSON text, estimated from its punctuation. A value takes about thirty bytes.
const MOST_SIGNS: usize = 1 << 20;
const LEAST_BYTES: usize = 300; // Minimum number of bytes of a value that may contain an article.
const MOST_TRIES: usize = 200; // Maximum number of assignments tried per page.
const LONGEST_NAME: usize = 80; // Maximum distance between a name and its `=`, in bytes.
/// Maximum number of values built from numeric references, and their maximum depth.
const MOST_MADE: usize = 1 << 18;
const DEEPEST: usize = 100;

pub(super) fn visit(page: &Page, mut visit: impl FnMut(&Value, bool)) {
    let mut reader =
        ScriptReader { left: MOST_BYTES, tries: MOST_TRIES, chunks: String::new(), visit: &mut visit };
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
    left: usize,
    tries: usize,
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
            let text = text.trim_start_matches("<!--").trim_end_matches("-->");
            let refers = page.value(id, Attr::Id) == Some("__NUXT_DATA__");
            if let Some((value, _)) = self.value(text) {
                let made = if refers { referred(&value) } else { None };
                (self.visit)(made.as_ref().unwrap_or(&value), kind.contains("ld+json"));
            }
        } else if kind.is_empty() || kind.contains("javascript") || kind == "module" {
            self.code(text);
        }
    }

    fn attributes(&mut self, page: &Page, id: NodeId) {
        for (name, value) in page.attributes(id) {
            let may_hold =
                value.len() >= LEAST_BYTES && name.starts_with("data-") && value.starts_with(['{', '[']);
            if may_hold && let Some((value, _)) = self.value(value) {
                (self.visit)(&value, false);
            }
        }
    }

    /// Parses the value at the start of a text; also returns its length.
    fn value(&mut self, text: &str) -> Option<(Value, usize)> {
        let text = &text[..text.floor_char_boundary(self.left)];
        let signs = text.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
        if signs > MOST_SIGNS {
            return None;
        }
        let mut stream = Deserializer::from_str(text).into_iter::<Value>();
        let value = stream.next()?.ok();
        let read = stream.byte_offset();
        self.left -= read.min(self.left);
        value.map(|value| (value, read))
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
            let value = code[at..].trim_start();
            let begins = code.len() - value.len();
            let (read, value) = if value.starts_with(['{', '[']) {
                let Some(read) = self.tried(value) else { continue };
                (read.1, read.0)
            } else if let Some(call) = value.strip_prefix("JSON.parse(") {
                let Some((text, length)) = string_literal(call.trim_start()) else { continue };
                let Some((value, _)) = self.tried(&text) else { continue };
                (length, value)
            } else {
                continue;
            };
            at = code.ceil_char_boundary((begins + read).min(code.len()));
            (self.visit)(&value, false);
        }
    }

    fn tried(&mut self, text: &str) -> Option<(Value, usize)> {
        self.tries = self.tries.checked_sub(1)?;
        self.value(text)
    }

    /// Collects `self.__next_f.push([1,"…"])`.
    fn pushes(&mut self, code: &str) {
        const PUSH: &str = "__next_f.push(";
        for (at, _) in code.match_indices(PUSH) {
            if let Some((Value::Array(list), _)) = self.value(&code[at + PUSH.len()..])
                && let Some(Value::String(chunk)) = list.get(1)
            {
                self.chunks.push_str(chunk);
            }
        }
    }

    /// Reads the rows of React's server components: `5:{…}`, and `5:T1a4,` with a text of that many bytes.
    fn rows(&mut self, chunks: &str) {
        let mut rest = chunks;
        while let Some((name, row)) = rest.split_once(':') {
            if name.len() > 16 {
                // Not a row: continue with the next line.
                let Some((_, next)) = rest.split_once('\n') else { return };
                rest = next;
                continue;
            }
            let text = row.strip_prefix('T').and_then(|row| row.split_once(','));
            let length = text.and_then(|(length, _)| usize::from_str_radix(length, 16).ok());
            if let (Some((_, text)), Some(length)) = (text, length) {
                let (text, next) = text.split_at(text.floor_char_boundary(length));
                (self.visit)(&Value::String(text.to_owned()), false);
                rest = next;
                continue;
            }
            let (line, next) = row.split_once('\n').unwrap_or((row, ""));
            if line.len() >= LEAST_BYTES
                && let Some((value, _)) = self.value(line)
            {
                (self.visit)(&value, false);
            }
            rest = next;
        }
    }
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
fn referred(value: &Value) -> Option<Value> {
    let list = value.as_array()?;
    let mut left = MOST_MADE;
    made(list, 0, 0, &mut left)
}

fn made(list: &[Value], at: usize, depth: usize, left: &mut usize) -> Option<Value> {
    *left = left.checked_sub(1)?;
    if depth > DEEPEST {
        return None;
    }
    let mut follow = |value: &Value| index_of(value).and_then(|at| made(list, at, depth + 1, left));
    Some(match list.get(at)? {
        // `["Reactive", 1]`: a wrapper with a name.
        Value::Array(items) if items.first().is_some_and(Value::is_string) => follow(items.get(1)?)?,
        Value::Array(items) => Value::Array(items.iter().filter_map(follow).collect()),
        Value::Object(fields) => Value::Object(
            fields.iter().filter_map(|(key, value)| Some((key.clone(), follow(value)?))).collect(),
        ),
        other => other.clone(),
    })
}

fn index_of(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|at| usize::try_from(at).ok())
}
