//! Following: every reason to stop, and what is kept.

use crate::fakes::{Answer, Marked, Shelf, joiner, response, url};
use tsugi_follow::{FetchError, Joiner, Limits, Reassembly, StopReason, reassemble, reassemble_from};
use tsugi_page::{
    Content, Evidence, FindContent, FindNext, NextLink, Page, Reason, Relation, Seen, Verdict, Verify,
};

fn joined(shelf: &Shelf, limits: &Limits) -> Reassembly {
    reassemble(&url("https://a.test/1"), &joiner(shelf, *limits)).unwrap()
}

/// Two pages, the second of which ends as `rest` says.
fn two(rest: &str) -> Shelf {
    Shelf::default()
        .page("https://a.test/1", "<main>one</main><a rel=next href=2>")
        .page("https://a.test/2", &format!("<main>two</main>{rest}"))
}

fn end(shelf: &Shelf, limits: &Limits) -> (usize, StopReason, String, String) {
    let joined = joined(shelf, limits);
    (joined.parts.len(), joined.stopped.reason, joined.stopped.at.into(), joined.stopped.detail)
}

#[test]
fn a_sequence_ends_at_the_page_without_a_link() {
    let joined = joined(&two(""), &Limits::default());
    let by: Vec<_> = joined.parts.iter().map(|part| (part.by, part.score)).collect();
    assert_eq!(by, [("start", 1.0), ("rel", 0.9)]);
    assert_eq!(joined.stopped.reason, StopReason::NoNext);
    assert_eq!(joined.stopped.at, url("https://a.test/2"));
    assert_eq!(joined.stopped.detail, "the page has no link that is likely to lead on");
    assert!(joined.warnings.is_empty());
}

#[test]
fn a_next_page_behind_a_button_is_told() {
    let (pages, reason, _, detail) = end(&two("<button>Load more</button>"), &Limits::default());
    assert_eq!((pages, reason), (2, StopReason::NoNext));
    let (told, why) = detail.split_once("; ").unwrap();
    assert!(
        told.starts_with("a next page exists, but no address leads there, only `/html[1]/body[1]/"),
        "{told}"
    );
    assert_eq!(why, "the page has no link that is likely to lead on");
}

#[test]
fn a_link_below_the_threshold_is_none() {
    let shelf = two("<a rel=next href=3 data-score=0.4>");
    let (pages, reason, at, detail) = end(&shelf, &Limits::default());
    assert_eq!((pages, reason, at.as_str()), (2, StopReason::NoNext, "https://a.test/2"));
    assert_eq!(detail, "best link `https://a.test/3` has score 0.400, expected at least 0.500");
    let (_, reason, _, detail) = end(&two("<a rel=next href=3 data-score=NaN>"), &Limits::default());
    assert_eq!(reason, StopReason::NoNext, "{detail}");
}

#[test]
fn a_link_below_the_wanted_score_is_low() {
    let shelf = two("<a rel=next href=3 data-score=0.6>").page("https://a.test/3", "<main>three</main>");
    let strict = Limits { min_score: Some(0.8), ..Limits::default() };
    let (pages, reason, at, _) = end(&shelf, &strict);
    assert_eq!((pages, reason, at.as_str()), (2, StopReason::LowScore, "https://a.test/2"));
    assert_eq!(end(&shelf, &Limits::default()).0, 3);
    let shelf = two("<a rel=next href=3 data-score=0.3>").page("https://a.test/3", "<main>three</main>");
    let lax = Limits { min_score: Some(0.2), ..Limits::default() };
    assert_eq!(end(&shelf, &lax).0, 3, "a score below the detector's threshold can be asked for");
}

#[test]
fn a_link_of_another_relation_is_none() {
    let shelf = two("<a rel=next href=3 data-chapter>").page("https://a.test/3", "<main>three</main>");
    let pages_only = Limits { relation: Some(Relation::Page), ..Limits::default() };
    let (pages, reason, _, detail) = end(&shelf, &pages_only);
    assert_eq!((pages, reason), (2, StopReason::NoNext));
    assert_eq!(detail, "best link `https://a.test/3` leads to the next chapter, expected the next page");
    assert_eq!(end(&shelf, &Limits::default()).0, 3);
}

