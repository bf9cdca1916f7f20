//! Finds content as the blocks that no other page has.

use crate::block::{Block, block_nodes, blocks};
use crate::budget::ComparisonBudget;
use crate::kept::Kept;
use crate::near::{NearStems, Query};
use crate::set::PageSet;
use crate::twins::{TwinGroups, texts};
use std::collections::BTreeMap;
use tsugi_page::Page;

/// Extensions of the published method; all off by default.
///
/// # Source
///
/// Yoshida & Yamamoto (2009), section 4.3, proposes both, and a third: dates by a model of their own, which is
/// outside this crate, since it needs a learner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extensions {
    /// Do not compare the blocks of near-duplicate pages with each other.
    ///
    /// Otherwise, an article at two addresses would hide itself. Two pages are near-duplicates if they share more
    /// than half of their texts, weighted by length times the number of pages that lack them; a set of two pages has
    /// none.
    pub skip_twins: bool,
    /// Give every page with text or an image at least one block.
    ///
    /// If all unique blocks of a page are blank, or it has none, blocks with text or an image may occur on one other
    /// page, on two, and so on, until there is at least one. Among equally common ones, prefer those with the fewest
    /// exact copies: long tables with different words are the same by their cosine.
    pub at_least_one: bool,
}

impl Extensions {
    /// Both extensions: recommended for sites other than those measured in the paper.
    pub const BOTH: Extensions = Extensions { skip_twins: true, at_least_one: true };
}

/// Returns, for each page, the blocks that are not the same as any block of another page.
///
/// There is one list per page, in the order of `pages`, with blocks in the order in which they begin.
///
/// # Cost
///
/// That of [`PageSet::index`], which is the better choice for many pages, because it need not keep them.
///
/// # Source
///
/// Yoshida & Yamamoto (2009), section 3.7.
///
/// CHOICE: a block that occurs twice on one page and on no other is unique. The paper says both “on no other page”
/// (3.2, step 4) and “once in the set”; the authors' program compares with other pages only.
pub fn unique_blocks(pages: &[&Page]) -> Vec<Vec<Block>> {
    unique_blocks_extended(pages, Extensions::default())
}

/// Returns, for each page, its unique blocks, with [`Extensions`].
pub fn unique_blocks_extended(pages: &[&Page], extensions: Extensions) -> Vec<Vec<Block>> {
    let site = pages.iter().copied().collect::<PageSet>().index(extensions);
    let numbered = pages.iter().enumerate();
    numbered.map(|(number, page)| pick(blocks(page), site.unique(number).unwrap_or_default())).collect()
}

fn pick<T>(list: Vec<T>, places: &[usize]) -> Vec<T> {
    let mut wanted = places.iter().copied().peekable();
    let numbered = list.into_iter().enumerate();
    numbered.filter_map(|(place, item)| wanted.next_if_eq(&place).map(|_| item)).collect()
}

impl PageSet {
    /// Compares the pages, exactly. Their order matters only for which of them are near-duplicates, if
    /// [`Extensions::skip_twins`] is set.
    ///
    /// # Cost
    ///
    /// Far less than the product of all blocks: equal blocks are compared once, and others only if they share one of
    /// their rarer features, without which their cosine cannot exceed 0.9. See the evaluation for scaling figures.
    pub fn index(self, extensions: Extensions) -> SiteIndex {
        let budget = ComparisonBudget::of(self.vectors().len());
        self.index_within(extensions, budget)
    }

