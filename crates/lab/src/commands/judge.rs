//! `tsugi-lab evaluate --model`, `--answers`: what there is already, measured without training.

use super::evaluate::{show_report, write_lines};
use super::train::{open_data, read_pages};
use crate::arguments::{EvaluateArguments, JudgedArguments, ProtocolName};
use anyhow::{Context, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tsugi::Tsugi;
use tsugi::models::{ContentModel, JudgeModel, LinkModel, built_in_models};
use tsugi_main_content::{CONTENT_KIND, ContentDetector};
use tsugi_next_link::{CONTINUATION_KIND, NEXT_LINK_KIND, NextLinkDetector, PairDetector};
use tsugi_scoring::{Bundle, BundleError};
use tsugi_terminal::exit::Exit;
use tsugi_terminal::output::{complain, refuse, tell};
use tsugi_training::cross_validation::LearnedPart;
use tsugi_training::dataset::DataSet;
use tsugi_training::seen_sites::{SITES_NOTE, SeenSites};
use tsugi_training::side_by_side::{
    Contender, ContenderAnswers, SideBySide, WrittenAnswers, side_by_side_report,
};
#[cfg(feature = "papers")]
use {
    tsugi_main_content::paper::PaperContentDetector,
    tsugi_next_link::paper::PaperLinkDetector,
    tsugi_papers::paper::ThesisDetector,
    tsugi_scoring::{ModelFile, ModelHeader},
};

/// The name for the models of this program.
const BUILT_IN: &str = "built-in";

impl EvaluateArguments {
    /// Whether only what there is already is measured.
    pub(crate) fn judges(&self) -> bool {
        let has_answers = !self.judged.answers.is_empty() && self.protocol != Some(ProtocolName::Content);
        has_answers || !self.judged.model.is_empty()
    }
}

impl JudgedArguments {
    /// Reads the answers of programs, each with the name of its file.
    pub(crate) fn read_answers(&self) -> anyhow::Result<Vec<(String, WrittenAnswers)>> {
        let read = |path: &PathBuf| {
            let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
            Ok((name.into_owned(), read_answers(path)?))
        };
        self.answers.iter().map(read).collect()
    }
}

pub(crate) fn run(arguments: &EvaluateArguments) -> anyhow::Result<Exit> {
    let judged = &arguments.judged;
    if arguments.protocol.is_some() || !arguments.measure.is_empty() || arguments.folds.is_some() {
        return Ok(refuse(
            "--answers goes with --protocol content, or without --protocol, --measure and --folds",
        ));
    }
    if arguments.data.is_empty() {
        return Ok(refuse("--data is missing: name the folders of the data sets"));
    }
    if arguments.names_made_up_sites() {
        return Ok(refuse(
            "--world, --pages, --next-model and --continuation-model go with --protocol sites",
        ));
    }
    let mut contenders = Vec::new();
    for files in &judged.model {
        contenders.push(models(files)?);
    }
    for path in &judged.answers {
        contenders.push(written(path)?);
    }
    let mut names = BTreeSet::new();
    if let Some(again) = contenders.iter().find(|contender| !names.insert(contender.name.as_str())) {
        return Ok(refuse(&format!("`{}` is named twice", again.name)));
    }
    let sets = open_data(&arguments.data, &arguments.corrections)?;
    warn(&contenders, &sets);
    if let Some(folder) = &arguments.output {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    }
    let measure = |step: &mut dyn FnMut()| SideBySide::measure(&sets, &contenders, !judged.seen_sites, step);
    let (result, all_used) = read_pages(&sets, measure, |result| &result.complaints)?;
    let seen: usize = result.seen.values().sum();
    if result.pages() == 0 && seen > 0 {
        bail!(
            "the models learned from every site of the data, so nothing is measured; --seen-sites measures it all the same, \
             with figures that flatter the models"
        );
    }
    if seen > 0 {
        let what = if judged.seen_sites { "measured all the same" } else { "left out" };
        tell(&format!("{seen} pages of sites that a model learned from are {what}"));
    }
    if let Some(folder) = &arguments.output {
        write_lines(&folder.join("sites.jsonl"), &result.sites(&sets, &contenders))?;
        for (at, judged) in result.judged.iter().enumerate() {
            for (set, lines) in &judged.predictions {
                write_lines(&folder.join(format!("{}-{set}.jsonl", at + 1)), lines)?;
            }
        }
    }
    show_report(arguments, side_by_side_report(&sets, &contenders, &result))?;
    Ok(match (result.pages(), all_used) {
        (0, _) => Exit::NothingFound,
        (_, true) => Exit::Done,
        (_, false) => Exit::PartlyFailed,
    })
}

fn warn(contenders: &[Contender], sets: &[DataSet]) {
    for contender in contenders {
        match &contender.answers {
            ContenderAnswers::Models { .. } if contender.saw.is_none() => complain(&format!(
                "{}: the file does not say which sites it learned from; figures of such sites flatter it",
                contender.name
            )),
            ContenderAnswers::Models { .. } => {}
            ContenderAnswers::Written(answers) => {
                let missing = answers.missing(sets);
                if missing > 0 {
                    complain(&format!(
                        "{}: {missing} labelled pages have no line, and count as pages without answers",
                        contender.name
                    ));
                }
            }
        }
    }
}

fn read_answers(path: &Path) -> anyhow::Result<WrittenAnswers> {
    let lines = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let answers = WrittenAnswers::read(&lines).with_context(|| format!("`{}`", path.display()))?;
    if answers.is_empty() {
        bail!("`{}` holds no answers", path.display());
    }
    Ok(answers)
}

fn written(path: &Path) -> anyhow::Result<Contender> {
    let answers = read_answers(path)?;
    let about = format!("answers for {} pages", answers.len());
    let name = path.display().to_string();
    Ok(Contender { name, about, answers: ContenderAnswers::Written(answers), saw: None })
}

/// Reads the model files of one contender, separated by commas.
fn models(files: &str) -> anyhow::Result<Contender> {
    let mut parts = NamedModels::default();
    if files == BUILT_IN {
        for (name, bytes) in built_in_models() {
            // Roles are no part of what is measured here.
            if name != "roles" {
                parts.add(name, bytes)?;
            }
        }
    } else {
        for path in files.split(',') {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read `{path}`"))?;
            parts.add(path, &bytes)?;
        }
    }
    Ok(parts.finish(files.to_owned()))
}

#[derive(Default)]
struct NamedModels {
    next: Option<LinkModel>,
    content: Option<ContentModel>,
    judge: Option<JudgeModel>,
    #[cfg(feature = "papers")]
    thesis: Option<ThesisDetector>,
    parts: BTreeSet<LearnedPart>,
    about: Vec<String>,
    saw: SeenSites,
    /// Whether all files say which sites they learned from.
    is_unsure: bool,
}

impl NamedModels {
    fn add(&mut self, path: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let unusable = || format!("`{path}` cannot be used");
        let kinds = [NEXT_LINK_KIND, CONTENT_KIND, CONTINUATION_KIND];
        let mut other = String::new();
        for kind in kinds {
            match Bundle::from_bytes(bytes, kind) {
                Ok(bundle) => return self.add_bundle(path, &bundle),
                Err(BundleError::Kind { found, .. }) => other = found,
                Err(error) => return self.add_thesis(path, bytes, error),
            }
        }
        Err(anyhow::anyhow!("it is a model of `{other}`; expected one of {}", kinds.join(", ")))
            .with_context(unusable)
    }

    fn add_bundle(&mut self, path: &str, bundle: &Bundle) -> anyhow::Result<()> {
        let unusable = || format!("`{path}` cannot be used");
        let part = match bundle.about.kind.as_str() {
            NEXT_LINK_KIND => {
                let detector = NextLinkDetector::from_bundle(bundle).with_context(unusable)?;
                self.next = Some(LinkModel::new(detector));
                LearnedPart::NextLinks
            }
            CONTENT_KIND => {
                let detector = ContentDetector::from_bundle(bundle).with_context(unusable)?;
                self.content = Some(ContentModel::new(detector));
                LearnedPart::Content
            }
            _ => {
                let detector = PairDetector::from_bundle(bundle).with_context(unusable)?;
                self.judge = Some(JudgeModel::new(detector));
                LearnedPart::Pairs
            }
        };
        let trained = bundle.about.trained_on;
        let about = format!("{}: {} pages of {} sites", bundle.about.kind, trained.pages, trained.sites);
        self.note(path, part, about, &bundle.about.notes)
    }

    #[cfg(feature = "papers")]
    fn add_thesis(&mut self, path: &str, bytes: &[u8], not_a_bundle: BundleError) -> anyhow::Result<()> {
        let thesis =
            self.thesis.take().unwrap_or(ThesisDetector { links: None, content: None, others: None });
        let about = |header: &ModelHeader| {
            format!(
                "{}: {} pages of {} sites",
                header.schema, header.trained_on.pages, header.trained_on.sites
            )
        };
        if let Ok(model) = ModelFile::from_bytes(bytes) {
            let (notes, about) = (model.header.notes.clone(), about(&model.header));
            let links = Some(PaperLinkDetector::new(model));
            self.thesis = Some(ThesisDetector { links, ..thesis });
            return self.note(path, LearnedPart::NextLinks, about, &notes);
        }
        if let Ok(model) = ModelFile::from_bytes(bytes) {
            let (notes, about) = (model.header.notes.clone(), about(&model.header));
            let content = PaperContentDetector::new(model);
            let content = Some(content.with_context(|| format!("`{path}` cannot be used"))?);
            self.thesis = Some(ThesisDetector { content, ..thesis });
            return self.note(path, LearnedPart::Content, about, &notes);
        }
        Err(not_a_bundle).with_context(|| format!("`{path}` is no model file that can be used"))
    }

    #[cfg(not(feature = "papers"))]
    fn add_thesis(&mut self, path: &str, _: &[u8], not_a_bundle: BundleError) -> anyhow::Result<()> {
        Err(not_a_bundle).with_context(|| format!("`{path}` is no model file that can be used"))
    }

    fn note(
        &mut self,
        path: &str,
        part: LearnedPart,
        about: String,
        notes: &BTreeMap<String, String>,
    ) -> anyhow::Result<()> {
        if !self.parts.insert(part) {
            bail!(
                "`{path}` is the second model of its kind among those joined by commas; separate them by spaces"
            );
        }
        self.about.push(about);
        match notes.get(SITES_NOTE).and_then(|note| SeenSites::from_note(note)) {
            Some(seen) => self.saw.extend(seen),
            None => self.is_unsure = true,
        }
        Ok(())
    }

    fn finish(self, name: String) -> Contender {
        let mut tsugi = Tsugi::new();
        if let Some(next) = self.next {
            tsugi = tsugi.with_next_model(next);
        }
        if let Some(content) = self.content {
            tsugi = tsugi.with_content_model(content);
        }
        if let Some(judge) = &self.judge {
            tsugi = tsugi.with_judge(Some(judge.clone()));
        }
        #[cfg(feature = "papers")]
        if let Some(thesis) = self.thesis {
            tsugi = Tsugi::new().with_detector(ThesisDetector { others: Some(tsugi), ..thesis });
        }
        let answers =
            ContenderAnswers::Models { tsugi: Box::new(tsugi), judge: self.judge, parts: self.parts };
        let saw = (!self.is_unsure).then_some(self.saw);
        Contender { name, about: self.about.join("; "), answers, saw }
    }
}
