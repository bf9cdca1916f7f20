//! Columns of the contents and the structure of the two pages.

use super::super::template::in_common;
use super::feature::{PairFeature, count, equal, equality, flag, growth, share, step};
use crate::features::features;
use std::collections::BTreeSet;

fn log_growth(before: u32, after: u32) -> f32 {
    (after as f32 + 1.0).ln() - (before as f32 + 1.0).ln()
}

/// Returns the share of the first set that is also in the other; −1 if the first is empty.
fn share_held<T: Ord>(one: &BTreeSet<T>, other: &BTreeSet<T>) -> f32 {
    if one.is_empty() { -1.0 } else { one.intersection(other).count() as f32 / one.len() as f32 }
}

pub(super) static FEATURES: &[PairFeature] = features! {
    share "template_likeness", "similarity of the elements of the two pages",
        |v| v.before.template.likeness(&v.after.template);
    share "sheets_common", "share of style sheets that both pages have",
        |v| in_common(&v.before.template.sheets, &v.after.template.sheets);
    share "body_common", "share of class names that both pages have",
        |v| in_common(&v.before.template.body, &v.after.template.body);
    equality "content_look", "class names of the content's element: {the same|different} on both pages",
        |v| equal(v.before.template.content_look, v.after.template.content_look);
    equality "content_place", "elements around the content: {the same|different} on both pages",
        |v| equal(v.before.template.content_place, v.after.template.content_place);
    share "repeats", "share of the new text that is also on the previous page",
        |v| v.after.text.repeats(&v.before.text);
    share "repeated", "share of the previous text that is also on the new page",
        |v| v.before.text.repeats(&v.after.text);
    equality "first_line_same", "first line of the content: {the same|different} on both pages",
        |v| equal(v.before.text.first, v.after.text.first);
    equality "last_line_same", "last line of the content: {the same|different} on both pages",
        |v| equal(v.before.text.last, v.after.text.last);
    count "characters", "characters in the new page's content", |v| v.after.text.characters.min(1_000_000);
    count "characters_before", "characters in the content of the previous page",
        |v| v.before.text.characters.min(1_000_000);
    count "characters_growth", "growth in characters from the previous page, as a logarithm",
        |v| log_growth(v.before.text.characters, v.after.text.characters);
    flag "cut_sentence", "a sentence {is|is not} cut between the two pages",
        |v| v.before.text.ends_open && v.after.text.starts_small;
    flag "starts_small", "new text {starts|does not start} with a lower-case letter",
        |v| v.after.text.starts_small;
    share "script_distance", "difference between the scripts of the two texts",
        |v| v.before.text.script_distance(&v.after.text);
    share "link_share", "share of the new content inside links", |v| v.after.text.link_share.min(1.0);
    share "link_share_before", "share of the previous content inside links",
        |v| v.before.text.link_share.min(1.0);
    share "entries_common", "share of the links in the new content that were in the previous content",
        |v| share_held(&v.after.text.links, &v.before.text.links);
    count "images", "images in the new content", |v| v.after.text.images.len();
    count "images_before", "images in the previous content", |v| v.before.text.images.len();
    share "images_common", "share of the images in the new content that were in the previous content",
        |v| share_held(&v.after.text.images, &v.before.text.images);
    share "names_common", "share of the names in the new text that the previous text has too",
        |v| v.after.text.names_in(&v.before.text);
    count "opening_lines", "short lines before the new page's running text", |v| v.after.text.opening.lines;
    count "opening_lines_before", "short lines before the previous page's running text",
        |v| v.before.text.opening.lines;
    // A byline that stands on every page of an article says nothing.
    flag "opens_with_date", "{a|no} date that the previous page lacks before the new page's running text",
        |v| !v.after.text.opening.dates.is_subset(&v.before.text.opening.dates);
    flag "opens_with_date_before", "{a|no} date before the previous page's running text",
        |v| !v.before.text.opening.dates.is_empty();
    flag "opens_with_image", "{an|no} image before the new page's running text",
        |v| v.after.text.opening.has_image;
    flag "opens_with_image_before", "{an|no} image before the previous page's running text",
        |v| v.before.text.opening.has_image;
    flag "opens_with_headline", "new content {opens|does not open} with the new page's own headline", |v| {
        v.after.text.opening.has_one_of(&v.after.head.headlines)
    };
    flag "opens_with_same", "new content {opens|does not open} with the previous page's headline",
        |v| v.after.text.opening.has_one_of(&v.before.head.headlines);
    growth "numbered_step", "first number of the new lists: {step} the last one of the previous page", |v| {
        let (before, after) = (v.before.text.numbered, v.after.text.numbered);
        step(before.map(|(_, last)| last), after.map(|(first, _)| first))
    };
    growth "figures_step", "least number of the new figures: {step} the greatest one of the previous page", |v| {
        let (before, after) = (v.before.text.figures, v.after.text.figures);
        step(before.map(|(_, greatest)| greatest), after.map(|(least, _)| least))
    };
    flag "listed_before", "content of the previous page {links|does not link} to the new page",
        |v| v.before.text.links.contains(&v.after.key);
    flag "lists_before", "new content {links|does not link} to the previous page",
        |v| v.after.text.links.contains(&v.before.key);
};
