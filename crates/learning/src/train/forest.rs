//! A random forest, grown by `rafor`.

use rafor::MaxFeaturesPolicy;
use rafor::prelude::*;
use rafor::rf::Classifier;

use super::fit::{FitError, check_equal, check_rows, class_labels};
use super::labelled_rows::LabelledRows;
use super::recorder::{Recorder, forest_symbols};
use crate::column::Schema;
use crate::flat::{Combination, FlatModel};
use crate::params::{ColumnsPerSplit, ValidForestParams};

/// The library joins trees in the order in which its threads end: with one there is one order.
const THREADS: usize = 1;

impl ValidForestParams {
    /// Grows trees on bootstrap samples, each split choosing from a few columns drawn at random.
    ///
    /// The score of a row is the mean, over trees, of the share of positives in the leaf it reaches.
    ///
    /// # Errors
    ///
    /// As for [`fit`](crate::fit()).
    ///
    /// # Determinism
    ///
    /// Equal rows and `seed` give an equal forest on machines with 64-bit words; the library's generator is
    /// another one where words have 32.
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
    pub fn fit<S: Schema>(&self, rows: &LabelledRows<S>, seed: u64) -> Result<FlatModel<S>, FitError> {
        check_rows(rows, u32::MAX as usize)?;
        let params = self.get();
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
    use crate::ForestParams;
    use crate::metrics::best_threshold;
    use crate::samples::Mixed;
    use crate::train::samples::mixed;

    fn forest(trees: usize) -> ValidForestParams {
        ForestParams { trees, ..ForestParams::default() }.check().unwrap()
    }

    #[test]
    fn equals_the_library_s_own_forest_on_every_row() {
        let rows = mixed(20_000, 1);
        let model = forest(30).fit(&rows, 7).unwrap();
        // the library's default tree type, which shares nothing with the recorder
        let library: Classifier =
            Classifier::trainer().with_trees(30).with_seed(7).train(rows.x().values(), &class_labels(&rows));
        for rows in [rows, mixed(5_000, 2)] {
            let shares = library.proba(rows.x().values(), 1);
            let expected: Vec<f32> = shares.chunks_exact(2).map(|shares| shares[1]).collect();
            check_equal(&model, &rows, &expected).unwrap();
        }
    }

    /// Trees of `smartcore` as it serialises them.
    #[derive(serde::Deserialize)]
    struct OtherForest {
        trees: Vec<OtherTree>,
    }

    #[derive(serde::Deserialize)]
    struct OtherTree {
        nodes: Vec<OtherNode>,
    }

    #[derive(serde::Deserialize)]
    struct OtherNode {
        output: usize,
        split_feature: usize,
        split_value: Option<f64>,
        true_child: Option<usize>,
        false_child: Option<usize>,
    }

    impl OtherTree {
        /// Whether the tree votes for the positive class.
        fn votes(&self, row: &[f32]) -> bool {
            let mut node = &self.nodes[0];
            while let (Some(yes), Some(no), Some(value)) =
                (node.true_child, node.false_child, node.split_value)
            {
                let goes = f64::from(row[node.split_feature]) <= value;
                node = &self.nodes[if goes { yes } else { no }];
            }
            node.output == 1
        }
    }

    #[test]
    fn agrees_with_an_unrelated_forest_on_held_out_rows() {
        use smartcore::ensemble::random_forest_classifier::{
            RandomForestClassifier, RandomForestClassifierParameters,
        };
        use smartcore::linalg::basic::matrix::DenseMatrix;

        const TREES: u16 = 60;
        let (rows, held_out) = (mixed(4_000, 11), mixed(20_000, 12));
        let x: Vec<Vec<f32>> = rows.x().iter().map(<[f32]>::to_vec).collect();
        let x = DenseMatrix::from_2d_vec(&x).unwrap();
        let y: Vec<u32> = rows.y().iter().map(|&label| u32::from(label)).collect();
        let params = RandomForestClassifierParameters::default().with_n_trees(TREES).with_m(3).with_seed(5);
        let other = RandomForestClassifier::fit(&x, &y, params).unwrap();
        let other: OtherForest = serde_json::from_str(&serde_json::to_string(&other).unwrap()).unwrap();
        let votes = |row: &[f32]| other.trees.iter().filter(|tree| tree.votes(row)).count() as f32;
        let theirs: Vec<f32> = held_out.x().iter().map(|row| votes(row) / f32::from(TREES)).collect();

        let ours = forest(TREES.into()).fit::<Mixed>(&rows, 5).unwrap().score(held_out.x());
        let ours = best_threshold(&ours, held_out.y()).unwrap().confusion.f1();
        let theirs = best_threshold(&theirs, held_out.y()).unwrap().confusion.f1();
        assert!(ours > 0.5, "ours: {ours}");
        assert!((ours - theirs).abs() < 0.03, "ours: {ours}, theirs: {theirs}");
    }
}
