//! Bounds the work on a page's data, and the memory that it takes, by their length.
//!
//! Data may refer to the same value many times, and scripts may look like data at every sign. So whatever parses a text,
//! follows a reference or writes a text pays first. A page's own data pay once or twice for each byte.

use std::cell::Cell;

/// The budget for each byte of data, and that of a page with hardly any. Real data take up to 25 for a byte.
const PER_BYTE: usize = 64;
const LEAST: usize = 256 << 10;
/// The most that all data of a page may cost. A unit is about a byte of memory.
const MOST: usize = 128 << 20;

/// What a value costs that is parsed or copied: what it takes in memory.
pub(super) const VALUE: usize = 64;
/// What an object costs besides: a node of its tree has room for eleven fields.
pub(super) const OBJECT: usize = 640;
/// What looking at a value of a list costs, maybe behind a reference.
pub(super) const GLANCE: usize = 32;
/// What rendering an element costs, without its text.
pub(super) const ELEMENT: usize = 256;
/// What a byte of text costs that is copied or rendered. A page is made of it later.
const TEXT: usize = 16;

#[derive(Debug)]
pub(super) struct DataBudget {
    left: Cell<usize>,
    /// What further data may add to the budget.
    unallowed: Cell<usize>,
    is_exceeded: Cell<bool>,
}

impl DataBudget {
    pub(super) fn new() -> DataBudget {
        DataBudget {
            left: Cell::new(LEAST),
            unallowed: Cell::new(MOST - LEAST),
            is_exceeded: Cell::new(false),
        }
    }

    /// Adds the allowance of a script or an attribute.
    pub(super) fn allow(&self, bytes: usize) {
        let allowed = bytes.saturating_mul(PER_BYTE).min(self.unallowed.get());
        self.unallowed.set(self.unallowed.get() - allowed);
        self.left.set(self.left.get() + allowed);
    }

    /// Pays; returns `false` if the budget is exceeded. Then nothing is left.
    pub(super) fn pay(&self, cost: usize) -> bool {
        let left = self.left.get().checked_sub(cost);
        self.left.set(left.unwrap_or(0));
        self.is_exceeded.set(self.is_exceeded.get() || left.is_none());
        left.is_some()
    }

    /// Pays for a text that is copied or rendered.
    pub(super) fn pay_text(&self, text: &str) -> bool {
        self.pay(text.len().saturating_mul(TEXT))
    }

    /// Returns `true` if nothing is left for what was begun.
    pub(super) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// Returns `true` if anything ever cost more than was left.
    pub(super) fn is_exceeded(&self) -> bool {
        self.is_exceeded.get()
    }
}
