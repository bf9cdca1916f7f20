//! Arguments: the help texts are these comments.

#[cfg(feature = "lab")]
mod lab;

#[cfg(feature = "lab")]
pub(crate) use lab::{
    CorrectionsArgument, EvaluateArguments, Features, LabelArguments, LearnerArguments, Protocol, Task,
    TrainArguments,
};

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use tsugi::Format;

/// Joins the pages of a paginated web article into one document
///
/// Given the first page, tsugi finds the next-page link, takes the main content of every page, and returns one
/// document. Both steps are learned, so it works on sites that nobody wrote a rule for.
///
/// Data goes to stdout, all else to stderr. Exit codes: 0 done, 1 nothing found, 2 wrong use, 3 failed, 4 partly
/// failed (some of a batch, or a document that is not whole), 130 stopped by Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "tsugi", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Join(JoinArguments),
    Scan(ScanArguments),
    Explain(ExplainArguments),
    #[cfg(feature = "lab")]
    Label(LabelArguments),
    #[cfg(feature = "lab")]
    Train(TrainArguments),
    #[cfg(feature = "lab")]
    Evaluate(EvaluateArguments),
    Blocks(BlocksArguments),
    Updated(UpdatedArguments),
    Siteinfo(SiteinfoArguments),
}

/// Which models and rules find links and content
#[derive(Debug, Args)]
pub(crate) struct DetectorArguments {
    /// Siteinfo (Wedata items); a page that an item covers is read by the item, any other by the models. `wedata` is the
    /// dump that `tsugi siteinfo update` fetched
    #[arg(long, value_name = "SITEINFO")]
    pub(crate) rules: Option<PathBuf>,
    /// Let items take part whose `url` matches nearly every address
    #[arg(long, requires = "rules")]
    pub(crate) generic_rules: bool,
    #[command(flatten)]
    pub(crate) models: ModelArguments,
}

/// Which models find links and content
#[expect(clippy::struct_field_names, reason = "they are the names of the options")]
#[derive(Debug, Clone, Args)]
pub(crate) struct ModelArguments {
    /// Model for next links, in place of the built-in one
    #[arg(long, value_name = "MODEL")]
    pub(crate) next_model: Option<PathBuf>,
    /// Model for main content, in place of the built-in one
    #[arg(long, value_name = "MODEL")]
    pub(crate) content_model: Option<PathBuf>,
    /// Model that judges whether a page continues the one before, in place of the built-in one
    #[arg(long, value_name = "MODEL")]
    pub(crate) continuation_model: Option<PathBuf>,
}

/// How pages are got from the web
///
/// A site is asked for its `robots.txt` first, and for one page after the other.
#[derive(Debug, Args)]
#[command(next_help_heading = "Network options")]
pub(crate) struct NetworkArguments {
    /// Connect to addresses that are not public too: this machine, the local network, the inside of a cloud
    #[arg(long)]
    pub(crate) allow_private: bool,
    /// Fetch what `robots.txt` asks robots not to fetch; for your own sites
    #[arg(long)]
    pub(crate) ignore_robots: bool,
    /// Time between two requests to one host; a longer `Crawl-delay` of the site counts in its place
    #[arg(long, value_name = "SECONDS", default_value = "0.5", value_parser = seconds)]
    pub(crate) delay: Duration,
    /// How often, for one page, a request is made anew that failed for a reason that may pass: no connection, a
    /// time-out, status 408, 425, 429, 500, 502, 503 or 504; after pauses of 0.5 s, 1 s, 2 s …, or what the server
    /// asks for, up to 60 s
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u32).range(0..=10))]
    pub(crate) retries: u32,
    /// How long a page may take, redirects included, waiting between requests not
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = positive_seconds)]
    pub(crate) timeout: Duration,
    /// The longest page that is read, in MiB, as it is sent and after decompression
    #[arg(long, value_name = "MIB", default_value = "20", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) max_body: u64,
    /// Folder in which answers are kept for later runs, for as long as their servers allow
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
    /// What to say who is asking, in place of tsugi, its version and its address; `robots.txt` is read for `tsugi`
    /// in any case
    #[arg(long, value_name = "TEXT")]
    pub(crate) user_agent: Option<String>,
}

