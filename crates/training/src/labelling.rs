//! Makes labels from siteinfo: the finds of a dump's items on stored pages.

use crate::label::{PageLabel, url_key};
use crate::measure::{TokenRule, token_f};
use serde_json::json;
use std::collections::BTreeMap;
use tsugi_page::{Page, Url, address::registrable_domain};
use tsugi_siteinfo::{Item, RuleMatch, Siteinfo};

/// Labels a page with the item that decides for it, as in `AutoPagerize`'s clients: the first that matches its address and finds
/// content and a next link.
///
/// If the items for the site find content and no next link, clients stop, and the label says that there is no next page
/// (`next_reason`). Items for any site say nothing of a page without the link.
///
/// # Errors
///
/// [`Unlabelled`] if no item says anything of the page.
pub fn label_page(page: &Page, siteinfo: &Siteinfo) -> Result<PageLabel, Unlabelled> {
    let found = siteinfo.find(page).filter(|found| found.next.is_some() || found.is_end());
    let Some(RuleMatch { item, next, content, .. }) = found else {
        return Err(Unlabelled::why(page, siteinfo));
    };
    // Labels are XPath; other rules are labelled by what they select.
    let paths = match item.page_element.xpath() {
        Some(xpath) => vec![xpath.source().to_owned()],
        None => content.iter().map(|node| page.location_path(*node)).collect(),
    };
    Ok(label_of(page, item, next.map(|(_, url)| url).as_ref(), paths, page.text_of(&content)))
}

/// Returns the label of a page by what an item finds there; without a next page, the item says that there is none.
pub(crate) fn label_of(
    page: &Page,
    item: &Item,
    next: Option<&Url>,
    content: Vec<String>,
    text: String,
) -> PageLabel {
    let mut others = BTreeMap::new();
    others.insert("rule".to_owned(), item.name.clone().into());
    if let Some(xpath) = item.next_link.xpath() {
        others.insert("next_xpath".to_owned(), xpath.source().into());
    }
    if next.is_none() {
        others.insert("next_reason".to_owned(), NO_LINK.into());
    }
    PageLabel {
        url: page.url().to_string(),
        site: registrable_domain(page.url()).to_owned(),
        relation: next.is_some().then(|| "page".to_owned()),
        next: next.map(Url::to_string),
        content,
        text: Some(text),
        kind: Some("listing".to_owned()),
        lang: page.lang().map(str::to_owned),
        source: Some("siteinfo".to_owned()),
        labels: vec!["next".to_owned(), "content".to_owned()],
        others,
        ..PageLabel::default()
    }
}

/// `next_reason` of a page whose item finds content and no next link.
pub const NO_LINK: &str = "rule-finds-no-link";

/// Why siteinfo gives a page no label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[non_exhaustive]
pub enum Unlabelled {
    /// No item is for the address. Items for any site were not tried, or do not match it either.
    #[error("no item matches the address")]
    NoItem,
    /// Items are for the address, and fit the page no more.
    #[error("items match, and find neither next link nor content")]
    Nothing,
    /// Items for any site find content, and no link.
    #[error("items match, and find no next link")]
    NoNext,
    /// Items find a link, and no content.
    #[error("items match, and find no content")]
    NoContent,
    /// One item finds a link, another one content.
    #[error("no single item finds both")]
    Apart,
}

impl Unlabelled {
    /// Returns why no item labels a page.
    pub fn why(page: &Page, siteinfo: &Siteinfo) -> Unlabelled {
        let (mut matched, mut with_next, mut with_content) = (false, false, false);
        for item in siteinfo.matching(page.url()) {
            matched = true;
            with_next |= item.next_link(page).ok().flatten().is_some();
            with_content |= item.page_elements(page).is_ok_and(|nodes| !nodes.is_empty());
        }
        match (matched, with_next, with_content) {
            (false, ..) => Unlabelled::NoItem,
            (true, false, false) => Unlabelled::Nothing,
            (true, false, true) => Unlabelled::NoNext,
            (true, true, false) => Unlabelled::NoContent,
            (true, true, true) => Unlabelled::Apart,
        }
    }
}

