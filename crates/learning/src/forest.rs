//! A random forest, grown by `rafor`: trees on bootstrap samples, each split choosing from a few columns drawn at random.
//!
//! The score of a row is the mean, over trees, of the share of positives in the leaf it reaches. Equal rows and seed give an
//! equal forest on machines with 64-bit words; the library's random numbers differ where words have 32 bits. Cost:
//! `O(t·√d·n·depth)`.
//!
//! # Source
//!
//! Breiman (2001), Random Forests, Machine Learning 45, 5–32, <https://doi.org/10.1023/A:1010933404324>.
//!
//! DIFFERENCE: shares are averaged, as in scikit-learn; the article counts votes.

use super::fit::{FitError, LibraryAnswers, class_labels, model_of_trees};
use super::labelled_rows::LabelledRows;
use super::recorder::{TreeRecorder, forest_symbols, positive_shares};
use rafor::MaxFeaturesPolicy;
use rafor::prelude::*;
use rafor::rf::Classifier;
use tsugi_scoring::{ColumnsPerSplit, FlatModel, ForestParams, Schema};

/// One thread, since the library joins trees in the order in which its threads end.
const THREADS: usize = 1;

pub(crate) fn fit<S: Schema>(
    params: &ForestParams,
    rows: &LabelledRows<S>,
    seed: u64,
) -> Result<FlatModel<S>, FitError> {
    let trained: Classifier<TreeRecorder> = Classifier::trainer()
        .with_trees(params.trees)
        .with_max_depth(params.max_depth.unwrap_or(usize::MAX))
        .with_min_samples_leaf(params.min_samples_leaf)
        .with_min_samples_split(params.min_samples_split)
        .with_max_features(policy(params.columns_per_split))
        .with_threads(THREADS)
        .with_seed(seed)
        .train(rows.x().values(), &class_labels(rows));
    model_of_trees(rows, forest_symbols(&trained)?, || {
        Ok(LibraryAnswers::Scores(positive_shares(&trained.proba(rows.x().values(), THREADS))))
    })
}

fn policy(columns: ColumnsPerSplit) -> MaxFeaturesPolicy {
    match columns {
        ColumnsPerSplit::SquareRoot => MaxFeaturesPolicy::SQRT,
        ColumnsPerSplit::Logarithm => MaxFeaturesPolicy::LOG,
        ColumnsPerSplit::All => MaxFeaturesPolicy::NUMBER(usize::MAX),
        ColumnsPerSplit::Count(columns) => MaxFeaturesPolicy::NUMBER(columns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::check_answers;
    use crate::samples::{best_f, mixed};

    #[test]
    fn equals_the_library_s_own_forest_on_every_row() {
        let rows = mixed(20_000, 1);
        let params = ForestParams { trees: 30, ..ForestParams::default() };
        let model = fit(&params, &rows, 7).unwrap();
        // The library's default tree type shares nothing with the recorder.
        let library: Classifier =
            Classifier::trainer().with_trees(30).with_seed(7).train(rows.x().values(), &class_labels(&rows));
        for rows in [rows, mixed(5_000, 2)] {
            let expected = positive_shares(&library.proba(rows.x().values(), 1));
            check_answers(&model.score(rows.x()), &LibraryAnswers::Scores(expected)).unwrap();
        }
    }

    #[test]
    fn agrees_with_an_unrelated_forest_on_held_out_rows() {
        let (rows, held_out) = (mixed(4_000, 11), mixed(20_000, 12));
        let params = ForestParams { trees: 60, ..ForestParams::default() };
        let ours = fit(&params, &rows, 5).unwrap().score(held_out.x());
        let theirs = crate::smartcore_forest::fit(&params, &rows, 5).unwrap().score(held_out.x());
        let ours = best_f(&ours, held_out.y());
        let theirs = best_f(&theirs, held_out.y());
        assert!(ours > 0.5, "ours: {ours}");
        assert!((ours - theirs).abs() < 0.03, "ours: {ours}, theirs: {theirs}");
    }
}
