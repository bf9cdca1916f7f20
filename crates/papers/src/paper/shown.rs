//! Pages like those that the thesis shows: siblings that are all found, and a page on which the distance helps.

use super::errors::CUT;
use super::split::DrawnPage;
use std::collections::BTreeSet;
use tsugi_learning::Confusion;
use tsugi_main_content::paper::{DISTANCE, PaperContent};
use tsugi_page::NodeId;
use tsugi_scoring::{Matrix, Schema};
use tsugi_training::dataset::DataSet;

/// Content nodes of one parent that the forest finds without a miss (figure 4.5).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SiblingsFound {
    pub(crate) url: String,
    pub(crate) tags: Vec<String>,
    pub(crate) nodes: usize,
    pub(crate) without_text: usize,
    /// The least values of any of them: text of siblings ÷ text of the page, and the same of punctuation.
    pub(crate) sibling_text: f32,
    pub(crate) sibling_punctuation: f32,
    pub(crate) false_alarms: u64,
}

/// A page on which the forest does better with the distance to the next link (figure 4.8).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DistanceHelped {
    pub(crate) url: String,
    /// Found against labelled, with the distance and without.
    pub(crate) with: Confusion,
    pub(crate) without: Confusion,
    /// The least distance of a content node, in edges.
    pub(crate) distance: f32,
    /// Of the elements that only the forest without distance takes, and that neither lie in a labelled node nor hold one, the one
    /// with the most text: its path, its characters, its distance. `None` if there is none.
    pub(crate) dropped: Option<(String, u32, f32)>,
}

impl DistanceHelped {
    fn gain(&self) -> f64 {
        self.with.f1() - self.without.f1()
    }

    fn shows_more(&self, best: &DistanceHelped) -> bool {
        match (self.dropped.is_some(), best.dropped.is_some()) {
            (shows, known) if shows != known => shows,
            _ => self.gain() > best.gain(),
        }
    }
}

/// Pages of the test side, chosen after the fact to show what the thesis shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ShownPages {
    /// The page with the most kinds of tags; `None` if no page has three siblings or more that are all found.
    pub(crate) siblings: Option<SiblingsFound>,
    /// The page whose F rises most, of those with such an element if there are any; `None` if F rises on none.
    pub(crate) distance: Option<DistanceHelped>,
}

const SIBLINGS: usize = 3;

impl ShownPages {
    /// Chooses the pages. `rows` are those of the pages with distances; scores are those of all pages, one after the other.
    pub(crate) fn of(
        sets: &[DataSet],
        test: &[DrawnPage<'_>],
        rows: &[Matrix<PaperContent>],
        with: &[f32],
        without: &[f32],
    ) -> ShownPages {
        let mut shown = ShownPages::default();
        let mut start = 0;
        for (drawn, rows) in test.iter().zip(rows) {
            let url = sets[drawn.page.set].labels()[drawn.page.label].url.as_str();
            let own = start..start + rows.rows();
            start = own.end;
            let page = OfPage { drawn, rows, with: &with[own.clone()], without: &without[own] };
            if let Some(found) = page.siblings(url) {
                let worth = |found: &SiblingsFound| (found.tags.len(), std::cmp::Reverse(found.false_alarms));
                if shown.siblings.as_ref().is_none_or(|best| worth(&found) > worth(best)) {
                    shown.siblings = Some(found);
                }
            }
            let helped = page.distance(url);
            if helped.gain() > 0.0 && shown.distance.as_ref().is_none_or(|best| helped.shows_more(best)) {
                shown.distance = Some(helped);
            }
        }
        shown
    }
}

struct OfPage<'a> {
    drawn: &'a DrawnPage<'a>,
    rows: &'a Matrix<PaperContent>,
    with: &'a [f32],
    without: &'a [f32],
}

