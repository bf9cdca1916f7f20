//! The page: nodes in document order, and totals of any subtree in constant time.

use crate::charset::{self, CharsetSource};
use crate::header_link::HeaderLink;
use crate::node::{
    AttributeNamespace, AttributeRecord, NONE, Namespace, NodeId, NodeKind, NodeRecord, Nodes,
};
use crate::note::Note;
use crate::parse::{self, Built, Scripts};
use crate::size::u32_of;
use crate::style::{BoxRules, Boxes, LayoutRule, MOST_RULES, layout_rules};
use crate::tags::{Attr, Tag, TagBits, TagClass, TagSet};
use crate::{address, plain, text};
use encoding_rs::Encoding;
use markup5ever::local_name;
use std::cell::OnceCell;
use std::fmt::{self, Debug};
use std::ops::Range;
use std::sync::OnceLock;
use url::Url;

/// Sums over the nodes of a subtree.
///
/// # Units
///
/// Counts. Text is visible text: the content of hidden elements ([`TagClass::hidden`]) does not count (settled in
/// `docs/src/explanation/definitions.md`). A character is a Unicode scalar value. In each text node, white space at the
/// ends does not count, and a run of white space inside counts once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Elements.
    pub elements: u32,
    /// Characters of text.
    pub characters: u32,
    /// Characters of text inside `<a href>`.
    pub link_characters: u32,
}

impl Totals {
    #[inline]
    fn with(self, other: Totals, join: impl Fn(u32, u32) -> u32) -> Totals {
        Totals {
            elements: join(self.elements, other.elements),
            characters: join(self.characters, other.characters),
            link_characters: join(self.link_characters, other.link_characters),
        }
    }
}

/// A parsed web page.
///
/// Nodes are in document order, so the subtree of a node is a range of ids, and its [`Totals`] are the difference of two
/// prefix sums, which are computed on first use. Parsing never fails: every sequence of bytes is a page. Texts and values of
/// attributes have no control characters but white space.
#[derive(Clone)]
pub struct Page {
    url: Url,
    base: Url,
    encoding: &'static Encoding,
    nodes: Vec<NodeRecord>,
    attributes: Vec<AttributeRecord>,
    attribute_text: String,
    text: String,
    comments: String,
    tags: TagSet,
    /// `sums[i]` = totals of the nodes before node `i`; computed on first use.
    sums: OnceLock<Vec<Totals>>,
    /// The same for characters of markup, which takes reading every attribute.
    markup_sums: OnceLock<Vec<u32>>,
    notes: Vec<Note>,
    is_plain_text: bool,
    is_quirky: bool,
    article: Option<(NodeId, f32)>,
    header_links: Vec<HeaderLink>,
}

/// Shorter text is a notice, not a page; in characters.
const LITTLE_TEXT: u32 = 400;

impl Debug for Page {
    /// Names the page; its tree takes megabytes as text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page")
            .field("url", &self.url.as_str())
            .field("nodes", &self.nodes.len())
            .finish_non_exhaustive()
    }
}

impl Page {
    /// Parses a page fetched from `url`; `charset` is the encoding named by the HTTP header.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_page::Page;
    /// let url = "https://a.test/".parse().unwrap();
    /// let page = Page::parse("<title>T</title><p>次の<b>ページ".as_bytes(), &url, None);
    /// let p = page.first("p").unwrap();
    /// assert_eq!(page.totals(p).characters, 5);
    /// assert_eq!(page.text(p), "次のページ");
    /// ```
    pub fn parse(html: &[u8], url: &Url, charset: Option<&'static Encoding>) -> Page {
        let decoded = charset::decode(html, charset, top_level_domain(url));
        Page::from_text(&decoded.text, url).decoded_from(&decoded)
    }

    /// Turns plain text into a page: paragraphs become `p`; tables, figures and code become `pre`. Nothing is read as markup.
    ///
    /// Wrapped lines are joined into paragraphs, and so are pages separated by form feeds.
    pub fn parse_plain(text: &[u8], url: &Url, charset: Option<&'static Encoding>) -> Page {
        let decoded = charset::decode(text, charset, top_level_domain(url));
        let page = Page::build(&plain::markup(&decoded.text), url);
        Page { is_plain_text: true, ..page.decoded_from(&decoded) }
    }

    /// Parses changed markup of this page; the last element with the attribute `mark` is the inserted article.
    pub(crate) fn rebuilt(&self, html: &str, mark: &str, score: f32) -> Page {
        let mut page = Page::build(html, &self.url);
        page.encoding = self.encoding;
        let lost: Vec<Note> = self.notes.iter().filter(|note| !page.notes.contains(note)).cloned().collect();
        page.notes.extend(lost);
        let article = page.elements().rev().find(|id| page.attribute(*id, mark).is_some());
        let header_links = self.header_links.clone();
        Page { article: article.map(|article| (article, score)), header_links, ..page }
    }

    /// Adds the links of the answer's `Link` headers, joined by commas (RFC 8288).
    #[must_use]
    pub fn with_link_header(self, header: &str) -> Page {
        Page { header_links: HeaderLink::all(header), ..self }
    }

    /// Returns the links of the answer's `Link` headers.
    pub fn header_links(&self) -> &[HeaderLink] {
        &self.header_links
    }

    /// Returns the element that [`with_article`](Self::with_article) inserted, and the confidence that it is the article.
    pub fn article(&self) -> Option<(NodeId, f32)> {
        self.article
    }

    fn decoded_from(mut self, decoded: &charset::Decoded<'_>) -> Page {
        self.encoding = decoded.encoding;
        if let CharsetSource::Overruled(declared) = decoded.source {
            self.notes
                .push(Note::CharsetOverruled { declared: declared.name(), used: decoded.encoding.name() });
        }
        if decoded.malformed {
            self.notes.push(Note::Malformed { used: decoded.encoding.name() });
        }
        self
    }

