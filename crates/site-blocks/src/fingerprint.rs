//! 128-bit hashes of values, so that a set of pages need not keep their texts.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Identifies a value while the program runs; it changes with the version of the compiler.
///
/// The probability that any two of a billion values collide is 1.5 · 10⁻²¹. An attacker would have to hash 2⁶⁴ texts
/// to find a collision.
pub type Fingerprint = u128;

/// Returns the fingerprint of a value.
pub fn fingerprint<T: Hash + ?Sized>(value: &T) -> Fingerprint {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        value.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_equal_fingerprints_and_others_have_not() {
        assert_eq!(fingerprint("a"), fingerprint(String::from("a").as_str()));
        let values = ["", "a", "b", "ab"].map(fingerprint);
        let mut distinct = values.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), values.len());
        assert_ne!(values[1] >> 64, values[1] & u128::from(u64::MAX), "the halves are hashed apart");
    }
}
