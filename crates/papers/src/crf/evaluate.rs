//! The paper's experiment by sites: every page is judged by chains that saw no page of its site.

use super::measure::{Overlaps, PageOverlap, best_pair, overlaps};
use super::pages::{CrfPage, PageKind, own_or_below};
use super::train::{CrfTrainError, CrfTrainer};
use crate::block_crf::{BlockTree, JudgedBlocks, Thresholds};
use crate::chain::CrfParams;
use crate::ngrams::ReferenceText;
use crate::page_sets::{Gold, KeptVerdict, keep_unique, read_page_sets};
use std::collections::BTreeMap;
use tsugi_main_content::ContentDetector;
use tsugi_next_link::{LinkSurvey, NextLinkDetector};
use tsugi_page::{NodeId, Page, Response};
use tsugi_site_blocks::{Extensions, Kept};
use tsugi_training::cross_validation::EvaluateError;
use tsugi_training::dataset::DataSet;
use tsugi_training::label::PageLabel;
use tsugi_training::labelled_pages::ModelTrainer;
use tsugi_training::verdict::TextVerdict;

named_enum! {
    /// A way to find the content of a page, with its names in the report and in the files of results.
    pub(crate) enum CrfMethod, names -> [&'static str; 2] {
        /// The first judgement alone: the baseline (Marek et al.).
        First: ["CRF", "crf"],
        Second: ["CRF + hierarchy", "crf_hierarchy"],
        /// The same, by the paper's text instead of its figure 3.
        SecondByText: ["… a share equal to the upper threshold counts", "crf_hierarchy_by_text"],
        /// The first judgement of chains whose weights cost what CRF++ charges by default ([`CRFPP_L2`]).
        FirstOfCrfpp: ["CRF, weights cost .25 (C = 1)", "crf_c1"],
        SecondOfCrfpp: ["… + hierarchy, by thresholds of its own", "crf_c1_hierarchy"],
        Models: ["content models", "models"],
        /// The blocks that the content models' block model takes for content, by its probability.
        ModelBlocks: ["content models, blocks by score", "model_blocks"],
        ModelBlocksSecond: ["… + hierarchy", "model_blocks_hierarchy"],
        /// The text blocks that are content by the label: the best possible result of a page cut so.
        Labels: ["blocks by their labels", "labels"],
        /// Of sites with pages enough.
        Unique: ["unique blocks", "unique"],
    }
}

impl CrfMethod {
    pub(crate) fn name(self) -> &'static str {
        self.names()[0]
    }

    pub(crate) fn key(self) -> &'static str {
        self.names()[1]
    }
}

/// The price of a squared weight that equals the default of CRF++, C = 1.
///
/// CRF++ has a weight for each label, and charges w² ÷ 2C for it. Ours is the difference of two that are best with opposite signs:
/// 2 · (w ÷ 2)² ÷ 2C.
const CRFPP_L2: f32 = 0.25;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MethodVerdict {
    pub(crate) is_empty: bool,
    pub(crate) overlap: PageOverlap,
    pub(crate) text_f: Option<f64>,
    /// By blocks and characters; `None` if the content nodes are not labelled.
    pub(crate) kept: Option<KeptVerdict>,
}

/// A page, measured.
#[derive(Debug, Clone)]
pub struct CrfPageResult {
    /// The data set.
    pub set: usize,
    pub(crate) label: usize,
    pub(crate) group: usize,
    /// The part of the sites that it was left out with.
    pub(crate) fold: usize,
    pub(crate) chains: Overlaps,
    pub(crate) models: Overlaps,
    /// `true` if the second judgement by the chosen thresholds keeps other texts than the first: of the chains, of the models'
    /// blocks.
    pub(crate) differs: [bool; 2],
    /// By method, in the order of [`CrfMethod::ALL`].
    pub(crate) verdicts: Vec<Option<MethodVerdict>>,
    pub(crate) kinds: Vec<PageKind>,
}

