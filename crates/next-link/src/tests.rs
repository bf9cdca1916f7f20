//! Traps of real pagers, each on a small page: what the columns say about them.

use super::describe::{Described, LinkColumns};
use super::features::{NO_NUMBER, NO_STEP};
use super::pair::PairColumns;
use super::paper::PaperLinks;
use super::tokens::TokenKind;
use tsugi_page::Page;
use tsugi_scoring::{Schema, check_columns, column_index, fingerprint};

struct SeenPage(Described);

impl SeenPage {
    fn of(at: &str, html: &str) -> SeenPage {
        let url = format!("https://a.test{at}").parse().unwrap();
        SeenPage(Described::of(&Page::from_text(html, &url)))
    }

    fn paths(&self) -> Vec<&str> {
        self.0.urls.iter().map(|url| url.as_str().split_once("test").unwrap().1).collect()
    }

    /// Compares the columns of the candidate at a path with values such as `in_head=0 head_next=1`.
    #[track_caller]
    fn check(&self, path: &str, values: &str) {
        let at = self.paths().iter().position(|found| *found == path);
        let at = at.unwrap_or_else(|| panic!("no candidate {path} among {:?}", self.paths()));
        for (column, value) in values.split_whitespace().map(|one| one.split_once('=').unwrap()) {
            let place = column_index::<LinkColumns>(column).unwrap_or_else(|| panic!("no column {column}"));
            assert_eq!(self.0.values(at)[place], value.parse::<f32>().unwrap(), "{column} of {path}");
        }
    }
}

#[test]
fn tags_of_one_page_are_one_candidate() {
    let html = "<a href=/x/index.html>a</a> <a href=http://www.a.test/x/>b</a> <a href=/x#c>c</a> <a href=/here/>own</a>
        <a href=//b.test/>else</a> <a href='#top'>top</a> <a href='javascript:next()'>script</a> <a>none</a>";
    let seen = SeenPage::of("/here", html);
    assert_eq!(seen.paths(), ["/x/index.html"]);
    seen.check("/x/index.html", "occurrences=3");
    let html =
        "<a href=1>1</a> <b>2</b> <a href=3#x>3</a> <a href=2>here</a> <noscript><a href=4>4</a></noscript>";
    assert_eq!(SeenPage::of("/2", html).paths(), ["/1", "/3", "/4"]);
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
        seen.check("/l/3", "number_after_current=1 onward_in_run=1 run_step=1 run_current=2");
        seen.check("/l/9", "number_after_current=0 onward_in_run=0 run_step=7 run_current=2");
    }
}

/// The paths of candidates, with values of their columns.
type Candidates = &'static [(&'static str, &'static str)];

