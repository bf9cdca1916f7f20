//! How sites are asked: robots, pace, new attempts.

use crate::{http, page};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use tsugi_fetch::{Fetch, FetchError, Pause, Watch};
use tsugi_page::Url;
use tsugi_testing::{LoopbackRequest, LoopbackServer, answer, missing, redirect};

/// A site with these rules, and a page at every other address.
fn site(robots: impl Into<String>) -> LoopbackServer {
    let robots = robots.into();
    LoopbackServer::start(move |request| match request.path.as_str() {
        "/robots.txt" => answer("200 OK\r\nContent-Type: text/plain", &robots),
        path => page(path),
    })
}

fn rule(error: &FetchError) -> &str {
    match error {
        FetchError::Disallowed { rule, .. } => rule,
        other => panic!("{other}"),
    }
}

#[test]
fn sites_are_asked_for_their_rules_once() {
    let server = site("User-agent: *\nDisallow: /3");
    let http = http(|_| ());
    assert!(http.fetch(&server.url("/1")).is_ok());
    assert!(http.fetch(&server.url("/2#top")).is_ok());
    let error = http.fetch(&server.url("/3?x")).unwrap_err();
    assert!(rule(&error).contains("`Disallow: /3`") && rule(&error).contains("/robots.txt"), "{error}");
    assert_eq!(server.asked(), ["/robots.txt", "/1", "/2"]);
    let ignoring = crate::http(|options| options.robots = false);
    assert!(ignoring.fetch(&server.url("/3")).is_ok());
    assert_eq!(server.asked(), ["/robots.txt", "/1", "/2", "/3"]);
}

#[test]
fn the_target_of_a_redirect_falls_under_the_rules_of_its_own_site() {
    let other = site("User-agent: *\nDisallow: /private");
    let target = other.url("/private/1").to_string();
    let server = LoopbackServer::start(move |request| match request.path.as_str() {
        "/1" => redirect(&target),
        "/2" => redirect("/3"),
        "/robots.txt" => answer("200 OK", "User-agent: tsugi\nDisallow: /3"),
        _ => page("not to be seen"),
    });
    let http = http(|_| ());
    for path in ["/1", "/2"] {
        let error = http.fetch(&server.url(path)).unwrap_err();
        assert!(matches!(error, FetchError::Disallowed { .. }), "{path}: {error}");
    }
    assert_eq!(server.asked(), ["/robots.txt", "/1", "/2"]);
    assert_eq!(other.asked(), ["/robots.txt"]);
}

#[test]
fn rules_that_cannot_be_read_forbid_everything() {
    for status in ["503 Service Unavailable", "500 Oops", "429 Too Many Requests", "206 Partial Content"] {
        let server = LoopbackServer::start(move |request| match request.path.as_str() {
            "/robots.txt" => answer(status, ""),
            _ => page("not to be seen"),
        });
        let http = http(|options| options.retries = 1);
        for _ in 0..2 {
            let error = http.fetch(&server.url("/1")).unwrap_err();
            assert!(rule(&error).contains(&status[..3]), "{error}");
        }
        let asked: &[&str] = if status.starts_with("206") { &["/robots.txt"] } else { &["/robots.txt"; 2] };
        assert_eq!(server.asked(), asked, "a failure that may pass is tried twice; each is remembered");
    }
    for status in ["404 Not Found", "401 Unauthorized", "410 Gone"] {
        let server = LoopbackServer::start(move |request| match request.path.as_str() {
            "/robots.txt" => answer(status, "User-agent: *\nDisallow: /"),
            _ => page("free"),
        });
        assert!(http(|_| ()).fetch(&server.url("/1")).is_ok(), "{status}");
    }
}

#[test]
fn rules_are_found_behind_five_redirects_and_no_more() {
    for (redirects, found) in [(5, true), (6, false)] {
        let server = LoopbackServer::start(move |request| match request.path.trim_start_matches('/') {
            "robots.txt" => redirect("/r1"),
            "page" => page("a page"),
            step if step[1..].parse() == Ok(redirects) => answer("200 OK", "User-agent: *\nDisallow: /page"),
            step => redirect(&format!("/r{}", step[1..].parse::<usize>().unwrap() + 1)),
        });
        assert_eq!(
            http(|_| ()).fetch(&server.url("/page")).is_err(),
            found,
            "{redirects}: {:?}",
            server.asked()
        );
    }
}

#[test]
fn long_rules_are_read_up_to_half_a_megabyte() {
    let filler = "# nothing to see here\n".repeat(15_000);
    let (late, early) = (format!("{filler}{filler}"), filler);
    for (filler, read) in [(early, true), (late, false)] {
        let server = site(format!("User-agent: *\n{filler}Disallow: /1\n"));
        assert_eq!(http(|_| ()).fetch(&server.url("/1")).is_err(), read);
    }
}

