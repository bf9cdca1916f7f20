//! The detector: scores blocks, turns scores into candidates, and chooses one as the content.

use super::block::TextBlock;
use super::candidates::{CandidateAnswer, CandidateColumns, candidates, choose};
use super::columns::{BlockColumns, LinearScores, rows_of};
use super::context::PageContext;
use super::decode::{DecodeParams, Decoder, IN, OUT, Taken};
use super::focus::Focus;
use super::furniture::may_have_comments;
use super::names::{MarkupNames, MarkupScorer};
use super::stated::with_stated;
use super::words::word_tokens;
use std::cmp::Reverse;
use std::ops::Range;
use tsugi_page::{Content, Evidence, NodeId, Page};
use tsugi_scoring::{
    Bundle, BundleError, Calibration, Column, InTurn, Linear, Matrix, MatrixError, ModelFile, ModelFileError,
    Params,
};

/// The kind of content bundles.
pub const CONTENT_KIND: &str = "content/full";

pub(crate) mod part {
    pub(crate) const WORDS: &str = "words";
    pub(crate) const MARKUP: &str = "markup";
    pub(crate) const BLOCKS: &str = "blocks";
    pub(crate) const CANDIDATES: &str = "candidates";
    pub(crate) const COMMENTS: &str = "comments";
    pub(crate) const CALIBRATION: &str = "calibration";
}

/// The models that find content.
#[derive(Debug, Clone)]
pub struct ContentModels {
    /// Linear scores of words.
    pub words: Linear,
    /// Linear scores of the names around a block.
    pub markup: Linear,
    /// Scores blocks.
    pub blocks: ModelFile<BlockColumns>,
    /// Predicts the F of candidates.
    pub candidates: ModelFile<CandidateColumns>,
    /// Tells comments below an article from other blocks.
    pub comments: ModelFile<BlockColumns>,
    /// Turns scores of blocks into probabilities that they are content.
    pub calibration: Calibration,
}

impl ContentModels {
    /// Takes the models from a bundle.
    ///
    /// # Errors
    ///
    /// [`BundleError`] if a part is missing, damaged, or made for other columns.
    pub fn from_bundle(bundle: &Bundle) -> Result<Self, BundleError> {
        let models = ContentModels {
            words: bundle.get(part::WORDS)?,
            markup: bundle.get(part::MARKUP)?,
            blocks: bundle.model(part::BLOCKS)?,
            candidates: bundle.model(part::CANDIDATES)?,
            comments: bundle.model(part::COMMENTS)?,
            calibration: bundle.get(part::CALIBRATION)?,
        };
        let (of_one, found) = (models.trees_of_one(), models.blocks.model.trees());
        if found.is_multiple_of(of_one) {
            Ok(models)
        } else {
            let source = ModelFileError::Trees { of_one, found };
            Err(BundleError::Model { name: part::BLOCKS.to_owned(), source })
        }
    }

    /// Returns the number of trees of each model that is averaged in the model of blocks.
    fn trees_of_one(&self) -> usize {
        match &self.blocks.header.params {
            Params::Boosted(params) => params.trees,
            _ => self.blocks.model.trees(),
        }
    }

    /// Puts the models into a bundle.
    ///
    /// # Errors
    ///
    /// [`BundleError`] if a part cannot be written.
    pub fn to_bundle(&self) -> Result<Bundle, BundleError> {
        let mut bundle = Bundle::new(CONTENT_KIND);
        bundle.insert(part::WORDS, &self.words)?;
        bundle.insert(part::MARKUP, &self.markup)?;
        bundle.insert_model(part::BLOCKS, &self.blocks)?;
        bundle.insert_model(part::CANDIDATES, &self.candidates)?;
        bundle.insert_model(part::COMMENTS, &self.comments)?;
        bundle.insert(part::CALIBRATION, &self.calibration)?;
        Ok(bundle)
    }
}

/// Finds main content with trained models.
#[derive(Debug, Clone)]
pub struct ContentDetector {
    models: ContentModels,
    /// Number of models averaged in the model of blocks.
    of_blocks: usize,
    focus: Focus,
}

