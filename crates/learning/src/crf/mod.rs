//! A linear-chain conditional random field over sequences of rows, each row positive or not.
//!
//! ```text
//! Matrix ─Coding→ attributes ─weights of a window→ score a row ─Viterbi→ labels
//!                                                           └─forward–backward→ probabilities
//! ```
//!
//! # Source
//!
//! Lafferty, `McCallum` & Pereira (2001), Conditional Random Fields; Sha & Pereira (2003), Shallow Parsing with Conditional
//! Random Fields, for training by L-BFGS.

mod chain;
mod coding;
mod fit;

#[cfg(test)]
mod tests;

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use self::chain::{Marginals, Transitions, best_labels};
use self::coding::{Coded, Coding};
use self::fit::{Labelled, Objective, minimise, scores_of, transitions_of};
use crate::column::{Schema, fingerprint};
use crate::matrix::Matrix;
use crate::params::{ParamsError, within};

/// How a [`Crf`] is learned.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrfParams {
    /// The most bins of a column; 2 to 255. A column of few distinct values has one for each.
    pub bins: usize,
    /// How many neighbours on each side are looked at; 0 to 8. (As `%x[-2,0]` … `%x[2,0]` of CRF++.)
    pub reach: usize,
    /// What pulls weights towards 0: this much is paid for the square of each (twice for transitions); 0 to a million.
    pub l2: f32,
    /// The most steps of the optimiser, which stops by itself where three steps in a row gain too little; 1 to 100,000.
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

/// Why no chain was learned.
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
    /// The bins of all columns are more than can be told apart.
    #[error("expected at most {limit} bins of all columns, found {found}")]
    Attributes {
        /// The most bins.
        limit: usize,
        /// Bins found.
        found: usize,
    },
    /// The optimiser found no weights that are numbers.
    #[error("expected weights that are numbers: {what}")]
    Optimiser {
        /// What it says, in its own words.
        what: String,
    },
}

/// What learning took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrfFit {
    /// Steps of the optimiser.
    pub iterations: usize,
    /// The negative log-likelihood of the labels, and what the weights cost.
    pub loss: f64,
    /// Whether the optimiser stopped by itself; if not, it ran into the most steps that were allowed, or could not go on.
    pub settled: bool,
}

/// What a chain says of the rows of a sequence.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChainLabels {
    /// By row: whether it is positive in the likeliest sequence of labels (Viterbi).
    pub labels: Vec<bool>,
    /// By row: the probability that it is positive, whatever the others are (forward–backward); in [0, 1].
    pub probabilities: Vec<f64>,
}

/// A sequence of rows and the label of each.
#[derive(Clone, Copy, Debug)]
pub struct LabelledSequence<'a, S: Schema> {
    /// The rows, in order.
    pub rows: &'a Matrix<S>,
    /// By row: whether it is positive.
    pub labels: &'a [bool],
}

/// A linear-chain conditional random field with two labels over rows of a schema.
///
/// Each column is cut into bins; a bin other than the lowest is an attribute. A row's score is the sum of the weights of
/// its own attributes and of those of its neighbours, each place of the window with weights of its own; two neighbouring
/// labels have a weight, too.
///
/// # Examples
///
/// ```
/// use tsugi_learning::{Column, Crf, CrfParams, LabelledSequence, Matrix, Range, Schema, Unit};
///
/// #[derive(Clone, Copy, Debug)]
/// struct Lines;
/// impl Schema for Lines {
///     const NAME: &'static str = "lines";
///     fn columns() -> &'static [Column] {
///         const { &[Column::new("words", Unit::Count, Range::at_least(0.0), "words of the line", "own")] }
///     }
/// }
///
/// let rows: Matrix<Lines> = Matrix::from_rows([[2.0], [40.0], [3.0], [60.0], [1.0], [2.0]])?;
/// // A short line between long ones is text, too.
/// let labels = [false, true, true, true, false, false];
/// let sequence = LabelledSequence { rows: &rows, labels: &labels };
/// let params = CrfParams { l2: 0.01, ..CrfParams::default() };
/// let (crf, _) = Crf::fit(&[sequence], &params)?;
/// let judged = crf.judge(&rows);
/// assert_eq!(judged.labels, labels);
/// assert!(judged.probabilities[2] > 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Crf<S: Schema> {
    coding: Coding,
    reach: usize,
    /// By attribute and place of the window.
    weights: Vec<f32>,
    transitions: Transitions,
    schema: PhantomData<S>,
}

