//! Link candidates: the addresses that a page's anchors lead to.

use crate::relation::relation;
use std::collections::BTreeMap;
use tsugi_page::{Evidence, NextLink, NodeId, Page, Url, address};

/// One `<a href>` of the page.
#[derive(Debug, Clone)]
pub struct AnchorTag {
    /// The element.
    pub node: NodeId,
    /// Index in [`Candidates::urls`] of the address it leads to.
    pub candidate: usize,
}

/// The anchors of a page and their addresses.
///
/// Tags that resolve to the same address form one candidate; candidates, not tags, are classified. Links to another
/// host, to the page itself, and to no page (`javascript:`, `mailto:`) are left out.
///
/// # Source
///
/// Hanamura (2020), 3.2.1: the addresses of *other* pages.
#[derive(Debug, Default)]
pub struct Candidates {
    /// The A-tag list, in document order.
    pub tags: Vec<AnchorTag>,
    /// The addresses, in the order of their first tags, without fragments.
    pub urls: Vec<Url>,
    /// For each address, the indices of its tags in `tags`, in document order.
    pub tags_of: Vec<Vec<usize>>,
}

impl Candidates {
    /// Collects the candidates of a page.
    pub fn of(page: &Page) -> Candidates {
        let mut found = Candidates::default();
        let mut known: BTreeMap<Url, usize> = BTreeMap::new();
        let own = address::page_key(page.url());
        for node in page.elements().filter(|id| page.class(*id).link) {
            let Some(url) = page.attribute(node, "href").and_then(|href| page.resolve(href)) else {
                continue;
            };
            if !address::same_host(&url, page.url()) || address::page_key(&url) == own {
                continue;
            }
            let candidate = *known.entry(url).or_insert_with_key(|url| {
                found.urls.push(url.clone());
                found.tags_of.push(Vec::new());
                found.urls.len() - 1
            });
            found.tags_of[candidate].push(found.tags.len());
            found.tags.push(AnchorTag { node, candidate });
        }
        found
    }

    /// Returns the number of candidates.
    pub fn len(&self) -> usize {
        self.urls.len()
    }

    /// Returns `true` if the page has no candidates.
    pub fn is_empty(&self) -> bool {
        self.urls.is_empty()
    }

    /// Returns the first tag that leads to a candidate.
    pub fn first_tag(&self, candidate: usize) -> NodeId {
        self.tags[self.tags_of[candidate][0]].node
    }

    pub(super) fn next_link(&self, page: &Page, at: usize, score: f32, evidence: Evidence) -> NextLink {
        let url = self.urls[at].clone();
        NextLink { relation: relation(page, &url), url, node: self.first_tag(at), score, evidence }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urls(html: &str, at: &str) -> Vec<String> {
        let page = Page::from_text(html, &at.parse().unwrap());
        Candidates::of(&page).urls.into_iter().map(String::from).collect()
    }

    #[test]
    fn the_host_decides_what_is_a_candidate() {
        let html = "<a href=http://www.a.test/x></a><a href=https://A.TEST:443/y></a><a href=//sub.a.test/></a>\
            <a href=https://a.test:8443/></a><a href=javascript:next()></a><a name=x></a><area href=z>";
        assert_eq!(urls(html, "http://a.test/"), ["http://www.a.test/x", "https://a.test/y"]);
    }

    #[test]
    fn tags_with_one_address_are_one_candidate() {
        let html = "<a href=2>2</a> <a href=3>3</a> <a href=2#x>next</a> <a href=//b.test/>b</a>";
        let candidates = Candidates::of(&Page::from_text(html, &"https://a.test/1".parse().unwrap()));
        assert_eq!(candidates.urls[0].as_str(), "https://a.test/2");
        assert_eq!(candidates.tags_of, [vec![0, 2], vec![1]]);
    }

    #[test]
    fn links_to_the_page_itself_are_no_candidates() {
        let html = "<a href='#top'>top</a><a href=/1>1</a><a href=http://www.a.test/1>1</a><a href=2>2</a>";
        assert_eq!(urls(html, "https://a.test/1"), ["https://a.test/2"]);
    }

    #[test]
    fn the_declared_base_counts() {
        assert_eq!(urls("<base href=/b/><a href=2></a>", "http://a.test/"), ["http://a.test/b/2"]);
        assert!(urls("<base href=//c.test/><a href=2></a>", "http://a.test/").is_empty());
    }
}
