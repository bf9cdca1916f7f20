//! `tsugi blocks`: the page-set methods.

mod measure;
mod repeated;
mod rules;
mod unique;

use crate::args::{BlocksArguments, BlocksMethod, PageSetArguments};
use crate::commands::source::visit_records;
use crate::exit::Exit;
use crate::output::{Output, complain, write_json_line};
use crate::progress::Progress;
use anyhow::bail;
use measure::Measure;
use std::collections::BTreeMap;
use std::path::Path;
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

    /// Sums up the pages of a host.
    fn know(&self, gathered: Self::Gathered, host: &str) -> Self::Known;

    /// Says what is content on a page, which is one of those that were gathered, by its number among them; `None` if there is
    /// no such page.
    fn keep(&self, known: &Self::Known, number: usize, page: &Page) -> Option<Kept>;

    /// Says whether labels can measure what is kept of a page: not if it was learned from to be applied to others.
    fn can_measure(&self, known: &Self::Known, number: usize) -> bool {
        let _ = (known, number);
        true
    }
}

/// What is said of a page.
struct Answer {
    kept: Kept,
    can_measure: bool,
}

/// Runs a method over an archive, a line a page. The archive is read twice, so that memory holds no pages.
fn run_method<M: Method>(method: &M, arguments: &PageSetArguments) -> anyhow::Result<Exit> {
    let lines = Lines::open(arguments)?;
    let progress = Progress::new("pages", None);
    let (known, broken) = know_sites(method, arguments, &progress)?;
    let mut known: BTreeMap<String, (M::Known, usize)> =
        known.into_iter().map(|(host, known)| (host, (known, 0))).collect();
    lines.write(progress, Some(broken), |record, page| {
        let site = known.get_mut(&address::host_key(&record.url));
        let answer = site.and_then(|(known, number)| {
            *number += 1;
            let kept = method.keep(known, *number - 1, page)?;
            Some(Answer { kept, can_measure: method.can_measure(known, *number - 1) })
        });
        let Some(answer) = answer else {
            bail!("`{}` changed while it was read", arguments.pages.display());
        };
        Ok(Ok(answer))
    })
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
    let known = sites.into_iter().map(|(host, gathered)| {
        let known = method.know(gathered, &host);
        (host, known)
    });
    Ok((known.collect(), broken))
}

/// What is said of each page of an archive: lines, a table that measures them, or both.
struct Lines<'a> {
    pages: &'a Path,
    output: Option<Output>,
    measure: Option<Measure>,
}

impl<'a> Lines<'a> {
    fn open(arguments: &'a PageSetArguments) -> anyhow::Result<Lines<'a>> {
        let measure = arguments.evaluate.as_deref().map(Measure::open).transpose()?;
        // Measured lines are only written where a file is named: stdout is for the table.
        let wants_lines = measure.is_none() || arguments.output.is_some();
        let output = wants_lines.then(|| Output::open(arguments.output.as_deref())).transpose()?;
        Ok(Lines { pages: &arguments.pages, output, measure })
    }

    /// Writes what `answer` says of the pages; its inner error is why nothing can be said of one. `broken` is how much is no
    /// record, where that has been listed.
    fn write(
        mut self,
        progress: Progress,
        broken: Option<usize>,
        mut answer: impl FnMut(&Record, &Page) -> anyhow::Result<Result<Answer, String>>,
    ) -> anyhow::Result<Exit> {
        let (mut failed, mut done) = (0, 0);
        let complain_once = |problem: &str| {
            if broken.is_none() {
                complain(problem);
            }
        };
        let counted = visit_records(self.pages, complain_once, |record| {
            progress.step();
            let line = match &record.response {
                Err(error) => ScanLine::failed(&record.target, error),
                Ok(response) => {
                    let page = response.page();
                    match answer(&record, &page)? {
                        Ok(Answer { kept, can_measure }) => {
                            match &mut self.measure {
                                Some(measure) if can_measure => measure.add(&record.target, &page, &kept),
                                Some(measure) => measure.leave_out(),
                                None => {}
                            }
                            line_of(&record, &page, &kept)
                        }
                        Err(why) => {
                            ScanLine { url: record.target.clone(), error: Some(why), ..ScanLine::default() }
                        }
                    }
                }
            };
            *(if line.error.is_some() { &mut failed } else { &mut done }) += 1;
            if let Some(output) = &mut self.output {
                write_json_line(output, &line)?;
            }
            Ok(())
        })?;
        progress.finish();
        self.output.map_or(Ok(()), Output::finish)?;
        failed += broken.unwrap_or(counted);
        if let Some(measure) = self.measure {
            let (unusable, measured) = measure.finish()?;
            return Ok(Exit::of_batch(failed + unusable, measured));
        }
        Ok(Exit::of_batch(failed, done))
    }
}

/// The line of a page: the fields of `scan`, without those of links.
fn line_of(record: &Record, page: &Page, kept: &Kept) -> ScanLine {
    ScanLine {
        url: record.target.clone(),
        content: Some(ScanContent::of(page, &kept.content(page))),
        title: page.title(),
        lang: page.lang().map(str::to_owned),
        ..ScanLine::default()
    }
}
