//! How long our tokenizer takes, relative to html5ever's: `cargo bench -p tsugi-page --features oracle --bench tokens`.
//!
//! On some pages of two data sets, held in memory. Both read each page in turn, and the least of all turns counts. The tree
//! builder and the sink are the same. `cargo bench … -- once sites` reads each page of one set once, which is for counting
//! instructions by callgrind: what is called below `ours` and `theirs` is to be compared.

#![expect(clippy::print_stdout, reason = "a measurement tells its results")]

#[path = "../tests/it/archive.rs"]
mod archive;

use std::hint::black_box;
use std::time::{Duration, Instant};
use tsugi_page::{Page, Url, charset, oracle};

/// Data sets, and one page in how many is taken.
const SETS: [(&str, usize); 2] = [("sites", 10), ("wcxb", 20)];
const TURNS: usize = 7;

mod ours {
    use super::{Page, Url, oracle};

    #[inline(never)]
    pub(super) fn split(html: &str, _: &Url) -> usize {
        oracle::count(html)
    }

    #[inline(never)]
    pub(super) fn parse(html: &str, url: &Url) -> usize {
        Page::from_text(html, url).node_count()
    }
}

mod theirs {
    use super::{Url, oracle};

    #[inline(never)]
    pub(super) fn split(html: &str, _: &Url) -> usize {
        oracle::count_of_html5ever(html)
    }

    #[inline(never)]
    pub(super) fn parse(html: &str, url: &Url) -> usize {
        oracle::page_of_html5ever(html, url).node_count()
    }
}

type Way = fn(&str, &Url) -> usize;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_given = |word: &str| arguments.iter().any(|argument| argument == word);
    let turns = if is_given("once") { 1 } else { TURNS };
    let is_any_given = SETS.iter().any(|(set, _)| is_given(set));
    let stored = archive::stored();
    for (set, every) in SETS {
        if is_any_given && !is_given(set) {
            continue;
        }
        let Some(path) = stored.iter().find(|path| is_of(path, set)) else {
            println!("skipped: {set} is not there");
            continue;
        };
        let bodies = archive::bodies(path).step_by(every);
        let pages: Vec<String> =
            bodies.map(|body| charset::decode(&body, None, None).text.into_owned()).collect();
        let bytes: usize = pages.iter().map(String::len).sum();
        println!("{set}: {} pages of {} KB", pages.len(), bytes / pages.len().max(1) / 1000);
        compare("tokenizer alone", &pages, turns, ours::split, theirs::split);
        compare("`Page::from_text`", &pages, turns, ours::parse, theirs::parse);
    }
}

fn is_of(path: &std::path::Path, set: &str) -> bool {
    path.parent().is_some_and(|folder| folder.file_name().is_some_and(|name| name == set))
}

fn compare(what: &str, pages: &[String], turns: usize, ours: Way, theirs: Way) {
    let url = Url::parse("https://a.test/").expect("an address");
    let (mut our_sum, mut their_sum) = (Duration::ZERO, Duration::ZERO);
    let mut ratios = Vec::new();
    for page in pages {
        let (mut our_least, mut their_least) = (Duration::MAX, Duration::MAX);
        for _ in 0..turns {
            our_least = our_least.min(taken(ours, page, &url));
            their_least = their_least.min(taken(theirs, page, &url));
        }
        our_sum += our_least;
        their_sum += their_least;
        ratios.push(our_least.as_secs_f64() / their_least.as_secs_f64());
    }
    ratios.sort_by(f64::total_cmp);
    let number = u32::try_from(pages.len().max(1)).unwrap_or(u32::MAX);
    println!(
        "  {what}: {:.3} of html5ever's in the median, {:.3} of the sums: {:?} instead of {:?} a page",
        ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN),
        our_sum.as_secs_f64() / their_sum.as_secs_f64(),
        our_sum / number,
        their_sum / number
    );
}

fn taken(way: Way, page: &str, url: &Url) -> Duration {
    let start = Instant::now();
    black_box(way(black_box(page), url));
    start.elapsed()
}
