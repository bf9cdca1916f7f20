//! Pages over the loopback network, from a server of canned answers.

use crate::{gzip, page, text, url};
use std::cell::Cell;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tsugi_fetch::{Fetch, FetchError, HeldFile, Http, HttpOptions};
use tsugi_page::Response;
use tsugi_testing::{LoopbackServer, redirect};

fn answer(head: &str, body: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 {head}\r\nConnection: close\r\n\r\n").as_bytes(), body].concat()
}

/// A server that gives one answer, as it is written here.
fn canned(head: &str, body: &[u8]) -> LoopbackServer {
    let answer = answer(head, body);
    LoopbackServer::start(move |_| answer.clone())
}

/// A client that asks once.
fn http(change: impl FnOnce(&mut HttpOptions)) -> Http {
    crate::http(|options| {
        options.robots = false;
        options.retries = 0;
        change(options);
    })
}

fn fetched(head: &str, body: &[u8]) -> Result<Response, FetchError> {
    http(|_| ()).fetch(&canned(head, body).url("/"))
}

#[test]
fn the_charset_of_the_header_counts() {
    let server = canned("200 OK\r\nContent-Type: text/html; charset=Shift_JIS", b"<p>\x8e\x9f");
    let response = http(|_| ()).fetch(&server.url("/#top")).unwrap();
    assert_eq!((&response.url, text(&response).as_str()), (&server.url("/"), "次"));
}

#[test]
fn bodies_are_unpacked() {
    let packed = gzip(b"<p>packed");
    let twice = gzip(&packed);
    for (headers, body, expected) in [
        ("Content-Encoding: gzip", packed.as_slice(), "<p>packed"),
        ("Transfer-Encoding: chunked", b"4\r\n<p>a\r\n1\r\nb\r\n0\r\n\r\n", "<p>ab"),
        // Codings in several headers are all undone.
        ("Content-Encoding: gzip\r\nContent-Encoding: gzip", &twice, "<p>packed"),
        ("Content-Encoding: identity\r\nContent-Encoding: gzip", &packed, "<p>packed"),
    ] {
        let response = fetched(&format!("200 OK\r\nContent-Type: text/html\r\n{headers}"), body).unwrap();
        assert_eq!(response.body, expected.as_bytes(), "{headers}");
    }
    let refused = fetched("200 OK\r\nContent-Encoding: zstd\r\nContent-Type: text/html", b"x");
    assert!(matches!(refused, Err(FetchError::Coding { coding, .. }) if coding == "zstd"));
}

#[test]
fn a_part_that_nobody_asked_for_is_no_page() {
    let server = canned("206 Partial Content\r\nContent-Range: bytes 0-5/100", b"<p>the");
    assert_eq!(http(|_| ()).fetch(&server.url("/")).unwrap_err().word(), "partial");
    assert_eq!(http(|_| ()).download(&server.url("/"), &HeldFile::default()).unwrap_err().word(), "partial");
}

#[test]
fn heads_that_browsers_accept_are_accepted() {
    let many = "X: x\r\n".repeat(1000);
    for head in [
        &format!("200 OK\r\n{many}Content-Type: text/html"),
        "200 OK\r\nX-Folded: one\r\n  two\r\nContent-Type: text/html",
        "200 OK\r\nContent-Type : text/html",
        "200 OK\r\nno header\r\nContent-Type: text/html",
        "200 OK\r\nBad Name: x\r\nContent-Type: text/html",
        "200\r\nContent-Type: text/html",
    ] {
        let response = fetched(head, b"<p>a page").unwrap();
        let words = &head[head.len().saturating_sub(60)..];
        assert_eq!(response.body, b"<p>a page", "{words}");
        assert_eq!(response.content_type.as_deref(), Some("text/html"), "{words}");
    }
}

