//! What a program of somebody else may rely on.

use crate::fakes::{joined, response, url};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use tsugi::detect::{Detect, Findings, Pair};
use tsugi::document::Images;
use tsugi::fetch::{FetchImage, Guard};
use tsugi::models::{ContentModel, Focus, built_in_models};
use tsugi::page::{Content, Evidence, UnavailableKind};
use tsugi::roles::RoleSet;
use tsugi::rules::Siteinfo;
use tsugi::scan::ScanLine;
use tsugi::{
    Document, Fetch, FetchError, Given, Http, JoinOptions, Page, Response, StopReason, Tsugi, Unavailable,
    Url, Verdict,
};

/// A sentence of an article, many times over.
fn body() -> String {
    "The keeper of the lamp writes down the weather of the day, the boats that pass and the price of the oil. ".repeat(40)
}

/// An article that the page holds as data.
fn held_as_data() -> String {
    format!(
        "<!doctype html><title>The lamp</title><div id=app></div><script type='application/ld+json'>\
         {{\"@context\":\"https://schema.org\",\"@type\":\"NewsArticle\",\"headline\":\"The lamp\",\
         \"url\":\"https://a.test/lamp\",\"articleBody\":\"{}\"}}</script>",
        body()
    )
}

/// An article whose next page is behind a button.
fn behind_a_button() -> String {
    format!(
        "<title>The lamp</title><main><h1>The lamp</h1><p>{}</p></main>\
         <div class=pagination><b>1</b> <a href='#'>2</a> <a href='#'>Next</a></div>",
        body()
    )
}

fn joined_alone(tsugi: &Tsugi, html: &str) -> Document {
    let get = |at: &Url| Ok(Response::new(at.clone(), html));
    let pages = tsugi.reassemble(&url("https://a.test/lamp"), &JoinOptions::default(), get);
    pages.unwrap().into_document()
}

/// Forwards everything, and changes one thing.
#[derive(Debug)]
struct Wrapper(Tsugi, fn(&mut Findings));

impl Detect for Wrapper {
    fn find(&self, page: &Page) -> Findings {
        let mut found = self.0.find(page);
        (self.1)(&mut found);
        found
    }

    fn judge(&self, pair: &Pair<'_>) -> Option<Verdict> {
        self.0.judge(pair)
    }
}

#[test]
fn a_detector_that_forwards_loses_nothing() {
    let wrapped = Tsugi::new().with_detector(Wrapper(Tsugi::new(), |_| ()));
    for html in [held_as_data(), behind_a_button()] {
        let (own, forwarded) = (joined_alone(&Tsugi::new(), &html), joined_alone(&wrapped, &html));
        assert!(own.text.len() > 4000, "{}", own.text);
        assert_eq!(own.json_line(), forwarded.json_line());
    }
    assert!(!joined_alone(&wrapped, &behind_a_button()).is_complete());
}

#[test]
fn a_detector_changes_one_thing() {
    let nothing = |found: &mut Findings| found.content = Content::nothing(Evidence::Model);
    let blind = Tsugi::new().with_detector(Wrapper(Tsugi::new(), nothing));
    let page = Page::from_text(&behind_a_button(), &url("https://a.test/lamp"));
    assert!(blind.look(&page).content().nodes().is_empty());
    assert!(blind.look(&page).unfollowable().is_some());
    // Nodes of another page are none of this one.
    let foreign = |found: &mut Findings| {
        let other = Page::from_text(&"<p>x".repeat(5000), &url("https://a.test/"));
        found.content.nodes = other.elements().skip(4000).collect();
    };
    let confused = Tsugi::new().with_detector(Wrapper(Tsugi::new(), foreign));
    assert_eq!(confused.look(&page).content().text(), "");
}

#[test]
fn content_knows_its_page() {
    let page = Page::from_text(&held_as_data(), &url("https://a.test/lamp"));
    let tsugi = Tsugi::new();
    let look = tsugi.look(&page);
    let content = look.content();
    assert_eq!(content.evidence(), &Evidence::Embedded);
    assert!(
        content.markdown().len() > 4000 && content.nodes().iter().all(|node| content.page().holds(*node))
    );
}

