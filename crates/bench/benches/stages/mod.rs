//! The stages of `tsugi scan`, one function each, so that profilers tell them apart by name.
//!
//! They are what `ScanLine::of` runs through, taken apart; the times of a whole page are measured whole.

use tsugi::scan::{ScanContent, ScanLine};
use tsugi_bench::models::Models;
use tsugi_bench::wholes;
use tsugi_main_content::{
    BlockColumns, CandidateAnswer, CandidateColumns, LinearScores, PageContext, linear_scores,
};
use tsugi_next_link::LinkSurvey;
use tsugi_page::{Content, NextLink, NodeId, Page, Response};
use tsugi_scoring::Matrix;

/// The stages in their order, as tables name them; functions are named alike, with `_` for spaces.
pub(crate) const STAGES: [&str; 14] = [
    "decode", "parse", "link survey", "link first look", "link second look", "unfollowable", "block context",
    "block tokens", "block rows", "block forest", "candidates", "candidate forest", "text", "line",
];

#[inline(never)]
pub(crate) fn decode(response: &Response) -> String {
    wholes::decode(response)
}

#[inline(never)]
pub(crate) fn parse(text: &str, response: &Response) -> Page {
    Page::from_text(text, &response.url)
}

#[inline(never)]
pub(crate) fn link_survey(page: &Page) -> LinkSurvey<'_> {
    LinkSurvey::of(page)
}

#[inline(never)]
pub(crate) fn link_first_look(models: &Models, survey: &LinkSurvey<'_>) -> Vec<usize> {
    models.next().first_look(survey)
}

#[inline(never)]
pub(crate) fn link_second_look(
    models: &Models,
    survey: &LinkSurvey<'_>,
    places: &[usize],
) -> Option<NextLink> {
    models.next().second_look(survey, places)
}

/// Asked only of pages without a next link, as `tsugi scan` does.
#[inline(never)]
pub(crate) fn unfollowable(survey: &LinkSurvey<'_>, next: Option<&NextLink>) -> Option<NodeId> {
    if next.is_none() { survey.unfollowable() } else { None }
}

#[inline(never)]
pub(crate) fn block_context<'a>(page: &'a Page, next: Option<&NextLink>) -> PageContext<'a> {
    PageContext::new(page, next.map(|next| next.node))
}

#[inline(never)]
pub(crate) fn block_tokens(models: &Models, context: &PageContext<'_>) -> Vec<LinearScores> {
    let models = models.content().models();
    linear_scores(&models.words, &models.markup, context)
}

#[inline(never)]
pub(crate) fn block_rows(context: &PageContext<'_>, linear: &[LinearScores]) -> Matrix<BlockColumns> {
    tsugi_main_content::block_rows(context, linear).unwrap_or_default()
}

#[inline(never)]
pub(crate) fn block_forest(models: &Models, rows: &Matrix<BlockColumns>) -> Vec<f32> {
    models.content().score_rows(rows)
}

#[inline(never)]
pub(crate) fn candidates(
    context: &PageContext<'_>,
    scores: &[f32],
    linear: &[LinearScores],
) -> (Vec<CandidateAnswer>, Matrix<CandidateColumns>) {
    let markup: Vec<f32> = linear.iter().map(|scores| scores.markup).collect();
    tsugi_main_content::candidates(context, scores, &markup).unwrap_or_default()
}

#[inline(never)]
pub(crate) fn candidate_forest(models: &Models, rows: &Matrix<CandidateColumns>) -> Vec<f32> {
    models.content().models().candidates.model.score(rows)
}

#[inline(never)]
pub(crate) fn text(page: &Page, content: &Content) -> ScanLine {
    ScanLine {
        url: page.url().to_string(),
        content: ScanContent::of(page, content).ok(),
        title: page.title(),
        lang: page.lang().map(str::to_owned),
        ..ScanLine::default()
    }
}

#[inline(never)]
pub(crate) fn line(line: &ScanLine) -> String {
    serde_json::to_string(line).unwrap_or_default()
}

pub(crate) fn found(models: &Models, page: &Page) -> (Option<NextLink>, Content) {
    let look = models.tsugi.look(page);
    (look.next().cloned(), look.shown_content().as_content().clone())
}
