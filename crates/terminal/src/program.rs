//! From the typed arguments to the exit code.

use crate::arguments::VerbosityArguments;
use crate::exit::Exit;
use crate::interrupt;
use crate::output::{self, Verbosity};
use crate::source::without_password;
pub use crate::version::long as long_version;
use clap::FromArgMatches;
use clap::error::ErrorKind;
use std::ffi::OsString;

/// Runs a program; `typed` begins with its name. Returns the exit code.
///
/// `command` returns its command line, `verbosity` how much it says, and `act` does the work. From the first call on, Ctrl-C
/// ends the process.
pub fn run<A: FromArgMatches>(
    typed: impl IntoIterator<Item = OsString>,
    command: impl Fn() -> clap::Command,
    verbosity: impl FnOnce(&A) -> &VerbosityArguments,
    act: impl FnOnce(A) -> anyhow::Result<Exit>,
) -> u8 {
    let typed: Vec<OsString> = typed.into_iter().collect();
    let arguments: A = match parse(&typed, command) {
        Ok(arguments) => arguments,
        Err(error) => return end(&error, &typed),
    };
    let wanted = verbosity(&arguments);
    output::set_verbosity(match (wanted.quiet, wanted.verbose) {
        (_, true) => Verbosity::Verbose,
        (true, false) => Verbosity::Quiet,
        (false, false) => Verbosity::Normal,
    });
    interrupt::handle();
    let exit = match act(arguments) {
        Ok(exit) => exit,
        // The reader of our output has seen enough, as in `tsugi scan … | head`.
        Err(error) if is_broken_pipe(&error) => Exit::Done,
        Err(error) => {
            output::complain(&format!("error: {}", output::error_line(error.as_ref())));
            Exit::Failed
        }
    };
    exit.code()
}

fn parse<A: FromArgMatches>(
    typed: &[OsString],
    command: impl Fn() -> clap::Command,
) -> Result<A, clap::Error> {
    let matches = command().try_get_matches_from(typed).or_else(|error| match error.kind() {
        // The long version takes a digest of every model.
        ErrorKind::DisplayVersion => command().long_version(long_version()).try_get_matches_from(typed),
        _ => Err(error),
    })?;
    A::from_arg_matches(&matches)
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

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kinds = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    kinds.into_iter().any(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
