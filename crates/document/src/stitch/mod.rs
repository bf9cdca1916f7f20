//! Joins the parts of a sequence into one document, without repeats.

mod anchors;
mod blocks;
mod continued;
mod notes;
mod offers;
mod overlap;
mod pager;
mod refrain;
mod repeats;
mod seam;
mod threads;

use crate::addresses::image_address;
use crate::anchor::page_anchor;
use crate::document::{Document, DocumentPage, DocumentPart};
use crate::part::{Part, Reassembly};
use crate::reading::PageReading;
use crate::shape::{Glue, PageCut, Seam, without_hyphen};
use crate::shown::Shown;
use blocks::PartBlocks;
use overlap::Doubled;
use refrain::DocumentFacts;
use seam::{HyphenatedWords, Side};
use std::collections::{BTreeMap, BTreeSet};
use tsugi_metadata::{Metadata, Said, Source, language_tag, of_words, without_common_end, without_counter};
use tsugi_page::walk::Step;
use tsugi_page::{NodeId, Page, Recurrence, Relation, address};

/// Returns the parts of a sequence as one document, without repeats.
///
/// The text of a part consists of blocks, the lines of [`tsugi_page::Page::text_of`].
///
/// **Repeats.** The opening of the pages (headline, byline, table of contents) stays where it first occurs, and the ending
/// (author box, share bar) where it last occurs, so that text across a page break stays together. Pagers are removed
/// everywhere. Blocks are the same if they differ at most in a page number; short ones also need links to the same places
/// outside the sequence. A part of a list or table stays with the rest of it. Equal blocks inside the pages stay, since a
/// list may well say the same thing twice, unless they are long, or recur on most pages at the same place next to the same
/// neighbour. Text, HTML and Markdown leave out the same blocks. An element whose text is all left out goes too, unless it
/// shows an image that no other page does. Each page keeps at least one block or such an image.
///
/// A heading repeats only a heading of its level, or the title; an entry of a table of contents is none. A refrain, prose
/// or a motto that opens several pages among their paragraphs, stays on all.
///
/// **Seams.** Paragraphs that end one page and start the next are kept once, even if one page shows only half of the last or
/// first one. So is a teaser of the next page; lines that only say that the text goes on are left out. A paragraph cut by the page
/// break is put together: it is whole on the page on which it begins, and in the text the two pages are separated by a space or
/// nothing, not by a newline. A hyphen that splits a word is removed. No paragraph is put together across chapters.
///
/// **Links** between pages of the sequence lead to places in the document: `#page-2`, or `#p2-name` if they name a place.
/// All others are absolute.
///
/// **[`Shown`]** says whether links, images and tables are part of the document.
///
/// **Metadata** (title, authors, dates, language, …) is that of the first page (see [`tsugi_metadata::Metadata`]). The title
/// loses its page number.
///
/// # Cost
///
/// `O(n log n)` for `n` characters and nodes of all pages.
///
/// # Examples
///
/// ```
/// use tsugi_document::{Part, Reassembly, Shown, StopReason, Stopped, stitch};
/// use tsugi_page::{Content, Evidence, Page};
/// let page = Page::from_text("<title>Snow</title><p>It falls.</p>", &"https://a.test/1".parse()?);
/// let content = Content { nodes: page.first("p").into_iter().collect(), ..Content::nothing(Evidence::Model) };
/// let stopped = Stopped::new(StopReason::NoNext, page.url().clone(), "no next-page link");
/// let part = Part::of(page, content, "start");
/// let document = stitch(Reassembly { parts: vec![part], stopped, tried: Vec::new(), warnings: Vec::new(), shown: Shown::default() });
/// assert_eq!((document.title.as_deref(), document.text.as_str()), (Some("Snow"), "It falls."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn stitch(reassembly: Reassembly) -> Document {
    joined(reassembly, &[])
}

