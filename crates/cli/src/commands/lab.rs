//! `tsugi lab`: runs the program `tsugi-lab`, as git and cargo run theirs.

use anyhow::{Context, anyhow};
use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::complain;

const MISSING: &str = "`tsugi-lab` is neither beside tsugi nor on the PATH; in a clone of the repository, install it with \
                       `cargo install --path crates/lab`";

pub(crate) fn run(arguments: &[OsString]) -> anyhow::Result<Exit> {
    let name = format!("tsugi-lab{EXE_SUFFIX}");
    let beside = std::env::current_exe().ok().map(|tsugi| tsugi.with_file_name(&name));
    let program = beside.filter(|beside| beside.is_file()).unwrap_or_else(|| PathBuf::from(name));
    match Command::new(&program).args(arguments).status() {
        // A program that a signal ended has no code.
        Ok(status) => status
            .code()
            .and_then(|code| u8::try_from(code).ok())
            .map(Exit::Other)
            .ok_or_else(|| anyhow!("`{}` was ended: {status}", program.display())),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            complain(&format!("error: {MISSING}"));
            Ok(Exit::Failed)
        }
        Err(error) => Err(error).with_context(|| format!("cannot run `{}`", program.display())),
    }
}
