//! How time and memory of one page grow with its size, its links, its nodes, its depth, its attributes and its texts,
//! and those of a scan with the pages of an archive.
//!
//! ```text
//! growth_of_pages OUT [TSUGI]
//! ```
//!
//! Writes `OUT/growth.{json,md}` and plots, `OUT/growth-*.svg`. Pages are made up, by a fixed seed. Three measurements
//! each: parsing alone; parsing and the next link; and all that `tsugi scan` does to a page, its line included. Where
//! the path of the command is given, the archives are scanned by it too.
//!
//! Each measurement runs in a process of its own, since the operating system tells the peak of memory of a whole
//! process only. Called by `scripts/bench`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a measurement tells its results and its progress"
)]

use serde_json::{Value, json};
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tsugi::scan::ScanLine;
use tsugi_bench::made::{AXES, Axis, Shape};
use tsugi_bench::models::Models;
use tsugi_fetch::{ArchiveWriter, records};
use tsugi_page::{Page, Response};
use tsugi_training::figures::{Growth, growth};

const STAGES: [&str; 3] = ["parse", "next", "scan"];

const BY_COMMAND: &str = "command";

/// A measurement that takes longer is given up, and larger sizes are not tried.
const LONGEST: Duration = Duration::from_secs(30);

/// Short measurements are repeated for so long, at most [`MOST_RUNS`] times; the shortest counts.
const REPEATED: Duration = Duration::from_millis(150);
const MOST_RUNS: usize = 5;

/// What grows faster than this power of the size is named.
const LINEAR: f64 = 1.15;

/// Slopes start where a page takes so many seconds and MB: below it is what every page costs.
const LEAST: [(&str, f64); 2] = [("seconds", 0.002), ("megabytes", 4.0)];

const LINES: usize = 4;

type BoxError = Box<dyn std::error::Error>;

fn main() -> Result<(), BoxError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--measure", axis, shape, size, stage, archive] => {
            println!("{}", measure(axis, shape, size.parse()?, stage, Path::new(archive))?);
            Ok(())
        }
        [out] => report(Path::new(out), None),
        [out, tsugi] => report(Path::new(out), Some(Path::new(tsugi))),
        _ => Err("usage: growth_of_pages OUT [TSUGI]".into()),
    }
}

fn report(out: &Path, tsugi: Option<&Path>) -> Result<(), BoxError> {
    std::fs::create_dir_all(out)?;
    let folder = tempfile::tempdir()?;
    let mut results = Vec::new();
    for axis in &AXES {
        eprintln!("growth with {}", axis.unit);
        for (shape, _) in axis.shapes {
            for stage in STAGES.into_iter().chain(tsugi.filter(|_| axis.name == "pages").map(|_| BY_COMMAND))
            {
                for size in axis.sizes {
                    let archive = folder.path().join(format!("{size}.warc.gz"));
                    if axis.name == "pages" && !archive.exists() {
                        write_archive(&archive, *size)?;
                    }
                    let found = match tsugi.filter(|_| stage == BY_COMMAND) {
                        Some(tsugi) => scan_by_command(tsugi, &archive)?,
                        None => in_own_process(axis.name, shape, *size, stage, &archive)?,
                    };
                    let given_up = found.is_none();
                    let (seconds, megabytes) = found.unzip();
                    results.push(json!({
                        "axis": axis.name, "shape": shape, "size": size, "stage": stage,
                        "seconds": seconds, "megabytes": megabytes,
                    }));
                    if given_up {
                        eprintln!("{shape}, {size} {}, {stage}: more than {LONGEST:?}", axis.unit);
                        break;
                    }
                }
            }
        }
    }
    std::fs::write(out.join("growth.json"), written(&results)?)?;
    for axis in &AXES {
        for (part, shapes) in axis.shapes.chunks(LINES).enumerate() {
            for (field, y) in [("seconds", "seconds"), ("megabytes", "MB")] {
                let plot = growth(
                    &format!("Scanning a page, by {}", axis.unit),
                    (axis.unit, y),
                    &curves(&results, axis, shapes, field),
                )?;
                std::fs::write(out.join(plot_name(axis, field, part)), plot)?;
            }
        }
    }
    std::fs::write(out.join("growth.md"), table(&results)?)?;
    Ok(())
}

