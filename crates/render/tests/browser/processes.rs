//! Nothing is left of a browser, however the command ends.

use crate::support::*;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

/// Returns the processes whose command lines name a folder.
fn named(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    lines.filter(|line| line.contains(folder)).collect()
}

#[track_caller]
fn waits_until(what: &str, until: impl Fn() -> bool) {
    let begin = Instant::now();
    while !until() {
        assert!(begin.elapsed() < Duration::from_secs(40), "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn begin(server: &LoopbackServer, temporary: &str) -> Child {
    let url = server.address("/story");
    command(&TSUGI, &live_join(&[&url])).env("TMPDIR", temporary).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn no_process_and_no_profile_is_left() {
    let folder = TestFolder::new();
    let temporary = folder.path("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let is_empty = || Path::new(&temporary).read_dir().unwrap().next().is_none();
    let rounds = std::env::var_os("ROUNDS").and_then(|rounds| rounds.to_str()?.parse().ok()).unwrap_or(2);
    for round in 0..rounds {
        for name in ["-INT", "-KILL", "-TERM"] {
            // It never rests, so that the command is in the midst of it.
            let restless =
                "setInterval(() => { document.getElementById('root').textContent = Math.random() }, 30)";
            let server = LoopbackServer::start(move |_| app(restless));
            let mut child = begin(&server, &temporary);
            waits_until("no browser was started", || named(&temporary).len() > 2);
            // At another point each time.
            thread::sleep(Duration::from_millis(97 * (round % 20)));
            signal(&child, name);
            child.wait().unwrap();
            waits_until("the browser goes on", || named(&temporary).is_empty());
            waits_until("its profile is left", is_empty);
        }
    }
    let fine = LoopbackServer::start(|_| app(&format!("{DRAW} draw({:?})", paragraphs(1))));
    finish(begin(&fine, &temporary)).exits(DONE);
    assert!(named(&temporary).is_empty() && is_empty(), "{:?}", named(&temporary));
}
