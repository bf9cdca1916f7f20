//! Grows one tree on gradients: leaf by leaf, the split with the greatest gain first.

use super::bins::Bins;
use std::ops::Range;
use tsugi_scoring::BoostedParams;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct GradientSums {
    gradient: f64,
    curvature: f64,
    rows: u32,
}

impl GradientSums {
    fn add(&mut self, other: GradientSums) {
        self.gradient += other.gradient;
        self.curvature += other.curvature;
        self.rows += other.rows;
    }

    fn less(self, other: GradientSums) -> GradientSums {
        GradientSums {
            gradient: self.gradient - other.gradient,
            curvature: self.curvature - other.curvature,
            rows: self.rows - other.rows,
        }
    }

    /// Twice the fall in loss if the rows get their best value.
    fn worth(self, l2: f64) -> f64 {
        self.gradient * self.gradient / (self.curvature + l2)
    }
}

#[derive(Clone, Copy, Debug)]
struct GrownSplit {
    gain: f64,
    column: usize,
    bin: usize,
    left: GradientSums,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum GrownNode {
    /// Rows with a code up to `bin` go to node `left`, the others to the next one.
    Split { column: usize, bin: usize, left: usize },
    /// The value added to the log-odds of the rows that end here, before the learning rate.
    Leaf { value: f64 },
}

#[derive(Debug)]
pub(crate) struct GrownTree {
    pub(crate) nodes: Vec<GrownNode>,
    pub(crate) leaves: Vec<(usize, Range<usize>)>,
}

impl GrownTree {
    pub(crate) fn leaf_of(&self, bins: &Bins, row: usize) -> usize {
        let mut at = 0;
        while let GrownNode::Split { column, bin, left } = self.nodes[at] {
            at = left + usize::from(usize::from(bins.codes(column)[row]) > bin);
        }
        at
    }
}

/// The first and second derivatives of the loss by each row's log-odds.
#[derive(Debug)]
pub(crate) struct Gradients {
    pub(crate) first: Vec<f32>,
    pub(crate) second: Vec<f32>,
}

struct OpenLeaf {
    node: usize,
    /// Its rows, as a range of the permutation.
    from: usize,
    to: usize,
    sums: GradientSums,
    histograms: Vec<Vec<GradientSums>>,
    best: Option<GrownSplit>,
}

/// Fewest columns × rows for which a second thread saves time.
const WORTH_A_THREAD: usize = 1 << 18;

/// Grows a tree on `rows`, which are reordered; only `columns` may be split on.
///
/// # Determinism
///
/// Every sum is made by one thread in the order of the rows.
pub(crate) fn grow(
    bins: &Bins,
    gradients: &Gradients,
    params: &BoostedParams,
    columns: &[usize],
    rows: &mut [u32],
) -> GrownTree {
    let finder = SplitFinder { bins, gradients, params, columns };
    let mut nodes = vec![GrownNode::Leaf { value: 0.0 }];
    let histograms = finder.histograms(rows);
    let sums = histograms.first().map_or_else(GradientSums::default, |histogram| total(histogram));
    let mut open = vec![finder.open(0, (0, rows.len()), sums, histograms)];
    let mut leaves = 1;
    let mut scratch = Vec::new();
    while leaves < params.leaves {
        // Of equal gains the leaf that was opened first.
        let gain = |leaf: &OpenLeaf| leaf.best.map_or(0.0, |split| split.gain);
        let widest = (0..open.len()).rev().max_by(|a, b| f64::total_cmp(&gain(&open[*a]), &gain(&open[*b])));
        let Some(place) = widest.filter(|place| open[*place].best.is_some()) else { break };
        let leaf = open.swap_remove(place);
        let Some(split) = leaf.best else { break };
        let codes = bins.codes(split.column);
        let middle = leaf.from + partition(&mut rows[leaf.from..leaf.to], codes, split.bin, &mut scratch);
        let left = nodes.len();
        nodes[leaf.node] = GrownNode::Split { column: split.column, bin: split.bin, left };
        nodes.extend([GrownNode::Leaf { value: 0.0 }; 2]);
        leaves += 1;
        let right_sums = leaf.sums.less(split.left);
        let is_left_smaller = middle - leaf.from <= leaf.to - middle;
        let smaller = if is_left_smaller { &rows[leaf.from..middle] } else { &rows[middle..leaf.to] };
        let small = finder.histograms(smaller);
        let mut large = leaf.histograms;
        for (large, small) in large.iter_mut().zip(&small) {
            for (large, small) in large.iter_mut().zip(small) {
                *large = large.less(*small);
            }
        }
        let (of_left, of_right) = if is_left_smaller { (small, large) } else { (large, small) };
        open.push(finder.open(left, (leaf.from, middle), split.left, of_left));
        open.push(finder.open(left + 1, (middle, leaf.to), right_sums, of_right));
    }
    let l2 = f64::from(params.l2);
    for leaf in &open {
        nodes[leaf.node] = GrownNode::Leaf { value: -leaf.sums.gradient / (leaf.sums.curvature + l2) };
    }
    GrownTree { nodes, leaves: open.into_iter().map(|leaf| (leaf.node, leaf.from..leaf.to)).collect() }
}

fn total(histogram: &[GradientSums]) -> GradientSums {
    histogram.iter().fold(GradientSums::default(), |mut sum, bin| {
        sum.add(*bin);
        sum
    })
}

fn partition(rows: &mut [u32], codes: &[u8], bin: usize, scratch: &mut Vec<u32>) -> usize {
    scratch.clear();
    let mut kept = 0;
    for at in 0..rows.len() {
        let row = rows[at];
        if usize::from(codes[row as usize]) <= bin {
            rows[kept] = row;
            kept += 1;
        } else {
            scratch.push(row);
        }
    }
    rows[kept..].copy_from_slice(scratch);
    kept
}

struct SplitFinder<'a> {
    bins: &'a Bins,
    gradients: &'a Gradients,
    params: &'a BoostedParams,
    columns: &'a [usize],
}

