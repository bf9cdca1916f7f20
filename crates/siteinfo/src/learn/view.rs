//! A page indexed for learning: where links lead, and where text is.

use super::facts::FactNodes;
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::address::page_key;
use tsugi_page::{Content, NextLink, NodeId, NodeKind, Page, Url};

/// The models' score of content is the F that they expect. At the first value or more, a page counts in full. Below, it
/// counts less and less over the range of the second, down to the third: pages scored below .9 are wrong half of the time.
const SURE_CONTENT: f64 = 0.95;
const UNSURE_RANGE: f64 = 0.2;
const LEAST_TRUST: f64 = 0.3;
/// Text at the same place on half of the pages does not belong to any of them. Bounds on that number of pages.
const MANY_PAGES: (usize, usize) = (2, 6);

/// A page and what the models found on it.
#[derive(Debug)]
pub struct Observed {
    /// The page.
    pub page: Page,
    /// Its best next link, however unsure; `None` if it has no candidate.
    pub next: Option<NextLink>,
    /// Its main content.
    pub content: Content,
    /// The elements that say what was found of it.
    pub facts: FactNodes,
}

impl Observed {
    pub(super) fn sure_next(&self, threshold: f32) -> Option<&NextLink> {
        self.next.as_ref().filter(|next| next.score >= threshold)
    }
}

#[derive(Debug)]
pub(super) struct PageView<'a> {
    pub(super) page: &'a Page,
    pub(super) key: String,
    /// `a`, `area` and `link` elements in document order, with the key of the page that each leads to, if any.
    pub(super) links: Vec<(NodeId, Option<String>)>,
    pub(super) found: Option<&'a NextLink>,
    /// The key of the page that the models' best link leads to, and the probability that it is the next page.
    pub(super) next: Option<(String, f64)>,
    pub(super) nodes: &'a [NodeId],
    pub(super) content: Spans,
    /// Weight of this page's content, in [0, 1]: less if the models are unsure.
    pub(super) trust: f64,
    /// The content without text that other pages repeat: menus, pagers, notices.
    pub(super) own_content: Spans,
    /// Node index → characters of text before it.
    characters: Vec<u64>,
}

/// Ranges of node indices, sorted and disjoint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Spans(pub(super) Vec<(usize, usize)>);

impl Spans {
    pub(super) fn of(page: &Page, nodes: impl IntoIterator<Item = NodeId>) -> Spans {
        let mut ranges: Vec<(usize, usize)> =
            nodes.into_iter().map(|id| (id.index(), page.subtree_end(id))).collect();
        ranges.sort_unstable();
        Spans(ranges).merged()
    }

    pub(super) fn union(&self, other: &Spans) -> Spans {
        let mut ranges = self.0.clone();
        ranges.extend(&other.0);
        ranges.sort_unstable();
        Spans(ranges).merged()
    }

