//! What the two pages hold, and how they are built.

use super::feature::{PairFeature, count, equal, equality, flag, on, share};

/// How much longer one is than the other, as a logarithm.
fn growth(before: u32, after: u32) -> f32 {
    (after as f32 + 1.0).ln() - (before as f32 + 1.0).ln()
}

pub(super) static FEATURES: &[PairFeature] = &[
    share("template_likeness", "how alike the elements of the two pages are", |v| {
        v.before.template.likeness(&v.after.template)
    }),
    share("sheets_common", "share of style sheets in common", |v| {
        v.before.template.sheets_in_common(&v.after.template)
    }),
    share("body_common", "share of the names of the whole page in common", |v| {
        v.before.template.body_in_common(&v.after.template)
    }),
    equality("content_look", "the content stands in an element of the same names", |v| {
        let look = |content: Option<(u32, u32)>| content.map(|(look, _)| look);
        equal(look(v.before.template.content), look(v.after.template.content))
    }),
    equality("content_place", "the content stands below the same elements", |v| {
        let place = |content: Option<(u32, u32)>| content.map(|(_, place)| place);
        equal(place(v.before.template.content), place(v.after.template.content))
    }),
    count("elements_growth", "how many more elements it has, as a logarithm", |v| {
        growth(v.before.template.elements, v.after.template.elements)
    }),
    share("repeats", "share of its text that stands on the page before", |v| {
        v.after.text.repeats(&v.before.text)
    }),
    share("repeated", "share of the text before that stands on it", |v| v.before.text.repeats(&v.after.text)),
    equality("first_line_same", "both begin with the same line", |v| {
        equal(v.before.text.first, v.after.text.first)
    }),
    equality("last_line_same", "both end with the same line", |v| {
        equal(v.before.text.last, v.after.text.last)
    }),
    count("characters", "characters of its content", |v| v.after.text.characters.min(1_000_000) as f32),
    count("characters_before", "characters of the content before", |v| {
        v.before.text.characters.min(1_000_000) as f32
    }),
    count("characters_growth", "how much longer its content is, as a logarithm", |v| {
        growth(v.before.text.characters, v.after.text.characters)
    }),
    count("lines_growth", "how many more lines its content has, as a logarithm", |v| {
        growth(v.before.text.line_count, v.after.text.line_count)
    }),
    flag("cut_sentence", "the text before ends inside a sentence, and it begins with a small letter", |v| {
        on(v.before.text.ends_open && v.after.text.starts_small)
    }),
    flag("starts_small", "it begins with a small letter", |v| on(v.after.text.starts_small)),
    share("words_common", "share of the words of the shorter text that the other has too", |v| {
        v.before.text.words_in_common(&v.after.text)
    }),
    share("script_distance", "how far the shares of their scripts differ", |v| {
        v.before.text.script_distance(&v.after.text)
    }),
    share("link_share", "share of its content inside links", |v| v.after.text.link_share.min(1.0)),
    share("link_share_before", "share of the content before inside links", |v| {
        v.before.text.link_share.min(1.0)
    }),
    share("entries_common", "share of the links in its content that stand in the content before", |v| {
        let (one, other) = (&v.after.text.links, &v.before.text.links);
        if one.is_empty() { -1.0 } else { one.intersection(other).count() as f32 / one.len() as f32 }
    }),
    count("images", "images in its content", |v| v.after.text.images.len() as f32),
    count("images_before", "images in the content before", |v| v.before.text.images.len() as f32),
    share("images_common", "share of the images in its content that stand in the content before", |v| {
        let (one, other) = (&v.after.text.images, &v.before.text.images);
        if one.is_empty() { -1.0 } else { one.intersection(other).count() as f32 / one.len() as f32 }
    }),
    flag("listed_before", "the content before links to it", |v| {
        on(v.before.text.links.contains(&v.after.key))
    }),
    flag("lists_before", "its content links to the page before", |v| {
        on(v.after.text.links.contains(&v.before.key))
    }),
];
