use super::*;
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tsugi::rules::Siteinfo;
use tsugi_training::cross_validation::Untrained;
use tsugi_training::label::PageLabel;
use tsugi_training::sites::SiteGroups;

type EvaluatedSets = (Vec<DataSet>, PageSetsResult);

/// The same for all tests, since it takes seconds.
fn evaluated() -> &'static EvaluatedSets {
    static EVALUATED: LazyLock<EvaluatedSets> = LazyLock::new(evaluate);
    &EVALUATED
}

fn own_pages() -> (PathBuf, DataSet) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets").canonicalize().unwrap();
    let set = DataSet::open(&folder).unwrap();
    (folder, set)
}

/// Results on our own pages.
fn evaluate() -> EvaluatedSets {
    evaluate_sets(vec![own_pages().1])
}

/// Results by a clock that goes on by one each time it is read.
fn evaluate_sets(sets: Vec<DataSet>) -> EvaluatedSets {
    let groups = SiteGroups::of(&sets);
    let (mut steps, ticks) = (0, Cell::new(0));
    let clock = || {
        ticks.set(ticks.get() + 1);
        Duration::from_millis(ticks.get())
    };
    let rules = Untrained(Tsugi::new().with_rules(Siteinfo::read_dump(&tsugi_testing::own_rules()).unwrap()));
    let plan = FoldPlan { measured: &[0], ..FoldPlan::new(&sets, &groups, &rules) };
    let result = evaluate_page_sets(&plan, &clock, || steps += 1).unwrap();
    assert_eq!(steps, 2 + 11, "two folds and eleven pages");
    (sets, result)
}

#[test]
fn sites_of_three_pages_are_page_sets() {
    let (_, result) = evaluated();
    let sites: Vec<(&str, usize, usize)> =
        result.sites.iter().map(|site| (site.site.as_str(), site.pages, site.measured.len())).collect();
    // The fourth site has one page.
    assert_eq!(sites, [("magazine.example", 4, 4), ("notes.example", 3, 3), ("yomimono.example", 3, 3)]);
    let learned_from: Vec<bool> = result.sites[0].measured.iter().map(|page| page.learned_from).collect();
    assert_eq!(learned_from, [true, true, true, false]);
    assert!(result.complaints.is_empty(), "{:?}", result.complaints);
}

#[test]
fn methods_are_measured_by_the_labels() {
    let (_, result) = evaluated();
    // The finder of the tests looks for what labels of lists select, and misses the head of the article.
    let models = |site: usize| {
        let pages = result.sites[site].measured.iter();
        pages.map(|page| page.verdicts[PageSetMethod::Models as usize].unwrap()).collect::<Vec<_>>()
    };
    assert!(models(1).iter().all(KeptVerdict::is_perfect), "{:#?}", models(1));
    assert!(models(1).iter().all(|verdict| verdict.text_f == Some(1.0)));
    for verdict in models(0) {
        assert_eq!(verdict.blocks.false_positives, 0);
        assert!(verdict.blocks.false_negatives > 0 && !verdict.is_perfect(), "{verdict:?}");
        assert!(verdict.characters.precision() == 1.0 && verdict.characters.recall() < 1.0);
    }
    // Each page has an article of its own; a menu, which all have, is kept by none of the methods that compare.
    for page in result.sites.iter().flat_map(|site| &site.measured) {
        let [unique, at_least_one, rules] =
            [PageSetMethod::Unique, PageSetMethod::AtLeastOne, PageSetMethod::PlainRules]
                .map(|method| page.verdicts[method as usize]);
        let across = page.verdicts[PageSetMethod::AcrossSites as usize].unwrap();
        assert!(across.blocks.false_positives <= unique.unwrap().blocks.false_positives);
        assert_eq!(rules.is_none(), page.learned_from);
        assert!(unique.unwrap().characters.recall() > 0.8, "{page:?}");
        assert!(unique.unwrap().blocks.true_negatives > 0, "{page:?}");
        assert_eq!(unique, at_least_one, "every page has a block of its own");
    }
}

