//! EPUB: what the archive holds, and that it is XML.

use crate::shelf::{PageShelf, assert_has, document, url};
use std::io::{Cursor, Read};
use tsugi_document::{Document, EpubOptions, Format, ImageFile, ImagePlace, Images};
use tsugi_page::Url;
use zip::{CompressionMethod, ZipArchive};

type Files = Vec<(String, Vec<u8>)>;

fn epub_of(document: &Document, options: &EpubOptions<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    document.write_epub(options, &mut bytes).unwrap();
    bytes
}

fn files(epub: &[u8]) -> Files {
    let mut archive = ZipArchive::new(Cursor::new(epub)).unwrap();
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        files.push((file.name().unwrap().into_owned(), bytes));
    }
    files
}

fn text(files: &Files, name: &str) -> String {
    let (_, bytes) = files.iter().find(|(file, _)| file == name).unwrap_or_else(|| panic!("no {name}"));
    String::from_utf8(bytes.clone()).unwrap()
}

/// Fails on what is no well-formed XML: tags that do not match, bare marks, unknown names of characters.
#[track_caller]
fn assert_well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    while let Some(at) = rest.find(['<', '&']) {
        assert!(!rest[..at].contains('>'), "a bare `>` in {xml}");
        rest = &rest[at..];
        if rest.starts_with('&') {
            let end = rest.find(';').expect("an entity ends");
            assert!(
                matches!(&rest[..end], "&amp" | "&lt" | "&gt" | "&quot" | "&#160"),
                "{} in {xml}",
                &rest[..end]
            );
            rest = &rest[end + 1..];
            continue;
        }
        let end = rest.find('>').expect("a tag ends");
        let tag = &rest[1..end];
        rest = &rest[end + 1..];
        if tag.starts_with(['?', '!']) || tag.ends_with('/') {
            continue;
        }
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "in {xml}"),
            None => open.push(tag.split([' ', '\n']).next().unwrap()),
        }
        let values = tag.split('"').skip(1).step_by(2);
        assert!(
            values.clone().all(|value| !value.contains('<')) && tag.matches('"').count().is_multiple_of(2),
            "{tag}"
        );
    }
    assert!(open.is_empty(), "{open:?} in {xml}");
    assert!(xml.chars().all(|c| c >= ' ' || matches!(c, '\n' | '\t')), "control characters");
}

#[test]
fn an_epub_is_a_publication() {
    let document = document(&[
        "<h1>Title &amp; more</h1><p>One<br>two&nbsp;three <a href='2#n'>note</a> <a href=2>next</a></p><h2>Part</h2><hr>",
        "<h2>Second</h2><p id=n>Note. <img src=i.png alt='A \"picture\"'></p>",
    ]);
    let epub = epub_of(&document, &EpubOptions::default());
    assert_eq!(&epub[30..58], b"mimetypeapplication/epub+zip", "the type can be read at a fixed place");
    let mut archive = ZipArchive::new(Cursor::new(&epub)).unwrap();
    assert_eq!(archive.by_index(0).unwrap().compression(), CompressionMethod::Stored);
    let files = files(&epub);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "mimetype", "META-INF/container.xml", "EPUB/package.opf", "EPUB/nav.xhtml", "EPUB/style.css",
            "EPUB/page-1.xhtml", "EPUB/page-2.xhtml"
        ]
    );
    for (name, bytes) in &files {
        if name.ends_with("xhtml") || name.ends_with("opf") || name.ends_with("xml") {
            assert_well_formed(std::str::from_utf8(bytes).unwrap());
        }
    }
    let one = text(&files, "EPUB/page-1.xhtml");
    let links =
        "One<br/>two&#160;three <a href=\"page-2.xhtml#p2-n\">note</a> <a href=\"page-2.xhtml\">next</a>";
    assert_has(&one, links);
    let two = text(&files, "EPUB/page-2.xhtml");
    // An image that is not there gives its words.
    assert_has(&two, "<p id=\"p2-n\">Note. A &quot;picture&quot;</p>");
    let nav = text(&files, "EPUB/nav.xhtml");
    assert_has(&nav, "<a href=\"page-1.xhtml\">Title &amp; more</a>");
    assert_has(&nav, "<a href=\"page-1.xhtml#heading-2\">Part</a>");
    assert!(nav.contains("<a href=\"page-2.xhtml\">Second</a>"), "{nav}");
    let package = text(&files, "EPUB/package.opf");
    for part in [
        "<dc:title>Title &amp; more</dc:title>",
        "<dc:language>und</dc:language>",
        "1980-01-01T00:00:00Z",
        "<itemref idref=\"page-2\"/>",
    ] {
        assert!(package.contains(part), "{part} in {package}");
    }
    assert_eq!(epub_of(&document, &EpubOptions::default()), epub, "equal bytes");
}

