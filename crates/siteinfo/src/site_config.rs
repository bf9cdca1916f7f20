//! Site configs of `FiveFilters` (Full-Text RSS, graby, wallabag): a text file for a host, one `key: value` a line.

use crate::item::{Field, Item, ItemError};
use crate::node_rule::NodeRule;
use crate::pattern::Pattern;
use std::fmt::Write as _;
use tsugi_page::address::{has_public_suffix, host_key};
use tsugi_page::{Url, XPath};

/// Keys of site configs. Those that say how to fetch or clean a page are accepted and not used.
const KEYS: [&str; 26] = [
    "title",
    "body",
    "date",
    "author",
    "strip",
    "strip_id_or_class",
    "strip_image_src",
    "next_page_link",
    "test_url",
    "single_page_link",
    "single_page_link_in_feed",
    "tidy",
    "prune",
    "autodetect_on_failure",
    "find_string",
    "replace_string",
    "http_header",
    "test_contains",
    "parser",
    "convert_double_br_tags",
    "native_ad_clue",
    "requires_login",
    "login_uri",
    "dissolve",
    "footnotes",
    "insert_detected_image",
];

/// Returns `true` if a text is a site config and not JSON: its first line with a value has a known key.
pub(crate) fn is_site_config(text: &str) -> bool {
    lines(text).next().is_some_and(|(key, _)| KEYS.contains(&bare(key)))
}

/// Returns the keys and values, in their order.
fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| match line.split_once(':') {
        Some((key, value)) => (key.trim(), value.trim()),
        None => (line, ""),
    })
}

/// Returns a key without what stands in brackets behind it: `replace_string(x)`.
fn bare(key: &str) -> &str {
    key.split('(').next().unwrap_or(key).trim_end()
}

/// Reads a site config. `name` is the name of its file, which names its host: `example.com.txt`, and `.example.com.txt` for
/// the hosts below. The hosts of `test_url` count, too.
pub(crate) fn read(text: &str, name: &str) -> Result<Item, ItemError> {
    let (mut body, mut next, mut strip) = (Vec::new(), Vec::new(), Vec::new());
    let (mut title, mut author, mut date) = (Vec::new(), Vec::new(), Vec::new());
    let mut single_page = Vec::new();
    let mut tests: Vec<&str> = Vec::new();
    for (key, value) in lines(text).filter(|(_, value)| !value.is_empty()) {
        match key {
            "body" => body.push(path(value, Field::Body)?),
            "next_page_link" => next.push(path(value, Field::NextPageLink)?),
            "single_page_link" => single_page.push(path(value, Field::SinglePageLink)?),
            "title" => title.push(path(value, Field::Title)?),
            "author" => author.push(path(value, Field::Author)?),
            "date" => date.push(path(value, Field::Date)?),
            "strip" => strip.push(NodeRule::from(path(value, Field::Strip)?)),
            "strip_id_or_class" => {
                let name = quoted(value);
                let expression = format!("//*[contains(@class,{name}) or contains(@id,{name})]");
                strip.push(NodeRule::from(path(&expression, Field::Strip)?));
            }
            "strip_image_src" => {
                let expression = format!("//img[contains(@src,{})]", quoted(value));
                strip.push(NodeRule::from(path(&expression, Field::Strip)?));
            }
            "test_url" => tests.push(value),
            _ => {}
        }
    }
    if body.is_empty() {
        return Err(ItemError::Missing(Field::Body));
    }
    let hosts = Hosts::of(name, &tests);
    let url = hosts.pattern().ok_or(ItemError::NoHost)?;
    Ok(Item {
        name: hosts.names.first().cloned().unwrap_or_default(),
        url: Pattern::new(&url).map_err(|error| ItemError::Pattern { expression: url.clone(), error })?,
        next_link: NodeRule::first_of(next),
        page_element: NodeRule::first_of(body),
        insert_before: None,
        example_url: tests.first().map(|test| (*test).to_owned()),
        warning: None,
        strip,
        single_page_link: any_of(single_page),
        title: any_of(title),
        author: any_of(author),
        date: any_of(date),
    })
}

fn any_of(paths: Vec<XPath>) -> Option<NodeRule> {
    (!paths.is_empty()).then(|| NodeRule::first_of(paths))
}

fn path(value: &str, field: Field) -> Result<XPath, ItemError> {
    XPath::parse(value).map_err(|error| ItemError::XPath { field, expression: value.to_owned(), error })
}

/// Returns a value as a string of XPath, which knows no escapes: without the quotes that others put around it.
fn quoted(value: &str) -> String {
    let value = value.trim_matches(['"', '\'']);
    if value.contains('"') { format!("'{}'", value.replace('\'', "")) } else { format!("\"{value}\"") }
}

