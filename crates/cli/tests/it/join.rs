//! `tsugi join`.

use crate::support::{
    DONE, FAILED, LoopbackServer, PARTLY_FAILED, ProgramRun, TestFolder, answer, canned, command, data,
    finish, html, join_live, json_lines, labelled_texts, live_join, loopback_rules, page, paragraphs, tsugi,
    typed,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const ENGLISH: &str = "https://magazine.example/features/tide-mill/1.html";
const JAPANESE: &str = "https://yomimono.example/tokushu/saka/1.html";
const LISTING: &str = "https://notes.example/blog/index.html";

/// Says that the text holds every paragraph of the labelled pages, in order.
#[track_caller]
fn holds_every_page(text: &str, labelled: &[String]) {
    let mut rest = text;
    for (number, page) in labelled.iter().enumerate() {
        assert!(paragraphs(page).count() >= 3, "page {} has no paragraphs to look for", number + 1);
        for paragraph in paragraphs(page) {
            let at = rest.find(paragraph);
            let at = at.unwrap_or_else(|| panic!("page {}: `{paragraph}` is missing in: {text}", number + 1));
            rest = &rest[at + paragraph.len()..];
        }
    }
}

#[track_caller]
fn holds_none(text: &str, markers: &[&str]) {
    for marker in markers {
        assert!(!text.contains(marker), "`{marker}` is no content");
    }
}

/// Checks that the pages make up the text. See `docs` for the schema of a document.
#[track_caller]
fn checked(document: &Value) -> &Value {
    let text: Vec<char> = document["text"].as_str().unwrap().chars().collect();
    let mut end = 0;
    for (place, page) in document["pages"].as_array().unwrap().iter().enumerate() {
        let number = |name: &str| usize::try_from(page[name].as_u64().unwrap()).unwrap();
        let between: String = text[end..number("start")].iter().collect();
        assert!(["", " ", "\n"].contains(&between.as_str()), "`{between}` before {page}");
        assert!(number("start") <= number("end"), "{page}");
        end = number("end");
        assert_eq!(page["by"] == "start", place == 0, "{page}");
    }
    assert_eq!(end, text.len());
    document
}

fn page_urls(document: &Value) -> Vec<&str> {
    document["pages"].as_array().unwrap().iter().map(|page| page["url"].as_str().unwrap()).collect()
}

#[track_caller]
fn join_stored(url: &str, options: &[&str]) -> ProgramRun {
    let pages = data("pages.warc.gz");
    tsugi(&[&["join", "--pages", &pages, url], options].concat())
}

/// Joins over HTTP by a rule that fits [`page`].
#[track_caller]
fn join_by_rule(server: &LoopbackServer, path: &str, options: &[&str]) -> ProgramRun {
    let folder = TestFolder::new();
    let rules = loopback_rules(&folder);
    join_live(&[&[&*server.address(path), "--rules", &rules], options].concat())
}

#[test]
fn an_english_article_is_joined_from_files() {
    let run = tsugi(&["join", &data("english-article/1.html"), "-f", "json"]).exits(DONE);
    let document = run.json();
    let urls = page_urls(checked(&document));
    assert_eq!(urls.len(), 4);
    for (number, url) in (1..).zip(urls) {
        assert!(url.starts_with("file:///") && url.ends_with(&format!("/english-article/{number}.html")));
    }
    let text = document["text"].as_str().unwrap();
    holds_every_page(text, &labelled_texts("/tide-mill/"));
    // What is no text at all: scripts, attributes, hidden fields.
    holds_none(text, &["window.estuary", "querySelectorAll", "tide-mill", "<p>"]);
    assert_eq!(document["title"], "The Mill That Keeps the Moon’s Hours");
    assert_eq!((&document["lang"], &document["stopped"]["reason"]), (&json!("en-GB"), &json!("no-next")));
    assert!(text.matches("By Maud Fennimore").count() <= 1, "the byline repeats");
    run.says(&["4 pages; stopped: no-next"]);
}

#[test]
fn a_japanese_article_in_three_charsets_is_joined_from_files() {
    let document = tsugi(&["join", &data("japanese-article/1.html"), "-f", "json"]).exits(DONE).json();
    assert_eq!(page_urls(checked(&document)).len(), 3);
    let text = document["text"].as_str().unwrap();
    holds_every_page(text, &labelled_texts("/saka/"));
    holds_none(text, &["countView", "</p>"]);
    assert!(!text.contains('\u{fffd}'));
    assert_eq!(document["title"], "坂の町で、手書きの地図をつくる人");
    assert_eq!((&document["lang"], &document["stopped"]["reason"]), (&json!("ja"), &json!("no-next")));
    assert_eq!(document["warnings"], json!([]));
}

/// Menus, breadcrumbs, forms, link lists and footers are no part of an article; nor are the pager and the share bar
/// inside its element.
#[test]
fn what_stands_beside_an_article_is_left_out() {
    let english = [
        "Skip to the article", "Weather\nBooks", "Home › Places", "Your comment", "Related articles",
        "Most read this week", "Back issues", "All rights reserved", "Share", "E-mail", "Next page ›",
        "Next article", "Get the next issue",
    ];
    let japanese = ["歩いて読む、町のウェブマガジン", "食べもの", "利用規約", "次のページへ", "次の特集へ"];
    for (file, beside) in [("english-article/1.html", &english[..]), ("japanese-article/1.html", &japanese)] {
        holds_none(&tsugi(&["join", &data(file), "-f", "txt"]).exits(DONE).stdout, beside);
    }
}

#[test]
fn an_archive_gives_what_the_files_give() {
    for (url, file) in [(ENGLISH, "english-article/1.html"), (JAPANESE, "japanese-article/1.html")] {
        let stored = join_stored(url, &["-f", "txt"]).exits(DONE);
        let files = tsugi(&["join", &data(file), "-f", "txt"]).exits(DONE);
        assert_eq!(stored.stdout, files.stdout, "{url}");
    }
}

/// A page without what its `meta` says about the charset.
fn without_meta_charset(name: &str) -> Vec<u8> {
    let mut bytes = std::fs::read(data(name)).unwrap();
    let at = bytes.windows(8).position(|window| window == b"charset=").unwrap();
    bytes[at..at + 8].copy_from_slice(b"nothing=");
    bytes
}

#[test]
fn articles_are_joined_over_http_whatever_tells_the_charset() {
    let stored = |name: &str| std::fs::read(data(name)).unwrap();
    let server = LoopbackServer::start(canned([
        // The header alone, `meta` alone, neither.
        (
            "/saka/1.html",
            typed("text/html; charset=Shift_JIS", without_meta_charset("japanese-article/1.html")),
        ),
        ("/saka/2.html", typed("text/html", stored("japanese-article/2.html"))),
        ("/saka/3.html", typed("text/html", without_meta_charset("japanese-article/3.html"))),
        ("/mill/1.html", typed("text/html", stored("english-article/1.html"))),
        ("/mill/2.html", typed("text/html; charset=UTF-8", without_meta_charset("english-article/2.html"))),
        ("/mill/3.html", typed("text/html", without_meta_charset("english-article/3.html"))),
        ("/mill/4.html", typed("application/xhtml+xml", stored("english-article/4.html"))),
    ]));
    for (path, pages, part) in [("/saka/1.html", 3, "/saka/"), ("/mill/1.html", 4, "/tide-mill/")] {
        let document = join_live(&[&server.address(path), "-f", "json"]).exits(DONE).json();
        assert_eq!(page_urls(checked(&document)).len(), pages, "{path}: {}", document["stopped"]);
        let text = document["text"].as_str().unwrap();
        holds_every_page(text, &labelled_texts(part));
        assert!(!text.contains('\u{fffd}'), "{path}");
        assert_eq!(document["warnings"], json!([]), "{path}");
        assert_eq!(document["pages"][1]["by"], "model");
    }
    let mut asked = server.pages_asked();
    // The links of the last pages lead to what is not there.
    asked.retain(|path| path.starts_with("/saka/") || path.starts_with("/mill/"));
    let once: BTreeSet<&String> = asked.iter().collect();
    assert_eq!((asked.len(), once.len()), (7, 7), "each page is asked for once: {asked:?}");
}

#[test]
fn every_format_holds_the_whole_text() {
    let file = data("english-article/1.html");
    let joined = |format: &str| tsugi(&["join", &file, "-f", format]).exits(DONE).stdout;
    let labelled = labelled_texts("/tide-mill/");
    let (text, markdown, html, json, line) =
        (joined("txt"), joined("md"), joined("html"), joined("json"), joined("jsonl"));
    let without = |output: &str, marks: &[&str]| {
        marks.iter().fold(output.to_owned(), |output, mark| output.replace(mark, ""))
    };
    for (format, output) in [("txt", &text), ("md", &markdown), ("html", &html), ("json", &json)] {
        holds_every_page(&without(output, &["*", "<em>", "</em>"]), &labelled);
        assert!(output.ends_with('\n') && !output.ends_with("\n\n"), "{format} ends with one newline");
    }
    assert!(markdown.starts_with("# The Mill That Keeps the Moon’s Hours\n"));
    assert!(html.to_ascii_lowercase().starts_with("<!doctype html>") && html.contains("<meta charset"));
    assert!(!html.contains("<script"), "nothing active gets through");
    let document: Value = serde_json::from_str(&json).unwrap();
    let lines = json_lines(&line);
    assert_eq!(lines, std::slice::from_ref(&document), "jsonl is the same object on one line");
    let bare = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(bare(&text).contains(&bare(document["text"].as_str().unwrap())));
    assert_eq!(tsugi(&["join", &file]).exits(DONE).stdout, markdown, "md is the default");
}

#[test]
fn the_title_stands_at_the_top_and_nowhere_else() {
    let rules = data("siteinfo.json");
    for (format, heading) in
        [("md", "# The Mill That"), ("html", "<h1>The Mill That"), ("txt", "The Mill That")]
    {
        let text = join_stored(ENGLISH, &["--rules", &rules, "-f", format]).exits(DONE).stdout;
        assert_eq!(text.matches(heading).count(), 1, "{format}: {text}");
        assert!(text.find(heading) < text.find("At ten past four"), "{format}: {text}");
    }
}

#[test]
fn all_chains_of_an_archive_cover_every_page_once() {
    let pages = data("pages.warc.gz");
    let run = tsugi(&["join", "--pages", &pages, "--all", "-f", "jsonl"]).exits(DONE);
    let documents = run.json_lines();
    let mut urls: Vec<&str> = documents.iter().flat_map(|document| page_urls(checked(document))).collect();
    let lengths: Vec<usize> = documents.iter().map(|document| page_urls(document).len()).collect();
    assert!(lengths.contains(&4) && lengths.contains(&3), "the articles are whole: {lengths:?}");
    urls.sort_unstable();
    let labels = crate::support::labels();
    let mut stored: Vec<&str> = labels.iter().map(|label| label["url"].as_str().unwrap()).collect();
    stored.sort_unstable();
    assert_eq!(urls, stored);
}

#[test]
fn rules_join_the_listing() {
    let rules = data("siteinfo.json");
    let document = join_stored(LISTING, &["--rules", &rules, "-f", "json"]).exits(DONE).json();
    assert_eq!(
        page_urls(checked(&document)),
        [LISTING, "https://notes.example/blog/page2.html", "https://notes.example/blog/page3.html"]
    );
    assert_eq!((&document["pages"][1]["by"], &document["pages"][2]["by"]), (&json!("rule"), &json!("rule")));
    assert_eq!(
        document["text"],
        labelled_texts("//notes.example/")
            .iter()
            .flat_map(|text| text.lines())
            // Links to the comments of a post only lead on.
            .filter(|line| !line.ends_with("comments")
                && !line.ends_with("1 comment")
                && *line != "No comments yet")
            .collect::<Vec<_>>()
            .join("\n"),
        "rules give the labelled text"
    );
    assert_eq!(document["stopped"]["reason"], "no-next");
}

#[test]
fn as_many_pages_as_wanted_are_joined() {
    let document = join_stored(ENGLISH, &["--max-pages", "2", "-f", "json"]).exits(PARTLY_FAILED).json();
    assert_eq!(page_urls(checked(&document)).len(), 2);
    assert_eq!(document["stopped"]["reason"], "max-pages");
    assert_eq!(document["stopped"]["at"], "https://magazine.example/features/tide-mill/3.html");
    holds_every_page(document["text"].as_str().unwrap(), &labelled_texts("/tide-mill/")[..2]);
}

#[test]
fn links_are_followed_as_far_as_the_options_say() {
    for (option, value, pages, code, reason) in [
        ("--min-score", "1", 1, PARTLY_FAILED, "low-score"),
        ("--relation", "chapter", 1, DONE, "no-next"),
        ("--relation", "page", 4, DONE, "no-next"),
    ] {
        let document = join_stored(ENGLISH, &[option, value, "-f", "json"]).exits(code).json();
        assert_eq!(page_urls(checked(&document)).len(), pages, "{option} {value}");
        assert_eq!(document["stopped"]["reason"], reason, "{option} {value}");
    }
}

#[test]
fn what_was_fetched_before_a_failure_is_kept() {
    let server = LoopbackServer::start(canned([
        ("/1", html(page("One.", Some("2")))),
        ("/2", html(page("Two.", Some("3")))),
        ("/3", answer("500 Internal Server Error", page("Three.", None))),
    ]));
    let run = join_by_rule(&server, "/1", &["-f", "json"])
        .exits(PARTLY_FAILED)
        .says(&["2 pages", "fetch-failed", "500"]);
    let document = run.json();
    assert_eq!((checked(&document)["text"].as_str(), server.pages_asked().len()), (Some("One.\nTwo."), 3));
    let stopped = &document["stopped"];
    assert_eq!((&stopped["reason"], &stopped["at"]), (&json!("fetch-failed"), &json!(server.address("/3"))));
    assert!(stopped["detail"].as_str().unwrap().contains("500"), "{stopped}");
}

#[test]
fn without_a_browser_the_button_is_named_and_what_to_install() {
    let text = "The weir was closed in winter, and nobody crossed it. ".repeat(12);
    let page = format!(
        "<title>The weir</title><main><h1>The weir</h1><p>{text}</p></main><button>Load more</button>"
    );
    let server = LoopbackServer::start(canned([("/story", html(page))]));
    let address = server.address("/story");
    let run = command(&live_join(&[&address])).env("PATH", "/there/is/none").spawn().unwrap();
    let said =
        ["stopped: no-next (the next page is behind \"Load more\", which needs scripts", "install Chromium"];
    finish(run).exits(PARTLY_FAILED).says(&said);
}

#[test]
fn a_document_is_written_to_a_file() {
    let folder = TestFolder::new();
    let (file, written) = (data("english-article/1.html"), folder.file("article.md", "old"));
    let stdout = tsugi(&["join", &file]).exits(DONE).stdout;
    tsugi(&["join", &file, "-o", &written]).exits(DONE).writes_nothing();
    assert_eq!(folder.read("article.md"), stdout);
    assert_eq!(folder.names(), ["article.md"], "nothing is left over");
}

/// A pipe or a device is written to; to put a file in its place would break it for everyone else.
#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_replaced() {
    use crate::support::{command, finish};
    use std::os::unix::fs::FileTypeExt;
    let folder = TestFolder::new();
    let pipe = folder.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe)
    });
    let run = finish(command(&["join", &data("english-article/1.html"), "-o", &pipe]).spawn().unwrap());
    assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo(), "the pipe is gone");
    run.exits(DONE).writes_nothing();
    assert!(reader.join().unwrap().unwrap().starts_with("# The Mill"));
}

