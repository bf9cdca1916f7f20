//! How far two people agree: precision, recall, F and perfect matching of content, and Cohen's kappa of next links.
//!
//! Content is counted in the blocks that the models score, summed over all pages (micro-averaged). Kappa is over all links
//! of all pages, because a page has no classes to agree on.

use super::annotation::MarkedNodes;
use serde::Serialize;
use std::collections::BTreeSet;
use tsugi::page::NodeId;
use tsugi::page::address;
use tsugi::{Page, Tsugi};

/// An annotation in terms of [`Offered`], so that two can be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PageChoice {
    /// The text blocks in the content.
    blocks: BTreeSet<NodeId>,
    next: Option<String>,
}

#[derive(Debug)]
pub(super) struct Offered {
    blocks: Vec<NodeId>,
    links: BTreeSet<String>,
}

impl Offered {
    pub(super) fn of(page: &Page, tsugi: &Tsugi) -> Offered {
        let links = page.elements().filter(|node| page.is(*node, "a"));
        Offered {
            blocks: tsugi.look(page).explain(usize::MAX).blocks.into_iter().map(|block| block.node).collect(),
            links: links
                .filter_map(|link| Some(address::page_key(&page.resolve(page.attribute(link, "href")?)?)))
                .collect(),
        }
    }

    pub(super) fn chosen(&self, page: &Page, marked: &MarkedNodes) -> PageChoice {
        let blocks =
            self.blocks.iter().copied().filter(|block| {
                is_in(page, &marked.content, *block) && !is_in(page, &marked.without, *block)
            });
        PageChoice {
            blocks: blocks.collect(),
            next: marked.next.as_ref().map(|(_, url)| address::page_key(url)),
        }
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
    /// Links: chosen by both, by the first alone, by the second alone, by neither.
    links: [usize; 4],
    same_next: usize,
}

/// How far one person agrees with another. Shares are in [0, 1]; `None` if there is nothing to divide by.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct PairAgreement {
    f: Option<f64>,
    /// Cohen's kappa. `None` if chance alone explains everything.
    kappa: Option<f64>,
    pages: usize,
    /// The share of pages with exactly the same blocks.
    perfect: Option<f64>,
    /// Of the blocks that the first chose, the share that the second chose, too.
    precision: Option<f64>,
    /// Of the blocks that the second chose, the share that the first chose, too.
    recall: Option<f64>,
    /// The share of pages with the same next page, or with none.
    same_next: Option<f64>,
}

impl PairTally {
    pub(super) fn add(&mut self, offered: &Offered, first: &PageChoice, second: &PageChoice) {
        self.pages += 1;
        self.perfect += usize::from(first.blocks == second.blocks);
        self.both += first.blocks.intersection(&second.blocks).count();
        self.first += first.blocks.len();
        self.second += second.blocks.len();
        self.same_next += usize::from(first.next == second.next);
        let chosen: BTreeSet<&String> = first.next.iter().chain(&second.next).chain(&offered.links).collect();
        for link in chosen {
            let at = match (first.next.as_ref() == Some(link), second.next.as_ref() == Some(link)) {
                (true, true) => 0,
                (true, false) => 1,
                (false, true) => 2,
                (false, false) => 3,
            };
            self.links[at] += 1;
        }
    }

    pub(super) fn result(&self) -> PairAgreement {
        PairAgreement {
            f: share(2 * self.both, self.first + self.second),
            kappa: kappa(self.links),
            pages: self.pages,
            perfect: share(self.perfect, self.pages),
            precision: share(self.both, self.first),
            recall: share(self.both, self.second),
            same_next: share(self.same_next, self.pages),
        }
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Returns Cohen's kappa of two yes-or-no answers: (observed − expected) / (1 − expected) agreement.
///
/// # Source
///
/// J. Cohen, “A coefficient of agreement for nominal scales”, 1960.
fn kappa([both, first, second, none]: [usize; 4]) -> Option<f64> {
    let total = (both + first + second + none) as f64;
    let observed = (both + none) as f64 / total;
    let yes = ((both + first) as f64 / total) * ((both + second) as f64 / total);
    let no = ((second + none) as f64 / total) * ((first + none) as f64 / total);
    let expected = yes + no;
    (total > 0.0 && expected < 1.0).then(|| (observed - expected) / (1.0 - expected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::annotation::Annotation;

    #[test]
    fn kappa_is_that_of_the_textbook() {
        // Observed .70; expected .5 · .6 + .5 · .4 = .50.
        let found = kappa([20, 5, 10, 15]).unwrap();
        assert!((found - 0.4).abs() < 1e-12, "{found}");
        assert_eq!(kappa([0, 0, 0, 0]), None);
        assert_eq!(kappa([0, 0, 0, 9]), None, "both said no to everything");
        assert_eq!(kappa([2, 0, 0, 9]), Some(1.0));
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
            offered.chosen(&page, &annotation.on(&page).unwrap())
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
