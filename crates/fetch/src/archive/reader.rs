//! Reading records in order, skipping damage.

use super::error::{ArchiveError, ArchiveProblem, Flaw};
use super::format;
use super::record::{self, DigestCheck, HeldRecord, ReadFailure, RecordPlace, StoredAnswer, is_robots};
use super::revisits::{ResolvedRevisit, Revisits};
use super::stream::{ArchiveFile, GZIP, RECORD_START, Stream, may_start_record, starts_record};
use crate::error::FetchError;
use crate::exchange::Wanted;
use crate::locked::locked;
use crate::redirect::{is_redirect, redirected};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tsugi_page::{Response, Url};

/// How many bytes may be unpacked in vain before the search for further records is given up.
const MAX_WASTE: u64 = 4 << 30;

/// How many bytes are read a second time for revisits. A revisit is short, and what it refers to may be long.
const MAX_REPEATED: u64 = 4 << 30;

/// What a try to unpack counts as, at least, in bytes.
const TRY: u64 = 64 << 10;

/// A record of an answer.
#[derive(Debug)]
pub struct Record {
    /// The address that was asked, as the archive writes it.
    pub target: String,
    /// The same address, parsed, fragment dropped.
    pub url: Url,
    /// Where the record, or the gzip member that holds it, starts in the file, in bytes.
    pub offset: u64,
    /// The page, or why the record holds none (a redirect, an error, an image, an address outside the web).
    pub response: Result<Response, FetchError>,
}

/// Reads the answers in an archive, in order: `response`, `resource` and `conversion` records. The answers of revisits
/// come at the end, since what they refer to may come after them; a revisit of the same page is passed over. So are
/// records about the crawl, `robots.txt` files, and requests for images and other parts of pages (`WARC-Resource-Type`).
///
/// # Errors
///
/// [`ArchiveError::Io`] if the file cannot be opened, [`ArchiveError::Format`] for archives of other formats. A later
/// error takes the place of a record, and reading continues after it.
///
/// # Cost
///
/// One pass, and one more reading for each record that is revisited by another page. Memory is for one record, and for
/// the digest, address and date of each.
pub fn records(
    path: &Path,
) -> Result<impl Iterator<Item = Result<Record, ArchiveProblem>> + fmt::Debug + use<>, ArchiveError> {
    Ok(packed_records(path)?.map(|found| found.map(PackedRecord::unpack)))
}

/// Reads the same records as [`records`], their bodies as they travelled: where an archive is read by one thread and
/// its pages by others, these undo the codings.
///
/// # Errors
///
/// As of [`records`].
pub fn packed_records(path: &Path) -> Result<PackedRecords, ArchiveError> {
    let walker = Walker::new(format::open(path)?);
    let (revisits, reader) = (Revisits::new(), ArchiveReader::new(DigestCheck::Compared));
    Ok(PackedRecords { path: path.to_owned(), walker, revisits, reader, repeated: 0 })
}

/// The records of an archive, not unpacked; see [`packed_records`].
#[derive(Debug)]
pub struct PackedRecords {
    path: PathBuf,
    walker: Walker,
    revisits: Revisits,
    reader: ArchiveReader,
    repeated: u64,
}

impl PackedRecords {
    fn revisited(
        &mut self,
        (own, revisit, body): ResolvedRevisit,
    ) -> Option<Result<PackedRecord, ArchiveProblem>> {
        if revisit.wanted != Wanted::Page || body.as_ref().is_some_and(|body| body.is_of(&revisit.url)) {
            return None;
        }
        let (target, url) = (revisit.target.clone(), revisit.url.clone());
        let answer = match body.map(|body| self.again(body.place.record, &target)) {
            Some(Ok(HeldRecord::Response(stored))) => Ok(stored.at(&url)),
            None | Some(Ok(_)) => Err(revisit.orphaned()),
            Some(Err(flaw)) => return Some(Err(ArchiveProblem { offset: own.offset, flaw })),
        };
        Some(Ok(PackedRecord { target, url, offset: own.offset, is_revisit: true, answer }))
    }

