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

/// How often the server is killed: `TSUGI_KILLS`, or a few times.
#[expect(clippy::disallowed_methods, reason = "a longer run is asked for by hand")]
fn kills() -> u64 {
    std::env::var("TSUGI_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(6)
}

/// The folders below another, without those of marks.
fn folders(path: &str) -> Vec<String> {
    let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<String> = entries
        .filter(|entry| entry.path().is_dir() && entry.file_name() != "marks")
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A server is killed at many moments while it makes a set and reads an article again and again. After each start nothing is
/// half there: a set has all its pages or its name is free, and all formats of the article are of one version.
#[test]
fn a_server_killed_at_any_moment_loses_nothing_and_takes_no_name() {
    let folder = TestFolder::new();
    let archive = std::fs::read(data("pages.warc.gz")).unwrap();
    let mut acknowledged = Vec::new();
    for round in 0..kills() {
        let mut server = Running::start(&folder);
        let address = server.address.clone();
        let set = format!("set-{round}");
        let (making, reading) = (archive.clone(), address.clone());
        let target = format!("/api/sets/{set}");
        let maker = std::thread::spawn(move || try_post(&address, &target, &making));
        let reader = std::thread::spawn(move || {
            for version in 0.. {
                let text = format!("The mill of round {round} and version {version} stands by the river. ")
                    .repeat(20);
                let html = format!("<title>Mill</title><main><h1>Mill</h1><p>{text}</p></main>");
                let given =
                    json!({"url": "https://mill.invalid/1", "html": html, "max_pages": 1}).to_string();
                if try_post(&reading, "/api/read", given.as_bytes()).is_none() {
                    return;
                }
            }
        });
        // Moments are spread over what making a set takes.
        std::thread::sleep(Duration::from_millis(20 + 137 * round % 900));
        server.child.kill().unwrap();
        server.child.wait().unwrap();
        if maker.join().unwrap().is_some_and(|answer| answer.starts_with("HTTP/1.1 200")) {
            acknowledged.push(set.clone());
        }
        reader.join().unwrap();

        let again = Running::start(&folder);
        let made = folders(&folder.path("data/sets"));
        for set in &acknowledged {
            assert!(made.contains(set), "{set} was said to be made");
        }
        assert!(made.iter().all(|name| name.starts_with("set-")), "something unfinished is left: {made:?}");
        for name in &made {
            let queue = std::fs::read(folder.path(&format!("data/sets/{name}/queue.json"))).unwrap();
            assert_eq!(serde_json::from_slice::<Vec<Value>>(&queue).unwrap().len(), 11, "{name}");
        }
        if !made.contains(&set) {
            again.post(&format!("/api/sets/{set}"), &archive);
            acknowledged.push(set);
        }
        let kept = folders(&folder.path("data/history"));
        assert!(kept.len() <= 1 && kept.iter().all(|name| !name.starts_with('.')), "{kept:?}");
        for name in kept {
            let file = |file: &str| {
                std::fs::read_to_string(folder.path(&format!("data/history/{name}/{file}"))).unwrap()
            };
            let text = file("document.txt");
            let (_, version) = text.split_once("The mill of ").unwrap();
            let version = version.split(" stands").next().unwrap();
            for format in ["document.md", "document.html", "document.json", "reading.json"] {
                assert!(file(format).contains(&format!("The mill of {version} stands")), "{name}/{format}");
            }
        }
    }
}

/// Posts to a server that may be killed meanwhile; `None` if it has gone before it answered.
fn try_post(address: &str, target: &str, body: &[u8]) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_mins(1))).ok()?;
    let head = format!(
        "POST {target} HTTP/1.1\r\nHost: localhost\r\nX-Tsugi-Token: {TOKEN}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(body).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    (!answer.is_empty()).then_some(answer)
}

#[test]
fn the_token_stays_beside_the_data() {
    let folder = TestFolder::new();
    let path = folder.path("data");
    let start = || {
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--data", &path];
        let mut child = command(&[&arguments, &LOCAL[..]].concat()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        line.split_once("#token=").unwrap().1.to_owned()
    };
    let first = start();
    assert_eq!(first.trim().len(), 48);
    assert_eq!(first, start());
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
    let call = json!({"name": "read_article", "arguments": {"url": site.address("/english-article/1.html"), "max_characters": 500}});
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut ask = |message: &str, answers: bool| -> Value {
        writeln!(stdin, "{message}").unwrap();
        let mut line = String::new();
        // Progress may come before the answer.
        while answers && !line.contains("\"id\"") {
            line.clear();
            assert!(stdout.read_line(&mut line).unwrap() > 0, "no answer");
        }
        serde_json::from_str(&line).unwrap_or_default()
    };
    let hello =
        ask(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}).to_string(), true);
    assert_eq!(hello["result"]["serverInfo"]["name"], "tsugi");
    ask(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(), false);
    let read =
        ask(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call}).to_string(), true);
    let text = read["result"]["content"][0]["text"].as_str().unwrap();
    assert!(
        text.contains("pages: 4 pages, whole\n") && text.contains("call read_article with start = "),
        "{text}"
    );
    let structured = &read["result"]["structuredContent"];
    let count = structured["text"].as_str().unwrap().chars().count();
    assert!(count <= 500 && structured["next_start"] == json!(count), "{structured}");
    for garbage in ["no JSON", "{\"jsonrpc\": ", "[1e400]"] {
        let answer = ask(garbage, true);
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32700), &Value::Null), "{garbage}");
    }
    drop(stdin);
    finish(child).exits(DONE);
}
