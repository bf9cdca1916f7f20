//! Learning `pageElement`: which paths select what the models take for content, on every page.

use super::describe::{location, own_tests, speaks_of};
use super::selector::{Axis, Path, Selector, Step, Test, best_first, is_telling_name};
use super::view::{Spans, View};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::{NodeId, NodeKind, Page};

/// What the content of one page is worth, in nats, where all of it is right.
const PAGE: f64 = 12.0;
/// Words in names that speak of content, and what one saves, once a path.
const CONTENT: [&str; 7] = ["content", "post", "entry", "article", "main", "body", "text"];
const SPEAKS: f64 = 0.15;
/// Nodes of one page's content that are looked at.
const MOST_NODES: usize = 6;
/// How far above a node elements are looked at.
const MOST_ANCESTORS: usize = 8;
/// How many of the best candidates are refined, and joined with others.
const MOST_REFINED: usize = 20;
/// How many candidates are tried as a further path of a union.
const MOST_JOINED: usize = 100;
/// From how many of the best candidates the search for a union starts, and most changes to one.
const MOST_STARTS: usize = 4;
const MOST_MOVES: usize = 8;
/// Most paths of a union.
const MOST_PATHS: usize = 4;
/// Children of one node that are looked at, the longest first.
const MOST_CHILDREN: usize = 40;
/// Most kinds of children that one path leaves out.
const MOST_LEFT_OUT: usize = 5;

/// A selector with what it selects on each page.
#[derive(Debug, Clone)]
struct Candidate {
    selector: Selector,
    spans: Vec<Spans>,
    /// How well they agree with the models, page by page.
    fits: Vec<f64>,
    score: f64,
}

