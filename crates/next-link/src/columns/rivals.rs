//! Columns that compare a candidate with the page's other candidates.

use super::feature::{
    LinkFeature, candidate_count, candidate_flag, candidate_number, candidate_share, least, least_index, most,
};
use super::view::CandidateView;
use crate::features::features;
use crate::survey::LinkTarget;

fn in_head(view: &CandidateView<'_>, target: Option<LinkTarget>) -> bool {
    matches!(target, Some(LinkTarget::Candidate(at)) if at as usize == view.at)
}

pub(super) static FEATURES: &[LinkFeature] = features! {
    candidate_count "occurrences", "links to this address on the page", |v| v.candidate.items.len();
    candidate_flag "in_head", "{|no }rel=next to this address in the page's head",
        |v| in_head(v, v.survey.declared.next);
    candidate_flag "only_in_head",
        "this address {has|does not have} rel=next in the page's head as its only link",
        |v| v.candidate.items.iter().all(|at| v.survey.items[*at as usize].in_head);
    candidate_flag "head_previous", "{|no }rel=prev to this address in the page's head",
        |v| in_head(v, v.survey.declared.previous);
    candidate_count "family_size", "addresses that differ from this page's by a number in the same place",
        |v| v.shared.families[v.at].size;
    candidate_number "family_rank", "addresses of the same numbered series between this page and this link",
        |v| v.shared.families[v.at].rank;
    candidate_count "family_below", "addresses of the same numbered series before this page",
        |v| v.shared.families[v.at].below;
    candidate_number "family_gap", "highest number in the same numbered series, minus this link's",
        |v| v.shared.families[v.at].to_greatest;
    candidate_count "same_paged", "addresses that differ from this page's only in the page number",
        |v| v.shared.same_paged;
    least "same_text", "links on the page with the same text",
        |tag| tag.shared.texts.count(tag.item.text_digest);
    least "same_look", "links on the page with the same class names",
        |tag| tag.shared.looks.count(tag.item.look);
    most "same_look_most", "links on the page with the most common class names of this link",
        |tag| tag.shared.looks.count(tag.item.look);
    candidate_share "order", "position among the addresses that the page links to",
        |v| v.at as f32 / v.survey.candidates.len().max(1) as f32;
    least_index "item_order", "links on the page before the first to this address", |tag| tag.at;
};
