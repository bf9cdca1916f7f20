//! Compares plans of training the content model, by cross-validation over folders of labelled pages.
//!
//! ```sh
//! cargo run --release -p tsugi-training --example content -- TRIAL SEED FOLDER…
//! ```
//!
//! `TRIAL` says what to compare with the plan that ships: `plans` others, changed in one thing; `sets` training without
//! each of the data sets; `columns` without each group of columns; `sites` a quarter and half of the training sites; `none` nothing. `SEED` says how
//! sites are dealt to the two folds. Each table has the mean token F by data set and kind of page, and
//! the change, with its standard error over sites.

#![expect(clippy::print_stdout, reason = "examples print")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use tsugi_main_content::{BlockColumns, CandidateColumns};
use tsugi_scoring::Schema;
use tsugi_training::content::TrainPlan;
use tsugi_training::content_trials::{CommentTrial, ContentTrial};
use tsugi_training::dataset::DataSet;
use tsugi_training::labelled_pages::{LabelledPages, WantedExamples};

/// Number of folds: few, since each trains all models anew.
const FOLDS: usize = 2;

type Takes = Box<dyn Fn(usize, usize) -> bool + Sync>;

/// A plan, and the pages to train on.
struct Recipe {
    name: String,
    plan: TrainPlan,
    takes: Takes,
}

impl Recipe {
    fn new(name: &str, plan: TrainPlan, takes: impl Fn(usize, usize) -> bool + Sync + 'static) -> Recipe {
        Recipe { name: name.to_owned(), plan, takes: Box::new(takes) }
    }
}

/// Returns the plan that ships, with one model of blocks, which takes a third of the time.
fn shipped() -> TrainPlan {
    TrainPlan { models: 1, ..TrainPlan::default() }
}