/// Pages, each with its number of candidates, and with values of their columns.
#[rustfmt::skip]
const TRAPS: &[(&str, usize, &str, Candidates)] = &[
    // `noscript` and the head are read.
    ("/l", 2, "<link rel=next href=/l/2><p>text<noscript><div class=pager><a href=/l/3>next page</a></div></noscript>", &[
        ("/l/2", "in_head=1 head_next=1 next_in_text=0"),
        ("/l/3", "in_head=0 in_fragment=1 next_in_text=1 pager_around=1"),
    ]),
    // A pager that omits the first page, and a first page whose address has no number.
    ("/l", 2, "<a href=/l/2>2</a> <a href=/l/3>3</a>", &[("/l/2", "number_after_current=1 onward_in_run=1")]),
    ("/l", 2, "<a href=/1>1</a> <b>12345678</b> <a href=/2>12345679</a>", &[("/2", "number_after_current=0")]),
    ("/l", 2, "<a href=/a>1</a><p>a long text between the two numbers of the page</p><a href=/b>2</a>", &[
        ("/b", "run_length=0"),
    ]),
    // The last page shows a "next" that is none.
    ("/l/3", 2, "<a href=/l/1>1</a> <a href=/l/2>2</a> <b>3</b> <a href=/l/1>next</a>", &[
        ("/l/1", "url_step=-2 url_page_step_same=-2 best_run_ends=1"),
    ]),
    ("/l/3", 1, "<div class='pager-next disabled'><a href=/>next</a></div>Page 3 of 3", &[
        ("/", "url_root=1 disabled_near=1 counter_ends=1"),
    ]),
    ("/l/3", 1, "<a href=/l/3>next</a> <a href='#'>next</a> <a href=/l/2>previous</a>", &[("/l/2", "dead_nexts=2")]),
    ("/l/3", 2, "<div class=is-invisible><a href=/l/4>next</a></div><p style='display:none'><a href=/l/5>5</a>", &[
        ("/l/4", "hidden_near=1"),
        ("/l/5", "hidden_near=1"),
    ]),
    // Words may lie about the direction.
    ("/", 1, "<link rel=prev href=/page/2/><div class=nav-previous><a class=prev href=/page/2/>« Older entries</a></div>", &[
        ("/page/2/", "older_word=1 previous_name=1 previous_near=1 head_previous=1 url_page_step=1 arrow_left=1"),
    ]),
    // Labels without text are read from the markup.
    ("/", 8, "<a href=/1><i class='fa fa-chevron-right'></i></a><a href=/2><img src=/img/next.gif></a>
        <a href=/3><img alt='Nächste Seite' src=x></a><a href=/4 aria-label='Go to page 4'></a>
        <a href=/5><span class=material-icons>arrow_forward</span></a><a href=/6 accesskey=n>☞</a>
        <a href=/7><svg><use href='#icon-next'></use></svg></a><a href=/8><button rel=next>&gt;</button></a>", &[
        ("/1", "right_name=1"),
        ("/2", "next_name=1"),
        ("/3", "next_in_hint=1 hint_cover=1"),
        ("/4", "hint_number=4"),
        ("/5", "next_in_text=1"),
        ("/6", "arrow_right=1 access_key=1"),
        ("/7", "next_name=1"),
        ("/8", "arrow_right=1"),
    ]),
    // Text beside a link counts; switched-off words before it are not its own.
    ("/docs/b", 2, "<div>Previous article</div><a href=/docs/a>A</a><div>Next article</div><a href=/docs/c>C</a>", &[
        ("/docs/c", "before_text_says_next=1"),
        ("/docs/a", "before_text_says_next=0 before_text_says_previous=1"),
    ]),
    ("/b", 2, "[首页] [上页] [<a href=/b_2>下页</a>] [<a href=/b_9>末页</a>]", &[
        ("/b_2", "next_in_text=1 previous_in_hint=0 before_is_previous=1"),
        ("/b_9", "last_word=1 next_in_hint=0"),
    ]),
    ("/2", 2, "[Date Prev][Date Next: <a href=/3>Weirs</a>][Thread Prev][Thread Next: <a href=/5>Re: Mills</a>]", &[
        ("/3", "before_text_says_next=1 before_text_says_previous=0 date_word=1 thread_word=0"),
        ("/5", "before_text_says_next=1 before_text_says_previous=0 date_word=0 thread_word=1"),
    ]),
    // Double arrows are "last" beside single ones.
    ("/l", 2, "<b>1</b> <a href=/l/2>2</a> <a href=/l/2>&gt;</a> <a href=/l/9>»</a>", &[
        ("/l/2", "arrow_right=1 double_arrow_right=0 after_is_last=1"),
        ("/l/9", "arrow_right=0 double_arrow_right=1"),
    ]),
    // Dates, sorts and comments are no pages.
    ("/l", 3, "<a href=/2008/10/2/>a post</a><a href='/l?page=2&sort=name'>name</a><div id=comments><a href=/l/comment-page-2>2</a></div>", &[
        ("/2008/10/2/", "url_date=1"),
        ("/l?page=2&sort=name", "url_sorts=1"),
        ("/l/comment-page-2", "url_comments=1 comment_around=1 comments_before=1"),
    ]),
    // Pages may be counted from 0, and by items.
    ("/l?page=1", 2, "<a href='/l?page=0'>1</a> <b>2</b> <a href='/l?page=2'>3</a>", &[
        ("/l?page=2", "number_after_current=1 url_page_step_same=1 family_rank=0"),
    ]),
    ("/s?q=x&start=20", 1, "<a href='/s?start=40&q=x&s=1'>次の20件</a>", &[
        ("/s?start=40&q=x&s=1", "query_step=20 url_page_step=20 next_in_text=1"),
    ]),
    // The entry after the page's own in a list.
    ("/b/2", 2, "<ul><li><a href=/b/1>One</a><li><a href=/b/2>Two</a><ul><li><a href='/b/2#x'>part</a></ul><li><a href=/b/3>Three</a></ul>", &[
        ("/b/3", "follows_own=1 since_own=0"),
        ("/b/1", "follows_own=0 precedes_own=1"),
    ]),
    // Scripts that name an address are followed.
    ("/l.html", 2, "<a onclick=\"javascript:location.href='/l_2.html';\">下一页</a><button onclick='window.location=\"/l_3.html\"'>3</button>
        <a href='#' onclick=\"location.href='/l_' + n\">4</a><a onclick=\"track('location', 'x')\">5</a>", &[
        ("/l_2.html", "next_in_text=1 url_step=1 url_same_but_page=1"),
        ("/l_3.html", ""),
    ]),
];

