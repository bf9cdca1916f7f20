//! A tree with what is settled when the page ends: shadow roots and tabs.

use super::shadow::ShadowRoots;
use super::tabs::TabLists;
use super::tokenizer::TagAttributes;
use super::tree::Tree;
use crate::node::{Namespace, Nodes};
use crate::tags::Tag;
use markup5ever::LocalName;

pub(super) struct Draft {
    pub(super) tree: Tree,
    shadow_roots: ShadowRoots,
    tabs: TabLists,
}

impl Draft {
    pub(super) fn new(length: usize, most_attributes: usize) -> Draft {
        Draft {
            tree: Tree::new(length, most_attributes),
            shadow_roots: ShadowRoots::default(),
            tabs: TabLists::default(),
        }
    }

    /// Makes an element of a tag, and takes the tag's attributes. It stands nowhere yet.
    pub(super) fn element(
        &mut self,
        name: (LocalName, Tag),
        namespace: Namespace,
        attributes: &mut TagAttributes<'_>,
    ) -> u32 {
        let node = self.tree.element(name, namespace, attributes);
        self.tabs.note(&self.tree, node);
        node
    }

    /// Makes an element like another, with the same attributes.
    pub(super) fn copy(&mut self, node: u32) -> u32 {
        let copy = self.tree.element_like(node);
        self.tabs.note(&self.tree, copy);
        copy
    }

    /// Makes the content of a template the shadow root of an element; returns `false` if that can have none, or has one.
    pub(super) fn add_shadow_root(&mut self, host: u32, template: u32) -> bool {
        self.shadow_roots.add(host, template, &mut self.tree)
    }

    /// Returns the nodes in document order, and whether some were too deep to be kept.
    pub(super) fn finish(mut self) -> (Nodes, bool) {
        self.shadow_roots.show(&mut self.tree);
        self.tabs.label_panels(&mut self.tree);
        self.tree.finish()
    }
}
