//! Trees in one array: how they are checked, walked and explained.

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use crate::column::Schema;
use crate::flat::{Combination, StructureError, Symbol, logistic};
use crate::matrix::Matrix;
use crate::quick::{Quick, SortedOnce, TreeNode};

/// Number of rows that walk down a tree together, so that its top stays in the cache.
const BLOCK: usize = 64;

const MAX_NODES: usize = 1 << 28;

#[derive(Clone)]
pub(crate) struct FlatTrees {
    combination: Combination,
    roots: Vec<u32>,
    nodes: Vec<TreeNode>,
    /// Training rows of each leaf; 0 for splits.
    covers: Vec<u32>,
    /// The mean of the leaves below each node, over training rows. Only explanations ask for it.
    means: OnceLock<Vec<f32>>,
    sorted: SortedOnce<Quick>,
    /// The same in two parts, for scoring in turn.
    turns: SortedOnce<TwoParts>,
}

#[derive(Clone, Debug)]
struct TwoParts {
    first: usize,
    sorted: [Quick; 2],
}

impl FlatTrees {
    pub(crate) fn assemble(
        columns: usize,
        combination: Combination,
        symbols: impl IntoIterator<Item = Symbol>,
    ) -> Result<Self, StructureError> {
        let symbols = symbols.into_iter();
        let expected = symbols.size_hint().1.unwrap_or(0).min(MAX_NODES);
        let (mut roots, mut nodes, mut covers) =
            (Vec::new(), Vec::with_capacity(expected), Vec::with_capacity(expected));
        // Splits without their right child, innermost last; a tree is open until its last leaf.
        let (mut waiting, mut open): (Vec<usize>, bool) = (Vec::new(), false);
        for symbol in symbols {
            if nodes.len() >= MAX_NODES {
                return Err(StructureError::TooManyNodes(MAX_NODES));
            }
            let index = nodes.len();
            if !open {
                roots.push(narrow(index));
                open = true;
            }
            match symbol {
                Symbol::Split { column, threshold } => {
                    if usize::from(column) >= columns {
                        return Err(StructureError::Column { columns, found: column });
                    }
                    if !threshold.is_finite() {
                        return Err(StructureError::Threshold(threshold));
                    }
                    waiting.push(index);
                    nodes.push(TreeNode { threshold, right: 0, column });
                    covers.push(0);
                }
                Symbol::Leaf { value, cover } => {
                    nodes.push(TreeNode { threshold: value, right: 0, column: 0 });
                    covers.push(cover);
                    match waiting.pop() {
                        Some(split) => nodes[split].right = narrow(index + 1),
                        None => open = false,
                    }
                }
            }
        }
        if open {
            return Err(StructureError::Unfinished(waiting.len() + 1));
        }
        if roots.is_empty() {
            return Err(StructureError::NoTrees);
        }
        check_leaves(combination, roots.len(), &nodes)?;
        let (means, sorted, turns) = (OnceLock::new(), SortedOnce::default(), SortedOnce::default());
        Ok(FlatTrees { combination, roots, nodes, covers, means, sorted, turns })
    }

    /// Computes the mean of every split from the leaves below, last node first.
    fn means(&self) -> Vec<f32> {
        let mut covers = self.covers.clone();
        let mut means = vec![0.0; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            if node.is_leaf() {
                means[at] = node.threshold;
                continue;
            }
            let (left, right) = (at + 1, node.right as usize);
            let (a, b) = (f64::from(covers[left]), f64::from(covers[right]));
            // Without training rows, as in a tree made by hand, both sides count equally.
            let share = if a + b > 0.0 { a / (a + b) } else { 0.5 };
            let mean = share * f64::from(means[left]) + (1.0 - share) * f64::from(means[right]);
            #[expect(clippy::cast_possible_truncation, reason = "a mean of f32 values fits, rounded")]
            let mean = mean as f32;
            means[at] = mean;
            covers[at] = covers[left].saturating_add(covers[right]);
        }
        means
    }

    pub(crate) fn cover<S: Schema>(&mut self, x: &Matrix<S>) {
        self.covers.fill(0);
        for &root in &self.roots {
            for row in x.iter() {
                let leaf = self.leaf_of(root, row);
                self.covers[leaf] = self.covers[leaf].saturating_add(1);
            }
        }
        self.means = OnceLock::new();
    }

    fn leaf_of(&self, root: u32, row: &[f32]) -> usize {
        let mut at = root as usize;
        loop {
            let node = self.nodes[at];
            if node.is_leaf() {
                return at;
            }
            at = if row[usize::from(node.column)] <= node.threshold { at + 1 } else { node.right as usize };
        }
    }

    pub(crate) fn score<S: Schema>(&self, x: &Matrix<S>) -> Vec<f32> {
        let mut scores = vec![self.start(); x.rows()];
        match self.sorted.get(x.rows(), || self.sort(0..self.len())) {
            Some(quick) => x.in_tiles(&mut scores, |tiles, scores| quick.add_leaves(tiles, scores)),
            None => self.walk(0..self.len(), x, &mut scores),
        }
        for score in &mut scores {
            *score = self.finish(*score);
        }
        scores
    }

    /// Returns the trees sorted in two parts, to score `rows` rows; `None` if walking is faster, or if other parts were
    /// asked for before.
    pub(crate) fn turns(&self, rows: usize, first: usize) -> Option<&[Quick; 2]> {
        let sort = || {
            let sorted = [self.sort(0..first)?, self.sort(first..self.len())?];
            Some(TwoParts { first, sorted })
        };
        self.turns.get(rows, sort).filter(|turns| turns.first == first).map(|turns| &turns.sorted)
    }

