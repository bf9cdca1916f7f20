//! What decided on a page, for a browser: the facts of `tsugi explain`.

use crate::app::Shared;
use crate::error::Problem;
use crate::given::GivenPage;
use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use serde_json::{Value, json};
use std::sync::Arc;
use tsugi::{Fetch, Look, Reason, Unavailable, Verdict};

/// Candidates for the next link that are shown.
const LINKS: usize = 10;

/// Candidates for content that are shown: more than pages have.
const BLOCKS: usize = 5_000;

/// Reasons that are shown for each.
const REASONS: usize = 6;

/// Explains a page, and keeps it for its frame. If it has a next page, that one is fetched, and the pair is judged.
pub(crate) async fn explain(
    State(app): State<Shared>,
    given: Result<Json<GivenPage>, JsonRejection>,
) -> Result<Json<Value>, Problem> {
    let start = app.start(given?.0)?;
    let shared = Arc::clone(&app);
    let explained = app.work.run(move |_| -> Result<Value, Problem> {
        let page = start.first()?.page();
        let look = shared.tsugi.look(&page);
        let mut facts = facts(&look);
        facts["frame"] = json!(shared.frames.keep(&page)?);
        if let Some(next) = look.next() {
            let after = shared.http.fetch(&next.url).map_err(Unavailable::from);
            facts["pair"] = match after {
                Ok(after) => {
                    let after = after.page();
                    judged(
                        look.is_continued_by(&shared.tsugi.look(&after)).as_ref(),
                        after.title().as_deref(),
                    )
                }
                Err(error) => json!({"url": next.url.as_str(), "failed": error.message}),
            };
        }
        Ok(facts)
    });
    Ok(Json(explained.await??))
}

fn judged(verdict: Option<&Verdict>, title: Option<&str>) -> Value {
    json!({
        "title": title,
        "score": verdict.map(|verdict| verdict.score),
        "continues": verdict.map(|verdict| verdict.holds),
        "reasons": verdict.map(|verdict| in_words(&verdict.reasons)),
    })
}

/// Returns the facts about a page; elements are named by their number in the frame.
pub(crate) fn facts(look: &Look<'_>) -> Value {
    const ALL: usize = BLOCKS;
    let explained = look.explain(ALL);
    let links = explained.links.iter().take(LINKS).map(|link| {
        json!({"node": link.node.index(), "url": link.url.as_str(), "score": link.score, "reasons": in_words(&link.reasons)})
    });
    let blocks = explained.blocks.iter().map(|block| {
        json!({"node": block.node.index(), "score": block.score, "reasons": in_words(&block.reasons)})
    });
    let content = look.shown_content();
    let places = |nodes: &[tsugi::NodeId]| nodes.iter().map(|node| node.index()).collect::<Vec<_>>();
    json!({
        "url": look.page().url().as_str(),
        "title": look.metadata().title.map(|said| said.value),
        "next": look.next().map(|next| json!({"node": next.node.index(), "url": next.url.as_str(), "score": next.score, "relation": next.relation.to_string(), "by": next.evidence.to_string()})),
        "threshold": look.threshold(),
        "link_count": explained.link_count,
        "links": links.collect::<Vec<_>>(),
        "blocks": blocks.collect::<Vec<_>>(),
        "content": {"nodes": places(&content.nodes), "without": places(&content.without), "score": content.score, "by": content.evidence.to_string()},
        "doubt": look.doubt(),
    })
}

fn in_words(reasons: &[Reason]) -> Vec<Value> {
    reasons.iter().take(REASONS).map(|reason| json!({"what": reason.what, "weight": reason.weight})).collect()
}
