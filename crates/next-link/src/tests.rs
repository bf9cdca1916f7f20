//! Traps of real pagers, each on a small page: what the columns say about them.

use super::describe::{Described, LinkColumns};
use super::features::{NO_NUMBER, NO_STEP};
use super::pair::PairColumns;
use super::paper::PaperLinks;
use super::tokens::TokenKind;
use tsugi_page::{Page, Url};
use tsugi_scoring::{Schema, check_columns, column_index, fingerprint};

struct SeenPage(Described);

impl SeenPage {
    fn of(at: &str, html: &str) -> SeenPage {
        let url = format!("https://a.test{at}").parse().unwrap();
        SeenPage(Described::of(&Page::from_text(html, &url)))
    }

    fn paths(&self) -> Vec<String> {
        let path = |url: &Url| url.as_str().split_once("test").unwrap().1.to_owned();
        self.0.urls.iter().map(path).collect()
    }

    fn value(&self, path: &str, column: &str) -> f32 {
        let at = self.paths().iter().position(|found| found == path);
        let at = at.unwrap_or_else(|| panic!("no candidate {path} among {:?}", self.paths()));
        self.0.values(at)[column_index::<LinkColumns>(column).unwrap_or_else(|| panic!("no column {column}"))]
    }

    fn all(&self, path: &str, columns: &[&str]) -> Vec<f32> {
        columns.iter().map(|column| self.value(path, column)).collect()
    }
}

#[test]
fn tags_of_one_page_are_one_candidate() {
    let html = "<a href=/x/index.html>a</a> <a href=http://www.a.test/x/>b</a> <a href=/x#c>c</a> <a href=/here/>own</a>
        <a href=//b.test/>else</a> <a href='#top'>top</a> <a href='javascript:next()'>script</a> <a>none</a>";
    let seen = SeenPage::of("/here", html);
    assert_eq!(seen.paths(), ["/x/index.html"]);
    assert_eq!(seen.value("/x/index.html", "occurrences"), 3.0);
}

#[test]
fn noscript_and_head_are_read() {
    let html = "<link rel=next href=/l/2><p>text<noscript><div class=pager><a href=/l/3>next page</a></div></noscript>";
    let seen = SeenPage::of("/l", html);
    assert_eq!(seen.paths(), ["/l/2", "/l/3"]);
    assert_eq!(seen.all("/l/2", &["in_head", "head_next", "next_in_text"]), [1.0, 1.0, 0.0]);
    assert_eq!(
        seen.all("/l/3", &["in_head", "in_fragment", "next_in_text", "pager_around"]),
        [0.0, 1.0, 1.0, 1.0]
    );
}

#[test]
fn the_number_after_the_current_one_is_known_however_it_is_marked() {
    for pager in [
        "<a href=/l>1</a> <b>2</b> <a href=/l/3>3</a> <a href=/l/9>9</a>",
        "<a href=/l>1</a> [2] <a href=/l/3>3</a> <a href=/l/9>9</a>",
        "<a href=/l>1</a> | 2 | <a href=/l/3>3</a> | <a href=/l/9>9</a>",
        "<li><a href=/l>1</a><li class=active><a href='#'>2</a><li><a href=/l/3>3</a><li><a href=/l/9>9</a>",
        "<a href=/l>1</a> <a href=/l/2>2</a> <a href=/l/3>3</a> <a href=/l/9>9</a>",
        "<a href=/l>1</a> <a class=x>2</a> <a href=/l/3>3</a> <a href=/l/9>9</a>",
        "<a href=/l>1</a> <a href=/other aria-current=page>2</a> <a href=/l/3>3</a> <a href=/l/9>9</a>",
    ] {
        let seen = SeenPage::of("/l/2", pager);
        let columns = ["number_after_current", "onward_in_run", "run_step", "run_current"];
        assert_eq!(seen.all("/l/3", &columns), [1.0, 1.0, 1.0, 2.0], "{pager}");
        assert_eq!(seen.all("/l/9", &columns), [0.0, 0.0, 7.0, 2.0], "{pager}");
    }
    // A pager that omits the first page, and a first page whose address has no number.
    let seen = SeenPage::of("/l", "<a href=/l/2>2</a> <a href=/l/3>3</a>");
    assert_eq!(seen.all("/l/2", &["number_after_current", "onward_in_run"]), [1.0, 1.0]);
}

