//! Traps as small pages: what the columns say about each.

use super::{PageFacts, Pair, PairColumns};
use tsugi_page::{Content, Evidence, NextLink, NodeId, Page, Relation, Url};
use tsugi_scoring::{Matrix, Schema, column_index};

/// A page whose content is its `main`.
fn page(path: &str, html: &str) -> (Url, PageFacts) {
    let url: Url = "https://a.test/".parse::<Url>().unwrap().join(path).unwrap();
    let page = Page::from_text(html, &url);
    let nodes = page.first("main").into_iter().collect();
    let content = Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Model };
    (url, PageFacts::of(&page, &content))
}

fn article(number: u32) -> String {
    let text = match number {
        1 => "The mill was built in 1784 by two brothers, who had it from their father and",
        2 => "sold it again in the year of the great flood, as all who lived there knew.",
        _ => "Nothing is left of it today but a wall, where ivy grows and where owls nest.",
    };
    let link = |at: u32| match at {
        at if at == number => format!("<b>{at}</b> "),
        1 => "<a href=/mill.html>1</a> ".to_owned(),
        at => format!("<a href=/mill_{at}.html>{at}</a> "),
    };
    let pager: String = (1..=3).map(link).collect();
    let title = if number > 1 { format!("The old mill (page {number})") } else { "The old mill".to_owned() };
    format!(
        "<html lang=en><title>{title} - A</title><link rel=stylesheet href=/a.css><body class=article>
         <h1>The old mill</h1><main><p>{text}</p></main><div class=pager>{pager}</div>
         <time datetime=2020-03-01>1 March</time>"
    )
}

fn first() -> (Url, PageFacts) {
    page("mill.html", &article(1))
}

fn link_to(url: &Url) -> NextLink {
    let url = url.clone();
    NextLink { url, node: NodeId::DOCUMENT, relation: Relation::Page, score: 0.5, evidence: Evidence::Model }
}

struct PairRow(Vec<f32>);

impl PairRow {
    fn of(before: &PageFacts, asked: &Url, after: &PageFacts, onward: Option<&Url>) -> PairRow {
        let row = Pair { before, link: &link_to(asked), after, onward }.row();
        let matrix = Matrix::<PairColumns>::from_rows([&row]).unwrap();
        matrix.check_ranges().unwrap();
        PairRow(row)
    }

    /// Compares the columns with values such as `back_link=1 pager_number=2`.
    #[track_caller]
    fn is(&self, expected: &str) {
        for (name, value) in expected.split_whitespace().map(|one| one.split_once('=').unwrap()) {
            let (found, value) = (self.value(name), value.parse::<f32>().unwrap());
            assert!((found - value).abs() < 1e-4, "{name} is {found}, expected {value}");
        }
    }

    fn value(&self, name: &str) -> f32 {
        self.0[column_index::<PairColumns>(name).unwrap_or_else(|| panic!("no column `{name}`"))]
    }
}

#[test]
fn a_continuation_is_seen_as_one() {
    let ((_, before), (url, after)) = (first(), page("mill_2.html", &article(2)));
    let onward = "https://a.test/mill_3.html".parse().unwrap();
    // Pages 1, 2 and 3 are in both pagers; each page counts as part of its own.
    PairRow::of(&before, &url, &after, Some(&onward)).is(
        "back_link=1 back_in_pager=1 back_number=1 back_number_step=1 forward_onward=1 \
         forward_number_own=0 pager_step=1 pager_number=2 pager_common=3 url_number_added=1 \
         url_page_step=1 onward_back=0 onward_step=1 title_same=0 title_same_bare=1 title_step=1 \
         heading_same=1 date_same=1 lang_same=1 template_likeness=1 sheets_common=1 body_common=1 \
         content_place=1 repeats=0 cut_sentence=1 script_distance=0",
    );
}

#[test]
fn a_link_back_to_the_address_that_was_followed_leads_back() {
    let ((_, before), (url, after)) = (first(), page("mill_2.html", &article(2)));
    let moved = before.at(&"https://a.test/read/mill".parse().unwrap());
    PairRow::of(&moved, &url, &after, None).is("back_link=0");
    let moved = moved.led_by(&"https://a.test/mill.html".parse().unwrap());
    PairRow::of(&moved, &url, &after, None).is("back_link=1 back_in_pager=1 back_number=1");
}

