//! `tsugi scan`.

use crate::support::{
    DONE, FAILED, LoopbackServer, NOTHING_FOUND, PARTLY_FAILED, TSUGI, TestFolder, Warc, canned, checked,
    command, data, finish, html, json_lines, labels, names_what_it_shows, page, paragraphs, run, tsugi,
};
use serde_json::{Value, json};
use tsugi::page::Page;

fn scanned() -> Vec<Value> {
    let run = tsugi(&["scan", &data("pages.warc.gz")]).exits(DONE);
    let said = "11 pages: 7 with a next page, 4 without\n";
    assert_eq!(run.stderr, said, "there is nothing to complain of, and no progress where no terminal is");
    run.json_lines()
}

#[test]
fn an_archive_gives_one_line_a_page_in_its_order() {
    let (lines, labels) = (scanned(), labels());
    let urls: Vec<&Value> = lines.iter().map(|line| &checked(line)["url"]).collect();
    assert_eq!(urls, labels.iter().map(|label| &label["url"]).collect::<Vec<_>>());
    for (line, label) in lines.iter().zip(&labels) {
        let (declared, labelled) = (line["lang"].as_str().unwrap(), label["lang"].as_str().unwrap());
        assert!(declared.starts_with(labelled), "{line}");
        assert_eq!(line["error"], Value::Null);
        assert!(!line["title"].as_str().unwrap().is_empty());
    }
}

/// A next page is right where it is the labelled one, or both are none. A text is right where all labelled
/// paragraphs are in it, and labelled lines make up half of it or more. Two thirds of the pages must be right.
#[test]
fn most_pages_are_as_labelled() {
    let (lines, labels) = (scanned(), labels());
    let (mut right_next, mut right_text) = (0, 0);
    for (line, label) in lines.iter().zip(&labels) {
        right_next += usize::from(line["next"]["url"] == label["next"]);
        let (found, expected) = (line["content"]["text"].as_str().unwrap(), label["text"].as_str().unwrap());
        let inside = paragraphs(expected).all(|paragraph| found.contains(paragraph));
        let length: usize = expected.lines().filter(|line| found.contains(line)).map(str::len).sum();
        right_text += usize::from(inside && length * 2 >= found.len());
    }
    assert!(right_next * 3 >= lines.len() * 2, "{right_next} of {} next pages are right", lines.len());
    assert!(right_text * 3 >= lines.len() * 2, "{right_text} of {} texts are right", lines.len());
}

#[test]
fn rules_give_the_labels() {
    let run = tsugi(&["scan", &data("pages.warc.gz"), "--rules", &data("siteinfo.json")]).exits(DONE);
    for (line, label) in run.json_lines().iter().zip(&labels()) {
        assert_eq!(checked(line)["next"]["url"], label["next"], "{}", line["url"]);
        assert_eq!(line["content"]["text"], label["text"], "{}", line["url"]);
        if !line["next"].is_null() {
            assert_eq!((&line["next"]["by"], &line["next"]["relation"]), (&json!("rule"), &json!("page")));
        }
    }
}

#[test]
fn location_paths_lead_to_the_text() {
    for name in ["english-article/2.html", "japanese-article/2.html", "listing/page2.html"] {
        let file = data(name);
        let lines = tsugi(&["scan", &file]).exits(DONE).json_lines();
        let [line] = lines.as_slice() else { panic!("one file, one line") };
        let url = checked(line)["url"].as_str().unwrap().parse().unwrap();
        let page = Page::parse(&std::fs::read(&file).unwrap(), &url, None);
        assert!(!line["content"]["nodes"].as_array().unwrap().is_empty(), "{name}");
        names_what_it_shows(&page, line);
    }
}

