//! What is measured of a page as a whole, one function each, so that profilers tell them apart by name. Each frees what
//! it made.

use crate::stages::{self, models::Models};
use std::hint::black_box;
use tsugi::scan::ScanLine;
use tsugi_page::{Response, oracle};

/// All else is relative to the first.
pub(crate) const WHOLES: [fn(&Models, &Response); 4] = [html5ever, parse, next, scan];

/// Decodes the page and reads it by html5ever's tokenizer and tree builder into our tree.
#[inline(never)]
fn html5ever(_: &Models, response: &Response) {
    let text = stages::decode(response);
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
