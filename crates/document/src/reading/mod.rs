//! How to read formulas, powers, players, code and tables, which plain text would misstate.
//!
//! A [`PageReading`] is made once per page. Text, Markdown and HTML all follow it, so that they say the same. `page` knows only
//! that a node may appear in a text in another form ([`TextForms`]).

mod caption;
mod code;
mod drawing;
mod formula;
mod list;
mod mathml;
mod media;
mod side_note;
mod table;
mod teaser;
mod tex;
mod text_forms;

use code::is_code_block;
pub(crate) use code::{language, parts_code};
pub(crate) use formula::{Formula, Piece, pieces};
pub(crate) use list::{NumberStyle, ordinals};
pub(crate) use mathml::mathml;
pub(crate) use media::EmbeddedMedia;
pub(crate) use side_note::is_side_note;
pub(crate) use table::{TableKind, TableParts};
pub(crate) use text_forms::{has_parentheses, is_for_looks, quotes};

use crate::addresses::image_address;
use crate::noise::is_noise;
use formula::{FormulaNode, in_dollars, loads_drawer};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::walk::Step;
use tsugi_page::{Content, NodeId, NodeKind, Page, Tag, TextForm, TextForms};

/// The nodes that are not written as their own text.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageReading {
    pub(crate) forms: TextForms,
    pub(crate) formulas: BTreeMap<NodeId, Formula>,
    pub(crate) tex: BTreeSet<NodeId>,
    pub(crate) dollars: bool,
    pub(crate) media: BTreeMap<NodeId, EmbeddedMedia>,
    /// Drawings that are read by their name, which is their form.
    pub(crate) drawings: BTreeSet<NodeId>,
    pub(crate) gutters: Vec<NodeId>,
    /// Blocks of code that are no `pre`: each line is an element, or `br` parts them.
    pub(crate) code_boxes: BTreeSet<NodeId>,
    /// Texts of code as a `pre` would have them.
    pub(crate) code_texts: BTreeMap<NodeId, String>,
    /// What only leads on from a post in a list; empty for text.
    pub(crate) teasers: Vec<NodeId>,
    /// Images that are no `img`.
    pub(crate) pictures: BTreeSet<NodeId>,
    /// Notes that stand in the running text.
    pub(crate) side_notes: Vec<NodeId>,
    /// The kinds of the tables; empty for text, which has no tables.
    pub(crate) tables: BTreeMap<NodeId, TableKind>,
    /// Elements that are tables and parts of them by their roles.
    pub(crate) table_parts: TableParts,
    /// Figures and captions by their names.
    pub(crate) named: BTreeMap<NodeId, &'static str>,
    /// The first and the last part of each figure that no element holds: a picture, and its caption beside it.
    pub(crate) figures: BTreeMap<NodeId, NodeId>,
}

impl PageReading {
    /// Reads the content of a page for its text. Adds drawings of formulas, and frames and images that show nothing, to
    /// `content.without`.
    pub(crate) fn of(page: &Page, content: &mut Content) -> PageReading {
        PageReading::pass(page, content, false)
    }

    fn pass(page: &Page, content: &mut Content, for_document: bool) -> PageReading {
        let mut reader = ReadingPass {
            page,
            for_document,
            reading: PageReading::default(),
            draws_formulas: OnceCell::new(),
            has_code: OnceCell::new(),
            may_be_numbered: OnceCell::new(),
            noise: Vec::new(),
            code: 0,
        };
        for root in &content.nodes {
            reader.read(*root, &content.without);
        }
        let ReadingPass { reading, noise, .. } = reader;
        content.without.extend(noise);
        content.without = page.outermost(std::mem::take(&mut content.without));
        reading
    }

