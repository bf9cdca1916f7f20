//! Trained models, stored, explained and asked in turn.

use super::boosted::boost;
use super::learner::ModelLearner;
use super::samples::mixed;
use crate::samples::MixedRows;
use tsugi_scoring::{
    Algorithm, BoostedParams, Combination, FlatModel, InTurn, Matrix, ModelFile, ModelHeader, Params,
};

fn trained(algorithm: Algorithm) -> ModelFile<MixedRows> {
    let mut params = Params::of(algorithm);
    match &mut params {
        Params::Tree(_) | Params::LinfaTree(_) | Params::LinfaLogistic(_) => {}
        Params::Forest(forest) | Params::SmartcoreForest(forest) => forest.trees = 20,
        Params::Boosted(boosted) => boosted.trees = 20,
    }
    let model = params.fit(&mixed(3_000, 1), 1).unwrap();
    ModelFile { header: ModelHeader::new::<MixedRows>(params, 1), model }
}

#[test]
fn trained_models_come_back_bit_for_bit() {
    let rows = mixed(1_000, 2);
    for algorithm in Algorithm::ALL {
        let file = trained(algorithm);
        let bytes = file.to_bytes().unwrap();
        assert_eq!(
            bytes,
            trained(algorithm).to_bytes().unwrap(),
            "{algorithm}: equal seeds give equal bytes"
        );
        let read = ModelFile::<MixedRows>::from_bytes(&bytes).unwrap();
        assert!(read == file, "{algorithm}");
        let bits = |scores: Vec<f32>| scores.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(read.model.score(rows.x())), bits(file.model.score(rows.x())));
        assert_eq!(read.model.bias().to_bits(), file.model.bias().to_bits(), "means come back as well");
    }
}

#[test]
fn bias_and_contributions_make_the_score() {
    let rows = mixed(2_000, 6);
    for algorithm in Algorithm::ALL {
        let model = Params::of(algorithm).fit(&rows, 1).unwrap();
        for row in rows.x().iter().take(200) {
            let sum = model.bias() + model.contributions(row).iter().sum::<f64>();
            let score = match model.combination() {
                Combination::MeanOfLeaves => sum,
                Combination::LogisticOfSum { .. } => 1.0 / (1.0 + (-sum).exp()),
            };
            let expected = f64::from(model.score_row(row));
            assert!((score - expected).abs() < 1e-5, "{algorithm}: {score} is not {expected}");
        }
    }
}

/// The mean of three models, each grown on a share of the rows.
fn mean_on(rows_per_tree: f32) -> (FlatModel<MixedRows>, Matrix<MixedRows>) {
    let rows = mixed(600, 3);
    let targets: Vec<f32> = rows.y().iter().map(|label| f32::from(u8::from(*label))).collect();
    let params = BoostedParams { trees: 20, leaves: 8, rows_per_tree, ..BoostedParams::default() };
    let fit = |seed| boost(&params, rows.x(), &targets, None, seed).unwrap();
    (FlatModel::mean_of(&[fit(1), fit(2), fit(3)]).unwrap(), rows.x().clone())
}

fn log_odds(score: f32) -> f32 {
    (score / (1.0 - score)).ln()
}

#[test]
fn the_others_are_asked_of_what_the_first_is_not_sure_of() {
    let (model, x) = mean_on(1.0);
    let all = model.score(&x);
    for sure in [1.0, 2.0] {
        let scores = InTurn::of(&model, 3, sure).unwrap().score(&x);
        let (clear, unclear): (Vec<usize>, Vec<usize>) =
            (0..x.rows()).partition(|row| log_odds(scores[*row]).abs() > sure + 1e-3);
        assert!(clear.len() > 20 && unclear.len() > 20, "{} {}", clear.len(), unclear.len());
        assert!(unclear.iter().filter(|row| scores[**row] != all[**row]).count() < 7);
        assert!(clear.iter().any(|row| scores[*row] != all[*row]));
        // What one model is sure of the others see as it does.
        assert!(clear.iter().all(|row| (scores[*row] - all[*row]).abs() < 0.2));
    }
    let never_sure = InTurn::of(&model, 3, f32::INFINITY).unwrap();
    assert_eq!(never_sure.score(&x), all);
}

#[test]
fn rows_get_the_same_scores_whether_they_walk_or_the_splits_are_sorted() {
    let (model, x) = mean_on(1.0);
    let bits = |scores: Vec<f32>| scores.into_iter().map(f32::to_bits).collect::<Vec<_>>();
    for sure in [0.0, 1.0, 2.0, f32::INFINITY] {
        let (sorted, walking) = (model.clone(), model.clone());
        let of_all = bits(InTurn::of(&sorted, 3, sure).unwrap().score(&x));
        assert!(sorted.has_turns(1, 20));
        // So few rows walk, each first asked of one model, then some of the others.
        let mut from = 0;
        for rows in [0, 3, 20] {
            let some = x.select(&(from..from + rows).collect::<Vec<_>>());
            let scores = bits(InTurn::of(&walking, 3, sure).unwrap().score(&some));
            assert_eq!(scores, of_all[from..from + rows], "{sure} {rows}");
            from += rows;
        }
        assert!(!walking.has_turns(1, 20));
        let scores = bits(InTurn::of(&walking, 3, sure).unwrap().score(&x));
        assert_eq!(scores, of_all);
        assert!(InTurn::of(&walking, 3, sure).unwrap().score(&Matrix::new()).is_empty());
    }
}

#[test]
fn rows_that_are_asked_twice_count_once() {
    let (model, x) = mean_on(1.0);
    let in_turn = InTurn::of(&model, 3, f32::INFINITY).unwrap();
    let twenty = x.select(&(0..20).collect::<Vec<_>>());
    in_turn.score(&twenty);
    // 20 and 11 rows are not worth sorting the splits for, 20 and 12 are.
    assert!(!model.has_turns(11, 20));
    assert!(model.has_turns(1, 20));
}

#[test]
fn a_model_asked_as_three_and_as_two_answers_as_each() {
    let (model, x) = mean_on(1.0);
    let as_three = InTurn::of(&model, 3, 1.0).unwrap().score(&x);
    let as_two = InTurn::of(&model, 2, 1.0).unwrap().score(&x);
    assert_ne!(as_three, as_two);
    let unasked = mean_on(1.0).0;
    assert_eq!(as_two, InTurn::of(&unasked, 2, 1.0).unwrap().score(&x));
}

#[test]
fn reasons_are_those_of_the_models_that_were_asked() {
    // Grown on other rows each, so that the reasons of one model are not those of the mean.
    let (model, x) = mean_on(0.5);
    let in_turn = InTurn::of(&model, 3, 2.0).unwrap();
    let mut sure = 0;
    for (row, score) in x.iter().zip(in_turn.score(&x)) {
        let sum = in_turn.bias(row) + in_turn.reasons(row).iter().map(|(.., part)| part).sum::<f64>();
        let explained = 1.0 / (1.0 + (-sum).exp());
        assert!((explained - f64::from(score)).abs() < 1e-5, "{explained} is not {score}");
        // The reasons of all models are those of the mean.
        sure += usize::from(in_turn.reasons(row) != model.reasons(row));
    }
    assert!((20..x.rows() - 20).contains(&sure), "{sure}");
}

#[test]
fn one_model_has_no_others() {
    let (model, _) = mean_on(1.0);
    assert!(InTurn::of(&model, 1, 1.0).is_none() && InTurn::of(&model, 0, 1.0).is_none());
    assert!(InTurn::of(&model, 7, 1.0).is_none(), "60 trees are no seven models");
}
