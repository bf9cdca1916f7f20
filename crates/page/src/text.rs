//! Text: kinds of characters, counts, and the text of a page as a reader sees it.

mod characters;
mod count;
mod counts;
pub(crate) mod visible;

pub use characters::{
    ascii_letters, is_alphabetic, is_alphanumeric, is_cjk, is_control, is_direction, is_punctuation, weight,
};
pub(crate) use count::visible_characters;
pub use counts::TextCounts;

use memchr::{memchr_iter, memchr2_iter};
use std::borrow::Cow;
use std::fmt::Write;

/// Returns a hash of a text, to distinguish the texts of one page. It is neither stable across versions nor
/// collision-resistant.
#[inline]
pub fn digest(text: &[u8]) -> u64 {
    let length = (text.len() as u64).wrapping_mul(0xd6e8_feb8_6659_fd93);
    // In a longer text, the last eight bytes overlap the ones before.
    if let Some(last) = text.last_chunk() {
        let words = text.as_chunks().0.iter().chain([last]);
        return words.fold(length, |hash, word| folded_product(hash, u64::from_le_bytes(*word)));
    }
    let word = match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
        }
        _ => text.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    folded_product(folded_product(length, word), length)
}

// The folded product of Wang Yi's wyhash: both halves of a 128-bit product, so that every bit counts.
#[inline]
fn folded_product(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15_u128;
    #[expect(clippy::cast_possible_truncation, reason = "the halves are used separately")]
    let halves = (product as u64, (product >> 64) as u64);
    halves.0 ^ halves.1
}

/// Returns `true` if a text, as bytes, has an ASCII digit. Without branches, so that the compiler vectorises it.
pub fn has_digit(text: &[u8]) -> bool {
    text.iter().fold(false, |any, byte| any | byte.is_ascii_digit())
}

/// Returns a text without white space at its ends, like [`str::trim`], but faster if that is ASCII.
pub fn trim(text: &str) -> &str {
    let trimmed = text.trim_ascii();
    // `trim_ascii` keeps vertical tabs.
    let may_be_space = |byte: &u8| !byte.is_ascii() || *byte == 0x0b;
    let bytes = trimmed.as_bytes();
    if bytes.first().is_some_and(may_be_space) || bytes.last().is_some_and(may_be_space) {
        return trimmed.trim();
    }
    trimmed
}

/// Trims a text, replaces every run of white space with one space, and drops control characters ([`is_control`]).
pub fn fold(text: &str) -> String {
    folded(text).into_owned()
}

/// Returns a text as [`fold`] does, without copying one that is so already.
pub fn folded(text: &str) -> Cow<'_, str> {
    if is_folded(text) {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace().map(without_controls).filter(|word| !word.is_empty()) {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(&word);
    }
    Cow::Owned(folded)
}

/// Returns `true` if a text certainly is as [`fold`] leaves it. Most lines are.
fn is_folded(text: &str) -> bool {
    // The first bytes, in UTF-8, of white space and control characters beyond ASCII, among others.
    let is_odd = |byte: u8| byte < b' ' || matches!(byte, 0x7f | 0xc2 | 0xe1..=0xe3);
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return true };
    // Without branches, so that the compiler vectorises it.
    let any = bytes.iter().zip(&bytes[1..]).fold(u8::from(is_odd(*first)), |any, (before, byte)| {
        any | u8::from(is_odd(*byte)) | u8::from(*before == b' ' && *byte == b' ')
    });
    any == 0 && *first != b' ' && *last != b' '
}

/// Returns a text without control characters ([`is_control`]). Those that are white space become spaces.
pub fn without_controls(text: &str) -> Cow<'_, str> {
    if may_have_controls(text) && text.contains(is_control) {
        let kept = text.chars().filter(|c| !is_dropped(*c));
        return Cow::Owned(kept.map(|c| if is_control(c) { ' ' } else { c }).collect());
    }
    Cow::Borrowed(text)
}

