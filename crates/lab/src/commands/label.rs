//! `tsugi-lab label`: labels from siteinfo, or from CSS selectors that another engine evaluates.

use crate::arguments::LabelArguments;
use anyhow::Context;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tsugi_fetch::{Record, chain};
use tsugi_page::Page;
use tsugi_siteinfo::Siteinfo;
use tsugi_terminal::detection::{read_siteinfo, tell_problems};
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{Output, complain, detail, plain, tell, write_json_line};
use tsugi_terminal::progress::Progress;
use tsugi_terminal::source::visit_records;
use tsugi_training::css_labels::CssRules;
use tsugi_training::label::{PageLabel, url_key};
use tsugi_training::labelling::{REPRODUCED, ReproducedLabels, Unlabelled, label_page};

pub(crate) fn run(arguments: &LabelArguments) -> anyhow::Result<Exit> {
    let labeller = Labeller::read(arguments)?;
    let stored = match &arguments.against {
        Some(path) => read_labels(path)?,
        None => BTreeMap::new(),
    };
    let mut output = Output::open(arguments.output.as_deref())?;
    let mut agreement = ReproducedLabels::default();
    let progress = Progress::new("pages", None);
    let mut counts = LabelCounts::default();
    let unread = visit_pages(&arguments.pages, |record, page| {
        progress.step();
        let label = labeller.label(&record, &page);
        if let Some(stored) = stored.get(&url_key(&record.target)) {
            agreement.add(&page, stored, &label);
        }
        counts.add(&record.target, &label);
        if let Ok(mut label) = label {
            label.url = record.target;
            write_json_line(&mut output, &label)?;
        }
        Ok(())
    })?;
    progress.finish();
    if counts.pages() == 0 && unread.all() > 0 {
        // Nothing could be read: keep the file of an earlier run.
        return Ok(Exit::Failed);
    }
    output.finish()?;
    tell(&counts.summary());
    if arguments.against.is_some() {
        report("next page, by the dump", &agreement.next);
        report("no next page, by the dump", &agreement.end);
        report("content, by the dump", &agreement.content);
        report("next page, by the labels' own expressions", &agreement.own_next);
        report("content, by the labels' own expressions", &agreement.own_content);
    }
    // A stored failure is a page that was not there; a damaged record may be a page that is lost.
    Ok(Exit::of_batch(unread.broken, counts.labelled()))
}

/// What labels pages.
enum Labeller {
    /// Dumps of siteinfo, tried in the order given.
    Dumps(Vec<Siteinfo>),
    Css(Box<CssRules>),
}

impl Labeller {
    fn read(arguments: &LabelArguments) -> anyhow::Result<Labeller> {
        Ok(match &arguments.css {
            Some(path) => {
                let rules = CssRules::new(read_siteinfo(path)?);
                Labeller::Css(Box::new(
                    rules.with_context(|| format!("`{}` cannot be used", path.display()))?,
                ))
            }
            None => Labeller::Dumps(read_dumps(&arguments.rules, arguments.generic_rules)?),
        })
    }

    fn label(&self, record: &Record, page: &Page) -> Result<PageLabel, Unlabelled> {
        match (self, &record.response) {
            (Labeller::Css(rules), Ok(response)) => rules.label(response, page),
            (Labeller::Css(_), Err(_)) => Err(Unlabelled::Nothing),
            (Labeller::Dumps(dumps), _) => label_by_first(page, dumps),
        }
    }
}

/// Labels a page by the first dump that says something of it; the dumps are tried in the order given.
fn label_by_first(page: &Page, dumps: &[Siteinfo]) -> Result<PageLabel, Unlabelled> {
    let mut first = None;
    for dump in dumps {
        match label_page(page, dump) {
            Ok(label) => return Ok(label),
            Err(why) => {
                // What the dump says that comes nearest.
                first = first.max(Some(why));
            }
        }
    }
    Err(first.unwrap_or(Unlabelled::NoItem))
}

/// How many pages have which label, and why others have none.
#[derive(Default)]
struct LabelCounts {
    with_next: usize,
    without: usize,
    unlabelled: BTreeMap<Unlabelled, usize>,
}

