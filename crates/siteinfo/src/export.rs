//! Exports learned rules to the formats of other programs.

use crate::item::{CSS, Item};
use crate::learn::Learned;
use serde_json::{Value, json};
use std::fmt::Write;

/// Returns an item as a site config of `FiveFilters` (Full-Text RSS, graby, wallabag): lines with `title`, `author`, `date`,
/// `body`, `strip`, `next_page_link`, `single_page_link` and `test_url`, as far as the item has them. The name of the file is
/// the host it is for, so it has no `url`.
pub fn five_filters(item: &Item) -> String {
    // A value ends with its line; white space between the parts of an expression does not matter. Readers parse with
    // libxml2, which does not insert missing `tbody`.
    let line = |expression: &str| expression.replace(['\r', '\n'], " ").replace("/tbody/", "//");
    let body = [("body", Some(&item.page_element))];
    let facts =
        [("title", item.title.as_ref()), ("author", item.author.as_ref()), ("date", item.date.as_ref())];
    let strip = item.strip.iter().map(|rule| ("strip", Some(rule)));
    let links =
        [("next_page_link", Some(&item.next_link)), ("single_page_link", item.single_page_link.as_ref())];
    let mut out = String::new();
    for (key, rule) in facts.into_iter().chain(body).chain(strip).chain(links) {
        if let Some(rule) = rule {
            // Writing to a string does not fail.
            let _ = writeln!(out, "{key}: {}", line(rule.source()));
        }
    }
    if let Some(example) = &item.example_url {
        let _ = writeln!(out, "test_url: {}", line(example));
    }
    out
}

/// Returns a learned item with CSS selectors instead of XPath, as [`Siteinfo::read_rules`](crate::Siteinfo::read_rules) reads it; `null` if no CSS was found that selects the same.
pub fn css(learned: &Learned) -> Value {
    json!({
        "name": learned.item.name,
        "url": learned.item.url.source(),
        "selectors": CSS,
        "nextLink": learned.next_link_css,
        "pageElement": learned.page_element_css,
        "exampleUrl": learned.item.example_url,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn site_configs_have_a_line_for_each_value() {
        let data = json!({"url": "a", "nextLink": "//a[@rel='next']\n | //link", "pageElement": "//p"});
        let mut item = Item::from_json(&data).unwrap();
        assert_eq!(five_filters(&item), "body: //p\nnext_page_link: //a[@rel='next']  | //link\n");
        item.example_url = Some("http://a.test/".to_owned());
        assert!(five_filters(&item).ends_with("\ntest_url: http://a.test/\n"));
    }
}
