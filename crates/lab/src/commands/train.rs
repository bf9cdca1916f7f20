//! `tsugi-lab train`: data sets in, a model file out.

use crate::arguments::{CorrectionsArgument, Features, LearnerArguments, Task, TrainArguments};
use anyhow::{Context, bail};
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use tsugi::{ContentModel, Tsugi};
use tsugi_main_content::{BlockColumns, CandidateColumns};
use tsugi_next_link::{LinkColumns, PairColumns};
use tsugi_papers::block_crf::TreeBlockColumns;
use tsugi_papers::chain::CrfParams;
use tsugi_papers::crf::{CrfExamples, CrfTrainer};
use tsugi_papers::paper::{DEFAULT_LEAF, PageExample, PaperExamples, train_paper_content, train_paper_links};
use tsugi_scoring::{Algorithm, Bundle, Column, FlatModel, ModelFile, ModelHeader, Params, Schema};
use tsugi_terminal::detection::model;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{Verbosity, complain, detail, refuse, says, write_file};
use tsugi_terminal::progress::Progress;
use tsugi_training::content::TrainPlan;
use tsugi_training::corrections::Correction;
use tsugi_training::dataset::{Complaint, DataSet};
use tsugi_training::labelled_pages::{LabelledPages, ModelTrainer, Wanted};
use tsugi_training::links::LinkParams;
use tsugi_training::pairs::{PairExamples, PairParams, PairTrainer};

/// The parameters of a learner of the thesis' features.
pub(crate) fn paper_params(learner: &LearnerArguments) -> Params {
    let min_leaf = learner.min_leaf.map(NonZeroUsize::get);
    let mut params = Params::of(learner.learner.unwrap_or(Algorithm::Forest));
    match &mut params {
        Params::Forest(forest) | Params::SmartcoreForest(forest) => {
            forest.min_samples_leaf = min_leaf.unwrap_or(DEFAULT_LEAF);
        }
        Params::Tree(tree) | Params::LinfaTree(tree) => tree.min_samples_leaf = min_leaf.unwrap_or(1),
        Params::Boosted(_) | Params::LinfaLogistic(_) => {}
    }
    params
}

/// Refuses options that the models that ship have no use for.
pub(crate) fn check_learner(learner: &LearnerArguments) -> anyhow::Result<()> {
    if learner.features == Features::Full && (learner.learner.is_some() || learner.min_leaf.is_some()) {
        bail!(
            "--learner and --min-leaf are for --features paper; models of the full features are always boosted"
        );
    }
    Ok(())
}

/// Opens data sets, their labels corrected.
pub(crate) fn open_data(
    folders: &[PathBuf],
    corrections: &CorrectionsArgument,
) -> anyhow::Result<Vec<DataSet>> {
    let mut sets = folders.iter().map(|folder| DataSet::open(folder)).collect::<Result<Vec<_>, _>>()?;
    let mut names: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
    names.sort_unstable();
    if let Some([name, _]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        bail!("two data sets are called `{name}`; their results would be one");
    }
    if let Some(path) = &corrections.corrections {
        let corrections = Correction::read(path)?;
        let corrected: usize = sets.iter_mut().map(|set| set.correct(&corrections)).sum();
        complain(&format!("{corrected} labels corrected by {} corrections", corrections.len()));
    }
    Ok(sets)
}

/// Reads the pages of data sets by `read`, which is told what to call for each; what cannot be used is listed.
pub(crate) fn read_pages<T>(
    sets: &[DataSet],
    read: impl FnOnce(&mut dyn FnMut()) -> anyhow::Result<(T, Vec<Complaint>)>,
) -> anyhow::Result<(T, bool)> {
    let labels: usize = sets.iter().map(|set| set.labels().len()).sum();
    let progress = Progress::new("reading pages", Some(labels as u64));
    let (examples, complaints) = read(&mut || progress.step())?;
    progress.finish();
    skipped(&complaints);
    Ok((examples, complaints.is_empty()))
}

/// Reports skipped pages: their number and the most frequent reason, or each with --verbose.
fn skipped(complaints: &[Complaint]) {
    let Some(first) = complaints.first() else { return };
    for complaint in complaints {
        detail(&format!("skipped: {complaint}"));
    }
    if !says(Verbosity::Verbose) {
        complain(&format!("{} pages skipped, the first: {first}; -v lists all", complaints.len()));
    }
}

/// Reads pages for the thesis' features; says whether all could be used.
pub(crate) fn read_paper(sets: &[DataSet]) -> anyhow::Result<(PaperExamples, bool)> {
    read_pages(sets, |step| {
        let mut examples = PaperExamples::read(sets, step)?;
        let complaints = std::mem::take(&mut examples.complaints);
        Ok((examples, complaints))
    })
}

/// Reads pages for the models that ship; says whether all could be used.
pub(crate) fn read_labelled(sets: &[DataSet], wanted: Wanted) -> anyhow::Result<(LabelledPages, bool)> {
    read_pages(sets, |step| {
        let mut examples = LabelledPages::read(sets, wanted, step)?;
        let complaints = std::mem::take(&mut examples.complaints);
        Ok((examples, complaints))
    })
}

