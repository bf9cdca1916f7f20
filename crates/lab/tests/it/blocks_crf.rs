//! `tsugi train crf` and `tsugi blocks crf`.

use crate::blocks::{row, texts};
use crate::support::{
    DONE, FAILED, LoopbackServer, NOTHING_FOUND, PARTLY_FAILED, TestFolder, WRONG_USE, canned, checked, data,
    html, json_lines, lab, labels, names_what_it_shows, paragraphs, train,
};
use serde_json::Value;
use tsugi_page::Page;

/// Chains that were trained on the project's pages, and their thresholds as their card has them.
fn chains(folder: &TestFolder) -> (String, [String; 2]) {
    let (_, card) = train("crf", &[], folder);
    let row = row(&card, "thresholds, upper / lower");
    let (upper, lower) = row[2].split_once(" / ").unwrap();
    (folder.path("crf.model"), [upper.to_owned(), lower.to_owned()])
}

#[test]
fn equal_data_give_equal_chains() {
    let (one, two) = (TestFolder::new(), TestFolder::new());
    let (first, again) = (train("crf", &[], &one), train("crf", &[], &two));
    assert!(first == again, "two runs differ");
    for word in ["| kind | site-blocks/crf/1 |", "| data_sets | datasets |", "thresholds chosen on", "| `"] {
        assert!(first.1.contains(word), "`{word}` is missing: {}", first.1);
    }
}

#[test]
fn what_chains_have_no_use_for_is_refused() {
    let folder = TestFolder::new();
    let model = folder.path("crf.model");
    let with = |options: &[&str]| {
        lab(&[&["train", "crf", "--data", &data(""), "-o", &model], options].concat()).writes_nothing()
    };
    with(&["--features", "paper"]).exits(FAILED).says(&["no chains over blocks"]);
    with(&["--algorithm", "tree"]).exits(FAILED).says(&["are for --features paper"]);
    with(&["--content-model", "x"]).exits(WRONG_USE).says(&["--content-model goes with"]);
    assert!(folder.names().is_empty());
}

/// The pages were trained on.
#[test]
fn a_page_needs_no_other_page_of_its_site() {
    let folder = TestFolder::new();
    let (model, _) = chains(&folder);
    let lines = lab(&["blocks", "crf", &data("pages.warc.gz"), "--model", &model]).exits(DONE).json_lines();
    let labels = labels();
    assert_eq!(lines.len(), labels.len());
    for (line, label) in lines.iter().zip(&labels) {
        assert_eq!((&checked(line)["url"], &line["next"]), (&label["url"], &Value::Null));
        let found = line["content"]["text"].as_str().unwrap();
        for paragraph in paragraphs(label["text"].as_str().unwrap()) {
            assert!(found.contains(paragraph), "{}: `{paragraph}`", line["url"]);
        }
    }
    let file = data("english-article/1.html");
    let out = folder.path("out.jsonl");
    let of_file = ["blocks", "crf", &file, "--model", &model, "-o", &out];
    lab(&of_file).exits(DONE).writes_nothing();
    let of_file = json_lines(&folder.read("out.jsonl"));
    assert_eq!(texts(&of_file), texts(&lines[..1]), "the same page, stored and as a file");
    let html = std::fs::read_to_string(&file).unwrap();
    names_what_it_shows(&Page::from_text(&html, &"https://a.test/".parse().unwrap()), &of_file[0]);
}

#[test]
fn sources_are_what_scan_takes() {
    let page = std::fs::read(data("english-article/1.html")).unwrap();
    let server = LoopbackServer::start(canned([("/1.html", html(page))]));
    let (url, gone) = (server.address("/1.html"), server.address("/gone.html"));
    let (file, archive) = (data("english-article/1.html"), data("pages.warc.gz"));
    let sources = ["blocks", "crf", &file, "no-such-file", &url, &gone, &archive];
    let lines = lab(&sources).exits(PARTLY_FAILED).json_lines();
    assert_eq!(lines.len(), 15, "in the order of the sources");
    assert_eq!(texts(&lines[..1]), texts(&lines[2..3]));
    assert_eq!(texts(&lines[..1]), texts(&lines[4..5]));
    assert!(!texts(&lines[..1])[0].is_empty(), "the built-in model");
    let error = |at: usize| checked(&lines[at])["error"].as_str().unwrap();
    assert!(error(1).contains("no-such-file") && error(3).contains("404"), "{} {}", error(1), error(3));
    lab(&["blocks", "crf", "no-such-file"]).exits(FAILED);
    lab(&["blocks", "crf"]).exits(WRONG_USE);
}

