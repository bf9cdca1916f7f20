//! Finds the vectors of a set that are close to a given one.

use crate::budget::ComparisonBudget;
use crate::set::{Term, Vectors};
use crate::vector::{dot, is_close, is_negligible, length_squared};
use std::ops::ControlFlow;

/// The different vectors of a set of pages, ordered so that close ones are found without comparing with all.
///
/// Features are ranked, rare ones first. The *tail* of a vector from one of its features is that feature and all more
/// common ones. Vectors with equal tails are grouped in a [`Stem`]. If the rarest common feature of `x` and `y` is
/// where the tails `s` of `x` and `t` of `y` begin, then `x · y = s · t`, which is the same for all vectors with the
/// tail `t`. So each stem is compared once; its shortest vector is the closest, and if that is not close, none is. By
/// Cauchy–Schwarz, a stem with `√(s² t²) ≤ 0.9 |x| |y|` need not be compared at all: both tails must have more than
/// 81 % of their squared length, which for most blocks means starting at one of their rarest texts.
///
/// # Source
///
/// Prefix filtering by length: Bayardo, Ma & Srikant, “Scaling up all pairs similarity search”, WWW 2007, and
/// Anastasiu & Karypis, “L2AP”, ICDE 2014. Comparing stems is our own addition: lists with the same tags and
/// different texts share their common features, which makes posting lists long.
#[derive(Debug)]
pub(crate) struct NearStems {
    ranks: Vec<u32>,
    vectors: Vectors,
    squares: Vec<u64>,
    /// Indices of vectors; those with equal tails are adjacent.
    order: Vec<u32>,
    /// Sorted by the rank where the tail begins, then by the tail's share of the vector.
    stems: Vec<Stem>,
    ends: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
struct Stem {
    rank: u32,
    depth: u32,
    square: u64,
    from: u32,
    to: u32,
    nearest: Nearest,
}

#[derive(Debug, Clone, Copy, Default)]
struct Nearest {
    first: Option<(u64, u32)>,
    second: Option<(u64, u32)>,
}

impl Nearest {
    fn add(&mut self, square: u64, group: u32) {
        let new = Some((square, group));
        match self.first {
            Some((least, held)) if held == group => self.first = Some((least.min(square), group)),
            Some((least, _)) if least <= square => {
                if self.second.is_none_or(|(second, _)| square < second) {
                    self.second = new;
                }
            }
            _ => self.second = std::mem::replace(&mut self.first, new),
        }
    }

    fn outside(&self, group: Option<u32>) -> Option<u64> {
        let (square, held) = self.first?;
        if Some(held) == group { self.second.map(|(square, _)| square) } else { Some(square) }
    }
}

impl NearStems {
    /// Indexes vectors. `groups` has, for each vector, two of the groups of pages in which it occurs: enough to decide whether there
    /// is another one.
    pub(crate) fn new(features: usize, mut vectors: Vectors, groups: &[[Option<u32>; 2]]) -> NearStems {
        let ranks = rank_by_rarity(features, &vectors);
        vectors.renumber(&ranks);
        let squares: Vec<u64> = (0..vectors.len()).map(|at| length_squared(vectors.terms(at))).collect();
        let mut order: Vec<u32> = (0..u32::try_from(vectors.len()).unwrap_or(u32::MAX)).collect();
        // From the most common feature down, so that vectors with equal tails are adjacent.
        order.sort_unstable_by(|one, other| {
            let [one, other] = [one, other].map(|vector| vectors.terms(*vector as usize).iter().rev());
            one.cmp(other)
        });
        let mut stems = stems(&vectors, &squares, &order, groups);
        // Both have a shortest vector; the tail with the larger share of it comes first.
        stems.sort_by(|one, other| {
            let [whole, other_whole] =
                [one, other].map(|stem| u128::from(stem.nearest.first.map_or(1, |(square, _)| square)));
            let (square, other_square) = (u128::from(one.square), u128::from(other.square));
            one.rank.cmp(&other.rank).then((other_square * whole).cmp(&(square * other_whole)))
        });
        let mut ends = vec![0; features];
        for stem in &stems {
            ends[stem.rank as usize] += 1;
        }
        let mut end = 0;
        for count in &mut ends {
            end += *count;
            *count = end;
        }
        NearStems { ranks, vectors, squares, order, stems, ends }
    }