#[test]
fn images_are_taken_in_once_and_only_pictures() {
    let document =
        document(&["<p>x<img src=a.png><img src=a.png><img src=b.svg alt=drawing><img src=gone.gif></p>"]);
    let asked = std::cell::RefCell::new(Vec::new());
    let get = |address: &Url| {
        asked.borrow_mut().push(address.path().to_owned());
        match address.path() {
            "/a.png" => Some(b"\x89PNG\r\n\x1a\nrest".to_vec()),
            "/b.svg" => Some(b"<svg onload='x'/>".to_vec()),
            _ => None,
        }
    };
    let images = Images::of(&document, get, |_| ());
    let options = EpubOptions {
        images: Some(&images),
        modified: Some("2024-05-01T08:00:00Z"),
        ..EpubOptions::default()
    };
    let files = files(&epub_of(&document, &options));
    assert_eq!(*asked.borrow(), ["/a.png", "/b.svg", "/gone.gif"]);
    let page = text(&files, "EPUB/page-1.xhtml");
    assert_eq!(page.matches("<img src=\"image-1.png\" alt=\"\"/>").count(), 2, "{page}");
    assert_eq!(page.matches("<img").count(), 2);
    assert!(page.contains("drawing"));
    let package = text(&files, "EPUB/package.opf");
    assert!(package.contains("<item id=\"image-1\" href=\"image-1.png\" media-type=\"image/png\"/>"));
    assert!(package.contains("<meta property=\"dcterms:modified\">2024-05-01T08:00:00Z</meta>"), "{package}");
    assert_eq!(document.url, url("https://a.test/1"));
    // Markdown and HTML have them inside or beside them; words replace what could not be had.
    let write = |format, place| {
        let mut bytes = Vec::new();
        document.write_with_images(format, &images, place, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    let markdown = write(Format::Markdown, ImagePlace::Folder("my files"));
    assert!(markdown.contains("![](my%20files/image-1.png)"), "{markdown}");
    assert!(markdown.contains("drawing") && !markdown.contains("https://"), "{markdown}");
    let html = write(Format::Html, ImagePlace::Embedded);
    let data = "<img src=\"data:image/png;base64,iVBORw0KGgpyZXN0\" alt=\"\">";
    assert_eq!(html.matches(data).count(), 2, "{html}");
    assert!(html.contains("img-src data: 'self' file:;") && html.contains("drawing"), "{html}");
    let html = write(Format::Html, ImagePlace::Folder("x_files"));
    assert_eq!(html.matches("<img src=\"x_files/image-1.png\"").count(), 2, "{html}");
    assert_eq!(write(Format::Text, ImagePlace::Embedded), "x\n");
}

#[test]
fn an_epub_is_read_in_the_direction_of_its_text() {
    let page = "<html lang=ar dir=rtl><main><p>نص</main><a rel=next href=2>";
    let shelf = PageShelf::default().page("https://a.test/1", page);
    let document = shelf.page("https://a.test/2", "<html lang=en dir=ltr><main><p>text</main>").document();
    let files = files(&epub_of(&document, &EpubOptions::default()));
    assert!(text(&files, "EPUB/package.opf").contains("<spine page-progression-direction=\"rtl\">"));
    assert!(text(&files, "EPUB/nav.xhtml").contains(" dir=\"rtl\""));
    let page = text(&files, "EPUB/page-1.xhtml");
    assert!(page.contains("xml:lang=\"ar\" dir=\"rtl\"") && page.contains("<body>"), "{page}");
    assert!(text(&files, "EPUB/page-2.xhtml").contains("<body dir=\"ltr\">"));
}

#[test]
fn an_epub_may_have_a_cover_and_a_style() {
    let document = document(&["<p>x"]);
    let cover = ImageFile::cover(b"\x89PNG\r\n\x1a\nrest".to_vec()).unwrap();
    assert_eq!(ImageFile::cover(b"<svg/>".to_vec()), None);
    let options = EpubOptions { cover: Some(&cover), css: Some("p{color:red}"), ..EpubOptions::default() };
    let files = files(&epub_of(&document, &options));
    let package = text(&files, "EPUB/package.opf");
    for part in [
        "href=\"cover.png\" media-type=\"image/png\" properties=\"cover-image\"",
        "<itemref idref=\"cover\"/>",
    ] {
        assert!(package.contains(part), "{part} in {package}");
    }
    assert!(text(&files, "EPUB/cover.xhtml").contains("<img src=\"cover.png\" alt=\"\"/>"));
    assert!(text(&files, "EPUB/style.css").ends_with("p{color:red}"));
    for (name, bytes) in files {
        if matches!(name.rsplit_once('.'), Some((_, "xhtml" | "opf"))) {
            assert_well_formed(&String::from_utf8(bytes).unwrap());
        }
    }
}

#[test]
fn a_definition_list_has_terms_and_definitions() {
    let page = |content: &str| {
        text(&files(&epub_of(&document(&[content]), &EpubOptions::default())), "EPUB/page-1.xhtml")
    };
    assert_has(&page("<dl><dt>a<dt>b<dd>c<dd>d</dl>"), "<dl><dt>a</dt><dt>b</dt><dd>c</dd><dd>d</dd></dl>");
    for unsound in ["<dl><dt>a</dl>", "<dl><dd>a</dl>", "<dl><dt>a<dd>b<dt>c</dl>", "<dl>x<dt>a<dd>b</dl>"] {
        let page = page(unsound);
        assert!(!page.contains("<dl") && !page.contains("<dt") && !page.contains("<dd"), "{unsound}: {page}");
    }
}

#[test]
fn what_nests_deeper_than_readers_go_is_flat() {
    for (open, close) in [
        ("<div>", "</div>"),
        ("<blockquote>", "</blockquote>"),
        ("<ul><li>", "</ul>"),
        ("<table><tr><td>", "</table>"),
    ] {
        let deep = format!("{}inner <b>most</b><p>two</p>{}after", open.repeat(240), close.repeat(240));
        let page = text(&files(&epub_of(&document(&[&deep]), &EpubOptions::default())), "EPUB/page-1.xhtml");
        let (mut depth, mut deepest) = (0_usize, 0);
        for tag in page.split('<').skip(1).filter(|tag| !tag.starts_with(['!', '?']) && !tag.contains("/>")) {
            depth = if tag.starts_with('/') { depth - 1 } else { depth + 1 };
            deepest = deepest.max(depth);
        }
        assert!((150..=210).contains(&deepest), "{open}: {deepest}");
        assert_well_formed(&page);
        let words = page.replace("<b>", "").replace("</b>", "");
        assert!(
            words.contains("inner most") && words.contains("two") && words.contains("after"),
            "{open}: {words}"
        );
    }
}

#[test]
fn images_have_limits() {
    let many: Vec<String> = (0..510).map(|number| format!("<img src={number}.png alt=n{number}>")).collect();
    let many = many.concat();
    let document = document(&[&format!("<p>x</p><img src=large.png>{many}{many}")]);
    let (asked, left_out) = (std::cell::Cell::new(0), std::cell::RefCell::new(Vec::new()));
    let get = |address: &Url| {
        asked.set(asked.get() + 1);
        let length = if address.path() == "/large.png" { (16 << 20) + 1 } else { 20 };
        // Half of them cannot be had.
        let mut image = b"\x89PNG\r\n\x1a\n".to_vec();
        image.resize(length, 0);
        (asked.get() % 2 == 1).then_some(image)
    };
    let images = Images::of(&document, get, |address| left_out.borrow_mut().push(address.path().to_owned()));
    let options = EpubOptions { images: Some(&images), ..EpubOptions::default() };
    let files = files(&epub_of(&document, &options));
    assert_eq!(asked.get(), 500);
    assert_eq!(files.iter().filter(|(name, _)| name.contains("image-")).count(), 249);
    let left_out = left_out.into_inner();
    assert_eq!((left_out.len(), left_out[0].as_str(), left_out[1].as_str()), (12, "/large.png", "/499.png"));
    let page = text(&files, "EPUB/page-1.xhtml");
    assert_eq!((page.matches("<img").count(), page.matches("n509").count()), (2 * 249, 2));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(200))]

    #[test]
    fn any_content_becomes_xml(parts in proptest::collection::vec(crate::write::MARKUP, 0..20), odd in "[\u{1}-\u{1f}\u{7f}\u{fffe}&<>\"']{0,4}") {
        let document = document(&[&format!("{}{odd}", parts.concat()), "<p>two"]);
        for (name, bytes) in files(&epub_of(&document, &EpubOptions::default())) {
            if name.ends_with("xhtml") || name.ends_with("opf") {
                assert_well_formed(std::str::from_utf8(&bytes).unwrap());
            }
        }
    }
}
