//! Training of the two chains, and the choice of the thresholds of the second judgement.

use super::measure::{Overlaps, PageOverlap, best_pair, overlaps};
use super::pages::{BlockSequence, CrfExamples, CrfPage};
use crate::block_crf::{BlockCrf, Thresholds, TreeBlockColumns};
use crate::chain::{Crf, CrfError, CrfFit, CrfParams, LabelledSequence};
use std::collections::BTreeSet;
use tsugi_scoring::{Bundle, BundleError, MatrixError, TrainedOn};
use tsugi_training::random::mix;

/// Why no chains are trained.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CrfTrainError {
    /// A chain cannot be learned.
    #[error("the chain of {of} blocks: {source}")]
    Chain {
        /// Which blocks.
        of: &'static str,
        /// Why.
        source: CrfError,
    },
    /// A page leads to values that are no numbers.
    #[error(transparent)]
    Rows(#[from] MatrixError),
    /// The models cannot be stored.
    #[error(transparent)]
    Bundle(#[from] BundleError),
}

/// Trains chains over blocks.
#[derive(Debug)]
pub struct CrfTrainer<'a> {
    /// The labelled pages.
    pub examples: &'a CrfExamples,
    /// Parameters of both chains.
    pub params: CrfParams,
    /// Which sites the thresholds are chosen on.
    pub seed: u64,
}

/// Parts of the training sites, to choose the thresholds.
const PARTS: usize = 4;

/// Chains, and how they came about.
#[derive(Debug)]
pub struct TrainedCrf {
    pub(crate) model: BlockCrf,
    /// The course of training: of text blocks, of parent blocks.
    pub(crate) fits: [CrfFit; 2],
    /// How much was trained on: text and parent blocks are rows.
    pub(crate) trained_on: TrainedOn,
    /// Training pages judged by chains that did not see their site, on which the thresholds were chosen: how many, and the
    /// measures of the first judgement and of the second one with the chosen thresholds. `None` where there are too few sites
    /// to leave any out.
    pub(crate) chosen_on: Option<(usize, [PageOverlap; 2])>,
}

impl CrfTrainer<'_> {
    /// Trains on the pages of the groups for which `takes` returns `true`.
    ///
    /// To choose the thresholds, both chains are trained on three quarters of the groups and label the fourth, for each
    /// quarter. Then both are trained on all groups.
    ///
    /// The best pair of thresholds raises ROUGE-2 most without harming BLEU-4. With too few sites to leave any out it is the
    /// published one.
    ///
    /// # Errors
    ///
    /// [`CrfTrainError`] if those pages are not enough.
    pub fn train(&self, takes: &dyn Fn(usize) -> bool) -> Result<TrainedCrf, CrfTrainError> {
        // Other parts than the folds of an evaluation with the same seed.
        let part_of_group = self.examples.groups.folds(PARTS, mix(self.seed, PARTS));
        let pages: Vec<&CrfPage> = self.examples.pages.iter().filter(|page| takes(page.group)).collect();
        let mut judged: Vec<Overlaps> = Vec::with_capacity(pages.len());
        for part in 0..PARTS {
            let (left_out, others): (Vec<&CrfPage>, Vec<&CrfPage>) =
                pages.iter().partition(|page| part_of_group[page.group] == part);
            if left_out.is_empty() || others.is_empty() {
                continue;
            }
            let chains = match self.chains(&others) {
                Ok((chains, _)) => chains,
                // The other sites have content alone, or none.
                Err(CrfTrainError::Chain { source: CrfError::SingleLabel, .. }) => continue,
                Err(error) => return Err(error),
            };
            for page in left_out {
                judged.push(overlaps(page, &chains.judge(&page.page)?));
            }
        }
        let (thresholds, chosen_on) = if judged.is_empty() {
            (Thresholds::PUBLISHED, None)
        } else {
            let (thresholds, measures) = best_pair(&judged.iter());
            (thresholds, Some((judged.len(), measures)))
        };
        let (mut model, fits) = self.chains(&pages)?;
        model.thresholds = Some(thresholds);
        let labels = || pages.iter().flat_map(|page| [&page.texts.labels, &page.parents.labels]).flatten();
        let groups: BTreeSet<usize> = pages.iter().map(|page| page.group).collect();
        let trained_on = TrainedOn {
            pages: pages.len() as u64,
            sites: groups.len() as u64,
            rows: labels().count() as u64,
            positives: labels().filter(|label| **label).count() as u64,
        };
        Ok(TrainedCrf { model, fits, trained_on, chosen_on })
    }

    fn chains(&self, pages: &[&CrfPage]) -> Result<(BlockCrf, [CrfFit; 2]), CrfTrainError> {
        let fit = |of: &'static str, sequence: fn(&CrfPage) -> &BlockSequence| {
            let sequences = pages.iter().map(|page| sequence(page));
            let labelled = sequences.map(|BlockSequence { rows, labels }| LabelledSequence { rows, labels });
            Crf::<TreeBlockColumns>::fit(&labelled.collect::<Vec<_>>(), &self.params)
                .map_err(|source| CrfTrainError::Chain { of, source })
        };
        let (texts, of_texts) = fit("text", |page| &page.texts)?;
        let (parents, of_parents) = fit("parent", |page| &page.parents)?;
        Ok((BlockCrf { texts, parents, thresholds: None }, [of_texts, of_parents]))
    }
}

impl TrainedCrf {
    /// Puts the model into a bundle, with facts of its training.
    ///
    /// # Errors
    ///
    /// [`BundleError`] if it cannot be written.
    pub fn to_bundle(&self, trainer: &CrfTrainer<'_>) -> Result<Bundle, BundleError> {
        let mut bundle = self.model.to_bundle()?;
        let about = &mut bundle.about;
        about.seed = trainer.seed;
        about.trained_on = self.trained_on;
        about.data_digest.clone_from(&trainer.examples.digest);
        let [texts, parents] = [&self.model.texts, &self.model.parents];
        let mut note = |what: &str, fact: String| about.notes.insert(what.to_owned(), fact);
        note(
            "attributes, of text and parent blocks",
            format!("{} / {}", texts.attributes(), parents.attributes()),
        );
        note("weights, of text and parent blocks", format!("{} / {}", texts.weights(), parents.weights()));
        let steps = self.fits.map(|fit| {
            format!("{}{}", fit.iterations, if fit.settled { "" } else { " (the weights had not settled)" })
        });
        note("steps of L-BFGS, of text and parent blocks", steps.join(" / "));
        if let Some(Thresholds { upper, lower }) = self.model.thresholds {
            note("thresholds, upper / lower", format!("{upper} / {lower}"));
        }
        let chosen_on = self.chosen_on.map_or_else(
            || "none: too few sites; as published".to_owned(),
            |(pages, [first, second])| {
                format!(
                    "{pages} pages, each by chains that did not see its site: BLEU-4 {:.3} → {:.3}, ROUGE-2 {:.3} → {:.3}",
                    first.bleu, second.bleu, first.rouge, second.rouge
                )
            },
        );
        note("thresholds chosen on", chosen_on);
        Ok(bundle)
    }
}
