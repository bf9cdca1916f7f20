//! Draws pages and deals them to two sides.

use super::examples::{ContentExample, LinkExample, PageExample, PaperExamples};
use tsugi_page::NodeId;
use tsugi_training::label::PageLabel;
use tsugi_training::random::mix;

/// The test side gets one in this many websites.
const TEST_PART: usize = 5;

pub(crate) const FEWEST_SITES: usize = 10;

#[derive(Debug, Clone, Copy)]
pub(crate) struct DrawnPage<'a> {
    pub(crate) page: &'a PageExample,
    pub(crate) links: &'a LinkExample,
    pub(crate) content: &'a ContentExample,
}

/// The size of one side of a split (tables 4.1 and 4.2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SideCounts {
    pub(crate) sites: usize,
    /// Number of links: addresses that tags lead to.
    pub(crate) links: u64,
    pub(crate) next_links: u64,
    pub(crate) nodes: u64,
    pub(crate) content_nodes: u64,
}

#[derive(Debug)]
pub(crate) struct Sides<'a> {
    pub(crate) train: Vec<DrawnPage<'a>>,
    pub(crate) test: Vec<DrawnPage<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PagePool {
    All,
    /// Pages that Wedata items label, as in the thesis.
    Wedata,
    /// First pages of their sequences, as nearly all of the thesis' are.
    First,
}

impl PagePool {
    fn holds(self, page: &PageExample) -> bool {
        match self {
            PagePool::All => true,
            PagePool::Wedata => page.of_wedata,
            PagePool::First => page.is_first,
        }
    }
}

/// Returns `true` for the first page of a sequence. Where the label tells no place, the next page's address tells it: it holds
/// the number 2 where this page's address does not.
pub(crate) fn is_first(label: &PageLabel) -> bool {
    label.position.map_or_else(|| leads_to_second(label), |place| place == 1)
}

fn leads_to_second(label: &PageLabel) -> bool {
    let numbers = |url: &str| -> Vec<String> {
        let parts = url.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        parts.map(|part| part.trim_start_matches('0').to_owned()).collect()
    };
    let own = numbers(&label.url);
    let is_second = |next: &String| {
        let next = numbers(next);
        let count = |numbers: &[String]| numbers.iter().filter(|number| *number == "2").count();
        count(&next) > count(&own)
    };
    label.next.as_ref().is_some_and(is_second)
}

pub(crate) fn can_be_drawn(page: &PageExample) -> bool {
    page.content.is_some() && page.links.as_ref().is_some_and(|links| links.is_next.contains(&true))
}

/// Draws one page for each website, among those of a pool with both labels whose next link is a candidate.
pub(crate) fn draw(examples: &PaperExamples, pool: PagePool, seed: u64) -> Vec<DrawnPage<'_>> {
    let mut by_group: Vec<Vec<DrawnPage<'_>>> = vec![Vec::new(); examples.groups.count()];
    for page in &examples.pages {
        if let (Some(links), Some(content)) = (&page.links, &page.content)
            && pool.holds(page)
            && can_be_drawn(page)
        {
            by_group[page.group].push(DrawnPage { page, links, content });
        }
    }
    let drawn = by_group.iter().enumerate().filter(|(_, pages)| !pages.is_empty()).map(|(group, pages)| {
        let place = usize::try_from(mix(seed, group) % pages.len() as u64).unwrap_or(0);
        pages[place]
    });
    drawn.collect()
}

/// Deals the websites to the two sides, 8:2.
pub(crate) fn divide<'a>(drawn: &[DrawnPage<'a>], seed: u64) -> Sides<'a> {
    let mut order: Vec<(u64, usize)> =
        drawn.iter().enumerate().map(|(at, drawn)| (mix(!seed, drawn.page.group), at)).collect();
    order.sort_unstable();
    let tests = drawn.len() / TEST_PART;
    let mut sides = Sides { train: Vec::new(), test: Vec::new() };
    for (place, (_, at)) in order.into_iter().enumerate() {
        let side = if place < tests { &mut sides.test } else { &mut sides.train };
        side.push(drawn[at]);
    }
    // The order of archives, so that rows do not depend on the draw more than they must.
    sides.test.sort_by_key(|drawn| (drawn.page.set, drawn.page.label));
    sides.train.sort_by_key(|drawn| (drawn.page.set, drawn.page.label));
    sides
}

pub(crate) fn count(side: &[DrawnPage<'_>]) -> SideCounts {
    let mut counts = SideCounts { sites: side.len(), ..SideCounts::default() };
    for drawn in side {
        counts.links += drawn.links.is_next.len() as u64;
        counts.next_links += drawn.links.is_next.iter().filter(|next| **next).count() as u64;
        counts.nodes += u64::from(drawn.content.page.totals(NodeId::DOCUMENT).elements);
        counts.content_nodes += drawn.content.gold.len() as u64;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_pages_are_told_by_place_or_address() {
        let first = |url: &str, next: &str, position| {
            is_first(&PageLabel {
                url: format!("https://a.test/{url}"),
                next: Some(format!("https://a.test/{next}")),
                position,
                ..PageLabel::default()
            })
        };
        assert!(first("x", "x?page=3", Some(1)) && !first("x", "x?page=2", Some(2)), "the label knows");
        assert!(first("x", "x/page/02", None) && first("2/x1", "2/x2", None));
        assert!(!first("page/2", "page/3", None) && !first("2", "2/more", None) && !first("12", "22", None));
    }
}