/// Counts of agreement between new and stored labels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReproducedLabels {
    /// Stored labels with a next page, by outcome: reason → number of pages.
    pub next: BTreeMap<String, Vec<String>>,
    /// Stored labels without a next page, likewise.
    pub end: BTreeMap<String, Vec<String>>,
    /// Stored labels with content, likewise.
    pub content: BTreeMap<String, Vec<String>>,
    /// Stored labels that name the expression of their next link (`next_xpath`), by its result on the page.
    pub own_next: BTreeMap<String, Vec<String>>,
    /// Stored labels with content expressions and text, by whether the expressions give the text.
    pub own_content: BTreeMap<String, Vec<String>>,
}

/// The outcome of agreement.
pub const REPRODUCED: &str = "reproduced";

impl ReproducedLabels {
    /// Adds a page with its stored label and the label by the dump.
    pub fn add(&mut self, page: &Page, stored: &PageLabel, new: &Result<PageLabel, Unlabelled>) {
        let url = stored.url.clone();
        let reason_of = |of_label: &dyn Fn(&PageLabel) -> &'static str| match new {
            Ok(new) => of_label(new).to_owned(),
            Err(why) => why.to_string(),
        };
        if let Some(reason) = own_next(page, stored) {
            self.own_next.entry(reason.to_owned()).or_default().push(url.clone());
        }
        if let Some(reason) = own_content(page, stored) {
            self.own_content.entry(reason.to_owned()).or_default().push(url.clone());
        }
        if stored.knows_next() {
            let reasons = if stored.next.is_some() { &mut self.next } else { &mut self.end };
            let reason = reason_of(&|new| next_agreement(stored, new));
            reasons.entry(reason).or_default().push(url.clone());
        }
        if stored.knows_content() {
            let reason = reason_of(&|new| content_agreement(page, stored, new));
            self.content.entry(reason).or_default().push(url);
        }
    }
}

fn own_next(page: &Page, stored: &PageLabel) -> Option<&'static str> {
    let expression = stored.others.get("next_xpath")?.as_str()?;
    let item = json!({"url": ".", "nextLink": expression, "pageElement": "//body"});
    Some(match Item::from_json(&item).map(|item| item.next_link(page)) {
        Err(_) => "the expression cannot be read",
        Ok(Err(_)) => "the expression cannot be evaluated on this page",
        Ok(Ok(None)) => "the expression finds no link",
        Ok(Ok(Some((_, next)))) if stored.next_keys().contains(&url_key(next.as_str())) => REPRODUCED,
        Ok(Ok(Some(_))) => "the expression finds another link",
    })
}

/// Returns `true` if the stored label's own content expressions give its text; white space makes no difference.
fn own_content(page: &Page, stored: &PageLabel) -> Option<&'static str> {
    let text = stored.text.as_ref().filter(|_| stored.knows_content())?;
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    Some(match stored.content_nodes(page) {
        Err(_) => "an expression cannot be used",
        Ok(nodes) if nodes.is_empty() => "the expressions select nothing",
        Ok(nodes) if bare(&page.text_of(&nodes)) == bare(text) => REPRODUCED,
        Ok(nodes) if token_f(&page.text_of(&nodes), text, TokenRule::CjkByCharacter) > 0.95 => {
            "nearly the same text (token F above .95)"
        }
        Ok(_) => "another text",
    })
}

fn next_agreement(stored: &PageLabel, new: &PageLabel) -> &'static str {
    match (&stored.next, new.next.as_deref()) {
        (None, None) => REPRODUCED,
        (Some(_), Some(next)) if stored.next_keys().contains(&url_key(next)) => REPRODUCED,
        (Some(_), Some(_)) => "another next page",
        (None, Some(_)) => "a next page where none is labelled",
        (Some(_), None) => "the item finds no next link",
    }
}

