//! The shipped judge on pages of our own making: true pairs hold, mismatched ones do not.

use crate::workspace;
use std::collections::BTreeMap;
use tsugi::{Look, Tsugi};
use tsugi_page::Page;
use tsugi_training::dataset::DataSet;

#[test]
fn true_pairs_hold_and_mismatched_ones_do_not() {
    let tsugi = Tsugi::new();
    let set = DataSet::open(&workspace().join("datasets")).unwrap();
    let mut pages: BTreeMap<String, Page> = BTreeMap::new();
    set.visit(None, |label, page| drop(pages.insert(set.labels()[label].url.clone(), page))).unwrap();
    let looks: BTreeMap<&str, Look<'_>> =
        pages.iter().map(|(url, page)| (url.as_str(), tsugi.look(page))).collect();
    let (mut held, mut refused) = (0, 0);
    for label in set.labels() {
        let before = &looks[label.url.as_str()];
        let Some(next) = &label.next else { continue };
        assert!(before.next().is_some_and(|link| link.url.as_str() == next), "{}", label.url);
        for (url, after) in looks.iter().filter(|(url, _)| **url != label.url) {
            let same_site = address_site(url) == address_site(&label.url);
            let verdict = before.is_continued_by(after).unwrap();
            assert!((0.0..=1.0).contains(&verdict.score) && !verdict.reasons.is_empty());
            if *url == next {
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
