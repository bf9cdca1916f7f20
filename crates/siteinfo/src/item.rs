//! Siteinfo items, and what they find in a page.

use crate::pattern::{Pattern, PatternError};
use tsugi_page::xpath::{XPathError, XPathNode, XPathValue};
use tsugi_page::{NodeId, Page, Url, XPath};

/// One siteinfo item: how to page through the addresses that match.
#[derive(Debug)]
pub struct Item {
    /// The item's name.
    pub name: String,
    /// Which addresses it is for.
    pub url: Pattern,
    /// Selects the next-page link.
    pub next_link: XPath,
    /// Selects the nodes to take over from each page.
    pub page_element: XPath,
    /// Selects where they go.
    pub insert_before: Option<XPath>,
    /// A page that the item is for.
    pub example_url: Option<String>,
}

/// Which part of an item an error is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// `url`.
    Url,
    /// `nextLink`.
    NextLink,
    /// `pageElement`.
    PageElement,
    /// `insertBefore`.
    InsertBefore,
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Field::Url => "url",
            Field::NextLink => "nextLink",
            Field::PageElement => "pageElement",
            Field::InsertBefore => "insertBefore",
        })
    }
}

/// Why an item cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ItemError {
    /// It is no object, or lacks its data.
    #[error("expected an object with `url`, `nextLink` and `pageElement`")]
    Shape,
    /// A field is missing, empty, or no string.
    #[error("`{0}` is missing or empty")]
    Missing(Field),
    /// `url` is no regular expression.
    #[error("`url`: {0}")]
    Pattern(#[from] PatternError),
    /// A field is no XPath.
    #[error("`{field}` (`{expression}`): {error}")]
    XPath {
        /// Which field.
        field: Field,
        /// The expression, as written.
        expression: String,
        /// What is wrong with it.
        error: XPathError,
    },
}

impl Item {
    /// Reads an item from JSON: Wedata's object with `name` and `data`, or the bare data.
    ///
    /// # Errors
    ///
    /// [`ItemError`] names the field that cannot be used.
    pub fn from_json(value: &serde_json::Value) -> Result<Item, ItemError> {
        let data = value.get("data").unwrap_or(value).as_object().ok_or(ItemError::Shape)?;
        let text = |key: &str| data.get(key).and_then(serde_json::Value::as_str).map(str::trim);
        let needed = |key: &str, field| text(key).filter(|t| !t.is_empty()).ok_or(ItemError::Missing(field));
        let xpath = |expression: &str, field| {
            XPath::parse(expression).map_err(|error| ItemError::XPath {
                field,
                expression: expression.to_owned(),
                error,
            })
        };
        let insert_before = match text("insertBefore").filter(|text| !text.is_empty()) {
            Some(expression) => Some(xpath(expression, Field::InsertBefore)?),
            None => None,
        };
        let name = value.get("name").and_then(serde_json::Value::as_str).unwrap_or_default();
        Ok(Item {
            name: name.to_owned(),
            url: Pattern::new(needed("url", Field::Url)?)?,
            next_link: xpath(needed("nextLink", Field::NextLink)?, Field::NextLink)?,
            page_element: xpath(needed("pageElement", Field::PageElement)?, Field::PageElement)?,
            insert_before,
            example_url: text("exampleUrl").filter(|text| !text.is_empty()).map(str::to_owned),
        })
    }

    /// Returns the next-page link that the item finds: the tag, and where it leads.
    ///
    /// The first node that `nextLink` selects counts; its `href`, else `action`, else `value`; an attribute
    /// gives its value (METHODS, section 4).
    ///
    /// # Errors
    ///
    /// [`XPathError`] where the expression cannot be evaluated on this page.
    pub fn next_link(&self, page: &Page) -> Result<Option<(NodeId, Url)>, XPathError> {
        let XPathValue::Nodes(nodes) = self.next_link.evaluate(page)? else { return Ok(None) };
        let (node, address) = match nodes.first() {
            Some(XPathNode::Attribute { owner, value, .. }) => (*owner, Some(*value)),
            Some(XPathNode::Node(id)) => {
                let attribute = |name| page.attribute(*id, name).filter(|value| !value.is_empty());
                (*id, attribute("href").or_else(|| attribute("action")).or_else(|| attribute("value")))
            }
            None => return Ok(None),
        };
        Ok(address.and_then(|address| page.resolve(address)).map(|url| (node, url)))
    }

    /// Returns the nodes that `pageElement` selects, outermost ones only.
    ///
    /// # Errors
    ///
    /// [`XPathError`] where the expression cannot be evaluated on this page.
    pub fn page_elements(&self, page: &Page) -> Result<Vec<NodeId>, XPathError> {
        Ok(page.outermost(self.page_element.nodes(page)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn page(html: &str) -> Page {
        Page::from_text(html, &"https://a.test/1".parse().unwrap())
    }

    #[test]
    fn the_next_link_is_href_then_action_then_value() {
        let next = |xpath: &str, html: &str| {
            let item =
                Item::from_json(&json!({"url": "x", "nextLink": xpath, "pageElement": "//p"})).unwrap();
            item.next_link(&page(html)).unwrap().map(|(_, url)| url.path().to_owned())
        };
        assert_eq!(next("//a[.='n']", "<a href=0>p</a><a href=2>n</a>").as_deref(), Some("/2"));
        assert_eq!(next("//form", "<form action=3>").as_deref(), Some("/3"));
        assert_eq!(
            next("//option[2]", "<select><option value=1><option value=4></select>").as_deref(),
            Some("/4")
        );
        assert_eq!(next("//a/@data-next", "<a data-next=5>").as_deref(), Some("/5"));
        assert_eq!(next("//a", "<base href=/b/><a href=2>").as_deref(), Some("/b/2"));
        assert_eq!(next("//a", "<a href='javascript:x'><a href=2>"), None, "the first node counts alone");
        assert_eq!(next("string(//a)", "<a href=2>"), None);
    }

    #[test]
    fn a_broken_item_says_which_field() {
        let error = |item: serde_json::Value| Item::from_json(&item).unwrap_err().to_string();
        assert_eq!(error(json!(3)), "expected an object with `url`, `nextLink` and `pageElement`");
        assert_eq!(
            error(json!({"url": "a", "nextLink": " ", "pageElement": "//p"})),
            "`nextLink` is missing or empty"
        );
        assert_eq!(
            error(json!({"url": "a", "nextLink": "//a", "pageElement": "//p["})),
            "`pageElement` (`//p[`): at byte 4: unexpected end of input, expected an expression"
        );
        assert!(
            error(json!({"data": {"url": "(", "nextLink": "//a", "pageElement": "//p"}}))
                .starts_with("`url`: ")
        );
    }
}
