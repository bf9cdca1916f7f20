//! Cross-validation by site, page by page: estimates how the shipped models do on unseen sites.

use crate::dataset::{DataSet, DataSetError};
use crate::joins::{JoinMeasure, Joins};
use crate::label::PageLabel;
use crate::measure::rounded;
use crate::sites::SiteGroups;
use crate::train_error::TrainError;
use crate::verdict::{NextVerdict, PageVerdict, TextVerdict};
use serde::Serialize;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::mem;
use tsugi::chains::chains;
use tsugi::detect::Detect;
use tsugi::models::JudgeModel;
use tsugi::{Document, JoinOptions, Tsugi};
use tsugi_fetch::{Archive, Fetch};
use tsugi_main_content::paper::baseline::content_by_half;
use tsugi_next_link::PairDetector;
use tsugi_next_link::paper::baseline::{next_by_markup, next_by_text};
use tsugi_page::{Content, NextLink, Page, Url};
use tsugi_scoring::{BundleError, MatrixError};

/// Why an evaluation failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// A data set cannot be read.
    #[error(transparent)]
    Data(#[from] DataSetError),
    /// A model cannot be trained.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// A page gives values that are not finite.
    #[error(transparent)]
    Rows(#[from] MatrixError),
    /// Models cannot be stored or read back.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// A trainer of another crate failed.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

/// A part of the models. Each learns from labels of its own, so a data set may teach one and not another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LearnedPart {
    /// Next links.
    NextLinks,
    /// Main content.
    Content,
    /// The judge of pairs of pages, which joins need.
    Pairs,
}

/// The parts that could not be learned for lack of labels, and why. What they would find is not measured.
pub type Unlearned = BTreeMap<LearnedPart, TrainError>;

/// The models of one training side. A part that is unlearned is absent or built in: nothing must be measured by it.
#[derive(Debug, Default)]
pub struct TrainedModels {
    /// The models.
    pub tsugi: Tsugi,
    /// The parts that are not learned.
    pub unlearned: Unlearned,
}

impl From<Tsugi> for TrainedModels {
    fn from(tsugi: Tsugi) -> TrainedModels {
        TrainedModels { tsugi, unlearned: Unlearned::new() }
    }
}

/// Returns what was learned; `None` if labels are lacking, which is noted in `unlearned`.
///
/// # Errors
///
/// [`EvaluateError`] if training failed for another reason.
pub fn learned<T>(
    part: LearnedPart,
    trained: Result<T, EvaluateError>,
    unlearned: &mut Unlearned,
) -> Result<Option<T>, EvaluateError> {
    match trained {
        Ok(trained) => Ok(Some(trained)),
        Err(EvaluateError::Train(error)) if error.is_lack_of_labels() => {
            unlearned.entry(part).or_insert(error);
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Something that trains detectors on some pages of the data.
pub trait Trainer: std::fmt::Debug {
    /// Trains on the pages of the groups for which `takes` returns `true`.
    ///
    /// # Errors
    ///
    /// [`EvaluateError`] if training fails; lacking labels are no error.
    fn train(&self, takes: &(dyn Fn(usize) -> bool + Sync)) -> Result<TrainedModels, EvaluateError>;

    /// Trains a judge of pairs for each fold on the pages of the others; returns `None` if the trainer has no such model.
    /// Pages are read by the models of the fold that has not seen them; `progress` is called after every page.
    ///
    /// # Errors
    ///
    /// [`EvaluateError`] if data cannot be read or those pages are not enough.
    fn train_judges(
        &self,
        sets: &[DataSet],
        folds: &[Tsugi],
        fold_of_group: &[usize],
        progress: &mut dyn FnMut(),
    ) -> Result<Vec<PairDetector>, EvaluateError> {
        let _ = (sets, folds, fold_of_group, progress);
        Ok(Vec::new())
    }
}

/// A trainer that trains nothing: the same models and rules for every fold.
#[derive(Debug)]
pub struct Untrained(pub Tsugi);

impl Trainer for Untrained {
    fn train(&self, _: &(dyn Fn(usize) -> bool + Sync)) -> Result<TrainedModels, EvaluateError> {
        Ok(self.0.clone().into())
    }
}

/// The prediction for one page, without its text: a line of the files that show the effect of a change page by page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prediction {
    pub(crate) url: String,
    pub(crate) next: Option<String>,
    /// `true` if it is the labelled one, or none is labelled and none was found; absent if that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_right: Option<bool>,
    /// The score of the best candidate, however low.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) relation: Option<&'static str>,
    pub(crate) nodes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first_node: Option<String>,
    /// F over tokens of the text; absent if the text is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text_f: Option<f64>,
}

/// The name of the method that is evaluated; the others are compared with it.
pub const MODEL: &str = "model";

/// The results of a cross-validation.
#[derive(Debug, Default)]
pub struct CrossValidation {
    /// The answers of each method for each page, with methods in the order of the report.
    pub methods: Vec<(&'static str, Vec<PageVerdict>)>,
    /// The answers of the model, measured by corrected labels.
    pub corrected: Vec<PageVerdict>,
    /// Number of corrected labels.
    pub corrections: usize,
    /// Data set → predictions of the model, in the order of its archive.
    pub predictions: BTreeMap<String, Vec<Prediction>>,
    /// Data set → documents that the model joined.
    pub joins: BTreeMap<String, Joins>,
    /// The thresholds for links of the folds.
    pub thresholds: Vec<f32>,
    /// The parts that were not learned in every fold, and are not measured.
    pub unlearned: Unlearned,
}

/// Data, trainer and folds of an evaluation by site.
#[derive(Debug, Clone, Copy)]
pub struct FoldPlan<'a> {
    /// The data sets; all of them are trained on.
    pub sets: &'a [DataSet],
    /// The places of the data sets that are measured, where not all are.
    pub measured: &'a [usize],
    /// The groups of the data sets' pages.
    pub groups: &'a SiteGroups,
    /// Trains the models of a fold.
    pub trainer: &'a dyn Trainer,
    /// Number of folds.
    pub folds: usize,
    /// Seed of the folds.
    pub seed: u64,
}

impl<'a> FoldPlan<'a> {
    /// Plans two folds with seed 1, and no data set that is measured apart.
    pub fn new(sets: &'a [DataSet], groups: &'a SiteGroups, trainer: &'a dyn Trainer) -> FoldPlan<'a> {
        FoldPlan { sets, measured: &[], groups, trainer, folds: 2, seed: 1 }
    }

    /// Trains, for each fold, on the pages of the others; `progress` is called after every fold.
    ///
    /// # Errors
    ///
    /// [`EvaluateError`] if a fold cannot be trained.
    pub fn train(&self, mut progress: impl FnMut()) -> Result<TrainedFolds<'a>, EvaluateError> {
        let fold_of_group = self.groups.folds(self.folds, self.seed);
        let mut models = Vec::with_capacity(self.folds);
        let mut unlearned = Unlearned::new();
        for fold in 0..self.folds {
            let trained = self.trainer.train(&|group| fold_of_group[group] != fold)?;
            models.push(trained.tsugi);
            for (part, why) in trained.unlearned {
                unlearned.entry(part).or_insert(why);
            }
            progress();
        }
        Ok(TrainedFolds { groups: self.groups, fold_of_group, models, unlearned })
    }

    /// Trains as [`FoldPlan::train`], for what needs links and content alike.
    ///
    /// # Errors
    ///
    /// [`EvaluateError`] if a fold cannot be trained, or the labels of one kind do not suffice.
    pub fn train_whole(&self, progress: impl FnMut()) -> Result<TrainedFolds<'a>, EvaluateError> {
        let mut folds = self.train(progress)?;
        match folds.unlearned.pop_first() {
            Some((_, why)) => Err(why.into()),
            None => Ok(folds),
        }
    }
}

/// The models of each fold, and the fold of each group of pages.
#[derive(Debug)]
pub struct TrainedFolds<'a> {
    groups: &'a SiteGroups,
    /// By group.
    pub fold_of_group: Vec<usize>,
    /// By fold: models that saw no page of its groups.
    pub models: Vec<Tsugi>,
    /// The parts that are not learned in every fold.
    pub unlearned: Unlearned,
}

impl TrainedFolds<'_> {
    /// Returns the fold of the label at a place of a data set.
    pub fn fold(&self, set: usize, label: usize) -> usize {
        self.fold_of_group[self.groups.group(set, label)]
    }

    pub(crate) fn thresholds(&self) -> Vec<f32> {
        // Detectors of papers have one threshold for all pages.
        let blank = Url::parse("about:blank").map(|url| Page::from_text("", &url));
        blank.iter().flat_map(|page| self.models.iter().map(|models| models.find(page).threshold)).collect()
    }
}

