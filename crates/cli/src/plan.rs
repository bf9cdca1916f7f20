//! What a command is to do, worked out from its arguments.
//!
//! Arguments are what was typed. A plan is checked: nothing in it excludes anything else, and the work needs nothing else
//! from the arguments.

use crate::args::{
    CommentsArgument, DocumentArguments, ExtractArguments, FileNames, FrontMatter, ImagesArgument,
    JoinArguments, KeepArgument, OutputFormat, PageMarksArgument, RelationArgument, ScanArguments,
    SinglePage,
};
use crate::commands::pages::PagesFrom;
use crate::drawing::BrowserPlan;
use crate::writing::{DocumentWriting, ImagesPlan};
use std::fs;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
use tsugi::document::{ImageFile, PageMarks};
use tsugi::fetch::HttpOptions;
use tsugi::models::Focus;
use tsugi::page::Relation;
use tsugi::roles::RoleSet;
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
        chapters: Chapters,
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

/// How sources become documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chapters {
    /// Each source is a document.
    Apart,
    /// The sources are the chapters of one document.
    Sources,
    /// What the source lists are the chapters of one document.
    Listed,
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
            contents,
            browser,
            ..
        } = arguments;
        check_url(document.url.as_ref(), &sources)?;
        let file = document.output.as_deref().filter(|_| input.is_none());
        let is_book = format(&document, file)?.is_book();
        let chapters = match (contents, sources.len()) {
            (true, 1) => Chapters::Listed,
            (true, _) => return Err("--contents needs one SOURCE, the contents page".into()),
            (false, 2..) if is_book && !all => Chapters::Sources,
            (false, _) => Chapters::Apart,
        };
        let target = if input.is_some() {
            OutputKind::Folder
        } else if all || (sources.len() > 1 && chapters == Chapters::Apart) {
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
        let writing = writing(&document, target)?;
        let relation = match arguments.relation {
            // The contents page names the chapters.
            RelationArgument::Any if contents => Some(Relation::Page),
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
            let needs_web = input.is_some() || writing.images != ImagesPlan::Remote;
            let from = pages_from(pages, &sources, url.as_ref(), needs_web, &network, save, browser)?;
            let headers = network.headers;
            let work = match (input, output) {
                (Some(input), Some(folder)) => {
                    let jobs = jobs.unwrap_or(BATCH_JOBS);
                    JoinWork::Batch { input, folder, jobs, names: name, headers }
                }
                (_, output) => JoinWork::Sources { sources, url, output, chapters },
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
        let writing = writing(&document, OutputKind::Document)?;
        let options = document_options(&document);
        let DocumentArguments { url, output, pages, .. } = document;
        let needs_web = writing.images != ImagesPlan::Remote;
        let from =
            pages_from(one_archive(pages)?, &sources, url.as_ref(), needs_web, &network, None, browser)?;
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
        .keep(document.keep.keep.0)
        .links(document.links == KeepArgument::Keep)
        .images(document.images != ImagesArgument::Drop)
        .tables(document.tables == KeepArgument::Keep)
}

/// Works out where pages come from. The web is needed if a source is a URL, if a file has the address of a web page, for a batch,
/// and for images.
fn pages_from(
    archive: Option<PathBuf>,
    sources: &[String],
    url: Option<&Url>,
    needs_web: bool,
    network: &NetworkArguments,
    save: Option<PathBuf>,
    browser: BrowserPlan,
) -> Result<PagesFrom, Misuse> {
    let urls: Vec<Url> =
        sources.iter().filter_map(|source| web_address(source)).chain(url.cloned()).collect();
    Ok(match archive {
        Some(archive) => PagesFrom::Archive(archive),
        None if needs_web || !urls.is_empty() => {
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

fn writing(document: &DocumentArguments, target: OutputKind) -> Result<DocumentWriting, Misuse> {
    let output = document.output.as_deref();
    let format = format(document, output.filter(|_| target != OutputKind::Folder))?;
    let is_epub = format == OutputFormat::Document(Format::Epub);
    if is_epub && target == OutputKind::Documents {
        return Err("an EPUB file holds one document: give one SOURCE".into());
    }
    if is_epub && output.is_none() && io::stdout().is_terminal() {
        return Err("EPUB cannot be shown on a terminal: name a file with -o".into());
    }
    if format == OutputFormat::Pdf && target != OutputKind::Document {
        return Err("a PDF is printed of one document: give its SOURCEs, without --all and --input".into());
    }
    if format == OutputFormat::Pdf && output.is_none() && io::stdout().is_terminal() {
        return Err("PDF cannot be shown on a terminal: name a file with -o".into());
    }
    if (document.title.is_some() || !document.author.is_empty() || document.cover.is_some())
        && target != OutputKind::Document
    {
        return Err("--title, --author and --cover are those of one document: give one SOURCE".into());
    }
    if (document.css.is_some() || document.cover.is_some()) && !format.is_book() {
        return Err("--css and --cover need -f html, epub or pdf".into());
    }
    let page_marks = match document.page_marks {
        PageMarksArgument::None => PageMarks::None,
        PageMarksArgument::Number => PageMarks::Number,
        PageMarksArgument::Address => PageMarks::Address,
    };
    if page_marks != PageMarks::Address
        && !matches!(format, OutputFormat::Document(Format::Html) | OutputFormat::Pdf)
    {
        return Err("--page-marks needs -f html or pdf".into());
    }
    let css = document.css.as_deref().map(|file| {
        fs::read_to_string(file).map_err(|error| Misuse(format!("cannot read `{}`: {error}", file.display())))
    });
    let cover = document.cover.as_deref().map(cover);
    let front_matter = document.metadata == FrontMatter::Yaml;
    if front_matter && !format.is_plain() {
        return Err(Misuse(format!(
            "--metadata yaml is for -f md and txt; {format} holds title, authors and dates already"
        )));
    }
    let images = images(document, format, target)?;
    Ok(DocumentWriting {
        format,
        front_matter,
        images,
        title: document.title.clone(),
        authors: document.author.clone(),
        css: css.transpose()?,
        cover: cover.transpose()?,
        page_marks,
    })
}

/// Returns the format of a document: as asked for, or as the extension of the file says, or the usual one.
fn format(document: &DocumentArguments, file: Option<&Path>) -> Result<OutputFormat, Misuse> {
    let named = || {
        OutputFormat::of_file(file, document.usual_format).map_err(|extension| {
            Misuse(format!("no format has the extension `.{extension}`; choose one with -f"))
        })
    };
    document.format.map_or_else(named, Ok)
}

fn cover(file: &Path) -> Result<ImageFile, Misuse> {
    let bytes =
        fs::read(file).map_err(|error| Misuse(format!("cannot read `{}`: {error}", file.display())))?;
    ImageFile::cover(bytes).ok_or_else(|| {
        Misuse(format!("`{}` is no JPEG, PNG, GIF or WebP image of at most 16 MiB", file.display()))
    })
}

fn images(
    document: &DocumentArguments,
    format: OutputFormat,
    target: OutputKind,
) -> Result<ImagesPlan, Misuse> {
    let is_pdf = format == OutputFormat::Pdf;
    match document.images {
        // What is printed shows what it holds.
        ImagesArgument::Remote if is_pdf => return Ok(ImagesPlan::Embed),
        ImagesArgument::Drop | ImagesArgument::Remote => return Ok(ImagesPlan::Remote),
        ImagesArgument::Folder if is_pdf => return Err("a PDF holds its images: use --images embed".into()),
        ImagesArgument::Embed | ImagesArgument::Folder => {}
    }
    let shows_images = |format: Format| matches!(format, Format::Markdown | Format::Html | Format::Epub);
    let shows_images = is_pdf || matches!(format, OutputFormat::Document(format) if shows_images(format));
    if !shows_images || target == OutputKind::Documents {
        return Err("--images embed and folder need -f md, html, epub or pdf, and one document".into());
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
    pub(crate) keep: Option<RoleSet>,
    pub(crate) detection: Detection,
    pub(crate) http: HttpOptions,
    pub(crate) browser: BrowserPlan,
}

impl ScanPlan {
    pub(crate) fn of(arguments: ScanArguments) -> Result<ScanPlan, Misuse> {
        let ScanArguments { sources, url, jobs, output, keep, detectors, network, browser } = arguments;
        let browser = BrowserPlan::of(browser);
        if let Some(misuse) = misuse_of_output(output.as_deref(), &sources) {
            return Err(Misuse(misuse));
        }
        check_url(url.as_ref(), &sources)?;
        let workers = jobs.unwrap_or_else(cores);
        let http = options(&network, sources.iter().filter_map(|source| web_address(source)))?;
        let (keep, detection) = (keep.keep.0, Detection::of(detectors));
        Ok(ScanPlan { sources, url, output, workers, keep, detection, http, browser })
    }
}
