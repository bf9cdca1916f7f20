//! The report of the experiment: Markdown, tables as CSV, figures as SVG.

use super::choices::ChoiceEffect;
use super::errors::WorstPage;
use super::experiment::{PaperResult, Repeats};
use super::methods::{
    BASELINE, BOOSTED, CONTENT_METHODS, FOREST, LINFA_LOGISTIC, LINFA_TREE, LINK_METHODS, Method,
    MethodResult, NO_DISTANCE, NO_SIMILARITY, PREDICTED, SMARTCORE_FOREST, TREE,
};
use super::split::SideCounts;
use crate::figures::{FigureError, PrMethod, importances, pr_curves, spread};
use crate::html::html_report;
use crate::report::Report;
use std::fmt::Write as _;
use tsugi_learning::{Column, Confusion, Interval, Schema, mean_interval};
use tsugi_main_content::paper::PaperContent;
use tsugi_next_link::paper::PaperLinks;

/// Published importances (figures 4.2 and 4.4).
const PUBLISHED_LINK_IMPORTANCES: [(&str, f64); 3] =
    [("next_label", 0.405), ("single_character", 0.210), ("page_label", 0.177)];
const PUBLISHED_CONTENT_IMPORTANCES: [(&str, f64); 4] = [
    ("sibling_text", 0.171),
    ("relative_sibling_text", 0.166),
    ("sibling_punctuation", 0.141),
    ("next_link_distance", 0.077),
];

/// Writes the report of the thesis' experiment, with the published figures below ours: `report.md`, `report.html`,
/// tables as CSV, figures as SVG.
///
/// # Errors
///
/// [`FigureError`] if a figure cannot be drawn.
pub fn paper_report(result: &PaperResult) -> Result<Report, FigureError> {
    let mut report = Report::default();
    let mut out = String::from("# The thesis' experiment\n\n");
    let single = &result.single;
    preface(&mut out, result.links[BASELINE].confusions.len());
    counts(&mut out, &single.train, &single.test);
    methods_section(
        &mut out,
        &mut report,
        "Next link, link by link",
        "tables 4.4 and 4.5",
        "links",
        &LINK_METHODS,
        &single.links,
        &result.links,
    )?;
    figure(
        &mut out,
        &mut report,
        "links-pr",
        "Precision and recall of links (figure 4.1)",
        &pr_curves("Links", &curves(&LINK_METHODS, &single.links, &[BASELINE, TREE, FOREST, BOOSTED]))?,
    );
    figure(
        &mut out,
        &mut report,
        "links-similarity-pr",
        "Links with and without LinkSimilarity",
        &pr_curves("Links: LinkSimilarity", &curves(&LINK_METHODS, &single.links, &[FOREST, NO_SIMILARITY]))?,
    );
    let columns = PaperLinks::columns();
    importance_section(
        &mut out,
        &mut report,
        "links",
        columns,
        &single.links[FOREST].importances,
        &PUBLISHED_LINK_IMPORTANCES,
        "figure 4.2",
    )?;

    methods_section(
        &mut out,
        &mut report,
        "Main content, node by node",
        "tables 4.6 to 4.8",
        "content",
        &CONTENT_METHODS,
        &single.content,
        &result.content,
    )?;
    figure(
        &mut out,
        &mut report,
        "content-pr",
        "Precision and recall of content, labelled link (figure 4.3)",
        &pr_curves(
            "Content",
            &curves(&CONTENT_METHODS, &single.content, &[BASELINE, TREE, FOREST, BOOSTED]),
        )?,
    );
    figure(
        &mut out,
        &mut report,
        "content-distance-pr",
        "Content with labelled, no and predicted link (figures 4.7 and 4.9)",
        &pr_curves(
            "Content: distance",
            &curves(&CONTENT_METHODS, &single.content, &[FOREST, NO_DISTANCE, PREDICTED]),
        )?,
    );
    let columns = PaperContent::columns();
    importance_section(
        &mut out,
        &mut report,
        "content",
        columns,
        &single.content[FOREST].importances,
        &PUBLISHED_CONTENT_IMPORTANCES,
        "figure 4.4",
    )?;

    ablations(&mut out, &mut report, result);
    other_libraries(&mut out, result);
    claims(&mut out, result);
    choices(&mut out, &mut report, &result.choices);
    worst(&mut out, "links", &single.worst_links);
    worst(&mut out, "content nodes", &single.worst_content);
    let page = html_report("The thesis' experiment", &out, &report.files);
    report.files.push(("report.md".to_owned(), out));
    report.files.push(("report.html".to_owned(), page));
    Ok(report)
}

