//! `tsugi evaluate`: a report, split by site.

use crate::args::{EvaluateArguments, Protocol, Task};
use crate::commands::train::{params, read_data};
use crate::exit::Exit;
use crate::output::{Output, write_file};
use crate::progress::Progress;
use anyhow::Context;
use std::io::Write;
use tsugi_experiments::{CrossValidation, cross_validate, full_report, paper_report, run_paper};

pub(crate) fn run(arguments: &EvaluateArguments) -> anyhow::Result<Exit> {
    let (sets, examples) = read_data(&arguments.data)?;
    if let Some(folder) = &arguments.output {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    }
    let report = match arguments.protocol {
        Protocol::Paper => paper_report(&run_paper(&examples, arguments.learner.seed)?),
        Protocol::Full => {
            let plan = CrossValidation {
                links: params(&arguments.learner, Task::NextLink),
                content: params(&arguments.learner, Task::Content),
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
                        serde_json::to_writer(&mut bytes, line)?;
                        bytes.push(b'\n');
                    }
                    write_file(&folder.join(format!("{set}.jsonl")), &bytes)?;
                }
            }
            full_report(&result)
        }
    };
    if let Some(folder) = &arguments.output {
        write_file(&folder.join("report.md"), report.as_bytes())?;
    }
    let mut stdout = Output::open(None)?;
    stdout.write_all(report.as_bytes())?;
    stdout.finish()?;
    Ok(if examples.complaints.is_empty() { Exit::Done } else { Exit::PartlyFailed })
}