#[test]
fn one_source_of_two_may_fail() {
    let folder = TestFolder::new();
    let (file, none, out) = (data("english-article/1.html"), folder.path("none.html"), folder.path("out.md"));
    let run = tsugi(&["join", &none, &file, "-o", &out]).exits(PARTLY_FAILED).says(&["none.html", "4 pages"]);
    assert_eq!(run.stdout, "");
    assert_eq!(folder.read("out.md"), tsugi(&["join", &file]).exits(DONE).stdout);
    let run = join_stored(ENGLISH, &["https://magazine.example/none.html", "-f", "txt"]).exits(PARTLY_FAILED);
    holds_every_page(&run.stdout, &labelled_texts("/tide-mill/"));
    run.says(&["https://magazine.example/none.html", "is not stored"]);
}

#[test]
fn several_documents_are_one_line_each() {
    let run = join_stored(ENGLISH, &[JAPANESE, "-f", "jsonl"]).exits(DONE);
    let titles: Vec<String> =
        run.json_lines().iter().map(|document| checked(document)["title"].to_string()).collect();
    assert_eq!(titles, ["\"The Mill That Keeps the Moon’s Hours\"", "\"坂の町で、手書きの地図をつくる人\""]);
}

#[test]
fn a_judge_can_be_given() {
    let judge = concat!(env!("CARGO_MANIFEST_DIR"), "/../tsugi/models/continuation.model");
    let given = join_stored(LISTING, &["--continuation-model", judge]).exits(DONE);
    assert_eq!(given.stdout, join_stored(LISTING, &[]).exits(DONE).stdout);
    let none = data("README.md");
    join_stored(LISTING, &["--continuation-model", &none])
        .exits(FAILED)
        .says(&["README.md", "cannot be used"]);
}

