//! Finds the dates of articles among the blocks that other pages have, too.

use tsugi_dates::mentions;
use tsugi_page::Page;
use tsugi_site_blocks::{Block, Kept, blocks};

/// Number of blocks that show something, before the first kept one and after the last, among which a date belongs to
/// the content.
const REACH: usize = 2;

/// Longest text of a date block, in characters: a date, a time, and a word or two.
const LONGEST: usize = 60;

/// Adds the blocks that state a date, of those between the first and the last block that is kept, and of the two
/// next to either.
///
/// An article's date without a time is on other pages of the same day, so it is no unique block.
///
/// # Cost
///
/// That of [`blocks`].
///
/// # Source
///
/// Yoshida & Yamamoto (2009), section 4.3: dates should be extracted apart, by a model of how dates are written.
/// The model is the recogniser of [`tsugi_dates`]; a block states a date if most of its letters and digits
/// are a date's. The place, since menus and footers state dates, too.
pub fn with_dates(kept: &Kept, page: &Page) -> Kept {
    let showing: Vec<Block> = blocks(page).into_iter().filter(|block| !block.is_blank()).collect();
    let shares = kept.shares(page);
    let is_kept = |block: &Block| {
        let at = shares.binary_search_by_key(&block.node(), |share| share.block);
        at.is_ok_and(|at| shares[at].kept > 0)
    };
    let Some(first) = showing.iter().position(is_kept) else { return kept.clone() };
    let last = showing.iter().rposition(is_kept).unwrap_or(first);
    let near = &showing[first.saturating_sub(REACH)..(last + 1 + REACH).min(showing.len())];
    let dates = near.iter().filter(|block| states_date(&block.text(page))).map(Block::node);
    kept.or(&Kept::of_blocks(page, &dates.collect::<Vec<_>>()))
}

/// Returns `true` if a text is a date and little else: at most 60 characters, and most of its letters and digits are a
/// date's.
pub(crate) fn states_date(text: &str) -> bool {
    let count = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    let all = count(text);
    if all == 0 || text.chars().count() > LONGEST {
        return false;
    }
    let dates: usize = mentions(text).iter().map(|mention| count(&text[mention.range.clone()])).sum();
    2 * dates > all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_and_little_else_is_a_date() {
        for text in ["2008年12月10日", "10 December 2008", "Updated 2008-12-10 13:05", "（2008年12月10日）"]
        {
            assert!(states_date(text), "{text}");
        }
        let long = "2008-12-10 ".repeat(9);
        for text in ["", "…", "Snow fell", "On 10 December 2008 snow fell on the town", &long] {
            assert!(!states_date(text), "{text}");
        }
    }

    #[test]
    fn dates_near_what_is_kept_are_added() {
        let html = "<p>Sport</p><h1>Snow</h1><p>2008-12-10</p><p>It fell.</p><p>Share</p><p>Home</p><p>2008-12-11</p>";
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let unique = Kept::of_blocks(&page, &[page.first("h1").unwrap()]);
        assert_eq!(with_dates(&unique, &page).text(&page), "Snow\n2008-12-10");
    }

    #[test]
    fn a_page_of_which_nothing_is_kept_gets_no_date() {
        let page = Page::from_text("<p>2008-12-10<p>x", &"https://a.test/".parse().unwrap());
        assert!(with_dates(&Kept::default(), &page).is_empty());
        let kept = Kept::all(&page);
        assert_eq!(with_dates(&kept, &page), kept);
    }
}
