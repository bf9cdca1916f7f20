//! What is written: to files, and to terminals.

use crate::support::{
    DONE, FAILED, LoopbackServer, OBEYED, PARTLY_FAILED, TestFolder, Warc, answer, bare, canned,
    hostile_page, html, item, join_live, page, shows_nothing_obeyed, tsugi, typed,
};
use serde_json::json;
use std::path::Path;

#[test]
fn messages_and_reports_hold_nothing_that_terminals_obey() {
    let folder = TestFolder::new();
    let file = folder.file(&format!("page{}.html", OBEYED.replace('/', "")), hostile_page());
    let head = format!("200 O{OBEYED}K\r\nContent-Type: text/x-{OBEYED}");
    let bytes = Warc::default()
        .page("https://a.test/1", hostile_page())
        .record(&format!("https://a.test/2{OBEYED}"), &head, "x")
        .record("https://a.test/3", &format!("200 OK\r\nContent-Encoding: {OBEYED}"), "x")
        .bytes;
    let archive = folder.file("a.warc", bytes);
    let rules = folder
        .file("rules.json", json!([item(&format!("n{OBEYED}"), "a("), item(OBEYED, "^https")]).to_string());
    tsugi(&["extract", &file]).exits(DONE);
    let missing = folder.path(&format!("no{OBEYED}"));
    let option = format!("--{OBEYED}");
    for arguments in [
        &["explain", &file][..],
        &["explain", "--pages", &archive, "https://a.test/1"],
        &["scan", &file, &archive],
        &["scan", &missing],
        &["scan", "-v", &archive],
        &["extract", "-v", &missing],
        &["join", "-v", "-f", "json", &file],
        &["join", "-v", "--pages", &archive, "https://a.test/1"],
        &["join", "--pages", &archive, "--all", "-f", "jsonl"],
        &["join", "--pages", &archive, &missing],
        &["join", &file, "-o", &missing, &option],
        &["join", &option],
        &["siteinfo", "check", &rules],
        &["siteinfo", "check", "-f", "md", &rules],
        &["siteinfo", "check", "-f", "jsonl", &rules],
        &["siteinfo", "learn", "--pages", &archive],
    ] {
        let run = bare(arguments);
        let what = arguments.join(" ").replace(|c: char| c.is_control(), "?");
        shows_nothing_obeyed(&what, &run.stderr);
        // A document that does not go to a terminal may change the direction of text, as it must for some languages.
        let stdout = if arguments[0] == "join" && !arguments.contains(&"-f") {
            run.stdout.replace(['\u{202e}', '\u{2066}', '\u{200f}'], "")
        } else {
            run.stdout
        };
        shows_nothing_obeyed(&what, &stdout);
    }
}

#[test]
fn servers_do_not_reach_the_terminal() {
    let media: &'static str =
        Box::leak(format!("text/html{}", OBEYED.replace('\u{85}', "")).into_boxed_str());
    let server = LoopbackServer::start(canned([
        ("/1", typed(media, hostile_page())),
        ("/2", answer("500 \u{1b}[31m", "x")),
    ]));
    for path in ["/1", "/2", "/none"] {
        let run = join_live(&["-v", &server.address(path), "-f", "json"]);
        shows_nothing_obeyed(path, &run.stderr);
        shows_nothing_obeyed(path, &run.stdout);
    }
}

/// On a terminal, a document is without changes of direction, too.
#[cfg(target_os = "linux")]
#[test]
fn a_document_on_a_terminal_holds_nothing_that_it_obeys() {
    let folder = TestFolder::new();
    let file = folder.file("page.html", hostile_page());
    // `script` runs a command on a terminal of its own.
    for format in ["md", "txt", "html"] {
        let line = format!("{} extract -q -f {format} '{file}'", env!("CARGO_BIN_EXE_tsugi"));
        let run = std::process::Command::new("script").args(["-qec", &line, "/dev/null"]).output().unwrap();
        let text = String::from_utf8(run.stdout).unwrap().replace('\r', "");
        assert!(text.contains("The river ran high"), "{text}");
        shows_nothing_obeyed(format, &text);
    }
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let folder = TestFolder::new();
    let page = folder.file("1.html", page(&"One. ".repeat(40), None));
    let below = folder.path("1.html/out.md");
    tsugi(&["extract", &page, "-o", &below]).exits(FAILED).says(&[&format!("cannot write `{below}`")]);
    tsugi(&["join", &page, "-o", "/dev/full"])
        .exits(FAILED)
        .says(&["cannot write `/dev/full`: No space left"]);
    assert_eq!(folder.names(), ["1.html"], "something is left over");
}

