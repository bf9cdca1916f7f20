//! Columns of a block's own text and element.

use super::super::context::{heading_rank, share};
use super::view::{features, flag};
use tsugi_learning::Range;
use tsugi_page::Tag;
use tsugi_page::text::is_alphanumeric;

features! {
    "tokens", Count, Range::at_least(1.0), "words and CJK characters of the block",
        |b| b.block().counts.tokens as f32;
    "characters", Characters, Range::at_least(1.0), "characters that are no white space",
        |b| b.block().counts.characters as f32;
    "characters_per_token", Count, Range::at_least(0.0), "characters for each token",
        |b| b.per_token(b.block().counts.characters);
    "cjk_share", Ratio, Range::unit(), "share of the tokens that are CJK characters",
        |b| share(b.block().counts.cjk, b.block().counts.tokens);
    "digit_share", Ratio, Range::unit(), "share of the characters that are digits",
        |b| share(b.block().counts.digits, b.block().counts.characters);
    "number_share", Ratio, Range::unit(), "share of the tokens that are numbers",
        |b| share(b.block().counts.numbers, b.block().counts.tokens);
    "letter_share", Ratio, Range::unit(), "share of the characters that are letters",
        |b| share(b.block().counts.letters, b.block().counts.characters);
    "upper_share", Ratio, Range::unit(), "share of the letters that are upper-case",
        |b| share(b.block().counts.upper, b.block().counts.letters);
    "capitalised_share", Ratio, Range::unit(), "share of the tokens that start with an upper-case letter",
        |b| share(b.block().counts.capitalised, b.block().counts.tokens);
    "sentence_ends", Count, Range::at_least(0.0), "ends of sentences",
        |b| b.block().counts.sentence_ends as f32;
    "sentence_ends_per_token", Ratio, Range::at_least(0.0), "ends of sentences for each token",
        |b| b.per_token(b.block().counts.sentence_ends);
    "commas_per_token", Ratio, Range::at_least(0.0), "commas and semicolons for each token",
        |b| b.per_token(b.block().counts.commas);
    "separators_per_token", Ratio, Range::at_least(0.0), "bars, dots and arrows for each token",
        |b| b.per_token(b.block().counts.separators);
    "currency", Count, Range::at_least(0.0), "signs of currency", |b| b.block().counts.currency as f32;
    "link_density", Ratio, Range::unit(), "share of the tokens that stand in links",
        |b| share(b.block().link_tokens, b.block().counts.tokens);
    "links", Count, Range::at_least(0.0), "links", |b| b.block().links as f32;
    "tokens_per_link", Count, Range::at_least(0.0), "tokens in links for each link",
        |b| b.block().link_tokens as f32 / b.block().links.max(1) as f32;
    "plain_tokens", Count, Range::at_least(0.0), "tokens that stand in no link",
        |b| (b.block().counts.tokens - b.block().link_tokens) as f32;
    "breaks", Count, Range::at_least(0.0), "line breaks inside", |b| b.block().breaks as f32;
    "text_nodes", Count, Range::at_least(1.0), "text nodes", |b| b.block().texts.len() as f32;
    "starts_upper", Flag, Range::flag(), "starts with an upper-case letter",
        |b| flag(b.facts().first.is_uppercase());
    "starts_with_sign", Flag, Range::flag(), "starts with neither letter nor digit",
        |b| flag(!is_alphanumeric(b.facts().first));
    "ends_sentence", Flag, Range::flag(), "ends as a sentence does",
        |b| flag(matches!(b.facts().last, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '।' | '؟' | '"' | '”' | '」'));
    "ends_colon", Flag, Range::flag(), "ends with a colon", |b| flag(matches!(b.facts().last, ':' | '：'));
    "ends_sign", Flag, Range::flag(), "ends with an arrow or another sign of menus",
        |b| flag(matches!(b.facts().last, '»' | '›' | '→' | '>' | '+' | '…' | '|' | '▼' | '▾')) ;
    "copyright", Flag, Range::flag(), "short, and holds a sign of copyright", |b| flag(b.facts().copyright);
    "year", Flag, Range::flag(), "short, and holds a year", |b| flag(b.facts().year);
    "address", Flag, Range::flag(), "short, and holds an address", |b| flag(b.facts().address);
    "in_title", Ratio, Range::unit(), "share of its words that occur in the page's title",
        |b| b.facts().in_title;
    "title_in", Ratio, Range::unit(), "share of the title's words that occur in it", |b| b.facts().title_in;
    "same_text", Count, Range::at_least(1.0), "blocks of the page with the same text",
        |b| b.facts().same_text as f32;
    "same_text_before", Count, Range::at_least(0.0), "how many of them come before it",
        |b| b.facts().same_before as f32;
    "words_score", Score, Range::any(), "linear score of its words, in log-odds", |b| b.scores.words;
    "markup_score", Score, Range::any(), "linear score of the names around it, in log-odds",
        |b| b.scores.markup;
    "linear_score", Score, Range::any(), "sum of the two linear scores", |b| b.scores.words + b.scores.markup;
    "is_paragraph", Flag, Range::flag(), "a `p`", |b| b.owner_is(&[Tag::P]);
    "is_item", Flag, Range::flag(), "a `li`", |b| b.owner_is(&[Tag::Li]);
    "is_cell", Flag, Range::flag(), "a cell of a table", |b| b.owner_is(&[Tag::Td, Tag::Th]);
    "is_division", Flag, Range::flag(), "a `div`", |b| b.owner_is(&[Tag::Div]);
    "is_definition", Flag, Range::flag(), "a `dt` or `dd`", |b| b.owner_is(&[Tag::Dt, Tag::Dd]);
    "is_preformatted", Flag, Range::flag(), "a `pre`", |b| b.owner_is(&[Tag::Pre]);
    "is_caption", Flag, Range::flag(), "a caption", |b| b.owner_is(&[Tag::Figcaption, Tag::Caption]);
    "heading_rank", Index, Range { low: 0.0, high: 6.0 }, "rank as a heading, 0 for others",
        |b| f32::from(heading_rank(b.context.page(), b.block().owner));
    "is_link", Flag, Range::flag(), "all of it is one link",
        |b| flag(b.block().links == 1 && b.block().link_tokens == b.block().counts.tokens);
    "is_marked", Flag, Range::flag(), "all of it is in an inline element",
        |b| flag(b.block().inner != b.block().owner);
    "prose", Flag, Range::flag(), "prose: some twenty words outside links, or ten and the end of a sentence",
        |b| flag(b.facts().prose);
}
