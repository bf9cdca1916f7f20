//! Captures of an archive, in time.

use crate::{stored, text, url};
use tempfile::TempDir;
use tsugi_fetch::{Capture, Captures};

fn record(kind: &str, url: &str, fields: &[&str], block: &str) -> Vec<u8> {
    crate::record(&format!("WARC-Type: {kind}\nWARC-Target-URI: {url}\n{}", fields.join("\n")), block)
}

fn response(url: &str, date: &str, text: &str) -> Vec<u8> {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{text}");
    record("response", url, &[&format!("WARC-Date: {date}"), &format!("WARC-Payload-Digest: {text}")], &block)
}

fn opened(records: &[Vec<u8>]) -> (Captures, TempDir) {
    let (folder, path) = stored("a.warc", records.concat());
    (Captures::open(&path).unwrap(), folder)
}

/// The times of the captures of an address, and what each shows.
fn shown(captures: &Captures, url: &str) -> Vec<(String, String)> {
    let show = |capture: &Capture| {
        let text = captures.read(capture).map_or_else(|error| error.to_string(), |read| text(&read));
        (capture.at.to_string()[..10].to_owned(), text)
    };
    captures.of(&crate::url(url)).iter().map(show).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(at, text)| ((*at).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn captures_come_in_the_order_of_time() {
    let (captures, _file) = opened(&[
        response("https://a.test/1", "2026-11-03T00:00:00Z", "three"),
        response("https://a.test/2", "2026-11-01T00:00:00Z", "other"),
        response("http://www.a.test/1", "2026-11-01T00:00:00Z", "one"),
        response("https://a.test/robots.txt", "2026-11-01T00:00:00Z", "robots"),
        response("https://a.test/1", "2026-11-02", "two"),
    ]);
    let expected = pairs(&[("2026-11-01", "one"), ("2026-11-02", "two"), ("2026-11-03", "three")]);
    assert_eq!(shown(&captures, "https://a.test/1"), expected);
    let urls: Vec<_> = captures.pages().map(|(url, captures)| (url.as_str(), captures.len())).collect();
    assert_eq!(urls, [("https://a.test/1", 3), ("https://a.test/2", 1)]);
    assert!(captures.of(&url("https://a.test/3")).is_empty());
}

#[test]
fn revisits_have_the_body_that_they_refer_to() {
    let url = "https://a.test/1";
    let revisit = |date: &str, fields: &[&str]| {
        let date = format!("WARC-Date: {date}");
        let head = "HTTP/1.1 304 Not Modified\r\nLast-Modified: Sun, 01 Nov 2026 10:00:00 GMT\r\n\r\n";
        record("revisit", url, &[&[date.as_str()], fields].concat(), head)
    };
    let (captures, _file) = opened(&[
        revisit("2026-11-07T00:00:00Z", &["WARC-Payload-Digest: late"]),
        response(url, "2026-11-01T00:00:00Z", "one"),
        response(url, "2026-11-03T00:00:00Z", "two"),
        response("https://b.test/", "2026-11-03T00:00:00Z", "elsewhere"),
        revisit("2026-11-02T00:00:00Z", &[]),
        revisit("2026-11-04T00:00:00Z", &["WARC-Payload-Digest: one"]),
        revisit(
            "2026-11-05T00:00:00Z",
            &[
                "WARC-Payload-Digest: one",
                "WARC-Refers-To-Target-URI: <https://b.test/>",
                "WARC-Refers-To-Date: 2026-11-03T00:00:00Z",
            ],
        ),
        revisit("2026-11-06T00:00:00Z", &["WARC-Refers-To-Date: 2020-01-01T00:00:00Z"]),
        revisit("2026-10-01T00:00:00Z", &[]),
        response("https://c.test/", "2026-11-08T00:00:00Z", "late"),
    ]);
    let expected = pairs(&[
        ("2026-11-01", "one"),
        ("2026-11-02", "one"),
        ("2026-11-03", "two"),
        ("2026-11-04", "one"),
        ("2026-11-05", "elsewhere"),
        ("2026-11-07", "late"),
    ]);
    assert_eq!(shown(&captures, url), expected);
    assert_eq!(captures.orphans(), 2, "one refers to what is not held, one to what was before all");
    let second = &captures.of(&crate::url(url))[1];
    assert!(second.revisit);
    assert_eq!(second.last_modified.unwrap().to_string(), "2026-11-01T10:00:00Z");
}

#[test]
fn what_is_no_page_says_why() {
    let gone = "HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>no";
    let (captures, _file) = opened(&[
        record("response", "https://a.test/1", &["WARC-Date: 2026-11-01T00:00:00Z"], gone),
        record("response", "https://a.test/1", &["WARC-Date: soon"], gone),
        record("response", "https://a.test/1", &[], gone),
        record("response", "https://a.test/1", &["WARC-Date: \u{1b}[31mred"], gone),
    ]);
    let shown = shown(&captures, "https://a.test/1");
    assert!(shown.len() == 1 && shown[0].1.contains("404"), "{shown:?}");
    let problems: Vec<String> = captures.problems().iter().map(ToString::to_string).collect();
    assert!(problems.len() == 3 && problems[0].contains("`WARC-Date` is `soon`"), "{problems:?}");
    assert!(problems[2].contains("[31mred") && !problems[2].contains('\u{1b}'), "{problems:?}");
}
