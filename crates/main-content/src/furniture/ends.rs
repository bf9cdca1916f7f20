//! What is left of a pager at the ends of content.

use super::nodes::lies_in;
use super::words::Label;
use tsugi_page::{NodeId, Page, Tag, Url};

/// Lines at an end that are looked at.
const LINES: usize = 6;
/// Marks of lines that lead on: `Back to the river` may be the title of a tale.
const ARROWS: [char; 12] = ['«', '»', '‹', '›', '←', '→', '⟵', '⟶', '◀', '▶', '<', '>'];
/// A line that leads on has no more characters.
const LONGEST: u32 = 160;

/// Finds the lines at the start and the end of content that lead to the pages before and after. `texts` are the text
/// nodes of the content, `out` is what goes already, in document order.
pub(super) fn ends(page: &Page, texts: &[NodeId], out: &[NodeId], next: Option<&Url>) -> Vec<NodeId> {
    let mut gone: Vec<NodeId> = Vec::new();
    let is_out = |id: NodeId, gone: &[NodeId]| {
        lies_in(page, out, id) || gone.iter().any(|held| page.contains(*held, id))
    };
    for is_end in [true, false] {
        let mut lines = 0;
        let mut at = 0;
        while lines < LINES && at < texts.len() {
            let id = if is_end { texts[texts.len() - 1 - at] } else { texts[at] };
            at += 1;
            if is_out(id, &gone) {
                continue;
            }
            lines += 1;
            let Some(line) = line_of(page, id) else { break };
            if !leads_on(page, line, next.filter(|_| is_end), is_end) {
                // Marks between links say nothing.
                if page.data(id).chars().any(char::is_alphanumeric) {
                    break;
                }
                continue;
            }
            gone.push(line);
        }
    }
    gone
}

/// The element that is a line of its own around a text; one that holds nothing else, as far up as there is nothing else.
fn line_of(page: &Page, text: NodeId) -> Option<NodeId> {
    let is_block = |id: &NodeId| page.class(*id).line || page.class(*id).cell;
    let mut line = page.ancestors(text).find(is_block)?;
    // The items of a list of links are one line.
    for above in page.ancestors(line).take(3) {
        let totals = page.totals(above);
        let is_only = totals.characters == page.totals(line).characters;
        let is_bar = totals.characters <= LONGEST && 4 * totals.link_characters >= 3 * totals.characters;
        if page.is_tag(above, Tag::Body) || !(is_only || is_bar) {
            break;
        }
        line = above;
    }
    Some(line)
}

/// Says whether a line leads to another page of the sequence, and says nothing else.
fn leads_on(page: &Page, line: NodeId, next: Option<&Url>, is_end: bool) -> bool {
    let totals = page.totals(line);
    if totals.characters == 0 || totals.characters > LONGEST || totals.link_characters == 0 {
        return false;
    }
    let is_heading = matches!(page.known_tag(line), Tag::H1 | Tag::H2 | Tag::H3);
    let links: Vec<NodeId> = page.subtree(line).filter(|id| page.is_link(*id)).collect();
    if links.is_empty() || links.len() > 40 || is_heading && !is_end {
        return false;
    }
    let text = page.text(line);
    let starts = Label::at_start(&text);
    let leads = starts.intersects(Label::NEXT | Label::PREVIOUS);
    let says = |id: &NodeId| {
        let label = page.string_value(*id);
        let label_says = Label::of(label);
        let is_arrow = !label.chars().any(char::is_alphanumeric);
        let is_number = label.trim().len() <= 4 && label.trim().bytes().all(|byte| byte.is_ascii_digit());
        label_says.intersects(Label::NEXT | Label::PREVIOUS | Label::PAGES) || is_arrow || is_number
    };
    let leads_next = |id: &NodeId| {
        next.is_some_and(|next| {
            page.attribute(*id, "href").and_then(|href| page.resolve(href)).as_ref() == Some(next)
        })
    };
    let is_linked = 2 * totals.link_characters >= totals.characters;
    let leads_label = |id: &NodeId| {
        let label = page.string_value(*id);
        Label::of(label).intersects(Label::NEXT | Label::PREVIOUS)
            || !label.chars().any(char::is_alphanumeric)
    };
    // Links that are words of pagers, all of them.
    let all_say = is_linked && links.iter().all(says) && links.iter().any(leads_label);
    // One line that begins as such a line does, and leads on.
    let is_marked = text.contains(ARROWS) || starts.contains(Label::NEXT) && text.contains([':', '：']);
    let is_next_line = leads && (links.iter().any(leads_next) || is_linked && is_marked && links.len() <= 3);
    all_say || is_next_line
}
