//! Links below the threshold: the page behind them is fetched, and the pair decides.

use crate::fakes::{StoredPages, joined, marked, url};
use std::cell::RefCell;
use std::convert::Infallible;
use tsugi::chains::chains;
use tsugi::page::{Relation, UnavailableKind};
use tsugi::rules::Siteinfo;
use tsugi::{JoinOptions, Reassembly, StopReason, Tried, Tsugi, Unavailable, Url};

fn page(text: &str, links: &str) -> String {
    format!("<main><p>{text}</main>{links}")
}

/// Two pages, the first of which leads to the second with a low score.
fn weak(to: &str, score: &str) -> StoredPages {
    StoredPages::default()
        .page("https://a.test/1", &page("one", &format!("<a rel=next href={to} data-score={score}>")))
        .page("https://a.test/2", &page("two", ""))
        .page("https://a.test/other/2", &page("two", ""))
}

fn told(tried: &[Tried]) -> Vec<(String, f32, Option<f32>, bool)> {
    let one =
        |tried: &Tried| (tried.url.path().to_owned(), tried.score, tried.verdict, tried.refused.is_none());
    tried.iter().map(one).collect()
}

#[test]
fn the_pair_decides_about_a_weak_link() {
    let held = joined(&weak("2", "0.2"), JoinOptions::default());
    assert_eq!((held.parts.len(), held.stopped.reason), (2, StopReason::NoNext));
    assert_eq!(told(&held.tried), [("/2".to_owned(), 0.2, Some(0.9), true)]);
    let refused = joined(&weak("other/2", "0.26"), JoinOptions::default());
    assert_eq!((refused.parts.len(), refused.stopped.reason), (1, StopReason::NoNext));
    assert!(refused.stopped.complete);
    assert_eq!(refused.stopped.at, url("https://a.test/1"));
    assert_eq!(told(&refused.tried), [("/other/2".to_owned(), 0.26, Some(0.1), false)]);
    assert_eq!(
        refused.stopped.detail,
        "no link scores at least 0.50; `https://a.test/other/2` (score 0.26) was tried: \
         the next page does not continue this one (score 0.10): another story"
    );
}

#[test]
fn what_the_first_page_lists_next_continues_whatever_it_looks_like() {
    let pages = |list: &str| {
        let first = format!("<main><p>one</p>{list}</main><a rel=next href=/other/2>");
        let stored = StoredPages::default()
            .page("https://a.test/1", &first)
            .page("https://a.test/other/2", &page("two", "<a rel=next href=/other/3 data-score=0.3>"))
            .page("https://a.test/other/3", &page("three", ""));
        joined(&stored, JoinOptions::default()).parts.len()
    };
    let list = |hrefs: &[&str]| -> String {
        hrefs.iter().flat_map(|href| ["<li><a href='", *href, "'>entry</a>"]).collect()
    };
    assert_eq!(pages(&list(&["/1", "/other/2", "/other/2#a", "/other/3"])), 3);
    assert_eq!(pages(&list(&["/1", "/other/2", "/4", "/other/3"])), 2, "not right after it");
    assert_eq!(pages(&list(&["/other/2", "/1", "/other/3"])), 1, "before it");
    assert_eq!(pages(&list(&["/1", "/other/2"])), 1, "two links are no list of contents");
}

#[test]
fn a_weak_link_that_nobody_answers_for_is_missed_if_it_says_next() {
    let ended = |link: &str, kind: &UnavailableKind| {
        let stored = StoredPages::default().page("https://a.test/1", &page("one", link));
        let get = |at: &Url| match at.path() {
            "/1" => stored.get(at),
            _ => Err(Unavailable::new(kind.clone(), at, "no answer".to_owned())),
        };
        let joined = marked().reassemble(&url("https://a.test/1"), &JoinOptions::default(), get).unwrap();
        assert_eq!((joined.parts.len(), joined.stopped.reason), (1, StopReason::NoNext));
        joined.stopped.complete
    };
    let says_next = "<a rel=next href=2 data-score=0.3>";
    for kind in [UnavailableKind::Timeout, UnavailableKind::Network, UnavailableKind::MaxTime] {
        assert!(!ended(says_next, &kind), "{kind:?}");
    }
    for kind in [UnavailableKind::NotStored, UnavailableKind::Robots, UnavailableKind::NotHtml] {
        assert!(ended(says_next, &kind), "{kind:?}");
    }
}

