//! A trie of the n-grams of a sequence of tokens, and counts of those that another sequence has.

use super::overlap::ORDERS;

/// The n-grams of a sequence, one level for each order.
///
/// The n-grams of a level are numbered in the order of their tokens, so those that continue one n-gram by a token are
/// side by side on the next level, sorted by that token.
#[derive(Clone, Debug, Default)]
pub(super) struct Trie {
    levels: [TrieLevel; ORDERS],
}

#[derive(Clone, Debug, Default)]
struct TrieLevel {
    /// By n-gram: its last token.
    last: Vec<usize>,
    /// By n-gram: how often it occurs.
    count: Vec<usize>,
    /// By n-gram: where those that continue it begin on the next level. One more says where the last ones end.
    continued_from: Vec<usize>,
}

impl Trie {
    /// Counts the n-grams of a sequence. Its tokens are numbered from 0 without gaps, so the number of a token is that of
    /// its n-gram of order 1.
    pub(super) fn of(tokens: &[usize]) -> Self {
        let mut trie = Self::default();
        // By place: the number of the n-gram of the order before that begins there. All begin with the empty one.
        let mut begins = vec![0; tokens.len()];
        for order in 1..=ORDERS {
            let mut level = TrieLevel::default();
            let mut starts_of_parents = Vec::new();
            let lasts = tokens.iter().skip(order - 1);
            let mut grams: Vec<(usize, usize, usize)> = begins
                .iter()
                .zip(lasts)
                .enumerate()
                .map(|(place, (parent, last))| (*parent, *last, place))
                .collect();
            grams.sort_unstable();
            let mut before = None;
            for (parent, last, place) in grams {
                if before != Some((parent, last)) {
                    before = Some((parent, last));
                    starts_of_parents.resize(parent + 1, level.last.len());
                    level.last.push(last);
                    level.count.push(0);
                }
                let number = level.last.len() - 1;
                level.count[number] += 1;
                begins[place] = number;
            }
            if let Some(parents) = order.checked_sub(2).map(|above| &mut trie.levels[above]) {
                starts_of_parents.resize(parents.last.len() + 1, level.last.len());
                parents.continued_from = starts_of_parents;
            }
            trie.levels[order - 1] = level;
        }
        trie
    }

    /// Counts by order how many n-grams of another sequence are here, each at most as often as it occurs here. A token
    /// that does not occur here is `None`.
    pub(super) fn matched(&self, tokens: impl Iterator<Item = Option<usize>>) -> [usize; ORDERS] {
        let mut matched = [0; ORDERS];
        let mut left = self.levels.each_ref().map(|level| level.count.clone());
        // By order: the n-gram of this sequence that ends with the token that was just read.
        let mut ends: [Option<usize>; ORDERS] = [None; ORDERS];
        for token in tokens {
            let token = token.filter(|token| *token < self.levels[0].last.len());
            for order in (1..ORDERS).rev() {
                ends[order] = ends[order - 1]
                    .zip(token)
                    .and_then(|(gram, token)| self.continued(order - 1, gram, token));
            }
            ends[0] = token;
            for ((end, left), matched) in ends.iter().zip(&mut left).zip(&mut matched) {
                if let Some(gram) = *end
                    && left[gram] > 0
                {
                    left[gram] -= 1;
                    *matched += 1;
                }
            }
        }
        matched
    }

    fn continued(&self, level: usize, gram: usize, token: usize) -> Option<usize> {
        let from = &self.levels[level].continued_from;
        let range = from[gram]..from[gram + 1];
        let place = self.levels[level + 1].last[range.clone()].binary_search(&token).ok()?;
        Some(range.start + place)
    }
}
