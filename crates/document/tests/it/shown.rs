//! What is not shown, and one page alone.

use crate::shelf::{PageShelf, document_shown as document, url, write};
use std::io::Read;
use tsugi_document::{Document, Format, Images, Shown};
use tsugi_page::{NodeId, Page};

const ALL: Shown = Shown { links: true, images: true, tables: true };

/// The XHTML of the pages of an EPUB.
fn chapters(document: &Document) -> String {
    let mut bytes = Vec::new();
    document.write(Format::Epub, &mut bytes).unwrap();
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut all = String::new();
    for number in 1..=document.pages.len() {
        zip.by_name(&format!("EPUB/page-{number}.xhtml")).unwrap().read_to_string(&mut all).unwrap();
    }
    all
}

/// A page with everything that may be left out.
const RICH: &str = "<p>See <a href=/x title=there>the <b>mill</b></a>, <a href='mailto:a@b.test'>write</a>\
    <sup><a href=#n id=m>1</a></sup>.</p>\
    <blockquote cite=https://c.test/q>said</blockquote>\
    <iframe src=https://v.test/film title='A film'></iframe><iframe src=https://v.test/other></iframe>\
    <figure><a href=/large><img src=i.png alt=Mill></a><figcaption>The mill</figcaption></figure>\
    <p>An inline<img src=dot.png alt=dot>image and <img class=tex alt='x^2' src=f.png>.</p>\
    <table><tr><th>Year<th>Corn<tr><td>1902<td><a href=/y>9</a></table>\
    <ol><li id=n>A note <a href=#m>back</a></ol>";

#[test]
fn links_keep_their_words() {
    let document = document(&[RICH], Shown { links: false, ..ALL });
    assert_eq!(
        document.page_markdown(0),
        "See the **mill**, write[^1].\n\n> said\n\nA film\n\n![Mill](https://a.test/i.png)\\\n*The mill*\n\n\
         An inline![dot](https://a.test/dot.png)image and $x^2$.\n\n| Year | Corn |\n| --- | --- |\n| 1902 | 9 |\n\n\
         [^1]: A note"
    );
    for html in [document.html(), chapters(&document)] {
        let body = html.split_once("<section").unwrap().1;
        assert!(!body.contains("href") && !body.contains("cite=") && !body.contains("v.test"), "{body}");
        assert!(body.contains("See the <b>mill</b>, write<sup>1</sup>") && body.contains("A film"), "{body}");
    }
    assert_eq!(document.text, self::document(&[RICH], ALL).text);
}

#[test]
fn links_between_pages_lead_nowhere() {
    let document = document(
        &["<p>one <a href=2#x>more</a>", "<p id=x>two <a href=1>back</a>"],
        Shown { links: false, ..ALL },
    );
    assert_eq!(write(&document, Format::Markdown), "one more\n\ntwo back\n");
    assert!(
        !document.html().contains("href") && !document.html().contains("<span id"),
        "{}",
        document.html()
    );
}

#[test]
fn images_go_with_their_captions() {
    let document = document(&[RICH], Shown { images: false, ..ALL });
    let markdown = document.page_markdown(0);
    assert!(markdown.contains("An inlineimage and $x^2$."), "{markdown}");
    assert!(!markdown.contains("The mill") && !markdown.contains("!["), "{markdown}");
    for html in [document.html(), chapters(&document)] {
        assert!(!html.contains("<img") && !html.contains("figure") && !html.contains("/large"), "{html}");
        assert!(html.contains("alttext=\"x^2\""), "{html}");
    }
    assert!(
        document.text.contains("inlineimage") && !document.text.contains("The mill"),
        "{}",
        document.text
    );
    let images = Images::of(&document, |at| panic!("{at} is not shown"), |_| ());
    assert_eq!(images.files().len(), 0);
}

#[test]
fn tables_of_data_go() {
    let layout = "<table><tr><td><h2>News</h2><p>one</table>";
    let document = document(&[&format!("{RICH}{layout}")], Shown { tables: false, ..ALL });
    for text in [&document.text, &document.page_markdown(0), &document.html(), &chapters(&document)] {
        assert!(!text.contains("1902") && text.contains("News"), "{text}");
    }
}

#[test]
fn pages_of_nothing_else_are_empty() {
    let nothing = Shown { links: false, images: false, tables: false };
    let document = document(
        &["<p>one", "<figure><img src=i.png><figcaption>c</figcaption></figure>", "<p>three"],
        nothing,
    );
    assert_eq!((document.text.as_str(), document.pages.len()), ("one\nthree", 3));
    assert_eq!(write(&document, Format::Markdown), "one\n\nthree\n");
    assert_eq!(document.page_characters()[2], 4..9);
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

proptest::proptest! {
    #[test]
    fn what_is_not_shown_is_in_no_format(
        parts in proptest::collection::vec(
            "(<(/)?(p|div|a href=/x|table|tr|td|th|b|li|ul|figure|figcaption|img src=i|pre|sup)>|<iframe src=/v title=t></iframe>|a|b\n|c)", 0..24
        ),
        links in proptest::bool::ANY,
        images in proptest::bool::ANY,
        tables in proptest::bool::ANY,
    ) {
        let document = document(&[&parts.concat()], Shown { links, images, tables });
        let (html, markdown) = (document.page_html(0), document.page_markdown(0));
        let again = Page::from_text(&html, &url("https://a.test/"));
        let has = |name| again.elements().any(|id| again.attribute(id, name).is_some());
        proptest::prop_assert!(links || !(has("href") || markdown.contains("](https://a.test/x")), "{}", markdown);
        proptest::prop_assert!(images || !(has("src") || markdown.contains("![")), "{}", html);
        proptest::prop_assert_eq!(letters(&again.text(NodeId::DOCUMENT)), letters(&document.text), "{}", html);
    }
}

#[test]
fn front_matter_says_what_is_known() {
    let head = "<html lang=en><title>The \"tale\": a</title><meta name=author content='Ann Lee'>\
        <meta name=author content='Bo Oh'><meta name=date content=2024-05-01><meta property=og:site_name content=Site>\
        <meta name=keywords content='mills, - corn'><link rel=canonical href=/tale>";
    let shelf = PageShelf::default()
        .page("https://a.test/1", &format!("{head}<main><p>one</main><a rel=next href=2>"))
        .page("https://a.test/2", "<main><p>two</main>");
    assert_eq!(
        shelf.document().front_matter(),
        "---\ntitle: \"The \\\"tale\\\": a\"\nauthors:\n  - \"Ann Lee\"\n  - \"Bo Oh\"\npublished: \"2024-05-01\"\n\
         language: \"en\"\nsource: \"https://a.test/1\"\ncanonical: \"https://a.test/tale\"\nsite: \"Site\"\n\
         tags:\n  - \"mills\"\n  - \"- corn\"\npages: 2\n---\n\n"
    );
    let bare = document(&["<p>1"], ALL).front_matter();
    assert_eq!(bare, "---\nsource: \"https://a.test/1\"\npages: 1\n---\n\n");
}
