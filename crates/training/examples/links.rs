//! Cross-validates the link models alone, for trials of columns and parameters: page F by data set.
//!
//! ```sh
//! cargo run --release -p tsugi-training --example links -- [OPTIONS] LINES DATA…
//! ```
//!
//! `--by-software` holds out whole generators and themes, not only sites. `--share .5` learns from half of the sites only,
//! `--without-set NAME` from none of a data set, and `--without-topic seat` without the columns of a topic (label, place,
//! pager, seat, address, rivals, page).
//!
//! Writes a line of JSON for each page into the file LINES. Every DATA is a folder with `pages.warc.gz` and
//! `labels.jsonl`.

#![expect(clippy::print_stdout, reason = "examples print")]

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tsugi_next_link::LinkColumns;
use tsugi_training::corrections::Correction;
use tsugi_training::dataset::DataSet;
use tsugi_training::labelled_pages::{LabelledPages, WantedExamples};
use tsugi_training::link_trials::{LinkLine, LinkLook, LinkTrial, evaluate_links};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut trial, mut topic, mut paths) = (LinkTrial::default(), None, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or("an option needs a value");
        match argument.as_str() {
            "--by-software" => trial.by_software = true,
            "--share" => trial.share = value()?.parse()?,
            "--without-set" => trial.without_sets.push(value()?),
            "--without-topic" => topic = Some(value()?),
            _ => paths.push(PathBuf::from(argument)),
        }
    }
    let (file, folders) = paths.split_first().ok_or("usage: links [OPTIONS] LINES DATA…")?;
    let corrections = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/corrections.jsonl");
    let corrections = Correction::read(&corrections)?;
    let mut sets = folders.iter().map(|folder| DataSet::open(folder)).collect::<Result<Vec<_>, _>>()?;
    for set in &mut sets {
        set.correct(&corrections);
    }

    let mut examples = LabelledPages::read(&sets, WantedExamples { links: true, content: false }, || ())?;
    if let Some(topic) = topic {
        examples.blank_link_columns(|column| LinkColumns::topic(column.name) == Some(&topic));
    }
    let lines = evaluate_links(&sets, &examples, &trial)?;
    let mut json = String::new();
    for line in &lines {
        writeln!(json, "{}", serde_json::to_string(line)?)?;
    }
    std::fs::write(file, json)?;

    println!("set P R F FPR, without pages whose only next link is in the head");
    let visible = || lines.iter().filter(|line| line.how.as_deref() != Some("link"));
    let print = |name: &str, [p, r, f, rate]: [f64; 4]| println!("{name} {p:.4} {r:.4} {f:.4} {rate:.4}");
    for set in &sets {
        print(&set.name, LinkLine::figures(visible().filter(|line| line.set == set.name)));
    }
    print("all", LinkLine::figures(visible()));
    let candidates: usize = lines.iter().map(|line| line.candidates).sum();
    let passing: usize = lines.iter().map(|line| line.passing).sum();
    let lost = lines.iter().filter(|line| line.predicted && !line.best_passes).count();
    println!("first look: {passing} of {candidates} candidates pass; {lost} answers do not");
    for look in LinkLook::ALL {
        let shown = visible().filter(|line| line.link == Some(look));
        let (right, of) = shown
            .fold((0, 0), |(right, of), line| (right + u32::from(line.predicted && line.best_right), of + 1));
        println!("{look:?}: {right} of {of} found");
    }
    print(
        "only in the head",
        LinkLine::figures(lines.iter().filter(|line| line.how.as_deref() == Some("link"))),
    );
    Ok(())
}
