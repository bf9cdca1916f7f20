//! Joining the parts of a sequence into one document, without what each page repeats.

use crate::document::{Document, DocumentPage};
use crate::reassemble::{Part, Reassembly};
use crate::write::{html, markdown};
use std::collections::BTreeSet;
use std::ops::Range;
use tsugi_page::walk::Step;
use tsugi_page::{Content, NodeId, NodeKind, Page, text};

/// Joins the parts of a sequence.
///
/// The text of a part is made of blocks, the lines of [`Page::text_of`]. The leading blocks of a page that are
/// equal to the leading blocks of the page before it (headline, byline), and the trailing ones equal to its
/// trailing ones (author box, share bar), are taken out; one block at least is kept. Equal blocks in the
/// middle stay: a list may well say the same thing twice. Text, HTML and Markdown leave out the same blocks,
/// and an element with text, all of which is left out, goes with all that it holds, unless it shows an image
/// that the page before does not.
///
/// The title is, in this order: the first `h1` inside the first page's content; its `og:title`; an `h1` of the
/// page whose text is a part of `title`; `title`.
pub fn stitch(reassembly: &Reassembly) -> Document {
    let mut parts = reassembly.parts.iter();
    let first = parts.next();
    let mut document = Document {
        url: first.map_or_else(|| reassembly.stopped.at.clone(), |part| part.page.url().clone()),
        title: first.and_then(title),
        lang: reassembly.parts.iter().find_map(|part| part.page.lang()).map(str::to_owned),
        pages: Vec::with_capacity(reassembly.parts.len()),
        text: String::new(),
        html: String::new(),
        stopped: reassembly.stopped.clone(),
        warnings: reassembly.warnings.clone(),
    };
    let mut length = 0;
    let mut before: Option<Blocks> = None;
    for part in &reassembly.parts {
        let blocks = Blocks::of(part);
        let kept = before.as_ref().map_or(0..blocks.lines.len(), |before| blocks.fresh(before));
        let removed = blocks.lines.len() - kept.len();
        let kept_text = blocks.lines[kept.clone()].join("\n");
        if length > 0 && !kept_text.is_empty() {
            document.text.push('\n');
            length += 1;
        }
        let start = length;
        length += kept_text.chars().count();
        document.text.push_str(&kept_text);

        let shown = before.as_ref().map(|before| &before.images);
        let shape = Shape::new(part, blocks.left_out(part, &kept, shown));
        let (html, markdown) = (html::content(&shape), markdown::content(&shape));
        html::push_section(&mut document.html, part.page.url(), None, &html);
        document.pages.push(DocumentPage {
            url: part.page.url().clone(),
            score: part.score,
            by: part.by.to_owned(),
            verdict: part.verdict.clone(),
            start,
            end: length,
            removed,
            html,
            markdown,
        });
        before = Some(blocks);
    }
    document
}

/// The content of a part, some nodes of it left out.
#[derive(Debug)]
pub(crate) struct Shape<'a> {
    pub(crate) page: &'a Page,
    pub(crate) nodes: &'a [NodeId],
    left_out: BTreeSet<NodeId>,
}

