//! `tsugi join --input`: many URLs, one file each, over as many runs as it takes.

use crate::args::OutputFormat;
use crate::commands::join::{join, with_images};
use crate::commands::pages::Pages;
use crate::exit::Exit;
use crate::interrupt::Interrupt;
use crate::jobs;
use crate::journal::Journal;
use crate::output::complain;
use crate::plan::JoinPlan;
use crate::progress::Progress;
use anyhow::{Context, bail};
use serde::Serialize;
use sha1::{Digest, Sha1};
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tsugi::{Document, Fetch, StopReason, Unavailable, Url};
use tsugi_fetch::chain;
use tsugi_page::address;

/// The most characters of a host that a name shows.
const MAX_HOST: usize = 60;
/// The most characters of path and query that a name shows.
const MAX_REST: usize = 60;

/// How many bytes of the address' digest are part of a name. Among a million names that are equal but for them, two
/// are the same with a probability of 0.2 %.
const DIGEST_BYTES: usize = 6;

/// Joins each URL of `input` into a file of `folder`.
pub(crate) fn run(
    plan: &JoinPlan,
    input: &Path,
    folder: &Path,
    jobs: NonZeroUsize,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    let wanted = Wanted::read(input)?;
    if wanted.urls.is_empty() && wanted.others.is_empty() {
        complain(&format!("`{}` names no URL", input.display()));
        return Ok(Exit::NothingFound);
    }
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    let pages = Pages::open(&plan.from, None)?.context("there is nothing that pages could come from")?;
    let tsugi = plan.detection.load()?;
    // Last, since it takes out the lines of what will be tried again.
    let folder = Folder::open(folder, &wanted, plan.format)?;

    let total = wanted.urls.len() + wanted.others.len();
    let tally = Tally { before: folder.done.len(), ..Tally::default() };
    let state = Mutex::new((tally, None));
    let progress = Progress::new(&tally.to_string(), Some((total - tally.before) as u64));
    let end = |outcome: anyhow::Result<Outcome>| -> ControlFlow<()> {
        let (tally, fatal) = &mut *lock(&state);
        match outcome {
            Ok(Outcome::Done { pages, short }) => {
                tally.done += 1;
                tally.pages += pages;
                tally.short += usize::from(short);
            }
            Ok(Outcome::Failed) => tally.failed += 1,
            Err(error) => {
                fatal.get_or_insert(error);
                return ControlFlow::Break(());
            }
        }
        progress.tell(tally.to_string());
        progress.step();
        ControlFlow::Continue(())
    };
    let work = |url: &Url| {
        let joined = guarded(|| {
            let get = |url: &Url| pages.unless(interrupt, url, Pages::fetch);
            let mut document = join(&tsugi, url, plan.limits, get)?;
            let bytes = with_images(&mut document, plan, Some(&pages), interrupt)
                .map_err(|error| Failure { reason: "write".to_owned(), error: chain(error.as_ref()) })?;
            Ok((document, bytes))
        });
        if interrupt.came() {
            // What was under way is left to the next run.
            return ControlFlow::Break(());
        }
        end(folder.put(url, joined, &pages))
    };
    for line in &wanted.others {
        if end(folder.put_other(line)).is_break() {
            break;
        }
    }
    let todo = wanted.urls.iter().filter(|url| !folder.done.contains(url.as_str()));
    jobs::run(grouped(todo, pages.asks_sites()), jobs, work).context("no thread can be started")?;
    progress.finish();
    pages.sync()?;
    folder.index.sync()?;
    folder.failed.sync()?;
    let (tally, fatal) = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    complain(&format!("{total} URL{}: {tally}", if total == 1 { "" } else { "s" }));
    if tally.failed > 0 {
        complain(&format!("what failed, and why: {}", folder.path.join(FAILED).display()));
    }
    match fatal {
        Some(error) => Err(error),
        None if interrupt.came() => {
            complain("stopped by Ctrl-C; run it again for the rest");
            Ok(Exit::Interrupted)
        }
        None => Ok(Exit::of_batch(tally.failed, tally.done + tally.before)),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Jobs by host, or each on its own where nobody is asked.
fn grouped<'a>(urls: impl Iterator<Item = &'a Url>, by_host: bool) -> Vec<VecDeque<&'a Url>> {
    if !by_host {
        return urls.map(|url| VecDeque::from([url])).collect();
    }
    let (mut groups, mut places): (Vec<VecDeque<&Url>>, BTreeMap<&str, usize>) = Default::default();
    for url in urls {
        let place = *places.entry(address::bare_host(url)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push_back(url),
            None => groups.push(VecDeque::from([url])),
        }
    }
    groups
}