/// Follows the next-page links from a page and joins what it finds into one document
///
/// SOURCE is a URL or an HTML file. A file's links are followed to files below its folder. The document ends
/// where no next page is found, and says why on stderr (in JSON: `stopped`). If a next page is known and missing, it
/// is not whole (`complete`), and the exit code is 4. Ctrl-C writes the pages fetched so far.
///
/// With --input, many URLs are joined into a folder, one file each: `index.jsonl` there lists what is done,
/// `failed.jsonl` what is not, and why. Run again, it goes on where it ended and tries again what failed.
///
/// With --save, all that the sites answer is kept in a WARC archive as it comes. Run again, what is held is not
/// asked for again; and --pages with that archive gives the same document, without the network.
#[derive(Debug, Args)]
pub(crate) struct JoinArguments {
    /// First pages: URLs or HTML files
    #[arg(value_name = "SOURCE", required_unless_present_any = ["all", "input"])]
    pub(crate) sources: Vec<String>,
    /// File of first pages, `-` for stdin: one URL a line; blank lines and lines that start with `#` are passed over
    #[arg(long, value_name = "FILE", requires = "output", conflicts_with_all = ["sources", "all"])]
    pub(crate) input: Option<PathBuf>,
    /// Most documents of --input that are joined at a time; of one host, one at a time
    #[arg(long, value_name = "N", default_value = "8", requires = "input")]
    pub(crate) jobs: NonZeroUsize,
    /// WARC archive that every page comes from; nothing is fetched from the network
    #[arg(long, value_name = "ARCHIVE")]
    pub(crate) pages: Option<PathBuf>,
    /// WARC archive to keep in what the network answers; what it holds already is taken from it
    #[arg(long, value_name = "ARCHIVE", conflicts_with = "pages")]
    pub(crate) save: Option<PathBuf>,
    /// Join every chain of pages in the archive, one document a line
    #[arg(long, requires = "pages", conflicts_with = "sources")]
    pub(crate) all: bool,
    /// Form of the document: md, html, txt, json, epub, or jsonl (one JSON object a line)
    #[arg(short, long, value_name = "FORMAT", default_value = "md")]
    pub(crate) format: OutputFormat,
    /// Where the images go: embed (into the file), folder (beside it, in `FILE_files`), remote (where they are); JPEG, PNG, GIF and
    /// WebP, 500 and 128 MiB at most. EPUB shows embedded images alone
    #[arg(long, value_name = "WHERE", default_value = "remote", hide_possible_values = true)]
    pub(crate) images: ImagesArgument,
    /// File to write instead of stdout; with --input, the folder to write to
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Most pages to join
    #[arg(long, value_name = "N", default_value = "100")]
    pub(crate) max_pages: NonZeroUsize,
    /// Least score of a next link, in [0, 1]; the model's own threshold where not given
    #[arg(long, value_name = "X", value_parser = score::<f32>)]
    pub(crate) min_score: Option<f32>,
    /// Which next pages to follow
    #[arg(long, value_name = "RELATION", default_value = "any")]
    pub(crate) relation: RelationArgument,
    /// Walk back to the first page where SOURCE is a later one
    #[arg(long)]
    pub(crate) from_start: bool,
    /// Whether a page that holds all pages is taken in their place; with --all it never is
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) single_page: SinglePage,
    /// What to do with the comments of an article; JSON tells them apart in any case. Posts of a forum are content
    #[arg(long, value_name = "WHAT", default_value = "drop")]
    pub(crate) comments: CommentsArgument,
    #[command(flatten)]
    pub(crate) detectors: DetectorArguments,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
}

/// Finds the next link and the main content of every page: one JSON line a page
///
/// Sources are WARC archives, HTML files or URLs. Lines come in input order; a page that cannot be read has
/// `error` and nulls, and the others go on.
#[derive(Debug, Args)]
pub(crate) struct ScanArguments {
    /// WARC archives, HTML files or URLs
    #[arg(value_name = "SOURCE", required = true)]
    pub(crate) sources: Vec<String>,
    /// Most pages that are worked on at a time; as many as there are processor cores where not given. The lines are the
    /// same for any number
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// File to write instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) detectors: DetectorArguments,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
}

/// Shows what the models see in a page: candidates with scores, and the features that decided
#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// A URL or an HTML file
    #[arg(value_name = "SOURCE")]
    pub(crate) source: String,
    /// WARC archive that the page comes from
    #[arg(long, value_name = "ARCHIVE")]
    pub(crate) pages: Option<PathBuf>,
    /// How many candidates to show of each kind
    #[arg(long, value_name = "N", default_value = "3")]
    pub(crate) top: usize,
    #[command(flatten)]
    pub(crate) detectors: DetectorArguments,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
}

