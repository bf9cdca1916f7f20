//! The report of the experiment: Markdown, tables as CSV, figures as SVG.

use super::choices::ChoiceEffect;
use super::errors::WorstPage;
use super::experiment::{PaperResult, Repeats, Variant};
use super::methods::{
    BASELINE, BEST_PREDICTED, BOOSTED, BOOSTED_NO_DISTANCE, CONTENT_METHODS, FOREST, KatoReading,
    LINFA_LOGISTIC, LINFA_TREE, LINK_METHODS, Method, MethodResult, NO_DISTANCE, NO_SIMILARITY, PREDICTED,
    SMARTCORE_FOREST, TREE, TREE_NO_DISTANCE,
};
use super::shown::ShownPages;
use super::split::{Pool, SideCounts};
use std::fmt::Write as _;
use tsugi_learning::{Confusion, Interval, mean_interval};
use tsugi_main_content::paper::PaperContent;
use tsugi_next_link::paper::PaperLinks;
use tsugi_scoring::{Column, Schema};
use tsugi_training::figures::{FigureError, PrMethod, importances, pr_curves, spread};
use tsugi_training::html::html_report;
use tsugi_training::report::Report;

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
    preface(&mut out, result.splits.links[BASELINE].confusions.len());
    counts(&mut out, result);
    methods_section(
        &mut out,
        &mut report,
        "Next link, link by link",
        "tables 4.4 and 4.5",
        "links",
        &LINK_METHODS,
        &single.links,
        &result.splits.links,
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
        &result.splits.content,
    )?;
    out.push_str(PREDICTED_LINKS);
    for (name, caption, title, places) in [
        (
            "content-pr",
            "Precision and recall of content, labelled link (figure 4.3)",
            "Content",
            [BASELINE, TREE, FOREST, BOOSTED].as_slice(),
        ),
        (
            "content-no-distance-pr",
            "Precision and recall of content, no distance (figure 4.7)",
            "Content: no distance",
            &[BASELINE, TREE_NO_DISTANCE, NO_DISTANCE, BOOSTED_NO_DISTANCE],
        ),
        (
            "content-distance-pr",
            "Content with labelled, no and predicted link (figure 4.9)",
            "Content: distance",
            &[FOREST, NO_DISTANCE, PREDICTED],
        ),
    ] {
        let svg = pr_curves(title, &curves(&CONTENT_METHODS, &single.content, places))?;
        figure(&mut out, &mut report, name, caption, &svg);
    }
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
    inconsistencies(&mut out);
    shown_pages(&mut out, &single.shown);
    kato_readings(&mut out, &result.splits.kato);

    ablations(&mut out, &mut report, result);
    other_libraries(&mut out, result);
    claims(&mut out, &mut report, result);
    variants(&mut out, &mut report, &result.variants);
    choices(&mut out, &mut report, &result.choices);
    out.push_str(LEFT_OUT);
    worst(&mut out, "links", &single.worst_links);
    worst(&mut out, "content nodes", &single.worst_content);
    let page = html_report("The thesis' experiment", &out, &report.files);
    report.files.push(("report.md".to_owned(), out));
    report.files.push(("report.html".to_owned(), page));
    Ok(report)
}

/// How links are predicted for the distance (section 4.4).
const PREDICTED_LINKS: &str = "\
\"Predicted link\" is the thesis' rule: of all links that the forest predicts, links to the page itself among them, the first \
tag on the page; a page without any takes the median distance over the test pages that have one. \"Best predicted link\" is \
ours, as in the shipped models: the link with the highest score above .5 that is none to the page itself; a page without \
one takes the median over the training pages, so that no page is judged with the help of other test pages.

";

/// What the thesis proposes and is not here.
const LEFT_OUT: &str = "\
## What is left out

The thesis names features of the layout (sizes, places, visibility of elements) as future work. They need a browser, and are \
not measured here. Of its future work, hyperparameters by an inner search are measured above.

";

