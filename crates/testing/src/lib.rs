//! What tests share: running the programs, the data sets, archives, siteinfo and a server on the loopback interface.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]
#![expect(missing_docs, missing_debug_implementations, reason = "only our tests use it")]
#![expect(clippy::missing_panics_doc, reason = "all of it panics where a test fails")]
#![expect(clippy::return_self_not_must_use, reason = "checks return what they check, also to nobody")]
#![expect(clippy::new_without_default, reason = "a new folder is no default")]

mod hostile;
mod server;
mod warc;

pub use hostile::{OBEYED, hostile_page, shows_nothing_obeyed};
pub use server::{
    CannedAnswer, LoopbackRequest, LoopbackServer, answer, canned, html, missing, redirect, typed,
};
pub use warc::Warc;

use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tsugi_page::Page;

pub const DONE: i32 = 0;
pub const NOTHING_FOUND: i32 = 1;
pub const WRONG_USE: i32 = 2;
pub const FAILED: i32 = 3;
pub const PARTLY_FAILED: i32 = 4;

/// How long a run or a server may take. Nothing but a hang comes near it.
pub const DEADLINE: Duration = Duration::from_mins(1);

#[derive(Clone, Debug)]
pub struct ProgramRun {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl ProgramRun {
    #[track_caller]
    pub fn exits(self, code: i32) -> ProgramRun {
        assert_eq!(self.code, code, "stderr: {}", self.stderr);
        self
    }

    #[track_caller]
    pub fn says(self, words: &[&str]) -> ProgramRun {
        for word in words {
            assert!(self.stderr.contains(word), "`{word}` is missing in stderr: {}", self.stderr);
        }
        self
    }

    #[track_caller]
    pub fn writes_nothing(self) -> ProgramRun {
        assert_eq!(self.stdout, "", "stderr: {}", self.stderr);
        self
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap()
    }

    #[track_caller]
    pub fn json_lines(&self) -> Vec<Value> {
        json_lines(&self.stdout)
    }
}

/// Reads JSON, one value a line; a blank line is none.
#[track_caller]
pub fn json_lines(text: &str) -> Vec<Value> {
    let read = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: `{line}`"));
    text.lines().map(read).collect()
}

/// Sets up a program: no terminal, no proxy.
pub fn command<A: AsRef<OsStr>>(program: &str, arguments: &[A]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for name in
        ["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "COLUMNS"]
    {
        command.env_remove(name);
    }
    // What the user of this machine has set must not change what is tested.
    command.env("TSUGI_CONFIG", "");
    command
}

/// What lets the command ask our own servers, at once, and only once.
pub const LOCAL: [&str; 5] = ["--allow-private=127.0.0.1", "--delay", "0", "--retries", "0"];

/// Runs a program; where an argument is an address of our own servers, with [`LOCAL`].
#[track_caller]
pub fn run<A: AsRef<OsStr>>(program: &str, arguments: &[A]) -> ProgramRun {
    let local =
        arguments.iter().any(|argument| argument.as_ref().to_string_lossy().starts_with("http://127."));
    let options: &[&str] = if local { &LOCAL } else { &[] };
    finish(command(program, arguments).args(options).spawn().unwrap())
}

/// The arguments of a join that asks servers on the loopback interface.
pub fn live_join<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["join"], &LOCAL[..], arguments].concat()
}

/// Waits for a run and takes what it says; one that takes too long is ended.
#[track_caller]
pub fn finish(mut child: Child) -> ProgramRun {
    let stdout = child.stdout.take().map(read_aside);
    let stderr = child.stderr.take().map(read_aside);
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begin.elapsed() > DEADLINE {
            let _ = child.kill();
            let _ = child.wait();
            panic!("the command did not end within {DEADLINE:?}");
        }
        thread::sleep(Duration::from_millis(5));
    };
    let text = |reader: Option<JoinHandle<Vec<u8>>>| {
        reader.map_or_else(String::new, |reader| String::from_utf8(reader.join().unwrap()).unwrap())
    };
    let (stdout, stderr) = (text(stdout), text(stderr));
    let code = status.code().unwrap_or_else(|| panic!("ended by a signal: {status}; stderr: {stderr}"));
    ProgramRun { code, stdout, stderr }
}

fn read_aside(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).unwrap();
        bytes
    })
}

pub fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets").join(name);
    path.canonicalize().unwrap().into_os_string().into_string().unwrap()
}

/// The labels of the data sets, in the order of the archive.
pub fn labels() -> Vec<Value> {
    json_lines(&std::fs::read_to_string(data("labels.jsonl")).unwrap())
}

/// The labelled text of the pages whose address holds `part`.
pub fn labelled_texts(part: &str) -> Vec<String> {
    let labels = labels().into_iter().filter(|label| label["url"].as_str().unwrap().contains(part));
    let texts: Vec<String> = labels.map(|label| label["text"].as_str().unwrap().to_owned()).collect();
    assert!(!texts.is_empty(), "no label is about `{part}`");
    texts
}

/// The lines of a text that are paragraphs beyond doubt: of 150 bytes or more. Headlines, bylines and links are
/// shorter.
pub fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| line.len() >= 150)
}

