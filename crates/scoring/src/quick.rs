//! Scores many rows at once: splits are compared column by column, not tree by tree.
//!
//! On a walk down a tree, a processor mispredicts every other split, and each step waits for the one before. Here every
//! leaf of a tree is a bit. If a row exceeds the threshold of a split, the leaves on its left are ruled out; the leftmost
//! of the remaining leaves is where the walk would have ended. So the splits of a column can be visited in any order:
//! they are sorted by threshold, and the first one that no row exceeds ends the column. [`LANES`] rows are compared
//! together, with vector instructions. Columns that are equal in all rows, such as facts about the page, are compared
//! once, and rows are laid out once for all models of a page. The sums equal those of the walk, bit for bit.
//!
//! `fearless_simd` chooses the instructions at run time. It has no dependencies, and needs no `unsafe` here; `pulp` and
//! `multiversion` do as much with procedural macros.
//!
//! # Source
//!
//! Lucchese et al. (2015), `QuickScorer`, SIGIR 38, 73–82, <https://doi.org/10.1145/2766462.2767733>; several rows
//! together: Lucchese et al. (2016), Exploiting CPU SIMD Extensions to Speed-up Document Scoring with Tree
//! Ensembles, SIGIR 39, 833–836, <https://doi.org/10.1145/2911451.2914758>.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use fearless_simd::prelude::*;
use fearless_simd::{Level, dispatch, f32x16, u32x16};

const LANES: usize = 16;

/// Number of rows up to which their leaves are added row by row, not eight at a time.
const FEW: usize = 4;

/// The most leaves of a tree: each is a bit.
const MAX_LEAVES: usize = u32::BITS as usize;

/// A split whose left child follows it, or a leaf, which has no right child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeNode {
    /// The greatest value that goes left; in a leaf, its value.
    pub(crate) threshold: f32,
    pub(crate) right: u32,
    pub(crate) column: u16,
}

impl TreeNode {
    pub(crate) const fn is_leaf(self) -> bool {
        self.right == 0
    }
}

#[derive(Clone, Copy, Debug)]
struct SortedSplit {
    threshold: f32,
    tree: u32,
    /// The leaves that remain if a row exceeds the threshold.
    remain: u32,
}

/// Number of rows from which sorting the splits pays off: it takes as long as walking with that many rows. A program
/// that reads one small page never sorts.
const WORTH_SORTING: usize = 32;

/// Splits that are sorted as soon as it pays off; `None` for trees that cannot be sorted.
#[derive(Debug)]
pub(crate) struct SortedOnce<T> {
    held: OnceLock<Option<T>>,
    walked: AtomicUsize,
}

impl<T> Default for SortedOnce<T> {
    fn default() -> Self {
        SortedOnce { held: OnceLock::new(), walked: AtomicUsize::new(0) }
    }
}

impl<T: Clone> Clone for SortedOnce<T> {
    fn clone(&self) -> Self {
        SortedOnce { held: self.held.clone(), walked: AtomicUsize::new(0) }
    }
}

impl<T> SortedOnce<T> {
    /// Returns the splits sorted, for `rows` rows. Sorts them if the rows so far make it pay off; `None` means that the
    /// rows should walk, as does no row at all.
    pub(crate) fn get(&self, rows: usize, sort: impl FnOnce() -> Option<T>) -> Option<&T> {
        let held = match self.held.get() {
            Some(held) => held,
            None if rows + self.walked.fetch_add(rows, Ordering::Relaxed) < WORTH_SORTING => return None,
            None => self.held.get_or_init(sort),
        };
        held.as_ref().filter(|_| rows > 0)
    }
}

/// Rows laid out for comparing: the values of [`LANES`] rows in a column stand side by side. Several models score the rows
/// of a page, which are laid out once.
#[derive(Clone, Debug)]
pub(crate) struct Tiles {
    /// The first row.
    first: Vec<f32>,
    /// For each column, the bits that differ between rows; vectors of them are as long as those of values.
    varies: Vec<u32>,
    /// For each sixteen rows, their values in each column. The last rows may be fewer; the other lanes
    /// repeat the first of them.
    lanes: Vec<[f32; LANES]>,
}

