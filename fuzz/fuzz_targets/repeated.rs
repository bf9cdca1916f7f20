//! A long page of one part many times: what takes time or memory that grows faster than the page takes too long here.
//!
//! Input: one byte of options; what the page begins with, the part, and what the page ends with, with lines of `=====`
//! between them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tsugi::{Comments, JoinOptions, Page, Url};
use tsugi_fuzz::{choice, detectors, parts, within_limits, write_document};

const LENGTH: usize = 1 << 15;

fuzz_target!(|data: &[u8]| within_limits(data.len() + LENGTH, || {
    let Some((options, rest)) = choice(data) else { return };
    let [before, part, after] = parts(rest, 3)[..] else { return };
    if part.is_empty() {
        return;
    }
    let html = [before, &part.repeat(LENGTH / part.len()), after].concat();
    let url: Url = "https://a.test/story/1.html".parse().expect("an address");
    let comments = if options & 16 == 0 { Comments::Drop } else { Comments::Keep };
    let detector = if options & 1 == 0 { &detectors().rule } else { &detectors().models };
    let join = JoinOptions::default()
        .comments(comments)
        .links(options & 2 == 0)
        .images(options & 4 == 0)
        .tables(options & 8 == 0);
    let document = detector.extract(Page::parse(&html, &url, None), &join);
    write_document(&document, html.len());
}));
