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

use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;
use tsugi_fetch::{Guard, Http, HttpOptions};
use tsugi_page::{NodeId, Response, Url};

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

fn response(at: &str, html: &str) -> Response {
    Response {
        url: url(at),
        status: 200,
        content_type: Some("text/html; charset=utf-8".into()),
        link: None,
        body: html.into(),
    }
}

/// Returns an answer with a page, in no stated charset.
fn page(text: &str) -> Vec<u8> {
    tsugi_testing::typed("text/html", format!("<p>{text}"))
}

/// The options of a client that may ask our servers, without a pause.
fn options() -> HttpOptions {
    HttpOptions::new("tsugi-test")
        .proxy(false)
        .guard(Guard::public().and("127.0.0.1".parse().unwrap()))
        .delay(Duration::ZERO)
        .back_off(Duration::from_millis(1))
}

fn http(change: impl FnOnce(&mut HttpOptions)) -> Http {
    let mut options = options();
    change(&mut options);
    Http::new(options).unwrap()
}

fn today() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_hours(500_000)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A record of an archive: lines of its head, and its block. The length is that of the block unless the head has one.
fn record(head: &str, block: impl AsRef<[u8]>) -> Vec<u8> {
    let block = block.as_ref();
    let own = format!("\nContent-Length: {}", block.len());
    let length = if head.contains("Content-Length: ") { "" } else { &own };
    let head = format!("WARC/1.0\n{}{length}\n\n", head.trim_end()).replace('\n', "\r\n");
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// A file in a folder that goes with the test.
fn stored(name: &str, bytes: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn text(response: &Response) -> String {
    response.page().text(NodeId::DOCUMENT)
}