    /// Returns `true` if the page was plain text ([`Page::parse_plain`]): all of it is content.
    pub fn is_plain_text(&self) -> bool {
        self.is_plain_text
    }

    /// Returns `true` if browsers render the page in quirks mode, as most pages without a doctype. Classes and ids then
    /// match CSS selectors without case.
    pub fn is_quirky(&self) -> bool {
        self.is_quirky
    }

    /// Parses a page that is already decoded.
    ///
    /// The tree is the one that a browser shows: shadow roots that the markup declares are part of it, and panels begin with the
    /// labels of their tabs. It is built with scripts on, where the content of `noscript` is invisible text. If
    /// most of the text is in `noscript` (forums that render with scripts), it is the tree with scripts off, where
    /// `noscript` is an element like others, and the page has a [`Note::WithoutScripts`].
    pub fn from_text(html: &str, url: &Url) -> Page {
        Page::shown(url, |scripts| parse::build(html, scripts))
    }

    /// Makes a page of what a parser builds with scripts on, or with scripts off if most of the text is there.
    pub(crate) fn shown(url: &Url, build: impl Fn(Scripts) -> Built) -> Page {
        let page = Page::of_built(build(Scripts::On), url, Scripts::On);
        let unseen = page.unseen_characters();
        // Counting the text is slow, and few pages need it.
        if unseen <= LITTLE_TEXT {
            return page;
        }
        let seen = page.totals(NodeId::DOCUMENT).characters;
        if unseen <= seen {
            return page;
        }
        let mut other = Page::of_built(build(Scripts::Off), url, Scripts::Off);
        if other.totals(NodeId::DOCUMENT).characters <= 2 * seen.max(LITTLE_TEXT / 2) {
            return page;
        }
        other.notes.push(Note::WithoutScripts);
        other
    }

    /// Counts the characters outside tags in `noscript`.
    fn unseen_characters(&self) -> u32 {
        let noscripts = self.elements_of(Tag::Noscript);
        let texts = noscripts.flat_map(|id| self.children(id)).map(|id| self.data(id));
        let pieces = texts.flat_map(|text| text.split('<').enumerate()).map(|(at, piece)| {
            // After a `<`, text starts at the `>`.
            if at == 0 { piece } else { piece.split_once('>').map_or("", |(_, text)| text) }
        });
        pieces.map(text::visible_characters).sum()
    }

    fn build(html: &str, url: &Url) -> Page {
        Page::of_built(parse::build(html, Scripts::On), url, Scripts::On)
    }

    fn of_built(built: Built, url: &Url, scripts: Scripts) -> Page {
        let Built { nodes, notes, is_quirky } = built;
        let Nodes { records, attributes, attribute_text, text, comments, tags } = nodes;
        let mut page = Page {
            url: address::without_userinfo(url),
            base: address::without_userinfo(url),
            encoding: encoding_rs::UTF_8,
            nodes: records,
            attributes,
            attribute_text,
            text,
            comments,
            tags,
            sums: OnceLock::new(),
            markup_sums: OnceLock::new(),
            notes,
            is_plain_text: false,
            is_quirky,
            article: None,
            header_links: Vec::new(),
        };
        page.apply_sheets();
        page.set_apart();
        page.set_code_lines();
        if scripts == Scripts::Off {
            page.show_noscript();
        }
        page.base = page.declared_base();
        page
    }

    fn show_noscript(&mut self) {
        for node in self.nodes.iter_mut().filter(|node| node.name == local_name!("noscript")) {
            node.bits.change(|class| (class.hidden, class.raw_text) = (false, false));
        }
    }

    /// Applies the simplest rules of the page's style sheets.
    fn apply_sheets(&mut self) {
        let sheets = self.elements_of(Tag::Style);
        let rules = sheets.flat_map(|id| layout_rules(self.string_value(id)));
        let rules: Vec<LayoutRule<'_>> = rules.take(MOST_RULES).collect();
        if rules.is_empty() {
            return;
        }
        let mut changed: Vec<(NodeId, TagBits)> = Vec::new();
        for id in self.elements().filter(|id| self.namespace(*id) == Namespace::Html) {
            let Some(classes) = self.value(id, Attr::Class) else { continue };
            for rule in &rules {
                if rule.tag.is_none_or(|tag| tag == self.tag(id))
                    && classes.split_ascii_whitespace().any(|class| class == rule.class)
                {
                    let mut bits = self.node(id).bits;
                    bits.change(|class| rule.layout.apply(class));
                    changed.push((id, bits));
                }
            }
        }
        for (id, bits) in changed {
            self.nodes[id.index()].bits = bits;
        }
    }

