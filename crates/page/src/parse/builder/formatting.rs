//! Formatting elements: those that the page closes in another order than it opened them, or not at all (HTML, sections
//! 13.2.4.3 and 13.2.6.4.7).

use super::sets::{SCOPE, SPECIAL};
use super::{Builder, Open};
use crate::parse::tokenizer::TagToken;
use crate::parse::tree::Tree;
use crate::tags::Tag;
use markup5ever::LocalName;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Formatting {
    /// Elements before it are not opened again behind it.
    Marker,
    Element(u32),
}

/// Most elements that one end tag moves, and most elements inside them that stay formatting.
const MOST_MOVED: usize = 8;
const MOST_INSIDE: usize = 3;

impl Builder {
    pub(super) fn insert_formatting(&mut self, token: &mut TagToken<'_>) {
        self.reopen_formatting();
        let node = self.insert_open(token);
        self.drop_alike(node);
        self.formatting.push(Formatting::Element(node));
    }

    /// Keeps at most three elements with one name and the same attributes.
    fn drop_alike(&mut self, node: u32) {
        let alike = self.since_marker().filter(|(_, other)| are_alike(&self.draft.tree, node, *other));
        let (number, first) = alike.fold((0, 0), |(number, _), (at, _)| (number + 1, at));
        if number >= 3 {
            self.formatting.remove(first);
        }
    }

    /// Returns the formatting elements after the last marker with their positions, last first.
    fn since_marker(&self) -> impl Iterator<Item = (usize, u32)> {
        self.formatting.iter().enumerate().rev().map_while(|(at, entry)| match entry {
            Formatting::Marker => None,
            Formatting::Element(node) => Some((at, *node)),
        })
    }

    fn formatting_position(&self, node: u32) -> Option<usize> {
        self.formatting.iter().position(|entry| *entry == Formatting::Element(node))
    }

    fn forget_formatting(&mut self, node: u32) {
        if let Some(at) = self.formatting_position(node) {
            self.formatting.remove(at);
        }
    }

    pub(super) fn clear_formatting(&mut self) {
        while self.formatting.pop().is_some_and(|entry| entry != Formatting::Marker) {}
    }

    /// Opens formatting elements again that another end tag has closed.
    #[inline]
    pub(super) fn reopen_formatting(&mut self) {
        if let Some(last) = self.formatting.last()
            && !self.is_marker_or_open(*last)
        {
            self.reopen_closed();
        }
    }

    fn is_marker_or_open(&self, entry: Formatting) -> bool {
        match entry {
            Formatting::Marker => true,
            Formatting::Element(node) => self.position(node).is_some(),
        }
    }

    fn reopen_closed(&mut self) {
        let held = self.formatting.iter().rposition(|entry| self.is_marker_or_open(*entry));
        for at in held.map_or(0, |held| held + 1)..self.formatting.len() {
            if let Formatting::Element(node) = self.formatting[at] {
                let place = self.place(self.top());
                let node = self.draft.copy(node);
                self.insert(place, node);
                self.push(node);
                self.formatting[at] = Formatting::Element(node);
            }
        }
    }

    /// Closes the link that another one starts in: links hold no links.
    pub(super) fn close_links(&mut self) {
        let link = self.since_marker().find(|(_, node)| self.draft.tree.html_tag(*node) == Tag::A);
        if let Some((_, link)) = link {
            self.close_formatting(Tag::A);
            self.forget_formatting(link);
            self.close(link);
        }
    }

    /// Closes a formatting element by its end tag. Blocks in it that stay open get an element like it inside: the standard's
    /// “adoption agency algorithm”.
    pub(super) fn close_formatting(&mut self, tag: Tag) {
        if self.is_current(tag) && self.formatting_position(self.current()).is_none() {
            self.open.pop();
            return;
        }
        for _ in 0..MOST_MOVED {
            let found = self.since_marker().find(|(_, node)| self.draft.tree.html_tag(*node) == tag);
            let Some((entry, element)) = found else {
                self.end_other(tag, &LocalName::default());
                return;
            };
            let Some(position) = self.position(element) else {
                self.formatting.remove(entry);
                return;
            };
            if !self.has_any_in(&SCOPE, |open| open.node == element) {
                return;
            }
            let block = (position..self.open.len()).find(|at| SPECIAL.has(self.open[*at].tag));
            let Some(block) = block else {
                self.open.truncate(position);
                self.formatting.remove(entry);
                return;
            };
            self.move_block(element, position, block);
        }
    }

    /// Moves a block out of a formatting element, both given by their positions in the stack, with copies of the formatting elements
    /// between them around it, and puts a copy of the formatting element into it.
    fn move_block(&mut self, element: u32, position: usize, block: usize) {
        let around = self.open[position - 1];
        let mut at = block;
        let block = self.open[block].node;
        let mut last = block;
        // The entry that the copy of the formatting element comes after; it takes the element's own place if there is none.
        let mut bookmark = None;
        let mut inside = 0;
        loop {
            inside += 1;
            at -= 1;
            let node = self.open[at].node;
            if node == element {
                break;
            }
            let entry = self.formatting_position(node);
            let Some(entry) = entry.filter(|_| inside <= MOST_INSIDE) else {
                self.forget_formatting(node);
                self.open.remove(at);
                continue;
            };
            let copy = self.draft.copy(node);
            self.open[at] = Open { node: copy, ..self.open[at] };
            self.formatting[entry] = Formatting::Element(copy);
            if last == block {
                bookmark = Some(copy);
            }
            self.draft.tree.detach(last);
            self.draft.tree.append(copy, last);
            last = copy;
        }
        self.draft.tree.detach(last);
        let place = self.place(around);
        self.insert(place, last);
        let copy = self.draft.copy(element);
        self.draft.tree.move_children(block, copy);
        self.draft.tree.append(block, copy);
        let old = self.formatting_position(element);
        let after = bookmark.and_then(|node| self.formatting_position(node));
        match (after, old) {
            (Some(after), _) => {
                self.formatting.insert(after + 1, Formatting::Element(copy));
                self.forget_formatting(element);
            }
            (None, Some(old)) => self.formatting[old] = Formatting::Element(copy),
            (None, None) => {}
        }
        self.close(element);
        if let Some(at) = self.position(block) {
            let open = self.opened(copy);
            self.open.insert(at + 1, open);
        }
    }
}

fn are_alike(tree: &Tree, one: u32, other: u32) -> bool {
    let (a, b) = (tree.node(one), tree.node(other));
    if a.tag != b.tag || a.to - a.from != b.to - b.from {
        return false;
    }
    let attributes = |id: u32| tree.attribute_records(id).iter().map(|held| (&*held.name, tree.value(held)));
    let is_in_any_order = || {
        let sorted = |id: u32| {
            let mut sorted: Vec<_> = attributes(id).collect();
            sorted.sort_unstable();
            sorted
        };
        sorted(one) == sorted(other)
    };
    attributes(one).eq(attributes(other)) || (a.to - a.from > 1 && is_in_any_order())
}