impl LabelCounts {
    fn add(&mut self, url: &str, label: &Result<PageLabel, Unlabelled>) {
        match label {
            Ok(label) if label.next.is_some() => self.with_next += 1,
            Ok(_) => self.without += 1,
            Err(why) => {
                detail(&plain(&format!("{url}: no label: {why}")));
                *self.unlabelled.entry(*why).or_default() += 1;
            }
        }
    }

    fn labelled(&self) -> usize {
        self.with_next + self.without
    }

    fn pages(&self) -> usize {
        self.labelled() + self.unlabelled.values().sum::<usize>()
    }

    fn summary(&self) -> String {
        let mut said = format!("{} of {} pages labelled", self.labelled(), self.pages());
        if self.labelled() > 0 {
            let _ = write!(said, ": {} with a next page, {} without", self.with_next, self.without);
        }
        for (at, (why, count)) in self.unlabelled.iter().enumerate() {
            let _ = write!(said, "{} {count}: {why}", if at == 0 { "; no label for" } else { "," });
        }
        said
    }
}

/// Reads dumps from files or addresses.
pub(crate) fn read_dumps(places: &[PathBuf], generic: bool) -> anyhow::Result<Vec<Siteinfo>> {
    let mut dumps = Vec::new();
    for place in places {
        let siteinfo =
            match place.to_str().filter(|path| path.starts_with("http://") || path.starts_with("https://")) {
                Some(address) => downloaded(address)?,
                None => read_siteinfo(place)?,
            };
        dumps.push(if generic { siteinfo.with_generic_items() } else { siteinfo });
    }
    Ok(dumps)
}

/// Downloads a dump. Its address is the user's own, so that no guard is needed.
fn downloaded(address: &str) -> anyhow::Result<Siteinfo> {
    // The provider that the rest of the program has. Another caller may have set it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let answer = reqwest::blocking::get(address).and_then(reqwest::blocking::Response::error_for_status);
    let json = answer.and_then(reqwest::blocking::Response::bytes).map_err(reqwest::Error::without_url);
    let json = json.with_context(|| format!("cannot download `{address}`"))?;
    let siteinfo = Siteinfo::read_dump(&json).with_context(|| format!("`{address}` is not siteinfo"))?;
    tell_problems(address, &siteinfo);
    Ok(siteinfo)
}

/// Records of an archive that hold no page that can be read.
pub(crate) struct UnreadRecords {
    /// Damaged records.
    broken: usize,
    /// Failures and answers that are no pages.
    failed: usize,
}

impl UnreadRecords {
    pub(crate) fn all(&self) -> usize {
        self.broken + self.failed
    }
}

/// Hands every page of an archive to `visit`, with its record; reports the records that cannot be read.
pub(crate) fn visit_pages(
    path: &Path,
    mut visit: impl FnMut(Record, Page) -> anyhow::Result<()>,
) -> anyhow::Result<UnreadRecords> {
    let mut failed = 0;
    let broken = visit_records(path, complain, |record| match &record.response {
        Ok(response) => {
            let page = response.page();
            visit(record, page)
        }
        Err(error) => {
            detail(&format!("{}: {}", record.target, chain(error)));
            failed += 1;
            Ok(())
        }
    })?;
    if failed > 0 {
        complain(&format!(
            "{}: {failed} pages skipped, because they cannot be read; -v lists them",
            path.display()
        ));
    }
    Ok(UnreadRecords { broken, failed })
}

pub(crate) fn read_labels(path: &Path) -> anyhow::Result<BTreeMap<String, PageLabel>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let mut labels = BTreeMap::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let label: PageLabel = serde_json::from_str(line)
            .with_context(|| format!("`{}`, line {}, is not a label", path.display(), index + 1))?;
        labels.insert(url_key(&label.url), label);
    }
    Ok(labels)
}

fn report(what: &str, reasons: &BTreeMap<String, Vec<String>>) {
    const EXAMPLES: usize = 3;
    let all: usize = reasons.values().map(Vec::len).sum();
    if all == 0 {
        return;
    }
    let reproduced = reasons.get(REPRODUCED).map_or(0, Vec::len);
    tell(&format!("{what}: {reproduced} of {all} stored labels reproduced"));
    for (reason, urls) in reasons.iter().filter(|(reason, _)| *reason != REPRODUCED) {
        tell(&format!("  {} {reason}", urls.len()));
        for url in urls.iter().take(EXAMPLES) {
            tell(&format!("      {url}"));
        }
    }
}
