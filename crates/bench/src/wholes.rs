//! What is measured of a page as a whole, one function each, so that profilers tell them apart by name. Each frees what
//! it made.

use crate::made;
use crate::models::Models;
use std::hint::black_box;
use tsugi::JoinOptions;
use tsugi::scan::ScanLine;
use tsugi_page::{Response, charset, oracle};

/// All else is relative to the first.
pub const WHOLES: [fn(&Models, &Response); 5] = [html5ever, parse, next, scan, extract];

/// The text of a page, by the charset that it is in.
pub fn decode(response: &Response) -> String {
    let declared = response.content_type.as_deref().and_then(charset::from_content_type);
    let top = response.url.domain().and_then(|host| host.rsplit('.').next());
    charset::decode(&response.body, declared, top).text.into_owned()
}

/// Decodes the page and reads it by html5ever's tokenizer and tree builder into our tree.
#[inline(never)]
fn html5ever(_: &Models, response: &Response) {
    let text = decode(response);
    drop(black_box(oracle::page_of_html5ever(&text, &response.url)));
}

#[inline(never)]
fn parse(_: &Models, response: &Response) {
    drop(black_box(response.page()));
}

#[inline(never)]
fn next(models: &Models, response: &Response) {
    drop(black_box(models.tsugi.look(&response.page()).next().cloned()));
}

#[inline(never)]
fn scan(models: &Models, response: &Response) {
    let page = response.page();
    let line = ScanLine::of(&models.tsugi.look(&page));
    drop(black_box(serde_json::to_string(&line)));
}

#[inline(never)]
fn extract(models: &Models, response: &Response) {
    drop(black_box(models.tsugi.extract_text(response.page(), &JoinOptions::default())));
}

/// Runs every whole once on every page. What is made once for all pages is made before.
pub fn run(pages: &[Response]) {
    let models = Models::load();
    // Splits are sorted when a model has scored enough rows; a second look scores few on a page.
    let many = made::responses("short").unwrap_or_default();
    for response in std::iter::repeat_n(&many, 16).flatten().chain(pages) {
        drop(black_box(ScanLine::of(&models.tsugi.look(&response.page()))));
    }
    for response in pages {
        for whole in &WHOLES {
            whole(&models, response);
        }
    }
}
