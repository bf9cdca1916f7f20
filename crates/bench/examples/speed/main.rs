//! How much time a page takes beside reading it by html5ever.
//!
//! ```text
//! speed ratios EVERY TURNS NAME=ARCHIVE…     ratios and stages, as JSON
//! speed stages EVERY NAME=ARCHIVE…           every stage once on every page, for profilers that count
//! speed wholes EVERY NAME=ARCHIVE…           every whole once on every page, likewise
//! speed sample EVERY ARCHIVE FOLDER          writes pages for runs beside others
//! speed serve TOOL FOLDER                    runs `parse`, `next link` or `tsugi` on such pages
//! ```
//!
//! One page in EVERY is taken. One page at a time, one thread. Called by `scripts/bench`.

#![expect(clippy::print_stdout, reason = "a measurement tells its results")]

#[path = "../../benches/stages/mod.rs"]
mod stages;

use serde_json::{Value, json};
use stages::STAGES;
use std::hint::black_box;
use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Instant;
use tsugi::scan::ScanLine;
use tsugi_bench::models::Models;
use tsugi_bench::wholes;
use tsugi_fetch::records;
use tsugi_page::{Page, Response, Url};

type BoxError = Box<dyn std::error::Error>;

fn main() -> Result<(), BoxError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["ratios", every, turns, ref sets @ ..] => {
            let models = Models::load();
            let (every, turns) = (every.parse()?, turns.parse()?);
            let results: Result<Vec<Value>, _> =
                sets.iter().map(|set| ratios(&models, set, every, turns)).collect();
            println!("{}", serde_json::to_string_pretty(&results?)?);
            Ok(())
        }
        ["stages", every, ref sets @ ..] => {
            let models = Models::load();
            let mut pages = 0;
            for set in sets {
                for response in responses(archive_of(set)?.1, every.parse()?)? {
                    run_stages(&models, &response.1, &mut |_| ());
                    pages += 1;
                }
            }
            println!("{pages}");
            Ok(())
        }
        ["wholes", every, ref sets @ ..] => {
            let mut pages = Vec::new();
            for set in sets {
                pages.extend(responses(archive_of(set)?.1, every.parse()?)?.map(|(_, response)| response));
            }
            wholes::run(&pages);
            println!("{}", pages.len());
            Ok(())
        }
        ["sample", every, archive, folder] => sample(archive, every.parse()?, Path::new(folder)),
        ["serve", tool, folder] => serve(tool, Path::new(folder)),
        _ => Err("usage: speed (ratios EVERY TURNS | stages EVERY) NAME=ARCHIVE… | sample EVERY ARCHIVE FOLDER | serve TOOL FOLDER".into()),
    }
}

fn archive_of(set: &str) -> Result<(&str, &str), BoxError> {
    set.split_once('=').ok_or_else(|| format!("`{set}` is no NAME=ARCHIVE").into())
}

/// One page in so many, each with its address as the archive writes it.
fn responses(archive: &str, every: usize) -> Result<impl Iterator<Item = (String, Response)>, BoxError> {
    let pages = records(Path::new(archive))?.flatten();
    let pages = pages.filter_map(|record| Some((record.target, record.response.ok()?)));
    Ok(pages.step_by(every))
}

/// Times every page of a set: what is compared takes turns, and the least of all turns counts.
fn ratios(models: &Models, set: &str, every: usize, turns: usize) -> Result<Value, BoxError> {
    let (name, archive) = archive_of(set)?;
    let (mut wholes, mut stages, mut bytes) = (Vec::new(), Vec::new(), 0);
    for (_, response) in responses(archive, every)? {
        let mut least = [f64::MAX; wholes::WHOLES.len()];
        let mut of_stages = [f64::MAX; STAGES.len()];
        for _ in 0..turns {
            for (whole, least) in wholes::WHOLES.iter().zip(&mut least) {
                let start = Instant::now();
                whole(models, &response);
                *least = least.min(start.elapsed().as_secs_f64());
            }
            let mut stage = 0;
            let mut start = Instant::now();
            run_stages(models, &response, &mut |is_measured| {
                if is_measured {
                    of_stages[stage] = of_stages[stage].min(start.elapsed().as_secs_f64());
                    stage += 1;
                }
                start = Instant::now();
            });
        }
        wholes.push(least);
        stages.push(of_stages);
        bytes += response.body.len();
    }
    let pages = wholes.len() as f64;
    let microseconds = |times: &mut dyn Iterator<Item = f64>| 1e6 * times.sum::<f64>() / pages;
    let whole = |at: usize| microseconds(&mut wholes.iter().map(|times| times[at]));
    let ratio = |at: usize| {
        let mut ratios: Vec<f64> = wholes.iter().map(|times| times[at] / times[0]).collect();
        ratios.sort_by(f64::total_cmp);
        let quantile = |share: f64| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in a list")]
            let place = (share * (ratios.len().saturating_sub(1)) as f64).round() as usize;
            ratios.get(place)
        };
        json!({
            "median": quantile(0.5), "quartiles": [quantile(0.25), quantile(0.75)],
            "tails": [quantile(0.05), quantile(0.95)], "of_sums": whole(at) / whole(0),
        })
    };
    let stage = |(at, name): (usize, &&str)| {
        let time = microseconds(&mut stages.iter().map(|times| times[at]));
        json!({ "stage": name, "microseconds": time })
    };
    Ok(json!({
        "set": name, "pages": wholes.len(), "bytes": bytes, "turns": turns,
        "microseconds": { "html5ever": whole(0), "parse": whole(1), "next": whole(2), "scan": whole(3) },
        "parse": ratio(1), "next": ratio(2), "scan": ratio(3),
        "stages": STAGES.iter().enumerate().map(stage).collect::<Vec<_>>(),
    }))
}

