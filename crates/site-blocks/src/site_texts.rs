//! What the pages of a site have in common, for detectors that read one page at a time.

use crate::fingerprint::{Fingerprint, fingerprint};
use crate::kept::{Kept, each_leaf};
use crate::recurrence::Recurrence;
use std::collections::BTreeMap;
use tsugi_page::{NodeId, NodeKind, Page, text};

/// On how many other pages the text of a block must stand to recur.
///
/// CHOICE: two; on one other page an article may stand a second time, in a list or at another address.
const ELSEWHERE: usize = 2;

/// The texts of the blocks of a site, and on how many pages each stands.
///
/// Blocks are compared by their texts, not by their vectors as unique blocks are: vectors of long blocks with much markup
/// (code, tables) are alike whatever they say, and content must not be taken for what recurs.
///
/// # Cost
///
/// Memory: about fifty bytes for each different text, whatever its length; pages need not be held. Time: `O(n log m)` for
/// `n` blocks, `m` different texts.
///
/// # Examples
///
/// ```
/// use tsugi_page::Page;
/// use tsugi_site_blocks::SiteTexts;
/// let page = |text: &str| {
///     Page::from_text(&format!("<p>A Paper<p>{text}"), &"https://a.test/".parse().unwrap())
/// };
/// let pages = ["Snow fell.", "The bridge is open.", "Ski races are off."].map(page);
/// let texts: SiteTexts = pages.iter().collect();
/// assert_eq!(texts.recurring(&pages[0]).text(&pages[0]), "A Paper");
/// ```
#[derive(Debug, Clone, Default)]
pub struct SiteTexts {
    pages: usize,
    texts: Recurrence<Fingerprint>,
}

impl SiteTexts {
    /// Knows nothing yet.
    pub fn new() -> SiteTexts {
        SiteTexts::default()
    }

    /// Adds a page.
    pub fn add(&mut self, page: &Page) {
        for text in block_texts(page).into_values().flatten() {
            self.texts.add(self.pages, text);
        }
        self.pages += 1;
    }

    /// Returns the leaves of a page, one of those that were added, in blocks whose text stands on two other pages or more,
    /// images with it. Upper case and white space make no other text; blocks without text do not recur.
    pub fn recurring(&self, page: &Page) -> Kept {
        let texts = block_texts(page);
        Kept::leaves_where(page, |leaf| {
            let text = leaf.block.and_then(|block| texts.get(&block).copied().flatten());
            text.is_some_and(|text| self.texts.pages(&text) > ELSEWHERE)
        })
    }
}

impl<'a> FromIterator<&'a Page> for SiteTexts {
    fn from_iter<I: IntoIterator<Item = &'a Page>>(pages: I) -> SiteTexts {
        let mut texts = SiteTexts::new();
        for page in pages {
            texts.add(page);
        }
        texts
    }
}

/// The text of each block that shows something, those of the blocks inside it left out; `None` where it has none.
fn block_texts(page: &Page) -> BTreeMap<NodeId, Option<Fingerprint>> {
    let mut texts: BTreeMap<NodeId, String> = BTreeMap::new();
    each_leaf(page, |leaf| {
        let Some(block) = leaf.block else { return };
        let text = texts.entry(block).or_default();
        if page.kind(leaf.node) == NodeKind::Text {
            text.push(' ');
            text.extend(page.data(leaf.node).chars().flat_map(char::to_lowercase));
        }
    });
    let print = |text: String| {
        let folded = text::fold(&text);
        (!folded.is_empty()).then(|| fingerprint(folded.as_str()))
    };
    texts.into_iter().map(|(block, text)| (block, print(text))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recurring(htmls: &[&str]) -> Vec<String> {
        let url = "https://a.test/".parse().unwrap();
        let pages: Vec<Page> = htmls.iter().map(|html| Page::from_text(html, &url)).collect();
        let texts: SiteTexts = pages.iter().collect();
        pages.iter().map(|page| texts.recurring(page).text(page)).collect()
    }

    #[test]
    fn two_other_pages_make_a_text_recur() {
        let pages = ["<p>menu<p>a<p>twice", "<p>menu<p>b<p>twice", "<p>MENU<p>c"];
        assert_eq!(recurring(&pages), ["menu", "menu", "MENU"]);
        assert_eq!(recurring(&["<p>a<p>a<p>a", "<p>a"]), ["", ""], "pages count, not blocks");
        assert_eq!(recurring(&["<img>"; 4]), [""; 4], "without text");
    }

    #[test]
    fn blocks_are_compared_whole() {
        let list = |last: &str| format!("<p>Read <b>more</b>\n here<p>{last} <b>more</b>");
        let pages = [list("1"), list("2"), list("3")];
        let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
        assert_eq!(recurring(&pages), ["Read more here"; 3]);
        assert_eq!(
            recurring(&["<div>a<p>b</div>", "<div>a<p>c</div>", "<div>a</div>"]),
            ["a"; 3],
            "less the blocks inside"
        );
    }

    const MARKUP: &str = "(<p>|<div>|</div>|<b>|</b>|a|B|<img>| |\n){0,20}";

    proptest::proptest! {
        #[test]
        fn more_pages_never_make_less_recur(htmls in proptest::collection::vec(MARKUP, 1..6)) {
            let url = "https://a.test/".parse().unwrap();
            let pages: Vec<Page> = htmls.iter().map(|html| Page::from_text(html, &url)).collect();
            let mut texts = SiteTexts::new();
            let mut before = 0;
            for page in &pages {
                texts.add(page);
                let recurring = texts.recurring(&pages[0]).leaves().len();
                proptest::prop_assert!(recurring >= before);
                before = recurring;
            }
            proptest::prop_assert!(pages.len() > ELSEWHERE || before == 0);
        }
    }
}
