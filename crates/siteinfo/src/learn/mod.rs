//! Rules that write themselves: from a few pages of a site, read by models, an item for the site.
//!
//! The models say of each page how likely which link leads on, and what is content. Learning describes those
//! elements in all the ways that people write items in ([`selector`]), keeps what is likely to be so on other pages
//! ([`describe`]), and takes the selector under which what the models saw on all pages together is likeliest, less
//! what the selector costs ([`next`], [`content`]). Short and general rules are cheap. What the item finds is then
//! evaluated by the XPath engine and compared with the models page by page.
//!
//! # Source
//!
//! Wrappers from noisy annotations: Dalvi, Kumar & Soliman, "Automatic wrappers for large scale web extraction",
//! VLDB 2011, ranks candidate wrappers by the likelihood of the annotations and by how good the wrapper looks. That
//! rules learned once make joining faster is YIY's finding for selector rules (METHODS, section 6).

mod address;
mod content;
mod describe;
mod next;
mod selector;
mod view;

pub use address::url_pattern;
pub use describe::is_generated;
pub use view::Observed;

use crate::item::{Item, ItemError};
use selector::Selector;
use tsugi_page::Url;
use tsugi_page::address::{page_key, same_host};
use view::{Spans, View};

/// Why no item can be learned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LearnError {
    /// There are no pages.
    #[error("there are no pages to learn from")]
    NoPages,
    /// No page has a next link.
    #[error("no next link was found on any of the {pages} pages; give pages that are followed by others")]
    NoNextLink {
        /// How many pages were given.
        pages: usize,
    },
    /// No page has content.
    #[error("no content was found on any of the {pages} pages")]
    NoContent {
        /// How many pages were given.
        pages: usize,
    },
    /// The pages are not of one site.
    #[error("the pages are of several hosts ({one}, {other}); an item is for one")]
    SeveralHosts {
        /// One host.
        one: String,
        /// Another one.
        other: String,
    },
    /// What was learned cannot be written as an item.
    #[error("what was learned is no usable item: {0}")]
    Item(#[from] ItemError),
}

/// What was learned of a site.
#[derive(Debug)]
pub struct Learned {
    /// The item.
    pub item: Item,
    /// `nextLink` as CSS; `None` where CSS cannot say what the item says.
    pub next_link_css: Option<String>,
    /// `pageElement` as CSS; `None` where CSS cannot say what the item says.
    pub page_element_css: Option<String>,
    /// What the item finds on each page, beside what the models found.
    pub checks: Vec<PageCheck>,
}

/// What an item finds on a page that it was learned from, beside what the models found.
#[derive(Debug, Clone, PartialEq)]
pub struct PageCheck {
    /// The page.
    pub url: Url,
    /// The next page by the models, with their score.
    pub next_by_models: Option<(Url, f32)>,
    /// The next page by the item.
    pub next_by_item: Option<Url>,
    /// Whether the two are one page, or both none.
    pub same_next: bool,
    /// How far the item's content agrees with the models': F over characters, in [0, 1].
    pub content: f64,
}

impl PageCheck {
    /// The least agreement of content that counts as the same.
    pub const SAME_CONTENT: f64 = 0.95;

    /// Says whether item and models agree.
    pub fn agrees(&self) -> bool {
        self.same_next && self.content >= Self::SAME_CONTENT
    }
}

impl Learned {
    /// Says whether one of the pages has no next page, so that the item is known to find none there.
    pub fn saw_the_end(&self) -> bool {
        self.checks.iter().any(|check| check.next_by_models.is_none() && check.next_by_item.is_none())
    }
}

/// Learns the item of a site from some of its pages. Models' next links below `threshold` count as none where pages are
/// compared, but how near they are counts.
///
/// # Errors
///
/// [`LearnError`] where the pages are of several hosts, or none of them has a next link or content.
///
/// # Determinism
///
/// Equal pages in equal order give equal items.
pub fn learn(observed: &[Observed], threshold: f32) -> Result<Learned, LearnError> {
    let Some(first) = observed.first() else { return Err(LearnError::NoPages) };
    let host = |url: &Url| url.host_str().unwrap_or_default().to_owned();
    if let Some(other) = observed.iter().find(|other| !same_host(other.page.url(), first.page.url())) {
        return Err(LearnError::SeveralHosts { one: host(first.page.url()), other: host(other.page.url()) });
    }
    let found = |observed: &Observed| observed.next.as_ref().is_some_and(|next| next.score >= threshold);
    let pages = observed.len();
    if !observed.iter().any(found) {
        return Err(LearnError::NoNextLink { pages });
    }
    let views: Vec<View<'_>> = View::all(observed);
    let next = next::learn_next(&views, false).ok_or(LearnError::NoNextLink { pages })?;
    let content = content::learn_content(&views, false).ok_or(LearnError::NoContent { pages })?;
    let mut urls: Vec<Url> = Vec::new();
    for observed in observed {
        urls.push(observed.page.url().clone());
        let next = observed.next.as_ref().filter(|next| next.score >= threshold);
        urls.extend(next.map(|next| next.url.clone()).filter(|url| same_host(url, first.page.url())));
    }
    let example = observed.iter().find(|observed| found(observed)).unwrap_or(first);
    let unwritable = || LearnError::NoContent { pages };
    let item = Item::from_json(&serde_json::json!({
        "name": host(first.page.url()),
        "data": {
            "url": url_pattern(&urls).ok_or_else(unwritable)?,
            "nextLink": next.xpath().ok_or_else(unwritable)?,
            "pageElement": content.xpath().ok_or_else(unwritable)?,
            "exampleUrl": example.page.url().as_str(),
        },
    }))?;
    let checks =
        views.iter().zip(observed).map(|(view, observed)| check(&item, view, observed, threshold)).collect();
    let next_link_css = next.css().or_else(|| same_next_in_css(&views, &next));
    let page_element_css = content.css().or_else(|| same_content_in_css(&views, &content));
    Ok(Learned { item, next_link_css, page_element_css, checks })
}

fn check(item: &Item, view: &View<'_>, observed: &Observed, threshold: f32) -> PageCheck {
    let page = view.page;
    let next_by_models = observed
        .next
        .as_ref()
        .filter(|next| next.score >= threshold)
        .map(|next| (next.url.clone(), next.score));
    let next_by_item = item.next_link(page).ok().flatten().map(|(_, url)| url);
    let next_by_item = next_by_item.filter(|url| page_key(url) != view.key);
    let key = |url: Option<&Url>| url.map(page_key);
    let content = item.page_elements(page).unwrap_or_default();
    PageCheck {
        url: page.url().clone(),
        same_next: key(next_by_models.as_ref().map(|(url, _)| url)) == key(next_by_item.as_ref()),
        next_by_models,
        next_by_item,
        content: view.agreement(&Spans::of(page, content)),
    }
}

/// CSS that gives the same next page on every page; learned anew, since what XPath says best CSS may not say.
fn same_next_in_css(views: &[View<'_>], wanted: &Selector) -> Option<String> {
    let css = next::learn_next(views, true)?;
    let same = views.iter().all(|view| next::leads(view, &css) == next::leads(view, wanted));
    if same { css.css() } else { None }
}

/// CSS that selects the same content on every page.
fn same_content_in_css(views: &[View<'_>], wanted: &Selector) -> Option<String> {
    let css = content::learn_content(views, true)?;
    let spans = |view: &View<'_>, selector: &Selector| Spans::of(view.page, selector.select(view.page));
    let same = views.iter().all(|view| view.weight(&spans(view, &css)) == view.weight(&spans(view, wanted)));
    if same { css.css() } else { None }
}