#[test]
fn what_is_not_to_be_tried_is_not_asked_for() {
    let asked_by = |tsugi: &Tsugi, stored: &StoredPages, options: JoinOptions| {
        let asked = RefCell::new(Vec::new());
        let get = |at: &Url| {
            asked.borrow_mut().push(at.path().to_owned());
            stored.get(at)
        };
        let joined = tsugi.reassemble(&url("https://a.test/1"), &options, get).unwrap();
        assert!(joined.tried.is_empty() && joined.stopped.complete, "{:?}", joined.stopped);
        asked.into_inner()
    };
    let default = JoinOptions::default();
    for (what, stored, options) in [
        ("hopeless", weak("2", "0.02"), default),
        ("not a number", weak("2", "NaN"), default),
        ("another relation", weak("2", "0.3"), default.relation(Relation::Chapter)),
        ("the home page", weak("/", "0.3"), default),
        ("the page itself", weak("1", "0.3"), default),
        ("another host", weak("https://b.test/2", "0.3"), default),
        ("no more pages wanted", weak("2", "0.3"), default.max_pages(1)),
    ] {
        assert_eq!(asked_by(&marked(), &stored, options), ["/1"], "{what}");
    }
    let rule = br#"[{"name": "a", "data": {"url": "^https://a\\.test/", "nextLink": "//b", "pageElement": "//main"}}]"#;
    let ruled = marked().with_rules(Siteinfo::read(rule).unwrap());
    assert_eq!(asked_by(&ruled, &weak("2", "0.3"), default), ["/1"], "a rule decides");
    // A score that was asked for is the bar.
    let strict = default.min_score(0.4).unwrap();
    let joined = joined(&weak("2", "0.3"), strict);
    assert_eq!((joined.parts.len(), joined.tried.len()), (1, 0));
    let lone = marked().extract(
        tsugi::Page::from_text(&page("one", "<a rel=next href=2 data-score=0.3>"), &url("https://a.test/1")),
        &default,
    );
    assert_eq!((lone.pages.len(), lone.tried.len()), (1, 0));
}

#[test]
fn a_tried_page_that_cannot_be_had_is_no_failure() {
    let missing = weak("3", "0.3");
    let robots = weak("3", "0.3").disallowed("https://a.test/3");
    let elsewhere =
        weak("3", "0.3").redirect("https://a.test/3", "https://b.test/").page("https://b.test/", "x");
    for (stored, why) in
        [(missing, "is not stored"), (robots, "may not be fetched"), (elsewhere, "another host")]
    {
        let joined = joined(&stored, JoinOptions::default());
        assert_eq!((joined.parts.len(), joined.stopped.reason), (1, StopReason::NoNext), "{why}");
        assert!(joined.stopped.complete && joined.stopped.detail.contains(why), "{}", joined.stopped.detail);
        assert_eq!(told(&joined.tried), [("/3".to_owned(), 0.3, None, false)]);
    }
}