#[test]
fn an_answer_that_is_no_page_is_unavailable() {
    for (status, media, body, kind) in [
        (
            404,
            "text/html",
            "<title>Not here</title><p>This page is not here any more.</p>",
            UnavailableKind::Status,
        ),
        (200, "application/pdf", "%PDF-1.4 binary", UnavailableKind::NotHtml),
        (200, "text/html", "%PDF-1.4 binary", UnavailableKind::NotHtml),
        (206, "text/html", "<p>Half a page.", UnavailableKind::Partial),
    ] {
        let at = url("https://a.test/story");
        let mut following = Tsugi::new().follow(at.clone(), &JoinOptions::default());
        let answer = Response {
            url: at.clone(),
            status,
            content_type: Some(media.into()),
            link: None,
            body: body.into(),
        };
        assert!(
            matches!(following.give(Ok(answer.clone())), Given::Failed(error) if error.kind == kind),
            "{media}"
        );
        assert_eq!(following.finish().unwrap_err().kind, kind, "{status} {media}");
        let reassembled = Tsugi::new().reassemble(&at, &JoinOptions::default(), |_| Ok(answer.clone()));
        assert_eq!(reassembled.unwrap_err().kind, kind);
    }
}

#[test]
fn what_became_of_an_answer_is_told() {
    let page = |number: u32, rest: &str| {
        response(
            &format!("https://a.test/{number}"),
            &format!(
                "<title>The ferry</title><main><h1>The ferry</h1><p>Part {number}. {}</p></main>{rest}",
                body()
            ),
        )
    };
    let mut following =
        Tsugi::new().follow(url("https://a.test/1"), &JoinOptions::default().from_start(true));
    let two = page(2, "<a rel=prev href=1>Previous page</a>");
    let one = page(1, "<a rel=next href=2>Next page</a>");
    let asked = following.wanted().cloned();
    assert_eq!(asked, Some(url("https://a.test/1")));
    assert!(matches!(following.give(Ok(one)), Given::Added([part]) if part.by == "start"));
    assert!(matches!(following.give(Ok(two)), Given::Added([part]) if part.page.url().path() == "/2"));
    assert!(following.wanted().is_none());
    assert!(matches!(following.give(Ok(page(3, ""))), Given::Unasked));
    let mut following = Tsugi::new().follow(url("https://a.test/1"), &JoinOptions::default());
    following.give(Ok(page(1, "<a rel=next href=2>Next page</a>")));
    let lost = Unavailable::other(&url("https://a.test/2"), "the shelf is empty");
    let refused = following.give(Err(lost));
    assert!(
        matches!(refused, Given::Refused(stopped) if stopped.reason == StopReason::FetchFailed),
        "{refused:?}"
    );
    assert_eq!(following.stopped().unwrap().detail, "`https://a.test/2`: the shelf is empty");
}

#[test]
fn pages_are_slices_of_the_text() {
    let pages = crate::fakes::StoredPages::default()
        .page(
            "https://a.test/1",
            "<title>灯台</title><main><p>番人は毎日、天気と船と油の値段を書いた。</main><a rel=next href=2>",
        )
        .page("https://a.test/2", "<title>灯台</title><main><p>ある朝、番人は何も書かなかった。</main>");
    let document = joined(&pages, JoinOptions::default()).into_document();
    assert_eq!(document.page_text(0), Some("番人は毎日、天気と船と油の値段を書いた。"));
    assert_eq!(&document.text[document.pages[1].text.clone()], "ある朝、番人は何も書かなかった。");
    assert_eq!(document.page_text(2), None);
    assert_eq!(document.page_characters(), [0..20, 21..37]);
    assert_eq!(document.clone().markdown(), document.markdown());
}

#[test]
fn the_focus_is_that_said_last() {
    let html = "<nav><a href=/>Home</a></nav><main><h1>The mill</h1><p>It has ground corn for three hundred years, and the \
        river has never once run dry.</p></main><aside><p>Read more about the mill and its river in the guide of the town.</p></aside>";
    let page = Page::from_text(html, &url("https://a.test/mill"));
    let length = |tsugi: Tsugi| tsugi.look(&page).content().text().len();
    let model = || ContentModel::from_bytes(built_in_models().nth(1).unwrap().1).unwrap();
    let (balanced, recall) = (length(Tsugi::new()), length(Tsugi::new().with_focus(Focus::Recall)));
    assert!(recall > balanced);
    assert_eq!(length(Tsugi::new().with_focus(Focus::Recall).with_content_model(model())), recall);
    assert_eq!(length(Tsugi::new().with_content_model(model()).with_focus(Focus::Recall)), recall);
    assert_eq!(length(Tsugi::new().with_focus(Focus::Recall).with_focus(Focus::Balanced)), balanced);
}

#[test]
fn debugging_prints_a_line_and_no_model() {
    let tsugi = Tsugi::new();
    let page = Page::from_text(&behind_a_button(), &url("https://a.test/lamp"));
    let look = tsugi.look(&page);
    look.next();
    look.content();
    let following = tsugi.follow(url("https://a.test/1"), &JoinOptions::default());
    let document = joined_alone(&tsugi, &behind_a_button());
    for shown in
        [format!("{look:?}"), format!("{tsugi:?}"), format!("{following:?}"), format!("{document:?}")]
    {
        assert!(shown.len() < 1000, "{shown}");
    }
    assert!(format!("{page:?}").contains("https://a.test/lamp"));
}

