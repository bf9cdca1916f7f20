//! Removes the rest of a pager from both ends of the content, and links to one page with the whole text from the end.

use super::nodes::{is_block, lies_in};
use super::words::FurnitureLabel;
use tsugi_page::{NodeId, Page, Tag, Url};

const LINES: usize = 6; // Maximum number of lines examined at each end.
/// Marks of lines that lead to another page. Without one, `Back to the river` may be the title of a tale.
const ARROWS: [char; 12] = ['«', '»', '‹', '›', '←', '→', '⟵', '⟶', '◀', '▶', '<', '>'];
const LONGEST: u32 = 160; // Maximum number of characters of a line that leads to another page.

/// Finds the lines at both ends of the content that lead to the pages around, and at the end to one page with the whole
/// text. `texts` are the text nodes of the content, `out` nodes already removed, both in document order.
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
    let mut line = page.ancestors(text).find(|id| is_block(page, *id))?;
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

fn is_arrow(label: &str) -> bool {
    !label.chars().any(char::is_alphanumeric)
}

fn is_page(label: &str) -> bool {
    let number = label.trim();
    FurnitureLabel::of(label).intersects(FurnitureLabel::PAGES)
        || number.len() <= 4 && number.bytes().all(|byte| byte.is_ascii_digit())
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
    let starts = FurnitureLabel::at_start(&text);
    let leads = starts.intersects(FurnitureLabel::NEXT | FurnitureLabel::PREVIOUS);
    // At the start of a manual, `All pages` may be its table of contents.
    let on = if is_end {
        FurnitureLabel::NEXT | FurnitureLabel::PREVIOUS | FurnitureLabel::WHOLE
    } else {
        FurnitureLabel::NEXT | FurnitureLabel::PREVIOUS
    };
    let is_linked = 2 * totals.link_characters >= totals.characters;
    let labels = || links.iter().map(|id| page.string_value(*id));
    let says_on = |label: &str| FurnitureLabel::of(label).intersects(on) || is_arrow(label);
    // Links, all of them with words of pagers.
    let all_say =
        is_linked && labels().any(says_on) && labels().all(|label| says_on(label) || is_page(label));
    // A line that begins with such a word and has a mark.
    let is_marked =
        text.contains(ARROWS) || starts.contains(FurnitureLabel::NEXT) && text.contains([':', '：']);
    let mut targets = links.iter().filter_map(|id| page.resolve(page.attribute(*id, "href")?));
    let is_next_line = leads
        && (is_linked && is_marked && links.len() <= 3
            || next.is_some_and(|next| targets.any(|url| url == *next)));
    all_say || is_next_line
}