#[test]
fn one_host_is_asked_at_the_pace_that_was_set_also_by_many_threads() {
    let server = site("");
    let http = http(|options| options.delay = Duration::from_millis(60));
    let begin = Instant::now();
    thread::scope(|scope| {
        for path in ["/1", "/2", "/3"] {
            let (http, at) = (&http, server.url(path));
            scope.spawn(move || http.fetch(&at).unwrap());
        }
    });
    assert!(begin.elapsed() >= Duration::from_millis(120), "{:?}", begin.elapsed());
    let asked = server.asked();
    assert_eq!((asked[0].as_str(), asked.len()), ("/robots.txt", 4), "threads wait for the rules: {asked:?}");
}

#[test]
fn a_site_sets_a_slower_pace_and_not_a_faster_one() {
    for (robots, delay) in [("User-agent: *\nCrawl-delay: 0.1", 0), ("User-agent: *\nCrawl-delay: 0", 100)] {
        let server = site(robots);
        let http = http(|options| options.delay = Duration::from_millis(delay));
        let begin = Instant::now();
        http.fetch(&server.url("/1")).unwrap();
        http.fetch(&server.url("/2")).unwrap();
        assert!(begin.elapsed() >= Duration::from_millis(100), "{robots}: {:?}", begin.elapsed());
    }
}

#[test]
fn a_pace_that_is_too_slow_is_one_page() {
    let site = || {
        LoopbackServer::start(|request| match request.path.as_str() {
            "/robots.txt" => answer("200 OK", "User-agent: *\nCrawl-delay: 86400"),
            "/busy" => answer("503 Busy", ""),
            "/moved" => redirect("/1"),
            path => page(path),
        })
    };
    let too_slow = |error: FetchError| {
        assert!(rule(&error).contains("86400 s") && rule(&error).contains("60 s"), "{error}");
    };
    let (server, http) = (site(), crate::http(|_| ()));
    assert!(http.fetch(&server.url("/1")).is_ok());
    too_slow(http.fetch(&server.url("/2")).unwrap_err());
    assert_eq!(server.asked(), ["/robots.txt", "/1"]);
    // The target of a redirect and a new attempt would come too soon as well.
    let (server, http) = (site(), crate::http(|_| ()));
    too_slow(http.fetch(&server.url("/moved")).unwrap_err());
    assert_eq!(server.asked(), ["/robots.txt", "/moved"]);
    let (server, http) = (site(), crate::http(|_| ()));
    assert_eq!(http.fetch(&server.url("/busy")).unwrap_err().word(), "status");
    assert_eq!(server.asked(), ["/robots.txt", "/busy"]);
}

#[test]
fn every_request_to_a_host_keeps_its_distance() {
    let server = LoopbackServer::start(|request| match (request.path.as_str(), request.before) {
        ("/robots.txt", 0) => redirect("/rules"),
        ("/rules", 0) => answer("503 Busy", ""),
        ("/rules", _) => answer("200 OK", "User-agent: *\nCrawl-delay: 0.1"),
        ("/1", 0) => Vec::new(),
        ("/1", _) => redirect("/2"),
        (path, _) => page(path),
    });
    let step = Duration::from_millis(50);
    let http = http(|options| options.delay = step);
    let begin = Instant::now();
    thread::scope(|scope| {
        for path in ["/1", "/3"] {
            let (http, at) = (&http, server.url(path));
            scope.spawn(move || http.fetch(&at).unwrap());
        }
    });
    // Three requests for the rules, and then four twice as far apart: `/1` twice, `/2` and `/3`.
    assert_eq!(server.asked().len(), 7, "{:?}", server.asked());
    assert!(begin.elapsed() >= step * (3 + 2 * 3), "{:?}", begin.elapsed());
}

#[test]
fn a_host_that_does_not_answer_is_soon_left_alone() {
    let (server, port) = (site(""), TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port());
    let watch = Arc::new(RequestLog::default());
    let http = http(|options| {
        options.robots = false;
        options.watch = Some(watch.clone());
    });
    let dead = |path: &str| crate::url(&format!("http://127.0.0.1:{port}{path}"));
    let words: Vec<String> =
        ["/1", "/2", "/3", "/4"].map(|path| http.fetch(&dead(path)).unwrap_err().word().to_owned()).to_vec();
    assert_eq!(words, ["network", "network", "host-down", "host-down"]);
    assert_eq!(*watch.0.lock().unwrap(), ["/1", "/1", "/1", "/2", "/2"]);
    assert!(http.fetch(&server.url("/")).is_ok(), "another port is another host");
}

/// The paths that were asked for.
#[derive(Debug, Default)]
struct RequestLog(Mutex<Vec<String>>);

impl Watch for RequestLog {
    fn waits(&self, _: &str, _: Duration, _: Pause) {}

    fn asks(&self, url: &Url) {
        self.0.lock().unwrap().push(url.path().to_owned());
    }
}

/// A server that fails a few times before it says anything else.
fn failing(times: usize, failure: Vec<u8>) -> LoopbackServer {
    LoopbackServer::start(move |request: &LoopbackRequest| match request.path.as_str() {
        "/robots.txt" => missing(),
        _ if request.before < times => failure.clone(),
        _ => page("at last"),
    })
}

