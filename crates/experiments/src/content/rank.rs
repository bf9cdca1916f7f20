//! Training of the ranker: which candidate of a page has the best F.

use super::pages::ContentPage;
use super::train::{Answer, TrainPlan, fold_of};
use crate::recipe::TrainError;
use crate::sites::mix;
use tsugi_learning::{FlatModel, Matrix, boost};
use tsugi_main_content::full::{CandidateColumns, LinearScores, PageContext, candidates, choose};

/// The candidates of a page, as the ranker sees them.
#[derive(Debug)]
pub(super) struct RankPage {
    /// Their columns.
    rows: Matrix<CandidateColumns>,
    /// Their F against the gold text.
    f: Vec<f32>,
    /// F of no answer: 1 where there is no gold text either.
    nothing: f32,
}

impl RankPage {
    /// Makes candidates of block scores.
    pub(super) fn of(
        page: &ContentPage,
        scores: &[f32],
        linear: &[LinearScores],
    ) -> Result<RankPage, TrainError> {
        let context = PageContext::new(&page.page, page.next);
        let markup: Vec<f32> = linear.iter().map(|scores| scores.markup).collect();
        let (candidates, rows) = candidates(&context, scores, &markup)?;
        #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
        let f = candidates.iter().map(|candidate| page.token_f(&candidate.texts) as f32).collect();
        let nothing = f32::from(u8::from(page.gold.is_empty()));
        Ok(RankPage { rows, f, nothing })
    }

    /// How the chosen candidate fares.
    pub(super) fn answer(&self, scores: &[f32]) -> Answer {
        let chosen = choose(scores);
        Answer {
            f: chosen.map_or(self.nothing, |at| self.f[at]),
            decoded: self.f.first().copied().unwrap_or(self.nothing),
            best: self.f.iter().copied().reduce(f32::max).unwrap_or(self.nothing),
            expected: chosen.map_or(0.0, |at| scores[at]),
        }
    }
}

/// What a page weighs in the ranker.
const PAGE_WEIGHT: f32 = 10.0;

/// Fits a ranker; each page counts the same.
pub(super) fn fit_ranker(
    plan: &TrainPlan,
    pages: &[(&ContentPage, &RankPage)],
) -> Result<FlatModel<CandidateColumns>, TrainError> {
    let (mut x, mut targets, mut weights) = (Matrix::new(), Vec::new(), Vec::new());
    for (page, rank) in pages {
        x.append(&rank.rows);
        targets.extend_from_slice(&rank.f);
        let weight = PAGE_WEIGHT * page.trust / rank.f.len().max(1) as f32;
        weights.extend(std::iter::repeat_n(weight, rank.f.len()));
    }
    Ok(boost(&plan.candidates, &x, &targets, Some(&weights), mix(plan.seed, 11))?)
}

/// Scores of the candidates, each page's by a ranker that saw no page of its fold.
pub(super) fn rank_out_of_fold(
    plan: &TrainPlan,
    pages: &[&ContentPage],
    ranks: &[RankPage],
) -> Result<Vec<Vec<f32>>, TrainError> {
    let mut scores = vec![Vec::new(); pages.len()];
    for fold in 0..plan.folds {
        let both = pages.iter().copied().zip(ranks);
        let rest: Vec<(&ContentPage, &RankPage)> =
            both.filter(|(page, _)| fold_of(plan, page) != fold).collect();
        let model = fit_ranker(plan, &rest)?;
        for at in (0..pages.len()).filter(|at| fold_of(plan, pages[*at]) == fold) {
            scores[at] = model.score(&ranks[at].rows);
        }
    }
    Ok(scores)
}
