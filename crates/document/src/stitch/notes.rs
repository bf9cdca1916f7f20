//! Notes: the links to footnotes, and the links back.
//!
//! Where a reference and a note lead to each other, their links alone do not say which is which. The reference stands in running
//! text. The note begins with its link, or ends with an arrow.

use crate::reading::is_side_note;
use crate::shape::{Notes, PageCut};
use percent_encoding::percent_decode_str;
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::walk::Step;
use tsugi_page::{Attr, Content, NodeId, NodeKind, Page, Tag, address, text};

/// The longest mark of a note, in characters: `12`, `[a]`, `†`.
const LONGEST_MARK: usize = 8;

const LONGEST_NOTE: u32 = 5000;

const NOTES: [&str; 3] = ["footnote", "endnote", "references"];

/// How far above a link its name may be, and above a note the word that marks it as one.
const NEAR: usize = 4;

/// The most nodes of a block to look at for where a link stands in it.
const MOST_NODES: usize = 256;

const ARROWS: [char; 12] = ['↩', '↑', '↵', '⤴', '⏎', '^', '▲', '⇧', '←', '↖', '⇑', '\u{fe0e}'];

type NotePlace = (usize, NodeId);

/// Where a note is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NoteBlock {
    /// The block with its text.
    block: NodeId,
    /// Where it begins: the block, or the term before it that holds the mark.
    begin: NodeId,
}

/// How a block holds a link. Of two that lead to each other, the block with the greater one is the note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LinkStand {
    Within,
    AtEnd,
    AtStart,
    /// An arrow, or a link whose role says that it leads back.
    Arrow,
}

/// A link to a note.
#[derive(Debug)]
struct NoteReference {
    link: NotePlace,
    note: (usize, NoteBlock),
    backs: Vec<NotePlace>,
}

/// Finds the notes of a document among its internal links, and beside its text. A note may be on another page than the link
/// to it.
///
/// A link leads to a note if its text is a mark, and the target block leads back to it from its beginning or its end. Without
/// a link back, the link must be raised, and the block must be marked as a note. Further links to a note need the same mark.
pub(super) fn find(pages: &[&Page], cuts: &mut [PageCut]) {
    let links = links(cuts);
    let mut by_target: BTreeMap<NotePlace, Vec<NotePlace>> = BTreeMap::new();
    for (from, to) in &links {
        by_target.entry(*to).or_default().push(*from);
    }
    let mut references: Vec<NoteReference> = Vec::new();
    for (from, to) in &links {
        references.extend(reference(pages, &links, *from, *to));
    }
    let mut marks: BTreeMap<NotePlace, String> = BTreeMap::new();
    for NoteReference { link, note, .. } in &references {
        marks.entry((note.0, note.1.block)).or_insert_with(|| mark(pages[link.0], link.1));
    }
    let taken: BTreeSet<NotePlace> =
        references.iter().flat_map(|found| found.backs.iter().copied().chain([found.link])).collect();
    for (from, to) in &links {
        let Some(note) = note_at(pages[to.0], to.1).filter(|_| !taken.contains(from)) else { continue };
        let is_within = from.0 == to.0 && pages[to.0].contains(note.block, from.1);
        if !is_within && marks.get(&(to.0, note.block)) == Some(&mark(pages[from.0], from.1)) {
            references.push(NoteReference { link: *from, note: (to.0, note), backs: Vec::new() });
        }
    }
    let sides: Vec<NotePlace> = cuts
        .iter()
        .enumerate()
        .flat_map(|(page, cut)| cut.reading.side_notes.iter().map(move |node| (page, *node)))
        .collect();
    without_notes_in_notes(pages, &mut references, &sides);
    references.sort_by_key(|found| found.link);
    let mut numbers: BTreeMap<NotePlace, usize> = BTreeMap::new();
    let mut notes: Vec<Notes> = cuts.iter().map(|_| Notes::default()).collect();
    let mut of_notes: BTreeSet<NotePlace> = BTreeSet::new();
    let mut sides = sides.into_iter().peekable();
    for NoteReference { link, note: (page, note), backs } in references {
        while let Some(side) = sides.next_if(|side| *side < link) {
            number_side(side, &mut numbers, &mut notes);
        }
        let next = numbers.len() + 1;
        let number = *numbers.entry((page, note.block)).or_insert(next);
        notes[link.0].links.insert(link.1, number);
        notes[page].blocks.insert(note.block, number);
        let (links, labels) = label(pages[page], note, &backs);
        notes[page].labels.extend(labels);
        notes[page].backs.extend(backs.iter().map(|(_, node)| *node).chain(links));
        of_notes.extend(backs);
        of_notes.insert(link);
    }
    for side in sides {
        number_side(side, &mut numbers, &mut notes);
    }
    for ((page, node), froms) in &by_target {
        if froms.iter().all(|from| of_notes.contains(from)) {
            notes[*page].names.insert(*node);
        }
    }
    for (cut, notes) in cuts.iter_mut().zip(notes) {
        cut.notes = notes;
    }
}