/// Returns the [`text`](Document::text) of [`stitch()`]. That of a single page takes less time: no link is followed up, and of its
/// metadata only the title is read, if the page may be a thread.
///
/// # Examples
///
/// ```
/// use tsugi_document::{Part, Reassembly, Shown, StopReason, Stopped, stitch_text};
/// use tsugi_page::{Content, Evidence, Page};
/// let page = Page::from_text("<title>Snow</title><p>It falls.</p>", &"https://a.test/1".parse()?);
/// let content = Content { nodes: page.first("p").into_iter().collect(), ..Content::nothing(Evidence::Model) };
/// let stopped = Stopped::new(StopReason::NoNext, page.url().clone(), "no next-page link");
/// let part = Part::of(page, content, "start");
/// let reassembly = Reassembly { parts: vec![part], stopped, tried: Vec::new(), warnings: Vec::new(), shown: Shown::default() };
/// assert_eq!(stitch_text(reassembly), "It falls.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn stitch_text(mut reassembly: Reassembly) -> String {
    let [part] = reassembly.parts.as_mut_slice() else { return stitch(reassembly).text };
    let reading = read_content(part);
    let may_have_frames = threads::may_have_frames(&part.page, &part.content, &reading.forms);
    let title = may_have_frames.then(|| part.metadata(Metadata::title_alone).title).flatten();
    hide(reassembly.shown, part, &reading);
    if !may_have_frames {
        return part.page.text_in_forms(&part.content.nodes, &part.content.without, &reading.forms);
    }
    let blocks = [PartBlocks::of(part, &reading.forms, None)];
    let mut out = [vec![false; blocks[0].lines.len()]];
    let title = title.as_ref().map(|title| title.value.as_str());
    threads::without_frames(&[&part.page], title, &blocks, &mut out);
    kept_text(&blocks[0], &out[0])
}

/// Reads the content of a part, without what is an offer or was read into a note.
fn read_content(part: &mut Part) -> PageReading {
    notes::recall(&part.page, &mut part.content);
    // Who chooses parts or writes rules has said what there is.
    if part.roles.is_empty() && !part.content.evidence.is_rule() {
        offers::leave_out(&part.page, &mut part.content);
    }
    PageReading::for_document(&part.page, &mut part.content)
}

/// Returns the pages of several sources, one after the other, as one document: each source is a chapter, under its title. `None`
/// if there is no source.
///
/// A page that an earlier source has is left out. The document ends like the first source that is not complete, or else like the
/// last one. Its metadata is that of the first page, as in [`stitch()`].
pub fn book(sources: Vec<Reassembly>) -> Option<Document> {
    let mut sources = sources.into_iter();
    let mut book = sources.next()?;
    let mut chapters = Vec::new();
    let mut pages: BTreeSet<String> =
        book.parts.iter().map(|part| address::page_key(part.page.url())).collect();
    for source in sources {
        let begin = book.parts.len();
        let new = source.parts.into_iter().filter(|part| pages.insert(address::page_key(part.page.url())));
        book.parts.extend(new);
        if book.parts.len() > begin {
            chapters.push(begin);
        }
        if book.stopped.complete {
            book.stopped = source.stopped;
        }
        book.tried.extend(source.tried);
        book.warnings.extend(source.warnings);
    }
    Some(joined(book, &chapters))
}

