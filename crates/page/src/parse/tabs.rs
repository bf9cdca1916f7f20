//! Tabs: each panel gets the label that a reader clicks to see it.
//!
//! Labels are a row of their own, and panels come after it, shown one at a time. In a text all of them are shown, so that a panel
//! without its label means nothing.

use super::linked::{LinkedData, Ref, after, attribute, children, name};
use html5ever::{LocalName, local_name, ns};
use std::collections::{BTreeMap, BTreeSet};

/// What may be tabs, noted while the tree is built.
#[derive(Default)]
pub(super) struct TabLists<'a> {
    /// Elements with the role of a list of tabs.
    lists: Vec<Ref<'a>>,
    /// Labels of buttons that exclude each other, and the `id`s of such buttons.
    labels: Vec<Ref<'a>>,
    radios: BTreeSet<String>,
    /// Links and buttons that Bootstrap makes tabs.
    toggles: Vec<Ref<'a>>,
}

impl<'a> TabLists<'a> {
    pub(super) fn note(&mut self, node: Ref<'a>) {
        let LinkedData::Element { name, attributes, .. } = &node.data else { return };
        if name.ns != ns!(html) {
            return;
        }
        if name.local == local_name!("label") && attribute(node, &local_name!("for")).is_some() {
            self.labels.push(node);
        } else if name.local == local_name!("input") {
            let kind = attribute(node, &local_name!("type"));
            if kind.is_some_and(|kind| kind.eq_ignore_ascii_case("radio")) {
                self.radios.extend(attribute(node, &local_name!("id")));
            }
        } else {
            // One look at the attributes, since every element is noted.
            let may_toggle = matches!(name.local, local_name!("a") | local_name!("button"));
            for attribute in attributes.borrow().iter() {
                if attribute.name.local == local_name!("role") {
                    if attribute.value.trim().eq_ignore_ascii_case("tablist") {
                        self.lists.push(node);
                    }
                } else if may_toggle
                    && matches!(&*attribute.value, "tab" | "pill")
                    && matches!(&*attribute.name.local, "data-toggle" | "data-bs-toggle")
                {
                    self.toggles.push(node);
                }
            }
        }
    }

    /// Moves the labels to the panels.
    pub(super) fn label_panels(self, document: Ref<'a>) {
        if self.lists.is_empty() && self.labels.is_empty() && self.toggles.is_empty() {
            return;
        }
        let mut rows: Vec<TabRow<'a>> = Vec::new();
        for list in self.lists {
            let tabs = descendants(list).filter(|node| has_role(node, "tab")).collect();
            rows.push((list, tabs));
        }
        for label in self.labels {
            let target = attribute(label, &local_name!("for")).unwrap_or_default();
            let Some(parent) = label.parent.get().filter(|_| self.radios.contains(&target)) else { continue };
            push_tab(&mut rows, parent, label);
        }
        let is_taken = |rows: &[TabRow<'a>], tab: Ref<'a>| {
            rows.iter().any(|(_, tabs)| tabs.iter().any(|held| std::ptr::eq(*held, tab)))
        };
        for toggle in self.toggles {
            let item = toggle.parent.get().filter(|above| name(above) == Some(local_name!("li")));
            let Some(list) = item.unwrap_or(toggle).parent.get().filter(|_| !is_taken(&rows, toggle)) else {
                continue;
            };
            push_tab(&mut rows, list, toggle);
        }
        rows.retain(|(_, tabs)| (2..=MOST_TABS).contains(&tabs.len()));
        if rows.is_empty() {
            return;
        }
        let mut ids: BTreeMap<String, Ref<'a>> = BTreeMap::new();
        for node in descendants(document) {
            if let Some(id) = attribute(node, &local_name!("id")) {
                ids.entry(id).or_insert(node);
            }
        }
        for (list, tabs) in rows {
            let Some(panels) = panels(list, &tabs, &ids) else { continue };
            for (tab, panel) in tabs.into_iter().zip(panels) {
                if let Some(first) = panel.first_child.get() {
                    first.insert_before(tab);
                    tab.is_label.set(true);
                }
            }
        }
    }
}

/// What holds tabs, and the tabs.
type TabRow<'a> = (Ref<'a>, Vec<Ref<'a>>);

/// Adds a tab to the last row, if that is of the same list, or to a row of its own.
fn push_tab<'a>(rows: &mut Vec<TabRow<'a>>, list: Ref<'a>, tab: Ref<'a>) {
    match rows.last_mut() {
        Some((last, tabs)) if std::ptr::eq(*last, list) => tabs.push(tab),
        _ => rows.push((list, vec![tab])),
    }
}