/// A text block with its score.
#[derive(Debug, Clone)]
pub struct ScoredBlock {
    /// The block-level element that the block's text belongs to.
    pub node: NodeId,
    /// The beginning of the text.
    pub text: String,
    /// Number of characters of the text.
    pub characters: u32,
    /// The probability that it is content, in [0, 1].
    pub score: f32,
    /// The reasons, largest first: a column, its value, and its part in the log-odds.
    pub reasons: Vec<(&'static Column, f32, f64)>,
}

/// The text blocks of a page, with scores and reasons.
#[derive(Debug, Clone, Default)]
pub struct BlockExplanation {
    /// Number of text blocks.
    pub count: usize,
    /// The blocks with the longest texts, longest first.
    pub blocks: Vec<ScoredBlock>,
}

pub(crate) const AT_A_TIME: usize = 4096;

/// Divides the blocks of a page, so that one with a million blocks needs no room for all their columns.
pub(crate) fn portions(context: &PageContext<'_>) -> impl Iterator<Item = Range<usize>> + use<> {
    let count = context.blocks().blocks.len();
    (0..count).step_by(AT_A_TIME).map(move |from| from..count.min(from + AT_A_TIME))
}

/// Log-odds beyond which the first model of blocks is trusted without asking the others.
///
/// CHOICE: 4, a probability of .018 or .982. Of 231,000 blocks of `sites`, `bulk` and `web` (no model was trained on
/// the last), the first model is that sure of .80, .65 and .46; all models together then differ by .002 on average
/// and by .04 at most. From 3 on it would be that sure of .94, .82 and .65, and be off by up to .08.
const SURE: f32 = 4.0;
const SHOWN: usize = 80; // In characters of a block.

impl ContentDetector {
    /// Creates a detector; the number of averaged models follows from the number of trees in the header.
    pub fn new(models: ContentModels) -> Self {
        let of_blocks = models.blocks.model.trees().checked_div(models.trees_of_one()).unwrap_or(1);
        ContentDetector { models, of_blocks, focus: Focus::Balanced }
    }

    /// Returns a detector with the same models that favours precision or recall.
    #[must_use]
    pub fn with_focus(self, focus: Focus) -> Self {
        ContentDetector { focus, ..self }
    }

    /// Creates a detector from a bundle.
    ///
    /// # Errors
    ///
    /// [`BundleError`] if a part is missing, damaged, or made for other columns.
    pub fn from_bundle(bundle: &Bundle) -> Result<Self, BundleError> {
        Ok(ContentDetector::new(ContentModels::from_bundle(bundle)?))
    }

    /// Returns the models.
    pub fn models(&self) -> &ContentModels {
        &self.models
    }

    /// Returns the text nodes of the page's text blocks, in document order, each with the probability that its block
    /// is content, in [0, 1], whatever the focus; `next` is the tag of the page's next-page link.
    pub fn text_scores(&self, page: &Page, next: Option<NodeId>) -> Vec<(NodeId, f32)> {
        let context = PageContext::new(page, next);
        let linear = self.linear_scores(&context);
        let Ok((scores, _)) = self.block_scores(&context, &linear, false) else { return Vec::new() };
        let blocks = context.blocks();
        let of_blocks = blocks
            .blocks
            .iter()
            .zip(scores)
            .flat_map(|(block, score)| blocks.texts_of(block).iter().map(move |id| (*id, score)));
        of_blocks.collect()
    }

    pub(crate) fn linear_scores(&self, context: &PageContext<'_>) -> Vec<LinearScores> {
        linear_scores(&self.models.words, &self.models.markup, context)
    }

    pub(crate) fn block_scores(
        &self,
        context: &PageContext<'_>,
        linear: &[LinearScores],
        with_comments: bool,
    ) -> Result<(Vec<f32>, Vec<f32>), MatrixError> {
        let (mut scores, mut comments) = (Vec::with_capacity(context.blocks().blocks.len()), Vec::new());
        for portion in portions(context) {
            let rows = rows_of(context, linear, portion)?;
            scores.extend(self.score_rows(&rows));
            if with_comments {
                comments.extend(self.models.comments.model.score(&rows));
            }
        }
        Ok((scores, comments))
    }