fn preface(out: &mut String, splits: usize) {
    let _ = writeln!(
        out,
        "One page per website that has both labels; websites split 8:2. The first P, R and F are those of a single \
         split, with the first seed. \"Over splits\": mean and 95 % interval (Student's t) of {splits} splits, each \
         with pages and sides drawn again; splits share websites, so the intervals are narrower than those of {splits} \
         independent sets. Learners use their default parameters, and a score above .5 counts. The thesis' figures \
         (129 websites) are below ours.\n\n\
         A method without a column has a matrix without it: the forest draws from what is left. Candidates are all \
         addresses that a page's links lead to on its own host, the page itself among them.\n\n\
         `tree` and `forest` are grown by `rafor`, `boosted` by our own trainer; the others are the learners of \
         `smartcore`, `linfa-trees` and `linfa-logistic`. All of them learn from the same balanced rows, end in the \
         same model format and are scored by the same code. Training times are those of this one run, on a machine \
         with other work to do: time of all splits, divided by the forest's. Sizes are those of the model files of the \
         single split.\n"
    );
}

fn counts(out: &mut String, result: &PaperResult) {
    let sets = result.sets.iter().filter(|set| set.pages > 0);
    let sets = sets.map(|set| format!("`{}` ({} pages of {} websites)", set.name, set.pages, set.sites));
    let _ = writeln!(
        out,
        "## Data (tables 4.1 and 4.2)\n\nDrawn from {}. The thesis' pages are the example pages of Wedata items, nearly all \
        of them first pages; ours are any pages of a sequence that have a next page, which costs the baseline recall (it \
        takes a link that says “2”). The same experiment on the pages of Wedata items and on first pages is \
        [below](#other-pages).\n",
        sets.collect::<Vec<_>>().join(", ")
    );
    out.push_str("| side | websites | links | next links | nodes | content nodes |\n");
    out.push_str("| --- | --- | --- | --- | --- | --- |\n");
    for (name, side) in [("training", &result.single.train), ("test", &result.single.test)] {
        let SideCounts { sites, links, next_links, nodes, content_nodes } = side;
        let _ = writeln!(out, "| {name} | {sites} | {links} | {next_links} | {nodes} | {content_nodes} |");
    }
    out.push_str("| *thesis: training* | *103* | *14854* | *103* | *101054* | *1952* |\n");
    out.push_str("| *thesis: test* | *26* | *4694* | *26* | *22536* | *522* |\n\n");
}

/// Returns `true` if precision, recall and F, all rounded to three places, can be those of one result.
fn fit_together([precision, recall, f]: [f64; 3]) -> bool {
    let f1 = |shift: f64| {
        let (p, r) = ((precision + shift).max(0.0), (recall + shift).max(0.0));
        if p + r > 0.0 { 2.0 * p * r / (p + r) } else { 0.0 }
    };
    let half = 0.0005;
    f1(-half) < f + half && f1(half) > f - half
}

/// Returns the precision that gives F with a recall, or the other way round.
fn other_rate(f: f64, rate: f64) -> f64 {
    f * rate / (2.0 * rate - f)
}

/// Returns the shares of `all` that round to a published one.
fn counts_of(share: f64, all: u32) -> Vec<u32> {
    (0..=all).filter(|count| (f64::from(*count) / f64::from(all) - share).abs() < 0.0005).collect()
}

/// Number of next links on the thesis' test side (table 4.1).
const TEST_LINKS: u32 = 26;

