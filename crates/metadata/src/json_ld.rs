//! Reads the JSON-LD about the article on a page.

use crate::names;
use crate::survey::MetadataSurvey;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use tsugi_page::{NodeId, Page, Url, address, text};

/// Maximum size of a script in bytes, and maximum number of scripts and of items in them.
const LONGEST: usize = 512 * 1024;
const MOST_SCRIPTS: usize = 32;
/// Maximum number of parts of an article that are read.
const MOST_PARTS: usize = 8;
const MOST_THINGS: usize = 2000;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct StatedArticle {
    /// Whether it describes the article itself, not just a page.
    pub(super) is_sure: bool,
    pub(super) headline: Option<String>,
    /// Names of people; organisations are left out.
    pub(super) authors: Vec<String>,
    /// Names of people whom another item about the page names, such as its recipe.
    pub(super) authors_elsewhere: Vec<String>,
    /// The authors as they are, organisations and the site included.
    pub(super) signed: Vec<String>,
    pub(super) published: Option<String>,
    pub(super) modified: Option<String>,
    /// The publisher, or else the site.
    pub(super) site: Option<String>,
    pub(super) description: Option<String>,
    pub(super) image: Option<String>,
    pub(super) section: Option<String>,
    pub(super) tags: Vec<String>,
    pub(super) lang: Option<String>,
    /// Whether not everyone may read all of it.
    pub(super) is_paid: bool,
    /// The parts that not everyone may read.
    pub(super) paid_parts: Vec<PaidPart>,
    pub(super) parsely: Parsely,
}

/// The content of `meta name=parsely-page`, which is JSON of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Parsely {
    pub(super) title: Option<String>,
    pub(super) authors: Vec<String>,
    pub(super) published: Option<String>,
}

type Thing = Map<String, Value>;

pub(super) fn article(survey: &MetadataSurvey<'_>) -> StatedArticle {
    let values = values(survey);
    let things = things(&values);
    let by_id: BTreeMap<&str, &Thing> = things
        .iter()
        .filter_map(|thing| Some((thing.get("@id")?.as_str()?, *thing)))
        .filter(|(_, thing)| thing.len() > 1)
        .collect();
    let mut own: Vec<&Thing> = Vec::new();
    let chosen = [2, 1].into_iter().find_map(|rank| {
        let found: Vec<&Thing> = things.iter().copied().filter(|thing| self::rank(thing) == rank).collect();
        // Of several, only one with the page's address counts: without one, the page is a list. Some pages describe their
        // article twice.
        own = found.iter().copied().filter(|thing| is_of(thing, survey.page.url())).collect();
        let are_one =
            found.split_first().is_some_and(|(first, rest)| rest.iter().all(|other| are_alike(first, other)));
        own.first().or(if are_one { found.first() } else { None }).copied()
    });
    let recipes: Vec<&Thing> =
        things.iter().copied().filter(|thing| types(thing).any(|name| name == "Recipe")).collect();
    own.extend(recipes.first().filter(|_| recipes.len() == 1));
    let parsely = parsely(survey);
    let Some(thing) = chosen else {
        return StatedArticle { site: site(&things), parsely, ..StatedArticle::default() };
    };
    let is_sure = rank(thing) == 2;
    let others = own.into_iter().filter(|other| !std::ptr::eq(*other, thing));
    let mut elsewhere = others.map(|other| authors(other, &by_id, true));
    // The publisher of a personal site is its author, whose name is no name of the site.
    let publisher = thing.get("publisher").filter(|publisher| !is_person(publisher, &by_id));
    let publisher = publisher.map(|value| named(value, &by_id, false)).unwrap_or_default();
    // The headline of an item that is not an article may be the name of the site.
    let headline = if is_sure { first_text(thing, &["headline", "name"]) } else { None };
    StatedArticle {
        is_sure,
        headline: headline.filter(|title| title.chars().count() <= 500),
        authors: authors(thing, &by_id, true),
        authors_elsewhere: elsewhere.find(|authors| !authors.is_empty()).unwrap_or_default(),
        signed: if is_sure { authors(thing, &by_id, false) } else { Vec::new() },
        published: first_text(thing, &["datePublished", "dateCreated", "uploadDate"]),
        modified: first_text(thing, &["dateModified"]),
        site: publisher.into_iter().find(|name| names::is_plausible(name)).or_else(|| site(&things)),
        description: first_text(thing, &["description"]),
        image: thing
            .get("image")
            .or_else(|| thing.get("thumbnailUrl"))
            .and_then(|value| image(value, &by_id)),
        section: thing.get("articleSection").and_then(|value| texts(value).into_iter().next()),
        tags: thing.get("keywords").map(texts).unwrap_or_default(),
        lang: first_text(thing, &["inLanguage"]),
        is_paid: is_sure && is_paid(thing),
        paid_parts: thing.get("hasPart").map(paid_parts).unwrap_or_default(),
        parsely,
    }
}