/// The hosts that a site config is for.
struct Hosts {
    names: Vec<String>,
    /// Whether hosts below them count, too.
    below: bool,
}

impl Hosts {
    fn of(name: &str, tests: &[&str]) -> Hosts {
        let stem = name.strip_suffix(".txt").unwrap_or(name);
        let host = stem.trim_start_matches('.').trim_start_matches("www.").to_lowercase();
        let named: Option<Url> = format!("https://{host}/").parse().ok();
        let mut names: Vec<String> = named.filter(has_public_suffix).map(|_| host).into_iter().collect();
        for test in tests.iter().filter_map(|test| test.parse::<Url>().ok()) {
            let host = host_key(&test);
            if !host.is_empty() && !names.contains(&host) {
                names.push(host);
            }
        }
        Hosts { below: stem.starts_with('.'), names }
    }

    fn pattern(&self) -> Option<String> {
        let (first, rest) = self.names.split_first()?;
        let mut hosts = literal(first);
        for host in rest {
            let _ = write!(hosts, "|{}", literal(host));
        }
        let below = if self.below { "[^/]+\\.|" } else { "" };
        Some(format!("^https?://(?:{below}www\\.|)(?:{hosts})(?:[/?#]|$)"))
    }
}

/// Returns a host as an expression that matches it alone.
fn literal(host: &str) -> String {
    let mut out = String::new();
    for c in host.chars() {
        if !(c.is_alphanumeric() || matches!(c, '-' | ':')) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsugi_page::Page;

    const CONFIG: &str = "# Harbour Letters\n\ntitle: //h1\nauthor: substring-after(//p[@class='by'], 'by ')\n\
        date: //time/@datetime\nbody: //div[@id='none']\nbody: //article\nstrip: //aside\nstrip_id_or_class: share\n\
        strip_image_src: /ads/\nnext_page_link: //a[@class='on']\nsingle_page_link: //a[@class='all']\nprune: no\nreplace_string(a: b): c\n\
        test_url: http://letters.example/1\n";

    fn page() -> Page {
        let html = "<h1>The  ferry</h1><p class=by>by Ann Lee</p><time datetime=2024-05-01>May</time>\
            <article><p>One.</p><aside>More</aside><p class=share-bar>Share</p><img src=/ads/1.png></article>\
            <a class=on href=/2>on</a><a class=all href=/all>Whole</a>";
        Page::from_text(html, &"https://www.letters.example/1".parse().unwrap())
    }

    #[test]
    fn a_site_config_is_an_item() {
        assert!(is_site_config(CONFIG) && !is_site_config("[]") && !is_site_config("nonsense"));
        let (item, page) = (read(CONFIG, "anything.txt").unwrap(), page());
        assert!(
            item.url.matches("https://www.letters.example/1")
                && !item.url.matches("https://a.letters.example/")
        );
        assert_eq!(item.next_link(&page).unwrap().unwrap().1.path(), "/2");
        assert_eq!(item.single_page(&page).unwrap().path(), "/all");
        let content = item.page_elements(&page).unwrap();
        assert_eq!(
            content,
            page.first("article").into_iter().collect::<Vec<_>>(),
            "the first `body` is not there"
        );
        assert_eq!(item.stripped(&page, &content).len(), 3);
        let facts = [&item.title, &item.author, &item.date].map(|rule| rule.as_ref().unwrap().text(&page));
        assert_eq!(facts.map(Option::unwrap), ["The ferry", "Ann Lee", "2024-05-01"]);
    }

    #[test]
    fn the_file_or_a_test_address_names_the_host() {
        let matches = |name: &str, url: &str| read("body: //p", name).unwrap().url.matches(url);
        assert!(matches("letters.example.org.txt", "http://letters.example.org/a"));
        assert!(!matches("letters.example.org.txt", "http://letterszexample.org/a"));
        assert!(!matches("example.org.txt", "http://letters.example.org/a"));
        assert!(matches(".example.org.txt", "http://letters.example.org/a"));
        assert!(!matches("example.org.txt", "http://example.org.elsewhere.test/"));
        assert_eq!(read("body: //p", "notes.txt").unwrap_err(), ItemError::NoHost);
        let ported = read("body: //p\ntest_url: http://127.0.0.1:8000/1", "a.txt").unwrap();
        assert!(
            ported.url.matches("http://127.0.0.1:8000/2") && !ported.url.matches("http://127.0.0.1:9000/2")
        );
    }

    #[test]
    fn what_cannot_be_used_is_told_by_its_key() {
        let error = |text: &str| read(text, "a.example.org.txt").unwrap_err().to_string();
        assert!(error("body: //p[\n").starts_with("`body` (`//p[`): at byte 4"), "{}", error("body: //p[\n"));
        assert_eq!(error("title: //h1\n"), "`body` is missing or empty");
    }
}
