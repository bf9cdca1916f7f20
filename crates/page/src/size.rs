//! Sizes that fit into 32 bits.

/// Converts a size, which [`MAX_NODES`](crate::MAX_NODES) and the reader's size limit keep within 32 bits; larger ones saturate.
pub(crate) fn u32_of(size: usize) -> u32 {
    u32::try_from(size).unwrap_or(u32::MAX)
}
