//! Labelled pages for the shipped models, and their training.

use crate::content::{ContentPage, RolePlan, TrainPlan, train_main_content, train_roles};
use crate::cross_validation::{EvaluateError, LearnedPart, TrainedModels, Trainer, Unlearned, learned};
use crate::dataset::{Complaint, DataDigest, DataSet, DataSetError};
use crate::links::{LinkPage, LinkParams, train_next_link};
use crate::pairs::{PairExamples, PairParams, PairSources, PairTrainer};
use crate::sites::SiteGroups;
use crate::train_error::TrainError;
use tsugi::detect::{Detect, Findings, Pair};
use tsugi::models::{ContentModel, LinkModel};
use tsugi::{Page, Tsugi, Verdict};
use tsugi_main_content::ContentDetector;
use tsugi_next_link::{NextLinkDetector, PairDetector};
use tsugi_scoring::{Bundle, Column, TrainedOn};

/// The labelled pages of some data sets, as the shipped models see them.
#[derive(Debug)]
pub struct LabelledPages {
    /// The pages whose next page is known, with corrected labels.
    pub links: Vec<LinkPage>,
    /// The pages whose content is known or guessed.
    pub content: Vec<ContentPage>,
    /// Problems with pages and labels that are not used.
    pub complaints: Vec<Complaint>,
    /// A digest of all pages and labels.
    pub digest: String,
    /// The groups of pages that stay on one side.
    pub groups: SiteGroups,
}

/// The examples to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WantedExamples {
    /// Examples of links.
    pub links: bool,
    /// Examples of content.
    pub content: bool,
}

impl LabelledPages {
    /// Sets some columns of all links to 0, so that models learn without them.
    pub fn blank_link_columns(&mut self, takes: impl Fn(&Column) -> bool) {
        self.links.iter_mut().for_each(|page| page.described.blank(&takes));
    }

    /// Reads the data sets; `progress` is called after every page.
    ///
    /// # Errors
    ///
    /// [`DataSetError`] if an archive cannot be opened. Pages and labels that cannot be used are complaints.
    pub fn read(
        sets: &[DataSet],
        wanted: WantedExamples,
        mut progress: impl FnMut(),
    ) -> Result<LabelledPages, DataSetError> {
        let groups = SiteGroups::of(sets);
        let mut digest = DataDigest::default();
        let (mut links, mut content, mut complaints) = (Vec::new(), Vec::new(), Vec::new());
        for (set_index, set) in sets.iter().enumerate() {
            let mut problems = Vec::new();
            let of_archive = set.visit(Some(&mut digest), |at, page| {
                progress();
                let group = groups.group(set_index, at);
                if wanted.links {
                    let described = LinkPage::of(&page, set.corrected(at), group);
                    let only_teaches = set.only_teaches();
                    links.extend(described.map(|page| LinkPage { only_teaches, ..page }));
                }
                if wanted.content && !set.only_teaches() {
                    match ContentPage::of(page, &set.labels()[at], group) {
                        Ok(page) => content.extend(page),
                        Err(what) => problems.push(set.complaint(at, what)),
                    }
                }
            })?;
            complaints.extend(of_archive);
            complaints.extend(problems);
        }
        Ok(LabelledPages { links, content, complaints, digest: digest.finish(), groups })
    }
}

/// Trains the shipped models.
#[derive(Debug)]
pub struct ModelTrainer<'a> {
    /// The labelled pages.
    pub examples: &'a LabelledPages,
    /// Parameters of the link models.
    pub links: LinkParams,
    /// Parameters of the content models.
    pub content: TrainPlan,
    /// The seed of the link models.
    pub seed: u64,
}

