//! How a document ends: pages that bring nothing new, pages that are missing, and pages that are something else.

use crate::fakes::{Marked, StoredPages, joined, joined_from, marked, url};
use std::cell::RefCell;
use tsugi::detect::{Detect, Findings, Pair};
use tsugi::document::stitch;
use tsugi::page::{Evidence, Relation};
use tsugi::rules::Siteinfo;
use tsugi::scan::ScanLine;
use tsugi::{
    Comments, JoinOptions, Page, Reassembly, Response, StopReason, Tsugi, Unavailable, Url, Verdict,
};

/// Paragraphs of a page, which are those of no other.
fn prose(page: u32) -> String {
    let line = |n: u32| {
        format!(
            "<p>Paragraph {n} of page {page} tells at some length what happened in the year {}, and to whom.</p>",
            1000 + 17 * page + n
        )
    };
    (0..24).map(line).collect()
}

/// A page of a site that answers every number, with a next link that counts on.
fn counted(number: u32, heading: &str, body: &str, rest: &str) -> String {
    let before = number.saturating_sub(1);
    format!(
        "<title>{heading} | The Mill</title><main><h1>{heading}</h1>{body}</main>{rest}\
         <a rel=prev href='?p={before}'>Previous</a><a rel=next href='?p={}'>Next</a>",
        number + 1
    )
}

/// Joins the pages of such a site, and returns the addresses that were asked for.
fn endless(answer: impl Fn(u32) -> String) -> (Reassembly, Vec<String>) {
    let asked = RefCell::new(Vec::new());
    let get = |at: &Url| {
        let number = at.query().and_then(|query| query.strip_prefix("p=")?.parse().ok()).unwrap_or(1);
        asked.borrow_mut().push(at.to_string());
        Ok(Response::new(at.clone(), answer(number)))
    };
    let joined = marked().reassemble(&url("https://a.test/mill"), &JoinOptions::default(), get).unwrap();
    (joined, asked.into_inner())
}

/// Joins three pages and what a site answers past them; there may be no page more, and two requests at most are useless.
#[track_caller]
fn ends_after_three(what: &str, answer: impl Fn(u32) -> String) {
    let (joined, asked) = endless(answer);
    assert_eq!(joined.parts.len(), 3, "{what}: {:?}", joined.stopped);
    assert_eq!(joined.stopped.reason, StopReason::NotAContinuation, "{what}");
    assert!(joined.stopped.complete, "{what}");
    assert!(asked.len() <= 5, "{what}: {asked:?}");
}

const CHANGING: [&str; 5] = [
    "<p>Page made in {} ms for visitor 8{}9.</p>",
    "<p>Besucher Nummer {}7 heute, gerendert in 0,{} Sekunden.</p>",
    "<p>あなたは{}番目の訪問者です。表示に{}ミリ秒かかりました。</p>",
    "<p>Offer of the hour: {} percent off all tide tables, only for readers {}!</p>",
    "<div><p>“Quote {} of the day: who digs a pit, number {}.”</p></div>",
];

fn changing(line: &str, number: u32) -> String {
    line.replace("{}", &(number * 31 % 97).to_string())
}

#[test]
fn the_last_page_again_ends_whatever_line_of_it_changes() {
    for line in CHANGING {
        ends_after_three(line, |number| {
            counted(number, "The tide mill", &(prose(number.min(3)) + &changing(line, number)), "")
        });
    }
}

#[test]
fn the_first_page_again_ends_a_document() {
    for line in CHANGING {
        ends_after_three(line, |number| {
            let shown = if number > 3 { 1 } else { number };
            counted(number, "The tide mill", &(prose(shown) + &changing(line, number)), "")
        });
    }
}

#[test]
fn a_page_of_the_middle_again_ends_a_document() {
    ends_after_three("page 2", |number| {
        let shown = if number > 3 { 2 } else { number };
        let counter = format!("<h2>Page {number}</h2>");
        counted(number, "The tide mill", &(counter + &prose(shown) + &changing(CHANGING[0], number)), "")
    });
}

