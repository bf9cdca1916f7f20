//! Trains and measures the models of roles.
//!
//! Pages without labelled roles teach what the models of roles build on: whether a block is content.

use super::pages::{ContentPage, spans_of};
use super::train::{OutOfFold, TrainPlan, model_file, rows_with, train_by, trained_on, weights_of};
use crate::measure::Overlap;
use crate::random::mix;
use crate::sites::SiteGroups;
use crate::train_error::TrainError;
use std::collections::BTreeMap;
use tsugi_learning::boost;
use tsugi_main_content::{
    BlockRole, BlocksAround, ContentDetector, PageContext, RoleColumns, RoleDetector, RoleSet, scored_roles,
};
use tsugi_page::Content;
use tsugi_scoring::{BoostedParams, Matrix};

/// How the models of roles are trained.
#[derive(Debug, Clone)]
pub struct RolePlan {
    /// The linear models, the model of text, and all else.
    pub base: TrainPlan,
    /// The models of single roles.
    pub roles: BoostedParams,
}

impl Default for RolePlan {
    fn default() -> Self {
        let roles = BoostedParams {
            trees: 80,
            leaves: 15,
            learning_rate: 0.1,
            min_leaf_rows: 20,
            l2: 5.0,
            columns_per_tree: 0.5,
            rows_per_tree: 0.7,
        };
        RolePlan { base: TrainPlan::default(), roles }
    }
}

/// Trains the models of roles on pages, of which some have labelled roles.
///
/// # Errors
///
/// [`TrainError`] if those pages are not enough.
pub fn train_roles(plan: &RolePlan, pages: &[&ContentPage]) -> Result<RoleDetector, TrainError> {
    roles_by(plan, pages, &scores_of(plan, pages)?)
}

fn scores_of(plan: &RolePlan, pages: &[&ContentPage]) -> Result<OutOfFold, TrainError> {
    if !pages.iter().any(|page| page.roles.is_some()) {
        return Err(TrainError::NoExamples("roles"));
    }
    OutOfFold::of(&plan.base, pages)
}

fn roles_by(plan: &RolePlan, pages: &[&ContentPage], scores: &OutOfFold) -> Result<RoleDetector, TrainError> {
    let base = &plan.base;
    let (mut x, mut weights): (Matrix<RoleColumns>, Vec<f32>) = (Matrix::new(), Vec::new());
    let (mut labelled, mut labels) = (Vec::new(), Vec::new());
    for (page, (linear, content)) in pages.iter().zip(scores.linear.iter().zip(&scores.blocks)) {
        let Some(roles) = &page.roles else { continue };
        let around = BlocksAround::new(linear, content, &page.tokens);
        x.append(&around.rows(&rows_with(base, page, linear)?, 0)?);
        weights.extend(weights_of(base, page));
        labels.extend_from_slice(roles);
        labelled.push(*page);
    }
    let trained_on = trained_on(&labelled);
    let fit = |role: BlockRole| {
        let targets: Vec<f32> = labels.iter().map(|other| f32::from(u8::from(*other == role))).collect();
        let model = boost(&plan.roles, &x, &targets, Some(&weights), mix(base.seed, role as usize))?;
        Ok(model_file(&plan.roles, base.seed, trained_on, model))
    };
    Ok(RoleDetector { roles: scored_roles().map(fit).collect::<Result<_, TrainError>>()? })
}

/// What was found on pages that the models were not trained on.
#[derive(Debug, Default)]
pub struct RoleTrials {
    /// By set and kind or source of a page: how the text of the article agrees with the label's.
    pub texts: BTreeMap<(String, String), Vec<Overlap>>,
    /// By labelled and found role: the number of words.
    pub words: BTreeMap<(BlockRole, BlockRole), u64>,
}

impl RoleTrials {
    /// Trains on all folds but one, in turn, and measures on the pages of that one. `names` are those of the data sets.
    ///
    /// # Errors
    ///
    /// [`TrainError`] if the pages of a fold are not enough.
    pub fn run(
        pages: &[ContentPage],
        (groups, names): (&SiteGroups, &[&str]),
        plan: &RolePlan,
        folds: usize,
    ) -> Result<RoleTrials, TrainError> {
        let fold_of = groups.folds(folds, plan.base.seed);
        let mut trials = RoleTrials::default();
        for fold in 0..folds {
            let (held, learned): (Vec<&ContentPage>, Vec<&ContentPage>) =
                pages.iter().partition(|page| fold_of[page.group] == fold);
            let scores = scores_of(plan, &learned)?;
            let content = ContentDetector::new(train_by(&plan.base, &learned, &scores)?);
            let detector = roles_by(plan, &learned, &scores)?;
            for page in held {
                trials.add(page.archive.as_deref().unwrap_or(names[page.set]), page, &content, &detector);
            }
        }
        Ok(trials)
    }

    fn add(&mut self, set: &str, page: &ContentPage, content: &ContentDetector, detector: &RoleDetector) {
        let found = detector.roles(content, &page.page, page.next);
        let kind = page.source.clone().unwrap_or_else(|| page.kind.clone().unwrap_or_default());
        let Content { nodes, without, .. } = found.content(RoleSet::BODY);
        let spans = spans_of(&PageContext::new(&page.page, page.next), &nodes, &without);
        let overlap = match page.words_of(RoleSet::BODY) {
            Some(gold) => page.overlap_with(&spans, &gold),
            None => page.overlap(&spans),
        };
        self.texts.entry((set.to_owned(), kind)).or_default().push(overlap);
        for ((role, _, _), (gold, tokens)) in
            found.blocks().zip(page.roles.iter().flatten().zip(&page.tokens))
        {
            *self.words.entry((*gold, role)).or_default() += u64::from(*tokens);
        }
    }
}
