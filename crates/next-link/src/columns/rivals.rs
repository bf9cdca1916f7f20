//! Columns that compare a candidate with the page's other candidates.

use super::super::survey::LinkTarget;
use super::feature::{
    FeatureSource, LinkFeature, NO_NUMBER, OWN, TagMerge, candidate_count, candidate_flag, least, most, on,
};
use super::view::CandidateView;
use tsugi_scoring::{Column, Range, Unit};

fn in_head(view: &CandidateView<'_>, target: Option<LinkTarget>) -> f32 {
    on(matches!(target, Some(LinkTarget::Candidate(at)) if at as usize == view.at))
}

pub(super) static FEATURES: &[LinkFeature] = &[
    candidate_count("occurrences", "links to this address on the page", |v| v.candidate.items.len() as f32),
    candidate_flag("in_head", "{|no }rel=next to this address in the page's head", |v| {
        in_head(v, v.survey.declared.next)
    }),
    candidate_flag(
        "only_in_head",
        "this address {has|does not have} rel=next in the page's head as its only link",
        |v| on(v.candidate.items.iter().all(|at| v.survey.items[*at as usize].in_head)),
    ),
    candidate_flag("head_previous", "{|no }rel=prev to this address in the page's head", |v| {
        in_head(v, v.survey.declared.previous)
    }),
    candidate_count(
        "family_size",
        "addresses that differ from this page's by a number in the same place",
        |v| v.shared.families[v.at].size as f32,
    ),
    candidate_count(
        "family_rank",
        "addresses of the same numbered series between this page and this link",
        |v| v.shared.families[v.at].rank,
    )
    .unknown_at(NO_NUMBER),
    candidate_count("family_below", "addresses of the same numbered series before this page", |v| {
        v.shared.families[v.at].below as f32
    }),
    candidate_count("family_gap", "highest number in the same numbered series, minus this link's", |v| {
        v.shared.families[v.at].to_greatest
    })
    .unknown_at(NO_NUMBER),
    candidate_count("same_paged", "addresses that differ from this page's only in the page number", |v| {
        v.shared.same_paged as f32
    }),
    least("same_text", "links on the page with the same text", |tag| {
        tag.shared.texts.count(tag.item.text_digest) as f32
    }),
    least("same_look", "links on the page with the same class names", |tag| {
        tag.shared.looks.count(tag.item.look) as f32
    }),
    most("same_look_most", "links on the page with the most common class names of this link", |tag| {
        tag.shared.looks.count(tag.item.look) as f32
    }),
    LinkFeature {
        column: Column::new(
            "order",
            Unit::Ratio,
            Range::unit(),
            "position among the addresses that the page links to",
            OWN,
        ),
        source: FeatureSource::Candidate(|v| v.at as f32 / v.survey.candidates.len().max(1) as f32),
    },
    LinkFeature {
        column: Column::new(
            "item_order",
            Unit::Index,
            Range::at_least(0.0),
            "links on the page before the first to this address",
            OWN,
        ),
        source: FeatureSource::Tag(|tag| tag.at as f32, TagMerge::Least),
    },
];
