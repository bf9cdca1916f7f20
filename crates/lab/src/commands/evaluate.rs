//! `tsugi-lab evaluate`: a report, split by site.

use crate::arguments::{EvaluateArguments, FeatureSet, ProtocolName};
use crate::commands::evaluate_sites::measure_made_up_sites;
use crate::commands::train::{check_learner, model_trainer, open_data, read_labelled, read_pages, teach};
#[cfg(feature = "papers")]
use crate::papers;
use anyhow::{Context, bail};
use serde::Serialize;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Write;
use std::path::Path;
use tsugi::Document;
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{Output, complain, refuse, write_file, write_json_line};
use tsugi_terminal::progress::Progress;
use tsugi_training::content::{RolePlan, TrainPlan};
use tsugi_training::content_trials::{ContentTrials, content_report};
use tsugi_training::cross_validation::{CrossValidation, FoldPlan, LearnedPart, cross_validate};
use tsugi_training::dataset::DataSet;
use tsugi_training::floors::{Floors, MeasuredFigures};
use tsugi_training::items::{ItemLine, evaluate_items, items_report};
use tsugi_training::joins::join_figures;
use tsugi_training::labelled_pages::{LabelledPages, WantedExamples};
use tsugi_training::metadata::{evaluate_metadata, metadata_report};
use tsugi_training::report::{cross_validation_report, figures_by_set};
use tsugi_training::tables::Report;

pub(crate) struct Plan<'a> {
    pub(crate) arguments: &'a EvaluateArguments,
    pub(crate) sets: &'a [DataSet],
    /// The places of the data sets that are measured.
    pub(crate) measured: Vec<usize>,
}

pub(crate) struct Evaluated {
    pub(crate) report: Report,
    pub(crate) all_used: bool,
    /// `false` if a figure is below its floor.
    pub(crate) passes: bool,
}

struct Protocol {
    options: ProtocolOptions,
    run: fn(&Plan<'_>) -> anyhow::Result<Evaluated>,
}

/// Options that only some protocols take.
#[derive(Default)]
struct ProtocolOptions {
    measure: bool,
    features: bool,
    gate: bool,
    pages: MeasuredPages,
}

/// Where the pages come from that a protocol measures.
#[derive(Default, PartialEq, Eq)]
enum MeasuredPages {
    #[default]
    DataSets,
    MadeUp,
}

fn protocol(name: ProtocolName) -> Protocol {
    let (none, measured) =
        (ProtocolOptions::default(), ProtocolOptions { measure: true, ..Default::default() });
    match name {
        ProtocolName::Full => Protocol {
            options: ProtocolOptions { features: true, gate: true, ..none },
            run: cross_validate_by_site,
        },
        ProtocolName::Items => Protocol { options: measured, run: measure_items },
        ProtocolName::Metadata => Protocol { options: none, run: measure_metadata },
        ProtocolName::Sites => Protocol {
            options: ProtocolOptions { pages: MeasuredPages::MadeUp, ..none },
            run: measure_made_up_sites,
        },
        ProtocolName::Content => Protocol { options: measured, run: measure_content },
        #[cfg(feature = "papers")]
        ProtocolName::Paper => Protocol {
            options: ProtocolOptions { features: true, ..none },
            run: papers::evaluate::repeat_thesis,
        },
        #[cfg(feature = "papers")]
        ProtocolName::PageSets => Protocol { options: measured, run: papers::evaluate::measure_page_sets },
        #[cfg(feature = "papers")]
        ProtocolName::Crf => Protocol { options: measured, run: papers::evaluate::measure_chains },
    }
}

impl ProtocolOptions {
    fn misuse(&self, arguments: &EvaluateArguments) -> Option<&'static str> {
        let gate = arguments.gate.is_some() || arguments.documents.is_some();
        let made_up = self.pages == MeasuredPages::MadeUp;
        if made_up && !arguments.data.is_empty() {
            Some("--protocol sites makes its sites itself; leave out --data")
        } else if !made_up && arguments.data.is_empty() {
            Some("--data is missing: name the folders of the data sets")
        } else if !made_up && arguments.names_made_up_sites() {
            Some("--world, --pages, --next-model and --continuation-model go with --protocol sites")
        } else if !self.measure && !arguments.measure.is_empty() {
            Some("--measure goes with --protocol content, items, page-sets and crf")
        } else if !self.features && arguments.learner.features != FeatureSet::Full {
            Some("this protocol measures the models of all features; leave out --features paper")
        } else {
            (!self.gate && gate).then_some("--gate and --documents go with --protocol full")
        }
    }
}

