//! Reading records in order, skipping damage.

use super::error::{ArchiveError, ArchiveProblem, Flaw, MAX_RECORD};
use super::head::MAX_HEAD;
use super::record::{self, Failure, HeldRecord, Stored};
use super::stream::{GZIP, Source, Stream, WARC};
use crate::error::FetchError;
use crate::exchange::Wanted;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;
use tsugi_page::{Response, Url};

/// How many bytes may be unpacked in vain before the search for further records is given up.
const MAX_WASTE: u64 = 4 << 30;

/// What a try to unpack counts as, at least, in bytes.
const TRY: u64 = 64 << 10;

/// A response record.
#[derive(Debug)]
pub struct Record {
    /// The address that was asked, as the archive writes it.
    pub target: String,
    /// The same address, parsed, fragment dropped.
    pub url: Url,
    /// Where the record, or the gzip member that holds it, starts in the file, in bytes.
    pub offset: u64,
    /// The page, or why the record holds none (a redirect, an error, an image).
    pub response: Result<Response, FetchError>,
}

/// The place of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RecordPlace {
    /// Where the record, or the gzip member that holds it, starts in the file.
    pub(crate) offset: u64,
    /// Where it starts in the unpacked member; 0 outside of members.
    pub(crate) inside: u64,
}

/// Reads the response records of an archive, in order. Other records are skipped, and so are `robots.txt` files and the
/// requests for images that a [`Store`](crate::Store) saved.
///
/// # Errors
///
/// [`ArchiveError::Io`] if the file cannot be opened. A later error takes the place of a record, and reading continues
/// after it.
///
/// # Cost
///
/// One pass; memory for one record.
pub fn records(path: &Path) -> Result<Records, ArchiveError> {
    Ok(Records { packed: packed_records(path)? })
}

/// The records of an archive; see [`records`].
#[derive(Debug)]
pub struct Records {
    packed: PackedRecords,
}

impl Iterator for Records {
    type Item = Result<Record, ArchiveProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.packed.next()?.map(PackedRecord::unpack))
    }
}

/// Reads the same records as [`records`], their bodies as they travelled: where an archive is read by one thread and
/// its pages by others, these undo the codings.
///
/// # Errors
///
/// As of [`records`].
///
/// # Cost
///
/// One pass; memory for one record.
pub fn packed_records(path: &Path) -> Result<PackedRecords, ArchiveError> {
    let failed = |source| ArchiveError::Io { path: path.to_owned(), source };
    Ok(PackedRecords { walker: Walker::new(File::open(path).map_err(failed)?, MAX_RECORD) })
}

/// The records of an archive, not unpacked; see [`packed_records`].
#[derive(Debug)]
pub struct PackedRecords {
    walker: Walker,
}

impl Iterator for PackedRecords {
    type Item = Result<PackedRecord, ArchiveProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            return Some(match self.walker.next()? {
                Ok((_, held)) if held.wanted() == Wanted::Image => continue,
                Ok((_, HeldRecord::Failure(_) | HeldRecord::Revisit(_))) => continue,
                Ok((_, HeldRecord::Response(stored))) if is_robots(&stored.url) => continue,
                Ok((place, HeldRecord::Response(stored))) => {
                    Ok(PackedRecord { stored, offset: place.offset })
                }
                Err(problem) => Err(problem),
            });
        }
    }
}

/// A response record whose body is as it travelled: perhaps in chunks, perhaps compressed.
#[derive(Debug)]
pub struct PackedRecord {
    stored: Stored,
    offset: u64,
}

impl PackedRecord {
    /// Returns the length of the body, in bytes.
    pub fn body_length(&self) -> usize {
        self.stored.body_length()
    }

    /// Unpacks the body and checks that it is a page.
    pub fn unpack(self) -> Record {
        let PackedRecord { stored, offset } = self;
        let (target, url) = (stored.target.clone(), stored.url.clone());
        Record { target, url, offset, response: stored.into_page() }
    }
}

/// Returns `true` for the address of a site's `robots.txt` (RFC 9309, section 2.3).
pub(crate) fn is_robots(url: &Url) -> bool {
    url.path() == "/robots.txt"
}

