//! Input that is broken, foreign, hostile or not there.

use crate::support::{
    DONE, FAILED, NOTHING_FOUND, PARTLY_FAILED, TSUGI, TestFolder, WRONG_USE, Warc, data, item,
    labelled_texts, page, paragraphs, run, tsugi,
};
use serde_json::{Value, json};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";
const PDF: &[u8] = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n";

#[test]
fn what_is_no_html_is_refused() {
    let folder = TestFolder::new();
    for (name, bytes) in [("image.html", PNG), ("paper.pdf", PDF)] {
        let file = folder.file(name, bytes);
        tsugi(&["join", &file]).exits(FAILED).writes_nothing().says(&[name, "not a web page"]);
        tsugi(&["explain", &file]).exits(FAILED).writes_nothing().says(&[name, "not a web page"]);
        let line = tsugi(&["scan", &file]).exits(FAILED).json();
        assert!(line["error"].as_str().unwrap().contains("not a web page"), "{line}");
    }
}

#[test]
fn an_empty_file_holds_nothing() {
    let folder = TestFolder::new();
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
    let folder = TestFolder::new();
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
    let folder = TestFolder::new();
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
    let shown = tsugi(&["extract", &file, "-f", "txt"]).exits(DONE).stdout;
    assert_eq!(shown.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"), text);
}

#[test]
fn fifty_megabytes_of_nesting_end() {
    let folder = TestFolder::new();
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
    let folder = TestFolder::new();
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
    let folder = TestFolder::new();
    let archive = folder.file("cut.warc", &warc.bytes[..broken_at + 60]);
    let run = tsugi(&["scan", &archive]).exits(PARTLY_FAILED);
    assert_eq!(run.json_lines().len(), 2);
    run.says(&["cut.warc", &format!("at byte {broken_at}:"), "the file ends inside it"]);
    let run = tsugi(&["join", "--pages", &archive, "--all", "-f", "jsonl"]);
    assert!(!run.exits(PARTLY_FAILED).says(&["cut.warc", "at byte "]).stdout.is_empty());
}

#[test]
fn what_is_no_archive_is_refused() {
    let folder = TestFolder::new();
    let text = data("README.md");
    std::fs::create_dir(folder.path("folder.warc.gz")).unwrap();
    let directory = folder.path("folder.warc.gz");
    for archive in [&text, &directory, &folder.path("none.warc.gz")] {
        let name = archive.rsplit('/').next().unwrap();
        for arguments in
            [&["join", "--pages", archive, "--all"], &["explain", "http://a.example/", "--pages", archive]]
        {
            tsugi(arguments).exits(FAILED).writes_nothing().says(&[name]);
        }
    }
    let line = tsugi(&["scan", &directory]).exits(FAILED).json();
    assert!(line["error"].as_str().unwrap().contains("folder.warc.gz"), "{line}");
}

#[test]
fn a_broken_item_is_an_error_or_the_others_work() {
    let mut siteinfo: Value =
        serde_json::from_str(&std::fs::read_to_string(data("siteinfo.json")).unwrap()).unwrap();
    siteinfo[0]["data"]["nextLink"] = json!("//nav[@class=");
    siteinfo[3]["data"]["url"] = json!("^https?://(kitchen");
    let folder = TestFolder::new();
    let rules = folder.file("rules.json", siteinfo.to_string());
    // The models do not answer in the place of a rule that somebody wrote, unless they are let.
    tsugi(&["scan", &data("pages.warc.gz"), "--rules", &rules]).exits(FAILED).writes_nothing().says(&[
        "rules.json`: item 0 (`The Estuary Review`): `nextLink` (`//nav[@class=`)",
        "--rules-optional uses the other rules",
    ]);
    let optional = ["scan", &data("pages.warc.gz"), "--rules", &rules, "--rules-optional"];
    let run = tsugi(&optional).exits(DONE);
    for line in run.json_lines() {
        let known =
            ["//yomimono.", "//notes."].iter().any(|host| line["url"].as_str().unwrap().contains(host));
        if !line["next"].is_null() {
            assert_eq!(line["next"]["by"], if known { "rule" } else { "model" }, "{line}");
        }
    }
    // The other line is the summary.
    assert_eq!(run.stderr.lines().count(), 2, "{}", run.stderr);
    run.says(&["rules.json: 2 items cannot be used; `tsugi siteinfo check` lists them"]);
    tsugi(&[&optional[..], &["-v"]].concat()).exits(DONE).says(&[
        "rules.json: item 0 (`The Estuary Review`): `nextLink` (`//nav[@class=`): at byte 13",
        "item 3 (`The Second Shelf Kitchen`): `url`",
    ]);
}

#[test]
fn siteinfo_that_is_none_is_refused() {
    let folder = TestFolder::new();
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
    }
}