#[test]
fn a_page_that_says_that_there_is_no_more_ends_a_document() {
    let sorry = [
        "<p>There is nothing more to show here.</p>",
        "<p>Keine weiteren Seiten.</p>",
        "<p>これ以上の記事はありません。</p>",
        "<p>Nothing found. Try another section.</p>",
    ];
    for sorry in sorry {
        for line in ["", CHANGING[0]] {
            ends_after_three(sorry, |number| {
                let body = if number > 3 { sorry.to_owned() } else { prose(number) };
                counted(number, "The tide mill", &(body + &changing(line, number)), "")
            });
        }
    }
}

#[test]
fn related_stories_that_change_are_no_news() {
    let stories = |number: u32| {
        let item = |n: u32| {
            let at = number * 10 + n;
            format!(
                "<li><a href=/s/{at}>The {at}th story about something quite different from the mill</a></li>"
            )
        };
        format!("<h3><a href=/stories>More stories</a></h3><ul>{}</ul>", (0..4).map(item).collect::<String>())
    };
    ends_after_three("the last page", |number| {
        counted(number, "The tide mill", &(prose(number.min(3)) + &stories(number)), "")
    });
    ends_after_three("no more", |number| {
        let body = if number > 3 { "<p>No more pages.</p>".to_owned() } else { prose(number) };
        counted(number, "The tide mill", &(body + &stories(number)), "")
    });
}

/// Joins five pages, each of which has a link to the next.
#[track_caller]
fn all_five(what: &str, page: impl Fn(u32) -> String) {
    let stored = (1..=5).fold(StoredPages::default(), |stored, number| {
        let next = if number < 5 { format!("<a rel=next href={}>", number + 1) } else { String::new() };
        stored.page(&format!("https://a.test/{number}"), &format!("{}{next}", page(number)))
    });
    let joined = joined(&stored, JoinOptions::default());
    assert_eq!((joined.parts.len(), joined.stopped.reason), (5, StopReason::NoNext), "{what}");
}

#[test]
fn pages_that_bring_something_else_than_prose_are_kept() {
    let standing = prose(0);
    all_five("a table of contents, then chapters", |n| {
        let contents = (1..20)
            .map(|n| format!("<li><a href=#{n}>Section {n} of the manual</a>"))
            .collect::<Vec<_>>()
            .concat();
        let body = if n == 1 { format!("<ul>{contents}</ul>") } else { prose(n) };
        format!("<main><h1>Chapter {n}</h1>{body}</main>")
    });
    all_five("parts with a title alone", |n| {
        let names = ["One", "Two", "Three", "Four", "Five"];
        let body = if n % 2 == 0 { String::new() } else { prose(n) };
        format!("<main><h1>Part {}</h1>{body}</main>", names[n as usize - 1])
    });
    all_five("a gallery below the same text", |n| {
        format!("<main><h1>A walk</h1>{standing}<img src={n}.jpg></main>")
    });
    all_five("a list of posts below the same text", |n| {
        let posts = (0..30)
            .map(|post| {
                format!("<li><a href=/p/{n}/{post}>Post {post} of list {n}, and its long title</a></li>")
            })
            .collect::<Vec<_>>()
            .concat();
        format!("<main><h1>All posts</h1>{standing}<ul>{posts}</ul></main>")
    });
    all_five("a table below the same text", |n| {
        let rows = (0..40)
            .map(|row| format!("<tr><td>{row}</td><td>{}</td></tr>", row * n))
            .collect::<Vec<_>>()
            .concat();
        format!("<main><h1>Tides</h1>{standing}<table>{rows}</table></main>")
    });
    all_five("chapters that are short by turns", |n| {
        let body = if n == 3 { "<p>It rained.</p>".to_owned() } else { prose(n) };
        format!("<main><h2>{}</h2>{body}</main>", ["Ann", "Ben", "Cat", "Dan", "Eve"][n as usize - 1])
    });
    all_five("a thread that opens every page with its first post", |n| {
        let replies = (0..3)
            .map(|reply| format!("<p>Reply {reply} on page {n}: I have seen that too, years ago.</p>"))
            .collect::<Vec<_>>()
            .concat();
        format!("<main><h1>A thread</h1>{standing}{replies}</main>")
    });
}

