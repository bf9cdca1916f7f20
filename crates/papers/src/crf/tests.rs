use super::evaluate::{CrfMethod, CrfPageResult, CrfResult, MethodVerdict};
use super::measure::{Overlaps, PageOverlap};
use super::pages::PageKind;
use super::report::{CrfLine, crf_report};
use crate::block_crf::Thresholds;
use std::path::Path;
use tsugi_training::dataset::DataSet;
use tsugi_training::label::PageLabel;

fn overlap([bleu, rouge]: [f64; 2]) -> PageOverlap {
    PageOverlap { bleu, rouge }
}

/// A page of a group of its own, whose second judgement is another by the pair 0.7 / 0.4 alone.
fn page(label: usize, first: [f64; 2], second: [f64; 2], kinds: &[PageKind]) -> CrfPageResult {
    let at = Thresholds::grid().position(|pair| pair == Thresholds::PUBLISHED).unwrap();
    let mut grid = vec![overlap(first); 81];
    grid[at] = overlap(second);
    let differs = grid.iter().map(|one| *one != overlap(first)).collect();
    let chains = Overlaps { first: overlap(first), second: grid, differs };
    let verdict = |measures| {
        Some(MethodVerdict {
            is_empty: false,
            overlap: overlap(measures),
            text_f: Some(measures[1]),
            kept: None,
        })
    };
    let verdicts = CrfMethod::ALL.map(|method| match method {
        CrfMethod::First => verdict(first),
        CrfMethod::Second => verdict(second),
        CrfMethod::Unique => None,
        _ => verdict([1.0, 1.0]),
    });
    let fold = label % 2;
    CrfPageResult {
        set: 0,
        label,
        group: label,
        fold,
        differs: [first != second; 2],
        models: chains.clone(),
        chains,
        verdicts: verdicts.to_vec(),
        kinds: kinds.to_vec(),
    }
}

fn result() -> (Vec<DataSet>, CrfResult) {
    let labels = ["https://a.test/1", "https://b.test/", "https://c.test/"].map(|url| PageLabel {
        url: url.to_owned(),
        site: url.to_owned(),
        ..PageLabel::default()
    });
    let sets = vec![DataSet::of("own".to_owned(), Path::new(""), labels.to_vec())];
    let pages = vec![
        page(0, [0.8, 0.4], [0.9, 0.9], &[PageKind::NestedTables]),
        page(1, [0.6, 0.6], [0.6, 0.3], &[PageKind::Lists]),
        page(2, [1.0, 0.9], [1.0, 0.9], &[]),
    ];
    let thresholds = vec![[Thresholds::PUBLISHED; 2]; 2];
    (sets, CrfResult { pages, thresholds, attributes: vec![[300, 200], [301, 201]] })
}

#[test]
fn tables_follow_the_paper() {
    let (sets, result) = result();
    let report = &crf_report(&sets, &result).unwrap().files[0].1;
    assert!(!report.contains('{'), "every value is in its place: {report}");
    let has = |line: &str| assert!(report.contains(line), "`{line}` is missing: {report}");
    has("by fold: 300 / 200, 301 / 201.");
    has("| CRF | 3 | 3 | 0 | 0.800 (");
    // Over the two pages that differ: BLEU-4 .75 against .7, ROUGE-2 .6 against .5; over all: 2.5 / 3, 2.1 / 3.
    has(
        "| 0.7 | 0.4 | 0.750 (0.833) | 0.700 (0.800) | +7.1 % (+4.2 %) | 0.600 (0.700) | 0.500 (0.633) | +20.0 % (+10.5 %) | 2 |",
    );
    has("Chains: 1 of the 81 pairs raise ROUGE-2 over all pages and do not lower BLEU-4.");
    // Much better, much worse: ROUGE-2 moves by .5 and by -.3.
    has(
        "| content in nested tables | 1 | 1 | 1 | 0.800 | 0.900 | 0.400 | 0.900 | +0.5000 (+0.5000 to +0.5000) | 1 (1 pages) | 0 (0 pages) |",
    );
    has("| content in `li` | 1 | 1 | 1 | 0.600 | 0.600 | 0.600 | 0.300 | -0.3000 ");
    // A kind without pages has no figures.
    has("| for phones, by the address | 0 | 0 | 0 | – | – | – | – | – |");
    has("| none of these | 1 | 1 | 0 | 1.000 | 1.000 | 0.900 | 0.900 | +0.0000 ");
    has("| CRF | 3 | 2 | +0.0333 ");
    assert!(!report.contains("| unique blocks | 3"), "no page has unique blocks: {report}");
    let moved = &report[report.find("## Pages whose").unwrap()..];
    assert!(
        moved.find("a.test") < moved.find("b.test")
            && !moved.contains("c.test")
            && moved.matches("a.test").count() == 1,
        "{moved}"
    );
}

#[test]
fn sites_of_many_pages_count_two() {
    let (mut sets, result) = result();
    let site = |url: &str| PageLabel { url: url.to_owned(), site: "a".to_owned(), ..PageLabel::default() };
    let labels = ["https://a.test/1", "https://a.test/2", "https://a.test/3"].map(site);
    let all = |report: &str, title: &str| {
        let from = report.find(title).unwrap();
        report[from..].lines().find(|line| line.starts_with("| CRF |")).unwrap().to_owned()
    };
    let report = crf_report(&sets, &result).unwrap().files.swap_remove(0).1;
    assert!(all(&report, "## At most 2 pages").starts_with("| CRF | 3 |"), "three sites: {report}");
    sets[0] = DataSet::of("own".to_owned(), Path::new(""), labels.to_vec());
    let report = crf_report(&sets, &result).unwrap().files.swap_remove(0).1;
    assert!(all(&report, "## At most 2 pages").starts_with("| CRF | 2 |"), "{report}");
    assert!(all(&report, "## All pages").starts_with("| CRF | 3 |"), "{report}");
}

#[test]
fn figures_show_each_pair() {
    let (sets, result) = result();
    let figures = &crf_report(&sets, &result).unwrap().files[2..];
    let names: Vec<&str> = figures.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["bleu.svg", "rouge.svg", "bleu-all.svg", "rouge-all.svg"]);
    assert!(figures[1].1.contains("+20.0") && figures[3].1.contains("+10.5"));
    // With the other pairs no page differs.
    assert_eq!(figures[0].1.matches('–').count(), 80, "{}", figures[0].1);
}

#[test]
fn lines_have_figures_and_no_text() {
    let (sets, result) = result();
    let line = serde_json::to_value(CrfLine::of(&sets, &result.pages[0])).unwrap();
    assert_eq!(line["methods"]["crf_hierarchy"], serde_json::json!([0.9, 0.9, 0.9]));
    assert_eq!(line["methods"].get("unique"), None);
}
