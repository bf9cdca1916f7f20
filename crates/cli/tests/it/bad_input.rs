//! Input that is broken, foreign, hostile or not there.

use crate::support::{
    Answer, DONE, FAILED, Folder, NOTHING_FOUND, PARTLY_FAILED, Server, WRONG_USE, Warc, data, item,
    labelled_texts, labels, page, paragraphs, tsugi,
};
use serde_json::{Value, json};
use std::fmt::Write as _;
use tsugi_fetch::{Exchange, Keep as _, Store, Wanted};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";
const PDF: &[u8] = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n";

#[test]
fn what_is_no_html_is_refused() {
    let folder = Folder::new();
    for (name, bytes) in [("image.html", PNG), ("paper.pdf", PDF)] {
        let file = folder.file(name, bytes);
        tsugi(&["join", &file]).exits(FAILED).writes_nothing().says(&[name, "not a web page"]);
        tsugi(&["explain", &file]).exits(FAILED).writes_nothing().says(&[name, "not a web page"]);
        let line = tsugi(&["scan", &file]).exits(FAILED).json();
        assert!(line["error"].as_str().unwrap().contains("not a web page"), "{line}");
    }
    let server = Server::start(vec![
        Answer { media: "image/png", ..Answer::page("/image", PNG) },
        // Nothing is known but the bytes.
        Answer { media: "application/octet-stream", ..Answer::page("/bytes", PDF) },
    ]);
    for (path, what) in [("/image", "is image/png"), ("/bytes", "not a web page"), ("/none", "404")] {
        tsugi(&["join", &server.url(path)]).exits(FAILED).writes_nothing().says(&[path, what]);
    }
}

#[test]
fn an_empty_file_holds_nothing() {
    let folder = Folder::new();
    let file = folder.file("empty.html", "");
    tsugi(&["join", &file]).exits(NOTHING_FOUND).writes_nothing().says(&["empty.html", "no main content"]);
    let line = tsugi(&["scan", &file]).exits(DONE).json();
    assert_eq!(line["content"], json!({"nodes": [], "text": "", "by": "model", "score": 0.0}));
    assert_eq!((&line["next"], &line["error"]), (&Value::Null, &Value::Null));
    tsugi(&["explain", &file]).exits(DONE);
}

#[test]
fn a_page_that_breaks_off_is_read_as_far_as_it_goes() {
    let whole = std::fs::read(data("english-article/1.html")).unwrap();
    let folder = Folder::new();
    let texts = labelled_texts("/tide-mill/1.html");
    let last = paragraphs(&texts[0]).last().unwrap();
    let end = String::from_utf8_lossy(&whole).find(last).unwrap();
    // In the last paragraph, and at a few other places: in a tag, in a script, in a character.
    let file = folder.file("cut.html", &whole[..end + 40]);
    let text = tsugi(&["join", &file, "-f", "txt"]).exits(DONE).stdout;
    for paragraph in paragraphs(&texts[0]).filter(|paragraph| *paragraph != last) {
        assert!(text.contains(paragraph), "`{paragraph}` is missing: {text}");
    }
    for at in (100..whole.len()).step_by(1201) {
        let file = folder.file("cut.html", &whole[..at]);
        tsugi(&["scan", &file]).exits(DONE);
    }
}

#[test]
fn a_charset_that_is_not_so_is_overruled_and_told() {
    let utf8 = std::fs::read_to_string(data("japanese-article/3.html")).unwrap();
    let folder = Folder::new();
    let file = folder.file("wrong.html", utf8.replace("charset=\"UTF-8\"", "charset=\"EUC-JP\""));
    let run = tsugi(&["extract", &file, "-f", "json"]).exits(DONE).says(&["warning: ", "EUC-JP", "UTF-8"]);
    let document = run.json();
    let text = document["text"].as_str().unwrap();
    for paragraph in paragraphs(&labelled_texts("/saka/3.html")[0]) {
        assert!(text.contains(paragraph), "`{paragraph}` is missing: {text}");
    }
    assert_eq!(document["warnings"].as_array().unwrap().len(), 1);
    // An unknown name is none.
    let file = folder.file("unknown.html", utf8.replace("charset=\"UTF-8\"", "charset=\"klingon\""));
    assert_eq!(tsugi(&["extract", &file, "-f", "txt"]).exits(DONE).stdout.trim_end(), text);
}

