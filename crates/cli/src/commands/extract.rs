//! `tsugi extract`: the main content of one page.

use crate::commands::join::warn;
use crate::commands::pages::{Beginning, PageSource};
use crate::plan::ExtractPlan;
use crate::writing::SavedImages;
use std::io::Write;
use std::sync::Arc;
use tsugi::{Document, Tsugi, Way};
use tsugi_terminal::exit::Exit;
use tsugi_terminal::interrupt::Interrupt;
use tsugi_terminal::output::{Output, complain, tell};
use tsugi_terminal::progress::PageProgress;

pub(crate) fn run(plan: &ExtractPlan) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::catch();
    let tsugi = plan.detection.load()?.with_focus(plan.focus);
    let output = Output::open(plan.output.as_deref())?;
    let progress = Arc::new(PageProgress::new());
    let pages = PageSource::open(&plan.from, Some(progress.clone()))?;
    let done = extract(plan, &tsugi, pages.as_ref(), &interrupt, &progress, output);
    if let Some(pages) = &pages {
        pages.finish(&plan.from)?;
    }
    done
}

fn extract(
    plan: &ExtractPlan,
    tsugi: &Tsugi,
    pages: Option<&Arc<PageSource>>,
    interrupt: &Interrupt,
    progress: &PageProgress,
    mut output: Output,
) -> anyhow::Result<Exit> {
    let beginning = Beginning::of(&plan.source, plan.url.as_ref(), pages)?;
    progress.begin(1, &beginning.url);
    let Some(came) = beginning.get(&beginning.url, &Way::Fetched, tsugi, interrupt) else {
        return Ok(Exit::Interrupted);
    };
    let mut response = came.answer?;
    if let Some(pages) = pages.filter(|_| !came.is_drawn) {
        let (fetched, tsugi) = (response, tsugi.clone());
        let drawn =
            pages.unless(interrupt, &beginning.url, move |pages, _| pages.drawn_if_needed(fetched, &tsugi));
        match drawn {
            Some(drawn) => response = drawn,
            None => return Ok(Exit::Interrupted),
        }
    }
    progress.clear();
    let mut document = tsugi.extract(response.page(), &plan.options);
    if document.text.is_empty() {
        complain(&format!("{}: no main content found", document.url));
        warn(&document);
        return Ok(Exit::NothingFound);
    }
    plan.writing.name(&mut document);
    let saved = SavedImages::of(&plan.source, plan.url.as_ref());
    let written = plan.writing.write_with_images(&mut document, pages, saved.as_ref(), interrupt)?;
    output.write_all(&written)?;
    output.finish()?;
    report(&document);
    Ok(if interrupt.came() { Exit::Interrupted } else { Exit::Done })
}

fn report(document: &Document) {
    warn(document);
    if document.stopped.at != document.url || !document.is_complete() {
        tell(&format!("{}: {}", document.url, document.stopped.detail));
    }
}
