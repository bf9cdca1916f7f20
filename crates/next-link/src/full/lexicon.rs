//! Small hash tables of strings: words with meanings, and a memory of what strings of a page were found to be.

/// Words with meanings, looked up without regard to the case of ASCII letters.
///
/// Half of the slots are free, so that a look-up is one hash and about one comparison.
#[derive(Debug)]
pub(crate) struct Lexicon<T> {
    slots: Vec<(&'static str, T)>,
    longest: usize,
}

impl<T: Copy> Lexicon<T> {
    /// Takes groups of words, parted by white space, with a meaning each; the meanings of a word in several groups are
    /// joined.
    pub(crate) fn of(groups: &[(T, &'static str)], none: T, join: impl Fn(T, T) -> T) -> Lexicon<T> {
        let words = || {
            groups
                .iter()
                .flat_map(|(meaning, words)| words.split_ascii_whitespace().map(|word| (word, *meaning)))
        };
        let size = (2 * words().count()).next_power_of_two().max(2);
        let mut lexicon = Lexicon {
            slots: vec![("", none); size],
            longest: words().map(|(word, _)| word.len()).max().unwrap_or(0),
        };
        for (word, meaning) in words() {
            let slot = lexicon.slot(word);
            let held = lexicon.slots[slot].1;
            lexicon.slots[slot] = (word, join(held, meaning));
        }
        lexicon
    }

    /// The meaning of a word.
    pub(crate) fn get(&self, word: &str) -> Option<T> {
        if word.is_empty() || word.len() > self.longest {
            return None;
        }
        let (held, meaning) = self.slots[self.slot(word)];
        (!held.is_empty()).then_some(meaning)
    }

    /// The place of a word, or the free one where it would stand.
    fn slot(&self, word: &str) -> usize {
        let mut hash = 0x811c_9dc5_u32;
        for byte in word.bytes() {
            hash = (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193);
        }
        let mask = self.slots.len() - 1;
        let mut slot = (hash ^ (hash >> 15)) as usize & mask;
        while !self.slots[slot].0.is_empty() && !self.slots[slot].0.eq_ignore_ascii_case(word) {
            slot = (slot + 1) & mask;
        }
        slot
    }
}

/// What strings of a page were found to be: the latest one of each slot, for values of attributes repeat a lot.
///
/// Where two strings share a slot the later one takes it, so that no page can make a look-up long.
#[derive(Debug)]
pub(crate) struct Memo<'p, T> {
    slots: Vec<Option<(&'p str, T)>>,
}

/// Slots of a memory.
const SLOTS: usize = 512;

/// Longer strings are told apart by where they stand alone: comparing them would cost as much as reading them.
const MAX_KEPT: usize = 512;

impl<'p, T: Copy> Memo<'p, T> {
    pub(crate) fn new() -> Memo<'p, T> {
        Memo { slots: vec![None; SLOTS] }
    }

    /// What the string is: as kept, or as `find` says.
    pub(crate) fn get(&mut self, text: &'p str, find: impl FnOnce(&'p str) -> T) -> T {
        let slot = slot(super::words::cut(text, MAX_KEPT));
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

/// A hash of eight bytes at a time: what strings collide does not matter here.
fn slot(text: &str) -> usize {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mix = |hash: u64, word: u64| {
        let hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^ (hash >> 32)
    };
    let hash = words.iter().fold(text.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let last = rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let hash = mix(hash, last).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    // The highest bits are the best mixed.
    let slot = (hash >> 55) as usize;
    slot % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_in_any_case() {
        let lexicon = Lexicon::of(&[(1, "next läuft"), (2, "next page")], 0, |a, b| a | b);
        let found =
            ["next", "NEXT", "läuft", "page", "pag", "pages", "", "LÄUFT"].map(|word| lexicon.get(word));
        assert_eq!(found, [Some(3), Some(3), Some(1), Some(2), None, None, None, None]);
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