/// Labels of which only the text is left are measured by tokens, those of other sites as before.
#[test]
fn pages_without_labelled_nodes_are_measured_by_their_texts() {
    let (folder, own) = own_pages();
    let without_nodes = |label: &PageLabel| {
        let is_of_site = label.site == "notes.example";
        PageLabel { content: if is_of_site { Vec::new() } else { label.content.clone() }, ..label.clone() }
    };
    let labels = own.labels().iter().map(without_nodes).collect();
    let (sets, result) = evaluate_sets(vec![DataSet::of("own".to_owned(), &folder, labels)]);
    let counts: Vec<_> = result
        .sites
        .iter()
        .map(|site| (site.site.as_str(), site.measured.len(), site.by_text.len()))
        .collect();
    assert_eq!(counts, [("magazine.example", 4, 0), ("notes.example", 0, 3), ("yomimono.example", 3, 0)]);
    let (_, all) = evaluated();
    for (page, by_text) in all.sites[1].measured.iter().zip(&result.sites[1].by_text) {
        let models = PageSetMethod::Models as usize;
        let unique = PageSetMethod::Unique as usize;
        assert_eq!(by_text[models].unwrap().f(), 1.0);
        assert_eq!(Some(by_text[unique].unwrap().f()), page.verdicts[unique].unwrap().text_f);
        assert_eq!(by_text[PageSetMethod::PlainRules as usize], None, "rules are learned from these pages");
    }
    let report = &page_sets_report(&sets, &result).files[0].1;
    let row = report.lines().find(|line| line.starts_with("| own | models |"));
    assert_eq!(
        row,
        Some("| own | models | 3 | 1 | 1.000 (1.000–1.000) | 1.000 (1.000–1.000) | 1.000 (1.000–1.000) |")
    );
    let line = serde_json::to_value(PageSetLine::of(&result.sites[1])).unwrap();
    assert_eq!((&line["by_text"][0], &line["by_text"][1]["models"]), (&3.into(), &1.0.into()));
    assert_eq!(line["methods"], serde_json::json!({}));
}

#[test]
fn steps_are_timed_over_all_pages_of_the_sets() {
    let (_, result) = evaluated();
    let times = &result.times.all;
    assert_eq!(times[&TimedStep::Parse], (Duration::from_millis(10), 10), "a tick a page");
    assert_eq!(times, &result.times.small, "all sets are small");
    assert_eq!(times[&TimedStep::AllPairs], (Duration::from_millis(3), 10));
    let rules = [PageSetMethod::PlainRules, PageSetMethod::Rules, PageSetMethod::SpreadRules];
    for method in rules {
        // One set has a page more than rules are learned from.
        assert_eq!(times[&TimedStep::Learn(method)], (Duration::from_millis(1), 3));
        assert_eq!(times[&TimedStep::Keep(method)], (Duration::from_millis(1), 1));
    }
    let untimed = [
        PageSetMethod::AcrossSites,
        PageSetMethod::ModelsLess,
        PageSetMethod::ModelsMore,
        PageSetMethod::TaughtByUnique,
        PageSetMethod::TaughtByLabels,
    ];
    assert!(untimed.iter().all(|method| !times.contains_key(&TimedStep::Keep(*method))));
    let untimed = [&untimed[..], &rules].concat();
    for method in PageSetMethod::ALL.into_iter().filter(|method| !untimed.contains(method)) {
        assert_eq!(
            times[&TimedStep::Keep(method)],
            (Duration::from_millis(3), 10),
            "a tick a set: {method:?}"
        );
    }
    let times = page_sets_times(&result.times);
    assert!(times.contains("| parsing | 10 | 1.000 | 1.00 |"), "{times}");
    assert!(times.contains("| unique blocks | 10 | 0.300 | 0.30 |"), "{times}");
    // 1 a page without parsing and 2 with it, beside .3 and 1.3.
    assert!(times.contains("Applying rules takes 3.333 of the time of all pairs, and 1.538 with"), "{times}");
}

