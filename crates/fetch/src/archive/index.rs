//! Which record counts for each address of one archive or of many, and fetching from there.
//!
//! What is known of each record is a row of fixed length. Sorted by address, the rows say which record counts for which
//! address. They stay in memory, or are in scratch files so that memory does not grow with the archives; see [`Scratch`].

use super::record::{HeldRecord, RecordPlace, is_robots};
use super::revisits::{ArchivePlace, Bodies, RevisitKeys, TextHash, hash, page_hash, saturated};
use crate::error::FetchError;
use crate::exchange::Wanted;
use crate::redirect::{is_redirect, redirected};
use crate::row;
use crate::row::{Packed, packed_enum};
use crate::sorter::{RowTable, Scratch, ScratchBytes, Sorter};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use tsugi_page::{Response, UnavailableKind, Url, address};

const MAX_REDIRECTS: usize = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordKind {
    Wanted,
    /// A redirect, an error, another type, or a conversion.
    Other,
    Orphan,
    Failure,
}

packed_enum! { RecordKind { Wanted = 0, Other = 1, Orphan = 2, Failure = 3, } }

impl RecordKind {
    /// Returns the kind of a record; `None` if it does not count for any address. A revisit is of another kind if the
    /// archive has its body.
    pub(crate) fn of(held: &HeldRecord) -> Option<RecordKind> {
        match held {
            // What a browser drew is a page, and what it drew it of is none.
            HeldRecord::Response(stored) if matches!(stored.wanted, Wanted::Drawn(_)) => {
                Some(RecordKind::Wanted)
            }
            HeldRecord::Response(stored) if stored.wanted == Wanted::File => None,
            HeldRecord::Response(stored) if stored.looks_as_wanted() && !stored.is_converted => {
                Some(RecordKind::Wanted)
            }
            HeldRecord::Response(_) => Some(RecordKind::Other),
            HeldRecord::Failure(_) => Some(RecordKind::Failure),
            HeldRecord::Revisit(revisit) if !is_robots(&revisit.url) => Some(RecordKind::Orphan),
            HeldRecord::Revisit(_) | HeldRecord::Elsewhere { .. } => None,
        }
    }

    /// Returns `true` if a later record counts in place of one of this kind.
    ///
    /// The first of the wanted kind (a page, an image) counts, or the last of all if there is none. So a page stays the
    /// same however often its address was requested, and an error gives way to a later record. A recorded failure
    /// replaces all before it: it is written only if those were of no use.
    pub(crate) fn gives_way_to(self, later: RecordKind) -> bool {
        match later {
            RecordKind::Orphan => false,
            RecordKind::Failure => true,
            RecordKind::Wanted | RecordKind::Other => self != RecordKind::Wanted,
        }
    }
}

row! {
    /// A place in the order in which the addresses of archives are first met; revisits come last.
    #[derive(PartialOrd, Ord)]
    pub struct Turn {
        is_revisit: bool,
        place: ArchivePlace,
    }
}

row! {
    pub(crate) struct TextSpan {
        start: u64,
        length: u32,
    }
}

row! {
    struct CandidateRow {
        like: TextHash,
        turn: Turn,
        exact: TextHash,
        /// The place of its body, which is elsewhere for a revisit.
        place: ArchivePlace,
        kind: RecordKind,
        /// Whether it is listed if it answered: a `robots.txt` is not, nor is a request for an image.
        is_listed: bool,
        host: HostHash,
        bytes: u32,
        text: TextSpan,
    }
}

row! {
    struct RevisitRow {
        keys: RevisitKeys,
        candidate: CandidateRow,
    }
}

row! {
    /// An address: first what it has in common with those like it, so that they come together.
    struct AddressKey {
        like: TextHash,
        exact: TextHash,
    }
}

/// In the place of an exact address, this is the one that counts for addresses like it. It sorts first.
const REPRESENTATIVE: TextHash = [0; 16];

row! {
    struct AddressRow {
        key: AddressKey,
        kind: RecordKind,
        place: ArchivePlace,
        text: TextSpan,
    }
}

row! {
    pub(crate) struct PageRow {
        pub(crate) turn: Turn,
        pub(crate) text: TextSpan,
        pub(crate) bytes: u32,
    }
}

/// The hash of a host; hosts that share one are worked on together, no more.
type HostHash = [u8; 8];

