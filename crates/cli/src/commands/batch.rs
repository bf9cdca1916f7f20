//! `tsugi join --input`: many URLs, one file each; a run continues the one before.

use crate::args::{FileNames, OutputFormat};
use crate::begun::{BEGUN, BegunUrls};
use crate::commands::join::join;
use crate::commands::pages::PageSource;
use crate::jobs;
use crate::journal::{Journal, lock_folder};
use crate::plan::{JoinPlan, JoinWork};
use anyhow::{Context, bail};
use data_encoding::HEXLOWER;
use serde::Serialize;
use serde_json::Value;
use sha1::{Digest, Sha1};
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tsugi::fetch::{NewFile, Readers, chain};
use tsugi::page::address;
use tsugi::pipeline::locked;
use tsugi::{Document, StopReason, Unavailable, Url, Way};
use tsugi_terminal::exit::{Exit, is_cut_short};
use tsugi_terminal::interrupt::Interrupt;
use tsugi_terminal::output::{complain, counted, detail, tell};
use tsugi_terminal::progress::Progress;
use tsugi_terminal::source::{web_address, without_password};

/// The most bytes of a host in a file name.
const MAX_HOST: usize = 60;
/// The most bytes of path and query in a file name.
const MAX_REST: usize = 60;
/// The most bytes of a title in a file name.
const MAX_TITLE: usize = 120;

/// How many bytes of the URL's digest end a file name. Among a million names that differ in nothing else, two are equal
/// with a probability of 0.2 %.
const DIGEST_BYTES: usize = 6;

pub(crate) fn run(plan: &JoinPlan, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let JoinWork::Batch { input, folder, jobs, names, headers } = &plan.work else {
        bail!("a batch needs --input");
    };
    let wanted = WantedUrls::read(input)?;
    if wanted.urls.is_empty() && wanted.others.is_empty() {
        complain(&format!("`{}` contains no URL", input.display()));
        return Ok(Exit::NothingFound);
    }
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder `{}`", folder.display()))?;
    let from = plan.from.with_headers(headers, &wanted.given)?;
    let pages = PageSource::open(&from, None)?.context("a batch needs the web or --pages")?;
    let tsugi = plan.detection.load()?;
    // Last, because it removes the lines of what will be retried.
    let folder = BatchFolder::open(folder, &wanted, plan.writing.format, *names)?;

    let total = wanted.urls.len() + wanted.others.len();
    let tally = BatchTally { before: folder.done.len(), ..BatchTally::default() };
    let state = Mutex::new((tally, None));
    let progress = Progress::new(&tally.to_string(), Some((total - tally.before) as u64));
    let end = |outcome: anyhow::Result<Outcome>| -> ControlFlow<()> {
        let (tally, fatal) = &mut *locked(&state);
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
        if let Err(error) = folder.begun.begin(url.as_str()) {
            return end(Err(error));
        }
        let limited = interrupt.within(plan.max_time);
        let joined = guarded(|| {
            let get = |url: &Url, way: &Way| {
                let (way, tsugi) = (way.clone(), tsugi.clone());
                pages.unless(&limited, url, move |pages, url| pages.get(url, &way, &tsugi))
            };
            let mut document = join(&tsugi, url, &plan.options, &limited, get)?;
            let written = plan.writing.write_with_images(&mut document, Some(&pages), None, &limited);
            let bytes = written
                .map_err(|error| BatchFailure { reason: "write".to_owned(), error: chain(error.as_ref()) })?;
            Ok((document, bytes))
        });
        if interrupt.ends() {
            // The next run joins what was unfinished.
            return ControlFlow::Break(());
        }
        let outcome = folder.put(url, joined, &pages);
        end(outcome.and_then(|outcome| folder.begun.end(url.as_str()).map(|()| outcome)))
    };
    for line in &wanted.others {
        if end(folder.put_other(line)).is_break() {
            break;
        }
    }
    let todo = wanted.urls.iter().filter(|url| !folder.done.contains(url.as_str()));
    let (suspects, todo): (Vec<&Url>, Vec<&Url>) =
        todo.partition(|url| folder.begun.ended_runs(url.as_str()) > 0);
    jobs::run(grouped(todo.into_iter(), pages.asks_sites()), *jobs, work)
        .context("no thread can be started")?;
    let is_over = || interrupt.ends() || locked(&state).1.is_some();
    folder.run_suspects(&suspects, is_over, work, end)?;
    progress.finish();
    pages.finish(&from)?;
    folder.index.sync()?;
    folder.failed.sync()?;
    if !folder.short.is_empty() {
        leave_newest(&folder.path)?;
    }
    let failures = folder.path.join(FAILED);
    let urls: BTreeSet<&str> = wanted.urls.iter().map(Url::as_str).collect();
    folder.begun.finish(|url| urls.contains(url))?;
    let (tally, fatal) = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    let left = total - tally.before - tally.done - tally.failed;
    tell(&format!("{}: {tally}", counted(total, "URL")));
    if tally.failed > 0 {
        complain(&format!("{} failed; the reasons are in `{}`", tally.failed, failures.display()));
    }
    match fatal {
        Some(error) => Err(error),
        None => Ok(told_exit(tally, left, interrupt)),
    }
}

