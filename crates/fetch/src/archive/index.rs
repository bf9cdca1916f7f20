//! The places of addresses in an archive, and fetching from there.

use super::record::{HeldRecord, RecordPlace, Stored, is_robots};
use super::revisits::Revisits;
use crate::error::FetchError;
use crate::exchange::Wanted;
use crate::redirect::{is_redirect, redirected};
use std::collections::BTreeMap;
use std::ptr;
use tsugi_page::{Response, Url, address};

/// How many redirects are followed inside an archive.
const MAX_REDIRECTS: usize = 10;

/// The addresses of an archive and the places of their records.
///
/// Requests for images are kept apart: an address may be requested both as a page and as an image, and be only one.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pages: Addresses<RecordPlace>,
    images: Addresses<RecordPlace>,
}

/// Addresses of requests for one kind of resource.
///
/// One record counts for each address: the first of the wanted kind (a page, an image), or the last of all if there is
/// none. So a page stays the same however often its address was requested, and an error gives way to a later record. A
/// recorded failure replaces all before it: it is written only if those were of no use.
#[derive(Debug)]
pub(crate) struct Addresses<P> {
    entries: Vec<Entry<P>>,
    /// By exact address.
    exact: BTreeMap<String, usize>,
    /// By [`address::page_key`]; failures are not among them.
    alike: BTreeMap<String, usize>,
}

/// An address, and the place of the record that counts for it.
#[derive(Debug)]
pub(crate) struct Entry<P> {
    pub(crate) url: Url,
    pub(crate) place: P,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Wanted,
    /// A redirect, an error, another type, or a conversion.
    Other,
    /// A revisit whose body is not there.
    Orphan,
    Failure,
}

/// Which addresses count as the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// Equal ones.
    Exact,
    /// Equal ones first, then those with an equal [`address::page_key`].
    Alike,
}

impl Index {
    /// Adds a record; returns whether it is the one that counts for its address.
    pub(crate) fn add(&mut self, held: &HeldRecord, place: RecordPlace) -> bool {
        let Some(kind) = Kind::of(held) else { return false };
        self.asked_for(held.wanted()).add(held.url(), kind, place)
    }

    fn asked_for(&mut self, wanted: Wanted) -> &mut Addresses<RecordPlace> {
        if wanted == Wanted::Image { &mut self.images } else { &mut self.pages }
    }

    /// Returns the addresses that answered for a page, in the order in which they were first met.
    pub(crate) fn urls(&self) -> impl Iterator<Item = &Url> {
        self.pages.urls()
    }

    /// Returns the entry of an address. An image may be among the pages.
    fn find(&self, url: &Url, lookup: Lookup, wanted: Wanted) -> Option<&Entry<RecordPlace>> {
        let images = Some(&self.images).filter(|_| wanted == Wanted::Image);
        let held = || images.into_iter().chain([&self.pages]);
        let exact = held().find_map(|addresses| addresses.exact(url));
        match lookup {
            Lookup::Exact => exact,
            Lookup::Alike => exact.or_else(|| held().find_map(|addresses| addresses.alike(url))),
        }
    }

    /// Returns a page or an image, following redirects inside the archive; `read` reads the record at a place.
    pub(crate) fn fetch(
        &self,
        url: &Url,
        lookup: Lookup,
        wanted: Wanted,
        read: impl Fn(RecordPlace) -> Result<HeldRecord, FetchError>,
    ) -> Result<Response, FetchError> {
        follow(url, wanted, |at| {
            let Some(entry) = self.find(at, lookup, wanted) else { return Ok(None) };
            Ok(Some((ptr::from_ref(entry), entry.url.clone(), read(entry.place)?)))
        })
    }
}

/// Returns a page or an image, following redirects among stored records. `find` returns the record of an address, its own
/// address, and what tells it from others.
pub(crate) fn follow<I: PartialEq>(
    url: &Url,
    wanted: Wanted,
    find: impl Fn(&Url) -> Result<Option<(I, Url, HeldRecord)>, FetchError>,
) -> Result<Response, FetchError> {
    let mut at = address::without_fragment(url);
    let mut before = None;
    for _ in 0..=MAX_REDIRECTS {
        let found = find(&at)?;
        // A redirect to an address that is stored only as the redirect itself leads nowhere.
        let Some((id, url, held)) = found.filter(|(id, ..)| before.as_ref() != Some(id)) else {
            return Err(FetchError::NotStored { url: at });
        };
        let stored = match held {
            // A revisit has the body of another address.
            HeldRecord::Response(stored) => stored.at(&url),
            HeldRecord::Failure(refusal) => {
                let (word, message) = (refusal.word, refusal.message);
                return Err(FetchError::Recorded { word, message });
            }
            HeldRecord::Revisit(revisit) => return Err(revisit.orphaned()),
            HeldRecord::Elsewhere { url, .. } => return Err(FetchError::NotStored { url }),
        };
        match &stored.http.location {
            Some(location) if is_redirect(stored.http.status) => {
                at = redirected(&stored.url, location)?;
                before = Some(id);
            }
            _ if wanted == Wanted::Image => return stored.into_image(),
            _ => return stored.into_page(),
        }
    }
    Err(FetchError::TooManyRedirects { url: url.clone(), limit: MAX_REDIRECTS })
}

impl Kind {
    /// Returns the kind of a record; `None` if another record decides, or none.
    pub(crate) fn of(held: &HeldRecord) -> Option<Kind> {
        match held {
            HeldRecord::Response(stored) => Some(Kind::of_stored(stored)),
            HeldRecord::Failure(_) => Some(Kind::Failure),
            HeldRecord::Revisit(_) | HeldRecord::Elsewhere { .. } => None,
        }
    }

