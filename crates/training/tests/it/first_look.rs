//! The shipped first look lets few candidates through, and of those that matter all.

use crate::workspace;
use std::path::Path;
use tsugi::Tsugi;
use tsugi::models::LinkModel;
use tsugi_fetch::records;
use tsugi_next_link::{Described, LinkSurvey, NextLinkDetector};
use tsugi_page::Page;

fn model() -> LinkModel {
    Tsugi::new().next_model().clone()
}

fn check(detector: &NextLinkDetector, page: &Page) -> (usize, usize) {
    let described = Described::of(page);
    let all = detector.ranked(&described);
    let best =
        all.first().filter(|best| best.score >= detector.threshold()).map(|best| (&best.url, best.score));
    let survey = LinkSurvey::of(page);
    let found = detector.best(&survey).filter(|found| found.score >= detector.threshold());
    assert_eq!(found.as_ref().map(|found| (&found.url, found.score)), best, "{}", page.url());
    (described.len(), detector.first_look(&survey).len())
}

fn check_archive(path: &Path, every: usize) -> (usize, usize) {
    let model = model();
    let detector = model.detector();
    let pages = records(path).unwrap().flatten().filter_map(|record| record.response.ok()).step_by(every);
    pages
        .map(|response| check(detector, &response.page()))
        .fold((0, 0), |(candidates, passed), more| (candidates + more.0, passed + more.1))
}

#[test]
fn the_answer_is_the_best_of_all_candidates() {
    let (candidates, _) = check_archive(&workspace().join("datasets/pages.warc.gz"), 1);
    assert!(candidates > 50, "{candidates} candidates");
}

#[test]
#[ignore = "needs the pages in ../shared/data"]
fn few_candidates_of_real_pages_are_looked_at_in_full() {
    let data = workspace().join("../shared/data");
    let sets = [("sites", 5), ("web", 3), ("wcxb", 10)];
    let counts = sets.map(|(set, every)| check_archive(&data.join(set).join("pages.warc.gz"), every));
    let (candidates, passed) = counts.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    assert!(candidates > 10_000 && passed * 12 < candidates, "{passed} of {candidates}");
}

#[test]
fn pages_without_candidates_have_no_next_link() {
    let url = "https://a.test/".parse().unwrap();
    for html in ["", "<a href='https://b.test/'>Next</a>", "<a href='#'>Next</a>"] {
        assert_eq!(check(model().detector(), &Page::from_text(html, &url)), (0, 0), "{html}");
    }
}
