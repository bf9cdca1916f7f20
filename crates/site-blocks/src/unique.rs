//! Content as the blocks that no other page has.

use crate::block::{Block, blocks};
use crate::twins::twins;
use crate::vector::{Feature, Vector, dot, is_close, is_negligible, length_squared};
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::Page;

/// What goes beyond the method as it was measured; nothing by default.
///
/// # Source
///
/// Yoshida & Yamamoto (2009), section 4.3, proposes both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extensions {
    /// Do not compare the blocks of near-duplicate pages with each other.
    ///
    /// One article at two addresses would otherwise hide itself. Two pages are near-duplicates if they share
    /// more than half of their texts, weighted by length times the number of pages that lack them; in a set
    /// of two pages none are.
    pub skip_twins: bool,
    /// Give every page that has text or an image at least one block that has.
    ///
    /// For a page whose unique blocks are all blank, or that has none, blocks with text or an image may
    /// occur on one other page, on two, and so on, until there is at least one.
    pub at_least_one: bool,
}

/// Returns, for each page, its blocks that are the same as no block of any other page.
///
/// # Shape
///
/// One list per page, in the order of `pages`; blocks in the order in which they begin.
///
/// # Determinism
///
/// Comparisons are exact, so the order of pages decides nothing but the order of lists.
///
/// # Cost
///
/// Far less than the product of all blocks: equal blocks are compared once, and two blocks only where they
/// share one of their rarer features, without which their cosine cannot exceed 0.9.
///
/// # Source
///
/// Yoshida & Yamamoto (2009), section 3.7.
///
/// CHOICE: a block that stands twice on one page, and on no other, is unique. The paper says both “on no
/// other page” (3.2, step 4) and “once in the set”; the authors' program compares with other pages only.
///
/// # Examples
///
/// ```
/// use tsugi_page::Page;
/// let page = |html: &str| Page::from_text(html, &"https://a.test/".parse().unwrap());
/// let (one, two) = (page("<h1>A</h1><p>same</p><p>new</p>"), page("<p>Same</p><h1>A</h1>"));
/// let unique = tsugi_site_blocks::unique_blocks(&[&one, &two]);
/// assert_eq!(unique[0].iter().map(|block| block.text(&one)).collect::<Vec<_>>(), ["new"]);
/// assert!(unique[1].is_empty());
/// ```
pub fn unique_blocks(pages: &[&Page]) -> Vec<Vec<Block>> {
    unique_blocks_extended(pages, Extensions::default())
}

/// Returns, for each page, its unique blocks, found with [`Extensions`].
pub fn unique_blocks_extended(pages: &[&Page], extensions: Extensions) -> Vec<Vec<Block>> {
    let mut pages: Vec<Vec<Block>> = pages.iter().map(|page| blocks(page)).collect();
    let twins = if extensions.skip_twins { twins(&pages) } else { vec![BTreeSet::new(); pages.len()] };
    let kept: Vec<Vec<bool>> = {
        let (index, places) = Index::new(&pages);
        let mut search =
            Search { index: &index, twins: &twins, seen: vec![0; index.vectors.len()], round: 0 };
        let page_numbers = 0..pages.len();
        page_numbers
            .map(|page| {
                let mut unique: Vec<bool> =
                    places[page].iter().map(|vector| !search.is_elsewhere(*vector, page)).collect();
                if extensions.at_least_one {
                    search.keep_least_common(&pages[page], &places[page], page, &mut unique);
                }
                unique
            })
            .collect()
    };
    for (blocks, kept) in pages.iter_mut().zip(kept) {
        let mut kept = kept.into_iter();
        blocks.retain(|_| kept.next() == Some(true));
    }
    pages
}

/// A vector whose features are numbers, rare ones low, and the pages where it occurs.
#[derive(Debug)]
struct Entry {
    terms: Vec<(usize, u32)>,
    length_squared: u64,
    /// How many of `terms`, from the rarest, must be looked up to find all that is close.
    prefix: usize,
    /// Sorted.
    pages: Vec<usize>,
}

/// All distinct vectors of a set of pages, to be found by their rarer features.
///
/// If two vectors are close, their rarest common feature is in the prefix of each: were it beyond the prefix
/// of one, all that they share would be a part of that one which [`is_negligible`].
#[derive(Debug)]
struct Index {
    vectors: Vec<Entry>,
    /// For each feature, the vectors that have it in their prefix.
    postings: Vec<Vec<usize>>,
}