#[test]
fn columns_see_through_traps() {
    for (at, count, html, candidates) in TRAPS {
        let seen = SeenPage::of(at, html);
        assert_eq!(seen.paths().len(), *count, "{html}");
        candidates.iter().for_each(|(path, values)| seen.check(path, values));
    }
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
    assert_eq!(["next_in_text", "page_score"].map(LinkColumns::topic), [Some("label"), None]);
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
    assert_eq!(found, [0x21f9_5ec2_4820_41e7, 0x158c_8a22_9a22_939c, 0x953b_4f14_a42e_a71d]);
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

#[test]
fn numbers_of_all_scripts_make_rows() {
    for [one, two, three] in [
        ["١", "٢", "٣"],
        ["۱", "۲", "۳"],
        ["१", "२", "३"],
        ["১", "২", "৩"],
        ["๑", "๒", "๓"],
        ["௧", "௨", "௩"],
        ["၁", "၂", "၃"],
        ["១", "២", "៣"],
        ["１", "２", "３"],
        ["①", "②", "③"],
        ["I", "II", "III"],
        ["i", "ii", "iii"],
        ["一", "二", "三"],
        ["第一页", "第二页", "第三页"],
    ] {
        let pager = format!("<p>Text.</p><p><b>{one}</b> <a href=/b>{two}</a> <a href=/c>{three}</a></p>");
        let seen = SeenPage::of("/a", &pager);
        seen.check("/b", "onward_in_run=1 run_step=1 run_current=1 run_length=3");
        seen.check("/c", "onward_in_run=0 run_step=2 run_current=1");
    }
}

#[test]
fn lone_numerals_are_words() {
    for html in [
        "<p>He and <b>I</b> and <a href=/b>II</a></p>",
        "<p><b>I</b> <a href=/b>II</a> and then a long text without another <a href=/c>III</a></p>",
        "<p><b>I</b> <a href=/x>IV</a> <a href=/b>X</a></p>",
        "<ul><li><a href=/b>V</a><li><a href=/c>W</a><li><a href=/d>X</a></ul>",
    ] {
        SeenPage::of("/a", html).check("/b", "run_length=0");
    }
}

#[test]
fn options_of_a_select_are_a_row() {
    for (labels, current) in
        [(["1", "2", "3"], 1), (["Page 1", "Page 2", "Page 3"], 1), (["1 / 3", "2", "3"], 0)]
    {
        let [one, two, three] = labels;
        let select = format!(
            "<select onchange='go()'><option selected value=/x?p=1>{one}<option value=/b>{two}<option value=/c>{three}</select>"
        );
        let seen = SeenPage::of("/x", &format!("<p>Text.</p>{select}"));
        if current == 1 {
            seen.check("/b", "onward_in_run=1 run_step=1 run_current=1");
        }
        seen.check("/b", "follows_own=1");
        seen.check("/c", "follows_own=0");
    }
}

#[test]
fn titles_in_a_select_follow_each_other() {
    let html = "<select><option value=/a>Weirs<option value=/b selected>Mills<option value=/c>Locks</select>";
    let seen = SeenPage::of("/read", html);
    seen.check("/c", "follows_own=1");
    seen.check("/a", "precedes_own=1 follows_own=0");
}

#[test]
fn buttons_speak() {
    for form in [
        "<form action=/b><button>Next page</button></form>",
        "<form action=/b><input type=submit value='Next page'></form>",
        "<form action=/b><input type=image alt='Next page' src=x.png></form>",
    ] {
        SeenPage::of("/a", form).check("/b", "next_in_text=1 page_word=1 in_form=1");
    }
}

#[test]
fn headers_name_the_next_page() {
    let page = Page::from_text("<p>Text.", &"https://a.test/a".parse().unwrap());
    let page = page.with_link_header("</b>; rel=next, <x.css>; rel=preload");
    let seen = SeenPage(Described::of(&page));
    seen.check("/b", "in_head=1 head_next=1");
    assert_eq!((seen.0.ways[0].words(), page.tag(seen.0.nodes[0])), ("Link header", "head"));
}

#[test]
fn noise_in_addresses_makes_no_difference() {
    let id = |at: u8| format!("{at}f86d081884c7d659a2feaa0c55ad015");
    let links = |key: &str, at: u8| -> String {
        let link = |page: u8| format!("<a href='/read?doc=5&p={page}&{key}={id}'>x</a> ", id = id(at));
        (2..9).map(link).collect()
    };
    // A name that everybody knows, and one that all links have.
    for key in ["PHPSESSID", "sid", "visit"] {
        let seen = SeenPage::of(&format!("/read?doc=5&p=1&{key}={}", id(1)), &links(key, 2));
        let path = format!("/read?doc=5&p=2&{key}={}", id(2));
        seen.check(
            &path,
            "url_number=1 url_step=1 query_changed=1 query_kept=1 query_added=0 url_same_but_page=1",
        );
    }
    let seen = SeenPage::of("/read", &links("visit", 3));
    seen.check(&format!("/read?doc=5&p=2&visit={}", id(3)), "query_added=2");
    // A hash that names the page stays.
    let page = |at: u8| format!("<a href='/read?id={}'>x</a> ", id(at));
    let pages: String = (2..9).map(page).collect();
    SeenPage::of(&format!("/read?id={}", id(1)), &pages)
        .check(&format!("/read?id={}", id(2)), "query_changed=1");
}

#[test]
fn the_title_after_the_current_one_is_known() {
    for list in [
        "<p>Contents: <a href=/a>Networks merge</a>, <b>What changes</b>, <a href=/c>Who pays</a></p>",
        "<p><b>Contents:</b> <a href=/a>Networks merge</a> | What changes | <a href=/c>Who pays</a></p>",
        "<ol><li><a href=/a>Networks merge</a><li>What changes<li><a href=/c>Who pays</a></ol>",
        "<ul><li><a href=/a>1. Networks merge</a><li class=active><a href=#>2. What changes</a><li><a href=/c>3. Who pays</a></ul>",
        "<nav><h2>In this article</h2><a href=/a>Merger</a><a href=/here>Changes</a><a href=/c>Costs</a></nav>",
    ] {
        let seen = SeenPage::of("/here", list);
        seen.check("/c", "after_title=1");
        seen.check("/a", "after_title=0");
    }
    for html in [
        "<p><a href=/a>One</a> <a href=/c>Two</a></p>",
        "<p>See <a href=/a>one</a>, or else <a href=/c>two</a> and more of it.</p>",
        "<p><a href=/a>1</a> <b>2</b> <a href=/c>3</a></p>",
        "<ul><li>One<li><a href=/a>Two</a><li>Three<li><a href=/c>Four</a></ul>",
    ] {
        SeenPage::of("/here", html).check("/c", "after_title=0");
    }
}

#[test]
fn ways_on_are_told_apart() {
    SeenPage::of("/x", "<select><option value=/a>1<option value=/b>2</select>")
        .check("/b", "option=1 form_button=0");
    SeenPage::of("/x", "<form action=/b><button>2</button></form>")
        .check("/b", "option=0 form_button=1 by_header=0");
    // The number that is filled in says which page it is.
    SeenPage::of("/x?page=2", "<form action=/x>Page <input name=page> of 9 <button>Go</button></form>")
        .check("/x?page=3", "form_button=1 bare_number=1");
    let turns = |to: &str| SeenPage::of("/x/2", &format!("<meta http-equiv=refresh content='30; url={to}'>"));
    turns("/x/3").check("/x/3", "in_head=1 only_in_head=1");
    for to in ["/x/2", "/x/1", "/x/4", "/", "https://b.test/x/3"] {
        assert_eq!(turns(to).paths(), [""; 0], "{to}");
    }
}