#[test]
fn numbers_far_apart_are_no_run() {
    let seen = SeenPage::of(
        "/l",
        "<a href=/a>1</a><p>a long text between the two numbers of the page</p><a href=/b>2</a>",
    );
    assert_eq!(seen.value("/b", "run_length"), 0.0);
}

#[test]
fn the_last_page_shows_a_next_that_is_none() {
    let columns = ["url_step", "url_page_step_same", "best_run_ends"];
    let back = "<a href=/l/1>1</a> <a href=/l/2>2</a> <b>3</b> <a href=/l/1>next</a>";
    assert_eq!(SeenPage::of("/l/3", back).all("/l/1", &columns), [-2.0, -2.0, 1.0]);
    let home = SeenPage::of("/l/3", "<div class='pager-next disabled'><a href=/>next</a></div>Page 3 of 3");
    assert_eq!(home.all("/", &["url_root", "disabled_near", "counter_ends"]), [1.0, 1.0, 1.0]);
    let own = SeenPage::of("/l/3", "<a href=/l/3>next</a> <a href='#'>next</a> <a href=/l/2>previous</a>");
    assert_eq!(own.paths(), ["/l/2"]);
    assert_eq!(own.value("/l/2", "dead_nexts"), 2.0);
    let hidden = SeenPage::of(
        "/l/3",
        "<div class=is-invisible><a href=/l/4>next</a></div><p style='display:none'><a href=/l/5>5</a>",
    );
    assert_eq!(hidden.value("/l/4", "hidden_near") + hidden.value("/l/5", "hidden_near"), 2.0);
}

#[test]
fn words_may_lie_about_the_direction() {
    let html = "<link rel=prev href=/page/2/><div class=nav-previous><a class=prev href=/page/2/>« Older entries</a></div>";
    let seen = SeenPage::of("/", html);
    let columns =
        ["older_word", "previous_name", "previous_near", "head_previous", "url_page_step", "arrow_left"];
    assert_eq!(seen.all("/page/2/", &columns), [1.0; 6]);
}

#[test]
fn labels_without_text_are_read_from_the_markup() {
    let html = "<a href=/1><i class='fa fa-chevron-right'></i></a><a href=/2><img src=/img/next.gif></a>
        <a href=/3><img alt='Nächste Seite' src=x></a><a href=/4 aria-label='Go to page 4'></a>
        <a href=/5><span class=material-icons>arrow_forward</span></a><a href=/6 accesskey=n>☞</a>
        <a href=/7><svg><use href='#icon-next'></use></svg></a><a href=/8><button rel=next>&gt;</button></a>";
    let seen = SeenPage::of("/", html);
    assert_eq!(seen.value("/1", "right_name"), 1.0);
    assert_eq!(seen.value("/2", "next_name"), 1.0);
    assert_eq!(seen.all("/3", &["next_in_hint", "hint_cover"]), [1.0, 1.0]);
    assert_eq!(seen.value("/4", "hint_number"), 4.0);
    assert_eq!(seen.value("/5", "next_in_text"), 1.0);
    assert_eq!(seen.all("/6", &["arrow_right", "access_key"]), [1.0, 1.0]);
    assert_eq!(seen.value("/7", "next_name"), 1.0);
    assert_eq!(seen.value("/8", "arrow_right"), 1.0);
}

#[test]
fn text_beside_a_link_counts() {
    let seen = SeenPage::of(
        "/docs/b",
        "<div>Previous article</div><a href=/docs/a>A</a><div>Next article</div><a href=/docs/c>C</a>",
    );
    assert_eq!(seen.value("/docs/c", "before_text_says_next"), 1.0);
    assert_eq!(seen.all("/docs/a", &["before_text_says_next", "before_text_says_previous"]), [0.0, 1.0]);
}

#[test]
fn switched_off_words_before_a_link_are_not_its_own() {
    let seen = SeenPage::of("/b", "[首页] [上页] [<a href=/b_2>下页</a>] [<a href=/b_9>末页</a>]");
    assert_eq!(
        seen.all("/b_2", &["next_in_text", "previous_in_hint", "before_is_previous"]),
        [1.0, 0.0, 1.0]
    );
    assert_eq!(seen.all("/b_9", &["last_word", "next_in_hint"]), [1.0, 0.0]);
}