/// What was measured, and the powers of it; one result a line, so that a diff shows what changed.
fn written(results: &[Value]) -> Result<String, BoxError> {
    let axis = |axis: &Axis| {
        let shapes: Vec<&str> = axis.shapes.iter().map(|(shape, _)| *shape).collect();
        json!({ "name": axis.name, "unit": axis.unit, "sizes": axis.sizes, "shapes": shapes })
    };
    let kinds = AXES.iter().flat_map(|axis| axis.shapes.iter().map(move |(shape, _)| (axis.name, *shape)));
    let powers = kinds.flat_map(|(axis, shape)| stages().map(move |stage| (axis, shape, stage)));
    let power = |(axis, shape, stage): (&str, &str, &str)| {
        let [time, memory] = ["seconds", "megabytes"].map(|field| points(results, axis, shape, stage, field));
        json!({
            "axis": axis, "shape": shape, "stage": stage,
            "seconds": overall(&time, "seconds"), "seconds_steepest": steepest(&time, "seconds"),
            "megabytes": overall(&memory, "megabytes"),
        })
    };
    let lines = |values: &mut dyn Iterator<Item = Value>| -> Result<String, serde_json::Error> {
        Ok(values.map(|value| serde_json::to_string(&value)).collect::<Result<Vec<_>, _>>()?.join(",\n  "))
    };
    Ok(format!(
        "{{\n \"axes\": [\n  {}\n ],\n \"results\": [\n  {}\n ],\n \"powers\": [\n  {}\n ]\n}}\n",
        lines(&mut AXES.iter().map(axis))?,
        lines(&mut results.iter().cloned())?,
        lines(&mut powers.map(power))?,
    ))
}

fn stages() -> impl Iterator<Item = &'static str> {
    STAGES.into_iter().chain([BY_COMMAND])
}

fn plot_name(axis: &Axis, field: &str, part: usize) -> String {
    let what = if field == "seconds" { "time" } else { "memory" };
    format!("growth-{}-{what}-{}.svg", axis.name, part + 1)
}

fn curves(results: &[Value], axis: &Axis, shapes: &[Shape], field: &str) -> Vec<Growth> {
    let of = |name: String, shape: &str, stage: &str| Growth {
        name,
        points: points(results, axis.name, shape, stage, field),
    };
    if let [(shape, _)] = shapes {
        return stages().map(|stage| of(stage.to_owned(), shape, stage)).collect();
    }
    shapes.iter().map(|(shape, _)| of((*shape).to_owned(), shape, "scan")).collect()
}

fn points(results: &[Value], axis: &str, shape: &str, stage: &str, field: &str) -> Vec<(f64, f64)> {
    let wanted =
        |result: &&Value| result["axis"] == axis && result["shape"] == shape && result["stage"] == stage;
    let point = |result: &Value| Some((result["size"].as_f64()?, result[field].as_f64()?));
    results.iter().filter(wanted).filter_map(point).collect()
}

/// The rise from the smallest size that counts to the largest, as the power of the size that it is.
fn overall(points: &[(f64, f64)], field: &str) -> Option<f64> {
    let counts = |point: &&(f64, f64)| point.1 >= least(field);
    let (first, last) = points.iter().find(counts).zip(points.last())?;
    (first.0 < last.0).then(|| (last.1 / first.1).ln() / (last.0 / first.0).ln())
}

fn least(field: &str) -> f64 {
    LEAST.iter().find(|(name, _)| *name == field).map_or(0.0, |(_, least)| *least)
}

