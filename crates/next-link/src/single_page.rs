//! Finds links that may lead to a single page with the whole sequence.
//!
//! Only a comparison with two pages of the sequence shows whether such a page holds it.

use super::address::{Bare, Family};
use super::names::NameFlags;
use super::survey::{LinkItem, LinkTarget, SurveyedPage};
use std::sync::LazyLock;
use tsugi_page::{Url, text, word_list};

const MOST: usize = 2;
const LEAST: i32 = 4;
/// Maximum length of a label read, in characters.
const MAX_LABEL: usize = 60;
const LIST: &str = include_str!("lists/single_page.txt");

struct SinglePagePhrases {
    sure: Vec<&'static str>,
    /// Labels with other uses, too.
    perhaps: Vec<&'static str>,
    /// Whole path segments, query keys or query values.
    address: Vec<&'static str>,
}

static PHRASES: LazyLock<SinglePagePhrases> = LazyLock::new(|| {
    let [sure, perhaps, address] = ["sure", "perhaps", "address"].map(|name| {
        word_list::lines(LIST).filter(|(group, _)| *group == name).map(|(_, phrase)| phrase).collect()
    });
    SinglePagePhrases { sure, perhaps, address }
});

pub(super) fn on(survey: &SurveyedPage<'_>) -> Vec<Url> {
    let mut weighed: Vec<(i32, usize)> = Vec::new();
    let own_says_all = of_address(&survey.own) > 0;
    for (at, candidate) in survey.candidates.iter().enumerate() {
        // The page's own address with a word for all says it in any language.
        let family = candidate.difference.family;
        let is_own = !own_says_all && matches!(family, Family::TextAdded | Family::NumberAdded);
        let labels = candidate.items.iter().map(|item| of_item(survey, *item as usize, is_own));
        let Some(label) = labels.max().filter(|label| *label > 0) else { continue };
        let weight = label + of_address(&candidate.bare);
        if weight >= LEAST {
            weighed.push((weight, at));
        }
    }
    weighed.sort_by_key(|(weight, at)| (-weight, *at));
    weighed.iter().take(MOST).map(|(_, at)| survey.candidates[*at].url()).collect()
}

fn of_item(survey: &SurveyedPage<'_>, at: usize, is_own: bool) -> i32 {
    let item: &LinkItem = &survey.items[at];
    if item.in_head || item.target == LinkTarget::Text || usize::from(item.text.characters) > MAX_LABEL {
        return 0;
    }
    let page = survey.trees.tree(item.tree).0;
    let title = page.attribute(item.node, "title").or_else(|| page.attribute(item.node, "aria-label"));
    // The visible text of a link may be longer than what was read of it.
    let is_label = page.totals(item.node).characters as usize <= 4 * MAX_LABEL;
    let text = if is_label { of_label(&page.text(item.node)) } else { 0 };
    let label = text.max(title.map_or(0, of_label)).max(i32::from(is_own));
    let (_, pager) = survey.around(at);
    let in_pager = survey.trees.mark(item).around.union(item.names).intersects(NameFlags::PAGER)
        || survey.counts_of(pager.from, pager.to).numbers >= 2;
    if label == 0 { 0 } else { label + 2 * i32::from(in_pager) }
}

fn of_label(label: &str) -> i32 {
    let label = text::fold(label).to_lowercase();
    if label.chars().count() > MAX_LABEL {
        0
    } else if PHRASES.sure.iter().any(|phrase| label.contains(phrase)) {
        4
    } else {
        i32::from(PHRASES.perhaps.iter().any(|phrase| label.contains(phrase))) * 2
    }
}

fn of_address(bare: &Bare) -> i32 {
    let path = bare.segments().flat_map(|segment| segment.split(['.', '_']));
    let query = bare.query().split(['&', '=', ';']);
    let says = path.chain(query).any(|word| PHRASES.address.contains(&word.to_ascii_lowercase().as_str()));
    3 * i32::from(says)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LinkSurvey;
    use tsugi_page::Page;

    #[test]
    fn the_list_is_well_formed() {
        let is_group = |group: &str| ["sure", "perhaps", "address"].contains(&group);
        assert_eq!(word_list::fault(LIST, word_list::lines(LIST), is_group), None);
    }

    fn found(html: &str) -> Vec<String> {
        let page = Page::from_text(html, &"https://a.test/story".parse().unwrap());
        LinkSurvey::of(&page)
            .single_page_candidates()
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
    fn labels_count_in_many_languages() {
        for label in [
            "عرض في صفحة واحدة",
            "در یک صفحه بخوانید",
            "קראו בעמוד אחד",
            "Tek sayfada oku",
            "Đọc trên một trang",
            "Σε μία σελίδα",
            "Читати на одній сторінці",
            "Читать на одной странице",
            "Baca dalam satu halaman",
            "単ページ・全文表示",
            "全文阅读",
            "單頁閱讀",
            "한 페이지로 보기",
            "อ่านในหน้าเดียว",
            "एक ही पृष्ठ पर पढ़ें",
            "Läs på en sida",
            "Læs på én side",
            "Lue yhdellä sivulla",
            "Na jedné stránce",
            "Na jednej stronie",
            "Egy oldalon",
            "Pe o singură pagină",
            "Lire en une page",
            "Leggi in un’unica pagina",
            "Komplettansicht",
        ] {
            assert_eq!(found(&format!("<p>x</p><a href=/whole>{label}</a>")), ["/whole"], "{label}");
        }
        for label in
            ["Druckversion", "打印", "Skriv ut", "للطباعة", "עמוד הבא", "Sonraki sayfa", "Следующая страница"]
        {
            assert_eq!(found(&format!("<p>x</p><a href=/other>{label}</a>")), [""; 0], "{label}");
        }
        let printed = found(
            "<p>x</p><a href='/story?print=1'>Druckversion</a><a href=//b.test/print>Auf einer Seite</a>",
        );
        assert_eq!(printed, ["/story?print=1"]);
    }

    #[test]
    fn the_own_address_with_a_word_for_all_counts_whatever_the_label() {
        for href in ["/story?view=all", "/story?print=1", "/story/full", "/story/single"] {
            assert_eq!(found(&format!("<p>x</p><a href={href}>Gbogbo rẹ</a>")), [href]);
        }
        for href in ["/story?share=1", "/other?view=all", "/story/photos"] {
            assert_eq!(found(&format!("<p>x</p><a href={href}>Gbogbo rẹ</a>")), [""; 0]);
        }
    }

    #[test]
    fn other_things_that_are_all_shown_do_not() {
        assert_eq!(found("<p>x</p><aside><a href=/videos>View all videos</a></aside>"), [""; 0]);
        assert_eq!(found("<p>x</p><a href=/all>Everything else</a><a href='#all'>Full article</a>"), [""; 0]);
    }
}
