//! What a link is called.

use super::super::names::Names;
use super::super::survey::Rel;
use super::super::words::Words;
use super::feature::{
    Label, LinkFeature, Merge, NamedPlace, flag, is_named, least, most, number, on, says, share,
};

const fn text(name: &'static str, doc: &'static str, words: Words) -> LinkFeature {
    says(name, doc, Label::Text, words)
}

/// By its title and the like, or by a text right before it.
const fn hint(name: &'static str, doc: &'static str, words: Words) -> LinkFeature {
    says(name, doc, Label::Hint, words)
}

const fn label(name: &'static str, doc: &'static str, words: Words) -> LinkFeature {
    says(name, doc, Label::Any, words)
}

const fn named(name: &'static str, doc: &'static str, names: Names) -> LinkFeature {
    is_named(name, doc, NamedPlace::Own, names)
}

pub(super) static FEATURES: &[LinkFeature] = &[
    text("next_in_text", "the link text holds a word for “next”", Words::NEXT),
    hint(
        "next_in_hint",
        "its title, its picture's or the text right before it holds a word for “next”",
        Words::NEXT,
    ),
    label("older_word", "its label holds a word for “older”", Words::OLDER),
    label("newer_word", "its label holds a word for “newer”", Words::NEWER),
    text("previous_in_text", "the link text holds a word for “previous”", Words::PREVIOUS),
    hint(
        "previous_in_hint",
        "its title, its picture's or the text right before it holds a word for “previous”",
        Words::PREVIOUS,
    ),
    label("page_word", "its label holds a word for “page”", Words::PAGE),
    label("more_word", "its label holds a word for “more”", Words::MORE),
    label("continue_word", "its label holds a word for “continue”", Words::CONTINUE),
    label("read_word", "its label holds a word for “read”", Words::READ),
    label("chapter_word", "its label holds a word for “chapter”", Words::CHAPTER),
    label("post_word", "its label holds a word for “post”", Words::POST),
    label("comment_word", "its label holds a word for “comment”", Words::COMMENT),
    label("home_word", "its label holds a word for “home” or “contents”", Words::HOME),
    label("first_word", "its label holds a word for “first”", Words::FIRST),
    label("last_word", "its label holds a word for “last”", Words::LAST),
    label("calendar_word", "its label holds the name of a month, or a word for one", Words::CALENDAR),
    label("arrow_right", "its label holds an arrow to the right", Words::ARROW_RIGHT),
    label("double_arrow_right", "its label holds a double arrow to the right", Words::DOUBLE_RIGHT),
    label("arrow_left", "its label holds an arrow to the left", Words::ARROW_LEFT.union(Words::DOUBLE_LEFT)),
    share(
        "text_cover",
        "share of the link text in words for “next” and “page”",
        |tag| tag.item.text.cover().min(1.0),
        Merge::Most,
    ),
    share(
        "hint_cover",
        "share of its title in words for “next” and “page”",
        |tag| tag.item.hint.cover().min(1.0),
        Merge::Most,
    ),
    most("text_length", "characters of the longest link text", |tag| f32::from(tag.item.text.characters)),
    least("text_length_least", "characters of the shortest link text", |tag| {
        f32::from(tag.item.text.characters)
    }),
    most("text_words", "words of the longest link text", |tag| f32::from(tag.item.text.tokens)),
    most("hint_length", "characters of its title", |tag| f32::from(tag.item.hint.characters)),
    most("label_number", "the number that the link text is", |tag| number(tag.item.text.number())),
    most("hint_number", "the number that its title is", |tag| number(tag.item.hint.number())),
    flag("bare_number", "the link text is a number alone", |tag| on(tag.item.text.is_bare_number())),
    most("numbers_in_text", "numbers in the link text", |tag| f32::from(tag.item.text.number_count)),
    flag("strange_text", "the link text holds words that say nothing about paging", |tag| {
        on(tag.item.text.strange)
    }),
    flag("picture", "it holds a picture or an icon", |tag| on(tag.item.has_picture)),
    flag(
        "rel_next",
        "a tag says rel=next",
        |tag| on(tag.item.rel.intersects(Rel::NEXT) && !tag.item.in_head),
    ),
    flag("rel_previous", "a tag says rel=prev", |tag| on(tag.item.rel.intersects(Rel::PREVIOUS))),
    flag("rel_nofollow", "a tag says rel=nofollow", |tag| on(tag.item.rel.intersects(Rel::NOFOLLOW))),
    flag("rel_bookmark", "a tag says rel=bookmark", |tag| on(tag.item.rel.intersects(Rel::BOOKMARK))),
    flag("rel_tag", "a tag says rel=tag", |tag| on(tag.item.rel.intersects(Rel::TAG))),
    flag("access_key", "a key of the keyboard is bound to it", |tag| {
        on(tag.page.attribute(tag.item.node, "accesskey").is_some())
    }),
    flag("new_window", "it opens a new window", |tag| {
        on(tag.page.attribute(tag.item.node, "target").is_some_and(|t| t == "_blank"))
    }),
    named("next_name", "its markup is named “next”", Names::NEXT),
    named("previous_name", "its markup is named “previous”", Names::PREVIOUS),
    named("right_name", "its markup is named “right”", Names::RIGHT),
    named("left_name", "its markup is named “left”", Names::LEFT),
    named("older_name", "its markup is named “older”", Names::OLDER),
    named("newer_name", "its markup is named “newer”", Names::NEWER),
    named("page_name", "its markup is named “page”", Names::PAGE.union(Names::PAGER)),
    named("first_name", "its markup is named “first”", Names::FIRST),
    named("last_name", "its markup is named “last”", Names::LAST),
    named("post_name", "its markup is named “post”", Names::POST),
    named("more_name", "its markup is named “more”", Names::MORE),
    flag("marked_current", "it is marked as the current item", |tag| on(tag.item.current)),
    flag("marked_disabled", "it is marked as switched off", |tag| on(tag.item.disabled)),
];