row! {
    pub(crate) struct ListedRow {
        pub(crate) host: HostHash,
        pub(crate) page: PageRow,
    }
}

/// Returns a hash that addresses have in common which are alike for a request, given the [`page_hash`] of one.
///
/// Requests for images are kept apart: an address may be requested both as a page and as an image, and be only one.
fn like_hash(page: TextHash, wanted: Wanted) -> TextHash {
    match wanted {
        Wanted::Image => hash([&page[..], b"image"].concat()),
        Wanted::Drawn(number) => hash([&page[..], b"drawn", &number.to_le_bytes()].concat()),
        Wanted::Page | Wanted::Robots | Wanted::File => page,
    }
}

/// Returns the requests whose answers are looked through. An image may be among the pages: other programs do not mark
/// images. A page counts as a browser drew it, if one did.
fn requests(wanted: Wanted) -> Vec<Wanted> {
    match wanted {
        Wanted::Image => vec![Wanted::Image, Wanted::Page],
        Wanted::Drawn(_) => vec![wanted],
        Wanted::Page | Wanted::Robots | Wanted::File => vec![Wanted::Drawn(0), Wanted::Page],
    }
}

/// Returns `true` if a record counts for a request. That a page could not be drawn says nothing of the page itself.
fn counts(kind: RecordKind, request: Wanted, wanted: Wanted) -> bool {
    request == wanted || kind != RecordKind::Failure || !matches!(request, Wanted::Drawn(_))
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredAt {
    request: Wanted,
    url: Url,
}

#[derive(Debug)]
pub(crate) struct Index {
    texts: ScratchBytes,
    addresses: RowTable<{ AddressRow::LENGTH }>,
}

impl Index {
    fn exact(&self, url: &Url, wanted: Wanted) -> io::Result<Option<AddressRow>> {
        let key = AddressKey { like: like_hash(page_hash(url), wanted), exact: hash(url.as_str()) };
        let found = self.addresses.first(&row::bytes::<_, { AddressKey::LENGTH }>(&key))?;
        Ok(found.map(|found| row::read(&found)).transpose()?)
    }

    /// Returns the row that counts for the addresses like this one. It is the first of them.
    fn alike(&self, url: &Url, wanted: Wanted) -> io::Result<Option<AddressRow>> {
        let found = self.addresses.first(&like_hash(page_hash(url), wanted))?;
        let found: Option<AddressRow> = found.map(|found| row::read(&found)).transpose()?;
        Ok(found.filter(|row| row.kind != RecordKind::Failure))
    }

    pub(crate) fn find(&self, url: &Url, wanted: Wanted) -> io::Result<Option<(ArchivePlace, StoredAt)>> {
        for request in requests(wanted) {
            if let Some(row) = self.exact(url, request)?.filter(|row| counts(row.kind, request, wanted)) {
                return Ok(Some((row.place, StoredAt { request, url: url.clone() })));
            }
        }
        for request in requests(wanted) {
            if let Some(row) = self.alike(url, request)? {
                return Ok(Some((row.place, StoredAt { request, url: self.url(row.text)? })));
            }
        }
        Ok(None)
    }

    pub(crate) fn has(&self, url: &Url) -> io::Result<bool> {
        Ok(self.alike(url, Wanted::Page)?.is_some())
    }

    pub(crate) fn url(&self, span: TextSpan) -> io::Result<Url> {
        let mut bytes = vec![0; span.length as usize];
        self.texts.read(span.start, &mut bytes)?;
        String::from_utf8(bytes).map_err(io::Error::other)?.parse().map_err(io::Error::other)
    }
}

/// Returns a page or an image, following redirects among stored records. `find` returns the record of an address, and
/// where it is stored.
pub(crate) fn follow(
    url: &Url,
    wanted: Wanted,
    find: impl Fn(&Url) -> Result<Option<(StoredAt, HeldRecord)>, FetchError>,
) -> Result<Response, FetchError> {
    let mut at = address::without_fragment(url);
    let mut before = None;
    for _ in 0..=MAX_REDIRECTS {
        // A redirect to an address that is stored only as the redirect itself leads nowhere.
        let Some((stored_at, held)) = find(&at)?.filter(|(stored_at, _)| before.as_ref() != Some(stored_at))
        else {
            return Err(FetchError::NotStored { url: at });
        };
        let stored = match held {
            // A revisit has the body of another address.
            HeldRecord::Response(stored) => stored.at(&stored_at.url),
            HeldRecord::Failure(refusal) => {
                let kind = UnavailableKind::named(&refusal.word);
                return Err(FetchError::Recorded { kind, message: refusal.message });
            }
            HeldRecord::Revisit(revisit) => return Err(revisit.orphaned()),
            HeldRecord::Elsewhere { url, .. } => return Err(FetchError::NotStored { url }),
        };
        match &stored.http.location {
            Some(location) if is_redirect(stored.http.status) => {
                at = redirected(&stored.url, location)?;
                before = Some(stored_at);
            }
            _ if wanted == Wanted::Image => return stored.into_image(),
            _ => return stored.into_page(),
        }
    }
    Err(FetchError::TooManyRedirects { url: url.clone(), limit: MAX_REDIRECTS })
}

#[derive(Debug)]
pub(crate) struct IndexBuilder {
    scratch: Scratch,
    texts: ScratchBytes,
    candidates: Sorter<{ CandidateRow::LENGTH }>,
    bodies: Bodies,
    /// Revisits wait until everything is read, since the body may come after the record that refers to it.
    revisits: RowTable<{ RevisitRow::LENGTH }>,
    void: BTreeSet<u32>,
}

impl IndexBuilder {
    pub(crate) fn new(scratch: &Scratch) -> IndexBuilder {
        IndexBuilder {
            scratch: scratch.clone(),
            texts: ScratchBytes::new(scratch),
            candidates: Sorter::new(scratch),
            bodies: Bodies::new(scratch),
            revisits: RowTable::new(scratch),
            void: BTreeSet::new(),
        }
    }

    pub(crate) fn drop_reading(&mut self, reading: u32) {
        self.void.insert(reading);
    }

    pub(crate) fn add(&mut self, place: ArchivePlace, held: &HeldRecord) -> io::Result<bool> {
        let (url, wanted) = (held.url(), held.wanted());
        let page = page_hash(url);
        self.bodies.add(held, page, place)?;
        let Some(kind) = RecordKind::of(held) else { return Ok(false) };
        let bytes = if let HeldRecord::Response(stored) = held { stored.body_length() } else { 0 };
        let length = u32::try_from(url.as_str().len()).map_err(io::Error::other)?;
        let candidate = CandidateRow {
            like: like_hash(page, wanted),
            turn: Turn { is_revisit: matches!(held, HeldRecord::Revisit(_)), place },
            exact: hash(url.as_str()),
            place,
            kind,
            is_listed: wanted == Wanted::Page && !is_robots(url),
            host: hash(address::host_key(url)).first_chunk().copied().unwrap_or_default(),
            bytes: saturated(bytes),
            text: TextSpan { start: self.texts.push(url.as_str().as_bytes())?, length },
        };
        match held {
            HeldRecord::Revisit(revisit) => {
                let keys = RevisitKeys::of(revisit);
                self.revisits.push(row::bytes(&RevisitRow { keys, candidate }))?;
            }
            _ => self.candidates.push(row::bytes(&candidate))?,
        }
        Ok(candidate.is_listed && kind != RecordKind::Failure)
    }

    pub(crate) fn finish(mut self) -> io::Result<(Index, Sorter<{ ListedRow::LENGTH }>)> {
        self.resolve_revisits()?;
        let IndexBuilder { scratch, texts, candidates, void, .. } = self;
        let index = Index { texts, addresses: RowTable::new(&scratch) };
        let mut counting = Counting { index, listed: Sorter::new(&scratch) };
        // Addresses that are alike come together, with their records in order.
        let mut alike: Vec<CandidateRow> = Vec::new();
        for candidate in candidates.finish()? {
            let candidate: CandidateRow = row::read(&candidate?)?;
            if void.contains(&candidate.turn.place.reading) {
                continue;
            }
            if alike.last().is_some_and(|last| last.like != candidate.like) {
                counting.add_alike(&alike)?;
                alike.clear();
            }
            alike.push(candidate);
        }
        counting.add_alike(&alike)?;
        Ok((counting.index, counting.listed))
    }

    fn resolve_revisits(&mut self) -> io::Result<()> {
        if self.revisits.is_empty() {
            return Ok(());
        }
        let bodies = self.bodies.sorted(&self.void)?;
        for number in 0..self.revisits.len() {
            let RevisitRow { keys, mut candidate } = row::read(&self.revisits.get(number)?)?;
            if let Some(body) = bodies.find(&keys)? {
                candidate.kind = if body.is_wanted { RecordKind::Wanted } else { RecordKind::Other };
                (candidate.place, candidate.bytes) = (body.place, body.bytes);
            }
            self.candidates.push(row::bytes(&candidate))?;
        }
        Ok(())
    }
}

#[derive(Debug)]
struct Counting {
    index: Index,
    listed: Sorter<{ ListedRow::LENGTH }>,
}

impl Counting {
    fn add_alike(&mut self, records: &[CandidateRow]) -> io::Result<()> {
        let mut alike = AlikeAddresses::default();
        for record in records {
            alike.add(*record);
        }
        let AlikeAddresses { mut counting, representative, .. } = alike;
        // An address that is alone is the first anyway.
        if let Some(number) = representative
            && counting.len() > 1
        {
            self.add_address(&CandidateRow { exact: REPRESENTATIVE, ..counting[number] })?;
        }
        counting.sort_unstable_by_key(|record| record.exact);
        for record in &counting {
            self.add_address(record)?;
            if record.is_listed && record.kind != RecordKind::Failure {
                let CandidateRow { host, turn, text, bytes, .. } = *record;
                let page = PageRow { turn, text, bytes };
                self.listed.push(row::bytes(&ListedRow { host, page }))?;
            }
        }
        Ok(())
    }

    fn add_address(&mut self, record: &CandidateRow) -> io::Result<()> {
        let CandidateRow { like, exact, kind, place, text, .. } = *record;
        let row = AddressRow { key: AddressKey { like, exact }, kind, place, text };
        self.index.addresses.push(row::bytes(&row))
    }
}

#[derive(Debug, Default)]
struct AlikeAddresses {
    numbers: BTreeMap<TextHash, usize>,
    /// The record that counts for each, in the order in which the addresses were first met.
    counting: Vec<CandidateRow>,
    /// The number of the address that counts for others like it: the first that is a page, or else the first that
    /// answered.
    representative: Option<usize>,
}

impl AlikeAddresses {
    fn add(&mut self, record: CandidateRow) {
        let number = *self.numbers.entry(record.exact).or_insert(self.counting.len());
        match self.counting.get_mut(number) {
            Some(before) if before.kind.gives_way_to(record.kind) => {
                // The address keeps its turn.
                (before.place, before.kind, before.bytes) = (record.place, record.kind, record.bytes);
            }
            Some(_) => return,
            None => self.counting.push(record),
        }
        if record.kind == RecordKind::Failure {
            return;
        }
        let representative = *self.representative.get_or_insert(number);
        if record.kind == RecordKind::Wanted && self.counting[representative].kind != RecordKind::Wanted {
            self.representative = Some(number);
        }
    }
}

#[derive(Debug)]
pub(crate) struct GrowingIndex {
    opened: Index,
    added: BTreeMap<(Wanted, String), (RecordKind, RecordPlace)>,
}

impl GrowingIndex {
    pub(crate) fn new(opened: Index) -> GrowingIndex {
        GrowingIndex { opened, added: BTreeMap::new() }
    }

    pub(crate) fn add(&mut self, held: &HeldRecord, place: RecordPlace) -> io::Result<()> {
        let Some(kind) = RecordKind::of(held) else { return Ok(()) };
        let wanted = match held.wanted() {
            kept @ (Wanted::Image | Wanted::Drawn(_)) => kept,
            Wanted::Page | Wanted::Robots | Wanted::File => Wanted::Page,
        };
        let before = self.exact(held.url(), wanted)?;
        if before.is_none_or(|(before, _)| before.gives_way_to(kind)) {
            self.added.insert((wanted, held.url().as_str().to_owned()), (kind, place));
        }
        Ok(())
    }

    fn exact(&self, url: &Url, wanted: Wanted) -> io::Result<Option<(RecordKind, RecordPlace)>> {
        if let Some(added) = self.added.get(&(wanted, url.as_str().to_owned())) {
            return Ok(Some(*added));
        }
        Ok(self.opened.exact(url, wanted)?.map(|row| (row.kind, row.place.record)))
    }

    /// Returns the place of the record that counts for exactly this address, and where it is stored.
    pub(crate) fn find(&self, url: &Url, wanted: Wanted) -> io::Result<Option<(RecordPlace, StoredAt)>> {
        for request in requests(wanted) {
            let found = self.exact(url, request)?.filter(|(kind, _)| counts(*kind, request, wanted));
            if let Some((_, place)) = found {
                return Ok(Some((place, StoredAt { request, url: url.clone() })));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::{Refusal, StoredAnswer};
    use super::*;
    use crate::archive::head::HttpHead;

    fn response(at: &str, head: &str) -> HeldRecord {
        let url: Url = at.parse().unwrap();
        let http = HttpHead::read(&mut format!("HTTP/1.1 {head}\r\n\r\n").as_bytes()).unwrap();
        HeldRecord::Response(StoredAnswer::new(at, url, http, b"<p>".to_vec()))
    }

    fn failure(at: &str) -> HeldRecord {
        let (url, wanted) = (at.parse().unwrap(), Wanted::Page);
        HeldRecord::Failure(Refusal { url, wanted, word: "timeout".into(), message: "late".into() })
    }

    fn place(offset: u64) -> ArchivePlace {
        ArchivePlace { reading: 0, record: RecordPlace { offset, inside: 0 } }
    }

    #[test]
    fn the_first_page_counts_else_the_last_record() {
        let at = "https://a.test/1";
        let page = || response(at, "200 OK\r\nContent-Type: text/html");
        let (gone, image) = (|| response(at, "503 No"), || response(at, "200 OK\r\nContent-Type: image/png"));
        let cases: [(Vec<HeldRecord>, u64); 6] = [
            (vec![page(), page(), gone()], 0),
            (vec![gone(), image()], 1),
            (vec![image(), page(), page()], 1),
            (vec![failure(at), gone(), failure(at)], 2),
            (vec![failure(at), page(), gone()], 1),
            (vec![page(), failure(at), gone(), page()], 3),
        ];
        for (records, counts) in cases {
            // However many of the records were there when the archive was opened.
            for opened in 0..=records.len() {
                let mut builder = IndexBuilder::new(&Scratch::in_memory());
                let mut offsets = (0..).zip(&records);
                for (offset, record) in offsets.by_ref().take(opened) {
                    builder.add(place(offset), record).unwrap();
                }
                let mut index = GrowingIndex::new(builder.finish().unwrap().0);
                for (offset, record) in offsets {
                    index.add(record, place(offset).record).unwrap();
                }
                let found = index.find(&at.parse().unwrap(), Wanted::Page).unwrap().unwrap();
                assert_eq!(found.0.offset, counts, "{records:?}");
            }
        }
    }

    #[test]
    fn pages_go_before_redirects_and_failures_where_addresses_are_alike() {
        let mut builder = IndexBuilder::new(&Scratch::in_memory());
        for (offset, record) in (0..).zip([
            failure("https://www.a.test/1"),
            response("http://a.test/1", "301 Moved\r\nLocation: /2"),
            response("http://a.test/1/", "200 OK\r\nContent-Type: text/html"),
            failure("https://a.test/3"),
            response("https://a.test/robots.txt", "200 OK\r\nContent-Type: text/plain"),
        ]) {
            builder.add(place(offset), &record).unwrap();
        }
        let (index, listed) = builder.finish().unwrap();
        let exact = |at: &str| {
            let row = index.exact(&at.parse().unwrap(), Wanted::Page).unwrap();
            row.map(|row| row.place.record.offset)
        };
        let find = |at: &str| {
            let found = index.find(&at.parse().unwrap(), Wanted::Page).unwrap();
            found.map(|(place, stored_at)| (place.record.offset, String::from(stored_at.url)))
        };
        assert_eq!(find("https://a.test/1"), Some((2, "http://a.test/1/".to_owned())));
        assert_eq!(exact("https://a.test/1"), None);
        assert_eq!(find("https://www.a.test/1"), Some((0, "https://www.a.test/1".to_owned())));
        assert_eq!((exact("https://a.test/3"), find("http://a.test/3")), (Some(3), None));
        let urls = listed.finish().unwrap().map(|row| {
            let row: ListedRow = row::read(&row.unwrap()).unwrap();
            index.url(row.page.text).unwrap()
        });
        assert!(urls.map(String::from).eq(["http://a.test/1", "http://a.test/1/"]));
    }
}
