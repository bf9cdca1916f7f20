//! Trains the models of roles.
//!
//! Pages without labelled roles teach what the models of roles build on: whether a block is content.

use super::pages::ContentPage;
use super::train::{OutOfFold, TrainPlan, model_file, rows_with, train_by, trained_on, weights_of};
use crate::random::mix;
use crate::train_error::TrainError;
use tsugi_learning::{LinearParams, TokenRows, boost_classes, fit_linear};
use tsugi_main_content::{
    BlockRole, BlocksAround, ContentDetector, LinearScores, RoleColumns, RoleDetector, RoleLogOdds,
    role_tokens, scored_roles,
};
use tsugi_scoring::{BoostedParams, Linear, Matrix};

/// How the models of roles are trained.
#[derive(Debug, Clone)]
pub struct RolePlan {
    /// The linear models, the model of text, and all else.
    pub base: TrainPlan,
    /// The models of words and names, for each role.
    pub tokens: LinearParams,
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
        // Few pages have labelled roles. A third of the penalty leaves more weights, and scores no better.
        let tokens = LinearParams { l1: 5.0, ..TrainPlan::default().linear };
        RolePlan { base: TrainPlan::default(), tokens, roles }
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
    let labelled: Vec<LabelledPage<'_>> = pages
        .iter()
        .zip(&scores.linear)
        .zip(&scores.blocks)
        .filter_map(|((page, linear), content)| {
            Some(LabelledPage { page, roles: known_roles(page)?, linear, content })
        })
        .collect();
    let by_tokens = tokens_out_of_fold(plan, &labelled)?;
    let (mut x, mut weights, mut classes) = (Matrix::<RoleColumns>::new(), Vec::new(), Vec::new());
    for (LabelledPage { page, roles, linear, content }, by_tokens) in labelled.iter().zip(&by_tokens) {
        let around = BlocksAround::new(linear, content, &page.tokens, by_tokens, &page.standings);
        let rows = around.rows(&rows_with(base, page, linear)?, 0)?;
        for ((row, role), weight) in rows.iter().zip(roles).zip(role_weights(base, page)) {
            if let Some(role) = role {
                x.push(row)?;
                weights.push(weight);
                classes.push(*role as usize);
            }
        }
    }
    let classes = (classes.as_slice(), scored_roles().count());
    let models = boost_classes(&plan.roles, &x, classes, &weights, mix(base.seed, 0))?;
    let pages: Vec<&ContentPage> = labelled.iter().map(|labelled| labelled.page).collect();
    let trained_on = trained_on(&pages);
    let file = |model| model_file(&plan.roles, base.seed, trained_on, model);
    let tokens = fit_tokens(plan, labelled.iter())?;
    // There is one of each for every role, and all of one size.
    RoleDetector::new(models.into_iter().map(file).collect(), tokens).ok_or(TrainError::NoExamples("roles"))
}

/// The weight of a page of which only text and comments are known, beside one with labelled roles.
const PARTLY_KNOWN: f32 = 0.25;

/// The fewest words of a block of text whose role is body, if only text and comments are known: shorter ones may be headlines
/// or bylines.
const LONG: u32 = 12;

/// Returns what is known of the roles of a page's blocks; `None` if nothing is.
///
/// Few pages with labelled roles have comments, which look like short texts, and like posts. More come from pages whose comments
/// are labelled apart; and from threads, whose posts are no comments.
fn known_roles(page: &ContentPage) -> Option<Vec<Option<BlockRole>>> {
    if page.roles.is_some() {
        return page.roles.clone();
    }
    let comments = page.comments.as_ref().filter(|comments| comments.iter().any(|share| *share > 0.5));
    let is_comment = |at: usize| comments.is_some_and(|comments| comments[at] > 0.8);
    let is_text = |at: usize| page.targets[at] > 0.8 && page.tokens[at] >= LONG;
    let role = |at: usize| {
        if is_comment(at) { Some(BlockRole::Comments) } else { is_text(at).then_some(BlockRole::Body) }
    };
    let is_thread = page.kind.as_deref() == Some("forum");
    (comments.is_some() || is_thread).then(|| (0..page.targets.len()).map(role).collect())
}

