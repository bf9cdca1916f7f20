//! The tree while it is built: nodes in the order in which they came, which on nine pages in ten is document order.

use super::tokenizer::{TagAttribute, TagAttributes};
use crate::limits::MAX_DEPTH;
use crate::node::{AttributeRecord, NONE, Namespace, NodeKind, NodeRecord, Nodes};
use crate::size::u32_of;
use crate::style::Layout;
use crate::tags::{Attr, Tag, TagBits, TagClass, TagSet};
use crate::text;
use markup5ever::LocalName;
use std::collections::BTreeMap;

/// Bytes of attribute values that every page may have. Beyond this and twice the length of the page, values are left
/// empty.
pub(crate) const FEW_ATTRIBUTE_BYTES: usize = 1 << 20;

/// The neighbours of a node that it does not name itself.
#[derive(Clone, Copy)]
struct Links {
    next: u32,
    first_child: u32,
    last_child: u32,
    /// Whether it is more of the text before it.
    continues: bool,
}

pub(super) struct Tree {
    kept: Nodes,
    links: Vec<Links>,
    is_ordered: bool,
    /// The contents of templates, which are kept outside the page, by the template.
    contents: BTreeMap<u32, u32>,
    has_controls: bool,
    attributes_left: usize,
    attribute_bytes_left: usize,
    attributes_dropped: bool,
}

/// Where a node goes: before another, or to the end of its parent.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) parent: u32,
    /// [`NONE`] for the end.
    pub(super) before: u32,
}

impl Tree {
    /// The document node.
    pub(super) const DOCUMENT: u32 = 0;

    pub(super) fn new(length: usize, most_attributes: usize) -> Tree {
        // As many as most pages have.
        let nodes = length / 32 + 16;
        let mut tree = Tree {
            kept: Nodes {
                records: Vec::with_capacity(nodes),
                attributes: Vec::with_capacity(nodes),
                attribute_text: String::with_capacity(length / 4),
                text: String::with_capacity(length / 2),
                comments: String::new(),
                tags: TagSet::of(&[]),
            },
            links: Vec::with_capacity(nodes),
            is_ordered: true,
            contents: BTreeMap::new(),
            has_controls: true,
            attributes_left: most_attributes,
            attribute_bytes_left: (2 * length).max(FEW_ATTRIBUTE_BYTES),
            attributes_dropped: false,
        };
        tree.push(record(NodeKind::Document, 0..0));
        tree
    }

    pub(super) fn set_has_controls(&mut self, has_controls: bool) {
        self.has_controls = has_controls;
    }

    pub(super) fn attributes_dropped(&self) -> bool {
        self.attributes_dropped
    }

    pub(super) fn len(&self) -> usize {
        self.kept.records.len()
    }

    pub(super) fn node(&self, id: u32) -> &NodeRecord {
        &self.kept.records[id as usize]
    }

    fn node_mut(&mut self, id: u32) -> &mut NodeRecord {
        &mut self.kept.records[id as usize]
    }

    fn push(&mut self, node: NodeRecord) -> u32 {
        let id = u32_of(self.kept.records.len());
        self.kept.records.push(node);
        self.links.push(Links { next: NONE, first_child: NONE, last_child: NONE, continues: false });
        id
    }

    /// Makes an element of a tag, and takes the tag's attributes. It stands nowhere yet.
    pub(super) fn element(
        &mut self,
        (name, tag): (LocalName, Tag),
        namespace: Namespace,
        attributes: &mut TagAttributes<'_>,
    ) -> u32 {
        let mut bits = match namespace {
            Namespace::Html => tag.bits(),
            Namespace::Svg => TagBits::of(TagClass::of_drawing(&name)),
            Namespace::MathMl => TagBits::default(),
        };
        self.kept.tags.insert(tag);
        let from = u32_of(self.kept.attributes.len());
        let held = self.admitted(attributes.len());
        for attribute in attributes.drain().take(held) {
            let value = self.push_value(&attribute.value);
            if attribute.known == Attr::Style && namespace == Namespace::Html {
                let layout = Layout::of(&self.kept.attribute_text[value.start as usize..]);
                bits.change(|class| layout.apply(class));
            }
            self.kept.attributes.push(AttributeRecord {
                name: attribute.name,
                known: attribute.known,
                namespace: attribute.namespace,
                from: value.start,
                to: value.end,
            });
        }
        let to = u32_of(self.kept.attributes.len());
        self.push(NodeRecord { name, namespace, tag, bits, ..record(NodeKind::Element, from..to) })
    }

