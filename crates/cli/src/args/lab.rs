//! Arguments of the research commands: train, evaluate, label.

use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use tsugi_learning::Algorithm;

/// Labels stored pages with siteinfo: a labels file to train on
///
/// A page is labelled by the first item that matches its address and finds both a next link and content. Items
/// that cannot be used are listed on stderr and passed over.
#[derive(Debug, Args)]
pub(crate) struct LabelArguments {
    /// Siteinfo: a Wedata dump, full JSON as served; `wedata` is the one that `tsugi siteinfo update` fetched
    #[arg(long, value_name = "SITEINFO", required = true)]
    pub(crate) rules: Vec<PathBuf>,
    /// WARC archive of pages
    #[arg(long, value_name = "ARCHIVE")]
    pub(crate) pages: PathBuf,
    /// Labels file to write; stdout where not given
    #[arg(short, long, value_name = "LABELS")]
    pub(crate) output: Option<PathBuf>,
    /// Let items take part whose `url` matches nearly every address
    #[arg(long)]
    pub(crate) generic: bool,
    /// Labels to compare with: prints how many are reproduced, and why the others differ
    #[arg(long, value_name = "LABELS")]
    pub(crate) against: Option<PathBuf>,
}

/// Trains a model on labelled pages
///
/// Each DIR holds `pages.warc.gz` and `labels.jsonl`. The same data, parameters and seed give the same file.
#[derive(Debug, Args)]
pub(crate) struct TrainArguments {
    /// What the model is to find
    #[arg(value_name = "TASK")]
    pub(crate) task: Task,
    /// Data sets
    #[arg(long, value_name = "DIR", required = true, num_args = 1..)]
    pub(crate) data: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) learner: LearnerArguments,
    #[command(flatten)]
    pub(crate) corrections: CorrectionsArgument,
    /// Content model that `continuation` reads pages with, in place of the built-in one
    #[arg(long, value_name = "MODEL")]
    pub(crate) content_model: Option<PathBuf>,
    /// Model file to write
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) output: PathBuf,
    /// Model card to write (Markdown)
    #[arg(long, value_name = "FILE")]
    pub(crate) card: Option<PathBuf>,
}

/// How to learn
#[derive(Debug, Args)]
pub(crate) struct LearnerArguments {
    /// The features to learn from
    #[arg(long, value_name = "FEATURES", default_value = "full")]
    pub(crate) features: Features,
    /// Learner for the thesis' features: tree, forest, boosted, smartcore-forest, linfa-tree or linfa-logistic
    /// [default: forest]; `full` is always boosted
    #[arg(long, value_name = "NAME", alias = "algorithm")]
    pub(crate) learner: Option<Algorithm>,
    /// Fewest rows per leaf, with the thesis' features [default: 20 for a forest, 1 for a tree]
    #[arg(long, value_name = "N")]
    pub(crate) min_leaf: Option<NonZeroUsize>,
    /// Seed of everything that is drawn
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,
}

/// Evaluates methods on labelled pages, split by site
///
/// `paper` is the thesis' experiment: one page a website, 8:2, links and nodes. `full` is cross-validation by
/// site over whole pages: what the shipped models would do on sites they never saw. With -o, `full` also writes
/// what was predicted, one file a data set, one JSON line a page, without text. `items` learns the siteinfo item of
/// each site from what models find on its pages that never saw them, and measures the items by the labels; with -o
/// it writes them, one file a data set, one JSON line a site. `page-sets` measures the methods that compare the pages of
/// a site, beside models that never saw it; with -o it writes figures by site and how long each method took.
#[derive(Debug, Args)]
pub(crate) struct EvaluateArguments {
    /// Data sets
    #[arg(long, value_name = "DIR", required = true, num_args = 1..)]
    pub(crate) data: Vec<PathBuf>,
    /// Data sets whose sites `items` and `page-sets` measure, by the names of their folders; the others are trained on
    /// only. All where not given
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub(crate) measure: Vec<String>,
    /// How to evaluate
    #[arg(long, value_name = "PROTOCOL", default_value = "full")]
    pub(crate) protocol: Protocol,
    #[command(flatten)]
    pub(crate) learner: LearnerArguments,
    /// Number of folds of `full`, `items` and `page-sets`
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u8).range(2..=50))]
    pub(crate) folds: u8,
    /// Number of splits of `paper`, the single one included
    #[arg(long, value_name = "N", default_value = "20")]
    pub(crate) splits: NonZeroUsize,
    /// Number of splits on which `paper` measures the choices that the thesis leaves open
    #[arg(long, value_name = "N", default_value = "20")]
    pub(crate) choice_splits: u8,
    /// Folder for the report and the predictions
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Folder for the documents that `full` joins, with their text: one file a data set, as `join -f jsonl` writes
    #[arg(long, value_name = "DIR")]
    pub(crate) documents: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) corrections: CorrectionsArgument,
    /// File of figures that `full` must reach (JSON: data set → `next_f`, `next_fpr`, `text_f`); exit code 3 where
    /// one is not
    #[arg(long, value_name = "FILE")]
    pub(crate) gate: Option<PathBuf>,
    /// Raise the figures of the gate to those reached; none is ever lowered
    #[arg(long, requires = "gate")]
    pub(crate) raise: bool,
}

/// Labels that are known to be wrong
#[derive(Debug, Args)]
pub(crate) struct CorrectionsArgument {
    /// Corrected labels to train on (one JSON line each: `url`, `next`, `reason`); figures by the labels as they are
    /// stay the first
    #[arg(long, value_name = "FILE")]
    pub(crate) corrections: Option<PathBuf>,
}

/// What a model finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Task {
    /// Next-page links
    NextLink,
    /// Main content
    Content,
    /// Whether a page continues the page before
    Continuation,
    /// Content blocks, by chains over the blocks of a page
    Crf,
}

/// The features of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Features {
    /// All that we know of, words and markup among them
    Full,
    /// Those of Hanamura (2020): nine of a link, fourteen of an element
    Paper,
}

/// How to evaluate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Protocol {
    /// The thesis' experiment
    Paper,
    /// Cross-validation by site, page by page
    Full,
    /// Items learned of sites that the models never saw
    Items,
    /// Content found by comparing the pages of a site
    PageSets,
    /// Content by chains over blocks and their hierarchy
    Crf,
    /// Title, date and authors that pages state, with the models that ship
    Metadata,
}
