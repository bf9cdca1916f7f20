//! `join --all`: hosts in parallel, several archives, little memory, and runs that are stopped and continued.

use crate::support::{
    DONE, FAILED, NOTHING_FOUND, PARTLY_FAILED, TSUGI, TestFolder, WRONG_USE, Warc, command, data, item,
    page, run, tsugi,
};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant};

/// Rules for all hosts below `example`.
fn rules(folder: &TestFolder) -> String {
    folder.file("rules.json", json!([item("all", "^https?://[a-z0-9.]+\\.example/")]).to_string())
}

/// Adds a page of a host: each has chains of three pages, and every fourth page is alone. `more` bytes make it larger.
fn add(warc: Warc, host: usize, number: usize, more: usize) -> Warc {
    let next = (number + 1).to_string();
    let next = Some(next.as_str()).filter(|_| number % 4 < 2);
    let text =
        format!("Host {host}, page {number}. {}", "It goes on and on. ".repeat(1 + (host * number) % 7));
    let html = page(&text, next) + &format!("<!--{}-->", "x".repeat(more));
    warc.page(&format!("https://h{host}.example/{number}"), html)
}

/// An archive in which the pages of some hosts alternate.
fn mixed(hosts: usize, pages: usize, more: usize) -> Warc {
    let places = (0..pages).flat_map(|number| (0..hosts).map(move |host| (host, number)));
    places.fold(Warc::default(), |warc, (host, number)| add(warc, host, number, more))
}

fn pages_of(text: &str) -> Vec<Vec<String>> {
    let documents = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let pages = documents.map(|document| document["pages"].as_array().unwrap().clone());
    pages.map(|pages| pages.iter().map(|page| page["url"].as_str().unwrap().to_owned()).collect()).collect()
}

#[test]
fn neither_threads_nor_memory_change_a_byte() {
    let folder = TestFolder::new();
    let rules = rules(&folder);
    // With a page more than a hundred KiB long, three pages are too many for a quarter of a MiB.
    let archive = folder.file("pages.warc", mixed(5, 12, 110 << 10).bytes);
    for format in ["jsonl", "md", "html", "txt", "json"] {
        let join = ["join", "--all", &archive, "--rules", &rules, "-f", format];
        let one = tsugi(&[&join[..], &["--jobs", "1"]].concat()).exits(DONE);
        for options in [
            &[][..],
            &["--jobs", "3"],
            &["--jobs", "1", "--memory", "1", "-v"],
            &["--jobs", "4", "--memory", "1", "-v"],
        ] {
            let run = tsugi(&[&join[..], options].concat()).exits(DONE);
            assert!(run.stdout == one.stdout, "{format} {options:?}: {}\n{}", run.stdout, one.stdout);
            assert_eq!(run.stderr.contains("a large host: 12 pages"), options.contains(&"--memory"));
        }
    }
    let run = tsugi(&["join", "--all", &archive, "--rules", &rules, "-f", "jsonl"]).exits(DONE);
    let documents = pages_of(&run.stdout);
    // In the order of their first pages: 0, 3, 4, 7, 8 and 11 of each host.
    let starts: Vec<String> = documents.iter().map(|pages| pages[0].clone()).collect();
    let expected = [0, 3, 4, 7, 8, 11]
        .into_iter()
        .flat_map(|number| (0..5).map(move |host| format!("https://h{host}.example/{number}")));
    assert_eq!(starts, expected.collect::<Vec<_>>());
    assert!(documents.iter().all(|pages| matches!(pages.len(), 1 | 3)), "{documents:?}");
}

#[test]
fn the_stored_pages_of_the_data_sets_do_not_depend_on_threads() {
    let archive = data("pages.warc.gz");
    let join = ["join", "--all", &archive, "-f", "jsonl"];
    let run = |options: &[&str]| tsugi(&[&join[..], options].concat()).exits(DONE).stdout;
    let one = run(&["--jobs", "1"]);
    assert_eq!(one.lines().count(), 4, "{one}");
    assert!(one == run(&["--jobs", "2"]) && one == run(&["--jobs", "2", "--memory", "1"]));
}

