//! Estimates when the main text of a page was last changed, from snapshots of it.
//!
//! The page was updated between the last two snapshots whose main text differs; a change outside the main text
//! (advertisements, links to the latest news) is not an update. Other evidence (`Last-Modified`, dates that the page
//! states) narrows the interval if it contradicts no snapshot.
//!
//! ```text
//! Page + Content ─of→ Snapshot, Snapshot, … ─change (line by line)→ between which two ─evidence→ Update
//! ```
//!
//! # Source
//!
//! Kurishima, Mori, Takeno & Inagaki, Webの本文部分抽出技術を用いたコンテンツの更新日時推定の検討 (estimating when content was updated, by
//! extracting the main text), sections 2 and 3. The paper gives the idea. How two texts are compared, and when a
//! header contradicts a snapshot, is our choice, explained at `Snapshot::change_to` and [`last_update`].

mod change;
mod evidence;
mod score;
mod snapshot;

pub use change::Change;
pub use evidence::{EvidenceSource, UpdateEvidence};
pub use score::{UpdateInterval, UpdateLabels, UpdateScore};
pub use snapshot::Snapshot;

use evidence::weigh;
use jiff::Timestamp;
use tsugi_dates::When;

/// Maximum number of consecutive snapshots ignored as another page.
const MOST_DISTURBANCES: usize = 4;

/// The last update of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    /// Time of the last snapshot with the old text; `None` if no snapshot has another text, so that the last update
    /// precedes the first snapshot.
    pub after: Option<Timestamp>,
    /// Time of the first snapshot with the current text.
    pub before: Timestamp,
    /// The best estimate; `None` if nothing limits an open interval.
    pub at: Option<When>,
    /// The source of the estimate.
    pub by: Option<EvidenceSource>,
    /// All evidence, consistent or not, in order of weight.
    pub evidence: Vec<UpdateEvidence>,
    /// The changes; `None` if none were seen.
    pub change: Option<Change>,
    /// An explanation of the answer in words.
    pub reason: String,
}

/// Estimates when the main text of a page was last changed. Snapshots may be in any order; of two with the same time,
/// the later in the list counts as later. Returns `None` if no snapshot has a main text.
///
/// The last change counts, even if it restores an older text, because readers saw a change.
///
/// Up to four consecutive snapshots are ignored if they share no line of main text with the snapshots around
/// them, and those do not differ. Otherwise, an error page or a paywall served instead of the page would count as
/// two updates.
///
/// A snapshot without main text is ignored, since that says something about the detector, not about the page.
///
/// Without other evidence, the estimate is the time of the first snapshot with the new text, the latest
/// possible time; if no change was seen, there is no estimate.
///
/// # Cost
///
/// Linear in the lines of all snapshots, except for sorting.
///
/// # Examples
///
/// ```
/// use tsugi_page::{Content, Evidence, Page};
/// use tsugi_papers::updated::{Snapshot, last_update};
/// let snapshot = |at: &str, html: &str| {
///     let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
///     let nodes = page.first("main").into_iter().collect();
///     let content = Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Model };
///     Snapshot::of(at.parse().unwrap(), &page, &content, None, Vec::new())
/// };
/// let update = last_update(vec![
///     snapshot("2026-11-01T00:00:00Z", "<main><p>Snow fell.<p>Five are missing.</main><p>Buy shoes."),
///     snapshot("2026-11-02T00:00:00Z", "<main><p>Snow fell.<p>All are found.</main><p>Buy shoes."),
///     snapshot("2026-11-03T00:00:00Z", "<main><p>Snow fell.<p>All are found.</main><p>Buy hats."),
/// ]).unwrap();
/// assert_eq!(update.after.unwrap().to_string(), "2026-11-01T00:00:00Z");
/// assert_eq!(update.before.to_string(), "2026-11-02T00:00:00Z");
/// assert_eq!(update.change.unwrap().added, ["All are found."]);
/// ```
pub fn last_update(mut snapshots: Vec<Snapshot>) -> Option<Update> {
    let given = snapshots.len();
    snapshots.retain(|snapshot| !snapshot.is_blank());
    let blank = given - snapshots.len();
    snapshots.sort_by_key(|snapshot| snapshot.at);
    let disturbed = set_disturbances_aside(&mut snapshots);
    let last = snapshots.last()?;
    let mut first_of_now = snapshots.len() - 1;
    let mut change = None;
    while first_of_now > 0 && change.is_none() {
        change = snapshots[first_of_now - 1].change_to(&snapshots[first_of_now]);
        first_of_now -= usize::from(change.is_none());
    }
    let after = change.as_ref().map(|_| snapshots[first_of_now - 1].at);
    let before = snapshots[first_of_now].at;
    let evidence = weigh(&snapshots, first_of_now, after);
    let best = evidence.iter().find(|evidence| evidence.consistent);
    let (at, by) = match (best, after) {
        (Some(best), _) => (Some(best.when), Some(best.source)),
        (None, Some(_)) => (Some(When::of_instant(before)), Some(EvidenceSource::Snapshots)),
        (None, None) => (None, None),
    };
    let mut reasons = vec![match (&change, snapshots.len()) {
        (Some(change), _) => format!("the main text changed between two snapshots: {change}"),
        (None, 1) => "a single snapshot shows no change; the text already existed then".to_owned(),
        (None, many) => format!("the main text is the same in all {many} snapshots"),
    }];
    if change.is_some() && first_of_now + 1 < snapshots.len() {
        reasons.push(format!("it did not change until {}", last.at));
    }
    let aside = [(blank, "without main text"), (disturbed, "of another page between two equal ones")];
    let aside = aside.into_iter().filter(|(count, _)| *count > 0);
    reasons.extend(aside.map(|(count, why)| format!("ignored snapshots: {count} {why}")));
    let reason = reasons.join("; ");
    Some(Update { after, before, at, by, evidence, change, reason })
}

/// Removes snapshots of something else between two of the same text; returns their number.
fn set_disturbances_aside(snapshots: &mut Vec<Snapshot>) -> usize {
    let before = snapshots.len();
    let all = std::mem::take(snapshots);
    let mut at = 0;
    while at < all.len() {
        let others = snapshots.last().map_or(0, |last| disturbances(last, &all[at..]));
        if others == 0 {
            snapshots.push(all[at].clone());
            at += 1;
        }
        at += others;
    }
    before - snapshots.len()
}

/// Returns the number of snapshots that show another page until the text of `last` returns; 0 if they do not, or if
/// it does not return soon.
fn disturbances(last: &Snapshot, next: &[Snapshot]) -> usize {
    let others = next.iter().take(MOST_DISTURBANCES).take_while(|next| !last.shares_text_with(next)).count();
    let (others, Some(back)) = (&next[..others], next.get(others)) else { return 0 };
    let is_back = last.shares_text_with(back)
        && last.change_to(back).is_none()
        && !others.iter().any(|other| other.shares_text_with(back));
    if is_back { others.len() } else { 0 }
}

#[cfg(test)]
mod tests;