impl Tiles {
    /// Lays out rows of `width` values, one after the other.
    pub(crate) fn of(values: &[f32], width: usize) -> Tiles {
        let width = width.max(1);
        let (first, others) = values.split_at(width.min(values.len()));
        let mut varies = vec![0; first.len()];
        for row in others.chunks_exact(width) {
            for ((varies, value), first) in varies.iter_mut().zip(row).zip(first) {
                *varies |= value.to_bits() ^ first.to_bits();
            }
        }
        // Nothing of a single row is compared side by side.
        if others.is_empty() {
            return Tiles { first: first.to_vec(), varies, lanes: Vec::new() };
        }
        let mut lanes = Vec::with_capacity(values.len().div_ceil(LANES * width) * width);
        for rows in values.chunks(LANES * width) {
            let from = lanes.len();
            lanes.extend(rows[..width].iter().map(|value| [*value; LANES]));
            for (lane, row) in rows.chunks_exact(width).enumerate().skip(1) {
                for (lanes, value) in lanes[from..].iter_mut().zip(row) {
                    // The remainder spares checks of the bound.
                    lanes[lane % LANES] = *value;
                }
            }
        }
        Tiles { first: first.to_vec(), varies, lanes }
    }

    fn iter(&self) -> impl Iterator<Item = &[[f32; LANES]]> {
        self.lanes.chunks_exact(self.first.len().max(1))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Quick {
    /// For each column, the end of its splits; they begin at the end of the column before.
    ends: Vec<u32>,
    splits: Vec<SortedSplit>,
    /// For each tree, its leaves; 0 behind the last.
    leaves: Vec<[f32; MAX_LEAVES]>,
}

/// Returns the leftmost of the remaining leaves of a tree, of which there is at least one.
fn leftmost(leaves: &[f32; MAX_LEAVES], remaining: u32) -> f32 {
    // The remainder spares checks of the bound.
    leaves[remaining.trailing_zeros() as usize % MAX_LEAVES]
}

impl Quick {
    /// Sorts the splits of all trees; returns `None` if a tree has too many leaves.
    ///
    /// `nodes` are in pre-order; `trees` holds the range of each tree.
    pub(crate) fn of(
        nodes: &[TreeNode],
        trees: impl Iterator<Item = std::ops::Range<usize>>,
    ) -> Option<Quick> {
        let mut quick = Quick { ends: Vec::new(), splits: Vec::new(), leaves: Vec::new() };
        let mut columns = Vec::new();
        for (tree, range) in trees.enumerate() {
            let (mut leaves, mut count) = ([0.0; MAX_LEAVES], 0);
            // Leaves before each node; those on the left of a split come before its right child.
            let mut before = Vec::with_capacity(range.len());
            for at in range.clone() {
                before.push(count);
                if nodes[at].is_leaf() {
                    *leaves.get_mut(count)? = nodes[at].threshold;
                    count += 1;
                }
            }
            quick.leaves.push(leaves);
            for at in range.clone().filter(|at| !nodes[*at].is_leaf()) {
                let on_left = before[at - range.start]..before[nodes[at].right as usize - range.start];
                let left = on_left.fold(0_u32, |bits, leaf| bits | 1 << leaf);
                let tree = u32::try_from(tree).ok()?;
                columns.push(nodes[at].column);
                quick.splits.push(SortedSplit { threshold: nodes[at].threshold, tree, remain: !left });
            }
        }
        let width = columns.iter().max().map_or(0, |most| usize::from(*most) + 1);
        let mut of_columns = vec![Vec::new(); width];
        for (column, split) in columns.into_iter().zip(quick.splits.drain(..)) {
            of_columns[usize::from(column)].push(split);
        }
        for mut splits in of_columns {
            splits.sort_by_key(|split: &SortedSplit| rising(split.threshold));
            quick.splits.extend(splits);
            quick.ends.push(u32::try_from(quick.splits.len()).ok()?);
        }
        Some(quick)
    }

    /// Adds the leaves that each row reaches to its score, in the order of the trees.
    pub(crate) fn add_leaves(&self, tiles: &Tiles, scores: &mut [f32]) {
        let level = Level::new();
        let mut shared = vec![u32::MAX; self.leaves.len()];
        let varied = self.ask_shared(tiles, &mut shared);
        // A single row has no column that varies.
        if let [score] = scores {
            for (remaining, leaves) in shared.iter().zip(&self.leaves) {
                *score += leftmost(leaves, *remaining);
            }
            return;
        }
        let mut remaining = Vec::with_capacity(shared.len());
        for (lanes, scores) in tiles.iter().zip(scores.chunks_mut(LANES)) {
            remaining.clear();
            remaining.extend(shared.iter().map(|shared| [*shared; LANES]));
            dispatch!(level, simd => self.ask_varied(simd, &varied, lanes, &mut remaining));
            self.add_remaining(&remaining, scores);
        }
    }

    /// Adds the leftmost remaining leaf of each tree. It is kept out of the vector code, since compilers would gather the
    /// leaves by vector instructions, which are slower than single loads.
    #[inline(never)]
    fn add_remaining(&self, remaining: &[[u32; LANES]], scores: &mut [f32]) {
        for (at, scores) in scores.chunks_mut(LANES / 2).enumerate() {
            let from = at * LANES / 2;
            if scores.len() <= FEW {
                for (score, lane) in scores.iter_mut().zip(from..) {
                    for (remaining, leaves) in remaining.iter().zip(&self.leaves) {
                        *score += leftmost(leaves, remaining[lane]);
                    }
                }
                continue;
            }
            let mut sums = [0.0; LANES / 2];
            sums[..scores.len()].copy_from_slice(scores);
            for (remaining, leaves) in remaining.iter().zip(&self.leaves) {
                for (sum, remaining) in sums.iter_mut().zip(&remaining[from..]) {
                    *sum += leftmost(leaves, *remaining);
                }
            }
            let length = scores.len();
            scores.copy_from_slice(&sums[..length]);
        }
    }

    #[expect(
        clippy::inline_always,
        reason = "the vector instructions that may be used are those of the caller"
    )]
    #[inline(always)]
    fn ask_varied<V: Simd>(
        &self,
        simd: V,
        columns: &[usize],
        lanes: &[[f32; LANES]],
        remaining: &mut [[u32; LANES]],
    ) {
        for column in columns {
            self.ask(simd, *column, &lanes[*column], remaining);
        }
    }

