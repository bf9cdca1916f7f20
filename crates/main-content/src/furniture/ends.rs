//! Removes the rest of a pager from both ends of the content, and links to one page with the whole text from the end.

use super::nodes::lies_in;
use super::words::Label;
use tsugi_page::{NodeId, Page, Tag, Url};

/// Maximum number of lines examined at each end.
const LINES: usize = 6;
/// Marks of lines that lead to another page. Without one, `Back to the river` may be the title of a tale.
const ARROWS: [char; 12] = ['«', '»', '‹', '›', '←', '→', '⟵', '⟶', '◀', '▶', '<', '>'];
/// Maximum number of characters of a line that leads to another page.
const LONGEST: u32 = 160;

/// Finds the lines at the start and the end of the content that lead to the pages before and after, and at the end to
/// one page with the whole text. `texts` are the text nodes of the content; `out` lists nodes already removed, in document
/// order.
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
                // Separators between links do not count.
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

/// Returns the line element around a text; if it is an only child, its highest such ancestor.
fn line_of(page: &Page, text: NodeId) -> Option<NodeId> {
    let is_block = |id: &NodeId| page.class(*id).line || page.class(*id).cell;
    let mut line = page.ancestors(text).find(is_block)?;
    // The items of a list of links form one line.
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

/// Returns `true` if a line leads to another page of the sequence, or to all of them on one, and says nothing else.
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
    // At the start of a manual, `All pages` may be its table of contents.
    let on =
        if is_end { Label::NEXT | Label::PREVIOUS | Label::WHOLE } else { Label::NEXT | Label::PREVIOUS };
    let says = |id: &NodeId| {
        let label = page.string_value(*id);
        let label_says = Label::of(label);
        let is_arrow = !label.chars().any(char::is_alphanumeric);
        let is_number = label.trim().len() <= 4 && label.trim().bytes().all(|byte| byte.is_ascii_digit());
        label_says.intersects(on | Label::PAGES) || is_arrow || is_number
    };
    let leads_next = |id: &NodeId| {
        next.is_some_and(|next| {
            page.attribute(*id, "href").and_then(|href| page.resolve(href)).as_ref() == Some(next)
        })
    };
    let is_linked = 2 * totals.link_characters >= totals.characters;
    let leads_label = |id: &NodeId| {
        let label = page.string_value(*id);
        Label::of(label).intersects(on) || !label.chars().any(char::is_alphanumeric)
    };
    // Links, all of them with words of pagers.
    let all_say = is_linked && links.iter().all(says) && links.iter().any(leads_label);
    // A line that begins with such a word and has a mark.
    let is_marked = text.contains(ARROWS) || starts.contains(Label::NEXT) && text.contains([':', '：']);
    let is_next_line = leads && (links.iter().any(leads_next) || is_linked && is_marked && links.len() <= 3);
    all_say || is_next_line
}
