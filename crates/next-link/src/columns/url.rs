//! How a candidate's address differs from the page's own.

use super::super::address::{DifferencePlace, Family};
use super::feature::{LinkFeature, candidate_count, candidate_flag, number, on, step};
use super::view::CandidateView;

fn family(view: &CandidateView<'_>, family: Family) -> f32 {
    on(view.candidate.difference.family == family)
}

fn in_place(view: &CandidateView<'_>, place: DifferencePlace) -> f32 {
    on(view.candidate.difference.place == place)
}

/// The page's own number where its address counts pages, else 1: the first page mostly has none.
fn own_page(view: &CandidateView<'_>) -> i64 {
    view.survey.own_paged.number.map_or(1, i64::from)
}

/// How much the number of the address grows; the page's own counts as 1 where it has none.
fn number_step(view: &CandidateView<'_>) -> Option<i64> {
    let difference = &view.candidate.difference;
    match difference.family {
        Family::NumberAdded => Some(i64::from(difference.number?) - 1),
        _ => difference.step(),
    }
}

fn same_rest(view: &CandidateView<'_>) -> bool {
    view.candidate.paged.is_same && view.candidate.paged.number.is_some()
}

pub(super) static FEATURES: &[LinkFeature] = &[
    candidate_flag("url_number", "its address differs from the page's by a number alone", |v| {
        family(v, Family::Number)
    }),
    candidate_flag("url_number_added", "its address is the page's with a number added", |v| {
        family(v, Family::NumberAdded)
    }),
    candidate_flag("url_text_added", "its address is the page's with something added", |v| {
        family(v, Family::TextAdded)
    }),
    candidate_flag("url_removed", "its address is the page's with something left out", |v| {
        family(v, Family::Removed)
    }),
    candidate_flag("url_in_query", "its address differs from the page's in the query", |v| {
        in_place(v, DifferencePlace::Query)
    }),
    candidate_flag("url_in_last", "its address differs from the page's in the last part of the path", |v| {
        in_place(v, DifferencePlace::LastSegment)
    }),
    candidate_count("url_step", "the number in its address less that in the page's", |v| {
        step(number_step(v))
    }),
    candidate_count("url_step_any", "the number in what differs less that in the page's", |v| {
        step(v.candidate.difference.step())
    }),
    candidate_count("url_added_number", "the number in what differs", |v| {
        number(v.candidate.difference.number)
    }),
    candidate_flag("url_same_but_page", "its address is the page's but for the page number", |v| {
        on(same_rest(v))
    }),
    candidate_count("url_page_step", "the page that its address names less that of the page", |v| {
        step(v.candidate.paged.number.map(|number| i64::from(number) - own_page(v)))
    }),
    candidate_count("url_page_step_same", "the same, where the addresses are equal otherwise", |v| {
        step(v.candidate.paged.number.filter(|_| same_rest(v)).map(|number| i64::from(number) - own_page(v)))
    }),
    candidate_count("url_page_number", "the page that its address names", |v| {
        number(v.candidate.paged.number)
    }),
    candidate_flag("url_page_named", "its address holds a word for “page” beside a number", |v| {
        on(v.candidate.paged.named && v.candidate.paged.number.is_some())
    }),
    candidate_flag("url_comments", "its address names comments", |v| {
        on(held(v.candidate.bare.as_str(), &COMMENTS) != 0)
    }),
    candidate_flag("url_sorts", "its address sorts, filters or sets a view", |v| {
        let in_query = held(v.candidate.bare.query(), &SORTS);
        let new = v.candidate.difference.middle(&v.candidate.bare);
        on(in_query != 0 && in_query & held(new, &SORTS) != 0)
    }),
    candidate_flag("url_date", "its address holds a date", |v| on(v.candidate.bare.has_date())),
    candidate_flag("url_root", "it is the home page", |v| on(v.candidate.bare.as_str().is_empty())),
    candidate_flag("url_above", "its address is a folder above the page", |v| {
        let other = v.candidate.bare.path();
        let own = v.survey.own.path();
        on(own.len() > other.len() && own.starts_with(other) && own.as_bytes()[other.len()] == b'/')
    }),
    candidate_flag("url_below", "its address is below the page's", |v| {
        let (other, own) = (v.candidate.bare.path(), v.survey.own.path());
        on(other.len() > own.len() && other.starts_with(own) && other.as_bytes()[own.len()] == b'/')
    }),
    candidate_flag("url_same_folder", "it stands in the same folder", |v| {
        on(v.candidate.bare.folder() == v.survey.own.folder())
    }),
    candidate_flag("url_same_path", "its path is the page's own", |v| {
        on(v.candidate.bare.path() == v.survey.own.path())
    }),
    candidate_flag("url_same_extension", "its file has the same extension", |v| {
        let extension = |last| str::rsplit_once(last, '.').map(|(_, extension)| extension);
        on(extension(v.candidate.bare.last_segment()) == extension(v.survey.own.last_segment()))
    }),
    candidate_flag("url_extends_name", "its file name is the page's with something added", |v| {
        let stem = |last| str::split(last, '.').next().unwrap_or("");
        let (own, other) = (stem(v.survey.own.last_segment()), stem(v.candidate.bare.last_segment()));
        on(own.len() >= 3 && other.len() > own.len() && other.starts_with(own))
    }),
    candidate_count("url_depth_step", "folders of its address less those of the page's", |v| {
        v.candidate.bare.depth() as f32 - v.survey.own.depth() as f32
    }),
    candidate_count("url_length", "characters of its address", |v| v.candidate.bare.as_str().len() as f32),
    candidate_count("url_length_step", "characters of its address less those of the page's", |v| {
        v.candidate.bare.as_str().len() as f32 - v.survey.own.as_str().len() as f32
    }),
    candidate_count("url_changed", "characters of its address that differ", |v| {
        v.candidate.difference.length as f32
    }),
    candidate_count("url_own_changed", "characters of the page's address that differ", |v| {
        v.candidate.difference.own_length as f32
    }),
    candidate_count("url_common_share", "share of the address that is the page's", |v| {
        let difference = &v.candidate.difference;
        (difference.prefix + difference.suffix) as f32 / v.candidate.bare.as_str().len().max(1) as f32
    }),
    candidate_count("url_digits", "digits in its address", |v| {
        v.candidate.bare.as_str().bytes().filter(u8::is_ascii_digit).count() as f32
    }),
    candidate_count("query_added", "keys of its query that the page's has not", |v| {
        v.candidate.keys.added as f32
    }),
    candidate_count("query_removed", "keys of the page's query that its own has not", |v| {
        v.candidate.keys.removed as f32
    }),
    candidate_count("query_changed", "keys of both queries with different values", |v| {
        v.candidate.keys.changed as f32
    }),
    candidate_count("query_kept", "keys of both queries with equal values", |v| v.candidate.keys.kept as f32),
    candidate_count("query_step", "how much the one number that both queries have grows", |v| {
        step(v.candidate.keys.step)
    }),
    candidate_flag("url_query", "its address has a query", |v| on(!v.candidate.bare.query().is_empty())),
];