#[test]
fn fifty_megabytes_of_nesting_end() {
    let folder = Folder::new();
    let file = folder.file("deep.html", format!("<!DOCTYPE html><body>{}text", "<div>".repeat(10 << 20)));
    assert!(std::fs::metadata(&file).unwrap().len() > 50 << 20);
    // The text lies behind what is read.
    tsugi(&["join", &file]).exits(NOTHING_FOUND).writes_nothing().says(&["deep.html", "no main content"]);
    let line = tsugi(&["scan", &file]).exits(DONE).json();
    assert_eq!((&line["content"]["text"], &line["error"]), (&json!(""), &Value::Null));
}

/// Where nothing is found, what was left out may be why.
#[test]
fn what_is_odd_about_a_page_without_content_is_told() {
    let folder = Folder::new();
    let file = folder.file("deep.html", format!("<!DOCTYPE html><body>{}", "<div>".repeat(600)));
    let explained = tsugi(&["explain", &file]).exits(DONE).stdout;
    assert!(explained.contains("note: elements nest deeper than"), "{explained}");
    tsugi(&["join", &file]).exits(NOTHING_FOUND).says(&["elements nest deeper than"]);
}

#[test]
fn an_archive_that_breaks_off_is_read_as_far_as_it_goes() {
    let mut warc = Warc::default();
    for number in 1..=4 {
        warc = warc.page(&format!("http://a.example/{number}"), page(&format!("Page {number}."), None));
    }
    let broken_at = warc.offsets[2];
    let folder = Folder::new();
    for cut in [broken_at + 4, broken_at + 60, warc.offsets[3] - 30] {
        let archive = folder.file("cut.warc", &warc.bytes[..cut]);
        let run = tsugi(&["scan", &archive]).exits(PARTLY_FAILED);
        assert_eq!(run.json_lines().len(), 2, "cut at {cut}");
        run.says(&["cut.warc", &format!("at byte {broken_at}:"), "the file ends inside it"]);
    }
    let whole = std::fs::read(data("pages.warc.gz")).unwrap();
    let archive = folder.file("cut.warc.gz", &whole[..20_000]);
    let lines =
        tsugi(&["scan", &archive]).exits(PARTLY_FAILED).says(&["at byte ", "ends inside"]).json_lines();
    let urls: Vec<&Value> = lines.iter().map(|line| &line["url"]).collect();
    let labels = labels();
    let before: Vec<&Value> = labels.iter().map(|label| &label["url"]).take(lines.len()).collect();
    assert!(lines.len() >= 4, "{urls:?}");
    assert_eq!(urls, before);
    let rules = data("siteinfo.json");
    let other: [&[&str]; 4] = [
        &["lab", "label", "--rules", &rules, "--pages", &archive],
        &["join", "--pages", &archive, "--all", "-f", "jsonl"],
        &["lab", "blocks", "unique", &archive],
        &["lab", "blocks", "repeated", &archive],
    ];
    for arguments in other {
        let run = tsugi(arguments).exits(PARTLY_FAILED).says(&["cut.warc.gz", "at byte "]);
        assert!(!run.stdout.is_empty(), "{arguments:?}");
    }
}