#[test]
fn sources_are_scanned_in_the_order_given() {
    let folder = TestFolder::new();
    let server = LoopbackServer::start(canned([("/served", html(page("Served.", None)))]));
    let (file, served, none) =
        (data("single/plum-barley-bread.html"), server.address("/served"), folder.path("none.html"));
    let archive =
        folder.file("pages.warc", Warc::default().page("http://a.example/", page("Stored.", None)).bytes);
    let run =
        tsugi(&["scan", &served, &none, &archive, &server.address("/none"), &file]).exits(PARTLY_FAILED);
    let lines = run.json_lines();
    let urls: Vec<&str> = lines.iter().map(|line| checked(line)["url"].as_str().unwrap()).collect();
    assert_eq!(urls[..4], [&served, &none, "http://a.example/", &server.address("/none")]);
    assert!(urls[4].starts_with("file:///") && urls[4].ends_with("/single/plum-barley-bread.html"));
    let failed: Vec<bool> = lines.iter().map(|line| line["error"].is_string()).collect();
    assert_eq!(failed, [false, true, false, true, false]);
    assert!(lines[3]["error"].as_str().unwrap().contains("404"), "{}", lines[3]);
}

#[test]
fn records_that_are_no_pages_become_error_lines() {
    let folder = TestFolder::new();
    let warc = Warc::default()
        .page("http://a.example/1", page("One.", None))
        .record("http://a.example/2", "404 Not Found\r\nContent-Type: text/html", "<p>no")
        .record("http://a.example/3.png", "200 OK\r\nContent-Type: image/png", b"\x89PNG\r\n")
        .page("http://a.example/4", page("Four.", None));
    let archive = folder.file("pages.warc", warc.bytes);
    let lines = tsugi(&["scan", &archive]).exits(PARTLY_FAILED).json_lines();
    let errors: Vec<&str> = lines.iter().map(|line| checked(line)["error"].as_str().unwrap_or("")).collect();
    assert_eq!((errors[0], errors[3], errors.len()), ("", "", 4));
    assert!(errors[1].contains("404") && errors[2].contains("image/png"), "{errors:?}");
}

#[test]
fn an_address_has_one_spelling_in_all_output() {
    let folder = TestFolder::new();
    let warc = Warc::default()
        .page("https://kiln.example/", page("Choose dry ground away from trees.", Some("/第二章")))
        .page("https://kiln.example/第二章", page("Lay two rows of common brick on sand.", None));
    let archive = folder.file("kiln.warc", warc.bytes);
    let lines = tsugi(&["scan", &archive]).exits(DONE).json_lines();
    let second = "https://kiln.example/%E7%AC%AC%E4%BA%8C%E7%AB%A0";
    assert_eq!((&lines[0]["next"]["url"], &lines[1]["url"]), (&json!(second), &json!(second)));
}

#[test]
fn lines_are_written_to_a_file() {
    let folder = TestFolder::new();
    let written = folder.file("lines.jsonl", "old");
    tsugi(&["scan", &data("pages.warc.gz"), "-o", &written]).exits(DONE).writes_nothing();
    assert_eq!(json_lines(&folder.read("lines.jsonl")), scanned());
    assert_eq!(folder.names(), ["lines.jsonl"], "nothing is left over");
}

const JOBS: [&str; 4] = ["1", "2", "7", "99"];

/// Pages short and long, in turn, so that those behind a long one are done before it.
fn uneven(pages: usize) -> Warc {
    (0..pages).fold(Warc::default(), |warc, number| {
        let paragraph = format!("Page {number} says this, and says it at some length. ");
        let text = paragraph.repeat(if number % 5 == 0 { 400 } else { 3 });
        let next = format!("/{}", number + 1);
        warc.page(&format!("http://a.example/{number}"), page(&text, Some(&next)))
    })
}

#[test]
fn lines_are_the_same_for_any_number_of_jobs() {
    let folder = TestFolder::new();
    let mut warc = uneven(12)
        .record("http://a.example/gone", "404 Not Found\r\nContent-Type: text/html", "<p>no")
        .record(
            "http://a.example/packed",
            "200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/html",
            "\x1f\u{b}",
        );
    warc.bytes.extend_from_slice(b"this is no record\n");
    let mut warc = warc.page("http://a.example/after", page("After.", None));
    warc.bytes.truncate(warc.bytes.len() - 30);
    let archive = folder.file("broken.warc", warc.bytes);
    let (whole, file) = (folder.file("whole.warc", uneven(7).bytes), data("single/plum-barley-bread.html"));
    let none = folder.path("none.html");
    let scan = |jobs| {
        let sources = ["scan", "--jobs", jobs, &archive, &none, &file, &whole, &data("pages.warc.gz")];
        tsugi(&sources).exits(PARTLY_FAILED).says(&[
            "broken.warc",
            "no record starts here",
            "the file ends inside it",
        ])
    };
    let one = scan("1");
    let lines = one.json_lines();
    assert_eq!(lines.len(), 12 + 2 + 1 + 1 + 7 + labels().len());
    assert_eq!(lines[11]["url"], "http://a.example/11");
    for jobs in JOBS {
        let run = scan(jobs);
        assert!(run.stdout == one.stdout, "{jobs} jobs");
        assert_eq!(run.stderr, one.stderr, "{jobs} jobs");
    }
}

