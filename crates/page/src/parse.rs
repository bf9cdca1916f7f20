//! Builds the tree that a browser builds, within bounds.
//!
//! Our [`Tokenizer`] drives html5ever's tree builder. [`Sink`] keeps the nodes in a bump arena, from which the page copies
//! them in document order. The cost of hostile markup is linear: [`DepthGuard`] limits depth and number of nodes, the tokenizer
//! the attributes of a tag and the names of the page. Shadow roots that the markup declares become part of the tree
//! ([`shadow`]), and panels get the labels of their tabs ([`tabs`]).

mod linked;
mod shadow;
mod tabs;
#[cfg(feature = "oracle")]
pub(crate) mod theirs;
pub(crate) mod tokenizer;

use self::linked::Ref;
pub(crate) use self::linked::{Linked, LinkedData};
use self::shadow::ShadowRoot;
use self::tabs::TabLists;
pub(crate) use self::tokenizer::MAX_NAMES;
use self::tokenizer::{MAX_ATTRIBUTES, Receiver, Tokenizer, prepared};
use crate::note::Note;
use crate::text;
use html5ever::interface::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, QualName};
use memchr::memmem;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use typed_arena::Arena;

/// Deepest nesting of elements; deeper ones become siblings, as in Blink (`kMaximumHTMLParserDOMTreeDepth`).
pub const MAX_DEPTH: u32 = 512;
/// Most nodes, and most attributes, of a page; the rest is dropped. The limit for a shorter page is its length in bytes,
/// but at least 10,000. Only markup that makes the parser reopen elements over and over exceeds it.
pub const MAX_NODES: usize = 2_000_000;
/// Number of nodes and attributes that every page may have.
const FEW_NODES: usize = 10_000;
/// Longest page, in bytes; the rest is dropped. html5ever's strings have at most 4 GiB, double their memory as they grow,
/// and hold three bytes for a U+0000 of the page.
pub(crate) const MAX_BYTES: usize = 512 << 20;

/// Returns `true` for control characters that are no white space. Browsers keep and ignore them; elsewhere they do harm.
fn is_dropped(c: char) -> bool {
    text::is_control(c) && !c.is_whitespace()
}

struct Sink<'a> {
    arena: &'a Arena<Linked<'a>>,
    document: Ref<'a>,
    nodes: Cell<usize>,
    attributes_left: Cell<usize>,
    attributes_dropped: Cell<bool>,
    has_controls: Cell<bool>,
    last_depth: Cell<u32>,
    quirks: Cell<QuirksMode>,
    shadow_roots: RefCell<Vec<ShadowRoot<'a>>>,
    tabs: RefCell<TabLists<'a>>,
}

impl<'a> Sink<'a> {
    fn drop_controls(&self, text: &mut StrTendril) {
        if self.has_controls.get() && text::may_have_controls(text) && text.contains(is_dropped) {
            *text = StrTendril::from(text.replace(is_dropped, ""));
        }
    }

