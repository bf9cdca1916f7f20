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
