//! Joining: what is taken out, offsets, title.

use crate::fakes::{Shelf, joiner, url};
use tsugi_follow::{Document, Limits, reassemble, stitch};

/// Joins pages whose main content is given; the rest of each page may stand behind it.
pub(crate) fn document(contents: &[&str]) -> Document {
    let mut shelf = Shelf::default();
    for (index, content) in contents.iter().enumerate() {
        let html = format!("<main>{content}</main><a rel=next href={}>", index + 2);
        shelf = shelf.page(&format!("https://a.test/{}", index + 1), &html);
    }
    stitch(&reassemble(&url("https://a.test/1"), &joiner(&shelf, Limits::default())).unwrap())
}

fn removed(document: &Document) -> Vec<usize> {
    document.pages.iter().map(|page| page.removed).collect()
}

pub(crate) fn slice(document: &Document, page: usize) -> String {
    let page = &document.pages[page];
    document.text.chars().skip(page.start).take(page.end - page.start).collect()
}

#[test]
fn what_frames_each_page_is_kept_once() {
    let frame = |text: &str| format!("<h1>題名</h1><p>By A</p>{text}<p>About A</p><p>Share</p>");
    let (one, two) = (frame("<p>one</p>"), frame("<p>two</p><p>二</p>"));
    let document = document(&[&one, &two, &frame("<p>three</p>")]);
    // What opens the pages stands on the first, what closes them on the last.
    assert_eq!(document.text, "題名\nBy A\none\ntwo\n二\nthree\nAbout A\nShare");
    assert_eq!(removed(&document), [2, 4, 2]);
    assert_eq!(slice(&document, 0), "題名\nBy A\none");
    assert_eq!(slice(&document, 1), "two\n二");
    assert_eq!(slice(&document, 2), "three\nAbout A\nShare");
    // 2 + 1 + 4 + 1 + 3 characters, then one newline.
    assert_eq!((document.pages[1].start, document.pages[1].end), (12, 17));
    assert_eq!(document.pages[1].html, "<div><p>two</p><p>二</p></div>");
    assert_eq!(document.pages[1].markdown, "two\n\n二");
}

#[test]
fn equal_blocks_in_the_middle_stay() {
    let document = document(&["<p>a</p><p>same</p><p>b</p>", "<p>c</p><p>same</p><p>d</p>"]);
    assert_eq!((document.text.as_str(), removed(&document)), ("a\nsame\nb\nc\nsame\nd", vec![0, 0]));
}

#[test]
fn one_block_at_least_is_kept() {
    let document = document(&["<p>a</p><p>b</p><p>c</p>", "<p>a</p><p>c</p>", "<p>c</p>"]);
    assert_eq!(document.text, "a\nb\nc\nc\nc");
    assert_eq!(removed(&document), [0, 1, 0]);
}

#[test]
fn a_page_without_text_takes_no_room() {
    let document = document(&["<img src=a.png>", "<p>two"]);
    assert_eq!(document.text, "two");
    assert_eq!((document.pages[0].start, document.pages[0].end), (0, 0));
    assert_eq!((document.pages[1].start, document.pages[1].end), (0, 3));
}

#[test]
fn images_go_with_the_blocks_that_repeat_unless_they_are_new() {
    let author = "<div><img src=author.png><p>By A</p></div>";
    let chart =
        |name: &str, text: &str| format!("<div><p>Title</p><img src={name}></div>{author}<p>{text}</p>");
    let document = document(&[&chart("1.png", "one"), &chart("2.png", "two")]);
    assert_eq!(
        document.pages[1].html,
        "<div><div><img src=\"https://a.test/2.png\" alt=\"\"></div><p>two</p></div>"
    );
    assert_eq!(document.pages[1].markdown, "![](https://a.test/2.png)\n\ntwo");
}

#[test]
fn the_title_is_chosen_in_order() {
    let title = |head: &str, body: &str| {
        let shelf = Shelf::default().page("https://a.test/1", &format!("<head>{head}</head>{body}"));
        let joined = reassemble(&url("https://a.test/1"), &joiner(&shelf, Limits::default()));
        stitch(&joined.unwrap()).title
    };
    let head = "<title>The tale | Site</title><meta property=og:title content=' Open\n graph '>";
    assert_eq!(
        title(head, "<h1>Site</h1><main><h1> </h1><h1>In\n content</h1></main>").unwrap(),
        "In content"
    );
    assert_eq!(title(head, "<h1>The tale</h1><main>x</main>").unwrap(), "Open graph");
    let head = "<title>The tale | Site</title>";
    assert_eq!(title(head, "<h1>Logo</h1><h1>The tale</h1><main>x</main>").unwrap(), "The tale");
    assert_eq!(title(head, "<h1>Logo</h1><main>x</main>").unwrap(), "The tale | Site");
    assert_eq!(title("", "<main>x</main>"), None);
}

#[test]
fn the_language_is_the_first_that_is_declared() {
    let shelf = Shelf::default()
        .page("https://a.test/1", "<main>one</main><a rel=next href=2>")
        .page("https://a.test/2", "<html lang=ja><main>two</main>");
    let joined = reassemble(&url("https://a.test/1"), &joiner(&shelf, Limits::default())).unwrap();
    assert_eq!(stitch(&joined).lang.as_deref(), Some("ja"));
}

proptest::proptest! {
    #[test]
    fn offsets_and_counts_agree(pages in proptest::collection::vec("[abc次 ]{0,6}(<p>[ab]{1,2}|<br>x|<li>y|<b>z</b>){0,5}", 1..4)) {
        let contents: Vec<&str> = pages.iter().map(String::as_str).collect();
        let document = document(&contents);
        let mut rest = document.text.as_str();
        for (index, page) in document.pages.iter().enumerate() {
            let text = slice(&document, index);
            rest = rest.strip_prefix(text.as_str()).unwrap();
            rest = rest.strip_prefix('\n').unwrap_or(rest);
            proptest::prop_assert_eq!(text.chars().count(), page.end - page.start);
        }
        proptest::prop_assert_eq!(rest, "");
    }
}
