//! How long siteinfo takes: reading a dump, finding the items for an address, applying them to a page beside parsing it.
//!
//! The newest dump beside the project is taken where there is one, else one of our own making of 4,000 items.

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::json;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use tsugi_page::{Page, Url};
use tsugi_siteinfo::{Pattern, Siteinfo};

/// The dump, and an address that one of its items is for.
fn dump() -> (Vec<u8>, Url) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/rules/wedata-2024-08.json");
    let made = || {
        let item = |number: usize| {
            json!({"name": format!("site {number}"), "data": {
                "url": format!("^https?://(?:www\\.)?site{number}\\.test/(?:list|tag/[^/]+)/"),
                "nextLink": "//div[contains(concat(' ', @class, ' '), ' pager ')]//a[@rel='next' or text()='次へ']",
                "pageElement": "id('main')//article[not(@class='ad')]",
                "exampleUrl": format!("https://site{number}.test/list/"),
            }})
        };
        json!((0..4000).map(item).collect::<Vec<_>>()).to_string().into_bytes()
    };
    let bytes = std::fs::read(file).unwrap_or_else(|_| made());
    let siteinfo = Siteinfo::read_dump(&bytes).expect("the dump can be read");
    let examples =
        siteinfo.items().iter().filter_map(|item| item.example_url.as_deref()?.parse::<Url>().ok());
    let mut known = examples.filter(|url| siteinfo.matching(url).next().is_some());
    let url = known.nth(1000).expect("items match their own examples");
    (bytes, url)
}

fn page() -> String {
    let mut html = String::from("<!doctype html><title>list</title><div id=main>");
    for number in 0..500 {
        let _ = write!(
            html,
            "<article class='entry'><h2><a href='/e/{number}'>Entry {number}</a></h2>\
             <p>{}</p><ul><li><a href='/t/a'>a</a><li><a href='/t/b'>b</a></ul></article>",
            "Some words of text that stand here. ".repeat(8)
        );
    }
    html + "</div><div class='pager'><a rel=next href='?page=2'>次へ</a></div>"
}

fn benches(criterion: &mut Criterion) {
    let (bytes, url) = dump();
    let siteinfo = Siteinfo::read_dump(&bytes).expect("the dump can be read");
    criterion.bench_function("read a dump", |bench| bench.iter(|| Siteinfo::read_dump(black_box(&bytes))));
    criterion.bench_function("compile all `url`", |bench| {
        bench
            .iter(|| siteinfo.items().iter().filter_map(|item| Pattern::new(item.url.source()).ok()).count());
    });
    criterion.bench_function("match an address against all items", |bench| {
        bench.iter(|| siteinfo.matching(black_box(&url)).count());
    });
    criterion.bench_function("match an address by trying all items", |bench| {
        bench.iter(|| {
            siteinfo.items().iter().filter(|item| item.url.matches(black_box(url.as_str()))).count()
        });
    });
    let html = page();
    let parsed = Page::from_text(&html, &url);
    criterion.bench_function("parse a page", |bench| bench.iter(|| Page::from_text(black_box(&html), &url)));
    criterion.bench_function("look at that page", |bench| {
        bench.iter(|| siteinfo.find(black_box(&parsed)).is_some());
    });
}

/// Rules that take as much work as they may, each on a page of two million nodes, and one of 20 MB of text.
fn hostile(criterion: &mut Criterion) {
    let url: Url = "https://a.test/".parse().expect("an address");
    let empty = "<div>".repeat(500) + &"</div>".repeat(499) + &"<br>".repeat(1500);
    let pages = [
        ("two million nodes", format!("<i>{}", "<br>".repeat(1_999_000))),
        ("deep and empty", empty.repeat(800)),
        ("20 MB of text", "<div>".repeat(500) + &format!("<p>{}", "some words ".repeat(200)).repeat(9000)),
    ];
    let mut group = criterion.benchmark_group("hostile rules");
    group.sample_size(10);
    for (name, html) in pages {
        let page = Page::from_text(&html, &url);
        for hostile in [
            "//*[preceding-sibling::*[1] = following-sibling::*[1]]",
            "//*[*[1] | *[2] | *[3]]",
            "//*[..//*[..//*[..//*]]]",
            "//* = //*",
            "//*[. = preceding::*]",
            "//*[substring(string(/), position(), 1) = 'a']",
            "//*[normalize-space(.) = 'y']",
        ] {
            let item = json!({"url": "a\\.test", "nextLink": hostile, "pageElement": "//p"});
            let dump = vec![item; 3000];
            let siteinfo = Siteinfo::read_dump(json!(dump).to_string().as_bytes()).expect("items");
            group.bench_function(format!("{hostile} on {name}"), |bench| {
                bench.iter(|| siteinfo.search(black_box(&page)).cut.is_some());
            });
        }
    }
}

criterion_group!(group, benches, hostile);
criterion_main!(group);
