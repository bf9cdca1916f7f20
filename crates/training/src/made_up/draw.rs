//! Draws that depend on a seed only.

use crate::random::mix;

/// A sequence of pseudo-random numbers.
#[derive(Debug, Clone)]
pub(super) struct Draw {
    seed: u64,
    drawn: usize,
}

impl Draw {
    pub(super) fn new(seed: u64) -> Draw {
        Draw { seed, drawn: 0 }
    }

    /// Returns draws for one purpose. They do not depend on how many other numbers were drawn.
    pub(super) fn apart(&self, purpose: &str) -> Draw {
        Draw::new(mix(self.seed, usize::try_from(hash(purpose) >> 1).unwrap_or(0)))
    }

    pub(super) fn number(&mut self) -> u64 {
        self.drawn += 1;
        mix(self.seed, self.drawn)
    }

    /// Returns a number below `end`; 0 if `end` is 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let number = self.number();
        usize::try_from(number % (end.max(1) as u64)).unwrap_or(0)
    }

    /// Returns a number from `first` to `last`.
    pub(super) fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last.saturating_sub(first) + 1)
    }

    /// Returns `true` in so many of 100 cases.
    pub(super) fn of_100(&mut self, cases: usize) -> bool {
        self.below(100) < cases
    }

    /// Returns one of some items, of which there must be at least one.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let at = self.below(items.len());
        &items[at]
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }

    /// Returns so many hexadecimal digits.
    pub(super) fn hex(&mut self, digits: usize) -> String {
        (0..digits).map(|_| char::from(b"0123456789abcdef"[self.below(16)])).collect()
    }

    /// Returns so many letters and digits, as bundlers name classes.
    pub(super) fn token(&mut self, length: usize) -> String {
        let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        (0..length)
            .map(|at| char::from(letters[self.below(if at == 0 { 52 } else { letters.len() })]))
            .collect()
    }
}

/// Returns a number for a text (FNV-1a).
pub(super) fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