/// Predicts every page by models that were trained on no page of its group, and joins every chain of pages of a data
/// set; `joined` gets the documents, with the name of the data set.
///
/// Parts that the labels do not suffice for are left out and named ([`CrossValidation::unlearned`]). Joins need all parts.
///
/// # Errors
///
/// [`EvaluateError`] if data cannot be read, a fold cannot be trained, or neither links nor content can be learned.
pub fn cross_validate(
    plan: &FoldPlan<'_>,
    mut progress: impl FnMut(),
    mut joined: impl FnMut(&str, &Document),
) -> Result<CrossValidation, EvaluateError> {
    let (sets, groups) = (plan.sets, plan.groups);
    let mut folds = plan.train(&mut progress)?;
    let mut unlearned = mem::take(&mut folds.unlearned);
    if unlearned.len() > 1
        && let Some((_, why)) = unlearned.pop_first()
    {
        // Neither links nor content: nothing is left to measure.
        return Err(why.into());
    }
    if unlearned.is_empty() {
        let judges = plan.trainer.train_judges(sets, &folds.models, &folds.fold_of_group, &mut progress);
        let judges = learned(LearnedPart::Pairs, judges, &mut unlearned)?.unwrap_or_default();
        for (models, judge) in folds.models.iter_mut().zip(judges) {
            *models = mem::take(models).with_judge(Some(JudgeModel::new(judge)));
        }
    }
    let mut result = CrossValidation {
        methods: [MODEL, "text rule", "rel=next", "Kato's rule"].map(|name| (name, Vec::new())).into(),
        corrections: sets.iter().map(DataSet::corrections).sum(),
        thresholds: folds.thresholds(),
        unlearned,
        ..CrossValidation::default()
    };
    let measured = || sets.iter().enumerate().filter(|(_, set)| !set.only_teaches());
    for (set_index, set) in measured() {
        set.visit(None, |label, page| {
            progress();
            let place = EvaluatedPage { set: set_index, label, group: groups.group(set_index, label) };
            result.add(set, place, &page, &folds.models[folds.fold(set_index, label)]);
        })?;
    }
    for (set_index, set) in measured().filter(|_| result.unlearned.is_empty()) {
        let of_folds = folds.models.iter().enumerate().map(|(fold, models)| {
            let folds = &folds;
            (models, move |label| folds.fold(set_index, label) == fold)
        });
        let joins = join_archive((set, set_index), groups, of_folds, &mut progress, |document| {
            joined(&set.name, document);
        })?;
        result.joins.insert(set.name.clone(), joins);
    }
    Ok(result)
}

