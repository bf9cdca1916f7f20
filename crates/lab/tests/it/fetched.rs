//! `tsugi-lab fetch`: pages from a server on the loopback interface into an archive.

use crate::support::{
    DONE, FAILED, LoopbackServer, NOTHING_FOUND, PARTLY_FAILED, TestFolder, WRONG_USE, canned, html,
    json_lines, lab, typed,
};
use serde_json::json;

/// A list of three pages, and a `robots.txt` that keeps a folder to itself.
fn server() -> LoopbackServer {
    let page = |number: u32| {
        let next =
            if number < 3 { format!("<a rel=next href=/list/{}>on</a>", number + 1) } else { String::new() };
        (format!("/list/{number}"), html(format!("<article><p>What page {number} says.</p></article>{next}")))
    };
    let robots = ("/robots.txt".to_owned(), typed("text/plain", "User-agent: *\nDisallow: /private/\n"));
    let answers: Vec<(String, Vec<u8>)> = (1..=3).map(page).chain([robots]).collect();
    LoopbackServer::start(canned(answers))
}

fn rules(server: &LoopbackServer) -> String {
    let item = |name: &str, path: &str, examples: &str| {
        json!({"name": name, "data": {
            "url": format!("^http://127\\.0\\.0\\.1:{}{path}", server.port()),
            "nextLink": "//a[@rel='next']",
            "pageElement": "//article",
            "exampleUrl": examples,
        }})
    };
    let (list, private) = (server.address("/list/1"), server.address("/private/1"));
    json!([
        item("list", "/list/", &format!("{list}\n{list}#again\nhttps://elsewhere.test/")),
        item("private", "/private/", &private),
        item("none", "/none/", "no address"),
    ])
    .to_string()
}

#[test]
fn example_pages_become_a_data_set() {
    let folder = TestFolder::new();
    let server = server();
    let rules = folder.file("rules.json", rules(&server));
    let archive = folder.path("mine/pages.warc.gz");
    let fetch = |options: &[&str]| {
        let base = ["fetch", "--allow-private", "127.0.0.1", "--delay", "0", "-o", &archive];
        lab(&[&base[..], options].concat())
    };
    let examples = ["--rules", &rules, "--example-urls"];
    // The site asks robots to stay out of one folder; another address of the item is not the item's.
    fetch(&examples).exits(PARTLY_FAILED).says(&[
        "1 pages of 1 sites; 1 failed",
        "/private/1: ",
        "may not be fetched",
    ]);
    let asked = server.requests().len();
    fetch(&[&examples[..], &["--follow", "3"]].concat())
        .exits(PARTLY_FAILED)
        .says(&["3 pages of 1 sites; 1 failed"]);
    let paths: Vec<String> = server.requests()[asked..].iter().map(|request| request.path.clone()).collect();
    assert!(!paths.contains(&"/list/1".to_owned()), "the archive holds it: {paths:?}");
    let labels = folder.path("mine/labels.jsonl");
    lab(&["label", "--rules", &rules, "--pages", &archive, "-o", &labels])
        .exits(DONE)
        .says(&["3 of 3 pages labelled: 2 with a next page, 1 without"]);
    let labelled = json_lines(&folder.read("mine/labels.jsonl"));
    assert_eq!(labelled[0]["next"], server.address("/list/2"));
    assert!(labelled[2]["next"].is_null());
}

#[test]
fn addresses_are_fetched_and_mistakes_told() {
    let folder = TestFolder::new();
    let (server, out) = (server(), folder.path("a.warc.gz"));
    let fetch = |url: &str| lab(&["fetch", url, "--allow-private", "127.0.0.1", "-o", &out]);
    fetch(&server.address("/list/2")).exits(DONE).says(&["1 pages of 1 sites; 0 failed"]);
    fetch(&server.address("/none")).exits(FAILED).says(&["404"]);
    fetch("ftp://a.test/").exits(WRONG_USE).says(&["`ftp://a.test/` is not an http(s) address"]);
    lab(&["fetch", "--example-urls", "-o", &out]).exits(WRONG_USE).says(&["--rules"]);
    let none = folder.file("none.json", "[]");
    lab(&["fetch", "--rules", &none, "--example-urls", "-o", &out])
        .exits(NOTHING_FOUND)
        .says(&["no item names"]);
}