#[test]
fn the_report_repeats_itself() {
    let (sets, result) = evaluated();
    let report = page_sets_report(sets, result);
    assert_eq!(page_sets_report(sets, &evaluate().1).files, report.files, "equal data give equal reports");
    let report = &report.files[0].1;
    assert!(!report.contains('{'), "every value is in its place: {report}");
    for line in [
        "3 page sets of 10 pages; of 10 of them content nodes are labelled, of 0 others its text.",
        "| unique blocks | 10 | 3 | ",
        "| models | 1 | 1 | ",
        "| selector rules | 1 | 1 | ",
        "| datasets listing | models | 3 | 1.000 | 1.000 | 1.000 (1.000–1.000) | 1.000 |",
        "| 3 and 4 | Kato's rule | 10 | ",
        "## Update date",
        "| … less blocks that others have | 10 | 3 | 0.989 | 0.983 | -0.0065 (-0.0218 to +0.0000) | 0 | 1 |",
    ] {
        assert!(report.contains(line), "{line}: {report}");
    }
    let line = serde_json::to_value(PageSetLine::of(&result.sites[1])).unwrap();
    assert_eq!((&line["site"], &line["measured"]), (&"notes.example".into(), &3.into()));
    assert_eq!(line["methods"]["models"]["blocks"], serde_json::json!([1.0, 1.0, 1.0]));
    let counts: Vec<u64> = serde_json::from_value(line["methods"]["unique"]["counts"].clone()).unwrap();
    let [right, kept, content, all] = counts[..] else { panic!("{counts:?}") };
    assert!(right <= kept.min(content) && kept.max(content) <= all, "{counts:?}");
    assert!(line["blocks"].as_u64().unwrap() >= all, "blank blocks count here: {line}");
    let precision = line["methods"]["unique"]["blocks"][0].as_f64().unwrap();
    assert!((right as f64 / kept as f64 - precision).abs() < 1e-3, "{line}");
    let methods = line["methods"].as_object().unwrap();
    assert_eq!(methods.len(), PageSetMethod::ALL.len() - 3, "three pages leave none for rules");
}

#[test]
fn small_sites_and_sites_without_labelled_content_are_passed_over() {
    let label = |site: &str, labels: &[&str]| PageLabel {
        site: site.to_owned(),
        content: vec!["//p".to_owned()],
        labels: labels.iter().map(|label| (*label).to_owned()).collect(),
        ..PageLabel::default()
    };
    let labels =
        [("b", "next"), ("a", "content"), ("b", "next"), ("a", "next"), ("b", "content"), ("c", "content")];
    let labels = labels.iter().map(|(site, known)| label(site, &[known])).collect();
    let mut set = DataSet::of("test".to_owned(), Path::new("."), labels);
    assert_eq!(large_sites(&set), ["b"]);
    set = DataSet::of("test".to_owned(), Path::new("."), vec![label("d", &["next"]); 3]);
    assert!(large_sites(&set).is_empty());
}

#[test]
fn gains_are_counted_by_site() {
    let (sets, result) = evaluated();
    let mut result = result.clone();
    for (at, (alone, together)) in [(0.5, 0.75), (0.5, 0.496), (0.5, 0.4)].into_iter().enumerate() {
        for page in &mut result.sites[at].measured {
            for (method, f) in [(PageSetMethod::Models, alone), (PageSetMethod::ModelsLess, together)] {
                page.verdicts[method as usize].as_mut().unwrap().text_f = Some(f);
            }
        }
    }
    // Sites of 4, 3 and 3 pages: (4 · .25 − 3 · .004 − 3 · .1) ÷ 10.
    let report = &page_sets_report(sets, &result).files[0].1;
    let start = format!("| {} | 10 | 3 | 0.500 | 0.569 | +0.0688 (", PageSetMethod::ModelsLess.name());
    let row = report.lines().find(|line| line.starts_with(&start)).unwrap();
    assert!(row.ends_with(") | 1 | 1 |"), "{row}");
}
