//! An archive that answers are added to, and read from at once.

use super::draft::{Draft, DraftKind, reason};
use super::error::{ArchiveError, ArchiveProblem, Flaw, MAX_RECORD};
use super::head::MAX_HEAD;
use super::index::{GrowingIndex, IndexBuilder, follow};
use super::reader::{self, Walker};
use super::record::{FAILURE_FIELDS, HeldRecord, RecordPlace, Refusal, io_flaw, one_line};
use super::revisits::ArchivePlace;
use super::stream::{ArchiveFile, GZIP, RECORD_START, Stream, may_start_record, starts_record};
use crate::error::FetchError;
use crate::exchange::{Exchange, Keep, Wanted};
use crate::fetch::{Fetch, FetchImage};
use crate::locked::locked;
use crate::sorter::Scratch;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tsugi_page::{Response, Url};

/// Returns the current time as `2026-01-02T03:04:05Z`; fractions of a second are allowed.
pub type Clock = fn() -> String;

const MAX_UNSYNCED: u64 = 8 << 20;

/// The most bytes of headers in a record; beyond that only those needed to read a page are kept.
const MAX_HEADERS: usize = 64 << 10;

/// A torn gzip file shorter than this, in bytes, may unpack to nothing.
const SHORT: u64 = 1024;

/// Headers that describe the body as sent, not as saved.
const OF_TRAVEL: [&str; 3] = ["content-encoding", "content-length", "transfer-encoding"];

/// A WARC archive that is added to, and read, at the same time.
///
/// As a [`Keep`], it writes each answer as a `response` record: the headers as served, except cookies and those about
/// the transfer, and the body, decompressed. A failure becomes a `metadata` record of type `application/warc-fields`
/// with two fields: `fetchFailure`, a [`FetchError::word`], and `fetchMessage`, the message. Requests for images are
/// marked `WARC-Resource-Type: image`, whatever the answer, and those for what a browser draws a page of are marked `other`.
/// A page that a browser drew is a `conversion` record, marked `drawn`; its `Content-Location` is the address that the page
/// has. A new archive starts with a `warcinfo` record. See
/// [`Archive`](crate::Archive) for which of several records of one address counts.
///
/// # Crashes
///
/// A record is written with one call at the end of the file, and removed again if that fails. If a run is killed, at
/// most the last record is torn, and [`Store::open`] cuts it off. Data is synced to the disk every 8 MiB and by
/// [`Store::sync`], in case power fails.
///
/// While it is open, the file is locked (an advisory lock): two runs cannot write one archive.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    compressed: bool,
    clock: Clock,
    problems: Vec<ArchiveProblem>,
    cut: u64,
    // Every step leaves it consistent.
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    file: File,
    end: u64,
    unsynced: u64,
    torn: bool,
    index: GrowingIndex,
}