/// Finds the selector of content that fits pages best; `None` where no page has content. `css` keeps to what CSS
/// can say.
pub(super) fn learn_content(views: &[View<'_>], css: bool) -> Option<Selector> {
    let mut paths = BTreeSet::new();
    for view in views {
        for target in targets(view) {
            describe(view.page, target, &mut paths);
            paths.extend(location(view.page, target));
        }
    }
    let judge = Judge { views, by_tag: views.iter().map(|view| by_tag(view.page)).collect(), css };
    let mut candidates: Vec<Candidate> = paths.into_iter().filter_map(|path| judge.of(path)).collect();
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

/// The elements that a path may lead to: nodes of the content, what holds little else, and what holds most of it.
fn targets(view: &View<'_>) -> BTreeSet<NodeId> {
    let page = view.page;
    let nodes = content_nodes(view);
    let mut targets = BTreeSet::new();
    let step = nodes.len().div_ceil(MOST_NODES).max(1);
    for node in nodes.iter().copied().step_by(step) {
        targets.insert(node);
        for above in page.ancestors(node).take(3) {
            if page.is_html(above) && view.agreement(&Spans::of(page, [above])) >= 0.6 {
                targets.insert(above);
            }
        }
        // Down to where the content parts: what is around it may be left out there.
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

/// The elements whose subtrees make up the content.
fn content_nodes(view: &View<'_>) -> Vec<NodeId> {
    view.nodes.iter().copied().filter(|id| view.page.is_element(*id)).collect()
}

/// Collects paths to an element.
fn describe(page: &Page, target: NodeId, paths: &mut BTreeSet<Path>) {
    let tag = page.tag(target);
    let tests = own_tests(page, target);
    let mut kinds: Vec<Vec<Test>> = vec![Vec::new()];
    kinds.extend(tests.iter().map(|test| vec![test.clone()]));
    for (at, one) in tests.iter().enumerate() {
        for other in &tests[at + 1..] {
            kinds.push(vec![one.clone(), other.clone()]);
        }
    }
    if is_telling_name(tag) || tag == "body" {
        paths.insert(Path { steps: vec![Step::new(Axis::Descendant, tag, Vec::new())] });
    }
    for kind in &kinds[1..] {
        paths.insert(Path { steps: vec![Step::new(Axis::Descendant, tag, kind.clone())] });
    }
    let mut chain = vec![target];
    for above in page.ancestors(target).take(MOST_ANCESTORS).filter(|above| page.is_html(*above)) {
        if page.is(above, "html") {
            break;
        }
        let own = own_tests(page, above);
        let bare = if is_telling_name(page.tag(above)) { vec![Vec::new()] } else { Vec::new() };
        for tests in own.into_iter().map(|test| vec![test]).chain(bare) {
            let anchor = Step::new(Axis::Descendant, page.tag(above), tests);
            for kind in &kinds {
                paths.insert(Path {
                    steps: vec![anchor.clone(), Step::new(Axis::Descendant, tag, kind.clone())],
                });
            }
            if chain.len() <= 3 {
                let mut steps = vec![anchor.clone()];
                steps.extend(chain.iter().rev().map(|id| Step::new(Axis::Child, page.tag(*id), Vec::new())));
                for place in 1..steps.len() {
                    for position in [Test::First, Test::Last] {
                        let mut steps = steps.clone();
                        steps[place].tests.push(position);
                        paths.insert(Path { steps });
                    }
                }
                for kind in &kinds {
                    let end = steps.len() - 1;
                    steps[end].tests.clone_from(kind);
                    paths.insert(Path { steps: steps.clone() });
                }
            }
        }
        chain.push(above);
    }
}

struct Judge<'v, 'a> {
    views: &'v [View<'a>],
    by_tag: Vec<BTreeMap<&'v str, Vec<NodeId>>>,
    css: bool,
}

impl Judge<'_, '_> {
    fn of(&self, path: Path) -> Option<Candidate> {
        let selector = Selector::of(path);
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

    fn candidate(&self, selector: Selector, spans: Vec<Spans>) -> Candidate {
        let fits: Vec<f64> =
            self.views.iter().zip(&spans).map(|(view, spans)| view.own_agreement(spans)).collect();
        let speaks = |path: &&Path| {
            path.steps.iter().any(|step| step.tests.iter().any(|test| speaks_of(test, &CONTENT)))
        };
        let spoken = selector.paths.iter().filter(speaks).count() as f64;
        let worth: f64 = self.views.iter().zip(&fits).map(|(view, fit)| view.trust * fit).sum();
        let score = PAGE * worth - selector.cost() + SPEAKS * spoken;
        Candidate { selector, spans, fits, score }
    }

    /// Adds paths to a candidate, or puts others in place of its own, as long as that makes it better.
    fn widen(&self, candidates: &[Candidate], start: &Candidate) -> Candidate {
        let mut best = start.clone();
        for _ in 0..MOST_MOVES {
            let mut better: Option<Candidate> = None;
            // Each path taken out in turn, to be replaced, and none, to be added to.
            for out in 0..=best.selector.paths.len() {
                let kept = best.selector.paths.iter().enumerate().filter(|(at, _)| *at != out);
                let kept: Vec<Path> = kept.map(|(_, path)| path.clone()).collect();
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
                    let joined = self.candidate(Selector { paths }, spans);
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

    /// The union of some paths.
    fn joined(&self, paths: &[Path]) -> Candidate {
        let spans = self.views.iter().zip(&self.by_tag).map(|(view, by_tag)| {
            Spans::of(view.page, paths.iter().flat_map(|path| select(view.page, by_tag, path)))
        });
        self.candidate(Selector { paths: paths.to_vec() }, spans.collect())
    }

    /// The candidates to start from: the best of all, and those that fit single pages best.
    fn starts<'c>(&self, candidates: &'c [Candidate]) -> Vec<&'c Candidate> {
        let mut starts: Vec<&Candidate> = candidates.iter().take(MOST_STARTS).collect();
        for page in 0..self.views.len() {
            let worth = |candidate: &Candidate| PAGE * candidate.fits[page] - candidate.selector.cost();
            let best =
                candidates.iter().reduce(|best, other| if worth(other) > worth(best) { other } else { best });
            starts.extend(best);
        }
        starts.sort_by(|a, b| a.selector.cmp(&b.selector));
        starts.dedup_by(|a, b| a.selector == b.selector);
        starts
    }

    /// The candidates that may help where another one does not: the best of all, and the best on the pages that it
    /// does worst on.
    fn further<'c>(&self, candidates: &'c [Candidate], best: &Candidate) -> Vec<&'c Candidate> {
        let gain = |other: &Candidate| {
            let gains = self.views.iter().zip(&other.fits).zip(&best.fits);
            let gains = gains.map(|((view, other), best)| view.trust * (other - best).max(0.0));
            PAGE * gains.sum::<f64>() - other.selector.cost()
        };
        let mut ranked: Vec<(f64, &Candidate)> =
            candidates.iter().map(|other| (gain(other), other)).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.selector.cmp(&b.1.selector)));
        ranked
            .into_iter()
            .take(MOST_JOINED)
            .take_while(|(gain, _)| *gain > 0.0)
            .map(|(_, other)| other)
            .collect()
    }

    /// Collects paths to the children of what a candidate selects, without those that are no content.
    fn leave_out(&self, candidate: &Candidate, paths: &mut BTreeSet<Path>) {
        let Some(path) = candidate.selector.paths.first() else { return };
        let Some(last) = path.steps.last() else { return };
        let of_children = last.axis == Axis::Child
            && last.tag.is_empty()
            && last.tests.iter().all(|test| matches!(test, Test::Not(_) | Test::NotTag(_)));
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
                    tests = tests.into_iter().map(|test| Test::Not(Box::new(test))).collect();
                    if page.is_html(child) && is_apart(page.tag(child)) {
                        tests.push(Test::NotTag(page.tag(child).to_owned()));
                    }
                    for test in tests {
                        let mut steps = path.steps.clone();
                        if of_children {
                            if let Some(last) = steps.last_mut() {
                                last.tests.push(test);
                                last.tests.sort();
                            }
                        } else {
                            steps.push(Step::new(Axis::Child, "", vec![test]));
                        }
                        paths.insert(Path { steps });
                    }
                }
            }
        }
    }
}

fn select(page: &Page, by_tag: &BTreeMap<&str, Vec<NodeId>>, path: &Path) -> Vec<NodeId> {
    let Some(last) = path.steps.last() else { return Vec::new() };
    if last.tag.is_empty() {
        return page.elements().filter(|id| path.selects(page, *id)).collect();
    }
    let same = by_tag.get(last.tag.as_str()).map_or(&[][..], Vec::as_slice);
    same.iter().copied().filter(|id| path.selects(page, *id)).collect()
}

/// Names of elements that hold no content more often than not. Others, such as `ol`, hold content on one page and
/// a table of contents on another: they are left out by id or class alone.
fn is_apart(tag: &str) -> bool {
    matches!(
        tag,
        "nav"
            | "aside"
            | "footer"
            | "header"
            | "form"
            | "address"
            | "button"
            | "hr"
            | "iframe"
            | "center"
            | "a"
    )
}

/// Returns `true` if text stands in an element itself, which its children would not bring along.
fn has_own_text(page: &Page, id: NodeId) -> bool {
    page.children(id).any(|child| page.kind(child) == NodeKind::Text && !page.data(child).trim().is_empty())
}
