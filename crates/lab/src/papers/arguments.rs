//! Arguments of the papers' methods. Their comments are the help texts.

use clap::{Args, Subcommand, ValueEnum};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use tsugi_terminal::arguments::{ModelArguments, NetworkArguments, score};

/// How often to repeat the thesis' experiment
#[derive(Debug, Args)]
pub(crate) struct ThesisArguments {
    /// Splits of `paper`, including the thesis' single one
    #[arg(long, value_name = "N", default_value = "20", hide_short_help = true)]
    pub(crate) splits: NonZeroUsize,
    /// Splits on which `paper` measures the choices that the thesis leaves open
    #[arg(long, value_name = "N", default_value = "20", hide_short_help = true)]
    pub(crate) choice_splits: u8,
}

/// Find content block by block, by comparing pages of a site or by chains
#[derive(Debug, Args)]
pub(crate) struct BlocksArguments {
    #[command(subcommand)]
    pub(crate) method: BlocksMethod,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BlocksMethod {
    Unique(UniqueArguments),
    Repeated(PageSetArguments),
    Rules(RulesArguments),
    Crf(CrfArguments),
}

/// Keep the blocks that no other page of the site has, one JSON line a page
///
/// Near-duplicate pages are not compared with each other, and every page with text or an image keeps at least one block
/// (Yoshida & Yamamoto 2009). A host with a single page gets `error`: nothing can be compared.
#[derive(Debug, Args)]
pub(crate) struct UniqueArguments {
    #[command(flatten)]
    pub(crate) pages: PageSetArguments,
    /// Follow the paper: compare near-duplicates too, and allow pages without content
    #[arg(long)]
    pub(crate) as_published: bool,
    /// Compare the pages of all hosts with each other, not only those of one host
    #[arg(long)]
    pub(crate) across_sites: bool,
    /// Also keep blocks near the content that state a date and little else
    ///
    /// Other articles of the same day have the same date, so that no page has it alone.
    #[arg(long)]
    pub(crate) dates: bool,
}

/// Learn CSS rules from a few pages of each site and apply them, one JSON line a page
///
/// The rules of a site say where the unique blocks of its first pages are: below which `id` or class that each page has
/// exactly once (Yoshida, Inui & Yamamoto). With --print the rules are written instead of the pages, one JSON line a site:
/// as CSS, as XPath, and one by one, which --rules reads. Learn from pages of the kind you want to read: rules learned from
/// lists seldom fit articles. With --evaluate, the pages learned from are not measured.
#[derive(Debug, Args)]
pub(crate) struct RulesArguments {
    #[command(flatten)]
    pub(crate) pages: PageSetArguments,
    /// Learn from N pages of each site, at least 2; they are held in memory together
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u16).range(2..))]
    pub(crate) learn_from: u16,
    /// Learn from pages spread evenly over the site instead of the first ones
    #[arg(long)]
    pub(crate) spread: bool,
    /// Follow the paper: learn from plain unique blocks, as `unique --as-published` finds them
    #[arg(long)]
    pub(crate) as_published: bool,
    /// Write the rules instead of applying them
    #[arg(long, conflicts_with = "evaluate")]
    pub(crate) print: bool,
    /// Apply these rules, which --print wrote, instead of learning
    ///
    /// The archive is read once. A page of a site without rules gets `error`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["learn_from", "spread", "as_published", "print"])]
    pub(crate) rules: Option<PathBuf>,
}

/// Keep text without the strings that a site repeats, one JSON line a page
///
/// Strings between tags that occur at least twice, next to at least one other such string, are menus, advertisements or
/// latest news (Kurishima et al.). Images do not count as text. A host with a single page gets `error`: nothing can be compared.
#[derive(Debug, Args)]
pub(crate) struct PageSetArguments {
    /// WARC archive; the pages of each host are compared
    ///
    /// The archive is read more than once. Only the first capture of a page counts.
    #[arg(value_name = "ARCHIVE")]
    pub(crate) pages: PathBuf,
    #[command(flatten)]
    pub(crate) lines: LinesArguments,
}

/// Label the blocks of single pages with chains (CRF), one JSON line a page
///
/// A page is cut at `body`, `div`, `p` and `td`. One chain (a conditional random field) labels the blocks that hold text
/// themselves, another the blocks around them. Then, from the innermost outwards, each block is judged together with the
/// blocks right below it: with a large share of content all of them become content, with a small share the block is
/// dropped (Fujita, Yasuda, Katafuchi & Kataoka).
#[derive(Debug, Args)]
pub(crate) struct CrfArguments {
    /// WARC archives, HTML files or URLs
    ///
    /// Only the first capture of a page in an archive counts.
    #[arg(value_name = "SOURCE", required = true)]
    pub(crate) sources: Vec<String>,
    /// Use these chains, which `tsugi-lab train crf` writes, instead of the built-in ones
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// Use each block's own label; ignore the blocks around it
    #[arg(long, conflicts_with_all = ["upper", "lower"])]
    pub(crate) first: bool,
    /// Keep a block and those below above this share of content [default: the model's]
    #[arg(long, value_name = "X", value_parser = score::<f64>)]
    pub(crate) upper: Option<f64>,
    /// Drop a block below this share of content [default: the model's]
    #[arg(long, value_name = "Y", value_parser = score::<f64>)]
    pub(crate) lower: Option<f64>,
    #[command(flatten)]
    pub(crate) lines: LinesArguments,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
}

