//! Names of elements and attributes, as html5ever's atoms.

use html5ever::LocalName;
use std::borrow::Borrow;
use std::collections::BTreeSet;

/// Most names of a page that HTML does not know; tags and attributes of others are dropped.
/// Names longer than seven bytes that HTML does not know are in lists that all pages share. Which list is known in advance,
/// so that a page could bring all of its names into one, and each is compared with all before it.
pub(crate) const MAX_NAMES: usize = 10_000;
/// Longest name that is in no list, in bytes.
const INLINE: usize = 7;
/// Number of names that are found at once if they come again.
const RECENT: usize = 256;

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Unknown(LocalName);

impl Borrow<str> for Unknown {
    fn borrow(&self) -> &str {
        &self.0
    }
}

pub(super) struct NameCache {
    recent: Box<[LocalName]>,
    unknown: BTreeSet<Unknown>,
    folded: String,
    pub(super) exceeded: bool,
}

impl Default for NameCache {
    fn default() -> Self {
        let recent = vec![LocalName::default(); RECENT].into_boxed_slice();
        NameCache { recent, unknown: BTreeSet::new(), folded: String::new(), exceeded: false }
    }
}

impl NameCache {
    /// Returns the atom of a name in any case, with U+FFFD for U+0000; `None` if there are too many.
    pub(super) fn folded(&mut self, name: &str) -> Option<LocalName> {
        let mut folded = std::mem::take(&mut self.folded);
        folded.clear();
        folded.extend(name.chars().map(|c| if c == '\0' { '\u{FFFD}' } else { c.to_ascii_lowercase() }));
        let atom = self.get(&folded);
        self.folded = folded;
        atom
    }

    #[inline]
    pub(super) fn get(&mut self, name: &str) -> Option<LocalName> {
        if name.len() <= INLINE {
            return Some(LocalName::from(name));
        }
        let place = place(name.as_bytes());
        if *self.recent[place] == *name {
            return Some(self.recent[place].clone());
        }
        let atom = self.find(name)?;
        self.recent[place] = atom.clone();
        Some(atom)
    }

    #[cold]
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

fn place(name: &[u8]) -> usize {
    let eight = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let mixed = eight(name.first_chunk()) ^ eight(name.last_chunk()).rotate_left(29);
    // The golden ratio, as a fraction of 2⁶⁴: multiplying by it spreads a difference over the highest bits.
    let spread = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    usize::try_from(spread >> (u64::BITS - RECENT.ilog2())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_html5ever() {
        let mut names = NameCache::default();
        for name in ["a", "section", "blockquote", "data-something", "x-é", "data-something"] {
            assert_eq!(names.get(name), Some(LocalName::from(name)));
        }
        assert_eq!(names.unknown.len(), 1, "only `data-something` is long and not known");
        assert_eq!(names.folded("BlockQuote"), Some(LocalName::from("blockquote")));
        assert_eq!(names.folded("É\0X"), Some(LocalName::from("É\u{FFFD}x")));
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
