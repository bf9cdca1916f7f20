//! Dates in visible text away from the headline, which a label or the markup says are those of the page.
//!
//! Such dates count only if all of one kind agree: the second one could belong to another article.

use crate::dates;
use crate::published::{change_of, in_dated_list, in_facts};
use crate::survey::{MetadataSurvey, has_mark};
use crate::words::{self, WordGroup};
use std::ops::Range;
use tsugi_dates::{When, dated, mentions};
use tsugi_page::{Content, NodeId, NodeKind, Page, Tag, text};

/// Maximum number of texts with a digit that are read.
const MOST_LINES: usize = 600;
/// Maximum number of characters of the line around a date that markup, not a word, says is that of publication.
const LINE: usize = 60;

/// Why a date is that of the page, the surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    /// A label: `Published on 2 May 2024`, `<dt>Date</dt><dd>2 May 2024</dd>`.
    Label,
    /// A class of an element around it.
    Mark,
    /// The content begins with it: `(18.01.2018) …`, `Mill, 18 January 2018 – …`.
    Opening,
    /// It is a line of its own in the article.
    Line,
}

/// A text, and the dates in it.
pub(crate) struct DatedLine<'a> {
    pub(crate) id: NodeId,
    pub(crate) line: &'a str,
    pub(crate) dates: Vec<(Range<usize>, When)>,
}

impl<'a> DatedLine<'a> {
    pub(crate) fn of((id, line): (NodeId, &'a str)) -> DatedLine<'a> {
        DatedLine { id, line, dates: dated(line).collect() }
    }
}

/// Returns the texts of a page with dates.
pub(crate) fn dated_lines<'a>(survey: &MetadataSurvey<'a>) -> Vec<DatedLine<'a>> {
    let lines = survey.lines_with_digits(0..survey.page.node_count()).take(MOST_LINES);
    lines.map(DatedLine::of).filter(|line| !line.dates.is_empty()).collect()
}

/// Returns the date of publication.
pub(crate) fn shown(survey: &MetadataSurvey<'_>, content: &Content, lines: &[DatedLine<'_>]) -> Option<When> {
    let page = survey.page;
    let mut found: Vec<(Reason, When)> = Vec::new();
    for &DatedLine { id, line, ref dates } in lines {
        let Some((range, when)) = dates.first().cloned().filter(|(_, when)| is_of_the_web(*when)) else {
            continue;
        };
        let (before, written) = (line[..range.start].trim(), line[range].chars().count());
        let rest = text::fold(line).chars().count().saturating_sub(written);
        let label = if before.is_empty() { label_before(page, id) } else { before };
        let is_labelled = words::closes(WordGroup::Published, label) || is_date_label(label);
        let reason = if is_labelled {
            Reason::Label
        } else if words::closes(WordGroup::Changed, label) || rest > LINE {
            continue;
        } else {
            match mark(page, id) {
                Some(true) if !in_site_header(page, id) => Reason::Mark,
                None if rest <= 2 && is_in_article(page, content, id) => Reason::Line,
                _ => continue,
            }
        };
        // A label tells a date in a side bar from those of other articles.
        let is_aside = if reason == Reason::Label { in_marked_aside(page, id) } else { survey.is_aside(id) };
        if !is_aside && !survey.is_hidden(id) && !in_facts(page, id) && !in_dated_list(page, id) {
            found.push((reason, when));
        }
    }
    found.extend(opening(page, content).map(|when| (Reason::Opening, when)));
    let reason = found.iter().map(|(reason, _)| *reason).min()?;
    let mut dates = found.into_iter().filter(|(other, _)| *other == reason).map(|(_, when)| when);
    let first = dates.next()?;
    dates.all(|other| other.day == first.day).then_some(first)
}

/// Returns the date of the last change, if it is the only one on the page.
pub(crate) fn changed(survey: &MetadataSurvey<'_>, lines: &[DatedLine<'_>]) -> Option<When> {
    let changes = lines.iter().filter_map(|line| change_of(survey, line));
    let mut dates = changes.filter(|when| is_of_the_web(*when));
    let first = dates.next()?;
    dates.all(|other| other.day == first.day).then_some(first)
}

fn is_of_the_web(when: When) -> bool {
    when.day.year() >= 1995 && dates::is_plausible(when.day)
}

