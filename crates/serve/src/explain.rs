//! The facts of `tsugi explain`, for a browser: candidates, scores and reasons.

use crate::api::FoundNext;
use crate::app::SharedApp;
use crate::error::{ApiError, Posted};
use crate::given::GivenPage;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::time::{Duration, Instant};
use tsugi::page::{NodeId, NodeKind, Reason};
use tsugi::{Look, Page, Verdict};

/// How long the next page is waited for.
const PAIR_TIME: Duration = Duration::from_mins(2);

const LINKS: usize = 10;

/// The most candidates for content to show: more than pages have.
const BLOCKS: usize = 5_000;

const REASONS: usize = 6;

/// Explains a page, and keeps it for its frame. If it has a next page, that page is fetched and the pair is judged.
pub(crate) async fn explain(
    State(app): State<SharedApp>,
    given: Posted<GivenPage>,
) -> Result<Json<ExplainFacts>, ApiError> {
    let start = app.start(given.0)?;
    let explained = app.run(move |app, cancel| {
        let page = start.first(cancel)?.page();
        let look = app.tsugi.look(&page);
        let mut facts = ExplainFacts::of(&look, app.frames.keep(&page)?);
        if let Some(next) = look.next() {
            let until = Instant::now() + PAIR_TIME;
            let pair = match app.http.fetch_until(&next.url, until, &|| cancel.is_set()) {
                Ok(after) => {
                    let after = after.page();
                    PairFacts::judged(look.is_continued_by(&app.tsugi.look(&after)), after.title())
                }
                Err(error) => {
                    PairFacts::Failed { failed: ApiError::from(error).message, url: next.url.to_string() }
                }
            };
            facts.pair = Some(pair);
        }
        Ok(facts)
    });
    Ok(Json(explained.await?))
}

/// The facts about a page. `node` is the number of an element in the frame.
#[derive(Debug, Serialize)]
pub(crate) struct ExplainFacts {
    blocks: Vec<CandidateBlock>,
    content: ContentFacts,
    doubt: Option<String>,
    frame: String,
    link_count: usize,
    links: Vec<CandidateLink>,
    next: Option<FoundNext>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pair: Option<PairFacts>,
    threshold: f64,
    title: Option<String>,
    url: String,
}

#[derive(Debug, Serialize)]
struct CandidateBlock {
    node: usize,
    reasons: Vec<WeightedReason>,
    score: f64,
}

#[derive(Debug, Serialize)]
struct CandidateLink {
    node: usize,
    reasons: Vec<WeightedReason>,
    score: f64,
    url: String,
}

#[derive(Debug, Serialize)]
struct ContentFacts {
    by: String,
    nodes: Vec<usize>,
    score: f64,
    without: Vec<usize>,
}

/// Whether the next page continues the page. `None` if no model judges pairs.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum PairFacts {
    Judged {
        continues: Option<bool>,
        reasons: Option<Vec<WeightedReason>>,
        score: Option<f64>,
        title: Option<String>,
    },
    Failed {
        failed: String,
        url: String,
    },
}

#[derive(Debug, Serialize)]
struct WeightedReason {
    weight: f64,
    what: String,
}

impl ExplainFacts {
    pub(crate) fn of(look: &Look<'_>, frame: String) -> ExplainFacts {
        let explained = look.explain(BLOCKS);
        let blocks = explained.blocks.into_iter().map(|block| CandidateBlock {
            node: block.node.index(),
            reasons: strongest(block.reasons),
            score: block.score.into(),
        });
        let links = explained.links.into_iter().take(LINKS).map(|link| CandidateLink {
            node: link.node.index(),
            reasons: strongest(link.reasons),
            score: link.score.into(),
            url: link.url.to_string(),
        });
        let content = look.shown_content();
        ExplainFacts {
            blocks: blocks.collect(),
            content: ContentFacts {
                by: content.evidence().to_string(),
                nodes: indices(content.nodes()),
                score: content.score().into(),
                without: indices(&elements_around(look.page(), content.without())),
            },
            doubt: look.doubt(),
            frame,
            link_count: explained.link_count,
            links: links.collect(),
            next: look.next().map(FoundNext::in_frame),
            pair: None,
            threshold: look.threshold().into(),
            title: look.metadata().title.map(|said| said.value),
            url: look.page().url().to_string(),
        }
    }
}

impl PairFacts {
    fn judged(verdict: Option<Verdict>, title: Option<String>) -> PairFacts {
        PairFacts::Judged {
            continues: verdict.as_ref().map(|verdict| verdict.holds),
            score: verdict.as_ref().map(|verdict| verdict.score.into()),
            reasons: verdict.map(|verdict| strongest(verdict.reasons)),
            title,
        }
    }
}

/// Replaces each text by the element around it, if that holds nothing else.
fn elements_around(page: &Page, nodes: &[NodeId]) -> Vec<NodeId> {
    let is_blank = |node: &NodeId| page.kind(*node) == NodeKind::Text && page.data(*node).trim().is_empty();
    let around = |node: NodeId| {
        let outer = page.parent(node).filter(|outer| page.is_element(*outer) && !page.is_element(node))?;
        page.children(outer).filter(|child| !is_blank(child)).eq([node]).then_some(outer)
    };
    nodes.iter().map(|node| around(*node).unwrap_or(*node)).collect()
}

fn indices(nodes: &[NodeId]) -> Vec<usize> {
    nodes.iter().map(|node| node.index()).collect()
}

/// Returns the first reasons; they come strongest first.
fn strongest(reasons: Vec<Reason>) -> Vec<WeightedReason> {
    let reasons = reasons.into_iter().take(REASONS);
    reasons.map(|Reason { what, weight }| WeightedReason { weight: weight.into(), what }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_its_element_if_that_holds_nothing_else() {
        let html = "<main><p> <b>Share</b> </p><div>Print <i>it</i></div></main>";
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let shown = |path: &str| {
            let path = format!("/html[1]/body[1]/main[1]/{path}");
            page.location_path(elements_around(&page, &[page.at_location_path(&path).unwrap()])[0])
        };
        assert!(shown("p[1]/b[1]/text()[1]").ends_with("/p[1]/b[1]"));
        assert!(shown("div[1]/text()[1]").ends_with("/div[1]/text()[1]"));
        assert!(shown("div[1]").ends_with("/div[1]"));
    }
}
