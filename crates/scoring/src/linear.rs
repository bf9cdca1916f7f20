//! Logistic regression over hashed tokens: small, and a single number for trees to split on.
//!
//! Most of 2¹⁸ weights are 0, and a full table does not fit a processor's cache, so weights are bits and a list.
//! They are multiples of 1/64, so that sums are exact in any order: callers may score tokens as they come.

use std::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A weight for each token, and a bias: multiples of 1/64, from -64 to 64.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    bits: u32,
    bias: f32,
    places: Vec<PlaceBits>,
    /// First 0, for all other places; then the weights, in the order of their places. In [steps](WEIGHT_STEP), which take half as
    /// much of the cache.
    weights: Vec<i16>,
}

/// 64 places of the table of all weights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct PlaceBits {
    held: u64,
    /// Number of weights before theirs.
    before: u32,
}

impl PlaceBits {
    /// Numbers the weights, from 1, and returns how many there are.
    fn count(places: &mut [PlaceBits]) -> usize {
        let mut before = 1;
        for places in places {
            places.before = before;
            before += places.held.count_ones();
        }
        before as usize - 1
    }

    /// Returns the number of the weight of a place; 0 if it has none.
    fn find(places: &[PlaceBits], place: usize) -> usize {
        let PlaceBits { held, before } = places[place / 64];
        let bit = place % 64;
        // A branch would be mispredicted: no pattern tells which tokens have a weight.
        let is_held = u32::from(held >> bit & 1 == 1);
        ((before + (held & ((1 << bit) - 1)).count_ones()) * is_held) as usize
    }
}

/// Weights and bias are rounded to this fraction, which changes no score noticeably.
pub const WEIGHT_STEP: f32 = 1.0 / 64.0;

/// The most steps of a weight or a bias: log-odds of 64, more than any score needs.
pub const MOST_WEIGHT_STEPS: i16 = 64 * 64;

/// Returns the place of a token among 2 to the power of `bits`: its first bits.
pub fn token_place(token: u32, bits: u32) -> usize {
    (token >> (32 - bits)) as usize
}

impl Linear {
    /// Makes a model of weights, which are whole numbers of [steps](WEIGHT_STEP), and of their places, which rise and are below 2 to
    /// the power of `bits`.
    pub fn of(bits: u32, bias: f32, weights: impl IntoIterator<Item = (usize, f32)>) -> Linear {
        let mut places = vec![PlaceBits::default(); (1_usize << bits).div_ceil(64)];
        let mut kept = vec![0];
        for (place, weight) in weights {
            #[expect(clippy::cast_possible_truncation, reason = "whole, and no more than there may be")]
            let steps = (weight / WEIGHT_STEP) as i16;
            if steps != 0 {
                places[place / 64].held |= 1 << (place % 64);
                kept.push(steps);
            }
        }
        PlaceBits::count(&mut places);
        Linear { bits, bias, places, weights: kept }
    }

    fn held(&self) -> impl Iterator<Item = (usize, i16)> {
        let of_block = |(block, places): (usize, &PlaceBits)| {
            let held = places.held;
            (0..64).filter(move |bit| held >> bit & 1 == 1).map(move |bit| block * 64 + bit)
        };
        self.places.iter().enumerate().flat_map(of_block).zip(self.weights[1..].iter().copied())
    }

    /// Returns the log-odds that a row with these tokens is positive. A repeated token counts each time.
    pub fn score(&self, tokens: impl IntoIterator<Item = u32>) -> f32 {
        log_odds(self.bias, tokens.into_iter().map(|token| i64::from(self.steps(token))).sum())
    }

    /// Returns the log-odds that a token adds.
    pub fn weight(&self, token: u32) -> f32 {
        f32::from(self.steps(token)) * WEIGHT_STEP
    }

    fn steps(&self, token: u32) -> i16 {
        self.weights[PlaceBits::find(&self.places, token_place(token, self.bits))]
    }

    /// The log-odds of a row without tokens.
    pub fn bias(&self) -> f32 {
        self.bias
    }

    /// Number of weights that are not 0.
    pub fn weights(&self) -> usize {
        self.weights.len() - 1
    }
}

fn log_odds(bias: f32, steps: i64) -> f32 {
    bias + steps as f32 * WEIGHT_STEP
}

/// Several linear models of the same tokens. A token is looked up once for all.
#[derive(Clone, Debug)]
pub struct LinearTable<const N: usize> {
    bits: u32,
    biases: [f32; N],
    places: Vec<PlaceBits>,
    /// First zeros, for all other places; then the weights of each place, in the order of the places.
    weights: Vec<[i16; N]>,
}

