//! Arguments. Their comments are the help texts.
//!
//! The first paragraph of a comment is what `-h` shows; `--help` shows all of it. Options that few people need on a first
//! day are left out of `-h`, which fits a screen of 80 × 24.

mod browser;
mod document;
mod pages;
#[cfg(feature = "serve")]
mod serve;
mod siteinfo;

pub(crate) use browser::{BrowserArguments, BrowserUse};
pub(crate) use document::{
    CommentsArgument, DocumentArguments, ExtractArguments, FileNames, FrontMatter, ImagesArgument,
    JoinArguments, KeepArgument, OutputFormat, PageMarksArgument, RelationArgument, SinglePage, USUAL_FORMAT,
};
pub(crate) use pages::{ExplainArguments, ScanArguments};
#[cfg(feature = "serve")]
pub(crate) use serve::{McpArguments, ServeArguments};
pub(crate) use siteinfo::{
    CheckArguments, ContentTeacher, LearnArguments, RuleFormat, SiteinfoArguments, SiteinfoCommand,
    SiteinfoUpdateArguments,
};

use clap::{Parser, Subcommand};
use clap_complete::Shell;
use std::ffi::OsString;
use std::path::PathBuf;
use tsugi_terminal::arguments::VerbosityArguments;

/// Join the pages of a paginated web article into one document
///
/// Given the first page, tsugi finds the next-page link, takes the main content of every page, and writes one document.
/// Both steps are learned, so it works on sites that nobody wrote a rule for.
///
/// Data goes to stdout, everything else to stderr. Exit codes: 0 done, 1 nothing found, 2 wrong use, 3 failed, 4 partly
/// failed (part of a batch, or an incomplete document), 130 stopped by Ctrl-C.
///
/// The file `~/.config/tsugi/config.toml` can set defaults: `user-agent`, `delay`, `format` and `rules`. `TSUGI_CONFIG` names
/// another file, or none if it is empty.
#[derive(Debug, Parser)]
#[command(name = "tsugi", version, max_term_width = 100, args_override_self = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) verbosity: VerbosityArguments,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Join(Box<JoinArguments>),
    Extract(Box<ExtractArguments>),
    Scan(ScanArguments),
    Explain(ExplainArguments),
    Siteinfo(SiteinfoArguments),
    #[cfg(feature = "serve")]
    Serve(Box<ServeArguments>),
    #[cfg(feature = "serve")]
    Mcp(Box<McpArguments>),
    /// Label pages, train and evaluate models, compare methods
    ///
    /// It is the program `tsugi-lab`, beside this one or on the PATH: `tsugi lab train …` is `tsugi-lab train …`.
    #[command(disable_help_flag = true)]
    Lab {
        /// What to pass on
        #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true, num_args = 0..)]
        arguments: Vec<OsString>,
    },
    /// Print a completion script for a shell
    ///
    /// For example, `tsugi completions bash > ~/.local/share/bash-completion/completions/tsugi`.
    Completions {
        /// Shell to complete for
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
    /// Write the manual pages
    ///
    /// There is one page for tsugi and one for each command: `tsugi.1`, `tsugi-join.1` and so on.
    Man {
        /// Write to this folder; it is created if it does not exist
        #[arg(short = 'o', long = "output", value_name = "DIR", default_value = ".")]
        folder: PathBuf,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn visit(command: &clap::Command, path: &str, visit_one: &mut impl FnMut(&str, &clap::Command)) {
        visit_one(path, command);
        for below in command.get_subcommands() {
            visit(below, &format!("{path} {}", below.get_name()), visit_one);
        }
    }

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn short_help_fits_a_screen() {
        let mut whole = Arguments::command().term_width(80);
        whole.build();
        visit(&whole, "tsugi", &mut |path, command| {
            let help = command.clone().render_help().to_string();
            let lines: Vec<&str> = help.lines().collect();
            assert!(lines.len() <= 24, "{path} -h has {} lines:\n{help}", lines.len());
            let widest = lines.iter().map(|line| line.chars().count()).max();
            assert!(widest <= Some(80), "{path} -h is {widest:?} wide:\n{help}");
        });
    }

    #[test]
    fn help_lines_are_short_imperative_sentences() {
        let mut whole = Arguments::command();
        whole.build();
        visit(&whole, "tsugi", &mut |path, command| {
            let about = command.get_about().map(ToString::to_string);
            let arguments = command.get_arguments().map(|argument| {
                let help = argument.get_help().map(ToString::to_string);
                (format!("{path} {}", argument.get_id()), help)
            });
            for (what, help) in arguments.chain([(path.to_owned(), about)]) {
                let help = help.unwrap_or_else(|| panic!("{what} has no help"));
                assert!(help.chars().count() < 100, "{what}: {} characters: {help}", help.chars().count());
                assert!(!help.ends_with('.') && help.starts_with(char::is_uppercase), "{what}: {help}");
            }
        });
    }
}
