//! Following: every reason to stop, and what is kept.

use crate::fakes::{Marked, StoredPages, joined, joined_from, marked, url, with_models};
use proptest::prelude::*;
use std::cell::Cell;
use std::convert::Infallible;
use std::sync::Arc;
use tsugi::chains::{Chaining, Looked, chains};
use tsugi::page::Relation;
use tsugi::rules::Siteinfo;
use tsugi::{JoinOptions, Reassembly, StopReason, Tsugi, Unavailable, Url};

/// Two pages, the second of which ends as `rest` says.
fn two(rest: &str) -> StoredPages {
    StoredPages::default()
        .page("https://a.test/1", "<main>one</main><a rel=next href=2>")
        .page("https://a.test/2", &format!("<main>two</main>{rest}"))
}

fn end(stored: &StoredPages, options: &JoinOptions) -> (usize, StopReason, String, String) {
    let joined = joined(stored, *options);
    (joined.parts.len(), joined.stopped.reason, joined.stopped.at.into(), joined.stopped.detail)
}

#[test]
fn a_sequence_ends_at_the_page_without_a_link() {
    let joined = joined(&two(""), JoinOptions::default());
    let by: Vec<_> = joined.parts.iter().map(|part| (part.by, part.score)).collect();
    assert_eq!(by, [("start", 1.0), ("rel", 0.9)]);
    assert_eq!(joined.stopped.reason, StopReason::NoNext);
    assert_eq!(joined.stopped.at, url("https://a.test/2"));
    assert_eq!(joined.stopped.detail, "no next-page link found");
    assert!(joined.warnings.is_empty());
}

#[test]
fn a_next_page_behind_a_button_is_told() {
    for (control, words) in [
        ("<button>Load\n more</button>", "\"Load more\""),
        ("<div class=pagination><button aria-label=Weiter></button></div>", "\"Weiter\""),
        (
            "<div class=pagination><button><img alt=Weiter></button></div>",
            "a control without a label (`/html[1]/body[1]/",
        ),
    ] {
        let stopped =
            joined(&two(&format!("<p>Some more text.</p>{control}")), JoinOptions::default()).stopped;
        assert_eq!((stopped.reason, stopped.complete), (StopReason::NoNext, false));
        let told = format!("the next page is behind {words}");
        assert!(stopped.detail.starts_with(&told), "{}", stopped.detail);
        assert!(stopped.detail.ends_with(", which needs scripts"), "{}", stopped.detail);
    }
}

#[test]
fn a_document_is_whole_where_the_sequence_ends() {
    let one_page = JoinOptions::default().max_pages(1);
    let strict = JoinOptions::default().min_score(0.95).unwrap();
    let chapters = JoinOptions::default().relation(Relation::Chapter);
    for (rest, options, complete) in [
        ("", JoinOptions::default(), true),
        ("<a rel=next href=1>", JoinOptions::default(), true),
        ("", chapters, true),
        ("", one_page, false),
        ("", strict, false),
        ("<a rel=next href=3>", JoinOptions::default(), false),
        ("<a rel=next href='https://b.test/3'>", JoinOptions::default(), false),
    ] {
        let stopped = joined(&two(rest), options).stopped;
        assert_eq!(stopped.complete, complete, "{rest}: {stopped:?}");
    }
}

#[test]
fn a_document_that_starts_in_the_middle_says_so() {
    let pager = "<div class=pager><a href=1>1</a> <b>2</b></div>";
    let stored = two(pager);
    let at = |start: &str, from_start: bool| {
        let options = JoinOptions::default().from_start(from_start);
        joined_from(&stored, start, options).unwrap()
    };
    let late = at("https://a.test/2", false);
    let warning = "https://a.test/2: this is page 2; `from_start` begins with the first page";
    assert_eq!((late.warnings, late.stopped.complete), (vec![warning.to_owned()], true));
    assert!(at("https://a.test/1", false).warnings.is_empty());
    let walked = at("https://a.test/2", true);
    assert_eq!((walked.parts.len(), walked.warnings.len()), (2, 0));
    let one = JoinOptions::default().from_start(true).max_pages(1);
    let cut = joined_from(&stored, "https://a.test/2", one).unwrap();
    assert_eq!((cut.stopped.reason, cut.stopped.complete), (StopReason::MaxPages, false));
    let torn = StoredPages::default().page("https://a.test/2", &format!("<main>two</main>{pager}"));
    let from_start = JoinOptions::default().from_start(true);
    let cut = joined_from(&torn, "https://a.test/2", from_start).unwrap().stopped;
    assert_eq!((cut.reason, cut.complete, cut.at.path()), (StopReason::FetchFailed, false, "/1"));
}

