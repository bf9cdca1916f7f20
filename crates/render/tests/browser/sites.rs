//! Fifteen sites that show their pages in fifteen ways.

use crate::support::*;
use std::thread;
use std::time::Duration;

#[test]
fn an_article_in_a_single_page_application() {
    let script = format!("{DRAW} get('/api/article').then(draw)");
    let shell =
        html("<!DOCTYPE html><title>The lighthouse</title><div id=root></div><script src=/app.js></script>");
    let server = LoopbackServer::start(canned([
        ("/story", shell),
        ("/app.js", js(&script)),
        ("/api/article", fragment(1)),
    ]));
    is_whole(join(&server, "/story", &[]), 1);
    let asked = server.pages_asked();
    assert_eq!(
        asked.iter().filter(|path| *path == "/story").count(),
        1,
        "the page is fetched once: {asked:?}"
    );
}

#[test]
fn pages_behind_hash_routes() {
    let script = format!(
        "{DRAW} const show = async () => {{ const page = Number(location.hash.slice(2) || 1); \
         draw(await get('/part/' + page) + `<nav class=\"pagination\"><b>${{page}}</b> ${{page < 3 ? \
         `<a href=\"#/${{page + 1}}\" class=\"next\">Next page</a>` : ''}}</nav>`); }}; onhashchange = show; show();"
    );
    let server = LoopbackServer::start(move |request| match request.path.strip_prefix("/part/") {
        Some(page) => fragment(page.parse().unwrap()),
        None => app(&script),
    });
    is_whole(join(&server, "/story", &[]), 3);
}

/// A static page whose button loads the next part, of so many; `fails` is a part that the server cannot give.
fn load_more(parts: usize, fails: usize) -> LoopbackServer {
    LoopbackServer::start(move |request| match request.path.strip_prefix("/more/") {
        Some(part) if part == fails.to_string() => answer("500 Broken\r\nContent-Type: text/plain", "broken"),
        Some(part) => fragment(part.parse().unwrap()),
        None => site(&format!(
            "<main><article><h1>The lighthouse</h1><div id=list>{}</div></article><button id=more>Load more</button></main>\
             <script>let part = 1; const button = document.getElementById('more');\
             button.onclick = async () => {{ const answer = await fetch('/more/' + (part + 1)); if (!answer.ok) return;\
             part += 1; document.getElementById('list').insertAdjacentHTML('beforeend', await answer.text());\
             if (part >= {parts}) button.remove(); }};</script>",
            paragraphs(1)
        )),
    })
}

#[test]
fn a_button_that_loads_more() {
    let server = load_more(3, 0);
    let run = is_whole(join(&server, "/story", &["--verbose"]), 3);
    assert!(run.stderr.contains("press \"Load more\""), "{}", run.stderr);
    assert_eq!(server.pages_asked(), ["/story", "/more/2", "/more/3"]);
}

#[test]
fn an_error_on_page_3_is_told() {
    let server = load_more(9, 3);
    let run = join(&server, "/story", &[]).exits(PARTLY_FAILED).says(&["incomplete", "status 500"]);
    assert_eq!(marks(&run.stdout), all_of(2));
}

#[test]
fn an_endless_feed_ends_at_the_limit() {
    let server = load_more(1000, 0);
    let run = join(&server, "/story", &["--max-pages", "4"]).exits(PARTLY_FAILED).says(&["page limit"]);
    assert_eq!(marks(&run.stdout), all_of(4));
}

#[test]
fn endless_scrolling() {
    let script = format!(
        "{DRAW} let part = 0, busy = false; const more = async () => {{ if (busy || part >= 3) return; busy = true; part += 1;\
         const text = await get('/part/' + part); if (part === 1) draw(`<div id=\"list\"></div>`);\
         document.getElementById('list').insertAdjacentHTML('beforeend', text); busy = false; }};\
         more().then(() => new IntersectionObserver(seen => seen[0].isIntersecting && more()).observe(document.querySelector('footer')));"
    );
    let server = LoopbackServer::start(move |request| match request.path.strip_prefix("/part/") {
        // Tall, so that the end is not in view at once.
        Some(part) => {
            typed("text/html", paragraphs(part.parse().unwrap()).replace("<p>", "<p style='margin:9em 0'>"))
        }
        None => app(&script),
    });
    is_whole(join(&server, "/story", &[]), 3);
}

