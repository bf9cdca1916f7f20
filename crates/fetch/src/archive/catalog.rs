//! The pages of any number of archives, by host and by address.
//!
//! What is known of each record is in scratch files, as rows of fixed length, so memory does not grow with the archives. Sorted
//! by address, the rows say which record counts for which address; sorted by host, they say what a host has.

use super::error::{ArchiveError, ArchiveProblem, Flaw};
use super::format;
use super::index::{Addresses, Kind, follow};
use super::reader::{Reader, Walker};
use super::record::{HeldRecord, RecordPlace, Revisit, is_robots};
use super::revisits::instant;
use crate::error::FetchError;
use crate::exchange::Wanted;
use crate::fetch::Fetch;
use crate::sorter::{Scratch, Sorter, Table};
use jiff::Timestamp;
use sha1::{Digest, Sha1};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use tsugi_page::{Response, Url, address};

/// The pages of any number of archives, by host and by address, as if the archives were one.
///
/// Of several records of one address the first page counts, or the last record if there is no page, as in an
/// [`Archive`](crate::Archive).
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
/// use tsugi_fetch::{ArchiveWriter, Catalog, Fetch, Scratch};
/// use tsugi_page::{Response, Url};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("pages.warc.gz");
/// let mut writer = ArchiveWriter::new(std::fs::File::create(&path)?);
/// for url in ["https://a.test/1", "https://b.test/", "https://a.test/2"] {
///     let url: Url = url.parse().unwrap();
///     writer.write(&Response { url, status: 200, content_type: None, body: b"<p>Page".to_vec() }, "2026-01-02T03:04:05Z")?;
/// }
/// writer.finish()?;
/// let scratch = Scratch::below(folder.path());
/// let catalog = Catalog::open(&[path], 2.try_into()?, &scratch, |_| ControlFlow::Continue(()))?.unwrap();
/// let pages: Vec<u64> = catalog.hosts().map(|host| host.map(|host| host.pages.end)).collect::<Result<_, _>>()?;
/// assert_eq!(pages, [2, 3]);
/// assert_eq!(catalog.fetch(&catalog.page(1)?.url)?.url.as_str(), "https://a.test/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Catalog {
    archives: Vec<(PathBuf, Reader)>,
    texts: Texts,
    /// The addresses, sorted by the hash of their [`address::page_key`].
    addresses: Table<ADDRESS>,
    /// The addresses that answered, sorted by host and turn.
    pages: Table<PAGE>,
    /// The hosts, sorted by the turn of their first page.
    hosts: Table<HOST>,
}

/// What [`Catalog::open`] came across.
#[derive(Debug)]
pub enum Catalogued<'a> {
    /// A record.
    Record,
    /// A record that cannot be read, and its archive.
    Broken(&'a Path, ArchiveProblem),
}

/// A host of a [`Catalog`]: addresses that are on one in the sense of [`address::same_host`].
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

/// A place in the order in which the addresses of archives are first met; revisits come last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn([u8; Turn::LENGTH]);

impl Turn {
    /// The number of bytes of a turn.
    pub const LENGTH: usize = 1 + PLACE;

    /// Returns bytes that are in the order of the turns.
    pub fn to_bytes(self) -> [u8; Turn::LENGTH] {
        self.0
    }

    fn of(place: Place, is_revisit: bool) -> Turn {
        Turn(row(&[&[u8::from(is_revisit)], &place.to_bytes()]))
    }

    fn place(self) -> Place {
        Place::read(&mut &self.0[1..])
    }
}

/// The place of a record in one of several archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    archive: u32,
    inside: RecordPlace,
}

const PLACE: usize = 4 + 8 + 8;

impl Place {
    fn to_bytes(self) -> [u8; PLACE] {
        let RecordPlace { offset, inside } = self.inside;
        row(&[&self.archive.to_be_bytes(), &offset.to_be_bytes(), &inside.to_be_bytes()])
    }

