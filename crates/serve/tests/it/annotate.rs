//! Annotating: sets of pages, drafts, saving, agreement, rules.

use crate::support::{LoopbackServer, ServerAnswer, TOKEN, Tested, article};
use serde_json::{Value, json};
use tsugi::fetch::ArchiveWriter;
use tsugi::page::Response;
use tsugi_testing::{missing, typed};

/// An archive of some articles' pages.
fn archive(hosts: &[&str]) -> Vec<u8> {
    let mut writer = ArchiveWriter::new(Vec::new());
    for host in hosts {
        for (path, media, body) in article(4, &[]) {
            let url = format!("https://{host}{path}").parse().unwrap();
            let page = Response { url, status: 200, content_type: Some(media.to_owned()), link: None, body };
            writer.write(&page, "2026-01-02T03:04:05Z").unwrap();
        }
    }
    writer.finish().unwrap()
}

fn upload(tested: &Tested, set: &str, bytes: &[u8]) -> ServerAnswer {
    tested.send("POST", &format!("/api/sets/{set}"), &[("X-Tsugi-Token", TOKEN)], bytes)
}

/// The article of a page, and its link to the next one: that to the page before stands in front of it.
const MAIN: &str = "/html[1]/body[1]/main[1]";
fn next_link(number: usize) -> String {
    format!("/html[1]/body[1]/div[1]/a[{}]", if number == 1 { 1 } else { 2 })
}

fn annotate(tested: &Tested, person: &str, url: &str, content: &str, next: Option<&str>) -> Value {
    let annotation = json!({"content": [content], "next": next, "next_reason": if next.is_none() { Some("last") } else { None }});
    tested
        .post("/api/sets/s/labels", &json!({"person": person, "url": url, "annotation": annotation}))
        .is(200)
        .json()
}

#[test]
fn what_people_say_becomes_a_data_set() {
    let tested = Tested::start();
    let made = upload(&tested, "s", &archive(&["a.test"])).is(200).json();
    assert_eq!(made["pages"].as_array().unwrap().len(), 4);
    let url = "https://a.test/1";
    let page = tested.post("/api/sets/s/page", &json!({"person": "ann", "url": url})).is(200).json();
    assert_eq!((&page["saved"], &page["next"]["url"]), (&Value::Null, &json!("https://a.test/2")));
    let paths = page["paths"].as_array().unwrap();
    let path_of =
        |node: &Value| paths.iter().find(|entry| entry[0] == *node).unwrap()[1].as_str().unwrap().to_owned();
    let next = path_of(&page["next"]["node"]);
    let label = annotate(&tested, "ann", url, MAIN, Some(&next));
    assert_eq!(label["next"], "https://a.test/2");
    let folder = tested.folder.path().join("sets/s/by/ann");
    let lines = std::fs::read_to_string(folder.join("labels.jsonl")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(lines.trim()).unwrap(), label);
    assert!(folder.join("pages.warc.gz").exists());
    let read = tested.post("/api/read", &json!({"url": url, "set": "s"})).is(200).events();
    assert_eq!(read.last().unwrap().1["pages"].as_array().unwrap().len(), 4, "a set is read without the web");
    tested.post("/api/read", &json!({"url": url, "set": "t"})).is(404);
    let again = tested.post("/api/sets/s/page", &json!({"person": "ann", "url": url})).is(200).json();
    assert_eq!(again["saved"]["content"], json!([MAIN]));
    let queue = tested.get_own("/api/sets/s?person=ann").is(200).json();
    let done: Vec<&Value> =
        queue["pages"].as_array().unwrap().iter().filter(|page| page["done"] == true).collect();
    assert_eq!((done.len(), &done[0]["url"]), (1, &json!(url)));
    let sets = tested.get_own("/api/sets").is(200).json();
    assert_eq!(sets["sets"][0], json!({"name": "s", "pages": 4, "people": {"ann": 1}}));
}

