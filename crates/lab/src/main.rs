//! The program `tsugi-lab`.

use std::process::ExitCode;

fn main() -> ExitCode {
    tsugi_lab::run(std::env::args_os()).into()
}