#[test]
fn a_short_last_page_is_kept() {
    let stored = StoredPages::default()
        .page("https://a.test/1", &format!("<main>{}</main><a rel=next href=2>", prose(1)))
        .page("https://a.test/2", "<main><p>So it ended.</p></main>");
    assert_eq!(joined(&stored, JoinOptions::default()).parts.len(), 2);
}

#[test]
fn a_page_that_is_gone_is_probably_past_the_end() {
    let stopped = |pages: u32, status: u16| {
        let get = |at: &Url| {
            let number: u32 = at.path().trim_start_matches('/').parse().unwrap();
            let body = format!("<main>{}</main><a rel=next href={}>", prose(number), number + 1);
            let status = if number > pages { status } else { 200 };
            Ok(Response { status, ..Response::new(at.clone(), body) })
        };
        marked().reassemble(&url("https://a.test/1"), &JoinOptions::default(), get).unwrap().stopped
    };
    for status in [404, 410] {
        let ended = stopped(3, status);
        assert_eq!((ended.reason, ended.complete), (StopReason::FetchFailed, true), "{status}");
        assert!(ended.detail.ends_with("; this is probably the end"), "{}", ended.detail);
        assert!(!stopped(1, status).complete, "one page is no series");
    }
    for status in [403, 500, 503] {
        assert!(!stopped(3, status).complete, "{status}");
    }
}

#[test]
fn a_page_that_leads_on_by_itself_is_stepped_through() {
    let stub =
        |to: &str| format!("<meta http-equiv=refresh content='0; url={to}'><main><p>Go on.</p></main>");
    let page = |number: u32, next: &str| format!("<main>{}</main>{next}", prose(number));
    let stored = StoredPages::default()
        .page("https://a.test/1", &page(1, "<a rel=next href=go/2>"))
        .page("https://a.test/go/2", &stub("/go/on"))
        .page("https://a.test/go/on", &stub("/2"))
        .page("https://a.test/2", &page(2, "<a rel=next href=go/3>"))
        .page("https://a.test/go/3", &stub("/1"));
    let paths = |joined: &Reassembly| -> Vec<String> {
        joined.parts.iter().map(|part| part.page.url().path().to_owned()).collect()
    };
    // The last one leads back, so it is a page like any other, and has no more than its words.
    let joined = joined(&stored, JoinOptions::default());
    assert_eq!(paths(&joined), ["/1", "/2", "/go/3"]);
    let from = |start: &str, stored: &StoredPages| {
        let get = |at: &Url| stored.get(at);
        marked().reassemble(&url(start), &JoinOptions::default(), get).unwrap()
    };
    assert_eq!(paths(&from("https://a.test/go/2", &stored)), ["/2", "/1"]);
    // Too many in a row, a page that is missing, another host, itself.
    let chain = (1..=5).fold(StoredPages::default(), |stored, number| {
        stored.page(&format!("https://a.test/s/{number}"), &stub(&format!("/s/{}", number + 1)))
    });
    assert_eq!(paths(&from("https://a.test/s/1", &chain)), ["/s/4"]);
    for to in ["/missing", "https://b.test/", "/s/1", ""] {
        let alone = StoredPages::default().page("https://a.test/s/1", &stub(to));
        assert_eq!(paths(&from("https://a.test/s/1", &alone)), ["/s/1"], "{to}");
    }
    // A page that refreshes itself, and has something to read.
    let long = format!("<meta http-equiv=refresh content='300; url=/2'><main>{}</main>", prose(7));
    let news = StoredPages::default().page("https://a.test/1", &long).page("https://a.test/2", &page(2, ""));
    assert_eq!(paths(&from("https://a.test/1", &news)), ["/1"]);
}

