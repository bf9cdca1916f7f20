//! Groups pages that show the same thing at several addresses.

use crate::budget::ComparisonBudget;
use crate::set::PageSet;

/// Groups of near-duplicate pages.
///
/// Twin pages share their article and differ in a side bar; other pages of a site share everything but the article.
/// So texts are weighted by their length and by the number of pages that lack them, and two pages are twins if they
/// share more than half of the weight of all their texts:
///
/// ```text
/// weight(t) = characters(t) · (pages − pages with t)
/// twins     ⇔ weight(texts of both) / weight(texts of either) > 1/2
/// ```
///
/// A page joins the group whose first page is most similar among its twins, or starts a group if it has none. All
/// pages of a group are twins of its first, so a chain of pages that differ slightly from one to the next does not
/// become one group.
///
/// In a set of two pages, no common text has any weight: an article that occurs twice cannot be distinguished from a
/// menu, and no pages are twins.
///
/// # Cost
///
/// Texts are looked up from the rarest on, and only until half of a page's weight is covered: two pages without a
/// common text among these cannot be twins. These are the texts of articles, which few pages share.
///
/// # Source
///
/// Yoshida & Yamamoto (2009), section 4.3, proposes to compare pages before blocks but gives no measure. CHOICE:
/// resemblance of the sets of texts, weighted as above, and one half. A cosine over all counts, as for blocks, would
/// be near 1 for any two pages of one template. CHOICE: groups, in the order of the pages. Prefixes as in Bayardo, Ma
/// & Srikant, “Scaling up all pairs similarity search”, WWW 2007.
#[derive(Debug)]
pub(crate) struct TwinGroups {
    pages: u64,
    frequencies: Vec<u32>,
    of_page: Vec<u32>,
    /// For each group, the sorted text numbers of its first page, and their weight.
    firsts: Vec<(Vec<u32>, u64)>,
    /// For each text, the groups whose first page has it in its prefix.
    postings: Vec<Vec<u32>>,
}

impl TwinGroups {
    pub(crate) fn alone(set: &PageSet) -> TwinGroups {
        let of_page = (0..u32::try_from(set.len()).unwrap_or(u32::MAX)).collect();
        TwinGroups { pages: 0, frequencies: Vec::new(), of_page, firsts: Vec::new(), postings: Vec::new() }
    }

    pub(crate) fn of_twins(set: &PageSet, budget: &mut ComparisonBudget) -> TwinGroups {
        let mut frequencies = vec![0; set.features()];
        for page in 0..set.len() {
            for text in texts_of(set, page) {
                frequencies[text as usize] += 1;
            }
        }
        let mut groups = TwinGroups {
            pages: set.len() as u64,
            postings: vec![Vec::new(); frequencies.len()],
            frequencies,
            of_page: Vec::with_capacity(set.len()),
            firsts: Vec::new(),
        };
        // Groups that were compared with the current page have its number here.
        let mut seen: Vec<usize> = Vec::new();
        for page in 0..set.len() {
            let texts = texts_of(set, page);
            let weigh = |text: u32| groups.weight(text, set.length(text));
            let weight: u64 = texts.iter().map(|text| weigh(*text)).sum();
            let prefix = groups.prefix(&texts, weight, weigh);
            let group = groups.most_alike((&texts, weight), &prefix, weigh, budget, |group| {
                seen.resize(groups.firsts.len(), usize::MAX);
                std::mem::replace(&mut seen[group as usize], page) != page
            });
            let group = group.unwrap_or_else(|| {
                let new = u32::try_from(groups.firsts.len()).unwrap_or(u32::MAX);
                for text in &prefix {
                    groups.postings[*text as usize].push(new);
                }
                groups.firsts.push((texts, weight));
                new
            });
            groups.of_page.push(group);
        }
        groups
    }

    pub(crate) fn pages(&self) -> usize {
        self.of_page.len()
    }

    pub(crate) fn of_page(&self, page: usize) -> u32 {
        self.of_page[page]
    }

