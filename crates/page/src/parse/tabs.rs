//! Tabs: each panel gets the label that a reader clicks to see it.
//!
//! Labels are a row of their own, and panels come after it, shown one at a time. In a text all of them are shown, so that a panel
//! without its label means nothing.

use super::tree::Tree;
use crate::style;
use crate::tags::{Attr, Tag};
use std::collections::{BTreeMap, BTreeSet};

/// What may be tabs, noted while the tree is built.
#[derive(Default)]
pub(super) struct TabLists {
    /// Elements with the role of a list of tabs.
    lists: Vec<u32>,
    /// Labels of buttons that exclude each other, and the `id`s of such buttons.
    labels: Vec<u32>,
    radios: BTreeSet<String>,
    /// Links and buttons that Bootstrap makes tabs.
    toggles: Vec<u32>,
    /// Links to places on the page, which jQuery UI makes tabs.
    places: Vec<u32>,
    /// Panels that name their labels.
    named: Vec<u32>,
}

impl TabLists {
    pub(super) fn note(&mut self, tree: &Tree, node: u32) {
        let tag = tree.html_tag(node);
        match tag {
            Tag::None => return,
            Tag::Label if tree.attribute_named(node, "for").is_some() => {
                self.labels.push(node);
                return;
            }
            Tag::Input => {
                let kind = tree.attribute(node, Attr::Type);
                if kind.is_some_and(|kind| kind.eq_ignore_ascii_case("radio")) {
                    self.radios.extend(tree.attribute(node, Attr::Id).map(str::to_owned));
                }
                return;
            }
            _ => {}
        }
        // One look at the attributes, since every element is noted.
        for attribute in tree.attribute_records(node) {
            let value = || tree.value(attribute);
            match attribute.known {
                Attr::Role if value().trim().eq_ignore_ascii_case("tablist") => self.lists.push(node),
                Attr::Role if value().trim().eq_ignore_ascii_case("tabpanel") => self.named.push(node),
                Attr::Href if tag == Tag::A && value().len() > 1 && value().starts_with('#') => {
                    self.places.push(node);
                }
                Attr::Other
                    if matches!(tag, Tag::A | Tag::Button)
                        && matches!(value(), "tab" | "pill")
                        && matches!(&*attribute.name, "data-toggle" | "data-bs-toggle") =>
                {
                    self.toggles.push(node);
                }
                _ => {}
            }
        }
    }

    /// Moves the labels to the panels.
    pub(super) fn label_panels(self, tree: &mut Tree) {
        let rows = self.rows(tree);
        if rows.is_empty() && self.named.len() < 2 {
            return;
        }
        let mut ids: BTreeMap<String, u32> = BTreeMap::new();
        for node in tree.descendants(Tree::DOCUMENT) {
            if let Some(id) = tree.attribute(node, Attr::Id) {
                ids.entry(id.to_owned()).or_insert(node);
            }
        }
        for (list, tabs) in rows {
            let Some(panels) = panels(tree, list, &tabs, &ids) else { continue };
            for (tab, panel) in tabs.into_iter().zip(panels) {
                put_label(tree, tab, panel);
            }
        }
        // Labels that no list holds as tabs: only their panels say what they are.
        for panel in self.named {
            let named = tree.attribute_named(panel, "aria-labelledby");
            let label = named.and_then(|id| ids.get(id.trim()).copied()).filter(|label| {
                let is_alone = next_element(tree, *label) != Some(panel);
                let is_inline = matches!(tree.known_tag(*label), Tag::A | Tag::Button | Tag::Span | Tag::Li);
                is_alone
                    && is_inline
                    && !tree.node(*label).class().label
                    && !has_above(tree, *label, panel)
                    && !has_above(tree, panel, *label)
            });
            let is_labelled = tree.first_child(panel).is_some_and(|first| tree.node(first).class().label);
            if let Some(label) = label.filter(|_| !is_labelled) {
                put_label(tree, label, panel);
            }
        }
    }

    /// Returns the rows of tabs.
    fn rows(&self, tree: &Tree) -> Vec<TabRow> {
        let mut rows: Vec<TabRow> = Vec::new();
        for list in &self.lists {
            rows.push((*list, tree.descendants(*list).filter(|node| has_role(tree, *node, "tab")).collect()));
        }
        for label in &self.labels {
            let target = tree.attribute_named(*label, "for").unwrap_or_default();
            let Some(parent) = tree.parent(*label).filter(|_| self.radios.contains(target)) else { continue };
            push_tab(&mut rows, parent, *label);
        }
        let mut taken: BTreeSet<u32> = rows.iter().flat_map(|(_, tabs)| tabs).copied().collect();
        let item_of = |link: u32| tree.parent(link).filter(|above| tree.known_tag(*above) == Tag::Li);
        for toggle in &self.toggles {
            let list = tree.parent(item_of(*toggle).unwrap_or(*toggle));
            if let Some(list) = list.filter(|_| taken.insert(*toggle)) {
                push_tab(&mut rows, list, *toggle);
            }
        }
        let mut lists: Vec<TabRow> = Vec::new();
        for link in self.places.iter().filter(|link| !taken.contains(link)) {
            let item = item_of(*link).filter(|item| !taken.contains(item));
            if let Some(list) = item.and_then(|item| tree.parent(item)) {
                push_tab(&mut lists, list, *link);
            }
        }
        rows.extend(lists.into_iter().filter(|(list, links)| leads_to_panels(tree, *list, links)));
        rows.retain(|(_, tabs)| (2..=MOST_TABS).contains(&tabs.len()));
        rows
    }
}

/// What holds tabs, and the tabs.
type TabRow = (u32, Vec<u32>);

