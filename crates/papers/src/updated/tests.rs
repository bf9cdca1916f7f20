use super::*;
use tsugi_dates::{Stated, StatedBy};
use tsugi_page::{Content, Evidence as Found, Page};

/// Midnight on a day of November 2026.
fn day(day: i64) -> Timestamp {
    "2026-11-01T12:00:00Z".parse::<Timestamp>().unwrap() + jiff::SignedDuration::from_hours(24 * (day - 1))
}

/// A snapshot whose main text is `main`, without `aside` in it.
fn at(time: Timestamp, html: &str) -> Snapshot {
    stating(time, html, Vec::new())
}

/// The same for a page that states dates.
fn stating(time: Timestamp, html: &str, stated: Vec<Stated>) -> Snapshot {
    let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
    let nodes = |tag| page.elements().filter(|id| page.is(*id, tag)).collect();
    let content =
        Content { nodes: nodes("main"), without: nodes("aside"), score: 1.0, evidence: Found::Model };
    Snapshot::of(time, &page, &content, None, stated)
}

/// Snapshots a day apart.
fn update(htmls: &[&str]) -> Option<Update> {
    last_update((1..).zip(htmls).map(|(number, html)| at(day(number), html)).collect())
}

/// The numbers, from 1, of the snapshots between which a page was updated; 0: before the first.
fn between(htmls: &[&str]) -> (usize, usize) {
    let update = update(htmls).unwrap();
    let place = |time| (1..).zip(htmls).find(|(number, _)| day(*number) == time).map(|(number, _)| number);
    let number = |time| usize::try_from(place(time).unwrap()).unwrap();
    (update.after.map_or(0, number), number(update.before))
}

fn changes(old: &str, new: &str) -> bool {
    between(&[old, new]) == (1, 2)
}

const FRAME: [&str; 2] =
    ["<nav>Home<a>News</a></nav><main><h1>Snow in June</h1><p>It fell at noon.</p>", "</main><p>©"];

fn framed(text: &str) -> String {
    FRAME.join(text)
}

#[test]
fn the_last_change_of_the_main_text_counts() {
    let (one, two) = (framed("<p>Five are missing."), framed("<p>All were found."));
    let (one, two) = (one.as_str(), two.as_str());
    assert_eq!(between(&[one, one, two, two]), (2, 3));
    assert_eq!(between(&[one, two, one]), (2, 3), "it was changed back");
    assert_eq!(between(&[one, one, one]), (0, 1));
    assert_eq!(between(&[one]), (0, 1));
    let update = update(&[one, two, two]).unwrap();
    let change = update.change.unwrap();
    assert_eq!(
        (change.added, change.removed),
        (vec!["All were found.".into()], vec!["Five are missing.".into()])
    );
    assert_eq!(
        update.reason,
        "the main text changed between two snapshots: 1 line added, 1 line removed; it did not change until \
         2026-11-03T12:00:00Z"
    );
    assert_eq!(
        (update.at.unwrap().to_string(), update.by),
        ("2026-11-02T12:00:00Z".into(), Some(EvidenceSource::Snapshots))
    );
}

#[test]
fn without_a_text_there_is_no_answer() {
    assert_eq!(update(&[]), None);
    assert_eq!(update(&["", "<p>x"]), None);
    let (one, two) = (framed("<p>1"), framed("<p>2"));
    assert_eq!(between(&[&one, "<p>nothing here", &one]), (0, 1), "what has no main text is set aside");
    assert_eq!(between(&[&one, "<p>nothing here", &two]), (1, 3));
    assert!(update(&[&one, "<p>x", &two]).unwrap().reason.contains("ignored snapshots: 1 without main text"));
}

#[test]
fn what_changes_the_text_is_an_update() {
    let text = framed("<p>Five are dead.<p>The bridge is closed.<p>Trains run again.");
    for (name, other) in [
        ("a number", framed("<p>Seven are dead.<p>The bridge is closed.<p>Trains run again.")),
        ("a digit", text.replace("noon", "12").replace("Five", "5")),
        ("removed", framed("<p>Five are dead.<p>Trains run again.")),
        ("removed at the end", framed("<p>Five are dead.<p>The bridge is closed.")),
        ("added", framed("<p>Five are dead.<p>The bridge is closed.<p>Rain is near.<p>Trains run again.")),
        ("added at the end", framed("<p>Five are dead.<p>The bridge is closed.<p>Trains run again.<p>Rain.")),
        ("title", text.replace("Snow in June", "Snow in July")),
        ("all", "<main><p>Another page altogether.</main>".to_owned()),
        (
            "all, in its frame",
            "<nav>Home<a>News</a></nav><main><p>Another page altogether.</main><p>©".to_owned(),
        ),
    ] {
        assert!(changes(&text, &other), "{name}");
    }
    assert!(changes(&framed("<p>5 dead"), &framed("<p>7 dead")));
    let race = |day| {
        framed(&format!(
            "<p>The next race of the season will start at the old mill on {day} May 2027, and all are welcome."
        ))
    };
    assert!(changes(&race("2"), &race("9")), "what is told is another day");
}