#[test]
fn what_may_pass_is_tried_again_as_often_as_wanted() {
    let passing = [408, 425, 429, 500, 502, 503, 504].map(|status| answer(&format!("{status} Oops"), "x"));
    let cut = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>cut".to_vec();
    for failure in passing.into_iter().chain([Vec::new(), cut, b"nonsense\r\n\r\n".to_vec()]) {
        let words = String::from_utf8_lossy(&failure).into_owned();
        let server = failing(2, failure.clone());
        let response = http(|_| ()).fetch(&server.url("/")).unwrap();
        assert_eq!((response.body.as_slice(), server.asked().len()), (&b"<p>at last"[..], 4), "{words}");
        let server = failing(2, failure);
        assert!(http(|options| options.retries = 1).fetch(&server.url("/")).is_err(), "{words}");
        assert_eq!(server.asked().len(), 3, "{words}");
    }
}

#[test]
fn new_attempts_are_counted_for_a_page_as_a_whole() {
    let server = LoopbackServer::start(|request| match (request.path.as_str(), request.before) {
        ("/robots.txt", 1) => missing(),
        ("/1", 1) => redirect("/2"),
        _ => answer("500 Oops", ""),
    });
    let error = http(|options| options.retries = 3).fetch(&server.url("/1")).unwrap_err();
    assert!(matches!(error, FetchError::Status { status: 500, .. }), "{error}");
    assert_eq!(server.asked(), ["/robots.txt", "/robots.txt", "/1", "/1", "/2", "/2"]);
}

#[test]
fn what_will_not_pass_is_not() {
    for failure in [
        missing(),
        answer("403 Forbidden", ""),
        answer("501 Not Implemented", ""),
        answer("200 OK\r\nContent-Type: image/png", "x"),
        answer("200 OK\r\nContent-Type: text/html\r\nContent-Encoding: zstd", "x"),
        redirect("ftp://a.test/"),
    ] {
        let words = String::from_utf8_lossy(&failure).into_owned();
        let server = failing(9, failure);
        assert!(http(|_| ()).fetch(&server.url("/")).is_err(), "{words}");
        assert_eq!(server.asked(), ["/robots.txt", "/"], "{words}");
    }
}

#[test]
fn a_server_is_left_alone_for_as_long_as_it_asks() {
    let server = failing(1, answer("429 Slow Down\r\nRetry-After: 1", ""));
    let begin = Instant::now();
    assert!(http(|_| ()).fetch(&server.url("/")).is_ok());
    assert!(begin.elapsed() >= Duration::from_millis(950), "{:?}", begin.elapsed());
}

#[test]
fn a_server_that_asks_for_too_long_is_given_up_at_once() {
    for after in ["120", "Sun, 06 Nov 1994 08:51:37 GMT"] {
        let head = format!("503 Busy\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: {after}");
        let server = failing(1, answer(&head, ""));
        let error = http(|_| ()).fetch(&server.url("/")).unwrap_err();
        let words = "answered with status 503 and asked for a retry after 120 s; the limit is 60 s";
        assert!(error.to_string().ends_with(words), "{error}");
        assert_eq!(server.asked(), ["/robots.txt", "/"]);
    }
}

#[test]
fn a_host_that_wants_to_be_left_alone_is_not_asked_for_another_page() {
    let server = failing(1, answer("429 Slow Down\r\nRetry-After: 3600", ""));
    let http = http(|_| ());
    for path in ["/1", "/2"] {
        let error = http.fetch(&server.url(path)).unwrap_err();
        assert!(matches!(error, FetchError::Later { status: 429, after: 3590..=3600, .. }), "{error}");
    }
    assert_eq!(server.asked(), ["/robots.txt", "/1"]);
}

#[test]
fn time_outs_end_and_waiting_does_not_count() {
    let server = failing(0, Vec::new());
    let patient = http(|options| {
        options.delay = Duration::from_millis(350);
        options.total_timeout = Duration::from_millis(340);
    });
    for path in ["/1", "/2", "/3"] {
        assert!(patient.fetch(&server.url(path)).is_ok(), "{path}");
    }
}

#[test]
fn who_asks_is_said() {
    let server = failing(0, Vec::new());
    http(|_| ()).fetch(&server.url("/")).unwrap();
    http(|options| options.user_agent = "other/1".to_owned()).fetch(&server.url("/")).unwrap();
    let requests = server.requests();
    let expected = ["tsugi-test", "tsugi-test", "other/1", "other/1"];
    assert!(requests.iter().map(|request| request.header("user-agent")).eq(expected), "{requests:?}");
}

#[test]
fn heads_without_end_are_refused() {
    let flood = "X: x\r\n".repeat(20_000);
    let long = format!("X: {}\r\n", "x".repeat(2 << 20));
    for headers in [flood, long] {
        let head = format!("200 OK\r\n{headers}Content-Type: text/html");
        let server = failing(9, answer(&head, "<p>"));
        let error = http(|options| options.retries = 0).fetch(&server.url("/")).unwrap_err();
        assert!(matches!(error, FetchError::Network { .. }), "{error}");
    }
}