    /// Compares the columns that are equal in all rows; returns the others that have splits.
    fn ask_shared(&self, tiles: &Tiles, remaining: &mut [u32]) -> Vec<usize> {
        let mut varied = Vec::with_capacity(self.ends.len());
        for (column, (value, varies)) in
            tiles.first.iter().zip(&tiles.varies).take(self.ends.len()).enumerate()
        {
            let splits = self.splits_of(column);
            if *varies != 0 && !splits.is_empty() {
                varied.push(column);
                continue;
            }
            for split in splits.iter().take_while(|split| *value > split.threshold) {
                remaining[split.tree as usize] &= split.remain;
            }
        }
        varied
    }

    #[expect(
        clippy::inline_always,
        reason = "the vector instructions that may be used are those of the caller"
    )]
    #[inline(always)]
    fn ask<V: Simd>(&self, simd: V, column: usize, lanes: &[f32; LANES], remaining: &mut [[u32; LANES]]) {
        let (lanes, all) = (f32x16::load_array_ref(simd, lanes), u32x16::splat(simd, u32::MAX));
        let greatest = lanes.reduce_max();
        for split in self.splits_of(column) {
            if split.threshold >= greatest {
                break;
            }
            // Asked so, the answer needs no negation.
            let goes_left = lanes.simd_le(f32x16::splat(simd, split.threshold));
            let remain = goes_left.select(all, u32x16::splat(simd, split.remain));
            let bits = &mut remaining[split.tree as usize];
            (u32x16::load_array_ref(simd, bits) & remain).store_slice(bits);
        }
    }

    fn splits_of(&self, column: usize) -> &[SortedSplit] {
        let from = column.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.splits[from..self.ends[column] as usize]
    }
}

/// Returns bits of a finite number that sort as the number does.
fn rising(number: f32) -> u32 {
    let bits = number.to_bits();
    // Negative numbers fall as their bits rise.
    if number.is_sign_negative() { !bits } else { bits | 1 << 31 }
}
