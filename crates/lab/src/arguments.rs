//! Arguments. Their comments are the help texts.

#[cfg(feature = "papers")]
use crate::papers::arguments::{
    BlocksArguments, FeaturesArguments, ThesisArguments, ThesisJoinArguments, UpdatedArguments,
};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use tsugi_scoring::Algorithm;
use tsugi_terminal::arguments::{NetworkArguments, VerbosityArguments};

/// Label pages, train and evaluate models, compare methods
///
/// Data goes to stdout, everything else to stderr. Exit codes: 0 done, 1 nothing found, 2 wrong use, 3 failed, 4 partly
/// failed, 130 stopped by Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "tsugi-lab", version, max_term_width = 100, args_override_self = true)]
pub(crate) struct LabArguments {
    #[command(subcommand)]
    pub(crate) command: LabCommand,
    #[command(flatten)]
    pub(crate) verbosity: VerbosityArguments,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LabCommand {
    Fetch(FetchArguments),
    Label(LabelArguments),
    Train(TrainArguments),
    Evaluate(EvaluateArguments),
    Agreement(AgreementArguments),
    #[cfg(feature = "papers")]
    Blocks(BlocksArguments),
    #[cfg(feature = "papers")]
    Features(FeaturesArguments),
    #[cfg(feature = "papers")]
    Thesis(ThesisJoinArguments),
    #[cfg(feature = "papers")]
    Updated(UpdatedArguments),
}

/// Fetch pages into an archive, to label them
///
/// A site is asked for its `robots.txt` first, and for one page at a time. An archive is added to: a page that it holds is not
/// fetched again, so a run that was stopped goes on.
#[derive(Debug, Args)]
pub(crate) struct FetchArguments {
    /// Addresses of pages
    #[arg(value_name = "URL", required_unless_present = "example_urls")]
    pub(crate) urls: Vec<String>,
    /// Fetch the pages that the items name as examples
    #[arg(long, requires = "rules")]
    pub(crate) example_urls: bool,
    /// Wedata dump (JSON as served), as a file or an http(s) address; `wedata`: the dump fetched by `tsugi siteinfo update`
    #[arg(long, value_name = "SITEINFO")]
    pub(crate) rules: Vec<PathBuf>,
    /// Follow the next links that the items find, up to N pages a sequence, so that pairs can be learned and joins measured
    #[arg(long, value_name = "N", default_value = "1", requires = "rules")]
    pub(crate) follow: NonZeroUsize,
    /// Fetch from at most N sites, spread over the dump
    #[arg(long, value_name = "N")]
    pub(crate) sites: Option<NonZeroUsize>,
    /// Ask N sites at a time
    #[arg(long, value_name = "N", default_value = "8")]
    pub(crate) jobs: NonZeroUsize,
    /// WARC archive to write; `DIR/pages.warc.gz` makes DIR a data set
    #[arg(short, long, value_name = "ARCHIVE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
}

/// Label stored pages with siteinfo or CSS selectors, to train on
///
/// A page is labelled as AutoPagerize's clients read it: by the first item that matches its address and finds a next link and
/// content. Where items for the site find content and no next link, the label says that there is no next page. Items
/// that cannot be used are counted on stderr; `tsugi siteinfo check` lists them. With -v, every page without a label is named,
/// and why it has none.
#[derive(Debug, Args)]
pub(crate) struct LabelArguments {
    /// Wedata dump (JSON as served), as a file or an http(s) address; `wedata`: the dump fetched by `tsugi siteinfo update`
    #[arg(long, value_name = "SITEINFO", required_unless_present = "css")]
    pub(crate) rules: Vec<PathBuf>,
    /// Items in CSS (`"selectors": "css"`, as `tsugi siteinfo learn -f css` writes them), evaluated by `scraper`
    ///
    /// Labels then do not come from the engine that is judged. With --against, learned items are checked by another engine.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rules", "generic_rules"])]
    pub(crate) css: Option<PathBuf>,
    /// WARC archive of the pages
    #[arg(long, value_name = "ARCHIVE")]
    pub(crate) pages: PathBuf,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "LABELS")]
    pub(crate) output: Option<PathBuf>,
    /// Also use items whose `url` matches almost any address
    #[arg(long, alias = "generic", hide_short_help = true)]
    pub(crate) generic_rules: bool,
    /// Compare with these labels: print how many are reproduced, and why others differ
    #[arg(long, value_name = "LABELS", hide_short_help = true)]
    pub(crate) against: Option<PathBuf>,
}