    fn alloc(&self, data: LinkedData<'a>) -> Ref<'a> {
        self.nodes.set(self.nodes.get() + 1);
        self.arena.alloc(Linked::new(data))
    }

    fn insert(&self, child: NodeOrText<Ref<'a>>, neighbour: Option<Ref<'a>>, place: impl FnOnce(Ref<'a>)) {
        match child {
            NodeOrText::AppendText(mut text) => {
                self.drop_controls(&mut text);
                if text.is_empty() {
                    return;
                }
                if !neighbour.is_some_and(|node| node.push_text(&text)) {
                    place(self.alloc(LinkedData::Text(RefCell::new(text))));
                }
            }
            NodeOrText::AppendNode(node) => {
                place(node);
                if matches!(node.data, LinkedData::Element { .. }) {
                    self.last_depth.set(node.depth.get());
                }
            }
        }
    }
}

impl<'a> TreeSink for Sink<'a> {
    type Handle = Ref<'a>;
    type Output = Ref<'a>;
    type ElemName<'b>
        = &'b QualName
    where
        Self: 'b;

    fn finish(self) -> Ref<'a> {
        self.document
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Ref<'a> {
        self.document
    }

    fn elem_name<'b>(&'b self, target: &'b Ref<'a>) -> &'b QualName {
        match &target.data {
            LinkedData::Element { name, .. } => name,
            _ => unreachable!("html5ever asks only elements for their name"),
        }
    }

    fn create_element(&self, name: QualName, mut attributes: Vec<Attribute>, flags: ElementFlags) -> Ref<'a> {
        let left = self.attributes_left.get();
        if attributes.len() > left {
            self.attributes_dropped.set(true);
            attributes.truncate(left);
        }
        self.attributes_left.set(left - attributes.len());
        for attribute in &mut attributes {
            self.drop_controls(&mut attribute.value);
        }
        let template = flags.template.then(|| self.alloc(LinkedData::Document));
        let is_empty = attributes.is_empty();
        let node = self.alloc(LinkedData::Element {
            name,
            attributes: RefCell::new(attributes),
            template,
            mathml_integration_point: flags.mathml_annotation_xml_integration_point,
        });
        if !is_empty {
            self.tabs.borrow_mut().note(node);
        }
        node
    }

    fn create_comment(&self, text: StrTendril) -> Ref<'a> {
        self.alloc(LinkedData::Comment(text))
    }

    fn create_pi(&self, target: StrTendril, _: StrTendril) -> Ref<'a> {
        // The HTML tokenizer turns `<?…>` into a comment; this is for completeness.
        self.alloc(LinkedData::Comment(target))
    }

    fn append(&self, parent: &Ref<'a>, child: NodeOrText<Ref<'a>>) {
        self.insert(child, parent.last_child.get(), |node| parent.append(node));
    }

    fn append_based_on_parent_node(&self, element: &Ref<'a>, previous: &Ref<'a>, child: NodeOrText<Ref<'a>>) {
        if element.parent.get().is_some() {
            self.append_before_sibling(element, child);
        } else {
            self.append(previous, child);
        }
    }

    fn append_doctype_to_document(&self, name: StrTendril, _: StrTendril, _: StrTendril) {
        self.document.append(self.alloc(LinkedData::Doctype(name)));
    }

    fn get_template_contents(&self, target: &Ref<'a>) -> Ref<'a> {
        match target.data {
            LinkedData::Element { template: Some(content), .. } => content,
            _ => unreachable!("html5ever asks only templates for their content"),
        }
    }

    fn same_node(&self, one: &Ref<'a>, other: &Ref<'a>) -> bool {
        std::ptr::eq(*one, *other)
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.quirks.set(mode);
    }

    fn append_before_sibling(&self, sibling: &Ref<'a>, child: NodeOrText<Ref<'a>>) {
        self.insert(child, sibling.previous.get(), |node| sibling.insert_before(node));
    }

    fn add_attrs_if_missing(&self, target: &Ref<'a>, attributes: Vec<Attribute>) {
        if let LinkedData::Element { attributes: held, .. } = &target.data {
            let mut held = held.borrow_mut();
            for mut attribute in attributes {
                self.drop_controls(&mut attribute.value);
                if !held.iter().any(|present| present.name == attribute.name) && held.len() < MAX_ATTRIBUTES {
                    held.push(attribute);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Ref<'a>) {
        target.detach();
    }

    fn reparent_children(&self, node: &Ref<'a>, new_parent: &Ref<'a>) {
        let mut next = node.first_child.get();
        while let Some(child) = next {
            next = child.next.get();
            new_parent.append(child);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, node: &Ref<'a>) -> bool {
        matches!(node.data, LinkedData::Element { mathml_integration_point: true, .. })
    }

    fn attach_declarative_shadow(&self, host: &Ref<'a>, template: &Ref<'a>, _: &[Attribute]) -> bool {
        let Some(root) = ShadowRoot::of(host, template) else { return false };
        self.shadow_roots.borrow_mut().push(root);
        true
    }
}

/// Filters tokens on their way to the tree builder, to keep the tree within [`MAX_DEPTH`] and [`MAX_NODES`].
/// An element that opens too deep is closed at once, so that its children become siblings; its end tag is then
/// ignored. Without this, deep pages take quadratic time: the tree builder walks its stack of open elements for nearly every
/// tag.
struct DepthGuard<'a> {
    builder: TreeBuilder<Ref<'a>, Sink<'a>>,
    most_nodes: usize,
    closed_early: RefCell<BTreeMap<LocalName, usize>>,
    full: Cell<bool>,
    flattened: Cell<bool>,
    /// The prefix of the open `<mml:math>`, which XML has and HTML does not know. `None` if the page has none, as nearly all.
    math_prefix: Option<RefCell<String>>,
}

impl DepthGuard<'_> {
    /// Takes the prefix from the names in a formula that was written as XML.
    fn drop_math_prefix(open: &RefCell<String>, tag: &mut Tag) {
        let Some((prefix, name)) = tag.name.split_once(':') else { return };
        let mut open = open.borrow_mut();
        let (is_math, is_start) = (name == "math", tag.kind == TagKind::StartTag);
        if is_math && is_start {
            prefix.clone_into(&mut open);
        }
        let is_of_math =
            name.starts_with('m') || matches!(name, "semantics" | "annotation" | "annotation-xml" | "none");
        if *open != prefix || !is_of_math {
            return;
        }
        if is_math && !is_start {
            open.clear();
        }
        tag.name = LocalName::from(name);
    }

    fn swallows(&self, token: &Token) -> bool {
        let Sink { nodes, attributes_dropped, .. } = &self.builder.sink;
        let full = nodes.get() >= self.most_nodes || attributes_dropped.get();
        if full && !matches!(token, Token::EOFToken) {
            self.full.set(true);
            return true;
        }
        let Token::TagToken(Tag { kind: TagKind::EndTag, name, .. }) = token else { return false };
        match self.closed_early.borrow_mut().get_mut(name) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

impl<'a> TokenSink for DepthGuard<'a> {
    type Handle = Ref<'a>;

    fn process_token(&self, mut token: Token, line: u64) -> TokenSinkResult<Ref<'a>> {
        if let (Some(prefix), Token::TagToken(tag)) = (&self.math_prefix, &mut token) {
            Self::drop_math_prefix(prefix, tag);
        }
        if self.swallows(&token) {
            return TokenSinkResult::Continue;
        }
        let opened = match &token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => Some(tag.name.clone()),
            _ => None,
        };
        self.builder.sink.last_depth.set(0);
        let result = self.builder.process_token(token, line);
        if let Some(name) = opened
            && self.builder.sink.last_depth.get() >= MAX_DEPTH
            && matches!(result, TokenSinkResult::Continue)
        {
            self.flattened.set(true);
            let close = Tag {
                kind: TagKind::EndTag,
                name: name.clone(),
                self_closing: false,
                attrs: Vec::new(),
                had_duplicate_attributes: false,
            };
            let _ = self.builder.process_token(Token::TagToken(close), line);
            *self.closed_early.borrow_mut().entry(name).or_default() += 1;
        }
        result
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

impl Receiver for DepthGuard<'_> {
    fn is_full(&self) -> bool {
        self.full.get()
    }

    fn expects_control(&self) {
        self.builder.sink.has_controls.set(true);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scripts {
    On,
    Off,
}

pub(crate) struct Built<'a> {
    pub(crate) document: Ref<'a>,
    pub(crate) notes: Vec<Note>,
    pub(crate) is_quirky: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Splitter {
    Ours,
    /// html5ever, to compare with. It does not limit attributes and names.
    #[cfg(feature = "oracle")]
    Html5ever,
}

// To make one costs as much as to look through a short page.
static PREFIXED_MATH: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(":math"));

pub(crate) fn build<'a>(
    html: &str,
    arena: &'a Arena<Linked<'a>>,
    scripts: Scripts,
    splitter: Splitter,
) -> Built<'a> {
    let (kept, is_cut) = kept(html, MAX_BYTES);
    let document: Ref<'a> = arena.alloc(Linked::new(LinkedData::Document));
    let most_nodes = kept.len().clamp(FEW_NODES, MAX_NODES);
    let sink = Sink {
        arena,
        document,
        nodes: Cell::new(1),
        attributes_left: Cell::new(most_nodes),
        attributes_dropped: Cell::new(false),
        has_controls: Cell::new(true),
        last_depth: Cell::new(0),
        quirks: Cell::new(QuirksMode::NoQuirks),
        shadow_roots: RefCell::default(),
        tabs: RefCell::default(),
    };
    let options = TreeBuilderOpts { scripting_enabled: scripts == Scripts::On, ..Default::default() };
    let guard = DepthGuard {
        builder: TreeBuilder::new(sink, options),
        most_nodes,
        closed_early: RefCell::default(),
        full: Cell::new(false),
        flattened: Cell::new(false),
        math_prefix: PREFIXED_MATH.find(kept.as_bytes()).map(|_| RefCell::default()),
    };
    let exceeded = match splitter {
        Splitter::Ours => {
            let page = prepared(kept);
            guard.builder.sink.has_controls.set(text::may_have_controls(&page));
            Tokenizer::new(&page, &guard).run()
        }
        #[cfg(feature = "oracle")]
        Splitter::Html5ever => {
            theirs::feed(kept, &guard);
            tokenizer::Exceeded::default()
        }
    };
    let DepthGuard { builder, full, flattened, .. } = &guard;
    // An outer root comes before those in it, which are not yet part of its tree.
    for root in builder.sink.shadow_roots.take() {
        root.show();
    }
    builder.sink.tabs.take().label_panels(document);
    let attributes_dropped = builder.sink.attributes_dropped.get();
    let limits = [
        (is_cut, Note::TooLong),
        (full.get() && !attributes_dropped, Note::TooManyNodes),
        (flattened.get(), Note::TooDeep),
        (attributes_dropped || exceeded.attributes, Note::TooManyAttributes),
        (exceeded.names, Note::TooManyNames),
    ];
    let notes = limits.into_iter().filter(|(is_exceeded, _)| *is_exceeded).map(|(_, note)| note).collect();
    Built { document, notes, is_quirky: builder.sink.quirks.get() == QuirksMode::Quirks }
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
