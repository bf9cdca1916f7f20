//! Labels of stored pages, one JSON object per line.

use percent_encoding::percent_decode_str;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use tsugi_next_link::paper::Candidates;
use tsugi_page::{NodeId, Page, Url, XPath, xpath::XPathError};

/// The label of one page.
///
/// Unknown fields are kept, so that reading and writing a file loses nothing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageLabel {
    /// The page's absolute address.
    pub url: String,
    /// The unit of splitting.
    pub site: String,
    /// Address of the next page; `None` if there is none, or if it is not known (see [`PageLabel::labels`]).
    #[serde(default)]
    pub next: Option<String>,
    /// All addresses that count as right.
    #[serde(default, deserialize_with = "list_or_null", skip_serializing_if = "Vec::is_empty")]
    pub next_any: Vec<String>,
    /// The relation of the next page to this one: `page` or `chapter`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation: Option<String>,
    /// XPath 1.0 expressions that select the main-content nodes.
    #[serde(default, deserialize_with = "list_or_null", skip_serializing_if = "Vec::is_empty")]
    pub content: Vec<String>,
    /// Text of the main content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The kind of page: `article`, `listing`, `doc`, …
    #[serde(default)]
    pub kind: Option<String>,
    /// Language, if known.
    #[serde(default)]
    pub lang: Option<String>,
    /// Where the page and its label come from. If it begins with `rendered`, the page was made from a site's software and
    /// texts, not found on the web.
    #[serde(default)]
    pub source: Option<String>,
    /// Pages of one sequence share this name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<String>,
    /// Place in the sequence, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<u32>,
    /// Which labels can be trusted: `next`, `content`, `text`, `metadata` (`title`, `published`, `author`).
    #[serde(default)]
    pub labels: Vec<String>,
    /// All other fields.
    #[serde(flatten)]
    pub others: BTreeMap<String, serde_json::Value>,
}

fn list_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

impl PageLabel {
    /// Returns `true` if the next page is known, also if the page has no next page.
    pub fn knows_next(&self) -> bool {
        self.labels.iter().any(|label| label == "next")
    }

    /// Returns `true` if the content nodes are known.
    pub fn knows_content(&self) -> bool {
        self.labels.iter().any(|label| label == "content") && !self.content.is_empty()
    }

    /// Returns `true` if the text of the content is known.
    pub fn knows_text(&self) -> bool {
        self.text.is_some()
    }

    /// Returns the name of the set whose archive holds the page, if it is not the label's own.
    pub fn archive(&self) -> Option<&str> {
        self.others.get("archive")?.as_str()
    }

    pub(crate) fn is_rendered(&self) -> bool {
        self.source.as_deref().is_some_and(|source| source.starts_with("rendered"))
    }

    /// Returns `true` if an item of Wedata gave the labels.
    pub fn is_of_wedata(&self) -> bool {
        let rule = self.others.get("rule").and_then(serde_json::Value::as_str);
        rule.is_some_and(|rule| rule.starts_with("wedata:"))
    }

    pub(crate) fn knows_metadata(&self) -> bool {
        self.labels.iter().any(|label| label == "metadata")
    }

    /// Returns the keys of all right next pages; empty if the page has none.
    pub fn next_keys(&self) -> Vec<String> {
        let all = if self.next_any.is_empty() { self.next.as_slice() } else { &self.next_any };
        all.iter().map(|url| url_key(url)).collect()
    }

    /// Returns the nodes that the content expressions select, outermost only.
    ///
    /// # Errors
    ///
    /// The expression that cannot be used, and the reason.
    pub fn content_nodes(&self, page: &Page) -> Result<Vec<NodeId>, (String, XPathError)> {
        let mut nodes = Vec::new();
        for expression in &self.content {
            let with_source = |error| (expression.clone(), error);
            let xpath = XPath::parse(expression).map_err(with_source)?;
            nodes.extend(xpath.nodes(page).map_err(with_source)?);
        }
        Ok(page.outermost(nodes))
    }

    /// Returns the content nodes of a page, at least one, or the mistake in the label.
    ///
    /// # Errors
    ///
    /// What is wrong with the expressions, in words: one cannot be used, or they select nothing.
    pub fn some_content_nodes(&self, page: &Page) -> Result<Vec<NodeId>, String> {
        let nodes =
            self.content_nodes(page).map_err(|(expression, error)| format!("`{expression}`: {error}"))?;
        if nodes.is_empty() { Err("the content expressions select nothing".to_owned()) } else { Ok(nodes) }
    }

    /// Returns the tag of the labelled next-page link: the first one with its address.
    pub fn next_tag(&self, candidates: &Candidates) -> Option<NodeId> {
        let right = self.next_keys();
        let leads_on = |url: &Url| right.contains(&url_key(url.as_str()));
        candidates.tags.iter().find(|tag| leads_on(&candidates.urls[tag.candidate])).map(|tag| tag.node)
    }
}

/// Returns the key by which addresses are compared with labels: decoded, without fragment, scheme, leading `www.`,
/// `index.html` and trailing slash, the host in lower case.
///
/// # Examples
///
/// ```
/// use tsugi_training::label::url_key;
/// assert_eq!(url_key("https://www.A.test/%E6%AC%A1/index.html#x"), url_key("http://a.test/次"));
/// assert_ne!(url_key("http://a.test/?p=2"), url_key("http://a.test/?p=3"));
/// ```
pub fn url_key(url: &str) -> String {
    let url = url.split('#').next().unwrap_or(url);
    let decoded = percent_decode_str(url).decode_utf8_lossy();
    let bare = decoded.split_once("://").map_or(&*decoded, |(_, rest)| rest);
    let bare = bare.strip_prefix("www.").unwrap_or(bare);
    let (host, path) = bare.split_once('/').unwrap_or((bare, ""));
    let path = ["index.html", "index.htm", "index.php"]
        .iter()
        .find_map(|file| path.strip_suffix(file).filter(|rest| rest.is_empty() || rest.ends_with('/')))
        .unwrap_or(path);
    format!("{}/{}", host.to_lowercase(), path.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_fields_survive() {
        let line = r#"{"url":"http://a.test/","site":"a","next":null,"kind":null,"content":null,"next_any":null,"lang":null,"source":null,"labels":["next"],"trap":"http://a.test/x","position":3}"#;
        let label: PageLabel = serde_json::from_str(line).unwrap();
        assert_eq!(label.others["trap"], "http://a.test/x");
        let again: PageLabel = serde_json::from_str(&serde_json::to_string(&label).unwrap()).unwrap();
        assert_eq!(again, label);
        assert!(label.knows_next() && label.next_keys().is_empty() && !label.knows_content());
    }

    #[test]
    fn keys_compare_addresses_as_people_do() {
        assert_eq!(url_key("http://a.test"), url_key("https://a.test/index.php"));
        assert_eq!(url_key("http://a.test/b/"), url_key("http://a.test/b"));
        assert_ne!(url_key("http://a.test/myindex.html"), url_key("http://a.test/my"));
    }

    #[test]
    fn content_is_what_the_expressions_select() {
        let page = Page::from_text("<div><p>a<p>b</div><p>c", &"https://a.test/".parse().unwrap());
        let label = PageLabel { content: vec!["//div".into(), "//p".into()], ..PageLabel::default() };
        assert_eq!(page.text_of(&label.content_nodes(&page).unwrap()), "a\nb\nc");
        let broken = PageLabel { content: vec!["//p[".into()], ..PageLabel::default() };
        assert_eq!(broken.content_nodes(&page).unwrap_err().0, "//p[");
    }
}
