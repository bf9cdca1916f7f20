//! `tsugi-lab evaluate`: a report, split by site.

use crate::arguments::{EvaluateArguments, Features, Protocol};
use crate::commands::train::{
    check_learner, model_trainer, open_data, paper_params, read_crf, read_labelled, read_pages, read_paper,
};
use anyhow::{Context, bail};
use serde::Serialize;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Write;
use std::path::Path;
use std::time::Instant;
use tsugi::Document;
use tsugi_papers::chain::CrfParams;
use tsugi_papers::crf::{CrfLine, CrfTrainer, crf_figures, crf_report, evaluate_crf};
use tsugi_papers::page_sets::{PageSetLine, evaluate_page_sets, page_sets_report, page_sets_times};
use tsugi_papers::paper::{PaperExamples, PaperPlan, PaperTrainer, paper_report, run_paper};
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{Output, complain, refuse, write_file, write_json_line};
use tsugi_terminal::progress::Progress;
use tsugi_training::cross_validation::{CrossValidation, Trainer, cross_validate};
use tsugi_training::dataset::DataSet;
use tsugi_training::floors::{Floors, Measured};
use tsugi_training::items::{ItemLine, evaluate_items, items_report};
use tsugi_training::joins::join_figures;
use tsugi_training::labelled_pages::Wanted;
use tsugi_training::metadata::{evaluate_metadata, metadata_report};
use tsugi_training::report::{Report, cross_validation_report, figures_by_set};
use tsugi_training::sites::Groups;

pub(crate) fn run(arguments: &EvaluateArguments) -> anyhow::Result<Exit> {
    check_learner(&arguments.learner)?;
    if let Some(misuse) = misuse(arguments) {
        return Ok(refuse(misuse));
    }
    let sets = open_data(&arguments.data, &arguments.corrections)?;
    let gate = arguments.gate.as_deref().map(|path| read_floors(path, arguments.raise)).transpose()?;
    if let Some(folder) = &arguments.output {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    }
    let mut below_floor = false;
    let (report, all_used) = match arguments.protocol {
        Protocol::Paper => {
            let (examples, all_used) = read_paper(&sets)?;
            (evaluate_paper(arguments, &sets, &examples)?, all_used)
        }
        Protocol::Full => {
            let (result, all_used) = evaluate_by_page(arguments, &sets)?;
            if let (Some(path), Some(floors)) = (&arguments.gate, gate) {
                let measured = Measured {
                    pages: figures_by_set(&sets, result.model()),
                    joins: join_figures(&result.joins),
                };
                below_floor = !passes(path, floors, &measured, arguments.raise)?;
            }
            (cross_validation_report(&sets, &result)?, all_used)
        }
        Protocol::Items => evaluate_by_site(arguments, &sets, evaluate_learned_items)?,
        Protocol::PageSets => evaluate_by_site(arguments, &sets, |by| evaluate_methods(arguments, by))?,
        Protocol::Crf => evaluate_chains(arguments, &sets)?,
        Protocol::Metadata => evaluate_stated(&sets)?,
    };
    let markdown = write_report(arguments, report)?;
    let mut stdout = Output::screen();
    stdout.write_all(markdown.as_bytes())?;
    stdout.finish()?;
    Ok(match (below_floor, all_used) {
        (true, _) => Exit::Failed,
        (false, true) => Exit::Done,
        (false, false) => Exit::PartlyFailed,
    })
}

/// Says which options do not go with the protocol.
fn misuse(arguments: &EvaluateArguments) -> Option<&'static str> {
    let by_site = matches!(arguments.protocol, Protocol::Items | Protocol::PageSets | Protocol::Crf);
    if !by_site && !arguments.measure.is_empty() {
        return Some("--measure goes with --protocol items, page-sets and crf");
    }
    let paper = arguments.learner.features == Features::Paper;
    if by_site && paper {
        return Some(
            "items, page sets and chains are measured with the models of all features; leave out --features paper",
        );
    }
    let stated = arguments.protocol == Protocol::Metadata;
    if stated && (paper || arguments.gate.is_some() || arguments.documents.is_some()) {
        return Some("--features paper, --gate and --documents do not go with --protocol metadata");
    }
    let other = arguments.gate.is_some() || arguments.documents.is_some();
    (by_site && other).then_some("--gate and --documents go with --protocol full")
}

