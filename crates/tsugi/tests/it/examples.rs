//! The examples run, and print what they promise.

use std::path::PathBuf;
use std::process::Command;

/// Runs an example on the project's own pages, and returns what it prints. `cargo test` builds the examples beside the
/// tests; `--test it` alone does not.
fn printed(example: &str) -> String {
    let test = std::env::current_exe().unwrap();
    let built: PathBuf = test.parent().and_then(|deps| deps.parent()).unwrap().join("examples");
    let output = Command::new(built.join(example)).output();
    let output = output.expect("the examples are built: `cargo build -p tsugi --examples`");
    assert!(output.status.success(), "{example}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn extract_prints_one_page() {
    let out = printed("extract");
    assert!(out.starts_with("---\ntitle: \"Plum and barley bread\"\n"), "{out}");
    assert!(out.contains("\n---\n\n# Plum and barley bread\n"), "{out}");
}

#[test]
fn join_prints_each_page() {
    let out = printed("join");
    assert_eq!(out.lines().count(), 5, "{out}");
    assert!(
        out.lines().next().unwrap().ends_with("english-article/1.html: link by start, score 1.00"),
        "{out}"
    );
    assert!(
        out.lines().last().unwrap().starts_with("The Mill That Keeps the Moon’s Hours: 4 pages; "),
        "{out}"
    );
}

#[test]
fn archive_lists_all_articles() {
    let out = printed("archive");
    let sizes: Vec<&str> = out.lines().map(|line| line.split(", ").next().unwrap()).collect();
    assert_eq!(
        sizes,
        [
            "https://magazine.example/features/tide-mill/1.html: 4 pages",
            "https://yomimono.example/tokushu/saka/1.html: 3 pages",
            "https://notes.example/blog/index.html: 3 pages",
            "https://kitchen.example/recipes/plum-barley-bread.html: 1 pages",
        ]
    );
}

#[test]
fn rules_decide() {
    let out = printed("rules");
    assert_eq!(out.matches("content by rule The Estuary Review").count(), 4, "{out}");
    assert_eq!(out.matches("link by rule").count(), 3, "{out}");
}
