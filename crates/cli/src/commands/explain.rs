//! `tsugi explain`: candidates, scores, and the features that decided.

use crate::args::ExplainArguments;
use crate::commands::source::{Source, open, open_archive};
use crate::detectors::Detectors;
use crate::exit::Exit;
use crate::output::Output;
use anyhow::Context;
use std::io::Write;
use tsugi_follow::Fetch;
use tsugi_learning::{FlatModel, Schema};
use tsugi_page::{FindContent, FindNext, NextLink, Page, Url};

/// How many features to name a candidate.
const FEATURES_SHOWN: usize = 4;

pub(crate) fn run(arguments: &ExplainArguments) -> anyhow::Result<Exit> {
    let detectors = Detectors::load(&arguments.detectors)?;
    let page = if let Some(path) = &arguments.pages {
        let url: Url =
            arguments.source.parse().context("with --pages the source is the URL of a stored page")?;
        open_archive(path)?.fetch(&url)?.page()
    } else {
        let (url, fetch) = open(&Source::of(&arguments.source)?)?;
        fetch.fetch(&url)?.page()
    };
    let mut out = Output::open(None)?;
    writeln!(out, "{} ({}, {} nodes)", page.url(), page.encoding(), page.node_count())?;
    for note in page.notes() {
        writeln!(out, "  note: {note}")?;
    }
    let next = detectors.find_next(&page);
    explain_links(&page, &detectors, next.as_ref(), arguments.top, &mut out)?;
    explain_content(&page, &detectors, next.as_ref(), arguments.top, &mut out)?;
    out.finish()?;
    Ok(Exit::Done)
}

fn explain_links(
    page: &Page,
    detectors: &Detectors,
    next: Option<&NextLink>,
    top: usize,
    out: &mut Output,
) -> anyhow::Result<()> {
    let threshold = detectors.threshold();
    match next {
        Some(next) => writeln!(
            out,
            "\nNext page: {} ({}, by {}, score {:.3})",
            next.url,
            next.relation,
            next.evidence.as_str(),
            next.score
        )?,
        None => writeln!(out, "\nNext page: none")?,
    }
    let scored = detectors.next.scored(page);
    writeln!(out, "{} link candidates; a score of {threshold:.3} or more counts:", scored.len())?;
    let model = &detectors.next.model().model;
    for candidate in scored.iter().take(top) {
        let text = page.text(candidate.node);
        writeln!(out, "  {:.3}  {}  “{}”", candidate.score, candidate.url, shortened(&text))?;
        explain_row(model, &candidate.row, out)?;
    }
    Ok(())
}

fn explain_content(
    page: &Page,
    detectors: &Detectors,
    next: Option<&NextLink>,
    top: usize,
    out: &mut Output,
) -> anyhow::Result<()> {
    let content = detectors.find_content(page, next);
    writeln!(out, "\nMain content: {} node(s), by {}", content.nodes.len(), content.evidence.as_str())?;
    for node in &content.nodes {
        writeln!(out, "  {}  “{}”", page.location_path(*node), shortened(&page.text(*node)))?;
    }
    let mut scored = detectors.content.scored(page, next.map(|next| next.node));
    scored.sort_by(|a, b| b.score.total_cmp(&a.score));
    let threshold = detectors.content.model().header.threshold;
    writeln!(out, "{} element candidates; a score above {threshold:.3} speaks for content:", scored.len())?;
    let model = &detectors.content.model().model;
    for candidate in scored.iter().take(top) {
        writeln!(out, "  {:.3}  {}", candidate.score, page.location_path(candidate.node))?;
        explain_row(model, &candidate.row, out)?;
    }
    Ok(())
}

/// Names the features that moved the score most, with their values and units.
fn explain_row<S: Schema>(model: &FlatModel<S>, row: &[f32], out: &mut Output) -> anyhow::Result<()> {
    let contributions = model.contributions(row);
    let mut order: Vec<usize> = (0..contributions.len()).collect();
    order.sort_by(|a, b| contributions[*b].abs().total_cmp(&contributions[*a].abs()));
    for column in order.into_iter().take(FEATURES_SHOWN) {
        let described = &S::columns()[column];
        let (value, share) = (row[column], contributions[column]);
        writeln!(
            out,
            "         {share:+.3}  {} = {value} {}: {}",
            described.name, described.unit, described.doc
        )?;
    }
    Ok(())
}

fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    let line = text.replace('\n', " ");
    if line.chars().count() <= MOST {
        return line;
    }
    line.chars().take(MOST - 1).chain(['…']).collect()
}