/// The places of the data sets that `--measure` names; of all where it names none.
fn measured_sets(arguments: &EvaluateArguments, sets: &[DataSet]) -> anyhow::Result<Vec<usize>> {
    if let Some(name) = arguments.measure.iter().find(|name| sets.iter().all(|set| set.name != **name)) {
        bail!("--measure names `{name}`, which is none of the data sets");
    }
    let is_measured =
        |at: &usize| arguments.measure.is_empty() || arguments.measure.contains(&sets[*at].name);
    Ok((0..sets.len()).filter(is_measured).collect())
}

/// What is needed to measure sites by models that never saw them.
struct BySite<'a> {
    sets: &'a [DataSet],
    /// The places of the sets that are measured.
    measured: &'a [usize],
    groups: &'a Groups,
    trainer: &'a dyn Trainer,
    plan: (usize, u64),
    progress: &'a Progress,
}

/// Trains on all data, and lets `run` measure sites; says whether all pages could be used.
fn evaluate_by_site(
    arguments: &EvaluateArguments,
    sets: &[DataSet],
    run: impl FnOnce(&BySite<'_>) -> anyhow::Result<Report>,
) -> anyhow::Result<(Report, bool)> {
    let measured = measured_sets(arguments, sets)?;
    let (examples, all_used) = read_labelled(sets, Wanted { links: true, content: true })?;
    let trainer = model_trainer(&examples, &arguments.learner);
    let folds = usize::from(arguments.folds);
    let pages: usize = measured.iter().map(|at| sets[*at].labels().len()).sum();
    let progress = Progress::new("folds and pages", Some((folds + pages) as u64));
    let report = run(&BySite {
        sets,
        measured: &measured,
        groups: &examples.groups,
        trainer: &trainer,
        plan: (folds, arguments.learner.seed),
        progress: &progress,
    })?;
    progress.finish();
    Ok((report, all_used))
}

/// Measures methods that compare the pages of a site.
fn evaluate_methods(arguments: &EvaluateArguments, by: &BySite<'_>) -> anyhow::Result<Report> {
    let begin = Instant::now();
    let clock = || begin.elapsed();
    let step = || by.progress.step();
    let result = evaluate_page_sets((by.sets, by.measured), by.groups, by.trainer, by.plan, &clock, step)?;
    let times = page_sets_times(&result.times);
    if arguments.output.is_none() {
        complain(&times);
    }
    let report = page_sets_report(by.sets, &result);
    let mut files = vec![("report.md".to_owned(), report), ("times.md".to_owned(), times)];
    for at in by.measured {
        let sites = result.sites.iter().filter(|site| site.set == *at);
        files.push((format!("{}.jsonl", by.sets[*at].name), json_lines(sites.map(PageSetLine::of))?));
    }
    Ok(Report { files })
}

/// Measures chains over blocks, and what they are compared with, on pages of sites that they never saw.
fn evaluate_chains(arguments: &EvaluateArguments, sets: &[DataSet]) -> anyhow::Result<(Report, bool)> {
    let measured = measured_sets(arguments, sets)?;
    let (examples, all_used) = read_labelled(sets, Wanted { links: true, content: true })?;
    let models = model_trainer(&examples, &arguments.learner);
    let (blocks, all_cut) = read_crf(sets, &measured)?;
    let seed = arguments.learner.seed;
    let chains = CrfTrainer { examples: &blocks, params: CrfParams::default(), seed };
    let folds = usize::from(arguments.folds);
    let progress = Progress::new("folds and pages", Some((folds + blocks.pages.len()) as u64));
    let step = || progress.step();
    let result = evaluate_crf((sets, &measured), (&chains, &models), (folds, seed), step)?;
    progress.finish();
    let mut files = vec![("report.md".to_owned(), crf_report(sets, &result))];
    files.extend(crf_figures(&result)?);
    for at in measured {
        let pages = result.pages.iter().filter(|page| page.set == at);
        files.push((
            format!("{}.jsonl", sets[at].name),
            json_lines(pages.map(|page| CrfLine::of(sets, page)))?,
        ));
    }
    Ok((Report { files }, all_used && all_cut))
}

/// Compares what pages say of themselves with what is expected.
fn evaluate_stated(sets: &[DataSet]) -> anyhow::Result<(Report, bool)> {
    let (lines, all_used) = read_pages(sets, |step| Ok(evaluate_metadata(sets, step)?))?;
    let mut files = vec![("report.md".to_owned(), metadata_report(sets, &lines))];
    for (at, set) in sets.iter().enumerate() {
        files.push((format!("{}.jsonl", set.name), json_lines(lines.iter().filter(|line| line.set == at))?));
    }
    Ok((Report { files }, all_used))
}

/// Writes values as lines of JSON.
fn json_lines(values: impl Iterator<Item = impl Serialize>) -> anyhow::Result<String> {
    let mut lines = Vec::new();
    for value in values {
        write_json_line(&mut lines, &value)?;
    }
    Ok(String::from_utf8(lines)?)
}

/// Learns items of sites and measures them.
fn evaluate_learned_items(by: &BySite<'_>) -> anyhow::Result<Report> {
    let step = || by.progress.step();
    let result = evaluate_items((by.sets, by.measured), by.groups, by.trainer, by.plan, step)?;
    let mut files = vec![("report.md".to_owned(), items_report(by.sets, &result))];
    for at in by.measured {
        let sites = result.sites.iter().filter(|site| site.set == *at);
        files.push((format!("{}.jsonl", by.sets[*at].name), json_lines(sites.map(ItemLine::of))?));
    }
    Ok(Report { files })
}

/// Cross-validates; writes the predictions where a folder is given; says whether all pages could be used.
fn evaluate_by_page(
    arguments: &EvaluateArguments,
    sets: &[DataSet],
) -> anyhow::Result<(CrossValidation, bool)> {
    let (result, all_used) = match arguments.learner.features {
        Features::Full => {
            let (examples, all_used) = read_labelled(sets, Wanted { links: true, content: true })?;
            let trainer = model_trainer(&examples, &arguments.learner);
            (validate(arguments, sets, &examples.groups, &trainer)?, all_used)
        }
        Features::Paper => {
            let (examples, all_used) = read_paper(sets)?;
            let params = paper_params(&arguments.learner);
            let (links, content) = (params.clone(), params);
            let seed = arguments.learner.seed;
            let trainer = PaperTrainer { examples: &examples, links, content, seed };
            (validate(arguments, sets, &examples.groups, &trainer)?, all_used)
        }
    };
    if let Some(folder) = &arguments.output {
        for (set, lines) in &result.predictions {
            let mut bytes = Vec::new();
            for line in lines {
                write_json_line(&mut bytes, line)?;
            }
            write_file(&folder.join(format!("{set}.jsonl")), &bytes)?;
        }
        for (set, joins) in &result.joins {
            let mut bytes = Vec::new();
            for document in joins.documents.iter().filter(|document| document.pages.len() > 1) {
                write_json_line(&mut bytes, document)?;
            }
            if !bytes.is_empty() {
                write_file(&folder.join(format!("{set}.joins.jsonl")), &bytes)?;
            }
        }
    }
    Ok((result, all_used))
}

fn validate(
    arguments: &EvaluateArguments,
    sets: &[DataSet],
    groups: &Groups,
    trainer: &dyn Trainer,
) -> anyhow::Result<CrossValidation> {
    let folds = usize::from(arguments.folds);
    let labels: usize = sets.iter().map(|set| set.labels().len()).sum();
    let progress = Progress::new("folds and pages", Some((3 * labels + folds) as u64));
    let mut documents = arguments.documents.as_deref().map(Documents::new).transpose()?;
    let mut unwritten = None;
    let joined = |set: &str, document: &Document| {
        if let Some(documents) = &mut documents
            && let Err(error) = documents.add(set, document)
        {
            unwritten.get_or_insert(error);
        }
    };
    let plan = (folds, arguments.learner.seed);
    let result = cross_validate(sets, groups, trainer, plan, || progress.step(), joined)?;
    progress.finish();
    match (unwritten, documents) {
        (Some(error), _) => return Err(error),
        (None, Some(documents)) => documents.finish()?,
        (None, None) => {}
    }
    Ok(result)
}

/// The joined documents, one file a data set.
struct Documents<'a> {
    folder: &'a Path,
    files: BTreeMap<String, Output>,
}

