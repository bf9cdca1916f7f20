//! The report of the experiment, with figures as SVG.

use super::choices::ChoiceEffect;
use super::errors::WorstPage;
use super::experiment::{PaperResult, Repeats, Splits};
use super::methods::{
    BASELINE, BEST_PREDICTED, BOOSTED, BOOSTED_NO_DISTANCE, CONTENT_METHODS, FOREST, KatoReading,
    LINFA_LOGISTIC, LINFA_TREE, LINK_METHODS, MethodResult, NO_DISTANCE, NO_SIMILARITY, PREDICTED,
    PaperMethod, SMARTCORE_FOREST, TREE, TREE_NO_DISTANCE,
};
use super::shown::{DistanceHelped, SiblingsFound};
use super::split::{PagePool, SideCounts};
use tsugi_learning::{Confusion, Interval, mean_interval};
use tsugi_main_content::paper::PaperContent;
use tsugi_next_link::paper::PaperLinks;
use tsugi_scoring::{Column, Schema};
use tsugi_training::figures::{FigureError, PrMethod, importances, pr_curves, spread};
use tsugi_training::html::html_report;
use tsugi_training::tables::{
    Report, ReportDraft, ReportValue, difference, figure, grid, interval, mean, table,
};

/// Published importances (figures 4.2 and 4.4).
const PUBLISHED_LINK_IMPORTANCES: [(&str, f64); 3] =
    [("next_label", 0.405), ("single_character", 0.210), ("page_label", 0.177)];
const PUBLISHED_CONTENT_IMPORTANCES: [(&str, f64); 4] = [
    ("sibling_text", 0.171),
    ("relative_sibling_text", 0.166),
    ("sibling_punctuation", 0.141),
    ("next_link_distance", 0.077),
];

/// Published sizes of the two sides (tables 4.1 and 4.2): websites, links, next links, nodes, content nodes.
const PUBLISHED_SIDES: [(&str, [u64; 5]); 2] =
    [("training", [103, 14_854, 103, 101_054, 1952]), ("test", [26, 4694, 26, 22_536, 522])];

/// Reports the thesis' experiment, with the published figures below ours; `report.html` is one page with the figures.
///
/// # Errors
///
/// [`FigureError`] if a figure cannot be drawn.
pub fn paper_report(result: &PaperResult) -> Result<Report, FigureError> {
    let mut draft = ReportDraft::default();
    let single = &result.single;
    let sets = result.sets.iter().filter(|set| set.pages > 0);
    let sets = sets.map(|set| format!("`{}` ({} pages of {} websites)", set.name, set.pages, set.sites));
    draft.put("sets", sets.collect::<Vec<_>>().join(", "));
    draft.put("splits", result.splits.links[BASELINE].confusions.len());
    let ours = [("training".to_owned(), single.train), ("test".to_owned(), single.test)];
    draft.put("sides", grid(&SIDE_HEADERS, sides(ours).chain(published_sides())));
    draft.put("links", methods_table(&LINK_METHODS, &single.links, &result.splits.links));
    draft.put("content", methods_table(&CONTENT_METHODS, &single.content, &result.splits.content));
    draw(&mut draft, result)?;
    draft.put("siblings", single.shown.siblings.as_ref().map_or_else(no_siblings, siblings));
    draft.put("distance", single.shown.distance.as_ref().map_or_else(no_distance, distance));
    draft.put("kato", kato_readings(&result.splits.kato));
    draft.put("ablations", ablations(&result.splits));
    draft.put("libraries", other_libraries(&result.splits));
    draft.put("claims", claims(&result.splits));
    let (links, content) = (&single.links[FOREST].importances, &single.content[FOREST].importances);
    draft.put("orders", orders(links, content));
    draft.put("low", low_importances(links));
    let variant_sides = result.variants.iter().flat_map(|variant| {
        let [train, test] = variant.sides;
        [(pool_name(variant.pool, ", training"), train), (pool_name(variant.pool, ", test"), test)]
    });
    draft.put("variant_sides", grid(&SIDE_HEADERS, sides(variant_sides)));
    draft.put("variants", variants(result));
    draft.put("choice_splits", result.choices.first().map_or(0, |choice| choice.links.len()));
    draft.put("choices", choices(&result.choices));
    draft.put("worst_links", worst(&single.worst_links));
    draft.put("worst_content", worst(&single.worst_content));
    let mut report = draft.finish(include_str!("report.md"));
    let page = html_report("The thesis' experiment", &report.files[0].1, &report.files[2..]);
    report.files.push(("report.html".to_owned(), page));
    Ok(report)
}

