//! `tsugi siteinfo learn`, and joining by what was learned.

use crate::support::{
    DONE, FAILED, LoopbackServer, NOTHING_FOUND, PARTLY_FAILED, ProgramRun, TestFolder, WRONG_USE, Warc,
    canned, data, html, json_lines, missing, tsugi,
};
use serde_json::Value;

fn learn(arguments: &[&str]) -> ProgramRun {
    tsugi(&[&["siteinfo", "learn"], arguments].concat())
}

/// A page of a site whose class names a build tool made, but for a few; they are the same on all pages of a build.
fn hashed(site: &str, number: usize, of: usize) -> String {
    let paragraph = |paragraph: usize| {
        let place = number * 10 + paragraph;
        format!(
            "<p class='css-{:07x}'>Paragraph {place} of {site} says at some length what nobody else says: the ferry \
             left at {place} past nine, the keeper wrote {place} lines in his book, and the lamp was lit for the \
             {place}th time that winter, while the harbour lay under its own weather.</p>",
            (paragraph + 7) * 7919 % 0x0fff_ffff
        )
    };
    let text = (0..6).map(paragraph).collect::<Vec<_>>().concat();
    let hash = |seed: usize| format!("{:06x}", (104_729 + seed * 1_299_709) % 0x00ff_ffff);
    let next = (number < of).then(|| {
        let classes = format!("css-{} sc-{}", hash(1), hash(2));
        format!("<a class='{classes}' rel='next' href='{}'>Next page ›</a>", number + 1)
    });
    let next = next.unwrap_or_default();
    let numbers = (1..=of).map(|other| match other {
        other if other == number => format!("<b>{other}</b> "),
        other => format!("<a class='css-{}' href='{other}'>{other}</a> ", hash(3)),
    });
    let numbers = numbers.collect::<Vec<_>>().concat();
    format!(
        "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>The keeper of {site}, page {number}</title>\
         <body><div class='css-{a} header'><a class='css-{b}' href='/'>Home</a> <a href='/about'>About us</a>\
         <a href='/terms'>Terms</a></div><div class='jss131 article-body'><h1>The keeper of {site}</h1>{text}</div>\
         <div class='css-{c} pages'>{numbers}{next}</div>\
         <div class='footer css-{d}'><a href='/privacy'>Privacy</a> <a href='/imprint'>Imprint</a></div></body></html>",
        a = hash(4),
        b = hash(5),
        c = hash(6),
        d = hash(7),
    )
}

const PATHS: [&str; 3] = ["/keeper/1", "/keeper/2", "/keeper/3"];

fn hashed_site() -> LoopbackServer {
    let answers = PATHS.iter().enumerate();
    LoopbackServer::start(canned(answers.map(|(at, path)| (path, html(hashed("Skerry", at + 1, 3))))))
}

/// The documents of two runs of `join -f json`, without what says how a page was found.
#[track_caller]
fn joined(arguments: &[&str]) -> (Value, Vec<Value>) {
    let mut document = tsugi(&[&["join", "-f", "json"], arguments].concat()).exits(DONE).json();
    let pages = document["pages"].as_array().unwrap();
    let found = pages.iter().map(|page| serde_json::json!([page["url"], page["by"]])).collect();
    (document["text"].take(), found)
}

#[test]
fn what_is_learned_of_a_url_joins_as_the_models_do() {
    let (server, folder) = (hashed_site(), TestFolder::new());
    let (first, rules) = (server.address(PATHS[0]), folder.path("rules.json"));
    let run = learn(&[&first, "-o", &rules]).exits(DONE).writes_nothing();
    run.says(&["3 pages; stopped: no-next", "learned from 3 pages; item and models agree on 3 of 3"]);
    assert_eq!(server.pages_asked(), PATHS, "each page is asked for once");
    let items: Value = serde_json::from_str(&folder.read("rules.json")).unwrap();
    let data = &items[0]["data"];
    assert_eq!((items.as_array().unwrap().len(), &items[0]["name"]), (1, &"127.0.0.1".into()));
    assert_eq!(data["exampleUrl"], first.as_str());
    for part in ["nextLink", "pageElement"] {
        let rule = data[part].as_str().unwrap();
        assert!(!["css-", "sc-", "jss"].iter().any(|hash| rule.contains(hash)), "{part}: {rule}");
    }
    let (by_models, found) = joined(&[&first]);
    let (by_rule, found_by_rule) = joined(&[&first, "--rules", &rules]);
    assert_eq!(by_models, by_rule);
    let by = |found: &[Value]| found.iter().map(|page| page[1].clone()).collect::<Vec<_>>();
    assert_eq!(by(&found), ["start", "model", "model"]);
    assert_eq!(by(&found_by_rule), ["start", "rule", "rule"]);
    assert_eq!(folder.names(), ["rules.json"]);
}

