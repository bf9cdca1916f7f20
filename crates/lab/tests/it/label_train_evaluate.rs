//! `tsugi-lab label`, `train`, `evaluate` and `agreement`.

use crate::support::{
    DONE, FAILED, NOTHING_FOUND, ProgramRun, TestFolder, WRONG_USE, data, json_lines, lab, labels, train,
};
use serde_json::Value;
use std::collections::BTreeMap;
use tsugi::models::{ContentModel, LinkModel};
use tsugi::page::Content;
use tsugi::{NextLink, Page, Tsugi};
use tsugi_fetch::records;
use tsugi_main_content::paper::PaperContentDetector;
use tsugi_next_link::paper::PaperLinkDetector;
use tsugi_scoring::ModelFile;
use tsugi_testing::{LoopbackServer, canned, typed};

fn evaluate(options: &[&str]) -> ProgramRun {
    lab(&[&["evaluate", "--data", &data(""), "--folds", "4"], options].concat())
}

/// Labels that have a next page, by address.
fn labelled_with_next(labels: &[Value]) -> BTreeMap<&str, (&Value, &Value)> {
    let with_next = labels.iter().filter(|label| !label["next"].is_null());
    with_next.map(|label| (label["url"].as_str().unwrap(), (&label["next"], &label["text"]))).collect()
}

#[test]
fn css_gives_labels_by_another_engine() {
    let folder = TestFolder::new();
    let css = r#"[{"name": "notes", "selectors": "css", "url": "^https?://notes\\.example/",
        "nextLink": "link[rel=next]", "pageElement": "main#content"}]"#;
    let (css, pages, out) =
        (folder.file("css.json", css), data("pages.warc.gz"), folder.path("labels.jsonl"));
    let against = data("labels.jsonl");
    let label = ["label", "--css", &css, "--pages", &pages, "--against", &against, "-o", &out];
    lab(&label).exits(DONE).writes_nothing().says(&[
        "3 of 11 pages labelled: 2 with a next page, 1 without",
        "next page, by the dump: 2 of 7 stored labels reproduced",
    ]);
    for label in json_lines(&folder.read("labels.jsonl")) {
        assert_eq!(label["content"], serde_json::json!(["/html[1]/body[1]/div[1]/main[1]"]), "{label}");
    }
    let xpath = data("siteinfo.json");
    lab(&["label", "--css", &xpath, "--pages", &pages]).exits(FAILED).says(&["is not in CSS"]);
    lab(&["label", "--css", &css, "--rules", &xpath, "--pages", &pages]).exits(WRONG_USE);
}

#[test]
fn siteinfo_gives_the_labels() {
    let folder = TestFolder::new();
    let (rules, pages, out) = (data("siteinfo.json"), data("pages.warc.gz"), folder.path("labels.jsonl"));
    let label = ["label", "--rules", &rules, "--pages", &pages];
    lab(&[&label[..], &["-o", &out]].concat())
        .exits(DONE)
        .writes_nothing()
        .says(&["11 of 11 pages labelled: 7 with a next page, 4 without"]);
    let (new, stored) = (json_lines(&folder.read("labels.jsonl")), labels());
    assert_eq!(new.len(), 11);
    assert_eq!(labelled_with_next(&new), labelled_with_next(&stored));
    for label in &new {
        for name in ["site", "content", "kind", "lang", "source", "labels"] {
            assert!(!label[name].is_null(), "`{name}` is missing: {label}");
        }
        // Where clients stop, there is no next page.
        let is_last = label["next"].is_null();
        assert_eq!(label.get("relation").is_none(), is_last, "{label}");
        assert_eq!(label.get("next_reason").is_some(), is_last, "{label}");
    }
    assert_eq!(json_lines(&lab(&label).exits(DONE).stdout), new, "stdout holds the same");
    let json = std::fs::read(&rules).unwrap();
    let server = LoopbackServer::start(canned([("/items.json", typed("application/json", json))]));
    let at = |path: &str| server.address(path).replace("127.0.0.1", "localhost");
    let downloaded = ["label", "--rules", &at("/items.json"), "--pages", &pages];
    assert_eq!(json_lines(&lab(&downloaded).exits(DONE).stdout), new);
    let missing = ["label", "--rules", &at("/none.json"), "--pages", &pages];
    lab(&missing).exits(FAILED).says(&["cannot download", "404"]);
    assert_eq!(folder.names(), ["labels.jsonl"]);
}