    /// Finds the nodes that are shown apart from the one before, although no white space is between them.
    fn set_apart(&mut self) {
        let rules = OnceCell::new();
        let mut apart = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            // Nearly all nodes end here: boxes, what has nothing before it, and texts that start with white space.
            if node.previous == NONE || !self.may_touch(node, <[u8]>::first) {
                continue;
            }
            let mut previous = node.previous;
            while previous != NONE && self.nodes[previous as usize].kind == NodeKind::Comment {
                previous = self.nodes[previous as usize].previous;
            }
            if previous != NONE
                && self.may_touch(&self.nodes[previous as usize], <[u8]>::last)
                && self.is_apart(NodeId(u32_of(at)), NodeId(previous), &rules)
            {
                apart.push(at);
            }
        }
        for at in apart {
            self.nodes[at].bits.change(|class| class.apart = true);
        }
    }

    /// Returns `true` if a node may touch another in a line, by the byte at one end of its text.
    fn may_touch(&self, node: &NodeRecord, end: fn(&[u8]) -> Option<&u8>) -> bool {
        match node.kind {
            NodeKind::Text => {
                let text = &self.text.as_bytes()[node.from as usize..node.to as usize];
                end(text).is_some_and(|byte| !byte.is_ascii() || byte.is_ascii_alphanumeric())
            }
            NodeKind::Element => {
                node.namespace == Namespace::Html
                    && !(node.class().line || node.class().cell || node.class().void || node.class().hidden)
            }
            NodeKind::Document | NodeKind::Doctype | NodeKind::Comment => false,
        }
    }

    /// Returns `true` if two nodes that may touch do so letter to letter, and are no parts of one word.
    ///
    /// Labels, buttons, dates, links and custom elements are things of their own. Two `span` can be a word (`<span>Hel</span>`
    /// `<span>lo</span>`); they are apart only beside other elements, and where the letters change as within no word.
    /// Other nodes are apart if a style makes them boxes, as it does the words between the children of a flexible box; `rules` are
    /// those of the page's sheets, which few pages need.
    fn is_apart<'s>(&'s self, id: NodeId, previous: NodeId, rules: &OnceCell<BoxRules<'s>>) -> bool {
        let (one, other) = (self.node(previous), self.node(id));
        let are_elements = self.is_element(previous) && self.is_element(id);
        let is_thing = |node: &NodeRecord| {
            matches!(node.tag, Tag::Label | Tag::Button | Tag::Time | Tag::Select)
                || (node.tag == Tag::Other && node.name.contains('-'))
        };
        let are_links = self.links(one) && self.links(other);
        let are_things = are_elements && (are_links || is_thing(one) || is_thing(other));
        let are_spans = one.tag == Tag::Span && other.tag == Tag::Span;
        let (Some(before), Some(behind)) = (self.last_word(previous), self.first_word(id)) else {
            return false;
        };
        let touch = before.ends_with(char::is_alphanumeric) && behind.starts_with(char::is_alphanumeric);
        let is_cjk = |text: &str| text.chars().any(text::is_cjk);
        let differ = || {
            let (last, first) = (before.chars().next_back(), behind.chars().next());
            let is = |c: Option<char>, kind: fn(char) -> bool| c.is_some_and(kind);
            let is_long = |word: &str, least| word.chars().take(least).count() == least;
            (is(last, char::is_lowercase)
                && is(first, char::is_uppercase)
                && is_long(before, 2)
                && is_long(behind, 2))
                || (is(last, char::is_numeric) && is(first, char::is_alphabetic) && is_long(behind, 3))
                || (is(last, char::is_alphabetic) && is(first, char::is_numeric) && is_long(before, 3))
        };
        touch
            && !is_cjk(before)
            && !is_cjk(behind)
            && (are_things
                || (are_spans && differ() && self.is_beside_elements(previous, id))
                || self.are_boxes((previous, before), (id, behind), rules))
            && !self.ancestors(id).any(|above| self.class(above).pre || self.is_tag(above, Tag::Code))
    }

    /// Returns `true` if a style makes two siblings boxes of their own. A single letter may be the first of a word, letters side by
    /// side are one, and a raised one belongs to what is before it.
    fn are_boxes<'s>(
        &'s self,
        (one, before): (NodeId, &str),
        (other, behind): (NodeId, &str),
        rules: &OnceCell<BoxRules<'s>>,
    ) -> bool {
        let is_letter = |word: &str| word.chars().nth(1).is_none();
        let (is_one, is_other) = (is_letter(before), is_letter(behind));
        let are = |id: NodeId, boxes: Boxes| {
            Boxes::of(self.value(id, Attr::Style).unwrap_or_default()) == Some(boxes)
                || self.value(id, Attr::Class).is_some_and(|classes| {
                    let sheets = || self.elements_of(Tag::Style);
                    let rules = rules.get_or_init(|| BoxRules::of(sheets().map(|id| self.string_value(id))));
                    rules.make(self.tag(id), classes, boxes)
                })
        };
        let are_elements = self.is_element(one) && self.is_element(other);
        let is_raised = |id: NodeId| matches!(self.known_tag(id), Tag::Sup | Tag::Sub);
        (are_elements && !is_one && !is_other && (are(one, Boxes::Own) || are(other, Boxes::Own)))
            || (!(is_one && is_other || is_raised(other))
                && self.parent(other).is_some_and(|around| are(around, Boxes::Children)))
    }

    /// Finds the lines of code that are elements, without line breaks between them: a style shows each on its own line.
    fn set_code_lines(&mut self) {
        let mut lines: Vec<NodeId> = Vec::new();
        let blocks = self.elements_of(Tag::Pre);
        for pre in blocks.filter(|pre| !self.string_value(*pre).trim().contains('\n')) {
            for around in self.subtree(pre).filter(|id| self.is_element(*id)) {
                let children: Vec<NodeId> = self.children(around).collect();
                if children.len() > 1 && children.iter().all(|child| self.is_code_line(*child)) {
                    lines.extend(children);
                }
            }
        }
        for id in lines {
            self.nodes[id.index()].bits.change(|class| class.line = true);
        }
    }

    fn is_code_line(&self, id: NodeId) -> bool {
        let says_line = |class: &str| {
            class.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| matches!(word, "line" | "row"))
        };
        self.is_tag(id, Tag::Code)
            || (self.is_tag(id, Tag::Span) && self.value(id, Attr::Class).is_some_and(says_line))
    }

    fn is_beside_elements(&self, previous: NodeId, id: NodeId) -> bool {
        let around = [self.previous_sibling(previous), self.next_sibling(id)];
        around.into_iter().flatten().all(|beside| {
            self.kind(beside) != NodeKind::Text
                || self.data(beside).bytes().all(|byte| byte.is_ascii_whitespace())
        })
    }

    /// Returns the last word of the text that ends an element; `None` if it ends with white space, or with something else.
    fn last_word(&self, id: NodeId) -> Option<&str> {
        let last = NodeId(self.node(id).end - 1);
        let mut around = self.ancestors(last).take_while(|above| *above > id);
        if self.kind(last) != NodeKind::Text || around.any(|above| self.class(above).line) {
            return None;
        }
        self.data(last).rsplit(|c: char| !c.is_alphanumeric()).next().filter(|word| !word.is_empty())
    }

    /// Returns the first word of the text that starts an element; `None` if it starts with white space, or with something else.
    fn first_word(&self, id: NodeId) -> Option<&str> {
        /// The most elements around the text, so that deep pages take no quadratic time.
        const NEAR: usize = 16;
        let is_passed =
            |inner: &NodeId| self.is_element(*inner) && !self.class(*inner).line && !self.class(*inner).void;
        let inner = self.subtree(id).take(NEAR).find(|inner| !is_passed(inner))?;
        self.data(inner).split(|c: char| !c.is_alphanumeric()).next().filter(|word| !word.is_empty())
    }

    fn sum_up(&self) -> Vec<Totals> {
        let mut sums = Vec::with_capacity(self.nodes.len() + 1);
        let mut sum = Totals::default();
        sums.push(sum);
        // The ends of the innermost open `<a href>` and of the innermost hidden element.
        let (mut link_end, mut hidden_end) = (0, 0);
        for (index, node) in self.nodes.iter().enumerate() {
            match node.kind {
                NodeKind::Element => {
                    sum.elements = sum.elements.saturating_add(1);
                    if node.class().link && self.links(node) {
                        link_end = link_end.max(node.end);
                    }
                    if node.class().hidden {
                        hidden_end = hidden_end.max(node.end);
                    }
                }
                NodeKind::Text if u32_of(index) >= hidden_end => {
                    let text = &self.text[node.from as usize..node.to as usize];
                    let characters = text::visible_characters(text);
                    let link_characters = if u32_of(index) < link_end { characters } else { 0 };
                    sum = sum.with(Totals { elements: 0, characters, link_characters }, u32::saturating_add);
                }
                _ => {}
            }
            sums.push(sum);
        }
        sums
    }

    fn sum_up_markup(&self) -> Vec<u32> {
        let mut sums = Vec::with_capacity(self.nodes.len() + 1);
        let mut sum: u32 = 0;
        sums.push(sum);
        // The end of the innermost element whose text is serialised verbatim.
        let mut raw_end = 0;
        for (index, node) in self.nodes.iter().enumerate() {
            let range = node.from as usize..node.to as usize;
            let own = match node.kind {
                NodeKind::Element => {
                    if node.class().raw_text {
                        raw_end = raw_end.max(node.end);
                    }
                    self.tag_characters(node)
                }
                NodeKind::Text if u32_of(index) < raw_end => u32_of(self.text[range].chars().count()),
                NodeKind::Text => text::escaped_characters(&self.text[range]),
                NodeKind::Comment => u32_of(self.comments[range].chars().count()) + 7,
                NodeKind::Doctype => u32_of(self.comments[range].chars().count()) + 11,
                NodeKind::Document => 0,
            };
            sum = sum.saturating_add(own);
            sums.push(sum);
        }
        sums
    }

    #[inline]
    fn sums(&self) -> &[Totals] {
        self.sums.get_or_init(|| self.sum_up())
    }

    #[inline]
    fn links(&self, node: &NodeRecord) -> bool {
        node.class().link && {
            let mut attributes = self.attributes[node.from as usize..node.to as usize].iter();
            attributes.any(|attribute| attribute.known == Attr::Href)
        }
    }

    fn tag_characters(&self, node: &NodeRecord) -> u32 {
        let name = u32_of(node.name.chars().count());
        let mut length = name + 2;
        for attribute in &self.attributes[node.from as usize..node.to as usize] {
            let value = &self.attribute_text[attribute.from as usize..attribute.to as usize];
            length += u32_of(attribute.name.chars().count()) + 4 + text::escaped_attribute_characters(value);
        }
        if node.class().void { length } else { length + name + 3 }
    }

    fn declared_base(&self) -> Url {
        self.elements_of(Tag::Base)
            .find_map(|id| self.attribute(id, "href"))
            .and_then(|href| address::join(&self.url, href))
            .unwrap_or_else(|| self.url.clone())
    }

    /// Returns the address the page was fetched from, without user name and password.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Returns the base for relative links, which `<base href>` may set.
    pub fn base(&self) -> &Url {
        &self.base
    }

    /// Resolves a link of the page and drops its fragment; returns `None` if it does not lead to a page.
    pub fn resolve(&self, href: &str) -> Option<Url> {
        address::join(&self.base, href)
    }

    /// Returns the name of the page's encoding.
    pub fn encoding(&self) -> &'static str {
        self.encoding.name()
    }

    /// Returns the peculiarities of the page.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Returns `true` if a node may be asked of this page; nodes of larger pages may not.
    pub fn holds(&self, node: NodeId) -> bool {
        (node.0 as usize) < self.nodes.len()
    }

    /// Returns the number of nodes, including the document.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the length of all texts, comments and attribute values, in bytes.
    pub fn text_bytes(&self) -> usize {
        self.text.len() + self.comments.len() + self.attribute_text.len()
    }

    /// Returns `true` if the page has no text and no image.
    pub fn is_blank(&self) -> bool {
        self.totals(NodeId::DOCUMENT).characters == 0 && self.first("img").is_none()
    }

    #[inline]
    fn node(&self, id: NodeId) -> &NodeRecord {
        &self.nodes[id.index()]
    }

    /// Returns the kind of a node.
    #[inline]
    pub fn kind(&self, id: NodeId) -> NodeKind {
        self.node(id).kind
    }

    /// Returns `true` if the node is an element.
    #[inline]
    pub fn is_element(&self, id: NodeId) -> bool {
        self.node(id).kind == NodeKind::Element
    }

    /// Returns the name of an element, in lower case for HTML; empty for other nodes.
    #[inline]
    pub fn tag(&self, id: NodeId) -> &str {
        &self.node(id).name
    }

    /// Returns the name of an element as a [`Tag`], for loops over many elements; like [`tag`](Self::tag), whatever the
    /// namespace.
    #[inline]
    pub fn known_tag(&self, id: NodeId) -> Tag {
        self.node(id).tag
    }

    /// Returns `true` if the node is an HTML element of this name: a fast [`is`](Self::is) for loops over many elements.
    #[inline]
    pub fn is_tag(&self, id: NodeId, tag: Tag) -> bool {
        let node = self.node(id);
        node.tag == tag && node.namespace == Namespace::Html
    }

    /// Returns `true` if the node is an HTML element of this name (in lower case).
    #[inline]
    pub fn is(&self, id: NodeId, tag: &str) -> bool {
        let node = self.node(id);
        node.namespace == Namespace::Html && &*node.name == tag
    }

    /// Returns the namespace of an element; HTML for other nodes.
    #[inline]
    pub fn namespace(&self, id: NodeId) -> Namespace {
        self.node(id).namespace
    }

    /// Returns the properties of an element's name.
    #[inline]
    pub fn class(&self, id: NodeId) -> TagClass {
        self.node(id).class()
    }

    /// Returns the label of a tab that an element, which is its panel, begins with.
    pub fn tab_label(&self, panel: NodeId) -> Option<NodeId> {
        self.children(panel).next().filter(|first| self.class(*first).label)
    }

    /// Returns `true` if the node is a link: an `a` with `href`.
    #[inline]
    pub fn is_link(&self, id: NodeId) -> bool {
        self.links(self.node(id))
    }

    /// Returns the parent; `None` for the document.
    #[inline]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        some(self.node(id).parent)
    }

    /// Returns the sibling before the node.
    #[inline]
    pub fn previous_sibling(&self, id: NodeId) -> Option<NodeId> {
        some(self.node(id).previous)
    }

    /// Returns the sibling after the node.
    #[inline]
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.parent(id)?;
        let end = self.node(id).end;
        (end < self.node(parent).end).then_some(NodeId(end))
    }

    /// Returns the number of edges from the document node.
    #[inline]
    pub fn depth(&self, id: NodeId) -> u32 {
        self.node(id).depth
    }

    /// Returns the nodes of the subtree in document order, the node itself first.
    #[inline]
    pub fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        (id.0..self.node(id).end).map(NodeId)
    }

    /// Returns the id after the subtree's last node, as an index.
    #[inline]
    pub fn subtree_end(&self, id: NodeId) -> usize {
        self.node(id).end as usize
    }

    /// Returns `true` if `inner` is `outer` or inside it.
    #[inline]
    pub fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        outer.0 <= inner.0 && inner.0 < self.node(outer).end
    }

    /// Returns the children, in order.
    #[inline]
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let end = self.node(id).end;
        let mut next = id.0 + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(NodeId(next))?;
            next = self.node(child).end;
            Some(child)
        })
    }

    /// Returns the child elements, in order.
    #[inline]
    pub fn child_elements(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.children(id).filter(|child| self.is_element(*child))
    }

    /// Returns parent, grandparent and so on, the document last.
    #[inline]
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(id), |id| self.parent(*id))
    }

    /// Returns every element, in document order.
    #[inline]
    pub fn elements(&self) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        self.subtree(NodeId::DOCUMENT).filter(|id| self.is_element(*id))
    }

    /// Returns the HTML elements of a name, in document order; at once, if the page has none.
    pub fn elements_of(&self, tag: Tag) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        let end = if self.tags.has(tag) { self.nodes.len() } else { 0 };
        (0..end).map(|index| NodeId(u32_of(index))).filter(move |id| self.is_tag(*id, tag))
    }

    /// Returns the first HTML element of this name.
    pub fn first(&self, tag: &str) -> Option<NodeId> {
        self.elements().find(|id| self.is(*id, tag))
    }

    /// Returns the value of an attribute; the name is in lower case.
    #[inline]
    pub fn attribute(&self, id: NodeId, name: &str) -> Option<&str> {
        self.attributes(id).find(|(held, _)| *held == name).map(|(_, value)| value)
    }

    /// Returns the attributes of an element as (name, value), in source order.
    #[inline]
    pub fn attributes(&self, id: NodeId) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.attribute_range(id).map(|index| self.attribute_at(index))
    }

    /// Returns the attributes of an element as ([`Attr`], value), in source order.
    #[inline]
    pub fn known_attributes(&self, id: NodeId) -> impl ExactSizeIterator<Item = (Attr, &str)> {
        // Ranges are always valid. `get` lets the compiler drop the check if the caller ignores the value.
        let value = |of: &AttributeRecord| self.attribute_text.get(of.from as usize..of.to as usize);
        let attributes = self.attributes[self.attribute_range(id)].iter();
        attributes.map(move |attribute| (attribute.known, value(attribute).unwrap_or_default()))
    }

    /// Returns the name of an element's attribute by its position among [`attributes`](Self::attributes); empty at or
    /// after the end.
    #[inline]
    pub fn attribute_name(&self, id: NodeId, place: usize) -> &str {
        self.attributes[self.attribute_range(id)].get(place).map_or("", |attribute| &attribute.name)
    }

    /// Returns the value of an element's first attribute of this name; `None` for [`Attr::Other`].
    #[inline]
    pub fn value(&self, id: NodeId, name: Attr) -> Option<&str> {
        let named = |(held, _): &(Attr, &str)| *held == name && name != Attr::Other;
        self.known_attributes(id).find(named).map(|(_, value)| value)
    }

    /// Returns the namespaces of an element's attributes, in the order of [`attributes`](Self::attributes), which gives
    /// names without prefixes.
    pub fn attribute_namespaces(&self, id: NodeId) -> impl ExactSizeIterator<Item = AttributeNamespace> {
        self.attribute_range(id).map(|index| self.attributes[index].namespace)
    }

    #[inline]
    pub(crate) fn attribute_range(&self, id: NodeId) -> Range<usize> {
        let node = self.node(id);
        if node.kind == NodeKind::Element { node.from as usize..node.to as usize } else { 0..0 }
    }

    #[inline]
    pub(crate) fn attribute_at(&self, index: usize) -> (&str, &str) {
        let attribute = &self.attributes[index];
        (&attribute.name, &self.attribute_text[attribute.from as usize..attribute.to as usize])
    }

    #[cfg(any(feature = "css", feature = "xpath"))]
    pub(crate) fn attribute_namespace_at(&self, index: usize) -> AttributeNamespace {
        self.attributes[index].namespace
    }

    /// Returns the characters of a text node or a comment, or the name of a doctype; empty for other nodes.
    #[inline]
    pub fn data(&self, id: NodeId) -> &str {
        let node = self.node(id);
        let range = node.from as usize..node.to as usize;
        match node.kind {
            NodeKind::Text => &self.text[range],
            NodeKind::Comment | NodeKind::Doctype => &self.comments[range],
            NodeKind::Document | NodeKind::Element => "",
        }
    }

    /// Returns the text nodes below a node verbatim, including scripts and styles (the DOM's `textContent`, XPath's
    /// string-value).
    #[inline]
    pub fn string_value(&self, id: NodeId) -> &str {
        let mut texts = self.subtree(id).filter(|id| self.kind(*id) == NodeKind::Text);
        let Some(first) = texts.next() else { return "" };
        let last = texts.next_back().unwrap_or(first);
        &self.text[self.node(first).from as usize..self.node(last).to as usize]
    }

    /// Returns the totals of the subtree, including the node itself.
    #[inline]
    pub fn totals(&self, id: NodeId) -> Totals {
        let sums = self.sums();
        sums[self.node(id).end as usize].with(sums[id.index()], |end, start| end - start)
    }

    /// Returns the number of characters of text before the node.
    #[inline]
    pub fn characters_before(&self, id: NodeId) -> u32 {
        self.sums()[id.index()].characters
    }

    /// Returns the length of the node's markup, serialised as HTML, in characters.
    pub fn markup_characters(&self, id: NodeId) -> u32 {
        let sums = self.markup_sums.get_or_init(|| self.sum_up_markup());
        sums[self.node(id).end as usize] - sums[id.index()]
    }

    /// Returns the length of the markup inside the node, in characters.
    pub fn inner_markup_characters(&self, id: NodeId) -> u32 {
        let sums = self.markup_sums.get_or_init(|| self.sum_up_markup());
        sums[self.node(id).end as usize] - sums[id.index() + 1]
    }

    /// Returns the number of elements before the node.
    #[inline]
    pub fn element_index(&self, id: NodeId) -> u32 {
        self.sums()[id.index()].elements
    }

    /// Returns the title of the page, with white space folded; `None` if it is missing or blank.
    pub fn title(&self) -> Option<String> {
        let folded = text::fold(self.string_value(self.first("title")?));
        (!folded.is_empty()).then_some(folded)
    }

    /// Returns the language that the page declares, as written (`ja`, `en-GB`).
    pub fn lang(&self) -> Option<&str> {
        let html = self.first("html")?;
        let declared = self.attribute(html, "lang").or_else(|| self.attribute(html, "xml:lang"));
        declared.map(str::trim).filter(|lang| !lang.is_empty())
    }
}