/// Does a job, and makes a panic in it an error like any other.
fn guarded<T>(job: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(job)).unwrap_or_else(|panic| {
        Err(Failure { reason: "panic".to_owned(), error: format!("a bug in tsugi: {}", words_of(&*panic)) })
    })
}

fn words_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason was given")
}

/// Why there is no document.
#[derive(Debug)]
struct Failure {
    reason: String,
    error: String,
}

impl From<Unavailable> for Failure {
    fn from(error: Unavailable) -> Failure {
        Failure { reason: error.word, error: error.message }
    }
}

enum Outcome {
    Done {
        pages: usize,
        /// Whether a page that could not be had ended it.
        short: bool,
    },
    Failed,
}

/// How far a run has come.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    before: usize,
    done: usize,
    failed: usize,
    pages: usize,
    short: usize,
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { before, done, failed, pages, short } = self;
        write!(f, "{done} done ({pages} pages")?;
        if *short > 0 {
            write!(f, "; {short} of them ended by a failure")?;
        }
        write!(f, "), {failed} failed")?;
        if *before > 0 { write!(f, ", {before} done before") } else { Ok(()) }
    }
}

/// What the input names, each once, in its order.
#[derive(Debug, Default)]
struct Wanted {
    urls: Vec<Url>,
    /// Lines that are no address of the web.
    others: Vec<String>,
}

impl Wanted {
    fn read(input: &Path) -> anyhow::Result<Wanted> {
        let mut bytes = Vec::new();
        let read = if input == Path::new("-") {
            io::stdin().lock().read_to_end(&mut bytes).context("cannot read stdin")
        } else {
            let opened = File::open(input).and_then(|mut file| file.read_to_end(&mut bytes));
            opened.with_context(|| format!("cannot read `{}`", input.display()))
        };
        read.map(|_| Wanted::of(&String::from_utf8_lossy(&bytes)))
    }

    fn of(text: &str) -> Wanted {
        let (mut wanted, mut seen) = (Wanted::default(), BTreeSet::new());
        let lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.parse::<Url>() {
                Ok(url) if address::is_web(&url) => {
                    let url = address::without_fragment(&url);
                    if seen.insert(url.as_str().to_owned()) {
                        wanted.urls.push(url);
                    }
                }
                _ if seen.insert(line.to_owned()) => wanted.others.push(line.to_owned()),
                _ => {}
            }
        }
        wanted
    }
}

/// The file of a document: host, the rest of the address as far as it is letters and digits, the start of its digest.
///
/// ASCII letters, digits, `-`, `_` and one dot, at most 146 bytes: safe on all file systems, those that do not tell
/// upper from lower case among them.
fn name(url: &Url, extension: &str) -> String {
    let host = slug(url.host_str().unwrap_or_default(), MAX_HOST);
    let rest = slug(&format!("{} {}", url.path(), url.query().unwrap_or_default()), MAX_REST);
    let mut name = if rest.is_empty() { format!("{host}_") } else { format!("{host}_{rest}_") };
    for byte in Sha1::digest(url.as_str()).iter().take(DIGEST_BYTES) {
        // Writing to a string does not fail.
        let _ = write!(name, "{byte:02x}");
    }
    name.push('.');
    name.push_str(extension);
    name
}

