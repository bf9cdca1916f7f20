//! `tsugi join --input`: many URLs, one file each, and no work twice.

use crate::support::{
    CannedAnswer, DONE, FAILED, LoopbackServer, NOTHING_FOUND, PARTLY_FAILED, ProgramRun, TSUGI, TestFolder,
    Warc, answer, canned, command, data, finish, html, join_live, json_lines, live_join, loopback_rules,
    missing, page, run, tsugi,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Three articles, of three, two and one pages; one that is not there; one without content.
fn site() -> Vec<CannedAnswer> {
    vec![
        ("/a/1", html(page("Apples, one.", Some("/a/2")))),
        ("/a/2", html(page("Apples, two.", Some("/a/3")))),
        ("/a/3", html(page("Apples, three.", None))),
        ("/b/1", html(page("Pears, one.", Some("/b/2")))),
        ("/b/2", html(page("Pears, two.", None))),
        ("/c/1", html(page("Plums.", None))),
        ("/blank", html("<!DOCTYPE html><title></title><body></body>")),
    ]
}

/// Joins what `urls.txt` names into the folder `out`.
#[track_caller]
fn batch(folder: &TestFolder, options: &[&str]) -> ProgramRun {
    let (input, out, rules) = (folder.path("urls.txt"), folder.path("out"), loopback_rules(folder));
    join_live(&[&["--input", &input, "-o", &out, "--rules", &rules], options].concat())
}

/// A journal by URL; every line is about another one.
#[track_caller]
fn journal(folder: &TestFolder, name: &str) -> BTreeMap<String, Value> {
    let lines = json_lines(&folder.read(&format!("out/{name}")));
    let count = lines.len();
    let by_url: BTreeMap<String, Value> =
        lines.into_iter().map(|line| (line["url"].as_str().unwrap().to_owned(), line)).collect();
    assert_eq!(by_url.len(), count, "an address stands twice in {name}");
    by_url
}

fn documents(folder: &TestFolder) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder.path("out")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names = names.filter(|name| !["index.jsonl", "failed.jsonl", ".lock"].contains(&name.as_str()));
    names.map(|name| (name.clone(), folder.read(&format!("out/{name}")))).collect()
}

fn write_input(folder: &TestFolder, server: &LoopbackServer, paths: &[&str]) {
    let urls: Vec<String> = paths.iter().map(|path| server.address(path)).collect();
    folder.file("urls.txt", urls.join("\n"));
}

#[test]
fn each_url_becomes_a_file() {
    let folder = TestFolder::new();
    let server = LoopbackServer::start(canned(site()));
    let (a, b, none, blank) =
        (server.address("/a/1"), server.address("/b/1"), server.address("/none"), server.address("/blank"));
    folder.file("urls.txt", format!("# fruit\n{a}\n\n  {b}\r\n{a}#top\nnonsense\n{none}\n{blank}\n{a}"));
    let run = batch(&folder, &["-f", "txt"]).exits(PARTLY_FAILED).writes_nothing();
    run.says(&["5 URLs", "2 done", "5 pages", "3 failed", "failed.jsonl"]);

    let index = journal(&folder, "index.jsonl");
    assert_eq!(index.keys().collect::<Vec<_>>(), [&a, &b]);
    let line = &index[&a];
    assert_eq!((&line["pages"], &line["title"]), (&json!(3), &json!("Page")));
    assert_eq!(
        (&line["stopped"]["reason"], &line["stopped"]["at"]),
        (&json!("no-next"), &json!(server.address("/a/3")))
    );
    assert_eq!(line["warnings"], json!([]));
    let file = line["file"].as_str().unwrap();
    assert!(file.starts_with("page_") && file.strip_suffix(".txt").is_some(), "{file}");
    let files: BTreeSet<&str> = index.values().map(|line| line["file"].as_str().unwrap()).collect();
    let documents = documents(&folder);
    assert_eq!(documents.keys().map(String::as_str).collect::<BTreeSet<_>>(), files);
    assert_eq!(documents[file], "Apples, one.\n\nApples, two.\n\nApples, three.\n");
    assert_eq!(documents[file], join_live(&[&a, "-f", "txt", "--rules", &loopback_rules(&folder)]).stdout);

    let failed = journal(&folder, "failed.jsonl");
    let reasons: BTreeMap<&str, &Value> =
        failed.iter().map(|(url, line)| (url.as_str(), &line["reason"])).collect();
    let expected = [(&*none, json!("status")), (&*blank, json!("no-content")), ("nonsense", json!("no-url"))];
    assert_eq!(reasons, expected.iter().map(|(url, reason)| (*url, reason)).collect());
    assert!(failed[&none]["error"].as_str().unwrap().contains("404"), "{failed:?}");
}

