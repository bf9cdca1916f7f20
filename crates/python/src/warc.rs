//! The pages of an archive, scanned by all cores.

use crate::errors::{self, ArchiveError};
use crate::fetch::LOOK;
use crate::looked::PyLook;
use pyo3::prelude::*;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Seek, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use tsugi::Tsugi;
use tsugi::fetch::{PackedRecord, Record, chain, packed_records};
use tsugi::pipeline::{self, Bounds, STACK, Weigh, locked};

/// The bounds of `tsugi scan`, with fewer results: each keeps its tree.
const BOUNDS: Bounds = Bounds { waiting: 2, unwritten: 256, bytes: 64 << 20, working: 8 << 20 };

/// The most results that wait for Python.
const READY: usize = 16;

struct ScannedRecord {
    offset: u64,
    /// Its address as the archive writes it.
    target: String,
    is_revisit: bool,
    answer: Result<PyLook, RecordProblem>,
}

enum RecordProblem {
    /// The record holds no page: (word, message, address that it redirects to).
    NoPage(String, String, Option<String>),
    /// The record is damaged.
    Damage(String),
}

enum ScanJob {
    Record { number: u64, record: Box<PackedRecord>, is_left_out: bool },
    Damage(u64, String),
}

/// How a scan goes on after one that was killed: (a file for the number of the record that is worked on, the number of the
/// first record, the numbers of those that are left out).
#[derive(FromPyObject)]
pub(crate) struct PyGoingOn(PathBuf, usize, BTreeSet<u64>);

impl Weigh for ScanJob {
    fn weight(&self) -> usize {
        match self {
            ScanJob::Record { record, .. } => record.body_length(),
            ScanJob::Damage(..) => 0,
        }
    }
}

impl Weigh for ScannedRecord {
    fn weight(&self) -> usize {
        self.answer.as_ref().map_or(0, PyLook::bytes)
    }
}

/// The records of an archive, in their order.
#[derive(Debug)]
#[pyclass(frozen, module = "tsugi._tsugi", name = "Records")]
pub(crate) struct PyRecords {
    /// `None` once all are read. Dropping it ends the threads.
    ready: Mutex<Option<Receiver<ScannedRecord>>>,
}

impl PyRecords {
    /// Begins to scan an archive; `workers` is 0 for one per core.
    pub(crate) fn open(
        tsugi: Tsugi,
        path: PathBuf,
        workers: usize,
        going_on: Option<PyGoingOn>,
    ) -> PyResult<PyRecords> {
        let workers = NonZeroUsize::new(workers)
            .unwrap_or_else(|| thread::available_parallelism().unwrap_or(NonZeroUsize::MIN));
        let because = format!("`{}` cannot be used", path.display());
        let records = packed_records(&path).map_err(errors::because::<ArchiveError, _>(&because))?;
        let (send, ready) = mpsc::sync_channel(READY);
        let (begun, first, left_out) = match going_on {
            Some(PyGoingOn(path, first, left_out)) => (Some(File::create(path)?), first, left_out),
            None => (None, 0, BTreeSet::new()),
        };
        let jobs = (0..).zip(records).skip(first).map(move |(number, record)| match record {
            Ok(record) => {
                let is_left_out = left_out.contains(&number);
                ScanJob::Record { number, record: Box::new(record), is_left_out }
            }
            Err(problem) => ScanJob::Damage(problem.offset, problem.to_string()),
        });
        // With one worker the pipeline processes pages on this thread.
        thread::Builder::new().stack_size(STACK).spawn(move || {
            let write = |found| send.send(found).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe));
            // An error means that Python has dropped the records.
            let _: io::Result<()> =
                pipeline::run(workers, BOUNDS, jobs, |job| scan(&tsugi, job, begun.as_ref()), write);
        })?;
        Ok(PyRecords { ready: Mutex::new(Some(ready)) })
    }
}

/// Writes down which record is worked on, so that one that kills the process is known.
fn begin(mut file: &File, number: u64) -> io::Result<()> {
    file.rewind()?;
    file.write_all(&number.to_le_bytes())
}

fn scan(tsugi: &Tsugi, job: ScanJob, begun: Option<&File>) -> ScannedRecord {
    let (number, record, is_left_out) = match job {
        ScanJob::Damage(offset, problem) => {
            let answer = Err(RecordProblem::Damage(problem));
            return ScannedRecord { offset, target: String::new(), is_revisit: false, answer };
        }
        ScanJob::Record { number, record, is_left_out } => (number, record, is_left_out),
    };
    if let Some(file) = begun {
        // A disk that is full only means that the record is not known.
        let _ = begin(file, number);
    }
    let (redirect, is_revisit) = (record.redirect().map(String::from), record.is_revisit());
    let Record { target, offset, response, .. } = record.unpack();
    let answer = match response {
        Ok(_) if is_left_out => {
            let message = "left out, since tsugi is killed when it works on this page";
            Err(RecordProblem::NoPage("killer".to_owned(), message.to_owned(), None))
        }
        Ok(response) => Ok(PyLook::of(tsugi, response)),
        Err(error) => Err(RecordProblem::NoPage(error.word().to_owned(), chain(&error), redirect)),
    };
    ScannedRecord { offset, target, is_revisit, answer }
}

/// A record for Python: (offset, target, whether it is a revisit, facts, (word, message, redirect)). The word of damage is
/// `damaged`.
type PyRecord = (u64, String, bool, Option<PyLook>, Option<(String, String, Option<String>)>);

#[pymethods]
impl PyRecords {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyRecord>> {
        loop {
            let received = py.detach(|| {
                let mut ready = locked(&self.ready);
                let received = ready.as_ref()?.recv_timeout(LOOK);
                if matches!(received, Err(RecvTimeoutError::Disconnected)) {
                    *ready = None;
                }
                Some(received)
            });
            let ScannedRecord { offset, target, is_revisit, answer } = match received {
                Some(Ok(found)) => found,
                Some(Err(RecvTimeoutError::Timeout)) => {
                    py.check_signals()?;
                    continue;
                }
                Some(Err(RecvTimeoutError::Disconnected)) | None => return Ok(None),
            };
            let (looked, problem) = match answer {
                Ok(looked) => (Some(looked), None),
                Err(RecordProblem::NoPage(word, message, redirect)) => {
                    (None, Some((word, message, redirect)))
                }
                Err(RecordProblem::Damage(message)) => (None, Some(("damaged".to_owned(), message, None))),
            };
            return Ok(Some((offset, target, is_revisit, looked, problem)));
        }
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| *locked(&self.ready) = None);
    }
}
