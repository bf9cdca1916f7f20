//! A web that is slow, hostile, or asks to be left alone.

use crate::support::{
    DONE, FAILED, LOCAL, LoopbackRequest, LoopbackServer, PARTLY_FAILED, ProgramRun, TestFolder, WRONG_USE,
    answer, bare, command, finish, gave, html, loopback_rules, missing, page, redirect, typed,
};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// Two pages and a third, each with a link to the next; `answer` returns the third and everything else.
fn three_pages(answer: impl Fn(&LoopbackRequest) -> Vec<u8> + Send + 'static) -> LoopbackServer {
    LoopbackServer::start(move |request| match request.path.as_str() {
        "/1" => html(page("One.", Some("2"))),
        "/2" => html(page("Two.", Some("3"))),
        "/robots.txt" => missing(),
        _ => answer(request),
    })
}

/// A site of this page.
fn one_page(text: &'static str) -> LoopbackServer {
    LoopbackServer::start(move |request| match request.path.as_str() {
        path if path.ends_with("/robots.txt") => missing(),
        _ => html(page(text, None)),
    })
}

/// Joins by rule from `/1`, as JSON.
#[track_caller]
fn join(server: &LoopbackServer, options: &[&str]) -> ProgramRun {
    let folder = TestFolder::new();
    let (rules, url) = (loopback_rules(&folder), server.address("/1"));
    bare(&[&["join", &url, "--rules", &rules, "-f", "json"], &LOCAL[..], options].concat())
}

#[test]
fn a_page_that_drips_is_given_up_and_earlier_ones_are_written() {
    let server = LoopbackServer::raw(|request, stream| {
        let _ = match request.path.as_str() {
            "/1" => stream.write_all(&html(page("One.", Some("2")))),
            "/2" => stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>"),
            _ => stream.write_all(&missing()),
        };
        // Until the client hangs up.
        while request.path == "/2" && stream.write_all(b"a").is_ok() {
            thread::sleep(Duration::from_millis(20));
        }
    });
    let begin = Instant::now();
    gave(join(&server, &["--timeout", "1"]), "One.", "fetch-failed", "/2", "took too long");
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}

#[test]
fn a_page_may_be_as_long_as_the_option_says() {
    let server = three_pages(|_| html(" ".repeat(2 << 20)));
    let run = join(&server, &["--max-body", "1"]);
    gave(run, "One.\nTwo.", "fetch-failed", "/3", "longer than 1048576 bytes");
    gave(join(&server, &["--max-body", "3"]), "One.\nTwo.", "not-a-continuation", "/3", "no main content");
}

#[test]
fn this_machine_is_not_asked_unless_that_is_allowed() {
    let server = one_page("A secret.");
    let url = server.address("/1");
    let words = ["a loopback address", "(--allow-private 127.0.0.1)"];
    for command in ["join", "explain", "extract"] {
        bare(&[command, &url]).exits(FAILED).writes_nothing().says(&words);
    }
    let line = bare(&["scan", &url]).exits(FAILED).json();
    assert!(line["error"].as_str().unwrap().contains("a loopback address"), "{line}");
    assert_eq!(server.asked(), [""; 0]);
    for (url, allowed) in [(url.clone(), "127.0.0.1"), (url.replace("127.0.0.1", "localhost"), "localhost")] {
        let run = bare(&["scan", &url, &format!("--allow-private={allowed}")]).exits(DONE);
        assert_eq!(run.json()["error"], Value::Null);
    }
}

/// Everything that was said and written: stdout, stderr, and the names and bytes of all files below a folder.
fn all_of(runs: &[ProgramRun], folder: &Path) -> Vec<u8> {
    let mut bytes: Vec<u8> =
        runs.iter().flat_map(|run| [&run.stdout, &run.stderr]).flat_map(|text| text.bytes()).collect();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            bytes.extend_from_slice(path.to_string_lossy().as_bytes());
            if path.is_dir() {
                folders.push(path);
            } else {
                bytes.extend(std::fs::read(path).unwrap());
            }
        }
    }
    bytes
}

