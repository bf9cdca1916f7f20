//! Columns of the page as a whole: the same for all of its blocks.

use super::super::context::share;
use super::view::{features, flag, ratio};
use tsugi_learning::Range;

features! {
    "page_tokens", Count, Range::at_least(0.0), "tokens of the page", |b| b.whole().tokens as f32;
    "page_blocks", Count, Range::at_least(0.0), "blocks of the page", |b| b.whole().blocks as f32;
    "page_tokens_per_block", Count, Range::at_least(0.0), "tokens for each block",
        |b| ratio(b.whole().tokens, b.whole().blocks);
    "page_link_density", Ratio, Range::unit(), "link density of the page", |b| b.whole().link_density();
    "page_prose", Ratio, Range::unit(), "share of the tokens that are prose",
        |b| share(b.whole().prose, b.whole().tokens);
    "page_prose_blocks", Count, Range::at_least(0.0), "blocks of prose", |b| b.whole().prose_blocks as f32;
    "page_hidden", Ratio, Range::unit(), "share of the tokens in hidden elements",
        |b| share(b.whole().hidden, b.whole().tokens);
    "half_share", Ratio, Range::unit(), "share of the tokens in the smallest element with half of the text",
        |b| share(b.context.inside(b.context.containers.half).tokens, b.whole().tokens);
    "prose_container_share", Ratio, Range::unit(),
        "share of the tokens in the smallest element with .8 of the prose",
        |b| share(b.context.inside(b.context.containers.prose).tokens, b.whole().tokens);
    "parent_share", Ratio, Range::unit(), "share of the prose in the element with most prose right below",
        |b| share(b.context.inside(b.context.containers.parent).prose, b.whole().prose);
    "og_type", Index, Range { low: 0.0, high: 4.0 }, "`og:type`: none, website, article, product, another",
        |b| b.context.hints.og_type;
    "says_article", Flag, Range::flag(), "data of an article", |b| flag(b.context.hints.says_article);
    "says_product", Flag, Range::flag(), "data of a product", |b| flag(b.context.hints.says_product);
    "says_list", Flag, Range::flag(), "data of a list", |b| flag(b.context.hints.says_list);
    "says_forum", Flag, Range::flag(), "data of a discussion", |b| flag(b.context.hints.says_forum);
    "says_faq", Flag, Range::flag(), "data of questions and answers", |b| flag(b.context.hints.says_faq);
    "generator", Flag, Range::flag(), "names its generator", |b| flag(b.context.hints.generator);
    "path_segments", Count, Range::at_least(0.0), "segments of the address",
        |b| b.context.hints.path_segments as f32;
    "path_has_digits", Flag, Range::flag(), "digits in the last segment",
        |b| flag(b.context.hints.path_has_digits);
    "path_is_file", Flag, Range::flag(), "the last segment is a file", |b| flag(b.context.hints.path_is_file);
    "path_hyphens", Count, Range::at_least(0.0), "hyphens in the last segment",
        |b| b.context.hints.path_has_hyphens as f32;
    "has_query", Flag, Range::flag(), "the address has a query", |b| flag(b.context.hints.has_query);
    "page_articles", Count, Range::at_least(0.0), "`article` elements", |b| b.context.hints.articles as f32;
    "page_times", Count, Range::at_least(0.0), "`time` elements", |b| b.context.hints.times as f32;
    "page_images", Count, Range::at_least(0.0), "images", |b| b.context.hints.images as f32;
    "page_tables", Count, Range::at_least(0.0), "tables", |b| b.context.hints.tables as f32;
    "page_codes", Count, Range::at_least(0.0), "pieces of code", |b| b.context.hints.codes as f32;
    "page_inputs", Count, Range::at_least(0.0), "fields of forms", |b| b.context.hints.inputs as f32;
    "page_headings", Count, Range::at_least(0.0), "headings", |b| b.context.hints.headings as f32;
    "page_scripts", Count, Range::at_least(0.0), "scripts", |b| b.context.hints.scripts as f32;
    "page_paragraphs", Count, Range::at_least(0.0), "`p` elements", |b| b.context.hints.paragraphs as f32;
}
