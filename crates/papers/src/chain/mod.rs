//! A linear-chain conditional random field over sequences of rows, each row positive or not.
//!
//! ```text
//! Matrix ─Coding→ attributes ─weights of a window→ score a row ─Viterbi→ labels
//! ```
//!
//! # Source
//!
//! Lafferty, `McCallum` & Pereira (2001), Conditional Random Fields; Sha & Pereira (2003), Shallow Parsing with Conditional
//! Random Fields, for training by L-BFGS.

mod coding;
mod marginals;
#[cfg(test)]
mod samples;
mod train;

pub use train::{CrfError, CrfParams};
pub(crate) use train::{CrfFit, LabelledSequence};

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use self::coding::{Coded, Coding};
use self::marginals::{Transitions, best_labels};
use tsugi_scoring::{Matrix, Schema, fingerprint};

/// A linear-chain conditional random field with two labels over rows of a schema.
///
/// Each column is cut into bins; a bin other than the lowest is an attribute. The score of a row is the sum of the weights
/// of its own attributes and those of its neighbours; each place of the window has its own weights. Pairs of neighbouring
/// labels have weights, too.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "StoredChain", into = "StoredChain")]
pub(crate) struct Crf<S: Schema> {
    pub(crate) coding: Coding,
    pub(crate) reach: usize,
    /// By attribute and place of the window.
    pub(crate) weights: Vec<f32>,
    pub(crate) transitions: Transitions,
    pub(crate) schema: PhantomData<S>,
}

impl<S: Schema> PartialEq for Crf<S> {
    fn eq(&self, other: &Self) -> bool {
        self.coding == other.coding
            && (self.reach, &self.weights) == (other.reach, &other.weights)
            && self.transitions == other.transitions
    }
}

impl<S: Schema> Crf<S> {
    /// Labels the rows of a sequence: `true` for those that are positive in the most likely labels (Viterbi).
    pub(crate) fn judge(&self, rows: &Matrix<S>) -> Vec<bool> {
        let scores = scores_of(&Coded::of(&self.coding, rows), &self.weights, 2 * self.reach + 1);
        best_labels(&scores, self.transitions)
    }

    pub(crate) fn attributes(&self) -> usize {
        self.coding.attributes()
    }

    pub(crate) fn weights(&self) -> usize {
        self.weights.len()
    }
}

/// Returns the score of a positive label at each place: the sum of the weights of the attributes in its window. The first
/// weight of an attribute applies if it is at the left end of the window.
pub(crate) fn scores_of<W: Copy + Into<f64>>(coded: &Coded, weights: &[W], width: usize) -> Vec<f64> {
    let reach = width / 2;
    let mut scores = vec![0.0; coded.len()];
    let mut sums = vec![0.0; width];
    for (at, attributes) in coded.rows().enumerate() {
        sums.fill(0.0);
        for attribute in attributes {
            let of_attribute = &weights[usize::from(*attribute) * width..][..width];
            for (sum, weight) in sums.iter_mut().zip(of_attribute) {
                *sum += (*weight).into();
            }
        }
        for (offset, sum) in sums.iter().enumerate() {
            // The row is `offset - reach` places after the place that it scores.
            if let Some(score) = (at + reach).checked_sub(offset).and_then(|place| scores.get_mut(place)) {
                *score += sum;
            }
        }
    }
    scores
}

/// An attribute is named by 16 bits.
pub(crate) const MAX_ATTRIBUTES: usize = 1 << 16;

#[derive(Serialize, Deserialize)]
struct StoredChain {
    schema: u64,
    coding: Coding,
    reach: usize,
    weights: Vec<f32>,
    transitions: Transitions,
}

impl<S: Schema> From<Crf<S>> for StoredChain {
    fn from(crf: Crf<S>) -> Self {
        let Crf { coding, reach, weights, transitions, .. } = crf;
        StoredChain { schema: fingerprint::<S>(), coding, reach, weights, transitions }
    }
}

/// A stored chain that makes no sense.
#[derive(Debug, thiserror::Error)]
enum NoCrf {
    #[error("expected a chain of the same columns")]
    ForeignColumns,
    #[error("expected the weights of a chain")]
    Unsound,
}

impl<S: Schema> TryFrom<StoredChain> for Crf<S> {
    type Error = NoCrf;

    fn try_from(stored: StoredChain) -> Result<Self, NoCrf> {
        let StoredChain { schema, coding, reach, weights, transitions } = stored;
        if schema != fingerprint::<S>() || coding.columns() != S::columns().len() {
            return Err(NoCrf::ForeignColumns);
        }
        let attributes = coding.attributes();
        let is_sound = reach <= 8
            && attributes <= MAX_ATTRIBUTES
            && coding.is_sound()
            && weights.len() == attributes * (2 * reach + 1)
            && weights.iter().all(|weight| weight.is_finite())
            && transitions.iter().flatten().all(|weight| weight.is_finite());
        if is_sound {
            Ok(Self { coding, reach, weights, transitions, schema: PhantomData })
        } else {
            Err(NoCrf::Unsound)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::samples::{ChainPlane, Space};
    use tsugi_scoring::{Bundle, BundleError};

    #[test]
    fn files_are_read_back_and_checked() {
        let crf = Crf::<ChainPlane> {
            coding: Coding { cuts: vec![vec![0.5], vec![1.0, 2.0]] },
            reach: 1,
            weights: (0..12_u8).map(f32::from).collect(),
            transitions: [[0.5, -0.5], [-1.0, 1.0]],
            schema: PhantomData,
        };
        let mut bundle = Bundle::new("test/1");
        bundle.insert("chain", &crf).unwrap();
        let read: Crf<ChainPlane> = bundle.get("chain").unwrap();
        assert_eq!(read, crf);
        // Of another schema.
        assert!(matches!(bundle.get::<Crf<Space>>("chain"), Err(BundleError::Part { .. })));
        for spoil in [
            |stored: &mut StoredChain| stored.weights[0] = f32::NAN,
            |stored: &mut StoredChain| stored.transitions[0][1] = f64::INFINITY,
            |stored: &mut StoredChain| stored.reach = 1 << 40,
            |stored: &mut StoredChain| {
                stored.weights.pop();
            },
        ] {
            let mut stored = StoredChain::from(crf.clone());
            spoil(&mut stored);
            bundle.insert("chain", &stored).unwrap();
            assert!(bundle.get::<Crf<ChainPlane>>("chain").is_err());
        }
    }
}
