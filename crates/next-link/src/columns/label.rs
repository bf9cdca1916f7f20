//! Columns of a link's label.

use super::feature::{LinkFeature, flag, hint, label, least, most, most_number, most_share, named, text};
use crate::features::features;
use crate::names::NameFlags;
use crate::survey::Rel;
use crate::words::LabelWords;

pub(super) static FEATURES: &[LinkFeature] = features! {
    text "next_in_text", "link text: {a|no} word for “next”": LabelWords::NEXT;
    hint "next_in_hint", "link title, image label or text just before: {a|no} word for “next”":
        LabelWords::NEXT;
    label "older_word", "link text or title: {a|no} word for “older”": LabelWords::OLDER;
    label "newer_word", "link text or title: {a|no} word for “newer”": LabelWords::NEWER;
    text "previous_in_text", "link text: {a|no} word for “previous”": LabelWords::PREVIOUS;
    hint "previous_in_hint", "link title, image label or text just before: {a|no} word for “previous”":
        LabelWords::PREVIOUS;
    label "page_word", "link text or title: {a|no} word for “page”": LabelWords::PAGE;
    label "more_word", "link text or title: {a|no} word for “more”": LabelWords::MORE;
    label "continue_word", "link text or title: {a|no} word for “continue”": LabelWords::CONTINUE;
    label "read_word", "link text or title: {a|no} word for “read”": LabelWords::READ;
    label "chapter_word", "link text or title: {a|no} word for “chapter”": LabelWords::CHAPTER;
    label "post_word", "link text or title: {a|no} word for “post”": LabelWords::POST;
    label "thread_word", "link text or title: {a|no} word for “thread”": LabelWords::THREAD;
    label "date_word", "link text or title: {a|no} word for “date”": LabelWords::DATE;
    label "comment_word", "link text or title: {a|no} word for “comment”": LabelWords::COMMENT;
    label "home_word", "link text or title: {a|no} word for “home” or “contents”": LabelWords::HOME;
    label "first_word", "link text or title: {a|no} word for “first”": LabelWords::FIRST;
    label "last_word", "link text or title: {a|no} word for “last”": LabelWords::LAST;
    label "calendar_word", "link text or title: {a|no} month or word for one": LabelWords::CALENDAR;
    label "arrow_right", "link text or title: {an|no} arrow to the right": LabelWords::ARROW_RIGHT;
    label "double_arrow_right", "link text or title: {a|no} double arrow to the right":
        LabelWords::DOUBLE_RIGHT;
    label "arrow_left", "link text or title: {an|no} arrow to the left":
        LabelWords::ARROW_LEFT.union(LabelWords::DOUBLE_LEFT);
    most_share "text_cover", "share of the link text in words for “next” and “page”",
        |tag| tag.item.text.cover().min(1.0);
    most_share "hint_cover", "share of the link title in words for “next” and “page”",
        |tag| tag.item.hint.cover().min(1.0);
    most "text_length", "characters in the longest link text", |tag| tag.item.text.characters;
    least "text_length_least", "characters in the shortest link text", |tag| tag.item.text.characters;
    most "text_words", "words in the longest link text", |tag| tag.item.text.tokens;
    most "hint_length", "characters in the link title", |tag| tag.item.hint.characters;
    most_number "label_number", "link text as a number", |tag| tag.item.text.number();
    most_number "hint_number", "link title as a number", |tag| tag.item.hint.number();
    flag "bare_number", "link text: {just|not just} a number", |tag| tag.item.text.is_bare_number();
    most "numbers_in_text", "numbers in the link text", |tag| tag.item.text.number_count;
    flag "strange_text", "link text: {some|no} words unrelated to paging", |tag| tag.item.text.strange;
    flag "picture", "{an|no} image or icon in the link", |tag| tag.item.has_picture;
    flag "rel_next", "{|no }rel=next on the link",
        |tag| tag.item.rel.intersects(Rel::NEXT) && !tag.item.in_head;
    flag "rel_previous", "{|no }rel=prev on the link", |tag| tag.item.rel.intersects(Rel::PREVIOUS);
    flag "rel_nofollow", "{|no }rel=nofollow on the link", |tag| tag.item.rel.intersects(Rel::NOFOLLOW);
    flag "rel_bookmark", "{|no }rel=bookmark on the link", |tag| tag.item.rel.intersects(Rel::BOOKMARK);
    flag "rel_tag", "{|no }rel=tag on the link", |tag| tag.item.rel.intersects(Rel::TAG);
    flag "access_key", "{a|no} keyboard shortcut for the link",
        |tag| tag.page.attribute(tag.item.node, "accesskey").is_some();
    flag "new_window", "link opens in {a new|the same} window",
        |tag| tag.page.attribute(tag.item.node, "target").is_some_and(|t| t == "_blank");
    named "next_name", "class names: {|no }“next”": NameFlags::NEXT;
    named "previous_name", "class names: {|no }“previous”": NameFlags::PREVIOUS;
    named "right_name", "class names: {|no }“right”": NameFlags::RIGHT;
    named "left_name", "class names: {|no }“left”": NameFlags::LEFT;
    named "older_name", "class names: {|no }“older”": NameFlags::OLDER;
    named "newer_name", "class names: {|no }“newer”": NameFlags::NEWER;
    named "page_name", "class names: {|no }“page”": NameFlags::PAGE.union(NameFlags::PAGER);
    named "first_name", "class names: {|no }“first”": NameFlags::FIRST;
    named "last_name", "class names: {|no }“last”": NameFlags::LAST;
    named "post_name", "class names: {|no }“post”": NameFlags::POST;
    named "more_name", "class names: {|no }“more”": NameFlags::MORE;
    flag "marked_current", "link {is|is not} marked as the current page", |tag| tag.item.current;
    flag "marked_disabled", "link {is|is not} marked as disabled", |tag| tag.item.disabled;
};