/// One flipped bit in a page of a plain archive: its record is named, and the page is not used.
#[test]
fn a_damaged_record_is_told_and_left_out() {
    let folder = Folder::new();
    let path = folder.path("damaged.warc");
    let store = Store::open(path.as_ref(), "test/1", || "2026-01-02T03:04:05Z".to_owned()).unwrap();
    for number in 1..=3 {
        let url = format!("http://a.example/{number}").parse().unwrap();
        let (html, headers) =
            (page(&format!("Page {number}."), None), [("content-type".into(), "text/html".into())]);
        let body = html.as_bytes();
        store
            .keep(&Exchange { url: &url, wanted: Wanted::Page, status: 200, headers: &headers, body })
            .unwrap();
    }
    drop(store);
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.windows(7).position(|window| window == b"Page 2.").unwrap();
    bytes[at] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let run = tsugi(&["scan", &path]).exits(PARTLY_FAILED);
    let lines = run.json_lines();
    let urls: Vec<&str> = lines.iter().map(|line| line["url"].as_str().unwrap()).collect();
    assert_eq!(urls, ["http://a.example/1", "http://a.example/3"]);
    run.says(&["damaged.warc: record at byte ", "`http://a.example/2` is damaged", "WARC-Block-Digest"]);
    let run = tsugi(&["join", "--pages", &path, "--all", "-f", "jsonl"]).exits(PARTLY_FAILED);
    assert!(!run.stdout.contains("a.example/2"), "{}", run.stdout);
    run.says(&["`http://a.example/2` is damaged"]);
    tsugi(&["extract", "--pages", &path, "http://a.example/2"])
        .exits(FAILED)
        .says(&["is damaged", "is not stored"]);
}

#[test]
fn other_formats_of_archives_are_refused_by_name() {
    let folder = Folder::new();
    for (name, bytes, remedy) in [
        ("old.arc", &b"filedesc://old.arc 0.0.0.0 20260102030405 text/plain 73\n"[..], "warcio recompress"),
        ("crawl.wacz", b"PK\x03\x04\x14\0", "archive/*.warc.gz"),
        ("crawl.warc.zst", b"\x28\xb5\x2f\xfd\0", "zstd -d"),
    ] {
        let file = folder.file(name, bytes);
        tsugi(&["scan", &file]).exits(FAILED).writes_nothing().says(&[name, remedy]);
        tsugi(&["join", "--pages", &file, "--all"]).exits(FAILED).writes_nothing().says(&[name, remedy]);
    }
}

#[test]
fn what_is_no_archive_is_refused() {
    let folder = Folder::new();
    let (text, rules) = (data("README.md"), data("siteinfo.json"));
    std::fs::create_dir(folder.path("folder.warc.gz")).unwrap();
    let directory = folder.path("folder.warc.gz");
    for archive in [&text, &directory, &folder.path("none.warc.gz")] {
        let name = archive.rsplit('/').next().unwrap();
        let arguments: [&[&str]; 4] = [
            &["join", "--pages", archive, "--all"],
            &["lab", "label", "--rules", &rules, "--pages", archive],
            &["lab", "blocks", "unique", archive],
            &["explain", "http://a.example/", "--pages", archive],
        ];
        for arguments in arguments {
            tsugi(arguments).exits(FAILED).writes_nothing().says(&[name]);
        }
    }
    let line = tsugi(&["scan", &directory]).exits(FAILED).json();
    assert!(line["error"].as_str().unwrap().contains("folder.warc.gz"), "{line}");
}

#[test]
fn a_broken_item_is_listed_and_the_others_work() {
    let mut siteinfo: Value =
        serde_json::from_str(&std::fs::read_to_string(data("siteinfo.json")).unwrap()).unwrap();
    siteinfo[0]["data"]["nextLink"] = json!("//nav[@class=");
    siteinfo[3]["data"]["url"] = json!("^https?://(kitchen");
    let folder = Folder::new();
    let rules = folder.file("rules.json", siteinfo.to_string());
    let run = tsugi(&["scan", &data("pages.warc.gz"), "--rules", &rules]).exits(DONE);
    for line in run.json_lines() {
        let known =
            ["//yomimono.", "//notes."].iter().any(|host| line["url"].as_str().unwrap().contains(host));
        if !line["next"].is_null() {
            assert_eq!(line["next"]["by"], if known { "rule" } else { "model" }, "{line}");
        }
    }
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    run.says(&["rules.json: 2 items cannot be used; `tsugi siteinfo check` lists them"]);
    tsugi(&["scan", &data("pages.warc.gz"), "--rules", &rules, "-v"]).exits(DONE).says(&[
        "rules.json: item 0 (`The Estuary Review`): `nextLink` (`//nav[@class=`): at byte 13",
        "item 3 (`The Second Shelf Kitchen`): `url`",
    ]);
}

