//! Columns of the links between the two pages, and of their pagers.

use super::super::facts::{PageFacts, PairView};
use super::super::head::Title;
use super::super::links::{BACKWARD, ONWARD};
use super::feature::{
    PairFeature, UNKNOWN_STEP, back, count, equal, equality, flag, followed, growth, numeral, share, step,
};
use crate::features::features;
use crate::names::NameFlags;
use crate::survey::Rel;
use crate::words::LabelWords;
use std::collections::BTreeSet;

const LEFT: LabelWords = LabelWords::ARROW_LEFT.union(LabelWords::DOUBLE_LEFT);
const RIGHT: LabelWords = LabelWords::ARROW_RIGHT.union(LabelWords::DOUBLE_RIGHT);
const ASIDE: NameFlags = NameFlags::SIDE
    .union(NameFlags::MENU)
    .union(NameFlags::RELATED)
    .union(NameFlags::HEADER)
    .union(NameFlags::FOOTER);

/// Each page counts as part of its own pager.
fn common_targets(view: &PairView<'_>) -> usize {
    let (before, after) = (view.before, view.after);
    let in_pager = before.links.by_key.iter().filter(|(_, link)| link.in_pager).map(|(key, _)| key);
    let shared = in_pager.filter(|key| **key == after.key || after.links.has_in_pager(key)).count();
    shared + usize::from(after.links.has_in_pager(&before.key))
}

/// Returns the share of the links outside pagers and content that both pages have; −1 if either has none.
fn common_furniture(view: &PairView<'_>) -> f32 {
    let (one, other) = (furniture(view.before), furniture(view.after));
    let least = one.len().min(other.len());
    if least == 0 { -1.0 } else { one.intersection(&other).count() as f32 / least as f32 }
}

fn furniture(page: &PageFacts) -> BTreeSet<&String> {
    let links =
        page.links.by_key.iter().filter(|(key, link)| !link.in_pager && !page.text.links.contains(*key));
    links.map(|(key, _)| key).collect()
}

/// Returns what a title of a page says, the first of those that say it.
fn of_titles<T>(page: &PageFacts, said: impl FnMut(&Title) -> Option<T>) -> Option<T> {
    [&page.head.title, &page.head.heading, &page.head.og_title].into_iter().find_map(said)
}

/// Says whether a count of pages is stated by both pages and goes up by one, is the same, or otherwise.
fn part_step(view: &PairView<'_>) -> f32 {
    let [before, after] = [view.before, view.after].map(|page| of_titles(page, |title| title.part));
    match (before, after) {
        (Some((before, total)), Some((after, of))) if total == of => step(Some(before), Some(after)),
        (None, Some((after, _))) => step(Some(1), Some(after)),
        _ => UNKNOWN_STEP,
    }
}

/// Says whether both pages name their chapter, and the later one the next, the same or another.
fn chapter_step(view: &PairView<'_>) -> f32 {
    let [before, after] = [view.before, view.after].map(|page| of_titles(page, |title| title.chapter));
    if before.is_none() { UNKNOWN_STEP } else { step(before, after) }
}