#[test]
fn a_body_is_read_up_to_the_limit() {
    let bomb = gzip(&vec![b'a'; 10 << 20]);
    assert!(bomb.len() < 20_000);
    let packed = canned("200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/html", &bomb);
    let endless = LoopbackServer::raw(|_, stream| {
        let _ = stream.write_all(&answer("200 OK\r\nContent-Type: text/html", b""));
        // Until the client hangs up.
        while stream.write_all(&[b'a'; 4096]).is_ok() {}
    });
    for server in [packed, endless] {
        let refused = http(|options| options.max_body = 1 << 20).fetch(&server.url("/"));
        assert!(matches!(refused, Err(FetchError::TooLarge { limit: 1_048_576, .. })), "{refused:?}");
    }
}

#[test]
fn a_length_that_lies_is_told() {
    let with_length = |length: &str, body: &[u8]| {
        fetched(&format!("200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}"), body)
    };
    let refused = with_length("1000", b"<p>short");
    assert!(matches!(refused, Err(FetchError::Network { .. })), "{refused:?}");
    assert_eq!(with_length("4", b"<p>a and more").unwrap().body, b"<p>a");
    assert!(with_length("99999999999999", b"<p>").is_err(), "a length is no allocation");
}

#[test]
fn redirects_are_followed_up_to_the_limit() {
    let server = LoopbackServer::start(|request| match request.path.trim_start_matches('/') {
        "3" => page("there"),
        step => redirect(&format!("/{}", step.parse::<usize>().unwrap_or_default() + 1)),
    });
    let response = http(|options| options.max_redirects = 3).fetch(&server.url("/")).unwrap();
    assert_eq!((response.url, response.body.as_slice()), (server.url("/3"), &b"<p>there"[..]));
    let refused = http(|options| options.max_redirects = 2).fetch(&server.url("/"));
    assert!(matches!(refused, Err(FetchError::TooManyRedirects { limit: 2, .. })), "{refused:?}");
}

#[test]
fn redirects_stay_on_the_web() {
    for target in ["file:///etc/passwd", "ftp://127.0.0.1/", "javascript:1", ""] {
        let refused = fetched(&format!("301 Moved\r\nLocation: {target}"), b"");
        assert!(matches!(refused, Err(FetchError::BadRedirect { .. })), "{target}: {refused:?}");
    }
}

#[test]
fn what_is_no_page_is_refused() {
    let refused = fetched("404 Not Found\r\nContent-Type: text/html", b"<p>no");
    assert!(matches!(refused, Err(FetchError::Status { status: 404, .. })));
    for (head, body, expected) in [
        ("200 OK\r\nContent-Type: image/png", &b"\x89PNG"[..], "image/png"),
        ("200 OK", b"%PDF-1.7", "a PDF"),
    ] {
        let refused = fetched(head, body);
        assert!(matches!(refused, Err(FetchError::NotHtml { what, .. }) if what == expected));
    }
    let xml = "<html xmlns='x'><p>x</p></html>";
    assert!(fetched("200 OK\r\nContent-Type: application/xml", xml.as_bytes()).is_ok());
    let nonsense = LoopbackServer::start(|_| b"nonsense\r\n\r\n".to_vec());
    assert!(matches!(http(|_| ()).fetch(&nonsense.url("/")), Err(FetchError::Network { .. })));
}

#[test]
fn slow_servers_are_given_up() {
    let begin = Instant::now();
    let silent = LoopbackServer::raw(|_, _| thread::sleep(Duration::from_secs(2)));
    let dripping = LoopbackServer::raw(|_, stream| {
        let _ = stream.write_all(&answer("200 OK\r\nContent-Type: text/html", b""));
        // Until the client hangs up.
        while stream.write_all(b"a").is_ok() {
            thread::sleep(Duration::from_millis(50));
        }
    });
    let circle = LoopbackServer::slow(Duration::from_millis(60), |_| redirect("/"));
    for (what, server) in [("silent", &silent), ("dripping", &dripping), ("circle", &circle)] {
        let refused = http(|options| {
            options.total_timeout = Duration::from_millis(300);
            options.max_redirects = 1000;
        })
        .fetch(&server.url("/"));
        assert!(matches!(refused, Err(FetchError::Timeout { .. })), "{what}: {refused:?}");
    }
    assert!(begin.elapsed() < Duration::from_secs(4), "took {:?}", begin.elapsed());
}