#[test]
fn a_text_that_is_left_out_survives_saving() {
    let tested = Tested::start();
    upload(&tested, "s", &archive(&["a.test"])).is(200);
    let (url, text) = ("https://a.test/1", format!("{MAIN}/p[1]/text()[1]"));
    let annotation = json!({"content": [MAIN], "without": [text], "next_reason": "last"});
    let said = json!({"person": "ann", "url": url, "annotation": annotation});
    let label = tested.post("/api/sets/s/labels", &said).is(200).json();
    assert_eq!(label["without"].as_array().unwrap().len(), 1);
    let page = tested.post("/api/sets/s/page", &json!({"person": "ann", "url": url})).is(200).json();
    assert_eq!(page["saved"]["without"], json!([text]));
    assert!(page["paths"].as_array().unwrap().iter().any(|entry| entry[1] == text), "the browser finds it");
}

#[test]
fn people_are_compared_and_a_third_one_settles() {
    let tested = Tested::start();
    upload(&tested, "s", &archive(&["a.test"])).is(200);
    for number in 1..=3 {
        let url = format!("https://a.test/{number}");
        let link = next_link(number);
        annotate(&tested, "ann", &url, MAIN, Some(&link));
        let part = if number == 3 { &format!("{MAIN}/p[1]") } else { MAIN };
        annotate(&tested, "bob", &url, part, Some(&link));
    }
    let found = tested.get_own("/api/sets/s/agreement").is(200).json();
    assert_eq!(found["confirmed"], false);
    assert_eq!(found["rows"].as_array().unwrap().len(), 2, "each against the other: {found}");
    let bob = &found["rows"][1];
    assert_eq!(
        (&bob["person"], &bob["agreement"]["precision"], &bob["agreement"]["kappa"]),
        (&json!("bob"), &json!(1.0), &json!(1.0))
    );
    assert!(bob["agreement"]["recall"].as_f64().unwrap() < 1.0);
    assert_eq!(found["disagreements"].as_array().unwrap().len(), 1);
    assert_eq!(found["disagreements"][0]["url"], "https://a.test/3");
    annotate(&tested, "settled", "https://a.test/3", MAIN, Some(&next_link(3)));
    let settled = tested.get_own("/api/sets/s/agreement").is(200).json();
    assert_eq!(settled["confirmed"], true);
    let rows = settled["rows"].as_array().unwrap();
    assert!(rows.len() == 2 && rows.iter().all(|row| row["against"] == "settled"), "{settled}");
    assert_eq!((&rows[0]["person"], &rows[0]["agreement"]["perfect"]), (&json!("ann"), &json!(1.0)));
}

#[test]
fn a_rule_is_learned_from_three_pages_and_tried_on_the_others() {
    let tested = Tested::start();
    upload(&tested, "s", &archive(&["a.test", "b.test"])).is(200);
    let lesson = json!({"person": "ann", "host": "a.test"});
    for number in 1..=3 {
        let message = tested.post("/api/sets/s/rule", &lesson).is(400).json();
        assert!(message["message"].as_str().unwrap().contains("at least 3"), "{message}");
        let url = format!("https://a.test/{number}");
        annotate(&tested, "ann", &url, MAIN, Some(&next_link(number)));
    }
    let rule = tested.post("/api/sets/s/rule", &lesson).is(200).json();
    assert_eq!((&rule["taught"], &rule["agree"]), (&json!(3), &json!(3)));
    assert!(rule["item"]["data"]["nextLink"].is_string());
    let previews = rule["previews"].as_array().unwrap();
    assert_eq!(
        (previews.len(), &previews[0]["url"], &previews[0]["next"]),
        (1, &json!("https://a.test/4"), &Value::Null)
    );
    assert!(previews[0]["text"].as_str().unwrap().contains("tide mill"));
}