#[test]
fn rules_are_read_in_every_format_that_they_are_written_in() {
    let (server, folder) = (hashed_site(), TestFolder::new());
    let first = server.address(PATHS[0]);
    let (by_models, _) = joined(&[&first]);
    for (format, file) in [("css", "rules.json"), ("fivefilters", "site.txt")] {
        let rules = folder.path(file);
        learn(&[&first, "-f", format, "-o", &rules]).exits(DONE).writes_nothing();
        let (by_rule, found) = joined(&[&first, "--rules", &rules]);
        assert_eq!(by_models, by_rule, "{format}");
        assert_eq!(found.iter().filter(|page| page[1] == "rule").count(), 2, "{format}: {found:?}");
    }
}

#[test]
fn a_site_config_says_more_than_where_the_text_is() {
    let (server, folder) = (hashed_site(), TestFolder::new());
    let first = server.address(PATHS[0]);
    let config = format!(
        "title: //p[@class='none']\ntitle: //title\nauthor: 'Ann Lee'\nbody: //div[contains(@class,'article-body')]\n\
         strip: //h1\nnext_page_link: //a[@rel='next']\ntest_url: {first}\n"
    );
    let rules = folder.file("site.txt", config);
    let run = tsugi(&[
        "join", &first, "--rules", &rules, "-f", "json", "--allow-private", "127.0.0.1", "--delay", "0",
    ]);
    let document = run.exits(DONE).json();
    assert_eq!(document["pages"].as_array().unwrap().len(), 3, "{document}");
    assert!(
        !document["text"].as_str().unwrap().starts_with("The keeper"),
        "the headline is stripped: {document}"
    );
    let said = tsugi(&["explain", &first, "--rules", &rules, "--allow-private", "127.0.0.1", "--delay", "0"])
        .exits(DONE);
    for fact in ["The keeper of Skerry, page 1", "Ann Lee"] {
        assert!(said.stdout.contains(fact), "`{fact}` is missing: {}", said.stdout);
    }
    let broken = folder.file("broken.txt", "body: //div[\ntest_url: http://a.test/\n");
    tsugi(&["join", &first, "--rules", &broken])
        .exits(FAILED)
        .writes_nothing()
        .says(&["broken.txt", "`body` (`//div[`)"]);
    let nowhere = folder.file("notes.txt", "body: //div\n");
    tsugi(&["join", &first, "--rules", &nowhere])
        .exits(FAILED)
        .says(&["call the file HOST.txt, or add `test_url`"]);
    tsugi(&["siteinfo", "check", &rules]).exits(DONE);
}

#[test]
fn pages_of_one_article_are_one_set() {
    let server = hashed_site();
    let [first, second, third] = PATHS.map(|path| server.address(path));
    let run = learn(&[&first, &second, &third]).exits(DONE);
    assert!(!run.stderr.contains("duplicate"), "{}", run.stderr);
    assert_eq!(server.pages_asked(), PATHS, "each page is asked for once");
    run.says(&["learned from one article; with the first page of another, the rule may fit more than"]);
}

#[test]
fn content_can_be_learned_from_what_each_page_has_alone() {
    let folder = TestFolder::new();
    // What stands in the header is no article, but other on every page.
    let weather =
        |number: usize| format!("<p>Wind {number}, rain {number}, sea {number}, ice {number}</p>").repeat(20);
    let warc = (1..=4).fold(Warc::default(), |warc, number| {
        let html = hashed("Skerry", number, 4)
            .replace("<a href='/about'>", &(weather(number) + "<a href='/about'>"));
        warc.page(&format!("http://skerry.test/keeper/{number}"), html)
    });
    let archive = folder.file("pages.warc", warc.bytes);
    let learned = |teacher: &str| {
        let run = learn(&[&archive, "--content", teacher]).exits(DONE);
        let data = &run.says(&["item and models", "agree on 4 of 4"]).json()[0]["data"];
        ["nextLink", "pageElement"].map(|part| data[part].as_str().unwrap().to_owned())
    };
    let [[next, by_model], [next_too, by_rules]] = ["model", "rules"].map(learned);
    assert_eq!(next, next_too, "next links are the models' in both");
    assert!(by_model.contains("article-body") && !by_model.contains("header"), "{by_model}");
    assert_eq!(by_rules, "//body", "what holds header and article, in the fewest words");
    let run = learn(&[&archive, "--content", "rules", "--max-pages", "1"]).exits(NOTHING_FOUND);
    run.says(&["skerry.test: nothing learned: learning content by rules requires at least two pages"]);
}

