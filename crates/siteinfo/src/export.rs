//! Learned rules in the forms that programs read.

use crate::item::Item;
use crate::learn::Learned;
use serde_json::{Value, json};
use std::fmt::Write;

/// Writes an item as a site config of `FiveFilters` (Full-Text RSS, graby, wallabag): `body`, `next_page_link` and
/// `test_url`, one a line. Such a file is for one host, which its name says; `url` has no place in it.
pub fn five_filters(item: &Item) -> String {
    // A value ends with its line, and white space between the parts of an expression is of no account.
    // Their readers parse with libxml2, which puts no `tbody` where a page has none.
    let line = |expression: &str| expression.replace(['\r', '\n'], " ").replace("/tbody/", "//");
    let mut out = format!(
        "body: {}\nnext_page_link: {}\n",
        line(item.page_element.source()),
        line(item.next_link.source())
    );
    if let Some(example) = &item.example_url {
        // Writing to a string does not fail.
        let _ = writeln!(out, "test_url: {}", line(example));
    }
    out
}

/// Writes what was learned with CSS selectors in place of XPath; `null` where none was found that
/// selects the same.
pub fn css(learned: &Learned) -> Value {
    json!({
        "name": learned.item.name,
        "url": learned.item.url.source(),
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
