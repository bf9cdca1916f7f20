//! The command `tsugi`: arguments in, calls, output and exit code.
//!
//! The libraries decide; this crate alone prints, reads the environment and the clock, and exits. Data goes to stdout,
//! everything else to stderr. [`run`] is the command; the program `tsugi` and the Python package call it. [`pipeline`] is what
//! keeps all cores busy.

mod args;
mod commands;
mod detection;
mod exit;
mod interrupt;
mod jobs;
mod journal;
mod output;
pub mod pipeline;
mod plan;
mod progress;
mod source;
mod unfinished;
mod version;
mod writing;

use args::{Arguments, Command, LabCommand};
use clap::FromArgMatches;
use clap::error::ErrorKind;
use exit::Exit;
use output::Verbosity;
use plan::{ExtractPlan, JoinPlan, Misuse, ScanPlan};
use source::without_password;
use std::ffi::OsString;
use tsugi_fetch::chain;

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
    let typed: Vec<OsString> = arguments.into_iter().collect();
    let arguments = match parse(&typed) {
        Ok(arguments) => arguments,
        Err(error) => return end(&error, &typed),
    };
    output::set_verbosity(match (arguments.verbosity.quiet, arguments.verbosity.verbose) {
        (_, true) => Verbosity::Verbose,
        (true, false) => Verbosity::Quiet,
        (false, false) => Verbosity::Normal,
    });
    interrupt::handle();
    let exit = match run_command(arguments.command) {
        Ok(exit) => exit,
        // The reader of our output has seen enough, as in `tsugi scan … | head`.
        Err(error) if is_broken_pipe(&error) => Exit::Done,
        Err(error) => {
            output::complain(&format!("error: {}", chain(error.as_ref())));
            Exit::Failed
        }
    };
    exit.code()
}

fn parse(typed: &[OsString]) -> Result<Arguments, clap::Error> {
    let matches = Arguments::whole().try_get_matches_from(typed).or_else(|error| match error.kind() {
        ErrorKind::DisplayVersion => {
            Arguments::whole().long_version(version::long()).try_get_matches_from(typed)
        }
        _ => Err(error),
    })?;
    Arguments::from_arg_matches(&matches)
}

/// Prints help, or what is wrong with the arguments; returns the exit code. Arguments that are quoted may hold the passwords
/// of addresses, and what terminals obey.
fn end(error: &clap::Error, typed: &[OsString]) -> u8 {
    let text = error.render().to_string();
    let typed: Vec<String> = typed.iter().map(|typed| typed.to_string_lossy().into_owned()).collect();
    let values = typed.iter().filter_map(|typed| Some(typed.split_once('=')?.1));
    let quoted = typed.iter().map(String::as_str).chain(values);
    let safe = quoted.fold(text.clone(), |text, typed| text.replace(typed, &without_password(typed)));
    if error.use_stderr() && (safe != text || output::has_obeyed(&text)) {
        output::complain(safe.trim_end());
    } else {
        // As clap does: who closed stdout does not want to read help.
        let _ = error.print();
    }
    u8::try_from(error.exit_code()).unwrap_or(Exit::WrongUse.code())
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
        Command::Lab(arguments) => run_lab(&arguments.command),
        Command::Completions { shell } => commands::shell::completions(shell),
        Command::Man { folder } => commands::shell::manual(&folder),
        Command::Moved(command) => {
            let name = command.name();
            output::tell(&format!(
                "`tsugi {name}` is now `tsugi lab {name}`; the next release drops the old name"
            ));
            run_lab(&command)
        }
    }
}

fn run_lab(command: &LabCommand) -> anyhow::Result<Exit> {
    match command {
        #[cfg(feature = "lab")]
        LabCommand::Label(arguments) => commands::label::run(arguments),
        #[cfg(feature = "lab")]
        LabCommand::Train(arguments) => commands::train::run(arguments),
        #[cfg(feature = "lab")]
        LabCommand::Evaluate(arguments) => commands::evaluate::run(arguments),
        LabCommand::Blocks(arguments) => commands::blocks::run(arguments),
        LabCommand::Updated(arguments) => commands::updated::run(arguments),
    }
}

/// Runs a plan, or reports why there is none.
fn planned<P>(plan: Result<P, Misuse>, run: impl FnOnce(P) -> anyhow::Result<Exit>) -> anyhow::Result<Exit> {
    plan.map_or_else(|Misuse(misuse)| Ok(output::refuse(&misuse)), run)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kinds = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    kinds.into_iter().any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
