//! Results as Markdown tables.

use crate::full::{FullResult, METHODS, Measures};
use crate::paper::{PaperResult, PaperRow};
use std::fmt::Write as _;

/// Writes the results of the thesis' experiment, the published figures beside ours.
pub fn paper_report(result: &PaperResult) -> String {
    let mut out = String::from("# The thesis' experiment\n\n");
    let PaperResult { train_sites, test_sites, train_counts, test_counts, links, content } = result;
    let _ = writeln!(
        out,
        "One page a website, split by website: {train_sites} for training, {test_sites} for testing \
         (the thesis: 103 and 26). Learners with their default parameters, scores from .5 on count.\n"
    );
    out.push_str("| side | links | next links | nodes | content nodes |\n| --- | --- | --- | --- | --- |\n");
    for (side, counts) in [("training", train_counts), ("test", test_counts)] {
        let [links, next, nodes, content] = counts;
        let _ = writeln!(out, "| {side} | {links} | {next} | {nodes} | {content} |");
    }
    out.push_str("\n## Next link, link by link (table 4.4)\n\n");
    paper_table(&mut out, links);
    out.push_str("\n## Main content, node by node, with the labelled link (table 4.6)\n\n");
    paper_table(&mut out, content);
    out
}

fn paper_table(out: &mut String, rows: &[PaperRow]) {
    out.push_str("| method | precision | recall | F | average precision | published P / R / F |\n");
    out.push_str("| --- | --- | --- | --- | --- | --- |\n");
    for row in rows {
        let average = row.average_precision.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"));
        let [p, r, f] = row.published;
        let _ = writeln!(
            out,
            "| {} | {:.3} | {:.3} | {:.3} | {average} | {p:.3} / {r:.3} / {f:.3} |",
            row.name,
            row.confusion.precision(),
            row.confusion.recall(),
            row.confusion.f1(),
        );
    }
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
    use tsugi_learning::Confusion;

    #[test]
    fn published_figures_stand_beside_ours() {
        let mut confusion = Confusion::default();
        for (found, label) in [(true, true), (true, false), (false, true), (true, true)] {
            confusion.add(found, label);
        }
        let row = PaperRow {
            name: "forest".to_owned(),
            confusion,
            average_precision: Some(0.5),
            published: [0.818, 0.692, 0.75],
        };
        let result = PaperResult {
            train_sites: 103,
            test_sites: 26,
            train_counts: [10, 1, 20, 2],
            test_counts: [5, 1, 9, 1],
            links: vec![row],
            content: Vec::new(),
        };
        let report = paper_report(&result);
        // 2 of 3 found are right, 2 of 3 labelled are found.
        assert!(
            report.contains("| forest | 0.667 | 0.667 | 0.667 | 0.500 | 0.818 / 0.692 / 0.750 |"),
            "{report}"
        );
    }

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
