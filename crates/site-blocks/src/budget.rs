//! What comparing may cost.

/// How much comparing the pages of a set may cost, in terms that are looked at.
///
/// Sets of real pages stay far below: the most that a host of our data took is four million terms, and ten thousand
/// pages of a hundred blocks take 28 terms for each different block. Pages can be written so that comparing takes the
/// square of their length; the bound makes that seconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    left: u64,
}

impl Budget {
    const LEAST: u64 = 1 << 30;
    const FOR_EACH: u64 = 10_000;

    /// The budget for comparing so many things.
    pub(crate) fn of(things: usize) -> Budget {
        Budget { left: Budget::LEAST + Budget::FOR_EACH.saturating_mul(things as u64) }
    }

    #[cfg(test)]
    pub(crate) fn limited(left: u64) -> Budget {
        Budget { left }
    }

    /// Spends something; says whether there was enough.
    pub(crate) fn spend(&mut self, terms: usize) -> bool {
        self.left = self.left.saturating_sub(terms as u64);
        self.sufficed()
    }

    /// Says whether there was always enough.
    pub(crate) fn sufficed(self) -> bool {
        self.left > 0
    }
}
