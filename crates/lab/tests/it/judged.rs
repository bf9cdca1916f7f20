//! `tsugi-lab evaluate` with models and answers that there are already.

use crate::support::{DONE, FAILED, ProgramRun, TestFolder, WRONG_USE, data, json_lines, lab, labels, train};
use serde_json::{Value, json};

fn judge(options: &[&str]) -> ProgramRun {
    lab(&[&["evaluate", "--data", &data("")], options].concat())
}

/// The row of a table that begins with these cells.
#[track_caller]
fn row<'a>(report: &'a str, after: &str, begins: &str) -> &'a str {
    let (_, rest) = report.split_once(after).unwrap_or_else(|| panic!("no `{after}`: {report}"));
    rest.lines().find(|line| line.starts_with(begins)).unwrap_or_else(|| panic!("no `{begins}`: {rest}"))
}

/// The answers that the labels are, as `tsugi scan` writes them.
fn right_answers() -> Vec<Value> {
    let answer = |label: &Value| {
        let next = label["next"].as_str().map(|url| json!({"url": url, "score": 1.0}));
        json!({"url": label["url"], "next": next, "content": {"text": label["text"]}, "error": null})
    };
    labels().iter().map(answer).collect()
}

fn lines(values: &[Value]) -> String {
    values.iter().flat_map(|value| [value.to_string(), "\n".to_owned()]).collect()
}

#[test]
fn models_are_measured_side_by_side_without_training() {
    let folder = TestFolder::new();
    for task in ["next-link", "content"] {
        train(task, &[], &folder);
    }
    let judge_of_pairs = folder.path("continuation.model");
    lab(&["train", "continuation", "--data", &data(""), "-o", &judge_of_pairs]).exits(DONE);
    let [next, content, pairs] =
        ["next-link", "content", "continuation"].map(|task| folder.path(&format!("{task}.model")));
    let (one, out) = ([next.as_str(), &content, &pairs].join(","), folder.path("report"));
    // The models know these sites, and say so.
    judge(&["--model", &one])
        .exits(FAILED)
        .writes_nothing()
        .says(&["learned from every site of the data", "--seen-sites"]);
    let run = judge(&["--model", &one, "built-in", &next, "--seen-sites", "-o", &out]).exits(DONE);
    let report = &run.stdout;
    assert_eq!(*report, folder.read("report/report.md"));
    assert!(
        report.contains("Pages of sites that a model learned from are measured all the same"),
        "{report}"
    );
    for name in [&one, "built-in"] {
        let pages = row(report, &format!("## {name}\n"), "| all |");
        assert!(pages.contains("| 7 | 4 |") && pages.ends_with("| 11 |"), "{pages}");
    }
    let alone = row(report, &format!("## {next}\n"), "| all |");
    assert!(alone.ends_with("| – | 0 |"), "a link model has no text: {alone}");
    let difference = row(report, "# Differences", "| datasets | built-in |");
    assert_eq!(difference.matches(" to ").count(), 3, "{difference}");
    let joins = row(report, "# Joins", "| datasets |");
    assert!(joins.contains("| 7 |") && joins.contains("| 3 |"), "seven pairs, three sequences: {joins}");
    let held = row(report, "# Pairs", &format!("| datasets | {one} |"));
    assert!(held.contains(" of 7 |"), "{held}");
    assert!(row(report, "# Not measured", &format!("## {next}")).contains(&next));
    assert!(report.contains("| all | text F | the files that are judged say nothing of it |"), "{report}");
    for place in ["1", "2", "3"] {
        assert_eq!(json_lines(&folder.read(&format!("report/{place}-datasets.jsonl"))).len(), 11);
    }
    let sites = json_lines(&folder.read("report/sites.jsonl"));
    assert_eq!(sites.len(), 3 * 4, "a line for each site and model");
    assert!(sites.iter().all(|line| line["next"]["labelled"].is_u64() && line["pages"].is_u64()));
    let again = judge(&["--model", &one, "built-in", &next, "--seen-sites"]).exits(DONE);
    assert_eq!(again.stdout, run.stdout, "equal files give equal reports");
}

#[test]
fn models_of_the_thesis_are_measured() {
    let folder = TestFolder::new();
    for task in ["next-link", "content"] {
        train(task, &["--features", "paper"], &folder);
    }
    let [next, content] = ["next-link", "content"].map(|task| folder.path(&format!("{task}.model")));
    let both = format!("{next},{content}");
    let report = judge(&["--model", &both, &next, "--seen-sites"]).exits(DONE).stdout;
    let (of_both, of_one) =
        (row(&report, &format!("## {both}\n"), "| all |"), row(&report, &format!("## {next}\n"), "| all |"));
    let next_figures = |row: &str| row.split(" | ").skip(1).take(6).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(next_figures(of_both), next_figures(of_one));
    assert!(of_both.ends_with("| 11 |") && of_one.ends_with("| 0 |"), "{report}");
    let sites = folder.read("next-link.md");
    assert!(!sites.contains("sites_seen"), "the digests are not for people: {sites}");
}

#[test]
fn answers_of_any_program_are_measured() {
    let folder = TestFolder::new();
    let right = right_answers();
    let all = folder.file("all.jsonl", lines(&right));
    let report = judge(&["--answers", &all]).exits(DONE).stdout;
    let figures = row(&report, "## ", "| datasets |");
    assert!(
        figures.starts_with("| datasets | 1.000 | 1.000 | 1.000 (") && figures.contains("| 1.000 (1.000"),
        "{report}"
    );
    // Without a line, nothing was found; without a field, nothing is measured.
    let few: Vec<Value> =
        right[..5].iter().map(|line| json!({"url": line["url"], "next": line["next"]})).collect();
    let few = folder.file("few.jsonl", lines(&few));
    let run =
        judge(&["--answers", &all, &few]).exits(DONE).says(&["few.jsonl: 6 labelled pages have no line"]);
    let of_few = row(&run.stdout, "few.jsonl\n", "| datasets |");
    assert!(of_few.starts_with("| datasets | 1.000 | 0.") && of_few.ends_with("| – | 0 |"), "{of_few}");
    let broken = folder.file("broken.jsonl", "{\"url\": \"https://a.test/\"}\n{\"next\": 1}\n");
    judge(&["--answers", &broken]).exits(FAILED).writes_nothing().says(&["broken.jsonl", "line 2"]);
    let empty = folder.file("empty.jsonl", "");
    judge(&["--answers", &empty]).exits(FAILED).writes_nothing().says(&["empty.jsonl", "holds no answers"]);
}

#[test]
fn what_cannot_be_judged_is_refused() {
    let folder = TestFolder::new();
    let none = folder.path("none.model");
    judge(&["--model", &none]).exits(FAILED).writes_nothing().says(&["none.model", "cannot read"]);
    let text = folder.file("text.model", "no model");
    judge(&["--model", &text]).exits(FAILED).writes_nothing().says(&["text.model", "no model file"]);
    judge(&["--model", "built-in", "built-in"]).exits(WRONG_USE).says(&["`built-in` is named twice"]);
    judge(&["--model", "built-in", "--folds", "3"]).exits(WRONG_USE).says(&["--folds"]);
    judge(&["--seen-sites"]).exits(WRONG_USE).says(&["--seen-sites goes with"]);
    lab(&["evaluate", "--model", "built-in"]).exits(WRONG_USE).says(&["--data is missing"]);
}
