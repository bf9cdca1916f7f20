//! What the tests share, with the command under test.

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
pub(crate) use tsugi_testing::*;

pub(crate) const TSUGI: &str = env!("CARGO_BIN_EXE_tsugi");

pub(crate) fn command<A: AsRef<OsStr>>(arguments: &[A]) -> Command {
    tsugi_testing::command(TSUGI, arguments)
}

#[track_caller]
pub(crate) fn tsugi<A: AsRef<OsStr>>(arguments: &[A]) -> ProgramRun {
    run(TSUGI, arguments)
}

/// Runs the command with these arguments and no others.
#[track_caller]
pub(crate) fn bare(arguments: &[&str]) -> ProgramRun {
    finish(command(arguments).spawn().unwrap())
}

#[track_caller]
pub(crate) fn join_live(arguments: &[&str]) -> ProgramRun {
    bare(&live_join(arguments))
}

/// Two pages of a site that asks for more patience than a test has.
pub(crate) fn patient_site() -> Vec<CannedAnswer> {
    let robots = ("/robots.txt", typed("text/plain", "User-agent: *\nCrawl-delay: 50"));
    vec![robots, ("/1", html(page("One.", Some("/2")))), ("/2", html(page("Two.", None)))]
}

/// Returns `true` if `tsugi-lab` is beside the program under test; says once if it is not.
pub(crate) fn lab_is_built() -> bool {
    static IS_BUILT: LazyLock<bool> = LazyLock::new(|| {
        let is_built = Path::new(TSUGI).with_file_name(format!("tsugi-lab{EXE_SUFFIX}")).is_file();
        if !is_built {
            let words = "skipped what needs `tsugi-lab`: build it with `cargo build -p tsugi-lab`";
            // Not `eprintln`, which is shown only for tests that fail.
            let _ = writeln!(std::io::stderr(), "{words}");
        }
        is_built
    });
    *IS_BUILT
}