#[test]
fn siteinfo_that_is_none_is_refused() {
    let folder = Folder::new();
    let pages = data("pages.warc.gz");
    let none = folder.path("none.json");
    for (rules, what) in [
        (folder.file("text.json", "nonsense"), "not JSON"),
        (folder.file("cut.json", "[{\"name\": \"a\""), "line 1 column"),
        (
            folder.file("object.json", "{}"),
            "expected an array of items or one item, found an object without fields of an item",
        ),
        (none, "cannot read"),
    ] {
        let name = rules.rsplit('/').next().unwrap();
        tsugi(&["scan", &pages, "--rules", &rules]).exits(FAILED).writes_nothing().says(&[name, what]);
        let label = ["lab", "label", "--pages", &pages, "--rules", &rules];
        tsugi(&label).exits(FAILED).writes_nothing().says(&[name, what]);
    }
}

#[test]
fn models_that_do_not_fit_are_refused() {
    let folder = Folder::new();
    let (pages, datasets) = (data("pages.warc.gz"), data(""));
    let (next, content) = (folder.path("next.model"), folder.path("content.model"));
    for (features, of_next, of_content) in [
        (
            "full",
            "expected models for `next-link/full/2`, found some for `content/full`",
            "expected models for `content/full`, found some for `next-link/full/2`",
        ),
        (
            "paper",
            "expected a model for `next-link/paper`, found one for `main-content/paper`",
            "expected a model for `main-content/paper`, found one for `next-link/paper`",
        ),
    ] {
        let train = ["--data", &datasets, "--features", features, "-o"];
        tsugi(&[&["lab", "train", "next-link"], &train[..], &[&next]].concat()).exits(DONE);
        tsugi(&[&["lab", "train", "content"], &train[..], &[&content]].concat()).exits(DONE);
        let bytes = std::fs::read(&next).unwrap();
        let cut = folder.file("cut.model", &bytes[..bytes.len() / 2]);
        let mut turned = bytes.clone();
        turned[bytes.len() / 2] ^= 1;
        let turned = folder.file("turned.model", turned);
        let empty = folder.file("empty.model", "");
        for (option, model, what) in [
            ("--next-model", &content, of_next),
            ("--content-model", &next, of_content),
            ("--next-model", &cut, "damaged"),
            ("--next-model", &turned, "damaged"),
            ("--content-model", &empty, "expected a model file"),
            ("--content-model", &data("README.md"), "expected a model file"),
            ("--next-model", &folder.path("none.model"), "cannot read"),
        ] {
            let name = model.rsplit('/').next().unwrap();
            tsugi(&["scan", &pages, option, model]).exits(FAILED).writes_nothing().says(&[name, what]);
        }
    }
}

#[test]
fn a_broken_label_is_told_with_its_line() {
    let folder = Folder::new();
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
        &["lab", "train", "content", "--data", &set, "-o", &model],
        &["lab", "evaluate", "--data", &set],
        &["lab", "label", "--rules", &rules, "--pages", &pages, "--against", &labels],
    ];
    for arguments in arguments {
        tsugi(arguments).exits(FAILED).writes_nothing().says(&["labels.jsonl", "line 5", "integer `3`"]);
    }
    assert_eq!(folder.names(), ["set"], "no model is written");
}