    /// Converts the terms of a page outside the set into a query. Features that the set lacks only add length.
    pub(crate) fn query(&self, terms: &[Term]) -> Query {
        let known =
            terms.iter().filter_map(|(feature, count)| Some((*self.ranks.get(*feature as usize)?, *count)));
        let mut known: Vec<Term> = known.collect();
        known.sort_unstable();
        Query { terms: known, square: length_squared(terms) }
    }

    pub(crate) fn query_of(&self, vector: usize) -> Query {
        Query { terms: self.vectors.terms(vector).to_vec(), square: self.squares[vector] }
    }

    /// Returns `true` if a vector in another group of pages is close; `None` if the budget was exceeded.
    pub(crate) fn has_close(
        &self,
        query: &Query,
        group: Option<u32>,
        budget: &mut ComparisonBudget,
    ) -> Option<bool> {
        let mut found = false;
        let told = self.each_close_stem(query, group, budget, |_, _| {
            found = true;
            ControlFlow::Break(())
        });
        (found || told.is_some()).then_some(found)
    }

    /// Visits all close vectors, some more than once, and tells `visit` whether each is equal. Vectors beyond the
    /// budget are skipped.
    pub(crate) fn each_close(
        &self,
        query: &Query,
        budget: &mut ComparisonBudget,
        mut visit: impl FnMut(usize, bool),
    ) {
        // A caller that counts close vectors does not need to know about the rest.
        let _ = self.each_close_stem(query, None, budget, |stem, budget| {
            for vector in &self.order[stem.from as usize..stem.to as usize] {
                let vector = *vector as usize;
                let terms = self.vectors.terms(vector);
                if !budget.spend(terms.len() + query.terms.len()) {
                    return ControlFlow::Break(());
                }
                if is_close(dot(&query.terms, terms), query.square, self.squares[vector]) {
                    visit(vector, query.square == self.squares[vector] && query.terms == terms);
                }
            }
            ControlFlow::Continue(())
        });
    }

    /// Visits the stems whose shortest vector outside a group is close, until `visit` breaks. Returns `None` if the
    /// budget was exceeded.
    fn each_close_stem(
        &self,
        query: &Query,
        group: Option<u32>,
        budget: &mut ComparisonBudget,
        mut visit: impl FnMut(&Stem, &mut ComparisonBudget) -> ControlFlow<()>,
    ) -> Option<()> {
        let mut tail = length_squared(&query.terms);
        for (at, (rank, count)) in query.terms.iter().enumerate() {
            if is_negligible(tail, query.square) {
                break;
            }
            for stem in self.stems_of(*rank) {
                let could = |square| could_be_close((tail, query.square), (stem.square, square));
                // The following stems share less.
                if !stem.nearest.first.is_some_and(|(square, _)| could(square)) {
                    break;
                }
                let Some(square) = stem.nearest.outside(group).filter(|square| could(*square)) else {
                    continue;
                };
                let (terms, tail_of_stem) = (&query.terms[at..], self.tail(stem));
                if !budget.spend(terms.len() + tail_of_stem.len()) {
                    return None;
                }
                if is_close(dot(terms, tail_of_stem), query.square, square) && visit(stem, budget).is_break()
                {
                    return Some(());
                }
            }
            tail -= u64::from(*count).pow(2);
        }
        Some(())
    }

    fn stems_of(&self, rank: u32) -> &[Stem] {
        let rank = rank as usize;
        let from = rank.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.stems[from..self.ends[rank]]
    }

