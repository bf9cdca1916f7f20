//! Pages that are made up, by a fixed seed, in which one thing grows.

use std::fmt::Write as _;
use tsugi_page::Response;

/// What grows, its sizes, and the kinds of pages in which it does.
#[derive(Debug)]
pub struct Axis {
    /// Tells it from others.
    pub name: &'static str,
    /// What the size counts.
    pub unit: &'static str,
    /// From small to large.
    pub sizes: &'static [usize],
    /// The kinds of pages.
    pub shapes: &'static [Shape],
}

/// A kind of page: its name, and how so much of it is written.
pub type Shape = (&'static str, fn(usize) -> String);

/// The kinds of pages whose instructions are counted, with their sizes in bytes.
const COUNTED: [(&str, &[usize]); 3] =
    [("short", &[400, 1_500]), ("ordinary", &[6_000, 25_000]), ("large", &[150_000])];

/// A page of one sentence and one link: nearly all that it takes is what every page takes.
const SMALLEST: &str = "<html><head><title>A short page</title></head><body><p>This page has one sentence.</p><a href=/x/3>Next</a></body></html>";

/// Pages of a kind: `smallest`, `short`, `ordinary` or `large`.
pub fn responses(kind: &str) -> Option<Vec<Response>> {
    if kind == "smallest" {
        return Some(vec![response(kind, SMALLEST.to_owned())]);
    }
    let (_, sizes) = COUNTED.iter().find(|(name, _)| *name == kind)?;
    let by_bytes = AXES.iter().find(|axis| axis.name == "bytes")?;
    let pages = sizes
        .iter()
        .flat_map(|size| by_bytes.shapes.iter().map(|(name, write)| response(name, write(*size))));
    Some(pages.collect())
}

fn response(name: &str, html: String) -> Response {
    let url = format!("https://made.test/{}/2", name.replace(' ', "-"));
    let content_type = Some("text/html; charset=utf-8".to_owned());
    Response { content_type, ..Response::new(url.parse().expect("names are words"), html) }
}

const THOUSANDS: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];

