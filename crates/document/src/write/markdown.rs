//! Markdown, from the tree of the page, and plain text: the same without its signs.
//!
//! Where Markdown has no syntax, its renderers know markup: `sup`, `sub`, `kbd`, `ins`, `abbr`, and tables with spans or blocks in
//! their cells. Every word of a document's text must be in its Markdown as another program reads it.

use super::above::{byline_above, chapter_above, title_above};
use super::code;
use super::inline::{Inline, InlineMark};
use super::table::{self, PipeTable};
use crate::addresses::image_text;
use crate::document::Document;
use crate::images::ImageSources;
use crate::reading::{
    Formula, NumberStyle, Piece, TableKind, has_parentheses, is_for_looks, language, ordinals, parts_code,
    pieces, quotes,
};
use crate::shape::{Glue, PageShape, ParagraphRest, Seam};
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::text::without_controls;
use tsugi_page::walk::Step;
use tsugi_page::{NodeId, NodeKind, Page, TextForm, text};

/// The deepest level of nested lists and quotations. Each line carries the marks of all levels, so that unbounded depth would
/// mean unbounded length.
const MAX_LEVELS: usize = 12;

const NEAR: usize = 8;

pub(super) fn file(document: &Document, images: Option<&ImageSources>) -> String {
    let mut blocks = Vec::new();
    if let Some(title) = title_above(document) {
        let mut inline = Inline::default();
        inline.push(&text::fold(title));
        blocks.push(heading(1, &inline.take()));
    }
    if let Some(byline) = byline_above(document) {
        let mut inline = Inline::default();
        inline.open(InlineMark::Emphasis);
        inline.push(&byline);
        inline.close();
        blocks.push(inline.take());
    }
    for index in 0..document.pages.len() {
        if let Some(chapter) = chapter_above(document, index) {
            let mut inline = Inline::default();
            inline.push(&text::fold(chapter));
            blocks.push(heading(1, &inline.take()));
        }
        blocks.extend(Some(of_page(document, index, images)).filter(|markdown| !markdown.is_empty()));
    }
    let mut out = blocks.join("\n\n");
    out.push('\n');
    out
}

pub(super) fn of_page(document: &Document, index: usize, images: Option<&ImageSources>) -> String {
    let Some((shape, rests)) = document.shapes(index, images) else { return String::new() };
    content(shape, &rests, document.pages[index].anchor.as_deref())
}

/// Returns the text of a document as paragraphs with blank lines between them, list items with their numbers, and cells with tabs
/// between them.
pub(super) fn plain_file(document: &Document) -> String {
    let contents = (0..document.pages.len()).filter_map(|index| {
        let (shape, rests) = document.shapes(index, None)?;
        let mut writer =
            MarkdownWriter { inline: Inline::plain(), is_plain: true, ..MarkdownWriter::new(shape) };
        writer.content(&rests);
        writer.side_notes();
        Some(writer.out)
    });
    let contents: Vec<String> = contents.filter(|text| !text.is_empty()).collect();
    let mut out = contents.join("\n\n");
    out.push('\n');
    out
}

pub(super) fn content(shape: PageShape<'_>, rests: &[ParagraphRest<'_>], anchor: Option<&str>) -> String {
    let mut writer = MarkdownWriter::new(shape);
    if let Some(anchor) = anchor {
        writer.inline.anchor(anchor);
    }
    writer.content(rests);
    writer.side_notes();
    writer.out
}