#[test]
fn a_name_and_password_are_sent_to_their_site_and_appear_nowhere() {
    const SENT: &str = "Basic dXNlcjpzZWNyZXQ=";
    let server = LoopbackServer::start(|request| {
        let text = "Read <a href='more'>more</a> and see <img src='picture.png'>.";
        match request.path.as_str() {
            _ if request.header("authorization") != SENT => answer("401 Unauthorized", ""),
            "/1" => answer("200 OK\r\nContent-Type: text/html\r\nETag: \"1\"", page(text, Some("2"))),
            "/2" => redirect(&format!("http://127.0.0.1:{}/3", request.port)),
            "/3" => html(page("The last page.", None)),
            "/picture.png" => typed("image/png", b"\x89PNG\r\n\x1a\n"),
            "/circle" => redirect("/circle"),
            "/cut" => b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<p>".to_vec(),
            _ => missing(),
        }
    });
    let (given, written) = (TestFolder::new(), TestFolder::new());
    let rules = loopback_rules(&given);
    let at = |path: &str| server.address(path).replace("//", "//user:secret@");
    let (one, cut) = (at("/1"), at("/cut"));
    let file = given.file("file.html", page("From a file.", Some("2")));
    let list = given.file("urls.txt", ["/1", "/3", "/circle", "/gone"].map(at).join("\n"));
    let (cache, archive, batch) = (written.path("cache"), written.path("a.warc"), written.path("batch"));
    let mut runs = Vec::new();
    let mut run = |arguments: &[&str], code: i32| {
        let options = ["-v", "--rules", &rules, "--cache", &cache];
        let run = bare(&[arguments, &LOCAL, &options].concat()).exits(code);
        runs.push(run.clone());
        run
    };
    for format in ["md", "html", "json", "jsonl", "txt", "epub"] {
        let output = written.path(&format!("one.{format}"));
        run(&["join", &one, "-f", format, "-o", &output, "--save", &archive], DONE);
    }
    let output = written.path("pictures.html");
    run(&["join", &one, "-o", &output, "--images", "embed"], DONE);
    run(&["join", &one, "--metadata", "yaml", "--pages", &archive], DONE);
    run(&["extract", &one], DONE);
    run(&["scan", &one, &cut, &at("/gone"), "ftp://user:secret@a.test/"], PARTLY_FAILED);
    run(&["explain", &one], DONE);
    run(&["join", &file, "--url", &one], DONE);
    run(&["join", "--input", &list, "-o", &batch, "--save", &archive], PARTLY_FAILED);
    for (path, word) in [("/cut", "no answer"), ("/circle", "redirects more than"), ("/gone", "404")] {
        run(&["join", &at(path)], FAILED).says(&[word, "//****@127.0.0.1"]);
        run(&["extract", &at(path)], FAILED).says(&[word]);
    }
    let refused = bare(&["join", &one]).exits(FAILED).says(&["****@127.0.0.1", "--allow-private"]);
    let wrong = [
        bare(&["extract", &one, &one]).exits(WRONG_USE),
        bare(&["join", "x.html", "--url=ftp://user:secret@a.test/"])
            .exits(WRONG_USE)
            .says(&["ftp://****@a.test/"]),
        bare(&["join", "user:secret@a.test/1"]).exits(FAILED).says(&["`****@a.test/1`"]),
    ];
    let asked = server.requests();
    assert!(asked.len() > 30 && asked.iter().all(|request| request.header("authorization") == SENT));
    runs.extend(wrong.into_iter().chain([refused]));
    let all = String::from_utf8_lossy(&all_of(&runs, Path::new(&written.path("")))).to_lowercase();
    assert!(all.contains("the last page") && all.contains("/picture.png"));
    for secret in ["secret", "dxnlcjpzzwnyzxq"] {
        let around =
            all.find(secret).map(|at| all[at.saturating_sub(200)..].chars().take(300).collect::<String>());
        assert_eq!(around, None);
    }
}