#[test]
fn what_leaves_the_text_is_none() {
    let text = framed("<p>Five are dead.<p>The bridge is closed.");
    for (name, other) in [
        ("an advertisement", text.replace("</main>", "</main><div>Buy shoes</div>")),
        ("one inside", framed("<p>Five are dead.<aside>Buy shoes</aside><p>The bridge is closed.")),
        ("a menu", text.replace("News", "Sport")),
        ("order", framed("<p>The bridge is closed.<p>Five are dead.")),
        ("white space", framed("<p> Five are\n dead.</p>\n\n<p>The bridge  is closed.")),
        ("markup", framed("<div class=x><b>Five</b> are dead.<br>The bridge is closed.</div>")),
        ("broken lines", framed("<p>Five are<br>dead.<p>The bridge is closed.")),
    ] {
        assert!(!changes(&text, &other), "{name}");
        assert!(!changes(&other, &text), "{name}, the other way");
    }
}

#[test]
fn dates_and_counters_that_change_alone_are_none() {
    for (one, other) in [
        ("Posted on 2 May 2026 by Ann", "Posted on 3 May 2026 by Ann"),
        ("3 hours ago", "yesterday"),
        ("2026年11月2日 更新", "2026年11月3日 更新"),
        ("1,204 views", "12,001 views"),
        ("1 comment", "27 comment"),
        ("コメント(3)", "コメント(14)"),
        ("2 minutes ago · 3 likes", "1 hour ago · 5 likes"),
    ] {
        let framed = |line: &str| framed(&format!("<p>{line}</p><p>Rain."));
        assert!(!changes(&framed(one), &framed(other)), "{one}");
    }
}

#[test]
fn numbers_that_count_no_readers_are_told() {
    for (one, other) in [
        ("Shares of the mill fell 3 percent", "Shares of the mill fell 38 percent"),
        ("The council passed the vote with 51 to 49", "The council passed the vote with 98 to 2"),
        ("5 people were hit by the ferry", "17 people were hit by the ferry"),
        ("市内で5件の火災があった", "市内で17件の火災があった"),
        ("The answer is 42", "The answer is 43"),
        ("Read chapter 3 first", "Read chapter 9 first"),
        ("Es hat hier 3 mal gebrannt", "Es hat hier 13 mal gebrannt"),
        (
            "The film has had 3 views in its first week at the mill",
            "The film has had 9 views in its first week at the mill",
        ),
        ("Mill 3:12 Inn", "Mill 5:12 Inn"),
        ("John 3:16", "John 3:17"),
        ("Version 10.11.12", "Version 10.11.13"),
        ("<h2>Races on 2 May 2027</h2>", "<h2>Races on 9 May 2027</h2>"),
    ] {
        let framed = |line: &str| framed(&format!("<div>{line}</div><p>Rain."));
        assert!(changes(&framed(one), &framed(other)), "{one}");
    }
}

/// The detector takes a block for main text in one snapshot but not in the other.
#[test]
fn a_detector_that_wavers_is_no_update() {
    let page = |tag: &str, news: &str| {
        format!("<main><p>Snow.<p>Rain.</main><{tag}><p>Latest news<p>{news}</{tag}><p>©")
    };
    let steady = "A bridge opened.";
    assert!(!changes(&page("main", steady), &page("div", steady)));
    assert!(!changes(&page("div", steady), &page("main", steady)));
    assert!(!changes(&page("main", steady), &page("div", "A mill closed.")));
    assert!(!changes(&page("div", steady), &page("main", "A mill closed.")));
    assert!(changes(&page("main", steady), &page("main", "A mill closed.")), "main text in both");
}

