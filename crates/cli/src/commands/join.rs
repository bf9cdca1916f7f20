//! `tsugi join`: following, stitching, writing.

use crate::args::{JoinArguments, OutputFormat, RelationArgument, SinglePage};
use crate::commands::batch;
use crate::commands::pages::Pages;
use crate::commands::source::{Source, Web, open};
use crate::detectors::Detectors;
use crate::exit::Exit;
use crate::output::{Output, complain, plain, refuse};
use crate::progress::Progress;
use anyhow::Context;
use std::cell::{Cell, RefCell};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use tsugi_experiments::chain;
use tsugi_follow::{
    Archive, Document, EpubOptions, Fetch, FetchError, FetchImage, Format, Joiner, Limits, Reassembly,
    chains, json_line, reassemble, stitch, write, write_epub,
};
use tsugi_page::{Relation, Url, address};

pub(crate) fn run(arguments: &JoinArguments) -> anyhow::Result<Exit> {
    if let Some(misuse) = misuse(arguments) {
        return Ok(refuse(&misuse));
    }
    if let (Some(input), Some(folder)) = (&arguments.input, &arguments.output) {
        return batch::run(arguments, input, folder);
    }
    let detectors = Detectors::load(&arguments.detectors)?;
    let mut output = Output::open(arguments.output.as_deref())?;
    let pages = match arguments.pages.as_deref() {
        Some(archive) => Some(Pages::of_archive(archive)?),
        None if arguments.sources.iter().any(|source| web_address(source).is_some()) => {
            Some(Pages::of_web(&arguments.network, arguments.save.as_deref())?)
        }
        None => None,
    };
    let (exit, wrote) = match &pages {
        Some(Pages::Archive(archive)) if arguments.all => {
            join_all(arguments, archive, &detectors.joiner(archive, limits(arguments)), &mut output)?
        }
        _ => join_sources(arguments, pages.as_ref(), &detectors, &mut output)?,
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

/// Says what does not fit, of what the argument parser cannot see.
fn misuse(arguments: &JoinArguments) -> Option<String> {
    let JoinArguments { input, output, save, sources, format, images, .. } = arguments;
    if let (Some(_), Some(output)) = (input, output)
        && std::fs::metadata(output).is_ok_and(|found| !found.is_dir())
    {
        return Some(format!(
            "`{}` is a file; with --input, -o names the folder to write to",
            output.display()
        ));
    }
    if let (None, Some(output)) = (input, output) {
        if output.is_dir() {
            return Some(format!("`{}` is a folder; without --input, -o names a file", output.display()));
        }
        let is_output = |path: &&PathBuf| {
            let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
            whole(path) == whole(output)
        };
        if let Some(path) = [save, &arguments.pages].into_iter().flatten().find(is_output) {
            return Some(format!("`{}` is the archive; -o has to name another file", path.display()));
        }
    }
    if *format == OutputFormat::Document(Format::Epub)
        && let Some(problem) = epub_problem(arguments)
    {
        return Some(problem.to_owned());
    }
    if *images && *format != OutputFormat::Document(Format::Epub) {
        return Some("--images takes the images into an EPUB file; it goes with -f epub alone".to_owned());
    }
    let file = sources.iter().find(|source| web_address(source).is_none())?;
    if save.is_some() {
        Some(format!("`{file}` is no http(s) URL; --save keeps what comes from the web"))
    } else if *images {
        Some(format!("`{file}` is no http(s) URL; --images takes what pages of the web show"))
    } else {
        None
    }
}

fn web_address(source: &str) -> Option<Url> {
    source.parse().ok().filter(address::is_web)
}

pub(crate) fn limits(arguments: &JoinArguments) -> Limits {
    Limits {
        max_pages: arguments.max_pages,
        min_score: arguments.min_score,
        relation: match arguments.relation {
            RelationArgument::Any => None,
            RelationArgument::Page => Some(Relation::Page),
            RelationArgument::Chapter => Some(Relation::Chapter),
        },
        from_start: arguments.from_start,
        // Every page of an archive shall be part of some document.
        single_page: arguments.single_page == SinglePage::Auto && !arguments.all,
    }
}

/// Says what is in the way of writing EPUB: it is an archive, one document a file.
fn epub_problem(arguments: &JoinArguments) -> Option<&'static str> {
    if arguments.all || arguments.sources.len() > 1 {
        return Some("an EPUB file holds one document: give one SOURCE at a time");
    }
    let to_terminal = arguments.output.is_none() && io::stdout().is_terminal();
    to_terminal.then_some("EPUB is no text: give a file with -o FILE")
}

/// Joins the sources; returns whether anything was written, too.
fn join_sources(
    arguments: &JoinArguments,
    pages: Option<&Pages>,
    detectors: &Detectors,
    output: &mut Output,
) -> anyhow::Result<(Exit, bool)> {
    let (mut failed, mut done, mut empty) = (0, 0, 0);
    for source in &arguments.sources {
        match join_one(arguments, source, pages, detectors) {
            Ok(document) if document.text.is_empty() => {
                complain(&format!("{source}: no main content found"));
                warn(&document);
                empty += 1;
            }
            Ok(mut document) => {
                let written = with_images(&mut document, arguments, pages)?;
                report(&document);
                let reads_on =
                    matches!(arguments.format, OutputFormat::Document(Format::Markdown | Format::Text));
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

fn join_one(
    arguments: &JoinArguments,
    source: &str,
    pages: Option<&Pages>,
    detectors: &Detectors,
) -> anyhow::Result<Document> {
    let web = Web::new(&arguments.network);
    let (url, files);
    let fetch: &dyn Fetch = match pages {
        Some(pages @ Pages::Archive(_)) => {
            url =
                source.parse::<Url>().with_context(|| "with --pages a source is the URL of a stored page")?;
            pages
        }
        _ => match (Source::of(source)?, pages) {
            (Source::Web(web), Some(pages)) => {
                url = web;
                pages
            }
            (other, _) => {
                (url, files) = open(&other, &web)?;
                &*files
            }
        },
    };
    Ok(stitch(&reassemble(&url, &detectors.joiner(fetch, limits(arguments)))?))
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
    arguments: &JoinArguments,
    pages: Option<&Pages>,
) -> anyhow::Result<Vec<u8>> {
    let Some(pages) = pages.filter(|_| arguments.images && !document.text.is_empty()) else {
        return written(document, arguments.format);
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
    let options = EpubOptions { images: Some(&get), left_out: Some(&count), ..EpubOptions::default() };
    let epub = write_epub(document, &options)?;
    document.warnings.extend(left_out.into_inner());
    if too_many.get() > 0 {
        let limits = "500 are asked for, and one may have 16 MiB, all 128 MiB";
        document
            .warnings
            .push(format!("images left out: {}, for their number or size: {limits}", too_many.get()));
    }
    Ok(epub)
}

/// The document as it is written; text ends with a newline.
fn written(document: &Document, format: OutputFormat) -> anyhow::Result<Vec<u8>> {
    match format {
        OutputFormat::Document(format) => Ok(write(document, format)?),
        OutputFormat::JsonLines => {
            let mut line = json_line(document);
            line.push('\n');
            Ok(line.into_bytes())
        }
    }
}

/// Joins every chain of an archive, so that each page is part of one document.
fn join_all(
    arguments: &JoinArguments,
    archive: &Archive,
    joiner: &Joiner<'_>,
    output: &mut Output,
) -> anyhow::Result<(Exit, bool)> {
    let format = match arguments.format {
        // One document a line is the only form that keeps JSON documents apart.
        OutputFormat::Document(Format::Json) => OutputFormat::JsonLines,
        format => format,
    };
    let urls: Vec<Url> = archive.urls().cloned().collect();
    let progress = Progress::new("pages", Some(urls.len() as u64));
    let (mut failed, mut done) = (archive.problems().len(), 0);
    let visit = |url: &Url, joined: Result<Reassembly, FetchError>| {
        match joined {
            Ok(joined) => {
                output.write_all(&written(&stitch(&joined), format)?)?;
                done += 1;
            }
            Err(error) => {
                complain(&format!("{url}: {}", chain(&error)));
                failed += 1;
            }
        }
        anyhow::Ok(())
    };
    chains(archive, &urls, joiner, || progress.step(), visit)?;
    progress.finish();
    Ok((Exit::of_batch(failed, done), done > 0))
}