#[test]
fn what_pages_say_of_further_ones_is_told() {
    let one = |rest: &str| {
        let stored =
            StoredPages::default().page("https://a.test/1", &format!("<main>{}</main>{rest}", prose(1)));
        joined(&stored, JoinOptions::default()).stopped
    };
    for counter in ["Page 1 of 3", "Seite 1 von 3", "第1页 共3页", "1/3ページ", "Страница 1 из 3"]
    {
        let stopped = one(&format!("<p class=pager>{counter}</p>"));
        assert_eq!((stopped.reason, stopped.complete), (StopReason::NoNext, false), "{counter}");
        assert!(stopped.detail.starts_with(&format!("the page says \"{counter}\"")), "{}", stopped.detail);
    }
    for counter in ["Page 3 of 3", "1/3 cup of oats", "Photo 1 of 12", ""] {
        assert!(one(&format!("<p>{counter}</p>")).complete, "{counter}");
    }
    // Who asks for the pages of a chapter does not miss the chapters after it.
    let chapters = format!("<main>{}</main><p class=pager>Chapter 3 of 5</p>", prose(1));
    let stored = StoredPages::default().page("https://a.test/1", &chapters);
    assert!(!joined(&stored, JoinOptions::default()).stopped.complete);
    assert!(joined(&stored, JoinOptions::default().relation(Relation::Page)).stopped.complete);
    for free in ["false", "\"False\"", "\"http://schema.org/False\""] {
        let data = |free: &str| {
            format!(
                "<script type=application/ld+json>{{\"@type\": \"NewsArticle\", \"headline\": \"Snow\", \
                 \"isAccessibleForFree\": {free}}}</script>"
            )
        };
        let stopped = one(&data(free));
        assert!(!stopped.complete && stopped.detail.contains("not everyone may read"), "{}", stopped.detail);
        assert!(one(&data("true")).complete);
        // What is there is not missing.
        assert!(one(&(data(free) + "<main>" + &prose(2) + &prose(3) + "</main>")).complete);
        for selector in [".paid", "main.paid", "#paid", ".more, .body .paid"] {
            let part = format!(
                "{free}, \"hasPart\": [{{\"isAccessibleForFree\": {free}, \"cssSelector\": \"{selector}\"}}]"
            );
            let shown = format!(
                "{}<main class='text paid' id=paid><p>{}</main>",
                data(&part),
                "This is for subscribers only. ".repeat(9)
            );
            assert!(one(&shown).complete && !one(&data(&part)).complete, "{selector}");
        }
    }
}

#[test]
fn a_next_link_to_another_host_is_told() {
    for to in ["https://b.test/2", "https://blog.a.test/2", "http://a.test:8080/2"] {
        let html = format!("<main>{}</main><div class=pager><a href='{to}'>Next page</a></div>", prose(1));
        let stored = StoredPages::default().page("https://a.test/1", &html);
        let stopped = joined(&stored, JoinOptions::default()).stopped;
        assert_eq!(
            (stopped.reason, stopped.complete),
            (StopReason::OffSite, false),
            "{to}: {}",
            stopped.detail
        );
        assert_eq!(stopped.at, url(to));
    }
}

#[test]
fn a_refused_page_is_missing_only_if_all_else_says_that_it_is_the_next() {
    let stopped = |title: &str, link: &str| {
        let stored = StoredPages::default()
            .page("https://a.test/1", &format!("<title>The mill</title><main>{}</main>{link}", prose(1)))
            .page("https://a.test/other/2", &format!("<title>{title}</title><main>{}</main>", prose(2)));
        joined(&stored, JoinOptions::default()).stopped
    };
    let next = "<a rel=next href=other/2>";
    for title in ["The mill", "The mill (2/2)"] {
        let stopped = stopped(title, next);
        assert_eq!((stopped.reason, stopped.complete), (StopReason::NotAContinuation, false), "{title}");
        assert!(stopped.detail.ends_with(", though the link says that it does"), "{}", stopped.detail);
    }
    assert!(stopped("The weir", next).complete, "another article");
}

