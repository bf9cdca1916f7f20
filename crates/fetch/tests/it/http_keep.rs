//! What those see who keep what goes over the network.

use crate::{page, today};
use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tsugi_fetch::{CacheFolder, Exchange, Fetch, FetchError, FetchImage, Http, HttpOptions, Keep, Wanted};
use tsugi_testing::{LoopbackServer, answer, missing, redirect};

#[derive(Debug, Default)]
struct Memory {
    kept: Mutex<Vec<(String, u16, Vec<u8>)>>,
    full: bool,
}

impl Keep for Memory {
    fn keep(&self, exchange: &Exchange<'_>) -> io::Result<()> {
        if self.full {
            return Err(io::Error::other("no space left"));
        }
        let named = exchange.headers.iter().any(|(name, value)| name == "connection" && value == "close");
        assert!(named, "headers come as served: {:?}", exchange.headers);
        let is_robots = ["/robots.txt", "/rules"].contains(&exchange.url.path());
        assert_eq!(exchange.wanted == Wanted::Robots, is_robots);
        let body = exchange.body.to_vec();
        self.kept.lock().unwrap().push((exchange.url.path().to_owned(), exchange.status, body));
        Ok(())
    }
}

impl Memory {
    fn kept(&self) -> Vec<(String, u16, String)> {
        let kept = self.kept.lock().unwrap();
        let text = |body: &[u8]| String::from_utf8_lossy(body).into_owned();
        kept.iter().map(|(path, status, body)| (path.clone(), *status, text(body))).collect()
    }
}

fn http(keep: &Arc<Memory>, change: impl FnOnce(&mut HttpOptions)) -> Http {
    let keep: Arc<dyn Keep> = Arc::<Memory>::clone(keep);
    crate::http(|options| {
        options.max_body = 1000;
        options.keep = Some(keep);
        change(options);
    })
}

#[test]
fn every_answer_is_kept_as_it_was_used() {
    let server = LoopbackServer::start(|request| match (request.path.as_str(), request.before) {
        ("/robots.txt", _) => redirect("/rules"),
        ("/rules", _) => answer("200 OK", "User-agent: *"),
        ("/1", _) => redirect("/2"),
        ("/2", 0) | ("/busy", _) => answer("503 Busy", "<p>later"),
        ("/2", _) => page("a page"),
        ("/image", _) => answer("200 OK\r\nContent-Type: image/png", "an image"),
        ("/long", _) => page(&"long ".repeat(1000)),
        ("/cut", _) => {
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>cut".to_vec()
        }
        _ => missing(),
    });
    let memory = Arc::new(Memory::default());
    let http = http(&memory, |_| ());
    assert_eq!(http.fetch(&server.url("/1")).unwrap().body, b"<p>a page");
    for path in ["/none", "/image", "/long", "/cut", "/busy"] {
        assert!(http.fetch(&server.url(path)).is_err(), "{path}");
    }
    let expected = [
        ("/robots.txt", 302, ""),
        ("/rules", 200, "User-agent: *"),
        ("/1", 302, ""),
        // Of the two answers the one that counted.
        ("/2", 200, "<p>a page"),
        ("/none", 404, "<p>no"),
        // Not read, since it is no page; what is too long or breaks off is not there at all.
        ("/image", 200, ""),
        ("/busy", 503, "<p>later"),
    ];
    let expected = expected.map(|(path, status, body)| (path.to_owned(), status, body.to_owned()));
    assert_eq!(memory.kept(), expected);
}

