//! Logistic regression over hashed tokens, learned row by row.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::fit::targets_fit;
use tsugi_scoring::{Linear, MOST_WEIGHT_STEPS, ParamsError, WEIGHT_STEP, share, token_place, within};

/// Parameters for learning a [`Linear`] model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinearParams {
    /// The model has 2 to the power of `bits` weights; 1 to 24. Tokens whose hashes share their first bits share a weight.
    pub bits: u32,
    /// Number of passes over all rows.
    pub epochs: usize,
    /// Learning rate at the start; above 0, at most 1.
    pub learning_rate: f32,
    /// L1 penalty, which sets weights of little use to 0.
    pub l1: f32,
    /// L2 penalty, which pulls weights towards 0.
    pub l2: f32,
}

impl Default for LinearParams {
    fn default() -> Self {
        Self { bits: 18, epochs: 5, learning_rate: 0.1, l1: 1.0, l2: 1.0 }
    }
}

/// Rows of tokens, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenRows {
    tokens: Vec<u32>,
    ends: Vec<usize>,
}

impl TokenRows {
    /// Adds a row.
    pub fn push(&mut self, tokens: impl IntoIterator<Item = u32>) {
        self.tokens.extend(tokens);
        self.ends.push(self.tokens.len());
    }

    /// Adds the rows of `other` at the end.
    pub fn append(&mut self, other: &Self) {
        for row in 0..other.len() {
            self.push(other.row(row).iter().copied());
        }
    }

    /// Returns the tokens of a row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn row(&self, row: usize) -> &[u32] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.tokens[start..self.ends[row]]
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns `true` if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// Why a linear model could not be learned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinearError {
    /// The parameters make no sense.
    #[error("expected usable parameters")]
    Params(#[from] ParamsError),
    /// Targets or weights do not fit this many rows.
    #[error("expected a target from 0 to 1 and a finite weight of at least 0 for each of {0} rows")]
    Targets(usize),
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
/// `targets` lie in [0, 1], one for each row; `weights` say how much each row counts (`None`: 1 each); `seed` decides
/// the order of the rows. Without rows, the model gives every row log-odds of 0.
///
/// # Errors
///
/// [`LinearError`] if parameters, targets or weights make no sense.
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
        return Err(LinearError::Targets(rows.len()));
    }
    let mut learner = LinearDescent::new(params);
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
struct LinearDescent<'a> {
    params: &'a LinearParams,
    z: Vec<f32>,
    n: Vec<f32>,
}

impl<'a> LinearDescent<'a> {
    fn new(params: &'a LinearParams) -> Self {
        let places = (1 << params.bits) + 1;
        LinearDescent { params, z: vec![0.0; places], n: vec![0.0; places] }
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
        let places = || tokens.iter().map(|token| token_place(*token, bits)).chain([bias]);
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
        let most = f32::from(MOST_WEIGHT_STEPS);
        let rounded = |place| (self.weight(place) / WEIGHT_STEP).round().clamp(-most, most) * WEIGHT_STEP;
        let weights = (0..self.bias()).map(|place| (place, rounded(place)));
        Linear::of(self.params.bits, rounded(self.bias()), weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsugi_scoring::TokenHash;

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
    fn what_is_learned_can_be_read_back() {
        let params = LinearParams { bits: 4, ..LinearParams::default() };
        let mut learner = LinearDescent::new(&params);
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
