//! `tsugi join`: following, stitching, writing.

use crate::args::{JoinArguments, OutputFormat, RelationArgument};
use crate::commands::source::{Source, open, open_archive};
use crate::detectors::Detectors;
use crate::exit::Exit;
use crate::output::{Output, complain};
use crate::progress::Progress;
use anyhow::Context;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use tsugi_experiments::chain;
use tsugi_follow::{Archive, Document, Fetch, Limits, json_line, reassemble, stitch, write};
use tsugi_page::{FindNext, NextLink, Page, Relation, Url, address};

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
    output.finish()?;
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
                empty += 1;
            }
            Ok(document) => {
                report(&document);
                if done > 0 {
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
struct Claimed<'a> {
    /// Page key → next link.
    next: BTreeMap<String, NextLink>,
    threshold: f32,
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
        Claimed { next, threshold, detectors }
    }

    /// The pages that no page leads to, then those that are left over (circles).
    fn starts(&self, archive: &Archive) -> Vec<Url> {
        let urls: BTreeMap<String, &Url> = archive.urls().map(|url| (address::page_key(url), url)).collect();
        let follows = |from: &String| self.next.get(from).filter(|link| link.score >= self.threshold);
        let mut reached: BTreeMap<String, bool> = urls.keys().map(|key| (key.clone(), false)).collect();
        for key in urls.keys() {
            if let Some(link) = follows(key)
                && let Some(entry) = reached.get_mut(&address::page_key(&link.url))
            {
                *entry = true;
            }
        }
        let mut covered: BTreeSet<String> = BTreeSet::new();
        let mut starts = Vec::new();
        let keys: Vec<String> = archive.urls().map(address::page_key).collect();
        for circle in [false, true] {
            for key in &keys {
                if covered.contains(key) || (!circle && reached[key]) {
                    continue;
                }
                starts.push(urls[key].clone());
                let mut at = key.clone();
                while urls.contains_key(&at) && covered.insert(at.clone()) {
                    let Some(link) = follows(&at) else { break };
                    at = address::page_key(&link.url);
                }
            }
        }
        starts
    }
}

impl FindNext for Claimed<'_> {
    fn best_next(&self, page: &Page) -> Option<NextLink> {
        self.next.get(&address::page_key(page.url())).cloned()
    }

    fn threshold(&self) -> f32 {
        self.detectors.threshold()
    }
}

fn join_all(
    arguments: &JoinArguments,
    archive: &Archive,
    detectors: &Detectors,
    limits: &Limits,
    output: &mut Output,
) -> anyhow::Result<Exit> {
    let threshold = limits.min_score.unwrap_or(detectors.threshold());
    let claimed = Claimed::of(archive, detectors, threshold);
    let starts = claimed.starts(archive);
    let progress = Progress::new("chains", Some(starts.len() as u64));
    let (mut failed, mut done) = (archive.problems().len(), 0);
    for start in starts {
        progress.step();
        match join(&start, archive, &claimed, detectors, limits) {
            Ok(document) => {
                let format = match arguments.format {
                    // One document a line is the only form that keeps documents apart.
                    OutputFormat::Document(tsugi_follow::Format::Json) => OutputFormat::JsonLines,
                    format => format,
                };
                write_document(&document, format, output)?;
                done += 1;
            }
            Err(error) => {
                complain(&format!("{start}: {}", chain(error.as_ref())));
                failed += 1;
            }
        }
    }
    progress.finish();
    Ok(Exit::of_batch(failed, done))
}
