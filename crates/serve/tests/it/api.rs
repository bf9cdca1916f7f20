//! The interface for programs.

use crate::support::{LoopbackServer, Tested, article_site, site_of};
use serde_json::{Value, json};

#[test]
fn pages_are_joined_in_every_format() {
    let (tested, site) = (Tested::start(), article_site(3, &[]));
    let document = tested.get(&format!("/api/join?url={}", site.address("/1"))).is(200).json();
    assert_eq!(document["pages"].as_array().unwrap().len(), 3);
    assert!(document["complete"].as_bool().unwrap());
    let text = document["text"].as_str().unwrap();
    assert!(text.contains("part 1") && text.contains("part 3") && !text.contains("Contact us"), "{text}");
    for (format, media, start) in [
        ("md", "text/markdown", "# The tide mill"),
        ("html", "text/html", "<!DOCTYPE html>"),
        ("txt", "text/plain", "The tide mill"),
        ("json", "application/json", "{"),
        ("epub", "application/epub+zip", "PK"),
    ] {
        let answer = tested.get(&format!("/api/join?url={}&format={format}", site.address("/1"))).is(200);
        assert!(answer.header("content-type").starts_with(media), "{format}");
        assert!(
            answer.body.to_lowercase().starts_with(&start.to_lowercase()),
            "{format}: {:.60}",
            answer.body
        );
        assert!(answer.header("content-security-policy").starts_with("sandbox"), "{format}");
    }
    let two = tested.get(&format!("/api/join?url={}&max_pages=2", site.address("/1"))).is(200).json();
    assert_eq!((two["pages"].as_array().unwrap().len(), &two["complete"]), (2, &json!(false)));
}

#[test]
fn one_page_is_extracted_and_its_next_page_named() {
    let (tested, site) = (Tested::start(), article_site(3, &[]));
    let document = tested.get(&format!("/api/extract?url={}", site.address("/2"))).is(200).json();
    assert_eq!(document["pages"].as_array().unwrap().len(), 1);
    assert_eq!(document["stopped"]["reason"], "one-page");
    let next = tested.get(&format!("/api/next?url={}", site.address("/2"))).is(200).json();
    assert_eq!(next["next"]["url"], site.address("/3"));
    assert_eq!(next["next"]["by"], "model");
    let last = tested.get(&format!("/api/next?url={}", site.address("/3"))).is(200).json();
    assert_eq!(last["next"], Value::Null);
}

#[test]
fn a_page_at_hand_is_not_fetched() {
    let (tested, site) = (Tested::start(), article_site(3, &[]));
    let html = "<title>Here</title><main><h1>Here</h1><p>This page is at hand, and the next one is on the web, where it \
                has been for years.</p></main><a rel=next href=/2>Next page</a>";
    let given = json!({"url": site.address("/1"), "html": html});
    let document = tested.post("/api/join", &given).is(200).json();
    assert!(document["text"].as_str().unwrap().contains("at hand"));
    let next = tested.post("/api/next", &given).is(200).json();
    assert_eq!(next["next"]["url"], site.address("/2"));
    tested.post("/api/extract?format=md", &given).is(200);
    assert!(!site.pages_asked().contains(&"/1".to_owned()));
}

#[test]
fn errors_name_their_reason() {
    let (tested, site) = (Tested::start(), article_site(1, &[]));
    let word = |target: &str, status: u16| {
        tested.get(target).is(status).json()["error"].as_str().unwrap().to_owned()
    };
    assert_eq!(word("/api/join", 400), "bad-request");
    assert_eq!(word("/api/join?url=file:///etc/passwd", 400), "bad-url");
    assert_eq!(word("/api/join?url=http://a.test/&format=pdf", 400), "bad-request");
    assert_eq!(word("/api/join?url=http://a.test/&max_pages=0", 400), "bad-request");
    assert_eq!(word("/api/join?url=http://a.test/&keep=headline", 400), "bad-request");
    assert_eq!(word("/api/join?url=http://10.0.0.1/", 502), "private");
    assert_eq!(word("/api/join?url=http://169.254.169.254/", 502), "private");
    assert_eq!(word(&format!("/api/next?url={}", site.address("/gone")), 502), "status");
    let empty = json!({"url": site.address("/1"), "html": "<body></body>"});
    assert_eq!(tested.post("/api/join", &empty).is(422).json()["error"], "no-content");
}

#[test]
fn the_end_does_not_wait_for_a_slow_site() {
    let mut tested = Tested::start();
    let pages = crate::support::article(1, &[]);
    let site = LoopbackServer::slow(std::time::Duration::from_secs(30), site_of(pages));
    let mut stream = tested.connect();
    let target = format!("GET /api/join?url={} HTTP/1.1\r\nHost: localhost\r\n\r\n", site.address("/1"));
    std::io::Write::write_all(&mut stream, target.as_bytes()).unwrap();
    tested.get("/healthz").is(200);
    tested.stop();
    assert!(std::net::TcpStream::connect(tested.address).is_err());
}

