//! `tsugi join`: following, stitching, writing.

use crate::commands::pages::{Beginning, CamePage, PageSource};
use crate::commands::{batch, join_all};
use crate::plan::{Chapters, JoinPlan, JoinWork};
use crate::writing::SavedImages;
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::Arc;
use tsugi::document::{book, stitch};
use tsugi::page::address;
use tsugi::{Document, JoinOptions, Reassembly, StopReason, Stopped, Tried, Tsugi, Unavailable, Url, Way};
use tsugi_terminal::exit::Exit;
use tsugi_terminal::interrupt::Interrupt;
use tsugi_terminal::output::{Output, complain, counted, detail, error_line, plain, tell};
use tsugi_terminal::progress::PageProgress;
use tsugi_terminal::source::without_password;

pub(crate) fn run(plan: &JoinPlan) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::catch().within(plan.max_run_time);
    let (sources, url, output, chapters) = match &plan.work {
        JoinWork::Batch { .. } => return batch::run(plan, &interrupt),
        JoinWork::All(work) => return join_all::run(plan, work, &interrupt),
        JoinWork::Sources { sources, url, output, chapters } => {
            (sources, url.as_ref(), output.as_deref(), *chapters)
        }
    };
    let tsugi = plan.detection.load()?;
    let mut output = Output::open(output)?;
    let progress = Arc::new(PageProgress::new());
    let pages = PageSource::open(&plan.from, Some(progress.clone()))?;
    let joining = SourceJoiner { plan, pages: pages.as_ref(), tsugi: &tsugi, interrupt: &interrupt };
    let (exit, wrote) = match chapters {
        Chapters::Apart => joining.join_sources(sources, url, &progress, &mut output)?,
        Chapters::Sources => joining.join_book(sources, None, &progress, &mut output)?,
        Chapters::Listed => {
            let (title, listed) = joining.listed(&sources[0])?;
            if listed.is_empty() {
                complain(&format!("{}: lists no page of its site", without_password(&sources[0])));
                return Ok(Exit::NothingFound);
            }
            joining.join_book(&listed, title, &progress, &mut output)?
        }
    };
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
            let saved = SavedImages::of(source, url);
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
                    writing.name(&mut document);
                    let written =
                        writing.write_with_images(&mut document, self.pages, saved.as_ref(), &interrupt)?;
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

    /// Joins the sources as the chapters of one document, which has the title of the first one unless `title` is another. What
    /// cannot be read is left out, and told.
    fn join_book(
        &self,
        sources: &[String],
        title: Option<String>,
        progress: &PageProgress,
        output: &mut Output,
    ) -> anyhow::Result<(Exit, bool)> {
        let interrupt = self.interrupt.within(self.plan.max_time);
        let (mut parts, mut failed) = (Vec::new(), 0);
        // A chapter may have been read as a next page of the one before.
        let mut read: BTreeSet<String> = BTreeSet::new();
        for source in sources {
            let begins = Beginning::of(source, None, self.pages);
            if begins.as_ref().is_ok_and(|begins| read.contains(&address::page_key(&begins.url))) {
                continue;
            }
            match begins.and_then(|begins| self.follow(&begins, progress, &interrupt)) {
                Ok(joined) => {
                    read.extend(joined.parts.iter().map(|part| address::page_key(part.page.url())));
                    parts.push(joined);
                }
                Err(_) if interrupt.ends() => {}
                Err(error) => {
                    progress.clear();
                    complain(&format!("{}: {}", without_password(source), error_line(error.as_ref())));
                    failed += 1;
                }
            }
            if interrupt.ends() {
                break;
            }
        }
        progress.clear();
        let Some(mut document) = book(parts) else {
            let exit = if self.interrupt.came() { Exit::Interrupted } else { Exit::of_batch(failed, 0) };
            return Ok((exit, false));
        };
        if document.text.is_empty() {
            complain("no main content found");
            warn(&document);
            return Ok((Exit::NothingFound, false));
        }
        document.title = title.or(document.title);
        self.plan.writing.name(&mut document);
        let written = self.plan.writing.write_with_images(&mut document, self.pages, None, &interrupt)?;
        report(&document);
        output.write_all(&written)?;
        let exit = match interrupt.ends() {
            true if self.interrupt.came() => Exit::Interrupted,
            false if failed == 0 && document.is_complete() => Exit::Done,
            _ => Exit::PartlyFailed,
        };
        Ok((exit, true))
    }

    /// Returns the title of a contents page, and the pages of its site that its content leads to, each once.
    fn listed(&self, source: &str) -> anyhow::Result<(Option<String>, Vec<String>)> {
        let beginning = Beginning::of(source, None, self.pages)?;
        let came = beginning.get(&beginning.url, &Way::Fetched, self.tsugi, self.interrupt);
        let Some(response) = came.map(|came| came.answer).transpose()? else {
            return Ok((None, Vec::new()));
        };
        let page = response.page();
        let title = self.tsugi.extract(page.clone(), &self.plan.options).title;
        let look = self.tsugi.look(&page);
        let content = look.content();
        let (page, nodes) = (content.page(), content.nodes());
        let own = address::page_key(page.url());
        let mut seen = BTreeSet::from([own]);
        let mut listed = Vec::new();
        for id in nodes.iter().flat_map(|node| page.subtree(*node)).filter(|id| page.is(*id, "a")) {
            let Some(url) = page.attribute(id, "href").and_then(|href| page.resolve(href)) else { continue };
            let is_here =
                url.scheme() == page.url().scheme() || address::is_web(&url) && address::is_web(page.url());
            let is_here = is_here && address::bare_host(&url) == address::bare_host(page.url());
            if is_here && seen.insert(address::page_key(&url)) {
                let url = address::without_fragment(&url);
                let file = url.to_file_path().ok().map(|file| file.to_string_lossy().into_owned());
                listed.push(file.unwrap_or_else(|| url.to_string()));
            }
        }
        Ok((title, listed))
    }

    fn join_one(
        &self,
        source: &str,
        url: Option<&Url>,
        progress: &PageProgress,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Document> {
        let beginning = Beginning::of(source, url, self.pages)?;
        self.follow(&beginning, progress, interrupt).map(stitch)
    }

    fn follow(
        &self,
        beginning: &Beginning<'_>,
        progress: &PageProgress,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Reassembly> {
        let mut count = 0;
        let get = |wanted: &Url, way: &Way| {
            count += usize::from(*way != Way::Drawn);
            progress.begin(count, wanted);
            beginning.get(wanted, way, self.tsugi, interrupt)
        };
        Ok(follow(self.tsugi, &beginning.url, &self.plan.options, interrupt, get)?)
    }
}

/// Joins the pages that follow from one. The document ends where `get` returns `None`, because of Ctrl-C or the time.
pub(crate) fn join(
    tsugi: &Tsugi,
    start: &Url,
    options: &JoinOptions,
    interrupt: &Interrupt,
    get: impl FnMut(&Url, &Way) -> Option<CamePage>,
) -> Result<Document, Unavailable> {
    follow(tsugi, start, options, interrupt, get).map(stitch)
}

fn follow(
    tsugi: &Tsugi,
    start: &Url,
    options: &JoinOptions,
    interrupt: &Interrupt,
    mut get: impl FnMut(&Url, &Way) -> Option<CamePage>,
) -> Result<Reassembly, Unavailable> {
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
    following.finish()
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
        "{}: {}{incomplete}; stopped: {} ({}){rules}",
        document.url,
        counted(pages, "page"),
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