/// Content block by block: by what sets the pages of a site apart, or by chains over the blocks of single pages
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

/// Takes the blocks that one page of a site has alone as its content: one JSON line a page
///
/// Near-duplicate pages are not compared with each other, and every page with text or an image has a block at least,
/// as Yoshida & Yamamoto (2009) propose.
#[derive(Debug, Args)]
pub(crate) struct UniqueArguments {
    #[command(flatten)]
    pub(crate) pages: PageSetArguments,
    /// Do as the paper measured: compare near-duplicates, too, and let pages be without content
    #[arg(long)]
    pub(crate) as_published: bool,
}

/// Learns CSS selector rules from a few pages of each site, and takes what they select: one JSON line a page
///
/// The rules of a site say where the unique blocks of its first pages stood: near which `id` or class that each of them
/// has once (Yoshida, Inui & Yamamoto). With --print they are written in place of the pages, one JSON line a site: as
/// CSS, as XPath, and one by one, which is what --rules reads. Learn from pages of the kind that the rules are for:
/// where all are lists, few rules fit an article. With --evaluate, pages that were learned from are not measured.
#[derive(Debug, Args)]
pub(crate) struct RulesArguments {
    #[command(flatten)]
    pub(crate) pages: PageSetArguments,
    /// How many pages of each site are learned from, the first in the archive; 2 at least. They are held at a time
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u16).range(2..))]
    pub(crate) learn_from: u16,
    /// Learn from pages evenly spread over those of the site, the first and the last among them, in place of the first
    #[arg(long)]
    pub(crate) spread: bool,
    /// Write the rules, and apply them to no page
    #[cfg_attr(feature = "lab", arg(long, conflicts_with = "evaluate"))]
    #[cfg_attr(not(feature = "lab"), arg(long))]
    pub(crate) print: bool,
    /// Rules that --print wrote, applied in place of what would be learned; the archive is read once, and a page of a
    /// site without rules has `error`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["learn_from", "spread", "print"])]
    pub(crate) rules: Option<PathBuf>,
}

/// Takes the text without the strings that the pages of a site repeat in runs as content: one JSON line a page
///
/// Strings between tags that occur at least twice and stand in a run of at least two such strings are menus,
/// advertisements, latest news (Kurishima et al.). Images are no text.
#[derive(Debug, Args)]
pub(crate) struct PageSetArguments {
    /// WARC archive of pages; the pages of each host are one set. It is read more than once. Of several captures of a
    /// page the first counts
    #[arg(value_name = "ARCHIVE")]
    pub(crate) pages: PathBuf,
    #[command(flatten)]
    pub(crate) lines: LinesArguments,
}

/// Takes the blocks that chains label as content: one JSON line a page, which needs no other page of its site
///
/// A page is cut at `body`, `div`, `p` and `td`. A chain (a conditional random field) labels the blocks that hold text
/// themselves, another the blocks around them. Then, from the innermost outwards, a block and those right below it are
/// judged together: with a large share of content all of them are content, with a small one the block is none (Fujita,
/// Yasuda, Katafuchi & Kataoka).
#[derive(Debug, Args)]
pub(crate) struct CrfArguments {
    /// WARC archives, HTML files or URLs. Of several captures of a page in an archive the first counts
    #[arg(value_name = "SOURCE", required = true)]
    pub(crate) sources: Vec<String>,
    /// Chains, in place of the built-in ones; `tsugi train crf` writes them
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// Take each block by its own label; those around it do not count
    #[arg(long, conflicts_with_all = ["upper", "lower"])]
    pub(crate) first: bool,
    /// With a greater share of content a block and all right below it are content, in [0, 1]; the model's own where not
    /// given
    #[arg(long, value_name = "X", value_parser = score::<f64>)]
    pub(crate) upper: Option<f64>,
    /// With a smaller share of content a block is none, in [0, 1]; the model's own where not given
    #[arg(long, value_name = "Y", value_parser = score::<f64>)]
    pub(crate) lower: Option<f64>,
    #[command(flatten)]
    pub(crate) lines: LinesArguments,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
}