fn authors(thing: &Thing, by_id: &BTreeMap<&str, &Thing>, people: bool) -> Vec<String> {
    let fields = ["author", "creator"].into_iter().filter_map(|name| thing.get(name));
    let mut authors = fields.map(|value| named(value, by_id, people));
    authors.find(|authors| !authors.is_empty()).unwrap_or_default()
}

fn is_person(value: &Value, by_id: &BTreeMap<&str, &Thing>) -> bool {
    let Some(thing) = value.as_object() else { return false };
    let defined = || by_id.get(thing.get("@id")?.as_str()?).copied();
    types(thing).chain(defined().into_iter().flat_map(types)).any(|name| name == "Person")
}

/// Returns `true` if two items describe one article.
fn are_alike(one: &Thing, other: &Thing) -> bool {
    first_text(one, &["headline"]).is_some_and(|title| first_text(other, &["headline"]) == Some(title))
}

fn is_paid(thing: &Thing) -> bool {
    thing.get("isAccessibleForFree").and_then(truth) == Some(false)
}

fn paid_parts(parts: &Value) -> Vec<PaidPart> {
    let parts = match parts {
        Value::Array(parts) => parts.as_slice(),
        part => std::slice::from_ref(part),
    };
    let paid = parts.iter().take(MOST_PARTS).filter_map(Value::as_object).filter(|part| is_paid(part));
    paid.filter_map(|part| part.get("cssSelector")?.as_str())
        .flat_map(|part| part.split(','))
        .filter_map(PaidPart::read)
        .collect()
}

/// An element of an article that only subscribers may read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PaidPart {
    Class(String),
    Id(String),
}

impl PaidPart {
    /// Reads the last name of a selector. Search engines take only classes
    /// (<https://developers.google.com/search/docs/appearance/structured-data/paywalled-content>).
    fn read(selector: &str) -> Option<Self> {
        let start = selector.rfind(['.', '#'])?;
        let name = selector[start + 1..].split_ascii_whitespace().next()?.to_owned();
        Some(if selector[start..].starts_with('.') { Self::Class(name) } else { Self::Id(name) })
    }
}

/// Reads a boolean of schema.org: JSON's own, a word, or an address that ends with it.
fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::String(word) => match word.trim().rsplit('/').next()?.to_ascii_lowercase().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn site(things: &[&Thing]) -> Option<String> {
    let site = things.iter().find(|thing| types(thing).any(|name| name == "WebSite"))?;
    Some(plain(site.get("name")?.as_str()?)).filter(|name| names::is_plausible(name))
}

fn first_text(thing: &Thing, names: &[&str]) -> Option<String> {
    let mut texts = names.iter().filter_map(|name| thing.get(*name)?.as_str()).map(plain);
    texts.find(|text| !text.is_empty())
}

fn image(value: &Value, by_id: &BTreeMap<&str, &Thing>) -> Option<String> {
    let first = match value {
        Value::Array(values) => values.first()?,
        value => value,
    };
    match first {
        Value::String(url) => Some(url.clone()),
        Value::Object(thing) => {
            address_of(thing).or_else(|| address_of(by_id.get(thing.get("@id")?.as_str()?)?))
        }
        _ => None,
    }
}

