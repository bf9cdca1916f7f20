//! Turns scores into calibrated probabilities.

use serde::{Deserialize, Serialize};

/// A rising map from scores to probabilities: straight lines between knots, level beyond them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(f32, f32)>", into = "Vec<(f32, f32)>")]
pub struct Calibration {
    knots: Vec<(f32, f32)>,
}

impl Calibration {
    /// Returns the map that changes nothing.
    pub fn identity() -> Self {
        Self { knots: vec![(0.0, 0.0), (1.0, 1.0)] }
    }

    /// Returns the probability for a score.
    pub fn apply(&self, score: f32) -> f32 {
        let after = self.knots.partition_point(|(at, _)| *at < score);
        let (Some(low), Some(high)) =
            (after.checked_sub(1).and_then(|at| self.knots.get(at)), self.knots.get(after))
        else {
            let end = if after == 0 { self.knots.first() } else { self.knots.last() };
            return end.map_or(0.0, |(_, probability)| *probability);
        };
        let along = if high.0 > low.0 { (score - low.0) / (high.0 - low.0) } else { 1.0 };
        low.1 + along * (high.1 - low.1)
    }
}

/// Knots that do not rise.
#[derive(Debug, thiserror::Error)]
#[error("expected knots that rise, with probabilities from 0 to 1")]
pub struct NoCalibration;

impl TryFrom<Vec<(f32, f32)>> for Calibration {
    type Error = NoCalibration;

    fn try_from(knots: Vec<(f32, f32)>) -> Result<Self, NoCalibration> {
        let rises = knots.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 <= pair[1].1);
        let fits = knots.iter().all(|(score, p)| score.is_finite() && (0.0..=1.0).contains(p));
        if !knots.is_empty() && rises && fits { Ok(Self { knots }) } else { Err(NoCalibration) }
    }
}

impl From<Calibration> for Vec<(f32, f32)> {
    fn from(calibration: Calibration) -> Self {
        calibration.knots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_join_the_knots_and_are_level_beyond_them() {
        let calibration = Calibration { knots: vec![(0.0, 0.25), (1.0, 0.5), (3.0, 1.0)] };
        for (score, probability) in [(-1.0, 0.25), (0.0, 0.25), (0.5, 0.375), (2.0, 0.75), (5.0, 1.0)] {
            assert_eq!(calibration.apply(score), probability, "{score}");
        }
        assert_eq!(Calibration::identity().apply(0.25), 0.25);
    }

    #[test]
    fn what_is_stored_comes_back_and_nonsense_is_refused() {
        let calibration = Calibration { knots: vec![(0.1, 0.2), (0.5, 0.25), (0.5, 0.75)] };
        let bytes = postcard::to_stdvec(&calibration).unwrap();
        assert_eq!(postcard::from_bytes::<Calibration>(&bytes).unwrap(), calibration);
        for knots in [vec![], vec![(0.0, 0.5), (1.0, 0.4)], vec![(0.0, f32::NAN)], vec![(0.0_f32, 2.0)]] {
            postcard::from_bytes::<Calibration>(&postcard::to_stdvec(&knots).unwrap()).unwrap_err();
        }
    }
}
