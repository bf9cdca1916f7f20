//! Evidence for the time of an update, checked against the snapshots.

use super::snapshot::Snapshot;
use jiff::{SignedDuration, Timestamp};
use std::cmp::Reverse;
use tsugi_dates::{StatedBy, When};

/// Tolerance for clocks: a `Last-Modified` this close to the capture is the time of the response.
const CLOCK: SignedDuration = SignedDuration::from_secs(60);

/// The source of an estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EvidenceSource {
    /// The server's `Last-Modified`.
    LastModified,
    /// A date that the page states.
    Stated(StatedBy),
    /// Only the snapshots.
    Snapshots,
}

impl EvidenceSource {
    /// Returns the name of the source in output.
    pub fn as_str(self) -> &'static str {
        match self {
            EvidenceSource::LastModified => "last-modified",
            EvidenceSource::Stated(by) => by.as_str(),
            EvidenceSource::Snapshots => "snapshots",
        }
    }
}

/// A statement about the time of the update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpdateEvidence {
    /// Where it is stated.
    pub source: EvidenceSource,
    /// The stated time.
    pub when: When,
    /// `true` if it contradicts no snapshot.
    pub consistent: bool,
    /// An explanation in words.
    pub why: &'static str,
}

/// Lists the evidence in the first snapshot with the current text, at index `first`, in order of weight.
///
/// That snapshot is the best source: later ones may refer to changes outside the main text. Only the server's header
/// is taken from the first snapshot at or after it whose header contradicts none.
///
/// Within one source, the latest consistent date comes first, because pages list their changes. A date before
/// publication is not a change.
///
/// The order of weight is: the server's header; the modification date in JSON-LD, then in `meta`; the date
/// shown near the headline; the publication date, which is the update date if nothing has changed since.
pub(super) fn weigh(snapshots: &[Snapshot], first: usize, after: Option<Timestamp>) -> Vec<UpdateEvidence> {
    let Some(snapshot) = snapshots.get(first) else { return Vec::new() };
    let before = snapshot.at;
    let later = &snapshots[first + 1..];
    let of_all = header_flaw(snapshots);
    let mut headers =
        snapshots[first..].iter().filter_map(|snapshot| snapshot.last_modified).map(|modified| {
            let when = When::of_instant(modified);
            evidence(EvidenceSource::LastModified, when, of_all.or_else(|| flaw(when, after, before)))
        });
    let first_header = headers.next();
    let header = match first_header {
        Some(header) if !header.consistent => headers.find(|header| header.consistent).or(Some(header)),
        header => header,
    };
    let published = snapshot.text.stated.iter().filter(|stated| is_publication(stated.by));
    let published =
        published.map(|stated| stated.when.span().0).filter(|published| *published <= before).min();
    let mut all: Vec<UpdateEvidence> = snapshot
        .text
        .stated
        .iter()
        .map(|stated| {
            let moves = later.iter().any(|later| {
                let mut same = later.text.stated.iter().filter(|other| other.by == stated.by).peekable();
                same.peek().is_some() && same.all(|other| other.when != stated.when)
            });
            let is_too_early = published.is_some_and(|published| stated.when.span().1 < published);
            let flaw = flaw(stated.when, after, before);
            let flaw = flaw.or(is_too_early.then_some("it precedes publication"));
            let flaw = flaw.or(moves.then_some("it changes in later snapshots, but the main text does not"));
            evidence(EvidenceSource::Stated(stated.by), stated.when, flaw)
        })
        .collect();
    all.dedup();
    all.sort_by_key(|evidence| (evidence.source, !evidence.consistent, Reverse(evidence.when.span())));
    header.into_iter().chain(all).collect()
}

fn is_publication(by: StatedBy) -> bool {
    matches!(by, StatedBy::JsonLdPublished | StatedBy::MetaPublished)
}

fn evidence(source: EvidenceSource, when: When, flaw: Option<&'static str>) -> UpdateEvidence {
    let consistent = flaw.is_none();
    UpdateEvidence { source, when, consistent, why: flaw.unwrap_or("it contradicts no snapshot") }
}

/// Returns the flaw of a date for a change between two times.
fn flaw(when: When, after: Option<Timestamp>, before: Timestamp) -> Option<&'static str> {
    let (first, last) = when.span();
    if first.duration_since(before) > CLOCK {
        Some("it is later than the first snapshot with this text")
    } else if after.is_some_and(|after| last <= after) {
        Some("it is not later than the last snapshot with another text")
    } else {
        None
    }
}

/// Returns the flaw of a server's `Last-Modified` headers.
///
/// A header that changes although not a character of the page did, or that always equals the response time,
/// is a time stamp. A header that changes with something outside the main text is used as it was when the current
/// text first appeared.
fn header_flaw(snapshots: &[Snapshot]) -> Option<&'static str> {
    let known: Vec<(&Snapshot, Timestamp)> =
        snapshots.iter().filter_map(|snapshot| Some((snapshot, snapshot.last_modified?))).collect();
    if known.windows(2).any(|pair| pair[0].1 != pair[1].1 && pair[0].0.has_text_of(pair[1].0)) {
        return Some("the header changes although the page does not");
    }
    let distinct = known.windows(2).any(|pair| pair[0].1 != pair[1].1) || known.len() == 1;
    let is_stamp =
        |(snapshot, modified): &(&Snapshot, Timestamp)| modified.duration_since(snapshot.at).abs() <= CLOCK;
    (distinct && known.iter().all(is_stamp)).then_some("the header always equals the response time")
}
