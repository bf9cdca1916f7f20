//! Dumps of items: reading them, and finding the item for a page.

use crate::index::LiteralIndex;
use crate::item::{Item, ItemError};
use crate::site_config;
use serde_json::value::RawValue;
use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::thread;
use tsugi_page::address::page_key;
use tsugi_page::xpath::{Budget, XPathError};
use tsugi_page::{Content, Evidence, NextLink, NodeId, Page, Relation, Url};

/// Number of items that are worth a thread.
const ITEMS_PER_THREAD: usize = 500;
const MOST_THREADS: usize = 4;

/// Name of the item for microformats in evidence.
pub const MICROFORMATS: &str = "microformats";

/// The items of a dump, in the order in which clients try them, and then microformats: class names with which pages
/// mark their content for clients.
#[derive(Debug)]
pub struct Siteinfo {
    items: Vec<Item>,
    problems: Vec<Problem>,
    warnings: Vec<Problem>,
    generic: bool,
    index: LiteralIndex,
    microformats: Option<Item>,
}

/// An item of a dump that is unusable, or usable in part.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// Its position in the dump, from 0.
    pub index: usize,
    /// Its name; empty if it has none.
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
    /// It has too many entries.
    #[error("dump of {0} entries; the limit is {MOST_ITEMS}")]
    TooMany(usize),
    /// It is not JSON.
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It is neither an array nor an item.
    #[error("expected an array of items or one item, found {0}")]
    NotADump(&'static str),
    /// An item cannot be used.
    #[error("{0}")]
    Item(Problem),
}

/// Most entries of a dump; the largest known has 4,466.
const MOST_ITEMS: usize = 100_000;
/// Most items to try on a page; in known dumps, at most a dozen match an address.
const MOST_TRIED: usize = 100;

/// The findings of one item on a page.
#[derive(Debug)]
pub struct Applied<'a> {
    /// The item.
    pub item: &'a Item,
    /// The element of the next-page link.
    pub next_node: NodeId,
    /// The address of the next page.
    pub next_url: Url,
    /// The nodes of the content, outermost ones only.
    pub content: Vec<NodeId>,
}

/// The findings of siteinfo on a page.
#[derive(Debug)]
pub struct RuleMatch<'a> {
    /// The item that decided.
    pub item: &'a Item,
    /// The element of the next-page link, and the address of the next page.
    pub next: Option<(NodeId, Url)>,
    /// The nodes of the content, outermost ones only; at least one.
    pub content: Vec<NodeId>,
    /// What the item leaves out of them: outermost nodes inside.
    pub without: Vec<NodeId>,
    /// Whether the item was written for this site, and is neither generic nor microformats.
    pub own: bool,
}

/// The findings of siteinfo on a page, and whether the search was complete.
#[derive(Debug, Default)]
pub struct Search<'a> {
    /// The findings, if any.
    pub found: Option<RuleMatch<'a>>,
    /// The item that took too much work, if one did. Neither it nor later items were looked at to the end.
    pub cut: Option<&'a Item>,
}

impl RuleMatch<'_> {
    /// Returns `true` if the page is the last one: the item is for this site, says how to go on, and finds no next link.
    pub fn is_end(&self) -> bool {
        self.own && self.next.is_none() && !self.item.next_link.is_silent()
    }

    /// The next link as detectors answer it.
    pub fn next_link(&self) -> Option<NextLink> {
        let (node, url) = self.next.clone()?;
        Some(NextLink { url, node, relation: Relation::Page, score: 1.0, evidence: rule(self.item) })
    }

    /// The content as detectors answer it.
    pub fn content(&self) -> Content {
        let nodes = self.content.clone();
        Content { evidence: rule(self.item), nodes, without: self.without.clone(), score: 1.0 }
    }
}