fn draw(draft: &mut ReportDraft, result: &PaperResult) -> Result<(), FigureError> {
    let single = &result.single;
    for (name, title, places) in [
        ("links-pr", "Links", [BASELINE, TREE, FOREST, BOOSTED].as_slice()),
        ("links-similarity-pr", "Links: LinkSimilarity", &[FOREST, NO_SIMILARITY]),
    ] {
        draft.svg(name, pr_curves(title, &curves(&LINK_METHODS, &single.links, places))?);
    }
    for (name, title, places) in [
        ("content-pr", "Content", [BASELINE, TREE, FOREST, BOOSTED].as_slice()),
        (
            "content-no-distance-pr",
            "Content: no distance",
            &[BASELINE, TREE_NO_DISTANCE, NO_DISTANCE, BOOSTED_NO_DISTANCE],
        ),
        ("content-distance-pr", "Content: distance", &[FOREST, NO_DISTANCE, PREDICTED]),
    ] {
        draft.svg(name, pr_curves(title, &curves(&CONTENT_METHODS, &single.content, places))?);
    }
    draw_columns::<PaperLinks>(draft, "links", &single.links[FOREST], &PUBLISHED_LINK_IMPORTANCES)?;
    draw_columns::<PaperContent>(draft, "content", &single.content[FOREST], &PUBLISHED_CONTENT_IMPORTANCES)?;
    draw_spread(draft, "links", &LINK_METHODS, &result.splits.links)?;
    draw_spread(draft, "content", &CONTENT_METHODS, &result.splits.content)
}

fn curves<'a>(
    methods: &[PaperMethod],
    results: &'a [MethodResult],
    places: &[usize],
) -> Vec<(&'static str, PrMethod<'a>)> {
    let curve = |result: &'a MethodResult| match result.scores.as_slice() {
        [] => PrMethod::Rule(result.confusion),
        scores => PrMethod::Scores(scores, &result.labels),
    };
    places.iter().map(|place| (methods[*place].name, curve(&results[*place]))).collect()
}

fn draw_columns<S: Schema>(
    draft: &mut ReportDraft,
    name: &str,
    forest: &MethodResult,
    published: &[(&str, f64)],
) -> Result<(), FigureError> {
    let title = format!("Importance of columns: {name}");
    let svg = importances(&title, S::columns(), &forest.importances, published)?;
    draft.svg(&format!("{name}-importances"), svg);
    Ok(())
}

fn draw_spread(
    draft: &mut ReportDraft,
    name: &str,
    methods: &[PaperMethod],
    repeats: &[Repeats],
) -> Result<(), FigureError> {
    let rows: Vec<_> = methods
        .iter()
        .zip(repeats)
        .map(|(method, repeats)| {
            (method.name, over_splits(repeats, F.0), method.published.map(|[_, _, f]| f))
        })
        .collect();
    draft.svg(&format!("{name}-spread"), spread(&format!("F over splits: {name}"), &rows)?);
    Ok(())
}

const SIDE_HEADERS: [&str; 6] = ["side", "websites", "links", "next links", "nodes", "content nodes"];

fn sides(sides: impl IntoIterator<Item = (String, SideCounts)>) -> impl Iterator<Item = Vec<ReportValue>> {
    sides.into_iter().map(|(name, side)| {
        let SideCounts { sites, links, next_links, nodes, content_nodes } = side;
        vec![name.into(), sites.into(), links.into(), next_links.into(), nodes.into(), content_nodes.into()]
    })
}