#[test]
fn an_archive_without_a_page_gives_nothing() {
    let folder = TestFolder::new();
    let info = "WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
    let archive = folder.file("info.warc", info);
    for jobs in JOBS {
        let run = tsugi(&["scan", "--jobs", jobs, &archive]).exits(NOTHING_FOUND).writes_nothing();
        assert_eq!(run.stderr, "no pages\n", "{jobs} jobs");
    }
}

#[test]
fn the_last_line_tells_damage_from_records_without_a_page() {
    let folder = TestFolder::new();
    let warc = Warc::default()
        .page("http://a.example/1", page("One.", None))
        .record("http://a.example/2", "404 Not Found\r\nContent-Type: text/html", "<p>no")
        .record("http://a.example/3", "410 Gone\r\nContent-Type: text/html", "<p>no")
        .record("http://a.example/4.png", "200 OK\r\nContent-Type: image/png", b"\x89PNG\r\n");
    let mut damaged = warc.bytes.clone();
    damaged.truncate(damaged.len() - 10);
    let (whole, damaged) = (folder.file("whole.warc", warc.bytes), folder.file("damaged.warc", damaged));
    for (archive, said) in [
        (&whole, "1 page: 0 with a next page, 1 without; 3 lines with an error (1 not-html, 2 status)"),
        (
            &damaged,
            "1 page: 0 with a next page, 1 without; 2 lines with an error (2 status); \
             1 record cannot be read: the archive is damaged there",
        ),
    ] {
        let run = tsugi(&["scan", archive]).exits(PARTLY_FAILED);
        assert_eq!(run.stderr.lines().last(), Some(said));
    }
    let run = tsugi(&["join", "--all", &damaged, "-f", "jsonl"]).exits(PARTLY_FAILED);
    let said = "1 document; 2 records without a page; 1 record cannot be read: the archive is damaged there";
    assert_eq!(run.stderr.lines().last(), Some(said));
    let run = tsugi(&["join", "--all", &whole, "-f", "jsonl"]).exits(PARTLY_FAILED);
    assert_eq!(run.stderr.lines().last(), Some("1 document; 3 records without a page"));
    let none = folder.file("notes.md", "# Notes\n\nThis is no archive.\n");
    tsugi(&["join", "--all", &none]).exits(FAILED).says(&["notes.md", "not a WARC archive"]);
}

#[test]
fn bad_records_are_no_damage() {
    let folder = TestFolder::new();
    let no_address = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>No address.";
    let head = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: no address\r\n";
    let bad = format!("{head}Content-Length: {}\r\n\r\n{no_address}\r\n\r\n", no_address.len());
    let mut warc = Warc::default().page("http://a.example/1", page("One.", None));
    warc.bytes.extend_from_slice(bad.as_bytes());
    let whole = warc.page("http://a.example/2", page("Two.", None)).bytes;
    let cut = &whole[..whole.len() - 10];
    let pages = "2 pages: 0 with a next page, 2 without";
    let page = "1 page: 0 with a next page, 1 without";
    let skipped = "1 bad record skipped";
    let damaged = "1 record cannot be read: the archive is damaged there";
    let (whole, cut) = (folder.file("whole.warc", &whole), folder.file("cut.warc", cut));
    let run = tsugi(&["scan", &whole]).exits(DONE).says(&["`WARC-Target-URI` is `no address`"]);
    assert_eq!(run.stderr.lines().last(), Some(format!("{pages}; {skipped}").as_str()));
    let run = tsugi(&["scan", &cut]).exits(PARTLY_FAILED);
    assert_eq!(run.stderr.lines().last(), Some(format!("{page}; {skipped}; {damaged}").as_str()));
    let join = |archive| tsugi(&["join", "--all", archive, "-f", "jsonl"]);
    let run = join(&whole).exits(DONE);
    assert_eq!(run.stderr.lines().last(), Some(format!("2 documents; {skipped}").as_str()));
    let run = join(&cut).exits(PARTLY_FAILED);
    assert_eq!(run.stderr.lines().last(), Some(format!("1 document; {skipped}; {damaged}").as_str()));
    let alone = folder.file("alone.warc", bad);
    let run = tsugi(&["scan", &alone]).exits(NOTHING_FOUND).writes_nothing();
    assert_eq!(run.stderr.lines().last(), Some("no pages; 1 bad record skipped"));
}

