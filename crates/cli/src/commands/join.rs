//! `tsugi join`: following, stitching, writing.

use crate::commands::pages::{Beginning, CamePage, PageSource};
use crate::commands::{batch, join_all};
use crate::plan::{JoinPlan, JoinWork};
use std::io::Write;
use std::sync::Arc;
use tsugi::document::stitch;
use tsugi::{Document, JoinOptions, StopReason, Stopped, Tried, Tsugi, Unavailable, Url, Way};
use tsugi_terminal::exit::Exit;
use tsugi_terminal::interrupt::Interrupt;
use tsugi_terminal::output::{Output, complain, detail, error_line, plain, tell};
use tsugi_terminal::progress::PageProgress;
use tsugi_terminal::source::without_password;

pub(crate) fn run(plan: &JoinPlan) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::catch().within(plan.max_run_time);
    let (sources, url, output) = match &plan.work {
        JoinWork::Batch { .. } => return batch::run(plan, &interrupt),
        JoinWork::All(work) => return join_all::run(plan, work, &interrupt),
        JoinWork::Sources { sources, url, output } => (sources, url.as_ref(), output.as_deref()),
    };
    let tsugi = plan.detection.load()?;
    let mut output = Output::open(output)?;
    let progress = Arc::new(PageProgress::new());
    let pages = PageSource::open(&plan.from, Some(progress.clone()))?;
    let joining = SourceJoiner { plan, pages: pages.as_ref(), tsugi: &tsugi, interrupt: &interrupt };
    let (exit, wrote) = joining.join_sources(sources, url, &progress, &mut output)?;
    if let Some(pages) = &pages {
        pages.finish(&plan.from)?;
    }
    // A run that wrote nothing leaves what was there before.
    if wrote {
        output.finish()?;
    }
    Ok(exit)
}

struct SourceJoiner<'a> {
    plan: &'a JoinPlan,
    pages: Option<&'a Arc<PageSource>>,
    tsugi: &'a Tsugi,
    interrupt: &'a Interrupt,
}

impl SourceJoiner<'_> {
    /// Joins the sources; returns how it ended, and whether anything was written. `url` is the address of what a file or
    /// stdin holds.
    fn join_sources(
        &self,
        sources: &[String],
        url: Option<&Url>,
        progress: &PageProgress,
        output: &mut Output,
    ) -> anyhow::Result<(Exit, bool)> {
        let (mut failed, mut done, mut empty, mut short) = (0, 0, 0, 0);
        for source in sources {
            let interrupt = self.interrupt.within(self.plan.max_time);
            let joined = self.join_one(source, url, progress, &interrupt);
            let source = without_password(source);
            progress.clear();
            match joined {
                Ok(document) if document.text.is_empty() => {
                    complain(&format!("{source}: no main content found"));
                    warn(&document);
                    empty += 1;
                }
                Ok(mut document) => {
                    let writing = &self.plan.writing;
                    let written = writing.write_with_images(&mut document, self.pages, &interrupt)?;
                    report(&document);
                    if done > 0 && writing.format.is_plain() {
                        output.write_all(b"\n")?;
                    }
                    output.write_all(&written)?;
                    done += 1;
                    short += usize::from(!document.is_complete());
                }
                Err(_) if self.interrupt.came() => complain(&format!("{source}: no page was fetched")),
                Err(error) => {
                    complain(&format!("{source}: {}", error_line(error.as_ref())));
                    failed += 1;
                }
            }
            if self.interrupt.came() {
                return Ok((Exit::Interrupted, done > 0));
            }
        }
        if done == 0 && failed == 0 && empty > 0 {
            return Ok((Exit::NothingFound, false));
        }
        let exit = if short > 0 { Exit::PartlyFailed } else { Exit::of_batch(failed, done + empty) };
        Ok((exit, done > 0))
    }

    fn join_one(
        &self,
        source: &str,
        url: Option<&Url>,
        progress: &PageProgress,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Document> {
        let beginning = Beginning::of(source, url, self.pages)?;
        let mut count = 0;
        let get = |wanted: &Url, way: &Way| {
            count += usize::from(*way != Way::Drawn);
            progress.begin(count, wanted);
            beginning.get(wanted, way, self.tsugi, interrupt)
        };
        Ok(join(self.tsugi, &beginning.url, &self.plan.options, interrupt, get)?)
    }
}

/// Joins the pages that follow from one. The document ends where `get` returns `None`, because of Ctrl-C or the time.
pub(crate) fn join(
    tsugi: &Tsugi,
    start: &Url,
    options: &JoinOptions,
    interrupt: &Interrupt,
    mut get: impl FnMut(&Url, &Way) -> Option<CamePage>,
) -> Result<Document, Unavailable> {
    let mut following = tsugi.follow(start.clone(), options);
    while let Some(url) = following.wanted().cloned() {
        match get(&url, &following.way()) {
            Some(CamePage { answer, is_drawn }) => {
                let answer = answer.map_err(|error| error.into_unavailable(&url));
                if is_drawn {
                    following.give_drawn(answer)
                } else {
                    following.give(answer)
                };
            }
            None if interrupt.came() => break,
            None => {
                following.give(Err(Unavailable::late(&url)));
            }
        }
    }
    following.finish().map(stitch)
}

fn report(document: &Document) {
    let pages = document.pages.len();
    let stopped = &document.stopped;
    let mut rules: Vec<String> =
        document.pages.iter().filter_map(|page| page.rule.as_deref()).map(quoted).collect();
    rules.dedup();
    let rules =
        if rules.is_empty() { String::new() } else { format!("; content by rule {}", rules.join(", ")) };
    let incomplete = if document.is_complete() { "" } else { ", incomplete" };
    for (number, page) in document.pages.iter().enumerate() {
        detail(&format!("page {}: {} (score {:.3}, by {})", number + 1, page.url, page.score, page.by));
    }
    for Tried { url, score, refused, .. } in &document.tried {
        let verdict = refused.as_deref().unwrap_or("it continues the document");
        detail(&format!("tried: {url} (score {score:.3}): {verdict}"));
    }
    tell(&format!(
        "{}: {pages} page{}{incomplete}; stopped: {} ({}){rules}",
        document.url,
        if pages == 1 { "" } else { "s" },
        stopped.reason.as_str(),
        stopped.detail
    ));
    warn(document);
    if !document.is_complete() {
        tell(&format!("to get the rest: {}", remedy(stopped)));
    }
}

fn remedy(stopped: &Stopped) -> String {
    let at = &stopped.at;
    match stopped.reason {
        StopReason::LowScore => "lower --min-score".to_owned(),
        StopReason::MaxPages => format!("raise --max-pages, or join from `{at}`"),
        StopReason::MaxTime => {
            "raise --max-time or --max-run-time; with --save, no page is fetched twice".to_owned()
        }
        StopReason::FetchFailed => format!("try again when `{at}` is available"),
        StopReason::Robots => "ask the site; for your own sites, use --ignore-robots".to_owned(),
        StopReason::OffSite | StopReason::NotAContinuation => format!("join from `{at}`"),
        StopReason::Interrupted => "run the command again; with --save, no page is fetched twice".to_owned(),
        _ => format!(
            "install Chromium (see --browser), or open `{at}` in a browser, save the page, and join the files"
        ),
    }
}

fn quoted(name: &str) -> String {
    format!("`{}`", plain(name))
}

pub(crate) fn warn(document: &Document) {
    for warning in &document.warnings {
        tell(&format!("warning: {}", warning.replace("`from_start`", "--from-start")));
    }
}