impl<'a> Documents<'a> {
    fn new(folder: &'a Path) -> anyhow::Result<Documents<'a>> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
        Ok(Documents { folder, files: BTreeMap::new() })
    }

    fn add(&mut self, set: &str, document: &Document) -> anyhow::Result<()> {
        let file = match self.files.entry(set.to_owned()) {
            Entry::Occupied(file) => file.into_mut(),
            Entry::Vacant(place) => {
                place.insert(Output::open(Some(&self.folder.join(format!("{set}.jsonl"))))?)
            }
        };
        writeln!(file, "{}", document.json_line()).context("cannot write a joined document")
    }

    fn finish(self) -> anyhow::Result<()> {
        self.files.into_values().try_for_each(Output::finish)
    }
}

/// Reads the figures that must be reached; a file that is about to be written need not be there.
fn read_floors(path: &Path, raise: bool) -> anyhow::Result<Floors> {
    match std::fs::read(path) {
        Ok(bytes) => {
            serde_json::from_slice(&bytes).with_context(|| format!("`{}` is not a gate file", path.display()))
        }
        Err(error) if raise && error.kind() == std::io::ErrorKind::NotFound => Ok(Floors::default()),
        Err(error) => Err(error).with_context(|| format!("cannot read `{}`", path.display())),
    }
}

