//! The program `tsugi-lab`: labels pages, trains and evaluates models, compares methods.

mod arguments;
mod commands;

use arguments::{Arguments, Command};
use clap::CommandFactory;
use std::ffi::OsString;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::program;

/// Runs the program; `arguments` begin with its name. Returns the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    program::run(
        arguments,
        Arguments::command,
        |arguments: &Arguments| &arguments.verbosity,
        |arguments| run_command(&arguments.command),
    )
}

fn run_command(command: &Command) -> anyhow::Result<Exit> {
    match command {
        Command::Label(arguments) => commands::label::run(arguments),
        Command::Train(arguments) => commands::train::run(arguments),
        Command::Evaluate(arguments) => commands::evaluate::run(arguments),
        Command::Blocks(arguments) => commands::blocks::run(arguments),
        Command::Updated(arguments) => commands::updated::run(arguments),
    }
}