/// The line of a report that starts with `what`, as its two numbers: reproduced, of all.
#[track_caller]
fn reproduced(report: &str, what: &str) -> (usize, usize) {
    let line = report.lines().find(|line| line.starts_with(what) && line.contains("reproduced"));
    let line = line.unwrap_or_else(|| panic!("nothing is said of `{what}`: {report}"));
    let numbers: Vec<usize> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    (numbers[0], numbers[1])
}

#[test]
fn all_stored_labels_are_reproduced() {
    let against = data("labels.jsonl");
    let (rules, pages) = (data("siteinfo.json"), data("pages.warc.gz"));
    let run = lab(&["label", "--rules", &rules, "--pages", &pages, "--against", &against]).exits(DONE);
    assert_eq!(reproduced(&run.stderr, "next page, by the dump"), (7, 7));
    assert_eq!(reproduced(&run.stderr, "no next page, by the dump"), (4, 4));
    assert_eq!(reproduced(&run.stderr, "content, by the dump"), (11, 11));
    assert_eq!(reproduced(&run.stderr, "content, by the labels' own expressions"), (11, 11));
}

#[test]
fn pages_that_no_item_knows_are_not_labelled() {
    let folder = TestFolder::new();
    let rules = folder.file("none.json", "[]");
    let run = lab(&["label", "--rules", &rules, "--pages", &data("pages.warc.gz")]);
    run.exits(NOTHING_FOUND)
        .writes_nothing()
        .says(&["0 of 11 pages labelled; no label for 11: no item matches the address"]);
}

/// A rule for one site of four, and one for any site, which says nothing of the other pages.
#[test]
fn every_page_without_a_label_has_a_reason() {
    let folder = TestFolder::new();
    let rules = folder.file(
        "rules.json",
        r#"[{"name": "notes", "data": {"url": "^https://notes\\.example/", "nextLink": "//nothing", "pageElement": "//nothing"}},
            {"name": "any", "data": {"url": "^https?://.", "nextLink": "//a[@rel='next']", "pageElement": "//body"}}]"#,
    );
    let pages = data("pages.warc.gz");
    let label = ["-v", "label", "--rules", &rules, "--pages", &pages];
    let run = lab(&label).exits(NOTHING_FOUND).writes_nothing();
    run.says(&[
        "0 of 11 pages labelled; no label for 8: no item matches the address, 3: items match, and find neither",
        "no label: no item matches the address",
        "https://notes.example/",
    ]);
    // The option has the name that it has in `tsugi join`.
    let with = |option| lab(&[&label[..], &[option]].concat());
    with("--generic-rules").says(&["items match, and find no next link"]);
    assert_eq!(with("--generic").stderr, with("--generic-rules").stderr);
}