#[test]
fn pages_without_new_content_are_no_continuation() {
    for body in ["", "<main> </main>", "<main><script>x</script></main>", "<main> one\n</main>"] {
        let shelf = two("<a rel=next href=3>")
            .page("https://a.test/3", &format!("{body}<a rel=next href=4>"))
            .page("https://a.test/4", "<main>four</main>");
        let (pages, reason, at, _) = end(&shelf, &Limits::default());
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
        let (pages, reason, _, _) = end(&two(&format!("<a rel=next href='{back}'>")), &Limits::default());
        assert_eq!((pages, reason), (2, StopReason::Loop), "{back}");
    }
    let shelf =
        two("<a rel=next href=3>").answer("https://a.test/3", Answer::Redirect("https://a.test/1".into()));
    let (pages, reason, at, _) = end(&shelf, &Limits::default());
    assert_eq!((pages, reason, at.as_str()), (2, StopReason::Loop, "https://a.test/1"));
}

#[test]
fn a_redirect_to_the_same_page_is_no_loop() {
    let shelf = Shelf::default()
        .page("https://a.test/1", "<main>one</main><a rel=next href=2>")
        .answer("https://a.test/2", Answer::Redirect("https://a.test/2/".into()))
        .page("https://a.test/2/", "<main>two</main>");
    assert_eq!(end(&shelf, &Limits::default()).1, StopReason::NoNext);
}

#[test]
fn the_first_page_may_be_redirected_and_its_host_counts() {
    let shelf = Shelf::default()
        .answer("https://a.test/1", Answer::Redirect("https://b.test/1".into()))
        .page("https://b.test/1", "<main>one</main><a rel=next href='http://www.b.test/2'>")
        .page("http://www.b.test/2", "<main>two</main><a rel=next href='https://a.test/1'>");
    let (pages, reason, at, _) = end(&shelf, &Limits::default());
    assert_eq!((pages, reason, at.as_str()), (2, StopReason::Loop, "https://a.test/1"));
}

#[test]
fn other_sites_are_not_followed() {
    let (pages, reason, at, _) = end(&two("<a rel=next href='https://b.test/3'>"), &Limits::default());
    assert_eq!((pages, reason, at.as_str()), (2, StopReason::OffSite, "https://b.test/3"));
    let shelf = two("<a rel=next href=3>")
        .answer("https://a.test/3", Answer::Redirect("https://b.test/".into()))
        .page("https://b.test/", "<main>three</main>");
    let (pages, reason, at, _) = end(&shelf, &Limits::default());
    assert_eq!((pages, reason, at.as_str()), (2, StopReason::OffSite, "https://b.test/"));
}

#[test]
fn no_more_pages_than_wanted_are_fetched() {
    let limits = Limits { max_pages: 1.try_into().unwrap(), ..Limits::default() };
    let (pages, reason, at, detail) = end(&two(""), &limits);
    assert_eq!((pages, reason, at.as_str()), (1, StopReason::MaxPages, "https://a.test/2"));
    assert_eq!(detail, "1 pages are held, as many as wanted");
}

#[test]
fn what_is_held_is_kept_when_a_page_cannot_be_had() {
    let (pages, reason, at, detail) = end(&two("<a rel=next href=3>"), &Limits::default());
    assert_eq!((pages, reason, at.as_str()), (2, StopReason::FetchFailed, "https://a.test/3"));
    assert_eq!(detail, "`https://a.test/3` is not stored");
    let shelf = two("<a rel=next href=3>").answer("https://a.test/3", Answer::Disallowed);
    let (pages, reason, _, detail) = end(&shelf, &Limits::default());
    assert_eq!((pages, reason), (2, StopReason::Robots));
    assert_eq!(detail, "`https://a.test/3` may not be fetched: Disallow: /");
    let missing = reassemble(&url("https://a.test/x"), &joiner(&shelf, Limits::default()));
    assert!(matches!(missing, Err(FetchError::NotStored { .. })));
}

#[test]
fn a_page_at_hand_is_followed_and_oddities_are_told() {
    let mut first = response("https://a.test/1", "");
    first.body = b"<main>one \xff</main><a rel=next href=2>".to_vec();
    let joined = reassemble_from(&first, &joiner(&two(""), Limits::default()));
    assert_eq!(joined.parts.len(), 2);
    assert_eq!(joined.warnings.len(), 1);
    assert!(joined.warnings[0].starts_with("https://a.test/1: "), "{}", joined.warnings[0]);
}

/// A shelf of numbered pages, each with a link to the next and one to the page before.
fn numbered(pages: std::ops::RangeInclusive<u32>) -> Shelf {
    let last = *pages.end();
    pages.fold(Shelf::default(), |shelf, number| {
        let next = if number < last { format!("<a rel=next href={}>", number + 1) } else { String::new() };
        let html = format!("<main>page {number}</main><a rel=prev href={}>{next}", number - 1);
        shelf.page(&format!("https://a.test/{number}"), &html)
    })
}

fn from_start() -> Limits {
    Limits { from_start: true, ..Limits::default() }
}

