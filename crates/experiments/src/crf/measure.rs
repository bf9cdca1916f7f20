//! How much of a page's text is right, by BLEU-4 and ROUGE-2.

use super::pages::CrfPage;
use std::collections::BTreeMap;
use tsugi_learning::ReferenceText;
use tsugi_page::Page;
use tsugi_site_blocks::{Judged, Kept, Thresholds};

/// The measures of a page, or means over pages.
///
/// # Source
///
/// Fujita et al., section 4.3.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct PageOverlap {
    /// BLEU-4 with a brevity penalty of 1: how much of what is kept is content; in [0, 1].
    pub bleu: f64,
    /// ROUGE-2: how much of the content is kept; in [0, 1].
    pub rouge: f64,
}

impl PageOverlap {
    /// Measures what is kept of a page.
    pub fn of(page: &Page, kept: &Kept, reference: &ReferenceText<'_>) -> PageOverlap {
        let overlap = reference.overlap(reference.tokens(&kept.text(page)));
        PageOverlap { bleu: overlap.bleu_4(), rouge: overlap.rouge_2() }
    }
}

/// Means over pages; 0 without any.
pub fn mean_of(pages: &[PageOverlap]) -> PageOverlap {
    let count = pages.len().max(1) as f64;
    let mean = |of: fn(&PageOverlap) -> f64| pages.iter().map(of).sum::<f64>() / count;
    PageOverlap { bleu: mean(|page| page.bleu), rouge: mean(|page| page.rouge) }
}

/// The measures of a page's judgements.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Overlaps {
    /// Of the first judgement.
    pub(super) first: PageOverlap,
    /// Of the second judgement by each pair of thresholds.
    pub(super) second: Vec<PageOverlap>,
    /// By pair: whether the second judgement keeps other texts than the first.
    pub(super) differs: Vec<bool>,
}

/// Measures the judgements of a page by some pairs of thresholds. Pairs that lead to the same texts are measured once.
pub(super) fn overlaps(page: &CrfPage, judged: &Judged, pairs: &[Thresholds]) -> Overlaps {
    let reference = ReferenceText::new(&page.reference);
    // What parents are matters for nothing that is kept.
    let texts = judged.tree.sequence(true);
    let of_texts = |labels: &[bool]| -> Vec<bool> { texts.iter().map(|at| labels[*at]).collect() };
    let mut seen: BTreeMap<Vec<bool>, PageOverlap> = BTreeMap::new();
    let mut measure = |labels: &[bool]| {
        let of_kept = || PageOverlap::of(&page.page, &judged.kept(&page.page, labels), &reference);
        *seen.entry(of_texts(labels)).or_insert_with(of_kept)
    };
    let first = measure(&judged.first);
    let kept_first = of_texts(&judged.first);
    let (mut second, mut differs) = (Vec::with_capacity(pairs.len()), Vec::with_capacity(pairs.len()));
    for pair in pairs {
        let labels = judged.second(*pair);
        second.push(measure(&labels));
        differs.push(of_texts(&labels) != kept_first);
    }
    Overlaps { first, second, differs }
}
