//! `tsugi join --save`: nothing that was fetched is lost, and a replay gives the same bytes.

use crate::support::{
    DONE, FAILED, LoopbackServer, PARTLY_FAILED, ProgramRun, TestFolder, answer, canned, html, join_live,
    loopback_rules, page, redirect, tsugi, typed,
};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use tsugi::fetch::records;

const FORMATS: [&str; 5] = ["md", "html", "txt", "json", "jsonl"];

#[track_caller]
fn save(url: &str, archive: &str, rules: &str, options: &[&str]) -> ProgramRun {
    join_live(&[&[url, "--save", archive, "--rules", rules], options].concat())
}

#[track_caller]
fn replay(url: &str, archive: &str, rules: &str, options: &[&str]) -> ProgramRun {
    tsugi(&[&["join", url, "--pages", archive, "--rules", rules], options].concat())
}

/// The paths of an archive's responses, in its order.
fn kept(archive: &str) -> Vec<String> {
    records(Path::new(archive)).unwrap().map(|record| record.unwrap().url.path().to_owned()).collect()
}

fn chain(pages: usize) -> Vec<(String, Vec<u8>)> {
    let text = |number: usize| format!("This is page {number}, which says nothing that another one says.");
    let next = |number: usize| (number < pages).then(|| format!("/{}", number + 1));
    let answer = |number: usize| html(page(&text(number), next(number).as_deref()));
    (1..=pages).map(|number| (format!("/{number}"), answer(number))).collect()
}

#[test]
fn a_replay_gives_the_same_bytes_in_every_form() {
    let folder = TestFolder::new();
    let rules = loopback_rules(&folder);
    let sjis = b"<!DOCTYPE html><title>x</title><main><p>\x8e\x9f\x82\xcc</main>".to_vec();
    let server = LoopbackServer::start(canned([
        ("/1", html(page("One.", Some("/2")))),
        ("/2", redirect("/two")),
        ("/two", html(page("Two.", Some("/3")))),
        ("/3", typed("text/html; charset=Shift_JIS", sjis)),
        ("/to-error", html(page("To an error.", Some("/error")))),
        ("/error", answer("500 Internal Server Error", "<p>no")),
        ("/to-image", html(page("To an image.", Some("/image")))),
        ("/image", typed("image/png", "\u{89}PNG")),
        ("/to-binary", html(page("To bytes.", Some("/binary")))),
        ("/binary", typed("application/octet-stream", b"\0\x01\x02\0\x03")),
        ("/to-nowhere", html(page("To nowhere.", Some("/nowhere")))),
        ("/nowhere", redirect("ftp://127.0.0.1/")),
        ("/to-circle", html(page("To a circle.", Some("/circle")))),
        ("/circle", redirect("/circle")),
        ("/to-closed", html(page("To a closed door.", Some("http://127.0.0.1:1/")))),
    ]));
    for (path, reason) in [
        ("/1", "no-next"),
        ("/to-error", "500"),
        ("/to-image", "image/png"),
        ("/to-binary", "binary data"),
        ("/to-nowhere", "redirects to `ftp:"),
        ("/to-circle", "redirects more than"),
        ("/to-closed", "off-site"),
    ] {
        let archive = folder.path(&format!("{path}.warc.gz").replace('/', ""));
        let url = server.address(path);
        for format in FORMATS {
            let live = save(&url, &archive, &rules, &["-f", format]).says(&[reason]);
            let again = replay(&url, &archive, &rules, &["-f", format]);
            assert_eq!(
                (again.code, again.stdout, again.stderr),
                (live.code, live.stdout, live.stderr),
                "{path} as {format}"
            );
        }
    }
    // What was a page was asked for once; what was none, once a run.
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for path in server.pages_asked() {
        *counts.entry(path).or_default() += 1;
    }
    for once in ["/1", "/2", "/two", "/3", "/to-error", "/to-image", "/to-circle"] {
        assert_eq!(counts[once], 1, "{once}");
    }
    assert_eq!((counts["/error"], counts["/image"], counts["/binary"]), (5, 5, 5));
}