    fn read(from: &mut &[u8]) -> Place {
        let archive = u32::from_be_bytes(take(from));
        let [offset, inside] = [take(from), take(from)].map(u64::from_be_bytes);
        Place { archive, inside: RecordPlace { offset, inside } }
    }
}

/// Hashes are long enough that no two addresses of an archive have one, whoever chose them.
type Hash = [u8; 16];

fn hash(text: &str) -> Hash {
    take(&mut Sha1::digest(text).as_slice())
}

/// The hash of a host; hosts that share one are worked on together, no more.
const SHORT: usize = 8;

/// A record that may count for its address.
#[derive(Debug)]
struct Met {
    key: Hash,
    turn: Turn,
    place: Place,
    kind: Kind,
    is_robots: bool,
    /// Whether its archive was read a second time; see [`Cataloguing::void`].
    is_again: bool,
    host: [u8; SHORT],
    bytes: u32,
    text: Span,
}

const MET: usize = 16 + Turn::LENGTH + PLACE + 1 + SHORT + 4 + Span::LENGTH;

impl Met {
    fn to_row(&self) -> [u8; MET] {
        let kind = self.kind as u8 | u8::from(self.is_robots) << 7 | u8::from(self.is_again) << 6;
        row(&[
            &self.key,
            &self.turn.0,
            &self.place.to_bytes(),
            &[kind],
            &self.host,
            &self.bytes.to_be_bytes(),
            &self.text.to_bytes(),
        ])
    }

    fn read(mut from: &[u8]) -> Met {
        let from = &mut from;
        let (key, turn, place) = (take(from), Turn(take(from)), Place::read(from));
        let [kind] = take(from);
        let [is_robots, is_again] = [7, 6].map(|bit| kind & 1 << bit != 0);
        let kinds = [Kind::Wanted, Kind::Other, Kind::Orphan];
        let kind = kinds.into_iter().find(|known| *known as u8 == kind & 0x3f).unwrap_or(Kind::Failure);
        let (host, bytes) = (take(from), u32::from_be_bytes(take(from)));
        Met { key, turn, place, kind, is_robots, is_again, host, bytes, text: Span::read(from) }
    }
}

/// A row of [`Catalog::addresses`]: key, whether it counts for addresses like it, place, text.
const ADDRESS: usize = 16 + 1 + PLACE + Span::LENGTH;

/// A row of [`Catalog::pages`]: turn, text, bytes.
const PAGE: usize = Turn::LENGTH + Span::LENGTH + 4;

/// Rows as they are sorted to become [`Catalog::pages`]: the host, the rest.
const LISTED: usize = SHORT + PAGE;

/// A row of [`Catalog::hosts`]: turn, first page, end, bytes.
const HOST: usize = Turn::LENGTH + 3 * 8;

/// Joins parts to a row.
fn row<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    let mut row = [0; N];
    for (to, from) in row.iter_mut().zip(parts.iter().copied().flatten()) {
        *to = *from;
    }
    row
}

/// Takes the next bytes of a row.
fn take<const N: usize>(from: &mut &[u8]) -> [u8; N] {
    let (taken, rest) = from.split_first_chunk().unwrap_or((&[0; N], &[]));
    *from = rest;
    *taken
}

/// Texts, one after the other in a scratch file.
#[derive(Debug)]
struct Texts {
    file: Mutex<BufWriter<File>>,
    end: u64,
}

/// Where a text is.
#[derive(Debug, Clone, Copy)]
struct Span {
    at: u64,
    length: u32,
}

impl Span {
    const LENGTH: usize = 8 + 4;

    fn to_bytes(self) -> [u8; Span::LENGTH] {
        row(&[&self.at.to_be_bytes(), &self.length.to_be_bytes()])
    }

    fn read(from: &mut &[u8]) -> Span {
        Span { at: u64::from_be_bytes(take(from)), length: u32::from_be_bytes(take(from)) }
    }
}