#[test]
fn names_and_files_that_are_no_sets_are_refused() {
    let tested = Tested::start();
    for bytes in [&b""[..], b"<p>no archive", b"PK\x03\x04", b"\x1f\x8b\x08broken"] {
        upload(&tested, "s", bytes).is(400);
    }
    assert_eq!(tested.get_own("/api/sets").is(200).json(), json!({"sets": []}), "nothing is left of them");
    assert!(std::fs::read_dir(tested.folder.path().join("sets")).unwrap().next().is_none());
    upload(&tested, "s", &archive(&["a.test"])).is(200);
    upload(&tested, "s", &archive(&["a.test"])).is(400);
    for set in ["..", "%2e%2e", "a%2fb", "%00"] {
        let status = tested.get_own(&format!("/api/sets/{set}?person=ann")).status;
        assert!([400, 404].contains(&status), "{set}: {status}");
    }
    tested.get_own("/api/sets/s?person=../ann").is(400);
    let body = |person: &str, url: &str| json!({"person": person, "url": url, "annotation": {}});
    tested.post("/api/sets/s/labels", &body("../../x", "https://a.test/1")).is(400);
    tested.post("/api/sets/s/labels", &body("ann", "https://a.test/9")).is(404);
    tested.send("POST", "/api/sets/t", &[], "").is(401);
}

#[test]
fn a_damaged_archive_is_answered_with_its_problems() {
    let tested = Tested::start();
    let mut bytes = archive(&["a.test"]);
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    let made = upload(&tested, "s", &bytes).is(200).json();
    assert!((1..4).contains(&made["pages"].as_array().unwrap().len()), "{made}");
    assert!(!made["problems"].as_array().unwrap().is_empty(), "{made}");
    let whole = upload(&tested, "t", &archive(&["a.test"])).is(200).json();
    assert_eq!(whole["problems"], Value::Null);
}

#[test]
fn one_damaged_file_does_not_block_the_sets() {
    let tested = Tested::start();
    upload(&tested, "s", &archive(&["a.test"])).is(200);
    upload(&tested, "t", &archive(&["b.test"])).is(200);
    for number in 1..=2 {
        annotate(&tested, "ann", &format!("https://a.test/{number}"), MAIN, Some(&next_link(number)));
    }
    let folder = tested.folder.path().join("sets/s/by/ann");
    let files: Vec<_> =
        std::fs::read_dir(folder.join("pages")).unwrap().map(|file| file.unwrap().path()).collect();
    std::fs::write(&files[0], "{\"url\": ").unwrap();
    let sets = tested.get_own("/api/sets").is(200).json();
    let name = files[0].file_name().unwrap().to_str().unwrap();
    assert_eq!(sets["sets"][0]["people"]["ann"], 1);
    assert_eq!(sets["sets"][0]["damaged"], json!([format!("by/ann/pages/{name}")]));
    assert_eq!(sets["sets"][1], json!({"name": "t", "pages": 4, "people": {}}));
    let queue = tested.get_own("/api/sets/s?person=ann").is(200).json();
    assert_eq!(queue["problems"].as_array().unwrap().len(), 1);
    tested.get_own("/api/sets/s/agreement").is(200);
    // The label of the damaged file was saved, and stays.
    annotate(&tested, "ann", "https://a.test/3", MAIN, Some(&next_link(3)));
    let labels = tested.get_own("/api/sets/s/labels/ann").is(200);
    assert_eq!(labels.body.lines().count(), 3, "{}", labels.body);
    assert!(labels.header("content-disposition").contains("s-ann-labels.jsonl"));
    tested.get_own("/api/sets/s/labels/bob").is(404);
    std::fs::write(tested.folder.path().join("sets/t/queue.json"), "[").unwrap();
    let sets = tested.get_own("/api/sets").is(200).json();
    assert_eq!(sets["sets"][1]["damaged"], json!(["queue.json"]));
    assert!(
        tested.get_own("/api/sets/t?person=ann").is(500).json()["message"]
            .as_str()
            .unwrap()
            .contains("queue.json")
    );
}

