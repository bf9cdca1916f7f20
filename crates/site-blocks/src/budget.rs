//! Limits the cost of comparisons.

/// The number of terms that may still be examined when comparing the pages of a set.
///
/// Real sets stay far below it: the most that a host of our data took is four million terms, and ten thousand pages
/// of a hundred blocks take 28 terms per different block. Pages can be crafted so that comparing takes time quadratic
/// in their length; the budget limits that to seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ComparisonBudget {
    left: u64,
}

impl ComparisonBudget {
    const LEAST: u64 = 1 << 30;
    const FOR_EACH: u64 = 10_000;

    pub(crate) fn of(things: usize) -> ComparisonBudget {
        ComparisonBudget {
            left: ComparisonBudget::LEAST + ComparisonBudget::FOR_EACH.saturating_mul(things as u64),
        }
    }

    #[cfg(test)]
    pub(crate) fn limited(left: u64) -> ComparisonBudget {
        ComparisonBudget { left }
    }

    pub(crate) fn spend(&mut self, terms: usize) -> bool {
        self.left = self.left.saturating_sub(terms as u64);
        self.sufficed()
    }

    pub(crate) fn sufficed(self) -> bool {
        self.left > 0
    }
}
