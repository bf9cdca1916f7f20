//! `tsugi join`: following, stitching, writing.

use crate::args::{JoinArguments, OutputFormat, RelationArgument};
use crate::commands::source::{Source, open, open_archive};
use crate::detectors::Detectors;
use crate::exit::Exit;
use crate::output::{Output, complain};
use crate::progress::Progress;
use anyhow::Context;
use std::io::{self, IsTerminal, Write};
use tsugi_experiments::chain;
use tsugi_follow::{
    Archive, Document, FetchError, Format, Joiner, Limits, Reassembly, chains, json_line, reassemble, stitch,
    write,
};
use tsugi_page::{Relation, Url};

pub(crate) fn run(arguments: &JoinArguments) -> anyhow::Result<Exit> {
    if arguments.format == OutputFormat::Document(Format::Epub)
        && let Some(problem) = epub_problem(arguments)
    {
        complain(&format!("error: {problem}"));
        return Ok(Exit::WrongUse);
    }
    let detectors = Detectors::load(&arguments.detectors)?;
    let limits = Limits {
        max_pages: arguments.max_pages,
        min_score: arguments.min_score,
        relation: match arguments.relation {
            RelationArgument::Any => None,
            RelationArgument::Page => Some(Relation::Page),
            RelationArgument::Chapter => Some(Relation::Chapter),
        },
        ..Limits::default()
    };
    let mut output = Output::open(arguments.output.as_deref())?;
    let archive = arguments.pages.as_deref().map(open_archive).transpose()?;
    let exit = match &archive {
        Some(archive) if arguments.all => {
            join_all(arguments, archive, &detectors.joiner(archive, limits), &mut output)?
        }
        _ => join_sources(arguments, archive.as_ref(), &detectors, limits, &mut output)?,
    };
    // A run that wrote nothing leaves what was there before.
    if matches!(exit, Exit::Done | Exit::PartlyFailed) {
        output.finish()?;
    }
    Ok(exit)
}

/// Says what is in the way of writing EPUB: it is an archive, one document a file.
fn epub_problem(arguments: &JoinArguments) -> Option<&'static str> {
    if arguments.all || arguments.sources.len() > 1 {
        return Some("an EPUB file holds one document: give one SOURCE at a time");
    }
    let to_terminal = arguments.output.is_none() && io::stdout().is_terminal();
    to_terminal.then_some("EPUB is no text: give a file with -o FILE")
}

fn join_sources(
    arguments: &JoinArguments,
    archive: Option<&Archive>,
    detectors: &Detectors,
    limits: Limits,
    output: &mut Output,
) -> anyhow::Result<Exit> {
    let (mut failed, mut done, mut empty) = (0, 0, 0);
    for source in &arguments.sources {
        let joined = match archive {
            Some(archive) => join_stored(source, archive, detectors, limits),
            None => join_one(source, detectors, limits),
        };
        match joined {
            Ok(document) if document.text.is_empty() => {
                complain(&format!("{source}: no main content found"));
                warn(&document);
                empty += 1;
            }
            Ok(document) => {
                report(&document);
                let reads_on =
                    matches!(arguments.format, OutputFormat::Document(Format::Markdown | Format::Text));
                if done > 0 && reads_on {
                    output.write_all(b"\n")?;
                }
                write_document(&document, arguments.format, output)?;
                done += 1;
            }
            Err(error) => {
                complain(&format!("{source}: {}", chain(error.as_ref())));
                failed += 1;
            }
        }
    }
    if done == 0 && failed == 0 && empty > 0 {
        return Ok(Exit::NothingFound);
    }
    Ok(Exit::of_batch(failed, done + empty))
}

fn join_one(source: &str, detectors: &Detectors, limits: Limits) -> anyhow::Result<Document> {
    let (url, fetch) = open(&Source::of(source)?)?;
    Ok(stitch(&reassemble(&url, &detectors.joiner(&*fetch, limits))?))
}

fn join_stored(
    source: &str,
    archive: &Archive,
    detectors: &Detectors,
    limits: Limits,
) -> anyhow::Result<Document> {
    let url = source.parse::<Url>().with_context(|| "with --pages a source is the URL of a stored page")?;
    Ok(stitch(&reassemble(&url, &detectors.joiner(archive, limits))?))
}

/// Says on stderr what was joined and why it ended.
fn report(document: &Document) {
    let pages = document.pages.len();
    let stopped = &document.stopped;
    complain(&format!(
        "{}: {pages} page{}; stopped: {} ({})",
        document.url,
        if pages == 1 { "" } else { "s" },
        stopped.reason.as_str(),
        stopped.detail
    ));
    warn(document);
}

fn warn(document: &Document) {
    for warning in &document.warnings {
        complain(&format!("warning: {warning}"));
    }
}

fn write_document(document: &Document, format: OutputFormat, output: &mut Output) -> anyhow::Result<()> {
    match format {
        OutputFormat::Document(format) => output.write_all(&write(document, format)?)?,
        OutputFormat::JsonLines => {
            output.write_all(json_line(document).as_bytes())?;
            output.write_all(b"\n")?;
        }
    }
    Ok(())
}

/// Joins every chain of an archive, so that each page is part of one document.
fn join_all(
    arguments: &JoinArguments,
    archive: &Archive,
    joiner: &Joiner<'_>,
    output: &mut Output,
) -> anyhow::Result<Exit> {
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
                write_document(&stitch(&joined), format, output)?;
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
    Ok(Exit::of_batch(failed, done))
}
