//! Builds the tree that a browser builds, within bounds.
//!
//! Our [`Tokenizer`] drives our [`Builder`], which puts the nodes into a [`Tree`]. On nine pages in ten they come in document order, in
//! which the page keeps them; only what the builder moves makes the tree set them in order at the end. The cost of hostile markup
//! is linear: [`Guard`] limits depth and number of nodes, the tree the attributes of the page, the tokenizer those of a tag and the
//! names of the page. Shadow roots that the markup declares become part of the tree ([`shadow`]), and panels get the labels of their
//! tabs ([`tabs`]).

mod builder;
mod draft;
mod shadow;
mod tabs;
#[cfg(feature = "oracle")]
pub(crate) mod theirs;
pub(crate) mod tokenizer;
mod tree;

use self::builder::Builder;
use self::draft::Draft;
use self::tokenizer::{DoctypeToken, Name, Receiver, State, TagToken, Tokenizer, prepared};
#[cfg(test)]
pub(crate) use self::tree::FEW_ATTRIBUTE_BYTES;
use crate::limits::{MAX_BYTES, MAX_DEPTH, MAX_NODES};
use crate::node::Nodes;
use crate::note::Note;
use crate::text;
use markup5ever::LocalName;
use memchr::memmem;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Number of nodes and attributes that every page may have.
const FEW_NODES: usize = 10_000;

/// Passes tokens on to the builder, and keeps the tree within [`MAX_DEPTH`] and [`MAX_NODES`].
/// An element that opens too deep is closed at once, so that its children become siblings; its end tag is then
/// ignored. Without this, deep pages take quadratic time: the builder walks its stack of open elements for nearly every tag.
struct Guard {
    builder: Builder,
    most_nodes: usize,
    closed_early: BTreeMap<LocalName, usize>,
    is_full: bool,
    is_flattened: bool,
    /// The prefix of the open `<mml:math>`, which XML has and HTML does not know. `None` if the page has none, as nearly all.
    math_prefix: Option<String>,
}

impl Guard {
    /// Takes the prefix from the names in a formula that was written as XML.
    fn drop_math_prefix(open: &mut String, tag: &mut TagToken<'_>) {
        let Some((prefix, name)) = tag.name.split_once(':') else { return };
        let is_math = name == "math";
        if is_math && tag.is_start {
            prefix.clone_into(open);
        }
        let is_of_math =
            name.starts_with('m') || matches!(name, "semantics" | "annotation" | "annotation-xml" | "none");
        if *open != prefix || !is_of_math {
            return;
        }
        if is_math && !tag.is_start {
            open.clear();
        }
        tag.set_name(Name::from(LocalName::from(name)));
    }

    /// Returns `true` if nothing more has room.
    fn is_filled(&mut self) -> bool {
        let tree = &self.builder.draft.tree;
        self.is_full = self.is_full || tree.len() >= self.most_nodes || tree.attributes_dropped();
        self.is_full
    }

    /// Returns `true` for the end tag of an element that was closed at once.
    fn is_closed_early(&mut self, tag: &TagToken<'_>) -> bool {
        if tag.is_start || self.closed_early.is_empty() {
            return false;
        }
        let count = self.closed_early.get_mut(&tag.name).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    }
}

impl Receiver for Guard {
    fn text(&mut self, text: &str) {
        if !self.is_filled() {
            self.builder.text(text);
        }
    }

    fn null(&mut self) {
        if !self.is_filled() {
            self.builder.null();
        }
    }

    fn tag(&mut self, tag: &mut TagToken<'_>) -> State {
        if let Some(prefix) = &mut self.math_prefix {
            Self::drop_math_prefix(prefix, tag);
        }
        if self.is_filled() || self.is_closed_early(tag) {
            return State::Data;
        }
        self.builder.last_depth = 0;
        let state = self.builder.tag(tag);
        if tag.is_start && self.builder.last_depth >= MAX_DEPTH && state == State::Data {
            self.is_flattened = true;
            tag.is_start = false;
            self.builder.tag(tag);
            *self.closed_early.entry(tag.name.clone()).or_default() += 1;
        }
        state
    }

    fn comment(&mut self, text: &str) {
        if !self.is_filled() {
            self.builder.comment(text);
        }
    }