impl<'a> Shape<'a> {
    pub(crate) fn new(part: &'a Part, left_out: BTreeSet<NodeId>) -> Shape<'a> {
        Shape { page: &part.page, nodes: &part.content.nodes, left_out }
    }

    /// Says whether a node, with all below it, is not written.
    pub(crate) fn leaves_out(&self, id: NodeId) -> bool {
        self.page.class(id).hidden || self.left_out.contains(&id)
    }
}

/// The blocks of a part's text.
#[derive(Debug)]
struct Blocks {
    lines: Vec<String>,
    /// Each text node that shows, and the lines that it is on.
    texts: Vec<(NodeId, Range<usize>)>,
    /// The addresses of the images.
    images: BTreeSet<String>,
}

impl Blocks {
    fn of(part: &Part) -> Blocks {
        let page = &part.page;
        let Content { nodes, without, .. } = &part.content;
        let text = page.text_of_content(nodes, without);
        let lines = if text.is_empty() { Vec::new() } else { text.split('\n').map(str::to_owned).collect() };
        let mut texts: Vec<(NodeId, Range<usize>)> = Vec::new();
        let mut images = BTreeSet::new();
        // Lines begin where the text of a page begins them: at line elements and `br`, once a text follows.
        let mut line = 0;
        for root in nodes {
            let mut breaks = true;
            let mut verbatim = usize::from(page.ancestors(*root).any(|above| page.is(above, "pre")));
            let mut walk = page.walk(*root);
            while let Some(step) = walk.next() {
                match step {
                    Step::Enter(id) if page.class(id).hidden => walk.skip_children(),
                    Step::Enter(id) if without.binary_search(&id).is_ok() => {
                        breaks |= page.class(id).line;
                        walk.skip_children();
                    }
                    Step::Enter(id) if page.kind(id) == NodeKind::Text => {
                        for (at, text) in page.data(id).split('\n').enumerate() {
                            breaks |= at > 0 && verbatim > 0;
                            if text.trim().is_empty() {
                                continue;
                            }
                            line += usize::from(std::mem::take(&mut breaks) && !texts.is_empty());
                            match texts.last_mut() {
                                Some((last, lines)) if *last == id => lines.end = line + 1,
                                _ => texts.push((id, line..line + 1)),
                            }
                        }
                    }
                    Step::Enter(id) => {
                        verbatim += usize::from(page.is(id, "pre"));
                        breaks |= page.class(id).line || page.is(id, "br");
                        images.extend(html::image_address(page, id));
                    }
                    Step::Leave(id) => {
                        verbatim -= usize::from(page.is(id, "pre"));
                        breaks |= page.class(id).line;
                    }
                }
            }
        }
        Blocks { lines, texts, images }
    }

    /// Returns the lines that are not the frame of the page before.
    fn fresh(&self, before: &Blocks) -> Range<usize> {
        let (new, old) = (&self.lines, &before.lines);
        let most = new.len().saturating_sub(1);
        let leading = new.iter().zip(old).take_while(|(a, b)| a == b).count().min(most);
        let trailing = new.iter().rev().zip(old.iter().rev()).take_while(|(a, b)| a == b).count();
        leading..new.len() - trailing.min(most - leading)
    }

    /// Returns the nodes that show nothing but lines which are not kept.
    fn left_out(
        &self,
        part: &Part,
        kept: &Range<usize>,
        shown: Option<&BTreeSet<String>>,
    ) -> BTreeSet<NodeId> {
        let mut out: BTreeSet<NodeId> = part.content.without.iter().copied().collect();
        if kept.len() == self.lines.len() {
            return out;
        }
        let page = &part.page;
        let is_out = |lines: &Range<usize>| lines.end <= kept.start || kept.end <= lines.start;
        out.extend(self.texts.iter().filter(|(_, lines)| is_out(lines)).map(|(id, _)| *id));
        // For each open element: has it text, and is there anything to keep in it?
        let mut open: Vec<(bool, bool)> = Vec::new();
        let mut texts = self.texts.iter().peekable();
        for root in &part.content.nodes {
            for step in page.walk(*root) {
                match step {
                    Step::Enter(id) => {
                        let is_text = texts.next_if(|(text, _)| *text == id).is_some();
                        let image = html::image_address(page, id);
                        let is_new =
                            image.is_some_and(|image| !shown.is_some_and(|shown| shown.contains(&image)));
                        open.push((is_text, is_new || (is_text && !out.contains(&id))));
                    }
                    Step::Leave(id) => {
                        let (has_text, keeps) = open.pop().unwrap_or_default();
                        if has_text && !keeps {
                            out.insert(id);
                        }
                        if let Some(parent) = open.last_mut() {
                            parent.0 |= has_text;
                            parent.1 |= keeps;
                        }
                    }
                }
            }
        }
        out
    }
}

fn title(part: &Part) -> Option<String> {
    let page = &part.page;
    let heading = |id: NodeId| Some(text::fold(&page.text(id))).filter(|text| !text.is_empty());
    let is_heading = |id: &NodeId| page.is(*id, "h1");
    let mut inside = part.content.nodes.iter().flat_map(|node| page.subtree(*node)).filter(is_heading);
    inside
        .find_map(heading)
        .or_else(|| open_graph_title(page))
        .or_else(|| {
            let title = page.title()?;
            let mut headings = page.elements().filter(is_heading).filter_map(heading);
            headings.find(|heading| title.contains(heading.as_str()))
        })
        .or_else(|| page.title())
}

fn open_graph_title(page: &Page) -> Option<String> {
    page.elements()
        .filter(|id| page.is(*id, "meta") && page.attribute(*id, "property") == Some("og:title"))
        .find_map(|id| Some(text::fold(page.attribute(id, "content")?)).filter(|title| !title.is_empty()))
}
