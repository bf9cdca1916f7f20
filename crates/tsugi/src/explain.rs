//! What decided on a page: candidates, scores and reasons, for the command and for whoever draws them.

use crate::look::Look;
use tsugi_main_content::ScoredBlock;
use tsugi_next_link::ExplainedCandidate;
use tsugi_page::{NodeId, Reason, Relation, Url};
use tsugi_scoring::Column;

/// What decided on a page. [`Look::explain`] has an example.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Explained {
    /// The number of candidates for the next link.
    pub link_count: usize,
    /// The best of them, best first.
    pub links: Vec<ExplainedLink>,
    /// The number of text blocks.
    pub block_count: usize,
    /// The longest of them, the longest first, with their probability of being content.
    pub blocks: Vec<ExplainedNode>,
}

/// A candidate for the next link.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExplainedLink {
    /// Where it leads.
    pub url: Url,
    /// Its element.
    pub node: NodeId,
    /// What kind of element that is, in words: "link", "option of a select", "button of a form".
    pub way: String,
    /// Its score, in [0, 1].
    pub score: f32,
    /// Its relation to the page.
    pub relation: Relation,
    /// The reasons, the strongest first; weights are in log-odds.
    pub reasons: Vec<Reason>,
}

/// A text block.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExplainedNode {
    /// Its element.
    pub node: NodeId,
    /// The beginning of its text.
    pub text: String,
    /// Its score, in [0, 1].
    pub score: f32,
    /// The reasons, the strongest first; weights are in log-odds.
    pub reasons: Vec<Reason>,
}

/// Returns columns with their values and contributions in words.
#[expect(
    clippy::cast_possible_truncation,
    reason = "contributions to log-odds are small, and shown with two digits"
)]
fn in_words(reasons: Vec<(&'static Column, f32, f64)>) -> Vec<Reason> {
    let reason = |(column, value, weight): (&Column, f32, f64)| Reason {
        what: column.phrase(value),
        weight: weight as f32,
    };
    reasons.into_iter().map(reason).collect()
}

impl Look<'_> {
    /// Returns what decided: the `top` best candidates for the next link, and the `top` longest blocks, with reasons. The
    /// models alone are explained, also where a rule or a detector of the caller's own decides.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (tsugi, page) = include!("../doc/page.rs");
    /// let look = tsugi.look(&page);
    /// let explained = look.explain(3);
    /// assert_eq!(explained.links[0].url.path(), "/features/tide-mill/3.html");
    /// assert!(!explained.links[0].reasons.is_empty());
    /// ```
    pub fn explain(&self, top: usize) -> Explained {
        let tsugi = self.tsugi();
        let (link_count, links) = self.survey(|survey| tsugi.next_model().detector().explain(survey, top));
        // Also for pages that a rule covers: the models explain what they would say of the page as it is.
        let judged = self.judged();
        self.choose_from(&judged);
        let content = judged.explanation(top);
        Explained {
            link_count,
            links: links.into_iter().map(explained_link).collect(),
            block_count: content.count,
            blocks: content.blocks.into_iter().map(explained_block).collect(),
        }
    }
}

fn explained_link(candidate: ExplainedCandidate) -> ExplainedLink {
    let ExplainedCandidate { url, node, way, score, relation, reasons } = candidate;
    ExplainedLink { url, node, way: way.words().to_owned(), score, relation, reasons: in_words(reasons) }
}

fn explained_block(block: ScoredBlock) -> ExplainedNode {
    let ScoredBlock { node, text, score, reasons, .. } = block;
    ExplainedNode { node, text, score, reasons: in_words(reasons) }
}
