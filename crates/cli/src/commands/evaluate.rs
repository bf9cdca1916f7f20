//! `tsugi evaluate`: a report, split by site.

use crate::args::{EvaluateArguments, Protocol};
use crate::commands::train::{params, read_data};
use crate::exit::Exit;
use crate::output::{Output, complain, write_file, write_json_line};
use crate::progress::Progress;
use anyhow::Context;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use tsugi_experiments::{
    DataSet, Examples, Figures, Floors, FullResult, PaperPlan, PaperTrainer, Report, cross_validate,
    figures_by_set, full_report, paper_report, run_paper,
};

pub(crate) fn run(arguments: &EvaluateArguments) -> anyhow::Result<Exit> {
    let (sets, examples) = read_data(&arguments.data, &arguments.corrections)?;
    let gate = arguments.gate.as_deref().map(|path| read_floors(path, arguments.raise)).transpose()?;
    if let Some(folder) = &arguments.output {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    }
    let mut below_floor = false;
    let report = match arguments.protocol {
        Protocol::Paper => write_report(arguments, evaluate_paper(arguments, &sets, &examples)?)?,
        Protocol::Full => {
            let (result, report) = evaluate_full(arguments, &sets, &examples)?;
            if let (Some(path), Some(floors)) = (&arguments.gate, gate) {
                let figures = figures_by_set(&sets, result.model());
                below_floor = !passes(path, floors, &figures, arguments.raise)?;
            }
            write_report(arguments, report)?
        }
    };
    let mut stdout = Output::open(None)?;
    stdout.write_all(report.as_bytes())?;
    stdout.finish()?;
    Ok(match (below_floor, examples.complaints.is_empty()) {
        (true, _) => Exit::Failed,
        (false, true) => Exit::Done,
        (false, false) => Exit::PartlyFailed,
    })
}

/// Cross-validates; writes the predictions where a folder is given.
fn evaluate_full(
    arguments: &EvaluateArguments,
    sets: &[DataSet],
    examples: &Examples,
) -> anyhow::Result<(FullResult, Report)> {
    let (folds, seed) = (usize::from(arguments.folds), arguments.learner.seed);
    let (links, content) = (params(&arguments.learner), params(&arguments.learner));
    let trainer = PaperTrainer { examples, links, content, seed };
    let progress = Progress::new("folds and pages", Some((examples.pages.len() + folds) as u64));
    let result = cross_validate(sets, &examples.groups, &trainer, (folds, seed), || progress.step())?;
    progress.finish();
    let report = full_report(sets, &result)?;
    if let Some(folder) = &arguments.output {
        for (set, lines) in &result.predictions {
            let mut bytes = Vec::new();
            for line in lines {
                write_json_line(&mut bytes, line)?;
            }
            write_file(&folder.join(format!("{set}.jsonl")), &bytes)?;
        }
    }
    Ok((result, report))
}

/// Reads the figures that must be reached; a file that is about to be written need not be there.
fn read_floors(path: &Path, raise: bool) -> anyhow::Result<Floors> {
    match std::fs::read(path) {
        Ok(bytes) => {
            serde_json::from_slice(&bytes).with_context(|| format!("`{}` is no gate", path.display()))
        }
        Err(error) if raise && error.kind() == std::io::ErrorKind::NotFound => Ok(Floors::default()),
        Err(error) => Err(error).with_context(|| format!("cannot read `{}`", path.display())),
    }
}

/// Compares figures with the gate, and raises it if that is wanted.
fn passes(
    path: &Path,
    mut floors: Floors,
    figures: &BTreeMap<String, Figures>,
    raise: bool,
) -> anyhow::Result<bool> {
    let shortfalls = floors.check(figures);
    for shortfall in &shortfalls {
        complain(&format!("gate: {shortfall}"));
    }
    complain(&format!("gate: {} of {} figures reached", floors.len() - shortfalls.len(), floors.len()));
    if raise {
        floors.raise(figures);
        let mut json = serde_json::to_vec_pretty(&floors)?;
        json.push(b'\n');
        write_file(path, &json)?;
    }
    Ok(shortfalls.is_empty())
}

/// Runs the thesis' experiment.
fn evaluate_paper(
    arguments: &EvaluateArguments,
    sets: &[DataSet],
    examples: &Examples,
) -> anyhow::Result<Report> {
    let plan = PaperPlan {
        seed: arguments.learner.seed,
        splits: arguments.splits.get(),
        choice_splits: usize::from(arguments.choice_splits),
    };
    let progress = Progress::new("splits", Some((plan.splits + plan.choice_splits) as u64));
    let result = run_paper(sets, examples, plan, &|| progress.step())?;
    progress.finish();
    Ok(paper_report(&result)?)
}

/// Writes the files of a report where a folder is given; returns `report.md`.
fn write_report(arguments: &EvaluateArguments, report: Report) -> anyhow::Result<String> {
    let mut markdown = String::new();
    for (name, text) in report.files {
        if let Some(folder) = &arguments.output {
            let path = folder.join(&name);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)
                    .with_context(|| format!("cannot make `{}`", parent.display()))?;
            }
            write_file(&path, text.as_bytes())?;
        }
        if name == "report.md" {
            markdown = text;
        }
    }
    Ok(markdown)
}
