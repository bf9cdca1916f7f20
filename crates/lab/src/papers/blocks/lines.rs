//! The lines of pages, and their measure.

use super::measure::Measure;
use crate::papers::arguments::LinesArguments;
use std::collections::BTreeSet;
use std::path::Path;
use tsugi::Page;
use tsugi::scan::{ScanContent, ScanLine};
use tsugi_fetch::{Record, chain};
use tsugi_page::address;
use tsugi_site_blocks::Kept;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{Output, write_json_line};
use tsugi_terminal::progress::Progress;
use tsugi_terminal::source::visit_records;

pub(super) struct BlocksAnswer {
    pub(super) kept: Kept,
    pub(super) can_measure: bool,
}

/// Hands the records of an archive to `visit`, but only the first readable capture of a page. Returns the number of
/// broken records; `tell` gets the problems and the number of skipped captures.
pub(super) fn visit_first_captures(
    path: &Path,
    tell: impl Fn(&str),
    mut visit: impl FnMut(Record) -> anyhow::Result<()>,
) -> anyhow::Result<usize> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut passed_over = 0;
    let broken = visit_records(path, &tell, |record| {
        if record.response.is_ok() && !seen.insert(address::page_key(&record.url)) {
            passed_over += 1;
            return Ok(());
        }
        visit(record)
    })?;
    if passed_over > 0 {
        tell(&format!("{}: {passed_over} later captures of pages skipped", path.display()));
    }
    Ok(broken)
}

/// The output for all pages: lines, a table that measures them, or both.
pub(super) struct BlockLines {
    output: Option<Output>,
    measure: Option<Measure>,
    pub(super) progress: Progress,
    failed: usize,
    done: usize,
}

impl BlockLines {
    pub(super) fn open(arguments: &LinesArguments) -> anyhow::Result<BlockLines> {
        // Measured lines are only written where a file is named: stdout is for the table.
        let wants_lines = arguments.labels().is_none() || arguments.output.is_some();
        Ok(BlockLines {
            measure: arguments.labels().map(Measure::open).transpose()?,
            output: wants_lines.then(|| Output::open(arguments.output.as_deref())).transpose()?,
            progress: Progress::new("pages", None),
            failed: 0,
            done: 0,
        })
    }

    /// Adds the answers for the pages of an archive; the inner error says why there is none for a page. Returns the
    /// number of broken records; `tell` gets the problems and the number of skipped captures.
    pub(super) fn add_archive(
        &mut self,
        path: &Path,
        tell: impl Fn(&str),
        mut answer: impl FnMut(&Record, &Page) -> anyhow::Result<Result<BlocksAnswer, String>>,
    ) -> anyhow::Result<usize> {
        visit_first_captures(path, tell, |record| match &record.response {
            Ok(response) => {
                let page = response.page();
                let said = answer(&record, &page)?;
                self.add(&record.target, &page, said)
            }
            Err(error) => self.add_failure(&record.target, chain(error)),
        })
    }

    pub(super) fn add(
        &mut self,
        url: &str,
        page: &Page,
        said: Result<BlocksAnswer, String>,
    ) -> anyhow::Result<()> {
        let answer = match said {
            Ok(answer) => answer,
            Err(why) => return self.add_failure(url, why),
        };
        match &mut self.measure {
            Some(measure) if answer.can_measure => measure.add(url, page, &answer.kept),
            Some(measure) => measure.leave_out(),
            None => {}
        }
        self.write(&line_of(url, page, &answer.kept))
    }

    pub(super) fn add_failure(&mut self, url: &str, why: String) -> anyhow::Result<()> {
        self.write(&ScanLine::failed(url, why))
    }

    fn write(&mut self, line: &ScanLine) -> anyhow::Result<()> {
        self.progress.step();
        *(if line.error.is_some() { &mut self.failed } else { &mut self.done }) += 1;
        if let Some(output) = &mut self.output {
            write_json_line(output, line)?;
        }
        Ok(())
    }

    /// Finishes the lines and writes the table; `broken` is the number of broken records.
    pub(super) fn finish(self, broken: usize) -> anyhow::Result<Exit> {
        self.progress.finish();
        self.output.map_or(Ok(()), Output::finish)?;
        let failed = self.failed + broken;
        if let Some(measure) = self.measure {
            let (unusable, measured) = measure.finish()?;
            return Ok(Exit::of_batch(failed + unusable, measured));
        }
        Ok(Exit::of_batch(failed, self.done))
    }
}

/// Returns the line of a page: the fields of `scan` without those of links.
fn line_of(url: &str, page: &Page, kept: &Kept) -> ScanLine {
    match ScanContent::of(page, &kept.content(page)) {
        Ok(content) => ScanLine {
            url: url.to_owned(),
            content: Some(content),
            title: page.title(),
            lang: page.lang().map(str::to_owned),
            ..ScanLine::default()
        },
        Err(error) => ScanLine::failed(url, error.to_string()),
    }
}
