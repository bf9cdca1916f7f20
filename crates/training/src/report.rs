//! The report of a cross-validation.

use crate::cross_validation::{CrossValidation, LearnedPart, MODEL};
use crate::dataset::DataSet;
use crate::figures::FigureError;
use crate::joins::{JoinFigures, Joins, join_figures};
use crate::label::PageLabel;
use crate::tables::{Report, ReportDraft, ReportValue, figure, grid, interval, sections, table, thresholds};
use crate::verdict::{Figures, PageVerdict};
use std::collections::BTreeMap;
use tsugi_learning::{ReliabilityBin, calibration_error, reliability};

pub(crate) const PAGES_OF_A_LANGUAGE: usize = 25;

/// Returns figures by data set, and over all of them (`all`).
pub fn figures_by_set(sets: &[DataSet], verdicts: &[PageVerdict]) -> BTreeMap<String, Figures> {
    let mut figures = grouped(verdicts, |verdict| sets[verdict.set].name.clone());
    figures.insert("all".to_owned(), Figures::of(verdicts));
    figures
}

fn grouped(verdicts: &[PageVerdict], name: impl Fn(&PageVerdict) -> String) -> BTreeMap<String, Figures> {
    let mut groups: BTreeMap<String, Vec<&PageVerdict>> = BTreeMap::new();
    for verdict in verdicts {
        groups.entry(name(verdict)).or_default().push(verdict);
    }
    groups.into_iter().map(|(name, verdicts)| (name, Figures::of(verdicts))).collect()
}

/// Reports a cross-validation, with the reliability curve as SVG.
///
/// # Errors
///
/// [`FigureError`] if the figure cannot be drawn.
pub fn cross_validation_report(sets: &[DataSet], result: &CrossValidation) -> Result<Report, FigureError> {
    let model = result.model();
    let mut draft = ReportDraft::default();
    draft.put("folds", result.thresholds.len());
    draft.put("thresholds", thresholds(&result.thresholds));
    let by_set = |verdicts| figures_table("data set", figures_by_set(sets, verdicts));
    draft.put("methods", sections(result.methods.iter().map(|(name, verdicts)| (name, by_set(verdicts)))));
    let corrected = (result.corrections > 0).then(|| {
        let count = format!("{} labels are corrected (`datasets/corrections.jsonl`).", result.corrections);
        let title = format!("{MODEL}, measured by corrected labels\n\n{count}");
        (title, by_set(&result.corrected))
    });
    draft.put("corrected", sections(corrected));
    draft.put("kinds", figures_table("kind", grouped(model, |verdict| kind(label(sets, verdict)))));
    let set_and_kind =
        |verdict: &PageVerdict| format!("{} {}", sets[verdict.set].name, kind(label(sets, verdict)));
    draft.put("sets_and_kinds", figures_table("data set, kind", grouped(model, set_and_kind)));
    draft.put("languages", figures_table("language", by_language(sets, model)));
    draft.put("relations", relations(sets, model));
    draft.put("joins", joins_table(&result.joins));
    let figures = figures_by_set(sets, model);
    let joins = result.unlearned.is_empty().then(|| join_figures(&result.joins));
    let left_out = result.unlearned.iter().map(|(part, why)| {
        let what = match part {
            LearnedPart::NextLinks => "next links by models, joins",
            LearnedPart::Content => "text by models, joins",
            LearnedPart::Pairs => "joins",
        };
        (*part, LeftOut { what, why: why.to_string() })
    });
    draft.put("unmeasured", unmeasured(&figures, joins.as_ref(), &left_out.collect()));
    reliability_curve(&mut draft, model)?;
    Ok(draft.finish(include_str!("cross_validation.md")))
}

fn label<'a>(sets: &'a [DataSet], verdict: &PageVerdict) -> &'a PageLabel {
    &sets[verdict.set].labels()[verdict.label]
}

fn kind(label: &PageLabel) -> String {
    label.kind.clone().unwrap_or_else(|| "unknown".to_owned())
}

pub(crate) fn language(label: &PageLabel) -> String {
    let primary = label.lang.as_deref().unwrap_or_default().split(['-', '_']).next().unwrap_or_default();
    if primary.is_empty() { "unknown".to_owned() } else { primary.to_lowercase() }
}

