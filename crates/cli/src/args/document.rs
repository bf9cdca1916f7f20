//! Arguments of the commands that write documents: join and extract.

use super::browser::BrowserArguments;
use clap::{ArgGroup, Args, ValueEnum};
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;
use tsugi::roles::{RoleSet, UnknownRole};
use tsugi::{Format, Url};
use tsugi_terminal::arguments::{DetectorArguments, NetworkArguments, score, time_limit, web_url};

/// The help heading of what joins more than one document.
const MANY: &str = "Batches and crawls";

/// The name of the usual format, unless the user's file of settings has another.
pub(crate) const USUAL_FORMAT: &str = "md";

/// Join the pages of an article into one document
///
/// tsugi follows the next-page links from SOURCE. The document ends where no next page is found; the reason goes to
/// stderr (JSON: `stopped`). If a next page is known but missing, the document is incomplete (JSON: `complete`) and the
/// exit code is 4. Ctrl-C writes the pages fetched so far. Links of an HTML file are followed to files below its folder.
///
/// Several SOURCEs are joined one after the other. HTML, EPUB and PDF hold one document, so there they are its chapters.
///
/// With --save, every response is kept in a WARC archive. Run the command again to continue without fetching a page
/// twice. --pages with that archive writes the same document without the network.
///
/// With --input, many URLs are joined into a folder, one file each. `index.jsonl` in that folder lists the documents,
/// `failed.jsonl` the failures with their reasons. Run the command again to continue, and to retry failures.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
#[command(group(ArgGroup::new("stored").args(["sources", "pages"]).multiple(true)))]
pub(crate) struct JoinArguments {
    /// First page: a URL, an HTML file, or `-` for stdin
    #[arg(value_name = "SOURCE", required_unless_present_any = ["all", "input"])]
    pub(crate) sources: Vec<String>,
    #[command(flatten)]
    pub(crate) document: DocumentArguments,
    /// Join every URL of this file into the folder -o
    ///
    /// The file (`-`: stdin) has one URL a line. Blank lines and lines that start with `#` are skipped.
    #[arg(
        long, value_name = "FILE", group = "many", requires = "output", conflicts_with_all = ["sources", "all", "url"],
        help_heading = MANY
    )]
    pub(crate) input: Option<PathBuf>,
    /// Name the files of --input after titles or after URLs
    ///
    /// A digest of the URL follows, so names stay the same when the command is run again and no two are equal.
    #[arg(long, value_name = "BY", default_value = "title", requires = "input", hide_short_help = true, help_heading = MANY)]
    pub(crate) name: FileNames,
    /// Join N documents in parallel [default: 8 for --input, all cores for --all]
    ///
    /// --input joins no more than one document of a host at a time, and --all joins N hosts.
    #[arg(long, value_name = "N", requires = "many", hide_short_help = true, help_heading = MANY)]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Keep responses in this WARC archive, and reuse them
    #[arg(long, value_name = "ARCHIVE", conflicts_with = "pages")]
    pub(crate) save: Option<PathBuf>,
    /// Join every chain of pages in the archives
    ///
    /// The archives are those of --pages and each SOURCE; a folder stands for the archives in it (`*.warc`, `*.warc.gz`).
    /// Documents come in the order of their first pages. Until all are done, they are kept in the folder `FILE.unfinished`
    /// beside the file -o, or in temporary files.
    #[arg(long, group = "many", requires = "stored", conflicts_with_all = ["url", "save"], help_heading = MANY)]
    pub(crate) all: bool,
    /// Continue a run of --all that was stopped, without joining a host again
    #[arg(long, requires_all = ["all", "output"], hide_short_help = true, help_heading = MANY)]
    pub(crate) resume: bool,
    /// Keep at most about this many MiB of pages in memory (with --all)
    ///
    /// A host with pages of more than a quarter of it is read twice. The process takes up to four times as much.
    #[arg(long, value_name = "MIB", default_value = "32", requires = "all", hide_short_help = true, help_heading = MANY)]
    pub(crate) memory: NonZeroUsize,
    /// Join the pages that SOURCE, a contents page, lists, as one document
    ///
    /// Its chapters are the links of its main content that stay on the site, each with its next pages.
    #[arg(long, conflicts_with_all = ["all", "input", "url"], hide_short_help = true)]
    pub(crate) contents: bool,
    /// Join at most N pages
    #[arg(long, value_name = "N", default_value = "100")]
    pub(crate) max_pages: NonZeroUsize,
    /// Stop each document after this long
    ///
    /// What was read by then is written, as incomplete.
    #[arg(long, value_name = "SECONDS", value_parser = time_limit, hide_short_help = true)]
    pub(crate) max_time: Option<Duration>,
    /// Stop the whole run after this long
    ///
    /// With --input, run the command again to continue. With --all, add --resume.
    #[arg(long, value_name = "SECONDS", value_parser = time_limit, hide_short_help = true, help_heading = MANY)]
    pub(crate) max_run_time: Option<Duration>,
    /// Start at page 1 even if SOURCE is a later page
    #[arg(long)]
    pub(crate) from_start: bool,
    /// Follow next links from this score up, 0 to 1 [default: the model's, 0.66 if built in]
    #[arg(long, value_name = "X", value_parser = score::<f32>, hide_short_help = true)]
    pub(crate) min_score: Option<f32>,
    /// Which next pages to follow
    #[arg(long, value_name = "RELATION", default_value = "any", hide_short_help = true)]
    pub(crate) relation: RelationArgument,
    /// Use a single-page view if there is one (never with --all)
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_short_help = true)]
    pub(crate) single_page: SinglePage,
    #[command(flatten)]
    pub(crate) detectors: DetectorArguments,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
}