/// The steepest rise between two sizes that follow each other, as the power of the size that it is.
fn steepest(points: &[(f64, f64)], field: &str) -> Option<f64> {
    let rises = points.windows(2).filter(|pair| pair[0].1 >= least(field));
    rises.map(|pair| (pair[1].1 / pair[0].1).ln() / (pair[1].0 / pair[0].0).ln()).max_by(f64::total_cmp)
}

fn table(results: &[Value]) -> Result<String, BoxError> {
    let mut text = format!(
        "# Time and memory of a page as it grows\n\n\
         By `scripts/bench`. Made-up pages; each measurement is a process of its own. Parse: decode and parse; next: and find \
         the next link; scan: and content, text and the line of JSON. Time: of the processor, \
         for the largest page. Memory: the peak above what \
         the process held before the page was parsed, its HTML and the models. Power: the rise from the smallest page \
         that takes {} ms or {} MB to the largest, as the power of the size that it is; 1 is linear, and what is above \
         {LINEAR} is **marked**. Steepest: the same between two sizes that follow each other; where a page outgrows a cache of the \
         processor, that is up to 1.3 of parsing alone.\n",
        LEAST[0].1 * 1000.0,
        LEAST[1].1,
    );
    for axis in &AXES {
        let range = axis.sizes.first().zip(axis.sizes.last()).unwrap_or((&0, &0));
        writeln!(text, "\n## By {}: {} to {}\n", axis.unit, range.0, range.1)?;
        for part in 0..axis.shapes.len().div_ceil(LINES) {
            let names = ["seconds", "megabytes"].map(|field| plot_name(axis, field, part));
            writeln!(text, "![Time]({}) ![Memory]({})\n", names[0], names[1])?;
        }
        text.push_str("| kind of page | stage | ms | MB | power of time | steepest | power of memory |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |\n");
        for (shape, _) in axis.shapes {
            for stage in stages() {
                let [time, memory] =
                    ["seconds", "megabytes"].map(|field| points(results, axis.name, shape, stage, field));
                let (Some(ms), Some(mb)) = (time.last(), memory.last()) else { continue };
                let cut = if Some(&ms.0) == axis.sizes.last().map(|size| *size as f64).as_ref() {
                    String::new()
                } else {
                    format!(" (at {}; more takes over {} s)", ms.0, LONGEST.as_secs())
                };
                writeln!(
                    text,
                    "| {shape} | {stage} | {:.1}{cut} | {:.1} | {} | {} | {} |",
                    1000.0 * ms.1,
                    mb.1,
                    power(overall(&time, "seconds")),
                    power(steepest(&time, "seconds")),
                    power(overall(&memory, "megabytes")),
                )?;
            }
        }
    }
    Ok(text)
}

fn power(power: Option<f64>) -> String {
    match power {
        Some(power) if power > LINEAR => format!("**{power:.2}**"),
        Some(power) => format!("{power:.2}"),
        None => "–".to_owned(),
    }
}

fn in_own_process(
    axis: &str,
    shape: &str,
    size: usize,
    stage: &str,
    archive: &Path,
) -> Result<Option<(f64, f64)>, BoxError> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--measure", axis, shape, &size.to_string(), stage]).arg(archive);
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let begin = Instant::now();
    while child.try_wait()?.is_none() {
        // Loading, making the page up, and the runs.
        if begin.elapsed() > LONGEST * 2 {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err(format!("{shape}, {size}, {stage}: {}", output.status).into());
    }
    let result: Value = serde_json::from_slice(&output.stdout)?;
    let (Some(seconds), Some(megabytes)) = (result["seconds"].as_f64(), result["megabytes"].as_f64()) else {
        return Err("a measurement without figures".into());
    };
    Ok((seconds <= LONGEST.as_secs_f64()).then_some((seconds, megabytes)))
}

fn run(models: &Models, stage: &str, response: &Response) -> Result<(), BoxError> {
    let page: Page = response.page();
    match stage {
        "parse" => drop(black_box(page)),
        "next" => drop(black_box(models.tsugi.look(&page).next())),
        "scan" => {
            let line = ScanLine::of(&models.tsugi.look(&page));
            black_box(serde_json::to_string(&line)?);
        }
        _ => return Err(format!("`{stage}` is no stage").into()),
    }
    Ok(())
}

