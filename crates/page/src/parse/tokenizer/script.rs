//! Where scripts end.
//!
//! In `<!-- … -->`, the end tag of a script started in there does not end the script (HTML, sections 13.2.5.15 to
//! 13.2.5.31).

use super::input::is_blank;
use super::{Receiver, Tokenizer};
use memchr::{memchr, memchr2};

/// How deep inside a script its text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escape {
    None,
    /// After `<!--`.
    Comment,
    /// After `<script` in there.
    Script,
}

impl<S: Receiver> Tokenizer<'_, S> {
    pub(super) fn script_end(&self, mut escape: Escape) -> usize {
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
    let ends = after.first().is_some_and(|next| is_blank(*next) || matches!(next, b'/' | b'>'));
    (ends && word.eq_ignore_ascii_case(SCRIPT)).then_some((from + SCRIPT.len(), next))
}
