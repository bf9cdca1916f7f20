//! `tsugi join`: following, stitching, writing.

use crate::args::{JoinArguments, OutputFormat, RelationArgument};
use crate::commands::source::{Source, open, open_archive};
use crate::detectors::Detectors;
use crate::exit::Exit;
use crate::output::{Output, complain};
use crate::progress::Progress;
use anyhow::Context;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use tsugi_experiments::chain;
use tsugi_follow::{Archive, Document, Fetch, Format, Limits, json_line, reassemble, stitch, write};
use tsugi_page::{FindNext, NextLink, NodeId, Page, Relation, Url, address};

pub(crate) fn run(arguments: &JoinArguments) -> anyhow::Result<Exit> {
    let detectors = Detectors::load(&arguments.detectors)?;
    let limits = Limits {
        max_pages: arguments.max_pages,
        min_score: arguments.min_score,
        relation: match arguments.relation {
            RelationArgument::Any => None,
            RelationArgument::Page => Some(Relation::Page),
            RelationArgument::Chapter => Some(Relation::Chapter),
        },
    };
    let mut output = Output::open(arguments.output.as_deref())?;
    let archive = arguments.pages.as_deref().map(open_archive).transpose()?;
    let exit = match &archive {
        Some(archive) if arguments.all => join_all(arguments, archive, &detectors, &limits, &mut output)?,
        _ => join_sources(arguments, archive.as_ref(), &detectors, &limits, &mut output)?,
    };
    // A run that wrote nothing leaves what was there before.
    if matches!(exit, Exit::Done | Exit::PartlyFailed) {
        output.finish()?;
    }
    Ok(exit)
}

fn join_sources(
    arguments: &JoinArguments,
    archive: Option<&Archive>,
    detectors: &Detectors,
    limits: &Limits,
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

fn join_one(source: &str, detectors: &Detectors, limits: &Limits) -> anyhow::Result<Document> {
    let (url, fetch) = open(&Source::of(source)?)?;
    join(&url, &*fetch, detectors, detectors, limits)
}

fn join_stored(
    source: &str,
    archive: &Archive,
    detectors: &Detectors,
    limits: &Limits,
) -> anyhow::Result<Document> {
    let url = source.parse::<Url>().with_context(|| "with --pages a source is the URL of a stored page")?;
    join(&url, archive, detectors, detectors, limits)
}

fn join(
    url: &Url,
    fetch: &dyn Fetch,
    next: &dyn FindNext,
    detectors: &Detectors,
    limits: &Limits,
) -> anyhow::Result<Document> {
    Ok(stitch(&reassemble(url, fetch, next, detectors, limits)?))
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
    let text = match format {
        OutputFormat::Document(format) => write(document, format),
        OutputFormat::JsonLines => json_line(document),
    };
    output.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        output.write_all(b"\n")?;
    }
    Ok(())
}

/// The next links of all pages of an archive, each next page claimed by one page only.
#[derive(Debug)]
struct Claimed<'a> {
    /// Page key → next link.
    next: BTreeMap<String, NextLink>,
    /// Keys of pages that are part of a document already.
    covered: RefCell<BTreeSet<String>>,
    detectors: &'a Detectors,
}

impl<'a> Claimed<'a> {
    /// Finds the next link of every page. Where several pages lead to one, the highest score has it, of equals
    /// the first.
    fn of(archive: &Archive, detectors: &'a Detectors, threshold: f32) -> Claimed<'a> {
        let progress = Progress::new("pages", Some(archive.len() as u64));
        let mut claims: BTreeMap<String, (f32, String)> = BTreeMap::new();
        let mut next: BTreeMap<String, NextLink> = BTreeMap::new();
        for url in archive.urls() {
            progress.step();
            let Ok(response) = archive.fetch(url) else { continue };
            let Some(link) = detectors.best_next(&response.page()) else { continue };
            let from = address::page_key(url);
            if link.score >= threshold {
                let to = address::page_key(&link.url);
                let claim = claims.entry(to).or_insert((link.score, from.clone()));
                if link.score > claim.0 {
                    *claim = (link.score, from.clone());
                }
            }
            next.insert(from, link);
        }
        progress.finish();
        next.retain(|from, link| {
            let claim = claims.get(&address::page_key(&link.url));
            claim.is_none_or(|(_, owner)| owner == from) || link.score < threshold
        });
        Claimed { next, covered: RefCell::default(), detectors }
    }

    /// Keys of the pages that some page leads to.
    fn led_to(&self, threshold: f32) -> BTreeSet<String> {
        let followed = self.next.values().filter(|link| link.score >= threshold);
        followed.map(|link| address::page_key(&link.url)).collect()
    }
}

impl FindNext for Claimed<'_> {
    fn best_next(&self, page: &Page) -> Option<NextLink> {
        let next = self.next.get(&address::page_key(page.url()))?;
        let taken = self.covered.borrow().contains(&address::page_key(&next.url));
        (!taken).then(|| next.clone())
    }

    fn threshold(&self) -> f32 {
        self.detectors.threshold()
    }

    fn find_unfollowable(&self, page: &Page) -> Option<NodeId> {
        self.detectors.find_unfollowable(page)
    }
}

/// Joins every chain of an archive, so that each page is part of one document: first from the pages that no page
/// leads to, then from those that a document should have reached and did not (it met its last page, another
/// host, a page that does not continue), at last around circles.
fn join_all(
    arguments: &JoinArguments,
    archive: &Archive,
    detectors: &Detectors,
    limits: &Limits,
    output: &mut Output,
) -> anyhow::Result<Exit> {
    let threshold = limits.min_score.unwrap_or(detectors.threshold());
    let claimed = Claimed::of(archive, detectors, threshold);
    let led_to = claimed.led_to(threshold);
    let stored: BTreeMap<String, &Url> = archive.urls().map(|url| (address::page_key(url), url)).collect();
    let progress = Progress::new("pages joined", Some(archive.len() as u64));
    let format = match arguments.format {
        // One document a line is the only form that keeps JSON documents apart.
        OutputFormat::Document(Format::Json) => OutputFormat::JsonLines,
        format => format,
    };
    let (mut failed, mut done) = (archive.problems().len(), 0);
    for circle in [false, true] {
        for first in archive.urls().filter(|url| circle || !led_to.contains(&address::page_key(url))) {
            let mut start = Some(first.clone());
            while let Some(url) = start.take() {
                let key = address::page_key(&url);
                if claimed.covered.borrow().contains(&key) {
                    break;
                }
                progress.step();
                let mut last = key.clone();
                match join(&url, archive, &claimed, detectors, limits) {
                    Ok(document) => {
                        let mut covered = claimed.covered.borrow_mut();
                        for page in &document.pages {
                            last = address::page_key(&page.url);
                            covered.insert(last.clone());
                        }
                        covered.insert(key);
                        write_document(&document, format, output)?;
                        done += 1;
                    }
                    Err(error) => {
                        complain(&format!("{url}: {}", chain(error.as_ref())));
                        claimed.covered.borrow_mut().insert(key);
                        failed += 1;
                    }
                }
                // Where the document ended short of a page that its last page leads to, that page starts anew.
                let beyond = claimed.next.get(&last).filter(|link| link.score >= threshold);
                start = beyond
                    .and_then(|link| stored.get(&address::page_key(&link.url)))
                    .map(|url| (*url).clone());
            }
        }
    }
    progress.finish();
    Ok(Exit::of_batch(failed, done))
}
