//! The pages of an archive, scanned by all cores.

use crate::errors::{self, ArchiveError};
use crate::looked::Looked;
use pyo3::prelude::*;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use tsugi::Tsugi;
use tsugi::pipeline::{self, Bounds, Weigh};
use tsugi_fetch::{PackedRecord, Record, chain, packed_records};

/// How much may be in memory: the bounds of `tsugi scan`, with fewer results, since trees are kept with them.
const BOUNDS: Bounds = Bounds { waiting: 2, unwritten: 256, bytes: 64 << 20, working: 8 << 20 };

/// How many results wait for Python.
const READY: usize = 16;

/// How often Ctrl-C is looked for while results are waited for.
const LOOK: Duration = Duration::from_millis(50);

/// A record: where it is, its address as the archive writes it, and what was found.
struct Found {
    offset: u64,
    target: String,
    is_revisit: bool,
    answer: Result<Looked, Problem>,
}

enum Problem {
    /// The record holds no page: (word, message, address that it redirects to).
    NoPage(String, String, Option<String>),
    /// The record is damaged.
    Damage(String),
}

/// A record to work on.
enum Job {
    Record(Box<PackedRecord>),
    Damage(u64, String),
}

impl Weigh for Job {
    fn weight(&self) -> usize {
        match self {
            Job::Record(record) => record.body_length(),
            Job::Damage(..) => 0,
        }
    }
}

impl Weigh for Found {
    fn weight(&self) -> usize {
        self.answer.as_ref().map_or(0, Looked::bytes)
    }
}

/// The records of an archive, in their order.
#[derive(Debug)]
#[pyclass(frozen, module = "tsugi._tsugi")]
pub(crate) struct Records {
    /// `None` once all are read. What is dropped ends the threads.
    ready: Mutex<Option<Receiver<Found>>>,
}

impl Records {
    /// Begins to scan an archive; `workers` is 0 for one per core.
    pub(crate) fn open(tsugi: Tsugi, path: PathBuf, workers: usize) -> PyResult<Records> {
        let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let workers = NonZeroUsize::new(workers).unwrap_or_else(cores);
        let because = format!("`{}` cannot be used", path.display());
        let records =
            packed_records(&path).map_err(|error| errors::because::<ArchiveError>(&because)(&error))?;
        let (send, ready) = mpsc::sync_channel(READY);
        let jobs = records.map(|record| match record {
            Ok(record) => Job::Record(Box::new(record)),
            Err(problem) => Job::Damage(problem.offset, problem.to_string()),
        });
        let work = move |job| scan(&tsugi, job);
        let write =
            move |found: Found| send.send(found).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe));
        let run = move || {
            // It ends early if nobody waits for results any more.
            let _: io::Result<()> = pipeline::run(workers, BOUNDS, jobs, work, write);
        };
        thread::Builder::new().spawn(run)?;
        Ok(Records { ready: Mutex::new(Some(ready)) })
    }
}

fn scan(tsugi: &Tsugi, job: Job) -> Found {
    let record = match job {
        Job::Damage(offset, problem) => {
            let answer = Err(Problem::Damage(problem));
            return Found { offset, target: String::new(), is_revisit: false, answer };
        }
        Job::Record(record) => record,
    };
    let (redirect, is_revisit) = (record.redirect().map(String::from), record.is_revisit());
    let Record { target, offset, response, .. } = record.unpack();
    let answer = match response {
        Ok(response) => Ok(Looked::of(tsugi, response)),
        Err(error) => Err(Problem::NoPage(error.word().to_owned(), chain(&error), redirect)),
    };
    Found { offset, target, is_revisit, answer }
}

/// A record for Python: (offset, target, whether it is a revisit, what was found, (word, message, redirect)). Damage has the
/// word `damaged`.
type Row = (u64, String, bool, Option<Looked>, Option<(String, String, Option<String>)>);

#[pymethods]
impl Records {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Row>> {
        loop {
            let received = py.detach(|| {
                let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
                let received = ready.as_ref()?.recv_timeout(LOOK);
                if matches!(received, Err(RecvTimeoutError::Disconnected)) {
                    *ready = None;
                }
                Some(received)
            });
            let Found { offset, target, is_revisit, answer } = match received {
                Some(Ok(found)) => found,
                Some(Err(RecvTimeoutError::Timeout)) => {
                    py.check_signals()?;
                    continue;
                }
                Some(Err(RecvTimeoutError::Disconnected)) | None => return Ok(None),
            };
            let (looked, problem) = match answer {
                Ok(looked) => (Some(looked), None),
                Err(Problem::NoPage(word, message, redirect)) => (None, Some((word, message, redirect))),
                Err(Problem::Damage(message)) => (None, Some(("damaged".to_owned(), message, None))),
            };
            return Ok(Some((offset, target, is_revisit, looked, problem)));
        }
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| *self.ready.lock().unwrap_or_else(PoisonError::into_inner) = None);
    }
}