    fn merged(self) -> Spans {
        let mut merged: Vec<(usize, usize)> = Vec::with_capacity(self.0.len());
        for (start, end) in self.0 {
            match merged.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        Spans(merged)
    }

    pub(super) fn without(&self, other: &Spans) -> Spans {
        let mut left = Vec::new();
        for &(mut start, end) in &self.0 {
            for &(from, to) in &other.0 {
                if to <= start || from >= end {
                    continue;
                }
                if from > start {
                    left.push((start, from));
                }
                start = start.max(to);
            }
            if start < end {
                left.push((start, end));
            }
        }
        Spans(left)
    }

    fn common(&self, other: &Spans) -> Spans {
        let (mut one, mut two, mut both) = (0, 0, Vec::new());
        while let (Some(a), Some(b)) = (self.0.get(one), other.0.get(two)) {
            let (start, end) = (a.0.max(b.0), a.1.min(b.1));
            if start < end {
                both.push((start, end));
            }
            if a.1 <= b.1 { one += 1 } else { two += 1 }
        }
        Spans(both)
    }
}

impl<'a> PageView<'a> {
    pub(super) fn all(observed: &[&'a Observed]) -> Vec<PageView<'a>> {
        let mut views: Vec<PageView<'a>> = observed.iter().copied().map(PageView::new).collect();
        let mut pages_with: BTreeMap<(Surroundings<'_>, &str), usize> = BTreeMap::new();
        for view in &views {
            let texts: BTreeSet<(Surroundings<'_>, &str)> =
                texts(view.page).map(|(_, place, text)| (place, text)).collect();
            for text in texts {
                *pages_with.entry(text).or_default() += 1;
            }
        }
        let many = views.len().div_ceil(2).clamp(MANY_PAGES.0, MANY_PAGES.1);
        for view in &mut views {
            let known =
                texts(view.page).filter_map(|(id, place, text)| Some((id, *pages_with.get(&(place, text))?)));
            let repeated = known.filter(|(_, pages)| *pages >= many).map(|(id, _)| id);
            let repeated = Spans::of(view.page, repeated);
            let own = view.content.without(&repeated);
            view.own_content = if view.weight(&own) == 0 { view.content.clone() } else { own };
        }
        views
    }

    pub(super) fn new(observed: &'a Observed) -> PageView<'a> {
        let page = &observed.page;
        let mut links = Vec::new();
        for id in page.elements() {
            if page.is(id, "a") || page.is(id, "link") || page.is(id, "area") {
                let href = page.attribute(id, "href").filter(|href| !href.is_empty());
                links.push((id, href.and_then(|href| page.resolve(href)).map(|url| page_key(&url))));
            }
        }
        let next = observed.next.as_ref();
        let content = Spans::of(page, observed.content.nodes.iter().copied())
            .without(&Spans::of(page, observed.content.without.iter().copied()));
        PageView {
            page,
            key: page_key(page.url()),
            links,
            found: next,
            next: next.map(|next| {
                (page_key(&next.url), if leads_home(&next.url) { 0.0 } else { f64::from(next.score) })
            }),
            nodes: &observed.content.nodes,
            trust: (1.0 - (SURE_CONTENT - f64::from(observed.content.score)) / UNSURE_RANGE)
                .clamp(LEAST_TRUST, 1.0),
            own_content: content.clone(),
            content,
            characters: characters(page),
        }
    }

    /// Returns the amount of text in some ranges, in characters.
    pub(super) fn weight(&self, spans: &Spans) -> u64 {
        spans.0.iter().map(|(start, end)| self.characters[*end] - self.characters[*start]).sum()
    }

    /// Returns what of some ranges stands before the content.
    fn before_content(&self, spans: &Spans) -> Spans {
        let has_text = |range: &&(usize, usize)| self.weight(&Spans(vec![**range])) > 0;
        let Some((start, _)) = self.content.0.iter().find(has_text) else { return Spans(Vec::new()) };
        let before = spans.0.iter().filter(|range| range.0 < *start);
        Spans(before.map(|(from, to)| (*from, (*to).min(*start))).collect())
    }

    /// Returns the text that some ranges have before the content, if a reader would take it for something else: it has several
    /// links, as side bars and menus have, or is long.
    pub(super) fn foreign_opening(&self, spans: &Spans) -> Option<String> {
        let before = self.before_content(spans);
        let is_inside = |id: &NodeId| before.0.iter().any(|(from, to)| (*from..*to).contains(&id.index()));
        let links = self.links.iter().filter(|(id, _)| is_inside(id) && self.page.is(*id, "a")).count();
        if links < FEW_LINKS && self.weight(&before) < LONG_OPENING {
            return None;
        }
        let texts = self.page.subtree(NodeId::DOCUMENT).filter(|id| self.page.kind(*id) == NodeKind::Text);
        let words: Vec<&str> =
            texts.filter(is_inside).flat_map(|id| self.page.data(id).split_whitespace()).collect();
        Some(words.join(" ")).filter(|text| !text.is_empty())
    }

    pub(super) fn agreement(&self, spans: &Spans) -> f64 {
        self.compare(spans, &self.content)
    }

    /// F over characters; 1 if both are empty.
    pub(super) fn compare(&self, one: &Spans, other: &Spans) -> f64 {
        let both = self.weight(&one.common(other));
        let sum = self.weight(one) + self.weight(other);
        if sum == 0 { 1.0 } else { 2.0 * both as f64 / sum as f64 }
    }
}

/// Returns `true` if a link leads to the home page, as some pagers do on the last page.
fn leads_home(url: &Url) -> bool {
    url.path() == "/" && url.query().is_none()
}

/// Fewest links before the content that are no part of it: a byline has one.
const FEW_LINKS: usize = 2;
/// Fewest characters before the content that are no part of it: a kicker or a date has fewer.
const LONG_OPENING: u64 = 100;

/// The two elements around a text: name and class of each.
type Surroundings<'a> = [(&'a str, &'a str); 2];

/// Returns the non-blank texts of a page, trimmed, with the two elements around each. A title in a list of posts and the
/// same title in a sidebar have different elements around them.
fn texts(page: &Page) -> impl Iterator<Item = (NodeId, Surroundings<'_>, &str)> {
    let texts = page.subtree(NodeId::DOCUMENT).filter(|id| page.kind(*id) == NodeKind::Text);
    let said = texts.map(|id| (id, page.data(id).trim())).filter(|(_, text)| !text.is_empty());
    said.map(move |(id, text)| {
        let mut above = page.ancestors(id).map(|above| {
            let class = page.attribute(above, "class").unwrap_or_default();
            // The start of a class is enough; some are very long.
            (page.tag(above), &class[..class.floor_char_boundary(64)])
        });
        (id, [above.next().unwrap_or_default(), above.next().unwrap_or_default()], text)
    })
}

/// Returns, for each node index, the characters of visible text before it, without white space at the ends of texts.
fn characters(page: &Page) -> Vec<u64> {
    let mut sums = vec![0; page.node_count() + 1];
    let mut hidden_until = 0;
    for id in page.subtree(NodeId::DOCUMENT) {
        let at = id.index();
        if page.class(id).hidden {
            hidden_until = hidden_until.max(page.subtree_end(id));
        }
        let seen = page.kind(id) == NodeKind::Text && at >= hidden_until;
        sums[at + 1] = sums[at] + if seen { page.data(id).trim().chars().count() as u64 } else { 0 };
    }
    sums
}