fn address_of(image: &Thing) -> Option<String> {
    let url = ["url", "contentUrl"].into_iter().find_map(|name| image.get(name))?;
    url.as_str().map(str::to_owned)
}

fn texts(value: &Value) -> Vec<String> {
    let texts: Vec<String> = match value {
        Value::Array(values) => values.iter().take(100).filter_map(Value::as_str).map(plain).collect(),
        Value::String(text) => text.split(',').take(100).map(plain).collect(),
        _ => Vec::new(),
    };
    texts.into_iter().filter(|text| !text.is_empty() && text.chars().count() <= 200).collect()
}

fn parsely(survey: &MetadataSurvey<'_>) -> Parsely {
    let said =
        survey.all(&["parsely-page", "parsely-metadata"]).filter(|value| value.trim_start().starts_with('{'));
    let mut things = said.filter_map(|value| serde_json::from_str::<Thing>(value).ok());
    let Some(thing) = things.find(|thing| thing.contains_key("title")) else { return Parsely::default() };
    let authors = thing.get("authors").or_else(|| thing.get("author"));
    Parsely {
        title: first_text(&thing, &["title"]),
        authors: authors.map(|value| named(value, &BTreeMap::new(), true)).unwrap_or_default(),
        published: first_text(&thing, &["pub_date"]),
    }
}

fn values(survey: &MetadataSurvey<'_>) -> Vec<Value> {
    let scripts = survey.json_ld.iter().take(MOST_SCRIPTS).map(|id| survey.page.string_value(*id));
    scripts.filter(|script| script.len() <= LONGEST).filter_map(read).collect()
}

/// Parses a script, tolerating what templates leave in it: comment markers, line breaks and bare quotes in strings, commas
/// before a closing bracket, and anything behind the data.
fn read(script: &str) -> Option<Value> {
    let script = script.trim().trim_start_matches("<!--").trim_start_matches("//<![CDATA[");
    let script = script.trim_end_matches("-->").trim_end_matches("//]]>").trim().trim_end_matches(';');
    serde_json::from_str(script).ok().or_else(|| {
        let repaired = repaired(script);
        let mut values = serde_json::Deserializer::from_str(&repaired).into_iter::<Value>();
        let read: Vec<Value> = values.by_ref().map_while(Result::ok).collect();
        (!read.is_empty()).then_some(Value::Array(read))
    })
}

/// Rewrites a script that is nearly JSON.
fn repaired(script: &str) -> String {
    let mut written = String::with_capacity(script.len() + 16);
    let mut in_string = false;
    let mut signs = script.char_indices();
    while let Some((at, sign)) = signs.next() {
        let behind = &script[at + sign.len_utf8()..];
        match sign {
            '\\' if in_string => match signs.next() {
                Some((_, next @ ('"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' | 'u'))) => {
                    written.extend([sign, next]);
                }
                Some((_, next)) => written.push(if next.is_control() { ' ' } else { next }),
                None => {}
            },
            '"' if in_string && !closes_string(behind) => written.push_str("\\\""),
            '"' => {
                in_string = !in_string;
                written.push(sign);
            }
            ',' if !in_string && next_sign(behind).is_none_or(|next| matches!(next, ',' | '}' | ']')) => {}
            sign if sign.is_control() => written.push(' '),
            sign => written.push(sign),
        }
    }
    written
}

/// Returns `true` if the text behind a quote goes on as JSON does after a string.
fn closes_string(behind: &str) -> bool {
    next_sign(behind).is_none_or(|next| matches!(next, ',' | ':' | '}' | ']'))
}

fn next_sign(behind: &str) -> Option<char> {
    /// Maximum number of characters read, so that repairs take linear time.
    const FAR: usize = 200;
    behind.chars().take(FAR).find(|c| !c.is_whitespace())
}

/// Names under which an item holds the one that the page is about.
const HOLDERS: [&str; 3] = ["@graph", "mainEntity", "mainEntityOfPage"];

