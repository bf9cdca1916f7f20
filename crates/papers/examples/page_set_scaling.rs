//! How time and memory of the page-set methods grow with the number of pages.
//!
//! ```text
//! page_set_scaling OUT
//! ```
//!
//! Writes `OUT/scaling.{json,md}` and two plots, `OUT/scaling-{time,memory}.svg`. Pages are made up, by a fixed seed: a hundred blocks
//! each, of which thirty are the same on all pages, lists of latest news slide from page to page, teasers stand on a
//! few pages, and the rest is the page's own; one page in thirty-three repeats an article at a second address. The
//! lists are the hard case: hundreds of thousands of different ones share their tags and none of their texts.
//!
//! Each measurement runs in a process of its own, since the operating system tells the peak of memory of a whole
//! process only. Called by `scripts/page-set-scaling`.

#![expect(clippy::print_stdout, reason = "a measurement tells its results")]

use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use tsugi_page::Page;
use tsugi_papers::repeated::RepeatedStrings;
use tsugi_site_blocks::{Extensions, PageSet, blocks, same_block};
use tsugi_training::figures::{Growth, growth};
use tsugi_training::random::mix;
use tsugi_training::tables::{ReportDraft, table};

const SIZES: [usize; 7] = [30, 100, 300, 1_000, 3_000, 10_000, 30_000];

/// Comparing all pairs is measured up to so many pages.
const ALL_PAIRS: usize = 300;

/// The last two find the same blocks: those of the paper, without extensions.
const METHODS: [&str; 5] = [
    "parsing alone",
    "unique blocks with extensions",
    "repeated strings",
    "unique blocks",
    "unique blocks, all pairs",
];

type ScalingError = Box<dyn std::error::Error>;

fn main() -> Result<(), ScalingError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--measure", method, pages] => {
            println!("{}", measure(method, pages.parse()?)?);
            Ok(())
        }
        [out] => report(Path::new(out)),
        _ => Err("usage: page_set_scaling OUT".into()),
    }
}

fn report(out: &Path) -> Result<(), ScalingError> {
    let this = std::env::current_exe()?;
    let mut results = Vec::new();
    for method in METHODS {
        for pages in SIZES.into_iter().filter(|pages| method != METHODS[4] || *pages <= ALL_PAIRS) {
            let run = Command::new(&this).args(["--measure", method, &pages.to_string()]).output()?;
            if !run.status.success() {
                return Err(
                    format!("{method}, {pages} pages: {}", String::from_utf8_lossy(&run.stderr)).into()
                );
            }
            let result: Value = serde_json::from_slice(&run.stdout)?;
            println!("{result}");
            results.push(result);
        }
    }
    std::fs::create_dir_all(out)?;
    std::fs::write(out.join("scaling.json"), serde_json::to_string_pretty(&results)? + "\n")?;
    let lines = |field: &str, methods: &[&str]| -> Vec<Growth> {
        let point = |result: &Value| Some((result["pages"].as_f64()?, result[field].as_f64()?));
        let of = |method: &&str| {
            let results = results.iter().filter(|result| result["method"] == **method);
            Growth { name: (*method).to_owned(), points: results.filter_map(point).collect() }
        };
        methods.iter().map(of).collect()
    };
    let time = growth(
        "Time by pages (parsing left out, but on its own)",
        ("pages", "seconds"),
        &lines("seconds", &METHODS),
    )?;
    std::fs::write(out.join("scaling-time.svg"), time)?;
    let memory = growth("Peak of memory by pages", ("pages", "MB"), &lines("megabytes", &METHODS[..4]))?;
    std::fs::write(out.join("scaling-memory.svg"), memory)?;
    std::fs::write(out.join("scaling.md"), table_of(&results))?;
    Ok(())
}

fn table_of(results: &[Value]) -> String {
    let number = |result: &Value, field: &str| result[field].as_f64().unwrap_or(0.0);
    let a_page = |result: &Value, field: &str| number(result, field) / number(result, "pages");
    let mut draft = ReportDraft::default();
    let rows = table(
        results,
        &[
            ("method", &|result| result["method"].as_str().unwrap_or_default().into()),
            ("pages", &|result| result["pages"].to_string().into()),
            ("blocks", &|result| result["blocks"].to_string().into()),
            ("seconds", &|result| format!("{:.2}", number(result, "seconds")).into()),
            ("ms a page", &|result| format!("{:.3}", 1000.0 * a_page(result, "seconds")).into()),
            ("MB", &|result| format!("{:.0}", number(result, "megabytes")).into()),
            ("kept a page", &|result| format!("{:.1}", a_page(result, "kept")).into()),
        ],
    );
    draft.put("rows", rows);
    draft.fill(include_str!("page_set_scaling.md"))
}

