//! Learns `pageElement`: finds paths that select the models' content on every page.

use super::describe::{by_ancestors, location, own_tests, speaking};
use super::selector::{
    LearnedSelector, SelectorStep, StepAxis, StepPath, StepTest, best_first, is_telling_name,
};
use super::view::{PageView, Spans};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::{NodeId, NodeKind, Page};

/// Score for a page whose content is all right, in nats.
const PAGE: f64 = 12.0;
/// Words that suggest content in names, and the bonus for one, once per path, in nats.
const CONTENT: [&str; 7] = ["content", "post", "entry", "article", "main", "body", "text"];
const SPEAKS: f64 = 0.15;
/// Most nodes of a page's content to describe.
const MOST_NODES: usize = 6;
const MOST_ANCESTORS: usize = 8;
const MOST_REFINED: usize = 20;
const MOST_JOINED: usize = 100;
/// Number of the best candidates from which a search for a union starts, and most changes in one search.
const MOST_STARTS: usize = 4;
const MOST_MOVES: usize = 8;
const MOST_PATHS: usize = 4;
/// Most children of a node to consider, the longest first.
const MOST_CHILDREN: usize = 40;
const MOST_LEFT_OUT: usize = 5;

#[derive(Debug, Clone)]
struct ContentCandidate {
    selector: LearnedSelector,
    spans: Vec<Spans>,
    /// Agreement with the models, page by page, in [0, 1].
    fits: Vec<f64>,
    score: f64,
}

/// Returns the selector that fits the content of the pages best; `None` if no page has content. `css` restricts it to
/// what CSS can express.
pub(super) fn learn_content(views: &[PageView<'_>], css: bool) -> Option<LearnedSelector> {
    let mut paths = BTreeSet::new();
    for view in views {
        for target in targets(view) {
            describe(view.page, target, &mut paths);
            paths.extend(location(view.page, target));
        }
    }
    let judge = ContentJudge { views, by_tag: views.iter().map(|view| by_tag(view.page)).collect(), css };
    let mut candidates: Vec<ContentCandidate> = paths.into_iter().filter_map(|path| judge.of(path)).collect();
    best_first(&mut candidates, |candidate| (candidate.score, &candidate.selector));
    for _ in 0..MOST_LEFT_OUT {
        let mut refined = BTreeSet::new();
        for candidate in candidates.iter().take(MOST_REFINED) {
            judge.leave_out(candidate, &mut refined);
        }
        let known = candidates.len();
        candidates.extend(refined.into_iter().filter_map(|path| judge.of(path)));
        best_first(&mut candidates, |candidate| (candidate.score, &candidate.selector));
        if candidates.len() == known {
            break;
        }
    }
    let best = judge.starts(&candidates).into_iter().map(|start| judge.widen(&candidates, start));
    Some(best.reduce(|best, other| if other.score > best.score { other } else { best })?.selector)
}

fn by_tag(page: &Page) -> BTreeMap<&str, Vec<NodeId>> {
    let mut tags: BTreeMap<&str, Vec<NodeId>> = BTreeMap::new();
    for id in page.elements() {
        tags.entry(page.tag(id)).or_default().push(id);
    }
    tags
}

/// Returns the elements that a path may select: nodes of the content, ancestors with little else, and descendants with
/// most of it.
fn targets(view: &PageView<'_>) -> BTreeSet<NodeId> {
    let page = view.page;
    let nodes: Vec<NodeId> = view.nodes.iter().copied().filter(|id| page.is_element(*id)).collect();
    let mut targets = BTreeSet::new();
    let step = nodes.len().div_ceil(MOST_NODES).max(1);
    for node in nodes.iter().copied().step_by(step) {
        targets.insert(node);
        for above in page.ancestors(node).take(3) {
            if page.is_html(above) && view.agreement(&Spans::of(page, [above])) >= 0.6 {
                targets.insert(above);
            }
        }
        // Descend to where the content branches: what is around it may be excluded there.
        let mut at = node;
        for _ in 0..4 {
            let whole = view.weight(&Spans::of(page, [at]));
            let most = page
                .child_elements(at)
                .find(|child| view.weight(&Spans::of(page, [*child])) * 10 >= whole * 7);
            match most.filter(|child| page.is_html(*child)) {
                Some(child) => at = child,
                None => break,
            }
            targets.insert(at);
        }
    }
    let head = page.first("head");
    let is_shown = |id: NodeId| head.is_none_or(|head| !page.contains(head, id)) && !page.is(id, "html");
    targets.retain(|id| page.is_html(*id) && is_shown(*id));
    targets
}

fn describe(page: &Page, target: NodeId, paths: &mut BTreeSet<StepPath>) {
    let tag = page.tag(target);
    let tests = own_tests(page, target);
    let mut kinds: Vec<Vec<StepTest>> = vec![Vec::new()];
    kinds.extend(tests.iter().map(|test| vec![test.clone()]));
    for (at, one) in tests.iter().enumerate() {
        for other in &tests[at + 1..] {
            kinds.push(vec![one.clone(), other.clone()]);
        }
    }
    if is_telling_name(tag) || tag == "body" {
        paths.insert(StepPath::below(tag, Vec::new()));
    }
    for kind in &kinds[1..] {
        paths.insert(StepPath::below(tag, kind.clone()));
    }
    by_ancestors(page, target, &kinds, MOST_ANCESTORS, paths);
}

struct ContentJudge<'v, 'a> {
    views: &'v [PageView<'a>],
    by_tag: Vec<BTreeMap<&'v str, Vec<NodeId>>>,
    css: bool,
}