/// Measure how far two labellings of the same pages agree, as JSON
///
/// Content is compared in text blocks: `precision` is the share of the first file's blocks that the second has, too, `recall`
/// the other way round, `perfect` the share of pages with the same blocks. `kappa` is Cohen's kappa over all links of all
/// pages. Where both files have `blocks`, `same_role` is the share of blocks with the same role, `role_kappa` its kappa, and
/// `roles` the blocks that have each role by both, by the first, by the second. Pages that are not in both files or not in the
/// archive are skipped.
#[derive(Debug, Args)]
pub(crate) struct AgreementArguments {
    /// The labels to compare (`labels.jsonl` of a data set)
    #[arg(value_name = "LABELS")]
    pub(crate) first: PathBuf,
    /// The labels to compare them with
    #[arg(value_name = "LABELS")]
    pub(crate) second: PathBuf,
    /// WARC archive of the pages
    #[arg(long, value_name = "ARCHIVE")]
    pub(crate) pages: PathBuf,
}

/// Train a model on labelled pages
///
/// Each DIR holds `pages.warc.gz` and `labels.jsonl`. The same data, parameters and seed give the same file.
#[derive(Debug, Args)]
pub(crate) struct TrainArguments {
    /// What the model finds
    #[arg(value_name = "TASK")]
    pub(crate) task: TrainTask,
    /// Folders of the data sets
    #[arg(long, value_name = "DIR", required = true, num_args = 1..)]
    pub(crate) data: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) learner: LearnerArguments,
    #[command(flatten)]
    pub(crate) corrections: CorrectionsArgument,
    #[command(flatten)]
    pub(crate) teaching: TeachingArguments,
    /// Read pages for `continuation` with this content model instead of the built-in one
    #[arg(long, value_name = "MODEL", hide_short_help = true)]
    pub(crate) content_model: Option<PathBuf>,
    /// Write the model to this file
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) output: PathBuf,
    /// Write a model card (Markdown) to this file
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) card: Option<PathBuf>,
}

/// Pages that teach, and on which nothing is measured
#[derive(Debug, Args)]
pub(crate) struct TeachingArguments {
    /// Learn links and pairs also from the same pages under other addresses
    #[arg(long, hide_short_help = true)]
    pub(crate) readdress: bool,
    /// Learn links and pairs also from this many made-up sites
    #[arg(long, value_name = "N", default_value = "0", hide_short_help = true)]
    pub(crate) made_up: usize,
}

/// How to learn
#[derive(Debug, Args)]
pub(crate) struct LearnerArguments {
    /// Learn from these features
    #[arg(long, value_name = "FEATURES", default_value = "full")]
    pub(crate) features: FeatureSet,
    /// Learner for the thesis' features [default: forest]
    ///
    /// One of tree, forest, boosted, smartcore-forest, linfa-tree and linfa-logistic. `full` is always boosted.
    #[arg(long, value_name = "NAME", alias = "algorithm")]
    pub(crate) learner: Option<Algorithm>,
    /// Fewest rows per leaf, with the thesis' features [default: forest 20, tree 1]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(crate) min_leaf: Option<NonZeroUsize>,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,
}

/// Evaluate methods on labelled pages, split by site
///
/// With `--model` or `--answers`, nothing is trained: model files, and answers that any program has written, are measured side
/// by side. Pages of sites that one of the models learned from are left out. Otherwise a protocol trains and measures.
///
/// `paper` repeats the thesis' experiment: one page per website, split 8:2, links and nodes. `full` cross-validates by site
/// over whole pages: it measures the models on sites they were not trained on. With -o, `full` also writes the predictions
/// (one file per data set, one JSON line per page, no text). `items` learns a siteinfo item for each site from what models
/// that never saw the site find there, and measures the items by the labels; with -o it writes the items. `page-sets`
/// measures the methods that compare pages of a site; with -o it writes figures by site and timings. `content` trains the models
/// of content and roles, and measures each data set by what its own gold holds, with `--answers` of other programs beside them. `crf` measures chains
/// over blocks. `metadata` measures title, date and authors with the built-in models. `sites` joins made-up sites, needs no
/// data, and with -o also writes a line for each site.
#[derive(Debug, Args)]
pub(crate) struct EvaluateArguments {
    /// Folders of the data sets
    ///
    /// The protocol `sites` needs none.
    #[arg(long, value_name = "DIR", num_args = 1..)]
    pub(crate) data: Vec<PathBuf>,
    /// Measure only these data sets in `content`, `items` and `page-sets`, by folder name [default: all]
    ///
    /// The other data sets are used for training only.
    #[arg(long, value_name = "NAME", num_args = 1.., hide_short_help = true)]
    pub(crate) measure: Vec<String>,
    #[command(flatten)]
    pub(crate) judged: JudgedArguments,
    /// Which experiment to run [default: full]
    #[arg(long, value_name = "PROTOCOL")]
    pub(crate) protocol: Option<ProtocolName>,
    #[command(flatten)]
    pub(crate) learner: LearnerArguments,
    /// Folds of `full`, `content`, `items` and `page-sets` [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=50))]
    pub(crate) folds: Option<u8>,
    #[command(flatten)]
    pub(crate) teaching: TeachingArguments,
    #[command(flatten)]
    pub(crate) made_up: MadeUpArguments,
    #[cfg(feature = "papers")]
    #[command(flatten)]
    pub(crate) thesis: ThesisArguments,
    /// Write `report.md`, `report.json` and the predictions to this folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Write the documents that `full` joins to this folder, as `join -f jsonl` does
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub(crate) documents: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) corrections: CorrectionsArgument,
    /// Fail (exit code 3) if `full` misses a figure of this file
    ///
    /// The file is JSON: data set → `next_f`, `next_fpr`, `text_f`.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) gate: Option<PathBuf>,
    /// Raise the figures of the gate to those reached; never lower one
    #[arg(long, requires = "gate", hide_short_help = true)]
    pub(crate) raise: bool,
}

