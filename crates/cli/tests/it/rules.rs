//! Following by siteinfo items: which pages they lead to, and where they stop.

use crate::support::{
    Answer, DONE, Folder, LOCAL, Run, Server, command, data, finish, gave, item, page, tsugi,
};
use serde_json::{Value, json};

/// Siteinfo of these items.
fn rules(folder: &Folder, items: &[Value]) -> String {
    folder.file("rules.json", json!(items).to_string())
}

/// An item for every page of the loopback server.
fn next_by(next_link: &str) -> Value {
    json!({"name": "loopback", "data": {
        "url": "^http://127\\.0\\.0\\.1:\\d+/", "nextLink": next_link, "pageElement": "//main"}})
}

/// Joins from an address, as JSON.
#[track_caller]
fn join(url: &str, items: &[Value]) -> Run {
    let folder = Folder::new();
    let rules = rules(&folder, items);
    let arguments = [&["join", url, "--rules", &rules, "-f", "json"], &LOCAL[..]].concat();
    finish(command(&arguments).spawn().unwrap())
}

/// A server of the page `/1`, whose next link leads to this address, and of what is there.
fn second(next: &str, answers: Vec<Answer>) -> Server {
    let first = Answer::page("/1", page("One.", Some(next)));
    Server::start([vec![first], answers].concat())
}

fn redirect(path: &'static str, to: &str) -> Answer {
    // Server::start writes the status into the first line, so that a header can follow it.
    let status: &'static str = format!("302 Found\r\nLocation: {to}").leak();
    Answer { path, status, media: "text/html", body: Vec::new() }
}

#[test]
fn items_lead_where_they_match_and_the_models_elsewhere() {
    let folder = Folder::new();
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
fn the_next_address_is_an_href_an_action_a_value_or_an_attribute_of_its_own() {
    for (next_link, markup) in [
        ("//a[@class='n']", "<a class=n href=two>"),
        ("//form[@id='n']", "<form id=n action=two></form>"),
        ("//select/option[2]", "<select><option value=/1><option value=two></select>"),
        ("//input[@name='n']", "<input name=n value=two>"),
        ("//div/@data-next", "<div data-next=two></div>"),
        ("id('n')//A", "<p id=n><a href=two></a></p>"),
        ("//a[number() = 2]", "<a href=/1>1</a><a href=two> 2 </a>"),
        ("//a[contains(., 'next')] | //link[@rel='next']", "<link rel=next href=two><a href=/1>next</a>"),
    ] {
        for (base, path) in [("", "/two"), ("<base href=/dir/>", "/dir/two")] {
            let first = format!("<!DOCTYPE html>{base}<main><p>One.</p></main>{markup}");
            let server = Server::start(vec![
                Answer::page("/1", first),
                Answer::page(path, "<main><p>Two.</p></main>"),
            ]);
            let document = join(&server.url("/1"), &[next_by(next_link)]).exits(DONE).json();
            assert_eq!(document["text"], "One.\nTwo.", "{next_link} {base}");
            assert_eq!(document["pages"][1]["by"], "rule", "{next_link} {base}");
            assert_eq!(server.asked(), ["/1", path]);
        }
    }
}

#[test]
fn the_most_specific_item_that_finds_both_leads() {
    let mut blog = item("blog", "^http://127\\.0\\.0\\.1:\\d+/blog/");
    blog["data"]["nextLink"] = json!("//a[@rel='next']");
    let items = [item("site", "^http://127\\.0\\.0\\.1:\\d+/"), blog];
    let both = "<main><p>One.</p></main><a class=next href=site></a><a rel=next href=blog></a>";
    let server = Server::start(vec![
        Answer::page("/blog/1", both),
        Answer::page("/blog/2", page("One.", Some("site"))),
        Answer::page("/blog/blog", page("By blog.", None)),
        Answer::page("/blog/site", page("By site.", None)),
    ]);
    gave(join(&server.url("/blog/1"), &items), "One.\nBy blog.", "no-next", "/blog/blog", "no next-page");
    gave(join(&server.url("/blog/2"), &items), "One.\nBy site.", "no-next", "/blog/site", "no next-page");
}

#[test]
fn an_address_that_is_held_is_not_asked_for_again() {
    let server = second("/2", vec![Answer::page("/2", page("Two.", Some("/1#top")))]);
    gave(join(&server.url("/1"), &[next_by("//a")]), "One.\nTwo.", "loop", "/1", "leads back");
    assert_eq!(server.asked(), ["/1", "/2"]);
    // Nor is it taken where another address answers with it.
    let server = second("/2", vec![redirect("/2", "/1")]);
    gave(join(&server.url("/1"), &[next_by("//a")]), "One.", "loop", "/1", "redirects back");
    // Other addresses, same page.
    let server = second("/2", vec![Answer::page("/2", page("One.", Some("/3")))]);
    gave(join(&server.url("/1"), &[next_by("//a")]), "One.", "not-a-continuation", "/2", "");
}

#[test]
fn a_page_on_which_no_item_finds_content_ends_the_sequence() {
    // The models find an article there.
    let text = "A long paragraph of an article that a model takes for main content without doubt. ".repeat(8);
    let other = format!("<!DOCTYPE html><h1>T</h1><article><p>{text}</p><p>{text}</p></article>");
    let server = second("/2", vec![Answer::page("/2", other.clone())]);
    let words = "no rule finds content";
    gave(join(&server.url("/1"), &[next_by("//a")]), "One.", "not-a-continuation", "/2", words);
    // Neither where the item is for the first page alone.
    let mut first = next_by("//a");
    first["data"]["url"] = json!("/1$");
    let server = second("/2", vec![Answer::page("/2", page("Two.", None))]);
    gave(join(&server.url("/1"), &[first.clone()]), "One.", "not-a-continuation", "/2", words);
    // Another item may go on.
    let mut next = next_by("//a");
    next["data"]["url"] = json!("/2$");
    gave(join(&server.url("/1"), &[first, next]), "One.\nTwo.", "no-next", "/2", "no next-page");
}

#[test]
fn what_cannot_be_had_ends_the_sequence() {
    let at_2 = |status, media, body: &str| Answer { path: "/2", status, media, body: body.into() };
    let two = page("Two.", None);
    for (answer, words) in [
        (at_2("404 Not Found", "text/html", &two), "status 404"),
        (at_2("500 Internal Server Error", "text/html", &two), "status 500"),
        (at_2("200 OK", "application/json", "{}"), "is application/json, not a web page"),
        (at_2("200 OK", "image/png", "\u{1}"), "is image/png, not a web page"),
    ] {
        let server = second("/2", vec![answer]);
        gave(join(&server.url("/1"), &[next_by("//a")]), "One.", "fetch-failed", "/2", words);
    }
}

#[test]
fn the_host_is_not_left() {
    let other = Server::start(vec![Answer::page("/2", page("Elsewhere.", None))]);
    let server = second(&other.url("/2"), Vec::new());
    gave(join(&server.url("/1"), &[next_by("//a")]), "One.", "off-site", "/2", "leads to another host");
    let server = second("/2", vec![redirect("/2", &other.url("/2"))]);
    let words = "redirects to another host";
    gave(join(&server.url("/1"), &[next_by("//a")]), "One.", "off-site", "/2", words);
    assert_eq!(other.asked(), ["/2"]);
    let server = second("ftp://127.0.0.1/2", Vec::new());
    gave(join(&server.url("/1"), &[next_by("//a")]), "One.", "no-next", "/1", "");
}
