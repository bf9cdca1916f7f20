//! Compares plans of training the content model, by cross-validation over folders of labelled pages.
//!
//! ```sh
//! cargo run --release -p tsugi-experiments --example content -- TRIAL SEED FOLDER…
//! ```
//!
//! `TRIAL` says what to compare with the plan that ships: `plans` others, changed in one thing; `sets` training without
//! each of the data sets; `sites` a quarter and half of the training sites; `none` nothing. `SEED` says how
//! sites are dealt to the two folds. Each table has the mean token F by data set and kind of page, and
//! the change, with its standard error over sites.

#![expect(clippy::print_stdout, reason = "examples print")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use tsugi_experiments::{ContentTrial, DataSet, LabelledPages, TrainPlan, Wanted};

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
    println!("\n## {recipe}\n\n| pages | number | F | change |\n| --- | --- | --- | --- |");
    let mut of_rows: BTreeMap<String, Vec<(usize, f64, f64)>> = BTreeMap::new();
    for (page, before) in pages.iter().zip(base) {
        for row in rows(page, sets) {
            of_rows.entry(row).or_default().push((page.group, page.f, page.f - before.f));
        }
    }
    for (row, pages) in of_rows {
        let f: Vec<_> = pages.iter().map(|(group, f, _)| (*group, *f)).collect();
        let changes: Vec<_> = pages.iter().map(|(group, _, change)| (*group, *change)).collect();
        let ((f, _), (change, error)) = (mean(&f), mean(&changes));
        println!("| {row} | {} | {f:.4} | {change:+.4} ± {error:.4} |", pages.len());
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

    let examples = LabelledPages::read(&sets, Wanted { links: false, content: true }, || ())?;
    let mut base: Option<Vec<ContentTrial>> = None;
    for Recipe { name, plan, takes } in &recipes {
        let pages = ContentTrial::run(&examples, plan, (FOLDS, seed), takes)?;
        print_table(name, &pages, base.as_deref().unwrap_or(&pages), &sets);
        base.get_or_insert(pages);
    }
    Ok(())
}
