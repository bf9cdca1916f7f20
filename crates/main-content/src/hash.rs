//! Hashes of names and words.

use tsugi_scoring::Fnv1a64;

/// 32-bit hash: FNV-1a, then the finaliser of `MurmurHash3`, so that every bit depends on every byte.
///
/// # Source
///
/// [`Fnv1a64`]; Appleby, `MurmurHash3`, `fmix64`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hasher(Fnv1a64);

/// Hashes a hash again with a salt for a place or kind: the same word elsewhere is another token.
pub(crate) const fn salted(salt: u64, hash: u64) -> u64 {
    mixed(hash ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

pub(crate) const fn mixed(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

pub(crate) const fn upper(hash: u64) -> u32 {
    (hash >> 32) as u32
}

impl Hasher {
    pub(crate) const fn new(salt: &str) -> Hasher {
        Hasher(Fnv1a64::new().closed(salt))
    }

    pub(crate) const fn byte(&mut self, byte: u8) {
        self.0 = self.0.byte(byte);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.0 = self.0.bytes(text.as_bytes());
    }

    pub(crate) fn character(&mut self, c: char) {
        if c.is_ascii() {
            self.byte(c as u8);
        } else {
            self.text(c.encode_utf8(&mut [0; 4]));
        }
    }

    pub(crate) const fn long(self) -> u64 {
        self.0.finish()
    }

    pub(crate) const fn short(self) -> u32 {
        upper(mixed(self.long()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_model_files() {
        let hashes = |salt, text| {
            let mut hasher = Hasher::new(salt);
            hasher.text(text);
            (hasher.long(), hasher.short())
        };
        assert_eq!(hashes("", ""), (0xaf64_724c_8602_eb6e, 0x1bbd_5c81));
        assert_eq!(hashes("tag", "div"), (0xb25f_adf9_1aa8_e747, 0x91b1_97e9));
        assert_eq!(hashes("cjk", "次é"), (0xd5aa_1882_a366_470b, 0x3ad3_2bee));
    }
}
