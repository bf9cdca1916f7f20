//! Which links may lead to all pages of a sequence on one.

use super::names::Names;
use super::survey::{Candidate, Item, Survey, Target};
use tsugi_page::{Page, Url, text};

/// Most candidates that are named.
const MOST: usize = 2;

/// Least weight of a candidate.
const LEAST: i32 = 4;

/// Longest label that is read, in characters.
const MAX_LABEL: usize = 60;

/// Phrases that say it, in lower case.
const SURE: &[&str] = &[
    "single page",
    "single-page",
    "on one page",
    "one-page",
    "as one page",
    "all pages",
    "all on one",
    "full article",
    "entire article",
    "complete article",
    "whole article",
    "auf einer seite",
    "auf eine seite",
    "ganzen artikel",
    "gesamten artikel",
    "alle seiten",
    "sur une seule page",
    "sur une page",
    "page unique",
    "article complet",
    "toutes les pages",
    "en una sola página",
    "en una página",
    "artículo completo",
    "todas las páginas",
    "em uma só página",
    "em uma única página",
    "página única",
    "artigo completo",
    "pagina unica",
    "in una pagina",
    "su una sola pagina",
    "articolo completo",
    "op één pagina",
    "op een pagina",
    "hele artikel",
    "na jednej stronie",
    "cały artykuł",
    "på en sida",
    "på én side",
    "на одной странице",
    "одной страницей",
    "статья целиком",
    "全ページ",
    "1ページで",
    "１ページで",
    "1ページに",
    "全文表示",
    "全文を表示",
    "まとめて表示",
    "单页",
    "單頁",
    "一页显示",
    "显示全文",
    "顯示全文",
    "在本页阅读全文",
    "한 페이지",
    "전체보기",
    "전체 보기",
];

/// Phrases that say it of other things as well.
const PERHAPS: &[&str] = &[
    "view all",
    "show all",
    "see all",
    "read all",
    "print",
    "alles anzeigen",
    "alle anzeigen",
    "drucken",
    "tout afficher",
    "voir tout",
    "imprimer",
    "ver todo",
    "ver tudo",
    "imprimir",
    "vedi tutto",
    "stampa",
    "показать все",
    "весь текст",
    "версия для печати",
    "すべて表示",
    "全て表示",
    "全文を読む",
    "印刷",
    "阅读全文",
    "閱讀全文",
    "查看全部",
    "모두 보기",
    "인쇄",
];

/// Words of an address that say it: whole segments of a path, keys or values of a query.
const ADDRESS: &[&str] = &[
    "all",
    "full",
    "single",
    "singlepage",
    "single-page",
    "onepage",
    "one-page",
    "viewall",
    "view-all",
    "showall",
    "allpages",
    "print",
    "printable",
    "entire",
    "complete",
    "komplettansicht",
    "seite-all",
    "fullpage",
    "full-text",
];

/// Returns the addresses that may hold all pages of the page's sequence, the likeliest first.
///
/// Labels ("view on one page", 全文表示) and addresses (`?page=all`) count, more so inside a pager. Whether such a page
/// holds what it says, the page there tells.
///
/// # Examples
///
/// ```
/// use tsugi_next_link::single_page_candidates;
/// let html = "<p>…</p><div class=pager><a href='?page=2'>2</a> <a href='?page=all'>View all</a></div>";
/// let page = tsugi_page::Page::from_text(html, &"https://a.test/story".parse().unwrap());
/// assert_eq!(single_page_candidates(&page)[0].as_str(), "https://a.test/story?page=all");
/// ```
pub fn single_page_candidates(page: &Page) -> Vec<Url> {
    on(&Survey::of(page))
}

/// The same, of a page that was surveyed.
pub(super) fn on(survey: &Survey<'_>) -> Vec<Url> {
    let mut weighed: Vec<(i32, usize)> = Vec::new();
    for (at, candidate) in survey.candidates.iter().enumerate() {
        let labels = candidate.items.iter().map(|item| of_item(survey, *item as usize));
        let Some(label) = labels.max().filter(|label| *label > 0) else { continue };
        let weight = label + of_address(candidate);
        if weight >= LEAST {
            weighed.push((weight, at));
        }
    }
    weighed.sort_by_key(|(weight, at)| (-weight, *at));
    weighed.iter().take(MOST).map(|(_, at)| survey.candidates[*at].url()).collect()
}

/// What a link's label says, and whether it stands in a pager.
fn of_item(survey: &Survey<'_>, at: usize) -> i32 {
    let item: &Item = &survey.items[at];
    if item.in_head || item.target == Target::Text || usize::from(item.text.characters) > MAX_LABEL {
        return 0;
    }
    let page = survey.tree(item.tree).0;
    let read = |label: &str| {
        let label = text::fold(label).to_lowercase();
        let says = |phrases: &[&str]| phrases.iter().any(|phrase| label.contains(phrase));
        if label.chars().count() > MAX_LABEL {
            0
        } else if says(SURE) {
            4
        } else {
            i32::from(says(PERHAPS)) * 2
        }
    };
    let title = page.attribute(item.node, "title").or_else(|| page.attribute(item.node, "aria-label"));
    // What is seen of a link may be more than what was read of it.
    let is_label = page.totals(item.node).characters as usize <= 4 * MAX_LABEL;
    let text = if is_label { read(&page.text(item.node)) } else { 0 };
    let label = text.max(title.map_or(0, read));
    let (_, pager) = survey.around(at);
    let in_pager = survey.mark(item).around.or(item.names).has(Names::PAGER)
        || survey.counts_of(pager.from, pager.to).numbers >= 2;
    if label == 0 { 0 } else { label + 2 * i32::from(in_pager) }
}

/// What an address says.
fn of_address(candidate: &Candidate) -> i32 {
    let path = candidate.bare.segments().flat_map(|segment| segment.split(['.', '_']));
    let query = candidate.bare.query().split(['&', '=', ';']);
    let says = path.chain(query).any(|word| ADDRESS.contains(&word.to_ascii_lowercase().as_str()));
    3 * i32::from(says)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(html: &str) -> Vec<String> {
        let page = Page::from_text(html, &"https://a.test/story".parse().unwrap());
        single_page_candidates(&page)
            .into_iter()
            .map(|url| url.as_str().trim_start_matches("https://a.test").to_owned())
            .collect()
    }

    #[test]
    fn labels_and_addresses_count() {
        assert_eq!(found("<p>x</p><a href=/story/einseitig>Auf einer Seite lesen</a>"), ["/story/einseitig"]);
        assert_eq!(found("<p>x</p><a href=/p?id=7>全文表示</a>"), ["/p?id=7"]);
        assert_eq!(found("<p>x</p><a href='/story?pagewanted=all'>Print</a>"), ["/story?pagewanted=all"]);
        assert_eq!(
            found("<a href=/1>1</a> <a href=/2>2</a> <a href=/3>3</a> <a href=/whole>View all</a>"),
            ["/whole"]
        );
    }

    #[test]
    fn other_things_that_are_all_shown_do_not() {
        assert_eq!(found("<p>x</p><aside><a href=/videos>View all videos</a></aside>"), [""; 0]);
        assert_eq!(found("<p>x</p><a href=/all>Everything else</a><a href='#all'>Full article</a>"), [""; 0]);
    }
}