#[test]
fn a_page_that_does_not_come_in_time_ends_the_sequence() {
    let stored = two("<a rel=next href=3>");
    let mut following = marked().follow(url("https://a.test/1"), &JoinOptions::default());
    while let Some(at) = following.wanted() {
        let answer = if at.path() == "/2" { Err(Unavailable::late(at)) } else { stored.get(at) };
        following.give(answer);
    }
    let joined = following.finish().unwrap();
    assert_eq!((joined.parts.len(), joined.stopped.reason), (1, StopReason::MaxTime));
    assert!(!joined.stopped.complete);
}

#[test]
fn a_link_below_the_threshold_is_none() {
    let stored = two("<a rel=next href=3 data-score=0.4>");
    let (pages, reason, at, detail) = end(&stored, &JoinOptions::default());
    assert_eq!((pages, reason, at.as_str()), (2, StopReason::NoNext, "https://a.test/2"));
    let told = "no link scores at least 0.50; `https://a.test/3` (score 0.40) was tried: `https://a.test/3` is not stored";
    assert_eq!(detail, told);
    let (_, reason, _, detail) = end(&two("<a rel=next href=3 data-score=0.01>"), &JoinOptions::default());
    assert_eq!(reason, StopReason::NoNext);
    assert_eq!(detail, "no link scores at least 0.50; the best, `https://a.test/3`, scores 0.01");
    let (_, reason, _, detail) = end(&two("<a rel=next href=3 data-score=NaN>"), &JoinOptions::default());
    assert_eq!(reason, StopReason::NoNext, "{detail}");
}

#[test]
fn a_link_below_the_wanted_score_is_low() {
    let stored = two("<a rel=next href=3 data-score=0.6>").page("https://a.test/3", "<main>three</main>");
    let strict = JoinOptions::default().min_score(0.8).unwrap();
    let (pages, reason, at, _) = end(&stored, &strict);
    assert_eq!((pages, reason, at.as_str()), (2, StopReason::LowScore, "https://a.test/2"));
    assert_eq!(end(&stored, &JoinOptions::default()).0, 3);
    let stored = two("<a rel=next href=3 data-score=0.3>").page("https://a.test/3", "<main>three</main>");
    let lax = JoinOptions::default().min_score(0.2).unwrap();
    assert_eq!(end(&stored, &lax).0, 3, "a score below the model's threshold can be asked for");
}

#[test]
fn a_link_of_another_relation_is_none() {
    let stored = two("<a rel=next href=3 data-chapter>").page("https://a.test/3", "<main>three</main>");
    let pages_only = JoinOptions::default().relation(Relation::Page);
    let (pages, reason, _, detail) = end(&stored, &pages_only);
    assert_eq!((pages, reason), (2, StopReason::NoNext));
    assert_eq!(detail, "the best link `https://a.test/3` leads to the next chapter, not the next page");
    assert_eq!(end(&stored, &JoinOptions::default()).0, 3);
}

#[test]
fn pages_without_new_content_are_no_continuation() {
    for body in ["", "<main> </main>", "<main><script>x</script></main>", "<main> one\n</main>"] {
        let stored = two("<a rel=next href=3>")
            .page("https://a.test/3", &format!("{body}<a rel=next href=4>"))
            .page("https://a.test/4", "<main>four</main>");
        let (pages, reason, at, _) = end(&stored, &JoinOptions::default());
        assert_eq!(
            (pages, reason, at.as_str()),
            (2, StopReason::NotAContinuation, "https://a.test/3"),
            "{body}"
        );
    }
}