/// Reads pages as sequences of blocks; says whether all could be used.
pub(crate) fn read_crf(sets: &[DataSet], learned: &[usize]) -> anyhow::Result<(CrfExamples, bool)> {
    read_pages(sets, |step| {
        let mut examples = CrfExamples::read(sets, learned, step)?;
        let complaints = std::mem::take(&mut examples.complaints);
        Ok((examples, complaints))
    })
}

/// The trainer of the models that ship.
pub(crate) fn model_trainer<'a>(examples: &'a LabelledPages, learner: &LearnerArguments) -> ModelTrainer<'a> {
    let content = TrainPlan { seed: learner.seed, ..TrainPlan::default() };
    ModelTrainer { examples, links: LinkParams::default(), content, seed: learner.seed }
}

pub(crate) fn run(arguments: &TrainArguments) -> anyhow::Result<Exit> {
    check_learner(&arguments.learner)?;
    if arguments.content_model.is_some() && arguments.task != Task::Continuation {
        return Ok(refuse("--content-model goes with the task continuation"));
    }
    let sets = open_data(&arguments.data, &arguments.corrections)?;
    let names: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
    let names = names.join(" ");
    let all_used = match arguments.learner.features {
        Features::Full => train_bundle(arguments, &sets, &names)?,
        Features::Paper => train_paper(arguments, &sets, &names)?,
    };
    Ok(if all_used { Exit::Done } else { Exit::PartlyFailed })
}

fn tool_version() -> String {
    format!("tsugi {}", env!("CARGO_PKG_VERSION"))
}

