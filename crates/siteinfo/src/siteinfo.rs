//! A dump of items: reading it, and finding the item for a page.

use crate::item::{Item, ItemError};
use tsugi_page::{Content, Evidence, FindContent, FindNext, NextLink, NodeId, Page, Relation, Url};

/// The items of a dump, in the order in which clients try them.
#[derive(Debug)]
pub struct Siteinfo {
    items: Vec<Item>,
    problems: Vec<Problem>,
    generic: bool,
}

/// An item of a dump that cannot be used.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Its place in the dump, from 0.
    pub index: usize,
    /// Its name, where it has one.
    pub name: String,
    /// What is wrong.
    pub error: ItemError,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "item {} (`{}`): {}", self.index, self.name, self.error)
    }
}

/// Why a dump cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SiteinfoError {
    /// It is no JSON.
    #[error("the dump is no JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It is no array.
    #[error("expected an array of items, found {0}")]
    NotAnArray(&'static str),
}

/// What an item finds in a page.
#[derive(Debug)]
pub struct Applied<'a> {
    /// The item.
    pub item: &'a Item,
    /// The tag of the next-page link.
    pub next_node: NodeId,
    /// Where it leads.
    pub next_url: Url,
    /// The nodes of the content, outermost only.
    pub content: Vec<NodeId>,
}

impl Siteinfo {
    /// Reads a dump: the JSON array that Wedata serves. Items that cannot be used become
    /// [`Siteinfo::problems`]; the others work.
    ///
    /// # Errors
    ///
    /// [`SiteinfoError`] where the dump is no JSON array.
    pub fn read(json: &[u8]) -> Result<Siteinfo, SiteinfoError> {
        let values = match serde_json::from_slice(json)? {
            serde_json::Value::Array(values) => values,
            serde_json::Value::Object(_) => return Err(SiteinfoError::NotAnArray("an object")),
            _ => return Err(SiteinfoError::NotAnArray("a plain value")),
        };
        let (mut items, mut problems) = (Vec::new(), Vec::new());
        for (index, value) in values.iter().enumerate() {
            match Item::from_json(value) {
                Ok(item) => items.push(item),
                Err(error) => {
                    let name = value.get("name").and_then(serde_json::Value::as_str).unwrap_or_default();
                    problems.push(Problem { index, name: name.to_owned(), error });
                }
            }
        }
        // Longest `url` first, in UTF-16 units as in JavaScript; the sort is stable.
        items.sort_by_key(|item| std::cmp::Reverse(item.url.source().encode_utf16().count()));
        Ok(Siteinfo { items, problems, generic: false })
    }

    /// Lets items that match nearly every address take part; by default they do not.
    #[must_use]
    pub fn with_generic_items(mut self) -> Siteinfo {
        self.generic = true;
        self
    }

    /// Returns the usable items, the most specific first.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Returns the items that cannot be used.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the items whose `url` matches an address, the most specific first.
    pub fn matching<'a, 'u>(&'a self, url: &'u Url) -> impl Iterator<Item = &'a Item> + use<'a, 'u> {
        let allowed = |item: &Item| self.generic || !item.url.is_generic();
        self.items.iter().filter(move |item| allowed(item) && item.url.matches(url.as_str()))
    }

    /// Applies the first item that matches the address and whose next link and content are both on the page.
    /// An item that fails on this page is passed over.
    pub fn apply(&self, page: &Page) -> Option<Applied<'_>> {
        self.matching(page.url()).find_map(|item| {
            let (next_node, next_url) = item.next_link(page).ok().flatten()?;
            let content = item.page_elements(page).ok().filter(|nodes| !nodes.is_empty())?;
            Some(Applied { item, next_node, next_url, content })
        })
    }

    /// Returns the first matching item whose content is on the page, with or without a next link: such an item
    /// knows the page, and where it finds no next link there is none.
    pub fn knows(&self, page: &Page) -> Option<(&Item, Vec<NodeId>)> {
        self.matching(page.url()).filter(|item| !item.url.is_generic()).find_map(|item| {
            let content = item.page_elements(page).ok().filter(|nodes| !nodes.is_empty())?;
            Some((item, content))
        })
    }
}

