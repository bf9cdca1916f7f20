//! Arguments of `siteinfo`: rules for single sites.

use clap::{Args, Subcommand, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use tsugi_terminal::arguments::{ModelArguments, NetworkArguments};

/// Fetch, check and learn rules for single sites
///
/// Siteinfo is the rule format of AutoPagerize: XPath for the next link and the content of a site. Wedata is the public
/// collection of such rules, and one rule is an item.
#[derive(Debug, Args)]
pub(crate) struct SiteinfoArguments {
    #[command(subcommand)]
    pub(crate) command: SiteinfoCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SiteinfoCommand {
    Update(SiteinfoUpdateArguments),
    /// Show the stored dump: path, date, number of items
    Show,
    Check(CheckArguments),
    Learn(LearnArguments),
}

/// List the items that cannot be used, and why
///
/// Each line has the item's position in the file (from 0), its name, its field, the reason, and the expression with a
/// caret under the spot. An item is still used if only its `insertBefore` is unusable; that is a warning. A summary of each
/// file follows (on stderr with --json).
///
/// Exit codes: 0 all items can be used, 1 there are no items, 3 a file cannot be read, 4 some items cannot be used.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// Files of rules: JSON arrays of items, as Wedata serves them or bare, single items, site configs
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Write one JSON object a line
    ///
    /// Its fields are `file`, `index`, `name`, `usable`, `field`, `reason`, `expression`, `at` (characters).
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a Markdown table without the expressions
    #[arg(long, conflicts_with = "json")]
    pub(crate) list: bool,
}

/// Fetch the Wedata dump, for `--rules wedata`
///
/// The dump is kept in the user's data folder. An unchanged dump is not fetched again. A broken dump, or one that lost half
/// of its items, does not replace the stored one.
#[derive(Debug, Args)]
pub(crate) struct SiteinfoUpdateArguments {
    /// Fetch the dump from this address instead of Wedata
    #[arg(long, value_name = "URL")]
    pub(crate) from: Option<String>,
    /// Accept a dump with fewer than half as many usable items as the stored one
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
}

/// Learn a rule for a site from what the models find on its pages
///
/// For a URL, the pages that follow it are fetched and used too; several URLs of one host are used together. Archives hold
/// pages with their addresses. The address of an HTML file is read from the file (a canonical link, `og:url`, or the note
/// that a browser adds when it saves a page). Pages are grouped by host, ignoring `www.`.
///
/// The rule is compared with the models on every page. Pages where the two differ are named on stderr: on such a page the
/// models may be wrong and the rule right. A rule that was never tried on a last page is named too.
///
/// Exit codes: 0 every host learned, and rules and models agree on every page; 1 nothing learned; 2 wrong use; 3 no page
/// could be read; 4 a page or host could not be used, or rule and models differ on a page (the rules are written all the
/// same).
#[derive(Debug, Args)]
pub(crate) struct LearnArguments {
    /// URLs, HTML files or WARC archives
    #[arg(value_name = "SOURCE", required = true)]
    pub(crate) sources: Vec<String>,
    /// Write to this file instead of stdout
    ///
    /// With -f fivefilters it may be a folder, which gets one file HOST.txt for each host.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Format of the rules
    #[arg(short, long, value_name = "FORMAT", default_value = "wedata")]
    pub(crate) format: RuleFormat,
    /// Use at most N pages per URL [default: 10] and per host [default: 20]
    ///
    /// The pages of a host are chosen evenly; the rule is compared on all of them.
    #[arg(long, value_name = "N")]
    pub(crate) max_pages: Option<NonZeroUsize>,
    /// Learn which part of a page is content from this method
    #[arg(long, value_name = "TEACHER", default_value = "model")]
    pub(crate) content: ContentTeacher,
    /// Write only rules that agree with the models on every page
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) models: ModelArguments,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContentTeacher {
    /// The content model
    Model,
    /// CSS rules learned from blocks that only one page of the site has; needs several pages
    Rules,
}

#[expect(clippy::doc_markdown, reason = "these comments are the help, which has no markup")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RuleFormat {
    /// JSON array of Wedata items, which --rules reads
    Wedata,
    /// FiveFilters site config (Full-Text RSS, graby, wallabag), which --rules reads: one file per host
    Fivefilters,
    /// JSON array with CSS selectors, which --rules reads; null where no selector is equivalent
    Css,
}
