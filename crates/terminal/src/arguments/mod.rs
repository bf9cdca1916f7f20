//! Arguments that several commands have. Their comments are the help texts.

mod detectors;
mod network;
mod values;

pub use detectors::{DetectorArguments, ModelArguments};
pub use network::{NetworkArguments, seconds};
pub use values::{score, time_limit, web_url};

use clap::Args;

/// How much to say
#[derive(Debug, Args)]
pub struct VerbosityArguments {
    /// Print errors only
    #[arg(short, long, global = true, display_order = 100)]
    pub quiet: bool,
    /// Print details, too
    #[arg(short, long, global = true, overrides_with = "quiet", display_order = 101)]
    pub verbose: bool,
}
