//! `tsugi join --save`: nothing that was fetched is lost, and a replay gives the same bytes.

use crate::support::{
    Answer, DONE, FAILED, Folder, PARTLY_FAILED, Run, Server, WRONG_USE, command, data, finish, join_live,
    live_join, loopback_rules, page, tsugi,
};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};
use tsugi_fetch::records;

const FORMATS: [&str; 5] = ["md", "html", "txt", "json", "jsonl"];

/// Joins from the web into an archive.
#[track_caller]
fn save(url: &str, archive: &str, rules: &str, options: &[&str]) -> Run {
    join_live(&[&[url, "--save", archive, "--rules", rules], options].concat())
}

/// Joins from an archive alone.
#[track_caller]
fn replay(url: &str, archive: &str, rules: &str, options: &[&str]) -> Run {
    tsugi(&[&["join", url, "--pages", archive, "--rules", rules], options].concat())
}

/// The paths of an archive's responses, in its order.
fn kept(archive: &str) -> Vec<String> {
    records(Path::new(archive)).unwrap().map(|record| record.unwrap().url.path().to_owned()).collect()
}

/// A path that lives as long as the test.
fn path_of(number: usize) -> &'static str {
    format!("/{number}").leak()
}

/// A chain of so many pages.
fn chain(pages: usize) -> Vec<Answer> {
    let text = |number: usize| format!("This is page {number}, which says nothing that another one says.");
    let next = |number: usize| (number < pages).then(|| path_of(number + 1));
    (1..=pages).map(|number| Answer::page(path_of(number), page(&text(number), next(number)))).collect()
}

#[test]
fn a_replay_gives_the_same_bytes_in_every_form() {
    let folder = Folder::new();
    let rules = loopback_rules(&folder);
    let sjis = b"<!DOCTYPE html><title>x</title><main><p>\x8e\x9f\x82\xcc</main>".to_vec();
    let moved = |path, to: &'static str| Answer {
        status: format!("302 Found\r\nLocation: {to}").leak(),
        ..Answer::page(path, "")
    };
    let server = Server::start(vec![
        Answer::page("/1", page("One.", Some("/2"))),
        moved("/2", "/two"),
        Answer::page("/two", page("Two.", Some("/3"))),
        Answer { media: "text/html; charset=Shift_JIS", ..Answer::page("/3", sjis) },
        Answer::page("/to-error", page("To an error.", Some("/error"))),
        Answer { status: "500 Internal Server Error", ..Answer::page("/error", "<p>no") },
        Answer::page("/to-image", page("To an image.", Some("/image"))),
        Answer { media: "image/png", ..Answer::page("/image", "\u{89}PNG") },
        Answer::page("/to-binary", page("To bytes.", Some("/binary"))),
        Answer { media: "application/octet-stream", ..Answer::page("/binary", b"\0\x01\x02\0\x03".to_vec()) },
        Answer::page("/to-nowhere", page("To nowhere.", Some("/nowhere"))),
        moved("/nowhere", "ftp://127.0.0.1/"),
        Answer::page("/to-circle", page("To a circle.", Some("/circle"))),
        moved("/circle", "/circle"),
        Answer::page("/to-closed", page("To a closed door.", Some("http://127.0.0.1:1/"))),
    ]);
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
        let url = server.url(path);
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
    for path in server.asked() {
        *counts.entry(path).or_default() += 1;
    }
    for once in ["/1", "/2", "/two", "/3", "/to-error", "/to-image", "/to-circle"] {
        assert_eq!(counts[once], 1, "{once}");
    }
    assert_eq!((counts["/error"], counts["/image"], counts["/binary"]), (5, 5, 5));
}

/// What is no answer, or none that can be read, is recorded with the words that were said.
#[test]
fn a_failure_is_replayed_in_its_own_words() {
    let folder = Folder::new();
    let (rules, archive) = (loopback_rules(&folder), folder.path("a.warc.gz"));
    let server = Server::start(vec![
        Answer::page("/1", page("One.", Some("/2"))),
        Answer {
            status: "200 OK\r\nContent-Encoding: gzip",
            ..Answer::page("/2", b"\x1f\x8b broken".to_vec())
        },
        Answer::page("/3", page("Three.", Some("/4"))),
        Answer { status: "200 OK\r\nContent-Length: 99999", ..Answer::page("/4", page("Four.", None)) },
    ]);
    for (first, words) in [("/1", "cannot be decoded as `gzip`"), ("/3", "no answer from")] {
        let live =
            save(&server.url(first), &archive, &rules, &["-f", "json"]).exits(PARTLY_FAILED).says(&[words]);
        assert_eq!(live.json()["stopped"]["reason"], "fetch-failed");
        let again = replay(&server.url(first), &archive, &rules, &["-f", "json"]).exits(PARTLY_FAILED);
        assert_eq!((again.stdout, again.stderr), (live.stdout, live.stderr));
    }
    let down = save("http://127.0.0.1:1/", &archive, &rules, &[]).exits(FAILED).says(&["no answer from"]);
    let again = replay("http://127.0.0.1:1/", &archive, &rules, &[]).exits(FAILED);
    assert_eq!(again.stderr, down.stderr);
}

