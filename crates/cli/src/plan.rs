//! What a command is to do, worked out from its arguments.
//!
//! Arguments are what was typed. A plan is checked: nothing in it excludes anything else, and the work needs nothing else
//! from the arguments.

use crate::args::{
    CommentsArgument, DocumentArguments, ExtractArguments, FileNames, FrontMatter, ImagesArgument,
    JoinArguments, KeepArgument, OutputFormat, RelationArgument, ScanArguments, SinglePage,
};
use crate::commands::pages::PagesFrom;
use crate::drawing::BrowserPlan;
use crate::writing::{DocumentWriting, ImagesPlan};
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
use tsugi::fetch::HttpOptions;
use tsugi::models::Focus;
use tsugi::page::Relation;
use tsugi::{Comments, Format, JoinOptions, Url};
use tsugi_terminal::arguments::NetworkArguments;
use tsugi_terminal::detection::Detection;
use tsugi_terminal::output::misuse_of_output;
use tsugi_terminal::source::{http_options, web_address, without_password};

#[derive(Debug)]
pub(crate) struct Misuse(pub(crate) String);

impl From<&str> for Misuse {
    fn from(what: &str) -> Misuse {
        Misuse(what.to_owned())
    }
}

#[derive(Debug)]
pub(crate) struct JoinPlan {
    pub(crate) work: JoinWork,
    pub(crate) from: PagesFrom,
    pub(crate) options: JoinOptions,
    /// The longest time for a document.
    pub(crate) max_time: Option<Duration>,
    /// The longest time for all.
    pub(crate) max_run_time: Option<Duration>,
    pub(crate) writing: DocumentWriting,
    pub(crate) detection: Detection,
}

#[derive(Debug)]
pub(crate) enum JoinWork {
    Sources {
        sources: Vec<String>,
        /// The address of what a file or stdin holds.
        url: Option<Url>,
        output: Option<PathBuf>,
    },
    All(AllWork),
    Batch {
        input: PathBuf,
        folder: PathBuf,
        jobs: NonZeroUsize,
        names: FileNames,
        /// Own headers, for the sites of the URLs in `input`.
        headers: Vec<String>,
    },
}

#[derive(Debug)]
pub(crate) struct AllWork {
    /// Archives, and folders of archives.
    pub(crate) archives: Vec<PathBuf>,
    pub(crate) output: Option<PathBuf>,
    /// Hosts to join in parallel.
    pub(crate) workers: NonZeroUsize,
    pub(crate) mebibytes: NonZeroUsize,
    pub(crate) resume: bool,
}

impl AllWork {
    /// Returns how much of the pages is in memory, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.mebibytes.get().saturating_mul(1 << 20)
    }
}

impl JoinPlan {
    pub(crate) fn of(arguments: JoinArguments) -> Result<JoinPlan, Misuse> {
        let JoinArguments {
            sources,
            document,
            input,
            name,
            jobs,
            save,
            all,
            memory,
            resume,
            network,
            browser,
            ..
        } = arguments;
        check_url(document.url.as_ref(), &sources)?;
        let target = if input.is_some() {
            OutputKind::Folder
        } else if all || sources.len() > 1 {
            OutputKind::Documents
        } else {
            OutputKind::Document
        };
        if let (OutputKind::Folder, Some(path)) = (target, &document.output) {
            if path.metadata().is_ok_and(|found| !found.is_dir()) {
                let message = format!("`{}` is a file; with --input, -o names a folder", path.display());
                return Err(Misuse(message));
            }
        } else {
            let archives = save.iter().chain(&document.pages).map(PathBuf::as_path);
            check_output(document.output.as_deref(), archives.chain(sources.iter().map(Path::new)))?;
        }
        if save.is_some()
            && let Some(file) = not_web(&sources, document.url.as_ref())
        {
            return Err(Misuse(format!(
                "`{}` is not an http(s) URL; --save keeps responses from the web",
                without_password(file)
            )));
        }
        let writing = writing(&document, &sources, target)?;
        let relation = match arguments.relation {
            RelationArgument::Any => None,
            RelationArgument::Page => Some(Relation::Page),
            RelationArgument::Chapter => Some(Relation::Chapter),
        };
        let browser = BrowserPlan::of(browser);
        let options = document_options(&document)
            .drawing(browser.drawing())
            .max_pages(arguments.max_pages.get())
            .min_score(arguments.min_score)
            .map_err(|error| Misuse(error.to_string()))?
            .relation(relation)
            .from_start(arguments.from_start)
            .single_page(arguments.single_page == SinglePage::Auto);
        let DocumentArguments { url, output, pages, .. } = document;
        let detection = Detection::of(arguments.detectors);
        let (max_time, max_run_time) = (arguments.max_time, arguments.max_run_time);
        let (work, from) = if all {
            let archives = pages.into_iter().chain(sources.iter().map(PathBuf::from)).collect();
            let workers = jobs.unwrap_or_else(cores);
            let all = AllWork { archives, output, workers, mebibytes: memory, resume };
            (JoinWork::All(all), PagesFrom::Files)
        } else {
            let pages = one_archive(pages)?;
            let from = pages_from(pages, &sources, url.as_ref(), input.is_some(), &network, save, browser)?;
            let headers = network.headers;
            let work = match (input, output) {
                (Some(input), Some(folder)) => {
                    let jobs = jobs.unwrap_or(BATCH_JOBS);
                    JoinWork::Batch { input, folder, jobs, names: name, headers }
                }
                (_, output) => JoinWork::Sources { sources, url, output },
            };
            (work, from)
        };
        Ok(JoinPlan { work, from, options, max_time, max_run_time, writing, detection })
    }
}