#[test]
fn a_refused_page_that_brings_nothing_is_not_missing() {
    let is_complete = |refused: &str| {
        let title = "<title>The mill</title>";
        let stored = StoredPages::default()
            .page("https://a.test/1", &format!("{title}<main>{}</main><a rel=next href=other/2>", prose(1)))
            .page("https://a.test/other/2", &format!("{title}<main>{refused}</main>"));
        joined(&stored, JoinOptions::default()).stopped.complete
    };
    let comment = "<p>I have seen this mill myself, and it is smaller than one thinks, dear reader.</p>";
    assert!(is_complete(&(prose(1) + &comment.repeat(3))), "the article again, with other comments");
    assert!(is_complete("<p>There are no more items.</p><p>17 ms</p>"), "nothing more");
    assert!(!is_complete(&prose(2)), "more of it");
    assert!(!is_complete("<p>Here it stands.</p><img src=mill.jpg>"), "another picture");
}

#[test]
fn a_single_page_is_taken_where_nothing_else_leads_on() {
    let (one, all) = (prose(1), prose(1) + &prose(2) + &prose(3));
    let joined = |labelled: &str, whole: &str, options: JoinOptions| {
        let stored = StoredPages::default()
            .page("https://a.test/1", &format!("<main>{one}</main>{labelled}"))
            .page("https://a.test/all", whole);
        let asked = RefCell::new(0);
        let get = |at: &Url| -> Result<Response, Unavailable> {
            *asked.borrow_mut() += 1;
            stored.get(at)
        };
        let joined = marked().reassemble(&url("https://a.test/1"), &options, get).unwrap();
        let path = joined.parts[0].page.url().path().to_owned();
        (joined.parts.len(), path, asked.into_inner())
    };
    let single = JoinOptions::default().single_page(true);
    let whole = format!("<main>{all}</main>");
    for label in ["View as single page", "Auf einer Seite lesen", "全文表示"] {
        let link = format!("<a href=all>{label}</a>");
        assert_eq!(joined(&link, &whole, single), (1, "/all".to_owned(), 2), "{label}");
        let behind = format!("{link}<p>More.</p><button>Load more</button>");
        assert_eq!(joined(&behind, &whole, single), (1, "/all".to_owned(), 2), "{label} and a button");
        assert_eq!(joined(&link, &whole, JoinOptions::default()), (1, "/1".to_owned(), 1), "nobody asked");
    }
    // A model that takes the link for the next one does not hide what it is. A page is asked for once, whatever for.
    for score in ["0.9", "0.3"] {
        let link = format!("<a rel=next data-score={score} href=other/all>View as single page</a>");
        let stored = StoredPages::default()
            .page("https://a.test/1", &format!("<main>{one}</main>{link}"))
            .page("https://a.test/other/all", &whole);
        let held = joined_from(&stored, "https://a.test/1", single).unwrap();
        assert_eq!(held.parts[0].page.url().path(), "/other/all", "{score}");
        let of_nothing = StoredPages::default()
            .page("https://a.test/1", &format!("<main>{one}</main>{link}"))
            .page("https://a.test/other/all", &format!("<main>{one}</main>"));
        let held = joined_from(&of_nothing, "https://a.test/1", single).unwrap();
        assert_eq!((held.parts.len(), held.tried.len()), (1, 0), "{score}");
    }
    let link = "<a href=all>View as single page</a>";
    for (what, whole) in [
        ("page 1 alone", format!("<main>{one}</main>")),
        ("another article", format!("<main>{}{}</main>", prose(4), prose(5))),
        ("it goes on", format!("<main>{all}</main><a rel=next href=2>")),
        ("a list that has it", format!("<main>{}{}{one}</main>", prose(4), prose(5))),
    ] {
        assert_eq!(joined(link, &whole, single).1, "/1", "{what}");
    }
    let many = (0..5).map(|n| format!("<a href=all{n}>View as single page</a>")).collect::<Vec<_>>().concat();
    assert_eq!(joined(&many, &whole, single), (1, "/1".to_owned(), 3), "at most two are asked for");
}

