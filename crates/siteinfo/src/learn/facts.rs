//! Learns where pages say their title, author and date, and what is left out of their content.

use super::describe::{by_ancestors, own_tests};
use super::selector::{LearnedSelector, StepPath, StepTest, is_telling_name};
use super::view::{Observed, Spans};
use crate::node_rule::NodeRule;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use tsugi_page::{NodeId, Page};

/// The elements of a page that say what was found of it, and nothing else.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FactNodes {
    /// Elements with the title.
    pub title: Vec<NodeId>,
    /// Elements with an author.
    pub author: Vec<NodeId>,
    /// Elements with the date of publication.
    pub date: Vec<NodeId>,
}

/// How many elements of a page are tried as examples.
const EXAMPLES: usize = 4;
const MOST_LEVELS: usize = 5;
const MOST_STRIPPED: usize = 8;

/// Returns the cheapest rule whose first element says a fact on every page that says it; `nodes` names the fact. `None` if there
/// is none, or if only one of several pages says it: then nothing shows what the pages have in common.
pub(super) fn learn_fact(observed: &[&Observed], nodes: fn(&FactNodes) -> &Vec<NodeId>) -> Option<NodeRule> {
    let all = observed.iter().map(|observed| (&observed.page, nodes(&observed.facts)));
    let known: Vec<(&Page, &Vec<NodeId>)> = all.filter(|(_, nodes)| !nodes.is_empty()).collect();
    let (page, nodes) = *known.first()?;
    if known.len() == 1 && observed.len() > 1 {
        return None;
    }
    let mut paths = BTreeSet::new();
    for node in nodes.iter().take(EXAMPLES) {
        let bare = is_telling_name(page.tag(*node)).then(Vec::new);
        let kinds: Vec<Vec<StepTest>> =
            own_tests(page, *node).into_iter().map(|test| vec![test]).chain(bare).collect();
        paths.extend(kinds.iter().map(|kind| StepPath::below(page.tag(*node), kind.clone())));
        by_ancestors(page, *node, &[kinds, vec![Vec::new()]].concat(), MOST_LEVELS, &mut paths);
    }
    let says = |path: &StepPath| {
        known.iter().all(|(page, nodes)| {
            page.elements().find(|id| path.selects(page, *id)).is_some_and(|first| nodes.contains(&first))
        })
    };
    let right = paths.into_iter().filter(says).map(LearnedSelector::of).filter(|path| path.xpath().is_some());
    right.min_by(cheaper)?.rule()
}

fn cheaper(one: &LearnedSelector, other: &LearnedSelector) -> Ordering {
    one.cost().total_cmp(&other.cost()).then_with(|| one.cmp(other))
}

/// Returns rules for what the models leave out of the content: each selects nothing that they keep, and more than one element
/// if there are several pages.
pub(super) fn learn_strip(observed: &[&Observed]) -> Vec<NodeRule> {
    let without: Vec<Spans> = observed
        .iter()
        .map(|observed| Spans::of(&observed.page, observed.content.without.iter().copied()))
        .collect();
    let mut paths = BTreeSet::new();
    for Observed { page, content, .. } in observed {
        for node in content.without.iter().filter(|node| page.totals(**node).characters > 0) {
            let is_name = |test: &StepTest| matches!(test, StepTest::Id(_) | StepTest::Class(_));
            let tests = own_tests(page, *node).into_iter().filter(is_name);
            paths.extend(tests.map(|test| StepPath::below(page.tag(*node), vec![test])));
        }
    }
    let mut found: Vec<(LearnedSelector, Vec<(usize, NodeId)>)> = Vec::new();
    for path in paths {
        let Some(nodes) = left_out(&path, observed, &without) else { continue };
        if nodes.len() >= observed.len().min(2) {
            found.push((LearnedSelector::of(path), nodes));
        }
    }
    found.sort_by(|(one, of_one), (other, of_other)| {
        of_other.len().cmp(&of_one.len()).then_with(|| cheaper(one, other))
    });
    let mut covered: BTreeSet<(usize, NodeId)> = BTreeSet::new();
    found.retain(|(selector, nodes)| {
        let fresh = nodes.iter().filter(|node| !covered.contains(node)).count();
        covered.extend(nodes);
        fresh > 0 && selector.xpath().is_some()
    });
    found.into_iter().take(MOST_STRIPPED).filter_map(|(selector, _)| selector.rule()).collect()
}

/// Returns what a path selects inside the content of the pages; `None` if the models keep some of it.
fn left_out(path: &StepPath, observed: &[&Observed], without: &[Spans]) -> Option<Vec<(usize, NodeId)>> {
    let mut nodes = Vec::new();
    for (at, Observed { page, content, .. }) in observed.iter().enumerate() {
        let inside = content.nodes.iter().flat_map(|node| page.subtree(*node).skip(1));
        for id in inside.filter(|id| path.selects(page, *id)) {
            let (start, end) = (id.index(), page.subtree_end(id));
            if !without[at].0.iter().any(|(from, to)| *from <= start && end <= *to) {
                return None;
            }
            nodes.push((at, id));
        }
    }
    Some(nodes)
}
