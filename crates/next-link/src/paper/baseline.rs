//! Rules for comparison: the thesis' baseline, and the markup that some sites provide.

use crate::paper::Candidates;
use crate::relation::relation;
use tsugi_page::{Evidence, NextLink, Page};

/// How the thesis' baseline reads a link's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextWord {
    /// `NEXT` in any case counts, as in the first of the nine features.
    AnyCase,
    /// `NEXT` counts in capitals alone, as the thesis writes it.
    Capitals,
}

/// Returns `true` if the thesis' baseline takes a candidate for a next-page link: the text of one of its tags
/// contains `NEXT` or `次`, or is `2`.
///
/// # Source
///
/// Hanamura (2020), 4.2.2.
///
/// CHOICE: [`NextWord::AnyCase`] where nothing else is asked for. The thesis writes `NEXT`, and puts texts in capitals for its features
/// (3.2.2), but does not say so of the baseline.
pub fn is_next_by_text(page: &Page, candidates: &Candidates, candidate: usize, word: NextWord) -> bool {
    candidates.tags_of[candidate].iter().any(|tag| {
        let text = page.text(candidates.tags[*tag].node);
        let says_next = match word {
            NextWord::AnyCase => text.to_ascii_uppercase().contains("NEXT"),
            NextWord::Capitals => text.contains("NEXT"),
        };
        text == "2" || text.contains('次') || says_next
    })
}

/// Returns the first candidate accepted by the thesis' baseline.
pub fn next_by_text(page: &Page) -> Option<NextLink> {
    let candidates = Candidates::of(page);
    let first = (0..candidates.len())
        .find(|candidate| is_next_by_text(page, &candidates, *candidate, NextWord::AnyCase))?;
    Some(candidates.next_link(page, first, 1.0, Evidence::Rule { name: "text".into() }))
}

/// Returns the first `rel=next` of the page, in body or head.
pub fn next_by_markup(page: &Page) -> Option<NextLink> {
    let links = page.elements().filter(|id| page.is(*id, "a") || page.is(*id, "link"));
    let linked = links.filter(|id| {
        let rel = page.attribute(*id, "rel").unwrap_or_default();
        rel.split_ascii_whitespace().any(|token| token.eq_ignore_ascii_case("next"))
    });
    let mut resolved = linked.filter_map(|node| Some((node, page.resolve(page.attribute(node, "href")?)?)));
    let (node, url) = resolved.next()?;
    let relation = relation(page, &url);
    Some(NextLink { url, node, relation, score: 1.0, evidence: Evidence::Markup })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> Page {
        Page::from_text(html, &"https://a.test/1".parse().unwrap())
    }

    fn path(found: Option<NextLink>) -> Option<String> {
        found.map(|next| next.url.path().to_owned())
    }

    #[test]
    fn the_text_decides_for_the_baseline() {
        let found = |html: &str| path(next_by_text(&page(html)));
        assert_eq!(found("<a href=p>prev</a><a href=n>Next »</a>").as_deref(), Some("/n"));
        assert_eq!(found("<a href=n>次へ</a>").as_deref(), Some("/n"));
        assert_eq!(found("<a href=3>3</a><a href=2> 2 </a>").as_deref(), Some("/2"));
        assert_eq!(found("<a href=22>22</a><a href=n title=next>→</a>"), None);
    }

    #[test]
    fn as_written_next_is_in_capitals() {
        let page = page("<a href=n>Next</a><a href=m>NEXT »</a><a href=k>次へ</a>");
        let candidates = Candidates::of(&page);
        let found = |word| [0, 1, 2].map(|at| is_next_by_text(&page, &candidates, at, word));
        assert_eq!(found(NextWord::AnyCase), [true, true, true]);
        assert_eq!(found(NextWord::Capitals), [false, true, true]);
    }

    #[test]
    fn markup_is_read_in_head_and_body() {
        let found = |html: &str| path(next_by_markup(&page(html)));
        assert_eq!(found("<link rel='NEXT nofollow' href=b><a rel=next href=c>x</a>").as_deref(), Some("/b"));
        assert_eq!(found("<a rel=next>x</a><a rel=next href=c>x</a>").as_deref(), Some("/c"));
        assert_eq!(found("<a rel=nextish href=c>x</a>"), None);
    }
}