    /// Returns the group that a page outside the set would join. `texts` are the numbers of its texts, sorted,
    /// without duplicates; `length` returns their lengths.
    pub(crate) fn of_outsider(
        &self,
        texts: &[u32],
        length: impl Fn(u32) -> u32,
        budget: &mut ComparisonBudget,
    ) -> Option<u32> {
        if self.firsts.is_empty() {
            return None;
        }
        let weigh = |text: u32| self.weight(text, length(text));
        let weight: u64 = texts.iter().map(|text| weigh(*text)).sum();
        let prefix = self.prefix(texts, weight, weigh);
        self.most_alike((texts, weight), &prefix, weigh, budget, |_| true)
    }

    /// Texts that no page of the set has get the greatest weight.
    fn weight(&self, text: u32, length: u32) -> u64 {
        let frequency = self.frequencies.get(text as usize).copied().unwrap_or(0);
        u64::from(length) * (self.pages - u64::from(frequency))
    }

    /// Returns the rarest texts of a page, until the rest has at most half of its weight.
    fn prefix(&self, texts: &[u32], weight: u64, weigh: impl Fn(u32) -> u64) -> Vec<u32> {
        let mut prefix = texts.to_vec();
        prefix.sort_by_key(|text| (self.frequencies.get(*text as usize).copied().unwrap_or(0), *text));
        let mut rest = weight;
        let needed = prefix.iter().take_while(|text| {
            let is_needed = 2 * rest > weight;
            rest -= weigh(**text);
            is_needed
        });
        let needed = needed.count();
        prefix.truncate(needed);
        prefix
    }

    /// Returns the group whose first page is most similar to a page, if they are twins; `is_new` returns `true` for
    /// groups not yet compared.
    fn most_alike(
        &self,
        (texts, weight): (&[u32], u64),
        prefix: &[u32],
        weigh: impl Fn(u32) -> u64,
        budget: &mut ComparisonBudget,
        mut is_new: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        let mut best: Option<(u64, u64, u32)> = None;
        for text in prefix {
            for group in
                self.postings.get(*text as usize).into_iter().flatten().filter(|group| is_new(**group))
            {
                let (first, other_weight) = &self.firsts[*group as usize];
                if !budget.spend(texts.len() + first.len()) {
                    return None;
                }
                let shared = shared(texts, first, &weigh);
                let either = weight + other_weight - shared;
                let is_better = best.is_none_or(|(best_shared, best_either, best_group)| {
                    let (this, that) = (
                        u128::from(shared) * u128::from(best_either),
                        u128::from(best_shared) * u128::from(either),
                    );
                    this > that || (this == that && *group < best_group)
                });
                if 2 * shared > either && is_better {
                    best = Some((shared, either, *group));
                }
            }
        }
        best.map(|(_, _, group)| group)
    }
}

fn shared(one: &[u32], other: &[u32], weigh: impl Fn(u32) -> u64) -> u64 {
    let (mut at, mut sum) = (0, 0);
    for text in one {
        while other.get(at).is_some_and(|held| held < text) {
            at += 1;
        }
        if other.get(at) == Some(text) {
            sum += weigh(*text);
        }
    }
    sum
}

fn texts_of(set: &PageSet, page: usize) -> Vec<u32> {
    let vectors = set.blocks_of(page).iter().map(|vector| set.vectors().terms(*vector as usize));
    texts(vectors.flatten().map(|(feature, _)| *feature), |feature| set.length(feature))
}

