//! Pseudo-random numbers that repeat.

/// Returns a pseudo-random number for a seed and an index.
///
/// # Source
///
/// The finaliser of `SplitMix64`: Steele, Lea & Flood (2014), OOPSLA, <https://doi.org/10.1145/2660193.2660195>.
pub fn mix(seed: u64, index: usize) -> u64 {
    let golden = 0x9e37_79b9_7f4a_7c15_u64;
    let mut z = seed.wrapping_add(golden.wrapping_mul(index as u64 + 1));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