impl Texts {
    fn add(&mut self, text: &str) -> io::Result<Span> {
        let length = u32::try_from(text.len()).map_err(io::Error::other)?;
        self.file.get_mut().unwrap_or_else(PoisonError::into_inner).write_all(text.as_bytes())?;
        let at = self.end;
        self.end += u64::from(length);
        Ok(Span { at, length })
    }

    fn url(&self, span: Span) -> io::Result<Url> {
        let mut bytes = vec![0; span.length as usize];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(span.at))?;
        file.get_mut().read_exact(&mut bytes)?;
        file.seek(SeekFrom::End(0))?;
        drop(file);
        let text = String::from_utf8(bytes).map_err(io::Error::other)?;
        text.parse().map_err(io::Error::other)
    }
}

/// The least length of a part of an archive that has a thread of its own, in bytes.
const LEAST_PART: u64 = 16 << 20;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A part of an archive that one thread reads: the records that begin in it.
struct Part {
    archive: usize,
    bytes: Range<u64>,
    /// Whether the archive is read a second time.
    is_again: bool,
}

/// What a part of an archive has.
#[derive(Debug, Default)]
struct PartRead {
    /// Where its first record begins.
    first: Option<u64>,
    /// Where the first record after it begins.
    after: Option<u64>,
    has_pages: bool,
    problems: Vec<ArchiveProblem>,
}

impl PartRead {
    /// Returns where the first record begins that is in the part or after it.
    fn begins(&self) -> Option<u64> {
        self.first.or(self.after)
    }

    /// Adds the part that follows.
    fn and(mut self, next: PartRead) -> PartRead {
        self.problems.extend(next.problems);
        let has_pages = self.has_pages || next.has_pages;
        PartRead { first: self.begins(), after: next.after, has_pages, problems: self.problems }
    }
}

