//! The data shared by the features of all candidates of a page.

use super::address::Family;
use super::survey::{LinkCandidate, LinkTarget, SurveyedPage};
use super::titles;
use super::words::LabelWords;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Deref;
use tsugi_page::{Attr, NodeId, Page, Tag};

const FAR: u32 = 50; // Maximum count of links between the page's own entry and a link.
const LONG: u32 = 100; // Minimum number of characters outside links in a long paragraph.

/// A candidate among those whose addresses differ from the page's by a number in the same place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct InFamily {
    pub(super) size: u32,
    /// Number of members between the page and the candidate; −1 for others.
    pub(super) rank: f32,
    pub(super) below: u32,
    pub(super) to_greatest: f32,
}

/// A candidate's place in lists that hold the page's own entry: side bars, tables of contents.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ListEntry {
    /// `true` if one of its links is right before that entry.
    pub(super) precedes_own: bool,
    /// The digest of the text of its link right after that entry; 0 without one.
    pub(super) text_digest: u32,
}

#[derive(Debug, Default)]
pub(crate) struct SharedFacts {
    pub(super) plain_characters: f32,
    pub(super) longest_text: f32,
    pub(crate) articles: u32,
    /// Number of paragraphs with at least [`LONG`] characters outside links, and of those characters.
    pub(super) paragraphs: u32,
    pub(super) paragraph_characters: f32,
    pub(crate) comments: u32,
    pub(super) headings: u32,
    pub(super) linked_headings: u32,
    pub(super) times: u32,
    pub(crate) is_article: bool,
    pub(crate) is_archive: bool,
    pub(super) has_text_area: bool,
    pub(crate) own_links: u32,
    pub(super) next_candidates: u32,
    pub(super) same_folder: u32,
    pub(super) same_paged: u32,
    /// Digests of the links' texts, and of their classes.
    pub(super) texts: SortedDigests,
    pub(super) looks: SortedDigests,
    /// For each item: whether the page's own entry comes right before or after it, and the number of links since.
    pub(crate) after_own: Vec<bool>,
    pub(crate) before_own: Vec<bool>,
    pub(super) since_own: Vec<u32>,
    pub(super) long_paragraphs: Vec<NodeId>,
    /// For each item: whether it comes right after the current one in a list of titles.
    pub(super) after_title: Vec<bool>,
    /// For each candidate.
    pub(super) entries: Vec<ListEntry>,
    /// For each item: number of items and characters since the last long paragraph.
    pub(super) since_paragraph: Vec<(u32, u32)>,
    /// For each candidate.
    pub(super) families: Vec<InFamily>,
}

#[derive(Debug, Default)]
pub(super) struct SortedDigests(Vec<u32>);

impl SortedDigests {
    fn of(digests: impl Iterator<Item = u32>) -> SortedDigests {
        let mut digests: Vec<u32> = digests.collect();
        digests.sort_unstable();
        SortedDigests(digests)
    }

    pub(super) fn count(&self, digest: u32) -> usize {
        let from = self.0.partition_point(|other| *other < digest);
        self.0[from..].partition_point(|other| *other == digest)
    }
}

#[derive(Debug)]
pub(super) struct LazyShared<'p> {
    survey: SurveyedPage<'p>,
    shared: OnceCell<SharedFacts>,
}

impl<'p> LazyShared<'p> {
    pub(super) fn of(page: &'p Page) -> LazyShared<'p> {
        LazyShared { survey: SurveyedPage::of(page), shared: OnceCell::new() }
    }

    pub(super) fn survey(&self) -> &SurveyedPage<'p> {
        &self.survey
    }
}

impl Deref for LazyShared<'_> {
    type Target = SharedFacts;

    fn deref(&self) -> &SharedFacts {
        self.shared.get_or_init(|| SharedFacts::of(&self.survey))
    }
}

impl SharedFacts {
    fn of(survey: &SurveyedPage<'_>) -> SharedFacts {
        let mut shared = SharedFacts { families: families(survey), ..SharedFacts::default() };
        shared.read_page(survey);
        shared.read_items(survey);
        shared.entries = survey.candidates.iter().map(|candidate| shared.entry(survey, candidate)).collect();
        for candidate in &survey.candidates {
            let says_next =
                candidate.items.iter().any(|item| survey.items[*item as usize].says(LabelWords::NEXT));
            shared.next_candidates += u32::from(says_next);
            shared.same_folder += u32::from(candidate.bare.folder() == survey.own.folder());
            let is_same = candidate.paged.number.is_some() && candidate.paged.is_same;
            shared.same_paged += u32::from(is_same);
        }
        shared
    }

    fn entry(&self, survey: &SurveyedPage<'_>, candidate: &LinkCandidate) -> ListEntry {
        let places = || candidate.items.iter().map(|at| *at as usize);
        let after = places().find(|at| self.after_own[*at]);
        ListEntry {
            precedes_own: places().any(|at| self.before_own[at]),
            text_digest: after.map_or(0, |at| survey.items[at].text_digest),
        }
    }

