//! The library as its users have it: pages of our own from files, looked at and joined.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod cases;
mod ends;
mod examples;
mod extract;
mod fakes;
mod follow;
mod library;
mod roundtrip;
mod tries;
mod words;

use std::path::{Path, PathBuf};
use tsugi::fetch::file_url;
use tsugi::page::{Relation, UnavailableKind};
use tsugi::rules::Siteinfo;
use tsugi::{Fetch, Files, Format, JoinOptions, Page, Response, StopReason, Tsugi, Url};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of an article of our own, and the address of its first page.
fn article(name: &str) -> (Files, Url) {
    let folder = workspace().join("datasets").join(name);
    (Files::below(&folder).unwrap(), file_url(&folder.join("1.html")).unwrap())
}

#[test]
fn the_example_of_the_readme_is_that_of_the_crate() {
    let readme = std::fs::read_to_string(workspace().join("README.md")).unwrap();
    let (_, code) = readme.split_once("## The library\n\n```rust\n").unwrap();
    let (code, _) = code.split_once("```").unwrap();
    let source = std::fs::read_to_string(workspace().join("crates/tsugi/src/lib.rs")).unwrap();
    let lines: Vec<&str> = source
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let shown: Vec<&str> = code.lines().collect();
    assert!(shown.len() <= 25 && lines.windows(shown.len()).any(|window| window == shown), "{code}");
}

#[test]
fn an_article_is_joined_and_written() {
    let (files, url) = article("english-article");
    let document = Tsugi::new().join(&url, &files).unwrap();
    assert_eq!((document.pages.len(), document.stopped.reason), (4, StopReason::NoNext));
    assert_eq!(document.title.as_deref(), Some("The Mill That Keeps the Moon’s Hours"));
    let written = |format| {
        let mut bytes = Vec::new();
        document.write(format, &mut bytes).unwrap();
        bytes
    };
    assert!(written(Format::Epub).starts_with(b"PK"));
    let markdown = document.markdown();
    assert!(markdown.starts_with("# The Mill That Keeps the Moon’s Hours\n"), "{markdown}");
    let text = String::from_utf8(written(Format::Text)).unwrap();
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&text), words(&document.text));
    assert!(text.contains("\n\n"), "{text}");
}

#[test]
fn a_caller_that_fetches_gets_the_same_document() {
    let (files, url) = article("japanese-article");
    let tsugi = Tsugi::new();
    let document = tsugi.join(&url, &files).unwrap();
    let mut following = tsugi.follow(url, &JoinOptions::default());
    let mut asked = 0;
    while let Some(at) = following.wanted().cloned() {
        asked += 1;
        match std::fs::read(at.to_file_path().unwrap()) {
            Ok(body) => following.give(Ok(Response::new(at, body))),
            // A link that is only tried may lead nowhere.
            Err(_) => following.give(files.fetch(&at).map_err(|error| error.into_unavailable(&at))),
        };
    }
    let driven = following.finish().unwrap().into_document();
    assert_eq!(driven.pages.len(), 3);
    assert!((3..=5).contains(&asked), "{asked}");
    assert_eq!(driven.json_line(), document.json_line());
}

#[test]
fn a_page_that_cannot_be_had_is_told() {
    let (files, url) = article("english-article");
    let missing = url.join("none.html").unwrap();
    let error = Tsugi::new().join(&missing, &files).unwrap_err();
    assert_eq!((&error.kind, &error.url), (&UnavailableKind::NotStored, &missing));
    assert!(error.to_string().contains("none.html` is not stored"), "{error}");
}

#[test]
fn one_look_answers_everything() {
    let html = |number: u32, rest: &str| {
        format!(
            "<title>A story</title><h1>A story</h1><p>Part {number} of a story that goes on for a while, as stories do.</p>\
             <div class=pagination>{rest}</div>"
        )
    };
    let page = |number: u32, rest: &str| {
        let url = format!("https://a.test/story?page={number}").parse().unwrap();
        Page::from_text(&html(number, rest), &url)
    };
    let first = page(
        1,
        "<b>1</b> <a href='?page=2'>2</a> <a rel=next href='?page=2'>Next page</a> <a href='?page=all'>View all</a>",
    );
    let second = page(2, "<a rel=prev href='?page=1'>Previous page</a> <a href='?page=1'>1</a> <b>2</b>");
    let stuck = page(1, "<b>1</b> <a href='#'>2</a> <a href='#'>Next</a>");
    let tsugi = Tsugi::new();
    let look = tsugi.look(&first);
    let next = look.next().unwrap();
    assert_eq!((next.url.query(), next.relation), (Some("page=2"), Relation::Page));
    assert!(look.content().markdown().contains("Part 1 of a story"), "{}", look.content().markdown());
    assert!(look.content().html().contains("<p>Part 1 of a story"), "{}", look.content().html());
    assert_eq!(look.content().text().lines().last().unwrap().get(..6), Some("Part 1"));
    assert_eq!(look.single_page()[0].query(), Some("page=all"));
    assert_eq!(tsugi.look(&second).previous()[0].query(), Some("page=1"));
    let verdict = look.is_continued_by(&tsugi.look(&second)).unwrap();
    assert!((0.0..=1.0).contains(&verdict.score) && !verdict.reasons.is_empty());
    let stuck = tsugi.look(&stuck);
    assert!(stuck.next().is_none() && stuck.unfollowable().is_some());
    let lenient = Tsugi::new().with_judge(None);
    assert!(lenient.look(&first).is_continued_by(&lenient.look(&second)).is_none(), "nobody judges");
}

#[test]
fn rules_come_before_models() {
    let dump = br#"[{"name": "a", "data": {"url": "^https://a\\.test/", "nextLink": "//a[@class='on']", "pageElement": "//main"}}]"#;
    let tsugi = Tsugi::new().with_rules(Siteinfo::read(dump).unwrap());
    let page = |html: &str| Page::from_text(html, &"https://a.test/1".parse().unwrap());
    let (ruled, last) =
        (page("<main>x</main><a class=on href=9>zzz</a>"), page("<main>x</main><a rel=next href=2>Next</a>"));
    let look = tsugi.look(&ruled);
    assert_eq!(look.next().map(|next| (next.url.path(), next.evidence.rule())), Some(("/9", Some("a"))));
    assert_eq!(look.content().evidence().rule(), Some("a"));
    assert!(tsugi.look(&last).next().is_none(), "the rule says that the page is the last");
}

#[test]
fn a_rule_that_takes_too_much_work_is_named_and_the_models_answer() {
    let dump = br#"[{"name": "costly", "data":
        {"url": "^https://a\\.test/", "nextLink": "//a[. = preceding::*[. = 'x']]", "pageElement": "//body"}}]"#;
    let tsugi = Tsugi::new().with_rules(Siteinfo::read(dump).unwrap());
    let look = |links: usize| {
        let html = "<p>A paragraph of the article.</p>".repeat(30) + &"<p><a href=y>z</a></p>".repeat(links);
        Page::from_text(&html, &"https://a.test/1".parse().unwrap())
    };
    let (small, large) = (look(10), look(20_000));
    assert_eq!(tsugi.look(&small).doubt().filter(|doubt| doubt.contains("rule")), None);
    let look = tsugi.look(&large);
    let doubt = look.doubt().unwrap();
    assert!(doubt.starts_with("the rule `costly` takes too much work on this page"), "{doubt}");
    assert!(!look.content().evidence().is_rule());
}