#[test]
fn loops_end() {
    for back in ["1", "2", "1#more", "http://www.a.test/1/", "2/index.html"] {
        let (pages, reason, _, _) =
            end(&two(&format!("<a rel=next href='{back}'>")), &JoinOptions::default());
        assert_eq!((pages, reason), (2, StopReason::Loop), "{back}");
    }
    let stored = two("<a rel=next href=3>").redirect("https://a.test/3", "https://a.test/1");
    let (pages, reason, at, _) = end(&stored, &JoinOptions::default());
    assert_eq!((pages, reason, at.as_str()), (2, StopReason::Loop, "https://a.test/1"));
}

#[test]
fn a_redirect_to_the_same_page_is_no_loop() {
    let stored = StoredPages::default()
        .page("https://a.test/1", "<main>one</main><a rel=next href=2>")
        .redirect("https://a.test/2", "https://a.test/2/")
        .page("https://a.test/2/", "<main>two</main>");
    assert_eq!(end(&stored, &JoinOptions::default()).1, StopReason::NoNext);
}

#[test]
fn the_first_page_may_be_redirected_and_its_host_counts() {
    let stored = StoredPages::default()
        .redirect("https://a.test/1", "https://b.test/1")
        .page("https://b.test/1", "<main>one</main><a rel=next href='http://www.b.test/2'>")
        .page("http://www.b.test/2", "<main>two</main><a rel=next href='https://a.test/1'>");
    let (pages, reason, at, _) = end(&stored, &JoinOptions::default());
    assert_eq!((pages, reason, at.as_str()), (2, StopReason::Loop, "https://a.test/1"));
}

#[test]
fn other_sites_are_not_followed() {
    let (pages, reason, at, _) = end(&two("<a rel=next href='https://b.test/3'>"), &JoinOptions::default());
    assert_eq!((pages, reason, at.as_str()), (2, StopReason::OffSite, "https://b.test/3"));
    let stored = two("<a rel=next href=3>")
        .redirect("https://a.test/3", "https://b.test/")
        .page("https://b.test/", "<main>three</main>");
    let (pages, reason, at, _) = end(&stored, &JoinOptions::default());
    assert_eq!((pages, reason, at.as_str()), (2, StopReason::OffSite, "https://b.test/"));
}

#[test]
fn no_more_pages_than_wanted_are_fetched() {
    let options = JoinOptions::default().max_pages(1);
    let (pages, reason, at, detail) = end(&two(""), &options);
    assert_eq!((pages, reason, at.as_str()), (1, StopReason::MaxPages, "https://a.test/2"));
    assert_eq!(detail, "page limit reached (1)");
}

#[test]
fn what_is_held_is_kept_when_a_page_cannot_be_had() {
    let (pages, reason, at, detail) = end(&two("<a rel=next href=3>"), &JoinOptions::default());
    assert_eq!((pages, reason, at.as_str()), (2, StopReason::FetchFailed, "https://a.test/3"));
    assert_eq!(detail, "`https://a.test/3` is not stored");
    let stored = two("<a rel=next href=3>").disallowed("https://a.test/3");
    let (pages, reason, _, detail) = end(&stored, &JoinOptions::default());
    assert_eq!((pages, reason), (2, StopReason::Robots));
    assert_eq!(detail, "`https://a.test/3` may not be fetched: Disallow: /");
    let missing = joined_from(&stored, "https://a.test/x", JoinOptions::default());
    assert_eq!(missing.unwrap_err().kind.as_str(), "not-stored");
}

