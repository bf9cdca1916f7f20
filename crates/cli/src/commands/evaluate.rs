//! `tsugi evaluate`: a report, split by site.

use crate::args::{EvaluateArguments, Protocol};
use crate::commands::train::{params, read_data};
use crate::exit::Exit;
use crate::output::{Output, write_file, write_json_line};
use crate::progress::Progress;
use anyhow::Context;
use std::io::Write;
use tsugi_experiments::{
    CrossValidation, DataSet, Examples, Models, PaperPlan, cross_validate, full_report, paper_report, run_paper,
};

pub(crate) fn run(arguments: &EvaluateArguments) -> anyhow::Result<Exit> {
    let (sets, examples) = read_data(&arguments.data)?;
    if let Some(folder) = &arguments.output {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    }
    let report = match arguments.protocol {
        Protocol::Paper => evaluate_paper(arguments, &sets, &examples)?,
        Protocol::Full => {
            let plan = CrossValidation {
                models: Models::Paper {
                    links: params(&arguments.learner),
                    content: params(&arguments.learner),
                },
                folds: usize::from(arguments.folds),
                seed: arguments.learner.seed,
            };
            let steps = examples.pages.len() + plan.folds;
            let progress = Progress::new("folds and pages", Some(steps as u64));
            let result = cross_validate(&sets, &examples, &plan, || progress.step())?;
            progress.finish();
            if let Some(folder) = &arguments.output {
                for (set, lines) in &result.predictions {
                    let mut bytes = Vec::new();
                    for line in lines {
                        write_json_line(&mut bytes, line)?;
                    }
                    write_file(&folder.join(format!("{set}.jsonl")), &bytes)?;
                }
            }
            let report = full_report(&sets, &result);
            if let Some(folder) = &arguments.output {
                write_file(&folder.join("report.md"), report.as_bytes())?;
            }
            report
        }
    };
    let mut stdout = Output::open(None)?;
    stdout.write_all(report.as_bytes())?;
    stdout.finish()?;
    Ok(if examples.complaints.is_empty() { Exit::Done } else { Exit::PartlyFailed })
}

/// Runs the thesis' experiment, writes its files where a folder is given, and returns the report.
fn evaluate_paper(
    arguments: &EvaluateArguments,
    sets: &[DataSet],
    examples: &Examples,
) -> anyhow::Result<String> {
    let plan = PaperPlan {
        seed: arguments.learner.seed,
        splits: arguments.splits.get(),
        choice_splits: usize::from(arguments.choice_splits),
    };
    let progress = Progress::new("splits", Some((plan.splits + plan.choice_splits) as u64));
    let result = run_paper(sets, examples, plan, &|| progress.step())?;
    progress.finish();
    let report = paper_report(&result)?;
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