    /// Reads the content of a page for a document, which also needs the kinds of tables. It leaves out line numbers and
    /// what only leads on from a post; a scan keeps them, since the labels of most data sets count them.
    pub(crate) fn for_document(page: &Page, content: &mut Content) -> PageReading {
        let table_parts = table::parts(page, content);
        let tables = table::kinds(page, content, &table_parts);
        let mut reading = PageReading { tables, table_parts, ..PageReading::pass(page, content, true) };
        for code in &reading.code_boxes {
            reading.tables.remove(code);
            reading.code_texts.extend(code::between_lines(page, *code).map(|id| (id, String::new())));
        }
        let breaks: Vec<NodeId> = page.elements_of(Tag::Br).collect();
        let has_break = |id: NodeId| {
            let behind = breaks.partition_point(|found| *found <= id);
            breaks.get(behind).is_some_and(|found| page.contains(id, *found))
        };
        // The end of what is read as a whole.
        let mut end = 0;
        for id in content.nodes.iter().flat_map(|root| page.subtree(*root)) {
            if id.index() < end {
                continue;
            }
            if content.without.binary_search(&id).is_ok() {
                end = page.subtree_end(id);
            } else if has_break(id)
                && let Some(texts) = code::broken_lines(page, id)
            {
                end = page.subtree_end(id);
                reading.code_boxes.insert(id);
                reading.code_texts.extend(texts);
            } else if caption::is_caption(page, id) {
                end = reading.add_caption(page, content, id);
            }
        }
        content.without.extend(reading.gutters.iter().chain(&reading.teasers));
        content.without = page.outermost(std::mem::take(&mut content.without));
        reading
    }

    /// Notes the figure of a caption. Returns where the caption ends, or 0 if there is no figure.
    fn add_caption(&mut self, page: &Page, content: &Content, id: NodeId) -> usize {
        if let Some(figure) = caption::figure_of(page, id) {
            self.named.extend([(figure, "figure"), (id, "figcaption")]);
        } else if let Some((picture, caption)) = caption::picture_before(page, id) {
            let is_part = |part: &NodeId| content.nodes.binary_search(part).is_err();
            let is_shown = content.without.binary_search(&picture).is_err()
                && !page.text_of_content(&[caption], &content.without).is_empty();
            if is_shown && is_part(&picture) && is_part(&caption) {
                self.named.insert(id, "figcaption");
                self.figures.insert(picture, caption);
            }
        } else {
            return 0;
        }
        page.subtree_end(id)
    }

    /// Returns the name of a drawing that is read by it.
    pub(crate) fn drawing(&self, id: NodeId) -> Option<&str> {
        match self.forms.get(&id).filter(|_| self.drawings.contains(&id))? {
            TextForm::Instead(name) => Some(name),
            TextForm::Around(..) => None,
        }
    }

    /// Returns `true` if an element is a block of code.
    pub(crate) fn is_code_block(&self, page: &Page, id: NodeId) -> bool {
        self.code_boxes.contains(&id) || is_code_block(page, id)
    }

    pub(crate) fn has_tex(&self) -> bool {
        let is_tex = |formula: &Formula| formula.tex.is_some() || formula.made.is_some();
        !self.tex.is_empty() || self.formulas.values().any(is_tex)
    }
}

struct ReadingPass<'a> {
    page: &'a Page,
    /// Text alone has neither teasers nor boxes of code.
    for_document: bool,
    reading: PageReading,
    draws_formulas: OnceCell<bool>,
    has_code: OnceCell<bool>,
    may_be_numbered: OnceCell<bool>,
    noise: Vec<NodeId>,
    code: usize,
}

