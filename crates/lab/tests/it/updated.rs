//! `tsugi updated`.

use crate::support::{
    DONE, FAILED, NOTHING_FOUND, PARTLY_FAILED, ProgramRun, TestFolder, WRONG_USE, Warc, json_lines, lab,
};
use serde_json::{Value, json};

#[derive(Default)]
struct Snapshots(Warc);

impl Snapshots {
    fn answer(self, url: &str, day: u32, head: &str, body: &str) -> Snapshots {
        Snapshots(self.0.capture(url, &format!("2026-11-{day:02}T12:00:00Z"), head, body))
    }

    fn page(self, url: &str, day: u32, body: &str) -> Snapshots {
        self.answer(url, day, "200 OK\r\nContent-Type: text/html; charset=utf-8", body)
    }

    /// Adds a revisit on the fifth of the capture on the first.
    fn revisit(self, url: &str) -> Snapshots {
        let fields = ["WARC-Date: 2026-11-05T12:00:00Z", "WARC-Refers-To-Date: 2026-11-01T12:00:00Z"];
        Snapshots(self.0.entry("revisit", url, &fields, ""))
    }

    fn write(self, folder: &TestFolder) -> String {
        folder.file("snapshots.warc", self.0.bytes)
    }
}

const URL: &str = "https://a.example/news/snow.html";

/// An article as papers print them, with a sentence that may change and an advertisement.
fn article(sentence: &str, advertisement: &str) -> String {
    format!(
        "<!DOCTYPE html><html lang=en><head><title>Snow in June | A Paper</title></head><body>\
         <div id=header><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/sport>Sport</a></ul></div>\
         <div id=article class=article><h1>Snow in June</h1>\
         <p>Snow fell on the coast on the longest day of the year, and the ferries stayed in the harbour until noon, \
         since nobody had thought of a shovel in the month of roses and strawberries.</p>\
         <p>{sentence}</p>\
         <p>The mayor, who had to walk to the town hall, said that she had seen nothing like it in forty years, and that \
         the schools would stay closed until the road to the upper town could be used again by the buses.</p></div>\
         <div class=ad><a href=/ads/1>{advertisement}</a></div>\
         <div id=footer><p>© A Paper <a href=/imprint>Imprint</a> <a href=/terms>Terms</a></p></div></body></html>"
    )
}

const OLD: &str = "Five people who had gone out in boats before dawn were missing in the evening, the coast guard said, \
                   and the search for them will go on through the night with two helicopters.";
const NEW: &str = "Seven people who had gone out in boats before dawn were missing in the evening, the coast guard said, \
                   and the search for them will go on through the night with two helicopters.";

fn updated(archive: &str, arguments: &[&str]) -> ProgramRun {
    lab(&[&["updated", "--snapshots", archive], arguments].concat())
}

/// Advertisements change between all captures, the text between the second and the third.
fn changing() -> Snapshots {
    Snapshots::default()
        .page(URL, 1, &article(OLD, "Warm coats"))
        .page(URL, 2, &article(OLD, "Skis, nearly new"))
        .page(URL, 3, &article(NEW, "A week in the south"))
        .page(URL, 4, &article(NEW, "Umbrellas"))
}

fn interval(after: u32, before: u32) -> Value {
    let day = |day: u32| format!("2026-11-{day:02}T12:00:00Z");
    json!({"after": (after > 0).then(|| day(after)), "before": day(before)})
}

#[test]
fn a_line_says_when_the_text_changed() {
    let folder = TestFolder::new();
    let run = updated(&changing().write(&folder), &[URL]).exits(DONE);
    assert_eq!(run.stderr, "");
    let [line] = run.json_lines().try_into().unwrap();
    let names: Vec<&str> = line.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "at", "by", "captures", "change", "content", "error", "evidence", "lang", "reason", "title",
            "updated", "url"
        ]
    );
    assert_eq!((&line["updated"], &line["captures"]), (&interval(2, 3), &json!(4)), "{line}");
    assert_eq!((&line["at"], &line["by"]), (&json!("2026-11-03T12:00:00Z"), &json!("snapshots")));
    assert_eq!((&line["change"]["added_lines"], &line["change"]["removed_lines"]), (&json!(1), &json!(1)));
    assert!(line["change"]["added"][0].as_str().unwrap().starts_with("Seven people"));
    assert_eq!((&line["title"], &line["lang"]), (&json!("Snow in June | A Paper"), &json!("en")));
    assert!(line["content"]["text"].as_str().unwrap().contains("Seven people"));
    assert!(line["reason"].as_str().unwrap().contains("1 line added"), "{line}");
    assert_eq!((&line["error"], &line["evidence"]), (&Value::Null, &json!([])));
}