#[derive(Debug)]
pub(crate) struct ExtractPlan {
    pub(crate) source: String,
    pub(crate) url: Option<Url>,
    pub(crate) from: PagesFrom,
    pub(crate) output: Option<PathBuf>,
    pub(crate) options: JoinOptions,
    pub(crate) focus: Focus,
    pub(crate) writing: DocumentWriting,
    pub(crate) detection: Detection,
}

impl ExtractPlan {
    pub(crate) fn of(arguments: ExtractArguments) -> Result<ExtractPlan, Misuse> {
        let ExtractArguments { source, document, precision, recall, detectors, network, browser } = arguments;
        let browser = BrowserPlan::of(browser);
        let sources = [source];
        let archives = document.pages.iter().map(PathBuf::as_path);
        check_output(document.output.as_deref(), archives.chain(sources.iter().map(Path::new)))?;
        let writing = writing(&document, &sources, OutputKind::Document)?;
        let options = document_options(&document);
        let DocumentArguments { url, output, pages, .. } = document;
        let from = pages_from(one_archive(pages)?, &sources, url.as_ref(), false, &network, None, browser)?;
        let focus = match (precision, recall) {
            (true, _) => Focus::Precision,
            (_, true) => Focus::Recall,
            _ => Focus::Balanced,
        };
        let [source] = sources;
        let detection = Detection::of(detectors);
        Ok(ExtractPlan { source, url, from, output, options, focus, writing, detection })
    }
}

/// How many documents of a batch are joined at a time.
const BATCH_JOBS: NonZeroUsize = NonZeroUsize::new(8).expect("8 is not zero");

fn cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

fn one_archive(archives: Vec<PathBuf>) -> Result<Option<PathBuf>, Misuse> {
    match archives.len() {
        0 | 1 => Ok(archives.into_iter().next()),
        _ => Err("several archives are read with --all only".into()),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OutputKind {
    /// One document, in a file or on stdout.
    Document,
    /// Several documents one after the other.
    Documents,
    /// A folder, with one file a document.
    Folder,
}

fn document_options(document: &DocumentArguments) -> JoinOptions {
    let comments = match document.comments {
        CommentsArgument::Drop => Comments::Drop,
        CommentsArgument::Keep => Comments::Keep,
        CommentsArgument::Only => Comments::Only,
    };
    JoinOptions::default()
        .comments(comments)
        .keep(document.keep.0)
        .links(document.links == KeepArgument::Keep)
        .images(document.images != ImagesArgument::Drop)
        .tables(document.tables == KeepArgument::Keep)
}

/// Works out where pages come from. The web is needed if a source is a URL, if a file has the address of a web page, or
/// for a batch.
fn pages_from(
    archive: Option<PathBuf>,
    sources: &[String],
    url: Option<&Url>,
    is_batch: bool,
    network: &NetworkArguments,
    save: Option<PathBuf>,
    browser: BrowserPlan,
) -> Result<PagesFrom, Misuse> {
    let urls: Vec<Url> =
        sources.iter().filter_map(|source| web_address(source)).chain(url.cloned()).collect();
    Ok(match archive {
        Some(archive) => PagesFrom::Archive(archive),
        None if is_batch || !urls.is_empty() => {
            PagesFrom::Web { http: Box::new(options(network, urls)?), save, browser }
        }
        None => PagesFrom::Files,
    })
}

fn options(
    network: &NetworkArguments,
    sources: impl IntoIterator<Item = Url>,
) -> Result<HttpOptions, Misuse> {
    http_options(network, sources).map_err(|error| Misuse(tsugi::fetch::chain(error.as_ref())))
}

fn check_url(url: Option<&Url>, sources: &[String]) -> Result<(), Misuse> {
    if url.is_some() && sources.len() > 1 {
        return Err("--url is the address of one page: give one SOURCE".into());
    }
    Ok(())
}

fn not_web<'a>(sources: &'a [String], url: Option<&Url>) -> Option<&'a String> {
    sources.iter().find(|source| url.is_none() && web_address(source).is_none())
}

