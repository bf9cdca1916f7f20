//! Logistic regression over hashed tokens: sparse, small, and one number for a tree to split on.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::fit::targets_fit;
use crate::params::{ParamsError, share, within};

/// How a [`Linear`] model is learned.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinearParams {
    /// The model has 2 to this power weights; 1 to 24. Tokens whose hashes share their first bits share a weight.
    pub bits: u32,
    /// Times that every row is looked at.
    pub epochs: usize,
    /// How far a weight moves at first; above 0, at most 1.
    pub learning_rate: f32,
    /// What a weight must be worth to be kept at all.
    pub l1: f32,
    /// What pulls weights towards 0.
    pub l2: f32,
}

impl Default for LinearParams {
    fn default() -> Self {
        Self { bits: 18, epochs: 5, learning_rate: 0.1, l1: 1.0, l2: 1.0 }
    }
}

/// One weight for each token, and one for all rows: whole multiples of 1/64, from -64 to 64.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Linear {
    bits: u32,
    bias: f32,
    /// Which places have a weight other than 0.
    places: Vec<Places>,
    /// The weight of a place without one, 0; then the others, in the order of their places.
    weights: Vec<f32>,
}

/// 64 places. Nearly all weights are 0: as bits they fit a processor's cache, which a table of all weights does not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Places {
    /// One bit for each that has a weight.
    held: u64,
    /// How many weights stand before theirs.
    before: u32,
}

/// Weights and bias are kept to this fraction, which no score notices.
const STEP: f32 = 1.0 / 64.0;

/// The most steps of a weight or a bias: log-odds of 64, which no score needs. Sums of four thousand such weights are
/// exact in `f32`, in whatever order they are added.
const MOST_STEPS: u16 = 64 * 64;

/// Rows of tokens, one after the other.
///
/// # Examples
///
/// ```
/// use tsugi_learning::TokenRows;
/// let mut rows = TokenRows::default();
/// rows.push([7, 9]);
/// rows.push([]);
/// assert_eq!((rows.len(), rows.row(0), rows.row(1)), (2, &[7, 9][..], &[][..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenRows {
    tokens: Vec<u32>,
    /// Where each row ends.
    ends: Vec<usize>,
}

impl TokenRows {
    /// Adds a row.
    pub fn push(&mut self, tokens: impl IntoIterator<Item = u32>) {
        self.tokens.extend(tokens);
        self.ends.push(self.tokens.len());
    }

    /// Adds the rows of another.
    pub fn append(&mut self, other: &Self) {
        for row in 0..other.len() {
            self.push(other.row(row).iter().copied());
        }
    }

    /// The tokens of a row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn row(&self, row: usize) -> &[u32] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.tokens[start..self.ends[row]]
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// Why no linear model was learned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinearError {
    /// The parameters make no sense.
    #[error("expected usable parameters")]
    Params(#[from] ParamsError),
    /// Targets or weights do not fit the rows.
    #[error("expected a target from 0 to 1 and a finite weight of at least 0 for each of {rows} rows")]
    Targets {
        /// Rows given.
        rows: usize,
    },
}

impl LinearParams {
    fn check(&self) -> Result<(), ParamsError> {
        within("bits", self.bits as usize, 1, 24)?;
        within("epochs", self.epochs, 1, 1_000)?;
        share("learning_rate", self.learning_rate)?;
        for l in [self.l1, self.l2] {
            if !(0.0..=1e6).contains(&l) {
                return Err(ParamsError::L2 { found: l });
            }
        }
        Ok(())
    }
}

/// Learns a weight for every token.
///
/// `targets` lie in [0, 1], one a row; `weights` say how much each row counts (1 each where there are none). Without
/// any row the model says 0 of everything.
///
/// # Errors
///
/// [`LinearError`] where parameters, targets or weights make no sense.
///
/// # Determinism
///
/// Equal input gives an equal model; `seed` decides in which order rows are looked at.
///
/// # Source
///
/// FTRL-Proximal with a learning rate for each weight: `McMahan` et al. (2013), Ad Click Prediction, algorithm 1,
/// <https://doi.org/10.1145/2487575.2488200>.
pub fn fit_linear(
    params: &LinearParams,
    rows: &TokenRows,
    targets: &[f32],
    weights: Option<&[f32]>,
    seed: u64,
) -> Result<Linear, LinearError> {
    params.check()?;
    if !targets_fit(rows.len(), targets, weights) {
        return Err(LinearError::Targets { rows: rows.len() });
    }
    let mut learner = Learner::new(params);
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    for _ in 0..params.epochs {
        order.shuffle(&mut generator);
        for row in &order {
            learner.learn(rows.row(*row), targets[*row], weights.map_or(1.0, |weights| weights[*row]));
        }
    }
    Ok(learner.finish())
}

/// The state of FTRL-Proximal: the last place is the bias.
struct Learner<'a> {
    params: &'a LinearParams,
    z: Vec<f32>,
    n: Vec<f32>,
}

