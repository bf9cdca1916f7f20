//! Tabs: each panel gets the label that a reader clicks to see it.
//!
//! Labels are a row of their own, and panels come after it, shown one at a time. In a text all of them are shown, so that a panel
//! without its label means nothing.

use super::linked::{Linked, LinkedData, Ref, after, attribute, children, name};
use crate::style;
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
    /// Links to places on the page, which jQuery UI makes tabs.
    places: Vec<Ref<'a>>,
    /// Panels that name their labels.
    named: Vec<Ref<'a>>,
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
            let is_link = name.local == local_name!("a");
            let may_toggle = is_link || name.local == local_name!("button");
            for attribute in attributes.borrow().iter() {
                if attribute.name.local == local_name!("role") {
                    let role = attribute.value.trim();
                    if role.eq_ignore_ascii_case("tablist") {
                        self.lists.push(node);
                    } else if role.eq_ignore_ascii_case("tabpanel") {
                        self.named.push(node);
                    }
                } else if is_link && attribute.name.local == local_name!("href") {
                    if attribute.value.len() > 1 && attribute.value.starts_with('#') {
                        self.places.push(node);
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
        let mut taken: BTreeSet<*const Linked<'a>> = BTreeSet::new();
        taken.extend(rows.iter().flat_map(|(_, tabs)| tabs.iter().map(|tab| std::ptr::from_ref(*tab))));
        for toggle in self.toggles {
            let item = toggle.parent.get().filter(|above| name(above) == Some(local_name!("li")));
            let list = item.unwrap_or(toggle).parent.get();
            if let Some(list) = list.filter(|_| taken.insert(std::ptr::from_ref(toggle))) {
                push_tab(&mut rows, list, toggle);
            }
        }
        let mut lists: Vec<TabRow<'a>> = Vec::new();
        for link in self.places.into_iter().filter(|link| !taken.contains(&std::ptr::from_ref(*link))) {
            let item = link.parent.get().filter(|above| name(above) == Some(local_name!("li")));
            let item = item.filter(|item| !taken.contains(&std::ptr::from_ref(*item)));
            if let Some(list) = item.and_then(|item| item.parent.get()) {
                push_tab(&mut lists, list, link);
            }
        }
        rows.extend(lists.into_iter().filter(|(list, links)| leads_to_panels(list, links)));
        rows.retain(|(_, tabs)| (2..=MOST_TABS).contains(&tabs.len()));
        if rows.is_empty() && self.named.len() < 2 {
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
                put_label(tab, panel);
            }
        }
        // Labels that no list holds as tabs: only their panels say what they are.
        for panel in self.named {
            let named = attribute(panel, &local_name!("aria-labelledby"));
            let label = named.and_then(|id| ids.get(id.trim()).copied()).filter(|label| {
                let is_alone = !next_element(label).is_some_and(|next| std::ptr::eq(next, panel));
                is_alone && !label.is_label.get() && !has_above(label, panel) && !has_above(panel, label)
            });
            let is_inline = |label: &Ref<'a>| {
                matches!(
                    name(label),
                    Some(local_name!("a") | local_name!("button") | local_name!("span") | local_name!("li"))
                )
            };
            let is_labelled = panel.first_child.get().is_some_and(|first| first.is_label.get());
            if let Some(label) = label.filter(|label| is_inline(label) && !is_labelled) {
                put_label(label, panel);
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

fn put_label<'a>(label: Ref<'a>, panel: Ref<'a>) {
    if let Some(first) = panel.first_child.get() {
        first.insert_before(label);
        label.is_label.set(true);
    }
}

/// Returns `true` if each item of a list is a link to one of the elements right after the list, and the page says that these are
/// panels: by a name of the list or of what is around it, or by hiding all but one. Links of a table of contents lead to
/// sections that are all shown.
fn leads_to_panels<'a>(list: Ref<'a>, links: &[Ref<'a>]) -> bool {
    if !(2..=MOST_TABS).contains(&links.len()) {
        return false;
    }
    let parent = list.parent.get();
    let is_named = || parent.into_iter().chain([list]).any(says_tabs);
    let items = std::iter::successors(list.first_child.get(), |item| item.next.get());
    let behind = std::iter::successors(next_element(list), |panel| next_element(panel)).take(links.len());
    let panels: BTreeMap<String, Ref<'a>> = behind
        .filter(|panel| {
            name(panel) == Some(local_name!("div")) || name(panel) == Some(local_name!("section"))
        })
        .filter_map(|panel| Some((attribute(panel, &local_name!("id"))?, panel)))
        .collect();
    let targets: BTreeSet<String> = links.iter().filter_map(|link| target(link)).collect();
    let is_hidden = |panel: &&Ref<'a>| {
        attribute(panel, &local_name!("hidden")).is_some()
            || attribute(panel, &local_name!("style")).is_some_and(|style| style::hides(&style))
    };
    targets.len() == links.len()
        && items.filter(|item| name(item).is_some()).take(MOST_TABS + 1).count() == links.len()
        && panels.keys().eq(&targets)
        && (is_named() || panels.values().filter(is_hidden).count() + 1 == links.len())
}

/// Returns `true` if an `id` or a class of an element has a word such as `tabs`.
fn says_tabs(node: Ref<'_>) -> bool {
    let says = |name: &str| {
        let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
        words.any(|word| {
            let word = word.to_ascii_lowercase();
            word.starts_with("tab") && !word.starts_with("tabl") || word == "tablist"
        })
    };
    let names = [local_name!("class"), local_name!("id")];
    names.iter().filter_map(|name| attribute(node, name)).any(|name| says(&name))
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
