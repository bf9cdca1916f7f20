//! Siteinfo items, and their application to a page.

use crate::node_rule::NodeRule;
use crate::pattern::{Pattern, PatternError};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;
use tsugi_page::xpath::{Budget, XPathError, XPathNode};
use tsugi_page::{NodeId, Page, Selector, SelectorError, Url, XPath};

/// A siteinfo item: how to page through the addresses it matches.
#[derive(Debug)]
pub struct Item {
    /// The item's name.
    pub name: String,
    /// Matches the addresses that the item is for.
    pub url: Pattern,
    /// Selects the next-page link. If it is silent, the item says nothing of next pages.
    pub next_link: NodeRule,
    /// Selects the content of each page.
    pub page_element: NodeRule,
    /// Selects where clients insert the content of next pages.
    pub insert_before: Option<XPath>,
    /// A page that the item is for.
    pub example_url: Option<String>,
    /// Why `insertBefore` is unusable. The item works without it: nothing here inserts content into pages.
    pub warning: Option<ItemError>,
    /// Select what is left out of the content.
    pub strip: Vec<NodeRule>,
    /// Selects the link to a page that holds all pages.
    pub single_page_link: Option<NodeRule>,
    /// Finds the title.
    pub title: Option<NodeRule>,
    /// Finds the author.
    pub author: Option<NodeRule>,
    /// Finds the date of publication.
    pub date: Option<NodeRule>,
}

/// What an item finds of the facts about a page, as it is written there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleFacts {
    /// The title.
    pub title: Option<String>,
    /// The author.
    pub author: Option<String>,
    /// The date of publication.
    pub date: Option<String>,
}

/// Where the content of a next page goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InsertionPoint {
    /// Just before this node.
    Before(NodeId),
    /// Just after this node.
    After(NodeId),
}

/// A field of an item.
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
    /// `body` of a site config.
    Body,
    /// `next_page_link` of a site config.
    NextPageLink,
    /// `single_page_link` of a site config.
    SinglePageLink,
    /// `strip` and its relatives in a site config.
    Strip,
    /// `title` of a site config.
    Title,
    /// `author` of a site config.
    Author,
    /// `date` of a site config.
    Date,
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Field::Url => "url",
            Field::NextLink => "nextLink",
            Field::PageElement => "pageElement",
            Field::InsertBefore => "insertBefore",
            Field::Body => "body",
            Field::NextPageLink => "next_page_link",
            Field::SinglePageLink => "single_page_link",
            Field::Strip => "strip",
            Field::Title => "title",
            Field::Author => "author",
            Field::Date => "date",
        })
    }
}

/// Why an item is unusable.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ItemError {
    /// The item or its data is not an object.
    #[error("expected an object with `url`, `nextLink` and `pageElement`")]
    Shape,
    /// A field is missing, empty, or not a string.
    #[error("`{0}` is missing or empty")]
    Missing(Field),
    /// `url` is not a usable regular expression.
    #[error("`url` (`{expression}`): {error}")]
    Pattern {
        /// The expression, as written.
        expression: String,
        /// What is wrong with it.
        error: PatternError,
    },
    /// A site config does not say which host it is for.
    #[error("for no host: call the file HOST.txt, or add `test_url`")]
    NoHost,
    /// A field is not a usable CSS selector.
    #[error("`{field}` (`{expression}`): {error}")]
    Css {
        /// The field.
        field: Field,
        /// The selector, as written.
        expression: String,
        /// What is wrong with it.
        error: SelectorError,
    },
    /// A field is not a usable XPath.
    #[error("`{field}` (`{expression}`): {error}")]
    XPath {
        /// The field.
        field: Field,
        /// The expression, as written.
        expression: String,
        /// What is wrong with it.
        error: XPathError,
    },
}

impl ItemError {
    /// Returns the field at fault, if it is a single one.
    pub fn field(&self) -> Option<Field> {
        match self {
            ItemError::Shape | ItemError::NoHost => None,
            ItemError::Missing(field) | ItemError::XPath { field, .. } | ItemError::Css { field, .. } => {
                Some(*field)
            }
            ItemError::Pattern { .. } => Some(Field::Url),
        }
    }