/// What a site asks not to fetch is refused in a replay too, though nobody is asked then.
#[test]
fn what_robots_may_not_fetch_is_recorded() {
    let folder = Folder::new();
    let (rules, archive) = (loopback_rules(&folder), folder.path("a.warc.gz"));
    let robots =
        Answer { media: "text/plain", ..Answer::page("/robots.txt", "User-agent: *\nDisallow: /2\n") };
    let server = Server::start([chain(3), vec![robots]].concat());
    let live = save(&server.url("/1"), &archive, &rules, &["-f", "json"]).exits(PARTLY_FAILED);
    assert_eq!(live.json()["stopped"]["reason"], "robots");
    let again = replay(&server.url("/1"), &archive, &rules, &["-f", "json"]).exits(PARTLY_FAILED);
    assert_eq!((again.stdout, again.stderr), (live.stdout, live.stderr));
    assert_eq!(kept(&archive), ["/1"], "robots.txt is no page");
    let lines = tsugi(&["scan", &archive, "--rules", &rules]).exits(DONE).json_lines();
    assert_eq!(lines.len(), 1);
    let anyway = save(&server.url("/1"), &archive, &rules, &["-f", "txt", "--ignore-robots"]).exits(DONE);
    anyway.says(&["3 pages"]);
    assert_eq!(kept(&archive), ["/1", "/2", "/3"]);
}

/// What failed is asked for again by the next run, and then the site may be well.
#[test]
fn a_failure_gives_way_to_the_page() {
    let folder = Folder::new();
    let (rules, archive) = (loopback_rules(&folder), folder.path("a.warc.gz"));
    let site = |second: Answer| Server::start(vec![Answer::page("/1", page("One.", Some("/2"))), second]);
    let ill = site(Answer { status: "503 Service Unavailable", ..Answer::page("/2", "<p>later") });
    let run = save(&ill.url("/1"), &archive, &rules, &["-f", "txt"])
        .exits(PARTLY_FAILED)
        .says(&["fetch-failed", "503"]);
    assert_eq!(run.stdout, "One.\n");
    let port = ill.port();
    drop(ill);
    let well = Server::at(port, vec![Answer::page("/2", page("Two.", None))], Duration::ZERO);
    let run = save(&well.url("/1"), &archive, &rules, &["-f", "txt"]).exits(DONE).says(&["2 pages"]);
    assert_eq!((run.stdout.as_str(), well.asked()), ("One.\nTwo.\n", vec!["/2".to_owned()]));
    let again = replay(&well.url("/1"), &archive, &rules, &["-f", "txt"]).exits(DONE);
    assert_eq!((again.stdout, again.stderr), (run.stdout, run.stderr));
}

/// Nothing else than pages is listed by those who read the archive later.
#[test]
fn an_archive_that_was_kept_can_be_scanned_and_joined() {
    let folder = Folder::new();
    let (rules, archive) = (loopback_rules(&folder), folder.path("a.warc.gz"));
    let server = Server::start(chain(3));
    save(&server.url("/1"), &archive, &rules, &[]).exits(DONE);
    let lines = tsugi(&["scan", &archive, "--rules", &rules]).exits(DONE).json_lines();
    let urls: Vec<&str> = lines.iter().map(|line| line["url"].as_str().unwrap()).collect();
    assert_eq!(urls, [server.url("/1"), server.url("/2"), server.url("/3")]);
    let all = tsugi(&["join", "--pages", &archive, "--all", "-f", "jsonl", "--rules", &rules]).exits(DONE);
    assert_eq!(all.json_lines().len(), 1);
}

