//! The dump of Wedata: fetched, held, shown, used by `--rules wedata`.

use crate::support::{
    CannedAnswer, DONE, FAILED, LOCAL, LoopbackServer, NOTHING_FOUND, ProgramRun, TestFolder, WRONG_USE,
    answer, canned, command, finish, html, item, missing, page, typed,
};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::sync::mpsc;
use std::time::Duration;

#[track_caller]
fn tsugi(home: &TestFolder, arguments: &[&str]) -> ProgramRun {
    finish(command(arguments).env("XDG_DATA_HOME", home.path("data")).spawn().unwrap())
}

#[track_caller]
fn update(home: &TestFolder, url: &str, options: &[&str]) -> ProgramRun {
    tsugi(home, &[&["siteinfo", "update", "--from", url], &LOCAL[..], options].concat())
}

/// A dump of so many items, for the loopback server.
fn dump(items: usize) -> Vec<u8> {
    let item = |n| {
        let mut item = item(&format!("item {n}"), "^http://127\\.0\\.0\\.1:\\d+/");
        item["updated_at"] = json!(format!("2024-08-{:02}T07:10:48+09:00", n + 1));
        item
    };
    serde_json::to_vec(&(0..items).map(item).collect::<Vec<Value>>()).unwrap()
}

fn served(body: impl AsRef<[u8]>) -> CannedAnswer {
    ("/dump", typed("application/json", body))
}

fn held(home: &TestFolder) -> String {
    home.read("data/tsugi/wedata.json")
}

/// A data folder that holds a dump of so many items.
fn holding(items: usize) -> TestFolder {
    let (home, server) = (TestFolder::new(), LoopbackServer::start(canned([served(dump(items))])));
    update(&home, &server.address("/dump"), &[]).exits(DONE);
    home
}

/// A server that gives one answer after the other.
fn in_turn(answers: Vec<Vec<u8>>) -> LoopbackServer {
    LoopbackServer::start(move |request| match request.path.as_str() {
        "/robots.txt" => missing(),
        _ => answers[request.before].clone(),
    })
}

/// The start of an answer with a dump.
fn half(dump: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", dump.len());
    [head.as_bytes(), &dump[..dump.len() / 2]].concat()
}

#[test]
fn a_dump_is_fetched_shown_and_used() {
    let home = TestFolder::new();
    let site = LoopbackServer::start(canned([
        served(dump(3)),
        ("/1", html(page("One.", Some("2")))),
        ("/2", html(page("Two.", None))),
    ]));
    let missing = ["no dump in", "tsugi siteinfo update"];
    tsugi(&home, &["siteinfo", "show"]).exits(NOTHING_FOUND).says(&missing).writes_nothing();
    let url = site.address("/1");
    let join = [&["join", &url, "--rules", "wedata", "-f", "json"], &LOCAL[..]].concat();
    tsugi(&home, &join).exits(FAILED).says(&missing);

    let fetched = update(&home, &site.address("/dump"), &[]).exits(DONE);
    let lines: Vec<&str> = fetched.stdout.lines().collect();
    assert_eq!(lines[0], "fetched");
    assert_eq!(lines[1], format!("dump     {}", home.path("data/tsugi/wedata.json")));
    assert_eq!(lines[2], "items    3, 3 usable");
    assert_eq!(lines[3], "newest   2024-08-02T22:10:48Z");
    assert!(
        lines[4].starts_with("fetched  20") && lines[4].ends_with(&site.address("/dump")),
        "{}",
        lines[4]
    );
    assert_eq!(held(&home).as_bytes(), dump(3));
    let shown = tsugi(&home, &["siteinfo", "show"]).exits(DONE);
    assert_eq!(shown.stdout.lines().collect::<Vec<_>>(), lines[1..]);

    let document = tsugi(&home, &join).exits(DONE).json();
    assert_eq!(document["text"], "One.\nTwo.");
    assert_eq!(document["pages"][1]["by"], "rule");
}

#[test]
fn a_dump_that_has_not_changed_is_not_fetched_again() {
    let home = TestFolder::new();
    let known = "ETag: \"7\"\r\nLast-Modified: Sat, 31 Aug 2024 00:00:00 GMT";
    let body = dump(3);
    let server = in_turn(vec![
        answer(&format!("200 OK\r\n{known}"), &body),
        answer("304 Not Modified", ""),
        // A server without versions sends the same again.
        answer("200 OK", &body),
    ]);
    let unchanged = "unchanged since it was fetched";
    for said in ["fetched", unchanged, unchanged] {
        let run = update(&home, &server.address("/dump"), &[]).exits(DONE);
        assert_eq!(run.stdout.lines().next(), Some(said));
    }
    let requests = server.requests();
    let conditions: Vec<[&str; 2]> = (requests.iter().filter(|request| request.path == "/dump"))
        .map(|request| ["if-none-match", "if-modified-since"].map(|name| request.header(name)))
        .collect();
    assert_eq!(conditions[..2], [["", ""], ["\"7\"", "Sat, 31 Aug 2024 00:00:00 GMT"]]);
}

