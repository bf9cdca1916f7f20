//! `tsugi lab` runs the program `tsugi-lab`.

use crate::support::{DONE, FAILED, PARTLY_FAILED, TSUGI, WRONG_USE, data, finish, lab_is_built, tsugi};
use std::env::consts::EXE_SUFFIX;

#[test]
fn the_program_beside_tsugi_is_run() {
    if !lab_is_built() {
        return;
    }
    let pages = data("pages.warc.gz");
    let run = tsugi(&["lab", "blocks", "unique", &pages]).exits(PARTLY_FAILED);
    let lines = run.json_lines();
    let alone = lines.iter().filter(|line| line["error"].is_string()).count();
    assert_eq!((lines.len(), alone), (11, 1), "one host has a single page");
    tsugi(&["lab", "evaluate", "--data", "x", "--folds", "1"])
        .exits(WRONG_USE)
        .writes_nothing()
        .says(&["--folds"]);
    tsugi(&["lab", "blocks", "unique", "none.warc.gz"]).exits(FAILED).says(&["none.warc.gz"]);
    let help = tsugi(&["lab", "--help"]).exits(DONE).stdout;
    assert!(help.contains("\nUsage: tsugi-lab "), "{help}");
}

#[test]
fn without_the_program_tsugi_says_how_to_get_it() {
    // A hard link in the same file system: a copy may still be open for writing when it is run.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let alone = folder.path().join(format!("tsugi{EXE_SUFFIX}"));
    std::fs::hard_link(TSUGI, &alone).unwrap();
    let mut command = tsugi_testing::command(alone.to_str().unwrap(), &["lab", "train", "content"]);
    let run = finish(command.env("PATH", "").spawn().unwrap()).exits(FAILED).writes_nothing();
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    run.says(&["neither beside tsugi nor on the PATH", "`cargo install --path crates/lab`"]);
}