#[test]
fn a_second_run_does_what_is_left() {
    let folder = TestFolder::new();
    let server = LoopbackServer::start(canned(site()));
    write_input(&folder, &server, &["/a/1", "/none"]);
    batch(&folder, &["-f", "json"]).exits(PARTLY_FAILED);
    let first = documents(&folder);

    // One is new, one has failed, one is done; what others left is not touched.
    write_input(&folder, &server, &["/none", "/b/1", "/a/1"]);
    let mut other = folder.read("out/failed.jsonl");
    other.push_str(
        "{\"url\":\"https://else.test/\",\"reason\":\"timeout\",\"error\":\"late\"}\n{\"url\":\"http://to",
    );
    folder.file("out/failed.jsonl", other);
    folder.file("out/index.jsonl", folder.read("out/index.jsonl") + "{\"url\":\"http");
    let asked = server.pages_asked().len();
    let run = batch(&folder, &["-f", "json"]).exits(PARTLY_FAILED);
    run.says(&["3 URLs", "1 done", "1 failed", "1 done before"]);
    let pages = server.pages_asked().split_off(asked);
    assert_eq!(pages.iter().map(String::as_str).collect::<BTreeSet<_>>(), ["/b/1", "/b/2", "/none"].into());
    let second = documents(&folder);
    assert_eq!(second.len(), 2);
    assert!(first.iter().all(|(name, text)| second[name] == *text));
    assert_eq!(journal(&folder, "index.jsonl").len(), 2);
    let failed = journal(&folder, "failed.jsonl");
    assert_eq!(failed.keys().collect::<Vec<_>>(), [&server.address("/none"), "https://else.test/"]);

    // Nothing is left to do; a document that was taken away is made again.
    write_input(&folder, &server, &["/b/1", "/a/1"]);
    let asked = server.pages_asked().len();
    batch(&folder, &["-f", "json"]).exits(DONE).says(&["0 done", "2 done before"]);
    assert_eq!(server.pages_asked().len(), asked);
    let gone = second.keys().next().unwrap();
    std::fs::remove_file(folder.path(&format!("out/{gone}"))).unwrap();
    batch(&folder, &["-f", "json"]).exits(DONE).says(&["1 done", "1 done before"]);
    assert_eq!(documents(&folder), second);
    assert_eq!(journal(&folder, "index.jsonl").len(), 2);
}

