//! `tsugi siteinfo`, and rules in what other commands say.

use crate::support::{
    DONE, FAILED, NOTHING_FOUND, PARTLY_FAILED, TestFolder, WRONG_USE, Warc, data, item, tsugi,
};
use serde_json::{Value, json};
use std::path::Path;

/// A dump with items of all kinds of trouble.
fn troubled() -> Value {
    let with = |name: &str, field: &str, value: Value| {
        let mut item = item(name, "^https?://a\\.test/");
        item["data"][field] = value;
        item
    };
    json!([
        item("good", "^https?://a\\.test/"),
        with("日本", "nextLink", json!("//a[.='次へ'")),
        with("one\ntwo", "url", json!("^https?://(a|b\\.test/")),
        with("warned", "insertBefore", json!("//hr[")),
        with("empty", "pageElement", json!("")),
        3,
    ])
}

#[test]
fn check_lists_what_cannot_be_used_with_a_caret_under_the_spot() {
    let folder = TestFolder::new();
    let file = folder.file("rules.json", troubled().to_string());
    let run = tsugi(&["siteinfo", "check", &file]).exits(PARTLY_FAILED);
    assert_eq!(run.stderr, "");
    let text = run.stdout.replace(&file, "FILE");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("FILE: item 1 (`日本`): `nextLink`: "), "{text}");
    assert_eq!(lines[1..3], ["    //a[.='次へ'", "                ^"], "{text}");
    assert_eq!(
        lines[3..],
        [
            "FILE: item 2 (`one two`): `url`: unclosed `(`",
            "    ^https?://(a|b\\.test/",
            "              ^",
            lines[6],
            "    //hr[",
            "         ^",
            "FILE: item 4 (`empty`): `pageElement`: missing or empty",
            "FILE: item 5 (``): expected an object with `url`, `nextLink` and `pageElement`",
            "FILE: 6 items, 2 usable (33.33 %), 4 unusable, 1 without `insertBefore`",
        ],
        "{text}"
    );
    assert!(lines[6].starts_with("FILE: item 3 (`warned`): `insertBefore`: "), "{text}");
    assert!(lines[6].ends_with(" (used without it)"), "{text}");
}

#[test]
fn check_writes_json_or_a_table() {
    let folder = TestFolder::new();
    let file = folder.file("rules.json", troubled().to_string());
    let run = tsugi(&["siteinfo", "check", "--json", &file]).exits(PARTLY_FAILED);
    let lines = run.json_lines();
    let places: Vec<_> = lines.iter().map(|line| (line["index"].clone(), line["at"].clone())).collect();
    let expected = [(1, json!(10)), (2, json!(10)), (3, json!(5)), (4, json!(null)), (5, json!(null))];
    assert_eq!(places, expected.map(|(index, at)| (json!(index), at)));
    assert_eq!(lines[1]["expression"], "^https?://(a|b\\.test/");
    assert_eq!((&lines[2]["usable"], &lines[2]["field"]), (&json!(true), &json!("insertBefore")));
    assert_eq!((&lines[4]["name"], &lines[4]["field"]), (&json!(""), &json!(null)));
    run.says(&["6 items, 2 usable"]);
    let table = tsugi(&["siteinfo", "check", "--list", &file]).exits(PARTLY_FAILED).stdout;
    assert!(table.contains("| rules.json | 2 | one two | url | at character 10: unclosed `(` |\n"));
    assert!(
        table.ends_with(
            "\n\n- rules.json: 6 items, 2 usable (33.33 %), 4 unusable, 1 without `insertBefore`\n"
        )
    );
    tsugi(&["siteinfo", "check", "--list", "--json", &file]).exits(WRONG_USE).writes_nothing();
}

#[test]
fn check_tells_by_its_exit_code() {
    let folder = TestFolder::new();
    let good = folder.file("good.json", item("a", "a").to_string());
    let warned = folder.file("warned.json", troubled()[3].to_string());
    let (bad, text) = (folder.file("bad.json", troubled().to_string()), folder.file("text.json", "nonsense"));
    let empty = folder.file("empty.json", "[]");
    tsugi(&["siteinfo", "check", &good, &data("siteinfo.json")]).exits(DONE);
    tsugi(&["siteinfo", "check", &warned]).exits(DONE);
    tsugi(&["siteinfo", "check", &empty]).exits(NOTHING_FOUND);
    tsugi(&["siteinfo", "check", &good, &bad]).exits(PARTLY_FAILED);
    let run = tsugi(&["siteinfo", "check", &text, &bad, &folder.path("none.json")]).exits(FAILED);
    assert!(run.stdout.contains("4 unusable"), "the others are checked");
    run.says(&["text.json` is not siteinfo", "none.json"]);
    tsugi(&["siteinfo"]).exits(WRONG_USE);
    tsugi(&["siteinfo", "check"]).exits(WRONG_USE);
}

#[test]
#[ignore = "needs the pages in ../shared/data"]
fn the_list_of_unusable_items_is_up_to_date() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rules = workspace.join("../shared/data/rules");
    let dump = |name: &str| rules.join(name).display().to_string();
    let run =
        tsugi(&["siteinfo", "check", "--list", &dump("wedata-2024-08.json"), &dump("wedata-2013-10.json")]);
    let listed = std::fs::read_to_string(workspace.join("models/results/siteinfo/unusable.md")).unwrap();
    assert_eq!(run.stdout, listed, "write `models/results/siteinfo/unusable.md` anew");
}

#[test]
fn the_item_is_named_where_evidence_is_shown() {
    let folder = TestFolder::new();
    let file = folder.file("1.html", crate::support::page("One.", Some("2.html")));
    folder.file("2.html", crate::support::page("Two.", None));
    let rules = folder.file("rules.json", json!([item("the files", "^file:")]).to_string());
    let run = tsugi(&["join", &file, "--rules", &rules, "-f", "json"]).exits(DONE);
    let pages = run.json()["pages"].clone();
    assert_eq!((&pages[1]["by"], &pages[1]["rule"]), (&json!("rule"), &json!("the files")), "{pages}");
    run.says(&["content by rule `the files`"]);
    let run = tsugi(&["explain", &file, "--rules", &rules]).exits(DONE);
    assert_eq!(run.stdout.matches("by rule `the files`").count(), 2, "{}", run.stdout);
    let run = tsugi(&["join", &file, "-f", "json"]);
    assert!(!run.stdout.contains("\"rule\""), "{}", run.stdout);
}

#[test]
fn generic_items_take_part_only_where_asked() {
    let folder = TestFolder::new();
    let page = "<!DOCTYPE html><title>t</title><article>One.</article><b><a class=on href='http://a.test/2'>x</a></b>";
    let archive = folder.file("a.warc", Warc::default().page("http://a.test/1", page).bytes);
    let generic = json!([{"name": "all", "data": {"url": "^https?://.", "nextLink": "//a[@class='on']", "pageElement": "//article"}}]);
    let rules = folder.file("rules.json", generic.to_string());
    let by = |options: &[&str]| {
        let run = tsugi(&[&["scan", &*archive, "--rules", &*rules], options].concat()).exits(DONE);
        run.json_lines()[0]["next"]["by"].clone()
    };
    assert_ne!(by(&[]), "rule");
    assert_eq!(by(&["--generic-rules"]), "rule");
    tsugi(&["scan", &archive, "--generic-rules"]).exits(WRONG_USE).says(&["--rules"]);
}
