//! Makes labels from CSS selectors, selected by another engine than the one that is judged.
//!
//! Browsers' selectors are read twice in this project: by `tsugi-page`, which runs them for readers, and here by `scraper`, on a
//! tree of its own. So labels for training and the check of learned items do not come from the code that they are to judge.

use crate::label::{PageLabel, url_key};
use crate::labelling::{Unlabelled, label_of};
use scraper::{ElementRef, Html, Selector};
use std::collections::BTreeMap;
use tsugi_page::{Encoding, NodeId, Page, Response, Url, XPath};
use tsugi_siteinfo::{Item, Siteinfo};

/// Items in CSS, with their selectors as `scraper` reads them.
#[derive(Debug)]
pub struct CssRules {
    items: Siteinfo,
    selectors: BTreeMap<String, Selector>,
}

/// Why an item cannot label pages by CSS.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CssRulesError {
    /// The item is in XPath.
    #[error("item `{0}` is not in CSS; add `\"selectors\": \"css\"`, or use --rules")]
    NotCss(String),
    /// `scraper` cannot read a selector.
    #[error("item `{name}`: scraper cannot read `{selector}`: {why}")]
    Selector {
        /// The name of the item.
        name: String,
        /// The selector.
        selector: String,
        /// What `scraper` says.
        why: String,
    },
}

impl CssRules {
    /// Reads the selectors of items.
    ///
    /// # Errors
    ///
    /// [`CssRulesError`] for the first item that is not in CSS, or with a selector that `scraper` cannot read.
    pub fn new(items: Siteinfo) -> Result<CssRules, CssRulesError> {
        let mut selectors = BTreeMap::new();
        for item in items.items() {
            for rule in [&item.next_link, &item.page_element] {
                if !rule.is_css() {
                    return Err(CssRulesError::NotCss(item.name.clone()));
                }
                let unreadable = |error: scraper::error::SelectorErrorKind| CssRulesError::Selector {
                    name: item.name.clone(),
                    selector: rule.source().to_owned(),
                    why: error.to_string(),
                };
                let selector = Selector::parse(rule.source()).map_err(unreadable)?;
                selectors.insert(rule.source().to_owned(), selector);
            }
        }
        Ok(CssRules { items, selectors })
    }

    /// Labels a page, which `response` was parsed to, by the first item that matches its address and selects a next link and
    /// content. If items select content alone, the label says that there is no next page.
    ///
    /// Content is labelled by the paths of the selected elements where our tree has the same ones with the same text, and by its
    /// text alone otherwise.
    ///
    /// # Errors
    ///
    /// [`Unlabelled`] if no item says anything of the page.
    pub fn label(&self, response: &Response, page: &Page) -> Result<PageLabel, Unlabelled> {
        let mut items = self.items.matching(page.url()).peekable();
        if items.peek().is_none() {
            return Err(Unlabelled::NoItem);
        }
        // The charset that the page was read in.
        let text = Encoding::for_label(page.encoding().as_bytes()).map_or_else(
            || String::from_utf8_lossy(&response.body),
            |encoding| encoding.decode(&response.body).0,
        );
        let html = Html::parse_document(&text);
        let (mut last, mut with_next) = (None, false);
        for item in items {
            let content = self.select(&html, item.page_element.source());
            let links = self.select(&html, item.next_link.source());
            let next = links.first().and_then(|link| leads_to(*link, page));
            with_next |= next.is_some();
            match (content.is_empty(), next) {
                (false, Some(next)) => return Ok(labelled(page, item, Some(&next), &content)),
                (false, None) => _ = last.get_or_insert((item, content)),
                (true, _) => {}
            }
        }
        match last {
            Some((item, content)) => Ok(labelled(page, item, None, &content)),
            None if with_next => Err(Unlabelled::NoContent),
            None => Err(Unlabelled::Nothing),
        }
    }

    fn select<'h>(&self, html: &'h Html, selector: &str) -> Vec<ElementRef<'h>> {
        self.selectors.get(selector).map_or_else(Vec::new, |selector| html.select(selector).collect())
    }
}

/// Returns where an element leads, as clients read it; `None` if it leads nowhere, or to the page itself.
fn leads_to(element: ElementRef<'_>, page: &Page) -> Option<Url> {
    let address = ["href", "action", "value"].into_iter().find_map(|name| element.attr(name))?;
    page.resolve(address).filter(|url| url_key(url.as_str()) != url_key(page.url().as_str()))
}

