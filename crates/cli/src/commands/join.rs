//! `tsugi join`: following, stitching, writing.

use crate::args::OutputFormat;
use crate::commands::batch;
use crate::commands::pages::Pages;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::output::{Output, complain, plain, write_file};
use crate::plan::{ImagesPlan, JoinPlan, JoinWork};
use crate::progress::{PageProgress, Progress};
use crate::source::{Source, names_no_page, open_file};
use anyhow::{Context, bail};
use std::cell::{Cell, RefCell};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use tsugi::{
    Archive, Document, Fetch, Format, ImagePlace, Images, Limits, Reassembly, Response, StopReason, Stopped,
    Tsugi, Unavailable, Url, chains, stitch,
};
use tsugi_fetch::{FetchError, FetchImage, chain};

pub(crate) fn run(plan: &JoinPlan) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::catch();
    let output = match &plan.work {
        JoinWork::Batch { input, folder, jobs } => return batch::run(plan, input, folder, *jobs, &interrupt),
        JoinWork::Sources { output, .. } | JoinWork::All { output } => output.as_deref(),
    };
    let tsugi = plan.detection.load()?;
    let mut output = Output::open(output)?;
    let progress = Arc::new(PageProgress::new());
    let pages = Pages::open(&plan.from, Some(progress.clone()))?;
    let (exit, wrote) = match (&plan.work, pages.as_deref()) {
        (JoinWork::Sources { sources, .. }, _) => {
            let joining = Joining { plan, pages: pages.as_ref(), tsugi: &tsugi, interrupt: &interrupt };
            joining.join_sources(sources, &progress, &mut output)?
        }
        (_, Some(Pages::Archive(archive))) => join_all(plan, archive, &tsugi, &interrupt, &mut output)?,
        _ => bail!("--all goes with --pages"),
    };
    if let Some(pages) = &pages {
        pages.sync()?;
    }
    // A run that wrote nothing leaves what was there before.
    if wrote {
        output.finish()?;
    }
    Ok(exit)
}

/// What joining takes.
struct Joining<'a> {
    plan: &'a JoinPlan,
    pages: Option<&'a Arc<Pages>>,
    tsugi: &'a Tsugi,
    interrupt: &'a Interrupt,
}

impl Joining<'_> {
    /// Joins the sources; returns whether anything was written, too.
    fn join_sources(
        &self,
        sources: &[String],
        progress: &PageProgress,
        output: &mut Output,
    ) -> anyhow::Result<(Exit, bool)> {
        let (mut failed, mut done, mut empty, mut short) = (0, 0, 0, 0);
        for source in sources {
            let joined = self.join_one(source, progress);
            progress.clear();
            match joined {
                Ok(document) if document.text.is_empty() => {
                    complain(&format!("{source}: no main content found"));
                    warn(&document);
                    empty += 1;
                }
                Ok(mut document) => {
                    let written = with_images(&mut document, self.plan, self.pages, self.interrupt)?;
                    report(&document);
                    let reads_on =
                        matches!(self.plan.format, OutputFormat::Document(Format::Markdown | Format::Text));
                    if done > 0 && reads_on {
                        output.write_all(b"\n")?;
                    }
                    output.write_all(&written)?;
                    done += 1;
                    short += usize::from(!document.is_complete());
                }
                Err(_) if self.interrupt.came() => complain(&format!("{source}: no page was fetched")),
                Err(error) => {
                    complain(&format!("{source}: {}", chain(error.as_ref())));
                    failed += 1;
                }
            }
            if self.interrupt.came() {
                return Ok((Exit::Interrupted, done > 0));
            }
        }
        if done == 0 && failed == 0 && empty > 0 {
            return Ok((Exit::NothingFound, false));
        }
        let exit = if short > 0 { Exit::PartlyFailed } else { Exit::of_batch(failed, done + empty) };
        Ok((exit, done > 0))
    }

    fn join_one(&self, source: &str, progress: &PageProgress) -> anyhow::Result<Document> {
        let limits = self.plan.limits;
        let mut count = 0;
        let mut told = |url: &Url| {
            count += 1;
            progress.begin(count, url);
        };
        let mut from_pages = |url: &Url, pages: &Arc<Pages>| {
            let get = |url: &Url| {
                told(url);
                pages.unless(self.interrupt, url, Pages::fetch)
            };
            join(self.tsugi, url, limits, get)
        };
        if let Some(archive) = self.pages.filter(|pages| matches!(***pages, Pages::Archive(_))) {
            let url = source.parse().context("with --pages a source is the URL of a stored page")?;
            return Ok(from_pages(&url, archive)?);
        }
        match (Source::of(source)?, self.pages) {
            (Source::Web(url), Some(web)) => Ok(from_pages(&url, web)?),
            (Source::File(path), _) => {
                let (url, files) = open_file(&path)?;
                let get = |url: &Url| (!self.interrupt.came()).then(|| files.fetch(url));
                Ok(join(self.tsugi, &url, limits, get)?)
            }
            (Source::Archive(path), _) => Err(names_no_page(&path)),
            (Source::Web(url), None) => bail!("`{url}` cannot be fetched"),
        }
    }
}

