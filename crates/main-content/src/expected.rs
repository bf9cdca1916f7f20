//! The choice with the best expected F.

/// A piece of text that is content with some probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Weighed {
    /// Its tokens.
    pub(crate) tokens: f64,
    /// The probability that it is content.
    pub(crate) score: f64,
}

/// The choice of pieces with the best expected F.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Expected {
    /// Pieces that score higher belong to the choice.
    pub(crate) cut: f64,
    /// Its expected F.
    pub(crate) f: f64,
}

/// Finds the choice with the best expected F, where all pieces are judged on their own.
///
/// ```text
/// F(choice) = 2 · Σ_choice tokens · score ÷ (Σ_choice tokens + Σ_all tokens · score)
/// ```
///
/// A piece belongs to the best choice if its score exceeds half of the best F: the ratio is improved by what exceeds
/// it, and each round takes the best choice under the ratio of the last.
///
/// # Source
///
/// Dinkelbach (1967), On Nonlinear Fractional Programming, Management Science 13, 492–498.
pub(crate) fn best_expected(pieces: &[Weighed]) -> Expected {
    let all: f64 = pieces.iter().map(|piece| piece.tokens * piece.score).sum();
    let mut best = Expected { cut: 0.0, f: 0.0 };
    // The ratio grows with every round; some rounds suffice, and the number is bounded in any case.
    for _ in 0..MAX_ROUNDS {
        let (mut right, mut taken) = (0.0, 0.0);
        for piece in pieces.iter().filter(|piece| piece.score > best.cut) {
            right += piece.tokens * piece.score;
            taken += piece.tokens;
        }
        let f = if taken + all > 0.0 { 2.0 * right / (taken + all) } else { 0.0 };
        if f <= best.f + 1e-9 {
            break;
        }
        best = Expected { cut: f / 2.0, f };
    }
    best
}

const MAX_ROUNDS: usize = 30;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_choice_is_found() {
        let piece = |tokens, score| Weighed { tokens, score };
        // All: 9 + 1 = 10 expected. Both: 2·10 ÷ (20 + 10) = .667; the first alone: 2·9 ÷ (10 + 10) = .9.
        let best = best_expected(&[piece(10.0, 0.9), piece(10.0, 0.1)]);
        assert!((best.f - 0.9).abs() < 1e-9 && (best.cut - 0.45).abs() < 1e-9);
        // .4 is below one half, and yet both together are best: 2·13 ÷ (20 + 13) = .788 against 2·9 ÷ (10 + 13) = .783.
        let best = best_expected(&[piece(10.0, 0.9), piece(10.0, 0.4)]);
        assert!((best.f - 26.0 / 33.0).abs() < 1e-9);
        assert_eq!(best_expected(&[]), Expected { cut: 0.0, f: 0.0 });
    }
}
