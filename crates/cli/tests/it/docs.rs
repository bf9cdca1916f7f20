//! Runs every command that the README and the book show, and compares what it writes with what they say it writes.
//!
//! How to write an example:
//!
//! - A `console` block holds commands, each after `$ ` and continued on lines that begin with `> `. Below each command is
//!   its output: stdout and stderr, in the order they are written.
//! - In the output, a line `…` stands for any number of lines, and `[..]` within a line for any characters.
//! - The shell is `sh`. A command that fails must be followed by `$ echo $?` in the same block.
//! - The blocks of a page run in order, in one folder that holds a copy of `datasets/`. Output shows that folder as
//!   `/home/you/tsugi`. `http://127.0.0.1:8000/` serves `datasets/`, and its rules as `items.json`. `cargo run --release --` runs `tsugi`.
//! - Commands that cannot run here go into a `sh` block below a comment `<!-- not run: REASON -->`. Their lines that
//!   begin with `tsugi` run with `--help` at the end, which checks the command, its options and their values.
//! - Blocks with `tsugi lab`, and those below that may use what it wrote, run if `tsugi-lab` is built.
//! - A `rust` block stands in `how-to/library.md`, whose programs the crate `tsugi` compiles, or in the README, whose program it compares.
//!
//! `UPDATE_DOCS=1 cargo test -p tsugi-cli docs` writes the output of today into the pages.

use crate::support::{LoopbackServer, TestFolder, canned, lab_is_built, typed};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

/// The folder of the examples, as pages show it.
const HOME: &str = "/home/you/tsugi";
/// The server of `datasets/`, as pages show it.
const HOST: &str = "127.0.0.1:8000";
/// Separates the outputs of a block's commands.
const MARK: char = '\u{1e}';

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn updating() -> bool {
    std::env::var_os("UPDATE_DOCS").is_some()
}

fn files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = Path::new(folder).join(entry.file_name());
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => found.extend(files(path.to_str().unwrap())),
            kind if kind.is_file() => found.push(path),
            _ => {} // the link to `models/`, whose reports are written by commands
        }
    }
    found.sort();
    found
}

fn pages() -> Vec<PathBuf> {
    let book = files("docs/src").into_iter().filter(|path| path.extension().is_some_and(|end| end == "md"));
    [PathBuf::from("README.md")].into_iter().chain(book).collect()
}

/// Where the examples of one page run.
struct Shell {
    folder: TestFolder,
    server: LoopbackServer,
}

impl Shell {
    fn new() -> Shell {
        let folder = TestFolder::new();
        let mut answers = Vec::new();
        for path in files("datasets") {
            let bytes = fs::read(root().join(&path)).unwrap();
            let name = path.to_str().unwrap().to_owned();
            folder.file(&name, &bytes);
            let is_page = path.extension().is_some_and(|end| end == "html");
            if let Some(name) = name.strip_prefix("datasets").filter(|_| is_page) {
                answers.push((name.to_owned(), typed("text/html", bytes)));
            }
        }
        let tsugi = env!("CARGO_BIN_EXE_tsugi");
        for (name, script) in [
            ("run/tsugi", format!("exec '{tsugi}' \"$@\"")),
            (
                "run/cargo",
                format!("[ \"$1 $2 $3\" = 'run --release --' ] && shift 3 && exec '{tsugi}' \"$@\""),
            ),
            ("parse/tsugi", format!("exec '{tsugi}' \"$@\" --help > /dev/null")),
        ] {
            let path = folder.file(&format!(".bin/{name}"), format!("#!/bin/sh\n{script}\n"));
            assert!(Command::new("chmod").args(["+x", &path]).status().unwrap().success());
        }
        let pages = canned(answers);
        let server = LoopbackServer::start(move |request| match request.path.as_str() {
            "/items.json" => typed("application/json", items(request.port)),
            _ => pages(request),
        });
        Shell { folder, server }
    }

    /// Runs a script; returns its output, with folder and server as pages show them.
    fn run(&self, bin: &str, script: &str) -> String {
        let home = Path::new(&self.folder.path("")).canonicalize().unwrap().to_str().unwrap().to_owned();
        let host = format!("127.0.0.1:{}", self.server.port());
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{}", script.replace(HOST, &host).replace(HOME, &home))])
            .current_dir(&home)
            .env_clear()
            .env("PATH", format!("{home}/.bin/{bin}:/usr/local/bin:/usr/bin:/bin"))
            .env("HOME", format!("{home}/.home"))
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).replace(&host, HOST).replace(&home, HOME)
    }
}

/// The items of `datasets/siteinfo.json` for the server: two of them for the site `127.0.0.1`, two for `localhost`.
fn items(port: u16) -> String {
    let mut items: serde_json::Value =
        serde_json::from_slice(&fs::read(root().join("datasets/siteinfo.json")).unwrap()).unwrap();
    let places = [
        ("127.0.0.1", "english-article", "1.html"),
        ("localhost", "japanese-article", "1.html"),
        ("127.0.0.1", "listing", "index.html"),
        ("localhost", "single", "plum-barley-bread.html"),
    ];
    for (item, (host, folder, first)) in items.as_array_mut().unwrap().iter_mut().zip(places) {
        item["data"]["url"] = format!("^http://{}:{port}/{folder}/", host.replace('.', "\\.")).into();
        item["data"]["exampleUrl"] = format!("http://{host}:{port}/{folder}/{first}").into();
    }
    items.to_string()
}

