//! What each text block of a page is: its title, a byline, text, a caption, a comment, a teaser of another article.
//!
//! Content is yes or no; a page has parts. Models score every block for every role, by the columns of the block, by the
//! probability that it and its neighbours are content, and by its place between the first and the last text. Parts of an
//! article are then chosen by roles: an answer is decoded from the probability that a block has one of them.

use super::columns::{BlockColumns, LinearScores, kinds, rows_of};
use super::context::PageContext;
use super::detector::{ContentDetector, decoded, portions};
use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::LazyLock;
use tsugi_page::{Content, NodeId, Page};
use tsugi_scoring::{Bundle, BundleError, Column, Matrix, MatrixError, ModelFile, Schema};

/// The kind of bundles of role models.
pub const ROLES_KIND: &str = "roles/full";

/// What a text block is to a reader of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlockRole {
    /// The headline.
    Title,
    /// Authors, dates and sections of the article, around its headline.
    Meta,
    /// The standfirst: what an article says in a sentence or two, before its text.
    Lead,
    /// The text, with its headings, lists and tables.
    Body,
    /// Words below a picture, and who took it.
    Caption,
    /// Teasers of and links to other articles.
    Related,
    /// Links to share, to subscribe, to follow, to print.
    Share,
    /// Words about the author, at the end.
    Author,
    /// Tags and categories.
    Tags,
    /// Comments of readers.
    Comments,
    /// All else: menus, notices, headers and footers of the site.
    Site,
}

impl BlockRole {
    /// All roles.
    pub const ALL: [BlockRole; 11] = [
        BlockRole::Title,
        BlockRole::Meta,
        BlockRole::Lead,
        BlockRole::Body,
        BlockRole::Caption,
        BlockRole::Related,
        BlockRole::Share,
        BlockRole::Author,
        BlockRole::Tags,
        BlockRole::Comments,
        BlockRole::Site,
    ];

    /// Returns the name: `title`, `meta`, and so on.
    pub fn as_str(self) -> &'static str {
        match self {
            BlockRole::Title => "title",
            BlockRole::Meta => "meta",
            BlockRole::Lead => "lead",
            BlockRole::Body => "body",
            BlockRole::Caption => "caption",
            BlockRole::Related => "related",
            BlockRole::Share => "share",
            BlockRole::Author => "author",
            BlockRole::Tags => "tags",
            BlockRole::Comments => "comments",
            BlockRole::Site => "site",
        }
    }
}

impl FromStr for BlockRole {
    type Err = UnknownRole;

    fn from_str(name: &str) -> Result<Self, UnknownRole> {
        BlockRole::ALL
            .into_iter()
            .find(|role| role.as_str() == name)
            .ok_or_else(|| UnknownRole(name.to_owned()))
    }
}

/// Some roles.
///
/// # Examples
///
/// ```
/// use tsugi_main_content::{BlockRole, RoleSet};
/// let roles: RoleSet = "title,body,caption".parse()?;
/// // `body` is what benchmarks of articles count: the standfirst and the text.
/// assert!(roles.contains(BlockRole::Lead) && !roles.contains(BlockRole::Related));
/// assert!("title,menu".parse::<RoleSet>().is_err());
/// # Ok::<(), tsugi_main_content::UnknownRole>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RoleSet(u16);

impl RoleSet {
    /// The text of an article as its benchmarks count it: lead and body.
    pub const BODY: RoleSet = RoleSet(1 << BlockRole::Lead as u16 | 1 << BlockRole::Body as u16);
    /// What a document holds below its headline and byline, which it has from its metadata.
    pub const DOCUMENT: RoleSet = RoleSet::BODY.with(BlockRole::Caption).with(BlockRole::Author);
    /// All that belongs to an article or stands around it: all roles but the site's own.
    pub const ALL: RoleSet = RoleSet((1 << BlockRole::Site as u16) - 1);

    /// Reads what is to be kept of a page: roles, or `document` for what readers want, which is `None`.
    ///
    /// # Errors
    ///
    /// [`UnknownRole`] for any other name.
    pub fn kept(names: &str) -> Result<Option<RoleSet>, UnknownRole> {
        if names == "document" { Ok(None) } else { names.parse().map(Some) }
    }

    /// Returns the set with one role more.
    #[must_use]
    pub const fn with(self, role: BlockRole) -> RoleSet {
        RoleSet(self.0 | 1 << role as u16)
    }

    /// Returns `true` if the role is in the set.
    pub fn contains(self, role: BlockRole) -> bool {
        self.0 & (1 << role as u16) != 0
    }
}

impl FromStr for RoleSet {
    type Err = UnknownRole;

    /// Reads names of roles with commas between them; `body` stands for lead and body, `all` for all but `site`.
    fn from_str(names: &str) -> Result<Self, UnknownRole> {
        names.split(',').map(str::trim).try_fold(RoleSet::default(), |set, name| {
            Ok(match name {
                "body" => RoleSet(set.0 | RoleSet::BODY.0),
                "all" => RoleSet(set.0 | RoleSet::ALL.0),
                name => set.with(name.parse()?),
            })
        })
    }
}