/// Returns the plan that ships with other weights of kinds.
fn of_kinds(kinds: &[(&'static str, f32)]) -> TrainPlan {
    TrainPlan { kinds: kinds.to_vec(), ..shipped() }
}

/// Returns groups of columns of blocks and candidates.
fn column_groups() -> Vec<(&'static str, Vec<&'static str>)> {
    let names = |takes: &dyn Fn(&str) -> bool| -> Vec<&'static str> {
        let columns = BlockColumns::columns().iter().chain(CandidateColumns::columns());
        columns.map(|column| column.name).filter(|name| takes(name)).collect()
    };
    let has = |name: &str, parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let is_tail = |name: &str| {
        let parts =
            ["heads_", "_comments", "_related", "heading_words_score", "heading_score", "lowest_since"];
        has(name, &parts)
            || has(name, &["_images", "is_cut", "end_score", "end_prose", "end_link"])
                && name != "page_images"
    };
    vec![
        ("where the article ends", names(&is_tail)),
        (
            "linear scores",
            names(&|name| {
                has(name, &["words_score", "markup_score", "linear_score", "heading_score", "lowest_since"])
            }),
        ),
        ("regions", names(&|name| name.starts_with("in_"))),
        ("levels", names(&|name| name.starts_with("level"))),
        (
            "neighbours",
            names(&|name| has(name, &["_previous", "_next", "_around_", "blocks_since", "blocks_to"])),
        ),
        ("entries and look-alikes", names(&|name| has(name, &["entries", "look_alike", "run"]))),
        (
            "the page",
            names(&|name| has(name, &["page_", "says_", "og_type", "path_", "generator", "has_query"])),
        ),
    ]
}

fn recipes(trial: &str, sets: &[DataSet]) -> Option<Vec<Recipe>> {
    let all = |name: &str, plan| Recipe::new(name, plan, |_, _| true);
    let share = |name: &str, share| {
        Recipe::new(name, shipped(), move |_, group| ContentTrial::in_share(group, share))
    };
    let others = match trial {
        "none" => Vec::new(),
        "plans" => vec![
            all("rendered pages count like others", TrainPlan { rendered: 1.0, ..shipped() }),
            all("kinds count alike", TrainPlan { kinds: Vec::new(), ..shipped() }),
            all(
                "products and collections count more",
                of_kinds(&[("product", 3.0), ("collection", 3.0), ("service", 2.0)]),
            ),
        ],
        "sets" => {
            let names = sets.iter().enumerate();
            names
                .map(|(without, set)| {
                    Recipe::new(&format!("without {}", set.name), shipped(), move |set, _| set != without)
                })
                .collect()
        }
        "columns" => {
            let without = |(name, columns): (&str, Vec<&'static str>)| {
                all(&format!("without {name}"), TrainPlan { without: columns, ..shipped() })
            };
            column_groups().into_iter().map(without).collect()
        }
        "sites" => vec![share("a quarter of the sites", 0.25), share("half of the sites", 0.5)],
        _ => return None,
    };
    Some(std::iter::once(all("as shipped", shipped())).chain(others).collect())
}

/// Returns the rows of a page in the tables: its data set, its kind in it.
fn rows(page: &ContentTrial, sets: &[DataSet]) -> [String; 2] {
    let set = &sets[page.set].name;
    [set.clone(), format!("{set} {}", page.kind)]
}

/// Returns the mean over pages, and its standard error over groups.
fn mean(values: &[(usize, f64)]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().map(|(_, value)| value).sum::<f64>() / count;
    let mut by_group: BTreeMap<usize, f64> = BTreeMap::new();
    for (group, value) in values {
        *by_group.entry(*group).or_default() += value - mean;
    }
    (mean, by_group.values().map(|sum| sum * sum).sum::<f64>().sqrt() / count)
}

fn print_table(recipe: &str, pages: &[ContentTrial], base: &[ContentTrial], sets: &[DataSet]) {
    println!(
        "\n## {recipe}\n\n| pages | number | F | change | precision | recall | best candidate | excess before / inside / after, per 1,000 |\n| --- | --- | --- | --- | --- | --- | --- | --- |"
    );
    let mut of_rows: BTreeMap<String, Vec<(&ContentTrial, &ContentTrial)>> = BTreeMap::new();
    for (page, before) in pages.iter().zip(base) {
        for row in rows(page, sets) {
            of_rows.entry(row).or_default().push((page, before));
        }
    }
    for (row, pages) in of_rows {
        let mean_of = |value: &dyn Fn(&ContentTrial, &ContentTrial) -> f64| {
            mean(&pages.iter().map(|(page, before)| (page.group, value(page, before))).collect::<Vec<_>>())
        };
        let (f, _) = mean_of(&|page, _| page.f);
        let (change, error) = mean_of(&|page, before| page.f - before.f);
        let (precision, _) = mean_of(&|page, _| page.precision);
        let (recall, _) = mean_of(&|page, _| page.recall);
        let (best, _) = mean_of(&|page, _| page.best);
        let sum = |value: &dyn Fn(&ContentTrial) -> u32| -> f64 {
            pages.iter().map(|(page, _)| f64::from(value(page))).sum()
        };
        let gold = sum(&|page| page.tokens).max(1.0);
        let places: [&dyn Fn(&ContentTrial) -> u32; 3] =
            [&|page| page.excess.before, &|page| page.excess.inside, &|page| page.excess.after];
        let excess = places.map(|of| format!("{:.0}", 1000.0 * sum(of) / gold)).join(" / ");
        println!(
            "| {row} | {} | {f:.4} | {change:+.4} ± {error:.4} | {precision:.4} | {recall:.4} | {best:.4} | {excess} |",
            pages.len()
        );
    }
}

/// Numbers of tokens that were found, and of those that are labelled.
type CutCounts = fn(&CommentTrial) -> (usize, usize);

/// Prints, by data set, precision and recall of what each focus finds, and how well comments are found.
fn print_parts(pages: &[ContentTrial], sets: &[DataSet]) {
    println!("\n| set | precision: P / R | balanced: P / R | recall: P / R |\n| --- | --- | --- | --- |");
    for (set, folder) in sets.iter().enumerate() {
        let of_set: Vec<&ContentTrial> = pages.iter().filter(|page| page.set == set).collect();
        let mean = |of: &dyn Fn(&ContentTrial) -> f64| {
            of_set.iter().map(|page| of(page)).sum::<f64>() / of_set.len().max(1) as f64
        };
        let pair = |of: &dyn Fn(&ContentTrial) -> (f64, f64)| {
            format!("{:.3} / {:.3}", mean(&|page| of(page).0), mean(&|page| of(page).1))
        };
        println!(
            "| {} | {} | {} | {} |",
            folder.name,
            pair(&|page| page.focused[0]),
            pair(&|page| (page.precision, page.recall)),
            pair(&|page| page.focused[1]),
        );
    }
    let comments: Vec<CommentTrial> = pages.iter().filter_map(|page| page.comments).collect();
    println!(
        "\n| comments found | P | R | F, mean of pages with comments | pages without that get some |\n| --- | --- | --- | --- | --- |"
    );
    let ways: [(&str, CutCounts); 3] = [
        ("by names", |page| page.named),
        ("by the model", |page| page.scored),
        ("by names, else by the model", |page| (page.found, page.common)),
    ];
    for (name, of) in ways {
        let (with, none): (Vec<&CommentTrial>, Vec<&CommentTrial>) =
            comments.iter().partition(|page| page.labelled > 0);
        let sum =
            |of: &dyn Fn(&CommentTrial) -> usize| with.iter().map(|page| of(page)).sum::<usize>() as f64;
        let (found, right) = (sum(&|page| of(page).0), sum(&|page| of(page).1));
        let f = |page: &&CommentTrial| 2.0 * of(page).1 as f64 / (of(page).0 + page.labelled) as f64;
        let false_ones = none.iter().filter(|page| of(page).0 > 0).count();
        println!(
            "| {name} | {:.3} | {:.3} | {:.3} | {false_ones} of {} |",
            right / found.max(1.0),
            right / sum(&|page| page.labelled).max(1.0),
            with.iter().map(f).sum::<f64>() / with.len().max(1) as f64,
            none.len(),
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let trial = arguments.next().ok_or("a trial is missing: plans, sets, sites or none")?;
    let seed: u64 = arguments.next().ok_or("a seed is missing")?.parse()?;
    let folders: Vec<String> = arguments.collect();
    let sets = folders.iter().map(|folder| DataSet::open(Path::new(folder)));
    let sets = sets.collect::<Result<Vec<_>, _>>()?;
    let recipes = recipes(&trial, &sets).ok_or("the trial is none of plans, sets, sites and none")?;

    let examples = LabelledPages::read(&sets, WantedExamples { links: false, content: true }, || ())?;
    let mut base: Option<Vec<ContentTrial>> = None;
    for Recipe { name, plan, takes } in &recipes {
        let pages = ContentTrial::run(&examples, plan, (FOLDS, seed), takes)?;
        print_table(name, &pages, base.as_deref().unwrap_or(&pages), &sets);
        print_parts(&pages, &sets);
        base.get_or_insert(pages);
    }
    Ok(())
}
