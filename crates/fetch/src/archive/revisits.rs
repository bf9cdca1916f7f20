//! Revisits: records of answers equal to earlier ones, whose bodies they refer to.

use super::record::{HeldRecord, RecordPlace, Revisit, is_robots};
use crate::row;
use crate::row::Packed;
use crate::sorter::{RowTable, Scratch, Sorter};
use jiff::Timestamp;
use sha1::{Digest, Sha1};
use std::collections::{BTreeSet, VecDeque};
use std::io;
use tsugi_page::{Url, address};

/// Hashes are long enough that no two texts of an archive have one, whoever chose them.
pub(crate) type TextHash = [u8; 16];

pub(crate) fn hash(text: impl AsRef<[u8]>) -> TextHash {
    Sha1::digest(text).first_chunk().copied().unwrap_or_default()
}

pub(crate) fn page_hash(url: &Url) -> TextHash {
    hash(address::page_key(url))
}

row! {
    #[derive(PartialOrd, Ord)]
    pub(crate) struct ArchivePlace {
        /// The number of the reading that found it: an archive may be read twice.
        pub(crate) reading: u32,
        pub(crate) record: RecordPlace,
    }
}

row! {
    pub(crate) struct RevisitedBody {
        pub(crate) place: ArchivePlace,
        /// Whether it is what was requested: a page, or an image.
        pub(crate) is_wanted: bool,
        pub(crate) bytes: u32,
        page: TextHash,
    }
}

row! {
    struct BodyRow {
        digest: Option<TextHash>,
        time: Option<Timestamp>,
        body: RevisitedBody,
    }
}

row! {
    struct DigestRow {
        digest: TextHash,
        body: RevisitedBody,
    }
}

row! {
    struct PageTime {
        page: TextHash,
        time: Timestamp,
    }
}

row! {
    struct TimeRow {
        at: PageTime,
        body: RevisitedBody,
    }
}

row! {
    pub(crate) struct RevisitKeys {
        digest: Option<TextHash>,
        page: TextHash,
        named_time: Option<Timestamp>,
        own_time: Option<Timestamp>,
    }
}

impl RevisitedBody {
    pub(crate) fn is_of(&self, url: &Url) -> bool {
        self.page == page_hash(url)
    }
}