fn line_fits(expected: &str, line: &str) -> bool {
    let Some((first, rest)) = expected.split_once("[..]") else { return expected == line };
    let Some(line) = line.strip_prefix(first) else { return false };
    (0..=line.len()).filter(|at| line.is_char_boundary(*at)).any(|at| line_fits(rest, &line[at..]))
}

fn fits(expected: &[&str], lines: &[&str]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((&"…", rest)) => (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..])),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, lines)| line_fits(first, line) && fits(rest, lines))
        }
    }
}

/// Puts lines together, each with its end.
fn ended<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    lines.into_iter().flat_map(|line| [line, "\n"]).collect()
}

/// A command as a page shows it, and its output.
#[derive(Default)]
struct ShownCommand {
    shown: String,
    command: String,
    output: String,
}

/// The examples of a `console` block.
fn examples(block: &str) -> Vec<ShownCommand> {
    let mut examples: Vec<ShownCommand> = Vec::new();
    for line in block.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            examples.push(ShownCommand {
                shown: format!("{line}\n"),
                command: command.into(),
                ..ShownCommand::default()
            });
            continue;
        }
        let example =
            examples.last_mut().unwrap_or_else(|| panic!("output before the first command: {line}"));
        if let Some(command) = line.strip_prefix("> ").filter(|_| example.output.is_empty()) {
            example.shown.push_str(&ended([line]));
            example.command.push('\n');
            example.command.push_str(command);
        } else {
            example.output.push_str(&ended([line.trim_end()]));
        }
    }
    examples
}

/// Runs a `console` block; returns it as it should be, and what is wrong with it.
fn replay(shell: &Shell, block: &str) -> (String, Vec<String>) {
    let examples = examples(block);
    let after = format!("\nstatus=$?; printf '{MARK}%s{MARK}' $status; (exit $status)\n");
    let script: String = examples.iter().flat_map(|example| [example.command.as_str(), &after]).collect();
    let output = shell.run("run", &script);
    let mut parts = output.split(MARK);
    let (mut new, mut wrong) = (String::new(), Vec::new());
    for (at, example) in examples.iter().enumerate() {
        let trimmed = |text: &str| ended(text.trim_end().lines().map(str::trim_end));
        let found = trimmed(parts.next().unwrap_or_default());
        let status = parts.next().unwrap_or("none: the block ended");
        let expected = trimmed(&example.output);
        let told = examples.get(at + 1).is_some_and(|next| next.command == "echo $?");
        if status != "0" && !told {
            wrong.push(format!("`{}` exits with {status}:\n{found}", example.command));
        }
        let same = fits(&expected.lines().collect::<Vec<_>>(), &found.lines().collect::<Vec<_>>());
        if !same {
            wrong.push(format!("`{}`\n-- expected\n{expected}-- found\n{found}", example.command));
        }
        new.push_str(&example.shown);
        new.push_str(if same { &expected } else { &found });
    }
    (new, wrong)
}

fn parse(shell: &Shell, block: &str, reason: Option<&str>) -> Vec<String> {
    let mut wrong = Vec::new();
    if reason.is_none() {
        wrong.push(format!("a `sh` block needs a comment `<!-- not run: REASON -->` above it:\n{block}"));
    }
    for line in block.replace("\\\n", " ").lines().filter(|line| line.starts_with("tsugi ")) {
        let output = shell.run("parse", line);
        if !output.is_empty() {
            wrong.push(format!("`{line}` cannot be parsed:\n{output}"));
        }
    }
    wrong
}

/// Checks the blocks of a page; returns the page as it should be, and what is wrong with it.
fn check(page: &str, has_programs: bool) -> (String, Vec<String>) {
    let shell = Shell::new();
    let (mut new, mut wrong, mut reason) = (String::new(), Vec::new(), None);
    let mut lab_wrote = false;
    let mut lines = page.split_inclusive('\n');
    while let Some(line) = lines.next() {
        new.push_str(line);
        let language = line.trim_start_matches('`');
        let fence = &line[..line.len() - language.len()];
        if fence.len() < 3 {
            if !line.trim().is_empty() {
                reason =
                    line.trim().strip_prefix("<!-- not run: ").and_then(|rest| rest.strip_suffix(" -->"));
            }
            continue;
        }
        let mut end = None;
        let inside = lines.by_ref().take_while(|line| {
            end = Some(*line).filter(|line| line.trim_end() == fence);
            end.is_none()
        });
        let block: String = inside.collect();
        lab_wrote |= block.contains("tsugi lab") && !block.contains("--help");
        let needs_lab = lab_wrote || block.contains("tsugi lab");
        let (block, problems) = match language.trim() {
            "console" | "sh" if needs_lab && !lab_is_built() => (block, Vec::new()),
            "console" => replay(&shell, &block),
            "sh" => (block.clone(), parse(&shell, &block, reason.take())),
            "rust" if !has_programs => {
                (block, vec!["nothing compiles a `rust` block of this page".to_owned()])
            }
            "toml" => (block, Vec::new()),
            _ if block.lines().any(|line| line.starts_with("$ ") || line.starts_with("tsugi ")) => {
                let problem = format!("a command outside a `console` or `sh` block:\n{block}");
                (block, vec![problem])
            }
            _ => (block, Vec::new()),
        };
        wrong.extend(problems);
        new.push_str(&block);
        new.push_str(end.expect("a fence that closes the block"));
    }
    (new, wrong)
}

