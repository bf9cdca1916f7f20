//! Pages that say they go on and do not, and pages that mean harm: what is joined, and what is not. By the models.

use crate::support::{
    CannedAnswer, DONE, LoopbackServer, ProgramRun, TestFolder, canned, data, html, labelled_texts,
    paragraphs, tsugi, typed,
};
use serde_json::Value;
use std::fmt::Write as _;

const PATHS: [&str; 4] = [
    "/features/tide-mill/1.html",
    "/features/tide-mill/2.html",
    "/features/tide-mill/3.html",
    "/features/tide-mill/4.html",
];

fn page(number: usize) -> String {
    std::fs::read_to_string(data(&format!("english-article/{number}.html"))).unwrap()
}

const ALL: [&str; 4] = ["1.html", "2.html", "3.html", "4.html"];

/// A page with something else in its `main`.
fn with_main(html: &str, main: &str) -> String {
    let (start, end) = (html.find("<main").unwrap(), html.find("</main>").unwrap());
    format!("{}<main>{main}{}", &html[..start], &html[end..])
}

/// The article on a server, one page of it changed, and other pages.
fn site(number: usize, change: impl Fn(String) -> String, others: Vec<CannedAnswer>) -> LoopbackServer {
    let mut answers = others;
    for (at, path) in PATHS.into_iter().enumerate() {
        let page = page(at + 1);
        answers.push((path, html(if at + 1 == number { change(page) } else { page })));
    }
    LoopbackServer::start(canned(answers))
}

/// A page built as those of the article are, with another story in it.
fn other_story(title: &str, words: &str) -> String {
    let main = format!("<article><h1>{title}</h1>{}</article>", format!("<p>{words}</p>").repeat(5));
    let html = with_main(&page(1), &main).replace("The Mill That Keeps the Moon’s Hours", title);
    html.replace("tide-mill/1.html", "elsewhere/1.html")
}

fn join(server: &LoopbackServer, path: &str, options: &[&str]) -> ProgramRun {
    tsugi(&[&["join", &server.address(path), "-f", "json"], options].concat())
}

fn pages(document: &Value) -> Vec<String> {
    let urls = document["pages"].as_array().unwrap().iter().map(|page| page["url"].as_str().unwrap());
    urls.map(|url| url.splitn(4, '/').nth(3).unwrap().replace("features/tide-mill/", "")).collect()
}

fn reason(document: &Value) -> &str {
    document["stopped"]["reason"].as_str().unwrap()
}

/// Takes the link to the next page of the story's last page for one that leads on.
fn leads_on(html: &str, to: &str, label: &str) -> String {
    let end = html.find("</article>").unwrap();
    format!(
        "{}<nav class=\"pager\"><a class=\"pager-prev\" href=\"3.html\">‹ Previous page</a> <a class=\"pager-next\" href=\"{to}\">{label} ›</a></nav>{}",
        &html[..end],
        &html[end..]
    )
}

#[test]
fn pages_say_why_they_belong_together() {
    let server = site(0, |html| html, Vec::new());
    let document = join(&server, PATHS[0], &[]).exits(DONE).json();
    assert_eq!(pages(&document), ALL);
    let verified: Vec<&Value> =
        document["pages"].as_array().unwrap().iter().map(|page| &page["verified"]).collect();
    assert!(verified[0].is_null());
    for verdict in &verified[1..] {
        assert!(verdict["score"].as_f64().unwrap() > 0.5, "{verdict}");
        let reasons = verdict["for"].as_array().unwrap();
        assert!(!reasons.is_empty() && reasons.iter().all(Value::is_string), "{verdict}");
    }
}

/// Asserts that the document ends before the page behind its last link.
#[track_caller]
fn ends_after(document: &Value, expected: &[&str], what: &str) {
    let stopped = &document["stopped"];
    assert_eq!(pages(document), expected, "{what}: {stopped}");
    assert!(["not-a-continuation", "no-next"].contains(&reason(document)), "{what}: {stopped}");
}

#[test]
fn a_next_link_that_leads_home_ends_the_document() {
    let home =
        ("/", html(other_story("The Estuary Review", "News of the shore, and of the hills above it.")));
    let server = site(2, |html| html.replace("\"3.html\"", "\"/\""), vec![home]);
    let document = join(&server, PATHS[0], &[]).exits(DONE).json();
    ends_after(&document, &ALL[..2], "home");
    assert!(!document["text"].as_str().unwrap().contains("News of the shore"));
}

#[test]
fn the_next_post_is_no_next_page() {
    let words =
        "A pan of salt water takes a week to dry in June, and does not dry at all in a wet September.";
    let post = ("/features/salt-pans/1.html", html(other_story("The last salt pans of Corrow Bay", words)));
    for label in ["Next article", "Next", "Next page"] {
        let server = site(4, |html| leads_on(&html, "../salt-pans/1.html", label), vec![post.clone()]);
        ends_after(&join(&server, PATHS[0], &[]).exits(DONE).json(), &ALL, label);
    }
}

#[test]
fn pages_past_the_end_are_not_joined() {
    let sorry = "<h1>Sorry</h1><p>There is nothing here.</p>";
    for (what, fifth) in [
        ("an empty one", with_main(&page(4), "")),
        ("one that is sorry", with_main(&page(4), sorry)),
        ("the last again", page(4).replace("4.html", "5.html")),
        ("the first again", page(1)),
    ] {
        let fifth = ("/features/tide-mill/5.html", html(fifth));
        let server = site(4, |html| leads_on(&html, "5.html", "Next page"), vec![fifth]);
        let document = join(&server, PATHS[0], &[]).exits(DONE).json();
        ends_after(&document, &ALL, what);
        assert_eq!(reason(&document), "not-a-continuation", "{what}: {}", document["stopped"]);
    }
}

