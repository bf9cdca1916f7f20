//! The hash of schemas, tokens and names: FNV-1a.

macro_rules! fnv1a {
    ($type:ident, $word:ty, $bits:literal, $offset:literal, $prime:literal, $foobar:literal) => {
        #[doc = concat!("FNV-1a with ", $bits, " bits, byte by byte.")]
        ///
        /// Model files depend on its values. It guards against mistakes, not against forgery.
        ///
        /// # Source
        ///
        /// Fowler, Noll, Vo & Eastlake, The FNV Non-Cryptographic Hash Algorithm, RFC 9923.
        ///
        /// # Examples
        ///
        /// ```
        #[doc = concat!("use tsugi_scoring::", stringify!($type), ";")]
        #[doc = concat!("let hash = ", stringify!($type), "::new().bytes(b\"foo\").bytes(b\"bar\");")]
        #[doc = concat!("assert_eq!(hash.finish(), ", stringify!($foobar), ");")]
        /// ```
        #[derive(Clone, Copy, Debug)]
        pub struct $type($word);

        impl $type {
            /// Returns the hash of no bytes.
            #[expect(clippy::new_without_default, reason = "a default cannot be const")]
            pub const fn new() -> Self {
                Self($offset)
            }

            /// Adds a byte.
            #[inline]
            #[must_use]
            pub const fn byte(self, byte: u8) -> Self {
                Self((self.0 ^ byte as $word).wrapping_mul($prime))
            }

            /// Adds bytes in order.
            #[inline]
            #[must_use]
            pub const fn bytes(mut self, bytes: &[u8]) -> Self {
                let mut at = 0;
                while at < bytes.len() {
                    self = self.byte(bytes[at]);
                    at += 1;
                }
                self
            }

            /// Adds a text and a byte that UTF-8 never holds, so that `ab`, `c` and `a`, `bc` differ.
            #[inline]
            #[must_use]
            pub const fn closed(self, text: &str) -> Self {
                self.bytes(text.as_bytes()).byte(0xff)
            }

            /// Returns the hash.
            #[inline]
            pub const fn finish(self) -> $word {
                self.0
            }
        }
    };
}

fnv1a!(Fnv1a32, u32, "32", 0x811c_9dc5, 0x0100_0193, 0xbf9c_f968);
fnv1a!(Fnv1a64, u64, "64", 0xcbf2_9ce4_8422_2325, 0x0000_0100_0000_01b3, 0x8594_4171_f739_67e8);
