//! Cross-validates the link models alone, for trials of columns and parameters: page F by data set.
//!
//! ```sh
//! cargo run --release -p tsugi-experiments --example links -- LINES DATA…
//! ```
//!
//! Writes a line of JSON for each page into the file LINES. Every DATA is a folder with `pages.warc.gz` and
//! `labels.jsonl`.

#![expect(clippy::print_stdout, reason = "examples print")]

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tsugi_experiments::{Correction, DataSet, LabelledPages, LinkLine, LinkParams, Wanted, evaluate_links};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let file = arguments.next().ok_or("usage: links LINES DATA…")?;
    let corrections = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/corrections.jsonl");
    let corrections = Correction::read(&corrections)?;
    let mut sets = arguments.map(|folder| DataSet::open(&folder)).collect::<Result<Vec<_>, _>>()?;
    for set in &mut sets {
        set.correct(&corrections);
    }

    let examples = LabelledPages::read(&sets, Wanted { links: true, content: false }, || ())?;
    let lines = evaluate_links(&sets, &examples, &LinkParams::default(), (5, 1))?;
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
    print(
        "only in the head",
        LinkLine::figures(lines.iter().filter(|line| line.how.as_deref() == Some("link"))),
    );
    Ok(())
}