/// Write the main content of one page as a document
///
/// No link is followed. The summary on stderr names the next page if there is one; `tsugi join` joins it.
#[derive(Debug, Args)]
pub(crate) struct ExtractArguments {
    /// Page: a URL, an HTML file, or `-` for stdin
    #[arg(value_name = "SOURCE")]
    pub(crate) source: String,
    #[command(flatten)]
    pub(crate) document: DocumentArguments,
    /// Leave out doubtful blocks
    #[arg(long)]
    pub(crate) precision: bool,
    /// Keep doubtful blocks
    #[arg(long, conflicts_with = "precision")]
    pub(crate) recall: bool,
    #[command(flatten)]
    pub(crate) detectors: DetectorArguments,
    #[command(flatten)]
    pub(crate) network: NetworkArguments,
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
}

/// Where pages come from, and what the document looks like
#[derive(Debug, Args)]
pub(crate) struct DocumentArguments {
    /// Format: md, html, txt, json, epub, pdf, jsonl [default: md]
    ///
    /// Without this option the extension of -o picks the format. `jsonl` writes one JSON object a line. `pdf` is the HTML,
    /// printed by the Chromium, Chrome, Edge or Firefox of this machine.
    #[arg(short, long, value_name = "FORMAT")]
    pub(crate) format: Option<OutputFormat>,
    /// Format if neither -f nor -o says it: what the file of settings sets
    #[arg(long, hide = true, default_value = USUAL_FORMAT)]
    pub(crate) usual_format: OutputFormat,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Address of the page in the file or on stdin
    ///
    /// Its links lead from there, to pages of the web or of --pages.
    #[arg(long, value_name = "URL", value_parser = web_url, hide_short_help = true)]
    pub(crate) url: Option<Url>,
    /// Read all pages from this WARC archive, not the web
    #[arg(long, value_name = "ARCHIVE")]
    pub(crate) pages: Vec<PathBuf>,
    /// Images: remote, embed, folder, drop
    ///
    /// `remote` leaves images on their servers, `embed` puts them into the file, `folder` into `FILE_files` beside it, and
    /// `drop` leaves them out. JPEG, PNG, GIF and WebP are fetched, at most 500 images and 128 MiB; a missing image is
    /// replaced by its alt text. EPUB shows embedded images only, and PDF embeds images in any case. The images of an HTML file
    /// are read from below its folder.
    #[arg(long, value_name = "WHERE", default_value = "remote", hide_possible_values = true)]
    pub(crate) images: ImagesArgument,
    /// Links: keep, drop (their words stay)
    #[arg(
        long,
        value_name = "WHAT",
        default_value = "keep",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub(crate) links: KeepArgument,
    /// Data tables: keep, drop
    #[arg(
        long,
        value_name = "WHAT",
        default_value = "keep",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub(crate) tables: KeepArgument,
    #[command(flatten)]
    pub(crate) keep: KeepRoles,
    /// Keep, drop or write only the comments below an article
    ///
    /// Posts of a forum are content. JSON marks comments in any case.
    #[arg(long, value_name = "WHAT", default_value = "drop", hide_short_help = true)]
    pub(crate) comments: CommentsArgument,
    /// Front matter: yaml or none
    ///
    /// YAML front matter begins Markdown and text with title, authors, dates, URL and more.
    #[arg(long, value_name = "FORM", default_value = "none", hide_possible_values = true)]
    pub(crate) metadata: FrontMatter,
    /// Give the document this title
    #[arg(long, value_name = "TEXT", hide_short_help = true)]
    pub(crate) title: Option<String>,
    /// Name this author instead of those that the page names (repeatable)
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(crate) author: Vec<String>,
    /// Add this CSS to the style of HTML, EPUB and PDF
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) css: Option<PathBuf>,
    /// Use this JPEG, PNG, GIF or WebP as the cover of HTML, EPUB and PDF
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) cover: Option<PathBuf>,
    /// What ends each page of HTML and PDF
    #[arg(long, value_name = "WHAT", default_value = "address", hide_short_help = true)]
    pub(crate) page_marks: PageMarksArgument,
}

