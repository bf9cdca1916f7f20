//! Hashes of names and words.

/// FNV-1a with 64 bits, byte by byte, folded to 32 bits at the end.
///
/// # Source
///
/// Fowler, Noll, Vo & Eastlake, The FNV Non-Cryptographic Hash Algorithm, RFC 9923.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hasher(u64);

impl Hasher {
    pub(crate) fn new(salt: &str) -> Hasher {
        let mut hasher = Hasher(0xcbf2_9ce4_8422_2325);
        hasher.text(salt);
        hasher.byte(0xff);
        hasher
    }

    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }

    pub(crate) fn text(&mut self, text: &str) {
        for byte in text.bytes() {
            self.byte(byte);
        }
    }

    pub(crate) fn character(&mut self, c: char) {
        let mut buffer = [0; 4];
        self.text(c.encode_utf8(&mut buffer));
    }

    pub(crate) fn number(&mut self, number: u64) {
        for byte in number.to_le_bytes() {
            self.byte(byte);
        }
    }

    pub(crate) fn long(self) -> u64 {
        self.0
    }

    #[expect(clippy::cast_possible_truncation, reason = "both halves are folded into one")]
    pub(crate) fn short(self) -> u32 {
        (self.0 ^ (self.0 >> 32)) as u32
    }
}
