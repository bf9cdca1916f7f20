//! `tsugi blocks`.

use crate::support::{DONE, Folder, Warc, checked, data, labels, names_what_it_shows, paragraphs, tsugi};
use serde_json::Value;
use tsugi_page::Page;

/// Pages of a site with a menu and two advertisements, and what each has alone.
fn site(texts: &[&str]) -> Vec<(String, String)> {
    let page = |(number, text): (usize, &&str)| {
        let html = format!(
            "<!DOCTYPE html><html lang=en><title>Page {number}</title><ul><li><a href=/>Home</a><li>Sport</ul>\
             <div><p>{text}</p><div>Buy</div></div><p>Contact</p><p>Imprint</p>"
        );
        (format!("http://www.a.example/{number}"), html)
    };
    texts.iter().enumerate().map(page).collect()
}

fn archive(folder: &Folder, pages: &[(String, String)]) -> String {
    let warc = pages.iter().fold(Warc::default(), |warc, (url, html)| warc.page(url, html));
    folder.file("pages.warc", warc.bytes)
}

fn texts(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| checked(line)["content"]["text"].as_str().unwrap()).collect()
}

#[test]
fn what_all_pages_have_is_left_out() {
    let lines = tsugi(&["blocks", "unique", &data("pages.warc.gz")]).exits(DONE).json_lines();
    let labels = labels();
    assert_eq!(lines.len(), labels.len());
    for (line, label) in lines.iter().zip(&labels) {
        assert_eq!(checked(line)["url"], label["url"]);
        assert_eq!(line["next"], Value::Null);
        let found = line["content"]["text"].as_str().unwrap();
        for paragraph in paragraphs(label["text"].as_str().unwrap()) {
            assert!(found.contains(paragraph), "{}: `{paragraph}` is on this page only", line["url"]);
        }
        assert!(!found.contains("Most read this week"), "what every page of the site holds is left out");
    }
}

#[test]
fn lines_have_the_fields_of_a_scan() {
    let folder = Folder::new();
    let pages = site(&["Snow fell in June.", "The bridge is open again.", "Ski races are off."]);
    let archive = archive(&folder, &pages);
    for method in ["unique", "repeated"] {
        let lines = tsugi(&["blocks", method, &archive]).exits(DONE).json_lines();
        assert_eq!(
            texts(&lines),
            ["Snow fell in June.", "The bridge is open again.", "Ski races are off."],
            "{method}"
        );
        for ((url, html), line) in pages.iter().zip(&lines) {
            assert_eq!((&line["url"], &line["lang"]), (&Value::from(url.as_str()), &Value::from("en")));
            assert!(line["title"].as_str().unwrap().starts_with("Page "));
            names_what_it_shows(&Page::from_text(html, &url.parse().unwrap()), line);
        }
        let out = folder.path("out.jsonl");
        tsugi(&["blocks", method, &archive, "-o", &out]).exits(DONE).writes_nothing();
        assert_eq!(crate::support::json_lines(&folder.read("out.jsonl")), lines);
    }
}

#[test]
fn near_duplicates_are_set_aside_unless_the_paper_is_followed() {
    let folder = Folder::new();
    let article = "Snow fell in June, and nobody had a shovel.";
    let archive =
        archive(&folder, &site(&[article, article, "The bridge is open again.", "Ski races are off."]));
    let lines = tsugi(&["blocks", "unique", &archive]).exits(DONE).json_lines();
    assert_eq!(texts(&lines)[..2], [article, article]);
    let lines = tsugi(&["blocks", "unique", "--as-published", &archive]).exits(DONE).json_lines();
    assert_eq!(texts(&lines), ["", "", "The bridge is open again.", "Ski races are off."]);
}

#[test]
fn sites_are_compared_apart() {
    let folder = Folder::new();
    let [(_, one), (_, two)] = &site(&["Snow fell in June.", "The bridge is open again."])[..] else {
        panic!("two")
    };
    let warc = Warc::default().page("http://a.example/", one).page("http://b.example/", two);
    // `www.` makes no other host, a port does.
    let warc = warc.page("https://www.a.example/2", two).page("http://a.example:8080/", one);
    let archive = folder.file("pages.warc", warc.bytes);
    let lines = tsugi(&["blocks", "repeated", &archive]).exits(DONE).json_lines();
    let menus: Vec<bool> = texts(&lines).iter().map(|text| text.contains("Home")).collect();
    assert_eq!(menus, [false, true, false, true]);
}