impl Store {
    /// Opens an archive to add to, or creates one. `software` names the program in a new archive (`tsugi/0.1.0`).
    ///
    /// A torn record at the end is cut off. Records are compressed, one gzip member each, unless the archive is already
    /// uncompressed, or is new and its name ends in `.warc`.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Io`] if the file cannot be read and written, [`ArchiveError::InUse`] if another run is writing
    /// it, [`ArchiveError::NotAnArchive`] if it holds something else, and [`ArchiveError::DamagedEnd`] if more than a
    /// torn record is broken at its end: too many bytes for one, a gzip member with several records, or a whole one
    /// that holds none. [`ArchiveError::Unclosed`] if a damaged record claims bytes that would be written now. Other
    /// damage is no error: see [`Store::problems`].
    ///
    /// # Cost
    ///
    /// One pass over the file. Memory grows with the number of addresses, not with the bodies.
    pub fn open(path: &Path, software: &str, clock: Clock) -> Result<Store, ArchiveError> {
        let failed = |source| ArchiveError::Io { path: path.to_owned(), source };
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        // A device may never end.
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")));
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ArchiveError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let length = file.metadata().map_err(failed)?.len();
        let OpenedContents { index, mut problems, end, unclosed, more_than_torn } =
            OpenedContents::of(&file).map_err(failed)?;
        let cut = length.saturating_sub(end);
        if end == 0 && cut > 0 && !is_torn_record(&file).map_err(failed)? {
            return Err(ArchiveError::NotAnArchive { path: path.to_owned() });
        }
        if let Some(offset) = unclosed {
            return Err(ArchiveError::Unclosed { path: path.to_owned(), offset });
        }
        // One record, which takes no more when it is compressed, and its head.
        let is_long = cut > MAX_RECORD + MAX_HEAD as u64;
        if is_long || more_than_torn || problems.iter().any(|problem| problem.flaw == Flaw::GivenUp) {
            return Err(ArchiveError::DamagedEnd { path: path.to_owned(), length: cut });
        }
        if cut > 0 {
            file.set_len(end).and_then(|()| file.sync_all()).map_err(failed)?;
            problems.retain(|problem| problem.offset < end);
        }
        let mut start = Vec::new();
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        (&file).take(RECORD_START as u64).read_to_end(&mut start).map_err(failed)?;
        let is_plain = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("warc"));
        let compressed = if start.is_empty() { !is_plain } else { !starts_record(&start) };
        let inner = Mutex::new(Inner { file, end, unsynced: 0, torn: false, index });
        let store = Store { path: path.to_owned(), compressed, clock, problems, cut, inner };
        if start.is_empty() {
            store.write_info(software).map_err(failed)?;
        }
        Ok(store)
    }

    fn write_info(&self, software: &str) -> io::Result<()> {
        let fields = format!(
            "software: {}\r\nformat: WARC File Format 1.1\r\n\
             conformsTo: https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n",
            one_line(software)
        );
        self.add(DraftKind::Info, None, fields.as_bytes(), None)
    }

    /// Keeps a page as a browser drew it: 0 as it opened, a higher number after going on in it so many times. `url` is the
    /// address that was asked for; that of the page may be another.
    ///
    /// # Errors
    ///
    /// The error of writing.
    pub fn keep_drawn(&self, url: &Url, number: u16, page: &Response) -> io::Result<()> {
        let url = tsugi_page::address::without_fragment(url);
        let draft = Draft::new(
            DraftKind::Conversion,
            Some(&url),
            Wanted::Drawn(number),
            &(self.clock)(),
            &page.body,
        )?;
        let bytes = self.written(&draft.located(&page.url))?;
        locked(&self.inner).add(&bytes, Some(&HeldRecord::of_drawn(&url, number)))
    }

    /// Returns a page as a browser drew it; see [`keep_drawn`](Self::keep_drawn).
    ///
    /// # Errors
    ///
    /// [`FetchError::NotStored`] if it was not drawn, and the recorded failure if that failed.
    pub fn drawn(&self, url: &Url, number: u16) -> Result<Response, FetchError> {
        self.held(url, Wanted::Drawn(number))
    }

    /// Returns the records that could not be read when the archive was opened, in its order, without the torn end.
    pub fn problems(&self) -> &[ArchiveProblem] {
        &self.problems
    }

    /// Returns the number of bytes of a torn record that were cut off when the archive was opened.
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// Syncs everything written to the disk.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Io`] if that fails.
    pub fn sync(&self) -> Result<(), ArchiveError> {
        let mut inner = locked(&self.inner);
        let failed = |source| ArchiveError::Io { path: self.path.clone(), source };
        inner.file.sync_data().map_err(failed)?;
        inner.unsynced = 0;
        Ok(())
    }

    /// Records why a page or an image could not be fetched. If the archive has it, nothing is recorded: another thread
    /// may have fetched it meanwhile, and a failure would replace it.
    ///
    /// # Errors
    ///
    /// The error of writing.
    pub fn keep_failure(&self, url: &Url, wanted: Wanted, error: &FetchError) -> io::Result<()> {
        let refusal = Refusal::of(url, wanted, error);
        let [failure, said] = FAILURE_FIELDS;
        let block = format!("{failure}: {}\r\n{said}: {}\r\n", refusal.word, refusal.message);
        let url = refusal.url.clone();
        let held = HeldRecord::Failure(refusal);
        let bytes = self.packed(DraftKind::Metadata, Some(&url), wanted, block.as_bytes())?;
        let mut inner = locked(&self.inner);
        // Looked up under the lock of the write, so that nothing is added in between.
        if self.held_in(&inner, &url, wanted).is_ok() {
            return Ok(());
        }
        inner.add(&bytes, Some(&held))
    }

    fn add(
        &self,
        kind: DraftKind,
        url: Option<&Url>,
        block: &[u8],
        held: Option<&HeldRecord>,
    ) -> io::Result<()> {
        let wanted = held.map_or(Wanted::Page, HeldRecord::wanted);
        let bytes = self.packed(kind, url, wanted, block)?;
        locked(&self.inner).add(&bytes, held)
    }

    fn packed(
        &self,
        kind: DraftKind,
        url: Option<&Url>,
        wanted: Wanted,
        block: &[u8],
    ) -> io::Result<Vec<u8>> {
        self.written(&Draft::new(kind, url, wanted, &(self.clock)(), block)?)
    }

    fn written(&self, draft: &Draft<'_>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if self.compressed {
            draft.write_compressed(&mut bytes)?;
        } else {
            draft.write_plain(&mut bytes)?;
        }
        Ok(bytes)
    }

    fn held(&self, url: &Url, wanted: Wanted) -> Result<Response, FetchError> {
        self.held_in(&locked(&self.inner), url, wanted)
    }

    fn held_in(&self, inner: &Inner, url: &Url, wanted: Wanted) -> Result<Response, FetchError> {
        let failed = |source| ArchiveError::Io { path: self.path.clone(), source };
        follow(url, wanted, |at| {
            let found = inner.index.find(at, wanted).map_err(failed)?;
            let Some((place, stored_at)) = found else { return Ok(None) };
            let file = inner.file.try_clone().map_err(failed)?;
            let read = reader::read_at(file, place);
            let held = read.map_err(|problem| ArchiveError::of_record(&self.path, problem))?;
            Ok(Some((stored_at, held)))
        })
    }
}

