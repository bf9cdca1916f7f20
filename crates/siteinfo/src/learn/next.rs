//! Learning `nextLink`: which paths lead to what the models found, on every page, and to nothing else.
//!
//! Models err on single pages, rules err on whole sites. So a selector is judged by all pages together: by how
//! likely its answers are if the models' probabilities are right, less what the selector costs. One unsure page
//! is outvoted by a simple rule that fits all others; a sure one takes a rule of its own.

use super::describe::{location, own_tests, shown_tests, speaks_of};
use super::selector::{Axis, Path, Selector, Step, Test, best_first, element_before, is_telling_name};
use super::view::View;
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::{NodeId, NodeKind, Page};

/// Bounds of the models' probabilities: no single page is proof.
const SUREST: f64 = 0.995;
/// The share of "not this link" that falls to another given link.
const OTHER_LINK: f64 = 0.05;
/// What it costs where the selected links of a page lead to several pages, so that only their order decides.
const MIXED: f64 = 0.4;
/// What a link of a page to itself costs against none: clients stop there, but only there.
const SELF_LINK: f64 = 0.2;
/// What a cycle of next links costs.
const CYCLE: f64 = 6.0;
/// What it costs that two pages have one next page.
const SHARED: f64 = 1.0;
/// Words in names that speak of paging.
const PAGING: [&str; 6] = ["next", "older", "pag", "nav", "forward", "more"];
/// What a name that speaks of paging saves, once a path.
const SPEAKS: f64 = 0.25;
/// Words that speak of another place of the pager, and what they cost. No more than a doubt: what is older is the
/// previous post to some and the next page to others.
const ELSEWHERE: [&str; 6] = ["last", "first", "prev", "newer", "newest", "oldest"];
const DOUBT: f64 = 0.6;
/// Elements of one page that lead to its next page and are looked at.
const MOST_TARGETS: usize = 4;
/// How far above a link an element is looked at that the link is below.
const MOST_ANCESTORS: usize = 10;
/// How many of the best candidates are refined, and joined with others.
const MOST_REFINED: usize = 30;
/// How many candidates are tried as a further path of a union.
const MOST_JOINED: usize = 400;
/// Most paths of a union.
const MOST_PATHS: usize = 3;

/// What a selector gives on one page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Answer {
    /// The first element, and the place of where it leads in the view's links.
    first: Option<(NodeId, usize)>,
    /// Whether the selected elements lead to several pages.
    mixed: bool,
}

/// A selector with its answers.
#[derive(Debug, Clone)]
struct Candidate {
    selector: Selector,
    answers: Vec<Answer>,
    score: f64,
}

/// Finds the selector of next links that fits pages best; `None` where no page has a next link that can be
/// described. `css` keeps to what CSS can say.
pub(super) fn learn_next(views: &[View<'_>], css: bool) -> Option<Selector> {
    let mut paths = BTreeSet::new();
    for view in views {
        let Some((key, _)) = view.next.as_ref().filter(|(_, p)| *p >= 0.3) else { continue };
        let targets = view.links.iter().filter(|(_, to)| to.as_ref() == Some(key)).take(MOST_TARGETS);
        for (target, _) in targets {
            describe(view, *target, &mut paths);
            paths.extend(location(view.page, *target));
        }
    }
    let judge = Judge { views, css };
    let mut candidates: Vec<Candidate> = paths.into_iter().filter_map(|path| judge.of(path)).collect();
    best_first(&mut candidates, |candidate| (candidate.score, &candidate.selector));
    let mut refined = BTreeSet::new();
    for candidate in candidates.iter().take(MOST_REFINED) {
        refine(views, candidate, &mut refined);
    }
    candidates.extend(refined.into_iter().filter_map(|path| judge.of(path)));
    best_first(&mut candidates, |candidate| (candidate.score, &candidate.selector));
    let best = (0..candidates.len().min(MOST_REFINED)).map(|at| judge.widen(&candidates, at));
    let best = best.reduce(|best, other| if other.score > best.score { other } else { best })?;
    Some(best.selector)
}

struct Judge<'v, 'a> {
    views: &'v [View<'a>],
    css: bool,
}

