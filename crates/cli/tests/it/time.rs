//! Time limits of a document and of a run.

use crate::support::{
    DONE, FAILED, LOCAL, LoopbackServer, PARTLY_FAILED, TestFolder, canned, html, join_live, loopback_rules,
    page, patient_site, tsugi,
};
use std::time::Duration;

#[test]
fn a_document_ends_when_its_time_is_up() {
    let (folder, server) = (TestFolder::new(), LoopbackServer::start(canned(patient_site())));
    let rules = loopback_rules(&folder);
    let run = join_live(&["--rules", &rules, "--max-time", "2", "-f", "json", &server.address("/1")])
        .exits(PARTLY_FAILED);
    let run = run.says(&["1 page, incomplete; stopped: max-time", "raise --max-time"]);
    let document = run.json();
    assert_eq!((&document["stopped"]["reason"], &document["text"]), (&"max-time".into(), &"One.".into()));
    let slow = LoopbackServer::slow(Duration::from_secs(5), canned(patient_site()));
    join_live(&["--max-run-time", "0.5", &slow.address("/1")])
        .exits(FAILED)
        .says(&["time limit"])
        .writes_nothing();
}

#[test]
fn a_batch_ends_when_its_time_is_up_and_goes_on_later() {
    let (folder, slow) = (TestFolder::new(), LoopbackServer::start(canned(patient_site())));
    let rules = loopback_rules(&folder);
    let quick = LoopbackServer::start(canned([("/1", html(page("Quick.", None)))]));
    let input = folder.file("urls.txt", format!("{}\n{}\n", quick.address("/1"), slow.address("/1")));
    let out = folder.path("out");
    let batch = |options: &[&str]| {
        tsugi(&[&["join", "--input", &input, "-o", &out, "--rules", &rules], &LOCAL[..], options].concat())
    };
    let run = batch(&["--max-run-time", "4"]).exits(PARTLY_FAILED);
    run.says(&["2 URLs: 1 done", "stopped with 1 URL to go", "run the command again"]);
    // The time of a document is up: it is written, and tried again.
    let run = batch(&["--max-time", "2"]).exits(PARTLY_FAILED);
    run.says(&["2 URLs: 1 done (1 pages; 1 cut short by a failure), 0 failed, 1 done before"]);
    let index = folder.read("out/index.jsonl");
    assert!(index.contains("\"reason\":\"max-time\""), "{index}");
    std::fs::remove_file(folder.path("urls.txt")).unwrap();
    folder.file("urls.txt", quick.address("/1"));
    batch(&["--max-time", "2"]).exits(DONE);
}