/// What to keep of a page.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct KeepRoles {
    /// Parts to keep: document, body, all, or roles such as title,body,caption
    ///
    /// `document` is what readers want of a page; `body` is the text of an article with its standfirst. Roles are title, meta,
    /// lead, body, caption, related, share, author, tags, comments and site; `all` is all of them but site. Content that a rule
    /// chose stays as it is.
    #[arg(long, value_name = "ROLES", default_value = "document", value_parser = parts, hide_short_help = true)]
    pub(crate) keep: KeptParts,
}

/// The roles of parts to keep; `None` for a document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeptParts(pub(crate) Option<RoleSet>);

fn parts(names: &str) -> Result<KeptParts, UnknownRole> {
    RoleSet::kept(names).map(KeptParts)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum KeepArgument {
    Keep,
    Drop,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FrontMatter {
    /// Nothing
    None,
    /// YAML front matter
    Yaml,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PageMarksArgument {
    /// Nothing
    None,
    /// Its number
    Number,
    /// Its address
    Address,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FileNames {
    /// The title of the document
    Title,
    /// The address of the first page
    Url,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RelationArgument {
    /// Pages and chapters
    Any,
    /// The next page of this article, list or thread
    Page,
    /// The next chapter of a book or manual
    Chapter,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImagesArgument {
    /// They stay on their servers
    Remote,
    /// Into the file
    Embed,
    /// Into a folder beside the file
    Folder,
    /// They are left out
    Drop,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SinglePage {
    /// If there is one
    Auto,
    /// Never
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CommentsArgument {
    /// Keep them where they are
    Keep,
    /// Leave them out
    Drop,
    /// Write nothing else
    Only,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    Document(Format),
    JsonLines,
    Pdf,
}

impl OutputFormat {
    /// Returns the format that the extension of a file stands for; the usual one if there is no extension or no file.
    ///
    /// # Errors
    ///
    /// The extension, if it stands for no format.
    pub(crate) fn of_file(file: Option<&Path>, usual: OutputFormat) -> Result<OutputFormat, String> {
        let Some(extension) = file.and_then(Path::extension) else { return Ok(usual) };
        let extension = extension.to_string_lossy().to_ascii_lowercase();
        let name = match extension.as_str() {
            "markdown" => "md",
            "htm" | "xhtml" => "html",
            "text" => "txt",
            "ndjson" => "jsonl",
            other => other,
        };
        name.parse().map_err(|_| extension)
    }

    /// Returns the extension of a file of this format. A line of JSON is a JSON file like any other.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            OutputFormat::Document(format) => format.as_str(),
            OutputFormat::JsonLines => "json",
            OutputFormat::Pdf => "pdf",
        }
    }

    /// Returns `true` if a file of this format holds one document.
    pub(crate) fn is_book(self) -> bool {
        matches!(self, OutputFormat::Document(Format::Html | Format::Epub) | OutputFormat::Pdf)
    }

    pub(crate) fn is_plain(self) -> bool {
        matches!(self, OutputFormat::Document(Format::Markdown | Format::Text))
    }
}

impl FromStr for OutputFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "jsonl" => Ok(OutputFormat::JsonLines),
            "pdf" => Ok(OutputFormat::Pdf),
            _ => {
                let format = text.parse().map(OutputFormat::Document);
                format.map_err(|_| "expected md, html, txt, json, epub, pdf or jsonl".to_owned())
            }
        }
    }
}

impl fmt::Display for OutputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OutputFormat::Document(format) => format.as_str(),
            OutputFormat::JsonLines => "jsonl",
            OutputFormat::Pdf => "pdf",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_picks_the_format() {
        let usual = OutputFormat::Document(Format::Markdown);
        let format = |file: &str| OutputFormat::of_file(Some(Path::new(file)), usual);
        for (file, expected) in [
            ("a.md", "md"),
            ("a.Markdown", "md"),
            ("a/b.HTM", "html"),
            ("a.b.epub", "epub"),
            ("a.jsonl", "jsonl"),
            ("a.json", "json"),
            ("a.text", "txt"),
            ("a.PDF", "pdf"),
            ("/dev/stdout", "md"),
            ("folder.d/a", "md"),
        ] {
            assert_eq!(format(file).unwrap().to_string(), expected, "{file}");
        }
        assert_eq!(format("a.DOCX").unwrap_err(), "docx");
        for usual in [usual, OutputFormat::JsonLines] {
            assert_eq!(OutputFormat::of_file(None, usual), Ok(usual));
            assert_eq!(
                OutputFormat::of_file(Some(Path::new("a.epub")), usual),
                Ok(OutputFormat::Document(Format::Epub))
            );
        }
    }
}
