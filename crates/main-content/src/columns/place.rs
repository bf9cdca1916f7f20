//! Columns of where a block stands: regions, order, neighbours, headings, the next-page link.

use super::super::context::share;
use super::super::regions as r;
use super::view::{BlockView, features, flag};
use tsugi_learning::Range;

fn neighbour_tokens(b: &BlockView<'_>, distance: isize) -> f32 {
    b.neighbour(distance).map_or(0.0, |block| block.counts.tokens as f32)
}

fn neighbour_link_density(b: &BlockView<'_>, distance: isize) -> f32 {
    b.neighbour(distance).map_or(1.0, |block| share(block.link_tokens, block.counts.tokens))
}

/// How many blocks lie between the block and the first main heading; negative before it.
fn from_heading(b: &BlockView<'_>) -> f32 {
    let Some(heading) = b.context.containers.heading else { return 0.0 };
    b.before().blocks as f32 - b.context.before(heading).blocks as f32
}

/// How many blocks lie between the block and the next-page link, as a share; negative before it.
fn from_next_link(b: &BlockView<'_>) -> f32 {
    let Some(next) = b.context.next_link() else { return 0.0 };
    (b.before().tokens as f32 - b.context.before(next).tokens as f32) / b.whole().tokens.max(1) as f32
}

/// Edges between the block's element and the next-page link, through their common ancestor; 0 without a link.
fn next_link_edges(b: &BlockView<'_>) -> f32 {
    let page = b.context.page();
    let owner = b.block().owner;
    let common = b.context.around_next.holding(page, owner);
    common.map_or(0.0, |(up, id)| up as f32 + (page.depth(owner) - page.depth(id)) as f32)
}

