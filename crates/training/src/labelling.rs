//! Makes labels from siteinfo: the finds of a dump's items on stored pages.

use crate::label::{PageLabel, url_key};
use crate::measure::{TokenRule, token_f};
use serde_json::json;
use std::collections::BTreeMap;
use tsugi_page::{Page, address::registrable_domain};
use tsugi_siteinfo::{Item, Siteinfo};

/// Labels a page with the first item that matches its address and finds both a next link and content on it.
///
/// Returns `None` if no item does. Such a page may still have no next page: items only describe pages that go on.
pub fn label_page(page: &Page, siteinfo: &Siteinfo) -> Option<PageLabel> {
    let applied = siteinfo.apply(page)?;
    let mut others = BTreeMap::new();
    others.insert("rule".to_owned(), applied.item.name.clone().into());
    others.insert("next_xpath".to_owned(), applied.item.next_link.source().into());
    Some(PageLabel {
        url: page.url().to_string(),
        site: registrable_domain(page.url()).to_owned(),
        next: Some(applied.next_url.to_string()),
        relation: Some("page".to_owned()),
        content: vec![applied.item.page_element.source().to_owned()],
        text: Some(page.text_of(&applied.content)),
        kind: Some("listing".to_owned()),
        lang: page.lang().map(str::to_owned),
        source: Some("siteinfo".to_owned()),
        labels: vec!["next".to_owned(), "content".to_owned()],
        others,
        ..PageLabel::default()
    })
}

/// Counts of agreement between new and stored labels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReproducedLabels {
    /// Stored labels with a next page, by outcome: reason → number of pages.
    pub next: BTreeMap<&'static str, Vec<String>>,
    /// Stored labels with content, likewise.
    pub content: BTreeMap<&'static str, Vec<String>>,
    /// Stored labels that name the expression of their next link (`next_xpath`), by its result on the page.
    pub own_next: BTreeMap<&'static str, Vec<String>>,
    /// Stored labels with content expressions and text, by whether the expressions give the text.
    pub own_content: BTreeMap<&'static str, Vec<String>>,
}

/// The outcome of agreement.
pub const REPRODUCED: &str = "reproduced";

impl ReproducedLabels {
    /// Adds a page with its stored label and the label by the dump.
    pub fn add(&mut self, page: &Page, stored: &PageLabel, new: Option<&PageLabel>, siteinfo: &Siteinfo) {
        let url = stored.url.clone();
        if let Some(reason) = own_next(page, stored) {
            self.own_next.entry(reason).or_default().push(url.clone());
        }
        if let Some(reason) = own_content(page, stored) {
            self.own_content.entry(reason).or_default().push(url.clone());
        }
        if stored.knows_next() && stored.next.is_some() {
            let reason = match new {
                Some(new) if next_agrees(stored, new) => REPRODUCED,
                Some(_) => "another next page",
                None => why_unlabelled(page, siteinfo),
            };
            self.next.entry(reason).or_default().push(url.clone());
        }
        if stored.knows_content() {
            let reason = match new {
                Some(new) => content_agreement(page, stored, new),
                None => why_unlabelled(page, siteinfo),
            };
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

fn next_agrees(stored: &PageLabel, new: &PageLabel) -> bool {
    new.next.as_deref().is_some_and(|next| stored.next_keys().contains(&url_key(next)))
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

fn why_unlabelled(page: &Page, siteinfo: &Siteinfo) -> &'static str {
    let (mut matched, mut with_next, mut with_content) = (false, false, false);
    for item in siteinfo.matching(page.url()) {
        matched = true;
        with_next |= item.next_link(page).ok().flatten().is_some();
        with_content |= item.page_elements(page).is_ok_and(|nodes| !nodes.is_empty());
    }
    match (matched, with_next, with_content) {
        (false, ..) => "no item matches the address",
        (true, false, false) => "items match, and find neither next link nor content",
        (true, false, true) => "items match, and find no next link",
        (true, true, false) => "items match, and find no content",
        (true, true, true) => "no single item finds both",
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
            let new = label_page(&page, &siteinfo);
            agreement.add(&page, &stored(url, content), new.as_ref(), &siteinfo);
        };
        let html = "<div><p>x</p></div><a href=/2>next</a>";
        add(html, "https://a.test/1", "//p");
        add(html, "https://a.test/3", "//div");
        add("<div><p>x</p></div>", "https://a.test/4", "//p");
        add(html, "https://b.test/5", "//p");
        add("<div><p>x</p></div><p>y</p><a href=/9>next</a>", "https://a.test/6", "//p");
        let count = |reasons: &BTreeMap<&'static str, Vec<String>>, reason| reasons[reason].len();
        assert_eq!(count(&agreement.next, REPRODUCED), 2);
        assert_eq!(count(&agreement.next, "another next page"), 1);
        assert_eq!(count(&agreement.next, "items match, and find no next link"), 1);
        assert_eq!(count(&agreement.next, "no item matches the address"), 1);
        assert_eq!(count(&agreement.content, REPRODUCED), 1);
        assert_eq!(count(&agreement.content, "other nodes with the same text"), 1);
        assert_eq!(count(&agreement.content, "other nodes"), 1);
    }
}