/// Example pages, one a site, are what Wedata names: nothing is joined, and the rest is measured.
#[test]
fn what_cannot_be_measured_is_named_and_left_out() {
    let folder = TestFolder::new();
    folder.file("mine/pages.warc.gz", std::fs::read(data("pages.warc.gz")).unwrap());
    let labels = labels();
    let mut sites: Vec<&Value> = Vec::new();
    let firsts = labels.iter().filter(|label| {
        let is_new = !sites.contains(&&label["site"]);
        sites.push(&label["site"]);
        is_new
    });
    let firsts: Vec<Value> = firsts.cloned().collect();
    let write = |labels: &[Value]| {
        let lines: Vec<String> = labels.iter().map(Value::to_string).collect();
        folder.file("mine/labels.jsonl", lines.join("\n"));
    };
    write(&firsts);
    let mine = folder.path("mine");
    let evaluate = || lab(&["evaluate", "--data", &mine, "--folds", "2"]);
    let run = evaluate().exits(DONE).says(&[
        "7 stored pages have no label, and are not used",
        "joins are not measured: no stored page continues on the stored page that it links to",
    ]);
    let all = run.stdout.lines().find(|line| line.starts_with("| all |")).unwrap();
    assert!(all.contains("| 3 | 1 |") && all.ends_with("| 4 |"), "{all}");
    assert!(run.stdout.contains("| all | joins | no stored page continues"), "{}", run.stdout);

    // Next links alone, all of them positive: neither false alarms nor texts.
    let links: Vec<Value> = firsts[..3]
        .iter()
        .map(|label| serde_json::json!({"url": label["url"], "site": label["site"], "next": label["next"], "labels": ["next"]}))
        .collect();
    write(&links);
    let run =
        evaluate().exits(DONE).says(&["texts are not measured: no page of the data has content labels"]);
    for row in [
        "| mine | next link: FPR | no page is labelled as having no next page |",
        "| all | text by models, joins |",
    ] {
        assert!(run.stdout.contains(row), "`{row}` is missing: {}", run.stdout);
    }
    let all = run.stdout.lines().find(|line| line.starts_with("| all |")).unwrap();
    assert!(all.contains("| – | 3 | 0 | – | 0 |"), "{all}");

    // Texts alone.
    let texts: Vec<Value> = firsts
        .iter()
        .map(|label| serde_json::json!({"url": label["url"], "site": label["site"], "text": label["text"], "content": label["content"], "labels": ["content"]}))
        .collect();
    write(&texts);
    let run =
        evaluate().exits(DONE).says(&["next links are not measured: no page of the data has a next page"]);
    let all = run.stdout.lines().find(|line| line.starts_with("| all |")).unwrap();
    assert!(all.starts_with("| all | – | – | – | – | 0 | 0 |") && all.ends_with("| 4 |"), "{all}");
    lab(&["evaluate", "--data", &mine, "--protocol", "items"]).exits(FAILED).says(&["has a next page"]);
}

#[test]
fn equal_data_give_equal_models_that_work() {
    let with = |learner| vec!["--features", "paper", "--learner", learner];
    // Eleven pages are few for leaves of 20 rows, which `smartcore` counts as often as they were drawn.
    let smartcore = [with("smartcore-forest"), vec!["--min-leaf", "5"]].concat();
    let others = ["forest", "tree", "boosted", "linfa-tree", "linfa-logistic"].map(with);
    for options in [vec![], smartcore].into_iter().chain(others) {
        let (one, two) = (TestFolder::new(), TestFolder::new());
        for task in ["next-link", "content"] {
            let (first, again) = (train(task, &options, &one), train(task, &options, &two));
            assert!(first == again, "{task}, {options:?}: two runs differ");
            assert!(first.1.contains("seed") && first.1.contains("data digest"), "{}", first.1);
        }
        assert_eq!(one.names(), ["content.md", "content.model", "next-link.md", "next-link.model"]);
        let found = found_with(&one, options.contains(&"paper"));
        // The pages were trained on: most of what is to be found is found.
        let labels = labels();
        let is_right =
            |(found, label): &(&FoundOnPage, &Value)| found.next.as_deref() == label["next"].as_str();
        let right = found.iter().zip(&labels).filter(is_right).count();
        assert!(found.len() == 11 && right * 2 > 11, "{options:?}: {right} of 11 next pages");
        let texts = found.iter().filter(|found| !found.nodes.is_empty()).count();
        assert!(texts * 3 >= 11 * 2, "{options:?}: {texts} of 11 texts");
    }
}

/// What models find on a page: the address of the next page, and the location paths of the content.
struct FoundOnPage {
    next: Option<String>,
    nodes: Vec<String>,
}

impl FoundOnPage {
    fn of(page: &Page, next: Option<&NextLink>, content: &Content) -> FoundOnPage {
        FoundOnPage {
            next: next.map(|next| next.url.to_string()),
            nodes: content.nodes.iter().map(|node| page.location_path(*node)).collect(),
        }
    }
}