/// More are a list of something else.
const MOST_TABS: usize = 24;

/// Returns the panel of each tab; `None` if one has none.
fn panels<'a>(list: Ref<'a>, tabs: &[Ref<'a>], ids: &BTreeMap<String, Ref<'a>>) -> Option<Vec<Ref<'a>>> {
    let is_panel = |panel: &Ref<'a>, tab: &Ref<'a>| {
        panel.first_child.get().is_some() && !has_above(panel, tab) && !has_above(tab, panel)
    };
    let are_panels = |panels: &Vec<Ref<'a>>| {
        panels.len() == tabs.len()
            && panels.iter().zip(tabs).all(|(panel, tab)| is_panel(panel, tab))
            && panels
                .iter()
                .enumerate()
                .all(|(at, panel)| !panels[..at].iter().any(|other| std::ptr::eq(*other, *panel)))
    };
    let of_ids = tabs.iter().filter_map(|tab| ids.get(&target(tab)?).copied()).collect();
    if are_panels(&of_ids) {
        return Some(of_ids);
    }
    // Each panel right behind its label.
    let behind = tabs.iter().filter_map(|tab| next_element(tab));
    let behind: Vec<_> = behind
        .filter(|next| {
            !matches!(name(next), Some(local_name!("label") | local_name!("input") | local_name!("br")))
        })
        .collect();
    if are_panels(&behind) && behind.iter().all(|panel| name(panel) == Some(local_name!("div"))) {
        return Some(behind);
    }
    // The children of what comes after the row, in its order. A form asks a question, and has no panels.
    if std::iter::once(list).chain(ancestors(list)).any(|above| name(above) == Some(local_name!("form"))) {
        return None;
    }
    let after = std::iter::once(list).chain(ancestors(list)).take(2).find_map(next_element)?;
    let inside: Vec<_> = children(after).into_iter().filter(|child| name(child).is_some()).collect();
    let is_alike = |child: &Ref<'a>| {
        has_role(child, "tabpanel")
            || (name(child) == name(inside[0]) && attribute(child, &local_name!("class")).is_some())
    };
    let alike = !inside.is_empty() && inside.iter().all(is_alike);
    (alike && are_panels(&inside)).then_some(inside)
}

/// Returns the `id` that a tab names, on itself or on the link in it.
fn target(tab: Ref<'_>) -> Option<String> {
    let named = |node: Ref<'_>| {
        attribute(node, &local_name!("aria-controls")).or_else(|| {
            let names =
                [LocalName::from("data-bs-target"), LocalName::from("data-target"), local_name!("href")];
            let place = names.iter().find_map(|name| attribute(node, name))?;
            place.strip_prefix('#').filter(|id| !id.is_empty()).map(str::to_owned)
        })
    };
    named(tab).or_else(|| children(tab).into_iter().find_map(named))
}

fn has_role(node: Ref<'_>, role: &str) -> bool {
    attribute(node, &local_name!("role")).is_some_and(|held| held.trim().eq_ignore_ascii_case(role))
}

fn descendants(root: Ref<'_>) -> impl Iterator<Item = Ref<'_>> {
    std::iter::successors(root.first_child.get(), move |node| after(node, root))
}

fn ancestors(node: Ref<'_>) -> impl Iterator<Item = Ref<'_>> {
    std::iter::successors(node.parent.get(), |node| node.parent.get())
}

fn has_above<'a>(node: Ref<'a>, above: Ref<'a>) -> bool {
    std::ptr::eq(node, above) || ancestors(node).any(|held| std::ptr::eq(held, above))
}

fn next_element(node: Ref<'_>) -> Option<Ref<'_>> {
    std::iter::successors(node.next.get(), |next| next.next.get()).find(|next| name(next).is_some())
}