/// What to measure without training
#[derive(Debug, Args)]
pub(crate) struct JudgedArguments {
    /// Measure these model files, or `built-in`
    ///
    /// `built-in` stands for the models of this program. The first is compared with the others. Several files that work together are named with commas: `next.model,content.model`.
    /// Parts that no file is named for are the built-in ones, and only what the named files decide is reported.
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = ["protocol", "measure", "features", "learner", "min_leaf", "folds", "readdress", "made_up", "gate", "documents"],
    )]
    pub(crate) model: Vec<String>,
    /// Measure answers in these files, as `scan` writes them
    ///
    /// Of each line, `url`, `next.url` and `content.text` count. A page without a line counts as one without answers. With
    /// `--protocol content`, texts are measured beside those of models that are trained for it.
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = ["features", "learner", "min_leaf", "readdress", "made_up", "gate", "documents"],
    )]
    pub(crate) answers: Vec<PathBuf>,
    /// Measure also pages of sites that a model learned from; their figures flatter it
    #[arg(long, hide_short_help = true)]
    pub(crate) seen_sites: bool,
}

/// Which made-up sites `sites` joins, and with what
#[derive(Debug, Args)]
pub(crate) struct MadeUpArguments {
    /// Number of sites that `sites` joins
    #[arg(long, value_name = "N", default_value = "600", hide_short_help = true)]
    pub(crate) sites: NonZeroUsize,
    /// World of the sites
    #[arg(long, value_name = "WORLD", default_value = "judging", hide_short_help = true)]
    pub(crate) world: WorldName,
    /// Write the pages of the sites to this folder, to look at them
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub(crate) pages: Option<PathBuf>,
    /// Follow links with this model instead of the built-in one
    #[arg(long, value_name = "MODEL", hide_short_help = true)]
    pub(crate) next_model: Option<PathBuf>,
    /// Judge pairs with this model instead of the built-in one
    #[arg(long, value_name = "MODEL", hide_short_help = true)]
    pub(crate) continuation_model: Option<PathBuf>,
}

/// The world that made-up sites are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WorldName {
    /// Sites that models are judged by
    Judging,
    /// Sites that models learn from
    Training,
}

/// Labels that are known to be wrong
#[derive(Debug, Args)]
pub(crate) struct CorrectionsArgument {
    /// Train on these corrected labels (JSON lines: `url`, `next`, `reason`)
    ///
    /// `evaluate` reports figures by the original labels first.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) corrections: Option<PathBuf>,
}

/// The model to train.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TrainTask {
    /// Next-page links
    NextLink,
    /// Main content
    Content,
    /// Whether a page continues the page before
    Continuation,
    /// Roles of text blocks: title, byline, text, caption, …
    Roles,
    /// Content blocks, by chains (CRF)
    #[cfg(feature = "papers")]
    Crf,
}

/// The features of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FeatureSet {
    /// All features, including words and markup
    Full,
    /// Hanamura (2020): nine features of a link, fourteen of an element
    #[cfg(feature = "papers")]
    Paper,
}

/// How to evaluate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProtocolName {
    /// The thesis' experiment
    #[cfg(feature = "papers")]
    Paper,
    /// Cross-validation by site, page by page
    Full,
    /// Items learned for sites that the models never saw
    Items,
    /// Content found by comparing the pages of a site
    #[cfg(feature = "papers")]
    PageSets,
    /// Content by chains over blocks and their hierarchy
    #[cfg(feature = "papers")]
    Crf,
    /// Title, date and authors, with the built-in models
    Metadata,
    /// Documents of made-up sites, with the built-in models
    Sites,
    /// Texts by the convention of each data set, roles of blocks, metadata
    #[value(alias = "roles")]
    Content,
}