    fn again(&mut self, place: RecordPlace, target: &str) -> Result<HeldRecord, Flaw> {
        if self.repeated > MAX_REPEATED {
            return Err(Flaw::Repeated { target: record::one_line(target), limit: MAX_REPEATED });
        }
        let held = self.reader.read(place, || File::open(&self.path)).map_err(|problem| problem.flaw)?;
        let length = if let HeldRecord::Response(stored) = &held { stored.body_length() } else { 0 };
        self.repeated = self.repeated.saturating_add(TRY + place.inside + length as u64);
        Ok(held)
    }
}

impl Iterator for PackedRecords {
    type Item = Result<PackedRecord, ArchiveProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        for found in self.walker.by_ref() {
            let (place, held) = match found {
                Ok(found) => found,
                Err(problem) => return Some(Err(problem)),
            };
            if let Err(error) = self.revisits.add(&held, place) {
                return Some(Err(unreadable(place.offset, &error)));
            }
            let (target, url, answer) = match held {
                _ if held.wanted() != Wanted::Page || is_robots(held.url()) => continue,
                HeldRecord::Response(stored) => (stored.target.clone(), stored.url.clone(), Ok(stored)),
                HeldRecord::Elsewhere { target, url } => {
                    let refused = FetchError::Scheme { url: url.clone(), expected: "http and https" };
                    (target, url, Err(refused))
                }
                HeldRecord::Failure(_) | HeldRecord::Revisit(_) => continue,
            };
            let offset = place.offset;
            return Some(Ok(PackedRecord { target, url, offset, is_revisit: false, answer }));
        }
        loop {
            let found = match self.revisits.next() {
                Ok(found) => found?,
                Err(error) => return Some(Err(unreadable(self.walker.start, &error))),
            };
            if let Some(record) = self.revisited(found) {
                return Some(record);
            }
        }
    }
}

/// A record whose body is as it travelled: perhaps in chunks, perhaps compressed.
#[derive(Debug)]
pub struct PackedRecord {
    target: String,
    url: Url,
    offset: u64,
    is_revisit: bool,
    answer: Result<StoredAnswer, FetchError>,
}

impl PackedRecord {
    /// Returns the length of the body, in bytes; 0 if there is none.
    pub fn body_length(&self) -> usize {
        self.answer.as_ref().map_or(0, StoredAnswer::body_length)
    }

    /// Returns the address that the answer redirects to, if it does.
    pub fn redirect(&self) -> Option<Url> {
        let stored = self.answer.as_ref().ok()?;
        let location = stored.http.location.as_deref().filter(|_| is_redirect(stored.http.status))?;
        redirected(&stored.url, location).ok()
    }

    /// Returns `true` if the record is a revisit, and its answer that of another record.
    pub fn is_revisit(&self) -> bool {
        self.is_revisit
    }

    /// Unpacks the body and checks that it is a page.
    pub fn unpack(self) -> Record {
        let PackedRecord { target, url, offset, answer, .. } = self;
        Record { target, url, offset, response: answer.and_then(StoredAnswer::into_page) }
    }
}

#[derive(Debug)]
pub(crate) struct Walker {
    stream: Option<Stream>,
    start: u64,
    end: u64,
    more_than_torn: bool,
    /// The lost record that was read farthest: of those since the last whole one, and of those before it.
    lost: Option<LostRecord>,
    lost_before: Option<LostRecord>,
    wasted: u64,
}

#[derive(Debug)]
struct LostRecord {
    start: u64,
    /// Where reading it stopped.
    read_to: u64,
}

impl Walker {
    pub(crate) fn new(file: File) -> Walker {
        let stream = Some(Stream::Plain(ArchiveFile::new(file)));
        Walker { stream, start: 0, end: 0, more_than_torn: false, lost: None, lost_before: None, wasted: 0 }
    }

