//! The command `tsugi`: arguments in, calls, output and exit code.
//!
//! The libraries decide. [`run`] is the command; the program `tsugi` and the Python package call it.

mod args;
mod begun;
mod commands;
mod drawing;
mod jobs;
mod journal;
mod killers;
mod pdf;
mod plan;
mod settings;
mod unfinished;
mod writing;

use args::{Arguments, Command};
use clap::CommandFactory;
use plan::{ExtractPlan, JoinPlan, Misuse, ScanPlan};
use settings::Settings;
use std::ffi::OsString;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::{output, program};

/// Runs the command; `arguments` begin with its name. Returns the exit code.
///
/// From the first call on, Ctrl-C ends the process in the way of the command. So this is for programs that are the command
/// by another name, such as `python -m tsugi`.
///
/// # Examples
///
/// ```
/// assert_eq!(tsugi_cli::run(["tsugi", "join", "--max-pages", "none"].map(Into::into)), 2);
/// ```
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let settings = match Settings::read() {
        Ok(settings) => settings,
        Err(problem) => return output::refuse(&problem).code(),
    };
    program::run(
        arguments,
        || settings.apply(Arguments::command()),
        |arguments: &Arguments| &arguments.verbosity,
        |arguments| run_command(arguments.command),
    )
}

fn run_command(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Join(arguments) => planned(JoinPlan::of(*arguments), |plan| commands::join::run(&plan)),
        Command::Extract(arguments) => {
            planned(ExtractPlan::of(*arguments), |plan| commands::extract::run(&plan))
        }
        Command::Scan(arguments) => planned(ScanPlan::of(arguments), commands::scan::run),
        Command::Explain(arguments) => commands::explain::run(arguments),
        Command::Siteinfo(arguments) => commands::siteinfo::run(&arguments),
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => commands::serve::run(*arguments),
        #[cfg(feature = "serve")]
        Command::Mcp(arguments) => commands::serve::run_mcp(*arguments),
        Command::Lab { arguments } => commands::lab::run(&arguments),
        Command::Completions { shell } => commands::shell::completions(shell),
        Command::Man { folder } => commands::shell::manual(&folder),
    }
}

fn planned<P>(plan: Result<P, Misuse>, run: impl FnOnce(P) -> anyhow::Result<Exit>) -> anyhow::Result<Exit> {
    plan.map_or_else(|Misuse(misuse)| Ok(output::refuse(&misuse)), run)
}