#[test]
fn links_beside_a_text_are_none_of_it() {
    let links = |one: &str| {
        format!("<p>Also read<ul><li><a href=1>{one}</a> 3 hours ago<li><a href=2>Ski races</a></ul>")
    };
    assert!(!changes(&framed(&links("A bridge opened")), &framed(&links("A mill closed"))));
    assert!(!changes(&framed(""), &framed("<a href=1>Buy shoes</a>")));
    assert!(changes(&framed("<h2><a href=1>A bridge</a></h2>"), &framed("<h2><a href=1>A mill</a></h2>")));
    assert!(changes(
        &framed("<p>It is <a href=1>a bridge</a>, they say"),
        &framed("<p>It is <a href=1>a mill</a>, they say")
    ));
    let list = |last: &str| {
        format!(
            "<main><a href=1>Snow in June</a><br><a href=2>Rain in May</a><br><a href=3>{last}</a></main>"
        )
    };
    assert!(changes(&list("Ice in July"), &list("Sun in March")), "a page of links");
    let front = |first: &str, second: &str| {
        format!(
            "<main><p>Advertisement<p><a href=1>{first}</a><p><a href=2>{second}</a><p>Advertisement</main>"
        )
    };
    let monday = front("Snow fell on the hills in June", "A bridge opened");
    let tuesday = front("The mill by the river closed", "Ice in July");
    assert!(changes(&monday, &tuesday), "only captions are common to both days");
}

#[test]
fn an_error_page_between_is_set_aside() {
    let text = framed("<p>Five are dead.");
    let wall = "<main><p>Please log in.</main>";
    assert_eq!(between(&[&text, wall, &text]), (0, 1));
    assert!(update(&[&text, wall, &text]).unwrap().reason.contains("ignored snapshots: 1 of another page"));
    assert_eq!(between(&[&text, wall]), (1, 2), "nothing shows that it passed");
    let other = framed("<p>All were found.");
    assert_eq!(between(&[&text, wall, &other]), (2, 3));
    assert_eq!(between(&[&text, wall, wall, wall, wall, &text]), (0, 1));
    assert_eq!(between(&[&text, wall, "<main><p>Not found.</main>", &text, wall, &text]), (0, 1));
    assert_eq!(between(&[&text, wall, wall, wall, wall, wall, &text]), (6, 7), "that is no disturbance");
    assert_eq!(between(&[&text, wall, wall, &other, &other]), (3, 4));
}

#[test]
fn snapshots_of_one_time_keep_their_order() {
    let (one, two) = (framed("<p>1"), framed("<p>2"));
    let update = last_update(vec![at(day(3), &two), at(day(1), &one), at(day(1), &two)]).unwrap();
    assert_eq!((update.after, update.before), (Some(day(1)), day(1)));
    let same = last_update(vec![at(day(1), &one), at(day(1), &one)]).unwrap();
    assert_eq!((same.after, same.before), (None, day(1)));
}

/// Snapshots with `Last-Modified`, in hours from the first snapshot, one day apart.
fn header(snapshots: &[(&str, i64)]) -> UpdateEvidence {
    let hour = |hours| day(1) + jiff::SignedDuration::from_hours(hours);
    let snapshot = |(number, (text, modified)): (i64, &(&str, i64))| Snapshot {
        last_modified: Some(hour(*modified)),
        ..at(day(number), &framed(text))
    };
    let update = last_update((1..).zip(snapshots).map(snapshot).collect()).unwrap();
    assert_eq!(update.by == Some(EvidenceSource::LastModified), update.evidence[0].consistent);
    update.evidence.into_iter().next().unwrap()
}

#[test]
fn a_header_counts_where_it_contradicts_no_snapshot() {
    let (a, b, b_and_ad) = ("<p>a", "<p>b", "<p>b<aside>ad</aside>");
    for (snapshots, consistent, why) in [
        (&[(a, -5), (b, 20), (b, 20)][..], true, "no snapshot"),
        (&[(a, -5), (b, 20), (b_and_ad, 40)], true, "no snapshot"),
        (&[(b, -5), (b, -5)], true, "no snapshot"),
        (&[(a, -5), (b, 20), (b, 40)], false, "although the page does not"),
        (&[(a, -5), (b, 60), (b_and_ad, 20)], true, "no snapshot"),
        (&[(a, 0), (b, 24)], false, "the response time"),
        (&[(b, 0)], false, "the response time"),
        (&[(b, 0), (b, 0)], true, "no snapshot"),
        (&[(a, -5), (b, -5)], false, "not later than the last snapshot with another text"),
        (&[(a, -5), (b, 40)], false, "later than the first snapshot with this text"),
    ] {
        let evidence = header(snapshots);
        assert_eq!(evidence.consistent, consistent, "{snapshots:?}: {}", evidence.why);
        assert!(evidence.why.contains(why), "{snapshots:?}: {}", evidence.why);
    }
}