/// A name that no role has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no role is called `{0}`; there are title, meta, lead, body, caption, related, share, author, tags, comments and site"
)]
pub struct UnknownRole(String);

/// The columns of a block whose role is asked for: those of [`BlockColumns`], and what surrounds it.
#[derive(Debug, Clone, Copy)]
pub struct RoleColumns;

static AROUND: &[Column] = &[
    kinds::probability("body_score", "probability that the block is text of the article"),
    kinds::probability("body_score_before_2", "the same, of the block before the one before"),
    kinds::probability("body_score_before", "the same, of the block before"),
    kinds::probability("body_score_after", "the same, of the block after"),
    kinds::probability("body_score_after_2", "the same, of the block after the one after"),
    kinds::score("words_score_before", "wording of the block before: {like|unlike} main content"),
    kinds::score("words_score_after", "wording of the block after: {like|unlike} main content"),
    kinds::score("markup_score_before", "class names of the block before: {like|unlike} main content"),
    kinds::score("markup_score_after", "class names of the block after: {like|unlike} main content"),
    kinds::difference("from_first_body", "blocks since the first that is likely text of the article"),
    kinds::difference("to_last_body", "blocks until the last that is likely text of the article"),
    kinds::difference(
        "from_first_prose",
        "blocks since the first long one that is likely text of the article",
    ),
    kinds::difference("to_last_prose", "blocks until the last long one that is likely text of the article"),
    kinds::share("body_share", "share of the words of the block's page that are likely text of the article"),
];

impl Schema for RoleColumns {
    const NAME: &'static str = "main-content/roles";

    fn columns() -> &'static [Column] {
        static COLUMNS: LazyLock<Vec<Column>> =
            LazyLock::new(|| BlockColumns::columns().iter().chain(AROUND).copied().collect());
        &COLUMNS
    }
}

/// The fewest words of a long block.
const LONG: u32 = 20;

/// What the columns of a block say of the blocks around it, for all blocks of a page.
#[derive(Debug)]
pub struct BlocksAround<'a> {
    linear: &'a [LinearScores],
    body: &'a [f32],
    /// The first and the last block that is likely text; and of those that are long.
    likely: [Option<usize>; 2],
    long: [Option<usize>; 2],
    share: f32,
}

impl<'a> BlocksAround<'a> {
    /// Looks at the blocks of a page: their linear scores, the probability of each that it is text of the article, and their
    /// numbers of words.
    pub fn new(linear: &'a [LinearScores], body: &'a [f32], tokens: &[u32]) -> Self {
        let ends = |is_one: &dyn Fn(usize) -> bool| {
            let mut found = (0..body.len()).filter(|at| is_one(*at));
            let first = found.next();
            [first, found.next_back().or(first)]
        };
        let of_body: f32 = body.iter().zip(tokens).map(|(score, tokens)| score * *tokens as f32).sum();
        let all = tokens.iter().map(|tokens| *tokens as f32).sum::<f32>().max(1.0);
        BlocksAround {
            linear,
            body,
            likely: ends(&|at| body[at] > 0.5),
            long: ends(&|at| body[at] > 0.5 && tokens[at] >= LONG),
            share: (of_body / all).min(1.0),
        }
    }

    /// Adds its columns to those of the blocks from `from` on.
    ///
    /// # Errors
    ///
    /// [`MatrixError`] if a value is not finite.
    pub fn rows(&self, own: &Matrix<BlockColumns>, from: usize) -> Result<Matrix<RoleColumns>, MatrixError> {
        let mut found = Matrix::with_capacity(own.rows());
        let mut row = Vec::with_capacity(RoleColumns::columns().len());
        for (at, own) in (from..).zip(own.iter()) {
            let beside = |distance: isize| at.checked_add_signed(distance);
            let score =
                |distance| beside(distance).and_then(|at| self.body.get(at)).copied().unwrap_or_default();
            let scores =
                |distance| beside(distance).and_then(|at| self.linear.get(at)).copied().unwrap_or_default();
            let since = |place: Option<usize>| place.map_or(-FAR, |place| at as f32 - place as f32);
            let until = |place: Option<usize>| place.map_or(-FAR, |place| place as f32 - at as f32);
            row.clear();
            row.extend_from_slice(own);
            row.extend([score(0), score(-2), score(-1), score(1), score(2)]);
            row.extend([scores(-1).words, scores(1).words, scores(-1).markup, scores(1).markup]);
            row.extend([since(self.likely[0]), until(self.likely[1])]);
            row.extend([since(self.long[0]), until(self.long[1]), self.share]);
            found.push(&row)?;
        }
        Ok(found)
    }
}

