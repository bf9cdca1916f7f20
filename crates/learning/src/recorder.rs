//! Reads the trees out of `rafor`, which trains both the single tree and the forest.
//!
//! `rafor` grows any tree type that implements its traits, and calls it for each split and each leaf. The
//! [`TreeRecorder`] records these calls. The shares of positives in the leaves are private to the library's models, but
//! those can be serialised, so they are read from there.

use rafor::{Resolve, Trainable};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::fit::FitError;
use tsugi_scoring::Symbol;

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Recorded {
    column: u16,
    threshold: f32,
    /// The left child; the right one follows it. 0 in a leaf.
    left: u32,
    leaf: u32,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct TreeRecorder {
    nodes: Vec<Recorded>,
}

impl Trainable for TreeRecorder {
    type Handle = usize;

    fn new() -> Self {
        Self { nodes: vec![Recorded::default()] }
    }

    fn root(&self) -> usize {
        0
    }

    fn split(&mut self, &at: &usize, column: u16, threshold: f32) -> (usize, usize) {
        let left = self.nodes.len();
        let narrow = u32::try_from(left).unwrap_or(0);
        self.nodes[at] = Recorded { column, threshold, left: narrow, leaf: 0 };
        self.nodes.extend([Recorded::default(); 2]);
        (left, left + 1)
    }

    fn set_leaf_value(&mut self, &at: &usize, leaf: u32) {
        self.nodes[at].leaf = leaf;
    }
}

impl Resolve for TreeRecorder {
    fn resolve(&self, row: &[f32]) -> u32 {
        let mut node = self.nodes[0];
        while node.left != 0 {
            let right = usize::from(row[usize::from(node.column)] > node.threshold);
            node = self.nodes[node.left as usize + right];
        }
        node.leaf
    }
}

/// One tree as `rafor` 0.4.1 serialises it: field by field in its order.
#[derive(Deserialize)]
struct Grown {
    shares: Vec<f32>,
    classes: usize,
    tree: TreeRecorder,
    _columns: usize,
}

/// A classifier as `rafor` serialises it: one tree or many, and the label of each class.
#[derive(Deserialize)]
struct Classifier<T> {
    trees: T,
    labels: Vec<i64>,
}

const LIBRARY: &str = "rafor";

pub(crate) fn tree_symbols(trained: &rafor::dt::Classifier<TreeRecorder>) -> Result<Vec<Symbol>, FitError> {
    symbols(&[read(trained)?])
}

pub(crate) fn forest_symbols(trained: &rafor::rf::Classifier<TreeRecorder>) -> Result<Vec<Symbol>, FitError> {
    symbols(&read::<Vec<Grown>>(trained)?)
}

/// The second of each two shares: that of the positive class.
pub(crate) fn positive_shares(shares: &[f32]) -> Vec<f32> {
    shares.chunks_exact(2).map(|shares| shares[1]).collect()
}

fn read<T: DeserializeOwned>(trained: &impl Serialize) -> Result<T, FitError> {
    let unreadable = |source| FitError::Unreadable { library: LIBRARY, source };
    let bytes = postcard::to_stdvec(trained).map_err(unreadable)?;
    let Classifier { trees, labels } = postcard::from_bytes(&bytes).map_err(unreadable)?;
    // `false` and `true`: class 1 is the positive one.
    if labels == [0, 1] { Ok(trees) } else { Err(FitError::Unexpected(LIBRARY)) }
}

fn symbols(trees: &[Grown]) -> Result<Vec<Symbol>, FitError> {
    let mut symbols = Vec::new();
    for tree in trees {
        tree.write(&mut symbols)?;
    }
    Ok(symbols)
}

impl Grown {
    fn write(&self, symbols: &mut Vec<Symbol>) -> Result<(), FitError> {
        let unexpected = FitError::Unexpected(LIBRARY);
        let mut ahead = vec![0_usize];
        while let Some(at) = ahead.pop() {
            let Some(node) = self.tree.nodes.get(at) else { return Err(unexpected) };
            if node.left == 0 {
                let Some(&value) = self.shares.get(node.leaf as usize * self.classes + 1) else {
                    return Err(unexpected);
                };
                symbols.push(Symbol::Leaf { value, cover: 0 });
            } else {
                symbols.push(Symbol::Split { column: node.column, threshold: node.threshold });
                ahead.extend([node.left as usize + 1, node.left as usize]);
            }
        }
        Ok(())
    }
}
