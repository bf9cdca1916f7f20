//! Learns the weights of a chain: our own likelihood, and the L-BFGS of `liblbfgs`.
//!
//! `crfs`, a port of `CRFsuite`, took 2 s a step and 1.7 GB on 259,000 text blocks; this takes a tenth of a second, as a row
//! keeps its own attributes and a window is five weights for each. `crfs` is the cross-check of the tests.

mod objective;

#[cfg(test)]
mod tests;

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use self::objective::{Labelled, Objective, minimise, transitions_of};
use crate::chain::coding::{Coded, Coding};
use crate::chain::{Crf, MAX_ATTRIBUTES};
use tsugi_learning::cuts_of;
use tsugi_scoring::{Matrix, ParamsError, Schema, within};

/// Parameters for learning a chain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrfParams {
    /// Most bins of a column; 2 to 255. A column with fewer distinct values has one bin for each.
    pub bins: usize,
    /// Number of neighbours on each side that count; 0 to 8. (As `%x[-2,0]` … `%x[2,0]` of CRF++.)
    pub reach: usize,
    /// L2 penalty: the factor of the square of each weight (twice that for transitions); 0 to a million.
    pub l2: f32,
    /// Most steps of the optimiser, which stops earlier if three steps in a row gain too little; 1 to 100,000.
    pub max_iterations: usize,
}

impl Default for CrfParams {
    fn default() -> Self {
        Self { bins: 5, reach: 2, l2: 1.0, max_iterations: 1000 }
    }
}

impl CrfParams {
    fn check(&self) -> Result<(), ParamsError> {
        within("bins", self.bins, 2, 255)?;
        within("reach", self.reach, 0, 8)?;
        within("max_iterations", self.max_iterations, 1, 100_000)?;
        if (0.0..=1e6).contains(&self.l2) { Ok(()) } else { Err(ParamsError::L2 { found: self.l2 }) }
    }
}

/// Why a chain could not be learned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CrfError {
    /// The parameters make no sense.
    #[error("expected usable parameters")]
    Params(#[from] ParamsError),
    /// Labels do not fit the rows.
    #[error("expected a label for each of {rows} rows of sequence {sequence}, found {labels}")]
    Labels {
        /// The sequence, from 0.
        sequence: usize,
        /// Its rows.
        rows: usize,
        /// Labels given.
        labels: usize,
    },
    /// There is nothing to learn from.
    #[error("expected rows with both labels, found none or of one label alone")]
    SingleLabel,
    /// There are more bins than can be numbered.
    #[error("expected at most {limit} bins of all columns, found {found}")]
    Attributes {
        /// The most bins.
        limit: usize,
        /// Bins found.
        found: usize,
    },
    /// The optimiser found no finite weights.
    #[error("expected weights that are numbers: {what}")]
    Optimiser {
        /// The optimiser's own message.
        what: String,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CrfFit {
    pub(crate) iterations: usize,
    /// The negative log-likelihood of the labels plus the penalty.
    pub(crate) loss: f64,
    /// `true` if the optimiser stopped by itself; `false` if it reached the limit of steps or could not go on.
    pub(crate) settled: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct LabelledSequence<'a, S: Schema> {
    pub(crate) rows: &'a Matrix<S>,
    pub(crate) labels: &'a [bool],
}

impl<S: Schema> Crf<S> {
    /// Learns from labelled sequences; empty ones are ignored.
    ///
    /// Each step of the optimiser is linear in rows × attributes per row × window, on two threads if there are many
    /// sequences. Memory: 2 bytes for each attribute of a row, and 8 for a row. Equal input gives an equal model, however many
    /// threads there are.
    ///
    /// DIFFERENCE: weights are for the difference between the labels alone. With weights for each label of an attribute, as CRF++ and
    /// `CRFsuite` have, those of the two labels are opposite at the optimum, and twice the price (`c2` of `CRFsuite`) gives the same model.
    pub(crate) fn fit(
        sequences: &[LabelledSequence<'_, S>],
        params: &CrfParams,
    ) -> Result<(Self, CrfFit), CrfError> {
        params.check()?;
        for (at, sequence) in sequences.iter().enumerate() {
            let (rows, labels) = (sequence.rows.rows(), sequence.labels.len());
            if rows != labels {
                return Err(CrfError::Labels { sequence: at, rows, labels });
            }
        }
        let has = |wanted: bool| sequences.iter().any(|sequence| sequence.labels.contains(&wanted));
        if !has(true) || !has(false) {
            return Err(CrfError::SingleLabel);
        }
        let coding = Coding::of(&sequences.iter().map(|sequence| sequence.rows), params.bins);
        let (attributes, width) = (coding.attributes(), 2 * params.reach + 1);
        if attributes > MAX_ATTRIBUTES {
            return Err(CrfError::Attributes { limit: MAX_ATTRIBUTES, found: attributes });
        }
        let labelled = |sequence: &LabelledSequence<'_, S>| Coded::of(&coding, sequence.rows);
        let sequences: Vec<Labelled<'_>> = sequences
            .iter()
            .filter(|sequence| !sequence.labels.is_empty())
            .map(|sequence| Labelled { coded: labelled(sequence), labels: sequence.labels })
            .collect();
        let objective = Objective { sequences: &sequences, attributes, width, l2: params.l2.into() };
        let (weights, fit) = minimise(&objective, params.max_iterations)?;
        let (of_attributes, of_transitions) = weights.split_at(attributes * width);
        #[expect(clippy::cast_possible_truncation, reason = "a score is no more exact than that")]
        let of_attributes = of_attributes.iter().map(|weight| *weight as f32).collect();
        let crf = Self {
            coding,
            reach: params.reach,
            weights: of_attributes,
            transitions: transitions_of(of_transitions),
            schema: PhantomData,
        };
        Ok((crf, fit))
    }
}

impl Coding {
    fn of<'a, S: Schema>(rows: &(impl Iterator<Item = &'a Matrix<S>> + Clone), bins: usize) -> Self {
        let values =
            |column: usize| rows.clone().flat_map(move |rows| rows.iter().map(move |row| row[column]));
        Self { cuts: (0..S::columns().len()).map(|column| cuts_of(values(column), bins)).collect() }
    }
}
