//! The kinds of records that other programs write: what is read, what is refused by name, and what holds no page.

use crate::{gzip, record, stored, text};
use data_encoding::HEXLOWER;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use sha1::{Digest, Sha1};
use std::path::Path;
use tsugi_fetch::{Archive, ArchiveError, Captures, Fetch, chain, looks_like_archive, records};

/// A response of `https://a.test/1` with further headers of HTTP.
fn response(headers: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    response_with("", headers, body)
}

/// The same with further lines in the head of the record.
fn response_with(lines: &str, headers: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{headers}\r\n");
    let lines = format!(
        "WARC-Type: response\nWARC-Target-URI: https://a.test/1\nWARC-Date: 2026-01-02T03:04:05Z\n\
         Content-Type: application/http; msgtype=response\n{lines}"
    );
    record(&lines, [head.as_bytes(), body.as_ref()].concat())
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

fn chunked(bytes: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n0\r\n\r\n"].concat()
}

fn sha1(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha1::digest(bytes))
}

/// What reading in order gives: `address: text`, `address! why it is no page`, or `! what is wrong`.
fn said(path: &Path) -> Vec<String> {
    let say = |record| match record {
        Ok(tsugi_fetch::Record { target, response: Ok(page), .. }) => format!("{target}: {}", text(&page)),
        Ok(tsugi_fetch::Record { target, response: Err(error), .. }) => {
            format!("{target}! {}", chain(&error))
        }
        Err(problem) => format!("! {problem}"),
    };
    records(path).unwrap().map(say).collect()
}

/// The head of a response.
const HEAD: &str = "WARC-Type: response\nWARC-Target-URI: https://a.test/1";
const HTML: &str = "<p>one";
const PAGE: &[&str] = &["https://a.test/1: one"];
const NOTHING: &[&str] = &[];