    /// Returns the probability that each block is content, in [0, 1], by its columns.
    pub fn score_rows(&self, rows: &Matrix<BlockColumns>) -> Vec<f32> {
        self.in_turn().map_or_else(|| self.models.blocks.model.score(rows), |in_turn| in_turn.score(rows))
    }

    fn reasons(&self, row: &[f32]) -> Vec<(&'static Column, f32, f64)> {
        self.in_turn().map_or_else(|| self.models.blocks.model.reasons(row), |in_turn| in_turn.reasons(row))
    }

    /// Returns the order in which several models of blocks are asked; `None` if there is only one.
    fn in_turn(&self) -> Option<InTurn<'_, BlockColumns>> {
        InTurn::of(&self.models.blocks.model, self.of_blocks, SURE)
    }

    fn focused(
        &self,
        context: &PageContext<'_>,
        scores: &[f32],
        best: &CandidateAnswer,
        expected: f32,
    ) -> Taken {
        let Some(cut) = self.focus.cut(expected) else { return best.taken.clone() };
        let judged = |(block, score): (&TextBlock, &f32)| match self.focus {
            Focus::Recall if best.has_text_of(block) => IN,
            Focus::Precision if !best.has_text_of(block) => OUT,
            _ => self.models.calibration.apply(*score),
        };
        let judged: Vec<f32> = context.blocks().blocks.iter().zip(scores).map(judged).collect();
        let [taken] = Decoder::with_cut(context, &judged, f64::from(cut)).decode(&[USUAL]);
        if taken.nodes.is_empty() { best.taken.clone() } else { taken }
    }
}

const USUAL: DecodeParams = DecodeParams { cut_factor: 1.0, start: 0.01, leave: 0.001 };

const SOME_COMMENTS: f64 = 15.0; // Minimum number of tokens expected to be comments.

fn scored_comments(context: &PageContext<'_>, scores: &[f32]) -> Option<Content> {
    let blocks = context.blocks().blocks.iter().zip(scores);
    let likely = blocks.filter(|(_, score)| **score > 0.5);
    let tokens: f64 = likely.map(|(block, score)| f64::from(block.counts.tokens) * f64::from(*score)).sum();
    if tokens < SOME_COMMENTS {
        return None;
    }
    Some(decoded(context, scores)).filter(|comments| !comments.nodes.is_empty())
}

/// Returns the parts of a page that the decoder takes by scores of its blocks; the score is the F that they are expected to have.
pub(crate) fn decoded(context: &PageContext<'_>, scores: &[f32]) -> Content {
    let decoder = Decoder::new(context, scores);
    let [Taken { nodes, without }] = decoder.decode(&[USUAL]);
    #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
    let score = decoder.cut.expected_f as f32;
    Content { nodes, without, score, evidence: Evidence::Model }
}

/// Returns the linear scores of all blocks of a page.
pub fn linear_scores(words: &Linear, markup: &Linear, context: &PageContext<'_>) -> Vec<LinearScores> {
    let names = MarkupNames::of_page(context);
    let mut of_names = MarkupScorer::new(markup, context, &names);
    let mut tokens = Vec::new();
    let scores = |at| {
        tokens.clear();
        word_tokens(context, at, &mut tokens);
        let (words, markup) = (words.score(tokens.iter().copied()), of_names.score(at));
        LinearScores { words, markup, ..LinearScores::default() }
    };
    let mut scores: Vec<LinearScores> = (0..context.blocks().blocks.len()).map(scores).collect();
    LinearScores::look_around(&mut scores, context.standings());
    scores
}

impl ContentDetector {
    /// Returns the main content of a page; `next` is the tag of its next-page link, if it has one. The score is the F
    /// that the answer is expected to have.
    pub fn find(&self, page: &Page, next: Option<NodeId>) -> Content {
        self.scored(page, next, false).content()
    }

    /// Scores a page once, for its content, its comments, their explanation and its roles; `next` is the tag of its next-page
    /// link, if it has one.
    pub fn judged<'a>(&'a self, page: &'a Page, next: Option<NodeId>) -> JudgedPage<'a> {
        self.scored(page, next, may_have_comments(page))
    }

