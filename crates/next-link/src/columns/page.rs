//! What kind of page it is.

use super::super::survey::Target;
use super::super::words::Words;
use super::feature::{LinkFeature, number, on, page_count, page_flag};

pub(super) static FEATURES: &[LinkFeature] = &[
    page_count("candidates", "addresses that the page leads to", |survey, _| survey.candidates.len() as f32),
    page_count("links", "links of the page", |survey, _| survey.items.len() as f32),
    page_count("page_text", "characters of the page outside links", |_, shared| shared.plain_characters),
    page_count("longest_text", "characters of the page's longest text outside links", |_, shared| {
        shared.longest_text
    }),
    page_count("paragraphs", "long paragraphs of the page", |_, shared| shared.paragraphs as f32),
    page_count("paragraph_share", "share of the page's text in long paragraphs", |_, shared| {
        shared.paragraph_characters / shared.plain_characters.max(1.0)
    }),
    page_count("comments", "elements of the page that are named “comments”", |_, shared| {
        shared.comments as f32
    }),
    page_count("articles", "article elements of the page", |_, shared| shared.articles as f32),
    page_count("linked_headings", "headings of the page that are links", |_, shared| {
        shared.linked_headings as f32
    }),
    page_count("headings", "headings of the page", |_, shared| shared.headings as f32),
    page_count("times", "time elements of the page", |_, shared| shared.times as f32),
    page_flag("is_article", "the page calls itself an article", |_, shared| on(shared.is_article)),
    page_flag("is_archive", "the page calls itself a list", |_, shared| on(shared.is_archive)),
    page_flag("comment_form", "the page has a field for comments", |_, shared| on(shared.has_text_area)),
    page_flag("head_next", "the page's head says rel=next", |survey, _| on(survey.head_next.is_some())),
    page_flag(
        "head_next_own",
        "the page's head says rel=next of the page itself or of another site",
        |survey, _| on(survey.head_next.is_some_and(|target| !matches!(target, Target::Candidate(_)))),
    ),
    page_flag("head_has_previous", "the page's head says rel=prev", |survey, _| {
        on(survey.head_previous.is_some())
    }),
    page_count("best_run", "numbers in the page's best run", |survey, _| {
        survey.runs.best.map_or(0.0, |run| survey.runs.all[run].length as f32)
    }),
    page_flag("best_run_ends", "the current page is the last of the page's best run", |survey, _| {
        let run = survey.runs.best.map(|run| survey.runs.all[run]);
        on(run.is_some_and(|run| run.current == Some(run.greatest)))
    }),
    page_count("best_run_current", "the current page, by the page's best run", |survey, _| {
        let run = survey.runs.best.map(|run| survey.runs.all[run]);
        number(run.and_then(|run| run.current))
    }),
    page_flag("counter_ends", "the page says that it is the last of several", |survey, _| {
        on(survey.counter.is_some_and(|(current, total)| current == total))
    }),
    page_count("counter_total", "how many pages there are, as the page says", |survey, _| {
        number(survey.counter.map(|(_, total)| total))
    }),
    page_count("own_number", "the number in the page's own address that counts pages", |survey, _| {
        number(survey.own_paged.number)
    }),
    page_flag("own_named", "the page's own address holds a word for “page”", |survey, _| {
        on(survey.own_paged.named && survey.own_paged.number.is_some())
    }),
    page_count("own_depth", "folders of the page's own address", |survey, _| {
        survey.own.segments().count() as f32
    }),
    page_flag("own_date", "the page's own address holds a date", |survey, _| on(survey.own.has_date())),
    page_flag("own_query", "the page's own address has a query", |survey, _| {
        on(!survey.own.query().is_empty())
    }),
    page_flag("own_is_file", "the page's own address names a file", |survey, _| {
        on(survey.own.last_segment().contains('.'))
    }),
    page_count("own_hyphens", "hyphens in the last part of the page's own address", |survey, _| {
        survey.own.last_segment().bytes().filter(|b| matches!(b, b'-' | b'_')).count() as f32
    }),
    page_count("own_links", "links of the page to itself", |_, shared| shared.own_links as f32),
    page_count("next_items", "items of the page that say “next”", |survey, _| {
        survey.counts.last().map_or(0.0, |counts| counts.nexts as f32)
    }),
    page_count("previous_items", "items of the page that say “previous”", |survey, _| {
        survey.counts.last().map_or(0.0, |counts| counts.previous as f32)
    }),
    page_count("next_candidates", "candidates whose label says “next”", |_, shared| {
        shared.next_candidates as f32
    }),
    page_count("dead_nexts", "items that say “next” and lead nowhere", |survey, _| {
        let is_dead = |target| matches!(target, Target::Dead | Target::Text | Target::Own);
        survey.items.iter().filter(|item| is_dead(item.target) && item.says(Words::NEXT)).count() as f32
    }),
    page_count("same_folder", "candidates in the page's own folder", |_, shared| shared.same_folder as f32),
];
