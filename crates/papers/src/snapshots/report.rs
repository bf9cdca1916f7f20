//! Tables of the accuracy of update dates.

use super::{ChangeKind, Estimate, HistoryResult, SnapshotMethod, SnapshotsResult, Statements};
use std::fmt::Write as _;

/// Writes two tables in Markdown: for the sites that methods were designed on, and for the others. By method: the share of
/// right decisions about two snapshots, by kind of change, and the share of histories with the right time of the last
/// change.
pub(crate) fn snapshots_table(result: &SnapshotsResult) -> String {
    let mut out = String::from(
        "The histories are made up, since the archives hold next to no address twice, and no `Last-Modified`: stored pages are \
        changed between snapshots, around their content and, in half of the histories, once inside it. Columns by kind of change: the \
        share of right decisions about two snapshots, whether the text changed between them, with the number of such pairs. \
        “Histories”: the share whose last change is put between the right two snapshots, or that are rightly said not to \
        have changed.\n\n",
    );
    for (title, design) in [("Sites not looked at", false), ("Sites that the method was designed on", true)] {
        let histories: Vec<&HistoryResult> =
            result.histories.iter().filter(|history| history.design == design).collect();
        let mut sites: Vec<&str> = histories.iter().map(|history| history.site.as_str()).collect();
        sites.sort_unstable();
        sites.dedup();
        let changed = histories.iter().filter(|history| history.changed_at().is_some()).count();
        let _ = writeln!(
            out,
            "{title}: {} histories of five snapshots, from pages of {} sites; in {changed} the text changes once.\n",
            histories.len(),
            sites.len()
        );
        table(&mut out, &histories);
        estimates(&mut out, &histories);
    }
    if result.left_out > 0 {
        let _ = writeln!(out, "{} pages have no place for the changes.\n", result.left_out);
    }
    out
}

fn table(out: &mut String, histories: &[&HistoryResult]) {
    let decisions = |kind: ChangeKind| {
        histories.iter().flat_map(|history| &history.steps).filter(|step| **step == kind).count()
    };
    let heads = ChangeKind::ALL.map(|kind| format!(" {} ({}) |", kind.as_str(), decisions(kind))).concat();
    let _ = writeln!(out, "| method |{heads} all decisions | histories |");
    let _ = writeln!(out, "| --- |{} --- | --- |", " --- |".repeat(ChangeKind::ALL.len()));
    for (place, method) in SnapshotMethod::ALL.into_iter().enumerate() {
        let is_right = |history: &HistoryResult, step: usize| {
            history.answers[place].changed.get(step) == Some(&(history.steps[step] == ChangeKind::Body))
        };
        let _ = write!(out, "| {} |", method.as_str());
        let share = |wanted: &dyn Fn(ChangeKind) -> bool| {
            let of_history = |history: &&HistoryResult| {
                let steps = (0..history.steps.len()).filter(|step| wanted(history.steps[*step]));
                steps.map(|step| is_right(history, step)).collect::<Vec<bool>>()
            };
            share_of(histories.iter().flat_map(of_history))
        };
        for kind in ChangeKind::ALL {
            let _ = write!(out, " {} |", share(&|step| step == kind));
        }
        let right = histories.iter().map(|history| history.answers[place].last == history.changed_at());
        let _ = writeln!(out, " {} | {} |", share(&|_| true), share_of(right));
    }
    out.push('\n');
}

/// Writes what estimates of the time are worth, by what the server and the page say.
fn estimates(out: &mut String, histories: &[&HistoryResult]) {
    let methods = [SnapshotMethod::Model, SnapshotMethod::Unique, SnapshotMethod::Repeated];
    let places: Vec<usize> = SnapshotMethod::ALL
        .iter()
        .enumerate()
        .filter(|(_, method)| methods.contains(method))
        .map(|(place, _)| place)
        .collect();
    let heads = places.iter().map(|place| {
        let name = SnapshotMethod::ALL[*place].as_str();
        format!(" {name}: right | misled |")
    });
    let _ = writeln!(
        out,
        "The same with a `Last-Modified` header and a date on the page. Right: the estimate is right to a minute. Misled: it is \
        the header's or the page's, and wrong. Otherwise only the snapshots tell the time.\n\n| header, date |{}\n| --- |{}",
        heads.collect::<String>(),
        " --- | --- |".repeat(places.len())
    );
    for (at, statements) in Statements::ALL.iter().enumerate() {
        let _ = write!(out, "| {} |", statements.name);
        for place in &places {
            for wanted in [Estimate::Right, Estimate::Misled] {
                let known = histories.iter().filter_map(|history| history.answers[*place].estimates.get(at));
                let _ = write!(out, " {} |", share_of(known.map(|estimate| *estimate == wanted)));
            }
        }
        out.push('\n');
    }
    out.push('\n');
}

/// Returns the share that holds, or a dash if there are none.
fn share_of(holds: impl Iterator<Item = bool>) -> String {
    let (all, right) = holds.fold((0_u32, 0_u32), |(all, right), holds| (all + 1, right + u32::from(holds)));
    if all == 0 { "–".to_owned() } else { format!("{:.3}", f64::from(right) / f64::from(all)) }
}