fn preface(out: &mut String, splits: usize) {
    let _ = writeln!(
        out,
        "One page per website that has both labels; websites split 8:2. The first P, R and F are those of a single \
         split, with the first seed. \"Over splits\": mean and 95 % interval (Student's t) of {splits} splits, each \
         with pages and sides drawn again; splits share websites, so the intervals are narrower than those of {splits} \
         independent sets. Learners use their default parameters, and a score above .5 counts. The thesis' figures \
         (129 websites) are below ours.\n\n\
         `tree` and `forest` are grown by `rafor`, `boosted` by our own trainer; the others are the learners of \
         `smartcore`, `linfa-trees` and `linfa-logistic`. All of them learn from the same balanced rows, end in the \
         same model format and are scored by the same code. Training times are those of this one run, on a machine \
         with other work to do: time of all splits, divided by the forest's. Sizes are those of the model files of the \
         single split.\n"
    );
}

fn counts(out: &mut String, train: &SideCounts, test: &SideCounts) {
    out.push_str(
        "## Data (tables 4.1 and 4.2)\n\n| side | websites | links | next links | nodes | content nodes |\n",
    );
    out.push_str("| --- | --- | --- | --- | --- | --- |\n");
    for (name, side) in [("training", train), ("test", test)] {
        let SideCounts { sites, links, next_links, nodes, content_nodes } = side;
        let _ = writeln!(out, "| {name} | {sites} | {links} | {next_links} | {nodes} | {content_nodes} |");
    }
    out.push_str("| *thesis: training* | *103* | *14854* | *103* | *101054* | *1952* |\n");
    out.push_str("| *thesis: test* | *26* | *4694* | *26* | *22536* | *522* |\n\n");
}

fn curves<'a>(
    methods: &[Method],
    results: &'a [MethodResult],
    places: &[usize],
) -> Vec<(&'static str, PrMethod<'a>)> {
    let shown = |result: &'a MethodResult| match result.scores.as_slice() {
        [] => PrMethod::Rule(result.confusion),
        scores => PrMethod::Scores(scores, &result.labels),
    };
    places.iter().map(|place| (methods[*place].name, shown(&results[*place]))).collect()
}

