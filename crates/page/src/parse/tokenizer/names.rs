//! Names of elements and attributes, as html5ever's atoms.

use crate::limits::MAX_NAMES;
use crate::tags::{Attr, Tag};
use markup5ever::LocalName;
use std::borrow::Borrow;
use std::collections::BTreeSet;

/// Longest name that is in no list, in bytes.
const INLINE: usize = 7;
/// Number of names that are found at once if they come again.
const RECENT: usize = 256;
/// Number of names of most pages.
const USUAL: usize = 64;

/// The name of a tag or an attribute, in all its forms.
#[derive(Debug, Clone)]
pub(crate) struct Name {
    pub(crate) atom: LocalName,
    pub(crate) tag: Tag,
    pub(crate) attr: Attr,
}

impl From<LocalName> for Name {
    fn from(atom: LocalName) -> Name {
        Name { tag: Tag::of(&atom), attr: Attr::of(&atom), atom }
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Unknown(LocalName);

impl Borrow<str> for Unknown {
    fn borrow(&self) -> &str {
        &self.0
    }
}

pub(super) struct NameCache {
    /// Keys of names, which are never 0, and their places in `names`: tables of zeros cost a short page nothing.
    keys: Box<[u64]>,
    places: Box<[u8]>,
    names: Vec<Name>,
    unknown: BTreeSet<Unknown>,
    folded: String,
    pub(super) exceeded: bool,
}

impl Default for NameCache {
    fn default() -> Self {
        NameCache {
            keys: vec![0; RECENT].into_boxed_slice(),
            places: vec![0; RECENT].into_boxed_slice(),
            names: Vec::with_capacity(USUAL),
            unknown: BTreeSet::new(),
            folded: String::new(),
            exceeded: false,
        }
    }
}

impl NameCache {
    /// Returns a name in any case, with U+FFFD for U+0000; `None` if there are too many.
    pub(super) fn folded(&mut self, name: &str) -> Option<Name> {
        let mut folded = std::mem::take(&mut self.folded);
        folded.clear();
        folded.extend(name.chars().map(|c| if c == '\0' { '\u{FFFD}' } else { c.to_ascii_lowercase() }));
        let atom = self.get(&folded);
        self.folded = folded;
        atom
    }

    #[inline]
    pub(super) fn get(&mut self, name: &str) -> Option<Name> {
        let key = key(name.as_bytes());
        let place = place(key);
        if self.keys[place] == key {
            let recent = &self.names[usize::from(self.places[place])];
            // Keys of long names are hashes.
            if name.len() <= INLINE || *recent.atom == *name {
                return Some(recent.clone());
            }
        }
        self.found(name, key, place)
    }

    #[cold]
    fn found(&mut self, name: &str, key: u64, place: usize) -> Option<Name> {
        let found = Name::from(if name.len() <= INLINE { LocalName::from(name) } else { self.find(name)? });
        if self.keys[place] == 0 {
            self.places[place] = u8::try_from(self.names.len()).unwrap_or(u8::MAX);
            self.names.push(found.clone());
        } else {
            self.names[usize::from(self.places[place])] = found.clone();
        }
        self.keys[place] = key;
        Some(found)
    }

    fn find(&mut self, name: &str) -> Option<LocalName> {
        if let Some(known) = LocalName::try_static(name) {
            return Some(known);
        }
        if let Some(Unknown(atom)) = self.unknown.get(name) {
            return Some(atom.clone());
        }
        if self.unknown.len() == MAX_NAMES {
            self.exceeded = true;
            return None;
        }
        let atom = LocalName::from(name);
        // Holding it keeps it in its list, so that it is not put there again.
        self.unknown.insert(Unknown(atom.clone()));
        Some(atom)
    }
}

/// The bit that keys of long names have, and those of others do not.
const LONG: u64 = 1 << 63;

/// Returns a number that is not 0: for a name of up to seven bytes, one of its own; for a longer one, a hash of its first and last
/// bytes.
fn key(name: &[u8]) -> u64 {
    let length = name.len() as u64;
    let four = |bytes: Option<&[u8; 4]>| bytes.map_or(0, |bytes| u64::from(u32::from_le_bytes(*bytes)));
    let eight = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let bytes = match *name {
        [] => 0,
        [a] => u64::from(a),
        [a, b] => u64::from(a) | u64::from(b) << 8,
        [a, b, c] => u64::from(a) | u64::from(b) << 8 | u64::from(c) << 16,
        // The two halves overlap, where both have the same bytes.
        _ if length <= 7 => four(name.first_chunk()) | four(name.last_chunk()) << (8 * (length - 4)),
        _ => return LONG | (eight(name.first_chunk()) ^ eight(name.last_chunk()).rotate_left(29)),
    };
    bytes | (length + 1) << 56
}

fn place(key: u64) -> usize {
    // The golden ratio, as a fraction of 2⁶⁴: multiplying by it spreads a difference over the highest bits.
    let spread = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    usize::try_from(spread >> (u64::BITS - RECENT.ilog2())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_html5ever() {
        let mut names = NameCache::default();
        for name in ["a", "section", "blockquote", "data-something", "x-é", "data-something"] {
            assert_eq!(names.get(name).map(|name| name.atom), Some(LocalName::from(name)));
        }
        assert_eq!(names.unknown.len(), 1, "only `data-something` is long and not known");
        for (written, name) in [("BlockQuote", "blockquote"), ("É\0X", "É\u{FFFD}x")] {
            assert_eq!(names.folded(written).map(|name| name.atom), Some(LocalName::from(name)));
        }
    }

    #[test]
    fn short_names_have_keys_of_their_own() {
        let names = [
            "", "a", "b", "ab", "ba", "abc", "a\0", "abcd", "abcde", "abcdef", "abcdefg", "abcdeff",
            "bbcdefg",
        ];
        let keys: BTreeSet<u64> = names.iter().map(|name| key(name.as_bytes())).collect();
        assert_eq!(keys.len(), names.len());
        assert!(keys.iter().all(|key| *key != 0 && key & LONG == 0));
        // A long name whose hash would be that of nothing.
        let last = u64::from_le_bytes(*b"abcdefgh");
        let hashed = [last.rotate_left(29).to_le_bytes(), last.to_le_bytes()].concat();
        assert_eq!(key(&hashed), LONG);
    }

    #[test]
    fn unknown_names_are_limited() {
        let mut names = NameCache::default();
        for number in 0..MAX_NAMES {
            assert!(names.get(&format!("unknown-{number}")).is_some());
        }
        assert!(!names.exceeded);
        assert!(names.get("unknown-another").is_none());
        assert!(names.exceeded);
        assert!(names.get("unknown-0").is_some() && names.get("blockquote").is_some());
    }
}
