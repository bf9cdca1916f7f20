//! Columns of a block's own text and element.

use super::super::context::{heading_rank, share};
use super::view::{features, flag};
use tsugi_page::Tag;
use tsugi_page::text::is_alphanumeric;
use tsugi_scoring::Range;

features! {
    "tokens", Count, Range::at_least(1.0), "words in the block, each CJK character a word",
        |b| b.block().counts.tokens as f32;
    "characters", Characters, Range::at_least(1.0), "characters in the block without white space",
        |b| b.block().counts.characters as f32;
    "characters_per_token", Count, Range::at_least(0.0), "characters per word",
        |b| b.per_token(b.block().counts.characters);
    "cjk_share", Ratio, Range::unit(), "share of the block's words that are CJK characters",
        |b| share(b.block().counts.cjk, b.block().counts.tokens);
    "digit_share", Ratio, Range::unit(), "share of the block's characters that are digits",
        |b| share(b.block().counts.digits, b.block().counts.characters);
    "number_share", Ratio, Range::unit(), "share of the block's words that are numbers",
        |b| share(b.block().counts.numbers, b.block().counts.tokens);
    "letter_share", Ratio, Range::unit(), "share of the block's characters that are letters",
        |b| share(b.block().counts.letters, b.block().counts.characters);
    "upper_share", Ratio, Range::unit(), "share of the block's letters that are upper-case",
        |b| share(b.block().counts.upper, b.block().counts.letters);
    "capitalised_share", Ratio, Range::unit(),
        "share of the block's words that start with an upper-case letter",
        |b| share(b.block().counts.capitalised, b.block().counts.tokens);
    "sentence_ends", Count, Range::at_least(0.0), "ends of sentences in the block",
        |b| b.block().counts.sentence_ends as f32;
    "sentence_ends_per_token", Ratio, Range::at_least(0.0), "ends of sentences per word",
        |b| b.per_token(b.block().counts.sentence_ends);
    "commas_per_token", Ratio, Range::at_least(0.0), "commas and semicolons per word",
        |b| b.per_token(b.block().counts.commas);
    "separators_per_token", Ratio, Range::at_least(0.0), "bars, dots and arrows per word",
        |b| b.per_token(b.block().counts.separators);
    "currency", Count, Range::at_least(0.0),
        "currency signs in the block", |b| b.block().counts.currency as f32;
    "link_density", Ratio, Range::unit(), "share of the block's words in links",
        |b| share(b.block().link_tokens, b.block().counts.tokens);
    "links", Count, Range::at_least(0.0), "links in the block", |b| b.block().links as f32;
    "tokens_per_link", Count, Range::at_least(0.0), "words per link in the block",
        |b| b.block().link_tokens as f32 / b.block().links.max(1) as f32;
    "plain_tokens", Count, Range::at_least(0.0), "words of the block outside links",
        |b| (b.block().counts.tokens - b.block().link_tokens) as f32;
    "breaks", Count, Range::at_least(0.0), "line breaks in the block", |b| b.block().breaks as f32;
    "text_nodes", Count, Range::at_least(1.0), "text nodes in the block", |b| b.block().texts.len() as f32;
    "starts_upper", Flag, Range::flag(), "block {starts|does not start} with an upper-case letter",
        |b| flag(b.facts().first.is_uppercase());
    "starts_with_sign", Flag, Range::flag(), "block {starts|does not start} with a sign",
        |b| flag(!is_alphanumeric(b.facts().first));
    "ends_sentence", Flag, Range::flag(), "block {ends|does not end} like a sentence",
        |b| flag(matches!(b.facts().last, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '।' | '؟' | '"' | '”' | '」'));
    "ends_colon", Flag, Range::flag(),
        "block {ends|does not end} with a colon", |b| flag(matches!(b.facts().last, ':' | '：'));
    "ends_sign", Flag, Range::flag(), "block {ends|does not end} with an arrow or another menu sign",
        |b| flag(matches!(b.facts().last, '»' | '›' | '→' | '>' | '+' | '…' | '|' | '▼' | '▾')) ;
    "copyright", Flag, Range::flag(),
        "block {is|is not} a short text with a copyright sign", |b| flag(b.facts().copyright);
    "year", Flag, Range::flag(), "block {is|is not} a short text with a year", |b| flag(b.facts().year);
    "address", Flag, Range::flag(),
        "block {is|is not} a short text with an address", |b| flag(b.facts().address);
    "in_title", Ratio, Range::unit(), "share of the block's words that are also in the page title",
        |b| b.facts().in_title;
    "title_in", Ratio, Range::unit(),
        "share of the page title's words that are also in the block", |b| b.facts().title_in;
    "same_text", Count, Range::at_least(1.0), "blocks on the page with the same text",
        |b| b.facts().same_text as f32;
    "same_text_before", Count, Range::at_least(0.0), "earlier blocks on the page with the same text",
        |b| b.facts().same_before as f32;
    "words_score", Score, Range::any(), "wording: {like|unlike} main content", |b| b.scores.words;
    "markup_score", Score, Range::any(), "class names: {like|unlike} main content",
        |b| b.scores.markup;
    "linear_score", Score, Range::any(),
        "wording and class names together: {like|unlike} main content", |b| b.scores.words + b.scores.markup;
    "is_paragraph", Flag, Range::flag(), "block {is|is not} a paragraph", |b| b.owner_is(&[Tag::P]);
    "is_item", Flag, Range::flag(), "block {is|is not} a list item", |b| b.owner_is(&[Tag::Li]);
    "is_cell", Flag, Range::flag(), "block {is|is not} a table cell", |b| b.owner_is(&[Tag::Td, Tag::Th]);
    "is_division", Flag, Range::flag(), "block {is|is not} a `div`", |b| b.owner_is(&[Tag::Div]);
    "is_definition", Flag, Range::flag(),
        "block {is|is not} a term or definition (`dt`, `dd`)", |b| b.owner_is(&[Tag::Dt, Tag::Dd]);
    "is_preformatted", Flag, Range::flag(),
        "block {is|is not} preformatted text", |b| b.owner_is(&[Tag::Pre]);
    "is_caption", Flag, Range::flag(),
        "block {is|is not} a caption", |b| b.owner_is(&[Tag::Figcaption, Tag::Caption]);
    "heading_rank", Index, Range { low: 0.0, high: 6.0 }, "heading rank of the block (0: not a heading)",
        |b| f32::from(heading_rank(b.context.page(), b.block().owner));
    "is_link", Flag, Range::flag(), "block {is|is not} a single link",
        |b| flag(b.block().links == 1 && b.block().link_tokens == b.block().counts.tokens);
    "is_marked", Flag, Range::flag(), "block {is|is not} wholly inside an inline element",
        |b| flag(b.block().inner != b.block().owner);
    "prose", Flag, Range::flag(), "block {is|is not} prose",
        |b| flag(b.facts().prose);
}