pub(super) static FEATURES: &[PairFeature] = features! {
    flag "back_link", "new page {links|does not link} back to the previous page", |v| v.back.is_some();
    flag "back_head", "new page's head {links|does not link} to the previous page with rel=prev",
        |v| v.after.links.head_previous.as_ref() == Some(&v.before.key);
    flag "back_head_other", "new page's head {links|does not link} to a third page with rel=prev",
        |v| v.after.links.head_previous.as_ref().is_some_and(|key| *key != v.before.key);
    back "back_rel_previous", "link back: {|no }rel=prev", |link| link.rel.intersects(Rel::PREVIOUS);
    back "back_rel_next", "link back: {|no }rel=next", |link| link.rel.intersects(Rel::NEXT);
    back "back_says_previous", "link back: {a|no} word for “previous”",
        |link| link.says(LabelWords::PREVIOUS);
    back "back_says_newer", "link back: {a|no} word for “newer”", |link| link.says(LabelWords::NEWER);
    back "back_says_next", "link back: {a|no} word for “next” or “older”",
        |link| link.says(LabelWords::NEXT | LabelWords::OLDER);
    back "back_says_home", "link back: {a|no} word for “home” or “contents”",
        |link| link.says(LabelWords::HOME);
    back "back_says_first", "link back: {a|no} word for “first”", |link| link.says(LabelWords::FIRST);
    back "back_left", "link back: {an|no} arrow to the left", |link| link.says(LEFT);
    back "back_right", "link back: {an|no} arrow to the right", |link| link.says(RIGHT);
    back "back_named_previous", "class names of the link back: {|no }“previous”",
        |link| link.is_named(BACKWARD);
    back "back_named_next", "class names of the link back: {|no }“next”", |link| link.is_named(ONWARD);
    back "back_in_pager", "link back {is|is not} in a pager", |link| link.in_pager;
    back "back_aside", "link back {is|is not} in a menu, header, footer or sidebar",
        |link| link.around.intersects(ASIDE);
    back "back_before_own", "link back {precedes|does not precede} the new page's entry in a list of links",
        |link| link.before_own;
    back "back_after_own", "link back {follows|does not follow} the new page's entry in a list of links",
        |link| link.after_own;
    count "back_links", "links back to the previous page",
        |v| v.back.map_or(0, |link| link.count.min(50));
    numeral "back_number", "page number on the link back", |v| v.back.and_then(|link| link.number);
    growth "back_number_step", "new page's number: {step} the number on its link back",
        |v| step(v.back.and_then(|link| link.number), v.after.links.page_number());
    flag "forward_head", "head of the previous page {links|does not link} to the new page with rel=next",
        |v| v.before.links.head_next.as_ref() == Some(&v.after.key);
    followed "forward_rel_next", "link followed: {|no }rel=next", |link| link.rel.intersects(Rel::NEXT);
    followed "forward_rel_previous", "link followed: {|no }rel=prev",
        |link| link.rel.intersects(Rel::PREVIOUS);
    followed "forward_says_next", "link followed: {a|no} word for “next”", |link| link.says(LabelWords::NEXT);
    followed "forward_says_older", "link followed: {a|no} word for “older”",
        |link| link.says(LabelWords::OLDER);
    followed "forward_says_previous", "link followed: {a|no} word for “previous” or “newer”",
        |link| link.says(LabelWords::PREVIOUS | LabelWords::NEWER);
    followed "forward_says_page", "link followed: {a|no} word for “page”", |link| link.says(LabelWords::PAGE);
    followed "forward_says_chapter", "link followed: {a|no} word for “chapter” or “part”",
        |link| link.says(LabelWords::CHAPTER);
    followed "forward_says_post", "link followed: {a|no} word for “post”, “article” or “entry”",
        |link| link.says(LabelWords::POST);
    followed "forward_says_more", "link followed: {a|no} word for “more” or “read”",
        |link| link.says(LabelWords::MORE | LabelWords::READ);
    followed "forward_says_home", "link followed: {a|no} word for “home”, “first” or “contents”",
        |link| link.says(LabelWords::HOME | LabelWords::FIRST);
    followed "forward_right", "link followed: {an|no} arrow to the right", |link| link.says(RIGHT);
    followed "forward_left", "link followed: {an|no} arrow to the left", |link| link.says(LEFT);
    followed "forward_named_next", "class names of the link followed: {|no }“next”",
        |link| link.is_named(ONWARD);
    followed "forward_named_previous", "class names of the link followed: {|no }“previous”",
        |link| link.is_named(BACKWARD);
    followed "forward_in_pager", "link followed {is|is not} in a pager", |link| link.in_pager;
    followed "forward_aside", "link followed {is|is not} in a menu, header, footer or sidebar",
        |link| link.around.intersects(ASIDE);
    followed "forward_onward",
        "link followed {comes|does not come} right after the current page in a row of page numbers",
        |link| link.onward;
    followed "forward_after_own",
        "link followed {follows|does not follow} the page's own entry in a list of links",
        |link| link.after_own;
    followed "forward_before_own",
        "link followed {precedes|does not precede} the page's own entry in a list of links",
        |link| link.before_own;
    count "forward_links", "links from the previous page to the new page", |v| v.forward.count.min(50);
    growth "forward_number_step", "number on the link followed: {step} the previous page",
        |v| step(v.before.links.page_number(), v.forward.number);
    growth "forward_number_own", "new page's number: {step} the number on the link followed",
        |v| step(v.forward.number, v.after.links.page_number());
    flag "is_chapter", "link followed {is|is not} a link to a chapter", |v| v.is_chapter;
    growth "pager_step", "page number by the pager: {step} the previous page",
        |v| step(v.before.links.page_number(), v.after.links.page_number());
    numeral "pager_number", "new page's number by its pager", |v| v.after.links.page_number();
    numeral "pager_before", "number of the previous page by its pager", |v| v.before.links.page_number();
    equality "counter_total", "number of pages stated: {the same|different} on both pages",
        |v| equal(v.before.links.total(), v.after.links.total());
    equality "pager_greatest", "last number in the row of page numbers: {the same|different} on both pages",
        |v| equal(v.before.links.greatest, v.after.links.greatest);
    count "pager_run", "numbers in the new page's row of page numbers", |v| v.after.links.run.min(100);
    count "pager_run_before", "numbers in the row of page numbers of the previous page",
        |v| v.before.links.run.min(100);
    count "pager_common", "addresses in the pagers of both pages", |v| common_targets(v).min(100);
    share "pager_common_share", "share of pager addresses that both pages have", |v| {
        let least = v.before.links.in_pager.min(v.after.links.in_pager);
        if least == 0 { -1.0 } else { (common_targets(v) as f32 / least as f32).min(1.0) }
    };
    growth "part_step", "part stated in the title: {step} the previous page", |v| part_step(v);
    growth "chapter_step", "chapter named in the title: {step} the previous page", |v| chapter_step(v);
    share "furniture_common", "share of links outside pagers and content that both pages have",
        |v| common_furniture(v);
    share "link_score", "score of the link followed", |v| v.score;
    flag "own_says_next", "next link of the new page {leads|does not lead} to itself",
        |v| v.after.links.own_says_next;
    flag "dead_next", "new page: {a|no} word for “next” without a link", |v| v.after.links.dead_next;
    flag "dead_next_before", "previous page: {a|no} word for “next” without a link",
        |v| v.before.links.dead_next;
    flag "dead_previous_before", "previous page: {a|no} word for “previous” without a link",
        |v| v.before.links.dead_previous;
    flag "back_is_title", "link back {says|does not say} the previous page's headline",
        |v| v.back.is_some_and(|link| link.is_titled(&v.before.head.headlines));
    flag "forward_is_title", "link followed {says|does not say} the new page's headline",
        |v| v.forward.is_titled(&v.after.head.headlines);
    followed "forward_strange", "link followed: {words|no words} besides those of a pager", |link| link.strange;
    share "forward_cover", "share of the label of the link followed in words for “next” and “page”",
        |v| v.forward.cover;
    followed "forward_in_comments", "link followed {stands|does not stand} in comments", |link| link.in_comments;
    followed "forward_after_comments", "link followed {stands|does not stand} after comments",
        |link| link.after_comments;
    followed "forward_says_comment", "link followed: {a|no} word for “comment”",
        |link| link.says(LabelWords::COMMENT);
    count "comments", "elements of the new page that are named comments", |v| v.after.comments.min(1_000);
    count "comments_before", "elements of the previous page that are named comments",
        |v| v.before.comments.min(1_000);
    followed "forward_related", "link followed {stands|does not stand} among related pages",
        |link| link.around.intersects(NameFlags::RELATED);
    count "links_own", "links from the new page to itself", |v| v.after.links.own.min(50);
    count "links_own_before", "links from the previous page to itself", |v| v.before.links.own.min(50);
};