/// Where the lines go, and what they are measured by
#[derive(Debug, Args)]
pub(crate) struct LinesArguments {
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Measure by these labels (`labels.jsonl` of a data set)
    ///
    /// A table of blocks (C content, N kept, R both; precision, recall, F), of the share of pages without a wrong block and of
    /// characters goes to stdout, and one of texts (tokens, BLEU-4, ROUGE-2), which also has pages whose label is a text alone.
    /// Lines are written only with -o. Pages without labelled content are not measured.
    #[arg(long, value_name = "LABELS")]
    pub(crate) evaluate: Option<PathBuf>,
}

impl LinesArguments {
    /// Returns the labels to measure by.
    pub(crate) fn labels(&self) -> Option<&Path> {
        self.evaluate.as_deref()
    }
}

/// Write the rows of the thesis' features as CSV, for other programs to learn from
///
/// The columns are the data set, the website, the page, the link's address or the element's path, the label (1 or 0), and the
/// features of tables 3.1 or 3.3 (Hanamura 2020). Rows are not balanced.
#[derive(Debug, Args)]
pub(crate) struct FeaturesArguments {
    /// What a row is
    #[arg(value_name = "ROWS")]
    pub(crate) rows: RowKind,
    /// Folders of the data sets
    #[arg(long, value_name = "DIR", required = true, num_args = 1..)]
    pub(crate) data: Vec<PathBuf>,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// What a row of features is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowKind {
    /// Addresses that links of a page lead to: nine features
    Links,
    /// Elements of a page: fourteen features
    Elements,
}

/// Join an article as the thesis does, and write its text
///
/// Its two models alone decide: the next page is behind the first tag whose link scores above one half, the content is all elements
/// that do, and contents are put one after the other. No page is judged, nothing is cleaned, no repeat is removed (Hanamura
/// 2020, chapter 3).
#[derive(Debug, Args)]
pub(crate) struct ThesisJoinArguments {
    /// First page: URL or HTML file; with --pages, the URL of a stored page
    #[arg(value_name = "SOURCE")]
    pub(crate) source: String,
    /// Take pages from this WARC archive
    #[arg(long, value_name = "ARCHIVE")]
    pub(crate) pages: Option<PathBuf>,
    /// Model of next links, which `tsugi-lab train next-link --features paper` writes
    #[arg(long, value_name = "MODEL")]
    pub(crate) next_model: PathBuf,
    /// Model of content, which `tsugi-lab train content --features paper` writes
    #[arg(long, value_name = "MODEL")]
    pub(crate) content_model: PathBuf,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
}

/// Find when the main text of pages last changed, one JSON line a page
///
/// `updated` is the time between the last two captures of a page that differ in their main text. Changes of
/// advertisements, latest news, dates and counters alone do not count, nor does another order of the same lines. `at` is
/// the best estimate within that time, and `by` its source: `Last-Modified`, a date on the page, or the captures alone.
/// `evidence` lists all of them, and whether they contradict a capture. If no change was seen, `after` is null: the last
/// update was before the first capture.
///
/// Redirects, errors and responses that are not pages are skipped; revisits count with the body they refer to. Addresses
/// that differ only in `http:`, `www.` or a final slash are one page.
#[derive(Debug, Args)]
pub(crate) struct UpdatedArguments {
    /// WARC archive with several captures of each page
    #[arg(long, value_name = "ARCHIVE")]
    pub(crate) snapshots: PathBuf,
    /// Pages to look at [default: all with at least two captures]
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<String>,
    /// Find the main text by this method
    ///
    /// `unique` and `repeated` compare with other pages of the host in the archive.
    #[arg(long, value_name = "METHOD", default_value = "model")]
    pub(crate) content: ContentMethod,
    /// Compare with these answers (JSON lines: `url`, `updated`)
    ///
    /// Prints how many answers are right, too early, too late, or missing; lines are written only with -o.
    #[arg(long, value_name = "LABELS")]
    pub(crate) evaluate: Option<PathBuf>,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) models: ModelArguments,
}

/// The method that finds the main text of captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContentMethod {
    /// The content model
    Model,
    /// Blocks that no other page of the site has
    Unique,
    /// Text without the strings that the site repeats
    Repeated,
}