impl<const N: usize> LinearTable<N> {
    /// Puts models together; `None` if they are not `N`, or not all of as many bits.
    pub fn of(models: &[Linear]) -> Option<Self> {
        let bits = models.first()?.bits;
        if models.len() != N || models.iter().any(|model| model.bits != bits) {
            return None;
        }
        let mut places = vec![PlaceBits::default(); (1_usize << bits).div_ceil(64)];
        for (places, at) in places.iter_mut().zip(0..) {
            places.held = models.iter().fold(0, |held, model| held | model.places[at].held);
        }
        let mut weights = vec![[0; N]; PlaceBits::count(&mut places) + 1];
        for (number, model) in models.iter().enumerate() {
            for (place, weight) in model.held() {
                weights[PlaceBits::find(&places, place)][number] = weight;
            }
        }
        Some(LinearTable { bits, biases: std::array::from_fn(|at| models[at].bias), places, weights })
    }

    /// Returns the [score](Linear::score) of each model.
    pub fn score(&self, tokens: impl IntoIterator<Item = u32>) -> [f32; N] {
        let mut sums = [0; N];
        for token in tokens {
            let weights = &self.weights[PlaceBits::find(&self.places, token_place(token, self.bits))];
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += i64::from(*weight);
            }
        }
        std::array::from_fn(|at| log_odds(self.biases[at], sums[at]))
    }
}

/// A linear model as stored: the distances between its weights, and the weights in steps, each as a string of `postcard`'s numbers.
/// As lists they take a third longer to read, and models are read before the first page.
#[derive(Serialize, Deserialize)]
struct StoredLinear<'a> {
    bits: u32,
    bias: f32,
    #[serde(borrow, with = "serde_bytes")]
    gaps: Cow<'a, [u8]>,
    #[serde(borrow, with = "serde_bytes")]
    steps: Cow<'a, [u8]>,
}

impl Serialize for Linear {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (mut gaps, mut steps, mut last) = (Vec::new(), Vec::new(), 0);
        for (at, weight) in self.held() {
            put_number(&mut gaps, u32::try_from(at - last).unwrap_or(u32::MAX));
            last = at;
            put_number(&mut steps, u32::from(weight.unsigned_abs()) << 1 | u32::from(weight < 0));
        }
        let stored =
            StoredLinear { bits: self.bits, bias: self.bias, gaps: gaps.into(), steps: steps.into() };
        stored.serialize(to)
    }
}

fn put_number(bytes: &mut Vec<u8>, number: u32) {
    // Five bytes hold any number.
    if let Ok(written) = postcard::to_slice(&number, &mut [0; 5]) {
        bytes.extend_from_slice(written);
    }
}

/// Reads numbers that were [put](put_number) one after the other, some at a time.
fn each_number(mut bytes: &[u8], mut take: impl FnMut(&[u32])) -> Result<(), NoLinear> {
    while !bytes.is_empty() {
        // Nearly all numbers are one byte.
        if let Some((some, rest)) = bytes.split_first_chunk::<16>()
            && some.iter().fold(0, |all, byte| all | byte) < 0x80
        {
            take(&some.map(u32::from));
            bytes = rest;
        } else {
            let (number, rest) = postcard::take_from_bytes(bytes).map_err(|_| NoLinear)?;
            take(&[number]);
            bytes = rest;
        }
    }
    Ok(())
}

/// A stored linear model that makes no sense.
#[derive(Debug, thiserror::Error)]
#[error("expected the weights of a linear model")]
struct NoLinear;

impl<'de> Deserialize<'de> for Linear {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        StoredLinear::deserialize(from)?.read().map_err(D::Error::custom)
    }
}