#[expect(clippy::too_many_arguments, reason = "a table is described by its parts")]
fn methods_section(
    out: &mut String,
    report: &mut Report,
    title: &str,
    tables: &str,
    file: &str,
    methods: &[Method],
    single: &[MethodResult],
    repeats: &[Repeats],
) -> Result<(), FigureError> {
    let _ = writeln!(out, "## {title} ({tables})\n");
    out.push_str("| method | P | R | F | P over splits | R over splits | F over splits | time (forest = 1) | model, kB |\n");
    out.push_str("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    let mut csv = String::from(
        "method,precision,recall,f,precision_mean,precision_low,precision_high,recall_mean,recall_low,recall_high,\
         f_mean,f_low,f_high,precision_published,recall_published,f_published\n",
    );
    let mut spreads = Vec::new();
    let of_forest = repeats[FOREST].time.unwrap_or_default();
    for ((method, single), splits) in methods.iter().zip(single).zip(repeats) {
        let figures: [fn(Confusion) -> f64; 3] = [Confusion::precision, Confusion::recall, Confusion::f1];
        let over =
            figures.map(|figure| interval(&splits.confusions.iter().map(|c| figure(*c)).collect::<Vec<_>>()));
        let one = figures.map(|figure| figure(single.confusion));
        let _ = write!(out, "| {} | {:.3} | {:.3} | {:.3} |", method.name, one[0], one[1], one[2]);
        for interval in &over {
            let _ = write!(out, " {} |", shown(*interval));
        }
        let time = splits.time.filter(|_| !of_forest.is_zero());
        let time = time.map(|time| format!("{:.2}", time.as_secs_f64() / of_forest.as_secs_f64()));
        let size = single.cost.map(|cost| format!("{:.1}", cost.bytes as f64 / 1000.0));
        let _ = writeln!(out, " {} | {} |", time.unwrap_or_default(), size.unwrap_or_default());
        if let Some([p, r, f]) = method.published {
            let _ = writeln!(out, "| *thesis* | *{p:.3}* | *{r:.3}* | *{f:.3}* | | | | | |");
        }
        let _ = write!(csv, "\"{}\",{:.4},{:.4},{:.4}", method.name, one[0], one[1], one[2]);
        for Interval { mean, low, high } in over {
            let _ = write!(csv, ",{mean:.4},{low:.4},{high:.4}");
        }
        let published =
            method.published.map(|figures| figures.map(|figure| format!("{figure:.3}")).join(","));
        let _ = writeln!(csv, ",{}", published.unwrap_or_else(|| ",,".to_owned()));
        spreads.push((method.name, over[2], method.published.map(|[_, _, f]| f)));
    }
    out.push('\n');
    report.files.push((format!("tables/{file}.csv"), csv));
    let svg = spread(&format!("F over splits: {file}"), &spreads)?;
    figure(out, report, &format!("{file}-spread"), "F of every method over splits", &svg);
    Ok(())
}

fn interval(values: &[f64]) -> Interval {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    mean_interval(values).unwrap_or(Interval { mean, low: mean, high: mean })
}

fn shown(Interval { mean, low, high }: Interval) -> String {
    format!("{mean:.3} ({low:.3} to {high:.3})")
}

fn figure(out: &mut String, report: &mut Report, name: &str, caption: &str, svg: &str) {
    let path = format!("figures/{name}.svg");
    let _ = writeln!(out, "![{caption}]({path})\n");
    report.files.push((path, svg.to_owned()));
}

fn importance_section(
    out: &mut String,
    report: &mut Report,
    file: &str,
    columns: &[Column],
    values: &[f64],
    published: &[(&str, f64)],
    figure_number: &str,
) -> Result<(), FigureError> {
    let mut csv = String::from("column,importance,published\n");
    for (column, value) in columns.iter().zip(values) {
        let known = published.iter().find(|(name, _)| *name == column.name);
        let known = known.map_or_else(String::new, |(_, value)| format!("{value:.3}"));
        let _ = writeln!(csv, "{},{value:.4},{known}", column.name);
    }
    report.files.push((format!("tables/{file}-importances.csv"), csv));
    let svg = importances(&format!("Importance of columns: {file}"), columns, values, published)?;
    let caption = format!("Importance of columns in the forest ({figure_number})");
    figure(out, report, &format!("{file}-importances"), &caption, &svg);
    Ok(())
}

/// Returns the difference of F between two methods, paired by split.
fn paired(repeats: &[Repeats], with: usize, without: usize) -> Interval {
    let (with, without) = (&repeats[with].confusions, &repeats[without].confusions);
    let differences = with.iter().zip(without).map(|(a, b)| a.f1() - b.f1());
    interval(&differences.collect::<Vec<_>>())
}

