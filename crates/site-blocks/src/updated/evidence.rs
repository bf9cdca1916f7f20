//! What says when a page was updated, and whether the snapshots bear it out.

use super::snapshot::Snapshot;
use jiff::{SignedDuration, Timestamp};
use std::cmp::Reverse;
use tsugi_dates::{StatedBy, When};

/// How close to its capture a `Last-Modified` is the time of the response, and how far behind it a clock may be wrong.
const CLOCK: SignedDuration = SignedDuration::from_secs(60);

/// Where an estimate comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// The server's `Last-Modified`.
    LastModified,
    /// A date that the page states.
    Stated(StatedBy),
    /// The snapshots alone.
    Snapshots,
}

impl Source {
    /// The word that stands for the source in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Source::LastModified => "last-modified",
            Source::Stated(by) => by.as_str(),
            Source::Snapshots => "snapshots",
        }
    }
}

/// One thing that says when the page was updated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// Where it comes from.
    pub source: Source,
    /// What it says.
    pub when: When,
    /// Whether it contradicts no snapshot.
    pub consistent: bool,
    /// Why, in words.
    pub why: &'static str,
}

/// Lists what the first snapshot with the text as it is now says, the weightiest first; `first` is its place.
///
/// That snapshot knows best: what later ones say may be about changes outside of the main text. The server's word alone is taken
/// from the first snapshot from there on whose header contradicts none.
///
/// CHOICE: within one source the latest consistent date comes first: pages list their changes. What is dated before the page was
/// published is no change of it.
///
/// CHOICE: in order of weight: the server's word; what the page says of its change in JSON-LD, then in `meta`; what it shows
/// near its headline; when it says to have been published, which is when it was updated where nothing changed since.
pub(super) fn weigh(snapshots: &[Snapshot], first: usize, after: Option<Timestamp>) -> Vec<Evidence> {
    let Some(snapshot) = snapshots.get(first) else { return Vec::new() };
    let before = snapshot.at;
    let later = &snapshots[first + 1..];
    let of_all = header_flaw(snapshots);
    let mut headers =
        snapshots[first..].iter().filter_map(|snapshot| snapshot.last_modified).map(|modified| {
            let when = When::of_instant(modified);
            evidence(Source::LastModified, when, of_all.or_else(|| flaw(when, after, before)))
        });
    let first_header = headers.next();
    let header = match first_header {
        Some(header) if !header.consistent => headers.find(|header| header.consistent).or(Some(header)),
        header => header,
    };
    let published = snapshot.text.stated.iter().filter(|stated| is_publication(stated.by));
    let published =
        published.map(|stated| stated.when.span().0).filter(|published| *published <= before).min();
    let mut all: Vec<Evidence> = snapshot
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
            let flaw = flaw.or(is_too_early.then_some("it is before the page was published"));
            let flaw = flaw.or(moves.then_some("it changes in later snapshots, and the main text does not"));
            evidence(Source::Stated(stated.by), stated.when, flaw)
        })
        .collect();
    all.dedup();
    all.sort_by_key(|evidence| (evidence.source, !evidence.consistent, Reverse(evidence.when.span())));
    header.into_iter().chain(all).collect()
}

/// Says whether a date is that of the publication.
fn is_publication(by: StatedBy) -> bool {
    matches!(by, StatedBy::JsonLdPublished | StatedBy::MetaPublished)
}

fn evidence(source: Source, when: When, flaw: Option<&'static str>) -> Evidence {
    let consistent = flaw.is_none();
    Evidence { source, when, consistent, why: flaw.unwrap_or("it contradicts no snapshot") }
}

/// What is wrong with a date for a change between two times.
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

/// What is wrong with the `Last-Modified` of a server.
///
/// CHOICE: a header that moves though not a character of the page did, or that is always the time of the answer, is a
/// stamp. One that moves where something beside the main text did is taken as it was when the text came.
fn header_flaw(snapshots: &[Snapshot]) -> Option<&'static str> {
    let known: Vec<(&Snapshot, Timestamp)> =
        snapshots.iter().filter_map(|snapshot| Some((snapshot, snapshot.last_modified?))).collect();
    if known.windows(2).any(|pair| pair[0].1 != pair[1].1 && pair[0].0.has_text_of(pair[1].0)) {
        return Some("the header moves though nothing changed on the page");
    }
    let distinct = known.windows(2).any(|pair| pair[0].1 != pair[1].1) || known.len() == 1;
    let is_stamp =
        |(snapshot, modified): &(&Snapshot, Timestamp)| modified.duration_since(snapshot.at).abs() <= CLOCK;
    (distinct && known.iter().all(is_stamp)).then_some("the header is the time of each answer")
}
