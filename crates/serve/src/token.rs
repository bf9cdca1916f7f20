//! The secret that allows writing.

use std::fmt::{self, Write as _};
use subtle::ConstantTimeEq;

const BYTES: usize = 24;

const SHORTEST: usize = 16;

/// The secret that a request needs to change anything. `Debug` does not show it.
///
/// # Examples
///
/// ```
/// use tsugi_serve::AccessToken;
/// assert!(AccessToken::given("0123456789abcdef").is_some());
/// assert!(AccessToken::given("short").is_none());
/// ```
#[derive(Clone)]
pub struct AccessToken(String);

impl AccessToken {
    /// Returns a new random token: 48 hexadecimal digits.
    ///
    /// # Errors
    ///
    /// If the system has no random numbers.
    pub fn random() -> std::io::Result<AccessToken> {
        random_name().map(AccessToken)
    }

    /// Returns a token that the user chose, without surrounding white space. `None` if it has fewer than 16 characters, or
    /// others than ASCII letters, digits, `-` and `_`: those need no escaping in an address.
    pub fn given(text: &str) -> Option<AccessToken> {
        let text = text.trim();
        (text.len() >= SHORTEST && text.chars().all(is_word_character)).then(|| AccessToken(text.to_owned()))
    }

    /// Returns the text. Show it to the user alone.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Compares in constant time, so that the time of an answer says nothing about the token.
    pub(crate) fn is(&self, claimed: &str) -> bool {
        self.0.as_bytes().ct_eq(claimed.as_bytes()).into()
    }
}

pub(crate) fn is_word_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

/// Returns a name that nobody can guess, in hexadecimal digits.
pub(crate) fn random_name() -> std::io::Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(hex(&bytes))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_equal_to_itself_alone_and_never_shown() {
        let (one, other) = (AccessToken::random().unwrap(), AccessToken::random().unwrap());
        assert!(
            one.is(one.reveal()) && !one.is(other.reveal()) && !one.is("") && !one.is(&one.reveal()[1..])
        );
        assert_eq!(one.reveal().len(), 2 * BYTES);
        assert!(!format!("{one:?}").contains(one.reveal()));
    }

    #[test]
    fn a_given_token_can_stand_in_an_address() {
        assert!(AccessToken::given(" 0123456789abcdef\n").is_some_and(|token| token.is("0123456789abcdef")));
        for text in ["", "0123456789abcde", "0123456789 abcdef", "0123456789abcdef&x"] {
            assert!(AccessToken::given(text).is_none(), "{text}");
        }
    }
}