/// The results of the experiment.
#[derive(Debug, Clone, Default)]
pub struct CrfResult {
    /// The measured pages.
    pub pages: Vec<CrfPageResult>,
    /// By fold: the thresholds chosen on its training side, for the chains and for the models' blocks.
    pub(crate) thresholds: Vec<[Thresholds; 2]>,
    /// By fold: columns after binning, of text and parent blocks.
    pub(crate) attributes: Vec<[usize; 2]>,
}

/// The answers of a fold's models about a page that they have not seen.
struct Unseen<'a> {
    page: &'a CrfPage,
    fold: usize,
    chains: JudgedBlocks,
    /// Judged by the chains of [`CRFPP_L2`], and their thresholds.
    crfpp: (JudgedBlocks, Thresholds),
    models: JudgedBlocks,
    content: Kept,
}

impl Unseen<'_> {
    fn overlaps(&self) -> [Overlaps; 2] {
        [overlaps(self.page, &self.chains), overlaps(self.page, &self.models)]
    }

    /// Measures all methods; `thresholds` are those of the page's fold.
    fn measure(
        &self,
        label: &PageLabel,
        [of_chains, of_models]: [Overlaps; 2],
        [for_chains, for_models]: [Thresholds; 2],
        unique: Option<&Kept>,
    ) -> CrfPageResult {
        let Unseen { page: CrfPage { page, .. }, chains, crfpp: (crfpp, for_crfpp), models, content, .. } =
            self;
        let gold = Gold::of(page, label).ok().flatten();
        let reference = ReferenceText::new(&self.page.reference);
        let verdict = |kept: &Kept| {
            let text = kept.text(page);
            MethodVerdict {
                is_empty: kept.is_empty(),
                overlap: PageOverlap::of(&text, &reference),
                text_f: TextVerdict::of(label, &text, 1.0).map(|text| text.f),
                kept: gold.as_ref().map(|gold| KeptVerdict::of(page, label, gold, kept)),
            }
        };
        let keep = |method: CrfMethod| match method {
            CrfMethod::First => Some(chains.kept(page, &chains.baseline())),
            CrfMethod::Second => Some(chains.kept(page, &chains.second(for_chains))),
            CrfMethod::SecondByText => Some(chains.kept(page, &chains.second(for_chains.by_text()))),
            CrfMethod::FirstOfCrfpp => Some(crfpp.kept(page, &crfpp.baseline())),
            CrfMethod::SecondOfCrfpp => Some(crfpp.kept(page, &crfpp.second(*for_crfpp))),
            CrfMethod::Models => Some(content.clone()),
            CrfMethod::ModelBlocks => Some(models.kept(page, &models.baseline())),
            CrfMethod::ModelBlocksSecond => Some(models.kept(page, &models.second(for_models))),
            CrfMethod::Labels => Some(chains.kept(page, &by_labels(self.page, &chains.tree))),
            CrfMethod::Unique => unique.cloned(),
        };
        CrfPageResult {
            set: self.page.set,
            label: self.page.label,
            group: self.page.group,
            fold: self.fold,
            verdicts: CrfMethod::ALL.map(|method| keep(method).as_ref().map(verdict)).to_vec(),
            differs: [differs(&of_chains, for_chains), differs(&of_models, for_models)],
            chains: of_chains,
            models: of_models,
            kinds: self.page.kinds.clone(),
        }
    }
}

/// Data, trainers and folds of the experiment.
#[derive(Debug, Clone, Copy)]
pub struct CrfPlan<'a> {
    /// The data sets.
    pub sets: &'a [DataSet],
    /// The places of the data sets that are measured.
    pub measured: &'a [usize],
    /// Trains the chains.
    pub chains: &'a CrfTrainer<'a>,
    /// Trains the models that they are compared with.
    pub models: &'a ModelTrainer<'a>,
    /// Number of folds.
    pub folds: usize,
    /// Seed of the folds.
    pub seed: u64,
}

