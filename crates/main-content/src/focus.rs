//! Precision or recall: the preference where the models are in doubt.

/// The preference for texts that may be content or not.
///
/// The balanced answer has the best expected F. `Precision` leaves out those of its texts whose calibrated probability
/// of being content is below a higher cut; `Recall` adds those texts that are above a lower one. So the precise answer is
/// part of the balanced answer, which is part of the complete one.
///
/// Where texts are judged one by one, the best expected `F_β` takes those with a probability above `F_β ÷ (1 + β²)`.
/// `Precision` has β = ½ (precision counts twice as much), `Recall` β = 2; for β = 1 it is the cut of the balanced
/// answer, half of its expected F.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Focus {
    /// The best expected F: precision and recall count the same.
    #[default]
    Balanced,
    /// Less text that is not content; doubtful blocks are dropped.
    Precision,
    /// Less content is missed; doubtful blocks are kept.
    Recall,
}

impl Focus {
    /// Returns the probability above which a text is taken; `None` if the answer stays as it is.
    pub(crate) fn cut(self, expected_f: f32) -> Option<f32> {
        let beta: f32 = match self {
            Focus::Balanced => return None,
            Focus::Precision => 0.5,
            Focus::Recall => 2.0,
        };
        // The cut moves, not the scores: with shifted scores other containers were chosen, and the three answers did not
        // lie in each other.
        Some(expected_f / (1.0 + beta * beta))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precision_asks_for_more_than_recall() {
        let cuts = [Focus::Precision, Focus::Balanced, Focus::Recall].map(|focus| focus.cut(1.0));
        assert_eq!(cuts, [Some(0.8), None, Some(0.2)]);
        assert!(Focus::Precision.cut(0.9) > Some(0.45) && Focus::Recall.cut(0.9) < Some(0.45));
    }
}