#[test]
fn what_is_no_dump_leaves_the_old_one() {
    let home = holding(3);
    for (body, words) in [
        ("[{\"name\": \"cut", "is not a dump; keeping the stored dump"),
        ("<!DOCTYPE html><p>Moved", "is not a dump"),
        ("{\"items\": []}", "expected an array of items or one item, found an object"),
        ("[]", "has no usable items"),
        ("[{\"name\": \"a\", \"data\": {\"url\": \"x\", \"nextLink\": \"//a[\"}}]", "has no usable items"),
    ] {
        let server = LoopbackServer::start(canned([served(body)]));
        update(&home, &server.address("/dump"), &[]).exits(FAILED).says(&[words]).writes_nothing();
        assert_eq!(held(&home).as_bytes(), dump(3), "{body}");
    }
    let gone = LoopbackServer::start(|_| missing());
    update(&home, &gone.address("/dump"), &[]).exits(FAILED).says(&["status 404", "keeping the stored one"]);
    let broken = in_turn(vec![half(&dump(3))]);
    update(&home, &broken.address("/dump"), &[])
        .exits(FAILED)
        .says(&["no answer from", "keeping the stored one"]);
    let big = LoopbackServer::start(canned([served(vec![b' '; (1 << 20) + 1])]));
    update(&home, &big.address("/dump"), &["--max-body", "1"])
        .exits(FAILED)
        .says(&["longer than 1048576 bytes"]);
    assert_eq!(held(&home).as_bytes(), dump(3));
    // What a run left that was ended while it wrote is nothing to anybody.
    home.file("data/tsugi/.new-abc", "[{");
    assert!(tsugi(&home, &["siteinfo", "show"]).exits(DONE).stdout.contains("items    3, 3 usable"));
}

#[test]
fn a_run_that_is_ended_in_the_middle_leaves_the_old_dump() {
    let home = holding(3);
    // Less than it announces, and then nothing until the client is gone.
    let (send, half_sent) = mpsc::channel();
    let server = LoopbackServer::raw(move |_, stream| {
        stream.write_all(&half(&dump(4))).unwrap();
        send.send(()).unwrap();
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let url = server.address("/dump");
    let arguments = [&["siteinfo", "update", "--from", &url, "--ignore-robots"], &LOCAL[..]].concat();
    let mut child = command(&arguments).env("XDG_DATA_HOME", home.path("data")).spawn().unwrap();
    half_sent.recv_timeout(Duration::from_secs(30)).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(held(&home).as_bytes(), dump(3));
    assert!(tsugi(&home, &["siteinfo", "show"]).exits(DONE).stdout.contains("items    3, 3 usable"));
}

#[test]
fn nothing_is_left_where_the_first_dump_fails() {
    let home = TestFolder::new();
    let gone = LoopbackServer::start(|_| missing());
    update(&home, &gone.address("/dump"), &[]).exits(FAILED).says(&["try again later, or use a mirror"]);
    assert_eq!(home.names(), Vec::<String>::new());
    update(&home, "ftp://a.test/", &[]).exits(WRONG_USE).says(&["is not an http(s) address"]);
    // Where the folder is to be stands a file.
    home.file("data", "x");
    let server = LoopbackServer::start(canned([served(dump(3))]));
    update(&home, &server.address("/dump"), &[]).exits(FAILED);
}

#[test]
fn a_dump_that_lost_half_of_its_items_is_taken_by_force_only() {
    let home = holding(5);
    let less = LoopbackServer::start(canned([served(dump(2))]));
    let words = ["has 2 usable items, less than half of the 5", "--force"];
    update(&home, &less.address("/dump"), &[]).exits(FAILED).says(&words).writes_nothing();
    assert_eq!(held(&home).as_bytes(), dump(5));
    let forced = update(&home, &less.address("/dump"), &["--force"]).exits(DONE);
    assert!(forced.stdout.starts_with("updated\n") && forced.stdout.contains("items    2, 2 usable"));
    // Half of them is enough.
    let one = LoopbackServer::start(canned([served(dump(1))]));
    update(&home, &one.address("/dump"), &[]).exits(DONE);
}

#[test]
fn a_file_of_that_name_is_given_with_its_folder() {
    let home = TestFolder::new();
    home.file("wedata", dump(1));
    let site = LoopbackServer::start(canned([("/1", html(page("One.", None)))]));
    let url = site.address("/1");
    let arguments = [&["join", &url, "--rules", "./wedata"], &LOCAL[..]].concat();
    let run = command(&arguments).env("XDG_DATA_HOME", home.path("data")).current_dir(home.path("")).spawn();
    assert_eq!(finish(run.unwrap()).exits(DONE).stdout, "# Page\n\nOne.\n");
}
