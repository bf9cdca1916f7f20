//! Columns of a link's position, and of the elements around it.

use super::feature::{
    LinkFeature, around, flag, least, least_characters, least_share, most, most_characters, most_share, near,
    within,
};
use super::view::TagView;
use crate::features::features;
use crate::names::NameFlags;
use crate::survey::Enclosing;

fn position(tag: &TagView<'_>) -> f32 {
    tag.survey.trees.place(tag.item).index() as f32 / tag.survey.page.node_count().max(1) as f32
}

fn text_before(tag: &TagView<'_>) -> f32 {
    let before = tag.page_mark.plain_characters as f32;
    (before / tag.shared.plain_characters.max(1.0)).min(1.0)
}

pub(super) static FEATURES: &[LinkFeature] = features! {
    near "next_near", "class names close around the link: {|no }“next”": NameFlags::NEXT;
    near "previous_near", "class names close around the link: {|no }“previous”": NameFlags::PREVIOUS;
    near "pager_near", "class names close around the link: {|no }“pager”": NameFlags::PAGER;
    near "page_near", "class names close around the link: {|no }“page”": NameFlags::PAGE;
    near "navigation_near", "class names close around the link: {|no }“navigation”": NameFlags::NAVIGATION;
    near "post_near", "class names close around the link: {|no }“post”": NameFlags::POST;
    near "older_near", "class names close around the link: {|no }“older”":
        NameFlags::OLDER.union(NameFlags::RIGHT);
    near "newer_near", "class names close around the link: {|no }“newer”":
        NameFlags::NEWER.union(NameFlags::LEFT);
    near "more_near", "class names close around the link: {|no }“more”":
        NameFlags::MORE.union(NameFlags::LOAD);
    near "hidden_near", "link {is|is not} close below a hidden element": NameFlags::HIDDEN;
    near "disabled_near", "link {is|is not} close below a disabled element": NameFlags::DISABLED;
    around "pager_around", "link {is|is not} inside an element named “pager”": NameFlags::PAGER;
    around "navigation_around", "link {is|is not} inside an element named “navigation”":
        NameFlags::NAVIGATION;
    around "post_around", "link {is|is not} inside an element named “post”": NameFlags::POST;
    around "comment_around", "link {is|is not} inside an element named “comments”": NameFlags::COMMENT;
    most "comments_before", "elements named “comments” before the link", |tag| tag.page_mark.comments;
    least_share "comments_before_share", "share of the elements named “comments” before the link",
        |tag| tag.page_mark.comments as f32 / tag.shared.comments.max(1) as f32;
    least "links_since_paragraph", "other links since the last long paragraph",
        |tag| tag.shared.since_paragraph[tag.at].0;
    least "text_since_paragraph", "characters since the last long paragraph",
        |tag| tag.shared.since_paragraph[tag.at].1;
    around "side_around", "link {is|is not} inside an element named “sidebar”": NameFlags::SIDE;
    around "menu_around", "link {is|is not} inside an element named “menu”": NameFlags::MENU;
    around "crumbs_around", "link {is|is not} inside an element named “breadcrumbs”": NameFlags::CRUMBS;
    around "footer_around", "link {is|is not} inside an element named “footer”": NameFlags::FOOTER;
    around "header_around", "link {is|is not} inside an element named “header”": NameFlags::HEADER;
    around "contents_around", "link {is|is not} inside an element named “contents”": NameFlags::CONTENTS;
    around "related_around", "link {is|is not} inside an element named “related”": NameFlags::RELATED;
    around "share_around", "link {is|is not} inside an element named “share”": NameFlags::SHARE;
    around "calendar_around", "link {is|is not} inside an element named “calendar”": NameFlags::CALENDAR;
    around "tag_around", "link {is|is not} inside an element named “tags”": NameFlags::TAG;
    around "slider_around", "link {is|is not} inside an element named “slider”": NameFlags::SLIDER;
    around "sort_around", "link {is|is not} inside an element named “sort” or “filter”": NameFlags::SORT;
    around "archive_around", "link {is|is not} inside an element named “archive”": NameFlags::ARCHIVE;
    within "in_nav", "link {is|is not} inside a nav element": Enclosing::NAV;
    within "in_header", "link {is|is not} inside a header element": Enclosing::HEADER;
    within "in_footer", "link {is|is not} inside a footer element": Enclosing::FOOTER;
    within "in_aside", "link {is|is not} inside an aside element": Enclosing::ASIDE;
    within "in_article", "link {is|is not} inside an article element": Enclosing::ARTICLE;
    within "in_main", "link {is|is not} inside the main element": Enclosing::MAIN;
    within "in_list", "link {is|is not} inside a list": Enclosing::LIST;
    within "in_table", "link {is|is not} inside a table": Enclosing::TABLE;
    within "in_heading", "link {is|is not} inside a heading": Enclosing::HEADING;
    within "in_paragraph", "link {is|is not} inside a paragraph": Enclosing::PARAGRAPH;
    within "in_form", "link {is|is not} inside a form": Enclosing::FORM;
    flag "in_fragment", "link {is|is not} inside a noscript element", |tag| tag.item.tree > 0;
    most "depth", "depth of the link in the element tree", |tag| tag.page.depth(tag.item.node);
    most_share "position_last", "position of the last link to this address on the page", |tag| position(tag);
    least_share "position_first", "position of the first link to this address on the page",
        |tag| position(tag);
    most_share "text_before_last", "share of the page's text before the last link to this address",
        |tag| text_before(tag);
    least_share "text_before_first", "share of the page's text before the first link to this address",
        |tag| text_before(tag);
    least_characters "text_after", "characters of text after the last link to this address",
        |tag| (tag.shared.plain_characters - tag.page_mark.plain_characters as f32).max(0.0);
    most_characters "text_before", "characters of text before the last link to this address",
        |tag| tag.page_mark.plain_characters;
};