#[test]
fn a_set_can_be_deleted_and_its_name_used_again() {
    let tested = Tested::start();
    upload(&tested, "s", &archive(&["a.test"])).is(200);
    upload(&tested, "s", &archive(&["a.test"])).is(400);
    let delete = || tested.send("DELETE", "/api/sets/s", &[("X-Tsugi-Token", TOKEN)], "");
    tested.send("DELETE", "/api/sets/s", &[], "").is(401);
    delete().is(204);
    delete().is(404);
    upload(&tested, "s", b"no archive").is(400);
    // A server of an earlier release, killed while it made the set, left a folder.
    std::fs::create_dir(tested.folder.path().join("sets/s")).unwrap();
    upload(&tested, "s", &archive(&["a.test"])).is(200);
    let left: Vec<_> = std::fs::read_dir(tested.folder.path().join("sets")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn roles_of_blocks_are_saved_beside_content_and_compared() {
    let tested = Tested::start();
    upload(&tested, "s", &archive(&["a.test"])).is(200);
    let url = "https://a.test/1";
    let page = tested.post("/api/sets/s/page", &json!({"person": "ann", "url": url})).is(200).json();
    let blocks = page["text_blocks"].as_array().unwrap();
    let title = blocks.iter().position(|block| block["role"] == "title").unwrap();
    assert!(blocks[title]["at"].as_str().unwrap().ends_with("/h1[1]"), "{}", blocks[title]);
    let frame = tested.get(&format!("/frame/{}", page["frame"].as_str().unwrap())).is(200).body;
    for block in blocks.iter().filter(|block| !block["at"].as_str().unwrap().starts_with("/html[1]/head[1]"))
    {
        assert!(frame.contains(&format!("<t-t data-t={}>", block["texts"][0])), "{block} can be shown");
    }
    let said = |roles: &dyn Fn(usize) -> Value| -> Vec<Value> {
        let one = |(at, block): (usize, &Value)| json!({"at": block["at"], "role": roles(at)});
        blocks.iter().enumerate().map(one).collect()
    };
    let save = |person: &str, annotation: Value| {
        tested.post("/api/sets/s/labels", &json!({"person": person, "url": url, "annotation": annotation}))
    };
    let some = said(&|at| if at == title { json!("title") } else { Value::Null });
    let label = save("ann", json!({"blocks": some, "roles_only": true})).is(200).json();
    assert_eq!((&label["labels"], label.get("blocks")), (&json!([]), None), "not every block has a role");
    let line = |person: &str| {
        tested.get_own(&format!("/api/sets/s?person={person}")).is(200).json()["pages"]
            .as_array()
            .unwrap()
            .iter()
            .find(|line| line["url"] == url)
            .unwrap()
            .clone()
    };
    assert_eq!((&line("ann")["done"], &line("ann")["roles_done"]), (&json!(false), &json!(false)));
    let all = said(&|at| blocks[at]["role"].clone());
    let label = save("ann", json!({"blocks": all, "content": [MAIN], "next": next_link(1)})).is(200).json();
    assert_eq!(label["labels"], json!(["next", "content", "text", "roles"]));
    assert_eq!(label["blocks"].as_array().unwrap().len(), blocks.len());
    assert_eq!(
        label["blocks"][title],
        json!({"at": blocks[title]["at"], "role": "title", "text": "The tide mill"})
    );
    assert_eq!((&line("ann")["done"], &line("ann")["roles_done"]), (&json!(true), &json!(true)));
    let exported = tested.get_own("/api/sets/s/labels/ann").is(200).body;
    assert_eq!(serde_json::from_str::<Value>(exported.trim()).unwrap(), label);
    let again = tested.post("/api/sets/s/page", &json!({"person": "ann", "url": url})).is(200).json();
    assert_eq!(again["saved"]["blocks"], json!(all));

    let other = said(&|at| if at == title { json!("meta") } else { blocks[at]["role"].clone() });
    let label = save("bob", json!({"blocks": other, "roles_only": true})).is(200).json();
    // As the labels of a set that knows roles alone: without text, training takes a page for one that was read in part.
    assert_eq!(
        (&label["labels"], &label["next"], &label["content"]),
        (&json!(["text", "roles"]), &Value::Null, &json!([]))
    );
    let kept = blocks
        .iter()
        .filter(|block| ["lead", "body", "caption", "author"].contains(&block["role"].as_str().unwrap()));
    let kept: Vec<&str> = kept.map(|block| block["text"].as_str().unwrap()).collect();
    assert!(!kept.is_empty());
    assert_eq!(label["text"], kept.join("\n"));
    let found = tested.get_own("/api/sets/s/agreement").is(200).json();
    let agreement = &found["rows"][0]["agreement"];
    let count = blocks.len();
    assert_eq!((&agreement["pages"], &agreement["role_blocks"]), (&json!(0), &json!(count)));
    assert_eq!(agreement["same_role"], json!((count - 1) as f64 / count as f64));
    let kappa = agreement["role_kappa"].as_f64().unwrap();
    assert!(0.0 < kappa && kappa < 1.0, "{kappa}");
    assert_eq!(found["disagreements"][0]["people"], json!(["ann", "bob"]));

    save("ann", json!({"blocks": [{"at": blocks[title]["at"], "role": "headline"}]})).is(400);
    save("ann", json!({"blocks": [{"at": "/html[1]/body[1]/p[99]", "role": "body"}]})).is(400);
    assert_eq!(tested.get_own("/api/sets/s/labels/ann").is(200).body, exported);
}

#[test]
fn the_look_of_a_site_is_fetched_within_the_guard() {
    let tested = Tested::start();
    let site = LoopbackServer::start(|request| match request.path.as_str() {
        "/a.css" => typed("text/css", b"p { color: red }"),
        "/late.css" => typed("text/css", "x".repeat(5 << 20).as_bytes()),
        _ => missing(),
    });
    let html = "<!DOCTYPE html><title>x</title><link rel='Stylesheet preload' href=/a.css media=screen><link rel=stylesheet href=/a.css>\
                <link rel='alternate stylesheet' href=/other.css><link rel=icon href=/icon.css><style>b > i { top: 0 }</style>\
                <link rel=stylesheet href=http://10.0.0.1/private.css><link rel=stylesheet href=file:///etc/passwd>\
                <link rel=stylesheet href=/late.css><link rel=stylesheet href=/gone.css>\
                <p>Text<img src=data:image/gif;base64,x data-src=/late.png><img src=one.png><img src=javascript:x>";
    let url = site.url("/page/1");
    let mut writer = ArchiveWriter::new(Vec::new());
    let media = Some("text/html".to_owned());
    let page = Response { url: url.clone(), status: 200, content_type: media, link: None, body: html.into() };
    writer.write(&page, "2026-01-02T03:04:05Z").unwrap();
    upload(&tested, "s", &writer.finish().unwrap()).is(200);
    assert!(site.asked().is_empty(), "nothing is asked before somebody wants it");
    let style = tested.post("/api/sets/s/style", &json!({"url": url})).is(200).json();
    assert_eq!(
        style["sheets"],
        json!([{"media": "screen", "text": "p { color: red }"}, {"media": "", "text": "b > i { top: 0 }"}])
    );
    assert_eq!(style["missing"], 3, "a private address, one that is too long, one that is not there");
    let images: Vec<&Value> = style["images"].as_array().unwrap().iter().map(|image| &image[1]).collect();
    assert_eq!(images, [&json!(site.address("/late.png")), &json!(site.address("/page/one.png"))]);
    assert_eq!(site.pages_asked(), ["/a.css", "/late.css", "/gone.css"]);
    tested.send("POST", "/api/sets/s/style", &[], json!({"url": url}).to_string()).is(401);
    tested.post("/api/sets/s/style", &json!({"url": "http://127.0.0.1:9/other"})).is(404);
}