/// Stands for a distance to a block that does not exist.
const FAR: f32 = 500.0;

/// The probability of each role, in the order of [`BlockRole::ALL`].
pub type RoleScores = [f32; BlockRole::ALL.len()];

/// Finds the roles of text blocks with trained models, by what a [`ContentDetector`] says of them.
#[derive(Debug, Clone)]
pub struct RoleDetector {
    /// For each role but [`BlockRole::Site`], in the order of [`BlockRole::ALL`]: scores blocks for it.
    pub roles: Vec<ModelFile<RoleColumns>>,
}

impl RoleDetector {
    /// Takes the models from a bundle.
    ///
    /// # Errors
    ///
    /// [`BundleError`] if a part is missing, damaged, or made for other columns.
    pub fn from_bundle(bundle: &Bundle) -> Result<Self, BundleError> {
        let roles = scored_roles().map(|role| bundle.model(&model_name(role))).collect::<Result<_, _>>()?;
        Ok(RoleDetector { roles })
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
        Ok(bundle)
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
    /// About as much as finding the main content.
    pub fn roles<'a>(
        &self,
        content: &ContentDetector,
        page: &'a Page,
        next: Option<NodeId>,
    ) -> PageRoles<'a> {
        let context = PageContext::new(page, next);
        // No page can cause a value that is not finite.
        let scores = self.scores(content, &context).unwrap_or_default();
        PageRoles { context, scores }
    }

    fn scores(
        &self,
        content: &ContentDetector,
        context: &PageContext<'_>,
    ) -> Result<Vec<RoleScores>, MatrixError> {
        let linear = content.linear_scores(context);
        let blocks = &context.blocks().blocks;
        let (mut body, mut last) = (Vec::with_capacity(blocks.len()), None);
        for portion in portions(context) {
            let rows = rows_of(context, &linear, portion)?;
            body.extend(content.score_rows(&rows));
            last = Some(rows);
        }
        let tokens: Vec<u32> = blocks.iter().map(|block| block.counts.tokens).collect();
        let around = BlocksAround::new(&linear, &body, &tokens);
        let mut found = Vec::with_capacity(blocks.len());
        for portion in portions(context) {
            let (from, is_only) = (portion.start, portion.len() == blocks.len());
            let own = match last.take_if(|_| is_only) {
                Some(rows) => rows,
                None => rows_of(context, &linear, portion)?,
            };
            found.extend(self.probabilities(&around.rows(&own, from)?));
        }
        Ok(found)
    }
}

/// Returns the roles that have a model. A block that has none of them is the site's.
pub fn scored_roles() -> impl Iterator<Item = BlockRole> {
    BlockRole::ALL.into_iter().filter(|role| *role != BlockRole::Site)
}

fn model_name(role: BlockRole) -> String {
    format!("role-{}", role.as_str())
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
            (role, score, &blocks.texts[block.texts.clone()])
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
    use tsugi_scoring::check_columns;

    static CONTENT: LazyLock<ContentDetector> = LazyLock::new(|| {
        let file = include_bytes!("../../tsugi/models/content.model");
        ContentDetector::from_bundle(&Bundle::from_bytes(file, CONTENT_KIND).unwrap()).unwrap()
    });

    static DETECTOR: LazyLock<RoleDetector> = LazyLock::new(|| {
        let file = include_bytes!("../../tsugi/models/roles.model");
        RoleDetector::from_bundle(&Bundle::from_bytes(file, ROLES_KIND).unwrap()).unwrap()
    });

    #[test]
    fn columns_explain_themselves_in_the_words_of_the_card() {
        let card = include_str!("../../../models/roles.md");
        assert_eq!(check_columns::<RoleColumns>(card), Ok(()));
    }

    #[test]
    fn roles_have_names() {
        for role in BlockRole::ALL {
            assert_eq!(role.as_str().parse(), Ok(role));
        }
        assert!("menu".parse::<BlockRole>().is_err());
        let only = |names: &str| {
            BlockRole::ALL
                .into_iter()
                .filter(|role| names.parse::<RoleSet>().unwrap().contains(*role))
                .collect::<Vec<_>>()
        };
        assert_eq!(only("body"), [BlockRole::Lead, BlockRole::Body]);
        assert_eq!(only("tags, title"), [BlockRole::Title, BlockRole::Tags]);
        assert_eq!(only("all").len(), BlockRole::ALL.len() - 1);
        for none in ["", "title,", "title;body", "Title", "document"] {
            assert!(none.parse::<RoleSet>().is_err(), "{none}");
        }
        assert_eq!(RoleSet::kept("document"), Ok(None));
        assert_eq!(RoleSet::kept("body"), Ok(Some(RoleSet::BODY)));
        assert_eq!(RoleSet::kept("menu"), Err(UnknownRole("menu".to_owned())));
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
        let whole = models.probabilities(&BlocksAround::new(&linear, &body, &tokens).rows(&rows, 0).unwrap());
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
