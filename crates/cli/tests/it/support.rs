//! What the tests share, with the command under test.

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
pub(crate) use tsugi_testing::*;

pub(crate) const TSUGI: &str = env!("CARGO_BIN_EXE_tsugi");

pub(crate) fn command<A: AsRef<OsStr>>(arguments: &[A]) -> Command {
    tsugi_testing::command(TSUGI, arguments)
}

#[track_caller]
pub(crate) fn tsugi<A: AsRef<OsStr>>(arguments: &[A]) -> ProgramRun {
    run(TSUGI, arguments)
}

/// Joins what servers on the loopback interface give.
#[track_caller]
pub(crate) fn join_live(arguments: &[&str]) -> ProgramRun {
    finish(command(&live_join(arguments)).spawn().unwrap())
}

/// Returns `true` if `tsugi-lab` is beside the program under test; says so if it is not.
pub(crate) fn lab_is_built() -> bool {
    let is_built = Path::new(TSUGI).with_file_name(format!("tsugi-lab{EXE_SUFFIX}")).is_file();
    if !is_built {
        eprintln!("skipped what needs `tsugi-lab`: build it with `cargo build -p tsugi-lab`");
    }
    is_built
}
