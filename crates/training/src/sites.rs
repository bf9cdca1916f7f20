//! Splits by site: no site and no registrable domain is on two sides.
//!
//! The split alone keeps training rows and others apart. Types for the two existed; only one recipe used them.

use crate::dataset::DataSet;
use crate::random::mix;
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::{Url, address::registrable_domain};

/// The groups of pages that belong together: a number for every label of every data set.
///
/// Pages belong together if their labels name one site or their addresses share a registrable domain, directly or
/// through other pages. Data sets overlap, and a site must not be trained on under one name and tested under another.
#[derive(Debug)]
pub struct SiteGroups {
    /// By data set, by label.
    of: Vec<Vec<usize>>,
    count: usize,
}

impl SiteGroups {
    /// Finds the groups.
    pub fn of(sets: &[DataSet]) -> SiteGroups {
        let mut union = Union::default();
        let mut names: BTreeMap<String, usize> = BTreeMap::new();
        let mut nodes = Vec::new();
        for set in sets {
            for label in set.labels() {
                let site = union.named(&mut names, format!("site {}", label.site.to_lowercase()));
                let domain = label.url.parse::<Url>().ok();
                let domain =
                    domain.map_or_else(|| label.url.clone(), |url| registrable_domain(&url).to_owned());
                let domain = union.named(&mut names, format!("domain {domain}"));
                union.join(site, domain);
                nodes.push(site);
            }
        }
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        let mut nodes = nodes.into_iter();
        let mut of = Vec::new();
        for set in sets {
            let mut number = |node| {
                let next = numbers.len();
                *numbers.entry(union.root(node)).or_insert(next)
            };
            of.push(nodes.by_ref().take(set.labels().len()).map(&mut number).collect());
        }
        SiteGroups { of, count: numbers.len() }
    }

    /// Returns the group of a label.
    pub fn group(&self, set: usize, label: usize) -> usize {
        self.of[set][label]
    }

    /// Returns the number of groups.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Deals the groups to `folds` folds at random; returns the fold of each group.
    pub fn folds(&self, folds: usize, seed: u64) -> Vec<usize> {
        let mut order: Vec<(u64, usize)> = (0..self.count).map(|group| (mix(seed, group), group)).collect();
        order.sort_unstable();
        let mut fold_of = vec![0; self.count];
        for (place, (_, group)) in order.into_iter().enumerate() {
            fold_of[group] = place % folds.max(1);
        }
        fold_of
    }
}

/// Counts the distinct groups.
pub fn distinct(groups: impl Iterator<Item = usize>) -> u64 {
    groups.collect::<BTreeSet<usize>>().len() as u64
}

#[derive(Debug, Default)]
struct Union {
    parent: Vec<usize>,
}

impl Union {
    fn named(&mut self, names: &mut BTreeMap<String, usize>, name: String) -> usize {
        *names.entry(name).or_insert_with(|| {
            self.parent.push(self.parent.len());
            self.parent.len() - 1
        })
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.parent[node] != node {
            self.parent[node] = self.parent[self.parent[node]];
            node = self.parent[node];
        }
        node
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parent[one.max(other)] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::PageLabel;
    use std::path::Path;

    fn set(pages: &[(&str, &str)]) -> DataSet {
        let label = |(site, url): &(&str, &str)| PageLabel {
            site: (*site).to_owned(),
            url: (*url).to_owned(),
            ..PageLabel::default()
        };
        DataSet::of("test".to_owned(), Path::new("."), pages.iter().map(label).collect())
    }

    #[test]
    fn site_or_domain_holds_pages_together() {
        let sets = [
            set(&[("a", "http://a.test/1"), ("a", "http://b.test/1"), ("c", "http://c.test/1")]),
            set(&[
                ("other", "http://www.b.test/2"),
                ("d", "http://x.github.io/"),
                ("e", "http://y.github.io/"),
            ]),
        ];
        let groups = SiteGroups::of(&sets);
        let all = |set: usize| (0..3).map(|label| groups.group(set, label)).collect::<Vec<_>>();
        assert_eq!((all(0), all(1), groups.count()), (vec![0, 0, 1], vec![0, 2, 3], 4));
    }

    #[test]
    fn folds_are_even_and_repeatable() {
        let urls: Vec<String> = (0..100).map(|i| format!("http://s{i}.test/")).collect();
        let pages: Vec<(&str, &str)> = urls.iter().map(|url| (&url[7..], url.as_str())).collect();
        let groups = SiteGroups::of(&[set(&pages)]);
        let folds = groups.folds(5, 1);
        assert!((0..5).all(|fold| folds.iter().filter(|f| **f == fold).count() == 20));
        assert_eq!(folds, groups.folds(5, 1));
        assert_ne!(folds, groups.folds(5, 2));
    }
}
