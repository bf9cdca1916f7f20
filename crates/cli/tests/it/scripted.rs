//! Pages that scripts draw, and plain text.

use crate::support::{DONE, LoopbackServer, NOTHING_FOUND, TestFolder, canned, tsugi, typed};
use serde_json::json;

const STORY: &str = "The ferry left at six in the morning. Nobody saw it go, for the fog was thick. \
    It came back at noon, with a cargo that no one had ordered. The captain said nothing, and went to bed. ";

fn drawn_page(data: &str) -> String {
    format!(
        "<!DOCTYPE html><html><head><title>The ferry at six</title></head><body><div id=__next></div>\
         <noscript>You need to enable JavaScript to run this app.</noscript>{data}</body></html>"
    )
}

#[test]
fn an_article_in_the_data_of_a_page_is_its_content() {
    let folder = TestFolder::new();
    let paragraphs =
        [format!("<p>{STORY}</p>"), format!("<h2>Noon</h2><p>{STORY}<script>alert(1)</script></p>")];
    let state =
        json!({"props": {"pageProps": {"post": {"title": "The ferry at six", "body": paragraphs.concat()}}}});
    let state = state.to_string().replace("</", "<\\/");
    let html = drawn_page(&format!("<script id=__NEXT_DATA__ type=application/json>{state}</script>"));
    let file = folder.file("ferry.html", html);
    let line = tsugi(&["scan", &file]).exits(DONE).json();
    assert_eq!((&line["content"]["by"], &line["content"]["nodes"]), (&json!("embedded"), &json!([])));
    let text = line["content"]["text"].as_str().unwrap();
    assert_eq!(text.lines().map(|line| &line[..4]).collect::<Vec<_>>(), ["The ", "Noon", "The "], "{text}");
    let document = tsugi(&["join", &file, "-f", "json"]).exits(DONE).json();
    assert_eq!(document["text"], line["content"]["text"]);
    assert_eq!(document["title"], "The ferry at six");
    assert_eq!(document["pages"][0]["content"]["by"], "embedded");
    let html = document["html"].as_str().unwrap();
    assert!(html.contains("<h2>Noon</h2>") && !html.contains("alert"), "{html}");
    tsugi(&["explain", &file]).exits(DONE);
}

#[test]
fn a_page_without_data_needs_scripts() {
    let folder = TestFolder::new();
    let file = folder.file("app.html", drawn_page("<script src=/app.js></script>"));
    tsugi(&["join", &file]).exits(NOTHING_FOUND).writes_nothing().says(&["no main content", "needs scripts"]);
    let line = tsugi(&["scan", &file]).exits(DONE).json();
    assert_eq!((&line["content"]["text"], &line["title"]), (&json!(""), &json!("The ferry at six")));
}

#[test]
fn plain_text_keeps_its_paragraphs() {
    let text = "The <b>ferry</b> left the harbour at six in the morning, when the fog was\n\
        still lying on the water and nobody on board could see farther than the\nrail.\n\n\
        tide   height\nlow       0.4\nhigh      3.1\n\nIt came back at noon.\n";
    let server = LoopbackServer::start(canned([("/ferry", typed("text/plain; charset=utf-8", text))]));
    let folder = TestFolder::new();
    for source in [server.address("/ferry"), folder.file("ferry.txt", text)] {
        let markdown = tsugi(&["join", &source]).exits(DONE).stdout;
        assert!(markdown.contains("when the fog was still lying on the water and"), "{markdown}");
        assert!(markdown.contains("low       0.4\nhigh      3.1\n"), "{markdown}");
        let json = tsugi(&["join", &source, "-f", "json"]).exits(DONE).json();
        assert!(json["text"].as_str().unwrap().starts_with("The <b>ferry</b> left"), "{json}");
        assert_eq!((&json["complete"], &json["stopped"]["reason"]), (&json!(true), &json!("no-next")));
    }
}
