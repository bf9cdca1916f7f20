//! `tsugi extract`, and what join and extract share: stdin, `--url`, formats by extension, what a document shows.

use crate::support::{
    DONE, FAILED, LOCAL, LoopbackServer, NOTHING_FOUND, PARTLY_FAILED, ProgramRun, TestFolder, WRONG_USE,
    canned, command, data, finish, html, tsugi,
};
use std::io::Write;
use std::process::Stdio;

const URL: &str = "https://paper.example/story";

/// A page with a link, a table, an image, a next page and a comment.
const PAGE: &str = "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>The mill – Estuary</title>\
    <meta name=author content='Maud Fennimore'><main><article><h1>The mill</h1>\
    <p>At ten past four in the morning, with the estuary still the colour of slate, Ines Harrow lifts a wooden gate the \
    size of a barn door and lets the <a href=/sea>sea</a> go home. Nobody told her to be up at that hour.</p>\
    <figure><img src=gate.jpg alt='The gate at dawn'></figure>\
    <table><tr><th>Year<th>Tons<tr><td>1911<td>40<tr><td>1912<td>42</table>\
    <p>Sallow Quay has had a tide mill since somebody first noticed that the river runs both ways, and the stones have \
    been cut four times since then.</p></article></main><p><a href='story?page=2'>Next page</a></p></html>";

fn with_stdin(arguments: &[&str], page: &str) -> ProgramRun {
    let mut child = command(arguments).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(page.as_bytes()).unwrap();
    finish(child)
}

fn extract(options: &[&str]) -> ProgramRun {
    with_stdin(&[&["extract", "-", "--url", URL], options].concat(), PAGE)
}

#[test]
fn one_page_is_a_document() {
    let run = extract(&[]).exits(DONE).says(&["story?page=2"]);
    for text in ["# The mill\n", "[sea](https://paper.example/sea)", "gate.jpg", "| 1911 |", "cut four times"]
    {
        assert!(run.stdout.contains(text), "`{text}`: {}", run.stdout);
    }
    assert!(!run.stdout.contains("Next page"), "{}", run.stdout);
    let document = extract(&["-f", "json"]).exits(DONE).json();
    assert_eq!(document["url"], URL);
    assert_eq!((&document["stopped"]["reason"], &document["complete"]), (&"one-page".into(), &true.into()));
    assert_eq!(document["pages"].as_array().unwrap().len(), 1);
}

#[test]
fn links_tables_and_images_can_be_left_out() {
    let run = extract(&["--links", "drop", "--tables", "drop", "--images", "drop"]).exits(DONE);
    for text in ["](", "1911", "gate.jpg"] {
        assert!(!run.stdout.contains(text), "`{text}`: {}", run.stdout);
    }
    assert!(run.stdout.contains("lets the sea go home"), "{}", run.stdout);
    let joined = |options: &[&str]| {
        let join = ["join", "-", "--url", URL, "--max-pages", "1"];
        with_stdin(&[&join, options].concat(), PAGE).exits(PARTLY_FAILED).stdout
    };
    assert!(joined(&[]).contains("[sea](") && joined(&[]).contains("![The gate"));
    assert!(!joined(&["--images", "drop", "--links", "drop"]).contains("]("));
}

#[test]
fn front_matter_begins_the_document() {
    let run = extract(&["--metadata", "yaml"]).exits(DONE);
    let (head, body) = run.stdout.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
    for line in ["title: \"The mill\"", "  - \"Maud Fennimore\"", "language: \"en\""] {
        assert!(head.lines().any(|found| found == line), "`{line}`: {head}");
    }
    assert!(body.trim_start().starts_with("# The mill\n"), "{body}");
    assert!(extract(&["--metadata", "yaml", "-f", "txt"]).exits(DONE).stdout.starts_with("---\n"));
    extract(&["--metadata", "yaml", "-f", "json"])
        .exits(WRONG_USE)
        .says(&["--metadata yaml is for -f md and txt"]);
}

#[test]
fn the_extension_picks_the_format_unless_one_is_named() {
    let folder = TestFolder::new();
    for (name, start) in
        [("a.html", "<!DOCTYPE html>"), ("a.json", "{"), ("a.epub", "PK"), ("a", "# The mill")]
    {
        let file = folder.path(name);
        extract(&["-o", &file]).exits(DONE).writes_nothing();
        let bytes = std::fs::read(&file).unwrap();
        assert!(bytes.starts_with(start.as_bytes()), "{name}: {:?}", &bytes[..20]);
    }
    let file = folder.path("a.html");
    extract(&["-o", &file, "-f", "md"]).exits(DONE);
    assert!(folder.read("a.html").starts_with("# The mill"));
    let refused = extract(&["-o", &folder.path("a.docx")]).exits(WRONG_USE);
    refused.says(&["no format has the extension `.docx`; choose one with -f"]);
    assert_eq!(folder.names(), ["a", "a.epub", "a.html", "a.json"]);
}

