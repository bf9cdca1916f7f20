//! Answers kept on disk.

use crate::today;
use std::path::Path;
use std::time::{Duration, SystemTime};
use tsugi_fetch::{CacheFolder, Fetch, FetchError, Http, HttpOptions};
use tsugi_testing::{LoopbackServer, answer, redirect};

fn tomorrow() -> SystemTime {
    today() + Duration::from_hours(24)
}

fn http(folder: &Path, now: fn() -> SystemTime, change: impl FnOnce(&mut HttpOptions)) -> Http {
    crate::http(|options| {
        options.robots = false;
        options.retries = 0;
        options.cache = Some(CacheFolder { path: folder.join("cache"), now });
        change(options);
    })
}

/// A page with these headers, which says how often it was asked for.
fn counting(headers: &'static str) -> LoopbackServer {
    LoopbackServer::start(move |request| {
        let head = format!("200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{headers}");
        answer(head.trim_end(), format!("<p>{}", request.before))
    })
}

/// Gets a page today, today again, and tomorrow; says which of its versions came.
fn versions(headers: &'static str) -> [u8; 3] {
    let (server, folder) = (counting(headers), tempfile::tempdir().unwrap());
    [today as fn() -> SystemTime, today, tomorrow].map(|now| {
        let response = http(folder.path(), now, |_| ()).fetch(&server.url("/1?x")).unwrap();
        assert_eq!(response.content_type.as_deref(), Some("text/html; charset=utf-8"));
        response.body[3] - b'0'
    })
}

#[test]
fn answers_count_for_as_long_as_their_servers_say() {
    assert_eq!(versions("Cache-Control: max-age=3600"), [0, 0, 1]);
    assert_eq!(versions("Cache-Control: max-age=360000"), [0, 0, 0]);
    assert_eq!(versions("Cache-Control: private, max-age=3600"), [0, 0, 1], "the cache is one user's");
    assert_eq!(versions("Cache-Control: no-store, max-age=3600"), [0, 1, 2]);
    assert_eq!(versions("Cache-Control: no-cache\r\nETag: \"a\""), [0, 1, 2], "not confirmed, but anew");
    assert_eq!(versions("Cache-Control: max-age=360000\r\nVary: *"), [0, 1, 2]);
    assert_eq!(versions(""), [0, 1, 2]);
}

#[test]
fn an_answer_that_varies_is_for_who_asked_so() {
    let folder = tempfile::tempdir().unwrap();
    let server = counting("Cache-Control: max-age=3600\r\nVary: User-Agent");
    let get = |agent: &str| {
        let http = http(folder.path(), today, |options| agent.clone_into(&mut options.user_agent));
        http.fetch(&server.url("/")).unwrap().body
    };
    assert_eq!([get("a"), get("a"), get("b"), get("b")], [b"<p>0", b"<p>0", b"<p>1", b"<p>1"]);
}

#[test]
fn stale_answers_are_confirmed() {
    let folder = tempfile::tempdir().unwrap();
    let server = LoopbackServer::start(|request| {
        let fresh =
            "Cache-Control: max-age=60\r\nETag: \"a\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT";
        let asked = request.head.to_ascii_lowercase();
        if asked.contains("if-none-match: \"a\"") && asked.contains("if-modified-since: sun, 06 nov 1994") {
            answer(&format!("304 Not Modified\r\n{fresh}"), "")
        } else {
            answer(&format!("200 OK\r\nContent-Type: text/html\r\n{fresh}"), "<p>text")
        }
    });
    let get = |now| http(folder.path(), now, |_| ()).fetch(&server.url("/")).unwrap();
    let first = get(today);
    assert_eq!(get(tomorrow), first);
    assert_eq!(server.asked().len(), 2);
    assert_eq!(get(tomorrow), first, "confirmed, it counts for a while again");
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn a_confirmation_of_something_else_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let server = LoopbackServer::start(|request| {
        if request.head.to_ascii_lowercase().contains("if-none-match") {
            answer("304 Not Modified\r\nETag: \"other\"", "")
        } else {
            answer("200 OK\r\nContent-Type: text/html\r\nETag: \"a\"", format!("<p>{}", request.before))
        }
    });
    let get = || http(folder.path(), today, |_| ()).fetch(&server.url("/")).unwrap().body;
    assert_eq!([get(), get()], [b"<p>0", b"<p>2"]);
}