    /// Returns the expression at fault, if there is one.
    pub fn expression(&self) -> Option<&str> {
        match self {
            ItemError::Shape | ItemError::NoHost | ItemError::Missing(_) => None,
            ItemError::Pattern { expression, .. }
            | ItemError::XPath { expression, .. }
            | ItemError::Css { expression, .. } => Some(expression),
        }
    }

    /// Returns the position of the fault in the expression, in bytes, if it has one.
    pub fn at(&self) -> Option<usize> {
        match self {
            ItemError::Pattern { error, .. } => error.at(),
            ItemError::XPath { error, .. } => match error {
                XPathError::Syntax { at, .. }
                | XPathError::TooDeep { at }
                | XPathError::UnknownPrefix { at, .. } => Some(*at),
                _ => None,
            },
            ItemError::Css { error: SelectorError::Syntax { at, .. }, .. } => Some(*at),
            ItemError::Shape | ItemError::NoHost | ItemError::Missing(_) | ItemError::Css { .. } => None,
        }
    }

    /// Returns what is wrong, without field, expression and position.
    pub fn reason(&self) -> String {
        let text = match self {
            ItemError::Shape | ItemError::NoHost => self.to_string(),
            ItemError::Missing(_) => "missing or empty".to_owned(),
            ItemError::Pattern { error, .. } => error.to_string(),
            ItemError::XPath { error, .. } => error.to_string(),
            ItemError::Css { error, .. } => error.to_string(),
        };
        let place = self.at().map(|at| format!("at byte {at}: ")).unwrap_or_default();
        text.strip_prefix(&place).unwrap_or(&text).to_owned()
    }
}

/// The data of an item, as in JSON; values other than strings count as missing.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    #[serde(borrow)]
    url: Option<Cow<'a, str>>,
    #[serde(borrow)]
    next_link: Option<Cow<'a, str>>,
    #[serde(borrow)]
    page_element: Option<Cow<'a, str>>,
    #[serde(borrow)]
    insert_before: Option<Cow<'a, str>>,
    #[serde(borrow)]
    example_url: Option<Cow<'a, str>>,
    /// The language of the other fields: XPath, if it is missing.
    #[serde(borrow)]
    selectors: Option<Cow<'a, str>>,
}

#[derive(Debug, Deserialize)]
struct WedataItem<'a> {
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    data: &'a RawValue,
}

impl<'a> Data<'a> {
    fn of(data: &'a serde_json::Map<String, Value>) -> Data<'a> {
        let [url, next_link, page_element, insert_before, example_url, selectors] =
            ["url", "nextLink", "pageElement", "insertBefore", "exampleUrl", "selectors"]
                .map(|key| data.get(key).and_then(Value::as_str).map(Cow::Borrowed));
        Data { url, next_link, page_element, insert_before, example_url, selectors }
    }
}

impl Item {
    /// Reads an item from JSON: an object with `name` and `data`, as Wedata serves it, or the bare data.
    ///
    /// # Errors
    ///
    /// [`ItemError`] if a field is unusable, except for `insertBefore`: see [`Item::warning`].
    pub fn from_json(value: &Value) -> Result<Item, ItemError> {
        let data = value.get("data").filter(|data| !data.is_null()).unwrap_or(value);
        Item::of(name_of(value), &Data::of(data.as_object().ok_or(ItemError::Shape)?))
    }