    fn doctype(&mut self, doctype: &DoctypeToken<'_>) {
        if !self.is_filled() {
            self.builder.doctype(doctype);
        }
    }

    fn end(&mut self) {
        self.builder.end();
    }

    fn is_in_foreign_content(&self) -> bool {
        self.builder.is_in_foreign_content()
    }

    fn is_full(&self) -> bool {
        self.is_full
    }

    fn expects_control(&mut self) {
        self.builder.draft.tree.set_has_controls(true);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scripts {
    On,
    Off,
}

pub(crate) struct Built {
    pub(crate) nodes: Nodes,
    pub(crate) notes: Vec<Note>,
    pub(crate) is_quirky: bool,
}

// To make one costs as much as to look through a short page.
static PREFIXED_MATH: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(":math"));

pub(crate) fn build(html: &str, scripts: Scripts) -> Built {
    let (kept, is_cut) = kept(html, MAX_BYTES);
    let page = prepared(kept);
    let most_nodes = kept.len().clamp(FEW_NODES, MAX_NODES);
    let mut draft = Draft::new(kept.len(), most_nodes);
    draft.tree.set_has_controls(text::may_have_controls(&page));
    let mut guard = Guard {
        builder: Builder::new(draft, scripts == Scripts::On),
        most_nodes,
        closed_early: BTreeMap::new(),
        is_full: false,
        is_flattened: false,
        math_prefix: PREFIXED_MATH.find(kept.as_bytes()).map(|_| String::new()),
    };
    let exceeded = Tokenizer::new(&page, &mut guard).run();
    let Guard { builder, is_full, is_flattened, .. } = guard;
    let Builder { draft, is_quirky, .. } = builder;
    let attributes_dropped = draft.tree.attributes_dropped();
    let (nodes, is_too_deep) = draft.finish();
    let limits = [
        (is_cut, Note::TooLong),
        (is_full && !attributes_dropped, Note::TooManyNodes),
        (is_flattened || is_too_deep, Note::TooDeep),
        (attributes_dropped || exceeded.attributes, Note::TooManyAttributes),
        (exceeded.names, Note::TooManyNames),
    ];
    let notes = limits.into_iter().filter(|(is_exceeded, _)| *is_exceeded).map(|(_, note)| note).collect();
    Built { nodes, notes, is_quirky }
}

fn kept(html: &str, most: usize) -> (&str, bool) {
    let html = html.strip_prefix('\u{FEFF}').unwrap_or(html);
    let kept = &html[..html.floor_char_boundary(most)];
    (kept, kept.len() < html.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_with_a_prefix_are_mathml() {
        let html = |html: &str| {
            let page = crate::Page::from_text(html, &"https://a.test/".parse().unwrap());
            page.inner_html(page.first("body").unwrap())
        };
        let math = "<math><msup><mi>x</mi><mn>2</mn></msup><mspace></mspace></math> <i>so</i>";
        for (prefixed, expected) in [
            (
                "<mml:math><mml:msup><mml:mi>x</mml:mi><mml:mn>2</mml:mn></mml:msup><mml:mspace/></mml:math> <i>so</i>",
                math,
            ),
            ("<m:math><m:msup><m:mi>x</m:mi><m:mn>2</m:mn></m:msup><m:mspace /></m:math> <i>so</i>", math),
            ("<m:r><m:mi>x</m:mi></m:r>", "<m:r><m:mi>x</m:mi></m:r>"),
            ("<m:math></m:math><m:mi>x</m:mi>", "<math></math><m:mi>x</m:mi>"),
            (
                "<m:math><n:mi>x</n:mi><m:script>x</m:script></m:math>",
                "<math><n:mi>x</n:mi><m:script>x</m:script></math>",
            ),
        ] {
            assert_eq!(html(prefixed), expected, "{prefixed}");
        }
    }

    #[test]
    fn long_pages_are_cut_between_characters() {
        assert_eq!(kept("\u{FEFF}aéb", 4), ("aéb", false));
        assert_eq!(kept("\u{FEFF}aéb", 3), ("aé", true));
        assert_eq!(kept("aéb", 2), ("a", true));
    }
}