/// One kind of record: its name, archives that hold one, and what reading them gives.
type ArchiveCase = (&'static str, Vec<Vec<u8>>, &'static [&'static str]);

/// Kinds 1 to 6: responses by their heads.
fn heads() -> Vec<ArchiveCase> {
    let of_version = |version: &str| {
        let record = String::from_utf8(response("", HTML)).unwrap();
        record.replace("WARC/1.0", version).into_bytes()
    };
    vec![
        ("a response", vec![response("", HTML), gzip(&response("", HTML))], PAGE),
        ("of WARC 0.17, 0.18, 1.1", ["WARC/0.17", "WARC/0.18", "WARC/1.1"].map(of_version).into(), PAGE),
        (
            "its address in angle brackets, as wget writes it",
            vec![record(
                "WARC-Type: response\nWARC-Target-URI: <https://a.test/1>\nContent-Type: application/http;msgtype=response",
                format!("HTTP/1.1 200 OK\r\n\r\n{HTML}"),
            )],
            PAGE,
        ),
        (
            "names in other letters, and folded lines",
            vec![record(
                "warc-type: RESPONSE\nWARC-TARGET-URI:\n\thttps://a.test/1",
                format!("HTTP/1.1 200 OK\r\nCONTENT-TYPE:\r\n text/html\r\n\r\n{HTML}"),
            )],
            PAGE,
        ),
        (
            "HTTP/2, and a status without a phrase, as Browsertrix writes it",
            ["HTTP/2 200", "HTTP/2.0 200", "HTTP/1.1 200", "HTTP/1.1 200 "]
                .map(|line| record(HEAD, format!("{line}\r\ncontent-type: text/html\r\n\r\n{HTML}")))
                .into(),
            PAGE,
        ),
        (
            "lines that end in LF",
            vec![record(HEAD, format!("HTTP/1.0 200 OK\nContent-Type: text/html\n\n{HTML}"))],
            PAGE,
        ),
    ]
}

/// Kinds 7 to 13: responses by their bodies.
fn bodies() -> Vec<ArchiveCase> {
    let twice = "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n";
    let raw = chunked(&gzip(HTML.as_bytes()));
    let payload = |bytes: &[u8]| format!("WARC-Payload-Digest: sha1:{}", sha1(bytes));
    let gzip_chunks = "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n";
    vec![
        (
            "a `Content-Length` that is not that of the body",
            ["3", "600", "-1", "x"]
                .map(|length| response(&format!("Content-Length: {length}\r\n"), HTML))
                .into(),
            PAGE,
        ),
        (
            "a body as it travelled: in chunks, compressed",
            vec![
                response(gzip_chunks, &raw),
                response("Transfer-Encoding: chunked\r\n", [b"6;x\r\n", HTML.as_bytes()].concat()),
                response("Content-Encoding: zstd\r\n", zstd(HTML.as_bytes())),
                response(twice, gzip(&gzip(HTML.as_bytes()))),
            ],
            PAGE,
        ),
        (
            "a body that was unpacked, though its head says otherwise",
            ["gzip", "br", "zstd", "deflate", "utf-8", "gzip, br"]
                .map(|coding| response(&format!("Content-Encoding: {coding}\r\n"), HTML))
                .into_iter()
                .chain([
                    response("Transfer-Encoding: chunked\r\n", HTML),
                    response(gzip_chunks, HTML),
                    response(gzip_chunks, gzip(HTML.as_bytes())),
                    response(twice, gzip(HTML.as_bytes())),
                ])
                .collect(),
            PAGE,
        ),
        (
            "a payload's digest of the body as sent, without its chunks, or unpacked",
            [&raw, &gzip(HTML.as_bytes()), HTML.as_bytes()]
                .map(|bytes| response_with(&payload(bytes), gzip_chunks, &raw))
                .into(),
            PAGE,
        ),
        (
            "truncated, its payload's digest that of the whole",
            vec![response_with(&format!("WARC-Truncated: length\n{}", payload(b"<p>one, two")), "", HTML)],
            PAGE,
        ),
        (
            "a redirect, an error, an image",
            vec![
                [
                    record(HEAD, "HTTP/1.1 301 Moved\r\nLocation: /2\r\n\r\n"),
                    record(HEAD, "HTTP/1.1 404 Not Found\r\n\r\n"),
                    record(HEAD, "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x01PNG"),
                ]
                .concat(),
            ],
            &[
                "https://a.test/1! `https://a.test/1` answered with status 301",
                "https://a.test/1! `https://a.test/1` answered with status 404",
                "https://a.test/1! `https://a.test/1` is image/png, not a web page",
            ],
        ),
        (
            "an image of a page, as Browsertrix marks it",
            vec![response_with("WARC-Resource-Type: image", "", b"\x89PNG")],
            NOTHING,
        ),
    ]
}

/// Kinds 14 to 20: what stands in place of a response.
fn others() -> Vec<ArchiveCase> {
    let at = |kind: &str, at: &str, lines: &str, block: &str| {
        record(&format!("WARC-Type: {kind}\nWARC-Target-URI: {at}\n{lines}"), block)
    };
    let revisit = |to: &str, lines: &str| {
        let profile = "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest";
        at("revisit", to, &format!("WARC-Date: 2026-01-03T00:00:00Z\nWARC-Profile: {profile}\n{lines}"), "")
    };
    let one = response_with("WARC-Payload-Digest: sha1:MSUZ7UE6YJT5IN7DIXLSN5BKGX62NBFL", "", HTML);
    let named = "WARC-Refers-To-Target-URI: https://a.test/1\nWARC-Refers-To-Date: 2026-01-02T03:04:05Z";
    let by_digest = "WARC-Payload-Digest: sha1:MSUZ7UE6YJT5IN7DIXLSN5BKGX62NBFL";
    vec![
        (
            "a resource, as warcit writes it",
            vec![at("resource", "https://a.test/1", "Content-Type: text/html", HTML)],
            PAGE,
        ),
        (
            "a resource outside the web: texts and views of Browsertrix, files",
            vec![[
                at("resource", "urn:text:https://a.test/1", "Content-Type: text/plain", "one"),
                at("resource", "urn:thumbnail:https://a.test/1", "Content-Type: image/jpeg", "\x01"),
                at("resource", "file:///home/a/1.html", "Content-Type: text/html", HTML),
            ]
            .concat()],
            &[
                "urn:text:https://a.test/1! `urn:text:https://a.test/1` has the scheme `urn`; only http and https can be fetched",
                "urn:thumbnail:https://a.test/1! `urn:thumbnail:https://a.test/1` has the scheme `urn`; only http and https can be fetched",
                "file:///home/a/1.html! `file:///home/a/1.html` has the scheme `file`; only http and https can be fetched",
            ],
        ),
        (
            "a conversion: texts of Common Crawl",
            vec![at("conversion", "https://a.test/1", "Content-Type: text/plain", "one")],
            PAGE,
        ),
        (
            "a revisit to another address",
            vec![
                [one.clone(), revisit("https://a.test/2", named)].concat(),
                [one.clone(), revisit("https://a.test/2", by_digest)].concat(),
                [one.clone(), revisit("https://a.test/2", &named.replace("https://a.test/1", "<https://a.test/1>"))].concat(),
            ],
            &["https://a.test/1: one", "https://a.test/2: one"],
        ),
        (
            "a revisit that comes before what it refers to, as in merged archives",
            vec![[revisit("https://a.test/2", named), one.clone()].concat()],
            &["https://a.test/1: one", "https://a.test/2: one"],
        ),
        (
            "a revisit of the same page: equal, or not modified",
            vec![
                [one.clone(), revisit("https://a.test/1", by_digest)].concat(),
                [
                    one.clone(),
                    at(
                        "revisit",
                        "https://a.test/1",
                        "WARC-Date: 2026-01-03T00:00:00Z\nWARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified",
                        "HTTP/1.1 304 Not Modified\r\n\r\n",
                    ),
                ]
                .concat(),
            ],
            PAGE,
        ),
        (
            "a revisit of what is not there",
            vec![[revisit("https://a.test/2", named), revisit("https://a.test/3", by_digest)].concat()],
            &[
                "https://a.test/2! `https://a.test/2` is stored as a revisit of `https://a.test/1`, which is not in the archive",
                "https://a.test/3! `https://a.test/3` is stored as a revisit of an earlier answer, which is not in the archive",
            ],
        ),
    ]
}

/// Kinds 21 to 26: what holds no page, and what is not read.
fn no_pages() -> Vec<ArchiveCase> {
    vec![
        (
            "the archive, a request, facts about a page",
            vec![[
                record("WARC-Type: warcinfo\nContent-Type: application/warc-fields", "software: x"),
                record("WARC-Type: request\nWARC-Target-URI: https://a.test/1", "GET /1 HTTP/1.1\r\n\r\n"),
                record("WARC-Type: metadata\nWARC-Target-URI: https://a.test/1\nContent-Type: application/warc-fields", "fetchTimeMs: 9"),
                record("WARC-Type: metadata\nWARC-Target-URI: metadata://gnu.org/software/wget/warc/MANIFEST.txt", "<urn:uuid:1>"),
            ]
            .concat()],
            NOTHING,
        ),
        (
            "answers of name servers, and the log of wget",
            vec![[
                record("WARC-Type: response\nWARC-Target-URI: dns:a.test\nContent-Type: text/dns", "a.test. 60 IN A 192.0.2.1"),
                record("WARC-Type: resource\nWARC-Target-URI: <metadata://gnu.org/software/wget/warc/wget.log>\nContent-Type: text/plain", ""),
            ]
            .concat()],
            NOTHING,
        ),
        (
            "segments",
            vec![
                record(&format!("{HEAD}\nWARC-Segment-Number: 1"), "HTTP/1.1 200 OK\r\n\r\n<p>o"),
                record("WARC-Type: continuation\nWARC-Target-URI: https://a.test/1\nWARC-Segment-Number: 2", "ne"),
            ],
            &["! record at byte 0: `https://a.test/1` is stored in segments, which are not joined"],
        ),
        (
            "a type that the format does not have",
            vec![record("WARC-Type: screenshot\nWARC-Target-URI: https://a.test/1", "x")],
            &["! record at byte 0: header `WARC-Type` is `screenshot`, expected a type of WARC 1.1"],
        ),
        (
            "a response without a head",
            vec![record(HEAD, HTML)],
            &["! record at byte 0: not an HTTP response: it starts with `<p>one`, expected `HTTP/`"],
        ),
        (
            "bytes that do not fit their digest",
            vec![
                record(&format!("{HEAD}\nWARC-Block-Digest: md5:00000000000000000000000000000000"), "one"),
            ],
            &["! record at byte 0: `https://a.test/1` is damaged: its bytes have the digest \
               `md5:f97c5d29941bfb1b2fdab0874906ab82`, but `WARC-Block-Digest` is \
               `md5:00000000000000000000000000000000`"],
        ),
    ]
}

#[test]
fn each_kind_is_read_or_refused_by_name() {
    let cases = [heads(), bodies(), others(), no_pages()].concat();
    assert_eq!(cases.len(), 26);
    for (name, archives, expected) in cases {
        for (number, bytes) in archives.iter().enumerate() {
            let (_folder, path) = stored("a.warc", bytes);
            assert_eq!(said(&path), expected, "{name}, archive {number}");
            let archive = Archive::open(&path).unwrap();
            for line in expected {
                let Some((at, shown)) = line.split_once(": ").filter(|(at, _)| at.starts_with("https:"))
                else {
                    continue;
                };
                let Ok(url) = at.parse() else { continue };
                let page = archive.fetch(&url).unwrap();
                assert_eq!(
                    (page.url.as_str(), text(&page).as_str()),
                    (at, shown),
                    "{name}, archive {number}"
                );
            }
        }
    }
}

#[test]
fn an_archive_names_what_a_revisit_lacks() {
    let revisit = record(
        "WARC-Type: revisit\nWARC-Target-URI: https://a.test/2\nWARC-Refers-To-Target-URI: https://b.test/",
        "",
    );
    let (_folder, path) = stored("a.warc", [response("", HTML), revisit].concat());
    let archive = Archive::open(&path).unwrap();
    let refused = archive.fetch(&"https://a.test/2".parse().unwrap()).unwrap_err();
    assert_eq!(
        (refused.word(), refused.to_string().as_str()),
        (
            "not-stored",
            "`https://a.test/2` is stored as a revisit of `https://b.test/`, which is not in the archive"
        )
    );
    assert_eq!(archive.len(), 2);
}

#[test]
fn a_conversion_gives_way_to_the_page() {
    let head = "WARC-Type: conversion\nWARC-Target-URI: https://a.test/1\nWARC-Date: 2026-01-01T00:00:00Z\nContent-Type: text/plain";
    let (_folder, path) = stored("a.warc", [record(head, "made"), response("", HTML)].concat());
    let url = "https://a.test/1".parse().unwrap();
    assert_eq!(text(&Archive::open(&path).unwrap().fetch(&url).unwrap()), "one");
    let captures = Captures::open(&path).unwrap();
    assert_eq!(captures.of(&url).len(), 1);
}

#[test]
fn other_formats_are_refused_by_name() {
    let arc = b"filedesc://a.arc 0.0.0.0 20260102030405 text/plain 73\n1 0 Internet Archive\n";
    let zstd_with_dictionary = [&b"\x5d\x2a\x4d\x18\x03\0\0\0abc"[..], &zstd(&response("", HTML))].concat();
    for (name, bytes, what) in [
        ("a.arc", arc.to_vec(), "an ARC file"),
        ("a.arc.gz", gzip(arc), "an ARC file"),
        ("a.wacz", b"PK\x03\x04\x14\0".to_vec(), "a ZIP file"),
        ("a.warc.zst", zstd(&response("", HTML)), "compressed by Zstandard"),
        ("a.warc.zst", zstd_with_dictionary, "compressed by Zstandard"),
    ] {
        let (_folder, path) = stored(name, &bytes);
        assert!(looks_like_archive(&path).unwrap(), "{name}");
        let refusals = [
            Archive::open(&path).unwrap_err(),
            Captures::open(&path).unwrap_err(),
            records(&path).unwrap_err(),
        ];
        for refused in refusals {
            assert!(
                matches!(&refused, ArchiveError::Format { what: found, .. } if *found == what),
                "{refused}"
            );
            assert!(refused.to_string().contains(name), "{refused}");
        }
    }
    let (_folder, path) = stored("a.html", HTML);
    assert!(!looks_like_archive(&path).unwrap());
}

/// Archives of two pages of our own, written by the tools themselves.
#[test]
fn archives_of_the_tools_are_read() {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/tools");
    for (name, expected) in [
        (
            "wget.warc.gz",
            &[
                "http://127.0.0.1:8765/index.html: ",
                "http://127.0.0.1:8765/sub/: ",
                "http://127.0.0.1:8765/i.png! ",
                "http://127.0.0.1:8765/same.html: ",
            ][..],
        ),
        (
            "warcit.warc.gz",
            &[
                "http://ex.test/same.html: ",
                "http://ex.test/index.html: ",
                "http://ex.test/i.png! ",
                "http://ex.test/sub/index.html: ",
            ],
        ),
        (
            "warcio.warc.gz",
            &[
                "http://127.0.0.1:8765/chunk.html: ",
                "http://127.0.0.1:8765/sub/: ",
                "http://a.test/text: ",
                "urn:text:http://a.test/! ",
                "http://a.test/again! ",
            ],
        ),
    ] {
        let lines = said(&tools.join(name));
        assert_eq!(lines.len(), expected.len(), "{name}: {lines:#?}");
        for (line, expected) in lines.iter().zip(expected) {
            assert!(line.starts_with(expected), "{name}: {line}, expected {expected}");
        }
    }
    let archive = Archive::open(&tools.join("warcit.warc.gz")).unwrap();
    let page = archive.fetch(&"http://ex.test/sub/".parse().unwrap()).unwrap();
    assert_eq!((page.url.as_str(), text(&page).contains("page two")), ("http://ex.test/sub/", true));
}