/// Measures the chains, and the methods that they are compared with, on the pages of the measured data sets, by models of
/// the folds that saw no page of the site.
///
/// The thresholds of the chains are chosen inside each training side ([`CrfTrainer::train`]). Those of the models' blocks are
/// chosen on the pages of the other folds, each judged by models that did not see its site, though they saw pages of the
/// fold that is measured: models for the choice alone would take five times as long.
///
/// `progress` is called after every fold and every measured page.
///
/// # Errors
///
/// [`EvaluateError`] if data cannot be read or a fold cannot be trained.
///
/// # Determinism
///
/// Equal plans give equal results.
///
/// # Panics
///
/// If there is no data set at a place of `plan.measured`.
pub fn evaluate_crf(plan: &CrfPlan<'_>, mut progress: impl FnMut()) -> Result<CrfResult, EvaluateError> {
    let CrfPlan { sets, measured, chains, models, .. } = *plan;
    let fold_of_group = chains.examples.groups.folds(plan.folds, plan.seed);
    let params = CrfParams { l2: CRFPP_L2, ..chains.params };
    let crfpp = CrfTrainer { examples: chains.examples, params, seed: chains.seed };
    let unique = unique_blocks_of(sets, measured)?;
    let mut result = CrfResult::default();
    let mut judged: Vec<Unseen<'_>> = Vec::new();
    for fold in 0..plan.folds {
        let takes = |group: usize| fold_of_group[group] != fold;
        let trained = chains.train(&takes).map_err(other)?;
        let of_crfpp = crfpp.train(&takes).map_err(other)?.model;
        let next = NextLinkDetector::from_bundle(&models.links(&takes)?)?;
        let content = ContentDetector::from_bundle(&models.content(&takes)?)?;
        progress();
        let is_measured = |page: &&CrfPage| !takes(page.group) && measured.contains(&page.set);
        for page in chains.examples.pages.iter().filter(is_measured) {
            let found = next.best(&LinkSurvey::of(&page.page)).filter(|link| link.score >= next.threshold());
            let found = found.map(|link| link.node);
            let scores = content.text_scores(&page.page, found);
            judged.push(Unseen {
                page,
                fold,
                chains: trained.model.judge(&page.page)?,
                crfpp: (of_crfpp.judge(&page.page)?, of_crfpp.thresholds.unwrap_or(Thresholds::PUBLISHED)),
                models: judged_by_scores(&page.page, &scores),
                content: Kept::of_content(&page.page, &content.find(&page.page, found)),
            });
            progress();
        }
        result.attributes.push([trained.model.texts.attributes(), trained.model.parents.attributes()]);
        let of_chains = trained.model.thresholds.unwrap_or(Thresholds::PUBLISHED);
        result.thresholds.push([of_chains, Thresholds::PUBLISHED]);
    }
    let of_pages: Vec<[Overlaps; 2]> = judged.iter().map(Unseen::overlaps).collect();
    for (fold, thresholds) in result.thresholds.iter_mut().enumerate() {
        let others = judged.iter().zip(&of_pages).filter(|(unseen, _)| unseen.fold != fold);
        thresholds[1] = best_pair(&others.map(|(_, [_, models])| models)).0;
    }
    for (unseen, overlaps) in judged.iter().zip(of_pages) {
        let CrfPage { set, label, .. } = *unseen.page;
        let unique = unique.get(&(set, label));
        let label = &sets[set].labels()[label];
        result.pages.push(unseen.measure(label, overlaps, result.thresholds[unseen.fold], unique));
    }
    result.pages.sort_by_key(|page| (page.set, page.label));
    Ok(result)
}

/// Returns `true` if the second judgement by some thresholds of the grid keeps other texts than the first.
fn differs(overlaps: &Overlaps, thresholds: Thresholds) -> bool {
    Thresholds::grid().zip(&overlaps.differs).any(|(pair, differs)| pair == thresholds && *differs)
}

