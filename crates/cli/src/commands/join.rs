//! `tsugi join`: following, stitching, writing.

use crate::args::OutputFormat;
use crate::commands::batch;
use crate::commands::pages::Pages;
use crate::exit::Exit;
use crate::output::{Output, complain, plain, write_file};
use crate::plan::{ImagesPlan, JoinPlan, JoinWork};
use crate::progress::Progress;
use crate::source::{Source, names_no_page, open_file};
use anyhow::{Context, bail};
use std::cell::{Cell, RefCell};
use std::io::Write;
use std::path::Path;
use tsugi::{
    Archive, Document, Fetch, Format, ImagePlace, Images, Reassembly, Tsugi, Unavailable, Url, chains, stitch,
};
use tsugi_fetch::{FetchImage, chain};

pub(crate) fn run(plan: &JoinPlan) -> anyhow::Result<Exit> {
    let output = match &plan.work {
        JoinWork::Batch { input, folder, jobs } => return batch::run(plan, input, folder, *jobs),
        JoinWork::Sources { output, .. } | JoinWork::All { output } => output.as_deref(),
    };
    let tsugi = plan.detection.load()?;
    let mut output = Output::open(output)?;
    let pages = Pages::open(&plan.from)?;
    let (exit, wrote) = match (&plan.work, &pages) {
        (JoinWork::Sources { sources, .. }, _) => {
            join_sources(plan, sources, pages.as_ref(), &tsugi, &mut output)?
        }
        (_, Some(Pages::Archive(archive))) => join_all(plan, archive, &tsugi, &mut output)?,
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

/// Joins the sources; returns whether anything was written, too.
fn join_sources(
    plan: &JoinPlan,
    sources: &[String],
    pages: Option<&Pages>,
    tsugi: &Tsugi,
    output: &mut Output,
) -> anyhow::Result<(Exit, bool)> {
    let (mut failed, mut done, mut empty) = (0, 0, 0);
    for source in sources {
        match join_one(plan, source, pages, tsugi) {
            Ok(document) if document.text.is_empty() => {
                complain(&format!("{source}: no main content found"));
                warn(&document);
                empty += 1;
            }
            Ok(mut document) => {
                let written = with_images(&mut document, plan, pages)?;
                report(&document);
                let reads_on = matches!(plan.format, OutputFormat::Document(Format::Markdown | Format::Text));
                if done > 0 && reads_on {
                    output.write_all(b"\n")?;
                }
                output.write_all(&written)?;
                done += 1;
            }
            Err(error) => {
                complain(&format!("{source}: {}", chain(error.as_ref())));
                failed += 1;
            }
        }
    }
    if done == 0 && failed == 0 && empty > 0 {
        return Ok((Exit::NothingFound, false));
    }
    Ok((Exit::of_batch(failed, done + empty), done > 0))
}

fn join_one(plan: &JoinPlan, source: &str, pages: Option<&Pages>, tsugi: &Tsugi) -> anyhow::Result<Document> {
    if let Some(archive @ Pages::Archive(_)) = pages {
        let url = source.parse().context("with --pages a source is the URL of a stored page")?;
        return Ok(tsugi.join_within(&url, archive, plan.limits)?);
    }
    match (Source::of(source)?, pages) {
        (Source::Web(url), Some(web)) => Ok(tsugi.join_within(&url, web, plan.limits)?),
        (Source::File(path), _) => {
            let (url, files) = open_file(&path)?;
            Ok(tsugi.join_within(&url, &files, plan.limits)?)
        }
        (Source::Archive(path), _) => Err(names_no_page(&path)),
        (Source::Web(url), None) => bail!("`{url}` cannot be fetched"),
    }
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
    complain(&format!(
        "{}: {pages} page{}; stopped: {} ({}){rules}",
        document.url,
        if pages == 1 { "" } else { "s" },
        stopped.reason.as_str(),
        stopped.detail
    ));
    warn(document);
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
    pages: Option<&Pages>,
) -> anyhow::Result<Vec<u8>> {
    let wanted = plan.images != ImagesPlan::Remote && !document.text.is_empty();
    let (Some(pages), OutputFormat::Document(format)) = (pages.filter(|_| wanted), plan.format) else {
        return written(document, plan.format);
    };
    let left_out = RefCell::new(Vec::new());
    let get = |url: &Url| match pages.fetch_image(url) {
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
    let get = |url: &Url| archive.fetch(url).map_err(Unavailable::from);
    let visit = |url: &Url, joined: Result<Reassembly, Unavailable>| {
        match joined {
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
    chains(tsugi, &urls, plan.limits, get, || progress.step(), visit)?;
    progress.finish();
    Ok((Exit::of_batch(failed, done), done > 0))
}
