//! Columns of a link's neighbours: rows of page numbers, the current page, the other end of the pager.

use super::feature::{LinkFeature, flag, least, most, most_number, most_step};
use crate::features::features;
use crate::runs::{is_before, number as number_of};
use crate::survey::LinkItem;
use crate::ways::LinkWay;
use crate::words::LabelWords;

pub(super) static FEATURES: &[LinkFeature] = features! {
    flag "after_current", "link {follows|does not follow} the number of the current page",
        |tag| tag.beside().before.is_some_and(|item| item.is_current() && number_of(item).is_some());
    flag "number_after_current", "link {is|is not} the number after the current page's", |tag| {
        let current = tag.run.and_then(|run| run.current);
        number_of(tag.item).is_some_and(|number| is_before(current, number))
    };
    flag "onward_in_run", "link {is|is not} the first after the current page in a row of page numbers",
        |tag| tag.run.is_some_and(|run| run.onward == Some(tag.at));
    most "run_length", "numbers in the link's row of page numbers",
        |tag| tag.run.map_or(0, |run| run.length);
    most "run_links", "links in the link's row of page numbers",
        |tag| tag.run.map_or(0, |run| run.links);
    most "run_steady", "consecutive numbers in the link's row of page numbers",
        |tag| tag.run.map_or(0, |run| run.steady);
    most_step "run_step", "number on the link: {step} the current page", |tag| {
        let current = tag.run.and_then(|run| run.current);
        current.zip(number_of(tag.item)).map(|(current, own)| i64::from(own) - i64::from(current))
    };
    most_number "run_current", "current page, by the link's row of page numbers",
        |tag| tag.run.and_then(|run| run.current);
    flag "run_current_is_text", "current page {is|is not} plain text in the link's row of page numbers",
        |tag| {
            let current = tag.run.and_then(|run| run.current_at);
            current.is_some_and(|at| tag.survey.items[at].leads_nowhere())
        };
    most "run_behind", "numbers in the row of page numbers at or just before the link",
        |tag| tag.run_behind().map_or(0, |run| run.length);
    flag "run_behind_ends", "current page {is|is not} the last in the row of page numbers before the link",
        |tag| tag.run_behind().is_some_and(|run| run.current == Some(run.greatest));
    flag "before_is_current", "item before the link: {|not }the current page",
        |tag| tag.beside().before.is_some_and(LinkItem::is_current);
    flag "before_is_number", "item before the link: {|not }a number",
        |tag| tag.beside().before.is_some_and(|item| item.text.is_bare_number());
    flag "before_is_previous", "item before the link: {a|no} word for “previous”", |tag| {
        let words = LabelWords::PREVIOUS | LabelWords::NEWER | LabelWords::ARROW_LEFT;
        tag.beside().before.is_some_and(|item| item.says(words))
    };
    flag "before_text_says_next", "text just before the link: {a|no} word for “next”",
        |tag| tag.item.lead.intersects(LabelWords::NEXT | LabelWords::OLDER);
    flag "before_text_says_previous", "text just before the link: {a|no} word for “previous”",
        |tag| tag.item.lead.intersects(LabelWords::PREVIOUS | LabelWords::NEWER);
    flag "before_is_dead", "item before the link: {|not }a dead link or plain text",
        |tag| tag.beside().before.is_some_and(LinkItem::leads_nowhere);
    flag "before_is_home", "item before the link: {a|no} word for “home” or “contents”",
        |tag| tag.beside().before.is_some_and(|item| item.says(LabelWords::HOME));
    flag "after_is_number", "item after the link: {|not }a number",
        |tag| tag.beside().after.is_some_and(|item| item.text.is_bare_number());
    flag "after_is_next", "item after the link: {a|no} word for “next”",
        |tag| tag.beside().after.is_some_and(|item| item.says(LabelWords::NEXT));
    flag "after_is_last", "item after the link: {a|no} word for “last”",
        |tag| tag.beside().after.is_some_and(|item| item.says(LabelWords::LAST | LabelWords::DOUBLE_RIGHT));
    flag "after_is_previous", "item after the link: {a|no} word for “previous”",
        |tag| tag.beside().after.is_some_and(|item| item.says(LabelWords::PREVIOUS | LabelWords::NEWER));
    flag "after_is_none", "{no item|an item} close after the link", |tag| tag.beside().after.is_none();
    flag "follows_own", "link {follows|does not follow} this page's entry in a list of links",
        |tag| tag.shared.after_own[tag.at];
    least "since_own", "links between this page's entry in a list of links and the link",
        |tag| tag.shared.since_own[tag.at];
    flag "after_title", "link {is|is not} right after the current entry in a list of titles",
        |tag| tag.shared.after_title[tag.at];
    flag "option", "{an|no} option of a select", |tag| tag.item.way == LinkWay::Option;
    flag "form_button", "{a|no} button of a form", |tag| tag.item.way == LinkWay::Button;
    flag "by_header", "{a|no} Link header", |tag| tag.item.way == LinkWay::Header;
    flag "precedes_own", "link {precedes|does not precede} this page's entry in a list of links",
        |tag| tag.shared.before_own[tag.at];
    least "near_items", "items in the smallest element around the link and another item",
        |tag| tag.beside().near.to - tag.beside().near.from;
    least "near_text", "characters in the smallest element around the link and another item",
        |tag| tag.page.totals(tag.beside().near.node).characters;
    most "near_numbers", "numbers in the smallest element around the link and another item",
        |tag| tag.beside().near_counts.numbers;
    most "pager_links", "links in the small element around the link", |tag| tag.beside().pager_counts.links;
    most "pager_numbers", "numbers in the small element around the link",
        |tag| tag.beside().pager_counts.numbers;
    most "pager_nexts", "items with a word for “next” in the small element around the link",
        |tag| tag.beside().pager_counts.nexts;
    most "pager_previous", "items with a word for “previous” in the small element around the link",
        |tag| tag.beside().pager_counts.previous;
    most "pager_currents", "items for the current page in the small element around the link",
        |tag| tag.beside().pager_counts.currents;
    least "pager_text", "characters in the small element around the link",
        |tag| tag.page.totals(tag.beside().pager.node).characters;
    least "from_pager_start", "items before the link in the small element around it",
        |tag| tag.at - tag.beside().pager.from;
    least "to_pager_end", "items after the link in the small element around it",
        |tag| tag.beside().pager.to - 1 - tag.at;
};