#[test]
fn precision_keeps_no_more_than_recall() {
    let page = data("english-article/1.html");
    let words = |options: &[&str]| {
        let run = tsugi(&[&["extract", &page, "-f", "txt"], options].concat()).exits(DONE);
        run.stdout.split_whitespace().count()
    };
    let (few, some, many) = (words(&["--precision"]), words(&[]), words(&["--recall"]));
    assert!(0 < few && few <= some && some <= many, "{few} {some} {many}");
}

#[test]
fn a_page_without_content_is_nothing_found() {
    let run = with_stdin(&["extract", "-"], "<p> </p>");
    run.exits(NOTHING_FOUND).writes_nothing().says(&["no main content found"]);
    let missing = format!("{}none.html", data(""));
    tsugi(&["extract", &missing]).exits(FAILED).says(&["none.html"]);
    tsugi(&["extract", &data("pages.warc.gz")]).exits(FAILED).says(&["is an archive; give it with --pages"]);
}

#[test]
fn a_stored_page_is_extracted() {
    let run = tsugi(&["scan", &data("pages.warc.gz")]).json_lines();
    let url = run[0]["url"].as_str().unwrap();
    let document =
        tsugi(&["extract", url, "--pages", &data("pages.warc.gz"), "-f", "json"]).exits(DONE).json();
    assert_eq!(document["url"], url);
}

#[test]
fn stdin_goes_on_beside_the_files_of_the_folder() {
    let first = std::fs::read_to_string(data("english-article/1.html")).unwrap();
    let mut child = command(&["join", "-", "-f", "json"]);
    let mut child = child.current_dir(data("english-article")).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(first.as_bytes()).unwrap();
    let joined = finish(child).exits(DONE).json();
    assert_eq!(joined["pages"].as_array().unwrap().len(), 4);
    let last = "since she has got into the habit, the time of the one after that.";
    assert!(joined["text"].as_str().unwrap().contains(last));
}

#[test]
fn a_page_at_hand_is_joined_with_those_of_the_web() {
    let read = |name: &str| std::fs::read(data(&format!("english-article/{name}"))).unwrap();
    let answers = ["/2.html", "/3.html", "/4.html"].map(|path| (path, html(read(&path[1..]))));
    let server = LoopbackServer::start(canned(answers));
    let url = server.address("/1.html#top");
    let expected = tsugi(&["join", &data("english-article/1.html"), "-f", "txt"]).stdout;
    let saved = data("english-article/1.html");
    let join = [&["join", &saved, "--url", &url, "-f", "txt"], &LOCAL[..]].concat();
    assert_eq!(tsugi(&join).exits(DONE).stdout, expected);
    assert_eq!(server.pages_asked(), ["/2.html", "/3.html", "/4.html"], "the first page is not fetched");
    let own = TestFolder::new().file("own.html", "<p>x");
    tsugi(&["join", &own, "-o", &own]).exits(WRONG_USE).says(&["is a source; -o must name another file"]);
    tsugi(&["join", &saved, &saved, "--url", &url]).exits(WRONG_USE).says(&["give one SOURCE"]);
    tsugi(&["join", &saved, "--url", "story"]).exits(WRONG_USE).says(&["expected an http or https URL"]);
}

#[test]
fn scan_and_explain_take_stdin() {
    let line = with_stdin(&["scan", "-", "--url", URL], PAGE).exits(DONE).json_lines().remove(0);
    assert_eq!(line["url"], URL);
    assert_eq!(line["next"]["url"], "https://paper.example/story?page=2");
    let said = with_stdin(&["explain", "-", "--url", URL], PAGE).exits(DONE).stdout;
    assert!(said.starts_with(URL) && said.contains("author"), "{said}");
}

#[test]
fn a_name_without_a_scheme_is_tried_with_https() {
    let run = tsugi(&["extract", "no-such-host.example.com/story", "--retries", "0", "--timeout", "5"]);
    run.exits(FAILED).says(&["no such file; trying https://no-such-host.example.com/story"]);
    tsugi(&["extract", "no-such-file.html"])
        .exits(FAILED)
        .says(&["neither an http(s) URL nor a readable file"]);
}

#[test]
fn quiet_says_nothing_and_verbose_says_what_is_asked() {
    let page = data("english-article/1.html");
    assert_eq!(tsugi(&["-q", "join", &page]).exits(DONE).stderr, "");
    assert_eq!(tsugi(&["join", &page, "--quiet"]).exits(DONE).stderr, "");
    tsugi(&["join", &page, "-v"]).exits(DONE).says(&["page 1: file://", "page 4: file://", "score"]);
    let server = LoopbackServer::start(canned([("/", html(PAGE))]));
    let run = tsugi(&["extract", &server.address("/"), "-v"]).exits(DONE);
    run.says(&[&format!("GET {}", server.address("/")), "200 text/html", "bytes"]);
    let run = tsugi(&["extract", "none.html", "-q"]).exits(FAILED);
    run.says(&["none.html"]);
}
