//! What decided on a page: candidates, scores and reasons, for the command and for whoever draws them.

use crate::look::Look;
use crate::models::{ContentModel, LinkModel};
use tsugi_learning::Column;
use tsugi_page::{NodeId, Reason, Url};

/// What decided on a page. [`Look::explain`] has an example.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// The number of candidates for the next link.
    pub link_count: usize,
    /// The best of them, best first.
    pub links: Vec<ExplainedLink>,
    /// The candidates for content.
    pub content: ExplainedContent,
}

/// A candidate for the next link.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainedLink {
    /// Where it leads.
    pub url: Url,
    /// Its element.
    pub node: NodeId,
    /// Its score, in [0, 1].
    pub score: f32,
    /// The reasons, the strongest first; weights are in log-odds.
    pub reasons: Vec<Reason>,
}

/// The candidates for content.
#[derive(Debug, Clone, PartialEq)]
pub enum ExplainedContent {
    /// Text blocks, the longest first, with their probability of being content.
    Blocks {
        /// The number of blocks of the page.
        count: usize,
        /// The longest of them.
        blocks: Vec<ExplainedNode>,
    },
    /// Elements, the best first, with their scores.
    Elements {
        /// The number of candidates of the page.
        count: usize,
        /// The score above which an element is content, in [0, 1].
        threshold: f32,
        /// The best of them.
        best: Vec<ExplainedNode>,
    },
}

/// A candidate for content.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainedNode {
    /// Its element.
    pub node: NodeId,
    /// The beginning of the block's text; the whole text of an element.
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
    /// Returns what decided: the `top` best candidates for the next link and for content, with reasons. The models alone are
    /// explained; what a rule says needs no reasons.
    ///
    /// # Examples
    ///
    /// ```
    /// # let html = std::fs::read("../../datasets/english-article/2.html")?;
    /// # let page = tsugi::Page::parse(&html, &"https://magazine.example/features/tide-mill/2.html".parse()?, None);
    /// # let tsugi = tsugi::Tsugi::new();
    /// let look = tsugi.look(&page);
    /// let explained = look.explain(3);
    /// assert_eq!(explained.links[0].url.path(), "/features/tide-mill/3.html");
    /// assert!(!explained.links[0].reasons.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self, top: usize) -> Explained {
        let (link_count, links) = self.explain_links(top);
        Explained { link_count, links, content: self.explain_content(top) }
    }

    fn explain_links(&self, top: usize) -> (usize, Vec<ExplainedLink>) {
        let page = self.page();
        match self.tsugi().next_model() {
            LinkModel::Product(detector) => {
                let (count, best) = detector.explain(page, top);
                let explained = best.into_iter().map(|candidate| ExplainedLink {
                    url: candidate.url,
                    node: candidate.node,
                    score: candidate.score,
                    reasons: in_words(candidate.reasons),
                });
                (count, explained.collect())
            }
            LinkModel::Paper(detector) => {
                let scored = detector.scored(page);
                let explained = scored.iter().take(top).map(|candidate| ExplainedLink {
                    url: candidate.url.clone(),
                    node: candidate.node,
                    score: candidate.score,
                    reasons: in_words(detector.model().model.reasons(&candidate.row)),
                });
                (scored.len(), explained.collect())
            }
        }
    }

    fn explain_content(&self, top: usize) -> ExplainedContent {
        // The models see the page itself.
        let (page, next) = (self.page(), self.next().map(|next| next.node));
        match self.tsugi().content_model() {
            ContentModel::Product(detector) => {
                let explained = detector.explain(page, next, top);
                let blocks = explained.blocks.into_iter().map(|block| ExplainedNode {
                    node: block.node,
                    text: block.text,
                    score: block.score,
                    reasons: in_words(block.reasons),
                });
                ExplainedContent::Blocks { count: explained.count, blocks: blocks.collect() }
            }
            ContentModel::Paper(detector) => {
                let mut scored = detector.scored(page, next);
                scored.sort_by(|a, b| b.score.total_cmp(&a.score));
                let best = scored.iter().take(top).map(|candidate| ExplainedNode {
                    node: candidate.node,
                    text: page.text(candidate.node),
                    score: candidate.score,
                    reasons: in_words(detector.model().model.reasons(&candidate.row)),
                });
                ExplainedContent::Elements {
                    count: scored.len(),
                    threshold: detector.model().header.threshold,
                    best: best.collect(),
                }
            }
        }
    }
}