/// Words in addresses of comments, and keys of queries that sort, filter or set a view.
const COMMENTS: [&str; 4] = ["comment", "reply", "respond", "cpage"];
const SORTS: [&str; 8] = ["sort", "order", "dir=", "limit=", "view=", "per_page", "pagesize", "lang="];

/// Which of some words in lower case a text holds, one bit each, whatever the case there.
fn held<const N: usize>(text: &str, words: &[&str; N]) -> u32 {
    // Few bytes are the first of a word: one bit for each of those that are, by their last five bits.
    let starts = words.iter().fold(0_u32, |starts, word| starts | 1 << (word.as_bytes()[0] & 31));
    let bytes = text.as_bytes();
    let mut held = 0;
    for (at, byte) in bytes.iter().enumerate() {
        if starts >> (byte & 31) & 1 == 0 {
            continue;
        }
        for (bit, word) in words.iter().enumerate() {
            let start = bytes.get(at..at + word.len());
            if start.is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes())) {
                held |= 1 << bit;
            }
        }
    }
    held
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_anywhere_in_any_case() {
        assert_eq!(held("/a/Comment-page-1#RESPOND", &COMMENTS), 0b101);
        assert_eq!(held("sortorder=1&LANG=x&lim", &SORTS), 0b1000_0011);
        assert_eq!((held("", &SORTS), held("comme", &COMMENTS), held("3ort\u{13}", &SORTS)), (0, 0, 0));
    }
}
