//! Getting pages, seen from outside.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod archive;
mod captures;
mod data;
mod http;
mod http_cache;
mod http_guard;
mod http_keep;
mod http_own;
mod http_polite;
mod kinds;
mod store;

use tsugi_page::{Response, Url};

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

fn response(at: &str, html: &str) -> Response {
    Response {
        url: url(at),
        status: 200,
        content_type: Some("text/html; charset=utf-8".into()),
        body: html.into(),
    }
}

/// Returns an answer with a page, in no stated charset.
fn page(text: &str) -> Vec<u8> {
    tsugi_testing::typed("text/html", format!("<p>{text}"))
}
