//! The learned detector: scores all candidates, decides for the page, and gives reasons.

use super::describe::{self, Described, LinkColumns, RowWriter, described_places, first_node};
use super::elsewhere;
use super::pair::FactsOfLinks;
use super::previous::{self, Earlier};
use super::refresh;
use super::said::{self, SaidPages};
use super::shared::LazyShared;
use super::sieve::{self, SieveColumns};
use super::single_page;
use super::tokens::{Bag, TokenKind, Tokens};
use super::unfollowable;
use super::ways::LinkWay;
use tsugi_page::{Evidence, NextLink, NodeId, Page, Relation, Url};
use tsugi_scoring::{Bundle, BundleError, Calibration, Column, Linear, Matrix, ModelFile, Schema};

/// The kind of bundles for this detector.
pub const NEXT_LINK_KIND: &str = "next-link/full/2";

/// The parts of a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkPart {
    /// The model of the first look; its header has the lowest score that passes on any page.
    Sieve,
    /// The model that scores candidates; its header has the threshold for calibrated scores.
    Links,
    /// The model that distinguishes chapters from pages.
    Relation,
    /// Maps the best score of a page to the probability that it is right.
    Calibration,
    /// The linear model of one kind of tokens.
    Tokens(TokenKind),
}

impl LinkPart {
    /// Returns the name in the bundle.
    pub fn name(self) -> &'static str {
        match self {
            LinkPart::Sieve => "sieve",
            LinkPart::Links => "links",
            LinkPart::Relation => "relation",
            LinkPart::Calibration => "calibration",
            LinkPart::Tokens(kind) => kind.as_str(),
        }
    }
}

/// The linear models of all kinds of tokens.
#[derive(Debug, Clone)]
pub struct TokenScores(Vec<Linear>);

impl TokenScores {
    /// Creates the scores from one model for each of [`TokenKind::ALL`], in that order.
    pub fn new(models: [Linear; TokenKind::ALL.len()]) -> Self {
        TokenScores(models.into())
    }

    /// Returns the score of a candidate's tokens of one kind, in log-odds.
    pub fn score(&self, page: &Described, candidate: usize, kind: TokenKind) -> f32 {
        self.score_of(kind, page.tokens(candidate, kind))
    }

    fn score_of(&self, kind: TokenKind, tokens: &[u32]) -> f32 {
        let model = TokenKind::ALL.iter().zip(&self.0).find(|(held, _)| **held == kind);
        model.map_or(0.0, |(_, model)| model.score(tokens.iter().copied()))
    }

    /// Returns what [`Self::rows`] does for some candidates, without sorted bags of tokens.
    fn rows_of(&self, shared: &LazyShared<'_>, places: &[usize]) -> Matrix<LinkColumns> {
        let mut matrix = Matrix::with_capacity(places.len());
        if places.is_empty() {
            return matrix;
        }
        let features = &*describe::FEATURES;
        let (mut rows, of_page) = (RowWriter::of(shared), features.of_page(shared));
        let (mut tokens, mut bag) = (Tokens::of(shared), Bag::default());
        let mut score = |at, kind: TokenKind| {
            tokens.fill(&mut bag, at, kind);
            self.score_of(kind, bag.distinct())
        };
        let page_score = score(0, TokenKind::Page);
        let mut row = Vec::with_capacity(LinkColumns::columns().len());
        for at in places {
            row.clear();
            rows.write(features, &of_page, *at, &mut row);
            row.extend(TokenKind::ALL.map(|kind| match kind {
                TokenKind::Page => page_score,
                kind => score(*at, kind),
            }));
            if matrix.push(&row).is_err() {
                return Matrix::default();
            }
        }
        matrix
    }

    /// Returns the rows of a page's candidates; empty if a score is not finite.
    pub fn rows(&self, page: &Described) -> Matrix<LinkColumns> {
        // Page tokens are the same for all candidates.
        let of_page = if page.is_empty() { 0.0 } else { self.score(page, 0, TokenKind::Page) };
        let rows = page.rows(|candidate, kind| match kind {
            TokenKind::Page => of_page,
            kind => self.score(page, candidate, kind),
        });
        rows.unwrap_or_default()
    }
}

/// The links of a page and their surroundings, read once for all questions about them.
#[derive(Debug)]
pub struct LinkSurvey<'p>(LazyShared<'p>);

