//! `tsugi-lab train`: data sets in, a model file out.

use super::card::{bundle_card, tool_version};
use crate::arguments::{
    CorrectionsArgument, FeatureSet, LearnerArguments, TeachingArguments, TrainArguments, TrainTask,
};
#[cfg(feature = "papers")]
use crate::papers;
use anyhow::{Context, bail};
use std::path::PathBuf;
use tsugi::Tsugi;
use tsugi::models::ContentModel;
use tsugi_scoring::Bundle;
use tsugi_terminal::detection::model;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{Verbosity, complain, detail, refuse, says, tell, write_file};
use tsugi_terminal::progress::Progress;
use tsugi_training::content::TrainPlan;
use tsugi_training::corrections::Correction;
use tsugi_training::dataset::{Complaint, DataSet};
use tsugi_training::labelled_pages::{LabelledPages, ModelTrainer, WantedExamples};
use tsugi_training::links::LinkParams;
use tsugi_training::made_up::{QuotedText, World, sites, training_set};
use tsugi_training::pairs::{PairExamples, PairParams, PairTrainer};
use tsugi_training::seen_sites::{SITES_NOTE, SeenSites};

pub(crate) fn check_learner(learner: &LearnerArguments) -> anyhow::Result<()> {
    if learner.features == FeatureSet::Full && (learner.learner.is_some() || learner.min_leaf.is_some()) {
        bail!(
            "--learner and --min-leaf are for --features paper; models of the full features are always boosted"
        );
    }
    Ok(())
}

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

/// Adds data sets that only teach.
pub(crate) fn teach(sets: &mut Vec<DataSet>, teaching: &TeachingArguments, seed: u64) {
    if teaching.readdress {
        // Where no page is stored with the next one, nothing is to be learned from a pair.
        let has_sequences = |set: &&DataSet| set.labels().iter().any(|label| label.sequence.is_some());
        let readdressed: Vec<DataSet> =
            sets.iter().filter(has_sequences).map(|set| set.readdressed(seed)).collect();
        sets.extend(readdressed);
    }
    if teaching.made_up > 0 {
        let real = sets.iter().filter(|set| !set.only_teaches());
        let texts = QuotedText::of_labels(real.flat_map(DataSet::labels));
        sets.push(training_set(&sites(World::Training, teaching.made_up, seed, &texts)));
    }
}

/// Reads the pages of data sets by `read`, which gets a function to call for each page; lists unusable pages, and says
/// whether there are none.
pub(crate) fn read_pages<T, E: std::error::Error + Send + Sync + 'static>(
    sets: &[DataSet],
    read: impl FnOnce(&mut dyn FnMut()) -> Result<T, E>,
    complaints_of: fn(&T) -> &[Complaint],
) -> anyhow::Result<(T, bool)> {
    let labels: usize = sets.iter().map(|set| set.labels().len()).sum();
    let progress = Progress::new("reading pages", Some(labels as u64));
    let examples = read(&mut || progress.step())?;
    progress.finish();
    let (unlabelled, faults): (Vec<&Complaint>, Vec<&Complaint>) =
        complaints_of(&examples).iter().partition(|complaint| complaint.is_unlabelled());
    if !unlabelled.is_empty() {
        for complaint in &unlabelled {
            detail(&format!("skipped: {complaint}"));
        }
        tell(&format!("{} stored pages have no label, and are not used", unlabelled.len()));
    }
    skipped(&faults);
    let all_used = faults.is_empty();
    Ok((examples, all_used))
}

fn skipped(complaints: &[&Complaint]) {
    let Some(first) = complaints.first() else { return };
    for complaint in complaints {
        detail(&format!("skipped: {complaint}"));
    }
    if !says(Verbosity::Verbose) {
        complain(&format!("{} pages skipped, the first: {first}; -v lists all", complaints.len()));
    }
}

pub(crate) fn read_labelled(
    sets: &[DataSet],
    wanted: WantedExamples,
) -> anyhow::Result<(LabelledPages, bool)> {
    read_pages(sets, |step| LabelledPages::read(sets, wanted, step), |examples| &examples.complaints)
}

pub(crate) fn model_trainer<'a>(examples: &'a LabelledPages, learner: &LearnerArguments) -> ModelTrainer<'a> {
    let content = TrainPlan { seed: learner.seed, ..TrainPlan::default() };
    ModelTrainer { examples, links: LinkParams::default(), content, seed: learner.seed }
}

pub(crate) fn run(arguments: &TrainArguments) -> anyhow::Result<Exit> {
    check_learner(&arguments.learner)?;
    if arguments.content_model.is_some() && arguments.task != TrainTask::Continuation {
        return Ok(refuse("--content-model goes with the task continuation"));
    }
    let mut sets = open_data(&arguments.data, &arguments.corrections)?;
    teach(&mut sets, &arguments.teaching, arguments.learner.seed);
    let names: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
    let names = names.join(", ");
    let all_used = match arguments.learner.features {
        FeatureSet::Full => train_bundle(arguments, &sets, &names)?,
        #[cfg(feature = "papers")]
        FeatureSet::Paper => papers::train::train_thesis(arguments, &sets, &names)?,
    };
    Ok(if all_used { Exit::Done } else { Exit::PartlyFailed })
}

fn train_on(
    sets: &[DataSet],
    wanted: WantedExamples,
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
    let links = WantedExamples { links: true, content: false };
    let content = WantedExamples { links: false, content: true };
    let (mut bundle, all_used) = match arguments.task {
        TrainTask::NextLink => train_on(sets, links, learner, |trainer, _| Ok(trainer.links(&|_| true)?))?,
        TrainTask::Content => train_on(sets, content, learner, |trainer, _| Ok(trainer.content(&|_| true)?))?,
        TrainTask::Continuation => train_on(sets, links, learner, |trainer, progress| {
            let content = match &arguments.content_model {
                Some(path) => model(path, ContentModel::from_bytes)?,
                None => Tsugi::new().content_model().clone(),
            };
            let examples = PairExamples::out_of_fold(sets, trainer, &content, || progress.step())?;
            Ok(PairTrainer { examples: &examples, params: PairParams::default(), seed }.train(&|_| true)?)
        })?,
        TrainTask::Roles => train_on(sets, content, learner, |trainer, _| Ok(trainer.roles()?))?,
        #[cfg(feature = "papers")]
        TrainTask::Crf => papers::train::train_chains(sets, seed)?,
    };
    bundle_of_sites(&mut bundle, sets);
    write_bundle(arguments, bundle, names)?;
    Ok(all_used)
}

/// Notes which sites a model learned from, so that it can be judged on others.
fn bundle_of_sites(bundle: &mut Bundle, sets: &[DataSet]) {
    bundle.about.notes.insert(SITES_NOTE.to_owned(), SeenSites::of(sets).note());
}

fn write_bundle(arguments: &TrainArguments, mut bundle: Bundle, names: &str) -> anyhow::Result<()> {
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
    Ok(())
}