#[test]
fn links_that_are_pictures_belong_to_a_pager_and_may_point_back() {
    let icons = |number: u32, links: &str| {
        page(
            &format!("mill_{number}.html"),
            &format!("<h1>The old mill</h1><main><p>Text {number}.</p></main>{links}"),
        )
    };
    let on = |to: u32| format!("<a href=/mill_{to}.html><i class=chevron-right></i></a>");
    let back = |to: u32| format!("<a href=/mill_{to}.html><i class=chevron-left></i></a>");
    let (first, before) = icons(1, &on(2));
    let (url, after) = icons(2, &back(1));
    // The best link of the last page is the one back.
    PairRow::of(&before, &url, &after, Some(&first))
        .is("back_link=1 back_in_pager=1 pager_common=2 onward=0");
    let (_, middle) = icons(2, &(back(1) + &on(3)));
    let third = "https://a.test/mill_3.html".parse().unwrap();
    PairRow::of(&before, &url, &middle, Some(&third)).is("onward=1 onward_back=0");
}

#[test]
fn the_next_post_is_another_page() {
    let (_, before) = first();
    let (url, after) = page(
        "2020/03/05/bread.html",
        "<html lang=en><title>Bread - A</title><link rel=stylesheet href=/a.css><body class=article><h1>Bread</h1>
         <main><p>Plums go well with barley, says my neighbour, and I believe her.</p></main>
         <a rel=prev href=/mill.html>Previous post: The old mill</a><time datetime=2020-03-05>5 March</time>",
    );
    PairRow::of(&before, &url, &after, None).is(
        "back_link=1 back_rel_previous=1 back_says_previous=1 forward_links=0 pager_step=-1000 \
         pager_common=1 title_same_bare=0 heading_same=0 date_same=0 url_date=1 onward=0 \
         onward_step=-1000",
    );
}

/// The page of a magazine: headline, author and date above the text, and a pager below it.
fn magazine(number: u32, byline: &str, pager: &str) -> String {
    let text = format!(
        "The mill that stands by the river has a wheel, and page {number} of this tells of it at length."
    );
    format!(
        "<title>The old mill | A</title><meta property=og:title content='The old mill'><main><h1>The old mill</h1>
         <p class=byline>{byline}</p><p>{text}</p></main><div class=nav>{pager}</div>"
    )
}

#[test]
fn what_every_page_repeats_opens_no_article() {
    let byline =
        "By <a rel=author href=/by/ann>Ann Miller</a> · <time datetime=2023-04-17>17 April 2023</time>";
    let (_, before) = page("a/48213", &magazine(1, byline, "<a href=/a/48377>Next</a>"));
    let (url, after) = page("a/48377", &magazine(2, byline, "<a href=/a/48213>Previous</a>"));
    let back = "https://a.test/a/48213".parse().unwrap();
    // The best link of the last page leads back: it has no next link. Numbers of five digits are no page numbers.
    PairRow::of(&before, &url, &after, Some(&back)).is(
        "named_same=5 named_otherwise=0 date=0 author=0 opens_with_date=0 opens_with_date_before=1 date_before=1 \
         onward=0 url_page_step=-1000 url_page_number=-1 url_step=164",
    );
    let byline = byline.replace("17", "18").replace("Ann", "Ben");
    let (url, other) = page("a/48377", &magazine(2, &byline, ""));
    PairRow::of(&before, &url, &other, None)
        .is("named_same=3 named_otherwise=2 date=1 author=1 opens_with_date=1");
}

#[test]
fn what_links_to_an_address_that_leads_on_links_to_where_it_leads() {
    let (_, mut before) = page("a/1", &magazine(1, "", "<a class=next href=/go/7f>Next page</a>"));
    let (url, after) = page("a/2", &magazine(2, "", ""));
    let stub = "https://a.test/go/7f".parse().unwrap();
    PairRow::of(&before, &stub, &after, None).is("forward_links=1 pager_common=0");
    before.lead_on(&stub, &url);
    PairRow::of(&before, &stub, &after, None).is("forward_links=1 pager_common=1 forward_says_next=1");
}

