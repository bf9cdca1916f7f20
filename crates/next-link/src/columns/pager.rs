//! What stands beside a link: runs of numbers, the current page, the other end of the pager.

use super::super::runs::{is_before, number as number_of};
use super::super::survey::{LinkItem, Target};
use super::super::words::Words;
use super::feature::{LinkFeature, flag, least, most, number, on, step};

pub(super) static FEATURES: &[LinkFeature] = &[
    flag("after_current", "it follows the number of the current page", |tag| {
        on(tag.beside().before.is_some_and(|item| item.is_current() && number_of(item).is_some()))
    }),
    flag("number_after_current", "it is the number after that of the current page", |tag| {
        let current = tag.run.and_then(|run| run.current);
        on(number_of(tag.item).is_some_and(|number| is_before(current, number)))
    }),
    flag("onward_in_run", "it is the first link after the current page in a run of numbers", |tag| {
        on(tag.run.is_some_and(|run| run.onward == Some(tag.at)))
    }),
    most("run_length", "numbers in the run that it is part of", |tag| {
        tag.run.map_or(0.0, |run| run.length as f32)
    }),
    most("run_links", "links in the run that it is part of", |tag| {
        tag.run.map_or(0.0, |run| run.links as f32)
    }),
    most("run_steady", "numbers of its run that follow their predecessor by 1", |tag| {
        tag.run.map_or(0.0, |run| run.steady as f32)
    }),
    most("run_step", "its number less that of the current page", |tag| {
        let current = tag.run.and_then(|run| run.current);
        step(current.zip(number_of(tag.item)).map(|(current, own)| i64::from(own) - i64::from(current)))
    }),
    most("run_current", "the current page, by the run of numbers", |tag| {
        number(tag.run.and_then(|run| run.current))
    }),
    flag("run_current_is_text", "the current page in its run is no link", |tag| {
        let current = tag.run.and_then(|run| run.current_at);
        on(current.is_some_and(|at| matches!(tag.survey.items[at].target, Target::Text | Target::Dead)))
    }),
    most("run_behind", "numbers in the run that ends shortly before it", |tag| {
        tag.run_behind().map_or(0.0, |run| run.length as f32)
    }),
    flag("run_behind_ends", "the current page is the last of the run before it", |tag| {
        on(tag.run_behind().is_some_and(|run| run.current == Some(run.greatest)))
    }),
    flag("before_is_current", "the item before it is the current page", |tag| {
        on(tag.beside().before.is_some_and(LinkItem::is_current))
    }),
    flag("before_is_number", "the item before it is a number", |tag| {
        on(tag.beside().before.is_some_and(|item| item.text.is_bare_number()))
    }),
    flag("before_is_previous", "the item before it says “previous”", |tag| {
        on(tag
            .beside()
            .before
            .is_some_and(|item| item.says(Words::PREVIOUS.union(Words::NEWER).union(Words::ARROW_LEFT))))
    }),
    flag("before_text_says_next", "the text right before it says “next”", |tag| {
        on(tag.item.lead.intersects(Words::NEXT.union(Words::OLDER)))
    }),
    flag("before_text_says_previous", "the text right before it says “previous”", |tag| {
        on(tag.item.lead.intersects(Words::PREVIOUS.union(Words::NEWER)))
    }),
    flag("before_is_dead", "the item before it leads nowhere", |tag| {
        on(tag.beside().before.is_some_and(|item| matches!(item.target, Target::Dead | Target::Text)))
    }),
    flag("before_is_home", "the item before it says “home” or “contents”", |tag| {
        on(tag.beside().before.is_some_and(|item| item.says(Words::HOME)))
    }),
    flag("after_is_number", "the item after it is a number", |tag| {
        on(tag.beside().after.is_some_and(|item| item.text.is_bare_number()))
    }),
    flag("after_is_next", "the item after it says “next”", |tag| {
        on(tag.beside().after.is_some_and(|item| item.says(Words::NEXT)))
    }),
    flag("after_is_last", "the item after it says “last”", |tag| {
        on(tag.beside().after.is_some_and(|item| item.says(Words::LAST.union(Words::DOUBLE_RIGHT))))
    }),
    flag("after_is_previous", "the item after it says “previous”", |tag| {
        on(tag.beside().after.is_some_and(|item| item.says(Words::PREVIOUS.union(Words::NEWER))))
    }),
    flag("after_is_none", "no item stands close after it", |tag| on(tag.beside().after.is_none())),
    flag("follows_own", "it follows the page's own entry in a list of links", |tag| {
        on(tag.shared.after_own[tag.at])
    }),
    least("since_own", "links between the page's own entry and it", |tag| {
        tag.shared.since_own[tag.at] as f32
    }),
    flag("precedes_own", "the page's own entry follows it", |tag| on(tag.shared.before_own[tag.at])),
    least("near_items", "items in the smallest element that holds others too", |tag| {
        (tag.beside().near.to - tag.beside().near.from) as f32
    }),
    least("near_text", "characters in the smallest element that holds others too", |tag| {
        tag.page.totals(tag.beside().near.node).characters as f32
    }),
    most("near_numbers", "numbers in the smallest element that holds others too", |tag| {
        tag.beside().near_counts.numbers as f32
    }),
    most("pager_links", "links in the small element around it", |tag| tag.beside().pager_counts.links as f32),
    most("pager_numbers", "numbers in the small element around it", |tag| {
        tag.beside().pager_counts.numbers as f32
    }),
    most("pager_nexts", "items that say “next” in the small element around it", |tag| {
        tag.beside().pager_counts.nexts as f32
    }),
    most("pager_previous", "items that say “previous” in the small element around it", |tag| {
        tag.beside().pager_counts.previous as f32
    }),
    most("pager_currents", "items for the current page in the small element around it", |tag| {
        tag.beside().pager_counts.currents as f32
    }),
    least("pager_text", "characters of the small element around it", |tag| {
        tag.page.totals(tag.beside().pager.node).characters as f32
    }),
    least("from_pager_start", "items before it in the small element around it", |tag| {
        (tag.at - tag.beside().pager.from) as f32
    }),
    least("to_pager_end", "items after it in the small element around it", |tag| {
        (tag.beside().pager.to - 1 - tag.at) as f32
    }),
];