#[test]
fn models_that_do_not_fit_are_refused() {
    let folder = TestFolder::new();
    let shipped = |name: &str| format!("{}/../tsugi/models/{name}.model", env!("CARGO_MANIFEST_DIR"));
    let (pages, next, content) = (data("pages.warc.gz"), shipped("next-link"), shipped("content"));
    let bytes = std::fs::read(&next).unwrap();
    let half = bytes.len() / 2;
    let cut = folder.file("cut.model", &bytes[..half]);
    let mut turned = bytes;
    turned[half] ^= 1;
    let turned = folder.file("turned.model", turned);
    let empty = folder.file("empty.model", "");
    let of_next = "expected models for `next-link/full/2`, found some for `content/full`";
    let of_content = "expected models for `content/full`, found some for `next-link/full/2`";
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

/// The page links out of the folder that it was read from.
#[test]
fn a_saved_page_does_not_pull_in_other_files() {
    let folder = TestFolder::new();
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
    let folder = TestFolder::new();
    let empty = folder.file("empty.html", "");
    let none = folder.path("none.html");
    let precious = folder.file("out.md", "precious");
    tsugi(&["join", &empty, &none, "-o", &precious]).exits(PARTLY_FAILED);
    assert_eq!(folder.read("out.md"), "precious");
    let folder_as_file = folder.path(".");
    tsugi(&["join", &empty, "-o", &folder_as_file]).exits(WRONG_USE).says(&["is a folder"]);
    let archive = folder.file("a.warc.gz", "");
    let url = "http://127.0.0.1:1/";
    tsugi(&["join", url, "--save", &archive, "-o", &archive, "-f", "md"])
        .exits(WRONG_USE)
        .says(&["is a source"]);
    tsugi(&["scan", &archive, "-o", &archive]).exits(WRONG_USE).says(&["is a source"]);
}

const FERRY: &str = "The ferry left at six in the morning. Nobody saw it go, for the fog was thick. ";

/// Pages that show nothing, whose data would take far more time or memory than they are long.
fn greedy_pages() -> [(&'static str, String); 8] {
    let script = |code: String| format!("<title>The ferry</title><div id=app></div><script>{code}</script>");
    let story = FERRY.repeat(1000);
    let references = vec![json!({"__ref": "A"}); 20_000];
    let apollo = json!({"title": "The ferry", "L": references, "A": {"type": "p", "text": story}});
    let blank =
        json!({"title": "The ferry", "L": references, "A": {"type": "p", "text": " ".repeat(100_000)}});
    let kind =
        json!({"title": "The ferry", "L": references, "A": {"type": "x".repeat(100_000), "text": FERRY}});
    let nuxt = json!([vec![1; 20_000], FERRY.repeat(500)]);
    let nuxt = format!("<title>T</title><script id=__NUXT_DATA__ type=application/json>{nuxt}</script>");
    let row = |row: &str| script(format!("self.__next_f.push([1,{}])", json!(row.repeat(400_000))));
    [
        ("references", script(format!("window.__APOLLO_STATE__ = {apollo}"))),
        ("blank references", script(format!("window.__APOLLO_STATE__ = {blank}"))),
        ("long kinds", script(format!("window.__APOLLO_STATE__ = {kind}"))),
        ("indices", nuxt),
        ("pushes", script("__next_f.push(x".repeat(100_000))),
        ("open lists", script("__next_f.push([".repeat(100_000))),
        ("rows without a comma", row("a:T\n")),
        ("lines before a colon", row("a\n") + "<script>self.__next_f.push([1,\":\"])</script>"),
    ]
}

#[test]
#[cfg(unix)]
fn data_in_a_page_take_no_more_than_their_length_allows() {
    let folder = TestFolder::new();
    let good =
        |warc: Warc, name: &str| warc.page(&format!("https://a.test/{name}"), page(&FERRY.repeat(9), None));
    let mut warc = good(Warc::default(), "first");
    for (name, html) in greedy_pages() {
        warc = warc.page(&format!("https://a.test/{}", name.replace(' ', "-")), html);
    }
    let archive = folder.file("pages.warc", good(warc, "last").bytes);
    for command in ["scan", "join --all --pages"] {
        // Seconds of the processor, and kilobytes.
        let limited = format!("ulimit -t 20 -v 1500000; exec {TSUGI} {command} {archive} --jobs 1");
        let run = run("/bin/sh", &["-c", &limited]);
        assert!(run.stdout.matches("Nobody saw it go").count() >= 2 * 9, "{command}: {}", run.stderr);
        assert!([DONE, PARTLY_FAILED].contains(&run.code), "{command}: {}", run.stderr);
    }
}

#[test]
fn data_that_are_given_up_are_named() {
    let folder = TestFolder::new();
    let [(_, references), ..] = greedy_pages();
    let file = folder.file("references.html", references);
    tsugi(&["join", &file]).says(&["data in the page take too much work, and were not read to the end"]);
}
