//! A web that is slow, hostile, or asks to be left alone.

use crate::support::{
    DONE, FAILED, Folder, LOCAL, PARTLY_FAILED, Run, WRONG_USE, command, finish, gave, loopback_rules, page,
};
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tsugi_page::Url;

/// A request, as it came.
#[derive(Clone, Debug)]
struct Request {
    /// What stands in the first line: a path, or the whole address where a proxy is asked.
    target: String,
    /// The head, in lower case.
    head: String,
    /// How often the same was asked for before.
    before: usize,
}

impl Request {
    /// The port that was asked.
    fn port(&self) -> u16 {
        let host = self.head.lines().find_map(|line| line.strip_prefix("host: "));
        host.and_then(|host| host.rsplit_once(':')?.1.parse().ok()).unwrap()
    }
}

/// A server that may do anything to a connection. It ends with the test, and after a while in any case.
struct Wild {
    port: u16,
    asked: Arc<Mutex<Vec<Request>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Wild {
    fn start(serve: impl Fn(&Request, &mut TcpStream) + Send + 'static) -> Wild {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::<Request>::new()));
        let stop = Arc::new(AtomicBool::new(false));
        let (seen, stopped) = (Arc::clone(&asked), Arc::clone(&stop));
        let thread = thread::spawn(move || {
            let begin = Instant::now();
            while begin.elapsed() < Duration::from_secs(30) && !stopped.load(Ordering::Relaxed) {
                let Ok((mut stream, _)) = listener.accept() else {
                    thread::sleep(Duration::from_millis(2));
                    continue;
                };
                stream.set_nonblocking(false).unwrap();
                stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
                let (mut head, mut byte) = (Vec::new(), [0]);
                while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
                    head.push(byte[0]);
                }
                let head = String::from_utf8_lossy(&head).into_owned();
                let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
                let before = seen.lock().unwrap().iter().filter(|request| request.target == target).count();
                let request = Request { target, head: head.to_ascii_lowercase(), before };
                seen.lock().unwrap().push(request.clone());
                serve(&request, &mut stream);
            }
        });
        Wild { port, asked, stop, thread: Some(thread) }
    }

    /// A site that says this of robots, and gives `answer` at every other path.
    fn site(robots: Vec<u8>, answer: impl Fn(&Request) -> Vec<u8> + Send + 'static) -> Wild {
        Wild::start(move |request, stream| {
            let bytes = if request.target == "/robots.txt" { robots.clone() } else { answer(request) };
            // A client that hangs up is its own affair.
            let _ = stream.write_all(&bytes);
        })
    }

    /// Two pages and a third, each with a link to the next; what the third is, `answer` says.
    fn three_pages(robots: Vec<u8>, answer: impl Fn(&Request) -> Vec<u8> + Send + 'static) -> Wild {
        Wild::site(robots, move |request| match request.target.as_str() {
            "/1" => html(&page("One.", Some("2"))),
            "/2" => html(&page("Two.", Some("3"))),
            _ => answer(request),
        })
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// What was asked for, in order.
    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(|request| request.target.clone()).collect()
    }
}