/// An article with a line about its author and a box of other articles.
#[test]
fn parts_of_pages_are_kept_by_choice() {
    let tested = Tested::start();
    let text =
        "The water came over the wall in the night, and nobody in the village heard it until the morning. ";
    let html = format!(
        "<title>Flood</title><article><h1>Flood</h1><p class=byline>By Ann Lee, 12 May 2020</p><p>{text}{text}<p>{text}\
         {text}</article><div class=related><h2>Read more</h2><a href=/x>Frost in the valley</a></div>"
    );
    let kept = |target: &str, keep: Option<&str>| {
        let given = json!({"url": "http://a.test/flood", "html": html, "max_pages": 1, "keep": keep});
        let text = tested.post(target, &given).is(200).body;
        ["By Ann Lee", "The water came", "Frost in the valley"].map(|part| text.contains(part))
    };
    for target in ["/api/join?format=txt", "/api/extract?format=txt"] {
        assert_eq!(kept(target, Some("body")), [false, true, false]);
        assert_eq!(kept(target, None), kept(target, Some("document")));
        assert_eq!(kept(target, Some("document")), [true, true, false]);
    }
}

#[test]
fn misspelt_parameters_are_refused_by_name() {
    let (tested, site) = (Tested::start(), article_site(2, &[]));
    let url = site.address("/1");
    let refused = |target: &str| {
        let answer = tested.get(target).is(400).json();
        answer["message"].as_str().unwrap().to_owned()
    };
    let message = refused(&format!("/api/join?url={url}&maxpages=1"));
    assert_eq!(message, "there is no parameter `maxpages`; there are `url`, `format`, `max_pages`, `keep`");
    assert_eq!(refused("/api/join"), "`url` is missing");
    assert_eq!(refused(&format!("/api/join?url={url}&max_pages=two")), "`max_pages` must be a whole number");
    assert!(refused(&format!("/api/next?url={url}&x=1")).contains("`x`"));
    let posted = tested.post("/api/join", &json!({"url": url, "maxpages": 1})).is(422).json();
    assert!(posted["message"].as_str().unwrap().contains("no parameter `maxpages`"), "{posted}");
    let typed = tested.post("/api/join", &json!({"html": "x"})).is(422).json();
    assert_eq!(typed["message"], "`url` is missing");
    assert!(site.pages_asked().is_empty());
    tested.get(&format!("/api/next?url={url}&key=0123456789abcdef")).is(200);
}

#[test]
fn the_size_of_an_answer_in_tokens_is_told() {
    let (tested, site) = (Tested::start(), article_site(2, &[]));
    let answer = tested.get(&format!("/api/join?url={}&format=txt", site.address("/1"))).is(200);
    let tokens: usize = answer.header("x-tsugi-tokens").parse().unwrap();
    let characters = answer.body.chars().count();
    assert!((characters / 5..characters / 3).contains(&tokens), "{tokens} tokens of {characters} characters");
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn pages_and_documents_come_as_lines() {
    let (tested, site) = (Tested::start(), article_site(3, &[]));
    let url = site.address("/1");
    let pages = tested.get(&format!("/api/pages?url={url}")).is(200);
    assert_eq!(pages.header("content-type"), "application/x-ndjson");
    let pages = lines(&pages.body);
    let kinds: Vec<&str> = pages.iter().map(|line| line["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["page", "page", "page", "document"]);
    assert!(pages[1]["text"].as_str().unwrap().contains("part 2"));
    assert_eq!((&pages[3]["pages"], &pages[3]["ended"]), (&json!(3), &json!("3 pages, whole")));
    let failed = lines(&tested.get(&format!("/api/pages?url={}", site.address("/gone"))).is(200).body);
    assert_eq!((&failed[0]["kind"], &failed[0]["error"]), (&json!("failed"), &json!("status")));

    let batch = json!({"urls": [url, site.address("/gone"), site.address("/2")], "max_pages": 2});
    let batch = lines(&tested.post("/api/batch", &batch).is(200).body);
    assert_eq!(batch.len(), 3);
    assert_eq!((&batch[0]["asked"], &batch[0]["document"]["pages"]), (&json!(url), &json!(2)));
    assert!(batch[0]["markdown"].as_str().unwrap().contains("part 2"));
    assert_eq!(batch[1]["failed"]["error"], "status");
    assert!(batch[2]["markdown"].as_str().unwrap().contains("part 3"));
    for wrong in
        [json!({"urls": []}), json!({"urls": ["file:///etc/passwd"]}), json!({"urls": [url], "max_pages": 0})]
    {
        tested.post("/api/batch", &wrong).is(400);
    }
    tested.send("POST", "/api/batch", &[("Content-Type", "application/json")], "{}").is(401);
}