    /// Reads an item from JSON text; errors come with the name of the item. The usual form is read without building a
    /// [`Value`].
    pub(crate) fn from_json_text(json: &str) -> Result<Item, (String, ItemError)> {
        // Derived deserializers also accept arrays for objects.
        let is_object = |json: &str| json.trim_ascii_start().starts_with('{');
        if is_object(json)
            && let Ok(WedataItem { name, data }) = serde_json::from_str(json)
            && is_object(data.get())
            && let Ok(data) = serde_json::from_str(data.get())
        {
            let name = name.unwrap_or_default();
            return Item::of(&name, &data).map_err(|error| (name.into_owned(), error));
        }
        let value: Value = serde_json::from_str(json).map_err(|_| (String::new(), ItemError::Shape))?;
        Item::from_json(&value).map_err(|error| (name_of(&value).to_owned(), error))
    }

    pub(crate) fn is_one(json: &str) -> bool {
        let object: serde_json::Map<String, Value> = serde_json::from_str(json).unwrap_or_default();
        ["data", "url", "nextLink", "pageElement"].iter().any(|key| object.contains_key(*key))
    }

    fn of(name: &str, data: &Data<'_>) -> Result<Item, ItemError> {
        let url = text_of(data.url.as_ref()).ok_or(ItemError::Missing(Field::Url))?;
        let next_link = text_of(data.next_link.as_ref()).ok_or(ItemError::Missing(Field::NextLink))?;
        let page_element =
            text_of(data.page_element.as_ref()).ok_or(ItemError::Missing(Field::PageElement))?;
        let rule_of = if data.selectors.as_deref() == Some(CSS) { css_of } else { path_of };
        let insert_before =
            text_of(data.insert_before.as_ref()).map(|text| xpath_of(text, Field::InsertBefore));
        let (insert_before, warning) = match insert_before.transpose() {
            Ok(insert_before) => (insert_before, None),
            Err(error) => (None, Some(error)),
        };
        Ok(Item {
            name: name.to_owned(),
            url: Pattern::new(url)
                .map_err(|error| ItemError::Pattern { expression: url.to_owned(), error })?,
            next_link: rule_of(next_link, Field::NextLink)?,
            page_element: rule_of(page_element, Field::PageElement)?,
            insert_before,
            example_url: text_of(data.example_url.as_ref()).map(str::to_owned),
            warning,
            strip: Vec::new(),
            single_page_link: None,
            title: None,
            author: None,
            date: None,
        })
    }

    /// Returns the item as Wedata serves it: an object with `name` and `data`. An unusable `insertBefore` is left out.
    pub fn to_json(&self) -> Value {
        let mut data = json!({
            "url": self.url.source(),
            "nextLink": self.next_link.source(),
            "pageElement": self.page_element.source(),
        });
        if let Some(insert_before) = &self.insert_before {
            data["insertBefore"] = insert_before.source().into();
        }
        if let Some(example_url) = &self.example_url {
            data["exampleUrl"] = example_url.as_str().into();
        }
        if self.next_link.is_css() {
            data["selectors"] = CSS.into();
        }
        json!({"name": self.name, "data": data})
    }

    /// Returns the next-page link that the item finds: the element and its address.
    ///
    /// The address is that of the first node that `nextLink` selects: its `href`, else `action`, else `value`, or the value
    /// of an attribute. Other nodes have no address. As in clients, an expression that gives a string, a number or a
    /// boolean is an error (`docs/src/explanation/definitions.md`).
    ///
    /// # Errors
    ///
    /// [`XPathError`] if the expression cannot be evaluated on this page, or does not give nodes.
    pub fn next_link(&self, page: &Page) -> Result<Option<(NodeId, Url)>, XPathError> {
        let found = self.selected_link(page, &mut Budget::default())?;
        Ok(found.and_then(|(node, address)| Some((node, page.resolve(address?)?))))
    }

    pub(crate) fn selected_link<'p>(
        &self,
        page: &'p Page,
        budget: &mut Budget,
    ) -> Result<Option<(NodeId, Option<&'p str>)>, XPathError> {
        link_of(&self.next_link, page, budget)
    }

    /// Returns the address of the page that holds all pages, as the item finds it.
    pub fn single_page(&self, page: &Page) -> Option<Url> {
        let (_, address) = link_of(self.single_page_link.as_ref()?, page, &mut Budget::default()).ok()??;
        page.resolve(address?)
    }

