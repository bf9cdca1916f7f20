//! Lists of titles with one current entry: "Contents: Networks merge, **What changes**, Who pays".

use super::survey::{LinkTarget, SurveyedPage};
use super::words;
use tsugi_page::text::trim;
use tsugi_page::{NodeId, NodeKind, Page, Tag};

const LEAST: usize = 2; // Minimum number of linked titles.
const MOST: usize = 60; // Maximum number of entries.
const MAX_TITLE: u32 = 120; // Maximum length of a title, in characters.
const MAX_SIGNS: u32 = 6; // Maximum number of characters beside the link of an entry: "3. ".

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Entry {
    Linked(NodeId),
    /// A title without a link, or with one that is marked as current.
    Current(NodeId),
}

/// Returns the places of links whose titles come right after the current one of such a list.
pub(super) fn after_current(survey: &SurveyedPage<'_>) -> Vec<usize> {
    let page = survey.page;
    let mut entries = Vec::new();
    let lists = page.elements().filter_map(|node| {
        read_entries(survey, node, &mut entries)?;
        let mut currents = entries.iter().enumerate().filter(|(_, entry)| matches!(entry, Entry::Current(_)));
        let (at, Entry::Current(title)) = currents.next().map(|(at, entry)| (at, *entry))? else {
            return None;
        };
        let is_list = currents.next().is_none() && entries.len() > LEAST && is_title(page, title);
        let Some(Entry::Linked(next)) = entries.get(at + 1).filter(|_| is_list) else { return None };
        link_in(survey, *next)
    });
    lists.collect()
}

/// Reads the children of an element as entries, into a list that serves all elements; `None` if something else is among
/// them.
fn read_entries(survey: &SurveyedPage<'_>, list: NodeId, entries: &mut Vec<Entry>) -> Option<()> {
    let page = survey.page;
    entries.clear();
    for child in page.children(list) {
        let totals = page.totals(child);
        if totals.characters == 0 {
            continue;
        }
        if page.kind(child) == NodeKind::Text {
            // A label comes before the entries, and signs between them.
            let is_label = entries.is_empty() && totals.characters <= MAX_TITLE;
            if is_label || totals.characters <= MAX_SIGNS && !has_letter(page.data(child)) {
                continue;
            }
            entries.push(Entry::Current(child));
        } else if entries.is_empty() && is_heading(page, child) {
            continue;
        } else {
            entries.push(entry(survey, child)?);
        }
        if entries.len() > MOST {
            return None;
        }
    }
    Some(())
}

fn entry(survey: &SurveyedPage<'_>, node: NodeId) -> Option<Entry> {
    let totals = survey.page.totals(node);
    if totals.characters > MAX_TITLE {
        return None;
    }
    if totals.link_characters == 0 {
        return Some(Entry::Current(node));
    }
    let (from, to) = survey.trees.items_in(0, node);
    let mut links = survey.items[from..to].iter().filter(|item| item.target != LinkTarget::Text);
    let item = links.next()?;
    let is_one = links.next().is_none() && totals.characters - totals.link_characters <= MAX_SIGNS;
    let is_current = item.current || survey.is_own_entry(item);
    is_one.then_some(if is_current { Entry::Current(node) } else { Entry::Linked(node) })
}

fn is_heading(page: &Page, node: NodeId) -> bool {
    match page.known_tag(node) {
        Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 | Tag::Summary => true,
        // A label in bold: "Contents:". Few have a colon anywhere, and their text is costly.
        Tag::Strong | Tag::B | Tag::Span => {
            let colons = [':', '：'];
            page.string_value(node).contains(colons) && page.text(node).trim_end().ends_with(colons)
        }
        _ => false,
    }
}

/// Returns `true` for words that are neither a number nor a label of a pager.
fn is_title(page: &Page, node: NodeId) -> bool {
    let text = page.text(node);
    let reading = words::read(trim(&text));
    has_letter(&text) && reading.number().is_none() && !reading.words.intersects(words::DIRECTIONS)
}

fn has_letter(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
}

fn link_in(survey: &SurveyedPage<'_>, node: NodeId) -> Option<usize> {
    let (from, to) = survey.trees.items_in(0, node);
    (from..to).find(|at| matches!(survey.items[*at].target, LinkTarget::Candidate(_)))
}
