//! What the tests share, with the command under test.

use std::ffi::OsStr;
use std::process::Command;
pub(crate) use tsugi_testing::*;

const TSUGI: &str = env!("CARGO_BIN_EXE_tsugi");

pub(crate) fn command<A: AsRef<OsStr>>(arguments: &[A]) -> Command {
    tsugi_testing::command(TSUGI, arguments)
}

#[track_caller]
pub(crate) fn tsugi<A: AsRef<OsStr>>(arguments: &[A]) -> Run {
    run(TSUGI, arguments)
}

/// Joins what servers on the loopback interface give.
#[track_caller]
pub(crate) fn join_live(arguments: &[&str]) -> Run {
    finish(command(&live_join(arguments)).spawn().unwrap())
}
