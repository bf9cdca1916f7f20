//! Ctrl-C: what is held is written, and nobody waits for the network.

#![cfg(unix)]

use crate::support::{
    LOCAL, LoopbackServer, ProgramRun, TestFolder, canned, command, data, finish, html, json_lines,
    loopback_rules, page, patient_site,
};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

const INTERRUPTED: i32 = 130;

fn press_ctrl_c(child: &Child) {
    let pressed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(pressed.success());
}

#[track_caller]
fn wait_until(what: impl Fn() -> bool) {
    let begin = Instant::now();
    while !what() {
        assert!(begin.elapsed() < Duration::from_secs(30), "it never came to that");
        thread::sleep(Duration::from_millis(5));
    }
}

fn site() -> LoopbackServer {
    LoopbackServer::start(canned([patient_site(), vec![("/b/1", html(page("Alone.", None)))]].concat()))
}

/// Starts a run, and presses Ctrl-C once the server was asked for `path`.
fn interrupted(arguments: &[&str], server: &LoopbackServer, path: &str) -> ProgramRun {
    let child = command(arguments).args(LOCAL).spawn().unwrap();
    wait_until(|| server.pages_asked().iter().any(|asked| asked == path));
    // The page is read, and the wait for the next one begins.
    thread::sleep(Duration::from_millis(500));
    let begin = Instant::now();
    press_ctrl_c(&child);
    let run = finish(child).exits(INTERRUPTED);
    assert!(begin.elapsed() < Duration::from_secs(10), "it took {:?}", begin.elapsed());
    run
}

#[test]
fn a_join_writes_the_pages_that_it_has() {
    let (folder, server) = (TestFolder::new(), site());
    let (rules, url) = (loopback_rules(&folder), server.address("/1"));
    let run = interrupted(&["join", &url, "-f", "json", "--rules", &rules], &server, "/1");
    let document =
        run.clone().says(&["1 page, incomplete; stopped: interrupted", "run the command again"]).json();
    assert_eq!((&document["text"], &document["complete"]), (&"One.".into(), &false.into()));
    let file = folder.path("out.md");
    interrupted(&["join", &server.address("/1"), "-o", &file, "--rules", &rules], &server, "/1")
        .writes_nothing();
    assert!(folder.read("out.md").contains("One."));
}

#[test]
fn without_a_page_nothing_is_written() {
    let (folder, server) =
        (TestFolder::new(), LoopbackServer::slow(Duration::from_secs(3), canned(patient_site())));
    let file = folder.path("out.md");
    let child = command(&["join", &server.address("/1"), "-o", &file]).args(LOCAL).spawn().unwrap();
    thread::sleep(Duration::from_secs(1));
    press_ctrl_c(&child);
    finish(child).exits(INTERRUPTED).says(&["no page was fetched"]).writes_nothing();
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

#[test]
fn a_batch_keeps_whole_documents_and_leaves_the_rest_to_the_next_run() {
    let (folder, server) = (TestFolder::new(), site());
    let (rules, out) = (loopback_rules(&folder), folder.path("out"));
    let urls = folder.file("urls.txt", [server.address("/b/1"), server.address("/1")].join("\n"));
    let arguments = ["join", "--input", &urls, "-o", &out, "-f", "txt", "--rules", &rules];
    let run = interrupted(&arguments, &server, "/b/1");
    run.says(&["1 done", "0 failed", "stopped by Ctrl-C"]);
    let index = json_lines(&folder.read("out/index.jsonl"));
    assert_eq!((index.len(), &index[0]["complete"]), (1, &true.into()));
    assert_eq!(folder.read("out/failed.jsonl"), "");
}

#[test]
fn all_chains_of_an_archive_can_be_interrupted() {
    let child =
        command(&["join", "--pages", &data("pages.warc.gz"), "--all", "-f", "jsonl"]).spawn().unwrap();
    thread::sleep(Duration::from_millis(20));
    press_ctrl_c(&child);
    // Ctrl-C may come before it is caught, or once all is done.
    let status = child.wait_with_output().unwrap();
    for line in String::from_utf8(status.stdout).unwrap().lines() {
        assert!(line.starts_with('{') && line.ends_with('}'), "{line}");
    }
}
