//! Compares texts by runs of tokens: BLEU-4 and ROUGE-2. One rule cuts tokens for both, as the paper's formulas count the same
//! n-grams.

mod tokens;

#[cfg(test)]
mod tests;

pub use tokens::text_tokens;

/// The longest run of tokens that is counted.
const ORDERS: usize = 4;

/// A run of tokens by their numbers; places beyond its end are 0.
type NGram = [usize; ORDERS];

/// A reference text that others are compared with: its distinct tokens and its n-grams.
///
/// # Cost
///
/// For `r` tokens of the reference and `m` of a candidate: `O(r log r)` time to build, `O(r + m log r + m log m)` to compare
/// a candidate; memory `O(r + m)`.
///
/// # Examples
///
/// ```
/// use tsugi_papers::ngrams::ReferenceText;
///
/// let reference = ReferenceText::new("The mill stands by the sea.\n月が昇る。");
/// let content = reference.overlap("The mill stands by the sea.\n月が昇る。");
/// assert_eq!((content.bleu_4(), content.rouge_2()), (1.0, 1.0));
/// // All 11 pairs of the reference are there, so recall is 1; the menu costs precision.
/// let everything = reference.overlap("Home | News\nThe mill stands by the sea.\n月が昇る。");
/// assert!(everything.bleu_4() < 1.0);
/// assert_eq!(everything.rouge_2(), 1.0);
/// ```
#[derive(Clone, Debug)]
pub struct ReferenceText<'t> {
    /// In order; the place of a token is its number.
    distinct: Vec<&'t str>,
    grams: [Vec<NGram>; ORDERS],
}

impl<'t> ReferenceText<'t> {
    /// Reads a reference.
    pub fn new(text: &'t str) -> Self {
        let mut distinct: Vec<&str> = text_tokens(text).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let grams = grams(&distinct, text);
        Self { distinct, grams }
    }

    /// Compares a candidate with this reference.
    pub fn overlap(&self, candidate: &str) -> NGramOverlap {
        let grams = grams(&self.distinct, candidate);
        NGramOverlap {
            matched: std::array::from_fn(|at| common(&grams[at], &self.grams[at])),
            candidate: grams[0].len(),
            reference: self.grams[0].len(),
        }
    }
}

/// The runs of 1 to 4 tokens of a text, by length, sorted.
fn grams(distinct: &[&str], text: &str) -> [Vec<NGram>; ORDERS] {
    // All unknown tokens have one number, which no token of the reference has.
    let number = |token| distinct.binary_search(&token).unwrap_or(distinct.len());
    let numbers: Vec<usize> = text_tokens(text).map(number).collect();
    std::array::from_fn(|at| {
        let runs =
            numbers.windows(at + 1).map(|run| std::array::from_fn(|at| run.get(at).copied().unwrap_or(0)));
        let mut grams: Vec<NGram> = runs.collect();
        grams.sort_unstable();
        grams
    })
}

/// The number of n-grams that two sorted lists have in common, each counted as often as both have it.
fn common(one: &[NGram], other: &[NGram]) -> usize {
    let mut rest = other.iter().peekable();
    let is_there = |gram: &&NGram| {
        while rest.next_if(|other| other < gram).is_some() {}
        rest.next_if_eq(gram).is_some()
    };
    one.iter().filter(is_there).count()
}

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
