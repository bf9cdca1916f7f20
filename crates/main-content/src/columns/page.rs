//! Columns of the page as a whole: the same for all of its blocks.

use super::super::context::share;
use super::view::{features, flag, ratio};
use tsugi_scoring::Range;

features! {
    "page_tokens", Count, Range::at_least(0.0), "words on the page", |b| b.whole().tokens as f32;
    "page_blocks", Count, Range::at_least(0.0), "text blocks on the page", |b| b.whole().blocks as f32;
    "page_tokens_per_block", Count, Range::at_least(0.0), "words per block on the page",
        |b| ratio(b.whole().tokens, b.whole().blocks);
    "page_link_density", Ratio, Range::unit(),
        "share of the page's words in links", |b| b.whole().link_density();
    "page_prose", Ratio, Range::unit(), "share of the page's words in prose",
        |b| share(b.whole().prose, b.whole().tokens);
    "page_prose_blocks", Count, Range::at_least(0.0),
        "prose blocks on the page", |b| b.whole().prose_blocks as f32;
    "page_hidden", Ratio, Range::unit(), "share of the page's words in hidden elements",
        |b| share(b.whole().hidden, b.whole().tokens);
    "half_share", Ratio, Range::unit(), "share of the page's words in the smallest element with half of them",
        |b| share(b.context.inside(b.context.containers.half).tokens, b.whole().tokens);
    "prose_container_share", Ratio, Range::unit(),
        "share of the page's words in the smallest element with .8 of its prose",
        |b| share(b.context.inside(b.context.containers.prose).tokens, b.whole().tokens);
    "parent_share", Ratio, Range::unit(),
        "share of the page's prose in the element with most of it right below",
        |b| share(b.context.inside(b.context.containers.parent).prose, b.whole().prose);
    "og_type", Index, Range { low: 0.0, high: 4.0 },
        "og:type of the page (0 none, 1 website, 2 article, 3 product, 4 other)",
        |b| b.context.hints.og_type;
    "says_article", Flag, Range::flag(),
        "page {has|does not have} data of an article", |b| flag(b.context.hints.says_article);
    "says_product", Flag, Range::flag(),
        "page {has|does not have} data of a product", |b| flag(b.context.hints.says_product);
    "says_list", Flag, Range::flag(),
        "page {has|does not have} data of a list", |b| flag(b.context.hints.says_list);
    "says_forum", Flag, Range::flag(),
        "page {has|does not have} data of a discussion", |b| flag(b.context.hints.says_forum);
    "says_faq", Flag, Range::flag(),
        "page {has|does not have} data of questions and answers", |b| flag(b.context.hints.says_faq);
    "generator", Flag, Range::flag(),
        "page {names|does not name} its generator", |b| flag(b.context.hints.generator);
    "path_segments", Count, Range::at_least(0.0), "parts of the path in the page's address",
        |b| b.context.hints.path_segments as f32;
    "path_has_digits", Flag, Range::flag(), "{digits|no digits} in the last part of the page's path",
        |b| flag(b.context.hints.path_has_digits);
    "path_is_file", Flag, Range::flag(),
        "last part of the page's path {is|is not} a file name", |b| flag(b.context.hints.path_is_file);
    "path_hyphens", Count, Range::at_least(0.0), "hyphens in the last part of the page's path",
        |b| b.context.hints.path_has_hyphens as f32;
    "has_query", Flag, Range::flag(),
        "{a|no} query in the page's address", |b| flag(b.context.hints.has_query);
    "page_articles", Count, Range::at_least(0.0),
        "`article` elements on the page", |b| b.context.hints.articles as f32;
    "page_times", Count, Range::at_least(0.0),
        "`time` elements on the page", |b| b.context.hints.times as f32;
    "page_images", Count, Range::at_least(0.0), "images on the page", |b| b.context.hints.images as f32;
    "page_tables", Count, Range::at_least(0.0), "tables on the page", |b| b.context.hints.tables as f32;
    "page_codes", Count, Range::at_least(0.0), "pieces of code on the page", |b| b.context.hints.codes as f32;
    "page_inputs", Count, Range::at_least(0.0), "form fields on the page", |b| b.context.hints.inputs as f32;
    "page_headings", Count, Range::at_least(0.0), "headings on the page", |b| b.context.hints.headings as f32;
    "page_scripts", Count, Range::at_least(0.0), "scripts on the page", |b| b.context.hints.scripts as f32;
    "page_paragraphs", Count, Range::at_least(0.0),
        "`p` elements on the page", |b| b.context.hints.paragraphs as f32;
}
