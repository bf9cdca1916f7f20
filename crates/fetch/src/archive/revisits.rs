//! Revisits: records of answers equal to earlier ones, whose bodies they refer to.

use super::record::{About, HeldRecord, RecordPlace, Revisit, is_robots};
use jiff::Timestamp;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use tsugi_page::{Url, address};

/// The revisits of an archive, and the bodies that they may refer to.
///
/// Revisits wait until the whole archive is read, since in merged archives the body may come after the record that
/// refers to it.
#[derive(Debug, Default)]
pub(crate) struct Revisits {
    waiting: VecDeque<(RecordPlace, Revisit)>,
    by_digest: BTreeMap<String, Body>,
    /// By [`address::page_key`] and time.
    by_time: BTreeMap<(Arc<str>, Timestamp), Body>,
}

/// The place of a body.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub(crate) place: RecordPlace,
    /// Whether it is what was requested: a page, or an image.
    pub(crate) is_wanted: bool,
    /// The [`address::page_key`] of its record.
    key: Arc<str>,
}

impl Body {
    /// Returns `true` if its record is of this page.
    pub(crate) fn is_of(&self, url: &Url) -> bool {
        *self.key == *address::page_key(url)
    }
}

impl Revisits {
    /// Takes notice of a record: its body, or what it refers to.
    pub(crate) fn add(&mut self, held: &HeldRecord, place: RecordPlace) {
        match held {
            HeldRecord::Response(stored) if !stored.is_converted => {
                let key: Arc<str> = address::page_key(&stored.url).into();
                let body = Body { place, is_wanted: stored.looks_as_wanted(), key: Arc::clone(&key) };
                let About { date, digest } = &stored.about;
                if let Some(at) = date.as_deref().and_then(instant) {
                    self.by_time.entry((key, at)).or_insert_with(|| body.clone());
                }
                if let Some(digest) = digest {
                    self.by_digest.entry(digest.clone()).or_insert(body);
                }
            }
            HeldRecord::Revisit(revisit) if !is_robots(&revisit.url) => {
                self.waiting.push_back((place, revisit.clone()));
            }
            _ => {}
        }
    }

    /// Returns the body of a revisit: by address and time, by the digest, or else the one of its address before it.
    fn body(&self, revisit: &Revisit) -> Option<&Body> {
        let (url, at) = &revisit.refers_to;
        let key: Arc<str> = address::page_key(url.as_ref().unwrap_or(&revisit.url)).into();
        let named = at.as_deref().and_then(instant);
        let by_time = || self.by_time.get(&(Arc::clone(&key), named?));
        let by_digest = || self.by_digest.get(revisit.about.digest.as_ref()?);
        if let Some(body) = by_time().or_else(by_digest) {
            return Some(body);
        }
        if named.is_some() {
            return None;
        }
        let own = revisit.about.date.as_deref().and_then(instant)?;
        let before = (Arc::clone(&key), Timestamp::MIN)..=(Arc::clone(&key), own);
        self.by_time.range(before).next_back().map(|(_, body)| body)
    }
}

impl Iterator for Revisits {
    type Item = (RecordPlace, Revisit, Option<Body>);

    /// Returns the next revisit, its place, and the body that it refers to, if the archive has it.
    fn next(&mut self) -> Option<Self::Item> {
        let (place, revisit) = self.waiting.pop_front()?;
        let body = self.body(&revisit).cloned();
        Some((place, revisit, body))
    }
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