fn urls(joined: &Reassembly) -> Vec<&str> {
    joined.parts.iter().map(|part| part.page.url().path()).collect()
}

#[test]
fn a_start_inside_a_sequence_is_walked_back() {
    let shelf = numbered(1..=5);
    let from = |start: &str, limits| reassemble(&url(start), &joiner(&shelf, limits)).unwrap();
    let joined = from("https://a.test/4", from_start());
    assert_eq!(urls(&joined), ["/1", "/2", "/3", "/4", "/5"]);
    let by: Vec<_> = joined.parts.iter().map(|part| (part.by, part.score)).collect();
    assert_eq!(by[0], ("start", 1.0));
    assert!(by[1..].iter().all(|by| *by == ("rel", 0.9)), "{by:?}");
    assert_eq!(joined.stopped.reason, StopReason::NoNext);
    assert_eq!(urls(&from("https://a.test/4", Limits::default())), ["/4", "/5"]);
    let few = Limits { max_pages: 3.try_into().unwrap(), ..from_start() };
    let joined = from("https://a.test/4", few);
    assert_eq!((urls(&joined), joined.stopped.reason), (vec!["/2", "/3", "/4"], StopReason::MaxPages));
    assert!(joined.warnings[0].contains("there may be pages before"), "{:?}", joined.warnings);
}

#[test]
fn only_the_page_that_leads_here_is_the_one_before() {
    // The page before 4 leads elsewhere; the one before 2 cannot be had.
    let shelf = numbered(2..=5).page("https://a.test/3", "<main>other</main><a rel=next href=9>");
    let from = |start: &str| reassemble(&url(start), &joiner(&shelf, from_start())).unwrap();
    assert_eq!(urls(&from("https://a.test/4")), ["/4", "/5"]);
    let joined = from("https://a.test/2");
    assert_eq!(urls(&joined), ["/2", "/3"]);
    assert!(joined.warnings[0].contains("may be the page before"), "{:?}", joined.warnings);
}

#[test]
fn walking_back_in_a_circle_ends() {
    let shelf = Shelf::default()
        .page("https://a.test/1", "<main>one</main><a rel=prev href=2><a rel=next href=2>")
        .page("https://a.test/2", "<main>two</main><a rel=prev href=1><a rel=next href=1>");
    let joined = reassemble(&url("https://a.test/2"), &joiner(&shelf, from_start())).unwrap();
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
    let shelf = |whole: String| {
        Shelf::default()
            .page("https://a.test/1", &page(0..10, "<a rel=next href=2>2</a><a class=all href=all>all</a>"))
            .page("https://a.test/2", &page(10..20, "<a rel=next href=3>3</a>"))
            .page("https://a.test/3", &page(20..30, ""))
            .page("https://a.test/all", &whole)
    };
    let single = Limits { single_page: true, ..Limits::default() };
    let take =
        |whole: String, limits| reassemble(&url("https://a.test/1"), &joiner(&shelf(whole), limits)).unwrap();
    let joined = take(page(0..30, ""), single);
    assert_eq!((urls(&joined), joined.parts[0].by), (vec!["/all"], "single-page"));
    assert_eq!(joined.stopped.reason, StopReason::NoNext);
    assert!(
        joined.stopped.detail.starts_with("one page stands for all: it has 100 %"),
        "{}",
        joined.stopped.detail
    );
    let all = ["/1", "/2", "/3"];
    assert_eq!(urls(&take(page(0..30, ""), Limits::default())), all, "nobody asked");
    assert_eq!(urls(&take(page(0..12, ""), single)), all, "it lacks most of page 2");
    assert_eq!(urls(&take(page(0..30, "<a rel=next href=2>"), single)), all, "it goes on itself");
    assert_eq!(urls(&take(String::new(), single)), all, "it is blank");
}

#[test]
fn the_home_page_continues_nothing() {
    for home in ["/", "/index.html", "/?#top"] {
        let shelf = two(&format!("<a rel=next href={home}>")).page("https://a.test/", "<main>home</main>");
        let (pages, reason, _, detail) = end(&shelf, &Limits::default());
        assert_eq!((pages, reason), (2, StopReason::NotAContinuation), "{home}: {detail}");
        assert!(detail.contains("home page"), "{detail}");
    }
    let shelf = two("<a rel=next href=3>")
        .answer("https://a.test/3", Answer::Redirect("https://a.test/".into()))
        .page("https://a.test/", "<main>home</main>");
    let (pages, reason, at, _) = end(&shelf, &Limits::default());
    assert_eq!((pages, reason, at.as_str()), (2, StopReason::NotAContinuation, "https://a.test/"));
}