#[test]
fn the_home_page_and_the_first_page_lie_before() {
    let (_, before) = page("mill_2.html", &article(2));
    let (url, home) = page("", "<title>A</title><main><a href=/mill.html>The old mill</a></main>");
    PairRow::of(&before, &url, &home, None)
        .is("url_root=1 back_link=0 title_same_bare=0 link_share=1 entries_common=0");
    let (url, one) = first();
    let onward = "https://a.test/mill_2.html".parse().unwrap();
    PairRow::of(&before, &url, &one, Some(&onward))
        .is("url_removed=1 url_page_step=-1 pager_step=-1 onward_back=1 title_same_bare=1");
}

#[test]
fn a_page_past_the_end_is_short_and_the_same_page_repeats_itself() {
    let (_, before) = page("mill_3.html", &article(3));
    let asked: Url = "https://a.test/mill_4.html".parse().unwrap();
    let again = before.at(&asked);
    let row = PairRow::of(&before, &asked, &again, Some(&asked));
    row.is("repeats=1 repeated=1 first_line_same=1 last_line_same=1 title_same=1 pager_step=0 \
         url_page_step=1 asked_pager_step=-1 characters_growth=0");
    let empty = article(3)
        .replace("Nothing is left of it today but a wall, where ivy grows and where owls nest.", "");
    let (url, empty) = page("mill_4.html", &empty);
    let row = PairRow::of(&before, &url, &empty, None);
    row.is("characters=0 repeats=-1 repeated=0");
    assert!(row.value("characters_growth") < -3.0);
}

#[test]
fn another_language_and_another_canonical_address_are_told() {
    let (_, before) = first();
    let (url, after) = page(
        "de/mill.html",
        "<html lang=de-DE><title>Мельница - A</title><link rel=canonical href=/mill.html>
         <main><p>Мельницу построили в 1784 году два брата, которые получили её от отца.</p></main>",
    );
    let row = PairRow::of(&before, &url, &after, None);
    row.is("lang_same=0 canonical_before=1 canonical_own=0 canonical_other=0");
    assert!(row.value("script_distance") > 0.9);
}

#[test]
fn what_is_not_known_is_said_so() {
    for (name, value, phrase) in [
        ("date_same", -1.0, "publication date: unknown"),
        ("date_same", 0.0, "publication date: different on both pages"),
        ("repeats", -1.0, "share of the new text that is also on the previous page: unknown"),
        ("repeats", 0.5, "share of the new text that is also on the previous page: 50 %"),
        ("pager_step", -1_000.0, "page number by the pager: unknown"),
        ("pager_step", -1.0, "page number by the pager: one before the previous page"),
        ("pager_number", -1.0, "new page's number by its pager: unknown"),
        ("url_depth_step", -1.0, "folders in the new page's address, minus those of the previous page: −1"),
    ] {
        let column = PairColumns::columns()[column_index::<PairColumns>(name).unwrap()];
        assert_eq!(column.phrase(value), phrase);
    }
}

#[test]
fn any_two_pages_make_a_row() {
    let blank = page("x", "");
    let odd = page(
        "?p=99999999999",
        "<main>1 2 3<a href>4</a><a href='#'>5</a><title></title>\u{0}</main><h1></h1>",
    );
    for (_, before) in [&blank, &odd] {
        for (url, after) in [&blank, &odd] {
            let row = PairRow::of(before, url, after, Some(url));
            assert_eq!(row.0.len(), PairColumns::columns().len());
        }
    }
}

proptest::proptest! {
    #[test]
    fn rows_stay_in_their_ranges(one in "(<[a-z]{1,4}( href=\\?p=[0-9]{1,3})?>|[a-z次0-9 .]{0,9}){0,20}", two in "\\PC{0,80}") {
        let ((_, before), (url, after)) = (page("a", &format!("<main>{one}")), page("b?p=2", &format!("<main>{two}")));
        PairRow::of(&before, &url, &after, Some(&url));
        PairRow::of(&after, &url, &before, None);
    }
}
