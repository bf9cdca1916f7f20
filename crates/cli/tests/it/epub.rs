//! `tsugi join -f epub`.

use crate::support::{DONE, WRONG_USE, tsugi};

#[test]
fn an_epub_file_is_written_for_one_document() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let paragraph =
        "<p>A paragraph that says something, at some length, so that it is taken for content.</p>";
    let html = format!(
        "<html lang=en><title>A tale</title><body><main><h1>A tale</h1>{}</main>",
        paragraph.repeat(8)
    );
    std::fs::write(&page, html).unwrap();
    let (page, file) = (page.to_str().unwrap(), folder.path().join("tale.epub"));
    tsugi(&["join", page, "-f", "epub", "-o", file.to_str().unwrap()]).exits(DONE);
    let bytes = std::fs::read(&file).unwrap();
    assert!(bytes.starts_with(b"PK") && bytes[30..].starts_with(b"mimetypeapplication/epub+zip"));
    tsugi(&["join", page, page, "-f", "epub"]).exits(WRONG_USE).says(&["one SOURCE"]).writes_nothing();
}
