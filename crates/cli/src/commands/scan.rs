//! `tsugi scan`: the next link and the content of every page.
//!
//! One thread reads archives, files and the web, others work on the pages, and the lines are written in the order of the
//! sources.

use crate::drawing::PageBrowser;
use crate::killers::{LEFT_OUT, ScannedPages};
use crate::plan::ScanPlan;
use anyhow::Context;
use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::path::PathBuf;
use std::thread;
use tsugi::fetch::{PackedRecord, PackedRecords, chain, packed_records};
use tsugi::pipeline::{self, Bounds, Weigh};
use tsugi::roles::RoleSet;
use tsugi::scan::ScanLine;
use tsugi::{FetchError, Response, Tsugi, Url};
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{ArchiveProblems, Output, complain, counted, tell, write_json_line};
use tsugi_terminal::progress::Progress;
use tsugi_terminal::source::{SourceArgument, WebClient, page_of, without_password};

/// How much may be in memory. Lines are short beside pages, so many of them can wait for one slow page. A page and what is
/// computed from it take up to about thirty times its bytes.
const BOUNDS: Bounds = Bounds { waiting: 2, unwritten: 1024, bytes: 64 << 20, working: 8 << 20 };

pub(crate) fn run(plan: ScanPlan) -> anyhow::Result<Exit> {
    let tsugi = plan.detection.load()?;
    let mut output = Output::open(plan.output.as_deref())?;
    let begun = plan.output.as_deref().filter(|_| output.is_file()).map(|path| {
        ScannedPages::beside(path).with_context(|| format!("cannot write beside `{}`", path.display()))
    });
    let begun = begun.transpose()?;
    let progress = Progress::new("pages", None);
    let browser = PageBrowser::new(plan.browser, &plan.http);
    let web = WebClient::new(plan.http);
    let workers = plan.workers;
    let scanner =
        Scanner { tsugi: &tsugi, keep: plan.keep, browser: &browser, web: &web, begun: begun.as_ref() };
    let mut tally = ScanTally::default();
    let (sources, url) = (plan.sources.iter(), plan.url.as_ref());
    let found = SourceReading { sources, url, archive: None, web: &web, ended: false };
    let write = |scanned| {
        match scanned {
            Scanned::Line { json, kind } => {
                progress.step();
                tally.add(kind);
                output.write_all(&json)?;
            }
            Scanned::Broken { problem, is_damage } => {
                complain(&problem);
                tally.problems.add(is_damage);
            }
            Scanned::End(error) => return Err(error),
        }
        Ok(())
    };
    thread::scope(|scope| {
        if workers.get() > 1 {
            // Without this thread, models are read when they are first needed.
            let _ = thread::Builder::new().spawn_scoped(scope, || tsugi.read_ahead());
        }
        pipeline::run(workers, BOUNDS, found, |found| scanner.scan(found), write)
    })?;
    progress.finish();
    web.save_cookies()?;
    output.finish()?;
    if let Some(begun) = begun {
        begun.discard();
    }
    tell(&tally.to_string());
    Ok(tally.exit())
}

/// What a line says.
enum LineKind {
    Page {
        leads_on: bool,
    },
    /// No page: the word for the reason.
    NoPage(String),
}

/// How many pages were scanned, and what else there was.
#[derive(Debug, Default)]
struct ScanTally {
    leading_on: usize,
    last: usize,
    /// Sources and records that hold no page, by reason.
    others: BTreeMap<String, usize>,
    problems: ArchiveProblems,
}

impl ScanTally {
    fn add(&mut self, kind: LineKind) {
        *match kind {
            LineKind::Page { leads_on: true } => &mut self.leading_on,
            LineKind::Page { leads_on: false } => &mut self.last,
            LineKind::NoPage(word) => self.others.entry(word).or_default(),
        } += 1;
    }

    fn exit(&self) -> Exit {
        let others: usize = self.others.values().sum();
        Exit::of_batch(others + self.problems.damaged, self.leading_on + self.last)
    }
}

impl fmt::Display for ScanTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScanTally { leading_on, last, others, problems } = self;
        match leading_on + last {
            0 => write!(f, "no pages")?,
            pages => {
                write!(f, "{}: {leading_on} with a next page, {last} without", counted(pages, "page"))?;
            }
        }
        if !others.is_empty() {
            let reasons: Vec<String> = others.iter().map(|(word, count)| format!("{count} {word}")).collect();
            let lines = counted(others.values().sum(), "line");
            write!(f, "; {lines} with an error ({})", reasons.join(", "))?;
        }
        write!(f, "{problems}")
    }
}

struct SourceReading<'a> {
    sources: std::slice::Iter<'a, String>,
    /// The address of what a file or stdin holds.
    url: Option<&'a Url>,
    archive: Option<(PathBuf, PackedRecords)>,
    web: &'a WebClient,
    ended: bool,
}

enum FoundPage {
    Record(Box<PackedRecord>),
    Page(Response),
    /// A page from the web, which a browser may draw.
    WebPage(Response),
    Failed(Box<Failure>),
    Broken {
        problem: String,
        is_damage: bool,
    },
    /// The error that ends the run.
    End(anyhow::Error),
}

/// What is no page, and why.
struct Failure {
    line: ScanLine,
    /// The word for the reason.
    word: String,
}

impl Failure {
    fn of(url: &str, error: &FetchError) -> Failure {
        Failure { line: ScanLine::failed(url, chain(error)), word: error.word().to_owned() }
    }