impl Drop for Wild {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// An answer: status line and headers, and the body.
fn answer(head: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let length = body.len();
    let head = format!("HTTP/1.1 {head}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
    let mut answer = head.into_bytes();
    answer.extend_from_slice(body);
    answer
}

fn html(page: &str) -> Vec<u8> {
    answer("200 OK\r\nContent-Type: text/html; charset=utf-8", page)
}

fn robots(text: &str) -> Vec<u8> {
    answer("200 OK\r\nContent-Type: text/plain", text)
}

fn none() -> Vec<u8> {
    answer("404 Not Found", "")
}

/// Runs the command with these options and no others.
#[track_caller]
fn bare(arguments: &[&str]) -> Run {
    finish(command(arguments).spawn().unwrap())
}

/// Joins by rule from `/1`, as JSON; `options` come in place of [`LOCAL`].
#[track_caller]
fn join_with(server: &Wild, options: &[&str]) -> Run {
    let folder = Folder::new();
    let (rules, url) = (loopback_rules(&folder), server.url("/1"));
    let mut arguments = vec!["join", &url, "--rules", &rules, "-f", "json"];
    arguments.extend(options);
    bare(&arguments)
}

#[track_caller]
fn join(server: &Wild, options: &[&str]) -> Run {
    join_with(server, &[&LOCAL, options].concat())
}

#[test]
fn a_page_that_drips_is_given_up_and_what_was_there_is_written() {
    let server = Wild::start(|request, stream| {
        let _ = match request.target.as_str() {
            "/1" => stream.write_all(&html(&page("One.", Some("2")))),
            "/2" => stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>"),
            _ => stream.write_all(&none()),
        };
        // For ever, but for the client that hangs up.
        while request.target == "/2" && stream.write_all(b"a").is_ok() {
            thread::sleep(Duration::from_millis(20));
        }
    });
    let begin = Instant::now();
    gave(join(&server, &["--timeout", "1"]), "One.", "fetch-failed", "/2", "took too long");
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}

#[test]
fn pages_without_end_are_joined_as_many_as_wanted() {
    let server = Wild::site(none(), |request| {
        let n: usize = request.target[1..].parse().unwrap();
        html(&page(&format!("This is {n}."), Some(&format!("{}", n + 1))))
    });
    gave(
        join(&server, &["--max-pages", "4"]),
        "This is 1.\nThis is 2.\nThis is 3.\nThis is 4.",
        "max-pages",
        "/5",
        "page limit reached (4)",
    );
    assert_eq!(server.asked(), ["/robots.txt", "/1", "/2", "/3", "/4"]);
}

#[test]
fn redirects_in_a_circle_end() {
    let server = Wild::three_pages(none(), |request| {
        let target = if request.target == "/3" { "/4" } else { "/3" };
        answer(&format!("302 Found\r\nLocation: {target}"), "")
    });
    gave(join(&server, &[]), "One.\nTwo.", "fetch-failed", "/3", "redirects more than 10 times");
}

#[test]
fn lengths_that_lie() {
    // The body ends before its length: it broke off, and half a page is none.
    let server = Wild::three_pages(none(), |_| {
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n{}",
            page("Three.", None)
        )
        .into_bytes()
    });
    gave(join(&server, &[]), "One.\nTwo.", "fetch-failed", "/3", "no answer");
    // The body goes on after its length: what follows is not part of it.
    let server = Wild::three_pages(none(), |_| {
        let (told, more) = (page("Three.", None), page("Four.", None));
        let length = told.len();
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n\r\n{told}{more}")
            .into_bytes()
    });
    gave(join(&server, &[]), "One.\nTwo.\nThree.", "no-next", "/3", "no next-page");
}

#[test]
fn a_short_answer_that_unpacks_to_a_long_one_is_refused() {
    let server = Wild::three_pages(none(), |_| {
        let mut packed = Vec::new();
        let mut encoder = flate2::write::GzEncoder::new(&mut packed, flate2::Compression::best());
        encoder.write_all(&vec![b' '; 2 << 20]).unwrap();
        encoder.finish().unwrap();
        answer("200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip", packed)
    });
    gave(
        join(&server, &["--max-body", "1"]),
        "One.\nTwo.",
        "fetch-failed",
        "/3",
        "longer than 1048576 bytes",
    );
    gave(join(&server, &["--max-body", "3"]), "One.\nTwo.", "not-a-continuation", "/3", "no main content");
}

#[test]
fn this_machine_is_not_asked_unless_that_is_allowed() {
    let server = Wild::site(none(), |_| html(&page("A secret.", None)));
    let port = server.port;
    for host in ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"] {
        let url = format!("http://{host}:{port}/1");
        let run = bare(&["join", &url, "--retries", "0"]).exits(FAILED).writes_nothing();
        run.says(&[
            "leads to",
            &format!("(--allow-private {})", Url::parse(&url).unwrap().host_str().unwrap()),
        ]);
    }
    let all = "--allow-private=0.0.0.0/0,::/0";
    let run = bare(&["join", "http://169.254.169.254/latest/meta-data/", all]).exits(FAILED).writes_nothing();
    run.says(&["169.254.169.254, a link-local address; such addresses are never fetched"]);
    bare(&["explain", &server.url("/1")]).exits(FAILED).writes_nothing().says(&["--allow-private"]);
    let line = bare(&["scan", &server.url("/1")]).exits(FAILED).json();
    assert!(line["error"].as_str().unwrap().contains("a loopback address"), "{line}");
    assert_eq!(server.asked(), [""; 0]);
    let run = bare(&["scan", &server.url("/1"), "--allow-private=127.0.0.1"]).exits(DONE);
    assert_eq!((run.json()["error"].clone(), server.asked().len()), (Value::Null, 2));
}

