//! The report of contenders side by side.

use super::{Contender, ContenderAnswers, SideBySide};
use crate::cross_validation::LearnedPart;
use crate::dataset::DataSet;
use crate::joins::{JoinDifferences, join_figures};
use crate::report::{LeftOut, figures_by_set, figures_table, joins_table, unmeasured};
use crate::tables::{Report, ReportDraft, ReportValue, difference, grid, sections, table};
use crate::verdict::{FigureDifferences, PageVerdict};
use std::collections::BTreeMap;

/// Reports contenders side by side. The first is the one that the others are compared with.
///
/// # Panics
///
/// If there is no contender.
pub fn side_by_side_report(sets: &[DataSet], contenders: &[Contender], result: &SideBySide) -> Report {
    let mut draft = ReportDraft::default();
    draft.put("contenders", contenders_table(contenders));
    draft.put("seen", seen(result));
    let named = || contenders.iter().map(|contender| contender.name.as_str()).zip(&result.judged);
    let pages = named()
        .map(|(name, judged)| (name, figures_table("data set", figures_by_set(sets, &judged.verdicts))));
    draft.put("pages", sections(pages));
    draft.put("differences", differences(sets, contenders, result));
    let joins = named().filter(|(_, judged)| !judged.joins.is_empty());
    draft.put("joins", or_none(sections(joins.map(|(name, judged)| (name, joins_table(&judged.joins))))));
    draft.put("join_differences", join_differences(contenders, result));
    draft.put("pairs", pairs(contenders, result));
    let left_out = named().zip(contenders).map(|((name, judged), contender)| {
        let joins = matches!(contender.answers, ContenderAnswers::Models { .. });
        let joins = joins.then(|| join_figures(&judged.joins));
        (name, unmeasured(&figures_by_set(sets, &judged.verdicts), joins.as_ref(), &not_asked(contender)))
    });
    draft.put("unmeasured", sections(left_out));
    draft.finish(include_str!("report.md"))
}

/// The parts that a contender says nothing of.
fn not_asked(contender: &Contender) -> BTreeMap<LearnedPart, LeftOut> {
    let parts = [(LearnedPart::NextLinks, "next links"), (LearnedPart::Content, "text F")];
    let silent = parts.into_iter().filter(|(part, _)| !contender.measures(*part));
    let why = "the files that are judged say nothing of it";
    silent.map(|(part, what)| (part, LeftOut { what, why: why.to_owned() })).collect()
}

fn or_none(value: ReportValue) -> ReportValue {
    if value.is_empty() { "None.".into() } else { value }
}

fn contenders_table(contenders: &[Contender]) -> ReportValue {
    table(
        contenders.iter().enumerate(),
        &[
            ("", &|(at, _)| (at + 1).into()),
            ("name", &|(_, of)| of.name.as_str().into()),
            ("what", &|(_, of)| of.about.as_str().into()),
            ("knows its sites", &|(_, of)| (if of.saw.is_some() { "yes" } else { "no" }).into()),
        ],
    )
}

fn seen(result: &SideBySide) -> ReportValue {
    let all: usize = result.seen.values().sum();
    let by_set = result.seen.iter().filter(|(_, pages)| **pages > 0);
    let by_set: Vec<String> = by_set.map(|(set, pages)| format!("{pages} of `{set}`")).collect();
    let what =
        if result.leaves_out_seen { "left out" } else { "measured all the same, which flatters that model" };
    match all {
        0 => "No page is of a site that a model is known to have learned from.".into(),
        _ => format!("Pages of sites that a model learned from are {what}: {}.", by_set.join(", ")).into(),
    }
}

fn names(sets: &[DataSet]) -> impl Iterator<Item = (&str, Option<usize>)> {
    let all = (sets.len() > 1).then_some(("all", None));
    all.into_iter().chain(sets.iter().enumerate().map(|(at, set)| (set.name.as_str(), Some(at))))
}

fn differences(sets: &[DataSet], contenders: &[Contender], result: &SideBySide) -> ReportValue {
    let Some(first) = result.judged.first().filter(|_| contenders.len() > 1) else { return "None.".into() };
    let mut rows = Vec::new();
    for (set, at) in names(sets) {
        for (contender, judged) in contenders.iter().zip(&result.judged).skip(1) {
            let pairs = judged.verdicts.iter().zip(&first.verdicts).map(|(one, other)| [one, other]);
            let of_set = |pair: &[&PageVerdict; 2]| at.is_none_or(|at| pair[0].set == at);
            rows.push((set, contender.name.as_str(), FigureDifferences::of(pairs.filter(of_set))));
        }
    }
    table(
        rows,
        &[
            ("data set", &|row| row.0.into()),
            ("by", &|row| row.1.into()),
            ("F", &|row| difference(row.2.next_f, 3)),
            ("FPR", &|row| difference(row.2.next_fpr, 3)),
            ("text F", &|row| difference(row.2.text_f, 3)),
        ],
    )
}

fn join_differences(contenders: &[Contender], result: &SideBySide) -> ReportValue {
    let Some(first) = result.judged.first() else { return "None.".into() };
    let mut rows = Vec::new();
    for (set, of_first) in &first.joins {
        for (contender, judged) in contenders.iter().zip(&result.judged).skip(1) {
            if let Some(joins) = judged.joins.get(set) {
                rows.push((set.as_str(), contender.name.as_str(), JoinDifferences::of(joins, of_first)));
            }
        }
    }
    if rows.is_empty() {
        return "None.".into();
    }
    table(
        rows,
        &[
            ("data set", &|row| row.0.into()),
            ("by", &|row| row.1.into()),
            ("P", &|row| difference(row.2.precision, 3)),
            ("R", &|row| difference(row.2.recall, 3)),
            ("exact", &|row| difference(row.2.exact, 3)),
            ("text F", &|row| difference(row.2.text_f, 3)),
        ],
    )
}

fn pairs(contenders: &[Contender], result: &SideBySide) -> ReportValue {
    let mut rows = Vec::new();
    for (contender, judged) in contenders.iter().zip(&result.judged) {
        for (set, held) in &judged.pairs {
            let counts = [held.right, held.wrong, held.answers];
            let cells = counts.map(|(held, all)| ReportValue::from(format!("{held} of {all}")));
            rows.push(
                [set.as_str().into(), contender.name.as_str().into()].into_iter().chain(cells).collect(),
            );
        }
    }
    if rows.is_empty() {
        return "No model of pairs is judged.".into();
    }
    grid(&["data set", "by", "right pairs held", "wrong pairs held", "wrong answers held"], rows)
}
