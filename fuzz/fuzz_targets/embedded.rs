//! An article in the data of a page that shows nothing: found, drawn, and written in every format.
//!
//! Input: one byte that chooses where the data are, then the data. If the byte has its highest bit, the data are what they begin
//! with, a part that is repeated, and what they end with, with lines of `=====` between them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use tsugi::{JoinOptions, Page, Url};
use tsugi_fuzz::{check_document, choice, detectors, parts, within_limits};
use tsugi_main_content::embedded;

/// The most bytes of an article, for each byte of the data and for all. Data may refer to the same text several times.
const LARGEST: (usize, usize) = (8, 1 << 16);

/// How long data with a repeated part are.
const LENGTH: usize = 1 << 15;

/// What stands before the data, and behind them.
const HOLDERS: [(&str, &str); 8] = [
    ("<script type=application/json>", "</script>"),
    ("<script type=application/ld+json>", "</script>"),
    ("<script type=application/json id=__NUXT_DATA__>", "</script>"),
    ("<script>window.__STATE__ = ", ";</script>"),
    ("<script>var state = JSON.parse(\"", "\")</script>"),
    ("<script>self.__next_f.push([1,\"", "\"])</script>"),
    ("<div data-props='", "'></div>"),
    ("<script>", "</script>"),
];

static PLACE: LazyLock<Url> =
    LazyLock::new(|| "https://a.test/posts/the-ferry-at-dawn".parse().expect("an address"));

fuzz_target!(|data: &[u8]| within_limits(data.len() + LENGTH, || {
    let Some((place, data)) = choice(data) else { return };
    let (before, after) = HOLDERS[usize::from(place) % HOLDERS.len()];
    let head = "<title>The ferry at dawn</title><div id=app></div>";
    let mut repeated = Vec::new();
    if place & 128 != 0
        && let [start, part, end] = parts(data, 3)[..]
        && !part.is_empty()
    {
        repeated = [start, &part.repeat(LENGTH / part.len()), end].concat();
    }
    let data = if repeated.is_empty() { data } else { &repeated };
    let html = [head.as_bytes(), before.as_bytes(), data, after.as_bytes()].concat();
    let page = Page::parse(&html, &PLACE, None);
    if let Some(found) = embedded(&page).found {
        let most = LARGEST.0 * html.len() + LARGEST.1;
        assert!(found.html.len() <= most, "{} bytes of {}", found.html.len(), html.len());
        let document = detectors().models.extract(page, &JoinOptions::default());
        check_document(&document, html.len());
    }
}));
