//! Comments, markup that is read as a comment, and doctypes.

use super::Tokenizer;
use super::reference::References;
use super::token::{DoctypeToken, Receiver};
use memchr::{memchr, memchr_iter, memchr2};
use std::borrow::Cow;

impl<'p, S: Receiver> Tokenizer<'p, S> {
    pub(super) fn comment(&mut self) {
        let (text, all) = lengths(self.input.rest());
        self.emit_comment(text, all);
    }

    /// Reads up to the next `>`: markup that is nothing else.
    pub(super) fn bogus_comment(&mut self) {
        let rest = self.input.rest();
        let (text, all) = memchr(b'>', rest).map_or((rest.len(), rest.len()), |text| (text, text + 1));
        self.emit_comment(text, all);
    }

    /// Emits a comment; takes the length of its text, and how much to step over.
    fn emit_comment(&mut self, text: usize, all: usize) {
        let from = self.input.at;
        self.input.at += all;
        let text = self.decoded(from..from + text, References::Never);
        self.sink.comment(&text);
    }

    pub(super) fn doctype(&mut self) {
        let mut doctype = DoctypeToken::default();
        doctype.forces_quirks = self.read_doctype(&mut doctype).is_none();
        let rest = self.input.rest();
        self.input.at += memchr(b'>', rest).map_or(rest.len(), |at| at + 1);
        self.sink.doctype(&doctype);
    }

    /// Reads the parts of a doctype that are there, at most up to its `>`; returns `None` if it is cut short or wrong.
    fn read_doctype(&mut self, doctype: &mut DoctypeToken<'p>) -> Option<()> {
        self.input.skip_blanks();
        doctype.name = Some(self.doctype_name()?);
        self.input.skip_blanks();
        if self.input.peek()? == b'>' {
            return Some(());
        }
        if self.input.eat_word("public") {
            self.input.skip_blanks();
            self.identifier(&mut doctype.public)?;
            self.input.skip_blanks();
            if self.input.peek()? == b'>' {
                return Some(());
            }
        } else if self.input.eat_word("system") {
            self.input.skip_blanks();
        } else {
            return None;
        }
        self.identifier(&mut doctype.system)?;
        self.input.skip_blanks();
        // Anything else is ignored, if the doctype ends.
        self.input.peek().map(drop)
    }

    /// Reads a name, even one at the end of the page; returns `None` without a name.
    fn doctype_name(&mut self) -> Option<Cow<'p, str>> {
        let (rest, from) = (self.input.rest(), self.input.at);
        let length =
            rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>').unwrap_or(rest.len());
        self.input.at += length;
        let mut name = self.decoded(from..from + length, References::Never);
        if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            name = Cow::Owned(name.to_ascii_lowercase());
        }
        Some(name).filter(|name| !name.is_empty())
    }

    /// Reads an identifier in quotes into `to`; returns `None` without one, or without its closing quote.
    fn identifier(&mut self, to: &mut Option<Cow<'p, str>>) -> Option<()> {
        let quote = self.input.peek().filter(|byte| matches!(byte, b'"' | b'\''))?;
        self.input.at += 1;
        let (rest, from) = (self.input.rest(), self.input.at);
        let length = memchr2(quote, b'>', rest).unwrap_or(rest.len());
        *to = Some(self.decoded(from..from + length, References::Never));
        self.input.at += length;
        self.input.eat(quote).then_some(())
    }
}

/// Returns the length of a comment's text, and of the text and the end of the comment.
fn lengths(rest: &[u8]) -> (usize, usize) {
    for short in [&b">"[..], b"->"] {
        if rest.starts_with(short) {
            return (0, short.len());
        }
    }
    for at in memchr_iter(b'>', rest) {
        let text = rest[..at].strip_suffix(b"--").or_else(|| rest[..at].strip_suffix(b"--!"));
        if let Some(text) = text {
            return (text.len(), at + 1);
        }
    }
    let unfinished = [&b"--!"[..], b"--", b"-"].into_iter().find_map(|end| rest.strip_suffix(end));
    (unfinished.map_or(rest.len(), <[u8]>::len), rest.len())
}