#[test]
fn a_rule_of_ones_own_that_cannot_be_read_is_an_error() {
    let rules = br#"[{"name": "R", "data": {"url": "^https://a\\.test/(", "nextLink": "//a", "pageElement": "//main"}}]"#;
    let error = Siteinfo::read(rules).unwrap_err().to_string();
    assert!(error.contains("`R`") && error.contains("url"), "{error}");
}

#[test]
fn a_client_may_ask_this_machine_and_fetches_images() {
    let guard = Guard::public().and("127.0.0.1".parse().unwrap());
    let http = Http::builder("my-reader/1.0").guard(guard).proxy(false).retries(0).build().unwrap();
    let document = joined_alone(&Tsugi::new(), &behind_a_button());
    Images::of(&document, |at| http.fetch_image(at).ok().map(|image| image.body), |_| ());
}

fn is_send(_: &impl Send) {}

/// Runs a future that is always ready.
fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("nothing waits"),
    }
}

#[test]
fn pages_are_joined_in_asynchronous_code() {
    let mut asked = 0;
    let get = async |at: &Url| {
        asked += 1;
        poll_fn(|_| Poll::Ready(())).await;
        match at.path() {
            "/1" => Ok(Response::new(
                at.clone(),
                format!("<main><p>Part 1. {}</main><a rel=next href=2>Next page</a>", body()),
            )),
            _ => Err(Unavailable::other(at, "nothing here")),
        }
    };
    let tsugi = Tsugi::new();
    let document = ready(tsugi.join_async(url("https://a.test/1"), &JoinOptions::default(), get)).unwrap();
    assert_eq!((asked, document.pages.len(), document.stopped.reason), (2, 1, StopReason::FetchFailed));
    is_send(&document);
}

#[test]
fn storage_of_ones_own_has_errors_of_its_own() {
    struct Shelf;
    impl Fetch for Shelf {
        fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
            Err(FetchError::Other { url: url.clone(), source: "the shelf is empty".into() })
        }
    }
    let error = Tsugi::new().join(&url("https://a.test/1"), &Shelf).unwrap_err();
    assert_eq!(error.kind, UnavailableKind::Failed);
    assert_eq!(error.to_string(), "cannot get `https://a.test/1`: the shelf is empty");
    let source = std::error::Error::source(&error).unwrap();
    assert!(
        source.downcast_ref::<FetchError>().is_some_and(|error| matches!(error, FetchError::Other { .. }))
    );
    // Also without knowing the type.
    let pages: Box<dyn Fetch> = Box::new(Shelf);
    assert!(Tsugi::new().join(&url("https://a.test/1"), &*pages).is_err());
}

#[cfg(feature = "serde")]
fn again<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    assert_eq!(&serde_json::from_str::<T>(&serde_json::to_string(value).unwrap()).unwrap(), value);
}

#[cfg(feature = "serde")]
#[test]
fn results_are_written_and_read() {
    let tsugi = Tsugi::new();
    let page = Page::from_text(&behind_a_button(), &url("https://a.test/lamp"));
    let look = tsugi.look(&page);
    let document = joined_alone(&tsugi, &behind_a_button());
    again(look.content().as_content());
    again(&look.best().cloned());
    again(&look.metadata());
    again(&look.explain(3));
    again(&document.stopped);
    assert_eq!(serde_json::to_string(&document).unwrap(), document.json_line());
}

#[test]
fn answers_are_the_same_in_whatever_order_they_are_asked() {
    let tsugi = Tsugi::new();
    let html = behind_a_button().replace("<h1>", "<p class=byline>By Ann Lee, 12 May 2020</p><h1>");
    let page = Page::from_text(&html, &url("https://a.test/story?page=2"));
    for keep in [None, Some(RoleSet::BODY)] {
        let line = |look: &tsugi::Look<'_>| serde_json::to_string(&ScanLine::keeping(look, keep)).unwrap();
        let alone = line(&tsugi.look(&page));
        let look = tsugi.look(&page);
        let asked = (look.unfollowable(), look.previous(), look.content().text(), look.explain(3));
        assert_eq!(line(&look), alone, "the content was chosen before");
        // The line gave up what was known of the links.
        assert_eq!((look.unfollowable(), look.previous(), look.content().text(), look.explain(3)), asked);
        assert!(asked.0.is_some() && !alone.is_empty());
    }
}
