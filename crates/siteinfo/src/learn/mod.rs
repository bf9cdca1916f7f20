//! Learns an item for a site from a few of its pages and the models' answers for them.
//!
//! For each page, the models give the probability of each next link, and the content. Learning describes those elements
//! in all the ways that people write items (`selector`), with properties that are likely to hold on other pages
//! (`describe`). It chooses the selector under which the models' answers on all pages are most likely, minus the cost of
//! the selector (`next`, `content`). Short, general rules are cheap. At the end, the XPath engine evaluates the item, and
//! the result is compared with the models, page by page.
//!
//! # Source
//!
//! Dalvi, Kumar & Soliman, "Automatic wrappers for large scale web extraction", VLDB 2011, rank candidate wrappers by the
//! likelihood of noisy annotations and by the quality of the wrapper. YIY finds that rules learned once make joining
//! faster (Yoshida, Inui & Yamamoto, section 3).

mod address;
mod content;
mod describe;
mod facts;
mod next;
mod selector;
mod view;

pub use address::url_pattern;
pub use describe::is_generated;
pub use facts::FactNodes;
pub use view::Observed;

use crate::item::{Item, ItemError};
use crate::node_rule::NodeRule;
use selector::LearnedSelector;
use std::iter::{once, once_with};
use tsugi_page::address::{page_key, same_host};
use tsugi_page::{NodeId, Page, Url};
use view::{PageView, Spans};

/// Why no item was learned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LearnError {
    /// There are no pages.
    #[error("there are no pages to learn from")]
    NoPages,
    /// No page has a next link.
    #[error("no next link found on {0} page(s); give pages that have next pages")]
    NoNextLink(usize),
    /// No page has content.
    #[error("no content found on {0} page(s)")]
    NoContent(usize),
    /// The learned selector finds the models' next page on none of the pages.
    #[error("the learned rule finds the models' next page on none of {0} page(s)")]
    Nowhere(usize),
    /// On all pages, the content of the learned item begins with something else than the models'.
    #[error("the learned rule's content begins with `{0}` on every page, which is no content for the models")]
    Opening(String),
    /// The pages are from several hosts.
    #[error("pages from several hosts ({one}, {other}); an item is for one host")]
    SeveralHosts {
        /// One host.
        one: String,
        /// Another host.
        other: String,
    },
    /// The result is not a usable item.
    #[error("the learned item is unusable: {0}")]
    Item(#[from] ItemError),
}

/// A learned item of a site.
#[derive(Debug)]
pub struct Learned {
    /// The item.
    pub item: Item,
    /// `nextLink` as CSS that selects the same nodes on every page; `None` if none was found.
    pub next_link_css: Option<String>,
    /// `pageElement` as CSS that selects the same nodes on every page; `None` if none was found.
    pub page_element_css: Option<String>,
    /// Compares item and models on each page.
    pub checks: Vec<PageCheck>,
}

/// A comparison of an item's answers on a page with the models'.
#[derive(Debug, Clone, PartialEq)]
pub struct PageCheck {
    /// The page.
    pub url: Url,
    /// The next page found by the models, with its score.
    pub next_by_models: Option<(Url, f32)>,
    /// The next page found by the item.
    pub next_by_item: Option<Url>,
    /// Whether the two are the same page, or both missing.
    pub same_next: bool,
    /// Agreement of the item's content with the models': F over characters, in [0, 1].
    pub content: f64,
    /// What the item's content begins with and the models' does not, if a reader would see it first: a side bar, a menu.
    pub opening: Option<String>,
}

impl PageCheck {
    /// Least agreement of content that counts as the same.
    pub const SAME_CONTENT: f64 = 0.95;

    /// Returns `true` if item and models agree.
    pub fn agrees(&self) -> bool {
        self.same_next && self.content >= Self::SAME_CONTENT && self.opening.is_none()
    }

    /// Returns `true` if both find no next page.
    pub fn is_end(&self) -> bool {
        self.next_by_models.is_none() && self.next_by_item.is_none()
    }
}

