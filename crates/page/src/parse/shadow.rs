//! Shadow roots that the markup declares: `<template shadowrootmode=open>`.
//!
//! A browser shows the content of the template in place of the children of its host, and shows those children where the
//! content has a `slot` for them. The tree is the one that is shown.

use super::linked::{Linked, LinkedData, Ref, after, attribute, children, name};
use html5ever::local_name;
use std::collections::BTreeMap;

pub(super) struct ShadowRoot<'a> {
    host: Ref<'a>,
    content: Ref<'a>,
}

impl<'a> ShadowRoot<'a> {
    /// Returns `None` if the host has a root already, or can have none; the template then is one like others.
    pub(super) fn of(host: Ref<'a>, template: Ref<'a>) -> Option<ShadowRoot<'a>> {
        if !may_host(&name(host)?) {
            return None;
        }
        let LinkedData::Element { template: Some(content), .. } = template.data else { return None };
        if host.is_shadow_host.replace(true) {
            return None;
        }
        // So that the bound on the depth holds for content in content.
        content.depth.set(host.depth.get());
        Some(ShadowRoot { host, content })
    }

    /// Puts the content into the host, and the children of the host into the slots of the content.
    pub(super) fn show(self) {
        let mut slots: BTreeMap<String, Ref<'a>> = BTreeMap::new();
        let mut next = self.content.first_child.get();
        while let Some(node) = next {
            if is_slot(node) {
                slots.entry(attribute(node, &local_name!("name")).unwrap_or_default()).or_insert(node);
            }
            next = after(node, self.content);
        }
        let mut filled: BTreeMap<String, Ref<'a>> = BTreeMap::new();
        for child in children(self.host) {
            child.detach();
            let name = attribute(child, &local_name!("slot")).unwrap_or_default();
            let Some(slot) = slots.get(&name) else { continue };
            if filled.insert(name, slot).is_none() {
                // What stands in a slot is shown only if nothing comes there.
                children(slot).into_iter().for_each(Linked::detach);
            }
            slot.append(child);
        }
        for child in children(self.content) {
            self.host.append(child);
        }
    }
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

fn is_slot(node: Ref<'_>) -> bool {
    name(node) == Some(local_name!("slot"))
}
