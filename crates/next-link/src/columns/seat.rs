//! Columns of a candidate's seat, its representative link; see [`crate::seat`].

use super::feature::{LinkFeature, seat_count as count, seat_flag as flag};
use super::view::TagView;
use crate::features::features;
use crate::names::NameFlags;
use crate::survey::{Enclosing, LinkTarget};
use crate::words::{self, LabelWords};

fn is_earlier_entry(tag: &TagView<'_>, at: Option<usize>) -> bool {
    at.is_some_and(|at| match tag.survey.items[at].target {
        LinkTarget::Candidate(candidate) => tag.shared.entries[candidate as usize].precedes_own,
        _ => false,
    })
}

/// Returns the place of the link next to the seat, in one direction; texts and dead links come between.
fn neighbour(tag: &TagView<'_>, mut places: impl Iterator<Item = usize>) -> Option<usize> {
    places.find(|at| matches!(tag.survey.items[*at].target, LinkTarget::Candidate(_) | LinkTarget::Elsewhere))
}

fn link_before(tag: &TagView<'_>) -> Option<usize> {
    neighbour(tag, (tag.beside().pager.from..tag.at).rev())
}

fn link_after(tag: &TagView<'_>) -> Option<usize> {
    neighbour(tag, tag.at + 1..tag.beside().pager.to)
}

fn looks_like(tag: &TagView<'_>, at: Option<usize>) -> bool {
    at.is_some_and(|at| tag.survey.items[at].look == tag.item.look)
}

pub(super) static FEATURES: &[LinkFeature] = features! {
    flag "seat_after_previous",
        "link before the pager link {leads|does not lead} to the entry before this page's",
        |tag| is_earlier_entry(tag, link_before(tag));
    flag "seat_before_previous",
        "link after the pager link {leads|does not lead} to the entry before this page's",
        |tag| is_earlier_entry(tag, link_after(tag));
    flag "seat_has_link_before", "{a|no} link before the pager link in the small element around it",
        |tag| link_before(tag).is_some();
    flag "seat_has_link_after", "{a|no} link after the pager link in the small element around it",
        |tag| link_after(tag).is_some();
    flag "seat_like_before", "link before the pager link {has|does not have} the same class names",
        |tag| looks_like(tag, link_before(tag));
    flag "seat_like_after", "link after the pager link {has|does not have} the same class names",
        |tag| looks_like(tag, link_after(tag));
    count "seat_links", "links in the small element around the pager link",
        |tag| tag.beside().pager_counts.links;
    count "seat_text", "characters in the small element around the pager link",
        |tag| tag.page.totals(tag.beside().pager.node).characters;
    count "seat_near_text", "characters in the smallest element around the pager link and another item",
        |tag| tag.page.totals(tag.beside().near.node).characters;
    count "seat_near_items", "items in the smallest element around the pager link and another item",
        |tag| tag.beside().near.to - tag.beside().near.from;
    count "seat_look", "links on the page with the class names of the pager link",
        |tag| tag.shared.looks.count(tag.item.look);
    count "seat_links_since_paragraph", "other links since the last long paragraph before the pager link",
        |tag| tag.shared.since_paragraph[tag.at].0;
    count "seat_text_since_paragraph", "characters since the last long paragraph before the pager link",
        |tag| tag.shared.since_paragraph[tag.at].1;
    count "seat_text_after", "characters of text after the pager link",
        |tag| (tag.shared.plain_characters - tag.page_mark.plain_characters as f32).max(0.0);
    count "seat_paragraphs_after", "long paragraphs after the pager link", |tag| {
        let place = tag.survey.trees.place(tag.item);
        let paragraphs = &tag.shared.long_paragraphs;
        paragraphs.len() - paragraphs.partition_point(|paragraph| *paragraph <= place)
    };
    count "seat_links_after", "links on the page after the pager link",
        |tag| tag.survey.items.len() - tag.at;
    count "seat_words", "words of the pager link", |tag| tag.item.text.tokens;
    flag "seat_leads_on", "pager link: {a|no} word or arrow that leads on",
        |tag| tag.item.says(LabelWords::NEXT | LabelWords::OLDER | LabelWords::ARROW_RIGHT);
    flag "seat_speaks", "pager link: {a|no} word of a pager", |tag| tag.item.says(words::DIRECTIONS);
    flag "seat_picture", "pager link {has|does not have} a picture", |tag| tag.item.has_picture;
    flag "seat_own_right", "class names of the pager link: {|not }on the right",
        |tag| tag.item.names.intersects(NameFlags::RIGHT);
    flag "seat_own_left", "class names of the pager link: {|not }on the left",
        |tag| tag.item.names.intersects(NameFlags::LEFT);
    flag "seat_near_right", "class names close around the pager link: {|not }on the right",
        |tag| tag.beside().names.intersects(NameFlags::RIGHT);
    flag "seat_near_left", "class names close around the pager link: {|not }on the left",
        |tag| tag.beside().names.intersects(NameFlags::LEFT);
    flag "seat_in_main", "pager link {is|is not} inside the main element",
        |tag| tag.mark.within.intersects(Enclosing::MAIN);
    flag "seat_in_article", "pager link {is|is not} inside an article element",
        |tag| tag.mark.within.intersects(Enclosing::ARTICLE);
    flag "seat_in_nav", "pager link {is|is not} inside a nav element",
        |tag| tag.mark.within.intersects(Enclosing::NAV);
    flag "seat_in_footer", "pager link {is|is not} inside a footer element",
        |tag| tag.mark.within.intersects(Enclosing::FOOTER);
    flag "seat_in_list", "pager link {is|is not} inside a list",
        |tag| tag.mark.within.intersects(Enclosing::LIST);
    flag "seat_in_heading", "pager link {is|is not} inside a heading",
        |tag| tag.mark.within.intersects(Enclosing::HEADING);
    flag "seat_side", "pager link {is|is not} in a sidebar, menu or table of contents", |tag| {
        let side = NameFlags::SIDE | NameFlags::MENU | NameFlags::CONTENTS | NameFlags::CRUMBS;
        tag.mark.around.intersects(side) || tag.mark.within.intersects(Enclosing::ASIDE)
    };
    flag "seat_post", "pager link {is|is not} inside an element named “post”",
        |tag| tag.mark.around.intersects(NameFlags::POST);
    flag "seat_follows_entry", "pager link {says|does not say} the same as the entry after this page's",
        |tag| {
            let LinkTarget::Candidate(candidate) = tag.item.target else { return 0.0 };
            let text = tag.shared.entries[candidate as usize].text_digest;
            text != 0 && text == tag.item.text_digest && !tag.shared.after_own[tag.at]
        };
};