/// Joins the chains of the pages of a data set, and measures the documents. All models come with the places of the labels whose
/// pages they join.
pub(crate) fn join_archive<'m, F: Fn(usize) -> bool>(
    (set, index): (&DataSet, usize),
    groups: &SiteGroups,
    models: impl IntoIterator<Item = (&'m Tsugi, F)>,
    mut progress: impl FnMut(),
    mut joined: impl FnMut(&Document),
) -> Result<Joins, EvaluateError> {
    let mut measure = JoinMeasure::new(set, index, groups);
    let path = set.pages_path();
    let archive = Archive::open(&path).map_err(|source| DataSetError::Archive { path, source })?;
    for (models, takes) in models {
        let is_taken = |url: &&Url| set.label_of(url.as_str()).is_some_and(&takes);
        let urls: Vec<Url> = archive.urls().filter(is_taken).cloned().collect();
        join_chains(&archive, &urls, models, &mut progress, |document| {
            joined(&document);
            measure.add(&document);
        });
    }
    Ok(measure.finish())
}

/// Joins the chains among some pages of an archive. Unreadable pages were already reported when they were predicted.
fn join_chains(
    archive: &Archive,
    urls: &[Url],
    models: &Tsugi,
    progress: &mut impl FnMut(),
    mut joined: impl FnMut(Document),
) {
    let progress = RefCell::new(progress);
    let get = |url: &Url| {
        (progress.borrow_mut())();
        archive.fetch(url).map_err(|error| error.into_unavailable(url))
    };
    let done = chains(models, urls, &JoinOptions::default(), get, |_, reassembly| {
        if let Ok(reassembly) = reassembly {
            joined(reassembly.into_document());
        }
        Ok::<(), Infallible>(())
    });
    match done {
        Ok(()) => {}
    }
}

/// The place of a page: its data set, its label there, its group.
#[derive(Clone, Copy)]
pub(crate) struct EvaluatedPage {
    pub(crate) set: usize,
    pub(crate) label: usize,
    pub(crate) group: usize,
}