/// Ended without warning, run again: as if nothing had been.
#[test]
fn a_killed_batch_goes_on() {
    let folder = TestFolder::new();
    let rules = loopback_rules(&folder);
    let answers = (0..40_usize).map(|number| {
        let text = format!("Document {number}, and nothing of any other.");
        (format!("/{number}"), html(page(&text, None)))
    });
    let server = LoopbackServer::slow(Duration::from_millis(5), canned(answers));
    let urls: Vec<String> = (0..40).map(|number| server.address(&format!("/{number}"))).collect();
    let (input, out) = (folder.file("urls.txt", urls.join("\n")), folder.path("out"));
    let archive = folder.path("a.warc.gz");
    let arguments = ["--input", &input, "-o", &out, "--rules", &rules, "--save", &archive, "-f", "txt"];
    let mut child = command(&live_join(&arguments)).spawn().unwrap();
    let begin = Instant::now();
    let done =
        || std::fs::read_to_string(folder.path("out/index.jsonl")).map_or(0, |index| index.lines().count());
    while done() < 10 {
        assert!(begin.elapsed() < Duration::from_secs(30), "the run does not get on");
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = done();
    assert!(before < 40, "the run was over before it was ended");
    join_live(&arguments).exits(DONE).says(&["40 URLs", "done before"]);
    assert_eq!((journal(&folder, "index.jsonl").len(), documents(&folder).len()), (40, 40));
    let pages = server.pages_asked().into_iter();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    pages.for_each(|path| *counts.entry(path).or_default() += 1);
    let twice = counts.values().filter(|count| **count > 1).count();
    // What the killed run was about to say is no page.
    let all = (0..40).all(|number| counts.contains_key(&format!("/{number}")));
    assert!(all && twice <= 1, "asked for again: {twice}; {counts:?}");

    // The same from the archive alone.
    let replayed = folder.path("replayed");
    tsugi(&["join", "--input", &input, "-o", &replayed, "--rules", &rules, "--pages", &archive, "-f", "txt"])
        .exits(DONE);
    for (name, text) in documents(&folder) {
        assert_eq!(folder.read(&format!("replayed/{name}")), text);
    }
}

/// The memory of the process is limited, so that a page can end it.
#[cfg(target_os = "linux")]
#[test]
fn a_url_that_kills_the_process_is_gone_past_and_named() {
    let folder = TestFolder::new();
    let (rules, archive, out) = (loopback_rules(&folder), folder.path("pages.warc"), folder.path("out"));
    let url = |name: &str| format!("http://127.0.0.1:1/{name}");
    let heavy = format!("<title>Heavy</title><main>{}</main>", "<p>a<b>b</b>".repeat(1_500_000));
    let warc = Warc::default()
        .page(&url("1"), page("One.", None))
        .page(&url("heavy"), heavy)
        .page(&url("2"), page("Two.", None))
        .page(&url("3"), page("Three.", None));
    std::fs::write(&archive, warc.bytes).unwrap();
    let input = folder.file("urls.txt", ["1", "heavy", "2", "3"].map(url).join("\n"));
    let batch = |kilobytes: usize| {
        let limited = format!(
            "ulimit -v {kilobytes}; {TSUGI} join --input {input} --pages {archive} -o {out} --rules {rules} --jobs 1; exit $?"
        );
        run("/bin/sh", &["-c", &limited])
    };
    let listed = |name: &str| journal(&folder, name).into_keys().collect::<Vec<_>>();
    let killed = |run: &ProgramRun| ![DONE, PARTLY_FAILED, FAILED].contains(&run.code);
    assert!(killed(&batch(300_000)), "the page did not end the process");
    assert_eq!(listed("index.jsonl"), [url("1")]);
    // All others come before it.
    let second = batch(300_000).says(&["/heavy: an earlier run was killed"]);
    assert!(killed(&second));
    assert_eq!(listed("index.jsonl"), ["1", "2", "3"].map(url));
    for _ in 0..2 {
        batch(300_000).exits(PARTLY_FAILED).says(&["1 failed", "3 done before"]);
        let failed = journal(&folder, "failed.jsonl");
        assert_eq!(failed[&url("heavy")]["reason"], "killed", "{failed:?}");
    }
    // With more memory, and its line removed.
    std::fs::remove_file(folder.path("out/begun.jsonl")).unwrap();
    batch(8_000_000).exits(DONE);
    assert!(!std::fs::exists(folder.path("out/begun.jsonl")).unwrap());
}

/// A document that a failure cut short is tried again in each run, and has nothing to do with the page that ends them.
#[cfg(target_os = "linux")]
#[test]
fn what_is_tried_again_is_no_url_that_kills_the_process() {
    let folder = TestFolder::new();
    let (rules, archive, out) = (loopback_rules(&folder), folder.path("pages.warc"), folder.path("out"));
    let url = |name: &str| format!("http://127.0.0.1:1/{name}");
    let heavy = format!("<title>Heavy</title><main>{}</main>", "<p>a<b>b</b>".repeat(1_500_000));
    // The next page of the first is not stored.
    let warc =
        Warc::default().page(&url("short"), page("Short, one.", Some("/none"))).page(&url("heavy"), heavy);
    std::fs::write(&archive, warc.bytes).unwrap();
    let input = folder.file("urls.txt", ["short", "heavy"].map(url).join("\n"));
    let batch = || {
        let join = format!("join --input {input} --pages {archive} -o {out} --rules {rules} --jobs 1");
        run("/bin/sh", &["-c", &format!("ulimit -v 300000; {TSUGI} {join}; exit $?")])
    };
    let listed = |name: &str| journal(&folder, name).into_keys().collect::<Vec<_>>();
    for _ in 0..2 {
        assert!(![DONE, PARTLY_FAILED, FAILED].contains(&batch().code), "the page did not end the process");
    }
    batch().exits(PARTLY_FAILED).says(&["1 done", "1 cut short by a failure", "1 failed"]);
    assert_eq!(listed("index.jsonl"), [url("short")]);
    assert_eq!(listed("failed.jsonl"), [url("heavy")]);
}

/// Trying again takes nothing away: not the document, if the next try gets less; not its line; and of a document with
/// another name, the older file goes.
#[test]
fn a_document_that_was_cut_short_stays_until_there_is_a_better_one() {
    let folder = TestFolder::new();
    let pages = Arc::new(Mutex::new(BTreeMap::from([
        ("/1", page("One.", Some("/2"))),
        ("/2", page("Two.", Some("/3"))),
    ])));
    let served = pages.clone();
    let server = LoopbackServer::start(move |request| {
        let page = served.lock().unwrap().get(request.path.as_str()).cloned();
        match &*request.path {
            "/robots.txt" => missing(),
            _ => page.map_or_else(|| answer("500 Internal Server Error", ""), html),
        }
    });
    write_input(&folder, &server, &["/1"]);
    let line = || journal(&folder, "index.jsonl")[&server.address("/1")].clone();
    batch(&folder, &[]).exits(PARTLY_FAILED).says(&["1 cut short by a failure"]);
    let (first, documents_before) = (line(), documents(&folder));
    assert_eq!(first["pages"], 2);
    for gone in ["/2", "/1"] {
        pages.lock().unwrap().remove(gone);
        batch(&folder, &[]).exits(PARTLY_FAILED).says(&["1 cut short by a failure", "stays (2 pages)"]);
        assert_eq!((line(), documents(&folder)), (first.clone(), documents_before.clone()));
        assert_eq!(journal(&folder, "failed.jsonl"), BTreeMap::new());
    }
    pages.lock().unwrap().insert("/1", page("One.", None).replace("<title>Page", "<title>Whole"));
    batch(&folder, &[]).exits(DONE);
    let names = documents(&folder).into_keys().collect::<Vec<_>>();
    assert_eq!(names, [line()["file"].as_str().unwrap()]);
    assert!(names[0].starts_with("whole_"), "{names:?}");
}

#[test]
fn urls_come_from_stdin_and_pages_from_an_archive() {
    let folder = TestFolder::new();
    let (out, archive) = (folder.path("out"), data("pages.warc.gz"));
    let english = "https://magazine.example/features/tide-mill/1.html";
    let arguments = ["join", "--input", "-", "-o", &out, "--pages", &archive, "-f", "jsonl", "--jobs", "3"];
    let mut child = command(&arguments).stdin(Stdio::piped()).spawn().unwrap();
    let input =
        format!("{english}\nhttps://yomimono.example/tokushu/saka/1.html\nhttps://magazine.example/none\n");
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    finish(child).exits(PARTLY_FAILED).says(&["3 URLs", "2 done", "7 pages", "1 failed"]);
    let index = journal(&folder, "index.jsonl");
    let document = folder.read(&format!("out/{}", index[english]["file"].as_str().unwrap()));
    let alone = tsugi(&["join", english, "--pages", &archive, "-f", "jsonl"]).exits(DONE);
    assert_eq!(document, alone.stdout);
    assert_eq!(index[english]["title"], alone.json()["title"]);
    let failed = journal(&folder, "failed.jsonl");
    assert_eq!(failed["https://magazine.example/none"]["reason"], "not-stored");
}

#[test]
fn the_exit_code_tells_what_came_of_it() {
    let folder = TestFolder::new();
    let server = LoopbackServer::start(canned(site()));
    folder.file("urls.txt", "# nothing\n\n");
    batch(&folder, &[]).exits(NOTHING_FOUND).says(&["urls.txt"]);
    write_input(&folder, &server, &["/none", "/blank"]);
    batch(&folder, &[]).exits(FAILED).says(&["2 failed"]);
    write_input(&folder, &server, &["/c/1"]);
    batch(&folder, &[]).exits(DONE).says(&["1 URL: 1 done"]);
    folder.file("urls.txt", "nonsense");
    batch(&folder, &[]).exits(FAILED);
    std::fs::remove_file(folder.path("urls.txt")).unwrap();
    batch(&folder, &[]).exits(FAILED).says(&["urls.txt"]);
}

/// A document that a failure cut short is one all the same; the run says how many there are, and the next run tries
/// again.
#[test]
fn documents_that_a_failure_ended_are_counted() {
    let folder = TestFolder::new();
    let server = LoopbackServer::start(canned([("/1", html(page("One.", Some("/none"))))]));
    write_input(&folder, &server, &["/1"]);
    batch(&folder, &[]).exits(PARTLY_FAILED).says(&["1 done", "1 cut short by a failure"]);
    assert_eq!(journal(&folder, "index.jsonl")[&server.address("/1")]["stopped"]["reason"], "fetch-failed");
    batch(&folder, &[]).exits(PARTLY_FAILED).says(&["1 done", "1 cut short by a failure"]);
    // Another format has lines of its own.
    batch(&folder, &["-f", "txt"]).exits(PARTLY_FAILED);
    assert_eq!(folder.read("out/index.jsonl").lines().count(), 2);
}
