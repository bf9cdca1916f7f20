//! The captures of each address of an archive, in time.

use super::error::{ArchiveError, ArchiveProblem, Flaw};
use super::format;
use super::reader::{ArchiveReader, Walker};
use super::record::{DateAndDigest, DigestCheck, HeldRecord, RecordPlace, is_robots, shortened};
use super::revisits::{Revisits, instant};
use crate::error::FetchError;
use crate::exchange::Wanted;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tsugi_page::{Response, Url, address};

/// The captures of an archive by address.
///
/// Addresses that name one page in practice ([`address::page_key`]) are one: captures of `http:` and of `https:` belong
/// together. Records of images, conversions, failures and `robots.txt` are not captures.
#[derive(Debug)]
pub struct Captures {
    path: PathBuf,
    pages: Vec<(Url, Vec<Capture>)>,
    by_key: BTreeMap<String, usize>,
    problems: Vec<ArchiveProblem>,
    orphans: usize,
    reader: ArchiveReader,
}

/// One answer of an address, and its time.
#[derive(Debug, Clone)]
pub struct Capture {
    /// The address as the archive writes it.
    pub target: String,
    /// The time of the request (`WARC-Date`); the start of the day, month or year if the archive gives no more.
    pub at: Timestamp,
    /// The `Last-Modified` header.
    pub last_modified: Option<Timestamp>,
    /// Whether the archive records that the answer equals an earlier one, whose body is then read.
    pub revisit: bool,
    /// Whether it is a page, as far as the head of the answer and the start of its body tell, and not a redirect, an
    /// error or an image.
    pub is_page: bool,
    place: RecordPlace,
}

impl Capture {
    /// Returns the place of the record with the body, as numbers; captures with equal places have the same body.
    pub fn body(&self) -> (u64, u64) {
        (self.place.offset, self.place.inside)
    }
}

impl Captures {
    /// Opens an archive and lists its captures.
    ///
    /// A revisit is a capture with the body that it refers to: by address and time, by the digest of the body, or else
    /// the answer of the same address before it. Where no such body is held it is counted, and passed over.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Io`] if the file cannot be read, [`ArchiveError::NotAnArchive`] if it holds no record,
    /// [`ArchiveError::Format`] for archives of other formats. Damage is no error: see [`Captures::problems`]; a response
    /// without a time is among them.
    ///
    /// # Cost
    ///
    /// One pass over the file. Memory grows with the number of records, not with the bodies.
    pub fn open(path: &Path) -> Result<Captures, ArchiveError> {
        let failed = |source| ArchiveError::Io { path: path.to_owned(), source };
        let mut captures = Captures {
            path: path.to_owned(),
            pages: Vec::new(),
            by_key: BTreeMap::new(),
            problems: Vec::new(),
            orphans: 0,
            reader: ArchiveReader::new(DigestCheck::Compared),
        };
        let mut revisits = Revisits::new();
        let mut nothing = true;
        for found in Walker::new(format::open(path)?) {
            match found {
                Ok((place, held)) => {
                    nothing = false;
                    if let HeldRecord::Response(stored) = &held
                        && stored.wanted == Wanted::Page
                        && !stored.is_converted
                        && !is_robots(&stored.url)
                    {
                        let header = stored.http.last_modified.as_deref();
                        let body = (place, stored.looks_as_wanted());
                        captures.add(&stored.target, &stored.url, &stored.about, header, body, place);
                    }
                    revisits.add(&held, place)?;
                }
                Err(problem) => match problem.flaw {
                    Flaw::Unreadable(reason) => return Err(failed(io::Error::other(reason))),
                    _ => captures.problems.push(problem),
                },
            }
        }
        if nothing && captures.problems.first().is_some_and(|problem| problem.flaw == Flaw::NotARecord) {
            return Err(ArchiveError::NotAnArchive { path: captures.path });
        }
        while let Some((own, revisit, body)) = revisits.next()? {
            match body {
                _ if revisit.wanted == Wanted::Image => {}
                Some(body) => {
                    let header = revisit.last_modified.as_deref();
                    let body = (body.place.record, body.is_wanted);
                    captures.add(&revisit.target, &revisit.url, &revisit.about, header, body, own);
                }
                None => captures.orphans += 1,
            }
        }
        for (_, captures) in &mut captures.pages {
            captures.sort_by_key(|capture| capture.at);
        }
        Ok(captures)
    }

    /// Adds a capture: `place` is that of its body, `own` that of its record.
    fn add(
        &mut self,
        target: &str,
        url: &Url,
        about: &DateAndDigest,
        last_modified: Option<&str>,
        (place, is_page): (RecordPlace, bool),
        own: RecordPlace,
    ) {
        let date = about.date.as_deref().unwrap_or_default();
        let Some(at) = instant(date) else {
            let flaw = Flaw::Header {
                name: "WARC-Date",
                value: shortened(date),
                expected: "a time like `2026-01-02T03:04:05Z`",
            };
            self.problems.push(ArchiveProblem { offset: own.offset, flaw });
            return;
        };
        let next = self.pages.len();
        let page = *self.by_key.entry(address::page_key(url)).or_insert(next);
        if page == next {
            self.pages.push((url.clone(), Vec::new()));
        }
        self.pages[page].1.push(Capture {
            target: target.to_owned(),
            at,
            last_modified: last_modified.and_then(http_instant),
            revisit: own != place,
            is_page,
            place,
        });
    }

    /// Returns the addresses in the order of the archive, each with its captures in the order of time; captures of one
    /// time are in the order of the archive, revisits last.
    pub fn pages(&self) -> impl Iterator<Item = (&Url, &[Capture])> {
        self.pages.iter().map(|(url, captures)| (url, captures.as_slice()))
    }

    /// Returns the captures of an address; empty if the archive has none.
    pub fn of(&self, url: &Url) -> &[Capture] {
        let page = self.by_key.get(&address::page_key(url));
        page.map_or(&[], |page| &self.pages[*page].1)
    }

    /// Reads the body of a capture.
    ///
    /// # Errors
    ///
    /// Any [`FetchError`], also if the capture is a redirect, an error or not a page.
    pub fn read(&self, capture: &Capture) -> Result<Response, FetchError> {
        let read = self.reader.read(capture.place, || File::open(&self.path));
        match read.map_err(|problem| ArchiveError::of_record(&self.path, problem))? {
            HeldRecord::Response(stored) => stored.into_page(),
            other => Err(FetchError::NotStored { url: other.url().clone() }),
        }
    }

    /// Returns the records that could not be read, in the order of the archive.
    pub fn problems(&self) -> &[ArchiveProblem] {
        &self.problems
    }

    /// Returns the number of revisits whose body is not in the archive.
    pub fn orphans(&self) -> usize {
        self.orphans
    }
}

fn http_instant(text: &str) -> Option<Timestamp> {
    let time = httpdate::parse_http_date(text.trim()).ok()?;
    Timestamp::try_from(time).ok().filter(|time| time.as_second() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_http_are_read() {
        let read = |text| http_instant(text).map(|at| at.to_string());
        assert_eq!(read("Sun, 06 Nov 1994 08:49:37 GMT").as_deref(), Some("1994-11-06T08:49:37Z"));
        assert_eq!(read("Sunday, 06-Nov-94 08:49:37 GMT").as_deref(), Some("1994-11-06T08:49:37Z"));
        assert_eq!(read("Thu, 01 Jan 1970 00:00:00 GMT"), None, "a clock that was never set");
        assert_eq!(read("0"), None);
    }
}