#[test]
fn oddities_of_pages_are_told() {
    let stored = two("");
    let mut following = marked().follow(url("https://a.test/1"), &JoinOptions::default());
    let mut first = stored.get(&url("https://a.test/1")).unwrap();
    first.body = b"<main>one \xff</main><a rel=next href=2>".to_vec();
    following.give(Ok(first));
    following.give(stored.get(&url("https://a.test/2")));
    let joined = following.finish().unwrap();
    assert_eq!(joined.parts.len(), 2);
    assert_eq!(joined.warnings.len(), 1);
    assert!(joined.warnings[0].starts_with("https://a.test/1: "), "{}", joined.warnings[0]);
}

/// Numbered pages, each with a link to the next and one to the page before.
fn numbered(pages: std::ops::RangeInclusive<u32>) -> StoredPages {
    let last = *pages.end();
    pages.fold(StoredPages::default(), |stored, number| {
        let next = if number < last { format!("<a rel=next href={}>", number + 1) } else { String::new() };
        let previous = if number > 1 { format!("<a rel=prev href={}>", number - 1) } else { String::new() };
        let html = format!("<main>page {number}</main>{previous}{next}");
        stored.page(&format!("https://a.test/{number}"), &html)
    })
}

fn from_start() -> JoinOptions {
    JoinOptions::default().from_start(true)
}

fn urls(joined: &Reassembly) -> Vec<&str> {
    joined.parts.iter().map(|part| part.page.url().path()).collect()
}

#[test]
fn a_start_inside_a_sequence_is_walked_back() {
    let stored = numbered(1..=5);
    let from = |start: &str, options| joined_from(&stored, start, options).unwrap();
    let joined = from("https://a.test/4", from_start());
    assert_eq!(urls(&joined), ["/1", "/2", "/3", "/4", "/5"]);
    let by: Vec<_> = joined.parts.iter().map(|part| (part.by, part.score)).collect();
    assert_eq!(by[0], ("start", 1.0));
    assert!(by[1..].iter().all(|by| *by == ("rel", 0.9)), "{by:?}");
    assert_eq!(joined.stopped.reason, StopReason::NoNext);
    assert_eq!(urls(&from("https://a.test/4", JoinOptions::default())), ["/4", "/5"]);
    let few = from_start().max_pages(3);
    let joined = from("https://a.test/4", few);
    assert_eq!((urls(&joined), joined.stopped.reason), (vec!["/2", "/3", "/4"], StopReason::MaxPages));
    assert!(joined.warnings[0].contains("there may be earlier pages"), "{:?}", joined.warnings);
}

#[test]
fn only_the_page_that_leads_here_is_the_one_before() {
    // The page before 4 leads elsewhere; the one before 2 cannot be had.
    let stored = numbered(2..=5).page("https://a.test/3", "<main>other</main><a rel=next href=9>");
    let from = |start: &str| joined_from(&stored, start, from_start()).unwrap();
    assert_eq!(urls(&from("https://a.test/4")), ["/4", "/5"]);
    let joined = from("https://a.test/2");
    assert_eq!(urls(&joined), ["/2", "/3"]);
    assert!(joined.warnings[0].contains("may come before could not be read"), "{:?}", joined.warnings);
}

#[test]
fn walking_back_in_a_circle_ends() {
    let stored = StoredPages::default()
        .page("https://a.test/1", "<main>one</main><a rel=prev href=2><a rel=next href=2>")
        .page("https://a.test/2", "<main>two</main><a rel=prev href=1><a rel=next href=1>");
    let joined = joined_from(&stored, "https://a.test/2", from_start()).unwrap();
    assert_eq!((urls(&joined), joined.stopped.reason), (vec!["/1", "/2"], StopReason::Loop));
}

