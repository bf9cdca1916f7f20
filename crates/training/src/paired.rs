//! Differences between two who are measured on the same groups of pages.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use tsugi_learning::{Interval, bootstrap_of_sums};

#[derive(Debug, Clone, Copy, Default)]
struct SumsOfTwo<S>([S; 2]);

impl<S: Copy + AddAssign> AddAssign for SumsOfTwo<S> {
    fn add_assign(&mut self, other: SumsOfTwo<S>) {
        for (sums, others) in self.0.iter_mut().zip(other.0) {
            *sums += others;
        }
    }
}

/// The sums of two, by group of pages. Groups are drawn for both at once, so a difference can be sure where both figures are not.
#[derive(Debug)]
pub(crate) struct PairedSums<S> {
    groups: Vec<SumsOfTwo<S>>,
    all: SumsOfTwo<S>,
}

impl<S: Copy + Default + AddAssign> PairedSums<S> {
    /// Adds what is measured of a group.
    pub(crate) fn of(measured: impl IntoIterator<Item = (usize, [S; 2])>) -> PairedSums<S> {
        let mut groups: BTreeMap<usize, SumsOfTwo<S>> = BTreeMap::new();
        for (group, sums) in measured {
            *groups.entry(group).or_default() += SumsOfTwo(sums);
        }
        let groups: Vec<SumsOfTwo<S>> = groups.into_values().collect();
        let mut all = SumsOfTwo::default();
        for group in &groups {
            all += *group;
        }
        PairedSums { groups, all }
    }

    /// Returns the figure of the first minus that of the second; `None` if one of them counts nothing.
    pub(crate) fn difference(&self, count: fn(&S) -> u64, figure: fn(&S) -> f64) -> Option<Interval> {
        let applies = self.all.0.iter().all(|sums| count(sums) > 0);
        let difference = |SumsOfTwo([one, other]): &SumsOfTwo<S>| figure(one) - figure(other);
        applies.then(|| bootstrap_of_sums(&self.groups, difference)).flatten()
    }
}
