//! Pages over the loopback network, from a server of canned answers.

use crate::url;
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};
use tsugi_fetch::{Fetch, FetchError, Guard, HeldFile, Http, HttpOptions};
use tsugi_page::{NodeId, Url};
use tsugi_testing::LoopbackServer;

/// Returns the address of a server that goes on as long as the tests.
fn lasting(server: LoopbackServer) -> Url {
    let at = server.url("/");
    std::mem::forget(server);
    at
}

/// A server that gives one answer, as it is written here.
fn canned(answer: Vec<u8>) -> Url {
    lasting(LoopbackServer::start(move |_| answer.clone()))
}

fn answer(head: &str, body: &[u8]) -> Vec<u8> {
    let mut answer = format!("HTTP/1.1 {head}\r\nConnection: close\r\n\r\n").into_bytes();
    answer.extend_from_slice(body);
    answer
}

fn http(change: impl FnOnce(&mut HttpOptions)) -> Http {
    let mut options = HttpOptions {
        proxy: false,
        guard: Guard::public().and("127.0.0.1".parse().unwrap()),
        robots: false,
        delay: Duration::ZERO,
        retries: 0,
        ..HttpOptions::default()
    };
    change(&mut options);
    Http::new(options).unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn the_charset_of_the_header_counts() {
    let at = canned(answer("200 OK\r\nContent-Type: text/html; charset=Shift_JIS", b"<p>\x8e\x9f"));
    let response = http(|_| ()).fetch(&at.join("#top").unwrap()).unwrap();
    assert_eq!(response.url, at);
    assert_eq!(response.page().text(NodeId::DOCUMENT), "次");
}

#[test]
fn bodies_are_unpacked() {
    let packed = gzip(b"<p>packed");
    let at = canned(answer("200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/html", &packed));
    assert_eq!(http(|_| ()).fetch(&at).unwrap().body, b"<p>packed");
    let chunked = b"4\r\n<p>a\r\n1\r\nb\r\n0\r\n\r\n";
    let at = canned(answer("200 OK\r\nTransfer-Encoding: chunked", chunked));
    assert_eq!(http(|_| ()).fetch(&at).unwrap().body, b"<p>ab");
    let at = canned(answer("200 OK\r\nContent-Encoding: zstd\r\nContent-Type: text/html", b"x"));
    assert!(matches!(http(|_| ()).fetch(&at), Err(FetchError::Coding { coding, .. }) if coding == "zstd"));
}

#[test]
fn codings_in_several_headers_are_all_undone() {
    let head = "200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Encoding: gzip";
    let at = canned(answer(head, &gzip(&gzip(b"<p>packed twice"))));
    assert_eq!(http(|_| ()).fetch(&at).unwrap().body, b"<p>packed twice");
    let head = "200 OK\r\nContent-Type: text/html\r\nContent-Encoding: identity\r\nContent-Encoding: gzip";
    let at = canned(answer(head, &gzip(b"<p>packed once")));
    assert_eq!(http(|_| ()).fetch(&at).unwrap().body, b"<p>packed once");
}

#[test]
fn a_part_that_nobody_asked_for_is_no_page() {
    let part = || canned(answer("206 Partial Content\r\nContent-Range: bytes 0-5/100", b"<p>the"));
    let refused = http(|_| ()).fetch(&part()).unwrap_err();
    assert_eq!(refused.word(), "partial");
    let refused = http(|_| ()).download(&part(), &HeldFile::default()).unwrap_err();
    assert_eq!(refused.word(), "partial");
}

#[test]
fn heads_that_browsers_accept_are_accepted() {
    let many = "X: x\r\n".repeat(1000);
    for head in [
        format!("200 OK\r\n{many}Content-Type: text/html"),
        "200 OK\r\nX-Folded: one\r\n  two\r\nContent-Type: text/html".to_owned(),
        "200 OK\r\nContent-Type : text/html".to_owned(),
        "200 OK\r\nno header\r\nContent-Type: text/html".to_owned(),
        "200 OK\r\nBad Name: x\r\nContent-Type: text/html".to_owned(),
        "200\r\nContent-Type: text/html".to_owned(),
    ] {
        let response = http(|_| ()).fetch(&canned(answer(&head, b"<p>a page"))).unwrap();
        let words = &head[head.len().saturating_sub(60)..];
        assert_eq!(response.body, b"<p>a page", "{words}");
        assert_eq!(response.content_type.as_deref(), Some("text/html"), "{words}");
    }
}

#[test]
fn a_short_body_that_unpacks_to_a_long_one_is_too_large() {
    let bomb = gzip(&vec![b'a'; 10 << 20]);
    assert!(bomb.len() < 20_000);
    let at = canned(answer("200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/html", &bomb));
    let refused = http(|options| options.max_body = 1 << 20).fetch(&at);
    assert!(matches!(refused, Err(FetchError::TooLarge { limit: 1_048_576, .. })), "{refused:?}");
}

#[test]
fn a_body_without_a_length_is_read_up_to_the_limit() {
    let at = lasting(LoopbackServer::raw(|_, stream| {
        let _ = stream.write_all(&answer("200 OK\r\nContent-Type: text/html", b""));
        // Endless, but for the client that hangs up.
        while stream.write_all(&[b'a'; 4096]).is_ok() {}
    }));
    let refused = http(|options| options.max_body = 100_000).fetch(&at);
    assert!(matches!(refused, Err(FetchError::TooLarge { .. })), "{refused:?}");
}

#[test]
fn a_length_that_lies_is_told() {
    let at = canned(answer("200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000", b"<p>short"));
    let refused = http(|_| ()).fetch(&at);
    assert!(matches!(refused, Err(FetchError::Network { .. })), "{refused:?}");
    let at = canned(answer("200 OK\r\nContent-Type: text/html\r\nContent-Length: 4", b"<p>a and more"));
    assert_eq!(http(|_| ()).fetch(&at).unwrap().body, b"<p>a");
    let huge = canned(answer("200 OK\r\nContent-Type: text/html\r\nContent-Length: 99999999999999", b"<p>"));
    assert!(http(|_| ()).fetch(&huge).is_err(), "a length is no allocation");
}

#[test]
fn redirects_are_followed_up_to_the_limit() {
    let at = lasting(LoopbackServer::start(|request| match request.path.as_str() {
        "/3" => answer("200 OK\r\nContent-Type: text/html", b"<p>there"),
        path => {
            let step: usize = path.trim_start_matches('/').parse().unwrap_or_default();
            answer(&format!("302 Found\r\nLocation: /{}", step + 1), b"")
        }
    }));
    let response = http(|options| options.max_redirects = 3).fetch(&at).unwrap();
    assert_eq!((response.url, response.body.as_slice()), (at.join("3").unwrap(), &b"<p>there"[..]));
    let refused = http(|options| options.max_redirects = 2).fetch(&at);
    assert!(matches!(refused, Err(FetchError::TooManyRedirects { limit: 2, .. })), "{refused:?}");
}

#[test]
fn redirects_stay_on_the_web() {
    for target in ["file:///etc/passwd", "ftp://127.0.0.1/", "javascript:1", ""] {
        let at = canned(answer(&format!("301 Moved\r\nLocation: {target}"), b""));
        let refused = http(|_| ()).fetch(&at);
        assert!(matches!(refused, Err(FetchError::BadRedirect { .. })), "{target}: {refused:?}");
    }
}

#[test]
fn what_is_no_page_is_refused() {
    let at = canned(answer("404 Not Found\r\nContent-Type: text/html", b"<p>no"));
    assert!(matches!(http(|_| ()).fetch(&at), Err(FetchError::Status { status: 404, .. })));
    let at = canned(answer("200 OK\r\nContent-Type: image/png", b"\x89PNG"));
    assert!(matches!(http(|_| ()).fetch(&at), Err(FetchError::NotHtml { what, .. }) if what == "image/png"));
    let at = canned(answer("200 OK", b"%PDF-1.7"));
    assert!(matches!(http(|_| ()).fetch(&at), Err(FetchError::NotHtml { what, .. }) if what == "a PDF"));
    let at = canned(answer("200 OK\r\nContent-Type: application/xml", b"<html xmlns='x'><p>x</p></html>"));
    assert!(http(|_| ()).fetch(&at).is_ok());
    let at = canned(b"nonsense\r\n\r\n".to_vec());
    assert!(matches!(http(|_| ()).fetch(&at), Err(FetchError::Network { .. })));
}

#[test]
fn slow_servers_are_given_up() {
    let hasty = || http(|options| options.total_timeout = Duration::from_millis(300));
    let begin = Instant::now();
    let silent = lasting(LoopbackServer::raw(|_, _| thread::sleep(Duration::from_secs(2))));
    assert!(matches!(hasty().fetch(&silent), Err(FetchError::Timeout { .. })));
    let dripping = lasting(LoopbackServer::raw(|_, stream| {
        let _ = stream.write_all(&answer("200 OK\r\nContent-Type: text/html", b""));
        for _ in 0..100 {
            thread::sleep(Duration::from_millis(50));
            if stream.write_all(b"a").is_err() {
                break;
            }
        }
    }));
    let refused = hasty().fetch(&dripping);
    assert!(matches!(refused, Err(FetchError::Timeout { .. })), "{refused:?}");
    let delay = Duration::from_millis(60);
    let circle = lasting(LoopbackServer::slow(delay, |_| answer("302 Found\r\nLocation: /", b"")));
    let refused = http(|options| {
        options.total_timeout = Duration::from_millis(300);
        options.max_redirects = 1000;
    })
    .fetch(&circle);
    assert!(matches!(refused, Err(FetchError::Timeout { .. })), "{refused:?}");
    assert!(begin.elapsed() < Duration::from_secs(4), "took {:?}", begin.elapsed());
}

#[test]
fn a_closed_door_is_told() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let refused = http(|_| ()).fetch(&url(&format!("http://127.0.0.1:{port}/")));
    assert!(matches!(refused, Err(FetchError::Network { .. })), "{refused:?}");
}