#[test]
fn evidence_narrows_the_time_down() {
    let folder = TestFolder::new();
    let head = |modified: &str| format!("200 OK\r\nContent-Type: text/html\r\nLast-Modified: {modified}");
    let body = article(NEW, "Ads")
        .replace("<title>", "<meta property=article:modified_time content=2026-10-20><title>");
    let archive = Snapshots::default()
        .answer(URL, 1, &head("Sat, 31 Oct 2026 08:00:00 GMT"), &article(OLD, "Ads"))
        .answer(URL, 5, &head("Tue, 03 Nov 2026 08:00:00 GMT"), &body)
        .write(&folder);
    let line = updated(&archive, &[]).exits(DONE).json();
    assert_eq!((&line["updated"], &line["by"]), (&interval(1, 5), &json!("last-modified")), "{line}");
    assert_eq!(line["at"], "2026-11-03T08:00:00Z");
    let stated = &line["evidence"][1];
    assert_eq!((&stated["by"], &stated["consistent"]), (&json!("meta-modified"), &json!(false)), "{line}");
    assert!(stated["why"].as_str().unwrap().contains("not later than the last snapshot with another text"));
}

#[test]
fn captures_that_are_no_pages_are_passed_over() {
    let folder = TestFolder::new();
    let redirect = "301 Moved Permanently\r\nLocation: /other\r\nContent-Type: text/html";
    let archive = Snapshots::default()
        .page(URL, 1, &article(OLD, "Coats"))
        .answer(URL, 2, "503 Unavailable\r\nContent-Type: text/html", "<p>Come back later.")
        .answer(URL, 3, redirect, "")
        .revisit(URL)
        .page(URL, 7, &article(NEW, "Coats"))
        .answer("https://a.example/moved", 1, redirect, "")
        .answer("https://a.example/moved", 2, redirect, "")
        .page("https://a.example/once", 2, &article(OLD, "Coats"))
        .write(&folder);
    let [line] = updated(&archive, &[]).exits(DONE).json_lines().try_into().unwrap();
    assert_eq!((&line["updated"], &line["captures"]), (&interval(5, 7), &json!(3)), "{line}");
    assert!(line["reason"].as_str().unwrap().ends_with("passed over: 2 that are no page"), "{line}");
    // Asked for by name, each has an answer, in the order asked.
    let urls = ["https://a.example/moved", "https://a.example/once", "https://a.example/none", URL];
    let lines = updated(&archive, &urls).exits(PARTLY_FAILED).json_lines();
    assert!(lines.iter().map(|line| line["url"].as_str().unwrap()).eq(urls));
    assert!(lines[0]["error"].as_str().unwrap().contains("none of the 2 captures is a page"), "{}", lines[0]);
    assert_eq!(lines[1]["updated"], interval(0, 2));
    assert_eq!((&lines[1]["at"], &lines[1]["change"]), (&Value::Null, &Value::Null));
    assert!(lines[2]["error"].as_str().unwrap().contains("not in the archive"), "{}", lines[2]);
    updated(&archive, &["https://a.example/none"]).exits(FAILED);
}

#[test]
fn page_set_methods_compare_with_other_pages_of_the_host() {
    let folder = TestFolder::new();
    let archive = changing().write(&folder);
    for method in ["unique", "repeated"] {
        let line = updated(&archive, &["--content", method]).exits(FAILED).json();
        let error = line["error"].as_str().unwrap();
        assert!(
            error.contains("no other page of `a.example`") && error.contains("--content model"),
            "{error}"
        );
    }
    let other = |text: &str| article(text, "Umbrellas").replace("Snow", "Rain").replace("mayor", "vicar");
    let archive = changing()
        .page("https://a.example/news/rain.html", 4, &other("It rained for a week, and the river rose."))
        .page(
            "https://a.example/news/mill.html",
            4,
            &other("The old mill is to be sold, and the miller with it."),
        )
        .page("https://b.example/", 4, &article(NEW, "x"))
        .write(&folder);
    for method in ["model", "unique", "repeated"] {
        let line = updated(&archive, &["--content", method, URL]).exits(DONE).json();
        assert_eq!(line["updated"], interval(2, 3), "{method}: {}", line["reason"]);
        let text = line["content"]["text"].as_str().unwrap();
        assert!(text.contains("Seven people") && !text.contains("Imprint"), "{method}: {text}");
    }
}