fn rule(item: &Item) -> Evidence {
    Evidence::Rule { name: item.name.as_str().into() }
}

impl FindNext for Siteinfo {
    fn best_next(&self, page: &Page) -> Option<NextLink> {
        let applied = self.apply(page)?;
        Some(NextLink {
            url: applied.next_url,
            node: applied.next_node,
            relation: Relation::Page,
            score: 1.0,
            evidence: rule(applied.item),
        })
    }

    fn threshold(&self) -> f32 {
        0.5
    }
}

impl FindContent for Siteinfo {
    fn find_content(&self, page: &Page, _: Option<&NextLink>) -> Content {
        let applied = self.apply(page).map(|applied| (applied.item, applied.content));
        match applied.or_else(|| self.knows(page)) {
            Some((item, nodes)) => Content { nodes, without: Vec::new(), score: 1.0, evidence: rule(item) },
            None => Content {
                nodes: Vec::new(),
                without: Vec::new(),
                score: 0.0,
                evidence: Evidence::Rule { name: "".into() },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = r#"[
        {"name": "all", "data": {"url": "^https?://.", "nextLink": "//a", "pageElement": "//body"}},
        {"name": "site", "data": {"url": "^https?://a\\.test/", "nextLink": "//a[@class='n']", "pageElement": "//p"}},
        {"name": "broken", "data": {"url": "^https?://a\\.test/", "nextLink": "//a[", "pageElement": "//p"}},
        {"name": "blog", "data": {"url": "^https?://a\\.test/blog/", "nextLink": "//a[@rel='next']", "pageElement": "//div"}},
        "nonsense"
    ]"#;

    fn applied(url: &str, html: &str) -> Option<String> {
        let siteinfo = Siteinfo::read(DUMP.as_bytes()).unwrap();
        let page = Page::from_text(html, &url.parse().unwrap());
        siteinfo.apply(&page).map(|applied| format!("{} {}", applied.item.name, applied.next_url.path()))
    }

    #[test]
    fn the_most_specific_item_whose_parts_all_hit_is_applied() {
        let html = "<div><p>x<a rel=next class=n href=2></a></p></div>";
        assert_eq!(applied("https://a.test/blog/", html).as_deref(), Some("blog /blog/2"));
        assert_eq!(
            applied("https://a.test/blog/", "<p>x<a class=n href=3>").as_deref(),
            Some("site /blog/3")
        );
        assert_eq!(applied("https://a.test/", "<p>x<a href=3>"), None);
        assert_eq!(applied("https://b.test/", html), None, "generic items stand back");
    }

    #[test]
    fn broken_items_are_listed_and_the_rest_works() {
        let siteinfo = Siteinfo::read(DUMP.as_bytes()).unwrap();
        assert_eq!(siteinfo.items().len(), 3);
        let problems: Vec<String> = siteinfo.problems().iter().map(Problem::to_string).collect();
        assert!(problems[0].starts_with("item 2 (`broken`): `nextLink` (`//a[`): at byte 4"), "{problems:?}");
        assert!(problems[1].starts_with("item 4 (``): expected an object"), "{problems:?}");
        assert!(Siteinfo::read(b"{}").is_err() && Siteinfo::read(b"[{]").is_err());
    }

    #[test]
    fn a_known_page_without_next_link_is_known() {
        let siteinfo = Siteinfo::read(DUMP.as_bytes()).unwrap();
        let last = Page::from_text("<p>end", &"https://a.test/9".parse().unwrap());
        assert!(siteinfo.apply(&last).is_none());
        assert_eq!(
            siteinfo.knows(&last).map(|(item, nodes)| (item.name.as_str(), nodes.len())),
            Some(("site", 1))
        );
        assert_eq!(siteinfo.find_content(&last, None).nodes.len(), 1);
        assert!(siteinfo.find_next(&last).is_none());
    }
}
