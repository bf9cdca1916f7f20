//! Archives: round trips, damage, and what stands in stored responses.

use crate::{response, url};
use flate2::{Compression, write::GzEncoder};
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use tempfile::TempDir;
use tsugi_fetch::{
    Archive, ArchiveError, ArchiveProblem, ArchiveWriter, Fetch, FetchError, Flaw, Record, records,
};
use tsugi_page::{NodeId, Response};

const DATE: &str = "2026-01-02T03:04:05Z";

fn stored(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pages.warc.gz");
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn read(bytes: &[u8]) -> (Vec<Record>, Vec<ArchiveProblem>) {
    let (_folder, path) = stored(bytes);
    let (mut held, mut problems) = (Vec::new(), Vec::new());
    for record in records(&path).unwrap() {
        match record {
            Ok(record) => held.push(record),
            Err(problem) => problems.push(problem),
        }
    }
    (held, problems)
}

fn page(number: usize) -> Response {
    response(&format!("https://a.test/{number}"), &format!("<p>page {number}, {}", "x".repeat(number * 10)))
}

/// `count` pages, and where each member starts.
fn compressed(count: usize) -> (Vec<u8>, Vec<usize>) {
    let mut writer = ArchiveWriter::new(Vec::new());
    let mut bytes = Vec::new();
    let mut starts = Vec::new();
    for number in 1..=count {
        starts.push(bytes.len());
        writer.write(&page(number), DATE).unwrap();
        bytes = writer.finish().unwrap();
        writer = ArchiveWriter::new(bytes.clone());
    }
    (bytes, starts)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A record, uncompressed.
fn record(at: &str, block: &[u8]) -> Vec<u8> {
    record_of(
        &format!("WARC-Type: response\r\nWARC-Target-URI: {at}\r\nContent-Length: {}", block.len()),
        block,
    )
}

fn record_of(headers: &str, block: &[u8]) -> Vec<u8> {
    let mut record = format!("WARC/1.0\r\n{headers}\r\n\r\n").into_bytes();
    record.extend_from_slice(block);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

fn html(text: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{text}").into_bytes()
}

fn plain(count: usize) -> (Vec<u8>, Vec<usize>) {
    let mut bytes = Vec::new();
    let mut starts = Vec::new();
    for number in 1..=count {
        starts.push(bytes.len());
        bytes.extend(record(&format!("https://a.test/{number}"), &html(&format!("page {number}"))));
    }
    (bytes, starts)
}

fn paths(held: &[Record]) -> Vec<&str> {
    held.iter().map(|record| record.url.path()).collect()
}

#[test]
fn what_is_written_reads_back() {
    let (bytes, starts) = compressed(3);
    let (held, problems) = read(&bytes);
    assert!(problems.is_empty());
    let offsets: Vec<_> = held.iter().map(|record| usize::try_from(record.offset).unwrap()).collect();
    assert_eq!(offsets, starts);
    for (number, record) in held.into_iter().enumerate() {
        assert_eq!(record.response.unwrap(), page(number + 1));
    }
    let (_folder, path) = stored(&bytes);
    let archive = Archive::open(&path).unwrap();
    assert_eq!((archive.len(), archive.is_empty(), archive.problems()), (3, false, &[][..]));
    assert!(archive.urls().map(tsugi_page::Url::path).eq(["/1", "/2", "/3"]));
    for number in [3, 1, 2] {
        assert_eq!(archive.fetch(&page(number).url).unwrap(), page(number));
    }
}

#[test]
fn equal_pages_give_equal_archives() {
    assert_eq!(compressed(3).0, compressed(3).0);
    let mut writer = ArchiveWriter::new(Vec::new());
    assert!(writer.write(&page(1), "yesterday").is_err());
}

#[test]
fn an_archive_cut_anywhere_keeps_what_stands_before() {
    for (bytes, starts) in [compressed(3), plain(3)] {
        for cut in 0..bytes.len() {
            let (held, problems) = read(&bytes[..cut]);
            let ends = starts[1..].iter().copied().chain([bytes.len()]);
            let whole = ends.filter(|end| *end <= cut).count();
            // Of plain records the last 4 bytes, two line ends, are not missed.
            assert!(held.len() == whole || (starts.contains(&0) && held.len() == whole + 1), "cut at {cut}");
            for (number, record) in held.iter().enumerate() {
                assert_eq!(record.url.path(), format!("/{}", number + 1));
                assert!(record.response.is_ok());
            }
            assert!(problems.len() <= 1, "cut at {cut}: {problems:?}");
            for problem in &problems {
                assert_eq!(problem.flaw, Flaw::CutOff, "cut at {cut}");
                assert!(starts.contains(&usize::try_from(problem.offset).unwrap()), "cut at {cut}");
            }
            let (_folder, path) = stored(&bytes[..cut]);
            let archive = Archive::open(&path).unwrap();
            assert_eq!((archive.len(), archive.problems()), (held.len(), problems.as_slice()));
        }
    }
}

#[test]
fn damage_in_the_middle_costs_one_record() {
    let (whole, starts) = compressed(3);
    // Each byte of the second member, turned over.
    for at in starts[1]..starts[2] {
        let mut bytes = whole.clone();
        bytes[at] ^= 0xff;
        let (held, problems) = read(&bytes);
        let found = paths(&held);
        assert!(found == ["/1", "/3"] || found == ["/1", "/2", "/3"], "byte {at}: {found:?}, {problems:?}");
        if found.len() == 2 {
            assert_eq!(problems[0].offset, starts[1] as u64, "byte {at}: {problems:?}");
        }
    }
    // The same member with bytes missing.
    let mut bytes = whole.clone();
    bytes.drain(starts[1] + 30..starts[1] + 60);
    let (held, problems) = read(&bytes);
    assert_eq!((paths(&held), problems.len()), (vec!["/1", "/3"], 1));
}

#[test]
fn lengths_that_lie_cost_one_record() {
    let lie = |length: &str| {
        record_of(
            &format!("WARC-Type: response\r\nWARC-Target-URI: https://a.test/2\r\nContent-Length: {length}"),
            &html("two"),
        )
    };
    let one = record("https://a.test/1", &html("one"));
    let three = record("https://a.test/3", &html("three"));
    for length in ["3", "60", "100000", "18446744073709551615", "99999999999999999999", "-1", "x", ""] {
        for packed in [false, true] {
            let records = [one.clone(), lie(length), three.clone()];
            let packed_records =
                records.iter().map(|record| if packed { gzip(record) } else { record.clone() });
            let bytes: Vec<u8> = packed_records.flatten().collect();
            let (held, problems) = read(&bytes);
            assert_eq!(paths(&held), ["/1", "/3"], "{length}, packed {packed}: {problems:?}");
            assert_eq!(problems.len(), 1, "{length}, packed {packed}: {problems:?}");
        }
    }
}

#[test]
fn a_length_is_no_allocation() {
    let headers = "WARC-Type: response\r\nWARC-Target-URI: https://a.test/\r\nContent-Length: 68719476736";
    let (held, problems) = read(&record_of(headers, b"short"));
    assert!(held.is_empty());
    assert_eq!(problems[0].flaw, Flaw::TooLong { length: 1 << 36 });
    assert_eq!(
        problems[0].to_string(),
        "record at byte 0: 68719476736 bytes long, expected at most 67108864"
    );
}

/// Either digest alone tells damage; what comes after is read.
#[test]
fn bytes_that_do_not_fit_a_digest_are_no_page() {
    let head = "WARC-Type: response\r\nWARC-Target-URI: https://a.test/2";
    let [one, three] = ["1", "3"].map(|number| record(&format!("https://a.test/{number}"), &html(number)));
    // SHA-1 of `<p>two`, and of the whole block.
    let (payload, block) =
        ("sha1:39ed49933378afcb0dbb7dc5fc5b3fb2b5ad5643", "sha1:12c3c06b7b44a63043d74bb89e10c45df762a76a");
    for name in ["WARC-Payload-Digest", "WARC-Block-Digest"] {
        let declared = if name == "WARC-Block-Digest" { block } else { payload };
        for (text, is_whole) in [("two", true), ("twO", false)] {
            let block = html(text);
            let headers = format!("{head}\r\n{name}: {declared}\r\nContent-Length: {}", block.len());
            let two = record_of(&headers, &block);
            for bytes in [[&one[..], &two, &three].concat(), [gzip(&one), gzip(&two), gzip(&three)].concat()]
            {
                let (held, problems) = read(&bytes);
                let expected = if is_whole { vec!["/1", "/2", "/3"] } else { vec!["/1", "/3"] };
                assert_eq!(paths(&held), expected, "{name}: {problems:?}");
                let (_folder, path) = stored(&bytes);
                let archive = Archive::open(&path).unwrap();
                assert_eq!(archive.problems(), problems);
                assert_eq!(archive.fetch(&url("https://a.test/2")).is_ok(), is_whole);
                if !is_whole {
                    let Flaw::Digest { target, name: found, .. } = &problems[0].flaw else {
                        panic!("{problems:?}")
                    };
                    assert_eq!((target.as_str(), *found), ("https://a.test/2", name));
                }
            }
        }
    }
}

#[test]
fn no_password_of_a_stored_address_is_read_or_told() {
    let at = "https://user:secret@a.test/";
    let headers = |kind: &str, more: &str| format!("WARC-Type: {kind}\r\nWARC-Target-URI: {at}{kind}{more}");
    let bytes = [
        record(&format!("{at}page"), &html("one")),
        record_of(&headers("continuation", "\r\nContent-Length: 1"), b"x"),
        record_of(&headers("response", "\r\nWARC-Block-Digest: md5:00\r\nContent-Length: 1"), b"x"),
        record(&format!("{at}missing"), b"HTTP/1.1 404 Not Found\r\n\r\n"),
        record_of(
            &headers("revisit", &format!("\r\nWARC-Refers-To-Target-URI: {at}other\r\nContent-Length: 0")),
            b"",
        ),
    ];
    let (held, problems) = read(&bytes.concat());
    assert_eq!((held.len(), problems.len()), (3, 2), "{held:?} {problems:?}");
    assert_eq!(held[0].target, "https://a.test/page");
    assert!(held[2].response.as_ref().unwrap_err().to_string().contains("https://a.test/other"));
    let told: String = problems.iter().map(ToString::to_string).collect();
    assert!(!format!("{held:?} {problems:?} {told}").contains("secret"), "{held:?} {told}");
}

#[test]
fn bad_heads_are_told_and_passed_over() {
    let good = record("https://a.test/", &html("good"));
    let length = html("x").len();
    let bad = [
        record("no address", &html("x")),
        record_of(&format!("WARC-Type: response\r\nContent-Length: {length}"), &html("x")),
        record("https://a.test/x", b"<html>no head"),
        record("https://a.test/x", b"HTTP/1.1 fine\r\n\r\n"),
        record("https://a.test/x", b""),
    ];
    for bad in bad {
        let (held, problems) = read(&[good.clone(), bad, good.clone()].concat());
        assert_eq!((held.len(), problems.len()), (2, 1), "{problems:?}");
        assert_eq!(problems[0].offset, good.len() as u64);
    }
    let garbage = [good.clone(), b"garbage, and more of it\n".to_vec(), good.clone()].concat();
    let (held, problems) = read(&garbage);
    assert_eq!((held.len(), problems.len(), &problems[0].flaw), (2, 1, &Flaw::NotARecord));
}

#[test]
fn other_records_are_passed_over() {
    let bytes = [
        record_of("WARC-Type: warcinfo\r\nContent-Length: 3", b"a:b"),
        record_of("WARC-Type: request\r\nWARC-Target-URI: https://a.test/\r\nContent-Length: 5", b"GET /"),
        record_of("WARC-Type: response\r\nWARC-Target-URI: dns:a.test\r\nContent-Length: 4", b"1234"),
        record("<https://a.test/1#top>", &html("one")),
    ]
    .concat();
    for bytes in [bytes.clone(), gzip(&bytes)] {
        let (held, problems) = read(&bytes);
        assert_eq!((paths(&held), problems), (vec!["/1"], Vec::new()));
        assert_eq!(held[0].url.as_str(), "https://a.test/1");
    }
}

#[test]
fn a_member_may_hold_many_records() {
    let (bytes, _) = plain(3);
    let (_folder, path) = stored(&gzip(&bytes));
    let archive = Archive::open(&path).unwrap();
    assert_eq!(archive.problems(), []);
    for number in [2, 3, 1] {
        let found = archive.fetch(&url(&format!("https://a.test/{number}"))).unwrap();
        assert_eq!(found.page().text(NodeId::DOCUMENT), format!("page {number}"));
    }
}

#[test]
fn bodies_are_unpacked() {
    let text = "<p>次".as_bytes();
    let block = |headers: &str, body: &[u8]| {
        let block = format!("HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\n{headers}\r\n\r\n");
        [block.into_bytes(), body.to_vec()].concat()
    };
    let packed = gzip(text);
    let chunked =
        [format!("{:x}\r\n", packed.len()).into_bytes(), packed.clone(), b"\r\n0\r\n\r\n".to_vec()].concat();
    for (headers, body) in [
        ("X: y", text.to_vec()),
        ("Content-Encoding: gzip", packed),
        ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked", chunked),
        ("Content-Encoding: gzip", text.to_vec()),
        ("Transfer-Encoding: chunked", text.to_vec()),
        ("Transfer-Encoding: chunked", [&b"6;x\r\n"[..], text].concat()),
    ] {
        let (held, problems) = read(&record("https://a.test/", &block(headers, &body)));
        assert!(problems.is_empty());
        let response = held.into_iter().next().unwrap().response.unwrap();
        assert!(response.page().text(NodeId::DOCUMENT).starts_with('次'), "{headers}");
    }
    let (held, _) = read(&record("https://a.test/", &block("Content-Encoding: gzip", b"\x1f\x8b broken")));
    assert!(matches!(held[0].response, Err(FetchError::Coding { .. })));
}

#[test]
fn addresses_are_found_exactly_or_alike_and_redirects_followed() {
    let moved = |to: &str| format!("HTTP/1.1 301 Moved\r\nLocation: {to}\r\n\r\n").into_bytes();
    let bytes = [
        record("http://a.test/x", &moved("https://a.test/x")),
        record("https://a.test/x", &html("x")),
        record("https://a.test/x", &html("a later capture")),
        record("http://www.a.test/y/index.html", &html("y")),
        record("https://a.test/self", &moved("http://a.test/self")),
        record("https://a.test/out", &moved("ftp://a.test/")),
        record("https://a.test/p", &moved("/q")),
        record("https://a.test/q", &moved("/p")),
        record("https://a.test/z.png", b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG"),
        record("https://a.test/gone", b"HTTP/1.1 410 Gone\r\n\r\n"),
    ]
    .concat();
    let (_folder, path) = stored(&bytes);
    let archive = Archive::open(&path).unwrap();
    let fetch = |at: &str| archive.fetch(&url(at));
    let found = fetch("http://a.test/x#top").unwrap();
    assert_eq!((found.url.as_str(), found.page().text(NodeId::DOCUMENT).as_str()), ("https://a.test/x", "x"));
    assert_eq!(fetch("https://a.test/y").unwrap().url.as_str(), "http://www.a.test/y/index.html");
    assert!(matches!(fetch("https://a.test/none"), Err(FetchError::NotStored { .. })));
    assert!(matches!(fetch("https://a.test/self"), Err(FetchError::NotStored { .. })));
    assert!(matches!(fetch("https://a.test/out"), Err(FetchError::BadRedirect { .. })));
    assert!(matches!(fetch("https://a.test/p"), Err(FetchError::TooManyRedirects { .. })));
    assert!(matches!(fetch("https://a.test/z.png"), Err(FetchError::NotHtml { .. })));
    assert!(matches!(fetch("https://a.test/gone"), Err(FetchError::Status { status: 410, .. })));
    assert_eq!(archive.len(), 9);
}

#[test]
fn what_is_no_archive_is_refused() {
    let (_folder, path) = stored(b"<html><p>no archive");
    assert!(matches!(Archive::open(&path), Err(ArchiveError::NotAnArchive { .. })));
    assert!(matches!(Archive::open(&path.join("none")), Err(ArchiveError::Io { .. })));
    let (_folder, path) = stored(b"");
    assert!(Archive::open(&path).unwrap().is_empty());
    let (bytes, starts) = plain(2);
    let (_folder, path) = stored(&bytes);
    let archive = Archive::open(&path).unwrap();
    File::options().write(true).open(&path).unwrap().set_len(starts[1] as u64 + 50).unwrap();
    assert!(matches!(
        archive.fetch(&url("https://a.test/2")),
        Err(FetchError::Archive(ArchiveError::Damaged { .. }))
    ));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_come_to_an_end(mut bytes: Vec<u8>, start in 0..4_usize) {
        let (whole, _) = compressed(1);
        bytes.splice(0..0, match start {
            0 => b"WARC/1.0\r\n".to_vec(),
            1 => vec![0x1f, 0x8b, 8, 0],
            2 => whole.clone(),
            _ => Vec::new(),
        });
        bytes.extend(whole);
        let (held, problems) = read(&bytes);
        proptest::prop_assert!(held.len() + problems.len() < 100);
        if start == 2 {
            proptest::prop_assert!(!held.is_empty());
        }
    }
}