/// Checks that the file to write is no folder and none of the files to read.
fn check_output<'a>(
    output: Option<&Path>,
    sources: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Misuse> {
    if let Some(output) = output.filter(|output| output.is_dir()) {
        return Err(Misuse(format!("`{}` is a folder; -o must name a file", output.display())));
    }
    misuse_of_output(output, sources).map_or(Ok(()), |misuse| Err(Misuse(misuse)))
}

fn writing(
    document: &DocumentArguments,
    sources: &[String],
    target: OutputKind,
) -> Result<DocumentWriting, Misuse> {
    let output = document.output.as_deref();
    let file = output.filter(|_| target != OutputKind::Folder);
    let format = match document.format {
        Some(format) => format,
        None => OutputFormat::of_file(file).map_err(|extension| {
            Misuse(format!("no format has the extension `.{extension}`; choose one with -f"))
        })?,
    };
    let is_epub = format == OutputFormat::Document(Format::Epub);
    if is_epub && target == OutputKind::Documents {
        return Err("an EPUB file holds one document: give one SOURCE".into());
    }
    if is_epub && output.is_none() && io::stdout().is_terminal() {
        return Err("EPUB cannot be shown on a terminal: name a file with -o".into());
    }
    let front_matter = document.metadata == FrontMatter::Yaml;
    if front_matter && !format.is_plain() {
        return Err(Misuse(format!(
            "--metadata yaml is for -f md and txt; {format} holds title, authors and dates already"
        )));
    }
    let images = images(document, format, sources, target)?;
    Ok(DocumentWriting { format, front_matter, images })
}

fn images(
    document: &DocumentArguments,
    format: OutputFormat,
    sources: &[String],
    target: OutputKind,
) -> Result<ImagesPlan, Misuse> {
    if matches!(document.images, ImagesArgument::Remote | ImagesArgument::Drop) {
        return Ok(ImagesPlan::Remote);
    }
    let shows_images = |format: Format| matches!(format, Format::Markdown | Format::Html | Format::Epub);
    if !matches!(format, OutputFormat::Document(format) if shows_images(format))
        || target == OutputKind::Documents
    {
        return Err("--images embed and folder need -f md, html or epub, and one SOURCE".into());
    }
    if let Some(file) = not_web(sources, document.url.as_ref()) {
        let file = without_password(file);
        return Err(Misuse(format!("`{file}` is not an http(s) URL; --images fetches what web pages show")));
    }
    if document.images == ImagesArgument::Embed {
        return Ok(ImagesPlan::Embed);
    }
    let is_epub = format == OutputFormat::Document(Format::Epub);
    match document.output.as_deref().filter(|_| !is_epub && target == OutputKind::Document) {
        Some(output) => {
            let mut name = output.file_stem().unwrap_or_default().to_owned();
            name.push("_files");
            Ok(ImagesPlan::Folder(output.with_file_name(name)))
        }
        None => {
            Err("--images folder needs a file to write beside: one SOURCE, -o FILE, -f md or html".into())
        }
    }
}

#[derive(Debug)]
pub(crate) struct ScanPlan {
    pub(crate) sources: Vec<String>,
    pub(crate) url: Option<Url>,
    pub(crate) output: Option<PathBuf>,
    pub(crate) workers: NonZeroUsize,
    pub(crate) detection: Detection,
    pub(crate) http: HttpOptions,
    pub(crate) browser: BrowserPlan,
}

impl ScanPlan {
    pub(crate) fn of(arguments: ScanArguments) -> Result<ScanPlan, Misuse> {
        let ScanArguments { sources, url, jobs, output, detectors, network, browser } = arguments;
        let browser = BrowserPlan::of(browser);
        if let Some(misuse) = misuse_of_output(output.as_deref(), &sources) {
            return Err(Misuse(misuse));
        }
        check_url(url.as_ref(), &sources)?;
        let workers = jobs.unwrap_or_else(cores);
        let http = options(&network, sources.iter().filter_map(|source| web_address(source)))?;
        Ok(ScanPlan { sources, url, output, workers, detection: Detection::of(detectors), http, browser })
    }
}
