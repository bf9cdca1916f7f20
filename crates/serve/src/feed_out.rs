//! Writes feeds: RSS 2.0, Atom 1.0 and JSON Feed 1.1.

use crate::articles::JoinedArticle;
use crate::error::ApiError;
use jiff::Timestamp;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use serde::Serialize;
use std::io;
use tsugi::Url;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FeedFormat {
    Rss,
    Atom,
    Json,
}

impl FeedFormat {
    /// Reads the parameter `format`. The default is RSS.
    pub(crate) fn of(word: Option<&str>) -> Result<FeedFormat, ApiError> {
        match word {
            None | Some("rss") => Ok(FeedFormat::Rss),
            Some("atom") => Ok(FeedFormat::Atom),
            Some("json") => Ok(FeedFormat::Json),
            Some(word) => {
                Err(ApiError::bad(format!("`format` is `{word}`, expected `rss`, `atom` or `json`")))
            }
        }
    }

    pub(crate) fn media_type(self) -> &'static str {
        match self {
            FeedFormat::Rss => "application/rss+xml; charset=utf-8",
            FeedFormat::Atom => "application/atom+xml; charset=utf-8",
            FeedFormat::Json => "application/feed+json",
        }
    }
}

#[derive(Debug)]
pub(crate) struct FullFeed {
    pub(crate) title: String,
    pub(crate) url: Url,
    pub(crate) description: Option<String>,
    pub(crate) entries: Vec<FullEntry>,
}

#[derive(Debug)]
pub(crate) struct FullEntry {
    /// As in the original feed, so that feed readers recognise entries.
    pub(crate) id: String,
    pub(crate) url: Url,
    pub(crate) title: Option<String>,
    pub(crate) authors: Vec<String>,
    /// An ISO 8601 date or time.
    pub(crate) published: Option<String>,
    /// Safe HTML.
    pub(crate) html: String,
    /// What it is about, in a few sentences.
    pub(crate) summary: Option<String>,
}

impl FullEntry {
    pub(crate) fn of_article(id: String, article: &JoinedArticle) -> FullEntry {
        FullEntry {
            id,
            url: article.url.clone(),
            title: article.title.clone(),
            authors: article.authors.clone(),
            published: article.published.clone(),
            html: article.html.clone(),
            summary: article.description.clone(),
        }
    }

    fn title(&self) -> &str {
        self.title.as_deref().unwrap_or(self.url.as_str())
    }

    /// Returns the time of publication; midnight in UTC if only the day is known.
    fn time(&self) -> Option<Timestamp> {
        let text = self.published.as_deref()?;
        text.parse().ok().or_else(|| format!("{text}T00:00:00Z").parse().ok())
    }
}

impl FullFeed {
    pub(crate) fn write(&self, format: FeedFormat) -> io::Result<Vec<u8>> {
        match format {
            FeedFormat::Rss => self.rss(),
            FeedFormat::Atom => self.atom(),
            FeedFormat::Json => Ok(serde_json::to_vec(&JsonFeed::of(self))?),
        }
    }

    fn rss(&self) -> io::Result<Vec<u8>> {
        let mut xml = document()?;
        let namespaces = [
            ("version", "2.0"),
            ("xmlns:content", "http://purl.org/rss/1.0/modules/content/"),
            ("xmlns:dc", "http://purl.org/dc/elements/1.1/"),
        ];
        xml.create_element("rss").with_attributes(namespaces).write_inner_content(|xml| {
            xml.create_element("channel").write_inner_content(|xml| {
                text(xml, "title", &self.title)?;
                text(xml, "link", self.url.as_str())?;
                text(xml, "description", self.description.as_deref().unwrap_or_default())?;
                for entry in &self.entries {
                    xml.create_element("item").write_inner_content(|xml| rss_item(xml, entry))?;
                }
                Ok(())
            })?;
            Ok(())
        })?;
        Ok(xml.into_inner())
    }

    fn atom(&self) -> io::Result<Vec<u8>> {
        let mut xml = document()?;
        xml.create_element("feed")
            .with_attribute(("xmlns", "http://www.w3.org/2005/Atom"))
            .write_inner_content(|xml| {
                text(xml, "id", self.url.as_str())?;
                text(xml, "title", &self.title)?;
                xml.create_element("link").with_attribute(("href", self.url.as_str())).write_empty()?;
                let latest =
                    self.entries.iter().filter_map(FullEntry::time).max().unwrap_or(Timestamp::UNIX_EPOCH);
                text(xml, "updated", &latest.to_string())?;
                for entry in &self.entries {
                    xml.create_element("entry").write_inner_content(|xml| atom_entry(xml, entry))?;
                }
                Ok(())
            })?;
        Ok(xml.into_inner())
    }
}

/// <https://www.jsonfeed.org/version/1.1/>
#[derive(Debug, Serialize)]
struct JsonFeed<'a> {
    description: Option<&'a str>,
    home_page_url: &'a str,
    items: Vec<JsonFeedItem<'a>>,
    title: &'a str,
    version: &'static str,
}

#[derive(Debug, Serialize)]
struct JsonFeedItem<'a> {
    authors: Vec<JsonFeedAuthor<'a>>,
    content_html: &'a str,
    date_published: Option<String>,
    id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'a str>,
    title: &'a str,
    url: &'a str,
}

#[derive(Debug, Serialize)]
struct JsonFeedAuthor<'a> {
    name: &'a str,
}

