//! Statements of servers and pages about the time of an update: right, wrong, or none.

use super::history::{ChangeKind, SNAPSHOTS};
use crate::updated::{EvidenceSource, Snapshot, Update};
use jiff::{SignedDuration, Timestamp};
use tsugi_dates::{Stated, StatedBy, When};

/// Seconds between two snapshots.
const HOUR: i64 = 3600;
/// How long before a snapshot something changed that changed since the one before, in seconds.
const BEFORE: i64 = 1200;
/// When the page was written, in seconds from the first snapshot.
const WRITTEN: i64 = -864_000;
/// Seconds by which an estimate may be off.
const OFF: i64 = 60;

/// The time in the server's `Last-Modified`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LastModifiedHeader {
    Missing,
    /// When the text changed last.
    Right,
    /// When anything on the page changed last.
    OfPage,
    /// The time of the response.
    Stamp,
    /// When the page was written, although its text changed since.
    Stale,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OnPage {
    Nothing,
    /// The time of the last change, as metadata.
    Modified,
    Published,
    /// Today's date near the headline.
    Today,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Statements {
    header: LastModifiedHeader,
    on_page: OnPage,
    pub(crate) name: &'static str,
}

const fn statements(header: LastModifiedHeader, on_page: OnPage, name: &'static str) -> Statements {
    Statements { header, on_page, name }
}

impl Statements {
    pub(crate) const ALL: [Statements; 10] = [
        statements(LastModifiedHeader::Missing, OnPage::Nothing, "none, none"),
        statements(LastModifiedHeader::Right, OnPage::Nothing, "right, none"),
        statements(LastModifiedHeader::OfPage, OnPage::Nothing, "of any change on the page, none"),
        statements(LastModifiedHeader::Stamp, OnPage::Nothing, "the time of the response, none"),
        statements(LastModifiedHeader::Stale, OnPage::Nothing, "never renewed, none"),
        statements(LastModifiedHeader::Missing, OnPage::Modified, "none, date of change"),
        statements(LastModifiedHeader::Missing, OnPage::Published, "none, date of publication"),
        statements(LastModifiedHeader::Missing, OnPage::Today, "none, today's date"),
        statements(LastModifiedHeader::Stamp, OnPage::Modified, "the time of the response, date of change"),
        statements(LastModifiedHeader::Right, OnPage::Today, "right, today's date"),
    ];
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Estimate {
    /// It is right to a minute.
    Right,
    /// A header or a date was believed, and the time is wrong.
    Misled,
    /// Only the snapshots tell the time, or there is none.
    OfSnapshots,
}

pub(super) fn time_of(at: usize) -> Timestamp {
    instant(HOUR * i64::try_from(at).unwrap_or(0))
}

fn instant(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap_or_default()
}

/// When something last changed at the time of a snapshot, given whether it changed at each step.
fn last_change(at: usize, changed: impl Fn(ChangeKind) -> bool, steps: &[ChangeKind]) -> Timestamp {
    let step = steps.iter().take(at).rposition(|step| changed(*step));
    step.map_or_else(|| instant(WRITTEN), |step| time_of(step + 1) - SignedDuration::from_secs(BEFORE))
}

impl Statements {
    /// The same snapshots with statements of a server and a page, given the changes between them.
    pub(super) fn said(
        self,
        steps: &[ChangeKind],
        snapshot: impl Fn(usize, Option<Timestamp>, Vec<Stated>) -> Snapshot,
    ) -> Vec<Snapshot> {
        let of_text = |at: usize| last_change(at, |step| step == ChangeKind::Body, steps);
        let of_page = |at: usize| last_change(at, |step| step != ChangeKind::None, steps);
        let one = |at: usize| {
            let header = match self.header {
                LastModifiedHeader::Missing => None,
                LastModifiedHeader::Right => Some(of_text(at)),
                LastModifiedHeader::OfPage => Some(of_page(at)),
                LastModifiedHeader::Stamp => Some(time_of(at)),
                LastModifiedHeader::Stale => Some(instant(WRITTEN)),
            };
            let stated = match self.on_page {
                OnPage::Nothing => None,
                OnPage::Modified => Some((StatedBy::JsonLdModified, of_text(at))),
                OnPage::Published => Some((StatedBy::JsonLdPublished, instant(WRITTEN))),
                OnPage::Today => Some((StatedBy::Text, time_of(at))),
            };
            let stated = stated.map(|(by, time)| Stated { by, when: When::of_instant(time) });
            snapshot(at, header, stated.into_iter().collect())
        };
        (0..SNAPSHOTS).map(one).collect()
    }
}

pub(super) fn judge(update: Option<&Update>, steps: &[ChangeKind]) -> Estimate {
    let truth = last_change(steps.len(), |step| step == ChangeKind::Body, steps);
    let Some((update, at)) = update.and_then(|update| Some((update, update.at?))) else {
        return Estimate::OfSnapshots;
    };
    let (first, last) = at.span();
    let is_near = |time: Timestamp| time.duration_since(truth).abs().as_secs() <= OFF;
    match update.by {
        _ if is_near(first) && is_near(last) => Estimate::Right,
        Some(EvidenceSource::LastModified | EvidenceSource::Stated(_)) => Estimate::Misled,
        _ => Estimate::OfSnapshots,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::updated::last_update;
    use tsugi_page::{Content, Evidence, NodeId, Page};

    /// The estimate where an advertisement changes, then the text, then an advertisement, and the text is found.
    fn estimate(statements: Statements) -> Estimate {
        let steps =
            [ChangeKind::Advertisement, ChangeKind::Body, ChangeKind::Advertisement, ChangeKind::None];
        let said = statements.said(&steps, |at, header, stated| {
            let (text, advertisement) = (if at < 2 { "old" } else { "new" }, [0, 1, 1, 2, 2][at]);
            let html = format!("<main><p>Snow fell, says the {text} report.</main><p>{advertisement}");
            let page = Page::from_text(&html, &"https://a.test/".parse().unwrap());
            let nodes: Vec<NodeId> = page.first("main").into_iter().collect();
            let content = Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Model };
            Snapshot::of(time_of(at), &page, &content, header, stated)
        });
        judge(last_update(said).as_ref(), &steps)
    }

    #[test]
    fn right_statements_are_believed_and_wrong_ones_are_not() {
        let estimates = Statements::ALL.map(|statements| (statements.name, estimate(statements)));
        let of = |name: &str| estimates.iter().find(|(known, _)| *known == name).unwrap().1;
        for name in ["right, none", "none, date of change", "the time of the response, date of change"] {
            assert_eq!(of(name), Estimate::Right, "{name}");
        }
        for name in ["none, none", "the time of the response, none", "never renewed, none"] {
            assert_eq!(of(name), Estimate::OfSnapshots, "{name}");
        }
        // Of the first snapshot with the new text, the header still tells the change of the text.
        assert_eq!(of("of any change on the page, none"), Estimate::Right);
    }
}
