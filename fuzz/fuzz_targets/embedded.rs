//! An article in the data of a page that shows nothing: found, drawn, and written in every format.
//!
//! Input: one byte that chooses where the data are, then the data.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use tsugi::{JoinOptions, Page, Url};
use tsugi_fuzz::{check_document, choice, detectors};
use tsugi_main_content::embedded;

/// The most bytes of an article in a few kilobytes of data, which may refer to the same text several times.
const LARGEST: usize = 1 << 20;

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

fuzz_target!(|data: &[u8]| {
    let Some((place, data)) = choice(data) else { return };
    let (before, after) = HOLDERS[usize::from(place) % HOLDERS.len()];
    let head = "<title>The ferry at dawn</title><div id=app></div>";
    let html = [head.as_bytes(), before.as_bytes(), data, after.as_bytes()].concat();
    let page = Page::parse(&html, &PLACE, None);
    if let Some(found) = embedded(&page) {
        assert!(found.html.len() <= LARGEST, "{} bytes of {}", found.html.len(), html.len());
        let document = detectors().models.extract(page, &JoinOptions::default());
        check_document(&document, html.len());
    }
});
