//! Finds content with a chain over the blocks of one page, refined by judging each block together with those inside
//! it.
//!
//! A page is cut at `div`, `p`, `td` and `body`. The blocks with text of their own form one sequence, the blocks
//! around them another; a conditional random field labels each ([`BlockCrf`]). Then each block is judged together
//! with its children, from the innermost outwards (`relabel`).
//!
//! ```text
//! Page ─walk→ BlockTree ─rows→ Crf of text blocks ────┬→ first judgement ─relabel→ second ─→ Kept
//!                       └rows→ Crf of parent blocks ──┘
//! ```
//!
//! # Source
//!
//! Fujita, Yasuda, Katafuchi & Kataoka, ウェブページ内の階層構造を考慮した本文抽出技術 (content extraction from web pages using
//! hierarchical structure). Its baseline, the text blocks alone: Marek, Pecina & Spousta (2007), Web Page Cleaning with
//! Conditional Random Fields.

mod columns;
mod keywords;
mod relabel;
mod tree;

pub use columns::TreeBlockColumns;
pub use relabel::Thresholds;
pub(crate) use relabel::relabel;
pub(crate) use tree::BlockTree;

use crate::chain::Crf;
use tsugi_page::Page;
use tsugi_scoring::{Bundle, BundleError, MatrixError};
use tsugi_site_blocks::Kept;

const CRF_KIND: &str = "site-blocks/crf/1";

/// Two chains, and the thresholds of the second judgement.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockCrf {
    /// Labels the blocks with text of their own.
    pub(crate) texts: Crf<TreeBlockColumns>,
    /// Labels the blocks around them.
    pub(crate) parents: Crf<TreeBlockColumns>,
    /// Thresholds for judging a block together with its children; `None` to use the first judgement only.
    pub thresholds: Option<Thresholds>,
}

/// Why a model could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BlockCrfError {
    /// The file is damaged, or not such a model.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// The columns were computed with other keywords.
    #[error("the model was trained with other keywords; train it again with this version")]
    Keywords,
    /// The thresholds are not shares.
    #[error("expected thresholds from 0 to 1, found {upper} and {lower}")]
    Thresholds {
        /// The upper one.
        upper: f64,
        /// The lower one.
        lower: f64,
    },
}

impl BlockCrf {
    /// Reads a model.
    ///
    /// # Errors
    ///
    /// [`BlockCrfError`] if the bytes are not such a model, or one for other columns.
    pub fn from_bytes(bytes: &[u8]) -> Result<BlockCrf, BlockCrfError> {
        BlockCrf::from_bundle(&Bundle::from_bytes(bytes, CRF_KIND)?)
    }

    fn from_bundle(bundle: &Bundle) -> Result<BlockCrf, BlockCrfError> {
        if bundle.get::<u32>("keywords")? != keywords::digest() {
            return Err(BlockCrfError::Keywords);
        }
        let thresholds: Option<(f64, f64)> = bundle.get("thresholds")?;
        let thresholds = thresholds.map(|(upper, lower)| Thresholds { upper, lower });
        if let Some(Thresholds { upper, lower }) = thresholds
            && ![upper, lower].iter().all(|threshold| (0.0..=1.0).contains(threshold))
        {
            return Err(BlockCrfError::Thresholds { upper, lower });
        }
        Ok(BlockCrf { texts: bundle.get("texts")?, parents: bundle.get("parents")?, thresholds })
    }

    /// Puts the model into a bundle.
    pub(crate) fn to_bundle(&self) -> Result<Bundle, BundleError> {
        let mut bundle = Bundle::new(CRF_KIND);
        bundle.insert("texts", &self.texts)?;
        bundle.insert("parents", &self.parents)?;
        bundle.insert("keywords", &keywords::digest())?;
        bundle.insert("thresholds", &self.thresholds.map(|pair| (pair.upper, pair.lower)))?;
        Ok(bundle)
    }

    /// Judges the blocks of a page, each sequence separately.
    ///
    /// # Errors
    ///
    /// [`MatrixError`] if a value is not finite, which no page can cause.
    pub fn judge(&self, page: &Page) -> Result<JudgedBlocks, MatrixError> {
        let tree = BlockTree::of(page);
        let mut first = vec![false; tree.blocks().len()];
        for (holds_text, chain) in [(true, &self.texts), (false, &self.parents)] {
            let sequence = tree.sequence(holds_text);
            let rows = tree.rows(page, &sequence)?;
            for (at, label) in sequence.into_iter().zip(chain.judge(&rows)) {
                first[at] = label;
            }
        }
        Ok(JudgedBlocks { tree, first })
    }
}

/// The blocks of a page with their judgements.
#[derive(Debug, Clone)]
pub struct JudgedBlocks {
    pub(crate) tree: BlockTree,
    /// For each block, `true` if it is content in the likeliest sequence of labels.
    pub(crate) first: Vec<bool>,
}