impl ModelTrainer<'_> {
    /// Trains the link models on the pages of the groups for which `takes` returns `true`.
    ///
    /// # Errors
    ///
    /// [`EvaluateError`] if those pages are not enough.
    pub fn links(&self, takes: &dyn Fn(usize) -> bool) -> Result<Bundle, EvaluateError> {
        let pages: Vec<&LinkPage> = self.examples.links.iter().filter(|page| takes(page.group)).collect();
        let mut bundle = train_next_link(&pages, &self.links, self.seed)?;
        bundle.about.data_digest.clone_from(&self.examples.digest);
        Ok(bundle)
    }

    /// Trains a link model on stored pages alone, without those that only teach; `None` if no data set is made up, as made-up
    /// pages alone are read with it.
    pub(crate) fn links_for_made_up(
        &self,
        sets: &[DataSet],
    ) -> Result<Option<NextLinkDetector>, EvaluateError> {
        if !sets.iter().any(DataSet::is_made_up) {
            return Ok(None);
        }
        let pages: Vec<&LinkPage> = self.examples.links.iter().filter(|page| !page.only_teaches).collect();
        Ok(Some(NextLinkDetector::from_bundle(&train_next_link(&pages, &self.links, self.seed)?)?))
    }

    /// Trains the content models on the pages of the groups for which `takes` returns `true`.
    ///
    /// # Errors
    ///
    /// [`EvaluateError`] if those pages are not enough.
    pub fn content(&self, takes: &dyn Fn(usize) -> bool) -> Result<Bundle, EvaluateError> {
        let pages: Vec<&ContentPage> =
            self.examples.content.iter().filter(|page| takes(page.group)).collect();
        let models = train_main_content(&self.content, &pages)?;
        Ok(self.told(models.to_bundle()?, models.blocks.header.trained_on))
    }

    /// Trains the models of roles on all pages.
    ///
    /// # Errors
    ///
    /// [`EvaluateError`] if the pages are not enough.
    pub fn roles(&self) -> Result<Bundle, EvaluateError> {
        let pages: Vec<&ContentPage> = self.examples.content.iter().collect();
        let plan = RolePlan { base: self.content.clone(), ..RolePlan::default() };
        let models = train_roles(&plan, &pages)?;
        let trained_on = models.trained_on();
        Ok(self.told(models.to_bundle()?, trained_on))
    }

    /// Notes in a bundle what it was trained on.
    fn told(&self, mut bundle: Bundle, trained_on: TrainedOn) -> Bundle {
        bundle.about.seed = self.content.seed;
        bundle.about.trained_on = trained_on;
        bundle.about.data_digest.clone_from(&self.examples.digest);
        bundle
    }
}

/// Finds content without a link model: where no link is learned, the built-in model must not help, as it may know the site.
#[derive(Debug)]
pub(crate) struct ContentAlone(pub(crate) ContentDetector);

impl Detect for ContentAlone {
    fn find(&self, page: &Page) -> Findings {
        let judged = self.0.judged(page, None);
        let mut found = Findings::new(None, 1.0, judged.content());
        found.comments = judged.comments();
        found
    }

    fn judge(&self, _: &Pair<'_>) -> Option<Verdict> {
        None
    }
}

impl Trainer for ModelTrainer<'_> {
    fn train(&self, takes: &(dyn Fn(usize) -> bool + Sync)) -> Result<TrainedModels, EvaluateError> {
        let (links, content) = std::thread::scope(|scope| {
            let links = scope.spawn(|| self.links(takes));
            let content = self.content(takes);
            (links.join(), content)
        });
        let links = links.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let mut unlearned = Unlearned::new();
        let links = learned(LearnedPart::NextLinks, links, &mut unlearned)?;
        let content = learned(LearnedPart::Content, content, &mut unlearned)?;
        // Both go through files' form, so that what is evaluated is what would be shipped.
        let next = links.map(|links| NextLinkDetector::from_bundle(&links)).transpose()?;
        let content = content.map(|content| ContentDetector::from_bundle(&content)).transpose()?;
        let tsugi = Tsugi::new().with_judge(None);
        let tsugi = match (next, content) {
            (Some(next), None) => tsugi.with_next_model(LinkModel::new(next)),
            (Some(next), Some(content)) => {
                tsugi.with_next_model(LinkModel::new(next)).with_content_model(ContentModel::new(content))
            }
            (None, Some(content)) => tsugi.with_detector(ContentAlone(content)),
            (None, None) => tsugi,
        };
        Ok(TrainedModels { tsugi, unlearned })
    }

    fn train_judges(
        &self,
        sets: &[DataSet],
        folds: &[Tsugi],
        fold_of_group: &[usize],
        progress: &mut dyn FnMut(),
    ) -> Result<Vec<PairDetector>, EvaluateError> {
        // Without a pair nothing can be learned, and reading all pages again takes minutes.
        if !sets.iter().any(DataSet::has_pairs) {
            return Err(TrainError::NoPairs("continues on").into());
        }
        let next = |group: usize| folds[fold_of_group[group]].next_model().detector();
        let content = |group: usize| folds[fold_of_group[group]].content_model();
        let of_stored = self.links_for_made_up(sets)?;
        let sources = PairSources { next: &next, of_stored: of_stored.as_ref(), content: &content };
        let examples = PairExamples::read(sets, &self.examples.groups, sources, progress)?;
        let trainer = PairTrainer { examples: &examples, params: PairParams::default(), seed: self.seed };
        let train = |fold| {
            let bundle = trainer.train(&|group| fold_of_group[group] != fold)?;
            Ok(PairDetector::from_bundle(&bundle)?)
        };
        (0..folds.len()).map(train).collect()
    }
}