impl OfPage<'_> {
    fn elements(&self) -> Vec<(usize, NodeId, bool)> {
        let content = self.drawn.content;
        let elements = content.page.elements().enumerate();
        elements.map(|(at, id)| (at, id, content.gold.binary_search(&id).is_ok())).collect()
    }

    fn confusion(&self, scores: &[f32]) -> Confusion {
        let mut confusion = Confusion::default();
        for (at, _, is_content) in self.elements() {
            confusion.add(scores[at] > CUT, is_content);
        }
        confusion
    }

    fn siblings(&self, url: &str) -> Option<SiblingsFound> {
        let page = &self.drawn.content.page;
        let gold: Vec<_> = self.elements().into_iter().filter(|(_, _, is_content)| *is_content).collect();
        let parents: BTreeSet<_> = gold.iter().map(|(_, id, _)| page.parent(*id)).collect();
        let all_found = gold.iter().all(|(at, ..)| self.with[*at] > CUT);
        if gold.len() < SIBLINGS || parents.len() != 1 || !all_found {
            return None;
        }
        let least = |name: &str| {
            let column = PaperContent::columns().iter().position(|column| column.name == name)?;
            gold.iter().map(|(at, ..)| self.rows.row(*at)[column]).reduce(f32::min)
        };
        let tags: BTreeSet<&str> = gold.iter().map(|(_, id, _)| page.tag(*id)).collect();
        Some(SiblingsFound {
            url: url.to_owned(),
            tags: tags.into_iter().map(str::to_owned).collect(),
            nodes: gold.len(),
            without_text: gold.iter().filter(|(_, id, _)| page.totals(*id).characters == 0).count(),
            sibling_text: least("relative_sibling_text")?,
            sibling_punctuation: least("sibling_punctuation")?,
            false_alarms: self.confusion(self.with).false_positives,
        })
    }

    /// Returns `true` for an element that neither lies in a labelled node nor holds one.
    fn is_apart(&self, id: NodeId) -> bool {
        let content = self.drawn.content;
        let touches = |gold: &NodeId| content.page.contains(*gold, id) || content.page.contains(id, *gold);
        !content.gold.iter().any(touches)
    }

    fn distance(&self, url: &str) -> DistanceHelped {
        let page = &self.drawn.content.page;
        let distance_of = |at: usize| self.rows.row(at)[DISTANCE];
        let elements = self.elements();
        let content = elements.iter().filter(|(_, _, is_content)| *is_content);
        let dropped = elements
            .iter()
            .filter(|(at, id, _)| self.without[*at] > CUT && self.with[*at] <= CUT && self.is_apart(*id));
        let largest = dropped.rev().max_by_key(|(_, id, _)| page.totals(*id).characters);
        DistanceHelped {
            url: url.to_owned(),
            with: self.confusion(self.with),
            without: self.confusion(self.without),
            distance: content.map(|(at, ..)| distance_of(*at)).fold(f32::INFINITY, f32::min),
            dropped: largest
                .map(|(at, id, _)| (page.location_path(*id), page.totals(*id).characters, distance_of(*at))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper::examples::{ContentExample, LinkExample, PageExample};
    use tsugi_main_content::paper::features;
    use tsugi_page::Page;

    fn page_of<'a>(drawn: &DrawnPage<'a>) -> &'a Page {
        &drawn.content.page
    }

    #[test]
    fn siblings_and_a_distant_text_are_shown() {
        let html = "<main><h2>a.</h2><p>Some text, here.</p><figure></figure><a href=2>2</a></main>\
            <div><div><p>A long text that is far away from the link.</p></div></div>";
        let page = Page::from_text(html, &"https://a.test/1".parse().unwrap());
        let next = page.first("a");
        let (ids, rows) = features(&page, next, 0.0).unwrap();
        let gold: Vec<NodeId> =
            ids.iter().copied().filter(|id| ["h2", "figure"].contains(&page.tag(*id))).collect();
        let first = ids.iter().copied().find(|id| page.is(*id, "p")).unwrap();
        let mut gold = [gold, vec![first]].concat();
        gold.sort_unstable();
        let score = |wrong: bool| -> Vec<f32> {
            let far = |id: &NodeId| page.is(*id, "p") && *id != first;
            ids.iter().map(|id| f32::from(u8::from(gold.contains(id) || (wrong && far(id))))).collect()
        };
        let (with, without) = (score(false), score(true));
        let content = ContentExample { page, gold, next };
        let (example, links) = (PageExample::default(), LinkExample::default());
        let drawn = DrawnPage { page: &example, links: &links, content: &content };
        let of_page = OfPage { drawn: &drawn, rows: &rows, with: &with, without: &without };
        let siblings = of_page.siblings("u").unwrap();
        assert_eq!(
            (siblings.tags, siblings.nodes, siblings.without_text),
            (["figure", "h2", "p"].map(str::to_owned).to_vec(), 3, 1)
        );
        assert_eq!(siblings.false_alarms, 0);
        let helped = of_page.distance("u");
        assert_eq!((helped.with.false_positives, helped.without.false_positives), (0, 1));
        // Content: up to `main` and down to `a`. The other: p – div – div – body – main – a.
        assert_eq!((helped.distance, helped.dropped.unwrap().2), (2.0, 5.0));
        // What lies in content, or holds it, is not far from it.
        let inside = |wrong: &str| {
            let first = ids.iter().position(|id| page_of(&drawn).is(*id, wrong)).unwrap();
            let mut without = with.clone();
            without[first] = 1.0;
            OfPage { without: &without, ..of_page }.distance("u").dropped
        };
        assert_eq!((inside("main"), inside("body")), (None, None));
        // One that is missed is not all found.
        let of_page = OfPage { with: &vec![0.0; ids.len()], ..of_page };
        assert_eq!(of_page.siblings("u"), None);
    }
}