/// The process is ended without warning, in the middle; its archive is torn on top of that.
#[test]
fn a_killed_run_goes_on_where_it_ended() {
    const PAGES: usize = 200;
    let folder = Folder::new();
    let (rules, whole, torn) =
        (loopback_rules(&folder), folder.path("whole.warc.gz"), folder.path("torn.warc.gz"));
    let options = ["-f", "json", "--max-pages", "200"];
    let server = Server::slow(chain(PAGES), Duration::from_millis(2));
    let url = server.url("/1");
    let undisturbed = save(&url, &whole, &rules, &options).exits(DONE);
    assert_eq!(undisturbed.json()["pages"].as_array().unwrap().len(), PAGES);

    let before = server.asked().len();
    let arguments = [&[&*url, "--save", &torn, "--rules", &rules], &options[..]].concat();
    let mut child = command(&live_join(&arguments)).spawn().unwrap();
    let begin = Instant::now();
    while server.asked().len() < before + PAGES / 3 {
        assert!(begin.elapsed() < Duration::from_secs(30), "the run does not get on");
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success());
    let asked = server.asked().len() - before;
    assert!(asked < PAGES, "the run was over before it was ended");
    let held = kept(&torn).len();
    // A page that was asked for and is not held was in flight.
    assert!(held + 2 >= asked, "{asked} pages were asked for, {held} are held");

    let length = std::fs::metadata(&torn).unwrap().len();
    File::options().write(true).open(&torn).unwrap().set_len(length - 7).unwrap();
    let resumed =
        save(&url, &torn, &rules, &options).exits(DONE).says(&["bytes of an incomplete record", "cut off"]);
    assert_eq!(resumed.stdout, undisturbed.stdout);
    // The last page held was torn, and one may have been in flight.
    let asked = &server.asked()[before..];
    for number in 1..=PAGES {
        let times = asked.iter().filter(|path| **path == format!("/{number}")).count();
        let most = if number == held || number == held + 1 { 2 } else { 1 };
        assert!((1..=most).contains(&times), "page {number} is asked for {times} times, {held} were held");
    }

    let replayed = replay(&url, &torn, &rules, &options).exits(DONE);
    assert_eq!(replayed.stdout, undisturbed.stdout);
    assert_eq!(kept(&torn), kept(&whole));
}

#[test]
fn two_runs_do_not_share_an_archive() {
    let folder = Folder::new();
    let (rules, archive) = (loopback_rules(&folder), folder.path("a.warc.gz"));
    let server = Server::slow(chain(2), Duration::from_millis(400));
    let arguments = [&server.url("/1"), "--save", &archive, "--rules", &rules];
    let first = command(&live_join(&arguments)).spawn().unwrap();
    while server.asked().is_empty() {
        thread::sleep(Duration::from_millis(2));
    }
    join_live(&arguments).exits(FAILED).writes_nothing().says(&["a.warc.gz", "another run"]);
    finish(first).exits(DONE);
    join_live(&arguments).exits(DONE);
    assert_eq!(kept(&archive), ["/1", "/2"]);
}

#[test]
fn what_is_no_archive_is_not_written_to() {
    let folder = Folder::new();
    let notes = folder.file("notes.txt", "Do not lose this.");
    join_live(&["http://127.0.0.1:1/", "--save", &notes])
        .exits(FAILED)
        .says(&["notes.txt", "not a WARC archive"]);
    assert_eq!(folder.read("notes.txt"), "Do not lose this.");
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let folder = Folder::new();
    let (archive, file) = (folder.path("a.warc.gz"), data("english-article/1.html"));
    let url = "http://127.0.0.1:1/";
    tsugi(&["join", url, "--save", &archive, "--pages", &archive])
        .exits(WRONG_USE)
        .says(&["--save", "--pages"]);
    tsugi(&["join", &file, "--save", &archive]).exits(WRONG_USE).writes_nothing().says(&["1.html", "--save"]);
    tsugi(&["join", url, &file, "--save", &archive]).exits(WRONG_USE).says(&["1.html"]);
    assert_eq!(folder.names(), [""; 0]);
}

/// One source that fails takes nothing from the other.
#[test]
fn several_sources_are_kept_in_one_archive() {
    let folder = Folder::new();
    let (rules, archive) = (loopback_rules(&folder), folder.path("a.warc.gz"));
    let server = Server::start(chain(2));
    let (one, none) = (server.url("/1"), server.url("/none"));
    let live = join_live(&[&one, &none, "--save", &archive, "--rules", &rules]).exits(PARTLY_FAILED);
    let again = tsugi(&["join", &one, &none, "--pages", &archive, "--rules", &rules]).exits(PARTLY_FAILED);
    assert_eq!((again.stdout, again.stderr), (live.stdout, live.stderr));
}
