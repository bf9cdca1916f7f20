//! The page, and how far it is read.

use memchr::memchr_iter;
use std::borrow::Cow;
use std::ops::Range;

/// Returns a page with line feeds for all line ends (HTML, section 13.2.3.5).
pub(crate) fn prepared(html: &str) -> Cow<'_, str> {
    let mut returns = memchr_iter(b'\r', html.as_bytes()).peekable();
    if returns.peek().is_none() {
        return Cow::Borrowed(html);
    }
    let mut page = String::with_capacity(html.len());
    let mut copied = 0;
    for at in returns {
        page.push_str(&html[copied..at]);
        copied = at + 1;
        // Of a pair, the line feed is left.
        if html.as_bytes().get(copied) != Some(&b'\n') {
            page.push('\n');
        }
    }
    page.push_str(&html[copied..]);
    Cow::Owned(page)
}

/// A page that is being read. Positions are in bytes.
pub(super) struct Input<'p> {
    text: &'p str,
    /// Where the next byte is; at a character's start, at most the length of the page.
    pub(super) at: usize,
}

impl<'p> Input<'p> {
    pub(super) fn new(text: &'p str) -> Self {
        Input { text, at: 0 }
    }

    pub(super) fn bytes(&self) -> &'p [u8] {
        self.text.as_bytes()
    }

    pub(super) fn rest(&self) -> &'p [u8] {
        &self.bytes()[self.at..]
    }

    pub(super) fn end(&self) -> usize {
        self.text.len()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let eaten = self.peek() == Some(byte);
        self.at += usize::from(eaten);
        eaten
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let next = self.rest().get(..word.len());
        let eaten = next.is_some_and(|next| next.eq_ignore_ascii_case(word.as_bytes()));
        self.at += if eaten { word.len() } else { 0 };
        eaten
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    pub(super) fn text(&self, range: Range<usize>) -> &'p str {
        &self.text[range]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_become_line_feeds() {
        for (html, expected) in [("a\r\nb\rc\nd\r\r\n\r", "a\nb\nc\nd\n\n\n"), ("a\nb", "a\nb"), ("", "")] {
            assert_eq!(&*prepared(html), expected);
        }
    }
}