impl Siteinfo {
    /// Reads rules of the caller's own, in the form of a dump: an item that cannot be used is an error.
    ///
    /// # Errors
    ///
    /// [`SiteinfoError`], as [`read_dump`](Self::read_dump); [`SiteinfoError::Item`] for the first unusable item.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_siteinfo::Siteinfo;
    /// let typo = br#"[{"name": "A", "url": "^https://a\\.test/(", "nextLink": "//a", "pageElement": "//main"}]"#;
    /// assert!(Siteinfo::read(typo).unwrap_err().to_string().starts_with("item 0 (`A`): "));
    /// assert_eq!(Siteinfo::read_dump(typo).unwrap().problems().len(), 1);
    /// ```
    pub fn read(json: &[u8]) -> Result<Siteinfo, SiteinfoError> {
        let siteinfo = Siteinfo::read_dump(json)?;
        match siteinfo.problems.first() {
            Some(problem) => Err(SiteinfoError::Item(problem.clone())),
            None => Ok(siteinfo),
        }
    }

    /// Reads a file of rules: a dump ([`read_dump`](Self::read_dump)), items in CSS (`"selectors": "css"` beside the fields, as
    /// `learn` writes them), or a site config of `FiveFilters`. The host of a site config is in the name of its file, or in its
    /// `test_url`.
    ///
    /// # Errors
    ///
    /// [`SiteinfoError`], as [`read_dump`](Self::read_dump). Unusable items are problems.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_siteinfo::Siteinfo;
    /// let config = "body: //article\nstrip: //aside\nnext_page_link: //a[@rel='next']\n";
    /// let rules = Siteinfo::read_rules(config.as_bytes(), "letters.example.org.txt")?;
    /// assert!(rules.items()[0].url.matches("https://letters.example.org/1"));
    /// # Ok::<(), tsugi_siteinfo::SiteinfoError>(())
    /// ```
    pub fn read_rules(bytes: &[u8], file_name: &str) -> Result<Siteinfo, SiteinfoError> {
        let text = String::from_utf8_lossy(bytes);
        if !site_config::is_site_config(&text) {
            return Siteinfo::read_dump(bytes);
        }
        let (mut items, mut problems) = (Vec::new(), Vec::new());
        match site_config::read(&text, file_name) {
            Ok(item) => items.push(item),
            Err(error) => problems.push(Problem { index: 0, name: file_name.to_owned(), error }),
        }
        Ok(Siteinfo::of(items, problems, Vec::new()))
    }

    /// Reads a dump: a JSON array of items, with `name` and `data` as Wedata serves it or of bare data, or a single item.
    /// Unusable items become [`Siteinfo::problems`]; the others work.
    ///
    /// # Errors
    ///
    /// [`SiteinfoError`] if the text is not JSON, neither an array nor an item, or has too many entries.
    ///
    /// # Cost
    ///
    /// Linear in the length of the dump, on up to four threads. The result does not depend on their number.
    pub fn read_dump(json: &[u8]) -> Result<Siteinfo, SiteinfoError> {
        // Editors on Windows may write a byte-order mark.
        let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
        let entries: Vec<&RawValue> = match json.trim_ascii_start().first() {
            Some(b'[') => serde_json::from_slice(json)?,
            Some(b'{') => {
                let object: &RawValue = serde_json::from_slice(json)?;
                if !Item::is_one(object.get()) {
                    return Err(SiteinfoError::NotADump("an object without fields of an item"));
                }
                vec![object]
            }
            _ => {
                let _: serde_json::Value = serde_json::from_slice(json)?;
                return Err(SiteinfoError::NotADump("a plain value"));
            }
        };
        if entries.len() > MOST_ITEMS {
            return Err(SiteinfoError::TooMany(entries.len()));
        }
        let (mut items, mut problems, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
        for (index, read) in read_items(&entries).into_iter().enumerate() {
            match read {
                Ok(item) => {
                    if let Some(error) = &item.warning {
                        warnings.push(Problem { index, name: item.name.clone(), error: error.clone() });
                    }
                    items.push(item);
                }
                Err((name, error)) => problems.push(Problem { index, name, error }),
            }
        }
        Ok(Siteinfo::of(items, problems, warnings))
    }

    fn of(mut items: Vec<Item>, problems: Vec<Problem>, warnings: Vec<Problem>) -> Siteinfo {
        // Longest `url` first, in UTF-16 units as in JavaScript; the sort is stable.
        items.sort_by_cached_key(|item| Reverse(item.url.source().encode_utf16().count()));
        let index = LiteralIndex::new(&items);
        Siteinfo { items, problems, warnings, generic: false, index, microformats: microformats() }
    }

    /// Also uses items whose `url` matches almost any address. By default they are not used.
    #[must_use]
    pub fn with_generic_items(mut self) -> Siteinfo {
        self.generic = true;
        self
    }

    /// Returns the usable items, the most specific first.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// Returns the unusable items, in the order of the dump.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the items that are used without their `insertBefore`, in the order of the dump.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    /// Returns the items whose `url` matches an address, the most specific first.
    ///
    /// # Cost
    ///
    /// Microseconds for a dump of thousands of items: nearly every `url` requires some literal text, and one automaton
    /// searches for all of them.
    pub fn matching<'a, 'u>(&'a self, url: &'u Url) -> impl Iterator<Item = &'a Item> + use<'a, 'u> {
        let candidates = self.index.candidates(url.as_str()).into_iter().map(|index| &self.items[index]);
        candidates
            .filter(move |item| item.url.matches(url.as_str()) && (self.generic || !item.url.is_generic()))
    }