#[test]
fn thresholds_say_how_much_those_around_count() {
    let folder = TestFolder::new();
    let (model, [upper, lower]) = chains(&folder);
    let kept = |options: &[&str]| {
        let run = lab(&[&["blocks", "crf", &data("pages.warc.gz"), "--model", &model], options].concat());
        let lines = run.exits(DONE).json_lines();
        texts(&lines).into_iter().map(str::to_owned).collect::<Vec<String>>()
    };
    let (first, default) = (kept(&["--first"]), kept(&[]));
    // No share is above 1 or below 0.
    assert_eq!(kept(&["--upper", "1", "--lower", "0"]), first);
    assert_eq!(kept(&["--upper", &upper, "--lower", &lower]), default, "the model's own");
    assert_eq!(kept(&["--upper", &upper]), default, "the other is the model's");
    assert_eq!(kept(&["--lower", &lower]), default);
    // All that stands right below a block with anything of content is content.
    let all = kept(&["--upper", "0"]);
    assert!(all.iter().zip(&first).all(|(all, first)| all.len() > first.len()), "{all:?}");
}

/// Of a block with text and ten links inside it less than four in ten are content: the text goes, as no share is above 1 to
/// bring it back.
#[test]
fn a_block_is_judged_by_those_inside_it() {
    let folder = TestFolder::new();
    let (model, _) = chains(&folder);
    let text = "At ten past four in the morning, with the estuary still the colour of slate, Ines Harrow lifts a \
                wooden gate the size of a barn door and lets the sea go home. Nobody told her to be up at that hour.";
    let paragraphs = format!("<p>{text}</p>").repeat(3);
    let links = "<p><a href='/sport'>Sport</a></p>".repeat(10);
    let html =
        format!("<title>x</title><div>{paragraphs}</div><div>{text}{links}</div><div>{paragraphs}</div>");
    let page = folder.file("page.html", html);
    let times = |options: &[&str]| {
        let run = lab(&[&["blocks", "crf", &page, "--model", &model], options].concat()).exits(DONE);
        texts(&[run.json()])[0].matches(text).count()
    };
    let [first, lowered, not_lowered] = [
        times(&["--first"]),
        times(&["--upper", "1", "--lower", "0.4"]),
        times(&["--upper", "1", "--lower", "0"]),
    ];
    assert_eq!([first, lowered, not_lowered], [7, 6, 7]);
}

#[test]
fn thresholds_are_shares() {
    let page = data("english-article/1.html");
    for option in ["--upper", "--lower"] {
        for value in ["1.01", "-0.1", "nan", "half"] {
            let option = format!("{option}={value}");
            let run = lab(&["blocks", "crf", &page, &option]).exits(WRONG_USE).writes_nothing();
            run.says(&["expected a number from 0 to 1"]);
        }
        let run = lab(&["blocks", "crf", &page, "--first", option, "0.5"]).exits(WRONG_USE);
        run.says(&["--first", "cannot be used with", option]);
    }
}

#[test]
fn files_that_hold_no_chains_are_named() {
    let folder = TestFolder::new();
    let page = data("english-article/1.html");
    let with = |model: &str| lab(&["blocks", "crf", &page, "--model", model]).exits(FAILED).writes_nothing();
    let models = format!("{}/../../models", env!("CARGO_MANIFEST_DIR"));
    let of_content = format!("{}/../tsugi/models/content.model", env!("CARGO_MANIFEST_DIR"));
    with(&of_content).says(&[
        "content.model` cannot be used",
        "expected models for `site-blocks/crf/1`, found some for `content/full`",
    ]);
    with(&format!("{models}/paper/content.model")).says(&["content.model` cannot be used"]);
    let good = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/models/crf.model")).unwrap();
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    for damaged in [&good[..good.len() / 2], &flipped, b""] {
        with(&folder.file("crf.model", damaged)).says(&["crf.model` cannot be used"]);
    }
    with(&folder.path("none.model")).says(&["cannot read", "none.model"]);
}

#[test]
fn chains_are_measured_by_labels() {
    let folder = TestFolder::new();
    let (model, _) = chains(&folder);
    let (archive, labels) = (data("pages.warc.gz"), data("labels.jsonl"));
    let evaluate = ["blocks", "crf", &archive, "--model", &model, "--evaluate", &labels];
    let run = lab(&evaluate).exits(DONE).says(&["11 pages measured; 0 without labelled content"]);
    let all = row(&run.stdout, "*all pages*");
    assert_eq!(all[2], "11");
    let f: f64 = all[5].split(' ').next().unwrap().parse().unwrap();
    assert!(f > 0.8, "the pages were trained on: {}", run.stdout);
    let first = lab(&[&evaluate[..], &["--first"]].concat()).exits(DONE);
    let all_kept = lab(&[&evaluate[..], &["--upper", "0"]].concat()).exits(DONE);
    assert!(first.stdout != all_kept.stdout, "{}", first.stdout);
    // A file has another address than the label.
    let file = data("english-article/1.html");
    lab(&["blocks", "crf", &file, "--evaluate", &labels])
        .exits(NOTHING_FOUND)
        .writes_nothing()
        .says(&["0 pages measured; 1 without labelled content"]);
}
