//! The page, and how far it is read.

use html5ever::tendril::StrTendril;
use memchr::memchr_iter;
use std::ops::Range;

/// Copies a page of less than 4 GiB, with line feeds for all line ends (HTML, section 13.2.3.5).
pub(crate) fn prepared(html: &str) -> StrTendril {
    let mut returns = memchr_iter(b'\r', html.as_bytes()).peekable();
    if returns.peek().is_none() {
        return StrTendril::from_slice(html);
    }
    let mut page = StrTendril::with_capacity(offset(html.len()));
    let mut copied = 0;
    for at in returns {
        page.push_slice(&html[copied..at]);
        copied = at + 1;
        // Of a pair, the line feed is left.
        if html.as_bytes().get(copied) != Some(&b'\n') {
            page.push_char('\n');
        }
    }
    page.push_slice(&html[copied..]);
    page
}

/// A page that is being read. Positions are in bytes.
pub(super) struct Input<'p> {
    page: &'p StrTendril,
    text: &'p str,
    /// Where the next byte is; at a character's start, at most the length of the page.
    pub(super) at: usize,
}

impl<'p> Input<'p> {
    pub(super) fn new(page: &'p StrTendril) -> Self {
        Input { page, text: page, at: 0 }
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

    /// Returns a part of the page that shares its memory.
    pub(super) fn part(&self, range: Range<usize>) -> StrTendril {
        self.page.subtendril(offset(range.start), offset(range.end - range.start))
    }
}

fn offset(size: usize) -> u32 {
    u32::try_from(size).expect("a page of less than 4 GiB")
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
