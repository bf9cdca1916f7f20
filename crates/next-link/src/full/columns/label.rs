//! What a link is called.

use super::super::names::Names;
use super::super::survey::Rel;
use super::super::words::Words;
use super::{Feature, Merge, TagView, flag, least, most, number, on, share};

const fn word(name: &'static str, doc: &'static str, of: fn(&TagView<'_>) -> f32) -> Feature {
    flag(name, doc, of)
}

fn text(tag: &TagView<'_>, words: Words) -> f32 {
    on(tag.item.text.words.has(words))
}

fn hint(tag: &TagView<'_>, words: Words) -> f32 {
    on(tag.item.hint.words.has(words))
}

fn label(tag: &TagView<'_>, words: Words) -> f32 {
    on(tag.item.says(words))
}

fn named(tag: &TagView<'_>, names: Names) -> f32 {
    on(tag.item.names.has(names))
}

pub(super) static FEATURES: &[Feature] = &[
    word("next_in_text", "the link text holds a word for “next”", |tag| text(tag, Words::NEXT)),
    word("next_in_hint", "its title, label or picture text holds a word for “next”", |tag| hint(tag, Words::NEXT)),
    word("older_word", "its label holds a word for “older”", |tag| label(tag, Words::OLDER)),
    word("newer_word", "its label holds a word for “newer”", |tag| label(tag, Words::NEWER)),
    word("previous_in_text", "the link text holds a word for “previous”", |tag| text(tag, Words::PREVIOUS)),
    word("previous_in_hint", "its title, label or picture text holds a word for “previous”", |tag| {
        hint(tag, Words::PREVIOUS)
    }),
    word("page_word", "its label holds a word for “page”", |tag| label(tag, Words::PAGE)),
    word("more_word", "its label holds a word for “more”", |tag| label(tag, Words::MORE)),
    word("continue_word", "its label holds a word for “continue”", |tag| label(tag, Words::CONTINUE)),
    word("read_word", "its label holds a word for “read”", |tag| label(tag, Words::READ)),
    word("chapter_word", "its label holds a word for “chapter”", |tag| label(tag, Words::CHAPTER)),
    word("post_word", "its label holds a word for “post”", |tag| label(tag, Words::POST)),
    word("comment_word", "its label holds a word for “comment”", |tag| label(tag, Words::COMMENT)),
    word("home_word", "its label holds a word for “home” or “contents”", |tag| label(tag, Words::HOME)),
    word("first_word", "its label holds a word for “first”", |tag| label(tag, Words::FIRST)),
    word("last_word", "its label holds a word for “last”", |tag| label(tag, Words::LAST)),
    word("calendar_word", "its label holds the name of a month, or a word for one", |tag| label(tag, Words::CALENDAR)),
    word("arrow_right", "its label holds an arrow to the right", |tag| label(tag, Words::ARROW_RIGHT)),
    word("double_arrow_right", "its label holds a double arrow to the right", |tag| label(tag, Words::DOUBLE_RIGHT)),
    word("arrow_left", "its label holds an arrow to the left", |tag| {
        label(tag, Words::ARROW_LEFT.or(Words::DOUBLE_LEFT))
    }),
    share("text_cover", "share of the link text in words for “next” and “page”", |tag| tag.item.text.cover().min(1.0), Merge::Most),
    share("hint_cover", "share of its title in words for “next” and “page”", |tag| tag.item.hint.cover().min(1.0), Merge::Most),
    most("text_length", "characters of the longest link text", |tag| f32::from(tag.item.text.characters)),
    least("text_length_least", "characters of the shortest link text", |tag| f32::from(tag.item.text.characters)),
    most("text_words", "words of the longest link text", |tag| f32::from(tag.item.text.tokens)),
    most("hint_length", "characters of its title", |tag| f32::from(tag.item.hint.characters)),
    most("label_number", "the number that the link text is", |tag| number(tag.item.text.number())),
    most("hint_number", "the number that its title is", |tag| number(tag.item.hint.number())),
    flag("bare_number", "the link text is a number alone", |tag| on(tag.item.text.is_bare_number())),
    most("numbers_in_text", "numbers in the link text", |tag| f32::from(tag.item.text.number_count)),
    flag("strange_text", "the link text holds words that say nothing about paging", |tag| on(tag.item.text.strange)),
    flag("picture", "it holds a picture or an icon", |tag| on(tag.item.has_picture)),
    flag("rel_next", "a tag says rel=next", |tag| on(tag.item.rel.has(Rel::NEXT) && !tag.item.in_head)),
    flag("rel_previous", "a tag says rel=prev", |tag| on(tag.item.rel.has(Rel::PREVIOUS))),
    flag("rel_nofollow", "a tag says rel=nofollow", |tag| on(tag.item.rel.has(Rel::NOFOLLOW))),
    flag("rel_bookmark", "a tag says rel=bookmark", |tag| on(tag.item.rel.has(Rel::BOOKMARK))),
    flag("rel_tag", "a tag says rel=tag", |tag| on(tag.item.rel.has(Rel::TAG))),
    flag("in_head", "the page's head says rel=next of it", |tag| on(tag.item.in_head)),
    flag("access_key", "a key of the keyboard is bound to it", |tag| {
        on(tag.page.attribute(tag.item.node, "accesskey").is_some())
    }),
    flag("new_window", "it opens a new window", |tag| on(tag.page.attribute(tag.item.node, "target").is_some_and(|t| t == "_blank"))),
    flag("next_name", "its markup is named “next”", |tag| named(tag, Names::NEXT)),
    flag("previous_name", "its markup is named “previous”", |tag| named(tag, Names::PREVIOUS)),
    flag("right_name", "its markup is named “right”", |tag| named(tag, Names::RIGHT)),
    flag("left_name", "its markup is named “left”", |tag| named(tag, Names::LEFT)),
    flag("older_name", "its markup is named “older”", |tag| named(tag, Names::OLDER)),
    flag("newer_name", "its markup is named “newer”", |tag| named(tag, Names::NEWER)),
    flag("page_name", "its markup is named “page”", |tag| named(tag, Names::PAGE.or(Names::PAGER))),
    flag("first_name", "its markup is named “first”", |tag| named(tag, Names::FIRST)),
    flag("last_name", "its markup is named “last”", |tag| named(tag, Names::LAST)),
    flag("post_name", "its markup is named “post”", |tag| named(tag, Names::POST)),
    flag("more_name", "its markup is named “more”", |tag| named(tag, Names::MORE)),
    flag("marked_current", "it is marked as the current item", |tag| on(tag.item.current)),
    flag("marked_disabled", "it is marked as switched off", |tag| on(tag.item.disabled)),
];
