//! Finds the roles of the text blocks of a page, with trained models.

use super::columns::{BlocksAround, RoleColumns, RoleLogOdds};
use super::role::{BlockRole, RoleSet, SCORED, scored_roles};
use crate::columns::{LinearScores, rows_of};
use crate::context::PageContext;
use crate::detector::{ContentDetector, JudgedPage, decoded, portions};
use crate::names::{MarkupNames, markup_tokens};
use crate::words::word_tokens;
use std::collections::BTreeMap;
use tsugi_page::{Content, NodeId, Page};
use tsugi_scoring::{Bundle, BundleError, Linear, LinearTable, Matrix, MatrixError, ModelFile, TrainedOn};

/// The kind of bundles of role models.
pub const ROLES_KIND: &str = "roles/full";

/// Returns the tokens of a block by which roles are told apart: its words, and the names around it.
pub fn role_tokens(words: &[u32], names: &[u32]) -> impl Iterator<Item = u32> {
    // A class may be a word of the block, too, and says something else.
    const OF_NAMES: u32 = 0x5bd1_e995;
    names.iter().map(|token| token ^ OF_NAMES).chain(words.iter().copied())
}

/// The probability of each role, in the order of [`BlockRole::ALL`].
pub type RoleScores = [f32; BlockRole::ALL.len()];

/// Finds the roles of text blocks with trained models, by what a [`ContentDetector`] says of them.
#[derive(Debug, Clone)]
pub struct RoleDetector {
    roles: Vec<ModelFile<RoleColumns>>,
    tokens: Vec<Linear>,
    table: LinearTable<SCORED>,
}

impl RoleDetector {
    /// Puts models together: for each role but [`BlockRole::Site`], in the order of [`BlockRole::ALL`], one that scores blocks for it,
    /// and one that scores their [tokens](role_tokens). `None` if there are not as many, or those of tokens differ in size.
    pub fn new(roles: Vec<ModelFile<RoleColumns>>, tokens: Vec<Linear>) -> Option<Self> {
        let table = LinearTable::of(&tokens)?;
        (roles.len() == SCORED).then_some(RoleDetector { roles, tokens, table })
    }

    /// Takes the models from a bundle.
    ///
    /// # Errors
    ///
    /// [`BundleError`] if a part is missing, damaged, or made for other columns or with other parts.
    pub fn from_bundle(bundle: &Bundle) -> Result<Self, BundleError> {
        let roles = scored_roles().map(|role| bundle.model(&model_name(role))).collect::<Result<_, _>>()?;
        let tokens = scored_roles().map(|role| bundle.get(&tokens_name(role))).collect::<Result<_, _>>()?;
        RoleDetector::new(roles, tokens).ok_or_else(|| BundleError::Unfit(tokens_name(BlockRole::Title)))
    }

    /// Puts the models into a bundle.
    ///
    /// # Errors
    ///
    /// [`BundleError`] if a part cannot be written.
    pub fn to_bundle(&self) -> Result<Bundle, BundleError> {
        let mut bundle = Bundle::new(ROLES_KIND);
        for (role, model) in scored_roles().zip(&self.roles) {
            bundle.insert_model(&model_name(role), model)?;
        }
        for (role, tokens) in scored_roles().zip(&self.tokens) {
            bundle.insert(&tokens_name(role), tokens)?;
        }
        Ok(bundle)
    }

    /// What the models were trained on.
    pub fn trained_on(&self) -> TrainedOn {
        self.roles.first().map(|model| model.header.trained_on).unwrap_or_default()
    }

    /// Returns the probability of each role for each block, by its columns; those of a block sum to 1.
    pub fn probabilities(&self, rows: &Matrix<RoleColumns>) -> Vec<RoleScores> {
        let mut found = vec![[0.0; BlockRole::ALL.len()]; rows.rows()];
        for (place, model) in self.roles.iter().enumerate() {
            for (block, score) in found.iter_mut().zip(model.model.score(rows)) {
                block[place] = score;
            }
        }
        for block in &mut found {
            let odds = |score: f32| score / (1.0 - score).max(1e-4);
            let all: f32 = block.iter().map(|score| odds(*score)).sum();
            for score in block.iter_mut() {
                *score = odds(*score) / (1.0 + all);
            }
            block[BlockRole::Site as usize] = 1.0 / (1.0 + all);
        }
        found
    }

