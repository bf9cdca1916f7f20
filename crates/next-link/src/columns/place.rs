//! Where on the page a link stands, and what it stands in.

use super::super::names::Names;
use super::super::survey::Within;
use super::feature::{
    LinkFeature, Merge, NamedPlace, OWN, Source, flag, is_named, least, most, on, share, within,
};
use super::view::TagView;
use tsugi_learning::{Column, Range, Unit};

const fn near(name: &'static str, doc: &'static str, names: Names) -> LinkFeature {
    is_named(name, doc, NamedPlace::Near, names)
}

const fn around(name: &'static str, doc: &'static str, names: Names) -> LinkFeature {
    is_named(name, doc, NamedPlace::Around, names)
}

fn position(tag: &TagView<'_>) -> f32 {
    tag.survey.place(tag.item).index() as f32 / tag.survey.page.node_count().max(1) as f32
}

fn text_before(tag: &TagView<'_>) -> f32 {
    let before = tag.page_mark.plain_characters as f32;
    (before / tag.shared.plain_characters.max(1.0)).min(1.0)
}

pub(super) static FEATURES: &[LinkFeature] = &[
    near("next_near", "an element close around it is named “next”", Names::NEXT),
    near("previous_near", "an element close around it is named “previous”", Names::PREVIOUS),
    near("pager_near", "an element close around it is named like a pager", Names::PAGER),
    near("page_near", "an element close around it is named “page”", Names::PAGE),
    near("navigation_near", "an element close around it is named “navigation”", Names::NAVIGATION),
    near("post_near", "an element close around it is named “post”", Names::POST),
    near("older_near", "an element close around it is named “older”", Names::OLDER.union(Names::RIGHT)),
    near("newer_near", "an element close around it is named “newer”", Names::NEWER.union(Names::LEFT)),
    near("more_near", "an element close around it is named “more”", Names::MORE.union(Names::LOAD)),
    near("hidden_near", "an element close around it is hidden", Names::HIDDEN),
    near("disabled_near", "an element close around it is switched off", Names::DISABLED),
    around("pager_around", "it stands in something named like a pager", Names::PAGER),
    around("navigation_around", "it stands in something named “navigation”", Names::NAVIGATION),
    around("post_around", "it stands in something named “post”", Names::POST),
    around("comment_around", "it stands in something named “comments”", Names::COMMENT),
    most("comments_before", "elements named “comments” before it", |tag| tag.page_mark.comments as f32),
    share(
        "comments_before_share",
        "share of the elements named “comments” that stand before it",
        |tag| tag.page_mark.comments as f32 / tag.shared.comments.max(1) as f32,
        Merge::Least,
    ),
    least("links_since_paragraph", "links between the last long paragraph before it and it", |tag| {
        tag.shared.since_paragraph[tag.at].0 as f32
    }),
    least("text_since_paragraph", "characters between the last long paragraph before it and it", |tag| {
        tag.shared.since_paragraph[tag.at].1 as f32
    }),
    around("side_around", "it stands in something named “sidebar”", Names::SIDE),
    around("menu_around", "it stands in something named “menu”", Names::MENU),
    around("crumbs_around", "it stands in something named “breadcrumbs”", Names::CRUMBS),
    around("footer_around", "it stands in something named “footer”", Names::FOOTER),
    around("header_around", "it stands in something named “header”", Names::HEADER),
    around("contents_around", "it stands in something named “contents”", Names::CONTENTS),
    around("related_around", "it stands in something named “related”", Names::RELATED),
    around("share_around", "it stands in something named “share”", Names::SHARE),
    around("calendar_around", "it stands in something named “calendar”", Names::CALENDAR),
    around("tag_around", "it stands in something named “tags”", Names::TAG),
    around("slider_around", "it stands in something named “slider”", Names::SLIDER),
    around("sort_around", "it stands in something named “sort” or “filter”", Names::SORT),
    around("archive_around", "it stands in something named “archive”", Names::ARCHIVE),
    within("in_nav", "it stands in a nav element", Within::NAV),
    within("in_header", "it stands in a header element", Within::HEADER),
    within("in_footer", "it stands in a footer element", Within::FOOTER),
    within("in_aside", "it stands in an aside element", Within::ASIDE),
    within("in_article", "it stands in an article element", Within::ARTICLE),
    within("in_main", "it stands in the main element", Within::MAIN),
    within("in_list", "it stands in a list", Within::LIST),
    within("in_table", "it stands in a table", Within::TABLE),
    within("in_heading", "it stands in a heading", Within::HEADING),
    within("in_paragraph", "it stands in a paragraph", Within::PARAGRAPH),
    within("in_form", "it stands in a form", Within::FORM),
    flag("in_fragment", "it stands in a noscript element", |tag| on(tag.item.tree > 0)),
    most("depth", "elements it stands in", |tag| tag.page.depth(tag.item.node) as f32),
    share("position_last", "where its last tag stands, as a share of the page", position, Merge::Most),
    share("position_first", "where its first tag stands, as a share of the page", position, Merge::Least),
    share("text_before_last", "share of the text before its last tag", text_before, Merge::Most),
    share("text_before_first", "share of the text before its first tag", text_before, Merge::Least),
    LinkFeature {
        column: Column::new(
            "text_after",
            Unit::Characters,
            Range::at_least(0.0),
            "characters of text after its last tag",
            OWN,
        ),
        source: Source::Tag(
            |tag| (tag.shared.plain_characters - tag.page_mark.plain_characters as f32).max(0.0),
            Merge::Least,
        ),
    },
    LinkFeature {
        column: Column::new(
            "text_before",
            Unit::Characters,
            Range::at_least(0.0),
            "characters of text before its last tag",
            OWN,
        ),
        source: Source::Tag(|tag| tag.page_mark.plain_characters as f32, Merge::Most),
    },
];