/// Adds a tab to the last row, if that is of the same list, or to a row of its own.
fn push_tab(rows: &mut Vec<TabRow>, list: u32, tab: u32) {
    match rows.last_mut() {
        Some((last, tabs)) if *last == list => tabs.push(tab),
        _ => rows.push((list, vec![tab])),
    }
}

fn put_label(tree: &mut Tree, label: u32, panel: u32) {
    if let Some(first) = tree.first_child(panel).filter(|first| *first != label) {
        tree.detach(label);
        tree.insert_before(first, label);
        tree.set_label(label);
    }
}

/// Returns `true` if each item of a list is a link to one of the elements right after the list, and the page says that these are
/// panels: by a name of the list or of what is around it, or by hiding all but one. Links of a table of contents lead to
/// sections that are all shown.
fn leads_to_panels(tree: &Tree, list: u32, links: &[u32]) -> bool {
    if !(2..=MOST_TABS).contains(&links.len()) {
        return false;
    }
    let is_named = || tree.parent(list).into_iter().chain([list]).any(|node| says_tabs(tree, node));
    let items = tree.children(list).filter(|item| tree.name(*item).is_some());
    let behind = std::iter::successors(next_element(tree, list), |panel| next_element(tree, *panel));
    let panels: BTreeMap<&str, u32> = behind
        .take(links.len())
        .filter(|panel| matches!(tree.known_tag(*panel), Tag::Div | Tag::Section))
        .filter_map(|panel| Some((tree.attribute(panel, Attr::Id)?, panel)))
        .collect();
    let targets: BTreeSet<&str> = links.iter().filter_map(|link| target(tree, *link)).collect();
    let is_hidden = |panel: &&u32| {
        tree.attribute(**panel, Attr::Hidden).is_some()
            || tree.attribute(**panel, Attr::Style).is_some_and(style::hides)
    };
    targets.len() == links.len()
        && items.take(MOST_TABS + 1).count() == links.len()
        && panels.keys().eq(&targets)
        && (is_named() || panels.values().filter(is_hidden).count() + 1 == links.len())
}

/// Returns `true` if an `id` or a class of an element has a word such as `tabs`.
fn says_tabs(tree: &Tree, node: u32) -> bool {
    let says = |name: &str| {
        let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| {
            let word = word.to_ascii_lowercase();
            word.starts_with("tab") && !word.starts_with("tabl") || word == "tablist"
        })
    };
    [Attr::Class, Attr::Id].iter().filter_map(|name| tree.attribute(node, *name)).any(says)
}

/// More are a list of something else.
const MOST_TABS: usize = 24;

/// Returns the panel of each tab; `None` if one has none.
fn panels(tree: &Tree, list: u32, tabs: &[u32], ids: &BTreeMap<String, u32>) -> Option<Vec<u32>> {
    let is_panel = |panel: u32, tab: u32| {
        tree.first_child(panel).is_some() && !has_above(tree, panel, tab) && !has_above(tree, tab, panel)
    };
    let are_panels = |panels: &Vec<u32>| {
        panels.len() == tabs.len()
            && panels.iter().zip(tabs).all(|(panel, tab)| is_panel(*panel, *tab))
            && panels.iter().enumerate().all(|(at, panel)| !panels[..at].contains(panel))
    };
    let of_ids = tabs.iter().filter_map(|tab| ids.get(target(tree, *tab)?).copied()).collect();
    if are_panels(&of_ids) {
        return Some(of_ids);
    }
    // Each panel right behind its label.
    let behind = tabs.iter().filter_map(|tab| next_element(tree, *tab));
    let behind: Vec<u32> =
        behind.filter(|next| !matches!(tree.known_tag(*next), Tag::Label | Tag::Input | Tag::Br)).collect();
    if are_panels(&behind) && behind.iter().all(|panel| tree.known_tag(*panel) == Tag::Div) {
        return Some(behind);
    }
    // The children of what comes after the row, in its order. A form asks a question, and has no panels.
    if tree.around(list).any(|above| tree.known_tag(above) == Tag::Form) {
        return None;
    }
    let after = tree.around(list).take(2).find_map(|above| next_element(tree, above))?;
    let inside: Vec<u32> = tree.children(after).filter(|child| tree.name(*child).is_some()).collect();
    let is_alike = |child: &u32| {
        has_role(tree, *child, "tabpanel")
            || (tree.name(*child) == tree.name(inside[0]) && tree.attribute(*child, Attr::Class).is_some())
    };
    let alike = !inside.is_empty() && inside.iter().all(is_alike);
    (alike && are_panels(&inside)).then_some(inside)
}

/// Returns the `id` that a tab names, on itself or on the link in it.
fn target(tree: &Tree, tab: u32) -> Option<&str> {
    let named = |node: u32| {
        tree.attribute_named(node, "aria-controls").or_else(|| {
            let names = ["data-bs-target", "data-target", "href"];
            let place = names.iter().find_map(|name| tree.attribute_named(node, name))?;
            place.strip_prefix('#').filter(|id| !id.is_empty())
        })
    };
    named(tab).or_else(|| tree.children(tab).find_map(named))
}

fn has_role(tree: &Tree, node: u32, role: &str) -> bool {
    tree.attribute(node, Attr::Role).is_some_and(|held| held.trim().eq_ignore_ascii_case(role))
}

fn has_above(tree: &Tree, node: u32, above: u32) -> bool {
    tree.around(node).any(|held| held == above)
}

fn next_element(tree: &Tree, node: u32) -> Option<u32> {
    std::iter::successors(tree.next(node), |next| tree.next(*next)).find(|next| tree.name(*next).is_some())
}