impl<'p> LinkSurvey<'p> {
    /// Surveys a page.
    pub fn of(page: &'p Page) -> LinkSurvey<'p> {
        LinkSurvey(LazyShared::of(page))
    }

    /// Finds a control that would lead on but has no address: "load more", a scripted "next".
    ///
    /// For pages without a good candidate: it shows that the document continues but cannot be followed. Controls of
    /// slide shows and calendars, and disabled ones, do not count.
    pub fn unfollowable(&self) -> Option<NodeId> {
        unfollowable::on(self.0.survey())
    }

    /// Returns addresses that may be the previous page, the likeliest first.
    ///
    /// Words are unreliable about direction ("previous" on the link onward, "older" on either), so this only orders
    /// the candidates by evidence. The page behind a candidate decides, by its own next link.
    pub fn previous_candidates(&self) -> Vec<Url> {
        previous::on(self.0.survey())
    }

    /// Returns evidence that the page is not the first of its sequence; `None` if it may be.
    pub fn earlier(&self) -> Option<Earlier> {
        previous::earlier(self.0.survey())
    }

    /// Returns addresses that may contain all pages of the sequence, the likeliest first.
    ///
    /// Labels ("view on one page", 全文表示) and addresses (`?page=all`) count, and more so inside a pager. Only the page
    /// behind it shows whether it does.
    pub fn single_page_candidates(&self) -> Vec<Url> {
        single_page::on(self.0.survey())
    }

    /// Returns how many pages the document has, by what the page says: "Page 1 of 3", a row of page numbers, a select of
    /// pages. `None` if it does not say, or contradicts itself.
    ///
    /// Counts of comments, galleries and related stories do not count.
    pub fn said_pages(&self) -> Option<SaidPages> {
        said::on(self.0.survey())
    }

    /// Returns the address of the next page if it is on another host, where a sequence is not followed. `None` if a link
    /// to the next page stays on the host.
    pub fn elsewhere(&self) -> Option<Url> {
        elsewhere::on(self.0.survey())
    }

    /// Returns the address that the page passes on to, if it is nothing but a step on the way: little text, and a refresh
    /// within ten seconds to another page of the host.
    pub fn refresh(&self) -> Option<Url> {
        refresh::on(self.0.survey().page)
    }

    /// Begins the facts by which the page is compared with others.
    pub fn facts(&self) -> FactsOfLinks {
        FactsOfLinks::of(self.0.survey(), &self.0)
    }
}

/// Minimum share of the best score of the first look that a candidate needs to be examined closely.
///
/// CHOICE: a twentieth. Of 1,509 pages whose best candidate is good by the second look, the first look prefers another
/// on five, and the best still has at least .59 of that one's score (with models that saw no page of the fold).
const BESIDE_BEST: f32 = 0.05;

/// Returns the lowest score that passes the first look, given all scores of the page. `threshold` is half of the lowest
/// score that the first look gave to a best candidate worth .05, on the training side.
fn least_passing(scores: &[f32], threshold: f32) -> f32 {
    let most = scores.iter().copied().fold(0.0, f32::max);
    threshold.max(most * BESIDE_BEST)
}

/// Finds next-page links on any site.
///
/// A page is surveyed once. A cheap first look selects few of its candidates; only these are described in full and
/// scored.
// One step decides. A second model that judges a page's best candidate together with the page, its rivals and its lead
// was tried on eleven data sets: log loss fell from .091 to .073, as calibration makes it fall too, and F from .972 to
// .970.
#[derive(Debug)]
pub struct NextLinkDetector {
    sieve: ModelFile<SieveColumns>,
    links: ModelFile<LinkColumns>,
    relation: ModelFile<LinkColumns>,
    calibration: Calibration,
    tokens: TokenScores,
}

/// A candidate with its score and reasons.
#[derive(Debug, Clone)]
pub struct ExplainedCandidate {
    /// Its address.
    pub url: Url,
    /// Its first tag.
    pub node: NodeId,
    /// What kind of element that is.
    pub way: LinkWay,
    /// The probability that it is the next page, in [0, 1].
    pub score: f32,
    /// Its relation to the page.
    pub relation: Relation,
    /// The reasons, largest first: a column, its value, and its part in the log-odds.
    pub reasons: Vec<(&'static Column, f32, f64)>,
}

impl NextLinkDetector {
    /// Takes the models from a bundle.
    ///
    /// # Errors
    ///
    /// [`BundleError`] if a part is missing, damaged, or made for other columns.
    pub fn from_bundle(bundle: &Bundle) -> Result<Self, BundleError> {
        let tokens = TokenKind::ALL
            .iter()
            .map(|kind| bundle.get(LinkPart::Tokens(*kind).name()))
            .collect::<Result<Vec<Linear>, _>>()?;
        Ok(NextLinkDetector {
            sieve: bundle.model(LinkPart::Sieve.name())?,
            links: bundle.model(LinkPart::Links.name())?,
            relation: bundle.model(LinkPart::Relation.name())?,
            calibration: bundle.get(LinkPart::Calibration.name())?,
            tokens: TokenScores(tokens),
        })
    }

    /// Returns the score from which a link counts as a next-page link.
    // Of the thresholds that keep false alarms few, the one with the best page F.
    pub fn threshold(&self) -> f32 {
        self.links.header.threshold
    }