/// Says why URLs are left, if some are; returns the exit code.
fn told_exit(tally: BatchTally, left: usize, interrupt: &Interrupt) -> Exit {
    if interrupt.came() {
        complain("stopped by Ctrl-C; run the command again to continue");
        return Exit::Interrupted;
    }
    if left > 0 {
        complain(&format!(
            "stopped with {} to go: the time is up (--max-run-time); run the command again to continue",
            counted(left, "URL")
        ));
        return Exit::PartlyFailed;
    }
    tally.exit()
}

/// Groups jobs by host; without requests each job is a group of its own.
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

/// Runs a job; a panic becomes a failure.
fn guarded<T>(job: impl FnOnce() -> Result<T, BatchFailure>) -> Result<T, BatchFailure> {
    catch_unwind(AssertUnwindSafe(job)).unwrap_or_else(|panic| {
        Err(BatchFailure {
            reason: "panic".to_owned(),
            error: format!("a bug in tsugi: {}", words_of(&*panic)),
        })
    })
}

fn words_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given")
}

#[derive(Debug)]
struct BatchFailure {
    reason: String,
    error: String,
}

impl From<Unavailable> for BatchFailure {
    fn from(error: Unavailable) -> BatchFailure {
        BatchFailure { reason: error.kind.as_str().to_owned(), error: error.to_string() }
    }
}

enum Outcome {
    Done { pages: usize, short: bool },
    Failed,
}

#[derive(Debug, Default, Clone, Copy)]
struct BatchTally {
    before: usize,
    done: usize,
    failed: usize,
    pages: usize,
    short: usize,
}

impl BatchTally {
    /// Returns how the run ended: a document that a failure cut short counts as a failure in part.
    fn exit(self) -> Exit {
        match Exit::of_batch(self.failed, self.done + self.before) {
            Exit::Done if self.short > 0 => Exit::PartlyFailed,
            exit => exit,
        }
    }
}

impl std::fmt::Display for BatchTally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let BatchTally { before, done, failed, pages, short } = self;
        write!(f, "{done} done ({pages} pages")?;
        if *short > 0 {
            write!(f, "; {short} cut short by a failure")?;
        }
        write!(f, "), {failed} failed")?;
        if *before > 0 { write!(f, ", {before} done before") } else { Ok(()) }
    }
}

/// The URLs of the input, each once, in its order.
#[derive(Debug, Default)]
struct WantedUrls {
    /// Without user names and passwords.
    urls: Vec<Url>,
    /// The URLs as they were given.
    given: Vec<Url>,
    /// Lines that are no http(s) URL, as they may be shown.
    others: Vec<String>,
}

impl WantedUrls {
    fn read(input: &Path) -> anyhow::Result<WantedUrls> {
        let mut bytes = Vec::new();
        let read = if input == Path::new("-") {
            io::stdin().lock().read_to_end(&mut bytes).context("cannot read stdin")
        } else {
            let opened = File::open(input).and_then(|mut file| file.read_to_end(&mut bytes));
            opened.with_context(|| format!("cannot read `{}`", input.display()))
        };
        read.map(|_| WantedUrls::of(&String::from_utf8_lossy(&bytes)))
    }

    fn of(text: &str) -> WantedUrls {
        let (mut wanted, mut seen) = (WantedUrls::default(), BTreeSet::new());
        let lines = text.strip_prefix('\u{feff}').unwrap_or(text).lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(given) = web_address(line) {
                let url = address::without_userinfo(&address::without_fragment(&given));
                if seen.insert(url.as_str().to_owned()) {
                    wanted.urls.push(url);
                }
                wanted.given.push(given);
            } else {
                let line = without_password(line);
                if seen.insert(line.clone()) {
                    wanted.others.push(line);
                }
            }
        }
        wanted
    }
}