#[test]
fn several_archives_are_as_one() {
    let folder = TestFolder::new();
    let rules = rules(&folder);
    let warc = mixed(3, 8, 0);
    let cut = warc.offsets[10];
    let whole = folder.file("whole.warc", &warc.bytes);
    let first = folder.file("parts/1.warc", &warc.bytes[..cut]);
    let second = folder.file("parts/2.WARC", &warc.bytes[cut..]);
    folder.file("parts/3.txt", "no archive");
    let parts = folder.path("parts");
    let run = |archives: &[&str]| {
        tsugi(&[&["join", "--all", "-f", "jsonl", "--rules", &rules], archives].concat()).exits(DONE).stdout
    };
    let expected = run(&["--pages", &whole]);
    assert_eq!(pages_of(&expected).len(), 12);
    for archives in [
        &[whole.as_str()][..],
        &[&first, &second],
        &["--pages", &first, &second],
        &["--pages", &first, "--pages", &second],
        &["--pages", &parts],
        &[&parts],
    ] {
        assert_eq!(run(archives), expected, "{archives:?}");
    }
    // A later capture of a page changes nothing.
    assert_eq!(run(&[&whole, &parts]), expected);
    std::fs::create_dir(folder.path("empty")).unwrap();
    tsugi(&["join", "--all", &folder.path("empty")]).exits(FAILED).says(&["empty", "no archive"]);
    tsugi(&["join", "https://h0.example/0", "--pages", &first, "--pages", &second])
        .exits(WRONG_USE)
        .says(&["several archives", "--all"]);
    let nothing = folder.file("nothing.warc", "");
    tsugi(&["join", "--all", &nothing]).exits(NOTHING_FOUND).writes_nothing();
}