impl<'a> Learner<'a> {
    fn new(params: &'a LinearParams) -> Self {
        let places = (1 << params.bits) + 1;
        Learner { params, z: vec![0.0; places], n: vec![0.0; places] }
    }

    fn bias(&self) -> usize {
        self.z.len() - 1
    }

    fn weight(&self, place: usize) -> f32 {
        let (z, n) = (self.z[place], self.n[place]);
        // The bias is not held back.
        let (l1, l2) = if place == self.bias() { (0.0, 0.0) } else { (self.params.l1, self.params.l2) };
        if z.abs() <= l1 || n == 0.0 {
            return 0.0;
        }
        -(z - z.signum() * l1) / ((1.0 + n.sqrt()) / self.params.learning_rate + l2)
    }

    fn learn(&mut self, tokens: &[u32], target: f32, importance: f32) {
        let bias = self.bias();
        let bits = self.params.bits;
        let places = || tokens.iter().map(|token| place(*token, bits)).chain([bias]);
        let sum: f32 = places().map(|place| self.weight(place)).sum();
        let gradient = importance * (1.0 / (1.0 + (-sum).exp()) - target);
        for place in places() {
            let weight = self.weight(place);
            let (old, new) = (self.n[place], self.n[place] + gradient * gradient);
            let step = (new.sqrt() - old.sqrt()) / self.params.learning_rate;
            self.z[place] += gradient - step * weight;
            self.n[place] = new;
        }
    }

    fn finish(&self) -> Linear {
        let most = f32::from(MOST_STEPS);
        let rounded = |place| (self.weight(place) / STEP).round().clamp(-most, most) * STEP;
        let weights = (0..self.bias()).map(|place| (place, rounded(place)));
        Linear::of(self.params.bits, rounded(self.bias()), weights)
    }
}

fn place(token: u32, bits: u32) -> usize {
    (token >> (32 - bits)) as usize
}

impl Linear {
    /// A model of weights and their places, which rise and are below 2 to the power of `bits`.
    fn of(bits: u32, bias: f32, weights: impl IntoIterator<Item = (usize, f32)>) -> Linear {
        let mut places = vec![Places::default(); (1_usize << bits).div_ceil(64)];
        let mut kept = vec![0.0];
        for (place, weight) in weights.into_iter().filter(|(_, weight)| *weight != 0.0) {
            places[place / 64].held |= 1 << (place % 64);
            kept.push(weight);
        }
        let mut before = 1;
        for places in &mut places {
            places.before = before;
            before += places.held.count_ones();
        }
        Linear { bits, bias, places, weights: kept }
    }

    /// The places that have a weight, and the weights.
    fn held(&self) -> impl Iterator<Item = (usize, f32)> {
        let of_block = |(block, places): (usize, &Places)| {
            let held = places.held;
            (0..64).filter(move |bit| held >> bit & 1 == 1).map(move |bit| block * 64 + bit)
        };
        self.places.iter().enumerate().flat_map(of_block).zip(self.weights[1..].iter().copied())
    }

