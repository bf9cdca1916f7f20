//! What of a page a document shows, and in which form: directions, pictures, threads, lists of posts, chapters.

use crate::shelf::{PageShelf, assert_has, document, joined, write};
use tsugi_document::{Format, HtmlOptions, ImageFile, PageMarks, Shown, book, stitch, stitch_text};

#[test]
fn a_document_is_read_in_the_direction_of_its_text() {
    let html =
        |page: &str| write(&PageShelf::default().page("https://a.test/1", page).document(), Format::Html);
    for page in ["<html lang=ar dir=rtl><main><p>نص</main>", "<html lang=he><main><p>נוסח</main>"] {
        let html = html(page);
        assert!(html.split("<head>").next().unwrap().contains(" dir=\"rtl\""), "{html}");
    }
    for page in ["<html lang=en><main><p>text</main>", "<html lang=ar><body dir=ltr><main><p>text</main>"] {
        assert!(!html(page).contains("dir="), "{page}");
    }
    let shelf = PageShelf::default()
        .page("https://a.test/1", "<html lang=en><main><p>text</main><a rel=next href=2>");
    let document = shelf.page("https://a.test/2", "<html dir=rtl><main><p>نص</main>").document();
    assert!(!document.is_right_to_left() && document.pages[1].is_right_to_left(document.lang.as_deref()));
    assert_has(&write(&document, Format::Html), "<section id=\"page-2\" dir=\"rtl\" ");
}

#[test]
fn pictures_of_any_element_are_shown() {
    let content = "<p>One.</p><amp-img src=/i/two.jpg width=10 height=5 alt='The key'></amp-img>\
         <figure><object data=figures/overview.svg type=image/svg+xml aria-label=Overview>No SVG here</object>\
         <figcaption>Figure 1.</figcaption></figure><p>Two. <lite-youtube videoid=abc title='A film'></lite-youtube>";
    let document = document(&[content]);
    assert_eq!(
        document.page_markdown(0),
        "One.\n\n![The key](https://a.test/i/two.jpg)\n\n![Overview](https://a.test/figures/overview.svg)\\\n*Figure 1.*\n\n\
         Two. [A film](https://www.youtube.com/watch?v=abc)"
    );
    let html = document.page_html(0);
    assert_has(&html, "<img src=\"https://a.test/i/two.jpg\" alt=\"The key\" width=\"10\" height=\"5\">");
    assert_has(&html, "<figure><img src=\"https://a.test/figures/overview.svg\" alt=\"Overview\">");
    assert!(!document.text.contains("No SVG"), "{}", document.text);
}

#[test]
fn images_beside_a_file_are_shown() {
    let page = "<main><p>Text.<figure><img src=page_files/ferry.png alt=Crew><figcaption>The watch.</figcaption></figure></main>";
    let shelf = PageShelf::default().page("file:///home/ann/page.html", page);
    let document = stitch(joined(&shelf, "file:///home/ann/page.html", Shown::default()));
    let address = "file:///home/ann/page_files/ferry.png";
    assert_has(&document.page_markdown(0), &format!("![Crew]({address})\\\n*The watch.*"));
    let html = write(&document, Format::Html);
    assert_has(&html, &format!("<img src=\"{address}\" alt=\"Crew\">"));
    assert_has(&html, "img-src http: https: data: file:;");
}

/// A page of a thread.
fn posts(topic: &str, count: usize) -> String {
    let post = |number: usize| {
        let heading = if number == 0 { topic.to_owned() } else { format!("Re: {topic}") };
        format!(
            "<div class=post id=p{number}><dl><dt><img class=avatar src=a.png alt='User avatar'> <b>user{number}</b>\
             <dd class=profile-rank>Able seaman</dl><h3><a href=#p{number}>{heading}</a></h3><p>Post number {number} says \
             something of its own, which nobody else says in the thread.</div>"
        )
    };
    (0..count).map(post).collect()
}

proptest::proptest! {
    #[test]
    fn the_text_alone_is_that_of_the_document(
        pages in proptest::collection::vec(
            "[ab次 ]{0,6}(<h2>(Re: )?Leaks</h2>|<h3>(Re: |a: )?Leaks<br>b</h3>|<p class=post>Ann <a href=/b>b</a>|<p class=usertitle>Mate|<p>[ab]{1,2}<sup>2</sup>|<pre>a\n\n  b</pre>|<figure><img src=b.png><figcaption>b</figure>|<table><td>1<td>2</table>|<li><a href=2>y</a>|<b>Rank: </b>Able seaman<br>){0,6}",
            1..3,
        ),
        tables: bool,
    ) {
        let shelf = pages.iter().enumerate().fold(PageShelf::default(), |shelf, (at, content)| {
            let html = format!("<title>Leaks - Boats</title><main>{content}</main><a rel=next href={}>", at + 2);
            shelf.page(&format!("https://a.test/{}", at + 1), &html)
        });
        let joined = || joined(&shelf, "https://a.test/1", Shown { tables, ..Shown::default() });
        proptest::prop_assert_eq!(stitch_text(joined()), stitch(joined()).text);
    }
}

