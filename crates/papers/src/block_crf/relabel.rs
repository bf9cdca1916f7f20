//! The second judgement: combines a block with the blocks inside it.

/// The shares of content above and below which a block is relabelled together with its children.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// With a greater share, the block and all its children are content.
    pub upper: f64,
    /// With a smaller share, the block itself is not content.
    pub lower: f64,
}

impl Thresholds {
    /// The best published pair (Fujita et al., table 1).
    pub(crate) const PUBLISHED: Thresholds = Thresholds { upper: 0.7, lower: 0.4 };

    /// Number of values per threshold in the grid: 0.1, 0.2, ….
    pub(crate) const TENTHS: u8 = 9;

    /// The same thresholds as the text of section 3.2 reads them: a share that equals the upper one counts (“以上”). Shares are
    /// fractions, and no fraction of so few blocks lies between two neighbouring numbers.
    pub(crate) fn by_text(self) -> Thresholds {
        Thresholds { upper: self.upper.next_down(), ..self }
    }

    /// Returns all pairs of 0.1 … 0.9 (Fujita et al., section 4.1), with the upper one in the outer loop.
    pub(crate) fn grid() -> impl Iterator<Item = Thresholds> {
        let tenths = |tenth: u8| f64::from(tenth) / 10.0;
        (1..=Self::TENTHS).flat_map(move |upper| {
            (1..=Self::TENTHS).map(move |lower| Thresholds { upper: tenths(upper), lower: tenths(lower) })
        })
    }
}

