//! Arguments. Their comments are the help texts.
//!
//! The first paragraph of a comment is what `-h` shows; `--help` shows all of it. Options that few people need on a first
//! day are left out of `-h`, which fits a screen of 80 × 24.

mod blocks;
mod detectors;
mod document;
#[cfg(feature = "lab")]
mod lab;
mod network;
mod pages;
#[cfg(feature = "serve")]
mod serve;
mod siteinfo;
mod values;

pub(crate) use blocks::{
    BlocksArguments, BlocksMethod, ContentMethod, CrfArguments, LinesArguments, PageSetArguments,
    RulesArguments, UniqueArguments, UpdatedArguments,
};
pub(crate) use detectors::{DetectorArguments, ModelArguments};
pub(crate) use document::{
    CommentsArgument, DocumentArguments, ExtractArguments, FrontMatter, ImagesArgument, JoinArguments, Keep,
    Names, OutputFormat, RelationArgument, SinglePage,
};
#[cfg(feature = "lab")]
pub(crate) use lab::{
    CorrectionsArgument, EvaluateArguments, Features, LabelArguments, LearnerArguments, Protocol, Task,
    TrainArguments,
};
pub(crate) use network::NetworkArguments;
pub(crate) use pages::{ExplainArguments, ScanArguments};
#[cfg(feature = "serve")]
pub(crate) use serve::{McpArguments, ServeArguments};
pub(crate) use siteinfo::{
    CheckArguments, ContentTeacher, LearnArguments, RuleFormat, SiteinfoArguments, SiteinfoCommand,
    SiteinfoUpdateArguments,
};

use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

/// Join the pages of a paginated web article into one document
///
/// Given the first page, tsugi finds the next-page link, takes the main content of every page, and writes one document.
/// Both steps are learned, so it works on sites that nobody wrote a rule for.
///
/// Data goes to stdout, everything else to stderr. Exit codes: 0 done, 1 nothing found, 2 wrong use, 3 failed, 4 partly
/// failed (part of a batch, or an incomplete document), 130 stopped by Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "tsugi", version, max_term_width = 100, args_override_self = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) verbosity: VerbosityArguments,
}

impl Arguments {
    /// Returns the whole command line, without the long version, which takes a digest of every model.
    pub(crate) fn whole() -> clap::Command {
        let command = Arguments::command();
        // The names that commands had before they moved under `lab`.
        LabCommand::augment_subcommands(clap::Command::new("lab"))
            .get_subcommands()
            .fold(command, |command, moved| command.mut_subcommand(moved.get_name(), |old| old.hide(true)))
    }
}

/// How much to say
#[derive(Debug, Args)]
pub(crate) struct VerbosityArguments {
    /// Print errors only
    #[arg(short, long, global = true, display_order = 100)]
    pub(crate) quiet: bool,
    /// Print every request, and the score of every page
    #[arg(short, long, global = true, overrides_with = "quiet", display_order = 101)]
    pub(crate) verbose: bool,
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
    Lab(LabArguments),
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
    /// Commands of the laboratory under the names they had before.
    #[command(flatten)]
    Moved(LabCommand),
}

/// Label pages, train and evaluate models, compare methods
#[derive(Debug, Args)]
pub(crate) struct LabArguments {
    #[command(subcommand)]
    pub(crate) command: LabCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LabCommand {
    #[cfg(feature = "lab")]
    Label(LabelArguments),
    #[cfg(feature = "lab")]
    Train(TrainArguments),
    #[cfg(feature = "lab")]
    Evaluate(EvaluateArguments),
    Blocks(BlocksArguments),
    Updated(UpdatedArguments),
}

impl LabCommand {
    /// Returns the name of the command.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            #[cfg(feature = "lab")]
            LabCommand::Label(_) => "label",
            #[cfg(feature = "lab")]
            LabCommand::Train(_) => "train",
            #[cfg(feature = "lab")]
            LabCommand::Evaluate(_) => "evaluate",
            LabCommand::Blocks(_) => "blocks",
            LabCommand::Updated(_) => "updated",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visit(command: &clap::Command, path: &str, visit_one: &mut impl FnMut(&str, &clap::Command)) {
        visit_one(path, command);
        for below in command.get_subcommands() {
            visit(below, &format!("{path} {}", below.get_name()), visit_one);
        }
    }

    #[test]
    fn the_command_line_is_sound() {
        Arguments::whole().debug_assert();
    }

    #[test]
    fn short_help_fits_a_screen() {
        let mut whole = Arguments::whole().term_width(80);
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
        let mut whole = Arguments::whole();
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

    #[test]
    fn commands_of_the_laboratory_keep_their_old_names_out_of_sight() {
        let whole = Arguments::whole();
        let (hidden, shown): (Vec<_>, Vec<_>) =
            whole.get_subcommands().partition(|command| command.is_hide_set());
        let names = |commands: &[&clap::Command]| -> Vec<String> {
            commands.iter().map(|command| command.get_name().to_owned()).collect()
        };
        let lab = whole.find_subcommand("lab").unwrap().get_subcommands().collect::<Vec<_>>();
        assert_eq!(names(&hidden), names(&lab));
        assert_eq!(
            names(&shown),
            ["join", "extract", "scan", "explain", "siteinfo", "serve", "mcp", "lab", "completions", "man"]
        );
    }
}