fn measure(axis: &str, shape: &str, size: usize, stage: &str, archive: &Path) -> Result<Value, BoxError> {
    let models = Models::load();
    if axis == "pages" {
        let before = memory("VmRSS:")?;
        let begin = time_on_processor()?;
        for record in records(archive)?.flatten() {
            run(&models, stage, &record.response?)?;
        }
        let seconds = time_on_processor()? - begin;
        return Ok(json!({ "seconds": seconds, "megabytes": (memory("VmHWM:")? - before).max(0.0) }));
    }
    let shapes = AXES.iter().filter(|known| known.name == axis).flat_map(|axis| axis.shapes);
    let (_, of) = shapes.into_iter().find(|(name, _)| *name == shape).ok_or("no such kind of page")?;
    let response = response(0, of(size));
    // The peak starts anew: writing the page down takes more than the page.
    std::fs::write("/proc/self/clear_refs", "5")?;
    let before = memory("VmRSS:")?;
    let (begin, mut seconds, mut megabytes) = (Instant::now(), f64::MAX, 0.0);
    for turn in 0..MOST_RUNS {
        let start = time_on_processor()?;
        run(&models, stage, &response)?;
        seconds = seconds.min(time_on_processor()? - start);
        if turn == 0 {
            megabytes = (memory("VmHWM:")? - before).max(0.0);
        }
        if begin.elapsed() > REPEATED {
            break;
        }
    }
    Ok(json!({ "seconds": seconds, "megabytes": megabytes }))
}

fn response(number: usize, html: String) -> Response {
    Response {
        url: format!("https://www.a.test/list/{number}?page=1").parse().expect("an address"),
        status: 200,
        content_type: Some("text/html; charset=utf-8".to_owned()),
        link: None,
        body: html.into_bytes(),
    }
}

fn write_archive(path: &Path, pages: usize) -> Result<(), BoxError> {
    let make = AXES[AXES.len() - 1].shapes[0].1;
    let mut writer = ArchiveWriter::new(std::io::BufWriter::new(std::fs::File::create(path)?));
    for number in 0..pages {
        writer.write(&response(number, make(number)), "2026-01-02T03:04:05Z")?;
    }
    writer.finish()?;
    Ok(())
}

/// Runs `tsugi scan` on an archive, and looks again and again at the most memory that it held so far.
fn scan_by_command(tsugi: &Path, archive: &Path) -> Result<Option<(f64, f64)>, BoxError> {
    let begin = Instant::now();
    let mut child =
        Command::new(tsugi).arg("scan").arg(archive).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut megabytes: f64 = 0.0;
    while child.try_wait()?.is_none() {
        megabytes = megabytes.max(memory_of(&status, "VmHWM:").unwrap_or(0.0));
        std::thread::sleep(Duration::from_millis(1));
    }
    let seconds = begin.elapsed().as_secs_f64();
    if !child.wait()?.success() {
        return Err("`tsugi scan` failed".into());
    }
    Ok(Some((seconds, megabytes)))
}

/// How many seconds this thread ran: what else the machine does leaves them alone.
fn time_on_processor() -> Result<f64, BoxError> {
    // Linux brings the account up to date when a thread yields.
    std::thread::yield_now();
    let account = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds: f64 = account.split(' ').next().unwrap_or_default().parse()?;
    Ok(nanoseconds / 1e9)
}

fn memory(field: &str) -> Result<f64, BoxError> {
    memory_of(Path::new("/proc/self/status"), field)
}

/// A field of what Linux says of a process, in MB.
fn memory_of(status: &Path, field: &str) -> Result<f64, BoxError> {
    let status = std::fs::read_to_string(status)?;
    let line =
        status.lines().find_map(|line| line.strip_prefix(field)).ok_or("no such field: this needs Linux")?;
    let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kilobytes / 1024.0)
}