    /// Returns the nodes that `pageElement` selects, outermost ones only.
    ///
    /// # Errors
    ///
    /// [`XPathError`] if the expression cannot be evaluated on this page.
    pub fn page_elements(&self, page: &Page) -> Result<Vec<NodeId>, XPathError> {
        self.page_elements_within(page, &mut Budget::default())
    }

    pub(crate) fn page_elements_within(
        &self,
        page: &Page,
        budget: &mut Budget,
    ) -> Result<Vec<NodeId>, XPathError> {
        Ok(page.outermost(self.page_element.nodes_within(page, budget)?))
    }

    /// Returns what the item leaves out of content on a page: outermost nodes inside it.
    pub fn stripped(&self, page: &Page, content: &[NodeId]) -> Vec<NodeId> {
        let mut budget = Budget::default();
        let selected =
            self.strip.iter().filter_map(|rule| rule.nodes_within(page, &mut budget).ok()).flatten();
        let inside = selected.filter(|id| content.iter().any(|node| node != id && page.contains(*node, *id)));
        page.outermost(inside.collect())
    }

    /// Returns `true` if the item looks for title, author or date.
    pub fn says_facts(&self) -> bool {
        [&self.title, &self.author, &self.date].into_iter().any(Option::is_some)
    }

    /// Returns what the item finds of the facts about a page.
    pub fn facts(&self, page: &Page) -> RuleFacts {
        let text = |rule: &Option<NodeRule>| rule.as_ref().and_then(|rule| rule.text(page));
        RuleFacts { title: text(&self.title), author: text(&self.author), date: text(&self.date) }
    }

    /// Returns where clients insert the content of the next page: before the first node that `insertBefore` selects, else
    /// after the last node that `pageElement` selects; `None` if neither is on the page.
    ///
    /// # Errors
    ///
    /// [`XPathError`] if `pageElement` cannot be evaluated on this page.
    pub fn insertion_point(&self, page: &Page) -> Result<Option<InsertionPoint>, XPathError> {
        let before = self.insert_before.as_ref().and_then(|xpath| xpath.nodes(page).ok());
        if let Some(node) = before.and_then(|nodes| nodes.first().copied()) {
            return Ok(Some(InsertionPoint::Before(node)));
        }
        Ok(self.page_element.nodes(page)?.last().copied().map(InsertionPoint::After))
    }
}

/// Returns the first node that a rule selects, and the address it holds.
fn link_of<'p>(
    rule: &NodeRule,
    page: &'p Page,
    budget: &mut Budget,
) -> Result<Option<(NodeId, Option<&'p str>)>, XPathError> {
    Ok(rule.first_within(page, budget)?.map(|node| match node {
        XPathNode::Attribute { owner, value, .. } => (owner, Some(value)),
        XPathNode::Node(id) => {
            let mut values =
                ["href", "action", "value"].into_iter().filter_map(|name| page.attribute(id, name));
            (id, values.find(|value| !value.is_empty()))
        }
    }))
}

fn text_of<'d>(field: Option<&'d Cow<'_, str>>) -> Option<&'d str> {
    field.map(|text| text.trim()).filter(|text| !text.is_empty())
}

/// The value of `selectors` in items whose fields are CSS.
pub(crate) const CSS: &str = "css";

fn path_of(text: &str, field: Field) -> Result<NodeRule, ItemError> {
    xpath_of(text, field).map(NodeRule::from)
}

fn css_of(text: &str, field: Field) -> Result<NodeRule, ItemError> {
    match Selector::parse(text) {
        Ok(selector) => Ok(NodeRule::css(text, selector)),
        Err(error) => Err(ItemError::Css { field, expression: text.to_owned(), error }),
    }
}

fn xpath_of(text: &str, field: Field) -> Result<XPath, ItemError> {
    XPath::parse(text).map_err(|error| ItemError::XPath { field, expression: text.to_owned(), error })
}

