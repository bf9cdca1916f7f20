//! How far two people agree: precision, recall, F and perfect matching of content, and Cohen's kappa of next links and of roles.
//!
//! Content is counted in the blocks that the models score, summed over all pages (micro-averaged). Kappa is over all links
//! of all pages, because a page has no classes to agree on, and over all blocks of which both said a role.

use super::annotation::Annotation;
use super::roles::{self, PageBlock};
use crate::error::ApiError;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use tsugi::page::NodeId;
use tsugi::page::address;
use tsugi::roles::BlockRole;
use tsugi::{Page, Tsugi};

/// An annotation in terms of [`Offered`], so that two can be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PageChoice {
    /// `None` if the person spoke of roles alone.
    marked: Option<MarkedChoice>,
    /// What the person says of each block.
    roles: Vec<Option<BlockRole>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct MarkedChoice {
    /// The text blocks in the content.
    blocks: BTreeSet<NodeId>,
    next: Option<String>,
}

impl PageChoice {
    /// Returns `true` if both say something of the same, and not the same.
    pub(super) fn differs(&self, other: &PageChoice) -> bool {
        let marks = self.marked.as_ref().zip(other.marked.as_ref());
        marks.is_some_and(|(own, other)| own != other) || self.pairs(other).any(|(own, other)| own != other)
    }

    /// Returns the roles of the blocks of which both say one.
    fn pairs(&self, other: &PageChoice) -> impl Iterator<Item = (BlockRole, BlockRole)> {
        self.roles.iter().zip(&other.roles).filter_map(|(own, other)| own.zip(*other))
    }
}

#[derive(Debug)]
pub(super) struct Offered {
    blocks: Vec<NodeId>,
    links: BTreeSet<String>,
    text_blocks: Vec<PageBlock>,
}

impl Offered {
    pub(super) fn of(page: &Page, tsugi: &Tsugi) -> Offered {
        let links = page.elements().filter(|node| page.is(*node, "a"));
        Offered {
            blocks: tsugi.look(page).explain(usize::MAX).blocks.into_iter().map(|block| block.node).collect(),
            links: links
                .filter_map(|link| Some(address::page_key(&page.resolve(page.attribute(link, "href")?)?)))
                .collect(),
            text_blocks: roles::blocks(page, tsugi),
        }
    }

    /// # Errors
    ///
    /// If the annotation is not of this page.
    pub(super) fn chosen(&self, page: &Page, annotation: &Annotation) -> Result<PageChoice, ApiError> {
        let marked = annotation.on(page)?;
        let blocks =
            self.blocks.iter().copied().filter(|block| {
                is_in(page, &marked.content, *block) && !is_in(page, &marked.without, *block)
            });
        let choice = || MarkedChoice {
            blocks: blocks.collect(),
            next: marked.next.as_ref().map(|(_, url)| address::page_key(url)),
        };
        let (roles, _) = roles::said_of(&self.text_blocks, &annotation.blocks)?;
        Ok(PageChoice { marked: (!annotation.roles_only).then(choice), roles })
    }
}

fn is_in(page: &Page, nodes: &[NodeId], block: NodeId) -> bool {
    nodes.iter().any(|node| page.contains(*node, block))
}

/// Counts agreements of two people over pages. The answers of the second count as right.
#[derive(Debug, Default)]
pub(super) struct PairTally {
    pages: usize,
    perfect: usize,
    /// Blocks that both chose, that the first chose, that the second chose.
    both: usize,
    first: usize,
    second: usize,
    /// Links, by whether the first and the second chose them.
    links: BTreeMap<(bool, bool), usize>,
    same_next: usize,
    /// Blocks, by the role that the first and the second say.
    roles: BTreeMap<(BlockRole, BlockRole), usize>,
}

