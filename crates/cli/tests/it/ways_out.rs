//! Pages with notes, pictures and threads as documents, and documents as books, with covers and as PDF.

use crate::support::{DONE, FAILED, PARTLY_FAILED, ProgramRun, TestFolder, tsugi};

const URL: &str = "https://example.org/x";

fn case(name: &str) -> String {
    format!("{}/tests/cases/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn extract(name: &str, options: &[&str]) -> String {
    tsugi(&[&["extract", "-q", &case(name)], options].concat()).exits(DONE).stdout
}

fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
}

#[test]
fn notes_are_told_from_what_refers_to_them() {
    let markdown = extract("notes-symmetric-pair.html", &["--url", URL]);
    holds(&markdown, &["\nThe chest has two keys[^1] and one lid.\n", "\n[^1]: The second was lost.\n"]);
    let markdown = extract("sidenotes-inline.html", &["--url", URL]);
    holds(&markdown, &["two keys.[^1] Only one is used today.\n", "\n[^1]: The second key was lost.\n"]);
    assert!(!extract("notes-letters-index.html", &["--url", URL]).contains("[^"));
    // Its label, which leads back, may be left out of the content.
    let markdown = extract("sphinx-note.html", &[]);
    holds(&markdown, &["see the note [", "Old dimmers have a gamma of 2.2 of their own.\n"]);
}

#[test]
fn pictures_are_what_holds_the_address_of_one() {
    let markdown = extract("amp-img.html", &["--url", URL]);
    holds(
        &markdown,
        &["![The key](https://example.org/i/two.jpg)", "![The lid](https://example.org/i/3.jpg)"],
    );
    let markdown = extract("svg-object.html", &["--url", URL]);
    holds(&markdown, &["![](https://example.org/figures/overview.svg)\\\n*Figure 1: Overview.*"]);
    holds(&extract("srcset.html", &["--url", URL]), &["(https://example.org/crew.png)"]);
}

#[test]
fn right_to_left_is_said_in_html() {
    for (name, options) in
        [("rtl-root.html", &["--url", URL, "-f", "html"][..]), ("rtl.html", &["-f", "html"])]
    {
        holds(&extract(name, options), &["<html lang=\"ar\" dir=\"rtl\">"]);
    }
}

#[test]
fn a_saved_page_keeps_its_images() {
    let folder = TestFolder::new();
    let page = folder.file("page.html", std::fs::read(case("local-image.html")).unwrap());
    std::fs::create_dir(folder.path("page_files")).unwrap();
    folder.file("page_files/ferry.png", b"\x89PNG\r\n\x1a\n a ferry");
    let written = |options: &[&str]| tsugi(&[&["extract", "-q", &page], options].concat()).exits(DONE).stdout;
    holds(&written(&[]), &["![Three of the crew](file:///", "page_files/ferry.png)"]);
    holds(
        &written(&["-f", "html", "--images", "embed"]),
        &["<img src=\"data:image/png;base64,iVBORw0KGgogYSBmZXJyeQ==\""],
    );
    // The page has an address of the web, where the folder that the browser made is not.
    for command in ["extract", "join"] {
        let saved = [command, "-q", &page, "--url", "https://kites.invalid/crew", "--images", "embed"];
        let html = tsugi(&[&saved[..], &["-f", "html"]].concat()).exits(DONE).stdout;
        holds(&html, &["<img src=\"data:image/png;base64,iVBORw0KGgogYSBmZXJyeQ==\""]);
    }
    let markdown = folder.path("tale.md");
    tsugi(&["extract", "-q", &page, "-o", &markdown, "--images", "folder"]).exits(DONE);
    holds(&folder.read("tale.md"), &["![Three of the crew](tale_files/image-1.png)"]);
    std::fs::remove_file(folder.path("page_files/ferry.png")).unwrap();
    let run = tsugi(&["extract", &page, "-f", "html", "--images", "embed"]).exits(DONE);
    let run = run.says(&["image left out", "ferry.png"]);
    assert!(run.stdout.contains("Three of the crew") && !run.stdout.contains("<img"), "{}", run.stdout);
}