    /// Finds the roles of the blocks of a page; `next` is the tag of its next-page link, if it has one.
    ///
    /// # Cost
    ///
    /// Half as much again as finding the main content; about as much [if that was found](Self::roles_of).
    pub fn roles<'a>(
        &self,
        content: &ContentDetector,
        page: &'a Page,
        next: Option<NodeId>,
    ) -> PageRoles<'a> {
        let context = PageContext::new(page, next);
        let linear = content.linear_scores(&context);
        let body = content.block_scores(&context, &linear, false).unwrap_or_default().0;
        self.of_blocks(context, &linear, &body)
    }

    /// Finds the roles of the blocks of a page whose main content was found.
    pub fn roles_of<'a>(&self, judged: JudgedPage<'a>) -> PageRoles<'a> {
        let JudgedPage { detector, context, scores } = judged;
        // Finding the content gave these up: pages whose roles nobody asks for need not hold them.
        let linear = detector.linear_scores(&context);
        self.of_blocks(context, &linear, &scores.blocks)
    }

    /// Returns what the words and names of each block say for each role.
    fn by_tokens(&self, context: &PageContext<'_>) -> Vec<RoleLogOdds> {
        let names = MarkupNames::of_page(context);
        let (mut of_words, mut of_names) = (Vec::new(), Vec::new());
        let of_block = |at| {
            of_words.clear();
            of_names.clear();
            word_tokens(context, at, &mut of_words);
            markup_tokens(context, &names, at, &mut of_names);
            self.table.score(role_tokens(&of_words, &of_names))
        };
        (0..context.blocks().blocks.len()).map(of_block).collect()
    }

    /// `body` are the probabilities that the blocks are content.
    fn of_blocks<'a>(
        &self,
        context: PageContext<'a>,
        linear: &[LinearScores],
        body: &[f32],
    ) -> PageRoles<'a> {
        // No page can cause a value that is not finite.
        let scores = self.scores(&context, linear, body).unwrap_or_default();
        PageRoles { context, scores }
    }

    fn scores(
        &self,
        context: &PageContext<'_>,
        linear: &[LinearScores],
        body: &[f32],
    ) -> Result<Vec<RoleScores>, MatrixError> {
        let tokens: Vec<u32> = context.blocks().blocks.iter().map(|block| block.counts.tokens).collect();
        let by_tokens = self.by_tokens(context);
        let standings: Vec<_> = context.standings().collect();
        let around = BlocksAround::new(linear, body, &tokens, &by_tokens, &standings);
        let mut found = Vec::with_capacity(tokens.len());
        for portion in portions(context) {
            let from = portion.start;
            found.extend(self.probabilities(&around.rows(&rows_of(context, linear, portion)?, from)?));
        }
        Ok(found)
    }
}

fn model_name(role: BlockRole) -> String {
    format!("role-{}", role.as_str())
}

fn tokens_name(role: BlockRole) -> String {
    format!("tokens-{}", role.as_str())
}

/// The roles of the text blocks of a page.
#[derive(Debug)]
pub struct PageRoles<'a> {
    context: PageContext<'a>,
    /// By block: the probability of each role.
    scores: Vec<RoleScores>,
}