/// How far one person agrees with another. Shares are in [0, 1]; `None` if there is nothing to divide by.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct PairAgreement {
    f: Option<f64>,
    /// Cohen's kappa of next links. `None` if chance alone explains everything.
    kappa: Option<f64>,
    /// The pages of which both marked the content and the next link.
    pages: usize,
    /// The share of pages with exactly the same blocks.
    perfect: Option<f64>,
    /// Of the blocks that the first chose, the share that the second chose, too.
    precision: Option<f64>,
    /// Of the blocks that the second chose, the share that the first chose, too.
    recall: Option<f64>,
    /// The blocks of which both said a role.
    role_blocks: usize,
    /// Cohen's kappa of their roles.
    role_kappa: Option<f64>,
    /// The share of pages with the same next page, or with none.
    same_next: Option<f64>,
    /// The share of blocks with the same role.
    same_role: Option<f64>,
}

impl PairTally {
    pub(super) fn add(&mut self, offered: &Offered, first: &PageChoice, second: &PageChoice) {
        for pair in first.pairs(second) {
            *self.roles.entry(pair).or_default() += 1;
        }
        let (Some(first), Some(second)) = (&first.marked, &second.marked) else { return };
        self.pages += 1;
        self.perfect += usize::from(first.blocks == second.blocks);
        self.both += first.blocks.intersection(&second.blocks).count();
        self.first += first.blocks.len();
        self.second += second.blocks.len();
        self.same_next += usize::from(first.next == second.next);
        let chosen: BTreeSet<&String> = first.next.iter().chain(&second.next).chain(&offered.links).collect();
        for link in chosen {
            let by = (first.next.as_ref() == Some(link), second.next.as_ref() == Some(link));
            *self.links.entry(by).or_default() += 1;
        }
    }

