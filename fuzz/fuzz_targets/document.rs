//! A site of a few pages: followed, judged, stitched, and written in every format.
//!
//! Input: one byte of options, then the pages, with lines of `=====` between them. Page 2 is at every address of the site
//! whose last number is 2.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tsugi::page::UnavailableKind;
use tsugi::{Comments, JoinOptions, Response, Unavailable, Url};
use tsugi_fuzz::{check_document, choice, detectors, parts, within_limits};

const MOST_PAGES: usize = 8;

fuzz_target!(|data: &[u8]| within_limits(data.len(), || {
    let Some((options, rest)) = choice(data) else { return };
    let pages = parts(rest, MOST_PAGES);
    let get = |url: &Url| {
        let body = number(url).checked_sub(1).and_then(|at| pages.get(at));
        let missing = || Unavailable::new(UnavailableKind::Status, url, "status 404");
        let content_type = match options >> 6 {
            0 => None,
            1 => Some("text/html; charset=utf-8".to_owned()),
            2 => Some("text/html".to_owned()),
            _ => Some("text/plain".to_owned()),
        };
        let body = body.ok_or_else(missing)?.to_vec();
        Ok(Response { url: url.clone(), status: 200, content_type, link: None, body })
    };
    let comments = [Comments::Drop, Comments::Keep, Comments::Only][usize::from(options >> 2 & 3).min(2)];
    let join = JoinOptions::default()
        .comments(comments)
        .from_start(options & 16 != 0)
        .single_page(options & 32 != 0);
    let start: Url = "https://a.test/story/1.html".parse().expect("an address");
    let detector = match options & 3 {
        0 => &detectors().models,
        1 => &detectors().lenient,
        _ => &detectors().rule,
    };
    // Bytes that are no page are refused.
    let Ok(joined) = detector.reassemble(&start, &join, get) else { return };
    check_document(&joined.into_document(), data.len());
}));

/// Returns the last number in the path and query of an address; 1 if there is none.
fn number(url: &Url) -> usize {
    let text = &url.as_str()[url.origin().ascii_serialization().len()..];
    let digits = text.split(|c: char| !c.is_ascii_digit()).rfind(|digits| !digits.is_empty());
    digits.map_or(Ok(1), str::parse).unwrap_or(usize::MAX)
}