#[test]
fn a_page_that_holds_all_is_taken_in_their_place() {
    let text = |range: std::ops::Range<u32>| {
        range
            .map(|n| format!("<p>A line that is long enough to count, number {n}."))
            .collect::<Vec<_>>()
            .concat()
    };
    let page = |range, rest: &str| format!("<main>{}</main>{rest}", text(range));
    let stored = |whole: String| {
        StoredPages::default()
            .page("https://a.test/1", &page(0..10, "<a rel=next href=2>2</a><a href=all>View all</a>"))
            .page("https://a.test/2", &page(10..20, "<a rel=next href=3>3</a>"))
            .page("https://a.test/3", &page(20..30, ""))
            .page("https://a.test/all", &whole)
    };
    let single = JoinOptions::default().single_page(true);
    let take = |whole: String, options| joined(&stored(whole), options);
    let joined = take(page(0..30, ""), single);
    assert_eq!((urls(&joined), joined.parts[0].by), (vec!["/all"], "single-page"));
    assert_eq!(joined.stopped.reason, StopReason::NoNext);
    assert!(
        joined.stopped.detail.starts_with("a single page replaces the others: it has 100 %"),
        "{}",
        joined.stopped.detail
    );
    let all = ["/1", "/2", "/3"];
    assert_eq!(urls(&take(page(0..30, ""), JoinOptions::default())), all, "nobody asked");
    assert_eq!(urls(&take(page(0..12, ""), single)), all, "it lacks most of page 2");
    assert_eq!(urls(&take(page(0..30, "<a rel=next href=2>"), single)), all, "it goes on itself");
    assert_eq!(urls(&take(String::new(), single)), all, "it is blank");
}

#[test]
fn the_home_page_continues_nothing() {
    for home in ["/", "/index.html", "/?#top"] {
        let stored = two(&format!("<a rel=next href={home}>")).page("https://a.test/", "<main>home</main>");
        let (pages, reason, _, detail) = end(&stored, &JoinOptions::default());
        assert_eq!((pages, reason), (2, StopReason::NotAContinuation), "{home}: {detail}");
        assert!(detail.contains("home page"), "{detail}");
    }
    let stored = two("<a rel=next href=3>")
        .redirect("https://a.test/3", "https://a.test/")
        .page("https://a.test/", "<main>home</main>");
    let (pages, reason, at, _) = end(&stored, &JoinOptions::default());
    assert_eq!((pages, reason, at.as_str()), (2, StopReason::NotAContinuation, "https://a.test/"));
}

#[test]
fn a_page_that_is_judged_to_be_another_story_ends_the_document() {
    let stored = StoredPages::default()
        .page("https://a.test/1", "<main>one</main><a rel=next href=2>")
        .page("https://a.test/2", "<main>two</main><a rel=next href=other/3>")
        .page("https://a.test/other/3", "<main>three</main>");
    let joined = joined(&stored, JoinOptions::default());
    let scores: Vec<_> =
        joined.parts.iter().map(|part| part.verdict.as_ref().map(|verdict| verdict.score)).collect();
    assert_eq!(scores, [None, Some(0.9)]);
    assert_eq!(joined.stopped.reason, StopReason::NotAContinuation);
    assert_eq!(joined.stopped.at, url("https://a.test/other/3"));
    assert_eq!(joined.stopped.detail, "the next page does not continue this one (score 0.10): another story");
}

#[test]
fn reasons_have_their_words() {
    use StopReason::{
        FetchFailed, Interrupted, Loop, LowScore, MaxPages, MaxTime, NoNext, NotAContinuation, OffSite,
        Robots,
    };
    let words = [
        NoNext, LowScore, NotAContinuation, Loop, MaxPages, MaxTime, FetchFailed, Robots, OffSite,
        Interrupted,
    ];
    let words: Vec<_> = words.iter().map(ToString::to_string).collect();
    let expected =
        "no-next|low-score|not-a-continuation|loop|max-pages|max-time|fetch-failed|robots|off-site|interrupted"
            .split('|');
    assert!(words.iter().map(String::as_str).eq(expected));
}

/// Returns the models, and a rule for the pages of `a.test` that have a `main` without an `id`.
fn ruled() -> Tsugi {
    let items = br#"[{"name": "a", "data":
        {"url": "^https?://a\\.test/", "nextLink": "//a[@rel='next']", "pageElement": "//main[not(@id)]"}}]"#;
    marked().with_rules(Siteinfo::read(items).unwrap())
}