fn published_sides() -> impl Iterator<Item = Vec<ReportValue>> {
    PUBLISHED_SIDES.into_iter().map(|(name, counts)| {
        let counts = counts.map(|count| ReportValue::new(format!("*{count}*"), count));
        std::iter::once(format!("*thesis: {name}*").into()).chain(counts).collect()
    })
}

fn over_splits(repeats: &Repeats, rate: usize) -> Interval {
    share_of(repeats.confusions.iter().map(|confusion| RATES[rate](*confusion)))
}

/// The mean of shares; its interval stays between 0 and 1.
fn share_of(values: impl Iterator<Item = f64>) -> Interval {
    interval_of(values).within(0.0, 1.0)
}

/// The mean of differences of shares; its interval stays between −1 and 1.
fn difference_of(values: impl Iterator<Item = f64>) -> Interval {
    interval_of(values).within(-1.0, 1.0)
}

fn interval_of(values: impl Iterator<Item = f64>) -> Interval {
    let values: Vec<f64> = values.collect();
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    mean_interval(&values).unwrap_or(Interval { mean, low: mean, high: mean })
}

fn in_italics(published: [f64; 3]) -> [ReportValue; 3] {
    published.map(|value| ReportValue::new(format!("*{value:.3}*"), value))
}

fn methods_table(methods: &[PaperMethod], single: &[MethodResult], repeats: &[Repeats]) -> ReportValue {
    let of_forest = repeats[FOREST].time.unwrap_or_default();
    let rows = methods.iter().zip(single).zip(repeats).flat_map(|((method, single), splits)| {
        let mut row: Vec<ReportValue> = vec![method.name.into()];
        row.extend(RATES.map(|rate| figure(rate(single.confusion))));
        row.extend([P, R, F].map(|(rate, _)| interval(over_splits(splits, rate))));
        let time = splits.time.filter(|_| !of_forest.is_zero());
        let time = time.map(|time| time.as_secs_f64() / of_forest.as_secs_f64());
        row.push(or_blank(time, |time| format!("{time:.2}")));
        let size = single.cost.map(|cost| cost.bytes as f64 / 1000.0);
        row.push(or_blank(size, |size| format!("{size:.1}")));
        let published = method.published.map(|published| {
            let figures = std::iter::once("*thesis*".into()).chain(in_italics(published));
            figures.chain((0..5).map(|_| "".into())).collect()
        });
        std::iter::once(row).chain(published)
    });
    grid(
        &[
            "method", "P", "R", "F", "P over splits", "R over splits", "F over splits", "time (forest = 1)",
            "model, kB",
        ],
        rows,
    )
}

fn or_blank(value: Option<f64>, show: impl Fn(f64) -> String) -> ReportValue {
    ReportValue::new(value.map(show).unwrap_or_default(), value)
}

fn no_siblings() -> String {
    "no page has three sibling content nodes that are all found.".to_owned()
}

fn siblings(found: &SiblingsFound) -> String {
    let tags = found.tags.iter().map(|tag| format!("`{tag}`")).collect::<Vec<_>>().join(", ");
    format!(
        "{}. {} content nodes ({tags}), {} of them without text, are children of one element; each has at least {:.2} of \
        the page's text and {:.2} of its punctuation marks beside it (thesis: .8 and .9). {} other elements are found.",
        found.url,
        found.nodes,
        found.without_text,
        found.sibling_text,
        found.sibling_punctuation,
        found.false_alarms
    )
}

fn no_distance() -> String {
    "on no page.".to_owned()
}

fn distance(helped: &DistanceHelped) -> String {
    let dropped = helped.dropped.as_ref().map_or_else(String::new, |(path, characters, distance)| {
        format!(
            " Only without it `{path}` is found, with {characters} characters, {distance} edges away (thesis: 11)."
        )
    });
    format!(
        "{}. F over its elements is {:.3} with it and {:.3} without; content is from {} edges away (thesis: 6).{dropped}",
        helped.url,
        helped.with.f1(),
        helped.without.f1(),
        helped.distance
    )
}

