//! The tree while it is built: nodes that know their neighbours, so that they can be moved.

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName};
use std::cell::{Cell, RefCell};

pub(super) type Ref<'a> = &'a Linked<'a>;
type ArenaLink<'a> = Cell<Option<Ref<'a>>>;

pub(crate) struct Linked<'a> {
    pub(super) parent: ArenaLink<'a>,
    pub(super) previous: ArenaLink<'a>,
    pub(crate) next: ArenaLink<'a>,
    pub(crate) first_child: ArenaLink<'a>,
    pub(super) last_child: ArenaLink<'a>,
    pub(super) depth: Cell<u32>,
    pub(super) is_shadow_host: Cell<bool>,
    /// Whether it is the label of a tab, moved to its panel.
    pub(crate) is_label: Cell<bool>,
    pub(crate) data: LinkedData<'a>,
}

pub(crate) enum LinkedData<'a> {
    Document,
    Doctype(StrTendril),
    Text(RefCell<StrTendril>),
    Comment(StrTendril),
    Element {
        name: QualName,
        attributes: RefCell<Vec<Attribute>>,
        /// Content of a `template`, which is kept outside the page.
        template: Option<Ref<'a>>,
        mathml_integration_point: bool,
    },
}

impl<'a> Linked<'a> {
    pub(super) fn new(data: LinkedData<'a>) -> Self {
        let none = || Cell::new(None);
        let (parent, previous, next, first_child, last_child) = (none(), none(), none(), none(), none());
        let (depth, is_shadow_host, is_label) = (Cell::new(0), Cell::new(false), Cell::new(false));
        Linked { parent, previous, next, first_child, last_child, depth, is_shadow_host, is_label, data }
    }

    pub(super) fn detach(&self) {
        let (parent, previous, next) = (self.parent.take(), self.previous.take(), self.next.take());
        match (next, parent) {
            (Some(next), _) => next.previous.set(previous),
            (None, Some(parent)) => parent.last_child.set(previous),
            (None, None) => {}
        }
        match (previous, parent) {
            (Some(previous), _) => previous.next.set(next),
            (None, Some(parent)) => parent.first_child.set(next),
            (None, None) => {}
        }
    }

    pub(super) fn append(&'a self, child: Ref<'a>) {
        child.detach();
        child.parent.set(Some(self));
        child.depth.set(self.depth.get() + 1);
        match self.last_child.replace(Some(child)) {
            Some(last) => {
                child.previous.set(Some(last));
                last.next.set(Some(child));
            }
            None => self.first_child.set(Some(child)),
        }
    }

    pub(super) fn insert_before(&'a self, sibling: Ref<'a>) {
        sibling.detach();
        sibling.parent.set(self.parent.get());
        sibling.depth.set(self.depth.get());
        sibling.next.set(Some(self));
        match self.previous.replace(Some(sibling)) {
            Some(previous) => {
                sibling.previous.set(Some(previous));
                previous.next.set(Some(sibling));
            }
            None => {
                if let Some(parent) = self.parent.get() {
                    parent.first_child.set(Some(sibling));
                }
            }
        }
    }

    pub(super) fn push_text(&self, text: &StrTendril) -> bool {
        match &self.data {
            LinkedData::Text(held) => {
                held.borrow_mut().push_tendril(text);
                true
            }
            _ => false,
        }
    }
}

pub(super) fn children(node: Ref<'_>) -> Vec<Ref<'_>> {
    std::iter::successors(node.first_child.get(), |child| child.next.get()).collect()
}

/// Returns the node after a node in document order, below `root`.
pub(super) fn after<'a>(node: Ref<'a>, root: Ref<'a>) -> Option<Ref<'a>> {
    if let Some(child) = node.first_child.get() {
        return Some(child);
    }
    let mut at = node;
    while at.next.get().is_none() {
        at = at.parent.get().filter(|parent| !std::ptr::eq(*parent, root))?;
    }
    at.next.get()
}

/// Returns the name of an element.
pub(super) fn name(node: Ref<'_>) -> Option<LocalName> {
    match &node.data {
        LinkedData::Element { name, .. } => Some(name.local.clone()),
        _ => None,
    }
}

pub(super) fn attribute(node: Ref<'_>, wanted: &LocalName) -> Option<String> {
    let LinkedData::Element { attributes, .. } = &node.data else { return None };
    let attributes = attributes.borrow();
    let found = attributes.iter().find(|attribute| attribute.name.local == *wanted)?;
    Some(found.value.to_string())
}
