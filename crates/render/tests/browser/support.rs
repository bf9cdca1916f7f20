//! What these tests share.

use std::sync::LazyLock;
pub(crate) use tsugi_testing::*;

/// The command under test, which `scripts/render-tests` has built.
pub(crate) static TSUGI: LazyLock<String> =
    LazyLock::new(|| std::env::var_os("TSUGI").unwrap().into_string().unwrap());

/// What each page of an article is about: pages of one story have words of their own.
const NOUNS: [[&str; 16]; 3] = [
    [
        "lighthouse", "keeper", "harbour", "winter", "village", "brother", "fish", "storm", "boat", "beach",
        "map", "chapel", "grass", "letter", "bay", "rain",
    ],
    [
        "road", "newspaper", "engine", "bridge", "miller", "flour", "horse", "market", "coin", "widow",
        "garden", "apple", "orchard", "fence", "owl", "lantern",
    ],
    [
        "ticket", "train", "conductor", "whistle", "suitcase", "stranger", "hotel", "mirror", "curtain",
        "piano", "dancer", "stage", "actor", "needle", "button", "baker",
    ],
];
const KINDS: [&str; 11] = [
    "old", "small", "quiet", "heavy", "distant", "narrow", "bright", "broken", "patient", "sudden", "golden",
];
const DEEDS: [&str; 13] = [
    "watched", "carried", "remembered", "followed", "crossed", "repaired", "described", "counted", "lifted",
    "covered", "painted", "borrowed", "returned",
];

/// Returns the `number`th paragraph of a page: some hundred words, which begin with a mark.
pub(crate) fn paragraph(page: usize, number: usize) -> String {
    let seed = page * 7 + number * 11;
    let noun = |at: usize| NOUNS[(page - 1) % NOUNS.len()][(seed + at * 5) % 16];
    let kind = |at: usize| KINDS[(seed + at * 3) % KINDS.len()];
    let deed = |at: usize| DEEDS[(seed + at * 4) % DEEDS.len()];
    let sentence = |at: usize| {
        format!(
            "The {} {} {} the {} of the {}, and a {} {} {} it again.",
            kind(at),
            noun(at * 3 + 1),
            deed(at),
            noun(at * 3 + 2),
            noun(at * 3),
            kind(at + 3),
            noun(at * 3 + 5),
            deed(at + 2)
        )
    };
    let sentences: Vec<String> = (0..4).map(sentence).collect();
    format!("Note {page}.{number}. {}", sentences.join(" "))
}

/// How many paragraphs a page has.
pub(crate) const PARAGRAPHS: usize = 6;

/// Returns the paragraphs of a page as HTML.
pub(crate) fn paragraphs(page: usize) -> String {
    (1..=PARAGRAPHS).map(|number| format!("<p>{}</p>", paragraph(page, number))).collect()
}

/// Returns a page of a site with head and foot around its body.
pub(crate) fn site(body: &str) -> Vec<u8> {
    html(format!(
        "<!DOCTYPE html><html lang=en><head><title>The lighthouse</title></head><body>\
         <header><a href=/>The Island Post</a></header>{body}<footer><p>Printed on the island.</p></footer></body></html>"
    ))
}

/// Returns a page that shows nothing until its script runs.
pub(crate) fn app(script: &str) -> Vec<u8> {
    html(format!(
        "<!DOCTYPE html><html lang=en><head><title>The lighthouse</title></head><body><div id=root></div>\
         <script>{script}</script></body></html>"
    ))
}

/// A script that draws a page around an article, whose HTML is that of an address.
pub(crate) const DRAW: &str = "const root = document.getElementById('root');\
    const draw = body => root.innerHTML = `<header><a href=\"/\">The Island Post</a></header><main><article>\
    <h1>The lighthouse</h1>${body}</article></main><footer><p>Printed on the island.</p></footer>`;\
    const get = async path => { const answer = await fetch(path); if (!answer.ok) throw answer.status; return answer.text(); };";

pub(crate) fn js(script: &str) -> Vec<u8> {
    typed("text/javascript", script)
}

pub(crate) fn fragment(page: usize) -> Vec<u8> {
    typed("text/html", paragraphs(page))
}

/// Joins the page of a server; `more` are further arguments.
pub(crate) fn join(server: &LoopbackServer, path: &str, more: &[&str]) -> ProgramRun {
    let url = server.address(path);
    let arguments = [&[url.as_str()], more].concat();
    finish(command(&TSUGI, &live_join(&arguments)).spawn().unwrap())
}

/// Returns the marks of the paragraphs that a text has, in its order.
pub(crate) fn marks(text: &str) -> Vec<String> {
    let after = text.split("Note ").skip(1);
    after.filter_map(|rest| Some(rest.split(". ").next()?.to_owned())).collect()
}

/// Returns the marks of whole pages.
pub(crate) fn all_of(pages: usize) -> Vec<String> {
    let of = |page| (1..=PARAGRAPHS).map(move |number| format!("{page}.{number}"));
    (1..=pages).flat_map(of).collect()
}

/// Checks that a run wrote these pages whole, each paragraph once and in order, and nothing else.
#[track_caller]
pub(crate) fn is_whole(run: ProgramRun, pages: usize) -> ProgramRun {
    let run = run.exits(DONE);
    assert_eq!(marks(&run.stdout), all_of(pages), "{}\n{}", run.stdout, run.stderr);
    run
}