    fn scored<'a>(&'a self, page: &'a Page, next: Option<NodeId>, with_comments: bool) -> JudgedPage<'a> {
        let mut context = PageContext::new(page, next);
        let scores = self.page_scores(&mut context, with_comments).unwrap_or_default();
        JudgedPage { detector: self, context, scores }
    }

    fn page_scores(
        &self,
        context: &mut PageContext<'_>,
        with_comments: bool,
    ) -> Result<PageScores, MatrixError> {
        let linear = self.linear_scores(context);
        context.forget_words();
        let (blocks, comments) = self.block_scores(context, &linear, with_comments)?;
        let markup: Vec<f32> = linear.iter().map(|scores| scores.markup).collect();
        // Candidates take as much memory.
        drop(linear);
        context.forget_details();
        let (found, rows) = candidates(context, &blocks, &markup)?;
        let ranks = self.models.candidates.model.score(&rows);
        Ok(PageScores { blocks, comments, found, ranks })
    }
}

/// A page with the scores of its blocks and candidates; see [`ContentDetector::judged`].
#[derive(Debug)]
pub struct JudgedPage<'a> {
    pub(crate) detector: &'a ContentDetector,
    pub(crate) context: PageContext<'a>,
    /// Empty if a value is not finite, which no page can cause.
    pub(crate) scores: PageScores,
}

#[derive(Debug, Default)]
pub(crate) struct PageScores {
    pub(crate) blocks: Vec<f32>,
    /// For each block, the probability that it is a comment; empty if not wanted, or if the page cannot have comments.
    comments: Vec<f32>,
    found: Vec<CandidateAnswer>,
    ranks: Vec<f32>,
}

