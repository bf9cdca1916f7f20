//! Results that are committed are what the code gives.

#![expect(clippy::unwrap_used, reason = "a test says why it fails")]

use std::path::PathBuf;
use std::time::Duration;
use tsugi_papers::paper::{PaperExamples, PaperPlan, paper_report, run_paper};
use tsugi_training::dataset::DataSet;

fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Opens data sets of real pages beside the project.
fn real_sets(names: &[&str]) -> Vec<DataSet> {
    let data = workspace().join("../shared/data");
    names.iter().map(|name| DataSet::open(&data.join(name)).unwrap()).collect()
}

/// The methods of a section of a report, and their figures on the single split.
fn single_split<'a>(report: &'a str, title: &str) -> Vec<Vec<&'a str>> {
    let (_, section) = report.split_once(title).unwrap();
    let rows = section.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
    let rows = rows.take_while(|line| line.starts_with('|')).filter(|line| !line.contains("*thesis*"));
    rows.map(|row| row.split('|').skip(1).take(4).collect()).collect()
}

#[test]
#[ignore = "needs the pages in ../shared/data"]
fn the_committed_report_is_what_the_single_split_gives() {
    let sets = real_sets(&["sites", "crawls", "wedata"]);
    let examples = PaperExamples::read(&sets, || ()).unwrap();
    let plan = PaperPlan { seed: 1, splits: 1, choice_splits: 0 };
    let report =
        paper_report(&run_paper(&sets, &examples, plan, &|| Duration::ZERO, &|| ()).unwrap()).unwrap();
    let committed = std::fs::read_to_string(workspace().join("models/results/paper/report.md")).unwrap();
    for title in ["## Next link, link by link", "## Main content, node by node"] {
        let ours = single_split(&report.files[0].1, title);
        assert_eq!(ours, single_split(&committed, title), "{title}: run scripts/reproduce");
    }
}

#[test]
fn the_data_of_the_project_can_be_read() {
    let sets = vec![DataSet::open(&workspace().join("datasets")).unwrap()];
    let examples = PaperExamples::read(&sets, || ()).unwrap();
    assert_eq!(examples.complaints, []);
    assert_eq!((examples.pages.len(), examples.groups.count()), (11, 4));
    assert!(examples.pages.iter().all(|page| page.links.is_some() && page.content.is_some()));
    let next = |page: &tsugi_papers::paper::PageExample| {
        page.links.as_ref().is_some_and(|links| links.is_next.contains(&true))
    };
    assert_eq!(examples.pages.iter().filter(|page| next(page)).count(), 3 + 2 + 2);
    assert_eq!(examples.digest.len(), 32);
}

#[test]
fn labels_without_pages_are_complaints() {
    let folder = tempfile::tempdir().unwrap();
    let label = r#"{"url":"http://a.test/","site":"a","labels":["next"]}"#;
    std::fs::write(folder.path().join("labels.jsonl"), label).unwrap();
    std::fs::copy(workspace().join("datasets/pages.warc.gz"), folder.path().join("pages.warc.gz")).unwrap();
    let examples = PaperExamples::read(&[DataSet::open(folder.path()).unwrap()], || ()).unwrap();
    assert!(examples.pages.is_empty());
    let complaints: Vec<String> = examples.complaints.iter().map(ToString::to_string).collect();
    assert_eq!(
        complaints.len(),
        12,
        "eleven pages without a label, one label without a page: {complaints:?}"
    );
    assert!(complaints.iter().any(|text| text.ends_with("http://a.test/: the label has no page")));
}
