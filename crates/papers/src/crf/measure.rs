//! How much of a page's text is right, by BLEU-4 and ROUGE-2.

use super::pages::CrfPage;
use crate::block_crf::{JudgedBlocks, Thresholds};
use crate::ngrams::ReferenceText;
use std::collections::BTreeMap;

/// The measures of a page, or means over pages (Fujita et al., section 4.3).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct PageOverlap {
    /// BLEU-4 with a brevity penalty of 1: the correctness of the kept text; in [0, 1].
    pub(crate) bleu: f64,
    /// ROUGE-2: how much of the content is kept; in [0, 1].
    pub(crate) rouge: f64,
}

impl PageOverlap {
    pub(crate) fn of(text: &str, reference: &ReferenceText<'_>) -> PageOverlap {
        let overlap = reference.overlap(text);
        PageOverlap { bleu: overlap.bleu_4(), rouge: overlap.rouge_2() }
    }
}

/// Means over pages; 0 without any.
pub(super) fn mean_of(pages: impl Iterator<Item = PageOverlap>) -> PageOverlap {
    let (mut count, mut sum) = (0_u32, PageOverlap::default());
    for page in pages {
        count += 1;
        sum = PageOverlap { bleu: sum.bleu + page.bleu, rouge: sum.rouge + page.rouge };
    }
    let count = f64::from(count.max(1));
    PageOverlap { bleu: sum.bleu / count, rouge: sum.rouge / count }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Overlaps {
    pub(crate) first: PageOverlap,
    /// Of the second judgement, by each pair of [`Thresholds::grid`].
    pub(crate) second: Vec<PageOverlap>,
    /// By pair: whether the second judgement keeps other texts than the first.
    pub(crate) differs: Vec<bool>,
}

/// Measures the judgements of a page. Pairs of thresholds that lead to the same texts are measured once.
pub(super) fn overlaps(page: &CrfPage, judged: &JudgedBlocks) -> Overlaps {
    let reference = ReferenceText::new(&page.reference);
    // What parents are matters for no text that is kept.
    let texts = judged.tree.sequence(true);
    let of_texts = |labels: &[bool]| -> Vec<bool> { texts.iter().map(|at| labels[*at]).collect() };
    let mut seen: BTreeMap<Vec<bool>, PageOverlap> = BTreeMap::new();
    let mut measure = |labels: &[bool]| {
        let of_kept = || PageOverlap::of(&judged.kept(&page.page, labels).text(&page.page), &reference);
        *seen.entry(of_texts(labels)).or_insert_with(of_kept)
    };
    let first = measure(&judged.baseline());
    let kept_first = of_texts(&judged.first);
    let (mut second, mut differs) = (Vec::new(), Vec::new());
    for pair in Thresholds::grid() {
        let labels = judged.second(pair);
        second.push(measure(&labels));
        differs.push(of_texts(&labels) != kept_first);
    }
    Overlaps { first, second, differs }
}

/// The pair of thresholds with the greatest mean ROUGE-2 over pages, of those whose mean BLEU-4 is not below that of the first
/// judgement; if all harm it, the pair that harms it least. Pairs whose lower threshold is above the upper are passed over;
/// of equal ones that which changes least is taken (the greatest upper, then the smallest lower). With the means of the
/// first judgement, and of the second with that pair.
pub(super) fn best_pair<'a>(
    pages: &(impl Iterator<Item = &'a Overlaps> + Clone),
) -> (Thresholds, [PageOverlap; 2]) {
    let first = mean_of(pages.clone().map(|page| page.first));
    let mut best: Option<(Thresholds, PageOverlap)> = None;
    for (at, pair) in Thresholds::grid().enumerate().filter(|(_, pair)| pair.lower <= pair.upper) {
        let second = mean_of(pages.clone().map(|page| page.second[at]));
        let worth = |pair: &Thresholds, second: &PageOverlap| {
            let harm = (first.bleu - second.bleu).max(0.0);
            (-harm, if harm > 0.0 { 0.0 } else { second.rouge }, pair.upper, -pair.lower)
        };
        if best.as_ref().is_none_or(|(other, best)| worth(&pair, &second) > worth(other, best)) {
            best = Some((pair, second));
        }
    }
    let (pair, second) = best.unwrap_or((Thresholds::PUBLISHED, first));
    (pair, [first, second])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page whose measures are those of the first judgement, but with some pairs.
    fn page(first: [f64; 2], others: &[(usize, [f64; 2])]) -> Overlaps {
        let overlap = |[bleu, rouge]: [f64; 2]| PageOverlap { bleu, rouge };
        let mut second = vec![overlap(first); Thresholds::grid().count()];
        for (at, measures) in others {
            second[*at] = overlap(*measures);
        }
        let differs = second.iter().map(|one| *one != overlap(first)).collect();
        Overlaps { first: overlap(first), second, differs }
    }

    fn pair(at: usize) -> Thresholds {
        Thresholds::grid().nth(at).unwrap()
    }

    #[test]
    fn the_best_pair_harms_no_precision() {
        let pages = [
            page([0.5, 0.5], &[(30, [0.4, 1.0]), (40, [0.5, 0.7]), (50, [0.6, 0.6])]),
            page([0.5, 0.5], &[(30, [0.5, 1.0]), (40, [0.5, 0.8]), (50, [0.6, 0.6])]),
        ];
        let (best, [first, second]) = best_pair(&pages.iter());
        assert_eq!((best, first, second.rouge), (pair(40), PageOverlap { bleu: 0.5, rouge: 0.5 }, 0.75));
        // If all pairs harm it: the least harmful.
        let mut harmed = page([0.5, 0.5], &[]);
        for (at, second) in harmed.second.iter_mut().enumerate() {
            *second = PageOverlap { bleu: if at == 20 || at == 26 { 0.4 } else { 0.3 }, rouge: 0.9 };
        }
        // The other one, 0.3 / 0.9, has its lower threshold above the upper.
        assert_eq!(best_pair(&[&harmed].into_iter()).0, pair(20));
        // If all are equal, the smallest change.
        let mildest = Thresholds { upper: 0.9, lower: 0.1 };
        assert_eq!(best_pair(&[page([0.5, 0.5], &[])].iter()).0, mildest);
        assert_eq!(best_pair(&[].into_iter()).1, [PageOverlap::default(); 2]);
    }
}