/// Where the lines of pages go, and what they are measured by
#[derive(Debug, Args)]
pub(crate) struct LinesArguments {
    /// File to write instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Measure by these labels (`labels.jsonl` of a data set): a table of precision, recall, F and the share of pages
    /// without a wrong block goes to stdout in place of the lines, which go to -o alone; pages without labelled content
    /// are not measured
    #[cfg(feature = "lab")]
    #[arg(long, value_name = "LABELS")]
    pub(crate) evaluate: Option<PathBuf>,
}

impl LinesArguments {
    /// The labels to measure by.
    #[cfg_attr(not(feature = "lab"), expect(clippy::unused_self, reason = "measuring is the laboratory's"))]
    pub(crate) fn labels(&self) -> Option<&Path> {
        #[cfg(feature = "lab")]
        return self.evaluate.as_deref();
        #[cfg(not(feature = "lab"))]
        None
    }
}

/// Says when the main text of pages was last changed, from snapshots of them: one JSON line a page
///
/// Of all captures of a page, the last two between which its main text changed say when: `updated`. Advertisements,
/// latest news, dates and counters that change alone are no update, nor is another order of the same lines. Within that
/// time `at` is the best estimate, and `by` says what it rests on: `Last-Modified`, a date that the page states, or the
/// snapshots alone; `evidence` lists them all, and whether they contradict a snapshot. Where no change was seen,
/// `after` is null: the page was last updated before its first capture.
///
/// Redirects, errors and what is no page are passed over; revisits count with the body that they refer to. Addresses
/// that differ in `http:`, `www.` or a slash at the end are one page.
#[derive(Debug, Args)]
pub(crate) struct UpdatedArguments {
    /// WARC archive with several captures of each page
    #[arg(long, value_name = "ARCHIVE")]
    pub(crate) snapshots: PathBuf,
    /// Pages; all with at least two captures where not given
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<String>,
    /// What finds the main text; `unique` and `repeated` compare with other pages of the host in the archive
    #[arg(long, value_name = "METHOD", default_value = "model")]
    pub(crate) content: ContentMethod,
    /// Right answers to compare with, one JSON line each: `url`, `updated`; prints how many answers are right, too
    /// early, too late, or missed in place of the lines, which go to -o alone
    #[arg(long, value_name = "LABELS")]
    pub(crate) evaluate: Option<PathBuf>,
    /// File to write instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) models: ModelArguments,
}

/// What finds the main text of snapshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContentMethod {
    /// The content model
    Model,
    /// Blocks that other pages of the site do not have
    Unique,
    /// Text without the strings that the site repeats
    Repeated,
}

/// Siteinfo (Wedata items): rules for single sites, fetched, checked, learned
#[derive(Debug, Args)]
pub(crate) struct SiteinfoArguments {
    #[command(subcommand)]
    pub(crate) command: SiteinfoCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SiteinfoCommand {
    Check(CheckArguments),
    Update(SiteinfoUpdateArguments),
    /// Shows the dump that is held: where, since when, how many items
    Show,
    Learn(LearnArguments),
}

/// Lists the items that cannot be used, and why
///
/// Each is listed with its place in the file (from 0), its name, its field, the reason, and the expression with a
/// caret under the spot. An item whose `insertBefore` alone cannot be used is a warning: pages are joined without it.
/// A summary of each file follows; with --json it goes to stderr.
///
/// Exit codes: 0 all items can be used, 1 there are none, 3 a file cannot be read, 4 some cannot be used.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// Siteinfo: JSON arrays of items, as Wedata serves them or of bare data, or single items
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Write one JSON object a line: `file`, `index`, `name`, `usable`, `field`, `reason`, `expression`, `at` (characters)
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a Markdown table without the expressions
    #[arg(long, conflicts_with = "json")]
    pub(crate) list: bool,
}

/// Fetches the AutoPagerize dump of Wedata, for `--rules wedata`
///
/// It is kept in the folder for data of the user. A dump that is the same as the one held is not fetched again; one that
/// is broken, or has lost half of its items, does not replace it.
#[derive(Debug, Args)]
pub(crate) struct SiteinfoUpdateArguments {
    /// Where the dump is fetched from, where not from Wedata itself
    #[arg(long, value_name = "URL")]
    pub(crate) from: Option<String>,
    /// Take a dump that has fewer than half as many usable items as the one that is held
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
}

