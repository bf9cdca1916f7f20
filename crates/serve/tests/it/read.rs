//! Reading: pages that arrive one by one, the history, images, hostile pages.

use crate::support::{LoopbackServer, TOKEN, Tested, article, article_site, site_of};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tsugi_testing::DEADLINE;

/// The smallest PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\nIDATx\x9cc\0\x01\0\0\x05\0\x01\r\n-\xb4\0\0\0\0IEND\xaeB`\x82";

fn read(tested: &Tested, given: &Value) -> Vec<(String, Value)> {
    tested.post("/api/read", given).is(200).events()
}

#[test]
fn pages_arrive_and_the_document_is_kept() {
    let (tested, site) = (Tested::start(), article_site(5, &[4]));
    let events = read(&tested, &json!({"url": site.address("/1")}));
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["page", "page", "page", "document"]);
    assert_eq!(events[1].1["number"], 2);
    let document = &events[3].1;
    assert_eq!(
        (&document["complete"], &document["stopped"]["reason"]),
        (&json!(false), &json!("fetch-failed"))
    );
    assert_eq!(document["pages"].as_array().unwrap().len(), 3);
    let id = document["id"].as_str().unwrap();
    assert_eq!(&tested.get_own(&format!("/api/history/{id}")).is(200).json(), document);
    for format in ["md", "html", "txt", "json", "epub"] {
        let file = tested.get_own(&format!("/api/history/{id}/file?format={format}")).is(200);
        let name = format!("attachment; filename*=UTF-8''The%20tide%20mill%2E{format}");
        assert_eq!(file.header("content-disposition"), name);
        assert!(!file.body.is_empty(), "{format}");
    }
    let found = |query: &str| {
        tested.get_own(&format!("/api/history?q={query}")).is(200).json()["documents"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!((found(""), found("TIDE%20valley"), found("spaceship")), (1, 1, 0));
    tested.send("DELETE", &format!("/api/history/{id}"), &[("X-Tsugi-Token", TOKEN)], "").is(204);
    assert_eq!(found(""), 0);
    tested.get_own(&format!("/api/history/{id}")).is(404);
}

#[test]
fn what_cannot_be_read_is_told() {
    let (tested, site) = (Tested::start(), article_site(1, &[]));
    for (url, word, said) in [
        (site.address("/gone"), "status", "there is no such page"),
        ("http://10.0.0.1/".to_owned(), "private", "--allow-private"),
        ("http://127.0.0.1:9/".to_owned(), "network", "did not answer"),
    ] {
        let events = read(&tested, &json!({ "url": url }));
        assert_eq!((events[0].0.as_str(), &events[0].1["error"]), ("failed", &json!(word)));
        let message = events[0].1["message"].as_str().unwrap();
        assert!(message.contains(said), "{message}");
        assert!(!message.contains("client error") && !message.contains('`'), "{message}");
    }
    tested.post("/api/read", &json!({"url": "javascript:alert(1)"})).is(400);
}

#[test]
fn a_document_is_found_by_its_address_and_keeps_its_mark() {
    let (tested, site) = (Tested::start(), article_site(2, &[]));
    let url = site.address("/1");
    let at = |url: &str| tested.get_own(&format!("/api/history/at?url={url}"));
    at(&url).is(404);
    let events = read(&tested, &json!({ "url": url.replace("http://", "") }));
    let document = &events.last().unwrap().1;
    assert_eq!((&document["ended"], &document["minutes"]), (&json!("2 pages, whole"), &json!(2)));
    assert_eq!(at(&url).is(200).json()["id"], document["id"]);
    at("javascript:alert(1)").is(400);
    tested.get(&format!("/api/history/at?url={url}")).is(401);
    let mark = format!("/api/history/{}/mark", document["id"].as_str().unwrap());
    let marked = tested.post(&mark, &json!({"progress": 0.5, "block": 3})).is(200).json();
    assert_eq!(marked, json!({"archived": false, "finished": false, "block": 3, "progress": 0.5}));
    tested.post(&mark, &json!({"finished": true})).is(200);
    assert_eq!(at(&url).is(200).json()["mark"]["block"], 3);
    let count = |shelf: &str| {
        let found = tested.get_own(&format!("/api/history?shelf={shelf}")).is(200).json();
        found["documents"].as_array().unwrap().len()
    };
    assert_eq!((count("open"), count("unread"), count("archived")), (1, 0, 0));
    tested.post(&mark, &json!({"archived": true})).is(200);
    assert_eq!((count("open"), count("unread"), count("archived"), count("all")), (0, 0, 1, 1));
    read(&tested, &json!({ "url": url }));
    assert_eq!(count("archived"), 1, "reading it again keeps the mark");
    tested.post("/api/history/0123456789abcdef/mark", &json!({"archived": true})).is(404);
    tested.post(&mark, &json!({"starred": true})).is(422);
    tested.get_own("/api/history?shelf=lost").is(400);
}

#[test]
fn an_epub_has_its_pictures() {
    let tested = Tested::start();
    let mut pages = article(2, &[]);
    pages.push(("/image-1.png".into(), "image/png", PNG.to_vec()));
    let site = LoopbackServer::start(site_of(pages));
    let events = read(&tested, &json!({"url": site.address("/1")}));
    let id = events.last().unwrap().1["id"].as_str().unwrap();
    let epub = |tested: &Tested| tested.get_own(&format!("/api/history/{id}/file?format=epub")).is(200).body;
    let first = epub(&tested);
    assert!(first.contains("image-1.png"), "the names in the archive have the picture");
    assert_eq!(epub(&tested), first);
    let asked = site.pages_asked();
    assert_eq!(
        asked.iter().filter(|path| *path == "/1").count(),
        1,
        "the page is not asked for again: {asked:?}"
    );
}

/// Asks for a document, and leaves the answer to the caller.
fn started_read(tested: &Tested, url: &str) -> TcpStream {
    let mut stream = tested.connect();
    let body = json!({"url": url}).to_string();
    let request = format!(
        "POST /api/read HTTP/1.1\r\nHost: localhost\r\nX-Tsugi-Token: {TOKEN}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

#[test]
fn who_hangs_up_cancels_the_work() {
    let tested = Tested::start();
    let site = LoopbackServer::slow(Duration::from_millis(300), site_of(article(6, &[])));
    let mut stream = started_read(&tested, &site.address("/1"));
    let mut held = Vec::new();
    while !String::from_utf8_lossy(&held).contains("event: page") {
        let mut some = [0; 1024];
        let count = stream.read(&mut some).unwrap();
        assert!(count > 0, "the answer ended: {}", String::from_utf8_lossy(&held));
        held.extend_from_slice(&some[..count]);
    }
    drop(stream);
    // No further page is asked for once the one under way has come.
    let begin = Instant::now();
    let mut before = site.pages_asked();
    loop {
        std::thread::sleep(Duration::from_secs(2));
        let now = site.pages_asked();
        if now == before {
            break;
        }
        before = now;
        assert!(begin.elapsed() < Duration::from_mins(1));
    }
    assert!(!before.contains(&"/6".to_owned()), "{before:?}");
    let documents = tested.get_own("/api/history").is(200).json();
    let kept = documents["documents"].as_array().unwrap();
    assert_eq!((kept.len(), &kept[0]["complete"]), (1, &json!(false)), "what came before is kept");
}

#[test]
fn a_request_that_hangs_does_not_hold_up_who_stops() {
    let tested = Tested::waiting();
    let pages = site_of(article(4, &[]));
    let (send, hangs) = std::sync::mpsc::channel();
    let (hung_up, ended) = std::sync::mpsc::channel();
    let site = LoopbackServer::raw(move |request, stream| {
        if request.path == "/3" {
            send.send(()).unwrap();
            // Until the server hangs up.
            stream.set_read_timeout(None).unwrap();
            let _ = stream.read(&mut [0]);
            let _ = hung_up.send(());
        } else {
            let _ = stream.write_all(&pages(request));
        }
    });
    let stream = started_read(&tested, &site.address("/1"));
    hangs.recv_timeout(DEADLINE).unwrap();
    drop(stream);
    // Nothing else ends the request: its time limit is beyond the end of this test.
    ended.recv_timeout(DEADLINE).unwrap();
    let begin = Instant::now();
    let kept = loop {
        let documents = tested.get_own("/api/history").is(200).json();
        if let Some(kept) = documents["documents"].get(0) {
            break kept.clone();
        }
        assert!(begin.elapsed() < DEADLINE, "what came before was not kept");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(kept["complete"], json!(false), "{kept}");
    let whole = tested.get_own(&format!("/api/history/{}", kept["id"].as_str().unwrap())).is(200).json();
    assert_eq!(whole["pages"].as_array().unwrap().len(), 2, "{whole}");
    let again = read(&tested, &json!({"url": site.address("/1"), "max_pages": 2}));
    assert_eq!(again.last().unwrap().0, "document", "the site has its turn again: {again:?}");
}

#[test]
fn images_come_through_the_server_and_are_images() {
    let tested = Tested::start();
    let pages = vec![
        ("/a.png".into(), "image/png", PNG.to_vec()),
        ("/b.png".into(), "image/png", b"<svg onload=alert(1)>".to_vec()),
    ];
    let site = LoopbackServer::start(site_of(pages));
    let token = [("X-Tsugi-Token", TOKEN)];
    let image = |url: &str| tested.send("GET", &format!("/api/image?url={url}"), &token, "");
    assert_eq!(image(&site.address("/a.png")).is(200).header("content-type"), "image/png");
    assert_eq!(image(&site.address("/b.png")).is(502).json()["error"], "not-image");
    assert_eq!(image("http://10.0.0.1/x.png").is(502).json()["error"], "private");
    image("file:///etc/passwd").is(400);
}

/// Markup that would run or load something, if it got through.
const HOSTILE: &str = "<script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)></svg>\
    <iframe src=javascript:alert(1)></iframe><a href='javascript:alert(1)'>click</a><form action=//evil.test><button>go</button></form>\
    <style>@import url(//evil.test)</style><link rel=stylesheet href=//evil.test><meta http-equiv=refresh content='0;url=//evil.test'>\
    <base href=//evil.test/><object data=//evil.test></object><p style='background:url(//evil.test)'>styled</p>";

#[test]
fn nothing_active_is_in_what_the_reader_gets() {
    let tested = Tested::start();
    let html = format!(
        "<title>T</title><main><h1>Title</h1><p>The mill stands by the river, where it has stood for three hundred years.</p>{HOSTILE}\
         <p>It turned until the winter of 1911, and the people of the valley still tell of that day.</p></main>"
    );
    let events = read(&tested, &json!({"url": "http://127.0.0.1:9/", "html": html}));
    let (page, document) = (&events[0].1["html"], &events[1].1);
    for html in [page, &document["pages"][0]["html"]] {
        let html = html.as_str().unwrap().to_lowercase();
        assert!(html.contains("the mill stands"), "{html}");
        for active in [
            "<script", "onerror", "onload", "javascript:", "<iframe", "<form", "<style", "<link", "<meta",
            "<base", "<object", "style=",
        ] {
            assert!(!html.contains(active), "`{active}`: {html}");
        }
    }
}