struct OpenedContents {
    index: GrowingIndex,
    problems: Vec<ArchiveProblem>,
    end: u64,
    /// Where a record starts that what is added might close.
    unclosed: Option<u64>,
    /// Whether there is more after `end` than a crash leaves. If not, there is no readable record after it.
    more_than_torn: bool,
}

impl OpenedContents {
    fn of(file: &File) -> io::Result<OpenedContents> {
        let (mut builder, mut problems) = (IndexBuilder::new(&Scratch::in_memory()), Vec::new());
        let mut walker = Walker::new(file.try_clone()?);
        // A member may turn out broken only after its record; then another record of the address counts.
        let mut last: Option<(RecordPlace, HeldRecord)> = None;
        for found in walker.by_ref() {
            let broken = found.as_ref().err().map(|problem| problem.offset);
            if let Some((place, held)) = last.take().filter(|(place, _)| Some(place.offset) != broken) {
                builder.add(ArchivePlace { reading: 0, record: place }, &held)?;
            }
            match found {
                Ok(found) => last = Some(found),
                Err(ArchiveProblem { flaw: Flaw::Unreadable(reason), .. }) => {
                    return Err(io::Error::other(reason));
                }
                Err(problem) => problems.push(problem),
            }
        }
        if let Some((place, held)) = last {
            builder.add(ArchivePlace { reading: 0, record: place }, &held)?;
        }
        Ok(OpenedContents {
            index: GrowingIndex::new(builder.finish()?.0),
            problems,
            end: walker.end(),
            unclosed: walker.unclosed(),
            more_than_torn: walker.is_more_than_torn(),
        })
    }
}

impl Inner {
    fn add(&mut self, bytes: &[u8], held: Option<&HeldRecord>) -> io::Result<()> {
        let offset = self.append(bytes)?;
        if let Some(held) = held {
            self.index.add(held, RecordPlace { offset, inside: 0 })?;
        }
        Ok(())
    }

    /// Writes all bytes at the end, or none; returns where they start.
    fn append(&mut self, bytes: &[u8]) -> io::Result<u64> {
        if self.torn {
            self.file.set_len(self.end)?;
            self.torn = false;
        }
        let start = self.end;
        // With one write, a kill tears at most the last record.
        let written = self.file.seek(SeekFrom::Start(start)).and_then(|_| self.file.write_all(bytes));
        if let Err(error) = written {
            // Half a record would hide those after it.
            self.torn = self.file.set_len(start).is_err();
            return Err(error);
        }
        self.end = start + bytes.len() as u64;
        self.unsynced += bytes.len() as u64;
        if self.unsynced > MAX_UNSYNCED {
            self.file.sync_data()?;
            self.unsynced = 0;
        }
        Ok(start)
    }
}

