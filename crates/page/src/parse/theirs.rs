//! html5ever's own tokenizer and tree builder, to compare with.

use super::draft::Draft;
use super::tokenizer::{MAX_ATTRIBUTES, TagAttribute, TagAttributes};
use super::tree::{Place, Tree};
use super::{Built, Scripts};
use crate::node::{AttributeNamespace, NONE, Namespace, NodeKind};
use crate::tags::{Attr, Tag};
use html5ever::interface::tree_builder::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, TokenSink, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, QualName, TokenizerResult, ns};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};

pub(crate) fn options() -> TokenizerOpts {
    // Byte-order marks would be dropped at the start of each piece.
    TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() }
}

/// Bytes that html5ever's tokenizer is given at once, as when it was the only one; longer pieces take it longer.
const PIECE: usize = 1_000;

pub(crate) fn feed<S: TokenSink>(html: &str, tokenizer: &Tokenizer<S>) {
    let mut rest = html;
    let pieces = std::iter::from_fn(|| {
        let (piece, after) = rest.split_at(rest.ceil_char_boundary(PIECE));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    });
    feed_pieces(pieces, tokenizer);
}

pub(crate) fn feed_pieces<'p, S: TokenSink>(pieces: impl Iterator<Item = &'p str>, tokenizer: &Tokenizer<S>) {
    let queue = BufferQueue::default();
    for piece in pieces.filter(|piece| !piece.is_empty()) {
        queue.push_back(StrTendril::from_slice(piece));
        // It yields at each `</script>`; there is nothing to run.
        while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    }
    tokenizer.end();
}

/// Builds a tree without limits for depth, nodes, attributes and names.
pub(crate) fn build(html: &str, scripts: Scripts) -> Built {
    let html = html.strip_prefix('\u{FEFF}').unwrap_or(html);
    let sink = Sink { draft: RefCell::new(Draft::new(html.len(), usize::MAX)), is_quirky: Cell::new(false) };
    let options = TreeBuilderOpts { scripting_enabled: scripts == Scripts::On, ..Default::default() };
    let tokenizer = Tokenizer::new(TreeBuilder::new(sink, options), self::options());
    feed(html, &tokenizer);
    let Sink { draft, is_quirky } = tokenizer.sink.sink;
    let (nodes, _) = draft.into_inner().finish();
    Built { nodes, notes: Vec::new(), is_quirky: is_quirky.get() }
}

struct Sink {
    draft: RefCell<Draft>,
    is_quirky: Cell<bool>,
}

#[derive(Debug)]
struct Name {
    namespace: html5ever::Namespace,
    local: LocalName,
}

impl ElemName for Name {
    fn ns(&self) -> &html5ever::Namespace {
        &self.namespace
    }

    fn local_name(&self) -> &LocalName {
        &self.local
    }
}

/// Takes attributes in the form in which our tokenizer gives them.
fn taken(attributes: &[Attribute]) -> TagAttributes<'_> {
    let namespace = |name: &QualName| match name.ns {
        ns!(xlink) => AttributeNamespace::XLink,
        ns!(xml) => AttributeNamespace::Xml,
        ns!(xmlns) => AttributeNamespace::Xmlns,
        _ => AttributeNamespace::None,
    };
    let attributes = attributes.iter().map(|attribute| TagAttribute {
        name: attribute.name.local.clone(),
        known: Attr::of(&attribute.name.local),
        namespace: namespace(&attribute.name),
        value: Cow::Borrowed(&attribute.value),
    });
    attributes.collect()
}

impl Sink {
    fn put(&self, place: Place, child: NodeOrText<u32>) {
        let tree = &mut self.draft.borrow_mut().tree;
        match child {
            NodeOrText::AppendText(text) => tree.insert_text(place, &text),
            NodeOrText::AppendNode(node) => tree.insert(place, node),
        }
    }
}

impl TreeSink for Sink {
    type Handle = u32;
    type Output = Sink;
    type ElemName<'n> = Name;

    fn finish(self) -> Sink {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> u32 {
        Tree::DOCUMENT
    }

    fn elem_name<'n>(&'n self, target: &'n u32) -> Name {
        let draft = self.draft.borrow();
        let node = draft.tree.node(*target);
        let namespace = match node.namespace {
            Namespace::Html => ns!(html),
            Namespace::Svg => ns!(svg),
            Namespace::MathMl => ns!(mathml),
        };
        Name { namespace, local: node.name.clone() }
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _: ElementFlags) -> u32 {
        let namespace = match name.ns {
            ns!(svg) => Namespace::Svg,
            ns!(mathml) => Namespace::MathMl,
            _ => Namespace::Html,
        };
        let tag = Tag::of(&name.local);
        self.draft.borrow_mut().element((name.local, tag), namespace, &mut taken(&attributes))
    }

    fn create_comment(&self, text: StrTendril) -> u32 {
        self.draft.borrow_mut().tree.comment(NodeKind::Comment, &text)
    }

    fn create_pi(&self, target: StrTendril, _: StrTendril) -> u32 {
        // The HTML tokenizer turns `<?…>` into a comment; this is for completeness.
        self.create_comment(target)
    }

    fn append(&self, parent: &u32, child: NodeOrText<u32>) {
        self.put(Place { parent: *parent, before: NONE }, child);
    }

    fn append_based_on_parent_node(&self, element: &u32, previous: &u32, child: NodeOrText<u32>) {
        let parent = self.draft.borrow().tree.parent(*element);
        match parent {
            Some(parent) => self.put(Place { parent, before: *element }, child),
            None => self.append(previous, child),
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, _: StrTendril, _: StrTendril) {
        let tree = &mut self.draft.borrow_mut().tree;
        let node = tree.comment(NodeKind::Doctype, &name);
        tree.append(Tree::DOCUMENT, node);
    }

    fn get_template_contents(&self, target: &u32) -> u32 {
        self.draft.borrow_mut().tree.content(*target)
    }

    fn same_node(&self, one: &u32, other: &u32) -> bool {
        one == other
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.is_quirky.set(mode == QuirksMode::Quirks);
    }

    fn append_before_sibling(&self, sibling: &u32, child: NodeOrText<u32>) {
        let parent = self.draft.borrow().tree.parent(*sibling).unwrap_or(NONE);
        self.put(Place { parent, before: *sibling }, child);
    }

    fn add_attrs_if_missing(&self, target: &u32, attributes: Vec<Attribute>) {
        self.draft.borrow_mut().tree.add_attributes(*target, &mut taken(&attributes), MAX_ATTRIBUTES);
    }

    fn remove_from_parent(&self, target: &u32) {
        self.draft.borrow_mut().tree.detach(*target);
    }

    fn reparent_children(&self, node: &u32, new_parent: &u32) {
        self.draft.borrow_mut().tree.move_children(*node, *new_parent);
    }

    fn is_mathml_annotation_xml_integration_point(&self, node: &u32) -> bool {
        self.draft.borrow().tree.holds_html(*node)
    }

    fn attach_declarative_shadow(&self, host: &u32, template: &u32, _: &[Attribute]) -> bool {
        self.draft.borrow_mut().add_shadow_root(*host, *template)
    }
}