#[test]
fn a_thread_has_its_title_once() {
    let page =
        format!("<title>Leaks - Small Boats Forum</title><h1>Leaks</h1><main>{}</main>", posts("Leaks", 4));
    let document = PageShelf::default().page("https://a.test/1", &page).document();
    let markdown = write(&document, Format::Markdown);
    assert!(markdown.starts_with("# Leaks\n"), "{markdown}");
    assert_eq!(markdown.matches("Leaks").count(), 1, "{markdown}");
    assert!(!markdown.contains("seaman") && !markdown.contains("avatar"), "{markdown}");
    assert!(markdown.contains("**user3**") && markdown.contains("Post number 3"), "{markdown}");
    assert_has(&write(&document, Format::Html), "<h1>Leaks</h1>");
    // The same heading above two chapters is no thread.
    let chapters = "<title>Leaks</title><main><h2>Leaks</h2><p>One.<h2>Stays</h2><p>Two.</main>";
    let document = PageShelf::default().page("https://a.test/1", chapters).document();
    assert_eq!(write(&document, Format::Markdown), "## Leaks\n\nOne.\n\n## Stays\n\nTwo.\n");
}

#[test]
fn lists_of_posts_say_only_what_the_posts_say() {
    let content = "<article><h2><a href=/p1>One</a></h2><p>It begins … <a class=more-link href=/p1#more>Continue reading →</a>\
         <div>Posted in <a rel='category tag' href=/c>News</a> | <a href=/p1#respond>Leave a comment</a></div></article>\
         <article><h2><a href=/2>Two</a></h2><p>It ends.</article>";
    assert_eq!(
        document(&[content]).page_markdown(0),
        "## [One](https://a.test/p1)\n\nIt begins …\n\n## [Two](https://a.test/2)\n\nIt ends."
    );
}

#[test]
fn pagers_that_name_the_next_page_go() {
    let page = |number: usize| {
        format!(
            "<p>Chapter {number} says what no other chapter says, in a sentence of {number} words or so.</p>\
             <div><a href=/{}>Nächste Seite: Was der Ofen kostet</a><a href=/alles>Auf einer Seite lesen</a></div>",
            number + 1
        )
    };
    let document = document(&[&page(1), &page(2), "<p>The end of it all, at last."]);
    assert!(!document.text.contains("Nächste") && !document.text.contains("lesen"), "{}", document.text);
}

#[test]
fn what_ends_a_page_of_html_can_be_chosen() {
    let document = document(&["<p>one", "<p>two"]);
    let html = |page_marks| {
        let mut bytes = Vec::new();
        document.write_html(&HtmlOptions { page_marks, ..HtmlOptions::default() }, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    assert!(!html(PageMarks::None).contains("<footer>"));
    assert_has(&html(PageMarks::Number), "<footer>2</footer>");
    assert_has(&html(PageMarks::Address), "<footer><a href=\"https://a.test/2\">");
    let cover = ImageFile::cover(b"GIF89a".to_vec()).unwrap();
    let mut bytes = Vec::new();
    let options = HtmlOptions {
        css: Some("p{color:red}</style><script>"),
        cover: Some(&cover),
        ..HtmlOptions::default()
    };
    document.write_html(&options, &mut bytes).unwrap();
    let html = String::from_utf8(bytes).unwrap();
    assert_has(&html, "<body>\n<img src=\"data:image/gif;base64,R0lGODlh\" alt=\"\">");
    assert!(html.contains("p{color:red}<\\/style>") && html.matches("</style>").count() == 1, "{html}");
}

#[test]
fn several_sources_are_chapters_of_one_document() {
    let shelf = PageShelf::default()
        .page("https://a.test/1", "<title>Book</title><main><h1>Book</h1><p>A sentence that goes on</main>")
        .page(
            "https://a.test/2",
            "<title>Lamps</title><main><p>and another one of its own.</main><a rel=next href=3>",
        )
        .page("https://a.test/3", "<main><p>The end.</main>");
    let part = |at: &str| joined(&shelf, at, Shown::default());
    let sources = ["https://a.test/1", "https://a.test/2", "https://a.test/3"].map(part).into();
    let document = book(sources).unwrap();
    assert_eq!(document.pages.len(), 3, "a page is read once");
    assert_eq!(
        write(&document, Format::Markdown),
        "# Book\n\nA sentence that goes on\n\n# Lamps\n\nand another one of its own.\n\nThe end.\n"
    );
    assert_has(
        &write(&document, Format::Html),
        "<section id=\"page-2\" data-source=\"https://a.test/2\">\n<h1>Lamps</h1>\n",
    );
    assert!(book(Vec::new()).is_none());
}
