//! Builds the tree of a page's tokens, as browsers do (HTML, section 13.2.6).
//!
//! The names are the standard's: [`Mode`] is its insertion mode, [`Open`] an entry of its stack of open elements,
//! [`Formatting`] one of its list of active formatting elements. html5lib's tests and html5ever's tree builder (feature `oracle`)
//! check the trees.

mod body;
mod foreign;
mod formatting;
mod frames;
mod head;
mod quirks;
mod sets;
mod tables;

use self::formatting::Formatting;
use self::sets::{BUTTON_SCOPE, FOSTERING, IMPLIED_END, OF_HEAD};
use super::draft::Draft;
use super::tokenizer::{DoctypeToken, MAX_ATTRIBUTES, State, TagAttributes, TagToken};
use super::tree::{Place, Tree};
use crate::node::{NONE, Namespace, NodeKind};
use crate::tags::{Tag, TagSet};
use markup5ever::{LocalName, local_name};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    Text,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// What stands for an open element in questions about its name and namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Foreign {
    /// It is of HTML.
    No,
    /// It is of SVG or `MathML`, and so is what it holds.
    Yes,
    /// It is of `MathML`, and holds text of HTML.
    MathText,
    /// It is of SVG, and holds HTML.
    Html,
    /// It is an `annotation-xml`, and may hold HTML.
    Annotation,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    node: u32,
    /// [`Tag::None`] unless it is of HTML.
    tag: Tag,
    foreign: Foreign,
}

impl Open {
    fn ends(self, scope: &TagSet) -> bool {
        scope.has(self.tag) && matches!(self.foreign, Foreign::No | Foreign::MathText | Foreign::Html)
    }
}

