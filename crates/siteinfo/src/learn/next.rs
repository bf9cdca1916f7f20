//! Learns `nextLink`: finds paths that select the models' next link on every page, and nothing else.
//!
//! Models err on single pages, rules on whole sites. So a selector is scored on all pages together: by the likelihood of
//! its answers under the models' probabilities, minus the cost of the selector. A simple rule that fits all other pages
//! outvotes an unsure page; a sure page is worth a rule of its own.

use super::describe::{anchors, by_ancestors, location, own_tests, shown_tests, speaking};
use super::selector::{
    LearnedSelector, SelectorStep, StepAxis, StepPath, StepTest, best_first, element_before, is_bare_number,
    steps_down,
};
use super::view::PageView;
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::{NodeId, NodeKind, Page};

/// Bound on the models' probabilities: no single page is proof.
const SUREST: f64 = 0.995;
/// Share of the probability of "not this link" that goes to any other link.
const OTHER_LINK: f64 = 0.05;
/// Cost of selecting links to several pages, so that only their order decides.
const MIXED: f64 = 0.4;
/// Cost of a link to the page itself, compared with none: clients stop only once they follow it.
const SELF_LINK: f64 = 0.2;
const CYCLE: f64 = 6.0;
/// Cost of two pages with the same next page.
const SHARED: f64 = 1.0;
const PAGING: [&str; 6] = ["next", "older", "pag", "nav", "forward", "more"];
/// Bonus for such a word, once per path.
const SPEAKS: f64 = 0.25;
/// Words that suggest another part of the pager, and their cost. The cost is small: "older" is the previous post on some
/// sites and the next page on others.
const ELSEWHERE: [&str; 6] = ["last", "first", "prev", "newer", "newest", "oldest"];
const DOUBT: f64 = 0.6;
const MOST_TARGETS: usize = 4;
const MOST_ANCESTORS: usize = 10;
const MOST_REFINED: usize = 30;
const MOST_JOINED: usize = 400;
const MOST_PATHS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NextAnswer {
    /// The first element, and its index among the view's links.
    first: Option<(NodeId, usize)>,
    /// Whether the selected elements lead to several pages.
    mixed: bool,
}

#[derive(Debug, Clone)]
struct NextCandidate {
    selector: LearnedSelector,
    answers: Vec<NextAnswer>,
    score: f64,
}