#[test]
fn a_page_without_text_where_the_others_have_theirs_is_an_end() {
    let others = |number: u32| {
        let story =
            |other| format!("<h3>Story {other} of {number}</h3><p>What it is about, {number} times.</p>");
        (0..9).map(story).collect::<Vec<_>>().concat()
    };
    let text = |inner: &str| format!("<main class=date>3 May</main><main class=text>{inner}</main>");
    // Where there is no article, models take what else there is, with its place.
    let around = |inner: &str| format!("<main>{}{}</main>", text(inner), others(3));
    // What they find there may be the short end of a list.
    let beside = |inner: &str| format!("{}<main>{}</main>", text(inner), others(3));
    let held = |third: String| {
        let page = |number: u32| {
            let next = number + 1;
            format!("{}{}<a rel=next href={next}>", text(&prose(number)), others(number))
        };
        let stored = StoredPages::default()
            .page("https://a.test/1", &page(1))
            .page("https://a.test/2", &page(2))
            .page("https://a.test/3", &third);
        let joined = joined(&stored, JoinOptions::default());
        (joined.parts.len(), joined.stopped.detail)
    };
    let empty = "<p>There are no more items.</p><p>17 ms</p>";
    let told = (2, "the next page has almost no text where the pages before have theirs".to_owned());
    assert_eq!((held(around(empty)), held(beside(empty)).0), (told, 3));
    for last in [
        "<p>One.</p><p>Two.</p><p>Three.</p>".to_owned(),
        "<p>The end.</p><img src=mill.jpg>".to_owned(),
        prose(3),
    ] {
        assert_eq!((held(around(&last)).0, held(beside(&last)).0), (3, 3), "{last}");
    }
}

#[test]
fn the_single_page_that_a_rule_names_is_taken() {
    let (one, all) = (prose(1), prose(1) + &prose(2) + &prose(3));
    // Nothing about this link says what it is.
    let first =
        format!("<main>{one}</main><a class=w href=all>Dossier</a><a href=print>View as single page</a>");
    let stored = StoredPages::default()
        .page("https://a.test/1", &first)
        .page("https://a.test/all", &format!("<main>{all}</main>"));
    let read_at = |config: &str| {
        let rules = Siteinfo::read_rules(config.as_bytes(), "a.txt").unwrap();
        let single = JoinOptions::default().single_page(true);
        let tsugi = marked().with_rules(rules);
        let joined = tsugi.reassemble(&url("https://a.test/1"), &single, |at| stored.get(at)).unwrap();
        joined.parts[0].page.url().path().to_owned()
    };
    let config = "test_url: https://a.test/1\nbody: //main\nnext_page_link: //a[@rel='next']\n";
    assert_eq!(read_at(&format!("{config}single_page_link: //a[@class='w']")), "/all");
    assert_eq!(read_at(config), "/1", "a rule without one: nothing else is tried");
}

#[test]
fn title_author_and_date_of_a_rule_go_before_those_of_the_page() {
    let body = format!("<h2>The weir</h2><p class=who>Ann Lee</p><i>3 May 2024</i><main>{}</main>", prose(1));
    let page = format!("<title>Page 17</title><meta name=author content=CMS>{body}");
    let config =
        "test_url: https://a.test/1\nbody: //main\ntitle: //h2\nauthor: //p[@class='who']\ndate: //i\n";
    let tsugi = marked().with_rules(Siteinfo::read_rules(config.as_bytes(), "a.txt").unwrap());
    let stored = StoredPages::default().page("https://a.test/1", &page);
    let joined =
        tsugi.reassemble(&url("https://a.test/1"), &JoinOptions::default(), |at| stored.get(at)).unwrap();
    let document = stitch(joined);
    assert_eq!(document.title.as_deref(), Some("The weir"));
    assert_eq!(document.authors, ["Ann Lee"]);
    assert_eq!(document.published.as_deref(), Some("2024-05-03"));
    let page = Page::from_text(&page, &url("https://a.test/1"));
    assert_eq!(ScanLine::of(&tsugi.look(&page)).title.as_deref(), Some("The weir"));
}