    /// Returns what siteinfo finds on a page.
    ///
    /// The first item decides that matches the address and whose `nextLink` and `pageElement` both select something. If
    /// there is none, the first item for this site gives the content.
    ///
    /// As in clients, an item also decides if its `nextLink` selects something without an address, or a link to the page
    /// itself: then there is no next page. Microformats come after all items. Items that fail on this page are skipped.
    pub fn find(&self, page: &Page) -> Option<RuleMatch<'_>> {
        self.search(page).found
    }

    /// Returns what siteinfo finds on a page ([`Siteinfo::find`]), and the item that took too much work.
    ///
    /// # Cost
    ///
    /// All items share the [`Budget`] of one page. Once it is spent, what was found so far is the answer.
    pub fn search(&self, page: &Page) -> Search<'_> {
        let mut search = Search::default();
        let mut budget = Budget::default();
        let items = self.matching(page.url()).take(MOST_TRIED).map(|item| {
            let own = !item.url.is_generic();
            // An item for any address says nothing about a page without the link.
            (item, own, own)
        });
        // Checking for the class name is much cheaper than evaluating the expressions.
        let marks = self.microformats.iter().filter(|_| bears_marks(page)).map(|item| (item, false, true));
        for (item, own, without_link) in items.chain(marks) {
            let mut look = || {
                let selected = item.selected_link(page, &mut budget)?;
                if selected.is_none() && (search.found.is_some() || !without_link) {
                    return Ok(None);
                }
                let content = item.page_elements_within(page, &mut budget)?;
                Ok(Some((selected, content)).filter(|(_, content)| !content.is_empty()))
            };
            match look() {
                Ok(Some((None, content))) => {
                    let without = item.stripped(page, &content);
                    search.found = Some(RuleMatch { item, next: None, content, without, own });
                }
                Ok(Some((Some((node, address)), content))) => {
                    let next = address.and_then(|address| page.resolve(address));
                    let next =
                        next.filter(|url| page_key(url) != page_key(page.url())).map(|url| (node, url));
                    let without = item.stripped(page, &content);
                    search.found = Some(RuleMatch { item, next, content, without, own });
                    break;
                }
                Err(XPathError::BudgetSpent) => {
                    search.cut = Some(item);
                    break;
                }
                Ok(None) | Err(_) => {}
            }
        }
        search
    }

    /// Returns what the deciding item finds on a page ([`Siteinfo::find`]), if it finds a next link.
    pub fn apply(&self, page: &Page) -> Option<Applied<'_>> {
        let RuleMatch { item, next, content, .. } = self.find(page)?;
        let (next_node, next_url) = next?;
        Some(Applied { item, next_node, next_url, content })
    }
}

fn read_items(entries: &[&RawValue]) -> Vec<Result<Item, (String, ItemError)>> {
    let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MOST_THREADS);
    let share = entries.len().div_ceil(processors).max(ITEMS_PER_THREAD);
    if entries.len() <= share {
        return read_chunk(entries);
    }
    thread::scope(|scope| {
        let workers: Vec<_> =
            entries.chunks(share).map(|chunk| (chunk, scope.spawn(move || read_chunk(chunk)))).collect();
        // Reading does not panic. If it did, the items would be read again, here.
        workers
            .into_iter()
            .flat_map(|(chunk, worker)| worker.join().unwrap_or_else(|_| read_chunk(chunk)))
            .collect()
    })
}