#[test]
fn the_last_capture_is_shown_even_where_its_body_is_an_earlier_one() {
    let folder = TestFolder::new();
    let archive = Snapshots::default()
        .page(URL, 1, &article(OLD, "Coats"))
        // Of one time: the later in the archive is the later one.
        .page(URL, 3, &article(OLD, "Skis"))
        .page(URL, 3, &article(NEW, "Skis"))
        .revisit(URL)
        .answer(URL, 6, "503 Unavailable\r\nContent-Type: text/html", "<p>Come back later.")
        .write(&folder);
    let line = updated(&archive, &[URL]).exits(DONE).json();
    assert_eq!((&line["updated"], &line["captures"]), (&interval(3, 5), &json!(4)), "{line}");
    assert!(line["change"]["added"][0].as_str().unwrap().starts_with("Five people"), "{line}");
    assert!(line["content"]["text"].as_str().unwrap().contains("Five people"), "{line}");
}

#[test]
fn an_address_is_written_as_the_archive_writes_it() {
    let folder = TestFolder::new();
    let target = "https://A.example:443/x";
    let archive = Snapshots::default().page(target, 1, &article(OLD, "x")).write(&folder);
    assert_eq!(updated(&archive, &["https://a.example/x"]).exits(DONE).json()["url"], target);
}

#[test]
fn answers_are_compared_with_labels() {
    let folder = TestFolder::new();
    let mut snapshots = changing();
    let urls = ["https://b.example/1", "https://b.example/2", "https://b.example/3", "https://b.example/4"];
    for url in urls {
        snapshots = snapshots.page(url, 1, &article(OLD, "x")).page(url, 4, &article(NEW, "y"));
    }
    let archive = snapshots.page(urls[3], 6, &article(NEW, "z")).write(&folder);
    let label = |url: &str, updated: &Value| json!({"url": url, "updated": updated, "note": 1}).to_string();
    let labels = [
        label(URL, &interval(2, 3)),
        label(urls[0], &interval(0, 1)),
        label(urls[1], &interval(4, 5)),
        label("https://elsewhere.example/", &interval(0, 1)),
    ];
    let labels = folder.file("labels.jsonl", labels.join("\n") + "\n");
    let written = folder.path("lines.jsonl");
    let score = updated(&archive, &["--evaluate", &labels, "-o", &written]).exits(DONE).json();
    let expected =
        json!({"right": 1, "too_early": 1, "too_late": 1, "missed": 0, "failed": 1, "unlabelled": 2});
    assert_eq!(score, expected);
    assert_eq!(json_lines(&folder.read("lines.jsonl")).len(), 5);
    assert_eq!(updated(&archive, &["--evaluate", &labels]).exits(DONE).json(), expected);
    let missed = folder.file("missed.jsonl", label("https://b.example/5", &interval(1, 2)));
    let archive = Snapshots::default()
        .page("https://b.example/5", 1, &article(OLD, "x"))
        .page("https://b.example/5", 2, &article(OLD, "y"))
        .write(&folder);
    assert_eq!(updated(&archive, &["--evaluate", &missed]).exits(DONE).json()["missed"], 1);
    let single = Snapshots::default().page(urls[0], 1, &article(OLD, "x")).write(&folder);
    let label_of_single = folder.file("single.jsonl", label(urls[0], &interval(0, 1)));
    assert_eq!(updated(&single, &["--evaluate", &label_of_single]).exits(DONE).json()["right"], 1);
    let score = updated(&single, &["--evaluate", &missed]).exits(NOTHING_FOUND).says(&["no answer"]).json();
    assert_eq!(score["failed"], 1);
    let bad = folder.file("bad.jsonl", "{}\n");
    updated(&archive, &["--evaluate", &bad]).exits(FAILED).writes_nothing().says(&["bad.jsonl", "line 1"]);
}

#[test]
fn wrong_use_and_missing_files_are_told() {
    let folder = TestFolder::new();
    lab(&["updated"]).exits(WRONG_USE).says(&["--snapshots"]);
    updated(&folder.path("none.warc"), &[]).exits(FAILED).writes_nothing().says(&["none.warc"]);
    updated(&folder.file("page.html", "<p>no"), &[]).exits(FAILED).says(&["not a WARC archive"]);
    let single = Snapshots::default().page(URL, 1, &article(OLD, "x")).write(&folder);
    updated(&single, &[]).exits(NOTHING_FOUND).writes_nothing().says(&["no page has two captures"]);
    let line = updated(&single, &["no address"]).exits(FAILED).json();
    assert!(line["error"].as_str().unwrap().contains("no address"), "{line}");
}
