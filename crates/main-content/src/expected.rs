//! Finds the choice with the best expected F.

/// A piece of text with the probability that it is content.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Weighed {
    pub(crate) tokens: f64,
    pub(crate) score: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Expected {
    /// Pieces with a higher score belong to the choice.
    pub(crate) cut: f64,
    pub(crate) f: f64,
}

/// Finds the choice with the best expected F if pieces are judged one by one.
///
/// ```text
/// F(choice) = 2 · Σ_choice tokens · score ÷ (Σ_choice tokens + Σ_all tokens · score)
/// ```
///
/// A piece belongs to the best choice if its score exceeds half of the best F. Each round takes the best choice under
/// the previous round's F, until F no longer grows.
///
/// # Source
///
/// Dinkelbach (1967), On Nonlinear Fractional Programming, Management Science 13, 492–498.
pub(crate) fn best_expected(pieces: &[Weighed]) -> Expected {
    let all: f64 = pieces.iter().map(|piece| piece.tokens * piece.score).sum();
    let mut best = Expected { cut: 0.0, f: 0.0 };
    // F grows with every round. A few rounds suffice; the limit is a safeguard.
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
        // .4 is below one half, yet both pieces together are best: 2·13 ÷ (20 + 13) = .788 against 2·9 ÷ (10 + 13) =
        // .783.
        let best = best_expected(&[piece(10.0, 0.9), piece(10.0, 0.4)]);
        assert!((best.f - 26.0 / 33.0).abs() < 1e-9);
        assert_eq!(best_expected(&[]), Expected { cut: 0.0, f: 0.0 });
    }
}
