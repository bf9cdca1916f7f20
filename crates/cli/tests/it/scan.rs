//! `tsugi scan`.

use crate::support::{
    Answer, DONE, FAILED, Folder, PARTLY_FAILED, Server, Warc, checked, command, data, finish, json_lines,
    labels, names_what_it_shows, page, paragraphs, tsugi,
};
use serde_json::{Value, json};
use tsugi_page::Page;

fn scanned() -> Vec<Value> {
    let run = tsugi(&["scan", &data("pages.warc.gz")]).exits(DONE);
    assert_eq!(run.stderr, "", "there is nothing to complain of, and no progress where no terminal is");
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
    let folder = Folder::new();
    let server = Server::start(vec![Answer::page("/served", page("Served.", None))]);
    let (file, served, none) =
        (data("single/plum-barley-bread.html"), server.url("/served"), folder.path("none.html"));
    let archive =
        folder.file("pages.warc", Warc::default().page("http://a.example/", page("Stored.", None)).bytes);
    let run = tsugi(&["scan", &served, &none, &archive, &server.url("/none"), &file]).exits(PARTLY_FAILED);
    let lines = run.json_lines();
    let urls: Vec<&str> = lines.iter().map(|line| checked(line)["url"].as_str().unwrap()).collect();
    assert_eq!(urls[..4], [&served, &none, "http://a.example/", &server.url("/none")]);
    assert!(urls[4].starts_with("file:///") && urls[4].ends_with("/single/plum-barley-bread.html"));
    let failed: Vec<bool> = lines.iter().map(|line| line["error"].is_string()).collect();
    assert_eq!(failed, [false, true, false, true, false]);
    assert!(lines[3]["error"].as_str().unwrap().contains("404"), "{}", lines[3]);
}

#[test]
fn records_that_are_no_pages_become_error_lines() {
    let folder = Folder::new();
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
    for method in ["unique", "repeated"] {
        let lines = tsugi(&["blocks", method, &archive]).exits(PARTLY_FAILED).json_lines();
        let same: Vec<&str> =
            lines.iter().map(|line| checked(line)["error"].as_str().unwrap_or("")).collect();
        assert_eq!(same, errors, "{method}");
    }
}

#[test]
fn a_run_without_one_page_has_failed() {
    let folder = Folder::new();
    let lines = tsugi(&["scan", &folder.path("none.html")]).exits(FAILED).json_lines();
    assert!(checked(&lines[0])["error"].as_str().unwrap().contains("none.html"), "{lines:?}");
}

#[test]
fn lines_are_written_to_a_file() {
    let folder = Folder::new();
    let written = folder.file("lines.jsonl", "old");
    tsugi(&["scan", &data("pages.warc.gz"), "-o", &written]).exits(DONE).writes_nothing();
    assert_eq!(json_lines(&folder.read("lines.jsonl")), scanned());
    assert_eq!(folder.names(), ["lines.jsonl"], "nothing is left over");
}

/// As in `tsugi scan … | head -0`.
#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child = command(&["scan", &data("pages.warc.gz")]).spawn().unwrap();
    drop(child.stdout.take());
    let run = finish(child).exits(DONE);
    assert_eq!(run.stderr, "");
}