/// Images are asked for as pages are, and read where pages are not.
#[test]
fn images_are_read_where_they_are_wanted() {
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
    let server = LoopbackServer::start(|request| match request.path.as_str() {
        "/robots.txt" => answer("200 OK", "User-agent: *\nDisallow: /private"),
        "/moved" => redirect("/long"),
        "/long" => answer("200 OK\r\nContent-Type: image/png", [PNG, &[7; 2000]].concat()),
        "/plain" => answer("200 OK\r\nContent-Type: text/plain", PNG),
        "/false" => answer("200 OK\r\nContent-Type: image/png", "<p>no"),
        "/drawing" => answer("200 OK\r\nContent-Type: image/svg+xml", "<svg/>"),
        "/page" => page("a page"),
        _ => missing(),
    });
    let memory = Arc::new(Memory::default());
    let http = http(&memory, |_| ());
    let image = |path: &str| http.fetch_image(&server.url(path)).map(|image| image.body);
    assert_eq!(image("/moved").unwrap().len(), PNG.len() + 2000, "the limit of pages is not that of images");
    assert_eq!(image("/plain").unwrap(), PNG);
    let refused = ["/false", "/drawing", "/page", "/none", "/private"]
        .map(|path| image(path).unwrap_err().word().to_owned());
    assert_eq!(refused, ["not-image", "not-image", "not-image", "status", "robots"]);
    let kept: Vec<(String, usize)> =
        memory.kept().into_iter().map(|(path, _, body)| (path, body.chars().count())).collect();
    let expected = ["/robots.txt", "/moved", "/long", "/plain", "/false", "/drawing", "/page", "/none"];
    assert!(kept.iter().map(|(path, _)| path.as_str()).eq(expected), "{kept:?}");
    assert!(kept[2].1 > 2000 && kept[3].1 == PNG.len() && kept[5].1 == 0, "{kept:?}");
    let asked = server.requests();
    let takes = |path: &str| asked.iter().find(|request| request.path == path).unwrap().header("accept");
    assert!(takes("/long").contains("image/png") && !takes("/long").contains("html"));
    assert!(takes("/robots.txt").contains("html"));
}

#[test]
fn images_wait_for_their_turn_and_are_cached() {
    let folder = tempfile::tempdir().unwrap();
    let image = [&b"\x89PNG\r\n\x1a\n"[..], &[7; 2000]].concat();
    let served = image.clone();
    let server = LoopbackServer::start(move |request| match request.path.as_str() {
        "/1" => page("a page"),
        _ => answer(
            "200 OK\r\nCache-Control: max-age=1000\r\nContent-Type: image/png\r\nVary: Accept",
            &served,
        ),
    });
    let memory = Arc::new(Memory::default());
    let http = http(&memory, |options| {
        options.robots = false;
        options.delay = Duration::from_millis(30);
        options.cache = Some(CacheFolder { path: folder.path().to_owned(), now: today });
    });
    let begin = Instant::now();
    http.fetch(&server.url("/1")).unwrap();
    for path in ["/a.png", "/b.png", "/a.png"] {
        assert_eq!(http.fetch_image(&server.url(path)).unwrap().body, image);
    }
    assert!(begin.elapsed() >= Duration::from_millis(60), "two pauses");
    assert_eq!(server.asked(), ["/1", "/a.png", "/b.png"]);
    assert_eq!(memory.kept().len(), 4, "what comes from the cache is kept too");
}

#[test]
fn a_page_that_cannot_be_kept_is_not_used() {
    let server = LoopbackServer::start(|_| page("a page"));
    let memory = Arc::new(Memory { full: true, ..Memory::default() });
    let http = http(&memory, |options| options.robots = false);
    let error = http.fetch(&server.url("/1")).unwrap_err();
    let named = matches!(&error, FetchError::Keep { url, source } if url.path() == "/1" && source.to_string() == "no space left");
    assert!(named, "{error:?}");
    assert_eq!(server.asked(), ["/1"], "trying again would not help");
}

#[test]
fn an_answer_from_the_cache_is_one_too() {
    let folder = tempfile::tempdir().unwrap();
    let server = LoopbackServer::start(|request| match request.path.as_str() {
        "/fresh" => answer("200 OK\r\nCache-Control: max-age=1000\r\nContent-Type: text/html", "<p>fresh"),
        _ if request.head.contains("if-none-match") => answer("304 Not Modified\r\nETag: \"x\"", ""),
        _ => answer("200 OK\r\nETag: \"x\"\r\nContent-Type: text/html", "<p>stale"),
    });
    let kept = [(); 2].map(|()| {
        let memory = Arc::new(Memory::default());
        let http = http(&memory, |options| {
            options.robots = false;
            options.cache = Some(CacheFolder { path: folder.path().to_owned(), now: today });
        });
        for path in ["/fresh", "/stale"] {
            assert!(http.fetch(&server.url(path)).is_ok());
        }
        memory.kept()
    });
    assert_eq!(server.asked(), ["/fresh", "/stale", "/stale"]);
    assert_eq!(kept[0], kept[1]);
    assert_eq!(kept[0][1], ("/stale".to_owned(), 200, "<p>stale".to_owned()));
}
