//! Columns of a block's own text and element.

use super::super::context::{heading_rank, share};
use super::view::{features, ratio};
use tsugi_page::Tag;
use tsugi_page::text::is_alphanumeric;

features! {
    count_from_1 "tokens", "words in the block, each CJK character a word", |b| b.block().counts.tokens;
    characters "characters", "characters in the block without white space", |b| b.block().counts.characters;
    count "characters_per_token", "characters per word", |b| b.per_token(b.block().counts.characters);
    share "cjk_share", "share of the block's words that are CJK characters",
        |b| share(b.block().counts.cjk, b.block().counts.tokens);
    share "digit_share", "share of the block's characters that are digits",
        |b| share(b.block().counts.digits, b.block().counts.characters);
    share "number_share", "share of the block's words that are numbers",
        |b| share(b.block().counts.numbers, b.block().counts.tokens);
    share "letter_share", "share of the block's characters that are letters",
        |b| share(b.block().counts.letters, b.block().counts.characters);
    share "upper_share", "share of the block's letters that are upper-case",
        |b| share(b.block().counts.upper, b.block().counts.letters);
    share "capitalised_share", "share of the block's words that start with an upper-case letter",
        |b| share(b.block().counts.capitalised, b.block().counts.tokens);
    count "sentence_ends", "ends of sentences in the block", |b| b.block().counts.sentence_ends;
    ratio "sentence_ends_per_token", "ends of sentences per word",
        |b| b.per_token(b.block().counts.sentence_ends);
    ratio "commas_per_token", "commas and semicolons per word", |b| b.per_token(b.block().counts.commas);
    ratio "separators_per_token", "bars, dots and arrows per word",
        |b| b.per_token(b.block().counts.separators);
    count "currency", "currency signs in the block", |b| b.block().counts.currency;
    share "link_density", "share of the block's words in links",
        |b| share(b.block().link_tokens, b.block().counts.tokens);
    count "links", "links in the block", |b| b.block().links;
    count "tokens_per_link", "words per link in the block",
        |b| ratio(b.block().link_tokens, b.block().links);
    count "plain_tokens", "words of the block outside links",
        |b| b.block().counts.tokens - b.block().link_tokens;
    count "breaks", "line breaks in the block", |b| b.block().breaks;
    count_from_1 "text_nodes", "text nodes in the block", |b| b.block().texts().len();
    flag "starts_upper", "block {starts|does not start} with an upper-case letter",
        |b| b.first.is_uppercase();
    flag "starts_with_sign", "block {starts|does not start} with a sign",
        |b| !is_alphanumeric(b.first);
    flag "ends_sentence", "block {ends|does not end} like a sentence",
        |b| ".!?…。！？।؟\"”」".contains(b.last);
    flag "ends_colon", "block {ends|does not end} with a colon", |b| matches!(b.last, ':' | '：');
    flag "ends_sign", "block {ends|does not end} with an arrow or another menu sign",
        |b| matches!(b.last, '»' | '›' | '→' | '>' | '+' | '…' | '|' | '▼' | '▾');
    flag "copyright", "block {is|is not} a short text with a copyright sign", |b| b.facts.copyright;
    flag "year", "block {is|is not} a short text with a year", |b| b.facts.year;
    flag "address", "block {is|is not} a short text with an address", |b| b.facts.address;
    share "in_title", "share of the block's words that are also in the page title", |b| b.facts.in_title;
    share "title_in", "share of the page title's words that are also in the block", |b| b.facts.title_in;
    count_from_1 "same_text", "blocks on the page with the same text", |b| b.facts.same_text;
    count "same_text_before", "earlier blocks on the page with the same text", |b| b.facts.same_before;
    score "words_score", "wording: {like|unlike} main content", |b| b.scores.words;
    score "markup_score", "class names: {like|unlike} main content", |b| b.scores.markup;
    score "linear_score", "wording and class names together: {like|unlike} main content",
        |b| b.scores.words + b.scores.markup;
    flag "is_paragraph", "block {is|is not} a paragraph", |b| b.owner_is(&[Tag::P]);
    flag "is_item", "block {is|is not} a list item", |b| b.owner_is(&[Tag::Li]);
    flag "is_cell", "block {is|is not} a table cell", |b| b.owner_is(&[Tag::Td, Tag::Th]);
    flag "is_division", "block {is|is not} a `div`", |b| b.owner_is(&[Tag::Div]);
    flag "is_definition", "block {is|is not} a term or definition (`dt`, `dd`)",
        |b| b.owner_is(&[Tag::Dt, Tag::Dd]);
    flag "is_preformatted", "block {is|is not} preformatted text", |b| b.owner_is(&[Tag::Pre]);
    flag "is_caption", "block {is|is not} a caption", |b| b.owner_is(&[Tag::Figcaption, Tag::Caption]);
    heading_rank "heading_rank", "heading rank of the block (0: not a heading)",
        |b| heading_rank(b.context.page(), b.block().owner);
    flag "is_link", "block {is|is not} a single link",
        |b| b.block().links == 1 && b.block().link_tokens == b.block().counts.tokens;
    flag "is_marked", "block {is|is not} wholly inside an inline element",
        |b| b.block().inner != b.block().owner;
    flag "prose", "block {is|is not} prose", |b| b.facts.prose;
}
