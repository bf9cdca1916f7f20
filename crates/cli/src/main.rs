//! The command `tsugi`: arguments in, calls, output and exit code.
//!
//! Nothing is decided here: detectors, following, training and evaluation are the libraries'. This crate alone
//! prints, reads the environment and the clock, and exits. Data goes to stdout, all else to stderr.

mod args;
mod commands;
mod detection;
mod exit;
mod interrupt;
mod jobs;
mod journal;
mod output;
mod pipeline;
mod plan;
mod progress;
mod source;

use args::{Arguments, Command};
use clap::Parser;
use exit::Exit;
use plan::{JoinPlan, Misuse, ScanPlan};
use std::process::ExitCode;
use tsugi_fetch::chain;

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Join(arguments) => planned(JoinPlan::of(arguments), |plan| commands::join::run(&plan)),
        Command::Scan(arguments) => planned(ScanPlan::of(arguments), commands::scan::run),
        Command::Explain(arguments) => commands::explain::run(arguments),
        #[cfg(feature = "lab")]
        Command::Label(arguments) => commands::label::run(&arguments),
        #[cfg(feature = "lab")]
        Command::Train(arguments) => commands::train::run(&arguments),
        #[cfg(feature = "lab")]
        Command::Evaluate(arguments) => commands::evaluate::run(&arguments),
        Command::Blocks(arguments) => commands::blocks::run(&arguments),
        Command::Updated(arguments) => commands::updated::run(&arguments),
        Command::Siteinfo(arguments) => commands::siteinfo::run(&arguments),
    };
    match done {
        Ok(exit) => exit.into(),
        // Who reads our output has seen enough, as in `tsugi scan … | head`.
        Err(error) if is_broken_pipe(&error) => Exit::Done.into(),
        Err(error) => {
            output::complain(&format!("error: {}", chain(error.as_ref())));
            Exit::Failed.into()
        }
    }
}

/// Does what is planned, or says why there is no plan.
fn planned<P>(plan: Result<P, Misuse>, run: impl FnOnce(P) -> anyhow::Result<Exit>) -> anyhow::Result<Exit> {
    plan.map_or_else(|Misuse(misuse)| Ok(output::refuse(&misuse)), run)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kinds = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    kinds.into_iter().any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
