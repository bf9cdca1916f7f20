//! Compares texts by runs of tokens: BLEU-4 and ROUGE-2. One rule cuts tokens for both, as the paper's formulas count the same
//! n-grams; a candidate walks the trie of the reference once, 35 ns a token.
//!
//! ```text
//! reference text ─text_tokens→ ReferenceText ─trie of its n-grams─┐
//! candidate text ─ReferenceText::tokens→ TokenId… ─ReferenceText::overlap→ NGramOverlap → BLEU-4, ROUGE-2
//! ```

mod overlap;
mod tokens;
mod trie;

#[cfg(test)]
mod tests;

pub use overlap::NGramOverlap;
pub use tokens::text_tokens;

use trie::Trie;

/// A reference text that others are compared with: its distinct tokens and its n-grams.
///
/// If many candidates consist of the same pieces, read each piece once with [`tokens`](Self::tokens) and pass the ids to
/// [`overlap`](Self::overlap) as often as needed. N-grams reach from one piece into the next, as they do across lines of
/// a text. Tokens do not, so pieces give the tokens of the whole text only if white space separates them there.
///
/// # Cost
///
/// For `r` tokens of the reference and `m` of a candidate: `O(r log r)` time to build, `O(m log r)` to read a candidate
/// and `O(r + m log r)` to compare it; memory `O(r)`. On one core a megabyte is built in 0.2 s, read in 0.07 s and
/// compared in 0.07 s; 80 candidates for each of 2,250 pages, 245 million tokens that were read before, take 9 s.
///
/// # Examples
///
/// ```
/// use tsugi_papers::ngrams::ReferenceText;
///
/// let reference = ReferenceText::new("The mill stands by the sea.\n月が昇る。");
/// let blocks = ["Home | News", "The mill stands by the sea.", "月が昇る。"].map(|block| reference.tokens(block));
///
/// let content = reference.overlap(blocks[1..].iter().flatten().copied());
/// assert_eq!((content.bleu_4(), content.rouge_2()), (1.0, 1.0));
///
/// // All 11 pairs of the reference are there, so recall is 1; the menu costs precision.
/// let everything = reference.overlap(blocks.iter().flatten().copied());
/// assert!(everything.bleu_4() < 1.0);
/// assert_eq!(everything.rouge_2(), 1.0);
/// ```
#[derive(Clone, Debug)]
pub struct ReferenceText<'t> {
    /// The distinct tokens, in order; the place of a token is its number.
    distinct: Vec<&'t str>,
    trie: Trie,
    length: usize,
}

/// A token as one reference numbers it, if it has the token. Ids of different references cannot be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenId(Option<usize>);

impl<'t> ReferenceText<'t> {
    /// Reads a reference.
    pub fn new(text: &'t str) -> Self {
        let tokens: Vec<&str> = text_tokens(text).collect();
        let mut distinct = tokens.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let numbers: Vec<usize> = tokens.iter().filter_map(|token| number(&distinct, token)).collect();
        Self { trie: Trie::of(&numbers), length: numbers.len(), distinct }
    }

    /// Reads a candidate, or a piece of one.
    pub fn tokens(&self, text: &str) -> Vec<TokenId> {
        text_tokens(text).map(|token| TokenId(number(&self.distinct, token))).collect()
    }

    /// Compares a candidate, given as tokens, with this reference.
    pub fn overlap(&self, candidate: impl IntoIterator<Item = TokenId>) -> NGramOverlap {
        let mut length = 0;
        let numbers = candidate.into_iter().inspect(|_| length += 1).map(|token| token.0);
        let matched = self.trie.matched(numbers);
        NGramOverlap { matched, candidate: length, reference: self.length }
    }
}

fn number(distinct: &[&str], token: &str) -> Option<usize> {
    distinct.binary_search(&token).ok()
}