/// Learns the item of a site from some of its pages.
///
/// A next link whose score is below `threshold` counts as missing when item and models are compared, but its score counts
/// when selectors are.
///
/// # Errors
///
/// [`LearnError`] if the pages are from several hosts, or none of them has a next link or content.
///
/// # Determinism
///
/// Equal pages in equal order give equal items.
pub fn learn(observed: &[&Observed], threshold: f32) -> Result<Learned, LearnError> {
    let Some(first) = observed.first().copied() else { return Err(LearnError::NoPages) };
    if let Some(other) = observed.iter().find(|other| !same_host(other.page.url(), first.page.url())) {
        return Err(LearnError::SeveralHosts { one: host(first.page.url()), other: host(other.page.url()) });
    }
    let pages = observed.len();
    let mut with_next = observed.iter().filter(|observed| observed.sure_next(threshold).is_some());
    let example = with_next.next().ok_or(LearnError::NoNextLink(pages))?;
    let views: Vec<PageView<'_>> = PageView::all(observed);
    let next = next::learn_next(&views, false).ok_or(LearnError::NoNextLink(pages))?;
    let content = content::learn_content(&views, false).ok_or(LearnError::NoContent(pages))?;
    let mut urls: Vec<Url> = Vec::new();
    for observed in observed {
        urls.push(observed.page.url().clone());
        let next = observed.sure_next(threshold).map(|next| next.url.clone());
        urls.extend(next.filter(|url| same_host(url, first.page.url())));
    }
    let unwritable = || LearnError::NoContent(pages);
    let mut item = Item::from_json(&serde_json::json!({
        "name": host(first.page.url()),
        "data": {
            "url": url_pattern(&urls).ok_or_else(unwritable)?,
            "nextLink": next.xpath().ok_or_else(unwritable)?,
            "pageElement": content.xpath().ok_or_else(unwritable)?,
            "exampleUrl": example.page.url().as_str(),
        },
    }))?;
    item.title = facts::learn_fact(observed, |facts| &facts.title);
    item.author = facts::learn_fact(observed, |facts| &facts.author);
    item.date = facts::learn_fact(observed, |facts| &facts.date);
    item.strip = facts::learn_strip(observed);
    let checks: Vec<PageCheck> = views.iter().map(|view| check_view(&item, view, threshold)).collect();
    if !checks.iter().any(|check| check.same_next && check.next_by_item.is_some()) {
        return Err(LearnError::Nowhere(pages));
    }
    // A few short links weigh little, and are what a reader sees first on every page.
    if let Some(opening) = checks.iter().map(|check| check.opening.as_deref()).min().flatten() {
        return Err(LearnError::Opening(opening.chars().take(SHOWN).collect()));
    }
    // CSS may be unable to express the best selector. Then the best that it can express is tried.
    let nexts = once(next).chain(once_with(|| next::learn_next(&views, true)).flatten());
    let next_link_css = css_like(&item.next_link, nexts, &views);
    let contents = once(content).chain(once_with(|| content::learn_content(&views, true)).flatten());
    let page_element_css = css_like(&item.page_element, contents, &views);
    Ok(Learned { item, next_link_css, page_element_css, checks })
}

/// Compares an item's answers on a page ([`apply`]) with the models'.
pub fn check(item: &Item, observed: &Observed, threshold: f32) -> PageCheck {
    check_view(item, &PageView::new(observed), threshold)
}

/// Returns the next page and the content that an item finds on a page.
///
/// It finds nothing if its `url` does not match the page, and no next page if it finds no content or its link leads to the
/// page itself.
pub fn apply(item: &Item, page: &Page) -> (Option<Url>, Vec<NodeId>) {
    let is_for = item.url.matches(page.url().as_str());
    let content = if is_for { item.page_elements(page).unwrap_or_default() } else { Vec::new() };
    let next = if content.is_empty() { None } else { item.next_link(page).ok().flatten() };
    (next.map(|(_, url)| url).filter(|url| page_key(url) != page_key(page.url())), content)
}

/// Returns the indices of at most `most` of `pages` pages, evenly spread, including the first and the last.
pub fn spread(pages: usize, most: usize) -> Vec<usize> {
    if pages <= most {
        return (0..pages).collect();
    }
    (0..most).map(|at| at * (pages - 1) / (most - 1).max(1)).collect()
}

/// Most characters of a text to show.
const SHOWN: usize = 60;

fn host(url: &Url) -> String {
    url.host_str().unwrap_or_default().to_owned()
}