/// Returns the weight of each block of a page.
fn role_weights(plan: &TrainPlan, page: &ContentPage) -> impl Iterator<Item = f32> {
    let of_page = if page.roles.is_some() { 1.0 } else { PARTLY_KNOWN };
    weights_of(plan, page).into_iter().map(move |weight| of_page * weight)
}

/// A page of which some roles are known, and what models that did not learn from it say of its blocks.
struct LabelledPage<'a> {
    page: &'a ContentPage,
    roles: Vec<Option<BlockRole>>,
    linear: &'a [LinearScores],
    content: &'a [f32],
}

impl LabelledPage<'_> {
    fn token_row(&self, at: usize) -> impl Iterator<Item = u32> {
        role_tokens(self.page.words.row(at), self.page.markup.row(at))
    }
}

/// Fits the models of words and names, for each role.
fn fit_tokens<'a>(
    plan: &RolePlan,
    pages: impl Iterator<Item = &'a LabelledPage<'a>>,
) -> Result<Vec<Linear>, TrainError> {
    let (mut rows, mut weights, mut labels) = (TokenRows::default(), Vec::new(), Vec::new());
    for labelled in pages {
        let known = labelled.roles.iter().zip(role_weights(&plan.base, labelled.page)).enumerate();
        for (at, (role, weight)) in known {
            if let Some(role) = role {
                rows.push(labelled.token_row(at));
                labels.push(*role);
                weights.push(weight);
            }
        }
    }
    let fit = |role: BlockRole| {
        let targets: Vec<f32> = labels.iter().map(|other| f32::from(u8::from(*other == role))).collect();
        Ok(fit_linear(&plan.tokens, &rows, &targets, Some(&weights), plan.base.seed)?)
    };
    scored_roles().map(fit).collect()
}

/// Returns, by page and block, what the words and names say for each role, by models that did not learn from the page.
fn tokens_out_of_fold(
    plan: &RolePlan,
    pages: &[LabelledPage<'_>],
) -> Result<Vec<Vec<RoleLogOdds>>, TrainError> {
    // Few pages have labelled roles: more of them for each model.
    let TrainPlan { folds, seed, .. } = plan.base;
    let folds = 2 * folds;
    let fold_of = |labelled: &LabelledPage<'_>| mix(seed ^ 0x5eed, labelled.page.group) % folds;
    let mut scores = vec![Vec::new(); pages.len()];
    for fold in 0..folds {
        let models = fit_tokens(plan, pages.iter().filter(|page| fold_of(page) != fold))?;
        let of_block = |labelled: &LabelledPage<'_>, at: usize| -> RoleLogOdds {
            std::array::from_fn(|role| models[role].score(labelled.token_row(at)))
        };
        for (labelled, scores) in pages.iter().zip(&mut scores).filter(|(page, _)| fold_of(page) == fold) {
            *scores = (0..labelled.roles.len()).map(|at| of_block(labelled, at)).collect();
        }
    }
    Ok(scores)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::PageLabel;
    use tsugi_page::Page;

    #[test]
    fn comments_that_are_labelled_apart_and_posts_of_threads_are_known() {
        let text = "The water came over the wall in the night, and nobody in the village heard it.";
        let html = format!("<nav>Home</nav><h1>Flood</h1><p>{text}</p><footer>Sad to read this.</footer>");
        let known = |kind: Option<&str>, comments: &str| {
            let label = PageLabel {
                text: Some(format!("Flood\n{text}")),
                kind: kind.map(str::to_owned),
                others: [("comments".to_owned(), comments.into())].into(),
                ..PageLabel::default()
            };
            let page = Page::from_text(&html, &"https://a.test/".parse().unwrap());
            known_roles(&ContentPage::of(page, &label, 0).unwrap().unwrap())
        };
        let body = Some(BlockRole::Body);
        let of_comments = known(None, "Sad to read this.").unwrap();
        assert_eq!(of_comments, [None, None, body, Some(BlockRole::Comments)]);
        assert_eq!(known(Some("forum"), "").unwrap(), [None, None, body, None]);
        assert_eq!(known(Some("article"), ""), None, "what is not its text may be anything");
    }
}