impl ReadingPass<'_> {
    fn read(&mut self, root: NodeId, without: &[NodeId]) {
        let page = self.page;
        self.code = page.ancestors(root).filter(|id| is_code(page, *id)).count();
        let mut walk = page.walk(root);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) if without.binary_search(&id).is_ok() => walk.skip_children(),
                Step::Enter(id) if page.kind(id) == NodeKind::Text => self.text(id),
                Step::Enter(id) => {
                    if self.element(id) || page.class(id).hidden {
                        walk.skip_children();
                    }
                    self.code += usize::from(is_code(page, id));
                }
                Step::Leave(id) => {
                    let was_entered = page.is_element(id) && without.binary_search(&id).is_err();
                    self.code -= usize::from(was_entered && is_code(page, id));
                }
            }
        }
    }

    fn text(&mut self, id: NodeId) {
        let page = self.page;
        let text = page.data(id);
        // Without branches, so that the compiler vectorises it.
        let has_sign = text.bytes().fold(false, |any, byte| any | matches!(byte, b'\\' | b'$'));
        if self.code > 0 || !has_sign {
            return;
        }
        let dollars = text.contains('$')
            && *self.draws_formulas.get_or_init(|| page.elements().any(|id| loads_drawer(page, id)));
        let pieces = pieces(text, dollars);
        if pieces.iter().all(|piece| matches!(piece, Piece::Text(_))) {
            return;
        }
        let mut shown = String::with_capacity(text.len());
        for piece in pieces {
            match piece {
                Piece::Text(text) => shown.push_str(text),
                Piece::Tex { tex, display } => shown.push_str(&in_dollars(tex, display)),
            }
        }
        self.reading.dollars |= dollars;
        self.reading.tex.insert(id);
        self.reading.forms.insert(id, TextForm::Instead(shown));
    }

    /// Reads an element; true if it is read as a whole.
    fn element(&mut self, id: NodeId) -> bool {
        let page = self.page;
        match formula::at(page, id) {
            Some(FormulaNode::Formula(formula)) => {
                self.reading.forms.insert(id, TextForm::Instead(formula.text()));
                self.reading.formulas.insert(id, formula);
                return true;
            }
            Some(FormulaNode::Drawn) => {
                self.noise.push(id);
                return true;
            }
            None => {}
        }
        if let Some(name) = drawing::name(page, id) {
            self.reading.forms.insert(id, TextForm::Instead(name));
            self.reading.drawings.insert(id);
            return true;
        }
        if self.for_document && teaser::is_left_over(page, id) {
            self.reading.teasers.push(id);
        }
        if *self.may_be_numbered.get_or_init(|| code::may_have_gutters(page)) && code::is_gutter(page, id) {
            self.reading.gutters.push(id);
            let code = self.for_document.then(|| code::box_beside(page, id));
            self.reading.code_boxes.extend(code.flatten());
            return true;
        }
        let has_code = || page.elements_of(Tag::Pre).next().is_some();
        if *self.has_code.get_or_init(has_code) && code::is_label(page, id) {
            self.reading.gutters.push(id);
            return true;
        }
        if self.code == 0
            && let Some(numbers) = code::numbered_rows(page, id)
        {
            self.reading.gutters.extend(numbers);
            self.reading.code_boxes.insert(id);
            return true;
        }
        if is_noise(page, id) {
            self.noise.push(id);
            return true;
        }
        if !page.is(id, "img") && image_address(page, id).is_some() {
            self.reading.forms.insert(id, TextForm::Instead(String::new()));
            self.reading.pictures.insert(id);
            return true;
        }
        if let Some(media) = EmbeddedMedia::of(page, id) {
            let title = media.title.clone().unwrap_or_default();
            self.reading.forms.insert(id, TextForm::Instead(title));
            self.reading.media.insert(id, media);
            return true;
        }
        if self.code == 0 && side_note::is_side_note(page, id) {
            self.noise.extend(side_note::sign_before(page, id));
            self.reading.forms.insert(id, TextForm::Around(" (", ") "));
            self.reading.side_notes.push(id);
            return false;
        }
        if self.code == 0
            && let Some(form) = text_forms::of(page, id)
        {
            let is_whole = matches!(form, TextForm::Instead(_));
            self.reading.forms.insert(id, form);
            return is_whole;
        }
        false
    }
}

fn is_code(page: &Page, id: NodeId) -> bool {
    matches!(
        page.known_tag(id),
        Tag::Pre | Tag::Code | Tag::Kbd | Tag::Samp | Tag::Tt | Tag::Listing | Tag::Xmp | Tag::Plaintext
    )
}
