use std::collections::BTreeMap;

/// Counts on how many pages things occur, and how often.
///
/// The caller chooses the key: a string between tags, a line at a position, the address of an image.
#[derive(Debug, Clone)]
pub struct Recurrence<K> {
    seen: BTreeMap<K, Occurrences>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Occurrences {
    times: u32,
    pages: u32,
    /// The last page seen, from 1.
    last: usize,
    twice: bool,
}

impl<K: Ord> Recurrence<K> {
    /// Returns an empty count.
    pub fn new() -> Recurrence<K> {
        Recurrence { seen: BTreeMap::new() }
    }

    /// Counts a thing on a page. Add everything on one page before the next page.
    pub fn add(&mut self, page: usize, key: K) {
        let seen = self.seen.entry(key).or_default();
        let is_new = seen.last != page + 1;
        seen.times = seen.times.saturating_add(1);
        seen.pages = seen.pages.saturating_add(u32::from(is_new));
        seen.twice |= !is_new;
        seen.last = page + 1;
    }

    /// Returns the number of pages that contain a thing.
    pub fn pages(&self, key: &K) -> usize {
        self.get(key).pages as usize
    }

    /// Returns the total number of times that a thing occurs.
    pub fn times(&self, key: &K) -> usize {
        self.get(key).times as usize
    }

    /// Returns `true` if a page contains a thing at least twice.
    pub fn is_twice_on_one(&self, key: &K) -> bool {
        self.get(key).twice
    }

    fn get(&self, key: &K) -> Occurrences {
        self.seen.get(key).copied().unwrap_or_default()
    }
}

impl<K: Ord> Default for Recurrence<K> {
    fn default() -> Recurrence<K> {
        Recurrence::new()
    }
}

impl<K: Ord> FromIterator<(usize, K)> for Recurrence<K> {
    fn from_iter<I: IntoIterator<Item = (usize, K)>>(things: I) -> Recurrence<K> {
        let mut recurrence = Recurrence::new();
        for (page, key) in things {
            recurrence.add(page, key);
        }
        recurrence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn counts_are_those_of_the_lists(pages in proptest::collection::vec(proptest::collection::vec(0_u16..4, 0..6), 0..6)) {
            let things = pages.iter().enumerate().flat_map(|(page, things)| things.iter().map(move |key| (page, *key)));
            let recurrence: Recurrence<u16> = things.collect();
            for key in 0..4 {
                let on = |page: &&Vec<u16>| page.contains(&key);
                let times = |page: &Vec<u16>| page.iter().filter(|held| **held == key).count();
                proptest::prop_assert_eq!(recurrence.pages(&key), pages.iter().filter(on).count());
                proptest::prop_assert_eq!(recurrence.times(&key), pages.iter().map(times).sum::<usize>());
                proptest::prop_assert_eq!(recurrence.is_twice_on_one(&key), pages.iter().any(|page| times(page) > 1));
            }
        }
    }
}