/// Returns `true` if a whole text is a label such as `Date:`; `closing date` is none.
fn is_date_label(text: &str) -> bool {
    words::is(WordGroup::DateLabel, text.trim_matches(|c: char| !c.is_alphanumeric()))
}

/// Returns the end of the text before a node, in its row or line.
fn label_before(page: &Page, id: NodeId) -> &str {
    const LONGEST: usize = 40;
    let mut inner = id;
    for _ in 0..3 {
        let before =
            std::iter::successors(page.previous_sibling(inner), |id| page.previous_sibling(*id)).take(4);
        let mut texts = before.map(|id| match page.kind(id) {
            NodeKind::Text => page.data(id),
            NodeKind::Element => page.string_value(id),
            _ => "",
        });
        if let Some(text) = texts.find(|text| !text.trim().is_empty()) {
            let text = text.trim();
            let start = text.char_indices().rev().nth(LONGEST - 1).map_or(0, |(at, _)| at);
            return &text[start..];
        }
        match page.parent(inner).filter(|parent| page.is_element(*parent)) {
            Some(parent) => inner = parent,
            None => break,
        }
    }
    ""
}

/// Returns what the markup around a text says: `true` for a date of publication, `false` for another, as of an event.
fn mark(page: &Page, id: NodeId) -> Option<bool> {
    /// Maximum number of bytes in an element whose class describes its text.
    const SMALL: usize = 300;
    let mut is_date = None;
    for above in page.ancestors(id).take(4).take_while(|above| page.string_value(*above).len() < SMALL) {
        let says = |group| has_mark(page, above, &["class", "id", "itemprop"], group);
        if says(WordGroup::NoDateMark) {
            return Some(false);
        }
        if says(WordGroup::DateMark) {
            is_date = Some(true);
        }
    }
    is_date
}

/// Returns `true` if a text is in the header of the site, which often shows today's date.
pub(crate) fn in_site_header(page: &Page, id: NodeId) -> bool {
    let is_part = |id: &NodeId| matches!(page.known_tag(*id), Tag::Header | Tag::Article | Tag::Main);
    let mut parts = page.ancestors(id).take(64).filter(is_part);
    let Some(header) = parts.next().filter(|part| page.known_tag(*part) == Tag::Header) else { return false };
    let has_headline = page.subtree(header).any(|id| page.known_tag(id) == Tag::H1);
    !has_headline && parts.all(|part| page.known_tag(part) == Tag::Header)
}

fn is_in_article(page: &Page, content: &Content, id: NodeId) -> bool {
    content.nodes.iter().any(|node| page.contains(*node, id))
        || page.ancestors(id).take(64).any(|above| page.known_tag(above) == Tag::Article)
}

fn in_marked_aside(page: &Page, id: NodeId) -> bool {
    page.ancestors(id).take(64).any(|above| has_mark(page, above, &["class", "id"], WordGroup::AsideMark))
}

/// Returns the date that opens the content, in brackets or before a dash.
fn opening(page: &Page, content: &Content) -> Option<When> {
    /// Maximum number of bytes before the date: a bracket, the place.
    const BEFORE: usize = 40;
    let texts = content.nodes.iter().flat_map(|node| page.subtree(*node)).filter(|id| {
        let is_heading = |above| matches!(page.known_tag(above), Tag::H1 | Tag::H2 | Tag::H3);
        page.kind(*id) == NodeKind::Text
            && !page.data(*id).trim().is_empty()
            && !page.ancestors(*id).take(3).any(is_heading)
    });
    texts.take(3).map(|id| page.data(id).trim()).find_map(|text| {
        let start = &text[..text.floor_char_boundary(120)];
        let date = mentions(start).into_iter().next().filter(|found| found.range.start <= BEFORE)?;
        let (before, behind) = (start[..date.range.start].trim(), start[date.range.end..].trim_start());
        let in_brackets = before == "(" && behind.starts_with(')');
        let is_place = before.ends_with(',') && before.starts_with(char::is_uppercase);
        let is_dateline = (before.is_empty() || is_place) && behind.starts_with(['–', '—', '-', ':', '|']);
        date.when.filter(|when| (in_brackets || is_dateline) && is_of_the_web(*when))
    })
}