/// Returns TeX in which nothing reads as a tag, a link or attributes. Spaces mean nothing in a formula.
fn without_markup(tex: &str) -> String {
    let has_handler = code::has_handler(&tex.to_ascii_lowercase(), None);
    let mut out = String::with_capacity(tex.len());
    for c in tex.chars() {
        let reads_on = match out.chars().next_back() {
            Some('<') => c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'),
            Some(']') => matches!(c, '(' | '[' | ':'),
            _ => has_handler && c == '{',
        };
        if reads_on {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

fn heading(level: usize, text: &str) -> String {
    let mut text = text.replace('\n', " ");
    // A run of `#` after a space would be dropped.
    let open = text.trim_end_matches('#').len();
    if open < text.len() && (open == 0 || text[..open].ends_with(' ')) {
        text.insert(open, '\\');
    }
    format!("{} {text}", "#".repeat(level))
}

#[derive(Debug)]
enum MarkdownLevel {
    Quote { begun: bool },
    Item { marker: String, written: bool },
    Deep,
}

#[derive(Debug)]
struct List {
    /// The numbers of the items; `None` for bullets.
    numbers: Option<ItemNumbers>,
    bullet: char,
    begun: bool,
    /// The mark of the last item; empty before the first.
    marker: String,
}

#[derive(Debug)]
struct ItemNumbers {
    of: BTreeMap<NodeId, i32>,
    /// The number of the next item, as a renderer counts.
    next: Option<i32>,
}

impl List {
    fn new(numbers: Option<ItemNumbers>, bullet: char) -> List {
        List { numbers, bullet, begun: false, marker: String::new() }
    }

    /// Returns the mark of an item, and what else to write at its beginning.
    ///
    /// Renderers count on from the first number of a list, so an item with another number begins a list: `3.`, `9)`. Markdown
    /// has no letters and no Roman numerals; they are words after a bullet.
    fn start_item(&mut self, page: &Page, id: NodeId) -> (String, Option<String>) {
        let Some(numbers) = &mut self.numbers else { return (format!("{} ", self.bullet), None) };
        let number = numbers.of.get(&id).copied().or(numbers.next).unwrap_or(1);
        let style = NumberStyle::of_item(page, id);
        let is_counted = style == NumberStyle::Decimal && (0..1_000_000_000).contains(&number);
        if !is_counted {
            numbers.next = None;
            return (format!("{} ", self.bullet), Some(format!("{}. ", style.write(number))));
        }
        let goes_on = numbers.next.is_none_or(|next| next == number);
        numbers.next = number.checked_add(1);
        if !goes_on {
            self.bullet = if self.bullet == '-' { '*' } else { '-' };
        }
        (format!("{number}{} ", if self.bullet == '-' { '.' } else { ')' }), None)
    }
}

#[derive(Debug)]
struct MarkdownWriter<'a> {
    shape: PageShape<'a>,
    is_plain: bool,
    skipped: Option<NodeId>,
    out: String,
    inline: Inline,
    levels: Vec<MarkdownLevel>,
    lists: Vec<List>,
    /// The open lists that are directly in a list.
    nested: BTreeSet<NodeId>,
    /// Where the output ended after the last list, and its bullet.
    after_list: Option<(usize, char)>,
    last_items: Vec<bool>,
    heading: Option<usize>,
    pre: Option<(NodeId, String, String)>,
    table: Option<(NodeId, PipeTable)>,
    definitions: Vec<bool>,
    in_caption: bool,
    /// The number of open elements whose style keeps line breaks.
    kept_lines: usize,
    /// Where the output ended after the last standalone image, and how many levels were open.
    after_image: Option<(usize, usize)>,
    /// What comes before the words of the item that was just begun: the box of a task, a letter.
    opening: Option<String>,
    side_notes: Vec<(usize, PageShape<'a>, NodeId)>,
}

impl<'a> MarkdownWriter<'a> {
    fn new(shape: PageShape<'a>) -> MarkdownWriter<'a> {
        let has_formulas = shape.reading.dollars || shape.reading.has_tex();
        MarkdownWriter {
            shape,
            is_plain: false,
            skipped: None,
            out: String::new(),
            inline: Inline::new(has_formulas),
            levels: Vec::new(),
            lists: Vec::new(),
            nested: BTreeSet::new(),
            after_list: None,
            last_items: Vec::new(),
            heading: None,
            pre: None,
            table: None,
            definitions: Vec::new(),
            in_caption: false,
            kept_lines: 0,
            after_image: None,
            opening: None,
            side_notes: Vec::new(),
        }
    }

    fn content(&mut self, rests: &[ParagraphRest<'a>]) {
        for root in &self.shape.cut.nodes {
            self.flush();
            self.subtree(*root, rests);
            self.flush();
        }
    }

    fn subtree(&mut self, root: NodeId, rests: &[ParagraphRest<'a>]) {
        let mut walk = self.shape.page.walk(root);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) if self.shape.leaves_out(id) => {
                    // As in text, removed parts separate the words around them.
                    if self.shape.page.totals(id).characters > 0 && !self.shape.page.class(id).hidden {
                        self.inline.space();
                    }
                    self.skipped = Some(id);
                    walk.skip_children();
                }
                Step::Enter(id) if self.whole(id, rests.first().copied()) => {
                    self.skipped = Some(id);
                    walk.skip_children();
                }
                Step::Leave(id) if self.skipped == Some(id) => self.skipped = None,
                Step::Enter(id) => self.enter(id),
                Step::Leave(id) => {
                    if rests.first().is_some_and(|rest| rest.seam.before == id) {
                        for rest in rests {
                            self.take_over(&rest.seam, rest.shape);
                        }
                    }
                    self.leave(id);
                }
            }
        }
    }

    fn take_over(&mut self, seam: &Seam, next: PageShape<'a>) {
        let own = std::mem::replace(&mut self.shape, next);
        if seam.glue == Glue::Space {
            self.inline.space();
        } else {
            self.inline.join();
        }
        if let Some(anchor) = seam.after.block().and_then(|block| next.ids.get(&block)) {
            self.inline.anchor(anchor);
        }
        for id in seam.after.nodes(next.page) {
            self.subtree(id, &[]);
        }
        self.shape = own;
    }

    /// Writes formulas, notes, players and tables with markup, which are not written node by node; true if the node is one.
    fn whole(&mut self, id: NodeId, rest: Option<ParagraphRest<'a>>) -> bool {
        let PageShape { page, cut, .. } = self.shape;
        if self.pre.is_some() {
            return false;
        }
        if let Some(number) = cut.notes.links.get(&id) {
            self.inline.raw(&self.note_mark(*number));
            return true;
        }
        if let Some(number) = cut.notes.sides.get(&id) {
            self.inline.raw(&self.note_mark(*number));
            self.side_notes.push((*number, self.shape, id));
            return true;
        }
        if cut.notes.backs.contains(&id) {
            return true;
        }
        if !cut.reading.forms.contains_key(&id) && !cut.reading.tables.contains_key(&id) {
            return false;
        }
        if self.is_plain && self.words(id) {
            return true;
        }
        if let Some(name) = cut.reading.drawing(id) {
            self.inline.push(name);
        } else if let Some(formula) = cut.reading.formulas.get(&id) {
            self.formula(formula);
        } else if cut.reading.pictures.contains(&id) {
            self.image(id);
        } else if let Some(media) = cut.reading.media.get(&id) {
            let label = self.shape.label(media);
            if self.shape.shown.links {
                self.inline.open(InlineMark::Link(media.address.clone()));
                self.inline.push(label);
                self.inline.close();
            } else {
                self.inline.push(label);
            }
        } else if cut.reading.tables.get(&id) == Some(&TableKind::Rich) && !cut.notes.blocks.contains_key(&id)
        {
            // A paragraph cut by a page break is written cell by cell.
            if rest.is_some_and(|rest| page.contains(id, rest.seam.before)) {
                return false;
            }
            self.flush();
            self.block(&table::markup(self.shape, id));
        } else {
            return false;
        }
        true
    }

    /// Writes an element as plain text has it; `false` if it is written node by node.
    fn words(&mut self, id: NodeId) -> bool {
        let PageShape { page, cut, .. } = self.shape;
        if let Some(TextForm::Instead(text)) = cut.reading.forms.get(&id) {
            self.inline.push(text);
            return true;
        }
        if cut.reading.tables.get(&id) != Some(&TableKind::Rich) {
            return false;
        }
        self.flush();
        let without: Vec<NodeId> = cut.left_out.iter().copied().collect();
        let text = |cell: NodeId| text::fold(&page.text_in_forms(&[cell], &without, &cut.reading.forms));
        // The rows of a table in a cell are part of that cell.
        let is_own = |row: NodeId| {
            let mut above = page.ancestors(row).take_while(|above| *above != id);
            !above.any(|above| self.shape.tag(above) == "table")
        };
        let rows = page.subtree(id).filter(|row| self.shape.tag(*row) == "tr" && !cut.left_out.contains(row));
        let rows = rows.filter(|row| is_own(*row));
        let lines = rows.map(|row| {
            let cells: Vec<String> = page.child_elements(row).map(text).collect();
            cells.join("\t")
        });
        let lines: Vec<String> = lines.filter(|line| !line.trim().is_empty()).collect();
        if !lines.is_empty() {
            self.block(&lines);
        }
        true
    }

    fn note_mark(&self, number: usize) -> String {
        if self.is_plain { format!("[{number}]") } else { format!("[^{number}]") }
    }

    fn image(&mut self, id: NodeId) {
        let text = image_text(self.shape.page, id);
        match self.shape.image(id) {
            Some(address) => self.inline.image(text, &address),
            None if self.shape.images.is_some() => self.inline.push(text),
            None => {}
        }
    }

    /// Writes the notes that stand in the running text of the pages, which Markdown has below it.
    fn side_notes(&mut self) {
        for (number, shape, note) in std::mem::take(&mut self.side_notes) {
            self.shape = shape;
            let marker = format!("{}: ", self.note_mark(number));
            self.push_level(MarkdownLevel::Item { marker, written: false });
            for child in shape.page.children(note) {
                self.subtree(child, &[]);
            }
            self.flush();
            self.levels.pop();
        }
    }

    fn formula(&mut self, formula: &Formula) {
        match formula.tex.as_ref().or(formula.made.as_ref()) {
            None => self.inline.push(&formula.linear),
            Some(tex) => self.tex(tex, formula.display),
        }
    }

    fn tex(&mut self, tex: &str, display: bool) {
        let tex = without_markup(&text::fold(tex));
        if display && self.table.is_none() && self.heading.is_none() {
            self.flush();
            self.block(&["$$".to_owned(), tex, "$$".to_owned()]);
        } else {
            self.inline.raw(&format!("${tex}$"));
        }
    }

    fn text(&mut self, id: NodeId) {
        let cut = self.shape.cut;
        let label = cut.notes.labels.get(&id).copied().unwrap_or_default();
        let text = self.shape.text(id).get(label..).unwrap_or_default();
        if !cut.reading.tex.contains(&id) {
            if self.kept_lines == 0 || text.trim().is_empty() {
                return self.inline.push(text);
            }
            for (at, line) in text.split('\n').enumerate() {
                if at > 0 {
                    self.break_line();
                }
                self.inline.push(line);
            }
            return;
        }
        let mut pieces = pieces(text, cut.reading.dollars).into_iter().peekable();
        while let Some(piece) = pieces.next() {
            match piece {
                Piece::Text(text) => self.inline.push(text),
                Piece::Tex { tex, display: false } => self.tex(tex, false),
                Piece::Tex { tex, display: true } => {
                    // The end of a sentence would be alone on its line.
                    let end = pieces.peek_mut().and_then(|next| match next {
                        Piece::Text(text) => {
                            let rest = text.trim_start().strip_prefix(['.', ',', ';'])?;
                            let end = text.trim_start().chars().next()?;
                            *text = rest;
                            Some(end)
                        }
                        Piece::Tex { .. } => None,
                    });
                    self.tex(&format!("{tex}{}", end.map(String::from).unwrap_or_default()), true);
                }
            }
        }
    }

    fn enter(&mut self, id: NodeId) {
        let page = self.shape.page;
        if let Some((_, code, _)) = &mut self.pre {
            if page.kind(id) == NodeKind::Text {
                code.push_str(self.shape.text(id));
            } else {
                let begins_line = page.class(id).line && !code.is_empty() && !code.ends_with('\n');
                if begins_line || page.is(id, "br") {
                    code.push('\n');
                }
            }
            return;
        }
        if page.class(id).apart {
            self.inline.space();
        }
        if page.kind(id) == NodeKind::Text {
            return self.text(id);
        }
        if !page.is_html(id) {
            if page.class(id).cell {
                self.inline.space();
            }
            return;
        }
        let tag = self.shape.tag(id);
        let cut = self.shape.cut;
        let anchor = cut.ids.get(&id).filter(|_| !cut.notes.names.contains(&id));
        if self.table.is_none() && cut.reading.is_code_block(page, id) {
            self.flush();
            self.pre = Some((id, String::new(), language(page, id)));
            return;
        }
        self.kept_lines += usize::from(page.class(id).lines);
        if let Some(mark) = self.mark(id, tag) {
            if let Some(anchor) = anchor {
                self.inline.anchor(anchor);
            }
            self.inline.open(mark);
            return;
        }
        match tag {
            "br" if parts_code(page, &cut.reading.code_boxes, id) => {}
            "br" => self.break_line(),
            "q" => self.inline.push(quotes(page.lang()).0),
            "rt" if !has_parentheses(page, id) => self.inline.push("("),
            "sup" if self.is_in_code(id) => self.inline.push("^"),
            "sub" if self.is_in_code(id) => self.inline.push("_"),
            "img" => self.image(id),
            "td" | "th" if self.table.is_some() => {}
            _ if self.table.is_some() => {
                if tag == "tr"
                    && let Some((_, table)) = &mut self.table
                {
                    table.start_row();
                } else if page.class(id).line {
                    self.inline.space();
                }
            }
            _ if page.class(id).line || page.class(id).cell => {
                self.flush();
                self.enter_block(id, tag);
            }
            _ => {}
        }
        if let Some(anchor) = anchor.filter(|_| self.pre.is_none()) {
            self.inline.anchor(anchor);
        }
    }

    fn enter_block(&mut self, id: NodeId, tag: &str) {
        let page = self.shape.page;
        if let Some(number) = self.shape.notes.blocks.get(&id) {
            let marker = if self.is_plain { format!("[{number}] ") } else { format!("[^{number}]: ") };
            return self.push_level(MarkdownLevel::Item { marker, written: false });
        }
        if page.class(id).label {
            return self.inline.open(InlineMark::Strong);
        }
        match tag {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.heading = Some(usize::from(tag.as_bytes()[1] - b'0'));
            }
            // After list markers, `- ---` and `* ***` would read as one rule.
            "hr" if self.is_plain => {}
            "hr" => self.block(&["___".to_owned()]),
            "blockquote" => self.push_level(MarkdownLevel::Quote { begun: false }),
            "ul" | "ol" | "menu" | "dir" => {
                // A list directly in a list belongs to the item before it. Before the first, it is an item that has no number.
                if let Some(parent) = page.parent(id)
                    && is_list(page, parent)
                    && let Some(List { marker, bullet, numbers, .. }) = self.lists.last()
                {
                    let written = self.is_plain || !marker.is_empty();
                    let marker = match marker.as_str() {
                        "" if !self.is_plain => format!("{bullet} "),
                        "" if numbers.is_some() => "   ".to_owned(),
                        marker => marker.to_owned(),
                    };
                    self.nested.insert(id);
                    self.push_level(MarkdownLevel::Item { marker, written });
                }
                let numbers = (tag == "ol").then(|| ItemNumbers { of: ordinals(page, id), next: None });
                // A list right after another would read as a part of it.
                let follows = self.after_list.filter(|(end, _)| *end == self.out.len());
                let bullet = match follows {
                    Some((_, '-')) => '*',
                    _ => '-',
                };
                self.lists.push(List::new(numbers, bullet));
            }
            "li" => {
                let (marker, label) = match self.lists.last_mut() {
                    None => ("- ".to_owned(), None),
                    Some(list) => {
                        let (marker, label) = list.start_item(page, id);
                        list.marker.clone_from(&marker);
                        (marker, label)
                    }
                };
                // Bullets are marks, and plain text has none; numbers and letters are words.
                let (marker, label) = match (self.is_plain && marker.starts_with(['-', '*']), label) {
                    (true, label) => (label.unwrap_or_default(), None),
                    (false, label) => (marker, label),
                };
                self.push_level(MarkdownLevel::Item { marker, written: false });
                self.opening = label.or_else(|| task_of(page, id).map(str::to_owned));
            }
            "dl" => {
                self.definitions.push(false);
                if self.definitions.len() > 1 {
                    self.lists.push(List::new(None, '-'));
                }
            }
            "dt" => {
                self.end_definition();
                // Within a definition, terms are items, so that its end is visible.
                if self.definitions.len() > 1
                    && let Some(is_open) = self.definitions.last_mut()
                {
                    *is_open = true;
                    self.push_level(MarkdownLevel::Item { marker: "- ".to_owned(), written: false });
                }
                self.inline.open(InlineMark::Strong);
            }
            "summary" => self.inline.open(InlineMark::Strong),
            "figcaption" => {
                self.in_caption = true;
                self.inline.open(InlineMark::Emphasis);
            }
            "table" if self.shape.reading.tables.get(&id) == Some(&TableKind::Plain) => {
                self.table = Some((id, PipeTable::default()));
            }
            _ => {}
        }
    }

    fn end_definition(&mut self) {
        if let Some(is_open) = self.definitions.last_mut()
            && std::mem::take(is_open)
        {
            self.levels.pop();
        }
    }

    fn leave(&mut self, id: NodeId) {
        let page = self.shape.page;
        if let Some((pre, ..)) = &self.pre {
            if *pre == id {
                self.end_pre();
            }
            return;
        }
        if !page.is_html(id) {
            if page.class(id).cell {
                self.inline.space();
            }
            return;
        }
        let tag = self.shape.tag(id);
        self.kept_lines -= usize::from(page.class(id).lines);
        if self.mark(id, tag).is_some() {
            self.inline.close();
            return;
        }
        match tag {
            "q" => self.inline.push_close(quotes(page.lang()).1),
            "rt" if !has_parentheses(page, id) => self.inline.push_close(")"),
            _ => {}
        }
        if let Some((table, _)) = &self.table {
            if *table == id {
                self.end_table();
            } else if page.class(id).cell || matches!(tag, "td" | "th" | "caption") {
                let cell = self.inline.take();
                if let Some((_, table)) = &mut self.table {
                    if tag == "caption" {
                        // Above the table, on lines of its own.
                        self.inline_block(&cell);
                    } else {
                        table.push_cell(&cell);
                    }
                }
            } else if page.class(id).line {
                self.inline.space();
            }
            return;
        }
        if !page.class(id).line && !page.class(id).cell {
            return;
        }
        self.flush();
        if self.shape.notes.blocks.contains_key(&id) {
            self.levels.pop();
            return;
        }
        if page.class(id).label {
            return self.inline.close();
        }
        match tag {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading = None,
            "dt" | "summary" => self.inline.close(),
            "figcaption" => {
                self.in_caption = false;
                self.inline.close();
            }
            "dl" => {
                self.end_definition();
                self.definitions.pop();
                if !self.definitions.is_empty() {
                    self.lists.pop();
                }
            }
            "blockquote" | "li" => {
                self.levels.pop();
            }
            "ul" | "ol" | "menu" | "dir" => {
                let is_nested = self.nested.remove(&id);
                if is_nested {
                    self.levels.pop();
                }
                if let Some(list) = self.lists.pop() {
                    self.after_list = list.begun.then_some((self.out.len(), list.bullet));
                }
                if let Some(outer) = self.lists.last_mut().filter(|_| is_nested) {
                    // Right behind an item without a number, the first number could be text of it.
                    outer.begun &= outer.numbers.is_none() || !outer.marker.is_empty();
                }
            }
            _ => {}
        }
    }

    fn mark(&self, id: NodeId, tag: &str) -> Option<InlineMark> {
        let page = self.shape.page;
        if page.class(id).label {
            return None;
        }
        match tag {
            "b" | "strong" => Some(InlineMark::Strong),
            "i" | "em" | "cite" | "dfn" | "var" => Some(InlineMark::Emphasis),
            "del" | "s" | "strike" => Some(InlineMark::Strike),
            "code" | "samp" | "tt" => Some(InlineMark::Code),
            // Code shows tags as they are written.
            "sup" | "sub" if self.is_in_code(id) || is_for_looks(page, id) => None,
            // Renderers raise the marks of notes.
            "sup" if page.subtree(id).take(NEAR).any(|id| self.shape.notes.links.contains_key(&id)) => None,
            "sup" => Some(InlineMark::Tag("<sup>".to_owned(), "sup")),
            "sub" => Some(InlineMark::Tag("<sub>".to_owned(), "sub")),
            "kbd" => Some(InlineMark::Tag("<kbd>".to_owned(), "kbd")),
            "ins" => Some(InlineMark::Tag("<ins>".to_owned(), "ins")),
            "mark" => Some(InlineMark::Tag("<mark>".to_owned(), "mark")),
            // Of a link, the line is its look.
            "u" if page.ancestors(id).take(MAX_LEVELS).any(|above| page.is(above, "a")) => None,
            "u" => Some(InlineMark::Tag("<u>".to_owned(), "u")),
            "abbr" => {
                let title = page.attribute(id, "title").map(text::fold).filter(|title| !title.is_empty())?;
                Some(InlineMark::Tag(format!("<abbr title=\"{}\">", code::in_references(&title)), "abbr"))
            }
            "a" => self.shape.link(id).map(InlineMark::Link),
            _ => None,
        }
    }

    fn is_in_code(&self, id: NodeId) -> bool {
        let page = self.shape.page;
        page.ancestors(id).take(MAX_LEVELS).any(|above| matches!(page.tag(above), "code" | "samp" | "tt"))
    }

    fn break_line(&mut self) {
        if self.table.is_some() && !self.inline.is_empty() {
            self.inline.raw(if self.is_plain { " " } else { "<br>" });
        } else if self.table.is_some() || self.heading.is_some() {
            self.inline.space();
        } else if !self.inline.is_empty() && self.inline.break_line() {
            // Two in a row separate paragraphs on old pages.
            self.flush();
        }
    }

    fn push_level(&mut self, level: MarkdownLevel) {
        let deep = self.levels.len() >= MAX_LEVELS;
        self.levels.push(if deep { MarkdownLevel::Deep } else { level });
    }

    fn flush(&mut self) {
        if self.table.is_some() {
            return;
        }
        // A heading is one line, so nothing goes on below its image.
        let is_image = self.inline.is_image() && self.heading.is_none();
        let text = self.inline.take();
        self.inline_block(&text);
        if is_image {
            self.after_image = Some((self.out.len(), self.levels.len()));
        }
    }

    fn inline_block(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if let Some(level) = self.heading.filter(|_| !self.is_plain) {
            self.block(&[heading(level, text)]);
        } else {
            let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
            if self.in_caption && self.after_image == Some((self.out.len(), self.levels.len())) {
                // The caption of the image right above.
                self.out.push('\\');
                return self.lines(&lines, true);
            }
            let starts_item = matches!(self.levels.last(), Some(MarkdownLevel::Item { written: false, .. }));
            if let Some(opening) = self.opening.take().filter(|_| starts_item) {
                lines[0].insert_str(0, &opening);
            }
            self.block(&lines);
        }
    }

    fn end_pre(&mut self) {
        let Some((_, code, language)) = self.pre.take() else { return };
        let code = code.replace('\u{a0}', " ");
        let code = without_controls(code.strip_suffix('\n').unwrap_or(&code));
        if code.trim().is_empty() {
            return;
        }
        if self.is_plain {
            let lines: Vec<String> = code.lines().map(str::to_owned).collect();
            return self.block(&lines);
        }
        self.block(&code::lines(&code, &language, !self.levels.is_empty()));
    }

    fn end_table(&mut self) {
        // Text outside of cells, as in broken tables.
        let rest = self.inline.take();
        if let Some((_, table)) = self.table.take() {
            let lines = if self.is_plain { table.plain_lines() } else { table.lines() };
            if !lines.is_empty() {
                self.block(&lines);
            }
        }
        self.inline_block(&rest);
    }

    fn block(&mut self, lines: &[String]) {
        if !self.out.is_empty() {
            self.out.push('\n');
            if !self.is_tight() {
                let prefix = self.prefix(false);
                self.out.push_str(prefix.trim_end());
                self.out.push('\n');
            }
        }
        for list in &mut self.lists {
            list.begun = true;
        }
        self.opening = None;
        let levels = self.levels.iter().take(MAX_LEVELS);
        self.last_items = levels.map(|level| matches!(level, MarkdownLevel::Item { .. })).collect();
        self.lines(lines, false);
    }

    /// Writes lines of a block; `breaks` begins a new line first.
    fn lines(&mut self, lines: &[String], breaks: bool) {
        for (index, line) in lines.iter().enumerate() {
            if breaks || index > 0 {
                self.out.push('\n');
            }
            let prefix = self.prefix(true);
            self.out.push_str(if line.is_empty() { prefix.trim_end() } else { &prefix });
            self.out.push_str(line);
        }
    }

    /// Returns `true` if the block begins an item right after another item of its list, or a bullet list right after text of its
    /// item.
    fn is_tight(&self) -> bool {
        let Some((MarkdownLevel::Item { written: false, marker }, outer)) = self.levels.split_last() else {
            return false;
        };
        let Some(list) = self.lists.last() else { return false };
        if list.begun {
            return self.last_items.get(outer.len()) == Some(&true);
        }
        let within = matches!(outer.last(), Some(MarkdownLevel::Item { written: true, .. }));
        // Text directly in a bullet list below a numbered item takes the mark of that item.
        let is_bullet = marker.starts_with(['-', '*']);
        within && is_bullet && list.numbers.is_none() && self.last_items.len() == outer.len()
    }

    fn prefix(&mut self, write: bool) -> String {
        let mut prefix = String::new();
        for level in &mut self.levels {
            match level {
                MarkdownLevel::Quote { begun } => {
                    *begun |= write;
                    if *begun && !self.is_plain {
                        prefix.push_str("> ");
                    }
                }
                MarkdownLevel::Item { marker, written } if !*written => {
                    if write {
                        prefix.push_str(marker);
                        *written = true;
                    }
                }
                MarkdownLevel::Item { marker, .. } => prefix.push_str(&" ".repeat(marker.len())),
                MarkdownLevel::Deep => {}
            }
        }
        prefix
    }
}

fn is_list(page: &Page, id: NodeId) -> bool {
    page.is_html(id) && matches!(page.tag(id), "ul" | "ol" | "menu" | "dir")
}

/// Returns the task mark of an item that begins with a checkbox.
///
/// Checkboxes of forms, and those that fold a menu, have a name or an `id`. That of a task has neither, or is disabled.
// GitHub Flavored Markdown, section 5.3, and the HTML made from it.
fn task_of(page: &Page, item: NodeId) -> Option<&'static str> {
    const NEAR: usize = 16;
    for id in page.subtree(item).skip(1).take(NEAR) {
        if page.kind(id) == NodeKind::Text {
            if !page.data(id).trim().is_empty() {
                return None;
            }
        } else if page.is(id, "input") {
            let is = |name| page.attribute(id, name).is_some();
            let is_box =
                page.attribute(id, "type").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("checkbox"));
            let is_task = is_box && (is("disabled") || !(is("id") || is("name")));
            return is_task.then_some(if is("checked") { "[x] " } else { "[ ] " });
        } else if !matches!(page.tag(id), "p" | "label" | "span" | "div") {
            return None;
        }
    }
    None
}
