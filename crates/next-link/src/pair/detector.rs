//! The learned judge: one row per pair, one model, and reasons in words.

use super::columns::PairColumns;
use super::facts::Pair;
use tsugi_page::{Reason, Verdict};
use tsugi_scoring::{Bundle, BundleError, Calibration, ModelFile};

/// The kind of bundles for this judge.
pub const CONTINUATION_KIND: &str = "continuation/full/1";

const MAX_REASONS: usize = 6;

/// The parts of a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairPart {
    /// The model that scores pairs; its header has the threshold for calibrated scores.
    Pairs,
    /// Maps its score to the probability that a pair holds.
    Calibration,
}

impl PairPart {
    /// Returns the name in the bundle.
    pub fn name(self) -> &'static str {
        match self {
            PairPart::Pairs => "pairs",
            PairPart::Calibration => "calibration",
        }
    }
}

/// Judges whether a page continues another, on any site.
#[derive(Debug)]
pub struct PairDetector {
    pairs: ModelFile<PairColumns>,
    calibration: Calibration,
}

impl PairDetector {
    /// Takes the models from a bundle.
    ///
    /// # Errors
    ///
    /// [`BundleError`] if a part is missing, damaged, or made for other columns.
    pub fn from_bundle(bundle: &Bundle) -> Result<Self, BundleError> {
        Ok(PairDetector {
            pairs: bundle.model(PairPart::Pairs.name())?,
            calibration: bundle.get(PairPart::Calibration.name())?,
        })
    }

    /// Returns the probability from which a pair holds.
    // Chosen so that at most .7 % of the true pairs whose link is sure are refused, out of fold. The same holds for links that are
    // only tried, since the link's score is one of the columns.
    pub fn threshold(&self) -> f32 {
        self.pairs.header.threshold
    }

    /// Returns the probability that a pair holds, in [0, 1].
    pub fn score(&self, pair: &Pair<'_>) -> f32 {
        self.score_row(&pair.row())
    }

    /// Returns the probability that the pair of a row ([`Pair::row`]) holds, in [0, 1].
    pub fn score_row(&self, row: &[f32]) -> f32 {
        self.calibration.apply(self.pairs.model.score_row(row))
    }

    /// Judges a pair and gives reasons.
    pub fn judge(&self, pair: &Pair<'_>) -> Verdict {
        let row = pair.row();
        let score = self.score_row(&row);
        let reasons = self.pairs.model.reasons(&row).into_iter().take(MAX_REASONS);
        #[expect(clippy::cast_possible_truncation, reason = "log-odds fit, rounded")]
        let reasons = reasons
            .map(|(column, value, weight)| Reason { what: column.phrase(value), weight: weight as f32 });
        Verdict { score, holds: score >= self.threshold(), reasons: reasons.collect() }
    }
}