pub(crate) fn run(arguments: &EvaluateArguments) -> anyhow::Result<Exit> {
    check_learner(&arguments.learner)?;
    if arguments.judged.seen_sites {
        return Ok(refuse("--seen-sites goes with --model and --answers"));
    }
    let protocol = protocol(arguments.protocol.unwrap_or(ProtocolName::Full));
    if let Some(misuse) = protocol.options.misuse(arguments) {
        return Ok(refuse(misuse));
    }
    let mut sets = open_data(&arguments.data, &arguments.corrections)?;
    teach(&mut sets, &arguments.teaching, arguments.learner.seed);
    let measured = measured_sets(arguments, &sets)?;
    if let Some(folder) = &arguments.output {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    }
    let found = (protocol.run)(&Plan { arguments, sets: &sets, measured })?;
    show_report(arguments, found.report)?;
    Ok(match (found.passes, found.all_used) {
        (false, _) => Exit::Failed,
        (true, true) => Exit::Done,
        (true, false) => Exit::PartlyFailed,
    })
}

fn measured_sets(arguments: &EvaluateArguments, sets: &[DataSet]) -> anyhow::Result<Vec<usize>> {
    if let Some(name) = arguments.measure.iter().find(|name| sets.iter().all(|set| set.name != **name)) {
        bail!("--measure names `{name}`, which is none of the data sets");
    }
    let is_measured = |at: &usize| {
        let is_named = arguments.measure.is_empty() || arguments.measure.contains(&sets[*at].name);
        is_named && !sets[*at].only_teaches()
    };
    Ok((0..sets.len()).filter(is_measured).collect())
}

impl Evaluated {
    pub(crate) fn new(report: Report, all_used: bool) -> Evaluated {
        Evaluated { report, all_used, passes: true }
    }
}

impl Plan<'_> {
    pub(crate) fn folds(&self) -> usize {
        usize::from(self.arguments.folds.unwrap_or(5))
    }

    pub(crate) fn seed(&self) -> u64 {
        self.arguments.learner.seed
    }

    pub(crate) fn read_labelled(&self) -> anyhow::Result<(LabelledPages, bool)> {
        read_labelled(self.sets, WantedExamples { links: true, content: true })
    }

    /// Hands `run` a plan to train the shipped models on all data, and to measure sites that they did not see.
    pub(crate) fn measure_sites(
        &self,
        run: impl FnOnce(&FoldPlan<'_>, &Progress) -> anyhow::Result<Report>,
    ) -> anyhow::Result<Evaluated> {
        let (examples, all_used) = self.read_labelled()?;
        let trainer = model_trainer(&examples, &self.arguments.learner);
        let pages: usize = self.measured.iter().map(|at| self.sets[*at].labels().len()).sum();
        let progress = Progress::new("folds and pages", Some((self.folds() + pages) as u64));
        let plan = FoldPlan {
            sets: self.sets,
            measured: &self.measured,
            groups: &examples.groups,
            trainer: &trainer,
            folds: self.folds(),
            seed: self.seed(),
        };
        let report = run(&plan, &progress)?;
        progress.finish();
        Ok(Evaluated::new(report, all_used))
    }

    /// Adds a file of JSON lines to a report for each measured data set; `lines` returns those of the set at a place.
    pub(crate) fn add_lines<T: Serialize, L: IntoIterator<Item = T>>(
        &self,
        report: &mut Report,
        lines: impl Fn(usize) -> L,
    ) -> anyhow::Result<()> {
        for at in &self.measured {
            let mut bytes = Vec::new();
            for line in lines(*at) {
                write_json_line(&mut bytes, &line)?;
            }
            report.files.push((format!("{}.jsonl", self.sets[*at].name), String::from_utf8(bytes)?));
        }
        Ok(())
    }
}

fn cross_validate_by_site(plan: &Plan<'_>) -> anyhow::Result<Evaluated> {
    let arguments = plan.arguments;
    // A gate that cannot be read fails before hours of training.
    let gate = arguments.gate.as_deref().map(|path| read_floors(path, arguments.raise)).transpose()?;
    let (result, all_used) = match arguments.learner.features {
        FeatureSet::Full => {
            let (examples, all_used) = plan.read_labelled()?;
            let trainer = model_trainer(&examples, &arguments.learner);
            (plan.validate(&FoldPlan::new(plan.sets, &examples.groups, &trainer))?, all_used)
        }
        #[cfg(feature = "papers")]
        FeatureSet::Paper => papers::evaluate::validate_thesis(plan)?,
    };
    for (part, why) in &result.unlearned {
        complain(&format!("{} are not measured: {why}", part_name(*part)));
    }
    if let Some(folder) = &arguments.output {
        write_predictions(folder, &result)?;
    }
    let passes = match (&arguments.gate, gate) {
        (Some(path), Some(floors)) => {
            let pages = figures_by_set(plan.sets, result.model());
            let measured = MeasuredFigures { pages, joins: join_figures(&result.joins) };
            passes(path, floors, &measured, arguments.raise)?
        }
        _ => true,
    };
    Ok(Evaluated { report: cross_validation_report(plan.sets, &result)?, all_used, passes })
}

