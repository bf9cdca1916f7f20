//! `tsugi train continuation`, and joining with what it makes.

use crate::support::{DONE, FAILED, Folder, data, tsugi};

/// Trains into a folder; returns the model file.
fn train(folder: &Folder) -> Vec<u8> {
    let (model, card, datasets) = (folder.path("continuation.model"), folder.path("card.md"), data(""));
    tsugi(&["lab", "train", "continuation", "--data", &datasets, "-o", &model, "--card", &card])
        .exits(DONE)
        .writes_nothing()
        .says(&["continuation.model", "(7 positive)"]);
    let card = folder.read("card.md");
    for fact in ["continuation/full/1", "data digest", "`back_link`", "true_pairs_held"] {
        assert!(card.contains(fact), "`{fact}` is missing: {card}");
    }
    std::fs::read(model).unwrap()
}

#[test]
fn equal_data_give_equal_judges_that_joining_takes() {
    let (one, two) = (Folder::new(), Folder::new());
    assert!(train(&one) == train(&two), "two runs differ");
    let model = one.path("continuation.model");
    let (pages, start) = (data("pages.warc.gz"), "https://notes.example/blog/index.html");
    tsugi(&["join", start, "--pages", &pages, "--continuation-model", &model]).exits(DONE);
    let links = one.file("no.model", "no model");
    tsugi(&["join", start, "--pages", &pages, "--continuation-model", &links])
        .exits(FAILED)
        .says(&["no.model", "cannot be used"]);
}

#[test]
fn the_thesis_has_no_features_of_pairs() {
    let folder = Folder::new();
    let model = folder.path("x.model");
    let train = ["lab", "train", "continuation", "--features", "paper", "--data", &data(""), "-o", &model];
    tsugi(&train).exits(FAILED).says(&["no features of pairs"]);
    assert!(folder.names().is_empty());
}