    /// The log-odds that a row with these tokens is positive. A token that is given twice counts twice.
    pub fn score(&self, tokens: impl IntoIterator<Item = u32>) -> f32 {
        tokens.into_iter().map(|token| self.weight(token)).fold(self.bias, |sum, w| sum + w)
    }

    /// What a token adds to the log-odds.
    pub fn weight(&self, token: u32) -> f32 {
        let place = place(token, self.bits);
        let Places { held, before } = self.places[place / 64];
        let bit = place % 64;
        // Whether a token is known no processor can guess, so that there is no branch.
        let is_held = u32::from(held >> bit & 1 == 1);
        let at = (before + (held & ((1 << bit) - 1)).count_ones()) * is_held;
        self.weights[at as usize]
    }

    /// What all rows have in common.
    pub fn bias(&self) -> f32 {
        self.bias
    }

    /// How many weights are not 0.
    pub fn weights(&self) -> usize {
        self.weights.len() - 1
    }
}

/// A linear model as it is written: the distances between its weights, and the weights in steps.
#[derive(Serialize, Deserialize)]
struct Stored {
    bits: u32,
    bias: f32,
    gaps: Vec<u32>,
    steps: Vec<i32>,
}

impl From<Linear> for Stored {
    fn from(model: Linear) -> Self {
        let (mut gaps, mut steps, mut last) = (Vec::new(), Vec::new(), 0);
        for (at, weight) in model.held() {
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            gaps.push(at - last);
            last = at;
            #[expect(clippy::cast_possible_truncation, reason = "whole, and no more than there may be")]
            steps.push((weight / STEP) as i32);
        }
        Stored { bits: model.bits, bias: model.bias, gaps, steps }
    }
}

/// A stored linear model that makes no sense.
#[derive(Debug, thiserror::Error)]
#[error("expected the weights of a linear model")]
struct NoLinear;

impl TryFrom<Stored> for Linear {
    type Error = NoLinear;

