//! How a candidate compares with the page's other candidates.

use super::super::survey::Target;
use super::feature::{LinkFeature, Merge, OWN, Source, candidate_count, candidate_flag, least, most, on};
use super::view::CandidateView;
use tsugi_learning::{Column, Range, Unit};

fn in_head(view: &CandidateView<'_>, target: Option<Target>) -> f32 {
    on(matches!(target, Some(Target::Candidate(at)) if at as usize == view.at))
}

pub(super) static FEATURES: &[LinkFeature] = &[
    candidate_count("occurrences", "tags of the page that lead to it", |v| v.candidate.items.len() as f32),
    candidate_flag("in_head", "the page's head says rel=next of it", |v| in_head(v, v.survey.head_next)),
    candidate_flag(
        "only_in_head",
        "no link of the page leads to it, but its head says rel=next of it",
        |v| on(v.candidate.items.iter().all(|at| v.survey.items[*at as usize].in_head)),
    ),
    candidate_flag("head_previous", "the page's head says rel=prev of it", |v| {
        in_head(v, v.survey.head_previous)
    }),
    candidate_count(
        "family_size",
        "candidates whose address differs from the page's in the same place by a number",
        |v| v.shared.families[v.at].size as f32,
    ),
    candidate_count("family_rank", "of these, the ones between the page and it", |v| {
        v.shared.families[v.at].rank
    }),
    candidate_count("family_below", "of these, the ones before the page", |v| {
        v.shared.families[v.at].below as f32
    }),
    candidate_count("family_gap", "the greatest number of these less its own", |v| {
        v.shared.families[v.at].to_greatest
    }),
    candidate_count("same_paged", "candidates that are the page but for the page number", |v| {
        v.shared.same_paged as f32
    }),
    least("same_text", "links of the page with the same text", |tag| {
        tag.shared.texts.count(tag.item.text_digest) as f32
    }),
    least("same_look", "links of the page with the same classes", |tag| {
        tag.shared.looks.count(tag.item.look) as f32
    }),
    most("same_look_most", "links of the page with the same classes, for its most common tag", |tag| {
        tag.shared.looks.count(tag.item.look) as f32
    }),
    LinkFeature {
        column: Column::new("order", Unit::Ratio, Range::unit(), "where it stands among the candidates", OWN),
        source: Source::Candidate(|v| v.at as f32 / v.survey.candidates.len().max(1) as f32),
    },
    LinkFeature {
        column: Column::new(
            "item_order",
            Unit::Index,
            Range::at_least(0.0),
            "links before its first tag",
            OWN,
        ),
        source: Source::Tag(|tag| tag.at as f32, Merge::Least),
    },
];
