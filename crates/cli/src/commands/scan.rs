//! `tsugi scan`: the next link and the content of every page.

use crate::args::ScanArguments;
use crate::commands::source::{Source, Web, open, visit_records};
use crate::detectors::Detectors;
use crate::exit::Exit;
use crate::output::{Output, complain, misuse_of_output, refuse, write_json_line};
use crate::progress::Progress;
use anyhow::Context;
use std::path::Path;
use tsugi_experiments::{ScanLine, chain};

pub(crate) fn run(arguments: &ScanArguments) -> anyhow::Result<Exit> {
    if let Some(misuse) = misuse_of_output(arguments.output.as_deref(), &arguments.sources) {
        return Ok(refuse(&misuse));
    }
    let detectors = Detectors::load(&arguments.detectors)?;
    let mut output = Output::open(arguments.output.as_deref())?;
    let progress = Progress::new("pages", None);
    let web = Web::new(&arguments.network);
    let (mut failed, mut done) = (0, 0);
    let mut write = |line: &ScanLine, output: &mut Output| -> anyhow::Result<()> {
        progress.step();
        if line.error.is_some() {
            failed += 1;
        } else {
            done += 1;
        }
        write_json_line(output, line).context("cannot write")
    };
    let mut broken = 0;
    for argument in &arguments.sources {
        match Source::of(argument) {
            Ok(Source::Archive(path)) => {
                broken += scan_archive(&path, &detectors, |line| write(&line, &mut output))?;
            }
            Ok(source) => {
                let (url, fetch) = open(&source, &web)?;
                let line = match fetch.fetch(&url) {
                    Ok(response) => ScanLine::of(&response.page(), &detectors, &detectors),
                    Err(error) => ScanLine::failed(url.as_str(), &error),
                };
                write(&line, &mut output)?;
            }
            Err(error) => {
                let line = ScanLine {
                    url: argument.clone(),
                    error: Some(chain(error.as_ref())),
                    ..ScanLine::default()
                };
                write(&line, &mut output)?;
            }
        }
    }
    progress.finish();
    output.finish()?;
    Ok(Exit::of_batch(failed + broken, done))
}

/// Scans an archive; returns how many records could not be read at all.
fn scan_archive(
    path: &Path,
    detectors: &Detectors,
    mut write: impl FnMut(ScanLine) -> anyhow::Result<()>,
) -> anyhow::Result<usize> {
    visit_records(path, complain, |record| {
        write(match &record.response {
            Ok(response) => ScanLine {
                url: record.target.clone(),
                ..ScanLine::of(&response.page(), detectors, detectors)
            },
            Err(error) => ScanLine::failed(&record.target, error),
        })
    })
}