/// A folder that goes with the test.
pub struct TestFolder(TempDir);

impl TestFolder {
    pub fn new() -> TestFolder {
        TestFolder(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).into_os_string().into_string().unwrap()
    }

    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = PathBuf::from(self.path(name));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path.into_os_string().into_string().unwrap()
    }

    #[track_caller]
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// Checks the fields that a line about a page must have.
#[track_caller]
pub fn checked(line: &Value) -> &Value {
    let mut names: BTreeSet<&str> = line.as_object().unwrap().keys().map(String::as_str).collect();
    assert!(!names.remove("unfollowable") || (line["next"].is_null() && line["unfollowable"].is_string()));
    assert!(!names.remove("comments") || line["comments"].is_string());
    assert_eq!(names, ["url", "next", "content", "title", "lang", "error"].into());
    assert!(line["url"].is_string());
    for name in ["title", "lang", "error"] {
        assert!(line[name].is_string() || line[name].is_null(), "{name}: {line}");
    }
    if let Some(next) = line["next"].as_object() {
        assert_eq!(next.len(), 4, "{line}");
        assert!(["page", "chapter"].contains(&next["relation"].as_str().unwrap()), "{line}");
        assert!(["model", "rule", "rel"].contains(&next["by"].as_str().unwrap()), "{line}");
        assert!((0.0..=1.0).contains(&next["score"].as_f64().unwrap()), "{line}");
        assert!(next["url"].is_string());
    }
    if let Some(content) = line["content"].as_object() {
        assert_eq!(content.len(), 4 + usize::from(content.contains_key("without")), "{line}");
        assert!(
            ["model", "rule", "rel", "site", "embedded"].contains(&content["by"].as_str().unwrap()),
            "{line}"
        );
        assert!((0.0..=1.0).contains(&content["score"].as_f64().unwrap()), "{line}");
        for name in ["nodes", "without"] {
            let paths = content.get(name).map_or(&[][..], |paths| paths.as_array().unwrap());
            assert!(paths.iter().all(Value::is_string), "{line}");
        }
        assert!(content["text"].is_string());
    }
    if line["error"].is_string() {
        assert!(line["next"].is_null() && line["content"].is_null(), "{line}");
    } else {
        assert!(line["content"].is_object(), "{line}");
    }
    line
}

/// Checks that the nodes of a line about a page are what its text says.
#[track_caller]
pub fn names_what_it_shows(page: &Page, line: &Value) {
    let node = |path: &Value| page.at_location_path(path.as_str().unwrap()).unwrap();
    let nodes: Vec<_> = line["content"]["nodes"].as_array().unwrap().iter().map(node).collect();
    assert_eq!(page.outermost(nodes.clone()), nodes, "in document order, outermost only: {line}");
    let without: Vec<_> = line["content"]["without"].as_array().into_iter().flatten().map(node).collect();
    assert!(without.iter().all(|out| nodes.iter().any(|node| page.contains(*node, *out))), "{line}");
    assert_eq!(page.text_of_content(&nodes, &without), line["content"]["text"].as_str().unwrap(), "{line}");
}

/// A siteinfo item: the content is `main`, the next link `a` of the class `next`.
pub fn item(name: &str, url: &str) -> Value {
    json!({"name": name, "data": {"url": url, "nextLink": "//a[@class='next']", "pageElement": "//main"}})
}

/// Siteinfo for the data sets: it takes what their labels take for content, but for the head of the article.
pub fn own_rules() -> Vec<u8> {
    let hosts = ["magazine", "notes", "yomimono", "kitchen"].map(|host| {
        json!({"name": host, "data": {
            "url": format!("^https?://{host}\\.example/"),
            "nextLink": "//a[.='2' or contains(., '次') or contains(., 'next') or contains(., 'Next')]",
            "pageElement": "//*[@class='story-body' or @id='article' or @class='entry' or @class='recipe']",
        }})
    });
    serde_json::to_vec(&hosts).unwrap()
}

/// Siteinfo with one item, for the loopback server.
pub fn loopback_rules(folder: &TestFolder) -> String {
    folder.file("loopback.json", json!([item("loopback", "^http://127\\.0\\.0\\.1:\\d+/")]).to_string())
}

/// A page for [`item`], with some text and perhaps a next link.
pub fn page(text: &str, next: Option<&str>) -> String {
    let link = next.map_or_else(String::new, |next| format!("<a class=next href='{next}'>Next page</a>"));
    format!("<!DOCTYPE html><meta charset=utf-8><title>Page</title><main><p>{text}</p></main>{link}")
}

/// Asserts that a run gave this text, and why it stopped, and where.
#[track_caller]
pub fn gave(run: ProgramRun, text: &str, reason: &str, at: &str, detail: &str) {
    let document = run.json();
    run.exits(if document["complete"] == true { DONE } else { PARTLY_FAILED });
    let stopped = &document["stopped"];
    assert_eq!(
        (document["text"].as_str(), stopped["reason"].as_str()),
        (Some(text), Some(reason)),
        "{stopped}"
    );
    assert!(stopped["at"].as_str().unwrap().ends_with(at), "{stopped}");
    assert!(stopped["detail"].as_str().unwrap().contains(detail), "`{detail}`: {stopped}");
}