/// Returns the selector that fits the next links of the pages best; `None` if no page has a next link that can be
/// described. `css` restricts it to what CSS can express.
pub(super) fn learn_next(views: &[PageView<'_>], css: bool) -> Option<LearnedSelector> {
    let mut paths = BTreeSet::new();
    for view in views {
        let Some((key, _)) = view.next.as_ref().filter(|(_, p)| *p >= 0.3) else { continue };
        let targets = view.links.iter().filter(|(_, to)| to.as_ref() == Some(key)).take(MOST_TARGETS);
        for (target, _) in targets {
            describe(view, *target, &mut paths);
            paths.extend(location(view.page, *target));
        }
    }
    let judge = NextJudge { views, css };
    let mut candidates: Vec<NextCandidate> = paths.into_iter().filter_map(|path| judge.of(path)).collect();
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

struct NextJudge<'v, 'a> {
    views: &'v [PageView<'a>],
    css: bool,
}

impl NextJudge<'_, '_> {
    fn of(&self, path: StepPath) -> Option<NextCandidate> {
        let selector = LearnedSelector::of(path);
        if !selector.can_be_written(self.css) {
            return None;
        }
        let answers: Vec<NextAnswer> = self.views.iter().map(|view| answer(view, &selector)).collect();
        let score = self.score(&selector, &answers);
        Some(NextCandidate { selector, answers, score })
    }

    fn widen(&self, candidates: &[NextCandidate], at: usize) -> NextCandidate {
        let mut best = candidates[at].clone();
        while best.selector.paths.len() < MOST_PATHS {
            let others = candidates.iter().take(MOST_JOINED);
            let joined =
                others.filter(|other| !best.selector.paths.contains(&other.selector.paths[0])).map(|other| {
                    let answers: Vec<NextAnswer> = best
                        .answers
                        .iter()
                        .zip(&other.answers)
                        .zip(self.views)
                        .map(|((one, two), view)| both(view, *one, *two))
                        .collect();
                    let mut selector = best.selector.clone();
                    selector.paths.extend(other.selector.paths.iter().cloned());
                    let score = self.score(&selector, &answers);
                    NextCandidate { selector, answers, score }
                });
            match joined.reduce(|best, other| if other.score > best.score { other } else { best }) {
                Some(joined) if joined.score > best.score => best = joined,
                _ => break,
            }
        }
        best
    }

    /// Returns the log-likelihood of the answers minus costs, in nats.
    fn score(&self, selector: &LearnedSelector, answers: &[NextAnswer]) -> f64 {
        let fit: f64 = self.views.iter().zip(answers).map(|(view, answer)| likelihood(view, *answer)).sum();
        let words = SPEAKS * speaking(selector, &PAGING) - DOUBT * speaking(selector, &ELSEWHERE);
        fit - self.tangle(answers) - selector.cost() + words
    }

    /// Returns the cost of cycles and shared next pages among the answers, in nats.
    fn tangle(&self, answers: &[NextAnswer]) -> f64 {
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

fn leads_to<'a>(view: &'a PageView<'_>, answer: NextAnswer) -> Option<&'a str> {
    answer.first.and_then(|(_, link)| view.links[link].1.as_deref())
}

fn answer(view: &PageView<'_>, selector: &LearnedSelector) -> NextAnswer {
    let mut answer = NextAnswer { first: None, mixed: false };
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

fn both(view: &PageView<'_>, one: NextAnswer, two: NextAnswer) -> NextAnswer {
    let first = match (one.first, two.first) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    let differ =
        matches!((one.first, two.first), (Some((_, a)), Some((_, b))) if view.links[a].1 != view.links[b].1);
    NextAnswer { first, mixed: one.mixed || two.mixed || differ }
}

fn likelihood(view: &PageView<'_>, answer: NextAnswer) -> f64 {
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

fn describe(view: &PageView<'_>, target: NodeId, paths: &mut BTreeSet<StepPath>) {
    let page = view.page;
    let tag = page.tag(target);
    let mut tests = own_tests(page, target);
    tests.extend(shown_tests(page, target));
    if page
        .previous_sibling(target)
        .is_some_and(|before| page.kind(before) == NodeKind::Text && is_bare_number(page.data(before)))
    {
        tests.push(StepTest::AfterNumber);
    }
    tests.truncate(10);
    let mut kinds: Vec<Vec<StepTest>> = vec![Vec::new()];
    kinds.extend(tests.iter().map(|test| vec![test.clone()]));
    for (at, one) in tests.iter().enumerate() {
        for other in &tests[at + 1..] {
            paths.insert(StepPath::below(tag, vec![one.clone(), other.clone()]));
        }
    }
    for kind in &kinds[1..] {
        paths.insert(StepPath::below(tag, kind.clone()));
    }
    by_ancestors(page, target, &kinds, MOST_ANCESTORS, paths);
    markers(view, target, &kinds, paths);
}

/// Collects paths that start at a sibling before the link, or before an element around it: the mark of the current page.
fn markers(view: &PageView<'_>, target: NodeId, kinds: &[Vec<StepTest>], paths: &mut BTreeSet<StepPath>) {
    let page = view.page;
    let mut chain: Vec<NodeId> = Vec::new();
    for holder in std::iter::once(target).chain(page.ancestors(target)).take(3) {
        for (axis, mark) in marks_before(page, holder) {
            let mut marks: Vec<Vec<StepTest>> =
                own_tests(page, mark).into_iter().map(|test| vec![test]).collect();
            if page.tag(mark) != page.tag(holder) {
                marks.push(Vec::new());
            }
            for tests in marks {
                let first = SelectorStep::below(page.tag(mark), tests);
                let mut steps = vec![first, SelectorStep::new(axis, page.tag(holder), Vec::new())];
                steps.extend(steps_down(page, &chain));
                let end = steps.len() - 1;
                for kind in kinds {
                    steps[end].tests.clone_from(kind);
                    paths.insert(StepPath { steps: steps.clone() });
                }
                steps[end].tests.clear();
                for above in page.ancestors(holder).take(4).filter(|above| page.is_html(*above)) {
                    for anchor in anchors(page, above) {
                        let mut anchored = vec![anchor];
                        anchored.extend(steps.iter().cloned());
                        paths.insert(StepPath { steps: anchored });
                    }
                }
            }
        }
        chain.push(holder);
    }
}

/// Returns the siblings before an element that may mark the current page, and the axis from there to the element: the
/// adjacent one, and those after which it is the first of its name.
fn marks_before(page: &Page, holder: NodeId) -> Vec<(StepAxis, NodeId)> {
    let mut marks = Vec::new();
    let mut at = element_before(page, holder);
    while let Some(mark) = at.filter(|_| marks.len() < 4) {
        if page.is_html(mark) {
            if marks.is_empty() {
                marks.push((StepAxis::Adjacent, mark));
            }
            marks.push((StepAxis::Following, mark));
        }
        if page.tag(mark) == page.tag(holder) {
            break;
        }
        at = element_before(page, mark);
    }
    marks
}

/// Collects narrower paths than a candidate's: paths that exclude what it selects wrongly, and paths below another
/// element.
fn refine(views: &[PageView<'_>], candidate: &NextCandidate, paths: &mut BTreeSet<StepPath>) {
    let Some(path) = candidate.selector.paths.first() else { return };
    let Some(last) = path.steps.last() else { return };
    for (view, answer) in views.iter().zip(&candidate.answers) {
        let page = view.page;
        let wanted = view.next.as_ref().filter(|(_, p)| *p >= 0.5).map(|(key, _)| key.as_str());
        let Some((wrong, _)) = answer.first.filter(|_| leads_to(view, *answer) != wanted) else {
            // Right here: another ancestor of the link may tell it from wrong links elsewhere.
            if let Some((right, _)) = answer.first {
                for above in page.ancestors(right).take(MOST_ANCESTORS).filter(|above| page.is_html(*above)) {
                    for anchor in anchors(page, above) {
                        if !path.steps.contains(&anchor) {
                            let mut steps = vec![anchor];
                            steps.extend(path.steps.iter().cloned());
                            paths.insert(StepPath { steps });
                        }
                    }
                }
            }
            continue;
        };
        let end = path.steps.len() - 1;
        for test in own_tests(page, wrong).into_iter().chain(shown_tests(page, wrong)) {
            if !last.tests.contains(&test) && !matches!(test, StepTest::Not(_)) {
                paths.insert(leaving_out(path, end, test));
            }
        }
        // On the last page, some pagers lead to the top of the page, to the home page, or to the index.
        if let Some(href) =
            page.attribute(wrong, "href").filter(|href| matches!(*href, "#" | "/" | "./" | "../"))
        {
            paths.insert(leaving_out(path, end, StepTest::Attribute("href".to_owned(), href.to_owned())));
        }
        if let Some(parent) = page.parent(wrong).filter(|parent| page.is_html(*parent)) {
            for test in own_tests(page, parent) {
                if last.axis == StepAxis::Child && end > 0 {
                    paths.insert(leaving_out(path, end - 1, test));
                } else if last.axis == StepAxis::Descendant {
                    let mut steps = path.steps.clone();
                    steps[end].axis = StepAxis::Child;
                    steps.insert(
                        end,
                        SelectorStep::below(page.tag(parent), vec![StepTest::Not(Box::new(test))]),
                    );
                    paths.insert(StepPath { steps });
                }
            }
        }
    }
}

/// Returns a path with one more test at a step: that another test fails.
fn leaving_out(path: &StepPath, step: usize, test: StepTest) -> StepPath {
    let mut steps = path.steps.clone();
    steps[step].tests.push(StepTest::Not(Box::new(test)));
    StepPath { steps }
}