#[test]
fn a_proxy_is_no_way_to_this_machine() {
    let proxy = one_page("By proxy.");
    let through = |url: &str| {
        let mut command = command(&["join", url, "-f", "txt", "--delay", "0", "--retries", "0"]);
        finish(command.env("http_proxy", proxy.address("")).spawn().unwrap())
    };
    // The proxy stands on this machine, and is used since it was set; a name that it alone can look up is its affair.
    through("http://article.invalid/1").exits(DONE);
    let asked = ["http://article.invalid/robots.txt", "http://article.invalid/1"];
    assert_eq!(proxy.asked(), asked);
    for url in ["http://127.0.0.1/1", "http://localhost/1", "http://[::1]/1", "http://169.254.169.254/"] {
        through(url).exits(FAILED).writes_nothing().says(&["leads to"]);
    }
    assert_eq!(proxy.asked(), asked);
}

#[test]
fn a_page_that_fails_is_tried_as_often_as_wanted() {
    let server = three_pages(|_| answer("500 Internal Server Error", ""));
    gave(join(&server, &["--retries", "1"]), "One.\nTwo.", "fetch-failed", "/3", "status 500");
    assert_eq!(server.asked(), ["/robots.txt", "/1", "/2", "/3", "/3"]);
}

#[test]
fn answers_are_kept_in_the_cache_and_confirmed() {
    let folder = TestFolder::new();
    let cache = folder.path("cache");
    let server = three_pages(|request| {
        if request.header("if-none-match") == "\"third\"" {
            answer("304 Not Modified\r\nETag: \"third\"", "")
        } else {
            answer("200 OK\r\nContent-Type: text/html\r\nETag: \"third\"", page("Three.", None))
        }
    });
    let [first, second] = [(); 2].map(|()| join(&server, &["--cache", &cache]).exits(DONE).stdout);
    assert_eq!(first, second);
    let last = server.requests().pop().unwrap();
    assert_eq!((last.before, last.header("if-none-match")), (1, "\"third\""));
    let file = folder.file("file", "");
    join(&server, &["--cache", &file]).exits(FAILED).says(&["the cache", &file]);
}

#[test]
fn sources_of_one_run_share_what_is_known_of_their_site() {
    let server = LoopbackServer::start(|request| match request.path.as_str() {
        "/robots.txt" => missing(),
        path => html(page(&format!("Page {path}."), None)),
    });
    let (one, two) = (server.address("/1"), server.address("/2"));
    let begin = Instant::now();
    let lines =
        bare(&["scan", &one, &two, "--allow-private=127.0.0.1", "--delay", "0.3"]).exits(DONE).json_lines();
    assert!(begin.elapsed() >= Duration::from_millis(300), "{:?}", begin.elapsed());
    assert_eq!(
        (lines.len(), server.asked()),
        (2, vec!["/robots.txt".to_owned(), "/1".to_owned(), "/2".to_owned()])
    );
}

#[test]
fn who_asks_is_said() {
    let server = one_page("One.");
    join(&server, &["--user-agent", "other/1 (me@a.test)"]).exits(DONE);
    assert!(server.requests().iter().all(|request| request.header("user-agent") == "other/1 (me@a.test)"));
    join(&server, &["--user-agent", "a\nb"]).exits(FAILED).says(&["cannot set up the HTTP client"]);
}

#[test]
fn values_that_make_no_sense_are_wrong_use() {
    for (option, value) in [
        ("--delay", "-1"),
        ("--delay", "nan"),
        ("--delay", "1e9"),
        ("--timeout", "0"),
        ("--timeout", "soon"),
        ("--retries", "11"),
        ("--max-body", "0"),
        ("--allow-private", "http://localhost/"),
        ("--allow-private", "10.0.0.0/33"),
        ("--allow-private", "127.0.0.1,169.254.169.254"),
    ] {
        let value = format!("{option}={value}");
        bare(&["join", "http://a.invalid/", &value]).exits(WRONG_USE).writes_nothing().says(&[option]);
    }
}