/// Joins what one page leads to. Where `get` has nothing, since Ctrl-C came, the document ends there.
pub(crate) fn join(
    tsugi: &Tsugi,
    start: &Url,
    limits: Limits,
    mut get: impl FnMut(&Url) -> Option<Result<Response, FetchError>>,
) -> Result<Document, Unavailable> {
    let mut following = tsugi.follow(start.clone(), limits);
    while let Some(url) = following.wanted() {
        let Some(answer) = get(url) else { break };
        following.give(answer.map_err(Unavailable::from));
    }
    following.finish().map(stitch)
}

/// Says on stderr what was joined and why it ended.
fn report(document: &Document) {
    let pages = document.pages.len();
    let stopped = &document.stopped;
    let mut rules: Vec<String> =
        document.pages.iter().filter_map(|page| page.rule.as_deref()).map(quoted).collect();
    rules.dedup();
    let rules =
        if rules.is_empty() { String::new() } else { format!("; content by rule {}", rules.join(", ")) };
    let whole = if document.is_complete() { "" } else { ", not whole" };
    complain(&format!(
        "{}: {pages} page{}{whole}; stopped: {} ({}){rules}",
        document.url,
        if pages == 1 { "" } else { "s" },
        stopped.reason.as_str(),
        stopped.detail
    ));
    warn(document);
    if !document.is_complete() {
        complain(&format!("for the rest: {}", remedy(stopped)));
    }
}

/// Says what helps where a document is not whole.
fn remedy(stopped: &Stopped) -> String {
    let at = &stopped.at;
    match stopped.reason {
        StopReason::LowScore => "lower --min-score".to_owned(),
        StopReason::MaxPages => format!("raise --max-pages, or join from `{at}` on"),
        StopReason::FetchFailed => format!("try again once `{at}` can be had"),
        StopReason::Robots => "ask the site; for your own sites, --ignore-robots lifts this".to_owned(),
        StopReason::OffSite => format!("join from `{at}` on"),
        StopReason::Interrupted => "run it again; with --save, pages are fetched once only".to_owned(),
        _ => format!("open `{at}` in a browser, save what it shows, and join the files"),
    }
}

fn quoted(name: &str) -> String {
    format!("`{}`", plain(name))
}

fn warn(document: &Document) {
    for warning in &document.warnings {
        complain(&format!("warning: {warning}"));
    }
}