    /// Starts at the first place at or after `from` that looks like the start of a record.
    pub(crate) fn after(mut file: File, from: u64) -> io::Result<Walker> {
        let mut start = [0; GZIP.len()];
        let is_packed = file.read_exact(&mut start).is_ok() && start == *GZIP;
        let mut walker = Walker::new(file);
        // The search begins behind the start of a record.
        walker.start = from.saturating_sub(1);
        if let Some(stream) = walker.stream.take() {
            let source = walker.search(stream.into_source(), is_packed, !is_packed)?;
            walker.stream = Some(Stream::Plain(source));
        }
        Ok(walker)
    }

    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Returns `true` if there is more after [`Walker::end`] than records that were cut off: a gzip member with several
    /// records, or a whole one without a record.
    pub(crate) fn is_more_than_torn(&self) -> bool {
        self.more_than_torn
    }

    /// Returns the start of a record before [`Walker::end`] that was read beyond it and could not be. What is written
    /// there may make it whole, and then it holds the records behind it.
    pub(crate) fn unclosed(&self) -> Option<u64> {
        self.lost_before.as_ref().map(|lost| lost.start)
    }

    fn ends_well(&mut self, end: u64) {
        self.end = end;
        self.more_than_torn = false;
        let lost = self.lost_before.take().into_iter().chain(self.lost.take());
        self.lost_before = lost.max_by_key(|lost| lost.read_to).filter(|lost| lost.read_to >= end);
    }

    fn enter(&mut self) -> Option<Result<Stream, ArchiveProblem>> {
        loop {
            let mut stream = self.stream.take()?;
            let Stream::Plain(source) = &mut stream else {
                match stream.fill_buf() {
                    Ok([]) => {
                        let source = stream.into_source();
                        self.ends_well(source.at());
                        self.stream = Some(Stream::Plain(source));
                    }
                    Ok(_) => return Some(Ok(stream)),
                    Err(error) => {
                        let inside = stream.at();
                        return Some(Err(self.recover(stream, inside, record::io_flaw(&error))));
                    }
                }
                continue;
            };
            let seen = record::skip_line_ends(source).and_then(|_| {
                self.start = source.at();
                source.peek()
            });
            let seen = match seen {
                Ok(seen) => seen,
                Err(error) => {
                    let offset = self.start;
                    return Some(Err(unreadable(offset, &error)));
                }
            };
            if seen.is_empty() {
                return None;
            }
            if seen.starts_with(GZIP) {
                return Some(Ok(Stream::enter_member(stream.into_source())));
            }
            if starts_record(&seen) {
                return Some(Ok(stream));
            }
            let cut = GZIP.starts_with(&seen) || may_start_record(&seen);
            let flaw = if cut { Flaw::CutOff } else { Flaw::NotARecord };
            return Some(Err(self.recover(stream, 0, flaw)));
        }
    }

    /// Moves to the next record after the start of a broken one, which is `inside` bytes into its member.
    fn recover(&mut self, stream: Stream, inside: u64, flaw: Flaw) -> ArchiveProblem {
        let problem = ArchiveProblem { offset: self.start, flaw };
        // A member that was cut off cannot be unpacked to its end. One that can is broken in another way.
        let unpacks = !matches!(problem.flaw, Flaw::CutOff | Flaw::Gzip(_));
        self.more_than_torn |= stream.is_member() && (inside > 0 || unpacks);
        // Behind a broken member only members are looked for, and behind a plain record plain ones: what
        // one holds may well look like the start of the other.
        let (members, plain) = match &stream {
            Stream::Member(_) => (true, false),
            Stream::Plain(_) if problem.flaw == Flaw::NotARecord => (true, true),
            Stream::Plain(_) => (false, true),
        };
        self.wasted += TRY.max(match &stream {
            Stream::Member(_) => stream.at(),
            Stream::Plain(source) => source.at().saturating_sub(self.start),
        });
        let source = stream.into_source();
        let lost = LostRecord { start: self.start, read_to: source.at() };
        self.lost = self.lost.take().into_iter().chain([lost]).max_by_key(|lost| lost.read_to);
        match self.search(source, members, plain) {
            Ok(source) => self.stream = Some(Stream::Plain(source)),
            Err(_) => self.stream = None,
        }
        problem
    }

