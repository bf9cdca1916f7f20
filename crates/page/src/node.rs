//! Nodes as a page keeps them, and what is known of each.

use crate::tags::{Attr, Tag, TagBits, TagClass, TagSet};
use markup5ever::LocalName;

/// A node of a [`Page`](crate::Page); ids count up in document order, from 0 for the document itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The document node.
    pub const DOCUMENT: NodeId = NodeId(0);

    /// Returns the position of the node in document order, from 0.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// The root.
    Document,
    /// `<!DOCTYPE …>`.
    Doctype,
    /// An element.
    Element,
    /// Text.
    Text,
    /// A comment.
    Comment,
}

/// The namespace of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Namespace {
    /// HTML.
    Html,
    /// SVG, inside `svg`.
    Svg,
    /// `MathML`, inside `math`.
    MathMl,
}

/// The namespace of an attribute. Only attributes of SVG and `MathML` elements have one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeNamespace {
    /// None, as for nearly all attributes.
    None,
    /// `xlink:href` and its like.
    XLink,
    /// `xml:lang` and `xml:space`.
    Xml,
    /// `xmlns` and `xmlns:xlink`, which are declarations.
    Xmlns,
}

/// In place of a node that is not there.
pub(crate) const NONE: u32 = u32::MAX;

#[derive(Debug, Clone)]
pub(crate) struct NodeRecord {
    pub(crate) name: LocalName,
    pub(crate) kind: NodeKind,
    pub(crate) namespace: Namespace,
    pub(crate) tag: Tag,
    pub(crate) bits: TagBits,
    pub(crate) parent: u32,
    /// The id after the last node of the subtree; known when the tree is finished.
    pub(crate) end: u32,
    pub(crate) previous: u32,
    pub(crate) depth: u32,
    /// Text or comment: a range of `text` or `comments`. Element: a range of `attributes`.
    pub(crate) from: u32,
    pub(crate) to: u32,
}

impl NodeRecord {
    #[inline]
    pub(crate) fn class(&self) -> TagClass {
        self.bits.class()
    }
}

#[derive(Debug, Clone)]
pub(crate) struct AttributeRecord {
    pub(crate) name: LocalName,
    pub(crate) known: Attr,
    pub(crate) namespace: AttributeNamespace,
    /// A range of `attribute_text`.
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// What a finished page keeps.
#[derive(Debug, Clone)]
pub(crate) struct Nodes {
    /// In document order.
    pub(crate) records: Vec<NodeRecord>,
    /// Those of an element stand together. An element that was opened again has those of the first one.
    pub(crate) attributes: Vec<AttributeRecord>,
    pub(crate) attribute_text: String,
    /// All texts in document order, so that those of a subtree are one slice.
    pub(crate) text: String,
    /// Comments and names of doctypes.
    pub(crate) comments: String,
    /// The names of elements that are there, or were.
    pub(crate) tags: TagSet,
}