/// Joins the parts of a sequence; sources after the first begin at the pages `chapters`, in order.
fn joined(mut reassembly: Reassembly, chapters: &[usize]) -> Document {
    let shown = reassembly.shown;
    let mut readings = Vec::with_capacity(reassembly.parts.len());
    for part in &mut reassembly.parts {
        readings.push(read_content(part));
    }
    let mut document = empty(&reassembly);
    let mut hidden = Vec::with_capacity(readings.len());
    for (part, reading) in reassembly.parts.iter_mut().zip(&readings) {
        hidden.push(hide(shown, part, reading));
    }
    let parts = reassembly.parts;
    let mut titles = chapter_titles(&parts, chapters);
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for (index, part) in parts.iter().enumerate() {
        numbers.entry(address::page_key(part.page.url())).or_insert(index);
    }
    let mut blocks = Vec::with_capacity(parts.len());
    for (part, reading) in parts.iter().zip(&readings) {
        blocks.push(PartBlocks::of(part, &reading.forms, Some(&numbers)));
    }
    let headline = parts.first().and_then(|part| part.page.title());
    let facts = DocumentFacts::of(&document, headline.as_deref());
    let mut out = repeats::repeats(&blocks, &facts);
    let pages: Vec<&Page> = parts.iter().map(|part| &part.page).collect();
    let title = document.title.take();
    let topic = threads::without_frames(&pages, title.as_deref(), &blocks, &mut out);
    let topic = topic.or_else(|| threads::labelled(title.as_deref()?, &blocks)).map(str::to_owned);
    document.title = topic.or(title);
    let seams = seams(&parts, &blocks, chapters, &mut out);
    let mut cuts = cuts(&parts, readings, &blocks, &out);
    for (index, seam) in seams.iter().enumerate() {
        if seam.is_some() {
            (cuts[index - 1].rest, cuts[index].given) = (*seam, *seam);
        }
    }
    let mut led_to = anchors::connect(&pages, &mut cuts, &numbers);
    // Notes are found even if links are not shown, since Markdown has signs of its own for them.
    notes::find(&pages, &mut cuts);
    for (cut, hidden) in cuts.iter_mut().zip(hidden) {
        cut.left_out.extend(hidden);
        cut.shown = shown;
        if !shown.links {
            cut.ids.clear();
        }
    }
    if !shown.links {
        led_to.clear();
    }
    for (index, (part, cut)) in parts.into_iter().zip(cuts).enumerate() {
        let mut text = kept_text(&blocks[index], &out[index]);
        if seams.get(index + 1).copied().flatten().is_some_and(|seam| seam.glue == Glue::Hyphen) {
            text.truncate(without_hyphen(&text).len());
        }
        if !document.text.is_empty() && !text.is_empty() {
            let between = match seams[index].map(|seam| seam.glue) {
                None => "\n",
                Some(Glue::Space) => " ",
                Some(Glue::Nothing | Glue::Hyphen) => "",
            };
            document.text.push_str(between);
        }
        let start = document.text.len();
        document.text.push_str(&text);
        if !part.roles.is_empty() {
            push_roles(&mut document, start, &part.roles, &blocks[index], &out[index]);
        }
        document.pages.push(DocumentPage {
            url: part.page.url().clone(),
            score: part.score,
            by: part.by.to_owned(),
            content_by: part.content.evidence.as_str(),
            content_score: part.content.score,
            rule: part.content.evidence.rule().map(str::to_owned),
            verdict: part.verdict,
            text: start..document.text.len(),
            comments: part.comments.map(|found| part.page.text_of_content(&found.nodes, &found.without)),
            removed: out[index].iter().filter(|out| **out).count(),
            chapter: titles[index].take(),
            page: part.page,
            cut,
            anchor: led_to.contains(&index).then(|| page_anchor(index)),
        });
    }
    // The first page may be a cover without text.
    if document.lang.is_none() {
        const SAMPLE: usize = 20_000;
        document.lang = of_words(&document.text[..document.text.floor_char_boundary(SAMPLE)]);
    }
    document
}

impl Reassembly {
    /// Returns one document of the pages: see [`stitch()`].
    pub fn into_document(self) -> Document {
        stitch(self)
    }
}

