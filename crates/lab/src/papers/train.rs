//! Trains the models of the papers: those of the thesis' features, and chains over blocks.

use crate::arguments::{LearnerArguments, TrainArguments, TrainTask};
use crate::commands::card::{card_of, columns_table, shown_notes, tool_version};
use crate::commands::train::read_pages;
use anyhow::{Context, bail};
use std::num::NonZeroUsize;
use std::path::Path;
use tsugi_papers::crf::{CrfExamples, CrfParams, CrfTrainer};
use tsugi_papers::paper::{DEFAULT_LEAF, PageExample, PaperExamples, train_paper_content, train_paper_links};
use tsugi_scoring::{Algorithm, Bundle, FlatModel, ModelFile, ModelHeader, Params, Schema};
use tsugi_terminal::output::{complain, write_file};
use tsugi_terminal::progress::Progress;
use tsugi_training::dataset::DataSet;
use tsugi_training::seen_sites::{SITES_NOTE, SeenSites};

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

pub(crate) fn read_paper(sets: &[DataSet]) -> anyhow::Result<(PaperExamples, bool)> {
    read_pages(sets, |step| PaperExamples::read(sets, step), |examples| &examples.complaints)
}

pub(crate) fn read_crf(sets: &[DataSet], learned: &[usize]) -> anyhow::Result<(CrfExamples, bool)> {
    read_pages(sets, |step| CrfExamples::read(sets, learned, step), |examples| &examples.complaints)
}

pub(crate) fn train_chains(sets: &[DataSet], seed: u64) -> anyhow::Result<(Bundle, bool)> {
    let (examples, all_used) = read_crf(sets, &(0..sets.len()).collect::<Vec<_>>())?;
    let trainer = CrfTrainer { examples: &examples, params: CrfParams::default(), seed };
    let progress = Progress::new("training", None);
    let bundle = trainer.train(&|_| true)?.to_bundle(&trainer)?;
    progress.finish();
    Ok((bundle, all_used))
}

pub(crate) fn train_thesis(
    arguments: &TrainArguments,
    sets: &[DataSet],
    names: &str,
) -> anyhow::Result<bool> {
    let (examples, all_used) = read_paper(sets)?;
    let pages: Vec<&PageExample> = examples.pages.iter().collect();
    let params = paper_params(&arguments.learner);
    let seed = arguments.learner.seed;
    let digest = &examples.digest;
    let from = (sets, names);
    match arguments.task {
        TrainTask::NextLink => finish(arguments, train_paper_links(&pages, &params, seed)?, digest, from)?,
        TrainTask::Content => finish(arguments, train_paper_content(&pages, &params, seed)?, digest, from)?,
        TrainTask::Continuation => bail!("the thesis has no features of pairs; leave out --features paper"),
        TrainTask::Roles => bail!("the thesis has no roles of blocks; leave out --features paper"),
        TrainTask::Crf => bail!("the thesis has no chains over blocks; leave out --features paper"),
    }
    Ok(all_used)
}

fn finish<S: Schema>(
    arguments: &TrainArguments,
    mut model: ModelFile<S>,
    digest: &str,
    (sets, names): (&[DataSet], &str),
) -> anyhow::Result<()> {
    digest.clone_into(&mut model.header.data_digest);
    model.header.tool_version = tool_version();
    model.header.notes.insert("data_sets".to_owned(), names.to_owned());
    model.header.notes.insert(SITES_NOTE.to_owned(), SeenSites::of(sets).note());
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

fn extent<S: Schema>(model: &FlatModel<S>) -> String {
    if model.is_linear() {
        format!("{} weights", S::columns().len())
    } else {
        format!("{} trees, {} nodes", model.trees(), model.nodes())
    }
}

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
    facts.extend(shown_notes(&header.notes));
    let mut out = card_of(path, &facts);
    columns_table(&mut out, S::columns());
    out
}
