//! Columns of the difference between a candidate's address and the page's own.

use super::feature::{
    LinkFeature, candidate_count as count, candidate_flag as flag, candidate_number as numeral,
    candidate_step as step,
};
use super::view::CandidateView;
use crate::address::{DifferencePlace, Family, is_below};
use crate::features::features;

fn family(view: &CandidateView<'_>, family: Family) -> bool {
    view.candidate.difference.family == family
}

fn in_place(view: &CandidateView<'_>, place: DifferencePlace) -> bool {
    view.candidate.difference.place == place
}

fn page_step(view: &CandidateView<'_>) -> Option<i64> {
    // The address of the first page usually has no number.
    let own = view.survey.own_paged.number.map_or(1, i64::from);
    view.candidate.paged.number.map(|number| i64::from(number) - own)
}

/// Returns the difference of the numbers in the addresses; the page's own counts as 1 if it has none.
fn number_step(view: &CandidateView<'_>) -> Option<i64> {
    let difference = &view.candidate.difference;
    match difference.family {
        Family::NumberAdded => Some(i64::from(difference.number?) - 1),
        _ => difference.step(),
    }
}

pub(super) static FEATURES: &[LinkFeature] = features! {
    flag "url_number", "address {is|is not} this page's with another number", |v| family(v, Family::Number);
    flag "url_number_added", "address {is|is not} this page's with a number added",
        |v| family(v, Family::NumberAdded);
    flag "url_text_added", "address {is|is not} this page's with something added",
        |v| family(v, Family::TextAdded);
    flag "url_removed", "address {is|is not} this page's with something removed",
        |v| family(v, Family::Removed);
    flag "url_in_query", "address {differs|does not differ} from this page's in the query",
        |v| in_place(v, DifferencePlace::Query);
    flag "url_in_last", "address {differs|does not differ} from this page's in the last part of the path",
        |v| in_place(v, DifferencePlace::LastSegment);
    step "url_step", "number in the address: {step} this page's", |v| number_step(v);
    step "url_step_any", "number in the part of the address that differs: {step} this page's",
        |v| v.candidate.difference.step();
    numeral "url_added_number", "number in the part of the address that differs",
        |v| v.candidate.difference.number;
    flag "url_same_but_page", "address {is|is not} this page's except for the page number",
        |v| v.candidate.paged.is_same && v.candidate.paged.number.is_some();
    step "url_page_step", "page number in the address: {step} the current page", |v| page_step(v);
    step "url_page_step_same", "page number in an otherwise equal address: {step} the current page",
        |v| page_step(v).filter(|_| v.candidate.paged.is_same);
    numeral "url_page_number", "page number in the address", |v| v.candidate.paged.number;
    flag "url_page_named", "address: {a|no} word for “page” next to a number",
        |v| v.candidate.paged.named && v.candidate.paged.number.is_some();
    flag "url_comments", "address: {a|no} word for comments",
        |v| held(v.candidate.bare.as_str(), &COMMENTS) != 0;
    flag "url_sorts", "address {sorts, filters or sets|does not sort, filter or set} a view", |v| {
        let in_query = held(v.candidate.bare.query(), &SORTS);
        let new = v.candidate.difference.middle(&v.candidate.bare);
        in_query != 0 && in_query & held(new, &SORTS) != 0
    };
    flag "url_date", "{a|no} date in the address", |v| v.candidate.bare.has_date();
    flag "url_root", "address {is|is not} the home page", |v| v.candidate.bare.as_str().is_empty();
    flag "url_above", "address {is|is not} a folder above this page",
        |v| is_below(v.survey.own.path(), v.candidate.bare.path());
    flag "url_below", "address {is|is not} below this page's",
        |v| is_below(v.candidate.bare.path(), v.survey.own.path());
    flag "url_same_folder", "address {is|is not} in this page's folder",
        |v| v.candidate.bare.folder() == v.survey.own.folder();
    flag "url_same_path", "path {is|is not} this page's own",
        |v| v.candidate.bare.path() == v.survey.own.path();
    flag "url_same_extension", "file extension: {the same as|different from} this page's", |v| {
        let extension = |last| str::rsplit_once(last, '.').map(|(_, extension)| extension);
        extension(v.candidate.bare.last_segment()) == extension(v.survey.own.last_segment())
    };
    flag "url_extends_name", "file name {is|is not} this page's with something added", |v| {
        let stem = |last| str::split(last, '.').next().unwrap_or("");
        let (own, other) = (stem(v.survey.own.last_segment()), stem(v.candidate.bare.last_segment()));
        own.len() >= 3 && other.len() > own.len() && other.starts_with(own)
    };
    count "url_depth_step", "folders in the address, minus those in this page's",
        |v| v.candidate.bare.depth() as f32 - v.survey.own.depth() as f32;
    count "url_length", "characters in the address", |v| v.candidate.bare.as_str().len();
    count "url_length_step", "characters in the address, minus those in this page's",
        |v| v.candidate.bare.as_str().len() as f32 - v.survey.own.as_str().len() as f32;
    count "url_changed", "characters of the address that differ from this page's",
        |v| v.candidate.difference.length;
    count "url_own_changed", "characters of this page's address that differ from the link's",
        |v| v.candidate.difference.own_length;
    count "url_common_share", "share of the address in common with this page's, from 0 to 1", |v| {
        let difference = &v.candidate.difference;
        (difference.prefix + difference.suffix) as f32 / v.candidate.bare.as_str().len().max(1) as f32
    };
    count "url_digits", "digits in the address",
        |v| v.candidate.bare.as_str().bytes().filter(u8::is_ascii_digit).count();
    count "query_added", "query keys that this page's address does not have", |v| v.candidate.keys.added;
    count "query_removed", "query keys of this page's address that the link does not have",
        |v| v.candidate.keys.removed;
    count "query_changed", "query keys with a different value in this page's address",
        |v| v.candidate.keys.changed;
    count "query_kept", "query keys with the same value in this page's address", |v| v.candidate.keys.kept;
    step "query_step", "number in the query: {step} this page's", |v| v.candidate.keys.step;
    flag "url_query", "{a|no} query in the address", |v| !v.candidate.bare.query().is_empty();
};

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