#[test]
fn tries_lead_on_page_by_page_and_end_after_one_that_fails() {
    let stored = StoredPages::default()
        .page("https://a.test/a", &page("one", "<a rel=next href=b data-score=0.3>"))
        .page("https://a.test/b", &page("two", "<a rel=next href=c data-score=0.9>"))
        .page("https://a.test/c", &page("three", "<a rel=next href=d data-score=0.1>"))
        .page("https://a.test/d", &page("four", "<a rel=next href=other/e data-score=0.1>"))
        .page("https://a.test/other/e", &page("five", ""));
    let get = |at: &Url| stored.get(at);
    let joined = marked().reassemble(&url("https://a.test/a"), &JoinOptions::default(), get).unwrap();
    assert_eq!(joined.parts.len(), 4);
    let refused: Vec<bool> = joined.tried.iter().map(|tried| tried.refused.is_some()).collect();
    assert_eq!(refused, [false, false, true]);
    let json = joined.into_document().json_line();
    assert!(
        json.contains(r#""tried":[{"url":"https://a.test/b","score":0.3,"verdict":0.9,"refused":null}"#),
        "{json}"
    );
}

#[test]
fn nothing_tried_is_not_told_and_an_interrupted_try_is_an_end() {
    let stored = weak("2", "0.2");
    let mut following = marked().follow(url("https://a.test/1"), &JoinOptions::default());
    following.give(stored.get(&url("https://a.test/1")));
    assert_eq!(following.wanted(), Some(&url("https://a.test/2")));
    let joined = following.finish().unwrap();
    assert_eq!((joined.stopped.reason, joined.stopped.complete), (StopReason::NoNext, true));
    assert!(!joined.into_document().json_line().contains("tried"));
}

/// Joins all chains of stored pages; returns the paths of each document.
fn all_chains(stored: &StoredPages, paths: &[&str]) -> Vec<Vec<String>> {
    let urls: Vec<Url> = paths.iter().map(|path| url(&format!("https://a.test/{path}"))).collect();
    let mut documents = Vec::new();
    let visit = |_: &Url, joined: Result<Reassembly, Unavailable>| {
        let parts = joined.unwrap().parts;
        documents.push(parts.iter().map(|part| part.page.url().path().to_owned()).collect());
        Ok::<(), Infallible>(())
    };
    chains(&marked(), &urls, &JoinOptions::default(), |at| stored.get(at), visit).unwrap();
    documents.sort();
    documents
}

#[test]
fn a_tried_link_takes_no_page_that_another_leads_to_for_good() {
    let stored = StoredPages::default()
        .page("https://a.test/a", &page("a", "<a rel=next href=3 data-score=0.49>"))
        .page("https://a.test/1", &page("one", "<a rel=next href=2 data-score=0.4>"))
        .page("https://a.test/2", &page("two", "<a rel=next href=3 data-score=0.51>"))
        .page("https://a.test/3", &page("three", ""));
    let chains = all_chains(&stored, &["a", "3", "2", "1"]);
    assert_eq!(chains, [vec!["/1", "/2", "/3"], vec!["/a"]]);
}

#[test]
fn a_tried_link_back_does_not_move_the_beginning() {
    // The last page leads to the first, in whatever order they are stored.
    let stored = StoredPages::default()
        .page("https://a.test/1", &page("one", "<a rel=next href=2>"))
        .page("https://a.test/2", &page("two", "<a rel=next href=3 data-score=0.2>"))
        .page("https://a.test/3", &page("three", "<a rel=next href=1 data-score=0.4>"));
    for paths in [["1", "2", "3"], ["3", "2", "1"], ["2", "3", "1"]] {
        let chains = all_chains(&stored, &paths);
        // The better try wins, so the other way is closed.
        assert_eq!(chains, [vec!["/3", "/1", "/2"]], "{paths:?}");
    }
    let apart = StoredPages::default()
        .page("https://a.test/1", &page("one", "<a rel=next href=2>"))
        .page("https://a.test/2", &page("two", "<a rel=next href=1 data-score=0.4>"));
    for paths in [["1", "2"], ["2", "1"]] {
        assert_eq!(all_chains(&apart, &paths), [vec!["/1", "/2"]], "{paths:?}");
    }
}

#[test]
fn a_refused_try_leaves_the_other_chain_as_it_is() {
    let stored = StoredPages::default()
        .page("https://a.test/1", &page("one", "<a rel=next href=other/1 data-score=0.4>"))
        .page("https://a.test/other/1", &page("another one", "<a rel=next href=/2>"))
        .page("https://a.test/2", &page("another two", ""));
    for paths in [["1", "other/1", "2"], ["2", "other/1", "1"]] {
        assert_eq!(all_chains(&stored, &paths), [vec!["/1"], vec!["/other/1", "/2"]]);
    }
}

#[test]
fn a_page_that_leads_on_by_itself_has_no_document_among_stored_ones() {
    let stub = |to: &str| format!("<meta http-equiv=refresh content='0; url={to}'><p>Go on.");
    let stored = StoredPages::default()
        .page("https://a.test/1", &page("one", "<a rel=next href=go>"))
        .page("https://a.test/go", &stub("/go/on"))
        .page("https://a.test/go/on", &stub("/2"))
        .page("https://a.test/2", &page("two", ""));
    assert_eq!(all_chains(&stored, &["2", "go/on", "go", "1"]), [vec!["/1", "/2"]]);
    // Nothing is lost in a circle, or if the page there is not stored.
    let circle = StoredPages::default()
        .page("https://a.test/1", &stub("/2"))
        .page("https://a.test/2", &stub("/1"))
        .page("https://a.test/3", &stub("/4"));
    let paths: Vec<String> = all_chains(&circle, &["1", "2", "3"]).concat();
    assert_eq!(paths.len(), 3, "{paths:?}");
}
