//! Where on the page a link stands, and what it stands in.

use super::super::names::Names;
use super::super::survey::Within;
use super::{Feature, Merge, TagView, flag, most, on, share};
use tsugi_learning::{Column, Range, Unit};

/// Levels above a link whose names are near ones.
const NEAR: usize = 3;

fn near(tag: &TagView<'_>, names: Names) -> f32 {
    let marks = tag.survey.tree(tag.item.tree).1;
    on(tag.page.ancestors(tag.item.node).take(NEAR).any(|node| marks[node.index()].names.has(names)))
}

fn around(tag: &TagView<'_>, names: Names) -> f32 {
    on(tag.mark.around.has(names))
}

fn within(tag: &TagView<'_>, within: Within) -> f32 {
    on(tag.mark.within.has(within) || tag.survey.page_mark(tag.item).within.has(within))
}

fn position(tag: &TagView<'_>) -> f32 {
    tag.survey.place(tag.item).index() as f32 / tag.survey.page.node_count().max(1) as f32
}

fn text_before(tag: &TagView<'_>) -> f32 {
    let before = tag.survey.page_mark(tag.item).plain_characters as f32;
    (before / tag.shared.plain_characters.max(1.0)).min(1.0)
}

pub(super) static FEATURES: &[Feature] = &[
    flag("next_near", "an element close around it is named “next”", |tag| near(tag, Names::NEXT)),
    flag("previous_near", "an element close around it is named “previous”", |tag| near(tag, Names::PREVIOUS)),
    flag("pager_near", "an element close around it is named like a pager", |tag| near(tag, Names::PAGER)),
    flag("page_near", "an element close around it is named “page”", |tag| near(tag, Names::PAGE)),
    flag("navigation_near", "an element close around it is named “navigation”", |tag| near(tag, Names::NAVIGATION)),
    flag("post_near", "an element close around it is named “post”", |tag| near(tag, Names::POST)),
    flag("older_near", "an element close around it is named “older”", |tag| near(tag, Names::OLDER.or(Names::RIGHT))),
    flag("newer_near", "an element close around it is named “newer”", |tag| near(tag, Names::NEWER.or(Names::LEFT))),
    flag("more_near", "an element close around it is named “more”", |tag| near(tag, Names::MORE.or(Names::LOAD))),
    flag("hidden_near", "an element close around it is hidden", |tag| near(tag, Names::HIDDEN)),
    flag("disabled_near", "an element close around it is switched off", |tag| near(tag, Names::DISABLED)),
    flag("pager_around", "it stands in something named like a pager", |tag| around(tag, Names::PAGER)),
    flag("navigation_around", "it stands in something named “navigation”", |tag| around(tag, Names::NAVIGATION)),
    flag("post_around", "it stands in something named “post”", |tag| around(tag, Names::POST)),
    flag("comment_around", "it stands in something named “comments”", |tag| around(tag, Names::COMMENT)),
    most("comments_before", "elements named “comments” before it", |tag| tag.survey.page_mark(tag.item).comments as f32),
    share(
        "comments_before_share",
        "share of the elements named “comments” that stand before it",
        |tag| tag.survey.page_mark(tag.item).comments as f32 / tag.shared.comments.max(1) as f32,
        Merge::Least,
    ),
    flag("side_around", "it stands in something named “sidebar”", |tag| around(tag, Names::SIDE)),
    flag("menu_around", "it stands in something named “menu”", |tag| around(tag, Names::MENU)),
    flag("crumbs_around", "it stands in something named “breadcrumbs”", |tag| around(tag, Names::CRUMBS)),
    flag("footer_around", "it stands in something named “footer”", |tag| around(tag, Names::FOOTER)),
    flag("header_around", "it stands in something named “header”", |tag| around(tag, Names::HEADER)),
    flag("contents_around", "it stands in something named “contents”", |tag| around(tag, Names::CONTENTS)),
    flag("related_around", "it stands in something named “related”", |tag| around(tag, Names::RELATED)),
    flag("share_around", "it stands in something named “share”", |tag| around(tag, Names::SHARE)),
    flag("calendar_around", "it stands in something named “calendar”", |tag| around(tag, Names::CALENDAR)),
    flag("tag_around", "it stands in something named “tags”", |tag| around(tag, Names::TAG)),
    flag("slider_around", "it stands in something named “slider”", |tag| around(tag, Names::SLIDER)),
    flag("sort_around", "it stands in something named “sort” or “filter”", |tag| around(tag, Names::SORT)),
    flag("archive_around", "it stands in something named “archive”", |tag| around(tag, Names::ARCHIVE)),
    flag("in_nav", "it stands in a nav element", |tag| within(tag, Within::NAV)),
    flag("in_header", "it stands in a header element", |tag| within(tag, Within::HEADER)),
    flag("in_footer", "it stands in a footer element", |tag| within(tag, Within::FOOTER)),
    flag("in_aside", "it stands in an aside element", |tag| within(tag, Within::ASIDE)),
    flag("in_article", "it stands in an article element", |tag| within(tag, Within::ARTICLE)),
    flag("in_main", "it stands in the main element", |tag| within(tag, Within::MAIN)),
    flag("in_list", "it stands in a list", |tag| within(tag, Within::LIST)),
    flag("in_table", "it stands in a table", |tag| within(tag, Within::TABLE)),
    flag("in_heading", "it stands in a heading", |tag| within(tag, Within::HEADING)),
    flag("in_paragraph", "it stands in a paragraph", |tag| within(tag, Within::PARAGRAPH)),
    flag("in_form", "it stands in a form", |tag| within(tag, Within::FORM)),
    flag("in_fragment", "it stands in a noscript element", |tag| on(tag.item.tree > 0)),
    most("depth", "elements it stands in", |tag| tag.page.depth(tag.item.node) as f32),
    share("position_last", "where its last tag stands, as a share of the page", position, Merge::Most),
    share("position_first", "where its first tag stands, as a share of the page", position, Merge::Least),
    share("text_before_last", "share of the text before its last tag", text_before, Merge::Most),
    share("text_before_first", "share of the text before its first tag", text_before, Merge::Least),
    Feature {
        column: Column::new("text_after", Unit::Characters, Range::at_least(0.0), "characters of text after its last tag", super::OWN),
        source: super::Source::Tag(
            |tag| (tag.shared.plain_characters - tag.survey.page_mark(tag.item).plain_characters as f32).max(0.0),
            Merge::Least,
        ),
    },
    Feature {
        column: Column::new("text_before", Unit::Characters, Range::at_least(0.0), "characters of text before its last tag", super::OWN),
        source: super::Source::Tag(|tag| tag.survey.page_mark(tag.item).plain_characters as f32, Merge::Most),
    },
];