impl Keep for Store {
    fn keep(&self, exchange: &Exchange<'_>) -> io::Result<()> {
        let Exchange { url, wanted, status, headers, body } = *exchange;
        let mut head = format!("HTTP/1.1 {status} {}\r\n", reason(status));
        let length: usize = headers.iter().map(|(name, value)| name.len() + value.len() + 4).sum();
        for (name, value) in headers {
            let needed = length <= MAX_HEADERS || matches!(name.as_str(), "content-type" | "location");
            if needed && !OF_TRAVEL.contains(&name.as_str()) {
                head.extend([&one_line(name), ": ", &one_line(value), "\r\n"]);
            }
        }
        head.extend(["content-length: ", &body.len().to_string(), "\r\n\r\n"]);
        let block = [head.as_bytes(), body].concat();
        if block.len() as u64 > MAX_RECORD {
            let message = format!("it is {} bytes long, expected at most {MAX_RECORD}", block.len());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let url = tsugi_page::address::without_fragment(url);
        let held = HeldRecord::of_block(&url, wanted, &block).map_err(|start| {
            io::Error::new(io::ErrorKind::InvalidInput, format!("no HTTP head: `{start}`"))
        })?;
        self.add(DraftKind::Response, Some(&url), &block, Some(&held))
    }
}

impl Fetch for Store {
    /// Returns the page of exactly this address, following redirects inside the archive to exact addresses.
    ///
    /// An [`Archive`](crate::Archive) also accepts similar addresses. Here that would be a guess about pages that can
    /// still be fetched.
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        self.held(url, Wanted::Page)
    }
}

impl FetchImage for Store {
    fn fetch_image(&self, url: &Url) -> Result<Response, FetchError> {
        self.held(url, Wanted::Image)
    }
}

/// Returns `true` if a file without a whole record is the start of one and may be cut off.
fn is_torn_record(file: &File) -> io::Result<bool> {
    let length = file.metadata()?.len();
    let mut source = ArchiveFile::new(file.try_clone()?);
    source.seek(0)?;
    let seen = source.peek()?;
    if !seen.starts_with(GZIP) {
        return Ok(may_start_record(&seen) || GZIP.starts_with(&seen) || starts_record(&seen));
    }
    let mut unpacked = Vec::new();
    let read = Stream::enter_member(source).take(RECORD_START as u64).read_to_end(&mut unpacked);
    let is_cut = read.is_err_and(|error| io_flaw(&error) == Flaw::CutOff);
    Ok(starts_record(&unpacked)
        || (is_cut && may_start_record(&unpacked) && (!unpacked.is_empty() || length < SHORT)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk that is full, or a file that may not be written: what stands there stays whole, and once there is room
    /// again, writing goes on.
    #[test]
    fn what_cannot_be_written_leaves_the_archive_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc.gz");
        let url: Url = "https://a.test/1".parse().unwrap();
        let late = FetchError::Timeout { url: url.clone() };
        let store = Store::open(&path, "test", || "2026-01-02T03:04:05Z".to_owned()).unwrap();
        let length = || std::fs::metadata(&path).unwrap().len();
        let before = length();

        let writable = std::mem::replace(&mut locked(&store.inner).file, File::open(&path).unwrap());
        assert!(store.keep_failure(&url, Wanted::Page, &late).is_err());
        assert!(locked(&store.inner).torn, "what may stand behind the end is forgotten");
        assert!(matches!(store.fetch(&url), Err(FetchError::NotStored { .. })));
        // Half a record, as a full disk leaves it.
        (&writable).seek(SeekFrom::Start(before)).unwrap();
        (&writable).write_all(b"\x1f\x8b\x08").unwrap();
        assert!(store.keep_failure(&url, Wanted::Page, &late).is_err());

        locked(&store.inner).file = writable;
        store.keep_failure(&url, Wanted::Page, &late).unwrap();
        assert_eq!(store.fetch(&url).unwrap_err().word(), "timeout");
        let archive = crate::Archive::open(&path).unwrap();
        assert_eq!((archive.problems(), archive.fetch(&url).unwrap_err().word()), (&[][..], "timeout"));
        assert!(length() > before);
    }
}