#[test]
fn what_a_rule_began_ends_where_rules_find_nothing() {
    let end = |start: &str, second: (&str, &str)| {
        let next = "<main>one</main><a rel=next href=2>";
        let stored = StoredPages::default()
            .page("https://a.test/1", next)
            .page("http://a.test/1", next)
            .redirect("https://a.test/2", second.0)
            .redirect("http://a.test/2", second.0)
            .page(second.0, second.1);
        let joined = ruled().reassemble(&url(start), &JoinOptions::default(), |at| stored.get(at)).unwrap();
        (joined.parts.len(), joined.stopped.reason, joined.stopped.detail)
    };
    let (one, secure) = ("https://a.test/1", "https://a.test/two");
    let none = "no next-page link found".to_owned();
    assert_eq!(end(one, (secure, "<main>two</main>")), (2, StopReason::NoNext, none.clone()));
    let no_content = "a rule led to this page, but no rule finds content on it".to_owned();
    let refused = (1, StopReason::NotAContinuation, no_content);
    assert_eq!(end(one, (secure, "<main id=x>two</main>")), refused);
    let (pages, reason, _) = end(one, (secure, "two"));
    assert_eq!((pages, reason), (1, StopReason::NotAContinuation));
    // From http to https, but not back.
    assert_eq!(end("http://a.test/1", (secure, "<main>two</main>")), (2, StopReason::NoNext, none));
    let plain = end(one, ("http://a.test/two", "<main>two</main>"));
    assert_eq!(plain, (1, StopReason::OffSite, "the next link leads from https to plain http".to_owned()));
}

#[test]
fn what_is_wanted_is_asked_for_once_and_an_interruption_keeps_the_pages() {
    let (stored, tsugi) = (numbered(1..=4), marked());
    let mut following = tsugi.follow(url("https://a.test/1"), &JoinOptions::default());
    let mut asked = Vec::new();
    for _ in 0..2 {
        let at = following.wanted().unwrap().clone();
        following.give(stored.get(&at));
        asked.push(at.path().to_owned());
    }
    assert_eq!(
        (asked, following.wanted()),
        (vec!["/1".to_owned(), "/2".to_owned()], Some(&url("https://a.test/3")))
    );
    let joined = following.finish().unwrap();
    assert_eq!((joined.parts.len(), joined.stopped.reason), (2, StopReason::Interrupted));
    assert_eq!(
        (joined.stopped.at.path(), joined.stopped.detail.as_str()),
        ("/3", "stopped before this page was fetched")
    );
    // Nothing is wanted of a sequence that has ended, and nothing more is taken.
    let mut ended = tsugi.follow(url("https://a.test/4"), &JoinOptions::default());
    ended.give(stored.get(&url("https://a.test/4")));
    assert_eq!(ended.wanted(), None);
    ended.give(stored.get(&url("https://a.test/1")));
    assert_eq!(ended.finish().unwrap().parts.len(), 1);
    let unread = tsugi.follow(url("https://a.test/1"), &JoinOptions::default()).finish();
    assert_eq!(unread.unwrap_err().kind.as_str(), "not-fetched");
}

#[test]
fn following_looks_at_each_page_once() {
    let models = Arc::default();
    let all = JoinOptions::default().from_start(true).single_page(true);
    let stored = numbered(1..=5);
    let start = url("https://a.test/3");
    let joined = with_models(&models).reassemble(&start, &all, |at| stored.get(at)).unwrap();
    assert_eq!((joined.parts.len(), models.looks()), (5, 5));
}

/// Joins all chains of stored pages; returns the paths of each document, and how many pages were asked for.
fn all_chains(models: &Arc<Marked>, stored: &StoredPages, paths: &[&str]) -> (Vec<Vec<String>>, usize) {
    let urls: Vec<Url> = paths.iter().map(|path| url(&format!("https://a.test/{path}"))).collect();
    let asked = Cell::new(0);
    let get = |at: &Url| {
        asked.set(asked.get() + 1);
        stored.get(at)
    };
    let mut documents = Vec::new();
    let visit = |_: &Url, joined: Result<Reassembly, Unavailable>| {
        let parts = joined.unwrap().parts;
        documents.push(parts.iter().map(|part| part.page.url().path().to_owned()).collect());
        Ok::<(), Infallible>(())
    };
    chains(&with_models(models), &urls, &JoinOptions::default(), get, visit).unwrap();
    (documents, asked.get())
}

