//! Arguments. Their comments are the help texts.

mod blocks;
mod lab;

pub(crate) use blocks::{
    BlocksArguments, BlocksMethod, ContentMethod, CrfArguments, LinesArguments, PageSetArguments,
    RulesArguments, UniqueArguments, UpdatedArguments,
};
pub(crate) use lab::{
    CorrectionsArgument, EvaluateArguments, Features, LabelArguments, LearnerArguments, Protocol, Task,
    TrainArguments,
};

use clap::{Parser, Subcommand};
use tsugi_terminal::arguments::VerbosityArguments;

/// Label pages, train and evaluate models, compare methods
///
/// Data goes to stdout, everything else to stderr. Exit codes: 0 done, 1 nothing found, 2 wrong use, 3 failed, 4 partly
/// failed, 130 stopped by Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "tsugi-lab", version, max_term_width = 100, args_override_self = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) verbosity: VerbosityArguments,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Label(LabelArguments),
    Train(TrainArguments),
    Evaluate(EvaluateArguments),
    Blocks(BlocksArguments),
    Updated(UpdatedArguments),
}