#[test]
fn every_command_shown_does_what_the_page_says() {
    let pages = pages();
    let report: Vec<String> = thread::scope(|scope| {
        // Two workers: the commands are busy, and a page is the least that can run by itself.
        let work = |part: usize| {
            let pages = &pages;
            scope.spawn(move || {
                let mut report = Vec::new();
                for path in pages.iter().skip(part).step_by(2) {
                    let page = fs::read_to_string(root().join(path)).unwrap();
                    let has_programs = path.ends_with("README.md") || path.ends_with("how-to/library.md");
                    let (new, wrong) = check(&page, has_programs);
                    report.extend(wrong.into_iter().map(|wrong| format!("{}: {wrong}", path.display())));
                    if updating() && new != page {
                        fs::write(root().join(path), new).unwrap();
                    }
                }
                report
            })
        };
        let workers = [work(0), work(1)];
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(report.is_empty(), "{}\n\nUPDATE_DOCS=1 writes the output of today", report.join("\n\n"));
}

#[test]
fn a_line_of_dots_and_dots_in_brackets_stand_for_anything() {
    let fits = |expected: &str, found: &str| {
        fits(&expected.lines().collect::<Vec<_>>(), &found.lines().collect::<Vec<_>>())
    };
    assert!(fits("a\n…\nd", "a\nb\nc\nd") && fits("…", "") && fits("a[..]c[..]", "abcc"));
    assert!(!fits("a\n…\nd", "a\nb\nc") && !fits("a[..]d", "abc") && !fits("…a", "ba"));
}

#[test]
fn a_block_that_differs_is_reported_and_written_anew() {
    let shell = Shell::new();
    let (new, wrong) = replay(&shell, "$ echo a\nb\n$ echo c\nc\n");
    assert_eq!((new.as_str(), wrong.len()), ("$ echo a\na\n$ echo c\nc\n", 1), "{wrong:?}");
    let (_, wrong) = replay(&shell, "$ tsugi join no-such-file.html 2> /dev/null\n");
    assert!(wrong[0].contains("exits with"), "{wrong:?}");
    let (_, wrong) = check("```sh\ntsugi join --nonsense x\n```\n", false);
    assert_eq!(wrong.len(), 2, "no reason, no such option: {wrong:?}");
    let (_, wrong) = check("<!-- not run: the web -->\n```sh\ntsugi join https://a.example/\n```\n", false);
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn json_is_as_the_schemas_say() {
    let mut compiler = boon::Compiler::new();
    let mut schemas = boon::Schemas::new();
    let mut schema = |name: &str| {
        let path = root().join("docs/src/reference").join(name);
        compiler.compile(path.to_str().unwrap(), &mut schemas).unwrap()
    };
    let (join, scan) = (schema("join.schema.json"), schema("scan.schema.json"));
    let shell = Shell::new();
    let mut checked = 0;
    for (command, schema) in [
        ("join -f json datasets/english-article/1.html", join),
        ("join -f json --from-start datasets/japanese-article/3.html", join),
        (
            "join -f json --rules datasets/siteinfo.json --pages datasets/pages.warc.gz https://notes.example/blog/index.html",
            join,
        ),
        ("join -f json --max-pages 2 datasets/english-article/1.html", join),
        ("join -f jsonl --pages datasets/pages.warc.gz --all", join),
        ("scan datasets/pages.warc.gz", scan),
        ("scan --rules datasets/siteinfo.json datasets/pages.warc.gz no-such-file.html", scan),
    ] {
        let output = shell.run("run", &format!("tsugi {command} 2> /dev/null"));
        for value in serde_json::Deserializer::from_str(&output).into_iter::<serde_json::Value>() {
            let value = value.unwrap();
            if let Err(error) = schemas.validate(&value, schema) {
                panic!("`tsugi {command}`: {error:#}");
            }
            checked += 1;
        }
    }
    assert!(checked > 20, "{checked} values");
    for (schema, name) in [(join, "complete"), (scan, "next")] {
        let nothing = serde_json::json!({});
        let error = schemas.validate(&nothing, schema).unwrap_err();
        assert!(format!("{error:#}").contains(name), "the schema asks for `{name}`");
    }
}
