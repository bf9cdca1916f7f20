//! Exit codes.

use tsugi::{Document, StopReason};

/// How a run ended, for the shell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: everything was done.
    Done,
    /// 1: nothing was found.
    NothingFound,
    /// 2: the arguments are wrong, as for errors of the argument parser.
    WrongUse,
    /// 3: it failed.
    Failed,
    /// 4: part of a batch failed, or a document is incomplete.
    PartlyFailed,
    /// 130: Ctrl-C ended it, and what was there is written.
    Interrupted,
    /// Another program was run, which ended with this number.
    Other(u8),
}

impl Exit {
    /// Returns the exit of a batch with this many failures and successes.
    pub fn of_batch(failed: usize, done: usize) -> Exit {
        match (failed, done) {
            (0, 0) => Exit::NothingFound,
            (0, _) => Exit::Done,
            (_, 0) => Exit::Failed,
            (_, _) => Exit::PartlyFailed,
        }
    }

    /// Returns the number for the shell.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::NothingFound => 1,
            Exit::WrongUse => 2,
            Exit::Failed => 3,
            Exit::PartlyFailed => 4,
            Exit::Interrupted => 130,
            Exit::Other(code) => code,
        }
    }
}

/// Returns `true` if a failure cut a document short, and another run may get the rest.
pub fn is_cut_short(document: &Document) -> bool {
    // A page past the end of a series is no failure.
    !document.is_complete()
        && matches!(document.stopped.reason, StopReason::FetchFailed | StopReason::MaxTime)
}