/// Learns the item of a site from what the models find on its pages
///
/// Of a URL, the pages that follow are fetched and learned from, too; several URLs of one host are learned from
/// together. Stored pages are learned from by host, `www.` aside: archives hold them with their addresses, an HTML
/// file has the address that it says itself (a canonical link, `og:url`, or what a browser noted when it saved the
/// page).
///
/// What an item finds is compared with what the models find on every page that was given. Where the two differ, the
/// page is named on stderr: models may err on a page, and the item be right. An item that was not seen to find
/// nothing on a last page is named, too.
///
/// Exit codes: 0 every host learned, and items agree on every page with what taught them; 1 nothing learned; 2 wrong use;
/// 3 no page could be had; 4 a page or a host could not be used or learned, or item and models differ on a page: what
/// was learned is written all the same.
#[derive(Debug, Args)]
pub(crate) struct LearnArguments {
    /// URLs, HTML files or WARC archives
    #[arg(value_name = "SOURCE", required = true)]
    pub(crate) sources: Vec<String>,
    /// File to write instead of stdout; with -f fivefilters it may be a folder, which gets a file HOST.txt for each
    /// host
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Form of what is learned
    #[arg(short, long, value_name = "FORMAT", default_value = "wedata")]
    pub(crate) format: RuleFormat,
    /// Most pages that are fetched for a URL (10 where not given), and most of the pages of a host that are learned
    /// from, evenly spread (20 where not given); the item is compared on all
    #[arg(long, value_name = "N")]
    pub(crate) max_pages: Option<NonZeroUsize>,
    /// What says which part of the pages is content
    #[arg(long, value_name = "TEACHER", default_value = "model")]
    pub(crate) content: ContentTeacher,
    /// Write only items that agree on every page with what taught them
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) models: ModelArguments,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
}

/// What items learn from which part of a page is content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContentTeacher {
    /// The content model
    Model,
    /// Selector rules, learned from the blocks that one of the pages has alone; it takes several pages
    Rules,
}

/// The form of learned rules.
#[expect(clippy::doc_markdown, reason = "these comments are the help, which has no markup")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RuleFormat {
    /// JSON array of items as Wedata serves them, which --rules reads
    Wedata,
    /// Site config of FiveFilters (Full-Text RSS, graby, wallabag): one file a host
    Fivefilters,
    /// JSON array with CSS selectors; null where none is found that says the same
    Css,
}

/// Which next pages to follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RelationArgument {
    /// Pages and chapters
    Any,
    /// The next page of this article, list or thread
    Page,
    /// The next chapter of a book or manual
    Chapter,
}

/// Where the images of a document go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImagesArgument {
    /// Into the file.
    Embed,
    /// Into a folder beside the file.
    Folder,
    /// Nowhere: they stay where they are.
    Remote,
}

/// Whether a page that holds all pages is taken in their place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SinglePage {
    /// Where one is found
    Auto,
    /// Never
    Never,
}

/// What of the comments of an article is joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CommentsArgument {
    /// They stay where they are on the pages
    Keep,
    /// They are left out
    Drop,
    /// They are the document
    Only,
}

/// The form of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    /// One of the document writers.
    Document(Format),
    /// One JSON object a line.
    JsonLines,
}

impl OutputFormat {
    /// How the name of a file of this form ends. One line of JSON is a JSON file like any other.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            OutputFormat::Document(format) => format.as_str(),
            OutputFormat::JsonLines => "json",
        }
    }
}

impl FromStr for OutputFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "jsonl" {
            return Ok(OutputFormat::JsonLines);
        }
        let format = text.parse().map(OutputFormat::Document);
        format.map_err(|_| "expected md, html, txt, json, epub or jsonl".to_owned())
    }
}

fn score<T: FromStr + PartialOrd + From<u8>>(text: &str) -> Result<T, String> {
    let value = text.parse().ok().filter(|value| (T::from(0)..=T::from(1)).contains(value));
    value.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    const LONGEST: f64 = 3600.0;
    let value = text.parse().ok().filter(|value| (0.0..=LONGEST).contains(value));
    let value = value.and_then(|value| Duration::try_from_secs_f64(value).ok());
    value.ok_or_else(|| format!("expected a number of seconds from 0 to {LONGEST}"))
}

fn positive_seconds(text: &str) -> Result<Duration, String> {
    let value = seconds(text)?;
    if value.is_zero() { Err("expected more than 0 seconds".to_owned()) } else { Ok(value) }
}
