//! A random forest, grown by `rafor`.

use rafor::MaxFeaturesPolicy;
use rafor::prelude::*;
use rafor::rf::Classifier;

use super::fit::{FitError, check_equal, check_rows, class_labels};
use super::labelled_rows::LabelledRows;
use super::learner::Learner;
use super::recorder::{Recorder, forest_symbols};
use tsugi_scoring::Schema;
use tsugi_scoring::{ColumnsPerSplit, ForestParams};
use tsugi_scoring::{Combination, FlatModel};

/// One thread, since the library joins trees in the order in which its threads end.
const THREADS: usize = 1;

/// A random forest, grown by `rafor`: trees on bootstrap samples, each split choosing from a few columns drawn at random.
///
/// The score of a row is the mean, over trees, of the share of positives in the leaf it reaches.
///
/// # Determinism
///
/// Equal rows and seed give an equal forest on machines with 64-bit words; the library's random numbers differ where
/// words have 32 bits.
///
/// # Cost
///
/// `O(t·√d·n·depth)`, on one thread.
///
/// # Source
///
/// Breiman (2001), Random Forests, Machine Learning 45, 5–32, <https://doi.org/10.1023/A:1010933404324>.
///
/// DIFFERENCE: shares are averaged, as in scikit-learn; the article counts votes.
#[derive(Clone, Debug, PartialEq)]
pub struct RaforForest(pub ForestParams);

impl Learner for RaforForest {
    fn fit<S: Schema>(&self, rows: &LabelledRows<S>, seed: u64) -> Result<FlatModel<S>, FitError> {
        check_rows(rows, u32::MAX as usize)?;
        let params = &self.0;
        params.check()?;
        let trained: Classifier<Recorder> = Classifier::trainer()
            .with_trees(params.trees)
            .with_max_depth(params.max_depth.unwrap_or(usize::MAX))
            .with_min_samples_leaf(params.min_samples_leaf)
            .with_min_samples_split(params.min_samples_split)
            .with_max_features(policy(params.columns_per_split))
            .with_threads(THREADS)
            .with_seed(seed)
            .train(rows.x().values(), &class_labels(rows));
        let model = FlatModel::assemble(Combination::MeanOfLeaves, forest_symbols(&trained)?)?;
        if cfg!(debug_assertions) {
            let shares = trained.proba(rows.x().values(), THREADS);
            let expected: Vec<f32> = shares.chunks_exact(2).map(|shares| shares[1]).collect();
            check_equal(&model, rows, &expected)?;
        }
        Ok(model.covering(rows.x()))
    }
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
    use crate::SmartcoreForest;
    use crate::metrics::best_threshold;
    use crate::samples::mixed;
    use tsugi_scoring::ForestParams;

    #[test]
    fn equals_the_library_s_own_forest_on_every_row() {
        let rows = mixed(20_000, 1);
        let params = ForestParams { trees: 30, ..ForestParams::default() };
        let model = RaforForest(params).fit(&rows, 7).unwrap();
        // the library's default tree type, which shares nothing with the recorder
        let library: Classifier =
            Classifier::trainer().with_trees(30).with_seed(7).train(rows.x().values(), &class_labels(&rows));
        for rows in [rows, mixed(5_000, 2)] {
            let shares = library.proba(rows.x().values(), 1);
            let expected: Vec<f32> = shares.chunks_exact(2).map(|shares| shares[1]).collect();
            check_equal(&model, &rows, &expected).unwrap();
        }
    }

    #[test]
    fn agrees_with_an_unrelated_forest_on_held_out_rows() {
        let (rows, held_out) = (mixed(4_000, 11), mixed(20_000, 12));
        let params = ForestParams { trees: 60, ..ForestParams::default() };
        let ours = RaforForest(params.clone()).fit(&rows, 5).unwrap().score(held_out.x());
        let theirs = SmartcoreForest(params).fit(&rows, 5).unwrap().score(held_out.x());
        let ours = best_threshold(&ours, held_out.y()).unwrap().confusion.f1();
        let theirs = best_threshold(&theirs, held_out.y()).unwrap().confusion.f1();
        assert!(ours > 0.5, "ours: {ours}");
        assert!((ours - theirs).abs() < 0.03, "ours: {ours}, theirs: {theirs}");
    }
}