fn check_view(item: &Item, view: &PageView<'_>, threshold: f32) -> PageCheck {
    let page = view.page;
    let (next_by_item, content) = apply(item, page);
    let next_by_models = view.found.filter(|next| next.score >= threshold);
    let spans = Spans::of(page, content);
    PageCheck {
        url: page.url().clone(),
        opening: view.foreign_opening(&spans),
        same_next: next_by_models.map(|next| page_key(&next.url)) == next_by_item.as_ref().map(page_key),
        next_by_models: next_by_models.map(|next| (next.url.clone(), next.score)),
        next_by_item,
        content: view.agreement(&spans),
    }
}

fn css_like(
    xpath: &NodeRule,
    selectors: impl Iterator<Item = LearnedSelector>,
    views: &[PageView<'_>],
) -> Option<String> {
    let wanted = views.iter().map(|view| xpath.nodes(view.page));
    let wanted: Vec<Vec<NodeId>> = wanted.collect::<Result<_, _>>().ok()?;
    selectors.filter_map(|selector| selector.css()).find(|css| {
        let Ok(css) = tsugi_page::Selector::parse(css) else { return false };
        views.iter().zip(&wanted).all(|(view, wanted)| view.page.select(&css) == *wanted)
    })
}

#[cfg(test)]
mod tests {
    use super::{FactNodes, Item, LearnError, Learned, Observed, PageCheck};
    use tsugi_page::{Content, Evidence, NextLink, NodeId, Page, Relation, Selector};

    fn learn(pages: &[Observed], threshold: f32) -> Result<Learned, LearnError> {
        super::learn(&pages.iter().collect::<Vec<_>>(), threshold)
    }

    /// A page as models see it: the link with this address and score, the elements with these ids or names.
    fn observed(url: &str, html: &str, next: Option<(&str, f32)>, content: &[&str]) -> Observed {
        let page = Page::from_text(html, &format!("https://a.test{url}").parse().unwrap());
        let link = |href: &str| {
            page.elements()
                .find(|id| page.attribute(*id, "href") == Some(href))
                .expect("the page has the link")
        };
        let next = next.map(|(href, score)| NextLink {
            url: page.resolve(href).unwrap(),
            node: link(href),
            relation: Relation::Page,
            score,
            evidence: Evidence::Model,
        });
        let named = |id: &NodeId, name: &str| page.attribute(*id, "id") == Some(name) || page.is(*id, name);
        let nodes = page.elements().filter(|id| content.iter().any(|name| named(id, name))).collect();
        let content = Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Model };
        Observed { page, next, content, facts: FactNodes::default() }
    }

    const MENU: &str = "<ul class=menu><li><a href=/>Home</a><li><a href=/about>About</a></ul>";

    fn listing(number: u32, last: u32, score: f32) -> Observed {
        let url = if number == 1 { "/".to_owned() } else { format!("/page/{number}/") };
        let post = |post: u32| {
            let name = number * 10 + post;
            format!(
                "<article class='post css-1q2w3e'><h2>Title {name}</h2><p>What the post {name} is about.</article>"
            )
        };
        let posts = (0..5).map(post).collect::<Vec<_>>().concat();
        let (before, after) = (number - 1, number + 1);
        let newer =
            if number > 1 { format!("<a class=pg href=/page/{before}/>Newer</a>") } else { String::new() };
        let older =
            if number < last { format!("<a class=pg href=/page/{after}/>Older</a>") } else { String::new() };
        let html = format!("{MENU}<div id=list>{posts}<div class=pager>{newer}{older}</div></div>");
        let next = format!("/page/{after}/");
        observed(&url, &html, (number < last).then_some((next.as_str(), score)), &["article"])
    }

    /// A single post, whose "next" is the next post.
    fn single(name: &str, word: &str, next: Option<(&str, f32)>) -> Observed {
        let html = format!(
            "{MENU}<main><h1>{name}</h1><p>All of the text of {name}, which is long enough.</p></main>\
             <div class=around><a href=/posts/other/>{word}</a></div>"
        );
        observed(&format!("/posts/{name}/"), &html, next, &["main"])
    }

    #[test]
    fn the_item_of_a_blog_pages_its_lists_and_knows_its_posts() {
        let pages = [
            listing(1, 4, 0.99),
            listing(2, 4, 0.98),
            listing(3, 4, 0.97),
            listing(4, 4, 0.9),
            single("x", "Older", None),
            single("y", "Older", None),
        ];
        let learned = learn(&pages, 0.5).unwrap();
        assert_eq!(learned.item.url.source(), r"^https?://a\.test/");
        assert_eq!(
            learned.item.next_link.source(),
            "//a[contains(concat(\" \",normalize-space(@class),\" \"),\" pg \")][normalize-space(.)=\"Older\"]",
            "the words alone lead from post to post, the class alone to the page before"
        );
        assert_eq!(
            learned.item.page_element.source(),
            "//main | //article[contains(concat(\" \",normalize-space(@class),\" \"),\" post \")]",
            "no name that a build tool made"
        );
        assert!(learned.checks.iter().all(PageCheck::agrees), "{:?}", learned.checks);
        assert!(learned.checks[3].is_end() && !learned.checks[2].is_end());
        let others = listing(7, 9, 0.9);
        assert!(super::check(&learned.item, &others, 0.5).agrees());
        assert_eq!(learned.next_link_css, None, "CSS knows no words");
        assert_eq!(learned.page_element_css.as_deref(), Some("main, article.post"));
    }

    #[test]
    fn an_unsure_page_is_outvoted_and_named() {
        let trapped = |score| single("z", "A post", Some(("/posts/other/", score)));
        let lists = || (1..=5).map(|number| listing(number, 5, 0.99));
        let pages: Vec<Observed> = lists().chain([trapped(0.6)]).collect();
        let learned = learn(&pages, 0.5).unwrap();
        let differs: Vec<&PageCheck> = learned.checks.iter().filter(|check| !check.agrees()).collect();
        assert_eq!(differs.len(), 1);
        assert_eq!(differs[0].url.path(), "/posts/z/");
        assert!(differs[0].next_by_models.is_some() && differs[0].next_by_item.is_none());
        // Where the models are sure of many such pages, the item follows them.
        let sure = ["p", "q", "r"].map(|name| single(name, "A post", Some(("/posts/other/", 0.99))));
        let pages: Vec<Observed> = lists().chain(sure).collect();
        let learned = learn(&pages, 0.5).unwrap();
        let followed = learned.checks.iter().filter(|check| check.next_by_item.is_some()).count();
        assert_eq!(followed, 4 + 3);
    }

    #[test]
    fn a_pager_that_leads_home_at_its_end_is_seen_through() {
        let page = |number: u32, next: &str, score| {
            let html = format!(
                "<p id=t>What page {number} says.</p><div class=pager><a class=n href={next}>&gt;</a></div>"
            );
            observed(&format!("/list/{number}"), &html, Some((next, score)), &["t"])
        };
        let pages = [page(2, "/list/3", 0.99), page(3, "/list/4", 0.99), page(4, "/", 0.9)];
        let learned = learn(&pages, 0.5).unwrap();
        let found: Vec<bool> = learned.checks.iter().map(|check| check.next_by_item.is_some()).collect();
        assert_eq!(found, [true, true, false], "{}", learned.item.next_link.source());
    }

    #[test]
    fn numbers_alone_are_paged_by_the_mark_of_the_current_one() {
        let page = |number: u32| {
            let links: String = (1..=4)
                .map(
                    |n| if n == number { format!("<b>{n}</b> ") } else { format!("<a href=/t/{n}>{n}</a> ") },
                )
                .collect();
            let next = format!("/t/{}", number + 1);
            let html = format!(
                "<td id=t>Page {number} of the thread.</td><div id=t>Text {number}</div><p class=nums>{links}</p>"
            );
            observed(&format!("/t/{number}"), &html, (number < 4).then_some((next.as_str(), 0.98)), &["t"])
        };
        let learned = learn(&[page(1), page(2), page(3), page(4)], 0.5).unwrap();
        assert!(learned.checks.iter().all(PageCheck::agrees), "{:?}", learned.checks);
        assert_eq!(learned.item.next_link.source(), "//b/following-sibling::*[1][self::a]");
        assert_eq!(learned.next_link_css.as_deref(), Some("b + a"));
    }

    #[test]
    fn a_side_bar_above_the_article_is_no_agreement() {
        // One cell holds the side bar and the text, so that every rule for the text takes both.
        let page = |number: u32| {
            let text = format!("この記事の{number}ページ目は、島の船のことを長く書く。").repeat(12);
            let next = format!("/s/{}", number + 1);
            let html = format!(
                "<table><tr><td class=main><a href=/a>特集</a><a href=/b>連載</a><a href=/c>料理</a><br>{text}</td></tr></table>\
                 <a rel=next href={next}>次へ</a>"
            );
            let mut observed = observed(&format!("/s/{number}"), &html, Some((next.as_str(), 0.99)), &[]);
            let page = &observed.page;
            let cell = page.first("td").unwrap();
            observed.content.without = page.child_elements(cell).filter(|id| page.is(*id, "a")).collect();
            observed.content.nodes = vec![cell];
            observed
        };
        let pages = [page(1), page(2), page(3)];
        match learn(&pages, 0.5) {
            Err(LearnError::Opening(opening)) => assert_eq!(opening, "特集 連載 料理"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_other_pages_say_is_left_out() {
        let page = |number: u32| {
            let text = format!("The story goes on, part {number}, with more words than the bar has.");
            let html = format!(
                "<div class=body><p>{text}</p><p>And {text}</p><div class=bar>Share this story on all networks</div></div>\
                 <a rel=next href=/s/{}>on</a>",
                number + 1
            );
            // The models take the bar along.
            let next = format!("/s/{}", number + 1);
            let mut observed = observed(&format!("/s/{number}"), &html, Some((next.as_str(), 0.99)), &[]);
            let body =
                observed.page.elements().find(|id| observed.page.attribute(*id, "class") == Some("body"));
            observed.content.nodes = body.into_iter().collect();
            observed
        };
        let pages = [page(1), page(2), page(3)];
        let learned = learn(&pages, 0.5).unwrap();
        let nodes = learned.item.page_elements(&pages[0].page).unwrap();
        assert!(!pages[0].page.text_of(&nodes).contains("Share"), "{}", learned.item.page_element.source());
        assert_eq!(learned.item.next_link.source(), "//a[@rel=\"next\"]");
    }

    #[test]
    fn names_that_build_tools_make_are_never_used() {
        let page = |number: u32| {
            let next = format!("/{}", number + 1);
            let html = format!(
                "<div class=sc-bdnxRM><a href=/about>About</a></div><div class=css-1q2w3e id=t>Text {number}, at some length.\
                 </div><div class=css-9x8y7z><a class=sc-hKwDye href=/{}>older</a><a href={next}>more</a></div>",
                number + 7,
            );
            let mut observed = observed(&format!("/{number}"), &html, Some((next.as_str(), 0.95)), &["t"]);
            let html = html.replace(" id=t", "");
            observed.page = Page::from_text(&html, &observed.page.url().clone());
            observed
        };
        let learned = learn(&[page(1), page(2), page(3)], 0.5).unwrap();
        assert!(learned.checks.iter().all(|check| check.same_next), "{:?}", learned.checks);
        for rule in [learned.item.next_link.source(), learned.item.page_element.source()] {
            assert!(!rule.contains("css-") && !rule.contains("sc-"), "{rule}");
        }
    }

    #[test]
    fn the_last_page_is_not_the_next() {
        // Of two pages nothing but the words tells which link is which.
        let page = |number: u32, score| {
            let links = "<a class=last-page href=/a/2>»</a><a class=next-page href=/a/2>›</a>";
            let links = if number == 1 { links } else { "<a class=first-page href=/a/1>«</a>" };
            let html = format!("<main>Page {number} says a thing.</main><p>{links}</p>");
            observed(&format!("/a/{number}"), &html, (number == 1).then_some(("/a/2", score)), &["main"])
        };
        let learned = learn(&[page(1, 0.99), page(2, 0.99)], 0.5).unwrap();
        let rule = learned.item.next_link.source();
        assert!(rule.contains("next-page") && !rule.contains("last"), "{rule}");
    }

    #[test]
    fn wide_and_deep_pages_take_no_longer_than_they_must() {
        let page = |number: u32| {
            let next = format!("/{}", number + 1);
            let links: String = "<a class=k href=/x>x</a>".repeat(5000);
            let boxes = "<div class='pane box'>".repeat(300) + &"</div>".repeat(300);
            let kids = (0..3000_u32)
                .map(|kid| format!("<p id=w{}>t</p>", char::from_digit(10 + kid % 26, 36).unwrap()))
                .collect::<Vec<_>>();
            let html = format!(
                "<div>{links}<a rel=next href={next}>on</a></div>{boxes}<main><p>Text {number} of some length.</p>{}</main>",
                kids.concat()
            );
            observed(&format!("/{number}"), &html, Some((next.as_str(), 0.9)), &["main"])
        };
        let learned = learn(&[page(1), page(2)], 0.5).unwrap();
        assert_eq!(learned.item.next_link.source(), "//a[@rel=\"next\"]");
    }

    #[test]
    fn pages_without_names_are_told_by_place() {
        let page = |number: u32| {
            let html = format!(
                "<table><tr><td>What else there is beside page {number}<td><table><tr><td>Text {number}, said at some length.<tr><td><a href=/{}>{}</a></table></table>",
                number + 1,
                number + 1
            );
            let next = format!("/{}", number + 1);
            let mut observed = observed(&format!("/{number}"), &html, Some((next.as_str(), 0.9)), &[]);
            let cell = observed
                .page
                .elements()
                .find(|id| observed.page.text(*id).starts_with("Text") && observed.page.is(*id, "td"));
            observed.content.nodes = cell.into_iter().collect();
            observed
        };
        let learned = learn(&[page(1), page(2)], 0.5).unwrap();
        assert!(
            learned.checks.iter().all(PageCheck::agrees),
            "{:?} {}",
            learned.checks,
            learned.item.page_element.source()
        );
    }

    #[test]
    fn css_that_selects_more_than_xpath_is_not_given() {
        // Without a doctype, CSS compares classes without case; XPath never does.
        let page = |number: u32| {
            let next = format!("/{}", number + 1);
            let html = format!(
                "<a class=NEXT href=/issue>Next issue</a><main class=Text>Page {number} says a thing.</main>\
                 <div class=text>More to read</div><a class=next href={next}>on</a>"
            );
            observed(&format!("/{number}"), &html, Some((next.as_str(), 0.99)), &["main"])
        };
        let pages = [page(1), page(2), page(3)];
        let learned = learn(&pages, 0.5).unwrap();
        assert!(learned.checks.iter().all(PageCheck::agrees), "{:?}", learned.checks);
        let rule = learned.item.next_link.source();
        assert!(rule.contains(" next "), "the class alone tells the link: {rule}");
        let css = [learned.next_link_css, learned.page_element_css];
        for (css, xpath) in css.iter().zip([&learned.item.next_link, &learned.item.page_element]) {
            let Some(css) = css else { continue };
            let selector = Selector::parse(css).unwrap();
            for observed in &pages {
                assert_eq!(observed.page.select(&selector), xpath.nodes(&observed.page).unwrap(), "{css}");
            }
        }
        assert_eq!(css[1].as_deref(), Some("main.Text"));
    }

    #[test]
    fn an_item_is_checked_on_other_pages() {
        let data = serde_json::json!({"url": "^https://a\\.test/t", "nextLink": "//a", "pageElement": "//p"});
        let item = Item::from_json(&data).unwrap();
        let check = |url: &str, html: &str, score: f32| {
            super::check(&item, &observed(url, html, Some(("/t2", score)), &["main"]), 0.5)
        };
        let html = "<main><p>some text</p></main><a href=/t2>Next</a>";
        let same = check("/t1", html, 0.9);
        assert!(same.agrees() && same.next_by_item.is_some(), "{same:?}");
        let unsure = check("/t1", html, 0.4);
        assert!(!unsure.same_next && unsure.next_by_models.is_none() && unsure.content == 1.0, "{unsure:?}");
        let elsewhere = check("/x", html, 0.9);
        assert!(
            !elsewhere.agrees() && elsewhere.next_by_item.is_none() && elsewhere.content == 0.0,
            "{elsewhere:?}"
        );
        let nothing = check("/t1", "<main>text</main><a href=/t2>Next</a>", 0.9);
        assert!(
            nothing.content == 0.0 && nothing.next_by_item.is_none(),
            "an item joins what it finds both parts on"
        );
        assert!(
            check("/t2", "<main><p>text</p></main><a href=/t2>Next</a>", 0.1).is_end(),
            "a link to the page itself"
        );
    }

    #[test]
    fn what_cannot_be_learned_from_is_refused() {
        assert!(matches!(learn(&[], 0.5), Err(LearnError::NoPages)));
        assert!(matches!(learn(&[single("x", "Older", None)], 0.5), Err(LearnError::NoNextLink(1))));
        assert!(matches!(
            learn(&[single("x", "Older", Some(("/posts/other/", 0.4)))], 0.5),
            Err(LearnError::NoNextLink(_))
        ));
        let bare = observed("/1", "<a href=/2>next</a>", Some(("/2", 0.9)), &[]);
        assert!(matches!(learn(&[bare], 0.5), Err(LearnError::NoContent(1))));
        let mut other = single("x", "Older", None);
        other.page = Page::from_text("<p>x", &"https://b.test/".parse().unwrap());
        assert!(matches!(learn(&[listing(1, 2, 0.9), other], 0.5), Err(LearnError::SeveralHosts { .. })));
    }

    #[test]
    fn what_the_pages_say_of_themselves_and_what_is_no_content_is_learned_too() {
        let article = |name: &str, next: Option<(&str, f32)>| {
            let link = next.map_or_else(String::new, |(href, _)| format!("<a rel=next href={href}>Next</a>"));
            let html = format!(
                "{MENU}<main><h1>{name}</h1><p class=by>By <b class=who>Ann {name}</b> on <i class=day>2024-05-0{0}</i>\
                 <section><p>All of the text of {name}, which is long enough.</p><div class=share>Share {name}</div>\
                 <p>The rest of it.</p></section></main><b>Ann {name}</b>{link}",
                name.len()
            );
            let mut observed = observed(&format!("/{name}"), &html, next, &["main"]);
            let all =
                |test: &dyn Fn(NodeId) -> bool| observed.page.elements().filter(|id| test(*id)).collect();
            let class = |name: &'static str| {
                let page = &observed.page;
                move |id: NodeId| page.attribute(id, "class") == Some(name)
            };
            let facts = FactNodes {
                title: all(&|id| observed.page.is(id, "h1")),
                author: all(&|id| observed.page.is(id, "b")),
                date: all(&class("day")),
            };
            observed.content.without = all(&class("share"));
            Observed { facts, ..observed }
        };
        let pages = [
            article("mill", Some(("/weir", 0.9))),
            article("weir", Some(("/lock", 0.9))),
            article("lock", None),
        ];
        let learned = learn(&pages, 0.5).unwrap();
        let config = crate::export::five_filters(&learned.item);
        let class =
            |name: &str| format!("[contains(concat(\" \",normalize-space(@class),\" \"),\" {name} \")]");
        for line in [
            "title: //main/h1".to_owned(),
            format!("author: //b{}", class("who")),
            format!("date: //i{}", class("day")),
            format!("strip: //div{}", class("share")),
        ] {
            assert!(config.lines().any(|own| own == line), "{line} is not in\n{config}");
        }
        let read = crate::Siteinfo::read_rules(config.as_bytes(), "a.test.txt").unwrap();
        let facts = read.items()[0].facts(&pages[1].page);
        assert_eq!(facts.title.as_deref(), Some("weir"));
        assert_eq!((facts.author.as_deref(), facts.date.as_deref()), (Some("Ann weir"), Some("2024-05-04")));
        let nodes = read.items()[0].page_elements(&pages[1].page).unwrap();
        assert_eq!(read.items()[0].stripped(&pages[1].page, &nodes), pages[1].content.without);
        // Where a name of a class is also on what is kept, it is not left out.
        let mut kept = pages;
        kept[2].content.without.clear();
        assert!(learn(&kept, 0.5).unwrap().item.strip.is_empty());
        assert!(learn(&kept[..1], 0.5).unwrap().item.title.is_some(), "one page is an example of itself");
    }

    proptest::proptest! {
        #[test]
        fn any_pages_are_learned_from_or_refused(
            bodies in proptest::collection::vec("(<div class=[ab]>|</div>|<p>|text|<a href=/[123]>|</a>|<ul id=u>|<li>|</ul>|\"|'){0,24}", 1..4),
            score in 0.0_f32..1.0,
        ) {
            let pages: Vec<Observed> = bodies.iter().enumerate().map(|(at, body)| {
                let page = Page::from_text(body, &format!("https://a.test/{at}").parse().unwrap());
                let link = page.first("a").and_then(|node| Some((node, page.resolve(page.attribute(node, "href")?)?)));
                let next = link.map(|(node, url)| NextLink { url, node, relation: Relation::Page, score, evidence: Evidence::Model });
                let nodes = page.first("div").or(page.first("p")).into_iter().collect();
                let content = Content { nodes, without: Vec::new(), score, evidence: Evidence::Model };
                Observed { page, next, content, facts: FactNodes::default() }
            }).collect();
            if let Ok(learned) = learn(&pages, 0.5) {
                proptest::prop_assert_eq!(learned.checks.len(), pages.len());
                for page in &pages {
                    proptest::prop_assert!(learned.item.url.matches(page.page.url().as_str()));
                }
            }
        }
    }
}
