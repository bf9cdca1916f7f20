//! Pages that scripts draw, and what is no page.

use crate::support::{Answer, DONE, FAILED, Folder, NOTHING_FOUND, Server, tsugi};
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
    let folder = Folder::new();
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
    let folder = Folder::new();
    let file = folder.file("app.html", drawn_page("<script src=/app.js></script>"));
    tsugi(&["join", &file]).exits(NOTHING_FOUND).writes_nothing().says(&["no main content", "needs scripts"]);
    let line = tsugi(&["scan", &file]).exits(DONE).json();
    assert_eq!((&line["content"]["text"], &line["title"]), (&json!(""), &json!("The ferry at six")));
}

#[test]
fn files_of_other_types_are_refused_as_html_too() {
    let folder = Folder::new();
    let epub = [&b"PK\x03\x04"[..], &[0; 26], b"mimetypeapplication/epub+zip"].concat();
    let noise: Vec<u8> = (0..4000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
    let bodies: [(&'static str, &[u8], &str); 5] = [
        ("/pdf", b"%PDF-1.7\n", "is a PDF, not a web page"),
        ("/epub", &epub, "is an EPUB, not a web page"),
        ("/gzip", b"\x1f\x8b\x08\0\0", "is a gzip archive, not a web page"),
        ("/elf", b"\x7fELF\x02\x01", "is a program, not a web page"),
        ("/noise", &noise, "is binary data, not a web page"),
    ];
    let server = Server::start(bodies.iter().map(|(path, body, _)| Answer::page(path, *body)).collect());
    for (path, body, words) in bodies {
        tsugi(&["join", &server.url(path)]).exits(FAILED).writes_nothing().says(&[words]);
        let file = folder.file("page.html", body);
        tsugi(&["join", &file]).exits(FAILED).writes_nothing();
    }
    let archive = folder.path("a.warc.gz");
    tsugi(&["join", &server.url("/pdf"), "--save", &archive]).exits(FAILED).says(&["is a PDF"]);
    tsugi(&["join", &server.url("/pdf"), "--pages", &archive]).exits(FAILED).says(&["is a PDF"]);
}

#[test]
fn plain_text_keeps_its_paragraphs() {
    let text = "The <b>ferry</b> left the harbour at six in the morning, when the fog was\n\
        still lying on the water and nobody on board could see farther than the\nrail.\n\n\
        tide   height\nlow       0.4\nhigh      3.1\n\nIt came back at noon.\n";
    let server =
        Server::start(vec![Answer { media: "text/plain; charset=utf-8", ..Answer::page("/ferry", text) }]);
    let folder = Folder::new();
    for source in [server.url("/ferry"), folder.file("ferry.txt", text)] {
        let markdown = tsugi(&["join", &source]).exits(DONE).stdout;
        assert!(markdown.contains("when the fog was still lying on the water and"), "{markdown}");
        assert!(markdown.contains("low       0.4\nhigh      3.1\n"), "{markdown}");
        let json = tsugi(&["join", &source, "-f", "json"]).exits(DONE).json();
        assert!(json["text"].as_str().unwrap().starts_with("The <b>ferry</b> left"), "{json}");
        assert_eq!((&json["complete"], &json["stopped"]["reason"]), (&json!(true), &json!("no-next")));
    }
}