fn ablations(out: &mut String, report: &mut Report, result: &PaperResult) {
    out.push_str("## What a column is worth: paired differences of F\n\n");
    out.push_str("| difference | ours, mean and interval | thesis |\n| --- | --- | --- |\n");
    let mut csv = String::from("difference,mean,low,high,published\n");
    let rows = [
        (
            "links: forest with minus without LinkSimilarity",
            paired(&result.links, FOREST, NO_SIMILARITY),
            0.027,
        ),
        (
            "content: forest with labelled link minus without distance",
            paired(&result.content, FOREST, NO_DISTANCE),
            0.077,
        ),
        (
            "content: forest with predicted link minus without distance",
            paired(&result.content, PREDICTED, NO_DISTANCE),
            0.067,
        ),
        (
            "content: forest with labelled minus with predicted link",
            paired(&result.content, FOREST, PREDICTED),
            0.010,
        ),
    ];
    for (name, difference, published) in rows {
        let Interval { mean, low, high } = difference;
        let _ = writeln!(out, "| {name} | {mean:+.3} ({low:+.3} to {high:+.3}) | {published:+.3} |");
        let _ = writeln!(csv, "\"{name}\",{mean:.4},{low:.4},{high:.4},{published:.3}");
    }
    out.push('\n');
    report.files.push(("tables/ablations.csv".to_owned(), csv));
}

/// Writes how the learners of other libraries compare with ours.
fn other_libraries(out: &mut String, result: &PaperResult) {
    out.push_str("## Learners of other libraries: paired differences of F\n\n");
    out.push_str("| difference | links | content |\n| --- | --- | --- |\n");
    for (name, theirs, ours) in [
        ("smartcore forest minus forest", SMARTCORE_FOREST, FOREST),
        ("linfa tree minus tree", LINFA_TREE, TREE),
        ("linfa logistic minus forest", LINFA_LOGISTIC, FOREST),
    ] {
        let [links, content] = [&result.links, &result.content].map(|repeats| {
            let Interval { mean, low, high } = paired(repeats, theirs, ours);
            format!("{mean:+.3} ({low:+.3} to {high:+.3})")
        });
        let _ = writeln!(out, "| {name} | {links} | {content} |");
    }
    out.push('\n');
}

/// Writes which of the thesis' claims hold, decided by intervals.
fn claims(out: &mut String, result: &PaperResult) {
    out.push_str("## Which claims hold on this data\n\n");
    let verdict = |difference: Interval| match (difference.low > 0.0, difference.high < 0.0) {
        (true, _) => "holds",
        (_, true) => "the opposite holds",
        _ => "undecided: the interval spans zero",
    };
    for (task, repeats) in [("links", &result.links), ("content", &result.content)] {
        for (rival, name) in [(BASELINE, "the baseline"), (TREE, "the tree"), (BOOSTED, "boosting")] {
            let difference = paired(repeats, FOREST, rival);
            let _ = writeln!(
                out,
                "- {task}: the forest is better than {name} — {} (difference of F {:+.3}, {:+.3} to {:+.3})",
                verdict(difference),
                difference.mean,
                difference.low,
                difference.high
            );
        }
    }
    let similarity = paired(&result.links, FOREST, NO_SIMILARITY);
    let distance = paired(&result.content, FOREST, NO_DISTANCE);
    let _ = writeln!(
        out,
        "- LinkSimilarity helps (thesis +.027) — {} ({:+.3})",
        verdict(similarity),
        similarity.mean
    );
    let _ = writeln!(
        out,
        "- The distance to the next link helps (thesis +.077) — {} ({:+.3})",
        verdict(distance),
        distance.mean
    );
    order_claim(
        out,
        "links",
        PaperLinks::columns(),
        &result.single.links[FOREST].importances,
        &PUBLISHED_LINK_IMPORTANCES,
    );
    order_claim(
        out,
        "content",
        PaperContent::columns(),
        &result.single.content[FOREST].importances,
        &PUBLISHED_CONTENT_IMPORTANCES[..3],
    );
    out.push('\n');
}

