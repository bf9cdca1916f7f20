//! Help, versions, completions, manual pages, and wrong use.

use crate::support::{DONE, TestFolder, WRONG_USE, data, tsugi};
use data_encoding::HEXLOWER;
use sha1::{Digest, Sha1};

#[test]
fn readers_find_their_commands_first() {
    let help = tsugi(&["--help"]).exits(DONE).stdout;
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let names: Vec<&str> = list.lines().map_while(|line| line.split_whitespace().next()).collect();
    assert_eq!(
        names[..names.len() - 1],
        ["join", "extract", "scan", "explain", "siteinfo", "serve", "mcp", "lab", "completions", "man"]
    );
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
fn help_leads_with_one_article() {
    for help in ["-h", "--help"] {
        let help = tsugi(&["join", help]).exits(DONE).stdout;
        let (one, many) = help.split_once("\nBatches and crawls:\n").unwrap();
        assert!(one.contains("--format") && many.contains("--input <FILE>") && many.contains("--all"));
        assert!(!one.contains("--input <FILE>") && !one.contains(" --all\n"));
    }
}

#[test]
fn help_states_the_defaults_that_count() {
    let help = tsugi(&["join", "--help"]).exits(DONE).stdout;
    assert!(help.contains(&format!("[default: tsugi/{}]", env!("CARGO_PKG_VERSION"))));
    let threshold = tsugi::Tsugi::new().threshold();
    assert!(help.contains(&format!("[default: the model's, {threshold:.2} if built in]")), "{threshold}");
}

#[test]
fn help_offers_no_header_where_there_is_no_source() {
    for command in ["serve", "mcp"] {
        assert!(!tsugi(&[command, "--help"]).exits(DONE).stdout.contains("--header"), "{command}");
    }
}

#[test]
fn wrong_use_shows_the_usage() {
    for arguments in [&[][..], &["join"], &["join", "--nonsense", "x"], &["join", "--all"], &["extract"]] {
        tsugi(arguments).exits(WRONG_USE).writes_nothing().says(&["Usage: tsugi"]);
    }
    for (option, value) in
        [("--max-pages", "0"), ("--min-score", "1.5"), ("--min-score", "nan"), ("--format", "doc")]
    {
        let run = tsugi(&["join", "x.html", option, value]).exits(WRONG_USE).writes_nothing();
        assert!(run.stderr.contains(option) && run.stderr.contains(value), "{}", run.stderr);
    }
}

#[test]
fn arguments_that_do_not_fit_together_are_refused() {
    let folder = TestFolder::new();
    let (input, out, archive) =
        (folder.file("urls.txt", "http://127.0.0.1:1/"), folder.path("out"), folder.path("a.warc.gz"));
    let (file, url) = (data("english-article/1.html"), "http://127.0.0.1:1/");
    let embed = |format| ["join", url, "-f", format, "--images", "embed", "-o", &out];
    for (arguments, words) in [
        (&["join", "--pages", "x", "--all", "--url", url][..], &["--all", "cannot be used with"][..]),
        (&["extract", "x.html", "--precision", "--recall"], &["cannot be used with"]),
        (&["scan", "--jobs", "0", &file], &["--jobs"]),
        (&["join", "--input", &input], &["--output"]),
        (&["join", url, "--input", &input, "-o", &out], &["--input"]),
        (&["join", url, "--jobs", "2"], &["--input", "--all"]),
        (&["join", "--input", &input, "-o", &out, "--all", "--pages", "x"], &["cannot be used with"]),
        (&["join", "--input", &input, "-o", &input], &["urls.txt", "folder"]),
        (&["join", url, "--save", &archive, "--pages", &archive], &["--save", "--pages"]),
        (&["join", &file, "--save", &archive], &["1.html", "--save"]),
        (&["join", url, &file, "--save", &archive], &["1.html"]),
        (&["join", "--all", "x", "--resume"], &["--output"]),
        (&["join", "--all", "x", "--save", &archive], &["cannot be used with"]),
        (&["join", "x.html", "--memory", "9"], &["--all"]),
        (&["join", "--pages", "x", "--all", "-f", "jsonl", "--max-time", "0"], &["--max-time"]),
        (&embed("txt"), &["--images", "-f md, html, epub or pdf"]),
        (&embed("json"), &["--images", "-f md, html, epub or pdf"]),
        (&embed("jsonl"), &["--images", "-f md, html, epub or pdf"]),
        (&["join", url, &file, "--title", "T"], &["--title", "one SOURCE"]),
        (&["join", &file, "--css", "x.css"], &["--css", "html, epub or pdf"]),
        (&["join", &file, "-f", "html", "--css", "gone.css"], &["gone.css"]),
        (&["join", &file, "-f", "epub", "-o", &out, "--cover", &file], &["1.html", "PNG"]),
        (&["join", &file, "--page-marks", "none"], &["--page-marks", "html or pdf"]),
        (&["join", &file, url, "--contents"], &["--contents", "one SOURCE"]),
        (&["join", "--input", &input, "-o", &out, "-f", "pdf"], &["one document"]),
    ] {
        tsugi(arguments).exits(WRONG_USE).writes_nothing().says(words);
    }
    assert_eq!(folder.names(), ["urls.txt"]);
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
    let folder = TestFolder::new();
    let pages = folder.path("man");
    tsugi(&["man", "-o", &pages]).exits(DONE).writes_nothing();
    let read = |name: &str| std::fs::read_to_string(format!("{pages}/{name}.1")).unwrap();
    for (page, words) in [
        ("tsugi", ["tsugi\\-join", "paginated web article"]),
        ("tsugi-join", ["\\-\\-from\\-start", "failed.jsonl"]),
        ("tsugi-siteinfo-learn", ["fivefilters", "\\-\\-strict"]),
    ] {
        for word in words {
            assert!(read(page).contains(word), "{page}: {word}");
        }
    }
    assert_eq!(std::fs::read_dir(&pages).unwrap().count(), 15);
}
