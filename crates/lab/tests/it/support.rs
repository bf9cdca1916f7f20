//! What the tests share, with the program under test.

use std::ffi::OsStr;
pub(crate) use tsugi_testing::*;

pub(crate) const LAB: &str = env!("CARGO_BIN_EXE_tsugi-lab");

#[track_caller]
pub(crate) fn lab<A: AsRef<OsStr>>(arguments: &[A]) -> ProgramRun {
    run(LAB, arguments)
}

/// Trains on the project's data set into a folder; returns the model file and its card.
pub(crate) fn train(task: &str, options: &[&str], folder: &TestFolder) -> (Vec<u8>, String) {
    let (model, card) = (folder.path(&format!("{task}.model")), folder.path(&format!("{task}.md")));
    let datasets = data("");
    lab(&[&["train", task, "--data", &datasets, "-o", &model, "--card", &card], options].concat())
        .exits(DONE)
        .writes_nothing()
        .says(&[".model", "11 pages of 4 sites"]);
    (std::fs::read(model).unwrap(), folder.read(&format!("{task}.md")))
}
