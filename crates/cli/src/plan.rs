//! What a command is to do, worked out of its arguments.
//!
//! Arguments are what was typed. A plan is checked: nothing in it excludes anything else, and the work asks nothing more
//! of the arguments.

use crate::args::{
    CommentsArgument, ImagesArgument, JoinArguments, OutputFormat, RelationArgument, ScanArguments,
    SinglePage,
};
use crate::detection::Detection;
use crate::output::misuse_of_output;
use crate::source::http_options;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use tsugi::{Comments, Format, HttpOptions, Limits, Relation, Url};
use tsugi_page::address;

/// Why a plan cannot be made of the arguments.
#[derive(Debug)]
pub(crate) struct Misuse(pub(crate) String);

impl From<&str> for Misuse {
    fn from(what: &str) -> Misuse {
        Misuse(what.to_owned())
    }
}

/// What `tsugi join` is to do.
#[derive(Debug)]
pub(crate) struct JoinPlan {
    pub(crate) work: JoinWork,
    pub(crate) from: PagesFrom,
    pub(crate) limits: Limits,
    pub(crate) format: OutputFormat,
    pub(crate) images: ImagesPlan,
    pub(crate) detection: Detection,
}

/// Where the images of a document go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ImagesPlan {
    /// Into the file.
    Embed,
    /// Into this folder.
    Folder(PathBuf),
    /// Nowhere: they stay where they are.
    Remote,
}

/// What is joined, and where the documents go.
#[derive(Debug)]
pub(crate) enum JoinWork {
    /// Each source, into one file or to stdout.
    Sources { sources: Vec<String>, output: Option<PathBuf> },
    /// Every chain of the archive, into one file or to stdout.
    All { output: Option<PathBuf> },
    /// Each address of a file, into a file of a folder.
    Batch { input: PathBuf, folder: PathBuf, jobs: NonZeroUsize },
}

/// Where pages come from.
#[derive(Debug)]
pub(crate) enum PagesFrom {
    /// An archive, and nothing else.
    Archive(PathBuf),
    /// The web; what it answers is kept in the archive, if one is named.
    Web { http: Box<HttpOptions>, save: Option<PathBuf> },
    /// The files that are named, and those beside them.
    Files,
}

impl JoinPlan {
    /// Works out the plan.
    pub(crate) fn of(arguments: JoinArguments) -> Result<JoinPlan, Misuse> {
        check_output(&arguments)?;
        let images = images(&arguments)?;
        let JoinArguments { sources, input, jobs, pages, save, all, format, output, .. } = arguments;
        let limits = Limits {
            max_pages: arguments.max_pages,
            min_score: arguments.min_score,
            relation: match arguments.relation {
                RelationArgument::Any => None,
                RelationArgument::Page => Some(Relation::Page),
                RelationArgument::Chapter => Some(Relation::Chapter),
            },
            from_start: arguments.from_start,
            single_page: arguments.single_page == SinglePage::Auto,
            comments: match arguments.comments {
                CommentsArgument::Drop => Comments::Drop,
                CommentsArgument::Keep => Comments::Keep,
                CommentsArgument::Only => Comments::Only,
            },
            ..Limits::default()
        };
        let is_web = input.is_some() || sources.iter().any(|source| web_address(source).is_some());
        let work = match (input, output) {
            (Some(input), Some(folder)) => JoinWork::Batch { input, folder, jobs },
            (_, output) if all => JoinWork::All { output },
            (_, output) => JoinWork::Sources { sources, output },
        };
        let from = match pages {
            Some(archive) => PagesFrom::Archive(archive),
            None if is_web => PagesFrom::Web { http: Box::new(http_options(&arguments.network)), save },
            None => PagesFrom::Files,
        };
        let detection = Detection::of(arguments.detectors);
        Ok(JoinPlan { work, from, limits, format, images, detection })
    }
}