#[test]
fn a_data_set_that_is_not_whole_is_told() {
    let folder = Folder::new();
    let model = folder.path("new.model");
    tsugi(&["lab", "train", "content", "--data", &folder.path("none"), "-o", &model])
        .exits(FAILED)
        .says(&["none"]);
    // Labels without pages and pages without labels are counted, and listed on request.
    let stored = std::fs::read_to_string(data("labels.jsonl")).unwrap();
    let kept: Vec<&str> = stored.lines().skip(1).collect();
    let lost = json!({"url": "http://lost.example/", "site": "lost.example", "labels": ["next"]});
    folder.file("set/labels.jsonl", format!("{}\n{lost}\n", kept.join("\n")));
    std::fs::copy(data("pages.warc.gz"), folder.path("set/pages.warc.gz")).unwrap();
    let train = ["lab", "train", "next-link", "--data", &folder.path("set"), "-o", &model];
    let run = tsugi(&train).exits(PARTLY_FAILED).says(&["2 pages skipped", "-v lists all"]);
    assert_eq!(run.stderr.lines().count(), 2, "{}", run.stderr);
    tsugi(&[&train[..], &["-v"]].concat()).exits(PARTLY_FAILED).says(&[
        "skipped: set: https://magazine.example/features/tide-mill/1.html: the page has no label",
        "skipped: set: http://lost.example/: the label has no page",
    ]);
    assert!(folder.names().contains(&"new.model".to_owned()));
    // One site cannot be split.
    let one = folder.file("one/labels.jsonl", kept[..1].join("\n"));
    assert!(one.ends_with("labels.jsonl"));
    let stored = Warc::default().page("http://a.example/1", page("One.", None)).bytes;
    folder.file("one/pages.warc.gz", stored);
    tsugi(&["lab", "evaluate", "--data", &folder.path("one")])
        .exits(FAILED)
        .writes_nothing()
        .says(&["error: "]);
}

#[test]
fn a_folder_that_does_not_exist_is_named() {
    let folder = Folder::new();
    let (pages, datasets, rules) = (data("pages.warc.gz"), data(""), data("siteinfo.json"));
    let (file, out) = (data("english-article/1.html"), folder.path("none/out"));
    let arguments: [&[&str]; 5] = [
        &["join", &file, "-o", &out],
        &["scan", &pages, "-o", &out],
        &["lab", "label", "--rules", &rules, "--pages", &pages, "-o", &out],
        &["lab", "train", "content", "--data", &datasets, "-o", &out],
        &["lab", "blocks", "unique", &pages, "-o", &out],
    ];
    for arguments in arguments {
        let run =
            tsugi(arguments).exits(FAILED).writes_nothing().says(&["cannot write", &folder.path("none")]);
        assert!(
            !run.stderr.contains(".tsugi-"),
            "the name of the unfinished file helps nobody: {}",
            run.stderr
        );
    }
    assert_eq!(folder.names(), [""; 0]);
}

/// See `a_run_that_fails_leaves_an_existing_file_as_it_was` of `join`.
#[test]
fn labels_stay_when_the_archive_is_none() {
    let folder = Folder::new();
    let out = folder.file("labels.jsonl", "old");
    let label =
        ["lab", "label", "--rules", &data("siteinfo.json"), "--pages", &data("README.md"), "-o", &out];
    tsugi(&label).exits(FAILED).says(&["README.md"]);
    assert_eq!(folder.read("labels.jsonl"), "old");
}

/// The page links out of the folder that it was read from.
#[test]
fn a_saved_page_does_not_pull_in_other_files() {
    let folder = Folder::new();
    let secret = folder.file("secret.html", page("Secret.", None));
    for next in ["../secret.html", &format!("file://{secret}"), "%2e%2e/secret.html"] {
        let start = folder.file("saved/1.html", page("One.", Some(next)));
        let rules = folder.file("rules.json", json!([item("files", "^file:///.+1\\.html")]).to_string());
        let document = tsugi(&["join", &start, "--rules", &rules, "-f", "json"]).exits(PARTLY_FAILED).json();
        assert_eq!(
            (&document["text"], &document["stopped"]["reason"]),
            (&json!("One."), &json!("fetch-failed"))
        );
    }
}

#[test]
fn a_run_that_writes_nothing_leaves_what_was_there() {
    let folder = Folder::new();
    let empty = folder.file("empty.html", "");
    let none = folder.path("none.html");
    let precious = folder.file("out.md", "precious");
    tsugi(&["join", &empty, &none, "-o", &precious]).exits(PARTLY_FAILED);
    assert_eq!(folder.read("out.md"), "precious");
    let folder_as_file = folder.path(".");
    tsugi(&["join", &empty, "-o", &folder_as_file]).exits(WRONG_USE).says(&["is a folder"]);
    let archive = folder.file("a.warc.gz", "");
    let url = "http://127.0.0.1:1/";
    tsugi(&["join", url, "--save", &archive, "-o", &archive]).exits(WRONG_USE).says(&["is a source"]);
}