pub(crate) fn texts(features: impl Iterator<Item = u32>, length: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut texts: Vec<u32> = features.filter(|feature| length(*feature) > 0).collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::page;

    fn set_of(bodies: &[&str]) -> PageSet {
        let pages = bodies.iter().map(|body| page(&format!("<ul><li>menu</ul>{body}")));
        pages.collect::<Vec<_>>().iter().collect()
    }

    fn groups_of(bodies: &[&str]) -> Vec<u32> {
        TwinGroups::of_twins(&set_of(bodies), &mut ComparisonBudget::of(0)).of_page
    }

    #[test]
    fn weight_is_length_times_rarity() {
        // Two of three pages share `sixsix` (6 · 1 = 6 shared) and have only `a…`, `b…` besides (n · 2 each).
        // n = 1: 6 / (6 + 2 + 2) = 0.6; n = 2: 6 / (6 + 4 + 4) = 0.43; `menu` weighs 4 · 0.
        let groups = |a: &str, b: &str| {
            groups_of(&[&format!("<p>sixsix<p>{a}"), &format!("<p>sixsix<p>{b}"), "<p>other"])
        };
        assert_eq!(groups("a", "b"), [0, 0, 1]);
        assert_eq!(groups("aa", "bb"), [0, 1, 2]);
    }

    #[test]
    fn pages_without_weight_have_no_twins() {
        assert_eq!(groups_of(&["", "", ""]), [0, 1, 2]);
        assert_eq!(groups_of(&["<p>a", "<p>a"]), [0, 1]);
        assert!(groups_of(&[]).is_empty());
    }

    #[test]
    fn several_may_be_twins_of_each_other() {
        assert_eq!(groups_of(&["<p>same", "<p>x", "<p>same", "<p>same"]), [0, 1, 0, 0]);
    }

    #[test]
    fn no_chain_becomes_a_group() {
        // Each page is a twin of the next, but the third is not one of the first.
        let pages = ["<p>aaaa<p>bbbb<p>cccc", "<p>bbbb<p>cccc<p>dddd", "<p>cccc<p>dddd<p>eeee"];
        let others = ["<p>x"; 7];
        let pages: Vec<&str> = pages.into_iter().chain(others).collect();
        assert_eq!(groups_of(&pages)[..3], [0, 1, 2], "16 of 31 is the least");
        let pages = [
            "<p>aaaa<p>bbbbbb<p>cccccc<p>ii",
            "<p>bbbbbb<p>cccccc<p>dddddd<p>ii",
            "<p>cccccc<p>dddddd<p>eeee<p>ii",
        ];
        let pages: Vec<&str> = pages.into_iter().chain(["<p>x", "<p>y", "<p>z"]).collect();
        assert_eq!(groups_of(&pages)[..2], [0, 0]);
        assert_ne!(groups_of(&pages)[2], 0);
    }

    #[test]
    fn the_likest_group_is_joined() {
        let pages = ["<p>aaaaaa<p>bb", "<p>cccc<p>dd", "<p>x", "<p>y", "<p>z", "<p>cccc<p>dd<p>bb"];
        assert_eq!(groups_of(&pages), [0, 1, 2, 3, 4, 1]);
    }

    const BODY: &str = "(<p>(a|bb|ccc|dddd|eeeee|ffffff)){0,6}";

    proptest::proptest! {
        #[test]
        fn prefixes_find_what_comparing_all_finds(bodies in proptest::collection::vec(BODY, 0..9)) {
            let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
            let set = set_of(&bodies);
            let groups = TwinGroups::of_twins(&set, &mut ComparisonBudget::of(0));
            // The definition, literally.
            let texts: Vec<Vec<u32>> = (0..set.len()).map(|page| texts_of(&set, page)).collect();
            let with = |text: u32| texts.iter().filter(|texts| texts.contains(&text)).count() as u64;
            let weigh = |text: u32| u64::from(set.length(text)) * (set.len() as u64 - with(text));
            let mut firsts: Vec<usize> = Vec::new();
            let mut expected = Vec::new();
            for page in 0..set.len() {
                let alike = |first: usize| {
                    let shared: u64 = texts[page].iter().filter(|text| texts[first].contains(text)).map(|text| weigh(*text)).sum();
                    let both: u64 = texts[page].iter().chain(&texts[first]).map(|text| weigh(*text)).sum();
                    (shared, both - shared)
                };
                let twins = firsts.iter().enumerate().map(|(group, first)| (group, alike(*first)));
                let twins = twins.filter(|(_, (shared, either))| 2 * shared > *either);
                let best = twins.reduce(|best, this| {
                    if this.1.0 * best.1.1 > best.1.0 * this.1.1 { this } else { best }
                });
                expected.push(best.map_or(firsts.len(), |(group, _)| group));
                if best.is_none() {
                    firsts.push(page);
                }
            }
            let found: Vec<usize> = groups.of_page.iter().map(|group| *group as usize).collect();
            proptest::prop_assert_eq!(found, expected);
        }
    }
}