/// Notes the roles of the lines of a page, whose text starts at `start` and ends the document's text.
fn push_roles(
    document: &mut Document,
    start: usize,
    roles: &BTreeMap<NodeId, &'static str>,
    blocks: &PartBlocks,
    out: &[bool],
) {
    let mut of_lines = vec![None; blocks.lines.len()];
    for (node, lines) in &blocks.texts {
        let Some(role) = roles.get(node) else { continue };
        for line in of_lines.iter_mut().take(lines.end).skip(lines.start) {
            line.get_or_insert(*role);
        }
    }
    let (end, mut at) = (document.text.len(), start);
    for ((line, role), _) in blocks.lines.iter().zip(of_lines).zip(out).filter(|(_, out)| !**out) {
        let text = at.min(end)..(at + line.text.len()).min(end);
        at = text.end + 1;
        let Some(role) = role.filter(|_| !text.is_empty()) else { continue };
        match document.parts.last_mut().filter(|last| last.role == role && last.text.end >= start) {
            Some(last) => last.text.end = text.end,
            None => document.parts.push(DocumentPart { role, text }),
        }
    }
}

fn kept_text(blocks: &PartBlocks, out: &[bool]) -> String {
    let kept = blocks.lines.iter().zip(out).filter(|(_, out)| !**out);
    kept.map(|(line, _)| line.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// Removes hidden tables and captions from the content of a part. Returns the other hidden nodes, which have no text, so that
/// only the writers need to leave them out.
fn hide(shown: Shown, part: &mut Part, reading: &PageReading) -> Vec<NodeId> {
    let (page, content) = (&part.page, &mut part.content);
    let hidden = shown.hides(page, content, reading).into_iter();
    let (with_text, without): (Vec<_>, Vec<_>) = hidden.partition(|id| page.totals(*id).characters > 0);
    if !with_text.is_empty() {
        content.without.extend(with_text);
        content.without = page.outermost(std::mem::take(&mut content.without));
    }
    without
}

fn empty(reassembly: &Reassembly) -> Document {
    let parts = &reassembly.parts;
    let first = parts.first();
    let said = first.map_or_else(Metadata::default, |part| part.metadata(Metadata::of));
    let title = said.title.map(|title| of_all_pages(title, parts));
    let lang = said.lang.map(|lang| lang.value);
    Document {
        url: first.map_or_else(|| reassembly.stopped.at.clone(), |part| part.page.url().clone()),
        title,
        authors: said.authors.map(|authors| authors.value).unwrap_or_default(),
        published: said.published.map(|date| date.value),
        modified: said.modified.map(|date| date.value),
        lang: lang.or_else(|| parts.iter().skip(1).find_map(|part| language_tag(part.page.lang()?))),
        canonical: said.canonical,
        site: said.site.map(|site| site.value),
        description: said.description.map(|text| text.value),
        image: said.image.map(|image| image.value),
        section: said.section.map(|section| section.value),
        tags: said.tags,
        pages: Vec::with_capacity(parts.len()),
        text: String::new(),
        parts: Vec::new(),
        stopped: reassembly.stopped.clone(),
        tried: reassembly.tried.clone(),
        warnings: reassembly.warnings.clone(),
    }
}

/// Returns the titles of the sources, if there are several, at the pages on which they begin.
fn chapter_titles(parts: &[Part], chapters: &[usize]) -> Vec<Option<String>> {
    let mut titles = vec![None; parts.len()];
    if !chapters.is_empty() {
        for index in std::iter::once(0).chain(chapters.iter().copied()) {
            let title = parts.get(index).and_then(|part| part.metadata(Metadata::title_alone).title);
            if let Some(title) = title {
                titles[index] = Some(without_counter(&title.value).to_owned());
            }
        }
    }
    titles
}

/// Returns the title of the first page as that of all: without the page number, and without the name of the site if the titles
/// of the other pages end with it too.
fn of_all_pages(title: Said<String>, parts: &[Part]) -> String {
    if parts.len() < 2 {
        return title.value;
    }
    let others: Vec<String> = parts.iter().skip(1).take(8).filter_map(|part| part.page.title()).collect();
    let others: Vec<&str> = others.iter().map(String::as_str).collect();
    let own = match title.by {
        Source::TitleElement => without_common_end(&title.value, &others),
        _ => &title.value,
    };
    without_counter(own).to_owned()
}

/// Returns how each page is joined to the previous one, and takes out the paragraphs that both show.
fn seams(
    parts: &[Part],
    blocks: &[PartBlocks],
    chapters: &[usize],
    out: &mut [Vec<bool>],
) -> Vec<Option<Seam>> {
    let mut words = HyphenatedWords::default();
    for blocks in blocks {
        words.add(blocks);
    }
    let mut seams: Vec<Option<Seam>> = vec![None; parts.len()];
    for index in 1..parts.len() {
        let is_chapter = chapters.binary_search(&index).is_ok()
            || parts[index - 1].next.as_ref().is_some_and(|link| link.relation == Relation::Chapter);
        let [before, after] = [index - 1, index].map(|at| side(&parts[at], &blocks[at], &out[at]));
        take_out(overlap::continued(before, after, is_chapter), index, out);
        let [before, after] = [index - 1, index].map(|at| side(&parts[at], &blocks[at], &out[at]));
        take_out(overlap::overlap(before, after), index, out);
        let [before, after] = [index - 1, index].map(|at| side(&parts[at], &blocks[at], &out[at]));
        // No sentence runs across chapters.
        seams[index] = if is_chapter { None } else { seam::seam(before, after, &words) };
    }
    seams
}

fn take_out(doubled: Doubled, after: usize, out: &mut [Vec<bool>]) {
    for (page, lines) in [(after - 1, doubled.before), (after, doubled.after)] {
        for line in lines {
            out[page][line] = true;
        }
    }
}

fn side<'a>(part: &'a Part, blocks: &'a PartBlocks, out: &'a [bool]) -> Side<'a> {
    Side { page: &part.page, content: &part.content.nodes, without: &part.content.without, blocks, out }
}

