//! `tsugi-lab features` and `tsugi-lab thesis`.

use crate::support::{DONE, FAILED, TestFolder, WRONG_USE, data, lab, labels, train};

#[test]
fn rows_of_features_are_written_as_csv() {
    let folder = TestFolder::new();
    let rows = |kind: &str, columns: usize, positives: usize| {
        let out = folder.path(&format!("{kind}.csv"));
        lab(&["features", kind, "--data", &data(""), "-o", &out])
            .exits(DONE)
            .writes_nothing()
            .says(&[" rows"]);
        let csv = folder.read(&format!("{kind}.csv"));
        let mut lines = csv.lines();
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        assert_eq!(names.len(), 5 + columns, "{names:?}");
        let is_positive = |line: &&str| line.split(',').nth(4) == Some("1");
        assert_eq!(lines.clone().filter(is_positive).count(), positives, "{kind}");
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let with_next = labels().iter().filter(|label| !label["next"].is_null()).count();
    let links = rows("links", 9, with_next);
    assert!(links[0].starts_with("datasets,magazine.example,https://magazine.example/"), "{}", links[0]);
    assert!(rows("elements", 14, 24).len() > links.len());
}

#[test]
fn the_thesis_joins_by_its_two_models_alone() {
    let folder = TestFolder::new();
    for task in ["next-link", "content"] {
        train(task, &["--features", "paper", "--min-leaf", "1"], &folder);
    }
    let (next, content) = (folder.path("next-link.model"), folder.path("content.model"));
    let models = ["--next-model", &next, "--content-model", &content];
    let first = data("english-article/1.html");
    let run = lab(&[&["thesis", &first][..], &models].concat()).exits(DONE);
    let run = run.says(&["4 pages; stopped: no-next"]);
    assert!(run.stdout.contains("Moon’s Hours"), "{}", run.stdout);
    let stored = labels()[0]["url"].as_str().unwrap().to_owned();
    let archive = data("pages.warc.gz");
    let again = lab(&[&["thesis", &stored, "--pages", &archive][..], &models].concat()).exits(DONE);
    assert!(!again.stdout.is_empty());
    lab(&[&["thesis", &archive][..], &models].concat()).exits(FAILED).says(&["is an archive"]);
    lab(&["thesis", &first]).exits(WRONG_USE).says(&["--next-model"]);
}
