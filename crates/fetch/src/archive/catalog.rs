//! The pages of any number of archives, by host and by address.

use super::error::{ArchiveError, ArchiveProblem, Flaw};
use super::format;
use super::index::{Index, IndexBuilder, ListedRow, PageRow, Turn, follow};
use super::reader::{ArchiveReader, Walker};
use super::record::{DigestCheck, HeldRecord};
use super::revisits::ArchivePlace;
use crate::error::FetchError;
use crate::exchange::Wanted;
use crate::fetch::{Fetch, FetchImage};
use crate::locked::locked;
use crate::row;
use crate::row::Packed;
use crate::sorter::{RowTable, Scratch, Sorter};
use std::fs::File;
use std::io;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use tsugi_page::{Response, Url};

/// The pages of any number of archives, by host and by address, as if the archives were one.
///
/// Of several records of one address the first page counts, or the last record if there is no page, as in an
/// [`Archive`](crate::Archive).
#[derive(Debug)]
pub struct Catalog {
    archives: Vec<(PathBuf, ArchiveReader)>,
    index: Index,
    pages: RowTable<{ PageRow::LENGTH }>,
    hosts: RowTable<{ HostRow::LENGTH }>,
}

/// What [`Catalog::open`] came across.
#[derive(Debug)]
pub enum Catalogued<'a> {
    /// A record.
    Record,
    /// A record that cannot be read, and its archive.
    Broken(&'a Path, ArchiveProblem),
}

/// A host of a [`Catalog`]: addresses that are on one in the sense of [`same_host`](tsugi_page::address::same_host).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogHost {
    /// The numbers of its pages, in the order of the archives.
    pub pages: Range<u64>,
    /// The size of its records, in bytes.
    pub bytes: u64,
}

/// An address of a [`Catalog`] that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogPage {
    /// The address.
    pub url: Url,
    /// Its place in the order of the archives.
    pub turn: Turn,
    /// The size of its record, in bytes.
    pub bytes: u64,
}

row! {
    struct HostRow {
        turn: Turn,
        start: u64,
        end: u64,
        bytes: u64,
    }
}

/// The least length of a part of an archive that has a thread of its own, in bytes.
const LEAST_PART: u64 = 16 << 20;

/// Returns the number of a reading. They are in the order of the archives, and the second reading of an archive comes
/// after its first, so that rows of both sort as the archives do.
fn reading(archive: usize, is_again: bool) -> io::Result<u32> {
    let archive = u32::try_from(archive).ok().and_then(|archive| archive.checked_mul(2));
    Ok(archive.ok_or(io::ErrorKind::InvalidInput)? + u32::from(is_again))
}

/// A part of an archive that one thread reads: the records that begin in it.
#[derive(Debug)]
struct ArchivePart {
    archive: usize,
    reading: u32,
    bytes: Range<u64>,
}

#[derive(Debug, Default)]
struct PartRead {
    first: Option<u64>,
    after: Option<u64>,
    has_pages: bool,
    problems: Vec<ArchiveProblem>,
}

impl PartRead {
    /// Returns where the first record begins that is in the part or after it.
    fn begins(&self) -> Option<u64> {
        self.first.or(self.after)
    }

    fn and(mut self, next: PartRead) -> PartRead {
        self.problems.extend(next.problems);
        let has_pages = self.has_pages || next.has_pages;
        PartRead { first: self.begins(), after: next.after, has_pages, problems: self.problems }
    }
}

impl ArchivePart {
    fn of(archives: &[PathBuf], threads: NonZeroUsize, least: u64) -> io::Result<Vec<ArchivePart>> {
        let mut parts = Vec::new();
        for (archive, path) in archives.iter().enumerate() {
            // What cannot be opened is told when it is read.
            let length = path.metadata().map_or(0, |file| file.len());
            let count = (length / least).clamp(1, threads.get() as u64);
            let reading = reading(archive, false)?;
            for part in 0..count {
                let start = length / count * part;
                // The last part goes on to wherever the file ends when it is read.
                let end = if part + 1 == count { u64::MAX } else { length / count * (part + 1) };
                parts.push(ArchivePart { archive, reading, bytes: start..end });
            }
        }
        Ok(parts)
    }
}

struct Listing<'a, W> {
    archives: &'a [PathBuf],
    parts: &'a [ArchivePart],
    read: Vec<OnceLock<Result<PartRead, ArchiveError>>>,
    next: AtomicUsize,
    builder: Mutex<IndexBuilder>,
    watch: Mutex<W>,
    ended: AtomicBool,
}

