use super::Tokenizer;
use super::reference::{self, References};
use super::token::{Receiver, State};
use crate::text::is_dropped;
use memchr::{memchr, memchr2, memchr3, memmem};
use std::borrow::Cow;
use std::ops::Range;

impl<'p, S: Receiver> Tokenizer<'p, S> {
    pub(super) fn text(&mut self) {
        let (rest, from) = (self.input.rest(), self.input.at);
        let first = memchr3(b'<', b'&', b'\0', rest).unwrap_or(rest.len());
        if rest.get(first).is_none_or(|byte| *byte == b'<') {
            self.input.at += first;
            self.emit_text(self.input.text(from..from + first));
        } else {
            let length = memchr(b'<', &rest[first..]).map_or(rest.len(), |length| first + length);
            self.input.at += length;
            self.emit_with_nulls(from..from + length, References::InText);
        }
    }

    pub(super) fn plaintext(&mut self) {
        let text = self.decoded(self.input.at..self.input.end(), References::Never);
        self.input.at = self.input.end();
        self.emit_text(&text);
    }

    pub(super) fn cdata(&mut self) {
        const END: &[u8] = b"]]>";
        let (rest, from) = (self.input.rest(), self.input.at);
        let (length, end) = memmem::find(rest, END).map_or((rest.len(), 0), |length| (length, END.len()));
        self.input.at += length + end;
        self.state = State::Data;
        self.emit_with_nulls(from..from + length, References::Never);
    }

    /// Emits text in which U+0000 is a token of its own: its treatment depends on the element.
    fn emit_with_nulls(&mut self, range: Range<usize>, references: References) {
        let mut from = range.start;
        while from < range.end {
            let null = memchr(b'\0', &self.input.bytes()[from..range.end]).map(|length| from + length);
            let text = self.decoded(from..null.unwrap_or(range.end), references);
            self.emit_text(&text);
            let Some(null) = null else { break };
            self.sink.null();
            from = null + 1;
        }
    }

    /// Returns a part of the page with decoded references, and U+FFFD for U+0000.
    pub(super) fn decoded(&mut self, range: Range<usize>, references: References) -> Cow<'p, str> {
        let special = |text: &str| match references {
            References::Never => memchr(b'\0', text.as_bytes()),
            References::InText | References::InValue => memchr2(b'&', b'\0', text.as_bytes()),
        };
        let mut rest = self.input.text(range);
        let Some(mut at) = special(rest) else { return Cow::Borrowed(rest) };
        let mut decoded = String::with_capacity(rest.len());
        loop {
            decoded.push_str(&rest[..at]);
            rest = &rest[at..];
            rest = match rest.as_bytes().first() {
                None => return Cow::Owned(decoded),
                Some(b'&') => {
                    let after = reference::decode(rest, references, &mut decoded);
                    if decoded.ends_with(is_dropped) {
                        self.sink.expects_control();
                    }
                    after
                }
                Some(_) => {
                    decoded.push('\u{FFFD}');
                    &rest[1..]
                }
            };
            at = special(rest).unwrap_or(rest.len());
        }
    }
}