#[test]
fn so_many_pages_of_a_url_are_fetched_and_a_missing_end_is_told() {
    let server = hashed_site();
    let run = learn(&[&server.address(PATHS[0]), "--max-pages", "2"]).exits(DONE);
    run.says(&["2 pages; stopped: max-pages", "not checked on a last page"]);
    assert_eq!(server.pages_asked(), PATHS[..2]);
}

#[test]
fn several_urls_of_a_site_are_learned_from_together() {
    let server = hashed_site();
    let urls = [server.address(PATHS[2]), server.address(PATHS[1])];
    let run = learn(&[&urls[0], &urls[1]]).exits(DONE);
    // Following from the second leads to the third, which is held.
    assert_eq!(run.json().as_array().unwrap().len(), 1);
    run.says(&["learned from 2 pages; item and models agree on 2 of 2"]);
}

#[test]
fn a_host_that_fails_does_not_end_the_others() {
    let (server, silent) = (hashed_site(), LoopbackServer::start(|_| missing()));
    let (good, gone) = (server.address(PATHS[0]), silent.address("/1"));
    let run = learn(&[&gone, &good]).exits(PARTLY_FAILED);
    assert_eq!(run.json().as_array().unwrap().len(), 1);
    run.says(&[&gone, "404", "agree on 3 of 3"]);
    learn(&[&gone]).exits(FAILED).writes_nothing().says(&["404"]);
}

#[test]
fn pages_that_nothing_follows_teach_nothing() {
    let folder = TestFolder::new();
    let rules = folder.file("rules.json", "before");
    let page = data("single/plum-barley-bread.html");
    let run = learn(&[&page, "-o", &rules]).exits(NOTHING_FOUND).writes_nothing();
    run.says(&["kitchen.example: nothing learned: no next link found"]);
    assert_eq!(folder.read("rules.json"), "before");
}

fn two_hosts(folder: &TestFolder, pages: usize) -> String {
    let mut warc = Warc::default();
    for number in 1..=pages {
        for (host, name) in [("www.skerry.test", "Skerry"), ("holm.test", "Holm")] {
            warc = warc.page(&format!("http://{host}/keeper/{number}"), hashed(name, number, pages));
        }
    }
    warc = warc.record("http://holm.test/old", "404 Not Found\r\nContent-Type: text/html", "<p>gone");
    folder.file("pages.warc", warc.bytes)
}

#[test]
fn an_archive_gives_an_item_for_each_host() {
    let folder = TestFolder::new();
    let (archive, rules) = (two_hosts(&folder, 4), folder.path("rules.json"));
    let run = learn(&[&archive, "-o", &rules]).exits(DONE).writes_nothing();
    run.says(&["skerry.test: learned from 4 pages; item", "holm.test: learned from 4 pages; item"]);
    let items: Value = serde_json::from_str(&folder.read("rules.json")).unwrap();
    let names: Vec<&str> =
        items.as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["holm.test", "www.skerry.test"]);
    let first = "http://www.skerry.test/keeper/1";
    let (by_models, _) = joined(&["--pages", &archive, first]);
    let (by_rule, found) = joined(&["--pages", &archive, first, "--rules", &rules]);
    assert_eq!(by_models, by_rule);
    assert_eq!(found.iter().filter(|page| page[1] == "rule").count(), 3);
}

#[test]
fn site_configs_are_one_file_a_host() {
    let folder = TestFolder::new();
    let archive = two_hosts(&folder, 3);
    let run = learn(&[&archive, "-f", "fivefilters"]).exits(WRONG_USE).writes_nothing();
    run.says(&["for one host", "-o"]);
    let configs = folder.path("configs/");
    learn(&[&archive, "-f", "fivefilters", "-o", &configs]).exits(DONE).writes_nothing();
    assert_eq!(folder.names(), ["configs", "pages.warc"]);
    insta::assert_snapshot!("learn-fivefilters", folder.read("configs/skerry.test.txt"));
    assert!(folder.read("configs/holm.test.txt").contains("test_url: http://holm.test/keeper/1\n"));
    let page =
        hashed("Holm", 1, 2).replace("<title>", "<link rel=canonical href='http://holm.test/1'><title>");
    let page = folder.file("page.html", page);
    let run = learn(&[&page, "-f", "fivefilters"]).exits(DONE);
    assert!(run.stdout.contains("\nbody: "), "of one host it goes to stdout: {}", run.stdout);
}

