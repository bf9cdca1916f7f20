//! Siteinfo: dumps, `url` patterns and XPath on a small page.
//!
//! Input: one byte of options, then a dump, or the `url`, `nextLink`, `pageElement` and `insertBefore` of one item, each on
//! its line.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::json;
use std::sync::LazyLock;
use tsugi::Page;
use tsugi::rules::Siteinfo;
use tsugi_fuzz::{choice, within_limits};
use tsugi_siteinfo::{Item, export};

const MOST_ITEMS: usize = 8;

const HTML: &str = "<!DOCTYPE html><html lang=en><head><title>Blog 12</title><link rel=next href=13></head>\
    <body class='a b'><nav id=top><ul><li><a href=/>Home</a><li><a href=11 rel=prev>11</a><li>12\
    <li><a class=next href=13>next page</a></ul></nav>\
    <main id=main><article class=autopagerize_page_element><h1>Snow</h1><p>It falls <em>slowly</em> for 3 hours.\
    <p>It melts.</article><div id='x1'><table><tr><td>1<td>2</table></div></main><form action=13><input value=14></form>\
    <!-- end --></body></html>";

static PAGE: LazyLock<Page> = LazyLock::new(|| {
    Page::from_text(HTML, &"https://www.a.test/blog/12.html?page=2".parse().expect("an address"))
});

/// Addresses on which patterns take long, if any do.
static LONG: LazyLock<[String; 3]> = LazyLock::new(|| {
    let address = |unit: &str| format!("https://www.a.test/{}", unit.repeat(2000 / unit.len()));
    [address("a"), address("ab"), address("1/")]
});

fuzz_target!(|data: &[u8]| within_limits(data.len(), || {
    let Some((options, rest)) = choice(data) else { return };
    let made;
    let dump = if options & 1 == 1 {
        rest
    } else {
        let text = String::from_utf8_lossy(rest);
        let mut lines = text.lines();
        let mut line = || lines.next().unwrap_or_default();
        let item = json!({"url": line(), "nextLink": line(), "pageElement": line(), "insertBefore": line()});
        made = item.to_string();
        made.as_bytes()
    };
    let Ok(siteinfo) = Siteinfo::read_dump(dump) else { return };
    let siteinfo = siteinfo.with_generic_items();
    siteinfo.problems().iter().chain(siteinfo.warnings()).for_each(|problem| _ = problem.to_string());
    siteinfo.find(&PAGE);
    for item in siteinfo.items().iter().take(MOST_ITEMS) {
        let json = item.to_json();
        assert_eq!(Item::from_json(&json).map(|item| item.to_json()), Ok(json));
        export::five_filters(item);
        LONG.iter().for_each(|address| _ = item.url.matches(address));
        if let Ok(Some((node, _))) = item.next_link(&PAGE) {
            assert!(node.index() < PAGE.node_count());
        }
        if let Ok(nodes) = item.page_elements(&PAGE) {
            assert_eq!(PAGE.outermost(nodes.clone()), nodes);
        }
        _ = item.insertion_point(&PAGE);
        if item.url.matches(PAGE.url().as_str()) {
            assert!(
                siteinfo.matching(PAGE.url()).any(|found| std::ptr::eq(found, item)),
                "{}",
                item.url.source()
            );
        }
    }
}));
