//! Trains the models of roles.
//!
//! Pages without labelled roles teach what the models of roles build on: whether a block is content.

use super::pages::ContentPage;
use super::train::{OutOfFold, TrainPlan, model_file, rows_with, train_by, trained_on, weights_of};
use crate::random::mix;
use crate::train_error::TrainError;
use tsugi_learning::boost;
use tsugi_main_content::{BlockRole, BlocksAround, ContentDetector, RoleColumns, RoleDetector, scored_roles};
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
    if !know_roles(pages) {
        return Err(TrainError::NoExamples("roles"));
    }
    roles_by(plan, pages, &OutOfFold::of(&plan.base, pages)?)
}

/// Trains the models of content, and those of roles if some page has labelled ones.
pub(crate) fn train_content_and_roles(
    plan: &RolePlan,
    pages: &[&ContentPage],
) -> Result<(ContentDetector, Option<RoleDetector>), TrainError> {
    let scores = OutOfFold::of(&plan.base, pages)?;
    let content = ContentDetector::new(train_by(&plan.base, pages, &scores)?);
    let roles = know_roles(pages).then(|| roles_by(plan, pages, &scores)).transpose()?;
    Ok((content, roles))
}

fn know_roles(pages: &[&ContentPage]) -> bool {
    pages.iter().any(|page| page.roles.is_some())
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