impl JsonFeed<'_> {
    fn of(feed: &FullFeed) -> JsonFeed<'_> {
        JsonFeed {
            description: feed.description.as_deref(),
            home_page_url: feed.url.as_str(),
            items: feed.entries.iter().map(JsonFeedItem::of).collect(),
            title: &feed.title,
            version: "https://jsonfeed.org/version/1.1",
        }
    }
}

impl JsonFeedItem<'_> {
    fn of(entry: &FullEntry) -> JsonFeedItem<'_> {
        JsonFeedItem {
            authors: entry.authors.iter().map(|name| JsonFeedAuthor { name }).collect(),
            content_html: &entry.html,
            date_published: entry.time().map(|time| time.to_string()),
            id: &entry.id,
            summary: entry.summary.as_deref(),
            title: entry.title(),
            url: entry.url.as_str(),
        }
    }
}

type Xml = Writer<Vec<u8>>;

fn document() -> io::Result<Xml> {
    let mut xml = Writer::new(Vec::new());
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("utf-8"), None)))?;
    Ok(xml)
}

fn rss_item(xml: &mut Xml, entry: &FullEntry) -> io::Result<()> {
    text(xml, "title", entry.title())?;
    text(xml, "link", entry.url.as_str())?;
    xml.create_element("guid")
        .with_attribute(("isPermaLink", "false"))
        .write_text_content(BytesText::new(&allowed(&entry.id)))?;
    if let Some(time) = entry.time() {
        let day = time.to_zoned_datetime(jiff::tz::TimeZone::UTC);
        text(xml, "pubDate", &day.strftime("%a, %d %b %Y %H:%M:%S +0000").to_string())?;
    }
    for author in &entry.authors {
        text(xml, "dc:creator", author)?;
    }
    if let Some(summary) = &entry.summary {
        text(xml, "description", summary)?;
    }
    text(xml, "content:encoded", &entry.html)
}

fn atom_entry(xml: &mut Xml, entry: &FullEntry) -> io::Result<()> {
    text(xml, "id", &entry.id)?;
    text(xml, "title", entry.title())?;
    xml.create_element("link").with_attribute(("href", entry.url.as_str())).write_empty()?;
    let time = entry.time();
    text(xml, "updated", &time.unwrap_or(Timestamp::UNIX_EPOCH).to_string())?;
    if let Some(time) = time {
        text(xml, "published", &time.to_string())?;
    }
    // Atom requires an author.
    let unknown = [String::new()];
    for name in if entry.authors.is_empty() { &unknown[..] } else { &entry.authors } {
        xml.create_element("author").write_inner_content(|xml| text(xml, "name", name))?;
    }
    if let Some(summary) = &entry.summary {
        text(xml, "summary", summary)?;
    }
    let content = BytesText::new(&entry.html).into_owned();
    xml.create_element("content").with_attribute(("type", "html")).write_text_content(content)?;
    Ok(())
}

fn text(xml: &mut Xml, name: &str, text: &str) -> io::Result<()> {
    xml.create_element(name).write_text_content(BytesText::new(&allowed(text)))?;
    Ok(())
}

/// Returns a text without the characters that XML forbids, escaped or not.
fn allowed(text: &str) -> String {
    text.chars().filter(|c| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed() -> FullFeed {
        let entry = FullEntry {
            id: "tag:1".to_owned(),
            url: "https://a.test/1?a=1&b=2".parse().unwrap(),
            title: Some("Mill & <river>\u{b}".to_owned()),
            authors: vec!["Ann".to_owned()],
            published: Some("2024-05-01".to_owned()),
            html: "<p>It stands & <b>turns</b>.</p>".to_owned(),
            summary: None,
        };
        let bare = FullEntry {
            id: "tag:2".to_owned(),
            title: None,
            authors: Vec::new(),
            published: None,
            html: String::new(),
            summary: None,
            url: entry.url.clone(),
        };
        FullFeed {
            title: "A ]]> \u{0}feed".to_owned(),
            url: "https://a.test/".parse().unwrap(),
            description: None,
            entries: vec![entry, bare],
        }
    }

    #[test]
    fn every_format_is_read_back_as_it_was_written() {
        for format in [FeedFormat::Rss, FeedFormat::Atom, FeedFormat::Json] {
            let written = feed().write(format).unwrap();
            let parser = feed_rs::parser::Builder::new().sanitize_content(false).build();
            let read = parser.parse(written.as_slice()).unwrap_or_else(|error| panic!("{format:?}: {error}"));
            let title = if format == FeedFormat::Json { "A ]]> \u{0}feed" } else { "A ]]> feed" };
            assert_eq!(read.title.unwrap().content, title, "{format:?}");
            let entry = &read.entries[0];
            assert!(entry.title.as_ref().unwrap().content.starts_with("Mill & <river>"), "{format:?}");
            assert_eq!(entry.id, "tag:1", "{format:?}");
            assert_eq!(entry.links[0].href, "https://a.test/1?a=1&b=2", "{format:?}");
            assert_eq!(entry.published.unwrap().to_rfc3339(), "2024-05-01T00:00:00+00:00", "{format:?}");
            let body = entry.content.as_ref().and_then(|content| content.body.clone());
            let body = body.or(entry.summary.as_ref().map(|text| text.content.clone()));
            assert_eq!(body.unwrap(), "<p>It stands & <b>turns</b>.</p>", "{format:?}");
            assert_eq!(read.entries.len(), 2, "{format:?}");
        }
    }
}