impl<W: FnMut(Catalogued<'_>) -> ControlFlow<()> + Send> Listing<'_, W> {
    fn tell(&self, seen: Catalogued<'_>) {
        if locked(&self.watch)(seen).is_break() {
            self.ended.store(true, Ordering::Relaxed);
        }
    }

    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    fn work(&self) {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some((part, to)) = self.parts.get(number).zip(self.read.get(number)) else { return };
            let _ = to.set(self.read_part(part));
        }
    }

    fn read_part(&self, part: &ArchivePart) -> Result<PartRead, ArchiveError> {
        let path = &self.archives[part.archive];
        let failed = |source| ArchiveError::Io { path: path.clone(), source };
        let file = format::open(path)?;
        let walker = match part.bytes.start {
            0 => Walker::new(file),
            start => Walker::after(file, start).map_err(failed)?,
        };
        let mut read = PartRead::default();
        for found in walker {
            let offset = match &found {
                Ok((record, _)) => record.offset,
                Err(problem) => problem.offset,
            };
            if offset >= part.bytes.end {
                read.after = Some(offset);
                break;
            }
            read.first.get_or_insert(offset);
            match found {
                Ok((record, held)) => {
                    let place = ArchivePlace { reading: part.reading, record };
                    read.has_pages |= locked(&self.builder).add(place, &held)?;
                }
                Err(ArchiveProblem { flaw: Flaw::Unreadable(reason), .. }) => {
                    return Err(failed(io::Error::other(reason)));
                }
                Err(problem) => read.problems.push(problem),
            }
            self.tell(Catalogued::Record);
            if self.has_ended() {
                break;
            }
        }
        Ok(read)
    }

    /// Joins the parts of an archive; `None` if they do not meet, as a part began at what only looked like a record.
    fn joined(&mut self, archive: usize) -> Result<Option<PartRead>, ArchiveError> {
        let mut whole: Option<PartRead> = None;
        let mut meet = true;
        let start = self.parts.partition_point(|part| part.archive < archive);
        let end = self.parts.partition_point(|part| part.archive <= archive);
        for read in self.read[start..end].iter_mut().filter_map(OnceLock::take) {
            let read = read?;
            whole = Some(match whole {
                Some(before) => {
                    meet &= before.after == read.begins();
                    before.and(read)
                }
                None => read,
            });
        }
        Ok(whole.filter(|_| meet))
    }

    /// Reads all parts; returns the problems in the order of the archives, or `None` if `watch` broke off.
    fn read_all(
        &mut self,
        threads: NonZeroUsize,
    ) -> Result<Option<Vec<(usize, ArchiveProblem)>>, ArchiveError> {
        thread::scope(|scope| {
            for _ in 1..threads.get().min(self.parts.len()) {
                // With fewer threads it takes longer, no more.
                let _ = thread::Builder::new().spawn_scoped(scope, || self.work());
            }
            self.work();
        });
        let mut problems = Vec::new();
        for (archive, path) in self.archives.iter().enumerate() {
            let whole = match self.joined(archive)? {
                Some(whole) => whole,
                None if self.has_ended() => return Ok(None),
                None => self.read_again(archive)?,
            };
            if self.has_ended() {
                return Ok(None);
            }
            let PartRead { has_pages, problems: found, .. } = whole;
            if !has_pages && found.first().is_some_and(|problem| problem.flaw == Flaw::NotARecord) {
                return Err(ArchiveError::NotAnArchive { path: path.clone() });
            }
            problems.extend(found.into_iter().map(|problem| (archive, problem)));
        }
        Ok(Some(problems))
    }

    /// Reads an archive as one part; the records of its parts do not count any more.
    fn read_again(&self, archive: usize) -> Result<PartRead, ArchiveError> {
        locked(&self.builder).drop_reading(reading(archive, false)?);
        self.read_part(&ArchivePart { archive, reading: reading(archive, true)?, bytes: 0..u64::MAX })
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct CatalogOptions<'a> {
    pub(super) threads: NonZeroUsize,
    pub(super) least: u64,
    pub(super) digests: DigestCheck,
    pub(super) scratch: &'a Scratch,
}

impl Catalog {
    /// Reads archives, and lists their pages; several threads read several archives, or parts of one. Returns `None` if
    /// `watch` breaks off.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Io`] if a file cannot be read, [`ArchiveError::NotAnArchive`] if one has bytes but no record,
    /// [`ArchiveError::Format`] for archives of other formats, [`ArchiveError::Scratch`] if a scratch file cannot be used.
    /// Damage is not an error: `watch` is told, in the order of the archives, when all are read.
    ///
    /// # Cost
    ///
    /// One pass over the files, and some 400 bytes of scratch files a record. Memory is for one record a thread, and some 20 MiB.
    pub fn open(
        archives: &[PathBuf],
        threads: NonZeroUsize,
        scratch: &Scratch,
        watch: impl FnMut(Catalogued<'_>) -> ControlFlow<()> + Send,
    ) -> Result<Option<Catalog>, ArchiveError> {
        // Records whose digests did not fit are not in the index.
        let options = CatalogOptions { threads, least: LEAST_PART, digests: DigestCheck::Known, scratch };
        Catalog::open_with(archives, options, watch)
    }

    pub(super) fn open_with(
        archives: &[PathBuf],
        options: CatalogOptions<'_>,
        watch: impl FnMut(Catalogued<'_>) -> ControlFlow<()> + Send,
    ) -> Result<Option<Catalog>, ArchiveError> {
        let CatalogOptions { threads, least, digests, scratch } = options;
        let parts = ArchivePart::of(archives, threads, least)?;
        let mut listing = Listing {
            archives,
            parts: &parts,
            read: parts.iter().map(|_| OnceLock::new()).collect(),
            next: AtomicUsize::new(0),
            builder: Mutex::new(IndexBuilder::new(scratch)),
            watch: Mutex::new(watch),
            ended: AtomicBool::new(false),
        };
        let Some(problems) = listing.read_all(threads)? else { return Ok(None) };
        for (archive, problem) in problems {
            listing.tell(Catalogued::Broken(&archives[archive], problem));
            if listing.has_ended() {
                return Ok(None);
            }
        }
        let builder = listing.builder.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (index, listed) = builder.finish()?;
        let (pages, hosts) = by_host(listed, scratch)?;
        let archives = archives.iter().map(|path| (path.clone(), ArchiveReader::new(digests))).collect();
        Ok(Some(Catalog { archives, index, pages, hosts }))
    }

    /// Returns the number of addresses that answered. Redirects and errors are included, `robots.txt` and requests for
    /// images are not.
    pub fn len(&self) -> u64 {
        self.pages.len()
    }

    /// Returns `true` if no address answered.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// Returns the hosts in the order of their first pages.
    pub fn hosts(&self) -> impl Iterator<Item = io::Result<CatalogHost>> {
        (0..self.hosts.len()).map(|number| {
            let HostRow { start, end, bytes, .. } = row::read(&self.hosts.get(number)?)?;
            Ok(CatalogHost { pages: start..end, bytes })
        })
    }

    /// Returns a page by its number; see [`CatalogHost::pages`].
    ///
    /// # Errors
    ///
    /// Those of the scratch files; [`io::ErrorKind::UnexpectedEof`] if there is no such page.
    pub fn page(&self, number: u64) -> io::Result<CatalogPage> {
        let page: PageRow = row::read(&self.pages.get(number)?)?;
        Ok(CatalogPage { url: self.index.url(page.text)?, turn: page.turn, bytes: page.bytes.into() })
    }

    /// Returns `true` if an address answered, or one like it (an equal [`address::page_key`]).
    ///
    /// [`address::page_key`]: tsugi_page::address::page_key
    ///
    /// # Errors
    ///
    /// Those of the scratch files.
    pub fn has(&self, url: &Url) -> io::Result<bool> {
        self.index.has(url)
    }

    pub(crate) fn held(&self, url: &Url, wanted: Wanted) -> Result<Response, FetchError> {
        follow(url, wanted, |at| {
            let found = self.index.find(at, wanted).map_err(ArchiveError::from)?;
            let Some((place, stored_at)) = found else { return Ok(None) };
            Ok(Some((stored_at, self.read(place)?)))
        })
    }

    fn read(&self, place: ArchivePlace) -> Result<HeldRecord, ArchiveError> {
        let archive = usize::try_from(place.reading / 2).ok().and_then(|number| self.archives.get(number));
        let Some((path, reader)) = archive else {
            return Err(ArchiveError::Scratch { source: io::ErrorKind::InvalidData.into() });
        };
        let read = reader.read(place.record, || File::open(path));
        read.map_err(|problem| ArchiveError::of_record(path, problem))
    }
}

impl Fetch for Catalog {
    /// Returns a page of the archives, as [`Archive`](crate::Archive) does. Redirects are followed from one archive to another.
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        self.held(url, Wanted::Page)
    }
}

impl FetchImage for Catalog {
    fn fetch_image(&self, url: &Url) -> Result<Response, FetchError> {
        self.held(url, Wanted::Image)
    }
}

fn by_host(
    listed: Sorter<{ ListedRow::LENGTH }>,
    scratch: &Scratch,
) -> io::Result<(RowTable<{ PageRow::LENGTH }>, RowTable<{ HostRow::LENGTH }>)> {
    let (mut pages, mut hosts) = (RowTable::new(scratch), Sorter::new(scratch));
    let mut current = None;
    for listed in listed.finish()? {
        let ListedRow { host, page } = row::read(&listed?)?;
        if let Some((_, ended)) = current.take_if(|(before, _)| *before != host) {
            hosts.push(row::bytes::<HostRow, _>(&ended))?;
        }
        let number = pages.len();
        let new = HostRow { turn: page.turn, start: number, end: number, bytes: 0 };
        let (_, row) = current.get_or_insert((host, new));
        row.end = number + 1;
        row.bytes += u64::from(page.bytes);
        pages.push(row::bytes(&page))?;
    }
    if let Some((_, last)) = current {
        hosts.push(row::bytes(&last))?;
    }
    Ok((pages, hosts.into_table()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Archive;
    use proptest::prelude::*;
    use std::io::Write as _;
    use tsugi_page::address;

    /// Addresses of two hosts, some of them of one page.
    const ADDRESSES: [&str; 8] = [
        "https://a.test/1",
        "http://www.a.test/1/",
        "https://a.test/2",
        "http://b.test/1",
        "https://b.test/1",
        "https://b.test/2",
        "https://b.test/robots.txt",
        "http://a.test:81/1",
    ];

    /// Writes a record of some kind about an address; `other` is one that it may refer to.
    fn record(kind: usize, at: usize, other: usize, day: u32, digest: u32) -> String {
        let (at, other) = (ADDRESSES[at], ADDRESSES[other]);
        let html = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>{kind} {at} {day} {digest}");
        let (kind, more, block) = match kind {
            0..3 => ("response", String::new(), html),
            3 => ("response", String::new(), "HTTP/1.1 503 No\r\n\r\n".to_owned()),
            4 => ("response", String::new(), format!("HTTP/1.1 301 Moved\r\nLocation: {other}\r\n\r\n")),
            5 => ("response", "WARC-Resource-Type: image\r\n".to_owned(), html),
            11 => {
                let png = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\u{89}PNG".to_owned();
                ("response", "WARC-Resource-Type: image\r\n".to_owned(), png)
            }
            6 => ("metadata", String::new(), "fetchFailure: timeout\r\nfetchMessage: late\r\n".to_owned()),
            7 => ("revisit", String::new(), String::new()),
            8 => ("revisit", format!("WARC-Refers-To-Target-URI: {other}\r\n"), String::new()),
            9 => {
                let named = format!(
                    "WARC-Refers-To-Target-URI: {other}\r\nWARC-Refers-To-Date: 2026-01-0{digest}T00:00:00Z\r\n"
                );
                ("revisit", named, String::new())
            }
            _ => ("conversion", String::new(), "<p>made".to_owned()),
        };
        let digest = if digest == 0 { String::new() } else { format!("WARC-Payload-Digest: x:{digest}\r\n") };
        format!(
            "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {at}\r\nWARC-Date: 2026-01-0{day}T00:00:00Z\r\n{digest}{more}\
             Content-Type: text/html\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        )
    }

    fn catalog(archives: &[PathBuf], room: usize, least: u64) -> Catalog {
        let scratch = Scratch::below(&std::env::temp_dir()).with_room(room);
        let (threads, digests) = (NonZeroUsize::new(3).unwrap(), DigestCheck::Known);
        let options = CatalogOptions { threads, least, digests, scratch: &scratch };
        Catalog::open_with(archives, options, |_| ControlFlow::Continue(())).unwrap().unwrap()
    }

    proptest! {
        /// Rows in memory, from one thread and one archive, against rows in files, from several threads and archives.
        #[test]
        fn archives_are_as_one_that_has_all_records(
            records in prop::collection::vec((0..12_usize, 0..8_usize, 0..8_usize, 1..4_u32, 0..4_u32), 1..24),
            parts in 1..4_usize,
            room in prop::sample::select(vec![1_usize, 300, 1 << 20]),
            least in prop::sample::select(vec![64_u64, 500, LEAST_PART]),
            packed: bool,
        ) {
            let folder = tempfile::tempdir().unwrap();
            let records: Vec<String> = records
                .into_iter()
                .map(|(kind, at, other, day, digest)| record(kind, at, other, day, digest))
                .collect();
            let whole = folder.path().join("whole.warc");
            std::fs::write(&whole, records.concat()).unwrap();
            let whole = Archive::open(&whole).unwrap();
            let length = records.len().div_ceil(parts);
            let archives: Vec<PathBuf> = (0..).zip(records.chunks(length)).map(|(number, part)| {
                let path = folder.path().join(format!("{number}.warc"));
                std::fs::write(&path, if packed { members(part) } else { part.concat().into_bytes() }).unwrap();
                path
            }).collect();
            let catalog = catalog(&archives, room, least);

            let mut pages: Vec<_> = (0..catalog.len()).map(|number| catalog.page(number).unwrap()).collect();
            let hosts: Vec<CatalogHost> = catalog.hosts().map(Result::unwrap).collect();
            let of = |host: &CatalogHost| -> Vec<CatalogPage> {
                host.pages.clone().map(|number| catalog.page(number).unwrap()).collect()
            };
            let mut names = std::collections::BTreeSet::new();
            for host in &hosts {
                let pages = of(host);
                prop_assert!(pages.iter().all(|page| address::same_host(&page.url, &pages[0].url)));
                prop_assert!(pages.is_sorted_by_key(|page| page.turn));
                prop_assert_eq!(pages.iter().map(|page| page.bytes).sum::<u64>(), host.bytes);
                prop_assert!(names.insert(address::host_key(&pages[0].url)));
            }
            prop_assert!(hosts.is_sorted_by_key(|host| of(host)[0].turn));
            prop_assert_eq!(hosts.iter().map(|host| of(host).len()).sum::<usize>(), pages.len());
            pages.sort_by_key(|page| page.turn);
            let urls: Vec<&Url> = pages.iter().map(|page| &page.url).collect();
            prop_assert_eq!(urls, whole.urls().collect::<Vec<_>>());
            for at in ADDRESSES.iter().chain(&["https://www.a.test/2/index.html", "http://c.test/"]) {
                let url: Url = at.parse().unwrap();
                prop_assert_eq!(
                    format!("{:?}", catalog.fetch(&url)),
                    format!("{:?}", whole.fetch(&url)),
                    "{} in {}", at, records.concat()
                );
                prop_assert_eq!(
                    format!("{:?}", catalog.fetch_image(&url)),
                    format!("{:?}", whole.fetch_image(&url)),
                    "{} in {}", at, records.concat()
                );
            }
        }
    }

    #[test]
    fn listing_can_be_broken_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pages.warc");
        std::fs::write(&path, record(0, 0, 0, 1, 0).repeat(3)).unwrap();
        let mut seen = 0;
        let watch = |_: Catalogued<'_>| {
            seen += 1;
            if seen == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let scratch = Scratch::below(folder.path());
        assert!(Catalog::open(&[path], NonZeroUsize::MIN, &scratch, watch).unwrap().is_none());
        assert_eq!(seen, 2);
    }

    /// A page may hold what looks like a record, and a part of the archive may begin there.
    #[test]
    fn what_looks_like_a_record_inside_of_one_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pages.warc");
        let inner = record(0, 3, 0, 1, 0);
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<pre>{}", inner.repeat(9));
        let outer = format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://a.test/2\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
        std::fs::write(&path, [record(0, 0, 0, 1, 0), outer, record(0, 1, 0, 1, 0)].concat()).unwrap();
        for least in [400, 900, LEAST_PART] {
            let catalog = catalog(std::slice::from_ref(&path), 1, least);
            let urls: Vec<String> =
                (0..catalog.len()).map(|number| catalog.page(number).unwrap().url.into()).collect();
            assert_eq!(urls, ["https://a.test/1", "https://a.test/2", "http://www.a.test/1/"], "{least}");
            assert!(catalog.fetch(&"https://a.test/2".parse().unwrap()).is_ok());
        }
    }

    fn members(records: &[String]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for record in records {
            let mut member = flate2::write::GzEncoder::new(&mut bytes, flate2::Compression::fast());
            member.write_all(record.as_bytes()).unwrap();
            member.finish().unwrap();
        }
        bytes
    }
}