    fn index_within(mut self, extensions: Extensions, mut budget: ComparisonBudget) -> SiteIndex {
        let groups = if extensions.skip_twins {
            TwinGroups::of_twins(&self, &mut budget)
        } else {
            TwinGroups::alone(&self)
        };
        let holders = Holders::of(&self);
        let two_groups: Vec<[Option<u32>; 2]> = (0..self.vectors().len())
            .map(|vector| {
                let mut held = holders.pages(vector).iter().map(|page| groups.of_page(*page as usize));
                let first = held.next();
                [first, held.find(|group| Some(*group) != first)]
            })
            .collect();
        let near = NearStems::new(self.features(), self.take_vectors(), &two_groups);
        let is_alone = two_groups.iter().enumerate().map(|(vector, [first, second])| {
            // Vectors beyond the budget count as unique: nothing is removed without a reason.
            second.is_none() && near.has_close(&near.query_of(vector), *first, &mut budget) != Some(true)
        });
        let is_alone: Vec<bool> = is_alone.collect();
        let mut commonness = Commonness::new(&near, &holders, &groups);
        let unique = (0..self.len()).map(|page| {
            let vectors = self.blocks_of(page);
            let mut unique: Vec<usize> =
                (0..vectors.len()).filter(|block| is_alone[vectors[*block] as usize]).collect();
            let shows = |block: &usize| self.shown_of(page)[*block];
            if extensions.at_least_one && !unique.iter().any(shows) {
                let showing: Vec<usize> = (0..vectors.len()).filter(shows).collect();
                let group = groups.of_page(page);
                unique.extend(least(showing, |block| {
                    commonness.of_vector(vectors[*block], group, &mut budget)
                }));
                unique.sort_unstable();
            }
            unique.into_boxed_slice()
        });
        let unique = unique.collect();
        SiteIndex { unique, near, holders, groups, extensions, is_exact: budget.sufficed(), set: self }
    }
}

fn least<T: Ord + Copy>(blocks: Vec<usize>, measure: impl FnMut(&usize) -> T) -> impl Iterator<Item = usize> {
    let measured: Vec<T> = blocks.iter().map(measure).collect();
    let least = measured.iter().min().copied();
    blocks
        .into_iter()
        .zip(measured)
        .filter(move |(_, measure)| Some(*measure) == least)
        .map(|(block, _)| block)
}

/// The compared pages of a site.
#[derive(Debug)]
pub struct SiteIndex {
    set: PageSet,
    extensions: Extensions,
    near: NearStems,
    holders: Holders,
    groups: TwinGroups,
    unique: Vec<Box<[usize]>>,
    is_exact: bool,
}

impl SiteIndex {
    /// Returns the unique blocks of a page of the set, as sorted indices into [`blocks`]; `None` if the set has no
    /// such page.
    pub fn unique(&self, page: usize) -> Option<&[usize]> {
        self.unique.get(page).map(|places| &**places)
    }

    /// Keeps the unique blocks of a page of the set. Returns `None` if the set has no such page, or if `page` has too
    /// few blocks to be it.
    pub fn kept(&self, number: usize, page: &Page) -> Option<Kept> {
        let places = self.unique(number)?;
        let nodes = pick(block_nodes(page), places);
        (nodes.len() == places.len()).then(|| Kept::of_blocks(page, &nodes))
    }

    /// Keeps the blocks of a page outside the set that [`SiteIndex::unique_on`] returns.
    pub fn kept_on(&self, page: &Page) -> Kept {
        Kept::of_blocks(page, &pick(block_nodes(page), &self.unique_places_on(page)))
    }

    /// Returns the blocks of a page outside the set that are not the same as any block of the set, with the same
    /// [`Extensions`]: if the page is a near-duplicate of pages of the set, those are ignored.
    pub fn unique_on(&self, page: &Page) -> Vec<Block> {
        pick(blocks(page), &self.unique_places_on(page))
    }

