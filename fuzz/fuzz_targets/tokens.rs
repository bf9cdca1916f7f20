//! A page split into tokens by our tokenizer and by html5ever's, and the trees that both give.
//!
//! Input: one byte for where to start, one for the length of the pieces that html5ever is given, then the page.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use tsugi::{Page, Url};
use tsugi_fuzz::{choice, within_limits};
use tsugi_page::oracle::{StartState, page_of_html5ever, tokens, tokens_of_html5ever};

const NAMES: [&str; 6] = ["", "script", "title", "style", "h1", "x"];

static PLACE: LazyLock<Url> = LazyLock::new(|| "https://a.test/".parse().expect("an address"));

fuzz_target!(|data: &[u8]| within_limits(data.len(), || {
    let Some((start, rest)) = choice(data) else { return };
    let Some((length, html)) = choice(rest) else { return };
    let html = String::from_utf8_lossy(html);
    let (state, name) =
        (usize::from(start) % StartState::ALL.len(), usize::from(start) / StartState::ALL.len());
    let (state, name) = (StartState::ALL[state], NAMES[name % NAMES.len()]);
    assert_eq!(tokens(&html, state, name), tokens_of_html5ever(&pieces(&html, length), state, name));

    let (ours, theirs) = (Page::from_text(&html, &PLACE), page_of_html5ever(&html, &PLACE));
    // html5ever has no limits, keeps the prefixes of formulas, and takes a `thead` in a template for no section of a table.
    let lower = html.to_ascii_lowercase();
    if ours.notes() == theirs.notes() && ![":math", "shadowrootmode"].iter().any(|odd| lower.contains(odd)) {
        assert_eq!(
            ours.outer_html(tsugi::page::NodeId::DOCUMENT),
            theirs.outer_html(tsugi::page::NodeId::DOCUMENT)
        );
    }
}));

/// Cuts a page into pieces of about so many bytes; 0 does not cut.
fn pieces(html: &str, length: u8) -> Vec<&str> {
    let length = if length == 0 { html.len() } else { usize::from(length) };
    let mut pieces = Vec::new();
    let mut rest = html;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.ceil_char_boundary(length));
        pieces.push(piece);
        rest = after;
    }
    pieces
}
