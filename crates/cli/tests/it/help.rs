//! Help, versions, completions, manual pages, and wrong use.

use crate::support::{DONE, Folder, Run, WRONG_USE, command, data, finish, tsugi};
use data_encoding::HEXLOWER;
use sha1::{Digest, Sha1};

/// Runs the command as on a terminal of 80 columns.
fn on_80_columns(arguments: &[&str]) -> Run {
    finish(command(arguments).env("COLUMNS", "80").spawn().unwrap())
}

/// The commands that the help of a command lists.
fn listed(path: &[&str]) -> Vec<String> {
    let help = on_80_columns(&[path, &["-h"]].concat()).exits(DONE).stdout;
    let Some(list) = help.split("Commands:\n").nth(1) else { return Vec::new() };
    let names = list.split("\n\n").next().unwrap().lines().filter(|line| !line.starts_with("   "));
    names
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .filter(|name| name != "help")
        .collect()
}

#[test]
fn the_short_help_of_every_command_fits_a_screen() {
    let mut paths: Vec<Vec<String>> = vec![Vec::new()];
    let mut count = 0;
    while let Some(path) = paths.pop() {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let help = on_80_columns(&[&path[..], &["-h"]].concat()).exits(DONE).stdout;
        assert!(help.lines().count() <= 24, "{path:?}: {} lines\n{help}", help.lines().count());
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{path:?}\n{help}");
        paths.extend(
            listed(&path)
                .into_iter()
                .map(|name| path.iter().map(|name| (*name).to_owned()).chain([name]).collect()),
        );
        count += 1;
    }
    assert_eq!(count, 24, "commands");
}

#[test]
fn readers_find_their_commands_first() {
    let names = listed(&[]);
    assert_eq!(
        names,
        ["join", "extract", "scan", "explain", "siteinfo", "serve", "mcp", "lab", "completions", "man"]
    );
    assert_eq!(listed(&["lab"]), ["label", "train", "evaluate", "blocks", "updated"]);
}

#[test]
fn network_options_have_a_heading_of_their_own() {
    for command in ["join", "extract", "scan", "explain"] {
        let help = tsugi(&[command, "--help"]).exits(DONE).stdout;
        let (_, network) = help.split_once("\nNetwork options:\n").unwrap();
        for option in ["--header", "--cookie-jar", "--delay", "--allow-private"] {
            assert!(network.contains(option), "{command} {option}");
        }
    }
}

#[test]
fn wrong_use_shows_the_usage() {
    for arguments in [
        &[][..],
        &["join"],
        &["join", "--nonsense", "x"],
        &["join", "--all"],
        &["lab", "blocks"],
        &["extract"],
    ] {
        tsugi(arguments).exits(WRONG_USE).writes_nothing().says(&["Usage: tsugi"]);
    }
    for (option, value) in
        [("--max-pages", "0"), ("--min-score", "1.5"), ("--min-score", "nan"), ("--format", "pdf")]
    {
        let run = tsugi(&["join", "x.html", option, value]).exits(WRONG_USE).writes_nothing();
        assert!(run.stderr.contains(option) && run.stderr.contains(value), "{}", run.stderr);
    }
    tsugi(&["join", "--pages", "x", "--all", "--url", "https://a.test/"])
        .exits(WRONG_USE)
        .says(&["--all", "cannot be used with"]);
    tsugi(&["extract", "x.html", "--precision", "--recall"]).exits(WRONG_USE).says(&["cannot be used with"]);
    tsugi(&["lab", "evaluate", "--data", "x", "--folds", "1"]).exits(WRONG_USE).says(&["--folds"]);
    tsugi(&["lab", "train", "headlines", "--data", "x", "-o", "y"])
        .exits(WRONG_USE)
        .says(&["next-link, content"]);
}

#[test]
fn the_last_of_a_repeated_option_counts() {
    let page = data("english-article/1.html");
    let join = ["join", &page, "--max-pages", "1", "-f", "json"];
    let repeated = tsugi(&[&join[..], &["--max-pages", "2", "-f", "txt", "-f", "json"]].concat());
    assert_eq!(repeated.json()["pages"].as_array().unwrap().len(), 2);
}

#[test]
fn the_version_names_commit_and_models() {
    let version = concat!("tsugi ", env!("CARGO_PKG_VERSION"));
    assert_eq!(tsugi(&["-V"]).exits(DONE).stdout.trim_end(), version);
    let long = tsugi(&["--version"]).exits(DONE).stdout;
    assert!(long.starts_with(version), "{long}");
    for name in ["next-link", "content", "continuation"] {
        let path = format!("{}/../tsugi/models/{name}.model", env!("CARGO_MANIFEST_DIR"));
        let digest = HEXLOWER.encode(&Sha1::digest(std::fs::read(path).unwrap()));
        let start = &digest[..8];
        assert!(long.contains(&format!("\n{name} model {start}")), "{long}");
    }
}

#[test]
fn old_names_of_commands_still_work_and_say_the_new_one() {
    let run = tsugi(&["blocks", "unique", &data("pages.warc.gz")]).exits(DONE);
    assert_eq!(run.stdout, tsugi(&["lab", "blocks", "unique", &data("pages.warc.gz")]).exits(DONE).stdout);
    run.says(&["`tsugi blocks` is now `tsugi lab blocks`"]);
}

#[test]
fn completions_know_every_command() {
    for (shell, word) in [("bash", "_tsugi"), ("zsh", "#compdef tsugi"), ("fish", "complete -c tsugi")] {
        let script = tsugi(&["completions", shell]).exits(DONE).stdout;
        for wanted in [word, "extract", "from-start", "cookie-jar", "siteinfo"] {
            assert!(script.contains(wanted), "{shell}: {wanted}");
        }
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::new();
    let pages = folder.path("man");
    tsugi(&["man", "-o", &pages]).exits(DONE).writes_nothing();
    let read = |name: &str| std::fs::read_to_string(format!("{pages}/{name}.1")).unwrap();
    for (page, words) in [
        ("tsugi", ["tsugi\\-join", "paginated web article"]),
        ("tsugi-join", ["\\-\\-from\\-start", "failed.jsonl"]),
        ("tsugi-lab-blocks-crf", ["\\-\\-upper", "conditional random field"]),
        ("tsugi-siteinfo-learn", ["fivefilters", "\\-\\-strict"]),
    ] {
        for word in words {
            assert!(read(page).contains(word), "{page}: {word}");
        }
    }
    assert_eq!(std::fs::read_dir(&pages).unwrap().count(), 24);
}