    /// Makes an element like another, with the same attributes.
    pub(super) fn element_like(&mut self, other: u32) -> u32 {
        let mut node = self.node(other).clone();
        (node.parent, node.previous) = (NONE, NONE);
        let held = u32_of(self.admitted((node.to - node.from) as usize));
        node.to = node.from + held;
        let attributes = &self.kept.attributes[node.from as usize..node.to as usize];
        let bytes = attributes.iter().map(|attribute| (attribute.to - attribute.from) as usize).sum();
        if let Some(left) = self.attribute_bytes_left.checked_sub(bytes) {
            self.attribute_bytes_left = left;
        } else {
            // What comes later finds no room either.
            self.attribute_bytes_left = 0;
            let emptied: Vec<AttributeRecord> = attributes
                .iter()
                .map(|attribute| AttributeRecord { from: 0, to: 0, ..attribute.clone() })
                .collect();
            node.from = u32_of(self.kept.attributes.len());
            self.kept.attributes.extend(emptied);
            node.to = u32_of(self.kept.attributes.len());
        }
        self.push(node)
    }

    /// Returns how many attributes of so many the page may still have.
    fn admitted(&mut self, wanted: usize) -> usize {
        let admitted = wanted.min(self.attributes_left);
        self.attributes_dropped |= admitted < wanted;
        self.attributes_left -= admitted;
        admitted
    }

    fn push_value(&mut self, value: &str) -> std::ops::Range<u32> {
        let text = &mut self.kept.attribute_text;
        let from = u32_of(text.len());
        if let Some(left) = self.attribute_bytes_left.checked_sub(value.len()) {
            self.attribute_bytes_left = left;
            push_without_controls(text, value, self.has_controls);
        }
        from..u32_of(text.len())
    }

    /// Adds the attributes that an element does not have, up to `most`.
    pub(super) fn add_attributes(&mut self, id: u32, attributes: &mut TagAttributes<'_>, most: usize) {
        let (from, to) = (self.node(id).from as usize, self.node(id).to as usize);
        let held = &self.kept.attributes[from..to];
        let mut all = held.to_vec();
        for attribute in attributes.drain() {
            if all.len() < most && all.iter().all(|held| held.name != attribute.name) {
                let value = self.push_value(&attribute.value);
                let TagAttribute { name, known, namespace, .. } = attribute;
                all.push(AttributeRecord { name, known, namespace, from: value.start, to: value.end });
            }
        }
        if all.len() > to - from {
            let from = u32_of(self.kept.attributes.len());
            self.kept.attributes.extend(all);
            let to = u32_of(self.kept.attributes.len());
            let node = self.node_mut(id);
            (node.from, node.to) = (from, to);
            self.set_layout(id);
        }
    }

    /// Reads the style of an element that got one after it was made.
    fn set_layout(&mut self, id: u32) {
        let mut bits = self.node(id).tag.bits();
        if let Some(style) = self.attribute(id, Attr::Style) {
            bits.change(|class| Layout::of(style).apply(class));
        }
        self.node_mut(id).bits = bits;
    }

    pub(super) fn comment(&mut self, kind: NodeKind, text: &str) -> u32 {
        let from = u32_of(self.kept.comments.len());
        self.kept.comments.push_str(text);
        let to = u32_of(self.kept.comments.len());
        self.push(record(kind, from..to))
    }

    /// Returns the content of a template, whose children are no part of the page.
    pub(super) fn content(&mut self, template: u32) -> u32 {
        if let Some(content) = self.contents.get(&template) {
            return *content;
        }
        self.is_ordered = false;
        let content = self.push(record(NodeKind::Document, 0..0));
        self.contents.insert(template, content);
        content
    }

    pub(super) fn insert_text(&mut self, place: Place, text: &str) {
        let neighbour = match place.before {
            NONE => self.links[place.parent as usize].last_child,
            before => self.node(before).previous,
        };
        let from = u32_of(self.kept.text.len());
        push_without_controls(&mut self.kept.text, text, self.has_controls);
        let to = u32_of(self.kept.text.len());
        if from == to {
            return;
        }
        let continues = neighbour != NONE && self.node(neighbour).kind == NodeKind::Text;
        if continues && self.node(neighbour).to == from {
            self.node_mut(neighbour).to = to;
            return;
        }
        let id = self.push(record(NodeKind::Text, from..to));
        self.links[id as usize].continues = continues;
        self.insert(place, id);
    }