#[test]
fn what_ends_a_run_comes_behind_the_lines_before_it() {
    let folder = TestFolder::new();
    let archive = folder.file("pages.warc", uneven(7).bytes);
    for jobs in JOBS {
        // No client can be set up with such a name.
        let arguments =
            ["scan", "--jobs", jobs, "--user-agent", "\u{1}", &archive, "http://a.example/", &archive];
        let run = tsugi(&arguments).exits(FAILED).says(&["error: "]);
        assert_eq!(run.json_lines().len(), 7, "{jobs} jobs");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_run() {
    let folder = TestFolder::new();
    let archive = folder.file("pages.warc", uneven(60).bytes);
    for jobs in JOBS {
        tsugi(&["scan", "--jobs", jobs, &archive, "-o", "/dev/full"])
            .exits(FAILED)
            .says(&["error: cannot write `/dev/full`: "]);
    }
}

/// As in `tsugi scan … | head -0`.
#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = TestFolder::new();
    // More than a pipe holds.
    let long = folder.file("long.warc", uneven(60).bytes);
    for jobs in JOBS {
        for archive in [&data("pages.warc.gz"), &long] {
            let mut child = command(&["scan", "--jobs", jobs, archive]).spawn().unwrap();
            drop(child.stdout.take());
            let run = finish(child).exits(DONE);
            assert_eq!(run.stderr, "", "{jobs} jobs");
        }
    }
}

/// The memory of the process is limited, so that a page can end it.
#[cfg(target_os = "linux")]
#[test]
fn a_page_that_kills_the_process_is_gone_past_and_named() {
    let folder = TestFolder::new();
    let light = |number: usize| {
        let text = format!("The ferry number {number} left at six in the morning, for the fog was thick. ");
        format!("<title>Ferry {number}</title><main><p>{}</main>", text.repeat(9))
    };
    let heavy = format!("<title>Heavy</title><main>{}</main>", "<p>a<b>b</b>".repeat(1_500_000));
    let pages = (0..12).fold(Warc::default(), |warc, number| {
        let warc = if number == 7 { warc.page("https://h.example/heavy", &heavy) } else { warc };
        warc.page(&format!("https://h.example/{number}"), light(number))
    });
    let archive = folder.file("pages.warc", pages.bytes);
    let out = folder.path("out.jsonl");
    let scan = || {
        let limited = format!("ulimit -v 400000; {TSUGI} scan {archive} --jobs 2 -o {out}; exit $?");
        run("/bin/sh", &["-c", &limited])
    };
    let first = scan();
    assert!(![DONE, FAILED, PARTLY_FAILED].contains(&first.code), "the page did not end the process");
    scan().exits(PARTLY_FAILED).says(&[
        "https://h.example/heavy: left out",
        "12 pages",
        "1 line with an error",
    ]);
    let lines: Vec<Value> =
        folder.read("out.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let urls: Vec<&str> = lines.iter().map(|line| checked(line)["url"].as_str().unwrap()).collect();
    assert_eq!(urls.len(), 13);
    assert_eq!(urls[7], "https://h.example/heavy");
    for line in &lines {
        assert_eq!(line["error"].is_null(), line["url"] != "https://h.example/heavy");
    }
    assert_eq!(folder.names(), ["out.jsonl", "pages.warc"]);
}