/// The document as it is written, with its images where they are wanted; why one is left out is a warning of the
/// document.
pub(crate) fn with_images(
    document: &mut Document,
    plan: &JoinPlan,
    pages: Option<&Arc<Pages>>,
    interrupt: &Interrupt,
) -> anyhow::Result<Vec<u8>> {
    let wanted = plan.images != ImagesPlan::Remote && !document.text.is_empty();
    let (Some(pages), OutputFormat::Document(format)) = (pages.filter(|_| wanted), plan.format) else {
        return written(document, plan.format);
    };
    let left_out = RefCell::new(Vec::new());
    let get = |url: &Url| match pages.unless(interrupt, url, Pages::fetch_image)? {
        Ok(image) => Some(image.body),
        Err(error) => {
            left_out.borrow_mut().push(format!("image left out: {}", chain(&error)));
            None
        }
    };
    let too_many = Cell::new(0_usize);
    let count = |_: &Url| too_many.set(too_many.get() + 1);
    let images = Images::of(document, get, count);
    let mut bytes = Vec::new();
    if let ImagesPlan::Folder(folder) = &plan.images {
        write_images(&images, folder)?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        document.write_with_images(format, &images, ImagePlace::Folder(&name), &mut bytes)?;
    } else {
        document.write_with_images(format, &images, ImagePlace::Embedded, &mut bytes)?;
    }
    document.warnings.extend(left_out.into_inner());
    if interrupt.came() {
        document.warnings.push("images may be left out, since Ctrl-C came".to_owned());
    }
    if too_many.get() > 0 {
        let limits = "500 are asked for, and one may have 16 MiB, all 128 MiB";
        document
            .warnings
            .push(format!("images left out: {}, for their number or size: {limits}", too_many.get()));
    }
    Ok(bytes)
}

/// Writes images into a folder, which is made where there are some.
fn write_images(images: &Images, folder: &Path) -> anyhow::Result<()> {
    if !images.files().is_empty() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    }
    images.files().iter().try_for_each(|image| write_file(&folder.join(&image.name), &image.bytes))
}

/// The document as it is written; text ends with a newline.
fn written(document: &Document, format: OutputFormat) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match format {
        OutputFormat::Document(format) => document.write(format, &mut bytes)?,
        OutputFormat::JsonLines => writeln!(bytes, "{}", document.json_line())?,
    }
    Ok(bytes)
}

/// Joins every chain of an archive, so that each page is part of one document.
fn join_all(
    plan: &JoinPlan,
    archive: &Archive,
    tsugi: &Tsugi,
    interrupt: &Interrupt,
    output: &mut Output,
) -> anyhow::Result<(Exit, bool)> {
    let format = match plan.format {
        // One document a line is the only form that keeps JSON documents apart.
        OutputFormat::Document(Format::Json) => OutputFormat::JsonLines,
        format => format,
    };
    let urls: Vec<Url> = archive.urls().cloned().collect();
    let progress = Progress::new("pages", Some(urls.len() as u64));
    let (mut failed, mut done) = (archive.problems().len(), 0);
    // Once Ctrl-C came no page is read any more, and no document that lacks them is written.
    let ended = || Unavailable { word: "interrupted".to_owned(), message: "Ctrl-C came".to_owned() };
    let get = |url: &Url| {
        if interrupt.came() { Err(ended()) } else { archive.fetch(url).map_err(Unavailable::from) }
    };
    let visit = |url: &Url, joined: Result<Reassembly, Unavailable>| {
        match joined {
            _ if interrupt.came() => return Err(ended().into()),
            Ok(joined) => {
                output.write_all(&written(&stitch(joined), format)?)?;
                done += 1;
            }
            Err(error) => {
                complain(&format!("{url}: {error}"));
                failed += 1;
            }
        }
        anyhow::Ok(())
    };
    let joined = chains(tsugi, &urls, plan.limits, get, || progress.step(), visit);
    progress.finish();
    if interrupt.came() {
        complain(&format!("stopped by Ctrl-C: {done} documents are written"));
        return Ok((Exit::Interrupted, done > 0));
    }
    joined?;
    Ok((Exit::of_batch(failed, done), done > 0))
}
