//! What JSON-LD says of the article on a page.

use super::names;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use tsugi_page::{NodeId, Page, Url, address, text};

/// The longest script that is read, in bytes; and how many of them, and of the things in them.
const LONGEST: usize = 512 * 1024;
const MOST_SCRIPTS: usize = 32;
const MOST_THINGS: usize = 2000;

/// What is said of an article.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Article {
    pub(super) headline: Option<String>,
    pub(super) authors: Vec<String>,
    pub(super) published: Option<String>,
    pub(super) modified: Option<String>,
    pub(super) site: Option<String>,
}

type Thing = Map<String, Value>;

/// Reads what is said of the article that a page shows. Of several articles it is the one with the page's address;
/// where none has, there is none, for the page is a list.
pub(super) fn article(page: &Page) -> Article {
    let values = values(page);
    let things = things(&values);
    let by_id: BTreeMap<&str, &Thing> = things
        .iter()
        .filter_map(|thing| Some((thing.get("@id")?.as_str()?, *thing)))
        .filter(|(_, thing)| thing.len() > 1)
        .collect();
    let of_rank = |rank: u8| -> Vec<&Thing> {
        things.iter().copied().filter(|thing| self::rank(thing) == rank).collect()
    };
    let chosen = [2, 1].into_iter().find_map(|rank| {
        let found = of_rank(rank);
        let own = found.iter().find(|thing| is_of(thing, page.url()));
        own.or(if found.len() == 1 { found.first() } else { None }).copied()
    });
    let Some(thing) = chosen else { return Article::default() };
    let text_of =
        |name: &str| thing.get(name).and_then(Value::as_str).map(plain).filter(|text| !text.is_empty());
    let mut authors = Vec::new();
    for name in ["author", "creator"] {
        if authors.is_empty() {
            authors = thing.get(name).map(|value| named(value, &by_id)).unwrap_or_default();
        }
    }
    let publisher = thing.get("publisher").map(|value| named(value, &by_id)).unwrap_or_default();
    Article {
        headline: text_of("headline")
            .or_else(|| text_of("name"))
            .filter(|title| title.chars().count() <= 500),
        authors,
        published: text_of("datePublished").or_else(|| text_of("dateCreated")),
        modified: text_of("dateModified"),
        site: publisher.into_iter().find(|name| names::is_plausible(name)),
    }
}

fn values(page: &Page) -> Vec<Value> {
    let is_json = |id: &tsugi_page::NodeId| {
        let kind = page.attribute(*id, "type").unwrap_or_default().trim().to_ascii_lowercase();
        page.is(*id, "script") && kind.starts_with("application/ld+json")
    };
    let scripts = page.elements().filter(is_json).take(MOST_SCRIPTS).map(|id| page.string_value(id));
    let bounded = scripts.filter(|script| script.len() <= LONGEST);
    bounded.filter_map(|script| serde_json::from_str(script.trim()).ok()).collect()
}

/// Lists the things that stand in arrays, graphs, and as the main entity of a page.
fn things(values: &[Value]) -> Vec<&Thing> {
    let mut open: Vec<&Value> = values.iter().rev().collect();
    let mut things = Vec::new();
    while let Some(value) = open.pop() {
        match value {
            Value::Array(values) => open.extend(values.iter().rev()),
            Value::Object(thing) if things.len() < MOST_THINGS => {
                things.push(thing);
                let inner = ["mainEntity", "mainEntityOfPage", "@graph"]
                    .into_iter()
                    .filter_map(|name| thing.get(name));
                open.extend(inner.filter(|value| !value.is_string()));
            }
            _ => {}
        }
    }
    things
}

/// Says what a thing is: 2 an article, 1 a page, 0 something else.
fn rank(thing: &Thing) -> u8 {
    let types = match thing.get("@type") {
        Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(name)) => vec![name.as_str()],
        _ => Vec::new(),
    };
    let rank = |name: &str| {
        let name = name.rsplit(['/', ':', '#']).next().unwrap_or(name);
        let is_article = name.ends_with("Article")
            || matches!(
                name,
                "BlogPosting"
                    | "LiveBlogPosting"
                    | "SocialMediaPosting"
                    | "DiscussionForumPosting"
                    | "Report"
                    | "Review"
                    | "HowTo"
                    | "Recipe"
                    | "Chapter"
                    | "Book"
                    | "CreativeWork"
                    | "Guide"
                    | "ShortStory"
            );
        if is_article { 2 } else { u8::from(name.ends_with("Page")) }
    };
    types.into_iter().map(rank).max().unwrap_or_default()
}

/// Says whether a thing has the address of a page.
fn is_of(thing: &Thing, url: &Url) -> bool {
    let key = address::page_key(url);
    let own = ["url", "@id", "mainEntityOfPage"].into_iter().filter_map(|name| thing.get(name));
    let own = own.filter_map(|value| value.as_str().or_else(|| value.get("@id").and_then(Value::as_str)));
    own.filter_map(|own| url.join(own).ok())
        .any(|own| address::is_web(&own) && address::page_key(&own) == key)
}

/// Returns the names of people and companies: plain ones, those of things, and of things that are told of elsewhere.
/// Returns a text as its readers see it: many sites write it as for HTML, with `&amp;` and the like.
fn plain(text: &str) -> String {
    match Url::parse("about:blank") {
        Ok(nowhere) if text.contains('&') => {
            let escaped = text.replace('<', "&lt;");
            text::fold(Page::from_text(&escaped, &nowhere).string_value(NodeId::DOCUMENT))
        }
        _ => text::fold(text),
    }
}

fn named(value: &Value, by_id: &BTreeMap<&str, &Thing>) -> Vec<String> {
    let values = match value {
        Value::Array(values) => values.as_slice(),
        value => std::slice::from_ref(value),
    };
    let name = |thing: &Thing| match thing.get("name") {
        Some(Value::String(name)) => Some(name.clone()),
        Some(Value::Array(names)) => names.first().and_then(Value::as_str).map(str::to_owned),
        _ => None,
    };
    let one = |value: &Value| match value {
        Value::String(name) => names::apart(&plain(name)),
        Value::Object(thing) => {
            let told = || by_id.get(thing.get("@id")?.as_str()?).and_then(|thing| name(thing));
            name(thing).or_else(told).map(|name| vec![plain(&name)]).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    values.iter().take(50).flat_map(one).collect()
}