/// Judges blocks a second time, from the innermost outwards, by the share of content among a block's first judgement
/// and the second judgements of its children.
///
/// `parents` has the index of the block around each block, which must be smaller than its own; `first` has the first
/// judgements.
///
/// # Source
///
/// Fujita et al., figure 3, without its recursion, however deep blocks nest.
/// CHOICE: if the share equals the upper threshold, the text of section 3.2 would count it ("以上") and figure 3 would not; we
/// follow the figure. [`Thresholds::by_text`] is the other reading. If both thresholds apply (the lower exceeds the upper), the upper is checked first, as in the
/// figure.
pub(crate) fn relabel(parents: &[Option<usize>], first: &[bool], thresholds: Thresholds) -> Vec<bool> {
    assert_eq!(parents.len(), first.len(), "a judgement for each block");
    let mut second = first.to_vec();
    // For each block: its number of children, and how many of them are content.
    let mut below = vec![(0_u32, 0_u32); parents.len()];
    // Blocks whose children all become content.
    let mut lifts = vec![false; parents.len()];
    for at in (0..parents.len()).rev() {
        let (children, content) = below[at];
        let ratio = f64::from(content + u32::from(first[at])) / f64::from(children + 1);
        if ratio > thresholds.upper {
            (second[at], lifts[at]) = (true, true);
        } else if ratio < thresholds.lower {
            second[at] = false;
        }
        if let Some(parent) = parents[at] {
            assert!(parent < at, "parents stand before their children");
            below[parent].0 += 1;
            below[parent].1 += u32::from(second[at]);
        }
    }
    for (second, parent) in second.iter_mut().zip(parents) {
        *second |= parent.is_some_and(|parent| lifts[parent]);
    }
    second
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn judged(first: [u8; 5], upper: f64, lower: f64) -> [u8; 5] {
        let parents = [None, Some(0), Some(0), Some(0), Some(0)];
        let second = relabel(&parents, &first.map(|one| one == 1), Thresholds { upper, lower });
        std::array::from_fn(|at| u8::from(second[at]))
    }

    /// Figure 2, above: all but the parent and its third child are content: 3 of 5.
    #[test]
    fn a_share_of_six_tenths() {
        let first = [0, 1, 1, 0, 1];
        assert_eq!(judged(first, 0.5, 0.4), [1; 5]);
        assert_eq!(judged(first, 0.6, 0.4), first, "equal to the threshold is not above it");
        assert_eq!(judged(first, 0.7, 0.4), first);
        let by_text = Thresholds { upper: 0.6, lower: 0.4 }.by_text();
        assert_eq!(judged(first, by_text.upper, by_text.lower), [1; 5], "the text counts it");
        assert_eq!(judged([1, 1, 1, 0, 0], 0.7, 0.7), [0, 1, 1, 0, 0], "below the lower: the parent alone");
    }

    /// Figure 2, below: the parent and its second child are content: 2 of 5.
    #[test]
    fn a_share_of_four_tenths() {
        let first = [1, 0, 1, 0, 0];
        assert_eq!(judged(first, 0.7, 0.5), [0, 0, 1, 0, 0]);
        assert_eq!(judged(first, 0.7, 0.4), first, "equal to the threshold is not below it");
        assert_eq!(judged(first, 0.7, 0.3), first);
        assert_eq!(judged(first, 0.3, 0.2), [1; 5]);
    }

    #[test]
    fn a_second_judgement_counts_and_grandchildren_are_left_alone() {
        // 0 ─ 1 ─ (2, 3, 4), 0 ─ 5. Block 1 becomes content by its children, then block 0 by 1 and 5.
        let parents = [None, Some(0), Some(1), Some(1), Some(1), Some(0)];
        let first = [true, false, true, true, false, false];
        let thresholds = Thresholds { upper: 0.4, lower: 0.2 };
        // 1: 2 of 4 > .4, so that 4 is content; 0: itself and 1 of 3 > .4, so that 5 is.
        assert_eq!(relabel(&parents, &first, thresholds), [true; 6]);
        // 0 alone is above; its grandchildren stay.
        let first = [true, true, false, false, false, true];
        let thresholds = Thresholds { upper: 0.6, lower: 0.1 };
        assert_eq!(relabel(&parents, &first, thresholds), [true, true, false, false, false, true]);
        // A block without children: 0 of 1 or 1 of 1.
        assert_eq!(relabel(&[None], &[true], thresholds), [true]);
        assert_eq!(relabel(&[None], &[false], thresholds), [false]);
        assert!(relabel(&[], &[], thresholds).is_empty());
    }

    /// The algorithm of figure 3.
    fn by_recursion(
        at: usize,
        parents: &[Option<usize>],
        first: &[bool],
        second: &mut Vec<Option<bool>>,
        thresholds: Thresholds,
    ) {
        let children: Vec<usize> = (0..parents.len()).filter(|child| parents[*child] == Some(at)).collect();
        for child in &children {
            if second[*child].is_none() {
                by_recursion(*child, parents, first, second, thresholds);
            }
        }
        let content =
            children.iter().filter(|child| second[**child] == Some(true)).count() + usize::from(first[at]);
        let ratio = content as f64 / (children.len() + 1) as f64;
        if ratio > thresholds.upper {
            second[at] = Some(true);
            for child in children {
                second[child] = Some(true);
            }
        } else if ratio < thresholds.lower {
            second[at] = Some(false);
        } else {
            second[at] = Some(first[at]);
        }
    }

    proptest! {
        #[test]
        fn it_is_the_published_algorithm(
            tree in prop::collection::vec((0..1000_usize, any::<bool>()), 1..40),
            pair in 0..81_usize,
        ) {
            let parents: Vec<Option<usize>> =
                tree.iter().enumerate().map(|(at, (parent, _))| parent.checked_rem(at)).collect();
            let first: Vec<bool> = tree.iter().map(|(_, first)| *first).collect();
            let thresholds = Thresholds::grid().nth(pair).unwrap();
            let mut second = vec![None; tree.len()];
            by_recursion(0, &parents, &first, &mut second, thresholds);
            let second: Vec<bool> = second.into_iter().map(Option::unwrap).collect();
            prop_assert_eq!(relabel(&parents, &first, thresholds), second);
        }
    }

    #[test]
    fn the_grid_has_all_pairs() {
        let grid: Vec<Thresholds> = Thresholds::grid().collect();
        assert_eq!(grid.len(), 81);
        assert!(grid.contains(&Thresholds::PUBLISHED));
        assert_eq!(grid[9], Thresholds { upper: 0.2, lower: 0.1 });
    }
}