#[test]
fn what_is_not_there_is_named() {
    let folder = TestFolder::new();
    let none = folder.path("none.html");
    tsugi(&["join", &none]).exits(FAILED).writes_nothing().says(&["none.html"]);
    tsugi(&["join", "--pages", &none, ENGLISH]).exits(FAILED).writes_nothing().says(&["none.html"]);
    join_stored("https://magazine.example/none.html", &[]).exits(FAILED).says(&["is not stored"]);
    join_stored("1.html", &[]).exits(FAILED).says(&["1.html", "with --pages", "URL"]);
    tsugi(&["join", &data("pages.warc.gz")]).exits(FAILED).says(&["is an archive", "--pages"]);
}

#[test]
fn comments_are_dropped_kept_or_alone() {
    let folder = TestFolder::new();
    let file = folder.file(
        "mill.html",
        "<title>The tide mill</title><nav><a href=/>Home</a> <a href=/about>About us</a></nav>\
        <article><h1>The tide mill<a class=anchor href=#mill>#</a></h1>\
        <p>The mill stands where the river meets the sea, and turns with the water that the tide leaves behind.</p>\
        <p>It ground corn for four hundred years. The oldest of its beams was cut in the winter of 1503.</p>\
        <p>Today it is a museum, and on Sundays in summer the great wheel turns again for those who come.</p></article>\
        <div id=comments><h3>2 Comments</h3><ol><li class=comment id=comment-1><p>My grandfather was the last miller, \
        and he told me that the wheel froze in 1947.</p></li><li class=comment id=comment-2><p>Which Sundays? We were \
        there in June and it stood still.</p></li></ol></div><footer>© 2020</footer>",
    );
    let document =
        |what: &[&str]| tsugi(&[&["join", &file, "-f", "json"][..], what].concat()).exits(DONE).json();
    let text = |what: &[&str]| document(what)["text"].as_str().unwrap().to_owned();
    let (story, said) = ("stands where the river", "the wheel froze");
    let holds = |text: &str| (text.contains(story), text.contains(said));
    assert_eq!(holds(&text(&[])), (true, false));
    assert_eq!(holds(&text(&["--comments", "keep"])), (true, true));
    assert_eq!(holds(&text(&["--comments", "only"])), (false, true));
    let pages = &document(&[])["pages"];
    assert!(pages[0]["comments"].as_str().unwrap().contains(said), "{pages}");
    let line = tsugi(&["scan", &file]).exits(DONE).json_lines().remove(0);
    assert!(line["comments"].as_str().unwrap().contains(said), "{line}");
    assert!(line["content"]["text"].as_str().unwrap().starts_with("The tide mill\n"), "{line}");
}

