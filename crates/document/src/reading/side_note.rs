//! Notes in the running text, which styles set at the side of the page, or scripts show beside their mark.

use tsugi_page::{NodeId, Page, Tag};

const NAMES: [&str; 4] = ["sidenote", "marginnote", "side-note", "margin-note"];

/// How many nodes before a note may be its switch and the sign of it.
const NEAR: usize = 6;

const MOST_NODES: usize = 2000;

/// The longest sign of a note, in characters.
const LONGEST_SIGN: usize = 3;

/// Returns `true` if an element within a line is a note: its class says so, a checkbox with a label before it shows it, or the mark
/// right before it leads to it.
pub(crate) fn is_side_note(page: &Page, id: NodeId) -> bool {
    if !matches!(page.known_tag(id), Tag::Span | Tag::Small) || page.totals(id).characters == 0 {
        return false;
    }
    let class = page.attribute(id, "class").unwrap_or_default();
    // The number of a note has its name, too: `sidenote-number`.
    let mut words = class.split_ascii_whitespace();
    let is_named = words.any(|word| NAMES.iter().any(|name| word.eq_ignore_ascii_case(name)));
    if !is_named && sign_before(page, id).is_none() {
        return false;
    }
    let mut below = page.subtree(id).skip(1);
    let has_lines = below.by_ref().take(MOST_NODES).any(|below| page.class(below).line);
    !has_lines && below.next().is_none()
}

/// Returns what stands before a note as its sign: the label of a checkbox, or a link to the note.
pub(super) fn sign_before(page: &Page, note: NodeId) -> Option<NodeId> {
    label_before(page, note).or_else(|| mark_before(page, note))
}

/// Returns the link to a note that stands right before it, behind other words. Without these it is the number of a heading, or a link
/// to it.
fn mark_before(page: &Page, note: NodeId) -> Option<NodeId> {
    let name = page.attribute(note, "id")?;
    let mark = page.previous_sibling(note).filter(|mark| page.is(*mark, "sup") || page.is(*mark, "a"))?;
    page.previous_sibling(mark).filter(|before| page.string_value(*before).contains(char::is_alphabetic))?;
    let sign = page.string_value(mark);
    let sign = sign.trim().trim_matches(['[', ']', '(', ')']);
    let is_sign = !sign.is_empty()
        && sign.chars().count() <= LONGEST_SIGN
        && sign.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '*' | '†' | '‡'));
    let leads_here = |id: NodeId| {
        page.is(id, "a") && page.attribute(id, "href").and_then(|href| href.strip_prefix('#')) == Some(name)
    };
    (is_sign && page.subtree(mark).any(leads_here)).then_some(mark)
}

fn label_before(page: &Page, note: NodeId) -> Option<NodeId> {
    let before = std::iter::successors(page.previous_sibling(note), |id| page.previous_sibling(*id));
    let mut before = before.take(NEAR);
    let is_checkbox = |id: &NodeId| {
        page.is(*id, "input")
            && page.attribute(*id, "type").is_some_and(|kind| kind.trim().eq_ignore_ascii_case("checkbox"))
    };
    let blank = |id: &NodeId| !page.is_element(*id) && page.data(*id).trim().is_empty();
    let switch = before.by_ref().find(|id| !blank(id)).filter(is_checkbox)?;
    let name = page.attribute(switch, "id")?;
    let label = before.find(|id| !blank(id)).filter(|id| page.is(*id, "label"))?;
    let is_sign = page.string_value(label).trim().chars().count() <= LONGEST_SIGN;
    (is_sign && page.attribute(label, "for") == Some(name)).then_some(label)
}