impl JudgedPage<'_> {
    /// Returns the main content; its score is its expected F, in [0, 1].
    pub fn content(&self) -> Content {
        let Some((place, taken)) = self.chosen() else {
            return Content::nothing(Evidence::Model);
        };
        let Taken { nodes, without } = taken.in_whole_lines(&self.context);
        let score = self.scores.ranks[place];
        with_stated(&self.context, Content { nodes, without, score, evidence: Evidence::Model })
    }

    /// Returns the text that reads like comments below an article, if there is any; [`comments`](crate::comments) decides whether
    /// it is.
    pub fn comments(&self) -> Option<Content> {
        scored_comments(&self.context, &self.scores.comments)
    }

    /// Returns the number of blocks, and the `top` blocks with the longest texts with reasons.
    pub fn explanation(&self, top: usize) -> BlockExplanation {
        let blocks = &self.context.blocks().blocks;
        let count = self.scores.blocks.len();
        let mut longest: Vec<usize> = (0..count).collect();
        longest.sort_by_key(|at| Reverse(blocks[*at].counts.characters));
        longest.truncate(top);
        // Hardly any page is explained, so no other one holds these scores until then.
        let linear = self.detector.linear_scores(&self.context);
        BlockExplanation {
            count,
            blocks: longest.into_iter().map(|at| self.explained(at, &linear)).collect(),
        }
    }

    fn explained(&self, at: usize, linear: &[LinearScores]) -> ScoredBlock {
        let blocks = self.context.blocks();
        let block = &blocks.blocks[at];
        // The columns of all blocks of a page would take far more room than those of the few that are shown.
        let rows = rows_of(&self.context, linear, at..at + 1).unwrap_or_default();
        let texts = blocks.texts_of(block).iter().map(|id| self.context.page().data(*id));
        let words: Vec<&str> = texts.flat_map(str::split_whitespace).take(SHOWN).collect();
        ScoredBlock {
            node: block.owner,
            text: words.join(" ").chars().take(SHOWN).collect(),
            characters: block.counts.characters,
            score: self.scores.blocks[at],
            reasons: rows.iter().next().map(|row| self.detector.reasons(row)).unwrap_or_default(),
        }
    }

    /// Returns all answers that were considered.
    pub fn candidates(&self) -> &[CandidateAnswer] {
        &self.scores.found
    }

    fn chosen(&self) -> Option<(usize, Taken)> {
        let PageScores { blocks, found, ranks, .. } = &self.scores;
        let place = choose(ranks)?;
        Some((place, self.detector.focused(&self.context, blocks, &found[place], ranks[place])))
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns::block_rows;
    use super::super::names::markup_tokens;
    use super::*;
    use crate::page_of;
    use tsugi_learning::{LinearParams, TokenRows, boost, fit_linear};
    use tsugi_scoring::{BoostedParams, FlatModel, ModelHeader, Schema};

    fn page(paragraphs: usize) -> Page {
        let text =
            "<p>A paragraph of the article, which is long enough to be told from a menu. ".repeat(paragraphs);
        let html = format!(
            "<title>Article</title><ul class=menu><li><a href=/>Home</a><li><a href=/b>About us</a></ul>\
            <div class=text><h1>Article</h1>{text}</div><div class=foot>© 2020 Somebody</div>"
        );
        page_of(&html)
    }

    /// Models trained to find the text in `.text`.
    fn models() -> ContentModels {
        let pages: Vec<Page> = (1..9).map(page).collect();
        let (mut words, mut markup, mut targets) = (TokenRows::default(), TokenRows::default(), Vec::new());
        for page in &pages {
            let context = PageContext::new(page, None);
            let names = MarkupNames::of_page(&context);
            for (at, block) in context.blocks().blocks.iter().enumerate() {
                let mut tokens = Vec::new();
                word_tokens(&context, at, &mut tokens);
                words.push(tokens.drain(..));
                markup_tokens(&context, &names, at, &mut tokens);
                markup.push(tokens);
                let is_text = |id: NodeId| page.attribute(id, "class") == Some("text");
                targets.push(f32::from(u8::from(page.ancestors(block.owner).any(is_text))));
            }
        }
        let linear =
            |rows| fit_linear(&LinearParams { bits: 12, ..LinearParams::default() }, rows, &targets, None, 1);
        let (words, markup) = (linear(&words).unwrap(), linear(&markup).unwrap());
        let params = BoostedParams { trees: 20, leaves: 4, min_leaf_rows: 2, ..BoostedParams::default() };
        let mut rows = Matrix::new();
        for page in &pages {
            let context = PageContext::new(page, None);
            rows.append(&block_rows(&context, &linear_scores(&words, &markup, &context)).unwrap());
        }
        let blocks = boost(&params, &rows, &targets, None, 1).unwrap();
        let comments = boost(&params, &rows, &vec![0.0; targets.len()], None, 1).unwrap();
        let (mut rows, mut targets) = (Matrix::new(), Vec::new());
        for page in &pages {
            let context = PageContext::new(page, None);
            let linear = linear_scores(&words, &markup, &context);
            let scores = blocks.score(&block_rows(&context, &linear).unwrap());
            let (found, columns) = candidates(&context, &scores, &vec![0.0; scores.len()]).unwrap();
            rows.append(&columns);
            let right = [page.first("div").unwrap()];
            targets.extend(found.iter().map(|one| if one.taken.nodes == right { 1.0 } else { 0.4 }));
        }
        let ranker = boost(&params, &rows, &targets, None, 1).unwrap();
        ContentModels {
            words,
            markup,
            blocks: file(&params, blocks),
            candidates: file(&params, ranker),
            comments: file(&params, comments),
            calibration: Calibration::identity(),
        }
    }

    fn file<S: Schema>(params: &BoostedParams, model: FlatModel<S>) -> ModelFile<S> {
        ModelFile { header: ModelHeader::new::<S>(Params::Boosted(params.clone()), 1), model }
    }

    #[test]
    fn what_was_taught_is_found_after_a_round_trip() {
        let bytes = models().to_bundle().unwrap().to_bytes().unwrap();
        let bundle = Bundle::from_bytes(&bytes, CONTENT_KIND).unwrap();
        let detector = ContentDetector::from_bundle(&bundle).unwrap();
        let page = page(5);
        let content = detector.find(&page, None);
        assert_eq!(content.nodes, [page.first("div").unwrap()]);
        assert!(content.without.is_empty() && (0.0..=1.0).contains(&content.score));
        let judged = detector.judged(&page, None);
        let (best, explained) = (judged.chosen().unwrap(), judged.explanation(usize::MAX));
        assert_eq!(best.1.nodes, content.nodes);
        assert_eq!(judged.candidates()[best.0].taken, best.1);
        assert_eq!(judged.content(), content);
        assert!(explained.blocks.iter().all(|block| (0.0..=1.0).contains(&block.score)));
        let texts = detector.text_scores(&page, None);
        assert!(texts.len() >= explained.count && texts.is_sorted_by_key(|(id, _)| *id));
        let first = explained.blocks.iter().min_by_key(|block| block.node).unwrap();
        assert_eq!(texts[0].1, first.score);
    }

    #[test]
    fn the_longest_blocks_are_explained() {
        let detector = ContentDetector::new(models());
        let page = page(5);
        let judged = detector.judged(&page, None);
        let (all, some) = (judged.explanation(usize::MAX), judged.explanation(3));
        assert_eq!((all.count, all.blocks.len(), some.count, some.blocks.len()), (10, 10, 10, 3));
        assert!(all.blocks.is_sorted_by_key(|block| std::cmp::Reverse(block.characters)));
        let context = PageContext::new(&page, None);
        let rows = block_rows(&context, &detector.linear_scores(&context)).unwrap();
        let at = |node| context.blocks().blocks.iter().position(|block| block.owner == node).unwrap();
        for (block, same) in some.blocks.iter().zip(&all.blocks) {
            assert_eq!((block.node, &block.reasons), (same.node, &same.reasons));
            assert_eq!(block.reasons, detector.reasons(rows.row(at(block.node))));
            assert!(!block.reasons.is_empty());
        }
    }

    /// A detector whose model of blocks is the mean of two: the first is sure of two thirds of the blocks of a page,
    /// and the second says the opposite. Also the first model alone, and the rows of the blocks.
    fn of_two() -> (ContentDetector, FlatModel<BlockColumns>, Matrix<BlockColumns>) {
        let mut models = models();
        let page = page(30);
        let context = PageContext::new(&page, None);
        let rows = block_rows(&context, &linear_scores(&models.words, &models.markup, &context)).unwrap();
        let taught = models.blocks.model.score(&rows);
        let target = |(at, score): (usize, &f32)| {
            if at % 3 == 0 { 0.5 } else { f32::from(u8::from(*score > 0.5)) }
        };
        let targets: Vec<f32> = taught.iter().enumerate().map(target).collect();
        let opposite: Vec<f32> = targets.iter().map(|target| 1.0 - target).collect();
        // Positive and negative blocks have the same total weight, so that both models have the same base.
        let weigh = |target: &f32| 60.0 / targets.iter().filter(|other| *other == target).count() as f32;
        let weights: Vec<f32> = targets.iter().map(weigh).collect();
        let params = BoostedParams { trees: 100, leaves: 16, min_leaf_rows: 1, ..BoostedParams::default() };
        let params = BoostedParams { learning_rate: 0.3, ..params };
        let fit = |targets: &[f32]| boost(&params, &rows, targets, Some(&weights), 1).unwrap();
        let (first, second) = (fit(&targets), fit(&opposite));
        models.blocks = file(&params, FlatModel::mean_of(&[first.clone(), second]).unwrap());
        (ContentDetector::new(models), first, rows)
    }

    #[test]
    fn blocks_that_one_of_several_models_is_sure_of_are_not_shown_to_the_others() {
        assert!(ContentDetector::new(models()).in_turn().is_none());
        let (detector, first, rows) = of_two();
        let in_turn = detector.in_turn().unwrap();
        let log_odds = |score: f32| (score / (1.0 - score)).ln();
        let (alone, scores) = (first.score(&rows), detector.score_rows(&rows));
        let all = detector.models.blocks.model.score(&rows);
        let (mut sure, mut unsure) = (0, 0);
        for (((alone, score), all), row) in alone.into_iter().zip(scores).zip(all).zip(rows.iter()) {
            if log_odds(alone).abs() > SURE {
                sure += 1;
                // The other model says the opposite, and is not asked.
                assert!((score - alone).abs() < 1e-4 && (score - all).abs() > 0.1, "{alone} {score} {all}");
            } else {
                unsure += 1;
                assert_eq!(score, all, "{alone}");
            }
            let moved: f64 = detector.reasons(row).iter().map(|(.., part)| part).sum();
            let explained = 1.0 / (1.0 + (-in_turn.bias(row) - moved).exp());
            assert!((explained - f64::from(score)).abs() < 1e-4, "{explained} is not {score}");
        }
        assert!(sure > 5 && unsure > 5, "{sure} {unsure}");
    }

    #[test]
    fn trees_that_are_no_models_of_their_parameters_are_refused() {
        let read = |trees| {
            let mut models = models();
            let params = BoostedParams { trees, ..BoostedParams::default() };
            models.blocks.header.params = Params::Boosted(params);
            ContentDetector::from_bundle(&models.to_bundle().unwrap())
        };
        for (trees, models) in [(20, 1), (10, 2), (1, 20)] {
            assert_eq!(read(trees).unwrap().of_blocks, models);
        }
        for trees in [0, 3, 40] {
            let Err(BundleError::Model { name, source }) = read(trees) else { panic!("{trees} are taken") };
            assert_eq!(name, "blocks");
            assert_eq!(source.to_string(), format!("expected one or more times {trees} trees, found 20"));
        }
    }

    fn blocks_of(context: &PageContext<'_>, detector: &ContentDetector) -> Vec<usize> {
        let page = context.page();
        let Some((_, Taken { nodes, without })) = detector.judged(page, None).chosen() else {
            return Vec::new();
        };
        let blocks = context.blocks();
        let is_in = |nodes: &[NodeId], id: NodeId| nodes.iter().any(|node| page.contains(*node, id));
        let has = |block: &TextBlock| {
            blocks.texts_of(block).iter().any(|id| is_in(&nodes, *id) && !is_in(&without, *id))
        };
        (0..blocks.blocks.len()).filter(|at| has(&blocks.blocks[*at])).collect()
    }

    #[test]
    fn doubtful_blocks_are_for_recall_and_not_for_precision() {
        let page = page(3);
        let context = PageContext::new(&page, None);
        let detector = ContentDetector::new(models());
        let count = context.blocks().blocks.len();
        let div = page.first("div").unwrap();
        let (from, to) = context.texts_inside(div);
        let best = CandidateAnswer {
            taken: Taken { nodes: vec![div], without: Vec::new() },
            origin: super::super::candidates::Origin::Element,
            texts: std::iter::once(from..to).collect(),
        };
        let owners = context.blocks().blocks.iter().map(|block| block.owner);
        let taken: Vec<bool> = owners.map(|owner| page.contains(div, owner)).collect();
        // One block of the answer, and one outside it, are doubtful.
        let doubtful = [taken.iter().rposition(|taken| *taken).unwrap(), count - 1];
        let mut scores: Vec<f32> = taken.iter().copied().map(f32::from).collect();
        for at in doubtful {
            scores[at] = 0.4;
        }
        let of = |focus| {
            let Taken { nodes, without } =
                detector.clone().with_focus(focus).focused(&context, &scores, &best, 0.9);
            let is_in = |nodes: &[NodeId], at: usize| {
                let text = context.blocks().texts[context.blocks().blocks[at].texts().start];
                nodes.iter().any(|node| page.contains(*node, text))
            };
            doubtful.map(|at| is_in(&nodes, at) && !is_in(&without, at))
        };
        assert_eq!(of(Focus::Precision), [false, false]);
        assert_eq!(of(Focus::Balanced), [true, false]);
        assert_eq!(of(Focus::Recall), [true, true]);
    }

    fn shipped() -> ContentDetector {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tsugi/models/content.model");
        let bundle = Bundle::from_bytes(&std::fs::read(path).unwrap(), CONTENT_KIND).unwrap();
        ContentDetector::from_bundle(&bundle).unwrap()
    }

    #[test]
    fn the_model_that_is_shipped_is_asked_in_turn() {
        assert!(shipped().in_turn().is_some());
    }

    #[test]
    fn a_focus_drops_or_keeps_doubtful_blocks() {
        let text = "<p>It began to fall in the evening, and by morning the whole valley was white.".repeat(4);
        // What is doubtful differs from model to model.
        let tails = [
            "<h3>Related stories</h3><ul><li><a href=/1>Rain in the hills</a><li><a href=/2>Fog over the lake</a></ul>",
            "<div><h3><a href=/1>Rain in the hills</a></h3><p>It rained for nine days, and the road was lost.</p>\
            <h3><a href=/2>Fog over the lake</a></h3><p>Nobody saw the boats come home.</p></div>",
        ];
        let mut lengths = [0; 3];
        for tail in tails {
            let html = format!(
                "<title>Snow</title><ul><li><a href=/>Home</a><li><a href=/b>About</a></ul><div><h1>Snow</h1>\
                <p>By Ann Lee, 12 May 2020</p>{text}<p>Ann Lee is a writer. Follow her on Twitter.</p>{tail}\
                </div><div>© 2020 The Mill</div>"
            );
            let page = Page::from_text(&html, &"https://a.test/snow".parse().unwrap());
            let found = |focus| {
                let content = shipped().with_focus(focus).find(&page, None);
                page.text_of_content(&content.nodes, &content.without)
            };
            let texts = [Focus::Precision, Focus::Balanced, Focus::Recall].map(found);
            let [precise, balanced, complete] = &texts;
            let plain = shipped().find(&page, None);
            assert_eq!(*balanced, page.text_of_content(&plain.nodes, &plain.without), "the default");
            let has_lines =
                |whole: &str, part: &str| part.lines().all(|line| whole.lines().any(|other| other == line));
            assert!(has_lines(balanced, precise), "{precise}\n\n{balanced}");
            assert!(has_lines(complete, balanced), "{balanced}\n\n{complete}");
            assert!(precise.contains("valley was white"));
            (0..3).for_each(|at| lengths[at] += texts[at].len());
        }
        assert!(lengths[0] < lengths[1] && lengths[1] < lengths[2], "{lengths:?}");
    }

    #[test]
    fn no_page_with_words_is_left_empty_and_none_without_is_filled() {
        let detector = ContentDetector::new(models());
        let of = |html: &str| {
            let page = page_of(html);
            detector.find(&page, None).nodes.len()
        };
        assert!(of("<ul class=menu><li>Home") > 0);
        assert!(of("one") > 0);
        assert_eq!((of(""), of("<img src=a><script>x</script>"), of(" … ")), (0, 0, 0));
    }

    #[test]
    fn blocks_are_scored_the_same_some_at_a_time() {
        let page = page(AT_A_TIME + 9);
        let detector = ContentDetector::new(models());
        let context = PageContext::new(&page, None);
        let linear = detector.linear_scores(&context);
        let scores = detector.models.blocks.model.score(&block_rows(&context, &linear).unwrap());
        assert!(scores.len() > AT_A_TIME);
        assert_eq!(detector.block_scores(&context, &linear, false).unwrap().0, scores);
    }

    proptest::proptest! {
        #[test]
        fn any_page_has_an_answer_without_overlaps(
            html in "(<div class=text>|<p>|<ul>|<li>|<table>|<td>|<nav>|</div>|</p>|word |<a href=/x>|</a>|次の頁。){0,40}",
        ) {
            thread_local! { static DETECTOR: ContentDetector = ContentDetector::new(models()); }
            let page = page_of(&html);
            let content = DETECTOR.with(|detector| detector.find(&page, None));
            proptest::prop_assert_eq!(page.outermost(content.nodes.clone()), content.nodes.clone());
            proptest::prop_assert_eq!(page.outermost(content.without.clone()), content.without.clone());
            let context = PageContext::new(&page, None);
            let of = |focus| {
                let detector = DETECTOR.with(|detector| detector.clone().with_focus(focus));
                blocks_of(&context, &detector)
            };
            let [precise, balanced, complete] = [Focus::Precision, Focus::Balanced, Focus::Recall].map(of);
            proptest::prop_assert!(precise.iter().all(|block| balanced.contains(block)));
            proptest::prop_assert!(balanced.iter().all(|block| complete.contains(block)));
        }
    }
}