/// Compares figures with the gate, and raises it if that is wanted.
fn passes(path: &Path, mut floors: Floors, measured: &Measured, raise: bool) -> anyhow::Result<bool> {
    let shortfalls = floors.check(measured);
    for shortfall in &shortfalls {
        complain(&format!("gate: {shortfall}"));
    }
    complain(&format!("gate: {} of {} figures reached", floors.len() - shortfalls.len(), floors.len()));
    if raise {
        floors.raise(measured);
        let mut json = serde_json::to_vec_pretty(&floors)?;
        json.push(b'\n');
        write_file(path, &json)?;
    }
    Ok(shortfalls.is_empty())
}

/// Runs the thesis' experiment.
fn evaluate_paper(
    arguments: &EvaluateArguments,
    sets: &[DataSet],
    examples: &PaperExamples,
) -> anyhow::Result<Report> {
    let plan = PaperPlan {
        seed: arguments.learner.seed,
        splits: arguments.splits.get(),
        choice_splits: usize::from(arguments.choice_splits),
    };
    // All pages, and two kinds of fewer.
    let progress = Progress::new("splits", Some((3 * plan.splits + plan.choice_splits) as u64));
    let begin = Instant::now();
    let result = run_paper(sets, examples, plan, &|| begin.elapsed(), &|| progress.step())?;
    progress.finish();
    Ok(paper_report(&result)?)
}

/// Writes the files of a report where a folder is given; returns `report.md`.
fn write_report(arguments: &EvaluateArguments, report: Report) -> anyhow::Result<String> {
    let mut markdown = String::new();
    for (name, text) in report.files {
        if let Some(folder) = &arguments.output {
            let path = folder.join(&name);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)
                    .with_context(|| format!("cannot make `{}`", parent.display()))?;
            }
            write_file(&path, text.as_bytes())?;
        }
        if name == "report.md" {
            markdown = text;
        }
    }
    Ok(markdown)
}