impl Index {
    /// Also returns, for each page and block, the place of its vector.
    fn new(pages: &[Vec<Block>]) -> (Index, Vec<Vec<usize>>) {
        let mut distinct: BTreeMap<&Vector, usize> = BTreeMap::new();
        let mut holders: Vec<Vec<usize>> = Vec::new();
        let mut places = Vec::with_capacity(pages.len());
        for (page, blocks) in pages.iter().enumerate() {
            let mut places_on_page = Vec::with_capacity(blocks.len());
            for block in blocks {
                let place = *distinct.entry(block.vector()).or_insert(holders.len());
                if place == holders.len() {
                    holders.push(Vec::new());
                }
                if holders[place].last() != Some(&page) {
                    holders[place].push(page);
                }
                places_on_page.push(place);
            }
            places.push(places_on_page);
        }
        let mut by_place: Vec<(usize, &Vector)> =
            distinct.into_iter().map(|(vector, place)| (place, vector)).collect();
        by_place.sort_unstable_by_key(|(place, _)| *place);
        let numbers = number_by_rarity(by_place.iter().map(|(_, vector)| *vector));
        let mut postings = vec![Vec::new(); numbers.len()];
        let mut vectors = Vec::with_capacity(by_place.len());
        for ((place, vector), pages) in by_place.into_iter().zip(holders) {
            let counts = vector.counts().iter();
            let mut terms: Vec<(usize, u32)> =
                counts.map(|(feature, count)| (numbers[feature], *count)).collect();
            terms.sort_unstable();
            let length_squared = length_squared(&terms);
            let prefix = prefix_of(&terms, length_squared);
            for (term, _) in &terms[..prefix] {
                postings[*term].push(place);
            }
            vectors.push(Entry { terms, length_squared, prefix, pages });
        }
        (Index { vectors, postings }, places)
    }
}

/// Numbers all features, those that fewer vectors have first.
fn number_by_rarity<'a>(vectors: impl Iterator<Item = &'a Vector>) -> BTreeMap<&'a Feature, usize> {
    let mut frequencies: BTreeMap<&Feature, usize> = BTreeMap::new();
    for (feature, _) in vectors.flat_map(Vector::counts) {
        *frequencies.entry(feature).or_default() += 1;
    }
    let mut order: Vec<(usize, &Feature)> =
        frequencies.into_iter().map(|(feature, frequency)| (frequency, feature)).collect();
    order.sort_unstable();
    order.into_iter().enumerate().map(|(number, (_, feature))| (feature, number)).collect()
}

/// Returns the least number of terms after which the rest of the vector is negligible.
fn prefix_of(terms: &[(usize, u32)], whole: u64) -> usize {
    let mut rest = 0;
    let from_the_end = terms.iter().rev().take_while(|(_, count)| {
        rest += u64::from(*count).pow(2);
        is_negligible(rest, whole)
    });
    terms.len() - from_the_end.count()
}

/// Looks blocks up on other pages.
#[derive(Debug)]
struct Search<'a> {
    index: &'a Index,
    twins: &'a [BTreeSet<usize>],
    /// The round in which a vector was last looked at.
    seen: Vec<usize>,
    round: usize,
}

impl Search<'_> {
    /// Says whether a block of this page with this vector is the same as one of another page.
    fn is_elsewhere(&mut self, vector: usize, page: usize) -> bool {
        self.visit_same(vector, page, |_| true)
    }

    /// Returns the number of other pages that have the same block.
    fn pages_elsewhere(&mut self, vector: usize, page: usize) -> usize {
        let mut others: BTreeSet<usize> = BTreeSet::new();
        let twins = &self.twins[page];
        self.visit_same(vector, page, |entry| {
            others.extend(entry.pages.iter().filter(|other| is_other(**other, page, twins)));
            false
        });
        others.len()
    }

    /// Visits the vectors, the given one included, that are close to it and occur on other pages, until
    /// `done`; returns whether it was.
    fn visit_same(&mut self, vector: usize, page: usize, mut done: impl FnMut(&Entry) -> bool) -> bool {
        let Index { vectors, postings } = self.index;
        let twins = &self.twins[page];
        let own = &vectors[vector];
        let occurs_elsewhere = |entry: &Entry| entry.pages.iter().any(|other| is_other(*other, page, twins));
        self.round += 1;
        self.seen[vector] = self.round;
        if occurs_elsewhere(own) && done(own) {
            return true;
        }
        for (term, _) in &own.terms[..own.prefix] {
            for place in &postings[*term] {
                if std::mem::replace(&mut self.seen[*place], self.round) == self.round {
                    continue;
                }
                let entry = &vectors[*place];
                if occurs_elsewhere(entry)
                    && is_close(dot(&own.terms, &entry.terms), own.length_squared, entry.length_squared)
                    && done(entry)
                {
                    return true;
                }
            }
        }
        false
    }

    /// Keeps those blocks with text or an image that the fewest other pages have, if none is kept yet.
    fn keep_least_common(&mut self, blocks: &[Block], places: &[usize], page: usize, kept: &mut [bool]) {
        let showing: Vec<usize> = (0..blocks.len()).filter(|block| !blocks[*block].is_blank()).collect();
        if showing.iter().any(|block| kept[*block]) {
            return;
        }
        let others: Vec<usize> =
            showing.iter().map(|block| self.pages_elsewhere(places[*block], page)).collect();
        let fewest = others.iter().min();
        for (block, others) in showing.into_iter().zip(&others) {
            kept[block] = Some(others) == fewest;
        }
    }
}

