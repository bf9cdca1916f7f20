//! `tsugi-lab label`: labels from siteinfo.

use crate::arguments::LabelArguments;
use anyhow::Context;
use std::collections::BTreeMap;
use std::path::Path;
use tsugi_fetch::{Record, chain};
use tsugi_page::Page;
use tsugi_siteinfo::Siteinfo;
use tsugi_terminal::detection::{read_siteinfo, tell_problems};
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{Output, complain, detail, tell, write_json_line};
use tsugi_terminal::progress::Progress;
use tsugi_terminal::source::visit_records;
use tsugi_training::label::{PageLabel, url_key};
use tsugi_training::labelling::{REPRODUCED, ReproducedLabels, label_page};

pub(crate) fn run(arguments: &LabelArguments) -> anyhow::Result<Exit> {
    let mut dumps = Vec::new();
    for path in &arguments.rules {
        let siteinfo =
            match path.to_str().filter(|path| path.starts_with("http://") || path.starts_with("https://")) {
                Some(address) => downloaded(address)?,
                None => read_siteinfo(path)?,
            };
        dumps.push(if arguments.generic { siteinfo.with_generic_items() } else { siteinfo });
    }
    let stored = match &arguments.against {
        Some(path) => read_labels(path)?,
        None => BTreeMap::new(),
    };
    let mut output = Output::open(arguments.output.as_deref())?;
    let mut agreement = ReproducedLabels::default();
    let progress = Progress::new("pages", None);
    let (mut labelled, mut pages) = (0, 0);
    let failed = visit_pages(&arguments.pages, |record, page| {
        progress.step();
        pages += 1;
        // Dumps are tried in the order given.
        let found = dumps.iter().find_map(|dump| Some((label_page(&page, dump)?, dump)));
        if let Some(stored) = stored.get(&url_key(&record.target)) {
            let dump: &Siteinfo = found.as_ref().map_or(&dumps[0], |(_, dump)| dump);
            agreement.add(&page, stored, found.as_ref().map(|(label, _)| label), dump);
        }
        if let Some((mut label, _)) = found {
            label.url = record.target;
            write_json_line(&mut output, &label)?;
            labelled += 1;
        }
        Ok(())
    })?;
    progress.finish();
    if failed > 0 && pages == 0 {
        // Nothing could be read: keep the file of an earlier run.
        return Ok(Exit::Failed);
    }
    output.finish()?;
    tell(&format!("{labelled} of {pages} pages labelled"));
    if arguments.against.is_some() {
        report("next page, by the dump", &agreement.next);
        report("content, by the dump", &agreement.content);
        report("next page, by the labels' own expressions", &agreement.own_next);
        report("content, by the labels' own expressions", &agreement.own_content);
    }
    Ok(if failed > 0 { Exit::of_batch(failed, pages) } else { Exit::of_batch(0, labelled) })
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

/// Hands every page of an archive to `visit`, with its record; returns the number of records that cannot be read, and
/// reports it.
pub(crate) fn visit_pages(
    path: &Path,
    mut visit: impl FnMut(Record, Page) -> anyhow::Result<()>,
) -> anyhow::Result<usize> {
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
    Ok(failed + broken)
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

fn report(what: &str, reasons: &BTreeMap<&'static str, Vec<String>>) {
    const EXAMPLES: usize = 3;
    let all: usize = reasons.values().map(Vec::len).sum();
    if all == 0 {
        return;
    }
    let reproduced = reasons.get(REPRODUCED).map_or(0, Vec::len);
    tell(&format!("{what}: {reproduced} of {all} stored labels reproduced"));
    for (reason, urls) in reasons.iter().filter(|(reason, _)| **reason != REPRODUCED) {
        tell(&format!("  {} {reason}", urls.len()));
        for url in urls.iter().take(EXAMPLES) {
            tell(&format!("      {url}"));
        }
    }
}
