//! `tsugi train`: data sets in, a model file out.

use crate::args::{CorrectionsArgument, LearnerArguments, Task, TrainArguments};
use crate::exit::Exit;
use crate::output::{complain, write_file};
use crate::progress::Progress;
use anyhow::Context;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use tsugi_experiments::{
    Correction, DEFAULT_LEAF, DataSet, Examples, PageExample, default_forest, train_content, train_links,
};
use tsugi_learning::{Algorithm, FlatModel, Header, ModelFile, Params, Schema, TreeParams};

/// The parameters of a learner.
pub(crate) fn params(learner: &LearnerArguments) -> Params {
    let min_leaf = learner.min_leaf.map(NonZeroUsize::get);
    match learner.algorithm {
        Algorithm::Forest => default_forest(min_leaf.unwrap_or(DEFAULT_LEAF)),
        Algorithm::Tree => {
            Params::Tree(TreeParams { min_samples_leaf: min_leaf.unwrap_or(1), ..TreeParams::default() })
        }
        Algorithm::Boosted => Params::of(Algorithm::Boosted),
    }
}

/// Opens data sets and reads their pages; what cannot be used is listed.
pub(crate) fn read_data(
    folders: &[PathBuf],
    corrections: &CorrectionsArgument,
) -> anyhow::Result<(Vec<DataSet>, Examples)> {
    let mut sets = folders.iter().map(|folder| DataSet::open(folder)).collect::<Result<Vec<_>, _>>()?;
    if let Some(path) = &corrections.corrections {
        let corrections = Correction::read(path)?;
        let corrected: usize = sets.iter_mut().map(|set| set.correct(&corrections)).sum();
        complain(&format!("{corrected} labels corrected by {} corrections", corrections.len()));
    }
    let labels: usize = sets.iter().map(|set| set.labels().len()).sum();
    let progress = Progress::new("reading pages", Some(labels as u64));
    let examples = Examples::read(&sets, || progress.step())?;
    progress.finish();
    for complaint in &examples.complaints {
        complain(&format!("passed over: {complaint}"));
    }
    Ok((sets, examples))
}

pub(crate) fn run(arguments: &TrainArguments) -> anyhow::Result<Exit> {
    let (sets, examples) = read_data(&arguments.data, &arguments.corrections)?;
    let pages: Vec<&PageExample> = examples.pages.iter().collect();
    let params = params(&arguments.learner);
    let seed = arguments.learner.seed;
    let names: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
    match arguments.task {
        Task::NextLink => {
            let model = train_links(&pages, &params, seed)?;
            finish(arguments, model, &examples.digest, &names)?;
        }
        Task::Content => {
            let model = train_content(&pages, &params, seed)?;
            finish(arguments, model, &examples.digest, &names)?;
        }
    }
    Ok(if examples.complaints.is_empty() { Exit::Done } else { Exit::PartlyFailed })
}

fn finish<S: Schema>(
    arguments: &TrainArguments,
    mut model: ModelFile<S>,
    digest: &str,
    sets: &[&str],
) -> anyhow::Result<()> {
    digest.clone_into(&mut model.header.data_digest);
    model.header.tool_version = format!("tsugi {}", env!("CARGO_PKG_VERSION"));
    model.header.notes.insert("data_sets".to_owned(), sets.join(" "));
    let bytes = model.to_bytes().context("the model cannot be written")?;
    write_file(&arguments.output, &bytes)?;
    if let Some(path) = &arguments.card {
        write_file(path, card(&model.header, &model.model, &arguments.output, bytes.len()).as_bytes())?;
    }
    let trained = model.header.trained_on;
    complain(&format!(
        "{}: {} bytes, {} trees, {} nodes; {} pages of {} sites, {} rows ({} positive); threshold {:.3}",
        arguments.output.display(),
        bytes.len(),
        model.model.trees(),
        model.model.nodes(),
        trained.pages,
        trained.sites,
        trained.rows,
        trained.positives,
        model.header.threshold
    ));
    Ok(())
}

/// The facts of a model as a card.
fn card<S: Schema>(header: &Header, model: &FlatModel<S>, path: &Path, bytes: usize) -> String {
    use std::fmt::Write as _;
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let trained = header.trained_on;
    let mut out = format!("# {name}\n\n| | |\n| --- | --- |\n");
    let params = serde_json::to_string(&header.params).unwrap_or_default();
    let facts = [
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
        ("trees / nodes", format!("{} / {}", model.trees(), model.nodes())),
        ("size", format!("{bytes} bytes")),
    ];
    for (what, fact) in facts {
        let _ = writeln!(out, "| {what} | {fact} |");
    }
    for (what, fact) in &header.notes {
        let _ = writeln!(out, "| {what} | {fact} |");
    }
    out.push_str("\n| column | unit | what it says | source |\n| --- | --- | --- | --- |\n");
    for column in S::columns() {
        let _ = writeln!(out, "| `{}` | {} | {} | {} |", column.name, column.unit, column.doc, column.source);
    }
    out
}