fn measure(method: &str, count: usize) -> Result<Value, ScalingError> {
    let mut time = Duration::ZERO;
    let mut timed = |work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        time += start.elapsed();
    };
    let pages = || (0..count).map(parsed);
    let (mut all, mut kept) = (0, 0);
    match method {
        "parsing alone" => {
            let made = (0..count).map(made);
            for html in made {
                timed(&mut || all += parse(&html).node_count());
            }
            // Nodes are no blocks.
            all = 0;
        }
        "unique blocks" | "unique blocks with extensions" => {
            let mut set = PageSet::new();
            for page in pages() {
                timed(&mut || set.add(&page));
            }
            let extensions = if method == "unique blocks" { Extensions::default() } else { Extensions::BOTH };
            let mut site = None;
            timed(&mut || site = Some(std::mem::take(&mut set).index(extensions)));
            for (number, page) in pages().enumerate() {
                timed(&mut || {
                    all += blocks(&page).len();
                    kept += site.as_ref().and_then(|site| site.unique(number)).map_or(0, <[usize]>::len);
                });
            }
        }
        "repeated strings" => {
            let mut strings = RepeatedStrings::new();
            for page in pages() {
                timed(&mut || strings.add(&page));
            }
            for page in pages() {
                timed(&mut || kept += strings.keep(&page).leaves().len());
            }
        }
        "unique blocks, all pairs" => {
            let parsed: Vec<Page> = pages().collect();
            timed(&mut || {
                let pages: Vec<_> = parsed.iter().map(blocks).collect();
                all = pages.iter().map(Vec::len).sum();
                for (number, page) in pages.iter().enumerate() {
                    let others = || pages.iter().enumerate().filter(|(other, _)| *other != number);
                    let is_alone = |block: &&_| {
                        !others().flat_map(|(_, page)| page).any(|other| same_block(block, other))
                    };
                    kept += page.iter().filter(is_alone).count();
                }
            });
        }
        _ => return Err(format!("`{method}` is no method").into()),
    }
    Ok(json!({
        "method": method, "pages": count, "blocks": all, "kept": kept,
        "seconds": time.as_secs_f64(), "megabytes": peak()?,
    }))
}

fn peak() -> Result<f64, ScalingError> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM: this needs Linux")?;
    let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kilobytes / 1024.0)
}

fn parsed(number: usize) -> Page {
    parse(&made(number))
}

fn parse(html: &str) -> Page {
    Page::from_text(html, &"https://a.test/".parse().expect("an address"))
}

fn made(number: usize) -> String {
    // A page in thirty-three has the article of the page before it.
    let article = if number % 33 == 32 { number - 1 } else { number };
    let mut html = String::from("<!DOCTYPE html><title>A paper</title>");
    for block in 0..6 {
        html.push_str("<ul>");
        for entry in 0..8 {
            push(&mut html, ["<li><a href=/>", "</a>"], &words(1, block * 8 + entry, 2));
        }
        html.push_str("</ul>");
    }
    for block in 0..24 {
        push(&mut html, ["<p>", "</p>"], &words(2, block, 4));
    }
    // Latest news: the five before, each in a list with another one.
    for list in 0..6_u64 {
        html.push_str("<ul>");
        for entry in 0..5 {
            push(&mut html, ["<li>", "</li>"], &words(3 + list, number + entry, 6));
        }
        html.push_str("</ul>");
    }
    for teaser in 0..4 {
        push(&mut html, ["<h3>", "</h3>"], &words(20, (number + teaser) / 4, 5));
        push(&mut html, ["<p>", "</p>"], &words(21, (number + teaser) / 4, 15));
    }
    let date = mix(30, article) % 3000;
    push(&mut html, ["<div>", "</div>"], &format!("day {date}"));
    for paragraph in 0..52 {
        let text = words(40 + paragraph, article, 40);
        let (first, rest) = text.split_once(' ').unwrap_or((&text, ""));
        match paragraph % 13 {
            0 => push(&mut html, ["<h2>", "</h2>"], rest.get(..30).unwrap_or(rest)),
            1 => push(&mut html, ["<p><a href=/>", "</a> said so.</p>"], rest),
            2 => {
                html.push_str("<table>");
                for row in 0..4 {
                    push(
                        &mut html,
                        ["<tr><td>", &format!("<td>{}", mix(90, article * 4 + row) % 1000)],
                        first,
                    );
                }
                html.push_str("</table>");
            }
            _ => push(&mut html, ["<p>", "</p>"], &text),
        }
    }
    html
}

fn push(html: &mut String, [before, after]: [&str; 2], text: &str) {
    html.push_str(before);
    html.push_str(text);
    html.push_str(after);
}

/// Some words, the same for the same kind and place; few of them make up most texts.
fn words(kind: u64, place: usize, count: usize) -> String {
    const SYLLABLES: [&str; 16] =
        ["ka", "to", "mi", "re", "su", "no", "ha", "li", "be", "do", "fu", "ge", "wa", "ri", "po", "se"];
    let mut text = String::new();
    for at in 0..count {
        let random = mix(mix(kind, place), at);
        // The rank of a word: its logarithm is even.
        let rank = 1_u64 << (random % 14);
        let mut word = rank + (random >> 32) % rank;
        if at > 0 {
            text.push(' ');
        }
        while word > 0 {
            text.push_str(SYLLABLES[usize::try_from(word % 16).unwrap_or(0)]);
            word /= 16;
        }
    }
    text
}
