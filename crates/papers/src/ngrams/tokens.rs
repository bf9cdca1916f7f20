//! Cuts texts into tokens.

/// Cuts a text into the tokens that n-grams are made of, in order, each a piece of the text.
///
/// * A run of letters and digits is a token.
/// * A character of a script that is written without spaces between words is a token of its own: Han, kana and
///   Bopomofo; Hangul syllables as well.
/// * Any other character that is not white space is a token of its own, so that punctuation counts.
///
/// Case is kept, and nothing is normalised: both texts are cut in the same way, and content that was taken from a page
/// is spelt as it is there.
///
/// # Source
///
/// The paper that these measures follow (see [`NGramOverlap`](super::NGramOverlap)) does not say what a token is. Case
/// and punctuation count, as in the tokenisers of `sacreBLEU`; `rouge-score` drops both. Chinese and Japanese
/// characters stand alone, as in `sacreBLEU`'s `zh`. A sign inside a word or a number ends it (`don't` and `3.14` are
/// three tokens), as in `rouge-score`. A run of Thai, Lao, Khmer or Burmese is one token.
///
/// # Cost
///
/// `O(n)` time for `n` bytes; allocates nothing.
pub fn text_tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let end = if is_of_word(first) {
            rest.find(|c| !is_of_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, behind) = rest.split_at(end);
        rest = behind;
        Some(token)
    })
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() && !stands_alone(c)
}

/// Returns `true` if a letter is a token of its own: Han, kana, Bopomofo or a Hangul syllable.
fn stands_alone(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}' // iteration mark, closing mark, zero: 々〆〇
        | '\u{3040}'..='\u{312f}' // kana, Bopomofo
        | '\u{31a0}'..='\u{31bf}' // Bopomofo extended
        | '\u{31f0}'..='\u{31ff}' // small Katakana
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' // Han
        | '\u{ac00}'..='\u{d7af}' // Hangul syllables
        | '\u{ff66}'..='\u{ff9f}' // half-width Katakana
        | '\u{1aff0}'..='\u{1b16f}' // more kana
        | '\u{20000}'..='\u{3ffff}' // Han beyond the basic plane
    )
}