    fn tail(&self, stem: &Stem) -> &[Term] {
        let terms = self.vectors.terms(self.order[stem.from as usize] as usize);
        &terms[terms.len() - stem.depth as usize..]
    }
}

/// A vector to find close ones for: terms by rank, and the squared length including features that no vector of the set
/// has.
#[derive(Debug)]
pub(crate) struct Query {
    terms: Vec<Term>,
    square: u64,
}

/// Returns `true` if vectors can be close when only these parts of them (squared lengths, of the squared whole) may
/// have common features: `part · other_part > 0.81 · whole · other_whole`.
fn could_be_close((part, whole): (u64, u64), (other_part, other_whole): (u64, u64)) -> bool {
    let [part, other_part, whole, other_whole] = [part, other_part, whole, other_whole].map(u128::from);
    // No overflow: squared lengths beyond 2⁶⁰ would need texts that do not fit into memory.
    100 * part * other_part > 81 * whole * other_whole
}

fn rank_by_rarity(features: usize, vectors: &Vectors) -> Vec<u32> {
    let mut frequencies = vec![0_u32; features];
    for vector in 0..vectors.len() {
        for (feature, _) in vectors.terms(vector) {
            frequencies[*feature as usize] += 1;
        }
    }
    let mut order: Vec<u32> = (0..u32::try_from(features).unwrap_or(u32::MAX)).collect();
    order.sort_unstable_by_key(|feature| (frequencies[*feature as usize], *feature));
    let mut ranks = vec![0; features];
    for (rank, feature) in (0..).zip(order) {
        ranks[feature as usize] = rank;
    }
    ranks
}

/// Finds the stems whose tails are long enough to matter for some vector.
fn stems(vectors: &Vectors, squares: &[u64], order: &[u32], groups: &[[Option<u32>; 2]]) -> Vec<Stem> {
    let mut stems: Vec<Stem> = Vec::new();
    // The stems of the current vector, shortest tail first.
    let mut open: Vec<Stem> = Vec::new();
    let mut close = |open: &mut Vec<Stem>, depth: usize, to: u32| {
        let closed = open.drain(depth..).filter(|stem| stem.nearest.first.is_some());
        stems.extend(closed.map(|stem| Stem { to, ..stem }));
    };
    let mut before: &[Term] = &[];
    for (at, vector) in (0_u32..).zip(order) {
        let vector = *vector as usize;
        let terms = vectors.terms(vector);
        let shared = before.iter().rev().zip(terms.iter().rev()).take_while(|(one, other)| one == other);
        close(&mut open, shared.count(), at);
        for (rank, count) in terms.iter().rev().skip(open.len()) {
            let square = open.last().map_or(0, |stem| stem.square) + u64::from(*count).pow(2);
            let depth = u32::try_from(open.len() + 1).unwrap_or(u32::MAX);
            open.push(Stem { rank: *rank, depth, square, from: at, to: at, nearest: Nearest::default() });
        }
        for stem in open.iter_mut().rev().take_while(|stem| !is_negligible(stem.square, squares[vector])) {
            for group in groups[vector].iter().flatten() {
                stem.nearest.add(squares[vector], *group);
            }
        }
        before = terms;
    }
    close(&mut open, 0, u32::try_from(order.len()).unwrap_or(u32::MAX));
    stems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_of_two_groups_are_kept() {
        let mut nearest = Nearest::default();
        for (square, group) in [(5, 1), (7, 1), (9, 2), (4, 3), (6, 2), (3, 3)] {
            nearest.add(square, group);
        }
        assert_eq!((nearest.first, nearest.second), (Some((3, 3)), Some((5, 1))));
        assert_eq!(
            (nearest.outside(Some(3)), nearest.outside(Some(1)), nearest.outside(None)),
            (Some(5), Some(3), Some(3))
        );
        assert_eq!(Nearest::default().outside(None), None);
    }

    proptest::proptest! {
        #[test]
        fn nearest_is_the_least_outside(added in proptest::collection::vec((0_u64..20, 0_u32..4), 0..12), own in 0_u32..4) {
            let mut nearest = Nearest::default();
            for (square, group) in &added {
                nearest.add(*square, *group);
            }
            let least = added.iter().filter(|(_, group)| *group != own).map(|(square, _)| *square).min();
            proptest::prop_assert_eq!(nearest.outside(Some(own)), least);
        }
    }
}