fn kato_readings(kato: &[Vec<Confusion>]) -> ReportValue {
    let of = |place: usize, rate: Rate| interval_of(kato.iter().map(|split| rate(split[place])));
    // More elements may be found than are content.
    let found = |place: usize| interval(of(place, found_a_positive));
    let rows = KatoReading::ALL.into_iter().enumerate().map(|(place, reading)| {
        let rates = RATES.map(|rate| interval(of(place, rate).within(0.0, 1.0)));
        std::iter::once(reading.name().into()).chain(rates).chain([found(place)]).collect()
    });
    let [p, r, f] = in_italics([0.032, 0.002, 0.003]);
    let thesis = vec!["*thesis*".into(), p, r, f, ReportValue::new("*0.059*".to_owned(), 0.059)];
    grid(&["reading", "P", "R", "F", "found a content node"], rows.chain([thesis]))
}

fn found_a_positive(confusion: Confusion) -> f64 {
    let found = confusion.true_positives + confusion.false_positives;
    found as f64 / (confusion.true_positives + confusion.false_negatives).max(1) as f64
}

/// Returns the difference of a rate of one method and that of another, paired by split.
fn paired(repeats: &[Repeats], [with, without]: [usize; 2], [one, other]: [usize; 2]) -> Interval {
    let (with, without) = (&repeats[with].confusions, &repeats[without].confusions);
    difference_of(with.iter().zip(without).map(|(a, b)| RATES[one](*a) - RATES[other](*b)))
}

fn signed(value: Option<f64>) -> ReportValue {
    or_blank(value, |value| format!("{value:+.3}"))
}