fn things(values: &[Value]) -> Vec<&Thing> {
    let mut open: Vec<&Value> = values.iter().rev().collect();
    let mut things = Vec::new();
    while let Some(value) = open.pop() {
        match value {
            Value::Array(values) => open.extend(values.iter().rev()),
            Value::Object(thing) if things.len() < MOST_THINGS => {
                things.push(thing);
                // An object without a type only holds others, under whatever name.
                let is_bare = !thing.contains_key("@type");
                let inner = thing.iter().filter(|(name, _)| is_bare || HOLDERS.contains(&name.as_str()));
                open.extend(inner.map(|(_, value)| value).filter(|value| !value.is_string()));
            }
            _ => {}
        }
    }
    things
}

/// Types of articles, besides those that end with `Article`.
const ARTICLES: [&str; 13] = [
    "BlogPosting", "LiveBlogPosting", "SocialMediaPosting", "DiscussionForumPosting", "Report", "Review",
    "HowTo", "Recipe", "Chapter", "Book", "CreativeWork", "Guide", "ShortStory",
];

/// Ranks an item: 2 for an article, 1 for a page, 0 for anything else.
fn rank(thing: &Thing) -> u8 {
    let ranks = types(thing).map(|name| {
        let is_article = name.ends_with("Article") || ARTICLES.contains(&name);
        if is_article { 2 } else { u8::from(name.ends_with("Page")) }
    });
    ranks.max().unwrap_or_default()
}

fn types(thing: &Thing) -> impl Iterator<Item = &str> {
    let types = match thing.get("@type") {
        Some(Value::Array(types)) => types.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    types.iter().filter_map(Value::as_str).map(|name| name.rsplit(['/', ':', '#']).next().unwrap_or(name))
}

fn is_of(thing: &Thing, url: &Url) -> bool {
    let key = address::page_key(url);
    let own = ["url", "@id", "mainEntityOfPage"].into_iter().filter_map(|name| thing.get(name));
    let own = own.filter_map(|value| value.as_str().or_else(|| value.get("@id").and_then(Value::as_str)));
    own.filter_map(|own| url.join(own).ok())
        .any(|own| address::is_web(&own) && address::page_key(&own) == key)
}

/// Decodes a text as readers see it: many sites escape it as HTML (`&amp;` and the like).
fn plain(text: &str) -> String {
    match Url::parse("about:blank") {
        Ok(nowhere) if text.contains('&') => {
            let escaped = text.replace('<', "&lt;");
            text::fold(Page::from_text(&escaped, &nowhere).string_value(NodeId::DOCUMENT))
        }
        _ => text::fold(text),
    }
}

/// Returns names: plain strings, and those of items, which may be defined elsewhere. If `people`, no organisations.
fn named(value: &Value, by_id: &BTreeMap<&str, &Thing>, people: bool) -> Vec<String> {
    let values = match value {
        Value::Array(values) => values.as_slice(),
        value => std::slice::from_ref(value),
    };
    let names = values.iter().take(50).flat_map(|value| match value {
        Value::String(name) => names::apart(&plain(name)),
        Value::Object(thing) => {
            let elsewhere = || name_of(by_id.get(thing.get("@id")?.as_str()?)?, people);
            let name = name_of(thing, people).or_else(elsewhere).map(|name| plain(&name)).unwrap_or_default();
            match name.as_str() {
                "" => Vec::new(),
                several if people => names::apart(several),
                _ => vec![name],
            }
        }
        _ => Vec::new(),
    });
    names.collect()
}

fn name_of(thing: &Thing, people: bool) -> Option<String> {
    let is_body = |name: &str| name.ends_with("Organization") || matches!(name, "WebSite" | "Brand");
    if people && types(thing).any(is_body) {
        return Some(String::new());
    }
    match thing.get("name") {
        Some(Value::String(name)) => Some(name.clone()),
        Some(Value::Array(names)) => names.first()?.as_str().map(str::to_owned),
        _ => Some(format!("{} {}", thing.get("givenName")?.as_str()?, thing.get("familyName")?.as_str()?)),
    }
}
