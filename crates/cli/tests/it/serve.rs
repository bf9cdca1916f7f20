//! `tsugi serve` and `tsugi mcp`, as programs.

use crate::support::{
    DONE, FAILED, LOCAL, LoopbackServer, TestFolder, WRONG_USE, canned, command, data, finish, html,
    json_lines, lab_is_built, tsugi,
};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::Duration;

const TOKEN: &str = "0123456789abcdef";

/// A running server; it ends with the test.
struct Running {
    child: Child,
    address: String,
}

impl Running {
    fn start(folder: &TestFolder) -> Running {
        let token = folder.file("token", TOKEN);
        let path = folder.path("data");
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--data", &path, "--token-file", &token];
        let mut child = command(&[&arguments, &LOCAL[..]].concat()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.trim().strip_prefix("http://").and_then(|rest| rest.split_once("/#token=")).unwrap();
        assert_eq!(address.1, TOKEN);
        Running { address: address.0.to_owned(), child }
    }

    fn post(&self, target: &str, body: &[u8]) -> Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        let head = format!(
            "POST {target} HTTP/1.1\r\nHost: localhost\r\nX-Tsugi-Token: {TOKEN}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
        serde_json::from_str(body).unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn annotated_pages_train_and_evaluate_as_they_are() {
    let folder = TestFolder::new();
    let server = Running::start(&folder);
    let made = server.post("/api/sets/own", &std::fs::read(data("pages.warc.gz")).unwrap());
    for page in made["pages"].as_array().unwrap() {
        let url = &page["url"];
        let shown =
            server.post("/api/sets/own/page", json!({"person": "ann", "url": url}).to_string().as_bytes());
        let paths = shown["paths"].as_array().unwrap();
        let path = |node: &Value| paths.iter().find(|entry| entry[0] == *node).map(|entry| entry[1].clone());
        let list = |nodes: &Value| nodes.as_array().unwrap().iter().filter_map(path).collect::<Vec<_>>();
        let annotation = json!({
            "next": path(&shown["next"]["node"]), "content": list(&shown["content"]["nodes"]),
            "without": list(&shown["content"]["without"]), "draft": true,
        });
        let given = json!({"person": "ann", "url": url, "annotation": annotation});
        server.post("/api/sets/own/labels", given.to_string().as_bytes());
    }
    // A killed server has lost nothing.
    drop(server);
    let set = folder.path("data/sets/own/by/ann");
    assert_eq!(json_lines(&std::fs::read_to_string(format!("{set}/labels.jsonl")).unwrap()).len(), 11);
    if !lab_is_built() {
        return;
    }
    for task in ["next-link", "content"] {
        let (model, card) = (folder.path(task), folder.path("card.md"));
        tsugi(&["lab", "train", task, "--data", &set, "-o", &model, "--card", &card])
            .exits(DONE)
            .says(&["11 pages of 4 sites"]);
    }
    let report = folder.path("report");
    tsugi(&["lab", "evaluate", "--data", &set, "-o", &report]).exits(DONE);
    assert!(std::fs::read_to_string(format!("{report}/report.md")).unwrap().contains("11"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_server_in_order() {
    let folder = TestFolder::new();
    let mut server = Running::start(&folder);
    let id = server.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(server.child.wait().unwrap().code(), Some(DONE));
}

#[test]
fn what_cannot_be_served_is_told() {
    let folder = TestFolder::new();
    let short = folder.file("short", "secret");
    tsugi(&["serve", "--token-file", &short]).exits(FAILED).says(&["holds no token", "16 or more"]);
    tsugi(&["serve", "--listen", "here"]).exits(WRONG_USE);
    tsugi(&["serve", "--header", "Cookie: a=b"]).exits(WRONG_USE).says(&["--header"]);
    let file = folder.file("file", "");
    tsugi(&["serve", "--listen", "127.0.0.1:0", "--data", &file])
        .exits(FAILED)
        .says(&["cannot use the folder"]);
}

#[test]
fn a_program_reads_articles_over_stdio() {
    let answers = ["1.html", "2.html", "3.html", "4.html"].map(|name| {
        let path = format!("/english-article/{name}");
        (path, html(std::fs::read(data(&format!("english-article/{name}"))).unwrap()))
    });
    let site = LoopbackServer::start(canned(answers));
    let mut child =
        command(&[&["mcp"], &LOCAL[..]].concat()).stdin(std::process::Stdio::piped()).spawn().unwrap();
    let client = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    let call = json!({"name": "read_article", "arguments": {"url": site.address("/english-article/1.html"), "max_chars": 500}});
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut ask = |message: Value, answers: bool| -> Value {
        writeln!(stdin, "{message}").unwrap();
        let mut line = String::new();
        if answers {
            stdout.read_line(&mut line).unwrap();
        }
        serde_json::from_str(&line).unwrap_or_default()
    };
    let hello = ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}), true);
    assert_eq!(hello["result"]["serverInfo"]["name"], "tsugi");
    ask(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}), false);
    let read = ask(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}), true);
    let text = read["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("4 pages, complete") && text.contains("start = 500"), "{text}");
    drop(stdin);
    finish(child).exits(DONE);
}