    fn search(&mut self, mut source: ArchiveFile, members: bool, plain: bool) -> io::Result<ArchiveFile> {
        source.seek(self.start + 1)?;
        loop {
            source.search(|before, bytes| {
                (members && bytes.starts_with(GZIP) && bytes.get(3).is_some_and(|flags| flags & 0xe0 == 0))
                    || (plain && before == Some(b'\n') && starts_record(bytes))
            })?;
            let found = source.at();
            if !source.peek()?.starts_with(GZIP) || self.wasted > MAX_WASTE {
                return Ok(source);
            }
            // Three bytes prove little; a member that unpacks to a record does.
            let mut member = Stream::enter_member(source);
            let mut unpacked = [0; RECORD_START];
            let is_record = member.read_exact(&mut unpacked).is_ok() && starts_record(&unpacked);
            source = member.into_source();
            self.wasted += TRY;
            source.seek(if is_record { found } else { found + 1 })?;
            if is_record {
                return Ok(source);
            }
        }
    }
}

impl Iterator for Walker {
    type Item = Result<(RecordPlace, HeldRecord), ArchiveProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.wasted > MAX_WASTE && self.stream.take().is_some() {
                return Some(Err(ArchiveProblem { offset: self.start, flaw: Flaw::GivenUp }));
            }
            let mut stream = match self.enter()? {
                Ok(stream) => stream,
                Err(problem) => return Some(Err(problem)),
            };
            let inside = if stream.is_member() { stream.at() } else { 0 };
            let place = RecordPlace { offset: self.start, inside };
            let read = match record::read(&mut stream, DigestCheck::Compared) {
                Err(ReadFailure::Lost(flaw)) => return Some(Err(self.recover(stream, inside, flaw))),
                read => read,
            };
            if let Stream::Plain(source) = &stream {
                let end = source.at();
                self.ends_well(end);
            }
            self.stream = Some(stream);
            match read {
                Ok(Some(held)) => return Some(Ok((place, held))),
                Ok(None) => {}
                Err(ReadFailure::Record(flaw) | ReadFailure::Lost(flaw)) => {
                    return Some(Err(ArchiveProblem { offset: place.offset, flaw }));
                }
            }
        }
    }
}

/// Reads records by their places. Those of one gzip member that are read in its order are unpacked once.
#[derive(Debug)]
pub(crate) struct ArchiveReader {
    last: Mutex<Option<OpenArchive>>,
    digests: DigestCheck,
}

impl ArchiveReader {
    pub(crate) fn new(digests: DigestCheck) -> ArchiveReader {
        ArchiveReader { last: Mutex::new(None), digests }
    }

    pub(crate) fn read(
        &self,
        place: RecordPlace,
        open: impl FnOnce() -> io::Result<File>,
    ) -> Result<HeldRecord, ArchiveProblem> {
        let last = locked(&self.last).take().filter(|reading| reading.leads_to(place));
        let mut reading = match last {
            Some(reading) => reading,
            None => {
                open().and_then(|file| OpenArchive::at(file, place)).map_err(|error| broken(place, &error))?
            }
        };
        let held = reading.read(place, self.digests)?;
        *locked(&self.last) = Some(reading);
        Ok(held)
    }
}

#[derive(Debug)]
struct OpenArchive {
    stream: Stream,
    offset: u64,
}

impl OpenArchive {
    fn at(file: File, place: RecordPlace) -> io::Result<OpenArchive> {
        let mut source = ArchiveFile::new(file);
        source.seek(place.offset)?;
        let is_member = source.peek()?.starts_with(GZIP);
        let stream = if is_member { Stream::enter_member(source) } else { Stream::Plain(source) };
        Ok(OpenArchive { stream, offset: place.offset })
    }

    fn leads_to(&self, place: RecordPlace) -> bool {
        self.stream.is_member() && self.offset == place.offset && self.stream.at() <= place.inside
    }

    fn read(&mut self, place: RecordPlace, digests: DigestCheck) -> Result<HeldRecord, ArchiveProblem> {
        if self.stream.is_member() {
            let before = place.inside.saturating_sub(self.stream.at());
            let skipped = io::copy(&mut self.stream.by_ref().take(before), &mut io::sink());
            skipped.map_err(|error| broken(place, &error))?;
        }
        let failed = |flaw| ArchiveProblem { offset: place.offset, flaw };
        match record::read(&mut self.stream, digests) {
            Ok(Some(held)) => Ok(held),
            Ok(None) => Err(failed(Flaw::NotARecord)),
            Err(ReadFailure::Record(flaw) | ReadFailure::Lost(flaw)) => Err(failed(flaw)),
        }
    }
}

