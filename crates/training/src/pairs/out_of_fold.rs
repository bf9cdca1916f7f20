//! Pairs read with link models that have not seen their sites.

use super::examples::{PairExamples, PairSources};
use crate::cross_validation::EvaluateError;
use crate::dataset::DataSet;
use crate::labelled_pages::ModelTrainer;
use crate::train_error::TrainError;
use tsugi::models::ContentModel;
use tsugi_next_link::NextLinkDetector;

const FOLDS: usize = 5;

impl PairExamples {
    /// Trains link models on four fifths of the groups each and reads the data sets, every page with the model that
    /// has not seen its group; `progress` is called after every page and every model.
    ///
    /// Links are scored out of fold, as the most likely links of a page decide which pairs there are. Content is that of a model
    /// as it is: even with a rule's content, the judge refused one more of 551 true pairs.
    ///
    /// # Errors
    ///
    /// [`EvaluateError`] if data cannot be read or a fold cannot be trained.
    pub fn out_of_fold(
        sets: &[DataSet],
        trainer: &ModelTrainer<'_>,
        content: &ContentModel,
        mut progress: impl FnMut(),
    ) -> Result<PairExamples, EvaluateError> {
        // Without a pair nothing can be learned, and the folds take minutes.
        if !sets.iter().any(DataSet::has_pairs) {
            return Err(TrainError::NoPairs("continues on").into());
        }
        let groups = &trainer.examples.groups;
        let fold_of = groups.folds(FOLDS, trainer.seed);
        let mut links = Vec::with_capacity(FOLDS);
        for fold in 0..FOLDS {
            let bundle = trainer.links(&|group| fold_of[group] != fold)?;
            links.push(NextLinkDetector::from_bundle(&bundle)?);
            progress();
        }
        let next = |group: usize| &links[fold_of[group]];
        let of_stored = trainer.links_for_made_up(sets)?;
        let sources = PairSources { next: &next, of_stored: of_stored.as_ref(), content: &|_| content };
        Ok(PairExamples::read(sets, groups, sources, progress)?)
    }
}