/// Checks that what is written is nothing that is read.
fn check_output(arguments: &JoinArguments) -> Result<(), Misuse> {
    let JoinArguments { input, output, save, pages, .. } = arguments;
    let Some(output) = output else { return Ok(()) };
    if input.is_some() {
        let is_file = std::fs::metadata(output).is_ok_and(|found| !found.is_dir());
        let misuse =
            || format!("`{}` is a file; with --input, -o names the folder to write to", output.display());
        return if is_file { Err(Misuse(misuse())) } else { Ok(()) };
    }
    if output.is_dir() {
        return Err(Misuse(format!("`{}` is a folder; without --input, -o names a file", output.display())));
    }
    let is_output = |path: &&PathBuf| {
        let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        whole(path) == whole(output)
    };
    match [save, pages].into_iter().flatten().find(is_output) {
        Some(path) => {
            Err(Misuse(format!("`{}` is the archive; -o has to name another file", path.display())))
        }
        None => Ok(()),
    }
}

/// Works out where images go; checks what goes with EPUB alone, and what goes with pages of the web alone.
fn images(arguments: &JoinArguments) -> Result<ImagesPlan, Misuse> {
    let JoinArguments { sources, format, images, save, all, input, output, .. } = arguments;
    if *format == OutputFormat::Document(Format::Epub) && input.is_none() {
        if *all || sources.len() > 1 {
            return Err("an EPUB file holds one document: give one SOURCE at a time".into());
        }
        if output.is_none() && io::stdout().is_terminal() {
            return Err("EPUB is no text: give a file with -o FILE".into());
        }
    }
    let file = sources.iter().find(|source| web_address(source).is_none());
    if let Some(file) = file.filter(|_| save.is_some()) {
        return Err(Misuse(format!("`{file}` is no http(s) URL; --save keeps what comes from the web")));
    }
    if *images == ImagesArgument::Remote {
        return Ok(ImagesPlan::Remote);
    }
    let can_show = |format: &Format| matches!(format, Format::Markdown | Format::Html | Format::Epub);
    if !matches!(format, OutputFormat::Document(format) if can_show(format)) || *all {
        return Err("--images goes with one document that shows images: -f md, html or epub".into());
    }
    if let Some(file) = file {
        return Err(Misuse(format!("`{file}` is no http(s) URL; --images takes what pages of the web show")));
    }
    if *images == ImagesArgument::Embed {
        return Ok(ImagesPlan::Embed);
    }
    let is_epub = *format == OutputFormat::Document(Format::Epub);
    match output.as_deref().filter(|_| !is_epub && input.is_none() && sources.len() == 1) {
        Some(output) => {
            let mut name = output.file_stem().unwrap_or_default().to_owned();
            name.push("_files");
            Ok(ImagesPlan::Folder(output.with_file_name(name)))
        }
        None => {
            Err("--images folder writes beside a file: give one SOURCE, -o FILE, and -f md or html".into())
        }
    }
}

/// Returns the address that a source is, if it is one of the web.
fn web_address(source: &str) -> Option<Url> {
    source.parse().ok().filter(address::is_web)
}

/// What `tsugi scan` is to do.
#[derive(Debug)]
pub(crate) struct ScanPlan {
    pub(crate) sources: Vec<String>,
    pub(crate) output: Option<PathBuf>,
    /// Pages that are worked on at a time.
    pub(crate) workers: NonZeroUsize,
    pub(crate) detection: Detection,
    pub(crate) http: HttpOptions,
}

impl ScanPlan {
    /// Works out the plan.
    pub(crate) fn of(arguments: ScanArguments) -> Result<ScanPlan, Misuse> {
        let ScanArguments { sources, jobs, output, detectors, network } = arguments;
        if let Some(misuse) = misuse_of_output(output.as_deref(), &sources) {
            return Err(Misuse(misuse));
        }
        let workers = jobs.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
        let (detection, http) = (Detection::of(detectors), http_options(&network));
        Ok(ScanPlan { sources, output, workers, detection, http })
    }
}