/// Writes what in the thesis' own figures does not fit together.
fn inconsistencies(out: &mut String) {
    out.push_str("## What does not fit together in the thesis' figures\n\n");
    for method in LINK_METHODS {
        if let Some([_, recall, _]) = method.published
            && counts_of(recall, TEST_LINKS).is_empty()
        {
            let _ = writeln!(
                out,
                "- Table 4.4, {}: no count of {TEST_LINKS} next links has a recall of {recall:.3}. All three figures fit 27 \
                right of 57 found and of 32 labelled: the baseline may have been counted by tags, the learners by addresses.",
                method.name
            );
        }
    }
    for (table, methods) in [("4.4 and 4.5", LINK_METHODS.as_slice()), ("4.6 to 4.8", &CONTENT_METHODS)] {
        for method in methods {
            if let Some(published) = method.published
                && !fit_together(published)
            {
                let [p, r, f] = published;
                let _ = writeln!(
                    out,
                    "- Tables {table}, {}: P {p:.3} and R {r:.3} give F {:.3}, not {f:.3}.",
                    method.name,
                    2.0 * p * r / (p + r)
                );
            }
        }
    }
    let published = |place: usize| CONTENT_METHODS[place].published.unwrap_or_default();
    let ([p, r, f], [p_with, r_with, _]) = (published(BOOSTED_NO_DISTANCE), published(BOOSTED));
    let _ = writeln!(
        out,
        "- The text says that precision, recall and F of boosting rise with the distance; in table 4.7 its precision falls from \
        {p:.3} to {p_with:.3} and its recall from {r:.3} to {r_with:.3}. Without distance, a precision of {:.3} or a recall of \
        {:.3} would fit the rest of the row.\n",
        other_rate(f, r),
        other_rate(f, p)
    );
}

/// Writes pages like those of figures 4.5 and 4.8.
fn shown_pages(out: &mut String, shown: &ShownPages) {
    out.push_str("## Pages like those that the thesis shows\n\nOf the single split's test side, chosen to show it.\n\n");
    match &shown.siblings {
        None => out.push_str("- Figure 4.5: no page has three sibling content nodes that are all found.\n"),
        Some(found) => {
            let _ = writeln!(
                out,
                "- Figure 4.5, siblings that are all found: {}. {} content nodes ({}), {} of them without text, are children \
                of one element; each has at least {:.2} of the page's text and {:.2} of its punctuation marks beside it \
                (thesis: .8 and .9). {} other elements are found.",
                found.url,
                found.nodes,
                found.tags.iter().map(|tag| format!("`{tag}`")).collect::<Vec<_>>().join(", "),
                found.without_text,
                found.sibling_text,
                found.sibling_punctuation,
                found.false_alarms
            );
        }
    }
    match &shown.distance {
        None => out.push_str("- Figure 4.8: the distance helps on no page.\n\n"),
        Some(helped) => {
            let _ = write!(
                out,
                "- Figure 4.8, the distance helps: {}. F over its elements is {:.3} with it and {:.3} without; content is from \
                {} edges away (thesis: 6).",
                helped.url,
                helped.with.f1(),
                helped.without.f1(),
                helped.distance
            );
            if let Some((path, characters, distance)) = &helped.dropped {
                let _ = write!(
                    out,
                    " Only without it `{path}` is found, with {characters} characters, {distance} edges away (thesis: 11)."
                );
            }
            out.push_str("\n\n");
        }
    }
}

/// Writes what Kato's rule gives, by readings.
fn kato_readings(out: &mut String, kato: &[Vec<Confusion>]) {
    out.push_str(
        "## Readings of Kato's rule\n\nThe thesis' baseline for content has P .032 and R .002: 1 right of 31 found and of 522 \
        labelled, about one element found a page. That is no rule that takes everything below a node with half of \
        the text, as the thesis describes it. Over splits:\n\n\
        | reading | P | R | F | found a content node |\n| --- | --- | --- | --- | --- |\n",
    );
    for (place, reading) in KatoReading::ALL.into_iter().enumerate() {
        let of = |figure: fn(Confusion) -> f64| {
            shown(interval(&kato.iter().map(|split| figure(split[place])).collect::<Vec<_>>()))
        };
        let found = |confusion: Confusion| {
            let found = confusion.true_positives + confusion.false_positives;
            found as f64 / (confusion.true_positives + confusion.false_negatives).max(1) as f64
        };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} |",
            reading.name(),
            of(Confusion::precision),
            of(Confusion::recall),
            of(Confusion::f1),
            of(found)
        );
    }
    out.push_str("| *thesis* | *0.032* | *0.002* | *0.003* | *0.059* |\n\n");
    let mean_recall = |place: &usize| {
        kato.iter().map(|split| split[*place].recall()).sum::<f64>() / kato.len().max(1) as f64
    };
    let nearest = (0..KatoReading::ALL.len())
        .min_by(|one, other| mean_recall(one).total_cmp(&mean_recall(other)))
        .map_or("", |place| KatoReading::ALL[place].name());
    let _ = writeln!(out, "The lowest recall, and so the nearest, has: {nearest}.\n");
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
    paired_by(repeats, with, without, F.0)
}

