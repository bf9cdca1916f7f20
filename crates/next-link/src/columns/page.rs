//! Columns of the page as a whole.

use super::feature::{LinkFeature, page_count as count, page_flag as flag, page_number as numeral};
use crate::features::features;
use crate::survey::LinkTarget;
use crate::words::LabelWords;

pub(super) static FEATURES: &[LinkFeature] = features! {
    count "candidates", "addresses that the page links to", |survey, _| survey.candidates.len();
    count "links", "links on the page", |survey, _| survey.items.len();
    count "page_text", "characters on the page outside links", |_, shared| shared.plain_characters;
    count "longest_text", "characters in the page's longest text outside links",
        |_, shared| shared.longest_text;
    count "paragraphs", "long paragraphs on the page", |_, shared| shared.paragraphs;
    count "paragraph_share", "share of the page's text in long paragraphs, from 0 to 1",
        |_, shared| shared.paragraph_characters / shared.plain_characters.max(1.0);
    count "comments", "elements named “comments” on the page", |_, shared| shared.comments;
    count "articles", "article elements on the page", |_, shared| shared.articles;
    count "linked_headings", "headings on the page that are links", |_, shared| shared.linked_headings;
    count "headings", "headings on the page", |_, shared| shared.headings;
    count "times", "time elements on the page", |_, shared| shared.times;
    flag "is_article", "page {calls|does not call} itself an article", |_, shared| shared.is_article;
    flag "is_archive", "page {calls|does not call} itself a list", |_, shared| shared.is_archive;
    flag "comment_form", "{a|no} field for comments on the page", |_, shared| shared.has_text_area;
    flag "head_next", "{|no }rel=next in the page's head", |survey, _| survey.declared.next.is_some();
    flag "head_next_own",
        "rel=next in the page's head {leads|does not lead} to the page itself or to another site",
        |survey, _| survey.declared.next.is_some_and(|target| !matches!(target, LinkTarget::Candidate(_)));
    flag "head_has_previous", "{|no }rel=prev in the page's head",
        |survey, _| survey.declared.previous.is_some();
    count "best_run", "numbers in the page's best row of page numbers",
        |survey, _| survey.runs.best().map_or(0, |run| run.length);
    flag "best_run_ends", "current page {is|is not} the last in the page's best row of page numbers",
        |survey, _| survey.runs.best().is_some_and(|run| run.current == Some(run.greatest));
    numeral "best_run_current", "current page, by the page's best row of page numbers",
        |survey, _| survey.runs.best().and_then(|run| run.current);
    flag "counter_ends", "page {says|does not say} that it is the last of several",
        |survey, _| survey.declared.counter.is_some_and(|(current, total)| current == total);
    numeral "counter_total", "number of pages that the page states",
        |survey, _| survey.declared.counter.map(|(_, total)| total);
    numeral "own_number", "page number in this page's address", |survey, _| survey.own_paged.number;
    flag "own_named", "this page's address: {a|no} word for “page”",
        |survey, _| survey.own_paged.named && survey.own_paged.number.is_some();
    count "own_depth", "folders in this page's address", |survey, _| survey.own.segments().count();
    flag "own_date", "{a|no} date in this page's address", |survey, _| survey.own.has_date();
    flag "own_query", "{a|no} query in this page's address", |survey, _| !survey.own.query().is_empty();
    flag "own_is_file", "this page's address {names|does not name} a file",
        |survey, _| survey.own.last_segment().contains('.');
    count "own_hyphens", "hyphens in the last part of this page's address",
        |survey, _| survey.own.last_segment().bytes().filter(|b| matches!(b, b'-' | b'_')).count();
    count "own_links", "links from the page to itself", |_, shared| shared.own_links;
    count "next_items", "items on the page with a word for “next”",
        |survey, _| survey.counts.last().map_or(0, |counts| counts.nexts);
    count "previous_items", "items on the page with a word for “previous”",
        |survey, _| survey.counts.last().map_or(0, |counts| counts.previous);
    count "next_candidates", "addresses that the page links to with a word for “next”",
        |_, shared| shared.next_candidates;
    count "dead_nexts", "items with a word for “next” that lead nowhere", |survey, _| {
        let dead = survey.items.iter().filter(|item| item.leads_nowhere() || item.target == LinkTarget::Own);
        dead.filter(|item| item.says(LabelWords::NEXT)).count()
    };
    count "same_folder", "addresses in this page's folder that the page links to",
        |_, shared| shared.same_folder;
};