/// What a site asks not to fetch is refused in a replay too, though nobody is asked then.
#[test]
fn what_robots_may_not_fetch_is_recorded() {
    let folder = TestFolder::new();
    let (rules, archive) = (loopback_rules(&folder), folder.path("a.warc.gz"));
    let robots = ("/robots.txt".to_owned(), typed("text/plain", "User-agent: *\nDisallow: /2\n"));
    let server = LoopbackServer::start(canned([chain(3), vec![robots]].concat()));
    let live = save(&server.address("/1"), &archive, &rules, &["-f", "json"]).exits(PARTLY_FAILED);
    assert_eq!(live.json()["stopped"]["reason"], "robots");
    let again = replay(&server.address("/1"), &archive, &rules, &["-f", "json"]).exits(PARTLY_FAILED);
    assert_eq!((again.stdout, again.stderr), (live.stdout, live.stderr));
    assert_eq!(kept(&archive), ["/1"], "robots.txt is no page");
    let lines = tsugi(&["scan", &archive, "--rules", &rules]).exits(DONE).json_lines();
    assert_eq!(lines.len(), 1);
    let anyway = save(&server.address("/1"), &archive, &rules, &["-f", "txt", "--ignore-robots"]).exits(DONE);
    anyway.says(&["3 pages"]);
    assert_eq!(kept(&archive), ["/1", "/2", "/3"]);
}

/// Nothing else than pages is listed by those who read the archive later.
#[test]
fn an_archive_that_was_kept_can_be_scanned_and_joined() {
    let folder = TestFolder::new();
    let (rules, archive) = (loopback_rules(&folder), folder.path("a.warc.gz"));
    let server = LoopbackServer::start(canned(chain(3)));
    save(&server.address("/1"), &archive, &rules, &[]).exits(DONE);
    let lines = tsugi(&["scan", &archive, "--rules", &rules]).exits(DONE).json_lines();
    let urls: Vec<&str> = lines.iter().map(|line| line["url"].as_str().unwrap()).collect();
    assert_eq!(urls, [server.address("/1"), server.address("/2"), server.address("/3")]);
    let all = tsugi(&["join", "--pages", &archive, "--all", "-f", "jsonl", "--rules", &rules]).exits(DONE);
    assert_eq!(all.json_lines().len(), 1);
}

/// As a run leaves it that was killed while it wrote.
#[test]
fn a_torn_archive_is_mended_and_continued() {
    let folder = TestFolder::new();
    let (rules, archive) = (loopback_rules(&folder), folder.path("a.warc.gz"));
    let server = LoopbackServer::start(canned(chain(3)));
    let whole = save(&server.address("/1"), &archive, &rules, &[]).exits(DONE);
    let length = std::fs::metadata(&archive).unwrap().len();
    File::options().write(true).open(&archive).unwrap().set_len(length - 7).unwrap();
    let resumed = save(&server.address("/1"), &archive, &rules, &[]).exits(DONE);
    resumed.clone().says(&["removed", "bytes of an incomplete record"]);
    assert_eq!((resumed.stdout, kept(&archive).len()), (whole.stdout, 3));
    assert_eq!(server.pages_asked(), ["/1", "/2", "/3", "/3"]);
}

#[test]
fn what_is_no_archive_is_not_written_to() {
    let folder = TestFolder::new();
    let notes = folder.file("notes.txt", "Do not lose this.");
    join_live(&["http://127.0.0.1:1/", "--save", &notes])
        .exits(FAILED)
        .says(&["notes.txt", "not a WARC archive"]);
    assert_eq!(folder.read("notes.txt"), "Do not lose this.");
}

/// One source that fails takes nothing from the other.
#[test]
fn several_sources_are_kept_in_one_archive() {
    let folder = TestFolder::new();
    let (rules, archive) = (loopback_rules(&folder), folder.path("a.warc.gz"));
    let server = LoopbackServer::start(canned(chain(2)));
    let (one, none) = (server.address("/1"), server.address("/none"));
    let live = join_live(&[&one, &none, "--save", &archive, "--rules", &rules]).exits(PARTLY_FAILED);
    let again = tsugi(&["join", &one, &none, "--pages", &archive, "--rules", &rules]).exits(PARTLY_FAILED);
    assert_eq!((again.stdout, again.stderr), (live.stdout, live.stderr));
}