    fn written(self) -> Scanned {
        Scanned::of(&self.line, LineKind::NoPage(self.word))
    }
}

enum Scanned {
    Line { json: Vec<u8>, kind: LineKind },
    Broken { problem: String, is_damage: bool },
    End(anyhow::Error),
}

impl Iterator for SourceReading<'_> {
    type Item = FoundPage;

    fn next(&mut self) -> Option<FoundPage> {
        while !self.ended {
            if let Some((path, records)) = &mut self.archive {
                match records.next() {
                    Some(Ok(record)) => return Some(FoundPage::Record(Box::new(record))),
                    Some(Err(problem)) => {
                        let is_damage = problem.flaw.is_damage();
                        let problem = format!("{}: {problem}", path.display());
                        return Some(FoundPage::Broken { problem, is_damage });
                    }
                    None => self.archive = None,
                }
            }
            let argument = self.sources.next()?;
            match self.begin(argument) {
                Ok(Some(found)) => return Some(found),
                Ok(None) => {}
                Err(error) => {
                    self.ended = true;
                    return Some(FoundPage::End(error));
                }
            }
        }
        None
    }
}

impl Scanned {
    fn of(line: &ScanLine, kind: LineKind) -> Scanned {
        let mut json = Vec::new();
        match write_json_line(&mut json, line) {
            Ok(()) => Scanned::Line { json, kind },
            Err(error) => Scanned::End(error.into()),
        }
    }
}

impl SourceReading<'_> {
    fn begin(&mut self, argument: &str) -> anyhow::Result<Option<FoundPage>> {
        let source = match SourceArgument::of(argument) {
            Ok(SourceArgument::Archive(path)) => {
                let records = packed_records(&path);
                let records = records.with_context(|| format!("`{}` cannot be used", path.display()))?;
                self.archive = Some((path, records));
                return Ok(None);
            }
            Ok(source) => source,
            Err(error) => {
                let line = ScanLine::failed(&without_password(argument), chain(error.as_ref()));
                let failure = Failure { line, word: "no-source".to_owned() };
                return Ok(Some(FoundPage::Failed(Box::new(failure))));
            }
        };
        let (url, answer) = page_of(&source, self.url, self.web)?;
        Ok(Some(match answer {
            Ok(response) if matches!(source, SourceArgument::Web(_)) => FoundPage::WebPage(response),
            Ok(response) => FoundPage::Page(response),
            Err(error) => FoundPage::Failed(Box::new(Failure::of(url.as_str(), &error))),
        }))
    }
}

/// What works on pages.
struct Scanner<'a> {
    tsugi: &'a Tsugi,
    keep: Option<RoleSet>,
    browser: &'a PageBrowser,
    web: &'a WebClient,
    /// Where pages are written down before they are worked on.
    begun: Option<&'a ScannedPages>,
}

impl Scanner<'_> {
    fn scan(&self, found: FoundPage) -> Scanned {
        let (response, is_drawn) = match found {
            FoundPage::Record(record) => {
                let record = record.unpack();
                match record.response {
                    Ok(response) => (response, false),
                    Err(error) => return Failure::of(&spelled(&record.target), &error).written(),
                }
            }
            FoundPage::Page(response) => (response, false),
            FoundPage::WebPage(response) => (response, true),
            FoundPage::Failed(failure) => return failure.written(),
            FoundPage::Broken { problem, is_damage } => return Scanned::Broken { problem, is_damage },
            FoundPage::End(error) => return Scanned::End(error),
        };
        if self.begun.is_some_and(|begun| !begun.begin(&response)) {
            let url = response.url.as_str();
            complain(&format!("{url}: {LEFT_OUT}"));
            let line = ScanLine::failed(url, LEFT_OUT.to_owned());
            return Failure { line, word: "killer".to_owned() }.written();
        }
        let line = if is_drawn { self.line_of_drawn(response) } else { self.line(response) };
        Scanned::of(&line, LineKind::Page { leads_on: line.next.is_some() })
    }

    fn line(&self, response: Response) -> ScanLine {
        let page = response.page();
        // The page does not need the bytes any more.
        drop(response);
        ScanLine::keeping(&self.tsugi.look(&page), self.keep)
    }

    /// Returns the line of a page from the web, which a browser may draw.
    fn line_of_drawn(&self, response: Response) -> ScanLine {
        let page = response.page();
        let look = self.tsugi.look(&page);
        match self.web.http() {
            Ok(http) if self.browser.draws(&look) => {
                self.line(self.browser.drawn_or_told(response, http, self.tsugi))
            }
            _ => ScanLine::keeping(&look, self.keep),
        }
    }
}

/// Returns an address as links and documents spell it (`/%E7%AC%AC`, not `/第`), or as it is if it is none.
fn spelled(target: &str) -> String {
    Url::parse(target).map_or_else(|_| target.to_owned(), String::from)
}

impl Weigh for FoundPage {
    fn weight(&self) -> usize {
        match self {
            FoundPage::Record(record) => record.body_length(),
            FoundPage::Page(response) | FoundPage::WebPage(response) => response.body.len(),
            FoundPage::Failed(_) | FoundPage::Broken { .. } | FoundPage::End(_) => 0,
        }
    }
}

impl Weigh for Scanned {
    fn weight(&self) -> usize {
        match self {
            Scanned::Line { json, .. } => json.capacity(),
            Scanned::Broken { .. } | Scanned::End(_) => 0,
        }
    }
}
