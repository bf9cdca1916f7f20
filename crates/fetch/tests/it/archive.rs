//! Archives: round trips, damage, and what stands in stored responses.

use crate::{gzip, record, response, text, url};
use std::fs::File;
use std::path::PathBuf;
use tempfile::TempDir;
use tsugi_fetch::{
    Archive, ArchiveError, ArchiveProblem, ArchiveWriter, Captures, Fetch, FetchError, Flaw, Record, records,
};
use tsugi_page::Response;

const DATE: &str = "2026-01-02T03:04:05Z";

fn stored(bytes: &[u8]) -> (TempDir, PathBuf) {
    crate::stored("pages.warc.gz", bytes)
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

fn answer(at: &str, block: &[u8]) -> Vec<u8> {
    record(&format!("WARC-Type: response\nWARC-Target-URI: {at}"), block)
}

fn html(text: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{text}").into_bytes()
}

fn plain(count: usize) -> (Vec<u8>, Vec<usize>) {
    let mut bytes = Vec::new();
    let mut starts = Vec::new();
    for number in 1..=count {
        starts.push(bytes.len());
        bytes.extend(answer(&format!("https://a.test/{number}"), &html(&format!("page {number}"))));
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
    let head = "WARC-Type: response\nWARC-Target-URI: https://a.test/2";
    let one = answer("https://a.test/1", &html("one"));
    let three = answer("https://a.test/3", &html("three"));
    for length in ["3", "60", "100000", "18446744073709551615", "99999999999999999999", "-1", "x", ""] {
        let lie = record(&format!("{head}\nContent-Length: {length}"), html("two"));
        let records = [one.clone(), lie, three.clone()];
        for bytes in [records.concat(), records.map(|record| gzip(&record)).concat()] {
            let (held, problems) = read(&bytes);
            assert_eq!(paths(&held), ["/1", "/3"], "{length}: {problems:?}");
            assert_eq!(problems.len(), 1, "{length}: {problems:?}");
        }
    }
}

#[test]
fn a_length_is_no_allocation() {
    let head = "WARC-Type: response\nWARC-Target-URI: https://a.test/\nContent-Length: 68719476736";
    let (held, problems) = read(&record(head, "short"));
    assert!(held.is_empty());
    assert_eq!(problems[0].flaw, Flaw::CutOff);
    assert!(problems[0].flaw.is_damage());
}

/// Either digest alone tells damage; what comes after is read.
#[test]
fn bytes_that_do_not_fit_a_digest_are_no_page() {
    let head = "WARC-Type: response\nWARC-Target-URI: https://a.test/2";
    let [one, three] = ["1", "3"].map(|number| answer(&format!("https://a.test/{number}"), &html(number)));
    // SHA-1 of `<p>two`, and of the whole block.
    for (name, declared) in [
        ("WARC-Payload-Digest", "sha1:39ed49933378afcb0dbb7dc5fc5b3fb2b5ad5643"),
        ("WARC-Block-Digest", "sha1:12c3c06b7b44a63043d74bb89e10c45df762a76a"),
    ] {
        for (text, is_whole) in [("two", true), ("twO", false)] {
            let two = record(&format!("{head}\n{name}: {declared}"), html(text));
            let records = [one.clone(), two, three.clone()];
            for bytes in [records.concat(), records.map(|record| gzip(&record)).concat()] {
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

/// Some programs write digests of other payloads, such as that of a body which they unpacked for it in a way of their own.
#[test]
fn the_digest_of_a_block_answers_for_its_payload() {
    let head = "WARC-Type: response\nWARC-Target-URI: https://a.test/2";
    let right = "WARC-Block-Digest: sha1:12c3c06b7b44a63043d74bb89e10c45df762a76a";
    for (block, is_read) in [(right, true), ("WARC-Block-Digest: xxh3:1", false)] {
        let payload = "WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";
        let (held, problems) = read(&record(&format!("{head}\n{block}\n{payload}"), html("two")));
        assert_eq!(
            (held.len(), problems.is_empty()),
            (usize::from(is_read), is_read),
            "{block}: {problems:?}"
        );
    }
}

#[test]
fn no_password_of_a_stored_address_is_read_or_told() {
    let at = "https://user:secret@a.test/";
    let head = |kind: &str, more: &str| format!("WARC-Type: {kind}\nWARC-Target-URI: {at}{kind}\n{more}");
    let bytes = [
        answer(&format!("{at}page"), &html("one")),
        record(&head("continuation", ""), "x"),
        record(&head("response", "WARC-Block-Digest: md5:00"), "x"),
        answer(&format!("{at}missing"), b"HTTP/1.1 404 Not Found\r\n\r\n"),
        record(&head("revisit", &format!("WARC-Refers-To-Target-URI: {at}other")), ""),
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
    let good = answer("https://a.test/", &html("good"));
    let bad = [
        answer("no address", &html("x")),
        record("WARC-Type: response", html("x")),
        answer("https://a.test/x", b"<html>no head"),
        answer("https://a.test/x", b"HTTP/1.1 fine\r\n\r\n"),
        answer("https://a.test/x", b""),
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
fn a_member_may_hold_many_records() {
    let (bytes, _) = plain(3);
    let (_folder, path) = stored(&gzip(&bytes));
    let archive = Archive::open(&path).unwrap();
    assert_eq!(archive.problems(), []);
    for number in [2, 3, 1] {
        let found = archive.fetch(&url(&format!("https://a.test/{number}"))).unwrap();
        assert_eq!(text(&found), format!("page {number}"));
    }
}

#[test]
fn a_body_that_cannot_be_unpacked_is_told() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n";
    let (held, _) = read(&answer("https://a.test/", &[head.as_bytes(), b"\x1f\x8b broken"].concat()));
    assert!(matches!(held[0].response, Err(FetchError::Coding { .. })));
}

#[test]
fn addresses_are_found_exactly_or_alike_and_redirects_followed() {
    let moved = |to: &str| format!("HTTP/1.1 301 Moved\r\nLocation: {to}\r\n\r\n").into_bytes();
    let bytes = [
        answer("http://a.test/x", &moved("https://a.test/x")),
        answer("<https://a.test/x#top>", &html("x")),
        answer("https://a.test/x", &html("a later capture")),
        answer("http://www.a.test/y/index.html", &html("y")),
        answer("https://a.test/self", &moved("http://a.test/self")),
        answer("https://a.test/out", &moved("ftp://a.test/")),
        answer("https://a.test/p", &moved("/q")),
        answer("https://a.test/q", &moved("/p")),
        answer("https://a.test/z.png", b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG"),
        answer("https://a.test/gone", b"HTTP/1.1 410 Gone\r\n\r\n"),
    ]
    .concat();
    let (_folder, path) = stored(&bytes);
    let archive = Archive::open(&path).unwrap();
    let fetch = |at: &str| archive.fetch(&url(at));
    let found = fetch("http://a.test/x#top").unwrap();
    assert_eq!((found.url.as_str(), text(&found).as_str()), ("https://a.test/x", "x"));
    assert_eq!(fetch("https://a.test/y").unwrap().url.as_str(), "http://www.a.test/y/index.html");
    for (path, word) in [
        ("none", "not-stored"),
        ("self", "not-stored"),
        ("out", "bad-redirect"),
        ("p", "too-many-redirects"),
        ("z.png", "not-html"),
    ] {
        assert_eq!(fetch(&format!("https://a.test/{path}")).unwrap_err().word(), word, "{path}");
    }
    assert!(matches!(fetch("https://a.test/gone"), Err(FetchError::Status { status: 410, .. })));
    assert_eq!(archive.len(), 9);
}

#[test]
fn what_is_no_archive_is_refused() {
    let (_folder, path) = stored(b"<html><p>no archive");
    assert!(matches!(Archive::open(&path), Err(ArchiveError::NotAnArchive { .. })));
    assert!(matches!(Captures::open(&path), Err(ArchiveError::NotAnArchive { .. })));
    // Record by record, too, and packed.
    assert!(matches!(records(&path).err(), Some(ArchiveError::NotAnArchive { .. })));
    let (_folder, packed) = stored(&gzip(b"<html><p>no archive"));
    assert!(matches!(records(&packed).err(), Some(ArchiveError::NotAnArchive { .. })));
    let none = path.join("none");
    assert!(matches!(Archive::open(&none), Err(ArchiveError::Io { .. })) && Captures::open(&none).is_err());
    let (_folder, path) = stored(b"");
    assert!(Archive::open(&path).unwrap().is_empty());
    let (bytes, starts) = plain(2);
    // A damaged start does not hide the records behind it.
    let (_folder, path) = stored(&[&b"\0\0damage\n"[..], &bytes].concat());
    assert_eq!(records(&path).unwrap().flatten().count(), 2);
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