/// Returns figures by primary language subtag; languages with few pages are put together.
fn by_language(sets: &[DataSet], verdicts: &[PageVerdict]) -> BTreeMap<String, Figures> {
    let mut pages: BTreeMap<String, usize> = BTreeMap::new();
    for verdict in verdicts {
        *pages.entry(language(label(sets, verdict))).or_default() += 1;
    }
    grouped(verdicts, |verdict| {
        let language = language(label(sets, verdict));
        if pages[&language] < PAGES_OF_A_LANGUAGE { "others".to_owned() } else { language }
    })
}

/// What is not measured on any data set, and why.
pub(crate) struct LeftOut {
    pub(crate) what: &'static str,
    pub(crate) why: String,
}

/// Names what is not measured, and why: what is left out on all data sets, and what their labels do not allow. `joins` is `None`
/// where none were made.
pub(crate) fn unmeasured(
    figures: &BTreeMap<String, Figures>,
    joins: Option<&BTreeMap<String, JoinFigures>>,
    left_out: &BTreeMap<LearnedPart, LeftOut>,
) -> ReportValue {
    let mut rows: Vec<[String; 3]> = Vec::new();
    let mut add = |set: &str, what: &str, why: String| rows.push([set.to_owned(), what.to_owned(), why]);
    for LeftOut { what, why } in left_out.values() {
        add("all", what, why.clone());
    }
    let is_measured = |part| !left_out.contains_key(&part);
    for (set, of) in figures.iter().filter(|(set, _)| *set != "all") {
        let knows_links = is_measured(LearnedPart::NextLinks);
        if of.next_f.is_none() && knows_links {
            add(set, "next link: P, R, F", "no page is labelled with a next page".to_owned());
        }
        if of.next_fpr.is_none() && knows_links {
            add(set, "next link: FPR", "no page is labelled as having no next page".to_owned());
        }
        if of.texts == 0 && is_measured(LearnedPart::Content) {
            add(set, "text F", "no text is labelled".to_owned());
        }
        let Some(joins) = joins else { continue };
        let of = joins.get(set).copied().unwrap_or_default();
        if of.gold == 0 {
            add(set, "joins: R", "no page is stored together with its next page".to_owned());
        }
        if of.sequences == 0 {
            let why = "no labelled sequence is stored from its first page on".to_owned();
            add(set, "joins: exact, text F", why);
        }
    }
    if rows.is_empty() {
        return "Nothing is left out.".into();
    }
    grid(
        &["data set", "what", "why"],
        rows.into_iter().map(|row| row.map(ReportValue::from).into_iter().collect()),
    )
}

pub(crate) fn figures_table(name: &str, rows: BTreeMap<String, Figures>) -> ReportValue {
    table(
        rows,
        &[
            (name, &|(name, _)| name.as_str().into()),
            ("P", &|(_, of)| figure((of.next.predicted > 0).then(|| of.next.precision()))),
            ("R", &|(_, of)| figure((of.next.gold > 0).then(|| of.next.recall()))),
            ("F", &|(_, of)| interval(of.next_f)),
            ("FPR", &|(_, of)| interval(of.next_fpr)),
            ("with next", &|(_, of)| of.next.gold.into()),
            ("without", &|(_, of)| of.next.none.into()),
            ("text F", &|(_, of)| interval(of.text_f)),
            ("texts", &|(_, of)| of.texts.into()),
        ],
    )
}

pub(crate) fn joins_table(joins: &BTreeMap<String, Joins>) -> ReportValue {
    table(
        join_figures(joins),
        &[
            ("data set", &|(name, _)| name.as_str().into()),
            ("right", &|(_, of)| of.right.into()),
            ("wrong", &|(_, of)| of.wrong.into()),
            ("labelled", &|(_, of)| of.gold.into()),
            ("P", &|(_, of)| interval(of.precision)),
            ("R", &|(_, of)| interval(of.recall)),
            ("sequences", &|(_, of)| of.sequences.into()),
            ("exact", &|(_, of)| interval(of.exact)),
            ("text F", &|(_, of)| interval(of.text_f)),
        ],
    )
}