    fn read_page(&mut self, survey: &SurveyedPage<'_>) {
        let page = survey.page;
        self.comments = survey.trees.tree(0).1.last().map_or(0, |mark| mark.comments);
        self.plain_characters = plain_characters(page, NodeId::DOCUMENT) as f32;
        let landmarks = &survey.landmarks;
        self.longest_text = landmarks.longest_text as f32;
        for node in &landmarks.paragraphs {
            let characters = plain_characters(page, *node);
            if characters >= LONG {
                self.paragraphs += 1;
                self.paragraph_characters += characters as f32;
                self.long_paragraphs.push(*node);
            }
        }
        for node in &landmarks.headings {
            let totals = page.totals(*node);
            self.headings += 1;
            self.linked_headings +=
                u32::from(totals.characters > 0 && totals.link_characters * 2 > totals.characters);
        }
        for node in landmarks.others.iter().copied() {
            match page.known_tag(node) {
                Tag::Article => self.articles += 1,
                Tag::Time => self.times += 1,
                Tag::Textarea => self.has_text_area = true,
                Tag::Meta => {
                    let property = page.value(node, Attr::Property).or_else(|| page.value(node, Attr::Name));
                    let content = page.value(node, Attr::Content).unwrap_or_default();
                    match property {
                        Some("og:type") => {
                            self.is_article |= content.eq_ignore_ascii_case("article");
                            self.is_archive |= content.eq_ignore_ascii_case("website");
                        }
                        Some("article:published_time") => self.is_article = true,
                        _ => {}
                    }
                }
                Tag::Body => {
                    for class in page.value(node, Attr::Class).unwrap_or_default().split_ascii_whitespace() {
                        self.is_article |=
                            matches!(class, "single" | "single-post" | "post-template-default");
                        self.is_archive |= matches!(
                            class,
                            "archive" | "blog" | "home" | "paged" | "category" | "tag" | "search"
                        );
                    }
                }
                _ => {}
            }
        }
    }

    fn read_items(&mut self, survey: &SurveyedPage<'_>) {
        let items = &survey.items;
        let mut since = FAR;
        let mut after = false;
        self.since_paragraph = since_paragraph(survey);
        self.after_title = vec![false; items.len()];
        for at in titles::after_current(survey) {
            self.after_title[at] = true;
        }
        self.own_links = count(items.iter().filter(|item| item.target == LinkTarget::Own).count());
        for item in items {
            self.after_own.push(after);
            self.since_own.push(since);
            match item.target {
                _ if survey.is_own_entry(item) => (after, since) = (true, 0),
                // Fragments, texts and buttons that unfold a part may come between an entry and the next one.
                LinkTarget::Fragment | LinkTarget::Text | LinkTarget::Dead => {}
                _ => {
                    after = false;
                    since = (since + 1).min(FAR);
                }
            }
        }
        let links = || items.iter().filter(|item| !matches!(item.target, LinkTarget::Text));
        self.texts = SortedDigests::of(links().map(|item| item.text_digest));
        self.looks = SortedDigests::of(links().map(|item| item.look));
        self.before_own = vec![false; items.len()];
        let mut before = false;
        for (at, item) in items.iter().enumerate().rev() {
            self.before_own[at] = before;
            match item.target {
                _ if survey.is_own_entry(item) => before = true,
                LinkTarget::Text | LinkTarget::Dead => {}
                _ => before = false,
            }
        }
    }
}

/// Counts items and characters for each item; from the start of the page if no long paragraph precedes.
fn since_paragraph(survey: &SurveyedPage<'_>) -> Vec<(u32, u32)> {
    let page = survey.page;
    let marks = survey.trees.tree(0).1;
    // Elements in other namespaces are not paragraphs.
    let paragraphs = survey.landmarks.paragraphs.iter().copied().filter(|node| page.is_tag(*node, Tag::P));
    let mut long = paragraphs.filter(|node| plain_characters(page, *node) >= LONG).peekable();
    let (mut items, mut start) = (0, 0);
    let mut since = Vec::with_capacity(survey.items.len());
    for item in &survey.items {
        let place = survey.trees.place(item);
        // Links at the end of a paragraph.
        while let Some(paragraph) = long.next_if(|paragraph| *paragraph < place) {
            (items, start) = (0, marks[paragraph.index()].characters + page.totals(paragraph).characters);
        }
        since.push((items, marks[place.index()].characters.saturating_sub(start)));
        items += 1;
    }
    since
}

fn plain_characters(page: &Page, node: NodeId) -> u32 {
    let totals = page.totals(node);
    totals.characters - totals.link_characters
}

/// Groups the candidates whose addresses differ from the page's by a number in one place.
fn families(survey: &SurveyedPage<'_>) -> Vec<InFamily> {
    let mut found =
        vec![InFamily { rank: -1.0, to_greatest: -1.0, ..InFamily::default() }; survey.candidates.len()];
    let mut members: Vec<((usize, usize, String), u32, usize)> = Vec::new();
    let mut own = BTreeMap::new();
    for (at, candidate) in survey.candidates.iter().enumerate() {
        let difference = &candidate.difference;
        let Some(number) = difference.number else { continue };
        if !matches!(difference.family, Family::Number | Family::NumberAdded) {
            continue;
        }
        let frame: String =
            difference.middle(&candidate.bare).chars().filter(|c| !c.is_ascii_digit()).collect();
        let key = (difference.prefix, difference.suffix, frame);
        own.insert(key.clone(), difference.own_number.unwrap_or(1));
        members.push((key, number, at));
    }
    members.sort();
    for family in members.chunk_by(|a, b| a.0 == b.0) {
        let own = own.get(&family[0].0).copied().unwrap_or(1);
        let below = family.partition_point(|(_, number, _)| *number <= own);
        let greatest = family.last().map_or(0, |(_, number, _)| *number);
        for (place, (_, number, at)) in family.iter().enumerate() {
            found[*at] = InFamily {
                size: count(family.len()),
                rank: if place < below { -1.0 } else { (place - below) as f32 },
                below: count(below),
                to_greatest: (greatest - number).min(1_000_000) as f32,
            };
        }
    }
    found
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_counted() {
        let digests = SortedDigests::of([7, 3, 7, u32::MAX, 7].into_iter());
        assert_eq!([0, 3, 5, 7, u32::MAX].map(|digest| digests.count(digest)), [0, 1, 0, 3, 1]);
        assert_eq!(SortedDigests::default().count(0), 0);
    }
}