    /// Puts a node that stands nowhere into a place.
    pub(super) fn insert(&mut self, place: Place, id: u32) {
        if place.before == NONE {
            self.append(place.parent, id);
        } else {
            self.insert_before(place.before, id);
        }
    }

    pub(super) fn append(&mut self, parent: u32, child: u32) {
        self.is_ordered = self.is_ordered && self.comes_next(parent, child);
        let depth = self.node(parent).depth + 1;
        let previous = std::mem::replace(&mut self.links[parent as usize].last_child, child);
        let node = self.node_mut(child);
        (node.parent, node.previous, node.depth) = (parent, previous, depth);
        match previous {
            NONE => self.links[parent as usize].first_child = child,
            previous => self.links[previous as usize].next = child,
        }
    }

    /// Returns `true` if a node that is appended to `parent` comes after all others in document order.
    fn comes_next(&self, parent: u32, child: u32) -> bool {
        let depth = self.node(parent).depth;
        let mut last = child.wrapping_sub(1);
        while self.node(last).depth > depth {
            last = self.node(last).parent;
        }
        last == parent && child as usize + 1 == self.len()
    }

    pub(super) fn insert_before(&mut self, sibling: u32, child: u32) {
        self.is_ordered = false;
        let NodeRecord { parent, previous, depth, .. } = *self.node(sibling);
        let node = self.node_mut(child);
        (node.parent, node.previous, node.depth) = (parent, previous, depth);
        self.node_mut(sibling).previous = child;
        self.links[child as usize].next = sibling;
        match previous {
            NONE if parent != NONE => self.links[parent as usize].first_child = child,
            NONE => {}
            previous => self.links[previous as usize].next = child,
        }
    }

    pub(super) fn detach(&mut self, id: u32) {
        self.is_ordered = false;
        let node = self.node_mut(id);
        let parent = std::mem::replace(&mut node.parent, NONE);
        let previous = std::mem::replace(&mut node.previous, NONE);
        let next = std::mem::replace(&mut self.links[id as usize].next, NONE);
        if next != NONE {
            self.node_mut(next).previous = previous;
        } else if parent != NONE {
            self.links[parent as usize].last_child = previous;
        }
        if previous != NONE {
            self.links[previous as usize].next = next;
        } else if parent != NONE {
            self.links[parent as usize].first_child = next;
        }
    }

    /// Moves all children of a node to the end of another.
    pub(super) fn move_children(&mut self, from: u32, to: u32) {
        while let Some(child) = self.first_child(from) {
            self.detach(child);
            self.append(to, child);
        }
    }

    pub(super) fn parent(&self, id: u32) -> Option<u32> {
        some(self.node(id).parent)
    }

    pub(super) fn first_child(&self, id: u32) -> Option<u32> {
        some(self.links[id as usize].first_child)
    }

    pub(super) fn next(&self, id: u32) -> Option<u32> {
        some(self.links[id as usize].next)
    }

    pub(super) fn children(&self, id: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(self.first_child(id), |child| self.next(*child))
    }

    /// Returns the nodes below a node in document order.
    pub(super) fn descendants(&self, root: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(self.first_child(root), move |node| self.after(*node, root))
    }

    /// Returns the node after a node in document order, below `root`.
    fn after(&self, node: u32, root: u32) -> Option<u32> {
        self.first_child(node).or_else(|| {
            let mut around = self.around(node).take_while(|above| *above != root);
            around.find_map(|above| self.next(above))
        })
    }