#[test]
fn a_document_begins_at_its_first_page() {
    let server = site(0, |html| html, Vec::new());
    let whole = join(&server, PATHS[0], &[]).exits(DONE).json();
    for start in PATHS {
        let document = join(&server, start, &["--from-start"]).exits(DONE).json();
        assert_eq!(pages(&document), ALL, "{start}");
        assert_eq!(document["text"], whole["text"]);
    }
    assert_eq!(pages(&join(&server, PATHS[2], &[]).exits(DONE).json()), ["3.html", "4.html"]);
}

#[test]
fn one_page_that_holds_all_is_taken_unless_it_is_not_wanted() {
    let article = |html: &str| {
        let (start, end) = (html.find("<article").unwrap(), html.find("</article>").unwrap());
        html[start..end].to_owned()
    };
    let link = "<p><a href=\"all.html\">Read on a single page</a></p></article>";
    let all: String = (1..=4).map(|number| article(&page(number)) + "</article>").collect();
    // Its pager is gone.
    let all = all.replace("pager-next", "x").replace("Next page", "").replace("Previous page", "");
    let all = (1..=4).fold(all, |all, number| all.replace(&format!("href=\"{number}.html\""), ""));
    let whole = with_main(&page(1), &all);
    let server = site(
        1,
        |html| html.replacen("</article>", link, 1),
        vec![("/features/tide-mill/all.html", html(whole))],
    );
    let document = join(&server, PATHS[0], &[]).exits(DONE).json();
    assert_eq!(pages(&document), ["all.html"], "{}", document["stopped"]);
    assert_eq!((&document["pages"][0]["by"], reason(&document)), (&"single-page".into(), "no-next"));
    let text = document["text"].as_str().unwrap();
    for page in labelled_texts("/tide-mill/") {
        assert!(paragraphs(&page).all(|paragraph| text.contains(paragraph)));
    }
    let document = join(&server, PATHS[0], &["--single-page", "never"]).exits(DONE).json();
    assert_eq!(pages(&document), ALL);
}

#[test]
fn pages_that_grow_end_at_the_limit() {
    let mut answers = Vec::new();
    let mut held = String::new();
    for at in 0..12 {
        for entry in 0..20 {
            let _ = write!(
                held,
                "<p>Entry {at}.{entry} of a list that holds all that was there before, and more.</p>"
            );
        }
        let next = format!("<p><a href=\"/list/{}\">Next page</a></p>", at + 2);
        let page = format!("<!DOCTYPE html><html lang=en><title>List</title><main>{held}</main>{next}");
        answers.push((format!("/list/{}", at + 1), html(page)));
    }
    let server = LoopbackServer::start(canned(answers));
    let document = join(&server, "/list/1", &["--max-pages", "8"]).json();
    assert!(
        ["max-pages", "not-a-continuation", "no-next"].contains(&reason(&document)),
        "{}",
        document["stopped"]
    );
    assert!(document["pages"].as_array().unwrap().len() <= 8);
    // Nothing is told eight times.
    assert!(document["text"].as_str().unwrap().matches("Entry 0.0 ").count() <= 2);
}

#[test]
fn pages_that_mean_harm_end_in_a_document_without_it() {
    let deep = "<div>".repeat(100_000);
    let links = "<a href=x>x</a> ".repeat(100_000);
    let script = "<script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)></svg>\
                  <a href='javascript:alert(4)'>x</a><iframe srcdoc='<script>alert(5)</script>'></iframe>\
                  <math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(6)&gt;'>\
                  <noscript><p title='</noscript><img src=x onerror=alert(7)>'></noscript>";
    for harm in [&deep, &links, script] {
        let at = |html: String| html.replacen("</h1>", &format!("</h1>{harm}"), 1);
        let server = site(2, at, Vec::new());
        let folder = TestFolder::new();
        let file = folder.path("out.html");
        tsugi(&["join", &server.address(PATHS[0]), "-f", "html", "-o", &file])
            .exits(DONE)
            .says(&["stopped: "]);
        let html = folder.read("out.html");
        assert!(html.contains("At ten past four in the morning"), "page 1 is kept");
        let active =
            ["<script", "onerror=", "onload=", "javascript:", "<iframe", "<svg", "<style><", "srcdoc"];
        for word in active {
            assert!(!html.contains(word), "`{word}` in: {html}");
        }
    }
}

#[test]
fn a_charset_that_is_none_or_hides_markup_is_no_way_in() {
    for media in
        ["text/html; charset=utf-7", "text/html; charset=x-mac-klingon", "text/html; charset=iso-2022-cn"]
    {
        let html = "<p>+ADw-script+AD4-alert(1)+ADw-/script+AD4- and a paragraph that is long enough to be read as text.";
        let body =
            format!("<!DOCTYPE html><html lang=en><title>T</title><main><h1>T</h1>{}</main>", html.repeat(4));
        let server = LoopbackServer::start(canned([("/1", typed(media, body))]));
        let html = tsugi(&["join", &server.address("/1"), "-f", "html"]).exits(DONE).stdout;
        assert!(!html.contains("<script"), "{media}: {html}");
        assert!(html.contains("long enough to be read"), "{media}: {html}");
    }
}