fn read_chunk(entries: &[&RawValue]) -> Vec<Result<Item, (String, ItemError)>> {
    entries.iter().map(|entry| Item::from_json_text(entry.get())).collect()
}

fn microformats() -> Option<Item> {
    let item = serde_json::json!({"name": MICROFORMATS, "data": {
        "url": "^https?://.*",
        "nextLink": "//a[@rel=\"next\"] | //link[@rel=\"next\"]",
        "pageElement": "//*[contains(@class, \"autopagerize_page_element\")]",
        "insertBefore": "//*[contains(@class, \"autopagerize_insert_before\")]",
    }});
    Item::from_json(&item).ok()
}

/// Returns `true` if the `pageElement` of [`microformats`] selects anything.
fn bears_marks(page: &Page) -> bool {
    let mut classes = page.elements().filter_map(|id| page.attribute(id, "class"));
    classes.any(|class| class.contains("autopagerize_page_element"))
}

fn rule(item: &Item) -> Evidence {
    Evidence::Rule { name: item.name.as_str().into() }
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
        let siteinfo = Siteinfo::read_dump(DUMP.as_bytes()).unwrap();
        let page = Page::from_text(html, &url.parse().unwrap());
        siteinfo.apply(&page).map(|applied| format!("{} {}", applied.item.name, applied.next_url.path()))
    }

    #[test]
    fn a_page_without_a_link_to_another_is_the_last() {
        let siteinfo = Siteinfo::read_dump(DUMP.as_bytes()).unwrap();
        let look = |html: &str| {
            let page = Page::from_text(html, &"https://a.test/9".parse().unwrap());
            let look = siteinfo.find(&page).unwrap();
            assert_eq!((look.item.name.as_str(), look.content.len()), ("site", 1));
            (siteinfo.apply(&page).is_some(), look.next.is_some(), look.is_end())
        };
        assert_eq!(look("<p>x<a class=n href=10>next</a>"), (true, true, false));
        assert_eq!(look("<p>end"), (false, false, true));
        assert_eq!(look("<p>x<a class=n href=#top>next</a>"), (false, false, true));
        assert_eq!(look("<p>x<a class=n href=http://www.a.test/9>next</a>"), (false, false, true));
    }

    #[test]
    fn items_in_css_are_read_as_they_are_written() {
        let rules = br#"[{"name": "c", "url": "^https?://a\\.test/", "selectors": "css", "nextLink": "a.next", "pageElement": "main, div > p"},
            {"name": "no", "url": "^https?://b\\.test/", "selectors": "css", "nextLink": null, "pageElement": "p:hover"},
            {"name": "odd", "url": "^https?://b\\.test/", "selectors": "css", "nextLink": "a", "pageElement": "p:hover"}]"#;
        let siteinfo = Siteinfo::read_rules(rules, "rules.json").unwrap();
        let page = Page::from_text(
            "<div><p>x</p></div><a class=next href=2>on</a>",
            &"https://a.test/1".parse().unwrap(),
        );
        let applied = siteinfo.apply(&page).unwrap();
        assert_eq!((page.text_of(&applied.content).as_str(), applied.next_url.path()), ("x", "/2"));
        assert_eq!(applied.item.to_json()["data"]["selectors"], "css");
        let problems: Vec<String> = siteinfo.problems().iter().map(Problem::to_string).collect();
        assert!(problems[0].ends_with("`nextLink` is missing or empty"), "{problems:?}");
        assert!(
            problems[1].contains("`pageElement` (`p:hover`): at byte 7: unknown pseudo-class"),
            "{problems:?}"
        );
    }

    #[test]
    fn a_rule_without_a_next_link_leaves_next_pages_to_others() {
        let config = b"body: //article\nstrip: //aside\ntest_url: https://a.test/1\n";
        let siteinfo = Siteinfo::read_rules(config, "a.txt").unwrap();
        let page =
            Page::from_text("<article>x<aside>y</aside></article>", &"https://a.test/2".parse().unwrap());
        let found = siteinfo.find(&page).unwrap();
        assert!(!found.is_end() && found.next.is_none());
        assert_eq!(found.content().without, [page.first("aside").unwrap()]);
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
        let siteinfo = Siteinfo::read_dump(DUMP.as_bytes()).unwrap();
        assert_eq!(siteinfo.items().len(), 3);
        let problems: Vec<String> = siteinfo.problems().iter().map(Problem::to_string).collect();
        assert!(problems[0].starts_with("item 2 (`broken`): `nextLink` (`//a[`): at byte 4"), "{problems:?}");
        assert!(problems[1].starts_with("item 4 (``): expected an object"), "{problems:?}");
        assert!(matches!(Siteinfo::read_dump(b"3"), Err(SiteinfoError::NotADump("a plain value"))));
        assert!(matches!(Siteinfo::read_dump(b"[{]"), Err(SiteinfoError::Json(_))));
        assert!(matches!(Siteinfo::read_dump(b""), Err(SiteinfoError::Json(_))));
        assert!(matches!(Siteinfo::read_dump(b"[] []"), Err(SiteinfoError::Json(_))));
    }

    #[test]
    fn dumps_may_be_full_compact_or_one_item() {
        let named = r#"{"name": "n", "resource_url": "x", "data": {"url": "a", "nextLink": "//a", "pageElement": "//p", "comment": 3}}"#;
        let bare = r#"{"url": "a", "nextLink": "//a", "pageElement": "//p"}"#;
        let only_data = format!(r#"{{"data": {bare}}}"#);
        let odd = r#"{"name": 3, "data": {"url": "a", "url": "b", "nextLink": "//a", "pageElement": "//p", "insertBefore": []}}"#;
        for (dump, name, url) in [(named, "n", "a"), (bare, "", "a"), (&only_data, "", "a"), (odd, "", "b")] {
            for text in [dump.to_owned(), format!(" [{dump}]"), format!("\u{feff}[{dump}]\n")] {
                let siteinfo = Siteinfo::read_dump(text.as_bytes()).unwrap();
                let items: Vec<_> =
                    siteinfo.items().iter().map(|item| (item.name.as_str(), item.url.source())).collect();
                assert_eq!(items, [(name, url)], "{text}");
            }
        }
        assert_eq!(Siteinfo::read_dump(br#"{"data": {}}"#).unwrap().problems().len(), 1);
        let none = Siteinfo::read_dump(br#"{"version": 1}"#);
        assert!(matches!(none, Err(SiteinfoError::NotADump("an object without fields of an item"))));
    }

    #[test]
    fn a_dump_read_in_parts_keeps_its_order() {
        let item = |index: usize| {
            let expression = if index % 100 == 7 { "//a[" } else { "//a" };
            serde_json::json!({"name": index.to_string(), "data":
                {"url": "^http://a\\.test/", "nextLink": expression, "pageElement": "//p", "insertBefore": expression}})
        };
        let dump: Vec<_> = (0..4 * ITEMS_PER_THREAD).map(item).collect();
        let siteinfo = Siteinfo::read_dump(serde_json::to_string(&dump).unwrap().as_bytes()).unwrap();
        let names = siteinfo.items().iter().map(|item| item.name.parse::<usize>().unwrap());
        assert!(names.eq((0..4 * ITEMS_PER_THREAD).filter(|index| index % 100 != 7)));
        let problems = siteinfo.problems().iter().map(|problem| problem.index);
        assert!(problems.eq((0..4 * ITEMS_PER_THREAD).filter(|index| index % 100 == 7)));
    }

    #[test]
    fn an_insert_before_that_cannot_be_used_is_a_warning() {
        let dump = br#"[{"url": "b", "nextLink": "//a", "pageElement": "//p"},
            {"name": "n", "data": {"url": "a", "nextLink": "//a", "pageElement": "//p", "insertBefore": "//a["}}]"#;
        let siteinfo = Siteinfo::read_dump(dump).unwrap();
        assert_eq!((siteinfo.items().len(), siteinfo.problems().len()), (2, 0));
        let warnings: Vec<String> = siteinfo.warnings().iter().map(Problem::to_string).collect();
        assert!(warnings[0].starts_with("item 1 (`n`): `insertBefore` (`//a[`)"), "{warnings:?}");
    }

    #[test]
    fn the_first_item_that_hits_decides_though_its_link_leads_nowhere() {
        let html = "<div><p>x<a rel=next href='javascript:go()'></a><a class=n href=2></a></p></div>";
        let siteinfo = Siteinfo::read_dump(DUMP.as_bytes()).unwrap();
        let page = Page::from_text(html, &"https://a.test/blog/".parse().unwrap());
        let look = siteinfo.find(&page).unwrap();
        assert_eq!((look.item.name.as_str(), look.is_end()), ("blog", true));
        assert!(siteinfo.apply(&page).is_none());
    }

    #[test]
    fn an_item_that_fails_on_the_page_is_passed_over() {
        let dump = br#"[{"name": "long", "data": {"url": "^https?://a\\.test/", "nextLink": "no-such-function()", "pageElement": "//p"}},
            {"name": "text", "data": {"url": "^https?://a\\.test", "nextLink": "string(//a)", "pageElement": "//p"}},
            {"name": "short", "data": {"url": "a\\.test", "nextLink": "//a", "pageElement": "//p"}}]"#;
        let siteinfo = Siteinfo::read_dump(dump).unwrap();
        let page = Page::from_text("<p>x<a href=2>2</a>", &"https://a.test/".parse().unwrap());
        assert_eq!(siteinfo.apply(&page).unwrap().item.name, "short");
        let dump = br#"[{"url": "a", "nextLink": "string(//a/@href)", "pageElement": "//p"},
            {"url": "b", "nextLink": "//a", "pageElement": "count(//p)"}]"#;
        let page = Page::from_text("<p>x<a href=2>", &"https://a.test/b".parse().unwrap());
        assert!(Siteinfo::read_dump(dump).unwrap().find(&page).is_none(), "the models may answer");
    }

    #[test]
    fn generic_items_take_part_where_they_are_let() {
        let siteinfo = Siteinfo::read_dump(DUMP.as_bytes()).unwrap().with_generic_items();
        let page = |html| Page::from_text(html, &"https://b.test/".parse().unwrap());
        assert_eq!(siteinfo.apply(&page("<p>x<a href=2>2</a>")).unwrap().item.name, "all");
        assert!(siteinfo.find(&page("<p>x")).is_none(), "without its link it says nothing");
        let look = siteinfo.find(&page("<p>x<a>2</a>")).map(|look| look.is_end());
        assert_eq!(look, Some(false), "nobody wrote it for this site");
    }

    #[test]
    fn marks_of_the_page_come_after_all_items() {
        let siteinfo = Siteinfo::read_dump(DUMP.as_bytes()).unwrap();
        let look = |url: &str, html: &str| {
            let page = Page::from_text(html, &url.parse().unwrap());
            let found = siteinfo.find(&page);
            let next = found.as_ref().and_then(RuleMatch::next_link);
            let nothing = Content::nothing(Evidence::Rule { name: "".into() });
            let content = found.as_ref().map_or(nothing, RuleMatch::content);
            (
                next.map(|next| (next.url.path().to_owned(), next.evidence)),
                content.nodes.len(),
                content.evidence,
            )
        };
        let rule = |name: &str| Evidence::Rule { name: name.into() };
        let marks = "<link rel=next href=3><div class='x autopagerize_page_element'>x</div>";
        assert_eq!(
            look("https://b.test/", marks),
            (Some(("/3".to_owned(), rule(MICROFORMATS))), 1, rule(MICROFORMATS))
        );
        let both = format!("{marks}<p>y<a class=n href=2></a>");
        assert_eq!(look("https://a.test/", &both), (Some(("/2".to_owned(), rule("site"))), 1, rule("site")));
        let last = "<div class=autopagerize_page_element>x</div>";
        assert_eq!(look("https://b.test/", last), (None, 1, rule(MICROFORMATS)));
        let page = Page::from_text(last, &"https://b.test/".parse().unwrap());
        assert!(
            !siteinfo.find(&page).unwrap().is_end(),
            "a theme may bear the marks and link in another way"
        );
        assert_eq!(look("https://b.test/", "<link rel=next href=3><p>x"), (None, 0, rule("")));
    }

    fn trying_all<'a>(siteinfo: &'a Siteinfo, url: &Url) -> Vec<&'a Item> {
        let allowed = siteinfo.items().iter().filter(|item| !item.url.is_generic());
        allowed.filter(|item| item.url.matches(url.as_str())).collect()
    }

    proptest::proptest! {
        #[test]
        fn matching_gives_what_trying_all_gives(
            patterns in proptest::collection::vec(
                "(\\^|http|s\\?|://|www\\\\\\.|a|b|ab|\\.|\\\\\\.|/|\\[ab\\]|\\[\\.\\]|\\(|\\(\\?:|\\(\\?!|\\)|\\||\\*|\\+|\\?|\\{2\\}|\\{0,1\\}|\\$|\\\\b|\\\\1|test){0,8}", 1..20),
            hosts in proptest::collection::vec("(www\\.)?(a|b|ab|ba|aab|test)\\.(test|ab)/(a|b|/|test|ab){0,4}", 1..5),
        ) {
            let items: Vec<_> = patterns.iter()
                .map(|url| serde_json::json!({"url": url, "nextLink": "//a", "pageElement": "//p"}))
                .collect();
            let siteinfo = Siteinfo::read_dump(serde_json::to_string(&items).unwrap().as_bytes()).unwrap();
            for host in hosts {
                let url: Url = format!("https://{host}").parse().unwrap();
                let quick: Vec<_> = siteinfo.matching(&url).map(std::ptr::from_ref).collect();
                let all: Vec<_> = trying_all(&siteinfo, &url).into_iter().map(std::ptr::from_ref).collect();
                proptest::prop_assert_eq!(quick, all, "{}", url);
            }
        }
    }

    #[test]
    fn hostile_dumps_are_bounded() {
        let many = format!("[{}0]", "0,".repeat(MOST_ITEMS));
        assert!(matches!(Siteinfo::read_dump(many.as_bytes()), Err(SiteinfoError::TooMany(_))));
        let arrays = r#"[["n", ["a", "//a", "//p", null, null]], {"name": "m", "data": ["a", "//a", "//p", null, null]}]"#;
        let siteinfo = Siteinfo::read_dump(arrays.as_bytes()).unwrap();
        assert_eq!((siteinfo.items().len(), siteinfo.problems().len()), (0, 2));
    }

    #[test]
    fn all_items_share_the_budget_of_a_page() {
        let html = format!("<a href=2>2</a>{}", "<p>x</p>".repeat(20_000));
        let page = Page::from_text(&html, &"https://a.test/".parse().unwrap());
        let searched = |hostile: &str| {
            let item = |name: &str, url: &str, next_link: &str| serde_json::json!({"name": name, "data": {"url": url, "nextLink": next_link, "pageElement": "//p"}});
            let many = (0..50).map(|index| item(&format!("hostile {index}"), "^https?://a\\.test/", hostile));
            let plain = item("plain", "//a\\.test/", "//a");
            let dump = many.chain([plain]).collect::<Vec<_>>();
            let siteinfo = Siteinfo::read_dump(serde_json::to_string(&dump).unwrap().as_bytes()).unwrap();
            let search = siteinfo.search(&page);
            let name = |item: &Item| item.name.clone();
            (search.found.map(|found| name(found.item)), search.cut.map(name))
        };
        let (plain, first) = (Some("plain".to_owned()), Some("hostile 0".to_owned()));
        assert_eq!(searched("//a[. = 'none']"), (plain, None));
        assert_eq!(searched("//p[. = preceding::*[. = 'y']]"), (None, first.clone()), "one item spends it");
        // More than a million steps for each item.
        let (found, cut) = searched(&["//p[string-length(.) > 5]"; 10].join(" | "));
        assert_eq!(found, first, "what was found before it was spent");
        assert!(cut.is_some_and(|name| name != "hostile 0"), "many items spend it together");
    }
}
