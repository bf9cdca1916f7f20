//! Headers and cookies of the user's own, on the wire.

use crate::{options, page, today, url};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tsugi_fetch::{
    CacheFolder, CookieJar, Exchange, Fetch, FetchError, FetchImage, Http, RetryReason, Saved, SiteHeaders,
    Store, Watch,
};
use tsugi_page::Url;
use tsugi_testing::{LoopbackServer, answer, missing, redirect};

/// A secret header for the site of a server.
fn secret(server: &LoopbackServer) -> SiteHeaders {
    SiteHeaders::new(["X-Key: secret"], [&server.url("/")]).unwrap()
}

/// The address of a server by another name, which is another site.
fn by_name(server: &LoopbackServer, path: &str) -> Url {
    url(&format!("http://localhost:{}{path}", server.port()))
}

/// The values of a header in the order of the requests; empty where there was none.
fn header(server: &LoopbackServer, name: &str) -> Vec<(String, String)> {
    let requests = server.requests();
    requests.iter().map(|request| (request.path.clone(), request.header(name).to_owned())).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn headers_follow_redirects_to_their_own_site_only() {
    let other = LoopbackServer::start(|request| match request.path.as_str() {
        "/robots.txt" => missing(),
        _ => page("elsewhere"),
    });
    let away = by_name(&other, "/away").to_string();
    let server = LoopbackServer::start(move |request| match request.path.as_str() {
        "/robots.txt" => missing(),
        "/1" => redirect("/2"),
        "/3" => redirect(&away),
        "/image" => answer("200 OK\r\nContent-Type: image/png", b"\x89PNG\r\n\x1a\n"),
        _ => page("here"),
    });
    let http = Http::new(options().headers(secret(&server))).unwrap();
    assert_eq!(http.fetch(&server.url("/1")).unwrap().body, b"<p>here");
    assert_eq!(http.fetch(&server.url("/3")).unwrap().body, b"<p>elsewhere");
    assert!(http.fetch_image(&server.url("/image")).is_ok());
    assert!(http.fetch(&by_name(&other, "/link")).is_ok());
    let expected = ["/robots.txt", "/1", "/2", "/3", "/image"].map(|path| (path, "secret"));
    assert_eq!(header(&server, "x-key"), pairs(&expected));
    let expected = ["/robots.txt", "/away", "/link"].map(|path| (path, ""));
    assert_eq!(header(&other, "x-key"), pairs(&expected));
}

#[test]
fn own_headers_replace_those_of_the_client() {
    let server = LoopbackServer::start(|_| page("text"));
    let source = url(&server.url("/").as_str().replace("//", "//name:word@"));
    let lines =
        ["Accept: text/html", "User-Agent: me", "Authorization: Bearer x", "Cookie: a=1", "cookie: b=2"];
    let headers = SiteHeaders::new(lines, [&source]).unwrap();
    let http = Http::new(options().headers(headers).robots(false)).unwrap();
    http.fetch(&source).unwrap();
    for (name, value) in
        [("accept", "text/html"), ("user-agent", "me"), ("authorization", "Bearer x"), ("cookie", "a=1; b=2")]
    {
        assert_eq!(header(&server, name), pairs(&[("/", value)]), "{name}");
        let head = &server.requests()[0].head;
        assert_eq!(head.to_ascii_lowercase().matches(&format!("\n{name}: ")).count(), 1, "{head}");
    }
}

#[test]
fn cookies_are_kept_through_redirects_and_sent_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cookies.txt");
    let server = LoopbackServer::start(|request| match request.path.as_str() {
        "/login" => answer(
            "302 Found\r\nLocation: /page\r\nSet-Cookie: a=1; Path=/\r\nSet-Cookie: b=2; HttpOnly; Path=/\r\n\
             Set-Cookie: safe=3; Secure\r\nSet-Cookie: other=4; Domain=a.test",
            "",
        ),
        "/logout" => answer("404 Gone\r\nSet-Cookie: a=; Max-Age=0; Path=/", ""),
        _ => page("text"),
    });
    let run = |paths: &[&str], now| {
        let cookies = Arc::new(CookieJar::open(&path, now).unwrap());
        let http = Http::new(options().cookies(cookies.clone()).robots(false)).unwrap();
        for path in paths {
            let _ = http.fetch(&server.url(path));
        }
        let _ = http.fetch(&by_name(&server, "/other"));
        cookies.save().unwrap();
    };
    run(&["/login", "/next"], today);
    run(&["/again", "/logout", "/last"], today);
    let expected = [
        ("/login", ""),
        ("/page", "a=1; b=2"),
        ("/next", "a=1; b=2"),
        ("/other", ""),
        ("/again", "a=1; b=2"),
        ("/logout", "a=1; b=2"),
        ("/last", "b=2"),
        ("/other", ""),
    ];
    assert_eq!(header(&server, "cookie"), pairs(&expected));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "# Netscape HTTP Cookie File\n#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tb\t2\n");
}

