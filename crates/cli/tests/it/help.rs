//! The help texts, whole.

use crate::support::{DONE, WRONG_USE, tsugi};

fn help(arguments: &[&str]) -> String {
    let run = tsugi(arguments).exits(DONE);
    assert_eq!(run.stderr, "");
    // Windows adds `.exe`.
    run.stdout.replace("tsugi.exe", "tsugi")
}

#[test]
fn the_help_of_each_command() {
    insta::assert_snapshot!("tsugi", help(&["--help"]));
    for command in ["join", "scan", "explain", "label", "train", "evaluate", "blocks", "updated", "siteinfo"]
    {
        insta::assert_snapshot!(command, help(&[command, "--help"]));
    }
    insta::assert_snapshot!("blocks-unique", help(&["blocks", "unique", "--help"]));
    insta::assert_snapshot!("blocks-rules", help(&["blocks", "rules", "--help"]));
    insta::assert_snapshot!("blocks-repeated", help(&["blocks", "repeated", "--help"]));
    insta::assert_snapshot!("blocks-crf", help(&["blocks", "crf", "--help"]));
    insta::assert_snapshot!("siteinfo-check", help(&["siteinfo", "check", "--help"]));
    insta::assert_snapshot!("siteinfo-update", help(&["siteinfo", "update", "--help"]));
    insta::assert_snapshot!("siteinfo-learn", help(&["siteinfo", "learn", "--help"]));
}

#[test]
fn every_command_has_its_help_here() {
    let help = help(&["--help"]);
    let listed = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names: Vec<&str> = listed
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    assert_eq!(
        names,
        ["join", "scan", "explain", "label", "train", "evaluate", "blocks", "updated", "siteinfo", "help"]
    );
}

#[test]
fn wrong_use_shows_the_usage() {
    for arguments in [&[][..], &["join"], &["join", "--nonsense", "x"], &["join", "--all"], &["blocks"]] {
        tsugi(arguments).exits(WRONG_USE).writes_nothing().says(&["Usage: tsugi"]);
    }
    for (option, value) in
        [("--max-pages", "0"), ("--min-score", "1.5"), ("--min-score", "nan"), ("--format", "pdf")]
    {
        let run = tsugi(&["join", "x.html", option, value]).exits(WRONG_USE).writes_nothing();
        assert!(run.stderr.contains(option) && run.stderr.contains(value), "{}", run.stderr);
    }
    tsugi(&["join", "--pages", "x", "--all", "x.html"])
        .exits(WRONG_USE)
        .says(&["--all", "cannot be used with"]);
    tsugi(&["evaluate", "--data", "x", "--folds", "1"]).exits(WRONG_USE).says(&["--folds"]);
    tsugi(&["train", "headlines", "--data", "x", "-o", "y"]).exits(WRONG_USE).says(&["next-link, content"]);
}
