//! Who may come in.

use crate::support::{TOKEN, Tested, article_site};
use serde_json::json;

#[test]
fn a_name_that_was_bound_to_this_machine_is_turned_away() {
    let tested = Tested::start();
    for host in [
        "", "evil.test", "evil.test:8420", "127.0.0.1.evil.test", "[::1].evil.test", "[::1]evil",
        "localhost.evil.test",
    ] {
        let answer = tested.send("GET", "/api/history", &[("Host", host)], "").is(421);
        assert_eq!(answer.json()["error"], "host", "{host}");
    }
    let two = tested.raw("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\nConnection: close\r\n\r\n");
    assert!([400, 421].contains(&two.status));
    tested.raw("GET / HTTP/1.0\r\n\r\n").is(421);
    for host in ["localhost:1", "LOCALHOST", "127.0.0.1:8420", "192.168.1.7", "[::1]:8420"] {
        tested.send("GET", "/healthz", &[("Host", host)], "").is(200);
    }
}

#[test]
fn pages_of_other_sites_get_nothing() {
    let tested = Tested::start();
    let own = format!("http://{}", tested.address);
    let target = format!("/api/history?key={TOKEN}");
    let history = |headers: &[(&str, &str)]| tested.send("GET", &target, headers, "");
    for origin in [&own, &own.replace("http", "https")] {
        history(&[("Origin", origin)]).is(200);
    }
    let (longer, other) = (format!("{own}.evil.test"), own.replace("http", "ftp"));
    for origin in ["http://evil.test", "null", "http://127.0.0.1", "http://127.0.0.1:1", &longer, &other] {
        assert_eq!(history(&[("Origin", origin)]).is(403).json()["error"], "origin", "{origin}");
    }
    for site in ["cross-site", "same-site"] {
        history(&[("Sec-Fetch-Site", site)]).is(403);
        history(&[("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe")])
            .is(403);
    }
    let opened =
        [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")];
    tested.send("GET", "/", &opened, "").is(200);
    tested.send("GET", "/api/join?url=http://a.test/", &opened, "").is(403);
    assert_eq!(history(&[]).header("access-control-allow-origin"), "");
}

#[test]
fn every_write_needs_the_token() {
    let tested = Tested::start();
    let site = article_site(1, &[]);
    let body = json!({"url": site.address("/1")}).to_string();
    let json = ("Content-Type", "application/json");
    for path in ["/api/join", "/api/extract", "/api/next", "/api/read", "/mcp"] {
        for headers in
            [vec![json], vec![json, ("X-Tsugi-Token", "")], vec![json, ("X-Tsugi-Token", &TOKEN[1..])]]
        {
            assert_eq!(tested.send("POST", path, &headers, &body).is(401).json()["error"], "token", "{path}");
        }
        // The token of an address is for reading alone: addresses end up in logs and histories.
        tested.send("POST", &format!("{path}?key={TOKEN}"), &[json], &body).is(401);
    }
    tested.send("DELETE", "/api/history/0123456789abcdef", &[], "").is(401);
    tested.get(&format!("/api/image?url={}", site.address("/image-1.png"))).is(401);
    assert!(site.pages_asked().is_empty(), "nothing was fetched for strangers: {:?}", site.pages_asked());
}

#[test]
fn what_a_person_left_here_needs_the_token() {
    let tested = Tested::start();
    for path in ["/api/history", "/api/history/0123456789abcdef", "/api/sets", "/api/sets/s/agreement"] {
        assert_eq!(tested.get(path).is(401).json()["error"], "token", "{path}");
    }
    tested.get_own("/api/history").is(200);
    tested.get_own("/api/sets").is(200);
}

#[test]
fn a_server_that_others_can_reach_needs_the_token_for_reading_too() {
    let tested = Tested::listening("0.0.0.0:0", &["tsugi"]);
    tested.get("/").is(200);
    tested.get("/static/read.js").is(200);
    tested.get("/healthz").is(200);
    for path in ["/api/history", "/api/join?url=http://a.test/", "/makefulltextfeed.php?url=http://a.test/"] {
        tested.get(path).is(401);
    }
    tested.get(&format!("/api/history?key={TOKEN}")).is(200);
    tested.send("GET", "/api/history", &[("Host", "tsugi:8420"), ("X-Tsugi-Token", TOKEN)], "").is(200);
}

#[test]
fn no_path_leads_out_of_the_files() {
    let tested = Tested::start();
    std::fs::write(tested.folder.path().join("secret"), "secret").unwrap();
    for path in [
        "/../../../../etc/passwd",
        "/static/../../../etc/passwd",
        "/static/%2e%2e/%2e%2e/etc/passwd",
        "/static//etc/passwd",
        "/api/history/..",
        "/api/history/%2e%2e%2f%2e%2e",
        "/api/history/..%2fsecret",
        "/api/history/%2e%2e/file?format=md",
        "/api/history/0123456789abcdef/file?format=md",
        "/static/read.js%00",
        "/static/",
    ] {
        let answer = tested.get_own(path);
        assert!([400, 404].contains(&answer.status), "{path}: {}", answer.status);
        assert!(!answer.body.contains("root:") && !answer.body.contains("secret"), "{path}");
    }
    tested.get_own("/api/history/0123456789abcdef/file?format=../secret").is(400);
}

#[test]
fn every_answer_has_a_policy() {
    let tested = Tested::start();
    for (path, status) in
        [("/", 200), ("/static/read.js", 200), ("/nowhere", 404), ("/api/join", 400), ("/healthz", 200)]
    {
        let answer = tested.get(path).is(status);
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
    }
}

#[test]
fn a_body_has_a_limit() {
    let tested = Tested::start();
    let json = [("X-Tsugi-Token", TOKEN), ("Content-Type", "application/json")];
    let long = format!("{{\"url\": \"http://a.test/\", \"html\": \"{}\"}}", "x".repeat(21 << 20));
    let refused = tested.raw(format!(
        "POST /api/join HTTP/1.1\r\nHost: localhost\r\n{}Content-Length: {}\r\nConnection: close\r\n\r\n",
        json.map(|(name, value)| format!("{name}: {value}\r\n")).concat(),
        long.len()
    ));
    assert_eq!(refused.status, 413);
    for body in ["", "{", "[]", "{\"url\": 7}", "{\"url\": \"http://a.test/\", \"more\": 1}"] {
        let answer = tested.send("POST", "/api/join", &json, body);
        assert!([400, 422].contains(&answer.status), "{body}: {}", answer.status);
        assert_eq!(answer.json()["error"], "bad-request", "{body}");
    }
}
