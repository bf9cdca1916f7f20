//! Columns of the difference between a candidate's address and the page's own.

use super::super::address::{DifferencePlace, Family};
use super::feature::{LinkFeature, NO_NUMBER, NO_STEP, candidate_count, candidate_flag, number, on, step};
use super::view::CandidateView;

fn family(view: &CandidateView<'_>, family: Family) -> f32 {
    on(view.candidate.difference.family == family)
}

fn in_place(view: &CandidateView<'_>, place: DifferencePlace) -> f32 {
    on(view.candidate.difference.place == place)
}

/// Returns the page number in the page's own address, or 1 without one: the first page usually has none.
fn own_page(view: &CandidateView<'_>) -> i64 {
    view.survey.own_paged.number.map_or(1, i64::from)
}

/// Returns the difference of the numbers in the addresses; the page's own counts as 1 if it has none.
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
    candidate_flag("url_number", "address {is|is not} this page's with another number", |v| {
        family(v, Family::Number)
    }),
    candidate_flag("url_number_added", "address {is|is not} this page's with a number added", |v| {
        family(v, Family::NumberAdded)
    }),
    candidate_flag("url_text_added", "address {is|is not} this page's with something added", |v| {
        family(v, Family::TextAdded)
    }),
    candidate_flag("url_removed", "address {is|is not} this page's with something removed", |v| {
        family(v, Family::Removed)
    }),
    candidate_flag("url_in_query", "address {differs|does not differ} from this page's in the query", |v| {
        in_place(v, DifferencePlace::Query)
    }),
    candidate_flag(
        "url_in_last",
        "address {differs|does not differ} from this page's in the last part of the path",
        |v| in_place(v, DifferencePlace::LastSegment),
    ),
    candidate_count("url_step", "number in the address: {step} this page's", |v| step(number_step(v)))
        .unknown_at(NO_STEP),
    candidate_count(
        "url_step_any",
        "number in the part of the address that differs: {step} this page's",
        |v| step(v.candidate.difference.step()),
    )
    .unknown_at(NO_STEP),
    candidate_count("url_added_number", "number in the part of the address that differs", |v| {
        number(v.candidate.difference.number)
    })
    .unknown_at(NO_NUMBER),
    candidate_flag("url_same_but_page", "address {is|is not} this page's except for the page number", |v| {
        on(same_rest(v))
    }),
    candidate_count("url_page_step", "page number in the address: {step} the current page", |v| {
        step(v.candidate.paged.number.map(|number| i64::from(number) - own_page(v)))
    })
    .unknown_at(NO_STEP),
    candidate_count(
        "url_page_step_same",
        "page number in an otherwise equal address: {step} the current page",
        |v| {
            step(
                v.candidate
                    .paged
                    .number
                    .filter(|_| same_rest(v))
                    .map(|number| i64::from(number) - own_page(v)),
            )
        },
    )
    .unknown_at(NO_STEP),
    candidate_count("url_page_number", "page number in the address", |v| number(v.candidate.paged.number))
        .unknown_at(NO_NUMBER),
    candidate_flag("url_page_named", "address: {a|no} word for “page” next to a number", |v| {
        on(v.candidate.paged.named && v.candidate.paged.number.is_some())
    }),
    candidate_flag("url_comments", "address: {a|no} word for comments", |v| {
        on(held(v.candidate.bare.as_str(), &COMMENTS) != 0)
    }),
    candidate_flag(
        "url_sorts",
        "address {sorts, filters or sets|does not sort, filter or set} a view",
        |v| {
            let in_query = held(v.candidate.bare.query(), &SORTS);
            let new = v.candidate.difference.middle(&v.candidate.bare);
            on(in_query != 0 && in_query & held(new, &SORTS) != 0)
        },
    ),
    candidate_flag("url_date", "{a|no} date in the address", |v| on(v.candidate.bare.has_date())),
    candidate_flag("url_root", "address {is|is not} the home page", |v| {
        on(v.candidate.bare.as_str().is_empty())
    }),
    candidate_flag("url_above", "address {is|is not} a folder above this page", |v| {
        let other = v.candidate.bare.path();
        let own = v.survey.own.path();
        on(own.len() > other.len() && own.starts_with(other) && own.as_bytes()[other.len()] == b'/')
    }),
    candidate_flag("url_below", "address {is|is not} below this page's", |v| {
        let (other, own) = (v.candidate.bare.path(), v.survey.own.path());
        on(other.len() > own.len() && other.starts_with(own) && other.as_bytes()[own.len()] == b'/')
    }),
    candidate_flag("url_same_folder", "address {is|is not} in this page's folder", |v| {
        on(v.candidate.bare.folder() == v.survey.own.folder())
    }),
    candidate_flag("url_same_path", "path {is|is not} this page's own", |v| {
        on(v.candidate.bare.path() == v.survey.own.path())
    }),
    candidate_flag("url_same_extension", "file extension: {the same as|different from} this page's", |v| {
        let extension = |last| str::rsplit_once(last, '.').map(|(_, extension)| extension);
        on(extension(v.candidate.bare.last_segment()) == extension(v.survey.own.last_segment()))
    }),
    candidate_flag("url_extends_name", "file name {is|is not} this page's with something added", |v| {
        let stem = |last| str::split(last, '.').next().unwrap_or("");
        let (own, other) = (stem(v.survey.own.last_segment()), stem(v.candidate.bare.last_segment()));
        on(own.len() >= 3 && other.len() > own.len() && other.starts_with(own))
    }),
    candidate_count("url_depth_step", "folders in the address, minus those in this page's", |v| {
        v.candidate.bare.depth() as f32 - v.survey.own.depth() as f32
    }),
    candidate_count("url_length", "characters in the address", |v| v.candidate.bare.as_str().len() as f32),
    candidate_count("url_length_step", "characters in the address, minus those in this page's", |v| {
        v.candidate.bare.as_str().len() as f32 - v.survey.own.as_str().len() as f32
    }),
    candidate_count("url_changed", "characters of the address that differ from this page's", |v| {
        v.candidate.difference.length as f32
    }),
    candidate_count(
        "url_own_changed",
        "characters of this page's address that differ from the link's",
        |v| v.candidate.difference.own_length as f32,
    ),
    candidate_count(
        "url_common_share",
        "share of the address in common with this page's, from 0 to 1",
        |v| {
            let difference = &v.candidate.difference;
            (difference.prefix + difference.suffix) as f32 / v.candidate.bare.as_str().len().max(1) as f32
        },
    ),
    candidate_count("url_digits", "digits in the address", |v| {
        v.candidate.bare.as_str().bytes().filter(u8::is_ascii_digit).count() as f32
    }),
    candidate_count("query_added", "query keys that this page's address does not have", |v| {
        v.candidate.keys.added as f32
    }),
    candidate_count("query_removed", "query keys of this page's address that the link does not have", |v| {
        v.candidate.keys.removed as f32
    }),
    candidate_count("query_changed", "query keys with a different value in this page's address", |v| {
        v.candidate.keys.changed as f32
    }),
    candidate_count("query_kept", "query keys with the same value in this page's address", |v| {
        v.candidate.keys.kept as f32
    }),
    candidate_count("query_step", "number in the query: {step} this page's", |v| step(v.candidate.keys.step))
        .unknown_at(NO_STEP),
    candidate_flag("url_query", "{a|no} query in the address", |v| on(!v.candidate.bare.query().is_empty())),
];

/// Words in the addresses of comments, and query keys that sort, filter or set a view.
const COMMENTS: [&str; 4] = ["comment", "reply", "respond", "cpage"];
const SORTS: [&str; 8] = ["sort", "order", "dir=", "limit=", "view=", "per_page", "pagesize", "lang="];

/// Returns which of the lower-case words a text contains in any case, one bit each.
fn held<const N: usize>(text: &str, words: &[&str; N]) -> u32 {
    // Few bytes can start a word: set a bit for each that does, by its last five bits.
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
