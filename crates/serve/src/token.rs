//! The secret that allows writing.

use std::fmt::{self, Write as _};
use subtle::ConstantTimeEq;

/// The number of random bytes of a token or name that is made here.
const BYTES: usize = 24;

/// The fewest characters of a token that is given.
const SHORTEST: usize = 16;

/// The secret that a request must hold to change anything. It is not shown by `Debug`.
///
/// # Examples
///
/// ```
/// use tsugi_serve::Token;
/// assert!(Token::given("0123456789abcdef").is_some());
/// assert!(Token::given("short").is_none());
/// ```
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Returns a new random token, in hexadecimal digits.
    ///
    /// # Errors
    ///
    /// That of the system, if it has no random numbers.
    pub fn random() -> std::io::Result<Token> {
        random_name().map(Token)
    }

    /// Returns a token that the user chose, without white space around it. `None` if it has fewer than 16 characters, or
    /// others than letters, digits, `-` and `_`.
    pub fn given(text: &str) -> Option<Token> {
        let text = text.trim();
        let is_one = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        (text.len() >= SHORTEST && text.chars().all(is_one)).then(|| Token(text.to_owned()))
    }

    /// Returns the text, to be shown to the user alone.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Compares in constant time, so that the time of an answer says nothing about the token.
    pub(crate) fn is(&self, claimed: &str) -> bool {
        self.0.as_bytes().ct_eq(claimed.as_bytes()).into()
    }
}

/// Returns a name that nobody can guess, in hexadecimal digits.
pub(crate) fn random_name() -> std::io::Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(hex(&bytes))
}

/// Returns bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_equal_to_itself_alone_and_never_shown() {
        let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
        assert!(
            one.is(one.reveal()) && !one.is(other.reveal()) && !one.is("") && !one.is(&one.reveal()[1..])
        );
        assert_eq!(one.reveal().len(), 2 * BYTES);
        assert!(!format!("{one:?}").contains(one.reveal()));
    }

    #[test]
    fn a_given_token_can_stand_in_an_address() {
        assert!(Token::given(" 0123456789abcdef\n").is_some_and(|token| token.is("0123456789abcdef")));
        for text in ["", "0123456789abcde", "0123456789 abcdef", "0123456789abcdef&x"] {
            assert!(Token::given(text).is_none(), "{text}");
        }
    }
}