impl EvaluatedPage {
    /// Measures an answer that is written down: an address and a text.
    pub(crate) fn written(self, label: &PageLabel, next: Option<&str>, text: &str) -> PageVerdict {
        let text = TextVerdict::of(label, text, 1.0);
        let next = NextVerdict::of(label, next, next.map(|url| (url, 1.0)));
        PageVerdict { set: self.set, label: self.label, group: self.group, next, text }
    }

    pub(crate) fn verdict(
        self,
        label: &PageLabel,
        next: NextAnswer<'_>,
        content: Option<(&str, f32)>,
    ) -> PageVerdict {
        let url = |link: &'_ NextLink| link.url.to_string();
        let (best, found) = (next.best.map(url), next.found.map(url));
        let score = next.best.map_or(0.0, |best| best.score);
        let mut of_next = NextVerdict::of(label, found.as_deref(), best.as_deref().map(|url| (url, score)));
        if let (Some(verdict), Some(found), Some(relation)) = (&mut of_next, next.found, &label.relation)
            && verdict.right
        {
            verdict.relation = Some(found.relation.as_str() == relation);
        }
        let text = content.and_then(|(text, score)| TextVerdict::of(label, text, score));
        PageVerdict { set: self.set, label: self.label, group: self.group, next: of_next, text }
    }
}

/// The best link of a page, however unsure, and the link that was found.
#[derive(Clone, Copy, Default)]
pub(crate) struct NextAnswer<'a> {
    pub(crate) best: Option<&'a NextLink>,
    pub(crate) found: Option<&'a NextLink>,
}

impl CrossValidation {
    fn add(&mut self, set: &DataSet, place: EvaluatedPage, page: &Page, model: &Tsugi) {
        let label = &set.labels()[place.label];
        let is_learned = |part| !self.unlearned.contains_key(&part);
        let look = model.look(page);
        let (knows_links, content) =
            (is_learned(LearnedPart::NextLinks), is_learned(LearnedPart::Content).then(|| look.content()));
        let said = if knows_links {
            NextAnswer { best: look.best(), found: look.next() }
        } else {
            NextAnswer::default()
        };
        let text = content.as_ref().map(|content| (content.text(), content.score()));
        let text = text.as_ref().map(|(text, score)| (&**text, *score));
        let verdict = |label| {
            let verdict = place.verdict(label, said, text);
            PageVerdict { next: verdict.next.filter(|_| knows_links), ..verdict }
        };
        self.corrected.push(verdict(set.corrected(place.label)));
        let verdict = verdict(label);
        let content = content.as_ref().map(|content| (content.page(), content.as_content()));
        let prediction = prediction(label, content, said, &verdict);
        self.predictions.entry(set.name.clone()).or_default().push(prediction);
        for (name, verdicts) in &mut self.methods {
            verdicts.push(match *name {
                MODEL => verdict.clone(),
                "text rule" => by_rule(place, label, next_by_text(page).as_ref()),
                "rel=next" => by_rule(place, label, next_by_markup(page).as_ref()),
                _ => {
                    let text = page.text_of(&content_by_half(page).nodes);
                    PageVerdict {
                        next: None,
                        ..place.verdict(label, NextAnswer::default(), Some((&text, 1.0)))
                    }
                }
            });
        }
    }

    /// The answers of the model.
    pub fn model(&self) -> &[PageVerdict] {
        self.methods.first().map_or(&[], |(_, verdicts)| verdicts)
    }
}

fn by_rule(place: EvaluatedPage, label: &PageLabel, found: Option<&NextLink>) -> PageVerdict {
    place.verdict(label, NextAnswer { best: found, found }, None)
}

pub(crate) fn prediction(
    label: &PageLabel,
    content: Option<(&Page, &Content)>,
    next: NextAnswer<'_>,
    verdict: &PageVerdict,
) -> Prediction {
    let first = content.and_then(|(page, content)| Some((page, *content.nodes.first()?)));
    Prediction {
        url: label.url.clone(),
        next: next.found.map(|link| link.url.to_string()),
        next_right: verdict.next.map(NextVerdict::is_right),
        score: next.best.map(|best| rounded(f64::from(best.score))),
        relation: next.found.map(|link| link.relation.as_str()),
        nodes: content.map_or(0, |(_, content)| content.nodes.len()),
        first_node: first.map(|(page, node)| page.location_path(node)),
        text_f: verdict.text.map(|text| rounded(text.f)),
    }
}