impl Judge<'_, '_> {
    /// Judges a selector of one path; `None` where it cannot be written.
    fn of(&self, path: Path) -> Option<Candidate> {
        let selector = Selector::of(path);
        if !selector.can_be_written(self.css) {
            return None;
        }
        let answers: Vec<Answer> = self.views.iter().map(|view| answer(view, &selector)).collect();
        let score = self.score(&selector, &answers);
        Some(Candidate { selector, answers, score })
    }

    /// Adds further paths to a candidate as long as that makes it better.
    fn widen(&self, candidates: &[Candidate], at: usize) -> Candidate {
        let mut best = candidates[at].clone();
        while best.selector.paths.len() < MOST_PATHS {
            let others = candidates.iter().take(MOST_JOINED);
            let joined =
                others.filter(|other| !best.selector.paths.contains(&other.selector.paths[0])).map(|other| {
                    let answers: Vec<Answer> = best
                        .answers
                        .iter()
                        .zip(&other.answers)
                        .zip(self.views)
                        .map(|((one, two), view)| both(view, *one, *two))
                        .collect();
                    let mut selector = best.selector.clone();
                    selector.paths.extend(other.selector.paths.iter().cloned());
                    let score = self.score(&selector, &answers);
                    Candidate { selector, answers, score }
                });
            match joined.reduce(|best, other| if other.score > best.score { other } else { best }) {
                Some(joined) if joined.score > best.score => best = joined,
                _ => break,
            }
        }
        best
    }

    /// The log-likelihood of the answers, less costs, in nats.
    fn score(&self, selector: &Selector, answers: &[Answer]) -> f64 {
        let fit: f64 = self.views.iter().zip(answers).map(|(view, answer)| likelihood(view, *answer)).sum();
        let speaking = |words: &[&str]| {
            let speaks = |path: &&Path| {
                path.steps.iter().any(|step| step.tests.iter().any(|test| speaks_of(test, words)))
            };
            selector.paths.iter().filter(speaks).count() as f64
        };
        let words = SPEAKS * speaking(&PAGING) - DOUBT * speaking(&ELSEWHERE);
        fit - self.tangle(answers) - selector.cost() + words
    }

    /// What cycles and shared next pages among the answers cost.
    fn tangle(&self, answers: &[Answer]) -> f64 {
        let mut onward: BTreeMap<&str, &str> = BTreeMap::new();
        let mut into: BTreeMap<&str, usize> = BTreeMap::new();
        for (view, answer) in self.views.iter().zip(answers) {
            if let Some(to) = leads_to(view, *answer).filter(|to| *to != view.key) {
                onward.insert(&view.key, to);
                *into.entry(to).or_default() += 1;
            }
        }
        let mut cycles = 0;
        let mut done: BTreeSet<&str> = BTreeSet::new();
        for start in onward.keys() {
            let (mut at, mut walked) = (*start, BTreeSet::new());
            while !done.contains(at) && walked.insert(at) {
                match onward.get(at) {
                    Some(to) => at = to,
                    None => break,
                }
                cycles += usize::from(walked.contains(at));
            }
            done.extend(walked);
        }
        let shared: usize = into.values().map(|count| count - 1).sum();
        CYCLE * cycles as f64 + SHARED * shared as f64
    }
}

fn leads_to<'a>(view: &'a View<'_>, answer: Answer) -> Option<&'a str> {
    answer.first.and_then(|(_, link)| view.links[link].1.as_deref())
}

/// What a selector gives on a page.
fn answer(view: &View<'_>, selector: &Selector) -> Answer {
    let mut answer = Answer { first: None, mixed: false };
    for (at, (id, to)) in view.links.iter().enumerate() {
        if !selector.paths.iter().any(|path| path.selects(view.page, *id)) {
            continue;
        }
        match answer.first {
            None => answer.first = Some((*id, at)),
            Some((_, first)) => answer.mixed |= *to != view.links[first].1,
        }
    }
    answer
}

/// What the union of two selectors gives.
fn both(view: &View<'_>, one: Answer, two: Answer) -> Answer {
    let first = match (one.first, two.first) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    let differ =
        matches!((one.first, two.first), (Some((_, a)), Some((_, b))) if view.links[a].1 != view.links[b].1);
    Answer { first, mixed: one.mixed || two.mixed || differ }
}