#[test]
fn chains_parse_and_look_at_each_page_once() {
    let stored = numbered(1..=4).page("https://a.test/x", "<main>alone</main>");
    // Also if the last page is stored before those that lead to it.
    for paths in [["1", "2", "3", "4", "x"], ["x", "4", "3", "2", "1"]] {
        let models = Arc::default();
        let (mut documents, asked) = all_chains(&models, &stored, &paths);
        documents.sort();
        assert_eq!(documents, [vec!["/1", "/2", "/3", "/4"], vec!["/x"]]);
        assert_eq!((models.looks(), asked), (5, 5), "{paths:?}");
    }
}

#[test]
fn of_several_pages_that_lead_to_one_the_surest_has_it() {
    let page = |link: &str| format!("<main>{link}</main>{link}");
    let stored = StoredPages::default()
        .page("https://a.test/1", &page("<a rel=next href=3 data-score=0.6>"))
        .page("https://a.test/2", &page("<a rel=next href=3 data-score=0.8>"))
        .page("https://a.test/3", "<main>three</main>");
    let (documents, _) = all_chains(&Arc::default(), &stored, &["1", "2", "3"]);
    assert_eq!(documents, [vec!["/1"], vec!["/2", "/3"]]);
}

#[test]
fn what_does_not_continue_a_chain_begins_its_own_and_is_not_read_again() {
    let stored = StoredPages::default()
        .page("https://a.test/1", "<main>one</main><a rel=next href=other/2>")
        .page("https://a.test/other/2", "<main>two</main><a rel=next href=/3>")
        .page("https://a.test/3", "<main>three</main>");
    let models = Arc::default();
    let (documents, asked) = all_chains(&models, &stored, &["1", "other/2", "3"]);
    assert_eq!(documents, [vec!["/1"], vec!["/other/2", "/3"]]);
    assert_eq!((models.looks(), asked), (3, 3));
}

#[test]
fn chains_lose_no_page_behind_a_link_that_is_not_followed() {
    let stored = StoredPages::default()
        .page("https://a.test/1", "<main>one</main><a rel=next href=2>")
        .page("https://a.test/2", "<main>two</main><a rel=next href='https://b.test/3'>")
        .page("https://b.test/3", "<main>three</main>");
    let urls = ["https://a.test/1", "https://a.test/2", "https://b.test/3"].map(url);
    let chapters = JoinOptions::default().relation(Relation::Chapter);
    let mut documents = Vec::new();
    let visit = |_: &Url, joined| {
        documents.push(told(joined).0);
        Ok::<(), Infallible>(())
    };
    chains(&marked(), &urls, &chapters, |at| stored.get(at), visit).unwrap();
    assert_eq!(documents, urls.map(|url| [url.to_string()]));
}

/// Returns the addresses of a document, and why it ended.
fn told(joined: Result<Reassembly, Unavailable>) -> (Vec<String>, String) {
    let joined = joined.unwrap();
    let pages = joined.parts.iter().map(|part| part.page.url().to_string()).collect();
    (pages, format!("{} {}", joined.stopped.at, joined.stopped.detail))
}

#[test]
fn a_redirect_to_another_host_has_no_document_even_if_a_link_leads_there() {
    let stored = StoredPages::default()
        .page("https://a.test/1", "<main>one</main><a rel=next href=2>")
        .redirect("https://a.test/2", "https://b.test/2")
        .page("https://b.test/2", "<main>two</main>");
    let urls = ["https://a.test/1", "https://a.test/2", "https://b.test/2"].map(url);
    let mut documents = Vec::new();
    let visit = |_: &Url, joined| {
        documents.push(told(joined).0);
        Ok::<(), Infallible>(())
    };
    chains(&marked(), &urls, &JoinOptions::default(), |at| stored.get(at), visit).unwrap();
    assert_eq!(documents, [["https://a.test/1"], ["https://b.test/2"]]);
}

