//! The shipped judge on pages of our own making: true pairs hold, mismatched ones do not.

use crate::workspace;
use std::collections::BTreeMap;
use tsugi_experiments::DataSet;
use tsugi_learning::Bundle;
use tsugi_main_content::{CONTENT_KIND, ContentDetector};
use tsugi_next_link::{CONTINUATION_KIND, NEXT_LINK_KIND, NextLinkDetector, PairDetector};
use tsugi_page::{Content, FindContent, FindNext, NextLink, Page, Seen, Verify};

fn bundle(name: &str, kind: &str) -> Bundle {
    let bytes = std::fs::read(workspace().join("models").join(name)).unwrap();
    Bundle::from_bytes(&bytes, kind).unwrap()
}

/// A page with what the shipped models find on it.
struct Read {
    page: Page,
    content: Content,
    next: Option<NextLink>,
}

impl Read {
    fn seen<'a>(&'a self, next: Option<&'a NextLink>) -> Seen<'a> {
        Seen { page: &self.page, content: &self.content, next }
    }
}

#[test]
fn true_pairs_hold_and_mismatched_ones_do_not() {
    let links = NextLinkDetector::from_bundle(&bundle("next-link.model", NEXT_LINK_KIND)).unwrap();
    let contents = ContentDetector::from_bundle(&bundle("content.model", CONTENT_KIND)).unwrap();
    let judge = PairDetector::from_bundle(&bundle("continuation.model", CONTINUATION_KIND)).unwrap();
    let set = DataSet::open(&workspace().join("datasets")).unwrap();
    let mut pages: BTreeMap<String, Read> = BTreeMap::new();
    set.visit(None, |label, page| {
        let next = links.best_next(&page);
        let content = contents.find_content(&page, next.as_ref());
        pages.insert(set.labels()[label].url.clone(), Read { page, content, next });
    })
    .unwrap();
    let (mut held, mut refused) = (0, 0);
    for label in set.labels() {
        let before = &pages[&label.url];
        let Some(next) = &label.next else { continue };
        let link = before.next.as_ref().filter(|link| link.url.as_str() == next);
        let link = link.unwrap_or_else(|| panic!("{}: its next link is not found", label.url));
        for (url, after) in pages.iter().filter(|(url, _)| **url != label.url) {
            let same_site = address_site(url) == address_site(&label.url);
            let verdict = judge.verify(before.seen(Some(link)), after.seen(after.next.as_ref()));
            assert!((0.0..=1.0).contains(&verdict.score) && !verdict.reasons.is_empty());
            if url == next {
                assert!(verdict.holds, "{} → {url}: {verdict:?}", label.url);
                assert!(verdict.score > 0.5, "{} → {url}: {verdict:?}", label.url);
                held += 1;
            } else if !same_site {
                assert!(!verdict.holds, "{} → {url}: {verdict:?}", label.url);
                refused += 1;
            }
        }
    }
    assert!(held == 7 && refused > 20, "{held} held, {refused} refused");
}

fn address_site(url: &str) -> &str {
    url.split('/').nth(2).unwrap_or(url)
}