fn is_other(other: usize, page: usize, twins: &BTreeSet<usize>) -> bool {
    other != page && !twins.contains(&other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::same_block;

    fn page(html: &str) -> Page {
        Page::from_text(html, &"https://a.test/".parse().unwrap())
    }

    fn texts(htmls: &[&str], extensions: Extensions) -> Vec<Vec<String>> {
        let pages: Vec<Page> = htmls.iter().map(|html| page(html)).collect();
        let pages: Vec<&Page> = pages.iter().collect();
        let unique = unique_blocks_extended(&pages, extensions);
        let text = |(page, blocks): (&&Page, &Vec<Block>)| blocks.iter().map(|b| b.text(page)).collect();
        pages.iter().zip(&unique).map(text).collect()
    }

    const PLAIN: Extensions = Extensions { skip_twins: false, at_least_one: false };
    const AT_LEAST_ONE: Extensions = Extensions { skip_twins: false, at_least_one: true };
    const SKIP_TWINS: Extensions = Extensions { skip_twins: true, at_least_one: false };

    /// The definition, word for word.
    fn naive(pages: &[&Page], skip_twins: bool) -> Vec<Vec<Block>> {
        let all: Vec<Vec<Block>> = pages.iter().map(|page| blocks(page)).collect();
        let twins = twins(&all);
        let is_unique = |page: usize, block: &Block| {
            let is_other = |other| other != page && !(skip_twins && twins[page].contains(&other));
            let others = all.iter().enumerate().filter(|(other, _)| is_other(*other));
            !others.flat_map(|(_, blocks)| blocks).any(|other| same_block(block, other))
        };
        let unique = |(page, blocks): (usize, &Vec<Block>)| {
            blocks.iter().filter(|block| is_unique(page, block)).cloned().collect()
        };
        all.iter().enumerate().map(unique).collect()
    }

    #[test]
    fn blocks_of_one_page_only_are_kept() {
        let unique = texts(&["<p>menu<p>one<p>date", "<p>menu<p>two<p>date", "<p>three<p>menu"], PLAIN);
        assert_eq!(unique, [["one"], ["two"], ["three"]]);
    }

    #[test]
    fn small_differences_do_not_make_a_block_unique() {
        // `ul`, 5 × `li`, 5 texts: length² 1 + 25 + 5 = 31. One text differs: 30 / 31 = 0.968. All differ:
        // 26 / 31 = 0.839.
        let list = |last: &str| format!("<ul><li>a<li>b<li>c<li>d<li>{last}</ul>");
        assert_eq!(texts(&[&list("e"), &list("f")], PLAIN), [[""; 0]; 2]);
        let other = "<ul><li>1<li>2<li>3<li>4<li>5</ul>";
        assert_eq!(texts(&[&list("e"), other], PLAIN), [["a\nb\nc\nd\ne"], ["1\n2\n3\n4\n5"]]);
    }

    #[test]
    fn a_block_that_stands_twice_on_one_page_is_unique() {
        assert_eq!(texts(&["<p>a<p>a<p>b", "<p>b"], PLAIN), [vec!["a", "a"], vec![]]);
    }

    #[test]
    fn edge_cases_have_answers() {
        assert!(unique_blocks(&[]).is_empty());
        assert_eq!(texts(&["<p>a<p>b"], PLAIN), [["", "a", "b"]], "alone, all is unique: `body` too");
        assert_eq!(texts(&["<p>a", "<p>a"], PLAIN), [[""; 0]; 2]);
        assert_eq!(texts(&["", ""], PLAIN), [[""; 0]; 2]);
        assert_eq!(texts(&["", "<p>a"], PLAIN), [vec![], vec!["a"]]);
        let deep = "<div>".repeat(20_000);
        let unique = texts(&[&(deep.clone() + "x"), &(deep + "y")], PLAIN);
        assert_eq!(unique, [["x"], ["y"]]);
    }

    #[test]
    fn at_least_one_takes_what_the_fewest_others_have() {
        // Page 0 has nothing of its own: `menu` stands on 3 other pages, `shared` on 1.
        let set = ["<p>menu<p>shared", "<p>menu<p>shared<p>own", "<p>menu<p>c", "<p>menu<p>d"];
        assert_eq!(texts(&set, PLAIN)[0], [""; 0]);
        assert_eq!(texts(&set, AT_LEAST_ONE), [["shared"], ["own"], ["c"], ["d"]]);
        assert_eq!(texts(&["<p>a", "<p>a"], AT_LEAST_ONE), [["a"], ["a"]], "no blank `body`");
        assert_eq!(texts(&["", ""], AT_LEAST_ONE), [[""; 0]; 2], "nothing to show");
        assert_eq!(texts(&["<hr><p>a", "<p>a"], AT_LEAST_ONE)[0], ["", "a"], "a blank block is not enough");
    }

    #[test]
    fn twins_do_not_hide_their_article() {
        let article = "<p>Snow fell in June, and nobody had a shovel.<p>It was gone by noon.";
        let (one, two) = (format!("<p>menu<p>sport{article}"), format!("<p>menu{article}<p>ski"));
        let set = [one.as_str(), &two, "<p>menu<p>The bridge is open again.", "<p>menu<p>ski<p>sport"];
        assert_eq!(texts(&set, PLAIN)[..2], [[""; 0]; 2]);
        let expected = ["Snow fell in June, and nobody had a shovel.", "It was gone by noon."];
        assert_eq!(texts(&set, SKIP_TWINS)[..2], [expected, expected]);
        assert_eq!(texts(&set, SKIP_TWINS)[2..], texts(&set, PLAIN)[2..]);
    }

    #[test]
    fn rare_features_come_first_and_the_rest_is_negligible() {
        // Length² 1 + 1 + 9 = 11, 0.81 of it 8.91: the last term (9) is too much to leave out.
        assert_eq!(prefix_of(&[(0, 1), (1, 1), (2, 3)], 11), 3);
        // 2 of 11 may go, the 9 may not.
        assert_eq!(prefix_of(&[(0, 3), (1, 1), (2, 1)], 11), 1);
        assert_eq!(prefix_of(&[(7, 1)], 1), 1);
    }

    const MARKUP: &str = "(<p>|<div>|</div>|<ul>|</ul>|<li>|<b>|</b>|<br>|<hr>|<table><td>|</table>|a|b|c|\n|<img alt=a>|<i title=b>){0,30}";

    proptest::proptest! {
        #[test]
        fn the_index_finds_what_comparing_all_pairs_finds(
            htmls in proptest::collection::vec(MARKUP, 0..5)
        ) {
            let pages: Vec<Page> = htmls.iter().map(|html| page(html)).collect();
            let pages: Vec<&Page> = pages.iter().collect();
            proptest::prop_assert_eq!(unique_blocks(&pages), naive(&pages, false));
            proptest::prop_assert_eq!(unique_blocks_extended(&pages, SKIP_TWINS), naive(&pages, true));
        }

        #[test]
        fn at_least_one_adds_and_never_takes_away(
            htmls in proptest::collection::vec(MARKUP, 0..5)
        ) {
            let pages: Vec<Page> = htmls.iter().map(|html| page(html)).collect();
            let pages: Vec<&Page> = pages.iter().collect();
            let extended = unique_blocks_extended(&pages, AT_LEAST_ONE);
            for ((plain, extended), page) in unique_blocks(&pages).iter().zip(&extended).zip(&pages) {
                proptest::prop_assert!(plain.iter().all(|block| extended.contains(block)));
                let shows = blocks(page).iter().any(|block| !block.is_blank());
                proptest::prop_assert_eq!(extended.iter().any(|block| !block.is_blank()), shows);
            }
        }
    }
}
