//! Input that is broken, foreign or missing.

use crate::support::{
    DONE, FAILED, LAB, OBEYED, PARTLY_FAILED, TestFolder, WRONG_USE, Warc, checked, command, data, finish,
    hostile_page, lab, page, shows_nothing_obeyed,
};
use serde_json::json;
use std::fmt::Write as _;

#[test]
fn an_archive_that_breaks_off_is_read_as_far_as_it_goes() {
    let folder = TestFolder::new();
    let whole = std::fs::read(data("pages.warc.gz")).unwrap();
    let archive = folder.file("cut.warc.gz", &whole[..20_000]);
    let rules = data("siteinfo.json");
    for arguments in [
        &["label", "--rules", &rules, "--pages", &archive][..],
        &["blocks", "unique", &archive],
        &["blocks", "repeated", &archive],
    ] {
        let run = lab(arguments).exits(PARTLY_FAILED).says(&["cut.warc.gz", "at byte "]);
        assert!(!run.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn what_is_no_archive_and_no_siteinfo_is_refused() {
    let folder = TestFolder::new();
    let (rules, pages, none) = (data("siteinfo.json"), data("pages.warc.gz"), folder.path("none"));
    for archive in [&data("README.md"), &none] {
        let name = archive.rsplit('/').next().unwrap();
        lab(&["label", "--rules", &rules, "--pages", archive]).exits(FAILED).writes_nothing().says(&[name]);
        lab(&["blocks", "unique", archive]).exits(FAILED).writes_nothing().says(&[name]);
    }
    for (rules, what) in [(folder.file("text.json", "nonsense"), "not JSON"), (none, "cannot read")] {
        lab(&["label", "--pages", &pages, "--rules", &rules]).exits(FAILED).writes_nothing().says(&[what]);
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = TestFolder::new();
    let (pages, datasets, rules) = (data("pages.warc.gz"), data(""), data("siteinfo.json"));
    folder.file("none", "a file");
    let out = folder.path("none/out");
    for arguments in [
        &["label", "--rules", &rules, "--pages", &pages, "-o", &out][..],
        &["train", "content", "--data", &datasets, "-o", &out],
        &["blocks", "unique", &pages, "-o", &out],
    ] {
        lab(arguments).exits(FAILED).writes_nothing().says(&["cannot write", &folder.path("none")]);
    }
    assert_eq!(folder.names(), ["none"]);
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
    for method in ["unique", "repeated"] {
        let lines = lab(&["blocks", method, &archive]).exits(PARTLY_FAILED).json_lines();
        let errors: Vec<&str> =
            lines.iter().map(|line| checked(line)["error"].as_str().unwrap_or("")).collect();
        assert_eq!((errors[0], errors[3], errors.len()), ("", "", 4));
        assert!(errors[1].contains("404") && errors[2].contains("image/png"), "{errors:?}");
    }
}

#[test]
fn messages_and_reports_hold_nothing_that_terminals_obey() {
    let folder = TestFolder::new();
    let head = format!("200 O{OBEYED}K\r\nContent-Type: text/x-{OBEYED}");
    let warc = Warc::default().page("https://a.test/1", hostile_page()).record(
        &format!("https://a.test/2{OBEYED}"),
        &head,
        "x",
    );
    let archive = folder.file("a.warc", warc.bytes);
    for arguments in [
        &["blocks", "unique", "--pages", &archive][..],
        &["updated", "--snapshots", &archive, "https://a.test/1"],
        &["label", "--rules", &archive, "--pages", &format!("no{OBEYED}")],
    ] {
        let run = lab(arguments);
        shows_nothing_obeyed(arguments[0], &run.stderr);
        shows_nothing_obeyed(arguments[0], &run.stdout);
    }
}

#[test]
fn the_short_help_of_every_command_fits_a_screen() {
    for path in [
        "", "fetch", "label", "train", "evaluate", "blocks", "blocks unique", "blocks rules",
        "blocks repeated", "blocks crf", "updated",
    ] {
        let arguments: Vec<&str> = path.split_whitespace().chain(["-h"]).collect();
        let help = finish(command(LAB, &arguments).env("COLUMNS", "80").spawn().unwrap()).exits(DONE).stdout;
        assert!(help.lines().count() <= 24, "{path}: {} lines\n{help}", help.lines().count());
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{path}\n{help}");
    }
}

#[test]
fn wrong_values_are_wrong_use() {
    lab(&["blocks"]).exits(WRONG_USE).writes_nothing().says(&["Usage: tsugi-lab"]);
    lab(&["evaluate", "--data", "x", "--folds", "1"]).exits(WRONG_USE).says(&["--folds"]);
    lab(&["train", "headlines", "--data", "x", "-o", "y"]).exits(WRONG_USE).says(&["next-link, content"]);
}

#[test]
fn a_broken_label_is_told_with_its_line() {
    let folder = TestFolder::new();
    let stored = std::fs::read_to_string(data("labels.jsonl")).unwrap();
    let mut broken = String::new();
    for (number, line) in (1..).zip(stored.lines()) {
        // A blank line counts as a line.
        let line = if number == 4 { "\n{\"url\": 3}" } else { line };
        writeln!(broken, "{line}").unwrap();
    }
    let labels = folder.file("set/labels.jsonl", broken);
    std::fs::copy(data("pages.warc.gz"), folder.path("set/pages.warc.gz")).unwrap();
    let (set, model) = (folder.path("set"), folder.path("new.model"));
    let (rules, pages) = (data("siteinfo.json"), data("pages.warc.gz"));
    let arguments: [&[&str]; 3] = [
        &["train", "content", "--data", &set, "-o", &model],
        &["evaluate", "--data", &set],
        &["label", "--rules", &rules, "--pages", &pages, "--against", &labels],
    ];
    for arguments in arguments {
        lab(arguments).exits(FAILED).writes_nothing().says(&["labels.jsonl", "line 5", "integer `3`"]);
    }
    assert_eq!(folder.names(), ["set"], "no model is written");
}

#[test]
fn a_data_set_that_is_not_whole_is_told() {
    let folder = TestFolder::new();
    let model = folder.path("new.model");
    lab(&["train", "content", "--data", &folder.path("none"), "-o", &model]).exits(FAILED).says(&["none"]);
    // Labels without pages and pages without labels are counted, and listed on request.
    let stored = std::fs::read_to_string(data("labels.jsonl")).unwrap();
    let kept: Vec<&str> = stored.lines().skip(1).collect();
    let lost = json!({"url": "http://lost.example/", "site": "lost.example", "labels": ["next"]});
    folder.file("set/labels.jsonl", format!("{}\n{lost}\n", kept.join("\n")));
    std::fs::copy(data("pages.warc.gz"), folder.path("set/pages.warc.gz")).unwrap();
    let train = ["train", "next-link", "--data", &folder.path("set"), "-o", &model];
    let run = lab(&train).exits(PARTLY_FAILED).says(&[
        "1 pages skipped",
        "-v lists all",
        "1 stored pages have no label",
    ]);
    assert_eq!(run.stderr.lines().count(), 3, "{}", run.stderr);
    lab(&[&train[..], &["-v"]].concat()).exits(PARTLY_FAILED).says(&[
        "skipped: set: https://magazine.example/features/tide-mill/1.html: the page has no label",
        "skipped: set: http://lost.example/: the label has no page",
    ]);
    assert!(folder.names().contains(&"new.model".to_owned()));
    // One site cannot be split.
    let one = folder.file("one/labels.jsonl", kept[..1].join("\n"));
    assert!(one.ends_with("labels.jsonl"));
    let stored = Warc::default().page("http://a.example/1", page("One.", None)).bytes;
    folder.file("one/pages.warc.gz", stored);
    lab(&["evaluate", "--data", &folder.path("one")]).exits(FAILED).writes_nothing().says(&["error: "]);
}

#[test]
fn labels_stay_when_the_archive_is_none() {
    let folder = TestFolder::new();
    let out = folder.file("labels.jsonl", "old");
    let label = ["label", "--rules", &data("siteinfo.json"), "--pages", &data("README.md"), "-o", &out];
    lab(&label).exits(FAILED).says(&["README.md"]);
    assert_eq!(folder.read("labels.jsonl"), "old");
}
