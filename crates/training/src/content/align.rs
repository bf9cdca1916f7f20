//! Aligns a clean text with the words of the page that it was taken from.

/// Returns, for each word of a page, `true` if it is in the gold text.
///
/// Words are hashes. Runs of three words that both texts have are chained in order, which covers most words. The rest of
/// the gold text may match anywhere else on the page, since parts may be in another order. Matches grow in both directions
/// while words are equal.
///
/// # Cost
///
/// `O(n log n)` for a bounded number of matches a run; runs that occur often are left out.
pub(super) fn aligned(page: &[u64], gold: &[u64]) -> Vec<bool> {
    let mut covered = vec![false; page.len()];
    let mut used = vec![false; gold.len()];
    // Shorter runs find what is left between longer ones.
    for length in [5, 3, 2] {
        for _ in 0..2 {
            let pairs = matches(page, gold, &covered, &used, length);
            if pairs.is_empty() {
                break;
            }
            for (at, other) in longest_chain(&pairs) {
                grow(page, gold, &mut covered, &mut used, at, other);
            }
        }
    }
    covered
}

const MAX_OCCURRENCES: usize = 6;

fn key(run: &[u64]) -> u64 {
    run.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, word| {
        (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
    })
}

/// Places of equal runs in both texts, sorted by the first, then backwards by the second.
fn matches(
    page: &[u64],
    gold: &[u64],
    covered: &[bool],
    used: &[bool],
    length: usize,
) -> Vec<(usize, usize)> {
    let mut runs: Vec<(u64, usize)> = gold
        .windows(length)
        .enumerate()
        .filter(|(at, _)| !used[*at..at + length].contains(&true))
        .map(|(at, run)| (key(run), at))
        .collect();
    runs.sort_unstable();
    let mut pairs = Vec::new();
    for (at, run) in page.windows(length).enumerate() {
        if covered[at..at + length].contains(&true) {
            continue;
        }
        let key = key(run);
        let from = runs.partition_point(|(other, _)| *other < key);
        let found: Vec<usize> = runs[from..]
            .iter()
            .take_while(|(other, _)| *other == key)
            .map(|(_, at)| *at)
            .take(MAX_OCCURRENCES + 1)
            .collect();
        if found.len() <= MAX_OCCURRENCES {
            pairs.extend(found.iter().rev().map(|other| (at, *other)));
        }
    }
    pairs
}

fn longest_chain(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `tails[n]`: the pair with the least second place that ends a chain of n + 1 pairs.
    let mut tails: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, (_, second)) in pairs.iter().enumerate() {
        let place = tails.partition_point(|tail| pairs[*tail].1 < *second);
        before.push(place.checked_sub(1).map(|place| tails[place]));
        if place == tails.len() { tails.push(index) } else { tails[place] = index }
    }
    let mut chain = Vec::new();
    let mut at = tails.last().copied();
    while let Some(index) = at {
        chain.push(pairs[index]);
        at = before[index];
    }
    chain.reverse();
    chain
}

fn grow(page: &[u64], gold: &[u64], covered: &mut [bool], used: &mut [bool], at: usize, other: usize) {
    let free =
        |covered: &[bool], used: &[bool], a: usize, b: usize| !covered[a] && !used[b] && page[a] == gold[b];
    let (mut a, mut b) = (at, other);
    while a < page.len() && b < gold.len() && free(covered, used, a, b) {
        (covered[a], used[b]) = (true, true);
        (a, b) = (a + 1, b + 1);
    }
    let (mut a, mut b) = (at, other);
    while a > 0 && b > 0 && free(covered, used, a - 1, b - 1) {
        (a, b) = (a - 1, b - 1);
        (covered[a], used[b]) = (true, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(page: &str, gold: &str) -> String {
        let words = |text: &str| -> Vec<u64> { text.bytes().map(u64::from).collect() };
        aligned(&words(page), &words(gold)).iter().map(|covered| if *covered { '#' } else { '.' }).collect()
    }

    #[test]
    fn words_of_the_gold_text_are_found_once() {
        assert_eq!(covered("menuABCDEFGfootABCDEFG", "ABCDEFG").matches('#').count(), 7, "once, not twice");
        assert_eq!(covered("xxABCDEyyFGHIJzz", "ABCDEFGHIJ"), "..#####..#####..");
        assert_eq!(covered("FGHIJxxABCDE", "ABCDEFGHIJ"), "#####..#####", "parts in another order");
        assert_eq!(covered("ab", ""), "..");
        assert_eq!(covered("", "ab"), "");
    }
}
