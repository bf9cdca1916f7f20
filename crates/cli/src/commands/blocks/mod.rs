//! `tsugi blocks`: content block by block, by comparing the pages of a site or by the blocks of one page.

mod crf;
#[cfg(feature = "lab")]
mod measure;
mod repeated;
mod rules;
mod unique;

use crate::args::{
    BlocksArguments, BlocksMethod, LinesArguments, PageSetArguments, RulesArguments, UniqueArguments,
};
use crate::exit::Exit;
use crate::output::{Output, complain, misuse_of_output, refuse, write_json_line};
use crate::progress::Progress;
use crate::source::visit_records;
use anyhow::anyhow;
#[cfg(feature = "lab")]
use measure::Measure;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tsugi::{FetchError, Page, Response, ScanContent, ScanLine};
use tsugi_fetch::{Record, chain};
use tsugi_page::address;
use tsugi_site_blocks::Kept;

pub(crate) fn run(arguments: &BlocksArguments) -> anyhow::Result<Exit> {
    let (pages, lines, learned): (Vec<&Path>, _, _) = match &arguments.method {
        BlocksMethod::Unique(UniqueArguments { pages, .. }) | BlocksMethod::Repeated(pages) => {
            (vec![&pages.pages], &pages.lines, None)
        }
        BlocksMethod::Rules(RulesArguments { pages, rules, .. }) => {
            (vec![&pages.pages], &pages.lines, rules.as_deref())
        }
        BlocksMethod::Crf(arguments) => {
            (arguments.sources.iter().map(Path::new).collect(), &arguments.lines, arguments.model.as_deref())
        }
    };
    let sources = pages.into_iter().chain(lines.labels()).chain(learned);
    if let Some(misuse) = misuse_of_output(lines.output.as_deref(), sources) {
        return Ok(refuse(&misuse));
    }
    match &arguments.method {
        BlocksMethod::Unique(arguments) => unique::run(arguments),
        BlocksMethod::Repeated(arguments) => repeated::run(arguments),
        BlocksMethod::Rules(arguments) => rules::run(arguments),
        BlocksMethod::Crf(arguments) => crf::run(arguments),
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

    /// Sums up the pages of a host; the error is why nothing can be said of them.
    fn know(&self, gathered: Self::Gathered, host: &str) -> Result<Self::Known, String>;

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
    #[cfg_attr(not(feature = "lab"), expect(dead_code, reason = "only measuring asks"))]
    can_measure: bool,
}

/// What is known of a host, or why nothing is.
type Known<M> = Result<<M as Method>::Known, String>;

/// Runs a method over an archive, a line a page. The archive is read twice, so that memory holds no more pages than a
/// method wants.
fn run_method<M: Method>(method: &M, arguments: &PageSetArguments) -> anyhow::Result<Exit> {
    let mut lines = Lines::open(&arguments.lines)?;
    let (known, broken) = know_sites(method, arguments, &lines.progress, |_, _| {})?;
    let mut known: BTreeMap<String, (Known<M>, usize)> =
        known.into_iter().map(|(host, known)| (host, (known, 0))).collect();
    let told_before = |_: &str| {};
    lines.add_archive(&arguments.pages, told_before, |record, page| {
        let changed = || anyhow!("`{}` changed while it was read", arguments.pages.display());
        let (known, number) = known.get_mut(&address::host_key(&record.url)).ok_or_else(changed)?;
        *number += 1;
        let known = match known {
            Ok(known) => known,
            Err(why) => return Ok(Err(why.clone())),
        };
        let kept = method.keep(known, *number - 1, page).ok_or_else(changed)?;
        Ok(Ok(Answer { kept, can_measure: method.can_measure(known, *number - 1) }))
    })?;
    lines.finish(broken)
}

/// Hands the records of an archive to `visit`; of several captures of a page the first that can be read alone. Returns
/// how much is no record; that, and how many captures were passed over, is told to `tell`.
fn visit_first_captures(
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
        tell(&format!(
            "{}: {passed_over} captures of pages passed over: of several of one page the first counts",
            path.display()
        ));
    }
    Ok(broken)
}

/// Reads all pages of an archive; returns what a method knows of each host, and how much is no record, which is listed.
/// `unreadable` is told what records hold no page.
fn know_sites<M: Method>(
    method: &M,
    arguments: &PageSetArguments,
    progress: &Progress,
    mut unreadable: impl FnMut(&Record, &FetchError),
) -> anyhow::Result<(BTreeMap<String, Known<M>>, usize)> {
    let mut sites: BTreeMap<String, M::Gathered> = BTreeMap::new();
    let broken = visit_first_captures(&arguments.pages, complain, |record| {
        match &record.response {
            Ok(response) => {
                let host = address::host_key(&record.url);
                method.gather(sites.entry(host.clone()).or_default(), &host, response);
            }
            Err(error) => unreadable(&record, error),
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

/// What is said of each page: lines, a table that measures them, or both.
struct Lines {
    output: Option<Output>,
    #[cfg(feature = "lab")]
    measure: Option<Measure>,
    progress: Progress,
    failed: usize,
    done: usize,
}

impl Lines {
    fn open(arguments: &LinesArguments) -> anyhow::Result<Lines> {
        // Measured lines are only written where a file is named: stdout is for the table.
        let wants_lines = arguments.labels().is_none() || arguments.output.is_some();
        Ok(Lines {
            #[cfg(feature = "lab")]
            measure: arguments.labels().map(Measure::open).transpose()?,
            output: wants_lines.then(|| Output::open(arguments.output.as_deref())).transpose()?,
            progress: Progress::new("pages", None),
            failed: 0,
            done: 0,
        })
    }

    /// Adds what `answer` says of the pages of an archive; its inner error is why nothing can be said of one. Returns how much
    /// is no record; that, and how many captures were passed over, is told to `tell`.
    fn add_archive(
        &mut self,
        path: &Path,
        tell: impl Fn(&str),
        mut answer: impl FnMut(&Record, &Page) -> anyhow::Result<Result<Answer, String>>,
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

    /// Adds what is said of a page, or why nothing is.
    fn add(&mut self, url: &str, page: &Page, said: Result<Answer, String>) -> anyhow::Result<()> {
        let answer = match said {
            Ok(answer) => answer,
            Err(why) => return self.add_failure(url, why),
        };
        #[cfg(feature = "lab")]
        match &mut self.measure {
            Some(measure) if answer.can_measure => measure.add(url, page, &answer.kept),
            Some(measure) => measure.leave_out(),
            None => {}
        }
        self.write(&line_of(url, page, &answer.kept))
    }

    /// Adds a page of which nothing can be said.
    fn add_failure(&mut self, url: &str, why: String) -> anyhow::Result<()> {
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

    /// Ends the lines, and writes the table; `broken` is how much is no record.
    fn finish(self, broken: usize) -> anyhow::Result<Exit> {
        self.progress.finish();
        self.output.map_or(Ok(()), Output::finish)?;
        let failed = self.failed + broken;
        #[cfg(feature = "lab")]
        if let Some(measure) = self.measure {
            let (unusable, measured) = measure.finish()?;
            return Ok(Exit::of_batch(failed + unusable, measured));
        }
        Ok(Exit::of_batch(failed, self.done))
    }
}

/// The line of a page: the fields of `scan`, without those of links.
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
