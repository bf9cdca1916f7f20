//! Columns of a block's position: regions, order, neighbours, headings, the next-page link.

use super::super::context::share;
use super::super::regions as r;
use super::view::{BlockView, features};

fn neighbour_tokens(b: &BlockView<'_>, distance: isize) -> f32 {
    b.neighbour(distance).map_or(0.0, |block| block.counts.tokens as f32)
}

fn neighbour_link_density(b: &BlockView<'_>, distance: isize) -> f32 {
    b.neighbour(distance).map_or(1.0, |block| share(block.link_tokens, block.counts.tokens))
}

fn from_heading(b: &BlockView<'_>) -> f32 {
    let Some(heading) = b.context.containers.heading else { return 0.0 };
    b.before().blocks as f32 - b.context.before(heading).blocks as f32
}

fn from_next_link(b: &BlockView<'_>) -> f32 {
    let Some(next) = b.context.next_link() else { return 0.0 };
    (b.before().tokens as f32 - b.context.before(next).tokens as f32) / b.whole().tokens.max(1) as f32
}

fn next_link_edges(b: &BlockView<'_>) -> f32 {
    let page = b.context.page();
    let owner = b.block().owner;
    let common = b.context.around_next.holding(page, owner);
    common.map_or(0.0, |(up, id)| up as f32 + (page.depth(owner) - page.depth(id)) as f32)
}

features! {
    flag "in_nav", "block {is|is not} inside navigation", |b| b.is_in(r::NAV);
    flag "in_header", "block {is|is not} inside a page header", |b| b.is_in(r::HEADER);
    flag "in_inner_header", "block {is|is not} inside the header of an article", |b| b.is_in(r::INNER_HEADER);
    flag "in_footer", "block {is|is not} inside a page footer", |b| b.is_in(r::FOOTER);
    flag "in_inner_footer", "block {is|is not} inside the footer of an article", |b| b.is_in(r::INNER_FOOTER);
    flag "in_aside", "block {is|is not} inside an aside", |b| b.is_in(r::ASIDE);
    flag "in_form", "block {is|is not} inside a form", |b| b.is_in(r::FORM);
    flag "in_article", "block {is|is not} inside an article", |b| b.is_in(r::ARTICLE);
    flag "in_main", "block {is|is not} inside the main element", |b| b.is_in(r::MAIN);
    flag "in_section", "block {is|is not} inside a section", |b| b.is_in(r::SECTION);
    flag "in_list", "block {is|is not} inside a list", |b| b.is_in(r::LIST);
    flag "in_definitions", "block {is|is not} inside a list of definitions", |b| b.is_in(r::DEFINITIONS);
    flag "in_table", "block {is|is not} inside a table", |b| b.is_in(r::TABLE);
    flag "in_figure", "block {is|is not} inside a figure", |b| b.is_in(r::FIGURE);
    flag "in_quote", "block {is|is not} inside a quotation", |b| b.is_in(r::QUOTE);
    flag "in_heading", "block {is|is not} inside a heading", |b| b.is_in(r::HEADING);
    flag "in_dialog", "block {is|is not} inside a dialog", |b| b.is_in(r::DIALOG);
    flag "in_control", "block {is|is not} inside a button, a choice or a label",
        |b| b.is_in(r::CONTROL | r::CHOICE | r::LABEL);
    flag "in_choice", "block {is|is not} inside a choice or a form field", |b| b.is_in(r::CHOICE);
    flag "in_embedded", "block {is|is not} inside a drawing, frame or player", |b| b.is_in(r::EMBEDDED);
    flag "in_details", "block {is|is not} inside a details element", |b| b.is_in(r::DETAILS);
    flag "in_article_body", "block {is|is not} inside an element marked as an article's text",
        |b| b.is_in(r::ARTICLE_BODY);
    flag "in_entry", "block {is|is not} inside an element marked as a feed entry", |b| b.is_in(r::ENTRY);
    flag "in_code", "block {is|is not} inside code", |b| b.is_in(r::CODE);
    flag "hidden", "block {is|is not} hidden by an attribute or an inline style", |b| b.is_in(r::HIDDEN);
    flag "in_noscript", "block {is|is not} inside `noscript`", |b| b.is_in(r::NOSCRIPT);
    edges "depth", "depth of the block in the element tree", |b| b.context.page().depth(b.block().owner);
    share "tokens_before", "share of the page's words before the block",
        |b| share(b.before().tokens, b.whole().tokens);
    share "blocks_before", "share of the page's blocks before this one",
        |b| share(b.before().blocks, b.whole().blocks);
    index "place", "blocks before this one", |b| b.before().blocks;
    index "place_from_end", "blocks from this one to the end of the page",
        |b| b.whole().blocks - b.before().blocks;
    share "prose_before", "share of the page's prose before the block",
        |b| share(b.before().prose, b.whole().prose);
    count "blocks_since_prose", "blocks since the last prose", |b| b.facts.prose_before;
    count "blocks_to_prose", "blocks until the next prose", |b| b.facts.prose_after;
    count "tokens_previous", "words in the block before", |b| neighbour_tokens(b, -1);
    count "tokens_next", "words in the block after", |b| neighbour_tokens(b, 1);
    count "tokens_previous_2", "words in the second block before", |b| neighbour_tokens(b, -2);
    count "tokens_next_2", "words in the second block after", |b| neighbour_tokens(b, 2);
    share "link_density_previous", "share of words in links, in the block before",
        |b| neighbour_link_density(b, -1);
    share "link_density_next", "share of words in links, in the block after",
        |b| neighbour_link_density(b, 1);
    count "tokens_around_3", "words in the three blocks before and after", |b| b.around(3).0;
    share "link_density_around_3", "share of words in links, in the three blocks before and after",
        |b| { let (all, linked) = b.around(3); share(linked, all) };
    count "tokens_around_8", "words in the eight blocks before and after", |b| b.around(8).0;
    share "link_density_around_8", "share of words in links, in the eight blocks before and after",
        |b| { let (all, linked) = b.around(8); share(linked, all) };
    heading_rank "last_heading_rank", "rank of the last heading before the block (0: none)",
        |b| b.facts.heading_rank;
    count "blocks_since_heading", "blocks since the last heading", |b| b.facts.heading_blocks;
    difference "from_heading", "blocks since the main heading (negative: before it; 0: no main heading)",
        |b| from_heading(b);
    flag "previous_is_heading", "block {is|is not} right after a heading",
        |b| b.facts.heading_rank > 0 && b.facts.heading_blocks == 0;
    count_from_1 "run", "blocks in a row that look the same as this one", |b| b.facts.run;
    index "run_place", "earlier blocks in a row that look the same as this one", |b| b.facts.run_place;
    flag "has_next_link", "{a|no} next-page link on the page", |b| b.context.next_link().is_some();
    signed_share "from_next_link",
        "share of the page's words from the next-page link to the block (negative: before it; 0: no link)",
        |b| from_next_link(b);
    edges "next_link_edges", "edges in the element tree to the next-page link (0: no link)",
        |b| next_link_edges(b);
}
