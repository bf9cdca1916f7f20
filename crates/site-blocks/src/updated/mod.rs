//! When the main text of a page was last changed, told from snapshots of it.
//!
//! The page was updated between the last two snapshots whose main text differs; a change outside the main text
//! (advertisements, links to the latest news) is no update. What else says when (`Last-Modified`, dates that the page
//! states) narrows that down where it contradicts no snapshot.
//!
//! ```text
//! Page + Content ─of→ Snapshot, Snapshot, … ─change (line by line)→ between which two ─evidence→ Update
//! ```
//!
//! # Source
//!
//! Kurishima, Mori, Takeno & Inagaki, Webの本文部分抽出技術を用いたコンテンツの更新日時推定の検討 (estimating when content was
//! updated, by extracting the main text), sections 2 and 3. The paper names the idea; how two texts are compared, and which
//! header contradicts a snapshot, is our choice, and told at [`Snapshot::change_to`] and [`last_update`].

mod change;
mod evidence;
mod snapshot;

pub use change::Change;
pub use evidence::{Evidence, Source};
pub use snapshot::Snapshot;

use evidence::weigh;
use jiff::Timestamp;
use tsugi_dates::When;

/// The most snapshots in a row that are set aside as another page.
const MOST_DISTURBANCES: usize = 4;

/// When a page was last updated.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    /// When the last snapshot with the old text was taken; `None` where no snapshot shows another text: the page was
    /// last updated before the first.
    pub after: Option<Timestamp>,
    /// When the first snapshot with the text as it is now was taken.
    pub before: Timestamp,
    /// The best estimate; `None` where nothing narrows an open interval down.
    pub at: Option<When>,
    /// What the estimate rests on.
    pub by: Option<Source>,
    /// All that says when, consistent or not, the weightiest first.
    pub evidence: Vec<Evidence>,
    /// What changed; `None` where nothing did.
    pub change: Option<Change>,
    /// How the answer was found, in words.
    pub reason: String,
}

/// Says when the main text of a page was last changed. Snapshots may come in any order; of two of one time the later in the
/// order given is the later one. `None` where no snapshot has a main text.
///
/// CHOICE: the last change counts, even one that brings an older text back: what readers see was changed then.
///
/// CHOICE: up to four snapshots in a row that share no line of main text with those around them, while those do not differ,
/// are set aside. An error page or a wall that was served as if it were the page would else be two updates.
///
/// CHOICE: a snapshot without main text is set aside, since it tells of the detector and not of the page.
///
/// CHOICE: without other evidence the estimate is the time of the first snapshot with the new text, the latest time
/// possible; where no change was seen there is none.
///
/// # Cost
///
/// Linear in the lines of all snapshots, but for sorting.
///
/// # Examples
///
/// ```
/// use tsugi_page::{Content, Evidence, Page};
/// use tsugi_site_blocks::{Snapshot, last_update};
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
        (None, Some(_)) => (Some(When::of_instant(before)), Some(Source::Snapshots)),
        (None, None) => (None, None),
    };
    let mut reasons = vec![match (&change, snapshots.len()) {
        (Some(change), _) => format!("the main text changed between two snapshots: {change}"),
        (None, 1) => "one snapshot tells no change: the text was there when it was taken".to_owned(),
        (None, many) => format!("the main text is the same in all {many} snapshots"),
    }];
    if change.is_some() && first_of_now + 1 < snapshots.len() {
        reasons.push(format!("it did not change until {}", last.at));
    }
    let aside =
        [(blank, "without main text"), (disturbed, "with another page between two that are the same")];
    let aside = aside.into_iter().filter(|(count, _)| *count > 0);
    reasons.extend(aside.map(|(count, why)| format!("set aside: {count} {why}")));
    let reason = reasons.join("; ");
    Some(Update { after, before, at, by, evidence, change, reason })
}

/// Removes snapshots of something else between two of the same text; returns how many.
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

/// Counts the snapshots that show another page until the text of `last` is back; 0 where they do not, or it does not come back
/// soon.
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