proptest! {
    /// However pages of two hosts lead to each other.
    #[test]
    fn each_page_is_in_one_document_whatever_is_joined_first(
        pages in prop::collection::vec((any::<bool>(), 0..9_usize, 3..9_u32, 0..4_u32), 1..10),
        room in prop::sample::select(vec![0_usize, 200, 1 << 20]),
    ) {
        let address = |(number, page): (usize, &(bool, usize, u32, u32))| {
            let host = if page.0 { "a" } else { "b" };
            let folder = if page.3 == 1 { "other/" } else { "" };
            url(&format!("https://{host}.test/{folder}{number}"))
        };
        let urls: Vec<Url> = pages.iter().enumerate().map(address).collect();
        let is_redirect = |number: usize| pages[number].3 == 0 && pages[pages[number].1 % pages.len()].3 != 0;
        let mut stored = StoredPages::default();
        for (number, (_, to, score, _)) in pages.iter().enumerate() {
            let (at, to) = (urls[number].as_str(), &urls[to % pages.len()]);
            stored = if is_redirect(number) {
                stored.redirect(at, to.as_str())
            } else {
                stored.page(at, &format!("<main>page {number}</main><a rel=next href={to} data-score=0.{score}>"))
            };
        }
        let tsugi = marked();
        let mut documents = Vec::new();
        chains(&tsugi, &urls, &JoinOptions::default(), |at| stored.get(at), |_, joined| {
            documents.push(told(joined));
            Ok::<(), Infallible>(())
        }).unwrap();
        let mut covered: Vec<&String> = documents.iter().flat_map(|(pages, _)| pages).collect();
        covered.sort();
        let mut of_pages: Vec<&str> =
            (0..urls.len()).filter(|number| !is_redirect(*number)).map(|number| urls[number].as_str()).collect();
        of_pages.sort_unstable();
        prop_assert_eq!(covered, of_pages);

        // Host by host, the last run first.
        let mut runs = Vec::new();
        for host in ["a.test", "b.test"] {
            let of_host: Vec<usize> =
                (0..urls.len()).filter(|number| urls[*number].host_str() == Some(host)).collect();
            let mut chaining = Chaining::new(&tsugi, &JoinOptions::default(), room);
            for number in &of_host {
                let looked = Looked::of(&tsugi, &JoinOptions::default(), stored.get(&urls[*number]).unwrap());
                chaining.add(&urls[*number], Some(looked));
            }
            let (plan, found) = chaining.finish();
            for run in found.collect::<Vec<_>>().into_iter().rev() {
                let place = (run.in_circle(), of_host[run.pages()[0]]);
                let mut joined_by_run = Vec::new();
                plan.join(run, |page| Ok(urls[of_host[page]].clone()), |at| stored.get(at), |_, joined| {
                    joined_by_run.push(told(joined));
                    Ok::<(), Infallible>(())
                }).unwrap();
                runs.push((place, joined_by_run));
            }
        }
        runs.sort_by_key(|(place, _)| *place);
        prop_assert_eq!(runs.into_iter().flat_map(|(_, joined)| joined).collect::<Vec<_>>(), documents);
    }
}

#[test]
fn pages_with_much_text_end_the_sequence() {
    let much = "x".repeat(23 << 20);
    let page = |number: usize| {
        let (at, next) = (format!("https://a.test/{number}"), number + 1);
        (at, format!("<!--{much}--><main><p>Part {number}</main><a rel=next href={next}>Next</a>"))
    };
    let stored = (1..=5).map(page).fold(StoredPages::default(), |stored, (at, html)| stored.page(&at, &html));
    let joined = joined(&stored, JoinOptions::default());
    assert_eq!((joined.parts.len(), joined.stopped.reason), (3, StopReason::MaxPages));
    assert_eq!(joined.stopped.detail, "memory limit reached (69 MiB of text)");
    assert!(!joined.stopped.complete);
}