impl<S: Schema> PartialEq for Crf<S> {
    fn eq(&self, other: &Self) -> bool {
        self.coding == other.coding
            && (self.reach, &self.weights) == (other.reach, &other.weights)
            && self.transitions == other.transitions
    }
}

impl<S: Schema> Crf<S> {
    /// Learns from labelled sequences; those without rows say nothing.
    ///
    /// # Errors
    ///
    /// [`CrfError`] where parameters, labels or rows make no sense, or the optimiser gives up.
    ///
    /// # Cost
    ///
    /// Linear in rows × attributes a row × window for each step of the optimiser; two threads where sequences are many. 2
    /// bytes of memory for each attribute of a row, and 8 for a row. Before that, all values of a column are sorted.
    ///
    /// # Determinism
    ///
    /// Equal input gives an equal model, however many threads there are.
    ///
    /// # Source
    ///
    /// CHOICE: weights for the difference between the labels alone. With weights for each label of an attribute, as CRF++ and
    /// `CRFsuite` have, those of the two labels are opposite at the optimum, and twice the price (`c2` of `CRFsuite`) gives the same model.
    pub fn fit(
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

    /// Judges the rows of a sequence.
    ///
    /// # Cost
    ///
    /// Linear in rows × attributes a row × window.
    pub fn judge(&self, rows: &Matrix<S>) -> ChainLabels {
        let scores = scores_of(&Coded::of(&self.coding, rows), &self.weights, 2 * self.reach + 1);
        let marginals = Marginals::of(&scores, self.transitions);
        ChainLabels {
            labels: best_labels(&scores, self.transitions),
            probabilities: marginals.positive.into_iter().map(|p| p.clamp(0.0, 1.0)).collect(),
        }
    }

    /// The number of attributes: bins of columns, the lowest of each left out, and one that all rows have.
    pub fn attributes(&self) -> usize {
        self.coding.attributes()
    }

    /// The number of weights, transitions aside.
    pub fn weights(&self) -> usize {
        self.weights.len()
    }

    /// What an attribute adds to the log-odds of the row that has it, in words of its column: the name, the values that it
    /// stands for (the lower end not included), and the weight. The one that all rows have has no column.
    pub fn own_weights(&self) -> impl Iterator<Item = (Option<(&'static str, f32, f32)>, f32)> {
        (0..self.attributes()).map(|attribute| {
            let meaning = self.coding.meaning(attribute);
            let meaning = meaning.map(|(column, low, high)| (S::columns()[column].name, low, high));
            (meaning, self.weights[attribute * (2 * self.reach + 1) + self.reach])
        })
    }
}

/// An attribute is named by 16 bits.
const MAX_ATTRIBUTES: usize = 1 << 16;

/// A chain as it is written.
#[derive(Serialize, Deserialize)]
struct Stored {
    /// Digest of the schema; see [`fingerprint`].
    schema: u64,
    coding: Coding,
    reach: usize,
    weights: Vec<f32>,
    transitions: Transitions,
}

impl<S: Schema> From<Crf<S>> for Stored {
    fn from(crf: Crf<S>) -> Self {
        let Crf { coding, reach, weights, transitions, .. } = crf;
        Stored { schema: fingerprint::<S>(), coding, reach, weights, transitions }
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

impl<S: Schema> TryFrom<Stored> for Crf<S> {
    type Error = NoCrf;

    fn try_from(stored: Stored) -> Result<Self, NoCrf> {
        let Stored { schema, coding, reach, weights, transitions } = stored;
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
