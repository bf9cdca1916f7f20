//! How the two pages link to each other, and what their pagers say.

use super::super::facts::PairView;
use super::super::links::LinkFacts;
use super::feature::{PairFeature, count, equal, equality, flag, growth, number, numeral, on, share, step};
use crate::names::Names;
use crate::survey::Rel;
use crate::words::Words;

/// Whether the page after links back, and that link is so.
fn back(view: &PairView<'_>, is: impl Fn(&LinkFacts) -> bool) -> f32 {
    on(view.back.as_ref().is_some_and(is))
}

/// Whether the link that was followed is so.
fn forward(view: &PairView<'_>, is: impl Fn(&LinkFacts) -> bool) -> f32 {
    on(is(&view.forward))
}

const LEFT: Words = Words::ARROW_LEFT.union(Words::DOUBLE_LEFT);
const RIGHT: Words = Words::ARROW_RIGHT.union(Words::DOUBLE_RIGHT);
const ASIDE: Names =
    Names::SIDE.union(Names::MENU).union(Names::RELATED).union(Names::HEADER).union(Names::FOOTER);

/// How many addresses stand in the pagers of both pages, each page's own counted as part of its pager.
fn common_targets(view: &PairView<'_>) -> usize {
    let (before, after) = (view.before, view.after);
    let is_shared = |(key, link): &(&String, &LinkFacts)| {
        link.in_pager
            && (**key == after.key || after.links.by_key.get(*key).is_some_and(|link| link.in_pager))
    };
    let own = after.links.by_key.get(&before.key).is_some_and(|link| link.in_pager);
    before.links.by_key.iter().filter(is_shared).count() + usize::from(own)
}

/// The share of all links that the pages have in common.
fn common_links(view: &PairView<'_>) -> f32 {
    let (one, other) = (&view.before.links.by_key, &view.after.links.by_key);
    let least = one.len().min(other.len());
    let common = one.keys().filter(|key| other.contains_key(*key)).count();
    if least == 0 { -1.0 } else { common as f32 / least as f32 }
}