    /// Returns a node and its ancestors, innermost first.
    pub(super) fn around(&self, id: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(id), |id| self.parent(*id))
    }

    /// Returns the name of an element.
    pub(super) fn name(&self, id: u32) -> Option<&LocalName> {
        let node = self.node(id);
        (node.kind == NodeKind::Element).then_some(&node.name)
    }

    /// Returns the tag of an element of any namespace.
    pub(super) fn known_tag(&self, id: u32) -> Tag {
        self.node(id).tag
    }

    /// Returns the tag of an element of HTML; [`Tag::None`] for other nodes.
    pub(super) fn html_tag(&self, id: u32) -> Tag {
        let node = self.node(id);
        if node.namespace == Namespace::Html { node.tag } else { Tag::None }
    }

    pub(super) fn attribute_records(&self, id: u32) -> &[AttributeRecord] {
        let node = self.node(id);
        let range = if node.kind == NodeKind::Element { node.from as usize..node.to as usize } else { 0..0 };
        &self.kept.attributes[range]
    }

    pub(super) fn value(&self, attribute: &AttributeRecord) -> &str {
        &self.kept.attribute_text[attribute.from as usize..attribute.to as usize]
    }

    pub(super) fn attribute(&self, id: u32, known: Attr) -> Option<&str> {
        let found = self.attribute_records(id).iter().find(|held| held.known == known);
        found.map(|held| self.value(held))
    }

    pub(super) fn attribute_named(&self, id: u32, name: &str) -> Option<&str> {
        let found = self.attribute_records(id).iter().find(|held| *held.name == *name);
        found.map(|held| self.value(held))
    }

    /// Returns `true` if an `annotation-xml` says that it holds HTML.
    pub(super) fn holds_html(&self, id: u32) -> bool {
        self.attribute_named(id, "encoding").is_some_and(|encoding| {
            ["text/html", "application/xhtml+xml"].iter().any(|html| encoding.eq_ignore_ascii_case(html))
        })
    }

    /// Makes an element the label of a tab.
    pub(super) fn set_label(&mut self, id: u32) {
        self.node_mut(id).bits.change(|class| (class.label, class.line) = (true, true));
    }

    /// Places the content of a template as deep as its host, so that the bound on the depth holds for content in content.
    pub(super) fn set_depth(&mut self, id: u32, depth: u32) {
        self.node_mut(id).depth = depth;
    }

    /// Returns the nodes in document order, and whether some were too deep to be kept.
    pub(super) fn finish(mut self) -> (Nodes, bool) {
        if !self.is_ordered {
            return self.ordered();
        }
        for id in (0..self.len()).rev() {
            self.kept.records[id].end = match self.links[id].last_child {
                NONE => u32_of(id + 1),
                last => self.node(last).end,
            };
        }
        (self.kept, false)
    }

    fn ordered(mut self) -> (Nodes, bool) {
        let mut records: Vec<NodeRecord> = Vec::with_capacity(self.len());
        let mut texts = String::with_capacity(self.kept.text.len());
        let mut is_too_deep = false;
        // The ids in the finished tree of the open elements, and their ids in this one.
        let mut open: Vec<(u32, u32)> = Vec::new();
        let mut next = Some((Self::DOCUMENT, NONE));
        while let Some((old, previous)) = next {
            let id = u32_of(records.len());
            let text = self.node(old);
            let continued = records.last_mut().filter(|last| {
                self.links[old as usize].continues && last.kind == NodeKind::Text && previous + 1 == id
            });
            let length = text.to - text.from;
            let place = if text.kind == NodeKind::Text {
                let from = u32_of(texts.len());
                texts.push_str(&self.kept.text[text.from as usize..text.to as usize]);
                Some((from, from + length))
            } else {
                None
            };
            let last = if let Some(last) = continued {
                last.to += length;
                previous
            } else {
                let parent = open.last().map_or(NONE, |(id, _)| *id);
                let depth = u32_of(open.len());
                let name = std::mem::take(&mut self.node_mut(old).name);
                let mut node =
                    NodeRecord { name, parent, previous, depth, end: id + 1, ..self.node(old).clone() };
                (node.from, node.to) = place.unwrap_or((node.from, node.to));
                records.push(node);
                // Only the content of shadow roots can be deeper than the builder allows.
                let stops = depth > 2 * MAX_DEPTH;
                is_too_deep |= stops;
                if let Some(child) = self.first_child(old).filter(|_| !stops) {
                    open.push((id, old));
                    next = Some((child, NONE));
                    continue;
                }
                id
            };
            next = self.next(old).map(|sibling| (sibling, last));
            while next.is_none() {
                let Some((id, old)) = open.pop() else { break };
                records[id as usize].end = u32_of(records.len());
                next = self.next(old).map(|sibling| (sibling, id));
            }
        }
        (Nodes { records, text: texts, ..self.kept }, is_too_deep)
    }
}

fn some(id: u32) -> Option<u32> {
    (id != NONE).then_some(id)
}

fn record(kind: NodeKind, range: std::ops::Range<u32>) -> NodeRecord {
    NodeRecord {
        name: LocalName::default(),
        kind,
        namespace: Namespace::Html,
        tag: Tag::None,
        bits: TagBits::default(),
        parent: NONE,
        end: 0,
        previous: NONE,
        depth: 0,
        from: range.start,
        to: range.end,
    }
}

fn push_without_controls(to: &mut String, text: &str, has_controls: bool) {
    if has_controls && text::may_have_controls(text) {
        to.extend(text.chars().filter(|c| !text::is_dropped(*c)));
    } else {
        to.push_str(text);
    }
}
