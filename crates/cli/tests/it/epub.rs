//! `tsugi join -f epub`, and the images of documents.

use crate::support::{
    DONE, LoopbackServer, TestFolder, WRONG_USE, answer, canned, data, html, join_live, json_lines,
    loopback_rules, page, tsugi, typed,
};

/// Images as far as anybody looks; in an EPUB file they are as they are.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n a picture of something";
const GIF: &[u8] = b"GIF89a another picture";

/// An article of two pages: two images, one that is not there, a drawing, one that robots may not have.
fn article() -> LoopbackServer {
    let one = page("One. <img src=/a.png alt=A> <img src=/gone.png alt='Not there'>", Some("/2"));
    let two = page(
        "Two. <img src=/a.png><img src=/b.svg alt=Drawing><img src=/to-c alt=C><img src=/private.png alt=P>",
        None,
    );
    let image = |path, media, bytes: &[u8]| (path, typed(media, bytes));
    LoopbackServer::start(canned([
        ("/1", html(one)),
        ("/2", html(two)),
        image("/a.png", "image/png", PNG),
        image("/b.svg", "image/svg+xml", b"<svg/>"),
        ("/to-c", answer("302 Found\r\nLocation: /c.gif", "")),
        image("/c.gif", "image/gif", GIF),
        image("/private.png", "image/png", PNG),
        image("/robots.txt", "text/plain", b"User-agent: *\nDisallow: /private\n"),
    ]))
}

fn holds(file: &[u8], bytes: &[u8]) -> usize {
    file.windows(bytes.len()).filter(|window| *window == bytes).count()
}

#[test]
fn images_are_taken_in_and_kept() {
    let folder = TestFolder::new();
    let (rules, archive) = (loopback_rules(&folder), folder.path("a.warc.gz"));
    let server = article();
    let url = server.address("/1");
    let file = |name: &str| std::fs::read(folder.path(name)).unwrap();
    let epub = |name: &str, options: &[&str]| {
        let path = folder.path(name);
        join_live(&[&[&url, "--rules", &rules, "-f", "epub", "-o", &path], options].concat()).exits(DONE)
    };
    epub("without.epub", &["--save", &archive]);
    assert_eq!(server.pages_asked(), ["/1", "/2"], "images are asked for where they are wanted");
    assert_eq!(holds(&file("without.epub"), PNG), 0);

    let left_out =
        ["image left out: ", "/gone.png", "404", "/b.svg", "image/svg+xml", "/private.png", "robots.txt"];
    let live = epub("live.epub", &["--save", &archive, "--images", "embed"]).says(&left_out);
    assert_eq!(live.stderr.matches("warning: ").count(), 3, "{}", live.stderr);
    let asked = ["/1", "/2", "/a.png", "/gone.png", "/b.svg", "/to-c", "/c.gif"];
    assert_eq!(server.pages_asked(), asked, "pages were held, images are asked for once");
    let book = file("live.epub");
    assert_eq!((holds(&book, PNG), holds(&book, GIF), holds(&book, b"EPUB/image-2.gif")), (1, 1, 2));

    let again = epub("again.epub", &["--save", &archive, "--images", "embed"]);
    assert_eq!((&again.stderr, file("again.epub")), (&live.stderr, book.clone()));
    assert_eq!(
        server.pages_asked()[asked.len()..],
        ["/gone.png", "/b.svg"],
        "those that failed are tried again"
    );
    let replay = folder.path("replay.epub");
    let options = ["--rules", &rules, "-f", "epub", "--images", "embed", "-o", &replay];
    let replayed = tsugi(&[&["join", &url, "--pages", &archive], &options[..]].concat()).exits(DONE);
    assert_eq!((replayed.stderr, file("replay.epub")), (live.stderr, book.clone()));
    assert_eq!(server.pages_asked().len(), asked.len() + 2);

    epub("web.epub", &["--images", "embed"]);
    assert_eq!(file("web.epub"), book);
    let lines = tsugi(&["scan", &archive, "--rules", &rules]).exits(DONE).json_lines();
    assert_eq!(lines.len(), 2, "images are no pages");
}

#[test]
fn images_go_beside_or_into_a_file() {
    let folder = TestFolder::new();
    let rules = loopback_rules(&folder);
    let server = article();
    let url = server.address("/1");
    let join = |name: &str, options: &[&str]| {
        let path = folder.path(name);
        join_live(&[&[&url, "--rules", &rules, "-o", &path], options].concat()).exits(DONE);
        std::fs::read_to_string(folder.path(name)).unwrap()
    };
    let markdown = join("tale.md", &["--images", "folder"]);
    assert!(
        markdown.contains("![A](tale_files/image-1.png)") && markdown.contains("Not there"),
        "{markdown}"
    );
    assert_eq!(std::fs::read(folder.path("tale_files/image-1.png")).unwrap(), PNG);
    assert_eq!(std::fs::read(folder.path("tale_files/image-2.gif")).unwrap(), GIF);
    let html = join("tale.html", &["-f", "html", "--images", "embed"]);
    assert_eq!(html.matches("src=\"data:image/png;base64,").count(), 2, "{html}");
    assert!(html.contains("Drawing") && !html.contains("src=\"http"), "nothing is left on a server: {html}");
    tsugi(&["join", &url, "-f", "md", "--images", "folder"]).exits(WRONG_USE).says(&["-o FILE"]);
}

#[test]
fn a_batch_takes_images_in_too() {
    let folder = TestFolder::new();
    let rules = loopback_rules(&folder);
    let server = article();
    let input = folder.file("urls.txt", format!("{}\n{}\n", server.address("/1"), server.address("/2")));
    let out = folder.path("out");
    let options = ["--input", &input, "-o", &out, "--rules", &rules, "-f", "epub", "--images", "embed"];
    join_live(&options).exits(DONE);
    let lines = json_lines(&folder.read("out/index.jsonl"));
    assert_eq!(lines.len(), 2);
    for line in lines {
        let file = std::fs::read(folder.path(&format!("out/{}", line["file"].as_str().unwrap()))).unwrap();
        assert_eq!((holds(&file, PNG), holds(&file, GIF)), (1, 1));
        let warnings = line["warnings"].as_array().unwrap();
        assert!(warnings.iter().all(|warning| warning.as_str().unwrap().starts_with("image left out: ")));
        assert_eq!(warnings.len(), if line["pages"] == 2 { 3 } else { 2 });
    }
}

#[test]
fn an_epub_file_is_written_for_one_document() {
    let (folder, page) = (TestFolder::new(), data("english-article/1.html"));
    let file = folder.path("tale.epub");
    tsugi(&["join", &page, "-f", "epub", "-o", &file]).exits(DONE);
    let bytes = std::fs::read(&file).unwrap();
    assert!(bytes.starts_with(b"PK") && bytes[30..].starts_with(b"mimetypeapplication/epub+zip"));
    tsugi(&["join", "--all", "--pages", "x", "-f", "epub", "-o", &file])
        .exits(WRONG_USE)
        .says(&["one SOURCE"]);
}