    fn unique_places_on(&self, page: &Page) -> Vec<usize> {
        let (numbered, unknown) = self.set.number_outsider(page);
        let length = |feature: u32| {
            let beyond = (feature as usize).checked_sub(self.set.features());
            beyond.map_or_else(|| self.set.length(feature), |place| unknown[place])
        };
        let features = numbered.iter().flat_map(|block| &block.terms).map(|(feature, _)| *feature);
        let mut budget = ComparisonBudget::of(numbered.len());
        let group = self.groups.of_outsider(&texts(features, length), length, &mut budget);
        let queries: Vec<Query> = numbered.iter().map(|block| self.near.query(&block.terms)).collect();
        let unique = (0..queries.len())
            .filter(|block| self.near.has_close(&queries[*block], group, &mut budget) != Some(true));
        let mut unique: Vec<usize> = unique.collect();
        if self.extensions.at_least_one && !unique.iter().any(|block| numbered[*block].shows) {
            let showing = (0..numbered.len()).filter(|block| numbered[*block].shows).collect();
            let mut commonness = Commonness::new(&self.near, &self.holders, &self.groups);
            unique.extend(least(showing, |block| commonness.of_query(&queries[*block], group, &mut budget)));
            unique.sort_unstable();
        }
        unique
    }

    /// Returns `true` if all comparisons were made. A set crafted to make comparing slow hits a limit, and blocks
    /// that were not fully compared count as unique.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    #[cfg(test)]
    fn are_twins(&self, page: usize, other: usize) -> bool {
        page != other && self.groups.of_page(page) == self.groups.of_page(other)
    }
}

#[derive(Debug)]
struct Holders {
    pages: Vec<u32>,
    ends: Vec<usize>,
}

impl Holders {
    fn of(set: &PageSet) -> Holders {
        let held = (0..u32::try_from(set.len()).unwrap_or(u32::MAX))
            .flat_map(|page| set.blocks_of(page as usize).iter().map(move |vector| (*vector, page)));
        let mut held: Vec<(u32, u32)> = held.collect();
        held.sort_unstable();
        held.dedup();
        let mut ends = vec![0; set.vectors().len()];
        for (place, (vector, _)) in held.iter().enumerate() {
            ends[*vector as usize] = place + 1;
        }
        Holders { pages: held.into_iter().map(|(_, page)| page).collect(), ends }
    }

    fn pages(&self, vector: usize) -> &[u32] {
        let from = vector.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.pages[from..self.ends[vector]]
    }
}

#[derive(Debug)]
struct Commonness<'a> {
    near: &'a NearStems,
    holders: &'a Holders,
    groups: &'a TwinGroups,
    known: BTreeMap<u32, On>,
    held: usize,
    /// For each page, the last query that counted it.
    met: Vec<u32>,
    round: u32,
}

#[derive(Debug, Default)]
struct On {
    same: Vec<u32>,
    equal: Vec<u32>,
}

impl<'a> Commonness<'a> {
    /// Maximum number of pages in the cache; the rest is recomputed.
    const MOST_HELD: usize = 1 << 24;

