//! `tsugi join --all`: every chain of pages in archives, host by host.
//!
//! A chain never leaves its host. So the archives are read once to list the pages of each host, and then the hosts are joined, as
//! many at a time as there are cores. Pages of a small host stay in memory from being parsed to being joined. Those of a large
//! host are looked at by all cores, and so are its chains. What is done waits in a file until it can be put in order.

use crate::args::OutputFormat;
use crate::killers::{LEFT_OUT, kills};
use crate::plan::{AllWork, JoinPlan};
use crate::unfinished::{Done, Ended, OutputPlace, Unfinished};
use crate::writing::DocumentWriting;
use anyhow::{Context, anyhow, bail};
use data_encoding::HEXLOWER;
use sha1::{Digest, Sha1};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};
use tsugi::chains::{ChainPlan, ChainRun, Chaining, Looked};
use tsugi::document::stitch;
use tsugi::fetch::{Catalog, CatalogHost, CatalogPage, Catalogued};
use tsugi::page::UnavailableKind;
use tsugi::pipeline::{self, Bounds, Weigh};
use tsugi::{Fetch, Format, JoinOptions, Reassembly, Response, Tsugi, Unavailable, Url};
use tsugi_terminal::exit::{Exit, is_cut_short};
use tsugi_terminal::interrupt::Interrupt;
use tsugi_terminal::output::{ArchiveProblems, Output, complain, counted, detail, tell};
use tsugi_terminal::progress::Progress;
use tsugi_terminal::source::archives_of;

/// What a page takes besides its bytes, in bytes.
const PER_PAGE: u64 = 8 << 10;

/// How often the journal is written, and after how many bytes of documents.
const NOTED: (Duration, u64) = (Duration::from_secs(1), 16 << 20);

/// The largest room for sorting, in bytes.
const MOST_SORTED: usize = 4 << 20;

pub(crate) fn run(plan: &JoinPlan, work: &AllWork, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let archives = archives_of(&work.archives)?;
    let tsugi = plan.detection.load()?;
    let mut output = Output::open(work.output.as_deref())?;
    let (unfinished, before) = match &work.output {
        Some(path) if output.is_file() => Unfinished::beside(path, work.resume, &task(plan, &archives)?)?,
        _ if work.resume => bail!("--resume needs a file: name it with -o"),
        _ => (Unfinished::unnamed()?, Done::default()),
    };
    let (mut problems, mut failed) = (ArchiveProblems::default(), 0);
    let ended = thread::scope(|scope| {
        // Without this thread, models are read when they are first needed.
        let _ = thread::Builder::new().spawn_scoped(scope, || tsugi.read_ahead());
        let Some(catalog) = list(&archives, work, &unfinished, interrupt, &mut problems)? else {
            return Ok(());
        };
        let progress = Progress::new("pages", Some(catalog.len()));
        if before.hosts > 0 {
            let Done { hosts, pages, documents } = before;
            tell(&format!("going on after {hosts} hosts with {pages} pages and {documents} documents"));
            progress.skip(before.pages);
        }
        let response_of = |url: &str| catalog.fetch(&url.parse::<Url>().ok()?).ok();
        let killers = unfinished.killers(|url| response_of(url).is_some_and(|page| kills(&page)))?;
        for url in &killers {
            complain(&format!("{url}: {LEFT_OUT}"));
        }
        failed += killers.len();
        let all = All {
            killers,
            work,
            options: &plan.options,
            writing: writing(plan),
            tsugi: &tsugi,
            catalog: &catalog,
            unfinished: &unfinished,
            interrupt,
            progress: &progress,
        };
        let ended = all.join(before);
        progress.finish();
        ended
    });
    let is_empty = unfinished.bytes() == 0;
    if let Err(error) = ended
        && !interrupt.ends()
    {
        if is_empty {
            unfinished.discard();
        }
        return Err(error);
    }
    let (mut done, mut short, mut missing) = (0, 0, 0);
    unfinished.visit(|Ended { document, words }| {
        if !words.is_empty() {
            complain(&words);
            *(if document.is_some() { &mut short } else { &mut missing }) += 1;
        }
        if let Some(bytes) = document {
            done += 1;
            output.write_all(&bytes)?;
        }
        Ok(())
    })?;
    // A run that wrote nothing leaves what was there before.
    if done > 0 {
        output.finish()?;
    }
    if interrupt.ends() {
        let why = if interrupt.came() { "by Ctrl-C " } else { "" };
        let time = if interrupt.came() { "" } else { ": the time is up (--max-run-time)" };
        let rest = if unfinished.is_kept() && !is_empty { "; add --resume to go on from there" } else { "" };
        if is_empty {
            unfinished.discard();
        }
        complain(&format!("stopped {why}after {done} documents{time}{rest}"));
        return Ok(if interrupt.came() { Exit::Interrupted } else { Exit::PartlyFailed });
    }
    unfinished.discard();
    let mut summary = counted(done, "document");
    let without = format!("{} without a page", counted(missing, "record"));
    for (count, what) in [
        (short, format!("{short} cut short by a failure")),
        (missing, without),
        (failed, format!("{failed} left out")),
    ] {
        if count > 0 {
            write!(summary, "; {what}")?;
        }
    }
    tell(&format!("{summary}{problems}"));
    Ok(Exit::of_batch(short + missing + failed + problems.damaged, done))
}

