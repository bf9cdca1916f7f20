//! Strings and numbers as XPath 1.0 reads and writes them (sections 4.2 and 4.4).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

pub(super) const SPACES: [char; 4] = [' ', '\t', '\r', '\n'];

pub(super) fn to_number(text: &str) -> f64 {
    let trimmed = text.trim_matches(SPACES);
    let digits = trimmed.strip_prefix('-').unwrap_or(trimmed);
    // Rust also reads exponents, a plus sign, and names of infinity.
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if is_number { trimmed.parse().unwrap_or(f64::NAN) } else { f64::NAN }
}

pub(super) fn of_number(number: f64) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else {
        // Adding 0 takes the sign off a negative zero.
        (number + 0.0).to_string()
    }
}

/// Returns the closest whole number, the greater one of two.
pub(super) fn round(number: f64) -> f64 {
    if (-0.5..0.0).contains(&number) {
        return -0.0;
    }
    // From 2⁵² on, every number is whole, and adding a half would change some.
    if number.abs() < 4_503_599_627_370_496.0 { (number + 0.5).floor() } else { number }
}

/// Returns the bytes of the characters that `substring()` returns.
pub(super) fn substring(text: &str, start: f64, length: Option<f64>) -> Range<usize> {
    let start = round(start);
    let end = length.map_or(f64::INFINITY, |length| start + round(length));
    let mut range = 0..0;
    let mut position = 0.0;
    for (at, c) in text.char_indices() {
        position += 1.0;
        if position >= start && position < end {
            if range.is_empty() {
                range.start = at;
            }
            range.end = at + c.len_utf8();
        }
    }
    range
}

pub(super) fn normalize_space(text: Cow<'_, str>) -> Cow<'_, str> {
    let words = || text.split(SPACES).filter(|word| !word.is_empty());
    let mut folded = String::new();
    for word in words() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    if folded == text { text } else { Cow::Owned(folded) }
}

pub(super) fn translate(text: &str, from: &str, to: &str) -> String {
    let mut others = to.chars();
    let mut places: BTreeMap<char, Option<char>> = BTreeMap::new();
    for c in from.chars() {
        let other = others.next();
        places.entry(c).or_insert(other);
    }
    text.chars().filter_map(|c| places.get(&c).map_or(Some(c), |other| *other)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_xpath_writes_them() {
        for (text, number) in [(" 1.50\n", 1.5), ("-3", -3.0), (".5", 0.5), ("2.", 2.0), ("-.5", -0.5)] {
            assert_eq!(to_number(text), number, "{text}");
        }
        for text in ["", "-", ".", "1e3", "+1", "1.2.3", "inf", "NaN", "--1", "1 2", "\u{a0}1"] {
            assert!(to_number(text).is_nan(), "{text}");
        }
        let texts = [1.0, -0.0, 0.1, -2.5, f64::NAN, f64::NEG_INFINITY, 1e21].map(of_number);
        assert_eq!(texts, ["1", "0", "0.1", "-2.5", "NaN", "-Infinity", "1000000000000000000000"]);
    }

    #[test]
    fn halves_are_rounded_up() {
        for (number, rounded) in [(2.5, 3.0), (-2.5, -2.0), (-0.2, -0.0), (f64::INFINITY, f64::INFINITY)] {
            assert_eq!(round(number), rounded, "{number}");
        }
        assert_eq!(round(9_007_199_254_740_991.0), 9_007_199_254_740_991.0);
    }

    /// The examples of the recommendation.
    #[test]
    fn a_substring_is_what_lies_between_rounded_positions() {
        let sub = |start, length| &"12345"[substring("12345", start, length)];
        assert_eq!((sub(2.0, Some(3.0)), sub(2.0, None)), ("234", "2345"));
        assert_eq!((sub(1.5, Some(2.6)), sub(0.0, Some(3.0))), ("234", "12"));
        assert_eq!((sub(f64::NAN, Some(3.0)), sub(1.0, Some(f64::NAN))), ("", ""));
        assert_eq!(sub(-42.0, Some(f64::INFINITY)), "12345");
        assert_eq!(sub(f64::NEG_INFINITY, Some(f64::INFINITY)), "");
        assert_eq!(&"次の語"[substring("次の語", 2.0, Some(1.0))], "の");
    }

    #[test]
    fn characters_are_translated_by_their_first_place() {
        assert_eq!(translate("bar", "abc", "ABC"), "BAr");
        assert_eq!(translate("--aaa--", "abc-", "ABC"), "AAA");
        assert_eq!(translate("aa", "aa", "xy"), "xx");
    }

    #[test]
    fn white_space_is_folded() {
        assert!(matches!(normalize_space("a b".into()), Cow::Borrowed("a b")));
        assert_eq!(normalize_space(" \n a\t\tb\u{a0} ".into()), "a b\u{a0}");
        assert_eq!(normalize_space("a\tb".into()), "a b");
    }
}
