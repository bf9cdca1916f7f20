//! `tsugi completions` and `tsugi man`: what a shell and a manual know of the command.

use crate::args::Arguments;
use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::Write;
use std::path::Path;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{Output, tell, write_file};
use tsugi_terminal::program;

pub(crate) fn completions(shell: Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "tsugi", &mut script);
    let mut out = Output::open(None)?;
    out.write_all(&script)?;
    out.finish()?;
    Ok(Exit::Done)
}

/// Writes a manual page for the command, and one for each command below it that help shows.
pub(crate) fn manual(folder: &Path) -> anyhow::Result<Exit> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder `{}`", folder.display()))?;
    let mut whole = Arguments::command().long_version(program::long_version()).disable_help_subcommand(true);
    whole.build();
    let count = write_manual(&whole, "tsugi", folder)?;
    tell(&format!("{}: {count} manual pages", folder.display()));
    Ok(Exit::Done)
}

fn write_manual(command: &clap::Command, name: &str, folder: &Path) -> anyhow::Result<usize> {
    // The commands below have pages of their own, named like this one.
    let mut page = Vec::new();
    Man::new(command.clone().name(name.to_owned()).display_name(name.to_owned())).render(&mut page)?;
    write_file(&folder.join(format!("{name}.1")), &page)?;
    let shown = command.get_subcommands().filter(|below| !below.is_hide_set());
    shown
        .map(|below| write_manual(below, &format!("{name}-{}", below.get_name()), folder))
        .try_fold(1, |count, written| Ok(count + written?))
}