/// Lists the pages of the archives; `None` if the run is to end.
fn list(
    archives: &[PathBuf],
    work: &AllWork,
    unfinished: &Unfinished,
    interrupt: &Interrupt,
    problems: &mut ArchiveProblems,
) -> anyhow::Result<Option<Catalog>> {
    let progress = Progress::new("records listed", None);
    let scratch = unfinished.scratch().clone().with_room(MOST_SORTED.min(work.memory() / 8));
    let catalog = Catalog::open(archives, work.workers, &scratch, |seen| {
        progress.step();
        if let Catalogued::Broken(path, problem) = seen {
            complain(&format!("{}: {problem}", path.display()));
            problems.add(problem.flaw.is_damage());
        }
        if interrupt.ends() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    progress.finish();
    match (catalog, archives) {
        (Err(error), [one]) => Err(error).with_context(|| format!("`{}` cannot be used", one.display())),
        (catalog, _) => Ok(catalog?),
    }
}

fn writing(plan: &JoinPlan) -> DocumentWriting {
    let format = match plan.writing.format {
        // JSON documents are kept apart by line breaks.
        OutputFormat::Document(Format::Json) => OutputFormat::JsonLines,
        format => format,
    };
    DocumentWriting { format, ..plan.writing.clone() }
}

/// Returns a digest of all that the documents depend on: this version, the options, and the files that are read, by name,
/// length and time.
fn task(plan: &JoinPlan, archives: &[PathBuf]) -> anyhow::Result<String> {
    let JoinPlan { options, writing, detection, .. } = plan;
    let version = env!("CARGO_PKG_VERSION");
    let mut task = format!("{version} {options:?} {writing:?} {detection:?}");
    for path in archives.iter().map(PathBuf::as_path).chain(detection.files()) {
        let file = path.metadata().with_context(|| format!("cannot read `{}`", path.display()))?;
        write!(task, "\n{} {} {:?}", path.display(), file.len(), file.modified()?)?;
    }
    Ok(HEXLOWER.encode(&Sha1::digest(task)))
}

struct All<'a> {
    /// Pages that end the process.
    killers: BTreeSet<String>,
    work: &'a AllWork,
    options: &'a JoinOptions,
    writing: DocumentWriting,
    tsugi: &'a Tsugi,
    catalog: &'a Catalog,
    unfinished: &'a Unfinished,
    interrupt: &'a Interrupt,
    progress: &'a Progress,
}

/// Returns the memory that joining a host takes, in bytes, roughly.
fn weight_of(host: &CatalogHost) -> usize {
    usize::try_from(host.bytes + PER_PAGE * pages_of(host)).unwrap_or(usize::MAX)
}

fn pages_of(host: &CatalogHost) -> u64 {
    host.pages.end - host.pages.start
}

/// Work, or its result, and the memory that it takes, in bytes.
struct Weighed<T>(usize, T);

impl<T> Weigh for Weighed<T> {
    fn weight(&self) -> usize {
        self.0
    }
}

#[derive(Debug, Clone, Copy)]
struct Count {
    pages: u64,
    documents: u64,
}

impl All<'_> {
    fn join(&self, before: Done) -> anyhow::Result<()> {
        let mut done = before;
        let ended = self.join_hosts(&mut done);
        self.unfinished.note(done)?;
        ended
    }

    fn join_hosts(&self, done: &mut Done) -> anyhow::Result<()> {
        let memory = self.work.memory();
        let is_small =
            |host: &io::Result<CatalogHost>| host.as_ref().map_or(true, |host| weight_of(host) <= memory / 4);
        let mut hosts = self.catalog.hosts().skip(usize::try_from(done.hosts)?).peekable();
        let mut noted = (None::<Instant>, self.unfinished.bytes());
        let mut end_host = |count: Count| -> anyhow::Result<()> {
            done.hosts += 1;
            done.pages += count.pages;
            done.documents += count.documents;
            self.progress.tell(format!("{} hosts, {} documents; pages", done.hosts, done.documents));
            let bytes = self.unfinished.bytes();
            if noted.0.is_none_or(|at| at.elapsed() >= NOTED.0) || bytes - noted.1 >= NOTED.1 {
                self.unfinished.note(*done)?;
                noted = (Some(Instant::now()), bytes);
            }
            Ok(())
        };
        // A host takes as much memory as its pages, and several are worked on at a time.
        let bounds = Bounds { waiting: 2, unwritten: 256, bytes: usize::MAX, working: memory / 2 };
        while hosts.peek().is_some() {
            let small = std::iter::from_fn(|| hosts.next_if(is_small))
                .map(|host| Weighed(host.as_ref().map_or(0, weight_of), host));
            let join = |Weighed(_, host): Weighed<io::Result<CatalogHost>>| {
                Weighed(0, host.map_err(Into::into).and_then(|host| self.join_small(&host)))
            };
            pipeline::run(self.work.workers, bounds, small, join, |joined| end_host(joined.1?))?;
            if let Some(large) = hosts.next().transpose()? {
                detail(&format!("a large host: {} pages", pages_of(&large)));
                end_host(self.join_large(&large)?)?;
            }
        }
        Ok(())
    }

    fn join_small(&self, host: &CatalogHost) -> anyhow::Result<Count> {
        let pages = host.pages.clone().map(|number| self.catalog.page(number));
        let pages: Vec<CatalogPage> = pages.collect::<io::Result<_>>()?;
        let mut chaining = Chaining::new(self.tsugi, self.options, self.work.memory() / 2);
        for CatalogPage { url, .. } in &pages {
            let looked = self.get(url).ok().map(|response| Looked::of(self.tsugi, self.options, response));
            chaining.add(url, looked);
            self.progress.step();
        }
        let (plan, runs) = chaining.finish();
        let mut count = Count { pages: pages.len() as u64, documents: 0 };
        for run in runs {
            count.documents += self.join_run(&plan, run, |page| Ok(pages[page].clone()))?;
        }
        Ok(count)
    }

    /// Joins a host whose pages may not fit into memory: all cores look at them, and then join the runs.
    fn join_large(&self, host: &CatalogHost) -> anyhow::Result<Count> {
        let memory = self.work.memory();
        let page_of = |number: usize| Ok(self.catalog.page(host.pages.start + number as u64)?);
        let mut chaining = Chaining::new(self.tsugi, self.options, memory / 4 * 3);
        let bounds = Bounds { waiting: 2, unwritten: 256, bytes: memory / 4, working: memory / 4 };
        let listed = host.pages.clone().map(|number| {
            let page = self.catalog.page(number);
            let bytes = page.as_ref().map_or(0, |page| page.bytes + PER_PAGE);
            Weighed(usize::try_from(bytes).unwrap_or(usize::MAX), page)
        });
        let look = |Weighed(_, page)| self.look(page);
        pipeline::run(self.work.workers, bounds, listed, look, |Weighed(_, seen)| {
            let (url, looked) = seen?;
            chaining.add(&url, looked);
            Ok::<(), anyhow::Error>(())
        })?;
        let (plan, runs) = chaining.finish();
        let mut count = Count { pages: pages_of(host), documents: 0 };
        let join = |Weighed(_, run)| Weighed(0, self.join_run(&plan, run, page_of));
        let runs = runs.map(|run: ChainRun| Weighed(run.kept_bytes(), run));
        pipeline::run(self.work.workers, bounds, runs, join, |joined| {
            count.documents += joined.1?;
            Ok::<(), anyhow::Error>(())
        })?;
        Ok(count)
    }

    fn look(&self, page: io::Result<CatalogPage>) -> Weighed<anyhow::Result<(Url, Option<Looked>)>> {
        let url = match page {
            Ok(page) => page.url,
            Err(error) => return Weighed(0, Err(error.into())),
        };
        let response = self.get(&url).ok();
        if self.interrupt.ends() {
            return Weighed(0, Err(ended()));
        }
        let looked = response.map(|response| Looked::of(self.tsugi, self.options, response));
        self.progress.step();
        Weighed(looked.as_ref().map_or(0, Looked::bytes), Ok((url, looked)))
    }

    fn get(&self, url: &Url) -> Result<Response, Unavailable> {
        // After Ctrl-C or the end of the time no more pages are read, and no document that lacks them is written.
        if self.interrupt.ends() {
            return Err(Unavailable::new(UnavailableKind::NotFetched, url, "the run was ended"));
        }
        if self.killers.contains(url.as_str()) {
            return Err(Unavailable::new(UnavailableKind::NotFetched, url, LEFT_OUT));
        }
        self.unfinished.begin(url.as_str());
        self.catalog.fetch(url).map_err(|error| error.into_unavailable(url))
    }

    /// Joins the documents of a run, and keeps them; returns their number.
    fn join_run(
        &self,
        plan: &ChainPlan,
        run: ChainRun,
        page_of: impl Fn(usize) -> anyhow::Result<CatalogPage>,
    ) -> anyhow::Result<u64> {
        let first = run.pages().first().context("a run has no page")?;
        let mut place = OutputPlace { in_circle: run.in_circle(), turn: page_of(*first)?.turn, number: 0 };
        let mut documents = 0;
        let keep = |url: &Url, joined| {
            if self.interrupt.ends() {
                return Err(ended());
            }
            let ended = self.ended(url, joined)?;
            self.unfinished.add(place, &ended)?;
            documents += u64::from(ended.document.is_some());
            place.number += 1;
            Ok(())
        };
        plan.join(run, |page| Ok(page_of(page)?.url), |url| self.get(url), keep)?;
        Ok(documents)
    }

    fn ended(&self, url: &Url, joined: Result<Reassembly, Unavailable>) -> anyhow::Result<Ended> {
        let document = match joined {
            Ok(joined) => stitch(joined),
            Err(error) => return Ok(Ended { document: None, words: format!("{url}: {error}") }),
        };
        // An archive need not have all pages, but those that it has should be readable.
        let is_short = is_cut_short(&document) && self.catalog.has(&document.stopped.at)?;
        let words = is_short.then(|| format!("{url}: cut short: {}", document.stopped.detail));
        Ok(Ended {
            document: Some(self.writing.write(&document, self.interrupt)?),
            words: words.unwrap_or_default(),
        })
    }
}

fn ended() -> anyhow::Error {
    anyhow!("the run was ended")
}