/// Returns the file name of a document: the words of its title, or of its URL if it has none, and a digest of the URL.
///
/// The name has lower-case letters, digits, `-`, `_` and one dot, and at most 146 bytes, so it is safe on all file systems.
/// Letters are ASCII in the words of a URL, and of any script in a title.
fn file_name(url: &Url, title: Option<&str>, extension: &str) -> String {
    let title = title.map(|title| slug(&title.replace(['\'', '’'], ""), char::is_alphanumeric, MAX_TITLE));
    let name = title.filter(|title| !title.is_empty()).unwrap_or_else(|| {
        let is_ascii = |c: char| c.is_ascii_alphanumeric();
        let host = slug(url.host_str().unwrap_or_default(), is_ascii, MAX_HOST);
        let rest = format!("{} {}", url.path(), url.query().unwrap_or_default());
        let rest = slug(&rest, is_ascii, MAX_REST);
        if rest.is_empty() { host } else { format!("{host}_{rest}") }
    });
    let digest = HEXLOWER.encode(&Sha1::digest(url.as_str())[..DIGEST_BYTES]);
    format!("{name}_{digest}.{extension}")
}

/// Returns the words of a text in lower case, joined by `-`, at most `most` bytes.
fn slug(text: &str, is_letter: impl Fn(char) -> bool, most: usize) -> String {
    let words = text.split(|c: char| !is_letter(c)).filter(|word| !word.is_empty());
    let mut slug = words.collect::<Vec<_>>().join("-").to_lowercase();
    slug.truncate(slug.floor_char_boundary(most));
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// The documents, one line each.
const INDEX: &str = "index.jsonl";
/// The failures, one line each.
const FAILED: &str = "failed.jsonl";

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

/// Returns the URL and the file of a line of the index.
fn document_of(line: &Value) -> Option<(&str, &str)> {
    Some((line["url"].as_str()?, line["file"].as_str()?))
}

/// Leaves the last line of each URL and format in the index, and the file of that line alone.
fn leave_newest(folder: &Path) -> anyhow::Result<()> {
    let index = folder.join(INDEX);
    let key = |url: &str, file: &str| (url.to_owned(), Path::new(file).extension().map(OsStr::to_owned));
    let (mut newest, mut number) = (BTreeMap::new(), 0_usize);
    Journal::open(&index, |line| {
        number += 1;
        if let Some((url, file)) = document_of(line) {
            newest.insert(key(url, file), (number, file.to_owned()));
        }
        true
    })?;
    if newest.len() == number {
        return Ok(());
    }
    number = 0;
    Journal::open(&index, |line| {
        number += 1;
        let Some((url, file)) = document_of(line) else { return true };
        let Some((last, kept)) = newest.get(&key(url, file)) else { return true };
        let is_here = Path::new(file).file_name() == Some(OsStr::new(file));
        if *last != number && kept != file && is_here {
            // If it is in use or gone already, that is in nobody's way.
            let _ = std::fs::remove_file(folder.join(file));
        }
        *last == number
    })?;
    Ok(())
}

/// Leaves the document of an earlier run in place, since this run has got less.
fn leave_earlier(url: &str, pages: usize, error: &str) -> Outcome {
    complain(&format!("{url}: {error}; what an earlier run got of it stays ({})", counted(pages, "page")));
    Outcome::Done { pages, short: true }
}

#[derive(Debug)]
struct BatchFolder {
    path: PathBuf,
    extension: &'static str,
    names: FileNames,
    index: Journal,
    failed: Journal,
    begun: BegunUrls,
    /// URLs whose documents an earlier run wrote.
    done: BTreeSet<String>,
    /// URLs whose documents were cut short by a failure in an earlier run, and how many pages these have.
    short: BTreeMap<String, usize>,
    /// Keeps other runs out.
    _lock: File,
}

impl BatchFolder {
    fn open(
        path: &Path,
        wanted: &WantedUrls,
        format: OutputFormat,
        names: FileNames,
    ) -> anyhow::Result<BatchFolder> {
        let lock = lock_folder(path)?;
        NewFile::sweep_folder(path);
        let extension = format.extension();
        let urls: BTreeSet<&str> = wanted.urls.iter().map(Url::as_str).collect();
        let (mut done, mut short) = (BTreeSet::new(), BTreeMap::new());
        leave_newest(path)?;
        let index = Journal::open(&path.join(INDEX), |line| {
            let Some((url, file)) = document_of(line) else { return false };
            // Leave lines about other URLs alone.
            if !urls.contains(url) {
                return true;
            }
            let exists = path.join(file).is_file();
            // A document of another format is none of this run's.
            if exists && Path::new(file).extension().is_some_and(|found| found == extension) {
                let cut_short = [StopReason::FetchFailed, StopReason::MaxTime].map(StopReason::as_str);
                if line["complete"] != true
                    && cut_short.iter().any(|reason| line["stopped"]["reason"] == *reason)
                {
                    // It is tried again, and stays until there is a better one.
                    let pages = line["pages"].as_u64().and_then(|pages| usize::try_from(pages).ok());
                    short.insert(url.to_owned(), pages.unwrap_or(0));
                } else {
                    done.insert(url.to_owned());
                }
            }
            exists
        })?;
        let begun = BegunUrls::open(path, |url| urls.contains(url))?;
        let others: BTreeSet<&str> = wanted.others.iter().map(String::as_str).collect();
        let failed = Journal::open(&path.join(FAILED), |line| {
            line["url"].as_str().is_some_and(|url| !urls.contains(url) && !others.contains(url))
        })?;
        let path = path.to_owned();
        Ok(BatchFolder { path, extension, names, index, failed, begun, done, short, _lock: lock })
    }

    fn put(
        &self,
        url: &Url,
        joined: Result<(Document, Vec<u8>), BatchFailure>,
        pages: &PageSource,
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
            Err(BatchFailure { reason, error }) => return self.put_failure(url.as_str(), &reason, &error),
        };
        if is_cut_short(&document)
            && let Some(&pages) = self.short.get(url.as_str())
            && pages > document.pages.len()
        {
            return Ok(leave_earlier(url.as_str(), pages, &document.stopped.detail));
        }
        // First the responses, then the document, then its line: after a crash none of them lacks the one before.
        pages.sync()?;
        let title = document.title.as_deref().filter(|_| self.names == FileNames::Title);
        let file = file_name(url, title, self.extension);
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
        detail(&format!("{url}: {file}"));
        Ok(Outcome::Done { pages: document.pages.len(), short: is_cut_short(&document) })
    }

    fn put_other(&self, line: &str) -> anyhow::Result<Outcome> {
        self.put_failure(line, "no-url", "not an http or https URL")
    }

    /// Works on the URLs at which an earlier run was killed, one at a time, and goes past those that are given up.
    fn run_suspects(
        &self,
        suspects: &[&Url],
        is_over: impl Fn() -> bool,
        work: impl Fn(&Url) -> ControlFlow<()> + Sync,
        end: impl Fn(anyhow::Result<Outcome>) -> ControlFlow<()>,
    ) -> anyhow::Result<()> {
        for url in suspects {
            if is_over() {
                break;
            }
            if self.begun.is_given_up(url.as_str()) {
                if end(self.put_killer(url)).is_break() {
                    break;
                }
                continue;
            }
            complain(&format!(
                "{url}: an earlier run was killed while it worked on this URL; it comes last, alone"
            ));
            let alone = vec![VecDeque::from([*url])];
            jobs::run(alone, NonZeroUsize::MIN, &work).context("no thread can be started")?;
        }
        Ok(())
    }

    fn put_killer(&self, url: &Url) -> anyhow::Result<Outcome> {
        let line = self.path.join(BEGUN);
        let error = format!(
            "tsugi was killed twice while it worked on this URL; remove its line from `{}` to try it again",
            line.display()
        );
        self.put_failure(url.as_str(), "killed", &error)
    }

    fn put_failure(&self, url: &str, reason: &str, error: &str) -> anyhow::Result<Outcome> {
        if let Some(&pages) = self.short.get(url) {
            return Ok(leave_earlier(url, pages, error));
        }
        self.failed.add(&FailedLine { url, reason, error })?;
        Ok(Outcome::Failed)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = NewFile::create(&self.path.join(name), Readers::Usual)?;
        file.write_all(bytes)?;
        file.finish()
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
        let wanted = WantedUrls::of(text);
        let urls: Vec<&str> = wanted.urls.iter().map(Url::as_str).collect();
        assert_eq!(urls, ["https://a.test/1", "https://b.test/", "https://a.test/2"]);
        assert_eq!(wanted.others, ["file:///etc", "nonsense"]);
        let wanted = WantedUrls::of("https://a.test/1\nhttps://u:secret@a.test/1\nftp://u:secret@a.test/1");
        assert_eq!(
            (wanted.urls, wanted.others),
            (vec![url("https://a.test/1")], vec!["ftp://****@a.test/1".to_owned()])
        );
        assert_eq!(wanted.given[1].password(), Some("secret"));
    }

    #[test]
    fn names_can_be_read_and_are_safe() {
        assert_eq!(
            file_name(&url("https://www.A.test/Blog/One.html?p=2"), None, "md"),
            "www-a-test_blog-one-html-p-2_0b88b540d533.md"
        );
        assert_eq!(file_name(&url("https://a.test/"), Some(" – "), "md"), "a-test_d91c70c937ef.md");
        let title = |title: &str| file_name(&url("https://a.test/"), Some(title), "md");
        assert_eq!(title("The Mill’s “Hours”: 1/2"), "the-mills-hours-1-2_d91c70c937ef.md");
        assert_eq!(title("次のページへ"), "次のページへ_d91c70c937ef.md");
        assert_eq!(title("../../etc/passwd"), "etc-passwd_d91c70c937ef.md");
        assert_eq!(title(&"継".repeat(99)).len(), MAX_TITLE + "_d91c70c937ef.md".len());
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
            let name = file_name(&url(at), None, "json");
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
