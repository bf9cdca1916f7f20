//! The command `tsugi`.

use std::process::ExitCode;

fn main() -> ExitCode {
    tsugi_cli::run(std::env::args_os()).into()
}