    fn sort(&self, trees: Range<usize>) -> Option<Quick> {
        Quick::of(&self.nodes, self.ranges().skip(trees.start).take(trees.len()))
    }

    pub(crate) fn walk<S: Schema>(&self, trees: Range<usize>, x: &Matrix<S>, scores: &mut [f32]) {
        for (block, scores) in scores.chunks_mut(BLOCK).enumerate() {
            for &root in &self.roots[trees.clone()] {
                for (offset, score) in scores.iter_mut().enumerate() {
                    let leaf = self.leaf_of(root, x.row(block * BLOCK + offset));
                    *score += self.nodes[leaf].threshold;
                }
            }
        }
    }

    pub(crate) fn sum_of(&self, trees: Range<usize>, row: &[f32]) -> f32 {
        let leaves = self.roots[trees].iter().map(|&root| self.nodes[self.leaf_of(root, row)].threshold);
        leaves.fold(self.start(), |sum, leaf| sum + leaf)
    }

    pub(crate) fn start(&self) -> f32 {
        match self.combination {
            Combination::MeanOfLeaves => 0.0,
            Combination::LogisticOfSum { base } => base,
        }
    }

    pub(crate) fn finish(&self, sum: f32) -> f32 {
        match self.combination {
            Combination::MeanOfLeaves => sum / self.len() as f32,
            Combination::LogisticOfSum { .. } => logistic(sum),
        }
    }

    /// Returns the part of each column in the sum of some of the trees, each tree multiplied by `weight`.
    pub(crate) fn contributions_of(&self, trees: Range<usize>, weight: f64, row: &[f32]) -> Vec<f64> {
        let mut contributions = vec![0.0; row.len()];
        for &root in &self.roots[trees] {
            let mut from = root as usize;
            for at in self.path(from, row).skip(1) {
                contributions[usize::from(self.nodes[from].column)] += self.mean(at) - self.mean(from);
                from = at;
            }
        }
        for contribution in &mut contributions {
            *contribution *= weight;
        }
        contributions
    }

    pub(crate) fn bias_of(&self, trees: Range<usize>, weight: f64) -> f64 {
        let sum: f64 = self.roots[trees].iter().map(|&root| self.mean(root as usize)).sum();
        f64::from(self.start()) + sum * weight
    }

    pub(crate) fn weight(&self) -> f64 {
        match self.combination {
            Combination::MeanOfLeaves => 1.0 / self.len() as f64,
            Combination::LogisticOfSum { .. } => 1.0,
        }
    }

    pub(crate) fn path<'a>(&'a self, root: usize, row: &'a [f32]) -> impl Iterator<Item = usize> + 'a {
        std::iter::successors(Some(root), move |&at| {
            let node = self.nodes[at];
            let left = row[usize::from(node.column)] <= node.threshold;
            (!node.is_leaf()).then_some(if left { at + 1 } else { node.right as usize })
        })
    }

    pub(crate) fn mean(&self, at: usize) -> f64 {
        f64::from(self.means.get_or_init(|| self.means())[at])
    }

    pub(crate) fn combination(&self) -> Combination {
        self.combination
    }

    pub(crate) fn len(&self) -> usize {
        self.roots.len()
    }

    pub(crate) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn symbols(&self) -> impl Iterator<Item = Symbol> {
        self.nodes.iter().zip(&self.covers).map(|(node, &cover)| {
            if node.is_leaf() {
                Symbol::Leaf { value: node.threshold, cover }
            } else {
                Symbol::Split { column: node.column, threshold: node.threshold }
            }
        })
    }

    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = self.roots.iter().skip(1).map(|&root| root as usize).chain([self.nodes.len()]);
        self.roots.iter().zip(ends).map(|(&root, end)| root as usize..end)
    }

    pub(crate) fn split_at(&self, at: usize) -> Option<(usize, usize, usize)> {
        let node = self.nodes[at];
        (!node.is_leaf()).then_some((usize::from(node.column), at + 1, node.right as usize))
    }
}

impl PartialEq for FlatTrees {
    fn eq(&self, other: &Self) -> bool {
        self.combination == other.combination
            && self.roots == other.roots
            && self.symbols().eq(other.symbols())
    }
}

impl fmt::Debug for FlatTrees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} trees of {} nodes, {:?}", self.len(), self.nodes(), self.combination)
    }
}

/// Checks that leaves are shares, or log-odds whose sum stays finite on every path.
fn check_leaves(combination: Combination, trees: usize, nodes: &[TreeNode]) -> Result<(), StructureError> {
    let mut leaves = nodes.iter().filter(|node| node.is_leaf()).map(|node| node.threshold);
    let wrong = match combination {
        Combination::MeanOfLeaves => leaves.find(|leaf| !(0.0..=1.0).contains(leaf)),
        Combination::LogisticOfSum { base } => {
            let bound = f32::MAX / 4.0 / (trees as f32 + 1.0);
            leaves.chain([base]).find(|value| value.is_nan() || value.abs() > bound)
        }
    };
    wrong.map_or(Ok(()), |found| Err(StructureError::Leaf(found)))
}

/// Returns a node index as stored: there are at most 2²⁸ nodes.
fn narrow(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
