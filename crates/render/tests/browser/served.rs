//! Pages that a browser draws for those who ask `tsugi serve` and `tsugi mcp`.

use crate::support::*;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

/// A page that scripts draw, with two more behind its button.
fn button_site() -> LoopbackServer {
    let script = format!(
        "{DRAW} let part = 1; const more = async () => {{ part += 1; const button = document.getElementById('more');\
         button.insertAdjacentHTML('beforebegin', await get('/part/' + part)); if (part === 3) button.remove(); }};\
         get('/part/1').then(text => {{ draw(text + '<button id=more>Load more</button>');\
         document.getElementById('more').onclick = more; }});"
    );
    LoopbackServer::start(move |request| match request.path.strip_prefix("/part/") {
        Some(part) => fragment(part.parse().unwrap()),
        None => app(&script),
    })
}

struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns what a running server answers to a request for an article.
fn joined_by_server(article: &str, options: &[&str]) -> String {
    let arguments = [&["serve", "--listen", "127.0.0.1:0"], &LOCAL[..], options].concat();
    let mut server = Ended(command(&TSUGI, &arguments).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(server.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.strip_prefix("http://").and_then(|rest| rest.split('/').next()).unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!(
        "GET /api/join?format=txt&url={article} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_server_draws_what_needs_it_and_goes_on() {
    let site = button_site();
    assert_eq!(marks(&joined_by_server(&site.address("/story"), &[])), all_of(3));
    let undrawn = joined_by_server(&site.address("/story"), &["--browser", "never"]);
    assert_eq!(marks(&undrawn), [""; 0], "{undrawn}");
}

#[test]
fn an_assistant_reads_what_a_browser_draws() {
    let site = button_site();
    let mut child = command(&TSUGI, &[&["mcp"], &LOCAL[..]].concat()).stdin(Stdio::piped()).spawn().unwrap();
    let call = format!(
        "{{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"tools/call\", \"params\": {{\"name\": \"read_article\", \
         \"arguments\": {{\"url\": \"{}\"}}}}}}",
        site.address("/story")
    );
    let hello = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"initialize\", \"params\": {\"protocolVersion\": \
                 \"2025-06-18\", \"capabilities\": {}, \"clientInfo\": {\"name\": \"test\", \"version\": \"1\"}}}";
    let begin = "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}";
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for message in [hello, begin, &call] {
        writeln!(stdin, "{message}").unwrap();
    }
    let mut line = String::new();
    while !line.contains("\"id\":2") {
        line.clear();
        assert!(stdout.read_line(&mut line).unwrap() > 0, "no answer");
    }
    // The text is there twice: for people, and as data.
    let read = marks(&line);
    assert_eq!(read[..read.len() / 2], all_of(3), "{line}");
    drop(stdin);
    finish(child).exits(DONE);
}
