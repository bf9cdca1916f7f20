//! Small hash tables of strings: words with meanings, and a cache for the strings of a page.

use crate::{text, word_list};
use bitflags::Flags;

/// Words with meanings, looked up without regard to ASCII case.
///
/// Half of the slots are free, so a lookup takes one hash and about one comparison.
#[derive(Debug)]
pub struct Lexicon<T> {
    slots: Vec<Slot<T>>,
    longest: usize,
    /// One bit for each [`sketch`] of a word: nearly all lookups fail, and most of them already here.
    sketches: [u64; SKETCHES / 64],
}

#[derive(Debug, Clone)]
struct Slot<T> {
    digest: u32,
    word: &'static str,
    meaning: T,
}

impl<T: Copy> Lexicon<T> {
    /// Builds a table from words and meanings; several meanings of one word are joined.
    pub fn of(words: &[(T, &'static str)], none: T, join: impl Fn(T, T) -> T) -> Lexicon<T> {
        let size = (2 * words.len()).next_power_of_two().max(2);
        let mut lexicon = Lexicon {
            slots: vec![Slot { digest: 0, word: "", meaning: none }; size],
            longest: words.iter().map(|(_, word)| word.len()).max().unwrap_or(0),
            sketches: [0; SKETCHES / 64],
        };
        for (meaning, word) in words.iter().copied() {
            let sketch = sketch(word);
            lexicon.sketches[sketch / 64] |= 1 << (sketch % 64);
            let digest = digest(word);
            let slot = lexicon.slot(word, digest);
            let held = lexicon.slots[slot].meaning;
            lexicon.slots[slot] = Slot { digest, word, meaning: join(held, meaning) };
        }
        lexicon
    }

    /// Returns the meaning of a word.
    #[inline]
    pub fn get(&self, word: &str) -> Option<T> {
        if word.is_empty() || word.len() > self.longest {
            return None;
        }
        let sketch = sketch(word);
        if self.sketches[sketch / 64] >> (sketch % 64) & 1 == 0 {
            return None;
        }
        let held = &self.slots[self.slot(word, digest(word))];
        (!held.word.is_empty()).then_some(held.meaning)
    }

    #[inline]
    fn slot(&self, word: &str, digest: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = digest as usize & mask;
        let is_other = |held: &Slot<T>| held.digest != digest || !held.word.eq_ignore_ascii_case(word);
        while !self.slots[slot].word.is_empty() && is_other(&self.slots[slot]) {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

impl<T: Flags<Bits = u32> + Copy> Lexicon<T> {
    /// Builds a table from a word list whose groups are named after flags.
    pub fn of_flags(list: &'static str) -> Lexicon<T> {
        let words: Vec<_> = word_list::words(list).map(|(group, word)| (flags(group), word)).collect();
        Lexicon::of(&words, T::empty(), T::union)
    }
}

/// Returns the flags that a group's name lists: `next`, or `next | arrow_right`. Returns none if one is unknown,
/// which the tests of the lists rule out.
pub fn flags<T: Flags<Bits = u32>>(group: &str) -> T {
    bitflags::parser::from_str_strict(&group.to_ascii_uppercase()).unwrap_or_else(|_| T::empty())
}

/// Number of sketches: about ten for each word of the largest table.
const SKETCHES: usize = 8192;

/// Returns a sketch of a word in any case: its length, and its first, last and middle byte.
#[inline]
fn sketch(word: &str) -> usize {
    let bytes = word.as_bytes();
    let [first, last, middle] = [0, bytes.len().wrapping_sub(1), bytes.len() / 2]
        .map(|at| u32::from(bytes.get(at).copied().unwrap_or_default() | 0x20));
    #[expect(clippy::cast_possible_truncation, reason = "words are short")]
    let all = first | last << 8 | middle << 16 | (bytes.len() as u32) << 24;
    all.wrapping_mul(0x9e37_79b1) as usize >> 19
}

/// Returns a digest of a word in any case: of its length, and of its first and last eight bytes, since words are short.
#[inline]
fn digest(word: &str) -> u32 {
    let bytes = word.as_bytes();
    let (first, last) = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => (bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)), 0),
    };
    // The bit that distinguishes lower case from upper case; it carries little information in other characters.
    let small = 0x2020_2020_2020_2020;
    let hash = mix(mix(bytes.len() as u64, first | small), last | small);
    (hash >> 32) as u32
}

/// A cache for the strings of a page, with the latest one in each slot, since attribute values repeat a lot.
///
/// If two strings share a slot, the later one replaces the earlier, so no page can make lookups slow.
#[derive(Debug)]
pub struct Memo<'p, T> {
    /// Allocated on first use.
    slots: Vec<Option<(&'p str, T)>>,
    size: usize,
}

/// Number of slots for a whole page: a power of two.
const SLOTS: usize = 1 << SLOT_BITS;
const SLOT_BITS: u32 = 9;
/// Longer strings are not cached: comparing them would cost as much as reading them.
const MAX_KEPT: usize = 512;

impl<T: Copy> Default for Memo<'_, T> {
    fn default() -> Self {
        Memo::new()
    }
}

impl<'p, T: Copy> Memo<'p, T> {
    /// Creates a cache with 512 slots.
    pub fn new() -> Memo<'p, T> {
        Memo::of_size(SLOTS)
    }