pub(super) static FEATURES: &[PairFeature] = &[
    flag("back_link", "it links back to the page before", |v| on(v.back.is_some())),
    flag("back_head", "its head names the page before as the previous one", |v| {
        on(v.after.links.head_previous.as_ref() == Some(&v.before.key))
    }),
    flag("back_head_other", "its head names another page as the previous one", |v| {
        on(v.after.links.head_previous.as_ref().is_some_and(|key| *key != v.before.key))
    }),
    flag("back_rel_previous", "its link back is marked as the previous page", |v| {
        back(v, |link| link.rel.intersects(Rel::PREVIOUS))
    }),
    flag("back_rel_next", "its link back is marked as the next page", |v| {
        back(v, |link| link.rel.intersects(Rel::NEXT))
    }),
    flag("back_says_previous", "its link back says “previous”", |v| {
        back(v, |link| link.words.intersects(Words::PREVIOUS))
    }),
    flag("back_says_newer", "its link back says “newer”", |v| {
        back(v, |link| link.words.intersects(Words::NEWER))
    }),
    flag("back_says_next", "its link back says “next” or “older”", |v| {
        back(v, |link| link.words.intersects(Words::NEXT.union(Words::OLDER)))
    }),
    flag("back_says_home", "its link back says “home” or “contents”", |v| {
        back(v, |link| link.words.intersects(Words::HOME))
    }),
    flag("back_says_first", "its link back says “first”", |v| {
        back(v, |link| link.words.intersects(Words::FIRST))
    }),
    flag("back_left", "its link back is an arrow to the left", |v| {
        back(v, |link| link.words.intersects(LEFT))
    }),
    flag("back_right", "its link back is an arrow to the right", |v| {
        back(v, |link| link.words.intersects(RIGHT))
    }),
    flag("back_named_previous", "the markup of its link back says “previous”", |v| {
        back(v, |link| link.names.intersects(Names::PREVIOUS.union(Names::NEWER).union(Names::LEFT)))
    }),
    flag("back_named_next", "the markup of its link back says “next”", |v| {
        back(v, |link| link.names.intersects(Names::NEXT.union(Names::OLDER).union(Names::RIGHT)))
    }),
    flag("back_in_pager", "its link back stands in what looks like a pager", |v| {
        back(v, |link| link.in_pager)
    }),
    flag("back_aside", "its link back stands in a menu, a header or beside the text", |v| {
        back(v, |link| link.around.intersects(ASIDE))
    }),
    flag("back_before_own", "its link back precedes its own entry in a list of links", |v| {
        back(v, |link| link.before_own)
    }),
    flag("back_after_own", "its link back follows its own entry in a list of links", |v| {
        back(v, |link| link.after_own)
    }),
    count("back_links", "how often it links back", |v| v.back.map_or(0.0, |link| link.count.min(50) as f32)),
    numeral("back_number", "the number that its link back is", |v| {
        number(v.back.and_then(|link| link.number))
    }),
    growth("back_number_step", "its own page number less the number that its link back is", |v| {
        step(v.back.and_then(|link| link.number), v.after.links.page_number())
    }),
    flag("forward_head", "the head of the page before names it as the next one", |v| {
        on(v.before.links.head_next.as_ref() == Some(&v.after.key))
    }),
    flag("forward_rel_next", "the link to it is marked as the next page", |v| {
        forward(v, |link| link.rel.intersects(Rel::NEXT))
    }),
    flag("forward_rel_previous", "the link to it is marked as the previous page", |v| {
        forward(v, |link| link.rel.intersects(Rel::PREVIOUS))
    }),
    flag("forward_says_next", "the link to it says “next”", |v| {
        forward(v, |link| link.words.intersects(Words::NEXT))
    }),
    flag("forward_says_older", "the link to it says “older”", |v| {
        forward(v, |link| link.words.intersects(Words::OLDER))
    }),
    flag("forward_says_previous", "the link to it says “previous” or “newer”", |v| {
        forward(v, |link| link.words.intersects(Words::PREVIOUS.union(Words::NEWER)))
    }),
    flag("forward_says_page", "the link to it says “page”", |v| {
        forward(v, |link| link.words.intersects(Words::PAGE))
    }),
    flag("forward_says_chapter", "the link to it says “chapter” or “part”", |v| {
        forward(v, |link| link.words.intersects(Words::CHAPTER))
    }),
    flag("forward_says_post", "the link to it says “post”, “article” or “entry”", |v| {
        forward(v, |link| link.words.intersects(Words::POST))
    }),
    flag("forward_says_more", "the link to it says “more” or “read”", |v| {
        forward(v, |link| link.words.intersects(Words::MORE.union(Words::READ)))
    }),
    flag("forward_says_home", "the link to it says “home”, “first” or “contents”", |v| {
        forward(v, |link| link.words.intersects(Words::HOME.union(Words::FIRST)))
    }),
    flag("forward_right", "the link to it is an arrow to the right", |v| {
        forward(v, |link| link.words.intersects(RIGHT))
    }),
    flag("forward_left", "the link to it is an arrow to the left", |v| {
        forward(v, |link| link.words.intersects(LEFT))
    }),
    flag("forward_named_next", "the markup of the link to it says “next”", |v| {
        forward(v, |link| link.names.intersects(Names::NEXT.union(Names::OLDER).union(Names::RIGHT)))
    }),
    flag("forward_named_previous", "the markup of the link to it says “previous”", |v| {
        forward(v, |link| link.names.intersects(Names::PREVIOUS.union(Names::NEWER).union(Names::LEFT)))
    }),
    flag("forward_in_pager", "the link to it stands in what looks like a pager", |v| {
        forward(v, |link| link.in_pager)
    }),
    flag("forward_aside", "the link to it stands in a menu, a header or beside the text", |v| {
        forward(v, |link| link.around.intersects(ASIDE))
    }),
    flag("forward_onward", "the link to it follows the current page in a run of numbers", |v| {
        forward(v, |link| link.onward)
    }),
    flag("forward_after_own", "the link to it follows the page's own entry in a list of links", |v| {
        forward(v, |link| link.after_own)
    }),
    flag("forward_before_own", "the link to it precedes the page's own entry in a list of links", |v| {
        forward(v, |link| link.before_own)
    }),
    count("forward_links", "how often the page before links to it", |v| v.forward.count.min(50) as f32),
    growth("forward_number_step", "the number that the link to it is less the page number before", |v| {
        step(v.before.links.page_number(), v.forward.number)
    }),
    growth("forward_number_own", "its own page number less the number that the link to it is", |v| {
        step(v.forward.number, v.after.links.page_number())
    }),
    flag("is_chapter", "the link to it was taken for that to a chapter", |v| on(v.is_chapter)),
    growth("pager_step", "its page number less that of the page before, by their pagers", |v| {
        step(v.before.links.page_number(), v.after.links.page_number())
    }),
    numeral("pager_number", "its page number, by its pager", |v| number(v.after.links.page_number())),
    numeral("pager_before", "the page number before, by its pager", |v| number(v.before.links.page_number())),
    equality("counter_total", "both say “page … of …” with the same number of pages", |v| {
        let total = |counter: Option<(u32, u32)>| counter.map(|(_, total)| total);
        equal(total(v.before.links.counter), total(v.after.links.counter))
    }),
    equality("pager_greatest", "their runs of numbers end with the same number", |v| {
        equal(v.before.links.greatest, v.after.links.greatest)
    }),
    count("pager_run", "numbers in the run of its pager", |v| v.after.links.run.min(100) as f32),
    count("pager_run_before", "numbers in the run of the pager before", |v| {
        v.before.links.run.min(100) as f32
    }),
    count("pager_common", "addresses in the pagers of both pages", |v| common_targets(v).min(100) as f32),
    share("pager_common_share", "share of addresses in the pagers of both pages", |v| {
        let least = v.before.links.in_pager.min(v.after.links.in_pager);
        if least == 0 { -1.0 } else { (common_targets(v) as f32 / least as f32).min(1.0) }
    }),
    share("links_common", "share of all links that stand on both pages", common_links),
    count("links_own", "how often it links to itself", |v| v.after.links.own.min(50) as f32),
    count("links_own_before", "how often the page before links to itself", |v| {
        v.before.links.own.min(50) as f32
    }),
];