fn number_side(side: NotePlace, numbers: &mut BTreeMap<NotePlace, usize>, notes: &mut [Notes]) {
    let next = numbers.len() + 1;
    let number = *numbers.entry(side).or_insert(next);
    notes[side.0].sides.insert(side.1, number);
}

fn reference(
    pages: &[&Page],
    links: &[(NotePlace, NotePlace)],
    from: NotePlace,
    to: NotePlace,
) -> Option<NoteReference> {
    let (page, target) = (pages[from.0], pages[to.0]);
    if !is_mark(page, from.1) {
        return None;
    }
    let note = note_at(target, to.1)?;
    if to.0 == from.0 && (target.contains(note.block, from.1) || target.contains(note.begin, from.1)) {
        return None;
    }
    let own = block_of(page, from.1)?;
    if !is_raised(page, from.1) && !has_words(page, own) {
        return None;
    }
    let stand = stand(page, own, from.1);
    let leads_back = |(_, at): &&(NotePlace, NotePlace)| at.0 == from.0 && names(page, at.1, from.1);
    let in_block = (to.0, note.begin)..=(to.0, last(target, note.block));
    let backs: Vec<NotePlace> = links_of(links, in_block).filter(leads_back).map(|(back, _)| *back).collect();
    let says_note = says_note(target, note.block);
    let is_note = match backs.first() {
        None => is_raised(page, from.1) && says_note && stand != LinkStand::Arrow,
        Some(back) => {
            let there = stand_in(target, note, back.1);
            let begins_unsaid = stand == LinkStand::AtStart && !is_raised(page, from.1) && !says_note;
            let leads = match there.cmp(&stand) {
                std::cmp::Ordering::Greater => true,
                std::cmp::Ordering::Equal => from < *back,
                std::cmp::Ordering::Less => false,
            };
            leads && (there > LinkStand::Within || says_note) && (there == LinkStand::Arrow || !begins_unsaid)
        }
    };
    is_note.then_some(NoteReference { link: from, note: (to.0, note), backs })
}

/// Drops references that make a note of a block which holds another note, or several of them line by line, or of one that is within
/// a note beside the text.
fn without_notes_in_notes(pages: &[&Page], references: &mut Vec<NoteReference>, sides: &[NotePlace]) {
    let mut blocks: BTreeMap<NotePlace, BTreeSet<String>> = BTreeMap::new();
    for NoteReference { link, note, .. } in references.iter() {
        let marks = blocks.entry((note.0, note.1.block)).or_default();
        marks.insert(mark(pages[link.0], link.1));
    }
    references.retain(|NoteReference { note: (at, note), .. }| {
        if blocks.get(&(*at, note.block)).is_some_and(|marks| marks.len() > 1) {
            return false;
        }
        let page = pages[*at];
        let within = (*at, note.block)..=(*at, last(page, note.block));
        let holds_one = blocks.range(within).any(|(block, _)| block.1 != note.block);
        let in_side = page.ancestors(note.block).any(|above| sides.binary_search(&(*at, above)).is_ok());
        !holds_one && !in_side
    });
}

/// Returns the links at the beginning of a note that lead back, some of them to places that are not in the document, and the
/// texts there that only give the mark of the note, with how many bytes of them do.
fn label(page: &Page, note: NoteBlock, backs: &[NotePlace]) -> (Vec<NodeId>, Vec<(NodeId, usize)>) {
    let (mut links, mut labels) = (Vec::new(), Vec::new());
    let Some((_, first)) = backs.first() else { return (links, labels) };
    if !begins_with(page, note, *first) {
        return (links, labels);
    }
    // The end of the link back that is open, and whether the mark has come to its end.
    let (mut inside, mut is_over) = (0, false);
    for id in note.nodes(page).take(MOST_NODES) {
        let is_back = || backs.iter().any(|(_, back)| *back == id);
        if page.is(id, "a") && (is_back() || is_mark(page, id) && fragment(page, id).is_some()) {
            inside = page.subtree_end(id);
            links.push(id);
        }
        if id.index() < inside || page.kind(id) != NodeKind::Text {
            continue;
        }
        let text = page.data(id);
        let mut rest = text.trim_start();
        if inside == 0 && !rest.is_empty() {
            // What stands before the link back is its number or bracket.
            rest = "";
        } else if !is_over && rest.len() == text.len() {
            rest = rest.trim_start_matches([']', ')', '}', '）', '］', '】', '.', ':', '：', '．', '、']);
            is_over = rest.starts_with(char::is_whitespace);
            rest = rest.trim_start();
        }
        is_over |= rest.len() < text.len() && text.ends_with(char::is_whitespace);
        labels.push((id, text.len() - rest.len()));
        if !rest.is_empty() {
            break;
        }
    }
    (links, labels)
}