impl ContentJudge<'_, '_> {
    fn of(&self, path: StepPath) -> Option<ContentCandidate> {
        let selector = LearnedSelector::of(path);
        if !selector.can_be_written(self.css) {
            return None;
        }
        let spans: Vec<Spans> = self
            .views
            .iter()
            .zip(&self.by_tag)
            .map(|(view, by_tag)| Spans::of(view.page, select(view.page, by_tag, &selector.paths[0])))
            .collect();
        Some(self.candidate(selector, spans))
    }

    fn candidate(&self, selector: LearnedSelector, spans: Vec<Spans>) -> ContentCandidate {
        let fits: Vec<f64> = self
            .views
            .iter()
            .zip(&spans)
            .map(|(view, spans)| view.compare(spans, &view.own_content))
            .collect();
        let worth: f64 = self.views.iter().zip(&fits).map(|(view, fit)| view.trust * fit).sum();
        // An unsure page counts less, so it is outvoted.
        let score = PAGE * worth - selector.cost() + SPEAKS * speaking(&selector, &CONTENT);
        ContentCandidate { selector, spans, fits, score }
    }

    fn widen(&self, candidates: &[ContentCandidate], start: &ContentCandidate) -> ContentCandidate {
        let mut best = start.clone();
        for _ in 0..MOST_MOVES {
            let mut better: Option<ContentCandidate> = None;
            // Remove each path in turn, to replace it, and then none, to add one.
            for out in 0..=best.selector.paths.len() {
                let kept = best.selector.paths.iter().enumerate().filter(|(at, _)| *at != out);
                let kept: Vec<StepPath> = kept.map(|(_, path)| path.clone()).collect();
                if kept.len() >= MOST_PATHS || kept.is_empty() {
                    continue;
                }
                let rest = if out == best.selector.paths.len() { best.clone() } else { self.joined(&kept) };
                for other in self.further(candidates, &rest) {
                    if kept.contains(&other.selector.paths[0]) {
                        continue;
                    }
                    let spans: Vec<Spans> =
                        rest.spans.iter().zip(&other.spans).map(|(one, two)| one.union(two)).collect();
                    let mut paths = kept.clone();
                    paths.extend(other.selector.paths.iter().cloned());
                    let joined = self.candidate(LearnedSelector { paths }, spans);
                    if joined.score > better.as_ref().map_or(best.score, |better| better.score) {
                        better = Some(joined);
                    }
                }
            }
            match better {
                Some(better) => best = better,
                None => break,
            }
        }
        best
    }

    fn joined(&self, paths: &[StepPath]) -> ContentCandidate {
        let spans = self.views.iter().zip(&self.by_tag).map(|(view, by_tag)| {
            Spans::of(view.page, paths.iter().flat_map(|path| select(view.page, by_tag, path)))
        });
        self.candidate(LearnedSelector { paths: paths.to_vec() }, spans.collect())
    }