#[test]
fn double_arrows_are_last_beside_single_ones() {
    let seen = SeenPage::of("/l", "<b>1</b> <a href=/l/2>2</a> <a href=/l/2>&gt;</a> <a href=/l/9>»</a>");
    assert_eq!(seen.all("/l/2", &["arrow_right", "double_arrow_right", "after_is_last"]), [1.0, 0.0, 1.0]);
    assert_eq!(seen.all("/l/9", &["arrow_right", "double_arrow_right"]), [0.0, 1.0]);
}

#[test]
fn dates_sorts_and_comments_are_no_pages() {
    let html = "<a href=/2008/10/2/>a post</a><a href='/l?page=2&sort=name'>name</a><div id=comments><a href=/l/comment-page-2>2</a></div>";
    let seen = SeenPage::of("/l", html);
    assert_eq!(seen.value("/2008/10/2/", "url_date"), 1.0);
    assert_eq!(seen.value("/l?page=2&sort=name", "url_sorts"), 1.0);
    assert_eq!(
        seen.all("/l/comment-page-2", &["url_comments", "comment_around", "comments_before"]),
        [1.0; 3]
    );
}

#[test]
fn zero_based_pages_and_steps_of_items() {
    let seen = SeenPage::of("/l?page=1", "<a href='/l?page=0'>1</a> <b>2</b> <a href='/l?page=2'>3</a>");
    assert_eq!(
        seen.all("/l?page=2", &["number_after_current", "url_page_step_same", "family_rank"]),
        [1.0, 1.0, 0.0]
    );
    let seen = SeenPage::of("/s?q=x&start=20", "<a href='/s?start=40&q=x&s=1'>次の20件</a>");
    assert_eq!(
        seen.all("/s?start=40&q=x&s=1", &["query_step", "url_page_step", "next_in_text"]),
        [20.0, 20.0, 1.0]
    );
}

#[test]
fn the_entry_after_the_pages_own_is_seen_in_a_list() {
    let html = "<ul><li><a href=/b/1>One</a><li><a href=/b/2>Two</a><ul><li><a href='/b/2#x'>part</a></ul><li><a href=/b/3>Three</a></ul>";
    let seen = SeenPage::of("/b/2", html);
    assert_eq!(seen.all("/b/3", &["follows_own", "since_own"]), [1.0, 0.0]);
    assert_eq!(seen.all("/b/1", &["follows_own", "precedes_own"]), [0.0, 1.0]);
}

#[test]
fn scripts_that_name_an_address_are_followed() {
    let html = "<a onclick=\"javascript:location.href='/l_2.html';\">下一页</a><button onclick='window.location=\"/l_3.html\"'>3</button>
        <a href='#' onclick=\"location.href='/l_' + n\">4</a><a onclick=\"track('location', 'x')\">5</a>";
    let seen = SeenPage::of("/l.html", html);
    assert_eq!(seen.paths(), ["/l_2.html", "/l_3.html"]);
    assert_eq!(seen.all("/l_2.html", &["next_in_text", "url_step", "url_same_but_page"]), [1.0, 1.0, 1.0]);
}

#[test]
fn pages_without_links_have_no_candidates() {
    for html in [
        "",
        "<p>text",
        "<a>no address</a>",
        "<link rel=next>",
        "<noscript><a href=",
        "<base href='javascript:x'><a href=>",
    ] {
        assert!(SeenPage::of("/", html).0.is_empty(), "{html}");
    }
}

/// Pages on which every link could re-read the same part of the page: a quadratic survey would take hours.
#[test]
fn what_many_links_share_is_read_once() {
    let mut pages = vec![
        // A long class on the element around all links, and on one around every other link.
        format!(
            "<div class='{}'>{}",
            "c1 ".repeat(1_000_000),
            "<a href=1>x</a><p><a href=2>y</a></p>".repeat(50_000)
        ),
        // Nested links around a long text.
        format!("{}{}", "<a href=1><object>".repeat(200), "words ".repeat(500_000)),
    ];
    // A base that makes short links long.
    let links = (0..200_000).map(|at| format!("<a href={at}>x</a>")).collect::<Vec<_>>().concat();
    pages.push(format!("<base href='/{}/'>{links}", "a".repeat(2_000)));
    for html in &pages {
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let survey = super::survey::SurveyedPage::of(&page);
        let addresses: usize = survey.candidates.iter().map(|candidate| candidate.url().as_str().len()).sum();
        assert!((1..70_000_000).contains(&addresses), "{addresses} bytes of addresses");
        let _ = crate::LinkSurvey::of(&page).single_page_candidates();
    }
    // Many empty keys in the page's own address.
    let url = format!("https://a.test/?{}k=1", "&".repeat(8_000)).parse().unwrap();
    let link = |at| format!("<a href='?a{at}&b&c&d&e&f&g&h&i&j&k&l&m'>x</a>");
    let links = (0..20_000).map(link).collect::<Vec<_>>().concat();
    let page = Page::from_text(&links, &url);
    assert_eq!(super::survey::SurveyedPage::of(&page).candidates[7].keys.added, 12);
}