#[test]
fn a_thread_has_its_title_in_every_format() {
    let join = |format: &str| tsugi(&["join", "-q", &case("forum/1.html"), "-f", format]).exits(DONE).stdout;
    let markdown = join("md");
    assert!(markdown.starts_with("# Leaking hatch on a Corvid 24\n"), "{markdown}");
    assert!(!markdown.contains("Re: ") && !markdown.contains("Able seaman"), "{markdown}");
    assert_eq!(markdown.matches("\nby **").count(), 21, "{markdown}");
    holds(&join("html"), &["<h1>Leaking hatch on a Corvid 24</h1>"]);
}

#[test]
fn german_pagers_go() {
    let markdown = tsugi(&["join", "-q", &case("german-pager/haus-1.html")]).exits(DONE).stdout;
    assert!(!markdown.contains("Nächste Seite") && !markdown.contains("Auf einer Seite"), "{markdown}");
    holds(&markdown, &["## Was der Ofen kostet", "## Ein Vergleich", "auch ein bisschen schön“ findet. Die"]);
}

#[test]
fn several_sources_and_what_a_page_lists_are_one_book() {
    let chapter = |number: u32| case(&format!("manual-with-contents/{number}.html"));
    let html = tsugi(&["join", "-q", &chapter(6), &chapter(2), "-f", "html"]).exits(DONE).stdout;
    assert_eq!(html.matches("<!DOCTYPE").count(), 1, "{html}");
    assert!(html.find("<h1>Errors</h1>") < html.find("<h1>Installation</h1>"), "{html}");
    let html = tsugi(&["join", "-q", "--contents", &chapter(1), "-f", "html", "--page-marks", "none"]);
    let html = html.exits(DONE).stdout;
    let heads =
        ["<title>Lantern manual</title>", "<h1>Installation</h1>", "<h1>Colour</h1>", "<h1>Errors</h1>"];
    let places: Vec<Option<usize>> = heads.iter().map(|head| html.find(head)).collect();
    assert!(places.is_sorted() && places[0].is_some(), "{places:?} in {html}");
    assert!(!html.contains("<footer>"), "{html}");
    let html = tsugi(&["join", "-q", &chapter(1), "-f", "html"]).exits(DONE).stdout;
    holds(&html, &heads);
    let run = tsugi(&["join", &chapter(2), &chapter(9), "-f", "html"]).exits(PARTLY_FAILED);
    holds(&run.says(&["9.html"]).stdout, &["<h1>Installation</h1>"]);
}

#[test]
fn a_document_is_called_as_its_reader_likes() {
    let folder = TestFolder::new();
    let (css, cover) = (folder.file("a.css", "p{color:red}"), folder.file("a.gif", b"GIF89a"));
    let options =
        ["--title", "Tides", "--author", "Ann", "--author", "Ben", "--css", &css, "--cover", &cover];
    let html = extract("rtl.html", &[&options[..], &["-f", "html"]].concat());
    holds(
        &html,
        &[
            "<title>Tides</title>",
            "<h1>Tides</h1>",
            "<p>Ann, Ben</p>",
            "p{color:red}</style>",
            "<img src=\"data:image/gif;base64,R0lGODlh\" alt=\"\">",
        ],
    );
}

fn print_pdf(path: &str, folder: &TestFolder) -> ProgramRun {
    let page = case("rtl.html");
    let arguments = ["extract", "-q", &page, "-o", &folder.path("a.pdf")];
    let mut command = crate::support::command(&arguments);
    command.env("PATH", path);
    crate::support::finish(command.spawn().unwrap())
}

#[test]
fn a_browser_prints_a_pdf_if_there_is_one() {
    let folder = TestFolder::new();
    let run = print_pdf(&folder.path("none"), &folder).exits(FAILED);
    run.says(&["a PDF needs Chromium, Chrome, Edge or Firefox", "-o FILE.html"]);
    assert!(folder.names().is_empty());
    let has_browser = ["chromium", "google-chrome", "firefox"]
        .iter()
        .any(|name| std::path::Path::new("/usr/bin").join(name).is_file());
    if has_browser {
        print_pdf("/usr/bin:/bin", &folder).exits(DONE);
        let pdf = std::fs::read(folder.path("a.pdf")).unwrap();
        assert!(pdf.starts_with(b"%PDF-") && pdf.len() > 2000, "{} bytes", pdf.len());
        assert_eq!(folder.names(), ["a.pdf"]);
    }
}