/// Returns the difference of a figure between two methods, paired by split.
fn paired_by(repeats: &[Repeats], with: usize, without: usize, rate: Rate) -> Interval {
    let (with, without) = (&repeats[with].confusions, &repeats[without].confusions);
    let differences = with.iter().zip(without).map(|(a, b)| rate(a) - rate(b));
    interval(&differences.collect::<Vec<_>>())
}

fn ablations(out: &mut String, report: &mut Report, result: &PaperResult) {
    out.push_str("## What a column is worth: paired differences of F\n\n");
    out.push_str("| difference | ours, mean and interval | thesis |\n| --- | --- | --- |\n");
    let mut csv = String::from("difference,mean,low,high,published\n");
    let rows = [
        (
            "links: forest with minus without LinkSimilarity",
            paired(&result.splits.links, FOREST, NO_SIMILARITY),
            Some(0.027),
        ),
        (
            "content: forest with labelled link minus without distance",
            paired(&result.splits.content, FOREST, NO_DISTANCE),
            Some(0.077),
        ),
        (
            "content: forest with predicted link (thesis' rule) minus without distance",
            paired(&result.splits.content, PREDICTED, NO_DISTANCE),
            Some(0.067),
        ),
        (
            "content: forest with best predicted link minus without distance",
            paired(&result.splits.content, BEST_PREDICTED, NO_DISTANCE),
            None,
        ),
        (
            "content: tree with labelled link minus without distance",
            paired(&result.splits.content, TREE, TREE_NO_DISTANCE),
            Some(-0.029),
        ),
        (
            "content: boosting with labelled link minus without distance",
            paired(&result.splits.content, BOOSTED, BOOSTED_NO_DISTANCE),
            Some(0.025),
        ),
        (
            "content: forest with labelled minus with predicted link (thesis' rule)",
            paired(&result.splits.content, FOREST, PREDICTED),
            Some(0.010),
        ),
    ];
    for (name, difference, published) in rows {
        let Interval { mean, low, high } = difference;
        let [shown, cell] = [
            published.map(|value: f64| format!("{value:+.3}")),
            published.map(|value| format!("{value:.3}")),
        ]
        .map(Option::unwrap_or_default);
        let _ = writeln!(out, "| {name} | {mean:+.3} ({low:+.3} to {high:+.3}) | {shown} |");
        let _ = writeln!(csv, "\"{name}\",{mean:.4},{low:.4},{high:.4},{cell}");
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
        let [links, content] = [(&result.splits.links, theirs[0]), (&result.splits.content, theirs[1])].map(
            |(repeats, theirs)| {
                let Interval { mean, low, high } = paired(repeats, theirs, ours);
                format!("{mean:+.3} ({low:+.3} to {high:+.3})")
            },
        );
        let _ = writeln!(out, "| {name} | {links} | {content} |");
    }
    out.push('\n');
}

/// A figure of a result.
type Rate = fn(&Confusion) -> f64;

const P: (Rate, &str) = (|confusion| confusion.precision(), "precision");
const R: (Rate, &str) = (|confusion| confusion.recall(), "recall");
const F: (Rate, &str) = (|confusion| confusion.f1(), "F");

