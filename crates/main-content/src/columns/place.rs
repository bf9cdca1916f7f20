//! Columns of a block's position: regions, order, neighbours, headings, the next-page link.

use super::super::context::share;
use super::super::regions as r;
use super::view::{BlockView, features, flag};
use tsugi_scoring::Range;

fn neighbour_tokens(b: &BlockView<'_>, distance: isize) -> f32 {
    b.neighbour(distance).map_or(0.0, |block| block.counts.tokens as f32)
}

fn neighbour_link_density(b: &BlockView<'_>, distance: isize) -> f32 {
    b.neighbour(distance).map_or(1.0, |block| share(block.link_tokens, block.counts.tokens))
}

/// Returns the number of blocks between the main heading and the block; negative before the heading.
fn from_heading(b: &BlockView<'_>) -> f32 {
    let Some(heading) = b.context.containers.heading else { return 0.0 };
    b.before().blocks as f32 - b.context.before(heading).blocks as f32
}

/// Returns the share of the page's tokens between the next-page link and the block; negative before the link.
fn from_next_link(b: &BlockView<'_>) -> f32 {
    let Some(next) = b.context.next_link() else { return 0.0 };
    (b.before().tokens as f32 - b.context.before(next).tokens as f32) / b.whole().tokens.max(1) as f32
}

/// Returns the edges between the block's element and the next-page link, through their common ancestor; 0 without a
/// link.
fn next_link_edges(b: &BlockView<'_>) -> f32 {
    let page = b.context.page();
    let owner = b.block().owner;
    let common = b.context.around_next.holding(page, owner);
    common.map_or(0.0, |(up, id)| up as f32 + (page.depth(owner) - page.depth(id)) as f32)
}