/// Reads pages for the models that ship and trains on them; says whether all could be used.
fn train_on(
    sets: &[DataSet],
    wanted: Wanted,
    learner: &LearnerArguments,
    train: impl FnOnce(&ModelTrainer<'_>, &Progress) -> anyhow::Result<Bundle>,
) -> anyhow::Result<(Bundle, bool)> {
    let (examples, all_used) = read_labelled(sets, wanted)?;
    let progress = Progress::new("training", None);
    let bundle = train(&model_trainer(&examples, learner), &progress)?;
    progress.finish();
    Ok((bundle, all_used))
}

fn train_bundle(arguments: &TrainArguments, sets: &[DataSet], names: &str) -> anyhow::Result<bool> {
    let (learner, seed) = (&arguments.learner, arguments.learner.seed);
    let links = Wanted { links: true, content: false };
    let (mut bundle, all_used) = match arguments.task {
        Task::NextLink => train_on(sets, links, learner, |trainer, _| Ok(trainer.links(&|_| true)?))?,
        Task::Content => {
            let content = Wanted { links: false, content: true };
            train_on(sets, content, learner, |trainer, _| Ok(trainer.content(&|_| true)?))?
        }
        Task::Continuation => train_on(sets, links, learner, |trainer, progress| {
            let content = match &arguments.content_model {
                Some(path) => model(path, ContentModel::from_bytes)?,
                None => Tsugi::new().content_model().clone(),
            };
            let examples = PairExamples::out_of_fold(sets, trainer, &content, || progress.step())?;
            Ok(PairTrainer { examples: &examples, params: PairParams::default(), seed }.train(&|_| true)?)
        })?,
        Task::Crf => {
            let (examples, all_used) = read_crf(sets, &(0..sets.len()).collect::<Vec<_>>())?;
            let trainer = CrfTrainer { examples: &examples, params: CrfParams::default(), seed };
            let progress = Progress::new("training", None);
            let bundle = trainer.train(&|_| true)?.to_bundle(&trainer)?;
            progress.finish();
            (bundle, all_used)
        }
    };
    bundle.about.tool_version = tool_version();
    bundle.about.notes.insert("data_sets".to_owned(), names.to_owned());
    let bytes = bundle.to_bytes().context("the models cannot be written")?;
    write_file(&arguments.output, &bytes)?;
    if let Some(path) = &arguments.card {
        let card = bundle_card(&bundle, arguments.task, &arguments.output, bytes.len());
        write_file(path, card.as_bytes())?;
    }
    let trained = bundle.about.trained_on;
    complain(&format!(
        "{}: {} bytes; {} pages of {} sites, {} rows ({} positive)",
        arguments.output.display(),
        bytes.len(),
        trained.pages,
        trained.sites,
        trained.rows,
        trained.positives,
    ));
    Ok(all_used)
}

fn train_paper(arguments: &TrainArguments, sets: &[DataSet], names: &str) -> anyhow::Result<bool> {
    let (examples, all_used) = read_paper(sets)?;
    let pages: Vec<&PageExample> = examples.pages.iter().collect();
    let params = paper_params(&arguments.learner);
    let seed = arguments.learner.seed;
    match arguments.task {
        Task::NextLink => {
            finish(arguments, train_paper_links(&pages, &params, seed)?, &examples.digest, names)?;
        }
        Task::Content => {
            finish(arguments, train_paper_content(&pages, &params, seed)?, &examples.digest, names)?;
        }
        Task::Continuation => bail!("the thesis has no features of pairs; leave out --features paper"),
        Task::Crf => bail!("the thesis has no chains over blocks; leave out --features paper"),
    }
    Ok(all_used)
}

fn finish<S: Schema>(
    arguments: &TrainArguments,
    mut model: ModelFile<S>,
    digest: &str,
    sets: &str,
) -> anyhow::Result<()> {
    digest.clone_into(&mut model.header.data_digest);
    model.header.tool_version = tool_version();
    model.header.notes.insert("data_sets".to_owned(), sets.to_owned());
    let bytes = model.to_bytes().context("the model cannot be written")?;
    write_file(&arguments.output, &bytes)?;
    if let Some(path) = &arguments.card {
        write_file(path, card(&model.header, &model.model, &arguments.output, bytes.len()).as_bytes())?;
    }
    let trained = model.header.trained_on;
    complain(&format!(
        "{}: {} bytes, {}; {} pages of {} sites, {} rows ({} positive); threshold {:.3}",
        arguments.output.display(),
        bytes.len(),
        extent(&model.model),
        trained.pages,
        trained.sites,
        trained.rows,
        trained.positives,
        model.header.threshold
    ));
    Ok(())
}

/// The size of a model in words.
fn extent<S: Schema>(model: &FlatModel<S>) -> String {
    if model.is_linear() {
        format!("{} weights", S::columns().len())
    } else {
        format!("{} trees, {} nodes", model.trees(), model.nodes())
    }
}

/// Begins a card: the file's name and a table of facts.
fn card_of(path: &Path, facts: &[(&str, String)]) -> String {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let mut out = format!("# {name}\n\n| | |\n| --- | --- |\n");
    for (what, fact) in facts {
        let _ = writeln!(out, "| {what} | {fact} |");
    }
    out
}

fn columns_table(out: &mut String, columns: &[Column]) {
    out.push_str("\n| column | unit | what it says | source |\n| --- | --- | --- | --- |\n");
    for column in columns {
        let _ = writeln!(out, "{}", column.card_row());
    }
}

/// The facts of a model as a card.
fn card<S: Schema>(header: &ModelHeader, model: &FlatModel<S>, path: &Path, bytes: usize) -> String {
    let trained = header.trained_on;
    let params = serde_json::to_string(&header.params).unwrap_or_default();
    let extent = if model.is_linear() {
        ("weights", S::columns().len().to_string())
    } else {
        ("trees / nodes", format!("{} / {}", model.trees(), model.nodes()))
    };
    let mut facts = vec![
        ("schema", header.schema.clone()),
        ("schema fingerprint", format!("{:016x}", header.fingerprint)),
        ("format version", header.format.to_string()),
        ("trained by", header.tool_version.clone()),
        ("parameters", format!("`{params}`")),
        ("seed", header.seed.to_string()),
        ("data digest", format!("`{}`", header.data_digest)),
        ("pages / sites", format!("{} / {}", trained.pages, trained.sites)),
        ("rows / positive, balanced", format!("{} / {}", trained.rows, trained.positives)),
        ("threshold", header.threshold.to_string()),
        extent,
        ("size", format!("{bytes} bytes")),
    ];
    facts.extend(header.notes.iter().map(|(what, fact)| (what.as_str(), fact.clone())));
    let mut out = card_of(path, &facts);
    columns_table(&mut out, S::columns());
    out
}

/// The facts of a bundle as a card.
fn bundle_card(bundle: &Bundle, task: Task, path: &Path, bytes: usize) -> String {
    let about = &bundle.about;
    let trained = about.trained_on;
    let parts = bundle.parts().map(|(name, length)| format!("{name} {length}"));
    let mut facts = vec![
        ("kind", about.kind.clone()),
        ("trained by", about.tool_version.clone()),
        ("seed", about.seed.to_string()),
        ("data digest", format!("`{}`", about.data_digest)),
        ("pages / sites", format!("{} / {}", trained.pages, trained.sites)),
        ("rows / positive", format!("{} / {}", trained.rows, trained.positives)),
        ("parts, bytes", parts.collect::<Vec<_>>().join(", ")),
        ("size", format!("{bytes} bytes")),
    ];
    facts.extend(about.notes.iter().map(|(what, fact)| (what.as_str(), fact.clone())));
    let mut out = card_of(path, &facts);
    match task {
        Task::NextLink => columns_table(&mut out, LinkColumns::columns()),
        Task::Continuation => columns_table(&mut out, PairColumns::columns()),
        Task::Crf => columns_table(&mut out, TreeBlockColumns::columns()),
        Task::Content => {
            out.push_str("\n## Text blocks\n");
            columns_table(&mut out, BlockColumns::columns());
            out.push_str("\n## Candidates\n");
            columns_table(&mut out, CandidateColumns::columns());
        }
    }
    out
}
