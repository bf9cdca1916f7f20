//! Columns of the page as a whole: the same for all of its blocks.

use super::super::context::share;
use super::view::{features, ratio};

features! {
    count "page_tokens", "words on the page", |b| b.whole().tokens;
    count "page_blocks", "text blocks on the page", |b| b.whole().blocks;
    count "page_tokens_per_block", "words per block on the page",
        |b| ratio(b.whole().tokens, b.whole().blocks);
    share "page_link_density", "share of the page's words in links", |b| b.whole().link_density();
    share "page_prose", "share of the page's words in prose", |b| share(b.whole().prose, b.whole().tokens);
    count "page_prose_blocks", "prose blocks on the page", |b| b.whole().prose_blocks;
    share "page_hidden", "share of the page's words in hidden elements",
        |b| share(b.whole().hidden, b.whole().tokens);
    share "half_share", "share of the page's words in the smallest element with half of them",
        |b| share(b.context.inside(b.context.containers.half).tokens, b.whole().tokens);
    share "prose_container_share", "share of the page's words in the smallest element with .8 of its prose",
        |b| share(b.context.inside(b.context.containers.prose).tokens, b.whole().tokens);
    share "parent_share", "share of the page's prose in the element with most of it right below",
        |b| share(b.context.inside(b.context.containers.parent).prose, b.whole().prose);
    page_kind "og_type", "og:type of the page (0 none, 1 website, 2 article, 3 product, 4 other)",
        |b| b.context.hints.og_type;
    flag "says_article", "page {has|does not have} data of an article", |b| b.context.hints.says_article;
    flag "says_product", "page {has|does not have} data of a product", |b| b.context.hints.says_product;
    flag "says_list", "page {has|does not have} data of a list", |b| b.context.hints.says_list;
    flag "says_forum", "page {has|does not have} data of a discussion", |b| b.context.hints.says_forum;
    flag "says_faq", "page {has|does not have} data of questions and answers", |b| b.context.hints.says_faq;
    flag "generator", "page {names|does not name} its generator", |b| b.context.hints.generator;
    count "path_segments", "parts of the path in the page's address", |b| b.context.hints.path_segments;
    flag "path_has_digits", "{digits|no digits} in the last part of the page's path",
        |b| b.context.hints.path_has_digits;
    flag "path_is_file", "last part of the page's path {is|is not} a file name",
        |b| b.context.hints.path_is_file;
    count "path_hyphens", "hyphens in the last part of the page's path", |b| b.context.hints.path_has_hyphens;
    flag "has_query", "{a|no} query in the page's address", |b| b.context.hints.has_query;
    count "page_articles", "`article` elements on the page", |b| b.context.hints.articles;
    count "page_times", "`time` elements on the page", |b| b.context.hints.times;
    count "page_images", "images on the page", |b| b.context.hints.images;
    count "page_tables", "tables on the page", |b| b.context.hints.tables;
    count "page_codes", "pieces of code on the page", |b| b.context.hints.codes;
    count "page_inputs", "form fields on the page", |b| b.context.hints.inputs;
    count "page_headings", "headings on the page", |b| b.context.hints.headings;
    count "page_scripts", "scripts on the page", |b| b.context.hints.scripts;
    count "page_paragraphs", "`p` elements on the page", |b| b.context.hints.paragraphs;
}
