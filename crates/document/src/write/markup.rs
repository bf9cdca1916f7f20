//! Markup: elements and texts before they are printed, and the only escaper of HTML and XML.
//!
//! Removed parts, such as an advertisement or the title, leave elements behind that show nothing. Whether an element shows
//! something is known only at its end, so a writer collects a whole page first. [`Markup::print`] then leaves such elements out.

use super::elements::{VOID, is_math, is_part_of_text};
use tsugi_page::escaped;
use tsugi_page::text::without_controls;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    Html,
    Xml,
}

/// Elements and texts in the order of the document.
#[derive(Debug, Default)]
pub(super) struct Markup {
    tokens: Vec<MarkupToken>,
    /// Where the open elements start in `tokens`.
    open: Vec<usize>,
}

#[derive(Debug)]
enum MarkupToken {
    Start(StartTag),
    End,
    Text(String),
    /// A space, unless there is white space before it.
    Gap,
    /// A new line, unless it would be the first.
    Break,
}

#[derive(Debug)]
struct StartTag {
    tag: &'static str,
    attributes: Vec<(&'static str, String)>,
    /// Whether it, or something in it, is more than white space.
    shows: bool,
    /// Whether an element in it has lines of its own.
    has_lines: bool,
    /// Where the element ends in the list of tokens.
    end: usize,
}

impl Markup {
    /// Starts an element. Void elements have no end. `shows` keeps it even if it turns out empty.
    pub(super) fn start(&mut self, tag: &'static str, attributes: Vec<(&'static str, String)>, shows: bool) {
        let is_void = VOID.contains(&tag);
        let shows = shows || is_void || is_math(tag);
        if shows {
            self.mark_open(|open| &mut open.shows);
        }
        if !is_part_of_text(tag) {
            self.mark_open(|open| &mut open.has_lines);
        }
        let at = self.tokens.len();
        self.tokens.push(MarkupToken::Start(StartTag { tag, attributes, shows, has_lines: false, end: at }));
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
        self.tokens.push(MarkupToken::Text(text.to_owned()));
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
        let mut out = String::new();
        let mut open: Vec<Option<&str>> = Vec::new();
        // Whether the open line shows something. An empty block then parts it from the next line, and stays.
        let mut in_line = false;
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            at += 1;
            match token {
                MarkupToken::Text(text) => {
                    push_text(&mut out, text, syntax);
                    in_line |= !text.trim().is_empty();
                }
                MarkupToken::Gap if out.ends_with([' ', '\n']) => {}
                MarkupToken::Gap => out.push(' '),
                MarkupToken::Break if out.is_empty() => {}
                MarkupToken::Break => out.push('\n'),
                MarkupToken::Start(start) => {
                    let (tag, is_void) = (start.tag, VOID.contains(&start.tag));
                    let is_block = !is_part_of_text(tag);
                    let stays = start.shows || (in_line && (is_block || start.has_lines));
                    if stays {
                        start.print(&mut out, syntax);
                        in_line = !is_block && (in_line || is_void || is_math(tag));
                    } else if is_block {
                        at = start.end + 1;
                        continue;
                    }
                    if !is_void {
                        open.push(stays.then_some(tag));
                    }
                }
                MarkupToken::End => {
                    if let Some(tag) = open.pop().flatten() {
                        out.push_str("</");
                        out.push_str(tag);
                        out.push('>');
                        in_line &= is_part_of_text(tag);
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
        out.push_str(if syntax == Syntax::Xml && VOID.contains(&self.tag) { "/>" } else { ">" });
    }
}

pub(super) fn push_attribute(out: &mut String, name: &str, value: &str, syntax: Syntax) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    push_text(out, value, syntax);
    out.push('"');
}

/// Writes text, or the value of an attribute.
pub(super) fn push_text(out: &mut String, text: &str, syntax: Syntax) {
    let escaped = escaped(&without_controls(text));
    match syntax {
        Syntax::Html => out.push_str(&escaped),
        // XML has no `&nbsp;`, and excludes two characters.
        Syntax::Xml => {
            let escaped = escaped.replace("&nbsp;", "&#160;").replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
            out.push_str(&escaped);
        }
    }
}