impl PageRoles<'_> {
    /// Returns the likeliest role of each text block with its probability, in [0, 1], and the block's text nodes; in document
    /// order.
    pub fn blocks(&self) -> impl Iterator<Item = (BlockRole, f32, &[NodeId])> {
        let blocks = self.context.blocks();
        self.scores.iter().zip(&blocks.blocks).map(|(scores, block)| {
            let best = BlockRole::ALL.into_iter().zip(*scores).max_by(|a, b| a.1.total_cmp(&b.1));
            let (role, score) = best.unwrap_or((BlockRole::Site, 1.0));
            (role, score, blocks.texts_of(block))
        })
    }

    /// Returns the likeliest role of each text node in a block.
    pub fn by_node(&self) -> BTreeMap<NodeId, BlockRole> {
        self.blocks().flat_map(|(role, _, nodes)| nodes.iter().map(move |node| (*node, role))).collect()
    }

    /// Returns the parts of the page that have one of the roles; its score is the F that they are expected to have.
    pub fn content(&self, roles: RoleSet) -> Content {
        let wanted = |scores: &RoleScores| -> f32 {
            let of_role = BlockRole::ALL.into_iter().zip(*scores);
            of_role.filter(|(role, _)| roles.contains(*role)).map(|(_, score)| score).sum()
        };
        let scores: Vec<f32> = self.scores.iter().map(|scores| wanted(scores).min(1.0)).collect();
        decoded(&self.context, &scores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detector::{AT_A_TIME, CONTENT_KIND};
    use crate::page_of;
    use std::sync::LazyLock;
    use tsugi_scoring::check_columns;

    static CONTENT: LazyLock<ContentDetector> = LazyLock::new(|| {
        let file = include_bytes!("../../../tsugi/models/content.model");
        ContentDetector::from_bundle(&Bundle::from_bytes(file, CONTENT_KIND).unwrap()).unwrap()
    });

    static DETECTOR: LazyLock<RoleDetector> = LazyLock::new(|| {
        let file = include_bytes!("../../../tsugi/models/roles.model");
        RoleDetector::from_bundle(&Bundle::from_bytes(file, ROLES_KIND).unwrap()).unwrap()
    });

    #[test]
    fn columns_explain_themselves_in_the_words_of_the_card() {
        let card = include_str!("../../../../models/roles.md");
        assert_eq!(check_columns::<RoleColumns>(card), Ok(()));
    }

    const TEXT: &str =
        "The water came over the wall in the night, and nobody in the village heard it until the morning. ";

    #[test]
    fn parts_of_an_article_are_told_apart() {
        let html = format!(
            "<title>Flood in the valley | The Mill</title><nav><a href=/>Home</a> <a href=/b>Weather</a></nav>
            <article><h1>Flood in the valley</h1><p class=byline>By Ann Lee, 12 May 2020</p><p>{TEXT}{TEXT}</p>
            <figure><img src=a.png><figcaption>The wall at noon. Photo: Tom Ray</figcaption></figure>
            <p>{TEXT}{TEXT}</p><p>{TEXT}</p></article>
            <section class=related><h2>Read more</h2><ul><li><a href=/x>Frost in the valley</a><li><a href=/y>A dry summer</a></ul></section>
            <footer>© 2020 The Mill</footer>"
        );
        let page = page_of(&html);
        let roles = DETECTOR.roles(&CONTENT, &page, None);
        for (_, score, nodes) in roles.blocks() {
            assert!((0.0..=1.0).contains(&score) && !nodes.is_empty());
        }
        let texts = |roles_wanted: &str| {
            let content = roles.content(roles_wanted.parse().unwrap());
            page.text_of_content(&content.nodes, &content.without)
        };
        let body = texts("body");
        assert!(body.starts_with("The water") && body.matches("The water").count() == 5, "{body}");
        assert!(!body.contains("Photo") && !body.contains("Ann Lee") && !body.contains("Frost"), "{body}");
        assert!(texts("title,body,caption").contains("Photo: Tom Ray"));
        assert_eq!(texts("title"), "Flood in the valley");
    }

    #[test]
    fn probabilities_of_a_block_sum_to_one() {
        let page = page_of(&format!("<h1>Flood</h1><p>{TEXT}<p>{TEXT}<ul><li>One<li>Two</ul>"));
        let roles = DETECTOR.roles(&CONTENT, &page, None);
        assert!(!roles.scores.is_empty());
        for scores in &roles.scores {
            assert!((scores.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{scores:?}");
        }
    }

    #[test]
    fn portions_of_a_page_are_scored_like_the_whole() {
        let items = "<li>One thing".repeat(2 * AT_A_TIME);
        let page = page_of(&format!("<h1>Flood</h1><p>{TEXT}<p>{TEXT}<ul>{items}</ul>"));
        let roles = DETECTOR.roles(&CONTENT, &page, None);
        let (models, context) = (&*DETECTOR, PageContext::new(&page, None));
        let linear = CONTENT.linear_scores(&context);
        let blocks = &context.blocks().blocks;
        let rows = rows_of(&context, &linear, 0..blocks.len()).unwrap();
        let body = CONTENT.score_rows(&rows);
        let tokens: Vec<u32> = blocks.iter().map(|block| block.counts.tokens).collect();
        let (by_tokens, standings) = (models.by_tokens(&context), context.standings().collect::<Vec<_>>());
        let whole = models.probabilities(
            &BlocksAround::new(&linear, &body, &tokens, &by_tokens, &standings).rows(&rows, 0).unwrap(),
        );
        assert_eq!(roles.scores.len(), 2 * AT_A_TIME + 3);
        assert!(roles.scores == whole);
    }

    proptest::proptest! {
        #[test]
        fn any_page_has_roles(html in "(<(p|div|h1|a href=/|li|figcaption|article|br|table|td)>|Some words, and more. |次の頁。|19 ){0,30}") {
            let page = page_of(&html);
            let content = DETECTOR.roles(&CONTENT, &page, None).content(RoleSet::ALL);
            proptest::prop_assert!((0.0..=1.0).contains(&content.score));
        }
    }
}
