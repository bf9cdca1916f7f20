//! Text in which nothing but one end tag is markup.

use super::input::is_blank;
use super::reference::References;
use super::{Receiver, State, Tokenizer};
use html5ever::tokenizer::TagKind;
use memchr::memchr_iter;

impl<S: Receiver> Tokenizer<'_, S> {
    pub(super) fn raw(&mut self) {
        let from = self.input.at;
        let end = match self.state {
            State::Script(escape) => self.script_end(escape),
            _ => self.raw_end(),
        };
        let references = if self.state == State::Rcdata { References::InText } else { References::Never };
        self.input.at = end;
        self.emit_text(self.decoded(from..end, references));
        if !self.input.is_at_end() {
            self.input.at += "</".len();
            self.tag(TagKind::EndTag);
        }
    }

    fn raw_end(&self) -> usize {
        let from = self.input.at;
        let mut starts = memchr_iter(b'<', self.input.rest()).map(|at| from + at);
        starts.find(|at| self.is_end_tag(*at)).unwrap_or(self.input.end())
    }

    pub(super) fn is_end_tag(&self, at: usize) -> bool {
        let name = self.last_start.as_bytes();
        let Some(after) = self.input.bytes()[at + 1..].strip_prefix(b"/") else { return false };
        let Some((found, after)) = after.split_at_checked(name.len()) else { return false };
        after.first().is_some_and(|next| is_blank(*next) || matches!(next, b'/' | b'>'))
            && found.eq_ignore_ascii_case(name)
            && !name.is_empty()
            && name.iter().all(u8::is_ascii_alphabetic)
    }
}
