//! `tsugi extract`: the main content of one page.

use crate::commands::join::warn;
use crate::commands::pages::Pages;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::output::{Output, complain, tell};
use crate::plan::ExtractPlan;
use crate::progress::PageProgress;
use crate::source::{Source, local_page, names_no_page};
use anyhow::Context;
use std::io::Write;
use std::sync::Arc;
use tsugi::{Document, ExtractOptions, Fetch, Response, Url};

pub(crate) fn run(plan: &ExtractPlan) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::catch();
    let tsugi = plan.detection.load()?.with_focus(plan.focus);
    let mut output = Output::open(plan.output.as_deref())?;
    let progress = Arc::new(PageProgress::new());
    let pages = Pages::open(&plan.from, Some(progress.clone()))?;
    let Some(response) = page(plan, pages.as_ref(), &interrupt, &progress)? else {
        return Ok(Exit::Interrupted);
    };
    progress.clear();
    let options = ExtractOptions { comments: plan.comments, shown: plan.shown };
    let mut document = tsugi.extract(response.page(), options);
    if document.text.is_empty() {
        complain(&format!("{}: no main content found", document.url));
        warn(&document);
        return Ok(Exit::NothingFound);
    }
    let written = plan.writing.write_with_images(&mut document, pages.as_ref(), &interrupt)?;
    output.write_all(&written)?;
    if let Some(pages) = &pages {
        pages.finish(&plan.from)?;
    }
    output.finish()?;
    report(&document);
    Ok(if interrupt.came() { Exit::Interrupted } else { Exit::Done })
}

/// Gets the page; `None` if Ctrl-C comes first.
fn page(
    plan: &ExtractPlan,
    pages: Option<&Arc<Pages>>,
    interrupt: &Interrupt,
    progress: &PageProgress,
) -> anyhow::Result<Option<Response>> {
    let stored = |url: &Url, pages: &Arc<Pages>| {
        progress.begin(1, url);
        Ok(pages.unless(interrupt, url, Pages::fetch).transpose()?)
    };
    if let Some(archive) = pages.filter(|pages| matches!(***pages, Pages::Archive(_)))
        && plan.url.is_none()
    {
        let url = plan.source.parse().context("with --pages, SOURCE must be the URL of a stored page")?;
        return stored(&url, archive);
    }
    match (Source::of(&plan.source)?, pages) {
        (Source::Web(url), Some(pages)) => stored(&url, pages),
        (Source::Archive(path), _) => Err(names_no_page(&path)),
        (source, _) => Ok(Some(local_page(&source, plan.url.as_ref())?.1?)),
    }
}

/// Reports warnings on stderr, and the next page.
fn report(document: &Document) {
    warn(document);
    if document.stopped.at != document.url {
        tell(&format!("{}: {}", document.url, document.stopped.detail));
    }
}