#[test]
fn the_folders_of_an_output_are_made() {
    let folder = TestFolder::new();
    let page = folder.file("1.html", page(&"One. ".repeat(40), None));
    for command in ["join", "extract", "scan"] {
        let inside = folder.path(&format!("{command}/below/out.md"));
        tsugi(&[command, &page, "-o", &inside]).exits(DONE).writes_nothing();
        assert!(folder.read(&format!("{command}/below/out.md")).contains("One. One."));
    }
}

#[cfg(unix)]
#[test]
fn links_and_permissions_of_an_output_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = TestFolder::new();
    let page = folder.file("1.html", page(&"One. ".repeat(40), None));
    let (real, link) = (folder.file("real.md", "old"), folder.path("link.md"));
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o604)).unwrap();
    symlink("real.md", &link).unwrap();
    tsugi(&["join", &page, "-o", &link]).exits(DONE);
    assert!(Path::new(&link).is_symlink() && folder.read("real.md").contains("One."));
    let mode = |name: &str| std::fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("real.md"), 0o604);
    // A new file has the permissions that the umask leaves.
    let line = format!(
        "umask 027 && '{}' join -q '{page}' -o '{}'",
        env!("CARGO_BIN_EXE_tsugi"),
        folder.path("new.md")
    );
    assert!(std::process::Command::new("sh").args(["-c", &line]).status().unwrap().success());
    assert_eq!(mode("new.md"), 0o640);
}

#[test]
fn what_a_killed_run_left_is_removed() {
    let folder = TestFolder::new();
    let page = folder.file("1.html", page(&"One. ".repeat(40), None));
    folder.file(".out.md.999999999-0.part", "half");
    tsugi(&["join", &page, "-o", &folder.path("out.md")]).exits(DONE);
    assert_eq!(folder.names(), ["1.html", "out.md"]);
    folder.file("out/.x_0123456789ab.md.999999999-7.part", "half");
    let input = folder.file("urls.txt", "nonsense");
    tsugi(&["join", "--input", &input, "-o", &folder.path("out")]).exits(FAILED);
    let mut names: Vec<_> =
        std::fs::read_dir(folder.path("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, [".lock", "failed.jsonl", "index.jsonl"]);
}

#[test]
fn a_document_that_a_failure_cut_short_is_no_success() {
    let server = LoopbackServer::start(canned([
        ("/1", html(page("One.", Some("/2")))),
        ("/2", answer("500 Oops", "x")),
        ("/b/2", html(page("Two.", None).replace("<main>", "<main><a rel=prev href=1>Previous page</a>"))),
    ]));
    let folder = TestFolder::new();
    let rules = crate::support::loopback_rules(&folder);
    join_live(&["--rules", &rules, &server.address("/1")])
        .exits(PARTLY_FAILED)
        .says(&["incomplete; stopped: fetch-failed"]);
    // The same in an archive: the second page is there, and cannot be read.
    let broken = "200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip";
    let archive = Warc::default().page("https://a.test/1", page("One.", Some("/2")));
    let archive = folder
        .file("a.warc", archive.record("https://a.test/2", broken, b"\x1f\x8b\x08\0\0\0\0\0\0\x03cut").bytes);
    let rules = folder.file("rules.json", json!([item("a", "^https://a\\.test/")]).to_string());
    tsugi(&["join", "--rules", &rules, "--pages", &archive, "--all", "-f", "jsonl"]).exits(PARTLY_FAILED);
    // A page that an archive does not have is no failure of reading it.
    let archive =
        folder.file("b.warc", Warc::default().page("https://a.test/1", page("One.", Some("/2"))).bytes);
    tsugi(&["join", "--rules", &rules, "--pages", &archive, "--all", "-f", "jsonl"]).exits(DONE);
}