/// Looks at the stored pages with the trained models of a folder.
fn found_with(folder: &TestFolder, is_paper: bool) -> Vec<FoundOnPage> {
    let [next, content] =
        ["next-link.model", "content.model"].map(|name| std::fs::read(folder.path(name)).unwrap());
    let records = records(data("pages.warc.gz").as_ref()).unwrap();
    let pages = records.map(|record| record.unwrap().response.unwrap().page());
    if is_paper {
        let links = PaperLinkDetector::new(ModelFile::from_bytes(&next).unwrap());
        let content = PaperContentDetector::new(ModelFile::from_bytes(&content).unwrap()).unwrap();
        let look = |page: Page| {
            let next = links.best(&page).filter(|next| next.score >= links.threshold());
            let content = content.find(&page, next.as_ref().map(|next| next.node));
            FoundOnPage::of(&page, next.as_ref(), &content)
        };
        return pages.map(look).collect();
    }
    let tsugi = Tsugi::new()
        .with_next_model(LinkModel::from_bytes(&next).unwrap())
        .with_content_model(ContentModel::from_bytes(&content).unwrap());
    let look = |page: Page| {
        let look = tsugi.look(&page);
        FoundOnPage::of(&page, look.next(), look.content().as_content())
    };
    pages.map(look).collect()
}

#[test]
fn trained_models_find_content_in_the_body() {
    let folder = TestFolder::new();
    for task in ["next-link", "content"] {
        train(task, &["--features", "paper"], &folder);
    }
    for FoundOnPage { nodes, .. } in found_with(&folder, true) {
        assert!(nodes.iter().all(|node| node.starts_with("/html[1]/body[1]")), "{nodes:?}");
    }
}

#[test]
fn algorithm_is_an_alias_of_learner() {
    let (one, two) = (TestFolder::new(), TestFolder::new());
    let by_alias = train("next-link", &["--features", "paper", "--algorithm", "tree"], &one);
    assert!(by_alias == train("next-link", &["--features", "paper", "--learner", "tree"], &two));
}

#[test]
fn another_seed_gives_another_forest() {
    let folder = TestFolder::new();
    let datasets = data("");
    let models = ["1", "2"].map(|seed| {
        let model = folder.path(seed);
        let options = ["--features", "paper", "--seed", seed, "-o", &model];
        lab(&[&["train", "next-link", "--data", &datasets], &options[..]].concat()).exits(DONE);
        std::fs::read(model).unwrap()
    });
    assert!(models[0] != models[1]);
}

#[test]
fn cross_validation_reports_and_predicts() {
    let folder = TestFolder::new();
    let out = folder.path("report");
    let run = evaluate(&["-o", &out]).exits(DONE);
    assert_eq!(folder.read("report/report.md"), run.stdout);
    for word in ["4 folds", "## model", "## rel=next", "| all |"] {
        assert!(run.stdout.contains(word), "`{word}` is missing: {}", run.stdout);
    }
    let json: Value = serde_json::from_str(&folder.read("report/report.json")).unwrap();
    assert_eq!(json["folds"], 4);
    assert_eq!(json["methods"]["model"]["rows"][0][0], "all");
    let mut names: Vec<_> =
        std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["datasets.joins.jsonl", "datasets.jsonl", "figures", "report.json", "report.md"]);
    let lines = json_lines(&folder.read("report/datasets.jsonl"));
    let urls = |lines: &[Value]| -> Vec<String> {
        let mut urls: Vec<String> = lines.iter().map(|line| line["url"].to_string()).collect();
        urls.sort();
        urls
    };
    assert_eq!(urls(&lines), urls(&labels()), "every page is predicted once");
    for line in &lines {
        assert!(line["next_right"].is_boolean() && line["text_f"].is_number(), "{line}");
        assert_eq!(line.get("text"), None, "pages belong to others: {line}");
    }
    let joins = json_lines(&folder.read("report/datasets.joins.jsonl"));
    assert!(!joins.is_empty() && joins.iter().all(|join| join["pages"].as_array().unwrap().len() > 1));
    assert!(joins.iter().all(|join| join.get("text").is_none() && join["stopped"].is_string()));
    let documents = folder.path("documents");
    let again = evaluate(&["--documents", &documents]).exits(DONE);
    let documents = json_lines(&folder.read("documents/datasets.jsonl"));
    let pages: usize = documents.iter().map(|document| document["pages"].as_array().unwrap().len()).sum();
    assert_eq!(pages, labels().len(), "every page is part of one document");
    assert_eq!(again.stdout, run.stdout, "equal data give equal reports");
}