    /// Returns the indices of the candidates that pass the first look.
    pub fn first_look(&self, survey: &LinkSurvey<'_>) -> Vec<usize> {
        let shared = &survey.0;
        let places = described_places(shared.survey().candidates.len());
        let (mut seen, mut matrix) = (Vec::new(), Matrix::with_capacity(places.clone().count()));
        let mut rows = RowWriter::of(shared);
        let mut row = Vec::with_capacity(SieveColumns::columns().len());
        let of_page = sieve::FEATURES.of_page(shared);
        for at in places {
            row.clear();
            rows.write(&sieve::FEATURES, &of_page, at, &mut row);
            // A row that is not finite cannot be scored by the second look, either.
            if matrix.push(&row).is_ok() {
                seen.push(at);
            }
        }
        self.passing(&seen, &matrix)
    }

    /// Returns the same for a described page.
    pub fn first_look_at(&self, page: &Described) -> Vec<usize> {
        let (mut seen, mut matrix) = (Vec::new(), Matrix::with_capacity(page.len()));
        for at in 0..page.len() {
            if matrix.push(&page.first_look(at)).is_ok() {
                seen.push(at);
            }
        }
        self.passing(&seen, &matrix)
    }

    fn passing(&self, seen: &[usize], rows: &Matrix<SieveColumns>) -> Vec<usize> {
        let scores = self.sieve.model.score(rows);
        let least = least_passing(&scores, self.sieve.header.threshold);
        let passed = seen.iter().zip(scores).filter(|(_, score)| *score >= least);
        passed.map(|(at, _)| *at).collect()
    }

    /// Returns the best of some candidates, using all columns.
    pub fn second_look(&self, survey: &LinkSurvey<'_>, places: &[usize]) -> Option<NextLink> {
        let (rows, survey) = (self.tokens.rows_of(&survey.0, places), survey.0.survey());
        let scores = self.links.model.score(&rows);
        let best = best(&scores)?;
        let at = places[best];
        Some(self.link(survey.candidates[at].url(), first_node(survey, at), rows.row(best), scores[best]))
    }

    /// Returns the best next link of a page, however unsure; `None` if no candidate passes the first look.
    pub fn best(&self, survey: &LinkSurvey<'_>) -> Option<NextLink> {
        self.second_look(survey, &self.first_look(survey))
    }

    fn link(&self, url: Url, node: NodeId, row: &[f32], score: f32) -> NextLink {
        NextLink {
            url,
            node,
            relation: self.relation_of(row),
            score: self.calibration.apply(score),
            evidence: Evidence::Model,
        }
    }

    /// Returns all described candidates of a page as next links, the likeliest first.
    pub fn ranked(&self, page: &Described) -> Vec<NextLink> {
        let (rows, order) = self.scored(page);
        let links = order
            .into_iter()
            .map(|(at, score)| self.link(page.urls[at].clone(), page.nodes[at], rows.row(at), score));
        links.collect()
    }

    /// Returns the rows of a page's candidates, and the candidates with their scores, the likeliest first.
    fn scored(&self, page: &Described) -> (Matrix<LinkColumns>, Vec<(usize, f32)>) {
        let rows = self.tokens.rows(page);
        let mut order: Vec<_> = self.links.model.score(&rows).into_iter().enumerate().collect();
        order.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        (rows, order)
    }

    /// Returns the number of candidates of a page, and the `most` best of them with reasons, best first.
    // Describes all candidates: the first look has reduced those that were scored to a few, often to one.
    pub fn explain(&self, survey: &LinkSurvey<'_>, most: usize) -> (usize, Vec<ExplainedCandidate>) {
        let page = Described::on(&survey.0);
        let (rows, order) = self.scored(&page);
        let explained = order.into_iter().take(most).map(|(at, score)| ExplainedCandidate {
            url: page.urls[at].clone(),
            node: page.nodes[at],
            way: page.ways[at],
            score: self.calibration.apply(score),
            relation: self.relation_of(rows.row(at)),
            reasons: self.links.model.reasons(rows.row(at)),
        });
        (page.len(), explained.collect())
    }

    fn relation_of(&self, row: &[f32]) -> Relation {
        if self.relation.model.score_row(row) >= self.relation.header.threshold {
            Relation::Chapter
        } else {
            Relation::Page
        }
    }
}

// On a tie, the first in document order.
fn best(scores: &[f32]) -> Option<usize> {
    (0..scores.len()).rev().max_by(|a, b| scores[*a].total_cmp(&scores[*b]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_far_below_the_best_does_not_pass_the_first_look() {
        let passing = |scores: &[f32]| {
            let least = least_passing(scores, 0.01);
            scores.iter().copied().filter(|score| *score >= least).collect::<Vec<f32>>()
        };
        assert_eq!(passing(&[0.8, 0.039, 0.041, 0.02]), [0.8, 0.041]);
        assert_eq!(passing(&[0.02, 0.011, 0.009]), [0.02, 0.011], "the threshold holds on any page");
        assert!(passing(&[0.009, 0.0]).is_empty() && passing(&[]).is_empty());
    }
}
