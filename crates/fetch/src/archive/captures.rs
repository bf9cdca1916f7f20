//! The captures of each address of an archive, in time.

use super::error::{ArchiveError, ArchiveProblem, Flaw};
use super::reader::{self, RecordPlace, Walker, is_robots};
use super::record::{About, HeldRecord, Revisit, shortened};
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
/// together. Records of images, failures and `robots.txt` are not captures.
#[derive(Debug)]
pub struct Captures {
    path: PathBuf,
    pages: Vec<(Url, Vec<Capture>)>,
    by_key: BTreeMap<String, usize>,
    problems: Vec<ArchiveProblem>,
    orphans: usize,
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
    /// [`ArchiveError::Io`] if the file cannot be read, [`ArchiveError::NotAnArchive`] if it holds no record. Damage is
    /// no error: see [`Captures::problems`]; a response without a time is among them.
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
        };
        let mut bodies = Bodies::default();
        let mut revisits: Vec<(RecordPlace, Revisit)> = Vec::new();
        let mut nothing = true;
        for found in Walker::over_heads(File::open(path).map_err(failed)?) {
            match found {
                Ok((place, held)) => {
                    nothing = false;
                    match held {
                        HeldRecord::Response(stored)
                            if stored.wanted == Wanted::Page && !is_robots(&stored.url) =>
                        {
                            let body = Body { place, is_page: stored.looks_as_wanted() };
                            bodies.add(&stored.url, &stored.about, body);
                            let asked =
                                Asked { target: &stored.target, url: &stored.url, about: &stored.about };
                            let header = stored.http.last_modified.as_deref();
                            captures.add(asked, header, body, place);
                        }
                        HeldRecord::Revisit(revisit) if !is_robots(&revisit.url) => {
                            revisits.push((place, revisit));
                        }
                        HeldRecord::Response(_) | HeldRecord::Failure(_) | HeldRecord::Revisit(_) => {}
                    }
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
        // In merged archives the body may come after the record that refers to it.
        for (own, revisit) in revisits {
            match bodies.of(&revisit) {
                Some(body) => {
                    let asked = Asked { target: &revisit.target, url: &revisit.url, about: &revisit.about };
                    captures.add(asked, revisit.last_modified.as_deref(), body, own);
                }
                None => captures.orphans += 1,
            }
        }
        for (_, captures) in &mut captures.pages {
            captures.sort_by_key(|capture| capture.at);
        }
        Ok(captures)
    }

    /// Adds a capture whose record is at `own`.
    fn add(&mut self, asked: Asked<'_>, last_modified: Option<&str>, body: Body, own: RecordPlace) {
        let Asked { target, url, about } = asked;
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
            revisit: own != body.place,
            is_page: body.is_page,
            place: body.place,
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
        let io = |source| ArchiveError::Io { path: self.path.clone(), source };
        let damaged = |source| ArchiveError::Damaged { path: self.path.clone(), source };
        let file = File::open(&self.path).map_err(io)?;
        match reader::read_at(file, capture.place).map_err(damaged)? {
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

/// What was asked, and when.
#[derive(Debug, Clone, Copy)]
struct Asked<'a> {
    target: &'a str,
    url: &'a Url,
    about: &'a About,
}

/// The place of a body, and whether it is a page.
#[derive(Debug, Clone, Copy)]
struct Body {
    place: RecordPlace,
    is_page: bool,
}

/// The bodies that revisits refer to.
#[derive(Debug, Default)]
struct Bodies {
    by_digest: BTreeMap<String, Body>,
    /// By address and time.
    by_time: BTreeMap<(String, Timestamp), Body>,
}

impl Bodies {
    fn add(&mut self, url: &Url, about: &About, body: Body) {
        if let Some(digest) = &about.digest {
            self.by_digest.entry(digest.clone()).or_insert(body);
        }
        if let Some(at) = about.date.as_deref().and_then(instant) {
            self.by_time.entry((address::page_key(url), at)).or_insert(body);
        }
    }

    fn of(&self, revisit: &Revisit) -> Option<Body> {
        let (url, at) = &revisit.refers_to;
        let key = address::page_key(url.as_ref().unwrap_or(&revisit.url));
        let named = at.as_deref().and_then(instant);
        if let Some(body) = named.and_then(|at| self.by_time.get(&(key.clone(), at))) {
            return Some(*body);
        }
        if let Some(body) = revisit.about.digest.as_ref().and_then(|digest| self.by_digest.get(digest)) {
            return Some(*body);
        }
        if named.is_some() {
            return None;
        }
        // The one before it in time.
        let own = revisit.about.date.as_deref().and_then(instant)?;
        let mut before = self.by_time.range((key.clone(), Timestamp::MIN)..=(key, own));
        before.next_back().map(|(_, body)| *body)
    }
}

/// Reads a `WARC-Date`: `2026-01-02T03:04:05Z`, fractions of a second or less than that.
fn instant(text: &str) -> Option<Timestamp> {
    /// What the shorter forms of WARC 1.1 leave out.
    const REST: &str = "0000-01-01T00:00:00Z";
    let text = text.trim();
    text.parse().ok().or_else(|| {
        let short = text.strip_suffix('Z').unwrap_or(text);
        let is_short = matches!(short.len(), 4 | 7 | 10 | 16) && short.is_ascii();
        is_short.then(|| format!("{short}{}", &REST[short.len()..]).parse().ok()).flatten()
    })
}

/// Reads a date of HTTP, in any of its three forms.
fn http_instant(text: &str) -> Option<Timestamp> {
    let time = httpdate::parse_http_date(text.trim()).ok()?;
    Timestamp::try_from(time).ok().filter(|time| time.as_second() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_archives_write_them() {
        for (text, read) in [
            ("2026-01-02T03:04:05Z", Some("2026-01-02T03:04:05Z")),
            ("2026-01-02T03:04:05.25Z", Some("2026-01-02T03:04:05.25Z")),
            ("2026-01-02T03:04Z", Some("2026-01-02T03:04:00Z")),
            ("2026-01-02", Some("2026-01-02T00:00:00Z")),
            ("2026-01", Some("2026-01-01T00:00:00Z")),
            ("2026", Some("2026-01-01T00:00:00Z")),
            ("", None),
            ("20260102030405", None),
            ("yesterday", None),
        ] {
            assert_eq!(instant(text).map(|at| at.to_string()).as_deref(), read, "{text}");
        }
        let read = |text| http_instant(text).map(|at| at.to_string());
        assert_eq!(read("Sun, 06 Nov 1994 08:49:37 GMT").as_deref(), Some("1994-11-06T08:49:37Z"));
        assert_eq!(read("Sunday, 06-Nov-94 08:49:37 GMT").as_deref(), Some("1994-11-06T08:49:37Z"));
        assert_eq!(read("Thu, 01 Jan 1970 00:00:00 GMT"), None, "a clock that was never set");
        assert_eq!(read("0"), None);
    }
}
