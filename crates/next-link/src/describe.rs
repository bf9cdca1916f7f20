//! The candidates of a page as rows and bags of tokens. All links that lead to one page are one candidate, and one row.

use super::columns::{self, CandidateView, LinkFeatures, TagView};
use super::seat;
use super::shared::LazyShared;
use super::sieve::SieveColumns;
use super::survey::SurveyedPage;
use super::tokens::{Bag, TokenKind, Tokens};
use super::ways::LinkWay;
use std::sync::LazyLock;
use tsugi_page::{NodeId, Page, Url};
use tsugi_scoring::{Column, Matrix, MatrixError, Range, Schema, Unit, column_index};

/// The columns of candidates.
#[derive(Debug, Clone, Copy)]
pub struct LinkColumns;

impl Schema for LinkColumns {
    const NAME: &'static str = "next-link/full";

    fn columns() -> &'static [Column] {
        static COLUMNS: LazyLock<Vec<Column>> =
            LazyLock::new(|| FEATURES.columns().chain(TOKEN_COLUMNS).collect());
        &COLUMNS
    }
}

impl LinkColumns {
    /// Returns the topic of a column: `label`, `place`, `pager`, `seat`, `address`, `rivals` or `page`; `None` for scores of
    /// tokens, and for names of no column.
    pub fn topic(column: &str) -> Option<&'static str> {
        columns::topic(column)
    }
}

pub(super) static FEATURES: LazyLock<LinkFeatures> = LazyLock::new(|| LinkFeatures::of(|_| true));

const fn score(name: &'static str, doc: &'static str, neutral: f32) -> Column {
    Column::new(name, Unit::Score, Range::any(), doc, "tsugi").neutral_at(neutral)
}

/// About the log-odds that a candidate is a next link, and that a page has one.
const OF_CANDIDATES: f32 = -5.0;
const OF_PAGES: f32 = -0.5;

/// Columns with linear scores of tokens, in the order of [`TokenKind::ALL`].
const TOKEN_COLUMNS: [Column; 4] = [
    score("label_score", "link text: {like|unlike} a next link", OF_CANDIDATES),
    score("markup_score", "class names: {like|unlike} a pager", OF_CANDIDATES),
    score("address_score", "address: {like|unlike} a next page", OF_CANDIDATES),
    score("page_score", "page metadata: {like|unlike} a page that continues", OF_PAGES),
];

/// Maximum number of candidates described; of more, the first and the last ones, since pagers are at the ends.
const MAX_CANDIDATES: usize = 20_000;

/// The candidates of a page.
#[derive(Debug, Clone, Default)]
pub struct Described {
    /// Their addresses, in the order of their first tags, without the page itself.
    pub urls: Vec<Url>,
    /// The first tag of each, or the `noscript` around it.
    pub nodes: Vec<NodeId>,
    /// What kind of element the first tag of each is.
    pub ways: Vec<LinkWay>,
    /// Rows of the columns that need no model, one candidate after another.
    values: Vec<f32>,
    /// For each candidate: tokens of label, markup and address.
    tokens: Vec<[Vec<u32>; 3]>,
    page_tokens: Vec<u32>,
}

impl Described {
    /// Describes the candidates of a page.
    pub fn of(page: &Page) -> Described {
        Described::on(&LazyShared::of(page))
    }

    pub(crate) fn on(shared: &LazyShared<'_>) -> Described {
        let survey = shared.survey();
        let mut described = Described::default();
        let mut rows = RowWriter::of(shared);
        let of_page = FEATURES.of_page(shared);
        let (mut tokens, mut bag) = (Tokens::of(shared), Bag::default());
        let mut sorted = |at, kind| {
            tokens.fill(&mut bag, at, kind);
            bag.sorted()
        };
        for at in described_places(survey.candidates.len()) {
            rows.write(&FEATURES, &of_page, at, &mut described.values);
            let kinds = [TokenKind::Label, TokenKind::Markup, TokenKind::Address];
            described.tokens.push(kinds.map(|kind| sorted(at, kind)));
            described.urls.push(survey.candidates[at].url());
            described.nodes.push(first_node(survey, at));
            let first = survey.candidates[at].items.first();
            described.ways.push(first.map_or(LinkWay::Anchor, |at| survey.items[*at as usize].way));
        }
        described.page_tokens = sorted(0, TokenKind::Page);
        described
    }