/// Letters and digits of a text, in lower case, with one `-` for all that is between them.
fn slug(text: &str, most: usize) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut slug = words.collect::<Vec<_>>().join("-").to_ascii_lowercase();
    slug.truncate(most);
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// What is done, one line a document.
const INDEX: &str = "index.jsonl";
/// What is not, one line a URL.
const FAILED: &str = "failed.jsonl";
/// The file that is locked while a run writes into the folder.
const LOCK: &str = ".lock";

#[derive(Serialize)]
struct DoneLine<'a> {
    url: &'a str,
    file: &'a str,
    title: Option<&'a str>,
    pages: usize,
    complete: bool,
    stopped: StoppedLine<'a>,
    warnings: &'a [String],
}

#[derive(Serialize)]
struct StoppedLine<'a> {
    reason: &'a str,
    at: &'a str,
    detail: &'a str,
}

#[derive(Serialize)]
struct FailedLine<'a> {
    url: &'a str,
    reason: &'a str,
    error: &'a str,
}

/// The folder that documents are written to.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    extension: &'static str,
    index: Journal,
    failed: Journal,
    /// Addresses whose documents an earlier run wrote.
    done: BTreeSet<String>,
    /// Keeps other runs out.
    _lock: File,
}

impl Folder {
    fn open(path: &Path, wanted: &Wanted, format: OutputFormat) -> anyhow::Result<Folder> {
        let lock = File::options().create(true).truncate(false).write(true).open(path.join(LOCK));
        let lock = lock.with_context(|| format!("cannot write in `{}`", path.display()))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                bail!("another run writes into `{}`; wait for it, or name another folder", path.display())
            }
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock `{}`", path.display()));
            }
        }
        let extension = format.extension();
        let files: BTreeMap<&str, String> =
            wanted.urls.iter().map(|url| (url.as_str(), name(url, extension))).collect();
        let mut done = BTreeSet::new();
        let index = Journal::open(&path.join(INDEX), |line| {
            let Some(url) = line["url"].as_str() else { return false };
            // What this run does not want is none of its business.
            let Some(file) = files.get(url) else { return true };
            let stands = |file: &str| path.join(file).is_file();
            if line["file"] != file.as_str() {
                // A document of another format.
                return line["file"].as_str().is_some_and(stands);
            }
            // What a failure cut short is tried again.
            let is_whole = line["stopped"]["reason"] != StopReason::FetchFailed.as_str();
            is_whole && stands(file) && done.insert(url.to_owned())
        })?;
        let others: BTreeSet<&str> = wanted.others.iter().map(String::as_str).collect();
        let failed = Journal::open(&path.join(FAILED), |line| {
            line["url"].as_str().is_some_and(|url| !files.contains_key(url) && !others.contains(url))
        })?;
        Ok(Folder { path: path.to_owned(), extension, index, failed, done, _lock: lock })
    }

    /// Writes a document and a line about it, or a line about why there is none.
    fn put(
        &self,
        url: &Url,
        joined: Result<(Document, Vec<u8>), Failure>,
        pages: &Pages,
    ) -> anyhow::Result<Outcome> {
        let (document, bytes) = match joined {
            Ok((document, _)) if document.text.is_empty() => {
                let Document { stopped, warnings, .. } = document;
                let mut error =
                    format!("no main content found; stopped: {} ({})", stopped.reason, stopped.detail);
                for warning in &warnings {
                    error.push_str("; ");
                    error.push_str(warning);
                }
                return self.put_failure(url.as_str(), "no-content", &error);
            }
            Ok(joined) => joined,
            Err(Failure { reason, error }) => return self.put_failure(url.as_str(), &reason, &error),
        };
        // First what the document rests on, then the document, then the line that says so: after a crash none of
        // them is without the one before.
        pages.sync()?;
        let file = name(url, self.extension);
        self.write(&file, &bytes)
            .with_context(|| format!("cannot write `{}`", self.path.join(&file).display()))?;
        let stopped = &document.stopped;
        self.index.add(&DoneLine {
            url: url.as_str(),
            file: &file,
            title: document.title.as_deref(),
            pages: document.pages.len(),
            complete: document.is_complete(),
            stopped: StoppedLine {
                reason: stopped.reason.as_str(),
                at: stopped.at.as_str(),
                detail: &stopped.detail,
            },
            warnings: &document.warnings,
        })?;
        Ok(Outcome::Done { pages: document.pages.len(), short: stopped.reason == StopReason::FetchFailed })
    }

    fn put_other(&self, line: &str) -> anyhow::Result<Outcome> {
        self.put_failure(line, "no-url", "no http or https address")
    }

    fn put_failure(&self, url: &str, reason: &str, error: &str) -> anyhow::Result<Outcome> {
        self.failed.add(&FailedLine { url, reason, error })?;
        Ok(Outcome::Failed)
    }

    /// Writes a file beside its name and renames it. What a killed run left beside it is written over.
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let beside = self.path.join(format!(".{name}.part"));
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&beside, self.path.join(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    #[test]
    fn the_input_names_each_address_once() {
        let text = "\u{feff}# first\nhttps://a.test/1\r\n\n  https://b.test  \nhttps://a.test/1#top\n#x\nfile:///etc\n\
                    nonsense\nnonsense\nhttps://A.test/1\nHTTPS://a.test/2";
        let wanted = Wanted::of(text);
        let urls: Vec<&str> = wanted.urls.iter().map(Url::as_str).collect();
        assert_eq!(urls, ["https://a.test/1", "https://b.test/", "https://a.test/2"]);
        assert_eq!(wanted.others, ["file:///etc", "nonsense"]);
    }

    #[test]
    fn names_can_be_read_and_are_safe() {
        assert_eq!(
            name(&url("https://www.A.test/Blog/One.html?p=2"), "md"),
            "www-a-test_blog-one-html-p-2_0b88b540d533.md"
        );
        assert_eq!(name(&url("https://a.test/"), "md"), "a-test_d91c70c937ef.md");
        let mut names = BTreeSet::new();
        let long = "x/".repeat(5000);
        for at in [
            "https://a.test/%E6%AC%A1",
            "https://a.test/../..",
            "https://a.test/?",
            "https://a.test/a",
            "https://a.test/A",
            "https://a.test/a/",
            "http://a.test/a",
            "http://[::1]:80/con",
            "https://次.test/",
            "https://con/nul.txt",
            &format!("https://a.test/{long}1"),
            &format!("https://a.test/{long}2"),
            &format!("https://{}.test/", "long.".repeat(40)),
        ] {
            let name = name(&url(at), "json");
            assert!(name.len() <= 146, "{name}");
            let stem = name.strip_suffix(".json").unwrap();
            let safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
            assert!(stem.chars().all(safe) && !stem.starts_with(['-', '_']), "{name}");
            assert!(names.insert(name), "{at}");
        }
    }

    #[test]
    fn hosts_are_groups_where_sites_are_asked() {
        let urls =
            ["https://a.test/1", "https://b.test/1", "http://www.a.test/2", "https://b.test:8080/2"].map(url);
        let paths = |by_host| -> Vec<Vec<&str>> {
            let groups = grouped(urls.iter(), by_host);
            groups.iter().map(|group| group.iter().map(|url| url.path()).collect()).collect()
        };
        assert_eq!(paths(true), [["/1", "/2"], ["/1", "/2"]]);
        assert_eq!(paths(false), [["/1"], ["/1"], ["/2"], ["/2"]]);
    }

    #[test]
    fn a_panic_is_a_failure_like_any_other() {
        let failure = guarded(|| -> Result<(), _> { panic!("page {}", 7) }).unwrap_err();
        assert_eq!((failure.reason.as_str(), failure.error.as_str()), ("panic", "a bug in tsugi: page 7"));
        let failure = guarded(|| -> Result<(), _> { panic!("so") }).unwrap_err();
        assert_eq!(failure.error, "a bug in tsugi: so");
        assert_eq!(guarded(|| Ok(1)).unwrap(), 1);
    }
}
