//! Real dumps beside the project, and what a JavaScript engine says of expressions.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use serde_json::Value;
use std::path::PathBuf;
use tsugi_page::Url;
use tsugi_siteinfo::{Pattern, Siteinfo};

fn shared_data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data")
}

/// The dumps, each with its number of items and the most that may be unusable.
const DUMPS: [(&str, usize, usize); 3] =
    [("wedata-2024-08.json", 3824, 7), ("wedata-2013-10.json", 4466, 44), ("sites.json", 116, 0)];

#[test]
#[ignore = "needs the pages in ../shared/data"]
fn the_items_of_real_dumps_are_usable_but_for_a_few() {
    let data = shared_data();
    for (dump, items, unusable) in DUMPS {
        let json = std::fs::read(data.join("rules").join(dump)).unwrap();
        let siteinfo = Siteinfo::read_dump(&json).unwrap();
        for problem in siteinfo.problems().iter().chain(siteinfo.warnings()) {
            println!("{dump}: {problem}");
        }
        assert_eq!(siteinfo.items().len() + siteinfo.problems().len(), items);
        assert!(siteinfo.problems().len() <= unusable, "{} unusable", siteinfo.problems().len());
    }
}

#[test]
#[ignore = "needs the pages in ../shared/data"]
fn matching_gives_what_trying_all_items_gives() {
    let data = shared_data();
    for (dump, ..) in DUMPS {
        let json = std::fs::read(data.join("rules").join(dump)).unwrap();
        let siteinfo = Siteinfo::read_dump(&json).unwrap().with_generic_items();
        let examples = siteinfo.items().iter().filter_map(|item| item.example_url.clone());
        let mut urls: Vec<Url> = examples.chain(labelled(&data)).filter_map(|url| url.parse().ok()).collect();
        urls.sort();
        urls.dedup();
        // Trying all takes a while: every few addresses of many will do.
        let step = urls.len().div_ceil(MOST_URLS);
        let (mut checked, mut found) = (0, 0);
        for url in urls.iter().step_by(step) {
            let quick: Vec<_> = siteinfo.matching(url).map(std::ptr::from_ref).collect();
            let all = siteinfo.items().iter().filter(|item| item.url.matches(url.as_str()));
            assert!(all.map(std::ptr::from_ref).eq(quick.iter().copied()), "{dump}: {url}");
            checked += 1;
            found += quick.len();
        }
        println!("{dump}: {checked} of {} addresses, {found} items", urls.len());
        assert!(found > 0);
    }
}

const MOST_URLS: usize = 1500;

fn labelled(data: &std::path::Path) -> Vec<String> {
    let mut urls = Vec::new();
    for set in ["autopager", "bulk", "crawls", "sites", "web", "wedata"] {
        let text = std::fs::read_to_string(data.join(set).join("labels.jsonl")).unwrap();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let label: Value = serde_json::from_str(line).unwrap();
            urls.extend(["url", "next"].iter().filter_map(|key| label[key].as_str().map(str::to_owned)));
        }
    }
    urls
}

/// Expressions, and whether they match, as Node.js has it: `javascript.mjs` writes them.
#[test]
fn expressions_match_as_in_javascript() {
    const TEXTS: [&str; 12] =
        ["", "a", "b", "ab", "ba", "aab", "abab", "bbac", "c/a-b", "aa1bb", "a b", "\0a"];
    let (mut refused, mut matched, mut unmatched) = (0, 0, 0);
    let mut different = Vec::new();
    for line in include_str!("javascript.jsonl").lines() {
        let case: (String, Value) = serde_json::from_str(line).unwrap();
        let (source, expected) = case;
        let cases: Vec<(String, bool)> = match expected {
            Value::Null => {
                assert!(Pattern::new(&source).is_err(), "{source:?} is no expression");
                refused += 1;
                continue;
            }
            Value::String(bits) => {
                TEXTS.iter().zip(bits.chars()).map(|(text, bit)| ((*text).to_owned(), bit == '1')).collect()
            }
            pairs => serde_json::from_value(pairs).unwrap(),
        };
        let pattern = match Pattern::new(&source) {
            Ok(pattern) => pattern,
            Err(error) => {
                different.push((source.clone(), error.to_string()));
                continue;
            }
        };
        for (text, matches) in cases {
            if pattern.matches(&text) != matches {
                different.push((source.clone(), text));
            }
            *(if matches { &mut matched } else { &mut unmatched }) += 1;
        }
    }
    assert_eq!(different, []);
    println!("{refused} refused, {matched} matches, {unmatched} others");
    assert!(refused > 100 && matched > 1000 && unmatched > 1000);
}
