//! `tsugi-lab train continuation`.

use crate::support::{DONE, FAILED, TestFolder, data, lab};
use tsugi::models::JudgeModel;

fn trained_judge(folder: &TestFolder) -> Vec<u8> {
    let (model, card, datasets) = (folder.path("continuation.model"), folder.path("card.md"), data(""));
    lab(&["train", "continuation", "--data", &datasets, "-o", &model, "--card", &card])
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
fn equal_data_give_equal_judges_that_can_be_used() {
    let [one, two] = [(); 2].map(|()| trained_judge(&TestFolder::new()));
    assert!(one == two, "two runs differ");
    assert!(JudgeModel::from_bytes(&one).is_ok());
}

#[test]
fn the_thesis_has_no_features_of_pairs() {
    let folder = TestFolder::new();
    let model = folder.path("x.model");
    let train = ["train", "continuation", "--features", "paper", "--data", &data(""), "-o", &model];
    lab(&train).exits(FAILED).says(&["no features of pairs"]);
    assert!(folder.names().is_empty());
}