/// Returns JSON in which every character that terminals obey is an escape: control characters, and those that change the
/// direction of text ([`is_direction`]). Its meaning stays the same.
pub fn json_for_terminals(json: &str) -> Cow<'_, str> {
    let is_obeyed = |c: char| is_control(c) || is_direction(c);
    if !may_have_controls(json) && !has_directions(json) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_obeyed(c) {
            // Writing to a string does not fail.
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Returns `true` for control characters that are no white space. Browsers keep and ignore them; elsewhere they do harm.
pub(crate) fn is_dropped(c: char) -> bool {
    is_control(c) && !c.is_whitespace()
}

/// Returns `false` if a text certainly has no control characters.
pub(crate) fn may_have_controls(text: &str) -> bool {
    // The first byte, in UTF-8, of the control characters beyond ASCII, and the first byte after it that starts none.
    const LEAD: u8 = 0xc2;
    const BEYOND: u8 = 0xa0;
    let bytes = text.as_bytes();
    // Without branches, so that the compiler vectorises it.
    let any = bytes.iter().fold(0, |any, byte| {
        any | u8::from(*byte < b' ' && !matches!(byte, b'\t' | b'\n')) | u8::from(*byte == 0x7f)
    });
    any != 0 || memchr_iter(LEAD, bytes).any(|at| bytes.get(at + 1).is_some_and(|next| *next < BEYOND))
}

/// Returns `true` if a text has a character that changes the direction of others ([`is_direction`]).
fn has_directions(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr2_iter(0xd8, 0xe2, bytes).any(|at| {
        matches!(
            bytes[at..],
            [0xd8, 0x9c, ..] | [0xe2, 0x80, 0x8e | 0x8f | 0xaa..=0xae, ..] | [0xe2, 0x81, 0xa6..=0xa9, ..]
        )
    })
}

/// Escapes a text as HTML.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape(text, true, &mut out);
    out
}

pub(crate) fn escape(text: &str, in_attribute: bool, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if in_attribute => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
}

pub(crate) fn escaped_characters(text: &str) -> u32 {
    let lengths = text.chars().map(|c| match c {
        '&' => 5,
        '\u{a0}' => 6,
        '<' | '>' => 4,
        _ => 1,
    });
    lengths.sum()
}

pub(crate) fn escaped_attribute_characters(value: &str) -> u32 {
    let quotes = value.bytes().filter(|byte| *byte == b'"').map(|_| 5).sum::<u32>();
    escaped_characters(value) + quotes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_tell_texts_apart() {
        let numbers =
            (0..40_000).map(|n| format!("/list/{:04}-{:04}?from={}&to={}", n / 9, n % 911, n % 97, n % 89));
        let dates =
            (0..40_000).map(|n| format!("/2{:03}/{:02}/x/{:02}-{:03}", n / 97, n % 13, n % 31, n % 101));
        let short = (0..100_000).map(|n| n.to_string());
        let by_lines = (0..10_000).map(|n| format!("Someone20{:02}-{:02}-12", n / 100, n % 100));
        let zeros = (0..40).map(|n| "\0".repeat(n));
        let texts: Vec<String> = numbers.chain(dates).chain(short).chain(by_lines).chain(zeros).collect();
        let count = |mut all: Vec<u64>| {
            all.sort_unstable();
            all.dedup();
            all.len()
        };
        let mut distinct = texts.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(count(texts.iter().map(|text| digest(text.as_bytes())).collect()), distinct.len());
    }

    #[test]
    fn any_white_space_is_trimmed() {
        for c in '\0'..=char::MAX {
            let text = format!(" {c} a {c}\n");
            assert_eq!(trim(&text), text.trim(), "{text:?}");
        }
    }

    #[test]
    fn texts_are_cleaned() {
        assert_eq!(fold(" a \u{1b}\n b\u{7f}c "), "a bc");
        for c in '\0'..=char::MAX {
            for text in
                [format!("{c}a b"), format!("a b{c}"), format!("a{c}b"), format!("a {c} b"), c.to_string()]
            {
                let words: Vec<_> =
                    text.split_whitespace().map(without_controls).filter(|word| !word.is_empty()).collect();
                assert_eq!(fold(&text), words.join(" "), "{text:?}");
            }
        }
        assert_eq!(without_controls("\u{1b}[31mred\u{9b}0m\u{c}\n"), "[31mred0m \n");
        assert_eq!(json_for_terminals("[\"a\u{9b}\u{202e}b\"]\n"), "[\"a\\u009b\\u202eb\"]\n");
        for c in '\0'..=char::MAX {
            let is_escaped = json_for_terminals(&format!("’{c}")) != format!("’{c}");
            assert_eq!(is_escaped, is_control(c) || is_direction(c), "{c:?}");
        }
    }

    #[test]
    fn characters_of_markup_are_counted() {
        // `&` alone escapes to `&amp;`: 5.
        assert_eq!((escaped_characters("&"), escaped_characters("次\"")), (5, 2));
        assert_eq!(escaped_attribute_characters("次\""), 7);
    }
}
