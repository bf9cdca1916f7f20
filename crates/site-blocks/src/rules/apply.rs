//! Applies rules, indexed so that one pass over a page finds everything they select.

use super::rule::{BLOCK_NAMES, Identifier, NearIdentifier, Rule};
use crate::block::{is_block, is_left_out};
use std::collections::BTreeMap;
use tsugi_page::walk::Step;
use tsugi_page::{NodeId, NodeKind, Page};

/// A set of names: one bit for each of [`BLOCK_NAMES`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct NameBits(u32);

impl NameBits {
    fn of(name: &str) -> NameBits {
        NameBits(BLOCK_NAMES.binary_search(&name).map_or(0, |bit| 1 << bit))
    }

    fn and(self, other: NameBits) -> NameBits {
        NameBits(self.0 | other.0)
    }

    fn contains(self, name: &str) -> bool {
        self.0 & NameBits::of(name).0 != 0
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct At {
    itself: NameBits,
    children: NameBits,
    /// Descendants other than children.
    below: NameBits,
}

impl At {
    fn and(self, other: At) -> At {
        At {
            itself: self.itself.and(other.itself),
            children: self.children.and(other.children),
            below: self.below.and(other.below),
        }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RuleTable {
    ids: BTreeMap<Box<str>, At>,
    classes: BTreeMap<Box<str>, At>,
    anywhere: NameBits,
}

#[derive(Debug, Clone, Copy)]
struct OpenElement {
    node: NodeId,
    children: NameBits,
    /// Names selected among its grandchildren and below, at any depth.
    below: NameBits,
}

impl RuleTable {
    pub(super) fn new(rules: &[Rule]) -> RuleTable {
        let mut table = RuleTable::default();
        for rule in rules {
            let names = NameBits::of(rule.tag());
            let (identifier, at) = match rule.near() {
                NearIdentifier::Own(one) => (one, At { itself: names, ..At::default() }),
                NearIdentifier::Parent(one) => (one, At { children: names, ..At::default() }),
                NearIdentifier::Ancestor(one) => (one, At { below: names, ..At::default() }),
                NearIdentifier::None => {
                    table.anywhere = table.anywhere.and(names);
                    continue;
                }
            };
            let held = match identifier {
                Identifier::Id(value) => table.ids.entry(value.clone()),
                Identifier::Class(word) => table.classes.entry(word.clone()),
            };
            let held = held.or_default();
            *held = held.and(at);
        }
        table
    }

    /// Returns the selected blocks, in the order in which they begin, without those that have neither text nor an
    /// image.
    pub(super) fn blocks(&self, page: &Page) -> Vec<NodeId> {
        // One walk for all rules, without a selector engine; a property test compares it with both engines.
        let mut elements: Vec<OpenElement> = Vec::new();
        // The selected blocks, and whether they show anything.
        let mut selected: Vec<(NodeId, bool)> = Vec::new();
        // The open blocks, each with its index in `selected`.
        let mut blocks: Vec<(NodeId, Option<usize>)> = Vec::new();
        let mut walk = page.walk(NodeId::DOCUMENT);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) if is_left_out(page, id) => walk.skip_children(),
                Step::Enter(id) => {
                    if page.is_element(id) {
                        let at = self.at(page, id);
                        let around = elements.last();
                        let (from_parent, below) =
                            around.map_or_else(Default::default, |around| (around.children, around.below));
                        if is_block(page, id) {
                            let names = self.anywhere.and(at.itself).and(from_parent);
                            let place = names.contains(page.tag(id)).then_some(selected.len());
                            selected.extend(place.map(|_| (id, false)));
                            blocks.push((id, place));
                        }
                        elements.push(OpenElement {
                            node: id,
                            children: at.children.and(below),
                            below: at.below.and(below),
                        });
                    }
                    if let Some((_, Some(place))) = blocks.last()
                        && shows(page, id)
                    {
                        selected[*place].1 = true;
                    }
                }
                Step::Leave(id) => {
                    elements.pop_if(|open| open.node == id);
                    blocks.pop_if(|(block, _)| *block == id);
                }
            }
        }
        selected.into_iter().filter(|(_, shows)| *shows).map(|(id, _)| id).collect()
    }

    fn at(&self, page: &Page, id: NodeId) -> At {
        let of_id = page.attribute(id, "id").and_then(|value| self.ids.get(value));
        let classes = page.attribute(id, "class").unwrap_or_default().split_ascii_whitespace();
        let of_classes = classes.filter_map(|word| self.classes.get(word));
        of_id.into_iter().chain(of_classes).fold(At::default(), |sum, at| sum.and(*at))
    }
}

/// Returns `true` if a node makes its block more than blank: it is an image or a text. A `title` is not shown.
fn shows(page: &Page, id: NodeId) -> bool {
    match page.kind(id) {
        NodeKind::Text => !page.data(id).trim().is_empty(),
        NodeKind::Element => page.is(id, "img"),
        NodeKind::Document | NodeKind::Doctype | NodeKind::Comment => false,
    }
}