fn content_agreement(page: &Page, stored: &PageLabel, new: &PageLabel) -> &'static str {
    match (stored.content_nodes(page), new.content_nodes(page)) {
        (Ok(one), Ok(other)) if one == other => REPRODUCED,
        (Ok(one), Ok(other)) if page.text_of(&one) == page.text_of(&other) => {
            "other nodes with the same text"
        }
        (Ok(one), Ok(_)) if one.is_empty() => "the stored expressions select nothing",
        (Ok(_), Ok(_)) => "other nodes",
        (Err(_), _) => "a stored expression cannot be used",
        (_, Err(_)) => "the item's expression cannot be used",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = r#"[{"name": "a", "data":
        {"url": "^https?://a\\.test/", "nextLink": "//a[.='next']", "pageElement": "//div/p"}}]"#;

    fn page(html: &str, url: &str) -> Page {
        Page::from_text(html, &url.parse().unwrap())
    }

    #[test]
    fn an_item_becomes_a_label() {
        let siteinfo = Siteinfo::read_dump(DUMP.as_bytes()).unwrap();
        let page = page("<div><p>x</p><p>y</p></div><a href=2>next</a>", "https://a.test/1");
        let label = label_page(&page, &siteinfo).unwrap();
        assert_eq!(label.next.as_deref(), Some("https://a.test/2"));
        assert_eq!((label.text.as_deref(), label.site.as_str()), (Some("x\ny"), "a.test"));
        assert_eq!(label.content_nodes(&page).unwrap().len(), 2);
    }

    #[test]
    fn a_page_where_clients_stop_has_no_next_page() {
        let siteinfo = Siteinfo::read_dump(DUMP.as_bytes()).unwrap();
        let last = page("<div><p>x</p></div><a href=/a>archive</a>", "https://a.test/9");
        let label = label_page(&last, &siteinfo).unwrap();
        assert!(label.knows_next() && label.next.is_none() && label.relation.is_none(), "{label:?}");
        assert_eq!((label.text.as_deref(), &label.others["next_reason"]), (Some("x"), &NO_LINK.into()));
        let empty = page("<a href=2>next</a>", "https://a.test/9");
        assert_eq!(label_page(&empty, &siteinfo), Err(Unlabelled::NoContent));
        let strange = page("<div><p>x</p></div>", "https://b.test/9");
        assert_eq!(label_page(&strange, &siteinfo), Err(Unlabelled::NoItem));
    }

    #[test]
    fn an_item_for_any_site_does_not_end_a_sequence() {
        let any = br#"[{"name": "any", "data": {"url": "^https?://.", "nextLink": "//a[@rel='next']", "pageElement": "//p"}}]"#;
        let siteinfo = Siteinfo::read_dump(any).unwrap().with_generic_items();
        let goes_on = page("<p>x</p><a rel=next href=2>on</a>", "https://b.test/1");
        assert!(label_page(&goes_on, &siteinfo).unwrap().next.is_some());
        let other = page("<p>x</p>", "https://b.test/1");
        assert_eq!(label_page(&other, &siteinfo), Err(Unlabelled::NoNext));
    }

    #[test]
    fn agreement_says_why_labels_differ() {
        let siteinfo = Siteinfo::read_dump(DUMP.as_bytes()).unwrap();
        let mut agreement = ReproducedLabels::default();
        let stored = |url: &str, content: &str| PageLabel {
            url: url.to_owned(),
            next: Some("https://a.test/2".to_owned()),
            content: vec![content.to_owned()],
            labels: vec!["next".to_owned(), "content".to_owned()],
            ..PageLabel::default()
        };
        let mut add = |html: &str, url: &str, content: &str| {
            let page = page(html, url);
            agreement.add(&page, &stored(url, content), &label_page(&page, &siteinfo));
        };
        let html = "<div><p>x</p></div><a href=/2>next</a>";
        add(html, "https://a.test/1", "//p");
        add(html, "https://a.test/3", "//div");
        add("<div><p>x</p></div>", "https://a.test/4", "//p");
        add(html, "https://b.test/5", "//p");
        add("<div><p>x</p></div><p>y</p><a href=/9>next</a>", "https://a.test/6", "//p");
        add("<a href=/9>next</a>", "https://a.test/7", "//p");
        let count = |reasons: &BTreeMap<String, Vec<String>>, reason: &str| reasons[reason].len();
        assert_eq!(count(&agreement.next, REPRODUCED), 2);
        assert_eq!(count(&agreement.next, "another next page"), 1);
        assert_eq!(count(&agreement.next, "the item finds no next link"), 1);
        assert_eq!(count(&agreement.next, "items match, and find no content"), 1);
        assert_eq!(count(&agreement.next, "no item matches the address"), 1);
        assert_eq!(count(&agreement.content, REPRODUCED), 2);
        assert_eq!(count(&agreement.content, "other nodes with the same text"), 1);
        assert_eq!(count(&agreement.content, "other nodes"), 1);
    }
}
