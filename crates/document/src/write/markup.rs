//! Markup: elements and texts before they are printed, and the only escaper of HTML and XML.
//!
//! Removed parts, such as an advertisement or the title, leave elements behind that show nothing. Whether an element shows
//! something is known only at its end, so a writer collects a whole page first. [`Markup::print`] then leaves such elements out.

use super::elements::{VOID, is_math, is_part_of_text};
use std::ops::Range;
use tsugi_page::escaped;
use tsugi_page::text::without_controls;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    Html,
    Xml,
}

#[derive(Debug, Default)]
pub(super) struct Markup {
    tokens: Vec<MarkupToken>,
    texts: String,
    open: Vec<usize>,
}

#[derive(Debug)]
enum MarkupToken {
    Start(StartTag),
    End,
    Text(Range<usize>),
    /// A space, unless there is white space before it.
    Gap,
    /// A new line, unless it would be the first.
    Break,
}

#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about an element")]
struct StartTag {
    tag: &'static str,
    attributes: Vec<(&'static str, String)>,
    is_void: bool,
    is_block: bool,
    shows: bool,
    has_lines: bool,
    end: usize,
}

impl Markup {
    /// Starts an element. Void elements have no end. `shows` keeps it even if it turns out empty.
    pub(super) fn start(&mut self, tag: &'static str, attributes: Vec<(&'static str, String)>, shows: bool) {
        let (is_void, is_block) = (VOID.contains(&tag), !is_part_of_text(tag));
        let shows = shows || is_void || is_math(tag);
        if shows {
            self.mark_open(|open| &mut open.shows);
        }
        if is_block {
            self.mark_open(|open| &mut open.has_lines);
        }
        let at = self.tokens.len();
        let start = StartTag { tag, attributes, is_void, is_block, shows, has_lines: false, end: at };
        self.tokens.push(MarkupToken::Start(start));
        if !is_void {
            self.open.push(at);
        }
    }

    pub(super) fn end(&mut self) {
        let end = self.tokens.len();
        if let Some(MarkupToken::Start(start)) = self.open.pop().and_then(|at| self.tokens.get_mut(at)) {
            start.end = end;
            self.tokens.push(MarkupToken::End);
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.mark_open(|open| &mut open.shows);
        }
        let from = self.texts.len();
        self.texts.push_str(text);
        self.tokens.push(MarkupToken::Text(from..self.texts.len()));
    }

    pub(super) fn gap(&mut self) {
        self.tokens.push(MarkupToken::Gap);
    }

    pub(super) fn line_break(&mut self) {
        self.tokens.push(MarkupToken::Break);
    }

    /// Sets a mark of all open elements. If an element has it, so do those around it, so each is set once.
    fn mark_open(&mut self, mark: impl Fn(&mut StartTag) -> &mut bool) {
        for at in self.open.iter().rev() {
            if let Some(MarkupToken::Start(start)) = self.tokens.get_mut(*at)
                && std::mem::replace(mark(start), true)
            {
                break;
            }
        }
    }

    /// Returns the markup without the elements that show nothing. Of those within a line the white space stays.
    pub(super) fn print(&self, syntax: Syntax) -> String {
        let mut out = String::with_capacity(2 * self.texts.len());
        let mut open: Vec<Option<&StartTag>> = Vec::new();
        // Whether the open line shows something. An empty block then parts it from the next line, and stays.
        let mut in_line = false;
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            at += 1;
            match token {
                MarkupToken::Text(text) => {
                    let text = &self.texts[text.clone()];
                    push_text(&mut out, text, syntax);
                    in_line = in_line || !text.trim().is_empty();
                }
                MarkupToken::Gap if out.ends_with([' ', '\n']) => {}
                MarkupToken::Gap => out.push(' '),
                MarkupToken::Break if out.is_empty() => {}
                MarkupToken::Break => out.push('\n'),
                MarkupToken::Start(start) => {
                    let stays = start.shows || (in_line && (start.is_block || start.has_lines));
                    if stays {
                        start.print(&mut out, syntax);
                        in_line = !start.is_block && (in_line || start.is_void || is_math(start.tag));
                    } else if start.is_block {
                        at = start.end + 1;
                        continue;
                    }
                    if !start.is_void {
                        open.push(stays.then_some(start));
                    }
                }
                MarkupToken::End => {
                    if let Some(start) = open.pop().flatten() {
                        out.push_str("</");
                        out.push_str(start.tag);
                        out.push('>');
                        in_line &= !start.is_block;
                    }
                }
            }
        }
        out
    }
}

impl StartTag {
    fn print(&self, out: &mut String, syntax: Syntax) {
        out.push('<');
        out.push_str(self.tag);
        if syntax == Syntax::Xml && self.tag == "math" {
            out.push_str(" xmlns=\"http://www.w3.org/1998/Math/MathML\"");
        }
        for (name, value) in &self.attributes {
            push_attribute(out, name, value, syntax);
        }
        out.push_str(if syntax == Syntax::Xml && self.is_void { "/>" } else { ">" });
    }
}

pub(super) fn push_attribute(out: &mut String, name: &str, value: &str, syntax: Syntax) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    push_text(out, value, syntax);
    out.push('"');
}

pub(super) fn push_text(out: &mut String, text: &str, syntax: Syntax) {
    let text = without_controls(text);
    // Most texts need no escapes. The last two bytes begin the non-breaking space and the characters that XML excludes.
    if !text.bytes().any(|byte| matches!(byte, b'&' | b'<' | b'>' | b'"' | 0xc2 | 0xef)) {
        return out.push_str(&text);
    }
    let escaped = escaped(&text);
    match syntax {
        Syntax::Html => out.push_str(&escaped),
        // XML has no `&nbsp;`, and excludes two characters.
        Syntax::Xml => {
            let escaped = escaped.replace("&nbsp;", "&#160;").replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
            out.push_str(&escaped);
        }
    }
}
