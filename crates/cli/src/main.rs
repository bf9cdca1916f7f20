//! The command `tsugi`: arguments in, calls, output and exit code.
//!
//! Nothing is decided here: detectors, following, training and evaluation are the libraries'. This crate alone
//! prints, reads the environment and the clock, and exits. Data goes to stdout, all else to stderr.

mod args;
mod commands;
mod detectors;
mod exit;
mod jobs;
mod journal;
mod output;
mod pipeline;
mod progress;

use args::{Arguments, Command};
use clap::Parser;
use exit::Exit;
use std::process::ExitCode;
use tsugi_experiments::chain;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match &arguments.command {
        Command::Join(arguments) => commands::join::run(arguments),
        Command::Scan(arguments) => commands::scan::run(arguments),
        Command::Explain(arguments) => commands::explain::run(arguments),
        Command::Label(arguments) => commands::label::run(arguments),
        Command::Train(arguments) => commands::train::run(arguments),
        Command::Evaluate(arguments) => commands::evaluate::run(arguments),
        Command::Blocks(arguments) => commands::blocks::run(arguments),
        Command::Updated(arguments) => commands::updated::run(arguments),
        Command::Siteinfo(arguments) => commands::siteinfo::run(arguments),
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

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kinds = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    kinds.into_iter().any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
