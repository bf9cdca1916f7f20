use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, ns};
use std::collections::BTreeSet;

/// Most attributes of a tag; the rest is dropped.
pub(crate) const MAX_ATTRIBUTES: usize = 1_000;
/// Number of names up to which they are compared one by one.
const FEW: usize = 16;

#[derive(Default)]
pub(super) struct TagAttributes {
    held: Vec<Attribute>,
    /// The names of all that are held, if those are [`FEW`] or more.
    names: BTreeSet<LocalName>,
    had_duplicate: bool,
    pub(super) exceeded: bool,
}

impl TagAttributes {
    /// Returns `true` if there are as many as a tag may have, and one more is read.
    pub(super) fn refuse_more(&mut self) -> bool {
        let is_full = self.held.len() >= MAX_ATTRIBUTES;
        self.exceeded |= is_full;
        is_full
    }

    pub(super) fn accepts(&mut self, name: &LocalName) -> bool {
        let number = self.held.len();
        if number == FEW && self.names.is_empty() {
            self.names.extend(self.held.iter().map(|attribute| attribute.name.local.clone()));
        }
        let is_new = if number < FEW {
            self.held.iter().all(|attribute| attribute.name.local != *name)
        } else {
            self.names.insert(name.clone())
        };
        self.had_duplicate |= !is_new;
        is_new
    }

    pub(super) fn push(&mut self, name: LocalName, value: StrTendril) {
        self.held.push(Attribute { name: QualName::new(None, ns!(), name), value });
    }

    /// Drains the attributes; also returns whether some were dropped because others have the same name.
    pub(super) fn take(&mut self) -> (Vec<Attribute>, bool) {
        if !self.names.is_empty() {
            self.names.clear();
        }
        (std::mem::take(&mut self.held), std::mem::take(&mut self.had_duplicate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(attributes: &mut TagAttributes, names: impl Iterator<Item = String>) -> (usize, bool) {
        for name in names.map(LocalName::from) {
            if !attributes.refuse_more() && attributes.accepts(&name) {
                attributes.push(name, StrTendril::new());
            }
        }
        let (held, had_duplicate) = attributes.take();
        (held.len(), had_duplicate)
    }

    #[test]
    fn the_first_of_a_name_counts() {
        let mut attributes = TagAttributes::default();
        for number in [FEW - 1, FEW, FEW + 1, 3 * FEW] {
            let twice = (0..2 * number).map(|at| format!("a{}", at % number));
            assert_eq!(added(&mut attributes, twice), (number, true));
            assert_eq!(added(&mut attributes, (0..number).map(|at| format!("a{at}"))), (number, false));
        }
        assert!(!attributes.exceeded);
    }
}
