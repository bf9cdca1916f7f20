//! Finds links that may lead to the previous page.
//!
//! No model is asked: words lie about direction ("previous" on the link onward, "older" on either). The previous page is
//! the one whose own next link leads here, so this only orders the addresses to try.

use super::address::Family;
use super::names::NameFlags;
use super::runs::{self, NumberRow};
use super::survey::{LinkCandidate, LinkItem, LinkTarget, Rel, SurveyedPage};
use super::words::LabelWords;
use tsugi_page::Url;
use tsugi_page::text::has_digit;

const MOST: usize = 5;
const LEAST: i32 = 2; // Minimum weight of a candidate: an arrow, or a word that may mean either direction.
/// Minimum weight on a page that a pager marks as page 1: more than an ambiguous word ("back").
const LEAST_ON_FIRST: i32 = 6;
/// Minimum weight of a candidate with two signs: "previous" and `rel=prev`, or an address one step back.
const TRUSTED: i32 = 6;

/// Evidence that a page is not the first of its sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Earlier {
    /// The page has this number, at least 2, in its pager.
    Number(u32),
    /// The page's address has a page number, and this is the address of the previous page.
    Address(Url),
    /// The page names this as its previous page. Blogs do so for previous posts, so it counts only in a sequence of
    /// chapters.
    Previous(Url),
}

pub(super) fn earlier(survey: &SurveyedPage<'_>) -> Option<Earlier> {
    if let Some(number) = survey.runs.best().and_then(|run| marked(survey, run)) {
        return Some(Earlier::Number(number));
    }
    // WordPress numbers its posts `/?p=12`.
    let names_a_post = survey.own.depth() == 0
        && survey.own.query().strip_prefix("p=").is_some_and(|rest| !rest.contains('&'));
    let counts_pages = survey.own_paged.named && survey.own_paged.number > Some(0) && !names_a_post;
    let mut before = survey.candidates.iter().filter(|candidate| of_address(survey, candidate) >= 5);
    if counts_pages && let Some(candidate) = before.next() {
        return Some(Earlier::Address(candidate.url()));
    }
    let (weight, at) = weighed(survey).into_iter().next()?;
    (weight >= TRUSTED).then(|| Earlier::Previous(survey.candidates[at].url()))
}

/// Returns the number that a pager marks as the page's own, if it is surely no filter and no pager of comments.
fn marked(survey: &SurveyedPage<'_>, run: &NumberRow) -> Option<u32> {
    let (number, at) = (run.current?, run.current_at?);
    let item = survey.items.get(at)?;
    let names = survey.trees.mark(item).around.union(item.names);
    let elsewhere = NameFlags::COMMENT | NameFlags::SLIDER | NameFlags::CALENDAR;
    let leads_back = |at: usize| {
        survey.items.get(at).is_some_and(|item| {
            matches!(item.target, LinkTarget::Candidate(_)) && runs::is_before(runs::number(item), number)
        })
    };
    // Pagers of comments often start at the last page, and filters and "page 1 of 20" mark numbers, too.
    let own = &survey.own;
    let has_number = [own.last_segment(), own.query()].iter().any(|part| has_digit(part.as_bytes()));
    let is_pager = number >= 2 && !names.intersects(elsewhere) && has_number;
    (is_pager && (run.from..at).any(leads_back)).then_some(number)
}

pub(super) fn on(survey: &SurveyedPage<'_>) -> Vec<Url> {
    weighed(survey).into_iter().take(MOST).map(|(_, at)| survey.candidates[at].url()).collect()
}

fn weighed(survey: &SurveyedPage<'_>) -> Vec<(i32, usize)> {
    let weights = survey.candidates.iter().map(|candidate| weight(survey, candidate));
    let mut weighed: Vec<(i32, usize)> = weights.zip(0..).collect();
    if let Some(LinkTarget::Candidate(at)) = survey.declared.previous {
        weighed[at as usize].0 += 6;
    }
    // Lists of threads contain the pagers of the threads.
    let marks_first = survey
        .runs
        .best()
        .is_some_and(|run| run.length > 1 && run.current == Some(1) && run.current_at.is_some());
    let is_first = marks_first && survey.own_paged.number.is_none_or(|number| number < 2);
    let least = if is_first { LEAST_ON_FIRST } else { LEAST };
    weighed.retain(|(weight, _)| *weight >= least);
    // On a tie, the first in document order.
    weighed.sort_by_key(|(weight, at)| (-weight, *at));
    weighed
}

fn weight(survey: &SurveyedPage<'_>, candidate: &LinkCandidate) -> i32 {
    let items = candidate.items.iter().map(|at| *at as usize);
    items.map(|at| of_item(survey, at, &survey.items[at])).max().unwrap_or(0) + of_address(survey, candidate)
}