fn labelled(page: &Page, item: &Item, next: Option<&Url>, content: &[ElementRef<'_>]) -> PageLabel {
    let nodes: Option<Vec<NodeId>> = content.iter().map(|element| same_element(*element, page)).collect();
    if let Some(nodes) = nodes {
        let paths = nodes.iter().map(|node| page.location_path(*node)).collect();
        return label_of(page, item, next, paths, page.text_of(&page.outermost(nodes)));
    }
    let texts = content.iter().flat_map(ElementRef::text);
    let lines: Vec<&str> = texts.map(str::trim).filter(|text| !text.is_empty()).collect();
    PageLabel { labels: vec!["next".to_owned()], ..label_of(page, item, next, Vec::new(), lines.join("\n")) }
}

/// Returns the element of our tree at the same place with the same text.
fn same_element(element: ElementRef<'_>, page: &Page) -> Option<NodeId> {
    let nodes = XPath::parse(&location_path(element)).ok()?.nodes(page).ok()?;
    let node = nodes.first().copied()?;
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    let theirs: String = element.text().collect();
    (bare(page.string_value(node)) == bare(&theirs)).then_some(node)
}

fn location_path(element: ElementRef<'_>) -> String {
    let ancestors = element.ancestors().filter_map(ElementRef::wrap);
    let mut path: Vec<ElementRef<'_>> = std::iter::once(element).chain(ancestors).collect();
    path.reverse();
    let step = |element: &ElementRef<'_>| {
        let name = element.value().name();
        let before = element.prev_siblings().filter_map(ElementRef::wrap);
        format!("/{name}[{}]", 1 + before.filter(|other| other.value().name() == name).count())
    };
    path.iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITEMS: &str = r#"[
        {"name": "a", "selectors": "css", "url": "^https?://a\\.test/", "nextLink": "nav > a.next", "pageElement": "main p:not(.ad)"}]"#;

    fn rules(json: &str) -> Result<CssRules, CssRulesError> {
        CssRules::new(Siteinfo::read_dump(json.as_bytes()).unwrap())
    }

    fn label(html: &str, url: &str) -> Result<PageLabel, Unlabelled> {
        let mut response = Response::new(url.parse().unwrap(), html.as_bytes());
        response.content_type = Some("text/html; charset=utf-8".to_owned());
        rules(ITEMS).unwrap().label(&response, &response.page())
    }

    const PAGE: &str =
        "<nav><a class=next href='2?x=é'>on</a></nav><main><p>Snow<p class=ad>Buy<p>fell</main>";

    #[test]
    fn another_engine_selects_link_and_content() {
        let label = label(PAGE, "https://a.test/1").unwrap();
        assert_eq!(label.next.as_deref(), Some("https://a.test/2?x=%C3%A9"));
        assert_eq!(label.text.as_deref(), Some("Snow\nfell"));
        assert_eq!(label.content, ["/html[1]/body[1]/main[1]/p[1]", "/html[1]/body[1]/main[1]/p[3]"]);
        assert!(label.knows_next() && label.knows_content());
    }

    #[test]
    fn content_without_a_link_ends_the_sequence() {
        let last = label(&PAGE.replace("class=next", ""), "https://a.test/9").unwrap();
        assert!(last.knows_next() && last.next.is_none());
        let itself = label(&PAGE.replace("2?x=é", "#top"), "https://a.test/9").unwrap();
        assert_eq!(itself.next, None, "a link to the page itself leads nowhere");
        assert_eq!(
            label("<nav><a class=next href=2>on</a></nav>", "https://a.test/1"),
            Err(Unlabelled::NoContent)
        );
        assert_eq!(label("<p>x", "https://a.test/1"), Err(Unlabelled::Nothing));
        assert_eq!(label(PAGE, "https://c.test/1"), Err(Unlabelled::NoItem));
    }

    #[test]
    fn where_the_trees_differ_the_text_is_the_label() {
        // Our tree is 512 elements deep at most.
        let deep = "<div>".repeat(600);
        let html = format!("<nav><a class=next href=2>on</a></nav><main>{deep}<p>Snow");
        let label = label(&html, "https://a.test/1").unwrap();
        assert_eq!((label.text.as_deref(), label.knows_content()), (Some("Snow"), false));
    }

    #[test]
    fn items_that_are_no_css_are_refused() {
        let xpath =
            r#"[{"name": "x", "url": "^https?://a\\.test/", "nextLink": "//a", "pageElement": "//p"}]"#;
        assert_eq!(rules(xpath).unwrap_err(), CssRulesError::NotCss("x".to_owned()));
    }
}
