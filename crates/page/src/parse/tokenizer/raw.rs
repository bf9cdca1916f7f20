//! Text in which nothing but one end tag is markup.

use super::Tokenizer;
use super::reference::References;
use super::token::{Escape, Receiver, State};
use memchr::{memchr, memchr_iter, memchr2};

impl<S: Receiver> Tokenizer<'_, S> {
    pub(super) fn raw(&mut self) {
        let from = self.input.at;
        let end = match self.state {
            State::Script(escape) => self.script_end(escape),
            _ => self.raw_end(),
        };
        let references = if self.state == State::Rcdata { References::InText } else { References::Never };
        self.input.at = end;
        let text = self.decoded(from..end, references);
        self.emit_text(&text);
        if !self.input.is_at_end() {
            self.input.at += "</".len();
            self.tag(false);
        }
    }

    fn raw_end(&self) -> usize {
        let from = self.input.at;
        let mut starts = memchr_iter(b'<', self.input.rest()).map(|at| from + at);
        starts.find(|at| self.is_end_tag(*at)).unwrap_or(self.input.end())
    }

    fn is_end_tag(&self, at: usize) -> bool {
        let name = self.last_start.as_bytes();
        let Some(after) = self.input.bytes()[at + 1..].strip_prefix(b"/") else { return false };
        let Some((found, after)) = after.split_at_checked(name.len()) else { return false };
        after.first().is_some_and(|next| next.is_ascii_whitespace() || matches!(next, b'/' | b'>'))
            && found.eq_ignore_ascii_case(name)
            && !name.is_empty()
            && name.iter().all(u8::is_ascii_alphabetic)
    }

    // In `<!-- … -->`, the end tag of a script started in there does not end the script (HTML, sections 13.2.5.15 to
    // 13.2.5.31).
    fn script_end(&self, mut escape: Escape) -> usize {
        let bytes = self.input.bytes();
        let mut at = self.input.at;
        loop {
            let rest = &bytes[at..];
            let found = if escape == Escape::None { memchr(b'<', rest) } else { memchr2(b'<', b'-', rest) };
            let Some(found) = found else { return bytes.len() };
            at += found;
            let rest = &bytes[at..];
            if rest[0] == b'-' {
                let dashes = rest.iter().take_while(|byte| **byte == b'-').count();
                at += dashes;
                if dashes >= 2 && bytes.get(at) == Some(&b'>') {
                    escape = Escape::None;
                }
                continue;
            }
            if escape != Escape::Script && self.is_end_tag(at) {
                return at;
            }
            let (length, next) = after_less_than(rest, escape);
            at += length;
            escape = next;
        }
    }
}

fn after_less_than(rest: &[u8], escape: Escape) -> (usize, Escape) {
    match escape {
        // The dashes may be those before a `>`, too.
        Escape::None if rest.starts_with(b"<!--") => (2, Escape::Comment),
        Escape::Comment => word(rest, 1, Escape::Script).unwrap_or((1, escape)),
        Escape::Script if rest.get(1) == Some(&b'/') => word(rest, 2, Escape::Comment).unwrap_or((2, escape)),
        Escape::None | Escape::Script => (1, escape),
    }
}

/// Returns the end of the word at a position, and `next`, if it is `script` and ends like the name of a tag.
fn word(rest: &[u8], from: usize, next: Escape) -> Option<(usize, Escape)> {
    const SCRIPT: &[u8] = b"script";
    let (word, after) = rest[from..].split_at_checked(SCRIPT.len())?;
    let ends = after.first().is_some_and(|next| next.is_ascii_whitespace() || matches!(next, b'/' | b'>'));
    (ends && word.eq_ignore_ascii_case(SCRIPT)).then_some((from + SCRIPT.len(), next))
}
