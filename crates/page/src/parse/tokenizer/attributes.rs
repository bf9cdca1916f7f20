use super::names::Name;
use crate::node::AttributeNamespace;
use crate::tags::Attr;
use markup5ever::LocalName;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Most attributes of a tag; the rest is dropped.
pub(crate) const MAX_ATTRIBUTES: usize = 1_000;
/// Number of names up to which they are compared one by one.
const FEW: usize = 16;

pub(crate) struct TagAttribute<'p> {
    pub(crate) name: LocalName,
    pub(crate) known: Attr,
    pub(crate) namespace: AttributeNamespace,
    pub(crate) value: Cow<'p, str>,
}

/// The attributes of a tag, each name once.
#[derive(Default)]
pub(crate) struct TagAttributes<'p> {
    held: Vec<TagAttribute<'p>>,
    /// The names of all that are held, if those are [`FEW`] or more.
    names: BTreeSet<LocalName>,
    had_duplicate: bool,
}

impl<'p> TagAttributes<'p> {
    pub(crate) fn len(&self) -> usize {
        self.held.len()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, TagAttribute<'p>> {
        self.held.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, TagAttribute<'p>> {
        self.held.iter_mut()
    }

    pub(crate) fn drain(&mut self) -> std::vec::Drain<'_, TagAttribute<'p>> {
        self.held.drain(..)
    }

    /// Returns whether some were dropped because others have the same name.
    #[cfg(feature = "oracle")]
    pub(crate) fn had_duplicate(&self) -> bool {
        self.had_duplicate
    }

    pub(super) fn clear(&mut self) {
        self.held.clear();
        if !self.names.is_empty() {
            self.names.clear();
        }
        self.had_duplicate = false;
    }

    pub(super) fn accepts(&mut self, name: &LocalName) -> bool {
        let number = self.held.len();
        if number == FEW && self.names.is_empty() {
            self.names.extend(self.held.iter().map(|attribute| attribute.name.clone()));
        }
        let is_new = if number < FEW {
            self.held.iter().all(|attribute| attribute.name != *name)
        } else {
            self.names.insert(name.clone())
        };
        self.had_duplicate |= !is_new;
        is_new
    }

    pub(super) fn push(&mut self, name: Name, value: Cow<'p, str>) {
        let Name { atom: name, attr: known, .. } = name;
        self.held.push(TagAttribute { name, known, namespace: AttributeNamespace::None, value });
    }
}

#[cfg(feature = "oracle")]
impl<'p> FromIterator<TagAttribute<'p>> for TagAttributes<'p> {
    fn from_iter<I: IntoIterator<Item = TagAttribute<'p>>>(attributes: I) -> Self {
        TagAttributes { held: attributes.into_iter().collect(), ..TagAttributes::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(attributes: &mut TagAttributes<'_>, names: impl Iterator<Item = String>) -> (usize, bool) {
        attributes.clear();
        for name in names.map(LocalName::from) {
            if attributes.accepts(&name) {
                attributes.push(Name::from(name), Cow::Borrowed(""));
            }
        }
        (attributes.len(), attributes.had_duplicate)
    }

    #[test]
    fn the_first_of_a_name_counts() {
        let mut attributes = TagAttributes::default();
        for number in [FEW - 1, FEW, FEW + 1, 3 * FEW] {
            let twice = (0..2 * number).map(|at| format!("a{}", at % number));
            assert_eq!(added(&mut attributes, twice), (number, true));
            assert_eq!(added(&mut attributes, (0..number).map(|at| format!("a{at}"))), (number, false));
        }
    }
}