/// An address that redirects to a stored page has no document of its own, and does not cut the chain of that page.
#[test]
fn redirects_are_no_pages() {
    let folder = TestFolder::new();
    let rules = rules(&folder);
    let to = |at: &str| format!("301 Moved\r\nLocation: {at}");
    let warc = Warc::default()
        .record("https://a.example/old", &to("/2"), "")
        .record("https://c.example/", &to("https://b.example/1"), "")
        .page("https://a.example/1", page("One.", Some("/old")))
        .page("https://b.example/0", page("Zero.", Some("1")))
        .page("https://b.example/1", page("First.", None))
        .page("https://a.example/2", page("Two.", Some("3")))
        .page("https://a.example/3", page("Three.", None))
        .record("https://a.example/lost", &to("/nowhere"), "");
    let archive = folder.file("pages.warc", warc.bytes);
    let run = tsugi(&["join", "--all", &archive, "-f", "jsonl", "--rules", &rules]).exits(PARTLY_FAILED);
    let expected = [
        &["https://a.example/1", "https://a.example/2", "https://a.example/3"][..],
        &["https://b.example/0", "https://b.example/1"],
    ];
    assert_eq!(pages_of(&run.stdout), expected);
    run.says(&["https://a.example/lost: ", "https://a.example/nowhere"]);
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let folder = TestFolder::new();
    let rules = rules(&folder);
    // A failure of each host is told in any case.
    let warc = (0..300).fold(Warc::default(), |warc, host| {
        let warc = (0..4).fold(warc, |warc, number| add(warc, host, number, 0));
        warc.record(&format!("https://h{host}.example/gone"), "503 No", "")
    });
    let archive = folder.file("pages.warc", warc.bytes);
    let (whole, out) = (folder.path("whole.jsonl"), folder.path("out.jsonl"));
    let join = |out: &str, options: &[&str]| -> Vec<String> {
        let all = ["join", "--all", &archive, "--rules", &rules, "--jobs", "1", "-o", out];
        [&all[..], options].concat().into_iter().map(str::to_owned).collect()
    };
    let expected = tsugi(&join(&whole, &["-q"])).exits(PARTLY_FAILED);
    assert_eq!(folder.names(), ["pages.warc", "rules.json", "whole.jsonl"]);

    let mut child = command(&join(&out, &[])).spawn().unwrap();
    let journal = folder.path("out.jsonl.unfinished/journal.jsonl");
    let begin = Instant::now();
    let lines = || std::fs::read_to_string(&journal).unwrap_or_default().lines().count();
    while lines() < 2 && child.try_wait().unwrap().is_none() {
        assert!(begin.elapsed() < Duration::from_secs(30), "no host was done");
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    let _ = child.wait_with_output().unwrap();
    assert!(!folder.names().contains(&"out.jsonl".to_owned()), "{:?}", folder.names());

    // What was written after the journal may be torn.
    for name in ["documents", "rows"] {
        let path = folder.path(&format!("out.jsonl.unfinished/{name}"));
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.extend_from_slice(b"torn");
        std::fs::write(&path, bytes).unwrap();
    }
    let mut torn = std::fs::read_to_string(&journal).unwrap();
    write!(torn, "{{\"done\":{{\"hosts\":30").unwrap();
    std::fs::write(&journal, torn).unwrap();

    tsugi(&join(&out, &["--resume", "--max-pages", "2"]))
        .exits(FAILED)
        .says(&["out.jsonl.unfinished", "other archives or options"]);
    let run =
        tsugi(&join(&out, &["--resume"])).exits(PARTLY_FAILED).says(&["going on after ", " hosts with "]);
    assert!(folder.read("out.jsonl") == folder.read("whole.jsonl"));
    let told: Vec<&str> = run.stderr.lines().filter(|line| line.contains("/gone")).collect();
    assert_eq!(told, expected.stderr.lines().collect::<Vec<_>>());
    assert_eq!(folder.names(), ["out.jsonl", "pages.warc", "rules.json", "whole.jsonl"]);

    // With nothing to go on from, a run begins.
    tsugi(&join(&out, &["--resume", "-q"])).exits(PARTLY_FAILED);
    assert!(folder.read("out.jsonl") == folder.read("whole.jsonl"));
}

/// The memory of the process is limited, so that a page can end it.
#[cfg(target_os = "linux")]
#[test]
fn a_page_that_kills_the_process_is_left_out_and_named() {
    let folder = TestFolder::new();
    let rules = rules(&folder);
    let of_hosts = |warc: Warc| {
        (0..9).fold(warc, |warc, host| (0..3).fold(warc, |warc, number| add(warc, host, number, 0)))
    };
    let heavy = format!("<title>Heavy</title><main>{}</main>", "<p>a<b>b</b>".repeat(1_500_000));
    let archive =
        folder.file("pages.warc", of_hosts(Warc::default().page("https://h4.example/heavy", heavy)).bytes);
    let light = folder.file("light.warc", of_hosts(Warc::default()).bytes);
    let (whole, out) = (folder.path("whole.jsonl"), folder.path("out.jsonl"));
    tsugi(&["join", "--all", &light, "--rules", &rules, "-q", "-o", &whole]).exits(DONE);
    let join = |resume: &str| {
        let limited = format!(
            "ulimit -v 300000; {TSUGI} join --all {archive} --rules {rules} --jobs 1 -o {out} {resume}; exit $?"
        );
        run("/bin/sh", &["-c", &limited])
    };
    let first = join("");
    assert!(![DONE, FAILED, PARTLY_FAILED].contains(&first.code), "the page did not end the process");
    join("--resume").exits(PARTLY_FAILED).says(&["https://h4.example/heavy: left out"]);
    assert!(folder.read("out.jsonl") == folder.read("whole.jsonl"));
}

#[test]
fn a_run_out_of_time_writes_what_it_has_and_can_go_on() {
    let folder = TestFolder::new();
    let rules = rules(&folder);
    let archive = folder.file("pages.warc", mixed(300, 4, 0).bytes);
    let (whole, out) = (folder.path("whole.jsonl"), folder.path("out.jsonl"));
    let all = |out| ["join", "--all", &archive, "--rules", &rules, "-o", out, "--jobs", "1"];
    tsugi(&all(&whole)).exits(DONE);
    let run = tsugi(&[&all(&out)[..], &["--max-run-time", "0.3"]].concat());
    // Where 1200 pages take less, there is nothing to continue.
    if run.code == PARTLY_FAILED {
        let run = run.says(&["stopped after ", "--max-run-time"]);
        if run.stderr.contains("--resume") {
            let part = folder.read("out.jsonl");
            assert!(!part.is_empty() && part.lines().all(|line| folder.read("whole.jsonl").contains(line)));
        }
    }
    tsugi(&[&all(&out)[..], &["--resume"]].concat()).exits(DONE);
    assert!(folder.read("out.jsonl") == folder.read("whole.jsonl"));
}

#[test]
fn a_run_without_a_file_cannot_be_continued() {
    let archive = data("pages.warc.gz");
    tsugi(&["join", "--all", &archive, "--resume", "-f", "md", "-o", "/dev/null"])
        .exits(FAILED)
        .says(&["--resume needs a file"]);
}