/// Returns the run of a text from one character to another.
fn run(text: &Value, place: &Value) -> String {
    let [start, end] = ["start", "end"].map(|name| usize::try_from(place[name].as_u64().unwrap()).unwrap());
    text.as_str().unwrap().chars().skip(start).take(end - start).collect()
}

#[test]
fn parts_are_kept_by_their_roles() {
    let line =
        "The water came over the wall in the night, and nobody in the village heard it until the morning. ";
    let flood = format!(
        "<title>Flood</title><article><h1>Flood in the valley</h1><p class=byline>By Ann Lee, 12 May 2020</p><p>{line}{line}</p>
        <figure><img src=a.png><figcaption>The wall at noon. Photo: Tom Ray</figcaption></figure><p>{line}{line}</p><p>{line}</p></article>
        <div class=related><h2>Read more</h2><a href=/x>Frost in the valley</a></div>"
    );
    let folder = TestFolder::new();
    let file = folder.file("flood.html", &flood);
    let text = |keep: &str| {
        let document = tsugi(&["extract", "-f", "json", "--keep", keep, &file]).exits(DONE).json();
        document["text"].as_str().unwrap().to_owned()
    };
    let holds =
        |text: &str| ["Flood in", "Ann Lee", "The water", "Tom Ray", "Frost"].map(|part| text.contains(part));
    assert_eq!(holds(&text("body")), [false, false, true, false, false]);
    assert_eq!(holds(&text("title,body,caption")), [true, false, true, true, false]);
    assert_eq!(holds(&text("all"))[..4], [true; 4]);
    assert_eq!(text("document"), {
        let document = tsugi(&["extract", "-f", "json", &file]).exits(DONE).json();
        document["text"].as_str().unwrap().to_owned()
    });
    let scanned = |source: &str| {
        let line =
            tsugi(&["scan", "--keep", "title,body,caption", source]).exits(DONE).json_lines().remove(0);
        line["content"].clone()
    };
    let server = LoopbackServer::start(canned([("/flood", html(&flood))]));
    assert_eq!(scanned(&server.address("/flood"))["parts"], scanned(&file)["parts"]);
    let document = tsugi(&["join", "-f", "json", "--keep", "title,body,caption", &file]).exits(DONE).json();
    for shown in [document, scanned(&file)] {
        let of_role = |role: &str| -> Vec<String> {
            let parts = shown["parts"].as_array().unwrap().iter().filter(|part| part["role"] == role);
            parts.map(|part| run(&shown["text"], part)).collect()
        };
        assert_eq!(of_role("title"), ["Flood in the valley"]);
        assert_eq!(of_role("caption"), ["The wall at noon. Photo: Tom Ray"]);
        let body = of_role("body");
        assert!(body.iter().all(|run| run.starts_with("The water") && run.ends_with("morning.")), "{body:?}");
    }
    tsugi(&["extract", "--keep", "title,menu", &file]).exits(2).says(&["no role is called `menu`"]);
}
