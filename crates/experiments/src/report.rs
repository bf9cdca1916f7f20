//! Results as Markdown tables.

use crate::full::{FullResult, METHODS, Measures};
use crate::html::html_report;
use crate::paper::PaperResult;
use crate::paper::figures::FigureError;
use crate::paper::report::Report;
use std::fmt::Write as _;

/// Writes the report of the thesis' experiment, the published figures under ours: `report.md`, `report.html`,
/// tables as CSV, figures as SVG.
///
/// # Errors
///
/// [`FigureError`] where a figure cannot be drawn.
pub fn paper_report(result: &PaperResult) -> Result<Report, FigureError> {
    let mut report = crate::paper::report::write(result)?;
    let markdown = report.files.iter().find(|(name, _)| name == "report.md").map(|(_, text)| text.clone());
    let page = html_report("The thesis' experiment", &markdown.unwrap_or_default(), &report.files);
    report.files.push(("report.html".to_owned(), page));
    Ok(report)
}

/// Writes the results of a cross-validation.
pub fn full_report(result: &FullResult) -> String {
    let mut out = String::from("# Cross-validation by site\n\n");
    out.push_str(
        "Every page is predicted by models that saw no page of its site. Next link: per page; P = right ÷ \
        predicted, R = right ÷ pages with a next page, FPR = share of the pages without one that got one. \
        Text: mean F over bags of tokens.\n\n",
    );
    let folds = result.thresholds.len();
    let thresholds = |pick: fn(&(f32, f32)) -> f32| {
        let values = result.thresholds.iter().map(|pair| format!("{:.3}", pick(pair)));
        values.collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(
        out,
        "{folds} folds; thresholds chosen on the training side of each: links {}; content {}.\n",
        thresholds(|pair| pair.0),
        thresholds(|pair| pair.1)
    );
    for method in METHODS {
        let Some(by_set) = result.by_set.get(method) else { continue };
        let _ = writeln!(out, "## {method}\n");
        measures_table(&mut out, "data set", by_set.iter());
        out.push('\n');
    }
    out.push_str("## model, by kind of page\n\n");
    measures_table(&mut out, "kind", result.by_kind.iter());
    out
}

fn measures_table<'a>(out: &mut String, what: &str, rows: impl Iterator<Item = (&'a String, &'a Measures)>) {
    let _ = writeln!(out, "| {what} | P | R | F | FPR | with next | without | text F | texts |");
    out.push_str("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (name, measures) in rows {
        let next = &measures.next;
        let _ = writeln!(
            out,
            "| {name} | {:.3} | {:.3} | {:.3} | {:.3} | {} | {} | {:.3} | {} |",
            next.precision(),
            next.recall(),
            next.f1(),
            next.false_positive_rate(),
            next.gold,
            next.none,
            measures.text_f(),
            measures.text_pages,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_stand_in_columns() {
        let mut result = FullResult::default();
        let mut measures = Measures { text_f_sum: 1.5, text_pages: 2, ..Measures::default() };
        measures.next.add(true, true, true);
        measures.next.add(true, false, false);
        result.by_set.entry("model").or_default().insert("all".to_owned(), measures);
        result.thresholds.push((0.5, 0.25));
        let report = full_report(&result);
        assert!(report.contains("| all | 0.500 | 1.000 | 0.667 | 1.000 | 1 | 1 | 0.750 | 2 |"), "{report}");
        assert!(report.contains(
            "1 folds; thresholds chosen on the training side of each: links 0.500; content 0.250."
        ));
    }
}
