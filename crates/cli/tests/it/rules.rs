//! Following by siteinfo items: which pages they lead to, and where they stop.

use crate::support::{
    CannedAnswer, DONE, LOCAL, LoopbackServer, ProgramRun, TestFolder, canned, command, data, finish, gave,
    html, item, page, tsugi,
};
use serde_json::{Value, json};

/// Siteinfo of these items.
fn rules(folder: &TestFolder, items: &[Value]) -> String {
    folder.file("rules.json", json!(items).to_string())
}

/// An item for every page of the loopback server.
fn next_by(next_link: &str) -> Value {
    json!({"name": "loopback", "data": {
        "url": "^http://127\\.0\\.0\\.1:\\d+/", "nextLink": next_link, "pageElement": "//main"}})
}

/// Joins from an address, as JSON.
#[track_caller]
fn join(url: &str, items: &[Value]) -> ProgramRun {
    let folder = TestFolder::new();
    let rules = rules(&folder, items);
    let arguments = [&["join", url, "--rules", &rules, "-f", "json"], &LOCAL[..]].concat();
    finish(command(&arguments).spawn().unwrap())
}

/// A server of the page `/1`, whose next link leads to this address, and of what is there.
fn second(next: &str, answers: Vec<CannedAnswer>) -> LoopbackServer {
    let first = ("/1", html(page("One.", Some(next))));
    LoopbackServer::start(canned([vec![first], answers].concat()))
}

#[test]
fn items_lead_where_they_match_and_the_models_elsewhere() {
    let folder = TestFolder::new();
    let archive = data("pages.warc.gz");
    let items: Vec<Value> = serde_json::from_slice(&std::fs::read(data("siteinfo.json")).unwrap()).unwrap();
    let review = rules(&folder, &items[..1]);
    let by = |url: &str, expected: &str| {
        let document =
            tsugi(&["join", url, "--pages", &archive, "--rules", &review, "-f", "json"]).exits(DONE).json();
        let by: Vec<&str> =
            document["pages"].as_array().unwrap().iter().map(|page| page["by"].as_str().unwrap()).collect();
        assert!(by.len() > 1, "{url}: {by:?}");
        assert_eq!(by[0], "start");
        assert!(by[1..].iter().all(|by| *by == expected), "{url}: {by:?}");
    };
    by("https://magazine.example/features/tide-mill/1.html", "rule");
    by("https://yomimono.example/tokushu/saka/1.html", "model");
}

#[test]
fn the_most_specific_item_that_finds_both_leads() {
    let mut blog = item("blog", "^http://127\\.0\\.0\\.1:\\d+/blog/");
    blog["data"]["nextLink"] = json!("//a[@rel='next']");
    let items = [item("site", "^http://127\\.0\\.0\\.1:\\d+/"), blog];
    let both = "<main><p>One.</p></main><a class=next href=site></a><a rel=next href=blog></a>";
    let server = LoopbackServer::start(canned([
        ("/blog/1", html(both)),
        ("/blog/2", html(page("One.", Some("site")))),
        ("/blog/blog", html(page("By blog.", None))),
        ("/blog/site", html(page("By site.", None))),
    ]));
    gave(join(&server.address("/blog/1"), &items), "One.\nBy blog.", "no-next", "/blog/blog", "no next-page");
    gave(join(&server.address("/blog/2"), &items), "One.\nBy site.", "no-next", "/blog/site", "no next-page");
}

#[test]
fn a_page_on_which_no_item_finds_content_ends_the_sequence() {
    // The models find an article there.
    let text = "A long paragraph of an article that a model takes for main content without doubt. ".repeat(8);
    let other = format!("<!DOCTYPE html><h1>T</h1><article><p>{text}</p><p>{text}</p></article>");
    let server = second("/2", vec![("/2", html(other.clone()))]);
    let words = "no rule finds content";
    gave(join(&server.address("/1"), &[next_by("//a")]), "One.", "not-a-continuation", "/2", words);
    // Neither where the item is for the first page alone.
    let mut first = next_by("//a");
    first["data"]["url"] = json!("/1$");
    let server = second("/2", vec![("/2", html(page("Two.", None)))]);
    gave(join(&server.address("/1"), &[first.clone()]), "One.", "not-a-continuation", "/2", words);
    // Another item may go on.
    let mut next = next_by("//a");
    next["data"]["url"] = json!("/2$");
    gave(join(&server.address("/1"), &[first, next]), "One.\nTwo.", "no-next", "/2", "no next-page");
}