    fn of_stored(stored: &Stored) -> Kind {
        if stored.looks_as_wanted() && !stored.is_converted { Kind::Wanted } else { Kind::Other }
    }
}

/// An index that is being made of a whole archive.
#[derive(Debug, Default)]
pub(crate) struct Indexing {
    index: Index,
    revisits: Revisits,
}

impl Indexing {
    /// Adds a record.
    pub(crate) fn add(&mut self, held: &HeldRecord, place: RecordPlace) {
        self.index.add(held, place);
        self.revisits.add(held, place);
    }

    /// Adds the revisits, and returns the index.
    pub(crate) fn finish(self) -> Index {
        let Indexing { mut index, revisits } = self;
        for (own, revisit, body) in revisits {
            let (kind, place) = match body {
                Some(body) if body.is_wanted => (Kind::Wanted, body.place),
                Some(body) => (Kind::Other, body.place),
                None => (Kind::Orphan, own),
            };
            index.asked_for(revisit.wanted).add(&revisit.url, kind, place);
        }
        index
    }
}

impl<P> Default for Addresses<P> {
    fn default() -> Addresses<P> {
        Addresses { entries: Vec::new(), exact: BTreeMap::new(), alike: BTreeMap::new() }
    }
}

impl<P> Addresses<P> {
    /// Adds a record; returns whether it is the one that counts for its address.
    pub(crate) fn add(&mut self, url: &Url, kind: Kind, place: P) -> bool {
        let index = if let Some(&index) = self.exact.get(url.as_str()) {
            let entry = &mut self.entries[index];
            if kind == Kind::Orphan || (entry.kind == Kind::Wanted && kind != Kind::Failure) {
                return false;
            }
            (entry.place, entry.kind) = (place, kind);
            index
        } else {
            let index = self.entries.len();
            self.exact.insert(url.as_str().to_owned(), index);
            self.entries.push(Entry { url: url.clone(), place, kind });
            index
        };
        if kind != Kind::Failure {
            let alike = self.alike.entry(address::page_key(url)).or_insert(index);
            if kind == Kind::Wanted && self.entries[*alike].kind != Kind::Wanted {
                *alike = index;
            }
        }
        true
    }

    /// Returns the number of addresses.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the addresses in the order in which they were first met. If they are all alike, which one counts for others
    /// like them comes with them.
    pub(crate) fn into_entries(self) -> (Vec<Entry<P>>, Option<usize>) {
        (self.entries, self.alike.into_values().next())
    }

    fn urls(&self) -> impl Iterator<Item = &Url> {
        let answered = self.entries.iter().filter(|entry| entry.kind != Kind::Failure);
        answered.map(|entry| &entry.url).filter(|url| !is_robots(url))
    }

    fn exact(&self, url: &Url) -> Option<&Entry<P>> {
        self.exact.get(url.as_str()).map(|index| &self.entries[*index])
    }

    fn alike(&self, url: &Url) -> Option<&Entry<P>> {
        let alike = self.alike.get(&address::page_key(url)).map(|index| &self.entries[*index]);
        alike.filter(|entry| entry.kind != Kind::Failure)
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::{Refusal, Stored};
    use super::*;
    use crate::archive::head::HttpHead;

    fn response(at: &str, head: &str) -> HeldRecord {
        let url: Url = at.parse().unwrap();
        let http = HttpHead::read(&mut format!("HTTP/1.1 {head}\r\n\r\n").as_bytes()).unwrap();
        HeldRecord::Response(Stored::new(at, url, http, b"<p>".to_vec()))
    }

    fn failure(at: &str) -> HeldRecord {
        let (url, wanted) = (at.parse().unwrap(), Wanted::Page);
        HeldRecord::Failure(Refusal { url, wanted, word: "timeout".into(), message: "late".into() })
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
            let mut index = Index::default();
            for (offset, record) in (0..).zip(&records) {
                index.add(record, RecordPlace { offset, inside: 0 });
            }
            assert_eq!(index.pages.entries.len(), 1);
            assert_eq!(index.pages.entries[0].place.offset, counts, "{records:?}");
        }
    }

    #[test]
    fn pages_go_before_redirects_and_failures_where_addresses_are_alike() {
        let mut index = Index::default();
        for (offset, record) in (0..).zip([
            failure("https://www.a.test/1"),
            response("http://a.test/1", "301 Moved\r\nLocation: /2"),
            response("http://a.test/1/", "200 OK\r\nContent-Type: text/html"),
            failure("https://a.test/3"),
            response("https://a.test/robots.txt", "200 OK\r\nContent-Type: text/plain"),
        ]) {
            assert!(index.add(&record, RecordPlace { offset, inside: 0 }));
        }
        let find = |at: &str, lookup| {
            index.find(&at.parse().unwrap(), lookup, Wanted::Page).map(|entry| entry.place.offset)
        };
        assert_eq!(find("https://a.test/1", Lookup::Alike), Some(2));
        assert_eq!(find("https://a.test/1", Lookup::Exact), None);
        assert_eq!(find("https://www.a.test/1", Lookup::Alike), Some(0));
        assert_eq!(
            (find("https://a.test/3", Lookup::Exact), find("http://a.test/3", Lookup::Alike)),
            (Some(3), None)
        );
        assert!(index.urls().map(Url::as_str).eq(["http://a.test/1", "http://a.test/1/"]));
    }
}