enum Token<'t, 'p> {
    /// What of a text is not handled yet.
    Text(&'t str),
    Null,
    Comment(&'t str),
    Tag(&'t mut TagToken<'p>),
    End,
}

/// What is to be done after a step.
enum Step {
    Done,
    /// The same token comes again, in a mode.
    Again(Mode),
    /// The text of an element comes.
    Enter(State),
}

#[expect(clippy::struct_excessive_bools, reason = "flags of the standard, each for itself")]
pub(super) struct Builder {
    pub(super) draft: Draft,
    pub(super) is_quirky: bool,
    /// The depth of the element that the last token inserted; 0 if it inserted none.
    pub(super) last_depth: u32,
    scripts: bool,
    mode: Mode,
    /// The mode to come back to after text.
    mode_before: Mode,
    template_modes: Vec<Mode>,
    open: Vec<Open>,
    formatting: Vec<Formatting>,
    head: u32,
    form: Option<u32>,
    allows_frameset: bool,
    /// Whether a line feed at the start of the next text is dropped.
    ignores_line_feed: bool,
    /// Whether what is not of a table goes before it.
    fosters: bool,
    table_text: String,
}

impl Builder {
    pub(super) fn new(draft: Draft, scripts: bool) -> Builder {
        Builder {
            draft,
            is_quirky: false,
            last_depth: 0,
            scripts,
            mode: Mode::Initial,
            mode_before: Mode::Initial,
            template_modes: Vec::new(),
            open: Vec::new(),
            formatting: Vec::new(),
            head: NONE,
            form: None,
            allows_frameset: true,
            ignores_line_feed: false,
            fosters: false,
            table_text: String::new(),
        }
    }

    pub(super) fn is_in_foreign_content(&self) -> bool {
        self.open.last().is_some_and(|open| open.foreign != Foreign::No)
    }

    pub(super) fn doctype(&mut self, doctype: &DoctypeToken<'_>) {
        self.ignores_line_feed = false;
        if self.mode == Mode::Initial {
            let node =
                self.draft.tree.comment(NodeKind::Doctype, doctype.name.as_deref().unwrap_or_default());
            self.draft.tree.append(Tree::DOCUMENT, node);
            self.is_quirky = quirks::is_quirky(doctype);
            self.mode = Mode::BeforeHtml;
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        let ignores_line_feed = std::mem::take(&mut self.ignores_line_feed);
        let text = if ignores_line_feed { text.strip_prefix('\n').unwrap_or(text) } else { text };
        if !text.is_empty() {
            self.process(Token::Text(text));
        }
    }

    pub(super) fn null(&mut self) {
        self.ignores_line_feed = false;
        self.process(Token::Null);
    }

    pub(super) fn comment(&mut self, text: &str) {
        self.ignores_line_feed = false;
        self.process(Token::Comment(text));
    }

    pub(super) fn tag(&mut self, tag: &mut TagToken<'_>) -> State {
        self.ignores_line_feed = false;
        self.process(Token::Tag(tag))
    }

    pub(super) fn end(&mut self) {
        self.process(Token::End);
    }

    fn process(&mut self, mut token: Token<'_, '_>) -> State {
        loop {
            let step = if self.is_foreign(&token) {
                self.foreign(&mut token)
            } else {
                self.step(self.mode, &mut token)
            };
            match step {
                Step::Done => return State::Data,
                Step::Again(mode) => self.mode = mode,
                Step::Enter(state) => return state,
            }
        }
    }

    fn step(&mut self, mode: Mode, token: &mut Token<'_, '_>) -> Step {
        match mode {
            Mode::InBody => self.in_body(token),
            Mode::Text => self.in_text(token),
            Mode::Initial => self.initial(token),
            Mode::BeforeHtml => self.before_html(token),
            Mode::BeforeHead => self.before_head(token),
            Mode::InHead => self.in_head(token),
            Mode::InHeadNoscript => self.in_head_noscript(token),
            Mode::AfterHead => self.after_head(token),
            Mode::InTable => self.in_table(token),
            Mode::InTableText => self.in_table_text(token),
            Mode::InCaption => self.in_caption(token),
            Mode::InColumnGroup => self.in_column_group(token),
            Mode::InTableBody => self.in_table_body(token),
            Mode::InRow => self.in_row(token),
            Mode::InCell => self.in_cell(token),
            Mode::InTemplate => self.in_template(token),
            Mode::AfterBody => self.after_body(token),
            Mode::InFrameset => self.in_frameset(token),
            Mode::AfterFrameset => self.after_frameset(token),
            Mode::AfterAfterBody => self.after_after_body(token),
            Mode::AfterAfterFrameset => self.after_after_frameset(token),
        }
    }

    // The stack of open elements.

    fn top(&self) -> Open {
        // Before the root is open, nodes go to the document.
        self.open.last().copied().unwrap_or(Open {
            node: Tree::DOCUMENT,
            tag: Tag::None,
            foreign: Foreign::No,
        })
    }

    fn current(&self) -> u32 {
        self.top().node
    }

    fn is_current(&self, tag: Tag) -> bool {
        self.top().tag == tag
    }

    fn opened(&self, node: u32) -> Open {
        let record = self.draft.tree.node(node);
        let foreign = match (record.namespace, &record.name) {
            (Namespace::Html, _) => return Open { node, tag: record.tag, foreign: Foreign::No },
            (
                Namespace::MathMl,
                &local_name!("mi")
                | &local_name!("mo")
                | &local_name!("mn")
                | &local_name!("ms")
                | &local_name!("mtext"),
            ) => Foreign::MathText,
            (Namespace::MathMl, &local_name!("annotation-xml")) => Foreign::Annotation,
            (
                Namespace::Svg,
                &local_name!("foreignObject") | &local_name!("desc") | &local_name!("title"),
            ) => Foreign::Html,
            _ => Foreign::Yes,
        };
        Open { node, tag: Tag::None, foreign }
    }

    fn push(&mut self, node: u32) {
        let open = self.opened(node);
        self.open.push(open);
    }

    fn position(&self, node: u32) -> Option<usize> {
        self.open.iter().rposition(|open| open.node == node)
    }

    fn close(&mut self, node: u32) {
        if let Some(at) = self.position(node) {
            self.open.remove(at);
        }
    }

    fn has_in(&self, scope: &TagSet, tag: Tag) -> bool {
        self.has_any_in(scope, |open| open.tag == tag)
    }

    fn has_any_in(&self, scope: &TagSet, is_wanted: impl Fn(Open) -> bool) -> bool {
        for open in self.open.iter().rev() {
            if is_wanted(*open) {
                return true;
            }
            if open.ends(scope) {
                return false;
            }
        }
        false
    }

    fn pop_implied(&mut self, implied: &TagSet, except: Tag) {
        while implied.has(self.top().tag) && self.top().tag != except {
            self.open.pop();
        }
    }

    /// Closes elements up to one of a name, that included.
    fn pop_to(&mut self, tag: Tag) {
        while self.open.pop().is_some_and(|open| open.tag != tag) {}
    }

    /// Closes elements until the current one is in a set.
    fn pop_back_to(&mut self, set: &TagSet) {
        while self.open.len() > 1 && !set.has(self.top().tag) {
            self.open.pop();
        }
    }

    fn close_with_implied(&mut self, tag: Tag) {
        self.pop_implied(&IMPLIED_END, tag);
        self.pop_to(tag);
    }

    fn close_paragraph(&mut self) {
        if self.has_in(&BUTTON_SCOPE, Tag::P) {
            self.close_with_implied(Tag::P);
        }
    }

    fn is_in_template(&self) -> bool {
        !self.template_modes.is_empty()
    }

    fn reset_mode(&self) -> Mode {
        for (at, open) in self.open.iter().enumerate().rev() {
            return match open.tag {
                Tag::Td | Tag::Th if at > 0 => Mode::InCell,
                Tag::Tr => Mode::InRow,
                Tag::Tbody | Tag::Thead | Tag::Tfoot => Mode::InTableBody,
                Tag::Caption => Mode::InCaption,
                Tag::Colgroup => Mode::InColumnGroup,
                Tag::Table => Mode::InTable,
                Tag::Template => self.template_modes.last().copied().unwrap_or(Mode::InBody),
                Tag::Head if at > 0 => Mode::InHead,
                Tag::Body => Mode::InBody,
                Tag::Frameset => Mode::InFrameset,
                Tag::Html if self.head == NONE => Mode::BeforeHead,
                Tag::Html => Mode::AfterHead,
                _ => continue,
            };
        }
        Mode::InBody
    }

    // Nodes and their places.

    /// Returns where a node goes that is inserted into an element.
    #[inline]
    fn place(&mut self, target: Open) -> Place {
        if self.fosters && FOSTERING.has(target.tag) {
            return self.place_before_table();
        }
        let parent =
            if target.tag == Tag::Template { self.draft.tree.content(target.node) } else { target.node };
        Place { parent, before: NONE }
    }

    fn place_before_table(&mut self) -> Place {
        for at in (0..self.open.len()).rev() {
            let open = self.open[at];
            match open.tag {
                Tag::Template => return Place { parent: self.draft.tree.content(open.node), before: NONE },
                Tag::Table => {
                    return match self.draft.tree.parent(open.node) {
                        Some(parent) => Place { parent, before: open.node },
                        None => Place { parent: self.open[at.saturating_sub(1)].node, before: NONE },
                    };
                }
                _ => {}
            }
        }
        Place { parent: self.open[0].node, before: NONE }
    }

    fn insert(&mut self, place: Place, node: u32) {
        self.draft.tree.insert(place, node);
        self.last_depth = self.draft.tree.node(node).depth;
    }

    fn insert_text(&mut self, text: &str) {
        let place = self.place(self.top());
        self.draft.tree.insert_text(place, text);
    }

    fn insert_comment(&mut self, text: &str) {
        let place = self.place(self.top());
        let node = self.draft.tree.comment(NodeKind::Comment, text);
        self.draft.tree.insert(place, node);
    }

    fn append_comment(&mut self, parent: u32, text: &str) {
        let node = self.draft.tree.comment(NodeKind::Comment, text);
        self.draft.tree.append(parent, node);
    }

    /// Inserts an element of HTML, and returns it; it is not open.
    fn insert_void(&mut self, token: &mut TagToken<'_>) -> u32 {
        self.insert_named((token.name.clone(), token.tag), &mut token.attributes)
    }

    fn insert_named(&mut self, name: (LocalName, Tag), attributes: &mut TagAttributes<'_>) -> u32 {
        let place = self.place(self.top());
        let node = self.draft.element(name, Namespace::Html, attributes);
        self.insert(place, node);
        node
    }

    /// Inserts an element of HTML, and opens it.
    fn insert_open(&mut self, token: &mut TagToken<'_>) -> u32 {
        let node = self.insert_void(token);
        self.open.push(Open { node, tag: token.tag, foreign: Foreign::No });
        node
    }

    /// Inserts an element that the page leaves out, and opens it.
    fn insert_implied(&mut self, name: LocalName, tag: Tag) -> u32 {
        let node = self.insert_named((name, tag), &mut TagAttributes::default());
        self.open.push(Open { node, tag, foreign: Foreign::No });
        node
    }

    /// Inserts an element whose text is no markup.
    fn insert_raw(&mut self, token: &mut TagToken<'_>, state: State) -> Step {
        self.insert_open(token);
        self.mode_before = self.mode;
        self.mode = Mode::Text;
        Step::Enter(state)
    }

    fn add_attributes(&mut self, node: u32, token: &mut TagToken<'_>) {
        self.draft.tree.add_attributes(node, &mut token.attributes, MAX_ATTRIBUTES);
    }

    fn forbid_frameset_by(&mut self, text: &str) {
        self.allows_frameset = self.allows_frameset && text.bytes().all(|byte| byte.is_ascii_whitespace());
    }

    // Templates.

    fn start_template(&mut self, token: &mut TagToken<'_>) -> Step {
        self.formatting.push(Formatting::Marker);
        self.allows_frameset = false;
        self.mode = Mode::InTemplate;
        self.template_modes.push(Mode::InTemplate);
        let shows = |value: &str| matches!(value, "open" | "closed");
        let is_root = self.open.len() > 1
            && token
                .attributes
                .iter()
                .any(|attribute| attribute.name == local_name!("shadowrootmode") && shows(&attribute.value));
        let host = self.current();
        let node =
            self.draft.element((token.name.clone(), token.tag), Namespace::Html, &mut token.attributes);
        if !(is_root && self.draft.add_shadow_root(host, node)) {
            let place = self.place(self.top());
            self.insert(place, node);
        }
        self.push(node);
        Step::Done
    }

    fn end_template(&mut self) -> Step {
        if self.is_in_template() {
            self.pop_implied(&sets::IMPLIED_END_IN_TABLES, Tag::None);
            self.close_template();
        }
        Step::Done
    }

    fn close_template(&mut self) {
        self.pop_to(Tag::Template);
        self.clear_formatting();
        self.template_modes.pop();
        self.mode = self.reset_mode();
    }

    fn in_template(&mut self, token: &mut Token<'_, '_>) -> Step {
        let mode = match token {
            Token::Text(_) | Token::Comment(_) => return self.in_body(token),
            Token::Null => return Step::Done,
            Token::End => {
                if self.is_in_template() {
                    self.close_template();
                    return Step::Again(self.mode);
                }
                return Step::Done;
            }
            Token::Tag(tag) => match (tag.is_start, tag.tag) {
                (true, known) if OF_HEAD.has(known) => return self.in_head(token),
                (false, Tag::Template) => return self.in_head(token),
                (true, Tag::Caption | Tag::Colgroup | Tag::Tbody | Tag::Tfoot | Tag::Thead) => Mode::InTable,
                (true, Tag::Col) => Mode::InColumnGroup,
                (true, Tag::Tr) => Mode::InTableBody,
                (true, Tag::Td | Tag::Th) => Mode::InRow,
                (true, _) => Mode::InBody,
                (false, _) => return Step::Done,
            },
        };
        if let Some(last) = self.template_modes.last_mut() {
            *last = mode;
        }
        Step::Again(mode)
    }
}

/// Takes the white space at the start of a text.
fn take_blanks<'t>(text: &mut &'t str) -> &'t str {
    let length = text.bytes().take_while(u8::is_ascii_whitespace).count();
    let (blanks, rest) = text.split_at(length);
    *text = rest;
    blanks
}
