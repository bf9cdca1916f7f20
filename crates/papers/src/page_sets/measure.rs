//! Measures kept blocks, characters and text by labels.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use tsugi_learning::{Confusion, Interval, bootstrap_interval, bootstrap_of_sums};
use tsugi_page::{Content, Evidence, NodeId, Page};
use tsugi_site_blocks::{BlockShare, Kept};
use tsugi_training::label::PageLabel;
use tsugi_training::verdict::TextVerdict;

#[derive(Clone, Copy, Default)]
struct PageSum(f64, u32);

impl AddAssign for PageSum {
    fn add_assign(&mut self, other: PageSum) {
        *self = PageSum(self.0 + other.0, self.1 + other.1);
    }
}

/// The mean of a figure over pages, each given with its group of sites, with its interval over groups; `None` without pages.
pub(crate) fn mean_over_groups(pages: impl IntoIterator<Item = (usize, f64)>) -> Option<Interval> {
    let mut groups: BTreeMap<usize, PageSum> = BTreeMap::new();
    for (group, figure) in pages {
        *groups.entry(group).or_default() += PageSum(figure, 1);
    }
    let groups: Vec<PageSum> = groups.into_values().collect();
    bootstrap_of_sums(&groups, |PageSum(sum, count)| sum / f64::from((*count).max(1)))
}

/// The content of a page by its label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gold {
    kept: Kept,
    /// By block that shows something, in the order in which they begin: whether it is content.
    blocks: Vec<bool>,
}

impl Gold {
    /// Reads the label of a page; `None` if the content nodes are not labelled.
    ///
    /// # Errors
    ///
    /// The mistake in the label: an unusable expression, or an empty selection.
    pub(crate) fn of(page: &Page, label: &PageLabel) -> Result<Option<Gold>, String> {
        if !label.knows_content() {
            return Ok(None);
        }
        Ok(Some(Gold::of_nodes(page, label.some_content_nodes(page)?)))
    }

    pub(crate) fn blocks(&self) -> &[bool] {
        &self.blocks
    }

    fn of_nodes(page: &Page, nodes: Vec<NodeId>) -> Gold {
        let content = Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Markup };
        let kept = Kept::of_content(page, &content);
        let blocks = kept.shares(page).into_iter().map(BlockShare::is_kept).collect();
        Gold { kept, blocks }
    }
}

/// The part of a page that a method keeps, measured.
///
/// Blocks are those that show a text or an image; the paper's counts may include blank ones. A block counts as kept, and as
/// content by the label, if more than half of the characters that it holds itself are ([`BlockShare::is_kept`]), since
/// methods and labels may cut blocks. Characters are those of texts.
///
/// # Source
///
/// Blocks: Yoshida & Yamamoto (2009), section 4.1. Characters: Kurishima et al., section 4.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct KeptVerdict {
    pub(crate) blocks: Confusion,
    pub(crate) characters: Confusion,
    /// F over tokens of the text; `None` if the text is not known.
    pub(crate) text_f: Option<f64>,
}

impl KeptVerdict {
    /// Measures the kept part of a page.
    pub(crate) fn of(page: &Page, label: &PageLabel, gold: &Gold, kept: &Kept) -> KeptVerdict {
        let mut blocks = Confusion::default();
        for (share, is_content) in kept.shares(page).into_iter().zip(&gold.blocks) {
            blocks.add(share.is_kept(), *is_content);
        }
        let common = kept.common_characters(&gold.kept, page);
        let all = Kept::all(page).characters(page);
        let (of_method, of_label) = (kept.characters(page), gold.kept.characters(page));
        KeptVerdict {
            blocks,
            characters: Confusion {
                true_positives: common,
                false_positives: of_method - common,
                false_negatives: of_label - common,
                true_negatives: all + common - of_method - of_label,
            },
            text_f: TextVerdict::of(label, &kept.text(page), 1.0).map(|text| text.f),
        }
    }

