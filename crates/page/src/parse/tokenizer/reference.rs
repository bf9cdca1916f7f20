//! Character references: `&amp;`, `&#38;`, `&#x26;` (HTML, sections 13.2.5.72 to 13.2.5.80).

use markup5ever::data::{C1_REPLACEMENTS, NAMED_ENTITIES};

/// Longest name of a character, without its semicolon.
const LONGEST: usize = 31;
/// Longest name of a character that needs no semicolon.
const LONGEST_BARE: usize = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum References {
    Never,
    InText,
    /// In values of attributes, where a name without semicolon may be that of an address's parameter.
    InValue,
}

pub(super) fn decode<'t>(text: &'t str, references: References, decoded: &mut String) -> &'t str {
    let after = &text[1..];
    let (first, second, length) = numeric(after)
        .map(|(character, length)| (character, None, length))
        .or_else(|| named(after, references))
        .unwrap_or(('&', None, 0));
    decoded.push(first);
    if let Some(second) = second {
        decoded.push(second);
    }
    &after[length..]
}

fn numeric(after: &str) -> Option<(char, usize)> {
    let number = after.strip_prefix('#')?;
    let hexadecimal = number.strip_prefix(['x', 'X']);
    let (digits, base) = hexadecimal.map_or((number, 10), |digits| (digits, 16));
    let mut value: u32 = 0;
    let mut length = 0;
    for digit in digits.chars().map_while(|c| c.to_digit(base)) {
        value = value.saturating_mul(base).saturating_add(digit);
        length += 1;
    }
    if length == 0 {
        return None;
    }
    let semicolon = usize::from(digits.as_bytes().get(length) == Some(&b';'));
    Some((character(value), after.len() - digits.len() + length + semicolon))
}

/// Returns the character of a number. Numbers of control characters are read as Windows-1252.
fn character(value: u32) -> char {
    let replacement = value.checked_sub(0x80).and_then(|at| C1_REPLACEMENTS.get(usize::try_from(at).ok()?));
    match replacement {
        Some(Some(character)) => *character,
        _ if value == 0 => '\u{FFFD}',
        _ => char::from_u32(value).unwrap_or('\u{FFFD}'),
    }
}

/// Reads a name after a `&`: the longest that is one. Returns one or two characters, and its length in bytes.
fn named(after: &str, references: References) -> Option<(char, Option<char>, usize)> {
    let bytes = after.as_bytes();
    let word = bytes.iter().take(LONGEST + 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if bytes.get(word) == Some(&b';')
        && let Some((first, second)) = entity(&after[..=word])
    {
        return Some((first, second, word + 1));
    }
    let (length, (first, second)) =
        (1..=word.min(LONGEST_BARE)).rev().find_map(|length| Some((length, entity(&after[..length])?)))?;
    let next = bytes.get(length);
    let is_parameter = next.is_some_and(|next| *next == b'=' || next.is_ascii_alphanumeric());
    (references == References::InText || !is_parameter).then_some((first, second, length))
}

/// Returns the characters of a name. The table also holds the starts of names, with no characters.
fn entity(name: &str) -> Option<(char, Option<char>)> {
    let (first, second) = *NAMED_ENTITIES.get(name)?;
    let character = |code: u32| char::from_u32(code).filter(|character| *character != '\0');
    Some((character(first)?, character(second)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_longer_than_thought() {
        let names = NAMED_ENTITIES.keys().filter(|name| entity(name).is_some());
        let (whole, bare): (Vec<&str>, Vec<&str>) = names.partition(|name| name.ends_with(';'));
        assert!(
            whole.iter().all(|name| name[..name.len() - 1].bytes().all(|byte| byte.is_ascii_alphanumeric()))
        );
        assert_eq!(whole.iter().map(|name| name.len() - 1).max(), Some(LONGEST));
        assert_eq!(bare.iter().map(|name| name.len()).max(), Some(LONGEST_BARE));
    }
}