#[test]
fn scrolling_on_to_another_article_ends_the_document() {
    let script = format!(
        "{DRAW} let part = 0; const more = async () => {{ if (part >= 3) return; part += 1; const text = await get('/part/' + part);\
         if (part === 1) draw(`<div id=\"list\"></div>`); document.getElementById('list').insertAdjacentHTML('beforeend',\
         `<section>${{part > 1 ? '<h1>Story number ' + part + '</h1>' : ''}}${{text}}</section>`); }};\
         more().then(() => new IntersectionObserver(seen => seen[0].isIntersecting && more()).observe(document.querySelector('footer')));"
    );
    let server = LoopbackServer::start(move |request| match request.path.strip_prefix("/part/") {
        Some(part) => {
            typed("text/html", paragraphs(part.parse().unwrap()).replace("<p>", "<p style='margin:9em 0'>"))
        }
        None => app(&script),
    });
    is_whole(join(&server, "/story", &[]), 1).says(&["headline of its own"]);
}

#[test]
fn a_list_that_keeps_only_visible_rows() {
    let all = (1..=3).flat_map(|page| (1..=PARAGRAPHS).map(move |number| paragraph(page, number)));
    // The last row comes alone. What has no word of its own would be a page that writes the same for ever.
    let rows: Vec<String> =
        all.zip('a'..).map(|(row, letter)| format!("{row} They called that one boat{letter}.")).collect();
    let rows = rows.join("|");
    let script = format!(
        "{DRAW} get('/rows').then(text => {{ const rows = text.split('|'); draw('<div id=\"box\" style=\"height:700px;overflow-y:auto\"><div id=\"all\" style=\"position:relative\"></div></div>');\
         const box = document.getElementById('box'), all = document.getElementById('all'); all.style.height = rows.length * 160 + 'px';\
         const show = () => {{ const first = Math.floor(box.scrollTop / 160); all.innerHTML = rows.map((row, at) => at >= first && at < first + 6 ?\
         `<p style=\"position:absolute;height:160px;top:${{at * 160}}px\">${{row}}</p>` : '').join(''); }}; box.onscroll = show; show(); }})"
    );
    let server = LoopbackServer::start(move |request| {
        if request.path == "/rows" { typed("text/plain", &rows) } else { app(&script) }
    });
    is_whole(join(&server, "/story", &[]), 3);
}

#[test]
fn shadow_components() {
    let script = format!(
        "customElements.define('island-article', class extends HTMLElement {{ connectedCallback() {{\
         this.attachShadow({{mode: 'open'}}).innerHTML = '<main><h1>The lighthouse</h1><slot></slot>' + {:?} + '</main>'; }} }});\
         document.getElementById('root').innerHTML = '<island-article><p>By Ann Lee</p></island-article>';",
        paragraphs(1)
    );
    let server = LoopbackServer::start(move |_| app(&script));
    is_whole(join(&server, "/story", &[]), 1);
}

#[test]
fn a_wall_of_consent_is_neither_pressed_nor_content() {
    let wall = "<div id=\"cookie-consent\" style=\"position:fixed;inset:0;background:white\"><h2>We value your privacy</h2>\
        <p>We and our partners store cookies on your device to show advertisements. Do you agree with that?</p>\
        <button onclick=\"fetch('/agreed')\">Accept all</button></div>";
    let script = format!(
        "{DRAW} get('/text').then(text => {{ draw(text); document.body.insertAdjacentHTML('beforeend', {wall:?}); }})"
    );
    let page = app(&script);
    let server = LoopbackServer::start(canned([("/story", page), ("/text", fragment(1))]));
    let run = is_whole(join(&server, "/story", &[]), 1);
    assert!(!run.stdout.contains("privacy"), "{}", run.stdout);
    assert_eq!(server.pages_asked(), ["/story", "/text"]);
}

