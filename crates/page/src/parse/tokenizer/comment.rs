//! Comments, and markup that is read as a comment.

use super::reference::References;
use super::{Receiver, Tokenizer};
use html5ever::tokenizer::Token;
use memchr::{memchr, memchr_iter};

impl<S: Receiver> Tokenizer<'_, S> {
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
        self.emit(Token::CommentToken(self.decoded(from..from + text, References::Never)));
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