/// Runs the stages in turn; after each, and after what none of them is, it is said which of the two it was.
fn run_stages(models: &Models, response: &Response, done: &mut dyn FnMut(bool)) {
    done(false);
    let text = stages::decode(response);
    done(true);
    let page = stages::parse(&text, response);
    done(true);
    let survey = stages::link_survey(&page);
    done(true);
    let places = stages::link_first_look(models, &survey);
    done(true);
    black_box(stages::link_second_look(models, &survey, &places));
    done(true);
    let (next, content) = stages::found(models, &page);
    done(false);
    black_box(stages::unfollowable(&survey, next.as_ref()));
    done(true);
    let context = stages::block_context(&page, next.as_ref());
    done(true);
    let linear = stages::block_tokens(models, &context);
    done(true);
    let rows = stages::block_rows(&context, &linear);
    done(true);
    let scores = stages::block_forest(models, &rows);
    done(true);
    let (found, rows) = stages::candidates(&context, &scores, &linear);
    done(true);
    black_box((found, stages::candidate_forest(models, &rows)));
    done(true);
    let line = stages::text(&page, &content);
    done(true);
    black_box(stages::line(&line));
    done(true);
}

/// Writes pages down, decoded: `NUMBER.html`, `NUMBER.url`, and `pages.jsonl` with what each is.
fn sample(archive: &str, every: usize, folder: &Path) -> Result<(), BoxError> {
    std::fs::create_dir_all(folder)?;
    let mut list = std::fs::File::create(folder.join("pages.jsonl"))?;
    for (number, (target, response)) in responses(archive, every)?.enumerate() {
        let html = stages::decode(&response);
        std::fs::write(folder.join(format!("{number}.html")), &html)?;
        std::fs::write(folder.join(format!("{number}.url")), response.url.as_str())?;
        writeln!(list, "{}", json!({ "number": number, "url": target, "bytes": html.len() }))?;
    }
    Ok(())
}

/// Answers how long a page took and what was found, as the others' runners do (`crates/bench/others`).
fn serve(tool: &str, folder: &Path) -> Result<(), BoxError> {
    let models = Models::load();
    let run: fn(&Models, Page) -> String = match tool {
        "parse" => |_, page| drop_page(page),
        "next link" => |models, page| {
            models.tsugi.look(&page).next().map(|next| next.url.to_string()).unwrap_or_default()
        },
        "tsugi" => |models, page| {
            let line = ScanLine::of(&models.tsugi.look(&page));
            line.content.map(|content| content.text).unwrap_or_default()
        },
        _ => return Err(format!("`{tool}` is no tool").into()),
    };
    let mut output = std::io::stdout().lock();
    for number in std::io::stdin().lock().lines() {
        let path = folder.join(number?);
        let html = std::fs::read_to_string(path.with_extension("html"))?;
        let url: Url = std::fs::read_to_string(path.with_extension("url"))?.parse()?;
        let start = Instant::now();
        let text = run(&models, Page::from_text(&html, &url));
        let seconds = start.elapsed().as_secs_f64();
        writeln!(output, "{}", json!({ "seconds": seconds, "text": text }))?;
        output.flush()?;
    }
    Ok(())
}

fn drop_page(page: Page) -> String {
    drop(black_box(page));
    String::new()
}
