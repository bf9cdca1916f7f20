//! What was drawn is kept, and replayed without a browser.

use crate::support::*;

fn story() -> LoopbackServer {
    let script = format!(
        "{DRAW} let part = 1; const show = async () => draw(`<div id=\"list\">${{await get('/part/1')}}</div><button onclick=\"more()\">Load more</button>`);\
         window.more = async () => {{ part += 1; document.getElementById('list').insertAdjacentHTML('beforeend', await get('/part/' + part));\
         if (part === 3) document.querySelector('button').remove(); }}; show();"
    );
    LoopbackServer::start(move |request| match request.path.strip_prefix("/part/") {
        Some(part) => fragment(part.parse().unwrap()),
        None => app(&script),
    })
}

#[test]
fn a_replay_needs_no_browser_and_no_network() {
    let (server, folder) = (story(), TestFolder::new());
    let archive = folder.path("a.warc.gz");
    let save = ["--save", &archive, "-f", "json"];
    let live = join(&server, "/story", &save).exits(DONE);
    assert_eq!(marks(live.json()["text"].as_str().unwrap()), all_of(3), "{}", live.stderr);
    let asked = server.pages_asked();
    let again = join(&server, "/story", &save).exits(DONE);
    assert_eq!((&again.stdout, server.pages_asked()), (&live.stdout, asked), "nothing is asked twice");
    let url = server.address("/story");
    drop(server);
    let mut replay = command(&TSUGI, &["join", &url, "--pages", &archive, "-f", "json"]);
    let replay = finish(replay.env("PATH", "/nowhere").spawn().unwrap()).exits(DONE);
    assert_eq!(replay.stdout, live.stdout);
    let extracted =
        finish(command(&TSUGI, &["extract", &url, "--pages", &archive]).spawn().unwrap()).exits(DONE);
    assert_eq!(marks(&extracted.stdout), all_of(1));
    let lines = finish(command(&TSUGI, &["scan", &archive]).spawn().unwrap()).exits(DONE).json_lines();
    assert_eq!(lines.len(), 1, "parts of a page, and what was drawn of it, are no pages: {lines:?}");
}

#[test]
fn scan_extract_and_explain_draw_too() {
    let server = story();
    let url = server.address("/story");
    let run = |arguments: &[&str]| {
        finish(command(&TSUGI, &[arguments, &LOCAL].concat()).spawn().unwrap()).exits(DONE)
    };
    let line = run(&["scan", &url]).json();
    assert_eq!(marks(line["content"]["text"].as_str().unwrap()), all_of(1));
    assert!(line["unfollowable"].is_string(), "{line}");
    assert_eq!(marks(&run(&["extract", &url]).stdout), all_of(1));
    let explained = run(&["explain", &url]).stdout;
    assert!(
        explained.contains("drawn by a browser") && explained.contains("lets a browser press it"),
        "{explained}"
    );
}