    fn new(near: &'a NearStems, holders: &'a Holders, groups: &'a TwinGroups) -> Commonness<'a> {
        let met = vec![0; groups.pages()];
        Commonness { near, holders, groups, known: BTreeMap::new(), held: 0, met, round: 0 }
    }

    /// Returns the number of pages outside a group with a block that is the same as one with this vector, and the
    /// number of those with an equal vector.
    fn of_vector(&mut self, vector: u32, group: u32, budget: &mut ComparisonBudget) -> (usize, usize) {
        if let Some(on) = self.known.get(&vector) {
            return self.outside(on, Some(group), budget);
        }
        let on = self.pages(&self.near.query_of(vector as usize), budget);
        let counts = self.outside(&on, Some(group), budget);
        let size = on.same.len() + on.equal.len();
        if self.held + size <= Self::MOST_HELD {
            self.held += size;
            self.known.insert(vector, on);
        }
        counts
    }

    fn of_query(
        &mut self,
        query: &Query,
        group: Option<u32>,
        budget: &mut ComparisonBudget,
    ) -> (usize, usize) {
        let on = self.pages(query, budget);
        self.outside(&on, group, budget)
    }

    fn outside(&self, on: &On, group: Option<u32>, budget: &mut ComparisonBudget) -> (usize, usize) {
        // Beyond the budget, all blocks count as equally common.
        if !budget.spend(on.same.len() + on.equal.len()) {
            return (0, 0);
        }
        let [same, equal] = [&on.same, &on.equal].map(|pages| {
            pages.iter().filter(|page| Some(self.groups.of_page(**page as usize)) != group).count()
        });
        (same, equal)
    }

    fn pages(&mut self, query: &Query, budget: &mut ComparisonBudget) -> On {
        let (mut vectors, mut equal) = (Vec::new(), Vec::new());
        self.near.each_close(query, budget, |vector, is_equal| {
            vectors.push(vector);
            if is_equal {
                equal = self.holders.pages(vector).to_vec();
            }
        });
        vectors.sort_unstable();
        vectors.dedup();
        self.round += 1;
        let mut same = Vec::new();
        for vector in vectors {
            let pages = self.holders.pages(vector);
            if !budget.spend(pages.len()) {
                break;
            }
            for page in pages {
                if std::mem::replace(&mut self.met[*page as usize], self.round) != self.round {
                    same.push(*page);
                }
            }
        }
        same.sort_unstable();
        same.shrink_to_fit();
        On { same, equal }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::same_block;
    use crate::samples::{page, pages};

    fn texts(htmls: &[&str], extensions: Extensions) -> Vec<Vec<String>> {
        let pages = pages(htmls);
        let pages: Vec<&Page> = pages.iter().collect();
        let unique = unique_blocks_extended(&pages, extensions);
        let text = |(page, blocks): (&&Page, &Vec<Block>)| blocks.iter().map(|b| b.text(page)).collect();
        pages.iter().zip(&unique).map(text).collect()
    }

    const PLAIN: Extensions = Extensions { skip_twins: false, at_least_one: false };
    const AT_LEAST_ONE: Extensions = Extensions { skip_twins: false, at_least_one: true };
    const SKIP_TWINS: Extensions = Extensions { skip_twins: true, at_least_one: false };

    fn index(pages: &[&Page], extensions: Extensions) -> SiteIndex {
        pages.iter().copied().collect::<PageSet>().index(extensions)
    }

    /// The definition, literally.
    fn naive(pages: &[&Page], skip_twins: bool) -> Vec<Vec<Block>> {
        let all: Vec<Vec<Block>> = pages.iter().map(|page| blocks(page)).collect();
        let site = index(pages, Extensions { skip_twins, at_least_one: false });
        let unique = all.iter().enumerate().map(|(page, blocks)| {
            let others = all.iter().enumerate();
            let others = others.filter(|(other, _)| *other != page && !site.are_twins(page, *other));
            let others: Vec<&Block> = others.flat_map(|(_, blocks)| blocks).collect();
            let is_unique = |block: &&Block| !others.iter().any(|other| same_block(block, other));
            blocks.iter().filter(is_unique).cloned().collect()
        });
        unique.collect()
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
        // Page 0 has nothing of its own: `menu` is on 3 other pages, `shared` on 1.
        let set = ["<p>menu<p>shared", "<p>menu<p>shared<p>own", "<p>menu<p>c", "<p>menu<p>d"];
        assert_eq!(texts(&set, PLAIN)[0], [""; 0]);
        assert_eq!(texts(&set, AT_LEAST_ONE), [["shared"], ["own"], ["c"], ["d"]]);
        assert_eq!(texts(&["<p>a", "<p>a"], AT_LEAST_ONE), [["a"], ["a"]], "no blank `body`");
        assert_eq!(texts(&["", ""], AT_LEAST_ONE), [[""; 0]; 2], "nothing to show");
        assert_eq!(texts(&["<hr><p>a", "<p>a"], AT_LEAST_ONE)[0], ["", "a"], "a blank block is not enough");
        // Lists of twenty: the tags make them the same. 1 + 400 + 19 of 1 + 400 + 20.
        let page = |names: &str| format!("<p>menu<ul>{}</ul>", names.replace(' ', "<li>"));
        let names = " a b c d e f g h i j k l m n o p q r s t";
        let set = [page(names), page(&names.replace('a', "x")), page(&names.replace('b', "y"))];
        let set = set.each_ref().map(String::as_str);
        assert_eq!(texts(&set, PLAIN)[0], [""; 0]);
        assert_eq!(
            texts(&set, AT_LEAST_ONE)[0],
            [names.trim().replace(' ', "\n")],
            "no page has an equal list"
        );
    }

    #[test]
    fn another_page_than_the_one_of_that_number_is_told() {
        let pages = [page("<p>menu<p>one"), page("<p>menu<p>two")];
        let site = pages.iter().collect::<PageSet>().index(PLAIN);
        assert_eq!(site.kept(0, &pages[0]).unwrap().text(&pages[0]), "one");
        assert_eq!(site.kept(0, &page("<p>menu")), None, "it has no third block");
        assert_eq!(site.kept(2, &pages[0]), None);
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
    fn what_is_not_compared_to_the_end_counts_as_unique() {
        let list = |last: &str| page(&format!("<p>menu<ul><li>a<li>b<li>c<li>d<li>{last}</ul>"));
        let pages = [list("e"), list("f")];
        let unique = |site: &SiteIndex| [0, 1].map(|page| site.unique(page).unwrap().to_vec());
        let site = pages.iter().collect::<PageSet>().index(PLAIN);
        assert_eq!((unique(&site), site.is_exact()), ([vec![], vec![]], true));
        // Equal blocks need no comparison.
        let site = pages.iter().collect::<PageSet>().index_within(PLAIN, ComparisonBudget::limited(1));
        assert_eq!((unique(&site), site.is_exact()), ([vec![2], vec![2]], false));
    }

    /// Every list is the same as every other one, so each page would be counted for each of them.
    #[test]
    fn what_is_common_is_counted_once_a_page() {
        let pages: Vec<Page> = (0..20)
            .map(|number| {
                let lists = (0..40).map(|list| format!("<ul>{}{number} {list}</ul>", "<li>".repeat(30)));
                page(&lists.collect::<String>())
            })
            .collect();
        let set: PageSet = pages.iter().collect();
        // 40 vectors a page, each compared once with all 800.
        let used = 800 * 800 * (4 + 20);
        let site = set.clone().index_within(AT_LEAST_ONE, ComparisonBudget::limited(used));
        assert!(site.is_exact());
        assert_eq!(site.unique(0).map(<[usize]>::len), Some(40), "all are equally common");
        assert!(!set.index_within(AT_LEAST_ONE, ComparisonBudget::limited(800 * 10)).is_exact());
    }

    #[test]
    fn at_least_one_block_is_one_that_is_kept() {
        // The `div` is the page's own, but its `title` is not shown: a page of which nothing is kept.
        let html = "<p>menu<p>shared<div><a href=x title=\"one\"></a></div>";
        let pages = [html, "<p>menu<p>shared", "<p>menu<p>own"].map(page);
        let pages: Vec<&Page> = pages.iter().collect();
        let kept = index(&pages, AT_LEAST_ONE).kept(0, pages[0]).unwrap();
        assert_eq!(kept.text(pages[0]), "shared");
        assert_eq!(index(&pages[1..], AT_LEAST_ONE).kept_on(pages[0]).text(pages[0]), "shared");
        // Blocks may have equal vectors and differ in what they show.
        let pages = ["<div><b title=x></b></div><p>menu", "<div><b>x</b></div><p>menu"].map(page);
        let pages: Vec<&Page> = pages.iter().collect();
        let kept = index(&pages, AT_LEAST_ONE);
        let texts = [0, 1].map(|at| kept.kept(at, pages[at]).unwrap().text(pages[at]));
        assert_eq!(texts, ["menu", "x\nmenu"]);
    }

    #[test]
    fn pages_outside_are_compared_with_the_set() {
        let article = "<p>Snow fell in June, and nobody had a shovel.<p>It was gone by noon.";
        let set =
            [&format!("<p>menu{article}<p>ski"), "<p>menu<p>The bridge is open again.", "<p>menu<p>ski"];
        let set = set.map(page);
        let set: Vec<&Page> = set.iter().collect();
        let texts = |html: &str, extensions| {
            let outside = page(html);
            let unique = index(&set, extensions).unique_on(&outside);
            unique.iter().map(|block| block.text(&outside)).collect::<Vec<_>>()
        };
        assert_eq!(texts("<p>menu<p>ski<p>new", PLAIN), ["new"]);
        let twin = format!("<p>menu{article}");
        assert_eq!(texts(&twin, PLAIN), [""; 0]);
        assert_eq!(
            texts(&twin, SKIP_TWINS),
            ["Snow fell in June, and nobody had a shovel.", "It was gone by noon."]
        );
        assert_eq!(texts("<p>menu<p>ski", AT_LEAST_ONE), ["ski"], "two pages have it, three the menu");
        let nothing: [&Page; 0] = [];
        assert_eq!(index(&nothing, SKIP_TWINS).unique_on(&page("<p>a")).len(), 2);
    }

    const MARKUP: &str = "(<p>|<div>|</div>|<ul>|</ul>|<li>|<b>|</b>|<br>|<hr>|<table><td>|</table>|a|b|c|d|\n|<img alt=a>|<i title=b>|<p>a|<p>b<b>c</b>|<ul><li>a<li>b<li>c<li>d<li>e</ul>){0,30}";

    proptest::proptest! {
        #[test]
        fn the_index_finds_what_comparing_all_pairs_finds(
            htmls in proptest::collection::vec(MARKUP, 0..5)
        ) {
            let pages = pages(&htmls);
            let pages: Vec<&Page> = pages.iter().collect();
            proptest::prop_assert_eq!(unique_blocks(&pages), naive(&pages, false));
            proptest::prop_assert_eq!(unique_blocks_extended(&pages, SKIP_TWINS), naive(&pages, true));
        }

        #[test]
        fn a_page_outside_is_judged_as_one_inside(
            htmls in proptest::collection::vec(MARKUP, 1..5)
        ) {
            let pages = pages(&htmls);
            let pages: Vec<&Page> = pages.iter().collect();
            let [others @ .., last] = &pages[..] else { panic!("one page at least") };
            for extensions in [PLAIN, AT_LEAST_ONE] {
                let inside = unique_blocks_extended(&pages, extensions).pop().unwrap();
                let nodes: Vec<_> = inside.iter().map(Block::node).collect();
                let kept = Kept::of_blocks(last, &nodes);
                let (with, without) = (index(&pages, extensions), index(others, extensions));
                proptest::prop_assert_eq!(without.unique_on(last), inside);
                proptest::prop_assert_eq!(without.kept_on(last), kept.clone());
                proptest::prop_assert_eq!(with.kept(others.len(), last), Some(kept));
            }
        }

        #[test]
        fn at_least_one_adds_and_never_takes_away(
            htmls in proptest::collection::vec(MARKUP, 0..5)
        ) {
            let pages = pages(&htmls);
            let pages: Vec<&Page> = pages.iter().collect();
            let extended = unique_blocks_extended(&pages, AT_LEAST_ONE);
            for ((plain, extended), page) in unique_blocks(&pages).iter().zip(&extended).zip(&pages) {
                proptest::prop_assert!(plain.iter().all(|block| extended.contains(block)));
                let nodes: Vec<_> = extended.iter().map(Block::node).collect();
                let all: Vec<_> = blocks(page).iter().map(Block::node).collect();
                let shows = !Kept::of_blocks(page, &all).is_empty();
                proptest::prop_assert_eq!(!Kept::of_blocks(page, &nodes).is_empty(), shows);
            }
        }
    }
}