/// The worth of a column: two methods, for content or links, and the published difference of F.
type Ablation = (&'static str, bool, [usize; 2], Option<f64>);

const ABLATIONS: [Ablation; 7] = [
    ("links: forest with minus without LinkSimilarity", false, [FOREST, NO_SIMILARITY], Some(0.027)),
    ("content: forest with labelled link minus without distance", true, [FOREST, NO_DISTANCE], Some(0.077)),
    (
        "content: forest with predicted link (thesis' rule) minus without distance",
        true,
        [PREDICTED, NO_DISTANCE],
        Some(0.067),
    ),
    (
        "content: forest with best predicted link minus without distance",
        true,
        [BEST_PREDICTED, NO_DISTANCE],
        None,
    ),
    ("content: tree with labelled link minus without distance", true, [TREE, TREE_NO_DISTANCE], Some(-0.029)),
    (
        "content: boosting with labelled link minus without distance",
        true,
        [BOOSTED, BOOSTED_NO_DISTANCE],
        Some(0.025),
    ),
    (
        "content: forest with labelled minus with predicted link (thesis' rule)",
        true,
        [FOREST, PREDICTED],
        Some(0.010),
    ),
];

fn repeats_of(splits: &Splits, of_content: bool) -> &[Repeats] {
    if of_content { &splits.content } else { &splits.links }
}

fn ablations(splits: &Splits) -> ReportValue {
    table(
        ABLATIONS,
        &[
            ("difference", &|(name, ..)| (*name).into()),
            ("ours, mean and interval", &|(_, of_content, methods, _)| {
                difference(paired(repeats_of(splits, *of_content), *methods, [F.0; 2]), 3)
            }),
            ("thesis", &|(.., published)| signed(*published)),
        ],
    )
}

fn other_libraries(splits: &Splits) -> ReportValue {
    table(
        [
            ("smartcore forest minus forest", SMARTCORE_FOREST, FOREST),
            ("linfa tree minus tree", LINFA_TREE, TREE),
            ("linfa logistic minus forest", LINFA_LOGISTIC, FOREST),
        ],
        &[
            ("difference", &|(name, ..)| (*name).into()),
            ("links", &|(_, theirs, ours)| {
                difference(paired(&splits.links, [theirs[0], *ours], [F.0; 2]), 3)
            }),
            ("content", &|(_, theirs, ours)| {
                difference(paired(&splits.content, [theirs[1], *ours], [F.0; 2]), 3)
            }),
        ],
    )
}

type Rate = fn(Confusion) -> f64;

const P: (usize, &str) = (0, "precision");
const R: (usize, &str) = (1, "recall");
const F: (usize, &str) = (2, "F");

/// In the order of published figures.
const RATES: [Rate; 3] = [Confusion::precision, Confusion::recall, Confusion::f1];

/// A claim of the thesis: one method has more, or less, of something than another.
struct ThesisClaim {
    text: &'static str,
    of_content: bool,
    /// The rates of the two methods; the same but in a claim about one method.
    rates: [(usize, &'static str); 2],
    methods: [usize; 2],
    more: bool,
}

const fn claim(
    text: &'static str,
    of_content: bool,
    rate: (usize, &'static str),
    methods: [usize; 2],
) -> ThesisClaim {
    ThesisClaim { text, of_content, rates: [rate; 2], methods, more: true }
}

/// The claims that compare two methods, in the order of the thesis.
const CLAIMS: [ThesisClaim; 45] = [
    claim("4.3: all learners beat the baseline", false, F, [TREE, BASELINE]),
    claim("", false, F, [FOREST, BASELINE]),
    claim("", false, F, [BOOSTED, BASELINE]),
    claim("… with higher precision", false, P, [TREE, BASELINE]),
    claim("", false, P, [FOREST, BASELINE]),
    claim("", false, P, [BOOSTED, BASELINE]),
    ThesisClaim { more: false, ..claim("… and lower recall", false, R, [TREE, BASELINE]) },
    ThesisClaim { more: false, ..claim("", false, R, [FOREST, BASELINE]) },
    ThesisClaim { more: false, ..claim("", false, R, [BOOSTED, BASELINE]) },
    claim("the forest is best", false, F, [FOREST, TREE]),
    claim("", false, F, [FOREST, BOOSTED]),
    claim("boosting is more precise than the tree", false, P, [BOOSTED, TREE]),
    ThesisClaim { more: false, ..claim("… and finds less", false, R, [BOOSTED, TREE]) },
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
    ThesisClaim {
        rates: [R, P],
        ..claim("boosting's recall is above its precision", true, R, [BOOSTED, BOOSTED])
    },
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
    ThesisClaim {
        more: false,
        ..claim("… not F of the tree (table 4.7)", true, F, [TREE, TREE_NO_DISTANCE])
    },
    claim("the labelled link is best", true, F, [FOREST, PREDICTED]),
    claim("the distance helps with the predicted link", true, F, [PREDICTED, NO_DISTANCE]),
    claim("", true, P, [PREDICTED, NO_DISTANCE]),
    claim("", true, R, [PREDICTED, NO_DISTANCE]),
    claim("… with the best predicted link (ours)", true, F, [BEST_PREDICTED, NO_DISTANCE]),
    claim("the predicted link is more precise than the labelled (table 4.8)", true, P, [PREDICTED, FOREST]),
];

impl ThesisClaim {
    fn methods(&self) -> &'static [PaperMethod] {
        if self.of_content { &CONTENT_METHODS } else { &LINK_METHODS }
    }

    fn rates_name(&self) -> String {
        let [(_, one), (_, other)] = self.rates;
        if one == other { one.to_owned() } else { format!("{one} − {other}") }
    }

    fn difference(&self, splits: &Splits) -> Interval {
        paired(repeats_of(splits, self.of_content), self.methods, self.rates.map(|(rate, _)| rate))
    }

    fn published(&self) -> Option<f64> {
        let [one, other] = self.methods.map(|place| self.methods()[place].published);
        Some(one?[self.rates[0].0] - other?[self.rates[1].0])
    }

    fn verdict(&self, Interval { low, high, .. }: Interval) -> &'static str {
        match (low > 0.0, high < 0.0) {
            (false, false) => "undecided",
            (is_more, _) if is_more == self.more => "holds",
            _ => "**contradicted**",
        }
    }
}

fn claims(splits: &Splits) -> ReportValue {
    table(
        &CLAIMS,
        &[
            ("claim", &|claim| claim.text.into()),
            ("of", &|claim| {
                format!("{}, {}", if claim.of_content { "content" } else { "links" }, claim.rates_name())
                    .into()
            }),
            ("compared", &|claim| {
                let [one, other] = claim.methods.map(|place| claim.methods()[place].name);
                format!("{one} − {other}").into()
            }),
            ("thesis", &|claim| signed(claim.published())),
            ("ours, mean and interval", &|claim| difference(claim.difference(splits), 3)),
            ("verdict", &|claim| claim.verdict(claim.difference(splits)).into()),
        ],
    )
}

fn orders(links: &[f64], content: &[f64]) -> ReportValue {
    let rows = [
        ("links", most_important(PaperLinks::columns(), links), names(&PUBLISHED_LINK_IMPORTANCES)),
        ("content", most_important(PaperContent::columns(), content), names(&PUBLISHED_CONTENT_IMPORTANCES)),
    ];
    table(
        rows,
        &[
            ("task", &|(task, ..)| (*task).into()),
            ("thesis", &|(.., theirs)| theirs.join(", ").into()),
            ("single split", &|(_, ours, _)| ours.join(", ").into()),
            ("", &|(_, ours, theirs)| order_verdict(*ours, *theirs).into()),
        ],
    )
}

/// Columns of links that the thesis finds of little importance (4.3).
const LOW: [&str; 5] =
    ["text_length", "relative_text_length", "url_length", "relative_url_length", "link_similarity"];

fn low_importances(links: &[f64]) -> ReportValue {
    let columns = PaperLinks::columns();
    let shares = LOW.iter().filter_map(|name| {
        let at = columns.iter().position(|column| column.name == *name)?;
        let rank = 1 + links.iter().filter(|other| **other > links[at]).count();
        Some((*name, links[at], rank))
    });
    table(
        shares.collect::<Vec<_>>(),
        &[
            ("column", &|(name, ..)| (*name).into()),
            ("importance", &|(_, share, _)| figure(*share)),
            ("place", &|(.., rank)| format!("{rank} of {}", columns.len()).into()),
        ],
    )
}

fn names(published: &[(&'static str, f64)]) -> [&'static str; 3] {
    std::array::from_fn(|at| published[at].0)
}

fn most_important(columns: &[Column], values: &[f64]) -> [&'static str; 3] {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    std::array::from_fn(|at| columns[order[at]].name)
}

fn order_verdict(ours: [&str; 3], theirs: [&str; 3]) -> String {
    match ours.iter().filter(|name| theirs.contains(name)).count() {
        _ if ours == theirs => "the same, in the same order".to_owned(),
        3 => "the same, in another order".to_owned(),
        common => format!("{common} of the 3 are the same"),
    }
}

fn pool_name(pool: PagePool, side: &str) -> String {
    let name = match pool {
        PagePool::All => "all pages",
        PagePool::Wedata => "pages of Wedata items",
        PagePool::First => "first pages",
    };
    format!("{name}{side}")
}

fn variants(result: &PaperResult) -> ReportValue {
    let rows = result.variants.iter().flat_map(|variant| {
        let links = LINK_METHODS.iter().zip(&variant.splits.links).map(|row| ("links", row));
        let content = CONTENT_METHODS.iter().zip(&variant.splits.content).map(|row| ("content", row));
        links.chain(content).map(|(task, (method, repeats))| (variant.pool, task, method, repeats))
    });
    let published = |method: &PaperMethod, (rate, _): (usize, &str)| {
        or_blank(method.published.map(|figures| figures[rate]), |value| format!("{value:.3}"))
    };
    table(
        rows,
        &[
            ("pages", &|row| pool_name(row.0, "").into()),
            ("task", &|row| row.1.into()),
            ("method", &|row| row.2.name.into()),
            ("P", &|row| mean(over_splits(row.3, P.0))),
            ("R", &|row| mean(over_splits(row.3, R.0))),
            ("F", &|row| interval(over_splits(row.3, F.0))),
            ("thesis: P", &|row| published(row.2, P)),
            ("R", &|row| published(row.2, R)),
            ("F", &|row| published(row.2, F)),
        ],
    )
}

fn choices(choices: &[ChoiceEffect]) -> ReportValue {
    table(
        choices,
        &[
            ("another choice", &|choice| choice.name.into()),
            ("links", &|choice| difference(difference_of(choice.links.iter().copied()), 3)),
            ("content", &|choice| difference(difference_of(choice.content.iter().copied()), 3)),
        ],
    )
}

fn worst(pages: &[WorstPage]) -> ReportValue {
    table(
        pages,
        &[
            ("page", &|page| page.url.replace('|', "%7C").into()),
            ("wrong", &|page| page.wrong.into()),
            ("predicted", &|page| in_one_cell(&page.predicted)),
            ("labelled", &|page| in_one_cell(&page.labelled)),
        ],
    )
}

fn in_one_cell(items: &[String]) -> ReportValue {
    if items.is_empty() {
        return "none".into();
    }
    ReportValue::new(items.join("<br>").replace('|', "%7C"), items)
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
        let difference = paired(&repeats, [0, 1], [F.0; 2]);
        assert!((difference.mean - 0.25).abs() < 1e-12);
        assert_eq!(
            (difference.low, difference.high),
            (-1.0, 1.0),
            "two values say little, but no share is above 1"
        );
    }

    #[test]
    fn the_order_of_importances_is_compared() {
        let theirs = ["a", "b", "c"];
        assert_eq!(order_verdict(theirs, theirs), "the same, in the same order");
        assert_eq!(order_verdict(["a", "c", "b"], theirs), "the same, in another order");
        assert_eq!(order_verdict(["a", "d", "b"], theirs), "2 of the 3 are the same");
        let columns = PaperLinks::columns();
        assert_eq!(most_important(columns, &[0.1, 0.4, 0.2, 0.3]), [1, 3, 2].map(|at| columns[at].name));
    }

    /// Returns `true` if precision, recall and F, all rounded to three places, can be those of one result.
    fn fit_together([precision, recall, f]: [f64; 3]) -> bool {
        let f1 = |shift: f64| {
            let (p, r) = ((precision + shift).max(0.0), (recall + shift).max(0.0));
            if p + r > 0.0 { 2.0 * p * r / (p + r) } else { 0.0 }
        };
        f1(-0.0005) < f + 0.0005 && f1(0.0005) > f - 0.0005
    }

    #[test]
    fn the_template_says_which_published_figures_do_not_fit() {
        // 19 ÷ 26 = .7308; .844 lies between 21 and 22 of 26, and is 27 of 32.
        let is_a_share = |share: f64, all: u32| {
            (0..=all).any(|count| (f64::from(count) / f64::from(all) - share).abs() < 0.0005)
        };
        assert!(is_a_share(0.844, 32));
        let template = include_str!("report.md");
        for method in LINK_METHODS.iter().chain(&CONTENT_METHODS) {
            let Some([p, r, f]) = method.published else { continue };
            let line = format!(
                "{}: P {p:.3} and R {r:.3} give F {:.3}, not {f:.3}.",
                method.name,
                2.0 * p * r / (p + r)
            );
            assert_eq!(template.contains(&line), !fit_together([p, r, f]), "{line}");
        }
        for method in LINK_METHODS {
            let known = method.published.is_none_or(|[_, recall, _]| is_a_share(recall, 26));
            assert_eq!(template.contains(&format!("Table 4.4, {}: no count", method.name)), !known);
        }
    }
}