#[test]
fn a_page_leads_to_no_private_address_that_was_not_named() {
    let inner = Wild::site(none(), |_| html(&page("A secret.", None)));
    let secret = format!("http://localhost:{}/3", inner.port);
    let server = Wild::three_pages(none(), {
        let secret = secret.replace("localhost", "127.0.0.2");
        move |_| answer(&format!("302 Found\r\nLocation: {secret}"), "")
    });
    gave(join(&server, &[]), "One.\nTwo.", "fetch-failed", "/3", "127.0.0.2, a loopback address");
    // A name that was given opens the way by that name alone.
    let run = bare(&["scan", &secret, "--allow-private=localhost"]).exits(DONE);
    assert_eq!(run.json()["error"], Value::Null);
    let url = secret.replace("localhost", "127.0.0.1");
    bare(&["scan", &url, "--allow-private=localhost"]).exits(FAILED);
    assert_eq!(inner.asked(), ["/robots.txt", "/3"]);
}

/// Everything that was said and written: stdout, stderr, and the names and bytes of all files below a folder.
fn all_of(runs: &[Run], folder: &Path) -> Vec<u8> {
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
    // Of `user:secret`, in lower case.
    const SENT: &str = "\r\nauthorization: basic dxnlcjpzzwnyzxq=\r\n";
    let server = Wild::start(|request, stream| {
        let text = "Read <a href='more'>more</a> and see <img src='picture.png'>.";
        let bytes = match request.target.as_str() {
            _ if !request.head.contains(SENT) => answer("401 Unauthorized", ""),
            "/1" => answer("200 OK\r\nContent-Type: text/html\r\nETag: \"1\"", page(text, Some("2"))),
            "/2" => answer(&format!("302 Found\r\nLocation: http://127.0.0.1:{}/3", request.port()), ""),
            "/3" => html(&page("The last page.", None)),
            "/picture.png" => answer("200 OK\r\nContent-Type: image/png", b"\x89PNG\r\n\x1a\n"),
            "/circle" => answer("302 Found\r\nLocation: /circle", ""),
            "/cut" => b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<p>".to_vec(),
            _ => none(),
        };
        let _ = stream.write_all(&bytes);
    });
    let (given, written) = (Folder::new(), Folder::new());
    let rules = loopback_rules(&given);
    let at = |path: &str| server.url(path).replace("//", "//user:secret@");
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
    let asked = server.asked.lock().unwrap().clone();
    assert!(asked.len() > 30 && asked.iter().all(|request| request.head.contains(SENT)));
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
    let proxy = Wild::start(|request, stream| {
        let body =
            if request.target.ends_with("/robots.txt") { none() } else { html(&page("By proxy.", None)) };
        let _ = stream.write_all(&body);
    });
    let through = |url: &str| {
        let mut command = command(&["join", url, "-f", "txt", "--delay", "0", "--retries", "0"]);
        finish(command.env("http_proxy", proxy.url("")).spawn().unwrap())
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
fn a_site_may_forbid_a_page() {
    let site = || Wild::three_pages(robots("User-agent: *\nDisallow: /3\n"), |_| html(&page("Three.", None)));
    let server = site();
    gave(join(&server, &[]), "One.\nTwo.", "robots", "/3", "`Disallow: /3`");
    assert_eq!(server.asked(), ["/robots.txt", "/1", "/2"]);
    let server = site();
    gave(join(&server, &["--ignore-robots"]), "One.\nTwo.\nThree.", "no-next", "/3", "");
    assert_eq!(server.asked(), ["/1", "/2", "/3"]);
}

#[test]
fn a_site_that_cannot_say_its_rules_is_left_alone() {
    let server = Wild::three_pages(answer("503 Service Unavailable", ""), |_| none());
    join(&server, &[]).exits(FAILED).writes_nothing().says(&["robots.txt", "503", "may not be fetched"]);
    assert_eq!(server.asked(), ["/robots.txt"]);
}

#[test]
fn a_server_that_is_busy_is_asked_again_when_it_says() {
    let busy = |after: &'static str| {
        Wild::three_pages(none(), move |request| match request.before {
            0 => answer(&format!("429 Too Many Requests\r\nRetry-After: {after}"), ""),
            _ => html(&page("Three.", None)),
        })
    };
    let begin = Instant::now();
    let run = join_with(&busy("1"), &["--allow-private=127.0.0.1", "--delay", "0"]);
    gave(run, "One.\nTwo.\nThree.", "no-next", "/3", "");
    assert!(begin.elapsed() >= Duration::from_millis(950), "{:?}", begin.elapsed());
    let server = busy("3600");
    let run = join_with(&server, &["--allow-private=127.0.0.1", "--delay", "0"]);
    gave(run, "One.\nTwo.", "fetch-failed", "/3", "asked for a retry after 3600 s");
    assert_eq!(server.asked(), ["/robots.txt", "/1", "/2", "/3"]);
}

#[test]
fn a_page_that_fails_is_tried_as_often_as_wanted() {
    let server = Wild::three_pages(none(), |_| answer("500 Internal Server Error", ""));
    let run = join_with(&server, &["--allow-private=127.0.0.1", "--delay", "0", "--retries", "1"]);
    gave(run, "One.\nTwo.", "fetch-failed", "/3", "status 500");
    assert_eq!(server.asked(), ["/robots.txt", "/1", "/2", "/3", "/3"]);
}

#[test]
fn pages_may_have_charsets_of_their_own() {
    let server = Wild::site(none(), |request| match request.target.as_str() {
        "/1" => html(&page("最初のページ。", Some("2"))),
        "/2" => {
            // 次は, as Shift_JIS; the header says so, and `meta` the contrary.
            let mut body = page("X", Some("3")).into_bytes();
            let at = body.iter().position(|byte| *byte == b'X').unwrap();
            body.splice(at..=at, *b"\x8e\x9f\x82\xcd");
            answer("200 OK\r\nContent-Type: text/html; charset=Shift_JIS", body)
        }
        _ => {
            // 終 as EUC-JP; `meta` alone says so.
            let mut body = page("X", None).replace("charset=utf-8", "charset=euc-jp").into_bytes();
            let at = body.iter().position(|byte| *byte == b'X').unwrap();
            body.splice(at..=at, *b"\xbd\xaa");
            answer("200 OK\r\nContent-Type: text/html", body)
        }
    });
    gave(join(&server, &[]), "最初のページ。\n次は\n終", "no-next", "/3", "");
}

#[test]
fn answers_are_kept_in_the_cache_and_confirmed() {
    let folder = Folder::new();
    let cache = folder.path("cache");
    let server = Wild::three_pages(none(), |request| {
        if request.head.contains("if-none-match: \"third\"") {
            answer("304 Not Modified\r\nETag: \"third\"", "")
        } else {
            answer("200 OK\r\nContent-Type: text/html\r\nETag: \"third\"", page("Three.", Some("/4")))
        }
    });
    let first = join(&server, &["--cache", &cache, "--max-pages", "3"]).exits(PARTLY_FAILED).stdout;
    let second = join(&server, &["--cache", &cache, "--max-pages", "3"]).exits(PARTLY_FAILED).stdout;
    assert_eq!(first, second);
    let once = ["/robots.txt", "/1", "/2", "/3"];
    assert_eq!(server.asked(), [once, once].concat());
    let last = server.asked.lock().unwrap().last().unwrap().head.clone();
    assert!(last.contains("if-none-match: \"third\""), "{last}");

    let fresh = Wild::site(none(), |_| {
        answer("200 OK\r\nContent-Type: text/html\r\nCache-Control: max-age=600", page("Fresh.", None))
    });
    for _ in 0..2 {
        gave(join(&fresh, &["--cache", &cache]), "Fresh.", "no-next", "/1", "");
    }
    assert_eq!(fresh.asked(), ["/robots.txt", "/1", "/robots.txt"]);
    let file = folder.file("file", "");
    join(&fresh, &["--cache", &file]).exits(FAILED).says(&["the cache", &file]);
}

#[test]
fn sources_of_one_run_share_what_is_known_of_their_site() {
    let server = Wild::site(none(), |request| html(&page(&format!("Page {}.", request.target), None)));
    let (one, two) = (server.url("/1"), server.url("/2"));
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
    let server = Wild::site(none(), |_| html(&page("One.", None)));
    join(&server, &[]).exits(DONE);
    join(&server, &["--user-agent", "other/1 (me@a.test)"]).exits(DONE);
    let heads: String = server.asked.lock().unwrap().iter().fold(String::new(), |mut heads, request| {
        let _ = write!(heads, "{}", request.head);
        heads
    });
    assert_eq!(heads.matches("user-agent: tsugi/").count(), 2, "{heads}");
    assert_eq!(heads.matches("user-agent: other/1 (me@a.test)\r\n").count(), 2, "{heads}");
    assert_eq!(heads.matches("cookie").count(), 0);
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

#[test]
fn one_source_that_is_refused_does_not_end_the_others() {
    let server =
        Wild::three_pages(robots("User-agent: tsugi\nDisallow: /2"), |_| html(&page("Three.", None)));
    let (two, three) = (server.url("/2"), server.url("/3"));
    let arguments = [&["scan", &two, &three][..], &LOCAL].concat();
    let lines = bare(&arguments).exits(PARTLY_FAILED).json_lines();
    let failed: Vec<bool> = lines.iter().map(|line| line["error"].is_string()).collect();
    assert_eq!(failed, [true, false]);
}
