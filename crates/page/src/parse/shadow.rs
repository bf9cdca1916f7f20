//! Shadow roots that the markup declares: `<template shadowrootmode=open>`.
//!
//! A browser shows the content of the template in place of the children of its host, and shows those children where the
//! content has a `slot` for them. The tree is the one that is shown.

use super::tree::Tree;
use crate::tags::Tag;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub(super) struct ShadowRoots {
    /// The host and the content of each. An outer root comes before those in it, which are not yet part of its tree.
    roots: Vec<(u32, u32)>,
    hosts: BTreeSet<u32>,
}

impl ShadowRoots {
    /// Returns `false` if an element has a root already, or can have none; the template then is one like others.
    pub(super) fn add(&mut self, host: u32, template: u32, tree: &mut Tree) -> bool {
        if !tree.name(host).is_some_and(|name| may_host(name)) || !self.hosts.insert(host) {
            return false;
        }
        let content = tree.content(template);
        // So that the bound on the depth holds for content in content.
        tree.set_depth(content, tree.node(host).depth);
        self.roots.push((host, content));
        true
    }

    /// Puts the contents into their hosts, and the children of the hosts into the slots of the contents.
    pub(super) fn show(self, tree: &mut Tree) {
        for (host, content) in self.roots {
            show(host, content, tree);
        }
    }
}

fn show(host: u32, content: u32, tree: &mut Tree) {
    let mut slots: BTreeMap<String, u32> = BTreeMap::new();
    for node in tree.descendants(content) {
        if tree.node(node).tag == Tag::Slot {
            slots.entry(tree.attribute_named(node, "name").unwrap_or_default().to_owned()).or_insert(node);
        }
    }
    let mut filled: BTreeSet<u32> = BTreeSet::new();
    for child in tree.children(host).collect::<Vec<_>>() {
        tree.detach(child);
        let Some(slot) = slots.get(tree.attribute_named(child, "slot").unwrap_or_default()) else { continue };
        if filled.insert(*slot) {
            // What stands in a slot is shown only if nothing comes there.
            for held in tree.children(*slot).collect::<Vec<_>>() {
                tree.detach(held);
            }
        }
        tree.append(*slot, child);
    }
    tree.move_children(content, host);
}

/// Returns `true` for the names of elements that may have a shadow root.
// <https://dom.spec.whatwg.org/#valid-shadow-host-name>
fn may_host(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "article", "aside", "blockquote", "body", "div", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
        "header", "main", "nav", "p", "section", "span",
    ];
    name.contains('-') || NAMES.binary_search(&name).is_ok()
}