#[test]
fn cookies_of_the_jar_and_of_the_user_are_sent_together_until_they_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cookies.txt");
    std::fs::write(&path, "127.0.0.1\tFALSE\t/\tFALSE\t1800000060\tjar\t1\n").unwrap();
    let server = LoopbackServer::start(|_| page("text"));
    for now in [today, || today() + Duration::from_mins(1)] {
        let cookies = Some(Arc::new(CookieJar::open(&path, now).unwrap()));
        let headers = SiteHeaders::new(["Cookie: own=1"], [&server.url("/")]).unwrap();
        let http = Http::new(options().cookies(cookies).headers(headers).robots(false)).unwrap();
        http.fetch(&server.url("/")).unwrap();
    }
    assert_eq!(header(&server, "cookie"), pairs(&[("/", "own=1; jar=1"), ("/", "own=1")]));
}

#[test]
fn without_a_jar_no_cookie_is_kept() {
    let server =
        LoopbackServer::start(|_| answer("200 OK\r\nContent-Type: text/html\r\nSet-Cookie: a=1", "<p>text"));
    let http = Http::new(options().robots(false)).unwrap();
    for _ in 0..2 {
        http.fetch(&server.url("/")).unwrap();
    }
    assert_eq!(header(&server, "cookie"), pairs(&[("/", ""), ("/", "")]));
}

/// The page says who asked, and may be held for a day whoever asks.
#[test]
fn the_cache_keeps_users_apart() {
    let server = LoopbackServer::start(|request| {
        let who = ["x-key", "cookie"].map(|name| request.head.contains(&format!("\n{name}: ")));
        let head = "200 OK\r\nContent-Type: text/html\r\nCache-Control: max-age=86400";
        answer(head, format!("<p>{who:?} {}", request.before))
    });
    let folder = tempfile::tempdir().unwrap();
    let jar = folder.path().join("cookies.txt");
    std::fs::write(&jar, "127.0.0.1\tFALSE\t/page\tFALSE\t0\ta\t1\n").unwrap();
    let get = |headers: bool, cookies: bool| {
        let http = Http::new(
            options()
                .headers(if headers { secret(&server) } else { SiteHeaders::default() })
                .cookies(cookies.then(|| Arc::new(CookieJar::open(&jar, today).unwrap())))
                .cache(CacheFolder { path: folder.path().join("cache"), now: today })
                .robots(false),
        );
        String::from_utf8(http.unwrap().fetch(&server.url("/page")).unwrap().body).unwrap()
    };
    assert_eq!(get(true, false), "<p>[true, false] 0");
    assert_eq!(get(false, true), "<p>[false, true] 1");
    assert_eq!(get(false, false), "<p>[false, false] 2", "what they were answered was not kept");
    assert_eq!(get(false, false), "<p>[false, false] 2");
    assert_eq!(get(true, true), "<p>[true, true] 3", "what is kept is not theirs");
    assert_eq!(get(false, false), "<p>[false, false] 2");
}

#[test]
fn secrets_are_in_no_archive_message_or_debug_output() {
    let server = LoopbackServer::start(|request| match request.path.as_str() {
        "/robots.txt" => answer("200 OK\r\nSet-Cookie: r=token", ""),
        "/1" => answer("302 Found\r\nLocation: /2\r\nSet-Cookie: a=token; Path=/", ""),
        "/2" => answer("200 OK\r\nContent-Type: text/html\r\nSet-Cookie: b=token", "<p>text"),
        _ => b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<p>".to_vec(),
    });
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("a.warc");
    let store = Arc::new(Store::open(&archive, "test", || "2026-01-02T03:04:05Z".to_owned()).unwrap());
    let options = options()
        .headers(secret(&server))
        .cookies(Arc::new(CookieJar::open(&folder.path().join("cookies.txt"), today).unwrap()))
        .cache(CacheFolder { path: folder.path().join("cache"), now: today })
        .keep(store.clone())
        .retries(0);
    let live = Http::new(options.clone()).unwrap();
    let before = format!("{options:?} {live:?}");
    let saved = Saved::new(store, live);
    saved.fetch(&server.url("/1")).unwrap();
    let error = saved.fetch(&server.url("/broken")).unwrap_err();
    let shown = format!("{before} {error:?} {error} {saved:?}");
    let written = std::fs::read_to_string(&archive).unwrap();
    assert!(written.contains("/broken") && written.contains("<p>text") && !written.contains("set-cookie"));
    for secret in ["secret", "token"] {
        assert!(!written.contains(secret) && !shown.contains(secret), "{secret} in {written}{shown}");
    }
    assert!(server.requests().last().unwrap().head.contains("token"), "the cookies were there");
    assert!(!holds(&folder.path().join("cache"), "token"));
}