fn cuts(
    parts: &[Part],
    readings: Vec<PageReading>,
    blocks: &[PartBlocks],
    out: &[Vec<bool>],
) -> Vec<PageCut> {
    let shown = blocks::pages_with_images(blocks);
    let mut cuts = Vec::with_capacity(parts.len());
    for (((part, reading), blocks), out) in parts.iter().zip(readings).zip(blocks).zip(out) {
        cuts.push(PageCut::new(part.content.nodes.clone(), left_out(part, blocks, out, &shown), reading));
    }
    cuts
}

fn left_out(part: &Part, blocks: &PartBlocks, out: &[bool], shown: &Recurrence<&str>) -> BTreeSet<NodeId> {
    let mut left: BTreeSet<NodeId> = part.content.without.iter().copied().collect();
    if !out.contains(&true) {
        return left;
    }
    let page = &part.page;
    let removed = blocks.texts.iter().filter(|(_, lines)| !out[lines.clone()].contains(&false));
    left.extend(removed.map(|(id, _)| *id));
    // For each open element: does it have text, and is any of it kept?
    let mut open: Vec<(bool, bool)> = Vec::new();
    let mut texts = blocks.texts.iter().peekable();
    for root in &part.content.nodes {
        for step in page.walk(*root) {
            match step {
                Step::Enter(id) => {
                    let is_text = texts.next_if(|(text, _)| *text == id).is_some();
                    let image = image_address(page, id);
                    let is_new = image.is_some_and(|image| shown.pages(&image.as_str()) == 1);
                    open.push((is_text, is_new || (is_text && !left.contains(&id))));
                }
                Step::Leave(id) => {
                    let (has_text, keeps) = open.pop().unwrap_or_default();
                    if has_text && !keeps {
                        left.insert(id);
                    }
                    if let Some(parent) = open.last_mut() {
                        parent.0 |= has_text;
                        parent.1 |= keeps;
                    }
                }
            }
        }
    }
    left
}
