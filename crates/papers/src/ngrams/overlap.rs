//! BLEU-4 and ROUGE-2, from counts of n-grams.

/// The longest run of tokens that is counted.
pub(super) const ORDERS: usize = 4;

/// The n-grams that a candidate text shares with a reference, and the measures computed from them.
///
/// # Source
///
/// Fujita, Yasuda, Katafuchi & Kataoka, ウェブページ内の階層構造を考慮した本文抽出技術, section 4.3: BLEU (Papineni,
/// Roukos, Ward & Zhu 2002, ACL, 311–318, <https://doi.org/10.3115/1073083.1073135>) with N = 4, equal weights and a
/// brevity penalty of 1; ROUGE-n (Lin 2004, Text Summarization Branches Out, 74–81,
/// <https://aclanthology.org/W04-1013>) with n = 2.
///
/// `scripts/ngram-measures` compares both with `sacreBLEU` and `rouge-score`.
///
/// # Examples
///
/// ```
/// use tsugi_papers::ngrams::ReferenceText;
///
/// let reference = ReferenceText::new("the cat sat on the mat");
/// let found = reference.overlap(reference.tokens("the the the cat sat"));
/// assert_eq!(found.matched, [4, 2, 1, 0]); // the ×2 of 3, cat, sat · the cat, cat sat · the cat sat
/// assert_eq!(found.bleu_4(), 0.0); // no run of four tokens is right
/// assert_eq!(found.rouge_2(), 2.0 / 5.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NGramOverlap {
    /// For runs of 1, 2, 3 and 4 tokens: how many of the candidate's are in the reference, each counted at most as
    /// often as the reference has it.
    pub matched: [usize; ORDERS],
    /// Number of tokens of the candidate.
    pub candidate: usize,
    /// Number of tokens of the reference.
    pub reference: usize,
}

impl NGramOverlap {
    /// Returns BLEU-4 without brevity penalty, a ratio in [0, 1]: how correct the candidate is, whatever it lacks.
    ///
    /// The geometric mean of the precisions of runs of 1 to 4 tokens, without smoothing: 0 if one of them is 0.
    ///
    /// A candidate of fewer than four tokens has the mean of the orders that it has, as with `sacreBLEU`'s
    /// `effective_order`. A candidate without tokens gets 0, or 1 if the reference has none either, as the F of texts
    /// does.
    pub fn bleu_4(&self) -> f64 {
        let orders = ORDERS.min(self.candidate);
        if orders == 0 {
            return f64::from(self.reference == 0);
        }
        let precisions =
            (1..=orders).map(|order| self.matched[order - 1] as f64 / runs(self.candidate, order));
        // The logarithm of 0 is −∞, and its exponential 0 again.
        (precisions.map(f64::ln).sum::<f64>() / orders as f64).exp()
    }

    /// Returns ROUGE-2, a ratio in [0, 1]: how complete the candidate is, whatever else it has.
    ///
    /// The share of the reference's pairs of neighbouring tokens that the candidate has.
    ///
    /// A reference of one token has no pairs; its token counts instead. Against a reference without tokens a
    /// candidate gets 0, or 1 if it has none either.
    pub fn rouge_2(&self) -> f64 {
        match self.reference.min(2) {
            0 => f64::from(self.candidate == 0),
            order => self.matched[order - 1] as f64 / runs(self.reference, order),
        }
    }
}

fn runs(tokens: usize, order: usize) -> f64 {
    (tokens + 1 - order) as f64
}