    /// Returns the candidates to start from: the best overall, and the best for each page.
    fn starts<'c>(&self, candidates: &'c [ContentCandidate]) -> Vec<&'c ContentCandidate> {
        let mut starts: Vec<&ContentCandidate> = candidates.iter().take(MOST_STARTS).collect();
        for page in 0..self.views.len() {
            let worth =
                |candidate: &ContentCandidate| PAGE * candidate.fits[page] - candidate.selector.cost();
            let best =
                candidates.iter().reduce(|best, other| if worth(other) > worth(best) { other } else { best });
            starts.extend(best);
        }
        starts.sort_by(|a, b| a.selector.cmp(&b.selector));
        starts.dedup_by(|a, b| a.selector == b.selector);
        starts
    }

    /// Returns the candidates that may complement another one, the most helpful first: those that do well on pages on which
    /// it does badly.
    fn further<'c>(
        &self,
        candidates: &'c [ContentCandidate],
        best: &ContentCandidate,
    ) -> Vec<&'c ContentCandidate> {
        let gain = |other: &ContentCandidate| {
            let gains = self.views.iter().zip(&other.fits).zip(&best.fits);
            let gains = gains.map(|((view, other), best)| view.trust * (other - best).max(0.0));
            PAGE * gains.sum::<f64>() - other.selector.cost()
        };
        let mut ranked: Vec<(f64, &ContentCandidate)> =
            candidates.iter().map(|other| (gain(other), other)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.selector.cmp(&b.1.selector)));
        ranked
            .into_iter()
            .take(MOST_JOINED)
            .take_while(|(gain, _)| *gain > 0.0)
            .map(|(_, other)| other)
            .collect()
    }

    fn leave_out(&self, candidate: &ContentCandidate, paths: &mut BTreeSet<StepPath>) {
        let Some(path) = candidate.selector.paths.first() else { return };
        let Some(last) = path.steps.last() else { return };
        let of_children = last.axis == StepAxis::Child
            && last.tag.is_empty()
            && last.tests.iter().all(|test| matches!(test, StepTest::Not(_) | StepTest::NotTag(_)));
        for (view, by_tag) in self.views.iter().zip(&self.by_tag) {
            let page = view.page;
            if view.content.0.is_empty() {
                continue;
            }
            for node in select(page, by_tag, path).into_iter().take(MOST_NODES) {
                let mut children: Vec<NodeId> =
                    if of_children { vec![node] } else { page.child_elements(node).collect() };
                if children.len() > MOST_CHILDREN {
                    children.sort_by_key(|child| Reverse(view.weight(&Spans::of(page, [*child]))));
                    children.truncate(MOST_CHILDREN);
                }
                if !of_children && has_own_text(page, node) {
                    continue;
                }
                for child in children {
                    let spans = Spans::of(page, [child]);
                    if view.weight(&spans) == 0
                        || view.weight(&spans.without(&view.own_content)) * 10 < view.weight(&spans) * 9
                    {
                        continue;
                    }
                    let mut tests = own_tests(page, child);
                    tests = tests.into_iter().map(|test| StepTest::Not(Box::new(test))).collect();
                    if page.is_html(child) && is_apart(page.tag(child)) {
                        tests.push(StepTest::NotTag(page.tag(child).to_owned()));
                    }
                    for test in tests {
                        let mut steps = path.steps.clone();
                        if of_children {
                            if let Some(last) = steps.last_mut() {
                                last.tests.push(test);
                                last.tests.sort();
                            }
                        } else {
                            steps.push(SelectorStep::child("", vec![test]));
                        }
                        paths.insert(StepPath { steps });
                    }
                }
            }
        }
    }
}

fn select(page: &Page, by_tag: &BTreeMap<&str, Vec<NodeId>>, path: &StepPath) -> Vec<NodeId> {
    let Some(last) = path.steps.last() else { return Vec::new() };
    if last.tag.is_empty() {
        return page.elements().filter(|id| path.selects(page, *id)).collect();
    }
    let same = by_tag.get(last.tag.as_str()).map_or(&[][..], Vec::as_slice);
    same.iter().copied().filter(|id| path.selects(page, *id)).collect()
}

/// Returns `true` if elements of this name are usually not content. Others, such as `ol`, are content on one page and a
/// table of contents on another, and are excluded by id or class only.
fn is_apart(tag: &str) -> bool {
    const APART: [&str; 11] =
        ["nav", "aside", "footer", "header", "form", "address", "button", "hr", "iframe", "center", "a"];
    APART.contains(&tag)
}

fn has_own_text(page: &Page, id: NodeId) -> bool {
    page.children(id).any(|child| page.kind(child) == NodeKind::Text && !page.data(child).trim().is_empty())
}