/// A claim of the thesis: one method has more, or less, of something than another.
struct Claim {
    text: &'static str,
    of_content: bool,
    rate: (Rate, &'static str),
    methods: [usize; 2],
    /// `false` if the second is to have more.
    more: bool,
}

const fn claim(
    text: &'static str,
    of_content: bool,
    rate: (Rate, &'static str),
    methods: [usize; 2],
) -> Claim {
    Claim { text, of_content, rate, methods, more: true }
}

/// The claims that compare two methods, in the order of the thesis.
const CLAIMS: [Claim; 44] = [
    claim("4.3: all learners beat the baseline", false, F, [TREE, BASELINE]),
    claim("", false, F, [FOREST, BASELINE]),
    claim("", false, F, [BOOSTED, BASELINE]),
    claim("… with higher precision", false, P, [TREE, BASELINE]),
    claim("", false, P, [FOREST, BASELINE]),
    claim("", false, P, [BOOSTED, BASELINE]),
    Claim { more: false, ..claim("… and lower recall", false, R, [TREE, BASELINE]) },
    Claim { more: false, ..claim("", false, R, [FOREST, BASELINE]) },
    Claim { more: false, ..claim("", false, R, [BOOSTED, BASELINE]) },
    claim("the forest is best", false, F, [FOREST, TREE]),
    claim("", false, F, [FOREST, BOOSTED]),
    claim("boosting is more precise than the tree", false, P, [BOOSTED, TREE]),
    Claim { more: false, ..claim("… and finds less", false, R, [BOOSTED, TREE]) },
    claim("LinkSimilarity raises precision, recall and F", false, P, [FOREST, NO_SIMILARITY]),
    claim("", false, R, [FOREST, NO_SIMILARITY]),
    claim("", false, F, [FOREST, NO_SIMILARITY]),
    claim("4.4: all learners beat the baseline by far", true, F, [TREE, BASELINE]),
    claim("", true, F, [FOREST, BASELINE]),
    claim("", true, F, [BOOSTED, BASELINE]),
    claim("the forest is most precise", true, P, [FOREST, BOOSTED]),
    claim("… then boosting", true, P, [BOOSTED, TREE]),
    claim("the tree finds most", true, R, [TREE, BOOSTED]),
    claim("… then boosting", true, R, [BOOSTED, FOREST]),
    claim("the forest is best", true, F, [FOREST, TREE]),
    claim("", true, F, [FOREST, BOOSTED]),
    claim("… then boosting", true, F, [BOOSTED, TREE]),
    claim("without distance, all beat the baseline", true, F, [TREE_NO_DISTANCE, BASELINE]),
    claim("", true, F, [NO_DISTANCE, BASELINE]),
    claim("", true, F, [BOOSTED_NO_DISTANCE, BASELINE]),
    claim("… the forest is best", true, F, [NO_DISTANCE, BOOSTED_NO_DISTANCE]),
    claim("… then boosting, then the tree", true, F, [BOOSTED_NO_DISTANCE, TREE_NO_DISTANCE]),
    claim("the distance raises precision, recall and F of the forest", true, P, [FOREST, NO_DISTANCE]),
    claim("", true, R, [FOREST, NO_DISTANCE]),
    claim("", true, F, [FOREST, NO_DISTANCE]),
    claim("… and of boosting", true, P, [BOOSTED, BOOSTED_NO_DISTANCE]),
    claim("", true, R, [BOOSTED, BOOSTED_NO_DISTANCE]),
    claim("", true, F, [BOOSTED, BOOSTED_NO_DISTANCE]),
    Claim { more: false, ..claim("… not F of the tree (table 4.7)", true, F, [TREE, TREE_NO_DISTANCE]) },
    claim("the labelled link is best", true, F, [FOREST, PREDICTED]),
    claim("the distance helps with the predicted link", true, F, [PREDICTED, NO_DISTANCE]),
    claim("", true, P, [PREDICTED, NO_DISTANCE]),
    claim("", true, R, [PREDICTED, NO_DISTANCE]),
    claim("… with the best predicted link (ours)", true, F, [BEST_PREDICTED, NO_DISTANCE]),
    claim("the predicted link is more precise than the labelled (table 4.8)", true, P, [PREDICTED, FOREST]),
];

/// Writes which of the thesis' claims hold, decided by intervals.
fn claims(out: &mut String, report: &mut Report, result: &PaperResult) {
    out.push_str(
        "## Which claims hold on this data\n\nDifferences are paired over splits. A claim holds if the interval is on its side \
        of zero, is contradicted if it is on the other, and is undecided if it spans zero.\n\n\
        | claim | of | compared | thesis | ours, mean and interval | |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    let mut csv = String::from("claim,task,figure,first,second,published,mean,low,high,verdict\n");
    for claim in &CLAIMS {
        let (task, methods, repeats) = if claim.of_content {
            ("content", CONTENT_METHODS.as_slice(), &result.splits.content)
        } else {
            ("links", LINK_METHODS.as_slice(), &result.splits.links)
        };
        let (rate, figure) = claim.rate;
        let [one, other] = claim.methods;
        let difference = paired_by(repeats, one, other, rate);
        let Interval { mean, low, high } = difference;
        let verdict = match (low > 0.0, high < 0.0) {
            (false, false) => "undecided",
            (is_more, _) if is_more == claim.more => "holds",
            _ => "**contradicted**",
        };
        let published = [one, other].map(|place| methods[place].published);
        let place = ["precision", "recall", "F"].iter().position(|name| *name == figure).unwrap_or(2);
        let published = match published {
            [Some(one), Some(other)] => format!("{:+.3}", one[place] - other[place]),
            _ => String::new(),
        };
        let [one, other] = claim.methods.map(|place| methods[place].name);
        let _ = writeln!(
            out,
            "| {} | {task}, {figure} | {one} − {other} | {published} | {mean:+.3} ({low:+.3} to {high:+.3}) | {verdict} |",
            claim.text
        );
        let _ = writeln!(
            csv,
            "\"{}\",{task},{figure},\"{one}\",\"{other}\",{published},{mean:.4},{low:.4},{high:.4},{}",
            claim.text,
            verdict.trim_matches('*')
        );
    }
    out.push('\n');
    report.files.push(("tables/claims.csv".to_owned(), csv));
    let links = &result.single.links[FOREST].importances;
    order_claim(out, "links", PaperLinks::columns(), links, &PUBLISHED_LINK_IMPORTANCES);
    let content = &result.single.content[FOREST].importances;
    order_claim(out, "content", PaperContent::columns(), content, &PUBLISHED_CONTENT_IMPORTANCES[..3]);
    out.push('\n');
}

/// Compares the most important columns of the single split with those of the thesis.
fn order_claim(out: &mut String, task: &str, columns: &[Column], values: &[f64], published: &[(&str, f64)]) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    let ours: Vec<&str> = order.iter().take(published.len()).map(|at| columns[*at].name).collect();
    let theirs: Vec<&str> = published.iter().map(|(name, _)| *name).collect();
    let common = ours.iter().filter(|name| theirs.contains(name)).count();
    let verdict = match (ours == theirs, common) {
        (true, _) => "the same, in the same order".to_owned(),
        (_, common) if common == theirs.len() => "the same, in another order".to_owned(),
        _ => format!("{common} of the {} are the same", theirs.len()),
    };
    let _ = writeln!(
        out,
        "- {task}, most important columns: {} in the thesis, {} in the single split: {verdict}",
        theirs.join(", "),
        ours.join(", ")
    );
}

/// Writes the experiment on the pages of Wedata items, and on first pages.
fn variants(out: &mut String, report: &mut Report, variants: &[Variant]) {
    out.push_str("## Other pages\n\n");
    let mut csv = String::from("pages,task,method,precision,recall,f,f_low,f_high\n");
    for variant in variants {
        let (name, key) = match variant.pool {
            Pool::All => ("All pages", "all"),
            Pool::Wedata => (
                "Pages of Wedata items alone, as in the thesis. They are few, and most of the items are generic ones (`rel=next`, \
                `.hentry`), whose markup is easy to learn",
                "wedata",
            ),
            Pool::First => (
                "First pages alone: by the label's place in the sequence; without one, by a 2 in the next page's address",
                "first",
            ),
        };
        let [train, test] = variant.sides;
        let _ = writeln!(
            out,
            "{name}. {} websites to train on and {} to test on; on the test side of the first split {} links, {} of them next \
            links, and {} nodes, {} of them content. Means over splits:\n\n\
            | task | method | P | R | F | thesis: P | R | F |\n| --- | --- | --- | --- | --- | --- | --- | --- |",
            train.sites, test.sites, test.links, test.next_links, test.nodes, test.content_nodes
        );
        let tasks = [
            ("links", LINK_METHODS.as_slice(), &variant.splits.links),
            ("content", CONTENT_METHODS.as_slice(), &variant.splits.content),
        ];
        for (task, methods, repeats) in tasks {
            for (method, repeats) in methods.iter().zip(repeats) {
                let [p, r, f] = [P, R, F]
                    .map(|(rate, _)| interval(&repeats.confusions.iter().map(rate).collect::<Vec<_>>()));
                let published = method.published.map_or_else(
                    || "| |".to_owned(),
                    |published| published.map(|figure| format!("{figure:.3}")).join(" | "),
                );
                let _ = writeln!(
                    out,
                    "| {task} | {} | {:.3} | {:.3} | {} | {published} |",
                    method.name,
                    p.mean,
                    r.mean,
                    shown(f)
                );
                let _ = writeln!(
                    csv,
                    "{key},{task},\"{}\",{:.4},{:.4},{:.4},{:.4},{:.4}",
                    method.name, p.mean, r.mean, f.mean, f.low, f.high
                );
            }
        }
        out.push('\n');
    }
    report.files.push(("tables/other-pages.csv".to_owned(), csv));
}

fn choices(out: &mut String, report: &mut Report, choices: &[ChoiceEffect]) {
    let splits = choices.first().map_or(0, |choice| choice.links.len());
    if splits == 0 {
        return;
    }
    let _ = writeln!(
        out,
        "## What the thesis leaves open\n\nThe thesis does not give SMOTE's neighbours or how their distance is taken, the \
         limits of trees, the size of the forest, any parameter of boosting, whether a link to the page itself is a \
         candidate, or how ties count. Equation 3.2 (the relative length of an address) is illegible in our copy; we \
         divide by the same as equation 3.1. Difference of F to our choice with the same learner, paired over {splits} splits. \
         Inner search: of six settings the one with the best F in three parts of the training side (forest: 1, 5, 20 rows a \
         leaf, square root or 5 of the columns at each split; boosting: 50, 100, 200 trees of 4 or 16 leaves), for each \
         split and task.\n"
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
        let line = |values: &[f64]| {
            let mut out = String::new();
            order_claim(
                &mut out,
                "links",
                columns,
                values,
                &[("next_label", 0.4), ("single_character", 0.2)],
            );
            out
        };
        let same = line(&[0.5, 0.1, 0.4]);
        assert!(
            same.contains("next_label, single_character in the single split: the same, in the same"),
            "{same}"
        );
        assert!(line(&[0.4, 0.1, 0.5]).contains("the same, in another order"));
        assert!(line(&[0.5, 0.4, 0.1]).contains("1 of the 2 are the same"));
    }

    #[test]
    fn published_figures_are_checked() {
        // 2 · .818 · .692 ÷ 1.51 = .750; 2 · .536 · .9 ÷ 1.436 = .672.
        assert!(fit_together([0.818, 0.692, 0.750]) && !fit_together([0.536, 0.900, 0.499]));
        assert!(fit_together([0.0, 0.0, 0.0]) && fit_together([0.474, 0.844, 0.607]));
        assert!(
            (other_rate(0.672, 0.9) - 0.536).abs() < 1e-3 && (other_rate(0.672, 0.536) - 0.9).abs() < 2e-3
        );
        // 19 ÷ 26 = .7308; .844 lies between 21 and 22 of 26, and is 27 of 32.
        assert_eq!(
            (counts_of(0.731, 26), counts_of(0.844, 26), counts_of(0.844, 32)),
            (vec![19], vec![], vec![27])
        );
        let mut out = String::new();
        inconsistencies(&mut out);
        assert_eq!(out.matches("Table 4.4, baseline").count(), 1, "{out}");
        assert!(out.contains("boosted, no distance: P 0.536 and R 0.900 give F 0.672, not 0.499"), "{out}");
    }
}
