//! Writes results as Markdown tables.

use crate::cross_validation::CrossValidation;
use crate::dataset::DataSet;
use crate::figures::FigureError;
use crate::joins::{JoinFigures, join_figures};
use crate::verdict::{Figures, Verdict};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tsugi_learning::{Interval, ReliabilityBin, calibration_error, reliability};

/// A report as files: name below the report's folder → content.
#[derive(Debug, Default)]
pub struct Report {
    /// The files; `report.md` is among them.
    pub files: Vec<(String, String)>,
}

/// Fewest pages for a language to get its own row.
const PAGES_OF_A_LANGUAGE: usize = 25;

/// The name of the row over all data sets.
const ALL: &str = "all";

/// Returns figures by data set, and over all of them (`all`).
pub fn figures_by_set(sets: &[DataSet], verdicts: &[Verdict]) -> BTreeMap<String, Figures> {
    let mut figures = grouped(verdicts, |verdict| sets[verdict.set].name.clone());
    figures.insert(ALL.to_owned(), Figures::of(verdicts));
    figures
}

fn grouped(verdicts: &[Verdict], name: impl Fn(&Verdict) -> String) -> BTreeMap<String, Figures> {
    let mut groups: BTreeMap<String, Vec<&Verdict>> = BTreeMap::new();
    for verdict in verdicts {
        groups.entry(name(verdict)).or_default().push(verdict);
    }
    groups.into_iter().map(|(name, verdicts)| (name, Figures::of(verdicts))).collect()
}

/// Writes the results of a cross-validation: `report.md` and the reliability curve as SVG.
///
/// # Errors
///
/// [`FigureError`] if the figure cannot be drawn.
pub fn cross_validation_report(sets: &[DataSet], result: &CrossValidation) -> Result<Report, FigureError> {
    let label = |verdict: &Verdict| &sets[verdict.set].labels()[verdict.label];
    let kind = |verdict: &Verdict| label(verdict).kind.clone().unwrap_or_else(|| "unknown".to_owned());
    let mut out = String::from("# Cross-validation by site\n\n");
    out.push_str(
        "Every page is predicted by models that saw no page of its site. Next link: per page; P = right ÷ \
        predicted, R = right ÷ pages with a next page, FPR = share of the pages without one that got one. \
        Text: mean F over bags of tokens. In brackets the interval that covers 95 of 100 draws of sites.\n\n",
    );
    let thresholds: Vec<String> = result.thresholds.iter().map(|value| format!("{value:.3}")).collect();
    let _ = writeln!(
        out,
        "{} folds; thresholds for links, chosen on the training side of each: {}.\n",
        thresholds.len(),
        thresholds.join(", ")
    );
    for (method, verdicts) in &result.methods {
        let _ = writeln!(out, "## {method}\n");
        figures_table(&mut out, "data set", &figures_by_set(sets, verdicts));
    }
    if result.corrections > 0 {
        let _ = writeln!(out, "## model, measured by corrected labels\n");
        let _ =
            writeln!(out, "{} labels are corrected (`datasets/corrections.jsonl`).\n", result.corrections);
        figures_table(&mut out, "data set", &figures_by_set(sets, &result.corrected));
    }
    let model = result.model();
    out.push_str("## model, by kind of page\n\n");
    figures_table(&mut out, "kind", &grouped(model, kind));
    out.push_str("## model, by data set and kind of page\n\n");
    let set_and_kind = |verdict: &Verdict| format!("{} {}", sets[verdict.set].name, kind(verdict));
    figures_table(&mut out, "data set, kind", &grouped(model, set_and_kind));
    out.push_str("## model, by language\n\n");
    figures_table(&mut out, "language", &by_language(sets, model));
    out.push_str("## model, by relation of the next page\n\n");
    relation_table(&mut out, sets, model);
    joins_table(&mut out, &join_figures(&result.joins));
    out.push_str("## Do scores mean what they say?\n\n");
    let curve = reliability_curve(&mut out, model)?;
    Ok(Report { files: vec![("report.md".to_owned(), out), (RELIABILITY.to_owned(), curve)] })
}

/// The file of the reliability curve.
const RELIABILITY: &str = "figures/reliability.svg";

/// Returns figures by primary language subtag; languages with few pages are put together.
fn by_language(sets: &[DataSet], verdicts: &[Verdict]) -> BTreeMap<String, Figures> {
    let language = |verdict: &Verdict| {
        let lang = sets[verdict.set].labels()[verdict.label].lang.as_deref().unwrap_or_default();
        let primary = lang.split(['-', '_']).next().unwrap_or_default().to_lowercase();
        if primary.is_empty() { "unknown".to_owned() } else { primary }
    };
    let mut pages: BTreeMap<String, usize> = BTreeMap::new();
    for verdict in verdicts {
        *pages.entry(language(verdict)).or_default() += 1;
    }
    grouped(verdicts, |verdict| {
        let language = language(verdict);
        if pages[&language] < PAGES_OF_A_LANGUAGE { "others".to_owned() } else { language }
    })
}