#[test]
fn what_is_damaged_counts_as_missing() {
    let folder = tempfile::tempdir().unwrap();
    let server = counting("Cache-Control: max-age=3600");
    let get = || http(folder.path(), today, |_| ()).fetch(&server.url("/")).unwrap().body[3];
    assert_eq!(get(), b'0');
    let entries: Vec<_> = std::fs::read_dir(folder.path().join("cache")).unwrap().collect();
    assert_eq!(entries.len(), 1, "one file for an address, and nothing left over");
    let entry = entries[0].as_ref().unwrap().path();
    let whole = std::fs::read(&entry).unwrap();
    let text = String::from_utf8(whole.clone()).unwrap();
    let damages = [
        String::new(),
        text[..text.len() - 1].to_owned(),
        format!("{text}x"),
        text.replace("TSUGI-CACHE 1", "TSUGI-CACHE 2"),
        text.replace("127.0.0.1", "127.0.0.2"),
        text.replace("\"status\":200", "\"status\":20"),
        text.replace("\"time\":1800000000", "\"time\":18446744073709551615"),
        text.replace("\"time\":1800000000", "\"time\":1900000000"),
        text.replace("content-type", "content type"),
    ];
    for (expected, damaged) in (b'1'..).zip(damages) {
        assert_ne!(damaged, text);
        std::fs::write(&entry, &damaged).unwrap();
        assert_eq!(get(), expected, "{damaged}");
        assert_eq!(get(), expected, "it was written anew");
    }
}

#[test]
fn redirects_and_whole_pages_are_kept_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let fresh = "Cache-Control: max-age=3600";
    let server = LoopbackServer::start(move |request| match request.path.as_str() {
        "/moved" => answer(&format!("301 Moved\r\nLocation: /page\r\n{fresh}"), ""),
        "/found" => redirect("/page"),
        "/page" => answer(&format!("200 OK\r\nContent-Type: text/html\r\n{fresh}"), "<p>text"),
        "/image" => answer(&format!("200 OK\r\nContent-Type: image/png\r\n{fresh}"), "x"),
        "/cut" => {
            let head =
                format!("HTTP/1.1 200 OK\r\n{fresh}\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\n");
            format!("{head}<p>").into_bytes()
        }
        _ => answer(&format!("404 Not Found\r\n{fresh}"), ""),
    });
    for _ in 0..2 {
        let http = http(folder.path(), today, |_| ());
        for path in ["/moved", "/found"] {
            let response = http.fetch(&server.url(path)).unwrap();
            assert_eq!((response.url, response.body.as_slice()), (server.url("/page"), &b"<p>text"[..]));
        }
        for path in ["/image", "/cut", "/none"] {
            assert!(http.fetch(&server.url(path)).is_err(), "{path}");
        }
    }
    let count = |path: &str| server.asked().iter().filter(|asked| *asked == path).count();
    let counts = ["/moved", "/page", "/found", "/image", "/cut", "/none"].map(count);
    assert_eq!(counts, [1, 1, 2, 2, 2, 2]);
}

#[test]
fn a_folder_that_cannot_be_made_is_told_before_anything_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let cache = Some(CacheFolder { path: file.clone(), now: today });
    let error = Http::new(HttpOptions::new("tsugi-test").cache(cache)).unwrap_err();
    assert!(matches!(&error, FetchError::Cache { path, .. } if *path == file), "{error}");
}
