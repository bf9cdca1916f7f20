//! Tables of the accuracy of update dates.

use super::{ChangeKind, Estimate, HistoryResult, SnapshotMethod, SnapshotsResult, Statements};
use tsugi_training::tables::{ReportDraft, ReportValue, figure, grid};

/// The methods whose estimates of the time are measured.
const ESTIMATING: [SnapshotMethod; 3] =
    [SnapshotMethod::Model, SnapshotMethod::Unique, SnapshotMethod::Repeated];

/// Adds two tables each for the sites that methods were not designed on, and for those that they were: the share of right
/// decisions about two snapshots, by kind of change, and of histories with the right time of the last change; and the
/// worth of estimates of that time.
pub(crate) fn put_snapshots(draft: &mut ReportDraft, result: &SnapshotsResult) {
    for (design, [sizes, decided, estimated]) in [
        (false, ["unseen_histories", "unseen_decisions", "unseen_estimates"]),
        (true, ["seen_histories", "seen_decisions", "seen_estimates"]),
    ] {
        let histories: Vec<&HistoryResult> =
            result.histories.iter().filter(|history| history.design == design).collect();
        let mut sites: Vec<&str> = histories.iter().map(|history| history.site.as_str()).collect();
        sites.sort_unstable();
        sites.dedup();
        let changed = histories.iter().filter(|history| history.changed_at().is_some()).count();
        let said = format!(
            "{} histories of five snapshots, from pages of {} sites; in {changed} the text changes once",
            histories.len(),
            sites.len()
        );
        draft.put(sizes, said);
        draft.put(decided, decisions(&histories));
        draft.put(estimated, estimates(&histories));
    }
    draft.put("left_out", result.left_out);
}

fn decisions(histories: &[&HistoryResult]) -> ReportValue {
    let kinds = ChangeKind::ALL.map(|kind| {
        let steps = histories.iter().flat_map(|history| &history.steps);
        format!("{} ({})", kind.as_str(), steps.filter(|step| **step == kind).count())
    });
    let mut headers = vec!["method"];
    headers.extend(kinds.iter().map(String::as_str));
    headers.extend(["all decisions", "histories"]);
    let rows = SnapshotMethod::ALL.into_iter().enumerate().map(|(place, method)| {
        let mut row = vec![method.as_str().into()];
        row.extend(ChangeKind::ALL.map(|kind| right_decisions(histories, place, |step| step == kind)));
        row.push(right_decisions(histories, place, |_| true));
        row.push(share(histories.iter().map(|of| of.answers[place].last == of.changed_at())));
        row
    });
    grid(&headers, rows)
}

/// The share of the wanted decisions about two snapshots that a method gets right.
fn right_decisions(
    histories: &[&HistoryResult],
    method: usize,
    wanted: impl Fn(ChangeKind) -> bool,
) -> ReportValue {
    let decisions = histories.iter().flat_map(|history| {
        let changed = &history.answers[method].changed;
        let steps = history.steps.iter().enumerate();
        steps.map(move |(at, step)| (*step, changed.get(at) == Some(&(*step == ChangeKind::Body))))
    });
    share(decisions.filter(|(step, _)| wanted(*step)).map(|(_, is_right)| is_right))
}

fn estimates(histories: &[&HistoryResult]) -> ReportValue {
    let places =
        ESTIMATING.map(|method| SnapshotMethod::ALL.iter().position(|one| *one == method).unwrap_or(0));
    let names = ESTIMATING.map(|method| [format!("{}: right", method.as_str()), "misled".to_owned()]);
    let mut headers = vec!["header, date"];
    headers.extend(names.iter().flatten().map(String::as_str));
    let rows = Statements::ALL.iter().enumerate().map(|(at, statements)| {
        let mut row = vec![statements.name.into()];
        for place in places {
            for wanted in [Estimate::Right, Estimate::Misled] {
                let known = histories.iter().filter_map(|history| history.answers[place].estimates.get(at));
                row.push(share(known.map(|estimate| *estimate == wanted)));
            }
        }
        row
    });
    grid(&headers, rows)
}

/// Returns the share that holds, or a dash if there are none.
fn share(holds: impl Iterator<Item = bool>) -> ReportValue {
    let (all, right) = holds.fold((0_u32, 0_u32), |(all, right), holds| (all + 1, right + u32::from(holds)));
    figure((all > 0).then(|| f64::from(right) / f64::from(all)))
}
