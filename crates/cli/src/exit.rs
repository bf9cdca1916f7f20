//! Exit codes.

use std::process::ExitCode;

/// How a run ended, as told to the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything was done: 0.
    Done,
    /// Nothing was found: 1.
    NothingFound,
    /// The arguments do not go together: 2, as where the parser of arguments finds that.
    WrongUse,
    /// It failed: 3.
    Failed,
    /// Some of a batch failed, or a document is not whole: 4.
    PartlyFailed,
    /// Ctrl-C ended it, and what was held is written: 130, as shells count a signal.
    Interrupted,
}

impl Exit {
    /// The exit of a batch of which so many items failed and so many did not.
    pub(crate) fn of_batch(failed: usize, done: usize) -> Exit {
        match (failed, done) {
            (0, 0) => Exit::NothingFound,
            (0, _) => Exit::Done,
            (_, 0) => Exit::Failed,
            (_, _) => Exit::PartlyFailed,
        }
    }

    /// The number that the shell gets.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::NothingFound => 1,
            Exit::WrongUse => 2,
            Exit::Failed => 3,
            Exit::PartlyFailed => 4,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