#[test]
fn a_huge_number_is_followed_by_none() {
    let seen = SeenPage::of("/l", "<a href=/1>1</a> <b>12345678</b> <a href=/2>12345679</a>");
    assert_eq!(seen.value("/2", "number_after_current"), 0.0);
}

#[test]
fn many_links_cost_no_more_than_their_number() {
    let link = |page: usize| format!("<a href=/p/{page}>{page}</a> ");
    let pager = (0..30_000).map(link).collect::<Vec<_>>().concat();
    let same = "<li><a href=/x class='a b'>next</a>".repeat(30_000);
    let nested = "<div><a href=/n>1</a>".repeat(30_000);
    for html in [pager, same, nested, "<noscript><a href=x>n</a></noscript>".repeat(3_000)] {
        assert!((1..=20_000).contains(&SeenPage::of("/p/7", &html).0.len()));
    }
}

proptest::proptest! {
    #[test]
    fn any_page_gives_values_in_their_ranges(
        html in "(<a href=/p/2>|<a href='?page=3'>|</a>|<b>2</b>|2|1/2|次へ|Next|»|<p>|<div class=pager-next>|</div>|<li class=active>|<noscript>|</noscript>|<link rel=next href=/p/2>|<button>|<svg>|<h2>|<form>|<td>|<base href=//b/>|<a onclick=location='/x'>|x| |<img alt=next>){0,40}",
        at in "/[a-z0-9/?=&%]{0,12}",
    ) {
        let seen = SeenPage::of(&at, &html);
        let rows = seen.0.rows(|_, _| 0.5).unwrap();
        proptest::prop_assert_eq!(rows.check_ranges(), Ok(()));
        proptest::prop_assert_eq!(rows.rows(), seen.0.len());
        for candidate in 0..seen.0.len() {
            proptest::prop_assert!(seen.0.tokens(candidate, TokenKind::Label).windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}

#[test]
fn columns_explain_themselves_in_the_words_of_the_card() {
    assert_eq!(check_columns::<LinkColumns>(include_str!("../../../models/next-link.md")), Ok(()));
    assert_eq!(check_columns::<PairColumns>(include_str!("../../../models/continuation.md")), Ok(()));
    assert_eq!(check_columns::<PaperLinks>(include_str!("../../../models/paper/next-link.md")), Ok(()));
    for (name, value, phrase) in [
        ("markup_score", -5.5, "class names: unlike a pager"),
        ("markup_score", -2.0, "class names: like a pager"),
        ("label_score", 1.5, "link text: like a next link"),
        ("next_name", 0.0, "class names: no “next”"),
        ("url_page_step_same", 1.0, "page number in an otherwise equal address: one after the current page"),
        ("url_page_step_same", NO_STEP, "page number in an otherwise equal address: unknown"),
        ("label_number", NO_NUMBER, "link text as a number: unknown"),
        ("position_last", 0.93, "position of the last link to this address on the page: 93 %"),
    ] {
        let column = LinkColumns::columns()[column_index::<LinkColumns>(name).unwrap()];
        assert_eq!(column.phrase(value), phrase);
    }
}

#[test]
fn fingerprints_are_those_of_the_models() {
    let found = [fingerprint::<LinkColumns>(), fingerprint::<PairColumns>(), fingerprint::<PaperLinks>()];
    assert_eq!(found, [0x32b8_62bf_3d9e_16e5, 0x25ee_3ee1_1974_77a5, 0x953b_4f14_a42e_a71d]);
}

#[test]
fn names_of_meta_elements_say_the_same_in_any_case() {
    let tokens = |name: &str| {
        let html = format!("<meta name={name} content='Pages 1.2'><a href=/2>2</a>");
        SeenPage::of("/", &html).0.page_tokens().to_vec()
    };
    assert_eq!(tokens("Generator"), tokens("generator"));
    assert_ne!(tokens("generator"), tokens("description"));
}