features! {
    "in_nav", Flag, Range::flag(), "inside navigation", |b| b.is_in(r::NAV);
    "in_header", Flag, Range::flag(), "inside a page header", |b| b.is_in(r::HEADER);
    "in_inner_header", Flag, Range::flag(), "inside the header of an article", |b| b.is_in(r::INNER_HEADER);
    "in_footer", Flag, Range::flag(), "inside a page footer", |b| b.is_in(r::FOOTER);
    "in_inner_footer", Flag, Range::flag(), "inside the footer of an article", |b| b.is_in(r::INNER_FOOTER);
    "in_aside", Flag, Range::flag(), "inside an aside", |b| b.is_in(r::ASIDE);
    "in_form", Flag, Range::flag(), "inside a form", |b| b.is_in(r::FORM);
    "in_article", Flag, Range::flag(), "inside an article", |b| b.is_in(r::ARTICLE);
    "in_main", Flag, Range::flag(), "inside `main`", |b| b.is_in(r::MAIN);
    "in_section", Flag, Range::flag(), "inside a section", |b| b.is_in(r::SECTION);
    "in_list", Flag, Range::flag(), "inside a list", |b| b.is_in(r::LIST);
    "in_definitions", Flag, Range::flag(), "inside a list of definitions", |b| b.is_in(r::DEFINITIONS);
    "in_table", Flag, Range::flag(), "inside a table", |b| b.is_in(r::TABLE);
    "in_figure", Flag, Range::flag(), "inside a figure", |b| b.is_in(r::FIGURE);
    "in_quote", Flag, Range::flag(), "inside a quotation", |b| b.is_in(r::QUOTE);
    "in_heading", Flag, Range::flag(), "inside a heading", |b| b.is_in(r::HEADING);
    "in_dialog", Flag, Range::flag(), "inside a dialog", |b| b.is_in(r::DIALOG);
    "in_control", Flag, Range::flag(), "inside a button, a choice or a label",
        |b| b.is_in(r::CONTROL | r::CHOICE | r::LABEL);
    "in_choice", Flag, Range::flag(), "inside a choice or a field of a form", |b| b.is_in(r::CHOICE);
    "in_embedded", Flag, Range::flag(), "inside a drawing, frame or player", |b| b.is_in(r::EMBEDDED);
    "in_details", Flag, Range::flag(), "inside details", |b| b.is_in(r::DETAILS);
    "in_article_body", Flag, Range::flag(), "inside what is marked as text of an article",
        |b| b.is_in(r::ARTICLE_BODY);
    "in_entry", Flag, Range::flag(), "inside what is marked as an entry of a feed", |b| b.is_in(r::ENTRY);
    "in_code", Flag, Range::flag(), "inside code", |b| b.is_in(r::CODE);
    "hidden", Flag, Range::flag(), "hidden by an attribute or an inline style", |b| b.is_in(r::HIDDEN);
    "in_noscript", Flag, Range::flag(), "inside `noscript`", |b| b.is_in(r::NOSCRIPT);
    "depth", Edges, Range::at_least(0.0), "edges from the root to its element",
        |b| b.context.page().depth(b.block().owner) as f32;
    "tokens_before", Ratio, Range::unit(), "share of the page's tokens before it",
        |b| share(b.before().tokens, b.whole().tokens);
    "blocks_before", Ratio, Range::unit(), "share of the page's blocks before it",
        |b| share(b.before().blocks, b.whole().blocks);
    "place", Index, Range::at_least(0.0), "blocks before it", |b| b.before().blocks as f32;
    "place_from_end", Index, Range::at_least(0.0), "blocks from it to the end",
        |b| (b.whole().blocks - b.before().blocks) as f32;
    "prose_before", Ratio, Range::unit(), "share of the page's prose before it",
        |b| share(b.before().prose, b.whole().prose);
    "blocks_since_prose", Count, Range::at_least(0.0), "blocks since the last one of prose",
        |b| b.facts().prose_before as f32;
    "blocks_to_prose", Count, Range::at_least(0.0), "blocks to the next one of prose",
        |b| b.facts().prose_after as f32;
    "tokens_previous", Count, Range::at_least(0.0), "tokens of the block before", |b| neighbour_tokens(b, -1);
    "tokens_next", Count, Range::at_least(0.0), "tokens of the block after", |b| neighbour_tokens(b, 1);
    "tokens_previous_2", Count, Range::at_least(0.0), "tokens of the second block before",
        |b| neighbour_tokens(b, -2);
    "tokens_next_2", Count, Range::at_least(0.0), "tokens of the second block after",
        |b| neighbour_tokens(b, 2);
    "link_density_previous", Ratio, Range::unit(), "link density of the block before",
        |b| neighbour_link_density(b, -1);
    "link_density_next", Ratio, Range::unit(), "link density of the block after",
        |b| neighbour_link_density(b, 1);
    "tokens_around_3", Count, Range::at_least(0.0), "tokens of three blocks before and after",
        |b| b.around(3).0 as f32;
    "link_density_around_3", Ratio, Range::unit(), "their link density",
        |b| { let (all, linked) = b.around(3); share(linked, all) };
    "tokens_around_8", Count, Range::at_least(0.0), "tokens of eight blocks before and after",
        |b| b.around(8).0 as f32;
    "link_density_around_8", Ratio, Range::unit(), "their link density",
        |b| { let (all, linked) = b.around(8); share(linked, all) };
    "last_heading_rank", Index, Range { low: 0.0, high: 6.0 }, "rank of the heading before it, 0 without one",
        |b| f32::from(b.facts().heading_rank);
    "blocks_since_heading", Count, Range::at_least(0.0), "blocks since the heading before it",
        |b| b.facts().heading_blocks as f32;
    "from_heading", Count, Range::any(), "blocks since the main heading, negative before it; 0 without one", from_heading;
    "previous_is_heading", Flag, Range::flag(), "right after a heading",
        |b| flag(b.facts().heading_rank > 0 && b.facts().heading_blocks == 0);
    "run", Count, Range::at_least(1.0), "blocks in a row that look the same, it among them",
        |b| b.facts().run as f32;
    "run_place", Index, Range::at_least(0.0), "its place among them", |b| b.facts().run_place as f32;
    "has_next_link", Flag, Range::flag(), "the page has a next-page link",
        |b| flag(b.context.next_link().is_some());
    "from_next_link", Ratio, Range { low: -1.0, high: 1.0 },
        "share of the tokens between the next-page link and it, negative before it; 0 without a link", from_next_link;
    "next_link_edges", Edges, Range::at_least(0.0),
        "edges between its element and the next-page link; 0 without a link", next_link_edges;
}