/// Walks over an archive, keeping at most `keep` bytes of each block.
#[derive(Debug)]
pub(crate) struct Walker {
    /// `None` at the end.
    stream: Option<Stream>,
    keep: u64,
    /// Where the current member or plain record starts.
    start: u64,
    /// Where the last whole member or plain record ends.
    end: u64,
    /// Whether there is more damage after `end` than records that were cut off.
    more_than_torn: bool,
    wasted: u64,
}

impl Walker {
    pub(crate) fn new(file: File, keep: u64) -> Walker {
        let stream = Some(Stream::Plain(Source::new(file)));
        Walker { stream, keep, start: 0, end: 0, more_than_torn: false, wasted: 0 }
    }

    /// Returns where the last whole member or plain record so far ends, in bytes.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Returns `true` if there is more after [`Walker::end`] than records that were cut off: a gzip member with several
    /// records, or a whole one without a record.
    pub(crate) fn is_more_than_torn(&self) -> bool {
        self.more_than_torn
    }

    fn ends_well(&mut self, end: u64) {
        self.end = end;
        self.more_than_torn = false;
    }

    /// Walks over the heads of responses alone.
    pub(crate) fn over_heads(file: File) -> Walker {
        Walker::new(file, MAX_HEAD as u64)
    }

    /// Steps into the next record; `None` at the end of the archive.
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
                    return Some(Err(ArchiveProblem { offset, flaw: Flaw::Unreadable(error.to_string()) }));
                }
            };
            if seen.is_empty() {
                return None;
            }
            if seen.starts_with(GZIP) {
                return Some(Ok(Stream::enter_member(stream.into_source())));
            }
            if seen.starts_with(WARC) {
                return Some(Ok(stream));
            }
            let cut = GZIP.starts_with(&seen) || WARC.starts_with(&seen);
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
        match self.search(stream.into_source(), members, plain) {
            Ok(source) => self.stream = Some(Stream::Plain(source)),
            Err(_) => self.stream = None,
        }
        problem
    }

    fn search(&mut self, mut source: Source, members: bool, plain: bool) -> io::Result<Source> {
        source.seek(self.start + 1)?;
        loop {
            source.search(|before, bytes| {
                (members && bytes.starts_with(GZIP) && bytes.get(3).is_some_and(|flags| flags & 0xe0 == 0))
                    || (plain && before == Some(b'\n') && bytes.starts_with(WARC))
            })?;
            let found = source.at();
            if !source.peek()?.starts_with(GZIP) || self.wasted > MAX_WASTE {
                return Ok(source);
            }
            // Three bytes prove little; a member that unpacks to a record does.
            let mut member = Stream::enter_member(source);
            let mut unpacked = [0; WARC.len()];
            let is_record = member.read_exact(&mut unpacked).is_ok() && unpacked == WARC;
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
            let read = match record::read(&mut stream, self.keep) {
                Err(Failure::Lost(flaw)) => return Some(Err(self.recover(stream, inside, flaw))),
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
                Err(Failure::Record(flaw) | Failure::Lost(flaw)) => {
                    return Some(Err(ArchiveProblem { offset: place.offset, flaw }));
                }
            }
        }
    }
}

/// Reads the record at a place, its block whole.
pub(crate) fn read_at(file: File, place: RecordPlace) -> Result<HeldRecord, ArchiveProblem> {
    let failed = |flaw| ArchiveProblem { offset: place.offset, flaw };
    let unreadable = |error: io::Error| failed(record::io_flaw(&error));
    let mut source = Source::new(file);
    source.seek(place.offset).map_err(unreadable)?;
    let mut stream = if source.peek().map_err(unreadable)?.starts_with(GZIP) {
        Stream::enter_member(source)
    } else {
        Stream::Plain(source)
    };
    if place.inside > 0 {
        io::copy(&mut stream.by_ref().take(place.inside), &mut io::sink()).map_err(unreadable)?;
    }
    match record::read(&mut stream, MAX_RECORD) {
        Ok(Some(held)) => Ok(held),
        Ok(None) => Err(failed(Flaw::NotARecord)),
        Err(Failure::Record(flaw) | Failure::Lost(flaw)) => Err(failed(flaw)),
    }
}