#[test]
fn css_is_written_where_it_says_the_same() {
    let folder = TestFolder::new();
    let run = learn(&[&two_hosts(&folder, 3), "-f", "css"]).exits(DONE);
    insta::assert_snapshot!("learn-css", run.stdout);
    // A text alone tells the link: CSS cannot see it.
    let mut warc = Warc::default();
    for number in 1..=3 {
        let page = hashed("Holm", number, 3);
        let (before, pager) = page.split_once(" pages'>").unwrap();
        let (_, after) = pager.split_once("</div>").unwrap();
        let back = format!("<a href='{}'>Previous page</a>", number - 1);
        let on = format!("<a href='{}'>Next page</a>", number + 1);
        let pager =
            [back, on].into_iter().skip(usize::from(number == 1)).take(if number == 2 { 2 } else { 1 });
        let page = format!("{before}'>{}</div>{after}", pager.collect::<Vec<_>>().join(" | "));
        warc = warc.page(&format!("http://holm.test/keeper/{number}"), page);
    }
    let archive = folder.file("text.warc", warc.bytes);
    let run = learn(&[&archive, "-f", "css"]).exits(DONE);
    assert_eq!(run.json()[0]["nextLink"], Value::Null, "{}", run.stdout);
    run.says(&["holm.test: `nextLink` is null: no CSS found that selects the same nodes as"]);
}

#[test]
fn pages_where_models_and_item_differ_are_named() {
    let folder = TestFolder::new();
    let mut warc = Warc::default();
    for number in 1..=4 {
        if number == 4 {
            // Another kind of page, and one that is not among those that are learned from.
            let table = "Tide tables. ".repeat(80);
            let other = format!("<title>x</title><table><tr><td><pre>{table}</pre></table>");
            warc = warc.page("http://holm.test/tides", other);
        }
        warc = warc.page(&format!("http://holm.test/keeper/{number}"), hashed("Holm", number, 4));
    }
    let archive = folder.file("pages.warc", warc.bytes);
    let rules = folder.path("rules.json");
    let run = learn(&[&archive, "--max-pages", "4", "-o", &rules]).exits(PARTLY_FAILED);
    run.says(&[
        "learned from 4 pages; item and models agree on 4 of 5",
        "holm.test: http://holm.test/tides: the item's `url` does not match",
    ]);
    assert_eq!(
        json_lines(&folder.read("rules.json").replace('\n', " ")).len(),
        1,
        "it is written all the same"
    );
    let run = learn(&[&archive, "--max-pages", "4", "--strict"]).exits(NOTHING_FOUND).writes_nothing();
    run.says(&["item dropped because of --strict"]);
}

#[test]
fn saved_pages_say_where_they_come_from() {
    let folder = TestFolder::new();
    let page = hashed("Holm", 1, 2);
    let noted = folder.file(
        "noted.html",
        page.replace("<html", "<!-- saved from url=(0024)http://holm.test/keeper/1 --><html"),
    );
    let run = learn(&[&noted]).exits(DONE);
    assert_eq!(run.json()[0]["data"]["exampleUrl"], "http://holm.test/keeper/1");
    let silent = folder.file("silent.html", page);
    learn(&[&silent]).exits(FAILED).writes_nothing().says(&["silent.html: unknown address"]);
    let run = learn(&[&silent, &noted]).exits(PARTLY_FAILED);
    assert_eq!(run.json()[0]["name"], "holm.test");
}

#[test]
fn output_that_makes_no_sense_is_wrong_use() {
    let folder = TestFolder::new();
    let archive = two_hosts(&folder, 2);
    learn(&[&archive, "-o", &archive]).exits(WRONG_USE).says(&["is a source"]);
    learn(&[&archive, "-o", &folder.path("")]).exits(WRONG_USE).says(&["is a folder"]);
    learn(&[&archive, "-f", "toml"]).exits(WRONG_USE).says(&["fivefilters"]);
    learn(&["no-such-file"]).exits(FAILED).says(&["no-such-file"]);
}