#[test]
fn a_list_of_posts_does_not_continue_an_article() {
    let article = |at: &str| {
        format!(
            "<meta property=og:type content=article><title>{at}</title><main><h1>{at}</h1>{}</main><a rel=next href=2>",
            prose(1)
        )
    };
    let posts = (0..6)
        .map(|post| {
            format!(
                "<h2><a href=/p/{post}>Post {post} of many</a></h2><p>It begins like this, and so on.</p>"
            )
        })
        .collect::<Vec<_>>()
        .concat();
    let list = format!("<title>Posts</title><main>{posts}</main>");
    let pages = |first: &str, second: &str| {
        let stored = StoredPages::default().page("https://a.test/1", first).page("https://a.test/2", second);
        let joined = joined(&stored, JoinOptions::default());
        (joined.parts.len(), joined.stopped.detail)
    };
    let (count, detail) = pages(&article("A mill"), &list);
    assert_eq!((count, detail.as_str()), (1, "the next page is a list of posts, but this one is an article"));
    let first_list = list.replace("Post ", "Older post ") + "<a rel=next href=2>";
    assert_eq!(pages(&first_list, &list).0, 2, "lists go on");
    let more = format!("<title>A mill</title><main><h1>A mill</h1>{}</main>", prose(2));
    assert_eq!(pages(&article("A mill"), &more).0, 2, "so do articles");
}

/// Finds what is marked, as a model would: comments are no part of an article.
#[derive(Debug, Default)]
struct Commented(Marked);

impl Detect for Commented {
    fn find(&self, page: &Page) -> Findings {
        let mut found = self.0.find(page);
        found.content.evidence = Evidence::Model;
        found
    }

    fn judge(&self, pair: &Pair<'_>) -> Option<Verdict> {
        self.0.judge(pair)
    }
}

#[test]
fn a_page_of_comments_does_not_continue_an_article() {
    let comments = |page: u32| -> String {
        let one = |n: u32| {
            format!(
                "<li class=comment><b>Reader {n}</b> <time>1 May 2020</time><p>Comment {n} on page {page}: I have seen that mill, \
                 and it is as you say it is.</p><a href=#>Reply</a></li>"
            )
        };
        format!("<h2>12 comments</h2><ol>{}</ol>", (0..6).map(one).collect::<String>())
    };
    let article = format!(
        "<title>A mill</title><main><h1>A mill</h1>{}<aside class=comments id=comments>{}</aside></main><a rel=next href=2>Next</a>",
        prose(1),
        comments(1)
    );
    let second = |teaser: &str| {
        format!(
            "<title>A mill</title><main><h1>A mill</h1>{teaser}<aside class=comments id=comments>{}</aside></main>",
            comments(2)
        )
    };
    let tsugi = Tsugi::new().with_detector(Commented::default());
    let pages = |second: &str, options: JoinOptions| {
        let stored =
            StoredPages::default().page("https://a.test/1", &article).page("https://a.test/2", second);
        let joined = tsugi.reassemble(&url("https://a.test/1"), &options, |at| stored.get(at)).unwrap();
        (joined.parts.len(), joined.stopped.detail)
    };
    let alone = second("<p>By Ann.</p>");
    let (count, detail) = pages(&alone, JoinOptions::default());
    assert_eq!((count, detail.as_str()), (1, "the next page has hardly more than comments"));
    assert_eq!(pages(&alone, JoinOptions::default().comments(Comments::Keep)).0, 2);
    assert_eq!(pages(&alone, JoinOptions::default().comments(Comments::Only)).0, 2);
    assert_eq!(pages(&second(&prose(2)), JoinOptions::default()).0, 2, "it goes on, and has comments too");
}