#[test]
fn late_hydration() {
    let script = format!("{DRAW} draw('<p>Loading…</p>'); setTimeout(() => get('/text').then(draw), 2500);");
    let page = app(&script);
    let server = LoopbackServer::start(canned([("/story", page), ("/text", fragment(1))]));
    is_whole(join(&server, "/story", &[]), 1);
}

#[test]
fn a_pager_that_changes_the_address() {
    let script = format!(
        "{DRAW} const page = () => Number(new URLSearchParams(location.search).get('page') || 1);\
         const show = async () => draw(await get('/part/' + page()) + `<nav class=\"pagination\"><span>Page ${{page()}} of 3</span>\
         ${{page() < 3 ? '<button class=\"next\" onclick=\"turn()\">Next page</button>' : ''}}</nav>`);\
         window.turn = () => {{ history.pushState(null, '', '?page=' + (page() + 1)); show(); }}; show();"
    );
    let server = LoopbackServer::start(move |request| match request.path.strip_prefix("/part/") {
        Some(page) => fragment(page.parse().unwrap()),
        None => app(&script),
    });
    is_whole(join(&server, "/story", &[]), 3);
    let json = join(&server, "/story", &["-f", "json"]).exits(DONE).json();
    let urls: Vec<&str> =
        json["pages"].as_array().unwrap().iter().map(|page| page["url"].as_str().unwrap()).collect();
    assert!(urls[1].ends_with("/story?page=2") && urls[2].ends_with("/story?page=3"), "{urls:?}");
}

#[test]
fn a_pager_that_posts_forms() {
    let page = |page: usize| {
        let next = format!(
            "<form method=post action=/story class=pagination><input type=hidden name=page value={}>\
             <input type=submit value='Next page'></form>",
            page + 1
        );
        let pager = if page < 3 { next } else { String::new() };
        site(&format!("<main><article><h1>The lighthouse</h1>{}</article>{pager}</main>", paragraphs(page)))
    };
    let server = LoopbackServer::raw(move |request, stream| {
        use std::io::{Read, Write};
        let length = request.header("content-length").parse().unwrap_or(0);
        let mut body = vec![0; length];
        stream.read_exact(&mut body).unwrap();
        let body = String::from_utf8(body).unwrap();
        let number = body.strip_prefix("page=").map_or(1, |number| number.parse().unwrap());
        let answer = if request.path == "/story" { page(number) } else { missing() };
        let _ = stream.write_all(&answer);
    });
    is_whole(join(&server, "/story", &[]), 3);
}

#[test]
fn an_article_in_a_frame() {
    let frame = site(&format!("<main><article><h1>The lighthouse</h1>{}</article></main>", paragraphs(1)));
    let page = site("<iframe src=/frame width=800 height=2000></iframe>");
    let server = LoopbackServer::start(canned([("/story", page), ("/frame", frame)]));
    is_whole(join(&server, "/story", &[]), 1);
}

#[test]
fn a_slow_interface() {
    let script = format!("{DRAW} draw('<p>Loading…</p>'); get('/slow').then(draw);");
    let server = LoopbackServer::start(move |request| {
        if request.path == "/slow" {
            thread::sleep(Duration::from_secs(6));
            return fragment(1);
        }
        app(&script)
    });
    is_whole(join(&server, "/story", &[]), 1);
}

#[test]
fn a_page_that_opens_windows_and_downloads() {
    let script = format!(
        "{DRAW} window.open('/window'); alert('Stop'); confirm('Really?'); prompt('Why?'); globalThis.Notification?.requestPermission();\
         navigator.geolocation?.getCurrentPosition(() => {{}}); document.documentElement.requestFullscreen?.().catch(() => {{}});\
         const link = document.createElement('a'); link.href = 'data:application/zip;base64,UEs='; link.download = 'x.zip'; link.click();\
         addEventListener('beforeunload', event => event.preventDefault()); get('/text').then(draw);"
    );
    let page = app(&script);
    let server = LoopbackServer::start(canned([("/story", page), ("/text", fragment(1))]));
    is_whole(join(&server, "/story", &[]), 1);
    assert_eq!(server.pages_asked(), ["/story", "/text"], "nothing else was opened");
}