fn holds(folder: &Path, text: &str) -> bool {
    std::fs::read_dir(folder)
        .unwrap()
        .any(|entry| String::from_utf8_lossy(&std::fs::read(entry.unwrap().path()).unwrap()).contains(text))
}

/// Writes down what it is told, without the server's address.
#[derive(Debug, Default)]
struct Log(Mutex<Vec<String>>);

impl Log {
    fn line(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }
}

impl Watch for Log {
    fn waits(&self, host: &str, _: Duration, _: tsugi_fetch::Pause) {
        self.line(format!("waits {host}"));
    }

    fn asks(&self, url: &Url) {
        self.line(format!("asks {}", url.path()));
    }

    fn answers(&self, exchange: &Exchange<'_>) {
        let content_type = exchange.header("content-type").unwrap_or("-");
        let Exchange { url, status, body, .. } = exchange;
        self.line(format!("answers {} {status} {content_type} {}", url.path(), body.len()));
    }

    fn fails(&self, url: &Url, error: &FetchError) {
        self.line(format!("fails {} {}", url.path(), error.word()));
    }

    fn retries(&self, url: &Url, pause: Duration, reason: RetryReason<'_>) {
        let reason = match reason {
            RetryReason::Status(status) => status.to_string(),
            RetryReason::Error(error) => error.word().to_owned(),
            _ => String::new(),
        };
        self.line(format!("retries {} {} ms {reason}", url.path(), pause.as_millis()));
    }

    fn reuses(&self, exchange: &Exchange<'_>) {
        self.line(format!("reuses {} {}", exchange.url.path(), exchange.body.len()));
    }
}

#[test]
fn a_watch_follows_every_request() {
    let server = LoopbackServer::start(|request| match (request.path.as_str(), request.before) {
        ("/1", 0) => answer("503 Busy\r\nContent-Type: text/html", "<p>later"),
        ("/1", 1) => b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<p>".to_vec(),
        ("/1", _) => answer("302 Found\r\nLocation: /fresh", ""),
        ("/fresh", _) => answer("200 OK\r\nContent-Type: text/html\r\nCache-Control: max-age=60", "<p>text"),
        _ if request.head.contains("if-none-match") => answer("304 Not Modified\r\nETag: \"x\"", ""),
        _ => answer("200 OK\r\nContent-Type: text/html\r\nETag: \"x\"", "<p>stale"),
    });
    let folder = tempfile::tempdir().unwrap();
    let log = Arc::new(Log::default());
    let watch: Arc<dyn Watch> = log.clone();
    let cache = Some(CacheFolder { path: folder.path().to_owned(), now: today });
    let http = Http::new(options().watch(watch).cache(cache).robots(false)).unwrap();
    for path in ["/1", "/fresh", "/stale", "/stale"] {
        http.fetch(&server.url(path)).unwrap();
    }
    let lines = log.0.lock().unwrap();
    let lines: Vec<_> = lines.iter().filter(|line| !line.starts_with("waits")).collect();
    let expected = [
        "asks /1",
        "answers /1 503 text/html 0",
        "retries /1 1 ms 503",
        "asks /1",
        "fails /1 network",
        "retries /1 2 ms network",
        "asks /1",
        "answers /1 302 - 0",
        "asks /fresh",
        "answers /fresh 200 text/html 7",
        "reuses /fresh 7",
        "asks /stale",
        "answers /stale 200 text/html 8",
        "asks /stale",
        "answers /stale 304 - 0",
        "reuses /stale 8",
    ];
    assert_eq!(lines, expected);
}
