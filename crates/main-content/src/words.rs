//! Words of a block as hashed tokens, for linear scores.

use super::context::PageContext;
use super::hash::{salted, upper};

const FEW_WORDS: usize = 8; // Blocks with at most this many words also give pairs of words, and the whole.
#[derive(Clone, Copy)]
enum WordKind {
    Length = 1,
    Word,
    First,
    Last,
    Pair,
    Whole,
}

/// Appends the tokens of a block's own words: each word, the first and the last; for short blocks also pairs and the
/// whole.
pub fn word_tokens(context: &PageContext<'_>, block: usize, tokens: &mut Vec<u32>) {
    let words = context.words(block);
    // The length is a token of its own.
    tokens.push(token(WordKind::Length, &[words.len().checked_ilog2().unwrap_or(0)]));
    tokens.extend(words.iter().map(|word| token(WordKind::Word, &[*word])));
    if let (Some(first), Some(last)) = (words.first(), words.last()) {
        tokens.push(token(WordKind::First, &[*first]));
        tokens.push(token(WordKind::Last, &[*last]));
    }
    if words.len() <= FEW_WORDS {
        tokens.extend(words.windows(2).map(|pair| token(WordKind::Pair, pair)));
        tokens.push(token(WordKind::Whole, words));
    }
}

fn token(kind: WordKind, words: &[u32]) -> u32 {
    upper(words.iter().fold(kind as u64, |hash, word| salted(hash, u64::from(*word))))
}