features! {
    "in_nav", Flag, Range::flag(), "block {is|is not} inside navigation", |b| b.is_in(r::NAV);
    "in_header", Flag, Range::flag(), "block {is|is not} inside a page header", |b| b.is_in(r::HEADER);
    "in_inner_header", Flag, Range::flag(),
        "block {is|is not} inside the header of an article", |b| b.is_in(r::INNER_HEADER);
    "in_footer", Flag, Range::flag(), "block {is|is not} inside a page footer", |b| b.is_in(r::FOOTER);
    "in_inner_footer", Flag, Range::flag(),
        "block {is|is not} inside the footer of an article", |b| b.is_in(r::INNER_FOOTER);
    "in_aside", Flag, Range::flag(), "block {is|is not} inside an aside", |b| b.is_in(r::ASIDE);
    "in_form", Flag, Range::flag(), "block {is|is not} inside a form", |b| b.is_in(r::FORM);
    "in_article", Flag, Range::flag(), "block {is|is not} inside an article", |b| b.is_in(r::ARTICLE);
    "in_main", Flag, Range::flag(), "block {is|is not} inside the main element", |b| b.is_in(r::MAIN);
    "in_section", Flag, Range::flag(), "block {is|is not} inside a section", |b| b.is_in(r::SECTION);
    "in_list", Flag, Range::flag(), "block {is|is not} inside a list", |b| b.is_in(r::LIST);
    "in_definitions", Flag, Range::flag(),
        "block {is|is not} inside a list of definitions", |b| b.is_in(r::DEFINITIONS);
    "in_table", Flag, Range::flag(), "block {is|is not} inside a table", |b| b.is_in(r::TABLE);
    "in_figure", Flag, Range::flag(), "block {is|is not} inside a figure", |b| b.is_in(r::FIGURE);
    "in_quote", Flag, Range::flag(), "block {is|is not} inside a quotation", |b| b.is_in(r::QUOTE);
    "in_heading", Flag, Range::flag(), "block {is|is not} inside a heading", |b| b.is_in(r::HEADING);
    "in_dialog", Flag, Range::flag(), "block {is|is not} inside a dialog", |b| b.is_in(r::DIALOG);
    "in_control", Flag, Range::flag(), "block {is|is not} inside a button, a choice or a label",
        |b| b.is_in(r::CONTROL | r::CHOICE | r::LABEL);
    "in_choice", Flag, Range::flag(),
        "block {is|is not} inside a choice or a form field", |b| b.is_in(r::CHOICE);
    "in_embedded", Flag, Range::flag(),
        "block {is|is not} inside a drawing, frame or player", |b| b.is_in(r::EMBEDDED);
    "in_details", Flag, Range::flag(), "block {is|is not} inside a details element", |b| b.is_in(r::DETAILS);
    "in_article_body", Flag, Range::flag(), "block {is|is not} inside an element marked as an article's text",
        |b| b.is_in(r::ARTICLE_BODY);
    "in_entry", Flag, Range::flag(),
        "block {is|is not} inside an element marked as a feed entry", |b| b.is_in(r::ENTRY);
    "in_code", Flag, Range::flag(), "block {is|is not} inside code", |b| b.is_in(r::CODE);
    "hidden", Flag, Range::flag(),
        "block {is|is not} hidden by an attribute or an inline style", |b| b.is_in(r::HIDDEN);
    "in_noscript", Flag, Range::flag(), "block {is|is not} inside `noscript`", |b| b.is_in(r::NOSCRIPT);
    "depth", Edges, Range::at_least(0.0), "depth of the block in the element tree",
        |b| b.context.page().depth(b.block().owner) as f32;
    "tokens_before", Ratio, Range::unit(), "share of the page's words before the block",
        |b| share(b.before().tokens, b.whole().tokens);
    "blocks_before", Ratio, Range::unit(), "share of the page's blocks before this one",
        |b| share(b.before().blocks, b.whole().blocks);
    "place", Index, Range::at_least(0.0), "blocks before this one", |b| b.before().blocks as f32;
    "place_from_end", Index, Range::at_least(0.0), "blocks from this one to the end of the page",
        |b| (b.whole().blocks - b.before().blocks) as f32;
    "prose_before", Ratio, Range::unit(), "share of the page's prose before the block",
        |b| share(b.before().prose, b.whole().prose);
    "blocks_since_prose", Count, Range::at_least(0.0), "blocks since the last prose",
        |b| b.facts().prose_before as f32;
    "blocks_to_prose", Count, Range::at_least(0.0), "blocks until the next prose",
        |b| b.facts().prose_after as f32;
    "tokens_previous", Count, Range::at_least(0.0), "words in the block before", |b| neighbour_tokens(b, -1);
    "tokens_next", Count, Range::at_least(0.0), "words in the block after", |b| neighbour_tokens(b, 1);
    "tokens_previous_2", Count, Range::at_least(0.0), "words in the second block before",
        |b| neighbour_tokens(b, -2);
    "tokens_next_2", Count, Range::at_least(0.0), "words in the second block after",
        |b| neighbour_tokens(b, 2);
    "link_density_previous", Ratio, Range::unit(), "share of words in links, in the block before",
        |b| neighbour_link_density(b, -1);
    "link_density_next", Ratio, Range::unit(), "share of words in links, in the block after",
        |b| neighbour_link_density(b, 1);
    "tokens_around_3", Count, Range::at_least(0.0), "words in the three blocks before and after",
        |b| b.around(3).0 as f32;
    "link_density_around_3", Ratio, Range::unit(),
        "share of words in links, in the three blocks before and after",
        |b| { let (all, linked) = b.around(3); share(linked, all) };
    "tokens_around_8", Count, Range::at_least(0.0), "words in the eight blocks before and after",
        |b| b.around(8).0 as f32;
    "link_density_around_8", Ratio, Range::unit(),
        "share of words in links, in the eight blocks before and after",
        |b| { let (all, linked) = b.around(8); share(linked, all) };
    "last_heading_rank", Index, Range { low: 0.0, high: 6.0 },
        "rank of the last heading before the block (0: none)",
        |b| f32::from(b.facts().heading_rank);
    "blocks_since_heading", Count, Range::at_least(0.0), "blocks since the last heading",
        |b| b.facts().heading_blocks as f32;
    "from_heading", Count, Range::any(),
        "blocks since the main heading (negative: before it; 0: no main heading)", from_heading;
    "previous_is_heading", Flag, Range::flag(), "block {is|is not} right after a heading",
        |b| flag(b.facts().heading_rank > 0 && b.facts().heading_blocks == 0);
    "run", Count, Range::at_least(1.0), "blocks in a row that look the same as this one",
        |b| b.facts().run as f32;
    "run_place", Index, Range::at_least(0.0),
        "earlier blocks in a row that look the same as this one", |b| b.facts().run_place as f32;
    "has_next_link", Flag, Range::flag(), "{a|no} next-page link on the page",
        |b| flag(b.context.next_link().is_some());
    "from_next_link", Ratio, Range { low: -1.0, high: 1.0 },
        "share of the page's words from the next-page link to the block (negative: before it; 0: no link)", from_next_link;
    "next_link_edges", Edges, Range::at_least(0.0),
        "edges in the element tree to the next-page link (0: no link)", next_link_edges;
}