    /// Creates a cache with this many slots: a power of two, at most 512.
    pub fn of_size(size: usize) -> Memo<'p, T> {
        Memo { slots: Vec::new(), size }
    }

    /// Returns the cached value of a string, or computes it with `find`.
    pub fn get(&mut self, text: &'p str, find: impl FnOnce(&'p str) -> T) -> T {
        if self.slots.is_empty() {
            self.slots.resize(self.size, None);
        }
        let slot = slot(&text[..text.floor_char_boundary(MAX_KEPT)]) % self.size;
        let is_same = |held: &str| std::ptr::eq(held, text) || (text.len() <= MAX_KEPT && held == text);
        match self.slots[slot] {
            Some((held, found)) if is_same(held) => found,
            _ => {
                let found = find(text);
                self.slots[slot] = Some((text, found));
                found
            }
        }
    }
}

fn slot(text: &str) -> usize {
    (text::digest(text.as_bytes()) >> (64 - SLOT_BITS)) as usize
}

#[inline]
fn mix(hash: u64, word: u64) -> u64 {
    let hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_in_any_case() {
        let lexicon = Lexicon::of(&[(1, "next"), (1, "läuft"), (2, "next"), (2, "page")], 0, |a, b| a | b);
        let found =
            ["next", "NEXT", "läuft", "page", "pag", "pages", "", "LÄUFT"].map(|word| lexicon.get(word));
        assert_eq!(found, [Some(3), Some(3), Some(1), Some(2), None, None, None, None]);
    }

    #[test]
    fn sketches_pass_all_words_and_few_others() {
        let words: Vec<String> = (0..800).map(|n| format!("{}ß{n}", "wörter".repeat(n % 3))).collect();
        let lexicon = Lexicon::of(
            &words.iter().map(|word| ((), &*word.clone().leak())).collect::<Vec<_>>(),
            (),
            |(), ()| (),
        );
        assert!(words.iter().all(|word| lexicon.get(word).is_some()));
        let has_sketch = |n: &u32| {
            let sketch = sketch(&format!("x{n}y{}", n * n));
            lexicon.sketches[sketch / 64] >> (sketch % 64) & 1 == 1
        };
        assert!((0..1_000_u32).filter(has_sketch).count() < 300);
    }

    #[test]
    fn what_is_kept_is_not_found_again() {
        let texts: Vec<String> = (0..2_000).map(|at| format!("class-{}", at % 700)).collect();
        let (mut memo, mut found) = (Memo::new(), 0);
        for text in &texts {
            let length = memo.get(text, |text| {
                found += 1;
                text.len()
            });
            assert_eq!(length, text.len());
        }
        assert!((700..2_000).contains(&found), "{found}");
        let once = "one class".to_owned();
        let mut memo = Memo::new();
        assert_eq!((0..9).map(|at| memo.get(&once, |_| at)).collect::<Vec<_>>(), [0; 9]);
        let long = ["x".repeat(MAX_KEPT + 1), "x".repeat(MAX_KEPT + 1)];
        let found = [0, 0, 1, 1].map(|at: usize| memo.get(&long[at], |_| at));
        assert_eq!(found, [0, 0, 1, 1], "a long one is read once where it stands");
    }
}
