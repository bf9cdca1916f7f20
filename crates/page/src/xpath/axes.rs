//! Places in a page, and the axes that lead from one to others.

use super::expression::NodeTest;
use crate::node::{AttributeNamespace, Namespace, NodeId, NodeKind};
use crate::page::Page;
use crate::size::u32_of;
use std::num::NonZeroU32;
use xpath_eval::Axis;

/// A node or an attribute. Places are ordered as in the document: an element, its attributes, its children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AxisPlace {
    pub(super) node: NodeId,
    /// The index of an attribute of the page, from 1.
    attribute: Option<NonZeroU32>,
}

fn ids(range: std::ops::Range<u32>) -> impl DoubleEndedIterator<Item = AxisPlace> {
    range.map(|id| AxisPlace::of(NodeId(id)))
}

fn chain(
    page: &Page,
    first: Option<NodeId>,
    next: fn(&Page, NodeId) -> Option<NodeId>,
) -> impl Iterator<Item = AxisPlace> {
    std::iter::successors(first, move |id| next(page, *id)).map(AxisPlace::of)
}

impl AxisPlace {
    pub(super) fn of(node: NodeId) -> AxisPlace {
        AxisPlace { node, attribute: None }
    }

    pub(super) fn attribute(self) -> Option<usize> {
        self.attribute.map(|number| number.get() as usize - 1)
    }

    fn parent(self, page: &Page) -> Option<NodeId> {
        if self.attribute.is_some() { Some(self.node) } else { page.parent(self.node) }
    }

    /// Returns the nodes on an axis, the nearest first.
    pub(super) fn along(self, axis: Axis, page: &Page) -> Box<dyn Iterator<Item = AxisPlace> + '_> {
        let AxisPlace { node, attribute } = self;
        let (id, end) = (node.0, u32_of(page.subtree_end(node)));
        let node_count = u32_of(page.node_count());
        let parent = self.parent(page);
        match (axis, attribute) {
            (Axis::SelfAxis, _) | (Axis::DescendantOrSelf, Some(_)) => Box::new(std::iter::once(self)),
            (Axis::Parent, _) => Box::new(parent.into_iter().map(AxisPlace::of)),
            (Axis::Ancestor, _) => Box::new(chain(page, parent, Page::parent)),
            (Axis::AncestorOrSelf, _) => {
                Box::new(std::iter::once(self).chain(chain(page, parent, Page::parent)))
            }
            (Axis::Following, None) => Box::new(ids(end..node_count)),
            // An attribute comes before the children of its element.
            (Axis::Following, Some(_)) => Box::new(ids(id + 1..node_count)),
            (Axis::Preceding, _) => {
                let is_before = move |place: &AxisPlace| page.subtree_end(place.node) <= node.index();
                Box::new(ids(0..id).rev().filter(is_before))
            }
            (Axis::Child, None) => Box::new(page.children(node).map(AxisPlace::of)),
            (Axis::Descendant, None) => Box::new(ids(id + 1..end)),
            (Axis::DescendantOrSelf, None) => Box::new(ids(id..end)),
            (Axis::FollowingSibling, None) => {
                Box::new(chain(page, page.next_sibling(node), Page::next_sibling))
            }
            (Axis::PrecedingSibling, None) => {
                Box::new(chain(page, page.previous_sibling(node), Page::previous_sibling))
            }
            (Axis::Attribute, None) => {
                // A declaration of a namespace is no attribute.
                let is_attribute =
                    |index: &usize| page.attribute_namespace_at(*index) != AttributeNamespace::Xmlns;
                let range = page.attribute_range(node).filter(is_attribute);
                Box::new(range.map(move |index| {
                    let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
                    AxisPlace { node, attribute: number }
                }))
            }
            // Names of namespaces are no nodes here, and an attribute has no children and no siblings.
            (
                Axis::Namespace
                | Axis::Child
                | Axis::Descendant
                | Axis::FollowingSibling
                | Axis::PrecedingSibling
                | Axis::Attribute,
                _,
            ) => Box::new(std::iter::empty()),
        }
    }

    pub(super) fn passes(self, test: &NodeTest, axis: Axis, page: &Page) -> bool {
        let kind = self.attribute.is_none().then(|| page.kind(self.node));
        let is_named = || {
            (axis == Axis::Attribute) == kind.is_none() && kind.is_none_or(|kind| kind == NodeKind::Element)
        };
        match test {
            // A doctype is no node of XPath.
            NodeTest::Node => kind != Some(NodeKind::Doctype),
            NodeTest::Text => kind == Some(NodeKind::Text),
            NodeTest::Comment => kind == Some(NodeKind::Comment),
            NodeTest::Named => is_named(),
            NodeTest::Name(name) => is_named() && self.bears(name, page),
            NodeTest::Never => false,
        }
    }

    /// Returns `true` if the name is this one, without a namespace. HTML compares without case.
    pub(super) fn bears(self, name: &str, page: &Page) -> bool {
        let is_html = page.namespace(self.node) == Namespace::Html;
        let (held, has_namespace) = match self.attribute() {
            Some(index) => {
                (page.attribute_at(index).0, page.attribute_namespace_at(index) != AttributeNamespace::None)
            }
            None => (page.tag(self.node), !is_html),
        };
        !has_namespace && if is_html { held.eq_ignore_ascii_case(name) } else { held == name }
    }

    pub(super) fn local_name(self, page: &Page) -> &str {
        self.attribute().map_or_else(|| page.tag(self.node), |index| page.attribute_at(index).0)
    }

    /// Returns the address of the namespace. HTML elements have none, so unprefixed names match.
    pub(super) fn namespace_uri(self, page: &Page) -> &'static str {
        match self.attribute() {
            Some(index) => match page.attribute_namespace_at(index) {
                AttributeNamespace::None => "",
                AttributeNamespace::XLink => "http://www.w3.org/1999/xlink",
                AttributeNamespace::Xml => "http://www.w3.org/XML/1998/namespace",
                AttributeNamespace::Xmlns => "http://www.w3.org/2000/xmlns/",
            },
            None => match page.namespace(self.node) {
                Namespace::Html => "",
                Namespace::Svg => "http://www.w3.org/2000/svg",
                Namespace::MathMl => "http://www.w3.org/1998/Math/MathML",
            },
        }
    }
}