#[test]
fn who_is_gone_waits_no_longer() {
    // The rules, the page, and the rest of the page hang in turn, more often than a host may leave requests unanswered.
    let (send, reached) = std::sync::mpsc::channel();
    let (held, released) = std::sync::mpsc::channel::<()>();
    let server = LoopbackServer::raw(move |request, stream| {
        let page = answer("200 OK\r\nContent-Type: text/html", b"<p>one");
        let begun = match (request.path.as_str(), request.before) {
            ("/robots.txt", 0..3) | ("/", 0..2) => &b""[..],
            ("/", 2..4) => &page[..page.len() - 4],
            ("/robots.txt", _) => b"HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
            _ => {
                let _ = stream.write_all(&page);
                return;
            }
        };
        let _ = stream.write_all(begun);
        if request.path == "/" || request.before < 3 {
            send.send(()).unwrap();
            // Until the client hangs up.
            let _ = stream.read(&mut [0]);
            let _ = held.send(());
        }
    });
    let http = http(|options| {
        options.robots = true;
        options.total_timeout = Duration::from_hours(1);
    });
    let until = Instant::now() + Duration::from_hours(1);
    for _ in 0..7 {
        let is_gone = Cell::new(false);
        let gone = http.fetch_until(&server.url("/"), until, &|| {
            is_gone.set(is_gone.get() || reached.try_recv().is_ok());
            is_gone.get()
        });
        assert!(matches!(gone, Err(FetchError::Unwanted { .. })), "{gone:?}");
        released.recv_timeout(Duration::from_mins(1)).unwrap();
    }
    assert_eq!(text(&http.fetch_until(&server.url("/"), until, &|| false).unwrap()), "one");
}

#[test]
fn who_is_gone_does_not_wait_for_rules_that_another_reads() {
    let (send, reached) = std::sync::mpsc::channel();
    let server = LoopbackServer::raw(move |request, stream| {
        if request.path == "/robots.txt" && request.before == 0 {
            send.send(()).unwrap();
            // Until the client hangs up.
            let _ = stream.read(&mut [0]);
        } else if request.path == "/robots.txt" {
            let _ =
                stream.write_all(b"HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        } else {
            let _ = stream.write_all(&answer("200 OK\r\nContent-Type: text/html", b"<p>one"));
        }
    });
    let http = http(|options| {
        options.robots = true;
        options.total_timeout = Duration::from_secs(20);
    });
    let (until, all_gone) = (Instant::now() + Duration::from_hours(1), AtomicBool::new(false));
    thread::scope(|scope| {
        let first =
            scope.spawn(|| http.fetch_until(&server.url("/"), until, &|| all_gone.load(Ordering::SeqCst)));
        reached.recv_timeout(Duration::from_mins(1)).unwrap();
        let second = http.fetch_until(&server.url("/2"), until, &|| true);
        // Somebody who waits for the first's rules reads them, once the first is gone.
        let third = scope.spawn(|| http.fetch_until(&server.url("/3"), until, &|| false));
        all_gone.store(true, Ordering::SeqCst);
        for gone in [first.join().unwrap(), second] {
            assert!(matches!(gone, Err(FetchError::Unwanted { .. })), "{gone:?}");
        }
        assert_eq!(text(&third.join().unwrap().unwrap()), "one");
    });
}

#[test]
fn a_closed_door_is_told() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let refused = http(|_| ()).fetch(&url(&format!("http://127.0.0.1:{port}/")));
    assert!(matches!(refused, Err(FetchError::Network { .. })), "{refused:?}");
}