impl NoteBlock {
    fn nodes(self, page: &Page) -> impl Iterator<Item = NodeId> + use<> {
        let term = (self.begin != self.block).then(|| page.subtree(self.begin));
        term.into_iter().flatten().chain(page.subtree(self.block))
    }
}

fn block_of(page: &Page, id: NodeId) -> Option<NodeId> {
    page.ancestors(id).find(|id| page.class(*id).line || page.class(*id).cell)
}

/// Returns `true` if a block says something besides marks of notes.
fn has_words(page: &Page, block: NodeId) -> bool {
    texts_beside_marks(page, page.subtree(block)).any(|id| {
        page.data(id).split(|c: char| !c.is_alphanumeric()).any(|word| word.chars().nth(1).is_some())
            || page.data(id).chars().any(text::is_cjk)
    })
}

/// Returns the texts of nodes in document order, without those of links that could be marks of notes.
fn texts_beside_marks(page: &Page, nodes: impl Iterator<Item = NodeId>) -> impl Iterator<Item = NodeId> {
    let mut inside = 0;
    nodes.take(MOST_NODES).filter(move |id| {
        if id.index() >= inside && page.is(*id, "a") && is_mark(page, *id) {
            inside = page.subtree_end(*id);
        }
        id.index() >= inside && page.kind(*id) == NodeKind::Text
    })
}

fn stand(page: &Page, block: NodeId, link: NodeId) -> LinkStand {
    stand_in(page, NoteBlock { block, begin: block }, link)
}

fn stand_in(page: &Page, note: NoteBlock, link: NodeId) -> LinkStand {
    if is_arrow(page, link) {
        return LinkStand::Arrow;
    }
    if begins_with(page, note, link) {
        return LinkStand::AtStart;
    }
    let end = page.subtree_end(link);
    let mut after = page.subtree(note.block).rev().take(MOST_NODES).take_while(|id| id.index() >= end);
    let says_more = |id: NodeId| {
        let link = page.ancestors(id).take(NEAR).find(|above| page.is(*above, "a"));
        page.kind(id) == NodeKind::Text
            && page.data(id).contains(char::is_alphanumeric)
            && !link.is_some_and(|link| is_mark(page, link))
    };
    let is_near = page.subtree(note.block).rev().take(MOST_NODES).any(|id| id == link);
    if is_near && !after.any(says_more) { LinkStand::AtEnd } else { LinkStand::Within }
}

fn begins_with(page: &Page, note: NoteBlock, link: NodeId) -> bool {
    let is_near = note.nodes(page).take(MOST_NODES).any(|id| id == link);
    let before = note.nodes(page).take_while(|id| *id < link);
    is_near && texts_beside_marks(page, before).all(|id| !page.data(id).contains(char::is_alphabetic))
}

fn is_arrow(page: &Page, link: NodeId) -> bool {
    let text = page.string_value(link);
    let mut signs =
        text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '[' | ']' | '(' | ')')).peekable();
    page.attribute(link, "role").is_some_and(|role| role.trim().eq_ignore_ascii_case("doc-backlink"))
        || (signs.peek().is_some() && signs.all(|c| ARROWS.contains(&c)))
}

fn links(cuts: &[PageCut]) -> Vec<(NotePlace, NotePlace)> {
    let mut places: BTreeMap<&str, NotePlace> = BTreeMap::new();
    for (page, cut) in cuts.iter().enumerate() {
        places.extend(cut.ids.iter().map(|(node, name)| (name.as_str(), (page, *node))));
    }
    let mut links = Vec::new();
    for (page, cut) in cuts.iter().enumerate() {
        for (node, address) in &cut.links {
            let place = address.strip_prefix('#').and_then(|name| places.get(name));
            links.extend(place.map(|place| ((page, *node), *place)));
        }
    }
    links
}

