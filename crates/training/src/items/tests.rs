use super::*;
use crate::cross_validation::Untrained;
use crate::sites::SiteGroups;
use std::path::Path;
use tsugi::Tsugi;
use tsugi::rules::Siteinfo;
use tsugi_siteinfo::Item;

fn evaluated() -> (Vec<DataSet>, ItemsResult) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets").canonicalize().unwrap();
    let sets = vec![DataSet::open(&folder).unwrap()];
    let groups = SiteGroups::of(&sets);
    let rules = Untrained(Tsugi::new().with_rules(Siteinfo::read_dump(&tsugi_testing::own_rules()).unwrap()));
    let mut steps = 0;
    let plan = FoldPlan { measured: &[0], ..FoldPlan::new(&sets, &groups, &rules) };
    let result = evaluate_items(&plan, || steps += 1).unwrap();
    assert_eq!(steps, 2 + 11, "two folds and eleven pages");
    (sets, result)
}

#[test]
fn items_of_our_own_pages_are_learned_and_measured() {
    let (sets, result) = evaluated();
    let sites: Vec<(&str, usize)> =
        result.sites.iter().map(|site| (site.host.as_str(), site.pages.len())).collect();
    // The fourth site has one page.
    assert_eq!(sites, [("magazine.example", 4), ("notes.example", 3), ("yomimono.example", 3)]);
    for site in &result.sites {
        assert_eq!((&site.all.error, &site.few.error), (&None, &None), "{site:?}");
        assert!(site.pages.iter().all(|page| page.given), "four pages are a few");
        assert_eq!(
            site.right(Answerer::ItemOfAll, None),
            site.right(Answerer::ItemOfFew, None),
            "both are learned from all pages: {site:?}"
        );
    }
    assert!(result.sites.iter().any(|site| site.right(Answerer::ItemOfAll, Some(0.9))), "{result:#?}");
    let report = items_report(&sets, &result).files;
    for line in ["## Sites right", "| datasets | item of all pages | 3 | 3 | ", "| datasets | models | 10 | "]
    {
        assert!(report[0].1.contains(line), "{line}: {}", report[0].1);
    }
    assert!(!report[0].1.contains('{'), "every value is in its place: {}", report[0].1);
    assert_eq!(items_report(&sets, &evaluated().1).files, report, "equal data give equal reports");
    let line = serde_json::to_value(ItemLine::of(&result.sites[1])).unwrap();
    assert_eq!((&line["host"], &line["pages"]), (&"notes.example".into(), &3.into()));
    assert_eq!(line["verdicts"][0]["models"]["next"], "https://notes.example/blog/page2.html");
    assert!(!line.to_string().contains("text\":"), "no text: {line}");
}

#[test]
fn a_page_is_right_by_what_is_known_of_it() {
    let verdict = |next: Option<(bool, bool, bool)>, f: Option<f64>| PageVerdict {
        set: 0,
        label: 0,
        group: 0,
        next: next.map(|(has_next, predicted, right)| NextVerdict {
            has_next,
            predicted,
            right,
            ..NextVerdict::default()
        }),
        text: f.map(|f| TextVerdict { f, score: 1.0 }),
    };
    assert!(is_right(&verdict(Some((true, true, true)), Some(0.9)), Some(0.9)));
    assert!(!is_right(&verdict(Some((true, true, true)), Some(0.89)), Some(0.9)));
    assert!(is_right(&verdict(Some((true, true, true)), Some(0.1)), None));
    assert!(!is_right(&verdict(Some((true, true, false)), None), None));
    assert!(!is_right(&verdict(Some((false, true, false)), None), None), "a false alarm");
    assert!(is_right(&verdict(Some((false, false, false)), None), Some(0.9)));
    assert!(is_right(&verdict(None, None), Some(0.9)));
}

#[test]
fn an_item_answers_where_its_content_is_and_never_with_the_page_itself() {
    let data = serde_json::json!({"url": "^http://a\\.test/", "nextLink": "//a", "pageElement": "//p"});
    let item = Item::from_json(&data).unwrap();
    let answer = |url: &str, html: &str| {
        let page = Page::from_text(html, &url.parse().unwrap());
        let (next, content) = apply(&item, &page);
        (next.map(|url| url.path().to_owned()), page.text_of(&content))
    };
    assert_eq!(answer("http://a.test/1", "<p>x</p><a href=2>"), (Some("/2".into()), "x".into()));
    assert_eq!(answer("http://a.test/1", "<p>x</p><a href='1#top'>"), (None, "x".into()));
    assert_eq!(answer("http://a.test/1", "<div>x</div><a href=2>"), (None, String::new()));
    assert_eq!(answer("http://b.test/1", "<p>x</p><a href=2>"), (None, String::new()));
}

#[test]
fn a_few_pages_are_spread_over_all() {
    assert_eq!(spread(3, 4), [0, 1, 2]);
    assert_eq!(spread(4, 4), [0, 1, 2, 3]);
    assert_eq!(spread(10, 4), [0, 3, 6, 9]);
    assert_eq!(spread(9, 1), [0]);
}