fn order_claim(out: &mut String, task: &str, columns: &[Column], values: &[f64], published: &[(&str, f64)]) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    let ours: Vec<&str> = order.iter().take(published.len()).map(|at| columns[*at].name).collect();
    let theirs: Vec<&str> = published.iter().map(|(name, _)| *name).collect();
    let verdict = if ours == theirs { "holds" } else { "does not hold" };
    let _ = writeln!(
        out,
        "- {task}: most important are {} — {verdict} (single split: {})",
        theirs.join(", "),
        ours.join(", ")
    );
}

fn choices(out: &mut String, report: &mut Report, choices: &[ChoiceEffect]) {
    let splits = choices.first().map_or(0, |choice| choice.links.len());
    if splits == 0 {
        return;
    }
    let _ = writeln!(
        out,
        "## What the thesis leaves open\n\nThe thesis does not give SMOTE's neighbours, the limits of trees, the size of \
         the forest, or how ties count. Difference of F to our choice, paired over {splits} splits:\n"
    );
    out.push_str("| another choice | links | content |\n| --- | --- | --- |\n");
    let mut csv =
        String::from("choice,links_mean,links_low,links_high,content_mean,content_low,content_high\n");
    for choice in choices {
        let (links, content) = (interval(&choice.links), interval(&choice.content));
        let shown = |Interval { mean, low, high }: Interval| format!("{mean:+.3} ({low:+.3} to {high:+.3})");
        let _ = writeln!(out, "| {} | {} | {} |", choice.name, shown(links), shown(content));
        let _ = writeln!(
            csv,
            "\"{}\",{:.4},{:.4},{:.4},{:.4},{:.4},{:.4}",
            choice.name, links.mean, links.low, links.high, content.mean, content.low, content.high
        );
    }
    out.push('\n');
    report.files.push(("tables/choices.csv".to_owned(), csv));
}

fn worst(out: &mut String, what: &str, pages: &[WorstPage]) {
    let _ = writeln!(out, "## Pages with the most wrong {what} (forest, single split)\n");
    out.push_str("| page | wrong | predicted | labelled |\n| --- | --- | --- | --- |\n");
    for page in pages {
        let list = |items: &[String]| {
            if items.is_empty() { "none".to_owned() } else { items.join("<br>").replace('|', "%7C") }
        };
        let url = page.url.replace('|', "%7C");
        let _ = writeln!(
            out,
            "| {url} | {} | {} | {} |",
            page.wrong,
            list(&page.predicted),
            list(&page.labelled)
        );
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn confusion(right: u32, false_alarms: u32, missed: u32) -> Confusion {
        let mut confusion = Confusion::default();
        (0..right).for_each(|_| confusion.add(true, true));
        (0..false_alarms).for_each(|_| confusion.add(true, false));
        (0..missed).for_each(|_| confusion.add(false, true));
        confusion
    }

    #[test]
    fn differences_are_paired_by_split() {
        // F: 2·1/(2+0+0) = 1 and 2·1/(2+1+1) = .5 against .5 and .5: differences .5 and 0, mean .25.
        let repeats =
            [vec![confusion(1, 0, 0), confusion(1, 1, 1)], vec![confusion(1, 1, 1), confusion(1, 1, 1)]]
                .map(|confusions| Repeats { confusions, time: None });
        let difference = paired(&repeats, 0, 1);
        assert!((difference.mean - 0.25).abs() < 1e-12);
        assert!(difference.low < 0.0 && difference.high > 0.5, "two values say little");
    }

    #[test]
    fn the_order_of_importances_is_compared() {
        let columns = &PaperLinks::columns()[..3];
        let mut out = String::new();
        order_claim(
            &mut out,
            "links",
            columns,
            &[0.5, 0.1, 0.4],
            &[("next_label", 0.4), ("single_character", 0.2)],
        );
        order_claim(
            &mut out,
            "links",
            columns,
            &[0.1, 0.5, 0.4],
            &[("next_label", 0.4), ("single_character", 0.2)],
        );
        assert!(
            out.lines().next().unwrap().contains("holds (single split: next_label, single_character)"),
            "{out}"
        );
        assert!(out.lines().nth(1).unwrap().contains("does not hold"), "{out}");
    }
}