    pub(crate) fn is_perfect(&self) -> bool {
        self.blocks.false_positives == 0 && self.blocks.false_negatives == 0
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct KeptSums {
    blocks: Confusion,
    characters: Confusion,
    pages: u64,
    perfect: u64,
    text_f: f64,
    texts: u64,
}

impl KeptSums {
    fn add_page(&mut self, verdict: &KeptVerdict) {
        self.add(&KeptSums {
            blocks: verdict.blocks,
            characters: verdict.characters,
            pages: 1,
            perfect: u64::from(verdict.is_perfect()),
            text_f: verdict.text_f.unwrap_or_default(),
            texts: u64::from(verdict.text_f.is_some()),
        });
    }

    fn add(&mut self, other: &KeptSums) {
        self.blocks += other.blocks;
        self.characters += other.characters;
        self.pages += other.pages;
        self.perfect += other.perfect;
        self.text_f += other.text_f;
        self.texts += other.texts;
    }

    fn perfect(&self) -> f64 {
        self.perfect as f64 / self.pages.max(1) as f64
    }

    fn text_f(&self) -> f64 {
        self.text_f / self.texts.max(1) as f64
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rates {
    /// Content ÷ kept; 0 if nothing is kept.
    pub(crate) precision: Interval,
    /// Kept ÷ content; 0 without content.
    pub(crate) recall: Interval,
    /// The harmonic mean of the two, or the mean of those of the sites.
    pub(crate) f: Interval,
}

/// Figures over some pages, with intervals that cover 95 of 100 draws of sites with repetition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct KeptFigures {
    pub(crate) sites: usize,
    pub(crate) pages: u64,
    /// Over the blocks of all pages together, as Yoshida & Yamamoto (2009) give them.
    pub(crate) blocks: Rates,
    /// Means of the figures of single sites, as YIY give them.
    pub(crate) blocks_of_sites: Rates,
    /// *Perfect matching*: the share of pages with no block wrong.
    pub(crate) perfect: Interval,
    pub(crate) characters: Rates,
    /// The mean of the sites' precision over characters, their recall and F.
    pub(crate) characters_of_sites: Rates,
    /// The mean of F over tokens of the pages; `None` if no text is known.
    pub(crate) text_f: Option<Interval>,
    pub(crate) block_counts: Confusion,
}

const SEED: u64 = 1;

impl KeptFigures {
    /// Works out the figures of pages, each given with its site and the group of sites that are drawn together; `None` without
    /// pages.
    pub(crate) fn of<'a, Site: Ord>(
        pages: impl IntoIterator<Item = (Site, usize, &'a KeptVerdict)>,
    ) -> Option<KeptFigures> {
        let mut by_group: BTreeMap<usize, BTreeMap<Site, KeptSums>> = BTreeMap::new();
        for (site, group, verdict) in pages {
            by_group.entry(group).or_default().entry(site).or_default().add_page(verdict);
        }
        let groups: Vec<Vec<KeptSums>> =
            by_group.into_values().map(|sites| sites.into_values().collect()).collect();
        let mut all = KeptSums::default();
        groups.iter().flatten().for_each(|site| all.add(site));
        let pooled = |figure: Figure<'_>| {
            bootstrap_interval(groups.len(), SEED, |drawn| {
                let mut sums = KeptSums::default();
                drawn.iter().flat_map(|at| &groups[*at]).for_each(|site| sums.add(site));
                figure(&sums)
            })
        };
        let of_sites = |figure: Figure<'_>| {
            bootstrap_interval(groups.len(), SEED, |drawn| {
                let mut count = 0_u32;
                let sites = drawn.iter().flat_map(|at| &groups[*at]);
                let sum: f64 = sites.inspect(|_| count += 1).map(figure).sum();
                sum / f64::from(count)
            })
        };
        let blocks = |sums: &KeptSums| sums.blocks;
        let characters = |sums: &KeptSums| sums.characters;
        Some(KeptFigures {
            sites: groups.iter().map(Vec::len).sum(),
            pages: all.pages,
            blocks: rates(&pooled, blocks)?,
            blocks_of_sites: rates(&of_sites, blocks)?,
            perfect: pooled(&KeptSums::perfect)?,
            characters: rates(&pooled, characters)?,
            characters_of_sites: rates(&of_sites, characters)?,
            text_f: if all.texts > 0 { pooled(&KeptSums::text_f) } else { None },
            block_counts: all.blocks,
        })
    }
}

type Figure<'a> = &'a dyn Fn(&KeptSums) -> f64;

fn rates(
    interval: &dyn Fn(Figure<'_>) -> Option<Interval>,
    counts: fn(&KeptSums) -> Confusion,
) -> Option<Rates> {
    Some(Rates {
        precision: interval(&|sums| counts(sums).precision())?,
        recall: interval(&|sums| counts(sums).recall())?,
        f: interval(&|sums| counts(sums).f1())?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> Page {
        Page::from_text(html, &"https://a.test/".parse().unwrap())
    }

    fn label(expressions: &[&str], text: &str) -> PageLabel {
        PageLabel {
            content: expressions.iter().map(|expression| (*expression).to_owned()).collect(),
            labels: vec!["content".to_owned()],
            text: Some(text.to_owned()),
            ..PageLabel::default()
        }
    }

    fn confusion(verdict: Confusion) -> [u64; 4] {
        [verdict.true_positives, verdict.false_positives, verdict.false_negatives, verdict.true_negatives]
    }

    fn verdict_of(page: &Page, label: &PageLabel, tags: &[&str]) -> KeptVerdict {
        let gold = Gold::of(page, label).unwrap().unwrap();
        let kept: Vec<NodeId> = page.elements().filter(|id| tags.contains(&page.tag(*id))).collect();
        KeptVerdict::of(page, label, &gold, &Kept::of_blocks(page, &kept))
    }

    #[test]
    fn blocks_and_characters_by_hand() {
        let page =
            page("<ul><li>menu</ul><div>By A.<p>Snow fell in June.</p><p>Gone by noon.</p></div><h1> </h1>");
        let label = label(&["//div"], "By A.\nSnow fell in June.\nGone by noon.");
        // Blocks that show something: `ul` (`li` is none), `div`, two `p`; `body` and `h1` show nothing.
        let verdict = verdict_of(&page, &label, &["p", "ul", "h1"]);
        assert_eq!(confusion(verdict.blocks), [2, 1, 1, 0]);
        // 18 + 13 in both; `menu` (4) too much; `By A.` (5) missing.
        assert_eq!(confusion(verdict.characters), [31, 4, 5, 0]);
        assert!(!verdict.is_perfect());
        // Tokens: 8 of the label's 9 (`a` counts), and `menu`, which is too much: 2·7 ÷ (8 + 9).
        let gold = "by a snow fell in june gone by noon".split(' ').count();
        assert!((verdict.text_f.unwrap() - 2.0 * 7.0 / (8 + gold) as f64).abs() < 1e-12, "{verdict:?}");
        let verdict = verdict_of(&page, &label, &["p", "div"]);
        assert!(verdict.is_perfect());
        assert_eq!((confusion(verdict.blocks), verdict.text_f), ([3, 0, 0, 1], Some(1.0)));
        assert_eq!(confusion(verdict_of(&page, &label, &[]).characters), [0, 0, 36, 4]);
    }

    #[test]
    fn a_label_may_cut_a_block() {
        let page = page("<p>Posted <b>Snow fell in June.</b></p>");
        let verdict = verdict_of(&page, &label(&["//b"], "Snow fell in June."), &["p"]);
        assert!(verdict.is_perfect(), "most of the block is content");
        // The white space at the end of `Posted ` does not count.
        assert_eq!(confusion(verdict.characters), [18, 6, 0, 0]);
    }

    #[test]
    fn labels_that_say_nothing_are_told() {
        let page = page("<p>a");
        assert_eq!(Gold::of(&page, &PageLabel::default()), Ok(None));
        assert!(Gold::of(&page, &label(&["//div"], "")).unwrap_err().contains("nothing"));
        assert!(Gold::of(&page, &label(&["//p["], "")).unwrap_err().contains("//p["));
    }

    #[test]
    fn figures_are_pooled_and_averaged() {
        let counts = |both, kept, gold| Confusion {
            true_positives: both,
            false_positives: kept - both,
            false_negatives: gold - both,
            true_negatives: 0,
        };
        let verdict = |blocks, text_f| KeptVerdict { blocks, characters: counts(3, 4, 6), text_f };
        let pages = [
            ("a", 0, verdict(counts(8, 8, 8), Some(1.0))),
            ("a", 0, verdict(counts(0, 2, 0), Some(0.5))),
            ("b", 1, verdict(counts(1, 2, 4), None)),
        ];
        let figures = KeptFigures::of(pages.iter().map(|(site, group, verdict)| (*site, *group, verdict)));
        let figures = figures.unwrap();
        let near = |interval: Interval, value: f64| (interval.mean - value).abs() < 1e-12;
        // Together 9 of 12 kept, of 12; site a 8 of 10 and of 8, site b 1 of 2 and of 4.
        assert!(near(figures.blocks.precision, 9.0 / 12.0) && near(figures.blocks.recall, 9.0 / 12.0));
        assert!(near(figures.blocks_of_sites.precision, f64::midpoint(0.8, 0.5)));
        assert!(near(figures.blocks_of_sites.recall, f64::midpoint(1.0, 0.25)));
        assert!(near(figures.blocks_of_sites.f, f64::midpoint(16.0 / 18.0, 2.0 / 6.0)));
        assert!(near(figures.perfect, 1.0 / 3.0), "too much on a page without content is wrong, too");
        assert!(near(figures.characters.f, 0.6) && near(figures.characters_of_sites.f, 0.6));
        assert!(near(figures.text_f.unwrap(), 0.75));
        assert_eq!((figures.sites, figures.pages), (2, 3));
        assert!(figures.blocks.precision.low < 0.75 && figures.blocks.precision.high > 0.75);
        assert_eq!(KeptFigures::of::<&str>([]), None);
    }
}
