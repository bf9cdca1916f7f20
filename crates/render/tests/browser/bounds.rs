//! Limits of time and bytes hold for what a browser does, and pages that need none start none.

use crate::support::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tsugi_fetch::{FetchError, Guard, Http, HttpOptions};
use tsugi_render::SharedBrowser;

/// A page with some text of its own, so that something is left if it cannot be drawn.
fn with_script(script: &str) -> Vec<u8> {
    html(format!("<!DOCTYPE html><title>The lighthouse</title><div id=root></div><script>{script}</script>"))
}

#[test]
fn a_page_that_never_ends_is_given_up() {
    for script in [
        "for (;;);".to_owned(),
        "setInterval(() => document.body.append(Math.random() + ' and so on, and on, and on'), 20)".to_owned(),
        "location.href = '?' + Math.random()".to_owned(),
        format!("{DRAW} get('/hangs').then(draw)"),
        "const grow = () => { document.body.insertAdjacentHTML('beforeend', '<div><b>x</b></div>'.repeat(200)); setTimeout(grow) }; grow()".to_owned(),
        "let all = []; for (;;) all.push(new Array(1e6).fill(all.length))".to_owned(),
    ] {
        let page = with_script(&script);
        let server = LoopbackServer::raw(move |request, stream| {
            use std::io::Write;
            if request.path == "/hangs" {
                std::thread::sleep(Duration::from_secs(8));
            }
            let _ = stream.write_all(&page);
        });
        let begin = Instant::now();
        let run = join(&server, "/story", &["--timeout", "5"]);
        assert!(begin.elapsed() < Duration::from_secs(50), "{script}: {:?}", begin.elapsed());
        assert!([DONE, NOTHING_FOUND, PARTLY_FAILED].contains(&run.code), "{script}: {}: {}", run.code, run.stderr);
    }
}

/// One reader waits for a page whose script waits for its text, another one for the browser.
#[test]
fn who_is_gone_waits_no_longer() {
    let (send, reached) = std::sync::mpsc::channel();
    let hanging = with_script(&format!("{DRAW} get('/hangs').then(draw)"));
    let server = LoopbackServer::raw(move |request, stream| {
        use std::io::{Read, Write};
        match request.path.as_str() {
            "/hangs" => {
                send.send(()).unwrap();
                // Until the client hangs up.
                let _ = stream.read(&mut [0]);
            }
            _ => drop(stream.write_all(&hanging)),
        }
    });
    let guard = Guard::public().and("127.0.0.1".parse().unwrap());
    let options = HttpOptions::new("test/1").robots(false).guard(guard).total_timeout(Duration::from_mins(1));
    let browser = SharedBrowser::new(None, std::env::var_os("PATH").unwrap(), &options);
    let http = Arc::new(Http::new(options).unwrap());
    let draw =
        |is_gone: &dyn Fn() -> bool| browser.draw(&server.url("/story"), &http, &|_| String::new(), is_gone);
    let is_gone = AtomicBool::new(false);
    thread::scope(|scope| {
        let first = scope.spawn(|| draw(&|| is_gone.load(Ordering::SeqCst)));
        reached.recv_timeout(Duration::from_mins(1)).unwrap();
        let second = draw(&|| true);
        is_gone.store(true, Ordering::SeqCst);
        for gone in [first.join().unwrap(), second] {
            assert!(matches!(gone, Err(FetchError::Unwanted { .. })), "{gone:?}");
        }
    });
}

#[test]
fn a_body_that_is_too_long_is_not_handed_on() {
    let script = format!(
        "{DRAW} get('/bomb').then(text => draw('<p>The bomb went off.</p>')).catch(() => get('/text').then(draw))"
    );
    let page = app(&script);
    let bomb = typed("text/plain", vec![b'x'; 3 << 20]);
    let server = LoopbackServer::start(canned([("/story", page), ("/text", fragment(1)), ("/bomb", bomb)]));
    is_whole(join(&server, "/story", &["--max-body", "1"]), 1);
}

#[test]
fn a_page_without_need_starts_no_browser() {
    let folder = TestFolder::new();
    let (program, started) = (
        folder.file("browser", "#!/bin/sh\necho started > \"${0}.started\"\n"),
        folder.path("browser.started"),
    );
    std::process::Command::new("chmod").args(["+x", &program]).status().unwrap();
    let page = site(&format!("<main><article><h1>The lighthouse</h1>{}</article></main>", paragraphs(1)));
    let app = app(DRAW);
    let server = LoopbackServer::start(canned([("/story", page), ("/app", app)]));
    let is_started = || std::path::Path::new(&started).exists();
    is_whole(join(&server, "/story", &["--browser-path", &program]), 1);
    assert!(!is_started());
    let never = join(&server, "/app", &["--browser", "never", "--browser-path", &program]);
    never.exits(NOTHING_FOUND).says(&["needs scripts"]);
    assert!(!is_started());
    // A browser that ends at once is told.
    let broken = join(&server, "/app", &["--browser-path", &program]).exits(NOTHING_FOUND);
    assert!(is_started() && broken.stderr.contains("cannot be started"), "{}", broken.stderr);
}

#[test]
fn without_a_browser_the_message_says_what_to_install() {
    let server = LoopbackServer::start(|_| app(DRAW));
    let url = server.address("/story");
    let mut command = command(&TSUGI, &live_join(&[&url]));
    let run = finish(command.env("PATH", "/nowhere").spawn().unwrap()).exits(NOTHING_FOUND);
    assert!(run.stderr.contains("apt install chromium"), "{}", run.stderr);
}