    pub(super) fn result(&self) -> PairAgreement {
        let role_blocks = self.roles.values().sum();
        PairAgreement {
            f: share(2 * self.both, self.first + self.second),
            kappa: kappa(&self.links),
            pages: self.pages,
            perfect: share(self.perfect, self.pages),
            precision: share(self.both, self.first),
            recall: share(self.both, self.second),
            role_blocks,
            role_kappa: kappa(&self.roles),
            same_next: share(self.same_next, self.pages),
            same_role: share(same(&self.roles), role_blocks),
        }
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Returns how often two people gave the same answer.
fn same<A: Ord>(counts: &BTreeMap<(A, A), usize>) -> usize {
    counts.iter().filter(|((first, second), _)| first == second).map(|(_, count)| count).sum()
}

/// Returns Cohen's kappa of two people's answers, counted by what both said: (observed − expected) / (1 − expected) agreement.
///
/// # Source
///
/// J. Cohen, “A coefficient of agreement for nominal scales”, 1960.
fn kappa<A: Ord>(counts: &BTreeMap<(A, A), usize>) -> Option<f64> {
    let total = counts.values().sum::<usize>() as f64;
    let (mut of_first, mut of_second) = (BTreeMap::<&A, usize>::new(), BTreeMap::<&A, usize>::new());
    for ((first, second), count) in counts {
        *of_first.entry(first).or_default() += count;
        *of_second.entry(second).or_default() += count;
    }
    let by_chance = |(answer, count): (&&A, &usize)| {
        (*count as f64 / total) * (of_second.get(*answer).copied().unwrap_or_default() as f64 / total)
    };
    let expected: f64 = of_first.iter().map(by_chance).sum();
    let observed = same(counts) as f64 / total;
    (total > 0.0 && expected < 1.0).then(|| (observed - expected) / (1.0 - expected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn links([both, first, second, none]: [usize; 4]) -> BTreeMap<(bool, bool), usize> {
        [((true, true), both), ((true, false), first), ((false, true), second), ((false, false), none)].into()
    }

    #[test]
    fn kappa_is_that_of_the_textbook() {
        // Observed .70; expected .5 · .6 + .5 · .4 = .50.
        let found = kappa(&links([20, 5, 10, 15])).unwrap();
        assert!((found - 0.4).abs() < 1e-12, "{found}");
        assert_eq!(kappa(&links([0, 0, 0, 0])), None);
        assert_eq!(kappa(&links([0, 0, 0, 9])), None, "both said no to everything");
        assert_eq!(kappa(&links([2, 0, 0, 9])), Some(1.0));
        // Of three answers: observed .5; expected .4 · .5 + .4 · .3 + .2 · .2 = .36.
        let counts = [(('a', 'a'), 3), (('a', 'b'), 1), (('b', 'a'), 2), (('b', 'b'), 1), (('b', 'c'), 1)];
        let found = kappa(&counts.into_iter().chain([(('c', 'b'), 1), (('c', 'c'), 1)]).collect()).unwrap();
        assert!((found - (0.5 - 0.36) / 0.64).abs() < 1e-12, "{found}");
    }

    #[test]
    fn agreement_on_roles_is_counted_in_blocks_of_which_both_spoke() {
        let html = "<h1>Title</h1><p>One is long enough.</p><p>Two is long enough.</p><p>Three</p>";
        let page = Page::from_text(html, &"https://a.test/1".parse().unwrap());
        let offered = Offered::of(&page, &Tsugi::new());
        let said = |roles: [Option<&str>; 4]| {
            let at = ["h1[1]", "p[1]", "p[2]", "p[3]"].map(|path| format!("/html[1]/body[1]/{path}"));
            let blocks = at.iter().zip(roles).map(|(at, role)| json!({"at": at, "role": role}));
            let blocks = serde_json::from_value(blocks.collect()).unwrap();
            offered.chosen(&page, &Annotation { blocks, roles_only: true, ..Annotation::default() }).unwrap()
        };
        let one = said([Some("title"), Some("lead"), Some("body"), None]);
        let other = said([Some("title"), Some("body"), Some("body"), Some("tags")]);
        let mut tally = PairTally::default();
        tally.add(&offered, &one, &other);
        let agreement = tally.result();
        assert_eq!((agreement.role_blocks, agreement.same_role), (3, Some(2.0 / 3.0)));
        // Expected: title 1/3 · 1/3, lead 1/3 · 0, body 1/3 · 2/3, so 1/3.
        assert!((agreement.role_kappa.unwrap() - 0.5).abs() < 1e-12, "{agreement:?}");
        assert_eq!((agreement.pages, agreement.f), (0, None), "nobody marked content");
        assert!(one.differs(&other) && !one.differs(&one));
        assert!(!one.differs(&said([None, None, None, Some("site")])), "they speak of different blocks");
    }

    #[test]
    fn agreement_is_counted_in_blocks() {
        let html = "<main><p>One is long enough.</p><p>Two is long enough.</p></main><a href=/2>Next</a><a href=/3>3</a>";
        let page = Page::from_text(html, &"https://a.test/1".parse().unwrap());
        let offered = Offered::of(&page, &Tsugi::new());
        let said = |content: &str, next: Option<&str>| {
            let annotation = Annotation {
                content: vec![format!("/html[1]/body[1]/{content}")],
                next: next.map(|path| format!("/html[1]/body[1]/{path}")),
                ..Annotation::default()
            };
            offered.chosen(&page, &annotation).unwrap()
        };
        let (one, both) = (said("main[1]/p[1]", Some("a[1]")), said("main[1]", Some("a[2]")));
        let mut tally = PairTally::default();
        tally.add(&offered, &one, &both);
        let agreement = tally.result();
        // One of one taken block is right, one of two right ones is taken.
        assert_eq!((agreement.precision, agreement.recall), (Some(1.0), Some(0.5)));
        assert_eq!((agreement.perfect, agreement.same_next), (Some(0.0), Some(0.0)));
        let mut same = PairTally::default();
        same.add(&offered, &one, &one);
        let agreement = same.result();
        assert_eq!((agreement.f, agreement.perfect, agreement.kappa), (Some(1.0), Some(1.0), Some(1.0)));
    }
}