impl StoredLinear<'_> {
    fn read(self) -> Result<Linear, NoLinear> {
        let StoredLinear { bits, bias, gaps, steps } = self;
        let bias_steps = bias / WEIGHT_STEP;
        let adds_up = bias_steps.abs() <= f32::from(MOST_WEIGHT_STEPS) && bias_steps.fract() == 0.0;
        if !(1..=24).contains(&bits) || !adds_up {
            return Err(NoLinear);
        }
        let mut places = vec![PlaceBits::default(); (1_usize << bits).div_ceil(64)];
        let (mut at, mut found) = (0_u64, 0);
        each_number(&gaps, |gaps| {
            for gap in gaps {
                at += u64::from(*gap);
                if let Some(places) = usize::try_from(at / 64).ok().and_then(|block| places.get_mut(block)) {
                    places.held |= 1 << (at % 64);
                }
            }
            found += gaps.len();
        })?;
        let mut weights = Vec::with_capacity(found + 1);
        weights.push(0);
        let mut above = 0;
        each_number(&steps, |steps| {
            weights.extend(steps.iter().map(|step| {
                let magnitude = step >> 1;
                above |= magnitude.wrapping_sub(1); // All bits are set if it is 0, which is refused, too.
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "what is too much for it is refused below"
                )]
                let magnitude = magnitude as i16;
                if step & 1 == 0 { magnitude } else { magnitude.wrapping_neg() }
            }));
        })?;
        // A place that is named twice counts once.
        let is_whole =
            at >> bits == 0 && PlaceBits::count(&mut places) == found && weights.len() == found + 1;
        // The most is a power of two: what is less has none of its bits, and no higher one.
        let are_steps = above < MOST_WEIGHT_STEPS as u32;
        if is_whole && are_steps { Ok(Linear { bits, bias, places, weights }) } else { Err(NoLinear) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_comes_back_and_nonsense_is_refused() {
        let model = Linear::of(18, -0.5, [(3, 1.0), (64, -0.25), (1 << 17, 2.0)]);
        let bytes = postcard::to_stdvec(&model).unwrap();
        assert!(bytes.len() < 20, "{}", bytes.len());
        assert_eq!(postcard::from_bytes::<Linear>(&bytes).unwrap(), model);
        let stored = |bits, gaps: &[u8], steps: &[u8]| {
            let (gaps, steps) = (gaps.to_vec().into(), steps.to_vec().into());
            let stored = StoredLinear { bits, bias: 0.0, gaps, steps };
            postcard::from_bytes::<Linear>(&postcard::to_stdvec(&stored).unwrap())
        };
        stored(4, &[1, 14], &[2, 3]).unwrap();
        for (bits, gaps) in [(4, &[1, 15][..]), (0, &[1, 1]), (25, &[1, 1]), (4, &[1]), (4, &[1, 0])] {
            stored(bits, gaps, &[2, 2]).unwrap_err();
        }
        for gaps in [&[1, 0x81][..], &[1, 0xff, 0xff, 0xff, 0xff, 1]] {
            stored(24, gaps, &[2, 2]).unwrap_err();
        }
        for steps in [&[2][..], &[2, 0], &[2, 1], &[2, 0x82], &[2, 2, 2]] {
            stored(4, &[1, 14], steps).unwrap_err();
        }
    }

    #[test]
    fn a_table_scores_as_its_models_do() {
        let models = [
            Linear::of(18, -0.5, [(3, 1.0), (64, -0.25), (1 << 17, 2.0)]),
            Linear::of(18, 0.0, []),
            Linear::of(18, 1.0, [(3, 0.5), (65, 4.0)]),
        ];
        let table = LinearTable::<3>::of(&models).unwrap();
        let tokens = [3, 64, 65, 66, 1 << 17, 3].map(|place: u32| place << 14);
        for tokens in [&tokens[..], &tokens[..1], &[]] {
            let apart = models.each_ref().map(|model| model.score(tokens.iter().copied()));
            assert_eq!(table.score(tokens.iter().copied()), apart);
        }
        assert!(LinearTable::<2>::of(&models).is_none());
        let other = [models[0].clone(), models[1].clone(), Linear::of(17, 0.0, [])];
        assert!(LinearTable::<3>::of(&other).is_none());
    }

    #[test]
    fn numbers_that_do_not_add_up_exactly_are_refused() {
        let read = |bias, step| {
            let mut steps = Vec::new();
            put_number(&mut steps, step);
            let stored = StoredLinear { bits: 4, bias, gaps: vec![1].into(), steps: steps.into() };
            postcard::from_bytes::<Linear>(&postcard::to_stdvec(&stored).unwrap())
        };
        for (bias, step) in [(0.0, 2), (-0.0, 3), (-3.015_625, 2 * 4096), (64.0, 2 * 4096 + 1)] {
            assert_eq!(read(bias, step).unwrap().bias().to_bits(), bias.to_bits());
        }
        for bias in
            [0.01, -1.0 / 128.0, 64.0 + WEIGHT_STEP, f32::MAX, f32::INFINITY, f32::NAN, f32::MIN_POSITIVE]
        {
            read(bias, 2).unwrap_err();
        }
        for step in [0, 1, 2 * 4097, 2 * 4097 + 1, 2 * 0x8000 + 1, (1 << 28) - 1, u32::MAX] {
            read(0.0, step).unwrap_err();
        }
    }
}