    /// Returns the number of candidates.
    pub fn len(&self) -> usize {
        self.urls.len()
    }

    /// Returns `true` if the page has no candidates.
    pub fn is_empty(&self) -> bool {
        self.urls.is_empty()
    }

    /// Returns the tokens of a candidate; page tokens are the same for all.
    pub fn tokens(&self, candidate: usize, kind: TokenKind) -> &[u32] {
        match kind {
            TokenKind::Label => &self.tokens[candidate][0],
            TokenKind::Markup => &self.tokens[candidate][1],
            TokenKind::Address => &self.tokens[candidate][2],
            TokenKind::Page => &self.page_tokens,
        }
    }

    /// Returns the tokens of the page.
    pub fn page_tokens(&self) -> &[u32] {
        &self.page_tokens
    }

    /// Returns the values of a candidate in the columns that need no model.
    pub fn values(&self, candidate: usize) -> &[f32] {
        let width = LinkColumns::columns().len() - TOKEN_COLUMNS.len();
        &self.values[candidate * width..(candidate + 1) * width]
    }

    /// Returns the values of a candidate in the columns of the first look.
    pub fn first_look(&self, candidate: usize) -> Vec<f32> {
        static PLACES: LazyLock<Vec<usize>> = LazyLock::new(|| {
            let columns = SieveColumns::columns().iter();
            columns.filter_map(|column| column_index::<LinkColumns>(column.name)).collect()
        });
        let values = self.values(candidate);
        PLACES.iter().map(|place| values[*place]).collect()
    }

    /// Sets the values of some columns to 0 for all candidates, so that a model learns without them.
    pub fn blank(&mut self, takes: impl Fn(&Column) -> bool) {
        let columns = &LinkColumns::columns()[..LinkColumns::columns().len() - TOKEN_COLUMNS.len()];
        let blank: Vec<usize> = (0..columns.len()).filter(|at| takes(&columns[*at])).collect();
        for row in self.values.chunks_exact_mut(columns.len()) {
            for at in &blank {
                row[*at] = 0.0;
            }
        }
    }

    /// Returns the rows, given the linear scores of the tokens.
    ///
    /// # Errors
    ///
    /// [`MatrixError`] if a score is not finite.
    pub fn rows(&self, score: impl Fn(usize, TokenKind) -> f32) -> Result<Matrix<LinkColumns>, MatrixError> {
        let mut rows = Matrix::with_capacity(self.len());
        let mut row = Vec::with_capacity(LinkColumns::columns().len());
        for candidate in 0..self.len() {
            row.clear();
            row.extend_from_slice(self.values(candidate));
            row.extend(TokenKind::ALL.iter().map(|kind| score(candidate, *kind)));
            rows.push(&row)?;
        }
        Ok(rows)
    }
}

pub(super) fn described_places(candidates: usize) -> impl Iterator<Item = usize> + Clone {
    let behind = candidates.saturating_sub(MAX_CANDIDATES / 2);
    (0..candidates).filter(move |at| *at < MAX_CANDIDATES / 2 || *at >= behind)
}

pub(super) fn first_node(survey: &SurveyedPage<'_>, candidate: usize) -> NodeId {
    let first = survey.candidates[candidate].items.first();
    first.map_or(NodeId::DOCUMENT, |at| survey.trees.place(&survey.items[*at as usize]))
}

pub(super) struct RowWriter<'a> {
    shared: &'a LazyShared<'a>,
    tags: Vec<TagView<'a>>,
}

impl<'a> RowWriter<'a> {
    pub(super) fn of(shared: &'a LazyShared<'a>) -> RowWriter<'a> {
        RowWriter { shared, tags: Vec::new() }
    }

    pub(super) fn write(&mut self, features: &LinkFeatures, of_page: &[f32], at: usize, row: &mut Vec<f32>) {
        let survey = self.shared.survey();
        let candidate = &survey.candidates[at];
        self.tags.clear();
        self.tags.extend(seat::examined(survey, candidate).map(|at| TagView::of(self.shared, at)));
        let view = CandidateView { survey, shared: self.shared, at, candidate };
        features.write(row, &view, &self.tags, of_page);
    }
}