/// Judges that a page continues the one before unless it says so.
#[derive(Debug)]
struct Judge;

impl Verify for Judge {
    fn verify(&self, before: Seen<'_>, after: Seen<'_>) -> Verdict {
        assert!(before.next.is_some());
        let holds = after.page.first("aside").is_none();
        let reasons = [("another story", -2.0), ("same title", 1.0)];
        let reasons = reasons.map(|(what, weight)| Reason { what: what.to_owned(), weight }).into();
        Verdict { score: if holds { 0.9 } else { 0.1 }, holds, reasons }
    }
}

#[test]
fn a_page_that_is_judged_to_be_another_story_ends_the_document() {
    let shelf = two("<a rel=next href=3>").page("https://a.test/3", "<main>three</main><aside>");
    let judged = Joiner { verify: Some(&Judge), ..joiner(&shelf, Limits::default()) };
    let joined = reassemble(&url("https://a.test/1"), &judged).unwrap();
    let scores: Vec<_> =
        joined.parts.iter().map(|part| part.verdict.as_ref().map(|verdict| verdict.score)).collect();
    assert_eq!(scores, [None, Some(0.9)]);
    assert_eq!(joined.stopped.reason, StopReason::NotAContinuation);
    assert_eq!(joined.stopped.at, url("https://a.test/3"));
    assert_eq!(
        joined.stopped.detail,
        "the page does not continue the one before, score 0.100: another story"
    );
}

#[test]
fn reasons_have_their_words() {
    use StopReason::{FetchFailed, Loop, LowScore, MaxPages, NoNext, NotAContinuation, OffSite, Robots};
    let words = [NoNext, LowScore, NotAContinuation, Loop, MaxPages, FetchFailed, Robots, OffSite];
    let words: Vec<_> = words.iter().map(ToString::to_string).collect();
    let expected =
        "no-next|low-score|not-a-continuation|loop|max-pages|fetch-failed|robots|off-site".split('|');
    assert!(words.iter().map(String::as_str).eq(expected));
}

/// What [`Marked`] finds, as rules do; content in an `article` is a model's.
#[derive(Debug)]
struct Ruled;

impl FindNext for Ruled {
    fn best_next(&self, page: &Page) -> Option<NextLink> {
        Some(NextLink { evidence: rule(), ..Marked.best_next(page)? })
    }

    fn threshold(&self) -> f32 {
        Marked.threshold()
    }
}

impl FindContent for Ruled {
    fn find_content(&self, page: &Page, next: Option<&NextLink>) -> Content {
        match page.first("article") {
            Some(node) => {
                Content { nodes: vec![node], without: Vec::new(), score: 0.9, evidence: Evidence::Model }
            }
            None => Content { evidence: rule(), ..Marked.find_content(page, next) },
        }
    }
}

fn rule() -> Evidence {
    Evidence::Rule { name: "a".into() }
}

#[test]
fn what_a_rule_began_ends_where_rules_find_nothing() {
    let end = |start: &str, second: (&str, &str)| {
        let next = "<main>one</main><a rel=next href=2>";
        let shelf = Shelf::default()
            .page("https://a.test/1", next)
            .page("http://a.test/1", next)
            .answer("https://a.test/2", Answer::Redirect(second.0.to_owned()))
            .answer("http://a.test/2", Answer::Redirect(second.0.to_owned()))
            .page(second.0, second.1);
        let joiner = Joiner { next: &Ruled, content: &Ruled, ..joiner(&shelf, Limits::default()) };
        let joined = reassemble(&url(start), &joiner).unwrap();
        (joined.parts.len(), joined.stopped.reason, joined.stopped.detail)
    };
    let (one, secure) = ("https://a.test/1", "https://a.test/two");
    let none = "the page has no link that is likely to lead on".to_owned();
    assert_eq!(end(one, (secure, "<main>two</main>")), (2, StopReason::NoNext, none.clone()));
    let no_content = "a rule led here, and none finds content on this page".to_owned();
    let refused = (1, StopReason::NotAContinuation, no_content);
    assert_eq!(end(one, (secure, "<article>two</article>")), refused);
    let (pages, reason, _) = end(one, (secure, "two"));
    assert_eq!((pages, reason), (1, StopReason::NotAContinuation));
    // From http to https, but not back.
    assert_eq!(end("http://a.test/1", (secure, "<main>two</main>")), (2, StopReason::NoNext, none));
    let plain = end(one, ("http://a.test/two", "<main>two</main>"));
    assert_eq!(plain, (1, StopReason::OffSite, "the link leads from https to plain http".to_owned()));
}
