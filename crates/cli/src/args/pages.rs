//! Arguments of the commands that look at single pages: scan and explain.

use super::browser::BrowserArguments;
use super::document::KeepRoles;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use tsugi::Url;
use tsugi_terminal::arguments::{DetectorArguments, NetworkArguments, web_url};

/// Write next link and content of every page as JSON lines
///
/// Lines come in input order. A page that cannot be read gets a line with `error` and nulls, and the others go on. So does, with -o, a
/// page at which an earlier run with the same file was killed, if it kills tsugi again.
#[derive(Debug, Args)]
pub(crate) struct ScanArguments {
    /// WARC archives, HTML files, URLs, or `-` for stdin
    #[arg(value_name = "SOURCE", required = true)]
    pub(crate) sources: Vec<String>,
    /// Address of the page in the file or on stdin
    #[arg(long, value_name = "URL", value_parser = web_url)]
    pub(crate) url: Option<Url>,
    /// Process N pages in parallel [default: number of CPU cores]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) keep: KeepRoles,
    #[command(flatten)]
    pub(crate) detectors: DetectorArguments,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
}

/// Show what tsugi sees in a page, and why
///
/// The output has metadata with its sources, the next link and the main content, each with the best candidates, their
/// scores and the strongest reasons. A reason ends with its contribution to the score in log-odds.
#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// Page: a URL, an HTML file, or `-` for stdin
    #[arg(value_name = "SOURCE")]
    pub(crate) source: String,
    /// Address of the page in the file or on stdin
    #[arg(long, value_name = "URL", value_parser = web_url)]
    pub(crate) url: Option<Url>,
    /// Read the page from this WARC archive
    #[arg(long, value_name = "ARCHIVE")]
    pub(crate) pages: Option<PathBuf>,
    /// Show N candidates of each kind
    #[arg(long, value_name = "N", default_value = "3")]
    pub(crate) top: usize,
    #[command(flatten)]
    pub(crate) detectors: DetectorArguments,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
}