impl RevisitKeys {
    pub(crate) fn of(revisit: &Revisit) -> RevisitKeys {
        let (url, named_time) = &revisit.refers_to;
        RevisitKeys {
            digest: revisit.about.digest.as_deref().map(hash),
            page: page_hash(url.as_ref().unwrap_or(&revisit.url)),
            named_time: named_time.as_deref().and_then(instant),
            own_time: revisit.about.date.as_deref().and_then(instant),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Bodies {
    scratch: Scratch,
    rows: RowTable<{ BodyRow::LENGTH }>,
}

#[derive(Debug)]
pub(crate) struct SortedBodies {
    by_digest: RowTable<{ DigestRow::LENGTH }>,
    by_time: RowTable<{ TimeRow::LENGTH }>,
}

impl Bodies {
    pub(crate) fn new(scratch: &Scratch) -> Bodies {
        Bodies { scratch: scratch.clone(), rows: RowTable::new(scratch) }
    }

    /// Adds the body of a record, if it has one that revisits may refer to; `page` is the [`page_hash`] of the record.
    pub(crate) fn add(&mut self, held: &HeldRecord, page: TextHash, place: ArchivePlace) -> io::Result<()> {
        let HeldRecord::Response(stored) = held else { return Ok(()) };
        if stored.is_converted {
            return Ok(());
        }
        let body = RevisitedBody {
            place,
            is_wanted: stored.looks_as_wanted(),
            bytes: saturated(stored.body_length()),
            page,
        };
        let digest = stored.about.digest.as_deref().map(hash);
        let time = stored.about.date.as_deref().and_then(instant);
        self.rows.push(row::bytes(&BodyRow { digest, time, body }))
    }

    pub(crate) fn sorted(&self, void: &BTreeSet<u32>) -> io::Result<SortedBodies> {
        let (mut digests, mut times) = (Sorter::new(&self.scratch), Sorter::new(&self.scratch));
        for number in 0..self.rows.len() {
            let BodyRow { digest, time, body } = row::read(&self.rows.get(number)?)?;
            if void.contains(&body.place.reading) {
                continue;
            }
            if let Some(digest) = digest {
                digests.push(row::bytes(&DigestRow { digest, body }))?;
            }
            if let Some(time) = time {
                times.push(row::bytes(&TimeRow { at: PageTime { page: body.page, time }, body }))?;
            }
        }
        Ok(SortedBodies { by_digest: digests.into_table()?, by_time: times.into_table()? })
    }
}

impl SortedBodies {
    /// Returns the body of a revisit: by address and time, by the digest, or else the last of its page before it.
    pub(crate) fn find(&self, revisit: &RevisitKeys) -> io::Result<Option<RevisitedBody>> {
        let RevisitKeys { digest, page, named_time, own_time } = *revisit;
        if let Some(time) = named_time
            && let Some(body) = self.at(PageTime { page, time })?
        {
            return Ok(Some(body));
        }
        if let Some(digest) = digest
            && let Some(found) = self.by_digest.first(&digest)?
        {
            return Ok(Some(row::read::<DigestRow, _>(&found)?.body));
        }
        // A revisit that names a time means the answer of that time, and no other.
        let (None, Some(time)) = (named_time, own_time) else { return Ok(None) };
        let own: [u8; PageTime::LENGTH] = row::bytes(&PageTime { page, time });
        let after = self.by_time.partition_point(|row| row[..PageTime::LENGTH] <= own[..])?;
        let Some(last) = after.checked_sub(1) else { return Ok(None) };
        let TimeRow { at, .. } = row::read(&self.by_time.get(last)?)?;
        // Of several at that time, the first counts.
        if at.page == page { self.at(at) } else { Ok(None) }
    }

    fn at(&self, at: PageTime) -> io::Result<Option<RevisitedBody>> {
        let found = self.by_time.first(&row::bytes::<_, { PageTime::LENGTH }>(&at))?;
        Ok(found.map(|found| row::read::<TimeRow, _>(&found)).transpose()?.map(|row| row.body))
    }
}

/// The revisits of one archive, in memory, and the bodies that they may refer to.
///
/// Revisits wait until the whole archive is read, since in merged archives the body may come after the record that
/// refers to it.
#[derive(Debug)]
pub(crate) struct Revisits {
    waiting: VecDeque<(RecordPlace, Revisit)>,
    bodies: Bodies,
    sorted: Option<SortedBodies>,
}

/// A revisit, its place, and the body that it refers to, if the archive has it.
pub(crate) type ResolvedRevisit = (RecordPlace, Revisit, Option<RevisitedBody>);

impl Revisits {
    pub(crate) fn new() -> Revisits {
        Revisits { waiting: VecDeque::new(), bodies: Bodies::new(&Scratch::in_memory()), sorted: None }
    }

    pub(crate) fn add(&mut self, held: &HeldRecord, record: RecordPlace) -> io::Result<()> {
        if let HeldRecord::Revisit(revisit) = held
            && !is_robots(&revisit.url)
        {
            self.waiting.push_back((record, revisit.clone()));
        }
        self.bodies.add(held, page_hash(held.url()), ArchivePlace { reading: 0, record })
    }

    pub(crate) fn next(&mut self) -> io::Result<Option<ResolvedRevisit>> {
        let Some((place, revisit)) = self.waiting.pop_front() else { return Ok(None) };
        let bodies = match &mut self.sorted {
            Some(sorted) => sorted,
            None => self.sorted.insert(self.bodies.sorted(&BTreeSet::new())?),
        };
        let body = bodies.find(&RevisitKeys::of(&revisit))?;
        Ok(Some((place, revisit, body)))
    }
}

/// Sizes are estimates for planning, so a very large one may be cut.
pub(crate) fn saturated(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// Reads a `WARC-Date`: `2026-01-02T03:04:05Z`, fractions of a second or less than that.
pub(crate) fn instant(text: &str) -> Option<Timestamp> {
    /// What the shorter forms of WARC 1.1 leave out.
    const REST: &str = "0000-01-01T00:00:00Z";
    let text = text.trim();
    text.parse().ok().or_else(|| {
        let short = text.strip_suffix('Z').unwrap_or(text);
        let is_short = matches!(short.len(), 4 | 7 | 10 | 16) && short.is_ascii();
        is_short.then(|| format!("{short}{}", &REST[short.len()..]).parse().ok()).flatten()
    })
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
    }
}
