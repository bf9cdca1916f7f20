//! Annotating: sets of pages, drafts, saving, agreement, rules.

use crate::support::{ServerAnswer, TOKEN, Tested, article};
use serde_json::{Value, json};
use tsugi::fetch::ArchiveWriter;
use tsugi::page::Response;

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