impl JudgedBlocks {
    /// Returns the first judgement of the blocks with text of their own, treating the blocks around them as not
    /// content: the baseline (Marek et al.).
    pub(crate) fn baseline(&self) -> Vec<bool> {
        self.tree.blocks().iter().zip(&self.first).map(|(block, first)| block.holds_text && *first).collect()
    }

    /// Judges the blocks a second time; see `relabel`.
    pub(crate) fn second(&self, thresholds: Thresholds) -> Vec<bool> {
        relabel(&self.tree.parents(), &self.first, thresholds)
    }

    /// Returns the final judgement of the blocks: the second if there are thresholds, or else the first.
    pub fn labels(&self, thresholds: Option<Thresholds>) -> Vec<bool> {
        thresholds.map_or_else(|| self.first.clone(), |pair| self.second(pair))
    }

    /// Keeps the texts and images of the blocks judged as content.
    ///
    /// # Panics
    ///
    /// If the number of judgements is not the number of blocks.
    pub fn kept(&self, page: &Page, is_content: &[bool]) -> Kept {
        assert_eq!(is_content.len(), self.first.len(), "a judgement for each block");
        let leaves = self.tree.leaves().iter().filter(|(_, block)| is_content[*block]);
        let mut leaves = leaves.map(|(id, _)| *id).peekable();
        // Both are in document order.
        Kept::leaves_where(page, |leaf| leaves.next_if_eq(&leaf.node).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::{CrfParams, LabelledSequence};

    fn page(html: &str) -> Page {
        Page::from_text(html, &"https://a.test/".parse().unwrap())
    }

    /// Chains that label long texts, and the blocks around them, as content.
    fn model() -> BlockCrf {
        let html = "<div><p>Home | About</p></div><div><p>Snow fell in June, and nobody in the village had a shovel.</p>\
            <p>It was gone by noon, but nobody had believed that it would stay.</p></div><p>© A paper</p>";
        let page = page(html);
        let tree = BlockTree::of(&page);
        let fit = |holds_text, labels: &[bool]| {
            let rows = tree.rows(&page, &tree.sequence(holds_text)).unwrap();
            let params = CrfParams { l2: 0.01, ..CrfParams::default() };
            Crf::fit(&[LabelledSequence { rows: &rows, labels }], &params).unwrap().0
        };
        BlockCrf {
            texts: fit(true, &[false, true, true, false]),
            parents: fit(false, &[false, false, true]),
            thresholds: Some(Thresholds::PUBLISHED),
        }
    }

    #[test]
    fn what_is_kept_is_what_the_blocks_hold_themselves() {
        let page = page("<div>By A.<p>Snow <img> fell.</p><p>Share</p></div>");
        let tree = BlockTree::of(&page);
        let blocks = tree.blocks().len();
        let judged = JudgedBlocks { tree, first: vec![false; blocks] };
        // `body`, `div`, `p`, `p`.
        assert_eq!(judged.kept(&page, &[false, true, false, true]).text(&page), "By A.\nShare");
        let kept = judged.kept(&page, &[false, false, true, false]);
        assert_eq!(page.tag(kept.content(&page).nodes[0]), "p");
        assert!(kept.content(&page).without.is_empty(), "the image belongs to the block");
        assert!(judged.kept(&page, &[false; 4]).is_empty());
    }

    #[test]
    fn both_judgements_find_content() {
        let model = model();
        let page = page(
            "<div><p>Sport | News</p></div><div><p>The bridge had been closed since the flood of last summer, they said.</p>\
            <p>Nobody knew when it would open again, and few of them asked.</p></div><p>© Paper</p>",
        );
        let judged = model.judge(&page).unwrap();
        assert_eq!(judged.first.len(), 7);
        let text = judged.kept(&page, &judged.labels(model.thresholds)).text(&page);
        assert!(text.starts_with("The bridge") && text.ends_with("asked."), "{text}");
        assert!(model.judge(&Page::from_text("", page.url())).unwrap().first.is_empty());
    }

    #[test]
    fn models_are_read_back_and_checked() {
        let model = model();
        let bundle = model.to_bundle().unwrap();
        assert_eq!(BlockCrf::from_bytes(&bundle.to_bytes().unwrap()).unwrap(), model);
        let mut other = bundle.clone();
        other.insert("keywords", &0_u32).unwrap();
        assert!(matches!(BlockCrf::from_bundle(&other), Err(BlockCrfError::Keywords)));
        let mut other = bundle.clone();
        other.insert("thresholds", &Some((1.5, 0.1))).unwrap();
        assert!(matches!(BlockCrf::from_bundle(&other), Err(BlockCrfError::Thresholds { .. })));
        let mut other = bundle;
        other.insert("texts", &7_u32).unwrap();
        assert!(matches!(BlockCrf::from_bundle(&other), Err(BlockCrfError::Bundle(_))));
    }
}