fn relations(sets: &[DataSet], verdicts: &[PageVerdict]) -> ReportValue {
    let mut rows: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
    for verdict in verdicts {
        let relation = label(sets, verdict).relation.as_deref();
        let (Some(next), Some(relation)) = (verdict.next, relation) else { continue };
        let row = rows.entry(relation).or_default();
        for (count, holds) in row.iter_mut().zip([next.has_next, next.right, next.relation == Some(true)]) {
            *count += u64::from(holds);
        }
    }
    let rows = rows
        .into_iter()
        .map(|(name, counts)| std::iter::once(name.into()).chain(counts.map(ReportValue::from)).collect());
    grid(&["relation", "pages", "found", "told right"], rows)
}

fn reliability_curve(draft: &mut ReportDraft, verdicts: &[PageVerdict]) -> Result<(), FigureError> {
    let best = verdicts.iter().filter_map(|verdict| verdict.next?.best);
    let links = reliability(best.map(|(score, right)| (score, f64::from(u8::from(right)))));
    let texts = verdicts.iter().filter_map(|verdict| verdict.text);
    let content = reliability(texts.map(|text| (text.score, text.f)));
    let lines = [("next link: right", points(&links)), ("content: text F", points(&content))];
    draft.svg("reliability", crate::figures::reliability("What scores say, and what is so", &lines)?);
    draft.put("calibration", figure(calibration_error(&links)));
    draft.put("link_scores", tenths("right", &links));
    draft.put("content_scores", tenths("text F", &content));
    Ok(())
}

fn points(tenths: &[ReliabilityBin]) -> Vec<(f64, f64)> {
    let filled = tenths.iter().filter(|tenth| tenth.count > 0);
    filled.map(|tenth| (tenth.predicted, tenth.observed)).collect()
}

fn tenths(found: &str, tenths: &[ReliabilityBin]) -> ReportValue {
    table(
        tenths.iter().enumerate().filter(|(_, tenth)| tenth.count > 0),
        &[
            ("score", &|(at, _)| format!("{:.1}–{:.1}", *at as f64 / 10.0, (at + 1) as f64 / 10.0).into()),
            ("pages", &|(_, tenth)| tenth.count.into()),
            ("mean score", &|(_, tenth)| figure(tenth.predicted)),
            (found, &|(_, tenth)| figure(tenth.observed)),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::PageLabel;
    use crate::verdict::{NextVerdict, TextVerdict};
    use std::path::Path;

    #[test]
    fn figures_stand_in_columns() {
        let label = PageLabel {
            relation: Some("page".into()),
            kind: Some("listing".into()),
            lang: Some("de-AT".into()),
            ..PageLabel::default()
        };
        let sets = [DataSet::of("small".into(), Path::new("."), vec![label])];
        let next = NextVerdict {
            has_next: true,
            predicted: true,
            right: true,
            best: Some((0.95, true)),
            relation: Some(true),
        };
        let text = TextVerdict { f: 0.75, score: 0.81 };
        let verdict = PageVerdict { set: 0, label: 0, group: 0, next: Some(next), text: Some(text) };
        let result = CrossValidation {
            methods: vec![("model", vec![verdict])],
            thresholds: vec![0.5, 0.25],
            ..CrossValidation::default()
        };
        let report = cross_validation_report(&sets, &result).unwrap();
        let (name, curve) = &report.files[2];
        assert!(name == "figures/reliability.svg" && curve.contains("<circle"));
        let report = &report.files[0].1;
        assert!(!report.contains('{'), "{report}");
        let figures = "1.000 | 1.000 | 1.000 (1.000–1.000) | – | 1 | 0 | 0.750 (0.750–0.750) | 1 |";
        for name in ["all", "small", "listing", "small listing", "others"] {
            assert!(report.contains(&format!("| {name} | {figures}")), "{name}: {report}");
        }
        for line in ["chosen on the training side of each: 0.500, 0.250.", "| page | 1 | 1 | 1 |"] {
            assert!(report.contains(line), "{line}: {report}");
        }
        assert!(
            report.contains("| 0.9–1.0 | 1 | 0.950 | 1.000 |")
                && report.contains("| 0.8–0.9 | 1 | 0.810 | 0.750 |")
        );
    }
}
