//! `tsugi scan`: the next link and the content of every page.
//!
//! One thread reads archives, files and the web, others work on the pages, and the lines are written in the order of the
//! sources.

use crate::drawing::PageBrowser;
use crate::plan::ScanPlan;
use anyhow::Context;
use std::io::Write;
use std::path::PathBuf;
use std::thread;
use tsugi::fetch::{PackedRecord, PackedRecords, chain, packed_records};
use tsugi::pipeline::{self, Bounds, Weigh};
use tsugi::roles::RoleSet;
use tsugi::scan::ScanLine;
use tsugi::{Response, Tsugi, Url};
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{Output, complain, write_json_line};
use tsugi_terminal::progress::Progress;
use tsugi_terminal::source::{SourceArgument, WebClient, page_of, without_password};

/// How much may be in memory. Lines are short beside pages, so many of them can wait for one slow page. A page and what is
/// computed from it take up to about thirty times its bytes.
const BOUNDS: Bounds = Bounds { waiting: 2, unwritten: 1024, bytes: 64 << 20, working: 8 << 20 };

pub(crate) fn run(plan: ScanPlan) -> anyhow::Result<Exit> {
    let tsugi = plan.detection.load()?;
    let mut output = Output::open(plan.output.as_deref())?;
    let progress = Progress::new("pages", None);
    let browser = PageBrowser::new(plan.browser, &plan.http);
    let web = WebClient::new(plan.http);
    let workers = plan.workers;
    let (mut failed, mut done) = (0, 0);
    let (sources, url) = (plan.sources.iter(), plan.url.as_ref());
    let found = SourceReading { sources, url, archive: None, web: &web, ended: false };
    let write = |scanned| {
        match scanned {
            Scanned::Line { json, is_error } => {
                progress.step();
                *(if is_error { &mut failed } else { &mut done }) += 1;
                output.write_all(&json)?;
            }
            Scanned::Broken(problem) => {
                complain(&problem);
                failed += 1;
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
        pipeline::run(workers, BOUNDS, found, |found| found.scan(&tsugi, plan.keep, &browser, &web), write)
    })?;
    progress.finish();
    web.save_cookies()?;
    output.finish()?;
    Ok(Exit::of_batch(failed, done))
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
    Failed(ScanLine),
    Broken(String),
    /// The error that ends the run.
    End(anyhow::Error),
}

enum Scanned {
    Line { json: Vec<u8>, is_error: bool },
    Broken(String),
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
                        return Some(FoundPage::Broken(format!("{}: {problem}", path.display())));
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
                return Ok(Some(FoundPage::Failed(ScanLine::failed(
                    &without_password(argument),
                    chain(error.as_ref()),
                ))));
            }
        };
        let (url, answer) = page_of(&source, self.url, self.web)?;
        Ok(Some(match answer {
            Ok(response) if matches!(source, SourceArgument::Web(_)) => FoundPage::WebPage(response),
            Ok(response) => FoundPage::Page(response),
            Err(error) => FoundPage::Failed(ScanLine::failed(url.as_str(), chain(&error))),
        }))
    }
}

impl FoundPage {
    fn scan(self, tsugi: &Tsugi, keep: Option<RoleSet>, browser: &PageBrowser, web: &WebClient) -> Scanned {
        let scan = |response: Response| {
            let page = response.page();
            // The page does not need the bytes any more.
            drop(response);
            ScanLine::keeping(&tsugi.look(&page), keep)
        };
        let line = match self {
            FoundPage::Record(record) => {
                let record = record.unpack();
                match record.response {
                    Ok(response) => scan(response),
                    Err(error) => ScanLine::failed(&spelled(&record.target), chain(&error)),
                }
            }
            FoundPage::Page(response) => scan(response),
            FoundPage::WebPage(response) => {
                let page = response.page();
                let look = tsugi.look(&page);
                match web.http() {
                    Ok(http) if browser.draws(&look) => scan(browser.drawn_or_told(response, http, tsugi)),
                    _ => ScanLine::keeping(&look, keep),
                }
            }
            FoundPage::Failed(line) => line,
            FoundPage::Broken(problem) => return Scanned::Broken(problem),
            FoundPage::End(error) => return Scanned::End(error),
        };
        let mut json = Vec::new();
        match write_json_line(&mut json, &line) {
            Ok(()) => Scanned::Line { json, is_error: line.error.is_some() },
            Err(error) => Scanned::End(error.into()),
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
            FoundPage::Failed(_) | FoundPage::Broken(_) | FoundPage::End(_) => 0,
        }
    }
}

impl Weigh for Scanned {
    fn weight(&self) -> usize {
        match self {
            Scanned::Line { json, .. } => json.capacity(),
            Scanned::Broken(_) | Scanned::End(_) => 0,
        }
    }
}
