//! Rows of fixed length, as they are sorted and kept in scratch files.

use jiff::Timestamp;
use std::io;

/// A value that takes the same number of bytes whatever it is. Bytes are in the order of the values: numbers are big-endian.
pub trait Packed: Sized {
    /// The number of bytes.
    const LENGTH: usize;

    /// Fills `to`, which is [`Packed::LENGTH`] bytes long.
    fn pack(&self, to: &mut [u8]);

    /// Reads the value from the start of `from`, and moves on.
    ///
    /// # Errors
    ///
    /// [`RowError`] if there are too few bytes, or they are not such a value.
    fn unpack(from: &mut &[u8]) -> Result<Self, RowError>;
}

/// Why bytes are not a row.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// The bytes end inside a value.
    #[error("row of a scratch file ends inside a value")]
    Short,
    /// The bytes of a value are none of its kind.
    #[error("row of a scratch file has {found} for a {kind}")]
    Value {
        /// What was expected.
        kind: &'static str,
        /// What the bytes say.
        found: String,
    },
}

impl From<RowError> for io::Error {
    fn from(error: RowError) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, error)
    }
}

/// Declares a struct whose fields are packed one after the other, in the order in which they are declared: a row of fixed
/// length for a [`Sorter`](crate::Sorter).
#[macro_export]
macro_rules! row {
    ($(#[$about:meta])* $visible:vis struct $Name:ident { $($(#[$doc:meta])* $shown:vis $field:ident: $Type:ty,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $visible struct $Name {
            $($(#[$doc])* $shown $field: $Type,)+
        }

        impl $crate::row::Packed for $Name {
            const LENGTH: usize = 0 $(+ <$Type as $crate::row::Packed>::LENGTH)+;

            fn pack(&self, to: &mut [u8]) {
                $(
                    let (field, to) = to.split_at_mut(<$Type as $crate::row::Packed>::LENGTH);
                    self.$field.pack(field);
                )+
                debug_assert!(to.is_empty());
            }

            fn unpack(from: &mut &[u8]) -> Result<$Name, $crate::row::RowError> {
                Ok($Name { $($field: <$Type as $crate::row::Packed>::unpack(from)?,)+ })
            }
        }
    };
}

macro_rules! packed_enum {
    ($Name:ident { $($Variant:ident = $byte:literal,)+ }) => {
        impl $crate::row::Packed for $Name {
            const LENGTH: usize = 1;

            fn pack(&self, to: &mut [u8]) {
                to.fill(match self { $($Name::$Variant => $byte,)+ });
            }

            fn unpack(from: &mut &[u8]) -> Result<$Name, $crate::row::RowError> {
                match u8::unpack(from)? {
                    $($byte => Ok($Name::$Variant),)+
                    other => Err($crate::row::RowError::Value { kind: stringify!($Name), found: other.to_string() }),
                }
            }
        }
    };
}

pub(crate) use packed_enum;

/// Returns the bytes of a row.
pub fn bytes<R: Packed, const N: usize>(row: &R) -> [u8; N] {
    const { assert!(N == R::LENGTH, "a row has its own length") };
    let mut bytes = [0; N];
    row.pack(&mut bytes);
    bytes
}

/// Reads a row from all of its bytes.
///
/// # Errors
///
/// [`RowError`] if the bytes are no such row.
pub fn read<R: Packed, const N: usize>(bytes: &[u8; N]) -> Result<R, RowError> {
    const { assert!(N == R::LENGTH, "a row has its own length") };
    R::unpack(&mut bytes.as_slice())
}

impl<const N: usize> Packed for [u8; N] {
    const LENGTH: usize = N;

    fn pack(&self, to: &mut [u8]) {
        to.copy_from_slice(self);
    }

    fn unpack(from: &mut &[u8]) -> Result<[u8; N], RowError> {
        from.split_off(..N).and_then(|bytes| bytes.try_into().ok()).ok_or(RowError::Short)
    }
}

macro_rules! packed_numbers {
    ($($Number:ty)+) => {$(
        impl Packed for $Number {
            const LENGTH: usize = size_of::<$Number>();

            fn pack(&self, to: &mut [u8]) {
                self.to_be_bytes().pack(to);
            }

            fn unpack(from: &mut &[u8]) -> Result<$Number, RowError> {
                Packed::unpack(from).map(<$Number>::from_be_bytes)
            }
        }
    )+};
}

packed_numbers!(u8 u32 u64 u128);

impl Packed for bool {
    const LENGTH: usize = 1;

    fn pack(&self, to: &mut [u8]) {
        u8::from(*self).pack(to);
    }

    fn unpack(from: &mut &[u8]) -> Result<bool, RowError> {
        match u8::unpack(from)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(RowError::Value { kind: "bool", found: other.to_string() }),
        }
    }
}

impl<T: Packed> Packed for Option<T> {
    const LENGTH: usize = 1 + T::LENGTH;

    fn pack(&self, to: &mut [u8]) {
        let (is_some, value) = to.split_at_mut(1);
        self.is_some().pack(is_some);
        match self {
            Some(held) => held.pack(value),
            None => value.fill(0),
        }
    }

    fn unpack(from: &mut &[u8]) -> Result<Option<T>, RowError> {
        if bool::unpack(from)? {
            return T::unpack(from).map(Some);
        }
        from.split_off(..T::LENGTH).ok_or(RowError::Short)?;
        Ok(None)
    }
}

/// Flipping the sign bit puts times before 1970 below those after it.
const SIGN: u128 = 1 << 127;

impl Packed for Timestamp {
    const LENGTH: usize = 16;

    fn pack(&self, to: &mut [u8]) {
        (self.as_nanosecond().cast_unsigned() ^ SIGN).pack(to);
    }

    fn unpack(from: &mut &[u8]) -> Result<Timestamp, RowError> {
        let nanosecond = (u128::unpack(from)? ^ SIGN).cast_signed();
        let wrong = |_| RowError::Value { kind: "time", found: nanosecond.to_string() };
        Timestamp::from_nanosecond(nanosecond).map_err(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    enum Colour {
        Red,
        Blue,
    }

    packed_enum! { Colour { Red = 0, Blue = 3, } }

    row! {
        #[derive(PartialOrd, Ord)]
        struct Inner {
            at: Option<Timestamp>,
            colour: Colour,
        }
    }

    row! {
        #[derive(PartialOrd, Ord)]
        struct Outer {
            key: [u8; 2],
            is_last: bool,
            inner: Inner,
            number: u32,
        }
    }

    fn outer() -> impl Strategy<Value = Outer> {
        let at = prop::option::of(-9_000_000_000_i64..9_000_000_000);
        (any::<[u8; 2]>(), any::<bool>(), at, any::<bool>(), any::<u32>()).prop_map(
            |(key, is_last, at, is_blue, number)| {
                let at = at.map(|second| Timestamp::from_second(second).unwrap());
                let colour = if is_blue { Colour::Blue } else { Colour::Red };
                Outer { key, is_last, inner: Inner { at, colour }, number }
            },
        )
    }

    proptest! {
        #[test]
        fn rows_are_read_as_written_and_sort_as_their_values(a in outer(), b in outer()) {
            let [of_a, of_b]: [[u8; Outer::LENGTH]; 2] = [bytes(&a), bytes(&b)];
            prop_assert_eq!(read(&of_a), Ok(a));
            prop_assert_eq!(of_a.cmp(&of_b), a.cmp(&b));
        }

        #[test]
        fn damaged_rows_are_errors_or_other_rows(row in outer(), at in 0..Outer::LENGTH, to: u8, cut in 0..Outer::LENGTH) {
            let mut bytes: [u8; Outer::LENGTH] = bytes(&row);
            prop_assert_eq!(Outer::unpack(&mut &bytes[..cut]), Err(RowError::Short));
            bytes[at] = to;
            if let Ok(read) = read::<Outer, _>(&bytes) {
                prop_assert_eq!(read.is_last, bytes[2] == 1);
            }
        }
    }

    #[test]
    fn a_wrong_value_is_named() {
        let wrong = read::<Colour, _>(&[1]).unwrap_err();
        assert_eq!(wrong.to_string(), "row of a scratch file has 1 for a Colour");
        assert_eq!(read::<bool, _>(&[2]).unwrap_err().to_string(), "row of a scratch file has 2 for a bool");
        assert!(matches!(read::<Timestamp, _>(&[0xff; 16]), Err(RowError::Value { kind: "time", .. })));
    }
}
