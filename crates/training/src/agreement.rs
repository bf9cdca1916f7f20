//! How far two labellings of the same pages agree: content in text blocks, and next links.

use crate::label::{PageLabel, url_key};
use serde::Serialize;
use std::collections::BTreeSet;
use tsugi::page::NodeId;
use tsugi::{Page, Tsugi};

/// The text blocks of a page, and the pages that its links lead to.
#[derive(Debug)]
pub struct PageOffer {
    blocks: Vec<NodeId>,
    links: BTreeSet<String>,
}

impl PageOffer {
    /// Finds the text blocks and links of a page.
    pub fn of(page: &Page, tsugi: &Tsugi) -> PageOffer {
        let links = page.elements().filter(|node| page.is(*node, "a"));
        let leads_to = |node| Some(url_key(page.resolve(page.attribute(node, "href")?)?.as_str()));
        PageOffer {
            blocks: tsugi.look(page).explain(usize::MAX).blocks.into_iter().map(|block| block.node).collect(),
            links: links.filter_map(leads_to).collect(),
        }
    }
}

/// A label in terms of the blocks and links of its page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledAnswer {
    blocks: BTreeSet<NodeId>,
    next: Option<String>,
}

impl LabelledAnswer {
    /// Finds the text blocks of a page that its label calls content.
    ///
    /// # Errors
    ///
    /// A text that says which expression of the label cannot be used, and why.
    pub fn of(offer: &PageOffer, page: &Page, label: &PageLabel) -> Result<LabelledAnswer, String> {
        let content =
            label.content_nodes(page).map_err(|(expression, error)| format!("`{expression}`: {error}"))?;
        let is_content = |block: &&NodeId| content.iter().any(|node| page.contains(*node, **block));
        Ok(LabelledAnswer {
            blocks: offer.blocks.iter().filter(is_content).copied().collect(),
            next: label.next.as_deref().map(url_key),
        })
    }
}

/// Counts of agreement over pages. The second labelling counts as right.
#[derive(Debug, Default)]
pub struct AgreementCounts {
    pages: usize,
    perfect: usize,
    same_next: usize,
    /// Text blocks that are content by both, by the first, by the second.
    both: usize,
    first: usize,
    second: usize,
    /// Links chosen by both, by the first alone, by the second alone, by neither.
    links: [usize; 4],
}

/// How far one labelling agrees with another. Shares are from 0 to 1; `None` if there is nothing to divide by.
#[derive(Debug, PartialEq, Serialize)]
pub struct LabelAgreement {
    pub(crate) pages: usize,
    /// Share of the first labelling's content blocks that are content by the second.
    pub(crate) precision: Option<f64>,
    /// Share of the second labelling's content blocks that are content by the first.
    pub(crate) recall: Option<f64>,
    /// Harmonic mean of both, over the blocks of all pages together.
    pub(crate) f: Option<f64>,
    /// Share of pages with the same content blocks.
    pub(crate) perfect: Option<f64>,
    /// Share of pages with the same next page, or none by both.
    pub(crate) same_next: Option<f64>,
    /// Cohen's kappa over all links of all pages, from -1 to 1; `None` if chance alone explains the agreement.
    pub(crate) kappa: Option<f64>,
}

impl AgreementCounts {
    /// Adds a page.
    pub fn add(&mut self, offer: &PageOffer, first: &LabelledAnswer, second: &LabelledAnswer) {
        self.pages += 1;
        self.perfect += usize::from(first.blocks == second.blocks);
        self.same_next += usize::from(first.next == second.next);
        self.both += first.blocks.intersection(&second.blocks).count();
        self.first += first.blocks.len();
        self.second += second.blocks.len();
        // A label may name a page that no link leads to.
        let links: BTreeSet<&String> = first.next.iter().chain(&second.next).chain(&offer.links).collect();
        for link in links {
            let [by_first, by_second] = [first, second].map(|answer| answer.next.as_ref() == Some(link));
            self.links[2 * usize::from(!by_first) + usize::from(!by_second)] += 1;
        }
    }

    /// Returns the figures over all pages.
    pub fn result(&self) -> LabelAgreement {
        LabelAgreement {
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

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Returns Cohen's kappa of two yes-or-no answers: (observed − expected) ÷ (1 − expected) agreement.
///
/// # Source
///
/// Cohen (1960), A coefficient of agreement for nominal scales, <https://doi.org/10.1177/001316446002000104>.
fn kappa(counts: [usize; 4]) -> Option<f64> {
    let [both, first, second, neither] = counts.map(|count| count as f64);
    let total = both + first + second + neither;
    let observed = (both + neither) / total;
    let expected =
        ((both + first) * (both + second) + (second + neither) * (first + neither)) / (total * total);
    (total > 0.0 && expected < 1.0).then(|| (observed - expected) / (1.0 - expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kappa_is_that_of_the_textbook() {
        // Observed .70; expected .5 · .6 + .5 · .4 = .50.
        assert!((kappa([20, 5, 10, 15]).unwrap() - 0.4).abs() < 1e-12);
        assert_eq!((kappa([0; 4]), kappa([0, 0, 0, 9])), (None, None), "nothing but chance");
        assert_eq!(kappa([2, 0, 0, 9]), Some(1.0));
    }

    #[test]
    fn agreement_is_counted_in_blocks_and_links() {
        let html = "<main><p>One is long enough.</p><p>Two is long enough.</p></main><a href=/2>Next</a><a href=/3>3</a>";
        let page = Page::from_text(html, &"https://a.test/1".parse().unwrap());
        let offer = PageOffer::of(&page, &Tsugi::new());
        let answer = |content: &str, next: Option<&str>| {
            let next = next.map(str::to_owned);
            let label = PageLabel { content: vec![content.to_owned()], next, ..PageLabel::default() };
            LabelledAnswer::of(&offer, &page, &label)
        };
        let one = answer("//main/p[1]", Some("https://www.a.test/2/")).unwrap();
        let both = answer("//main", Some("https://a.test/3")).unwrap();
        let mut counts = AgreementCounts::default();
        counts.add(&offer, &one, &both);
        let found = counts.result();
        // One of one block is right, one of two right ones is taken; 2 · 1 ÷ (1 + 2).
        assert_eq!((found.precision, found.recall, found.f), (Some(1.0), Some(0.5), Some(2.0 / 3.0)));
        assert_eq!((found.perfect, found.same_next), (Some(0.0), Some(0.0)));
        // Of two links each takes one: observed 0, expected .5.
        assert_eq!(found.kappa, Some(-1.0));
        counts = AgreementCounts::default();
        counts.add(&offer, &one, &one);
        let found = counts.result();
        assert_eq!((found.f, found.perfect, found.kappa), (Some(1.0), Some(1.0), Some(1.0)));
        assert!(answer("//p[", None).unwrap_err().contains("//p["));
    }
}
