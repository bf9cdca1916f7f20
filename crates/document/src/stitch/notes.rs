//! Notes: the links to footnotes, and the links back.

use crate::shape::{Notes, PageCut};
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::{NodeId, Page, text};

/// The longest mark of a note, in characters: `12`, `[a]`, `†`.
const LONGEST_MARK: usize = 8;

const LONGEST_NOTE: u32 = 5000;

const NOTES: [&str; 3] = ["footnote", "endnote", "references"];

/// How far above a link its name may be, and above a note the word that marks it as one.
const NEAR: usize = 4;

type NotePlace = (usize, NodeId);

/// Finds the notes of a document among its internal links. A note may be on another page than the link to it.
///
/// A link leads to a note if its text is a mark and the target block has a link back to it. Without a link back, the link
/// must be raised, and the block must be marked as a note.
pub(super) fn find(pages: &[&Page], cuts: &mut [PageCut]) {
    let links = links(cuts);
    let mut by_target: BTreeMap<NotePlace, Vec<NotePlace>> = BTreeMap::new();
    for (from, to) in &links {
        by_target.entry(*to).or_default().push(*from);
    }
    let mut numbers: BTreeMap<NotePlace, usize> = BTreeMap::new();
    let mut notes: Vec<Notes> = cuts.iter().map(|_| Notes::default()).collect();
    let mut of_notes: BTreeSet<NotePlace> = BTreeSet::new();
    for (from, to) in &links {
        let (page, target) = (pages[from.0], pages[to.0]);
        if !is_mark(page, from.1) {
            continue;
        }
        let Some(block) = note_at(target, to.1) else { continue };
        if to.0 == from.0 && target.contains(block, from.1) {
            continue;
        }
        let leads_back = |(_, at): &&(NotePlace, NotePlace)| at.0 == from.0 && names(page, at.1, from.1);
        let in_block = (to.0, block)..=(to.0, last(target, block));
        let backs: Vec<NotePlace> =
            links_of(&links, in_block).filter(leads_back).map(|(back, _)| *back).collect();
        if backs.is_empty() && !(is_raised(page, from.1) && says_note(target, block)) {
            continue;
        }
        let next = numbers.len() + 1;
        let number = *numbers.entry((to.0, block)).or_insert(next);
        notes[from.0].links.insert(from.1, number);
        notes[to.0].blocks.insert(block, number);
        notes[to.0].backs.extend(backs.iter().map(|(_, node)| *node));
        of_notes.extend(backs);
        of_notes.insert(*from);
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

fn is_mark(page: &Page, link: NodeId) -> bool {
    let mark = text::fold(page.string_value(link));
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
fn note_at(page: &Page, place: NodeId) -> Option<NodeId> {
    let block = std::iter::once(place)
        .chain(page.ancestors(place))
        .find(|id| page.class(*id).line || page.class(*id).cell)?;
    let is_block = matches!(page.tag(block), "li" | "p" | "div" | "dd" | "aside" | "section");
    let is_inside = page
        .ancestors(block)
        .any(|id| matches!(page.tag(id), "li" | "blockquote" | "td" | "th" | "dd" | "pre"));
    let characters = page.totals(block).characters;
    (is_block && !is_inside && (1..=LONGEST_NOTE).contains(&characters)).then_some(block)
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