/// Returns the last label of the host, a hint for the charset of pages that do not declare one.
fn top_level_domain(url: &Url) -> Option<&str> {
    url.domain().and_then(|host| host.rsplit('.').next()).filter(|label| label.is_ascii())
}

#[inline]
fn some(id: u32) -> Option<NodeId> {
    (id != NONE).then_some(NodeId(id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{MAX_DEPTH, MAX_NAMES, MAX_NODES};
    use crate::parse::FEW_ATTRIBUTE_BYTES;

    fn page(html: &str) -> Page {
        Page::from_text(html, &"https://a.test/dir/1.html".parse().unwrap())
    }

    #[test]
    fn control_characters_are_dropped() {
        let page = page("<p title='a\u{1b}&#x9b;b'>a\u{7}<b>&#27;\u{7f}</b>&#155;\u{c}b\u{90}c<!---->\u{1}");
        let (p, b) = (page.first("p").unwrap(), page.first("b").unwrap());
        assert_eq!(page.attribute(p, "title"), Some("a›b"), "`&#x9b;` means `›`");
        assert_eq!((page.string_value(p), page.text(p).as_str()), ("a›\u{c}bc", "a› bc"));
        assert_eq!(page.subtree(b).count(), 1, "a text of nothing else is no node");
        // Characters from references, beyond ASCII, and within ASCII, each alone.
        for (html, expected) in
            [("<p>é &#7;a", "é a"), ("<p>a\u{90}\u{a0}b", "a\u{a0}b"), ("<p>a\u{7f}b", "ab")]
        {
            let page = self::page(html);
            assert_eq!(page.string_value(find(&page, "p")), expected);
        }
        let page = self::page("<p>a<p title='&#7;'>b&#x8;</p>");
        let last = page.elements().next_back().unwrap();
        assert_eq!((page.attribute(last, "title"), page.string_value(last)), (Some(""), "b"));
    }

    fn find(page: &Page, tag: &str) -> NodeId {
        page.first(tag).unwrap()
    }

    #[test]
    fn a_page_for_readers_without_scripts_is_read_as_they_see_it() {
        let url = "https://a.test/".parse().unwrap();
        let posts = "<div class=post><p>A post that says something.</p></div>".repeat(20);
        let of = |html: &str| Page::from_text(html, &url);
        let page = of(&format!("<div id=app>Loading</div><noscript>{posts}<a href=/2>next</a></noscript>"));
        assert_eq!(page.notes(), [Note::WithoutScripts]);
        assert_eq!(page.elements().filter(|id| page.is(*id, "p")).count(), 20);
        assert!(page.text(NodeId::DOCUMENT).ends_with("something.\nnext"));
        // As much is there without it, or it is a notice only.
        for html in [
            format!("<main>{posts}</main><noscript>{posts}</noscript>"),
            "x<noscript><p>Please turn scripts on.</p></noscript>".to_owned(),
            format!("x<noscript><img alt='{posts}'></noscript>"),
        ] {
            let page = of(&html);
            assert!(page.notes().is_empty() && !page.text(NodeId::DOCUMENT).contains("turn"), "{html}");
        }
    }

    #[test]
    fn noscript_holds_text_and_templates_hold_nothing() {
        let noscript = page("<noscript><a href=x>n</a></noscript><template><p>t</p></template>");
        assert!(noscript.first("a").is_none() && noscript.first("p").is_none());
        assert_eq!(noscript.string_value(find(&noscript, "noscript")), "<a href=x>n</a>");
    }

    #[test]
    fn totals_of_a_subtree_are_sums_over_its_nodes() {
        let page = page("<div><p>One, two. <a href=x>Three!</a><a>4</a></p><style>a,b</style></div>");
        let p = page.totals(find(&page, "p"));
        // `One, two.` 9 characters, `Three!` 6, `4` 1; elements p, a, a.
        assert_eq!((p.characters, p.link_characters, p.elements), (16, 6, 3));
        let div = page.totals(find(&page, "div"));
        assert_eq!((div.characters, div.elements), (16, 5), "style holds no text of the page");
        // `<style>` 7 + `a,b` 3 + `</style>` 8.
        assert_eq!(page.markup_characters(find(&page, "style")), 18);
        assert_eq!(page.inner_markup_characters(find(&page, "style")), 3);
    }

    #[test]
    fn relations_of_nodes_hold() {
        let page = page("<ul><li>a<li>b<b>c</b></ul>");
        let items: Vec<_> = page.child_elements(find(&page, "ul")).collect();
        assert_eq!(page.next_sibling(items[0]), Some(items[1]));
        assert_eq!(page.previous_sibling(items[1]), Some(items[0]));
        assert_eq!(page.next_sibling(items[1]), None);
        assert_eq!(page.next_sibling(NodeId::DOCUMENT), None);
        let ancestors: Vec<_> = page.ancestors(items[0]).map(|id| page.tag(id)).collect();
        assert_eq!(ancestors, ["ul", "body", "html", ""]);
        assert!(page.contains(items[1], find(&page, "b")) && !page.contains(items[0], find(&page, "b")));
        assert_eq!(page.element_index(items[0]), 4, "html head body ul stand before");
    }

    #[test]
    fn links_resolve_against_the_declared_base() {
        let plain = page("<a href=2.html>");
        assert_eq!(plain.resolve("2.html").unwrap().as_str(), "https://a.test/dir/2.html");
        let based = page("<base target=_top><base href='/other/'><base href='/never/'>");
        assert_eq!(based.resolve("2.html").unwrap().as_str(), "https://a.test/other/2.html");
        assert_eq!(page("<base href='javascript:x'>").base(), page("").url());
    }

    #[test]
    fn title_and_language() {
        let page = page("<html lang=' ja '><svg><title>no</title></svg><title> A\n B </title>");
        assert_eq!((page.title().as_deref(), page.lang()), (Some("A B"), Some("ja")));
        assert_eq!(self::page("<title> </title>").title(), None);
        assert!(self::page("").is_blank() && self::page(" <img src=x>").title().is_none());
    }

    #[test]
    fn hostile_nesting_costs_no_more_than_its_length() {
        let nests = ["<div>", "<b>", "<table><td>", "<svg>", "<font size=1><div>", "<ul><li>"];
        for unit in nests.into_iter().chain(["<li>", "<a href=x>", "<p><b>"]) {
            let deep = page(&(unit.repeat(20_000) + "end"));
            let most = deep.subtree(NodeId::DOCUMENT).map(|id| deep.depth(id)).max().unwrap();
            assert!(most <= 2 * MAX_DEPTH, "{unit} gives depth {most}");
            assert!(deep.text(NodeId::DOCUMENT).ends_with("end"), "{unit}");
            assert!(deep.outer_html(NodeId::DOCUMENT).len() >= 20_000);
            assert_eq!(deep.notes().contains(&Note::TooDeep), nests.contains(&unit), "{unit}");
        }
        let closed = page(&("<div>".repeat(2000) + &"</div>".repeat(2000) + "<p>after"));
        let p = find(&closed, "p");
        assert_eq!(closed.tag(closed.parent(p).unwrap()), "body");
    }

    #[test]
    fn text_that_comes_in_pieces_is_put_together_in_linear_time() {
        let behind = "</body><!--x--> ".repeat(100_000);
        let in_table = "b<tr>".repeat(100_000);
        let page = page(&format!("<!doctype html><p>a{behind}<table>{in_table}"));
        assert_eq!(page.string_value(find(&page, "p")).len(), 100_001);
        let body = find(&page, "body");
        let texts = page.children(body).filter(|id| page.kind(*id) == NodeKind::Text);
        assert_eq!(texts.map(|id| page.data(id).len()).collect::<Vec<_>>(), [100_000], "before the table");
    }

    #[test]
    fn endless_nodes_are_cut_with_a_note() {
        let page = page(&"<br>".repeat(MAX_NODES + 10));
        assert!(page.node_count() <= MAX_NODES + 1);
        assert_eq!(page.notes(), [Note::TooManyNodes]);
    }

    #[test]
    fn elements_that_are_opened_again_and_again_are_no_more_than_the_bytes_of_the_page() {
        // Each paragraph opens all fonts before it again.
        let html = (0..2_000).map(|i| format!("<p><font color={i}>some words")).collect::<Vec<_>>().concat();
        let page = page(&html);
        assert!(page.node_count() <= html.len() + 2 * MAX_DEPTH as usize, "{} nodes", page.node_count());
        assert!(page.notes().contains(&Note::TooManyNodes));
    }

    #[test]
    fn attributes_of_elements_that_are_opened_again_are_no_more_than_the_bytes_of_the_page() {
        let names = (0..900).map(|i| format!(" a{i}")).collect::<Vec<_>>().concat();
        let long = "x".repeat(100_000);
        let tags = [format!("<b{names}>"), format!("<b title={long}>")];
        for tag in &tags {
            let html = format!("<p>{tag}x{}", "<p>x".repeat(20_000));
            let page = page(&html);
            let attributes = |id: NodeId| page.attributes(id).map(|(_, value)| value.len());
            let counts = page.elements().map(|id| attributes(id).len()).sum::<usize>();
            let bytes = page.elements().flat_map(attributes).sum::<usize>();
            assert!(counts <= html.len() && bytes <= (2 * html.len()).max(FEW_ATTRIBUTE_BYTES));
            let expected: &[Note] = if *tag == tags[0] { &[Note::TooManyAttributes] } else { &[] };
            assert_eq!(page.notes(), expected);
        }
    }

    #[test]
    fn no_element_has_endless_attributes() {
        let names = (0..5_000).map(|i| format!(" a{i}")).collect::<Vec<_>>().concat();
        for html in [
            format!("<p{names}>text"),
            format!("<p =\"{names}>text"),
            format!("<p title='>'{names}>text"),
            format!("<script>a<b c=\"</script><p{names}>text"),
            format!("<!-- <b c=' --><p{names}>text"),
            format!("<p{names}{names}>text</p{names}>"),
        ] {
            let page = page(&html);
            let p = find(&page, "p");
            let count = page.attributes(p).len();
            assert_eq!(count, 1_000, "{}…", &html[..40]);
            assert_eq!(page.text(p), "text");
            assert_eq!(page.notes(), [Note::TooManyAttributes]);
        }
        let long_names = (0..2 * MAX_NAMES).map(|i| format!(" attribute-{i}")).collect::<Vec<_>>().concat();
        let page = self::page(&format!("<p{long_names}>text<unknown-element>"));
        assert_eq!(page.notes(), [Note::TooManyAttributes], "names of what is dropped do not count");
        let usual = format!("<p title='{names}'>text<!-- {names} --><script>a<b {names}</script>");
        let page = self::page(&usual);
        assert_eq!(page.attribute(find(&page, "p"), "title"), Some(&names[..]));
        assert!(page.notes().is_empty());
        let markup = format!("<b {names}");
        let page = self::page(&format!("<p title='{markup}' class=a>text"));
        let attributes: Vec<(&str, &str)> = page.attributes(find(&page, "p")).collect();
        assert_eq!(attributes, [("title", &markup[..]), ("class", "a")], "a value that looks like a tag");
        assert!(page.notes().is_empty());
        let page = self::page(&format!("<p{}>text", " class=a".repeat(100_000)));
        assert_eq!(page.attributes(find(&page, "p")).collect::<Vec<_>>(), [("class", "a")]);
        assert!(page.notes().is_empty());
    }

    #[test]
    fn names_unknown_to_html_are_limited() {
        let attributes =
            (0..MAX_NAMES).map(|i| format!("<p data-name-{i}>text")).collect::<Vec<_>>().concat();
        assert!(page(&attributes).notes().is_empty());
        let page =
            page(&format!("{attributes}<p data-another class=a><unknown-element>b</unknown-element>c"));
        assert_eq!(page.notes(), [Note::TooManyNames]);
        let last = page.elements().next_back().unwrap();
        assert_eq!(page.attributes(last).collect::<Vec<_>>(), [("class", "a")]);
        assert_eq!((page.tag(last), page.text(last).as_str()), ("p", "bc"));
    }

    #[test]
    fn byte_order_marks_inside_a_page_stay() {
        let page = page("\u{FEFF}<p>a</p><script></script>\u{FEFF}<b>c");
        assert_eq!(page.string_value(find(&page, "body")), "a\u{FEFF}c");
    }

    proptest::proptest! {
        #[test]
        fn any_markup_is_a_page(
            html in "(<|</|>|a|b|p|div|table|td|tr|svg|title|script|select|option|template|form|h1| |=|'|\"|x|次|&amp|!--|--|<p>|<b>|</b>|<a href=x>){0,40}"
        ) {
            let page = page(&html);
            let text = page.text(NodeId::DOCUMENT);
            let totals = page.totals(NodeId::DOCUMENT);
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
            proptest::prop_assert!(letters(&text) <= totals.characters as usize);
            for id in page.subtree(NodeId::DOCUMENT) {
                proptest::prop_assert!(page.subtree_end(id) > id.index());
                proptest::prop_assert_eq!(page.children(id).all(|child| page.parent(child) == Some(id)), true);
                proptest::prop_assert_eq!(
                    page.outer_html(id).chars().count(), page.markup_characters(id) as usize
                );
            }
        }

        #[test]
        fn any_bytes_are_a_page(bytes: Vec<u8>) {
            let page = Page::parse(&bytes, &"https://a.test/".parse().unwrap(), None);
            proptest::prop_assert!(page.node_count() >= 1);
        }
    }
}