/// All that grows.
pub const AXES: [Axis; 10] = [
    Axis {
        name: "bytes",
        unit: "bytes of the page",
        sizes: &[1_000, 10_000, 100_000, 1_000_000, 5_000_000, 20_000_000],
        shapes: &[
            ("article", |size| sized(size, article)),
            ("listing", |size| sized(size, card)),
            ("forum", |size| sized(size, post)),
            ("Japanese article", |size| sized(size, japanese)),
            ("documentation", |size| sized(size, documentation)),
            ("scripts between paragraphs", |size| sized(size, of(SCRIPT))),
            ("line breaks instead of paragraphs", |size| sized(size, line)),
        ],
    },
    Axis {
        name: "links",
        unit: "links",
        sizes: &THOUSANDS,
        shapes: &[
            ("one list", |n| wrapped("<ul>", n, of(ITEM), "</ul>")),
            ("a pager of all", |n| wrapped("<div class=pagination>", n, of(PAGER), "</div>")),
            ("each in a paragraph", |n| wrapped("", n, of("<p><a href=/story/~.html>$3</a> $+6</p>"), "")),
            ("all to one address", |n| wrapped("", n, of("<p><a href=/story/2>more ~</a></p>"), "")),
            ("within sentences of one paragraph", |n| {
                wrapped("<p>", n, of("$5<a href=/wiki/~>$+2</a>, "), "</p>")
            }),
            ("beside a noscript each", |n| wrapped("", n, of(NOSCRIPT), "")),
            ("images", |n| wrapped("", n, of(IMAGE), "")),
            ("to other sites", |n| wrapped("<ul>", n, of(OTHER_SITE), "</ul>")),
            ("buttons and script links", |n| wrapped("", n, of(BUTTON), "")),
            ("named `next`", |n| wrapped("", n, of(NAMED_NEXT), "")),
        ],
    },
    Axis {
        name: "nodes",
        unit: "elements",
        sizes: &[10, 100, 1_000, 10_000, 100_000, 1_000_000],
        shapes: &[
            ("paragraphs of two words", |n| wrapped("<div>", n, of(PARAGRAPH), "</div>")),
            ("empty divisions", |n| wrapped("", n, of("<div></div>"), "")),
            ("line breaks", |n| wrapped("<p>", n, of("a<br>"), "</p>")),
            ("spans in one paragraph", |n| wrapped("<p>", n, of("<span>$1</span>"), "</p>")),
            ("hidden divisions", |n| wrapped("", n, of("<div class=menu style='display:none'>~</div>"), "")),
            ("headings", |n| wrapped("", n, heading, "")),
            ("comments", |n| wrapped("<p>", n, of("a <!-- b --> c"), "</p>")),
        ],
    },
    Axis {
        name: "depth",
        unit: "elements inside each other",
        sizes: &THOUSANDS,
        shapes: &[
            ("div", |n| nested(n, "<div>", "</div>")),
            ("span", |n| nested(n, "<span>", "</span>")),
            ("b", |n| nested(n, "<b>", "</b>")),
            ("font of many attributes", |n| nested(n, "<font color=red size=2 face=serif>", "</font>")),
            ("list", |n| nested(n, "<ul><li>", "</ul>")),
            ("quotation", |n| nested(n, "<blockquote>", "</blockquote>")),
            ("table", |n| nested(n, "<table><tr><td>", "</table>")),
            ("b, never closed, around paragraphs", |n| wrapped("", n, of("<p><b>$2"), "")),
            ("font, never closed, each of another colour", |n| wrapped("", n, of("<p><font color=~>$2"), "")),
            ("link, never closed, around divisions", |n| wrapped("", n, of("<div><a href=/u/~>$2"), "")),
            ("p in b, closed crosswise", |n| wrapped("", n, of("<b><p>$2</b></p>"), "")),
        ],
    },
    Axis {
        name: "attributes",
        unit: "attributes or names",
        sizes: &THOUSANDS,
        shapes: &[
            ("in one tag", |n| wrapped("<div ", n, of(ATTRIBUTE), ">A text.</div>")),
            ("in one end tag", |n| wrapped("<div>A text.</div ", n, of(ATTRIBUTE), ">")),
            ("in one tag, after a name with a quote", |n| {
                wrapped("<div =\" ", n, of(ATTRIBUTE), ">A text.</div>")
            }),
            ("in one tag, after a script with a quote", |n| {
                wrapped("<script>a<b c=\"</script><div ", n, of(ATTRIBUTE), ">A text.</div>")
            }),
            ("ten a tag", |n| wrapped("", n.div_ceil(10), ten_attributes, "")),
            ("class names in one value", |n| wrapped("<div class='", n, of(CLASS), "'><p>A text.</div>")),
            ("class names, ten a tag, of few kinds", |n| {
                wrapped("", n.div_ceil(10), |h, i| classes(h, i % 7), "")
            }),
            ("class names, ten a tag, all different", |n| wrapped("", n.div_ceil(10), classes, "")),
        ],
    },
    Axis {
        name: "cells",
        unit: "table cells",
        sizes: &THOUSANDS,
        shapes: &[
            ("rows of ten", |n| wrapped("<table>", n.div_ceil(10), row, "</table>")),
            ("one row", |n| wrapped("<table><tr>", n, cell, "</table>")),
            ("one column", |n| wrapped("<table>", n, |h, i| wrap(h, "<tr>", |h| cell(h, i), ""), "</table>")),
            ("of links", |n| wrapped("<table>", n, of("<tr><td><a href=/row/~>row ~</a><td>$4"), "</table>")),
            ("outside of a table's rows", |n| wrapped("<table>", n, of("<b>row ~</b><tr><td>~"), "</table>")),
        ],
    },
    Axis {
        name: "text",
        unit: "bytes of one text",
        sizes: &[1_000, 10_000, 100_000, 1_000_000, 10_000_000],
        shapes: &[
            ("words", |size| one_text("<p>", size, of("$8"))),
            ("lines of code", |size| one_text("<pre>", size, |h, i| words(h, i, 8 + i % 5))),
            ("no spaces", |size| one_text("<p>", size, of("abcdefgh"))),
            ("Japanese", |size| one_text("<p>", size, |h, i| kana(h, i, 12))),
            ("digits and signs", |size| {
                one_text("<p>", size, |h, i| push(h, format_args!("{i}. 2024-01-{} / » ", i % 28)))
            }),
            ("entities", |size| one_text("<p>", size, of("&amp; &eacute;"))),
            ("text of one link", |size| one_text("<a href=/2>", size, of("$8"))),
            ("an address", |size| one_text("<p>A text.<a href='/", size, of("~/a-b?c=~&"))),
        ],
    },
    Axis {
        name: "data",
        unit: "things in the data of a page that shows nothing",
        sizes: &THOUSANDS,
        shapes: &[
            ("paragraphs", |n| data(APOLLO, n, of(r#"{"type":"p","text":"$12"},"#), "{}]}")),
            ("references to a text as long", |n| data(APOLLO, n, of(r#"{"__ref":"A"},"#), &referred(n))),
            ("references to a kind as long", |n| {
                data(
                    APOLLO,
                    n,
                    of(r#"{"__ref":"A"},"#),
                    &referred(n).replace(r#""p","text""#, r#""a","type""#),
                )
            }),
            ("indices of a text as long", |n| {
                let text = referred(n);
                let text = text.split('"').nth(9).unwrap_or_default();
                data(NUXT, n, of("1,"), &format!("1],\"{text}\"]"))
            }),
            ("indices of lists of indices", |n| {
                data(NUXT, n, |h, i| push(h, format_args!("{0},{0},", i / 9)), "1]]")
            }),
            ("pushes of what is no list", |n| data(CODE, n, of("__next_f.push(x"), "")),
            ("pushes of lists that never end", |n| data(CODE, n, of("__next_f.push([\"$1\","), "")),
            ("assignments of what is no object", |n| data(CODE, n, of("var a~={\"a\":{b:~}};"), "")),
            ("rows without a comma", |n| data(ROWS, n, of(r"a:T\n"), "\"])")),
            ("lines before a row", |n| data(ROWS, n, of(r"a\n"), ":\"])")),
            ("texts in texts", |n| data(CODE, n.min(300), of(r#"var a={"b":"[{\"c\":\"$60\"}]"};"#), "")),
        ],
    },
    Axis {
        name: "both",
        unit: "things of each of two kinds",
        sizes: &THOUSANDS,
        shapes: &[
            ("links below as many class names", |n| below_classes(n, of(ITEM))),
            ("links, inside and outside of paragraphs, below as many class names", |n| {
                below_classes(n, |html, index| {
                    of(ITEM)(html, index);
                    wrap(html, "<p>", |html| of(ITEM)(html, index + 1), "</p>");
                })
            }),
            ("links in each other, around as many words", |n| {
                let mut html = HEAD.to_owned();
                (0..n.min(200)).for_each(|at| push(&mut html, format_args!("<a href=/{at}><object>")));
                words(&mut html, 0, n);
                html
            }),
            ("paragraphs below as many class names", |n| below_classes(n, of(PARAGRAPH))),
            ("links below 400 elements", |n| deep(n, of(ITEM))),
            ("paragraphs below 400 elements", |n| deep(n, of(PARAGRAPH))),
            ("links beside a text as long", |n| beside_text(n, of(PAGER))),
            ("relative links, an address of the page as long", |n| {
                in_head(n, "<base href='/", of(CLASS), "/'>", of(ITEM))
            }),
            ("paragraphs, a title as long", |n| in_head(n, "<title>", of("$1"), "</title>", of(PARAGRAPH))),
            ("links, statements in the head", |n| in_head(n, "", of(STATEMENT), "", of(ITEM))),
            ("links to places in the page, the places", |n| wrapped("", n, of(PLACE), "")),
            ("links, options of a form", |n| wrapped("<form>", n, of(OPTION), "</form>")),
            ("links, labelled blocks of script data", |n| wrapped("", n, of(SCRIPT_DATA), "")),
            ("links whose siblings are as many", |n| {
                wrapped("<div>", n, of("<i></i><a class=page href='/list?page=~'>~</a> "), "</div>")
            }),
        ],
    },
    Axis {
        name: "pages",
        unit: "pages of an archive",
        sizes: &[100, 1_000, 10_000],
        shapes: &[("ordinary pages", |number| {
            sized(2_000 + number % 7 * 3_000, [article, card, post][number % 3])
        })],
    },
];

const HEAD: &str = "<!DOCTYPE html><html lang=en><head><title>A page</title></head><body>\
    <div class=header><a href=/>Home</a> <a href=/about>About us</a></div>";

const ITEM: &str = "<li><a href=/a/~>$4</a></li>";
const PAGER: &str = "<a class=page href='/list?page=~'>~</a> ";
const PARAGRAPH: &str = "<p>$2</p>";
const ATTRIBUTE: &str = "data-a~=value~ ";
const CLASS: &str = "block-~ ";
const PLACE: &str =
    "<p id=place~><a href=#place~>section ~</a> <a href=/a/~ aria-labelledby=place~>a</a></p>";
const OPTION: &str = "<select name=s~><option value='/list?page=~'>~</select><a href='/list?page=~'>~</a>";
const STATEMENT: &str = "<meta property=og:a~ content='value ~'><link rel=next href='?page=~'>";
const NOSCRIPT: &str = "<div><a href=/n/~>item ~</a><noscript><img src=/i/~.gif>See it</noscript></div>";
const BUTTON: &str = "<button class=more onclick='load(~)'>Next</button><a href='javascript:go(~)'>~</a>";
const IMAGE: &str = "<a href=/gallery/~><img src=/i/~.jpg alt='picture ~'></a>";
const NAMED_NEXT: &str = "<p><a rel=next class=next href='/list?page=~'>Next page</a></p>";
const OTHER_SITE: &str = "<li><a href=https://site~.test/a>site ~</a></li>";
const SCRIPT: &str = "<script>window.data.push({\"id\": ~, \"text\": \"$60\"});</script><p>$12</p>\n";
const SCRIPT_DATA: &str = "<script type=application/ld+json>{\"@type\": \"Article\", \"url\": \"/a/~\"}</script>\
    <li><a href=/a/~>$4</a></li>";

/// Returns a unit by its template: `~` is its number, `$4` are four words, `$+4` four others.
fn of(template: &'static str) -> impl Fn(&mut String, usize) {
    move |html, index| {
        let text = template.replace('~', &index.to_string());
        let mut parts = text.split('$');
        html.extend(parts.next());
        for part in parts {
            let (place, part) = part.strip_prefix('+').map_or((index, part), |part| (index + 1, part));
            let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
            words(html, place, part[..end].parse().expect("a number of words"));
            html.push_str(&part[end..]);
        }
    }
}

/// A page of units until it is so long.
fn sized(size: usize, unit: impl Fn(&mut String, usize)) -> String {
    let mut html = String::from(HEAD);
    for index in 0.. {
        if html.len() >= size {
            break;
        }
        unit(&mut html, index);
    }
    html
}

/// A page of so many units, between two texts.
fn wrapped(before: &str, units: usize, unit: impl Fn(&mut String, usize), after: &str) -> String {
    let mut html = [HEAD, before].concat();
    for index in 0..units {
        unit(&mut html, index);
    }
    html + after + "<p>The last paragraph of the page.</p>"
}

fn nested(depth: usize, open: &str, close: &str) -> String {
    let mut html = String::from(HEAD);
    for index in 0..depth {
        html.push_str(open);
        words(&mut html, index, 3);
    }
    for _ in 0..depth {
        html.push_str(close);
    }
    html
}

/// A page whose last element holds a text or a value so long.
fn one_text(open: &str, size: usize, unit: impl Fn(&mut String, usize)) -> String {
    let mut html = [HEAD, open].concat();
    let start = html.len();
    for index in 0.. {
        if html.len() - start >= size {
            break;
        }
        unit(&mut html, index);
        html.push_str(if open == "<pre>" { "\n" } else { "" });
    }
    if open.ends_with("='/") {
        html.push_str("'>Next");
    }
    html
}

const CODE: &str = "<script>";
const APOLLO: &str = r#"<script>window.__APOLLO_STATE__={"title":"A page","list":["#;
const NUXT: &str = "<script id=__NUXT_DATA__ type=application/json>[[";
const ROWS: &str = r#"<script>self.__next_f.push([1,""#;

/// A page with a script of so many units.
fn data(before: &str, units: usize, unit: impl Fn(&mut String, usize), after: &str) -> String {
    let mut html = [HEAD, before].concat();
    (0..units).for_each(|index| unit(&mut html, index));
    html + after + "</script>"
}

/// The end of a list of references, and the paragraph of so many bytes that they refer to.
fn referred(bytes: usize) -> String {
    let mut text = String::new();
    (0..=bytes / 60).for_each(|at| words(&mut text, at, 9));
    let end = text.floor_char_boundary(bytes);
    format!(r#"{{}}],"A":{{"type":"p","text":"{}"}}}}"#, &text[..end])
}

/// Units below an element with as many class names.
fn below_classes(n: usize, unit: impl Fn(&mut String, usize)) -> String {
    let mut html = [HEAD, "<div class='"].concat();
    (0..n).for_each(|index| of(CLASS)(&mut html, index));
    html.push_str("'><ul>");
    (0..n).for_each(|index| unit(&mut html, index));
    html
}

/// Units below many elements, each of which has names.
fn deep(n: usize, unit: impl Fn(&mut String, usize)) -> String {
    let mut html = String::from(HEAD);
    (0..400).for_each(|at| push(&mut html, format_args!("<div id=d{at} class='level level-{at}'>")));
    (0..n).for_each(|index| unit(&mut html, index));
    html
}

/// A text of so many words, with as many units after it in the same paragraph.
fn beside_text(n: usize, unit: impl Fn(&mut String, usize)) -> String {
    let mut html = [HEAD, "<p>"].concat();
    (0..n).for_each(|index| words(&mut html, index, 1));
    (0..n).for_each(|index| unit(&mut html, index));
    html
}

/// Parts of the head, and as many units in the body.
fn in_head(
    n: usize,
    before: &str,
    part: impl Fn(&mut String, usize),
    after: &str,
    unit: impl Fn(&mut String, usize),
) -> String {
    let mut html = String::from("<!DOCTYPE html><html lang=en><head>");
    html.push_str(before);
    (0..n).for_each(|index| part(&mut html, index));
    html.push_str(after);
    html.push_str("</head><body>");
    (0..n).for_each(|index| unit(&mut html, index));
    html
}

fn push(html: &mut String, text: std::fmt::Arguments<'_>) {
    html.write_fmt(text).expect("a string takes all");
}

fn wrap(html: &mut String, before: &str, inside: impl FnOnce(&mut String), after: &str) {
    html.push_str(before);
    inside(html);
    html.push_str(after);
}

/// The finaliser of `SplitMix64`. Written here too, because building the learners that have it takes minutes.
fn mix(seed: u64, index: usize) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(index as u64 + 1));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Some words, each with a space after it; few of them make up most texts.
fn words(html: &mut String, place: usize, count: usize) {
    const SYLLABLES: [&str; 16] =
        ["ka", "to", "mi", "re", "su", "no", "ha", "li", "be", "do", "fu", "ge", "wa", "ri", "po", "se"];
    for at in 0..count {
        let random = mix(place as u64, at);
        // The rank of a word: its logarithm is even.
        let rank = 1_u64 << (random % 14);
        let mut word = rank + (random >> 32) % rank;
        while word > 0 {
            html.push_str(SYLLABLES[usize::try_from(word % 16).unwrap_or(0)]);
            word /= 16;
        }
        html.push(if at % 9 == 8 { ',' } else { ' ' });
    }
}

fn kana(html: &mut String, place: usize, count: usize) {
    const SIGNS: [char; 16] =
        ['の', '日', 'に', '本', 'は', '人', 'を', '大', 'た', '年', 'て', '会', 'ア', '国', 'ン', '。'];
    html.extend((0..count).map(|at| SIGNS[usize::try_from(mix(place as u64, at) % 16).unwrap_or(0)]));
}

fn article(html: &mut String, index: usize) {
    match index % 12 {
        0 => wrap(html, "<h2>", |html| words(html, index, 5), "</h2>"),
        5 => wrap(html, "<ul>", |html| (0..4).for_each(|at| of(ITEM)(html, 4 * index + at)), "</ul>"),
        8 => of("<figure><img src=/i/~.jpg alt='A picture'></figure>")(html, index),
        _ => of("<p>$40<a href=/about/~>as was said</a> $+20</p>\n")(html, index),
    }
}

fn japanese(html: &mut String, index: usize) {
    if index.is_multiple_of(10) {
        wrap(html, "<h2>", |html| kana(html, index, 9), "</h2>");
    }
    wrap(html, "<p>", |html| kana(html, index, 120), "</p>\n");
}

fn card(html: &mut String, index: usize) {
    push(html, format_args!("<div class='card item-{}'>", index % 9));
    of("<a href=/item/~><img src=/i/~.jpg></a><h3><a href=/item/~>$6</a></h3><p class=teaser>$+18</p>")(
        html, index,
    );
    push(html, format_args!("<span class=price>{}.90</span></div>\n", index % 300));
}

fn post(html: &mut String, index: usize) {
    push(html, format_args!("<div class=post id=p{index}><div class=author><a href=/user/{}>", index % 50));
    words(html, index % 50, 1);
    let (day, minute) = (index % 28 + 1, index % 60);
    push(html, format_args!("</a> <time>2024-03-{day:02} 12:{minute:02}</time></div><div class=body>"));
    if index.is_multiple_of(3) {
        wrap(html, "<blockquote>", |html| words(html, index + 2, 15), "</blockquote>");
    }
    words(html, index, 45);
    push(html, format_args!("</div><a class=reply href='/reply?to={index}'>Reply</a></div>\n"));
}

fn documentation(html: &mut String, index: usize) {
    of("<h3 id=f~>function_~</h3><pre><code>fn f~(a: u32) -> u32 { a + ~ }</code></pre><p>$25</p>")(
        html, index,
    );
    wrap(html, "<table>", |html| row(html, index), "</table>\n");
}

fn line(html: &mut String, index: usize) {
    words(html, index, 12);
    html.push_str(if index % 4 == 3 { "<br><br>\n" } else { "<br>\n" });
}

fn heading(html: &mut String, index: usize) {
    push(html, format_args!("<h{}>", index % 6 + 1));
    words(html, index, 3);
    push(html, format_args!("</h{}>", index % 6 + 1));
}

fn ten_attributes(html: &mut String, index: usize) {
    wrap(
        html,
        "<p ",
        |html| (0..10).for_each(|at| push(html, format_args!("data-a{at}=value{index} "))),
        ">A text.</p>",
    );
}

fn classes(html: &mut String, index: usize) {
    wrap(
        html,
        "<p class='",
        |html| (0..10).for_each(|at| push(html, format_args!("c{index}-{at} "))),
        "'>A text.</p>",
    );
}

fn row(html: &mut String, index: usize) {
    wrap(html, "<tr>", |html| (0..10).for_each(|at| cell(html, 10 * index + at)), "</tr>");
}

fn cell(html: &mut String, index: usize) {
    wrap(html, "<td>", |html| words(html, index, 1 + index % 3), "</td>");
}