#[test]
fn stated_dates_count_by_their_weight() {
    let stated = |number: i64, text: &str, stated: &[(StatedBy, &str)]| {
        let stated = stated.iter().map(|(by, when)| Stated { by: *by, when: When::read(when).unwrap() });
        stating(day(number), &framed(text), stated.collect())
    };
    let modified = (StatedBy::JsonLdModified, "2026-11-02");
    let published = (StatedBy::MetaPublished, "2026-10-01");
    let shown = (StatedBy::Text, "2 November 2026");
    let say = |snapshots: Vec<Snapshot>| {
        let update = last_update(snapshots).unwrap();
        let consistent = update.evidence.iter().filter(|evidence| evidence.consistent).count();
        (
            update.by.map(EvidenceSource::as_str),
            update.at.map(|at| at.to_string()),
            consistent,
            update.evidence.len(),
        )
    };
    let (json_ld, text) = (Some("json-ld-modified"), Some("text"));
    assert_eq!(
        say(vec![stated(1, "a", &[]), stated(2, "b", &[published, shown, modified])]),
        (json_ld, Some("2026-11-02".into()), 2, 3)
    );
    let unchanged = vec![stated(3, "b", &[published]), stated(4, "b", &[published])];
    assert_eq!(say(unchanged), (Some("meta-published"), Some("2026-10-01".into()), 1, 1));
    let early = (StatedBy::JsonLdModified, "2026-09-01");
    assert_eq!(
        say(vec![stated(3, "b", &[early, published])]).0,
        Some("meta-published"),
        "before it was there"
    );
    let earlier = (StatedBy::JsonLdModified, "2026-10-20");
    let listed = vec![stated(3, "b", &[earlier, modified])];
    assert_eq!(say(listed).1, Some("2026-11-02".into()), "the latest");
    // A head with today's date changes with every snapshot.
    let moved = (StatedBy::JsonLdModified, "2026-11-04");
    assert_eq!(
        say(vec![stated(1, "a", &[]), stated(2, "b", &[modified, shown]), stated(4, "b", &[moved, shown])]),
        (text, Some("2026-11-02".into()), 1, 2)
    );
    assert_eq!(
        say(vec![stated(3, "b", &[moved])]).0,
        json_ld,
        "where it is the fourth, it may be: a day has 50 hours"
    );
    assert_eq!(say(vec![stated(2, "b", &[moved])]), (None, None, 0, 1));
}

#[test]
fn pages_are_compared_in_linear_time() {
    let page = |last: &str| {
        let lines: Vec<String> = (0..30_000).map(|line| format!("<div><p>line {line} {last}")).collect();
        format!("<main>{}", lines.concat())
    };
    assert!(changes(&page("a"), &page("b")));
    assert!(!changes(&page("a"), &(page("a") + "</main>")));
}

/// Many runs replace one long run without main text.
#[test]
fn many_runs_beside_one_are_an_update() {
    const RUNS: usize = 30_000;
    let other = (0..RUNS).map(|line| format!("<p>g{line}")).collect::<Vec<_>>().concat();
    let old = (0..RUNS).map(|line| format!("<p>u{line}<p>X")).collect::<Vec<_>>().concat();
    let (old, new) = (
        format!("<main><p>kept</p><p>X</p>{old}</main>"),
        format!("<main><p>kept</p><p>X</p></main>{other}"),
    );
    assert!(changes(&old, &new));
}

#[test]
fn snapshots_of_one_body_share_it() {
    let one = at(day(1), &framed("<p>Five are missing."));
    let many = (1..=2_000).map(|number| one.again(day(number), Some(day(1)))).collect();
    let update = last_update(many).unwrap();
    assert_eq!((update.after, update.before, update.by), (None, day(1), Some(EvidenceSource::LastModified)));
}

const MARKUP: &str =
    "(<p>|<main>|</main>|<br>|<aside>|</aside>|<pre>|\n|a|b|c|1|<table><td>|2 May 2026|3 views){0,20}";

proptest::proptest! {
    #[test]
    fn a_page_does_not_differ_from_itself(html in MARKUP, other in MARKUP) {
        let (one, other) = (at(day(1), &html), at(day(2), &other));
        proptest::prop_assert_eq!(one.change_to(&at(day(2), &format!("{html}<!-- -->"))), None);
        // The order of the snapshots does not affect whether there is a change.
        proptest::prop_assert_eq!(one.change_to(&other).is_some(), other.change_to(&one).is_some());
        last_update(vec![one, other]);
    }
}