fn figures_table(out: &mut String, what: &str, rows: &BTreeMap<String, Figures>) {
    let _ = writeln!(out, "| {what} | P | R | F | FPR | with next | without | text F | texts |");
    out.push_str("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (name, figures) in rows {
        let next = &figures.next;
        let share = |known: u64, value: f64| if known > 0 { format!("{value:.3}") } else { "–".to_owned() };
        let _ = writeln!(
            out,
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {} |",
            share(next.predicted, next.precision()),
            share(next.gold, next.recall()),
            with_interval(figures.next_f),
            with_interval(figures.next_fpr),
            next.gold,
            next.none,
            with_interval(figures.text_f),
            figures.texts,
        );
    }
    out.push('\n');
}

/// Writes the figures of joined documents.
fn joins_table(out: &mut String, figures: &BTreeMap<String, JoinFigures>) {
    out.push_str(
        "## Joining\n\nEvery chain of pages of a data set, joined by models that saw no page of its site. A pair of \
        pages that follow each other is right or wrong by the label of the first; exact = share of the labelled \
        sequences, stored from their first page on, that came out as just their pages, in order.\n\n\
        | data set | right | wrong | labelled | P | R | sequences | exact | text F |\n\
        | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for (name, join) in figures {
        let _ = writeln!(
            out,
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {} |",
            join.right,
            join.wrong,
            join.gold,
            with_interval(join.precision),
            with_interval(join.recall),
            join.sequences,
            with_interval(join.exact),
            with_interval(join.text_f),
        );
    }
    out.push('\n');
}

/// Returns a mean with its interval in brackets; a dash if there is none.
pub fn with_interval(interval: Option<Interval>) -> String {
    interval.map_or_else(
        || "–".to_owned(),
        |Interval { mean, low, high }| format!("{mean:.3} ({low:.3}–{high:.3})"),
    )
}

/// Writes how many next pages of each relation were found, and given that relation.
fn relation_table(out: &mut String, sets: &[DataSet], verdicts: &[Verdict]) {
    out.push_str("| relation | pages | found | told right |\n| --- | --- | --- | --- |\n");
    let mut rows: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
    for verdict in verdicts {
        let label = &sets[verdict.set].labels()[verdict.label];
        let (Some(next), Some(relation)) = (verdict.next, label.relation.as_deref()) else { continue };
        let row = rows.entry(relation).or_default();
        for (count, holds) in row.iter_mut().zip([next.has_next, next.right, next.relation == Some(true)]) {
            *count += u64::from(holds);
        }
    }
    for (relation, [pages, found, told]) in rows {
        let _ = writeln!(out, "| {relation} | {pages} | {found} | {told} |");
    }
    out.push('\n');
}

/// Writes the tables of the reliability curve, for links the share that is right, for content the mean F; returns
/// the curve.
fn reliability_curve(out: &mut String, verdicts: &[Verdict]) -> Result<String, FigureError> {
    let best = verdicts.iter().filter_map(|verdict| verdict.next?.best);
    let links = reliability(best.map(|(score, right)| (score, f64::from(u8::from(right)))));
    let _ = writeln!(
        out,
        "Next link: the score of each page's best candidate against how often it is the next page; they differ \
        by {:.3} on average.\n",
        calibration_error(&links)
    );
    tenths_table(out, "right", &links);
    let texts = verdicts.iter().filter_map(|verdict| verdict.text);
    let content = reliability(texts.map(|text| (text.score, text.f)));
    out.push_str("Content: what the detector expects of its text against F.\n\n");
    tenths_table(out, "text F", &content);
    let _ = writeln!(out, "![What scores say, and what is so]({RELIABILITY})");
    let points = |tenths: &[ReliabilityBin]| {
        let filled = tenths.iter().filter(|tenth| tenth.count > 0);
        filled.map(|tenth| (tenth.predicted, tenth.observed)).collect()
    };
    let lines = [("next link: right", points(&links)), ("content: text F", points(&content))];
    crate::figures::reliability("What scores say, and what is so", &lines)
}

fn tenths_table(out: &mut String, found: &str, tenths: &[ReliabilityBin]) {
    let _ = writeln!(out, "| score | pages | mean score | {found} |\n| --- | --- | --- | --- |");
    for (place, tenth) in tenths.iter().enumerate().filter(|(_, tenth)| tenth.count > 0) {
        let (from, to) = (place as f64 / 10.0, (place + 1) as f64 / 10.0);
        let ReliabilityBin { count, predicted, observed } = tenth;
        let _ = writeln!(out, "| {from:.1}–{to:.1} | {count} | {predicted:.3} | {observed:.3} |");
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Label;
    use crate::verdict::{NextVerdict, TextVerdict};
    use std::path::Path;

    #[test]
    fn figures_stand_in_columns() {
        let label = Label {
            relation: Some("page".into()),
            kind: Some("listing".into()),
            lang: Some("de-AT".into()),
            ..Label::default()
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
        let verdict = Verdict { set: 0, label: 0, group: 0, next: Some(next), text: Some(text) };
        let result = CrossValidation {
            methods: vec![("model", vec![verdict])],
            thresholds: vec![0.5, 0.25],
            ..CrossValidation::default()
        };
        let report = cross_validation_report(&sets, &result).unwrap();
        assert!(report.files.iter().any(|(name, svg)| name == RELIABILITY && svg.contains("<circle")));
        let report = &report.files[0].1;
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
