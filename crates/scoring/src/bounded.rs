//! Reads lists and maps from files, with a limit on their length.
//!
//! An empty list takes one byte in a file and 24 in memory, so the unpacked size of a file says little about the memory it
//! needs.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// The most items: more than the columns of any schema, or the notes and parts of any file.
pub const MOST: usize = u16::MAX as usize;

struct BoundedVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for BoundedVisitor<Vec<T>> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at most {MOST} items")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            if list.len() == MOST {
                return Err(A::Error::invalid_length(MOST + 1, &self));
            }
            list.push(item);
        }
        Ok(list)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for BoundedVisitor<BTreeMap<String, T>> {
    type Value = BTreeMap<String, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at most {MOST} entries")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some((key, value)) = entries.next_entry()? {
            if map.len() == MOST {
                return Err(A::Error::invalid_length(MOST + 1, &self));
            }
            map.insert(key, value);
        }
        Ok(map)
    }
}

/// Reads a list of no more than [`MOST`] items.
///
/// # Errors
///
/// If there are more, or if an item cannot be read.
pub fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    from.deserialize_seq(BoundedVisitor(PhantomData::<Vec<T>>))
}

/// Reads a map of no more than [`MOST`] entries.
///
/// # Errors
///
/// If there are more, or if an entry cannot be read.
pub fn map<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<BTreeMap<String, T>, D::Error> {
    from.deserialize_map(BoundedVisitor(PhantomData::<BTreeMap<String, T>>))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;

    #[derive(Debug, PartialEq, Serialize, serde::Deserialize)]
    struct File {
        #[serde(deserialize_with = "list")]
        lists: Vec<Vec<f32>>,
        #[serde(deserialize_with = "map")]
        notes: BTreeMap<String, f32>,
    }

    fn file(lists: usize, notes: usize) -> File {
        let notes = (0..notes).map(|note| (note.to_string(), 1.0)).collect();
        File { lists: vec![Vec::new(); lists], notes }
    }

    #[test]
    fn long_lists_and_maps_are_refused() {
        for (lists, notes, is_read) in
            [(3, 2, true), (MOST, MOST, true), (MOST + 1, 0, false), (0, MOST + 1, false)]
        {
            let file = file(lists, notes);
            let read = postcard::from_bytes::<File>(&postcard::to_stdvec(&file).unwrap());
            assert_eq!(read.ok(), is_read.then_some(file), "{lists} {notes}");
        }
    }
}