    fn try_from(stored: Stored) -> Result<Self, NoLinear> {
        if !(1..=24).contains(&stored.bits) || stored.gaps.len() != stored.steps.len() {
            return Err(NoLinear);
        }
        let bias = stored.bias / STEP;
        let is_small = bias.abs() <= f32::from(MOST_STEPS)
            && stored.steps.iter().all(|step| step.unsigned_abs() <= u32::from(MOST_STEPS));
        if !is_small || bias.fract() != 0.0 {
            return Err(NoLinear);
        }
        let repeats = stored.gaps.iter().skip(1).any(|gap| *gap == 0);
        let last: u64 = stored.gaps.iter().map(|gap| u64::from(*gap)).sum();
        if repeats || last >= 1 << stored.bits {
            return Err(NoLinear);
        }
        let mut at = 0;
        let weights = stored.gaps.into_iter().zip(stored.steps).map(|(gap, step)| {
            at += gap as usize;
            (at, step as f32 * STEP)
        });
        Ok(Linear::of(stored.bits, stored.bias, weights))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TokenHash;

    fn token(text: &str) -> u32 {
        TokenHash::new(0).text(text).finish()
    }

    /// Rows with `next` are positive nine times in ten, rows without never; `the` says nothing.
    fn rows() -> (TokenRows, Vec<f32>) {
        let (mut rows, mut targets) = (TokenRows::default(), Vec::new());
        for i in 0..2_000 {
            let is_next = i % 4 == 0;
            let word = if is_next { "next" } else { "home" };
            let noise = format!("noise{}", i % 97);
            rows.push([token(word), token("the"), token(&noise)]);
            targets.push(f32::from(u8::from(is_next && i % 40 != 0)));
        }
        (rows, targets)
    }

    #[test]
    fn words_that_tell_get_weights() {
        let (rows, targets) = rows();
        let model = fit_linear(&LinearParams::default(), &rows, &targets, None, 1).unwrap();
        assert!(model.score([token("next"), token("the")]) > 1.0);
        assert!(model.score([token("home"), token("the")]) < -2.0);
        assert!(model.weight(token("the")).abs() < model.weight(token("next")).abs());
        assert_eq!(model.weight(token("never seen")), 0.0);
        assert!(model.weights() < 100, "{}", model.weights());
    }

    #[test]
    fn seeds_repeat() {
        let (rows, targets) = rows();
        let fit = |seed| fit_linear(&LinearParams::default(), &rows, &targets, None, seed).unwrap();
        assert_eq!(fit(1), fit(1));
    }

    #[test]
    fn rows_without_weight_teach_nothing() {
        let (rows, targets) = rows();
        let none = vec![0.0; rows.len()];
        let model = fit_linear(&LinearParams::default(), &rows, &targets, Some(&none), 1).unwrap();
        assert_eq!((model.weights(), model.score([token("next")])), (0, 0.0));
    }

    #[test]
    fn what_is_stored_comes_back_and_nonsense_is_refused() {
        let (rows, targets) = rows();
        let model = fit_linear(&LinearParams::default(), &rows, &targets, None, 1).unwrap();
        let bytes = postcard::to_stdvec(&model).unwrap();
        assert!(bytes.len() < 1_000, "{}", bytes.len());
        assert_eq!(postcard::from_bytes::<Linear>(&bytes).unwrap(), model);
        let stored = |bits, gaps: &[u32]| {
            let stored = Stored { bits, bias: 0.0, gaps: gaps.to_vec(), steps: vec![1; 2] };
            postcard::from_bytes::<Linear>(&postcard::to_stdvec(&stored).unwrap())
        };
        stored(4, &[1, 14]).unwrap();
        for (bits, gaps) in [(4, &[1, 15][..]), (0, &[1, 1]), (25, &[1, 1]), (4, &[1]), (4, &[1, 0])] {
            stored(bits, gaps).unwrap_err();
        }
    }

    #[test]
    fn numbers_that_do_not_add_up_exactly_are_refused() {
        let read = |bias, step| {
            let stored = Stored { bits: 4, bias, gaps: vec![1], steps: vec![step] };
            postcard::from_bytes::<Linear>(&postcard::to_stdvec(&stored).unwrap())
        };
        for (bias, step) in [(0.0, 1), (-0.0, -1), (-3.015_625, 4096), (64.0, -4096)] {
            assert_eq!(read(bias, step).unwrap().bias().to_bits(), bias.to_bits());
        }
        for bias in [0.01, -1.0 / 128.0, 64.0 + STEP, f32::MAX, f32::INFINITY, f32::NAN, f32::MIN_POSITIVE] {
            read(bias, 1).unwrap_err();
        }
        for step in [4097, -4097, i32::MAX, i32::MIN] {
            read(0.0, step).unwrap_err();
        }
    }

    #[test]
    fn what_is_learned_can_be_read_back() {
        let params = LinearParams { bits: 4, ..LinearParams::default() };
        let mut learner = Learner::new(&params);
        let bias = learner.bias();
        for (place, pull) in [(0, 1e9), (3, -1e9), (bias, -1e9)] {
            (learner.z[place], learner.n[place]) = (pull, 1.0);
        }
        let model = learner.finish();
        assert_eq!((model.weight(0), model.weight(3 << 28), model.bias()), (-64.0, 64.0, 64.0));
        assert_eq!(postcard::from_bytes::<Linear>(&postcard::to_stdvec(&model).unwrap()).unwrap(), model);
    }

    #[test]
    fn targets_that_do_not_fit_are_refused() {
        let (rows, _) = rows();
        let params = LinearParams::default();
        assert!(fit_linear(&params, &rows, &[0.0], None, 1).is_err());
        let params = LinearParams { bits: 30, ..params };
        let error = fit_linear(&params, &TokenRows::default(), &[], None, 1).unwrap_err();
        assert!(matches!(error, LinearError::Params(ParamsError::Count { parameter: "bits", .. })));
    }
}
