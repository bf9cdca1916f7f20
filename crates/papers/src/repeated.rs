//! Finds content as the strings between tags that a server's pages do not repeat in runs.

use tsugi_page::{NodeId, NodeKind, Page, Recurrence, text};
use tsugi_site_blocks::{Fingerprint, Kept, each_leaf, fingerprint};

/// Minimum number of adjacent repeated strings that are removed.
const SHORTEST_RUN: usize = 2;

/// Counts the strings between tags on the pages of a server.
///
/// A string that occurs at least twice, on one page or on several, is repeated. Runs of two or more repeated strings
/// are menus, advertisements or latest news; a single one between other strings may be a date or a heading that two
/// articles share. The rest is the main text.
///
/// # Cost
///
/// Memory: about eighty bytes (measured) per different string, whatever its length; pages need not be kept. Time:
/// `O(n log m)` for `n` strings, `m` of them different.
///
/// # Source
///
/// Kurishima et al., Web の本文部分抽出技術を用いたコンテンツの更新日時推定の検討 (estimating the update time of
/// content by extraction of the main text), section 3.1.
///
/// White space at the ends of a string is ignored, and runs of it count as one space; blank strings do not
/// count. Invisible elements (`script`, `style`, `noscript`, `template`, the head) have no strings, and images are
/// not main text.
#[derive(Debug, Clone, Default)]
pub struct RepeatedStrings {
    strings: Recurrence<Fingerprint>,
    pages: usize,
}

impl RepeatedStrings {
    /// Creates an empty counter.
    pub fn new() -> RepeatedStrings {
        RepeatedStrings::default()
    }

    /// Counts the strings of a page.
    pub fn add(&mut self, page: &Page) {
        for (_, string) in strings(page) {
            self.strings.add(self.pages, string);
        }
        self.pages += 1;
    }

    /// Returns the main text of a page that was added.
    pub fn keep(&self, page: &Page) -> Kept {
        Self::keep_by(page, |string| self.strings.times(&string))
    }

    /// Returns the main text of a page that was not added, as if it had been.
    pub fn keep_outsider(&self, page: &Page) -> Kept {
        let own: RepeatedStrings = [page].into_iter().collect();
        Self::keep_by(page, |string| self.strings.times(&string) + own.strings.times(&string))
    }

    fn keep_by(page: &Page, times: impl Fn(Fingerprint) -> usize) -> Kept {
        let strings: Vec<(NodeId, bool)> =
            strings(page).into_iter().map(|(node, string)| (node, times(string) >= 2)).collect();
        let runs = strings.chunk_by(|(_, one), (_, other)| one == other);
        let kept = runs.filter(|run| !(run[0].1 && run.len() >= SHORTEST_RUN));
        let mut kept = kept.flatten().map(|(node, _)| *node).peekable();
        Kept::leaves_where(page, |leaf| kept.next_if_eq(&leaf.node).is_some())
    }
}

impl<'a> FromIterator<&'a Page> for RepeatedStrings {
    fn from_iter<I: IntoIterator<Item = &'a Page>>(pages: I) -> RepeatedStrings {
        let mut strings = RepeatedStrings::new();
        for page in pages {
            strings.add(page);
        }
        strings
    }
}

fn strings(page: &Page) -> Vec<(NodeId, Fingerprint)> {
    let mut strings = Vec::new();
    each_leaf(page, |leaf| {
        if page.kind(leaf.node) == NodeKind::Text {
            strings.push((leaf.node, fingerprint(text::fold(page.data(leaf.node)).as_str())));
        }
    });
    strings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> Page {
        Page::from_text(html, &"https://a.test/".parse().unwrap())
    }

    fn texts(htmls: &[&str]) -> Vec<String> {
        let pages: Vec<Page> = htmls.iter().map(|html| page(html)).collect();
        let strings: RepeatedStrings = pages.iter().collect();
        pages.iter().map(|page| strings.keep(page).text(page)).collect()
    }

    #[test]
    fn runs_of_repeated_strings_go_and_single_ones_stay() {
        // `news` is alone between texts that no other page has; `home` and `sport` are adjacent.
        let htmls = [
            "<b>home</b> <b>sport</b><p>one<p>news<p>two",
            "<p>three<p>news<p>four<p><b>home</b> <b>sport</b>",
        ];
        assert_eq!(texts(&htmls), ["one\nnews\ntwo", "three\nnews\nfour"]);
    }

    #[test]
    fn a_page_may_repeat_itself() {
        assert_eq!(texts(&["<b>buy</b><i>now</i><p>one<p><b>buy</b><i>now</i>"]), ["one"]);
        assert_eq!(texts(&["<p>one<p>more<p>two<p>more<p>three"]), ["one\nmore\ntwo\nmore\nthree"]);
    }

    #[test]
    fn strings_are_cut_at_tags_and_white_space_does_not_count() {
        let htmls = ["<p>Read <b>more</b> here<p>x", "<p>\n Read\n<b>more </b>here <p>y"];
        assert_eq!(texts(&htmls), ["x", "y"]);
        let htmls = ["<p>Read more here<p>Home", "<p>Read <b>more</b> here<p>Home"];
        assert_eq!(
            texts(&htmls),
            ["Read more here\nHome", "Read more here\nHome"],
            "other strings, `Home` alone"
        );
    }

    #[test]
    fn edge_cases_have_answers() {
        assert_eq!(texts(&["", "<img alt=a>"]), ["", ""]);
        assert_eq!(texts(&["<p>a<p>b", "<p>a<p>b"]), ["", ""]);
        assert_eq!(RepeatedStrings::new().keep(&page("<p>a")).leaves().len(), 1);
        assert_eq!(texts(&["<script>s</script><noscript>n</noscript><p>a"]), ["a"]);
    }

    const MARKUP: &str = "(<p>|<div>|</div>|<b>|</b>|<br>|<li>|a|b|c|d|<img>| ){0,30}";

    proptest::proptest! {
        #[test]
        fn a_page_outside_is_judged_as_one_inside(htmls in proptest::collection::vec(MARKUP, 1..5)) {
            let pages: Vec<Page> = htmls.iter().map(|html| page(html)).collect();
            let [others @ .., last] = &pages[..] else { panic!("one page at least") };
            let mut strings: RepeatedStrings = others.iter().collect();
            let outside = strings.keep_outsider(last);
            strings.add(last);
            proptest::prop_assert_eq!(strings.keep(last), outside);
        }

        #[test]
        fn what_stands_once_is_kept(html in MARKUP) {
            let page = page(&html);
            let strings: RepeatedStrings = [&page].into_iter().collect();
            let kept = strings.keep(&page);
            for leaf in Kept::all(&page).leaves().iter().filter(|leaf| page.kind(**leaf) == NodeKind::Text) {
                let string = text::fold(page.data(*leaf));
                let same = Kept::all(&page);
                let times = same.leaves().iter().filter(|other| text::fold(page.data(**other)) == string).count();
                proptest::prop_assert!(times > 1 || kept.contains(*leaf), "{}", string);
            }
        }
    }
}