fn of_item(survey: &SurveyedPage<'_>, at: usize, item: &LinkItem) -> i32 {
    let current = survey.runs.of_item(at).and_then(|run| run.current);
    let signs = [
        (4, item.rel.intersects(Rel::PREVIOUS)),
        (4, item.says(LabelWords::PREVIOUS) && !item.says(LabelWords::NEXT)),
        (2, item.says(LabelWords::OLDER | LabelWords::NEWER)),
        (2, item.says(LabelWords::ARROW_LEFT | LabelWords::DOUBLE_LEFT)),
        (2, item.names.intersects(NameFlags::PREVIOUS | NameFlags::LEFT)),
        (5, current.is_some_and(|current| runs::is_before(runs::number(item), current))),
    ];
    signs.iter().filter(|(_, holds)| *holds).map(|(weight, _)| weight).sum()
}

fn of_address(survey: &SurveyedPage<'_>, candidate: &LinkCandidate) -> i32 {
    let paged = &candidate.paged;
    match survey.own_paged.number {
        Some(number) if paged.is_same && runs::is_before(paged.number, number) => 5,
        // The address of page 1 has no number.
        Some(1 | 2) if paged.is_same && paged.number.is_none() => 5,
        _ if candidate.difference.family == Family::Number && candidate.difference.step() == Some(-1) => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Earlier, LinkSurvey};
    use tsugi_page::{Page, Url};

    fn page(html: &str, at: &str) -> Page {
        Page::from_text(html, &format!("https://a.test{at}").parse().unwrap())
    }

    #[test]
    fn words_marks_and_addresses_count() {
        for (at, html, expected) in [
            // Page 0 has none before it.
            ("/list?page=0", "<p>Text</p><a href=/list>All</a>", ""),
            ("/list?page=1", "<p>Text</p><a href=/list?page=0>0</a>", "/list?page=0"),
            ("/x", "<a href=/b>前へ</a><a href=/c>次へ</a>", "/b"),
            ("/x", "<link rel=prev href=/b><a href=/c>Chapter 3</a>", "/b"),
            ("/x", "<a href=/b>Next</a><a href=/c>About</a>", ""),
            ("/a/2", "<a href=/a/1>one</a><a href=/a/3>three</a>", "/a/1"),
            ("/list/page/2", "<a href=/list>start</a><a href=/list/page/3>on</a>", "/list"),
            // An ambiguous word does not count on a page that is marked as the first.
            ("/a", "<a href=/issues>Back issues</a><nav><b class=current>1</b> <a href=/a/2>2</a></nav>", ""),
            ("/a", "<a href=/issues>Back issues</a>", "/issues"),
            // More signs come first.
            (
                "/a/2",
                "<a href=/old>« Older</a><nav><a href=/a/1 rel=prev>Previous</a> <b>2</b> <a href=/a/3>3</a></nav>",
                "/a/1 /old",
            ),
        ] {
            let found = LinkSurvey::of(&page(html, at)).previous_candidates();
            let paths: Vec<&str> =
                found.iter().map(|url| url.as_str().split_once("test").unwrap().1).collect();
            assert_eq!(paths.join(" "), expected, "{html}");
        }
    }

    #[test]
    fn later_pages_are_told_and_first_ones_are_not() {
        let url = |path: &str| -> Url { format!("https://a.test{path}").parse().unwrap() };
        for (at, html, expected) in [
            (
                "/a?page=3",
                "<a href=/a?page=1>1</a> <a href=/a?page=2>2</a> <b class=current>3</b>",
                Some(Earlier::Number(3)),
            ),
            (
                "/list/page/2",
                "<p>Text</p><a href=/list>Back to the list</a>",
                Some(Earlier::Address(url("/list"))),
            ),
            ("/book/two", "<link rel=prev href=/book/one><p>Text", Some(Earlier::Previous(url("/book/one")))),
            ("/a", "<b class=current>1</b> <a href=/a?page=2>2</a> <a href=/a?page=3>3</a>", None),
            // A post's number, "page 1 of 20", a filter, the last page of the comments.
            ("/?p=12", "<p>Text</p><a href='/?p=11'>The post before</a>", None),
            ("/f?id=3", "Page <b>1</b> of <b>20</b> <a href=/f?s=2>2</a> … <a href=/f?s=20>20</a>", None),
            ("/shoes", "Size <a href=/s?size=4>4</a> <b class=current>5</b> <a href=/s?size=6>6</a>", None),
            ("/2024/05/post", "<div class=comments><a href=?c=1>1</a> <b class=current>2</b></div>", None),
        ] {
            assert_eq!(LinkSurvey::of(&page(html, at)).earlier(), expected, "{html}");
        }
    }
}