impl SplitFinder<'_> {
    fn histograms(&self, rows: &[u32]) -> Vec<Vec<GradientSums>> {
        let gathered: Vec<(f32, f32)> = rows
            .iter()
            .map(|row| (self.gradients.first[*row as usize], self.gradients.second[*row as usize]))
            .collect();
        let mut all = GradientSums::default();
        for (gradient, curvature) in &gathered {
            all.gradient += f64::from(*gradient);
            all.curvature += f64::from(*curvature);
            all.rows += 1;
        }
        let of_columns = |columns: &[usize]| -> Vec<Vec<GradientSums>> {
            columns.iter().map(|column| self.histogram(*column, rows, &gathered, all)).collect()
        };
        if rows.len() * self.columns.len() < WORTH_A_THREAD {
            return of_columns(self.columns);
        }
        let (first, second) = self.columns.split_at(self.columns.len() / 2);
        std::thread::scope(|scope| {
            let other = scope.spawn(|| of_columns(second));
            let mut all = of_columns(first);
            all.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            all
        })
    }

    fn histogram(
        &self,
        column: usize,
        rows: &[u32],
        gathered: &[(f32, f32)],
        all: GradientSums,
    ) -> Vec<GradientSums> {
        let codes = self.bins.codes(column);
        // A code indexes an array of fixed length without a check.
        let mut sums = [GradientSums::default(); 256];
        let mut add = |code: u8, (gradient, curvature): (f32, f32)| {
            let bin = &mut sums[usize::from(code)];
            bin.gradient += f64::from(gradient);
            bin.curvature += f64::from(curvature);
            bin.rows += 1;
        };
        if let Some(frequent) = self.bins.frequent(column) {
            for (row, gradients) in rows.iter().zip(gathered) {
                let code = codes[*row as usize];
                if code != frequent {
                    add(code, *gradients);
                }
            }
            // What the others leave of all.
            sums[usize::from(frequent)] = all.less(total(&sums));
        } else {
            for (row, gradients) in rows.iter().zip(gathered) {
                add(codes[*row as usize], *gradients);
            }
        }
        sums[..self.bins.count(column)].to_vec()
    }

    fn open(
        &self,
        node: usize,
        (from, to): (usize, usize),
        sums: GradientSums,
        histograms: Vec<Vec<GradientSums>>,
    ) -> OpenLeaf {
        let mut best: Option<GrownSplit> = None;
        for (column, histogram) in self.columns.iter().zip(&histograms) {
            for split in self.splits(*column, histogram, sums) {
                if best.is_none_or(|best| split.gain > best.gain) {
                    best = Some(split);
                }
            }
        }
        OpenLeaf { node, from, to, sums, histograms, best }
    }

    fn splits<'b>(
        &self,
        column: usize,
        histogram: &'b [GradientSums],
        all: GradientSums,
    ) -> impl Iterator<Item = GrownSplit> + use<'b> {
        let (l2, least) = (f64::from(self.params.l2), self.params.min_leaf_rows);
        let whole = all.worth(l2);
        let mut left = GradientSums::default();
        let last = histogram.len().saturating_sub(1);
        histogram[..last].iter().enumerate().filter_map(move |(bin, sums)| {
            left.add(*sums);
            let right = all.less(left);
            if (left.rows as usize) < least || (right.rows as usize) < least || sums.rows == 0 {
                return None;
            }
            let gain = left.worth(l2) + right.worth(l2) - whole;
            (gain > MIN_GAIN).then_some(GrownSplit { gain, column, bin, left })
        })
    }
}

/// Gains below this are rounding.
const MIN_GAIN: f64 = 1e-9;