impl Part {
    /// Reads the part, until there is no need to go on.
    fn read(
        &self,
        path: &Path,
        to: &Mutex<Cataloguing>,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<PartRead, ArchiveError> {
        let failed = |source| ArchiveError::Io { path: path.to_owned(), source };
        let archive = u32::try_from(self.archive).map_err(io::Error::other)?;
        let file = format::open(path)?;
        let walker = match self.bytes.start {
            0 => Walker::new(file),
            start => Walker::after(file, start).map_err(failed)?,
        };
        let mut read = PartRead::default();
        for found in walker {
            let offset = match &found {
                Ok((place, _)) => place.offset,
                Err(problem) => problem.offset,
            };
            if offset >= self.bytes.end {
                read.after = Some(offset);
                break;
            }
            read.first.get_or_insert(offset);
            match found {
                Ok((inside, held)) => {
                    read.has_pages |= locked(to).add(Place { archive, inside }, &held, self.is_again)?;
                }
                Err(ArchiveProblem { flaw: Flaw::Unreadable(reason), .. }) => {
                    return Err(failed(io::Error::other(reason)));
                }
                Err(problem) => read.problems.push(problem),
            }
            if !goes_on() {
                break;
            }
        }
        Ok(read)
    }
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
    /// One pass over the files, and 300 bytes of scratch files a record. Memory is for one record a thread, and some 20 MiB.
    pub fn open(
        archives: &[PathBuf],
        threads: NonZeroUsize,
        scratch: &Scratch,
        watch: impl FnMut(Catalogued<'_>) -> ControlFlow<()> + Send,
    ) -> Result<Option<Catalog>, ArchiveError> {
        Catalog::of_parts(archives, threads, LEAST_PART, scratch, watch)
    }

    /// As [`Catalog::open`], for parts of at least so many bytes.
    fn of_parts(
        archives: &[PathBuf],
        threads: NonZeroUsize,
        least: u64,
        scratch: &Scratch,
        mut watch: impl FnMut(Catalogued<'_>) -> ControlFlow<()> + Send,
    ) -> Result<Option<Catalog>, ArchiveError> {
        let mut parts = Vec::new();
        for (archive, path) in archives.iter().enumerate() {
            // What cannot be opened is told when it is read.
            let length = path.metadata().map_or(0, |file| file.len());
            let count = (length / least).clamp(1, threads.get() as u64);
            let start = |part: u64| length / count * part;
            let end = |part: u64| if part + 1 == count { u64::MAX } else { start(part + 1) };
            let part = |part| Part { archive, bytes: start(part)..end(part), is_again: false };
            parts.extend((0..count).map(part));
        }
        let cataloguing = Mutex::new(Cataloguing::new(scratch)?);
        let (next, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
        let read: Vec<OnceLock<Result<PartRead, ArchiveError>>> =
            parts.iter().map(|_| OnceLock::new()).collect();
        let told = Mutex::new(&mut watch);
        let goes_on = || {
            if locked(&told)(Catalogued::Record).is_break() {
                ended.store(true, Ordering::Relaxed);
            }
            !ended.load(Ordering::Relaxed)
        };
        let take = || {
            let number = next.fetch_add(1, Ordering::Relaxed);
            parts.get(number).zip(read.get(number))
        };
        let work = || {
            while let Some((part, to)) = take() {
                let path = &archives[part.archive];
                // A part is set once.
                let _ = to.set(part.read(path, &cataloguing, &goes_on));
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads.get().min(parts.len()) {
                // With fewer threads it takes longer, no more.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let mut read = parts.iter().zip(read.into_iter().filter_map(OnceLock::into_inner)).peekable();
        let mut problems = Vec::new();
        for (archive, path) in archives.iter().enumerate() {
            let mut whole: Option<PartRead> = None;
            let mut fit = true;
            while let Some((_, part)) = read.next_if(|(part, _)| part.archive == archive) {
                let part = part?;
                fit &= whole.as_ref().is_none_or(|before| before.after == part.begins());
                whole = Some(whole.into_iter().fold(part, |part, before| before.and(part)));
            }
            if ended.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if !fit {
                // A part began at what only looked like a record.
                locked(&cataloguing).void.insert(u32::try_from(archive).map_err(io::Error::other)?);
                let part = Part { archive, bytes: 0..u64::MAX, is_again: true };
                whole = Some(part.read(path, &cataloguing, &goes_on)?);
            }
            let PartRead { has_pages, problems: found, .. } = whole.unwrap_or_default();
            if !has_pages && found.first().is_some_and(|problem| problem.flaw == Flaw::NotARecord) {
                return Err(ArchiveError::NotAnArchive { path: path.clone() });
            }
            problems.extend(found.into_iter().map(|problem| (path, problem)));
        }
        for (path, problem) in problems {
            if watch(Catalogued::Broken(path, problem)).is_break() {
                return Ok(None);
            }
        }
        let cataloguing = cataloguing.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Some(cataloguing.finish(archives)?))
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
            let row = self.hosts.get(number)?;
            let mut rest = &row[Turn::LENGTH..];
            let [start, end, bytes] =
                [take(&mut rest), take(&mut rest), take(&mut rest)].map(u64::from_be_bytes);
            Ok(CatalogHost { pages: start..end, bytes })
        })
    }

    /// Returns a page by its number; see [`CatalogHost::pages`].
    ///
    /// # Errors
    ///
    /// Those of the scratch files; [`io::ErrorKind::UnexpectedEof`] if there is no such page.
    pub fn page(&self, number: u64) -> io::Result<CatalogPage> {
        let row = self.pages.get(number)?;
        let mut rest = &row[..];
        let (turn, text) = (Turn(take(&mut rest)), Span::read(&mut rest));
        Ok(CatalogPage {
            url: self.texts.url(text)?,
            turn,
            bytes: u32::from_be_bytes(take(&mut rest)).into(),
        })
    }

    /// Returns `true` if an address answered, or one like it (an equal [`address::page_key`]).
    ///
    /// # Errors
    ///
    /// Those of the scratch files.
    pub fn has(&self, url: &Url) -> io::Result<bool> {
        let key = hash(&address::page_key(url));
        for number in self.addresses.below(&key)?..self.addresses.len() {
            let row = self.addresses.get(number)?;
            let mut rest = &row[..];
            if take(&mut rest) != key {
                break;
            }
            if take(&mut rest) == [1] {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Finds the record of an address; returns what tells it from others, the address under which it is stored, and its
    /// place.
    fn find(&self, url: &Url) -> io::Result<Option<(u64, Url, Place)>> {
        let key = hash(&address::page_key(url));
        let mut alike = None;
        for number in self.addresses.below(&key)?..self.addresses.len() {
            let row = self.addresses.get(number)?;
            let mut rest = &row[..];
            if take(&mut rest) != key {
                break;
            }
            let [counts] = take(&mut rest);
            let (place, stored) = (Place::read(&mut rest), self.texts.url(Span::read(&mut rest))?);
            if stored == *url {
                return Ok(Some((number, stored, place)));
            }
            if counts == 1 {
                alike = Some((number, stored, place));
            }
        }
        Ok(alike)
    }

    fn read(&self, place: Place) -> Result<HeldRecord, ArchiveError> {
        let archive = usize::try_from(place.archive).ok().and_then(|number| self.archives.get(number));
        let Some((path, reader)) = archive else {
            return Err(ArchiveError::Scratch { source: io::ErrorKind::InvalidData.into() });
        };
        let read = reader.read(place.inside, || File::open(path));
        read.map_err(|problem| ArchiveError::of_record(path, problem))
    }
}

impl Fetch for Catalog {
    /// Returns a page of the archives, as [`Archive`](crate::Archive) does. Redirects are followed from one archive to another.
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        follow(url, Wanted::Page, |at| {
            let found = self.find(at).map_err(ArchiveError::from)?;
            let Some((number, stored, place)) = found else { return Ok(None) };
            Ok(Some((number, stored, self.read(place)?)))
        })
    }
}

/// A catalog that is being made.
#[derive(Debug)]
struct Cataloguing {
    scratch: Scratch,
    texts: Texts,
    met: Sorter<MET>,
    /// What revisits may refer to.
    bodies: Table<BODY>,
    revisits: Table<REVISIT>,
    /// Archives whose records count only if they were read a second time.
    void: BTreeSet<u32>,
}

/// A body: flags, kind, size, digest, key, time, turn.
const BODY: usize = 1 + 1 + 4 + 16 + 16 + TIME + Turn::LENGTH;

/// A revisit: flags, digest, key of what it refers to, the time of that, its own time, its own [`Met`].
const REVISIT: usize = 1 + 16 + 16 + TIME + TIME + MET;

/// The flags of bodies and revisits: what is known.
const HAS_DIGEST: u8 = 1;
const HAS_TIME: u8 = 2;
const NAMES_TIME: u8 = 4;
/// See [`Met::is_again`].
const IS_AGAIN: u8 = 8;

const TIME: usize = 16;

/// Returns bytes that are in the order of times.
fn time_bytes(time: Option<Timestamp>) -> [u8; TIME] {
    (time.map_or(0, Timestamp::as_nanosecond) ^ i128::MIN).to_be_bytes()
}

fn flags(digest: bool, time: bool, names_time: bool) -> u8 {
    [(digest, HAS_DIGEST), (time, HAS_TIME), (names_time, NAMES_TIME)]
        .into_iter()
        .fold(0, |flags, (known, flag)| if known { flags | flag } else { flags })
}

impl Cataloguing {
    fn new(scratch: &Scratch) -> io::Result<Cataloguing> {
        Ok(Cataloguing {
            scratch: scratch.clone(),
            texts: Texts { file: Mutex::new(BufWriter::new(scratch.file()?)), end: 0 },
            met: Sorter::new(scratch),
            bodies: Table::new(scratch),
            revisits: Table::new(scratch),
            void: BTreeSet::new(),
        })
    }

    /// Adds a record; returns whether it is the answer of a page.
    fn add(&mut self, place: Place, held: &HeldRecord, is_again: bool) -> io::Result<bool> {
        if let HeldRecord::Response(stored) = held
            && !stored.is_converted
        {
            let (date, digest) = (stored.about.date.as_deref(), stored.about.digest.as_deref());
            let time = date.and_then(instant);
            self.bodies.push(row(&[
                &[flags(digest.is_some(), time.is_some(), false) | if is_again { IS_AGAIN } else { 0 }],
                &[u8::from(stored.looks_as_wanted())],
                &saturated(stored.body_length()).to_be_bytes(),
                &digest.map(hash).unwrap_or_default(),
                &hash(&address::page_key(&stored.url)),
                &time_bytes(time),
                &Turn::of(place, false).0,
            ]))?;
        }
        let is_robots = is_robots(held.url());
        if held.wanted() == Wanted::Image {
            return Ok(false);
        }
        let (kind, is_revisit) = match held {
            HeldRecord::Revisit(_) if is_robots => return Ok(false),
            HeldRecord::Revisit(_) => (Kind::Orphan, true),
            held => match Kind::of(held) {
                Some(kind) => (kind, false),
                None => return Ok(false),
            },
        };
        let bytes = if let HeldRecord::Response(stored) = held { stored.body_length() } else { 0 };
        let url = held.url();
        let met = Met {
            key: hash(&address::page_key(url)),
            turn: Turn::of(place, is_revisit),
            place,
            kind,
            is_robots,
            is_again,
            host: take(&mut &hash(&address::host_key(url))[..]),
            bytes: saturated(bytes),
            text: self.texts.add(url.as_str())?,
        };
        match held {
            HeldRecord::Revisit(revisit) => self.revisits.push(revisit_row(revisit, &met))?,
            _ => self.met.push(met.to_row())?,
        }
        Ok(kind != Kind::Failure && !is_robots)
    }

    /// Adds the revisits, which refer to bodies anywhere in the archives.
    fn resolve(&mut self) -> io::Result<()> {
        if self.revisits.is_empty() {
            return Ok(());
        }
        let bodies = Bodies::of(&self.bodies, &self.void, &self.scratch)?;
        for number in 0..self.revisits.len() {
            let row = self.revisits.get(number)?;
            let mut rest = &row[..];
            let [known] = take(&mut rest);
            let (digest, of, named, own) =
                (take(&mut rest), take(&mut rest), take(&mut rest), take(&mut rest));
            let mut met = Met::read(rest);
            if let Some(body) = bodies.of_revisit(known, digest, of, named, own)? {
                met.kind = if body.is_wanted { Kind::Wanted } else { Kind::Other };
                (met.place, met.bytes) = (body.turn.place(), body.bytes);
            }
            self.met.push(met.to_row())?;
        }
        Ok(())
    }

    fn finish(mut self, archives: &[PathBuf]) -> io::Result<Catalog> {
        self.resolve()?;
        let Cataloguing { scratch, texts, met, void, .. } = self;
        let (mut addresses, mut listed) = (Table::new(&scratch), Sorter::new(&scratch));
        let mut add = |met: &Met, place: Place, kind: Kind, counts: bool| -> io::Result<()> {
            addresses.push(row(&[&met.key, &[u8::from(counts)], &place.to_bytes(), &met.text.to_bytes()]))?;
            if kind == Kind::Failure || met.is_robots {
                return Ok(());
            }
            listed.push(row::<LISTED>(&[
                &met.host,
                &met.turn.0,
                &met.text.to_bytes(),
                &met.bytes.to_be_bytes(),
            ]))
        };
        let counts = |met: &io::Result<Met>| {
            met.as_ref().map_or(true, |met| met.is_again || !void.contains(&met.turn.place().archive))
        };
        let mut sorted = met.finish()?.map(|row| row.map(|row| Met::read(&row))).filter(counts).peekable();
        while let Some(first) = sorted.next() {
            let mut like = vec![first?];
            while let Some(next) =
                sorted.next_if(|next| next.as_ref().is_ok_and(|next| next.key == like[0].key))
            {
                like.push(next?);
            }
            if let [alone] = &like[..] {
                add(alone, alone.place, alone.kind, alone.kind != Kind::Failure)?;
                continue;
            }
            let (mut held, mut firsts) = (Addresses::default(), Vec::new());
            for met in like {
                held.add(&texts.url(met.text)?, met.kind, (met.place, met.bytes));
                if held.len() > firsts.len() {
                    firsts.push(met);
                }
            }
            let (entries, alike) = held.into_entries();
            for (number, (entry, first)) in entries.into_iter().zip(firsts).enumerate() {
                let (place, bytes) = entry.place;
                let counts = alike == Some(number) && entry.kind != Kind::Failure;
                add(&Met { bytes, ..first }, place, entry.kind, counts)?;
            }
        }
        let (pages, hosts) = by_host(listed, &scratch)?;
        let archives = archives.iter().map(|path| (path.clone(), Reader::again())).collect();
        Ok(Catalog { archives, texts, addresses, pages, hosts })
    }
}

/// Sorts addresses by host, and the hosts by their first pages.
fn by_host(listed: Sorter<LISTED>, scratch: &Scratch) -> io::Result<(Table<PAGE>, Table<HOST>)> {
    let (mut pages, mut sorted, mut hosts) = (Table::new(scratch), Sorter::new(scratch), Table::new(scratch));
    let mut listed = listed.finish()?.peekable();
    while let Some(first) = listed.next() {
        let first = first?;
        let (start, mut bytes) = (pages.len(), 0);
        let mut next = Some(first);
        while let Some(row) = next {
            let (_, page) = row.split_at(SHORT);
            pages.push(take(&mut &page[..]))?;
            bytes += u64::from(u32::from_be_bytes(take(&mut &page[PAGE - 4..])));
            let is_same = |next: &io::Result<[u8; LISTED]>| {
                next.as_ref().is_ok_and(|next| next[..SHORT] == first[..SHORT])
            };
            next = listed.next_if(is_same).transpose()?;
        }
        let numbers = [start, pages.len(), bytes].map(u64::to_be_bytes);
        sorted.push(row(&[&first[SHORT..SHORT + Turn::LENGTH], numbers.as_flattened()]))?;
    }
    for host in sorted.finish()? {
        hosts.push(host?)?;
    }
    Ok((pages, hosts))
}

fn saturated(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn revisit_row(revisit: &Revisit, met: &Met) -> [u8; REVISIT] {
    let (url, named) = &revisit.refers_to;
    let named = named.as_deref().and_then(instant);
    let own = revisit.about.date.as_deref().and_then(instant);
    let digest = revisit.about.digest.as_deref();
    row(&[
        &[flags(digest.is_some(), own.is_some(), named.is_some())],
        &digest.map(hash).unwrap_or_default(),
        &hash(&address::page_key(url.as_ref().unwrap_or(&revisit.url))),
        &time_bytes(named),
        &time_bytes(own),
        &met.to_row(),
    ])
}

/// What revisits refer to; the order is that of [`super::revisits::Revisits`].
struct Bodies {
    /// Digest, body.
    by_digest: Table<{ 16 + Body::LENGTH }>,
    /// Key, time, body.
    by_time: Table<{ 16 + TIME + Body::LENGTH }>,
}

#[derive(Debug, Clone, Copy)]
struct Body {
    turn: Turn,
    is_wanted: bool,
    bytes: u32,
}

impl Body {
    const LENGTH: usize = Turn::LENGTH + 1 + 4;

    fn read(mut from: &[u8]) -> Body {
        let (turn, [wanted]) = (Turn(take(&mut from)), take(&mut from));
        Body { turn, is_wanted: wanted == 1, bytes: u32::from_be_bytes(take(&mut from)) }
    }
}

impl Bodies {
    fn of(all: &Table<BODY>, void: &BTreeSet<u32>, scratch: &Scratch) -> io::Result<Bodies> {
        let (mut digests, mut times) = (Sorter::new(scratch), Sorter::new(scratch));
        for number in 0..all.len() {
            let held = all.get(number)?;
            let mut rest = &held[..];
            let ([known], [wanted], bytes): (_, [u8; 1], [u8; 4]) =
                (take(&mut rest), take(&mut rest), take(&mut rest));
            let (digest, key, time): (Hash, Hash, [u8; TIME]) =
                (take(&mut rest), take(&mut rest), take(&mut rest));
            if known & IS_AGAIN == 0 && void.contains(&Turn(take(&mut &*rest)).place().archive) {
                continue;
            }
            let body: [u8; Body::LENGTH] = row(&[rest, &[wanted], &bytes]);
            if known & HAS_DIGEST != 0 {
                digests.push(row(&[&digest, &body]))?;
            }
            if known & HAS_TIME != 0 {
                times.push(row(&[&key, &time, &body]))?;
            }
        }
        let (mut by_digest, mut by_time) = (Table::new(scratch), Table::new(scratch));
        for row in digests.finish()? {
            by_digest.push(row?)?;
        }
        for row in times.finish()? {
            by_time.push(row?)?;
        }
        Ok(Bodies { by_digest, by_time })
    }

    /// Returns the body of a revisit: by address and time, by the digest, or else the one of its address before it.
    fn of_revisit(
        &self,
        known: u8,
        digest: Hash,
        of: Hash,
        named: [u8; TIME],
        own: [u8; TIME],
    ) -> io::Result<Option<Body>> {
        let at = |time: [u8; TIME]| row::<{ 16 + TIME }>(&[&of, &time]);
        if known & NAMES_TIME != 0
            && let Some(body) = first(&self.by_time, &at(named))?
        {
            return Ok(Some(body));
        }
        if known & HAS_DIGEST != 0
            && let Some(body) = first(&self.by_digest, &digest)?
        {
            return Ok(Some(body));
        }
        if known & NAMES_TIME != 0 || known & HAS_TIME == 0 {
            return Ok(None);
        }
        let after = at(u128::from_be_bytes(own).saturating_add(1).to_be_bytes());
        let Some(last) = self.by_time.below(&after)?.checked_sub(1) else { return Ok(None) };
        let last = self.by_time.get(last)?;
        if last[..16] == of { first(&self.by_time, &last[..16 + TIME]) } else { Ok(None) }
    }
}

/// Returns the first body of a digest, or of an address and a time.
fn first<const N: usize>(table: &Table<N>, of: &[u8]) -> io::Result<Option<Body>> {
    let number = table.below(of)?;
    if number == table.len() {
        return Ok(None);
    }
    let row = table.get(number)?;
    Ok(row.strip_prefix(of).map(Body::read))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Archive;
    use proptest::prelude::*;

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

    /// Lists archives by three threads, in parts of at least so many bytes.
    fn catalog(archives: &[PathBuf], room: usize, least: u64) -> Catalog {
        let scratch = Scratch::below(&std::env::temp_dir()).with_room(room);
        let three = NonZeroUsize::new(3).unwrap();
        Catalog::of_parts(archives, three, least, &scratch, |_| ControlFlow::Continue(())).unwrap().unwrap()
    }

    proptest! {
        #[test]
        fn archives_are_as_one_that_has_all_records(
            records in prop::collection::vec((0..11_usize, 0..8_usize, 0..8_usize, 1..4_u32, 0..4_u32), 1..24),
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

    /// Packs records, each as a member.
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