fn links_of(
    links: &[(NotePlace, NotePlace)],
    within: std::ops::RangeInclusive<NotePlace>,
) -> impl Iterator<Item = &(NotePlace, NotePlace)> {
    let start = links.partition_point(|(from, _)| from < within.start());
    links[start..].iter().take_while(move |(from, _)| within.contains(from))
}

fn last(page: &Page, id: NodeId) -> NodeId {
    page.subtree(id).next_back().unwrap_or(id)
}

fn mark(page: &Page, link: NodeId) -> String {
    text::fold(page.string_value(link))
}

fn is_mark(page: &Page, link: NodeId) -> bool {
    // The length of what a long link holds is known without its text.
    if page.totals(link).characters as usize > 4 * LONGEST_MARK {
        return false;
    }
    let mark = mark(page, link);
    let is_short = (1..=LONGEST_MARK).contains(&mark.chars().count());
    let bare = mark.trim_matches(['[', ']', '(', ')']);
    let is_number = !bare.is_empty() && bare.chars().all(|c| c.is_ascii_digit());
    let is_letter =
        bare.chars().count() == 1 || bare.chars().all(|c| matches!(c, '*' | '†' | '‡' | '§' | '¶'));
    is_short && (is_number || is_letter || is_raised(page, link))
}

fn is_raised(page: &Page, link: NodeId) -> bool {
    let mut near = page.ancestors(link).take(2).chain(page.child_elements(link).take(2));
    near.any(|id| page.is(id, "sup"))
}

/// Returns the block of the note that a link leads to; `None` if it is no note, or if Markdown allows no note there.
fn note_at(page: &Page, place: NodeId) -> Option<NoteBlock> {
    let begin = std::iter::once(place)
        .chain(page.ancestors(place))
        .find(|id| page.class(*id).line || page.class(*id).cell)?;
    // The first paragraph of an item stands for the item.
    let begin = page
        .parent(begin)
        .filter(|item| {
            page.is(begin, "p") && page.is(*item, "li") && page.child_elements(*item).next() == Some(begin)
        })
        .unwrap_or(begin);
    let block = match page.tag(begin) {
        "li" | "p" | "div" | "dd" | "aside" | "section" => begin,
        "dt" => std::iter::successors(page.next_sibling(begin), |id| page.next_sibling(*id))
            .find(|id| page.is_element(*id))
            .filter(|next| page.is(*next, "dd"))?,
        // Older generators write a table of one row.
        "table" => {
            let rows = page.subtree(begin).take(MOST_NODES).filter(|id| page.is(*id, "tr")).count();
            (rows == 1).then_some(begin)?
        }
        _ => return None,
    };
    let is_inside = page
        .ancestors(block)
        .any(|id| matches!(page.tag(id), "li" | "blockquote" | "td" | "th" | "dd" | "pre"));
    let characters = page.totals(block).characters;
    (!is_inside && (1..=LONGEST_NOTE).contains(&characters)).then_some(NoteBlock { block, begin })
}

/// Returns `true` if a place is that of a link: the link itself, its immediate surroundings, or inside it.
fn names(page: &Page, place: NodeId, link: NodeId) -> bool {
    place == link
        || page.contains(link, place)
        || page.ancestors(link).take(NEAR).any(|above| above == place && !page.class(above).line)
        || page.parent(link).is_some_and(|parent| page.children(parent).any(|id| id == place))
}

fn says_note(page: &Page, block: NodeId) -> bool {
    std::iter::once(block).chain(page.ancestors(block).take(NEAR)).any(|id| {
        let role = page.attribute(id, "role").unwrap_or_default();
        let names =
            ["class", "id"].map(|name| page.attribute(id, name).unwrap_or_default().to_ascii_lowercase());
        role.starts_with("doc-endnote")
            || role.starts_with("doc-footnote")
            || names.iter().any(|name| NOTES.iter().any(|word| name.contains(word)))
    })
}