/// By block: whether it holds text and is content by the label.
fn by_labels(page: &CrfPage, tree: &BlockTree) -> Vec<bool> {
    let mut is_content = vec![false; tree.blocks().len()];
    for (at, label) in tree.sequence(true).into_iter().zip(&page.texts.labels) {
        is_content[at] = *label;
    }
    is_content
}

/// By block: the mean over the characters of its own texts of the probability that they are content; where it holds no text
/// itself, of all texts below it. Texts without a probability count as 0.
fn probabilities(page: &Page, tree: &BlockTree, scores: &[(NodeId, f32)]) -> Vec<f64> {
    // By block: characters, and their expected share of content.
    let mut own = vec![(0.0, 0.0); tree.blocks().len()];
    for (id, block) in tree.leaves() {
        let characters = f64::from(page.totals(*id).characters);
        let score = scores.binary_search_by_key(id, |(text, _)| *text).map_or(0.0, |at| scores[at].1);
        own[*block].0 += characters;
        own[*block].1 += characters * f64::from(score);
    }
    let share = |(characters, content): (f64, f64)| if characters > 0.0 { content / characters } else { 0.0 };
    own_or_below(tree, own).into_iter().map(share).collect()
}

fn judged_by_scores(page: &Page, scores: &[(NodeId, f32)]) -> JudgedBlocks {
    let tree = BlockTree::of(page);
    JudgedBlocks { first: probabilities(page, &tree, scores).iter().map(|p| *p > 0.5).collect(), tree }
}

/// By data set and label: the unique blocks of the pages of sites that have pages enough, near-duplicates set aside and at
/// least one a page.
fn unique_blocks_of(
    sets: &[DataSet],
    measured: &[usize],
) -> Result<BTreeMap<(usize, usize), Kept>, EvaluateError> {
    let mut unique = BTreeMap::new();
    for &set_index in measured {
        for (labels, pages) in read_page_sets(&sets[set_index], || {}, Response::page)?.into_values() {
            for (label, kept) in labels.into_iter().zip(keep_unique(&pages, Extensions::BOTH)) {
                unique.extend(kept.map(|kept| ((set_index, label), kept)));
            }
        }
    }
    Ok(unique)
}

fn other(error: CrfTrainError) -> EvaluateError {
    EvaluateError::Other(Box::new(error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsugi_training::measure::rounded;

    #[test]
    fn blocks_are_judged_by_the_probabilities_of_their_texts() {
        let html = "<div><p>four</p><p>three <b>eleven chars</b></p>menu</div><div><p>x</p></div>";
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let scores: Vec<(NodeId, f32)> = page
            .subtree(NodeId::DOCUMENT)
            .filter_map(|id| match page.data(id).trim() {
                "four" => Some((id, 0.6)),
                "three" => Some((id, 0.1)),
                "eleven chars" => Some((id, 0.9)),
                _ => None,
            })
            .collect();
        let judged = judged_by_scores(&page, &scores);
        let found = probabilities(&page, &judged.tree, &scores).into_iter().map(rounded);
        let tags = judged.tree.blocks().iter().map(|block| page.tag(block.node));
        let named: Vec<_> = tags.zip(found).collect();
        // `three`: 5 characters of .1; `eleven chars`: 12 of .9. `menu`: none. `body`: 26 characters and `x`.
        let paragraph = (0.5_f64 + 10.8) / 17.0;
        let body = (2.4 + 0.5 + 10.8) / 26.0;
        let (body, paragraph) = (rounded(body), rounded(paragraph));
        let expected = [("body", body), ("div", 0.0), ("p", 0.6), ("p", paragraph), ("div", 0.0), ("p", 0.0)];
        assert_eq!(named, expected);
        assert_eq!(judged.first, [true, false, true, true, false, false]);
    }
}