fn unreadable(offset: u64, error: &io::Error) -> ArchiveProblem {
    ArchiveProblem { offset, flaw: Flaw::Unreadable(error.to_string()) }
}

fn broken(place: RecordPlace, error: &io::Error) -> ArchiveProblem {
    ArchiveProblem { offset: place.offset, flaw: record::io_flaw(error) }
}

pub(crate) fn read_at(file: File, place: RecordPlace) -> Result<HeldRecord, ArchiveProblem> {
    OpenArchive::at(file, place).map_err(|error| broken(place, &error))?.read(place, DigestCheck::Compared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::cell::Cell;
    use std::io::Write;

    #[test]
    fn a_member_of_many_records_is_unpacked_once() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let mut member = GzEncoder::new(&mut file, Compression::default());
        for number in 0..9 {
            let block = format!("HTTP/1.1 200 OK\r\n\r\n<p>{number}");
            let head = format!("WARC-Type: response\r\nWARC-Target-URI: https://a.test/{number}");
            write!(member, "WARC/1.1\r\n{head}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n", block.len())
                .unwrap();
        }
        member.finish().unwrap();
        let open = || File::open(file.path());
        let places: Vec<_> = Walker::new(open().unwrap()).map(|found| found.unwrap().0).collect();
        let (reader, opened) = (ArchiveReader::new(DigestCheck::Compared), Cell::new(0));
        let path_at = |index: usize| {
            let counted = || {
                opened.set(opened.get() + 1);
                open()
            };
            reader.read(places[index], counted).unwrap().url().path().to_owned()
        };
        for index in [0, 1, 2, 5, 8] {
            assert_eq!(path_at(index), format!("/{index}"));
        }
        assert_eq!(opened.get(), 1);
        assert_eq!((path_at(3), path_at(4), opened.get()), ("/3".to_owned(), "/4".to_owned(), 2));
    }

    fn of(kind: &str, path: &str, block: &str) -> String {
        format!(
            "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: https://a.test/{path}\r\n\
             WARC-Payload-Digest: xxh3:1\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    }

    #[test]
    fn records_say_where_they_lead_and_whether_they_are_revisits() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let records = [
            of("response", "1", "HTTP/1.1 200 OK\r\nLocation: /ignored\r\n\r\n<p>one"),
            of("response", "old/", "HTTP/1.1 301 Moved\r\nLocation: ../new\r\n\r\n"),
            of("revisit", "2", ""),
        ];
        file.write_all(records.concat().as_bytes()).unwrap();
        let told = packed_records(file.path()).unwrap().map(|record| {
            let record = record.unwrap();
            (record.redirect().map(String::from), record.is_revisit())
        });
        let new = Some("https://a.test/new".to_owned());
        assert_eq!(told.collect::<Vec<_>>(), [(None, false), (new, false), (None, true)]);
    }

    #[test]
    fn what_revisits_repeat_is_bounded() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let page = "HTTP/1.1 200 OK\r\n\r\n<p>one";
        let records = [of("response", "1", page), of("revisit", "2", ""), of("revisit", "3", "")];
        file.write_all(records.concat().as_bytes()).unwrap();
        for (before, read) in [(0, 3), (MAX_REPEATED, 2), (MAX_REPEATED + 1, 1)] {
            let records = PackedRecords { repeated: before, ..packed_records(file.path()).unwrap() };
            let (held, refused): (Vec<_>, Vec<_>) = records.partition(Result::is_ok);
            assert_eq!((held.len(), refused.len()), (read, 3 - read));
            let told = |problem: &ArchiveProblem| matches!(problem.flaw, Flaw::Repeated { .. });
            assert!(refused.iter().all(|refused| refused.as_ref().is_err_and(told)));
        }
    }
}
