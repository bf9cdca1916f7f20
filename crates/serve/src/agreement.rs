//! How far people agree: precision, recall, F and perfect matching of content, and Cohen's kappa of next links.

use crate::annotation::Named;
use serde::Serialize;
use std::collections::BTreeSet;
use tsugi::{NodeId, Page, Tsugi, Url};
use tsugi_page::address;

/// What one person says about a page, as sets that can be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    /// The text blocks that are content.
    blocks: BTreeSet<NodeId>,
    next: Option<String>,
}

/// What a page offers: its text blocks, and the pages that its links lead to.
#[derive(Debug)]
pub(crate) struct Offered {
    blocks: Vec<NodeId>,
    links: BTreeSet<String>,
}

impl Offered {
    pub(crate) fn of(page: &Page, tsugi: &Tsugi) -> Offered {
        let blocks = tsugi.look(page).explain(usize::MAX).blocks;
        let leads = |node: NodeId| Some(key(&page.resolve(page.attribute(node, "href")?)?));
        Offered {
            blocks: blocks.into_iter().map(|block| block.node).collect(),
            links: page.elements().filter(|node| page.is(*node, "a")).filter_map(leads).collect(),
        }
    }

    /// Returns what a person says, in terms of what is offered.
    pub(crate) fn said(&self, page: &Page, named: &Named) -> Said {
        let is_in = |nodes: &[NodeId], block: NodeId| nodes.iter().any(|node| page.contains(*node, block));
        let is_content = |block: &&NodeId| is_in(&named.content, **block) && !is_in(&named.without, **block);
        Said {
            blocks: self.blocks.iter().filter(is_content).copied().collect(),
            next: named.next.as_ref().map(|(_, url)| key(url)),
        }
    }
}

fn key(url: &Url) -> String {
    address::page_key(url)
}

/// Counts agreements of two people over pages. The second one's answers count as right.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pages: usize,
    perfect: usize,
    both: usize,
    first: usize,
    second: usize,
    /// Links: chosen by both, by the first alone, by the second alone, by nobody.
    links: [usize; 4],
    same_next: usize,
}

/// How far one person agrees with another.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Agreement {
    pub(crate) pages: usize,
    /// Of the text blocks that the person took, the share that the other one took, too.
    pub(crate) precision: Option<f64>,
    pub(crate) recall: Option<f64>,
    pub(crate) f: Option<f64>,
    /// The share of pages with the very same blocks.
    pub(crate) perfect: Option<f64>,
    /// The share of pages with the same next page, or none.
    pub(crate) same_next: Option<f64>,
    /// Cohen's kappa over all links of all pages; `None` if chance alone explains everything.
    pub(crate) kappa: Option<f64>,
}

impl Tally {
    pub(crate) fn add(&mut self, offered: &Offered, first: &Said, second: &Said) {
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

    pub(crate) fn result(&self) -> Agreement {
        let share = |part: usize, whole: usize| (whole > 0).then(|| part as f64 / whole as f64);
        Agreement {
            pages: self.pages,
            precision: share(self.both, self.first),
            recall: share(self.both, self.second),
            f: share(2 * self.both, self.first + self.second),
            perfect: share(self.perfect, self.pages),
            same_next: share(self.same_next, self.pages),
            kappa: kappa(self.links),
        }
    }
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
    use crate::annotation::Annotation;

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
            offered.said(&page, &annotation.on(&page).unwrap())
        };
        let (one, both) = (said("main[1]/p[1]", Some("a[1]")), said("main[1]", Some("a[2]")));
        let mut tally = Tally::default();
        tally.add(&offered, &one, &both);
        let agreement = tally.result();
        // One of one taken block is right, one of two right ones is taken.
        assert_eq!((agreement.precision, agreement.recall), (Some(1.0), Some(0.5)));
        assert_eq!((agreement.perfect, agreement.same_next), (Some(0.0), Some(0.0)));
        let mut same = Tally::default();
        same.add(&offered, &one, &one);
        let agreement = same.result();
        assert_eq!((agreement.f, agreement.perfect, agreement.kappa), (Some(1.0), Some(1.0), Some(1.0)));
    }
}
