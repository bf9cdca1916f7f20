//! Trains the ranker, which predicts the candidate with the best F.

use super::pages::ContentPage;
use super::train::TrainPlan;
use crate::random::mix;
use crate::train_error::TrainError;
use tsugi_learning::boost;
use tsugi_main_content::{CandidateColumns, LinearScores, PageContext, candidates};
use tsugi_scoring::{FlatModel, Matrix, column_index};

#[derive(Debug)]
pub(super) struct RankPage {
    rows: Matrix<CandidateColumns>,
    f: Vec<f32>,
    weight: f32,
}

impl RankPage {
    pub(super) fn of(
        plan: &TrainPlan,
        page: &ContentPage,
        scores: &[f32],
        linear: &[LinearScores],
    ) -> Result<RankPage, TrainError> {
        let context = PageContext::new(&page.page, page.next);
        let markup: Vec<f32> = linear.iter().map(|scores| scores.markup).collect();
        let (candidates, mut rows) = candidates(&context, scores, &markup)?;
        let blank: Vec<usize> =
            plan.without.iter().filter_map(|name| column_index::<CandidateColumns>(name)).collect();
        if !blank.is_empty() {
            let mut blanked = Matrix::with_capacity(rows.rows());
            for row in rows.iter() {
                let mut row = row.to_vec();
                for place in &blank {
                    row[*place] = 0.0;
                }
                blanked.push(&row)?;
            }
            rows = blanked;
        }
        #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
        let f = candidates.iter().map(|candidate| page.overlap(&candidate.texts).f() as f32).collect();
        Ok(RankPage { rows, f, weight: plan.weight(page) })
    }
}

const PAGE_WEIGHT: f32 = 10.0;

pub(super) fn fit_ranker(
    plan: &TrainPlan,
    pages: &[RankPage],
) -> Result<FlatModel<CandidateColumns>, TrainError> {
    let (mut x, mut targets, mut weights) = (Matrix::new(), Vec::new(), Vec::new());
    for page in pages {
        x.append(&page.rows);
        targets.extend_from_slice(&page.f);
        let weight = PAGE_WEIGHT * page.weight / page.f.len().max(1) as f32;
        weights.extend(std::iter::repeat_n(weight, page.f.len()));
    }
    Ok(boost(&plan.candidates, &x, &targets, Some(&weights), mix(plan.seed, 11))?)
}