/// How likely an answer is right, by the models' probability, in nats.
fn likelihood(view: &View<'_>, answer: Answer) -> f64 {
    let (key, p) = view.next.as_ref().map_or(("", 0.0), |(key, p)| (key.as_str(), *p));
    let p = p.clamp(1.0 - SUREST, SUREST);
    let mut value = match leads_to(view, answer) {
        None => (1.0 - p).ln(),
        Some(to) if to == view.key => (1.0 - p).ln() - SELF_LINK,
        Some(to) if to == key => p.ln(),
        Some(_) => ((1.0 - p) * OTHER_LINK).ln(),
    };
    if answer.mixed {
        value -= MIXED;
    }
    value
}

/// Collects paths to a link.
fn describe(view: &View<'_>, target: NodeId, paths: &mut BTreeSet<Path>) {
    let page = view.page;
    let tag = page.tag(target);
    let mut tests = own_tests(page, target);
    tests.extend(shown_tests(page, target));
    if page.previous_sibling(target).is_some_and(|before| {
        page.kind(before) == NodeKind::Text && super::selector::is_bare_number(page.data(before))
    }) {
        tests.push(Test::AfterNumber);
    }
    tests.truncate(10);
    let mut kinds: Vec<Vec<Test>> = vec![Vec::new()];
    kinds.extend(tests.iter().map(|test| vec![test.clone()]));
    for (at, one) in tests.iter().enumerate() {
        for other in &tests[at + 1..] {
            paths.insert(Path {
                steps: vec![Step::new(Axis::Descendant, tag, vec![one.clone(), other.clone()])],
            });
        }
    }
    for kind in &kinds[1..] {
        paths.insert(Path { steps: vec![Step::new(Axis::Descendant, tag, kind.clone())] });
    }
    let mut chain: Vec<NodeId> = vec![target];
    for above in page
        .ancestors(target)
        .take(MOST_ANCESTORS)
        .filter(|above| !page.is(*above, "html") && page.is_html(*above))
    {
        for anchor in anchors(page, above) {
            for kind in &kinds {
                paths.insert(Path {
                    steps: vec![anchor.clone(), Step::new(Axis::Descendant, tag, kind.clone())],
                });
            }
            if chain.len() <= 3 {
                for kind in &kinds {
                    paths.insert(Path { steps: descend(page, &anchor, &chain, None, kind) });
                }
                for at in 0..chain.len() {
                    for position in &[Test::First, Test::Last] {
                        paths.insert(Path {
                            steps: descend(page, &anchor, &chain, Some((at, position)), &[]),
                        });
                    }
                }
            }
        }
        chain.push(above);
    }
    markers(view, target, &kinds, paths);
}

/// Steps that an element can be told by from anywhere.
fn anchors(page: &Page, id: NodeId) -> Vec<Step> {
    let tag = page.tag(id);
    let mut steps: Vec<Step> =
        own_tests(page, id).into_iter().map(|test| Step::new(Axis::Descendant, tag, vec![test])).collect();
    if is_telling_name(tag) {
        steps.push(Step::new(Axis::Descendant, tag, Vec::new()));
    }
    steps
}

/// A path from an anchor down a chain of children, given from the link upwards; `position` tells one of them among
/// its siblings.
fn descend(
    page: &Page,
    anchor: &Step,
    chain: &[NodeId],
    position: Option<(usize, &Test)>,
    kind: &[Test],
) -> Vec<Step> {
    let mut steps = vec![anchor.clone()];
    for (at, id) in chain.iter().enumerate().rev() {
        let mut tests: Vec<Test> =
            position.iter().filter(|(place, _)| *place == at).map(|(_, test)| (*test).clone()).collect();
        if at == 0 {
            tests.extend(kind.iter().cloned());
        }
        steps.push(Step::new(Axis::Child, page.tag(*id), tests));
    }
    steps
}