#[test]
fn figures_that_fall_do_not_pass_the_gate() {
    let folder = TestFolder::new();
    let gate = folder.path("floors.json");
    let (by_gate, raise) = (["--gate", &gate], ["--gate", &gate, "--raise"]);
    evaluate(&by_gate).exits(FAILED).writes_nothing().says(&["cannot read", "floors.json"]);
    evaluate(&raise).exits(DONE).says(&["gate: 0 of 0 figures reached"]);
    let reached: Value = serde_json::from_str(&folder.read("floors.json")).unwrap();
    assert_eq!(reached["all"], reached["datasets"]);
    evaluate(&by_gate).exits(DONE).says(&["gate: 14 of 14 figures reached"]);

    folder.file("floors.json", r#"{"all": {"next_f": 1.1, "text_f": 0.001}}"#);
    evaluate(&raise).exits(FAILED).says(&[
        "gate: all: next_f is ",
        "expected at least 1.1",
        "gate: 1 of 2 figures reached",
    ]);
    let raised: Value = serde_json::from_str(&folder.read("floors.json")).unwrap();
    assert_eq!(
        (&raised["all"]["next_f"], &raised["all"]["text_f"]),
        (&1.1.into(), &reached["all"]["text_f"])
    );

    folder.file("floors.json", "{");
    evaluate(&by_gate).exits(FAILED).writes_nothing().says(&["floors.json", "is not a gate file"]);
}

#[test]
fn corrected_labels_are_learned_and_reported_apart() {
    let folder = TestFolder::new();
    let url = labels().iter().find(|label| !label["next"].is_null()).unwrap()["url"].clone();
    let line = serde_json::json!({ "url": url, "next": null, "reason": "for the test" });
    let other =
        serde_json::json!({ "url": "http://elsewhere.test/", "next": null, "reason": "no page of ours" });
    let corrections = folder.file("corrections.jsonl", format!("{line}\n{other}\n"));
    let run = evaluate(&["--corrections", &corrections]).exits(DONE);
    run.clone().says(&["1 labels corrected by 2 corrections"]);
    // 7 of the 11 pages have a next page; by the corrected labels 6.
    let row = |report: &str| report.lines().find(|line| line.starts_with("| all |")).unwrap().to_owned();
    let (_, apart) = run.stdout.split_once("## model, measured by corrected labels").unwrap();
    assert!(row(&run.stdout).contains("| 7 | 4 |") && row(apart).contains("| 6 | 5 |"), "{}", run.stdout);
    let broken = folder.file("broken.jsonl", "{}");
    evaluate(&["--corrections", &broken])
        .exits(FAILED)
        .writes_nothing()
        .says(&["broken.jsonl`, line 1: expected `url`"]);
}

/// Four sites are too few for a split of 8 to 2. Where no page is left to test on, a precision of 0 would be a
/// lie: the run says so and fails.
#[test]
fn the_published_experiment_needs_pages_to_test_on() {
    let run = lab(&["evaluate", "--data", &data(""), "--protocol", "paper"]);
    if run.code == FAILED {
        run.writes_nothing().says(&["site"]);
        return;
    }
    let report = run.exits(DONE).stdout;
    let test = report.lines().find(|line| line.starts_with("| test |")).unwrap();
    let counts: Vec<u32> = test.split('|').filter_map(|cell| cell.trim().parse().ok()).collect();
    assert!(counts.len() >= 4 && !counts.contains(&0), "nothing was tested: `{test}` in: {report}");
}

#[test]
fn the_learner_of_the_full_features_is_not_chosen() {
    let folder = TestFolder::new();
    let model = folder.path("x.model");
    let train = ["train", "content", "--data", &data(""), "--learner", "tree", "-o", &model];
    lab(&train).exits(FAILED).writes_nothing().says(&["--learner and --min-leaf are for --features paper"]);
    let unknown = ["train", "content", "--data", &data(""), "--learner", "oak", "-o", &model];
    lab(&unknown).exits(WRONG_USE).writes_nothing().says(&["linfa-logistic), found `oak`"]);
    let train = ["train", "content", "--data", &data(""), "--content-model", &model, "-o", &model];
    lab(&train).exits(WRONG_USE).writes_nothing().says(&["--content-model goes with"]);
}

#[test]
fn two_labellings_are_compared() {
    let folder = TestFolder::new();
    let mut changed = labels();
    let first = changed.iter_mut().find(|label| !label["next"].is_null()).unwrap();
    (first["next"], first["content"]) = (Value::Null, serde_json::json!(["//body"]));
    let lines: Vec<String> = changed.iter().map(Value::to_string).collect();
    let (own, other) = (data("labels.jsonl"), folder.file("other.jsonl", lines.join("\n")));
    let compare = |one: &str, two: &str| {
        let run = lab(&["agreement", one, two, "--pages", &data("pages.warc.gz")]).exits(DONE);
        run.clone().says(&["11 pages have both labels"]);
        run.json()
    };
    let same = compare(&own, &own);
    for figure in ["precision", "recall", "f", "perfect", "same_next", "kappa"] {
        assert_eq!(same[figure], 1.0, "{figure}");
    }
    let found = compare(&other, &own);
    // Of one page all blocks are taken, and no next page: nothing is missing, and one of 11 pages differs.
    assert_eq!((&found["pages"], &found["recall"]), (&11.into(), &1.0.into()));
    let share = |name: &str| found[name].as_f64().unwrap();
    assert!(share("precision") < 1.0 && share("kappa") < 1.0);
    assert!((share("perfect") - 10.0 / 11.0).abs() < 1e-9 && (share("same_next") - 10.0 / 11.0).abs() < 1e-9);
    assert_eq!((&found["role_blocks"], &found["role_kappa"]), (&0.into(), &Value::Null), "no roles");
    let with_role = |role: &str| {
        let with_blocks = |mut label: Value| {
            label["blocks"] = serde_json::json!([{"at": "/html[1]/body[1]", "role": role, "text": ""}]);
            label
        };
        let lines: Vec<String> =
            labels().into_iter().map(with_blocks).map(|label| label.to_string()).collect();
        folder.file(&format!("{role}.jsonl"), lines.join("\n"))
    };
    let roles = compare(&with_role("title"), &with_role("title"));
    assert_eq!((&roles["same_role"], &roles["roles"]["site"]["f"]), (&1.0.into(), &1.0.into()));
    let none = folder.file("none.jsonl", "");
    lab(&["agreement", &own, &none, "--pages", &data("pages.warc.gz")]).exits(NOTHING_FOUND).writes_nothing();
}

#[test]
fn page_set_methods_are_measured() {
    let folder = TestFolder::new();
    let out = folder.path("report");
    let run = evaluate(&["--protocol", "page-sets", "-o", &out, "--measure", "datasets"]).exits(DONE);
    assert_eq!(folder.read("report/report.md"), run.stdout);
    for word in [
        "3 page sets of 10 pages",
        "| unique blocks | 10 | 3 |",
        "| selector rules | 1 | 1 |",
        "| models | 10 |",
    ] {
        assert!(run.stdout.contains(word), "`{word}` is missing: {}", run.stdout);
    }
    assert!(folder.read("report/times.md").contains("| parsing | 10 |"));
    let lines = json_lines(&folder.read("report/datasets.jsonl"));
    assert_eq!(lines.len(), 3);
    for line in &lines {
        assert!(line["methods"]["models"]["blocks"][2].as_f64().is_some_and(|f| f <= 1.0), "{line}");
        assert!(!line.to_string().contains("text\":"), "pages belong to others: {line}");
    }
    let again = evaluate(&["--protocol", "page-sets"]).exits(DONE).says(&["| step | pages |"]);
    assert_eq!(again.stdout, run.stdout, "equal data give equal reports; times are told apart");
}

#[test]
fn chains_over_blocks_are_measured() {
    let folder = TestFolder::new();
    let out = folder.path("report");
    let run = evaluate(&["--protocol", "crf", "-o", &out]).exits(DONE);
    assert_eq!(folder.read("report/report.md"), run.stdout);
    for line in [
        "| CRF | 11 | 4 |",
        "| CRF + hierarchy | 11 | 4 |",
        "| content models | 11 |",
        "| unique blocks | 10 | 3 |",
    ] {
        assert!(run.stdout.contains(line), "`{line}` is missing: {}", run.stdout);
    }
    for figure in ["bleu", "rouge", "bleu-all", "rouge-all"] {
        let drawn = folder.read(&format!("report/{figure}.svg"));
        assert!(drawn.starts_with("<svg") && drawn.contains("upper threshold"), "{figure}");
    }
    let lines = json_lines(&folder.read("report/datasets.jsonl"));
    assert_eq!(lines.len(), 11);
    for line in &lines {
        let [bleu, rouge] = [0, 1].map(|at| line["methods"]["crf_hierarchy"][at].as_f64());
        assert!(bleu.is_some_and(|bleu| bleu <= 1.0) && rouge.is_some_and(|rouge| rouge <= 1.0), "{line}");
    }
    assert_eq!(
        evaluate(&["--protocol", "crf"]).exits(DONE).stdout,
        run.stdout,
        "equal data give equal reports"
    );
}

#[test]
fn options_of_other_protocols_are_refused() {
    let with = |options: &[&str]| evaluate(options).exits(WRONG_USE);
    with(&["--measure", "datasets"]).says(&["--measure goes with"]);
    for protocol in ["items", "page-sets", "crf"] {
        with(&["--protocol", protocol, "--features", "paper"]).says(&["leave out --features paper"]);
        with(&["--protocol", protocol, "--documents", "x"]).says(&["go with --protocol full"]);
    }
    let unknown = evaluate(&["--protocol", "page-sets", "--measure", "x"]).exits(FAILED);
    unknown.says(&["`x`, which is none of the data sets"]);
}

#[test]
fn made_up_sites_are_joined_and_reported() {
    let folder = TestFolder::new();
    let (first, second) = (folder.path("first"), folder.path("second"));
    let sites = ["evaluate", "--protocol", "sites", "--sites", "36", "-o"];
    let shown = lab(&[&sites[..], &[&first]].concat()).exits(DONE).stdout;
    assert_eq!(folder.read("first/report.md"), shown);
    let lines = json_lines(&folder.read("first/sites.jsonl"));
    assert_eq!(lines.len(), 36);
    for line in &lines {
        assert!(line["requests"].as_u64() >= Some(1), "{line}");
        assert_eq!(line["right"], line["faults"].as_array().unwrap().is_empty(), "{line}");
    }
    assert!(shown.lines().any(|line| line.starts_with("| all | 36 |")), "{shown}");
    lab(&[&sites[..], &[&second]].concat()).exits(DONE);
    assert_eq!(folder.read("first/sites.jsonl"), folder.read("second/sites.jsonl"));
    lab(&["evaluate", "--protocol", "sites", "--data", &data("")]).exits(WRONG_USE).says(&["--data"]);
    lab(&["evaluate"]).exits(WRONG_USE).says(&["--data"]);
    lab(&["evaluate", "--data", &data(""), "--world", "training"]).exits(WRONG_USE).says(&["--world"]);
}