/// Adds the notes that the content of a page refers to and that are not part of it.
///
/// Notes at the side, or in a part that looks like furniture, belong to the text that refers to them. A note needs a link back
/// to its reference.
pub(super) fn recall(page: &Page, content: &mut Content) {
    let wanted = wanted(page, content);
    if wanted.is_empty() {
        return;
    }
    let mut found: BTreeSet<NodeId> = BTreeSet::new();
    for id in page.elements() {
        let own = page.attribute(id, "id");
        let name = page.attribute(id, "name").filter(|_| page.is(id, "a"));
        if own.is_some_and(|name| wanted.contains_key(name)) && is_side_note(page, id) {
            // Its mark shows it when it is pressed.
            content.without.retain(|out| !page.contains(id, *out));
            continue;
        }
        for reference in [own, name].into_iter().flatten().filter_map(|name| wanted.get(name)).flatten() {
            let Some(note) = note_at(page, id).filter(|note| !is_written(page, content, note.block)) else {
                continue;
            };
            let holds_content = content.nodes.iter().any(|node| page.contains(note.block, *node));
            let leads_back = || {
                note.nodes(page).take(MOST_NODES).any(|id| {
                    page.is(id, "a")
                        && fragment(page, id).is_some_and(|name| is_named(page, *reference, &name))
                })
            };
            if !holds_content && leads_back() {
                found.extend([note.begin, note.block]);
            }
        }
    }
    for block in with_lists(page, content, &found) {
        match content.without.iter().position(|out| page.contains(*out, block)) {
            Some(at) => {
                let out = content.without.remove(at);
                spare(page, &mut content.without, out, block);
            }
            None => content.nodes.push(block),
        }
    }
    content.nodes.sort_unstable();
    content.without.sort_unstable();
}

/// Returns the marks of the content that lead to a place on the page, by its name.
fn wanted(page: &Page, content: &Content) -> BTreeMap<String, Vec<NodeId>> {
    let leads_to_place = |id: NodeId| page.value(id, Attr::Href).is_some_and(|href| href.contains('#'));
    let is_wanted = |id: NodeId| page.is_tag(id, Tag::A) && leads_to_place(id) && is_mark(page, id);
    let mut wanted: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
    // Most pages have none at all.
    if !page.elements_of(Tag::A).any(is_wanted) {
        return wanted;
    }
    for root in &content.nodes {
        let mut walk = page.walk(*root);
        while let Some(step) = walk.next() {
            let Step::Enter(id) = step else { continue };
            if content.without.binary_search(&id).is_ok() || page.class(id).hidden {
                walk.skip_children();
            } else if is_wanted(id)
                && let Some(name) = fragment(page, id)
            {
                wanted.entry(name).or_default().push(id);
            }
        }
    }
    wanted
}

/// Returns the name of the place on this page that a link leads to.
fn fragment(page: &Page, link: NodeId) -> Option<String> {
    let href = page.attribute(link, "href").filter(|href| href.contains('#'))?.trim();
    let name = if let Some(name) = href.strip_prefix('#') {
        name.to_owned()
    } else {
        let url = page.resolve(href)?;
        let is_here = address::page_key(&url) == address::page_key(page.url());
        url.fragment().filter(|_| is_here)?.to_owned()
    };
    let name = percent_decode_str(&name).decode_utf8_lossy().into_owned();
    (!name.is_empty()).then_some(name)
}

fn is_named(page: &Page, link: NodeId, name: &str) -> bool {
    let has_name = |id: NodeId| {
        page.attribute(id, "id") == Some(name) || page.is(id, "a") && page.attribute(id, "name") == Some(name)
    };
    let above = page.ancestors(link).take(NEAR).take_while(|id| !page.class(*id).line);
    let beside = page.parent(link).into_iter().flat_map(|parent| page.children(parent));
    page.subtree(link).take(MOST_NODES).chain(above).chain(beside.take(MOST_NODES)).any(has_name)
}

fn is_written(page: &Page, content: &Content, id: NodeId) -> bool {
    let at = content.nodes.partition_point(|node| *node <= id);
    let is_in = at.checked_sub(1).is_some_and(|at| page.contains(content.nodes[at], id));
    is_in && !content.without.iter().any(|out| page.contains(*out, id))
        || std::iter::once(id).chain(page.ancestors(id)).any(|id| page.class(id).hidden)
}

/// Replaces notes that are all of a list by the list.
fn with_lists(page: &Page, content: &Content, found: &BTreeSet<NodeId>) -> Vec<NodeId> {
    let mut blocks = BTreeSet::new();
    for id in found {
        let list = page.parent(*id).filter(|parent| {
            matches!(page.tag(*parent), "ol" | "ul" | "dl")
                && !content.nodes.iter().any(|node| page.contains(*parent, *node))
        });
        let is_all = |list: &NodeId| {
            page.child_elements(*list).all(|item| found.contains(&item) || page.totals(item).characters == 0)
        };
        blocks.insert(list.filter(is_all).unwrap_or(*id));
    }
    page.outermost(blocks.into_iter().collect())
}

/// Leaves out what is in `out`, except for `block`.
fn spare(page: &Page, without: &mut Vec<NodeId>, out: NodeId, block: NodeId) {
    let mut path = block;
    while path != out {
        let Some(parent) = page.parent(path) else { break };
        without.extend(page.children(parent).filter(|child| *child != path));
        path = parent;
    }
}