fn name_of(value: &Value) -> &str {
    value.get("name").and_then(Value::as_str).unwrap_or_default()
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
        assert_eq!(next("//a/text()", "<a href=2>3</a>"), None, "text has no address");
        for no_nodes in ["string(//a/@href)", "count(//a)"] {
            let item = json!({"url": "x", "nextLink": no_nodes, "pageElement": "//p"});
            let answer = Item::from_json(&item).unwrap().next_link(&page("<a href=2>"));
            assert_eq!(answer.unwrap_err().to_string(), "does not give nodes", "clients ask for nodes");
        }
    }

    #[test]
    fn an_error_tells_its_parts() {
        let shape = "expected an object with `url`, `nextLink` and `pageElement`";
        let end = "unexpected end of input, expected an expression";
        for (item, prefix, reason, field, expression, at) in [
            (json!(3), "", shape, None, None, None),
            (json!({"data": 3, "url": "a"}), "", shape, None, None, None),
            (
                json!({"url": "a", "nextLink": " ", "pageElement": "//p"}),
                "`nextLink` is ",
                "missing or empty",
                Some(Field::NextLink),
                None,
                None,
            ),
            (
                json!({"url": "a", "nextLink": "//a", "pageElement": "//p["}),
                "`pageElement` (`//p[`): at byte 4: ",
                end,
                Some(Field::PageElement),
                Some("//p["),
                Some(4),
            ),
            (
                json!({"data": {"url": "日(b", "nextLink": "//a", "pageElement": "//p"}}),
                "`url` (`日(b`): at byte 3: ",
                "unclosed `(`",
                Some(Field::Url),
                Some("日(b"),
                Some(3),
            ),
        ] {
            let error = Item::from_json(&item).unwrap_err();
            assert_eq!(error.to_string(), format!("{prefix}{reason}"));
            assert_eq!((error.reason().as_str(), error.field()), (reason, field));
            assert_eq!((error.expression(), error.at()), (expression, at));
        }
    }

    #[test]
    fn an_item_works_without_an_insert_before_that_cannot_be_used() {
        let data = json!({"url": "a", "nextLink": "//a", "pageElement": "//p", "insertBefore": "//div["});
        let item = Item::from_json(&data).unwrap();
        assert!(item.insert_before.is_none());
        assert_eq!(item.warning.as_ref().and_then(ItemError::field), Some(Field::InsertBefore));
        assert!(item.to_json()["data"].get("insertBefore").is_none());
    }

    #[test]
    fn content_goes_before_insert_before_else_after_the_last_page_element() {
        let point = |insert_before: &str, html: &str| {
            let data =
                json!({"url": "a", "nextLink": "//a", "pageElement": "//p", "insertBefore": insert_before});
            let page = page(html);
            match Item::from_json(&data).unwrap().insertion_point(&page).unwrap() {
                Some(InsertionPoint::Before(node)) => format!("before {}", page.location_path(node)),
                Some(InsertionPoint::After(node)) => format!("after {}", page.location_path(node)),
                None => "nowhere".to_owned(),
            }
        };
        let html = "<p>1<p>2<hr><div></div><hr>";
        assert_eq!(point("//hr", html), "before /html[1]/body[1]/hr[1]");
        assert_eq!(point("//nav", html), "after /html[1]/body[1]/p[2]");
        assert_eq!(point("", html), "after /html[1]/body[1]/p[2]");
        assert_eq!(point("no-such-function()", html), "after /html[1]/body[1]/p[2]");
        assert_eq!(point("", "<hr>"), "nowhere");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let data = json!({"name": "n", "data": {"url": "a\\.b", "nextLink": "//a", "pageElement": "//p",
            "insertBefore": "//hr", "exampleUrl": "https://a.test/"}});
        assert_eq!(Item::from_json(&data).unwrap().to_json(), data);
        let bare = Item::from_json_text(&data["data"].to_string()).unwrap();
        assert_eq!((bare.name.as_str(), bare.url.source()), ("", "a\\.b"));
    }
}
