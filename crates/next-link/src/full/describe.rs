//! A page's candidates as rows and bags of tokens.

use super::columns::{self, CandidateView, Feature, Merge, Source, TagView};
use super::shared::Shared;
use super::survey::{Candidate, Survey};
use super::tokens::{self, TokenKind};
use std::sync::LazyLock;
use tsugi_learning::{Column, Matrix, MatrixError, Range, Schema, Unit};
use tsugi_page::{NodeId, Page, Url};

/// The columns of the full model.
#[derive(Debug, Clone, Copy)]
pub struct FullLinks;

impl Schema for FullLinks {
    const NAME: &'static str = "next-link/full";

    fn columns() -> &'static [Column] {
        static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
            columns::features().map(|feature| feature.column).chain(TOKEN_COLUMNS).collect()
        });
        &COLUMNS
    }
}

const fn score(name: &'static str, doc: &'static str) -> Column {
    Column::new(name, Unit::Score, Range::any(), doc, "tsugi")
}

/// Columns that hold the linear scores of tokens, in the order of [`TokenKind::ALL`].
const TOKEN_COLUMNS: [Column; 4] = [
    score("label_score", "what its words are worth, as learned"),
    score("markup_score", "what the names in its markup are worth, as learned"),
    score("address_score", "what the parts of its address are worth, as learned"),
    score("page_score", "what the page calls itself is worth, as learned"),
];

/// Tags of a candidate that are looked at; of more, the first and the last ones.
const MAX_TAGS: usize = 16;

/// Candidates that are described; of more, the first and the last ones, for pagers stand at the ends.
const MAX_CANDIDATES: usize = 20_000;

/// The candidates of a page.
#[derive(Debug, Clone)]
pub struct Described {
    /// Where they lead, in order of their first tag; the page itself is none of them.
    pub urls: Vec<Url>,
    /// The first tag of each, or the `noscript` it stands in.
    pub nodes: Vec<NodeId>,
    /// Rows of the columns that need no model, one candidate after the other.
    values: Vec<f32>,
    /// By candidate: label, markup and address tokens.
    tokens: Vec<[Vec<u32>; 3]>,
    /// The tokens of the page.
    page_tokens: Vec<u32>,
}

impl Described {
    /// Describes the candidates of a page.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_next_link::Described;
    /// let html = "<a href=1>1</a> <b>2</b> <a href=3#x>3</a> <a href=2>here</a> <noscript><a href=4>4</a></noscript>";
    /// let page = tsugi_page::Page::from_text(html, &"https://a.test/2".parse().unwrap());
    /// let described = Described::of(&page);
    /// let paths: Vec<_> = described.urls.iter().map(|url| url.path()).collect();
    /// assert_eq!(paths, ["/1", "/3", "/4"]);
    /// ```
    pub fn of(page: &Page) -> Described {
        let survey = Survey::of(page);
        let shared = Shared::of(&survey);
        let mut described = Described {
            urls: Vec::with_capacity(survey.candidates.len().min(MAX_CANDIDATES)),
            nodes: Vec::with_capacity(survey.candidates.len().min(MAX_CANDIDATES)),
            values: Vec::new(),
            tokens: Vec::with_capacity(survey.candidates.len().min(MAX_CANDIDATES)),
            page_tokens: tokens::of_page(&survey),
        };
        let of_page: Vec<f32> = columns::features()
            .filter_map(|feature| match feature.source {
                Source::Page(of) => Some(of(&survey, &shared)),
                _ => None,
            })
            .collect();
        let features: Vec<&Feature> = columns::features().collect();
        let behind = survey.candidates.len().saturating_sub(MAX_CANDIDATES / 2);
        for (at, candidate) in survey.candidates.iter().enumerate() {
            if at >= MAX_CANDIDATES / 2 && at < behind {
                continue;
            }
            let tags = tag_views(&survey, &shared, candidate);
            let candidate_view = CandidateView { survey: &survey, shared: &shared, at, candidate };
            let mut of_page = of_page.iter();
            described.values.extend(features.iter().map(|feature| match feature.source {
                Source::Tag(of, merge) => merge.apply(tags.iter().map(of)),
                Source::Candidate(of) => of(&candidate_view),
                Source::Page(_) => of_page.next().copied().unwrap_or(0.0),
            }));
            described.tokens.push([
                tokens::of_label(&survey, candidate),
                tokens::of_markup(&survey, candidate),
                tokens::of_address(&survey, candidate),
            ]);
            described.urls.push(candidate.url());
            let first = candidate
                .items
                .first()
                .map_or(NodeId::DOCUMENT, |at| survey.place(&survey.items[*at as usize]));
            described.nodes.push(first);
        }
        described
    }

    /// Returns the number of candidates.
    pub fn len(&self) -> usize {
        self.urls.len()
    }

    /// Says whether the page has no candidate.
    pub fn is_empty(&self) -> bool {
        self.urls.is_empty()
    }

    /// Returns the tokens of a candidate; those of the page are the same for all.
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

    /// Returns a candidate's values in the columns that need no model.
    pub fn values(&self, candidate: usize) -> &[f32] {
        let width = FullLinks::columns().len() - TOKEN_COLUMNS.len();
        &self.values[candidate * width..(candidate + 1) * width]
    }

    /// Returns the rows, given the linear scores of the tokens.
    ///
    /// # Errors
    ///
    /// [`MatrixError`] where a score is infinite or not a number.
    pub fn rows(&self, score: impl Fn(usize, TokenKind) -> f32) -> Result<Matrix<FullLinks>, MatrixError> {
        let mut rows = Matrix::with_capacity(self.len());
        let mut row = Vec::with_capacity(FullLinks::columns().len());
        for candidate in 0..self.len() {
            row.clear();
            row.extend_from_slice(self.values(candidate));
            row.extend(TokenKind::ALL.iter().map(|kind| score(candidate, *kind)));
            rows.push(&row)?;
        }
        Ok(rows)
    }
}

fn tag_views<'a>(survey: &'a Survey<'a>, shared: &'a Shared, candidate: &Candidate) -> Vec<TagView<'a>> {
    // A link element of the head stands nowhere on the page: it counts where there is no other tag.
    let is_shown = |at: &&u32| !survey.items[**at as usize].in_head;
    let shown: Vec<u32> = candidate.items.iter().filter(is_shown).copied().collect();
    let items = if shown.is_empty() { &candidate.items } else { &shown };
    let half = MAX_TAGS / 2;
    let (first, last) = if items.len() > MAX_TAGS {
        (&items[..half], &items[items.len() - half..])
    } else {
        (&items[..], &[][..])
    };
    let view = |at: &u32| {
        let at = *at as usize;
        let item = &survey.items[at];
        let (near, pager) = survey.around(at);
        TagView {
            survey,
            shared,
            at,
            item,
            page: survey.tree(item.tree).0,
            mark: survey.mark(item),
            near,
            pager,
        }
    };
    first.iter().chain(last).map(view).collect()
}

impl Merge {
    fn apply(self, values: impl Iterator<Item = f32>) -> f32 {
        let merged = match self {
            Merge::Most => values.reduce(f32::max),
            Merge::Least => values.reduce(f32::min),
        };
        merged.unwrap_or(0.0)
    }
}
