//! `tsugi blocks`: the page-set methods.

mod repeated;
mod rules;
mod unique;

use crate::args::{BlocksArguments, BlocksMethod, PageSetArguments};
use crate::commands::source::visit_records;
use crate::exit::Exit;
use crate::output::{Output, complain, write_json_line};
use crate::progress::Progress;
use anyhow::bail;
use std::collections::BTreeMap;
use tsugi_experiments::{ScanContent, ScanLine};
use tsugi_follow::{Record, Response};
use tsugi_page::{Page, address};
use tsugi_site_blocks::Kept;

pub(crate) fn run(arguments: &BlocksArguments) -> anyhow::Result<Exit> {
    match &arguments.method {
        BlocksMethod::Unique(arguments) => unique::run(arguments),
        BlocksMethod::Repeated(arguments) => repeated::run(arguments),
        BlocksMethod::Rules(arguments) => rules::run(arguments),
    }
}

/// A method that looks at all pages of a site before it says anything of one.
trait Method {
    /// What is gathered from the pages of a site.
    type Gathered: Default;
    /// What the method then knows of the site.
    type Known;

    /// Looks at a page of a host, as it was answered.
    fn gather(&self, gathered: &mut Self::Gathered, host: &str, response: &Response);

    /// Sums up the pages of a site.
    fn know(&self, gathered: Self::Gathered) -> Self::Known;

    /// Says what is content on a page, which is one of those that were gathered, by its number among them; `None` if there is
    /// no such page.
    fn keep(&self, known: &Self::Known, number: usize, page: &Page) -> Option<Kept>;
}

/// Runs a method over an archive, a line a page. The archive is read twice, so that memory holds no pages.
fn run_method<M: Method>(method: &M, arguments: &PageSetArguments) -> anyhow::Result<Exit> {
    let output = Output::open(arguments.output.as_deref())?;
    let progress = Progress::new("pages", None);
    let (known, broken) = know_sites(method, arguments, &progress)?;
    let mut known: BTreeMap<String, (M::Known, usize)> =
        known.into_iter().map(|(host, known)| (host, (known, 0))).collect();
    let line = |record: &Record, page: &Page| {
        let site = known.get_mut(&address::host_key(&record.url));
        let kept = site.and_then(|(known, number)| {
            *number += 1;
            method.keep(known, *number - 1, page)
        });
        let Some(kept) = kept else {
            bail!("`{}` changed while it was read", arguments.pages.display());
        };
        Ok(line_of(record, page, &kept))
    };
    let (failed, done, _) = write_lines(arguments, output, progress, |_| {}, line)?;
    Ok(Exit::of_batch(failed + broken, done))
}

/// Reads all pages of an archive; returns what a method knows of each host, and how much is no record, which is listed.
fn know_sites<M: Method>(
    method: &M,
    arguments: &PageSetArguments,
    progress: &Progress,
) -> anyhow::Result<(BTreeMap<String, M::Known>, usize)> {
    let mut sites: BTreeMap<String, M::Gathered> = BTreeMap::new();
    let broken = visit_records(&arguments.pages, complain, |record| {
        if let Ok(response) = &record.response {
            let host = address::host_key(&record.url);
            method.gather(sites.entry(host.clone()).or_default(), &host, response);
        }
        progress.step();
        Ok(())
    })?;
    Ok((sites.into_iter().map(|(host, gathered)| (host, method.know(gathered))).collect(), broken))
}

/// Writes a line for each page of an archive. `broken` is told what is no record. Returns how many lines have an error,
/// how many have none, and how much is no record.
fn write_lines(
    arguments: &PageSetArguments,
    mut output: Output,
    progress: Progress,
    broken: impl Fn(&str),
    mut line: impl FnMut(&Record, &Page) -> anyhow::Result<ScanLine>,
) -> anyhow::Result<(usize, usize, usize)> {
    let (mut failed, mut done) = (0, 0);
    let broken = visit_records(&arguments.pages, broken, |record| {
        progress.step();
        let line = match &record.response {
            Err(error) => ScanLine::failed(&record.target, error),
            Ok(response) => line(&record, &response.page())?,
        };
        *(if line.error.is_some() { &mut failed } else { &mut done }) += 1;
        Ok(write_json_line(&mut output, &line)?)
    })?;
    progress.finish();
    output.finish()?;
    Ok((failed, done, broken))
}

/// The line of a page: the fields of `scan`, without those of links.
fn line_of(record: &Record, page: &Page, kept: &Kept) -> ScanLine {
    let content = kept.content(page);
    let paths = |nodes: &[_]| nodes.iter().map(|node| page.location_path(*node)).collect();
    ScanLine {
        url: record.target.clone(),
        content: Some(ScanContent {
            nodes: paths(&content.nodes),
            without: paths(&content.without),
            text: page.text_of_content(&content.nodes, &content.without),
        }),
        title: page.title(),
        lang: page.lang().map(str::to_owned),
        ..ScanLine::default()
    }
}