fn part_name(part: LearnedPart) -> &'static str {
    match part {
        LearnedPart::NextLinks => "next links",
        LearnedPart::Content => "texts",
        LearnedPart::Pairs => "joins",
    }
}

impl Plan<'_> {
    /// Cross-validates a trainer, and writes joined documents where a folder is given.
    pub(crate) fn validate(&self, folds: &FoldPlan<'_>) -> anyhow::Result<CrossValidation> {
        let labels: usize = self.sets.iter().map(|set| set.labels().len()).sum();
        let progress = Progress::new("folds and pages", Some((3 * labels + self.folds()) as u64));
        let mut documents = self.arguments.documents.as_deref().map(DocumentFiles::new).transpose()?;
        let mut unwritten = None;
        let joined = |set: &str, document: &Document| {
            if let Some(documents) = &mut documents
                && let Err(error) = documents.add(set, document)
            {
                unwritten.get_or_insert(error);
            }
        };
        let folds = FoldPlan { folds: self.folds(), seed: self.seed(), ..*folds };
        let result = cross_validate(&folds, || progress.step(), joined)?;
        progress.finish();
        match (unwritten, documents) {
            (Some(error), _) => return Err(error),
            (None, Some(documents)) => documents.finish()?,
            (None, None) => {}
        }
        Ok(result)
    }
}

fn write_predictions(folder: &Path, result: &CrossValidation) -> anyhow::Result<()> {
    for (set, lines) in &result.predictions {
        write_lines(&folder.join(format!("{set}.jsonl")), lines)?;
    }
    for (set, joins) in &result.joins {
        let documents: Vec<_> = joins.documents.iter().filter(|document| document.pages.len() > 1).collect();
        if !documents.is_empty() {
            write_lines(&folder.join(format!("{set}.joins.jsonl")), &documents)?;
        }
    }
    Ok(())
}

pub(crate) fn write_lines(path: &Path, lines: &[impl Serialize]) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    for line in lines {
        write_json_line(&mut bytes, line)?;
    }
    write_file(path, &bytes)
}

fn measure_items(plan: &Plan<'_>) -> anyhow::Result<Evaluated> {
    plan.measure_sites(|folds, progress| {
        let result = evaluate_items(folds, || progress.step())?;
        let mut report = items_report(plan.sets, &result);
        plan.add_lines(&mut report, |at| {
            result.sites.iter().filter(move |site| site.set == at).map(ItemLine::of)
        })?;
        Ok(report)
    })
}

fn measure_metadata(plan: &Plan<'_>) -> anyhow::Result<Evaluated> {
    let read = |step: &mut dyn FnMut()| evaluate_metadata(plan.sets, step);
    let ((lines, _), all_used) = read_pages(plan.sets, read, |(_, complaints)| complaints)?;
    let mut report = metadata_report(plan.sets, &lines);
    plan.add_lines(&mut report, |at| lines.iter().filter(move |line| line.set == at))?;
    Ok(Evaluated::new(report, all_used))
}

fn measure_content(plan: &Plan<'_>) -> anyhow::Result<Evaluated> {
    let others = plan.arguments.judged.read_answers()?;
    let (examples, all_used) = read_labelled(plan.sets, WantedExamples { links: false, content: true })?;
    let base = TrainPlan { seed: plan.seed(), ..TrainPlan::default() };
    let pages: usize = plan.measured.iter().map(|at| plan.sets[*at].labels().len()).sum();
    let progress = Progress::new("folds and pages", Some((plan.folds() + pages) as u64));
    let trials = ContentTrials::run(
        (plan.sets, &plan.measured),
        &examples,
        (&RolePlan { base, ..RolePlan::default() }, plan.folds()),
        &others,
        || progress.step(),
    )?;
    progress.finish();
    let mut report = content_report(plan.sets, &trials);
    plan.add_lines(&mut report, |at| trials.texts.iter().filter(move |text| text.set == at))?;
    Ok(Evaluated::new(report, all_used))
}

struct DocumentFiles<'a> {
    folder: &'a Path,
    files: BTreeMap<String, Output>,
}

impl<'a> DocumentFiles<'a> {
    fn new(folder: &'a Path) -> anyhow::Result<DocumentFiles<'a>> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
        Ok(DocumentFiles { folder, files: BTreeMap::new() })
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

fn passes(path: &Path, mut floors: Floors, measured: &MeasuredFigures, raise: bool) -> anyhow::Result<bool> {
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

/// Writes the files of a report where a folder is given, and `report.md` to stdout.
pub(crate) fn show_report(arguments: &EvaluateArguments, report: Report) -> anyhow::Result<()> {
    let markdown = write_report(arguments, report)?;
    let mut stdout = Output::screen();
    stdout.write_all(markdown.as_bytes())?;
    stdout.finish()
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
