//! Hashes tokens, so that a linear model can give each a weight.

use crate::hash::Fnv1a32;

/// Hashes one token, piece by piece, without building a string.
///
/// The kind keeps tokens of different places apart: `next` in a class is not `next` in a text.
///
/// # Examples
///
/// ```
/// use tsugi_scoring::TokenHash;
/// let whole = TokenHash::new(1).text("Pager-Next").finish();
/// assert_eq!(whole, TokenHash::new(1).text("pager").text("-next").finish(), "ASCII letters without case");
/// assert_ne!(whole, TokenHash::new(2).text("pager-next").finish());
/// ```
///
/// # Source
///
/// [`Fnv1a32`], then the finaliser of `MurmurHash3` by Appleby, so that high bits depend on
/// every byte.
#[derive(Clone, Copy, Debug)]
pub struct TokenHash(Fnv1a32);

impl TokenHash {
    /// Starts a token of a kind.
    pub const fn new(kind: u8) -> Self {
        Self(Fnv1a32::new().byte(kind))
    }

    /// Adds text, with ASCII letters in lower case.
    #[must_use]
    pub fn text(self, text: &str) -> Self {
        text.bytes().fold(self, |hash, byte| hash.byte(byte.to_ascii_lowercase()))
    }

    /// Adds a character as it is.
    #[must_use]
    pub fn character(self, character: char) -> Self {
        Self(self.0.bytes(character.encode_utf8(&mut [0; 4]).as_bytes()))
    }

    /// Adds a byte as it is.
    #[must_use]
    pub fn byte(self, byte: u8) -> Self {
        Self(self.0.byte(byte))
    }

    /// Returns the hash.
    pub const fn finish(self) -> u32 {
        let mut hash = self.0.finish();
        hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
        hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
        hash ^ (hash >> 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_model_files() {
        assert_eq!(TokenHash::new(0).finish(), 0x0578_ab1b);
        assert_eq!(TokenHash::new(1).text("Pager-Next").finish(), 0x2e80_890b);
        assert_eq!(TokenHash::new(7).character('次').text("é").byte(0xff).finish(), 0xde65_579f);
    }
}
