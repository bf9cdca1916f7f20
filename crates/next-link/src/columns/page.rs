//! Columns of the page as a whole.

use super::super::survey::LinkTarget;
use super::super::words::LabelWords;
use super::feature::{LinkFeature, NO_NUMBER, number, on, page_count, page_flag};

pub(super) static FEATURES: &[LinkFeature] = &[
    page_count("candidates", "addresses that the page links to", |survey, _| survey.candidates.len() as f32),
    page_count("links", "links on the page", |survey, _| survey.items.len() as f32),
    page_count("page_text", "characters on the page outside links", |_, shared| shared.plain_characters),
    page_count("longest_text", "characters in the page's longest text outside links", |_, shared| {
        shared.longest_text
    }),
    page_count("paragraphs", "long paragraphs on the page", |_, shared| shared.paragraphs as f32),
    page_count("paragraph_share", "share of the page's text in long paragraphs, from 0 to 1", |_, shared| {
        shared.paragraph_characters / shared.plain_characters.max(1.0)
    }),
    page_count("comments", "elements named “comments” on the page", |_, shared| shared.comments as f32),
    page_count("articles", "article elements on the page", |_, shared| shared.articles as f32),
    page_count("linked_headings", "headings on the page that are links", |_, shared| {
        shared.linked_headings as f32
    }),
    page_count("headings", "headings on the page", |_, shared| shared.headings as f32),
    page_count("times", "time elements on the page", |_, shared| shared.times as f32),
    page_flag(
        "is_article",
        "page {calls|does not call} itself an article",
        |_, shared| on(shared.is_article),
    ),
    page_flag("is_archive", "page {calls|does not call} itself a list", |_, shared| on(shared.is_archive)),
    page_flag("comment_form", "{a|no} field for comments on the page", |_, shared| on(shared.has_text_area)),
    page_flag("head_next", "{|no }rel=next in the page's head", |survey, _| {
        on(survey.declared.next.is_some())
    }),
    page_flag(
        "head_next_own",
        "rel=next in the page's head {leads|does not lead} to the page itself or to another site",
        |survey, _| {
            on(survey.declared.next.is_some_and(|target| !matches!(target, LinkTarget::Candidate(_))))
        },
    ),
    page_flag("head_has_previous", "{|no }rel=prev in the page's head", |survey, _| {
        on(survey.declared.previous.is_some())
    }),
    page_count("best_run", "numbers in the page's best row of page numbers", |survey, _| {
        survey.runs.best.map_or(0.0, |run| survey.runs.all[run].length as f32)
    }),
    page_flag(
        "best_run_ends",
        "current page {is|is not} the last in the page's best row of page numbers",
        |survey, _| {
            let run = survey.runs.best.map(|run| survey.runs.all[run]);
            on(run.is_some_and(|run| run.current == Some(run.greatest)))
        },
    ),
    page_count("best_run_current", "current page, by the page's best row of page numbers", |survey, _| {
        let run = survey.runs.best.map(|run| survey.runs.all[run]);
        number(run.and_then(|run| run.current))
    })
    .unknown_at(NO_NUMBER),
    page_flag("counter_ends", "page {says|does not say} that it is the last of several", |survey, _| {
        on(survey.declared.counter.is_some_and(|(current, total)| current == total))
    }),
    page_count("counter_total", "number of pages that the page states", |survey, _| {
        number(survey.declared.counter.map(|(_, total)| total))
    })
    .unknown_at(NO_NUMBER),
    page_count("own_number", "page number in this page's address", |survey, _| {
        number(survey.own_paged.number)
    })
    .unknown_at(NO_NUMBER),
    page_flag("own_named", "this page's address: {a|no} word for “page”", |survey, _| {
        on(survey.own_paged.named && survey.own_paged.number.is_some())
    }),
    page_count("own_depth", "folders in this page's address", |survey, _| {
        survey.own.segments().count() as f32
    }),
    page_flag("own_date", "{a|no} date in this page's address", |survey, _| on(survey.own.has_date())),
    page_flag("own_query", "{a|no} query in this page's address", |survey, _| {
        on(!survey.own.query().is_empty())
    }),
    page_flag("own_is_file", "this page's address {names|does not name} a file", |survey, _| {
        on(survey.own.last_segment().contains('.'))
    }),
    page_count("own_hyphens", "hyphens in the last part of this page's address", |survey, _| {
        survey.own.last_segment().bytes().filter(|b| matches!(b, b'-' | b'_')).count() as f32
    }),
    page_count("own_links", "links from the page to itself", |_, shared| shared.own_links as f32),
    page_count("next_items", "items on the page with a word for “next”", |survey, _| {
        survey.counts.last().map_or(0.0, |counts| counts.nexts as f32)
    }),
    page_count("previous_items", "items on the page with a word for “previous”", |survey, _| {
        survey.counts.last().map_or(0.0, |counts| counts.previous as f32)
    }),
    page_count(
        "next_candidates",
        "addresses that the page links to with a word for “next”",
        |_, shared| shared.next_candidates as f32,
    ),
    page_count("dead_nexts", "items with a word for “next” that lead nowhere", |survey, _| {
        let is_dead = |target| matches!(target, LinkTarget::Dead | LinkTarget::Text | LinkTarget::Own);
        survey.items.iter().filter(|item| is_dead(item.target) && item.says(LabelWords::NEXT)).count() as f32
    }),
    page_count("same_folder", "addresses in this page's folder that the page links to", |_, shared| {
        shared.same_folder as f32
    }),
];
