//! The program `tsugi-lab`: labels pages, trains and evaluates models, compares methods.

mod arguments;
mod commands;
#[cfg(feature = "papers")]
mod papers;

use arguments::{LabArguments, LabCommand};
use clap::CommandFactory;
use std::ffi::OsString;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::program;

/// Runs the program; `arguments` begin with its name. Returns the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    program::run(
        arguments,
        LabArguments::command,
        |arguments: &LabArguments| &arguments.verbosity,
        |arguments| run_command(&arguments.command),
    )
}

fn run_command(command: &LabCommand) -> anyhow::Result<Exit> {
    match command {
        LabCommand::Fetch(arguments) => commands::fetch::run(arguments),
        LabCommand::Label(arguments) => commands::label::run(arguments),
        LabCommand::Train(arguments) => commands::train::run(arguments),
        LabCommand::Evaluate(arguments) if arguments.judges() => commands::judge::run(arguments),
        LabCommand::Evaluate(arguments) => commands::evaluate::run(arguments),
        LabCommand::Agreement(arguments) => commands::agreement::run(arguments),
        #[cfg(feature = "papers")]
        LabCommand::Blocks(arguments) => papers::blocks::run(arguments),
        #[cfg(feature = "papers")]
        LabCommand::Features(arguments) => papers::features::run(arguments),
        #[cfg(feature = "papers")]
        LabCommand::Thesis(arguments) => papers::thesis::run(arguments),
        #[cfg(feature = "papers")]
        LabCommand::Updated(arguments) => papers::updated::run(arguments),
    }
}
