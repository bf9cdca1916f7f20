//! `tsugi scan`: the next link and the content of every page.

use crate::args::ScanArguments;
use crate::commands::source::{Source, Web, open, visit_records};
use crate::detectors::Detectors;
use crate::exit::Exit;
use crate::output::{Output, complain, write_json_line};
use crate::progress::Progress;
use anyhow::Context;
use std::collections::BTreeMap;
use std::path::Path;
use tsugi_experiments::{ScanLine, chain};
use tsugi_page::address;
use tsugi_site_blocks::SiteTexts;

pub(crate) fn run(arguments: &ScanArguments) -> anyhow::Result<Exit> {
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
                let sites = if arguments.site_context { site_texts(&path)? } else { BTreeMap::new() };
                broken += scan_archive(&path, &detectors, &sites, |line| write(&line, &mut output))?;
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

/// What the pages of each host of an archive have in common.
fn site_texts(path: &Path) -> anyhow::Result<BTreeMap<String, SiteTexts>> {
    let mut sites: BTreeMap<String, SiteTexts> = BTreeMap::new();
    // What cannot be read is told when the archive is scanned.
    let ignore = |_: &str| {};
    visit_records(path, ignore, |record| {
        if let Ok(response) = &record.response {
            sites.entry(address::host_key(&record.url)).or_default().add(&response.page());
        }
        Ok(())
    })?;
    Ok(sites)
}

/// Scans an archive; `sites` is what is known of its hosts. Returns how many records could not be read at all.
fn scan_archive(
    path: &Path,
    detectors: &Detectors,
    sites: &BTreeMap<String, SiteTexts>,
    mut write: impl FnMut(ScanLine) -> anyhow::Result<()>,
) -> anyhow::Result<usize> {
    visit_records(path, complain, |record| {
        write(match &record.response {
            Ok(response) => {
                let page = response.page();
                let site = sites.get(&address::host_key(&record.url));
                let recurring = site.map(|site| site.recurring(&page)).unwrap_or_default();
                let line = ScanLine::on_site(&page, detectors, detectors, recurring.leaves());
                ScanLine { url: record.target.clone(), ..line }
            }
            Err(error) => ScanLine::failed(&record.target, error),
        })
    })
}