/// Paths by way of what stands before the link, or before what holds it: the mark of the current page.
fn markers(view: &View<'_>, target: NodeId, kinds: &[Vec<Test>], paths: &mut BTreeSet<Path>) {
    let page = view.page;
    let mut chain: Vec<NodeId> = Vec::new();
    for holder in std::iter::once(target).chain(page.ancestors(target)).take(3) {
        for (axis, mark) in marks_before(page, holder) {
            let mut marks: Vec<Vec<Test>> =
                own_tests(page, mark).into_iter().map(|test| vec![test]).collect();
            if page.tag(mark) != page.tag(holder) {
                marks.push(Vec::new());
            }
            for tests in marks {
                let first = Step::new(Axis::Descendant, page.tag(mark), tests);
                let mut steps = vec![first, Step::new(axis, page.tag(holder), Vec::new())];
                steps.extend(chain.iter().rev().map(|id| Step::new(Axis::Child, page.tag(*id), Vec::new())));
                let end = steps.len() - 1;
                for kind in kinds {
                    steps[end].tests.clone_from(kind);
                    paths.insert(Path { steps: steps.clone() });
                }
                steps[end].tests.clear();
                for above in page.ancestors(holder).take(4).filter(|above| page.is_html(*above)) {
                    for anchor in anchors(page, above) {
                        let mut anchored = vec![anchor];
                        anchored.extend(steps.iter().cloned());
                        paths.insert(Path { steps: anchored });
                    }
                }
            }
        }
        chain.push(holder);
    }
}

/// The siblings before an element that may mark the current page, and how to get from there to the element: the one
/// next to it, and those from which it is the first of its name.
fn marks_before(page: &Page, holder: NodeId) -> Vec<(Axis, NodeId)> {
    let mut marks = Vec::new();
    let mut at = element_before(page, holder);
    while let Some(mark) = at.filter(|_| marks.len() < 4) {
        if page.is_html(mark) {
            if marks.is_empty() {
                marks.push((Axis::Adjacent, mark));
            }
            marks.push((Axis::Following, mark));
        }
        if page.tag(mark) == page.tag(holder) {
            break;
        }
        at = element_before(page, mark);
    }
    marks
}

/// Collects narrower paths than a candidate's: those that leave out what it selects wrongly, and those below a
/// further element.
fn refine(views: &[View<'_>], candidate: &Candidate, paths: &mut BTreeSet<Path>) {
    let Some(path) = candidate.selector.paths.first() else { return };
    let Some(last) = path.steps.last() else { return };
    for (view, answer) in views.iter().zip(&candidate.answers) {
        let page = view.page;
        let wanted = view.next.as_ref().filter(|(_, p)| *p >= 0.5).map(|(key, _)| key.as_str());
        let Some((wrong, _)) = answer.first.filter(|_| leads_to(view, *answer) != wanted) else {
            // Right here: what else is above the link may tell it from what is wrong elsewhere.
            if let Some((right, _)) = answer.first {
                for above in page.ancestors(right).take(MOST_ANCESTORS).filter(|above| page.is_html(*above)) {
                    for anchor in anchors(page, above) {
                        if !path.steps.contains(&anchor) {
                            let mut steps = vec![anchor];
                            steps.extend(path.steps.iter().cloned());
                            paths.insert(Path { steps });
                        }
                    }
                }
            }
            continue;
        };
        let leave_out = |place: usize, test: Test| {
            let mut steps = path.steps.clone();
            steps[place].tests.push(Test::Not(Box::new(test)));
            Path { steps }
        };
        let end = path.steps.len() - 1;
        for test in own_tests(page, wrong).into_iter().chain(shown_tests(page, wrong)) {
            if !last.tests.contains(&test) && !matches!(test, Test::Not(_)) {
                paths.insert(leave_out(end, test));
            }
        }
        // Where there is no next page, some pagers lead to the top of the page, to the home page, to the index.
        if let Some(href) =
            page.attribute(wrong, "href").filter(|href| matches!(*href, "#" | "/" | "./" | "../"))
        {
            paths.insert(leave_out(end, Test::Attribute("href".to_owned(), href.to_owned())));
        }
        if let Some(parent) = page.parent(wrong).filter(|parent| page.is_html(*parent)) {
            for test in own_tests(page, parent) {
                if last.axis == Axis::Child && end > 0 {
                    paths.insert(leave_out(end - 1, test));
                } else if last.axis == Axis::Descendant {
                    let mut steps = path.steps.clone();
                    steps[end].axis = Axis::Child;
                    steps.insert(
                        end,
                        Step::new(Axis::Descendant, page.tag(parent), vec![Test::Not(Box::new(test))]),
                    );
                    paths.insert(Path { steps });
                }
            }
        }
    }
}
